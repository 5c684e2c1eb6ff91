"""The rows of `benchmarks.gpu_kernels`: programs with shapes, what they are counted by, answers, other schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from math import prod, sqrt
from typing import Any

import numpy as np

from benchmarks import gpu_programs as programs
from weft.schedule import Bind, Privatise, Schedule, Share, Slide, Stage, Turn


@dataclass(frozen=True)
class Case:
    """A program, its shapes, what it is counted by, and the answer for checks at small sizes.

    `keys`: the first array has whole numbers below, the others have zeros, of the type `counts` where that is given.
    `floor`: the part of the ceiling that has to be reached. `apart`: so many elements lie between the rows of arrays,
    and as many between the elements of arrays of one dimension; `offset`: bytes behind an aligned address.
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
    variants: Callable[[], Iterable[Schedule]] = tuple
    apart: int = 0
    offset: int = 0

    def in_form(self, form: str) -> Case | None:
        """Give the case at odd sizes, on unaligned or strided views or in float64; none where that is no other case.

        A part of what a form of a row has to reach is 0.8 of what the row itself has to reach. Elements between those
        of a strided view of one dimension travel with them, so they count.
        """
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
    return Case(name, function, ((N,),) * 2, ((100003,),) * 2, answer, bytes=bytes_, keys=100, floor=0.6)


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
)
