"""Coherent arrays for other libraries, in the memory of the host."""

import numpy as np
import pytest

import weft


def test_numpy_takes_an_array_without_a_copy_and_may_write_it():
    x = weft.array([1.0, 2.0, 3.0])
    plain = np.from_dlpack(x)
    plain[1] = 7
    assert x[1] == 7
    x[2] = 8
    assert plain[2] == 8


@pytest.mark.opencl
def test_what_was_handed_over_stays_the_truth_until_it_is_dropped():
    @weft.jit(device="opencl")
    def doubled(x):
        for i in range(x.shape[0]):
            x[i] = 2 * x[i]

    x = weft.array([1.0, 2.0])
    plain = np.from_dlpack(x)
    doubled(x)
    np.testing.assert_array_equal(plain, [2, 4])
    plain[0] = 10
    doubled(x)
    np.testing.assert_array_equal(plain, [20, 8])
    del plain
    doubled(x)
    assert x.where == ("opencl",)


@pytest.mark.parametrize("dtype", ["?", "i2", "u8", "f2", "f4", "c16"])
def test_all_types_of_elements_are_exported(dtype):
    x = weft.array(np.ones((2, 3), dtype))
    plain = np.from_dlpack(x.T)
    assert plain.dtype == x.dtype and plain.shape == (3, 2) and plain.strides == x.strides[::-1]


def test_the_old_form_and_the_new_one():
    x = weft.array([1.0])
    assert '"dltensor"' in repr(x.__dlpack__())
    assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 0)))


def test_what_dlpack_has_no_form_for_is_refused():
    x = weft.zeros(2, np.dtype([("a", "f4"), ("b", "f4"), ("c", "f4")]))
    with pytest.raises(BufferError):
        x.__dlpack__()
    with pytest.raises(BufferError):
        weft.zeros(2).__dlpack__(dl_device=(10, 0))


def test_a_copy_is_handed_over_where_one_is_wanted():
    x = weft.array([1.0])
    capsule = x.__dlpack__(copy=True)
    del capsule
    assert x[0] == 1


def test_torch_shares_the_memory():
    torch = pytest.importorskip("torch")
    x = weft.array([1.0, 2.0])
    tensor = torch.from_dlpack(x)
    tensor[0] = 5
    assert x[0] == 5
