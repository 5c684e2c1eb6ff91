"""Hoisting, registers, last values, private arrays, updates, verdicts in the program, conditions."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import frontend
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT64, INT64, PYINT
from weft.ir.visit import walk
from weft.transform.parallel.conditions import conditions
from weft.transform.parallel.last_values import last_values
from weft.transform.parallel.parallelise import parallelise
from weft.transform.parallel.privatise import privatise
from weft.transform.parallel.scalar_promotion import scalar_promotion
from weft.transform.parallel.updates import updates
from weft.transform.pipeline import optimise
from weft.transform.safety.bounds import bounds
from weft.transform.safety.index_limits import index_limits
from weft.transform.simplify.dce import dce
from weft.transform.simplify.licm import licm

from .programs import inputs, lets, loops, product, stencil
from .same import assert_same, check


def inside(loop: n.For, kind: type) -> list[n.Statement]:
    """The statements of one class in a loop."""
    return [s for s in walk(loop.body) if isinstance(s, kind)]


def test_invariant_arithmetic_leaves_all_loops():
    build = Builder("invariant")
    a, x = build.array("a", FLOAT64), build.param("x", FLOAT64)
    with build.loop("i", 0, build.dim(a)) as i:
        with build.loop("j", 0, build.dim(a)):
            build.store(a, i.index, value=build.math("sin", build.mul(x, x)))
    program = check(build.program(), licm, *inputs(build.program(), sizes=(0, 1, 3)))
    assert not [s for s in inside(loops(program)["i"], n.Let) if not isinstance(s.value, n.Load)]


def test_what_may_raise_stays_in_a_loop_that_may_not_run():
    build = Builder("division")
    a, m = build.array("a", FLOAT64), build.param("m", PYINT)
    with build.loop("i", 0, build.dim(a)) as loop:
        build.store(a, loop.index, value=build.cast(build.binary("floordiv", 7, m), FLOAT64))
    program = check(build.program(), licm, *inputs(build.program(), 0), *inputs(build.program(), 2))
    assert any(isinstance(s.value, n.Binary) for s in inside(loops(program)["i"], n.Let))


def test_what_may_raise_leaves_a_loop_that_runs():
    build = Builder("runs")
    a, m = build.array("a", FLOAT64), build.param("m", PYINT)
    with build.loop("i", 0, 3) as loop:
        quotient = build.binary("floordiv", 7, m)
        build.store(a, loop.index, value=build.cast(quotient, FLOAT64))
    program = check(build.program(), licm, *inputs(build.program(), 0), *inputs(build.program(), 2))
    assert not any(isinstance(s.value, n.Binary) for s in inside(loops(program)["i"], n.Let))


def test_elements_that_a_loop_writes_are_loaded_inside():
    build = Builder("written")
    a, b = build.array("a", FLOAT64), build.array("b", FLOAT64)
    with build.loop("i", 0, 2) as loop:
        build.store(a, loop.index, value=build.add(build.load(a, 0), build.load(b, 0)))
    program = check(bounds(build.program()), licm, *inputs(build.program(), sizes=(0, 3)))
    loads = [s.value for s in inside(loops(program)["i"], n.Let) if isinstance(s.value, n.Load)]
    assert [load.view.stem for load in loads] == ["a"]


def test_an_element_of_a_product_is_kept_in_a_variable():
    program = check(product(), lambda p: scalar_promotion(bounds(p)), *inputs(product(), sizes=(0, 1, 2, 5)))
    inner = loops(program)["k"]
    assert len(inner.args) == 1
    assert not inside(inner, n.Store)


def test_elements_stay_in_memory_when_the_loop_may_raise_or_touches_others():
    build = Builder("memory")
    a, x = build.array("a", FLOAT64), build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x)) as loop:
        build.store(a, 0, value=build.add(build.load(a, 0), build.load(x, loop.index)))
        build.store(a, loop.index, value=1.0)
    program = check(build.program(), lambda p: scalar_promotion(bounds(p)), *inputs(build.program()))
    assert not loops(program)["i"].args
    raising = optimise(build.program(), checked=True)
    assert not loops(raising)["i"].args


def test_elements_under_branches_and_in_inner_loops_are_followed():
    build = Builder("nested")
    s, x = build.array("s", FLOAT64), build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x)) as i:
        with build.loop("j", 0, 3) as j:
            with build.when(build.compare("lt", j.index, i.index)):
                build.store(s, 0, value=build.add(build.load(s, 0), build.load(x, i.index)))
        build.store(s, 0, value=build.mul(build.load(s, 0), 0.5))
    program = check(build.program(), lambda p: scalar_promotion(bounds(p)), *inputs(build.program()))
    assert not inside(loops(program)["i"], n.Store)


def test_a_last_value_is_computed_after_the_loop():
    build = Builder("last")
    a, b = build.array("a", FLOAT64), build.array("b", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"t": build.const(0.0, FLOAT64)}) as loop:
        value = build.mul(build.load(a, loop.index), 2.0)
        build.store(b, loop.index, value=value)
        loop.carry(value)
    program = build.program(loop.results[0])
    changed = check(bounds(program), last_values, *inputs(program))
    assert not loops(changed)["i"].args
    assert loops(parallelise(changed))["i"].mapping == "parallel"


def test_a_last_value_that_cannot_be_computed_again_keeps_the_last_iteration():
    build = Builder("kept")
    a = build.array("a", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"t": build.const(0.0, FLOAT64)}) as loop:
        value = build.mul(build.load(a, loop.index), 2.0)
        build.store(a, loop.index, value=value)
        loop.carry(value)
    program = build.program(loop.results[0])
    changed = check(bounds(program), lambda p: dce(last_values(p)), *inputs(program))
    assert not loops(changed)["i"].args


def work_row(needed_after: bool) -> n.Program:
    build = Builder("work")
    a = build.array("a", FLOAT64, 2)
    row = build.array("row", FLOAT64) if needed_after else build.alloc([3], FLOAT64, 0.0, "row")
    with build.loop("i", 0, build.dim(a, 0)) as i:
        with build.loop("j", 0, 3) as j:
            build.store(row, j.index, value=build.mul(build.load(a, i.index, j.index), 2.0))
        with build.loop("k", 0, 3) as k:
            build.store(a, i.index, k.index, value=build.add(build.load(row, build.sub(2, k.index)), 1.0))
    return build.program()


def test_work_arrays_become_private():
    for needed_after in (False, True):
        program = work_row(needed_after)
        sizes = inputs(program, sizes=(3, 5, 9))
        changed = check(bounds(index_limits(program)), privatise, *sizes)
        assert loops(parallelise(changed))["i"].mapping == "parallel"
        assert len(lets(changed, n.Alloc)) >= 1


def test_a_histogram_is_made_of_updates():
    build = Builder("histogram")
    keys, counts = build.array("keys", INT64), build.array("counts", INT64)
    with build.loop("i", 0, build.dim(keys)) as loop:
        key = build.load(keys, loop.index)
        build.store(counts, key, value=build.add(build.load(counts, key), build.const(1, INT64)))
    program = check(build.program(), updates, *inputs(build.program()))
    assert len(inside(loops(program)["i"], n.Update)) == 1
    assert loops(parallelise(program))["i"].mapping == "parallel"


def test_nests_and_folds_are_marked():
    program = parallelise(scalar_promotion(bounds(product())))
    assert {label: loop.mapping for label, loop in loops(program).items()} == dict.fromkeys("ijk", "parallel")
    assert loops(program)["k"].args[0].combine == "add"
    assert all(loop.mapping == "parallel" for loop in loops(parallelise(stencil())).values())


def test_a_fold_of_floats_that_lets_a_nan_through_is_not_marked():
    build = Builder("smallest")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"m": build.const(9.0, FLOAT64)}) as loop:
        loop.carry(build.binary("min", build.load(x, loop.index), loop["m"]))
    assert loops(parallelise(build.program(loop.results[0])))["i"].mapping == "sequential"


def test_an_offset_decides_at_run_time():
    build = Builder("offset")
    a, m = build.array("a", FLOAT64), build.param("m", PYINT)
    with build.loop("i", 0, 5) as loop:
        build.store(a, build.add(loop.index, m), value=build.mul(build.load(a, loop.index), 2.0))
    program = parallelise(bounds(index_limits(build.program())))
    changed = check(program, conditions, *([np.arange(16.0), m] for m in (0, 1, 4, 5, 9)))
    assert [loop.mapping for loop in loops(changed).values()] == ["parallel", "sequential"]


def test_every_variant_of_a_product_is_the_same():
    assert_same(product(), optimise(product()), *inputs(product(), sizes=(0, 1, 4, 9)))


def leapfrog(x, v, steps):
    for i in range(x.shape[0]):
        for _ in range(steps):
            v[i, 0] -= 0.5 * x[i, 0]
            v[i, 1] -= 0.5 * x[i, 1]
            x[i, 0] += v[i, 0]
            x[i, 1] += v[i, 1]


def one_element_by_two_names(x, v, steps):
    for i in range(1, x.shape[0]):
        k = i - v.shape[1]
        for t in range(steps):
            x[i, 0] += x[k + 1, t % 2] + v[i, 0]


def to_the_diagonal(x, v, steps):
    for i in range(x.shape[0]):
        for j in range(i + 1):
            x[i, 0] += v[j, 0]
            v[j, 1] = x[j, 0]


def up_to_the_diagonal(x, v, steps):
    for i in range(x.shape[0]):
        for j in range(i):
            x[i, 0] += v[j, 0]
            v[j, 1] = x[j, 0]


def perhaps_outside(x, v, steps):
    for i in range(x.shape[0]):
        k = int(v[i, 0])
        for t in range(steps):
            v[i, 1] = t + 7
            x[k, 0] += v[i, 0]


@pytest.mark.parametrize(
    ("function", "carried"),
    [
        (leapfrog, 4),
        (one_element_by_two_names, 0),
        (to_the_diagonal, 0),
        (up_to_the_diagonal, 1),
        (perhaps_outside, 0),
    ],
)
def test_elements_at_a_constant_distance_are_carried_beside_one_another(function, carried):
    cases = [[np.arange(2.0 * n).reshape(n, 2), np.ones((n, 2)), steps] for n in (0, 1, 4) for steps in (0, 1, 5)]
    before = bounds(frontend.build(function, [describe(x) for x in cases[-1]]))
    after = scalar_promotion(before)
    assert_same(before, after, *cases)
    assert sum(len(loop.args) for loop in loops(after).values()) == carried


@pytest.mark.parametrize("strides", [(16, 8), (8, 8), (8, 0), (-16, 8), (16, -8)])
def test_elements_that_share_memory_are_not_carried(strides):
    """Two indices may be one element where somebody laid an array so."""

    def laid():
        base = np.arange(40.0)
        return base, np.lib.stride_tricks.as_strided(base[20:], (5, 2), strides)

    (one, x), (other, y) = laid(), laid()
    leapfrog(x, np.ones((5, 2)), 3)
    weft.jit(leapfrog)(y, np.ones((5, 2)), 3)
    np.testing.assert_array_equal(one, other)
