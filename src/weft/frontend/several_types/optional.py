"""Values that are None in some runs: a flag, and what the value is where the flag holds.

Where two ways meet of which one leaves None, the variable becomes an `Optional`. What tests of its flag tell is kept
in `Environment.facts`: where the flag is known to hold, the variable is its item, and None where it does not. Where
nothing is known, arithmetic raises CPython's TypeError; what may do something else with None is refused.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast as typed

from weft.errors import Error
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import as_text, is_text, is_textual
from weft.frontend.values.values import (
    FALSE,
    ITERATORS,
    NONE,
    TRUE,
    UNSET,
    ArrayExpression,
    Bound,
    Closure,
    Instance,
    Object,
    Optional,
    Super,
    Value,
    children,
    describe_value,
    is_none,
    is_view,
    map_leaves,
    rebuilt,
    same_structure,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar

Fill = Callable[[n.Atom], n.Atom]
"""A value of the type of an atom that nobody uses."""

_NEVER_NONE = (*ITERATORS, ArrayExpression, Bound, Closure, Super)


def zero(type: Scalar) -> n.Const:
    """The number that stands in place of one that is absent."""
    value = {"c": 0j, "f": 0.0, "b": False}.get(type.kind, 0)
    return n.Const(value, type)


def filler(ctx: Context, atom: n.Atom, location: Location) -> n.Atom:
    """A value of the type of an atom that nobody uses."""
    if isinstance(atom.type, Scalar):
        return zero(atom.type)
    return ctx.emit(n.Undefined(), atom.type, location, "undefined")


def paired(a: Value, b: Value, fills: tuple[Fill, Fill]) -> tuple[Value, Value] | None:
    """Two values as ones that differ in their atoms at most; None where they differ in more than what is None.

    Parameters
    ----------
    a, b
        What two ways leave of one variable.
    fills
        For each way, what stands in the place of numbers and arrays that are absent.

    Returns
    -------
    tuple of Value, or None
        Both values, with an `Optional` wherever one of them is None and the other is not.
    """
    if same_structure(a, b):
        return a, b
    if is_textual(a) and is_textual(b):
        return as_text(a), as_text(b)
    if is_none(a) or is_none(b) or isinstance(a, Optional) or isinstance(b, Optional):
        return _as_optionals(a, b, fills)
    if type(a) is not type(b) or not isinstance(a, (tuple, Instance)):
        return None
    inner, other = children(a), children(b)
    is_same = not isinstance(a, Instance) or same_structure(a, rebuilt(b, inner) if len(inner) == len(other) else b)
    if len(inner) != len(other) or not is_same:
        return None
    pairs = [paired(x, y, fills) for x, y in zip(inner, other, strict=True)]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        return None
    return rebuilt(a, [x for x, _ in known]), rebuilt(b, [y for _, y in known])


def _as_optionals(a: Value, b: Value, fills: tuple[Fill, Fill]) -> tuple[Value, Value] | None:
    items = [value.item if isinstance(value, Optional) else value for value in (a, b)]
    if any(isinstance(item, _NEVER_NONE) or item is UNSET for item in items):
        return None
    one, other = items
    if is_none(one):
        one = map_leaves(other, fills[0])
    elif is_none(other):
        other = map_leaves(one, fills[1])
    pair = paired(one, other, fills)
    if pair is None or isinstance(pair[0], Optional):
        return None
    first, second = (
        Optional(FALSE if is_none(value) else value.there if isinstance(value, Optional) else TRUE, item)
        for value, item in zip((a, b), pair, strict=True)
    )
    return first, second


def like(pattern: Value, value: Value, fill: Fill) -> Value:
    """A value in the form of a pattern that holds it."""
    if isinstance(pattern, Optional):
        if is_none(value):
            return Optional(FALSE, map_leaves(pattern.item, fill))
        there, item = (value.there, value.item) if isinstance(value, Optional) else (TRUE, value)
        return Optional(there, like(pattern.item, item, fill))
    if is_text(pattern) and is_textual(value):
        return as_text(value)
    inner, other = children(pattern), children(value)
    if not inner or len(inner) != len(other):
        return value
    return rebuilt(value, [like(x, y, fill) for x, y in zip(inner, other, strict=True)])


def holds_optional(value: Value) -> bool:
    """Whether a value may be None, or has a part that may be."""
    return isinstance(value, Optional) or any(map(holds_optional, children(value)))


# ------------------------------------------------------------------------------------------------ what tests tell


def assume(ctx: Context, atom: n.Atom, holds: bool) -> None:
    """Note that a Boolean has this value from here on, and what follows from it."""
    if not isinstance(atom, n.Var):
        return
    ctx.environment.facts |= {(atom.name, holds)}
    made = ctx.definitions.get(atom.name)
    if isinstance(made, n.Unary) and made.op == "not":
        assume(ctx, made.operand, not holds)
    elif isinstance(made, n.Binary) and made.op == ("and" if holds else "or"):
        assume(ctx, made.left, holds)
        assume(ctx, made.right, holds)
    when, others = ctx.implied.get(atom.name, (not holds, ()))
    if when == holds:
        for other, truth in others:
            assume(ctx, other, truth)


def known(ctx: Context, atom: n.Atom) -> bool | None:
    """The value of a Boolean where tests around tell it."""
    if isinstance(atom, n.Const):
        return bool(atom.value)
    return next((truth for truth in (True, False) if (atom.name, truth) in ctx.environment.facts), None)


def narrowed(ctx: Context, value: Value) -> Value:
    """A value that may be None, as what tests around tell of it."""
    if not isinstance(value, Optional):
        return value
    holds = known(ctx, value.there)
    return value if holds is None else value.item if holds else NONE


# ------------------------------------------------------------------------------------------------------- uses


def refusal(ctx: Context, value: Value, node: ast.AST) -> Error:
    """The error of using a value that may be None where that means something else."""
    what = ast.unparse(node) if isinstance(node, ast.expr) else "this"
    return ctx.type_error(
        f"'{what}' may be None here",
        node,
        cause=f"it is {describe_value(value)}, by its value",
        hint=f"test it before: if {what} is not None"
        if isinstance(node, ast.Name)
        else "give it a name, and test that",
    )


def is_absent(ctx: Context, value: Optional, node: ast.AST) -> n.Atom:
    """Whether a value is None."""
    if isinstance(value.there, n.Const):
        return FALSE if value.there.value else TRUE
    return ctx.emit(n.Unary("not", value.there, checked=False), PYBOOL, node)


def operands(ctx: Context, op: ast.AST, symbol: str, values: Sequence[Value], node: ast.AST) -> list[Value]:
    """Operands of an operator that has no meaning for None: it raises CPython's TypeError when it is there."""
    found = [narrowed(ctx, value) for value in values]
    if not any(isinstance(value, Optional) for value in found):
        return found
    missing = [(k, is_absent(ctx, value, node)) for k, value in enumerate(found) if isinstance(value, Optional)]
    cases = [([k], absent) for k, absent in missing]
    if len(missing) == 2:
        (first, one), (second, other) = missing
        both = ctx.emit(n.Binary("and", one, other, checked=False), PYBOOL, node)
        cases.insert(0, ([first, second], both))
    location = ctx.location(node)
    for places, absent in cases:
        samples = [None if k in places else _sample(value) for k, value in enumerate(found)]
        if any(sample is _NO_SAMPLE for sample in samples):
            raise refusal(ctx, found[places[0]], node)
        fault = n.Raise("TypeError", _message(op, symbol, samples, isinstance(node, ast.AugAssign)), (), location)
        ctx.append(n.If(absent, n.Block((fault,)), location=location, rare=True))
    for k, value in enumerate(found):
        if isinstance(value, Optional):
            assume(ctx, value.there, True)
            found[k] = value.item
    return found


