"""Bounds of the integers of a kernel: which of them are narrow, and under which condition."""

import operator
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from tests.schedule.scheduled import program_of
from weft.analysis.values.widths import LARGEST, bounds_of, in_whole_numbers, value_of, versions, why_wide, widths
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import walk
from weft.plan.place import place
from weft.schedule.directives import Bind, Order, Stage


def kernel_of(function, *arguments):
    """The first kernel of a function, as it is laid out."""
    return place(program_of(function, arguments), "cuda").kernels[0]


def names(kernel, stem):
    """The variables of a kernel called so."""
    return {s.var.name for s in walk(kernel.body) if isinstance(s, n.Let) and s.var.stem == stem}


def test_counters_and_indices_are_narrow_and_bounded_by_the_trips():
    def triad(a, b, c):
        for i in range(len(a)):
            a[i] = b[i] + 3 * c[i]

    kernel = kernel_of(triad, *(np.zeros(9, np.float32) for _ in range(3)))
    found = widths(kernel)
    counters = {s.index.name for s in walk(kernel.body) if isinstance(s, n.For)}
    assert counters <= found.narrow
    symbols = {symbol for most in found.most for product in most for symbol in product}
    (trip,) = symbols - {p.name for p in kernel.params[:-1]}
    assert trip.startswith("i_extent")
    assert all(value_of(most, {trip: 2**29}) <= LARGEST for most in found.most)
    assert not all(value_of(most, {trip: 2**31}) <= LARGEST for most in found.most)


def test_products_of_extents_are_bounded_by_products():
    def flat(a, b, width):
        for i in range(b.shape[0]):
            for j in range(b.shape[1]):
                b[i, j] = a[i * width + j]

    kernel = kernel_of(flat, np.zeros(12), np.zeros((3, 4)), 4)
    assert any(len(product) == 2 for most in widths(kernel).most for product in most)


def test_large_products_in_groups_of_blocks_have_narrow_indices():
    def product(c, a, b):
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] = 0
                for k in range(a.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

    program = program_of(product, [np.zeros((9, 9), np.float32)] * 3)
    schedule = Bind("j", "x", 32, 8, 4), Bind("i", "y", 4, 16, 4), Stage("k", 8, 2), Order("i", 8)
    kernel = place(program, "cuda", schedule=schedule).kernels[0]
    for most in widths(kernel).most:
        factors, limit = in_whole_numbers(most)
        assert value_of(factors, dict.fromkeys({s for symbols in most for s in symbols}, 32768)) <= limit


def test_parts_of_bounds_are_kept_where_they_are_exact():
    thirds = {("n", "n"): Fraction(1, 3), ("n",): Fraction(1, 2), (): 5}
    assert in_whole_numbers(thirds) == ({("n", "n"): 2, ("n",): 3, (): 30}, 6 * LARGEST)
    tiny = {("n", "n"): Fraction(1, 3**20), (): Fraction(3, 2)}
    assert in_whole_numbers(tiny) == ({("n", "n"): 1, (): 2}, LARGEST)
    assert in_whole_numbers({}) == ({}, LARGEST)


def test_what_is_only_computed_with_stays_wide():
    def squares(a):
        for i in range(len(a)):
            a[i] = i * i

    kernel = kernel_of(squares, np.zeros(9, np.int64))
    lets = [s for s in walk(kernel.body) if isinstance(s, n.Let) and isinstance(s.value, n.Binary)]
    products = {s.var.name for s in lets if s.value.op == "mul" and s.value.left == s.value.right}
    assert products and not products & widths(kernel).narrow


def test_indices_read_from_wide_arrays_stay_wide():
    def gathered(a, b, c):
        for i in range(len(a)):
            a[i] = b[c[i]]

    for dtype, narrow in ((np.int64, False), (np.uint32, False), (np.int32, True), (np.uint16, True)):
        kernel = kernel_of(gathered, np.zeros(9), np.zeros(9), np.zeros(9, dtype))
        casts = {
            s.var.name for s in walk(kernel.body)
            if isinstance(s, n.Let) and isinstance(s.value, n.Cast) and s.var.type == PYINT
        }  # fmt: skip
        assert bool(casts & widths(kernel).narrow) == (narrow and bool(casts))


def test_what_loops_carry_is_bounded_by_what_each_iteration_adds():
    def counted(a, b):
        for i in range(a.shape[0]):
            k = 0
            for j in range(a.shape[1]):
                if a[i, j] > 0:
                    b[i, k] = a[i, j]
                    k += 2

    kernel = kernel_of(counted, np.zeros((3, 4)), np.zeros((3, 8)))
    found = widths(kernel)
    assert {arg.var.name for s in walk(kernel.body) if isinstance(s, n.For) for arg in s.args} <= found.narrow


def test_what_doubles_is_not_bounded():
    def doubled(a, b):
        for i in range(a.shape[0]):
            k = 1
            for j in range(a.shape[1]):
                k = 2 * k
            b[i] = a[i, k - 1]

    kernel = kernel_of(doubled, np.zeros((3, 4)), np.zeros(3))
    carried = {arg.var.name for s in walk(kernel.body) if isinstance(s, n.For) for arg in s.args}
    assert carried and not carried & widths(kernel).narrow


def test_offsets_of_launches_in_pieces_are_as_large_as_the_trips():
    def added(a):
        for i in range(len(a)):
            a[i] += 1

    kernel = kernel_of(added, np.zeros(9))
    offset, trip = kernel.params[-2:]
    assert offset.stem == "i_offset"
    assert all((offset.name,) not in most for most in widths(kernel).most)
    assert any((trip.name,) in most for most in widths(kernel).most)


def test_views_that_a_kernel_makes_keep_it_wide():
    def rows(a, b):
        for i in range(a.shape[0]):
            row = a[i, 1::2]
            s = 0.0
            for x in row:
                s += x
            b[i] = s

    program = place(program_of(rows, (np.zeros((3, 9)), np.zeros(3))), "cuda")
    for launch in (s for s in walk(program.program.body) if isinstance(s, n.Launch)):
        makes = any(isinstance(s, n.Let) and isinstance(s.var.type, View) for s in walk(launch.kernel.body))
        assert bool(why_wide(launch.kernel)) == makes
        assert len(versions(launch.kernel)) == 2 - makes


PYTHON = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floordiv": operator.floordiv, "mod": operator.mod,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "min": min, "max": max,
}  # fmt: skip


