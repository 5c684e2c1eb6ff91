"""Prints the statements of one C function: blocks, branches, loops and what they carry.

Expressions that are used once are written where they are used. C variables are assigned once, like those of the IR,
except the ones that loops carry: these are assigned at the end of each iteration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from weft.backends.text import arithmetic, conversions, elements, mathematics
from weft.backends.text.artifact import Site
from weft.backends.text.code import ORDER, Code, Identifiers, Lines, call, choice, words
from weft.backends.text.dialect import Dialect
from weft.backends.text.printer_facts import Facts
from weft.backends.text.sites import OPERANDS, Sites, shortened
from weft.backends.text.views import ViewCode
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.location import Location
from weft.ir.types import PYINT, Scalar, Type, View

LINE_WIDTH = 110
"""An expression that makes a line longer than this gets a variable of its own."""


Side = tuple[list[Code], list[str]]
"""One side of a branch: the values that it yields, and the lines that compute them."""


class Module:
    """What the functions of one generated file share."""

    def __init__(self, program: n.Program, dialect: Dialect, facts: Facts | None = None) -> None:
        self.program = program
        self.dialect = dialect
        self.facts = facts or Facts(program)
        self.identifiers = Identifiers(dialect.helpers.names)
        self.sites = Sites()
        self.functions: list[str] = []
        self.function_names: dict[str, str] = {}
        self.natives: dict[str, str] = {}
        self.in_order: set[str] = set()
        """Labels of parallel loops that one thread runs, since nothing could undo what later iterations have stored."""

    def is_plain(self, function: n.Function) -> bool:
        """Whether a helper is an ordinary function, which cannot fail."""
        return False


class Printer:
    """One C function while it is printed.

    Parameters
    ----------
    module
        The file that it is part of.
    outer
        The function whose names it sees, for the body of a loop that becomes a function of its own.
    """

    bounds_nests = False
    """Whether it bounds what nests touch: also of those with no iterations, for which divisors may be zero."""

    def __init__(self, module: Module, outer: Printer | None = None) -> None:
        self.module = module
        self.outer = outer
        self.dialect = module.dialect
        self.facts = module.facts
        self.lines = Lines(1)
        self.atoms: dict[str, Code] = dict(outer.atoms) if outer else {}
        self.views: dict[str, ViewCode] = dict(outer.views) if outer else {}
        self.declared: dict[str, str] = {}
        self.counters: tuple[n.Var, ...] = outer.counters if outer else ()
        self._pending: dict[str, tuple[n.Var, Code]] = {}
        self._blocks: list[n.Block] = []
        self._line = 0
        self.location = module.program.location

    # ------------------------------------------------------------------------------------------- values

    def value(self, atom: n.Atom, exact: bool = False) -> Code:
        """The C expression of an atom. A variable that is used once may be given only once."""
        if isinstance(atom, n.Const):
            return self.dialect.constant(atom, exact)
        if atom.name in self._pending:
            return self._pending.pop(atom.name)[1]
        return self.atoms[atom.name]

    def low_bits(self, atom: n.Atom) -> Code:
        """The C expression of an integer of which only the lowest bits count."""
        return self.value(atom)

    def simple(self, atom: n.Atom, exact: bool = False) -> Code:
        """The same as a name or a number, which may be written more than once."""
        if isinstance(atom, n.Var) and atom.name in self._pending and not self._pending[atom.name][1].is_simple:
            self._declare_pending(atom.name)
        return self.value(atom, exact)

    def alternative(self, atom: n.Atom) -> Code:
        """One of the two values of a choice."""
        return self.value(atom, exact=True)

    def view(self, var: n.Var) -> ViewCode:
        """The C names of a view's pointer, extents and strides."""
        return self.views[var.name]

    def declare(self, name: str, c_type: str, value: str | None = None) -> str:
        """Declare a C variable with a fresh name, and give the name."""
        identifier = self.module.identifiers.fresh(name)
        self._declare_as(identifier, c_type, value)
        return identifier

    def declare_array(self, name: str, c_type: str, count: int) -> str:
        """Declare a C array with a fresh name, and give the name."""
        identifier = self.module.identifiers.fresh(name)
        self.declared[identifier] = f"{c_type} *"
        self.lines.add(f"{c_type} {identifier}[{count}];")
        return identifier

    def _declare_as(self, identifier: str, c_type: str, value: str | None = None) -> None:
        self.declared[identifier] = c_type
        space = "" if c_type.endswith("*") else " "
        self.lines.add(f"{c_type}{space}{identifier}{'' if value is None else ' = ' + value};")

    def bind(self, var: n.Var, code: Code) -> None:
        """Give a variable the value of an expression: written at its only use, or in a C variable."""
        if code.is_simple and not code.loads:
            self.atoms[var.name] = code
        elif var in self.counters:
            self.name(var, code.text)
        elif self.facts.is_used_once_in(var.name, self._blocks[-1]) and len(code.text) < LINE_WIDTH - 30:
            self._pending[var.name] = (var, code)
        else:
            self.name(var, code.text)

    def name(self, var: n.Var, value: str | None = None) -> str:
        """Declare the C variable of a scalar variable, and give its name."""
        identifier = self.module.identifiers.of(var.name)
        if identifier in self.declared:
            identifier = self.module.identifiers.fresh(var.name)
        self._declare_as(identifier, self.variable_type(var), value)
        self.atoms[var.name] = Code(identifier)
        return identifier

    def variable_type(self, var: n.Var) -> str:
        """The C type of the variable of one that is no view."""
        return self.type_name(var.type)

    def is_narrow(self, var: n.Var) -> bool:
        """Whether a variable is an index whose C type has 32 bits."""
        return False

    def type_name(self, type: Type) -> str:
        """The C type of a variable that is no view."""
        if isinstance(type, View):
            raise InternalError(f"a {type} is no scalar")
        return self.dialect.type_name(type)

    def _declare_pending(self, name: str) -> None:
        var, code = self._pending.pop(name)
        self.name(var, code.text)

    def settle_loads(self) -> None:
        """Evaluate the loads that were put off: memory is about to change."""
        for name in [k for k, (_, code) in self._pending.items() if code.loads]:
            self._declare_pending(name)

    def effect(self, text: str) -> None:
        """Add a statement that changes memory."""
        self.settle_loads()
        self.lines.add(text)

    # ------------------------------------------------------------------------------------------- faults

    def whole(self, function: str, operand: Code, site: Site) -> Code:
        """The int64 that `function` makes of a float, after the test whether there is one."""
        self.fail_if(call("float64_leaves_int64", operand), site, [operand])
        return call(function, operand)

    def fail_if(self, condition: Code, site: Site, operands: Sequence[Code]) -> None:
        """End the program with an exception where the condition holds."""
        with self.lines.braces(f"if ({self.unlikely(condition)})"):
            self.fail(site, operands)

    def inside(self, outside: Code, wrapped: Code, extent: Code, site: Site, operands: Sequence[Code]) -> Code:
        """An index after its test: `wrapped`, if `outside` does not hold."""
        self.fail_if(outside, site, operands)
        return wrapped

    def is_nonnegative(self, atom: n.Atom) -> bool:
        """Whether an integer is certainly 0 or more."""
        return self.facts.is_nonnegative(atom)

    def index_type(self, index: n.Atom) -> str:
        """The C type that the place of an index is computed in."""
        return "int64_t"

    def as_index(self, view: ViewCode, index: n.Atom, code: Code) -> Code:
        """An index that is inside of its axis of a view."""
        return code

    @property
    def from_end(self) -> str:
        """The function that turns an index from the end of an axis into one from its beginning."""
        return "from_end"

    def unlikely(self, condition: Code) -> str:
        """The condition, marked as one that hardly ever holds."""
        return f"UNLIKELY({condition.text})"

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """End the program with an exception."""
        raise NotImplementedError

    def site_with_counters(self, site: Site, operands: Sequence[Code]) -> tuple[int, list[tuple[Scalar, Code]]]:
        """The number of a site, and the typed operands of the fault: its own and the counters of the loops around."""
        room = OPERANDS - len(operands)
        counters = self.counters[-room:] if room > 0 else ()
        types = (*site.operands, *(PYINT for _ in counters))
        values = (*operands, *(self.atoms[c.name] for c in counters))
        names = tuple(c.stem for c in counters)
        number = self.module.sites.number(replace(site, operands=types, counters=names))
        return number, list(zip(types, values, strict=True))

    def is_misread(self, node: n.Binary) -> bool:
        """Whether the compiler may compute something else than a difference, although it is told not to."""
        return False

    # ------------------------------------------------------------------------------------------- blocks

    def block(self, block: n.Block) -> None:
        """Print the statements of a block; its yields can be evaluated afterwards, until `close` is called."""
        self.open_block(block)
        for statement in block.statements:
            self.statement(statement)

    def open_block(self, block: n.Block) -> None:
        """Enter a block without printing it."""
        self._blocks.append(block)

    def close(self) -> None:
        """Leave the block that `block` opened: memory that was allocated in it is released."""
        block = self._blocks.pop()
        self.release_block(block)

    def release_block(self, block: n.Block) -> None:
        """Release the memory that was allocated in a block and does not escape it."""

    def statement(self, statement: n.Statement) -> None:
        """Print a statement."""
        self._at(getattr(statement, "location", self.location))
        getattr(self, f"print_{type(statement).__name__}")(statement)

    def _at(self, location: Location) -> None:
        self.location = location
        if location.line and location.line != self._line:
            self._line = location.line
            self.lines.note(f"/* {_place(location)} */")

    @contextmanager
    def apart(self) -> Iterator[Lines]:
        """Collect the lines that are printed meanwhile, one step further in."""
        outer, self.lines = self.lines, Lines(self.lines.depth + 1)
        line = self._line
        try:
            yield self.lines
        finally:
            self.lines = outer
            self._line = line

    # -------------------------------------------------------------------------------------- assignments

    def parts(self, atom: n.Atom, tracked: bool = False, exact: bool = False) -> list[Code]:
        """The C expressions that an atom consists of: one for a number; pointer, extents and strides for a view."""
        if isinstance(atom.type, View):
            assert isinstance(atom, n.Var)
            return self.view(atom).parts(atom.type, tracked)
        return [self.value(atom, exact)]

    def carry(self, var: n.Var, inits: Sequence[Code] | None, tracked: bool = False) -> list[str]:
        """Declare C variables for a variable that is assigned more than once, and give their names."""
        if not isinstance(var.type, View):
            return [self.name(var, None if inits is None else inits[0].text)]
        name = self.module.identifiers.fresh(var.name)
        view = ViewCode.named(name, var.type, tracked, self._is_packed(var))
        types = view.part_types(self.dialect, var.type, tracked)
        names = [part.text for part in view.parts(var.type, tracked)]
        for k, (part, c_type) in enumerate(zip(names, types, strict=True)):
            self._declare_as(part, c_type, None if inits is None else inits[k].text)
        self.views[var.name] = view
        return names

    def part_names(self, var: n.Var, tracked: bool) -> Sequence[object]:
        """As many things as `carry` declares variables."""
        return ViewCode.empty(var.type).parts(var.type, tracked) if isinstance(var.type, View) else (var,)

    def _is_packed(self, var: n.Var) -> bool:
        return bool(self.facts.roots(var) & self.packed_roots)

    packed_roots: frozenset[str] = frozenset()

    def assign(self, targets: Sequence[str], values: Sequence[Code]) -> None:
        """Assign several variables at once: no value sees what was assigned before it."""
        pairs = [(t, v.text) for t, v in zip(targets, values, strict=True) if t != v.text]
        late: list[tuple[str, str]] = []
        for k, (target, value) in enumerate(pairs):
            if any(target in words(v) for _, v in pairs[k + 1 :]):
                fresh = self.module.identifiers.fresh(f"next_{target}")
                self._declare_as(fresh, self._type_of(target), value)
                late.append((target, fresh))
            else:
                self.lines.add(_assignment(target, value))
        for target, value in late:
            self.lines.add(f"{target} = {value};")

    def _type_of(self, identifier: str) -> str:
        return self.declared[identifier]

    # ----------------------------------------------------------------------------------------- branches

    def print_If(self, branch: n.If) -> None:
        """Print a branch; one without statements becomes a conditional expression."""
        condition = self.value(branch.condition)
        self.settle_loads()
        tracked = [self._is_tracked(r) for r in branch.results]
        then, then_lines = self._side(branch.then, branch.results)
        orelse, orelse_lines = self._side(branch.orelse, branch.results)
        if not then_lines and not orelse_lines and not any(isinstance(r.type, View) for r in branch.results):
            self._bind_choices(branch, condition, then, orelse)
            return
        pairs = zip(branch.results, tracked, strict=True)
        targets = [name for result, is_tracked in pairs for name in self.carry(result, None, is_tracked)]
        self._print_sides(condition, targets, (then, then_lines), (orelse, orelse_lines))

    def _side(self, block: n.Block, results: Sequence[n.Var]) -> tuple[list[Code], list[str]]:
        """The values that a block yields, and the lines that compute them."""
        with self.apart() as lines:
            self.block(block)
            pairs = zip(block.yields, results, strict=True)
            parts = (self.parts(y, self._is_tracked(r), exact=not self.is_narrow(r)) for y, r in pairs)
            values = [part for group in parts for part in group]
            self.close()
        return values, lines.items

    def _is_tracked(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Var) and isinstance(atom.type, View) and self.facts.may_escape(atom)

    def _bind_choices(self, branch: n.If, condition: Code, then: list[Code], orelse: list[Code]) -> None:
        if len(branch.results) > 1 and not condition.is_simple:
            condition = Code(self.declare("condition", "bool", condition.text))
        for result, a, b in zip(branch.results, then, orelse, strict=True):
            self.bind(result, choice(condition, a, b))

    def _print_sides(self, condition: Code, targets: list[str], then: Side, orelse: Side) -> None:
        if not then[1] and not targets:
            condition, then, orelse = Code(f"!({condition.text})"), orelse, then
        with self.lines.braces(f"if ({condition.text})"):
            self._print_side(targets, then)
        if orelse[1] or targets:
            with self.otherwise():
                self._print_side(targets, orelse)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """The other side of the branch that was printed last."""
        self.lines.items[-1] += " else {"
        with self.lines.indented():
            yield
        self.lines.add("}")

    def _print_side(self, targets: list[str], side: Side) -> None:
        self.lines.extend(side[1])
        self.assign(targets, side[0])

    # -------------------------------------------------------------------------------------------- loops

    def print_For(self, loop: n.For) -> None:
        """Print a loop whose iterations run one after the other."""
        start, stop = self.loop_bounds(loop)
        targets = self.carry_in(loop)
        self.settle_loads()
        index = self.open_index(loop)
        self.iterations(loop, index, start, stop, targets)
        self.bind_results(loop, targets)

    def iterations(self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str]) -> None:
        """Print the iterations from a first one to an end."""
        for pragma in self.loop_pragmas(loop):
            self.lines.add(pragma)
        with self.lines.braces(self.for_head(loop, index, start, stop)):
            self.iteration(loop, targets)

    def loop_bounds(self, loop: n.For) -> tuple[Code, Code]:
        """Start and stop of a loop, such that stop may be evaluated many times."""
        start = self.value(loop.start)
        stop = self.value(loop.stop)
        if stop.loads or stop.precedence <= ORDER or len(stop.text) > 40 or "(" in stop.text:
            type = self.variable_type(loop.stop) if isinstance(loop.stop, n.Var) else self.type_name(loop.stop.type)
            stop = Code(self.declare(f"{loop.index.stem}_stop", type, stop.text))
        return start, stop

    def for_head(self, loop: n.For, index: str, start: Code, stop: Code) -> str:
        """The head of a C loop."""
        return f"for ({self.variable_type(loop.index)} {index} = {start.text}; {index} < {stop.text}; {index}++)"

    def open_index(self, loop: n.For) -> str:
        """The C name of a loop's index."""
        index = self.module.identifiers.fresh(loop.index.name)
        self.declared[index] = self.variable_type(loop.index)
        self.atoms[loop.index.name] = Code(index)
        return index

    def loop_pragmas(self, loop: n.For) -> Sequence[str]:
        """What stands before a loop for the compiler to read."""
        return ()

    def carry_in(self, loop: n.For | n.While) -> list[str]:
        """Declare what a loop carries with its initial values, and give the C names of all parts."""
        targets = []
        for arg in loop.args:
            tracked = self._is_tracked(arg.var)
            targets += self.carry(arg.var, self.parts(arg.init, tracked), tracked)
        return targets

    def iteration(self, loop: n.For, targets: list[str]) -> None:
        """Print one iteration: the body, the assignment of what is carried, the exit."""
        with self.counting(loop):
            self.before_iteration(loop)
            self.block(loop.body)
            self.carry_over(loop, targets)
            self.close()
            self.after_iteration(loop)
        if loop.exit is not None:
            alive = self.atoms[loop.args[loop.exit].var.name]
            self.lines.add(f"if (!{alive.text}) break;")

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Print what comes before the body of each iteration."""

    def before_while(self, loop: n.While) -> None:
        """Print what comes before the head of a while loop."""

    def after_iteration(self, loop: n.For | n.While) -> None:
        """Print what comes after the body of each iteration."""

    def carry_over(self, loop: n.For | n.While, targets: list[str]) -> None:
        """Assign what a loop carries into its next iteration."""
        tracked = [self._is_tracked(a.var) for a in loop.args]
        values = [p for y, t in zip(loop.body.yields, tracked, strict=True) for p in self.parts(y, t)]
        self.settle_loads()
        self.assign(targets, values)

    def bind_results(self, loop: n.For | n.While, targets: list[str]) -> None:
        """After a loop, its results are what it carried last."""
        for arg, result in zip(loop.args, loop.results, strict=True):
            if isinstance(result.type, View):
                self.views[result.name] = self.views[arg.var.name]
            else:
                self.atoms[result.name] = self.atoms[arg.var.name]

    @contextmanager
    def counting(self, loop: n.For) -> Iterator[None]:
        """Remember the user's loop variable for faults inside."""
        before = self.counters
        counter = _counter(loop)
        if counter is not None:
            self.counters = (*before, counter)
        try:
            yield
        finally:
            self.counters = before

    def print_While(self, loop: n.While) -> None:
        """Print a loop whose condition is evaluated before each iteration."""
        targets = self.carry_in(loop)
        self.settle_loads()
        self.rounds(loop, targets)
        self.bind_results(loop, targets)

    def rounds(self, loop: n.While, targets: list[str]) -> None:
        """Print all iterations of such a loop."""
        with self.apart() as lines:
            self.block(loop.condition)
            condition = self.value(loop.condition.yields[0])
            self.close()
        self.before_while(loop)
        with self.lines.braces(f"while ({condition.text})" if not lines.items else "for (;;)"):
            if lines.items:
                self.lines.extend(lines.items)
                self.lines.add(f"if (!{condition.inside(12)}) break;")
            self.before_iteration(loop)
            self.block(loop.body)
            self.carry_over(loop, targets)
            self.close()
            self.after_iteration(loop)

    # ------------------------------------------------------------------------------------- other statements

    def print_Let(self, let: n.Let) -> None:
        """Print a definition."""
        rule = EXPRESSIONS.get(type(let.value))
        if rule is None:
            raise InternalError(f"{self.dialect.language}: no rule for {type(let.value).__name__}")
        code = rule(self, let.var, let.value)
        if code is not None and self.facts.uses.get(let.var.name):
            self.bind(let.var, code)

    def element(self, view: n.Var, place: Code) -> Code:
        """The value of the element of an array at a place."""
        return place

    def print_Store(self, store: n.Store) -> None:
        """Print an assignment of an element."""
        elements.store(self, store)

    def print_Update(self, update: n.Update) -> None:
        """Print an assignment that combines an element with a value."""
        elements.update(self, update)

    def print_Raise(self, statement: n.Raise) -> None:
        """Print an exception that the program raises."""
        operands = [self.value(a) for a in statement.operands[:OPERANDS]]
        types = tuple(a.type for a in statement.operands[:OPERANDS] if isinstance(a.type, Scalar))
        message = statement.message if len(statement.operands) <= OPERANDS else shortened(statement.message)
        site = Site(statement.exception, message, types, statement.location, other=statement.other)
        self.fail(site, operands)

    def clamped(self, index: Code, extent: Code, outside: Code, site: Site) -> Code:
        """An index forced inside its axis; that it was outside is told in the end."""
        raise NotImplementedError

    def before_store(self, node: n.Store | n.Update, place: Code) -> None:
        """Print what comes before an assignment to an element whose place was tested."""

    def combine_in_memory(self, node: n.Update, place: Code, value: Code) -> None:
        """Print ``place = place op value``."""
        raise NotImplementedError

    def vector_store(self, store: n.Store) -> None:
        """Print an assignment of several elements."""
        raise InternalError(f"{self.dialect.language} has no vectors")

    def undefined(self, type: Type) -> Code:
        """Any value of a type."""
        return Code("0")

    def alloc(self, var: n.Var, value: n.Alloc) -> None:
        """Print the allocation of an array."""
        raise NotImplementedError

    def aligned(self, value: n.Aligned) -> Code:
        """Whether an array is aligned: code for the processor does not ask."""
        raise InternalError(f"{self.dialect.language} does not ask for alignment")

    def room(self, value: n.Room) -> Code:
        """How many more bytes a memory takes: only the host asks."""
        raise InternalError(f"{self.dialect.language} does not ask for room")

    def vector(self, var: n.Var, value: n.Expression) -> Code:
        """Print an expression on vectors."""
        raise InternalError(f"{self.dialect.language} has no vectors")


