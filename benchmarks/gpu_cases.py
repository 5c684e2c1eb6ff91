"""The rows of `benchmarks.gpu_kernels`: programs with shapes, what they are counted by, answers, other schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import erfc, prod, sqrt
from typing import Any

import numpy as np

from benchmarks import gpu_programs as programs
from weft.schedule import Bind, Privatise, Schedule, Share, Slide, Stage, Turn


@dataclass(frozen=True)
class Case:
    """A program, its shapes, what it is counted by, and the answer for checks at small sizes.

    `keys`: the first array has whole numbers below, the others have zeros, of the type `counts` where that is given.
    `floor`: the part of the ceiling that has to be reached. `apart`: so many elements lie between the rows of arrays,
    and as many between the elements of arrays of one dimension; `offset`: bytes behind an aligned address. `arrays`:
    makes the arguments, small ones or whole ones, where random numbers will not do. `kept`: the part of elements that a
    packing loop keeps.
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
    floor: float = 0.0
    fastmath: bool = False
    arrays: Callable[[bool], tuple[np.ndarray[Any, Any], ...]] | None = None
    variants: Callable[[], Iterable[Schedule]] = tuple
    apart: int = 0
    offset: int = 0
    kept: float = 1.0

    def in_form(self, form: str) -> Case | None:
        """Give the case at odd sizes, on unaligned or strided views or in float64; none where that is no other case.

        A part of what a form of a row has to reach is 0.8 of what the row itself has to reach. Elements between those
        of a strided view of one dimension travel with them, so they count.
        """
        if self.arrays:
            return None
        if form == "odd":
            shapes = tuple(tuple(map(_odd, shape)) for shape in self.shapes)
            if shapes == self.shapes:
                return None
            shares = [prod(new) / prod(old) for new, old in zip(shapes, self.shapes, strict=True)]
            # A product has three arrays whose sides count, a convolution has two that do.
            flops = self.flops * sqrt(prod(shares))
            made = replace(self, shapes=shapes, side=_odd(self.side), bytes=self.bytes * shares[0], flops=flops)
        elif form == "unaligned":
            made = replace(self, offset=np.dtype(self.dtype).itemsize)
        elif form == "strided":
            made = replace(self, apart=1, bytes=self.bytes * (2 if max(map(len, self.shapes)) == 1 else 1))
        elif self.dtype == "float32":
            made = replace(self, dtype="float64", bytes=2 * self.bytes)
        else:
            return None
        return replace(made, name=f"{self.name}, {form}", floor=0.8 * self.floor, variants=tuple)


FORMS = ("odd", "unaligned", "strided", "float64")


def _odd(extent: int) -> int:
    return extent - 1 if extent >= 512 and extent % 2 == 0 else extent


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
    shapes, small = ((N,),) * 2, ((100003,),) * 2
    return Case(name, function, shapes, small, answer, bytes=bytes_, keys=100, floor=0.6, kept=limit / 100)


def _softmax(x: Any, out: Any) -> tuple[int, Any]:
    made = np.exp(x - x.max(1, keepdims=True))
    return 1, made / made.sum(1, keepdims=True)


def _layers(x: Any, weights: Any, shifts: Any, out: Any) -> tuple[int, Any]:
    mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    return 3, (x - mean) / np.sqrt(variance + 1e-5) * weights + shifts


def _lengths(x: Any, out: Any) -> tuple[int, Any]:
    return 1, x / np.sqrt((x * x).sum(1, keepdims=True))


