"""Writes the outline of a program: Python code that says for given sizes what there is to do, see `weft.cost.work`.

Integers, extents and the trips of loops are computed as the program computes them; what depends on the elements of
arrays is unknown. Inside a nest the distinct elements that an access touches are counted as the points of the loops
that its indices depend on. Branches inside of nests count half each where both do something.

What a device's copies move is written from the program as it is placed there, by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.analysis.access.tensor_contraction import contraction
from weft.cost.work import CHAINED, DIVISION, FUNCTION, PRODUCT, SIMPLE, UNKNOWN_TRIPS, ArrayUse, Outline
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.reference.memories import HOST
from weft.ir.types import Scalar, Type, Vector, View
from weft.ir.visit import atoms_of, blocks_of, launches_in, walk
from weft.plan.kernels import why_host
from weft.plan.pins import Pins
from weft.plan.place import place
from weft.plan.prepare.undo_tiling import untiled
from weft.plan.transfers.memory_spaces import is_device, without_kernels

_DIRECT = {"add": "+", "sub": "-", "mul": "*"}
_CALLS = {
    "floordiv": "quotient", "mod": "remainder", "min": "least", "max": "greatest", "and": "both", "or": "either",
}  # fmt: skip
_CHEAP = frozenset({"fabs", "absolute", "floor", "ceil", "trunc", "rint", "real", "imag", "square", "copysign"})

SHARERS = 32
"""Iterations of a reduction inside of a nest that may run at once: it is shared by a few threads at most."""

CALL = 20
"""Simple operations that a call of a helper counts as."""

ACCESS = 0.25
"""What an access of an element counts as: processors load and store beside their arithmetic, several at a time. What
memory takes beyond that is counted by its bytes."""


def outline(program: n.Program, device: str) -> Outline:
    """The outline of a program.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    device
        A name such as ``cuda``: whose kernels are told from what the host does; ``cpu`` has none.
    """
    moved = "" if device == "cpu" else _moved(program, device)
    program = program if device == "cpu" else untiled(program)
    writer = _Writer(program, device)
    writer.block(program.body, "1")
    for atom in program.body.yields:
        writer.returned(atom)
    names = [writer.names[p.var.name] for p in program.params]
    code = "\n    ".join([f"def work({', '.join(('w', *names))}):", *writer.lines, "return"]) + "\n"
    pinned = any(pin.device != "cpu" for pin in program.pins)
    return Outline(code + moved, tuple(p.source for p in program.params), tuple(writer.arrays()), pinned)


def _moved(program: n.Program, device: str) -> str:
    """The code of what is copied; nothing where there are no kernels, or the program is refused."""
    try:
        placed = without_kernels(place(program, device).program)
    except UnsupportedError:
        return ""
    writer = _Writer(placed, device)
    writer.block(placed.body, "1")
    names = [writer.names[p.var.name] for p in placed.params]
    return "\n    ".join([f"def moved({', '.join(('w', *names))}):", *writer.lines, "return"]) + "\n"


@dataclass
class _Inside:
    """What was seen of a nest so far.

    The trips of its loops, how often operations are done, what accesses touch, products of trips that may run at once,
    the loops whose iterations may, and how many loops around the present place hand values on.
    """

    device: str
    points: dict[str, str] = field(default_factory=dict)
    operations: dict[tuple[str, str], float] = field(default_factory=dict)
    touched: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    widths: list[str] = field(default_factory=list)
    shared: frozenset[str] = frozenset()
    chains: int = 0
    products: int = 0


class _Writer:
    def __init__(self, program: n.Program, device: str) -> None:
        self.program, self.device = program, device
        self.functions = {f.name: f for f in program.functions}
        self.pins = Pins(program.pins, device, device)
        self.aliases = Aliases(Structure.of(program), program.overlaps)
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        self.depends: dict[str, frozenset[str]] = {}
        self.depth = 0
        self.params = {p.var.name: k for k, p in enumerate(program.params)}
        self.faults = {var.name for s in launches_in(program.body) for var in s.results}
        self.kernels = {loop.label for loop in _loops(program.body) if self.is_kernel(loop)}
        products = (contraction(loop, self.aliases) for loop in _loops(program.body))
        self.sums = {product.fold.label for product in products if product is not None}
        self.on_device = self.roots_of(loop for loop in _loops(program.body) if loop.label in self.kernels)
        for name in self.params:
            self.names[name] = f"v{len(self.names)}"

    # ------------------------------------------------------------------------------------------------- what is where

    def is_kernel(self, loop: n.For) -> bool:
        """Whether a loop becomes a kernel, if no loop around it does."""
        able = self.device != "cpu" and loop.mapping in ("parallel", "turns") and self.pins.why_host(loop) is None
        return able and why_host(loop, self.functions, self.device) is None

    def roots_of(self, loops: Iterable[n.For]) -> frozenset[str]:
        """The arrays that loops touch."""
        views = (v for loop in loops for v in _views(loop.body) if v.name in self.aliases.structure.definitions)
        return frozenset().union(*(self.aliases.roots(view) for view in views))

    def arrays(self) -> Iterable[ArrayUse]:
        """The array arguments that kernels touch; those that anything touches where there are no kernels."""
        read, written = self.effects()
        touched = self.on_device if self.device != "cpu" else read | written
        for k, param in enumerate(self.program.params):
            name, type_ = param.var.name, param.var.type
            if isinstance(type_, View) and name in touched:
                yield ArrayUse(k, str(param.source), type_.element.size, name in read, name in written)

    def effects(self) -> tuple[frozenset[str], frozenset[str]]:
        """Parameters whose elements are needed as they were, and those that are changed."""
        read: set[str] = set()
        written: set[str] = set()
        bodies = (self.program.body, *(f.body for f in self.program.functions))
        for body in bodies:
            self.note_effects(body, False, read, written)
        return frozenset(read), frozenset(written)

    def note_effects(self, block: n.Block, guarded: bool, read: set[str], written: set[str]) -> None:
        """Note what a block does with arrays; a store that may be left out leaves what was there."""
        for statement in block.statements:
            if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
                read |= self.known_roots(statement.value.view)
            elif isinstance(statement, (n.Store, n.Update)):
                written |= self.known_roots(statement.view)
                if guarded or isinstance(statement, n.Update):
                    read |= self.known_roots(statement.view)
            elif isinstance(statement, (n.Call, n.External)):
                views = [a for a in atoms_of(statement) if isinstance(a, n.Var) and isinstance(a.type, View)]
                for view in views:
                    read |= self.known_roots(view)
                    written |= self.known_roots(view)
            for inner in blocks_of(statement):
                self.note_effects(inner, guarded or isinstance(statement, n.If), read, written)

    def known_roots(self, view: n.Var) -> frozenset[str]:
        """The arrays behind a view; none for the parameters of helpers."""
        return self.aliases.roots(view) if view.name in self.aliases.structure.definitions else frozenset()

    # ------------------------------------------------------------------------------------------------- writing code

    def put(self, line: str) -> None:
        """Write a line at the present depth."""
        self.lines.append("    " * self.depth + line)

    def set(self, var: n.Var, text: str) -> str:
        """Give a variable a value."""
        name = self.names.setdefault(var.name, f"v{len(self.names)}")
        self.put(f"{name} = {text}")
        return name

    def temporary(self, text: str) -> str:
        """A new name for a value."""
        name = f"t{len(self.lines)}"
        self.put(f"{name} = {text}")
        return name

    def text(self, atom: n.Atom) -> str:
        """An atom: a number, a name, or that it is not known."""
        if isinstance(atom, n.Const):
            return repr(int(atom.value)) if isinstance(atom.value, (bool, int)) else "unknown"
        if atom.name in self.names:
            return self.names[atom.name]
        return _nothing_of(atom.type)

    # ------------------------------------------------------------------------------------------------- outside of nests

    def block(self, block: n.Block, times: str) -> None:
        """Write a block of the host that runs `times` times."""
        operations: dict[str, float] = {}
        shared = 0
        for statement in block.statements:
            if isinstance(statement, (n.For, n.While, n.If)):
                self.statement(statement, times)
                continue
            for kind, number in _operations(statement).items():
                operations[kind] = operations.get(kind, 0) + number
            shared += self.shared(statement)
            if isinstance(statement, n.Let):
                self.let(statement)
                self.makes(statement)
            elif isinstance(statement, n.Copy):
                self.copy(statement, times)
        if operations:
            self.put(f"w.nest({times}, 1, {operations}, {shared}, False, False, {shared})")

    def statement(self, statement: n.For | n.While | n.If, times: str) -> None:
        """Write a statement with blocks."""
        if isinstance(statement, n.If):
            self.branch(statement, times)
        elif isinstance(statement, n.While):
            self.rounds(statement, times)
        elif statement.label in self.kernels or statement.mapping in ("parallel", "turns"):
            self.nest(statement, times)
        else:
            self.loop(statement, times)

    def shared(self, statement: n.Statement) -> int:
        """Bytes of an array that kernels touch too which a statement of the host touches."""
        view = _accessed(statement)
        if view is None or self.aliases.roots(view).isdisjoint(self.on_device):
            return 0
        assert isinstance(view.type, View)
        return view.type.element.size

    def let(self, let: n.Let) -> None:
        """Write what gives a variable its value, where that is known."""
        text = self.value(let.value, let.var.type)
        if text is not None:
            self.set(let.var, text)

    def makes(self, let: n.Let) -> None:
        """Write that the program makes an array."""
        if isinstance(let.value, n.Alloc):
            self.put(f"w.makes({let.location.line}, {self.text(let.var)}, {let.value.element.size})")

    def copy(self, copy: n.Copy, times: str) -> None:
        """Write a copy between the host and the device."""
        inwards = copy.source == HOST
        if not is_device(copy.target if inwards else copy.source) or not (inwards or copy.target == HOST):
            return
        whole = self.aliases.handle(copy.view)
        roots = [self.params[root] for root in sorted(self.aliases.roots(copy.view)) if root in self.params]
        name = str(self.program.params[min(roots)].source) if roots else ""
        assert isinstance(whole.type, View)
        boxes = f"{self.text(copy.view)}, {self.text(whole)}, {whole.type.element.size}"
        self.put(f"w.copy({times}, {name!r}, {inwards}, {boxes})")

    def loop(self, loop: n.For, times: str) -> None:
        """Write a loop of the host."""
        start, stop = self.text(loop.start), self.text(loop.stop)
        inner = self.temporary(f"{times} * w.trips({start}, {stop})")
        self.set(loop.index, f"w.middle({start}, {stop})")
        for arg in loop.args:
            self.set(arg.var, self.carried(arg))
        self.block(loop.body, inner)
        for arg, result in zip(loop.args, loop.results, strict=True):
            self.set(result, self.carried(arg))

    def carried(self, arg: n.LoopArg) -> str:
        """What is known of a value that changes from one iteration to the next: arrays keep their extents."""
        return self.text(arg.init) if isinstance(arg.var.type, View) else "unknown"

    def branch(self, branch: n.If, times: str) -> None:
        """Write both sides of a branch."""
        for result in branch.results:
            self.set(result, _nothing_of(result.type))
        side, inner = f"s{len(self.lines)}", f"n{len(self.lines)}"
        self.put(f"for {inner}, {side} in w.sides({times}, {self.text(branch.condition)}, {self.usual(branch)}):")
        self.depth += 1
        for condition, block in ((f"if {side}:", branch.then), ("else:", branch.orelse)):
            self.put(condition)
            self.depth += 1
            self.block(block, inner)
            for result, atom in zip(branch.results, block.yields, strict=True):
                self.set(result, self.text(atom))
            self.put("pass")
            self.depth -= 1
        self.depth -= 1

    def usual(self, branch: n.If) -> bool | None:
        """The side of a branch on which loops are parallel that stand by on the other, and that does not just raise.

        No kernel fails, as a rule.
        """
        if isinstance(branch.condition, n.Var) and branch.condition.name in self.faults:
            return False
        sides = [_parallel_places(block) for block in (branch.then, branch.orelse)]
        others = [{loop.location for loop in _loops(block)} for block in (branch.then, branch.orelse)]
        if sides[0] & (others[1] - sides[1]):
            return True
        if sides[1] & (others[0] - sides[0]):
            return False
        raises = [any(isinstance(s, n.Raise) for s in block.statements) for block in (branch.then, branch.orelse)]
        return raises[1] if raises[0] != raises[1] else None

    def rounds(self, loop: n.While, times: str) -> None:
        """Write a ``while`` loop, with the number that ends it where there is one."""
        rounds = self.temporary(f"w.rounds({times})")
        for arg in loop.args:
            self.set(arg.var, self.text(arg.init))
        inner = f"n{len(self.lines)}"
        self.put(f"for {inner} in {rounds}:")
        self.depth += 1
        self.block(loop.condition, inner)
        counter = _counter(loop)
        bound = self.temporary(self.text(counter[1])) if counter else ""
        self.block(loop.body, inner)
        after = [self.text(atom) for atom in loop.body.yields]
        if counter:
            place = counter[0]
            self.put(f"{rounds}.note({self.names[loop.args[place].var.name]}, {after[place]}, {bound})")
        if loop.args:
            names = ", ".join(self.names[arg.var.name] for arg in loop.args)
            self.put(f"{names} = {', '.join(after)}")
        self.depth -= 1
        for place, (arg, result) in enumerate(zip(loop.args, loop.results, strict=True)):
            known = counter is not None and place == counter[0]
            self.set(result, f"{rounds}.last()" if known else self.carried(arg))

    def returned(self, atom: n.Atom) -> None:
        """Write that the program gives a new array."""
        if not isinstance(atom, n.Var) or not isinstance(atom.type, View):
            return
        if not any(root in self.params for root in self.aliases.roots(atom)):
            self.put(f"w.returns({self.text(atom)}, {atom.type.element.size})")

    # ------------------------------------------------------------------------------------------------- nests

    def nest(self, loop: n.For, times: str) -> None:
        """Write a nest whose outermost loop is parallel."""
        seen = _Inside(self.device)
        kernel = loop.label in self.kernels
        self.inside(loop, "1", "1", seen)
        operations = self.temporary(_dictionary(seen.operations))
        bytes = self.temporary(_sum(text for text, _ in seen.touched.values()))
        width = self.temporary(f"max({', '.join(seen.widths)}, 0)")
        shared = bytes if not kernel and self.roots_of([loop]) & self.on_device else "0"
        waits = kernel and (bool(loop.args) or block_may_raise(n.Block((loop,))))
        self.put(f"w.nest({times}, {width}, {operations}, {bytes}, {kernel}, {waits}, {shared})")
        for result in loop.results:
            self.set(result, _nothing_of(result.type))

    def inside(self, loop: n.For, times: str, width: str, seen: _Inside) -> None:
        """Write a loop of a nest; `width` says how many iterations around it run at once, if they all do."""
        start, stop = self.text(loop.start), self.text(loop.stop)
        trips = self.temporary(f"w.trips({start}, {stop})")
        seen.points[loop.label] = trips
        inner = self.temporary(f"{times} * {trips}")
        self.set(loop.index, f"w.middle({start}, {stop})")
        self.depends[loop.index.name] = frozenset({loop.label})
        for arg in loop.args:
            self.set(arg.var, self.carried(arg))
        if loop.mapping == "parallel" and width and not loop.args:
            seen.shared |= {loop.label}
        if loop.mapping in ("parallel", "turns") and width:
            at_once = f"w.least({trips}, {SHARERS})" if loop.args and width != "1" else trips
            width = self.temporary(f"{width} * {at_once}")
            seen.widths.append(width)
        elif self.is_shared(loop):
            width = self.temporary(f"{width or 1} * {trips}")
            seen.widths.append(width)
        else:
            width = ""
        chained = any(arg.combine is None and isinstance(arg.var.type, Scalar) for arg in loop.args)
        chained = chained and loop.mapping != "turns" and not self.is_shared(loop)
        seen.chains += chained
        seen.products += loop.label in self.sums
        self.statements(loop.body, inner, width, seen)
        seen.products -= loop.label in self.sums
        seen.chains -= chained
        for result in loop.results:
            self.set(result, _nothing_of(result.type))

    def is_shared(self, loop: n.For) -> bool:
        """Whether the threads of blocks share the iterations of a loop, and hand on what it carries."""
        return loop.mapping == "turns" and self.device != "cpu"

    def statements(self, block: n.Block, times: str, width: str, seen: _Inside) -> None:
        """Write the statements of a nest."""
        for statement in block.statements:
            for kind, number in _operations(statement).items() if not self.is_reused(statement, seen) else ():
                simple = PRODUCT if seen.products else CHAINED if seen.chains else SIMPLE
                key = (kind.replace(SIMPLE, simple), times)
                seen.operations[key] = seen.operations.get(key, 0) + number
            if isinstance(statement, n.Let):
                self.depends[statement.var.name] = self.dependence(atoms_of(statement.value))
                self.let(statement)
            self.touch(statement, seen)
            if isinstance(statement, n.For):
                self.inside(statement, times, width, seen)
            elif isinstance(statement, n.While):
                again = self.temporary(f"{times} * {UNKNOWN_TRIPS}")
                seen.chains += 1
                for inner in blocks_of(statement):
                    self.statements(inner, again, "", seen)
                seen.chains -= 1
            elif isinstance(statement, n.If):
                self.sides(statement, times, width, seen)

    def sides(self, branch: n.If, times: str, width: str, seen: _Inside) -> None:
        """Write both sides of a branch in a nest; the only one that does something always runs."""
        busy = [b for b in blocks_of(branch) if any(not isinstance(s, n.Raise) for s in b.statements)]
        share = self.temporary(f"{times} / {len(busy)}") if len(busy) > 1 else times
        for block in busy:
            self.statements(block, share, width, seen)

    def dependence(self, atoms: Iterable[n.Atom]) -> frozenset[str]:
        """The loops of the nest in which values differ from iteration to iteration."""
        names = (atom.name for atom in atoms if isinstance(atom, n.Var))
        return frozenset().union(*(self.depends.get(name, frozenset()) for name in names))

    def is_reused(self, statement: n.Statement, seen: _Inside) -> bool:
        """Whether an element is loaded that serves several of the iterations that may run at once: from a register."""
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Load):
            return False
        return not seen.shared <= self.dependence(atoms_of(statement.value))

    def touch(self, statement: n.Statement, seen: _Inside) -> None:
        """Note the elements that an access touches: of several accesses of one kind to an array, those of the last."""
        view = _accessed(statement)
        if view is None or view.name not in self.aliases.structure.definitions:
            return
        assert isinstance(view.type, View)
        loops = self.dependence(atoms_of(statement.value if isinstance(statement, n.Let) else statement))
        points = " * ".join(["1", *(seen.points[label] for label in sorted(loops) if label in seen.points)])
        whole = self.aliases.handle(view)
        kind = "load" if isinstance(statement, n.Let) else "store"
        text = f"w.distinct({self.text(whole)}, {view.type.element.size}, {points})"
        known = seen.touched.get((whole.name, kind))
        if known is None or known[0] != text:
            joined = text if known is None else f"max({known[0]}, {text})"
            seen.touched[whole.name, kind] = (joined, points)

    # ------------------------------------------------------------------------------------------------- values

    def value(self, value: n.Expression, type_: Type) -> str | None:
        """An integer, a condition or the extents of an array as code; None for what outlines do not compute."""
        if isinstance(type_, View):
            return self.extents(value, type_)
        if not isinstance(type_, Scalar) or type_.kind not in "biu":
            return None
        if isinstance(value, n.Dim):
            return f"{self.text(value.view)}[{value.axis}]"
        if isinstance(value, n.Binary):
            return self.binary(value)
        if isinstance(value, n.Compare):
            return f"w.compared({value.op!r}, {self.text(value.left)}, {self.text(value.right)})"
        if isinstance(value, n.Select):
            return f"w.choice({', '.join(map(self.text, (value.condition, value.then, value.orelse)))})"
        if isinstance(value, n.Cast):
            return self.text(value.operand)
        if isinstance(value, n.Unary) and value.op == "neg":
            return f"-{self.text(value.operand)}"
        return "unknown"

    def binary(self, value: n.Binary) -> str:
        left, right = self.text(value.left), self.text(value.right)
        if value.op in _DIRECT:
            return f"{left} {_DIRECT[value.op]} {right}"
        return f"w.{_CALLS[value.op]}({left}, {right})" if value.op in _CALLS else "unknown"

    def extents(self, value: n.Expression, type_: View) -> str:
        """The extents of a view as a tuple."""
        if isinstance(value, n.Alloc):
            return _tuple([self.text(extent) for extent in value.shape])
        if isinstance(value, n.Subview):
            kept = [axis for axis in value.axes if axis is None or isinstance(axis, n.Slice)]
            return _tuple([self.text(axis.length) if axis is not None else "1" for axis in kept])
        if isinstance(value, n.Transpose):
            view = self.text(value.view)
            return _tuple([f"{view}[{axis}]" for axis in value.permutation])
        if isinstance(value, n.FieldView) and isinstance(value.view.type, View) and value.view.type.ndim == type_.ndim:
            return self.text(value.view)
        if isinstance(value, n.Split):
            view, axis = self.text(value.view), value.axis
            parts = _tuple([self.text(extent) for extent in value.extents])
            return f"({view}[:{axis}] + {parts} + {view}[{axis + 1}:])"
        if isinstance(value, n.Merge):
            view, axis = self.text(value.view), value.axis
            return f"({view}[:{axis}] + ({view}[{axis}] * {view}[{axis + 1}],) + {view}[{axis + 2}:])"
        return _nothing_of(type_)


def _loops(block: n.Block) -> Iterable[n.For]:
    return (s for s in walk(block) if isinstance(s, n.For))


def _parallel_places(block: n.Block) -> set[object]:
    return {loop.location for loop in _loops(block) if loop.mapping == "parallel"}


def _views(block: n.Block) -> Iterable[n.Var]:
    views = (_accessed(statement) for statement in walk(block))
    return (view for view in views if view is not None)


def _accessed(statement: n.Statement) -> n.Var | None:
    """The view of which a statement accesses an element."""
    if isinstance(statement, (n.Store, n.Update)):
        return statement.view
    value = statement.value if isinstance(statement, n.Let) else None
    return value.view if isinstance(value, n.Load) else None


def _counter(loop: n.While) -> tuple[int, n.Atom] | None:
    """Which argument a loop compares with what to find its end, where it does so."""
    defined = {s.var.name: s.value for s in loop.condition.statements if isinstance(s, n.Let)}
    (condition,) = loop.condition.yields
    test = defined.get(condition.name) if isinstance(condition, n.Var) else None
    places = {arg.var.name: place for place, arg in enumerate(loop.args)}
    if not isinstance(test, n.Compare):
        return None
    for one, other in ((test.left, test.right), (test.right, test.left)):
        if isinstance(one, n.Var) and one.name in places:
            return places[one.name], other
    return None


def _operations(statement: n.Statement) -> Mapping[str, float]:
    """What a statement by itself computes, by the kinds of `weft.cost.work`; index arithmetic is free."""
    if isinstance(statement, n.Call):
        return {f"{SIMPLE}64": CALL}
    if isinstance(statement, (n.Store, n.Update)):
        return {_kind(SIMPLE, statement.value.type): ACCESS + isinstance(statement, n.Update)}
    if not isinstance(statement, n.Let) or isinstance(statement.var.type, View):
        return {}
    value, type_ = statement.value, statement.var.type
    if isinstance(value, n.Load):
        return {_kind(SIMPLE, type_): ACCESS}
    weight = 3 if isinstance(type_, Scalar) and type_.kind == "c" else 1
    if isinstance(value, n.Math):
        cheap = SIMPLE if value.name in _CHEAP else DIVISION if value.name == "sqrt" else FUNCTION
        return {_kind(cheap, type_): weight}
    if isinstance(value, n.Native):
        return {_kind(FUNCTION, type_): 1}
    if isinstance(value, n.Binary) and value.op in ("truediv", "floordiv", "mod", "pow"):
        return {_kind(FUNCTION if value.op == "pow" else DIVISION, type_): weight}
    is_index = isinstance(type_, Scalar) and type_.weak and type_.kind in "bi"
    computes = isinstance(value, (n.Unary, n.Binary, n.Compare, n.Select, n.Cast, n.Fma))
    return {_kind(SIMPLE, type_): weight} if computes and not is_index else {}


def _kind(kind: str, type_: Type) -> str:
    element = type_.element if isinstance(type_, Vector) else type_
    size = element.size // (2 if element.kind == "c" else 1) if isinstance(element, Scalar) else 8
    return f"{kind}{32 if size <= 4 else 64}"


def _nothing_of(type_: Type) -> str:
    """What stands for a value of which nothing is known."""
    return _tuple(["unknown"] * type_.ndim) if isinstance(type_, View) else "unknown"


def _tuple(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms) or "0"


def _dictionary(operations: Mapping[tuple[str, str], float]) -> str:
    """Operations by kind, each with how often it is done."""
    terms: dict[str, list[str]] = {}
    for (kind, times), number in operations.items():
        terms.setdefault(kind, []).append(f"{number} * {times}")
    return "{" + ", ".join(f"{kind!r}: {_sum(parts)}" for kind, parts in terms.items()) + "}"