def _counter(loop: n.For) -> n.Var | None:
    """The user's loop variable: the index of the loop, or what the first statement of its body makes of that."""
    first = loop.body.statements[:1] if block_may_raise(loop.body) else ()
    candidates = (loop.index, *(s.var for s in first if isinstance(s, n.Let)))
    stem = loop.label.partition("@")[0].partition(".")[0]
    return next((v for v in candidates if v.type == PYINT and v.stem == stem), None)


def _assignment(target: str, value: str) -> str:
    """``s = s + x`` is written ``s += x`` where that is the same."""
    match = re.fullmatch(rf"{re.escape(target)} ([-+*]) ([\w.]+|[\w.]+\[[\w+\- ]+\])", value)
    return f"{target} {match[1]}= {match[2]};" if match else f"{target} = {value};"


def _place(location: Location) -> str:
    """The line of a location, and of the calls that led there."""
    return ", called from ".join(f"line {place.line}" for place in location.chain() if place.line)


def _undefined(printer: Printer, var: n.Var, value: n.Undefined) -> Code | None:
    if isinstance(var.type, View):
        printer.views[var.name] = ViewCode.undefined(printer.dialect, var.type)
        return None
    return printer.undefined(var.type)


Rule = Callable[[Any, n.Var, Any], "Code | None"]

