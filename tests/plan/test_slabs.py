"""Kernels run slab by slab: what a piece touches, and programs whose arrays are larger than the device."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from tests.acceptance.test_programs import check_arrays, check_exception, check_result
from tests.frontend.compare import program_of
from weft.analysis.values.linear import Form, constant
from weft.errors import InternalError, OutOfMemoryError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import trace
from weft.ir.reference.machine import Machine
from weft.ir.reference.shadow import address_of
from weft.ir.reference.simulated import SimulatedDevice, Simulation
from weft.ir.visit import Names, rewrite, walk
from weft.plan.partition import slabs
from weft.plan.partition.slabs import Uncut, piece_of, with_bounds
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise

from .simulated import DEVICE, Simulated

GOLDEN = Path(__file__).parents[1] / "golden" / "slabs"


def saxpy(a, x, y):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]


def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def backwards(x, y):
    for i in range(len(x)):
        y[len(x) - 1 - i] = x[i]


def every_other(x, y):
    for i in range(len(y) // 2):
        y[2 * i + 1] = x[2 * i] + x[i]


def columns(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[j, i] = a[i, j]


def rows_by_columns(a, b):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[i, j] = a[i, j] * 2.0


def with_table(x, table, y):
    for i in range(len(x)):
        y[i] = x[i] * table[3] + table[0]


def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(u.shape[1]):
                v[i, j] = 0.5 * (u[i - 1, j] + u[i + 1, j])
        u, v = v, u
    return u


def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


def array(*shape):
    return np.random.default_rng(sum(shape)).random(shape)


CASES = {
    saxpy: lambda: (2.0, array(40), array(41)[:40].copy()),
    stencil: lambda: (array(13, 7), array(7, 13).reshape(13, 7)),
    backwards: lambda: (array(30), np.zeros(30)),
    every_other: lambda: (array(30), np.zeros(30)),
    rows_by_columns: lambda: (array(6, 9), np.zeros((6, 9))),
    with_table: lambda: (array(30), array(5), np.zeros(30)),
}


def copies(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


# --------------------------------------------------------------------------------------------- what a piece touches


def nest_of(program):
    return next(s for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "parallel")


def touched(program, values, monkeypatch):
    """The elements that a program reads and writes, by parameter."""
    found: dict[str, dict[str, set[tuple[int, ...]]]] = {"read": defaultdict(set), "write": defaultdict(set)}
    arrays = {p.var.name: v for p, v in zip(program.params, values, strict=True) if isinstance(v, np.ndarray)}

    def record(kind):
        original = getattr(Machine, kind)

        def recorded(self, view, index, site):
            for name, value in arrays.items():
                start = address_of(view, index)
                place = start - value.__array_interface__["data"][0]
                if 0 <= place < value.nbytes:
                    found[kind][name].add(np.unravel_index(place // value.itemsize, value.shape))
            return original(self, view, index, site)

        return recorded

    for kind in ("read", "write"):
        monkeypatch.setattr(Machine, kind, record(kind))
    trace(program, values)
    monkeypatch.undo()
    return found


def numbers(boxes, values):
    """Boxes with numbers for sides."""

    def value(form: Form) -> int:
        found = form.substitute({name: constant(number) for name, number in values.items()}).value
        assert found is not None, form
        return found

    return [[(value(side.low), value(side.stop)) for side in box] for box in boxes]


def inside(boxes, index):
    return any(all(low <= k < stop for (low, stop), k in zip(box, index, strict=True)) for box in boxes)


@pytest.mark.parametrize("function", CASES)
@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 4), (2, 3)])
def test_a_piece_touches_what_its_iterations_touch(function, low, high, monkeypatch):
    arguments = CASES[function]()
    program = optimise(program_of(function, *arguments))
    nest = nest_of(program)
    piece = piece_of(program, nest, Names.of(program))
    start = 1 if function is stencil else 0
    low, high = low + start, high + start

    def cut(statement):
        is_nest = isinstance(statement, n.For) and statement.label == nest.label
        return with_bounds(nest, piece.loop.label, n.Const(low), n.Const(high)) if is_nest else statement

    only = n.Program(program.name, program.params, rewrite(program.body, cut))
    values = {piece.low.name: low, piece.high.name: high}
    given = copies(arguments)
    for param, value in zip(program.params, given, strict=True):
        if isinstance(value, np.ndarray):
            values |= {f"{param.var.name}.shape[{axis}]": extent for axis, extent in enumerate(value.shape)}
    found = touched(only, given, monkeypatch)
    for name, elements in found["read"].items():
        assert all(inside(numbers(piece.reads[name], values), index) for index in elements), name
    for name, elements in found["write"].items():
        assert all(inside(numbers(piece.writes[name], values), index) for index in elements), name
    for name, window in piece.windows.items():
        ((first, stop), *_) = numbers([window.box], values)[0]
        elements = found["read"][name] | found["write"][name]
        assert {index[0] for index in elements} <= set(range(first, stop))
        assert (
            stop - first
            == window.scale * (high - low) + numbers([[slabs.Side(window.more, window.more)]], values)[0][0][0]
        )


def test_what_follows_the_loop_by_rows_is_cut_and_all_else_needed_whole():
    def whole(function, *arguments):
        program = optimise(program_of(function, *arguments))
        return set(piece_of(program, nest_of(program), Names.of(program)).whole)

    assert whole(saxpy, 2.0, array(4), array(4)) == set()
    assert whole(columns, array(4, 5), array(5, 4)) == {"b"}
    assert whole(rows_by_columns, array(4, 5), array(4, 5)) == set()
    assert whole(with_table, array(4), array(4), array(4)) == {"table"}


def test_a_loop_whose_pieces_may_write_the_same_elements_is_not_cut():
    def both_ends(x, y):
        for i in range(len(x)):
            y[i] = x[i]
            y[i + len(x)] = x[i]

    program = optimise(program_of(both_ends, array(4), array(8)))
    with pytest.raises(Uncut, match="'y'"):
        piece_of(program, nest_of(program), Names.of(program))


# --------------------------------------------------------------------------------------------- whole programs


def run(function, arguments, memory):
    """Run a function in slabs on a device of so many bytes, against Python."""
    expected, got = copies(arguments), copies(arguments)
    program = optimise(program_of(function, *arguments))
    placed = place(program, DEVICE, slabs=True).program
    result = function(*expected)
    found = trace(placed, got, {DEVICE: SimulatedDevice(memory=memory)})
    if found.error is None:
        assert all(np.array_equal(a, b) for a, b in zip(expected, got, strict=True))
        if isinstance(result, float):
            np.testing.assert_allclose(found.results[0], result, rtol=1e-12)
        assert not found.held
    return found


def peak(found):
    """The most bytes that were held at a time."""
    held, most = 0, 0
    for step in found.steps:
        held += {"allocation": step.size, "release": -step.size}.get(step.kind, 0)
        most = max(most, held)
    return most


@pytest.mark.parametrize("memory", [3500, 5000, 9973, 60000])
def test_each_element_crosses_once(memory):
    x, y = array(1000), array(1001)[:1000].copy()
    found = run(saxpy, (2.0, x, y), memory)
    assert found.copied_bytes == {("host", DEVICE): 16000, (DEVICE, "host"): 8000}
    assert peak(found) <= memory
    assert (sum(step.kind == "launch" for step in found.steps) > 1) == (memory < 5 * 8000)


@pytest.mark.parametrize("memory", [4000, 6000])
def test_the_halo_of_a_stencil_crosses_once_for_each_slab(memory):
    u, v = array(70, 9), array(9, 70).reshape(70, 9).copy()
    found = run(stencil, (u, v), memory)
    launches = sum(step.kind == "launch" for step in found.steps)
    assert launches > 1
    assert found.copied_bytes == {
        ("host", DEVICE): (70 + 2 * (launches - 1)) * 9 * 8,
        (DEVICE, "host"): 68 * 7 * 8,
    }


@pytest.mark.sample(0)
def test_random_sizes_and_limits_give_the_answer_of_python():
    random = np.random.default_rng(5)
    for _ in range(25):
        rows, width, memory = (int(random.integers(*k)) for k in ((1, 90), (1, 12), (2600, 9000)))
        one, two = random.random((rows, width)), random.random((rows, width))
        for function, arguments in (
            (saxpy, (0.5, one.ravel(), two.ravel())),
            (stencil, (one, two)),
            (backwards, (one.ravel(), two.ravel())),
            (rows_by_columns, (one, two)),
            (jacobi, (one, two, int(random.integers(0, 4)))),
        ):
            found = run(function, arguments, memory)
            assert found.error is None or isinstance(found.error, OutOfMemoryError)


def test_a_limit_below_one_iteration_is_an_error_and_leaves_the_arrays():
    x, y = array(6, 500), np.zeros((6, 500))
    found = run(rows_by_columns, (x, y), 4000)
    assert isinstance(found.error, OutOfMemoryError)


@pytest.mark.sample(0)
def test_a_sum_has_the_same_bits_in_slabs_of_any_size():
    x, y = array(9000), array(9001)[:9000].copy()
    results = {run(dot, (x, y), memory).results for memory in (40_000, 75_000, 100_000, None)}
    assert len(results) == 1
    placed = place(optimise(program_of(dot, x, y)), DEVICE).program
    assert trace(placed, [x, y]).results in results


def largest(x):
    m = x[0]
    s = 0.0
    for i in range(len(x)):
        m = max(m, x[i])
        s += x[i]
    return m, s


@pytest.mark.sample(0)
@pytest.mark.parametrize(("function", "count"), [(dot, 2), (largest, 1)])
def test_a_sum_of_many_pieces_has_the_same_bits_in_slabs_and_in_memory(function, count, monkeypatch):
    """Pieces that are so many that the device folds what they give: as many, and folded alike, in both."""
    monkeypatch.setattr("weft.plan.partition.reductions.CHUNK", 16)
    for name, number in (("PIECES", 256), ("ON_HOST", 32), ("FEW", 8)):
        monkeypatch.setattr(f"weft.plan.place.{name}", number)
    values = [array(9000 + k)[:9000].astype(np.float32) for k in range(count)]
    program = optimise(program_of(function, *values))
    expected = trace(place(program, DEVICE).program, values).results
    for memory in (20_000, 30_000, None):
        found = trace(place(program, DEVICE, slabs=True).program, values, {DEVICE: SimulatedDevice(memory=memory)})
        assert found.error is None and not found.held
        assert np.array(found.results).tobytes() == np.array(expected).tobytes()
        assert sum(step.kind == "launch" for step in found.steps) > 2 or memory is None


def test_a_fault_in_a_later_slab_leaves_the_state_of_python():
    def roots(x, y):
        for i in range(len(x)):
            if x[i] < 0.0:
                raise ValueError("negative")
            y[i] = x[i] * 2.0

    x, y = array(1000), np.zeros(1000)
    x[901] = -1.0
    slabbed = Simulated(roots, {DEVICE: SimulatedDevice(memory=5000)}, slabs=True)
    with pytest.raises(ValueError, match="negative"):
        slabbed(x, y)
    assert np.array_equal(y[:901], x[:901] * 2.0)
    assert not y[901:].any()
    assert sum(step.kind == "launch" for step in slabbed.traces[0].steps) > 1


SOME = [name for k, name in enumerate(PROGRAMS) if k % 5 == 0]


@pytest.mark.parametrize("name", SOME)
def test_acceptance_programs_in_small_slabs_give_the_answer_of_cpython(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room that a slab is made for is a lie here, so that the largest loops have many slabs."""
    monkeypatch.setattr(Simulation, "room", lambda self, memory: 3000)
    program = PROGRAMS[name]
    for index, case in enumerate(oracle.cases(name)):
        if oracle.largest_size(case) > 40:
            continue
        got: Any = oracle.run(program, case, lambda function: Simulated(function, slabs=True))
        expected = oracle.expected(name, index)
        check_exception(program, expected, got)
        if expected.error is None:
            check_result(program, index, expected, got)
        if expected.error is None or program.exact_state:
            check_arrays(program, index, expected, got)


