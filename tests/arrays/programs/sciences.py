"""Physics, finance, dynamic programming, geometry, fractals."""

import numpy as np

from tests.arrays.programs.registry import positive, program, square, vector, vectors


@program(lambda r, n, t: (np.linspace(-2, 0.5, n).astype(t), np.linspace(-1, 1, n + 1).astype(t)), exact=True)
def mandelbrot_by_masks(xs, ys):
    cr = np.zeros((len(ys), len(xs)), xs.dtype) + xs
    ci = np.zeros((len(ys), len(xs)), xs.dtype) + ys[:, None]
    zr = np.zeros_like(cr)
    zi = np.zeros_like(ci)
    count = np.zeros(cr.shape, dtype=np.int32)
    for _ in range(15):
        alive = zr * zr + zi * zi <= 4.0
        tr = zr * zr - zi * zi + cr
        ti = 2 * zr * zi + ci
        zr = np.where(alive, tr, zr)
        zi = np.where(alive, ti, zi)
        count[alive] += 1
    return count


@program(lambda r, n, t: (np.linspace(-2, 0.5, n), np.linspace(-1, 1, n)), exact=True)
def mandelbrot_complex(x, y):
    c = x + 1j * y[:, None]
    z = np.zeros_like(c)
    n = np.zeros(c.shape, np.int64)
    for i in range(8):
        m = (z.real * z.real + z.imag * z.imag) < 4.0
        z[m] = z[m] * z[m] + c[m]
        n[m] = i
    return n


@program(
    lambda r, n, t: (
        (r.random(n) * 100 + 50).astype(t),
        (r.random(n) * 100 + 50).astype(t),
        (r.random(n) + 0.1).astype(t),
    ),
    tolerance=1e5,
)
def black_scholes(S, K, T):
    r, sigma = 0.03, 0.25
    d1 = (np.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * np.sqrt(T))
    d2 = d1 - sigma * np.sqrt(T)

    def cdf(x):
        k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
        poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + 1.330274429 * k))))
        w = 1.0 - 0.39894228 * np.exp(-x * x / 2) * poly
        return np.where(x < 0, 1.0 - w, w)

    return S * cdf(d1) - K * np.exp(-r * T) * cdf(d2)


@program(lambda r, n, t: (90.0, 100.0, n + 1), tolerance=1e4)
def binomial_tree(S, K, n):
    u = np.exp(0.3 * np.sqrt(1.0 / n))
    p = (1.001 - 1 / u) / (u - 1 / u)
    prices = S * u ** (2.0 * np.arange(n + 1) - n)
    v = np.maximum(K - prices, 0.0)
    for i in range(n, 0, -1):
        v[:i] = 0.999 * (p * v[1 : i + 1] + (1 - p) * v[:i])
    return v[0]


@program(lambda r, n, t: (r.integers(1, 10, n), r.integers(1, 50, n), 30), exact=True)
def knapsack_rows(weight, value, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for i in range(len(weight)):
        w = weight[i]
        new = best.copy()
        new[w:] = np.maximum(best[w:], best[: capacity + 1 - w] + value[i])
        best = new
    return best


@program(lambda r, n, t: (r.integers(0, 4, n), r.integers(0, 4, n + 3)), exact=True)
def edit_distance_rows(a, b):
    row = np.arange(len(b) + 1)
    for i in range(len(a)):
        new = np.empty_like(row)
        new[0] = i + 1
        cost = np.where(b == a[i], 0, 1)
        cand = np.minimum(row[1:] + 1, row[:-1] + cost)
        for j in range(len(b)):
            new[j + 1] = min(cand[j], new[j] + 1)
        row = new
    return row


@program(lambda r, n, t: (r.random((n, n)).astype(t) * 10,), exact=True, sizes=(1, 2, 7, 13))
def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], path[:, k : k + 1] + path[k : k + 1, :])
    return path


@program(lambda r, n, t: (r.random((n, n)).astype(t) * 10,), exact=True, sizes=(1, 2, 7, 13))
def floyd_warshall_outer(path):
    for k in range(path.shape[0]):
        path = np.minimum(path, np.add.outer(path[:, k], path[k, :]))
    return path


