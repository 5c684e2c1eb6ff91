"""Constraints of a space: expressions as text, or Python functions of some of its parameters."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from weft.autotune.spaces.expressions import Columns, Expression, RowError, parse
from weft.errors import ArgumentError

Rule: TypeAlias = "str | Callable[..., object]"
"""What a user writes: an expression, or a function whose parameters are named like those of the space."""


@dataclass(frozen=True)
class Constraint:
    """One constraint.

    Attributes
    ----------
    name
        What reports call it: the expression, or the function's name and parameters.
    names
        The parameters that it is about.
    expression, function
        Which of the two it is.
    where
        For every parameter that is conditional: when it counts. The constraint says nothing of other points.
    """

    name: str
    names: tuple[str, ...]
    expression: Expression | None = None
    function: Callable[..., object] | None = None
    where: tuple[Expression, ...] = field(default=())

    @property
    def reach(self) -> tuple[str, ...]:
        """All names that decide whether it holds."""
        return tuple(sorted({*self.names, *(name for part in self.where for name in part.names)}))

    def holds(self, columns: Columns) -> np.ndarray[Any, Any]:
        """Whether it holds, for every row of the columns of its `reach`.

        Raises
        ------
        ArgumentError
            It raises for a row; the message has the row and the exception.
        """
        rows = len(next(iter(columns.values())))
        result = np.full(rows, True)
        about = np.arange(rows)
        for condition in self.where:
            about = about[condition.holds({k: v[about] for k, v in columns.items()})]
        part = {name: columns[name][about] for name in self.names}
        try:
            result[about] = self._values(part, len(about))
        except RowError as error:
            point = {name: plain(column[error.row]) for name, column in part.items()}
            raise _raised(self.name, point, error.error) from None
        return result

    def _values(self, columns: Columns, rows: int) -> np.ndarray[Any, Any]:
        if self.expression is not None:
            return self.expression.holds(columns) if rows else np.empty(0, bool)
        assert self.function is not None
        return _called(self.function, columns, rows)


def _called(function: Callable[..., object], columns: Columns, rows: int) -> np.ndarray[Any, Any]:
    """A function for every row: it runs once for each combination of values."""
    known: dict[tuple[object, ...], bool] = {}
    result = np.empty(rows, bool)
    names = tuple(columns)
    for row, values in enumerate(zip(*(column.tolist() for column in columns.values()), strict=True)):
        if values not in known:
            try:
                known[values] = bool(function(**dict(zip(names, values, strict=True))))
            except Exception as error:
                raise RowError(row, error) from None
        result[row] = known[values]
    return result


def _raised(name: str, point: Mapping[str, object], error: Exception) -> ArgumentError:
    return ArgumentError(
        f"the constraint {name!r} raises {type(error).__name__}: {error}",
        cause=f"at the point {point}",
        hint="write it so that it is true or false for every point",
    )


def constraint(
    rule: Rule, known: Iterable[str], conditions: Mapping[str, Expression], constants: Mapping[str, Any] | None = None
) -> Constraint:
    """A constraint from what the user wrote.

    Parameters
    ----------
    rule
        An expression or a function.
    known
        The parameters of the space.
    conditions
        When conditional parameters count.
    constants
        Values of further names, the same at every point.

    Raises
    ------
    ArgumentError
        It names no parameter, or something that is none.
    """
    if isinstance(rule, str):
        expression = parse(rule, constants)
        made = Constraint(expression.text, expression.names, expression=expression)
    elif callable(rule):
        names = tuple(inspect.signature(rule).parameters)
        label = f"{getattr(rule, '__name__', 'function')}({', '.join(names)})"
        fixed = {name: value for name, value in (constants or {}).items() if name in names}
        free = tuple(name for name in names if name not in fixed)
        made = Constraint(label, free, function=functools.partial(rule, **fixed))
    else:
        raise ArgumentError(
            f"{rule!r} is no constraint", argument="constraints", hint="write an expression or a function"
        )
    check_names(made.name, made.names, known)
    where = tuple(conditions[name] for name in made.names if name in conditions)
    return Constraint(made.name, made.names, made.expression, made.function, where)


def check_names(name: str, names: Sequence[str], known: Iterable[str]) -> None:
    """ArgumentError unless a constraint names parameters, and only those."""
    known = list(known)
    if not names:
        raise ArgumentError(
            f"the constraint {name!r} names no parameter",
            argument="constraints",
            hint="it is about all points or none: leave it out, or name one of " + ", ".join(known),
        )
    for missing in (one for one in names if one not in known):
        close = difflib.get_close_matches(missing, known, 1)
        raise ArgumentError(
            f"the constraint {name!r} names {missing!r}, which is no parameter of the space",
            argument="constraints",
            hint=f"write {close[0]}" if close else "the parameters are " + ", ".join(known),
        )


def plain(value: object) -> object:
    """A value of a column as Python's own."""
    return value.item() if isinstance(value, np.generic) else value
