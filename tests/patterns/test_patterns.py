"""Patterns beside NumPy: in and outside of compiled code, on the processor and through OpenCL."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weft

random = np.random.default_rng(19)
V = random.standard_normal(1000)
W = random.standard_normal(1000)
M = random.integers(-50, 50, (17, 23)).astype(np.int32)
B = V > 0
C = random.integers(0, 9, (3, 4, 5)).astype(np.int16)
U = C.astype(np.uint8)


def same(got, wanted):
    """Compare results with their types; floats may differ by the order of sums."""
    gots, wanteds = (x if isinstance(x, tuple) else (x,) for x in (got, wanted))
    assert len(gots) == len(wanteds)
    for g, w in zip(gots, wanteds):
        assert np.asarray(g).dtype == np.asarray(w).dtype
        assert np.shape(g) == np.shape(w)
        np.testing.assert_allclose(g, w, rtol=1e-12, atol=1e-12)


def padded(a, mode):
    return np.pad(a, 1, mode={"zero": "constant"}.get(mode, mode))


def stencil_2d(mode):
    p = padded(M, mode)
    return p[:-2, 1:-1] + 2 * p[1:-1, 2:] - p[1:-1, 1:-1]


def larger(x, y):
    return x if x > y else y


def first_largest(p, q):
    return p if p[0] >= q[0] else q


OFFSETS = np.array([0, 3, 3, 10, 1000])
INDEX = random.permutation(1000)
RECORDS = np.empty(100, [("x", "f8"), ("n", "i4")])
RECORDS["x"], RECORDS["n"] = random.standard_normal(100), np.arange(100)
KEYS = random.integers(0, 20, 1000)

CASES = {
    "map": (lambda: weft.map(lambda x: x * 2 + 1, V), lambda: V * 2 + 1),
    "map of two": (lambda: weft.map(lambda x, y: x * y, V, W), lambda: V * W),
    "map of a matrix": (lambda: weft.map(lambda x: x + x, M), lambda: M + M),
    "map of three dimensions": (lambda: weft.map(lambda x: x > 3, C), lambda: C > 3),
    "map to a tuple": (lambda: weft.map(lambda x: (x + 1, x < 0), M), lambda: (M + np.int32(1), M < 0)),
    "map with an index": (lambda: weft.map(lambda x, i: x * i, V, index=True), lambda: V * np.arange(1000)),
    "map with two indices": (
        lambda: weft.map(lambda x, i, j: i * 100 + j, M, index=True),
        lambda: np.arange(17)[:, None] * 100 + np.arange(23),
    ),
    "map of nothing": (lambda: weft.map(lambda x: x > 1, V[:0]), lambda: V[:0] > 1),
    "map of a strided view": (lambda: weft.map(lambda x: x + 1, M.T[::2]), lambda: M.T[::2] + np.int32(1)),
    "sum": (lambda: weft.reduce("add", V), lambda: np.add.reduce(V)),
    "sum of small integers": (lambda: weft.reduce("+", C), lambda: np.add.reduce(C, axis=None)),
    "sum of unsigned integers": (lambda: weft.reduce("add", U), lambda: U.sum()),
    "sum of Booleans": (lambda: weft.reduce("add", B), lambda: B.sum()),
    "sum along the first axis": (lambda: weft.reduce("add", C, axis=0), lambda: C.sum(0)),
    "sum along the middle axis": (lambda: weft.reduce("add", C, axis=1), lambda: C.sum(1)),
    "sum along the last axis": (lambda: weft.reduce("add", C, axis=-1), lambda: C.sum(-1)),
    "sum from a start": (lambda: weft.reduce("add", M, axis=0, initial=10), lambda: np.add.reduce(M, initial=10)),
    "sum of nothing": (lambda: weft.reduce("add", V[:0]), lambda: np.add.reduce(V[:0])),
    "product": (lambda: weft.reduce(np.multiply, V[:9]), lambda: np.multiply.reduce(V[:9])),
    "minimum": (lambda: weft.reduce("min", M), lambda: M.min()),
    "maximum along an axis": (lambda: weft.reduce("maximum", M, axis=1), lambda: M.max(1)),
    "and": (lambda: weft.reduce("bitwise_and", M, axis=0), lambda: np.bitwise_and.reduce(M)),
    "or": (lambda: weft.reduce("|", M, axis=1), lambda: np.bitwise_or.reduce(M, axis=1)),
    "exclusive or": (lambda: weft.reduce("^", M, axis=1), lambda: np.bitwise_xor.reduce(M, axis=1)),
    "reduce by a function": (lambda: weft.reduce(larger, V), lambda: V.max()),
    "reduce by a lambda along an axis": (lambda: weft.reduce(lambda x, y: max(x, y), M, axis=0), lambda: M.max(0)),
    "reduce of tuples": (
        lambda: weft.reduce(first_largest, (V, np.arange(1000))), lambda: (V.max(), np.argmax(V)),
    ),
    "reduce keeps the order": (
        lambda: weft.reduce(lambda x, y: y, (V)), lambda: V[-1],
    ),
    "scan": (lambda: weft.scan("add", V), lambda: np.add.accumulate(V)),
    "scan of small integers": (lambda: weft.scan("add", M, axis=1), lambda: np.add.accumulate(M, axis=1)),
    "scan of maxima": (lambda: weft.scan("max", M, axis=0), lambda: np.maximum.accumulate(M, axis=0)),
    "exclusive scan": (lambda: weft.scan("add", M, exclusive=True), lambda: np.cumsum(M, axis=0) - M),
    "scan from a start": (lambda: weft.scan("add", V, initial=3.0), lambda: 3.0 + np.cumsum(V)),
    "exclusive scan from a start": (
        lambda: weft.scan("max", V, initial=0.5, exclusive=True),
        lambda: np.maximum.accumulate(np.concatenate([[0.5], V[:-1]])),
    ),
    "scan by a function": (lambda: weft.scan(larger, V), lambda: np.maximum.accumulate(V)),
    "scan of nothing": (lambda: weft.scan("add", V[:0]), lambda: V[:0]),
    "segments": (lambda: weft.segment_reduce("add", V, OFFSETS), lambda: segments(V, OFFSETS)),
    "segments by a function": (
        lambda: weft.segment_reduce(larger, V, OFFSETS, initial=-99.0),
        lambda: np.array([max(V[a:b], default=-99.0) for a, b in zip(OFFSETS, OFFSETS[1:])]),
    ),
    "filter": (lambda: weft.filter(lambda x: x > 0.5, V), lambda: V[V > 0.5]),
    "filter of a matrix": (lambda: weft.filter(lambda x: x % 3 == 0, M), lambda: M[M % 3 == 0]),
    "filter of nothing": (lambda: weft.filter(lambda x: x > 99.0, V), lambda: V[V > 99]),
    "sort": (lambda: weft.sort(V), lambda: np.sort(V)),
    "sort along the first axis": (lambda: weft.sort(M, axis=0), lambda: np.sort(M, axis=0)),
    "sort along the last axis": (lambda: weft.sort(C), lambda: np.sort(C)),
    "histogram": (lambda: weft.histogram(V, 17), lambda: np.histogram(V, 17)),
    "histogram of a range": (lambda: weft.histogram(V, 7, (-1, 1)), lambda: np.histogram(V, 7, (-1, 1))),
    "histogram of integers": (lambda: weft.histogram(M), lambda: np.histogram(M)),
    "stencil": (
        lambda: weft.stencil(lambda at: at(-1) - 2 * at(0) + at(1), V),
        lambda: (lambda p: p[:-2] - 2 * p[1:-1] + p[2:])(np.pad(V, 1)),
    ),
    **{
        f"stencil of a matrix, {mode}": (
            functools.partial(
                lambda mode: weft.stencil(lambda at: at(-1, 0) + 2 * at(0, 1) - at(0, 0), M, boundary=mode), mode
            ),
            functools.partial(stencil_2d, mode),
        )
        for mode in ("zero", "edge", "reflect", "wrap")
    },
    "gather": (lambda: weft.gather(V, [0, 500], count=500), lambda: V.reshape(2, 500).T),
    "gather around": (
        lambda: weft.gather(V, np.array([-1, 0, 1]), boundary="edge"),
        lambda: np.stack([padded(V, "edge")[k : k + 1000] for k in range(3)], 1),
    ),
    "structure of arrays": (lambda: weft.soa(RECORDS), lambda: tuple(RECORDS[name] for name in RECORDS.dtype.names)),
    "structure of arrays, strided": (lambda: weft.soa(RECORDS[::-2]), lambda: (RECORDS["x"][::-2], RECORDS["n"][::-2])),
    "fields together": (
        lambda: weft.map(lambda x, n: x * n, *weft.soa(RECORDS)), lambda: RECORDS["x"] * RECORDS["n"],
    ),
    "scatter": (lambda: weft.scatter(V, INDEX, np.zeros(1000)), lambda: V[np.argsort(INDEX)]),
    "scatter from the end": (
        lambda: weft.scatter(V[:3], np.array([-1, -2, 0]), np.zeros(4)), lambda: np.array([V[2], 0, V[1], V[0]]),
    ),
    "scatter that adds": (
        lambda: weft.scatter(V, KEYS, np.zeros(20), "add"), lambda: np.bincount(KEYS, V, 20),
    ),
    "scatter of maxima": (
        lambda: weft.scatter(V, KEYS, np.full(20, -9.0), "max"),
        lambda: np.array([V[KEYS == k].max() for k in range(20)]),
    ),
    "scatter by a function": (
        lambda: weft.scatter(V, KEYS, np.zeros(20), lambda old, new: new),
        lambda: np.array([V[KEYS == k][-1] for k in range(20)]),
    ),
}  # fmt: skip


def segments(values, offsets):
    return np.array([values[a:b].sum() for a, b in zip(offsets, offsets[1:])])


@pytest.mark.parametrize("name", CASES)
def test_pattern_is_numpys(name):
    pattern, plain = CASES[name]
    same(pattern(), plain())


@pytest.mark.parametrize("name", CASES)
def test_pattern_in_compiled_code(name):
    pattern, plain = CASES[name]
    pattern = getattr(pattern, "func", pattern)
    if pattern.__code__.co_argcount:
        pytest.skip("options are constants in compiled code")
    same(weft.jit(pattern)(), plain())


ON_DEVICES = (
    "map", "map of two", "map with two indices", "sum", "sum along the first axis", "maximum along an axis", "scan",
    "segments", "filter", "sort", "histogram of a range", "stencil of a matrix, wrap", "gather around", "scatter",
    "scatter that adds", "reduce by a function", "structure of arrays",
)  # fmt: skip


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ON_DEVICES)
def test_pattern_through_opencl(name):
    pattern, plain = CASES[name]
    with weft.device("opencl"):
        same(pattern(), plain())


@pytest.mark.opencl
def test_a_map_runs_on_the_device():
    @weft.jit(device="opencl")
    def doubled(a):
        return weft.map(lambda x: x + x, a)

    same(doubled(V), V + V)
    assert "__kernel" in doubled.inspect(V).source


def test_a_reduction_by_a_function_is_parallel():
    @weft.jit
    def largest(a):
        return weft.reduce(larger, a)

    assert "parallel" in largest.inspect(V).ir


def test_a_pattern_in_the_function_of_another():
    @weft.jit
    def sums(m):
        return weft.map(lambda x, i, j: weft.reduce("add", m[i]), m, index=True)[:, 0].copy()

    same(sums(M.astype(float)), M.astype(float).sum(1))


SHARED = {
    "values are the array backwards": lambda a, k: (a[::-1], k, a),
    "values are a part": lambda a, k: (a[: len(k)], k, a),
    "values are the array": lambda a, k: (a, k, a),
    "positions are the array": lambda a, k: (k * 10, a, a),
    "all are the array": lambda a, k: (a, a, a),
    "neither": lambda a, k: (k * 10, k, a),
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("combine", ["unique", "add"])
@pytest.mark.parametrize("name", SHARED)
def test_a_scatter_of_arrays_that_share_memory(name, combine, compiled):
    """What is read is read before anything is written, as NumPy does it."""

    def stored(values, index, out):
        return weft.scatter(values, index, out, combine)

    f = weft.jit(stored) if compiled else stored
    for size in (1, 7, 1000):
        k = np.random.default_rng(size).permutation(size)
        a, b = k.copy(), k.copy()
        values, index, out = (x.copy() for x in SHARED[name](b, k))
        wanted = out.copy()
        (np.add.at if combine == "add" else np.put)(wanted, index, values)
        got = f(*SHARED[name](a, k))
        np.testing.assert_array_equal(got, wanted)
        np.testing.assert_array_equal(a, wanted)


def test_functions_capture_numbers():
    same([weft.map(lambda x: x + k, V) for k in (1.0, 2.0)][1], V + 2.0)


@given(st.lists(st.floats(allow_nan=True, width=32), max_size=300))
@settings(max_examples=40)
def test_sort_of_anything(values):
    a = np.array(values, dtype=np.float64)
    np.testing.assert_array_equal(weft.sort(a), np.sort(a))


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=2000), st.integers(1, 9))
@settings(max_examples=40)
def test_histogram_of_anything(values, bins):
    a = np.array(values)
    for got, wanted in zip(weft.histogram(a, bins), np.histogram(a, bins)):
        np.testing.assert_array_equal(got, wanted)


def test_sort_on_threads(on_four_threads):
    a = random.standard_normal(20_000)
    np.testing.assert_array_equal(weft.sort(a), np.sort(a))
