"""C11 for the processor, through the machine's compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.backends.text.artifact import Artifact
    from weft.ir.nodes import Program


def generate(program: Program) -> Artifact:
    """C for a verified program; nothing is compiled. The printer is imported here, since a warm call needs none."""
    from weft.backends.c.program import generate

    return generate(program)


__all__ = ["generate"]
