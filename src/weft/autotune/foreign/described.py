"""Descriptions of kernels that make no sense are refused when they are made."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from weft.autotune.foreign.arguments import InOut
from weft.autotune.spaces.expressions import parse
from weft.errors import ArgumentError

if TYPE_CHECKING:
    from weft.autotune.foreign.kernel import Kernel


def check_description(kernel: Kernel, described: Mapping[str, Any]) -> None:
    """Refuse a description that contradicts itself or its source.

    Raises
    ------
    ArgumentError
        What is wrong, with a remedy.
    """
    _check_grid(kernel, described)
    _check_tunables(kernel, described)
    _check_pieces(kernel)


def _check_grid(kernel: Kernel, described: Mapping[str, Any]) -> None:
    grid, block = described["grid"], described["block"]
    if kernel.language == "c" and (grid is not None or block):
        raise ArgumentError(
            "a function in C has no grid", argument="grid", hint="leave out grid and block: it is called once"
        )
    if kernel.language != "c" and (grid is None or not block):
        raise ArgumentError(
            "the kernel has no grid",
            argument="grid",
            hint='say how many points there are and how large a group is: grid=lambda n: (n,), block=("wg",)',
        )


def _check_tunables(kernel: Kernel, described: Mapping[str, Any]) -> None:
    """Every tunable and every macro must be used."""
    used = {name for part in described["block"] if isinstance(part, str) for name in parse(part).names}
    functions = [described["grid"], described["local_bytes"]]
    for function in filter(callable, functions):
        used |= set(inspect.signature(function).parameters)
    for macro, value in described["defines"].items():
        _check_mentioned(kernel, macro, f"the macro {macro!r}")
        used |= set(parse(value).names) if isinstance(value, str) else set()
    for name in kernel.tunables:
        if name not in used:
            _check_mentioned(kernel, name, f"the tunable {name!r}")


def _check_pieces(kernel: Kernel) -> None:
    """What is promised for pieces must make sense."""
    if kernel.combine not in (None, "add"):
        raise ArgumentError(f"{kernel.combine!r} is no way to combine", argument="combine", hint='use combine="add"')
    if kernel.combine and kernel.is_idempotent:
        raise ArgumentError(
            "a kernel that adds to its output does not do the same when it runs twice",
            argument="idempotent",
            hint="leave idempotent out",
        )
    if kernel.combine and not any(isinstance(argument, InOut) for argument in kernel.arguments):
        raise ArgumentError(
            "the kernel adds to no array", argument="combine", hint="describe what it adds to as weft.InOut"
        )


def _check_mentioned(kernel: Kernel, word: str, what: str) -> None:
    if not re.search(rf"\b{re.escape(word)}\b", kernel.source):
        raise ArgumentError(
            f"{what} changes nothing: the source of {kernel.name} never mentions it",
            argument="tunables",
            hint="use it in the source as a macro, in block, or leave it out",
        )
