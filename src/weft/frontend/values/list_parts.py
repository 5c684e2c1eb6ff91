"""How a list is held: the number of its elements, the arrays that they lie in, and what an element is in Python."""

from __future__ import annotations

from typing import cast as typed

from weft.frontend.calls.library_lists import List
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ZERO, Instance, Value, leaves
from weft.ir import nodes as n
from weft.ir.types import SCALARS, Scalar, View

NAMES = ("$size", "$store", "$model")


def view_of(element: Scalar) -> View:
    """The array that elements of one type lie in."""
    return View(SCALARS[element.dtype.name], 1, True)


def given(ctx: Context, store: Value, model: Value, is_empty: bool) -> Value:
    """A list that is an argument, which lies in these arrays and keeps its length."""
    size = ZERO if is_empty else ctx.dimension(typed(n.Var, leaves(store)[0]), 0, ctx.frame.node)
    return Instance(List, NAMES, (size, store, model))
