"""Sums of floats over the loop that is cut: the bits of one device, for any cuts, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, WHOLE, two_halves  # noqa: F401 - a fixture
from tests.split.in_pieces import InPieces, copies
from tests.split.random_sums import arguments_of, bits, difference, small_groups, source_of
from weft.errors import UnsupportedError
from weft.runtime import _stub
from weft.runtime.devices import accelerators
from weft.split.cutting import Groups
from weft.split.grouped import GroupedSums


@pytest.fixture
def _small_groups(monkeypatch):
    small_groups(monkeypatch)


def product_and_count(x, y, z, m, n, c):
    p, k = 1.0, 0
    for i in range(len(x)):
        p *= 1 + 0.01 * x[i]
        if x[i] > 0.2:
            k += 1
    return p, k


def two_loops(x, y, z, m, n, c):
    """The second needs what the first one found."""
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    mean = s / len(x)
    v = 0.0
    for i in range(1, len(x)):
        v += (x[i] - mean) ** 2
        y[i] = 2 * x[i]
    z[0] = v
    return mean


def rows_of_rows(x, y, z, m, n, c):
    s = 0.0
    for i in range(m.shape[0]):
        r = 0.0
        for j in range(m.shape[1]):
            r += m[i, j]
        s += r * r
    return s


def rows(x, y, z, m, n, c):
    """One device folds parts of rows, where rows are few."""
    s = 0.5
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += m[i, j] * 1.1
    return s


def beyond(x, y, z, m, n, c):
    """What may be outside of its array."""
    s = 0j
    for i in range(len(x)):
        s += complex(x[int(abs(x[i])) % len(x)] / y[i], 1.0)
    return s


@pytest.mark.usefixtures("_small_groups")
@pytest.mark.sample(2)
@pytest.mark.parametrize("function", [product_and_count, rows_of_rows, rows, beyond], ids=lambda one: one.__name__)
def test_pieces_have_the_bits_of_one_device(function):
    rng = np.random.default_rng(len(function.__name__))
    pieces = InPieces(function, arguments_of(rng, 8, "float32"))
    for count in (3, 20):
        arguments = arguments_of(rng, count, "float32")
        whole = copies(arguments)
        wanted = pieces.run_whole(whole)
        for cuts in ((0.5,), (0.1, 0.85)):
            found = copies(arguments)
            assert bits(pieces.run(found, cuts)) == bits(wanted), (count, cuts)
            assert bits(found) == bits(whole)


@pytest.mark.usefixtures("_small_groups")
@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_random_programs_have_the_bits_of_one_device(seed):
    wrong = difference(seed)
    assert not wrong or wrong.startswith("refused: "), (source_of(seed), wrong)


def wrapped(x, y, z, m, n, c):
    """Its first iteration is apart where it is not cut."""
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i - 1]
    return s


def inside_a_row(x, y, z, m, n, c):
    """One device takes it for two loops."""
    s = 0.0
    for r in range(m.shape[0] * m.shape[1]):
        s += m[r // m.shape[1], r % m.shape[1]]
    return s


@pytest.mark.parametrize(
    ("function", "why"),
    [(wrapped, "floats of another loop than the one that is cut"), (inside_a_row, "floats of another loop than")],
)
def test_sums_over_another_loop_than_that_of_one_device_are_refused(function, why):
    with pytest.raises(UnsupportedError, match="cannot be cut into pieces") as caught:
        InPieces(function, arguments_of(np.random.default_rng(0), 8, "float64"))
    assert why in str(caught.value)


def test_pieces_end_where_groups_begin():
    """Every group is a whole piece's, for any cut; empty loops and pieces too."""
    groups = Groups(None, None, ())  # no program is needed
    for start, stop, wanted in [
        (0, 5000, [(0, 2048), (2048, 2048), (2048, 5000)]),
        (7, 7 + 3000, [(7, 7 + 1024), (7 + 1024, 7 + 1024), (7 + 1024, 3007)]),
        (0, 100, [(0, 0), (0, 0), (0, 100)]),
        (9, 9, [(9, 9), (9, 9), (9, 9)]),
    ]:
        half = (start + stop) // 2
        assert GroupedSums(groups, (start, stop)).cuts([(start, half), (half, half), (half, stop)]) == wanted


@pytest.mark.opencl
def test_bits_on_halves_of_a_device(two_halves, own_store):  # noqa: F811 - the fixture
    rng = np.random.default_rng(0)
    whole, split = weft.jit(two_loops, device=WHOLE), weft.jit(two_loops, device=HALVES)
    for count in (1, 1025, 5000, 5000, 2_000_000):  # of the last one, the device folds the results of groups
        x, y, z, m = rng.standard_normal(count), np.zeros(count), np.zeros(1), np.zeros((1, 1))
        theirs = [x, y.copy(), z.copy(), m, 1, 0.5]
        found, wanted = split(x, y, z, m, 1, 0.5), whole(*theirs)
        assert bits([found, y, z]) == bits([wanted, *theirs[1:3]]) and type(found) is type(wanted)
    assert [piece.device for piece in split.split] == [*HALVES, *HALVES]
    assert "iterations meet only in what they fold (s)" in str(weft.explain(split, x, y, z, m, 1, 0.5).split)


def nothing_to_add(x):
    s = 0.5
    for i in range(len(x)):
        s += x[i]
    return s


@pytest.mark.opencl
def test_devices_of_other_models_do_not_share_a_sum():
    with pytest.raises(UnsupportedError, match="the sum s is rounded differently on devices of different kinds"):
        weft.jit(nothing_to_add, device=("cpu", "opencl"))(np.ones(10))


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_no_iterations_leave_what_a_sum_begins_with_and_many_need_not_fit():
    """The first half has room for a part of its piece: it computes the groups part by part."""
    split, x = weft.jit(nothing_to_add, device=HALVES), np.random.default_rng(1).standard_normal(100_000)
    assert split(np.zeros(0)) == 0.5
    wanted = split(x)
    in_use = _stub.device_memory(accelerators.table(HALVES[0]))[0]
    _stub.limit_memory(in_use + x.nbytes // 10)
    try:
        assert split(x) == wanted
    finally:
        _stub.limit_memory(None)
    assert wanted == weft.jit(nothing_to_add, device=WHOLE)(x)
