"""Cells: arrays of one element, in which a kernel leaves a value. No pass itself: see
`weft.transform.scan.blockwise`."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.neutral import stored_as
from weft.ir.scribe import Scribe
from weft.ir.types import View


def cell(scribe: Scribe, var: n.Var) -> n.Var:
    """An array for a value of a variable."""
    element = stored_as(var.type)
    array = scribe.fresh("left", View(element, 1, contiguous=True))
    scribe.add(n.Let(array, n.Alloc((n.Const(1),), element), scribe.location))
    return array


def leave(scribe: Scribe, array: n.Var, value: n.Atom) -> None:
    """Store a value in its array."""
    element = stored_as(value.type)
    kept = value if value.type == element else scribe.let(n.Cast(value, checked=False), element)
    scribe.add(n.Store(array, (n.Const(0),), kept, "safe", location=scribe.location))


def taken(scribe: Scribe, array: n.Var, var: n.Var) -> n.Atom:
    """The value of a variable that was left in an array."""
    element = stored_as(var.type)
    value = scribe.let(n.Load(array, (n.Const(0),), "safe"), element, var.stem)
    return value if element == var.type else scribe.let(n.Cast(value, checked=False), var.type, var.stem)
