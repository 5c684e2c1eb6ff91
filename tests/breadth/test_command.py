"""The command of the breadth suite: halves, looks, peers, tables."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from benchmarks.breadth import __main__ as command
from benchmarks.breadth import peers, tables
from benchmarks.breadth.bounds import Bounds
from benchmarks.breadth.families import PROGRAMS
from benchmarks.breadth.measuring import _with_weft, _wrong, figure

SPEEDS = Bounds({1 << 20: 1e9, 1 << 30: 1e8}, {"float32": 1e9, "float64": 5e8})


def test_look_at_the_unseen_half_needs_a_reason(capsys):
    with pytest.raises(SystemExit):
        command.main(["--half", "unseen"])
    assert "needs --reason" in capsys.readouterr().err


def test_look_is_noted(tmp_path):
    page = tmp_path / "looks.md"
    options = command.parser_of_command().parse_args(["--half", "both", "--reason", "a release", "--family", "scans"])
    command.note_look(options, page)
    assert page.read_text().endswith("| cpu, medium, float64, scans | a release |\n")


def test_halves_are_apart():
    parser = command.parser_of_command()
    seen, unseen, both = (
        {program.name for program in command.selected(parser.parse_args(["--half", half]))}
        for half in ("seen", "unseen", "both")
    )
    assert not seen & unseen
    assert seen | unseen == both == set(PROGRAMS)


def test_programs_in_the_file_are_not_run_again(tmp_path, monkeypatch, capsys):
    file = tmp_path / "figures.json"
    monkeypatch.setattr(command.bounds, "measured", lambda device: SPEEDS)
    words = ["--program", "product", "--size", "tiny", "--cap", "0.01", "--json", str(file)]
    assert command.main(words) == 0
    assert json.loads(file.read_text())["figures"][0]["program"] == "product"
    assert "| product | seen |" in capsys.readouterr().out

    def refuse(device):
        raise AssertionError("measured again")

    monkeypatch.setattr(command.bounds, "measured", refuse)
    assert command.main(words) == 0


def test_bound_is_the_longer_of_both_times():
    product = PROGRAMS["product"]
    assert SPEEDS.seconds(product, "medium", "float64") == pytest.approx(2 * 512**3 / 5e8)
    star = PROGRAMS["star_5"]
    assert SPEEDS.seconds(star, "medium", "float64") == pytest.approx(2 * 2048**2 * 8 / 1e8)


def test_figure_has_all_spellings_and_numba():
    pytest.importorskip("numba")
    made = figure(PROGRAMS["star_5"], "tiny", "float32", "cpu", SPEEDS, 0.01)
    assert set(made.seconds) == {"numpy", "numba", "weft 0", "weft 1", "weft 2"}
    assert not made.wrong and not made.refused


def refused(*arguments):
    """What no compiled function may do."""
    return arguments[0].tobytes()


def test_refusal_is_noted_and_the_others_run():
    program = PROGRAMS["star_5"]
    program = dataclasses.replace(program, spellings=(program.spellings[0], refused, *program.spellings[2:]))
    made = figure(program, "tiny", "float32", "cpu", SPEEDS, 0.01)
    assert "UnsupportedError" in made.refused["weft 1"]
    assert "weft 0" in made.seconds


def test_wrong_answer_is_found():
    right, wrong = np.arange(4.0), np.array([0.0, 1.0, 2.0, 4.0])
    answers = {"numpy": (right,), "numba": (right.copy(),), "weft 0": (wrong,)}
    assert [name for name, _ in _wrong(PROGRAMS["star_5"], "float64", answers)] == ["weft 0"]


def test_inputs_are_put_back_for_programs_that_use_them_up():
    made = figure(PROGRAMS["cholesky_small"], "tiny", "float64", "cpu", SPEEDS, 0.05)
    assert {"weft 0", "weft 1"} <= set(made.seconds)  # the root of a negative number would have raised


@pytest.mark.opencl
def test_inputs_are_put_back_where_they_are():
    program = PROGRAMS["cholesky_small"]
    runner = _with_weft(program, 0, "opencl", program.inputs("tiny", "float64"))
    first = np.array(runner.call() or runner.arguments[0])
    runner.put_back()
    assert runner.arguments[0].where == ("opencl",)  # nothing is copied inside of the time
    np.testing.assert_array_equal(runner.arguments[0], runner.fresh[0])
    runner.call()
    np.testing.assert_array_equal(runner.arguments[0], first)


def test_numba_gets_prange_and_constants_of_the_arrays_type():
    pytest.importorskip("numba")
    program = PROGRAMS["star_5"]
    u, v = program.inputs("small", "float32")
    function = peers.numba_version(program, "float32")
    function(u, v)
    expected = program.whole(np, u, np.zeros_like(v))
    np.testing.assert_array_equal(v, expected)  # in float64 the last bits would differ
    assert function.targetoptions["parallel"]


def test_geometric_mean_leaves_out_what_is_unknown():
    assert tables.geometric_mean([2.0, math.nan, 8.0]) == pytest.approx(4.0)
    assert math.isnan(tables.geometric_mean([]))


def test_summary_counts_refused_and_wrong_spellings():
    one = {
        "program": "p", "family": "f", "half": "seen", "bound": 1.0,
        "seconds": {"weft 0": 2.0, "weft 1": 4.0, "numba": 6.0},
        "refused": {"numba": "no"}, "wrong": {"weft 2": "not as numpy"},
    }  # fmt: skip
    row = next(tables.summary_rows([one]))
    assert row == ("seen", "1", "3", "3", "0.5", "1", "0.5", "0.5", "0", "1")
