"""Runs a function in CPython and compiled, and compares all that can be seen."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from tests.acceptance.comparison import check_exact, check_same_type, flat

DEVICES = (
    "interpreter",
    "cpu",
    pytest.param("opencl", marks=pytest.mark.opencl),
    pytest.param("cuda", marks=pytest.mark.gpu),
)
every_device = pytest.mark.parametrize("device", DEVICES)


def same(function: Callable[..., Any], *arguments: Any, device: str = "cpu") -> Any:
    """The result of the compiled function, which must be CPython's to the last bit, arrays included."""
    left, right = copy.deepcopy(arguments), copy.deepcopy(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = function(*left)
        got = weft.jit(function, device=device)(*right)
    for a, b in zip((*flat((expected,)), *left), (*flat((got,)), *right)):
        check_same_type(a, b, function.__name__)
        check_exact(a, b, function.__name__)
    return got


def same_error(function: Callable[..., Any], *arguments: Any, device: str = "cpu", arrays: bool = True) -> Exception:
    """The exception of the compiled function, of CPython's class; the arrays are those that CPython leaves behind."""
    left, right = copy.deepcopy(arguments), copy.deepcopy(arguments)
    with np.errstate(all="ignore"), pytest.raises(Exception) as expected:
        function(*left)
    with warnings.catch_warnings(), pytest.raises(expected.type) as got:
        warnings.simplefilter("ignore")
        weft.jit(function, device=device)(*right)
    for a, b in zip(left, right) if arrays else ():
        check_exact(a, b, function.__name__)
    return got.value


def place_of(error: Exception) -> str:
    """What an exception says of its place: notes, or further lines of the message where Python has no notes."""
    return "\n".join([str(error), *getattr(error, "__notes__", ())])
