"""`weft.predict`: what it says, that it runs nothing, and how it refuses."""

from __future__ import annotations

import dataclasses
import json
import math
import warnings

import numpy as np
import pytest

import weft
from weft.cost import machine_file
from weft.cost.figures import Residual
from weft.cost.work import KINDS
from weft.runtime import machines


def added(u, v, w):
    for i in range(u.shape[0]):
        w[i] = u[i] + v[i]


def heat(u, v, steps):
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def collatz(numbers, steps):
    for i in range(numbers.shape[0]):
        x = numbers[i]
        count = 0
        while x > 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            count += 1
        steps[i] = count


ROUNDS = f"line {collatz.__code__.co_firstlineno + 4}"


def vectors(size, dtype="f4"):
    return (weft.spec(size, dtype),) * 3


def test_nothing_is_run():
    u, v, w = (np.full(100, k, "f4") for k in (1, 2, 0))
    weft.predict(added, u, v, w)
    assert (w == 0).all()


def test_a_second_prediction_takes_the_program_as_it_is_laid_out(monkeypatch):
    from weft.transform import pipeline

    def doubled(u, v):
        for i in range(u.shape[0]):
            v[i] = 2 * u[i]

    compiled = weft.jit(doubled)
    first = weft.predict(compiled, *vectors(1000)[:2], device="cpu")
    monkeypatch.setattr(pipeline, "for_cpu", lambda *args, **kwargs: pytest.fail("laid out again"))
    assert weft.predict(compiled, *vectors(1000)[:2], device="cpu").seconds == first.seconds
    assert weft.predict(compiled, *vectors(2000)[:2], device="cpu").seconds > first.seconds


def test_more_work_takes_longer():
    times = [weft.predict(added, *vectors(size), device="cpu").seconds for size in (1 << 10, 1 << 16, 1 << 22, 1 << 26)]
    assert times == sorted(times)
    assert times[-1] > 100 * times[0]


def test_steps_of_a_time_loop_add_up():
    u = weft.spec((2048, 2048), "f4")
    once, often = (weft.predict(heat, u, u, steps, device="cpu").seconds for steps in (10, 100))
    assert often / once == pytest.approx(10, rel=0.05)


def test_the_parts_are_named_and_the_interval_holds_the_time():
    found = weft.predict(heat, weft.spec((4096, 4096), "f4"), weft.spec((4096, 4096), "f4"), 3, device="cpu")
    assert {"call", "loop", "memory"} == {part.what for part in found.parts}
    assert {part.count for part in found.parts if part.what == "memory"} == {3}
    assert found.interval[0] < found.seconds < found.interval[1]
    assert found.bound == "DRAM bandwidth"
    assert found.memory == 2 * 4 * 4096**2


def test_a_small_call_is_bound_by_its_launch():
    assert weft.predict(added, *vectors(8), device="cpu").bound == "launch"


def test_it_prints_a_table():
    text = str(weft.predict(added, *vectors(1000), device="cpu"))
    assert text.startswith("added on cpu: ")
    assert "bound by launch" in text
    assert "memory: 11.7 KiB at most" in text


def test_in_a_notebook_each_part_has_a_bar():
    html = weft.predict(added, *vectors(1000), device="cpu")._repr_html_()
    assert html.count("<div style") == html.count("<tr>") - 1
    assert "added on cpu" in html


def test_json_has_all_of_it():
    data = json.loads(weft.predict(added, *vectors(1000), device="cpu").to_json())
    assert data["device"] == "cpu"
    assert data["interval"][0] < data["seconds"] < data["interval"][1]
    assert data["devices"][0]["parts"][0]["what"] == "call"


def test_a_device_that_was_not_predicted():
    found = weft.predict(added, *vectors(1000), device="cpu")
    assert found["cpu"].seconds == found.seconds
    with pytest.raises(weft.ArgumentError, match="nothing was predicted for 'tpu'"):
        found["tpu"]


def test_the_number_of_rounds_that_data_decide_is_assumed_and_said():
    found = weft.predict(collatz, weft.spec(1000, "i8"), weft.spec(1000, "i8"), device="cpu")
    assert any(text.startswith(f"{ROUNDS}: the loop runs 16 times") for text in found.assumptions)
    assert f"assumed: {ROUNDS}" in str(found)


