"""Loops that run at once: `parallel_for` over ranges, `for_each` over an array."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from operator import index
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast, overload

import numpy as np

from weft.errors import ArgumentError, Error
from weft.frontend.source.signature import undecorated
from weft.runtime import _stub
from weft.runtime.arrays.arrays import Array
from weft.runtime.devices.devices import AUTO
from weft.runtime.dispatch.callee import Callee, shortened
from weft.runtime.dispatch.specialisation import Options, seconds_of

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.ir.nodes import Program
    from weft.ir.types import View

Body = TypeVar("Body", bound=Callable[..., object])
Extent: TypeAlias = "int | range"


@overload
def parallel_for(first: Extent | tuple[Extent, ...], /, *, timeout: float | None = None) -> Callable[[Body], Body]: ...


@overload
def parallel_for(first: Extent | tuple[Extent, ...], body: Body, /, *, timeout: float | None = None) -> Body: ...


@overload
def parallel_for(start: int, stop: int, /, *, timeout: float | None = None) -> Callable[[Body], Body]: ...


@overload
def parallel_for(start: int, stop: int, body: Body, /, *, timeout: float | None = None) -> Body: ...


@overload
def parallel_for(start: int, stop: int, step: int, /, *, timeout: float | None = None) -> Callable[[Body], Body]: ...


@overload
def parallel_for(start: int, stop: int, step: int, body: Body, /, *, timeout: float | None = None) -> Body: ...


def parallel_for(*arguments: Any, timeout: float | None = None) -> Any:
    """Run a body for every index, in parallel.

    Called as ``parallel_for(stop, body)``, ``parallel_for(start, stop, body)``, ``parallel_for(range(...), body)``
    or, for nested loops, ``parallel_for((n, m), body)`` with numbers or ranges, the outermost first. Without the body
    it is a decorator, which runs the function below it at once.

    The body takes one index for each range and changes the arrays that it captures in place; what it assigns by
    ``nonlocal`` or ``global`` has its last value afterwards. A body that returns `weft.STOP` ends the loop as
    ``break`` would: it has run for all lower indices.

    Parameters
    ----------
    timeout
        How many seconds the loop may take once it is compiled.

    Returns
    -------
    function
        The body, or the decorator.

    Raises
    ------
    RaceError
        Iterations touch the same element, one of them to write.
    TimeoutError
        The loop took longer than `timeout`; arrays hold what was written until then.

    Examples
    --------
    >>> import numpy as np, weft
    >>> squares = np.zeros(4)
    >>> @weft.parallel_for(4)
    ... def fill(i):
    ...     squares[i] = i * i
    >>> squares
    array([0., 1., 4., 9.])
    """
    *extents, last = arguments or (None,)
    seconds = seconds_of(timeout)
    if not callable(last) or not extents:
        ranges = _ranges(arguments)
        return functools.partial(_run_loop, ranges, seconds=seconds)
    return _run_loop(_ranges(extents), last, seconds)


def for_each(array: np.ndarray[Any, Any] | Array, body: Body, *, timeout: float | None = None) -> Body:
    """Run a body for every element of an array, in parallel: for its rows, as views, where it has more dimensions.

    Parameters
    ----------
    array
        An array of at least one dimension.
    body
        A function of one element. It changes captured arrays, or its row, in place; `weft.STOP` ends the loop.
    timeout
        As for `parallel_for`.

    Returns
    -------
    function
        The body.
    """
    function = _body(body)

    def build(types: tuple[ArgumentType, ...], memory: str) -> Program:
        from weft.frontend import build_for_each

        return build_for_each(function, cast("View", types[0]), memory)

    if not isinstance(array, (np.ndarray, Array)) or array.ndim == 0:
        raise ArgumentError("weft.for_each runs over an array of at least one dimension", argument="array")
    _call(Callee(function, Options(AUTO), build, ("for_each",)), {"array": array}, seconds_of(timeout))
    return body


def _run_loop(ranges: tuple[range, ...], body: Body, seconds: float) -> Body:
    function = _body(body)
    steps = tuple(extent.step for extent in ranges)

    def build(types: tuple[ArgumentType, ...], memory: str) -> Program:
        from weft.frontend import build_parallel_for

        return build_parallel_for(function, steps, memory)

    bounds = {"start": tuple(extent.start for extent in ranges), "stop": tuple(extent.stop for extent in ranges)}
    _call(Callee(function, Options(AUTO), build, ("parallel_for", steps)), bounds, seconds)
    return body


def _call(callee: Callee, arguments: Mapping[str, object], seconds: float) -> None:
    before = _stub.set_limit(seconds)
    try:
        callee.call(arguments)
    except Error as error:
        raise shortened(error) from error.__cause__
    finally:
        _stub.set_limit(before)


def _body(body: object) -> FunctionType:
    function = undecorated(body)
    if not isinstance(function, FunctionType):
        kind = type(body).__qualname__
        raise ArgumentError(f"the body of a loop is a Python function, not a {kind}", argument="body")
    return function


def _ranges(extents: Any) -> tuple[range, ...]:
    """The ranges that the arguments before the body stand for."""
    if len(extents) == 1 and isinstance(extents[0], tuple) and extents[0]:
        return tuple(_range(extent) for extent in extents[0])
    if len(extents) == 1:
        return (_range(extents[0]),)
    if 2 <= len(extents) <= 3:
        return (range(*map(_integer, extents)),)
    raise ArgumentError(
        "weft.parallel_for takes a range and a body",
        hint="write parallel_for(stop, body), parallel_for(start, stop, body) or parallel_for((n, m), body)",
    )


def _range(extent: object) -> range:
    return extent if isinstance(extent, range) else range(_integer(extent))


def _integer(value: object) -> int:
    try:
        return index(cast(Any, value))
    except TypeError:
        raise ArgumentError(f"the bounds of a loop are integers, not {value!r}", argument="range") from None
