"""The ways in which functions with a cache are called, which CPython keeps apart."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value
from weft.ir import nodes as n
from weft.ir.types import PYINT, Type

Way: TypeAlias = "tuple[int, tuple[str, ...], frozenset[Type]]"
"""How a function is called: the number of positional arguments, the keywords, and the types of its numbers."""

CACHED, COUNTED = "look up", "look up and count"
"""What the frames of functions are called that look results up: C functions in CPython."""


def check_cached(
    ctx: Context, function: ast.AST, arguments: Sequence[Value], keywords: Mapping[str, Value], node: ast.AST
) -> None:
    """Refuse calls of a function with a cache that CPython keeps apart, where the dict of its results does not.

    One int alone, by position, has entries of its own there: `1` and `1.0` are two calls. Positional arguments and
    keywords have, too: that is seen where types differ, or the function counts its calls.
    """
    mark = getattr(function, "type_comment", None)
    if mark not in (CACHED, COUNTED):
        return
    given = [*arguments, *keywords.values()]
    types = frozenset(one.type for one in given if isinstance(one, (n.Var, n.Const)))
    way = len(arguments), tuple(keywords), types
    seen = ctx.cached_calls.get(id(function), frozenset())
    ctx.cached_calls[id(function)] = seen | {way}
    if any(_are_apart(way, other, mark == COUNTED) for other in seen):
        name = getattr(function, "name", "")
        ctx.report(
            ctx.type_error(
                f"'{name}', which keeps its results, is called in two ways that have entries of their own in CPython",
                node,
                cause="one int by position is kept apart from other numbers, and keywords from positions",
                hint=f"call it in one way, with arguments of one type: {name}(int(x)), or {name}(float(x))",
            )
        )


def _are_apart(way: Way, other: Way, counts: bool) -> bool:
    """Whether two calls with equal arguments may have two entries in CPython, and that may be seen."""
    if way[:2] != other[:2]:
        return counts or way[2] != other[2]
    return way[:2] == (1, ()) and way[2] != other[2] and frozenset((PYINT,)) in (way[2], other[2])
