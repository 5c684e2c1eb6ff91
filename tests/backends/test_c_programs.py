"""Whole programs through generated C, built by hand, against the interpreter: memory, control flow, faults."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
import pytest

from tests.backends.harness import Compiled, Interrupted, OtherVariant, runtime
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run
from weft.ir.types import BOOL, COMPLEX128, FLOAT32, FLOAT64, INT8, INT32, INT64, PYBOOL, PYINT, Field, Record, View


def same(program: n.Program, *values: object, flags: tuple[str, ...] = ()) -> tuple[object, ...]:
    """Run a program both ways; results, arrays and exceptions must agree."""
    verify(program)
    mine, reference = copy.deepcopy(values), copy.deepcopy(values)
    wanted, got = outcome(lambda: run(program, reference)), outcome(lambda: Compiled(program, flags)(*mine))
    assert got[1] == wanted[1]
    for a, b in zip((*got[0], *mine), (*wanted[0], *reference), strict=True):
        assert type(a) is type(b)
        np.testing.assert_array_equal(a, b)
    return got[0]


def outcome(call) -> tuple[tuple[object, ...], tuple[str, str] | None]:
    try:
        return call(), None
    except (ArithmeticError, ValueError, LookupError) as error:
        return (), (type(error).__name__, str(error))


def with_combine(program: n.Program, *operators: str | None) -> n.Program:
    """The program with its last loop parallel, its arguments folded by operators."""
    statements = list(program.body.statements)
    loop = next(k for k in reversed(range(len(statements))) if isinstance(statements[k], n.For))
    args = tuple(replace(a, combine=op) for a, op in zip(statements[loop].args, operators, strict=True))
    statements[loop] = replace(statements[loop], args=args, mapping="parallel")
    return replace(program, body=replace(program.body, statements=tuple(statements)))


# ----------------------------------------------------------------------------------------------------- memory


def test_views_of_any_strides_are_read_and_written():
    build = Builder("transposed")
    a, b = build.array("a", FLOAT64, 2), build.array("b", FLOAT64, 2)
    turned = build.let(n.Transpose(b, (1, 0)), View(FLOAT64, 2))
    with build.loop("i", 0, build.dim(a, 0)) as i, build.loop("j", 0, build.dim(a, 1)) as j:
        build.store(turned, i.index, j.index, value=build.load(a, i.index, j.index))
    values = np.arange(60.0).reshape(6, 10)
    same(build.program(), values[::-2, 1::3], np.zeros((6, 6))[::2, ::2].copy()[:, :].repeat(1, 0)[:3, :3])


def test_slices_go_backwards_and_drop_axes():
    build = Builder("sliced")
    a, out = build.array("a", INT64, 2), build.array("out", INT64)
    row = build.subview(a, 1, n.Slice(build.const(4), build.const(3), build.const(-2)))
    with build.loop("k", 0, build.dim(row)) as loop:
        build.store(out, loop.index, value=build.load(row, loop.index))
    same(build.program(), np.arange(15).reshape(3, 5), np.zeros(3, np.int64))


def test_arrays_swapped_around_a_loop_come_back_as_they_were_given():
    build = Builder("swapped")
    a, b = build.array("a", FLOAT64, contiguous=True), build.array("b", FLOAT64, contiguous=True)
    with build.loop("t", 0, build.param("steps", PYINT), {"u": a, "v": b}) as time:
        with build.loop("i", 1, build.sub(build.dim(a), 1), mapping="parallel") as loop:
            around = build.add(build.load(time["u"], build.sub(loop.index, 1)), build.load(time["u"], loop.index))
            build.store(time["v"], loop.index, value=build.mul(0.5, around))
        time.carry(time["v"], time["u"])
    program = build.program(*time.results)
    arrays = np.random.default_rng(0).random((2, 50))
    for steps in (0, 1, 4):
        u, v = arrays[0].copy(), arrays[1].copy()
        first, second = Compiled(program)(u, v, steps)
        assert (first is u, second is v) == ((True, True) if steps % 2 == 0 else (False, False))
    same(program, *arrays.copy(), 5)


def test_arrays_made_in_a_loop_and_carried_on_are_released():
    build = Builder("grows")
    start = build.alloc([3], FLOAT64, 1.0)
    with build.loop("t", 0, build.param("steps", PYINT), {"u": start}) as loop:
        made = build.alloc([3], FLOAT64)
        with build.loop("i", 0, 3) as inner:
            build.store(made, inner.index, value=build.mul(2.0, build.load(loop["u"], inner.index)))
        loop.carry(made)
    (result,) = same(build.program(loop.results[0]), 40)
    assert result.tolist() == [2.0**40] * 3


def test_an_array_that_is_only_used_inside_an_iteration_keeps_nothing():
    build = Builder("scratch")
    out = build.array("out", INT64)
    with build.loop("i", 0, build.dim(out), mapping="parallel") as loop:
        size = build.add(loop.index, 1)
        row = build.alloc([size], INT64, 0)
        with build.loop("j", 0, size) as inner:
            build.store(row, inner.index, value=inner.index)
        build.store(out, loop.index, value=build.load(row, loop.index))
    same(build.program(), np.zeros(300, np.int64))


def test_one_of_two_new_arrays_is_returned():
    build = Builder("chosen")
    first, second = build.alloc([2], INT64, 1), build.alloc([4], INT64, 2)
    with build.when(build.param("which", PYBOOL)) as branch:
        branch.yields(first)
        with branch.otherwise():
            branch.yields(second)
    program = build.program(branch.results[0])
    assert same(program, True)[0].tolist() == [1, 1]
    assert same(program, False)[0].tolist() == [2] * 4


def test_small_arrays_of_every_iteration_start_anew():
    build = Builder("small")
    out = build.array("out", FLOAT32, 1, contiguous=True)
    with build.loop("i", 0, build.dim(out)) as loop:
        small = build.alloc([4], FLOAT32, 0.0)
        build.store(small, build.binary("mod", loop.index, 4), value=1.0)
        total = build.add(build.load(small, 0), build.load(small, -3))
        build.store(out, loop.index, value=total)
    same(build.program(), np.zeros(9, np.float32))


def test_negative_extents_and_memory_that_there_is_not():
    build = Builder("sized")
    size = build.param("size", PYINT)
    build.alloc([size, size], FLOAT64)
    program = build.program(build.alloc([1], FLOAT64, 0.0))
    same(program, -1)
    with pytest.raises(MemoryError):
        Compiled(program)(2**22)
    with pytest.raises(ValueError):  # as NumPy, where the bytes cannot be counted
        Compiled(program)(2**40)


PAIR = Record((Field("tag", INT8, 0), Field("x", FLOAT64, 1), Field("grid", INT32, 9, (2, 3))), 33)


def test_fields_of_packed_records():
    build = Builder("records")
    pairs, out = build.array("pairs", PAIR), build.array("out", FLOAT64)
    xs, grids = build.field(pairs, "x"), build.field(pairs, "grid")
    with build.loop("i", 0, build.dim(pairs)) as loop:
        build.store(xs, loop.index, value=build.add(build.load(xs, loop.index), build.load(grids, loop.index, 1, 2)))
        build.store(out, loop.index, value=build.load(xs, loop.index))
    dtype = np.dtype([("tag", "i1"), ("x", "f8"), ("grid", "i4", (2, 3))])
    values = np.zeros(5, dtype)
    values["x"], values["grid"] = np.arange(5), np.arange(30).reshape(5, 2, 3)
    got, expected = values.copy(), values.copy()
    mine, reference = np.zeros(5), np.zeros(5)
    Compiled(build.program())(got, mine)
    run(build.program(), [expected, reference])
    assert got.tobytes() == expected.tobytes() and mine.tolist() == reference.tolist()


def test_parts_of_complex_numbers_are_views():
    build = Builder("parts")
    z = build.array("z", COMPLEX128)
    real, imag = build.field(z, "real"), build.field(z, "imag")
    with build.loop("i", 0, build.dim(z)) as loop:
        kept = build.load(real, loop.index)
        build.store(real, loop.index, value=build.load(imag, loop.index))
        build.store(imag, loop.index, value=kept)
    same(build.program(), np.array([1 + 2j, 3 - 4j]))


def test_loads_stay_before_stores_that_follow_them():
    build = Builder("order")
    a = build.array("a", INT64)
    before = build.load(a, 0)
    build.store(a, 0, value=7)
    build.store(a, 1, value=before)
    same(build.program(), np.array([3, 0]))


def test_truth_values_of_arrays_are_bytes():
    build = Builder("truths")
    a, b = build.array("a", BOOL), build.array("b", BOOL)
    with build.loop("i", 0, build.dim(a), mapping="parallel") as loop:
        build.store(b, loop.index, value=build.unary("not", build.load(a, loop.index)))
    same(build.program(), np.arange(70) % 3 == 0, np.zeros(70, bool))


# ------------------------------------------------------------------------------------------------ control flow


def test_values_that_change_places_are_assigned_at_once():
    build = Builder("rotates")
    with build.loop("i", 0, build.param("count", PYINT), {"a": 1, "b": 2, "c": 3}) as loop:
        loop.carry(loop["b"], loop["c"], build.add(loop["a"], loop["b"]))
    same(build.program(*loop.results), 10)


def test_a_loop_ends_after_the_iteration_that_gives_it_up():
    build = Builder("found")
    x, wanted = build.array("x", INT64), build.param("wanted", INT64)
    with build.loop("i", 0, build.dim(x), {"alive": True, "place": -1}, exit=0) as loop:
        differs = build.cast(build.compare("ne", build.load(x, loop.index), wanted), PYBOOL)
        loop.carry(differs, build.select(differs, loop["place"], loop.index))
    for wanted in (30, 0, 99):
        same(build.program(loop.results[1]), np.arange(0, 60, 3), np.int64(wanted))


def test_a_while_loop_sees_its_condition_first():
    build = Builder("halves")
    with build.while_loop({"x": build.param("start", PYINT), "steps": 0}) as loop:
        with loop.test() as test:
            test.yields(build.compare("gt", loop["x"], 1))
        loop.carry(build.binary("floordiv", loop["x"], 2), build.add(loop["steps"], 1))
    for start in (0, 1, 1000):
        same(build.program(*loop.results), start)


def test_helpers_that_fail_fail_their_callers():
    build = Builder("calls")
    p = build.fresh("p", PYINT)
    with build.block() as statements:
        with build.when(build.compare("lt", p, 0)):
            build.fail("ValueError", "{} is negative", p)
        doubled = build.mul(p, 2)
    build.function("double", (p,), n.Block(tuple(statements), (doubled,)))
    x, out = build.array("x", INT64), build.array("out", INT64)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        build.store(out, loop.index, value=build.call("double", build.cast(build.load(x, loop.index), PYINT))[0])
    program = build.program()
    same(program, np.arange(100), np.zeros(100, np.int64))
    with pytest.raises(ValueError, match="-3 is negative"):
        Compiled(program)(np.array([1, -3, -9]), np.zeros(3, np.int64))


def test_what_the_program_assumes_is_tested_before_anything_is_written():
    build = Builder("assumes")
    x = build.array("x", FLOAT64, contiguous=True)
    with build.block() as statements:
        enough = build.compare("ge", build.dim(x), 3)
    build.store(x, 2, value=1.0, bounds="safe")
    program = build.program(assumption=n.Block(tuple(statements), (enough,)))
    short = np.zeros(2)
    with pytest.raises(OtherVariant):
        Compiled(program)(short)
    same(program, np.zeros(3))


# ----------------------------------------------------------------------------------------------------- faults


def test_a_fault_tells_its_operands_and_the_loop_counters():
    build = Builder("outside")
    a = build.array("a", FLOAT64, 2)
    with build.loop("i", 0, 4) as i, build.loop("j", 0, 5) as j:
        build.store(a, i.index, j.index, value=1.0)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 1 with size 3") as caught:
        Compiled(build.program())(np.zeros((4, 3)))
    assert "i = 0, j = 3" in str(getattr(caught.value, "__notes__", caught.value))


def test_an_index_is_read_once_for_its_test_and_its_use():
    build = Builder("gathers")
    a, index, out = (build.array(name, t) for name, t in (("a", FLOAT64), ("index", INT64), ("out", FLOAT64)))
    with build.loop("i", 0, build.dim(out)) as loop:
        build.store(out, loop.index, value=build.load(a, build.load(index, loop.index)), bounds="safe")
    source = Compiled(build.program()).artifact.source
    body = source[source.index("gathers_body(") :]
    assert body.partition("int32_t enter_gathers")[0].count("AT(int64_t, index") == 1


@pytest.mark.parametrize("position", [0, 31, 32, 40, 99])
def test_a_failing_iteration_of_a_strip_leaves_later_elements_alone(position):
    build = Builder("roots")
    x = build.array("x", FLOAT64, contiguous=True)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        build.store(x, loop.index, value=build.math("sqrt", build.load(x, loop.index, bounds="safe"), strict=True))
    values = np.arange(1.0, 101.0)
    values[position] = -1.0
    same(build.program(), values)


def test_the_earliest_fault_wins_however_many_threads_run():
    build = Builder("divides")
    x = build.array("x", INT64, contiguous=True)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        value = build.cast(build.load(x, loop.index), PYINT)
        with build.when(build.compare("eq", value, 0)):
            build.fail("ValueError", "nothing at {}", loop.index)
    values = np.ones(400_000, np.int64)
    values[[70_001, 399_999, 200_000]] = 0
    compiled = Compiled(build.program())
    for _ in range(20):
        with pytest.raises(ValueError, match="nothing at 70001"):
            compiled(values)


# -------------------------------------------------------------------------------------------- parallel loops


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 1000, 400_000])
def test_sums_do_not_depend_on_the_threads(size):
    build = Builder("total")
    x = build.array("x", FLOAT64, contiguous=True)
    with build.loop("i", 0, build.dim(x), {"s": build.const(0.5, FLOAT64)}) as loop:
        loop.carry(build.add(loop["s"], build.load(x, loop.index, bounds="safe")))
    compiled = Compiled(with_combine(build.program(loop.results[0]), "add"))
    x = np.random.default_rng(size).normal(size=size)
    found = set()
    for threads in (1, 2, 5):
        runtime().weft_set_threads(threads)
        found.add(compiled(x)[0])
    runtime().weft_set_threads(0)
    assert len(found) == 1
    exact = np.sum(x.astype(np.longdouble)) + np.longdouble(0.5)
    assert abs(found.pop() - exact) <= 4 * max(np.log2(size + 2), 1) * np.finfo(float).eps * (np.abs(x).sum() + 0.5)


@pytest.mark.parametrize("op", ["add", "sub", "mul", "min", "max", "and", "or", "xor"])
def test_integers_are_folded_exactly(op):
    build = Builder("folded")
    x = build.array("x", INT64, contiguous=True)
    with build.loop("i", 0, build.dim(x), {"s": build.const(5, INT64)}) as loop:
        loop.carry(build.binary(op, loop["s"], build.load(x, loop.index, bounds="safe")))
    program = with_combine(build.program(loop.results[0]), op)
    for size in (0, 1, 100_000):
        same(program, np.random.default_rng(size).integers(-9, 99, size))


@pytest.mark.parametrize("op", ["min", "max"])
def test_extremes_pass_over_nan_as_python_does(op):
    build = Builder("extreme")
    x, start = build.array("x", FLOAT64, contiguous=True), build.param("start", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"s": start}) as loop:
        loop.carry(build.binary(op, loop["s"], build.load(x, loop.index, bounds="safe")))
    program = with_combine(build.program(loop.results[0]), op)
    values = np.random.default_rng(0).normal(size=300)
    values[::7] = np.nan
    for start in (0.0, 99.0, -99.0, np.nan):
        same(program, values, np.float64(start))
    same(program, np.full(100, np.nan), np.float64(1.0))


def test_a_function_without_an_identity_folds_in_order():
    build = Builder("composed")
    p, q = build.fresh("p", INT64), build.fresh("q", INT64)
    with build.block() as statements:
        kept = build.select(build.compare("ne", q, build.const(0, INT64)), q, p)
    build.function("last_of", (p, q), n.Block(tuple(statements), (kept,)), associative=True)
    x = build.array("x", INT64, contiguous=True)
    with build.loop("i", 0, build.dim(x), {"s": build.const(-1, INT64)}) as loop:
        loop.carry(build.call("last_of", loop["s"], build.load(x, loop.index, bounds="safe"))[0])
    program = with_combine(build.program(loop.results[0]), "last_of")
    values = np.random.default_rng(1).integers(0, 2, 200_000) * np.arange(200_000)
    for size in (0, 1, 200_000):
        same(program, values[:size].copy())


@pytest.mark.sample(1)
@pytest.mark.parametrize("element", [INT64, FLOAT64], ids=str)
def test_updates_by_key_lose_nothing(element):
    build = Builder("histogram")
    keys, counts = build.array("keys", INT64, contiguous=True), build.array("counts", element, contiguous=True)
    with build.loop("i", 0, build.dim(keys), mapping="parallel") as loop:
        build.update("add", counts, build.load(keys, loop.index, bounds="safe"), value=1)
    program = build.program()
    keys = np.random.default_rng(2).integers(-20, 20, 600_000)
    same(program, keys, np.zeros(20, element.dtype))
    keys[300_000] = 20
    with pytest.raises(IndexError, match="index 20 is out of bounds"):
        Compiled(program)(keys, counts := np.zeros(20, element.dtype))
    assert counts.sum() == 300_000


def test_rows_of_two_nested_loops_are_cut_anywhere():
    build = Builder("table")
    a = build.array("a", INT64, 2, contiguous=True)
    with build.loop("i", 1, build.dim(a, 0), mapping="parallel") as i:
        with build.loop("j", 2, build.dim(a, 1), mapping="parallel") as j:
            build.store(a, i.index, j.index, value=build.add(build.mul(i.index, 1000), j.index), bounds="safe")
    runtime().test_scale(1e9)
    for shape in ((3, 500), (500, 3), (40, 2), (1, 9), (70, 90)):
        same(build.program(), np.zeros(shape, np.int64))
    runtime().test_scale(1.0)


def test_a_long_program_stops_when_it_is_told_to():
    build = Builder("spins")
    with build.while_loop({"x": build.param("x", PYINT)}) as loop:
        with loop.test() as test:
            test.yields(build.compare("ge", loop["x"], 0))
        loop.carry(build.binary("xor", loop["x"], 1))
    compiled = Compiled(build.program(loop.results[0]))
    runtime().test_stop(1)
    with pytest.raises(Interrupted):
        compiled(1)
    runtime().test_stop(0)
