"""Versions of a kernel, each for launches of which something is known: the compiler has less to do, or does it better.

A tile has one way for arrays that are accessed in runs of neighbours, and another one, element by element. A launch
knows which of them all blocks take, so each is a kernel by itself. Both are there with indices of 32 bits and of 64
(`weft.analysis.widths`). Kernels whose loops look whether they are to stop have one more, which does not look, for
launches that end soon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.analysis.widths import versions as of_widths
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import rewrite

IN_RUNS, SINGLE, SOON = "_runs", "_single", "_soon"


def versions(kernel: n.Kernel) -> tuple[n.Kernel, ...]:
    """All versions of a kernel."""
    return tuple(made for half in halves(kernel) for made in of_half(half))


def of_half(half: n.Kernel) -> tuple[n.Kernel, ...]:
    """The versions of one of its halves: the first is for usual launches, others are for long ones or large arrays."""
    soon = soon_version(half)
    return (*([soon] if soon else []), *of_widths(half))


def soon_version(kernel: n.Kernel) -> n.Kernel | None:
    """The version of a kernel for launches that end soon, where launches know what its loops count to."""
    if not any(hint.kind == "limited" for hint in kernel.hints):
        return None
    return replace(kernel, name=f"{kernel.name}{SOON}", hints=(*kernel.hints, n.Hint("soon")))


def ends_soon(kernel: n.Kernel) -> bool:
    """Whether a kernel is the version for launches that end soon."""
    return any(hint.kind == "soon" for hint in kernel.hints)


def halves(kernel: n.Kernel) -> tuple[n.Kernel, ...]:
    """The kernels that stand for one in different launches: where its test holds, and where it does not."""
    if kernel.uniform is None:
        return (kernel,)
    test = kernel.uniform.test
    return _version(kernel, test, True, IN_RUNS), _version(kernel, test, False, SINGLE)


def version_for(kernel: n.Kernel, values: Mapping[str, int]) -> n.Kernel:
    """The version that runs for some values of the parameters, where arrays begin at aligned addresses.

    The strides of an array ``a`` are values called ``a.strides[0]`` and so on.
    """
    uniform = kernel.uniform
    if uniform is None:
        return kernel

    def are_multiples(pairs: Sequence[tuple[n.Atom, int]]) -> bool:
        numbers = (int(a.value.real) if isinstance(a, n.Const) else values[a.name] for a, _ in pairs)
        return not any(value % number for value, (_, number) in zip(numbers, pairs, strict=True))

    rows = [
        (values.get(f"{view.name}.strides[{k}]", 0), number)
        for view, number in uniform.aligned
        if isinstance(view.type, View)
        for k in range(view.type.ndim - 1)
    ]
    whole = [
        (values.get(f"{view.name}.shape[{view.type.ndim - 1}]", 0), number)
        for view, number in uniform.whole
        if isinstance(view.type, View)
    ]
    in_runs, single = halves(kernel)
    holds = are_multiples(uniform.multiples) and not any(value % number for value, number in (*rows, *whole))
    return in_runs if holds else single


def _version(kernel: n.Kernel, test: n.Var, holds: bool, suffix: str) -> n.Kernel:
    """A kernel whose test has a certain outcome."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.If) or statement.condition != test:
            return statement
        return (statement.then if holds else statement.orelse).statements

    body = rewrite(kernel.body, change)
    return replace(kernel, name=f"{kernel.name}{suffix}", body=body, uniform=None)
