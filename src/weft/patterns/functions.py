"""The patterns: functions of arrays with NumPy's meaning that are loops in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.errors import ArgumentError
from weft.numba_doors.stencil import stencil as numba_stencil
from weft.patterns import entries, folds, neighbours, selection
from weft.patterns.checks import (
    are_apart,
    check_associative,
    check_boundary,
    check_count,
    check_operation,
    check_radius,
    check_same_shapes,
)
from weft.patterns.pattern import Pattern, check_array, check_arrays, check_axis, check_function, first, pattern

Given = tuple[Any, ...]


@pattern(folds.map_loops, entries.map_entry)
def map(f: Callable[..., Any], *arrays: Any, index: bool = False) -> Given:
    """Apply a function to every element of an array, or to the elements at one place of several.

    Parameters
    ----------
    f
        A function of as many numbers as there are arrays. It returns a number, or a tuple of numbers.
    *arrays
        Arrays of one shape, of one to four dimensions.
    index
        Whether `f` also takes the index of the element, as one integer for each axis, behind the elements.

    Returns
    -------
    ndarray or tuple of ndarray
        The results, of that shape; an array for each number that `f` returns.

    Raises
    ------
    ValueError
        The arrays have several shapes.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.map(lambda x, y: x * y, np.arange(4.0), np.arange(4.0))
    array([0., 1., 4., 9.])
    >>> weft.map(lambda x, i: x + 10 * i, np.zeros(3), index=True)
    array([ 0., 10., 20.])
    """
    check_function(f, "map")
    check_arrays(arrays, "map", "arrays")
    check_same_shapes(arrays, "map")
    return f, arrays, repr(bool(index))


@pattern(folds.reduce_loops, entries.reduce_entry)
def reduce(
    op: str | Callable[..., Any],
    a: Any,
    axis: int | None = None,
    initial: Any = None,
    commutative: bool = False,
    *,
    debug: bool = False,
) -> Given:
    """Combine all elements of an array, or all along one axis, by an associative operation.

    Parameters
    ----------
    op
        ``"add"``, ``"multiply"``, ``"minimum"``, ``"maximum"``, ``"bitwise_and"``, ``"bitwise_or"`` or
        ``"bitwise_xor"``, NumPy's functions of these names, or a function of two elements that gives one. It is taken
        to be associative: ``op(op(x, y), z)`` equals ``op(x, op(y, z))``. Operands keep their order.
    a
        An array, or a tuple of arrays of one shape: elements are tuples then.
    axis
        The axis along which elements are combined; None for all elements.
    initial
        What comes before the first element. A fold of nothing needs it, unless NumPy knows a neutral element.
    commutative
        Whether operands may change places. They keep theirs today: other orders were tried, and were slower on
        processors.
    debug
        Test on a sample of the elements that `op` is associative, for calls outside of compiled code.

    Returns
    -------
    scalar, ndarray or tuple of these
        As ``np.add.reduce`` and the like: sums of small integers are of 64 bits.

    Raises
    ------
    ValueError
        There is nothing to combine, and no `initial`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> print(weft.reduce("add", np.arange(5)))
    10
    >>> weft.reduce(lambda x, y: x if x > y else y, np.array([[3, 1], [2, 5]]), axis=1)
    array([3, 5])
    """
    check_operation(op, "reduce")
    check_arrays(a, "reduce")
    if axis is not None:
        check_axis(axis, first(a).ndim)
    if debug:
        check_associative(op, a)
    return op, a, repr(axis), initial, repr(bool(commutative))


@pattern(folds.scan_loops, entries.scan_entry)
def scan(
    op: str | Callable[..., Any],
    a: Any,
    axis: int = 0,
    initial: Any = None,
    exclusive: bool = False,
    *,
    debug: bool = False,
) -> Given:
    """Combine, for every element, all elements up to it along an axis, as ``np.add.accumulate`` does.

    Parameters
    ----------
    op, a, initial, debug
        As for `reduce`.
    axis
        The axis along which elements are combined.
    exclusive
        Whether an element's own value is left out: the first result is `initial`, or the neutral element.

    Returns
    -------
    ndarray or tuple of ndarray
        Of the shape of `a`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.scan("add", np.arange(5))
    array([ 0,  1,  3,  6, 10])
    >>> weft.scan("add", np.arange(5), exclusive=True)
    array([0, 0, 1, 3, 6])
    """
    check_operation(op, "scan")
    check_arrays(a, "scan")
    check_axis(axis, first(a).ndim)
    if debug:
        check_associative(op, a)
    return op, a, repr(axis), initial, repr(bool(exclusive))


@pattern(folds.segment_reduce_loops, entries.segment_reduce_entry)
def segment_reduce(
    op: str | Callable[..., Any], values: Any, offsets: Any, initial: Any = None, *, debug: bool = False
) -> Given:
    """Combine the elements of each segment of an array, such as the rows of a sparse matrix.

    Parameters
    ----------
    op, initial, debug
        As for `reduce`.
    values
        A vector, or a tuple of vectors.
    offsets
        Where each segment starts, and behind them where the last one ends. Segments may be empty.

    Returns
    -------
    ndarray or tuple of ndarray
        An element for each segment.

    Raises
    ------
    ValueError
        A segment ends before it starts, or outside of `values`; one is empty that needs `initial`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.segment_reduce("add", np.arange(6.0), np.array([0, 2, 2, 6]))
    array([ 1.,  0., 14.])
    """
    check_operation(op, "segment_reduce")
    check_arrays(values, "segment_reduce", "values")
    check_array(offsets, "segment_reduce", "offsets")
    if debug:
        check_associative(op, values)
    return op, values, offsets, initial


@pattern(selection.filter_loops, entries.filter_entry)
def filter(p: Callable[..., Any], a: Any) -> Given:
    """The elements for which a predicate holds, in order, as ``a[mask]`` gives them.

    Parameters
    ----------
    p
        A function of one element.
    a
        An array of one to four dimensions.

    Returns
    -------
    ndarray
        A vector.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.filter(lambda x: x % 2 == 1, np.arange(8))
    array([1, 3, 5, 7])
    """
    check_function(p, "filter")
    check_array(a, "filter")
    return p, a


@pattern(selection.sort_loops, entries.sort_entry)
def sort(a: Any, axis: int = -1) -> Given:
    """A sorted copy, as ``np.sort`` makes it: real numbers upwards along an axis, NaN last.

    Parameters
    ----------
    a
        An array of real numbers.
    axis
        The axis along which elements are sorted.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.sort(np.array([3, 1, 2]))
    array([1, 2, 3])
    """
    check_array(a, "sort")
    check_axis(axis, a.ndim)
    return a, repr(axis)


@pattern(selection.histogram_loops, entries.histogram_entry)
def histogram(a: Any, bins: int = 10, range: tuple[float, float] | None = None) -> Given:
    """Count elements by ranges of one width, as ``np.histogram`` does.

    Parameters
    ----------
    a
        An array of real numbers.
    bins
        How many ranges there are.
    range
        Where the first starts and the last ends: both count. By default the least and the greatest element.

    Returns
    -------
    counts, edges : ndarray
        A count for each range; the ends of all ranges.

    Examples
    --------
    >>> import numpy as np, weft
    >>> counts, edges = weft.histogram(np.array([0.0, 0.1, 0.9, 1.0]), bins=2)
    >>> counts
    array([2, 2])
    """
    check_array(a, "histogram")
    check_count(bins, "bins")
    return a, bins, None if range is None else (float(range[0]), float(range[1]))


class _Stencil(Pattern):
    """The pattern; without an array it is the decorator of the same name that Numba's users know."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if len(args) > 1 or "a" in kwargs or "f" in kwargs:
            return super().__call__(*args, **kwargs)
        return numba_stencil(*args, **kwargs)


