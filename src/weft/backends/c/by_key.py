"""Parallel loops that combine elements by key (``counts[key[i]] += 1``): each piece has a copy of the array to itself.

Copies start from the identity of the operator, and are combined in the order of the pieces, whose number depends on
sizes alone. Where copies would cost more than they gain, or the loop also reads or writes the array, one thread runs it
all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weft.backends.c.reductions import OPERATORS, combined_parts, identity_of
from weft.backends.code import Code
from weft.backends.facts import ANY
from weft.backends.views import ViewCode
from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, walk

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter


COPIES = 4
"""Copies that a piece takes in turns: an addition need not wait for the one before it to the same key."""


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
    """The updates in a loop, at any depth."""
    return [s for s in walk(loop.body) if isinstance(s, n.Update)]


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
        found.append(Private(vars_[0], ops.pop(), f"{printer.module.identifiers.fresh(vars_[0].name)}_parts"))
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
        if isinstance(statement, n.Update):
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
    """At the start of a piece: its own copy, with the identity in it; the array itself where there is one piece."""
    view = child.view(private.var)
    name = child.declare(f"{private.var.stem}_own", view.pointer_type(child.dialect), view.pointer)
    strides = [
        Code(child.declare(f"{private.var.stem}_own_s{axis}", "int64_t", stride.text))
        if not stride.text.isdigit()
        else stride
        for axis, stride in enumerate(view.strides)
    ]
    step = child.declare(f"{private.var.stem}_step", "int64_t", "0")
    with child.lines.braces("if (pieces > 1)"):
        child.lines.add(f"{step} = {cells(view)};")
        child.lines.add(f"{name} = {private.parts} + part * {COPIES} * {step};")
        value = identity_of(child, private.op, private.element)
        child.lines.add(f"for (int64_t k = 0; k < {COPIES} * {step}; k++) {name}[k] = {value.text};")
        inner = str(private.element.size)
        for axis in reversed(range(len(strides))):
            if not strides[axis].text.isdigit():
                child.lines.add(f"{strides[axis].text} = {inner};")
            inner = f"{view.shape[axis].text} * {inner}"
    child.views[private.var.name] = ViewCode(name, view.element, view.shape, tuple(strides), packed=view.packed)


def print_in_turns(child: ParallelPrinter, loop: n.For, index: str, found: list[Private]) -> Code:
    """Print the iterations of a piece such that they take the copies in turns; gives the first one that is left."""
    next_ = child.declare(f"{loop.index.stem}_next", "int64_t", "begin")
    views, declared = dict(child.views), dict(child.declared)
    with child.lines.braces(f"for (; end - {next_} >= {COPIES}; {next_} += {COPIES})"):
        child.lines.add(f"#pragma GCC unroll {COPIES}")
        with child.lines.braces(f"for (int lane = 0; lane < {COPIES}; lane++)"):
            child.lines.add(f"const int64_t {index} = {next_} + lane;")
            for private in found:
                view = child.view(private.var)
                step = view.pointer.replace("_own", "_step")
                name = child.declare(
                    f"{private.var.stem}_turn", view.pointer_type(child.dialect), f"{view.pointer} + lane * {step}"
                )
                child.views[private.var.name] = replace(view, pointer=name)
            child.iteration(loop, [])
    child.views, child.declared = views, declared
    return Code(next_)


def takes_turns(loop: n.For) -> bool:
    """Whether iterations are so short that waiting for memory matters."""
    return not loop.args and all(isinstance(s, (n.Let, n.Update, n.If)) for s in walk(loop.body))


def combine(printer: ParallelPrinter, private: Private, good: str) -> None:
    """After all pieces: put the copies of the first `good` of them into the array."""
    view = printer.view(private.var)
    names = [printer.module.identifiers.fresh("k") for _ in view.shape]
    piece, cell = printer.module.identifiers.fresh("piece"), printer.module.identifiers.fresh("cell")
    printer.lines.add(f"int64_t {cell} = 0;")
    depth = 0
    for name, extent in zip(names, view.shape, strict=True):
        printer.lines.add(f"for (int64_t {name} = 0; {name} < {extent.text}; {name}++) {{")
        printer.lines.depth += 1
        depth += 1
    place = view.at(printer.dialect, [Code(name) for name in names])
    source = Code(f"{private.parts}[{piece} * ({cells(view)}) + {cell}]")
    value = combined_parts(printer, private.op, Code(place.inside(13)), source, private.element)
    head = f"for (int64_t {piece} = 0; {piece} < {COPIES} * {good}; {piece}++)"
    printer.lines.add(f"{head} {place.text} = {value.text};")
    printer.lines.add(f"{cell}++;")
    for _ in range(depth):
        printer.lines.depth -= 1
        printer.lines.add("}")
