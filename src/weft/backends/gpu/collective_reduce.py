"""What the threads of a block fold together, each with a part of its own, such that all of them know it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Joined: TypeAlias = Callable[[str, str], tuple[Sequence[str], str]]
"""The statements that put one value behind another, and what they make."""

SIDE = 16
"""Parts that a thread folds in shared memory, where threads have no faster way to each other."""


@dataclass(frozen=True)
class Fold:
    """A value that threads fold.

    Attributes
    ----------
    type
        Its type.
    init, part, result
        What stands before all parts, the variable with that of a thread, and the one for what they are together.
    scratch
        An array that the threads share.
    joined
        How two values are put together.
    """

    type: str
    init: str
    part: str
    result: str
    scratch: str
    joined: Joined


def through_memory(folds: Sequence[Fold], threads: int, thread: str, barrier: str) -> list[str]:
    """Some threads fold the parts of as many others, then each folds what these have."""
    sides = -(-threads // SIDE)
    lines = [f"{fold.scratch}[{thread}] = {fold.part};" for fold in folds]
    lines += [barrier, f"if ({thread} < {sides}) {{"]
    for fold in folds:
        lines += [f"    {fold.part} = {fold.scratch}[{thread} * {SIDE}];"]
        lines += [
            f"    for (int32_t weft_k = {thread} * {SIDE} + 1; "
            f"weft_k < {thread} * {SIDE} + {SIDE} && weft_k < {threads}; weft_k++) {{"
        ]
        lines += _step(fold, fold.part, f"{fold.scratch}[weft_k]", "        ")
        lines += ["    }", f"    {fold.scratch}[{threads} + {thread}] = {fold.part};"]
    lines += ["}", barrier]
    for fold in folds:
        loop = f"for (int32_t weft_k = {threads}; weft_k < {threads + sides}; weft_k++) {{"
        lines += [f"{fold.result} = {fold.init};", loop]
        lines += [*_step(fold, fold.result, f"{fold.scratch}[weft_k]", "    "), "}"]
    return lines


def through_warps(folds: Sequence[Fold], threads: int, thread: str, barrier: str, warp: int = 32) -> list[str]:
    """The threads of a warp fold their parts without memory, then each thread folds what the warps have.

    The language has functions ``from_lane``, the value that so many lanes further on have, and ``from_first_lane``.
    """
    lines = ["#pragma unroll", f"for (int32_t weft_step = 1; weft_step < {warp}; weft_step *= 2) {{"]
    for fold in folds:
        lines += _step(fold, fold.part, f"from_lane({fold.part}, weft_step)", "    ")
    lines += ["}"]
    if threads == warp:
        lines += [barrier]
        for fold in folds:
            lines += [f"{fold.result} = {fold.init};", *_step(fold, fold.result, f"from_first_lane({fold.part})", "")]
        return lines
    lines += [f"if ({thread} % {warp} == 0) {{"]
    lines += [f"    {fold.scratch}[{thread} / {warp}] = {fold.part};" for fold in folds]
    lines += ["}", barrier]
    for fold in folds:
        lines += [
            f"{fold.result} = {fold.init};",
            "#pragma unroll",
            f"for (int32_t weft_k = 0; weft_k < {threads // warp}; weft_k++) {{",
        ]
        lines += [*_step(fold, fold.result, f"{fold.scratch}[weft_k]", "    "), "}"]
    return lines


def _step(fold: Fold, target: str, source: str, indent: str) -> list[str]:
    """Put a value behind a variable."""
    name = "other" if target == fold.part else "next"
    statements, value = fold.joined(target, name)
    lines = [f"{fold.type} {name} = {source};", *(line.strip() for line in statements), f"{target} = {value};"]
    return [f"{indent}{{", *(f"{indent}    {line}" for line in lines), f"{indent}}}"]
