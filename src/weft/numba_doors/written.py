"""Python functions that are written as text: each has its lines in `linecache`, where the compiler finds them."""

from __future__ import annotations

import linecache
from itertools import count
from types import FunctionType
from typing import Any

_numbers = count(1)


def function_of(text: str, name: str, space: dict[str, Any]) -> FunctionType:
    """The function that a text defines.

    Parameters
    ----------
    text
        A module with the definition in it.
    name
        What the function is called in it.
    space
        The global names that it uses.
    """
    file = f"<weft {name} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec", dont_inherit=True), space)
    function = space[name]
    assert isinstance(function, FunctionType)
    return function


def nest(rank: int, extents: str, body: str, margin: str = "    ") -> str:
    """Loops ``i0``, ``i1``, ... over the sizes of an array, with one statement inside."""
    heads = [f"{margin}{'    ' * k}for i{k} in range({extents}.shape[{k}]):" for k in range(rank)]
    return "\n".join([*heads, f"{margin}{'    ' * rank}{body}"])


def index(rank: int) -> str:
    """The loop variables of `nest` as an index."""
    return ", ".join(f"i{k}" for k in range(rank))
