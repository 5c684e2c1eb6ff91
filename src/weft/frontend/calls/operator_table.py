"""Python's ``operator``: its functions are the operators, so they may be passed on (``reduce``, ``map``, patterns)."""

from __future__ import annotations

import operator
from types import FunctionType

from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.calls import library_operators
from weft.frontend.calls.math_table import inlined

FUNCTIONS.update({
    getattr(operator, name): inlined(helper)
    for name, helper in vars(library_operators).items()
    if isinstance(helper, FunctionType)
})  # fmt: skip
