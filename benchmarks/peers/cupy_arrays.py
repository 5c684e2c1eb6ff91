"""CuPy: array expressions, fused where they can be; the vendor's libraries through it: cuBLAS, cuSPARSE, CUB."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.peers import Make, Peer

cupy: Any = importlib.import_module("cupy")
INNER = slice(1, -1)


def into(expression: Callable[..., Any], answer: int = -1) -> Make:
    """Write an expression of the other arrays into the one at a position."""

    def make(*arrays: Any) -> Callable[[], Any]:
        others = [array for k, array in enumerate(arrays) if k != answer % len(arrays)]

        def call() -> Any:
            arrays[answer][...] = expression(*others)
            return arrays[answer]

        return call

    return make


def returning(expression: Callable[..., Any]) -> Make:
    """Give the value of an expression of all arrays."""
    return lambda *arrays: lambda: expression(*arrays)


def by_cub(expression: Callable[..., Any]) -> Make:
    """The same with CUB behind reductions and scans."""
    core = importlib.import_module("cupy._core")

    def make(*arrays: Any) -> Callable[[], Any]:
        def call() -> Any:
            core.set_reduction_accelerators(["cub"])
            core.set_routine_accelerators(["cub"])
            try:
                return expression(*arrays)
            finally:
                core.set_reduction_accelerators([])
                core.set_routine_accelerators([])

        return call

    return make


def element(inputs: str, outputs: str, code: str, answer: int, options: tuple[str, ...] = ()) -> Make:
    """An elementwise kernel whose outputs begin at a position; the arrays before it come last there."""
    kernel = cupy.ElementwiseKernel(inputs, outputs, code, options=options)

    def make(*arrays: Any) -> Callable[[], Any]:
        ordered = (*arrays[1:], arrays[0]) if answer == 0 else arrays

        def call() -> Any:
            kernel(*ordered)
            return arrays[answer]

        return call

    return make


def step(u: Any, v: Any) -> None:
    """One step of the five-point stencil."""
    v[1:-1, 1:-1] = _around(u[:-2, 1:-1], u[2:, 1:-1], u[1:-1, :-2], u[1:-1, 2:])


@cupy.fuse()
def _around(a, b, c, d):  # type: ignore[no-untyped-def]
    return 0.25 * (a + b + c + d)


def jacobi(u: Any, v: Any) -> Callable[[], Any]:
    """One step."""

    def call() -> Any:
        step(u, v)
        return v

    return call


def jacobi_steps(u: Any, v: Any) -> Callable[[], Any]:
    """57 steps."""

    def call() -> Any:
        for number in range(57):
            step(*((u, v) if number % 2 == 0 else (v, u)))
        return v

    return call


@cupy.fuse()
def _weighted(m, a, b, c, d, e, f):  # type: ignore[no-untyped-def]
    return 0.4 * m + 0.1 * (a + b + c + d + e + f)


def seven_points(u: Any, v: Any) -> Callable[[], Any]:
    """One step of the seven-point stencil."""
    c = INNER
    parts = (u[c, c, c], u[:-2, c, c], u[2:, c, c], u[c, :-2, c], u[c, 2:, c], u[c, c, :-2], u[c, c, 2:])

    def call() -> Any:
        v[c, c, c] = _weighted(*parts)
        return v

    return call


def softmax(x: Any, out: Any) -> Callable[[], Any]:
    """Whole-array softmax of the rows."""

    def call() -> Any:
        cupy.subtract(x, x.max(axis=1, keepdims=True), out=out)
        cupy.exp(out, out=out)
        cupy.divide(out, out.sum(axis=1, keepdims=True), out=out)
        return out

    return call


def convolution(u: Any, w: Any, v: Any) -> Callable[[], Any]:
    """The correlation of SciPy's images, which has a border, too."""
    images = importlib.import_module("cupyx.scipy.ndimage")
    border = len(w) // 2

    def call() -> Any:
        images.correlate(u, w, output=v, mode="constant")
        return v[border:-border, border:-border]

    return call


def sparse_product(starts: Any, columns: Any, values: Any, x: Any, y: Any) -> Callable[[], Any]:
    """The product of cuSPARSE."""
    sparse = importlib.import_module("cupyx.scipy.sparse")
    matrix = sparse.csr_matrix((values, columns, starts), shape=(len(y), len(x)))
    return lambda: matrix @ x


def packing(limit: int) -> Make:
    """A mask as index."""
    return lambda x, out: lambda: x[x < limit]


OPTIONS = """
T root = sqrt(years);
T d1 = (log(price / strike) + (T)0.065 * years) / ((T)0.3 * root), d2 = d1 - (T)0.3 * root;
T n1 = (T)0.5 * erfc(-d1 * (T)0.70710678), n2 = (T)0.5 * erfc(-d2 * (T)0.70710678), e = strike * exp((T)-0.02 * years);
call = price * n1 - e * n2; put = e * (1 - n2) - price * (1 - n1);
"""

PEERS = (
    Peer(
        "CuPy",
        cupy.__version__,
        {
            "added": lambda a, b, c: lambda: cupy.add(a, b, out=c),
            "triad": element("T b, T c", "T a", "a = b + (T)3 * c", 0),
            "black_scholes": element("T price, T strike, T years", "T call, T put", OPTIONS, 3),
            "black_scholes_fast": element(
                "T price, T strike, T years", "T call, T put", OPTIONS, 3, ("--use_fast_math",)
            ),
            "jacobi": jacobi,
            "jacobi_steps": jacobi_steps,
            "seven_points": seven_points,
            "transposed": into(lambda x: x.T),
            "planes_last": into(lambda x: x.transpose(2, 0, 1)),
            "summed": returning(lambda x: float(x.sum())),
            "place": returning(lambda x: float(x.argmin())),
            "row_sums": lambda x, out: lambda: x.sum(axis=1, out=out),
            "column_sums": lambda x, out: lambda: x.sum(axis=0, out=out),
            "softmax": softmax,
            "scan": lambda x, out: lambda: cupy.cumsum(x, out=out),
            "histogram": returning(lambda x, counts: cupy.bincount(x, minlength=256)),
            "tenth": packing(10),
            "half": packing(50),
            "most": packing(90),
            "product": lambda a, b, c: lambda: cupy.matmul(a, b, out=c),
            "sparse_product": sparse_product,
            "convolution": convolution,
        },
    ),
    Peer(
        "CUB through CuPy",
        cupy.__version__,
        {
            "summed": by_cub(lambda x: float(x.sum())),
            "row_sums": by_cub(lambda x, out: x.sum(axis=1, out=out)),
            "column_sums": by_cub(lambda x, out: x.sum(axis=0, out=out)),
            "scan": by_cub(lambda x, out: cupy.cumsum(x, out=out)),
            "histogram": by_cub(lambda x, counts: cupy.histogram(x, bins=256, range=(0, 256))[0]),
        },
    ),
)
