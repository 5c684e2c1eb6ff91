"""The loop of ``np.vectorize``, written in the language that Weft compiles.

What is said of elements are the functions at the top: `weft.frontend.calls.vectorized` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np


class Vectorized:
    """The class of what ``np.vectorize`` makes."""


Vectorized.__name__ = "np.vectorize"


def extents_of(outputs):
    """The extents of the results, as a tuple."""


def call_at(function, arrays, index):
    """Call a function with the elements at an index, as Python's numbers."""


def put(outputs, index, result):
    """Store what a call gave."""


def filled(function, arrays, outputs):
    for index in np.ndindex(extents_of(outputs)):
        put(outputs, index, call_at(function, arrays, index))


def filled_one(function, arrays, outputs):
    put(outputs, (), call_at(function, arrays, ()))
