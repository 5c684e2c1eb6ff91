"""Several fields in a time loop: waves, fluids, reactions."""

from __future__ import annotations

import math

from benchmarks.breadth.program import Answer, Program


def fdtd(ex, ey, hz, steps):
    n, m = hz.shape
    for t in range(steps):
        for i in range(1, n):
            for j in range(m):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(n):
            for j in range(1, m):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(n - 1):
            for j in range(m - 1):
                hz[i, j] -= 0.75 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


def fdtd_slices(ex, ey, hz, steps):
    for t in range(steps):
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.75 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def fdtd_whole(xp, ex, ey, hz, steps):
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    fdtd_slices(ex, ey, hz, steps)
    return ex, ey, hz


def wave(u, before, speed, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                laplacian = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                before[i, j] = 2.0 * u[i, j] - before[i, j] + speed[i, j] * laplacian
        u, before = before, u
    return u


def wave_from_zero(u, before, speed, steps):
    for t in range(1, steps + 1):
        for i in range(u.shape[0] - 2):
            for j in range(u.shape[1] - 2):
                here = u[i + 1, j + 1]
                laplacian = u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2] - 4.0 * here
                before[i + 1, j + 1] = 2.0 * here - before[i + 1, j + 1] + speed[i + 1, j + 1] * laplacian
        u, before = before, u
    return u


def gray_scott(u, v, u_next, v_next, steps):
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lu = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                lv = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j]
                uvv = u[i, j] * v[i, j] * v[i, j]
                u_next[i, j] = u[i, j] + 0.16 * lu - uvv + 0.035 * (1.0 - u[i, j])
                v_next[i, j] = v[i, j] + 0.08 * lv + uvv - 0.095 * v[i, j]
        u, u_next = u_next, u
        v, v_next = v_next, v
    return u, v


def laplacian_at(u, i, j):
    return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]


def gray_scott_by_function(u, v, u_next, v_next, steps):
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                uvv = u[i, j] * v[i, j] * v[i, j]
                u_next[i, j] = u[i, j] + 0.16 * laplacian_at(u, i, j) - uvv + 0.035 * (1.0 - u[i, j])
                v_next[i, j] = v[i, j] + 0.08 * laplacian_at(v, i, j) + uvv - 0.095 * v[i, j]
        u, u_next, v, v_next = u_next, u, v_next, v
    return u, v


def shallow_water(h, u, v, steps):
    n, m = h.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] -= 0.0625 * (h[i, j] - h[i - 1, j])
                v[i, j] -= 0.0625 * (h[i, j] - h[i, j - 1])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                h[i, j] -= 0.25 * (u[i + 1, j] - u[i, j] + v[i, j + 1] - v[i, j])


def shallow_water_apart(h, u, v, steps):
    n, m = h.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = u[i, j] - 0.0625 * (h[i, j] - h[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = v[i, j] - 0.0625 * (h[i, j] - h[i, j - 1])
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                h[i, j] = h[i, j] - 0.25 * (u[i + 1, j] - u[i, j] + v[i, j + 1] - v[i, j])


def lattice_boltzmann(f, g, cx, cy, w, omega):
    n, m = f.shape[1], f.shape[2]
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            rho = 0.0
            x = 0.0
            y = 0.0
            for q in range(9):
                value = f[q, i - cx[q], j - cy[q]]
                rho += value
                x += value * cx[q]
                y += value * cy[q]
            x /= rho
            y /= rho
            square = x * x + y * y
            for q in range(9):
                along = cx[q] * x + cy[q] * y
                rest = w[q] * rho * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square)
                value = f[q, i - cx[q], j - cy[q]]
                g[q, i, j] = value + omega * (rest - value)


def lattice_boltzmann_flat(f, g, cx, cy, w, omega):
    n, m = f.shape[1], f.shape[2]
    for p in range(n * m):
        i = p // m
        j = p % m
        if i > 0 and i < n - 1 and j > 0 and j < m - 1:
            rho = 0.0
            x = 0.0
            y = 0.0
            for q in range(9):
                value = f[q, i - cx[q], j - cy[q]]
                rho += value
                x += value * cx[q]
                y += value * cy[q]
            x /= rho
            y /= rho
            for q in range(9):
                along = cx[q] * x + cy[q] * y
                rest = w[q] * rho * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (x * x + y * y))
                value = f[q, i - cx[q], j - cy[q]]
                g[q, i, j] = value + omega * (rest - value)


def burgers(u, v, steps, dx):
    n = len(u)
    for t in range(steps):
        for i in range(1, n - 1):
            left = 0.5 * u[i - 1] * u[i - 1]
            right = 0.5 * u[i + 1] * u[i + 1]
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) - 0.5 * dx * (right - left)
        for i in range(1, n - 1):
            u[i] = v[i]


