"""Runs functions with their nests on a simulated device: the whole way but for machine code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.frontend.compare import complete, program_of, rebuild
from weft.frontend.source.captured import read, write
from weft.frontend.source.signature import describe, flatten
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import Trace, holds, trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.schedule.directives import Schedule
from weft.transform.pipeline import optimise

DEVICE = "cuda"


@dataclass
class Simulated:
    """A function whose parallel nests run on a simulated device; `traces` says what happened in each call.

    Arguments that share memory are left to the source program: the simulated memories know arrays, not bytes of arrays.
    """

    function: Callable[..., Any]
    devices: Mapping[str, SimulatedDevice] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)
    slabs: bool = False
    schedule: Schedule = ()
    _programs: dict[object, n.Program] = field(default_factory=dict)

    def __call__(self, *arguments: Any) -> Any:
        arguments = complete(self.function, arguments)
        program = program_of(self.function, *arguments)
        values = self._values(program, arguments)
        traced = trace(self._chosen(program, values), values, self.devices)
        self.traces.append(traced)
        if traced.error is not None:
            raise traced.error
        flat = list(traced.results)
        for source in reversed(program.writes):
            write(self.function, source, flat.pop())
        return rebuild(program.returns, flat, program)

    def _values(self, program: n.Program, arguments: tuple[Any, ...]) -> list[Any]:
        named = dict(zip(inspect.signature(self.function).parameters, arguments))
        sources = [p.source for p in program.params if p.source.kind != "argument"]
        leaves = [leaf for argument in arguments for leaf in flatten(argument, describe(argument))]
        return [*leaves, *(read(self.function, source, named) for source in sources)]

    def _chosen(self, program: n.Program, values: list[Any]) -> n.Program:
        """The placed program, of the checked variant where the arguments need it."""
        if _overlap([v for v in values if isinstance(v, np.ndarray)]):
            return program
        types = tuple(p.var.type for p in program.params)
        for checked in (False, True):
            if (types, checked) not in self._programs:
                self._programs[types, checked] = placed(program, checked, self.slabs, self.schedule)
            if holds(self._programs[types, checked], values):
                return self._programs[types, checked]
        raise AssertionError("the checked variant must take all arguments")


def placed(program: n.Program, checked: bool = False, slabs: bool = False, schedule: Schedule = ()) -> n.Program:
    """A program after all passes, with its nests on the device."""
    optimised = optimise(program, frozenset({"split_by_sign"}), checked=checked, turns=False, blocks=True, rows=True)
    found = place(optimised, DEVICE, schedule=schedule, slabs=slabs).program
    verify(found)
    if not checked:
        check_plan(found)
    return found


def _overlap(arrays: list[np.ndarray]) -> bool:
    """Whether arrays share memory, with one another or each with itself."""
    low_high = sorted(np.lib.array_utils.byte_bounds(a) for a in arrays if a.size)
    own = any(a.size and 0 in [s for s, e in zip(a.strides, a.shape) if e > 1] for a in arrays)
    return own or any(high > low for (_, high), (low, _) in zip(low_high, low_high[1:]))
