"""Floats that are added by key on devices: the same bits in any order, and next to the exact sums."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated
from weft.plan.place import place
from weft.transform.pipeline import optimise


def add(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] += w[i]


def subtract(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] -= w[i]


def pairs(key, w, out):
    flat = out[:, None]
    for i in range(key.shape[0]):
        flat[key[i], 0] += w[i]


def some(key, w, out):
    for i in range(key.shape[0]):
        if key[i] % 3 != 1:
            out[key[i]] += w[i]


def twice(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] += w[i]
        out[-1 - key[i]] += w[-1 - i]


def in_products(key, w, out):
    for i in range(key.shape[0]):
        for j in range(w.shape[0]):
            out[(key[i] + j) % 5] += w[j]


FUNCTIONS = [add, subtract, pairs, some, twice, in_products]


def two_arrays(key, w, out, counts, seen):
    for i in range(key.shape[0]):
        out[key[i]] += w[i]
        counts[key[i]] += 1
        seen[i] = 2.0 * w[i]
        seen[i] += 1.0


def table(rows, columns, w, out):
    for i in range(rows.shape[0]):
        out[rows[i], columns[i]] += w[i]


def rows_by_key(rows, x, out):
    for i in range(rows.shape[0]):
        for j in range(x.shape[1]):
            out[rows[i], j] += x[i, j]


def rows_as_arrays(rows, x, out):
    for i in range(rows.shape[0]):
        out[rows[i]] += x[i]


def columns_of_a_sparse_matrix(start, row, value, x, out):
    for j in range(start.shape[0] - 1):
        for k in range(start[j], start[j + 1]):
            out[row[k]] += value[k] * x[j]


def corners(px, py, mass, out):
    for i in range(len(px)):
        a = int(px[i])
        b = int(py[i])
        u = px[i] - a
        v = py[i] - b
        out[a, b] += mass[i] * (1.0 - u) * (1.0 - v)
        out[a + 1, b] += mass[i] * u * (1.0 - v)
        out[a, b + 1] += mass[i] * (1.0 - u) * v
        out[a + 1, b + 1] += mass[i] * u * v


def weighted_bins(x, w, out, low, width):
    for i in range(len(x)):
        b = int((x[i] - low) / width)
        assert b < 1000
        if b >= 0 and b < len(out):
            out[b] += w[i]


def kernels(function, *arguments):
    """The nests of a function that are kernels, and those on the host that no kernel stands beside."""
    found = place(optimise(program_of(function, *arguments)), DEVICE).nests
    return [p for p in found if p.kernel], [p for p in found if not (p.kernel or p.stands_by)]


def compare(function, *arguments, rtol=None):
    """Run a function on the device and in Python; the sums of both are near one another."""
    mine, theirs = ([np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments] for _ in range(2))
    error = None
    with np.errstate(all="ignore"):
        try:
            function(*theirs)
        except Exception as raised:
            error = raised
        simulated = Simulated(function)
        if error is None:
            simulated(*mine)
        else:
            with pytest.raises(type(error)):
                simulated(*mine)
    for a, b in zip(mine, theirs, strict=True):
        if isinstance(a, np.ndarray) and a.dtype.kind == "f":
            tolerance = rtol or 64 * np.finfo(a.dtype).eps
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
            zero = (a == 0) & (b == 0)
            assert np.array_equal(np.signbit(a[zero]), np.signbit(b[zero]))
        elif isinstance(a, np.ndarray):
            assert np.array_equal(a, b)
    return mine


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("size", [0, 1, 2, 17, 100])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_sums_are_those_of_the_loop(function, size, dtype):
    generator = np.random.default_rng(size)
    key, w = generator.integers(-5, 5, size), generator.standard_normal(size).astype(dtype)
    compare(function, key, w, generator.standard_normal(5).astype(dtype))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_all_of_it_is_kernels(function):
    made, host = kernels(function, np.zeros(9, np.int64), np.zeros(9, np.float32), np.zeros(5, np.float32))
    assert {p.kernel.rpartition("_")[2] for p in made} == {"clears", "largest", "sums", "rounds"}
    assert not host


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_results_are_next_to_the_exact_sums(dtype):
    generator = np.random.default_rng(3)
    key = generator.integers(0, 7, 500)
    w = np.ldexp(generator.standard_normal(500), generator.integers(-30, 30, 500)).astype(dtype)
    out = np.zeros(7, dtype)
    Simulated(add)(key, w, out)
    for k in range(7):
        exact = sum((Fraction(float(x)) for x in w[key == k]), Fraction(0))
        largest = Fraction(float(np.abs(w[key == k]).max()))
        lost = largest / 2 ** (46 if dtype == np.float32 else 74)
        assert abs(Fraction(float(out[k])) - exact) <= abs(Fraction(float(np.spacing(out[k])))) + lost


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_order_does_not_matter(dtype):
    generator = np.random.default_rng(4)
    key = generator.integers(0, 3, 300)
    w = np.ldexp(generator.standard_normal(300), generator.integers(-9, 9, 300)).astype(dtype)
    found = []
    for order in (np.arange(300), np.arange(300)[::-1], generator.permutation(300)):
        out = np.zeros(3, dtype)
        Simulated(add)(key[order], w[order], out)
        found.append(out.tobytes())
    assert len(set(found)) == 1


SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.5, -2.5, "tiny", "-tiny", "large", "-large"]


def numbers(dtype):
    limits = np.finfo(dtype)
    named = {"tiny": limits.smallest_subnormal, "large": limits.max / 4}
    named.update({f"-{name}": -value for name, value in named.items()})
    return [dtype(named.get(x, x)) for x in SPECIAL]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_pairs_of_special_numbers(dtype):
    special = numbers(dtype)
    added = [(a, b) for a in special for b in special]
    key = np.repeat(np.arange(len(added)), 2)
    w = np.array(added, dtype).reshape(-1)
    for start in special[:5]:
        compare(add, key, w, np.full(len(added) + 1, start, dtype))


def test_elements_that_nothing_is_added_to_stay_as_they_are():
    out = np.array([-0.0, math.nan, math.inf, 1.0])
    (_, _, found) = compare(add, np.array([3]), np.array([-0.0]), out)
    assert found[:3].tobytes() == out[:3].tobytes()


@pytest.mark.parametrize("keys", [[0, 1, 5, 2], [0, 1, -6, 2], [7], [4, -5, 2**62]])
@pytest.mark.parametrize("function", [add, pairs, twice, some], ids=lambda function: function.__name__)
def test_keys_outside_are_errors_after_what_came_before(function, keys):
    compare(function, np.array(keys), np.linspace(1.0, 2.0, len(keys)), np.ones(5))


@pytest.mark.parametrize("function", [add, pairs], ids=lambda function: function.__name__)
@pytest.mark.parametrize("keys", [[0] * 40, list(range(40))], ids=["one", "all different"])
def test_one_key_and_all_different_ones(function, keys):
    compare(function, np.array(keys), np.random.default_rng(0).random(40), np.zeros(40))


@pytest.mark.parametrize("size", [0, 1, 50])
def test_several_arrays_in_one_loop(size):
    generator = np.random.default_rng(size)
    key, w = generator.integers(0, 6, size), generator.random(size)
    compare(two_arrays, key, w, np.zeros(6), np.zeros(6, np.int64), np.zeros(size))
    assert not kernels(two_arrays, key, w, np.zeros(6), np.zeros(6, np.int64), np.zeros(size))[1]


@pytest.mark.parametrize("size", [0, 1, 31])
def test_two_keys_and_rows(size):
    generator = np.random.default_rng(size)
    rows, columns = generator.integers(-3, 3, size), generator.integers(0, 4, size)
    compare(table, rows, columns, generator.random(size), np.zeros((3, 4)))
    compare(table, rows, columns, generator.random(size), np.zeros((4, 3)).T)
    x = generator.random((size, 4)).astype(np.float32)
    for function in (rows_by_key, rows_as_arrays):
        compare(function, rows, x, np.zeros((3, 4), np.float32))
        compare(function, rows, x, np.zeros((3, 8), np.float32)[:, ::2])
        assert not kernels(function, rows, x, np.zeros((3, 4), np.float32))[1]


def test_rows_outside():
    x = np.random.default_rng(1).random((3, 4))
    for function in (rows_by_key, rows_as_arrays):
        compare(function, np.array([0, 3, 1]), x, np.zeros((3, 4)))


def by_rows_of_a_triangle(key, w, out):
    for i in range(key.shape[0]):
        for j in range(i):
            out[key[j]] += w[i]
        out[0] = 0.5 * out[0]


def test_rows_of_a_triangle_are_no_launches():
    arguments = np.array([1, 0, 2, -1, 3]), np.ones(5), np.zeros(4)
    compare(by_rows_of_a_triangle, *arguments)
    assert not kernels(by_rows_of_a_triangle, *arguments)[0]


def test_columns_of_a_sparse_matrix():
    generator = np.random.default_rng(5)
    start = np.concatenate([[0], np.cumsum(generator.integers(0, 6, 12))])
    row, value = generator.integers(0, 9, start[-1]), generator.random(start[-1])
    arguments = start, row, value, generator.random(12), np.zeros(9)
    compare(columns_of_a_sparse_matrix, *arguments)
    row[7] = 9
    compare(columns_of_a_sparse_matrix, *arguments)


@pytest.mark.parametrize("wrong", [None, math.nan, math.inf, 7.0, -3.0, 1e10])
def test_particles(wrong):
    generator = np.random.default_rng(6)
    px, py = 6 * generator.random(20), 6 * generator.random(20)
    if wrong is not None:
        px[11] = wrong
    arguments = px, py, generator.random(20), np.zeros((8, 8))
    compare(corners, *arguments)
    assert not kernels(corners, *arguments)[1]


@pytest.mark.parametrize("wrong", [None, math.inf, 1e4])
def test_weights_of_a_histogram(wrong):
    generator = np.random.default_rng(7)
    x, w = 2 * generator.random(60) - 0.5, generator.random(60)
    if wrong is not None:
        x[31] = wrong
    compare(weighted_bins, x, w, np.zeros(10), 0.0, 0.1)
    assert not kernels(weighted_bins, x, w, np.zeros(10), 0.0, 0.1)[1]


def multiply(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] *= w[i]


def smallest_and_more(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] = min(out[key[i]], w[i])
        w[i] = 0.5


def reads_what_it_writes(key, w, out):
    for i in range(key.shape[0]):
        w[i] = 2.0 * w[i]
        out[key[i]] += w[i]


def until(key, w, out):
    for i in range(key.shape[0]):
        x = w[i]
        while x > 1.0:
            x *= 0.5
        out[key[i]] += x


@pytest.mark.parametrize(
    "function", [multiply, smallest_and_more, reads_what_it_writes, until], ids=lambda f: f.__name__
)
def test_other_loops_stay_on_the_host_and_say_so(function):
    generator = np.random.default_rng(8)
    arguments = generator.integers(-4, 4, 30), 3 * generator.random(30), np.ones(4)
    compare(function, *arguments)
    _, host = kernels(function, *arguments)
    assert any("in an order that would change the result" in p.reason for p in host)


def wide_numbers(key, w, out):
    for i in range(key.shape[0]):
        out[key[i]] += w[i] * 1.0000001


def test_float32_with_numbers_of_float64():
    generator = np.random.default_rng(9)
    compare(wide_numbers, generator.integers(0, 4, 50), generator.random(50), np.zeros(4, np.float32))


def in_steps(key, w, out, steps):
    for _ in range(steps):
        for i in range(key.shape[0]):
            out[key[i]] += w[i]
        for k in range(out.shape[0]):
            out[k] = 0.5 * out[k]


def test_in_steps():
    generator = np.random.default_rng(10)
    compare(in_steps, generator.integers(0, 4, 20), generator.random(20), np.zeros(4), 5)


def stores_beside(key, w, out, seen, steps):
    for _ in range(steps):
        for i in range(key.shape[0]):
            out[key[i]] += w[i]
            seen[i] = w[i] - 1.0


def stores_in_branches(key, w, out, seen, steps):
    for t in range(steps):
        for i in range(key.shape[0]):
            if i % 2 == 0:
                out[key[i]] += w[i]
            else:
                seen[i] = w[i] + t


def changes_beside(key, w, out, seen, steps):
    row = seen[1:]
    for _ in range(steps):
        for i in range(key.shape[0] - 1):
            out[key[i]] += w[i]
            row[i] += 2.0


BESIDE = [stores_beside, stores_in_branches, changes_beside]


@pytest.mark.parametrize("function", BESIDE, ids=lambda function: function.__name__)
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_what_is_stored_beside_sums_in_steps_stays(function, steps):
    generator = np.random.default_rng(steps)
    key, w = generator.integers(0, 4, 20), generator.random(20)
    compare(function, key, w, np.zeros(4), np.full(20, 7.0), steps)


@pytest.mark.opencl
@pytest.mark.parametrize("function", BESIDE, ids=lambda function: function.__name__)
@pytest.mark.parametrize("disable", [(), ("placement",)])
def test_what_is_stored_beside_sums_on_opencl(function, disable):
    generator = np.random.default_rng(3)
    key, w = generator.integers(0, 4, 20), generator.random(20)
    mine, theirs = ([np.zeros(4), np.full(20, 7.0)] for _ in range(2))
    weft.jit(function, device="opencl", disable=disable)(key, w, *mine, 2)
    function(key, w, *theirs, 2)
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_arrays_that_overlap():
    both = np.arange(12.0)
    mine, theirs = both.copy(), both.copy()
    key = np.array([0, 3, 2, 3])
    add(key, theirs[2:6], theirs[:4])
    Simulated(add)(key, mine[2:6], mine[:4])
    assert np.array_equal(mine, theirs)


def on_device(device, size):
    """Functions on a device that is there, beside Python."""
    generator = np.random.default_rng(size)
    key, w = generator.integers(-5, 5, size), generator.standard_normal(size)
    for dtype in (np.float16, np.float32, np.float64):
        start = generator.standard_normal(5).astype(dtype)
        mine, theirs = start.copy(), start.copy()
        weft.jit(add, device=device)(key, w.astype(dtype), mine)
        add(key, w.astype(dtype), theirs)
        tolerance = 64 * np.finfo(dtype).eps
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance)
        simulated = start.copy()
        Simulated(add)(key, w.astype(dtype), simulated)
        assert simulated.tobytes() == mine.tobytes()
    px, py = 6 * generator.random((2, size))
    mine, theirs = np.zeros((8, 8)), np.zeros((8, 8))
    weft.jit(corners, device=device)(px, py, w, mine)
    corners(px, py, w, theirs)
    np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    key[size // 2] = 7
    mine, theirs = np.ones(5), np.ones(5)
    for function, out in ((weft.jit(add, device=device), mine), (add, theirs)):
        with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
            function(key, w, out)
    assert np.array_equal(mine, theirs)


@pytest.mark.opencl
def test_on_opencl():
    on_device("opencl", 700)


@pytest.mark.gpu
def test_on_a_gpu():
    on_device("cuda", 700)
