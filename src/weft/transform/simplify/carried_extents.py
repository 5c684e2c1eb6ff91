"""Extents of arrays that loops carry: if no iteration changes them, they are those of the array before the loop.

``x = f(x)`` in a loop binds `x` to another array in each iteration. If each iteration hands on an array with the
extents of the one that it got, then by induction all have the extents of the array before the loop. Shapes that depend
on them are then compared once, or not at all. The same holds for a branch that chooses between two arrays of one shape.

Assumes nothing.
"""

from __future__ import annotations

from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.types import PYINT, View
from weft.ir.visit import blocks_of, bound_in, rewrite, substitute, walk
from weft.transform.simplify.algebra import Definitions, simplified
from weft.transform.simplify.cse import cse
from weft.transform.simplify.fold import fold
from weft.transform.support import on_blocks

Axis: TypeAlias = tuple[str, int]
"""An axis of a view: the view's name, and the number of the axis."""
Extent: TypeAlias = "n.Atom | n.Dim"

DEEPEST = 8
"""The deepest nesting of loops whose arrays are followed."""


def carried_extents(program: n.Program) -> n.Program:
    """Give arrays that loops carry, or that branches choose, the extents that they have in all cases."""
    return on_blocks(cse(fold(program)), _block) if any(map(_has_arrays, walk(program.body))) else program


def _has_arrays(statement: n.Statement) -> bool:
    """Whether a statement carries or chooses arrays."""
    return isinstance(statement, (n.For, n.While, n.If)) and any(isinstance(v.type, View) for v in statement.results)


def _block(block: n.Block) -> n.Block:
    for _ in range(DEEPEST):
        changed = _changed(block)
        if changed is block:
            break
        block = changed
    return block


def _changed(block: n.Block) -> n.Block:
    asked = {
        (s.value.view.name, s.value.axis) for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Dim)
    }
    if not asked:
        return block
    definitions: Definitions = {s.var.name: s.value for s in walk(block) if isinstance(s, n.Let)}
    known: dict[Axis, Extent] = {}
    for statement in walk(block):
        if isinstance(statement, (n.For, n.While)):
            known |= _of_loop(statement, definitions)
        elif isinstance(statement, n.If):
            known |= _of_branch(statement, definitions)
    if asked.isdisjoint(known):
        return block
    values: dict[str, n.Atom] = {}

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Dim):
            return statement
        extent = known.get((statement.value.view.name, statement.value.axis))
        if extent is None:
            return statement
        if isinstance(extent, n.Dim):
            return n.Let(statement.var, extent, statement.location)
        values[statement.var.name] = extent
        return ()

    block = rewrite(block, change)
    return _substituted(block, values) if values else block


def _substituted(block: n.Block, values: dict[str, n.Atom]) -> n.Block:
    """A block with values in place of variables. The values may be such variables themselves."""
    settled = {}
    for name, value in values.items():
        while isinstance(value, n.Var) and value.name in values:
            value = values[value.name]
        settled[name] = value
    return substitute(block, settled)


def _of_loop(loop: n.For | n.While, definitions: Definitions) -> dict[Axis, Extent]:
    """The extents of the arrays that a loop carries, as far as they stay the same."""
    first: dict[Axis, Extent] = {}
    next_: dict[Axis, n.Var] = {}
    results: dict[Axis, Axis] = {}
    pairs = zip(loop.args, loop.body.yields, strict=True)
    for place, (arg, handed) in enumerate(pairs):
        if not isinstance(arg.var.type, View) or not isinstance(arg.init, n.Var) or not isinstance(handed, n.Var):
            continue
        if isinstance(definitions.get(arg.init.name), n.Undefined):
            continue
        for axis in range(arg.var.type.ndim):
            first[arg.var.name, axis] = extent_of(axis, arg.init, definitions)
            next_[arg.var.name, axis] = handed
            if place < len(loop.results):
                results[arg.var.name, axis] = loop.results[place].name, axis
    while True:
        wrong = [at for at in first if extent_of(at[1], next_[at], definitions, first) != first[at]]
        if not wrong:
            break
        for at in wrong:
            del first[at]
    return first | {results[at]: extent for at, extent in first.items() if at in results}


def _of_branch(branch: n.If, definitions: Definitions) -> dict[Axis, Extent]:
    """The extents of the arrays that a branch chooses, if both sides have the same and they are known before it."""
    inside = {var.name for block in blocks_of(branch) for var in bound_in(block)}
    found: dict[Axis, Extent] = {}
    for result, then, orelse in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
        if not isinstance(result.type, View) or not isinstance(then, n.Var) or not isinstance(orelse, n.Var):
            continue
        if any(isinstance(definitions.get(v.name), n.Undefined) for v in (then, orelse)):
            continue
        for axis in range(result.type.ndim):
            extent = extent_of(axis, then, definitions)
            other = extent_of(axis, orelse, definitions)
            source = extent.view if isinstance(extent, n.Dim) else extent
            if extent == other and not (isinstance(source, n.Var) and source.name in inside):
                found[result.name, axis] = extent
    return found


def extent_of(axis: int, view: n.Var, definitions: Definitions, carried: dict[Axis, Extent] | None = None) -> Extent:
    """The extent of an axis of a view; `carried` has those of carried arrays."""
    return resolved(n.Dim(view, axis), definitions, carried)


def resolved(extent: Extent, definitions: Definitions, carried: dict[Axis, Extent] | None = None) -> Extent:
    """An extent, as the extent of the array that it comes from."""
    while True:
        if isinstance(extent, n.Dim):
            simpler = simplified(extent, PYINT, definitions)
            if simpler == extent:
                return (carried or {}).get((extent.view.name, extent.axis), extent)
            assert isinstance(simpler, (n.Var, n.Const, n.Dim))
            extent = simpler
            continue
        value = definitions.get(extent.name) if isinstance(extent, n.Var) else None
        if not isinstance(value, n.Dim):
            return extent
        extent = value
