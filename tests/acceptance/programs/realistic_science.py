"""Programs that people write: simulation, images, finance."""

import math

import numpy as np

from ..inputs import each_matrix, signed
from ..registry import program


@program(
    verdicts={"t": "sequential", "i": "parallel", "j": "parallel"},
    args=lambda rng: [
        (rng.random((n, m)), np.zeros((n, m)), steps) for n, m, steps in ((20, 22, 4), (3, 3, 5), (2, 9, 2), (0, 0, 1))
    ],
)
def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


@program(
    verdicts={"i": "sequential", "j": ("scan", "sequential")},
    args=each_matrix(lambda rng, n: (rng.random((n, n + 1)),)),
    tolerance="reduction",
)
def gauss_seidel(u):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@program(
    verdicts={"i": "parallel", "j": "reduction"},
    args=lambda rng: [(signed(rng, n, 3), np.zeros((n, 3)), rng.random(n)) for n in (40, 0, 1, 7)],
    tolerance=4096,
)
def gravity(position, force, mass):
    for i in range(len(mass)):
        fx = 0.0
        fy = 0.0
        fz = 0.0
        for j in range(len(mass)):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            square = dx * dx + dy * dy + dz * dz + 0.01
            pull = mass[j] / (square * math.sqrt(square))
            fx += pull * dx
            fy += pull * dy
            fz += pull * dz
        force[i, 0] = fx
        force[i, 1] = fy
        force[i, 2] = fz


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=lambda rng: [(np.zeros((n, m), np.int32), 30) for n, m in ((16, 20), (0, 3), (1, 1))],
)
def mandelbrot(out, limit):
    rows, columns = out.shape
    for i in range(rows):
        for j in range(columns):
            cx = 3.0 * j / columns - 2.0
            cy = 2.0 * i / rows - 1.0
            x = 0.0
            y = 0.0
            count = 0
            while x * x + y * y <= 4.0 and count < limit:
                x, y = x * x - y * y + cx, 2.0 * x * y + cy
                count += 1
            out[i, j] = count


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": ("search", "sequential")},
    args=lambda rng: [(np.zeros((12, 15), np.int64), 25, -0.4 + 0.6j)],
)
def julia_set(out, limit, c):
    rows, columns = out.shape
    for i in range(rows):
        for j in range(columns):
            z = complex(3.0 * j / columns - 1.5, 2.0 * i / rows - 1.0)
            for k in range(limit):
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                z = z * z + c
                out[i, j] = k + 1


def normal_below(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [
        (rng.uniform(10.0, 50.0, n), rng.uniform(10.0, 50.0, n), rng.uniform(0.5, 2.0, n), np.zeros(n), np.zeros(n))
        for n in (200, 0, 1)
    ],
    tolerance=1 << 20,
)
def black_scholes(price, strike, years, call, put):
    rate = 0.03
    volatility = 0.25
    for i in range(len(price)):
        spread = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / spread
        d2 = d1 - spread
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal_below(d1) - discounted * normal_below(d2)
        put[i] = discounted * normal_below(-d2) - price[i] * normal_below(-d1)


@program(
    verdicts={"i": "parallel", "j": "parallel", "k": "reduction"},
    args=each_matrix(
        lambda rng, n: (signed(rng, n, n + 1), signed(rng, n + 1, n + 2), np.zeros((n, n + 2))), (14, 0, 1, 5)
    ),
    tolerance="reduction",
)
def matrix_product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.integers(0, 256, (n, n + 3), np.uint8), np.zeros((n, n + 3), np.uint8))),
)
def emboss(image, out):
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            value = 128 + int(image[i + 1, j + 1]) - int(image[i - 1, j - 1])
            out[i, j] = min(max(value, 0), 255)


