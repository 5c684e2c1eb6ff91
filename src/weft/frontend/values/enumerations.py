"""Members of enumerations: what their attributes are, and which of them is which (see `enum_members`).

A variable may be one member in one iteration and another in the next. Members that are integers are integers.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from types import FunctionType

from weft.frontend import members
from weft.frontend.calls import calls
from weft.frontend.control import conditions
from weft.frontend.source.signature import undecorated
from weft.frontend.values import objects, operators
from weft.frontend.values.enum_members import member
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ZERO, Bound, Instance, Static, Value, is_atom
from weft.ir import nodes as n
from weft.ir.types import PYINT


def attribute(ctx: Context, owner: Instance, name: str, node: ast.AST) -> Value:
    """``member.name``, ``member.value``, or what its class defines."""
    if name in ("name", "value"):
        return _of_each(ctx, owner, name, node)
    found = members.find(owner.type, name)
    if isinstance(found, property):
        return calls.call(ctx, Static(found.fget), [owner], {}, node)
    if isinstance(undecorated(found), FunctionType):
        return Bound(owner, Static(undecorated(found)))
    raise ctx.type_error(
        f"members of {owner.type.__name__} have no attribute '{name}' that Weft knows",
        node,
        hint="use the name or the value of the member, or a method of its class",
    )


def _of_each(ctx: Context, owner: Instance, name: str, node: ast.AST) -> Value:
    """A constant of each member, chosen by the place."""
    what = f"the {name} of a member of {owner.type.__name__}"
    items = [objects.constant_object(ctx, getattr(one, name), what, node) for one in _enum(owner)]
    (place,) = owner.items
    if isinstance(place, n.Const):
        return items[int(place.value.real)]
    texts = all(isinstance(item, Static) and isinstance(item.value, str) for item in items)
    if not texts and not all(is_atom(item) for item in items):
        raise ctx.type_error(
            f"{what} is neither a number nor a string, and the member is not known when compiling",
            node,
            hint="compare the member itself: s is State.RUN",
        )
    return _chosen(ctx, owner, 0, items, node)


def _enum(owner: Instance) -> list[enum.Enum]:
    """The members of the class of a member."""
    assert issubclass(owner.type, enum.Enum)
    return list(owner.type)


def _chosen(ctx: Context, owner: Instance, place: int, items: Sequence[Value], node: ast.AST) -> Value:
    """The item at the place of a member, from `place` on."""
    if place == len(items) - 1:
        return items[place]
    here = operators.equal(ctx, owner.items[0], n.Const(place, PYINT), node)
    return conditions.choose(ctx, here, lambda: items[place], lambda: _chosen(ctx, owner, place + 1, items, node), node)


def check_comparable(ctx: Context, left: Value, right: Value, node: ast.AST) -> None:
    """Refuse to compare a member that is a string or the like with what is no member of its class."""
    for one, other in ((left, right), (right, left)):
        if not isinstance(one, Instance) or getattr(one.type, "_member_type_", object) is object:
            continue
        if not isinstance(other, Instance) or other.type is not one.type:
            hint = "compare members of one class, or the value of the member: s.value"
            raise ctx.type_error("a member of an enumeration is compared with something else", node, hint=hint)


def same(ctx: Context, left: Instance, right: Instance, node: ast.AST) -> n.Atom:
    """Whether two members of one enumeration are the same."""
    return operators.equal(ctx, left.items[0], right.items[0], node)


def construct(ctx: Context, cls: type[enum.Enum], arguments: Sequence[Value], node: ast.AST) -> Value:
    """``State(value)``: the member with this value, or ValueError."""
    if len(arguments) != 1 or not is_atom(arguments[0]):
        raise ctx.type_error(f"{cls.__name__} takes one number here", node, hint="name the member")
    return _with_value(ctx, list(cls), arguments[0], node)


def _with_value(ctx: Context, rest: Sequence[enum.Enum], value: Value, node: ast.AST) -> Value:
    first, *others = rest
    known = objects.constant_object(ctx, first.value, f"the value of {first}", node)
    holds = operators.equal(ctx, known, value, node)
    one = member(first)
    if others:
        return conditions.choose(ctx, holds, lambda: one, lambda: _with_value(ctx, others, value, node), node)
    return conditions.choose(ctx, holds, lambda: one, lambda: _no_member(ctx, type(first), value, one, node), node)


def _no_member(ctx: Context, cls: type, value: Value, instead: Value, node: ast.AST) -> Value:
    operands = (value,) if isinstance(value, (n.Var, n.Const)) else (ZERO,)
    ctx.append(n.Raise("ValueError", f"{{!r}} is not a valid {cls.__qualname__}", operands, ctx.location(node)))
    ctx.environment.fall = None
    return instead
