"""Amounts of the figures of a device, from the demand of a call: the same model as for the processor takes them.

A nest is a launch, or all launches of a kernel that are alike. Its parts overlap: what instructions take to issue; what
a thread waits for, one thing after the other, once for each wave of blocks; what the first-level caches serve. Beside
them memory passes: bytes of the second-level cache, and of what it does not hold.
"""

from __future__ import annotations

import math

from weft.cost.device.kernel_walk import WARP
from weft.cost.device.walk import DeviceDemand, LaunchDemand, at_once
from weft.cost.memory.classes import AccessClass
from weft.cost.model import Amounts, Part
from weft.machine.facts import Facts

SCHEDULERS = 4
"""Of a multiprocessor: each issues an instruction of a warp at a time."""

SMALL = 1 << 16
"""Bytes of copies that take as long as to begin one."""

MANY = 16.0
"""Blocks of a multiprocessor from which on it does not matter that some have one more."""


def amounts_of(demand: DeviceDemand, facts: Facts) -> list[Amounts]:
    """The amounts of a call: of its launches, and of what the host does beside them."""
    found = [_of_launch(launch, demand.touched, facts) for launch in demand.launches]
    beside = Amounts(0, 1.0)
    launched = sum(launch.times for launch in demand.launches)
    if demand.waits > 1:
        beside.fixed["wait"] += demand.waits - 1
    if demand.flags:
        beside.fixed["flag"] += 1
        beside.fixed["flag.more"] += demand.flags - 1
    if launched:
        beside.fixed["kernel"] += launched
    for inwards, size, times in demand.copies:
        if size <= SMALL:
            beside.fixed[f"copy.{'in' if inwards else 'out'}"] += times
    return [*found, beside]


def large_copies(demand: DeviceDemand) -> list[tuple[bool, float, float]]:
    """The copies of a call that take longer than to begin one: whether inwards, bytes, how often."""
    return [copy for copy in demand.copies if copy[1] > SMALL]


def _of_launch(launch: LaunchDemand, touched: float, facts: Facts) -> Amounts:
    count = launch.count
    found = Amounts(launch.line, launch.times)
    part = Part()
    warps = math.ceil(count.threads / WARP)
    busy = _imbalance(count.blocks, warps, facts.cores)
    slots = facts.cores * SCHEDULERS
    for kind, number in count.all.items():
        part.add("issue", f"i.{kind}", number / WARP / slots * busy)
    waves = max(count.blocks / (facts.cores * at_once(count)), 1.0)
    for kind, number in count.each.items():
        part.add("wait", f"w.{kind}", number * waves)
    of_core = _per_core(count.blocks, facts.cores) / max(count.blocks, 1.0)
    for access in launch.accesses:
        part.add("L1", "l1.byte", access.l1 * of_core)
        part.add("L1", "l1.request", access.requests * of_core)
        part.add("L2 of a core", "l2.core", access.l2 * of_core)
    found.parts.append(part)
    miss = missing(touched, facts)
    for access in launch.accesses:
        _memory(found, access, miss)
    found.bytes = sum(access.dram for access in launch.accesses)
    found.fixed["blocks"] += count.blocks / facts.cores
    return found


def _memory(found: Amounts, access: AccessClass, miss: float) -> None:
    how = "write" if access.mode == "store" else "atomic" if access.mode == "update" else "read"
    found.memory[f"l2.{how}"] += access.l2
    if miss > 0 and access.kind in ("scattered", "strided"):
        brought = max(access.l2, access.dram) if access.kind == "scattered" else access.dram
        if brought > 0:
            found.memory["dram.scattered"] += brought * miss
    elif miss > 0 and access.dram > 0:
        found.memory[f"dram.{'write' if access.mode != 'load' else 'read'}"] += access.dram * miss


def missing(touched: float, facts: Facts) -> float:
    """Which part of what comes from memory at a first call does so at later ones: the cache holds the rest."""
    room = HELD * (facts.cache or touched)
    return max(1.0 - room / touched, 0.0) if touched > 0 else 0.0


HELD = 0.7
"""The part of the second-level cache that holds what a call touches until the next one."""


def _per_core(blocks: float, cores: int) -> float:
    """Blocks of the multiprocessor that has the most."""
    each = blocks / cores
    return float(math.ceil(each - 1e-9)) if each < MANY else each


def _imbalance(blocks: float, warps: int, cores: int) -> float:
    """How much longer the busiest scheduler works than if all shared evenly."""
    most = _per_core(blocks, cores) * warps / SCHEDULERS
    most = math.ceil(most) if most < MANY else most
    return max(most * cores * SCHEDULERS / max(blocks * warps, 1.0), 1.0)
