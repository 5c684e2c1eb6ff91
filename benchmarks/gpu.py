"""The command `python -m benchmarks.gpu`: the same programs on an NVIDIA GPU, beside CuPy and numba-cuda.

Three times are taken for each: the whole call with NumPy arrays, copies included; the call with arrays that are on the
GPU already; and, between events, a batch of such calls as the GPU sees it: the kernels and the gaps between them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks import gpu_numba, machine, report, tables
from benchmarks.implementations import weft_problem
from benchmarks.program import Arguments, Program, assert_same, complaint
from benchmarks.programs import PROGRAMS
from weft.machine import timing
from weft.machine.timing import Alternative, Call, Policy, Timing

SIZES = tuple(1 << power for power in range(8, 25, 4)) + (1 << 26,)
QUICK_SIZES = (1 << 16, 1 << 22)
RESULTS = Path(__file__).parent / "results" / "cuda.json"


class Clock:
    """Time between two CUDA events, and waiting for the GPU; through the driver, whatever library made the work."""

    def __init__(self) -> None:
        self.driver = importlib.import_module("cuda.bindings.driver")
        self.check(self.driver.cuInit(0))
        self.device = self.check(self.driver.cuDeviceGet(0))
        self.check(self.driver.cuCtxSetCurrent(self.check(self.driver.cuDevicePrimaryCtxRetain(self.device))))
        self.events = [self.check(self.driver.cuEventCreate(0)) for _ in range(2)]

    def check(self, result: tuple[Any, ...]) -> Any:
        """Give what a driver function returned, or raise."""
        status, *values = result
        if status != self.driver.CUresult.CUDA_SUCCESS:
            raise RuntimeError(f"CUDA driver: {status}")
        return values[0] if values else None

    def name(self) -> str:
        """Give the name of the GPU and the version of its driver."""
        text = self.check(self.driver.cuDeviceGetName(128, self.device)).partition(b"\0")[0].decode()
        version = self.check(self.driver.cuDriverGetVersion())
        return f"{text}, CUDA driver {version // 1000}.{version % 1000 // 10}"

    def synchronise(self) -> None:
        """Wait until the GPU has done everything."""
        self.check(self.driver.cuCtxSynchronize())

    def call_time(self, call: Call, count: int) -> float:
        """Stopwatch of a user: until the answers are there."""
        return timing.wall_clock(lambda: self._and_wait(call, count), 1)

    def _and_wait(self, call: Call, count: int) -> None:
        for _ in range(count):
            call()
        self.synchronise()

    def kernel_time(self, call: Call, count: int) -> float:
        """Stopwatch of the GPU. The end is recorded when all streams are done: kernels may run in any of them."""
        start, end = self.events
        self.check(self.driver.cuEventRecord(start, 0))
        self._and_wait(call, count)
        self.check(self.driver.cuEventRecord(end, 0))
        self.check(self.driver.cuEventSynchronize(end))
        return 1e-3 * float(self.check(self.driver.cuEventElapsedTime(start, end)))


@dataclass(frozen=True)
class GpuFigure:
    """Times of one implementation of one program at one size, in seconds."""

    program: str
    size: int
    implementation: str
    status: str
    message: str = ""
    from_host: tuple[float, ...] = ()
    on_device: tuple[float, ...] = ()
    kernels: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary with five digits a number."""
        raw = asdict(self)
        for name in ("from_host", "on_device", "kernels"):
            raw[name] = [float(f"{value:.5g}") for value in raw[name]]
        return raw


Prepare = Callable[[Program], Callable[..., object] | None]


def weft_version(program: Program) -> Callable[..., object] | None:
    """Compile the plain loops for the GPU."""
    compiled: Callable[..., object] = importlib.import_module("weft").jit(program.loops, device="cuda")
    return compiled


def cupy_version(program: Program) -> Callable[..., object] | None:
    """Give the NumPy text with CuPy in NumPy's place, in its helper functions too."""
    if program.numpy is None:
        return None
    assert isinstance(program.numpy, FunctionType)
    scope = dict(program.numpy.__globals__)
    for name, value in list(scope.items()):
        if isinstance(value, FunctionType) and value.__module__ == program.numpy.__module__:
            scope[name] = FunctionType(value.__code__, scope, name, value.__defaults__)
    scope["np"] = cupy()
    version: Callable[..., object] = scope[program.numpy.__name__]
    return version


@cache
def cupy() -> ModuleType | None:
    """Give CuPy where it is installed."""
    try:
        return importlib.import_module("cupy")
    except ImportError:
        return None


@cache
def on_device() -> Callable[[np.ndarray], Any] | None:
    """Give a function that copies an array to the GPU, from a library whose arrays Weft takes."""
    if library := cupy():
        copy: Callable[[np.ndarray], Any] = library.asarray
        return copy
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return None
    return lambda array: torch.from_numpy(array).cuda()


def versions() -> tuple[dict[str, Prepare], list[str]]:
    """Give the implementations that can run here, and notes about those that cannot."""
    found: dict[str, Prepare] = {}
    notes = []
    if problem := weft_problem():
        notes.append(problem)
    else:
        found["weft"] = weft_version
    if cupy():
        found["cupy"] = cupy_version
    else:
        notes.append("CuPy is not installed")
    if gpu_numba.problem():
        notes.append(gpu_numba.problem())
    else:
        found["numba-cuda"] = gpu_numba.version
    return found, notes


