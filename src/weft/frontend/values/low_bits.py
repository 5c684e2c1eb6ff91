"""The low bits of sums and products of Python's integers: ``(s * 25214903917 + 11) & (2**48 - 1)``, or ``% 2**48``.

Python computes all digits, and the mask keeps few of them. These depend on the same digits of the operands alone, so
arithmetic that wraps gives them. It is used where numbers that the mask lets through could overflow: generators of
random numbers and hashes. Masks of 64 bits are not there, since their results are no int64.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any
from typing import cast as typed

from weft.frontend.control import conditions
from weft.frontend.several_types.forms import forms_of
from weft.frontend.source.plain import is_computed
from weft.frontend.values.convert import cast
from weft.frontend.values.dispatch import evaluate_lazily
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ZERO, Instance, Static, Value
from weft.ir import nodes as n
from weft.ir.types import INT64, PYBOOL, PYINT, Scalar
from weft.ir.values import MAX_INT, wrap

_OPERATORS: dict[type[ast.operator], tuple[n.BinaryOp, Callable[[int, int], int]]] = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.add), ast.Mult: ("mul", operator.mul),
    ast.BitXor: ("xor", operator.or_), ast.BitOr: ("or", operator.or_),
}  # fmt: skip
"""Operators whose low bits follow from those of their operands, and a bound of their results."""


USUAL = 2**32
"""How large a mask is taken to be whose value is not known when compiling."""


def low_bits(ctx: Context, node: ast.BinOp, in_full: Callable[[], Value]) -> Value | None:
    """The value of a masked sum or product of Python's integers; None for all other operations.

    Parameters
    ----------
    in_full
        Computes it with all digits: the mask may turn out to be negative.
    """
    if not isinstance(node.op, (ast.BitAnd, ast.Mod)) or not _is_repeatable(ctx, node.right):
        return None
    if not isinstance(node.left, ast.BinOp) or not _is_tree(ctx, node.left):
        return None
    values: dict[ast.expr, n.Atom | None] = {leaf: _number(ctx, leaf) for leaf in _leaves(node.left)}
    numbers = {leaf: atom for leaf, atom in values.items() if atom is not None}
    mask = _number(ctx, node.right)
    kept = _kept(mask, isinstance(node.op, ast.Mod))
    if mask is None or kept is None or len(numbers) < len(values) or _bound(node.left, numbers, kept) <= MAX_INT:
        return None

    def masked() -> n.Atom:
        bits = n.Const(kept, INT64) if isinstance(mask, n.Const) else cast(ctx, mask, INT64, node)
        low = ctx.emit(n.Binary("and", _wrapping(ctx, node.left, numbers), bits), INT64, node)
        return cast(ctx, low, PYINT, node)

    if isinstance(mask, n.Const) or ctx.is_nonnegative(mask):
        result = masked()
        if isinstance(result, n.Var):
            ctx.nonnegative.add(result.name)
        return result
    return conditions.choose(ctx, ctx.emit(n.Compare("ge", mask, ZERO), PYBOOL, node), masked, in_full, node)


def _kept(mask: n.Atom | None, is_modulus: bool) -> int | None:
    """The bits that a mask keeps, or a power of two as a modulus; a guess, where only running the program tells."""
    if not isinstance(mask, n.Const):
        return None if is_modulus else USUAL
    kept = int(mask.value.real) - is_modulus
    return kept if 0 < kept <= MAX_INT and not (is_modulus and kept & (kept + 1)) else None


def _is_tree(ctx: Context, node: ast.expr) -> bool:
    """Whether an expression is made of these operators, and evaluating its operands twice changes nothing."""
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _is_tree(ctx, node.left) and _is_tree(ctx, node.right)
    return _is_repeatable(ctx, node)


def _is_repeatable(ctx: Context, node: ast.expr) -> bool:
    """Whether evaluating an expression twice changes nothing: it reads numbers and fields, and calls nothing."""
    if isinstance(node, ast.BinOp):
        return _is_repeatable(ctx, node.left) and _is_repeatable(ctx, node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_repeatable(ctx, node.operand)
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        value = evaluate_lazily(ctx, node)
        return isinstance(value, (n.Var, n.Const)) and isinstance(value.type, Scalar)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = evaluate_lazily(ctx, node.value)
        if isinstance(owner, Instance):
            return node.attr in owner.names and not is_computed(owner.type, node.attr)
        return isinstance(owner, Static) and isinstance(owner.value, ModuleType)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        return not isinstance(evaluate_lazily(ctx, node.value), Instance)
    return False


def _leaves(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return [*_leaves(node.left), *_leaves(node.right)]
    return [node]


def _number(ctx: Context, node: ast.expr) -> n.Atom | None:
    """One of Python's integers."""
    value: Any = evaluate_lazily(ctx, node)
    is_integer = isinstance(value, (n.Var, n.Const)) and value.type == PYINT and forms_of(ctx, value) is None
    return typed(n.Atom, value) if is_integer else None


def _bound(node: ast.expr, numbers: dict[ast.expr, n.Atom], kept: int) -> int:
    """How large the result may be where variables are no larger than what the mask keeps."""
    if node in numbers:
        atom = numbers[node]
        return abs(int(atom.value.real)) if isinstance(atom, n.Const) else kept
    assert isinstance(node, ast.BinOp)
    return _OPERATORS[type(node.op)][1](_bound(node.left, numbers, kept), _bound(node.right, numbers, kept))


def _wrapping(ctx: Context, node: ast.expr, numbers: dict[ast.expr, n.Atom]) -> n.Atom:
    if node in numbers:
        atom = numbers[node]
        return n.Const(wrap(int(atom.value.real)), INT64) if isinstance(atom, n.Const) else cast(ctx, atom, INT64, node)
    assert isinstance(node, ast.BinOp)
    left, right = _wrapping(ctx, node.left, numbers), _wrapping(ctx, node.right, numbers)
    return ctx.emit(n.Binary(_OPERATORS[type(node.op)][0], left, right), INT64, node)
