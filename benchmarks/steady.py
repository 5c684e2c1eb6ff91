"""Steady state: all implementations of a program, in one process, in interleaved rounds."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from benchmarks.implementations import Implementation, alternative
from benchmarks.program import Arguments, Program, assert_same, complaint, copied
from weft.machine import timing
from weft.machine.timing import Policy, Timing

ORACLE_SIZE = 1024
"""Up to this size CPython runs the loops and is the judge of all answers."""


@dataclass(frozen=True)
class Figure:
    """What is known about one implementation of one program at one size; times in seconds per call."""

    program: str
    size: int
    implementation: str
    status: str
    message: str = ""
    first_call: float = math.nan
    times: tuple[float, ...] = ()
    kernel_times: tuple[float, ...] = ()
    steady: bool = False
    batch: int = 1

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary of numbers with five digits, without those that are unknown."""
        raw = asdict(self)
        raw["times"] = [float(f"{value:.5g}") for value in self.times]
        raw["kernel_times"] = [float(f"{value:.5g}") for value in self.kernel_times if not math.isnan(value)]
        raw["first_call"] = None if math.isnan(self.first_call) else float(f"{self.first_call:.5g}")
        return raw


@dataclass(frozen=True)
class Limits:
    """How much time may be spent.

    Parameters
    ----------
    policy : Policy
        For one program at one size, where it has no limit of its own.
    repeats : int
        Measurements with fresh arrays: different steady states are possible.
    longest : float
        An implementation whose call takes, or is expected to take, more seconds is left out at this and larger sizes.
    """

    policy: Policy
    repeats: int = 2
    longest: float = 4.0


@dataclass
class Candidate:
    """An implementation after its first call."""

    implementation: Implementation
    first_call: float
    answer: list[np.ndarray]


class Runner:
    """Runs the programs over the sizes and yields figures."""

    def __init__(self, implementations: Sequence[Implementation], limits: Limits) -> None:
        self.implementations = implementations
        self.limits = limits
        self.last_seconds: dict[tuple[str, str], tuple[int, float]] = {}

    def figures(self, program: Program, size: int, cap: float | None = None) -> Iterator[Figure]:
        """Check all answers at a size, then time those that are right, for `cap` seconds."""
        candidates: list[Candidate] = []
        inputs = program.inputs(size)
        for implementation in self.implementations:
            outcome = self._first_call(implementation, program, size, inputs)
            if isinstance(outcome, Figure):
                yield outcome
            elif outcome is not None:
                candidates.append(outcome)
        right: list[Candidate] = []
        for candidate, problem in compare(program, size, candidates):
            if problem:
                name = candidate.implementation.name
                yield Figure(program.name, size, name, "wrong", problem, candidate.first_call)
            else:
                right.append(candidate)
        for candidate in candidates:
            candidate.answer.clear()  # at the largest sizes memory is short
        if right:
            yield from self._time(program, size, right, inputs, cap or self.limits.policy.cap)

    def _first_call(
        self, implementation: Implementation, program: Program, size: int, inputs: Arguments
    ) -> Candidate | Figure | None:
        """Call once on fresh arguments; give a figure instead of a candidate where that is not possible."""
        name = implementation.name
        seconds = self._expected(program, name, size)
        if seconds > self.limits.longest:
            return Figure(program.name, size, name, "left out", f"about {seconds:.2g} s a call are expected")
        arguments = copied(inputs)
        started = time.perf_counter()
        try:
            call = implementation.prepare(program, arguments)
            if call is None:
                return None
            call()
        except Exception as problem:  # whatever stops one implementation must not stop the others
            return Figure(program.name, size, name, "refused", complaint(problem))
        taken = time.perf_counter() - started
        return Candidate(implementation, taken, [arguments[position] for position in program.results])

    def _expected(self, program: Program, name: str, size: int) -> float:
        """Estimate the time of a call from that at the size before."""
        last_size, seconds = self.last_seconds.get((program.name, name), (size, 0.0))
        return float(seconds * max(size / last_size, 1.0) ** program.growth)

    def _time(
        self, program: Program, size: int, right: Sequence[Candidate], inputs: Arguments, cap: float
    ) -> Iterator[Figure]:
        """Measure the right ones in interleaved rounds, several times with fresh arrays."""
        measured: dict[str, list[Timing]] = {candidate.implementation.name: [] for candidate in right}
        policy = replace(self.limits.policy, cap=cap / self.limits.repeats)
        for _ in range(self.limits.repeats):
            alternatives = {}
            for candidate in right:
                call = candidate.implementation.prepare(program, copied(inputs))
                assert call is not None
                alternatives[candidate.implementation.name] = alternative(candidate.implementation, call, program)
            for name, result in timing.measure_interleaved(alternatives, policy).items():
                measured[name].append(result)
        for candidate in right:
            name = candidate.implementation.name
            self.last_seconds[program.name, name] = (size, measured[name][0].median)
            yield _figure(program, size, candidate, measured[name])


def _figure(program: Program, size: int, candidate: Candidate, measured: Sequence[Timing]) -> Figure:
    """Join the samples of all repeats."""
    return Figure(
        program.name,
        size,
        candidate.implementation.name,
        "measured",
        first_call=candidate.first_call,
        times=tuple(value for one in measured for value in one.sample),
        kernel_times=tuple(value for one in measured for value in one.kernel_sample),
        steady=all(one.steady for one in measured),
        batch=measured[0].batch,
    )


def compare(program: Program, size: int, candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, str]]:
    """Compare the answers of all with CPython's at small sizes, with the first candidate's at larger ones.

    Yields
    ------
    tuple of Candidate and str
        The problem is empty where the answer is right.
    """
    if size <= ORACLE_SIZE:
        reference = program.answer(program.loops, size)
    elif candidates:
        reference = candidates[0].answer
    for candidate in candidates:
        try:
            assert_same(program, candidate.answer, reference, candidate.implementation.name)
        except AssertionError as difference:
            yield candidate, " ".join(str(difference).split())
        else:
            yield candidate, ""
