"""`weft.tune`: callables, functions of `weft.jit`, budgets, files, messages between processes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

import weft
from weft.autotune.measuring import functions
from weft.autotune.measuring.messages import BrokenError, receive, send
from weft.autotune.measuring.outcomes import difference
from weft.errors import ArgumentError, WeftWarning
from weft.transform import pipeline


def bowl(x, y):
    return (x - 3) ** 2 + (y - 1) ** 2


@pytest.mark.parametrize("strategy", ["exhaustive", "model", "random"])
def test_the_smallest_value_is_found(strategy):
    best = weft.tune(bowl, space={"x": range(6), "y": range(6)}, objective="value", strategy=strategy, evaluations=36)
    assert best.tuning.best.point == {"x": 3, "y": 1}
    assert best() == 0
    assert best.tuning.ended in ("all points", "36 evaluations")
    assert best.tuning.progress[-1] == 0 and len(best.tuning.progress) == 36


def test_a_budget_ends_the_search_and_known_points_cost_nothing():
    best = weft.tune(bowl, space={"x": range(9), "y": range(9)}, objective="value", evaluations=5)
    assert len(best.tuning.candidates) == 5 and best.tuning.ended == "5 evaluations"


def test_candidates_get_copies_and_a_wrong_answer_is_never_chosen():
    def fill(x, how):
        x[:] = 1 if how == "right" else 2

    x = np.zeros(5)
    best = weft.tune(fill, x, space={"how": ["right", "wrong"]}, strategy="exhaustive", evaluations=2)
    assert x.tolist() == [0.0] * 5
    assert [c.status for c in best.tuning.candidates] == ["measured", "wrong"]
    assert best.tuning.best.point == {"how": "right"}


def test_ctrl_c_keeps_the_best_so_far():
    def interrupted(x):
        if x == 2:
            raise KeyboardInterrupt
        return x

    best = weft.tune(interrupted, space={"x": [1, 0, 2, 3]}, objective="value", strategy="exhaustive", evaluations=4)
    assert best.tuning.ended == "interrupted"
    assert best.tuning.best.point == {"x": 0}


def test_progress_is_told_of_every_candidate():
    seen = []
    weft.tune(
        bowl,
        space={"x": [1, 2], "y": [1]},
        objective="value",
        evaluations=2,
        progress=lambda t, part: seen.append(part),
    )
    assert seen[-1] >= 1.0 and len(seen) == 2


def test_a_callable_runs_in_a_process_of_its_own(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    sys.modules.pop("helpers_to_tune", None)
    from helpers_to_tune import summed

    space = {"way": ["right", "crash", "hang", "wrong"]}
    best = weft.tune(
        summed, np.arange(4.0), space=space, isolate=True, strategy="exhaustive", evaluations=4, timeout=8.0
    )
    found = {c.point["way"]: (c.status, c.reason) for c in best.tuning.candidates}
    assert found["right"] == ("measured", "")
    assert found["crash"] == ("crashed", "it ended with status 3")
    assert found["hang"] == ("timeout", "it took longer than 8 s")
    assert found["wrong"][0] == "wrong"


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def test_a_compiled_function_is_tuned_and_gives_the_same_answer():
    a, c = np.random.default_rng(0).random((40, 40)), np.zeros((40, 40))
    best = weft.tune(weft.jit(product, device="cpu"), a, a, c, evaluations=4, remember=False)
    assert best.tuning.candidates[0].point == {"device": "cpu", "without": "nothing"}
    assert all(candidate.status == "measured" for candidate in best.tuning.candidates)
    best(a, a, c)
    assert np.allclose(c, a @ a, rtol=1e-12)


@pytest.mark.opencl
def test_schedules_of_a_device_are_candidates():
    a, c = np.random.default_rng(0).random((32, 32)), np.zeros((32, 32))
    best = weft.tune(weft.jit(product, device="opencl"), a, a, c, evaluations=2, remember=False)
    points = [candidate.point for candidate in best.tuning.candidates]
    assert all(point["device"] == "opencl" and len(point) == 2 for point in points)
    assert all(candidate.status == "measured" for candidate in best.tuning.candidates)


def test_results_are_saved_and_loaded(tmp_path, own_store):
    a, c = np.ones((8, 8)), np.zeros((8, 8))
    function = weft.jit(product, device="cpu")
    tuned = weft.tune(function, a, a, c, evaluations=2, remember=False)
    file = tmp_path / "product.json"
    tuned.tuning.save(file)
    tuned.tuning.save(file)
    assert len(json.loads(file.read_text())["results"]) == 1
    (loaded,) = weft.load_tuning(file)
    assert loaded.best.point == tuned.tuning.best.point
    again = weft.tune(function, a, a, c, evaluations=1)
    assert sum(candidate.is_known for candidate in again.tuning.candidates) == 2


def test_results_of_another_machine_are_not_used(tmp_path):
    a, c = np.ones((8, 8)), np.zeros((8, 8))
    tuned = weft.tune(weft.jit(product, device="cpu"), a, a, c, evaluations=1, remember=False)
    tuned.tuning.driver = "an abacus"
    tuned.tuning.save(tmp_path / "t.json")
    with pytest.warns(WeftWarning, match="W006.*product.* is not used: it was measured on cpu .an abacus."):
        weft.load_tuning(tmp_path / "t.json")


@pytest.mark.parametrize("content", ["", "{}", '{"results": 3}', '{"results": [{"kernel": "x"}]}'])
def test_what_is_no_file_of_results_is_refused(tmp_path, content):
    file = tmp_path / "t.json"
    file.write_text(content)
    with pytest.raises(ArgumentError, match="is no file of tuned results"):
        weft.load_tuning(file)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "bowl has no space"),
        ({"space": {"z": [1]}}, "the tunable 'z' is no parameter of bowl"),
        ({"space": {"x": [1], "y": [1]}, "budget": 0}, "a budget of 0"),
        ({"space": {"x": [1], "y": [1]}, "evaluations": 1.5}, "1.5 evaluations"),
        ({"space": {"x": [1], "y": [1]}, "objective": "beauty"}, "there is no objective 'beauty'"),
        ({"space": {"x": [1], "y": [1]}, "strategy": "magic"}, "there is no strategy 'magic'"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(ArgumentError) as caught:
        weft.tune(bowl, **options)
    assert message in str(caught.value)


def test_what_cannot_be_imported_is_not_run_elsewhere():
    with pytest.raises(ArgumentError, match="it has no name in a module that can be imported"):
        weft.tune(lambda x: x, space={"x": [1]}, isolate=True)


def test_messages_arrive_as_they_were_sent():
    stream = io.BytesIO()
    message = {"a": np.arange(6).reshape(2, 3), "b": [1, 2.5, None, "x"], "c": {"d": np.float32(3)}, "e": True}
    send(stream, message)
    stream.seek(0)
    found = receive(stream)
    assert found["a"].tolist() == message["a"].tolist() and found["b"] == message["b"] and found["e"] is True
    assert found["c"]["d"] == 3 and found["c"]["d"].dtype == np.float32


@pytest.mark.parametrize("cut", [3, 20, -1])
def test_half_a_message_is_found_out(cut):
    stream = io.BytesIO()
    send(stream, {"a": np.arange(6)})
    with pytest.raises(BrokenError):
        receive(io.BytesIO(stream.getvalue()[:cut]))


def test_messages_hold_no_objects_that_run_code():
    with pytest.raises(ValueError, match="pickle"):
        send(io.BytesIO(), {"a": np.array([print], object)})


@pytest.mark.parametrize(
    ("found", "wanted", "text"),
    [
        ([1.0, 2.0], [1.0, 2.0 + 1e-12], None),
        ([1.0, np.nan], [1.0, np.nan], None),
        ([1.0, np.inf], [1.0, np.inf], None),
        ([1.0, 2.0], [1.0, 2.1], "y[1] is 2.0 instead of 2.1, and 1 of 2 differ"),
        ([1.0, np.nan], [1.0, 2.0], "y[1] is nan instead of 2.0, and 1 of 2 differ"),
        ([1, 2], [1, 3], "y[1] is 2 instead of 3, and 1 of 2 differ"),
        ([1.0], [1.0, 2.0], "y has the shape (1,) instead of (2,)"),
    ],
)
def test_answers_are_compared(found, wanted, text):
    assert difference({"y": np.array(found)}, {"y": np.array(wanted)}) == text


def test_passes_that_are_left_out_are_passes():
    assert set(functions.SHAPES) <= pipeline.NAMES
