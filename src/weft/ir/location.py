"""Where a piece of a program comes from in the user's source."""

from __future__ import annotations

from weft.dataclass import dataclass


@dataclass(frozen=True)
class Location:
    """A span of source text and the chain of calls that led there.

    Lines and columns count as Python's ``ast`` does: lines from 1, columns in UTF-8 bytes from 0.
    `call` is the place of the call when the code was inlined from another function.
    """

    file: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    function: str = ""
    call: Location | None = None

    def chain(self) -> tuple[Location, ...]:
        """The location itself, then its callers, outermost last."""
        return (self,) if self.call is None else (self, *self.call.chain())

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"


UNKNOWN = Location("<unknown>", 0)

ADDED = Location("<added>", 0)
"""The location of loops that no line of the user's program stands for: reports and warnings leave them out."""
