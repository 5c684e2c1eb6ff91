"""Every plan runs on the simulated device: the placements of all acceptance programs, with limits and failures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from tests.acceptance.test_programs import check_arrays, check_exception, check_result
from weft.errors import DeviceError, OutOfMemoryError
from weft.ir.reference.simulated import SimulatedDevice

from .simulated import DEVICE, Simulated

LARGEST = 130
"""Elements above which a case takes long in the interpreter."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_acceptance_programs_give_the_answer_of_cpython(name: str) -> None:
    program = PROGRAMS[name]
    for index, case in enumerate(oracle.cases(name)):
        if oracle.largest_size(case) > LARGEST:
            continue
        made: list[Simulated] = []
        got = oracle.run(program, case, lambda function: made.append(Simulated(function)) or made[0])
        expected = oracle.expected(name, index)
        check_exception(program, expected, got)
        assert not got.after.wrote_outside(), "bytes outside the arrays have changed"
        if expected.error is None:
            check_result(program, index, expected, got)
        if expected.error is None or program.exact_state:
            check_arrays(program, index, expected, got)
        if expected.error is None:
            assert not any(trace.held for trace in made[0].traces), "memory of the device was not given back"


FAILING = (
    "linear_dependence", "reductions", "swaps", "local_arrays", "realistic_science", "exceptions", "interchange",
    "views",
)  # fmt: skip
"""Families of which some programs are run with failures."""


def small(name: str) -> int:
    """The smallest case of a program that has more than two elements."""
    sizes = [oracle.largest_size(case) for case in oracle.cases(name)]
    return min((k for k, size in enumerate(sizes) if size > 2), key=lambda k: sizes[k], default=0)


SOME = [name for family in FAILING for name in [n for n in PROGRAMS if n.startswith(family)][:4]]


def ran(name: str, device: SimulatedDevice) -> tuple[oracle.Outcome, Simulated]:
    """The small case of a program on a device."""
    made: list[Simulated] = []

    def call(function: Any) -> Simulated:
        made.append(Simulated(function, {DEVICE: device}))
        return made[0]

    return oracle.run(PROGRAMS[name], oracle.cases(name)[small(name)], call), made[0]


@pytest.mark.parametrize("name", SOME)
def test_every_step_that_fails_is_a_device_error(name: str) -> None:
    right, simulated = ran(name, SimulatedDevice())
    steps = [step.kind for trace in simulated.traces for step in trace.steps]
    for kind in ("allocation", "copy", "launch", "wait"):
        for number in range(steps.count(kind)):
            failed, _ = ran(name, SimulatedDevice(failing={(kind, number)}))
            assert type(failed.error) is (OutOfMemoryError if kind == "allocation" else DeviceError)
            assert not failed.after.wrote_outside()
    again, _ = ran(name, SimulatedDevice())
    assert type(again.error) is type(right.error)


@pytest.mark.parametrize("name", SOME)
def test_memory_is_needed_to_the_last_byte(name: str) -> None:
    right, simulated = ran(name, SimulatedDevice())
    held = peak = 0
    for step in [step for trace in simulated.traces for step in trace.steps]:
        held += {"allocation": step.size, "release": -step.size}.get(step.kind, 0)
        peak = max(peak, held)
    enough, _ = ran(name, SimulatedDevice(memory=peak))
    assert type(enough.error) is type(right.error)
    if peak:
        less, _ = ran(name, SimulatedDevice(memory=peak - 1))
        assert isinstance(less.error, OutOfMemoryError)


@pytest.mark.sample(0)
def test_most_of_these_programs_use_the_device() -> None:
    launches = [
        sum(s.kind == "launch" for t in ran(name, SimulatedDevice())[1].traces for s in t.steps) for name in SOME
    ]
    assert np.count_nonzero(launches) >= 0.8 * len(SOME)
