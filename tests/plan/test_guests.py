"""Arrays that are on a device before a program starts and after it, on which the host works too: parts of them move."""

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.counting import DEVICE, counts_of, one_thread
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import trace
from weft.ir.visit import rewrite, walk
from weft.plan.place import place
from weft.plan.transfers.actions import actions_of
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise
from weft.tune import choice


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(choice, "candidates", one_thread)


def planned(function, *arguments):
    """The plan of a function whose arrays are all on the device."""
    program = program_of(function, *arguments)
    params = (replace(p, home=DEVICE) if isinstance(a, np.ndarray) else p for p, a in zip(program.params, arguments))
    program = optimise(
        replace(program, params=tuple(params)), frozenset({"split_by_sign"}), turns=False, blocks=True, rows=True
    )
    placed = place(program, DEVICE).program
    verify(placed)
    check_plan(placed)
    return placed


def counted(function, *arguments):
    """What a call moves; its arrays have to be on the device afterwards as CPython leaves them."""
    placed = planned(function, *arguments)
    expected = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    traced, raised = trace(placed, arguments), None
    try:
        function(*expected)
    except Exception as error:
        raised = error
    assert type(traced.error) is type(raised)
    for got, wanted in zip(arguments, expected):
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    return counts_of(traced.steps)


def numbers(size, seed=0):
    return np.random.default_rng(seed).random(size)


def first_then_all(x, y):
    s = x[0] - x[0]
    for i in range(x.shape[0]):
        y[i] = x[i] + s


def test_one_element_before_a_kernel_comes_home_alone():
    counts = counted(first_then_all, numbers(100), numbers(100))
    assert (counts.bytes_in, counts.bytes_out, counts.allocations) == (0, 8, 0)


def first_of_each_step(x, y, steps):
    s = 0.0
    for t in range(steps):
        for i in range(x.shape[0]):
            x[i] = x[i] * 0.5 + y[i]
        s += x[0]
    return s


def test_one_element_of_each_step_comes_home_alone():
    counts = counted(first_of_each_step, numbers(100), numbers(100), 5)
    assert counts.bytes_in == 0 and counts.bytes_out <= 6 * 8


def edges(u, v, steps):
    for t in range(steps):
        u[0] = u[1]
        u[u.shape[0] - 1] = u[u.shape[0] - 2]
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u


@pytest.mark.parametrize("size", [3, 4, 100])
def test_edges_that_the_host_sets_cross_and_nothing_else(size):
    counts = counted(edges, numbers(size), numbers(size, 1), 5)
    assert counts.bytes_in == 5 * 2 * 8 and counts.bytes_out <= 5 * 4 * 8


def rows(a, b, k):
    for j in range(a.shape[1]):
        a[k, j] = a[k, j] + 1.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = 2.0 * a[i, j]
    return b[k, 0]


def test_results_of_parts_come_home_as_boxes():
    counts = counted(rows, numbers((20, 30)), numbers((20, 30), 1), 7)
    assert counts.bytes_in == 0 and counts.bytes_out == 8


def stops_half_way(x, y, limit):
    x[0] = 5.0
    x[1] = x[2] + 1.0
    if x[0] > limit:
        raise ValueError("too large")
    for i in range(x.shape[0]):
        y[i] = x[i]
    y[3] = x[4]
    if y[5] > limit:
        raise ValueError("too large")


@pytest.mark.parametrize("limit", [0.0, 4.0, 100.0])
def test_what_the_host_wrote_is_on_the_device_when_the_program_raises(limit):
    counted(stops_half_way, numbers(50), numbers(50, 1), limit)


def stops_in_a_loop(x, y):
    for i in range(1, x.shape[0]):
        if x[i] > 0.97:
            raise ValueError("too large")
        x[i] = x[i] + x[i - 1] * x[i - 1] * 0.001
    for i in range(x.shape[0]):
        y[i] = x[i]


def test_iterations_before_an_exception_are_on_the_device():
    x = numbers(200) * 0.9
    x[150] = 2.0
    counted(stops_in_a_loop, x, numbers(200, 1))


