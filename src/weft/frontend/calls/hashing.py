"""``hash`` of integers, which is the number itself as long as it is below 2**61 - 1."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import cast as typed

from weft.frontend.arrays.tables import EXACTLY_ONE, check_arguments, function
from weft.frontend.calls import inlining, library
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYINT


@function(hash)
def _hash(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "hash", node)
    type = scalar_type(arguments[0])
    if type is None or type.kind not in "iub" or (type.kind == "u" and type.bits == 64):
        raise ctx.refusal("function", node, name="hash")
    number = cast(ctx, typed(n.Atom, arguments[0]), PYINT, node)
    return inlining.call_function(ctx, typed(FunctionType, library.hash_of), [number], {}, node)
