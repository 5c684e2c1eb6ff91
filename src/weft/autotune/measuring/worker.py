"""The process that runs candidates: it reads requests from its input, and answers each on its output.

What a candidate prints goes to the standard error, since the output is for messages. A candidate that crashes takes
this process with it, and one that never ends is ended with it; `workers.Worker` then
starts another one.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from weft.autotune.foreign.languages import Loaded, Run, Text, broken_limit, limits_of, loaded
from weft.autotune.measuring.messages import BrokenError, receive, send
from weft.errors import Error

RUNS = 7
"""Timed runs of a candidate at most."""
ENOUGH = 0.5
"""Seconds of timed runs after which there are no further ones."""
SLOW = 20.0
"""How many times slower than the best a candidate is that runs once."""


def main() -> None:
    """Answer requests until the input ends."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    kept: dict[str, Any] = {}
    while True:
        try:
            request = receive(sys.stdin.buffer)
        except BrokenError:
            return
        send(output, _answer(request, kept))


def _answer(request: Mapping[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """What a request gives: never an exception."""
    try:
        if request["do"] == "keep":
            kept.update(request["arguments"])
            return {}
        if request["do"] == "limits":
            return {"limits": limits_of(request["language"], request["device"])}
        return (_kernel if request["do"] == "kernel" else _callable)(request, kept)
    except Error as error:
        return {"error": " ".join(part for part in (error.message, error.cause) if part)}
    except Exception as error:  # what a candidate raises is its result
        return {"error": f"{type(error).__name__}: {error}"}


def _kernel(request: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Compile a kernel, run it once for its answer, then as often as it pays."""
    told: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in request["run"].items()}
    run = Run(**told)
    text = Text(**{**request["text"], "options": tuple(request["text"]["options"])})
    kernel = loaded(text, request["device"])
    broken = broken_limit(run, limits_of(text.language, request["device"]))
    if broken:
        return {"error": broken}
    arguments = fresh(kept)
    seconds = [answered(kernel, arguments, run)]
    outputs = {name: arguments[name] for name in run.writes}
    arguments = fresh(kept)
    kernel.prepare(arguments, run)
    repeated(lambda: kernel.start(arguments, run), seconds, request["best"])
    return {"seconds": seconds, "outputs": outputs}


def answered(kernel: Loaded, arguments: Mapping[str, Any], run: Run) -> float:
    """Run a kernel on arrays, which have what it wrote afterwards; the seconds it took."""
    kernel.prepare(arguments, run)
    seconds = kernel.start(arguments, run)
    kernel.finish(arguments, run)
    return seconds


def fresh(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Copies of arrays; numbers as they are, zero-dimensional arrays as numbers."""
    return {name: _fresh(value) for name, value in kept.items()}


def _fresh(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy() if value.ndim else value[()]
    return value


def repeated(start: Callable[[], float], seconds: list[float], best: float | None) -> None:
    """Add further runs, unless the first was far slower than the best candidate so far."""
    if best is not None and seconds[0] > SLOW * best:
        return
    begun = time.perf_counter()
    while len(seconds) <= RUNS and (len(seconds) < 3 or time.perf_counter() - begun < ENOUGH):
        seconds.append(start())


def _callable(request: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Call a function of a module."""
    target: Any = importlib.import_module(request["module"])
    for part in request["qualname"].split("."):
        target = getattr(target, part)
    names = request["order"]
    arguments = fresh(kept)
    begun = time.perf_counter()
    result = target(*(arguments[name] for name in names), **request["point"])
    seconds = [time.perf_counter() - begun]
    if request["objective"] == "value":
        return {"seconds": [float(result)], "outputs": {}}

    def again() -> float:
        copies = fresh(kept)
        started = time.perf_counter()
        target(*(copies[name] for name in names), **request["point"])
        return time.perf_counter() - started

    repeated(again, seconds, request["best"])
    return {"seconds": seconds, "outputs": outputs_of(result, arguments, names)}


def outputs_of(result: object, arguments: Mapping[str, Any], names: list[str]) -> dict[str, Any]:
    """What a call gave: the arrays and numbers that it returned, and the arrays that it was given."""
    parts = result if isinstance(result, (tuple, list)) else (result,)
    returned = {
        f"result {k}": part for k, part in enumerate(parts) if isinstance(part, (np.ndarray, np.generic, *_NUMBERS))
    }
    return {**returned, **{name: arguments[name] for name in names if isinstance(arguments[name], np.ndarray)}}


_NUMBERS = (bool, int, float)

if __name__ == "__main__":
    main()
