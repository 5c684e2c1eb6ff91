"""Stencils: constant, array and variable coefficients; open, periodic and clamped borders."""

from __future__ import annotations

from benchmarks.breadth.program import Answer, Program


def star_5(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def star_5_flat(u, v):
    n = u.shape[0]
    m = u.shape[1]
    for p in range(n * m):
        i = p // m
        j = p % m
        if 0 < i < n - 1 and 0 < j < m - 1:
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def star_5_from_zero(u, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 2):
            v[1 + i, 1 + j] = 0.25 * (u[i, 1 + j] + u[2 + i, 1 + j] + u[1 + i, j] + u[1 + i, 2 + j])


def star_5_whole(xp, u, v):
    v = v.copy()
    v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return v


def star_7(u, v, c):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                near = u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k]
                v[i, j, k] = c * u[i, j, k] + 0.125 * (near + u[i, j, k - 1] + u[i, j, k + 1])


def star_7_named(u, v, c):
    for i in range(1, u.shape[0] - 1):
        up = i + 1
        down = i - 1
        for j in range(1, u.shape[1] - 1):
            north = j + 1
            south = j - 1
            for k in range(1, u.shape[2] - 1):
                near = u[down, j, k] + u[up, j, k] + u[i, south, k] + u[i, north, k]
                v[i, j, k] = c * u[i, j, k] + 0.125 * (near + u[i, j, -1 + k] + u[i, j, 1 + k])


def box_27(u, v, w):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                total = 0.0
                for a in range(3):
                    for b in range(3):
                        for c in range(3):
                            total += w[a, b, c] * u[i + a - 1, j + b - 1, k + c - 1]
                v[i, j, k] = total


def box_27_signed_offsets(u, v, w):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                total = 0.0
                for a in range(-1, 2):
                    for b in range(-1, 2):
                        total += w[a + 1, b + 1, 0] * u[i + a, j + b, k - 1]
                        total += w[a + 1, b + 1, 1] * u[i + a, j + b, k]
                        total += w[a + 1, b + 1, 2] * u[i + a, j + b, k + 1]
                v[i, j, k] = total


def star_radius_4(u, v, w):
    for i in range(4, u.shape[0] - 4):
        for j in range(4, u.shape[1] - 4):
            total = w[0] * u[i, j]
            for r in range(1, 5):
                total += w[r] * (u[i - r, j] + u[i + r, j] + u[i, j - r] + u[i, j + r])
            v[i, j] = total


def star_radius_4_written_out(u, v, w):
    for i in range(4, u.shape[0] - 4):
        for j in range(4, u.shape[1] - 4):
            total = w[0] * u[i, j]
            total += w[1] * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
            total += w[2] * (u[i - 2, j] + u[i + 2, j] + u[i, j - 2] + u[i, j + 2])
            total += w[3] * (u[i - 3, j] + u[i + 3, j] + u[i, j - 3] + u[i, j + 3])
            total += w[4] * (u[i - 4, j] + u[i + 4, j] + u[i, j - 4] + u[i, j + 4])
            v[i, j] = total


def diffusion(u, kappa, v, dt):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            east = (kappa[i, j] + kappa[i, j + 1]) * (u[i, j + 1] - u[i, j])
            west = (kappa[i, j] + kappa[i, j - 1]) * (u[i, j] - u[i, j - 1])
            north = (kappa[i, j] + kappa[i + 1, j]) * (u[i + 1, j] - u[i, j])
            south = (kappa[i, j] + kappa[i - 1, j]) * (u[i, j] - u[i - 1, j])
            v[i, j] = u[i, j] + 0.5 * dt * (east - west + north - south)


def flux(a, b, x, y):
    return (a + b) * (y - x)


def diffusion_by_function(u, kappa, v, dt):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            here = u[i, j]
            k = kappa[i, j]
            east = flux(k, kappa[i, j + 1], here, u[i, j + 1])
            west = flux(k, kappa[i, j - 1], u[i, j - 1], here)
            north = flux(k, kappa[i + 1, j], here, u[i + 1, j])
            south = flux(k, kappa[i - 1, j], u[i - 1, j], here)
            v[i, j] = here + 0.5 * dt * (east - west + north - south)


def diffusion_whole(xp, u, kappa, v, dt):
    v = v.copy()
    x = (kappa[1:-1, :-1] + kappa[1:-1, 1:]) * (u[1:-1, 1:] - u[1:-1, :-1])
    y = (kappa[:-1, 1:-1] + kappa[1:, 1:-1]) * (u[1:, 1:-1] - u[:-1, 1:-1])
    v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.5 * dt * (x[:, 1:] - x[:, :-1] + y[1:] - y[:-1])
    return v


