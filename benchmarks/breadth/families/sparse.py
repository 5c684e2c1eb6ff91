"""Sparse matrices in CSR, CSC, COO, ELL and BSR; graphs."""

from __future__ import annotations

import numpy as np

from benchmarks.breadth.program import Answer, Program


def csr(starts, columns, values, x, y):
    for i in range(len(y)):
        total = 0.0
        for p in range(starts[i], starts[i + 1]):
            total += values[p] * x[columns[p]]
        y[i] = total


def csr_in_place(starts, columns, values, x, y):
    for i in range(len(y)):
        y[i] = 0.0
        first = starts[i]
        for k in range(starts[i + 1] - first):
            y[i] += values[first + k] * x[columns[first + k]]


def csc(starts, rows, values, x, y):
    for i in range(len(y)):
        y[i] = 0.0
    for j in range(len(x)):
        for p in range(starts[j], starts[j + 1]):
            y[rows[p]] += values[p] * x[j]


def csc_by_name(starts, rows, values, x, y):
    y[:] = 0.0
    for j in range(len(x)):
        factor = x[j]
        for p in range(starts[j], starts[j + 1]):
            i = rows[p]
            y[i] = y[i] + values[p] * factor


def coo(rows, columns, values, x, y):
    for i in range(len(y)):
        y[i] = 0.0
    for p in range(len(values)):
        y[rows[p]] += values[p] * x[columns[p]]


def coo_by_name(rows, columns, values, x, y):
    y[:] = 0.0
    for p in range(len(values)):
        i = rows[p]
        j = columns[p]
        y[i] += values[p] * x[j]


def ell(columns, values, x, y):
    for i in range(values.shape[0]):
        total = 0.0
        for k in range(values.shape[1]):
            if columns[i, k] >= 0:
                total += values[i, k] * x[columns[i, k]]
        y[i] = total


def ell_until(columns, values, x, y):
    for i in range(values.shape[0]):
        total = 0.0
        for k in range(values.shape[1]):
            j = columns[i, k]
            if j < 0:
                break
            total += values[i, k] * x[j]
        y[i] = total


def bsr(starts, columns, blocks, x, y):
    s = blocks.shape[1]
    for i in range(len(starts) - 1):
        for a in range(s):
            total = 0.0
            for p in range(starts[i], starts[i + 1]):
                for b in range(s):
                    total += blocks[p, a, b] * x[columns[p] * s + b]
            y[i * s + a] = total


def bsr_blocks_outside(starts, columns, blocks, x, y):
    s = blocks.shape[1]
    for i in range(len(starts) - 1):
        for a in range(s):
            y[s * i + a] = 0.0
        for p in range(starts[i], starts[i + 1]):
            j = s * columns[p]
            for a in range(s):
                for b in range(s):
                    y[s * i + a] += blocks[p, a, b] * x[j + b]


def csr_matrix(starts, columns, values, x, y):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for p in range(starts[i], starts[i + 1]):
                total += values[p] * x[columns[p], j]
            y[i, j] = total


def csr_matrix_in_place(starts, columns, values, x, y):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] = 0.0
        for p in range(starts[i], starts[i + 1]):
            for j in range(y.shape[1]):
                y[i, j] += values[p] * x[columns[p], j]


