"""The command `python -m benchmarks.gpu_kernels`: kernels from plain loops against the ceilings of an NVIDIA GPU.

Arrays are on the GPU. Bandwidth is told as a part of the device's own copy in the same run, products as a part of the
vendor's library on the same matrices where CuPy or PyTorch is there, else of what it was measured to reach on an H200.
Times are taken between events, for calls that are queued one behind the other, in turn with the vendor's; where the
host waits for a result, a call counts less the least one with tiny arrays. ``--forms`` adds every row at odd sizes, on
unaligned and strided views and in float64.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from math import prod
from multiprocessing import get_context
from typing import Any

import numpy as np

import weft
from benchmarks import gpu_programs as programs
from benchmarks.gpu import Clock
from benchmarks.gpu_cases import CASES, FORMS, Case
from weft.schedule import Directive, Schedule

LIBRARY_MAY = (programs.product,)
"""Programs that the vendor's library computes where it is faster: a second column."""
ROUNDS = 9
BATCH = 5e-3
"""Seconds of work that is queued at a time, in at most so many calls."""
MOST_QUEUED = 64
STREAM = 1
"""The legacy stream, as arrays name it: whose arrays name none has the host wait for every call."""
MEASURED = {"float32": 50.4, "float64": 58.4}
"""TFLOP/s of cuBLAS on one H200 for products of 4096 x 4096, without reduced precision."""


class Device:
    """Memory of the GPU through the driver, and its clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.driver = self.clock.driver

    def array(self, host: np.ndarray[Any, Any], offset: int = 0, apart: int = 0) -> DeviceArray:
        """A copy of an array, `offset` bytes or whole elements after a multiple of 256, rows or elements `apart`."""
        base = np.zeros(_spread(host.shape, apart), host.dtype)
        _view(base, host.shape)[...] = host
        made = self._made(base.shape, base.dtype, host.shape, offset)
        self.clock.check(self.driver.cuMemcpyHtoD(made.address, base.ctypes.data, base.nbytes))
        return made

    def filled(
        self, block: np.ndarray[Any, Any], shape: tuple[int, ...], offset: int = 0, apart: int = 0
    ) -> DeviceArray:
        """An array of a block that repeats; the GPU copies it."""
        base = _spread(shape, apart)
        made = self._made(base, block.dtype, shape, offset)
        size = prod(base) * block.dtype.itemsize
        done = min(size, block.nbytes)
        self.clock.check(self.driver.cuMemcpyHtoD(made.address, block.ctypes.data, done))
        while done < size:
            part = min(done, size - done)
            self.clock.check(self.driver.cuMemcpyDtoD(made.address + done, made.address, part))
            done += part
        return made

    def _made(self, base: tuple[int, ...], dtype: np.dtype[Any], shape: tuple[int, ...], offset: int) -> DeviceArray:
        offset = -(-offset // dtype.itemsize) * dtype.itemsize
        address = int(self.clock.check(self.driver.cuMemAlloc(prod(base) * dtype.itemsize + offset + 256)))
        return DeviceArray(address + offset, shape, dtype, base)

    def host(self, array: DeviceArray) -> np.ndarray[Any, Any]:
        """What an array holds."""
        base = np.empty(array.base, array.dtype)
        self.clock.check(self.driver.cuMemcpyDtoH(base.ctypes.data, array.address, base.nbytes))
        return _view(base, array.shape)

    def free(self, array: DeviceArray) -> None:
        """Give an array back."""
        self.clock.check(self.driver.cuMemFree(array.address & -256))

    def copy_rate(self) -> float:
        """Bytes read and written per second by the driver's copy of 1 GiB."""
        size = 1 << 30
        one, other = (int(self.clock.check(self.driver.cuMemAlloc(size))) for _ in range(2))
        copy = lambda: self.clock.check(self.driver.cuMemcpyDtoDAsync(other, one, size, 0))  # noqa: E731
        seconds = self.seconds(copy)
        for address in (one, other):
            self.clock.check(self.driver.cuMemFree(address))
        return 2 * size / seconds

    def seconds(self, call: Callable[[], object]) -> float:
        """The time of a call among many that are queued one behind the other: the median of several batches."""
        return self.in_turn([call])[0]

    def in_turn(self, calls: Sequence[Callable[[], object]]) -> list[float]:
        """The same of several calls, whose batches take turns: a GPU that may take no more power is slower later on."""
        counts = []
        for call in calls:
            self.clock.kernel_time(call, 2)
            counts.append(max(2, min(MOST_QUEUED, round(BATCH / self.clock.kernel_time(call, 1)))))
        pairs = list(zip(calls, counts, strict=True))
        rounds = [[self.clock.kernel_time(call, count) / count for call, count in pairs] for _ in range(ROUNDS)]
        return [sorted(times)[ROUNDS // 2] for times in zip(*rounds, strict=True)]

    def waits(self, call: Callable[[], object]) -> list[float]:
        """The times of single calls, each of which the host waits for."""
        call()
        return sorted(self.clock.call_time(call, 1) for _ in range(5 * ROUNDS))


class DeviceArray:
    """An array on the GPU as libraries show theirs, a view of a `base` in C order."""

    def __init__(
        self, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], base: tuple[int, ...] | None = None
    ) -> None:
        self.address, self.shape, self.dtype, self.base = address, shape, dtype, base or shape
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": dtype.str,
            "strides": _strides(self.base, shape, dtype),
            "data": (address, False),
            "version": 3,
            "stream": STREAM,
        }


