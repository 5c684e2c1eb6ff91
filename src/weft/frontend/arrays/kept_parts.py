"""Copies of arrays in lists, which must not be told from the arrays: the finished program is looked at.

A list in Python holds the array itself. Weft's lists hold copies, which are the same where nobody writes: neither to an
array that a list gave, nor to one that was put into a list while that is there.
"""

from __future__ import annotations

from typing import TypeGuard

from weft.errors import Error, raise_all
from weft.frontend.arrays.shared_views import Facts, is_inside
from weft.frontend.values.scope import Context
from weft.ir import nodes as n
from weft.ir.types import View

STEM = "kept_part"


def check(ctx: Context, body: n.Block, returns: n.Returns) -> None:
    """Raise the refusals of arrays that could be told from their copies in lists."""
    if not ctx.kept_parts:
        return
    facts = Facts(ctx, body)
    fills = {name for name, _ in facts.writes if _is_fill(ctx, facts, name)}
    held = {part: found for part, found in ctx.kept_parts.items() if found is not None and part in facts.defined}
    listed = [a.name for a, is_listed in zip(body.yields, _listed(returns), strict=False) if is_listed and _is_array(a)]
    refusals: list[Error] = []
    for part, (base, refusal) in held.items():
        pools = facts.members(part)
        is_changed = any(name in pools and name not in fills for name, _ in facts.writes)
        leaving = [atom.name for atom in body.yields if _is_array(atom) and atom.name in pools]
        others = [other for name, (other, _) in held.items() if name != part and name in pools]
        is_list = any(name in pools for name in listed)
        if (
            is_changed
            or pools & facts.given
            or _is_written(facts, part, base, fills)
            or (leaving and (len(leaving) > 1 or _is_left(facts, pools, base)))
            or (is_list and _may_be_twice(facts, part, base, others))
        ):
            refusals.append(refusal)
    raise_all(refusals)


def _is_array(atom: n.Atom) -> TypeGuard[n.Var]:
    return isinstance(atom, n.Var) and isinstance(atom.type, View)


def _listed(returns: n.Returns) -> list[bool]:
    """Whether each yield belongs to a list of arrays that is returned."""
    if returns.kind in ("leaf", "arrays"):
        return [returns.kind == "arrays"] * max(len(returns.items), 1)
    return [flag for item in returns.items for flag in _listed(item)]


def _is_left(facts: Facts, pools: frozenset[str], base: str) -> bool:
    """Whether the caller may have an array that a list gives, too."""
    arrays = facts.members(base)
    return bool(arrays & facts.returned - pools) or (not facts.origin(base) and bool(arrays & facts.given))


def _may_be_twice(facts: Facts, part: str, base: str, others: list[str]) -> bool:
    """Whether two places of a list may have one array, which Python shows when it is written later."""
    made, here, pools = facts.origin(base), facts.defined[part], facts.members(part)
    loops = [loop for loop in facts.around(here) if facts.survives(pools, loop)]
    is_new = made and all(is_inside(made, loop) for loop in loops)
    return not is_new or base in pools or any(facts.origin(other) == made for other in others)


def _is_fill(ctx: Context, facts: Facts, name: str) -> bool:
    """Whether something is written into a part that a list has for an array."""
    while name not in ctx.kept_parts and name in facts.views:
        name = facts.views[name]
    return name in ctx.kept_parts


def _is_written(facts: Facts, part: str, base: str, fills: set[str]) -> bool:
    """Whether an array may be written after a list got it, while the list is there."""
    here, pools, arrays = facts.defined[part], facts.members(part), facts.members(base)
    end = facts.end(pools, here)
    loops = [loop for loop in facts.around(here) if facts.survives(pools, loop)]
    for written, place in facts.writes:
        if written not in arrays or written in fills:
            continue
        made = facts.origin(written)
        again = [loop for loop in loops if is_inside(place, loop)]
        if made:
            if not all(is_inside(here, loop) for loop in facts.around(made)) or made > here:
                continue
            again = [loop for loop in again if not is_inside(made, loop)]
        if here < place <= end or again:
            return True
    return False
