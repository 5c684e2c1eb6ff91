"""How the Python result is put together from the flat yields of a program."""

from __future__ import annotations

import sys

from weft.frontend import members
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Instance, Static, Value, describe_value, with_article
from weft.ir import nodes as n


def returns_of(ctx: Context, value: Value) -> n.Returns:
    """The shape of a result."""
    if isinstance(value, (n.Var, n.Const)):
        return n.Returns("leaf")
    if isinstance(value, tuple):
        return n.Returns("tuple", tuple(returns_of(ctx, item) for item in value))
    if isinstance(value, Instance):
        if members.watched_fields(value.type):
            raise ctx.refusal("own constructor", ctx.frame.node, name=value.type.__name__)
        return n.Returns("record", tuple(returns_of(ctx, item) for item in value.items), _constructor(ctx, value.type))
    if isinstance(value, Static) and value.value is None:
        return n.Returns("none")
    if isinstance(value, Static) and isinstance(value.value, str):
        return n.Returns("constant", constant=value.value)
    raise ctx.type_error(
        f"{with_article(describe_value(value))} cannot be returned from compiled code",
        ctx.frame.node,
        hint="return arrays, numbers, None, or tuples and dataclasses of these",
    )


def _constructor(ctx: Context, cls: type) -> str:
    """The name of a class; one that no module holds is kept beside the program."""
    name = f"{cls.__module__}:{cls.__qualname__}"
    found: object = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        found = getattr(found, part, None)
    if found is not cls:
        ctx.externals[name] = cls
    return name
