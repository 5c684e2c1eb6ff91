"""Shares: whole iterations that finish together, and slices of whole groups by the equations of the thesis."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.split.shares import Speeds, adjusted, pieces, whole_shares

SPEEDS = st.lists(st.integers(1, 50), min_size=1, max_size=4)


@given(st.integers(-5, 40), st.integers(-5, 60), SPEEDS)
def test_pieces_cover_the_loop_once(start, stop, speeds):
    found = pieces(start, stop, speeds)
    assert len(found) == len(speeds)
    assert [i for low, high in found for i in range(low, high)] == list(range(start, max(start, stop)))


@given(st.integers(0, 12), st.lists(st.integers(1, 9), min_size=1, max_size=3))
def test_no_other_shares_end_earlier(count, speeds):
    def end(shares):
        return max(Fraction(share, speed) for share, speed in zip(shares, speeds))

    possible = itertools.product(range(count + 1), repeat=len(speeds))
    assert end(whole_shares(count, speeds)) == min(end(s) for s in possible if sum(s) == count)


@given(st.integers(0, 10**9), st.lists(st.floats(1e-6, 1e12), min_size=1, max_size=4))
def test_shares_of_measured_speeds_are_nearly_exact(count, speeds):
    shares = whole_shares(count, speeds)
    assert sum(shares) == count
    total = sum(map(Fraction, speeds))
    assert all(abs(share - count * Fraction(speed) / total) < len(speeds) for share, speed in zip(shares, speeds))


@pytest.mark.parametrize(
    ("groups", "seconds", "count", "sizes", "offsets", "overlap"),
    [
        ([32, 16], [1.18, 1.0], 512, [224, 288], [0, 224], 0),
        ([64, 32], [3.0, 2.0], 512, [192, 320], [0, 192], 0),
        ([64, 96], [1.0, 1.0], 960, [512, 480], [0, 480], 32),
        ([32, 16], [1.18, 1.0], 1024, [480, 544], [0, 480], 0),
    ],
)
def test_slices_of_the_thesis(groups, seconds, count, sizes, offsets, overlap):
    assert adjusted(groups, seconds, count) == (sizes, offsets, overlap)


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 20)), min_size=1, max_size=4), st.integers(1, 40))
def test_slices_are_whole_groups_and_cover_everything(devices, times):
    groups, seconds = [g for g, _ in devices], [float(s) for _, s in devices]
    count = times * math.lcm(*groups)  # every device alone can run it
    sizes, offsets, overlap = adjusted(groups, seconds, count)
    assert all(size % group == 0 for size, group in zip(sizes, groups))
    assert 0 <= overlap < max(groups)
    covered = {k for begin, size in zip(offsets, sizes) for k in range(begin, begin + size)}
    assert covered == set(range(count)) and all(b + s <= count for b, s in zip(offsets, sizes))


@given(st.lists(st.integers(1, 60), min_size=2, max_size=4), st.integers(2_000, 100_000))
def test_measured_shares_finish_together(costs, count):
    speeds = Speeds(len(costs))
    for _ in range(12):  # the times of a call follow its pieces
        cuts = speeds.pieces(0, count)
        done = [(high - low, 1e-6 * cost * (high - low)) for cost, (low, high) in zip(costs, cuts)]
        speeds.learn(done)
    ends = [seconds for _, seconds in done]
    assert max(ends) <= 1.05 * min(ends) + 1e-6 * max(costs)


@given(st.integers(5, 300), st.integers(1, 4))
def test_a_bad_measurement_is_soon_forgotten(cost, wrong):
    """Also where every piece costs something whatever its length."""
    speeds = Speeds(2)
    for call in range(8):
        cuts = speeds.pieces(0, 1000)
        done = [(high - low, 1e-4 + 1e-6 * cost * (high - low)) for low, high in cuts]
        if call == 2:
            done[0] = (done[0][0], 50.0 * wrong)
        speeds.learn(done)
    assert abs(speeds.pieces(0, 1000)[0][1] - 500) < 50


def test_the_first_calls_and_small_changes_leave_shares_alone():
    speeds = Speeds(2)
    for _ in range(2):
        speeds.learn([(50, 9.0), (50, 1.0)])
        assert not speeds.is_measured and speeds.pieces(0, 100) == [(0, 50), (50, 100)]
    speeds.learn([(50, 3.0), (50, 1.0)])
    assert speeds.is_measured and speeds.pieces(0, 100) == [(0, 25), (25, 100)]
    speeds.learn([(25, 1.001), (75, 1.0)])
    assert speeds.pieces(0, 100) == [(0, 25), (25, 100)]


def test_a_device_without_iterations_gets_some_again():
    speeds = Speeds(2)
    for _ in range(2):
        speeds.learn([(5, 1.0), (5, 1.0)])
    for _ in range(4):
        low, high = (b - a for a, b in speeds.pieces(0, 10))
        speeds.learn([(low, 100.0 * low), (high, 0.001)])
    assert speeds.pieces(0, 10) == [(0, 0), (0, 10)]
    for _ in range(60):
        speeds.learn([(0, 0.0), (10, 0.002)])
    assert speeds.pieces(0, 10)[0] != (0, 0)
