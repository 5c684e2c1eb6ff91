"""Ablation: every optimisation alone off, beside all of them on, in interleaved rounds."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from benchmarks.implementations import Weft, alternative
from benchmarks.program import Program, assert_same, complaint, copied
from benchmarks.programs import PROGRAMS
from weft.machine import timing
from weft.machine.timing import Policy


@dataclass(frozen=True)
class Ablation:
    """How much longer a call takes without an optimisation: ratios of paired times."""

    program: str
    size: int
    optimisation: str
    ratios: tuple[float, ...]
    message: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give a dictionary with five digits a number."""
        ratios = [float(f"{value:.5g}") for value in self.ratios]
        return {
            "program": self.program,
            "size": self.size,
            "optimisation": self.optimisation,
            "ratios": ratios,
            "message": self.message,
        }


def optimisations() -> list[str]:
    """Give the names of all passes that can be switched off."""
    return sorted(importlib.import_module("weft.transform.pipeline").NAMES)


def variants_of(names: Sequence[str]) -> dict[str, Weft]:
    """Give Weft with all optimisations, under an empty name, and without each of them."""
    without = {name: Weft(f"without {name}", (("device", "cpu"), ("disable", (name,)))) for name in names}
    return {"": Weft("all on"), **without}


def compile_ahead(programs: Sequence[Program], names: Sequence[str], jobs: int) -> None:
    """Compile all variants in `jobs` processes, so that this one finds them in the store."""
    tasks = [(program.name, name) for program in programs for name in ("", *names)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        list(pool.map(_compile, tasks, chunksize=8))


def _compile(task: tuple[str, str]) -> None:
    program, name = PROGRAMS[task[0]], task[1]
    call = variants_of([name] if name else [])[name].prepare(program, program.inputs(16))
    with suppress(Exception):  # whoever measures meets it again
        assert call is not None
        call()


def measure(program: Program, size: int, names: Sequence[str], policy: Policy) -> Iterator[Ablation]:
    """Time a program with all optimisations, and without each of them."""
    calls, reference = {}, None
    inputs = program.inputs(size)
    for name, variant in variants_of(names).items():
        arguments = copied(inputs)
        try:
            call = variant.prepare(program, arguments)
            assert call is not None
            call()
            answer = [arguments[position] for position in program.results]
            reference = reference or answer
            assert_same(program, answer, reference, variant.name)
        except Exception as problem:  # an optimisation that something depends on is a finding, not the end
            yield Ablation(program.name, size, name, (), complaint(problem))
            continue
        calls[name] = alternative(variant, call, program)
    if "" not in calls:
        return
    times = {name: result.sample for name, result in timing.measure_interleaved(calls, policy).items()}
    for name in calls:
        if name:
            ratios = tuple(without / everything for without, everything in zip(times[name], times[""]))
            yield Ablation(program.name, size, name, ratios)