def _spread(shape: tuple[int, ...], apart: int) -> tuple[int, ...]:
    """The shape of an array of which another is a view, with rows or elements `apart`."""
    if not apart:
        return shape
    return (shape[0], 1 + apart) if len(shape) == 1 else (*shape[:-1], shape[-1] + apart)


def _view(base: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return base[:, 0] if base.ndim > len(shape) else base[..., : shape[-1]]


def _strides(base: tuple[int, ...], shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...] | None:
    strides = tuple(prod(base[k + 1 :]) * dtype.itemsize for k in range(len(shape)))
    return strides if base != shape else None


def _data(shape: tuple[int, ...], case: Case, position: int) -> np.ndarray[Any, Any]:
    """Numbers that repeat after an odd count: neither rows nor columns are alike."""
    return np.resize(_block(prod(shape), case, position), prod(shape)).reshape(shape)


def _block(count: int, case: Case, position: int) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(position)
    block: np.ndarray[Any, Any]
    if case.keys:
        block = generator.integers(0, case.keys if position == 0 else 1, min(count, 999_983))
    else:
        block = generator.standard_normal(min(count, 999_983))
    return block.astype(case.counts if case.counts and position else case.dtype)


def filled(device: Device, case: Case) -> list[DeviceArray]:
    """The arrays of a case on the GPU."""
    if case.arrays:
        return [device.filled(array.ravel(), array.shape) for array in case.arrays(False)]
    return [
        device.filled(_block(prod(shape), case, k), shape, case.offset, case.apart)
        for k, shape in enumerate(case.shapes)
    ]


def small_arrays(case: Case) -> list[np.ndarray[Any, Any]]:
    """Arrays of the host for checks."""
    return list(case.arrays(True)) if case.arrays else [_data(shape, case, k) for k, shape in enumerate(case.small)]


def check(device: Device, case: Case, schedule: Schedule = ()) -> str:
    """Compare with NumPy at a small odd size, aligned and not; what is wrong."""
    function = weft.jit(case.function, device="cuda", schedule=schedule, libraries=False, fastmath=case.fastmath)
    for offset in (case.offset, case.offset + 8):
        host = small_arrays(case)
        arrays = [device.array(a, offset, case.apart) for a in host]
        result = function(*arrays)
        position, expected = case.answer(*(a.copy() for a in host))
        got = result if position is None else device.host(arrays[position])
        for array in arrays:
            device.free(array)
        tolerance = 1e-4 if case.dtype == "float32" else 1e-10
        if not np.allclose(got, expected, rtol=tolerance, atol=tolerance * 10):
            return f"WRONG by {np.abs(np.asarray(got, float) - expected).max()}"
    return ""


def measure(
    device: Device, case: Case, arrays: Sequence[DeviceArray], schedule: Schedule = (), libraries: bool = False
) -> tuple[float, float]:
    """Seconds of the case's kernels, or of the vendor's library where it computes products; and TFLOP/s of the vendor's
    product, which takes turns with a case that is told beside it, else 0.

    A call that gives a result waits for it. What the least call of the kind with tiny arrays takes is taken off then.
    """
    options: dict[str, Any] = {"schedule": schedule, "libraries": libraries, "fastmath": case.fastmath}
    function = weft.jit(case.function, device="cuda", **options)
    if function(*arrays) is None:
        with vendor(device, case, arrays) as product:
            own, *others = device.in_turn([lambda: function(*arrays), *([product] if product else [])])
        return own, 2e-12 * case.side**3 / others[0] if others else 0.0
    tiny = _tiny(device, case, arrays)
    whole, nothing = device.waits(lambda: function(*arrays)), device.waits(lambda: function(*tiny))
    for array in tiny:
        device.free(array)
    return whole[len(whole) // 2] - nothing[0], 0.0


def _tiny(device: Device, case: Case, arrays: Sequence[DeviceArray]) -> list[DeviceArray]:
    if case.arrays:
        return [device.array(array) for array in case.arrays(True)]
    few = [np.zeros(tuple(min(e, 4) for e in a.shape), a.dtype) for a in arrays]
    return [device.array(array, case.offset, case.apart) for array in few]


@contextmanager
def vendor(device: Device, case: Case, arrays: Sequence[DeviceArray]) -> Iterator[Callable[[], object] | None]:
    """The vendor's product of the matrices of a case, or of square ones where it is no product; None where the case is
    told beside something else, or nobody has that library.
    """
    library = next(filter(None, map(_imported, ("torch", "cupy"))), None) if case.flops else None
    if library is None:
        yield None
        return
    is_product = case.function in LIBRARY_MAY
    block = np.random.default_rng(1).random(999_983).astype(case.dtype)
    made = [] if is_product else [device.filled(block, (case.side, case.side)) for _ in range(3)]
    options = {"device": "cuda"} if library.__name__ == "torch" else {}
    left, right, result = (library.asarray(array, **options) for array in made or arrays)
    yield partial(library.matmul, left, right, out=result)
    for array in made:
        device.free(array)


def _imported(name: str) -> Any:
    with suppress(ImportError):
        return importlib.import_module(name)
    return None


def _show(case: Case, what: str, measured: tuple[float, float], copy: float) -> None:
    seconds, product = measured
    if case.flops:
        rate, unit, ceiling, of = 1e-12 * case.flops / seconds, "TFLOP/s", product or MEASURED[case.dtype], "library"
    else:
        rate, unit, ceiling, of = 1e-9 * case.bytes / seconds, "GB/s", 1e-9 * copy, "copy"
    floor = f"(floor {case.floor:.2f})" if case.floor else ""
    print(
        f"{case.name:36} {what:12} {1e6 * seconds:9.1f} us {rate:8.2f} {unit:8} {rate / ceiling:6.3f} of {of} {floor}",
        flush=True,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Check and time all cases."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_kernels", description=__doc__)
    parser.add_argument("--only", default="", help="parts of the names of cases, with commas between")
    parser.add_argument("--variants", action="store_true", help="other schedules too")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop trying variants after so many seconds")
    parser.add_argument("--forms", action="store_true", help="odd sizes, unaligned and strided views, float64 too")
    options = parser.parse_args(arguments)
    cases = list(chosen(options.only, options.forms))
    problems = checked(cases)
    device, began = Device(), time.perf_counter()
    copy = device.copy_rate()
    print(f"{device.clock.name()}; copy {1e-9 * copy:.0f} GB/s")
    wrong = 0
    for case, problem in zip(cases, problems, strict=True):
        wrong += bool(problem)
        if problem.startswith("FAILED"):
            print(f"{case.name:36} {problem}")
            continue
        arrays = filled(device, case)
        _show(case, problem or "default", measure(device, case, arrays), copy)
        if case.function in LIBRARY_MAY:
            _show(case, "libraries", measure(device, case, arrays, libraries=True), copy)
        for schedule in case.variants() if options.variants else ():
            if time.perf_counter() - began < options.seconds:
                wrong += _try(device, case, arrays, schedule, copy)
        for array in arrays:
            device.free(array)
    return int(wrong > 0)


def checked(cases: Sequence[Case]) -> list[str]:
    """What is wrong with each case; by many processes, since compiling takes longer than timing."""
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(_problem, [case.name for case in cases]))


def _problem(name: str) -> str:
    """What is wrong with the case of a name."""
    case = next(case for case in chosen("", True) if case.name == name)
    try:
        return check(Device(), case)
    except (weft.Error, RuntimeError) as error:
        return f"FAILED: {str(error).splitlines()[0]}"


def chosen(names: str, forms: bool) -> Iterator[Case]:
    """The cases of which a part of the name is given, with commas between."""
    for case in CASES:
        if any(name in case.name for name in names.split(",")):
            yield case
            yield from filter(None, (case.in_form(form) for form in FORMS * forms))


def _try(device: Device, case: Case, arrays: Sequence[DeviceArray], schedule: Schedule, copy: float) -> int:
    """Check and time another schedule."""
    short = " ".join(_short(directive) for directive in schedule)
    try:
        problem = check(device, case, schedule)
        _show(case, f"{short} {problem}", measure(device, case, arrays, schedule), copy)
    except weft.Error as error:
        problem = ""
        print(f"{case.name:36} {short:76} refused: {str(error).splitlines()[0]}")
    return bool(problem)


def _short(directive: Directive) -> str:
    return f"{type(directive).__name__}{tuple(vars(directive).values())}".replace(" ", "").replace("'", "")


if __name__ == "__main__":
    raise SystemExit(main())
