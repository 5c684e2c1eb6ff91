"""A search: candidates one after the other, under a budget, each answer compared with the reference."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weft.autotune.measuring.kept import name_of
from weft.autotune.measuring.outcomes import Candidate, RejectedError, Tuning, difference, typical
from weft.autotune.measuring.targets import Target
from weft.autotune.searching.strategies import strategy
from weft.autotune.spaces.space import Point


@dataclass(frozen=True)
class Budget:
    """When a search ends: after seconds, after so many candidates, or when all points were tried."""

    seconds: float = math.inf
    evaluations: float = math.inf


@dataclass(frozen=True)
class Rules:
    """How a search is done.

    Attributes
    ----------
    strategy
        Its name.
    seed
        Of its choices.
    rtol, atol
        How far answers may be off.
    compares
        Whether answers are compared.
    score
        What counts instead of the time: a number from the seconds and the answer.
    """

    strategy: str = "model"
    seed: int = 0
    rtol: float | None = None
    atol: float = 0.0
    compares: bool = True
    score: Callable[[float, dict[str, Any]], float] | None = None


Progress = Callable[[Tuning, float], None]
"""Is told of a search and of the part of its budget that is used, after each candidate."""


def search(
    target: Target, tuning: Tuning, budget: Budget, rules: Rules, known: Mapping[str, Candidate], progress: Progress
) -> None:
    """Add candidates to a tuning until the budget is used, no points are left, or the user interrupts.

    Parameters
    ----------
    target
        What is tuned.
    tuning
        Gets the candidates.
    budget, rules
        How long, and how.
    known
        Candidates that were measured before, by `name_of` their points; they cost nothing.
    progress
        Is told of every candidate.
    """
    try:
        tuning.ended = _search(target, tuning, budget, rules, known, progress)
    except KeyboardInterrupt:
        if tuning.best is None:
            raise
        tuning.ended = "interrupted"


def _search(
    target: Target, tuning: Tuning, budget: Budget, rules: Rules, known: Mapping[str, Candidate], progress: Progress
) -> str:
    begun, used = time.monotonic(), 0
    answer = target.answer() if rules.compares else None
    chosen = strategy(rules.strategy, target.space, rules.seed, target.prior) if target.space else None
    while True:
        spent = time.monotonic() - begun
        if used >= budget.evaluations:
            return f"{used} evaluations"
        if spent >= budget.seconds:
            return f"{spent:.1f} s"
        position = chosen.ask() if chosen else (None if tuning.candidates else 0)
        if position is None:
            return "all points"
        point = target.space[position] if target.space else {}
        candidate = known.get(name_of(point))
        if candidate is None:
            used += 1
            candidate, given = _tried(target, point, tuning, rules, answer)
            answer = given if answer is None and rules.compares else answer
        tuning.candidates.append(candidate)
        if chosen:
            chosen.tell(position, candidate.seconds)
        progress(tuning, max(used / budget.evaluations, spent / budget.seconds))


def _tried(
    target: Target, point: Point, tuning: Tuning, rules: Rules, answer: Mapping[str, Any] | None
) -> tuple[Candidate, dict[str, Any] | None]:
    """A candidate, and its answer where it counts."""
    best = tuning.best.seconds if tuning.best else None
    try:
        seconds, given = target.run(point, best)
        wrong = difference(given, answer, rules.rtol, rules.atol) if answer is not None else None
        if wrong:
            raise RejectedError("wrong", wrong)
        return Candidate(point, _counted(rules, typical(seconds), given), runs=tuple(seconds)), given
    except RejectedError as rejected:
        return Candidate(point, math.inf, rejected.status, rejected.reason), None


def _counted(rules: Rules, seconds: float, answer: dict[str, Any]) -> float:
    """What counts of a candidate: its time, or what the objective of the user makes of it."""
    if rules.score is None:
        return seconds
    try:
        found = float(rules.score(seconds, answer))
    except Exception as error:
        raise RejectedError("failed", f"the objective raises {type(error).__name__}: {error}") from None
    if math.isnan(found):
        raise RejectedError("failed", "the objective is NaN")
    return found
