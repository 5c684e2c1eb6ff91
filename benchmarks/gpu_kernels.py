"""The command `python -m benchmarks.gpu_kernels`: kernels from plain loops against the ceilings of an NVIDIA GPU.

Arrays are on the GPU. Bandwidth is told as a part of the device's own copy in the same run, products as a part of the
vendor's library where CuPy or PyTorch is there, else of what it was measured to reach on an H200. Times are those of
calls, less what a call with tiny arrays takes.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import weft
from benchmarks.gpu import Clock
from weft.schedule import Bind, Directive, Privatise, Schedule, Share, Slide, Stage, Turn

ROUNDS = 9
AT_ONCE = 8
"""Products of the vendor's that are timed together, so that the launches do not count."""
MEASURED = {"float32": 50.4, "float64": 58.4}
"""TFLOP/s of cuBLAS on one H200 for products of 4096 x 4096, without reduced precision."""


# --------------------------------------------------------------------------------------------------- programs


def triad(a: Any, b: Any, c: Any) -> None:
    """STREAM's triad."""
    for i in range(len(a)):
        a[i] = b[i] + 3.0 * c[i]


def jacobi(u: Any, v: Any) -> None:
    """One step of the five-point stencil."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def jacobi_steps(u: Any, v: Any) -> None:
    """57 steps of the five-point stencil."""
    for _ in range(57):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u


def seven_points(u: Any, v: Any) -> None:
    """One step of the seven-point stencil."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                v[i, j, k] = 0.4 * u[i, j, k] + 0.1 * (
                    u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                )


def product(a: Any, b: Any, c: Any) -> None:
    """A matrix product as everybody writes it."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def convolution(u: Any, w: Any, v: Any) -> None:
    """A window of 17 by 17 weights that slides over a picture."""
    for i in range(8, u.shape[0] - 8):
        for j in range(8, u.shape[1] - 8):
            s = u[i, j] - u[i, j]
            for p in range(17):
                for q in range(17):
                    s += w[p, q] * u[i + p - 8, j + q - 8]
            v[i, j] = s


def summed(x: Any) -> Any:
    """The sum of all elements, returned."""
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
    return s


def row_sums(x: Any, out: Any) -> None:
    """The sum of every row."""
    for i in range(x.shape[0]):
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s


def column_sums(x: Any, out: Any) -> None:
    """The sum of every column."""
    for j in range(x.shape[1]):
        s = x[0, j] - x[0, j]
        for i in range(x.shape[0]):
            s += x[i, j]
        out[j] = s


def transposed(x: Any, out: Any) -> None:
    """A matrix turned over."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[j, i] = x[i, j]


def planes_last(x: Any, out: Any) -> None:
    """A cube whose last axis becomes the first."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                out[k, i, j] = x[i, j, k]


def softmax(x: Any, out: Any) -> None:
    """Every row divided by its sum, after the exponential."""
    for i in range(x.shape[0]):
        largest = x[i, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[i, j])
        s = x[i, 0] - x[i, 0]
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - largest)
            s += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= s


def histogram(x: Any, counts: Any) -> None:
    """How often each value occurs."""
    for i in range(len(x)):
        counts[x[i]] += 1


def scan(x: Any, out: Any) -> None:
    """The sums of all elements up to each."""
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
        out[i] = s


def row_scans(x: Any, out: Any) -> None:
    """The same in every row."""
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += x[i, j]
            out[i, j] = s


def tenth(x: Any, out: Any) -> Any:
    """A tenth of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 10:
            out[k] = x[i]
            k += 1
    return k