def periodic(u, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            v[i, j] = u[i, j] - 0.25 * (u[(i + 1) % n, j] + u[(i - 1) % n, j] + u[i, (j + 1) % m] + u[i, (j - 1) % m])


def periodic_by_choice(u, v):
    n, m = u.shape
    for i in range(n):
        up = i + 1 if i < n - 1 else 0
        down = i - 1 if i > 0 else n - 1
        for j in range(m):
            right = j + 1 if j < m - 1 else 0
            left = j - 1 if j > 0 else m - 1
            v[i, j] = u[i, j] - 0.25 * (u[up, j] + u[down, j] + u[i, right] + u[i, left])


def periodic_by_negative_index(u, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            v[i, j] = u[i, j] - 0.25 * (u[(i + 1) % n, j] + u[i - 1, j] + u[i, (j + 1) % m] + u[i, j - 1])


def periodic_whole(xp, u, v):
    return u - 0.25 * (xp.roll(u, -1, 0) + xp.roll(u, 1, 0) + xp.roll(u, -1, 1) + xp.roll(u, 1, 1))


def clamped(u, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            near = u[max(i - 1, 0), j] + u[min(i + 1, n - 1), j]
            v[i, j] = 0.25 * (near + u[i, max(j - 1, 0)] + u[i, min(j + 1, m - 1)])


def clamped_by_if(u, v):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            near = u[i, j] if i == 0 else u[i - 1, j]
            if i == n - 1:
                near += u[i, j]
            else:
                near += u[i + 1, j]
            left = u[i, j] if j == 0 else u[i, j - 1]
            right = u[i, j] if j == m - 1 else u[i, j + 1]
            v[i, j] = 0.25 * (near + left + right)


def red_black(u, f):
    n, m = u.shape
    for colour in range(2):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                if (i + j) % 2 == colour:
                    u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])


def red_black_by_steps(u, f):
    n, m = u.shape
    for colour in range(2):
        for i in range(1, n - 1):
            for j in range(1 + (i + 1 + colour) % 2, m - 1, 2):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i, j])


def biharmonic(u, v):
    for i in range(2, u.shape[0] - 2):
        for j in range(2, u.shape[1] - 2):
            near = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            corners = u[i - 1, j - 1] + u[i - 1, j + 1] + u[i + 1, j - 1] + u[i + 1, j + 1]
            far = u[i - 2, j] + u[i + 2, j] + u[i, j - 2] + u[i, j + 2]
            v[i, j] = 20.0 * u[i, j] - 8.0 * near + 2.0 * corners + far


def biharmonic_from_zero(u, v):
    for i in range(u.shape[0] - 4):
        for j in range(u.shape[1] - 4):
            near = u[i + 1, j + 2] + u[i + 3, j + 2] + u[i + 2, j + 1] + u[i + 2, j + 3]
            corners = u[i + 1, j + 1] + u[i + 1, j + 3] + u[i + 3, j + 1] + u[i + 3, j + 3]
            far = u[i, j + 2] + u[i + 4, j + 2] + u[i + 2, j] + u[i + 2, j + 4]
            v[i + 2, j + 2] = 20.0 * u[i + 2, j + 2] - 8.0 * near + 2.0 * corners + far