def sampled(starts, columns, a, b, out):
    for i in range(len(starts) - 1):
        for p in range(starts[i], starts[i + 1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[columns[p], k]
            out[p] = total


def sampled_by_rows(starts, columns, a, b, out):
    for i in range(len(starts) - 1):
        row = a[i]
        for p in range(starts[i], starts[i + 1]):
            other = b[columns[p]]
            out[p] = 0.0
            for k in range(a.shape[1]):
                out[p] += row[k] * other[k]


def page_rank(starts, sources, degrees, rank, after, steps):
    n = len(rank)
    for t in range(steps):
        for i in range(n):
            total = 0.0
            for p in range(starts[i], starts[i + 1]):
                total += rank[sources[p]] / degrees[sources[p]]
            after[i] = 0.15 / n + 0.85 * total
        rank, after = after, rank
    return rank


def page_rank_share_first(starts, sources, degrees, rank, after, steps):
    n = len(rank)
    share = np.empty(n, rank.dtype)
    for t in range(steps):
        for i in range(n):
            share[i] = rank[i] / degrees[i]
        for i in range(n):
            total = 0.0
            for p in range(starts[i], starts[i + 1]):
                total += share[sources[p]]
            rank[i] = 0.15 / n + 0.85 * total
    return rank


def breadth_first(starts, targets, level, steps):
    for depth in range(steps):
        for i in range(len(level)):
            if level[i] == depth:
                for p in range(starts[i], starts[i + 1]):
                    if level[targets[p]] < 0:
                        level[targets[p]] = depth + 1


def breadth_first_pulled(starts, targets, level, steps):
    for depth in range(steps):
        for i in range(len(level)):
            if level[i] != depth:
                continue
            for p in range(starts[i], starts[i + 1]):
                neighbour = targets[p]
                level[neighbour] = depth + 1 if level[neighbour] == -1 else level[neighbour]


def relax(sources, targets, weights, distance, rounds):
    for t in range(rounds):
        for e in range(len(weights)):
            distance[targets[e]] = min(distance[targets[e]], distance[sources[e]] + weights[e])


def relax_by_if(sources, targets, weights, distance, rounds):
    for t in range(rounds):
        for e in range(len(weights)):
            there = distance[sources[e]] + weights[e]
            if there < distance[targets[e]]:
                distance[targets[e]] = there


def triangles(starts, columns, out):
    for i in range(len(starts) - 1):
        found = 0
        for p in range(starts[i], starts[i + 1]):
            j = columns[p]
            a = starts[i]
            b = starts[j]
            while a < starts[i + 1] and b < starts[j + 1]:
                if columns[a] == columns[b]:
                    found += 1
                    a += 1
                    b += 1
                elif columns[a] < columns[b]:
                    a += 1
                else:
                    b += 1
        out[i] = found


def triangles_by_steps(starts, columns, out):
    for i in range(len(starts) - 1):
        found = 0
        for p in range(starts[i], starts[i + 1]):
            j = columns[p]
            b = starts[j]
            end = starts[j + 1]
            for a in range(starts[i], starts[i + 1]):
                while b < end and columns[b] < columns[a]:
                    b += 1
                if b < end and columns[b] == columns[a]:
                    found += 1
                    b += 1
        out[i] = found


def gather_means(starts, neighbours, x, y):
    for i in range(y.shape[0]):
        n = starts[i + 1] - starts[i]
        for f in range(x.shape[1]):
            total = 0.0
            for p in range(starts[i], starts[i + 1]):
                total += x[neighbours[p], f]
            y[i, f] = total / max(n, 1)


def gather_means_edges_outside(starts, neighbours, x, y):
    for i in range(y.shape[0]):
        for f in range(x.shape[1]):
            y[i, f] = 0.0
        for p in range(starts[i], starts[i + 1]):
            for f in range(x.shape[1]):
                y[i, f] += x[neighbours[p], f]
        for f in range(x.shape[1]):
            y[i, f] /= max(starts[i + 1] - starts[i], 1)


def ends(m, n, k):
    starts = np.zeros(n + 1, np.int64)
    starts[1:] = np.cumsum(m.below(2 * k, n))
    return starts


def rows_of(m, n, k):
    starts = ends(m, n, k)
    return starts, m.below(n, starts[-1])


def sparse_matrix(m, n, k):
    starts, columns = rows_of(m, n, k)
    return starts, columns, m.random(len(columns)), m.random(n), m.zeros(n)


def entries(m, n, k):
    return m.below(n, n * k), m.below(n, n * k), m.random(n * k), m.random(n), m.zeros(n)


def padded_rows(m, n, k):
    columns = m.below(n, n, k)
    columns[np.arange(k)[None, :] >= m.below(k + 1, n)[:, None]] = -1
    return columns, m.random(n, k), m.random(n), m.zeros(n)


def rows_values(m, n, k):
    starts, columns = rows_of(m, n, k)
    return starts, columns, m.random(len(columns))


def sampled_arguments(m, n, k):
    starts, columns = rows_of(m, n, k)
    return starts, columns, m.random(n, 32), m.random(n, 32), m.zeros(len(columns))


def blocks(m, n, k):
    starts, columns = rows_of(m, n, k)
    return starts, columns, m.random(len(columns), 4, 4), m.random(4 * n), m.zeros(4 * n)


def levels(m, n, k, steps):
    level = np.full(n, -1)
    level[0] = 0
    return *rows_of(m, n, k), level, steps


def sorted_rows(m, n, k):
    starts, columns = rows_of(m, n, k)
    for i in range(n):
        columns[starts[i] : starts[i + 1]].sort()
    return starts, columns, m.below(1, n)


def far(m, n, k, rounds):
    distance = m.zeros(n) + 1000
    distance[0] = 0
    return m.below(n, n * k), m.below(n, n * k), m.random(n * k), distance, rounds


def entry_bytes(n, k, b):
    return n * k * (8 + b) + n * (8 + 2 * b)


def two(n, k):
    return 2 * n * k


SUMS = Answer.SUMS
ROWS = ((9, 3), (2000, 8), (200_000, 16), (4 * 10**6, 32))

PROGRAMS = (
    Program("csr", (csr, csr_in_place), sparse_matrix, ROWS, entry_bytes, two, answer=SUMS),
    Program("csc", (csc, csc_by_name), sparse_matrix, ROWS, entry_bytes, two, parallel=(), answer=SUMS),
    Program("coo", (coo, coo_by_name), entries, ROWS, lambda n, k, b: n * k * (16 + b) + 2 * n * b, two, parallel=(),
            answer=SUMS),
    Program("ell", (ell, ell_until), padded_rows, ROWS, entry_bytes, lambda n, k: n * k, answer=SUMS),
    Program("bsr", (bsr, bsr_blocks_outside), blocks, ((5, 2), (500, 8), (30000, 8), (10**6, 16)),
            lambda n, k, b: n * k * (8 + 16 * b) + 8 * n * b, lambda n, k: 32 * n * k, answer=SUMS),
    Program("csr_times_matrix", (csr_matrix, csr_matrix_in_place),
            lambda m, n, k: (*rows_values(m, n, k), m.random(n, 16), m.zeros(n, 16)),
            ((6, 3), (1000, 8), (50000, 12), (10**6, 32)), lambda n, k, b: n * k * (8 + b) + 32 * n * b,
            lambda n, k: 32 * n * k, answer=SUMS),
    Program("sampled_product", (sampled, sampled_by_rows), sampled_arguments,
            ((6, 3), (1000, 8), (50000, 10), (10**6, 32)), lambda n, k, b: n * k * (8 + b) + 64 * n * b,
            lambda n, k: 64 * n * k, answer=SUMS),
    Program("page_rank", (page_rank, page_rank_share_first),
            lambda m, n, k, t: (*rows_of(m, n, k), 1 + m.below(2 * k, n), m.random(n), m.zeros(n), t),
            ((9, 3, 2), (2000, 8, 5), (200_000, 8, 3), (4 * 10**6, 16, 10)),
            lambda n, k, t, b: t * (8 * n * k + n * (8 + 2 * b)), lambda n, k, t: 2 * n * k * t, answer=Answer.MATH),
    Program("breadth_first", (breadth_first, breadth_first_pulled), levels,
            ((12, 3, 3), (2000, 4, 8), (200_000, 8, 6), (4 * 10**6, 8, 8)),
            lambda n, k, t, b: 8 * n * k + 8 * n * t, lambda n, k, t: n * k + n * t, parallel=(), dtypes=("float64",),
            outputs=(2,), restore=True),
    Program("relax_edges", (relax, relax_by_if), far,
            ((9, 3, 2), (1000, 8, 3), (100_000, 8, 3), (4 * 10**6, 16, 5)),
            lambda n, k, t, b: t * n * k * (16 + b), lambda n, k, t: 2 * n * k * t, parallel=(), outputs=(3,),
            restore=True),
    Program("triangles", (triangles, triangles_by_steps), sorted_rows, ((9, 3), (500, 8), (20000, 12), (10**6, 16)),
            lambda n, k, b: 8 * n * k + 16 * n, lambda n, k: 4 * n * k * k, dtypes=("float64",)),
    Program("graph_means", (gather_means, gather_means_edges_outside),
            lambda m, n, k: (*rows_of(m, n, k), m.random(n, 32), m.zeros(n, 32)),
            ((6, 3), (1000, 8), (40000, 10), (10**6, 16)), lambda n, k, b: 8 * n * k + 64 * n * b,
            lambda n, k: 32 * n * k, answer=Answer.MATH),
)  # fmt: skip