@program(lambda r, n, t: (r.random((n, 3)).astype(t),), exact=True)
def seam_costs(energy):
    cost = energy.copy()
    for i in range(1, cost.shape[0]):
        left = np.concatenate((cost[i - 1, :1], cost[i - 1, :-1]))
        right = np.concatenate((cost[i - 1, 1:], cost[i - 1, -1:]))
        cost[i] += np.minimum(np.minimum(left, right), cost[i - 1])
    return cost


@program(lambda r, n, t: (r.random((n, 3, 3)).astype(t), r.random(n).astype(t)), exact=True, sizes=(1, 4, 9))
def viterbi_like(trans, start):
    score = np.zeros(3, trans.dtype) + start[0]
    for t in range(trans.shape[0]):
        score = (score[:, None] + trans[t]).max(axis=0)
    return score


@program(lambda r, n, t: (r.random((n, 2)).astype(t),), tolerance=1e4)
def polygon_area(p):
    x, y = p[:, 0], p[:, 1]
    xn, yn = np.roll(x, -1), np.roll(y, -1)
    return 0.5 * np.abs(np.sum(x * yn - xn * y))


@program(lambda r, n, t: (r.random((n, 3)).astype(t), r.random(3).astype(t)), tolerance=1e4)
def rotate_points(p, angle):
    c, s = np.cos(angle[0]), np.sin(angle[0])
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return p @ R.T + angle


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def trapezoid(y):
    dx = 0.1
    return np.sum((y[1:] + y[:-1]) * 0) + dx * 0, (y[1:] + y[:-1]) * (dx / 2)


@program(vector, tolerance=1e3)
def simpson(y):
    n = (len(y) - 1) // 2 * 2
    if n < 2:
        return 0.0
    h = 0.5
    return float(h / 3 * (y[0] + 4 * y[1:n:2].sum() + 2 * y[2 : n - 1 : 2].sum() + y[n]))


@program(lambda r, n, t: (r.random(n).astype(t) + 1, r.random(n).astype(t)), exact=True)
def lotka_volterra(x, y):
    dt = 0.01
    for _ in range(20):
        dx = x * (1.1 - 0.4 * y)
        dy = y * (0.1 * x - 0.4)
        x = x + dt * dx
        y = y + dt * dy
    return x, y


