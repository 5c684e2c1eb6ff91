"""Parallel loops that combine elements by key (``counts[key[i]] += 1``): each piece has copies of the array to itself.

It takes them in turns where the array is small (``weft_turns``). Copies start from the identity of the operator, and
are combined in the order of the pieces, whose number depends on sizes alone.
Where copies would cost more than they gain, or the loop also reads or writes the array, one thread runs it all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.analysis.termination.bounded import SOON, is_bounded
from weft.backends.c.reductions import OPERATORS, combined_parts, identity_of
from weft.backends.text.code import SUM, UNARY, Code
from weft.backends.text.printer_facts import ANY
from weft.backends.text.views import ViewCode
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, walk

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter


COPIES = 4
"""Copies that a piece takes in turns: an addition need not wait for the one before it to the same key."""

STRIP = 256
"""Iterations whose keys are tested together."""


@dataclass(frozen=True)
class Private:
    """An array that pieces have copies of: the variable outside the loop, the operator, and names in C."""

    var: n.Var
    op: str
    parts: str

    @property
    def element(self) -> Scalar:
        """The type of its elements."""
        assert isinstance(self.var.type, View) and isinstance(self.var.type.element, Scalar)
        return self.var.type.element


def updates_in(loop: n.For) -> list[n.Update]:
    """The updates in a loop, at any depth, without stores of one value (``assign``)."""
    return [s for s in walk(loop.body) if isinstance(s, n.Update) and s.op != "assign"]


def privates(printer: ParallelPrinter, loop: n.For) -> list[Private] | None:
    """The arrays that a loop combines by key; None where copies of them are not possible."""
    facts = printer.facts
    operators: dict[frozenset[str], set[str]] = {}
    for update in updates_in(loop):
        operators.setdefault(facts.roots(update.view), set()).add(update.op)
    outside = [v for v in _views_from_outside(loop) if v.name in printer.views]
    touched = frozenset().union(*(facts.roots(v) for v in _read_or_stored(loop)))
    found = []
    for roots, ops in operators.items():
        vars_ = [v for v in outside if facts.roots(v) & roots]
        if len(vars_) != 1 or len(ops) > 1 or ANY in roots | touched or roots & touched or not ops <= OPERATORS:
            return None
        view = vars_[0].type
        if not isinstance(view, View) or not isinstance(view.element, Scalar) or facts.roots(vars_[0]) != roots:
            return None
        fresh = printer.module.identifiers.fresh
        found.append(Private(vars_[0], ops.pop(), fresh(f"{fresh(vars_[0].name)}_parts")))
    return found


def _views_from_outside(loop: n.For) -> Iterator[n.Var]:
    inside = {s.var.name for s in walk(loop.body) if isinstance(s, n.Let)}
    seen: set[str] = set()
    for statement in walk(loop.body):
        for atom in atoms_of(statement):
            if isinstance(atom, n.Var) and isinstance(atom.type, View) and atom.name not in inside | seen:
                seen.add(atom.name)
                yield atom


def _read_or_stored(loop: n.For) -> Iterator[n.Var]:
    """Views that are used for anything but updates, extents, and other views."""
    for statement in walk(loop.body):
        if isinstance(statement, n.Update) and statement.op != "assign":
            continue
        value = statement.value if isinstance(statement, n.Let) else None
        if isinstance(value, (*VIEWS, n.Dim)):
            continue
        for atom in atoms_of(statement):
            if isinstance(atom, n.Var) and isinstance(atom.type, View):
                yield atom


def cells(view: ViewCode) -> str:
    """The number of elements of a view, as a C expression."""
    return " * ".join(extent.text for extent in view.shape) or "1"


def open_copy(child: ParallelPrinter, private: Private) -> None:
    """At the start of a piece: its own copies, with the identity in them; the array itself where there is one piece."""
    view = child.view(private.var)
    name = child.declare(f"{private.var.stem}_own", view.pointer_type(child.dialect), view.pointer)
    strides = [
        Code(child.declare(f"{private.var.stem}_own_s{axis}", "int64_t", stride.text))
        if not stride.text.isdigit()
        else stride
        for axis, stride in enumerate(view.strides)
    ]
    step = child.steps[name] = child.declare(f"{private.var.stem}_step", "int64_t", "0")
    with child.lines.braces("if (pieces > 1)"):
        room = child.declare(f"{private.var.stem}_room", "int64_t", f"weft_room({cells(view)})")
        child.lines.add(f"{step} = weft_turns({cells(view)}) > 1 ? {cells(view)} : 0;")
        child.lines.add(f"{name} = {private.parts} + part * {room};")
        value = identity_of(child, private.op, private.element)
        k = child.module.identifiers.fresh("k")
        child.lines.add(f"for (int64_t {k} = 0; {k} < {room}; {k}++) {name}[{k}] = {value.text};")
        inner = str(private.element.size)
        for axis in reversed(range(len(strides))):
            if not strides[axis].text.isdigit():
                child.lines.add(f"{strides[axis].text} = {inner};")
            inner = f"{view.shape[axis].text} * {inner}"
    child.views[private.var.name] = ViewCode(name, view.element, view.shape, tuple(strides), packed=view.packed)


def print_in_turns(child: ParallelPrinter, loop: n.For, index: str, found: list[Private]) -> Code:
    """Print the iterations of a piece such that they take the copies in turns; gives the first one that is left."""
    next_ = child.declare(f"{loop.index.stem}_next", "int64_t", "begin")
    strip = _Strip.of(loop)
    if strip is None and is_bounded(loop):
        _print_turns(child, loop, index, found, f"for (; end - {next_} >= {COPIES}; {next_} += {COPIES})", next_)
    elif strip is None:
        with child.lines.braces(f"while (end - {next_} >= {COPIES})"):
            child.before_piece(next_, block_may_raise(loop.body))
            left = f"{next_} + weft_left({next_}, end, {SOON})"
            stop = child.declare("strip_end", "int64_t", left)
            head = f"for (; {stop} - {next_} >= {COPIES}; {next_} += {COPIES})"
            _print_turns(child, loop, index, found, head, next_)
    else:
        _print_strips(child, loop, index, found, next_, strip)
    return Code(next_)


def _print_strips(
    child: ParallelPrinter, loop: n.For, index: str, found: list[Private], next_: str, strip: _Strip
) -> None:
    """Print strips without tests, and what runs the iterations of a strip whose keys are not all inside."""
    with child.lines.braces(f"while (end - {next_} >= {COPIES})"):
        if not is_bounded(loop):
            child.before_piece(next_, block_may_raise(loop.body))
        with child.lines.braces(f"if (end - {next_} >= {STRIP})"):
            strip.print(child, index, found, next_)
        stop = child.declare("strip_end", "int64_t", f"min_int64({next_} + {STRIP}, end)")
        _print_turns(child, loop, index, found, f"for (; {stop} - {next_} >= {COPIES}; {next_} += {COPIES})", next_)


def fold(child: ParallelPrinter, private: Private) -> None:
    """Put the copies of a piece that has got so far together in its first one."""
    name, step = _own_names(child, private)
    k = child.module.identifiers.fresh("k")
    with child.lines.braces(f"for (int64_t {k} = 0; {k} < {step}; {k}++)"):
        own, identity = Code(f"{name}[{k}]"), identity_of(child, private.op, private.element)
        for copy in range(1, COPIES):
            other = f"{name}[{k} + {copy} * {step}]" if copy > 1 else f"{name}[{k} + {step}]"
            value = combined_parts(child, private.op, own, Code(other), private.element)
            child.lines.add(f"{own.text} = {value.text};")
            child.lines.add(f"{other} = {identity.text};")


def _own_names(child: ParallelPrinter, private: Private) -> tuple[str, str]:
    """The C variables of a piece's copies, and of the distance between them: 0 where there is one piece."""
    own = child.view(private.var).pointer
    return own, child.steps[own]


