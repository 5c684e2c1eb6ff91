"""Arrays of other libraries and their streams, over a driver that only pretends to have a GPU."""

import ctypes
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, STREAM, main, pretending

import weft
from weft.errors import ArgumentError, DeviceError
from weft.frontend.arrays import dlpack


class OnGpu:
    """An array as another library shows it."""

    def __init__(self, size=4, version=3, read_only=False, **more):
        self.memory = np.arange(float(size))
        self.__cuda_array_interface__ = {
            "shape": (size,), "typestr": "<f8", "version": version, "data": (self.memory.ctypes.data, read_only),
            **more,
        }  # fmt: skip


class WithDlpack(OnGpu):
    """An array that DLPack orders: it notes the stream that it was asked to be ready for."""

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream, max_version):
        self.asked = stream
        return weft.zeros(4).__dlpack__(max_version=max_version)


class OnlyDlpack:
    """An array that has nothing but DLPack."""

    def __init__(self):
        self.held = weft.zeros(4)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream, max_version):
        return self.held.__dlpack__(stream=stream, max_version=max_version, dl_device=(2, 0))


@weft.jit
def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def ordered(driver, *arrays):
    """How streams wait for one another, and where the kernel and the waits of the host stand, in the second call."""
    with weft.device("cuda"):
        doubled(*arrays)
        driver.calls()
        doubled(*arrays)
    return [call for call in driver.calls() if call.split()[0] in ("await", "launch", "finish")]


@pretending
def test_streams_that_are_named_wait_for_one_another(driver):
    around = [f"await {STREAM} 5", f"launch {STREAM}", f"await 5 {STREAM}"]
    assert ordered(driver, OnGpu(stream=5), OnGpu(stream=5)) == around


@pretending
def test_each_of_several_streams_is_waited_for(driver):
    calls = ordered(driver, OnGpu(stream=5), OnGpu(stream=6))
    assert calls[:2] == [f"await {STREAM} 5", f"await {STREAM} 6"]
    assert calls[-2:] == [f"await 5 {STREAM}", f"await 6 {STREAM}"]


def pretend_cupy(stream=5, flags=()):
    """A library that is called CuPy: its class of arrays, which notes whom it was asked by, and its present stream."""

    class ndarray:
        interfaces = 0

        def __init__(self, memory, apart=0):
            self.memory, self.flags = memory, SimpleNamespace(**dict.fromkeys(flags, True))
            self.data, self.dtype = SimpleNamespace(ptr=memory.ctypes.data + apart), memory.dtype
            self.shape, self.strides, self._c_contiguous = memory.shape, memory.strides, memory.flags.c_contiguous

        @property
        def __cuda_array_interface__(self):
            ndarray.interfaces += 1
            address = self.memory.ctypes.data if self.memory.size else 0
            return {
                "shape": self.memory.shape, "typestr": self.memory.dtype.str, "strides": self.memory.strides,
                "version": 3, "data": (address, False), "stream": now.ptr or 1,
            }  # fmt: skip

    now = SimpleNamespace(ptr=stream)
    cuda = SimpleNamespace(get_current_stream=lambda: now)
    sys.modules["cupy"] = SimpleNamespace(ndarray=ndarray, cuda=cuda)  # type: ignore[assignment]
    return ndarray, now


def asked_again(ndarray, *arrays):
    """Whether a call like the one before asks arrays for their interfaces."""
    compiled = weft.jit(doubled.__wrapped__, device="cuda")
    for _ in range(2):
        compiled(*arrays)
    asked = ndarray.interfaces
    compiled(*arrays)
    return ndarray.interfaces > asked


@pretending
def test_arrays_of_cupy_are_read_by_their_attributes(driver):
    ndarray, now = pretend_cupy()
    x, y = ndarray(np.arange(4.0)), ndarray(np.zeros(4))
    around = [f"await {STREAM} 5", f"launch {STREAM}", f"await 5 {STREAM}"]
    assert ordered(driver, x, y) == around
    assert not asked_again(ndarray, x, y)
    assert ordered(driver, x, y) == around
    now.ptr = 0
    assert ordered(driver, x, y) == [f"await {STREAM} 1", f"launch {STREAM}", f"await 1 {STREAM}"]
    for of_another_type in (np.arange(8.0)[::2], np.zeros(4, np.float32), np.zeros(0)):
        assert not asked_again(ndarray, ndarray(of_another_type), y)


