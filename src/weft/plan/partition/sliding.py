"""A kernel that slides windows over the rows of arrays, on the device: what is done leaves, what is new comes in.

A window has some rows that it keeps, and behind them as many as it slides by. Its first rows go to an array beside it,
the others move up, and the last ones come from a second array beside it. Copies between those two and the host can run
while kernels work on the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from weft.ir import nodes as n
from weft.schedule.writing import Writing


@dataclass(frozen=True)
class Slide:
    """A window, what its new rows are in, and what its first rows go to; None where nobody needs them."""

    window: n.Var
    coming: n.Var
    leaving: n.Var | None

    @property
    def beside(self) -> tuple[n.Var, ...]:
        """The arrays beside the window."""
        return (self.coming,) if self.leaving is None else (self.coming, self.leaving)


@dataclass(frozen=True)
class Rows:
    """A window keeps `keep` rows and slides by `high`, of which `count` are there."""

    keep: n.Atom
    high: n.Atom
    count: n.Atom


def sliding(write: Writing, label: str, slides: Sequence[Slide], rows: Rows, sides: Sequence[n.Atom]) -> n.For:
    """A nest that slides windows.

    Every row goes to where the row stood that is `high` before it. So an iteration takes all rows whose numbers are the
    same but for multiples of `high`, in their order, and none needs those of another.

    Parameters
    ----------
    write
        Where labels and variables get their names.
    label
        The label of the nest.
    slides
        The windows, which have the same shape.
    rows
        How far they slide.
    sides
        Their extents but for the rows.
    """
    with write.apart() as statements, _all_of(write, label, (rows.high, *sides)) as place:
        for slide in slides:
            _slide(write, label, slide, rows, place)
    (nest,) = statements
    assert isinstance(nest, n.For)
    return nest


@contextmanager
def _all_of(write: Writing, label: str, extents: Sequence[n.Atom]) -> Iterator[tuple[n.Var, ...]]:
    """Loops over all elements of an array, around what is written meanwhile."""
    if not extents:
        yield ()
        return
    with write.loop(label, 0, extents[0], "parallel", stem="at") as loop, _all_of(write, label, extents[1:]) as inner:
        yield loop.index, *inner


def _slide(write: Writing, label: str, slide: Slide, rows: Rows, place: tuple[n.Var, ...]) -> None:
    """Move the elements of one column that are `high` rows apart; the first of them is at a place."""
    row, *columns = place
    if slide.leaving is not None:
        write.store(slide.leaving, place, write.load(slide.window, *place))
    kept = write.op("max", write.op("sub", rows.keep, row), 0)
    moves = write.op("floordiv", write.op("sub", write.op("add", kept, rows.high), 1), rows.high)
    with write.loop(label, 0, moves, stem="move") as loop:
        above = write.op("add", row, write.op("mul", loop.index, rows.high))
        below = write.op("add", above, rows.high)
        write.store(slide.window, (above, *columns), write.load(slide.window, below, *columns))
    new = write.op("mod", write.op("sub", row, rows.keep), rows.high)
    with write.when(write.compare("lt", new, rows.count)):
        last = write.op("add", new, rows.keep)
        write.store(slide.window, (last, *columns), write.load(slide.coming, new, *columns))
