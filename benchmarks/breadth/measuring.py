"""One program: all its spellings and peers, checked against one another, then timed in interleaved rounds."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np

import weft
from benchmarks.breadth import peers
from benchmarks.breadth.bounds import Bounds
from benchmarks.breadth.checking import check_near, tolerance
from benchmarks.breadth.program import Arguments, Program
from benchmarks.program import complaint
from weft.machine.timing import Alternative, Policy, measure_interleaved

GPU_LIBRARIES = ("cupy", "torch")


@dataclass
class Figure:
    """What is known of a program: seconds by the names of those who ran it, and what went wrong."""

    program: str
    family: str
    half: str
    size: str
    dtype: str
    device: str
    bytes: float
    operations: float
    bound: float
    seconds: dict[str, float] = field(default_factory=dict)
    first_calls: dict[str, float] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary."""
        return asdict(self)


@dataclass
class Runner:
    """Somebody who runs a program: how it is prepared for arguments, and what its answer is."""

    name: str
    function: Callable[..., Any]
    arguments: Arguments
    fresh: tuple[Any, ...]
    whole: bool = False
    restore: bool = False
    wait: Callable[[], Any] = lambda: None
    device: str = "cpu"
    originals: dict[int, Any] = field(default_factory=dict)

    def call(self) -> Any:
        """Run once, until the answer is there."""
        returned = self.function(*self.arguments)
        self.wait()
        return returned

    def stopwatch(self, call: Callable[[], object], count: int) -> float:
        """Time calls; where the program needs its inputs back, they are put back outside the time."""
        taken = 0.0
        for _ in range(count):
            if self.restore:
                self.put_back()
            started = time.perf_counter()
            call()
            taken += time.perf_counter() - started
        return taken

    def put_back(self) -> None:
        """Give the arrays their first contents, in the memory where they are."""
        for mine, first in zip(self.arguments, self.fresh):
            if not isinstance(first, np.ndarray):
                continue
            if self.device == "cpu":
                mine[...] = first
            else:
                key = id(first)
                if key not in self.originals:
                    self.originals[key] = weft.array(first)
                _copier(self.device)(mine, self.originals[key])
        self.wait()


def figure(program: Program, size: str, dtype: str, device: str, bounds: Bounds, cap: float) -> Figure:
    """Check and time one program.

    Parameters
    ----------
    program, size, dtype, device
        What, how large, of which type, where.
    bounds
        Of the device.
    cap
        Seconds for the timed rounds.
    """
    least = bounds.seconds(program, size, dtype)
    made = Figure(program.name, program.family, program.half, size, dtype, device,
                  program.least_bytes(size, dtype), program.least_operations(size), least)  # fmt: skip
    inputs = program.inputs(size, dtype)
    answers: dict[str, tuple[Any, ...]] = {}
    ready: list[Runner] = []
    for name, prepare in _everybody(program, dtype, device, inputs):
        try:
            runner = prepare()
            started = time.perf_counter()
            with np.errstate(all="ignore"):
                returned = runner.call()
            made.first_calls[name] = time.perf_counter() - started
            answers[name] = _answer(program, runner, returned)
            ready.append(runner)
        except Exception as problem:  # whatever stops one must not stop the others
            made.refused[name] = complaint(problem)
    made.wrong = dict(_wrong(program, dtype, answers))
    answers.clear()
    alternatives = {
        one.name: Alternative(one.call, one.stopwatch, rest=0.002) for one in ready if one.name not in made.wrong
    }
    if alternatives:
        policy = Policy(window=5, threshold=0.03, cap=cap, fewest=3, warm_up=0)
        with np.errstate(all="ignore"):
            timings = measure_interleaved(alternatives, policy)
        made.seconds = {name: min(timing.times) for name, timing in timings.items()}
    return made


def _everybody(
    program: Program, dtype: str, device: str, inputs: Arguments
) -> Iterator[tuple[str, Callable[[], Runner]]]:
    """Give the names of all who run a program on a device, each with how it is prepared."""
    if device == "cpu":
        if program.whole:
            yield "numpy", partial(_with_numpy, program, inputs)
        yield "numba", partial(_with_numba, program, dtype, inputs)
    elif device == "cuda" and program.whole:
        for library in GPU_LIBRARIES:
            yield library, partial(_with_gpu_library, program, library, inputs)
    for index in range(len(program.spellings)):
        yield f"weft {index}", partial(_with_weft, program, index, device, inputs)


def _with_weft(program: Program, index: int, device: str, inputs: Arguments) -> Runner:
    function = weft.jit(program.spellings[index], device=device)
    arguments = copy.deepcopy(inputs)
    if device == "cpu":
        return Runner(f"weft {index}", function, arguments, inputs, restore=program.restore)
    arguments = tuple(weft.array(value) if isinstance(value, np.ndarray) else value for value in arguments)
    wait = weft.synchronize
    return Runner(f"weft {index}", function, arguments, inputs, restore=program.restore, wait=wait, device=device)


@cache
def _copier(device: str) -> Callable[[Any, Any], None]:
    """Copies on a device: an array that the host had put back would go there again inside of the time."""

    def put_back(mine: Any, first: Any) -> None:
        mine[...] = first

    return weft.jit(put_back, device=device)


def _with_numba(program: Program, dtype: str, inputs: Arguments) -> Runner:
    arguments = peers.numba_arguments(copy.deepcopy(inputs), dtype)
    return Runner("numba", peers.numba_version(program, dtype), arguments, inputs, restore=program.restore)


def _with_numpy(program: Program, inputs: Arguments) -> Runner:
    assert program.whole
    return Runner("numpy", partial(program.whole, np), inputs, inputs, whole=True)


def _with_gpu_library(program: Program, library: str, inputs: Arguments) -> Runner:
    assert program.whole
    module = peers.array_library(library)
    wait = module.cuda.synchronize if library == "torch" else module.cuda.Device().synchronize
    arguments = peers.on_gpu(library, inputs)
    return Runner(library, partial(program.whole, module), arguments, inputs, whole=True, wait=wait)


def _answer(program: Program, runner: Runner, returned: Any) -> tuple[Any, ...]:
    """Give the answer of a first call, copied, because later calls write the same arrays."""
    found = program.expected(returned) if runner.whole else program.result(returned, runner.arguments)
    return tuple(np.array(peers.at_home(value)) for value in found)


def _wrong(program: Program, dtype: str, answers: dict[str, tuple[Any, ...]]) -> Iterator[tuple[str, str]]:
    """Compare all answers with the first one: array expressions, else a peer's, else the plain spelling's."""
    names = list(answers)
    for name in names[1:]:
        first, other = answers[names[0]], answers[name]
        count = min(len(first), len(other))
        try:
            check_near(first[:count], other[:count], tolerance(program.answer, dtype))
        except AssertionError as difference:
            yield name, f"not as {names[0]}: {' '.join(str(difference).split())[:300]}"
