"""FFT, other transforms, and sorting, stage by stage."""

from __future__ import annotations

import math

from benchmarks.breadth.program import Answer, Program


def fft_stage(re, im, wr, wi, half):
    n = len(re)
    for block in range(0, n, 2 * half):
        for k in range(half):
            a = block + k
            b = a + half
            w = k * (n // (2 * half))
            tr = wr[w] * re[b] - wi[w] * im[b]
            ti = wr[w] * im[b] + wi[w] * re[b]
            re[b] = re[a] - tr
            im[b] = im[a] - ti
            re[a] += tr
            im[a] += ti


def fft_stage_flat(re, im, wr, wi, half):
    n = len(re)
    for p in range(n // 2):
        k = p % half
        a = p // half * 2 * half + k
        b = a + half
        w = k * (n // (2 * half))
        tr = wr[w] * re[b] - wi[w] * im[b]
        ti = wr[w] * im[b] + wi[w] * re[b]
        re[b] = re[a] - tr
        im[b] = im[a] - ti
        re[a] = re[a] + tr
        im[a] = im[a] + ti


def fft_stages(re, im, wr, wi, half):
    n = len(re)
    size = half
    while size >= 1:
        for p in range(n // 2):
            k = p % size
            a = p // size * 2 * size + k
            b = a + size
            w = k * (n // (2 * size))
            tr = re[a] - re[b]
            ti = im[a] - im[b]
            re[a] += re[b]
            im[a] += im[b]
            re[b] = wr[w] * tr - wi[w] * ti
            im[b] = wr[w] * ti + wi[w] * tr
        size //= 2


def fft_stages_two_loops(re, im, wr, wi, half):
    n = len(re)
    size = half
    while size >= 1:
        for block in range(n // (2 * size)):
            for k in range(size):
                a = 2 * size * block + k
                b = a + size
                w = k * (n // (2 * size))
                tr = re[a] - re[b]
                ti = im[a] - im[b]
                re[a] = re[a] + re[b]
                im[a] = im[a] + im[b]
                re[b] = wr[w] * tr - wi[w] * ti
                im[b] = wr[w] * ti + wi[w] * tr
        size //= 2


def hadamard(x, half):
    n = x.shape[1]
    for i in range(x.shape[0]):
        for block in range(0, n, 2 * half):
            for k in range(half):
                a = x[i, block + k]
                b = x[i, block + k + half]
                x[i, block + k] = a + b
                x[i, block + k + half] = a - b


def hadamard_flat(x, half):
    for i in range(x.shape[0]):
        for p in range(x.shape[1] // 2):
            left = p // half * (2 * half) + p % half
            right = left + half
            a, b = x[i, left], x[i, right]
            x[i, left], x[i, right] = a + b, a - b


def haar(x, low, high):
    for i in range(low.shape[0]):
        for j in range(low.shape[1]):
            low[i, j] = 0.5 * (x[i, 2 * j] + x[i, 2 * j + 1])
            high[i, j] = 0.5 * (x[i, 2 * j] - x[i, 2 * j + 1])


def haar_by_step(x, low, high):
    for i in range(x.shape[0]):
        for j in range(0, x.shape[1], 2):
            low[i, j // 2] = 0.5 * (x[i, j] + x[i, j + 1])
            high[i, j // 2] = 0.5 * (x[i, j] - x[i, j + 1])


def cosine_blocks(x, basis, y):
    for p in range(x.shape[0] // 8):
        for q in range(x.shape[1] // 8):
            for u in range(8):
                for v in range(8):
                    total = 0.0
                    for a in range(8):
                        row = 0.0
                        for b in range(8):
                            row += basis[v, b] * x[8 * p + a, 8 * q + b]
                        total += basis[u, a] * row
                    y[8 * p + u, 8 * q + v] = total


def cosine_blocks_flat(x, basis, y):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            p = i // 8 * 8
            q = j // 8 * 8
            total = 0.0
            for a in range(8):
                row = 0.0
                for b in range(8):
                    row += basis[j % 8, b] * x[p + a, q + b]
                total += basis[i % 8, a] * row
            y[i, j] = total


def dft(re, im, out_re, out_im):
    n = len(re)
    for k in range(n):
        a = 0.0
        b = 0.0
        for t in range(n):
            angle = 6.283185307179586 * ((k * t) % n) / n
            c = math.cos(angle)
            s = math.sin(angle)
            a += re[t] * c + im[t] * s
            b += im[t] * c - re[t] * s
        out_re[k] = a
        out_im[k] = b


def dft_carried_place(re, im, out_re, out_im):
    n = len(re)
    for k in range(n):
        a = 0.0
        b = 0.0
        place = 0
        for t in range(n):
            angle = 6.283185307179586 * place / n
            a += re[t] * math.cos(angle) + im[t] * math.sin(angle)
            b += im[t] * math.cos(angle) - re[t] * math.sin(angle)
            place += k
            if place >= n:
                place -= n
        out_re[k] = a
        out_im[k] = b


def bitonic(x, size, gap):
    for i in range(len(x)):
        other = i ^ gap
        if other > i:
            if (x[i] > x[other]) == (i & size == 0):
                x[i], x[other] = x[other], x[i]


def bitonic_pairs(x, size, gap):
    for p in range(len(x) // 2):
        i = p // gap * (2 * gap) + p % gap
        other = i + gap
        low = min(x[i], x[other])
        high = max(x[i], x[other])
        if i & size == 0:
            x[i] = low
            x[other] = high
        else:
            x[i] = high
            x[other] = low


def odd_even(x, steps):
    for t in range(steps):
        for i in range(t % 2, len(x) - 1, 2):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]


def odd_even_counted(x, steps):
    n = len(x)
    for t in range(steps):
        odd = t % 2
        for k in range((n - odd) // 2):
            a = x[2 * k + odd]
            b = x[2 * k + odd + 1]
            x[2 * k + odd] = min(a, b)
            x[2 * k + odd + 1] = max(a, b)


def sort_rows(x):
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            value = x[i, j]
            k = j
            while k > 0 and x[i, k - 1] > value:
                x[i, k] = x[i, k - 1]
                k -= 1
            x[i, k] = value


def sort_rows_by_swaps(x):
    n = x.shape[1]
    for i in range(x.shape[0]):
        for t in range(n):
            for j in range(t % 2, n - 1, 2):
                if x[i, j + 1] < x[i, j]:
                    x[i, j], x[i, j + 1] = x[i, j + 1], x[i, j]


def ranks(x, out):
    n = len(x)
    for i in range(n):
        rank = 0
        for j in range(n):
            if x[j] < x[i] or (x[j] == x[i] and j < i):
                rank += 1
        out[rank] = x[i]


def ranks_two_loops(x, out):
    n = len(x)
    for i in range(n):
        rank = 0
        for j in range(i):
            rank += x[j] <= x[i]
        for j in range(i, n):
            rank += x[j] < x[i]
        out[rank] = x[i]


def digit_pass(keys, out, counts, shift):
    for i in range(len(keys)):
        counts[(keys[i] >> shift) & 255] += 1
    total = 0
    for d in range(256):
        here = counts[d]
        counts[d] = total
        total += here
    for i in range(len(keys)):
        d = (keys[i] >> shift) & 255
        out[counts[d]] = keys[i]
        counts[d] += 1


def digit_pass_by_division(keys, out, counts, shift):
    scale = 1 << shift
    for key in keys:
        counts[key // scale % 256] += 1
    for d in range(1, 256):
        counts[d] += counts[d - 1]
    for i in range(len(keys) - 1, -1, -1):
        d = keys[i] // scale % 256
        counts[d] -= 1
        out[counts[d]] = keys[i]


def searches(table, x, places):
    for i in range(len(x)):
        low = 0
        high = len(table)
        while low < high:
            middle = (low + high) // 2
            if table[middle] < x[i]:
                low = middle + 1
            else:
                high = middle
        places[i] = low


def searches_by_steps(table, x, places):
    n = len(table)
    for i in range(len(x)):
        place = 0
        length = n
        while length > 0:
            half = length >> 1
            if table[place + half] < x[i]:
                place += half + 1
                length -= half + 1
            else:
                length = half
        places[i] = place


def complex_line(m, n):
    import numpy as np

    angles = -2 * np.pi * np.arange(n // 2) / n
    return m.signed(n), m.signed(n), np.cos(angles).astype(m.dtype), np.sin(angles).astype(m.dtype), n // 4


def cosine_basis(m, n):
    import numpy as np

    k, j = np.meshgrid(np.arange(8), np.arange(8), indexing="ij")
    return m.random(n, n), np.cos(np.pi * k * (2 * j + 1) / 16).astype(m.dtype), m.zeros(n, n)


def sorted_table(m, n, k):
    table = m.random(n)
    table.sort()
    return table, m.random(k), m.below(1, k)


LINES = (16, 1024, 1 << 20, 1 << 27)
MATH = Answer.MATH

PROGRAMS = (
    Program("fft_stage", (fft_stage, fft_stage_flat), complex_line, LINES, lambda n, b: 5 * n * b, lambda n: 5 * n,
            parallel=(), outputs=(0, 1), restore=True),
    Program("fft_stages", (fft_stages, fft_stages_two_loops), lambda m, n: (*complex_line(m, n)[:4], n // 2),
            (16, 1024, 1 << 18, 1 << 24), lambda n, b: 5 * n * b, lambda n: 5 * n * math.log2(n), parallel=("p",),
            outputs=(0, 1), restore=True),
    Program("hadamard", (hadamard, hadamard_flat), lambda m, n, k: (m.signed(n, k), k // 4),
            ((3, 8), (100, 256), (1000, 4096), (16384, 16384)), lambda n, k, b: 2 * n * k * b, lambda n, k: n * k,
            outputs=(0,), restore=True),
    Program("haar", (haar, haar_by_step),
            lambda m, n: (m.random(n, 2 * n), m.zeros(n, n), m.zeros(n, n)), (7, 200, 1500, 10000),
            lambda n, b: 4 * n * n * b, lambda n: 4 * n * n, outputs=(1, 2)),
    Program("cosine_blocks", (cosine_blocks, cosine_blocks_flat), cosine_basis, (8, 64, 512, 8192),
            lambda n, b: 2 * n * n * b, lambda n: 144 * n * n, parallel=("p",), answer=MATH),
    Program("dft", (dft, dft_carried_place), lambda m, n: (m.signed(n), m.signed(n), m.zeros(n), m.zeros(n)),
            (12, 128, 1500, 16384), lambda n, b: 4 * n * b, lambda n: 40 * n * n, parallel=("k",), answer=MATH,
            outputs=(2, 3)),
    Program("bitonic_stage", (bitonic, bitonic_pairs), lambda m, n: (m.random(n), n // 2, n // 8), LINES,
            lambda n, b: 2 * n * b, lambda n: n, parallel=(), outputs=(0,), restore=True),
    Program("odd_even", (odd_even, odd_even_counted), lambda m, n, t: (m.random(n), t),
            ((20, 5), (1000, 100), (10**6, 10), (10**8, 10)), lambda n, t, b: 2 * n * t * b, lambda n, t: n * t / 2,
            parallel=(), outputs=(0,), restore=True),
    Program("sort_rows", (sort_rows, sort_rows_by_swaps), lambda m, n, k: (m.random(n, k),),
            ((5, 8), (100, 32), (20000, 48), (10**6, 64)), lambda n, k, b: 2 * n * k * b, lambda n, k: n * k * k / 4,
            restore=True),
    Program("ranks", (ranks, ranks_two_loops), lambda m, n: (m.random(n), m.zeros(n)), (20, 500, 5000, 65536),
            lambda n, b: 2 * n * b, lambda n: n * n),
    Program("digit_pass", (digit_pass, digit_pass_by_division),
            lambda m, n: (m.below(1 << 30, n), m.below(1, n), m.below(1, 256), 8), (60, 10**4, 2 * 10**6, 10**8),
            lambda n, b: 24 * n, lambda n: 6 * n, parallel=(), dtypes=("float64",), outputs=(1,), restore=True),
    Program("searches", (searches, searches_by_steps), sorted_table,
            ((20, 15), (10**4, 10**4), (10**6, 500_000), (10**7, 10**8)), lambda n, k, b: (n + k) * b + 8 * k,
            lambda n, k: 3 * k * math.log2(n)),
)  # fmt: skip