EXPRESSIONS: dict[type, Rule] = {
    n.Unary: arithmetic.unary,
    n.Binary: arithmetic.binary,
    n.Compare: arithmetic.compare,
    n.Select: arithmetic.select,
    n.Fma: arithmetic.fma,
    n.Cast: conversions.cast,
    n.Math: mathematics.math,
    n.Native: mathematics.native,
    n.Load: elements.load,
    n.Dim: elements.dim,
    n.Subview: elements.subview,
    n.Transpose: elements.transpose,
    n.Split: elements.split,
    n.Mergeable: elements.mergeable,
    n.Merge: elements.merge,
    n.FieldView: elements.field_view,
    n.Alloc: lambda printer, var, value: printer.alloc(var, value),
    n.Undefined: _undefined,
    n.Lanes: lambda printer, var, value: printer.vector(var, value),
    n.Broadcast: lambda printer, var, value: printer.vector(var, value),
    n.ReduceLanes: lambda printer, var, value: printer.vector(var, value),
    n.RunningLanes: lambda printer, var, value: printer.vector(var, value),
    n.Lane: lambda printer, var, value: printer.vector(var, value),
    n.Pack: lambda printer, var, value: printer.vector(var, value),
    n.Aligned: lambda printer, var, value: printer.aligned(value),
    n.Room: lambda printer, var, value: printer.room(value),
}
