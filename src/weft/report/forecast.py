"""The result of `weft.predict`: fields that programs read, a table that people read."""

from __future__ import annotations

import html
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from weft.errors import ArgumentError, format_bytes
from weft.report.profile import duration
from weft.runtime.forecasting import DeviceForecast, ForecastPart

WIDTH, BAR = 100, 20


@dataclass(frozen=True)
class Forecast:
    """How long a call will take.

    Attributes
    ----------
    function
        Its name.
    device
        The device of the call: the one that was named, or the fastest.
    devices
        The forecast of each device; ``forecast["cuda"]`` is one of them.
    memory
        Peak bytes: the arguments, and the arrays that the call makes.
    compile_seconds
        What compiling takes at the first call; 0 where that is done.
    assumptions
        What had to be assumed to count.
    machine
        The machine that it is for.
    """

    function: str
    device: str
    devices: tuple[DeviceForecast, ...]
    memory: int
    compile_seconds: float
    assumptions: tuple[str, ...] = field(default=())
    machine: str = ""

    def __getitem__(self, device: str) -> DeviceForecast:
        for each in self.devices:
            if each.device == device:
                return each
        names = ", ".join(each.device for each in self.devices)
        raise ArgumentError(f"nothing was predicted for {device!r}", argument="device", hint=f"one of {names}")

    @property
    def seconds(self) -> float:
        """The time of the call, from its arguments being there until its results are."""
        return self[self.device].seconds

    @property
    def interval(self) -> tuple[float, float]:
        """The 80 % interval of the time."""
        return self[self.device].interval

    @property
    def parts(self) -> tuple[ForecastPart, ...]:
        """What the time is made of."""
        return self[self.device].parts

    @property
    def bound(self) -> str:
        """What most of the time goes to, such as ``DRAM bandwidth``."""
        return self[self.device].bound

    def to_data(self) -> dict[str, Any]:
        """All fields as JSON takes them."""
        return {**asdict(self), "seconds": self.seconds, "interval": list(self.interval), "bound": self.bound}

    def to_json(self) -> str:
        """All fields as text."""
        return json.dumps(self.to_data(), indent=1)

    def __str__(self) -> str:
        buffer = io.StringIO()
        console = Console(file=buffer, width=WIDTH, color_system=None, highlight=False, markup=False)
        console.print(self.__rich__())
        for note in self._notes():
            console.print(note)
        return "\n".join(line.rstrip() for line in buffer.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def __rich__(self) -> Table:
        table = Table(title=self._title(), title_justify="left", title_style="")
        for column in ("part", "line", "times", "amount", "alone", "share", ""):
            table.add_column(column, justify="right" if column in ("line", "times", "alone", "share") else "left")
        for part in self.parts:
            table.add_row(*_row(part), _bar(part.share))
        return table

    def _title(self) -> str:
        low, high = self.interval
        return (
            f"{self.function} on {self.device}: {duration(self.seconds)} ({duration(low)} to {duration(high)}), "
            f"bound by {self.bound}"
        )

    def _notes(self) -> Iterator[str]:
        chosen = self[self.device]
        yield f"figures: {chosen.basis}" + (f"; machine {self.machine}" if self.machine else "")
        yield f"memory: {format_bytes(self.memory)} at most"
        if self.compile_seconds:
            yield f"compiling at the first call: about {duration(self.compile_seconds)}"
        for other in self.devices:
            if other.device != self.device:
                yield f"{other.device}: {other.impossible or duration(other.seconds)} ({other.basis})"
        for assumption in self.assumptions:
            yield f"assumed: {assumption}"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("part", "line", "times", "amount", "alone", "share", ""))
        rows = "".join(_html_row(part) for part in self.parts)
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return f"<p><b>{html.escape(self._title())}</b></p><table><tr>{head}</tr>{rows}</table>{notes}"


def _row(part: ForecastPart) -> tuple[str, ...]:
    hidden = " (hidden)" if part.hidden else ""
    line = str(part.line) if part.line else ""
    return f"{part.what}{hidden}", line, f"{part.count:.4g}", part.amount, duration(part.seconds), f"{part.share:.0%}"


def _bar(share: float) -> str:
    return "#" * round(BAR * min(share, 1.0))


def _html_row(part: ForecastPart) -> str:
    cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in _row(part))
    width = round(100 * min(part.share, 1.0))
    colour = "#bbb" if part.hidden else "#36c"
    return f'<tr>{cells}<td><div style="width:{width}px;height:10px;background:{colour}"></div></td></tr>'
