"""Spaces as models of MiniZinc: parameters are variables, expressions constraints, functions tables of points."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from typing import Any

from weft.autotune.spaces.constraints import Constraint
from weft.autotune.spaces.joining import columns_of, product_chunks
from weft.autotune.spaces.space import Space
from weft.errors import ArgumentError

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "div", ast.Mod: "mod", ast.Eq: "=", ast.NotEq: "!=",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
MOST = 1 << 20
"""Combinations of values that a constraint is written out for at most."""


def model_of(space: Space, limits: Mapping[str, Any] | None = None) -> str:
    """A space as a model of MiniZinc, and the limits of a device as its data.

    Raises
    ------
    ArgumentError
        A parameter is no whole number, or counts only at some points.
    """
    return "\n".join(_lines(space, limits or {})) + "\n"


def _lines(space: Space, limits: Mapping[str, Any]) -> Iterator[str]:
    if space.conditions:
        raise ArgumentError(
            f"{next(iter(space.conditions))!r} counts only at some points", argument="form", hint="leave `when` out"
        )
    yield 'include "table.mzn";'
    for axis, most in zip("xyz", limits.get("sizes", ()), strict=False):
        yield f"int: max_wg_size_{axis} = {most};"
    for name, key in (("max_total_wg", "threads"), ("local_mem_size", "local"), ("num_compute_units", "units")):
        if key in limits:
            yield f"int: {name} = {limits[key]};"
    for name, values in space.parameters.items():
        if not all(isinstance(value, int) for value in values):
            raise ArgumentError(f"{name!r} is no whole number", argument="form", hint="number its values")
        yield f"var {{{', '.join(str(int(value)) for value in values)}}}: {name};"
    for constraint in space.constraints:
        yield f"constraint {_text(constraint, space)}; % {constraint.name}"
    yield "solve satisfy;"
    yield "output [" + ', " ", '.join(f'"{name}=", show({name})' for name in space.parameters) + "];"


def _text(constraint: Constraint, space: Space) -> str:
    counts = all(value >= 0 for name in constraint.reach for value in space.parameters[name])
    if constraint.expression is not None and counts:  # MiniZinc rounds divisions of numbers below zero towards zero
        try:
            return _condition(constraint.expression.tree)
        except KeyError:  # something that MiniZinc computes in another way, such as a division of floats
            return _table(constraint, space)
    return _table(constraint, space)


def _condition(node: ast.expr) -> str:
    if isinstance(node, ast.BoolOp):
        word = " /\\ " if isinstance(node.op, ast.And) else " \\/ "
        return "(" + word.join(map(_condition, node.values)) + ")"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"not {_condition(node.operand)}"
    if isinstance(node, ast.Compare):
        sides = [_number(side) for side in (node.left, *node.comparators)]
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        return "(" + " /\\ ".join(f"{a} {OPERATORS[type(op)]} {b}" for a, op, b in pairs) + ")"
    raise KeyError(type(node))


def _number(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value)
    if isinstance(node, ast.BinOp):
        return f"({_number(node.left)} {OPERATORS[type(node.op)]} {_number(node.right)})"
    raise KeyError(type(node))


def _table(constraint: Constraint, space: Space) -> str:
    """A constraint as the list of all combinations that it allows."""
    names = constraint.reach
    sizes = [len(space.parameters[name]) for name in names]
    if math.prod(sizes) > MOST:
        raise ArgumentError(
            f"the constraint {constraint.name!r} is a function of more than {MOST} combinations", argument="form",
            hint="write it as an expression",
        )  # fmt: skip
    allowed: list[str] = []
    for rows in product_chunks(sizes):
        kept = rows[:, constraint.holds(columns_of(rows, names, space.columns, names))]
        for row in kept.T.tolist():
            values = (int(space.parameters[name][k]) for name, k in zip(names, row, strict=True))
            allowed.append(", ".join(map(str, values)))
    return f"table([{', '.join(names)}], [|{' | '.join(allowed)}|])"
