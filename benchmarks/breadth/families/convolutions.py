"""Convolutions: channels, strides, dilation, one to three dimensions, transposed, pooling."""

from __future__ import annotations

from benchmarks.breadth.program import Answer, Program


def channels(x, w, y):
    for n in range(y.shape[0]):
        for o in range(y.shape[1]):
            for i in range(y.shape[2]):
                for j in range(y.shape[3]):
                    total = 0.0
                    for c in range(x.shape[1]):
                        for a in range(w.shape[2]):
                            for b in range(w.shape[3]):
                                total += w[o, c, a, b] * x[n, c, i + a, j + b]
                    y[n, o, i, j] = total


def channels_in_place(x, w, y):
    for n in range(y.shape[0]):
        for o in range(y.shape[1]):
            for i in range(y.shape[2]):
                for j in range(y.shape[3]):
                    y[n, o, i, j] = 0.0
                for c in range(x.shape[1]):
                    for a in range(w.shape[2]):
                        for b in range(w.shape[3]):
                            for j in range(y.shape[3]):
                                y[n, o, i, j] += w[o, c, a, b] * x[n, c, i + a, j + b]


def channels_last(x, w, y):
    for n in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for o in range(y.shape[3]):
                    total = 0.0
                    for a in range(3):
                        for b in range(3):
                            for c in range(x.shape[3]):
                                total += x[n, i + a, j + b, c] * w[a, b, c, o]
                    y[n, i, j, o] = total


def channels_last_counters_from_one(x, w, y):
    for n in range(y.shape[0]):
        for i in range(1, y.shape[1] + 1):
            for j in range(1, y.shape[2] + 1):
                for o in range(y.shape[3]):
                    total = 0.0
                    for a in range(-1, 2):
                        for b in range(-1, 2):
                            for c in range(x.shape[3]):
                                total += x[n, i + a, j + b, c] * w[a + 1, b + 1, c, o]
                    y[n, i - 1, j - 1, o] = total


def depthwise(x, w, y):
    for c in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                total = 0.0
                for a in range(3):
                    for b in range(3):
                        total += w[c, a, b] * x[c, i + a, j + b]
                y[c, i, j] = total


def depthwise_written_out(x, w, y):
    for c in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                total = w[c, 0, 0] * x[c, i, j] + w[c, 0, 1] * x[c, i, j + 1] + w[c, 0, 2] * x[c, i, j + 2]
                total += w[c, 1, 0] * x[c, i + 1, j] + w[c, 1, 1] * x[c, i + 1, j + 1] + w[c, 1, 2] * x[c, i + 1, j + 2]
                total += w[c, 2, 0] * x[c, i + 2, j] + w[c, 2, 1] * x[c, i + 2, j + 1] + w[c, 2, 2] * x[c, i + 2, j + 2]
                y[c, i, j] = total


def strided(x, w, y, stride):
    for o in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                total = 0.0
                for c in range(x.shape[0]):
                    for a in range(3):
                        for b in range(3):
                            total += w[o, c, a, b] * x[c, i * stride + a, j * stride + b]
                y[o, i, j] = total


def strided_by_row_view(x, w, y, stride):
    for o in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                total = 0.0
                for a in range(3):
                    row = stride * i + a
                    for b in range(3):
                        column = stride * j + b
                        for c in range(x.shape[0]):
                            total += w[o, c, a, b] * x[c, row, column]
                y[o, i, j] = total


def dilated(x, w, y, gap):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for a in range(w.shape[0]):
                for b in range(w.shape[1]):
                    total += w[a, b] * x[i + a * gap, j + b * gap]
            y[i, j] = total


