"""The choice of a device is held against the best device."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from benchmarks.break_even import PROGRAMS, Figure, plot, worst
from benchmarks.program import copied


def group(size, chosen, **seconds):
    return [Figure("add", "numpy", size, device, time, chosen, time) for device, time in seconds.items()]


def test_the_worst_size_counts():
    good = group(256, "cpu", cpu=1.0, cuda=3.0, auto=1.5)
    bad = group(1024, "cpu", cpu=4.0, cuda=3.0, auto=4.2)
    assert worst(good) == 1.0  # the device that was chosen is the best one: the rest is noise
    assert worst([*good, *bad]) == pytest.approx(4 / 3)


def test_a_figure_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    figures = [*group(256, "cpu", cpu=1.0, cuda=3.0, auto=1.0), *group(1024, "cuda", cpu=4.0, cuda=3.0, auto=3.0)]
    data = {"figures": [asdict(figure) for figure in figures], "speeds": {"cpu": {"description": "a processor"}}}
    plot(data, tmp_path / "drawn.svg")
    assert "a processor" in (tmp_path / "drawn.svg").read_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run_as_python_and_as_weft_chooses(name):
    import weft

    function, make, _ = PROGRAMS[name]
    plain, compiled = copied(make(64)), copied(make(64))
    function(*plain)
    weft.jit(function)(*compiled)
    for left, right in zip(plain, compiled, strict=True):
        assert left == pytest.approx(right, rel=1e-5)