def owner_of(ctx: Context, owner: Value, name: str, node: ast.AST, is_target: bool = False) -> Value:
    """What an attribute is read or assigned of. Where it is None in place of an object, CPython's AttributeError."""
    owner = narrowed(ctx, owner)
    if not isinstance(owner, Optional) or not isinstance(owner.item, Instance) or hasattr(None, name):
        return owner
    rest = " and no __dict__ for setting new attributes" if is_target and sys.version_info >= (3, 12) else ""
    message = f"'NoneType' object has no attribute '{name}'{rest}"
    location = ctx.location(node)
    fault = n.Raise("AttributeError", message, (), location)
    ctx.append(n.If(is_absent(ctx, owner, node), n.Block((fault,)), location=location, rare=True))
    assume(ctx, owner.there, True)
    return owner.item


_NO_SAMPLE = object()
_SAMPLES: dict[Scalar, object] = {PYBOOL: True, PYINT: 1, PYFLOAT: 1.0, PYCOMPLEX: 1j}


def _sample(value: Value) -> object:
    """A value of the same class, for which CPython says why there is no such operation."""
    if isinstance(value, Optional):
        return _sample(value.item)
    type = scalar_type(value)
    if type is None:
        return None if is_none(value) else _NO_SAMPLE
    return _SAMPLES.get(type, type.dtype.type(1))


_OPERATORS: dict[type[ast.AST], Callable[..., object]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Lt: operator.lt,
    ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def _message(op: ast.AST, symbol: str, samples: Sequence[object], augmented: bool) -> str:
    """What CPython says of operands of which one is None."""
    function = _OPERATORS[type(op)]
    try:
        (getattr(operator, f"i{function.__name__.strip('_')}") if augmented else function)(*samples)
    except TypeError as error:
        return str(error).replace("{", "{{").replace("}", "}}")
    raise AssertionError(f"{symbol} takes None")


def returned(ctx: Context, value: Optional, item: Callable[[], Value], node: ast.AST) -> Value:
    """A value that is returned and may be None: what stands in its place is made where it is absent."""
    from weft.frontend.control.conditions import choose

    def absent() -> Value:
        return map_leaves(made[0], partial(_empty, ctx, node))

    made: list[Value] = []

    def present() -> Value:
        made.append(item())
        return made[0]

    return Optional(value.there, choose(ctx, value.there, present, absent, node))


def _empty(ctx: Context, node: ast.AST, atom: n.Atom) -> n.Atom:
    """A number, or an array without elements."""
    if not is_view(atom):
        return zero(typed(Scalar, atom.type))
    view = view_type(typed(n.Var, atom))
    if not view.contiguous or not view.writable:
        raise ctx.type_error("a view of an array, or None, is returned", node, hint="return a copy of it")
    return ctx.emit(n.Alloc((zero(PYINT),) * view.ndim, view.element), replace(view), node, "absent")


def is_object(value: Value) -> bool:
    """Whether a value may be None, or be an object whose fields are assigned."""
    return isinstance(value, Optional) and isinstance(value.item, Object)
