"""Which functions of NumPy and SciPy are called by a program as they are, and by which names.

All of them compute new arrays or numbers from their arguments, keep nothing, and change no more than `WRITTEN` says.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

_PLAIN = """
    abs absolute add all allclose amax amin angle any append arctan2 argmax argmin argpartition argsort argwhere
    around array_equal array_equiv array_split atleast_1d atleast_2d atleast_3d average bartlett bincount
    bitwise_count blackman block broadcast_arrays broadcast_to cbrt choose clip column_stack compress concatenate
    convolve copysign corrcoef correlate count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum
    deg2rad degrees delete diag diag_indices diag_indices_from diagflat diagonal diff digitize divmod dot dsplit
    dstack ediff1d einsum exp2 expand_dims extract fft2 fix flatnonzero flip fliplr flipud float_power fmax fmin
    fmod frexp fromiter gcd geomspace gradient hamming hanning heaviside histogram histogram2d histogram_bin_edges
    histogramdd hsplit hstack hypot i0 imag in1d indices inner insert interp intersect1d isclose isin isneginf
    isposinf ix_ kaiser kron lcm ldexp lexsort linspace logaddexp logaddexp2 logical_xor logspace mask_indices
    matmul matrix_transpose matvec max maximum mean median meshgrid min minimum mod modf moveaxis nan_to_num
    nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile
    nanstd nansum nanvar nextafter nonzero outer packbits pad partition percentile permute_dims piecewise poly
    polyadd polyder polydiv polyfit polyint polymul polysub polyval power prod ptp quantile rad2deg radians ravel
    ravel_multi_index real real_if_close remainder repeat reshape resize rint roll rollaxis roots rot90 round
    searchsorted select setdiff1d setxor1d signbit sinc size sort sort_complex spacing split squeeze stack std sum
    swapaxes take take_along_axis tensordot tile trace transpose trapezoid trapz tri tril tril_indices
    tril_indices_from trim_zeros triu triu_indices triu_indices_from union1d unique unique_all unique_counts
    unique_inverse unique_values unpackbits unravel_index unwrap vander var vdot vecdot vecmat vsplit vstack where
"""
"""Functions of NumPy itself."""

_MODULES = (
    "numpy.linalg", "numpy.fft", "numpy.polynomial.polynomial", "numpy.polynomial.legendre",
    "numpy.polynomial.chebyshev", "numpy.polynomial.hermite", "numpy.polynomial.hermite_e",
    "numpy.polynomial.laguerre", "numpy.emath", "numpy.lib.scimath", "numpy.lib.stride_tricks",
)  # fmt: skip
"""Modules whose functions are taken, all of them."""

_OF_SCIPY = (
    "scipy.linalg", "scipy.fft", "scipy.special", "scipy.signal", "scipy.signal.windows", "scipy.ndimage",
    "scipy.integrate", "scipy.spatial.distance", "scipy.stats",
)  # fmt: skip

WRITTEN = {
    "numpy.put": 0, "numpy.place": 0, "numpy.putmask": 0, "numpy.copyto": 0, "numpy.fill_diagonal": 0,
    "numpy.put_along_axis": 0, "method.sort": 0, "method.partition": 0, "method.put": 0,
}  # fmt: skip
"""Functions without a result, and the position of the array that each changes."""

READ_ONLY = frozenset({
    "numpy.diag", "numpy.diagonal", "numpy.broadcast_to", "numpy.lib.stride_tricks.sliding_window_view",
    "numpy.linalg.diagonal",
})  # fmt: skip
"""Functions whose results are views through which nothing is written."""

METHODS_OF_LIBRARY = {
    **dict.fromkeys(("sort", "partition", "put", "view"), "method"),
    **dict.fromkeys(
        ("argsort", "argpartition", "repeat", "take", "nonzero", "searchsorted", "compress", "choose"), "numpy"
    ),
}
"""Methods of arrays that are functions of the library, and where these are."""

UFUNC_METHODS = ("at", "reduce", "accumulate", "reduceat", "outer")


@cache
def _names() -> dict[object, str]:
    """The functions of NumPy itself and their full names."""
    names = (*_PLAIN.split(), *(w.removeprefix("numpy.") for w in WRITTEN if w.startswith("numpy.")))
    return {getattr(np, name): f"numpy.{name}" for name in reversed(names) if hasattr(np, name)}


def name_of(function: object) -> str | None:
    """The full name of a function that is called as it is; None for any other."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        name, method = name_of(owner), getattr(function, "__name__", "")
        return f"{name}.{method}" if name and method in UFUNC_METHODS else None
    own = str(getattr(function, "__name__", ""))
    if isinstance(function, np.ufunc) and getattr(np, own, None) is function:
        return f"numpy.{own}"
    try:
        return _names().get(function) or _in_module(function)
    except TypeError:
        return None


def _in_module(function: object) -> str | None:
    """The name of a function of a module that was imported."""
    name = getattr(function, "__name__", "")
    for module in (*_MODULES, *_OF_SCIPY):
        found = sys.modules.get(module)
        if found is not None and callable(function) and getattr(found, name, None) is function:
            return None if isinstance(function, type) else f"{module}.{name}"
    return None


def written_by(name: str) -> int | None:
    """The position of the argument that a function changes; None where it changes none."""
    return 0 if name.endswith(".at") else WRITTEN.get(name)