@pattern(neighbours.stencil_loops, entries.stencil_entry, _Stencil)
def stencil(f: Callable[..., Any], a: Any = None, radius: int = 1, boundary: str = "zero") -> Given:
    """Apply a function to every element and those around it.

    Without an array, ``@weft.stencil`` makes a kernel with relative indices (``a[-1, 0]``) a function of arrays, as
    Numba's decorator does.

    Parameters
    ----------
    f
        A function of one argument, `at`: ``at(-1)`` is the element before, ``at(0, 1)`` in two dimensions the one to
        the right. It returns a number, or a tuple of numbers.
    a
        An array of one to four dimensions.
    radius
        How far `f` may look along each axis.
    boundary
        What is outside of the array: ``"zero"``, ``"edge"`` (the element at the edge), ``"reflect"`` or ``"wrap"``, as
        in ``np.pad``.

    Returns
    -------
    ndarray or tuple of ndarray
        Of the shape of `a`.

    Raises
    ------
    IndexError
        `f` looks farther than `radius`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.stencil(lambda at: at(-1) + at(1), np.arange(5.0), radius=1)
    array([1., 2., 4., 6., 3.])
    """
    check_function(f, "stencil")
    check_array(a, "stencil")
    check_radius(radius)
    check_boundary(boundary)
    return f, a, radius, boundary


