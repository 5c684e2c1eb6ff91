"""Minima and maxima that start at infinity: ``m = float("inf")``, and then a loop in which `m` becomes an integer.

In CPython `m` is an integer once the loop has run, and the float if it has not. Such a loop is translated with its
first iteration beside it, in which `m` still is the constant; after it, `m` has the integers' type. Where the loop does
not run nobody may use `m`: that is tested where it is used next, and raises a TypeInferenceError. Only for loops that
cannot be left early, and whose first iteration surely makes `m` an integer.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.frontend.control.liveness import assigned
from weft.frontend.values.values import TRUE, Value, scalar_type
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, Scalar

if TYPE_CHECKING:
    from weft.frontend.values.scope import Binding, Context, Key

WEFT_ERROR = "weft.errors:TypeInferenceError"
MESSAGE = (
    "'{}' is still the float {} here, since the loop did not run, and an integer otherwise: "
    "start from the first element, or from np.iinfo(a.dtype).{}"
)


def is_infinite(value: Value | None) -> bool:
    """Whether a value is the constant infinity."""
    return isinstance(value, n.Const) and isinstance(value.value, float) and math.isinf(value.value)


def is_whole(value: Value | None) -> bool:
    """Whether a value is a variable of an integer type of NumPy."""
    type = None if value is None else scalar_type(value)
    return isinstance(value, n.Var) and isinstance(type, Scalar) and not type.weak and type.kind in "iu"


def starts(ctx: Context, node: ast.For) -> list[str]:
    """The variables of the current function that are infinite before a loop which assigns them."""
    names = sorted(assigned(node.body))
    bindings = ctx.environment.bindings
    return [s for s in names if (b := bindings.get(ctx.frame.key(s))) is not None and is_infinite(b.value)]


def message(name: str, infinity: Value | None) -> str:
    """The error of using a variable that still is infinite."""
    assert isinstance(infinity, n.Const)
    return MESSAGE.format(name, infinity.value, "max" if infinity.value == float("inf") else "min")


def check(ctx: Context, binding: Binding, node: ast.AST) -> None:
    """Raise where a variable still has the type that it had before a loop."""
    location = ctx.location(node)
    missing = ctx.emit(n.Unary("not", binding.defined, checked=False), PYBOOL, node)
    ctx.append(n.If(missing, n.Block((n.Raise(WEFT_ERROR, binding.missing, (), location),)), location=location))


def settle(ctx: Context, keys: Iterable[Key], node: ast.AST) -> None:
    """Before a loop that assigns variables: test those that may still have the types of before another one."""
    for key in keys:
        binding = ctx.environment.bindings.get(key)
        if binding is not None and binding.missing and binding.defined != TRUE:
            check(ctx, binding, node)
            ctx.environment.bindings[key] = replace(binding, defined=TRUE, missing="")


def smaller_or_larger(op: str, a: n.Atom, b: n.Atom) -> n.Atom | None:
    """``min`` or ``max`` of an infinite constant and an integer; None for other numbers."""
    for bound, other in ((a, b), (b, a)):
        if is_infinite(bound) and isinstance(bound, n.Const) and is_whole(other):
            return other if (bound.value == float("inf")) == (op == "min") else bound
    return None


def compared(op: n.CompareOp, left: n.Atom, right: n.Atom) -> bool | None:
    """What a comparison of an infinite constant and an integer gives; None for other numbers."""
    for bound, other, mirrored in ((left, right, False), (right, left, True)):
        if is_infinite(bound) and isinstance(bound, n.Const) and is_whole(other):
            above = (bound.value == float("inf")) != mirrored  # whether the left side is the larger one
            return op == "ne" if op in ("eq", "ne") else (op in ("gt", "ge")) == above
    return None
