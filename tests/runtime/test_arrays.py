"""Coherent arrays on the host: what they are to NumPy, to compiled functions of the processor, and as loans."""

import copy
import pickle

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError


@weft.jit
def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]
    return y


@weft.jit
def tail(x):
    return x[1:]


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "f8", "c8", "c16"])
def test_an_array_keeps_the_elements_it_was_made_of(dtype):
    values = np.arange(12).reshape(3, 4).astype(dtype)
    made = weft.array(values)
    assert made.dtype == values.dtype and made.shape == (3, 4) and made.strides == values.strides
    np.testing.assert_array_equal(made, values)
    values[0, 0] = 1
    assert made[0, 1] == values[0, 1] and not made[0, 0]


def test_what_is_made_has_the_layout_that_numpy_gives():
    assert weft.zeros((2, 3), np.float32).strides == (12, 4)
    assert weft.empty(4).dtype == np.float64
    assert weft.empty_like(np.ones((2, 2), np.int8)).dtype == np.int8
    assert weft.zeros_like(weft.empty((5, 1))).shape == (5, 1)
    assert weft.zeros((3, 0, 2)).size == 0 and len(weft.zeros((3, 0, 2))) == 3
    assert weft.array(7).shape == () and weft.array(7)[()] == 7
    assert weft.array([[1, 2], [3, 4]], dtype=np.float32).nbytes == 16


def test_zeros_are_zeros_also_in_memory_that_was_used_before():
    for _ in range(3):
        used = weft.empty(100_000)
        used[...] = 1.0
        del used
        assert not np.any(weft.zeros(100_000))


def test_numpy_functions_and_operators_take_an_array_as_theirs():
    made, plain = weft.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 4.0])
    np.testing.assert_array_equal(made + 1, plain + 1)
    np.testing.assert_array_equal(2 / made, 2 / plain)
    np.testing.assert_array_equal(np.sqrt(made), np.sqrt(plain))
    np.testing.assert_array_equal(made > 1.5, plain > 1.5)
    assert np.sum(made) == made.sum() == 7.0
    assert np.concatenate([made, made]).shape == (6,)
    assert np.dot(made, made) == 21.0 and made @ made == 21.0
    assert np.add.reduce(made) == 7.0
    assert 2.0 in made and list(made) == [1.0, 2.0, 4.0]


def test_a_result_can_be_written_into_an_array():
    made = weft.array([1.0, 2.0])
    same = made
    made += 1
    assert made is same
    np.add(made, 1, out=made)
    np.add.at(made, [0, 0], 5)
    np.testing.assert_array_equal(made, [13.0, 4.0])


def test_a_slice_shows_the_same_elements():
    made = weft.zeros((4, 6))
    part = made[1:3, ::2]
    assert isinstance(part, weft.Array) and part.strides == (48, 16)
    part[...] = 1
    made[::-1, 0] = 2
    made.T[5, 3] = 3
    made.reshape(2, 12)[0, 11] = 4
    made[None, ..., 2:3][0, 0, 0] = 5
    plain = np.zeros((4, 6))
    plain[1:3, ::2] = 1
    plain[::-1, 0] = 2
    plain[3, 5] = 3
    plain[1, 5] = 4
    plain[0, 2] = 5
    np.testing.assert_array_equal(made, plain)


@pytest.mark.parametrize("shape, cut", [((0, 7), np.s_[:, 1:4]), ((3, 0, 5), np.s_[..., 2:]), ((4,), np.s_[4:])])
def test_a_slice_of_nothing_can_be_looked_at(shape, cut):
    values = np.zeros(shape)
    part = weft.array(values)[cut]
    np.testing.assert_array_equal(part, values[cut])
    with part.host() as elements:
        elements[...] = 1
    assert weft.array(part).shape == values[cut].shape


def test_a_selection_is_a_copy_as_in_numpy():
    made = weft.array([1, 2, 3, 4])
    for selected in (made[[0, 2]], made[np.array([True, False, True, False])], made[weft.array([0, 2])]):
        assert type(selected) is np.ndarray
        np.testing.assert_array_equal(selected, [1, 3])
    assert made[1] == 2 and isinstance(made[np.int64(1)], np.integer)
    with pytest.raises(IndexError):
        made[4]


def test_fields_of_records_are_slices():
    made = weft.zeros(3, np.dtype([("a", np.int32), ("b", np.float64)], align=True))
    made["b"][...] = 1.5
    assert made[1]["b"] == 1.5 and made["a"].strides == (16,)


