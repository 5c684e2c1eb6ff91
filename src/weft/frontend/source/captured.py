"""Where the captured values of a compiled function are kept, how they are read at a call and written after it.

The name of a `Source` of kind ``closure`` or ``global`` is ``name`` for the function's own variables, ``helper:name``
for those of a function that it calls, ``<module>.name`` for those of a module.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from importlib import import_module
from types import CellType, FunctionType, MappingProxyType
from typing import Any, TypeAlias

from weft.frontend.source.signature import cells, undecorated
from weft.ir.interface import Source


def locate(function: FunctionType, source: Source, arguments: Mapping[str, object]) -> tuple[Any, str]:
    """The closure cell or dictionary that keeps a captured variable, and its name there.

    Parameters
    ----------
    function
        The function that was compiled.
    source
        What to find.
    arguments
        The arguments of the call by name: a function among them may have captured values of its own.
    """
    *helpers, last = source.name.split(":")
    owner: object = function
    for helper in helpers:
        owner = _helper(owner, helper, arguments if owner is function else {})
    if last.startswith("<"):
        module, name = _parts(last)
        return vars(import_module(module[1:-1])), name
    assert isinstance(owner, FunctionType)
    if source.kind == "closure" and last in owner.__code__.co_freevars:
        return (owner.__closure__ or ())[owner.__code__.co_freevars.index(last)], last
    return owner.__globals__, last


ArraysOf: TypeAlias = "Callable[[list[Any]], Sequence[object]]"
"""A function that makes the arrays that stand for a list while a call runs."""


def read(
    function: FunctionType, source: Source, arguments: Mapping[str, object], arrays: ArraysOf | None = None
) -> object:
    """The value of a captured variable now; with `arrays`, one of the arrays that stand for a list.

    Raises
    ------
    NameError
        It has none.
    """
    if source.kind == "function":
        return _followed(arguments[source.name], source.path)
    container, name = locate(function, source, arguments)
    try:
        value: object = container.cell_contents if isinstance(container, CellType) else container[name]
    except (KeyError, ValueError):
        if not hasattr(builtins, name):
            raise NameError(f"name '{name}' is not defined") from None
        value = getattr(builtins, name)
    if arrays is not None and source.path and type(value) is list:
        return arrays(value)[int(source.path[0])]
    found = _followed(value, source.path)
    return int(found) if isinstance(found, Enum) and isinstance(found, int) else found


def _followed(value: object, path: tuple[str | int, ...]) -> object:
    for part in path:
        value = _inner(value, part)
    return value


_NOTHING: Mapping[str, object] = MappingProxyType({})


def write(function: FunctionType, source: Source, value: object, arguments: Mapping[str, object] = _NOTHING) -> None:
    """Give a captured variable, or a field of an argument, the value that the program left."""
    if source.kind == "argument":
        owner, last = owner_of(source, arguments), str(source.path[-1])
        if isinstance(owner, Enum):  # another member in its place
            member = list(type(owner))[int(str(value))]
            write(function, Source(source.kind, source.name, source.path[:-1]), member, arguments)
        elif isinstance(owner, dict):
            owner[last] = value
        else:
            setattr(owner, last, value)
        return
    container, name = locate(function, source, {})
    if isinstance(container, CellType):
        container.cell_contents = value
    else:
        container[name] = value


def owner_of(source: Source, arguments: Mapping[str, object]) -> object:
    """The object whose field a source is."""
    owner = arguments[source.name]
    for part in source.path[:-1]:
        owner = _inner(owner, part)
    return owner


def _inner(value: Any, part: str | int) -> object:
    """An item of a tuple, a cell of a function's closure, or an attribute."""
    if isinstance(part, int) or type(value) is dict:
        return value[part]
    return cells(value)[part] if isinstance(value, FunctionType) else getattr(value, part)


def _helper(owner: object, step: str, arguments: Mapping[str, object]) -> object:
    first, *rest = _parts(step)
    if first.startswith("<"):
        value: Any = import_module(first[1:-1])
    elif first in arguments:
        value = arguments[first]
    else:
        assert isinstance(owner, FunctionType)
        contents = cells(owner)
        value = contents[first] if first in contents else owner.__globals__[first]
    for name in rest:
        value = getattr(value, name)
    value = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
    return undecorated(value)


def _parts(step: str) -> list[str]:
    """``<module>.a.b`` or ``a.b`` in its parts; the name of a module may have dots."""
    if not step.startswith("<"):
        return step.split(".")
    module, _, rest = step.partition(">")
    return [module + ">", *rest.lstrip(".").split(".")]
