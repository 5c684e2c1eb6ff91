"""The choice of a device is held against the best device."""

from __future__ import annotations

import time
from dataclasses import asdict

import pytest

from benchmarks.break_even import PROGRAMS, Figure, plot, turns, worst
from benchmarks.program import copied


def group(size, chosen, **times):
    return [Figure("add", "numpy", size, device, tuple(found), chosen, found[0]) for device, found in times.items()]


def test_the_worst_size_counts():
    good = group(256, "cpu", cpu=[1.0] * 9, cuda=[3.0] * 9, auto=[1.05] * 9)
    bad = group(1024, "cpu", cpu=[4.0] * 9, cuda=[3.0] * 9, auto=[4.0] * 9)
    assert worst(good) == (1.05, [])
    assert worst([*good, *bad]) == (pytest.approx(4 / 3), ["add numpy 2^10"])


def test_a_point_is_wrong_where_nearly_all_turns_are_above_the_goal():
    noisy = [1.5] * 6 + [1.0] * 3
    assert worst(group(256, "cpu", cpu=[1.0] * 9, cuda=[3.0] * 9, auto=noisy)) == (1.0, [])
    _, wrong = worst(group(256, "cpu", cpu=[1.0] * 9, cuda=[3.0] * 9, auto=[1.5] * 8 + [1.0]))
    assert wrong == ["add numpy 2^8"]


def test_ways_that_are_far_away_have_few_turns():
    def spin(seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

    found = turns({"fast": lambda: spin(1e-4), "near": lambda: spin(2e-4), "far": lambda: spin(5e-3)})
    assert [len(found[name]) for name in ("fast", "near", "far")] == [9, 9, 3]
    found = turns({"fast": lambda: spin(1e-3), "slow": lambda: spin(0.11)})
    assert [len(found[name]) for name in ("fast", "slow")] == [9, 1]


def test_a_figure_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    figures = [
        *group(256, "cpu", cpu=[1.0], cuda=[3.0], auto=[1.0]),
        *group(1024, "cuda", cpu=[4.0], cuda=[3.0], auto=[3.0]),
    ]
    data = {"figures": [asdict(figure) for figure in figures], "speeds": {"cpu": {"description": "a processor"}}}
    plot(data, tmp_path / "drawn.svg")
    assert "a processor" in (tmp_path / "drawn.svg").read_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_as_python_and_as_weft_chooses(name):
    import weft

    function, make = PROGRAMS[name]
    plain, compiled = copied(make(64)), copied(make(64))
    function(*plain)
    weft.jit(function)(*compiled)
    for left, right in zip(plain, compiled, strict=True):
        assert left == pytest.approx(right, rel=1e-5)
