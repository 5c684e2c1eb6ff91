"""Dynamic programming, by wavefronts and by rows."""

from __future__ import annotations

from benchmarks.breadth.program import Program


def edit_distance(a, b, d):
    n, m = len(a), len(b)
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        d[i, 0] = i
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)


def edit_distance_diagonals(a, b, d):
    n, m = len(a), len(b)
    for j in range(m + 1):
        d[0, j] = j
    for i in range(n + 1):
        d[i, 0] = i
    for s in range(2, n + m + 1):
        for i in range(max(1, s - m), min(n, s - 1) + 1):
            j = s - i
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(min(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + cost)


def local_alignment(a, b, h):
    best = 0
    for i in range(1, h.shape[0]):
        for j in range(1, h.shape[1]):
            match = h[i - 1, j - 1] + (3 if a[i - 1] == b[j - 1] else -3)
            h[i, j] = max(0, match, h[i - 1, j] - 2, h[i, j - 1] - 2)
            best = max(best, h[i, j])
    return best


def local_alignment_from_zero(a, b, h):
    best = 0
    for i in range(len(a)):
        for j in range(len(b)):
            score = h[i, j] - 3
            if a[i] == b[j]:
                score = h[i, j] + 3
            if h[i, j + 1] - 2 > score:
                score = h[i, j + 1] - 2
            if h[i + 1, j] - 2 > score:
                score = h[i + 1, j] - 2
            if score < 0:
                score = 0
            h[i + 1, j + 1] = score
            if score > best:
                best = score
    return best


def warping(x, y, d):
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            cost = abs(x[i - 1] - y[j - 1])
            d[i, j] = cost + min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[len(x), len(y)]


def warping_from_zero(x, y, d):
    for i in range(len(x)):
        for j in range(len(y)):
            best = min(d[i, j + 1], d[i + 1, j], d[i, j])
            d[i + 1, j + 1] = abs(x[i] - y[j]) + best
    return d[-1, -1]


def longest_common(a, b, table):
    for i in range(1, table.shape[0]):
        for j in range(1, table.shape[1]):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table[table.shape[0] - 1, table.shape[1] - 1]


def longest_common_two_rows(a, b, table):
    for i in range(len(a)):
        old = i % 2
        new = 1 - old
        for j in range(1, len(b) + 1):
            if a[i] == b[j - 1]:
                table[new, j] = table[old, j - 1] + 1
            else:
                table[new, j] = max(table[old, j], table[new, j - 1])
    return table[len(a) % 2, len(b)]


def knapsack(weights, values, best):
    for i in range(len(weights)):
        w = weights[i]
        for c in range(best.shape[1]):
            best[i + 1, c] = best[i, c]
            if c >= w:
                best[i + 1, c] = max(best[i, c], best[i, c - w] + values[i])
    return best[len(weights), best.shape[1] - 1]


def knapsack_two_loops(weights, values, best):
    n = len(weights)
    for i in range(1, n + 1):
        w = weights[i - 1]
        for c in range(w):
            best[i, c] = best[i - 1, c]
        for c in range(w, best.shape[1]):
            best[i, c] = max(best[i - 1, c], best[i - 1, c - w] + values[i - 1])
    return best[n, -1]


def cheapest_path(cost, total):
    n, m = cost.shape
    for j in range(m):
        total[0, j] = cost[0, j]
    for i in range(1, n):
        for j in range(m):
            best = total[i - 1, j]
            if j > 0:
                best = min(best, total[i - 1, j - 1])
            if j < m - 1:
                best = min(best, total[i - 1, j + 1])
            total[i, j] = cost[i, j] + best


def cheapest_path_clamped(cost, total):
    n, m = cost.shape
    total[0] = cost[0]
    for i in range(1, n):
        for j in range(m):
            left = max(j - 1, 0)
            right = min(j + 1, m - 1)
            total[i, j] = cost[i, j] + min(total[i - 1, j], total[i - 1, left], total[i - 1, right])


def all_paths(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])


