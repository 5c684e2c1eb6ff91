"""Extents of 1 that a call's arrays have where they are broadcast, found without the compiler."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.transform.safety.shapes import Meetings

_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "min": min, "max": max,
    "and": lambda a, b: a and b, "or": lambda a, b: a or b,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "select": lambda condition, then, orelse: then if condition else orelse, "is": lambda value: value,
}  # fmt: skip


def ones_of(meetings: Meetings, leaves: Sequence[object]) -> tuple[str, ...]:
    """Names of the extents of 1 that meet others; none where all is as the usual variant assumes."""
    steps, pairs = meetings
    values: dict[int | str, Any] = {f"#{k}": leaf for k, leaf in enumerate(leaves)}
    for name, what, operands in steps:
        if what == "dim":
            position, axis = operands
            values[name] = values[f"#{position}"].shape[axis]
        else:
            values[name] = _OPERATIONS[what](*(values.get(k, k) for k in operands))
    found: set[str] = set()
    is_usual = True
    for left, right, single in pairs:
        sizes = values[f"={left}"], values[f"={right}"]
        found.update(name for name, size in zip((left, right), sizes, strict=True) if size == 1)
        is_usual &= sizes[0] == sizes[1] if single < 0 else sizes[single] == 1 != sizes[1 - single]
    return () if is_usual else tuple(sorted(found))
