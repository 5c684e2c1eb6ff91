"""What the accesses of a kernel to shared memory cost: how often threads of a warp want one bank at the same time.

Shared memory has 32 banks of 4 bytes. A request is served in as many steps as one bank has different words to give;
where each thread asks for 8 or 16 bytes, half or a quarter of a warp makes a request.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from weft.ir import nodes as n
from weft.schedule.addresses import WARP, Asked, BlockAccesses, Numbers, in_warps
from weft.schedule.classes import block_of
from weft.schedule.directives import Schedule
from weft.schedule.estimates import anywhere

BANKS = 32
WORD = 4


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
    steps = [(a, steps_of(_guessed(a))) for a in asked]
    requests = sum(float((each > 0).sum()) * a.times for a, each in steps)
    return SharedAccesses(requests, sum(float(each.sum()) * a.times for a, each in steps))


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
