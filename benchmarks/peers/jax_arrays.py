"""JAX: array expressions under `jax.jit`. Its results are new arrays; of stencils it computes the interior only."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

from benchmarks.peers import Make, Peer

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
jax: Any = importlib.import_module("jax")
jnp: Any = importlib.import_module("jax.numpy")
jax.config.update("jax_enable_x64", True)
STEPS = 57


def jitted(function: Callable[..., Any], as_number: bool = False) -> Make:
    """Call a compiled function with arrays that share the memory of the given ones."""

    def make(*arrays: Any) -> Callable[[], Any]:
        mine = [jnp.from_dlpack(array) for array in arrays]
        run = jax.jit(function)
        return lambda: float(run(*mine)) if as_number else run(*mine)

    return make


def step(u: Any) -> Any:
    """The interior after one step."""
    return 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def jacobi_steps(u: Any, v: Any) -> Any:
    """57 steps within a loop of the compiler."""

    def once(_: int, both: tuple[Any, Any]) -> tuple[Any, Any]:
        one, other = both
        return other.at[1:-1, 1:-1].set(step(one)), one

    return jax.lax.fori_loop(0, STEPS, once, (u, v))[0]


def seven_points(u: Any, v: Any) -> Any:
    """The interior after one step."""
    c = slice(1, -1)
    around = u[:-2, c, c] + u[2:, c, c] + u[c, :-2, c] + u[c, 2:, c] + u[c, c, :-2] + u[c, c, 2:]
    return 0.4 * u[c, c, c] + 0.1 * around


def star(u: Any, v: Any) -> Any:
    """The interior after one step of the stencil of 25 points."""
    total = 0.3 * _moved(u, 0, 0)
    for distance, weight in enumerate((0.08, 0.02, 0.01, 0.005), 1):
        total += weight * sum(_moved(u, axis, sign * distance) for axis in range(3) for sign in (-1, 1))
    return total


def _moved(u: Any, axis: int, by: int) -> Any:
    moved = [by if k == axis else 0 for k in range(3)]
    return u[tuple(slice(4 + m, extent - 4 + m) for m, extent in zip(moved, u.shape, strict=True))]


def options(price: Any, strike: Any, years: Any, call: Any, put: Any) -> Any:
    """Black and Scholes."""
    root = jnp.sqrt(years)
    d1 = (jnp.log(price / strike) + 0.065 * years) / (0.3 * root)
    d2 = d1 - 0.3 * root
    n1, n2 = 0.5 * jax.lax.erfc(-d1 * 0.70710678), 0.5 * jax.lax.erfc(-d2 * 0.70710678)
    e = strike * jnp.exp(-0.02 * years)
    return price * n1 - e * n2, e * (1 - n2) - price * (1 - n1)


def bodies(p: Any, a: Any) -> Any:
    """A sum over all others for each body."""

    def pull(one: Any) -> Any:
        d = p[:, :3] - one[:3]
        r = (d * d).sum(1) + 1e-9
        return (d * (p[:, 3] / (r * jnp.sqrt(r)))[:, None]).sum(0)

    return jax.lax.map(pull, p, batch_size=1024)


def sparse_product(starts: Any, columns: Any, values: Any, x: Any, y: Any) -> Callable[[], Any]:
    """The product of its experimental sparse arrays."""
    sparse = importlib.import_module("jax.experimental.sparse")
    s, c, v, t = (jnp.from_dlpack(array) for array in (starts, columns, values, x))
    matrix = sparse.CSR((v, c, s), shape=(len(y), len(x)))
    run = jax.jit(lambda m, t: m @ t)
    return lambda: run(matrix, t)


def convolution(u: Any, w: Any, v: Any) -> Any:
    """The convolution of cuDNN, without a border."""
    given = (u[None, None], w[None, None], (1, 1), "VALID")
    return jax.lax.conv_general_dilated(*given, precision="highest")[0, 0]


PEERS = (
    Peer(
        "JAX",
        jax.__version__,
        {
            "added": jitted(lambda a, b, c: a + b),
            "triad": jitted(lambda a, b, c: b + 3.0 * c),
            "black_scholes": jitted(options),
            "jacobi": jitted(lambda u, v: step(u)),
            "jacobi_steps": jitted(jacobi_steps),
            "seven_points": jitted(seven_points),
            "star": jitted(star),
            "transposed": jitted(lambda x, out: x.T),
            "planes_last": jitted(lambda x, out: x.transpose(2, 0, 1)),
            "summed": jitted(lambda x: x.sum(), as_number=True),
            "place": jitted(lambda x: x.argmin(), as_number=True),
            "row_sums": jitted(lambda x, out: x.sum(1)),
            "column_sums": jitted(lambda x, out: x.sum(0)),
            "softmax": jitted(lambda x, out: jax.nn.softmax(x, 1)),
            "scan": jitted(lambda x, out: jnp.cumsum(x)),
            "histogram": jitted(lambda x, counts: jnp.bincount(x, length=256)),
            "product": jitted(lambda a, b, c: jnp.matmul(a, b, precision="highest")),
            "bodies": jitted(bodies),
            "sparse_product": sparse_product,
            "convolution": jitted(convolution),
        },
    ),
)
