"""Semantics, "Parallel loops", "Aliasing" and "Bounds"."""

from __future__ import annotations

import math
import runpy

import numpy as np
import pytest

import weft

from .tools import DEVICES, every_device, place_of, same, same_error


@every_device
def test_a_sequential_loop_names_the_two_accesses_in_the_way(device):
    def recurrence(a):
        for i in range(1, len(a)):
            a[i] = a[i - 1] * 0.5 + a[i]

    same(recurrence, np.arange(9.0), device=device)
    (loop,) = weft.explain(recurrence, np.zeros(3)).loops
    assert loop.verdict in ("sequential", "scan")
    if loop.verdict == "sequential":
        assert "a[i - 1]" in loop.reason and "a[i]" in loop.reason


@every_device
def test_an_update_by_key_is_as_in_a_sequential_loop(device):
    def histogram(counts, keys, amounts):
        for i in range(len(keys)):
            counts[keys[i]] += amounts[i]

    random = np.random.default_rng(1)
    keys, amounts = random.integers(-7, 7, 5000), random.normal(size=5000)
    if device in ("opencl", "cuda"):  # nearer to the exact sums than the loop's
        counts = np.zeros(7)
        weft.jit(histogram, device=device)(counts, keys, amounts)
        exact = [math.fsum(amounts[keys % 7 == key]) for key in range(7)]
        np.testing.assert_array_almost_equal_nulp(counts, np.array(exact), nulp=1)
    else:
        same(histogram, np.zeros(7), keys, amounts, device=device)
    same(histogram, np.zeros(7, np.int64), random.integers(0, 7, 5000), random.integers(-9, 9, 5000), device=device)


@pytest.mark.parametrize("device", DEVICES[1:])  # the interpreter keeps to the order of the source, whatever is claimed
def test_a_wrong_claim_is_a_race_error_with_both_lines_before_anything_is_written(device):
    def racing(a, keys):
        for i in weft.prange(len(keys)):
            a[keys[i]] = i + 1.0

    a = np.zeros(5)
    ready = weft.jit(racing, device=device)
    ready(a, np.array([4, 2, 0]))
    assert a.tolist() == [3, 0, 2, 0, 1]
    with pytest.raises(weft.RaceError) as raised:
        ready(a, np.array([1, 2, 1]))
    assert str(raised.value).count("a[keys[i]] = i + 1.0") == 2
    assert a.tolist() == [3, 0, 2, 0, 1]


def test_the_users_word_is_taken_and_reported():
    def claimed(a, keys):
        for i in weft.assume_independent(range(len(keys))):
            a[keys[i]] = i + 1.0

    same(claimed, np.zeros(5), np.array([4, 2, 0]))
    (loop,) = weft.explain(claimed, np.zeros(5), np.array([4, 2, 0])).loops
    assert "assume_independent" in loop.reason


def shifted(a, b):
    for i in range(len(a)):
        b[i] = a[i] + 1.0


@every_device
@pytest.mark.parametrize("offset", [-3, -1, 0, 1, 3])
def test_overlapping_arguments_are_as_in_python(device, offset):
    ready = weft.jit(shifted, device=device)
    for size in (8, 100):
        left, right = (np.arange(size + 6.0) for _ in range(2))
        for memory, call in ((left, shifted), (right, ready)):
            call(memory[3 : size + 3], memory[3 + offset : size + 3 + offset])
        np.testing.assert_array_equal(left, right)


@every_device
def test_arrays_that_interleave_without_meeting(device):
    left, right = (np.arange(40.0) for _ in range(2))
    for memory, call in ((left, shifted), (right, weft.jit(shifted, device=device))):
        call(memory[::2], memory[1::2])
    np.testing.assert_array_equal(left, right)


@every_device
def test_windows_and_zero_strides_overlap_themselves(device):
    def marked(a):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] = a[i, j] * 0.5 + i + 10 * j

    for strides in ((8, 8), (0, 8), (8, 0), (16, 8)):
        left, right = (np.arange(64.0) for _ in range(2))
        for memory, call in ((left, marked), (right, weft.jit(marked, device=device))):
            call(np.lib.stride_tricks.as_strided(memory, (7, 5), strides))
        np.testing.assert_array_equal(left, right)


@every_device
def test_a_captured_array_may_be_an_argument_too(device):
    left, right = np.arange(9.0), np.arange(9.0)

    def writer(captured):
        def write(a):
            for i in range(len(a) - 1):
                captured[i + 1] = a[i] + 1.0

        return write

    writer(left)(left)
    weft.jit(writer(right), device=device)(right)
    np.testing.assert_array_equal(left, right)


@every_device
def test_arrays_are_changed_in_place_and_come_back_as_the_same_object(device):
    def swapped(u, v, n):
        for t in range(n):
            for i in range(len(u)):
                v[i] = u[i] + 1.0
            u, v = v, u
        return u

    ready = weft.jit(swapped, device=device)
    u, v = np.zeros(9), np.zeros(9)
    assert ready(u, v, 3) is v
    assert ready(u, v, 2) is u


@every_device
def test_an_index_outside_raises_where_python_does(device):
    def reach(a, out, k):
        for i in range(len(out)):
            out[i] = a[i + k]

    same(reach, np.arange(9.0), np.zeros(5), 4, device=device)
    same(reach, np.arange(9.0), np.zeros(5), -9, device=device)
    assert "line" in place_of(same_error(reach, np.arange(9.0), np.zeros(5), 5, device=device))
    same_error(reach, np.arange(9.0), np.zeros(5), -10, device=device)


@every_device
def test_an_access_that_need_not_run_raises_nothing(device):
    def guarded(a, out, n, flag):
        for i in range(n):
            if flag:
                out[i] = a[i + 100]

    same(guarded, np.arange(3.0), np.zeros(3), 3, False, device=device)
    same(guarded, np.arange(3.0), np.zeros(3), 0, True, device=device)


@every_device
def test_an_exit_before_it_keeps_an_index_from_raising(device):
    def until(a, out):
        for i in range(100):
            if i == len(a):
                break
            out[i] = a[i]
        return i

    same(until, np.arange(5.0), np.zeros(5), device=device)


@every_device
def test_an_indirect_index_is_checked_and_leaves_what_python_leaves(device):
    def gathered(a, keys, out):
        for i in range(len(keys)):
            out[i] = a[keys[i]]

    same(gathered, np.arange(5.0), np.array([4, -1, 0, -5]), np.zeros(4), device=device)
    same_error(gathered, np.arange(5.0), np.array([4, -1, 5, 1]), np.zeros(4), device=device)
    same_error(gathered, np.arange(5.0), np.array([4, -6, 3, 1]), np.zeros(4), device=device)


EXTREME = """
def extreme(x):
    s = x[0]
    for i in range(1, len(x)):
        if CONDITION:
            s = x[i]
    return s
"""


@pytest.mark.parametrize("negated", ["", "not "])
@pytest.mark.parametrize("sides", ["x[i] {} s", "s {} x[i]"])
@pytest.mark.parametrize("op", ["<", "<=", ">", ">="])
def test_an_extreme_is_the_one_that_is_asked_for(op, sides, negated, tmp_path, on_four_threads):
    file = tmp_path / "extreme.py"
    file.write_text(EXTREME.replace("CONDITION", negated + sides.format(op)), encoding="utf-8")
    function = runpy.run_path(str(file))["extreme"]
    same(function, np.random.default_rng(0).normal(size=20_000))
    same(function, np.array([0.0, -0.0, 3.0, np.nan, -1.0, 0.0] * 40))
    same(function, np.array([np.nan, 1.0, -2.0, np.nan]))
