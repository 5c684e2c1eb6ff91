"""The one place where Weft measures time.

What it does: warm-up, repeated timing until a steady state is reached or a cap on the total time is hit, Student's
t intervals, and fair comparison of several alternatives by interleaved rounds. What it assumes: a call can be repeated.
What it does not do: decide what to measure, or print.

The method is the one of Georges, Buytaert and Eeckhout, "Statistically rigorous Java performance evaluation" (2007):
a sample is the last `window` times once their coefficient of variation is under a threshold, and two alternatives
differ exactly when their 99 % intervals do not overlap.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Call = Callable[[], object]
"""Work to be timed; its result is dropped."""

Stopwatch = Callable[[Call, int], float]
"""Runs a call a number of times and gives the seconds it took, all repetitions together."""

CONFIDENCE = 0.99
"""Two alternatives differ if their intervals at this confidence do not overlap."""


# ----------------------------------------------------------------------------------------------------- statistics


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (Numerical Recipes 6.4, modified Lentz)."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(1.0 - (a + b) * x / (a + 1.0), tiny)
    fraction = d
    for m in range(1, 400):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / (1.0 + step * d or tiny)
            c = 1.0 + step / c or tiny
            fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return fraction


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    log_factor = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1.0) / (a + b + 2.0):
        return math.exp(log_factor) * _beta_fraction(a, b, x) / a
    return 1.0 - math.exp(log_factor) * _beta_fraction(b, a, 1.0 - x) / b


def student_t_quantile(confidence: float, degrees: int) -> float:
    """Give t such that a Student variable lies within plus or minus t with this probability.

    Parameters
    ----------
    confidence : float
        Two-sided probability, between 0 and 1.
    degrees : int
        Degrees of freedom, at least 1.

    Examples
    --------
    >>> round(student_t_quantile(0.95, 10), 3)
    2.228
    """
    if not 0.0 < confidence < 1.0 or degrees < 1:
        raise ValueError(f"no Student quantile for confidence {confidence} and {degrees} degrees of freedom")
    low, high = 0.0, 1.0
    # The probability outside +-t is I_{v/(v+t^2)}(v/2, 1/2); bisection on x is monotone and needs no start value.
    for _ in range(200):
        middle = 0.5 * (low + high)
        if _incomplete_beta(0.5 * degrees, 0.5, middle) < 1.0 - confidence:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees * (1.0 - high) / high)


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a mean, in the unit of the sample."""

    mean: float
    half_width: float
    confidence: float
    count: int

    @property
    def low(self) -> float:
        """The lower end."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.half_width


def mean(sample: Sequence[float]) -> float:
    """Give the arithmetic mean of a sample that is not empty."""
    return math.fsum(sample) / len(sample)


def median(sample: Sequence[float]) -> float:
    """Give the median of a sample that is not empty."""
    ordered = sorted(sample)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])


def standard_deviation(sample: Sequence[float]) -> float:
    """Give the standard deviation with n - 1 in the denominator; infinite for fewer than two values."""
    if len(sample) < 2:
        return math.inf
    centre = mean(sample)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in sample) / (len(sample) - 1))


def coefficient_of_variation(sample: Sequence[float]) -> float:
    """Give the standard deviation divided by the mean."""
    centre = mean(sample)
    return standard_deviation(sample) / centre if centre > 0.0 else math.inf


def interval(sample: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Give Student's interval for the mean of a sample.

    The half width is t * sqrt(s^2 / n), with t for n - 1 degrees of freedom; it is infinite for a single value.
    """
    if len(sample) < 2:
        return Interval(mean(sample), math.inf, confidence, len(sample))
    error = standard_deviation(sample) / math.sqrt(len(sample))
    return Interval(mean(sample), student_t_quantile(confidence, len(sample) - 1) * error, confidence, len(sample))


