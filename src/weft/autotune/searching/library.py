"""Strategies of Optuna: `genetic`, `annealing` and `bayes`, under the constraints of a space.

Optuna chooses a value for each parameter without knowing constraints. Where its choice is no point of the space, Optuna
is told that it failed and asked again; after `TRIES` such choices in a row a point at random is measured, and Optuna
learns of it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from weft.autotune.spaces.space import Space
from weft.errors import ArgumentError

TRIES = 40
FAILED = 1e9
"""Seconds that Optuna is told of a point that failed."""


def _library() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise ArgumentError(
            f"this strategy needs Optuna: {error}", argument="strategy", hint='pip install "weft[tune]"'
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


class Sampled:
    """A sampler of Optuna."""

    def __init__(self, name: str, space: Space, seed: int, first: Sequence[int]) -> None:
        self._optuna = _library()
        self._space, self._random = space, random.Random(seed)
        samplers = self._optuna.samplers
        makers = {
            "bayes": lambda: samplers.TPESampler(seed=seed, n_startup_trials=8, multivariate=True),
            "genetic": lambda: samplers.NSGAIISampler(seed=seed, population_size=12),
            "annealing": lambda: _annealing(self._optuna, seed),
        }
        self._distributions = {
            parameter: self._optuna.distributions.CategoricalDistribution(values)
            for parameter, values in space.parameters.items()
        }
        self._study = self._optuna.create_study(sampler=makers[name](), direction="minimize")
        self._waiting = list(first)
        self._trials: dict[int, Any] = {}
        self._asked: set[int] = set()

    def ask(self) -> int | None:
        """The next point."""
        if len(self._asked) == len(self._space):
            return None
        while self._waiting:
            position = self._waiting.pop(0)
            if position not in self._asked:
                self._asked.add(position)
                return position
        position = self._sampled()
        self._asked.add(position)
        return position

    def _sampled(self) -> int:
        for _ in range(TRIES):
            trial = self._study.ask(self._distributions)
            position = self._space.position(self._space.counting(trial.params))
            if position is not None and position not in self._asked:
                self._trials[position] = trial
                return position
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        while True:
            position = self._random.randrange(len(self._space))
            if position not in self._asked:
                return position

    def tell(self, position: int, seconds: float) -> None:
        """Let Optuna learn what a point took."""
        value = seconds if math.isfinite(seconds) else FAILED
        trial = self._trials.pop(position, None)
        if trial is not None:
            self._study.tell(trial, value)
            return
        point = self._space[position]
        params = {name: point.get(name, values[0]) for name, values in self._space.parameters.items()}
        self._study.add_trial(
            self._optuna.trial.create_trial(params=params, distributions=self._distributions, value=value)
        )


def _annealing(optuna: Any, seed: int) -> Any:
    """Simulated annealing as Optuna's guide to samplers of one's own has it: a neighbour of the accepted point."""
    chosen = random.Random(seed)

    class Annealing(optuna.samplers.BaseSampler):  # type: ignore[misc]
        def __init__(self) -> None:
            self._temperature = 0.3
            self._here: Any = None
            self._fallback = optuna.samplers.RandomSampler(seed=seed)

        def infer_relative_search_space(self, study: Any, trial: Any) -> dict[str, Any]:
            return dict(optuna.search_space.intersection_search_space(study.get_trials(deepcopy=False)))

        def sample_relative(self, study: Any, trial: Any, search_space: dict[str, Any]) -> dict[str, Any]:
            done = [t for t in study.get_trials(deepcopy=False) if t.value is not None]
            if not search_space or not done:
                return {}
            self._accept(done[-1])
            params = dict(self._here.params)
            for name in chosen.sample(sorted(search_space), min(len(search_space), chosen.choice((1, 1, 2)))):
                params[name] = chosen.choice(search_space[name].choices)
            return {name: params[name] for name in search_space}

        def _accept(self, last: Any) -> None:
            if self._here is None or last.value <= self._here.value:
                self._here = last
            elif last is not self._here:
                worse = math.log(last.value / self._here.value)
                if chosen.random() < math.exp(-worse / self._temperature):
                    self._here = last
            self._temperature *= 0.98

        def sample_independent(self, study: Any, trial: Any, name: str, distribution: Any) -> Any:
            return self._fallback.sample_independent(study, trial, name, distribution)

    return Annealing()