def test_trips_say_how_often_a_loop_runs():
    given = weft.spec(1 << 16, "i8"), weft.spec(1 << 16, "i8")
    few, many = (weft.predict(collatz, *given, device="cpu", trips={ROUNDS: trips}) for trips in (10, 100))
    assert many.seconds / few.seconds == pytest.approx(10, rel=0.2)
    assert f"{ROUNDS}: the loop runs 100 times, as was said" in many.assumptions


def test_elements_at_hand_say_how_often_a_condition_holds():
    def kept(u, v):
        for i in range(u.shape[0]):
            if u[i] > 0.5:  # a branch: where lanes compute both sides, the condition costs nothing
                v[i] = math.exp(u[i % 7])

    zeros, ones = np.zeros(4096, "f4"), np.ones(4096, "f4")
    never, always = (weft.predict(kept, u, zeros, device="cpu") for u in (zeros, ones))
    assert never.seconds < always.seconds
    assert not never.assumptions
    assert weft.predict(kept, weft.spec(4096, "f4"), zeros, device="cpu").assumptions == (
        f"line {kept.__code__.co_firstlineno + 2}: the condition holds in half of the iterations",
    )


def test_compiling_counts_until_it_is_done(own_store):
    def tripled(u):
        for i in range(u.shape[0]):
            u[i] = 3 * u[i] + 0.125

    u = np.ones(10)
    compiled = weft.jit(tripled, device="cpu")
    assert weft.predict(compiled, u).compile_seconds > 0
    compiled(u)
    assert weft.predict(compiled, u).compile_seconds == 0


def test_estimates_are_marked_and_their_intervals_are_three_times_as_wide():
    estimated = machines.here().cpu
    estimated = dataclasses.replace(estimated, date="", residuals={"memory": Residual(-0.1, 0.2)})
    measured = dataclasses.replace(estimated, date="2025-01-01")
    assert np.log(measured.interval(1.0, "memory")) == pytest.approx([-0.1, 0.2])
    assert np.log(estimated.interval(1.0, "memory")) == pytest.approx([-0.3, 0.6])
    assert weft.predict(added, *vectors(10), device="cpu")["cpu"].basis.startswith("estimates")


# ------------------------------------------------------------------------------------------------------- refusals


def test_a_stand_in_needs_a_dtype():
    with pytest.raises(weft.ArgumentError, match="a stand-in needs a dtype: how long a call takes depends on it"):
        weft.spec((10, 10))


@pytest.mark.parametrize("shape", [(-1,), ("ten",), (1.5, 2)])
def test_a_stand_in_needs_a_shape(shape):
    with pytest.raises(weft.ArgumentError, match="is no shape"):
        weft.spec(shape, "f4")


def test_a_dtype_that_is_none():
    with pytest.raises(weft.ArgumentError, match="'floaty' is no dtype"):
        weft.spec(3, "floaty")


def test_a_stand_in_is_as_large_as_one_likes():
    assert weft.predict(added, *vectors(1 << 34), device="cpu").memory == 3 * 4 << 34


def test_what_is_refused_at_the_call_is_refused_in_the_same_words():
    def opened(u):
        with open("x"):
            u[0] = 1

    u = np.ones(3)
    with pytest.raises(weft.Error) as at_call:
        weft.jit(opened, device="cpu")(u)
    with pytest.raises(type(at_call.value)) as predicted:
        weft.predict(opened, u)
    assert str(predicted.value) == str(at_call.value)


@pytest.mark.parametrize("trips", [{"12": 4}, {"line 3": -1}, {"loop x": 4}])
def test_trips_name_lines(trips):
    with pytest.raises(weft.ArgumentError, match="trips has") as refused:
        weft.predict(added, *vectors(10), trips=trips)
    assert 'Instead: trips={"line 12": 40}' in str(refused.value)


@pytest.fixture
def machine(tmp_path):
    """A machine file of this machine, as if it had been measured."""
    own = machines.here()
    found = dataclasses.replace(own, name="other", cpu=dataclasses.replace(own.cpu, date="2025-01-01"))
    path = tmp_path / "machine.json"
    machine_file.save(found, path)
    return path


