"""Functions and methods of NumPy's arrays, written in the language that Weft compiles; they are inlined."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np


def tolist_of_vector(a):
    """``a.tolist()`` of one dimension."""
    return [value.item() for value in a]


def tolist_of_matrix(a):
    """``a.tolist()`` of two dimensions."""
    return [[value.item() for value in row] for row in a]


def tolist_of_three(a):
    """``a.tolist()`` of three dimensions."""
    return [[[value.item() for value in row] for row in matrix] for matrix in a]


def tolist_of_four(a):
    """``a.tolist()`` of four dimensions."""
    return [[[[value.item() for value in row] for row in matrix] for matrix in part] for part in a]


TOLIST = (tolist_of_vector, tolist_of_matrix, tolist_of_three, tolist_of_four)
"""What ``a.tolist()`` is, by the number of dimensions, from one on."""


def piecewise_start(x):
    """The result of ``np.piecewise`` where no condition holds."""
    return np.zeros_like(x)


def piecewise_rest(conditions):
    """Where no condition of ``np.piecewise`` holds."""
    any_of_them = conditions[0]
    for condition in conditions[1:]:
        any_of_them = any_of_them | condition
    return ~any_of_them


def piecewise_value(y, condition, value):
    """A number for the elements where a condition of ``np.piecewise`` holds."""
    y[condition] = value


def piecewise_part(y, x, condition, function, arguments):
    """A function for the elements where a condition of ``np.piecewise`` holds."""
    chosen = x[condition]
    if chosen.size > 0:
        y[condition] = function(chosen, *arguments)