@pretending
def test_attributes_that_contradict_the_interface_are_not_read(driver):
    ndarray, _ = pretend_cupy()
    assert asked_again(ndarray, ndarray(np.arange(4.0), apart=8), ndarray(np.zeros(4)))


@pretending
def test_a_library_whose_arrays_may_be_read_only_is_asked_for_interfaces(driver):
    ndarray, _ = pretend_cupy(flags=("writeable",))
    assert asked_again(ndarray, ndarray(np.arange(4.0)), ndarray(np.zeros(4)))


@pretending
def test_classes_derived_from_those_of_cupy_speak_for_themselves(driver):
    ndarray, _ = pretend_cupy()
    assert not asked_again(ndarray, ndarray(np.arange(4.0)), ndarray(np.zeros(4)))
    assert asked_again(ndarray, type("derived", (ndarray,), {})(np.arange(4.0)), ndarray(np.zeros(4)))


@pretending
def test_where_no_stream_is_named_the_host_waits(driver):
    assert ordered(driver, OnGpu(), OnGpu()) == [f"launch {STREAM}", f"finish {STREAM}"]


@pretending
def test_old_interfaces_stand_for_the_legacy_stream(driver):
    calls = ordered(driver, OnGpu(version=2), OnGpu(version=2))
    assert calls == [f"await {STREAM} 1", f"launch {STREAM}", f"await 1 {STREAM}"]


@pretending
def test_dlpack_orders_where_the_interface_does_not(driver):
    x, y = WithDlpack(version=2), WithDlpack(version=2)
    assert ordered(driver, x, y) == [f"launch {STREAM}", f"finish {STREAM}"]
    assert x.asked == y.asked == STREAM


@pretending
def test_arrays_with_dlpack_alone(driver):
    x, y = OnlyDlpack(), OnlyDlpack()
    assert ordered(driver, x, y)[-2:] == [f"launch {STREAM}", f"finish {STREAM}"]


@pretending
def test_arrays_of_other_types_are_told_apart(driver):
    fast = doubled
    with weft.device("cuda"):
        fast(OnGpu(), OnGpu())
        fast(OnGpu(strides=(16,), shape=(2,)), OnGpu())
        fast(OnGpu(), weft.zeros(4))
        for wrong, error in (
            (OnGpu(mask=OnGpu()), ArgumentError),
            (OnGpu(typestr="<f4", data=(6, False)), ArgumentError),
        ):
            try:
                fast(wrong, OnGpu())
            except error:
                continue
            raise AssertionError("an array that kernels cannot use was taken")
    assert len(fast.specialisations) == 2


@pretending
def test_arrays_of_the_host_after_those_of_the_gpu(driver):
    x, y = np.arange(4.0), np.zeros(4)
    with weft.device("cuda"):
        doubled(OnlyDlpack(), OnlyDlpack())
        for _ in range(2):
            doubled(x, y)
    assert len(doubled.specialisations) == 2


class Exchanged(OnGpu):
    """An array whose library tells of it in C, and which its older interface does not order."""

    streams = {"now": 5}
    requires_grad = False
    negated = False

    def __init__(self, size=4):
        super().__init__(size, version=2)
        self.shape, self.strides = (ctypes.c_int64 * 1)(size), (ctypes.c_int64 * 1)(1)

    def is_neg(self):
        return self.negated


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(dlpack._Tensor))
def tensor_of(array, made):
    shape, strides = (ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64)) for numbers in (array.shape, array.strides))
    made[0] = dlpack._Tensor(array.memory.ctypes.data, dlpack.CUDA, 0, 1, 2, 64, 1, shape, strides)
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def stream_of(kind, number, made):
    made[0] = Exchanged.streams["now"]
    return 0


class Exchange(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("rest", ctypes.c_void_p * 4),
        ("tensor_of", ctypes.c_void_p), ("stream_of", ctypes.c_void_p),
    )  # fmt: skip


