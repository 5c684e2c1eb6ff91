"""The questions that need sets of integers, asked of isl: imported when first needed, and under a limit of operations.

Only linear constraints, divisions by constants and ``max(e, 0)`` are passed on. Dropping a constraint makes a set
larger, so an empty set is always a proof; `Translation.is_exact` tells whether something was dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from weft.analysis import effort
from weft.analysis.values.linear import Derived, Form, Positive, Quotient, monomials

MOST_OPERATIONS = 200_000
"""isl's own count of steps, after which a question is given up."""

MOST_REMEMBERED = 4096
"""Answers about sets that are kept: passes ask the same of a program again when they changed another part of it."""

QUESTION = 100
"""What a question counts in the limit of a whole compile."""


@cache
def _isl() -> Any:
    import islpy

    return islpy


@cache
def _context() -> Any:
    context = _isl().Context()
    context.set_on_error(_on_error_continue())
    return context


def _on_error_continue() -> int:
    return 1  # ISL_ON_ERROR_CONTINUE: errors become exceptions


class Translation:
    """Forms as text for isl, with names that isl accepts.

    Parameters
    ----------
    varies
        Which symbols are dimensions of the set; the others are parameters.
    """

    def __init__(self, varies: Callable[[str], bool]) -> None:
        self.varies = varies
        self.is_exact = True
        self._names: dict[str, str] = {}

    def constraint(self, form: Form, relation: str) -> str | None:
        """``form relation 0``, or None where the form is not linear."""
        text = self._text(form)
        if text is None:
            self.is_exact = False
            return None
        return f"{text} {relation} 0"

    def dimensions(self) -> tuple[list[str], list[str]]:
        """The names of the parameters and of the dimensions that occur."""
        params = [text for name, text in self._names.items() if not self.varies(name)]
        return params, [text for name, text in self._names.items() if self.varies(name)]

    def symbols(self) -> list[str]:
        """The symbols that have a name, in order."""
        return list(self._names)

    def name(self, symbol: str) -> str:
        """The name of a symbol for isl."""
        return self._names.setdefault(symbol, f"x{len(self._names)}")

    def _text(self, form: Form) -> str | None:
        pieces = [str(form.constant)]
        for monomial, factor in monomials(form):
            inner = self._symbol(monomial[0]) if len(monomial) == 1 else None
            if inner is None:
                return None
            pieces.append(f"{factor}*{inner}")
        return " + ".join(pieces)

    def _symbol(self, symbol: str) -> str | None:
        if isinstance(symbol, Quotient) and (divisor := symbol.parts[1].value) is not None and divisor > 0:
            dividend = self._text(symbol.parts[0])
            return None if dividend is None else f"floor(({dividend})/{divisor})"
        if isinstance(symbol, Positive) and (inner := self._text(symbol.parts[0])) is not None:
            return f"max({inner}, 0)"
        self.is_exact &= not (isinstance(symbol, Derived) and self.varies(symbol))
        return self.name(symbol)


def make_set(translation: Translation, equations: Iterable[Form], facts: Iterable[Form]) -> Any:
    """The set of values for which forms are zero and not negative, as an ``islpy.Set``."""
    return _isl().Set.read_from_str(_context(), _set_text(translation, equations, facts))


def _set_text(translation: Translation, equations: Iterable[Form], facts: Iterable[Form]) -> str:
    """A set as isl reads it; its names are numbers, so the same question about other variables is the same text."""
    wanted = [translation.constraint(e, "=") for e in equations] + [translation.constraint(f, ">=") for f in facts]
    constraints = " and ".join(dict.fromkeys(c for c in wanted if c is not None)) or "1 = 1"
    params, dimensions = translation.dimensions()
    return f"[{', '.join(params)}] -> {{ [{', '.join(dimensions)}] : {constraints} }}"


def is_empty(equations: Iterable[Form], facts: Iterable[Form], varies: Callable[[str], bool]) -> bool | None:
    """Whether no values fulfil the equations and facts; None where isl gave up."""
    return _is_empty(_set_text(Translation(varies), equations, facts)) if _spend() else None


@lru_cache(MOST_REMEMBERED)
def _is_empty(text: str) -> bool | None:
    return _limited(lambda: bool(_isl().Set.read_from_str(_context(), text).is_empty()))


def is_inevitable(
    equations: Iterable[Form], facts: Iterable[Form], varies: Callable[[str], bool], sizes: Iterable[Form] = ()
) -> bool:
    """Whether the equations can be fulfilled for all large enough values of the parameters.

    `sizes` are forms of the parameters that are large enough too. False also where it is not known.
    """
    translation = Translation(varies)

    def ask() -> bool:
        found = make_set(translation, equations, facts)
        if not translation.is_exact:
            return False
        wanted = [translation.constraint(size - LARGE, ">=") for size in sizes]
        params, _ = translation.dimensions()
        wanted += [f"{name} >= {LARGE}" for name in params]
        large = " and ".join(constraint for constraint in wanted if constraint is not None) or "1 = 1"
        all_large = _isl().Set.read_from_str(_context(), f"[{', '.join(params)}] -> {{ : {large} }}")
        return not all_large.is_empty() and bool(all_large.is_subset(found.params()))

    return limited(ask) is True


LARGE = 64


def dimension() -> Any:
    """How isl calls the dimensions of a set."""
    return _isl().dim_type.set


def limited(ask: Callable[[], bool]) -> bool | None:
    """The answer of isl, or None where it takes more than `MOST_OPERATIONS`."""
    return _limited(ask) if _spend() else None


def _spend() -> bool:
    """Count a question in the limit of the whole compile; whether it may be asked."""
    return effort.current().spend(QUESTION)


def _limited(ask: Callable[[], bool]) -> bool | None:
    context = _context()
    context.reset_operations()
    context.set_max_operations(MOST_OPERATIONS)
    try:
        return ask()
    except _isl().Error:
        return None
    finally:
        context.set_max_operations(0)
