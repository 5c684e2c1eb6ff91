"""Loops over all elements of an array."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias

from weft.frontend.values.scope import Context
from weft.frontend.values.values import ZERO
from weft.ir import nodes as n
from weft.ir.types import PYINT

Indices: TypeAlias = "tuple[n.Atom, ...]"


def each_element(
    ctx: Context, extents: Sequence[n.Atom], body: Callable[[Indices], None], node: ast.AST, outer: Indices = ()
) -> None:
    """Loops over all elements of an array of these extents; `body` translates what is done with one."""
    axis = len(outer)
    if axis == len(extents):
        body(outer)
        return
    index = ctx.names.fresh("ijklmnpq"[axis], PYINT)
    ctx.nonnegative.add(index.name)
    with ctx.block() as builder:
        each_element(ctx, extents, body, node, (*outer, index))
    block = n.Block(tuple(builder.statements))
    ctx.append(n.For(f"axis{axis}", index, ZERO, extents[axis], block, location=ctx.location(node)))
