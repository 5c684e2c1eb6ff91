"""Functions that tune themselves: ``weft.jit(tune=30)`` spends seconds on the first call of a size class, once."""

from __future__ import annotations

import functools
import json
import time
import warnings
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

from weft.compile.store import default_store, key_of
from weft.errors import ArgumentError, Error
from weft.jit import Function
from weft.runtime.dispatch.specialisation import Options

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class TunedFunction(Generic[P, R]):
    """A compiled function that is tuned at its first calls; ``weft.jit(tune=seconds)`` makes it.

    Attributes
    ----------
    tunings
        The searches of this process, by the sizes of the arguments.
    """

    def __init__(self, function: Callable[P, R], options: Options, seconds: float) -> None:
        functools.update_wrapper(self, function)
        self.tunings: dict[str, Any] = {}
        self._plain = Function(function, options)
        self._left = seconds
        self._found: dict[tuple[object, ...], Function[..., Any]] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        given = self._plain._bind(args, kwargs)
        key = tuple(map(_class_of, given.values()))
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._tuned(tuple(given.values()))
        return cast(R, found(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<weft function {self._plain.__qualname__}, tuned when it is called>"

    def _tuned(self, given: tuple[object, ...]) -> Function[..., Any]:
        """The function at its best point; as it is where nothing is left to spend or it cannot be run twice."""
        from weft.autotune.measuring.functions import FunctionTarget, check_repeatable
        from weft.autotune.tuning import tune

        target = FunctionTarget(self._plain, given, None)
        try:
            check_repeatable(target)
        except ArgumentError as error:
            warnings.warn(f"{error.message}: it runs as it is", stacklevel=4)
            return self._plain
        key = key_of("tuned itself", target.identity, target.device, target.driver, target.size)
        stored = default_store().get("tuned", key)
        if isinstance(stored, str) and target.space is not None and json.loads(stored) in target.space:
            return target.tuned(json.loads(stored))
        if self._left <= 0.0:
            return self._plain
        begun = time.monotonic()
        try:
            best = tune(self._plain, *given, budget=self._left)
        except Error:  # the call itself says what is wrong
            return self._plain
        finally:
            self._left -= time.monotonic() - begun
        self.tunings[best.tuning.size] = best.tuning
        default_store().put("tuned", key, json.dumps(best.tuning.best.point))
        return cast("Function[..., Any]", best)


def _class_of(value: object) -> object:
    """What decides which tuned code a value gets: its type and its size class."""
    if isinstance(value, np.ndarray):
        return value.dtype, tuple((extent - 1).bit_length() for extent in value.shape)
    if isinstance(value, int) and not isinstance(value, bool):
        return value.bit_length()
    return type(value)


def seconds_to_tune(seconds: object) -> float:
    """The budget of ``jit(tune=...)``, checked."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise ArgumentError(f"tune={seconds!r}", argument="tune", hint="give seconds: tune=30")
    return float(seconds)
