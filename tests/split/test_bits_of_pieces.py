"""Pieces make the choices of the whole loop: sums have the bits of one device, wherever a loop is cut.

Which kernel runs, and where rows are cut, depends on how many rows there are. Here sizes and limits are small, so that
a piece is on the other side of each limit than the whole.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, WHOLE, two_halves  # noqa: F401 - a fixture
from tests.split.in_pieces import InPieces, copies, placement
from weft.errors import UnsupportedError
from weft.ir.visit import launches_in


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch):
    """Blocks of 16 rows, of which 3 are enough; folds in parts for up to 30 rows; tiles of 64 rows and entries."""
    pairs = importlib.import_module("weft.tune.pairs")
    monkeypatch.setattr(pairs, "MANY", {1: (16,), 2: (4, 4), 3: (4, 2, 2)})
    monkeypatch.setattr(pairs, "SOME", {1: (8,), 2: (4, 2), 3: (2, 2, 2)})
    monkeypatch.setattr(pairs, "FEW", ({1: (4,), 2: (2, 2)}, {1: (4,), 2: (2, 2)}))
    monkeypatch.setattr("weft.plan.launch_variants.enough_blocks", lambda *_: 3)
    monkeypatch.setattr("weft.plan.prepare.folds.few_folds.ENOUGH", 30)
    monkeypatch.setattr("weft.plan.prepare.folds.few_folds.LEAST", 32)
    monkeypatch.setattr("weft.plan.prepare.csr.balanced.FEW", 100)
    monkeypatch.setattr("weft.plan.prepare.csr.balanced.COUNT", 64)
    monkeypatch.setattr("weft.plan.prepare.csr.cuts.COUNT", 64)


def same(function, arguments, *cuts):
    """Whether calls in pieces leave the bits of a call without, which changes something."""
    pieces, whole = InPieces(function, arguments), copies(arguments)
    pieces.run_whole(whole)
    arrays = [k for k, value in enumerate(arguments) if isinstance(value, np.ndarray)]
    assert any(not np.array_equal(arguments[k], whole[k]) for k in arrays)
    for cut in cuts:
        found = copies(arguments)
        pieces.run(found, cut)
        if any(found[k].tobytes() != whole[k].tobytes() for k in arrays):
            return False
    return True


def pair_sums(x, z, y):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(z.shape[0]):
            d = x[i] - z[j]
            s += d * (d * d + 0.01)
        y[i] = s


def pair_products(x, z, y):
    for i in range(1, x.shape[0] - 1):
        s = 1.0
        for j in range(z.shape[0]):
            s *= 1.0 + 0.01 * (x[i - 1] - z[j]) * x[i + 1]
        y[i] = s


def pair_extremes(x, z, y):
    for i in range(x.shape[0]):
        s = -1e30
        for j in range(z.shape[0]):
            s = max(s, x[i] * z[j])
        y[i] = s


def pairs_in_steps(x, z, y):
    for step in range(2):
        for i in range(x.shape[0]):
            s = 0.0
            for j in range(z.shape[0]):
                s += abs(y[i] - x[j])
            z[i] = s * 0.1
        for i in range(x.shape[0]):
            x[i] += 0.01 * z[i]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", [pair_sums, pair_products, pair_extremes, pairs_in_steps])
@pytest.mark.parametrize("rows", [32, 33, 49])
def test_few_rows_are_those_of_the_whole(function, rows, dtype):
    rng = np.random.default_rng(rows)
    others = rows if function is pairs_in_steps else 37
    arguments = [rng.random(rows).astype(dtype), rng.random(others).astype(dtype), np.zeros(rows, dtype)]
    assert same(function, arguments, (0.5,), (0.1, 0.85))


def test_a_piece_with_few_points_has_smaller_blocks_and_adds_as_the_whole():
    """Half of 64 rows are 2 blocks of 16, which are too few, so 4 of 8; no threads share a sum."""
    rng = np.random.default_rng(3)
    arguments = [rng.random(64), rng.random(40), np.zeros(64)]
    pieces = InPieces(pair_sums, arguments)
    (phase,) = pieces.plan.phases()
    whole, piece = (_threads(placement(program, 1)) for program in (pieces.program, phase.piece))
    assert (16, 1, 1) in whole and piece == {*whole, (8, 1, 1)}
    assert same(pair_sums, arguments, (0.5,), (0.3, 0.6))


def _threads(placed):
    """The threads of a block of each launch."""
    return {s.kernel.group for s in launches_in(placed.program.body)}


def pairs_of_two_loops(x, z, y):
    for i in range(y.shape[0]):
        for k in range(y.shape[1]):
            s = 0.0
            for j in range(z.shape[0]):
                s += (x[i] - z[j]) * (x[k] + z[j])
            y[i, k] = s


def test_few_points_of_two_loops_are_those_of_the_whole():
    rng = np.random.default_rng(0)
    assert same(pairs_of_two_loops, [rng.random(9), rng.random(35), np.zeros((9, 5))], (0.4,))


def folds_of_two_loops(a, y):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s += a[i, j, k]
        y[i] = s


def products_of_two_loops(a, y):
    for i in range(a.shape[0]):
        s = 1.0
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s *= 1.0 + 0.1 * a[i, j, k]
        y[i] = s


@pytest.mark.parametrize("function", [folds_of_two_loops, products_of_two_loops])
@pytest.mark.parametrize("rows", [30, 31])
def test_long_folds_of_few_rows_are_those_of_the_whole(function, rows):
    rng = np.random.default_rng(rows)
    arguments = [rng.random((rows, 2, 17)).astype(np.float32), np.zeros(rows, np.float32)]
    assert same(function, arguments, (0.1, 0.85))


def sparse_sums(v, c, p, x, y):
    for i in range(len(p) - 1):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]]
        y[i] = s


def sparse_products(v, c, p, x, y):
    for i in range(1, len(p) - 1):
        s = 1.0
        for k in range(p[i], p[i + 1]):
            s *= 1.0 + 0.01 * v[k] * x[c[k]]
        y[i] = s


def sparse_rows_that_count(v, c, p, x, y):
    """What an entry gives depends on its row, so long rows are in pieces, and others are not cut."""
    for i in range(len(p) - 1):
        s = y[i]
        for k in range(p[i], p[i + 1]):
            s += v[k] * x[c[k]] - y[i]
        y[i] = s


def sparse_extremes(v, c, p, x, y):
    for i in range(len(p) - 1):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s = max(s, v[k] * x[c[k]])
        y[i] = s


def matrix(seed, rows, longest):
    """Rows of any length, with one that goes through several tiles."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 9, rows)
    lengths[rows // 2] = longest
    p = np.concatenate([[0], np.cumsum(lengths)])
    return [rng.random(p[-1]), rng.integers(0, 20, p[-1]), p, rng.random(20), rng.random(rows)]


@pytest.mark.parametrize("function", [sparse_sums, sparse_products, sparse_rows_that_count, sparse_extremes])
@pytest.mark.parametrize("longest", [0, 150])
def test_sparse_rows_are_cut_where_those_of_the_whole_are(function, longest):
    assert same(function, matrix(longest, 41, longest), (0.5,), (0.1, 0.85), (0.0, 0.4, 0.41))


def test_rows_out_of_order_in_one_piece_are_out_of_order_in_all():
    arguments = matrix(0, 41, 100)
    arguments[2][30:32] = arguments[2][31:29:-1]
    assert same(sparse_sums, arguments, (0.3, 0.5))


def test_rows_beyond_their_array_raise_in_the_piece_that_has_them():
    arguments = matrix(0, 41, 100)
    v, c, p, x, y = copies(arguments)
    p[-1] += 5
    with pytest.raises(IndexError):
        InPieces(sparse_sums, arguments).run([v, c, p, x, y], (0.5,))
    whole = copies(arguments)
    InPieces(sparse_sums, arguments).run_whole(whole)
    assert np.allclose(y[:20], whole[-1][:20])


def sparse_rows_elsewhere(v, p, order, y):
    for i in range(len(order)):
        s = 0.0
        for k in range(p[order[i]], p[order[i] + 1]):
            s += v[k]
        y[i] = s


def test_rows_that_an_array_finds_are_not_cut():
    v, _, p, _, y = matrix(0, 41, 100)
    order = np.random.default_rng(0).permutation(41)
    assert same(sparse_rows_elsewhere, [v, p, order, y], (0.5,))


def batched(a, b, c):
    for t in range(a.shape[0]):
        for i in range(a.shape[1]):
            for j in range(b.shape[2]):
                s = 0.0
                for k in range(a.shape[2]):
                    s += a[t, i, k] * b[t, k, j]
                c[t, i, j] = s


def test_many_small_products():
    rng = np.random.default_rng(0)
    assert same(batched, [rng.random((4, 3, 9)), rng.random((4, 9, 2)), np.zeros((4, 3, 2))], (0.5,))


def steps_of_each_element(x, z, y):
    """One device runs all steps of an element before the next element."""
    for step in range(2):
        for i in range(x.shape[0]):
            s = 0.0
            for j in range(z.shape[0]):
                s += abs(x[i] - z[j])
            y[i] += s * 0.1


def wrapped(x, z, y):
    """Its first iteration reads the last element, and is apart from others where it is not cut."""
    for i in range(y.shape[0]):
        s = 0.0
        for j in range(z.shape[0]):
            s += (x[i - 1] - z[j]) * x[i - 1]
        y[i] = s


def one_for_two(x, z, y):
    """One device takes it for two loops."""
    m = z.shape[0]
    for r in range(x.shape[0] * m):
        s = 0.0
        for j in range(m):
            s += x[r // m] * z[j] * z[r % m]
        y[r] = s


@pytest.mark.parametrize("function", [steps_of_each_element, wrapped, one_for_two])
def test_sums_that_other_kernels_add_in_pieces_are_refused(function):
    rng = np.random.default_rng(0)
    arguments = [rng.random(40), rng.random(37), np.zeros(40)]
    with pytest.raises(UnsupportedError, match="other kernels add the sum"):
        InPieces(function, arguments)
    assert not arguments[-1].any()


@pytest.fixture
def halves(own_store, two_halves):  # noqa: F811 - the fixture
    return HALVES


@pytest.mark.opencl
def test_sums_of_other_kernels_are_refused_on_halves(halves):
    x, y = np.ones(50), np.zeros(50)
    for _ in range(2):
        with pytest.raises(UnsupportedError, match="cannot be cut into pieces.*line|other kernels would add"):
            weft.jit(steps_of_each_element, device=halves)(x, x, y)
    assert not y.any()
    weft.jit(steps_of_each_element, device=halves, fastmath=True)(x, x, y)


@pytest.mark.opencl
@pytest.mark.parametrize("function", [pair_sums, folds_of_two_loops, sparse_sums])
def test_bits_on_halves_of_a_device(function, halves):
    rng = np.random.default_rng(0)
    arguments = {
        pair_sums: [rng.random(2500), rng.random(300), np.zeros(2500)],
        folds_of_two_loops: [rng.random((40, 30, 40)), np.zeros(40)],
        sparse_sums: matrix(3, 901, 700),
    }[function]
    whole = copies(arguments)
    weft.jit(function, device=WHOLE)(*whole)
    split = weft.jit(function, device=halves)
    for _ in range(3):  # shares follow what was measured
        found = copies(arguments)
        split(*found)
        assert found[-1].tobytes() == whole[-1].tobytes()


def first_of_each(v, p, q, y):
    for i in range(len(y)):
        s = 0.0
        for k in range(p[i], p[i + 1]):
            s += v[k] * q[p[i], 0]
        y[i] = s


def test_what_cannot_be_known_of_other_rows_is_refused_or_right():
    v, _, p, _, y = matrix(0, 41, 100)
    arguments = [v, p, np.random.default_rng(1).random((len(v) + 1, 2)), y]
    try:
        assert same(first_of_each, arguments, (0.5,))
    except UnsupportedError as error:
        assert "cannot be cut into pieces" in str(error)
