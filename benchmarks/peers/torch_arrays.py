"""PyTorch: as it stands (its own kernels, cuBLAS, cuSPARSE, cuDNN, CUB) and compiled (inductor)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.peers import Make, Peer

torch: Any = importlib.import_module("torch")
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
STEPS = 57


def on_tensors(function: Callable[..., Any], compiled: bool, answer: int | None = None) -> Make:
    """Call a function with tensors that share the arrays' memory; it writes or returns the answer."""

    def make(*arrays: Any) -> Callable[[], Any]:
        tensors = [torch.as_tensor(array, device="cuda") for array in arrays]
        run = torch.compile(function, dynamic=False) if compiled else function

        def call() -> Any:
            made = run(*tensors)
            return made if answer is None else arrays[answer]

        return call

    return make


def added(a: Any, b: Any, c: Any) -> None:
    """``c = a + b``."""
    torch.add(a, b, out=c)


def triad(a: Any, b: Any, c: Any) -> None:
    """``a = b + 3 c``."""
    a.copy_(b + 3.0 * c)


def options(price: Any, strike: Any, years: Any, call: Any, put: Any) -> None:
    """Black and Scholes."""
    root = torch.sqrt(years)
    d1 = (torch.log(price / strike) + 0.065 * years) / (0.3 * root)
    d2 = d1 - 0.3 * root
    n1, n2 = 0.5 * torch.erfc(-d1 * 0.70710678), 0.5 * torch.erfc(-d2 * 0.70710678)
    e = strike * torch.exp(-0.02 * years)
    call.copy_(price * n1 - e * n2)
    put.copy_(e * (1 - n2) - price * (1 - n1))


def jacobi(u: Any, v: Any) -> None:
    """One step."""
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def jacobi_steps(compiled: bool) -> Make:
    """57 steps."""

    def make(u: Any, v: Any) -> Callable[[], Any]:
        step = torch.compile(jacobi, dynamic=False) if compiled else jacobi
        one, other = (torch.as_tensor(array, device="cuda") for array in (u, v))

        def call() -> Any:
            for number in range(STEPS):
                step(*((one, other) if number % 2 == 0 else (other, one)))
            return v

        return call

    return make


def seven_points(u: Any, v: Any) -> None:
    """One step of the seven-point stencil."""
    c = slice(1, -1)
    around = u[:-2, c, c] + u[2:, c, c] + u[c, :-2, c] + u[c, 2:, c] + u[c, c, :-2] + u[c, c, 2:]
    v[c, c, c] = 0.4 * u[c, c, c] + 0.1 * around


def star(u: Any, v: Any) -> None:
    """One step of the stencil of 25 points."""
    total = 0.3 * _moved(u, 0, 0)
    for distance, weight in enumerate((0.08, 0.02, 0.01, 0.005), 1):
        total = total + weight * sum(_moved(u, axis, sign * distance) for axis in range(3) for sign in (-1, 1))
    v[4:-4, 4:-4, 4:-4] = total


def _moved(u: Any, axis: int, by: int) -> Any:
    moved = [by if k == axis else 0 for k in range(3)]
    return u[tuple(slice(4 + m, extent - 4 + m) for m, extent in zip(moved, u.shape, strict=True))]


def bodies(p: Any, a: Any) -> None:
    """All pairs; compiled they need no memory."""
    d = p[None, :, :3] - p[:, None, :3]
    r = (d * d).sum(2) + 1e-9
    a[:, :3] = (d * (p[None, :, 3] / (r * torch.sqrt(r)))[:, :, None]).sum(1)


def sparse_product(starts: Any, columns: Any, values: Any, x: Any, y: Any) -> Callable[[], Any]:
    """The product of cuSPARSE."""
    s, c, v, t = (torch.as_tensor(array, device="cuda") for array in (starts, columns, values, x))
    matrix = torch.sparse_csr_tensor(s, c, v, (len(y), len(x)))
    return lambda: matrix @ t


def convolution(u: Any, w: Any, v: Any) -> Any:
    """The convolution of cuDNN, without a border."""
    return torch.nn.functional.conv2d(u[None, None], w[None, None])[0, 0]


def _ways(compiled: bool) -> dict[str, Make]:
    def way(function: Callable[..., Any], answer: int | None = -1) -> Make:
        return on_tensors(function, compiled, answer)

    return {
        "added": way(added),
        "triad": way(triad, 0),
        "black_scholes": way(options, 3),
        "jacobi": way(jacobi),
        "jacobi_steps": jacobi_steps(compiled),
        "seven_points": way(seven_points),
        "star": way(star),
        "transposed": way(lambda x, out: out.copy_(x.t())),
        "planes_last": way(lambda x, out: out.copy_(x.permute(2, 0, 1))),
        "summed": _sum(compiled),
        "row_sums": way(lambda x, out: out.copy_(x.sum(1))),
        "column_sums": way(lambda x, out: out.copy_(x.sum(0))),
        "softmax": way(lambda x, out: out.copy_(torch.softmax(x, 1))),
        "scan": way(lambda x, out: torch.cumsum(x, 0, out=out)),
        "convolution": way(convolution, None),
    }


def _sum(compiled: bool) -> Make:
    def make(x: Any) -> Callable[[], float]:
        tensor = torch.as_tensor(x, device="cuda")
        run = torch.compile(lambda t: t.sum(), dynamic=False) if compiled else torch.sum
        return lambda: float(run(tensor))

    return make


def packing(limit: int) -> Make:
    """A mask as index."""
    return on_tensors(lambda x, out: x[x < limit], False)


PEERS = (
    Peer(
        "torch",
        torch.__version__,
        {
            **_ways(False),
            "place": on_tensors(lambda x: float(x.argmin()), False),
            "histogram": on_tensors(lambda x, counts: torch.bincount(x, minlength=256), False),
            "tenth": packing(10),
            "half": packing(50),
            "most": packing(90),
            "product": on_tensors(lambda a, b, c: torch.matmul(a, b, out=c), False, -1),
            "sparse_product": sparse_product,
        },
    ),
    Peer("torch.compile", torch.__version__, {**_ways(True), "bodies": on_tensors(bodies, True, 1)}),
)
