"""Loops that look small numbers up in tables: no processor gathers bytes, and gcc makes slow vector code of them.

It puts bytes that were loaded one by one together again, two or sixteen at a time, to store them at once. Here each is
stored alone. A strip loads all of its elements before it stores one, so that many loads are under way at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from weft.backends.c.strips import can_buffer, commit, open_buffers
from weft.backends.text.code import Code
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, has_fewer_trips

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter
    from weft.backends.text.printer_facts import Facts

LANES = 8
"""Results of a strip: as many stay in registers."""

LARGEST = 1
"""Bytes of the largest elements: vector code of others has not been slower."""


def looks_up(loop: n.For, facts: Facts) -> bool:
    """Whether all that a straight loop stores are small integers, some of which it found by what it loaded before."""
    if loop.args or not all(isinstance(s, (n.Let, n.Store)) for s in loop.body.statements):
        return False
    loaded: set[str] = set()
    found: set[str] = set()
    stored: list[n.Store] = []
    places: list[tuple[n.Atom, ...]] = []
    for statement in loop.body.statements:
        if isinstance(statement, n.Store):
            stored.append(statement)
            continue
        assert isinstance(statement, n.Let)
        name, value = statement.var.name, statement.value
        used = {a.name for a in atoms_of(value) if isinstance(a, n.Var)}
        if not isinstance(statement.var.type, Scalar):
            return False
        if isinstance(value, n.Load) or (isinstance(value, n.Cast) and used <= loaded):
            loaded.add(name)
        elif loaded & used - found:
            return False  # compilers make good vector code of such arithmetic
        if found & used or (isinstance(value, n.Load) and loaded & used):
            found.add(name)
            if isinstance(value, n.Load):
                places.append((value.view, *(a for a in value.indices if isinstance(a, n.Var))))
    if len(places) > len(set(places)):
        return False  # neighbours in a table are loaded together
    values = {s.value.name for s in stored if isinstance(s.value, n.Var)}
    return bool(found & values) and all(map(is_small, stored)) and can_buffer(loop, facts)


def is_small(store: n.Store) -> bool:
    """Whether a store is of a small integer."""
    element = store.view.type.element if isinstance(store.view.type, View) else None
    return isinstance(element, Scalar) and element.kind in "iu" and element.size <= LARGEST


def print_loop(printer: LoopPrinter, loop: n.For, index: str, start: Code, stop: Code) -> None:
    """Print a loop that `looks_up`: whole strips, then what is left; a short one is written out."""
    printer.stores_alone = True
    stores = [s for s in loop.body.statements if isinstance(s, n.Store)]
    lanes = LANES // len(stores)
    if has_fewer_trips(loop, LANES):
        printer.lines.add(f"#pragma GCC unroll {LANES}")
    elif lanes > 1:
        start = _print_strips(printer, loop, index, (start, stop), stores, lanes)
    with printer.lines.braces(printer.for_head(loop, index, start, stop)):
        printer.iteration(loop, [])
    printer.stores_alone = False


def _print_strips(
    printer: LoopPrinter, loop: n.For, index: str, bounds: tuple[Code, Code], stores: Sequence[n.Store], lanes: int
) -> Code:
    """Print whole strips; gives the first iteration that is left."""
    start, stop = bounds
    next_ = printer.declare(f"{loop.index.stem}_next", "int64_t", start.text)
    unrolled = f"#pragma GCC unroll {lanes}"
    with printer.lines.braces(f"for (; {next_} < {stop.inside(9)} - {lanes - 1}; {next_} += {lanes})"):
        buffers = open_buffers(printer, stores, lanes)
        saved, declared = dict(printer.atoms), dict(printer.declared)
        with printer.trusting() as notes:
            notes.buffers = buffers
            printer.lines.add(unrolled)
            with printer.lines.braces(f"for (int lane = 0; lane < {lanes}; lane++)"):
                printer.lines.add(f"const int64_t {index} = {next_} + lane;")
                printer.iteration(loop, [])
        printer.atoms, printer.declared = saved, declared
        printer.lines.add(unrolled)
        commit(printer, loop, buffers, index, next_, lanes)
    return Code(next_)
