"""Lists with numbers of two types, such as ``[0, x]`` and ``[a[0], 1]``.

One array holds the numbers, in the type that keeps those of both; another one says which of them have this type. What
is loaded is a number that may have several types, as variables may (see `weft.frontend.several_types.forms`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast as typed

from weft.frontend.calls import inlining
from weft.frontend.calls import library_lists as library
from weft.frontend.several_types import forms, witnesses
from weft.frontend.several_types.agreement import keeps
from weft.frontend.several_types.results import NeedsTelling
from weft.frontend.values.convert import cast, join_cast
from weft.frontend.values.list_models import THERE, is_row
from weft.frontend.values.list_parts import view_of
from weft.frontend.values.scope import Context
from weft.frontend.values.values import (
    Optional,
    OtherType,
    Several,
    Static,
    Value,
    children,
    is_none,
    rebuilt,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.types import PYFLOAT, PYINT, SCALARS, Scalar


def model_of(ctx: Context, atom: n.Atom) -> Value:
    """What a number is as an element: the name of its type, or both types that it may have."""
    type = typed(Scalar, atom.type)
    known = forms.forms_of(ctx, atom)
    others = {} if known is None else forms.others_of(ctx, atom, type)
    if known is None or len(others) != 1:
        return Static(type.name)
    if known.gone is None:
        if ctx.tells is None:
            raise NeedsTelling
        return Static(type.name)
    ((other, values),) = others.items()
    constants = None if values is None else tuple(value for value in values if isinstance(value, n.Const))
    return Several(Static(type.name), THERE, OtherType(other.name, constants))


def model_of_several(value: Several) -> Several:
    """The model of an element in the form that `stored` gives it."""
    return Several(Static(typed(Scalar, scalar_type(value.item)).name), THERE, value.other)


def loaded(ctx: Context, model: Several, item: Value, own: Value) -> Value:
    """An element, which may have both types."""
    witness = typed(n.Atom, own)
    forms.set_forms(ctx, typed(n.Atom, item), {SCALARS[model.other.name]: model.other.values}, lambda: witness)
    return item


def stored(ctx: Context, value: Value, model: Value, node: ast.AST) -> Value:
    """A value with its numbers in the form that elements with a model have."""
    if isinstance(model, Several):
        type, own = scalar_type(value), SCALARS[str(typed(Static, model.item).value)]
        if type is None or type.name not in (own.name, model.other.name):
            return value
        atom = typed(n.Atom, value)
        if not witnesses.is_told(ctx, atom, own):
            return value
        is_own = witnesses.own(ctx, atom, own)
        return Several(join_cast(ctx, atom, own, ctx.location(node)), is_own, model.other)
    if isinstance(model, Static) and model.value == PYFLOAT.name and _is_whole(value):
        return cast(ctx, typed(n.Atom, value), PYFLOAT, node)
    if isinstance(model, Optional) and not isinstance(value, Optional):
        return value if is_none(value) else stored(ctx, value, model.item, node)
    inner, known = children(value), children(model)
    if len(inner) != len(known) or not inner or is_row(value):
        return value
    return rebuilt(value, [stored(ctx, one, other, node) for one, other in zip(inner, known, strict=True)])


def _is_whole(value: Value) -> bool:
    """Whether a value is a constant int that floats hold: in a list of floats from outside the function, it is one."""
    return isinstance(value, n.Const) and value.type == PYINT and keeps(PYFLOAT, forms.Form(PYINT, value))


def not_told(value: Value) -> Iterator[n.Atom]:
    """The numbers in a value that say nothing of their types."""
    if isinstance(value, (n.Var, n.Const)):
        yield value
    for child in () if isinstance(value, Several) else children(value):
        yield from not_told(child)


def for_numpy(ctx: Context, store: Value, model: Several, size: n.Atom, is_typed: bool, node: ast.AST) -> Value:
    """The array of the numbers, where ``np.array`` gives one of their own type; else it is refused when running."""
    own, other = SCALARS[str(typed(Static, model.item).value)], SCALARS[model.other.name]
    if not is_typed and _of_numpy(own) != _of_numpy(other):
        inlining.call_library(ctx, library.refuse_none_of, [typed(Several, store).own, size], node)
    return typed(Several, store).item


def _of_numpy(type: Scalar) -> str:
    """The element type of the array that NumPy makes of numbers of a type."""
    return typed(Scalar, view_of(type).element).name
