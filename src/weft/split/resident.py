"""Steps on several devices: arrays stay where their rows are, neighbours exchange rows, all come home at the end.

What it does: every device owns rows of the arrays that the steps change. It gets these and the halo of a block of
steps, runs the block, and hands its neighbours the rows that they need for the next one (`weft.split.stepping`).
Without this, each loop of each step would copy its rows to the device and back. What it assumes: arrays do not overlap,
which each call checks. What it does not do, and leaves to the loop over steps: bounds that depend on the step or on
elements, loops that may raise or fold, arrays that are not cut along one axis.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from weft.errors import OutOfMemoryError, UnsupportedError, warn
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE
from weft.runtime import _stub
from weft.runtime.arrays import parts, pinning
from weft.runtime.arrays.arrays import empty, failure
from weft.runtime.devices import accelerators
from weft.runtime.devices.devices import CPU
from weft.split.agreement import disagreement
from weft.split.cutting import Phase
from weft.split.programs import ENDS
from weft.split.regions import Rows, loads_in, rows_of
from weft.split.stepping import Cut, Execution, Stage, axis_of, executions, needs, reads_counter, steps_together

if TYPE_CHECKING:
    from weft.split.calls import Call, Ran
    from weft.split.devices import SplitFunction
    from weft.split.steps import Path, Steps

Regions: TypeAlias = "dict[Path, list[dict[str, Rows]] | None]"


class Moved(NamedTuple):
    """Rows of an array that one device has and another one needs."""

    name: str
    owner: int
    first: int
    end: int


@dataclass(frozen=True)
class Owners:
    """Which rows each device has.

    Attributes
    ----------
    devices
        Their names.
    rows
        Those of each device.
    axis
        Along which arrays are cut.
    changed
        The arrays that the steps write or that change places.
    """

    devices: tuple[str, ...]
    rows: tuple[Cut, ...]
    axis: int
    changed: frozenset[str]

    def missing(self, k: int, wanted: Mapping[str, Cut]) -> Iterator[Moved]:
        """What a device needs of the rows of others."""
        for name, (low, high) in wanted.items():
            for owner, (first, end) in enumerate(self.rows):
                if owner != k and name in self.changed and max(low, first) < min(high, end):
                    yield Moved(name, owner, max(low, first), min(high, end))


def regions(item: Steps) -> list[dict[str, Rows]] | None:
    """What each loop of steps needs of each array; None where the steps have to meet after each loop."""
    if reads_counter(item):
        return None
    found = []
    for phase in item.items:
        if not isinstance(phase, Phase) or not phase.is_certain or phase.merge is not None or phase.folds.updates:
            return None  # what is folded, sums in groups too, has a program that merges
        if phase.rows is not None or loads_in(phase.bounds):
            return None
        try:
            found.append(rows_of(phase.piece, phase.label))
        except UnsupportedError:
            return None
    return found


def stages_and_owners(
    split: SplitFunction[Any, Any], path: Path, item: Steps, call: Call, bounds: Cut
) -> tuple[list[Stage], Owners] | None:
    """The loops of steps and the rows of each device; None where the arrays do not stay on the devices."""
    steps = range(*bounds)
    if len(steps) < 2 or set(split.devices) == {CPU}:
        return None
    known = call.prepared.regions
    if path not in known:
        known[path] = regions(item)
    found = known[path]
    if found is None:
        return None
    first = call.at(item.counter, steps[0])
    stages = []
    for position, (phase, rows) in enumerate(zip(item.items, found, strict=True)):
        assert isinstance(phase, Phase)
        here = (*path, position)
        stages.append(Stage(here, phase, rows, split.bounds_of(here, first)))
    owners = _owners(split, stages, item.moves, first)
    return None if owners is None else (stages, owners)


def arrays_of(stages: Sequence[Stage], owners: Owners, call: Call) -> list[str]:
    """Names of the arrays that each device has, in full length."""
    used = {call.places[name] for stage in stages for name, rows in stage.rows.items() if rows.is_used}
    return sorted(used | owners.changed)


def too_small(stages: Sequence[Stage], owners: Owners, call: Call) -> str:
    """A device into which the arrays of steps do not fit; empty where there is none."""
    arrays = [call.arguments[name] for name in arrays_of(stages, owners, call)]
    size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    return next((d for d in owners.devices if d != CPU and size > accelerators.room(d)), "")


def run(split: SplitFunction[Any, Any], path: Path, item: Steps, call: Call, bounds: Cut) -> list[Ran] | None:
    """Run steps, and note which array stands where after them.

    Parameters
    ----------
    split
        The function.
    path, item
        The steps.
    call
        The call.
    bounds
        The first step and the one behind the last.

    Returns
    -------
    list or None
        The pieces of the last step; None where nothing has run, since the steps have to meet after each loop.
    """
    found = stages_and_owners(split, path, item, call, bounds)
    if found is None:
        return None
    steps = range(*bounds)
    stages, owners = found
    running = _Running(split, stages, item, call, owners)
    if not running.has_begun(steps):
        return None
    if not running.agrees(steps[0]):
        call.prepared.regions[path] = None
        return None
    return running.finish(steps)


def _owners(
    split: SplitFunction[Any, Any], stages: Sequence[Stage], moves: Mapping[str, str], call: Call
) -> Owners | None:
    """The rows of each device; None where arrays are not cut along one axis, or one device has all."""
    arrays = {name: value for name, value in call.arguments.items() if isinstance(value, np.ndarray)}
    shapes = {name: arrays[place].shape for name, place in call.places.items() if place in arrays}
    axis = axis_of(stages, set(moves), shapes)
    if axis is None:
        return None
    changed = {call.places[name] for name in set(moves).union(*(stage.writes for stage in stages))}
    extent = arrays[next(iter(changed))].shape[axis]
    cuts = split.speeds_at(stages[0].path, call, stages[0].bounds).pieces(*stages[0].bounds)
    busy = [k for k, (low, high) in enumerate(cuts) if low < high]
    ends = [0, *(min(max(cuts[k][1], 0), extent) for k in busy[:-1]), extent]
    rows = tuple(zip(ends[:-1], ends[1:], strict=True))
    if len(busy) < 2 or any(low >= high for low, high in rows):
        return None
    return Owners(tuple(split.devices[k] for k in busy), rows, axis, frozenset(changed))


class _Running:
    """Steps that are under way."""

    def __init__(
        self, split: SplitFunction[Any, Any], stages: Sequence[Stage], item: Steps, call: Call, owners: Owners
    ) -> None:
        self.split, self.stages, self.item, self.call, self.owners = split, stages, item, call, owners
        self.extent = owners.rows[-1][1]
        self.together = steps_together(
            stages, item.moves, call.places, set(owners.changed), owners.rows, self.extent
        )  # fmt: skip
        self.seconds = [0.0] * len(owners.devices)
        self.local: list[dict[str, Any]] = []
        self.buffers: dict[tuple[Moved, int], np.ndarray[Any, Any]] = {}
        """For each exchange two, by whether the number of its block is odd: one is filled while the other is read."""
        self.blocks: dict[tuple[object, ...], list[tuple[dict[str, Cut], list[Execution]]]] = {}

    def has_begun(self, steps: range) -> bool:
        """Give each device its rows; False where they do not all fit, and a device takes them loop by loop."""
        wanted = [wanted for wanted, _ in self._block(min(self.together, len(steps)), self._cut_alike())]
        try:
            work = [(device, wanted[k]) for k, device in enumerate(self.owners.devices)]
            self.local = self.split.workers.run(self._placed, work)
        except OutOfMemoryError as error:
            names = ", ".join(arrays_of(self.stages, self.owners, self.call))
            what = f"{names} of {self.split.plain.__qualname__} do not fit into a device: {error.message}"
            cost = "Rows are copied there and back for each loop of each step"
            warn("W008", f"{what}. {cost}", self.stages[0].phase.location)
            return False
        return True

    def agrees(self, step: int) -> bool:
        """Whether the loops add floats as they do over arrays that come and go."""
        if self.split.options_for(CPU).fastmath:
            return True
        for stage in self.stages:
            if not stage.phase.has_sums:
                continue
            named = self.call.at(self.item.counter, step).named()
            local = {name: self.local[0].get(place, named[name]) for name, place in self.call.places.items()}
            callee = self.split.callee_of(stage.path, "piece", self.owners.devices[0])
            ways = [{**named, **given, FIRST_OF_PIECE: 0, END_OF_PIECE: 0} for given in ({}, local)]
            one, other = (callee.find(given).placement() for given in ways)
            if disagreement(one, [other]) is not None:
                return False
        return True

    def finish(self, steps: range) -> list[Ran]:
        """Run all steps; then all rows come home, or, where a device failed, none."""
        count = len(self.owners.devices)
        incoming: list[list[tuple[Moved, Any]]] = [[] for _ in range(count)]
        blocks = [steps[k : k + self.together] for k in range(0, len(steps), self.together)]
        for place, block in enumerate(blocks):
            found = [order for _, order in self._block(len(block))]
            for _ in block:
                self.call.places = self.item.moved(self.call.places)
            missing: list[list[Moved]] = [[] for _ in range(count)]
            if place + 1 < len(blocks):
                after = self._block(len(blocks[place + 1]))
                missing = [list(self.owners.missing(k, wanted)) for k, (wanted, _) in enumerate(after)]
            leaving = [[one for needed in missing for one in needed if one.owner == k] for k in range(count)]
            outgoing = [[(one, self._buffer(one, place % 2)) for one in leaving[k]] for k in range(count)]
            self.split.workers.run(self._run, [(k, block[0], found[k], incoming[k], outgoing[k]) for k in range(count)])
            taken = dict(one for of_device in outgoing for one in of_device)
            incoming = [[(one, taken[one]) for one in needed] for needed in missing]
        self.split.workers.run(self._bring_home, [(k,) for k in range(count)])
        self.split.exchange.give(list(self.buffers.values()))
        return self._ran(len(steps))

    def _block(
        self, steps: int, also: frozenset[str] = frozenset()
    ) -> Sequence[tuple[dict[str, Cut], list[Execution]]]:
        """For each device the rows that it needs before so many steps, and what it runs; counters are from 0 on."""
        key = steps, tuple(self.call.places.values()), also
        found = self.blocks.get(key)
        if found is None:
            order = list(executions(self.stages, self.item.moves, self.call.places, self.item.counter, range(steps)))
            names = set(self.owners.changed | also)
            found = self.blocks[key] = [needs(order, rows, names, self.extent) for rows in self.owners.rows]
        return found

    def _cut_alike(self) -> frozenset[str]:
        """The other arrays of which the loops need rows near their own."""
        found = set()
        for name, place in self.call.places.items():
            value = self.call.arguments[place]
            if name in self.item.moves or not isinstance(value, np.ndarray) or value.ndim <= self.owners.axis:
                continue
            used = [stage.rows[name] for stage in self.stages if stage.rows[name].is_used]
            if used and all(rows.axis == self.owners.axis for rows in used):
                found |= {place} if value.shape[self.owners.axis] == self.extent else set()
        return frozenset(found)

    def _placed(self, device: str, wanted: Mapping[str, Cut]) -> dict[str, Any]:
        """The arrays of a device: all have the shapes of the whole ones, and of some only the rows that it needs."""
        found = {}
        for name in arrays_of(self.stages, self.owners, self.call):
            value = self.call.arguments[name]
            assert isinstance(value, np.ndarray)
            made = found[name] = _made(device, value)
            rows = self._rows(*wanted[name]) if name in wanted else ()
            if device != CPU:
                pinning.seen(value, accelerators.table(device))
            shown: Any = (*rows, ...)  # a view of arrays without axes, too
            _transfer(device, made, rows, value[shown], name, out=False)
        _wait(device)
        return found

    def _rows(self, low: int, high: int) -> tuple[slice, ...]:
        return (slice(None),) * self.owners.axis + (slice(low, high),)

    def _run(
        self,
        k: int,
        first: int,
        order: Sequence[Execution],
        incoming: Sequence[tuple[Moved, Any]],
        outgoing: Sequence[tuple[Moved, Any]],
    ) -> None:
        """Run a block of steps on a device, from a step on, and copy what its neighbours need then; wait once."""
        local, device, begun = self.local[k], self.owners.devices[k], time.perf_counter()
        for moved, rows in incoming:
            self._move(k, moved, rows, out=False)
        arguments = {**self.call.arguments, **local}
        inner = self.call.at(self.item.counter, first)
        for path, counters, cut, places in order:
            entry = self.split.entry(path, "piece", inner, ENDS, device)
            given = [arguments[place] for place in places.values()]
            step = first + counters[self.item.counter]
            entry(*given, *self.call.counters.values(), step, *self.call.results, *cut)
        for moved, rows in outgoing:
            self._move(k, moved, rows, out=True)
        _wait(device)
        self.seconds[k] += time.perf_counter() - begun

    def _buffer(self, moved: Moved, turn: int) -> np.ndarray[Any, Any]:
        """The memory for rows that a device hands on."""
        found = self.buffers.get((moved, turn))
        if found is None:
            model = self.call.arguments[moved.name]
            assert isinstance(model, np.ndarray)
            shape = model[self._rows(moved.first, moved.end)].shape
            found = self.split.exchange.taken(shape, model.dtype, self.owners.devices[moved.owner])
            self.buffers[moved, turn] = found
        return found

    def _move(self, k: int, moved: Moved, values: np.ndarray[Any, Any], out: bool) -> None:
        """Copy rows that a neighbour needs out of the memory of a device, or into it."""
        rows = self._rows(moved.first, moved.end)
        _transfer(self.owners.devices[k], self.local[k][moved.name], rows, values, moved.name, out)

    def _bring_home(self, k: int) -> None:
        rows = self._rows(*self.owners.rows[k])
        for name in self.owners.changed:
            home = self.call.arguments[name]
            assert isinstance(home, np.ndarray)
            _transfer(self.owners.devices[k], self.local[k][name], rows, home[rows], name, out=True)
        _wait(self.owners.devices[k])

    def _ran(self, steps: int) -> list[Ran]:
        """The pieces of the last step, each with its part of the time of its device."""
        found = []
        work = [0] * len(self.split.devices)
        spent = [0.0] * len(self.split.devices)
        for device, (low, high), seconds in zip(self.owners.devices, self.owners.rows, self.seconds, strict=True):
            place = self.split.devices.index(device)
            work[place], spent[place] = high - low, seconds / steps
            for stage in self.stages:
                start, stop = max(low, stage.bounds[0]), min(high, stage.bounds[1])
                found.append((stage.phase.label, device, start, stop, seconds / steps / len(self.stages)))
        first = self.stages[0]
        self.split.speeds_at(first.path, self.call, first.bounds).learn(list(zip(work, spent, strict=True)))
        return found


def _made(device: str, model: np.ndarray[Any, Any]) -> Any:
    """An array of a shape whose elements are unspecified, in the memory of a device."""
    if device == CPU:
        return np.empty(model.shape, model.dtype)
    made = empty(model.shape, model.dtype)
    table = accelerators.table(device)
    made._storage.acquire(table, True)
    made._storage.wrote(table)
    return made


def _wait(device: str) -> None:
    """Wait for all that was queued on a device."""
    if device == CPU:
        return
    table = accelerators.table(device)
    status = _stub.device_wait(table)
    if status:
        raise failure(status, table, 0)


def _transfer(
    device: str, array: Any, rows: tuple[slice, ...], values: np.ndarray[Any, Any], name: str, out: bool
) -> None:
    """Copy rows of an array of a device to some memory of the host, or from there; it is there after `_wait`.

    Parameters
    ----------
    device, array, name
        The device, its array, and the name of the argument.
    rows
        The rows; none for all.
    values
        Where they go, or come from.
    out
        Whether they leave the device.
    """
    if isinstance(array, np.ndarray):
        target, source = (values, array[rows]) if out else (array[rows], values)
        target[...] = source
    elif len(rows) <= 1 and values.flags.c_contiguous:  # one stretch of memory on both sides
        table, offset = accelerators.table(device), rows[0].start * array.strides[0] if rows else 0
        there = array._storage.address(table) + offset
        status = _stub.device_copy(table, there, values.ctypes.data, values.nbytes, out, False, name)
        if status:
            raise failure(status, table, values.nbytes)
    elif out:
        values[...] = parts.taken(array[rows])
    else:
        parts.put(array[rows] if rows else array, values)
