"""`weft.tune`: find the fastest way to run a function or a kernel; `weft.load_tuning`: use what was found elsewhere."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from weft.autotune.foreign.kernel import Kernel
from weft.autotune.measuring import kept, outcomes
from weft.autotune.measuring.kept import name_of
from weft.autotune.measuring.outcomes import Candidate, Tuning
from weft.autotune.measuring.targets import CallableTarget, KernelTarget, ModuleTarget, Objective, Target
from weft.autotune.searching.search import Budget, Progress, Rules, search
from weft.autotune.spaces.space import Space
from weft.errors import ArgumentError, Error, warn
from weft.jit import Function

SECONDS = 30.0
"""The budget where none is said."""
TIMEOUT = 60.0


def tune(
    target: Any,
    /,
    *arguments: Any,
    space: Space | Mapping[str, Any] | None = None,
    budget: float | None = None,
    evaluations: int | None = None,
    strategy: str = "model",
    objective: str | Callable[[float, dict[str, Any]], float] = "time",
    seed: int = 0,
    device: str | None = None,
    rtol: float | None = None,
    atol: float = 0.0,
    timeout: float = TIMEOUT,
    isolate: bool = False,
    remember: bool = True,
    progress: bool | Progress = False,
) -> Any:
    """Find the fastest way to run a function or a kernel, and return it.

    Every candidate's answer is compared with a reference: that of the kernel's `reference`, of a compiled function as
    it is, or of the first candidate. One that gives another answer, does not compile, crashes or takes too long is
    rejected, and the table says why.

    Parameters
    ----------
    target
        A function of `weft.jit`, a `weft.kernel`, or any callable together with a `space`.
    *arguments
        What it is called with. Candidates get copies.
    space
        For callables: the parameters, which are its keyword arguments.
    budget
        Seconds; 30 where `evaluations` is not given either.
    evaluations
        How many candidates.
    strategy
        ``model`` (a Gaussian process), ``exhaustive``, ``random``; ``genetic``, ``annealing`` and ``bayes`` need
        ``weft[tune]``.
    objective
        ``time``; ``value``: the number that the callable returns; or a function of the seconds and of the answer, a
        dictionary, that gives a number. It is made as small as possible. Answers are not compared for ``value``.
    seed
        Of the strategy's choices.
    device
        Where candidates run; for functions of `weft.jit` all devices of the machine are tried where they have none.
    rtol, atol
        How far answers may be off: `rtol` as a part of the largest number of the reference, 1e-9 for float64 and 1e-4
        for float32.
    timeout
        Seconds that a candidate of a kernel may take, compiling included.
    isolate
        Run a callable in a process of its own, which may crash or hang; it must be importable by name.
    remember
        Keep times of kernels and compiled functions on disk, and use those that are there.
    progress
        Whether to show a bar with the best time so far, or a function that is told of the search.

    Returns
    -------
    function
        The function or kernel at its best point. Its attribute `tuning` is the `Tuning`; print it for the table.

    Raises
    ------
    Error
        Every candidate was rejected; the message has the reasons.

    Examples
    --------
    >>> import weft
    >>> def distance(x, y): return (x - 3) ** 2 + (y - 1) ** 2
    >>> best = weft.tune(distance, space={"x": range(5), "y": range(5)}, objective="value", strategy="exhaustive")
    >>> best.tuning.best.point
    {'x': 3, 'y': 1}
    """
    limits = _budget(budget, evaluations)
    if objective not in ("time", "value") and not callable(objective):
        hint = 'use "time", "value", or a function: objective=lambda seconds, answer: seconds'
        raise ArgumentError(f"there is no objective {objective!r}", argument="objective", hint=hint)
    score = objective if callable(objective) else None
    remember = remember and score is None
    counted: Objective = "value" if objective == "value" else "time"
    made = _target(target, arguments, space, counted, device, timeout, isolate)
    try:
        tuning = Tuning(made.name, made.identity, made.device, made.driver, made.size, len(made.space or (0,)))
        known = kept.known(made.identity, _key(made)) if remember else {}
        rules = Rules(strategy, seed, rtol, atol, counted == "time", score)
        with _shown(progress) as told:
            search(made, tuning, limits, rules, known, told)
    finally:
        made.close()
    if remember and made.identity:
        _keep(made, tuning, known)
    if tuning.best is None:
        raise _all_rejected(tuning)
    return _tuned(target, made, tuning)


def _budget(seconds: float | None, evaluations: int | None) -> Budget:
    for name, value in (("budget", seconds), ("evaluations", evaluations)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0):
            raise ArgumentError(f"a budget of {value!r}", argument=name, hint="give a positive number")
    if evaluations is not None and evaluations != int(evaluations):
        raise ArgumentError(f"{evaluations!r} evaluations", argument="evaluations", hint="give a whole number")
    if seconds is None and evaluations is None:
        return Budget(SECONDS)
    return Budget(math.inf if seconds is None else seconds, math.inf if evaluations is None else evaluations)


def _target(
    target: Any,
    given: tuple[Any, ...],
    space: Space | Mapping[str, Any] | None,
    objective: Objective,
    device: str | None,
    timeout: float,
    isolate: bool,
) -> Target:
    """What is tuned, as the search sees it."""
    if isinstance(target, Kernel):
        _refuse_space(space, "tunables of the kernel")
        return KernelTarget(target, given, {}, device or "", timeout)
    if isinstance(target, Function) and space is None:
        from weft.autotune.measuring.functions import FunctionTarget, check_repeatable

        made = FunctionTarget(target, given, device)
        check_repeatable(made)
        return made
    if not callable(target):
        raise ArgumentError(f"{type(target).__name__} cannot be tuned", argument="target", hint="give a function")
    if space is None:
        raise ArgumentError(
            f"{getattr(target, '__qualname__', 'the callable')} has no space",
            argument="space",
            hint='say which keyword arguments may be what: space={"block": [16, 32, 64]}, or decorate it with weft.jit',
        )
    points = space if isinstance(space, Space) else Space(space)
    if isolate:
        return ModuleTarget(target, given, points, objective, timeout)
    return CallableTarget(target, given, points, objective)


def _refuse_space(space: object, what: str) -> None:
    if space is not None:
        raise ArgumentError(f"the space is that of the {what}", argument="space", hint="leave space out")


def _tuned(target: Any, made: Target, tuning: Tuning) -> Any:
    """The target at the best point."""
    assert tuning.best is not None
    point = tuning.best.point
    if isinstance(target, Kernel):
        if target.touches is not None:
            target.check_at(point, made.values, made.device)  # type: ignore[attr-defined]
        result: Any = copy.copy(target)
        result.use(point)
    elif isinstance(target, Function) and not isinstance(made, (CallableTarget, ModuleTarget)):
        result = made.tuned(point)  # type: ignore[attr-defined]
    else:
        result = functools.partial(target, **point)
    result.tuning = tuning
    return result


def _all_rejected(tuning: Tuning) -> Error:
    reasons: dict[str, int] = {}
    for candidate in tuning.candidates:
        text = f"{candidate.status}: {candidate.reason}"
        reasons[text] = reasons.get(text, 0) + 1
    most = sorted(reasons.items(), key=lambda item: -item[1])[:3]
    return Error(
        f"no candidate of {tuning.name} gave a right answer, of {len(tuning.candidates)} that were tried",
        cause="; ".join(f"{count} times {text}" for text, count in most) or "the budget was used before the first",
        hint="run it once at one point without tuning",
    )


# ---------------------------------------------------------------------------------------------------- what is kept


def _key(made: Target | Tuning) -> str:
    return kept.key_for(made.identity, made.device, made.driver, made.size)


def _keep(made: Target, tuning: Tuning, known: Mapping[str, Candidate]) -> None:
    """Keep what is certain of candidates: times, and that they are wrong or do not compile. A crash is tried again."""
    new = {name_of(c.point): c for c in tuning.candidates if c.status in ("measured", "failed", "wrong")}
    kept.keep(_key(made), {**known, **new})


def load_tuning(path: str | Path) -> list[Tuning]:
    """Use results that `Tuning.save` wrote, here or on another machine.

    `tune` takes the times for the same code, device, driver and sizes from there, so it measures only what is missing.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Tuning
        What the file has. Results for devices or drivers that are not here are there too, but not used: a warning
        (W006) says so.

    Raises
    ------
    ArgumentError
        It is no such file.
    """
    found = outcomes.read(path)
    here = _drivers_here()
    for tuning in found:
        if tuning.identity and all(driver in here for driver in tuning.driver.split("; ")):
            kept.take(_key(tuning), tuning)
        else:
            where = f"{tuning.device} ({tuning.driver or 'unknown'})"
            warn("W006", f"{tuning.name} in {path} is not used: it was measured on {where}")
    return found


def _drivers_here() -> set[str]:
    from weft.autotune.measuring.targets import hardware
    from weft.runtime.devices.devices import devices

    return {hardware(device.name) for device in devices() if device.name != "interpreter"}


def _shown(progress: bool | Progress) -> Any:
    """Where a search tells how far it is."""
    if callable(progress):
        return nullcontext(progress)
    if not progress:
        return nullcontext(lambda tuning, part: None)
    from weft.autotune.bar import Bar

    return Bar()
