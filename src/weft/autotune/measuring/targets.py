"""What can be tuned: a kernel written by hand, a compiled function, any other callable.

A target gives a space, says what it is (for the store), and runs one candidate: its times and its answer.
"""

from __future__ import annotations

import copy
import inspect
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np

from weft.autotune.foreign.kernel import Kernel
from weft.autotune.measuring.outcomes import RejectedError
from weft.autotune.measuring.worker import outputs_of, repeated
from weft.autotune.measuring.workers import CrashError, HangError, Worker
from weft.autotune.searching.strategies import NOTHING, Prior
from weft.autotune.spaces.space import Point, Space
from weft.errors import ArgumentError, Error
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import find

Objective = Literal["time", "value"]
Run = tuple["list[float]", "dict[str, Any]"]
"""The times of a candidate and what it gave."""


class Target(Protocol):
    """Something with candidates.

    Attributes
    ----------
    name, identity, device, driver, size
        As those of `Tuning`.
    space
        Its points; None where there is one way only.
    prior
        What is known of the points.
    """

    name: str
    identity: str
    device: str
    driver: str
    size: str
    space: Space | None
    prior: Prior

    def answer(self) -> dict[str, Any] | None:
        """What every candidate must give; None for what the first one gives."""

    def run(self, point: Point, best: float | None) -> Run:
        """Run a candidate; RejectedError where it gives no answer."""

    def close(self) -> None:
        """End what was started."""


class KernelTarget:
    """A kernel written by hand, in a process of its own."""

    def __init__(
        self, kernel: Kernel, given: Sequence[Any], named: Mapping[str, Any], device: str, timeout: float
    ) -> None:
        self._kernel, self.values = kernel, kernel.bind(*given, **named)
        self.name, self.identity, self.device = kernel.name, kernel.digest, device or kernel.device
        self.size = size_of(self.values)
        self.space = kernel.space(self.values)
        self.prior = Prior(threads=self._threads)
        self._worker = Worker(self.values, timeout)
        self._timeout = timeout
        self._worker.limits(kernel.language, self.device)
        self.driver = hardware(self.device)

    def _threads(self, point: Point) -> int:
        """The threads of a group; 0 at points that cannot be started."""
        try:
            return math.prod(self._kernel.run_for(self.values, point).block)
        except Error:
            return 0

    def answer(self) -> dict[str, Any] | None:
        """By the reference of the kernel."""
        return self._kernel.answer_for(self.values)

    def run(self, point: Point, best: float | None) -> Run:
        """Compile and run it."""
        text, run = self._kernel.text_for(point, self.values), self._kernel.run_for(self.values, point)
        request = {"do": "kernel", "text": vars(text), "run": vars(run), "device": self.device, "best": best}
        return _asked(self._worker, request, self._timeout)

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def _asked(worker: Worker, request: Mapping[str, Any], timeout: float) -> Run:
    try:
        answer = worker.ask(request)
    except HangError:
        raise RejectedError("timeout", f"it took longer than {timeout:g} s") from None
    except CrashError as error:
        raise RejectedError("crashed", str(error)) from None
    if "error" in answer:
        raise RejectedError("failed", answer["error"])
    return answer["seconds"], answer["outputs"]


class CallableTarget:
    """A Python function: candidates are keyword arguments of it; it runs in this process."""

    identity = ""
    driver = ""
    device = "cpu"
    prior = NOTHING

    def __init__(self, function: Callable[..., Any], given: Sequence[Any], space: Space, objective: Objective) -> None:
        self._function, self._given, self._objective = function, given, objective
        self.name = getattr(function, "__qualname__", type(function).__qualname__)
        self.space: Space | None = space
        self.size = size_of(dict(enumerate(given)))
        _check_keywords(function, space)

    def answer(self) -> dict[str, Any] | None:
        """Unknown: that of the first candidate counts."""
        return None

    def run(self, point: Point, best: float | None) -> Run:
        """Call it with copies of the arguments."""
        return run_here(lambda *given: self._function(*given, **point), self._given, self._objective, best)

    def close(self) -> None:
        """Nothing was started."""


