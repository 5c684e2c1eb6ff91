"""Direct accesses: an element of a row or of a transposed array is an element of the array that it was taken from.

``p = x[i]`` and then ``p[0]`` becomes ``x[i, 0]``: then all questions about accesses are about one array, and loops
contain no views. `direct` does this for rows that are whole along their remaining axes. Views that begin at an offset
stay, except those of the arrays that are given to `direct_to`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeVar

from weft.ir import nodes as n
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT
from weft.ir.visit import Names, rewrite, walk
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


def direct_to(program: n.Program, arrays: Collection[str]) -> n.Program:
    """As `direct`, for all views of some arrays: also those with offsets or steps, or with a split axis."""
    names = Names.of(program)
    views: dict[str, n.Subview | n.Transpose | n.Split] = {}
    for statement in walk(program.body):
        value = statement.value if isinstance(statement, n.Let) else None
        if not isinstance(value, (n.Subview, n.Transpose, n.Split)) or not isinstance(statement, n.Let):
            continue
        is_known = value.view.name in views or value.view.name in arrays
        if is_known and (not isinstance(value, n.Subview) or _is_inside(value)):
            views[statement.var.name] = value

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        access = statement.value if isinstance(statement, n.Let) else statement
        if not isinstance(access, (n.Load, n.Store, n.Update)) or access.view.name not in views:
            return statement
        if access.bounds != "safe" or any(index.type != PYINT for index in access.indices):
            return statement
        write = Scribe(names, statement.location)
        view, indices = access.view, access.indices
        while view.name in views:
            value = views[view.name]
            view, indices = value.view, _behind(value, indices, write)
        made = replace(access, view=view, indices=indices)
        return (*write.statements, replace(statement, value=made) if isinstance(made, n.Load) else made)  # type: ignore[arg-type]

    return dce(replace(program, body=rewrite(program.body, change))) if views else program


def _is_inside(view: n.Subview) -> bool:
    """Whether the indices of a view are known to be in bounds and not negative."""
    numbers = [axis for axis in view.axes if axis is not None and not isinstance(axis, n.Slice)]
    slices = [atom for axis in view.axes if isinstance(axis, n.Slice) for atom in (axis.start, axis.step)]
    return (view.bounds == "safe" or not numbers) and all(atom.type == PYINT for atom in (*numbers, *slices))


def _behind(view: n.Subview | n.Transpose | n.Split, indices: tuple[n.Atom, ...], write: Scribe) -> tuple[n.Atom, ...]:
    """The indices of an array that stand for those of a view of it."""
    if isinstance(view, n.Transpose):
        places = dict(zip(view.permutation, indices, strict=True))
        return tuple(places[axis] for axis in range(len(places)))
    if isinstance(view, n.Split):
        parts = indices[view.axis : view.axis + len(view.extents)]
        whole: n.Atom = n.Const(0)
        for part, extent in zip(parts, view.extents, strict=True):
            whole = write.op("add", write.op("mul", whole, extent), part)
        return (*indices[: view.axis], whole, *indices[view.axis + len(view.extents) :])
    found, given = [], iter(indices)
    for axis in view.axes:
        if isinstance(axis, n.Slice):
            found.append(write.op("add", write.op("mul", next(given), axis.step), axis.start))
        elif axis is None:
            next(given)
        else:
            found.append(axis)
    return (*found, *given)
