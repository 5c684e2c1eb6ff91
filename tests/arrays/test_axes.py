"""Functions that show axes in another order or direction, elements by flat positions, and functions over places."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft

Program = Callable[..., Any]


def moved(x):
    return np.moveaxis(x, 0, -1), np.moveaxis(x, (0, 2), (1, 0)), np.moveaxis(x, -1, 0) * 2


def rolled(x):
    return np.rollaxis(x, 2), np.rollaxis(x, 0, 3), np.rollaxis(x, 1, 1), np.rollaxis(x, -1, -2)


def turned(x):
    return np.fliplr(x), np.flipud(x), np.flip(x), np.flip(x, (0, 2)), np.rot90(x, 2, (1, 2))


def quarters(x):
    m = x[0]
    return np.rot90(m), np.rot90(m, 2), np.rot90(m, 3), np.rot90(m, -1), np.rot90(m, 4), np.rot90(x, 1, (2, 0))


def written(x):
    np.moveaxis(x, 0, -1)[1] = 7
    np.rot90(x[0])[0] += 1
    y = np.fliplr(x)
    y[:, 0] = y[:, 1] * 2
    np.flipud(x)[0, 0, 0] = x[0, 2].max()
    z = np.rollaxis(x, 2)
    z[0] -= z[1]
    return y


def quarters_of_a_new_array(x):
    m = x[0] + 1
    q = np.rot90(m)
    q[0] = 5
    return m


def of_lists(x):
    return np.fliplr([[1, 2], [3, 4]]), np.moveaxis(x * 2, 0, 1), np.flipud(x[0, 0] > 0)


def open_mesh(x):
    rows, columns = np.array([0, 2]), np.array([1, 3, 0])
    m = x.sum(axis=0)
    before = m[np.ix_(rows, columns)]
    m[np.ix_(rows, columns)] = -1
    m[np.ix_([True, False, True], columns)] += np.arange(3)
    x[np.ix_([1], rows, columns)] *= 2
    return before, m, x[np.ix_([0, 1], range(2), columns[:2])]


def flat_elements(x):
    x.flat[3] = 7
    x.flat[-1] += x.flat[4]
    k = x.shape[0]
    x.flat[k] -= 1
    return x.flat[0] + x.flat[-2]


def flat_parts(x):
    m = np.zeros((4, 4))
    m.flat[:: m.shape[1] + 1] = 1
    m.flat[::5] += np.arange(4)
    x.flat[[1, 5, 2]] = 3, 4, 5
    x.flat[x.ravel() > 0.9] = 0
    y = x.flat[2:6]
    y[0] = 100
    x.T.flat[1] = 9
    x[1].flat[::-2] *= 2
    return m, y, x.flat[::-7], x[0, 0].flat[1:]


def to_lists(x):
    row = x[0, 0].tolist()
    rows = (x[0] * 4).astype(np.int64).tolist()
    total = 0
    for values in rows:
        total += sum(values) ** 3
    row.append(1.5)
    return row, rows, total, x[0, 0, 0].tolist()


def nonzeros(x):
    i, j = np.nonzero(x[0] > 0.5)
    return np.nonzero(x > 0.5), i, j, np.where(x[1] > 0.4)


def by_functions(x):
    n, m = x.shape[:2]
    tables = np.fromfunction(lambda i, j: i * 10 + j, (n, m)), np.fromfunction(lambda i: i**2, (m,), dtype=int)
    return (*tables, np.fromfunction(lambda i, j, k: (i + j) % 2 == k, (2, n, 2), dtype=np.int64))


def by_pieces(x):
    v = x[0, 0]

    def middle(a, scale):
        return a * scale

    one = np.piecewise(v, [v < 0.3, v >= 0.6], [lambda a: a * 2, 5.0])
    other = np.piecewise(v, [v < 0.3, v >= 0.6], [-1, lambda a, s: a - s, middle], 3.0)
    return one, other, np.piecewise(x, [x > 2], [lambda a, s: a.max() + s, middle], 2.0)


def parts_of_numbers(x):
    z = x + 1j * x
    z.real = 2
    z.imag += 1
    z[0].imag = x[0] * 3
    x.real[0] = 5
    return z


def compressed(x):
    m = x[:, 0, 0] > 0.2
    return x.compress(m, axis=0), np.compress([True, False, True], x[0], axis=0)


PROGRAMS = [
    moved, rolled, turned, quarters, written, quarters_of_a_new_array, of_lists, open_mesh, flat_elements, flat_parts,
    to_lists, nonzeros, by_functions, by_pieces, parts_of_numbers, compressed,
]  # fmt: skip


def arrays() -> list[np.ndarray]:
    """Arrays of one shape that lie in memory in different ways."""
    x = np.random.default_rng(3).random((2, 3, 4))
    return [x, np.asfortranarray(x), x[::-1], np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(2, 0, 1)]


def compare(function: Program, device: str) -> None:
    compiled = weft.jit(device=device)(function)
    for array in arrays():
        before, after = copy.deepcopy(array), copy.deepcopy(array)
        alike(compiled(after), function(before))
        np.testing.assert_array_equal(after, before)


def alike(found: Any, wanted: Any) -> None:
    """The same values of the same types."""
    assert type(found) is type(wanted)
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            alike(one, other)
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    else:
        assert found == wanted


@pytest.mark.parametrize("function", PROGRAMS)
def test_by_the_processor(function: Program) -> None:
    compare(function, "cpu")


@pytest.mark.parametrize("function", PROGRAMS)
def test_by_the_interpreter(function: Program) -> None:
    compare(function, "interpreter")


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@pytest.mark.parametrize("function", PROGRAMS)
def test_by_opencl(function: Program) -> None:
    compare(function, "opencl")


@pytest.mark.parametrize("index", [12, -13, 100])
def test_a_flat_position_outside(index: int) -> None:
    def f(x, k):
        x.flat[k] = 1

    with pytest.raises(IndexError, match=f"index {index} is out of bounds for size 12"):
        weft.jit(device="cpu")(f)(np.zeros((3, 4)), index)


def test_values_that_numpy_would_repeat() -> None:
    def f(x, values):
        x.flat[1:7] = values

    x = np.zeros((3, 4))
    with pytest.raises(weft.UnsupportedError, match=r"2 values are assigned to 6 elements of \.flat"):
        weft.jit(device="cpu")(f)(x, np.ones(2))
    assert not x.any()
    weft.jit(device="cpu")(f)(x, np.ones((2, 3)))
    assert x.sum() == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("np.moveaxis(x, (0, 1), 0)", "must have the same number of elements"),
        ("np.moveaxis(x, (0, 0), (0, 1))", "repeated axis in `source` argument"),
        ("np.moveaxis(x, 0, 5)", "out of bounds"),
        ("np.fliplr(x[0])", "Input must be >= 2-d."),
        ("np.rot90(x, 1, (0, 0))", "Axes must be different"),
        ("np.ix_(x)", "1 dimensional"),
        ("np.piecewise(x, [x > 0], [1, 2, 3])", "1 or 2 functions are expected"),
    ],
)
def test_wrong_arguments(text: str, message: str) -> None:
    from tests.arrays.test_reshaped_views import function

    with pytest.raises((weft.Error, ValueError, IndexError), match=message):
        weft.jit(device="cpu")(function(f"def f(x):\n    return {text}\n", f"<wrong {text}>"))(np.ones((2, 3)))
