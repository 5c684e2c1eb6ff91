"""`weft.Space`: parameters, the values that they can have, and constraints on these, as one value."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weft.autotune.spaces.constraints import Constraint, Rule, check_names, constraint, plain
from weft.autotune.spaces.expressions import Expression, parse
from weft.autotune.spaces.joining import Table, columns_of, component_tables, product_chunks
from weft.errors import ArgumentError

Point: TypeAlias = "dict[str, Any]"
"""A value for every parameter; one that does not count at a point is missing there."""

FEW = 1 << 24
"""Combinations of values that `Space.explain` tests for one constraint at most."""


class Space:
    """The points that a search may try.

    Parameters
    ----------
    parameters
        For each parameter its values: numbers, strings or Booleans, each once.
    constraints
        Expressions over the names of parameters, such as ``"n % wg == 0"``, or functions whose parameters have these
        names. Points for which one of them is false are not in the space.
    when
        For parameters that count only at some points: an expression that says at which.
    constants
        Values of further names in constraints, the same at every point, such as the sizes of arrays.

    Raises
    ------
    ArgumentError
        There are no points: the message has the constraint that removes the last ones, and the nearest miss. Or a
        constraint raises, or names no parameter.

    Examples
    --------
    >>> import weft
    >>> space = weft.Space({"x": [1, 2, 4, 8], "y": [1, 2, 4]}, ["x * y <= 8"])
    >>> len(space)
    9
    >>> {"x": 8, "y": 2} in space
    False
    >>> space[0]
    {'x': 1, 'y': 1}
    """

    def __init__(
        self,
        parameters: Mapping[str, Iterable[Any]],
        constraints: Iterable[Rule] = (),
        *,
        when: Mapping[str, str] | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        self.parameters = {name: _domain(name, values) for name, values in parameters.items()}
        if not self.parameters:
            raise ArgumentError("a space without parameters", argument="parameters", hint="name at least one")
        self._columns = {name: _column(values) for name, values in self.parameters.items()}
        self.conditions = self._read_conditions(when or {})
        rules = [constraint(rule, self.parameters, self.conditions, constants) for rule in constraints]
        self.constraints = tuple(rules)
        canonical = [self._canonical(name) for name in self.conditions]
        self._tables = component_tables(self._columns, [*canonical, *rules])
        for table in self._tables:
            if not len(table):
                raise self._nothing(table)

    def _read_conditions(self, when: Mapping[str, str]) -> dict[str, Expression]:
        conditions = {name: parse(text) for name, text in when.items()}
        for name, condition in conditions.items():
            check_names(condition.text, (name, *condition.names), self.parameters)
        return conditions

    def _canonical(self, name: str) -> Constraint:
        """A parameter that does not count has its first value, so that no point is there twice."""
        first = self.parameters[name][0]
        expression = parse(f"({self.conditions[name].text}) or {name} == {first!r}")
        return Constraint(f"{name} counts when {self.conditions[name].text}", expression.names, expression=expression)

    @property
    def columns(self) -> Mapping[str, np.ndarray[Any, Any]]:
        """The values of each parameter as an array."""
        return self._columns

    # ------------------------------------------------------------------------------------------------ its points

    def __len__(self) -> int:
        """The exact number of points, which nobody counts one by one."""
        return math.prod(len(table) for table in self._tables)

    def __getitem__(self, position: int) -> Point:
        """The point of a position; the order is the same in every process."""
        count = len(self)
        if not -count <= position < count:
            raise IndexError(f"a space of {count} points has no point {position}")
        position %= count
        places: dict[str, int] = {}
        for table in self._tables:
            position, row = divmod(position, len(table))
            places.update(zip(table.names, table.rows[:, row].tolist(), strict=True))
        return self._point(places)

    def __iter__(self) -> Iterator[Point]:
        return (self[position] for position in range(len(self)))

    def _point(self, places: Mapping[str, int]) -> Point:
        return self.counting({name: self.parameters[name][places[name]] for name in self.parameters})

    def __contains__(self, point: object) -> bool:
        return isinstance(point, Mapping) and self.position(point) is not None

    def position(self, point: Mapping[str, Any]) -> int | None:
        """The position of a point; None where it is not in the space."""
        places = self._places(point)
        if places is None:
            return None
        found, scale = 0, 1
        for table, index in zip(self._tables, self._indices, strict=True):
            row = index.row(places)
            if row is None:
                return None
            found += scale * row
            scale *= len(table)
        return found

    def _places(self, point: Mapping[str, Any]) -> dict[str, int] | None:
        """The positions of a point's values in their domains; None where one is not there."""
        if not set(point) <= set(self.parameters):
            return None
        places = {}
        for name, values in self.parameters.items():
            if name not in point and name not in self.conditions:
                return None
            value = point.get(name, values[0])
            if value not in values:
                return None
            places[name] = values.index(value)
        return places if self._point(places).keys() == point.keys() else None

    @cached_property
    def _indices(self) -> list[_Index]:
        return [_Index(table, self._columns) for table in self._tables]

    def counting(self, values: Mapping[str, Any]) -> Point:
        """Of values for all parameters, those that count there."""
        columns = {name: _column((value,)) for name, value in values.items()}
        absent = {name for name, condition in self.conditions.items() if not condition.holds(columns)[0]}
        return {name: value for name, value in values.items() if name not in absent}

    def sample(self, count: int, seed: int | None = None) -> list[Point]:
        """Different points at random, each as likely as any other; all of them where there are no more.

        Parameters
        ----------
        count
            How many.
        seed
            Makes the choice the same every time.
        """
        total = len(self)
        return [self[k] for k in random.Random(seed).sample(range(total), min(count, total))]

    def neighbours(self, point: Mapping[str, Any], *, near: bool = False) -> Iterator[Point]:
        """The points of the space that differ from one in the value of one parameter.

        Parameters
        ----------
        point
            A point; it need not be in the space.
        near
            Only those whose value is the next or the one before in the parameter's list.
        """
        places = self._places(point) or self._nearest_places(point)
        for name, values in self.parameters.items():
            here = places[name]
            others = (here - 1, here + 1) if near else range(len(values))
            for other in others:
                if other == here or not 0 <= other < len(values):
                    continue
                changed = self._settled({**places, name: other})
                if changed != places and self._has(changed):
                    yield self._point(changed)

    def _settled(self, places: dict[str, int]) -> dict[str, int]:
        """The same places, with the first value for parameters that do not count there."""
        counting = self._point(places)
        return {name: place if name in counting else 0 for name, place in places.items()}

    def _nearest_places(self, point: Mapping[str, Any]) -> dict[str, int]:
        missing = [name for name, values in self.parameters.items() if point.get(name, values[0]) not in values]
        if missing:
            raise ArgumentError(f"{point[missing[0]]!r} is no value of the parameter {missing[0]!r}", argument="point")
        return {name: values.index(point.get(name, values[0])) for name, values in self.parameters.items()}

    def _has(self, places: Mapping[str, int]) -> bool:
        return all(index.row(places) is not None for index in self._indices)

    # ------------------------------------------------------------------------------------------------ why not

    def explain(self, point: Mapping[str, Any] | None = None) -> str:
        """How many points each constraint removes by itself; for a point: which constraints reject it.

        Parameters
        ----------
        point
            A value for every parameter.
        """
        if point is not None:
            return self._explain_point(point)
        total = math.prod(map(len, self.parameters.values()))
        lines = [f"{len(self):,} of {total:,} points"]
        lines += [f"  {self._removed_by(c)} removed by {c.name}" for c in self.constraints]
        return "\n".join(lines)

    def _removed_by(self, rule: Constraint) -> str:
        sizes = [len(self.parameters[name]) for name in rule.reach]
        rest = math.prod(len(v) for name, v in self.parameters.items() if name not in rule.reach)
        if math.prod(sizes) > FEW:
            return "many"
        removed = 0
        for rows in product_chunks(sizes):
            removed += int((~rule.holds(columns_of(rows, rule.reach, self._columns, rule.reach))).sum())
        return f"{removed * rest:,}"

    def _explain_point(self, point: Mapping[str, Any]) -> str:
        unknown = [name for name in point if name not in self.parameters]
        if unknown:
            return f"rejected: {unknown[0]!r} is no parameter"
        for name, values in self.parameters.items():
            if name not in point and name not in self.conditions:
                return f"rejected: it has no value for {name!r}"
            if point.get(name, values[0]) not in values:
                return f"rejected: {point[name]!r} is no value of {name!r}"
        broken = self.broken_by(point)
        if broken:
            return "rejected by " + "; ".join(broken)
        return "in the space" if point in self else "rejected: it has a value for a parameter that does not count there"

    def broken_by(self, point: Mapping[str, Any]) -> list[str]:
        """The names of the constraints that a point breaks."""
        values = {name: point.get(name, domain[0]) for name, domain in self.parameters.items()}
        columns = {name: _column((value,)) for name, value in values.items()}
        return [c.name for c in self.constraints if not c.holds({n: columns[n] for n in c.reach})[0]]

    def _nothing(self, table: Table) -> ArgumentError:
        assert table.emptied is not None
        point, broken = self._nearest_miss(table)
        return ArgumentError(
            "the space has no points",
            argument="constraints",
            cause=f"the constraint {table.emptied.name!r} removes the last of them; the nearest miss is {point}, which "
            f"breaks {' and '.join(map(repr, broken))}",
            hint="widen this constraint, or give its parameters more values",
        )

    def _nearest_miss(self, table: Table) -> tuple[Point, list[str]]:
        """Of the first million combinations, one that breaks the fewest constraints."""
        rules = [c for c in self.constraints if set(c.reach) <= set(table.names)]
        rows = next(product_chunks([len(self.parameters[name]) for name in table.names]))
        broken = np.zeros(rows.shape[1], int)
        for rule in rules:
            broken += ~rule.holds(columns_of(rows, table.names, self._columns, rule.reach))
        best = rows[:, int(broken.argmin())]
        values = {name: self.parameters[name][place] for name, place in zip(table.names, best, strict=True)}
        point = {name: values.get(name, domain[0]) for name, domain in self.parameters.items()}
        return {name: point[name] for name in table.names}, self.broken_by(point)

    # ------------------------------------------------------------------------------------------------ files

    @classmethod
    def from_json(cls, path: str | Path) -> Space:
        """Read the parameters and conditions of a file in the format T1 of the auto-tuning community.

        Parameters
        ----------
        path
            The file. Values may be a list, or text such as ``"[32 * i for i in range(1, 32)]"``.
        """
        from weft.autotune.spaces.community import space_of_t1

        parameters, rules = space_of_t1(json.loads(Path(path).read_text(encoding="utf-8")), str(path))
        return cls(parameters, rules)

    @classmethod
    def of_points(cls, parameters: Mapping[str, Iterable[Any]], points: Iterable[tuple[Any, ...]]) -> Space:
        """The space of some points, each a value for every parameter in their order.

        Parameters
        ----------
        parameters
            The values of every parameter.
        points
            Those that are in the space.
        """
        space = cls.__new__(cls)
        space.parameters = {name: _domain(name, values) for name, values in parameters.items()}
        space._columns = {name: _column(values) for name, values in space.parameters.items()}
        space.conditions, space.constraints = {}, ()
        places = [{value: k for k, value in enumerate(values)} for values in space.parameters.values()]
        rows = [[place[value] for place, value in zip(places, point, strict=True)] for point in points]
        table = np.array(rows, np.int32).reshape(-1, len(places)).T
        space._tables = [Table(tuple(space.parameters), table)]
        return space

    def __repr__(self) -> str:
        return f"<weft space of {len(self):,} points: {', '.join(self.parameters)}>"


