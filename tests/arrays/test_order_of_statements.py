"""In which order array statements compute, raise and write: NumPy's, whatever is computed lazily."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import weft

DEVICES = ("interpreter", "cpu")


def bump(v):
    v[...] = v + 10
    return v


def triple(v, p):
    v[...] = v * 3
    return p


# ------------------------------------------------------------------------------- operands, and others that write


def update_chosen(a, b, p):
    a[p] += bump(a)


def positions_after_value(a, b, p):
    a[triple(b, p)] = b * 2


def mask_before_value(a, b, p):
    a[a > 1] += bump(a)[a > 5][0]


def joined(a, b, p):
    return np.concatenate((b * 2, bump(b)))


def stacked(a, b, p):
    return np.stack((b + 1, bump(b), b * 2))


def clipped(a, b, p):
    return (b + 1).clip(bump(b))


def dotted(a, b, p):
    return (b + 1).dot(bump(b))


def written_positions(a, b, p):
    a[bump(p) - 10] = p * 2


def several_targets(a, b, p):
    a[:] = b[:] = a + b


def target_and_name(a, b, p):
    a[:] = c = a + b
    a[0] = 9
    return c


def positions_in_order(a, b, p):
    m = np.arange(16).reshape(4, 4)
    return m[p * 1, bump(p) - 10]


def positions_of_itself(a, b, p):
    p[p] = p * 2 - 6


def rows_of_itself(a, b, p):
    p[p[::-1]] -= p


def mask_of_itself(a, b, p):
    m = a > 1
    m[m[::-1]] = False
    return m


def update_mask_of_itself(a, b, p):
    m = a > 1
    m[m[::-1]] &= b[:2] > 1
    return m


WRITING = (
    positions_of_itself, rows_of_itself, mask_of_itself, update_mask_of_itself,
    update_chosen, positions_after_value, mask_before_value, joined, stacked, clipped, dotted, written_positions,
    several_targets, target_and_name, positions_in_order,
)  # fmt: skip

# --------------------------------------------------------------------------------- exceptions, and what is written


def outside(a, b, p):
    a[p + 2] = 1


def outside_of_rows(a, b, p):
    m = np.zeros((4, 2))
    m[p + 2] = 1.0


def update_outside(a, b, p):
    a[p + 2] += b[:2]


def outside_before_shapes(a, b, p):
    return a[p + 2] + (a[1:] + b)


def shapes_before_outside(a, b, p):
    return (a[1:] + b) + a[p + 2]


def outside_before_assignment(a, b, p):
    b[:3] = a[p + 2]


def outside_without_elements(a, b, p):
    return np.zeros((2, 0))[p]


def number_outside(a, b, p):
    return np.zeros((4, 2))[p[:0], 5]


def positions_of_nothing(a, b, p):
    return np.zeros((4, 2))[p[:0], p[:1] + 9]


def does_not_fit_chosen(a, b, p):
    a[p[:1]] += b


def more_dimensions(a, b, p):
    a += np.ones((2, 4), np.int64) + b


def one_more_dimension(a, b, p):
    np.add(b, b[None], out=a)


def more_that_do_not_fit(a, b, p):
    a += np.ones((2, 3), np.int64)


def outside_before_nothing(a, b, p):
    return a[p[:1] + 9] + b[:0]


def outside_in_nothing(a, b, p):
    a[p[:1] + 9] -= b[:0]


def three_shapes(a, b, p):
    return np.where(np.ones((2, 3, 4), bool), b, np.ones((2, 3, 5)))


def seven_values(a, b, p):
    raise KeyError(f"{a[0]} {b[0]} {b[1]} {b[2]} {b[3]} {p[0]} {p[1]:3d}")


def mask_of_nothing(a, b, p):
    return a[np.zeros(0, bool)]


def mask_too_short(a, b, p):
    return a[np.zeros(3, bool)]


RAISING = (
    outside, outside_of_rows, update_outside, outside_before_shapes, shapes_before_outside, outside_before_assignment,
    outside_without_elements, number_outside, positions_of_nothing, does_not_fit_chosen,
    outside_before_nothing, outside_in_nothing, three_shapes, seven_values,
    more_dimensions, one_more_dimension, more_that_do_not_fit, mask_of_nothing,
    mask_too_short,
)  # fmt: skip


def arguments():
    return np.arange(4), np.array([1, 2, 3, 4]), np.array([3, 0, 0, 1])


def outcome(function, given):
    try:
        result = function(*given)
    except Exception as error:
        return type(error).__name__
    return repr(result)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", (*WRITING, *RAISING), ids=lambda f: f.__name__)
def test_order_is_numpys(function, device):
    theirs, mine = arguments(), arguments()
    assert outcome(weft.jit(function, device=device), mine) == outcome(function, theirs)
    assert repr(mine) == repr(theirs)


def chosen_by_mask(a, m):
    a[m] = False
    return a


def chosen_by_positions(a, p):
    a[p] = p - 1
    a[p] += 1
    return a


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize(
    ("function", "values"),
    [(chosen_by_mask, [True, False, True, True, False]), (chosen_by_positions, [3, 1, 0, 4, 2])],
    ids=["mask", "positions"],
)
def test_what_chooses_may_share_memory_with_what_is_written(function, values, step, device):
    theirs, mine = np.array(values), np.array(values)
    function(theirs, theirs[::step])
    weft.jit(function, device=device)(mine, mine[::step])
    np.testing.assert_array_equal(mine, theirs)


# -------------------------------------------------------------------------------------------------------- rows


def rows(m, mask, values):
    m[mask] = values


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("shape", [(2, 3), (2, 1), (1, 3), (1, 1), (3,), (1,), (2, 4), (4,), (3, 3), (0, 3)], ids=str)
@pytest.mark.parametrize("chosen", [0, 1, 2])
def test_rows_that_a_mask_chooses_are_broadcast(shape, chosen, device):
    values = np.arange(float(np.prod(shape))).reshape(shape)
    mask = np.arange(4) < chosen
    theirs, mine = np.zeros((4, 3)), np.zeros((4, 3))
    assert outcome(weft.jit(rows, device=device), (mine, mask, values)) == outcome(rows, (theirs, mask, values))
    np.testing.assert_array_equal(mine, theirs)


def put(a, p, values):
    a[p] = values


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize(
    "shape", [(1, 0), (0, 0), (2, 0), (0, 1), (2, 1), (1, 1), (1, 2), (1, 1, 2), (2, 2), (0, 3, 0), (0, 2)], ids=str
)
def test_values_of_more_dimensions_at_positions(shape, count, device):
    theirs, mine, positions = np.zeros(3), np.zeros(3), np.arange(count)
    wanted = outcome(put, (theirs, positions, np.ones(shape)))
    assert outcome(weft.jit(put, device=device), (mine, positions, np.ones(shape))) == wanted
    np.testing.assert_array_equal(mine, theirs)


# --------------------------------------------------------------------------------------------------- read-only


def element(m, b, p):
    m[0, 9] = 1


def part(m, b, p):
    m[9] = b


def chosen(m, b, p):
    m[p] = 1


def outside_first(m, b, p):
    m[0] = b[p + 9]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [element, part, chosen, outside_first], ids=lambda f: f.__name__)
def test_read_only_arrays_are_noticed_when_numpy_does(function, device):
    m = np.zeros((4, 4))
    m.flags.writeable = False
    given = (m, np.ones(4), np.array([3, 7, 0, 1]))
    assert outcome(weft.jit(function, device=device), given) == outcome(function, given)


# --------------------------------------------------------------------------------- arrays that overlap themselves


def add_one(a):
    a += 1


def scale(a):
    a[:] = a * 2 + 1


def add_to_part(a):
    a[1:] *= 3


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [add_one, scale, add_to_part], ids=lambda f: f.__name__)
@pytest.mark.parametrize("strides", [(0, 8), (8, 8), (0, 0)], ids=str)
def test_elements_that_are_shown_twice_are_updated_once(function, strides, device):
    theirs, mine = np.ones(16), np.ones(16)
    function(as_strided(theirs, (4, 4), strides))
    weft.jit(function, device=device)(as_strided(mine, (4, 4), strides))
    np.testing.assert_array_equal(mine, theirs)


# ------------------------------------------------------------------------------------------------------ remedies


def chosen_array(a, b, x):
    c = a * 1
    if x > 0:
        c = b
    return c * 2


def chosen_copy(a, b, x):
    c = a * 1
    if x > 0:
        c = b.copy()
    return c * 2


def changes_in_a_loop(a, b, n):
    for _ in range(n):
        b = b + a
    return b


def copied_before_a_loop(a, b, n):
    b = b.copy()
    for _ in range(n):
        b = b + a
    return b


def wider_in_a_loop(a, b, n):
    a = b.astype(np.int64)
    for _ in range(n):
        a = a * 0.5
    return a


def wide_before_a_loop(a, b, n):
    a = b.astype(np.int64)
    a = a.astype(np.float64)
    for _ in range(n):
        a = a * 0.5
    return a


@pytest.mark.parametrize(
    ("refused", "remedy", "n", "words"),
    [
        (chosen_array, chosen_copy, 2, r"\.copy\(\)"),
        (changes_in_a_loop, copied_before_a_loop, 0, r"b = b\.copy\(\)"),
        (wider_in_a_loop, wide_before_a_loop, 0, r"a = a\.astype\(np\.float64\)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_remedies_for_arrays_of_two_kinds_work(refused, remedy, n, words):
    b = np.ones(3)
    b.flags.writeable = False
    with pytest.raises(weft.errors.TypeInferenceError, match=words):
        weft.jit(refused)(np.arange(3.0), b, n)
    np.testing.assert_array_equal(weft.jit(remedy)(np.arange(3.0), b, n), refused(np.arange(3.0), b, n))
    if n == 0:  # the loop runs
        np.testing.assert_array_equal(weft.jit(refused)(np.arange(3.0), b, 2), refused(np.arange(3.0), b, 2))


# ------------------------------------------------------------------------------------------------------- casting


@pytest.mark.parametrize("text", ["a[p] += 0.5", "a[a > 0] /= 2", "a[p] += x", "a[p, p] -= x[:2]"])
def test_chosen_elements_keep_their_type_or_are_refused(text):
    scope: dict[str, object] = {}
    name = "<chosen>"
    import linecache

    source = f"def f(a, p, x):\n    {text}\n"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), scope)
    a = np.ones((3, 3), np.int64) if ", p" in text else np.ones(3, np.int64)
    before = copy.copy(a)
    with pytest.raises(TypeError, match="Cannot cast ufunc"):
        weft.jit(scope["f"])(a, np.array([0, 1]), np.ones(2))
    np.testing.assert_array_equal(a, before)


# -------------------------------------------------------------------------------------------------------- devices


def new_in_a_branch(a, b, x):
    if x > 0.5:
        a = b + 1.0
    v = a + b
    return v * 2


@pytest.mark.opencl
@pytest.mark.parametrize("x", [0.0, 1.0])
@pytest.mark.parametrize("size", [5, 1])
def test_an_extent_that_is_known_later_moves_nothing_before(x, size):
    a, b = np.arange(float(size)), np.arange(5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = weft.jit(new_in_a_branch, device="opencl")(a, b, x)
    np.testing.assert_array_equal(found, new_in_a_branch(a, b, x))
