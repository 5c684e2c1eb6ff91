"""Direct accesses: an element of a row or of a transposed array is an element of the array that it was taken from.

``p = x[i]`` and then ``p[0]`` becomes ``x[i, 0]``: what is asked about accesses is then asked of one array, and loops
hold no views. For rows that are whole along the axes they keep; what is cut at an offset keeps its view.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from weft.ir import nodes as n
from weft.ir.visit import rewrite, walk
from weft.transform.simplify.dce import dce
from weft.transform.support import on_blocks

_Access = TypeVar("_Access", n.Load, n.Store, n.Update)


def direct(program: n.Program) -> n.Program:
    """Access arrays by their own indices."""
    changed = on_blocks(program, _direct)
    return program if changed is program else dce(changed)


def _direct(block: n.Block) -> n.Block:
    views = {s.var.name: s.value for s in walk(block) if isinstance(s, n.Let) and _is_whole(s.value)}
    if not views:
        return block

    def change(statement: n.Statement) -> n.Statement:
        if isinstance(statement, n.Store):
            return _composed(statement, views)
        if isinstance(statement, n.Update):
            return _composed(statement, views)
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            load = _composed(statement.value, views)
            return statement if load is statement.value else replace(statement, value=load)
        return statement

    return rewrite(block, change)


def _is_whole(value: n.Expression) -> bool:
    """Whether a value is a view with the elements of another one in its order, as many along each axis it keeps."""
    if isinstance(value, n.Transpose):
        return True
    return isinstance(value, n.Subview) and value.bounds == "safe" and all(map(_keeps_places, value.axes))


def _keeps_places(axis: n.Atom | n.Slice | None) -> bool:
    if not isinstance(axis, n.Slice):
        return axis is not None
    return axis.start == n.Const(0, axis.start.type) and axis.step == n.Const(1, axis.step.type)


def _composed(access: _Access, views: dict[str, n.Expression]) -> _Access:
    """The same access of the array behind a view, and behind those that this is a view of."""
    while access.bounds == "safe" and access.view.name in views:
        view = views[access.view.name]
        given = iter(access.indices)
        if isinstance(view, n.Transpose):
            places = dict(zip(view.permutation, given, strict=True))
            access = replace(access, view=view.view, indices=tuple(places[axis] for axis in range(len(places))))
            continue
        assert isinstance(view, n.Subview)
        indices = tuple(next(given) if isinstance(axis, n.Slice) else axis for axis in view.axes if axis is not None)
        access = replace(access, view=view.view, indices=indices)
    return access
