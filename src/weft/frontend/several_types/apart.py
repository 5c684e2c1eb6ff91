"""What is asked of a number that may have two types, and differs between these: its text, its class."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import cast as typed

from weft.frontend.control import conditions
from weft.frontend.several_types.forms import forms_of
from weft.frontend.several_types.results import NeedsTelling
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value
from weft.ir import nodes as n
from weft.ir.types import Scalar


def told_apart(ctx: Context, atom: n.Atom, key: Callable[[Scalar], object]) -> tuple[n.Atom, Scalar] | None:
    """Whether a number has its own type, and the other one that it may have; None where `key` is alike for all types.

    None also where nothing tells the types apart.
    """
    known = forms_of(ctx, atom)
    if known is None or not isinstance(atom.type, Scalar):
        return None
    own = key(atom.type)
    types = {form.type for form in known.others}
    if all(key(type) == own for type in types):
        return None
    if known.gone is None and ctx.tells is None:
        raise NeedsTelling
    return (known.gone(), types.pop()) if known.gone is not None and len(types) == 1 else None


def by_type(
    ctx: Context, atom: n.Atom, is_own: n.Atom, other: Scalar, compute: Callable[[n.Atom], Value], node: ast.AST
) -> Value:
    """What is computed of a number by the type that it has."""

    def own() -> Value:
        name = typed(n.Var, atom).name  # a constant has one type
        known = ctx.forms.pop(name)
        try:
            return compute(atom)
        finally:
            ctx.forms[name] = known

    return conditions.choose(ctx, is_own, own, lambda: compute(cast(ctx, atom, other, node)), node)
