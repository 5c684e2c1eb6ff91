"""The implementations that are compared: how each gets from a program and its arguments to a call that can be timed."""

from __future__ import annotations

import importlib
import math
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

# Waiting threads must not take the two cores from whoever is timed next; libraries read this when they are loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from benchmarks import native
from benchmarks.program import Arguments, Program, complaint
from weft.machine.timing import Alternative

REST = 0.002
"""Seconds of pause before each timed part."""

LONG_REST = 0.15
"""The same where a library of linear algebra is in the round: threads of OpenBLAS spin for 100 ms after their work."""


class Implementation(Protocol):
    """A way to run the programs."""

    name: str

    def prepare(self, program: Program, arguments: Arguments) -> Callable[[], object] | None:
        """Give the call, compiled where that is done ahead; None where this implementation has no such program."""

    def kernel_seconds(self) -> float:
        """Seconds that the last call spent in its kernels; NaN where that is not known."""


def unknown() -> float:
    """Stand for a kernel time that cannot be read."""
    return math.nan


@dataclass(frozen=True)
class HandWrittenC:
    """C from one compiler; `tuned` takes the version that goes beyond the loop nest as written."""

    compiler: str
    tuned: bool = False

    @property
    def name(self) -> str:
        """Name in the raw figures."""
        return f"c-tuned-{self.compiler}" if self.tuned else f"c-{self.compiler}"

    def prepare(self, program: Program, arguments: Arguments) -> Callable[[], object] | None:
        """Bind the C function to the arguments."""
        symbol = program.tuned if self.tuned else program.name
        return native.bind(program, self.compiler, arguments, symbol) if symbol else None

    def kernel_seconds(self) -> float:
        """Read the clock in the C code."""
        return native.kernel_seconds(self.compiler)


@cache
def numba_compiled(function: Callable[..., object]) -> Callable[..., object]:
    """Compile with Numba as a user would; the type of the arguments is found at the first call."""
    import numba

    # Some programs have no loop that a user could mark; it is known that Numba finds none either.
    warnings.simplefilter("ignore", numba.NumbaPerformanceWarning)
    return numba.njit(parallel=True)(function)


@dataclass(frozen=True)
class Numba:
    """Numba with parallel=True."""

    name: str = "numba"

    def prepare(self, program: Program, arguments: Arguments) -> Callable[[], object] | None:
        """Bind the compiled function."""
        return partial(numba_compiled(program.numba), *arguments)

    def kernel_seconds(self) -> float:
        """Numba tells no kernel times on a CPU."""
        return unknown()


@dataclass(frozen=True)
class NumPy:
    """Whole-array code."""

    name: str = "numpy"

    def prepare(self, program: Program, arguments: Arguments) -> Callable[[], object] | None:
        """Bind the NumPy version."""
        return partial(program.numpy, *arguments) if program.numpy else None

    def kernel_seconds(self) -> float:
        """NumPy has no kernels of its own."""
        return unknown()


@cache
def weft_compiled(function: Callable[..., object], options: tuple[tuple[str, Any], ...]) -> Callable[..., object]:
    """Give the function under `weft.jit` with these options."""
    weft = importlib.import_module("weft")
    compiled: Callable[..., object] = weft.jit(function, **dict(options))
    return compiled


@cache
def kernel_clock() -> Callable[[], float]:
    """Give the clock of the entry stub, which runs from now on; an older stub has none."""
    stub = importlib.import_module("weft.runtime._stub")
    if not hasattr(stub, "run_clock"):
        return unknown
    stub.run_clock(True)
    clock: Callable[[], float] = stub.kernel_seconds
    return clock


@dataclass(frozen=True)
class Weft:
    """Weft with some options, as pairs."""

    name: str = "weft"
    options: tuple[tuple[str, Any], ...] = (("device", "cpu"),)

    def prepare(self, program: Program, arguments: Arguments) -> Callable[[], object] | None:
        """Bind the compiled function."""
        kernel_clock()
        return partial(weft_compiled(program.loops, self.options), *arguments)

    def kernel_seconds(self) -> float:
        """Read the clock of the entry stub."""
        return kernel_clock()()


def weft_problem() -> str | None:
    """Say why Weft cannot be used, or give None."""
    try:
        importlib.import_module("weft").jit  # noqa: B018 (the attribute is loaded when it is named)
    except (ImportError, AttributeError) as problem:
        return f"Weft is not there: {complaint(problem)}"
    return None


def numba_problem() -> str | None:
    """Say why Numba cannot be used, or give None."""
    try:
        importlib.import_module("numba")
    except ImportError as problem:
        return f"Numba is not there: {complaint(problem)}"
    return None


def available(device: str = "cpu") -> tuple[list[Implementation], list[str]]:
    """Give the implementations that can run here, and notes about those that cannot.

    Parameters
    ----------
    device : str
        Device of the Weft column.
    """
    notes = [note for note in (weft_problem(), numba_problem()) if note]
    compilers = native.available()
    notes += [f"{name} is not installed" for name in native.COMPILERS if name not in compilers]
    found: list[Implementation] = [HandWrittenC(name, tuned) for tuned in (False, True) for name in compilers]
    if not numba_problem():
        found.append(Numba())
    found.append(NumPy())
    if not weft_problem():
        found.append(Weft(options=(("device", device),)))
    return found, notes


def alternative(implementation: Implementation, call: Callable[[], object], program: Program) -> Alternative:
    """Give what the timing module takes."""
    rest = LONG_REST if program.tuned else REST
    return Alternative(call, meter=implementation.kernel_seconds, rest=rest)
