"""Whether calls are split: by what they took, and with ``device="auto"`` by what is predicted; clocks are made up."""

from __future__ import annotations

import random

import numpy as np
import pytest

import weft
from tests.runtime.test_choosing import figures, made_up, of
from tests.split.halves import HALVES, two_halves
from weft.runtime import machines
from weft.split import automatic
from weft.split.automatic import Gain
from weft.split.devices import SplitFunction
from weft.split.habits import Habit
from weft.split.shares import Speeds

__all__ = ["figures", "two_halves"]


class Clock:
    """Devices that take a time to begin, one for arrays that each needs whole, and one for each iteration.

    A program is a loop of some iterations; its pieces end together with the slowest one, and splitting takes a time.
    """

    def __init__(self, choose, count):
        self.count = choose.choice((100, 3000, 10**6))
        self.layer = choose.choice((3e-5, 1e-4))
        per = choose.choice((1e-9, 1e-7, 1e-5))
        self.begin = [choose.choice((1e-5, 1e-4, 1e-2)) for _ in range(count)]
        self.rate = [per * choose.choice((1, 1, 1.2, 4, 10)) for _ in range(count)]
        self.noise = choose

    def piece(self, device, iterations):
        seconds = self.begin[device] + iterations * self.rate[device] if iterations else 0.0
        return seconds * self.noise.uniform(1.0, 1.005)

    @property
    def best(self):
        return min(self.begin[k] + self.count * self.rate[k] for k in range(len(self.rate)))


def calls(clock, number):
    """What calls take, as `SplitFunction` makes them."""
    devices = range(len(clock.rate))
    habit, speeds = Habit(), Speeds(len(clock.rate))
    for _ in range(number):
        whole = habit.runs_whole
        if whole:
            fastest = max(devices, key=lambda k: speeds.values[k])
            seconds = clock.piece(fastest, clock.count)
        else:
            cuts = speeds.pieces(0, clock.count)
            times = [clock.piece(k, high - low) for k, (low, high) in enumerate(cuts)]
            speeds.learn([(high - low, spent) for (low, high), spent in zip(cuts, times, strict=True)])
            seconds = clock.layer + max(times)
        habit.took(whole, seconds)
        yield seconds


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_program_takes_much_longer_than_the_best_device(count):
    """Over 70 programs, seen and unseen by a hash of the seed alike."""
    for seed in range(70):
        clock = Clock(random.Random(f"{count} {seed}"), count)
        times = list(calls(clock, 600))
        assert sum(times[40:]) <= 1.03 * 560 * clock.best, seed


def test_what_pays_stays_in_pieces_and_machines_may_change():
    habit = Habit()
    for _ in range(400):
        habit.took(habit.runs_whole, 2e-3 if habit.runs_whole else 1e-3)
    assert not habit.is_whole and habit.is_decided
    for _ in range(3000):
        habit.took(habit.runs_whole, 1e-4 if habit.runs_whole else 1e-3)
    assert habit.is_whole


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_small_calls_run_whole_after_a_while_with_the_same_bits(monkeypatch):
    def scaled(x, y):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        for i in range(len(x)):
            y[i] = 3 * x[i]
        return s / len(x)

    monkeypatch.setattr(SplitFunction, "fastest", lambda self, prepared: HALVES[0])
    took = Habit.took
    monkeypatch.setattr(Habit, "took", lambda self, whole, seconds: took(self, whole, 1e-4 if whole else 1.0))
    split, x = weft.jit(scaled, device=HALVES), np.random.default_rng(0).random(3000)
    pieces, found = [], set()
    for _ in range(12):
        y = np.zeros(3000)
        found.add((split(x, y), y.tobytes()))
        pieces.append(len(split.split))
    assert len(found) == 1, "the bits of pieces and of whole calls"
    assert min(pieces[:5]) > 0 and pieces[-1] == 0
    assert "calls of this size run whole on opencl:0.0: the last took 100 us whole on opencl:0.0" in str(
        weft.explain(split, x, y).split
    )


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_what_no_device_runs_whole_stays_in_pieces(monkeypatch):
    def copied(x, y):
        for i in range(len(x)):
            y[i] = x[i]

    monkeypatch.setattr(SplitFunction, "_fits", lambda self, call, device: False)
    split, x, y = weft.jit(copied, device=HALVES), np.arange(50.0), np.zeros(50)
    for _ in range(40):
        split(x, y)
        assert split.split, "never whole"
    (habit,) = next(iter(split._prepared.values())).habits.values()
    assert not habit.whole and not habit.is_possible and not habit.runs_whole


# ------------------------------------------------------------------------------------------------------------- auto


def scaled(x, y):
    for i in range(len(x)):
        y[i] = 3 * x[i]


@pytest.fixture
def halves_measured(figures, monkeypatch):
    """Sets made-up figures of the processor and of two halves: seconds of a call, and elements a second."""

    def use(rate):
        found = [made_up("cpu", 1e-6, 1e7), *(of(device, 1e-5, rate) for device in HALVES)]
        figures(*found)
        monkeypatch.setattr(machines, "speed_of", lambda device: next((s for s in found if s.device == device), None))

    return use


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_auto_splits_where_the_gain_is_above_its_error(halves_measured):
    halves_measured(1e9)
    function = weft.jit(scaled)
    x, y = np.arange(1e6), np.zeros(10**6)
    explained = weft.explain(function, x, y).split
    assert explained.devices == HALVES and [loop.loop for loop in explained.loops] == ["i"]
    assert "it is split over opencl:0.0, opencl:0.1: predicted" in str(explained)
    function(x, y)
    assert np.array_equal(y, 3 * x)
    assert [piece.device for piece in function._automatic.split.split] == list(HALVES)
    few = np.arange(1000.0), np.zeros(1000)
    explained = weft.explain(function, *few).split
    assert not explained.loops and "a split pays from 0.2 ms on" in explained.refused
    function(*few)
    assert np.array_equal(few[1], 3 * few[0])
    assert len(function._automatic.split.split) == 2, "as after the call before"


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_auto_says_why_it_does_not_split(halves_measured):
    halves_measured(1e9)

    def running(x, y):
        for i in range(1, len(x)):
            y[i] = y[i - 1] + x[i]
        for i in range(1, len(x)):
            y[i] = y[i - 1] * x[i] + 1

    x, y = np.zeros(10**6), np.zeros(10**6)
    assert "goes from iteration to iteration" in weft.explain(weft.jit(running), x, y).split.refused
    function = weft.jit(scaled)
    function(x[:-1], x[1:])  # overlapping arrays run whole
    assert function._automatic.split.split == []
    assert weft.explain(weft.jit(scaled, device="cpu"), x, y).split is None
    with weft.device("cpu"):
        assert weft.explain(function, x, y).split is None
    short = np.ones(12_000), np.zeros(12_000)  # the layer of a split takes what is gained
    assert "not above its error of" in weft.explain(weft.jit(scaled), *short).split.refused


def test_devices_of_one_model_are_found(monkeypatch):
    models = {"cuda:0": 1, "cuda:1": 1, "cuda:2": 2, "opencl": 3}
    monkeypatch.setattr(automatic.accelerators, "model", lambda name: (models[name],))
    assert automatic.equal_devices(models) == ("cuda:0", "cuda:1")
    assert automatic.equal_devices(["cuda:0", "cuda:2"]) == () == automatic.equal_devices(["cuda:0"])


def test_a_gain_is_said_in_words():
    gain = Gain(("a", "b"), 1e-3, 6e-4, 2e-4, 1e-4)
    assert gain.pays and str(gain).endswith("the gain is at least 0.2 ms, above its error of 0.1 ms")
