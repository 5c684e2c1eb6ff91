"""Equality as Python asks for it inside of tuples, lists and dataclasses: one object is equal to itself, NaN too.

Two numbers are certainly two objects where one was computed or read from an array after the other was there. Where
they may be one object, two NaN are refused when the program runs.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import cast as typed

from weft.frontend.calls import inlining
from weft.frontend.calls import library_lists as library
from weft.frontend.control import conditions
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import operators, references
from weft.frontend.values.scope import Context
from weft.frontend.values.values import TRUE, Instance, Object, Value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYCOMPLEX, PYFLOAT

_NEW = (n.Load, n.Binary, n.Math, n.Native, n.Fma)
"""Expressions whose value is an object that was not there before."""


def equal(ctx: Context, left: Value, right: Value, node: ast.AST) -> n.Atom:
    """Whether two items are one object, or ``left == right``."""
    if isinstance(left, Instance) and _is_one(left, right):
        return TRUE
    if (one := references.are_one(ctx, left, right, node)) is not None:
        tests = [lambda: one, lambda: operators.equal(ctx, left, right, node)]
        return conditions.short_circuit(ctx, False, tests, node)
    left, right = operators.as_scalar(ctx, left, node), operators.as_scalar(ctx, right, node)
    if not isinstance(left, (n.Var, n.Const)) or not isinstance(right, (n.Var, n.Const)):
        return operators.equal(ctx, left, right, node)
    if left == right and left.type in (PYFLOAT, PYCOMPLEX):
        return TRUE
    if are_two(ctx, left, right) or ctx.in_function:
        return operators.equal(ctx, left, right, node)
    function = typed(FunctionType, library.are_equal_items)
    return conditions.truth(ctx, inlining.call_function(ctx, function, [left, right], {}, node), node)


def _is_one(left: Instance, right: Value) -> bool:
    if isinstance(left, Object) and isinstance(right, Object):
        return left.number == right.number
    return left is right


def are_two(ctx: Context, left: Value, right: Value) -> bool:
    """Whether two values are certainly not one NaN."""
    if not isinstance(left, (n.Var, n.Const)) or not isinstance(right, (n.Var, n.Const)):
        return False
    types = [scalar_type(atom) for atom in (left, right)]
    if any(type is None or type.kind not in "fc" for type in types):
        return True
    if left == right:
        return False
    if any(isinstance(atom, n.Const) and atom.value == atom.value for atom in (left, right)):
        return True
    if left.type != right.type and forms_of(ctx, left) is None and forms_of(ctx, right) is None:
        return True
    return _is_newer(ctx, left, right) or _is_newer(ctx, right, left)


def _is_newer(ctx: Context, atom: n.Atom, other: n.Atom) -> bool:
    """Whether an atom is a new object, made when the other one was there or was made elsewhere."""
    if not isinstance(atom, n.Var) or not _is_new(ctx, atom):
        return False
    if not isinstance(other, n.Var) or _is_new(ctx, other):
        return True
    return ctx.names.numbers.get(other.name, 0) < ctx.names.numbers[atom.name]


def _is_new(ctx: Context, atom: n.Var) -> bool:
    return isinstance(ctx.definitions.get(atom.name), _NEW) and atom.name not in ctx.of_lists