def half(x: Any, out: Any) -> Any:
    """Half of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 50:
            out[k] = x[i]
            k += 1
    return k


def most(x: Any, out: Any) -> Any:
    """Nine tenths of a hundred values, packed."""
    k = 0
    for i in range(len(x)):
        if x[i] < 90:
            out[k] = x[i]
            k += 1
    return k


# ----------------------------------------------------------------------------------------------------- arrays


class Device:
    """Memory of the GPU through the driver, and its clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.driver = self.clock.driver

    def array(self, host: np.ndarray[Any, Any], offset: int = 0) -> DeviceArray:
        """A copy of an array, `offset` bytes after a multiple of 256."""
        address = int(self.clock.check(self.driver.cuMemAlloc(host.nbytes + offset + 256)))
        made = DeviceArray(address + offset, host.shape, host.dtype)
        self.clock.check(self.driver.cuMemcpyHtoD(address + offset, host.ctypes.data, host.nbytes))
        return made

    def host(self, array: DeviceArray) -> np.ndarray[Any, Any]:
        """What an array holds."""
        made = np.empty(array.shape, array.dtype)
        self.clock.check(self.driver.cuMemcpyDtoH(made.ctypes.data, array.address, made.nbytes))
        return made

    def free(self, array: DeviceArray) -> None:
        """Give an array back."""
        self.clock.check(self.driver.cuMemFree(array.address & -256))

    def copy_rate(self) -> float:
        """Bytes read and written per second by the driver's copy of 1 GiB."""
        size = 1 << 30
        one, other = (int(self.clock.check(self.driver.cuMemAlloc(size))) for _ in range(2))
        copy = lambda: self.clock.check(self.driver.cuMemcpyDtoDAsync(other, one, size, 0))  # noqa: E731
        seconds = sorted(self.clock.kernel_time(copy, 4) / 4 for _ in range(ROUNDS))[ROUNDS // 2]
        for address in (one, other):
            self.clock.check(self.driver.cuMemFree(address))
        return 2 * size / seconds

    def seconds(self, call: Callable[[], object]) -> float:
        """The time of a call: the median of several."""
        call()
        times = []
        for _ in range(ROUNDS):
            self.clock.synchronise()
            start = time.perf_counter()
            call()
            self.clock.synchronise()
            times.append(time.perf_counter() - start)
        return sorted(times)[ROUNDS // 2]


class DeviceArray:
    """An array on the GPU as libraries show theirs."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.address, self.shape, self.dtype = address, shape, dtype
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": dtype.str, "strides": None, "data": (address, False), "version": 3,
        }  # fmt: skip


# ------------------------------------------------------------------------------------------------------ cases


@dataclass(frozen=True)
class Case:
    """A program, its shapes by element type, what it is counted by, and the answer for checks at small sizes.

    `keys`: the first array has whole numbers below, the others have zeros, of the type `counts` where that is given.
    """

    name: str
    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    small: tuple[tuple[int, ...], ...]
    answer: Callable[..., Any]
    dtype: str = "float32"
    bytes: float = 0.0
    flops: float = 0.0
    keys: int = 0
    side: int = 4096
    counts: str = ""
    variants: Callable[[], Iterable[Schedule]] = tuple


def _inner(u: Any, v: Any) -> tuple[int, Any]:
    made = v.copy()
    made[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return 1, made


def _inner_steps(u: Any, v: Any) -> tuple[int, Any]:
    for _ in range(57):
        u, v = _inner(u, v)[1], u
    return 1, u


def _inner3(u: Any, v: Any) -> tuple[int, Any]:
    made, c = v.copy(), slice(1, -1)
    around = u[:-2, c, c] + u[2:, c, c] + u[c, :-2, c] + u[c, 2:, c] + u[c, c, :-2] + u[c, c, 2:]
    made[c, c, c] = 0.4 * u[c, c, c] + 0.1 * around
    return 1, made


N = 1 << 28
M = 16384
K = 4096


def _packed(limit: int, x: Any, out: Any) -> tuple[int, Any]:
    made, kept = out.copy(), x[x < limit]
    made[: len(kept)] = kept
    return 1, made


def _packing(name: str, function: Callable[..., Any], limit: int) -> Case:
    """A packing loop, counted by what is read and what is kept."""
    answer, bytes_ = partial(_packed, limit), 4.0 * N * (1 + limit / 100)
    return Case(name, function, ((N,),) * 2, ((100003,),) * 2, answer, bytes=bytes_, keys=100)


def _softmax(x: Any, out: Any) -> tuple[int, Any]:
    made = np.exp(x - x.max(1, keepdims=True))
    return 1, made / made.sum(1, keepdims=True)


def _counted(x: Any, counts: Any) -> tuple[int, Any]:
    return 1, counts + np.bincount(x, minlength=256)


def _products(run: int) -> Iterable[Schedule]:
    shapes = ((16, 8, 16, 8), (16, 16, 16, 8), (32, 8, 8, 8), (16, 4, 16, 8), (16, 8, 16, 4), (16, 4, 16, 4))
    for x, wide, y, tall in shapes:
        for depth in (8, 16):
            for blocks in (1, 2):
                yield (Bind("j", "x", x, wide, run), Bind("i", "y", y, tall, run), Stage("k", depth, blocks))


def _windows() -> Iterable[Schedule]:
    for x, y, points in ((4, 16, 4), (8, 8, 8), (16, 16, 4), (8, 32, 2)):
        yield (Bind("j", "x", x, 8, 8), Bind("i", "y", y, points), Slide("p", 17))


def _rows(outer: str, inner: str) -> Iterable[Schedule]:
    for x, y in ((32, 4), (64, 4), (128, 2), (256, 1), (512, 1)):
        yield (Bind(outer, "y", y), Share(inner, "x", x, 4))


def _columns() -> Iterable[Schedule]:
    for x, y in ((32, 16), (32, 8), (64, 16), (64, 8), (128, 8)):
        yield (Bind("j", "x", x), Share("i", "y", y))


def _planes() -> Iterable[Schedule]:
    for x, y in ((32, 8), (128, 1), (128, 2), (64, 4), (32, 4)):
        for rows in (2, 4, 8):
            yield (Bind("j", "x", x, 4, 4), Bind("i", "y", y, rows, rows))


def _cubes() -> Iterable[Schedule]:
    for x, y in ((32, 8), (32, 4), (64, 4)):
        for planes in (2, 4, 8):
            for rows in (1, 2):
                yield (Bind("k", "x", x, 4, 4), Bind("j", "y", y, rows, rows), Bind("i", "z", 1, planes, planes))


def _turns() -> Iterable[Schedule]:
    for x, y, points in ((16, 16, 4), (16, 8, 8), (8, 32, 1), (8, 16, 2), (16, 32, 2)):
        yield (Bind("i", "x", x, 4, 4), Bind("j", "y", y, points), Turn("j"))


def _streams() -> Iterable[Schedule]:
    for group in (128, 512):
        for points in (4, 8):
            yield (Bind("i", "x", group, points, 4),)


def _counts() -> Iterable[Schedule]:
    for points in (64, 128, 256, 512):
        yield (Bind("i", "x", 256, points, 4), Privatise("counts", 4096))


def _triad(a: Any, b: Any, c: Any) -> tuple[int, Any]:
    return 0, b + 3.0 * c


def _product(a: Any, b: Any, c: Any) -> tuple[int, Any]:
    return 2, a @ b


def _convolution(u: Any, w: Any, v: Any) -> tuple[int, Any]:
    made = v.copy()
    made[8:-8, 8:-8] = np.einsum("ijpq,pq->ij", np.lib.stride_tricks.sliding_window_view(u, w.shape), w)
    return 2, made


FLAT, ODD, MATRIX = ((10007,),) * 3, ((3, 2), (2, 5), (3, 5)), ((259, 133), (133, 301), (259, 301))
CASES = (
    Case("triad float32", triad, ((N,),) * 3, FLAT, _triad, bytes=12.0 * N, variants=_streams),
    Case("triad float64", triad, ((N // 2,),) * 3, FLAT, _triad, "float64", 12.0 * N),
    Case("triad odd", triad, ((N - 1,),) * 3, ((7,),) * 3, _triad, bytes=12.0 * N),
    Case("jacobi 16384", jacobi, ((M, M),) * 2, ((131, 259),) * 2, _inner, bytes=8.0 * M * M, variants=_planes),
    Case("jacobi steps", jacobi_steps, ((M, M),) * 2, ((131, 259),) * 2, _inner_steps, bytes=57 * 8.0 * M * M),
    Case("seven points 512", seven_points, ((512,) * 3,) * 2, ((19, 37, 67),) * 2, _inner3, bytes=8.0 * 512**3,
         variants=_cubes),
    Case("product float32", product, ((K, K),) * 3, MATRIX, _product, flops=2.0 * K**3, variants=partial(_products, 4)),
    Case("product float32 odd", product, ((K - 1, K - 1),) * 3, ODD, _product, flops=2.0 * (K - 1) ** 3, side=K - 1),
    Case("product float32 1024", product, ((1024, 1024),) * 3, MATRIX, _product, flops=2.0 * 1024**3, side=1024),
    Case("product float32 8192", product, ((8192, 8192),) * 3, MATRIX, _product, flops=2.0 * 8192**3, side=8192),
    Case("product float64 odd", product, ((K - 1, K - 1),) * 3, ODD, _product, "float64", flops=2.0 * (K - 1) ** 3,
         side=K - 1),
    Case("convolution 17 x 17", convolution, ((K, K), (17, 17), (K, K)), ((83, 131), (17, 17), (83, 131)), _convolution,
         flops=2.0 * 289 * (K - 16) ** 2, variants=_windows),
    Case("convolution odd", convolution, ((K - 1, K - 1), (17, 17), (K - 1, K - 1)), ((41, 67), (17, 17), (41, 67)),
         _convolution, flops=2.0 * 289 * (K - 17) ** 2),
    Case("product float64", product, ((K, K),) * 3, MATRIX, _product, "float64", flops=2.0 * K**3,
         variants=partial(_products, 2)),
    Case("sum", summed, ((N,),), ((100003,),), lambda x: (None, x.sum(dtype=np.float64)), bytes=4.0 * N,
         variants=partial(_rows, "i.pieces", "i")),
    Case("row sums", row_sums, ((M, M), (M,)), ((77, 1237), (77,)), lambda x, r: (1, x.sum(1)), bytes=4.0 * M * M,
         variants=partial(_rows, "i", "j")),
    Case("column sums", column_sums, ((M, M), (M,)), ((1237, 77), (77,)), lambda x, r: (1, x.sum(0)), bytes=4.0 * M * M,
         variants=_columns),
    Case("transpose", transposed, ((M, M),) * 2, ((131, 259), (259, 131)), lambda x, t: (1, x.T), bytes=8.0 * M * M,
         variants=_turns),
    Case("permutation 512x512x1024", planes_last, ((512, 512, 1024), (1024, 512, 512)), ((19, 37, 67), (67, 19, 37)),
         lambda x, out: (1, x.transpose(2, 0, 1)), bytes=8.0 * N),
    Case("softmax rows 16384x4096", softmax, ((M, 4096),) * 2, ((77, 1237),) * 2, _softmax, bytes=8.0 * M * 4096),
    Case("histogram int32", histogram, ((N,), (256,)), ((100003,), (256,)), _counted, "int32", 4.0 * N, keys=256,
         variants=_counts),
    Case("histogram uint8", histogram, ((N,), (256,)), ((100003,), (256,)), _counted, "uint8", 1.0 * N, keys=256,
         counts="int32"),
    Case("histogram equal", histogram, ((N,), (256,)), ((100003,), (256,)), _counted, "int32", 4.0 * N, keys=1),
    Case("scan", scan, ((N,),) * 2, ((100003,),) * 2, lambda x, o: (1, np.cumsum(x)), bytes=8.0 * N, keys=3),
    Case("row scans", row_scans, ((M, M),) * 2, ((7, 10007),) * 2, lambda x, o: (1, np.cumsum(x, 1)), bytes=8.0 * M * M,
         keys=3),
    _packing("packing 10 %", tenth, 10),
    _packing("packing 50 %", half, 50),
    _packing("packing 90 %", most, 90),
)  # fmt: skip


# ----------------------------------------------------------------------------------------------------- running


def _data(shape: tuple[int, ...], case: Case, position: int) -> np.ndarray[Any, Any]:
    """Numbers that repeat after an odd count: made quickly, and neither rows nor columns alike."""
    generator = np.random.default_rng(position)
    count = int(np.prod(shape))
    block: np.ndarray[Any, Any]
    if case.keys:
        block = generator.integers(0, case.keys if position == 0 else 1, min(count, 999_983))
    else:
        block = generator.standard_normal(min(count, 999_983))
    dtype = case.counts if case.counts and position else case.dtype
    return np.resize(block.astype(dtype), count).reshape(shape)


def check(device: Device, case: Case, schedule: Schedule = ()) -> str:
    """Compare with NumPy at a small odd size, aligned and not; what is wrong."""
    function = weft.jit(case.function, device="cuda", schedule=schedule)
    for offset in (0, 8):
        host = [_data(shape, case, k) for k, shape in enumerate(case.small)]
        arrays = [device.array(a, offset) for a in host]
        result = function(*arrays)
        position, expected = case.answer(*(a.copy() for a in host))
        got = result if position is None else device.host(arrays[position])
        for array in arrays:
            device.free(array)
        tolerance = 1e-4 if case.dtype == "float32" else 1e-10
        if not np.allclose(got, expected, rtol=tolerance, atol=tolerance * 10):
            return f"WRONG by {np.abs(np.asarray(got, float) - expected).max()}"
    return ""


def measure(device: Device, case: Case, arrays: Sequence[DeviceArray], schedule: Schedule = ()) -> float:
    """Seconds of the case's kernels."""
    function = weft.jit(case.function, device="cuda", schedule=schedule)
    tiny = [device.array(np.zeros(tuple(min(e, 4) for e in a.shape), a.dtype)) for a in arrays]
    whole, nothing = (device.seconds(lambda given=given: function(*given)) for given in (arrays, tiny))  # type: ignore[misc]
    for array in tiny:
        device.free(array)
    return whole - nothing


def vendor(dtype: str, side: int = K) -> float:
    """TFLOP/s of the vendor's product of square matrices."""
    for name in ("torch", "cupy"):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        return _vendor_rate(library, dtype, side)
    return MEASURED[dtype]


def _vendor_rate(library: Any, dtype: str, side: int) -> float:
    device = {"device": "cuda"} if library.__name__ == "torch" else {}
    host = np.random.default_rng(1).random((side, side)).astype(dtype)
    a = library.asarray(host, **device)
    synchronise = library.cuda.synchronize if library.__name__ == "torch" else library.cuda.Device().synchronize
    times = []
    for _ in range(ROUNDS):
        synchronise()
        start = time.perf_counter()
        for _ in range(AT_ONCE):
            _ = a @ a
        synchronise()
        times.append((time.perf_counter() - start) / AT_ONCE)
    return 2e-12 * side**3 / sorted(times)[ROUNDS // 2]


def _show(case: Case, what: str, seconds: float, copy: float) -> None:
    if case.flops:
        rate, ceiling = 1e-12 * case.flops / seconds, vendor(case.dtype, case.side)
        print(
            f"{case.name:22} {what:76} {1e6 * seconds:9.1f} us {rate:8.2f} TFLOP/s {rate / ceiling:6.3f} of library",
            flush=True,
        )
    else:
        rate = case.bytes / seconds
        print(
            f"{case.name:22} {what:76} {1e6 * seconds:9.1f} us {1e-9 * rate:8.1f} GB/s    {rate / copy:6.3f} of copy",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Check and time all cases."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_kernels", description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of cases")
    parser.add_argument("--variants", action="store_true", help="other schedules too")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop trying variants after so many seconds")
    options = parser.parse_args(arguments)
    device, began = Device(), time.perf_counter()
    copy = device.copy_rate()
    print(f"{device.clock.name()}; copy {1e-9 * copy:.0f} GB/s")
    wrong = 0
    for case in CASES:
        if options.only not in case.name:
            continue
        problem = check(device, case)
        wrong += bool(problem)
        arrays = [device.array(_data(shape, case, k)) for k, shape in enumerate(case.shapes)]
        _show(case, problem or "default", measure(device, case, arrays), copy)
        for schedule in case.variants() if options.variants else ():
            if time.perf_counter() - began < options.seconds:
                wrong += _try(device, case, arrays, schedule, copy)
        for array in arrays:
            device.free(array)
    return int(wrong > 0)


def _try(device: Device, case: Case, arrays: Sequence[DeviceArray], schedule: Schedule, copy: float) -> int:
    """Check and time another schedule."""
    short = " ".join(_short(directive) for directive in schedule)
    try:
        problem = check(device, case, schedule)
        _show(case, f"{short} {problem}", measure(device, case, arrays, schedule), copy)
    except weft.Error as error:
        problem = ""
        print(f"{case.name:22} {short:76} refused: {str(error).splitlines()[0]}")
    return bool(problem)


def _short(directive: Directive) -> str:
    return f"{type(directive).__name__}{tuple(vars(directive).values())}".replace(" ", "").replace("'", "")


if __name__ == "__main__":
    raise SystemExit(main())