def test_a_plan_that_does_not_send_what_the_host_wrote_is_refused():
    placed = planned(edges, numbers(9), numbers(9), 3)

    def without(block):
        kept = [s for s in block.statements if not (isinstance(s, n.Copy) and s.target == DEVICE)]
        for k, s in enumerate(kept):
            if isinstance(s, n.For):
                kept[k] = replace(s, body=without(s.body))
            elif isinstance(s, n.If):
                kept[k] = replace(s, then=without(s.then), orelse=without(s.orelse))
        return replace(block, statements=tuple(kept))

    with pytest.raises(InternalError, match="may be old in the memory 'cuda'"):
        check_plan(replace(placed, body=without(placed.body)))


def products(x):
    for i in range(1, 12):
        x[i] = x[i] * x[i - 1] * x[i - 1]
        if x[i] > 4.0:
            raise ValueError("too large")


def test_a_loop_of_the_host_that_raises_leaves_its_iterations_on_the_device():
    counted(products, np.full(20, 1.5))


def test_a_plan_that_notes_no_debts_is_found_when_it_raises():
    placed = planned(products, np.full(20, 1.5))
    silent = replace(placed, body=rewrite(placed.body, lambda s: replace(s, owed=False) if _is_debt(s) else s))
    with pytest.raises(InternalError, match="the program ends with older elements in cuda"):
        trace(silent, (np.full(20, 1.5),))


def _is_debt(statement):
    return isinstance(statement, n.Reserve) and statement.owed


def test_places_and_debts_survive_text_and_json():
    placed = planned(edges, numbers(9), numbers(9), 3)
    assert any(map(_is_debt, walk(placed.body)))
    assert [p.home for p in placed.params] == [DEVICE, DEVICE, "host"]
    assert to_text(parse(to_text(placed))) == to_text(placed)
    assert to_json(from_json(to_json(placed))) == to_json(placed)


def test_actions_name_the_lines_of_the_host():
    placed = planned(edges, numbers(9), numbers(9), 3)
    line = edges.__code__.co_firstlineno
    copies = [a for a in actions_of(placed, placed) if a.kind in ("copy_in", "copy_out")]
    assert {a.kind for a in copies} == {"copy_in", "copy_out"}
    assert all(a.bytes == "8" and set(a.causes) <= set(range(line, line + 8)) and a.causes for a in copies)


def shared(x, y, flag):
    a = x if flag else y
    a[0] = 1.0
    for i in range(x.shape[0]):
        x[i] = a[i] + 1.0


def test_arrays_of_which_nobody_knows_which_one_it_is_come_home_whole():
    placed = planned(shared, numbers(9), numbers(9), True)
    assert {p.home for p in placed.params} == {"host"}


def host_that_swaps(x, y, steps):
    for i in range(x.shape[0]):
        y[i] = x[i] * 0.5
    x[0] = 3.0
    for t in range(steps):
        for i in range(1, x.shape[0]):
            x[i] = 0.5 / (1.0 + x[i - 1] * x[i - 1]) + y[i]
        x, y = y, x
    if x[1] > 2.0:
        raise ValueError("large")
    for i in range(x.shape[0]):
        x[i] = x[i] + y[i]
    return x


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_arrays_that_a_loop_of_the_host_swaps_stay_where_they_are_at_home(steps, scale):
    x, y = scale * numbers(50), scale * numbers(50, 1)
    freed = [s for s in walk(planned(host_that_swaps, x, y, steps).body) if isinstance(s, n.Free)]
    assert not freed
    assert counted(host_that_swaps, x, y, steps).allocations == 0


def only_the_host(x, y, steps):
    x[0] = 3.0
    for t in range(steps):
        for i in range(1, x.shape[0]):
            x[i] = 0.5 / (1.0 + x[i - 1] * x[i - 1]) + y[i]
        x, y = y, x
    return x


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_what_the_host_set_before_it_swaps_arrives(steps):
    counted(only_the_host, numbers(50), numbers(50, 1), steps)
