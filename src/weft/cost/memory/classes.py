"""How a kernel under a schedule accesses memory: the class of each access, and the bytes that reach each level.

A function of the kernel, the schedule and the sizes, from the access tables of the kernel as it was written and as it
is laid out. A request is what the 32 threads of a warp ask for at once; a sector is 32 bytes of memory. The cost of an
access is the sectors of its requests: the set ``{(address + byte) // 32}`` over the threads.

What a block reads again is taken to be in the first-level cache still, but for copies to shared memory that go past it,
what neighbouring blocks share in the second, and what unrolled code reads twice to be in registers. Each byte counts
for the access that touches it first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import ceil, prod
from typing import Literal, TypeAlias

import numpy as np

from weft.analysis.access.access import Access
from weft.analysis.access.footprint import footprint
from weft.analysis.access.structure import Loop
from weft.cost.memory.addresses import (
    UNKNOWN,
    Asked,
    BlockAccesses,
    Contents,
    Numbers,
    Truths,
    distinct,
    in_warps,
    units_of,
)
from weft.cost.memory.traffic import passed_on, past_cache
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import substitute
from weft.schedule.directives import AXES, Bind, Schedule
from weft.schedule.frame import Lowered
from weft.schedule.lower import lay_out, lower
from weft.schedule.nests import names_of

SECTOR = 32
"""Bytes that memory is read and written in."""

BURST = 64
"""Bytes that the second-level cache gets from memory at once: of starts of rows that are far apart, twice as many were
counted as their sectors have. It matters where elements say what is read; other arrays are mostly read whole."""

FEW = 16
"""Blocks along an axis, up to which those at its ends are looked at by themselves."""

SAMPLES = 64
"""Blocks that stand for all, where they differ by what arrays hold."""

TABLE = 2**15
"""An array of so many bytes that every block reads whole, and that is only read, stays in the first-level cache from
block to block: weights of a layer of 16 KiB reach it once for each multiprocessor, as counted, not for each block."""

TOGETHER, BY_CHANCE = 0.5, 0.3
"""Of the sectors that two requests of a block store parts of, the part that arrives at the second-level cache as one:
the first waits for the second in the first-level one, which is a matter of time. Where threads wait for one another
before, 0.45 to 0.55 were counted, elsewhere 0.13 to 0.29 and, of few, 0.8."""

Kind: TypeAlias = Literal["uniform", "coalesced", "strided", "scattered", "staged"]
Level: TypeAlias = Literal["none", "registers", "L1", "shared", "L2"]


@dataclass(frozen=True)
class AccessClass:
    """How a kernel makes one access of the source.

    Attributes
    ----------
    array, line, mode
        The array, the line of the source, and ``load``, ``store`` or ``update``.
    kind
        ``uniform``: a warp asks for one element. ``coalesced``: for few more sectors than its bytes need. ``strided``:
        for more. ``scattered``: for addresses that nobody knows beforehand. ``staged``: what is read goes to
        shared memory.
    stride
        Bytes from thread to thread, where that is always the same; of the requests that cost most.
    sectors, best
        Sectors of a request on average, and how many would do if its bytes lay side by side.
    requests
        Requests of the whole kernel.
    requested, l1, l2, dram
        Bytes that threads ask for; that the first-level cache, the second-level one, and memory serve.
    reuse
        How often a block accesses each element of the array that it accesses at all, as the source has it.
    level
        Where the reuse is served from: ``registers``, ``L1``, ``shared`` memory, ``L2`` (between blocks), or ``none``.
    exact
        Whether all of this follows from the sizes; otherwise it is an estimate.
    at_most
        Whether the estimate is as much as can be, where an access is made for what is kept of something: it is in
        proportion to that.
    """

    array: str
    line: int
    mode: str
    kind: Kind
    stride: int | None
    sectors: float
    best: float
    requests: float
    requested: float
    l1: float
    l2: float
    dram: float
    reuse: float
    level: Level
    exact: bool
    at_most: bool = False


@dataclass(frozen=True, eq=False)
class _Part:
    """One access of the kernel that is laid out: its requests, in rows of the threads of a warp."""

    asked: Asked
    rows: Numbers
    active: Truths
    sectors: Numbers
    is_staged: bool
    first_touched: float
    moved: float
    """Sectors that the second-level cache has to give or gets."""
    blocks: float
    """Blocks that this one stands for."""

    @property
    def times(self) -> float:
        """How often all that was enumerated is asked for."""
        return self.asked.times * self.blocks

    @property
    def requests(self) -> float:
        return len(self.sectors) * self.times


def access_classes(
    kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int], contents: Contents = UNKNOWN
) -> tuple[AccessClass, ...]:
    """The classes of a kernel's accesses to arrays in memory, in source order.

    Parameters
    ----------
    kernel
        A kernel as it was written.
    schedule
        A legal schedule of it.
    sizes
        The values of the kernel's parameters: numbers by name, ``a.shape[k]``, and ``a.strides[k]`` in bytes.
    contents
        What arrays of integers hold that say where to read, by the names of parameters, as far as it is known.
    """
    samples = blocks_of(kernel, schedule, sizes, contents)
    if not samples:
        return ()
    blocks, ways = sum(number for _, number in samples), _ways(samples[0][0])
    reuses, extents = _reuses(kernel, schedule, sizes), _extents(kernel, sizes)
    found: list[AccessClass] = []
    for array, accesses in _by_array(samples[0][0]).items():
        parts = [part for block, number in samples for part in _parts(block, accesses, number, ways)]
        classes = [_class_of(group) for group in _by_place(parts)]
        found += _with_levels(classes, reuses.get(array, 1.0), extents.get(array), blocks)
    return tuple(sorted(found, key=lambda c: c.line))


# --------------------------------------------------------------------------------------------------- laid out


@dataclass(frozen=True)
class _LaidOut:
    lowered: Lowered
    block: BlockAccesses


def block_of(kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int]) -> BlockAccesses:
    """The accesses of a block of a kernel under a schedule; the arguments as for `access_classes`."""
    return _laid_out(kernel, lower(kernel, schedule, names_of(kernel)), sizes).block


def blocks_of(
    kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int], contents: Contents
) -> list[tuple[BlockAccesses, float]]:
    """Blocks that stand for all, and for how many each of them does; the arguments as for `access_classes`."""
    laid_out = _laid_out(kernel, lower(kernel, schedule, names_of(kernel)), sizes, contents)
    return [(laid_out.block.at(places), number) for places, number in _samples(laid_out)]


def _laid_out(kernel: n.Kernel, lowered: Lowered, sizes: Mapping[str, int], contents: Contents = UNKNOWN) -> _LaidOut:
    known = dict(sizes)
    extra = lowered.kernel.params[len(kernel.params) :]
    for dimension, offset, extent in zip(lowered.dimensions, extra[::2], extra[1::2], strict=True):
        known[offset.name] = 0
        known[extent.name] = max(_value(dimension.stop, sizes) - _value(dimension.start, sizes), 0)
    return _LaidOut(lowered, BlockAccesses(lowered.kernel, known, contents))


def _value(atom: n.Atom, sizes: Mapping[str, int]) -> int:
    return int(atom.value.real) if isinstance(atom, n.Const) else sizes[atom.name]


def _samples(laid_out: _LaidOut) -> Iterator[tuple[dict[str, int], float]]:
    """Blocks that stand for all: their places by the labels of loops, and for how many blocks each of them stands.

    Along axes of few blocks the first and the last one stand for themselves. Along others the one in the middle stands
    for all, of which the last one is as much as it has iterations; where what arrays hold says what a block reads, so
    many at equal distances do.
    """
    block, dimensions = laid_out.block, laid_out.lowered.dimensions
    extra = laid_out.lowered.kernel.params[len(laid_out.lowered.kernel.params) - 2 * len(dimensions) :]
    axes: list[list[tuple[dict[str, int], float]]] = []
    for (label, count), dimension, extent in zip(block.grid().items(), dimensions, extra[1::2], strict=True):
        length = block.sizes[extent.name]
        if count is not None and 2 <= count <= FEW:
            ends = [({label: 0}, 1.0), ({label: count - 1}, 1.0)]
            axes.append([*ends, ({label: count // 2}, count - 2.0)] if count > 2 else ends)
        elif count is not None and count > FEW and block.contents:
            samples = min(round(SAMPLES ** (1 / len(dimensions))), count)
            places = ((2 * k + 1) * count // (2 * samples) for k in range(samples))
            axes.append([({label: place}, length / dimension.step / samples) for place in places])
        else:
            axes.append([({}, length / dimension.step if length > dimension.step else min(length, 1))])
    for each in product(*axes):
        number = prod(number for _, number in each)
        if number:
            yield {k: v for places, _ in each for k, v in places.items()}, number


def _by_array(block: BlockAccesses) -> dict[str, list[Access]]:
    """The accesses to arrays in memory, by the name of the array."""
    found: dict[str, list[Access]] = {}
    for access in block.table.accesses:
        if access.indices is not None and block.memory(access) == "global":
            found.setdefault(access.array.name, []).append(access)
    return found


# ------------------------------------------------------------------------------------------------------ parts


def _parts(block: BlockAccesses, accesses: Sequence[Access], blocks: float, ways: _Ways) -> Iterator[_Part]:
    """What is asked of one array, without what the compiler keeps in registers; for so many `blocks` like this one."""
    is_read_only = not any(access.writes for access in accesses)
    asked_before: dict[bytes, Truths] = {}
    touched, cached, stored = _Touched(), _Touched(), _Touched()
    made = [(access, block.asked(access)) for access in accesses]
    unit = SECTOR if all(asked.exact for _, asked in made if asked.active.any()) else BURST
    for access, asked in made:
        if asked.addresses is None:
            if asked.active.any():
                yield _unknown(asked, blocks)
            continue
        rows, active = in_warps(asked)
        kept: Truths = np.asarray(active.any(axis=1))
        if is_read_only:
            kept &= np.repeat(_are_new(asked, asked_before), len(kept) // len(asked.order))
        rows, active = rows[kept], active[kept]
        if not len(rows):
            continue
        units, used = units_of(rows, active, asked.width, SECTOR)
        sectors = distinct(units, used)
        early = np.repeat(asked.early, len(kept) // len(asked.order))[kept]
        name = access.value.name if access.kind == "load" and isinstance(access.value, n.Var) else ""
        first = touched.add(*units_of(rows, active, asked.width, unit), early, asked.times) * unit / SECTOR
        again = moved = float(sectors.sum()) * asked.times
        if name not in ways.past:
            moved = cached.add(units, used, early, asked.times)
        if access.kind == "store":
            once = stored.add(units, used, early, asked.times)
            together = TOGETHER if access in ways.synchronised else BY_CHANCE
            moved = again - together * min(again - once, len(np.unique(units[used])) * asked.times)
        elif access.kind == "update":
            moved = again
        yield _Part(asked, rows, active, sectors, name in ways.staged, first, moved, blocks)


@dataclass(frozen=True)
class _Ways:
    """Of what a kernel loads, what goes to shared memory, and past the first-level cache; its stores before which
    threads wait for one another. The same in all blocks."""

    staged: Set[str]
    past: Set[str]
    synchronised: Set[Access]


def _ways(block: BlockAccesses) -> _Ways:
    stores = (access for access in block.table.accesses if access.kind == "store")
    synchronised = frozenset(access for access in stores if _is_synchronised(block, access))
    return _Ways(passed_on(block.table), past_cache(block.table), synchronised)


def _is_synchronised(block: BlockAccesses, access: Access) -> bool:
    """Whether threads wait for one another before the code that makes an access, since it uses what is shared, and go
    through no loop before it."""
    loops = block.table.structure.loops.values()
    phases = [loop for loop in loops if _is_of_threads(loop) and not any(map(_is_of_threads, loop.around))]
    own = next((loop for loop in access.loops if _is_of_threads(loop)), None)
    if own is None or sum(phase.region.path == own.region.path for phase in phases) < 2:
        return False
    if not any(own in other.loops and block.memory(other) == "shared" for other in block.table.accesses):
        return False
    before = (loop for loop in loops if own in loop.around and loop.path < access.site.path)
    return all(loop in access.loops or _is_of_threads(loop) for loop in before)


def _is_of_threads(loop: Loop) -> bool:
    return isinstance(loop.node, n.For) and loop.node.mapping == "threads"


class _Touched:
    """The sectors, or other units, of an array that a block has asked for."""

    def __init__(self) -> None:
        self._units: Numbers = np.zeros(0, np.int64)

    def add(self, units: Numbers, used: Truths, early: Truths, times: float) -> float:
        """How many an access adds, of which some iterations were enumerated, the `early` ones half of them."""
        before = len(self._units)
        half = np.union1d(self._units, units[early][used[early]])
        self._units = np.union1d(self._units, units[used])
        return float(len(self._units) - before + 2 * (times - 1) * (len(self._units) - len(half)))


def _unknown(asked: Asked, blocks: float) -> _Part:
    """Requests for addresses that are not known: each thread has a sector of its own."""
    rows, active = in_warps(replace(asked, addresses=np.zeros(asked.active.shape, np.int64)))
    kept = active.any(axis=1)
    sectors = active[kept].sum(axis=1)
    first = float(sectors.sum()) * asked.times
    return _Part(asked, rows[kept], active[kept], sectors, False, first, first, blocks)


def _are_new(asked: Asked, before: dict[bytes, Truths]) -> Truths:
    """Which iterations of a read do not ask for what the same threads asked for before in the same straight code."""
    assert asked.addresses is not None
    loops = [loop.label for loop in asked.access.loops if getattr(loop.node, "mapping", "") != "unroll"]
    found = []
    for order, row, active in zip(asked.order, asked.addresses, asked.active, strict=True):
        key = f"{loops}{order} {asked.width}".encode() + row.tobytes()
        known = before.get(key)
        is_new = known is None or bool((active & ~known).any())
        found.append(is_new)
        if is_new:
            before[key] = active if known is None else active | known
    return np.array(found, np.bool_)


def _by_place(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """The parts of each access of the source together."""

    def place(part: _Part) -> tuple[int, str, int]:
        access = part.asked.access
        return access.location.line, access.kind, access.location.column

    for _, group in groupby(sorted(parts, key=place), place):
        yield list(group)


# ---------------------------------------------------------------------------------------------------- classes


def _class_of(parts: Sequence[_Part]) -> AccessClass:
    access = parts[0].asked.access
    requests = sum(p.requests for p in parts)
    sectors = sum(float(p.sectors.sum()) * p.times for p in parts)
    best = sum(float(_best(p).sum()) * p.times for p in parts)
    main = max(parts, key=lambda p: float(p.sectors.sum()) * p.times)
    moved = sum(p.moved * p.blocks for p in parts)
    return AccessClass(
        array=access.array.stem,
        line=access.location.line,
        mode=access.kind,
        kind=_kind(main, sectors / requests, best / requests),
        stride=_stride(main),
        sectors=sectors / requests,
        best=best / requests,
        requests=requests,
        requested=sum(float(p.active.sum()) * p.asked.width * p.times for p in parts),
        l1=sectors * SECTOR,
        l2=moved * SECTOR,
        dram=sum(p.first_touched * p.blocks for p in parts) * SECTOR,
        reuse=1.0,
        level="none",
        exact=all(p.asked.exact and p.asked.times == 1 for p in parts),
        at_most=any(p.asked.at_most for p in parts),
    )


def _best(part: _Part) -> Numbers:
    """The sectors that the bytes of each request would fill."""
    if part.asked.addresses is None:
        return np.asarray(-(-part.active.sum(axis=1) * part.asked.width // SECTOR))
    size = distinct(part.rows, part.active) * part.asked.width
    return np.asarray(-(-size // SECTOR))


def _kind(part: _Part, sectors: float, best: float) -> Kind:
    if part.is_staged:
        return "staged"
    if part.asked.scattered:
        return "scattered"
    if (distinct(part.rows, part.active) <= 1).all():
        return "uniform"
    if sectors <= 1.25 * best + 1:
        return "coalesced"
    return "strided"


def _stride(part: _Part) -> int | None:
    """The bytes from each thread to the next, where that is always the same."""
    if part.asked.scattered:
        return None
    both = part.active[:, 1:] & part.active[:, :-1]
    steps = np.unique((part.rows[:, 1:] - part.rows[:, :-1])[both])
    return int(steps[0]) if len(steps) == 1 else None


def _with_levels(
    classes: Sequence[AccessClass], reuse: float, extent: _Extent | None, blocks: float
) -> Iterator[AccessClass]:
    """The classes of one array, with what its memory serves and where its reuse happens."""
    touched = sum(c.dram for c in classes)
    share = min(1.0, extent.bytes / touched) if extent is not None and touched else 1.0
    is_known = extent is not None and extent.is_known
    is_staged = any(c.kind == "staged" for c in classes)
    is_table = extent is not None and _is_table(classes, extent, sum(c.l2 for c in classes) / max(blocks, 1.0))
    sectors, first = sum(c.l1 for c in classes), sum(c.dram for c in classes)
    for c in classes:
        level: Level = "none"
        if reuse > 1:
            level = "shared" if is_staged else "L1" if sectors > 1.05 * first else "registers"
        elif share < 0.95 and c.mode == "load":
            level = "L2"
        l2 = c.l2 * share if is_table else c.l2
        yield replace(c, l2=l2, dram=c.dram * share, reuse=reuse, level=level, exact=c.exact and is_known)


def _is_table(classes: Sequence[AccessClass], extent: _Extent, touched: float) -> bool:
    """Whether an array is small and only read, and each block touches all of it."""
    return (
        extent.is_known and touched >= extent.bytes and extent.bytes <= TABLE and all(c.mode == "load" for c in classes)
    )


# ------------------------------------------------------------------------------------------------ the source


def _reuses(kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int]) -> dict[str, float]:
    """How often a block accesses each element that it accesses, by array, as the source has it."""
    alone = _apart(kernel)
    block = _laid_out(alone, lay_out(alone, _plain(schedule), names_of(alone)), sizes).block
    found = {}
    for array, accesses in _by_array(block).items():
        asked = [block.asked(access) for access in accesses]
        number = sum(float(a.active.sum()) * a.times for a in asked)
        if number and all(a.addresses is not None for a in asked):
            found[array] = max(number / _distinct_elements(asked), 1.0)
    return found


def _distinct_elements(known: Sequence[Asked]) -> float:
    """How many different addresses there are, those of iterations that were not enumerated included."""
    total = len(np.unique(np.concatenate([a.addresses[a.active] for a in known if a.addresses is not None])))
    halves = [asked.addresses[asked.early][asked.active[asked.early]] for asked in known if asked.addresses is not None]
    growth = total - len(np.unique(np.concatenate(halves)))
    return total + 2 * growth * (max(asked.times for asked in known) - 1)


def _plain(schedule: Schedule) -> Schedule:
    """The same iterations in a block, by nothing but loops over points."""
    binds = sorted((d for d in schedule if isinstance(d, Bind)), key=lambda bind: AXES.index(bind.axis))
    return tuple(replace(bind, axis=axis, run=1, halo=0) for bind, axis in zip(binds, AXES, strict=False))


def _apart(kernel: n.Kernel) -> n.Kernel:
    """The kernel with tiles that hand on nothing, and of several steps with one."""
    *before, loop = kernel.body.statements
    if isinstance(loop, n.For) and loop.steps is not None:
        return replace(kernel, body=n.Block((*before, replace(loop, steps=None))))
    if not isinstance(loop, n.For) or loop.mapping != "turns":
        return kernel
    body = substitute(loop.body, {arg.var.name: arg.init for arg in loop.args})
    alone = replace(loop, mapping="parallel", args=(), results=(), body=replace(body, yields=()))
    return replace(kernel, body=n.Block((*before, alone)))


@dataclass(frozen=True)
class _Extent:
    """Bytes of memory around all that a kernel accesses of an array; of all of it where that is not known."""

    bytes: float
    is_known: bool


def _extents(kernel: n.Kernel, sizes: Mapping[str, int]) -> dict[str, _Extent]:
    """What a kernel accesses of each array whose size is known."""
    block = BlockAccesses(kernel, sizes)
    found: dict[str, _Extent] = {}
    for array, accesses in _by_array(block).items():
        boxes = [_box(block, access, sizes) or _all_of(access, sizes) for access in accesses]
        known = [box for box in boxes if box is not None]
        if len(known) == len(boxes):
            sides = [(min(low for low, _ in axis), max(high for _, high in axis)) for axis in zip(*known, strict=True)]
            is_known = all(_box(block, access, sizes) is not None for access in accesses)
            found[array] = _Extent(_bytes(accesses[0], sides, sizes), is_known)
    return found


def _all_of(access: Access, sizes: Mapping[str, int]) -> list[tuple[int, int]] | None:
    assert isinstance(access.array.type, View)
    shape = [sizes.get(f"{access.array.name}.shape[{axis}]") for axis in range(access.array.type.ndim)]
    return None if None in shape else [(0, extent - 1) for extent in shape if extent is not None]


def _box(block: BlockAccesses, access: Access, sizes: Mapping[str, int]) -> list[tuple[int, int]] | None:
    (box,) = footprint(block.table, [access])
    if box.sides is None:
        return None
    sides = []
    for side in box.sides:
        if side is None:
            return None
        try:
            sides.append((max(f.evaluate(sizes) for f in side.low), min(f.evaluate(sizes) for f in side.high)))
        except KeyError:
            return None
    return sides


def _bytes(access: Access, sides: Sequence[tuple[int, int]], sizes: Mapping[str, int]) -> float:
    """Bytes of the sectors in a box: neighbours along the last axis share them, and so do rows with little between."""
    assert isinstance(access.array.type, View)
    size = access.array.type.element.size
    counts = [max(high - low + 1, 0) for low, high in sides]
    last = access.array.type.ndim - 1
    stride = size if access.array.type.contiguous else abs(sizes.get(f"{access.array.name}.strides[{last}]", size))
    row = counts[last] * min(stride, max(SECTOR, size)) if counts else size
    while last > 0 and counts[last - 1] and row:
        stride = abs(sizes.get(f"{access.array.name}.strides[{last - 1}]", row + SECTOR))
        if stride >= row + SECTOR:
            break
        last, row = last - 1, stride * (counts[last - 1] - 1) + row
    return float(prod(counts[:last]) * (ceil(row / SECTOR) * SECTOR))
