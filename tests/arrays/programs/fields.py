"""Stencils and fields: heat, waves, FDTD, lattice Boltzmann, advection, image filters."""

import numpy as np

from tests.arrays.programs.registry import matrix, program, square, vector


def _grid(r, n, t):
    return (r.random((n, n)).astype(t), 5)


@program(lambda r, n, t: (r.random(n).astype(t), 10), exact=True)
def heat_1d(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@program(_grid, exact=True)
def heat_2d(u, steps):
    for _ in range(steps):
        lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += 0.1 * lap
    return u


@program(lambda r, n, t: (r.random((n, n)).astype(t), r.random((n, n)).astype(t), 7), exact=True)
def jacobi_two_arrays(a, b, steps):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


@program(lambda r, n, t: (r.random(n).astype(t), r.random(n).astype(t), 6), exact=True)
def wave_1d(u, v, steps):
    c = 0.25
    prev = u.copy()
    cur = v.copy()
    for _ in range(steps):
        nxt = np.zeros_like(cur)
        nxt[1:-1] = 2 * cur[1:-1] - prev[1:-1] + c * (cur[2:] - 2 * cur[1:-1] + cur[:-2])
        prev, cur = cur, nxt
    return cur


@program(
    lambda r, n, t: (*(r.random((n, n)).astype(t) for _ in range(3)), r.random(4).astype(t), 4),
    exact=True,
    sizes=(1, 2, 5, 11),
)
def fdtd_2d(ex, ey, hz, fict, steps):
    for t in range(steps):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@program(
    lambda r, n, t: (r.random((n, n, n)).astype(t), r.random((n, n, n)).astype(t), 2), exact=True, sizes=(1, 3, 6, 9)
)
def heat_3d(A, B, steps):
    for _ in range(steps):
        B[1:-1, 1:-1, 1:-1] = (
            0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1])
            + 0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1])
            + 0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, 0:-2])
            + A[1:-1, 1:-1, 1:-1]
        )
        A[1:-1, 1:-1, 1:-1] = B[1:-1, 1:-1, 1:-1]


@program(vector, exact=True)
def upwind_advection(u):
    c = 0.3
    un = np.empty_like(u)
    for _ in range(8):
        un[:] = u
        u[1:] = un[1:] - c * (un[1:] - un[:-1])
    return u


@program(vector, exact=True)
def shift_right_in_place(a):
    a[1:] = a[:-1]
    a[:-2] += a[2:]
    a[::-1] = a
    return a


@program(lambda r, n, t: (r.random((n, n + 2)).astype(t),), exact=True)
def sobel(img):
    gx = np.zeros_like(img)
    gy = np.zeros_like(img)
    gx[1:-1, 1:-1] = img[:-2, 2:] + 2 * img[1:-1, 2:] + img[2:, 2:] - img[:-2, :-2] - 2 * img[1:-1, :-2] - img[2:, :-2]
    gy[1:-1, 1:-1] = img[2:, :-2] + 2 * img[2:, 1:-1] + img[2:, 2:] - img[:-2, :-2] - 2 * img[:-2, 1:-1] - img[:-2, 2:]
    return np.sqrt(gx**2 + gy**2)


@program(lambda r, n, t: (r.random((n, n)).astype(t),), exact=True)
def box_blur(img):
    out = img.copy()
    h, w = img.shape
    acc = np.zeros((h - 2, w - 2), dtype=img.dtype) if h >= 2 and w >= 2 else np.zeros((0, 0), dtype=img.dtype)
    if h >= 3 and w >= 3:
        for dy in range(3):
            for dx in range(3):
                acc += img[dy : h - 2 + dy, dx : w - 2 + dx]
        out[1:-1, 1:-1] = acc / 9
    return out


@program(lambda r, n, t: (r.random((n, n)).astype(t),), exact=True)
def sharpen_and_clip(img):
    blurred = img.copy()
    blurred[1:-1, :] = (img[:-2, :] + img[1:-1, :] + img[2:, :]) / 3.0
    return np.clip(img + 1.5 * (img - blurred), 0.0, 1.0)


@program(lambda r, n, t: ((r.random((n, n)) > 0.6).astype(np.int32), 5), exact=True)
def game_of_life(grid, steps):
    for _ in range(steps):
        nb = np.zeros(grid.shape, dtype=np.int32)
        nb[1:-1, 1:-1] = (
            grid[:-2, :-2]
            + grid[:-2, 1:-1]
            + grid[:-2, 2:]
            + grid[1:-1, :-2]
            + grid[1:-1, 2:]
            + grid[2:, :-2]
            + grid[2:, 1:-1]
            + grid[2:, 2:]
        )
        birth = (nb == 3) & (grid == 0)
        survive = ((nb == 2) | (nb == 3)) & (grid == 1)
        grid[...] = 0
        grid[birth | survive] = 1
    return grid


@program(lambda r, n, t: ((r.random((n, n)) > 0.6), 3), exact=True, sizes=(1, 2, 7, 13))
def life_with_roll(board, steps):
    for _ in range(steps):
        count = np.zeros(board.shape, np.int64)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx != 0 or dy != 0:
                    count = count + np.roll(np.roll(board, dx, axis=0), dy, axis=1)
        board = (count == 3) | (board & (count == 2))
    return board


