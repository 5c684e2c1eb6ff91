"""Ordinary programs whose first call is measured. Each is a function and what makes its arguments."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.compiling.chosen import jit, prange

Array = np.ndarray[Any, Any]
Arguments = Callable[[], tuple[Any, ...]]

PROGRAMS: dict[str, tuple[Any, Arguments]] = {}


def program(arguments: Arguments) -> Callable[[Any], Any]:
    """Note a program with the arguments of its first call."""

    def note(function: Any) -> Any:
        PROGRAMS[function.__name__] = jit()(function), arguments
        return function

    return note


def written(name: str, text: str, arguments: Arguments) -> None:
    """Note a program whose text is made by a loop."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {**globals()}
    exec(compile(text, file, "exec"), space)
    PROGRAMS[name] = jit()(space[name]), arguments


def rows(*shape: int, kind: str = "float64") -> Array:
    """An array with different numbers in it."""
    count = math.prod(shape)
    return (np.arange(count) * 7919 % 1009 / 1009 * (1 if kind[0] == "f" else 250)).astype(kind).reshape(shape)


# ------------------------------------------------------------------------------------ what newcomers measured


@program(lambda: (rows(40, 40), np.zeros((40, 40))))
def median_filter(image, result):
    n, m = image.shape
    for i in prange(1, n - 1):
        window = np.empty(9)
        for j in range(1, m - 1):
            k = 0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    window[k] = image[i + a, j + b]
                    k += 1
            for a in range(1, 9):
                value = window[a]
                b = a - 1
                while b >= 0 and window[b] > value:
                    window[b + 1] = window[b]
                    b -= 1
                window[b + 1] = value
            result[i, j] = window[4]


