"""Every loop has the verdict that it deserves, and nests run on the device where they may."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import weft

from . import oracle
from . import programs as programs  # registers them
from .copying import snapshot
from .registry import PROGRAMS, VERDICTS, Program

SHARE_ON_THE_DEVICE = 0.9
PARALLEL = ("parallel", "reduction")


def explain(program: Program) -> Any:
    """The report on the typical case of a program."""
    function, arguments = program.bind(snapshot(oracle.cases(program.name)[0]).arguments)
    return weft.explain(function, *arguments)


@pytest.mark.parametrize("name", PROGRAMS)
def test_verdicts(name: str) -> None:
    program = PROGRAMS[name]
    reported = explain(program).loops
    wrong = []
    for loop in program.loops():
        accepted = program.expected(loop)
        verdicts = {entry.verdict for entry in reported if entry.line == loop.line}
        assert verdicts <= set(VERDICTS)
        if not verdicts or not verdicts <= set(accepted or ()):
            reasons = [entry.reason for entry in reported if entry.line == loop.line]
            wrong.append(f"{loop.name}: {sorted(verdicts)}, not {accepted}; {reasons}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", PROGRAMS)
def test_sequential_loops_say_which_two_accesses_are_the_reason(name: str) -> None:
    for entry in explain(PROGRAMS[name]).loops:
        if entry.verdict == "sequential":
            assert entry.reason, f"loop over {entry.variable} in line {entry.line}"
            assert entry.reason.count("line ") >= 2, entry.reason


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    "device", [pytest.param("opencl", marks=pytest.mark.opencl), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def test_parallel_nests_run_on_the_device(device: str) -> None:
    """At least 90 % of the nests whose outermost loops are proven parallel."""
    there = {name: placed for name in PROGRAMS if (placed := _nests_on(PROGRAMS[name], device))}
    total = sum(len(placed) for placed in there.values())
    away = [name for name, placed in there.items() for on_device in placed if not on_device]
    assert total > 150
    assert total - len(away) >= SHARE_ON_THE_DEVICE * total, f"on the host: {away}"


def _nests_on(program: Program, device: str) -> list[bool]:
    """For every parallel nest of a program, whether it runs on the device: for that nothing need be compiled."""
    with weft.device(device), pytest.MonkeyPatch.context() as patch:
        for other in ("_kernels", "_plan", "_notes"):
            patch.setattr(import_module("weft.report.explain"), other, lambda *_: ())
        report = explain(program)
    parallel_lines = {entry.line for entry in report.loops if entry.verdict in PARALLEL}
    return [nest.device == device for nest in report.placement if nest.line in parallel_lines]