def _move(arguments: Arguments, copy: Callable[[np.ndarray], Any]) -> Arguments:
    return tuple(copy(value) if isinstance(value, np.ndarray) else value for value in arguments)


def _to_host(value: Any) -> np.ndarray:
    """Copy an array of any of the libraries back."""
    if isinstance(value, np.ndarray):
        return value
    return np.asarray(value.get() if hasattr(value, "get") else value.cpu().numpy())


class GpuRunner:
    """Checks and times one program at one size."""

    def __init__(self, clock: Clock, policy: Policy) -> None:
        self.clock, self.policy = clock, policy

    def figures(self, program: Program, size: int, prepare: dict[str, Prepare]) -> Iterator[GpuFigure]:
        """Give a figure for each implementation that has the program."""
        reference = self._reference(program, size)
        functions: dict[str, Callable[..., object]] = {}
        for name, make in prepare.items():
            try:
                function = make(program)
                if function is None:
                    continue
                assert_same(program, self._answer(function, program, size, name), reference, name)
                functions[name] = function
            except AssertionError as difference:
                yield GpuFigure(program.name, size, name, "wrong", " ".join(str(difference).split()))
            except Exception as problem:  # whatever stops one implementation must not stop the others
                yield GpuFigure(program.name, size, name, "refused", complaint(problem))
        if functions:
            yield from self._time(program, size, functions)

    def _reference(self, program: Program, size: int) -> list[np.ndarray]:
        """Ask CPython at small sizes, NumPy at larger ones, else Weft on the processor."""
        if size <= 1024:
            return program.answer(program.loops, size)
        return program.answer(program.numpy or importlib.import_module("weft").jit(program.loops, device="cpu"), size)

    def _answer(self, function: Callable[..., object], program: Program, size: int, name: str) -> list[np.ndarray]:
        """Run on NumPy arrays where the implementation takes them, else on arrays of the GPU."""
        arguments = program.inputs(size)
        copy = on_device()
        if name == "cupy" and copy:
            arguments = _move(arguments, copy)
        function(*arguments)
        self.clock.synchronise()
        return [_to_host(arguments[position]) for position in program.results]

    def _time(self, program: Program, size: int, functions: dict[str, Callable[..., object]]) -> Iterator[GpuFigure]:
        """Time all in interleaved rounds: from the host, on the device, and by events."""
        host = {name: function for name, function in functions.items() if name != "cupy"}
        from_host = self._rounds(program.inputs(size), host, self.clock.call_time)
        resident: dict[str, Timing] = {}
        kernels: dict[str, Timing] = {}
        if copy := on_device():
            arguments = _move(program.inputs(size), copy)
            resident = self._rounds(arguments, functions, self.clock.call_time)
            kernels = self._rounds(arguments, functions, self.clock.kernel_time)
        for name in functions:
            times = [found[name].sample if name in found else () for found in (from_host, resident, kernels)]
            yield GpuFigure(program.name, size, name, "measured", "", *times)

    def _rounds(
        self, arguments: Arguments, functions: dict[str, Callable[..., object]], stopwatch: timing.Stopwatch
    ) -> dict[str, Timing]:
        calls = {name: Alternative(partial(function, *arguments), stopwatch) for name, function in functions.items()}
        return timing.measure_interleaved(calls, self.policy) if calls else {}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the programs on the GPU; the exit status is 1 if any answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, by commas")
    parser.add_argument("--quick", action="store_true", help="two sizes, short measurements")
    parser.add_argument("--json", type=Path, default=RESULTS, help="file for the raw figures (%(default)s)")
    options = parser.parse_args(arguments)
    clock = Clock()
    runner = GpuRunner(clock, Policy(cap=0.5 if options.quick else 3.0, fewest=2, batch=2e-3))
    prepare, notes = versions()
    facts = {**machine.facts(machine.command_line("benchmarks.gpu")), "device": clock.name()}
    figures: dict[str, Any] = {"machine": facts, "notes": notes, "gpu": []}
    for name in options.only.split(","):
        for size in QUICK_SIZES if options.quick else SIZES:
            for figure in runner.figures(PROGRAMS[name], size, prepare):
                figures["gpu"].append(figure.to_json())
                _say(figure)
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, separators=(",", ":")) + "\n")
    console = Console(width=120)
    console.print(tables.rich_table("On the GPU", tables.GPU_HEAD, tables.gpu_rows(figures["gpu"])))
    if options.json == RESULTS and report.has_cpu_figures():
        console.print(f"tables: {report.write()}")
    return int(any(one["status"] == "wrong" for one in figures["gpu"]))


def _say(figure: GpuFigure) -> None:
    """Print a line at once: a long run may be cut off."""
    times = [timing.median(sample) if sample else math.nan for sample in (figure.from_host, figure.kernels)]
    words = [figure.program, tables.power(figure.size), figure.implementation, figure.status, figure.message[:200]]
    print(*words, *(tables.seconds(value) for value in times), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
