"""``np.apply_along_axis`` of a matrix: loops over its rows or columns, see `library.along_axis`."""

from __future__ import annotations

import ast

import numpy as np

from weft.frontend.arrays.library import along_axis
from weft.frontend.arrays.tables import function
from weft.frontend.calls import calls
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import Static, Value, is_view
from weft.ir import nodes as n


@function(np.apply_along_axis)
def _apply_along_axis(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """A function is called with each row or column of a matrix."""
    given = dict(zip(("func1d", "axis", "arr"), arguments, strict=False)) | keywords
    array, axis = given.get("arr"), given.get("axis")
    is_matrix = isinstance(array, n.Var) and is_view(array) and view_type(array).ndim == 2
    if set(given) != {"func1d", "axis", "arr"} or not is_matrix or not _is_axis(axis):
        raise ctx.refusal("array function", node, name="np.apply_along_axis")
    assert isinstance(axis, n.Const)
    loop = along_axis.for_each_row if axis.value in (-1, 1) else along_axis.for_each_column
    return calls.call(ctx, Static(loop), [given["func1d"], given["arr"], *arguments[3:]], {}, node)


def _is_axis(value: Value | None) -> bool:
    return isinstance(value, n.Const) and value.value in (-2, -1, 0, 1)