def _print_turns(
    child: ParallelPrinter,
    loop: n.For,
    index: str,
    found: list[Private],
    head: str,
    first: str,
    asked: Sequence[str] = (),
) -> None:
    """Print a loop over groups of iterations, each of which takes another copy; what is `asked` for is brought near."""
    views, declared = dict(child.views), dict(child.declared)
    with child.lines.braces(head):
        for place in asked:
            child.lines.add(f"__builtin_prefetch(&{place});")
        child.lines.add(f"#pragma GCC unroll {COPIES}")
        with child.lines.braces(f"for (int lane = 0; lane < {COPIES}; lane++)"):
            child.lines.add(f"const int64_t {index} = {first} + lane;")
            for private in found:
                view = child.view(private.var)
                own, step = _own_names(child, private)
                c_type = view.pointer_type(child.dialect)
                turn = child.declare(f"{private.var.stem}_turn", c_type, f"{own} + lane * {step}")
                child.views[private.var.name] = replace(view, pointer=turn)
            child.iteration(loop, [])
    child.views, child.declared = views, declared


@dataclass(frozen=True)
class _Strip:
    """Iterations whose keys are computed and tested together, in vector code, and then used without a test.

    Attributes
    ----------
    loop
        The loop without what computes the keys, and without tests.
    keys
        What must be inside: integers as they are loaded.
    slice
        What computes them.
    tests
        For each test the position of its key, the view and the axis.
    """

    loop: n.For
    keys: tuple[n.Var, ...]
    slice: n.Block
    tests: tuple[tuple[int, n.Var, int], ...]

    @classmethod
    def of(cls, loop: n.For) -> _Strip | None:
        """The strip of a loop in which nothing but the keys can be wrong."""
        statements = loop.body.statements
        lets = {s.var.name: s for s in statements if isinstance(s, n.Let)}
        updates = [s for s in statements if isinstance(s, n.Update)]
        if any(u.op == "assign" for u in updates):
            return None
        if len(lets) + len(updates) < len(statements):
            return None
        keys: list[n.Var] = []
        tests: list[tuple[int, n.Var, int]] = []
        for update in (u for u in updates if u.bounds != "safe"):
            for axis, index in enumerate(update.indices):
                key = _narrowest(index, lets)
                if key is None:
                    return None
                keys += [] if key in keys else [key]
                tests.append((keys.index(key), update.view, axis))
        slice_ = n.Block(tuple(_needed(statements, {k.name for k in keys})))
        others = tuple(s for s in statements if not (isinstance(s, n.Let) and s.var in keys))
        safe = tuple(replace(s, bounds="safe") if isinstance(s, n.Update) else s for s in others)
        used = {a.name for s in safe if isinstance(s, n.Update) for a in atoms_of(s) if isinstance(a, n.Var)}
        body = n.Block((*_needed(safe, used), *(s for s in safe if isinstance(s, n.Update))))
        if not tests or block_may_raise(slice_) or block_may_raise(body):
            return None
        return cls(replace(loop, body=body), tuple(keys), slice_, tuple(tests))

    def print(self, child: ParallelPrinter, index: str, found: list[Private], first: str) -> None:
        """Print one strip, and what goes on with the next if all its keys are inside."""
        atoms, declared = dict(child.atoms), dict(child.declared)
        arrays = [child.declare_array("keys", child.type_name(k.type), STRIP) for k in self.keys]
        worst = [child.declare("most", _unsigned(k), "0") for k in self.keys]
        with child.lines.braces(f"for (int lane = 0; lane < {STRIP}; lane++)"):
            child.lines.add(f"const int64_t {index} = {first} + lane;")
            child.open_block(self.slice)
            for statement in self.slice.statements:
                child.statement(statement)
            for key, array, most in zip(self.keys, arrays, worst, strict=True):
                child.lines.add(f"{array}[lane] = {child.simple(key).text};")
                child.lines.add(f"{most} = {most} > ({_unsigned(key)}){array}[lane] ? {most} : {array}[lane];")
            child.close()
        tests = [f"{worst[k]} < (uint64_t){_reach(self.keys[k], child.view(v).shape[a])}" for k, v, a in self.tests]
        with child.lines.braces(f"if (LIKELY({' && '.join(tests)}))"):
            base = child.declare("strip_begin", "int64_t", first)
            stop = child.declare("strip_end", "int64_t", f"{first} + {STRIP}")
            for key, array in zip(self.keys, arrays, strict=True):
                child.atoms[key.name] = Code(f"{array}[{index} - {base}]")
            head = f"for (; {first} < {stop}; {first} += {COPIES})"
            _print_turns(child, self.loop, index, found, head, first, self._asked(child, first))
            child.lines.add("continue;")
        child.atoms, child.declared = atoms, declared

    def _asked(self, child: ParallelPrinter, first: str) -> list[str]:
        """The places from which the strip after the next will read keys, that lie one after the other."""
        loads = [s.value for s in self.slice.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        later = Code(f"{first} + {2 * STRIP}", SUM)
        return [
            child.view(load.view).at(child.dialect, [later]).inside(UNARY)
            for load in loads
            if load.indices == (self.loop.index,) and load.view.name in child.views
        ]


def _narrowest(index: n.Atom, lets: Mapping[str, n.Let]) -> n.Var | None:
    """The integer that an index is, before it was made wider."""
    if not isinstance(index, n.Var) or index.name not in lets:
        return None
    value = lets[index.name].value
    if isinstance(value, n.Cast) and isinstance(value.operand, n.Var) and value.operand.name in lets:
        source = value.operand.type
        if isinstance(source, Scalar) and source.kind in "iu" and (source.kind, source.bits) != ("u", 64):
            return _narrowest(value.operand, lets)
    return index if isinstance(index.type, Scalar) and index.type.kind in "iu" else None


def _needed(statements: Sequence[n.Statement], names: set[str]) -> list[n.Let]:
    """The definitions from which some variables follow, in order."""
    found: list[n.Let] = []
    wanted = set(names)
    for statement in reversed(statements):
        if isinstance(statement, n.Let) and statement.var.name in wanted:
            found.append(statement)
            wanted.update(a.name for a in atoms_of(statement.value) if isinstance(a, n.Var))
    return found[::-1]


def _unsigned(key: n.Var) -> str:
    assert isinstance(key.type, Scalar)
    return f"uint{key.type.bits}_t"


def _reach(key: n.Var, extent: Code) -> str:
    """What an integer must be below as an unsigned one: negative ones are then large."""
    assert isinstance(key.type, Scalar)
    if key.type.kind == "u" or key.type.bits == 64:
        return extent.inside(UNARY)
    return f"min_int64({extent.text}, {2 ** (key.type.bits - 1)})"


def takes_turns(loop: n.For) -> bool:
    """Whether iterations are so short that waiting for memory matters."""
    return not loop.args and all(isinstance(s, (n.Let, n.Update, n.If)) for s in walk(loop.body))


def combine(printer: ParallelPrinter, private: Private, good: str) -> None:
    """After all pieces: put the copies of the first `good` of them into the array.

    A piece that has run to its end has all in its first copy; the last may have failed before.
    """
    count = cells(printer.view(private.var))
    room = printer.declare(f"{private.var.stem}_room", "int64_t", f"weft_room({count})")
    place = f"({{piece}} < {good} ? {{piece}} * {room} : ({good} - 1) * {room} + ({{piece}} - {good} + 1) * ({count}))"
    add_copies(printer, private, f"({good} > 0 ? {good} + weft_turns({count}) - 1 : 0)", place)


def add_copies(printer: ParallelPrinter, private: Private, count: str, place: str) -> None:
    """Combine the array with some copies of it; `place` says where among all that with the number `{piece}` is."""
    view, fresh = printer.view(private.var), printer.module.identifiers.fresh
    names = [fresh("k") for _ in view.shape]
    piece, cell, copy = fresh("piece"), fresh("cell"), fresh("copy")
    with printer.lines.braces(f"for (int64_t {piece} = 0; {piece} < {count}; {piece}++)"), ExitStack() as loops:
        c_type = view.pointer_type(printer.dialect)
        printer.lines.add(f"const {c_type}{copy} = {private.parts} + {place.format(piece=piece)};")
        printer.lines.add(f"int64_t {cell} = 0;")
        for name, extent in zip(names, view.shape, strict=True):
            loops.enter_context(printer.lines.braces(f"for (int64_t {name} = 0; {name} < {extent.text}; {name}++)"))
        target = view.at(printer.dialect, [Code(name) for name in names])
        source = Code(f"{copy}[{cell}]")
        value = combined_parts(printer, private.op, Code(target.inside(13)), source, private.element)
        printer.lines.add(f"{target.text} = {value.text};")
        printer.lines.add(f"{cell}++;")
