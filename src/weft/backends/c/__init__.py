"""C11 for the processor, through the machine's compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.backends.text.artifact import Artifact
    from weft.ir.nodes import Program


def generate(program: Program, register_lanes: int | None = None) -> Artifact:
    """C for a verified program; nothing is compiled. The printer is imported here, since a warm call needs none.

    Parameters
    ----------
    program
        A verified program.
    register_lanes
        How many numbers of 64 bits a vector register holds; None for a text that is the same on all machines.
    """
    from weft.backends.c.program import generate
    from weft.backends.text.vector_helpers import REGISTER_LANES

    return generate(program, register_lanes=register_lanes or REGISTER_LANES)


__all__ = ["generate"]