def _segmented(small: bool) -> tuple[np.ndarray[Any, Any], ...]:
    """Runs of up to 8191 elements."""
    generator, count = np.random.default_rng(0), 100003 if small else N
    lengths = generator.integers(0, 8192, 2 * count // 8192 + 1)
    starts = np.minimum(np.concatenate([[0], np.cumsum(lengths)]), count)
    x = np.resize(generator.random(min(count, 999_983), np.float32), count)
    return starts, x, np.zeros(len(starts) - 1, np.float32)


def _sums(starts: Any, x: Any, out: Any) -> tuple[int, Any]:
    total = np.concatenate([[0], np.cumsum(x.astype(np.float64))])
    return 2, total[starts[1:]] - total[starts[:-1]]


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


def _added(a: Any, b: Any, c: Any) -> tuple[int, Any]:
    return 2, a + b


def _star(u: Any, v: Any) -> tuple[int, Any]:
    made, c = v.copy(), slice(4, -4)
    total = 0.3 * u[c, c, c]
    for k, weight in enumerate((0.08, 0.02, 0.01, 0.005), 1):
        for axis in range(3):
            for shift in (-k, k):
                side = slice(4 + shift, u.shape[axis] - 4 + shift)
                total = total + weight * u[tuple(side if a == axis else c for a in range(3))]
    made[c, c, c] = total
    return 1, made


def _prices(price: Any, strike: Any, years: Any, call: Any, put: Any) -> tuple[int, Any]:
    root = np.sqrt(years)
    d1 = (np.log(price / strike) + 0.065 * years) / (0.3 * root)
    n1, n2 = (0.5 * np.vectorize(erfc)(-d * 0.70710678) for d in (d1, d1 - 0.3 * root))
    return 3, price * n1 - strike * np.exp(-0.02 * years) * n2


def _market(small: bool) -> tuple[np.ndarray[Any, Any], ...]:
    generator, count = np.random.default_rng(0), 10007 if small else 1 << 26
    block = generator.random((3, min(count, 999_983)), np.float32)
    price, strike, years = (np.resize(b, count) for b in (10 + 90 * block[0], 10 + 90 * block[1], 1 + 9 * block[2]))
    return price, strike, years, np.zeros(count, np.float32), np.zeros(count, np.float32)


def _pulls(p: Any, a: Any) -> tuple[int, Any]:
    d = p[None, :, :3].astype(np.float64) - p[:, None, :3]
    r = (d * d).sum(2) + 1e-9
    made = a.copy()
    made[:, :3] = (d * (p[None, :, 3] / (r * np.sqrt(r)))[:, :, None]).sum(1)
    return 1, made


def _bodies(small: bool) -> tuple[np.ndarray[Any, Any], ...]:
    count = 517 if small else 1 << 17
    return np.random.default_rng(0).random((count, 4), np.float32), np.zeros((count, 4), np.float32)


def _sparse(kind: str, small: bool) -> tuple[np.ndarray[Any, Any], ...]:
    """Rows of 32 entries anywhere or in a band, or of lengths by a power law."""
    generator = np.random.default_rng(0)
    rows = {"power law": 6_000_000}.get(kind, 3_125_000) if not small else 1013
    lengths = np.full(rows, 32)
    if kind == "power law":
        lengths = np.minimum(4 * (generator.random(rows) + 1e-12) ** (-1 / 1.3), 1e6 if not small else 700).astype(int)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    count = int(starts[-1])
    if kind == "banded":
        middle = np.repeat(np.arange(rows, dtype=np.int32), 32)
        columns = np.clip(middle + generator.integers(-512, 512, count, np.int32), 0, rows - 1)
    else:
        columns = generator.integers(0, rows, count, np.int32)
    values, x = generator.random(count, np.float32), generator.random(rows, np.float32)
    return starts, columns, values, x, np.zeros(rows, np.float32)


def _times(starts: Any, columns: Any, values: Any, x: Any, y: Any) -> tuple[int, Any]:
    sums = np.concatenate([[0], np.cumsum(values.astype(np.float64) * x[columns])])
    return 4, (sums[starts[1:]] - sums[starts[:-1]]).astype(np.float32)


def _product_of(kind: str, entries: float, rows: float) -> Case:
    """A row for a kind of sparse matrix, counted by its entries and the vectors."""
    name, bytes_ = f"sparse product {kind}", 8.0 * entries + 12.0 * rows
    return Case(name, programs.sparse_product, (), (), _times, bytes=bytes_, arrays=partial(_sparse, kind))


FLAT, ODD, MATRIX = ((10007,),) * 3, ((3, 2), (2, 5), (3, 5)), ((259, 133), (133, 301), (259, 301))
CASES = (
    Case("triad float32", programs.triad, ((N,),) * 3, FLAT, _triad, bytes=12.0 * N, variants=_streams, floor=0.99),
    Case("triad float64", programs.triad, ((N // 2,),) * 3, FLAT, _triad, "float64", 12.0 * N, floor=0.99),
    Case(
        "jacobi 16384",
        programs.jacobi,
        ((M, M),) * 2,
        ((131, 259),) * 2,
        _inner,
        bytes=8.0 * M * M,
        variants=_planes,
        floor=0.93,
    ),
    Case(
        "jacobi steps",
        programs.jacobi_steps,
        ((M, M),) * 2,
        ((131, 259),) * 2,
        _inner_steps,
        bytes=57 * 8.0 * M * M,
        floor=3.0,
    ),
    Case(
        "seven points 512",
        programs.seven_points,
        ((512,) * 3,) * 2,
        ((19, 37, 67),) * 2,
        _inner3,
        bytes=8.0 * 512**3,
        variants=_cubes,
        floor=0.9,
    ),
    Case(
        "product float32",
        programs.product,
        ((K, K),) * 3,
        MATRIX,
        _product,
        flops=2.0 * K**3,
        variants=partial(_products, 4),
        floor=0.85,
    ),
    Case(
        "product float32 4095",
        programs.product,
        ((K - 1, K - 1),) * 3,
        ODD,
        _product,
        flops=2.0 * (K - 1) ** 3,
        side=K - 1,
        floor=0.82,
    ),
    Case(
        "product float32 1024",
        programs.product,
        ((1024, 1024),) * 3,
        MATRIX,
        _product,
        flops=2.0 * 1024**3,
        side=1024,
        floor=0.8,
    ),
    Case(
        "product float32 8192",
        programs.product,
        ((8192, 8192),) * 3,
        MATRIX,
        _product,
        flops=2.0 * 8192**3,
        side=8192,
        floor=0.88,
    ),
    Case(
        "convolution 17 x 17",
        programs.convolution,
        ((K, K), (17, 17), (K, K)),
        ((83, 131), (17, 17), (83, 131)),
        _convolution,
        flops=2.0 * 289 * (K - 16) ** 2,
        variants=_windows,
        floor=0.8,
    ),
    Case(
        "product float64",
        programs.product,
        ((K, K),) * 3,
        MATRIX,
        _product,
        "float64",
        flops=2.0 * K**3,
        variants=partial(_products, 2),
        floor=0.6,
    ),
    Case(
        "sum",
        programs.summed,
        ((N,),),
        ((100003,),),
        lambda x: (None, x.sum(dtype=np.float64)),
        bytes=4.0 * N,
        variants=partial(_rows, "i.pieces", "i"),
        floor=1.0,
    ),
    Case(
        "row sums",
        programs.row_sums,
        ((M, M), (M,)),
        ((77, 1237), (77,)),
        lambda x, r: (1, x.sum(1)),
        bytes=4.0 * M * M,
        variants=partial(_rows, "i", "j"),
        floor=0.98,
    ),
    Case(
        "column sums",
        programs.column_sums,
        ((M, M), (M,)),
        ((1237, 77), (77,)),
        lambda x, r: (1, x.sum(0)),
        bytes=4.0 * M * M,
        variants=_columns,
        floor=0.98,
    ),
    Case(
        "transpose",
        programs.transposed,
        ((M, M),) * 2,
        ((131, 259), (259, 131)),
        lambda x, t: (1, x.T),
        bytes=8.0 * M * M,
        variants=_turns,
        floor=0.93,
    ),
    Case(
        "permutation 512x512x1024",
        programs.planes_last,
        ((512, 512, 1024), (1024, 512, 512)),
        ((19, 37, 67), (67, 19, 37)),
        lambda x, out: (1, x.transpose(2, 0, 1)),
        bytes=8.0 * N,
        floor=0.9,
    ),
    Case(
        "softmax rows 16384x4096",
        programs.softmax,
        ((M, 4096),) * 2,
        ((77, 1237),) * 2,
        _softmax,
        bytes=8.0 * M * 4096,
        floor=0.91,
    ),
    Case(
        "layer norm 16384x4096",
        programs.layer_norm,
        ((M, 4096), (4096,), (4096,), (M, 4096)),
        ((77, 1237), (1237,), (1237,), (77, 1237)),
        _layers,
        bytes=8.0 * M * 4096,
        floor=0.91,
    ),
    Case(
        "normalised rows 16384x4096",
        programs.normalised,
        ((M, 4096),) * 2,
        ((77, 1237),) * 2,
        _lengths,
        bytes=8.0 * M * 4096,
        floor=0.91,
    ),
    Case(
        "places in rows 16384x4096",
        programs.row_places,
        ((M, 4096), (M,)),
        ((77, 1237), (77,)),
        lambda x, out: (1, x.argmax(1)),
        bytes=4.0 * M * 4096,
        counts="int64",
        floor=0.9,
    ),
    Case("place", programs.place, ((N,),), ((100003,),), lambda x: (None, x.argmin()), bytes=4.0 * N, floor=0.9),
    Case("segmented sums", programs.segments, (), (), _sums, bytes=4.0 * N, arrays=_segmented),
    Case(
        "histogram int32",
        programs.histogram,
        ((N,), (256,)),
        ((100003,), (256,)),
        _counted,
        "int32",
        4.0 * N,
        keys=256,
        variants=_counts,
        floor=0.95,
    ),
    Case(
        "histogram uint8",
        programs.histogram,
        ((N,), (256,)),
        ((100003,), (256,)),
        _counted,
        "uint8",
        1.0 * N,
        keys=256,
        counts="int32",
        floor=0.75,
    ),
    Case(
        "histogram equal",
        programs.histogram,
        ((N,), (256,)),
        ((100003,), (256,)),
        _counted,
        "int32",
        4.0 * N,
        keys=1,
        floor=0.5,
    ),
    Case(
        "scan",
        programs.scan,
        ((N,),) * 2,
        ((100003,),) * 2,
        lambda x, o: (1, np.cumsum(x)),
        bytes=8.0 * N,
        keys=3,
        floor=0.7,
    ),
    Case(
        "row scans",
        programs.row_scans,
        ((M, M),) * 2,
        ((7, 10007),) * 2,
        lambda x, o: (1, np.cumsum(x, 1)),
        bytes=8.0 * M * M,
        keys=3,
    ),
    _packing("packing 10 %", programs.tenth, 10),
    _packing("packing 50 %", programs.half, 50),
    _packing("packing 90 %", programs.most, 90),
    Case("addition float32", programs.added, ((N,),) * 3, FLAT, _added, bytes=12.0 * N, floor=0.99),
    Case("addition float64", programs.added, ((N // 2,),) * 3, FLAT, _added, "float64", 12.0 * N, floor=0.99),
    Case("black-scholes", programs.black_scholes, (), (), _prices, bytes=20.0 * (1 << 26), floor=0.55, arrays=_market),
    Case("black-scholes erfc", programs.black_scholes_erfc, (), (), _prices, bytes=20.0 * (1 << 26), arrays=_market),
    Case(
        "black-scholes fastmath",
        programs.black_scholes,
        (),
        (),
        _prices,
        bytes=20.0 * (1 << 26),
        floor=0.95,
        fastmath=True,
        arrays=_market,
    ),
    Case(
        "25-point star 512",
        programs.star,
        ((512,) * 3,) * 2,
        ((19, 37, 67),) * 2,
        _star,
        bytes=8.0 * 512**3,
        floor=0.65,
    ),
    Case("bodies", programs.bodies, (), (), _pulls, flops=20.0 * 2**34, arrays=_bodies),
    Case("bodies fastmath", programs.bodies, (), (), _pulls, flops=20.0 * 2**34, fastmath=True, arrays=_bodies),
    _product_of("uniform", 1e8, 3_125_000),
    _product_of("banded", 1e8, 3_125_000),
    _product_of("power law", 9.8e7, 6_000_000),
)
