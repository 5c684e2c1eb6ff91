"""Vector code: divergent loops, and loops in order, under masks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from weft.frontend import build as built
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT64, PYBOOL, PYFLOAT, PYINT, Scalar, Vector
from weft.ir.visit import walk
from weft.transform.pipeline import optimise
from weft.transform.simplify.dce import dce
from weft.transform.vector.dead_blends import dead_blends
from weft.transform.vector.interleave import interleave
from weft.transform.vector.interleave_tiles import interleave_tiles
from weft.transform.vector.lanes import STEPS, lanes

from .programs import inputs, mandelbrot
from .same import assert_same, check


def vectors(program: n.Program) -> int:
    """How many vectors a program assigns."""
    return sum(isinstance(s, n.Let) and isinstance(s.var.type, Vector) for s in walk(program.body))


@pytest.mark.parametrize("vector_bytes", [16, 64])
def test_a_while_loop_in_lanes(vector_bytes):
    program = optimise(mandelbrot())
    changed = check(program, lambda p: lanes(p, vector_bytes), *inputs(program, 20, sizes=(0, 1, 3, 9, 13)))
    assert vectors(changed) > 0


def escape() -> n.Program:
    """As `mandelbrot`, by a ``for`` loop that is left early."""
    build = Builder("escape")
    out, limit = build.array("out", FLOAT64), build.param("limit", PYINT)
    with build.loop("i", 0, build.dim(out)) as i:
        c = build.sub(build.mul(build.cast(i.index, PYFLOAT), 0.1), 2.0)
        with build.loop("k", 0, limit, {"z": 0.0, "last": -1, "alive": True}, exit=2) as k:
            z = build.add(build.mul(k["z"], k["z"]), c)
            k.carry(z, k.index, build.compare("le", build.mul(z, z), 4.0))
        build.store(out, i.index, value=build.add(k.results[0], build.cast(k.results[1], PYFLOAT)))
    return build.program()


def test_a_loop_that_lanes_leave_early():
    program = optimise(escape())
    changed = check(program, lanes, *inputs(program, 7, sizes=(0, 1, 8, 50)), *inputs(program, 0, sizes=(5,)))
    assert vectors(changed) > 0


def triangle() -> n.Program:
    """Sums over the rest of an array, rooted where positive: inner loops of different lengths, work on both sides."""
    build = Builder("triangle")
    a, out = build.array("a", FLOAT64), build.array("out", FLOAT64)
    with build.loop("i", 0, build.dim(a), {"s": build.const(0.0, FLOAT64), "p": 0}) as i:
        x = build.load(a, i.index)
        with build.loop("j", i.index, build.dim(a), {"t": x}) as j:
            j.carry(build.add(j["t"], build.math("sin", build.load(a, j.index))))
        with build.when(build.compare("gt", x, 0.0)) as branch:
            r = build.mul(build.math("sqrt", build.math("fabs", x)), j.results[0])
            build.store(out, i.index, value=r)
            branch.yields(build.add(i["s"], r), build.add(i["p"], 1))
            with branch.otherwise():
                build.store(out, i.index, value=build.mul(x, 3.0))
                branch.yields(i["s"], i["p"])
        i.carry(*branch.results)
    return build.program(*i.results)


def weighed(x):
    r = np.sqrt(np.abs(x)) + 1.0
    u = np.exp(-r) * r
    return u * np.sin(r) / (r * r + 1.0) + np.cos(u)


def near(a, c):
    s = 0.0
    for i in range(len(a)):
        if a[i] < c:
            s += weighed(a[i])
    return s


def near_or_far(a, c):
    s = 0.0
    for i in range(len(a)):
        if a[i] < c:
            s += weighed(a[i])
        else:
            s += 0.25
    return s


def near_and_large(a, c):
    s, count = 0.0, 0
    for i in range(len(a)):
        if a[i] < c:
            s += weighed(a[i])
        if a[i] > 2.0:
            count += 1
    return s, count


@pytest.mark.parametrize(("function", "skips"), [(near, True), (near_or_far, False), (near_and_large, False)])
def test_the_end_of_a_tile_is_skipped_only_where_no_lane_contributes(function, skips):
    program = optimise(built(function, [describe(np.zeros(3)), describe(1.0)]))
    after = lanes(program)
    numbers = np.random.default_rng(1).integers(-8, 9, 40) / 2.0
    cases = [[numbers[:size], limit] for size in (0, 1, 9, 40) for limit in (0.5, -9.0, 9.0)]
    assert_same(program, after, *cases, exact=False)
    branches = [s for s in walk(after.body) if isinstance(s, n.If)]
    assert any(isinstance(r.type, Scalar) for s in branches for r in s.results) == skips


def test_different_lengths_branches_and_sums():
    program = optimise(triangle())
    changed = lanes(program)
    assert vectors(changed) > 0
    assert_same(program, changed, *inputs(program, sizes=(0, 1, 7, 8, 9, 30)), exact=False)


def test_a_fold_of_nothing_keeps_its_initial_value():
    changed = lanes(optimise(triangle()))
    values = [np.zeros(0), np.zeros(0)]
    assert_same(triangle(), changed, values)


def test_loops_that_may_still_raise_stay_scalar():
    build = Builder("raises")
    a, keys = build.array("a", FLOAT64), build.array("keys", FLOAT64)
    with build.loop("i", 0, build.dim(a)) as loop:
        with build.when(build.cast(build.compare("gt", build.load(keys, loop.index), 0.0), PYBOOL)):
            place = build.cast(build.load(keys, loop.index), PYINT)
            build.store(a, loop.index, value=build.load(keys, place))
            build.store(a, loop.index, value=build.load(keys, place))
    program = optimise(build.program())
    assert lanes(program) == program


def doublings(x, first, out, limit):
    """Carried values that are the same in all lanes that are still in the loop, and are used after it."""
    for i in range(x.shape[0]):
        value, power, count = x[i], first, 3
        while power < limit and value < 1000.0 and count < 9:
            value = value * 1.5 + power
            power = power * 2.0
            count += 1
        out[i] = value + 10 * power + count


def nested(x, first, out, limit):
    """Lanes enter the inner loop at different times, and leave it with the same counter at different values."""
    for i in range(x.shape[0]):
        value, total, outer = x[i], 0.0, 1
        while outer < limit and value < 1000.0:
            inner = 0
            while inner < outer and value < 3.0 * outer:
                value = value * 1.25 + 0.5
                inner += 1
            if inner > 2:
                total += inner
            outer += 1
            value += 1.0
        out[i] = value + total + outer


def pairs(x, out, near, flags):
    """Few pairs are near; sums of several kinds, also over branches in branches."""
    total, product, bits = 0.0, 1.0, 0
    for j in range(x.shape[0]):
        if x[j] < near:
            y = x[j] * x[j] + 1.0
            z = y / (x[j] - 3.0)
            total += z - y
            if flags[j] > 2:
                w = math.sqrt(y)
                product *= w / z + w
                bits ^= flags[j] * 3 + 1
    out[0], out[1] = total, product
    out[2] = bits


def test_tiles_in_which_no_lane_contributes_are_skipped(monkeypatch):
    def inputs(size, near):
        rng = np.random.default_rng(size)
        return rng.random(size) * 2 - (size % 2), np.zeros(3), near, rng.integers(0, 5, size)

    program = optimise(built(pairs, [describe(x) for x in inputs(3, 0.5)]))
    program = dce(program)
    changed = lanes(program)
    tiles = next(s for s in changed.body.statements if isinstance(s, n.For))
    assert isinstance(tiles.body.statements[-1], n.If)
    assert tiles.body.yields == tiles.body.statements[-1].results
    cases = [inputs(size, near) for size in (0, 9, 40) for near in (-9.0, 0.1, 9.0, math.nan)]
    assert_same(program, changed, *cases, exact=False)
    monkeypatch.setattr("weft.transform.vector.lanes.skip_idle_tiles", lambda body, *_: body)
    assert_same(lanes(program), changed, *cases)


def always(x, out):
    """What follows the branch is needed in all lanes."""
    total = 0.0
    for j in range(x.shape[0]):
        y = x[j]
        if y < 0.5:
            y = math.sqrt(y * y + 1.0) / (y - 3.0) - y * 2.0 + y / 7.0
        total += y
    out[0] = total


def test_tiles_whose_other_lanes_contribute_are_not_skipped():
    cases = [(np.random.default_rng(size).random(size), np.zeros(1)) for size in (0, 5, 8, 40)]
    program = dce(optimise(built(always, [describe(x) for x in cases[1]])))
    changed = lanes(program)
    assert vectors(changed) > 0
    assert_same(program, changed, *cases, exact=False)


def search(x, first, out, limit):
    """Left by a break: the counter is that of the iteration in which a lane left."""
    for i in range(x.shape[0]):
        steps = first
        value = x[i]
        for k in range(limit):
            value = value * 1.5
            if value > 40.0:
                break
            steps += 0.5
        out[i] = steps + value


@pytest.mark.parametrize("function", [doublings, nested, search])
@pytest.mark.parametrize("shaping", [(lanes,), (lanes, dead_blends, interleave_tiles, dce)])
def test_lanes_that_leave_keep_what_was_the_same_in_all(function, shaping):
    def inputs(size, first=1.0, limit=12):
        return np.random.default_rng(size).random(size) * 9, first, np.zeros(size), limit

    program = optimise(built(function, [describe(x) for x in inputs(3)]))
    changed = program
    for shape in shaping:
        changed = shape(changed)
    assert vectors(changed) > 0
    others = [(9, 5.0, 2), (9, 0.0, 100), (9, 3.0, -1)]
    assert_same(program, changed, *(inputs(*given) for given in others), *map(inputs, (0, 1, 7, 8, 9, 40, 70)))


def same_on_sides(x, first, out, limit):
    """Both sides give what is the same in all lanes, after a loop."""
    for i in range(x.shape[0]):
        if x[i] < 2.0 * first:
            value = 1.0
            for k in range(limit):
                value = value * 0.5 + k
        else:
            value = first
            for k in range(limit):
                value = value * 0.25 - k
        out[i] = value


@pytest.mark.parametrize("shaping", [(lanes,), (lanes, dead_blends, interleave_tiles, dce)])
def test_both_sides_of_a_branch_may_give_what_is_the_same_in_all_lanes(shaping):
    def inputs(size, limit=12):
        return np.random.default_rng(size).random(size) * 9, 2.0, np.zeros(size), limit

    program = optimise(built(same_on_sides, [describe(x) for x in inputs(3)]))
    changed = program
    for shape in shaping:
        changed = shape(changed)
    assert vectors(changed) > 0
    assert_same(program, changed, *(inputs(size, limit) for size in (0, 1, 8, 9, 40) for limit in (0, 1, 12)))


def oscillator(x, out, steps):
    """Two values from step to step, in a loop that all iterations go through equally often."""
    for i in range(x.shape[0]):
        place, speed = x[i], 0.5
        for _ in range(steps):
            speed = speed - 0.1 * place
            place = place + 0.1 * speed
        out[i] = place + speed


def along_columns(a, weights, out):
    """Lanes read neighbours in each step, one number that all need, and store where they read."""
    for j in range(1, out.shape[0]):
        value = out[j]
        for k in range(a.shape[0]):
            value = value * weights[k] + a[k, j - 1]
            a[k, j - 1] = value
        out[j] = value


def with_a_branch(x, out, steps):
    """What differs from lane to lane is chosen; the loops of other lengths are the same for all."""
    for i in range(x.shape[0]):
        value = x[i]
        for k in range(steps):
            for _ in range(k + 20):
                value = 4.0 - value if value > 2.0 else value * 1.5
        out[i] = value


def halves(x, out, steps):
    """Quotients and rests by powers of two, which are shifts and masks of vectors."""
    for i in range(x.shape[0]):
        value = x[i]
        for _ in range(steps):
            value = value // 8 - value if value % 4 == 1 else value // 2 + 16
        out[i] = value + value % 1


def integers(dtype):
    def arguments(rng, size):
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        return rng.integers(low, high, size, dtype, endpoint=True), np.zeros(size, dtype), size % 23

    return arguments


@pytest.mark.parametrize("shaping", [(lanes,), (lanes, interleave, dce)])
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (oscillator, lambda rng, size: (rng.random(size), np.zeros(size), size % 23)),
        (along_columns, lambda rng, size: (rng.random((17, size)), rng.random(17), rng.random(size))),
        (with_a_branch, lambda rng, size: (4 * rng.random(size), np.zeros(size), size % 5)),
        *((halves, integers(dtype)) for dtype in (np.int64, np.int32, np.uint8, np.uint64)),
    ],
)
def test_loops_in_order_run_in_lanes_where_all_go_through_them_equally_often(function, arguments, shaping):
    cases = [arguments(np.random.default_rng(size), size) for size in (0, 1, 2, 7, 8, 9, 40, 65, 70, 140)]
    program = optimise(built(function, [describe(x) for x in cases[3]]))
    changed = program
    for shape in shaping:
        changed = shape(changed)
    assert vectors(changed) > 0
    assert_same(program, changed, *cases)


def along_rows(a, out):
    """Lanes would read elements that are apart."""
    for i in range(a.shape[0]):
        value = 0.0
        for k in range(a.shape[1]):
            value = value * 0.5 + a[i, k]
        out[i] = value


def few_steps(a, out):
    """Compilers make straight code of this, and vectors of that."""
    for i in range(a.shape[0]):
        value = a[i, 0]
        for _ in range(15):
            value = value * 0.5 + 1.0
        out[i] = value


def generator(a, out):
    """Processors divide integers one by one."""
    for i in range(a.shape[0]):
        value = out[i]
        for _ in range(50):
            value = value * 48271 % 2147483647
        out[i] = value


@pytest.mark.parametrize("function", [along_rows, few_steps, generator])
def test_loops_in_order_stay_scalar_where_lanes_gain_nothing(function):
    assert STEPS == 16
    out = np.zeros(9, np.int64 if function is generator else np.float64)
    program = optimise(built(function, [describe(np.zeros((9, 9))), describe(out)]))
    assert lanes(program) == program


def test_branches_that_are_mere_choices_are_left_to_compilers():
    def signs(x, y):
        more, less = 0, 0
        for i in range(len(x)):
            for j in range(i):
                s = (x[i] - x[j]) * (y[i] - y[j])
                if s > 0:
                    more += 1
                elif s < 0:
                    less += 1
        return more, less

    def searched(x, k):
        found = 0.0
        for i in range(len(x)):
            p = i
            while p > 0 and x[k[p] & 1] > x[p]:
                p -= 1
            found = max(found, x[p])
        return found

    for function, arguments in ((signs, [np.zeros(9)] * 2), (searched, [np.zeros(9), np.zeros(9, int)])):
        program = optimise(built(function, tuple(describe(v, "x") for v in arguments)))
        assert vectors(lanes(program)) == 0
