"""Actors: functions of tokens with rates. Calling one with a stream, inside of a graph function, places it there."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, overload

import numpy as np

from weft.dataflow.analysis.rates import Rate, rates_of
from weft.dataflow.streams import Stream, is_tracing, place_actor
from weft.errors import ArgumentError

PYTHON = "python"
"""The device of actors that are ordinary Python."""

_NOTHING: Any = object()


class Actor:
    """A function of tokens and its rates; see `actor`. Outside of a graph it is the plain function."""

    def __init__(
        self,
        function: FunctionType,
        consumes: Any,
        produces: Any,
        peek: Any,
        state: Any,
        device: str | None,
        dtype: Any,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = function.__name__.replace("<lambda>", "unnamed")
        self.has_state = state is not _NOTHING
        self.state = state if self.has_state else None
        self.device = device
        self.inputs = _inputs(function, self.has_state)
        self.consumes = rates_of(consumes, "consumes", self.inputs)
        self.produces = _produces(produces)
        self.peeks = _peeks(peek, self.consumes, self.inputs)
        self.dtypes = _dtypes(dtype, len(self.produces))

    @property
    def is_python(self) -> bool:
        """Whether it is run by Python."""
        return self.device == PYTHON

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        is_source = not self.inputs and is_tracing()
        if not is_source and not any(isinstance(value, Stream) for value in (*args, *kwargs.values())):
            return self.function(*args, **kwargs)
        names = self.inputs
        given = dict(zip(names, args, strict=False)) | kwargs
        missing = [name for name in names if not isinstance(given.get(name), Stream)]
        if missing or len(args) + len(kwargs) != len(names):
            raise ArgumentError(
                f"the actor {self.name} takes the streams {', '.join(names)}",
                argument=missing[0] if missing else "",
                hint="pass a stream for each; numbers are captured or state",
            )
        return place_actor(self, [given[name] for name in names])

    def __repr__(self) -> str:
        return f"<actor {self.name}>"


def _inputs(function: FunctionType, has_state: bool) -> tuple[str, ...]:
    names = tuple(inspect.signature(function).parameters)
    if has_state and not names:
        raise ArgumentError(
            f"the actor {function.__name__} has state and takes no argument for it", hint="add a last parameter `state`"
        )
    return names[: len(names) - has_state]


def _produces(given: Any) -> tuple[Rate, ...]:
    count = len(given) if isinstance(given, (list, dict)) else 1
    if given is None or given == []:
        return ()
    names = tuple(given) if isinstance(given, dict) else tuple(f"output {k}" for k in range(count))
    return rates_of(given, "produces", names)


def _peeks(given: Any, consumes: tuple[Rate, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    if given is None:
        return tuple(rate[0] if len(rate) == 1 else 0 for rate in consumes)
    found = tuple(rate[0] for rate in rates_of(given, "peek", names))
    for rate, peek in zip(consumes, found, strict=True):
        if peek < max(rate) or len(rate) > 1:
            raise ArgumentError(
                f"peek={peek} where {rate if len(rate) > 1 else rate[0]} tokens are consumed",
                argument="peek",
                hint="look at as many tokens as are consumed, or more; cyclo-static ports do not peek",
            )
    return found


def _dtypes(given: Any, count: int) -> tuple[np.dtype[Any] | None, ...]:
    if given is None:
        return (None,) * count
    items = list(given) if isinstance(given, (list, tuple)) else [given] * count
    if len(items) != count:
        raise ArgumentError(f"{len(items)} dtypes for {count} outputs", argument="dtype")
    return tuple(np.dtype(item) for item in items)


@overload
def actor(function: Callable[..., Any], /) -> Actor: ...


@overload
def actor(
    *,
    consumes: Any = 1,
    produces: Any = 1,
    peek: Any = None,
    state: Any = _NOTHING,
    device: str | None = None,
    dtype: Any = None,
) -> Callable[[Callable[..., Any]], Actor]: ...


def actor(
    function: Any = None,
    /,
    *,
    consumes: Any = 1,
    produces: Any = 1,
    peek: Any = None,
    state: Any = _NOTHING,
    device: str | None = None,
    dtype: Any = None,
) -> Any:
    """Make an actor of a function: usable as ``@dataflow.actor`` and ``@dataflow.actor(consumes=512, produces=1)``.

    A port whose rate is 1 hands over one number; any other rate, a vector. Vectors that an actor is given are
    read-only.

    Parameters
    ----------
    function
        A function of one argument for each input port, and then of its state, if it has one. It returns one value for
        each output port, and then its next state.
    consumes
        The tokens that a firing takes: a number for all ports, a list with one for each, or a dictionary by parameter
        names. A tuple is a cyclo-static rate: one number for each firing in turn, handed over as vectors.
    produces
        The tokens that a firing gives: a number, a tuple, or a list of these for several outputs. ``[]``: nothing.
    peek
        How many tokens a firing looks at, from those it consumes on; windows overlap then. As `consumes`.
    state
        The first state: a number, an array, or a tuple of these, also a named one; for host actors any object. Each run
        begins with a copy; only what cannot be copied, such as an open file, is shared by runs.
    device
        Where it runs, as in `weft.device`; ``"python"``: ordinary Python on the host.
    dtype
        Of the outputs of a host actor, one or one for each; by default the type of its first input.

    Returns
    -------
    Actor

    Examples
    --------
    >>> from weft import dataflow
    >>> @dataflow.actor(consumes=2, produces=1)
    ... def mean(pair):
    ...     return (pair[0] + pair[1]) / 2
    >>> mean
    <actor mean>
    """
    if function is None:
        options = {"consumes": consumes, "produces": produces, "peek": peek, "state": state}
        return functools.partial(_actor, device=device, dtype=dtype, **options)
    return _actor(function, consumes, produces, peek, state, device, dtype)


def _actor(function: Any, consumes: Any, produces: Any, peek: Any, state: Any, device: str | None, dtype: Any) -> Actor:
    plain = getattr(function, "__wrapped__", function)
    if not isinstance(plain, FunctionType):
        raise ArgumentError(
            f"an actor is a Python function, not {function!r}",
            argument="function",
            hint="write a function that calls it: dataflow.actor(lambda x: thing(x))",
        )
    return Actor(plain, consumes, produces, peek, state, device, dtype)
