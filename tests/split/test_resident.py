"""Steps on two devices whose arrays stay there: the bits of Python, whatever the halo, and few exchanges."""

from __future__ import annotations

import random

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, two_halves
from weft.errors import OutOfMemoryError
from weft.report import splitting
from weft.runtime.devices import accelerators
from weft.runtime.forecasting import DeviceForecast, ForecastPart
from weft.split import resident
from weft.split.exchange import Exchange

pytestmark = [pytest.mark.opencl, pytest.mark.usefixtures("two_halves")]
__all__ = ["two_halves"]


def program(seed):
    """Some loops in each step over four arrays and a number, of which some change places."""
    choose = random.Random(seed)
    lines = ["def steps(a, b, c, still, zero, n):\n    for t in range(n):\n"]
    for _ in range(choose.randint(1, 3)):
        target, *sources = choose.sample("abc", 3)
        terms = [f"{choose.choice((0.25, 0.5, -0.125))} * {x}[i + {choose.randint(-2, 2)}, j]" for x in sources]
        terms += choose.sample(["still[i, j]", "still[i + 1, j - 1]", "zero[()]", "t", "a.shape[0]"], 2)
        if choose.random() < 0.5:
            terms.append(f"{target}[i, j]")
        low, high = choose.randint(2, 4), choose.randint(2, 5)
        lines.append(
            f"        for i in range({low}, a.shape[0] - {high}):\n            for j in range(1, a.shape[1]):\n"
        )
        lines.append(f"                {target}[i, j] = {' + '.join(terms)}\n")
    lines.append(f"        {choose.choice(('a, b = b, a', 'a, b, c = c, a, b', 'pass'))}\n")
    return "".join(lines) + "    return a\n"


def compiled_from(text, folder):
    path = folder / "program.py"
    path.write_text(text)
    space: dict[str, object] = {}
    exec(compile(text, str(path), "exec"), space)
    return space["steps"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(24))
def test_random_steps_leave_what_python_leaves(seed, tmp_path):
    function = compiled_from(program(seed), tmp_path)
    split = weft.jit(function, device=HALVES)
    for rows, steps in ((23, 2), (90, 11), (90, 1), (4, 5)):
        rng = np.random.default_rng(seed)
        before = [rng.random((rows, 5)) for _ in range(4)] + [np.array(0.5)]
        expected, found = [a.copy() for a in before], [a.copy() for a in before]
        result = function(*expected, steps)
        given = split(*found, steps)
        assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))
        assert [result is a for a in expected] == [given is a for a in found]


def smoothed(u, v, w, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                s = 0.0
                for k in range(-1, 2):
                    s += w[k + 1] * u[i + k, j + k]
                v[i, j] = s
        u, v = v, u


def test_neighbours_meet_once_for_some_steps(monkeypatch):
    exchanged, home = [], []
    move = resident._Running._move

    def moved(self, k, rows, values, out):
        exchanged.extend([rows] if out else [])
        move(self, k, rows, values, out)

    monkeypatch.setattr(resident._Running, "_move", moved)
    bring_home = resident._Running._bring_home
    monkeypatch.setattr(resident._Running, "_bring_home", lambda self, k: home.append(k) or bring_home(self, k))
    rng = np.random.default_rng(3)
    u, v, w = rng.random((200, 6)), rng.random((200, 6)), rng.random(3)
    expected = [u.copy(), v.copy()]
    smoothed(*expected, w, 32)
    split = weft.jit(smoothed, device=HALVES)
    split(u, v, w, 32)
    assert np.array_equal(u, expected[0]) and np.array_equal(v, expected[1])
    assert sorted(home) == [0, 1]
    assert 0 < len(exchanged) < 32 and all(rows.end - rows.first < 20 for rows in exchanged)
    assert {piece.device for piece in split.split} == set(HALVES)


def test_rows_go_through_the_same_memory_again_and_are_awaited_once_for_a_block(monkeypatch):
    made, waits = [], []
    taken, wait = Exchange.taken, resident._wait
    monkeypatch.setattr(
        Exchange, "taken", lambda self, *of: (made.append(taken(self, *of)), made[-1])[1],
    )  # fmt: skip
    monkeypatch.setattr(resident, "_wait", lambda device: (waits.append(device), wait(device)))
    rng = np.random.default_rng(3)
    u, v, w = rng.random((90, 6)), rng.random((90, 6)), rng.random(3)
    expected = [u.copy(), v.copy()]
    split = weft.jit(smoothed, device=HALVES)
    for _ in range(3):
        smoothed(*expected, w, 30)
        split(u, v, w, 30)
        assert np.array_equal(u, expected[0]) and np.array_equal(v, expected[1])
    each = len(made) // 3
    first, last = ({array.ctypes.data for array in part} for part in (made[:each], made[-each:]))
    assert first == last and each > 2, "two for each exchange, in every call the same"
    assert len(waits) <= 3 * len(HALVES) * (30 // 2 + 2), "once for a block of steps, and before and after all"


def test_arrays_that_do_not_fit_go_there_loop_by_loop(monkeypatch):
    def full(device, model):
        raise OutOfMemoryError("full", needed=model.nbytes)

    monkeypatch.setattr(resident, "_made", full)
    rng = np.random.default_rng(3)
    u, v, w = rng.random((40, 6)), rng.random((40, 6)), rng.random(3)
    expected = [u.copy(), v.copy()]
    smoothed(*expected, w, 4)
    with pytest.warns(weft.errors.WeftWarning, match="W008: .*u, v, w of smoothed do not fit into a device: full"):
        weft.jit(smoothed, device=HALVES)(u, v, w, 4)
    assert np.array_equal(u, expected[0]) and np.array_equal(v, expected[1])


def test_reports_say_which_device_is_too_small_for_arrays_to_stay(monkeypatch):
    monkeypatch.setattr(accelerators, "room", lambda device: 40 * 6 * 8)
    u, v, w = np.ones((40, 6)), np.zeros((40, 6)), np.ones(3)
    text = str(weft.explain(weft.jit(smoothed, device=HALVES), u, v, w, 32).split)
    assert f"the arrays do not fit into the memory of {HALVES[0]}" in text and "arrays stay" not in text


def test_a_device_that_fails_leaves_arrays_as_they_were(monkeypatch):
    def broken(self, k, *others):
        raise RuntimeError("gone")

    monkeypatch.setattr(resident._Running, "_run", broken)
    u, v, w = np.ones((40, 6)), np.zeros((40, 6)), np.ones(3)
    with pytest.raises(RuntimeError, match="gone"):
        weft.jit(smoothed, device=HALVES)(u, v, w, 4)
    assert (u == 1).all() and (v == 0).all()


def test_reports_say_for_how_many_steps_arrays_stay():
    u, v, w = np.ones((200, 6)), np.zeros((200, 6)), np.ones(3)
    split = weft.jit(smoothed, device=HALVES)
    text = str(weft.explain(split, u, v, w, 32).split)
    assert "in 32 steps the arrays stay on the devices" in text
    assert "stay on the devices" not in str(weft.explain(split, u, v, w, 1).split)
    (cut,) = split.cuts(u, v, w, 32)
    copied = ForecastPart("copies", 1, 1, "", 3.0, 0.75)
    once = DeviceForecast("opencl", 4.0, (3.0, 5.0), (copied,), "", "")
    assert splitting._times(cut, once) * 4.0 == 3.0 + 32 * 1.0
    (cut,) = split.cuts(u, v, w, 1)
    assert splitting._times(cut, once) == 1
