"""`weft.explain(...).split`: how a call is split over devices, by prediction."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, two_halves  # noqa: F401 - a fixture
from weft.cost.speed import estimated
from weft.errors import ArgumentError, DeviceError, UnsupportedError
from weft.report.explanation import Explanation
from weft.runtime import machines
from weft.runtime.devices.accelerators import facts_of

pytestmark = [pytest.mark.opencl, pytest.mark.usefixtures("two_halves")]


def smooth(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(u.shape[1]):
            v[i, j] = u[i - 1, j] + u[i + 1, j]


def steps(u, v, count):
    for _t in range(count):
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = u[i - 1, j] + u[i + 1, j]
        u, v = v, u


def running(x):
    for i in range(1, len(x)):
        x[i] = x[i] * x[i - 1] + 1.0


def explained(function, *args, devices=HALVES) -> Explanation:
    return weft.explain(weft.jit(function, device=devices), *args)


@pytest.fixture
def _figures(monkeypatch):
    speeds = {name: estimated(name, facts_of(name)) for name in HALVES}
    monkeypatch.setattr(machines, "other_devices", lambda: speeds)


def arrays():
    return np.ones((41, 10)), np.ones((41, 10))


def test_pieces_have_devices_iterations_shares_and_copies():
    (loop,) = explained(smooth, *arrays()).split.loops
    assert (loop.loop, loop.line) == ("i", smooth.__code__.co_firstlineno + 1)
    assert "no iteration depends on another; equal shares at first; pieces run at the same time" in loop.reason
    first, second = loop.pieces
    assert (first.device, first.start, first.stop) == (HALVES[0], 1, 21)
    assert (second.device, second.start, second.stop) == (HALVES[1], 21, 40)
    assert first.share + second.share == 1 and first.share == 20 / 39
    assert (first.sent, first.returned) == ({"u": 22 * 10 * 8}, {"v": 20 * 10 * 8})
    assert (second.sent, second.returned) == ({"u": 21 * 10 * 8}, {"v": 19 * 10 * 8})


def test_times_are_those_of_the_predictions(_figures):
    (loop,) = explained(smooth, *arrays()).split.loops
    times = [piece.seconds for piece in loop.pieces]
    assert all(times) and loop.seconds == max(times)
    assert all(loop.alone[name] > piece.seconds for name, piece in zip(HALVES, loop.pieces, strict=True))
    assert loop.ideal == pytest.approx(1 / sum(1 / seconds for seconds in loop.alone.values()))


def test_nothing_is_predicted_without_figures(monkeypatch):
    monkeypatch.setattr(machines, "other_devices", dict)
    report = explained(smooth, *arrays()).split
    (loop,) = report.loops
    assert loop.seconds is None and loop.ideal is None and set(loop.alone.values()) == {None}
    assert "unknown" in str(report)


@pytest.fixture
def _figures_of_the_whole(monkeypatch):
    monkeypatch.setattr(machines, "other_devices", lambda: {"opencl": estimated("opencl", facts_of("opencl"))})


def test_halves_have_the_figures_of_the_whole_device_as_estimates(_figures_of_the_whole):
    whole, half = machines.speed_of("opencl"), machines.speed_of(HALVES[0])
    share = facts_of(HALVES[0]).cores / facts_of("opencl").cores
    assert half.device == HALVES[0] and not half.measured and half.memory[0] == whole.memory[0]
    assert half.memory[-1][1] == pytest.approx(whole.memory[-1][1] / share, rel=0.05)
    report = explained(smooth, *arrays()).split
    (loop,) = report.loops
    assert all(piece.seconds and piece.estimated for piece in loop.pieces)
    assert loop.seconds and loop.ideal and "estimated" in str(report)
    assert weft.predict(smooth, *arrays(), device=HALVES[0]).seconds > 0


def test_a_loop_that_folds_says_what(_figures_of_the_whole):
    def largest(x):
        most = x[0]
        for i in range(len(x)):
            most = max(most, x[i])
        return most

    (loop,) = explained(largest, np.ones(100)).split.loops
    assert "iterations meet only in what they fold (most), which is put together" in loop.reason and loop.seconds
    assert all(piece.sent["x"] == 400 and "" not in piece.returned for piece in loop.pieces)


def test_a_call_in_pieces_is_predicted(_figures_of_the_whole):
    forecast = weft.predict(weft.jit(smooth, device=HALVES), weft.spec((4001, 1000), "f8"), np.ones((4001, 1000)))
    loops = [part for part in forecast.parts if part.what == "loop"]
    assert forecast.device == "opencl:0.0 + opencl:0.1" and [part.amount for part in loops] == list(HALVES)
    assert forecast.seconds == forecast.parts[0].seconds + max(part.seconds for part in loops)
    assert [part.hidden for part in loops].count(False) == 1
    assert forecast.interval[0] < forecast.seconds < forecast.interval[1]
    assert all(name in str(forecast) for name in HALVES)
    once, often = (weft.predict(weft.jit(steps, device=HALVES), *arrays(), k).parts[1] for k in (1, 5))
    assert once.seconds < often.seconds < 4.9 * once.seconds  # arrays are copied once


def test_what_is_not_predicted_in_pieces_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(machines, "other_devices", dict)
    function = weft.jit(smooth, device=HALVES)
    with pytest.raises(DeviceError, match="no figures of 'opencl:0.0'.*") as caught:
        weft.predict(function, *arrays())
    assert "weft calibrate --device opencl" in str(caught.value)
    with pytest.raises(ArgumentError, match="trips, machine and strict are for one device"):
        weft.predict(function, *arrays(), strict=True)
    with pytest.raises(UnsupportedError, match="cannot be cut"):
        weft.predict(weft.jit(running, device=HALVES), np.ones(9))
    assert weft.predict(function, *arrays(), device="cpu").device == "cpu"


def test_explaining_runs_nothing():
    u, v = np.ones((41, 10)), np.zeros((41, 10))
    explained(smooth, u, v)
    assert not v.any()


def test_shares_are_those_of_the_next_call():
    function, (u, v) = weft.jit(smooth, device=HALVES), arrays()
    for _ in range(3):
        function(u, v)
    (loop,) = weft.explain(function, u, v).split.loops
    function(u, v)
    assert [(p.device, p.start, p.stop) for p in loop.pieces] == [(p.device, p.start, p.stop) for p in function.split]
    assert "by the times of the last call" in loop.reason


def test_loops_in_steps_are_those_of_the_first_step():
    (loop,) = explained(steps, *arrays(), 5).split.loops
    assert [(p.start, p.stop) for p in loop.pieces] == [(1, 21), (21, 40)]


def test_a_loop_without_iterations_has_no_pieces():
    (loop,) = explained(smooth, np.ones((2, 3)), np.ones((2, 3))).split.loops
    assert loop.pieces == ()


def test_the_text_has_the_loop_the_pieces_and_the_times(_figures):
    explanation = explained(smooth, *arrays())
    for text in (str(explanation.split), str(explanation)):
        assert all(word in text for word in (*HALVES, "1 to 21", "51 %", "ideal", "alone"))
    assert "What is split" in str(explanation)


def test_what_is_not_cut_has_the_reason_in_words():
    explanation = explained(running, np.ones(9))
    assert explanation.split.loops == ()
    assert explanation.split.refused.startswith(f"line {running.__code__.co_firstlineno + 1}: the loop over i")
    assert "not cut: line" in str(explanation.split)
    assert "not split over opencl:0.0, opencl:0.1" in " ".join(str(explanation).split())


def test_one_device_is_not_split():
    assert weft.explain(smooth, *arrays()).split is None
    with weft.device("cpu"):
        assert explained(smooth, *arrays()).split is None
