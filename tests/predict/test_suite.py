"""The suite, the fit, the random programs, the evaluation, and the shell commands."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import weft
from weft.cli import main
from weft.cost import fitting, model
from weft.cost.figures import Rates, estimates
from weft.cost.fitting import Point
from weft.evaluation import calibrating
from weft.evaluation.calibrating import Measured, check_quiet
from weft.evaluation.evaluate import Evaluation, evaluate
from weft.evaluation.statistics import Sample, competitors, summary
from weft.machine import suite
from weft.machine.suite import FAMILIES
from weft.machine.suite.programs import LIMITS, SIZES, generate, programs
from weft.report.predict import demand_for
from weft.runtime import machines

KERNELS = [kernel for family in FAMILIES.values() for kernel in family]


@pytest.fixture
def own_figures(monkeypatch):
    """Keeps what is stored out of other tests."""
    kept = []
    monkeypatch.setattr(machines, "keep", kept.append)
    return kept


# --------------------------------------------------------------------------------------------------------- suite


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_every_program_of_the_suite_runs_and_has_a_demand(kernel):
    arguments = kernel.arguments(min(kernel.sizes))
    weft.jit(kernel.function, device="cpu")(*arguments)
    demand, leaves = demand_for(kernel.function, *kernel.arguments(min(kernel.sizes)))
    figures = estimates()
    assert model.nanoseconds(model.amounts(demand, figures.hierarchy()), Rates(figures), leaves) > 0


def test_the_suite_measures_every_kind_that_issue_and_memory_have():
    names = set()
    for kernel in KERNELS:
        for size in kernel.sizes[-1:]:
            demand, leaves = demand_for(kernel.function, *kernel.arguments(min(size, 1 << 16)))
            names.update(fitting.names_in([Point("", model.amounts(demand, estimates().hierarchy()), leaves, 1.0)]))
    for name in (
        "s.remainder64",
        "v.division32",
        "v.exp64",
        "v.sqrt32",
        "v.float64",
        "c.float64",
        "s.update",
        "s.fill",
        "nest",
    ):
        assert name in names, sorted(names)


def points_of(figures):
    """Programs with the times that some figures give."""
    found = []
    for kernel in KERNELS[:14]:
        for size in (256, 4096, 65536):
            demand, leaves = demand_for(kernel.function, *kernel.arguments(size))
            amounts = model.amounts(demand, estimates().hierarchy())
            found.append(Point(kernel.name, amounts, leaves, model.nanoseconds(amounts, Rates(figures), leaves)))
    return found


def test_the_fit_finds_a_machine_with_made_up_figures():
    truth = dataclasses.replace(
        estimates(),
        values={name: value * (1.7 if name != "overlap" else 1.0) for name, value in estimates().values.items()},
    )
    points = points_of(truth)
    start = Rates(estimates())
    values = fitting.fit(points, {name: start[name] for name in fitting.names_in(points)})
    fitted = Rates(dataclasses.replace(estimates(), values={**estimates().values, **values}))
    for point in points:
        assert model.nanoseconds(point.amounts, fitted, point.arguments) == pytest.approx(point.nanoseconds, rel=0.1)


def test_figures_that_nothing_measures_keep_their_start():
    points = points_of(estimates())
    names = fitting.names_in(points)
    start = {name: Rates(estimates())[name] for name in names}
    values = fitting.fit(points, start)
    assert values["call"] == pytest.approx(start["call"], rel=0.05)


def test_figures_come_back_from_json():
    figures = estimates()
    assert type(figures).from_data(json.loads(json.dumps(figures.to_data()))) == figures


def test_a_short_calibration(own_figures, monkeypatch):
    monkeypatch.setattr(calibrating, "FAMILIES", {"launches": FAMILIES["launches"][:5]})
    figures = calibrating.calibrate(60, anyway=True, mixtures=0)
    assert own_figures == [figures]
    assert figures.measured and figures.date
    assert 50 < figures.values["call"] < 1e5
    assert figures.residuals and set(figures.residuals) <= {"call", "computing", "memory"}


def measured(name, *times):
    return Measured(name, Point(name, [], 0, 0.0), lambda: lambda: None, list(times))


def test_a_busy_machine_is_refused_with_the_reason():
    quiet = [measured(f"quiet{k}", 1.0, 1.01) for k in range(4)]
    check_quiet(quiet, 0.1, 2)
    with pytest.raises(weft.DeviceError) as refused:
        check_quiet([*quiet, measured("division32", 1.0, 9.0)], 4.2, 2)
    text = str(refused.value)
    assert text.startswith("the machine is busy: load 4.2 on 2 cores; two runs of division32 differ by 9 x")
    assert "nothing was stored" in text


def test_nothing_is_measured_where_others_take_the_processor():
    calibrating.check_free(0.97, 4.2, 2)
    with pytest.raises(weft.DeviceError) as refused:
        calibrating.check_free(0.61, 4.2, 2)
    text = str(refused.value)
    assert text.startswith("the machine is busy: load 4.2 on 2 cores; a computing thread gets 61% of a core")
    assert "nothing was measured" in text


def test_figures_that_do_not_repeat_are_refused():
    points = points_of(estimates())
    rounds = [Measured(p.name, p, lambda: None, [1e-9 * p.nanoseconds] * 2) for p in points]
    calibrating.check_repeats(rounds, estimates(), 2)
    for each in rounds:
        each.times[1] *= 1.2
    with pytest.raises(weft.DeviceError, match="predictions by the figures of two rounds differ by"):
        calibrating.check_repeats(rounds, estimates(), 2)


def test_what_was_repeated_counts_with_its_two_least_times():
    assert measured("again", 1.0, 9.0, 1.05).disagreement == pytest.approx(0.05)


# ---------------------------------------------------------------------------------------------- random programs


def test_a_name_fixes_its_program():
    assert generate("restricted", 7) == generate("restricted", 7)
    assert len({program.source for program in programs("restricted", 40)}) > 35


def test_half_of_the_programs_may_be_seen():
    seen = [program.is_seen for program in programs("unrestricted", 200)]
    assert 70 < sum(seen) < 130


def test_the_sets_keep_their_limits():
    for program in programs("restricted", 100):
        assert "/" not in program.source
    assert any("/" in program.source for program in programs("unrestricted", 30))
    assert LIMITS["restricted"].most == 6 and LIMITS["unrestricted"].most == 50
    assert len(SIZES) == 17 and (SIZES[0], SIZES[-1]) == (2**8, 2**24)


def test_all_forms_occur():
    assert {program.form for program in programs("restricted", 80)} == {
        "map1", "map2", "map3", "guarded", "nested", "reduce", "filter",
    }  # fmt: skip


@pytest.mark.parametrize("number", range(8))
def test_programs_give_what_python_gives(number):
    program = generate("restricted", number)
    expected, given = program.arguments(256), program.arguments(256)
    function = program.function()
    with np.errstate(all="ignore"):
        result = function(*expected)
        found = weft.jit(function, device="cpu")(*given)
    for one, other in zip(expected, given, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)
    if result is not None:
        assert found == pytest.approx(result, rel=1e-3)


# ---------------------------------------------------------------------------------------------------- evaluation


def samples(quotients, seen=lambda k: k % 2 == 0):
    return [
        Sample(f"p{k}", "map1", 1000, seen(k), q * 1e-6, 0.8e-6, 1.3e-6, 1e-6, (4000.0, 1000.0, 1000.0))
        for k, q in enumerate(quotients)
    ]


def test_the_summary_counts_what_is_near():
    found = summary(samples([0.5, 0.9, 1.0, 1.1, 3.0]))
    assert found.median == 1.0
    assert found.near == pytest.approx(0.6)
    assert found.twice == pytest.approx(0.8)
    assert found.inside == 1.0


def test_competitors_are_tuned_on_what_may_be_seen():
    assert competitors(samples([1.0] * 10)) == {
        "a constant for each element": 1.0, "a roofline": 1.0, "four constants": 1.0,
    }  # fmt: skip
    assert competitors(samples([1.0] * 4, seen=lambda k: True)) == {}


def test_an_evaluation_predicts_and_measures():
    found = evaluate("restricted", 3, (256, 4096))
    assert len(found.samples) == 6 and not found.refused
    assert all(sample.measured > 0 and sample.predicted > 0 for sample in found.samples)


def test_an_evaluation_is_saved(tmp_path):
    found = Evaluation("restricted", tuple(samples([1.0, 1.2, 0.9])), (), 0.5, 1)
    found.save(tmp_path / "x.json")
    data = json.loads((tmp_path / "x.json").read_text())
    assert data["halves"]["unseen"]["count"] == 1
    assert len(data["samples"]) == 3


# ------------------------------------------------------------------------------------------------------ commands


MODULE = """
def added(u, v, steps):
    for _ in range(steps):
        for i in range(u.shape[0]):
            v[i] = u[i] + 1
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "adding_for_prediction.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return "adding_for_prediction:added"


