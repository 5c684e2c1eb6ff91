"""How many blocks of a kernel run at a time on a multiprocessor of an NVIDIA GPU, and what keeps it from more.

The figures are those of the CUDA programming guide ("Technical specifications per compute capability") and of the
occupancy calculator that comes with CUDA: registers are given out to warps in units of 256, from one of four parts of
the multiprocessor each; shared memory in units of 128 or 256 bytes, with what the driver keeps of every block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from weft.errors import DeviceError

Limiter: TypeAlias = Literal["warps", "registers", "shared memory", "blocks"]

WARP = 32
PARTS = 4
REGISTER_UNIT = 256
KIB = 1024


@dataclass(frozen=True)
class Limits:
    """What one multiprocessor has.

    Attributes
    ----------
    warps, blocks
        At a time, at most.
    registers
        Of 32 bits.
    shared, shared_of_block
        Bytes of shared memory, and of these for one block at most.
    reserved
        Bytes of shared memory that the driver keeps of every block.
    shared_unit
        Bytes that shared memory is given out in.
    registers_of_thread, threads_of_block
        At most.
    """

    warps: int
    blocks: int
    shared: int
    shared_of_block: int
    reserved: int = KIB
    shared_unit: int = 128
    registers: int = 64 * KIB
    registers_of_thread: int = 255
    threads_of_block: int = 1024


LIMITS = {
    "sm_70": Limits(64, 32, 96 * KIB, 96 * KIB, 0, 256),
    "sm_75": Limits(32, 16, 64 * KIB, 64 * KIB, 0, 256),
    "sm_80": Limits(64, 32, 164 * KIB, 163 * KIB),
    "sm_86": Limits(48, 16, 100 * KIB, 99 * KIB),
    "sm_87": Limits(48, 16, 164 * KIB, 163 * KIB),
    "sm_89": Limits(48, 24, 100 * KIB, 99 * KIB),
    "sm_90": Limits(64, 32, 228 * KIB, 227 * KIB),
    "sm_100": Limits(64, 32, 228 * KIB, 227 * KIB),
}
"""By architecture."""


@dataclass(frozen=True)
class Resources:
    """What the compiler says that a kernel needs.

    Attributes
    ----------
    registers
        Of each thread.
    shared
        Bytes of shared memory of a block.
    stack
        Bytes of a thread's own memory: arrays that have no place in registers, and what was spilled.
    spill_stores, spill_loads
        Bytes that a thread writes to memory and reads back because it has too few registers.
    """

    registers: int
    shared: int
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0


@dataclass(frozen=True)
class KernelBinary:
    """Compiled kernels, and by name what they need, as far as their compiler says so."""

    code: bytes
    resources: Mapping[str, Resources] = field(default_factory=dict)


@dataclass(frozen=True)
class Occupancy:
    """How full a multiprocessor gets.

    Attributes
    ----------
    blocks
        Blocks at a time; 0: the kernel cannot be launched.
    share
        Their warps as a share of those that there could be.
    limiter
        What keeps it from more: the first of several that do.
    """

    blocks: int
    share: float
    limiter: Limiter


def limits_of(architecture: str) -> Limits:
    """The limits of an architecture such as ``sm_90``.

    Raises
    ------
    DeviceError
        Nothing is known of it.
    """
    if architecture not in LIMITS:
        raise DeviceError(f"nothing is known of the multiprocessors of {architecture}")
    return LIMITS[architecture]


def occupancy(threads: int, resources: Resources, limits: Limits) -> Occupancy:
    """The occupancy of a kernel with so many threads in a block."""
    warps = -(-threads // WARP)
    if threads > limits.threads_of_block:
        return Occupancy(0, 0.0, "warps")
    at_most: dict[Limiter, int] = {
        "warps": limits.warps // warps,
        "registers": _by_registers(warps, resources.registers, limits),
        "shared memory": _by_shared_memory(resources.shared, limits),
        "blocks": limits.blocks,
    }
    limiter = min(at_most, key=lambda name: at_most[name])
    return Occupancy(at_most[limiter], at_most[limiter] * warps / limits.warps, limiter)


def _by_registers(warps: int, registers: int, limits: Limits) -> int:
    of_warp = max(-(-registers * WARP // REGISTER_UNIT) * REGISTER_UNIT, REGISTER_UNIT)
    if registers > limits.registers_of_thread or of_warp * -(-warps // PARTS) * PARTS > limits.registers:
        return 0
    return limits.registers // PARTS // of_warp * PARTS // warps


def _by_shared_memory(shared: int, limits: Limits) -> int:
    """How many blocks find room; those that need none are limited by what is reserved alone."""
    if shared > limits.shared_of_block:
        return 0
    of_block = -(-(shared + limits.reserved) // limits.shared_unit) * limits.shared_unit
    return limits.shared // of_block if of_block else limits.shared
