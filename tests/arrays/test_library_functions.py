"""Functions that a program calls as they are in NumPy: the same bits, types, shapes and errors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.linalg

import weft

FUNCTIONS = [
    lambda a: np.sort(a),
    lambda a: np.sort(a, axis=0),
    lambda a: np.sort(a, axis=None),
    lambda a: np.argsort(a, kind="stable"),
    lambda a: np.argsort(a, axis=0, kind="stable"),
    lambda a: np.partition(a, 0),
    lambda a: np.unique(a),
    lambda a: np.unique(a, return_counts=True),
    lambda a: np.unique(a, return_index=True, return_inverse=True),
    lambda a: np.flatnonzero(a),
    lambda a: np.nonzero(a),
    lambda a: np.argwhere(a),
    lambda a: np.where(a),
    lambda a: np.median(a),
    lambda a: np.median(a, axis=0),
    lambda a: np.median(a, axis=-1, keepdims=True),
    lambda a: np.percentile(a, 30),
    lambda a: np.percentile(a, [25, 75], axis=0),
    lambda a: np.quantile(a, 0.25, axis=-1),
    lambda a: np.nanmean(a),
    lambda a: np.nansum(a, axis=0),
    lambda a: np.nanmax(a),
    lambda a: np.nanstd(a, axis=-1),
    lambda a: np.nanmedian(a),
    lambda a: np.cov(a),
    lambda a: np.corrcoef(a),
    lambda a: np.gradient(a),
    lambda a: np.trapezoid(a),
    lambda a: np.trapezoid(a, dx=0.5, axis=0),
    lambda a: np.ediff1d(a),
    lambda a: np.pad(a, 1),
    lambda a: np.pad(a, 2, mode="edge"),
    lambda a: np.pad(a, 1, mode="wrap"),
    lambda a: np.tile(a, 2),
    lambda a: np.tile(a, (2, 2)),
    lambda a: np.repeat(a, 2),
    lambda a: np.repeat(a, 2, axis=0),
    lambda a: np.rot90(a) + 0,
    lambda a: np.flipud(a) + 0,
    lambda a: np.tril(a),
    lambda a: np.triu(a, 1),
    lambda a: np.diag(a) + 0,
    lambda a: np.diagflat(a),
    lambda a: np.cumsum(a, axis=0),
    lambda a: np.nancumsum(a),
    lambda a: np.histogram(a, bins=4),
    lambda a: np.histogram_bin_edges(a, bins=3),
    lambda a: np.bincount(a),
    lambda a: np.digitize(a, np.array([1.0, 2.0])),
    lambda a: np.searchsorted(a, 1),
    lambda a: np.searchsorted(a, [0, 2], side="right"),
    lambda a: np.isin(a, [1, 2]),
    lambda a: np.union1d(a, a),
    lambda a: np.intersect1d(a, a),
    lambda a: np.setdiff1d(a, [1]),
    lambda a: np.setxor1d(a, [1, 9]),
    lambda a: np.vander(a),
    lambda a: np.polyfit(a, a, 1),
    lambda a: np.polyval(a, 2),
    lambda a: np.polyder(a),
    lambda a: np.roots(a),
    lambda a: np.angle(a),
    lambda a: np.unwrap(a),
    lambda a: np.nan_to_num(a),
    lambda a: np.sinc(a),
    lambda a: np.convolve(a, [1, 2]),
    lambda a: np.convolve(a, [1, 2, 1], "same"),
    lambda a: np.correlate(a, a, "full"),
    lambda a: np.interp(1.5, a, a),
    lambda a: np.fft.fft(a),
    lambda a: np.fft.rfft(a),
    lambda a: np.fft.ifft(a, 4),
    lambda a: np.fft.fft(a, axis=0),
    lambda a: np.fft.fft2(a),
    lambda a: np.fft.fftshift(a),
    lambda a: np.fft.irfft(a),
    lambda a: np.fft.hfft(a),
    lambda a: np.linalg.inv(a),
    lambda a: np.linalg.det(a),
    lambda a: np.linalg.eigh(a),
    lambda a: np.linalg.eigvalsh(a),
    lambda a: np.linalg.svd(a),
    lambda a: np.linalg.svd(a, compute_uv=False),
    lambda a: np.linalg.qr(a),
    lambda a: np.linalg.cholesky(a),
    lambda a: np.linalg.pinv(a),
    lambda a: np.linalg.matrix_rank(a),
    lambda a: np.linalg.slogdet(a),
    lambda a: np.linalg.cond(a),
    lambda a: np.linalg.matrix_power(a, 3),
    lambda a: np.linalg.norm(a, 1),
    lambda a: np.linalg.norm(a, np.inf),
    lambda a: np.linalg.solve(a, a),
    lambda a: np.linalg.lstsq(a, a, rcond=None),
    lambda a: np.kron(a, a),
    lambda a: np.einsum("...i->...", a),
    lambda a: np.einsum("ij,kj->ik", a, a),
    lambda a: np.einsum("ii", a),
    lambda a: np.tensordot(a, a, axes=([0], [0])),
    lambda a: np.take(a, [0, 0]),
    lambda a: np.take(a, [], axis=0),
    lambda a: np.delete(a, 0),
    lambda a: np.insert(a, 0, 1),
    lambda a: np.append(a, a),
    lambda a: np.resize(a, 5),
    lambda a: np.broadcast_to(a, (2, 3, 3)) + 0,
    lambda a: np.array_split(a, 2)[0] + 0,
    lambda a: np.split(a, 1)[0] + 0,
    lambda a: np.meshgrid(a, a),
    lambda a: np.argpartition(a, 0),
    lambda a: np.maximum.accumulate(a),
    lambda a: np.add.reduceat(a, [0]),
    lambda a: np.multiply.outer(a, a),
    lambda a: np.subtract.reduce(a),
    lambda a: np.atleast_2d(a) + 0,
    lambda a: np.dstack((a, a)),
    lambda a: np.block([a, a]),
    lambda a: np.select([a > 1], [a], 7),
    lambda a: np.add(a, 1, dtype=np.float64),
    lambda a: np.choose(a, [a, a]),
    lambda a: np.lexsort((a, a)),
    lambda a: np.real_if_close(a),
    lambda a: np.c_[a, a],
    lambda a: np.r_[a, a],
    lambda a: np.moveaxis(a, 0, -1) + 0,
]
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128")
SHAPES = {
    "vector": (6,),
    "strided": (6,),
    "one": (1,),
    "empty": (0,),
    "square": (3, 3),
    "turned": (3, 3),
    "cube": (2, 2, 2),
}


def array_of(kind, dtype):
    """An array of a kind, the same each time."""
    shape = SHAPES[kind]
    rng = np.random.default_rng(len(kind))
    whole = rng.integers(0, 4, size=tuple(2 * extent for extent in shape)).astype(dtype)
    if np.dtype(dtype).kind in "fc":
        whole /= 3
    array = whole[tuple(slice(None, None, 2) for _ in shape)]
    return array.T if kind == "turned" else array if kind == "strided" else array.copy()


def outcome(function, array):
    """What a function returns, or raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(array), None
        except Exception as error:
            return None, error


