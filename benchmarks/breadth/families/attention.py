"""Attention and normalisations: in one nest, in several, over rows and columns."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.breadth.program import Answer, Program


def softmax(x, y):
    for i in range(x.shape[0]):
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            y[i, j] = np.exp(x[i, j] - top)
            total += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] /= total


def softmax_math(x, y):
    for i in range(x.shape[0]):
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            if x[i, j] > top:
                top = x[i, j]
        total = 0.0
        for j in range(x.shape[1]):
            total += math.exp(x[i, j] - top)
        for j in range(x.shape[1]):
            y[i, j] = math.exp(x[i, j] - top) / total


def softmax_rows_as_arrays(x, y):
    for i in range(x.shape[0]):
        row = np.exp(x[i] - np.max(x[i]))
        y[i] = row / np.sum(row)


def softmax_whole(xp, x, y):
    made = xp.exp(x - x.max(1)[:, None])
    return made / made.sum(1)[:, None]


def softmax_columns(x, y):
    for j in range(x.shape[1]):
        top = x[0, j]
        for i in range(1, x.shape[0]):
            top = max(top, x[i, j])
        total = 0.0
        for i in range(x.shape[0]):
            total += np.exp(x[i, j] - top)
        for i in range(x.shape[0]):
            y[i, j] = np.exp(x[i, j] - top) / total


def softmax_columns_by_rows(
    x,
    y,
):
    n, m = x.shape
    top = np.empty(m, x.dtype)
    total = np.zeros(m, x.dtype)
    for j in range(m):
        top[j] = x[0, j]
    for i in range(1, n):
        for j in range(m):
            top[j] = max(top[j], x[i, j])
    for i in range(n):
        for j in range(m):
            y[i, j] = np.exp(x[i, j] - top[j])
            total[j] += y[i, j]
    for i in range(n):
        for j in range(m):
            y[i, j] /= total[j]


def softmax_columns_whole(xp, x, y):
    made = xp.exp(x - x.max(0))
    return made / made.sum(0)


def layer_norm(x, gain, bias, y):
    n = x.shape[1]
    for i in range(x.shape[0]):
        mean = 0.0
        for j in range(n):
            mean += x[i, j]
        mean /= n
        variance = 0.0
        for j in range(n):
            variance += (x[i, j] - mean) * (x[i, j] - mean)
        scale = 1.0 / np.sqrt(variance / n + 1e-5)
        for j in range(n):
            y[i, j] = (x[i, j] - mean) * scale * gain[j] + bias[j]


def layer_norm_rows_as_arrays(x, gain, bias, y):
    for i in range(x.shape[0]):
        centred = x[i] - np.sum(x[i]) / x.shape[1]
        scale = 1.0 / np.sqrt(np.sum(centred * centred) / x.shape[1] + 1e-5)
        y[i] = centred * scale * gain + bias


def layer_norm_whole(xp, x, gain, bias, y):
    centred = x - x.mean(1)[:, None]
    return centred / xp.sqrt((centred * centred).mean(1)[:, None] + 1e-5) * gain + bias


def rms_norm(x, gain, y):
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j] * x[i, j]
        scale = 1.0 / math.sqrt(total / x.shape[1] + 1e-6)
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * scale * gain[j]


def rms_norm_numpy_root(x, gain, y):
    for i in range(x.shape[0]):
        total = 1e-6
        for j in range(x.shape[1]):
            total += x[i, j] ** 2 / x.shape[1]
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] / np.sqrt(total) * gain[j]


def batch_norm(x, y):
    n, c, s = x.shape
    for k in range(c):
        mean = 0.0
        square = 0.0
        for i in range(n):
            for j in range(s):
                mean += x[i, k, j]
                square += x[i, k, j] * x[i, k, j]
        mean /= n * s
        scale = 1.0 / np.sqrt(square / (n * s) - mean * mean + 1e-3)
        for i in range(n):
            for j in range(s):
                y[i, k, j] = (x[i, k, j] - mean) * scale


def batch_norm_flat(x, y):
    n, c, s = x.shape
    for k in range(c):
        mean = 0.0
        square = 0.0
        for p in range(n * s):
            value = x[p // s, k, p % s]
            mean += value
            square += value * value
        mean /= n * s
        scale = 1.0 / np.sqrt(square / (n * s) - mean * mean + 1e-3)
        for p in range(n * s):
            y[p // s, k, p % s] = (x[p // s, k, p % s] - mean) * scale


def attention(q, k, v, out, scores):
    n, d = q.shape
    for i in range(n):
        top = -1e30
        for j in range(n):
            total = 0.0
            for c in range(d):
                total += q[i, c] * k[j, c]
            scores[i, j] = total
            top = max(top, total)
        norm = 0.0
        for j in range(n):
            scores[i, j] = np.exp(scores[i, j] - top)
            norm += scores[i, j]
        for c in range(d):
            total = 0.0
            for j in range(n):
                total += scores[i, j] * v[j, c]
            out[i, c] = total / norm


def attention_three_nests(q, k, v, out, scores):
    n, d = q.shape
    for i in range(n):
        for j in range(n):
            total = 0.0
            for c in range(d):
                total += q[i, c] * k[j, c]
            scores[i, j] = total
    for i in range(n):
        top = scores[i, 0]
        for j in range(1, n):
            top = max(top, scores[i, j])
        norm = 0.0
        for j in range(n):
            scores[i, j] = np.exp(scores[i, j] - top)
            norm += scores[i, j]
        for j in range(n):
            scores[i, j] /= norm
    for i in range(n):
        for c in range(d):
            total = 0.0
            for j in range(n):
                total += scores[i, j] * v[j, c]
            out[i, c] = total


def attention_whole(xp, q, k, v, out, scores):
    made = q @ k.T
    made = xp.exp(made - made.max(1)[:, None])
    return made @ v / made.sum(1)[:, None]


def causal_scores(q, k, out):
    n = q.shape[0]
    for i in range(n):
        for j in range(n):
            if j <= i:
                total = 0.0
                for c in range(q.shape[1]):
                    total += q[i, c] * k[j, c]
                out[i, j] = total
            else:
                out[i, j] = -1e9


def causal_scores_by_bounds(q, k, out):
    n = q.shape[0]
    for i in range(n):
        for j in range(i + 1):
            total = 0.0
            for c in range(q.shape[1]):
                total += q[i, c] * k[j, c]
            out[i, j] = total
        for j in range(i + 1, n):
            out[i, j] = -1e9


def cross_entropy(logits, labels):
    loss = 0.0
    for i in range(logits.shape[0]):
        top = logits[i, 0]
        for j in range(1, logits.shape[1]):
            top = max(top, logits[i, j])
        total = 0.0
        for j in range(logits.shape[1]):
            total += math.exp(logits[i, j] - top)
        loss += math.log(total) + top - logits[i, labels[i]]
    return loss / logits.shape[0]


def cross_entropy_rows_as_arrays(logits, labels):
    loss = 0.0
    for i in range(logits.shape[0]):
        top = np.max(logits[i])
        loss += np.log(np.sum(np.exp(logits[i] - top))) + top - logits[i, labels[i]]
    return loss / logits.shape[0]


def gelu(x, bias, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z = x[i, j] + bias[j]
            y[i, j] = 0.5 * z * (1.0 + math.tanh(0.7978845608 * (z + 0.044715 * z * z * z)))


def gelu_numpy(x, bias, y):
    z = x + bias
    y[:, :] = 0.5 * z * (1.0 + np.tanh(0.7978845608 * (z + 0.044715 * z * z * z)))


def gelu_whole(xp, x, bias, y):
    z = x + bias
    return 0.5 * z * (1.0 + xp.tanh(0.7978845608 * (z + 0.044715 * z * z * z)))


def rotate_pairs(x, angles, y):
    half = x.shape[2] // 2
    for t in range(x.shape[0]):
        for h in range(x.shape[1]):
            for d in range(half):
                c = math.cos(angles[t, d])
                s = math.sin(angles[t, d])
                y[t, h, d] = x[t, h, d] * c - x[t, h, d + half] * s
                y[t, h, d + half] = x[t, h, d] * s + x[t, h, d + half] * c


def rotate_pairs_by_test(x, angles, y):
    half = x.shape[2] // 2
    for t in range(x.shape[0]):
        for h in range(x.shape[1]):
            for d in range(2 * half):
                if d < half:
                    y[t, h, d] = x[t, h, d] * np.cos(angles[t, d]) - x[t, h, d + half] * np.sin(angles[t, d])
                else:
                    angle = angles[t, d - half]
                    y[t, h, d] = x[t, h, d - half] * np.sin(angle) + x[t, h, d] * np.cos(angle)


MATH = Answer.MATH
ROWS = ((5, 9), (200, 100), (2000, 1000), (65536, 4096))


def twice(n, k, b):
    return 2 * n * k * b


PROGRAMS = (
    Program("softmax", (softmax, softmax_math, softmax_rows_as_arrays),
            lambda m, n, k: (m.signed(n, k), m.zeros(n, k)), ROWS, twice, lambda n, k: 18 * n * k, answer=MATH,
            whole=softmax_whole),
    Program("softmax_columns", (softmax_columns, softmax_columns_by_rows),
            lambda m, n, k: (m.signed(n, k), m.zeros(n, k)), ROWS, twice, lambda n, k: 18 * n * k, parallel=("j",),
            answer=MATH, whole=softmax_columns_whole),
    Program("layer_norm", (layer_norm, layer_norm_rows_as_arrays),
            lambda m, n, k: (m.random(n, k), m.random(k), m.random(k), m.zeros(n, k)), ROWS, twice,
            lambda n, k: 8 * n * k, answer=MATH, whole=layer_norm_whole),
    Program("rms_norm", (rms_norm, rms_norm_numpy_root), lambda m, n, k: (m.random(n, k), m.random(k), m.zeros(n, k)),
            ROWS, twice, lambda n, k: 4 * n * k, answer=MATH),
    Program("batch_norm", (batch_norm, batch_norm_flat), lambda m, n, c, s: (m.random(n, c, s), m.zeros(n, c, s)),
            ((3, 2, 9), (8, 8, 100), (16, 32, 3136), (64, 256, 3136)), lambda n, c, s, b: 2 * n * c * s * b,
            lambda n, c, s: 5 * n * c * s, parallel=("k",), answer=MATH),
    Program("attention", (attention, attention_three_nests),
            lambda m, n, d: (m.signed(n, d), m.signed(n, d), m.signed(n, d), m.zeros(n, d), m.zeros(n, n)),
            ((6, 3), (128, 32), (1024, 64), (8192, 64)), lambda n, d, b: 4 * n * d * b,
            lambda n, d: 4 * n * n * d + 18 * n * n, answer=MATH, whole=attention_whole, outputs=(3,)),
    Program("causal_scores", (causal_scores, causal_scores_by_bounds),
            lambda m, n, d: (m.signed(n, d), m.signed(n, d), m.zeros(n, n)),
            ((6, 3), (128, 32), (1024, 64), (8192, 64)), lambda n, d, b: (n * n + 2 * n * d) * b,
            lambda n, d: n * n * d, answer=Answer.SUMS),
    Program("cross_entropy", (cross_entropy, cross_entropy_rows_as_arrays),
            lambda m, n, k: (m.signed(n, k), m.below(k, n)), ROWS, lambda n, k, b: n * k * b, lambda n, k: 16 * n * k,
            answer=MATH),
    Program("gelu", (gelu, gelu_numpy), lambda m, n, k: (m.signed(n, k), m.signed(k), m.zeros(n, k)), ROWS, twice,
            lambda n, k: 25 * n * k, answer=MATH, whole=gelu_whole),
    Program("rotate_pairs", (rotate_pairs, rotate_pairs_by_test),
            lambda m, t, h: (m.signed(t, h, 64), m.random(t, 32), m.zeros(t, h, 64)),
            ((3, 2), (100, 4), (2048, 12), (32768, 32)), lambda t, h, b: 128 * t * h * b, lambda t, h: 96 * t * h,
            parallel=("t",), answer=MATH),
)  # fmt: skip
