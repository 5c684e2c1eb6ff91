"""The harness itself: copies share memory as the originals do, and planted faults are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from . import comparison, oracle
from . import programs as programs  # registers them
from .copying import leaves, overlaps_anywhere, snapshot
from .registry import PROGRAMS, Program
from .test_programs import check_arrays, check_exception, check_result


def test_overlapping_views_overlap_in_the_copy() -> None:
    base = np.arange(10.0)
    low, high, backwards = snapshot((base[:6], base[2:], base[::-1])).arguments
    low[3] = 50.0
    assert high[1] == backwards[6] == 50.0
    assert base[3] == 3.0


def test_layout_and_alignment_are_kept() -> None:
    original = as_strided(np.arange(40.0)[7:], (4, 3), (-24, 16)[::-1])
    copied = snapshot((original,)).arguments[0]
    assert copied.strides == original.strides
    assert (copied == original).all()
    addresses = [array.__array_interface__["data"][0] % 64 for array in (original, copied)]
    assert addresses[0] == addresses[1]


def test_one_object_stays_one_object() -> None:
    x = np.zeros(3)
    first, (second, number), none = snapshot((x, (x, 2), None)).arguments
    assert first is second
    assert (number, none) == (2, None)


def test_writes_between_the_elements_are_seen() -> None:
    copied = snapshot((np.zeros(10)[::2],))
    assert not copied.wrote_outside()
    as_strided(copied.arguments[0], (2,), (8,))[1] = 1.0
    assert copied.wrote_outside()


@pytest.mark.parametrize(
    ("arrays", "overlap"),
    [
        ((np.zeros(4), np.zeros(4)), False),
        ((np.zeros(0), np.zeros(0)), False),
        ((as_strided(np.zeros(1), (4,), (0,)),), True),
        ((np.broadcast_to(np.zeros(3), (2, 3)),), True),
    ],
)
def test_overlap(arrays: tuple[np.ndarray, ...], overlap: bool) -> None:
    assert overlaps_anywhere(arrays) == overlap


@pytest.mark.parametrize(
    ("expected", "got"), [(0.0, -0.0), (1.0, np.nextafter(1.0, 2.0)), (np.nan, 0.0), (1 + 0j, complex(1, -0.0)), (3, 4)]
)
def test_exact_is_exact(expected: Any, got: Any) -> None:
    comparison.check_exact(expected, expected, "value")
    with pytest.raises(AssertionError):
        comparison.check_exact(expected, got, "value")


@pytest.mark.parametrize(
    ("expected", "got"), [(np.float32(1), np.float64(1)), (np.int32(1), 1), (1, 1.0), (True, 1), (np.zeros(2), 0.0)]
)
def test_types_that_differ(expected: Any, got: Any) -> None:
    with pytest.raises(AssertionError):
        comparison.check_same_type(expected, got, "value")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_changed_element_is_found(name: str) -> None:
    """Whatever a program writes or returns, a fault planted there fails the comparison."""
    program, case = PROGRAMS[name], oracle.cases(name)[0]
    expected = oracle.expected(name, 0)
    assert _agrees(program, expected, oracle.run(program, case))
    assert not _agrees(program, expected, oracle.run(program, case, _with_a_fault))


def _agrees(program: Program, expected: oracle.Outcome, got: oracle.Outcome) -> bool:
    try:
        check_exception(program, expected, got)
        check_result(program, 0, expected, got)
        check_arrays(program, 0, expected, got)
    except AssertionError:
        return False
    return True


def _with_a_fault(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, but one element that it can reach, or else its result, comes out a little larger."""

    def faulty(*arguments: Any) -> Any:
        result = function(*arguments)
        captured = [cell.cell_contents for cell in function.__closure__ or ()]
        for array in leaves((result, arguments, tuple(captured))):
            if isinstance(array, np.ndarray) and array.size:
                _spoil(array)
                return result
        return _spoiled(result)

    return faulty


def _spoil(array: np.ndarray) -> None:
    target = array[array.dtype.names[0]] if array.dtype.names else array
    place = tuple(np.argwhere(np.isfinite(target))[-1])
    target[place] = _spoiled(target[place].item())


def _spoiled(value: Any) -> Any:
    if isinstance(value, tuple):
        return (_spoiled(value[0]), *value[1:])
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, np.integer)):
        return value ^ 1
    return value * 1.01 + 1e-3
