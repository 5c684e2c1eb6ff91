"""Which part of memory an address lies in."""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, NamedTuple, TypeVar

Owner = TypeVar("Owner")


class Span(NamedTuple, Generic[Owner]):
    """The bytes from `start` to `stop`, of something whose first byte is or was at `origin`."""

    start: int
    stop: int
    origin: int
    owner: Owner


class Spans(Generic[Owner]):
    """Spans of addresses, in order. Where two would overlap, the one that was entered later has the bytes."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._spans: list[Span[Owner]] = []

    def find(self, address: int) -> Span[Owner] | None:
        """The span of an address."""
        position = bisect_right(self._starts, address) - 1
        if position < 0 or address >= self._spans[position].stop:
            return None
        return self._spans[position]

    def enter(self, start: int, size: int, owner: Owner) -> None:
        """Memory of `owner` begins at `start`."""
        self._replace(start, start + size, [Span(start, start + size, start, owner)])

    def remove(self, start: int, size: int) -> None:
        """These bytes belong to nothing any more."""
        self._replace(start, start + size, [])

    def _replace(self, start: int, stop: int, spans: list[Span[Owner]]) -> None:
        first = bisect_right(self._starts, start)
        first -= first > 0 and self._spans[first - 1].stop > start
        last = bisect_right(self._starts, stop - 1)
        before = [span._replace(stop=start) for span in self._spans[first:last] if span.start < start]
        behind = [span._replace(start=stop) for span in self._spans[first:last] if span.stop > stop]
        self._spans[first:last] = [*before, *spans, *behind]
        self._starts[first:last] = [span.start for span in (*before, *spans, *behind)]