@pytest.mark.parametrize("seed", range(200))
def test_bounds_hold_for_whatever_is_computed(seed):
    random = Random(seed)
    params = [n.Var(f"p{k}", PYINT) for k in range(3)]
    atoms, values, lets = list(params), [random.choice((0, 1, -1, 7, -20, 1000)) for _ in params], []
    for k in range(12):
        op, left, right = random.choice(list(PYTHON)), random.randrange(len(atoms)), random.randrange(len(atoms))
        constant = random.randint(-9, 9) or 4
        is_constant = random.random() < 0.5
        divisor = constant if is_constant else values[right]
        if op in ("floordiv", "mod") and divisor == 0:
            continue
        second = n.Const(constant) if is_constant else atoms[right]
        lets.append(n.Let(n.Var(f"v{k}", PYINT), n.Binary(op, atoms[left], second, checked=False)))
        atoms.append(lets[-1].var)
        values.append(PYTHON[op](values[left], divisor))
    given = dict(zip((p.name for p in params), values, strict=False))
    bounds = bounds_of(n.Kernel("k", tuple(params), n.Block(tuple(lets))))
    for atom, value in zip(atoms, values, strict=True):
        low, high = bounds[atom.name]
        assert low is None or -value_of(low, given) <= value
        assert high is None or value <= value_of(high, given)


def test_what_threads_count_together_is_bounded_by_their_parts():
    part, total, carried, count = (n.Var(name, PYINT) for name in ("part", "total", "carried", "count"))
    body = n.Block((n.Let(count, n.Binary("add", carried, n.Const(1), checked=False)),), (count,))
    args, ends = (n.LoopArg(carried, n.Const(0)),), (n.Const(0), n.Const(256))
    for most, bound in ((4, 1024), (0, None)):
        loop = n.For("together", part, *ends, body, args, (total,), together=n.Together(1, most))
        found = bounds_of(n.Kernel("kernel", (), n.Block((loop,)))).get("total")
        assert (found.high if found else None) == ({(): bound} if bound else None)


@pytest.mark.parametrize("seed", range(60))
def test_bounds_hold_after_a_branch_whichever_side_was_taken(seed):
    random = Random(seed)
    params = [n.Var(f"p{k}", PYINT) for k in range(3)]
    given = {p.name: random.choice((0, 1, -1, 7, -20, 1000)) for p in params}
    condition, result, after = n.Var("c", PYBOOL), n.Var("r", PYINT), n.Var("after", PYINT)
    blocks, values = [], []
    for side in ("then", "orelse"):
        op, param, constant = random.choice(("add", "sub", "mul")), random.choice(params), random.randint(-50, 50)
        made = n.Var(side, PYINT)
        blocks.append(n.Block((n.Let(made, n.Binary(op, param, n.Const(constant), checked=False)),), (made,)))
        values.append(PYTHON[op](given[param.name], constant))
    branch = n.If(condition, *blocks, (result,))
    more = n.Let(after, n.Binary("sub", result, params[0], checked=False))
    bounds = bounds_of(n.Kernel("k", (*params, condition), n.Block((branch, more))))
    for taken in values:
        for name, value in (("r", taken), ("after", taken - given["p0"])):
            low, high = bounds[name]
            assert low is None or -value_of(low, given) <= value
            assert high is None or value <= value_of(high, given)
