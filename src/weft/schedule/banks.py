"""What the accesses of a kernel to shared memory cost: how often threads of a warp want one bank at the same time.

Shared memory has 32 banks of 4 bytes. A request is served in as many steps as one bank has different words to give;
where each thread asks for 8 or 16 bytes, half or a quarter of a warp makes a request.

Copies to shared memory of 16 bytes a thread bring lines of 128 bytes from memory, which are written as they come. Where
a line goes to two rows of the banks, that takes two steps; where its sectors of 32 bytes begin in the middle of those
of shared memory, each sector takes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from weft.analysis.access import Access
from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.schedule.addresses import WARP, Asked, BlockAccesses, Numbers, distinct, in_warps
from weft.schedule.classes import SECTOR, block_of
from weft.schedule.directives import Schedule
from weft.schedule.estimates import anywhere
from weft.schedule.legality import aligned_bytes
from weft.schedule.traffic import BYPASSING, past_cache

BANKS = 32
WORD = 4
LINE = BANKS * WORD
"""Bytes of a line of the first-level cache, and of a row of the banks."""
MOST_ROWS = 1 << 20
"""More rows than any shared memory has."""
TURN = 16
"""Bytes before the arrays of a block that takes its turn: its number, and sums in multiples of a row of the banks."""


@dataclass(frozen=True)
class SharedAccesses:
    """The accesses of a kernel to shared memory.

    Attributes
    ----------
    requests
        Requests of one block.
    steps
        In how many steps they are served.
    """

    requests: float
    steps: float

    @property
    def conflicts(self) -> float:
        """Steps that there would not be if no two threads wanted one bank."""
        return self.steps - self.requests


def shared_accesses(kernel: n.Kernel, schedule: Schedule, sizes: Mapping[str, int]) -> SharedAccesses:
    """What a block's accesses to shared memory cost; the arguments as for `weft.schedule.classes.access_classes`."""
    block: BlockAccesses = block_of(kernel, schedule, sizes)
    asked = [block.asked(a) for a in block.table.accesses if a.indices is not None and block.memory(a) == "shared"]
    copied = _copied(block)
    steps = [(a, copied[a.access] if a.access in copied else steps_of(_guessed(a))) for a in asked]
    requests = sum(float((each > 0).sum()) * a.times for a, each in steps)
    return SharedAccesses(requests, sum(float(each.sum()) * a.times for a, each in steps))


def _copied(block: BlockAccesses) -> dict[Access, Numbers]:
    """The steps of copies to shared memory that go past the first-level cache, by the access that stores."""
    past, begins, found = past_cache(block.table), _begins(block), {}
    named = [(a, a.value.name) for a in block.table.accesses if isinstance(a.value, n.Var) and a.value.name in past]
    loads = {name: access for access, name in named if access.kind == "load"}
    for access, name in named:
        if access.kind != "store" or block.memory(access) != "shared" or name not in loads:
            continue
        source, target = block.asked(loads[name]), block.asked(access)
        if source.addresses is None or target.addresses is None or source.addresses.shape != target.addresses.shape:
            continue
        begin = next((begins[root] for root in block.table.roots(access) if root in begins), 0)
        found[access] = copy_steps(source, replace(target, addresses=target.addresses + begin))
    return found


def _begins(block: BlockAccesses) -> dict[str, int]:
    """Where the arrays of a block begin in its shared memory: behind what its threads put together, in their order."""
    loops = [loop.node for loop in block.table.structure.loops.values() if isinstance(loop.node, n.For)]
    begin = TURN if any(loop.mapping == "blocks" and loop.args for loop in loops) else 0
    for loop in loops:
        if loop.together is not None:
            warps = -(-block.threads // WARP)
            parts = (warps * arg.var.type.size for arg in loop.args if isinstance(arg.var.type, Scalar))
            begin += sum(-(-size // 16) * 16 for size in parts)
    found = {}
    for name, definition in block.table.structure.definitions.items():
        if isinstance(definition.value, n.Alloc) and definition.value.memory == "shared":
            found[name] = begin
            begin += aligned_bytes(definition.value)
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
    rows, active = in_warps(asked)
    words = max(asked.width // WORD, 1)
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