# ------------------------------------------------------------------------------------------ copies beside kernels


def slab_loop(function):
    """A placed program, and its loop over slabs."""
    program = place(optimise(program_of(function, *CASES[function]())), DEVICE, slabs=True).program
    return program, next(s for s in walk(program.body) if isinstance(s, n.For) and s.label.endswith(".slabs"))


@pytest.mark.parametrize("function", [saxpy, stencil, every_other, rows_by_columns, with_table])
def test_a_plan_whose_windows_take_turns_is_proven(function):
    program, _ = slab_loop(function)
    verify(program)
    check_plan(program)


def test_the_host_waits_for_no_slab():
    _, loop = slab_loop(stencil)
    assert not any(isinstance(s, n.Wait) for s in walk(loop.body))


def test_a_window_that_is_filled_after_the_kernel_is_refused():
    program, loop = slab_loop(saxpy)
    fill = next(s for s in loop.body.statements if isinstance(s, n.Copy) and s.target == DEVICE)
    others = [s for s in loop.body.statements if s is not fill]
    late = replace(loop, body=replace(loop.body, statements=(*others, fill)))
    with pytest.raises(InternalError, match="may be old"):
        check_plan(replace(program, body=rewrite(program.body, lambda s: late if s == loop else s)))


def test_windows_that_do_not_take_turns_as_they_should_give_wrong_answers_nowhere():
    """Whichever window a slab gets, it is filled before: only time is lost where it is always the same."""
    program, loop = slab_loop(stencil)
    still = replace(loop, body=replace(loop.body, yields=tuple(arg.var for arg in loop.args)))
    same = replace(program, body=rewrite(program.body, lambda s: still if s == loop else s))
    check_plan(same)


# --------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize("function", [saxpy, stencil])
def test_the_plan_is_a_loop_over_slabs(function, golden):
    program = place(optimise(program_of(function, *CASES[function]())), DEVICE, slabs=True).program
    text = to_text(program)
    golden(GOLDEN / f"{function.__name__}.txt", text[text.index("program ") :])