def offer_exchange():
    """Let the class offer the functions in C."""
    table = Exchange(1, 3)
    table.tensor_of, table.stream_of = (ctypes.cast(f, ctypes.c_void_p) for f in (tensor_of, stream_of))
    new = ctypes.pythonapi.PyCapsule_New
    new.argtypes, new.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
    Exchanged.kept = table, b"dlpack_exchange_api"
    Exchanged.__dlpack_c_exchange_api__ = new(ctypes.addressof(table), Exchanged.kept[1], None)


@pretending
def test_libraries_that_tell_in_c_are_ordered_by_their_present_stream(driver):
    offer_exchange()
    around = [f"await {STREAM} 5", f"launch {STREAM}", f"await 5 {STREAM}"]
    assert ordered(driver, Exchanged(), Exchanged()) == around
    Exchanged.streams["now"] = None
    assert ordered(driver, Exchanged(), Exchanged()) == [f"await {STREAM} 1", f"launch {STREAM}", f"await 1 {STREAM}"]


@pretending
def test_tensors_that_are_not_what_is_in_their_memory_are_refused(driver):
    offer_exchange()
    x, y = Exchanged(), Exchanged()
    ordered(driver, x, y)
    x.negated = True
    with weft.device("cuda"):
        try:
            doubled(x, y)
        except ArgumentError as error:
            assert "resolve_neg" in str(error)
        else:
            raise AssertionError("a tensor with another sign was taken")


@pretending
def test_arrays_of_another_gpu_are_refused(driver):
    with weft.device("cuda"):
        doubled(OnGpu(stream=5), OnGpu(stream=5))
        driver.library.fake_owner(1)
        driver.calls()
        try:
            doubled(OnGpu(stream=5), OnGpu(stream=5))
        except weft.Error as error:
            assert "is not in the memory of" in str(error), error
        else:
            raise AssertionError("a kernel was given memory of another GPU")
    assert not [call for call in driver.calls() if call.startswith("launch")]


@pretending
def test_a_call_on_coherent_arrays_does_not_wait(driver):
    assert ordered(driver, weft.zeros(4), weft.zeros(4)) == [f"launch {STREAM}"]


@pretending
def test_work_of_a_block_is_queued_on_the_stream_that_is_given(driver):
    x, y = weft.zeros(4), weft.zeros(4)
    ordered(driver, x, y)
    with weft.device("cuda"):
        with weft.stream(9):
            doubled(x, y)
            doubled(OnGpu(stream=9), y)
        doubled(x, y)
    calls = [call for call in driver.calls() if call.split()[0] in ("await", "launch")]
    first, last = calls.index("launch 9"), len(calls) - 1 - calls[::-1].index("launch 9")
    assert f"await 9 {STREAM}" in calls[:first] and f"await {STREAM} 9" in calls[last:]
    assert first < last and calls[-1] == f"launch {STREAM}"


@pretending
def test_memory_passes_between_streams_in_order(driver):
    x = weft.zeros(4)
    with weft.stream(9):
        driver.calls()
        x.__cuda_array_interface__
    calls = [call for call in driver.calls() if call.split()[0] in ("allocate", "await", "clear")]
    around = [f"await 9 {STREAM}", f"await {STREAM} 9"]
    assert calls[:5] == ["allocate", *around, f"await 9 {IN}", "clear"]


@pretending
def test_streams_of_libraries_are_taken(driver):
    from weft.runtime.devices.queues import address_of

    assert address_of(7) == address_of(SimpleNamespace(ptr=7)) == address_of(SimpleNamespace(cuda_stream=7)) == 7
    assert address_of(SimpleNamespace(__cuda_stream__=lambda: (0, 8))) == 8
    assert address_of(0) == 1
    try:
        address_of("7")
    except ArgumentError as error:
        assert "is no stream" in str(error)
    else:
        raise AssertionError("a text was taken for a stream")


def test_there_are_no_streams_without_cuda():
    import pytest

    if any(device.name == "cuda" for device in weft.devices()):
        pytest.skip("this machine has a GPU")
    with pytest.raises(DeviceError), weft.stream(1):
        pass


if __name__ == "__main__":
    main(globals())
