"""Bodies under gravity, heat on a plate, and paths of a system of differential equations."""

from __future__ import annotations

import numpy as np

from benchmarks.program import Arguments, Program, prange, side


def nbody(position, mass, softening, acceleration):
    for i in range(position.shape[0]):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(position.shape[0]):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            square = dx * dx + dy * dy + dz * dz + softening
            pull = mass[j] / (square * np.sqrt(square))
            ax += dx * pull
            ay += dy * pull
            az += dz * pull
        acceleration[i, 0] = ax
        acceleration[i, 1] = ay
        acceleration[i, 2] = az


def nbody_numba(position, mass, softening, acceleration):
    for i in prange(position.shape[0]):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(position.shape[0]):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            square = dx * dx + dy * dy + dz * dz + softening
            pull = mass[j] / (square * np.sqrt(square))
            ax += dx * pull
            ay += dy * pull
            az += dz * pull
        acceleration[i, 0] = ax
        acceleration[i, 1] = ay
        acceleration[i, 2] = az


def nbody_numpy(position, mass, softening, acceleration):
    # In blocks of rows, so that the pairs fit in the cache.
    for start in range(0, position.shape[0], 64):
        away = position[None, :, :] - position[start : start + 64, None, :]
        square = np.einsum("ijk,ijk->ij", away, away) + softening
        pull = mass / (square * np.sqrt(square))
        acceleration[start : start + 64] = np.einsum("ij,ijk->ik", pull, away)


def bodies(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.random((n, 3)), rng.random(n), 1e-4, np.zeros((n, 3))


NBODY = Program(
    name="nbody",
    title="n-body forces, float64",
    arguments=bodies,
    results=(3,),
    loops=nbody,
    numba=nbody_numba,
    numpy=nbody_numpy,
    extents=lambda position, *rest: (position.shape[0],),
    tolerance=1e-11,
)


def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = np.float32(0.25) * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def stencil_numba(u, v):
    for i in prange(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = np.float32(0.25) * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def stencil_numpy(u, v):
    v[1:-1, 1:-1] = np.float32(0.25) * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def plate(size: int, rng: np.random.Generator) -> Arguments:
    n = side(size)
    return rng.random((n, n), np.float32), np.zeros((n, n), np.float32)


STENCIL = Program(
    name="stencil",
    title="5-point stencil, float32",
    arguments=plate,
    results=(1,),
    loops=stencil,
    numba=stencil_numba,
    numpy=stencil_numpy,
    extents=lambda u, v: u.shape,
)


STEPS = 128


def lorenz(points, ends):
    for i in range(points.shape[1]):
        x = points[0, i]
        y = points[1, i]
        z = points[2, i]
        for _ in range(128):
            dx = 10.0 * (y - x)
            dy = x * (28.0 - z) - y
            dz = x * y - 2.5 * z
            x = x + 0.0078125 * dx
            y = y + 0.0078125 * dy
            z = z + 0.0078125 * dz
        ends[0, i] = x
        ends[1, i] = y
        ends[2, i] = z


def lorenz_numba(points, ends):
    for i in prange(points.shape[1]):
        x = points[0, i]
        y = points[1, i]
        z = points[2, i]
        for _ in range(128):
            dx = 10.0 * (y - x)
            dy = x * (28.0 - z) - y
            dz = x * y - 2.5 * z
            x = x + 0.0078125 * dx
            y = y + 0.0078125 * dy
            z = z + 0.0078125 * dz
        ends[0, i] = x
        ends[1, i] = y
        ends[2, i] = z


def lorenz_numpy(points, ends):
    x, y, z = points
    for _ in range(STEPS):
        dx = 10.0 * (y - x)
        dy = x * (28.0 - z) - y
        dz = x * y - 2.5 * z
        x = x + 0.0078125 * dx
        y = y + 0.0078125 * dy
        z = z + 0.0078125 * dz
    ends[:] = x, y, z


def starts(size: int, rng: np.random.Generator) -> Arguments:
    n = max(size // STEPS, 1)
    return rng.random((3, n)), np.zeros((3, n))


LORENZ = Program(
    name="lorenz",
    title="Lorenz equations, 128 steps from each point, float64",
    arguments=starts,
    results=(1,),
    loops=lorenz,
    numba=lorenz_numba,
    numpy=lorenz_numpy,
    extents=lambda points, ends: (points.shape[1],),
)