@pattern(neighbours.gather_loops, entries.gather_entry)
def gather(a: Any, offsets: Any, boundary: str = "zero", count: int | None = None) -> Given:
    """Collect, for every position, the elements at fixed distances from it.

    Parameters
    ----------
    a
        A vector.
    offsets
        The distances: a tuple or an array of integers, or a list outside of compiled code.
    boundary
        What is outside of the vector, as for `stencil`.
    count
        How many positions there are, from the first; by default as many as elements.

    Returns
    -------
    ndarray
        ``out[i, k]`` is ``a[i + offsets[k]]``. Elements at other indices are ``a[index]``.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.gather(np.arange(6.0), (0, 3), count=3)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    check_array(a, "gather")
    check_boundary(boundary)
    if count is not None:
        check_count(count, "count")
    return a, tuple(offsets) if isinstance(offsets, list) else offsets, boundary, count


@pattern(neighbours.scatter_loops, entries.scatter_entry)
def scatter(values: Any, index: Any, out: Any, combine: str | Callable[..., Any] = "unique") -> Given:
    """Store values at the positions that an index names; the opposite of ``a[index]``.

    Parameters
    ----------
    values, index
        Vectors of one length. Negative positions count from the end.
    out
        The vector that is changed in place.
    combine
        ``"unique"``: no position is there twice. Or what combines the element that is there with a new value: an
        operator as for `reduce`, or a function of the two.

    Returns
    -------
    ndarray
        `out`.

    Raises
    ------
    RaceError
        A position is there twice under ``"unique"``; nothing was written.
    IndexError
        A position is outside of `out`.

    Examples
    --------
    >>> import numpy as np, weft
    >>> weft.scatter(np.array([1.0, 2.0, 3.0]), np.array([0, 2, 2]), np.zeros(3), combine="add")
    array([1., 0., 5.])
    """
    for array, name in ((values, "values"), (index, "index"), (out, "out")):
        check_array(array, "scatter", name)
    if combine != "unique":
        check_operation(combine, "scatter", "combine")
    return values, index, out, combine, repr(are_apart(out, values, index))


@pattern(neighbours.soa_loops, entries.soa_entry)
def soa(a: Any) -> Given:
    """A structure of arrays of an array of structures: each field as an array of its own, in order.

    Parameters
    ----------
    a
        An array of records: its dtype has fields.

    Returns
    -------
    tuple of ndarray
        A contiguous copy of each field, in the order of ``a.dtype.names``.

    Examples
    --------
    >>> import numpy as np, weft
    >>> particles = np.array([(1.0, 7), (2.0, 8)], [("mass", "f8"), ("kind", "i4")])
    >>> mass, kind = weft.soa(particles)
    >>> mass
    array([1., 2.])
    """
    check_array(a, "soa")
    if a.dtype.names is None:
        raise ArgumentError(
            f"weft.soa takes an array of records, and this one has elements of {a.dtype}",
            argument="a",
            hint='pass an array whose dtype has fields: np.zeros(n, [("x", "f8"), ("y", "f8")])',
        )
    return (a,)
