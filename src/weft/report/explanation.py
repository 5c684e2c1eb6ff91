"""The result of `weft.explain`: fields that programs read, a table that people read."""

from __future__ import annotations

import html
import io
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from weft.cost.memory.classes import AccessClass
from weft.cost.prediction import Choice, Prediction
from weft.errors import format_bytes
from weft.plan.transfers.actions import Plan
from weft.report.kernels import KernelReport
from weft.report.nests import NestCost, Roofs
from weft.report.profile import duration
from weft.report.splitting import SPLIT_COLUMNS, SplitReport

WIDTH = 100


@dataclass(frozen=True)
class LoopReport:
    """A loop of the source and its verdict.

    Attributes
    ----------
    line
        Its line in the file.
    variable
        The loop's variable, as the user wrote it.
    verdict
        ``parallel``, ``reduction``, ``scan``, ``search``, ``compaction``, ``checked`` (decided by values at the call)
        or ``sequential``.
    reason
        Why, in the user's words; for ``sequential`` with the two accesses that are in the way.
    function
        The function that the loop stands in.
    """

    line: int
    variable: str
    verdict: str
    reason: str
    function: str = ""
    depth: int = 0


@dataclass(frozen=True)
class AccessReport:
    """An access to an array: where, how it is indexed, and what is known of it.

    `kind` is ``affine``, ``quasi-affine``, ``indirect`` or ``unknown``; `bounds` says when the index is checked.
    """

    array: str
    line: int
    mode: str
    index: str
    kind: str
    reason: str = ""


@dataclass(frozen=True)
class PlacementReport:
    """Where a parallel nest, or the rest of the program, runs, and why there."""

    line: int
    device: str
    what: str
    reason: str = ""


@dataclass(frozen=True)
class Explanation:
    """What Weft decided about a function for one combination of arguments.

    `plan` holds what moves data, if the function runs on a device with memory of its own; see
    `weft.plan.transfers.actions`. `kernels` are the loops that run there: the classes of their accesses, what the
    compiler says that they need, and their occupancy. `choice` says why it runs on `device`, with the time that was
    predicted for each device, where Weft chose it. `source` has the lines of the function; `nests` what its nests of
    loops cost, and `roofs` what the device does at most, by prediction. `split` says how a call is split over several
    devices, of which `device` is the first: all else is about a call that runs whole there. It is None where one device
    is used.
    """

    function: str
    file: str
    device: str
    loops: tuple[LoopReport, ...]
    accesses: tuple[AccessReport, ...]
    placement: tuple[PlacementReport, ...]
    notes: tuple[str, ...] = field(default=())
    plan: Plan = field(default=Plan())
    choice: Choice | None = None
    kernels: tuple[KernelReport, ...] = ()
    source: tuple[tuple[int, str], ...] = ()
    nests: tuple[NestCost, ...] = ()
    roofs: Roofs | None = None
    split: SplitReport | None = None

    def save(self, path: str | Path) -> Path:
        """Write the explanation as one HTML file, with the source, the reasons and pictures.

        Parameters
        ----------
        path
            Where to; an existing file is overwritten.

        Returns
        -------
        Path
            The file.
        """
        from weft.report.page import page

        target = Path(path)
        target.write_text(page(self), encoding="utf-8")
        return target

    def __str__(self) -> str:
        buffer = io.StringIO()
        width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
        console = Console(file=buffer, width=width, color_system=None, highlight=False, markup=False)
        for table in self._tables():
            console.print(table)
        for note in self.notes:
            console.print(f"note: {note}")
        return "\n".join(line.rstrip() for line in buffer.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        parts = [_html(title, columns, rows) for title, columns, rows in self.sections()]
        return "".join(parts) + "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)

    def _tables(self) -> Iterator[Table]:
        for title, columns, rows in self.sections():
            table = Table(title=title, title_justify="left", title_style="", expand=False)
            for column in columns:
                wide = column in ("reason", "index")
                table.add_column(column, overflow="fold", no_wrap=False, ratio=1 if wide else None)
            for row in rows:
                table.add_row(*row)
            yield table

    def sections(self) -> Iterator[tuple[str, Sequence[str], Sequence[Sequence[str]]]]:
        """The tables: title, columns, rows."""
        where = f"{self.function} ({Path(self.file).name}) on {self.device}"
        loops = [("  " * x.depth + x.variable, str(x.line), x.verdict, x.reason) for x in self.loops]
        yield f"Loops of {where}", ("loop", "line", "verdict", "reason"), loops
        if self.accesses:
            rows = [(a.array, str(a.line), a.mode, a.index, a.kind, a.reason) for a in self.accesses]
            yield "Arrays", ("array", "line", "does", "index", "kind", "reason"), rows
        if self.placement:
            placed = [(str(p.line), p.what, p.device, p.reason) for p in self.placement]
            yield "What runs where", ("line", "what", "device", "reason"), placed
        if self.split is not None and self.split.loops:
            yield "What is split", SPLIT_COLUMNS, list(self.split.rows())
        if self.choice is not None and len(self.choice.predictions) > 1:
            columns = ("device", "seconds", "copies", "kernels", "host", "figures")
            yield "What was predicted", columns, [_predicted(p) for p in self.choice.predictions]
        for kernel in self.kernels:
            reached = [_row(access) for access in kernel.accesses]
            title = f"Memory in line {kernel.line}: {kernel}"
            yield title, ("array", "line", "does", "class", "sectors", "requested", "L2", "DRAM", "reuse"), reached
            if kernel.advice:
                yield "What would help", ("reason",), [(str(advice),) for advice in kernel.advice]
        if self.plan:
            moves = [
                (
                    a.starts,
                    a.does,
                    a.array + a.region,
                    a.bytes,
                    _short(a.often),
                    _lines(a.causes),
                    a.awaited,
                    _short(a.naive),
                )
                for a in self.plan
            ]
            what = ("starts", "does", "array", "bytes", "when", "for lines", "awaited", "without placement")
            yield "What moves", what, moves


def _short(often: str) -> str:
    """When an action happens, short enough for a table."""
    often = often.replace("in every iteration of ", "each ").replace("if the condition in line ", "if line ")
    return often.replace(" holds", "").replace("if that in line ", "unless line ").replace(" does not", "")


def _lines(lines: Sequence[int]) -> str:
    return ", ".join(map(str, lines))


def _predicted(prediction: Prediction) -> Sequence[str]:
    """The time of a call on a device, and its parts."""
    figures = prediction.impossible or ("measured" if prediction.measured else "estimated")
    times = (prediction.seconds, prediction.copies, prediction.kernels, prediction.host)
    return (prediction.device, *map(duration, times), figures)


def _row(access: AccessClass) -> tuple[str, ...]:
    """A row of the table of a kernel's accesses."""
    sectors = f"{access.sectors:.3g} of {access.best:.3g}"
    most = "at most " if access.at_most else ""
    sizes = (most + format_bytes(round(size)) for size in (access.requested, access.l2, access.dram))
    reuse = "" if access.reuse <= 1 else f"{access.reuse:.2f} in {access.level}"
    about = "" if access.exact else "about "
    does = {"load": "reads", "store": "writes"}.get(access.mode, "updates")
    return access.array, str(access.line), does, access.kind, about + sectors, *sizes, reuse


def _html(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{html.escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<p><b>{html.escape(title)}</b></p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
