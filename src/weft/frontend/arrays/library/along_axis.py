"""``np.apply_along_axis`` of a matrix: a function is called with each row or column, one after the other."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.errors import UnsupportedError

NOTHING = "Cannot apply_along_axis when any iteration dimensions are 0"


def for_each_row(function, rows, *arguments):
    """A number or a row for each row: its type is that of the first one."""
    if rows.shape[0] == 0:
        raise ValueError(NOTHING)
    first = np.asarray(function(rows[0], *arguments))
    if first.ndim > 1:
        raise UnsupportedError("np.apply_along_axis takes functions that return a number or one row")
    if first.ndim == 0:
        out = np.empty(rows.shape[0], first.dtype)
    else:
        out = np.empty((rows.shape[0], first.shape[0]), first.dtype)
    out[0] = first
    for k in range(1, rows.shape[0]):
        out[k] = function(rows[k], *arguments)
    return out


def for_each_column(function, array, *arguments):
    """A number or a column for each column."""
    found = for_each_row(function, array.T, *arguments)
    return found if found.ndim == 1 else found.T.copy()
