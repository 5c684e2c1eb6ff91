"""Captured numbers that steps in Python assign or look at: compiled code keeps them in registers meanwhile.

They are read once, before the call, and written once, behind it. A step that assigns one that the program reads, or
that looks at one that the program assigns, is refused. What a step does is read from the bytecode of its function and
of the functions that it names; assignments by other ways, such as ``globals()[...]``, are not seen.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

from weft.errors import UnsupportedError
from weft.frontend.source.captured import locate
from weft.frontend.source.signature import cells, undecorated
from weft.ir.interface import Source
from weft.ir.location import Location
from weft.ir.python_calls import steps_of
from weft.ir.types import Scalar

Place = tuple[int, str]
"""The identity of a dictionary, and a name in it; of a closure cell, and its own name."""


def check(
    function: FunctionType,
    externals: Mapping[str, object],
    read: Iterable[tuple[Source, object]],
    assigned: Iterable[Source],
    place: Location,
) -> None:
    """UnsupportedError where a step and the program change, or see, each other's variables.

    Parameters
    ----------
    function
        The compiled function.
    externals
        Of its program.
    read
        Captured values that it uses, and their types.
    assigned
        Captured variables that it assigns.
    place
        What to show.
    """
    steps = steps_of(externals)
    if not steps:
        return
    outer = [source for source, type in read if source.kind in ("closure", "global") and isinstance(type, Scalar)]
    seen = {_place(function, source): source for source in outer if ":" not in source.name}
    given = {_place(function, source): source for source in assigned if source.kind != "argument"}
    for bound in steps.values():
        for where, stores in _touched(undecorated(bound.function), set()):
            if where in given or (stores and where in seen):
                raise _refusal(bound.step.name, given.get(where) or seen[where], where in given, place)


def _place(function: FunctionType, source: Source) -> Place:
    container, name = locate(function, source, {})
    return id(container), name


def _touched(function: object, known: set[CodeType]) -> Iterator[tuple[Place, bool]]:
    """The variables of modules and closures that a function uses, and whether it assigns them."""
    if not isinstance(function, FunctionType):
        return
    held = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for code in _codes(function.__code__, known):
        for step in dis.get_instructions(code):
            name = step.argval
            stores = step.opname.startswith(("STORE_", "DELETE_"))
            if step.opname.endswith("_DEREF") and name in held:
                yield (id(held[name]), name), stores
            elif step.opname.endswith(("_GLOBAL", "_NAME")):
                yield (id(function.__globals__), name), stores
    contents: dict[str, Any] = {**function.__globals__, **cells(function)}
    for name in (*function.__code__.co_names, *held):
        inner = undecorated(contents.get(name))
        if isinstance(inner, FunctionType) and inner.__code__ not in known:
            yield from _touched(inner, known)


def _codes(code: CodeType, known: set[CodeType]) -> Iterator[CodeType]:
    """A code object and those of the functions inside."""
    known.add(code)
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant, known)


def _refusal(step: str, source: Source, is_assigned: bool, place: Location) -> UnsupportedError:
    if is_assigned:
        return UnsupportedError(
            f"the step {step} uses '{source}', which the compiled function assigns",
            place,
            cause="captured variables get their new values when the compiled function returns",
            hint=f"give {source} to the step as an argument",
        )
    return UnsupportedError(
        f"the step {step} assigns '{source}', which the compiled function reads",
        place,
        cause="captured numbers are read once, before the compiled function runs",
        hint=f"let the step return the new {source}: returns=float, or what it is",
    )
