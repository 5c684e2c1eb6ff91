"""Constraints as text: a small part of Python's expressions, evaluated for many points at once.

What it does: `parse` reads an expression, `Expression.holds` gives a truth value for every row of a table of columns.
What it assumes: columns are NumPy arrays of one length. What it does not do: run code. Only arithmetic, comparisons,
logic, ``min``, ``max`` and ``abs`` are known, so constraints of files of others are harmless.

Logic stops early as Python's does: the right side of ``or`` is evaluated for the rows whose left side is false.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from weft.errors import ArgumentError

Columns: TypeAlias = Mapping[str, "np.ndarray[Any, Any]"]
Value: TypeAlias = Any

ARITHMETIC: dict[type[ast.AST], Callable[[Value, Value], Value]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPARISONS: dict[type[ast.AST], Callable[[Value, Value], Value]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "min": lambda *values: _fold(np.minimum, values),
    "max": lambda *values: _fold(np.maximum, values),
    "abs": abs,
}
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
HINT = "use numbers, names of parameters, + - * / // % **, comparisons, and, or, not, min, max, abs"


def _fold(function: Callable[[Value, Value], Value], values: tuple[Value, ...]) -> Value:
    folded = values[0]
    for value in values[1:]:
        folded = function(folded, value)
    return folded


class RowError(Exception):
    """An exception that an expression raises for one row of the columns."""

    def __init__(self, row: int, error: Exception) -> None:
        super().__init__(row, error)
        self.row = row
        self.error = error


@dataclass(frozen=True)
class Expression:
    """An expression over names.

    Attributes
    ----------
    text
        As it was written.
    tree
        Its syntax tree, of which every node is known.
    names
        The names in it, sorted.
    """

    text: str
    tree: ast.expr
    names: tuple[str, ...]

    def values(self, columns: Columns) -> np.ndarray[Any, Any]:
        """The value for every row."""
        rows = len(next(iter(columns.values()))) if columns else 1
        return np.broadcast_to(np.asarray(_evaluate(self.tree, columns, np.arange(rows))), (rows,))

    def holds(self, columns: Columns) -> np.ndarray[Any, Any]:
        """Whether it is true, for every row.

        Raises
        ------
        RowError
            It raises for a row: a division by zero, an order of things that have none.
        """
        return self.values(columns).astype(bool)


class _Fixed(ast.NodeTransformer):
    """Puts values for names."""

    def __init__(self, constants: Mapping[str, Value]) -> None:
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._constants.get(node.id)
        return ast.Constant(value) if isinstance(value, (bool, int, float, str)) else node


def parse(text: str, constants: Mapping[str, Value] | None = None) -> Expression:
    """Read an expression.

    Parameters
    ----------
    text
        The expression.
    constants
        Values of names that are the same at every point.

    Raises
    ------
    ArgumentError
        It is no expression, or has something that constraints do not know.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ArgumentError(f"the constraint {text!r} is no Python expression: {error.msg}", hint=HINT) from None
    _check(tree, text)
    if constants:
        tree = _Fixed(constants).visit(tree)
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in functions}
    return Expression(text.strip(), tree, tuple(sorted(names)))


def _check(tree: ast.AST, text: str) -> None:
    """Refuse what `_evaluate` does not know."""
    for node in ast.walk(tree):
        if not _is_known(node):
            part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            raise ArgumentError(f"the constraint {text!r} has {part!r}, which constraints do not know", hint=HINT)


def _is_known(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and bool(node.args) and not node.keywords
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (bool, int, float, str)) or node.value is None
    if isinstance(node, ast.Compare):
        return all(type(op) in COMPARISONS or _is_membership(op, node, k) for k, op in enumerate(node.ops))
    known = (ast.Name, ast.Load, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Tuple, ast.List, ast.And, ast.Or)
    unary = (ast.Not, ast.USub, ast.UAdd)
    return isinstance(node, (*known, *unary, ast.In, ast.NotIn)) or type(node) in {*ARITHMETIC, *COMPARISONS}


