"""Calls that have another form: functions of other libraries, indices."""

from __future__ import annotations

import ast
import copy

from weft.errors import Code
from weft.frontend.remedies.place import Place

IN_MATH = {"erf": "erf", "erfc": "erfc", "gammaln": "lgamma", "expm1": "expm1", "log1p": "log1p", "cbrt": "cbrt"}
"""Functions of `scipy.special`, and those of `math` that do the same."""


def same_function(place: Place, words: dict[str, str]) -> Code | None:
    """The function of ``math`` that does what one of ``scipy.special`` does."""
    node, name = place.node, words.get("name", "").rpartition(".")
    math = place.module("math")
    if math is None or name[0] != "scipy.special" or name[2] not in IN_MATH or not isinstance(node, ast.Call):
        return None
    function = ast.Attribute(ast.Name(math, ast.Load()), IN_MATH[name[2]], ast.Load())
    return place.instead(ast.Call(function, copy.deepcopy(node.args), []))


def integer(place: Place, words: dict[str, str]) -> Code | None:
    """An index, or the end of a range, made an int."""
    node = place.node
    if not isinstance(node, ast.expr):
        return None
    return place.instead(ast.Call(ast.Name("int", ast.Load()), [copy.deepcopy(node)], []))


def brackets(place: Place, words: dict[str, str]) -> Code | None:
    """``a(i)`` as ``a[i]``."""
    node = place.node
    if not isinstance(node, ast.Call) or node.keywords or not node.args:
        return None
    items = copy.deepcopy(node.args)
    index = items[0] if len(items) == 1 else ast.Tuple(items, ast.Load())
    return place.instead(ast.Subscript(copy.deepcopy(node.func), index, ast.Load()))


def without_order(place: Place, words: dict[str, str]) -> Code | None:
    """``np.zeros(n, order="F")`` without the order, which decides about strides and not about elements."""
    node = place.node
    if not isinstance(node, ast.Call):
        return None
    kept = [copy.deepcopy(keyword) for keyword in node.keywords if keyword.arg != "order"]
    return place.instead(ast.Call(copy.deepcopy(node.func), copy.deepcopy(node.args), kept))