def burgers_slices(u, v, steps, dx):
    for t in range(steps):
        left = 0.5 * u[:-2] * u[:-2]
        right = 0.5 * u[2:] * u[2:]
        v[1:-1] = 0.5 * (u[:-2] + u[2:]) - 0.5 * dx * (right - left)
        u[1:-1] = v[1:-1]


def maxwell_3d(e, h, steps):
    n = e.shape[1]
    for t in range(steps):
        for i in range(n - 1):
            for j in range(n - 1):
                for k in range(n - 1):
                    h[0, i, j, k] -= 0.25 * (e[2, i, j + 1, k] - e[2, i, j, k] - e[1, i, j, k + 1] + e[1, i, j, k])
                    h[1, i, j, k] -= 0.25 * (e[0, i, j, k + 1] - e[0, i, j, k] - e[2, i + 1, j, k] + e[2, i, j, k])
                    h[2, i, j, k] -= 0.25 * (e[1, i + 1, j, k] - e[1, i, j, k] - e[0, i, j + 1, k] + e[0, i, j, k])
        for i in range(1, n):
            for j in range(1, n):
                for k in range(1, n):
                    e[0, i, j, k] += 0.25 * (h[2, i, j, k] - h[2, i, j - 1, k] - h[1, i, j, k] + h[1, i, j, k - 1])
                    e[1, i, j, k] += 0.25 * (h[0, i, j, k] - h[0, i, j, k - 1] - h[2, i, j, k] + h[2, i - 1, j, k])
                    e[2, i, j, k] += 0.25 * (h[1, i, j, k] - h[1, i - 1, j, k] - h[0, i, j, k] + h[0, i, j - 1, k])


def maxwell_3d_by_views(e, h, steps):
    n = e.shape[1]
    ex, ey, ez = e[0], e[1], e[2]
    hx, hy, hz = h[0], h[1], h[2]
    for t in range(steps):
        for i in range(n - 1):
            for j in range(n - 1):
                for k in range(n - 1):
                    hx[i, j, k] -= 0.25 * (ez[i, j + 1, k] - ez[i, j, k] - ey[i, j, k + 1] + ey[i, j, k])
                    hy[i, j, k] -= 0.25 * (ex[i, j, k + 1] - ex[i, j, k] - ez[i + 1, j, k] + ez[i, j, k])
                    hz[i, j, k] -= 0.25 * (ey[i + 1, j, k] - ey[i, j, k] - ex[i, j + 1, k] + ex[i, j, k])
        for i in range(1, n):
            for j in range(1, n):
                for k in range(1, n):
                    ex[i, j, k] += 0.25 * (hz[i, j, k] - hz[i, j - 1, k] - hy[i, j, k] + hy[i, j, k - 1])
                    ey[i, j, k] += 0.25 * (hx[i, j, k] - hx[i, j, k - 1] - hz[i, j, k] + hz[i - 1, j, k])
                    ez[i, j, k] += 0.25 * (hy[i, j, k] - hy[i - 1, j, k] - hx[i, j, k] + hx[i, j - 1, k])


def life(cells, after, steps):
    n, m = cells.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                alive = 0
                for a in range(-1, 2):
                    for b in range(-1, 2):
                        if a != 0 or b != 0:
                            alive += cells[i + a, j + b]
                if alive == 3 or (alive == 2 and cells[i, j] == 1):
                    after[i, j] = 1
                else:
                    after[i, j] = 0
        cells, after = after, cells
    return cells


def life_written_out(cells, after, steps):
    n, m = cells.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                above = cells[i - 1, j - 1] + cells[i - 1, j] + cells[i - 1, j + 1]
                below = cells[i + 1, j - 1] + cells[i + 1, j] + cells[i + 1, j + 1]
                alive = above + below + cells[i, j - 1] + cells[i, j + 1]
                after[i, j] = 1 if alive == 3 else cells[i, j] if alive == 2 else 0
        cells, after = after, cells
    return cells


def sound(p, vx, vy, damping, steps):
    n, m = p.shape
    for t in range(steps):
        for i in range(n - 1):
            for j in range(m - 1):
                vx[i, j] = damping[i, j] * (vx[i, j] - 0.5 * (p[i + 1, j] - p[i, j]))
                vy[i, j] = damping[i, j] * (vy[i, j] - 0.5 * (p[i, j + 1] - p[i, j]))
        for i in range(1, n):
            for j in range(1, m):
                p[i, j] = damping[i, j] * (p[i, j] - 0.5 * (vx[i, j] - vx[i - 1, j] + vy[i, j] - vy[i, j - 1]))


