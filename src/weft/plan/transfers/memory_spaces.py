"""The two sides of a program: the memories of devices, and what is left where only the host is looked at."""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.visit import blocks_of, with_blocks

SAVED = "/saved"


def beside(device: str) -> str:
    """The memory in which a device keeps what a kernel may spoil."""
    return f"{device}{SAVED}"


def is_device(memory: str) -> bool:
    """Whether a memory is that of a device, and neither the host's nor what is kept beside another."""
    return memory != HOST and not memory.endswith(SAVED)


def without_kernels(program: n.Program) -> n.Program:
    """The program as the host sees it."""
    return replace(program, body=_emptied(program.body))


def _emptied(block: n.Block) -> n.Block:
    """A block whose kernels do nothing; kernels are large, so nobody looks into them."""
    return replace(block, statements=tuple(map(_without_kernel, block.statements)))


def _without_kernel(statement: n.Statement) -> n.Statement:
    if isinstance(statement, n.Launch):
        return replace(statement, kernel=replace(statement.kernel, body=n.Block()))
    inner = blocks_of(statement)
    return with_blocks(statement, tuple(map(_emptied, inner))) if inner else statement