@program(
    verdicts={"i": "parallel", "j": "parallel", "di": "reduction", "dj": "reduction"},
    args=lambda rng: [
        (rng.integers(0, 256, (n, m), np.uint8), np.zeros((n, m), np.uint8), r)
        for n, m, r in ((14, 15, 2), (5, 4, 0), (3, 9, 3), (0, 5, 1))
    ],
)
def blur(image, out, radius):
    n, m = image.shape
    for i in range(n):
        for j in range(m):
            total = 0
            count = 0
            for di in range(-radius, radius + 1):
                for dj in range(-radius, radius + 1):
                    if 0 <= i + di < n and 0 <= j + dj < m:
                        total += int(image[i + di, j + dj])
                        count += 1
            out[i, j] = total // count


@program(
    verdicts={"i": "parallel", "j": "parallel", "c": "parallel"},
    args=each_matrix(lambda rng, n: (rng.integers(0, 256, (n, n + 2, 3), np.uint8), np.zeros((n, n + 2, 3), np.uint8))),
)
def sepia(image, out):
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            grey = 0.299 * image[i, j, 0] + 0.587 * image[i, j, 1] + 0.114 * image[i, j, 2]
            for c in range(3):
                out[i, j, c] = int(min(255.0, grey * (1.2 - 0.2 * c)))


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_matrix(
        lambda rng, n: (rng.integers(0, 2, (n, n + 1), np.uint8), np.zeros((n, n + 1), np.uint8)), (14, 1, 2, 5)
    ),
)
def game_of_life(cells, out):
    n, m = cells.shape
    for i in range(n):
        for j in range(m):
            up = cells[i - 1, j - 1] + cells[i - 1, j] + cells[i - 1, (j + 1) % m]
            level = cells[i, j - 1] + cells[i, (j + 1) % m]
            down = cells[(i + 1) % n, j - 1] + cells[(i + 1) % n, j] + cells[(i + 1) % n, (j + 1) % m]
            near = up + level + down
            out[i, j] = near == 3 or (cells[i, j] == 1 and near == 2)


@program(
    verdicts={"i": "parallel", "j": "parallel", "s": "reduction"},
    args=lambda rng: [(signed(rng, 4, 3), rng.uniform(0.2, 0.5, 4), np.zeros((10, 12)), np.zeros((10, 12), np.int64))],
)
def ray_tracer(centre, radius, depth, hit):
    rows, columns = depth.shape
    for i in range(rows):
        for j in range(columns):
            x = 2.0 * j / columns - 1.0
            y = 2.0 * i / rows - 1.0
            nearest = 1000.0
            which = -1
            for s in range(len(radius)):
                dx = x - centre[s, 0]
                dy = y - centre[s, 1]
                inside = radius[s] * radius[s] - dx * dx - dy * dy
                if inside > 0.0:
                    distance = centre[s, 2] + 3.0 - math.sqrt(inside)
                    if distance < nearest:
                        nearest = distance
                        which = s
            depth[i, j] = nearest
            hit[i, j] = which


@program(
    verdicts={"t": "sequential", "i": "parallel"},
    args=lambda rng: [
        (np.zeros(n), np.exp(-0.05 * (np.arange(n) - n / 2) ** 2), np.zeros(n), steps)
        for n, steps in ((60, 8), (3, 2), (60, 0))
    ],
)
def wave_equation(before, now, after, steps):
    for t in range(steps):
        for i in range(1, len(now) - 1):
            after[i] = 2.0 * now[i] - before[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1])
        before, now, after = now, after, before
    return now


@program(
    verdicts={"i": "parallel", "k": "reduction"},
    args=lambda rng: [
        (rng.random(n), rng.random(m), np.zeros(max(n - m + 1, 0))) for n, m in ((200, 9), (9, 9), (3, 5), (30, 1))
    ],
    tolerance="reduction",
)
def convolution(signal, weights, out):
    m = len(weights)
    for i in range(len(out)):
        s = 0.0
        for k in range(m):
            s += signal[i + m - 1 - k] * weights[k]
        out[i] = s
