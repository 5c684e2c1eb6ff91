"""Measures how fast devices run nests of loops; `speeds` keeps the figures.

The nests are small programs that Weft compiles for the device like any other. A loop around each repeats it, so that
what a call costs is told from what a nest costs, and so that the host does not wait between them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from datetime import date
from types import FunctionType
from typing import Any

import numpy as np

from weft.cost.speed import STEPS, Curve, Speed, driver_of
from weft.cost.work import KINDS, PRODUCT
from weft.machine import timing
from weft.runtime.arrays.arrays import Array, empty
from weft.runtime.devices import accelerators, copying, queues, speeds
from weft.runtime.devices.devices import CPU, find
from weft.runtime.dispatch.callee import Callee
from weft.runtime.dispatch.specialisation import Options

LENGTHS = tuple(1 << power for power in (8, 11, 14, 16, 18, 20, 22, 24))
"""Elements of the three float32 arrays of the nests that touch much memory."""

ITERATIONS = tuple(1 << power for power in (5, 8, 11, 14, 17))
"""Iterations of the nests that compute much."""

SIDES = (16, 32, 64, 128, 256)
"""Extents of the nests that read neighbours."""

SATURATED = 1 << 14
"""Iterations at which the kinds of operations are compared on the processor; a device gets 16 times as many."""

REPEATS, KERNELS = 8, 64
"""How often a nest is repeated in the longer of two programs: on the processor, and on a device, which queues many."""

SIDE, DEVICE_SIDE = 256, 1024
"""The extents of matrices that are multiplied, on processors and on others: of smaller ones threads take most of the
time to begin, and a GPU has too few blocks."""

LARGE = 1 << 20
"""Elements from which on a nest takes longer than it takes to queue one."""

POLICY = timing.Policy(window=5, threshold=0.05, cap=0.03, fewest=5, batch=2e-4)


# ------------------------------------------------------------------------------------------------------- programs


def _added(u: Any, v: Any, w: Any, repeats: int) -> None:
    """Three arrays that are touched once."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            v[i] = u[i] + w[i]
        u, v = v, u


def _smoothed(u: Any, v: Any, repeats: int) -> None:
    """The mean of four neighbours."""
    for _ in range(repeats):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def _computed(u: Any, v: Any, repeats: int) -> None:
    """`STEPS` multiplications and additions in eight chains that do not wait for one another."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            a = u[i]
            b, c, d, e, f, g, h = a + 1.0, a + 2.0, a + 3.0, a + 4.0, a + 5.0, a + 6.0, a + 7.0
            for _ in range(16):
                a = a * 0.5 + 1.0
                b = b * 0.5 + 1.0
                c = c * 0.5 + 1.0
                d = d * 0.5 + 1.0
                e = e * 0.5 + 1.0
                f = f * 0.5 + 1.0
                g = g * 0.5 + 1.0
                h = h * 0.5 + 1.0
            v[i] = a + b + c + d + e + f + g + h
        u, v = v, u


def _chained(u: Any, v: Any, repeats: int) -> None:
    """`STEPS` multiplications and additions, each of which waits for the one before."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            a = u[i]
            for _ in range(128):
                a = a * 0.5 + 1.0
            v[i] = a
        u, v = v, u


def _divided(u: Any, v: Any, repeats: int) -> None:
    """`FEW` divisions."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            a = 1.5 / (u[i] + 1.0)
            b = 1.5 / (u[i] + 2.0)
            c = 1.5 / (u[i] + 3.0)
            d = 1.5 / (u[i] + 4.0)
            v[i] = 1.5 / (a + 1.0) + 1.5 / (b + 1.0) + 1.5 / (c + 1.0) + 1.5 / (d + 1.0)
        u, v = v, u


def _exponentials(u: Any, v: Any, repeats: int) -> None:
    """`FEW` functions."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            a = np.exp(-u[i])
            b = np.exp(-u[i] - 1.0)
            c = np.exp(-u[i] - 2.0)
            d = np.exp(-u[i] - 3.0)
            v[i] = np.exp(-a) + np.exp(-b) + np.exp(-c) + np.exp(-d)
        u, v = v, u


def _in_turn(u: Any, v: Any, repeats: int) -> None:
    """A recurrence of three operations that no pass can cut into tiles."""
    for _ in range(repeats):
        for i in range(1, u.shape[0]):
            v[i] = 3.5 * v[i - 1] * (1.0 - v[i - 1])


def _multiplied(u: Any, v: Any, w: Any, repeats: int) -> None:
    """A product of matrices."""
    for _ in range(repeats):
        for i in range(u.shape[0]):
            for j in range(v.shape[1]):
                total = u[i, 0] - u[i, 0]
                for k in range(v.shape[0]):
                    total += u[i, k] * v[k, j]
                w[i, j] = total
        u, w = w, u


FEW = 8

