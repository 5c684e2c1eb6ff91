"""What the accesses of a kernel to shared memory cost: how often threads of a warp want one bank at the same time.

Shared memory has 32 banks of 4 bytes. A request is served in as many steps as one bank has different words to give;
where each thread asks for 8 or 16 bytes, half or a quarter of a warp makes a request.

What is kept is packed side by side, so which banks a thread wants follows from how many elements the threads before it
keep. Elements that are kept by chance, a part of all, stand for them.

Copies to shared memory of 16 bytes a thread bring lines of 128 bytes from memory, which are written as they come. Where
a line goes to two rows of the banks, that takes two steps; where its sectors of 32 bytes begin in the middle of those
of shared memory, each sector takes one. So arrays that are filled in this way begin at rows (`legality.shared_unit`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from weft.analysis.access.access import Access
from weft.cost.memory.addresses import (
    UNKNOWN,
    WARP,
    Asked,
    BlockAccesses,
    Contents,
    Numbers,
    Truths,
    distinct,
    in_warps,
)
from weft.cost.memory.assumed_contents import anywhere
from weft.cost.memory.classes import SECTOR, block_of, blocks_of
from weft.cost.memory.traffic import past_cache
from weft.ir import nodes as n
from weft.schedule.directives import Scan, Schedule
from weft.schedule.legality import BYPASSING, LINE
from weft.schedule.lowering.lanes import WIDEST

T = TypeVar("T", np.int64, np.bool_)
BANKS = 32
WORD = 4
MOST_ROWS = 1 << 20
"""More rows than any shared memory has."""
SAMPLES = 256
"""Runs of a warp that stand for all, where elements are kept by chance."""


@dataclass(frozen=True)
class Packing:
    """Stores of what is kept, side by side.

    Attributes
    ----------
    stores
        Of the threads of one block, if they keep everything.
    run
        Neighbouring elements that a thread stores one after the other, before those of the next thread.
    width
        Bytes of each.
    """

    stores: float
    run: int
    width: int

    def served(self, part: float) -> tuple[float, float]:
        """The requests of a warp, and in how many steps they are served, where a part of the elements is kept."""
        kept = np.asarray(np.random.default_rng(0).random((SAMPLES, WARP * self.run)) < part, np.bool_)
        places = np.asarray((np.cumsum(kept, axis=1) - kept) * self.width, np.int64)
        steps = _steps(self._by_step(places), self._by_step(kept), self.width)
        each = self.stores / (SAMPLES * WARP * self.run)
        return float((steps > 0).sum()) * each, float(steps.sum()) * each

    def _by_step(self, runs: npt.NDArray[T]) -> npt.NDArray[T]:
        """Elements in their order in memory, as the threads of a warp get to them."""
        return np.swapaxes(runs.reshape(SAMPLES, WARP, self.run), 1, 2).reshape(-1, WARP)


@dataclass(frozen=True)
class SharedAccesses:
    """The accesses of a kernel to shared memory.

    Attributes
    ----------
    requests
        Requests of one block.
    steps
        In how many steps they are served.
    packing
        Those of them that store what is kept, where everything is.
    """

    requests: float
    steps: float
    packing: tuple[Packing, ...] = ()

    def keeping(self, part: float) -> SharedAccesses:
        """The same where a part of what is packed is kept, by chance."""
        requests, steps = self.requests, self.steps
        for packing in self.packing:
            (all_requests, all_steps), (some, in_steps) = packing.served(1.0), packing.served(part)
            requests, steps = requests + some - all_requests, steps + in_steps - all_steps
        return SharedAccesses(requests, steps)

    @property
    def conflicts(self) -> float:
        """Steps that there would not be if no two threads wanted one bank."""
        return self.steps - self.requests


def shared_accesses(
    kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int], contents: Contents = UNKNOWN
) -> SharedAccesses:
    """What a block's accesses to shared memory cost, on average where what arrays hold is known; the arguments as for
    `weft.cost.memory.classes.access_classes`."""
    blocks = blocks_of(kernel, schedule, sizes, contents) if contents else []
    found = [(_of_block(block, schedule), number) for block, number in blocks]
    if not found:
        return _of_block(block_of(kernel, schedule, sizes), schedule)
    total = sum(number for _, number in found)
    requests, steps = (sum(f.requests * k for f, k in found) / total, sum(f.steps * k for f, k in found) / total)
    return replace(found[0][0], requests=requests, steps=steps)


def _of_block(block: BlockAccesses, schedule: Schedule) -> SharedAccesses:
    asked = [block.asked(a) for a in block.table.accesses if a.indices is not None and block.memory(a) == "shared"]
    copied = _copied(block)
    packing = tuple(_packing(block, schedule, asked))
    others = merged(block, [a for a in asked if not (packing and _is_packed(a))])
    steps = [(a, copied[a.access] if a.access in copied else steps_of(_guessed(a))) for a in others]
    served = [(float((each > 0).sum()) * a.times, float(each.sum()) * a.times) for a, each in steps]
    served += [each.served(1.0) for each in packing]
    return SharedAccesses(sum(each for each, _ in served), sum(each for _, each in served), packing)


def merged(block: BlockAccesses, asked: Sequence[Asked]) -> Iterator[Asked]:
    """Accesses to shared memory, of which the compiler makes one of 8 or 16 bytes of loads of neighbours: in the same
    straight code, where they begin at multiples of that whatever the variables are."""
    runs: dict[object, dict[int, Asked]] = {}
    for each in asked:
        start, rest = block.offset(each.access) if each.access.kind == "load" else (0, None)
        key = each.access.array.name, each.access.region.path, rest, each.width
        if rest is None or any(factor % WIDEST for factor in rest.terms.values()) or start in runs.get(key, ()):
            yield each
        else:
            runs.setdefault(key, {})[start] = each
    for run in runs.values():
        while run:
            start = min(run)
            first = run.pop(start)
            width = first.width
            for size in (WIDEST, WIDEST // 2):
                others = range(start + first.width, start + size, first.width)
                if size > first.width and start % size == 0 and all(other in run for other in others):
                    width = size
                    for other in others:
                        del run[other]
                    break
            yield replace(first, width=width)


def _packing(block: BlockAccesses, schedule: Schedule, asked: Sequence[Asked]) -> Iterator[Packing]:
    """What a block packs whose threads have counted together what they keep of short runs."""
    loops = (loop.node for loop in block.table.structure.loops.values())
    counts = any(isinstance(loop, n.For) and loop.together is not None and loop.together.most for loop in loops)
    runs = [d.run for d in schedule if isinstance(d, Scan) and d.run]
    for each in asked if counts and runs else ():
        if _is_packed(each) and each.active.any():
            yield Packing(float(each.active.sum()) * each.times, runs[0], each.width)


def _is_packed(asked: Asked) -> bool:
    return asked.access.kind == "store" and asked.addresses is None


def _copied(block: BlockAccesses) -> dict[Access, Numbers]:
    """The steps of copies to shared memory that go past the first-level cache, by the access that stores."""
    past, found = past_cache(block.table), {}
    named = [(a, a.value.name) for a in block.table.accesses if isinstance(a.value, n.Var) and a.value.name in past]
    loads = {name: access for access, name in named if access.kind == "load"}
    for access, name in named:
        if access.kind != "store" or block.memory(access) != "shared" or name not in loads:
            continue
        source, target = block.asked(loads[name]), block.asked(access)
        if source.addresses is None or target.addresses is None or source.addresses.shape != target.addresses.shape:
            continue
        found[access] = copy_steps(source, target)
    return found


def copy_steps(source: Asked, target: Asked) -> Numbers:
    """The steps in which shared memory takes what copies of 16 bytes a thread bring, by quarters of a warp."""
    memory, _ = in_warps(source)
    shared, active = in_warps(target)
    is_straight = (shared - memory) % SECTOR == 0
    lines = memory // LINE * MOST_ROWS + shared // LINE
    pieces = np.where(is_straight, 2 * lines, 2 * (memory // SECTOR) + 1)
    threads = LINE // BYPASSING
    return distinct(pieces.reshape(-1, threads), active.reshape(-1, threads))


def _guessed(asked: Asked) -> Asked:
    """Places that follow from values of elements are taken to be anywhere."""
    if asked.addresses is not None:
        return asked
    places = anywhere(np.arange(asked.active.size, dtype=np.int64)).reshape(asked.active.shape)
    return replace(asked, addresses=places * asked.width)


def steps_of(asked: Asked) -> Numbers:
    """The steps of each request; 0 where no thread asks for anything."""
    return _steps(*in_warps(asked), asked.width)


def _steps(rows: Numbers, active: Truths, width: int) -> Numbers:
    words = max(width // WORD, 1)
    threads = WARP // words
    first = (rows // WORD).reshape(-1, threads)
    wanted = (first[:, :, None] + np.arange(words)).reshape(len(first), -1)
    used = np.repeat(active.reshape(-1, threads), words, axis=1)
    order = np.argsort(np.where(used, wanted, -1), axis=1, kind="stable")
    found = np.take_along_axis(np.where(used, wanted, -1), order, axis=1)
    is_new = (found >= 0) & np.concatenate([np.ones((len(found), 1), np.bool_), found[:, 1:] != found[:, :-1]], axis=1)
    counts = np.zeros((len(found), BANKS), np.int64)
    np.add.at(counts, (np.nonzero(is_new)[0], found[is_new] % BANKS), 1)
    return np.asarray(counts.max(axis=1))
