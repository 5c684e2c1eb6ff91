"""Several nests that run together, slab by slab: what crosses, what is computed twice, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import trace
from weft.ir.reference.simulated import SimulatedDevice
from weft.ir.visit import Names, rewrite, walk
from weft.plan.partition.chains import chain_of, link_of
from weft.plan.partition.slabs import piece_of
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array, copies, peak


def elementwise(x, y, z, w):
    n = len(x)
    for i in range(n):
        y[i] = x[i] * 2.0
    for i in range(n):
        z[i] = y[i] + x[i]
    for i in range(n):
        w[i] = z[i] * y[i]


def smoothed(x, y):
    n = len(x)
    t, s = np.empty(n), np.empty(n)
    for i in range(n):
        t[i] = x[i] * 2.0
    for i in range(1, n - 1):
        s[i] = t[i - 1] + t[i + 1]
    for i in range(3, n - 2):
        y[i] = s[i - 2] + s[i + 1] * x[i]


def in_place(x, y):
    n = len(x)
    for i in range(n):
        y[i] = y[i] + x[i]
    for i in range(n):
        y[i] = y[i] * y[i]
    for i in range(n):
        x[i] = y[i] - 1.0


def planes(u, v, w):
    rows, columns = u.shape
    for i in range(rows):
        for j in range(columns):
            v[i, j] = u[i, j] + 1.0
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            w[i, j] = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] * v[i, j + 1]


def written_twice(x, y, z):
    n = len(x)
    for i in range(n):
        y[i] = x[i] * 2.0
    for i in range(5, n - 5):
        y[i] = y[i] + x[i - 1]
    for i in range(2, n - 2):
        z[i] = y[i - 2] - y[i + 2]


def guarded(x, y, z):
    n = len(x)
    for i in range(n):
        if x[i] > 0.5:
            y[i] = x[i]
    for i in range(n):
        z[i] = y[i] * 3.0


def backwards_shift(x, y, z):
    n = len(x) - 4
    for i in range(n):
        y[i + 3] = x[i] + x[i + 4]
    for i in range(2, n - 2):
        z[i] = y[i + 1] + y[i + 4]


def squares(x, y):
    s = 0.0
    n = len(x)
    for i in range(n):
        y[i] = x[i] * 2.0
    for i in range(n):
        s += y[i] * x[i]
    return s


def with_a_table(x, table, y, z):
    n = len(x)
    for i in range(n):
        y[i] = x[i] * table[3]
    for i in range(n):
        z[i] = y[i] + table[0]


def vectors(*lengths):
    return [array(1000 + k)[:1000].copy() for k in range(lengths[0])]


def rows_from_zero(x, y, z):
    n = len(x) - 1
    for i in range(n):
        y[i] = x[i]
    for i in range(n):
        y[i + 1] = x[i] * 2.0


TOGETHER = {
    elementwise: lambda: vectors(4),
    smoothed: lambda: vectors(2),
    in_place: lambda: vectors(2),
    planes: lambda: [array(90, 11 + k)[:, :11].copy() for k in range(3)],
    written_twice: lambda: vectors(3),
    guarded: lambda: vectors(3),
    backwards_shift: lambda: vectors(3),
    rows_from_zero: lambda: vectors(3),
    with_a_table: lambda: [array(1000), array(5), array(1001)[:1000].copy(), np.zeros(1000)],
}


AS_WRITTEN = frozenset({"fusion", "inline_producers"})
"""What would make one nest of several, which could not be in slabs together then."""


def placed(function, arguments):
    return place(optimise(program_of(function, *arguments), AS_WRITTEN), DEVICE, slabs=True)


def run(function, arguments, memory):
    """Run a function in slabs on a device of so many bytes, against Python."""
    expected, got = copies(arguments), copies(arguments)
    program = placed(function, arguments).program
    result = function(*expected)
    found = trace(program, got, {DEVICE: SimulatedDevice(memory=memory)})
    assert found.error is None, found.error
    assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))
    if result is not None:
        np.testing.assert_allclose(found.results[0], result, rtol=1e-12)
    assert not found.held
    assert memory is None or peak(found) <= memory
    return found


def launches(found):
    return sum(step.kind == "launch" for step in found.steps)


def loops_together(placement):
    return [s for s in walk(placement.program.body) if isinstance(s, n.For) and s.label.endswith(".together")]


@pytest.mark.sample(2)
@pytest.mark.parametrize("function", TOGETHER)
def test_a_chain_is_proven_and_gives_the_answer_of_python(function):
    arguments = TOGETHER[function]()
    placement = placed(function, arguments)
    assert len(loops_together(placement)) == 1
    verify(placement.program)
    check_plan(placement.program)
    for memory in (9_000, 13_337, None):
        run(function, arguments, memory)


@pytest.mark.sample(0)
def test_sizes_at_which_a_nest_has_nothing_to_do():
    for size in (0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 30):
        for function in (smoothed, written_twice, elementwise):
            arguments = [a[:size].copy() for a in TOGETHER[function]()]
            for memory in (4_200, None):
                run(function, arguments, memory)


@pytest.mark.sample(1)
@pytest.mark.parametrize("memory", [6_000, 20_000])
def test_what_nests_hand_on_crosses_once_or_not_at_all(memory):
    found = run(elementwise, vectors(4), memory)
    assert found.copied_bytes == {("host", DEVICE): 8_000, (DEVICE, "host"): 24_000}
    assert launches(found) > 6
    found = run(smoothed, vectors(2), memory)
    slabs = launches(found) // 3
    assert slabs > 2
    assert found.copied_bytes[DEVICE, "host"] == 8 * 995
    assert found.copied_bytes["host", DEVICE] <= 8 * (1000 + 5 * slabs)


def test_an_array_that_is_needed_afterwards_goes_home():
    def needed(x, y):
        n = len(x)
        t = np.zeros(n)
        for i in range(n):
            t[i] = x[i] * 2.0
        for i in range(n):
            y[i] = t[i] + 1.0
        return t[n // 2]

    found = run(needed, vectors(2), 9_000)
    assert found.copied_bytes[DEVICE, "host"] == 16_000


@pytest.mark.sample(0)
def test_a_reduction_behind_other_nests_has_the_bits_that_it_has_in_memory(monkeypatch):
    monkeypatch.setattr("weft.plan.partition.reductions.CHUNK", 16)
    arguments = [array(3000), np.zeros(3000)]
    program = optimise(program_of(squares, *arguments), AS_WRITTEN)
    expected = trace(place(program, DEVICE).program, copies(arguments)).results
    made = place(program, DEVICE, slabs=True)
    assert loops_together(made)
    check_plan(made.program)
    for memory in (6_000, 11_111, None):
        found = trace(made.program, copies(arguments), {DEVICE: SimulatedDevice(memory=memory)})
        assert found.error is None and found.results == expected and not found.held
        assert found.copied_bytes["host", DEVICE] == 24_000
        assert memory is None or launches(found) > 4


def test_where_slabs_of_all_would_be_too_low_the_nests_run_one_by_one():
    arguments = [array(20, 100 + k)[:, :100].copy() for k in range(3)]
    assert launches(run(planes, arguments, 8_000)) == 2 * 20 - 2
    assert run(planes, arguments, 60_000).copied_bytes["host", DEVICE] <= 8 * 100 * 32


# ------------------------------------------------------------------------------------- what does not run together


def overwritten(x, y):
    n = len(x)
    for i in range(1, n - 1):
        y[i] = x[i - 1] + x[i + 1]
    for i in range(n):
        x[i] = y[i]


def borders_from_outside(x, y, z):
    n = len(x)
    for i in range(1, n - 1):
        y[i] = x[i] * 2.0
    for i in range(1, n - 1):
        z[i] = y[i - 1] + y[i + 1]


def other_rows(x, y, z):
    n = len(x) - 1
    for i in range(n):
        y[i] = x[i]
    for i in range(n):
        y[n - i] = x[i] * 2.0


def over_less(x, y):
    s = 0.0
    n = len(x)
    for i in range(n):
        y[i] = x[i] * 2.0
    for i in range(n - 3):
        s += y[i] * x[i]
    return s


def needs_the_sum(x, y):
    s = 0.0
    n = len(x)
    for i in range(n):
        s += x[i]
    for i in range(n):
        y[i] = x[i] - s
    return s


def all_of_it(x, y, z):
    n = len(x)
    for i in range(n):
        y[i] = x[i] * 2.0
    for i in range(n):
        z[i] = y[n - 1 - i] + y[0]


def nothing_shared(x, y, z, w):
    n = len(x)
    for i in range(n):
        y[i] = x[i]
    for i in range(n):
        w[i] = z[i]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "function",
    [overwritten, borders_from_outside, other_rows, over_less, needs_the_sum, all_of_it, nothing_shared],
)
def test_what_slabs_would_need_of_one_another_runs_one_by_one(function, monkeypatch):
    monkeypatch.setattr("weft.plan.partition.reductions.CHUNK", 16)
    arguments = vectors(function.__code__.co_argcount)
    placement = placed(function, arguments)
    assert not loops_together(placement)
    check_plan(placement.program)
    for memory in (25_000, None):
        run(function, [np.round(100.0 * a) for a in arguments], memory)


def links_of(function, arguments):
    from weft.analysis.access.access import table

    program = optimise(program_of(function, *arguments), AS_WRITTEN)
    names, known = Names.of(program), table(program)
    nests = [s for s in program.body.statements if isinstance(s, n.For)]
    return known, [link_of(known, nest, piece_of(program, nest, names)) for nest in nests]


def test_nests_before_a_stencil_run_on_the_rows_around():
    chain = chain_of(*links_of(smoothed, vectors(2)))
    assert [(link.before, link.after) for link in chain.links] == [(3, 2), (2, 1), (0, 0)]
    assert sorted(map(chain.around, chain.names)) == [(-3, 2), (-3, 2), (-2, 1), (0, 0)]
    assert [name.partition(".")[0] for name in chain.arriving] == ["x"]


def test_an_array_with_rows_that_nobody_computes_comes_from_the_host():
    chain = chain_of(*links_of(guarded, vectors(3)))
    assert {name.partition(".")[0] for name in chain.arriving} == {"x", "y"}


def test_a_slab_that_computes_too_few_rows_is_found_by_the_interpreter():
    """The referee of these tests sees what is missing: here the rows around, which one nest no longer computes."""
    arguments = vectors(2)
    program = placed(smoothed, arguments).program

    def narrow(statement):
        is_more = isinstance(statement, n.Let) and isinstance(statement.value, n.Binary) and statement.value.op == "sub"
        if not is_more or statement.value.right != n.Const(3):
            return statement
        return replace(statement, value=replace(statement.value, right=n.Const(0)))

    broken = replace(program, body=rewrite(program.body, narrow))
    expected, got = copies(arguments), copies(arguments)
    smoothed(*expected)
    found = trace(broken, got, {DEVICE: SimulatedDevice(memory=9_000)})
    assert found.error is not None or not np.array_equal(expected[1], got[1])