def dilated_flat(x, w, y, gap):
    side = w.shape[1]
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for p in range(w.shape[0] * side):
                total += w[p // side, p % side] * x[i + gap * (p // side), j + gap * (p % side)]
            y[i, j] = total


def signal(x, w, y):
    for i in range(len(y)):
        total = 0.0
        for k in range(len(w)):
            total += x[i + k] * w[k]
        y[i] = total


def signal_reversed(x, w, y):
    taps = len(w)
    for i in range(taps - 1, len(x)):
        total = 0.0
        for k in range(taps):
            total += x[i - k] * w[taps - 1 - k]
        y[i - taps + 1] = total


def signal_whole(xp, x, w, y):
    return xp.correlate(x, w, "valid")


def padded(x, w, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            total = 0.0
            for a in range(5):
                for b in range(5):
                    if 0 <= i + a - 2 < n and 0 <= j + b - 2 < m:
                        total += w[a, b] * x[i + a - 2, j + b - 2]
            y[i, j] = total


def padded_by_bounds(x, w, y):
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            total = 0.0
            for a in range(max(0, 2 - i), min(5, n + 2 - i)):
                for b in range(max(0, 2 - j), min(5, m + 2 - j)):
                    total += w[a, b] * x[i + a - 2, j + b - 2]
            y[i, j] = total


def volume(x, w, y):
    for o in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for k in range(y.shape[3]):
                    total = 0.0
                    for c in range(x.shape[0]):
                        for p in range(27):
                            total += w[o, c, p] * x[c, i + p // 9, j + p // 3 % 3, k + p % 3]
                    y[o, i, j, k] = total


def volume_three_loops(x, w, y):
    for o in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                for k in range(y.shape[3]):
                    total = 0.0
                    for c in range(x.shape[0]):
                        for a in range(3):
                            for b in range(3):
                                for d in range(3):
                                    total += w[o, c, 9 * a + 3 * b + d] * x[c, i + a, j + b, k + d]
                    y[o, i, j, k] = total


def max_pool(x, y):
    for c in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                best = x[c, 2 * i, 2 * j]
                for a in range(2):
                    for b in range(2):
                        best = max(best, x[c, 2 * i + a, 2 * j + b])
                y[c, i, j] = best


def max_pool_written_out(x, y):
    for c in range(y.shape[0]):
        for i in range(y.shape[1]):
            for j in range(y.shape[2]):
                top = max(x[c, 2 * i, 2 * j], x[c, 2 * i, 2 * j + 1])
                bottom = max(x[c, 2 * i + 1, 2 * j], x[c, 2 * i + 1, 2 * j + 1])
                y[c, i, j] = max(top, bottom)


def weight_gradient(x, dy, dw):
    for a in range(dw.shape[0]):
        for b in range(dw.shape[1]):
            total = 0.0
            for i in range(dy.shape[0]):
                for j in range(dy.shape[1]):
                    total += dy[i, j] * x[i + a, j + b]
            dw[a, b] = total


def weight_gradient_in_place(x, dy, dw):
    for a in range(dw.shape[0]):
        for b in range(dw.shape[1]):
            dw[a, b] = 0.0
    for i in range(dy.shape[0]):
        for a in range(dw.shape[0]):
            for b in range(dw.shape[1]):
                for j in range(dy.shape[1]):
                    dw[a, b] += dy[i, j] * x[i + a, j + b]


SUMS = Answer.SUMS

PROGRAMS = (
    Program("convolution_channels", (channels, channels_in_place),
            lambda m, n, c, s: (m.random(n, c, s + 2, s + 2), m.random(c, c, 3, 3), m.zeros(n, c, s, s)),
            ((2, 2, 5), (2, 8, 28), (4, 32, 56), (32, 128, 56)), lambda n, c, s, b: (2 * n * c * s * s + 9 * c * c) * b,
            lambda n, c, s: 18 * n * c * c * s * s, parallel=("n",), answer=SUMS),
    Program("convolution_channels_last", (channels_last, channels_last_counters_from_one),
            lambda m, n, c, s: (m.random(n, s + 2, s + 2, c), m.random(3, 3, c, c), m.zeros(n, s, s, c)),
            ((2, 2, 5), (2, 8, 28), (4, 32, 56), (32, 128, 56)), lambda n, c, s, b: (2 * n * c * s * s + 9 * c * c) * b,
            lambda n, c, s: 18 * n * c * c * s * s, parallel=("n",), answer=SUMS),
    Program("depthwise", (depthwise, depthwise_written_out),
            lambda m, c, s: (m.random(c, s + 2, s + 2), m.random(c, 3, 3), m.zeros(c, s, s)),
            ((3, 6), (16, 64), (64, 224), (512, 512)), lambda c, s, b: 2 * c * s * s * b,
            lambda c, s: 18 * c * s * s, parallel=("c",), answer=SUMS),
    Program("convolution_strided", (strided, strided_by_row_view),
            lambda m, c, s: (m.random(c, 2 * s + 2, 2 * s + 2), m.random(c, c, 3, 3), m.zeros(c, s, s), 2),
            ((2, 4), (8, 28), (32, 112), (128, 256)), lambda c, s, b: 5 * c * s * s * b,
            lambda c, s: 18 * c * c * s * s, parallel=("o",), answer=SUMS, outputs=(2,)),
    Program("convolution_dilated", (dilated, dilated_flat),
            lambda m, n: (m.random(n + 12, n + 12), m.random(5, 5), m.zeros(n, n), 3), (6, 128, 1024, 8192),
            lambda n, b: 2 * n * n * b, lambda n: 50 * n * n, answer=SUMS, outputs=(2,)),
    Program("signal", (signal, signal_reversed), lambda m, n, k: (m.random(n + k - 1), m.random(k), m.zeros(n)),
            ((20, 5), (10**4, 31), (10**6, 65), (10**8, 65)), lambda n, k, b: 2 * n * b, lambda n, k: 2 * n * k,
            answer=SUMS, whole=signal_whole),
    Program("convolution_padded", (padded, padded_by_bounds),
            lambda m, n: (m.random(n, n), m.random(5, 5), m.zeros(n, n)), (7, 128, 1024, 8192),
            lambda n, b: 2 * n * n * b, lambda n: 50 * n * n, answer=SUMS),
    Program("convolution_volume", (volume, volume_three_loops),
            lambda m, c, s: (m.random(c, s + 2, s + 2, s + 2), m.random(c, c, 27), m.zeros(c, s, s, s)),
            ((2, 3), (4, 16), (8, 48), (32, 128)), lambda c, s, b: 2 * c * s**3 * b,
            lambda c, s: 54 * c * c * s**3, parallel=("o",), answer=SUMS),
    Program("max_pool", (max_pool, max_pool_written_out), lambda m, c, s: (m.random(c, 2 * s, 2 * s), m.zeros(c, s, s)),
            ((2, 4), (16, 32), (64, 112), (512, 512)), lambda c, s, b: 5 * c * s * s * b, lambda c, s: 3 * c * s * s,
            parallel=("c",), whole=lambda xp, x, y: x.reshape(*y.shape[:2], 2, y.shape[2], 2).max((2, 4))),
    Program("weight_gradient", (weight_gradient, weight_gradient_in_place),
            lambda m, n: (m.random(n + 4, n + 4), m.random(n, n), m.zeros(5, 5)), (6, 128, 1024, 8192),
            lambda n, b: 2 * n * n * b, lambda n: 50 * n * n, parallel=("a",), answer=SUMS),
)  # fmt: skip
