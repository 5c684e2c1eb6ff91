"""Arrays of other libraries that are on the GPU already: used where they are, or refused."""

import ctypes

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError, UnsupportedError
from weft.frontend.arrays import dlpack
from weft.frontend.source.signature import describe, device_interface, device_strides
from weft.ir.types import FLOAT32, FLOAT64, View
from weft.plan.place import place


class OnDevice:
    """An array as another library shows it; nothing is behind its address."""

    def __init__(self, shape, typestr="<f8", strides=None, readonly=False):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "strides": strides, "data": (4096, readonly), "version": 3,
        }  # fmt: skip


def test_the_type_says_where_the_array_is():
    assert describe(OnDevice((3, 4))) == View(FLOAT64, 2, True, memory="cuda")
    assert describe(OnDevice((3, 4), "<f4", (4, 12), True)) == View(FLOAT32, 2, False, False, memory="cuda")


@pytest.mark.parametrize("typestr", [">f8", "<U4", "<f16"])
def test_other_element_types_are_refused(typestr):
    with pytest.raises(ArgumentError, match="not supported"):
        describe(OnDevice((3,), typestr))


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2.0 * x[i]
    return y


def test_arrays_of_two_devices_are_refused():
    arrays = OnDevice((3,)), ByDlpack((3,), device=(2, 1), version=(1, 0))
    with pytest.raises(ArgumentError, match="in the memory of 'cuda:1', and the function runs on 'cuda'"):
        weft.jit(doubled, device="cpu").inspect(*arrays)


def test_arrays_of_the_gpu_decide_where_a_call_runs():
    arrays = {"x": OnDevice((3,)), "y": OnDevice((3,))}
    assert weft.jit(doubled)._callee.decide(arrays).device == "cuda"


def _placed(function, *arguments):
    from weft.frontend import build
    from weft.transform import pipeline

    return place(pipeline.optimise(build(function, tuple(map(describe, arguments)))), "cuda")


def test_nothing_is_copied():
    from weft.ir import nodes as n
    from weft.ir.visit import walk

    placement = _placed(doubled, OnDevice((3,)), OnDevice((3,)))
    assert not any(isinstance(s, (n.Copy, n.Free)) for s in walk(placement.program.body))
    placement = _placed(doubled, np.zeros(3), OnDevice((3,)))
    assert {s.view.stem for s in walk(placement.program.body) if isinstance(s, n.Copy)} == {"x"}


def recurrence(x):
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] + x[i]


def part(x):
    return x[1:]


def test_what_the_host_would_do_is_refused():
    with pytest.raises(UnsupportedError, match="'x' is in the memory of 'cuda', and this runs on the host"):
        _placed(recurrence, OnDevice((3,)))
    with pytest.raises(UnsupportedError, match="a part of an array"):
        _placed(part, OnDevice((3,)))


@pytest.mark.gpu
def test_arrays_of_cupy_are_changed_in_place():
    cupy = pytest.importorskip("cupy")
    x, y = cupy.arange(1000.0), cupy.zeros(1000)
    run = weft.jit(doubled, device="cuda")
    assert run(x, y) is y
    assert (cupy.asnumpy(y) == 2 * np.arange(1000.0)).all()
    assert (cupy.asnumpy(run(y, x)) == 4 * np.arange(1000.0)).all()


@pytest.mark.gpu
def test_arrays_of_both_memories_work_together():
    torch = pytest.importorskip("torch")
    x, y = torch.arange(1000.0, dtype=torch.float64, device="cuda"), np.zeros(1000)
    assert weft.jit(doubled, device="cuda")(x, y) is y
    np.testing.assert_array_equal(y, 2 * np.arange(1000.0))


def raised(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] + 1.5


OVERLAPPING = [(doubled, np.multiply, 2.0, n) for n in (2, 3, 10, 257, 1000)]
OVERLAPPING += [(raised, np.add, 1.5, n) for n in (2, 1000, 5000, 100_003)]


@pytest.mark.gpu
@pytest.mark.parametrize(("function", "of", "by", "count"), OVERLAPPING)
def test_arrays_of_the_gpu_that_overlap_are_written_in_the_order_of_the_loop(function, of, by, count):
    cupy = pytest.importorskip("cupy")
    run, given = weft.jit(function, device="cuda"), np.arange(1.0, count + 1)
    memory = cupy.arange(1.0, count + 1)
    run(memory[:-1], memory[1:])  # each element comes from the one before it, which has just been written
    np.testing.assert_array_equal(cupy.asnumpy(memory), of.accumulate(np.r_[1.0, np.full(count - 1, by)]))
    memory = cupy.arange(1.0, count + 1)
    run(memory[1:], memory[:-1])
    np.testing.assert_array_equal(cupy.asnumpy(memory), np.r_[of(given[1:], by), given[-1]])
    memory = cupy.arange(1.0, count + 1)
    run(memory, memory)
    np.testing.assert_array_equal(cupy.asnumpy(memory), of(given, by))


@pytest.mark.gpu
def test_an_index_outside_an_array_of_the_gpu_raises():
    cupy = pytest.importorskip("cupy")
    x, y = cupy.arange(9.0), cupy.zeros(5)
    with pytest.raises(IndexError):
        weft.jit(doubled, device="cuda")(x, y)


class ByDlpack:
    """An array of a library that knows DLPack alone."""

    def __init__(self, shape, strides=None, code=2, bits=64, device=(2, 0), version=None, flags=0):
        self.device = device
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.strides = (ctypes.c_int64 * len(shape))(*strides) if strides else None
        whole = dlpack._Versioned(1, 0, None, None, flags)
        tensor = whole.tensor
        tensor.data, tensor.byte_offset, tensor.ndim = 4096, 64, len(shape)
        tensor.code, tensor.bits, tensor.lanes = code, bits, 1
        tensor.shape = self.shape
        if strides:
            tensor.strides = self.strides
        self.whole, self.version = whole, version

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **more):
        if more and self.version is None:
            raise TypeError("an old library")
        new = ctypes.pythonapi.PyCapsule_New
        new.argtypes, new.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
        if self.version is None:
            return new(ctypes.addressof(self.whole.tensor), b"dltensor", None)
        return new(ctypes.addressof(self.whole), b"dltensor_versioned", None)


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_arrays_with_dlpack_alone_are_used_where_they_are(version):
    array = ByDlpack((3, 4), version=version)
    assert describe(array) == View(FLOAT64, 2, True, memory="cuda")
    assert device_interface(array)["data"][0] == 4096 + 64
    array = ByDlpack((3, 4), (1, 3), bits=32, version=version)
    assert describe(array) == View(FLOAT32, 2, False, memory="cuda")
    assert device_strides(device_interface(array)) == (4, 12)


def test_an_array_of_the_second_gpu_is_in_that_one_s_memory():
    array = ByDlpack((3,), device=(2, 1), version=(1, 0))
    assert describe(array) == View(FLOAT64, 1, True, memory="cuda:1")
    with pytest.raises(ArgumentError, match="in the memory of 'cuda:1'"):
        weft.jit(doubled, device="cpu").inspect(OnDevice((3,)), array)


def test_dlpack_says_what_must_not_be_written():
    array = ByDlpack((3,), version=(1, 0), flags=dlpack.READ_ONLY)
    assert describe(array) == View(FLOAT64, 1, True, False, memory="cuda")


def test_dlpack_arrays_that_kernels_cannot_use_are_refused():
    with pytest.raises(ArgumentError, match="DLPack's type 4"):
        describe(ByDlpack((3,), code=4, bits=16))