def _is_membership(op: ast.cmpop, node: ast.Compare, position: int) -> bool:
    return isinstance(op, (ast.In, ast.NotIn)) and isinstance(node.comparators[position], (ast.Tuple, ast.List))


def _evaluate(node: ast.expr, columns: Columns, rows: np.ndarray[Any, Any]) -> Value:
    """The value of a node for some rows: an array of their length, or one value for all."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return columns[node.id][rows]
    if isinstance(node, ast.BoolOp):
        return _logic(node, columns, rows)
    if isinstance(node, ast.IfExp):
        return _conditional(node, columns, rows)
    if isinstance(node, ast.Compare):
        return _compare(node, columns, rows)
    if isinstance(node, ast.UnaryOp):
        return _unary(node, _evaluate(node.operand, columns, rows))
    if isinstance(node, ast.BinOp):
        return _arithmetic(node, columns, rows)
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return FUNCTIONS[node.func.id](*(_evaluate(argument, columns, rows) for argument in node.args))


def _unary(node: ast.UnaryOp, operand: Value) -> Value:
    if isinstance(node.op, ast.Not):
        return np.logical_not(operand)
    return operator.neg(operand) if isinstance(node.op, ast.USub) else operand


def _logic(node: ast.BoolOp, columns: Columns, rows: np.ndarray[Any, Any]) -> Value:
    """``and`` and ``or``: each operand for the rows that those before it left open."""
    is_and = isinstance(node.op, ast.And)
    result = np.full(len(rows), is_and)
    open_ = np.arange(len(rows))
    for operand in node.values:
        value = np.broadcast_to(np.asarray(_evaluate(operand, columns, rows[open_])).astype(bool), open_.shape)
        result[open_] = value
        open_ = open_[value == is_and]
    return result


def _conditional(node: ast.IfExp, columns: Columns, rows: np.ndarray[Any, Any]) -> Value:
    test = np.broadcast_to(np.asarray(_evaluate(node.test, columns, rows)).astype(bool), rows.shape)
    then = np.broadcast_to(_evaluate(node.body, columns, rows[test]), (int(test.sum()),))
    orelse = np.broadcast_to(_evaluate(node.orelse, columns, rows[~test]), (int((~test).sum()),))
    result = np.empty(len(rows), np.result_type(then, orelse))
    result[test], result[~test] = then, orelse
    return result


def _compare(node: ast.Compare, columns: Columns, rows: np.ndarray[Any, Any]) -> Value:
    left, result = _evaluate(node.left, columns, rows), np.full(len(rows), True)
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        if isinstance(op, (ast.In, ast.NotIn)):
            assert isinstance(comparator, (ast.Tuple, ast.List))
            found = np.full(len(rows), False)
            for item in comparator.elts:
                found |= np.asarray(left == _evaluate(item, columns, rows)).astype(bool)
            result &= found if isinstance(op, ast.In) else ~found
            continue
        right = _evaluate(comparator, columns, rows)
        result &= np.asarray(_guarded(COMPARISONS[type(op)], left, right, rows)).astype(bool)
        left = right
    return result


def _arithmetic(node: ast.BinOp, columns: Columns, rows: np.ndarray[Any, Any]) -> Value:
    left, right = _evaluate(node.left, columns, rows), _evaluate(node.right, columns, rows)
    if isinstance(node.op, DIVISIONS):
        zero = np.flatnonzero(np.broadcast_to(np.asarray(right) == 0, rows.shape))
        if len(zero):
            raise RowError(int(rows[zero[0]]), ZeroDivisionError("division by zero"))
    return _guarded(ARITHMETIC[type(node.op)], left, right, rows)


def _guarded(function: Callable[[Value, Value], Value], left: Value, right: Value, rows: np.ndarray[Any, Any]) -> Value:
    """An operation whose exceptions name a row."""
    try:
        return function(left, right)
    except (TypeError, ValueError) as error:
        raise RowError(int(rows[0]) if len(rows) else 0, error) from None
