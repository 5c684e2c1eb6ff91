"""Whole NumPy programs, each with a maker of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Make = Callable[[np.random.Generator, int, Any], tuple[Any, ...]]


@dataclass(frozen=True)
class Program:
    """A function as its author wrote it, and what makes its arguments for a size and a type of floats.

    `exact`: the results are those of NumPy bit for bit. `sizes`: which sizes have a meaning. `tolerance`: in units of
    the type's precision.
    """

    function: Callable[..., Any]
    make: Make
    exact: bool = False
    sizes: tuple[int, ...] = (0, 1, 2, 7, 13, 40)
    tolerance: float = 1e3


PROGRAMS: dict[str, Program] = {}


def program(make: Make, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        assert function.__name__ not in PROGRAMS, function.__name__
        PROGRAMS[function.__name__] = Program(function, make, **options)
        return function

    return register


def vector(r, n, t):
    return (r.standard_normal(n).astype(t),)


def vectors(r, n, t):
    return (r.standard_normal(n).astype(t), r.standard_normal(n).astype(t))


def matrix(r, n, t):
    return (r.standard_normal((n, n + 3)).astype(t),)


def square(r, n, t):
    return (r.standard_normal((n, n)).astype(t),)


def positive(r, n, t):
    return ((r.random(n) + 0.5).astype(t),)