def ratio_interval(first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """Give the interval of first / second for samples taken in pairs, in the same rounds.

    Pairing removes what disturbs both alternatives alike, such as a neighbour on a shared machine.
    """
    if len(first) != len(second):
        raise ValueError(f"samples of {len(first)} and {len(second)} values are not pairs")
    return interval([a / b for a, b in zip(first, second, strict=True)], confidence)


def differ(first: Interval, second: Interval) -> bool:
    """Say whether two alternatives differ: their intervals do not overlap."""
    return first.high < second.low or second.high < first.low


# -------------------------------------------------------------------------------------------------------- timing


def wall_clock(call: Call, count: int) -> float:
    """Time `count` calls by the wall clock; the default stopwatch."""
    started = time.perf_counter()
    for _ in repeat(None, count):
        call()
    return time.perf_counter() - started


def _no_meter() -> float:
    return math.nan


@dataclass(frozen=True)
class Alternative:
    """One thing to be timed.

    Parameters
    ----------
    call : callable
        The work, without arguments.
    stopwatch : callable
        How a batch of calls is timed: the wall clock, or the events of a device.
    meter : callable
        Read after each batch: seconds that the last call spent inside its kernels; NaN where that is not known.
    rest : float
        Seconds of pause before each batch: threads of other alternatives may still be spinning.
    """

    call: Call
    stopwatch: Stopwatch = wall_clock
    meter: Callable[[], float] = _no_meter
    rest: float = 0.0


@dataclass(frozen=True)
class Policy:
    """When a measurement is finished.

    Parameters
    ----------
    window : int
        Number of last times that must be steady, and that make the sample.
    threshold : float
        The steady state is reached when the coefficient of variation of the window is at most this.
    cap : float
        Seconds for all alternatives together, warm-up excluded; at least `fewest` rounds are done in any case.
    fewest : int
        Rounds that are done even when the cap is over.
    warm_up : int
        Calls of each alternative that are not timed.
    batch : float
        Short calls are repeated until one batch takes at least this many seconds.
    """

    window: int = 20
    threshold: float = 0.02
    cap: float = 10.0
    fewest: int = 3
    warm_up: int = 1
    batch: float = 5e-4


@dataclass(frozen=True)
class Timing:
    """The times of one alternative, in seconds per call.

    `times` holds all rounds; `first` and `last` delimit the window that makes the sample. If no steady state was
    reached before the cap, the window is the steadiest one and `steady` is false.
    """

    times: tuple[float, ...]
    kernel_times: tuple[float, ...]
    first: int
    last: int
    steady: bool
    batch: int

    @property
    def sample(self) -> tuple[float, ...]:
        """The times of the window."""
        return self.times[self.first : self.last]

    @property
    def kernel_sample(self) -> tuple[float, ...]:
        """The kernel times of the window; NaN where the alternative has no meter."""
        return self.kernel_times[self.first : self.last]

    @property
    def interval(self) -> Interval:
        """Student's interval of the sample."""
        return interval(self.sample)

    @property
    def median(self) -> float:
        """The median of the sample, in seconds."""
        return median(self.sample)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python's garbage collector out of the timed parts."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def batch_size(alternative: Alternative, seconds: float) -> int:
    """Find how many calls take about `seconds`; the calls made here are part of the warm-up."""
    count = 1
    while True:
        taken = alternative.stopwatch(alternative.call, count)
        if taken >= 0.5 * seconds or count >= 1 << 20:
            return max(1, math.ceil(count * min(seconds / max(taken, 1e-9), 2.0)))
        count *= 2


def _window(samples: Sequence[Sequence[float]], policy: Policy) -> tuple[int, int, bool]:
    """Choose the rounds that make the sample: the first steady window, else the steadiest one."""
    rounds = len(samples[0])
    length = min(policy.window, rounds)

    def unrest(start: int) -> float:
        return max(coefficient_of_variation(sample[start : start + length]) for sample in samples)

    last = rounds - length
    if rounds >= policy.window and unrest(last) <= policy.threshold:
        return last, rounds, True
    start = min(range(last + 1), key=unrest)
    return start, start + length, False


def _one_round(
    names: Sequence[str], alternatives: Mapping[str, Alternative], batches: Mapping[str, int]
) -> dict[str, tuple[float, float]]:
    """Time a batch of each alternative once; give seconds per call and kernel seconds."""
    results = {}
    for name in names:
        alternative, count = alternatives[name], batches[name]
        if alternative.rest:
            time.sleep(alternative.rest)
        taken = alternative.stopwatch(alternative.call, count) / count
        results[name] = (taken, alternative.meter())
    return results


def measure_interleaved(alternatives: Mapping[str, Alternative], policy: Policy | None = None) -> dict[str, Timing]:
    """Time several alternatives in interleaved rounds, so that their ratios come from one run.

    Each round times a batch of every alternative, beginning with another one each time. The rounds end when the last
    `window` rounds are steady for every alternative, or when the cap on the total time is reached.

    Parameters
    ----------
    alternatives : mapping of str to Alternative
        At least one.
    policy : Policy, optional
        When to stop.

    Returns
    -------
    dict of str to Timing
        All timings have the same rounds and the same window.
    """
    policy = policy or Policy()
    names = list(alternatives)
    if not names:
        raise ValueError("nothing to measure")
    with _without_collector():
        for _ in range(policy.warm_up):
            for name in names:
                alternatives[name].call()
        batches = {name: batch_size(alternatives[name], policy.batch) for name in names}
        rounds = _rounds(names, alternatives, batches, policy)
    times = {name: tuple(one[name][0] for one in rounds) for name in names}
    first, last, steady = _window(list(times.values()), policy)
    return {
        name: Timing(times[name], tuple(one[name][1] for one in rounds), first, last, steady, batches[name])
        for name in names
    }


def _rounds(
    names: Sequence[str], alternatives: Mapping[str, Alternative], batches: Mapping[str, int], policy: Policy
) -> list[dict[str, tuple[float, float]]]:
    """Do rounds until all alternatives are steady, or the cap is over."""
    rounds: list[dict[str, tuple[float, float]]] = []
    started = time.perf_counter()
    while len(rounds) < policy.fewest or time.perf_counter() - started < policy.cap:
        turn = len(rounds) % len(names)
        rounds.append(_one_round([*names[turn:], *names[:turn]], alternatives, batches))
        recent = rounds[-policy.window :]
        if len(recent) == policy.window and all(
            coefficient_of_variation([one[name][0] for one in recent]) <= policy.threshold for name in names
        ):
            break
    return rounds


def measure(call: Call, policy: Policy | None = None, stopwatch: Stopwatch = wall_clock) -> Timing:
    """Time one call until it is steady; see `measure_interleaved`.

    Examples
    --------
    >>> timing = measure(lambda: sum(range(1000)), Policy(cap=0.05))
    >>> timing.interval.mean > 0.0
    True
    """
    return measure_interleaved({"call": Alternative(call, stopwatch)}, policy)["call"]
