"""Loops in order with operations that may raise, in lanes that run again where one did."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.backends import c
from weft.frontend import build as built
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.types import Vector
from weft.ir.visit import walk
from weft.transform.pipeline import for_cpu, optimise
from weft.transform.speculation.failures import OUTSIDE
from weft.transform.vector.lanes import lanes

from .same import assert_same


def is_in_lanes(program: n.Program) -> bool:
    return any(isinstance(s, n.Let) and isinstance(s.var.type, Vector) for s in walk(program.body))


def pendulums(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        a = x[i]
        s = y[i]
        for _ in range(steps):
            s -= math.sin(a) * dt
            a += s * dt
        x[i] = a
        y[i] = s


def in_place(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        for _ in range(steps):
            y[i] -= math.log(x[i]) * dt
            x[i] += y[i] * dt


def with_branches(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = float(x[i])
        for t in range(steps):
            if v > 1.0:
                v = math.sqrt(v - 0.75) + 1.0 / (t + 1)
            else:
                v = v * 1.7 + math.exp(-v)
            if v > 1e6:
                raise ValueError("too large")
        out[0, i] = v


def newton(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        g = 1.0
        count = 0
        while abs(g * g - x[i]) > 1e-9 and count < 60:
            g = 0.5 * (g + float(x[i]) / g)
            count += 1
        y[i] = math.sqrt(x[i]) - g


def kepler(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        e = x[i]
        for k in range(40):
            d = (e - 0.5 * math.sin(e) - x[i]) / float(1.0 - 0.5 * math.cos(e))
            e -= d
            if abs(d) < 1e-12:
                break
        y[i] = e


def trajectories(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = x[i]
        for t in range(out.shape[0]):
            v = math.sqrt(v) + dt
            out[t, i] = v


def some_of_a_trajectory(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = x[i]
        for t in range(out.shape[0]):
            v = math.log(v) + 1.5
            if v > 1.0:
                out[t, i] = v
            else:
                out[0, i] = -v


def two_loops(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(1, steps):
            s = s * 0.5 + math.cos(k * x[i]) / k
        p = 1.0
        for k in range(1, steps):
            p = p / (1.0 + float(s) / (k * k)) + math.log(x[i])
        y[i] = p


def looked_up(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = x[i]
        s = 0.0
        for _ in range(steps):
            v = 3.75 * v * (1.0 - v)
            s += math.exp(-table[int(v * 7.0)])
        y[i] = s


def random_walk(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        state = int(x[i] * 1000.0) + i
        position = 0.0
        for _ in range(steps):
            state = (state * 1103515245 + 12345) & 0x7FFFFFFF
            position += math.sqrt(-2.0 * math.log((state + 1) / 2147483649.0))
        y[i] = position


def powers(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = float(x[i])
        for _ in range(steps):
            v = abs(v) ** 1.5 + (v + 1.0) ** -1 + abs(v + dt) ** 0.5
            v = v % 2.5
        y[i] = v


def powers_of_elements(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = x[i]
        for _ in range(steps):
            v = abs(v + x[i] ** 3) ** 0.5 + v**2 * np.float32(0.0625) + np.float32(math.sin(v))
        y[i] = v


def lengths_of_their_own(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = float(x[i])
        for _ in range(int(x[i] * 4.0)):
            v = math.sqrt(v) + dt
        y[i] = v


PROGRAMS = [
    pendulums, in_place, with_branches, newton, kepler, trajectories, some_of_a_trajectory, two_loops, looked_up,
    random_walk, powers, powers_of_elements, lengths_of_their_own,
]  # fmt: skip
SPECIAL = [-1.0, -0.0, 0.0, np.nan, np.inf, -np.inf, 1e300, 2.0]


def arguments(size: int, seed: int, special: int, dtype: type = np.float64) -> tuple:
    rng = np.random.default_rng(seed)
    x = (rng.random(size) * 0.75 + 0.2).astype(dtype)
    for _ in range(special if size else 0):
        x[rng.integers(size)] = rng.choice(SPECIAL)
    return x, rng.random(size).astype(dtype), np.full((19, size), 7.0, dtype), rng.random(8), 20, 0.125


def outcome(function, values) -> tuple:
    """The arguments afterwards, and the exception."""
    own = tuple(v.copy() if isinstance(v, np.ndarray) else v for v in values)
    try:
        with np.errstate(all="ignore"):
            function(*own)
    except Exception as error:
        return own, (type(error), str(error).partition("\n")[0])
    return own, None


@pytest.mark.parametrize("function", PROGRAMS)
def test_tiles_do_what_the_loop_does_and_leave_what_it_leaves(function):
    cases = [arguments(size, size, special) for size in (0, 1, 31, 32, 40, 67) for special in (0, 1, 2)]
    program = optimise(built(function, [describe(x) for x in cases[0]]))
    changed = lanes(program)
    assert is_in_lanes(changed)
    assert_same(program, changed, *cases, exact=False)  # the interpreter takes NumPy's exp for that of math


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("function", PROGRAMS)
def test_compiled_tiles_leave_what_the_exact_code_leaves(function, threads, dtype):
    before = weft.get_num_threads()
    weft.set_num_threads(threads)
    try:
        fast, exact = weft.jit(function), weft.jit(function, disable=["lanes"])
        for size, special in ((1, 1), (37, 0), (129, 1), (300, 1), (300, 3)):
            values = arguments(size, size + special, special, dtype)
            (left, raised), (expected, error) = outcome(fast, values), outcome(exact, values)
            assert raised == error
            for a, b in zip(left, expected, strict=True):
                np.testing.assert_array_equal(a, b)
            python, cause = outcome(function, values)
            assert (raised is None) == (cause is None)
            assert cause is None or cause[1] == raised[1]
            for a, b in zip(left, python, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5 if dtype == np.float32 else 1e-9)
    finally:
        weft.set_num_threads(before)


def test_tiles_that_read_and_then_store_are_tested_before_their_turn_or_keep_a_journal():
    """Another thread would have stored its tile already where an earlier one raises (seen in one call of 2,000)."""
    program = for_cpu(optimise(built(pendulums, [describe(v) for v in arguments(5, 1, 0)])))
    assert is_in_lanes(program)
    source = c.generate(program).source
    assert "_in_turn(" in source or "runtime->undoing(" in source


def test_the_exception_names_the_iteration_of_the_user():
    x, y, out, table, steps, dt = arguments(100, 1, 0)
    x[71] = -1.0
    with pytest.raises(ValueError, match=r"i = 71") as caught:
        weft.jit(trajectories)(x, y, out, table, steps, dt)
    assert "math domain error" in str(caught.value)
    assert (out[0, :71] != 7.0).all()
    assert (out[:, 71:] == 7.0).all()


def total(x, steps):
    s = 0.0
    for i in range(x.shape[0]):
        v = float(x[i])
        for _ in range(steps):
            v = v + math.cos(v)
        s += v
    return s


def test_sums_have_the_same_bits_whether_a_tile_ran_again_or_not():
    x = np.random.default_rng(3).random(100)
    compiled = weft.jit(total)
    expected = compiled(x, 10)
    x[50] = np.nan
    assert np.isnan(compiled(x, 10))
    x = np.random.default_rng(3).random(100)
    assert compiled(x, 10) == expected
    assert expected == pytest.approx(total(x, 10), rel=1e-12)


def with_nan(x, out, steps):
    s = 0.0
    for i in range(x.shape[0]):
        k = 1
        for _ in range(steps):
            k = k * 3
        out[i] = k
        s += 1.0 / float(x[i])
    return s


def test_what_only_seems_to_fail_gives_the_same_sum():
    x, out = np.random.default_rng(3).random(100) + 0.5, np.zeros(100, np.int64)
    compiled = weft.jit(with_nan)
    assert compiled(x, out, 10) == compiled(x, out, 39)  # 3 ** 39 fits, but is too large to tell in vectors
    assert out[99] == 3**39


def reads_what_it_stored(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        for t in range(1, out.shape[0]):
            out[t, i] = math.sqrt(out[t - 1, i]) + dt


def straight(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        y[i] = math.sqrt(x[i])


@pytest.mark.parametrize("function", [reads_what_it_stored, straight])
def test_other_loops_are_left_alone(function):
    program = optimise(built(function, [describe(x) for x in arguments(40, 1, 0)]))
    assert lanes(program) is program


def endless(x, y, out, table, steps, dt):
    for i in range(x.shape[0]):
        v = float(x[i])
        while v > 1e-3:
            v = v * 0.5
        y[i] = math.sqrt(x[i] + v)


def test_a_lane_that_never_ends_does_not_hide_the_exception_of_an_earlier_one():
    x, y, out, table, steps, dt = arguments(40, 1, 0)
    x[3], x[9] = -1.0, np.inf
    with pytest.raises(ValueError, match="i = 3"):
        weft.jit(endless, timeout=60)(x, y, out, table, steps, dt)
    assert (y[4:] == arguments(40, 1, 0)[1][4:]).all()


def between_bounds(begins, ends, x, out):
    for i in range(out.shape[0]):
        s = 1.5
        for k in range(begins[i], ends[i]):
            s = math.sqrt(s) + 0.5 * math.sin(x[i])
        out[i] = s


def until_small(begins, ends, x, out):
    for i in range(out.shape[0]):
        s = float(x[i]) + 1.5
        for k in range(begins[i], ends[i]):
            s = math.log(s + 1.0)
            if s < 0.25:
                break
        out[i] = s


@pytest.mark.parametrize("function", [between_bounds, until_small])
def test_ends_may_be_as_far_apart_as_integers_are(function):
    least, most = -(2**63), 2**63 - 1
    pairs = [(most, least), (0, least), (most, 0), (most - 1, most), (least, least + 2), (0, 3), (5, 5), (most, most)]
    pairs += [(0, most)] if function is until_small else []
    begins, ends = (np.array([p[k] for p in pairs] * 9) for k in (0, 1))
    x = np.random.default_rng(1).random(len(begins))
    out, expected = np.zeros(len(begins)), np.zeros(len(begins))
    weft.jit(function, timeout=60)(begins, ends, x, out)
    function(begins.tolist(), ends.tolist(), x, expected)
    np.testing.assert_allclose(out, expected, rtol=1e-12)


@pytest.mark.parametrize("name", sorted(OUTSIDE))
def test_functions_raise_for_no_argument_that_is_taken_for_fine(name):
    function = getattr(math, {"arcsin": "asin", "arccos": "acos"}.get(name, name))
    limits = [limit for _, limit in OUTSIDE[name]]
    with np.errstate(over="ignore"):
        near = [np.nextafter(limit, way) for limit in limits for way in (-np.inf, np.inf)]
    tests = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
    for x in (*limits, *near, 0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324):
        if not any(tests[op](x, limit) for op, limit in OUTSIDE[name]):
            function(float(x))


def test_code_for_processors_verifies():
    for function in PROGRAMS:
        for_cpu(optimise(built(function, [describe(x) for x in arguments(40, 1, 0)])), verify=True)