@program(lambda: (rows(30, 20), rows(20, 30), np.zeros((30, 30))))
def product(a, b, c):
    for i in prange(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def _statements() -> str:
    lines = ["def statements(x, y, r):", "    for i in prange(x.shape[0]):", "        t0 = x[i]", "        t1 = y[i]"]
    forms = ("t{a} * 0.5 + t{b}", "t{a} - t{b} * 1.25", "t{a} * t{b}", "abs(t{a}) + t{b}", "(t{a} + t{b}) * 0.125")
    for k in range(2, 200):
        form = forms[k % len(forms)].format(a=k - 1, b=max(k * 7 % k, k - 2))
        lines.append(f"        t{k} = {form}")
    return "\n".join([*lines, "        r[i] = t199"]) + "\n"


written("statements", _statements(), lambda: (rows(100), rows(100), np.zeros(100)))


@jit()
def _helped(x, y):
    return math.sqrt(x * x + y * y + 1.0) * 0.5 + x


def _calls() -> str:
    calls = [f"        t = _helped(t, x[i] + {k}.0)" for k in range(40)]
    return "\n".join(["def calls(x, r):", "    for i in prange(x.shape[0]):", "        t = x[i]", *calls]) + (
        "\n        r[i] = t\n"
    )


written("calls", _calls(), lambda: (rows(100), np.zeros(100)))

_NESTS = (
    """
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            {o}[i, j] = 0.25 * ({i}[i - 1, j] + {i}[i + 1, j] + {i}[i, j - 1] + {i}[i, j + 1])""",
    """
    for i in prange(n):
        for j in range(m):
            if {i}[i, j] > limit:
                {o}[i, j] = limit
            else:
                {o}[i, j] = {i}[i, j] * 1.5""",
    """
    total{k} = 0.0
    for i in prange(n):
        for j in range(m):
            total{k} += {i}[i, j] * {o}[i, j]
    result[{k}] = total{k}""",
    """
    for i in prange(n):
        running = 0.0
        for j in range(m):
            running = running * 0.5 + {i}[i, j]
            {o}[i, j] = running""",
    """
    for i in prange(n):
        largest = {i}[i, 0]
        for j in range(1, m):
            largest = max(largest, {i}[i, j])
        for j in range(m):
            {o}[i, j] = math.exp({i}[i, j] - largest)""",
)


def _long() -> str:
    arrays = "abcd"
    body = [
        _NESTS[k % len(_NESTS)].format(
            i=arrays[k % 4], o=arrays[(k + 1 + k // 4) % 4 if (k // 4) % 4 != 3 else k % 4 - 1], k=k
        )
        for k in range(50)
    ]
    return "def three_hundred_lines(a, b, c, d, result, limit):\n    n, m = a.shape" + "".join(body) + "\n"


written(
    "three_hundred_lines", _long(), lambda: (rows(20, 24), rows(20, 24), rows(20, 24), rows(20, 24), np.zeros(50), 0.9)
)

# --------------------------------------------------------------------------------------------- ordinary programs


@program(lambda: (rows(40, 40), rows(40, 40), 3))
def heat(u, v, steps):
    for _ in range(steps):
        for i in prange(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + 0.1 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u, v = v, u


@program(lambda: (np.zeros((30, 30), np.int64), 50))
def mandelbrot(counts, most):
    n, m = counts.shape
    for i in prange(n):
        for j in range(m):
            cr, ci = -2.0 + 3.0 * j / m, -1.5 + 3.0 * i / n
            zr = zi = 0.0
            k = 0
            while k < most and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                k += 1
            counts[i, j] = k


@program(lambda: (rows(60, 3), np.zeros((60, 3)), rows(60)))
def nbody(position, force, mass):
    n = position.shape[0]
    for i in prange(n):
        fx = fy = fz = 0.0
        for j in range(n):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            dz = position[j, 2] - position[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            w = mass[j] / (r2 * math.sqrt(r2))
            fx += dx * w
            fy += dy * w
            fz += dz * w
        force[i, 0] = fx
        force[i, 1] = fy
        force[i, 2] = fz


@program(lambda: (rows(1000), np.zeros(64, np.int64)))
def histogram(x, counts):
    for i in range(x.shape[0]):
        k = int(x[i] * 64.0)
        if 0 <= k < 64:
            counts[k] += 1


@program(lambda: (rows(200, 4), rows(8, 4), np.zeros(200, np.int64), np.zeros((8, 4)), np.zeros(8, np.int64)))
def k_means(points, centres, labels, sums, counts):
    for i in prange(points.shape[0]):
        best = 1e30
        for c in range(centres.shape[0]):
            distance = 0.0
            for d in range(points.shape[1]):
                distance += (points[i, d] - centres[c, d]) ** 2
            if distance < best:
                best = distance
                labels[i] = c
    for i in range(points.shape[0]):
        counts[labels[i]] += 1
        for d in range(points.shape[1]):
            sums[labels[i], d] += points[i, d]
    for c in range(centres.shape[0]):
        if counts[c] > 0:
            for d in range(points.shape[1]):
                centres[c, d] = sums[c, d] / counts[c]


@program(lambda: (rows(30, 30, kind="uint8") % 2, np.zeros((30, 30), np.uint8)))
def game_of_life(old, new):
    n, m = old.shape
    for i in prange(n):
        for j in range(m):
            alive = 0
            for a in range(-1, 2):
                for b in range(-1, 2):
                    if a != 0 or b != 0:
                        alive += old[(i + a) % n, (j + b) % m]
            if alive == 3 or (alive == 2 and old[i, j] == 1):
                new[i, j] = 1
            else:
                new[i, j] = 0


@program(lambda: (rows(500) + 50.0, rows(500) + 40.0, rows(500) + 0.1, np.zeros(500), 0.02, 0.3))
def option_prices(spot, strike, time, price, rate, volatility):
    for i in prange(spot.shape[0]):
        root = math.sqrt(time[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * time[i]) / (volatility * root)
        d2 = d1 - volatility * root
        first = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
        second = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
        price[i] = spot[i] * first - strike[i] * math.exp(-rate * time[i]) * second


@program(lambda: (rows(40, 40), np.zeros((40, 40))))
def sobel(image, edges):
    for i in prange(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            gx = image[i - 1, j + 1] + 2.0 * image[i, j + 1] + image[i + 1, j + 1]
            gx -= image[i - 1, j - 1] + 2.0 * image[i, j - 1] + image[i + 1, j - 1]
            gy = image[i + 1, j - 1] + 2.0 * image[i + 1, j] + image[i + 1, j + 1]
            gy -= image[i - 1, j - 1] + 2.0 * image[i - 1, j] + image[i - 1, j + 1]
            edges[i, j] = math.sqrt(gx * gx + gy * gy)


@program(lambda: (rows(40), rows(30), np.zeros((41, 31))))
def edit_distance(a, b, table):
    n, m = a.shape[0], b.shape[0]
    for i in range(n + 1):
        table[i, 0] = i
    for j in range(m + 1):
        table[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0.0 if a[i - 1] == b[j - 1] else 1.0
            table[i, j] = min(table[i - 1, j] + 1.0, table[i, j - 1] + 1.0, table[i - 1, j - 1] + cost)
    return table[n, m]


@program(lambda: (np.arange(0, 401, 4), rows(400, kind="int64") % 50, rows(400), rows(50), np.zeros(100)))
def sparse_product(starts, columns, values, x, y):
    for row in prange(y.shape[0]):
        total = 0.0
        for k in range(starts[row], starts[row + 1]):
            total += values[k] * x[columns[k]]
        y[row] = total


@program(lambda: (rows(30, 30), np.zeros((30, 30)), 3, 2.0, 0.1))
def bilateral(image, result, radius, near, like):
    n, m = image.shape
    for i in prange(n):
        for j in range(m):
            total = weight = 0.0
            for a in range(max(0, i - radius), min(n, i + radius + 1)):
                for b in range(max(0, j - radius), min(m, j + radius + 1)):
                    d = image[a, b] - image[i, j]
                    w = math.exp(-((a - i) ** 2 + (b - j) ** 2) / (2.0 * near * near) - d * d / (2.0 * like * like))
                    total += w * image[a, b]
                    weight += w
            result[i, j] = total / weight


@program(lambda: (rows(12, 12) + 12.0 * np.eye(12), rows(12)))
def solve(a, b):
    n = b.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= factor * a[k, j]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= a[i, j] * b[j]
        b[i] /= a[i, i]


@program(lambda: (rows(20, 20), rows(20, 20), rows(20, 20), 0.1))
def shallow_water(h, u, v, step):
    n, m = h.shape
    for _ in range(3):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] -= step * (h[i + 1, j] - h[i - 1, j])
                v[i, j] -= step * (h[i, j + 1] - h[i, j - 1])
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                h[i, j] -= step * (u[i + 1, j] - u[i - 1, j] + v[i, j + 1] - v[i, j - 1])
        for j in range(m):
            h[0, j] = h[1, j]
            h[n - 1, j] = h[n - 2, j]


@program(lambda: (rows(500), np.zeros(500), np.zeros(500)))
def signal(x, smooth, peaks):
    for i in prange(2, x.shape[0] - 2):
        smooth[i] = (x[i - 2] + 4.0 * x[i - 1] + 6.0 * x[i] + 4.0 * x[i + 1] + x[i + 2]) / 16.0
    mean = 0.0
    for i in prange(x.shape[0]):
        mean += smooth[i]
    mean /= x.shape[0]
    count = 0
    for i in range(1, x.shape[0] - 1):
        if smooth[i] > mean and smooth[i] > smooth[i - 1] and smooth[i] >= smooth[i + 1]:
            peaks[count] = smooth[i]
            count += 1
    return count
