"""Ablation: every optimisation alone off, beside all of them on, in interleaved rounds."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.implementations import Weft, alternative
from benchmarks.program import Program, assert_same, complaint
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
    return sorted(importlib.import_module("weft.passes.pipeline").NAMES)


def measure(program: Program, size: int, names: Sequence[str], policy: Policy) -> Iterator[Ablation]:
    """Time a program with all optimisations, and without each of them."""
    variants = {"": Weft("all on")} | {
        name: Weft(f"without {name}", (("device", "cpu"), ("disable", (name,)))) for name in names
    }
    calls, reference = {}, None
    for name, variant in variants.items():
        arguments = program.inputs(size)
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
