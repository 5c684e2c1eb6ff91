"""`weft.explain`: every loop with its verdict and reason, every access, what runs where."""

from __future__ import annotations

import numpy as np
import pytest

import weft


def heat(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


def gather(a, p, out):
    total = 0.0
    for k in range(len(p)):
        out[k] = a[p[k]]
    for k in range(1, len(out)):
        out[k] = out[k - 1] * out[k - 1] * a[k] + 1.0
    for k in range(len(out)):
        total += out[k]
    return total


@pytest.fixture(scope="module")
def report():
    a = np.ones((8, 8))
    return weft.explain(heat, a, a.copy(), 3)


@pytest.fixture(scope="module")
def indirect():
    return weft.explain(gather, np.ones(8), np.zeros(8, np.int64), np.zeros(8))


def line_of(function, offset):
    return function.__code__.co_firstlineno + offset


def test_every_loop_has_line_variable_and_verdict(report):
    assert [(loop.variable, loop.line, loop.verdict) for loop in report.loops] == [
        ("t", line_of(heat, 1), "sequential"),
        ("i", line_of(heat, 2), "parallel"),
        ("j", line_of(heat, 3), "parallel"),
    ]
    assert all(loop.reason for loop in report.loops)


def test_accesses_say_how_they_are_indexed(report):
    assert {(a.array, a.mode, a.kind) for a in report.accesses} == {("u", "reads", "affine"), ("v", "writes", "affine")}
    assert all(a.line == line_of(heat, 4) for a in report.accesses)


def test_placement_says_what_runs_on_threads(report):
    assert {(p.line, p.device) for p in report.placement} >= {(line_of(heat, 2), "cpu")}
    (threads,) = [p for p in report.placement if p.reason == "on threads"]
    assert threads.line == line_of(heat, 2)


def numbers_of_cells(x, cell, counts, k):
    for i in range(len(x)):
        cell[i] = min(int(x[i] * k), k - 1)
        counts[cell[i]] += 1


def test_placement_says_what_one_thread_runs():
    """Counts of later iterations would have to be taken back where a number of a cell is outside."""
    x, cell, counts = np.linspace(0, 1, 9), np.zeros(9, int), np.zeros(4, int)
    (placed,) = weft.explain(numbers_of_cells, x, cell, counts, 4).placement
    assert placed.reason.startswith("on one thread")


def test_indirect_access_and_reduction(indirect):
    assert [loop.verdict for loop in indirect.loops] == ["parallel", "sequential", "reduction"]
    assert "indirect" in {a.kind for a in indirect.accesses}


def test_sequential_loop_names_the_two_accesses(indirect):
    reason = indirect.loops[1].reason
    assert reason.count(f"line {line_of(gather, 5)}") == 2, reason


def test_text_fits_a_terminal_of_100_columns(report, indirect):
    for shown in (str(report), str(indirect)):
        assert max(map(len, shown.splitlines())) <= 100
        assert "verdict" in shown and "What runs where" in shown
    assert "[i - 1, j]" in str(report)


def test_notebook_gets_a_table(report):
    html = report._repr_html_()
    assert html.count("<table>") == 3
    assert "<td>parallel</td>" in html


def test_text_is_escaped_in_html():
    shown = weft.explain(lambda a: a[0] if len(a) > 0 and a[0] < 5 else 0.0, np.ones(3))
    assert "<lambda>" not in shown._repr_html_()


def test_nothing_is_run():
    a = np.zeros((8, 8))
    weft.explain(heat, a, np.ones((8, 8)), 3)
    assert not a.any()


def test_compiled_function_is_explained_for_its_device():
    a = np.ones((4, 4))
    assert weft.explain(weft.jit(heat, device="interpreter"), a, a.copy(), 1).device == "interpreter"


def test_parallel_for_body_errors_are_those_of_compilation():
    with pytest.raises(weft.Error):
        weft.explain(lambda a: {a: 1}, np.ones(3))


def verdict_of(function, *args):
    (loop,) = weft.explain(function, *args).loops
    return loop.verdict, loop.reason


def test_a_claim_that_a_replay_decides_is_checked():
    def late(x, a, k):
        for i in weft.prange(len(x)):
            a[i] = x[i]
            if i == k:
                a[0] = 1.0

    verdict, reason = verdict_of(late, np.ones(4), np.ones(4), 2)
    assert verdict == "checked"
    assert "RaceError" in reason


def test_a_claim_that_nothing_can_check_is_sequential():
    def follow(p, x):
        for i in weft.prange(len(p)):
            p[p[i]] = x[i]

    verdict, reason = verdict_of(follow, np.arange(3), np.arange(3))
    assert verdict == "sequential"
    assert "weft.assume_independent" in reason


def test_a_loop_that_is_split_is_as_good_as_its_worst_part():
    def split(a, x, w):
        for i in range(1, a.shape[0]):
            x[i] = np.exp(w[i])
            a[i] = a[i - 1] * a[i - 1] + w[i]

    verdict, reason = verdict_of(split, np.ones(9), np.ones(9), np.ones(9))
    assert verdict == "sequential"
    assert "a[i - 1]" in reason
