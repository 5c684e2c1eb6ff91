"""`profile`: what happened while a ``with`` block ran, on devices and in the compiler."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from weft.errors import format_bytes
from weft.runtime.devices import ledger
from weft.runtime.devices.ledger import Event

COLUMNS = ("start", "seconds", "kind", "device", "bytes", "what", "line", "reason")
MICROSECONDS = 1e6
WIDEST = 32


class Profile:
    """What a `profile` block saw; complete when the block has ended.

    Attributes
    ----------
    events
        What happened, in order: each an `Event` with ``kind``, ``start``, ``seconds``, ``device``, ``bytes``,
        ``array``, ``kernel``, ``line``, ``file``, ``program`` and ``reason``.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []

    def of(self, *kinds: str) -> list[Event]:
        """The events of these kinds."""
        return [event for event in self.events if event.kind in kinds]

    def moved(self, kind: str) -> int:
        """Bytes that were copied: ``copy_in`` to devices, or ``copy_out`` of them."""
        return sum(event.bytes for event in self.of(kind))

    def needed(self, kind: str) -> int:
        """Bytes that would have been copied if each place on the host had crossed once in this direction."""
        places: dict[tuple[str, int], int] = {}
        for event in self.of(kind):
            key = event.device, event.place
            places[key] = max(places.get(key, 0), event.bytes)
        return sum(places.values())

    def table(self) -> str:
        """All events as text, one in a line."""
        rows = [COLUMNS, *map(_row, self.events)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(COLUMNS))]
        lines = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    def summary(self) -> str:
        """How much of what happened, as text: counts, time, and bytes beside those that had to move."""
        lines = []
        for kind in (*ledger.KINDS, "compile"):
            events = self.of(kind)
            if events:
                seconds = sum(event.seconds for event in events)
                lines.append(f"{kind:9} {len(events):7} times {duration(seconds):>9}{self._bytes(kind)}")
        return "\n".join(lines) or "nothing happened on devices, and nothing was compiled"

    def _bytes(self, kind: str) -> str:
        if not self.moved(kind):
            return ""
        text = f"  {format_bytes(self.moved(kind))}"
        return f"{text}, at least {format_bytes(self.needed(kind))}" if kind.startswith("copy") else text

    def save(self, path: str | Path) -> None:
        """Write the events as a Chrome trace, which Perfetto and ``chrome://tracing`` show."""
        Path(path).write_text(json.dumps({"traceEvents": [*map(_trace, self.events)]}), encoding="utf-8")

    def __str__(self) -> str:
        return self.summary()

    __repr__ = __str__


@contextmanager
def profile() -> Iterator[Profile]:
    """Record what devices and compilers do while a ``with`` block runs.

    Yields
    ------
    Profile
        Its events are there after the block.

    Examples
    --------
    >>> import weft
    >>> with weft.profile() as p:
    ...     pass
    >>> p.events
    []
    """
    made = Profile()
    seen = ledger.start()
    try:
        yield made
    finally:
        ledger.stop(seen)
        first = min((event.start for event in seen), default=0.0)
        made.events = [replace(event, start=event.start - first) for event in seen]


def _row(event: Event) -> tuple[str, ...]:
    what = _shortened(event.array or event.kernel or event.program)
    size = format_bytes(event.bytes) if event.bytes else ""
    line = str(event.line or "")
    return (duration(event.start), duration(event.seconds), event.kind, event.device, size, what, line, event.reason)


def _shortened(text: str) -> str:
    """A text that leaves room for others in its line."""
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def duration(seconds: float) -> str:
    """A time with its unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e3)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * MICROSECONDS:.3g} us"


def _trace(event: Event) -> dict[str, Any]:
    name = event.kernel or " ".join(part for part in (event.kind, event.array or event.program) if part)
    return {
        "name": name, "cat": event.kind, "ph": "X", "pid": event.device, "tid": event.kind,
        "ts": event.start * MICROSECONDS, "dur": event.seconds * MICROSECONDS, "args": asdict(event),
    }  # fmt: skip