@program(lambda r, n, t: (r.random((n, n)).astype(t), r.random((n, n)).astype(t), 4), exact=True, sizes=(2, 7, 13))
def gray_scott(U, V, steps):
    f, k = 0.04, 0.06
    for _ in range(steps):
        u, v = U[1:-1, 1:-1], V[1:-1, 1:-1]
        Lu = U[:-2, 1:-1] + U[1:-1, :-2] - 4 * u + U[1:-1, 2:] + U[2:, 1:-1]
        Lv = V[:-2, 1:-1] + V[1:-1, :-2] - 4 * v + V[1:-1, 2:] + V[2:, 1:-1]
        uvv = u * v * v
        u += 0.16 * Lu - uvv + f * (1 - u)
        v += 0.08 * Lv + uvv - (f + k) * v
    return U, V


@program(lambda r, n, t: (r.random((9, n, n)).astype(t), 2), sizes=(2, 5, 8))
def lattice_boltzmann(f, steps):
    omega = 1.2
    for _ in range(steps):
        rho = np.sum(f, axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
        usq = 1.5 * (ux * ux + uy * uy)
        feq = np.zeros_like(f)
        feq[0] = 4 / 9 * rho * (1 - usq)
        feq[1] = 1 / 9 * rho * (1 + 3 * ux + 4.5 * ux * ux - usq)
        feq[2] = 1 / 9 * rho * (1 + 3 * uy + 4.5 * uy * uy - usq)
        feq[3] = 1 / 9 * rho * (1 - 3 * ux + 4.5 * ux * ux - usq)
        feq[4] = 1 / 9 * rho * (1 - 3 * uy + 4.5 * uy * uy - usq)
        f += omega * (feq - f)
        f[1] = np.roll(f[1], 1, axis=1)
        f[3] = np.roll(f[3], -1, axis=1)
        f[2] = np.roll(f[2], 1, axis=0)
        f[4] = np.roll(f[4], -1, axis=0)
    return f


@program(lambda r, n, t: (r.random((n, n)).astype(t), r.random((n, n)).astype(t)), exact=True, sizes=(2, 5, 13))
def divergence(u, v):
    dx = 0.1
    div = np.zeros_like(u)
    div[1:-1, 1:-1] = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dx)
    return div


@program(lambda r, n, t: (r.random((n, n)).astype(t), r.random((n, n)).astype(t)), exact=True, sizes=(2, 5, 13))
def pressure_poisson(p, b):
    dx = dy = 0.05
    pn = np.empty_like(p)
    for q in range(4):
        pn = p.copy()
        p[1:-1, 1:-1] = ((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2) / (
            2 * (dx**2 + dy**2)
        ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return p


@program(matrix, exact=True)
def mirror_and_transpose(a):
    b = a[::-1, ::2].copy()
    c = a.T[1:, :] * 2
    return b, c, a[:, ::-1] + a


@program(lambda r, n, t: (r.random((n, n)).astype(t),), exact=True, sizes=(1, 4, 9))
def gradient_central(f):
    g = np.empty_like(f)
    g[1:-1, :] = (f[2:, :] - f[:-2, :]) / 2
    g[0, :] = f[1, :] - f[0, :] if f.shape[0] > 1 else f[0, :]
    g[-1, :] = f[-1, :] - f[-2, :] if f.shape[0] > 1 else f[-1, :]
    return g


@program(square, exact=True)
def median_of_three_rows(a):
    lo = np.minimum(a[:-2], a[1:-1])
    hi = np.maximum(a[:-2], a[1:-1])
    return np.maximum(lo, np.minimum(hi, a[2:]))


@program(lambda r, n, t: (r.random((n, n, 3)).astype(t),), exact=True)
def rgb_to_gray(img):
    return 0.2989 * img[..., 0] + 0.5870 * img[..., 1] + 0.1140 * img[..., 2]


@program(lambda r, n, t: (r.integers(0, 256, (n, n)).astype(np.uint8),), exact=True)
def threshold_image(img):
    out = np.zeros_like(img)
    out[img > 127] = 255
    inverted = 255 - img
    return out, inverted, img // 2 + 10


@program(lambda r, n, t: (r.random((n, n)).astype(t),), exact=True, sizes=(2, 6, 11))
def downsample(img):
    a = img[: img.shape[0] // 2 * 2, : img.shape[1] // 2 * 2]
    return (a[::2, ::2] + a[1::2, ::2] + a[::2, 1::2] + a[1::2, 1::2]) / 4


@program(lambda r, n, t: (r.random(n + 5).astype(t), r.random(5).astype(t)), exact=True)
def fir_filter(x, h):
    y = np.zeros(x.shape[0] - h.shape[0] + 1, dtype=x.dtype)
    for k in range(h.shape[0]):
        y += h[k] * x[h.shape[0] - 1 - k : x.shape[0] - k]
    return y