def heat_steps(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
        u, v = v, u
    return u


def heat_steps_without_swap(u, v, steps):
    for t in range(steps):
        if t % 2 == 0:
            for i in range(1, u.shape[0] - 1):
                v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
        else:
            for i in range(1, u.shape[0] - 1):
                u[i] = 0.25 * v[i - 1] + 0.5 * v[i] + 0.25 * v[i + 1]
    if steps % 2 == 1:
        return v
    return u


def upwind(u, a, b, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            if a[i, j] > 0.0:
                dx = u[i, j] - u[i - 1, j]
            else:
                dx = u[i + 1, j] - u[i, j]
            if b[i, j] > 0.0:
                dy = u[i, j] - u[i, j - 1]
            else:
                dy = u[i, j + 1] - u[i, j]
            v[i, j] = u[i, j] - 0.125 * (a[i, j] * dx + b[i, j] * dy)


def upwind_by_split(u, a, b, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            x = max(a[i, j], 0.0) * (u[i, j] - u[i - 1, j]) + min(a[i, j], 0.0) * (u[i + 1, j] - u[i, j])
            y = max(b[i, j], 0.0) * (u[i, j] - u[i, j - 1]) + min(b[i, j], 0.0) * (u[i, j + 1] - u[i, j])
            v[i, j] = u[i, j] - 0.125 * (x + y)


def star_4d(u, v):
    n0, n1, n2, n3 = u.shape
    for i in range(1, n0 - 1):
        for j in range(1, n1 - 1):
            for k in range(1, n2 - 1):
                for m in range(1, n3 - 1):
                    near = u[i - 1, j, k, m] + u[i + 1, j, k, m] + u[i, j - 1, k, m] + u[i, j + 1, k, m]
                    far = u[i, j, k - 1, m] + u[i, j, k + 1, m] + u[i, j, k, m - 1] + u[i, j, k, m + 1]
                    v[i, j, k, m] = 0.125 * (near + far)


def star_4d_flat(u, v):
    n0, n1, n2, n3 = u.shape
    for i in range(1, n0 - 1):
        for j in range(1, n1 - 1):
            for p in range((n2 - 2) * (n3 - 2)):
                k = p // (n3 - 2) + 1
                m = p % (n3 - 2) + 1
                near = u[i - 1, j, k, m] + u[i + 1, j, k, m] + u[i, j - 1, k, m] + u[i, j + 1, k, m]
                far = u[i, j, k - 1, m] + u[i, j, k + 1, m] + u[i, j, k, m - 1] + u[i, j, k, m + 1]
                v[i, j, k, m] = 0.125 * (near + far)


def two_grids(m, n):
    return m.random(n, n), m.zeros(n, n)


def twice(n, b):
    return 2 * n * n * b


SQUARES = (11, 256, 2048, 16384)
CUBES = (7, 40, 192, 640)

PROGRAMS = (
    Program("star_5", (star_5, star_5_flat, star_5_from_zero), two_grids, SQUARES, twice,
            lambda n: 4 * n * n, whole=star_5_whole),
    Program("star_7", (star_7, star_7_named), lambda m, n: (m.random(n, n, n), m.zeros(n, n, n), 0.25), CUBES,
            lambda n, b: 2 * n**3 * b, lambda n: 8 * n**3, outputs=(1,)),
    Program("box_27", (box_27, box_27_signed_offsets),
            lambda m, n: (m.random(n, n, n), m.zeros(n, n, n), m.random(3, 3, 3)), CUBES,
            lambda n, b: 2 * n**3 * b, lambda n: 54 * n**3, answer=Answer.SUMS, outputs=(1,)),
    Program("star_radius_4", (star_radius_4, star_radius_4_written_out),
            lambda m, n: (m.random(n, n), m.zeros(n, n), m.random(5)), SQUARES, twice,
            lambda n: 21 * n * n, answer=Answer.SUMS, outputs=(1,)),
    Program("diffusion", (diffusion, diffusion_by_function),
            lambda m, n: (m.random(n, n), m.random(n, n), m.zeros(n, n), 0.125), SQUARES,
            lambda n, b: 3 * n * n * b, lambda n: 18 * n * n, whole=diffusion_whole, outputs=(2,)),
    Program("periodic", (periodic, periodic_by_choice, periodic_by_negative_index), two_grids, SQUARES, twice,
            lambda n: 5 * n * n, whole=periodic_whole),
    Program("clamped", (clamped, clamped_by_if), two_grids, SQUARES, twice, lambda n: 4 * n * n),
    Program("red_black", (red_black, red_black_by_steps), lambda m, n: (m.random(n, n), m.random(n, n)), SQUARES,
            lambda n, b: 3 * n * n * b, lambda n: 5 * n * n, outputs=(0,)),
    Program("biharmonic", (biharmonic, biharmonic_from_zero), two_grids, SQUARES, twice, lambda n: 15 * n * n),
    Program("heat_steps", (heat_steps, heat_steps_without_swap),
            lambda m, n, t: (m.random(n), m.zeros(n), t), ((40, 5), (10**4, 100), (10**6, 20), (10**8, 20)),
            lambda n, t, b: 2 * n * t * b, lambda n, t: 5 * n * t, outputs=(0, 1)),
    Program("upwind", (upwind, upwind_by_split),
            lambda m, n: (m.random(n, n), m.signed(n, n), m.signed(n, n), m.zeros(n, n)), SQUARES,
            lambda n, b: 4 * n * n * b, lambda n: 8 * n * n),
    Program("star_4d", (star_4d, star_4d_flat), lambda m, n: (m.random(n, n, n, n), m.zeros(n, n, n, n)),
            (5, 16, 48, 128), lambda n, b: 2 * n**4 * b, lambda n: 8 * n**4),
)  # fmt: skip
