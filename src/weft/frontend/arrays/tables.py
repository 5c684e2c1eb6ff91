"""The table of functions that Weft knows: the objects themselves, whatever name the user gave them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value

Handler: TypeAlias = "Callable[[Context, list[Value], dict[str, Value], ast.AST], Value]"
"""Translates a call from its positional and keyword arguments."""

FUNCTIONS: dict[object, Handler] = {}

Method: TypeAlias = "Callable[[Context, Value, list[Value], dict[str, Value], ast.AST], Value]"
"""Translates a call from the owner of the method, and from the arguments."""

METHODS: dict[str, Method] = {}
"""The methods that Weft itself knows, by their names."""

TAKING_EXPRESSIONS: set[object] = set()
"""Functions whose translations take array expressions as they are; for all others these become arrays first."""

TAKING_LISTS: set[object] = {
    np.array, np.asarray, np.sum, np.prod, np.min, np.max, np.mean, np.var, np.std, np.median, np.argmin, np.argmax,
    np.any, np.all, np.cumsum,
}  # fmt: skip
"""Functions of NumPy that make an array of the list that is their first argument."""


def function(*objects: object) -> Callable[[Handler], Handler]:
    """Register the translation of calls of functions."""

    def register(handler: Handler) -> Handler:
        FUNCTIONS.update(dict.fromkeys(objects, handler))
        return handler

    return register


def operation(function: object) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register the translation of a function of Weft's own library, which is given its arguments one by one."""

    def register(translate: Callable[..., Value]) -> Callable[..., Value]:
        def handler(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
            return translate(ctx, *arguments, node)

        FUNCTIONS[function] = handler
        return translate

    return register


def check_arguments(
    ctx: Context, arguments: list[Value], keywords: dict[str, Value], counts: range, name: str, node: ast.AST
) -> None:
    """Refuse a call with other arguments than so many positional ones."""
    if keywords:
        raise ctx.type_error(f"{name} takes no keyword arguments in compiled code", node)
    if len(arguments) not in counts:
        wanted = str(counts.start) if len(counts) == 1 else f"{counts.start} to {counts.stop - 1}"
        raise ctx.type_error(f"{name} takes {wanted} argument(s), and {len(arguments)} were given", node)


EXACTLY_ONE = range(1, 2)
EXACTLY_TWO = range(2, 3)