OPERATIONS = {
    "simple": (_computed, STEPS),
    "chained": (_chained, STEPS),
    "division": (_divided, FEW),
    "function": (_exponentials, FEW),
}
"""By kind of operation, a program and the operations in each of its iterations."""


# ------------------------------------------------------------------------------------------------------- measuring


def measure(device: str, lengths: tuple[int, ...] = LENGTHS, iterations: tuple[int, ...] = ITERATIONS) -> Speed:
    """Measure a device, and store the figures for this process and those that follow.

    Parameters
    ----------
    device
        A name as in `weft.devices`; not the interpreter.
    lengths, iterations
        Sizes of the nests that touch memory, and that compute.

    Raises
    ------
    DeviceError
        There is no such device, or it refuses.
    """
    found = find(device)
    is_accelerator = accelerators.is_accelerator(device)
    fitting = tuple(n for n in lengths if not found.memory or 16 * n <= found.memory // 4)
    memory = tuple((12.0 * n, _nest(device, _added, 3, n, np.float32)[0]) for n in fitting)
    arithmetic, chained = (
        _rising(tuple((float(n), _nest(device, function, 2, n, np.float32)[0]) for n in iterations))
        for function in (_computed, _chained)
    )
    speed = Speed(
        device,
        found.description,
        accelerators.identity(device)[2] if is_accelerator else driver_of(found.cores),
        date.today().isoformat(),
        _nest(device, _added, 3, fitting[0], np.float32)[1],
        _rising(memory),
        arithmetic,
        _costs(device, memory[0][1]),
        math.nan if is_accelerator else _nest(device, _in_turn, 2, SATURATED, np.float64)[0] / (3 * SATURATED),
        found.memory,
        copying.load(device) if is_accelerator else None,
        is_accelerator and _is_processor(device),
        chained,
        _neighbours(device),
    )
    speeds.store(speed)
    return speed


def _neighbours(device: str) -> Curve:
    """Seconds of nests that read neighbours."""
    return _rising(tuple((float(n * n), _nest(device, _smoothed, 2, (n, n), np.float32)[0]) for n in SIDES))


def _costs(device: str, least: float) -> Mapping[str, float]:
    """How much slower operations are than additions of float32."""
    length = SATURATED if device == CPU else 16 * SATURATED
    seconds: dict[str, float] = {}
    for kind in KINDS:
        type_ = np.float32 if kind.endswith("32") else np.float64
        if kind.startswith(PRODUCT):
            seconds[kind] = _product(device, type_, least)
            continue
        function, operations = OPERATIONS[kind[:-2]]
        nest = _nest(device, function, 2, length, type_)[0]
        seconds[kind] = max(nest - least, 0.05 * nest) / operations / length
    return {kind: max(each / seconds["simple32"], 0.05) for kind, each in seconds.items()}


def _is_processor(device: str) -> bool:
    """Whether a device is the processor of the host, perhaps under another driver."""
    return device == CPU or accelerators.open_device(device).facts.is_processor


def _product(device: str, type_: Any, least: float) -> float:
    """Seconds of an operation of a product of matrices."""
    side = SIDE if _is_processor(device) else DEVICE_SIDE
    nest = _nest(device, _multiplied, 3, (side, side), type_)[0]
    return max(nest - least, 0.05 * nest) / (2 * side**3)


def _rising(curve: Curve) -> Curve:
    """A curve whose noise does not make more work faster."""
    risen: list[tuple[float, float]] = []
    for size, seconds in curve:
        risen.append((size, max(seconds, risen[-1][1] if risen else 0.0)))
    return tuple(risen)


def _nest(device: str, function: Callable[..., None], arrays: int, shape: Any, type_: Any) -> tuple[float, float]:
    """Seconds of a nest, and of the call beside it."""
    given = [_halves(shape, type_) for _ in range(arrays)]
    repeats = KERNELS if device != CPU and math.prod(given[0].shape) < LARGE else REPEATS
    once = _seconds(device, function, (*given, 1))
    often = _seconds(device, function, (*given, 1 + repeats))
    nest = max((often - once) / repeats, 0.02 * often / repeats)
    return nest, max(once - nest, 1e-7)


def _halves(shape: Any, type_: Any) -> Array:
    made = empty(shape, type_)
    made[...] = 0.5
    return made


def _seconds(device: str, function: Callable[..., None], arguments: tuple[object, ...]) -> float:
    """Seconds of a call until the device is done, once its arrays are there; the entry stub takes it directly."""
    specialisation = _callee(device, function).find(dict(zip(_names(function), arguments, strict=True)))
    handle = specialisation.family.variant().handle
    waits = accelerators.is_accelerator(device)

    def call() -> None:
        handle.run(arguments)
        if waits:
            queues.synchronize()

    return min(timing.measure(call, POLICY).times)


def _names(function: Callable[..., None]) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


@functools.cache
def _callee(device: str, function: FunctionType) -> Callee:
    from weft.frontend import build

    return Callee(function, Options(device), lambda types, memory: build(function, types, memory))
