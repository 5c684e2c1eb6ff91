"""What other libraries take for what `benchmarks.gpu_data` measures, where they are installed."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

KERNEL = 'extern "C" __global__ void add(const float *a, const float *b, float *c, long n) {\
 long i = blockIdx.x * (long)blockDim.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }'
GROUP = 256


@cache
def library(name: str) -> Any:
    """A library, or None where it cannot be imported."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # type: ignore[attr-defined]  # numba-cuda asks for what NumPy has dropped
    try:
        return importlib.import_module(name)
    except Exception:  # whatever is wrong with a peer's installation must not stop the others
        return None


@dataclass(frozen=True)
class Addition:
    """A way of ``c = a + b``; before a call that is timed comes new data of the host, after it what the check needs."""

    name: str
    run: Callable[[], object]
    before: Callable[[], object] = lambda: None
    after: Callable[[], object] = lambda: None


def additions(a: np.ndarray, b: np.ndarray, c: np.ndarray, device: str) -> Iterator[Addition]:
    """Ways of ``c = a + b`` on arrays of the host, all transfers included."""
    yield Addition("NumPy on the host", lambda: np.add(a, b, out=c))
    if device != "cuda":
        return
    if cupy := library("cupy"):
        yield Addition("CuPy, plain arrays", lambda: cupy.add(cupy.asarray(a), cupy.asarray(b)).get(out=c))
        yield _managed(cupy, a, b, c)
    if torch := library("torch"):
        x, y, z = (torch.from_numpy(array) for array in (a, b, c))
        yield Addition("PyTorch, plain arrays", lambda: z.copy_(x.cuda() + y.cuda()))
    if cuda := library("numba.cuda"):
        kernel, blocks = _numba_add(cuda), (a.size + GROUP - 1) // GROUP
        yield Addition("numba-cuda, its own copies", lambda: (kernel[blocks, GROUP](a, b, c), cuda.synchronize()))


def _managed(cupy: Any, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Addition:
    """CUDA's managed memory, in which the program keeps its arrays: fetched before the kernel, the result after it."""
    memory = [cupy.cuda.malloc_managed(a.nbytes) for _ in range(3)]
    shown = [np.frombuffer((ctypes.c_char * a.nbytes).from_address(m.ptr), np.float32) for m in memory]
    there = [cupy.ndarray(a.shape, np.float32, m) for m in memory]
    kernel, stream = cupy.RawKernel(KERNEL, "add"), cupy.cuda.Stream(non_blocking=True)
    driver = importlib.import_module("cuda.bindings.driver")
    places, kinds = (driver.CUmemLocation(), driver.CUmemLocation()), driver.CUmemLocationType
    places[0].type, places[1].type = kinds.CU_MEM_LOCATION_TYPE_HOST, kinds.CU_MEM_LOCATION_TYPE_DEVICE
    blocks = (a.size + GROUP - 1) // GROUP

    def fetch(number: int, to_device: bool) -> None:
        (status,) = driver.cuMemPrefetchAsync(memory[number].ptr, a.nbytes, places[to_device], 0, stream.ptr)
        assert status == driver.CUresult.CUDA_SUCCESS, status

    def before() -> None:
        for array, data in zip(shown, (a, b, c), strict=True):
            array[:] = data

    def run() -> None:
        for number in range(3):
            fetch(number, True)
        with stream:
            kernel((blocks,), (GROUP,), (*there, np.int64(a.size)))
        fetch(2, False)
        stream.synchronize()

    return Addition("managed memory with prefetch", run, before, lambda: np.copyto(c, shown[2]))


def _numba_add(cuda: Any) -> Any:
    @cuda.jit
    def add(a, b, c):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < c.size:
            c[i] = a[i] + b[i]

    return add


def device_arrays(device: str) -> Iterator[tuple[str, Callable[[int], Any]]]:
    """Makers of arrays on the GPU."""
    if device != "cuda":
        return
    if cupy := library("cupy"):
        yield "CuPy", lambda size: cupy.zeros(size, cupy.float32)
    if torch := library("torch"):
        yield "PyTorch", lambda size: torch.zeros(size, device="cuda")


def launches(device: str) -> Iterator[tuple[str, Callable[[], Callable[[], object]]]]:
    """Makers of calls of one kernel on arrays that are on the GPU, by others."""
    if device != "cuda":
        return
    if cupy := library("cupy"):
        yield "CuPy's raw kernel", lambda: _raw_launch(cupy)
    if cuda := library("numba.cuda"):
        yield "numba-cuda", lambda: _numba_launch(cuda)


def _raw_launch(cupy: Any) -> Callable[[], object]:
    x, y, z = (cupy.zeros(1000, cupy.float32) for _ in range(3))
    kernel, count = cupy.RawKernel(KERNEL, "add"), np.int64(1000)
    return lambda: kernel((4,), (GROUP,), (x, y, z, count))


def _numba_launch(cuda: Any) -> Callable[[], object]:
    kernel, arrays = _numba_add(cuda), [cuda.to_device(np.zeros(1000, np.float32)) for _ in range(3)]
    return lambda: kernel[4, GROUP](*arrays)
