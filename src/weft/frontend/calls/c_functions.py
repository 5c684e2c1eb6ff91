"""Calls of C functions of the user's, which `weft.cfunction` reads: of numbers, and of arrays element by element."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import cast as typed

from weft.frontend.arrays.expressions import elementwise, is_array
from weft.frontend.arrays.tables import function
from weft.frontend.calls.c_calls import call_c, is_taken, wrong_type
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values import operators
from weft.frontend.values.convert import converted
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Static, Value, describe_value, scalar_type
from weft.ir import nodes as n
from weft.ir.c_text import CText, parse
from weft.ir.types import Scalar


@function(call_c)
def _call_c(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    source = arguments[0]
    assert isinstance(source, Static) and isinstance(source.value, str)
    text = parse(source.value)
    given = [operators.as_scalar(ctx, value, node) for value in arguments[1:]]

    def compute(atoms: Sequence[n.Atom]) -> n.Atom:
        return _of_numbers(ctx, text, typed(str, source.value), atoms, node)

    if any(map(is_array, given)):
        return elementwise(ctx, given, compute, node)
    return compute(typed("list[n.Atom]", given))


def _of_numbers(ctx: Context, text: CText, source: str, atoms: Sequence[n.Atom], node: ast.AST) -> n.Atom:
    operands = tuple(_operand(ctx, text, position, atom, node) for position, atom in enumerate(atoms))
    return ctx.emit(n.Native(source, operands), text.result, node)


def _operand(ctx: Context, text: CText, position: int, atom: n.Atom, node: ast.AST) -> n.Atom:
    found, wanted = scalar_type(atom), text.params[position]
    known = forms_of(ctx, atom)
    types = [found, *(form.type for form in known.others)] if known is not None else [found]
    for type in types:
        if not isinstance(type, Scalar) or not is_taken(type, wanted):
            message, hint = wrong_type(text, position, describe_value(atom) if type == found else f"a {type}, perhaps")
            raise ctx.type_error(message, node, hint=hint)
    return converted(ctx, atom, wanted, node)