def all_paths_by_if(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            first = d[i, k]
            for j in range(n):
                if first + d[k, j] < d[i, j]:
                    d[i, j] = first + d[k, j]


def gauss_seidel(u, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def gauss_seidel_from_zero(u, steps):
    n, m = u.shape
    for t in range(steps):
        for i in range(n - 2):
            for j in range(m - 2):
                u[i + 1, j + 1] = 0.25 * (u[i, j + 1] + u[i + 2, j + 1] + u[i + 1, j] + u[i + 1, j + 2])


def viterbi(score, emission, best, back):
    for t in range(1, emission.shape[0]):
        for s in range(score.shape[0]):
            top = best[t - 1, 0] + score[0, s]
            place = 0
            for r in range(1, score.shape[0]):
                if best[t - 1, r] + score[r, s] > top:
                    top = best[t - 1, r] + score[r, s]
                    place = r
            best[t, s] = top + emission[t, s]
            back[t, s] = place


def viterbi_states_inside(score, emission, best, back):
    states = score.shape[0]
    for t in range(1, emission.shape[0]):
        for s in range(states):
            best[t, s] = best[t - 1, 0] + score[0, s]
            back[t, s] = 0
        for r in range(1, states):
            for s in range(states):
                value = best[t - 1, r] + score[r, s]
                if value > best[t, s]:
                    best[t, s] = value
                    back[t, s] = r
        for s in range(states):
            best[t, s] += emission[t, s]


def chain_order(sizes, cost):
    n = cost.shape[0]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best = cost[i, i] + cost[i + 1, j] + sizes[i] * sizes[i + 1] * sizes[j + 1]
            for k in range(i + 1, j):
                best = min(best, cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1])
            cost[i, j] = best


def chain_order_by_if(sizes, cost):
    n = cost.shape[0]
    for j in range(1, n):
        for i in range(j - 1, -1, -1):
            best = cost[i, i] + cost[i + 1, j] + sizes[i] * sizes[i + 1] * sizes[j + 1]
            for k in range(i + 1, j):
                one = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if one < best:
                    best = one
            cost[i, j] = best


def strings(m, n):
    return m.below(4, n), m.below(4, n), m.below(1, n + 1, n + 1)


def warped(m, n):
    d = m.zeros(n + 1, n + 1) + 1000
    d[0, 0] = 0
    return m.random(n), m.random(n), d


TABLES = (10, 200, 2000, 16384)
WHOLE = ("float64",)


def table(n, b):
    return 8 * n * n


PROGRAMS = (
    Program("edit_distance", (edit_distance, edit_distance_diagonals), strings, TABLES, table, lambda n: 5 * n * n,
            parallel=(), dtypes=WHOLE),
    Program("local_alignment", (local_alignment, local_alignment_from_zero), strings, TABLES, table,
            lambda n: 7 * n * n, parallel=(), dtypes=WHOLE,
            outputs=(2,)),
    Program("warping", (warping, warping_from_zero), warped, TABLES, lambda n, b: n * n * b, lambda n: 5 * n * n,
            parallel=(),
            outputs=(2,)),
    Program("longest_common", (longest_common, longest_common_two_rows), strings, TABLES, table, lambda n: 3 * n * n,
            parallel=(), dtypes=WHOLE),
    Program("knapsack", (knapsack, knapsack_two_loops),
            lambda m, n, c: (1 + m.below(max(c // 4, 2), n), m.below(100, n), m.below(1, n + 1, c)),
            ((6, 20), (50, 1000), (200, 20000), (1000, 10**6)), lambda n, c, b: 16 * n * c, lambda n, c: 2 * n * c,
            parallel=("c",), dtypes=WHOLE,
            outputs=(2,)),
    Program("cheapest_path", (cheapest_path, cheapest_path_clamped), lambda m, n, k: (m.random(n, k), m.zeros(n, k)),
            ((6, 9), (100, 300), (1000, 4000), (4096, 65536)), lambda n, k, b: 2 * n * k * b, lambda n, k: 3 * n * k,
            parallel=("j",)),
    Program("all_paths", (all_paths, all_paths_by_if), lambda m, n: (m.random(n, n),), (8, 100, 400, 4096),
            lambda n, b: 2 * n * n * b, lambda n: 2 * n**3, restore=True),
    Program("gauss_seidel", (gauss_seidel, gauss_seidel_from_zero), lambda m, n, t: (m.random(n, n), t),
            ((8, 2), (200, 5), (1500, 4), (8192, 4)), lambda n, t, b: 2 * n * n * t * b, lambda n, t: 4 * n * n * t,
            parallel=(), outputs=(0,)),
    Program("viterbi", (viterbi, viterbi_states_inside),
            lambda m, t, s: (m.signed(s, s), m.signed(t, s), m.zeros(t, s), m.below(1, t, s)),
            ((4, 5), (50, 32), (200, 256), (1000, 1024)), lambda t, s, b: t * s * (2 * b + 8) + s * s * b,
            lambda t, s: 2 * t * s * s, parallel=("s",), outputs=(2, 3)),
    Program("chain_order", (chain_order, chain_order_by_if), lambda m, n: (1 + m.below(50, n + 1), m.below(1, n, n)),
            (9, 80, 300, 2000), lambda n, b: 8 * n * n, lambda n: n**3, parallel=("i",), dtypes=WHOLE),
)  # fmt: skip