class ModuleTarget:
    """A function of a module, in a process of its own, which imports it by name."""

    identity = ""
    driver = ""
    device = "cpu"
    prior = NOTHING

    def __init__(
        self, function: Callable[..., Any], given: Sequence[Any], space: Space, objective: Objective, timeout: float
    ) -> None:
        self._module, self.name = _importable(function)
        self._objective, self._timeout = objective, timeout
        self.space: Space | None = space
        self._order = [f"argument {k}" for k in range(len(given))]
        _check_keywords(function, space)
        for k, value in enumerate(given):
            _check_sendable(value, k)
        self._worker = Worker(dict(zip(self._order, given, strict=True)), timeout)
        self.size = size_of(dict(enumerate(given)))

    def answer(self) -> dict[str, Any] | None:
        """Unknown: that of the first candidate counts."""
        return None

    def run(self, point: Point, best: float | None) -> Run:
        """Call it there."""
        request = {
            "do": "call", "module": self._module, "qualname": self.name, "order": self._order, "point": point,
            "objective": self._objective, "best": best,
        }  # fmt: skip
        return _asked(self._worker, request, self._timeout)

    def close(self) -> None:
        """End the process."""
        self._worker.close()


def _importable(function: Callable[..., Any]) -> tuple[str, str]:
    """The module and the name that a function can be imported by."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if module == "__main__" or found is not function:
        raise ArgumentError(
            f"{name or function!r} cannot be run in another process: it has no name in a module that can be imported",
            argument="isolate",
            hint="define it at the top of a file of its own and import it, or leave isolate=True out",
        )
    return module, name


def _check_sendable(value: object, position: int) -> None:
    plain = value is None or isinstance(value, (bool, int, float, str))
    if not plain and not (isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject):
        raise ArgumentError(
            f"argument {position} is {type(value).__name__}, which cannot go to another process",
            argument="isolate",
            hint="pass NumPy arrays, numbers and strings, or leave isolate=True out",
        )


def _check_keywords(function: Callable[..., Any], space: Space) -> None:
    """ArgumentError where a function does not take a parameter of the space."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind == p.VAR_KEYWORD for p in parameters.values()):
        return
    for name in space.parameters:
        if name not in parameters:
            raise ArgumentError(
                f"the tunable {name!r} is no parameter of {getattr(function, '__qualname__', function)}",
                argument="space",
                hint="its parameters are " + ", ".join(parameters),
            )


def run_here(
    call: Callable[..., Any], given: Sequence[Any], objective: Objective, best: float | None
) -> tuple[list[float], dict[str, Any]]:
    """Run a candidate in this process, on copies of its arguments.

    Raises
    ------
    RejectedError
        It raises.
    """

    def once() -> tuple[float, object, list[Any]]:
        copies = copy.deepcopy(list(given))
        begun = time.perf_counter()
        result = call(*copies)
        return time.perf_counter() - begun, result, copies

    try:
        taken, result, copies = once()
        if objective == "value":
            return [float(result)], {}  # type: ignore[arg-type]
        names = [f"argument {k}" for k in range(len(given))]
        outputs = outputs_of(result, dict(zip(names, copies, strict=True)), names)
        seconds = [once()[0]] if taken > 0 else [taken]  # the first run may have compiled
        repeated(lambda: once()[0], seconds, best)
        return seconds, outputs
    except Error as error:
        raise RejectedError("failed", " ".join(part for part in (error.message, error.cause) if part)) from None
    except Exception as error:
        raise RejectedError("failed", f"{type(error).__name__}: {error}") from None


def size_of(values: Mapping[Any, Any]) -> str:
    """The types and sizes of arguments as text; sizes are classes, the powers of two above them."""
    return ", ".join(f"{name}: {_size(value)}" for name, value in values.items())


def _size(value: Any) -> str:
    if hasattr(value, "dtype") and value.shape:
        return f"{value.dtype}[{', '.join(str(1 << (n - 1).bit_length() if n else 0) for n in value.shape)}]"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        return type(value).__name__
    return f"up to {1 << max(int(value) - 1, 0).bit_length()}"


def hardware(device: str) -> str:
    """The hardware and the driver of a device, as text."""
    if accelerators.is_accelerator(device):
        return " ".join(accelerators.identity(device))
    return find(device).description
