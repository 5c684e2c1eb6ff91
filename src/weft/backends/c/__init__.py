"""C11 for the processor, through the machine's compiler."""

from weft.backends.c.program import generate

__all__ = ["generate"]
