"""The integers of a script: numbers, variables, ``+ - * /``, ``pow`` and ``sqrt``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt

from weft.dataflow.errors import GraphError

_OPERATORS: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


def integer(text: str, variables: Mapping[str, int]) -> int:
    """The value of an expression.

    Raises
    ------
    GraphError
        It is none of the language, names something unknown, or its value is no integer.
    """
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body, variables)
    except (SyntaxError, ZeroDivisionError):
        raise GraphError(f"{text!r} has no value", hint="write numbers, names, + - * /, pow(a, b), sqrt(a)") from None
    if value.denominator != 1:
        raise GraphError(f"{text!r} is {value}, which is no integer", hint="choose sizes that are multiples")
    return int(value)


def _value(node: ast.expr, variables: Mapping[str, int]) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return Fraction(node.value)
    if isinstance(node, ast.Name):
        if node.id not in variables:
            raise GraphError(f"there is no variable {node.id!r} here", hint=f"declare a shared_variable {node.id}")
        return Fraction(variables[node.id])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, variables)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, variables), _value(node.right, variables))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        given = [_value(argument, variables) for argument in node.args]
        if node.func.id == "pow" and len(given) == 2 and given[1].denominator == 1:
            return Fraction(given[0] ** int(given[1]))
        if node.func.id == "sqrt" and len(given) == 1 and given[0] >= 0:
            root = Fraction(isqrt(given[0].numerator), isqrt(given[0].denominator))
            if root * root == given[0]:
                return root
    raise SyntaxError(ast.unparse(node))
