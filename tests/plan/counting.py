"""What the plan of a function does in one call: copies, bytes, places on the device, waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np

from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import holds, trace
from weft.ir.reference.simulated import Step
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Bind, Schedule
from weft.schedule.nests import grid_chain
from weft.transform.pipeline import optimise
from weft.tune import choice
from weft.tune.strips import strips


@dataclass(frozen=True)
class Counts:
    """Copies to the device and to the host with their bytes, allocations on the device, waits and launches."""

    copies_in: int
    bytes_in: int
    copies_out: int
    bytes_out: int
    allocations: int
    waits: int
    launches: int


def plan(function: Callable[..., Any], arguments: tuple[Any, ...], naive: bool = False) -> n.Program:
    """The function with its nests on the device; `naive` moves the arrays of every launch there and back."""
    program = optimise(program_of(function, *arguments), frozenset({"split_by_sign", "fusion", "inline_producers"}))
    with mock.patch.object(choice, "candidates", one_thread):
        placed = place(program, DEVICE, frozenset({"placement"} if naive else ())).program
    verify(placed)
    check_plan(placed)
    return placed


def one_thread(kernel: n.Kernel) -> Iterator[Schedule]:
    """The schedule that the interpreter is quickest with: which one it is does not matter to what moves."""
    chain = grid_chain(kernel)
    yield from strips(chain) if chain[0].steps else [(Bind(chain[0].label, "x", 1),)]


def count(function: Callable[..., Any], *arguments: Any, naive: bool = False) -> Counts:
    """Run a function on a simulated device, check its answer, and count what was moved."""
    placed = plan(function, arguments, naive)
    copies = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)
    assert holds(placed, arguments)
    traced = trace(placed, arguments)
    if traced.error is not None:
        raise traced.error
    result = function(*copies)
    for got, expected in zip(arguments, copies):
        np.testing.assert_allclose(got, expected, rtol=1e-12)
    if isinstance(result, (np.ndarray, float)):
        np.testing.assert_allclose(traced.results[0], result, rtol=1e-12)
    return counts_of(traced.steps)


def counts_of(steps: list[Step] | tuple[Step, ...]) -> Counts:
    """The counts of what a device did."""
    into = [s for s in steps if s.kind == "copy" and s.target == DEVICE]
    back = [s for s in steps if s.kind == "copy" and s.target == "host"]

    def number(kind: str) -> int:
        return sum(s.kind == kind and s.device == DEVICE for s in steps)

    return Counts(
        len(into), sum(s.size for s in into), len(back), sum(s.size for s in back),
        number("allocation"), number("wait"), number("launch"),
    )  # fmt: skip
