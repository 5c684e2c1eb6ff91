"""Loops over groups of neighbours, such as the channels of pixels: a second version knows how far apart groups are.

Where compilers know this distance, they load several groups at once and take them apart in registers. It is a stride
of the array, known when the program runs. So such loops are printed twice, and a test of the strides chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.backends.text.code import Code
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import bound_in, walk

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter

LARGEST = 4
"""The most elements that a group has."""


def groups_of(printer: LoopPrinter, loop: n.For) -> dict[str, int]:
    """For each view of which a loop's iterations access whole groups: the stride in bytes if groups are adjacent."""
    accessed: dict[str, set[int] | None] = {}
    moving, inside = _moving(loop), {v.name for v in bound_in(loop.body)}
    for statement in walk(loop.body):
        access = statement.value if isinstance(statement, n.Let) else statement
        if isinstance(access, (n.Load, n.Store)) and access.view.name in printer.views.keys() - inside:
            name = access.view.name
            places, member = accessed.setdefault(name, set()), _member(access, moving)
            accessed[name] = None if places is None or member is None else places | {member}
    found = {}
    for name, members in accessed.items():
        if members and members == set(range(len(members))) and 2 <= len(members) <= LARGEST:
            size = printer.views[name].element.size
            unit, outer = printer.views[name].strides[-1].text, printer.views[name].strides[-2].text
            if unit == str(size) and not outer.isdigit() and not printer.views[name].packed:
                found[name] = len(members) * size
    return found


def _moving(loop: n.For) -> set[str]:
    """Names of the counter, and of variables that are the counter plus or minus a constant."""
    names = {loop.index.name}
    for statement in loop.body.statements:
        value = statement.value if isinstance(statement, n.Let) else None
        if not isinstance(statement, n.Let) or not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            continue
        if getattr(value.left, "name", "") in names and isinstance(value.right, n.Const):
            names.add(statement.var.name)
    return names


def _member(access: n.Load | n.Store, moving: set[str]) -> int | None:
    """Which element of its iteration's group an access reads or writes; None if it is no such access."""
    type = access.view.type
    if not isinstance(type, View) or not isinstance(type.element, Scalar) or len(access.indices) < 2:
        return None
    if access.bounds != "safe":
        return None
    *outer, group, member = access.indices
    if any(isinstance(i, n.Var) and i.name in moving for i in outer) or not isinstance(member, n.Const):
        return None
    if not isinstance(member.value, int):
        return None
    return member.value if isinstance(group, n.Var) and group.name in moving else None


def condition(printer: LoopPrinter, groups: dict[str, int]) -> str:
    """The test whether the groups are adjacent in memory."""
    tests = (f"{printer.views[name].strides[-2].text} == {size}" for name, size in groups.items())
    return " && ".join(dict.fromkeys(tests))


@contextmanager
def lying_together(printer: LoopPrinter, groups: dict[str, int]) -> Iterator[None]:
    """Print what follows for groups that are adjacent in memory."""
    outer = printer.views
    printer.views = dict(outer)
    for name, size in groups.items():
        view = outer[name]
        printer.views[name] = replace(view, strides=(*view.strides[:-2], Code(str(size)), view.strides[-1]))
    try:
        yield
    finally:
        printer.views = outer
