"""Image filters, with weights that depend on data, and warps."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def bilateral(x, y, spatial, scale):
    r = spatial.shape[0] // 2
    for i in range(r, x.shape[0] - r):
        for j in range(r, x.shape[1] - r):
            total = 0.0
            norm = 0.0
            for a in range(-r, r + 1):
                for b in range(-r, r + 1):
                    d = x[i + a, j + b] - x[i, j]
                    w = spatial[a + r, b + r] * math.exp(-d * d * scale)
                    total += w * x[i + a, j + b]
                    norm += w
            y[i, j] = total / norm


def bilateral_from_zero(x, y, spatial, scale):
    k = spatial.shape[0]
    for i in range(x.shape[0] - k + 1):
        for j in range(x.shape[1] - k + 1):
            centre = x[i + k // 2, j + k // 2]
            total = 0.0
            norm = 0.0
            for a in range(k):
                for b in range(k):
                    value = x[i + a, j + b]
                    w = spatial[a, b] * np.exp(-scale * (value - centre) ** 2)
                    total += w * value
                    norm += w
            y[i + k // 2, j + k // 2] = total / norm


def sobel(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            gx = x[i - 1, j + 1] + 2.0 * x[i, j + 1] + x[i + 1, j + 1]
            gx = gx - x[i - 1, j - 1] - 2.0 * x[i, j - 1] - x[i + 1, j - 1]
            gy = x[i + 1, j - 1] + 2.0 * x[i + 1, j] + x[i + 1, j + 1]
            gy = gy - x[i - 1, j - 1] - 2.0 * x[i - 1, j] - x[i - 1, j + 1]
            y[i, j] = np.sqrt(gx * gx + gy * gy)


def sobel_by_function(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            gx = row_of_three(x, i, j + 1, 1, 0) - row_of_three(x, i, j - 1, 1, 0)
            gy = row_of_three(x, i + 1, j, 0, 1) - row_of_three(x, i - 1, j, 0, 1)
            y[i, j] = np.sqrt(gx * gx + gy * gy)


def row_of_three(x, i, j, a, b):
    return x[i - a, j - b] + 2.0 * x[i, j] + x[i + a, j + b]


def median(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            window = np.empty(9, x.dtype)
            for a in range(3):
                for b in range(3):
                    window[3 * a + b] = x[i + a - 1, j + b - 1]
            for p in range(5):
                for q in range(p + 1, 9):
                    if window[q] < window[p]:
                        window[p], window[q] = window[q], window[p]
            y[i, j] = window[4]


def median_by_rank(x, y):
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            for p in range(9):
                value = x[i + p // 3 - 1, j + p % 3 - 1]
                below = 0
                equal = 0
                for q in range(9):
                    other = x[i + q // 3 - 1, j + q % 3 - 1]
                    if other < value:
                        below += 1
                    elif other == value:
                        equal += 1
                if below <= 4 and below + equal > 4:
                    y[i, j] = value


def erode(x, y):
    for i in range(2, x.shape[0] - 2):
        for j in range(2, x.shape[1] - 2):
            least = x[i, j]
            for a in range(-2, 3):
                for b in range(-2, 3):
                    least = min(least, x[i + a, j + b])
            y[i, j] = least


def erode_by_if(x, y):
    for i in range(x.shape[0] - 4):
        for j in range(x.shape[1] - 4):
            least = x[i, j]
            for p in range(1, 25):
                value = x[i + p // 5, j + p % 5]
                if value < least:
                    least = value
            y[i + 2, j + 2] = least


def rotate(x, y, cosine, sine):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            a = cosine * (i - n / 2) - sine * (j - m / 2) + n / 2
            b = sine * (i - n / 2) + cosine * (j - m / 2) + m / 2
            p = math.floor(a)
            q = math.floor(b)
            if 0 <= p < n - 1 and 0 <= q < m - 1:
                u = a - p
                v = b - q
                top = (1.0 - v) * x[p, q] + v * x[p, q + 1]
                bottom = (1.0 - v) * x[p + 1, q] + v * x[p + 1, q + 1]
                y[i, j] = (1.0 - u) * top + u * bottom
            else:
                y[i, j] = 0.0


def rotate_clipped(x, y, cosine, sine):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            a = cosine * (i - n / 2) - sine * (j - m / 2) + n / 2
            b = sine * (i - n / 2) + cosine * (j - m / 2) + m / 2
            value = 0.0
            if a >= 0.0 and b >= 0.0:
                p = int(a)
                q = int(b)
                if p + 1 < n and q + 1 < m:
                    u = a - p
                    v = b - q
                    value = (1.0 - u) * ((1.0 - v) * x[p, q] + v * x[p, q + 1])
                    value += u * ((1.0 - v) * x[p + 1, q] + v * x[p + 1, q + 1])
            y[i, j] = value


def grey(image, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (77 * int(image[i, j, 0]) + 150 * int(image[i, j, 1]) + 29 * int(image[i, j, 2])) >> 8


def grey_by_loop(image, out):
    weights = (77, 150, 29)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = weights[0] * np.int32(image[i, j, 0])
            total += weights[1] * np.int32(image[i, j, 1])
            total += weights[2] * np.int32(image[i, j, 2])
            out[i, j] = total // 256


def equalise(image, out, table):
    counts = np.zeros(256, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            counts[image[i, j]] += 1
    total = 0
    for k in range(256):
        total += counts[k]
        table[k] = total * 255 // image.size
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = table[image[i, j]]


def equalise_flat(image, out, table):
    n, m = image.shape
    for k in range(256):
        table[k] = 0
    for p in range(n * m):
        table[image[p // m, p % m]] += 1
    for k in range(1, 256):
        table[k] += table[k - 1]
    for k in range(256):
        table[k] = table[k] * 255 // (n * m)
    for p in range(n * m):
        out[p // m, p % m] = table[image[p // m, p % m]]


def blend_layers(layers, alpha, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            colour = 0.0
            left = 1.0
            for k in range(layers.shape[0]):
                colour += left * alpha[k, i, j] * layers[k, i, j]
                left *= 1.0 - alpha[k, i, j]
                if left < 0.01:
                    break
            out[i, j] = colour


def blend_layers_tested(layers, alpha, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            colour = 0.0
            left = 1.0
            k = 0
            while k < layers.shape[0] and left >= 0.01:
                a = alpha[k, i, j]
                colour += left * a * layers[k, i, j]
                left *= 1.0 - a
                k += 1
            out[i, j] = colour


def anisotropic(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            n = u[i - 1, j] - u[i, j]
            s = u[i + 1, j] - u[i, j]
            w = u[i, j - 1] - u[i, j]
            e = u[i, j + 1] - u[i, j]
            step = n / (1.0 + n * n) + s / (1.0 + s * s) + w / (1.0 + w * w) + e / (1.0 + e * e)
            v[i, j] = u[i, j] + 0.125 * step


def slowed(d):
    return d / (1.0 + d * d)


def anisotropic_by_function(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            here = u[i, j]
            step = slowed(u[i - 1, j] - here) + slowed(u[i + 1, j] - here)
            step = step + slowed(u[i, j - 1] - here) + slowed(u[i, j + 1] - here)
            v[i, j] = here + 0.125 * step


def two_grids(m, n):
    return m.random(n, n), m.zeros(n, n)


def bytes_image(m, n):
    return m.below(256, n, n, dtype="uint8"), m.below(1, n, n, dtype="uint8"), m.below(1, 256)


def twice(n, b):
    return 2 * n * n * b


SQUARES = (10, 200, 2000, 12000)
WHOLE = ("float64",)

PROGRAMS = (
    Program("bilateral", (bilateral, bilateral_from_zero),
            lambda m, n: (m.random(n, n), m.zeros(n, n), m.random(7, 7), 4.0),
            (10, 64, 400, 4096), twice, lambda n: 49 * 16 * n * n, answer=Answer.MATH, outputs=(1,)),
    Program("sobel", (sobel, sobel_by_function), two_grids, SQUARES, twice, lambda n: 14 * n * n),
    Program("median", (median, median_by_rank), two_grids, (10, 100, 1000, 8192), twice, lambda n: 38 * n * n),
    Program("erode", (erode, erode_by_if), two_grids, (10, 200, 1500, 8192), twice, lambda n: 24 * n * n),
    Program("rotate", (rotate, rotate_clipped), lambda m, n: (m.random(n, n), m.zeros(n, n), 0.8, 0.6), SQUARES, twice,
            lambda n: 20 * n * n, answer=Answer.MATH, outputs=(1,)),
    Program("grey", (grey, grey_by_loop),
            lambda m, n: (m.below(256, n, n, 3, dtype="uint8"), m.below(1, n, n, dtype="uint8")), SQUARES,
            lambda n, b: 4 * n * n, lambda n: 6 * n * n, dtypes=WHOLE),
    Program("equalise", (equalise, equalise_flat), bytes_image, SQUARES, lambda n, b: 3 * n * n, lambda n: 2 * n * n,
            parallel=(), dtypes=WHOLE, outputs=(1, 2)),
    Program("blend_layers", (blend_layers, blend_layers_tested),
            lambda m, k, n: (m.random(k, n, n), m.random(k, n, n), m.zeros(n, n)),
            ((4, 6), (8, 100), (8, 800), (16, 4096)), lambda k, n, b: (k + 1) * n * n * b, lambda k, n: 2 * k * n * n,
            answer=Answer.MATH),
    Program("anisotropic", (anisotropic, anisotropic_by_function), two_grids, SQUARES, twice, lambda n: 21 * n * n),
)  # fmt: skip