def changed(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return str(path)


def test_a_machine_file_predicts_for_its_machine(machine):
    slower = changed(machine, lambda data: data["cpu"]["values"].update(call=1e6))
    found = weft.predict(added, *vectors(10), device="cpu", machine=slower)
    assert found.seconds == pytest.approx(1e-3, rel=0.1)
    assert found.machine == "other"


def test_a_machine_file_of_another_version(machine):
    path = changed(machine, lambda data: data.update(version=7))
    with pytest.raises(weft.ArgumentError, match="is a machine file of version 7") as refused:
        weft.predict(added, *vectors(10), machine=path)
    assert "this Weft reads version 1" in str(refused.value)


def test_a_machine_file_of_another_driver_is_a_warning(machine):
    path = changed(machine, lambda data: data["cpu"].update(driver="64 cores, compiler old"))
    with pytest.warns(weft.WeftWarning, match="W010.*was measured under 64 cores, compiler old"):
        weft.predict(added, *vectors(10), device="cpu", machine=path)


def test_and_with_strict_it_is_refused(machine):
    path = changed(machine, lambda data: data["cpu"].update(driver="64 cores, compiler old"))
    with pytest.raises(weft.ArgumentError, match="was measured under 64 cores, compiler old") as refused:
        weft.predict(added, *vectors(10), device="cpu", machine=path, strict=True)
    assert "strict=True refuses figures of another driver" in str(refused.value)


def test_strict_refuses_estimates():
    with pytest.raises(weft.ArgumentError, match="there are no measured figures of this processor"):
        weft.predict(added, *vectors(10), device="cpu", strict=True)


@pytest.mark.parametrize("text", ["{}", "no json", '{"format": "weft machine", "version": 1}'])
def test_what_is_no_machine_file(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(weft.ArgumentError, match="is no machine file|is damaged"):
        weft.predict(added, *vectors(10), machine=str(path))


def test_a_machine_file_that_is_not_there(tmp_path):
    with pytest.raises(weft.ArgumentError, match="cannot be read: No such file"):
        weft.predict(added, *vectors(10), machine=str(tmp_path / "none.json"))


def with_gpu(data):
    """Adds a device whose figures are known."""
    curve = [[256.0, 1e-5], [1e9, 1e-3]]
    data["devices"]["cuda"] = {
        "device": "cuda", "description": "a GPU", "driver": "1", "date": "2025-01-01", "call": 1e-5, "memory": curve,
        "arithmetic": curve, "costs": dict.fromkeys(KINDS, 1.0),
        "sequential": 1e-9, "capacity": 1 << 20, "copies": None, "is_processor": False, "chained": [], "neighbours": [],
    }  # fmt: skip


def test_other_devices_of_a_machine_file_are_predicted(machine):
    path = changed(machine, with_gpu)
    found = weft.predict(added, *vectors(1000), machine=path)
    assert [each.device for each in found.devices] == ["cpu", "cuda"]
    assert found["cuda"].basis.startswith("estimates of a model without strides")


def test_more_memory_than_the_device_has(machine):
    path = changed(machine, with_gpu)
    with pytest.raises(weft.OutOfMemoryError, match="added needs more memory than cuda has") as refused:
        weft.predict(added, *vectors(1 << 20), machine=path, device="cuda")
    assert "its largest arrays: u 4.0 MiB, v 4.0 MiB, w 4.0 MiB" in str(refused.value)


def test_a_device_without_figures():
    with pytest.raises(weft.DeviceError, match="there are no figures of 'cuda:7'") as refused:
        weft.predict(added, *vectors(10), device="cuda:7")
    assert "weft calibrate --device cuda:7" in str(refused.value)


def test_no_warning_without_a_reason():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weft.predict(added, *vectors(10))


def test_explain_says_what_is_predicted_where_figures_were_measured(monkeypatch):
    assert not weft.explain(added, *(np.ones(100, "f4") for _ in range(3))).notes
    own = machines.here()
    measured = dataclasses.replace(own, cpu=dataclasses.replace(own.cpu, date="2025-01-01"))
    monkeypatch.setattr(machines, "here", lambda: measured)
    (note,) = weft.explain(added, *(np.ones(100, "f4") for _ in range(3))).notes
    assert note.startswith("predicted: ") and "bound by launch; measured on 2025-01-01" in note