@program(lambda r, n, t: (r.random((n, 2)).astype(t),), exact=True)
def runge_kutta(state):
    def rhs(s):
        d = np.empty_like(s)
        d[:, 0] = s[:, 1]
        d[:, 1] = -s[:, 0]
        return d

    h = 0.1
    for _ in range(5):
        k1 = rhs(state)
        k2 = rhs(state + h / 2 * k1)
        k3 = rhs(state + h / 2 * k2)
        k4 = rhs(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state


@program(lambda r, n, t: (r.random((n, 2)).astype(t), r.random((n, 2)).astype(t)), exact=True)
def bouncing_particles(pos, vel):
    for _ in range(10):
        pos += 0.1 * vel
        hit = (pos < 0) | (pos > 1)
        vel[hit] *= -1
        np.clip(pos, 0, 1, out=pos)
    return pos, vel


@program(lambda r, n, t: (r.choice([-1, 1], (n, n)), r.random((n, n)).astype(t)), exact=True, sizes=(2, 4, 8))
def ising_checkerboard(spin, rand):
    n = spin.shape[0]
    for colour in range(2):
        nb = np.roll(spin, 1, 0) + np.roll(spin, -1, 0) + np.roll(spin, 1, 1) + np.roll(spin, -1, 1)
        i = np.arange(n)
        mask = (i[:, None] + i[None, :]) % 2 == colour
        flip = mask & ((2 * spin * nb <= 0) | (rand < 0.1))
        spin[flip] = -spin[flip]
    return spin, spin.sum()


@program(lambda r, n, t: (r.random((n, 5)).astype(t),), tolerance=1e4)
def page_rank(links):
    n = links.shape[1]
    L = links[:n, :n]
    out = np.ones(n, links.dtype)
    M = L.T @ L + 1
    M /= M.sum(axis=0)
    for _ in range(5):
        out = 0.85 * (M @ out) + 0.15 / n
    return out


@program(vector, exact=True)
def newton_roots(a):
    x = np.ones_like(a)
    target = np.abs(a) + 1
    for _ in range(6):
        x = 0.5 * (x + target / x)
    return x


@program(vectors, exact=True)
def out_arguments(a, b):
    t = np.empty_like(a)
    np.multiply(a, b, out=t)
    np.add(t, 1, out=t)
    np.maximum(t, a, t)
    return t


@program(lambda r, n, t: (r.random((n, 4)).astype(t), r.random(4).astype(t), r.random((n, 1)).astype(t)), exact=True)
def broadcasting_forms(m, row, column):
    return m + row, m * column, m - m[:, :1], row[None, :] + column, (m + column) * row - 2


@program(lambda r, n, t: (r.random((2, n, 3)).astype(t),), tolerance=1e3)
def reductions_of_three(a):
    return a.sum(axis=(0, 2)), a.mean(axis=1), a.sum(axis=-1, keepdims=True), np.prod(a, axis=0), a.sum()


@program(positive)
def logs_and_powers(x):
    return np.log(x), x**0.5, x**-1, x**2, np.power(x, 3), np.sqrt(x) * np.cbrt(x), np.hypot(x, 1)


@program(lambda r, n, t: (r.integers(0, 100, n).astype(np.int32), r.integers(1, 20, n).astype(np.int64)), exact=True)
def integer_arithmetic(a, b):
    return a + b, a // b, a % b, a / b, -a, a & 7, a | 1, a ^ 3, a << 1, a >> 1, a == b, ~a


@program(lambda r, n, t: (r.random(n).astype(np.float32), r.random(n), r.integers(0, 5, n).astype(np.int8)), exact=True)
def mixed_types(f, d, i):
    return f + d, f * i, i + 1, i * 2.5, f + 1.5, (f > i) & (d < 0.5), np.where(i > 2, f, d)


@program(square, exact=True)
def views_share_memory(a):
    d = a[::2]
    d += 1
    t = a.T
    t[0] = 5
    inner = a[1:, 1:]
    inner *= 2
    return a


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def arange_grids(x):
    n = len(x)
    i = np.arange(n)
    w = 1.0 / (1 + np.abs(i[:, None] - i))
    return w * x, (i * 2 + 1)[::-1], np.ones(n) * 2, np.full((n, 2), 3.5), np.eye(n)


@program(lambda r, n, t: (r.random((n, n)).astype(t),), exact=True, sizes=(1, 4, 7))
def joined_arrays(a):
    top = np.vstack((a, a[:1]))
    wide = np.hstack((a, a[:, :1]))
    return top, wide, np.concatenate([a.ravel(), a[0]]), np.stack([a[0], a[-1]]), np.concatenate([a, a], axis=1)


@program(lambda r, n, t: (r.random(n).astype(t), r.random(n).astype(t)), exact=True)
def swaps_in_loops(u, v):
    for k in range(3):
        v[1:-1] = (u[:-2] + u[2:]) * 0.5
        u, v = v, u
    return u


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def names_in_loops(x):
    acc = np.zeros_like(x)
    for k in range(4):
        term = x * k
        if k % 2 == 0:
            term = -term
        acc = acc + term
    return acc


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def all_any_where(x):
    mask = x > 0.5
    if mask.any() and not mask.all():
        x = np.where(mask, 1.0, x)
    return x, mask.sum(), np.count_nonzero(~mask)


@program(lambda r, n, t: (r.random(n).astype(t),), exact=True)
def reshape_of_new_arrays(x):
    grid = np.arange(12).reshape(3, 4)
    flat = (grid * 2).reshape(-1)
    return grid, flat, grid.T.copy().reshape(2, 6), x.copy().reshape(-1, 1)
