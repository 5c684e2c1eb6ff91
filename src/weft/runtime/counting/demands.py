"""The demand of a call on the processor: from a specialisation, and the sizes and contents of its arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from weft.compile.store import key_of
from weft.cost.quantities import Region
from weft.cost.values import MOST_SAMPLES, Values
from weft.runtime.arrays.arrays import Array

if TYPE_CHECKING:
    from weft.cost.demand import Demand
    from weft.cost.device.walk import DeviceDemand
    from weft.ir import nodes as n
    from weft.machine.facts import Facts
    from weft.runtime.dispatch.specialisation import Specialisation

CHUNK = 2048
"""Neighbouring elements that are looked at together."""

MOST_REMEMBERED = 64
"""Demands of a specialisation that are remembered, by the sizes and the elements that they were counted for."""

MOST_COMPARED = 1 << 20
"""Bytes of arrays of integers up to which they are compared with those of an earlier prediction."""

T = TypeVar("T")


def demand_of(
    specialisation: Specialisation, leaves: Sequence[object], trips: Mapping[str, float], contents: Sequence[bool]
) -> Demand:
    """What a call asks of the processor.

    Parameters
    ----------
    specialisation
        That of the processor.
    leaves
        The flat arguments and captured values.
    trips
        Iterations of loops, and shares of branches, by ``"line 12"``.
    contents
        For each leaf whether it is an array whose elements may be looked at.
    """
    from weft.cost.walk import Walker
    from weft.runtime.dispatch.variants import FAST

    program = specialisation.shaped(FAST)
    samples = _all_samples(program, leaves, contents)
    in_order = loops_of_one_thread(specialisation)

    def work(loop: n.For, values: Values, trips: float) -> float:
        return 0.0 if loop.label in in_order else _affordable(loop, values, expected_work(loop, values, trips))

    def counted() -> Demand:
        return Walker(program, _regions(program, leaves), work, trips, samples).run()

    return _remembered(specialisation, _key("cpu", leaves, trips, samples), counted)


def _affordable(loop: n.For, values: Values, work: float) -> float:
    """The work of a loop. With updates by key, at most the work of as many threads as run it: each has a copy of the
    array, and the copies together may cost only a part of the work (``weft_pieces_by_key``)."""
    from weft.backends.c.by_key import updates_in
    from weft.cost.model import THREAD_WORK

    regions = {update.view.name: values.region(update.view) for update in updates_in(loop)}
    cells = sum(region.size / region.itemsize for region in regions.values() if region.size < math.inf)
    return min(work, max(work / (64 * (cells + 1)), 1.0) * THREAD_WORK) if cells else work


def loops_of_one_thread(specialisation: Specialisation) -> frozenset[str]:
    """Labels of the parallel loops that one thread of the processor runs. Only loops that update elements, or may fail,
    can be such loops; printing the program as C tells which are."""
    from weft.backends.c.program import loops_of_one_thread
    from weft.ir import nodes as n
    from weft.ir.effects import block_may_raise
    from weft.ir.visit import walk
    from weft.runtime.dispatch.variants import FAST

    if specialisation.in_order is None:
        program = specialisation.shaped(FAST)
        loops = [s for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "parallel"]
        updates = any(isinstance(s, n.Update) for loop in loops for s in walk(loop.body))
        is_asked = updates or any(block_may_raise(loop.body) for loop in loops)
        specialisation.in_order = loops_of_one_thread(program) if is_asked else frozenset()
    return specialisation.in_order


def _remembered(specialisation: Specialisation, key: str, count: Callable[[], T]) -> T:
    """What was counted before for calls of the same kind, else what is counted now."""
    known = specialisation.demands
    if key not in known:
        found = count()
        if len(known) >= MOST_REMEMBERED:
            del known[next(iter(known))]
        known[key] = found
    return cast("T", known[key])


def _key(
    where: object,
    leaves: Sequence[object],
    trips: Mapping[str, float],
    looked_at: Mapping[str, np.ndarray[Any, Any]],
) -> str:
    """What counts depend on: numbers, the forms of arrays, and the elements of them that are looked at."""
    elements = [(name, array.dtype.str, key_of(array.tobytes())) for name, array in looked_at.items()]
    return repr((where, [_form(leaf) for leaf in leaves], sorted(trips.items()), elements))


def _form(leaf: object) -> object:
    if isinstance(leaf, (np.ndarray, Array)):
        return type(leaf).__name__, leaf.shape, str(leaf.dtype), getattr(leaf, "strides", None)
    return leaf


def _regions(program: n.Program, leaves: Sequence[object]) -> list[Region | float | None]:
    return [_region(param.var.name, leaf) for param, leaf in zip(program.params, leaves, strict=True)]


def _all_samples(
    program: n.Program, leaves: Sequence[object], contents: Sequence[bool]
) -> dict[str, np.ndarray[Any, Any]]:
    """Elements of the arrays that may be looked at."""
    samples: dict[str, np.ndarray[Any, Any]] = {}
    for param, leaf, is_known in zip(program.params, leaves, contents, strict=True):
        if is_known and isinstance(leaf, np.ndarray) and leaf.size and leaf.dtype.kind in "biuf":
            samples.update(_samples(param.var.name, leaf))
    return samples


def _region(name: str, leaf: object) -> Region | float | None:
    if isinstance(leaf, (np.ndarray, Array)):
        strides = leaf.strides if isinstance(leaf, np.ndarray) else None
        return Region.whole(name, leaf.shape, leaf.dtype.itemsize, strides)
    return float(leaf) if isinstance(leaf, (bool, int, np.integer)) else None


def _samples(name: str, array: np.ndarray[Any, Any]) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Some elements in chunks of neighbours; of the ends of rows, the first and the last."""
    if array.ndim == 1 and array.dtype.kind in "iu":
        yield f"{name} ends", np.array([array[0], array[-1], array.size - 1], np.float64)
    if not array.flags.c_contiguous:
        return
    flat = array.reshape(-1)
    if flat.size <= MOST_SAMPLES:
        yield name, flat
        return
    starts = np.linspace(0, flat.size - CHUNK, MOST_SAMPLES // CHUNK).astype(np.int64)
    yield name, np.concatenate([flat[start : start + CHUNK] for start in starts])


def expected_work(loop: n.For, values: Values, trips: float) -> float:
    """Nanoseconds that generated code tells the runtime a parallel loop takes, by which threads are woken."""
    from weft.backends.text import loop_cost
    from weft.backends.text.code import Code
    from weft.ir import nodes as n

    def known(atom: n.Atom) -> Code | None:
        number = values.number(atom)
        return Code(repr(float(number))) if number == number and isinstance(atom, (n.Var, n.Const)) else None

    middle = {loop.index.name: repr(trips / 2)}
    inner = loop.body.statements[-1] if loop.body.statements else None
    times, block = trips, loop.body
    if isinstance(inner, n.For) and inner.mapping == "parallel" and not loop.args and len(loop.body.statements) == 1:
        span = values.number(inner.stop) - values.number(inner.start)
        if span == span:
            times, block = trips * span, inner.body
            middle[inner.index.name] = repr(span / 2)
    text = re.sub(r"\((?:double|int64_t)\)", "", loop_cost.work(block, known, middle))
    span_of = {"weft_span": lambda start, stop: max(stop - start, 0.0), "__builtins__": {}}
    return float(times * eval(text, span_of))


def device_demand_of(
    specialisation: Specialisation,
    leaves: Sequence[object],
    device: str,
    facts: Facts,
    trips: Mapping[str, float],
    contents: Sequence[bool],
    there: bool = False,
) -> DeviceDemand:
    """What a call asks of a device, which need not be here; arguments as for `demand_of`.

    Arrays of Weft's are taken to be on the device already, those of NumPy not, unless all are said to be `there`.
    """
    from weft.cost.device.walk import DeviceWalker, Written
    from weft.runtime.counting.contents import contents_of
    from weft.runtime.counting.sizes import Sizes, of_call

    placement = specialisation.placement_for(device, facts)
    program = placement.program
    samples = _all_samples(program, leaves, contents)
    known = [leaf if is_known else None for leaf, is_known in zip(leaves, contents, strict=True)]

    def counted() -> DeviceDemand:
        written = {
            nest.kernel: Written(nest.offloaded.kernel, nest.schedule)
            for nest in placement.nests
            if nest.kernel and nest.offloaded is not None
        }
        held = contents_of(program, placement.nests, Sizes(program, of_call(program, leaves)), known)
        is_there = [isinstance(leaf, Array) or (there and isinstance(leaf, np.ndarray)) for leaf in leaves]
        return DeviceWalker(
            program, _regions(program, leaves), is_there, written, facts, trips, samples, held, expected_work
        ).run_device()

    integers = {
        param.var.name: leaf
        for param, leaf in zip(program.params, known, strict=True)
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "iu"
    }
    if sum(array.nbytes for array in integers.values()) > MOST_COMPARED:
        return counted()
    key = _key((device, facts, there), leaves, trips, {**samples, **integers})
    return _remembered(specialisation, key, counted)
