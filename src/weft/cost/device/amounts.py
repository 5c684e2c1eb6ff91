"""Amounts of the figures of a device, from the demand of a call: the same model as for the processor takes them.

A nest is a launch, or all launches of a kernel that are alike. Its parts overlap: what instructions take to issue; what
a thread waits for, one thing after the other, once for each wave of blocks; what the first-level caches serve. Beside
them memory passes: bytes of the second-level cache, and of what it does not hold.
"""

from __future__ import annotations

import math
from dataclasses import replace

from weft.cost.device.kernel_walk import SECTOR, WARP, KernelCount
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
        beside.fixed["flag"] += min(demand.flags, 1.0)
    if demand.flags > 1:
        beside.fixed["flag.more"] += demand.flags - 1
    if launched:
        beside.fixed["kernel"] += launched
    for size in demand.saved:
        beside.fixed["save"] += 1
        beside.fixed["save.byte"] += size
    for inwards, size, times in demand.homes:
        beside.fixed["back" if inwards else "home"] += times
        beside.fixed["back.byte" if inwards else "home.byte"] += size * times
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
    accesses = _kept(launch)
    for access in accesses:
        part.add("L1", "l1.byte", access.l1 * of_core)
        part.add("L1", "l1.request", access.requests * of_core)
        part.add("L2 of a core", "l2.core" if access.mode == "load" else "l2.core.write", access.l2 * of_core)
    found.parts.append(part)
    miss = missing(touched, facts)
    for access in accesses:
        _memory(found, access, miss, _reached(access, count, facts))
    _waits(part, launch, miss, waves)
    found.bytes = sum(access.dram for access in accesses)
    found.fixed["blocks"] += count.blocks / facts.cores
    return found


def _kept(launch: LaunchDemand) -> list[AccessClass]:
    """The accesses, of which stores are made as often as the conditions around them hold in a warp."""
    stores = [access for access in launch.accesses if access.mode == "store"]
    requests = sum(access.requests for access in stores)
    made = launch.count.all.get("global.store", 0.0) / WARP
    share = min(made / requests, 1.0) if requests > 0 and made > 0 else 1.0
    if share == 1.0:
        return list(launch.accesses)
    return [
        replace(a, requests=a.requests * share, l1=a.l1 * share, l2=a.l2 * share, dram=a.dram * share)
        if a.mode == "store"
        else a
        for a in launch.accesses
    ]


def _waits(part: Part, launch: LaunchDemand, miss: float, waves: float) -> None:
    """How often a thread waits for the second-level cache, and for memory; a test lets it do nothing else meanwhile."""
    each = launch.count.each
    loads = [access for access in launch.accesses if access.mode == "load" and access.requests > 0]
    requests = sum(access.requests for access in loads)
    if not requests:
        return
    away = {access: min(access.l2 / SECTOR / max(access.sectors, 1.0), access.requests) for access in loads}
    far = sum(number * min(a.dram / a.l2, 1.0) * miss for a, number in away.items() if a.l2 > 0) / requests
    near = sum(away.values()) / requests
    tested = min(each.get("tested", 0.0), each["global.load"])
    for name, number in (("w.tested", tested), ("w", each["global.load"] - tested)):
        part.add("wait", f"{name}.l2", number * near * waves)
        part.add("wait", f"{name}.dram", number * far * waves)


def _reached(access: AccessClass, count: KernelCount, facts: Facts) -> float:
    """Bytes that an access in no order brings from memory at most: what it reaches, where the cache holds that."""
    reach = sum(size for name, size in count.places.items() if name.partition(".")[0] == access.array)
    return reach if 0 < reach < HELD * facts.cache else math.inf


def _memory(found: Amounts, access: AccessClass, miss: float, reached: float) -> None:
    how = "write" if access.mode == "store" else "atomic" if access.mode == "update" else "read"
    found.memory[f"l2.{how}"] += access.l2
    if miss > 0 and access.kind in ("scattered", "strided"):
        brought = min(access.l2 if access.kind == "scattered" else min(access.dram, access.l2), reached)
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
