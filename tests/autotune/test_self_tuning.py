"""Functions that tune themselves, objectives of the user, `weft tune module:function`, pictures of searches."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import weft
from weft.cli import main
from weft.errors import ArgumentError, Error

TRACE = np.zeros(1)


def doubled(x, y):
    for i in range(len(x)):
        y[i] = 2 * x[i]


def traced(x, y):
    for i in range(len(x)):
        TRACE[0] += x[i]


def test_a_function_tunes_itself_once_for_a_size_class(own_store):
    function = weft.jit(doubled, device="cpu", tune=0.6)
    x, y = np.arange(40.0), np.zeros(40)
    function(x, y)
    assert y.tolist() == (2 * x).tolist()
    assert len(function.tunings) == 1
    function(x[:37], y := np.zeros(37))
    assert y.tolist() == (2 * x[:37]).tolist() and len(function.tunings) == 1
    again = weft.jit(doubled, device="cpu", tune=0.6)  # as in another process
    again(x, y := np.zeros(40))
    assert y.tolist() == (2 * x).tolist() and again.tunings == {}


def test_when_the_seconds_are_spent_the_function_runs_as_it_is(own_store):
    function = weft.jit(doubled, device="cpu", tune=1e-9)
    function(np.ones(4), y := np.zeros(4))
    function(np.ones(400), z := np.zeros(400))
    assert y.tolist() == [2.0] * 4 and z.tolist() == [2.0] * 400


def test_what_changes_more_than_its_arguments_runs_once(own_store):
    TRACE[0] = 0.0
    function = weft.jit(traced, device="cpu", tune=1)
    with pytest.warns(UserWarning, match="traced changes more than its arguments"):
        function(np.ones(5), np.zeros(5))
    assert TRACE[0] == 5.0
    with pytest.raises(ArgumentError, match="traced changes more than its arguments"):
        weft.tune(weft.jit(traced, device="cpu"), np.ones(5), np.zeros(5))
    assert TRACE[0] == 5.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tune": 0}, "tune=0"),
        ({"tune": True}, "tune=True"),
        ({"tune": 3, "device": ("cpu", "opencl")}, "tune chooses schedules on one device"),
        ({"tune": 3, "on_error": "python"}, "tune chooses schedules on one device"),
    ],
)
def test_tune_that_makes_no_sense_is_refused(options, message):
    with pytest.raises(Error) as caught:
        weft.jit(doubled, **options)
    assert message in str(caught.value) or "device" in str(caught.value)


def test_an_objective_may_be_a_function_of_seconds_and_answer():
    def far(x):
        return abs(x - 3)

    best = weft.tune(
        lambda x: np.array([far(x), 1.0]) * 0 + far(x) * 0, space={"x": [1, 2, 3, 4]}, evaluations=4,
        objective=lambda seconds, answer: 1.0 + seconds * 0,
    )  # fmt: skip
    assert [c.seconds for c in best.tuning.candidates] == [1.0] * 4


def test_an_objective_that_raises_rejects_the_candidate():
    def objective(seconds, answer):
        raise KeyError("joules")

    with pytest.raises(Error, match="the objective raises KeyError: 'joules'"):
        weft.tune(lambda x: 1.0, space={"x": [1, 2]}, evaluations=2, objective=objective)


def test_a_search_is_drawn(tmp_path):
    best = weft.tune(lambda x: x, space={"x": [3, 1, 2]}, objective="value", evaluations=3)
    text = best.tuning.plot(tmp_path / "a.svg").read_text()
    assert text.startswith("<svg") and text.count("<circle") == 3 and "x=1" in text


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "to_tune.py").write_text(
        "import weft\nN = 20\n\n@weft.jit(device='cpu')\ndef doubled(x, y):\n"
        "    for i in range(len(x)):\n        y[i] = 2 * x[i]\n\ndef bowl(x):\n    return 0.0\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("to_tune", None)


def test_a_function_is_tuned_from_the_command_line(module, capsys, own_store):
    arguments = [
        "to_tune:doubled",
        "np.ones(N)",
        "np.zeros(N)",
        "--evaluations",
        "2",
        "--save",
        "t.json",
        "--plot",
        "t.svg",
    ]
    assert main(["tune", *arguments]) == 0
    assert "doubled on cpu: 2 of" in capsys.readouterr().out
    assert len(json.loads((module / "t.json").read_text())["results"]) == 1
    assert main(["tune", "to_tune:bowl", "--space", '{"x": [1, 2]}', "--evaluations", "2"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["to_tune"], "'to_tune' names no function"),
        (["nowhere:f"], "nowhere cannot be imported"),
        (["to_tune:g"], "to_tune has no g"),
        (["to_tune:doubled", "1/0"], "ZeroDivisionError"),
        (["to_tune:bowl", "--space", "x"], "'x' is no space"),
        ([], "there is nothing to tune"),
        (["to_tune:bowl", "--replay", "a.json"], "a function cannot be tuned in a replay"),
    ],
)
def test_bad_commands_are_refused(module, capsys, arguments, message):
    assert main(["tune", *arguments]) == 1
    assert message in capsys.readouterr().err.replace("\n", " ")
