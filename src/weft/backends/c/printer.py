"""Prints functions of C: how they fail, stop and return, and where their memory comes from."""

from __future__ import annotations

from collections.abc import Sequence

from weft.backends.c import vectors
from weft.backends.c.memory import Memory
from weft.backends.c.recursion import print_recursive_call
from weft.backends.c.steps import print_step
from weft.backends.c.values import to_value
from weft.backends.text import arithmetic
from weft.backends.text.artifact import Site
from weft.backends.text.code import Code, call
from weft.backends.text.printer import Module, Printer
from weft.backends.text.printer_facts import stores_twice
from weft.backends.text.views import ViewCode
from weft.ir import nodes as n
from weft.ir.recursion import function_name
from weft.ir.types import Record, Scalar, Type, Vector, View
from weft.ir.visit import has_fewer_trips, walk


class CPrinter(Printer):
    """A C function while it is printed.

    A function that may fail returns a status: WEFT_OK, the number of a site, or another code of ``weft.h``. Memory that
    it still holds then is released under the label ``done``.

    Parameters
    ----------
    module, outer
        As for `Printer`.
    iteration
        The iteration of the parallel loop around it, which is told with a fault.
    """

    def __init__(self, module: Module, outer: Printer | None = None, iteration: str = "0") -> None:
        super().__init__(module, outer)
        self.packed_roots = outer.packed_roots if outer else _packed_parameters(module.program)
        self.iteration_code = iteration
        self.memory = Memory(self)
        self.plain = False
        """Whether the function cannot fail and returns its value: it has no runtime to ask."""

    # -------------------------------------------------------------------------------------------- leaving

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """End the program with an exception."""
        number, typed = self.site_with_counters(site, operands)
        values = ", ".join(to_value(type, code) for type, code in typed)
        operand_text = f"(weft_value[]){{{values}}}" if values else "NULL"
        self.leave(f"weft_raise(fault, {number}, {self.iteration_code}, {len(typed)}, {operand_text})")

    def leave(self, status: str) -> None:
        """Leave the function with a status."""
        if not self.memory.holds_any:
            self.lines.add(f"return {status};")
            return
        self.lines.add(f"status = {status};")
        self.lines.add("goto done;")

    def leave_if(self, condition: str, status: str) -> None:
        """Leave the function where a condition holds, which is rare."""
        with self.lines.braces(f"if (UNLIKELY({condition}))"):
            self.leave(status)

    def clamped(self, index: Code, extent: Code, outside: Code, site: Site) -> Code:
        """An index forced inside its axis; that it was outside is told when all iterations are done."""
        number, typed = self.site_with_counters(site, [index, extent])
        values = ", ".join(to_value(type, code) for type, code in typed)
        with self.lines.braces(f"if (UNLIKELY({outside.text}))"):
            self.lines.add(
                f"weft_raise(fault, {number}, {self.iteration_code}, {len(typed)}, (weft_value[]){{{values}}});"
            )
        return call("clamp_index", index, extent)

    def as_index(self, view: ViewCode, index: n.Atom, code: Code) -> Code:
        """An index that is inside of its axis of a view.

        Where it is a truth value, or what does not vary plus one, gcc 12 makes vector code of loads of bytes that takes
        true for -1.
        """
        if view.element.size > 1 or not self.facts.is_chosen(index):
            return code
        return call("not_a_truth_value", code)

    def is_misread(self, node: n.Binary) -> bool:
        """Two mistakes of gcc, which ``difference_@`` hides a difference from.

        It fuses sums and differences of products that are stored side by side. And where it sees in one expression that
        `x` is never -0.0, a converted integer or an absolute value, it takes ``0.0 - x`` for ``-x``: -0.0 for 0.0.
        """
        fused = stores_twice(self._blocks[-1]) and any(self.facts.is_product(a) for a in (node.left, node.right))
        return fused or (isinstance(node.left, n.Const) and node.left.value == 0)

    # --------------------------------------------------------------------------------------------- loops

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Long loops look whether they are to stop."""
        self.memory.before_iteration(loop)
        if not self.plain and (isinstance(loop, n.While) or self.looks(loop)):
            self.poll()

    def looks(self, loop: n.For) -> bool:
        """Whether a loop looks at the stop flag in every iteration: all do but short ones and vector code."""
        if has_fewer_trips(loop, _MANY):
            return False
        if self.has_loop(loop.body) or loop.exit is not None:
            return True
        return loop.mapping == "sequential" and bool(loop.args)

    def has_loop(self, block: n.Block) -> bool:
        """Whether a block holds a loop, or a call of a function that may hold one."""
        return any(
            isinstance(s, (n.For, n.While, n.External))
            or (isinstance(s, n.Call) and not self.module.is_plain(self.module.program.function(s.function)))
            for s in walk(block)
        )

    def poll(self) -> None:
        """Look whether the program is to stop."""
        self._polls = True
        self.leave_if("*stop", "WEFT_INTERRUPTED")

    _polls = False

    def after_iteration(self, loop: n.For | n.While) -> None:
        """Memory that nobody needs any more is released."""
        self.memory.after_iteration(loop)

    def print_For(self, loop: n.For) -> None:
        """Print a loop; memory that escapes it is swept in each iteration."""
        self.memory.enter_loop(loop)
        super().print_For(loop)

    def print_While(self, loop: n.While) -> None:
        """Print a loop; memory that escapes it is swept in each iteration."""
        self.memory.enter_loop(loop)
        super().print_While(loop)

    # ------------------------------------------------------------------------------------------ statements

    def alloc(self, var: n.Var, value: n.Alloc) -> None:
        """Print an allocation."""
        self.memory.alloc(var, value)

    def combine_in_memory(self, node: n.Update, place: Code, value: Code) -> None:
        """Print ``place = place op value``."""
        self.lines.add(f"{place.text} = {self.combined(node.op, place, value, _scalar(node.value.type)).text};")

    def combined(self, op: str, left: Code, right: Code, type: Scalar) -> Code:
        """The value of a `Binary` that is not checked, on C expressions that may be written twice."""
        names = (n.Var("\0left", type), n.Var("\0right", type))
        self.atoms.update({names[0].name: left, names[1].name: right})
        return arithmetic.binary(self, n.Var("\0result", type), n.Binary(op, *names, checked=False))  # type: ignore[arg-type]

    def vector(self, var: n.Var, value: n.Expression) -> Code:
        """An expression on vectors."""
        return vectors.expression(self, var, value)

    def vector_store(self, store: n.Store) -> None:
        """Print an assignment of several elements."""
        vectors.store(self, store)

    def before_lanes(
        self, store: n.Store, lanes: int, mask: Code | None, address: Code, offsets: Code | None = None
    ) -> None:
        """Print what comes before an assignment of several elements; `offsets` in bytes, if they are not adjacent."""

    def value(self, atom: n.Atom, exact: bool = False) -> Code:
        """The C expression of an atom."""
        if isinstance(atom, n.Const) and isinstance(atom.type, Vector):
            return vectors.constant(self, atom)
        return super().value(atom, exact)

    def undefined(self, type: Type) -> Code:
        """Any value of a type."""
        if isinstance(type, Scalar):
            zero = False if type.kind == "b" else 0
            return self.dialect.constant(n.Const(zero, type), exact=True)
        assert isinstance(type, (Record, Vector))
        return Code(f"({self.dialect.type_name(type)}){{0}}")

    def print_Call(self, node: n.Call) -> None:
        """Print a call of a helper function."""
        arguments = [code for atom in node.operands for code in self.parts(atom)]
        self.settle_loads()
        self.call_to(node.function, arguments, [self.name(r) for r in node.results])

    def print_External(self, node: n.External) -> None:
        """Print a call of a Python function, or of one that calls itself."""
        if function_name(node) is None:
            print_step(self, node)
        else:
            print_recursive_call(self, node)

    def room(self, value: n.Room) -> Code:
        """How many more calls may be nested."""
        return Code("runtime->calls_left(runtime->caller)")

    def call_to(self, function: str, arguments: Sequence[Code], results: Sequence[str]) -> None:
        """Print a call of a helper function, which assigns its results to C variables."""
        name = self.module.function_names[function]
        if self.module.is_plain(self.module.program.function(function)):
            self.lines.add(f"{results[0]} = {call(name, *arguments).text};")
            return
        texts = ["runtime", "fault", self.iteration_code, *(a.text for a in arguments), *(f"&{r}" for r in results)]
        status = self.declare("outcome", "int32_t", f"{name}({', '.join(texts)})")
        self.leave_if(status, status)

    # ------------------------------------------------------------------------------------------- finishing

    def finished(self, head: str) -> str:
        """The text of the whole function, once its statements are printed."""
        return "\n".join([f"{head} {{", *self.finished_lines(), "}"])

    def finished_lines(self) -> list[str]:
        """The lines between the braces of the function."""
        flag = ["    volatile int *const stop = runtime->stop;"] if self._polls else []
        body = [*flag, *self.memory.declarations(), *self.lines.items]
        if not self.memory.holds_any:
            return body if self.plain else [*body, "    return WEFT_OK;"]
        return ["    int32_t status = WEFT_OK;", *body, "done:", *self.memory.releases(), "    return status;"]


def _scalar(type: Type) -> Scalar:
    element = type.element if isinstance(type, Vector) else type
    assert isinstance(element, Scalar)
    return element


def _packed_parameters(program: n.Program) -> frozenset[str]:
    """Arrays of records: their fields may lie at any address."""
    names = set()
    for param in program.params:
        if isinstance(param.var.type, View) and isinstance(param.var.type.element, Record):
            names.add(param.var.name)
    lets = (s for s in walk(program.body) if isinstance(s, n.Let))
    names |= {s.var.name for s in lets if isinstance(s.value, n.Alloc) and isinstance(s.value.element, Record)}
    return frozenset(names)


_MANY = 64
"""Loops with a constant trip count below this are short."""
