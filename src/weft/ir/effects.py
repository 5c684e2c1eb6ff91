"""What a node may do besides giving a value: raise, write memory, make storage. Facts of single nodes, no analysis."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, Type, Vector
from weft.ir.visit import blocks_of

ARITHMETIC = (n.Unary, n.Binary, n.Compare, n.Select, n.Cast, n.Math, n.Fma, n.Lanes, n.Broadcast, n.ReduceLanes,
    n.RunningLanes, n.Lane, n.Pack,
)  # fmt: skip
"""Expressions whose value depends on their operands alone."""

VIEWS = (n.Subview, n.Transpose, n.Split, n.Merge, n.FieldView)
"""Expressions that make a view of the storage of another view."""

NEVER_FAIL = frozenset({
    "arctan", "arctan2", "tanh", "arcsinh", "erf", "erfc", "cbrt", "fabs", "copysign", "degrees", "radians", "hypot",
})  # fmt: skip
"""Functions of Python's ``math`` that raise for no float."""

_OVERFLOWING = frozenset({"add", "sub", "mul"})
_DIVIDING = frozenset({"truediv", "floordiv", "mod"})
_SHIFTING = frozenset({"shl", "shr"})


def may_raise(expression: n.Expression, type: Type) -> bool:
    """Whether evaluating an expression, assigned to a variable of `type`, can end the program with an exception.

    Bounds ``clamp`` count: they set the fault flag. Running out of memory does not.
    """
    if isinstance(expression, n.Load):
        return expression.bounds != "safe" and bool(expression.indices)
    if isinstance(expression, n.Binary):
        return expression.checked and binary_may_raise(expression.op, element(expression.left.type))
    if isinstance(expression, n.Unary):
        return expression.checked and _unary_may_raise(expression.op, element(expression.operand.type))
    if isinstance(expression, n.Cast):
        return expression.checked and cast_may_raise(element(expression.operand.type), element(type))
    if isinstance(expression, n.Math):
        return expression.strict and expression.name not in NEVER_FAIL
    if isinstance(expression, n.Subview):
        return expression.bounds != "safe" and any(isinstance(axis, (n.Var, n.Const)) for axis in expression.axes)
    return isinstance(expression, n.Alloc) and any(not _is_extent(atom) for atom in expression.shape)


def fails_quietly(let: n.Let) -> bool:
    """Whether a definition, if it may raise, may be computed all the same: a NaN or an infinity, which harms nothing.

    So a thread that others wait for can tell that it failed and go on. Integers could choose elements that are not
    there.
    """
    value = let.value
    operands = value.operands if isinstance(value, n.Math) else ()
    if isinstance(value, n.Binary):
        operands = (value.left, value.right)
    types = [let.var.type, *(operand.type for operand in operands)]
    return bool(operands) and all(isinstance(type, Scalar) and type.kind == "f" for type in types)


def element(type: Type) -> Type:
    """The scalar type of a vector; any other type itself."""
    return type.element if isinstance(type, Vector) else type


def binary_may_raise(op: n.BinaryOp, type: Type) -> bool:
    """Whether a checked `Binary` on operands of a type can raise for some operands."""
    if not isinstance(type, Scalar):
        return True
    if op == "pow":
        return type.weak or type.kind in "iu"
    if op in _OVERFLOWING or op in _SHIFTING:
        return type == PYINT
    return op in _DIVIDING and type.weak


def _unary_may_raise(op: n.UnaryOp, type: Type) -> bool:
    if not isinstance(type, Scalar):
        return True
    return type.weak and ((type.kind == "i" and op in ("neg", "abs")) or (type.kind == "c" and op == "abs"))


def cast_may_raise(source: Type, target: Type) -> bool:
    """Whether a checked `Cast` between two types can raise for some values."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return True
    if target == PYINT:
        return source.kind in "fc" or (source.kind == "u" and source.bits == 64)
    if target.weak or not source.weak or target.kind not in "iu":
        return False
    return source.kind in "fc" or (source.kind == "i" and (target.kind == "u" or target.bits < 64))


def _is_extent(atom: n.Atom) -> bool:
    return isinstance(atom, n.Const) and isinstance(atom.value, int) and atom.value >= 0


def is_repeatable(expression: n.Expression) -> bool:
    """Whether evaluating it again with the same operands gives the same value, whatever was stored between."""
    return not isinstance(expression, (n.Load, n.Alloc, n.Undefined))


def is_speculative(expression: n.Expression, type: Type) -> bool:
    """Whether an expression may run where the program would not run it: it cannot raise there whatever its operands.

    An unchecked operation was proven for its own place only, and so was a safe access.
    """
    if isinstance(expression, n.Binary):
        return not binary_may_raise(expression.op, element(expression.left.type))
    if isinstance(expression, n.Unary):
        return not _unary_may_raise(expression.op, element(expression.operand.type))
    if isinstance(expression, n.Cast):
        return not cast_may_raise(element(expression.operand.type), element(type))
    if isinstance(expression, n.Math):
        return not expression.strict or expression.name in NEVER_FAIL
    if isinstance(expression, n.Subview):
        return all(axis is None or isinstance(axis, n.Slice) for axis in expression.axes)
    return isinstance(expression, _ALWAYS)


_ALWAYS = (
    n.Compare, n.Select, n.Fma, n.Dim, n.Undefined, n.Lanes, n.Broadcast, n.ReduceLanes, n.RunningLanes, n.Transpose,
    n.Split, n.Mergeable, n.Merge, n.FieldView, n.Lane, n.Pack, n.Aligned, n.Room,
)  # fmt: skip


def has_effect(statement: n.Statement) -> bool:
    """Whether a statement by itself, without its blocks, must stay although nobody uses what it defines.

    A `While` must: it may never end.
    """
    if isinstance(statement, n.Let):
        return may_raise(statement.value, statement.var.type)
    return not isinstance(statement, (n.For, n.If))


def statement_may_raise(statement: n.Statement) -> bool:
    """Whether a statement or something in its blocks can end the program with an exception, or not end at all."""
    if isinstance(statement, n.Let):
        return may_raise(statement.value, statement.var.type)
    if isinstance(statement, (n.Store, n.Update)):
        return (statement.bounds != "safe" and bool(statement.indices)) or _update_may_raise(statement)
    if isinstance(statement, (n.For, n.If)):
        return any(block_may_raise(block) for block in blocks_of(statement))
    return True


def _update_may_raise(statement: n.Statement) -> bool:
    if not isinstance(statement, n.Update) or statement.op == "assign":
        return False
    return binary_may_raise(statement.op, element(statement.value.type))


def block_may_raise(block: n.Block) -> bool:
    """Whether something in a block can end the program with an exception, or not end at all."""
    return any(statement_may_raise(statement) for statement in block.statements)


def written_views(statement: n.Statement) -> Iterator[n.Var]:
    """The views that a statement writes through by itself, without its blocks."""
    if isinstance(statement, (n.Store, n.Update)):
        yield statement.view
    elif isinstance(statement, n.External):
        yield from statement.writes