def sound_one_row_late(p, vx, vy, damping, steps):
    n, m = p.shape
    for t in range(steps):
        for i in range(n):
            if i < n - 1:
                for j in range(m - 1):
                    vx[i, j] = damping[i, j] * (vx[i, j] - 0.5 * (p[i + 1, j] - p[i, j]))
                    vy[i, j] = damping[i, j] * (vy[i, j] - 0.5 * (p[i, j + 1] - p[i, j]))
        for i in range(n):
            if i > 0:
                for j in range(1, m):
                    p[i, j] = damping[i, j] * (p[i, j] - 0.5 * (vx[i, j] - vx[i - 1, j] + vy[i, j] - vy[i, j - 1]))


def pendulums(angle, speed, steps, dt):
    for i in range(angle.shape[0]):
        a = angle[i]
        s = speed[i]
        for t in range(steps):
            s -= dt * math.sin(a)
            a += dt * s
        angle[i] = a
        speed[i] = s


def pendulums_time_outside(angle, speed, steps, dt):
    for t in range(steps):
        for i in range(angle.shape[0]):
            speed[i] -= dt * math.sin(angle[i])
            angle[i] += dt * speed[i]


def boltzmann_arguments(m, n):
    import numpy as np

    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, m.dtype)
    return m.above(0.5, 9, n, n), m.zeros(9, n, n), cx, cy, w, 0.75


def cells(m, n, t):
    made = m.below(2, n, n)
    return made, made.copy(), t


FIELDS = ((9, 3), (200, 20), (1024, 8), (8192, 10))

PROGRAMS = (
    Program("fdtd", (fdtd, fdtd_slices), lambda m, n, t: (m.random(n, n), m.random(n, n), m.random(n, n), t), FIELDS,
            lambda n, t, b: 6 * n * n * t * b, lambda n, t: 11 * n * n * t, whole=fdtd_whole, outputs=(0, 1, 2)),
    Program("wave", (wave, wave_from_zero),
            lambda m, n, t: (m.random(n, n), m.random(n, n), 0.25 * m.random(n, n), t), FIELDS,
            lambda n, t, b: 4 * n * n * t * b, lambda n, t: 9 * n * n * t),
    Program("gray_scott", (gray_scott, gray_scott_by_function),
            lambda m, n, t: (m.random(n, n), m.random(n, n), m.zeros(n, n), m.zeros(n, n), t), FIELDS,
            lambda n, t, b: 4 * n * n * t * b, lambda n, t: 22 * n * n * t),
    Program("shallow_water", (shallow_water, shallow_water_apart),
            lambda m, n, t: (m.random(n, n), m.signed(n, n), m.signed(n, n), t), FIELDS,
            lambda n, t, b: 6 * n * n * t * b, lambda n, t: 11 * n * n * t, outputs=(0, 1, 2)),
    Program("lattice_boltzmann", (lattice_boltzmann, lattice_boltzmann_flat), boltzmann_arguments,
            (7, 100, 768, 4096), lambda n, b: 18 * n * n * b, lambda n: 190 * n * n, answer=Answer.MATH, outputs=(1,)),
    Program("burgers", (burgers, burgers_slices), lambda m, n, t: (m.random(n), m.zeros(n), t, 0.5),
            ((30, 3), (10**4, 50), (10**6, 10), (5 * 10**7, 10)),
            lambda n, t, b: 2 * n * t * b, lambda n, t: 9 * n * t, outputs=(0,), restore=True),
    Program("maxwell_3d", (maxwell_3d, maxwell_3d_by_views),
            lambda m, n, t: (m.random(3, n, n, n), m.random(3, n, n, n), t),
            ((5, 2), (32, 5), (128, 2), (384, 5)), lambda n, t, b: 18 * n**3 * t * b, lambda n, t: 30 * n**3 * t,
            outputs=(0, 1)),
    Program("life", (life, life_written_out), cells, ((9, 3), (200, 10), (1024, 4), (8192, 10)),
            lambda n, t, b: 16 * n * n * t, lambda n, t: 12 * n * n * t, dtypes=("float64",)),
    Program("sound", (sound, sound_one_row_late),
            lambda m, n, t: (m.random(n, n), m.zeros(n, n), m.zeros(n, n), m.random(n, n), t), FIELDS,
            lambda n, t, b: 7 * n * n * t * b, lambda n, t: 14 * n * n * t, outputs=(0, 1, 2)),
    Program("pendulums", (pendulums, pendulums_time_outside),
            lambda m, n, t: (m.signed(n), m.signed(n), t, 0.01), ((20, 5), (1000, 50), (10**5, 50), (10**7, 100)),
            lambda n, t, b: 4 * n * b, lambda n, t: 25 * n * t, answer=Answer.MATH, outputs=(0, 1)),
)  # fmt: skip
