"""Versions of a kernel, each for launches of which something is known: the compiler has less to do, or does it better.

A long kernel has one way for arrays that are accessed in runs of neighbours, and another one, element by element;
updates by key have one for few keys, for more and for many. A launch knows which of them all blocks take, so each is a
kernel by itself. All are there with indices of 32 bits and of 64 (`weft.analysis.values.widths`). Kernels whose loops
look whether they are to stop have one more, which does not look, for launches that end soon.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from weft.analysis.values.widths import versions as of_widths
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import rewrite

IN_RUNS, SINGLE, MORE, SOON = "_runs", "_single", "_more", "_soon"


def versions(kernel: n.Kernel) -> tuple[n.Kernel, ...]:
    """All versions of a kernel."""
    return tuple(made for way in ways(kernel) for made in of_way(way))


def of_way(way: n.Kernel) -> tuple[n.Kernel, ...]:
    """The versions of one of its ways: the first is for usual launches, others are for long ones or large arrays."""
    soon = soon_version(way)
    return (*([soon] if soon else []), *of_widths(way))


def soon_version(kernel: n.Kernel) -> n.Kernel | None:
    """The version of a kernel for launches that end soon, where launches know what its loops count to."""
    if not any(hint.kind == "limited" for hint in kernel.hints):
        return None
    return replace(kernel, name=f"{kernel.name}{SOON}", hints=(*kernel.hints, n.Hint("soon")))


def ends_soon(kernel: n.Kernel) -> bool:
    """Whether a kernel is the version for launches that end soon."""
    return any(hint.kind == "soon" for hint in kernel.hints)


def ways(kernel: n.Kernel) -> tuple[n.Kernel, ...]:
    """The kernels that stand for one in different launches: where its tests hold, and where none of them does."""
    if kernel.uniform is None:
        return (kernel,)
    first, rest = _sides(kernel, kernel.uniform)
    return first, *ways(rest)


def version_for(kernel: n.Kernel, values: Mapping[str, int]) -> n.Kernel:
    """The version that runs for some values of the parameters, where arrays begin at aligned addresses.

    The extents and strides of an array ``a`` are values called ``a.shape[0]``, ``a.strides[0]`` and so on.
    """
    while kernel.uniform is not None:
        first, rest = _sides(kernel, kernel.uniform)
        kernel = first if _holds(kernel.uniform, values) else rest
    return kernel


def _holds(uniform: n.Uniform, values: Mapping[str, int]) -> bool:
    """Whether a test holds, where arrays begin at aligned addresses."""

    def of_arrays(word: str, pairs: Iterable[tuple[n.Var, int]], axes: slice) -> Iterator[tuple[int, int]]:
        for view, number in pairs:
            assert isinstance(view.type, View)
            for k in range(view.type.ndim)[axes]:
                yield values.get(f"{view.name}.{word}[{k}]", 0), number

    numbers = ((int(a.value.real) if isinstance(a, n.Const) else values[a.name], k) for a, k in uniform.multiples)
    rows, whole = of_arrays("strides", uniform.aligned, slice(-1)), of_arrays("shape", uniform.whole, slice(-1, None))
    are_multiples = not any(value % number for value, number in itertools.chain(numbers, rows, whole))
    return are_multiples and all(count <= most for count, most in of_arrays("shape", uniform.few, slice(1)))


def _sides(kernel: n.Kernel, uniform: n.Uniform) -> tuple[n.Kernel, n.Kernel]:
    """A kernel where its test holds, and where it does not."""
    first, rest = IN_RUNS, SINGLE
    if uniform.few:
        first, rest = f"_to_{uniform.few[0][1]}", "" if uniform.orelse else MORE
    held = _version(kernel, uniform.test, True, first, None)
    return held, _version(kernel, uniform.test, False, rest, uniform.orelse)


def _version(kernel: n.Kernel, test: n.Var, holds: bool, suffix: str, uniform: n.Uniform | None) -> n.Kernel:
    """A kernel whose test has a certain outcome, and the test that it has then."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.If) or statement.condition != test:
            return statement
        return (statement.then if holds else statement.orelse).statements

    body = rewrite(kernel.body, change)
    return replace(kernel, name=f"{kernel.name}{suffix}", body=body, uniform=uniform)
