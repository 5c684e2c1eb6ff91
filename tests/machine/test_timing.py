"""The timing module: statistics, steady state, interleaving, cap."""

from __future__ import annotations

import gc
import math
import time

import pytest

from weft.machine import timing
from weft.machine.timing import Alternative, Interval, Policy

TABLE_OF_T = [
    (0.95, 10, 2.228),
    (0.95, 1, 12.706),
    (0.99, 19, 2.861),
    (0.99, 39, 2.708),
    (0.90, 5, 2.015),
    (0.95, 100000, 1.960),
]


class Script:
    """A stopwatch that reads its times from a list, then repeats the last one."""

    def __init__(self, times: list[float]) -> None:
        self.times = list(times)
        self.calls = 0

    def __call__(self, call: timing.Call, count: int) -> float:
        self.calls += 1
        return count * (self.times.pop(0) if len(self.times) > 1 else self.times[0])


@pytest.mark.parametrize(("confidence", "degrees", "expected"), TABLE_OF_T)
def test_student_quantiles_are_those_of_the_tables(confidence: float, degrees: int, expected: float) -> None:
    assert timing.student_t_quantile(confidence, degrees) == pytest.approx(expected, abs=6e-4)


@pytest.mark.parametrize(("confidence", "degrees"), [(0.0, 5), (1.0, 5), (0.95, 0)])
def test_a_quantile_that_does_not_exist_is_refused(confidence: float, degrees: int) -> None:
    with pytest.raises(ValueError, match="no Student quantile"):
        timing.student_t_quantile(confidence, degrees)


def test_interval_is_mean_plus_minus_t_times_the_error_of_the_mean() -> None:
    result = timing.interval([float(value) for value in range(11)], 0.95)
    assert result.mean == 5.0
    assert result.half_width == pytest.approx(2.228 * math.sqrt(11.0 / 11), abs=1e-3)
    assert (result.low, result.high) == (result.mean - result.half_width, result.mean + result.half_width)


def test_interval_of_one_value_is_infinite() -> None:
    assert timing.interval([3.0]).half_width == math.inf


def test_alternatives_differ_only_if_their_intervals_do_not_overlap() -> None:
    slow, fast = Interval(2.0, 0.1, 0.99, 20), Interval(1.0, 0.1, 0.99, 20)
    assert timing.differ(slow, fast)
    assert timing.differ(fast, slow)
    assert not timing.differ(slow, Interval(1.85, 0.1, 0.99, 20))


def test_ratio_interval_cancels_what_disturbs_both() -> None:
    first = [2.0, 4.0, 8.0, 6.0]
    result = timing.ratio_interval(first, [value / 2 for value in first])
    assert (result.mean, result.half_width) == (2.0, 0.0)
    with pytest.raises(ValueError, match="not pairs"):
        timing.ratio_interval([1.0, 2.0], [1.0])


def test_median_and_variation() -> None:
    assert timing.median([3.0, 1.0, 2.0]) == 2.0
    assert timing.median([4.0, 1.0, 2.0, 3.0]) == 2.5
    assert timing.coefficient_of_variation([1.0, 1.0, 1.0]) == 0.0
    assert timing.standard_deviation([1.0]) == math.inf


def test_measuring_stops_when_the_last_window_is_steady() -> None:
    falling = [1.0] + [1.0 - 0.02 * step for step in range(30)]
    result = timing.measure(lambda: None, Policy(window=5, threshold=0.01), Script([*falling, 0.4]))
    assert result.steady
    assert result.sample == (0.4,) * 5
    assert result.last == len(result.times)


def test_an_unsteady_call_ends_at_the_cap_with_its_steadiest_window() -> None:
    script = Script([1.0] + [1.0, 3.0, 2.0, 2.0, 2.1, 5.0] * 40)

    def watch(call: timing.Call, count: int) -> float:
        time.sleep(0.0005)
        return script(call, count)

    result = timing.measure(lambda: None, Policy(window=4, threshold=0.001, cap=0.03), watch)
    assert not result.steady
    assert len(result.sample) == 4
    assert max(result.sample) < 5.0


def test_a_call_longer_than_the_cap_is_still_measured() -> None:
    result = timing.measure(lambda: time.sleep(0.002), Policy(cap=0.0, fewest=3, warm_up=0))
    assert len(result.times) == 3
    assert result.median >= 0.002


def test_short_calls_are_timed_in_batches() -> None:
    result = timing.measure(lambda: None, Policy(cap=0.02, batch=1e-3))
    assert result.batch > 100
    assert 0.0 < result.median < 1e-5


def test_rounds_are_interleaved_and_share_one_window() -> None:
    order: list[str] = []

    def watch(name: str) -> timing.Stopwatch:
        def run(call: timing.Call, count: int) -> float:
            order.append(name)
            return 1.0

        return run

    both = {name: Alternative(lambda: None, watch(name)) for name in "ab"}
    results = timing.measure_interleaved(both, Policy(window=4))
    assert order[2:] == ["a", "b", "b", "a", "a", "b", "b", "a"]
    assert (results["a"].first, results["a"].last) == (results["b"].first, results["b"].last)


def test_kernel_times_are_read_after_each_batch() -> None:
    readings = iter(range(1000))
    alternative = Alternative(lambda: None, Script([1.0]), meter=lambda: float(next(readings)))
    result = timing.measure_interleaved({"x": alternative}, Policy(window=3))["x"]
    assert result.kernel_sample == (0.0, 1.0, 2.0)
    assert math.isnan(timing.measure(lambda: None, Policy(window=3), Script([1.0])).kernel_sample[0])


def test_the_collector_is_off_while_timing_and_on_again_after() -> None:
    seen: list[bool] = []
    timing.measure(lambda: seen.append(gc.isenabled()), Policy(cap=0.0))
    assert not any(seen)
    assert gc.isenabled()


def test_nothing_to_measure_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to measure"):
        timing.measure_interleaved({})
