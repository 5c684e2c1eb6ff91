"""``np.random.default_rng``: its generators are instances of a class of Weft's own, which is compiled like a user's."""

from __future__ import annotations

import ast

import numpy as np

from weft.frontend.arrays.library.generators import Generator, default_rng
from weft.frontend.arrays.tables import function
from weft.frontend.calls import calls
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Instance, Static, Value, is_none, scalar_type


@function(np.random.default_rng)
def _default_rng(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """A generator of a stream that a seed stands for."""
    given = [*arguments, *keywords.values()]
    if len(given) != 1 or is_none(given[0]):
        raise ctx.refusal("generator without a seed", node)
    seed = given[0]
    if isinstance(seed, Instance) and seed.type is Generator:
        return seed
    kind = scalar_type(seed)
    if kind is None or kind.kind not in "biu":
        raise ctx.refusal("generator without a seed", node)
    return calls.call(ctx, Static(default_rng), [seed], {}, node)
