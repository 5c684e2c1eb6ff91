"""Rows of different lengths: how much the iterations of a loop cost, where loops inside say how long they are.

``for k in range(p[i], p[i + 1])`` has ``p[i + 1] - p[i]`` entries, ``for k in range(lengths[i])`` has `lengths[i]`,
and ``for k in range(i)`` has `i`. Pieces of such a loop are cut by entries, not by iterations. A wrong guess costs
time, and never a result, so long loops whose entries have to be added up are looked at in `SAMPLES` places only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.values.linear import Element, Form
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.split.shares import Speeds

SAMPLES = 2048
"""Iterations that are looked at, of a long loop."""
ALONE = 4
"""What an iteration costs besides its entries, in entries."""

Cumulative: TypeAlias = "Callable[[int], int]"
"""What the iterations of a loop before one cost."""


@dataclass(frozen=True)
class End:
    """Where a loop inside begins or ends: an element of an argument, `offset` behind the counter; or the counter.

    Both times `factor`; without an argument, `offset` is added.
    """

    argument: str
    offset: int
    factor: int = 1


@dataclass(frozen=True)
class Rows:
    """The length of the rows of a loop: `stop` less `start`; None stands for a bound that is the same in all rows."""

    start: End | None
    stop: End | None

    def before(self, arguments: Mapping[str, Any], low: int, high: int) -> Cumulative | None:
        """What the iterations before one cost; None where an argument has no such elements."""
        parts = [(sign, end) for sign, end in ((-1, self.start), (1, self.stop)) if end is not None]
        named = [(arguments[end.argument], end.offset) for _, end in parts if end.argument]
        if not all(_has(array, offset, low, high) for array, offset in named):
            return None
        is_running = len(named) == 2 and named[0][0] is named[1][0] and named[1][1] == named[0][1] + 1
        if is_running:  # sums of neighbours' differences
            array, offset = named[0]
            first = int(array[low + offset])
            return lambda row: int(array[row + offset]) - first + ALONE * (row - low)
        return _sampled(arguments, parts, low, high)


def _has(array: Any, offset: int, low: int, high: int) -> bool:
    return isinstance(array, np.ndarray) and array.ndim == 1 and low + offset >= 0 and high + offset <= len(array)


def _sampled(arguments: Mapping[str, Any], parts: Sequence[tuple[int, End]], low: int, high: int) -> Cumulative:
    rows = np.unique(np.linspace(low, high - 1, min(high - low, SAMPLES)).astype(np.int64))
    lengths = np.zeros(len(rows))
    for sign, end in parts:
        value = arguments[end.argument][rows + end.offset] if end.argument else rows * end.factor + end.offset
        lengths += sign * end.factor * value if end.argument else sign * value
    costs = np.maximum(lengths, 0) + ALONE
    widths = np.diff(np.append(rows, high))
    ends = np.concatenate(([0.0], np.cumsum(costs * widths)))
    places = np.append(rows, high)
    return lambda row: int(np.interp(row, places, ends))


def rows_of(loop: n.For, verdicts: Verdicts, arguments: Mapping[str, str]) -> Rows | None:
    """The lengths of the rows of a loop, by the first loop inside whose length depends on the counter.

    Parameters
    ----------
    loop, verdicts
        The loop, and what is known of the program.
    arguments
        The names of the arguments, by those of the parameters.
    """
    for inner in (statement for statement in walk(loop.body) if isinstance(statement, n.For)):
        forms = [verdicts.table.forms.of(atom) for atom in (inner.start, inner.stop)]
        if not any(loop.index.name in form.names for form in forms):
            continue
        ends = [_end(form, loop.index.name, arguments) for form in forms]
        is_known = all(end or loop.index.name not in form.names for end, form in zip(ends, forms, strict=True))
        return Rows(ends[0], ends[1]) if is_known else None
    return None


def _end(form: Form, index: str, arguments: Mapping[str, str]) -> End | None:
    """What a bound is; None where it is the same in all rows, or not of that form."""
    if index not in form.names or not form.is_linear:
        return None
    terms = {monomial: factor for monomial, factor in form.terms.items() if monomial}
    constant = form.terms.get((), 0)
    if len(terms) != 1:
        return None
    (((symbol,), factor),) = terms.items()
    if symbol == index:
        return End("", constant, factor)
    if not isinstance(symbol, Element) or len(symbol.parts) != 1 or symbol.array not in arguments or constant:
        return None
    offset = (symbol.parts[0] - Form({(index,): 1})).value
    return None if offset is None or factor != 1 else End(arguments[symbol.array], offset)


def pieces_by_cost(start: int, stop: int, before: Cumulative, speeds: Speeds) -> list[tuple[int, int]]:
    """The bounds of pieces that cost what the speeds of devices ask for."""
    total = max(before(stop), 0)
    found, last = [], start
    for _, end in speeds.pieces(0, total):
        row = stop if end >= total else start + bisect_left(range(start, stop), end, key=before)
        row = min(max(row, last), stop)
        found.append((last, row))
        last = row
    return [*found[:-1], (found[-1][0], stop)]