class _Index:
    """Finds the row of a table by its values: rows as numbers of mixed radix, sorted."""

    def __init__(self, table: Table, domains: Mapping[str, np.ndarray[Any, Any]]) -> None:
        self._names = table.names
        radix = 1
        self._scales = []
        for name in table.names:
            self._scales.append(radix)
            radix *= len(domains[name])
        kind: Any = np.int64 if radix < 1 << 62 else object
        scales = np.array(self._scales, kind)
        codes = (table.rows.astype(kind) * scales[:, None]).sum(axis=0)
        self._order = np.argsort(codes, kind="stable")
        self._codes = codes[self._order]

    def row(self, places: Mapping[str, int]) -> int | None:
        """The row with these positions of values."""
        code = sum(places[name] * scale for name, scale in zip(self._names, self._scales, strict=True))
        place = int(np.searchsorted(self._codes, code))
        if place < len(self._codes) and self._codes[place] == code:
            return int(self._order[place])
        return None


def _domain(name: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """The values of a parameter as Python's own."""
    if not isinstance(name, str) or not name.isidentifier():
        raise ArgumentError(f"{name!r} is no name of a parameter", argument="parameters", hint="use a Python name")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(
            f"the parameter {name!r} has {values!r}, which is no list of values",
            argument="parameters",
            hint=f"write {name}=[{values!r}]",
        )
    found = tuple(plain(value) for value in values)
    wrong = [v for v in found if not isinstance(v, (bool, int, float, str))]
    if wrong:
        raise ArgumentError(
            f"the parameter {name!r} can be {wrong[0]!r}, which is no number, string or Boolean",
            argument="parameters",
            hint="use a string as its name, and look the thing up where it is used",
        )
    if not found or len(set(found)) < len(found):
        problem = "a value twice" if found else "no values"
        raise ArgumentError(f"the parameter {name!r} has {problem}", argument="parameters", hint="list each value once")
    return found


def _column(values: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Values as an array: of numbers where all are, else of objects."""
    kinds = {type(value) for value in values}
    if kinds <= {int} and all(abs(v) < 1 << 62 for v in values):
        return np.array(values, np.int64)
    if kinds <= {bool} or kinds <= {float}:
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column