def test_printing_shows_the_elements():
    made = weft.array([1.0, 2.0])
    assert str(made) == "[1. 2.]"
    assert repr(made) == "weft.array([1., 2.])"
    assert f"{weft.array(2.5):.2f}" == "2.50" and int(weft.array(3)) == 3 and bool(weft.array([True]))


def test_copies_are_arrays_of_their_own():
    made = weft.array([1.0, 2.0])
    for other in (made.copy(), copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert isinstance(other, weft.Array)
        other[0] = 9
        assert made[0] == 1.0


@pytest.mark.parametrize("dtype", ["U3", "O", ">f8", "M8[s]", "f16"])
def test_elements_that_weft_does_not_know_are_refused(dtype):
    with pytest.raises(ArgumentError):
        weft.empty(3, dtype)


def test_shapes_that_no_array_has_are_refused():
    with pytest.raises(ValueError, match="negative"):
        weft.empty((3, -1))
    with pytest.raises(ArgumentError, match="9 dimensions"):
        weft.empty((1,) * 9)
    with pytest.raises(TypeError):
        weft.empty(2.5)


def test_a_compiled_function_works_in_place():
    x, y = weft.array(np.arange(4.0)), weft.empty(4)
    assert doubled(x, y) is y
    np.testing.assert_array_equal(y, [0, 2, 4, 6])
    doubled(np.arange(4.0) + 1, y)
    np.testing.assert_array_equal(y, [2, 4, 6, 8])
    doubled(y[::2], y[1:3])
    np.testing.assert_array_equal(y, [2, 4, 12, 8])


def test_a_part_that_is_returned_is_a_slice():
    x = weft.array([1.0, 2.0, 3.0])
    part = tail(x)
    assert isinstance(part, weft.Array)
    part[0] = 9
    assert x[1] == 9


def test_arrays_that_a_function_captures_are_coherent_too():
    table = weft.array([1.0, 2.0, 3.0])

    @weft.jit
    def add(x):
        for i in range(x.shape[0]):
            x[i] += table[i]

    x = weft.zeros(3)
    add(x)
    table[0] = 5
    add(x)
    np.testing.assert_array_equal(x, [6, 4, 6])


def test_loops_given_as_bodies_take_them():
    x = weft.zeros(4)

    @weft.parallel_for(4)
    def fill(i):
        x[i] = i * i

    rows = weft.array([[1.0, 2.0], [3.0, 4.0]])

    def negate(row):
        row[0] = -row[0]

    weft.for_each(rows, negate)
    np.testing.assert_array_equal(x, [0, 1, 4, 9])
    np.testing.assert_array_equal(rows, [[-1, 2], [-3, 4]])


def test_the_interpreter_takes_them():
    x, y = weft.array(np.arange(3.0)), weft.empty(3)
    with weft.device("interpreter"):
        assert doubled(x, y) is y
    np.testing.assert_array_equal(y, [0, 2, 4])


def test_what_numpy_sees_is_read_only():
    seen = np.asarray(weft.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        seen[0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        seen.flags.writeable = True
    assert np.array(weft.zeros(3), copy=True).flags.writeable
    assert np.asarray(weft.zeros(3), np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="without a copy"):
        np.array(weft.zeros(3), np.float32, copy=False)


def test_a_block_lends_the_elements_to_be_written():
    x = weft.zeros(3)
    with x.host() as h:
        h[:] = [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        h[0] = 9
    np.testing.assert_array_equal(x, [1, 2, 3])


def test_memory_outlives_its_array_as_long_as_somebody_looks():
    x = weft.array(np.arange(1000.0))
    seen = np.asarray(x)[10:20]
    del x
    weft.empty(1000)[...] = -1
    np.testing.assert_array_equal(seen, np.arange(10.0, 20.0))


@pytest.mark.parametrize(
    "key",
    [True, False, (True, 0), (0, True), (slice(None), True), np.True_, [True, False, True], ([0, 2], 1), [1, 1]],
    ids=str,
)
def test_an_index_that_makes_a_copy_is_no_view(key):
    values = np.arange(12.0).reshape(3, 4)
    made = weft.array(values)
    part = np.asarray(made[key])
    np.testing.assert_array_equal(part, values[key])
    part[...] = -1.0
    np.testing.assert_array_equal(made, values)


@pytest.mark.parametrize("key", [True, False, np.True_, (True, 0), [True, False, True], [1, 1]], ids=str)
def test_elements_are_set_as_numpy_sets_them(key):
    values = np.arange(12.0).reshape(3, 4)
    made = weft.array(values)
    made[key] = 7.0
    values[key] = 7.0
    np.testing.assert_array_equal(made, values)