def test_weft_predict(module, capsys):
    given = ["--arg", "u=1000:f4", "--arg", "v=1000:f4", "--arg", "steps=10", "--device", "cpu"]
    assert main(["predict", module, *given]) == 0
    assert "added on cpu: " in capsys.readouterr().out
    assert main(["predict", module, *given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["function"] == "added"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["u=1000"], "missing a required argument"),
        (["u=10x10"], "--arg u=10x10 has no dtype"),
        (["u=10xy:f4"], "--arg u=10xy:f4 is no shape"),
        (["u"], "--arg u has no value"),
    ],
)
def test_weft_predict_says_what_is_wrong(module, capsys, arguments, text):
    given = [part for argument in arguments for part in ("--arg", argument)]
    assert main(["predict", module, *given]) == 1
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nothing", "no_such_module_of_anybody:f", "math:no_such_function"])
def test_weft_predict_needs_a_function(name, capsys):
    assert main(["predict", name]) == 1
    assert repr(name) in capsys.readouterr().err


def test_weft_evaluate(capsys, tmp_path):
    assert (
        main(["evaluate", "--programs", "2", "--set", "restricted", "--largest", "512", "--save", str(tmp_path)]) == 0
    )
    assert "predicted / measured" in capsys.readouterr().out
    assert (tmp_path / "restricted.json").exists()


def test_weft_calibrate_saves_a_machine_file(capsys, tmp_path, own_figures, monkeypatch):
    monkeypatch.setattr(calibrating, "FAMILIES", {"launches": FAMILIES["launches"][:4]})
    monkeypatch.setattr(calibrating, "MIXTURES", 0)
    path = tmp_path / "machine.json"
    assert main(["calibrate", "--seconds", "5", "--anyway", "--save", str(path)]) == 0
    assert "nanoseconds" in capsys.readouterr().out
    found = weft.predict(KERNELS[2].function, *[weft.spec(1000, "f4")] * 3, machine=str(path), device="cpu")
    assert found.seconds > 0


def test_no_loop_of_the_suites_is_written_twice():
    folder = Path(suite.__file__).parents[1]
    found = Counter()
    for path in (*folder.glob("suite/*.py"), *folder.glob("device_suite/*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                statements = node.body[1:] if ast.get_docstring(node) else node.body
                found[ast.unparse(node.args), "\n".join(map(ast.unparse, statements))] += 1
    assert [text for text, times in found.items() if times > 1] == []
