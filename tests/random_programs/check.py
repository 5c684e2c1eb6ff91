"""Runs a random program through the stages and says what differs from CPython."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.acceptance.comparison import check_exact, check_reassociated, check_same_type, check_structure, flat
from tests.acceptance.copying import Snapshot, arrays_in, overlaps_anywhere, rebuild, snapshot
from weft.errors import Error, InternalError, RaceError, TypeInferenceError, UnsupportedError

from .generator import RandomProgram
from .stages import Call, NotForTheseArguments, Stage, shares_memory


@dataclass(frozen=True)
class Outcome:
    """How a call ended."""

    result: Any
    error: Exception | None
    after: Snapshot

    @property
    def values(self) -> list[Any]:
        """The leaves of the result and all arrays among the arguments, as they are afterwards."""
        return [*flat((self.result,)), *self.after.arrays]


@dataclass(frozen=True)
class Difference:
    """A stage gave another answer than CPython, or refused."""

    stage: str
    seed: int
    text: str

    def __str__(self) -> str:
        return f"{self.stage}, inputs of seed {self.seed}: {self.text}"


@dataclass
class Checked:
    """What became of one program: differences, and the stages that refused it, with the reason."""

    differences: list[Difference] = field(default_factory=list)
    refused: dict[str, Exception] = field(default_factory=dict)
    calls: int = 0
    skipped: int = 0


def check(program: RandomProgram, stages: Sequence[Stage], seeds: Sequence[int]) -> Checked:
    """Run a program by every stage on some inputs and compare with CPython."""
    function, found = program.function(), Checked()
    for stage in stages:
        prepared: dict[Any, Call] = {}
        for seed in seeds:
            arguments = program.arguments(seed)
            try:
                key = signature_of(arguments)
                if key not in prepared:
                    prepared[key] = stage.prepare(function, arguments)
            except Exception as error:
                if isinstance(error, Error) and not isinstance(error, InternalError):
                    found.refused[stage.name] = error
                else:
                    found.differences.append(Difference(stage.name, seed, f"{type(error).__name__}: {error}"))
                break
            _compare(program, function, stage, prepared[key], seed, found)
    return found


def signature_of(arguments: tuple[Any, ...]) -> tuple[object, ...]:
    """What a specialisation depends on, as far as random arguments differ in it."""
    return tuple(
        (a.dtype, a.ndim, a.strides[-1:] == (a.itemsize,)) if isinstance(a, np.ndarray) else type(a) for a in arguments
    )


def _compare(
    program: RandomProgram, function: Callable[..., Any], stage: Stage, call: Call, seed: int, found: Checked
) -> None:
    expected = run(lambda values: function(*values), program.arguments(seed))
    got = run(call, program.arguments(seed))
    if isinstance(got.error, NotForTheseArguments):
        found.skipped += 1
        return
    if isinstance(got.error, (TypeInferenceError, UnsupportedError)):
        found.refused[stage.name] = got.error
        return
    found.calls += 1
    try:
        compare(program, function, expected, got, seed)
    except AssertionError as error:
        found.differences.append(Difference(stage.name, seed, str(error)))


def run(call: Call, arguments: tuple[Any, ...]) -> Outcome:
    """Call on a copy of the arguments that shares memory as they do."""
    copied = snapshot(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return Outcome(call(copied.arguments), None, copied)
        except Exception as error:
            return Outcome(None, error, copied)


def compare(program: RandomProgram, function: Callable[..., Any], expected: Outcome, got: Outcome, seed: int) -> None:
    """AssertionError where a call ended otherwise than CPython's."""
    assert not got.after.wrote_outside(), "memory outside the arrays was written"
    if isinstance(got.error, RaceError) and _may_race(program, seed):
        if len(program.families) == 1:
            for before, after in zip(arrays_in(program.arguments(seed)), got.after.arrays):
                check_exact(before, after, "an array after a race")
        return
    if isinstance(got.error, OverflowError) and program.allowed.overflows:
        return
    if expected.error is not None or got.error is not None:
        assert type(expected.error) is type(got.error), f"{got.error!r} instead of {expected.error!r}"
        if program.allowed.exact and not program.reduces and not shares_memory(program.arguments(seed)):
            for place, (left, right) in enumerate(zip(expected.after.arrays, got.after.arrays)):
                check_exact(left, right, f"array {place} after the exception")
        return
    check_structure(expected.result, got.result, "result")
    wide, magnitude = _references(program, function, seed) if program.reduces else (None, None)
    for place, (left, right) in enumerate(zip(expected.values, got.values)):
        where = f"value {place}"
        if is_untouched(left, right):
            continue
        check_same_type(left, right, where)
        if wide is None or magnitude is None or np.asarray(left).dtype.kind not in "fc":
            check_exact(left, right, where)
        else:
            check_reassociated(left, right, where, wide[place], magnitude[place], 64)


def _may_race(program: RandomProgram, seed: int) -> bool:
    """Whether a claim of the program may be wrong for these arguments."""
    claims = "claimed" in program.families or "claimed_reduction" in program.families
    return program.allowed.races or (claims and shares_memory(program.arguments(seed)))


def is_untouched(expected: Any, got: Any) -> bool:
    """Whether CPython gives the Python number that a variable began with, since a loop never ran.

    The type of such a result depends on values; Weft gives the same number in the type that it has after the loop.
    """
    return type(expected) in (int, float) and not isinstance(got, np.ndarray) and bool(expected == got)


def _references(
    program: RandomProgram, function: Callable[..., Any], seed: int
) -> tuple[list[Any], list[Any]] | tuple[None, None]:
    """The answer in wider arithmetic, and for the absolute values of the inputs: the bounds of reordered sums.

    Where arrays share memory there is none, since the wider copies would not; sums of quarters are exact anyway.
    """
    arguments = program.arguments(seed)
    if overlaps_anywhere(arguments):
        return None, None
    ways = ((program.widened(), _widened), (function, _absolute))
    outcomes = [run(lambda values: way(*values), _converted(arguments, convert)) for way, convert in ways]
    if any(outcome.error for outcome in outcomes):
        return None, None
    return outcomes[0].values, outcomes[1].values


def _converted(arguments: tuple[Any, ...], convert: Callable[[Any], Any]) -> Any:
    """The arguments converted leaf by leaf; an array that is passed twice stays one array."""
    made: dict[int, Any] = {}
    return rebuild(arguments, lambda leaf: made.setdefault(id(leaf), convert(leaf)))


def _widened(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f":
        return leaf.astype(np.longdouble)
    return np.longdouble(leaf) if isinstance(leaf, float) and math.isfinite(leaf) else leaf


def _absolute(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f":
        return np.asarray(np.abs(leaf))
    return abs(leaf) if isinstance(leaf, float) else leaf
