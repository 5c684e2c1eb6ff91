"""Loops that use partial results of what they fold (scans): how pieces begin with what those before them gave.

A first program folds the iterations of a piece and stores nothing. When all pieces have run it, what each of them
begins with is known, and a second program runs their iterations. All pieces but the last read their elements twice.
Where the first program raises, pieces run one after the other, and arrays are as the loop leaves them.

What it refuses: loops whose folds read what the same iteration wrote, and elements that go from iteration to iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from weft.analysis.access.access import AccessTable
from weft.analysis.dependence.loop_facts import LoopFact
from weft.ir import nodes as n
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE, VALUE
from weft.ir.types import Scalar
from weft.ir.visit import rewrite, walk
from weft.runtime.arrays.memory import scalar_of
from weft.split.shares import busy_of
from weft.split.together import timed

if TYPE_CHECKING:
    from weft.split.calls import Call, Ran
    from weft.split.cutting import Phase
    from weft.split.devices import SplitFunction
    from weft.split.programs import Kind
    from weft.split.steps import Path

KNOWN = n.Let, n.If, n.For, n.While, n.Raise, n.Store


@dataclass(frozen=True)
class Scan:
    """The programs of a loop that uses partial results of what it folds.

    Attributes
    ----------
    totals
        The program that returns what a piece folds, and stores nothing.
    piece
        The program that runs a piece which begins with given values, and returns those behind it.
    """

    totals: n.Program
    piece: n.Program

    def zeros(self) -> dict[str, object]:
        """Values of the right types for a piece to begin with."""
        params = {p.source.name: p.var.type for p in self.piece.params if p.source.name.startswith(f"{VALUE} ")}
        return {name: scalar_of(cast(Scalar, type), bytes(16)) for name, type in params.items()}


def without_stores(loop: n.For) -> n.For:
    """A loop that changes no array."""
    return replace(loop, body=rewrite(loop.body, lambda s: () if isinstance(s, n.Store) else s))


def why_no_scan(loop: n.For, bare: n.For, fact: LoopFact, table: AccessTable) -> str:
    """Why a loop cannot be cut that uses partial results, in words; empty where it can.

    Parameters
    ----------
    loop, fact, table
        The loop, and what is known of it and of its program.
    bare
        What of it computes what it folds.
    """
    if fact.scans:
        return f"{fact.scans[0].store.view.stem} goes from iteration to iteration"
    if fact.updates or not all(isinstance(statement, KNOWN) for statement in walk(loop.body)):
        return "it does more than to store partial results"
    needed = {statement.var for statement in walk(bare.body) if isinstance(statement, n.Let)}
    written = set[str]()
    for part in loop.body.statements:
        inside = [*walk(n.Block((part,)))]
        stores = frozenset[str]().union(*(table.aliases.roots(s.view) for s in inside if isinstance(s, n.Store)))
        for statement in inside:
            load = statement.value if isinstance(statement, n.Let) and statement.var in needed else None
            if isinstance(load, n.Load) and not table.aliases.roots(load.view).isdisjoint(written | stores):
                return f"what it folds is read from {load.view.stem} after it was written"
        written |= stores
    return ""


def run_scan(
    split: SplitFunction[..., Any],
    path: Path,
    phase: Phase,
    call: Call,
    bounds: tuple[int, int],
    start: tuple[object, ...],
) -> list[Ran]:
    """One loop, on all devices.

    Parameters
    ----------
    split, path, phase, call
        The function, where the loop stands, the loop, and the call.
    bounds, start
        The bounds of the loop, and what the values that it carries begin with.
    """
    speeds = split.speeds_at(path, call, bounds)
    cuts, units = split.pieces_at(phase, call, bounds, speeds)
    busy, given, ends = busy_of(cuts), call.given(), (FIRST_OF_PIECE, END_OF_PIECE)
    names = [f"{VALUE} {k}" for k in range(2 * len(start))]

    def work(kind: Kind, k: int, values: Sequence[object] = ()) -> tuple[Any, ...]:
        added = (*names[: len(values)], *ends)
        return split.entry(path, kind, call, added, split.devices[k]), given, (*values, *cuts[k]), tuple

    starts = [start]
    try:
        for _, total in split.workers.run(timed, [work("totals", k) for k in busy[:-1]]):
            merged = split.entry(path, "merge", call, names)(*given, *starts[-1], *total)
            starts.append(cast("tuple[object, ...]", merged))
    except Exception:  # the iteration that raises does so again, when all before it have run
        starts = [start]
    if len(starts) == len(busy) and phase.is_certain:
        done = split.workers.run(timed, [work("scan", k, values) for k, values in zip(busy, starts, strict=True)])
    else:
        done = []
        for k in busy:
            done.append(timed(*work("scan", k, done[-1][1] if done else start)))
    call.results += done[-1][1]
    return split.learned(phase, speeds, cuts, units, [spent for spent, _ in done])