def same(expected, got):
    """Whether two results have the same types and bits, NaNs taken for equal."""
    if isinstance(expected, (tuple, list)):
        return isinstance(got, tuple) and len(expected) == len(got) and all(map(same, expected, got))
    if type(expected) is not type(got):
        return False
    a, b = np.asarray(expected), np.asarray(got)
    return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _may_be_refused(error):
    """Whether a refusal is one of views that are returned, or of a type that depends on values."""
    return "shares its memory" in str(error) or "depends on the values" in str(error)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_as_in_numpy(number, dtype):
    function = FUNCTIONS[number]
    compiled = weft.jit(function)
    for kind in SHAPES:
        expected, error = outcome(function, array_of(kind, dtype))
        array = array_of(kind, dtype)
        got, raised = outcome(compiled, array)
        assert np.array_equal(array, array_of(kind, dtype)), "the argument was changed"
        if isinstance(raised, weft.Error):
            assert dtype != "float64" or error is not None or _may_be_refused(raised), str(raised)
        elif error is not None:
            assert type(raised) is type(error) and str(raised).startswith(str(error)), (kind, raised, error)
        else:
            assert raised is None and same(expected, got), (kind, expected, got, raised)


def test_functions_that_take_no_zeros():
    def banded(bands, b):
        return scipy.linalg.solve_banded((1, 1), bands, b)

    def padded_transform(x):
        return np.fft.rfft2(x, np.array(x.shape) + 2)

    bands, x = np.ones((3, 5)) + 3 * np.eye(3, 5, 0), np.arange(12.0).reshape(3, 4)
    bands[1] = 4
    np.testing.assert_array_equal(weft.jit(banded, device="cpu")(bands, np.ones(5)), banded(bands, np.ones(5)))
    np.testing.assert_array_equal(weft.jit(padded_transform, device="cpu")(x), padded_transform(x))
