"""Building a space: parameters that constraints connect are joined, one after the other, into a table of points.

What it does: `component_tables` gives one table for every group of parameters that constraints connect; the space is
the product of these tables, which nobody writes out. Each row of a table holds positions in the domains.
What it does not do: keep an order by value. Rows are in the order of the joins, the same in every process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.autotune.spaces.constraints import Constraint
from weft.errors import ArgumentError

CHUNK = 1 << 20
"""Rows that are tested at a time."""
MOST = 50_000_000
"""Rows that a table may have."""


@dataclass(frozen=True, eq=False)
class Table:
    """The points of parameters that constraints connect.

    Attributes
    ----------
    names
        The parameters.
    rows
        For each parameter, the positions of its values in its domain.
    emptied
        The constraint that removed the last rows; None where some are left.
    """

    names: tuple[str, ...]
    rows: np.ndarray[Any, Any]
    emptied: Constraint | None = None

    def __len__(self) -> int:
        return int(self.rows.shape[1])


def component_tables(domains: Mapping[str, np.ndarray[Any, Any]], constraints: Sequence[Constraint]) -> list[Table]:
    """The tables of a space, those with few points first.

    Parameters
    ----------
    domains
        The values of each parameter.
    constraints
        All constraints.
    """
    tables = []
    for names in _components(domains, constraints):
        own = [c for c in constraints if set(c.reach) <= set(names)]
        tables.append(_joined(names, domains, own))
    return sorted(tables, key=len)


def _components(domains: Mapping[str, object], constraints: Sequence[Constraint]) -> list[tuple[str, ...]]:
    """The parameters in groups that no constraint connects."""
    group = {name: {name} for name in domains}
    for constraint in constraints:
        merged = set().union(*(group[name] for name in constraint.reach))
        for name in merged:
            group[name] = merged
    found: dict[int, tuple[str, ...]] = {}
    for name in domains:
        found.setdefault(id(group[name]), tuple(n for n in domains if n in group[name]))
    return list(found.values())


def _order(
    names: Sequence[str], domains: Mapping[str, np.ndarray[Any, Any]], constraints: Sequence[Constraint]
) -> list[str]:
    """The parameters in an order in which constraints can be tested early, each on few rows."""
    ordered: list[str] = []
    waiting = list(constraints)
    while waiting:
        cost = {id(c): math.prod(len(domains[n]) for n in c.reach if n not in ordered) for c in waiting}
        first = min(waiting, key=lambda c: cost[id(c)])
        ordered += sorted((n for n in first.reach if n not in ordered), key=lambda n: len(domains[n]))
        waiting = [c for c in waiting if not set(c.reach) <= set(ordered)]
    return ordered + [name for name in names if name not in ordered]


def _joined(
    names: Sequence[str], domains: Mapping[str, np.ndarray[Any, Any]], constraints: Sequence[Constraint]
) -> Table:
    """The table of one group: parameters are added one after the other; each constraint is tested once it can be."""
    ordered = _order(names, domains, constraints)
    rows = np.zeros((0, 1), np.int32)
    waiting, emptied = list(constraints), None
    for count in range(1, len(ordered) + 1):
        bound = set(ordered[:count])
        ready = [c for c in waiting if set(c.reach) <= bound]
        waiting = [c for c in waiting if not set(c.reach) <= bound]
        rows, emptied = _extended(rows, ordered[:count], domains, ready)
        if not rows.shape[1]:
            return Table(tuple(ordered), np.zeros((len(ordered), 0), np.int32), emptied)
        if rows.shape[1] > MOST:
            raise ArgumentError(
                f"the space has more than {MOST} points in {', '.join(ordered[:count])} alone",
                cause="parameters that constraints connect are written out",
                hint="add a constraint on some of them, or take fewer values",
            )
    return Table(tuple(ordered), rows)


def _extended(
    rows: np.ndarray[Any, Any],
    names: Sequence[str],
    domains: Mapping[str, np.ndarray[Any, Any]],
    constraints: Sequence[Constraint],
) -> tuple[np.ndarray[Any, Any], Constraint | None]:
    """Rows with one more parameter, tested; and which constraint removed the last of them."""
    size = len(domains[names[-1]])
    step = max(1, CHUNK // size)
    kept, emptied = [], None
    for start in range(0, rows.shape[1], step):
        part = rows[:, start : start + step]
        added = np.tile(np.arange(size, dtype=np.int32), part.shape[1])
        part = np.vstack([np.repeat(part, size, axis=1), added])
        for constraint in constraints:
            part = part[:, constraint.holds(columns_of(part, names, domains, constraint.reach))]
            if not part.shape[1]:
                emptied = constraint
                break
        kept.append(part)
    found = np.concatenate(kept, axis=1)
    return found, emptied if not found.shape[1] else None


def columns_of(
    rows: np.ndarray[Any, Any],
    names: Sequence[str],
    domains: Mapping[str, np.ndarray[Any, Any]],
    wanted: Sequence[str],
) -> dict[str, np.ndarray[Any, Any]]:
    """The values of some parameters, for every row."""
    return {name: domains[name][rows[names.index(name)]] for name in wanted}


def product_chunks(sizes: Sequence[int]) -> Iterator[np.ndarray[Any, Any]]:
    """All rows of a product of domains, a chunk at a time."""
    total = math.prod(sizes)
    for start in range(0, total, CHUNK):
        places = np.arange(start, min(start + CHUNK, total))
        yield np.array(np.unravel_index(places, tuple(sizes)), np.int32).reshape(len(sizes), -1)
