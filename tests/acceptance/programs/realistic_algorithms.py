"""Programs that people write: sorting, transforms, graphs, strings, statistics."""

import math

import numpy as np

from ..inputs import each_matrix, each_size, signed
from ..registry import program


@program(
    verdicts={
        "i": ("checked", "parallel"),
        "length": ("sequential", "reduction", "scan"),
        "start": ("parallel", "checked"),
        "k": "parallel",
    },
    args=lambda rng: [
        (signed(rng, 1 << p) + 1j * signed(rng, 1 << p), np.zeros(1 << p, np.complex128), p) for p in (6, 0, 1, 4)
    ],
    tolerance=1 << 20,
)
def fourier_transform(x, y, bits):
    n = len(x)
    for i in range(n):
        place = 0
        rest = i
        for length in range(bits):
            place = place * 2 + rest % 2
            rest = rest // 2
        y[place] = x[i]
    half = 1
    while half < n:
        for start in range(0, n, 2 * half):
            for k in range(half):
                angle = -math.pi * k / half
                turned = y[start + k + half] * complex(math.cos(angle), math.sin(angle))
                upper = y[start + k]
                y[start + k] = upper + turned
                y[start + k + half] = upper - turned
        half *= 2


@program(
    verdicts={"phase": "sequential", "i": "parallel"},
    args=lambda rng: [(rng.random(n),) for n in (60, 0, 1, 2, 33)],
)
def odd_even_sort(a):
    n = len(a)
    for phase in range(n):
        for i in range(phase % 2, n - 1, 2):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]


@program(
    verdicts={"i": "sequential"},
    args=lambda rng: [(rng.integers(0, 99, n),) for n in (50, 0, 1, 2)],
)
def insertion_sort(a):
    for i in range(1, len(a)):
        value = a[i]
        j = i - 1
        while j >= 0 and a[j] > value:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = value


@program(
    verdicts={"i": "sequential", "j": ("reduction", "sequential")},
    args=lambda rng: [(rng.integers(0, 99, n),) for n in (50, 0, 1, 2)],
)
def selection_sort(a):
    n = len(a)
    for i in range(n - 1):
        least = i
        for j in range(i + 1, n):
            if a[j] < a[least]:
                least = j
        a[i], a[least] = a[least], a[i]


@program(
    verdicts={"i@1": "reduction", "v": "scan", "i@2": ("compaction", "scan", "checked", "sequential")},
    args=each_size(lambda rng, n: (rng.integers(0, 16, n), np.zeros(n, np.int64))),
)
def counting_sort(x, out):
    start = np.zeros(17, np.int64)
    for i in range(len(x)):
        start[x[i] + 1] += 1
    for v in range(16):
        start[v + 1] += start[v]
    for i in range(len(x)):
        out[start[x[i]]] = x[i]
        start[x[i]] += 1


@program(
    verdicts={"k": "sequential", "i": ("sequential", "parallel"), "j": ("sequential", "parallel")},
    args=lambda rng: [(rng.integers(1, 100, (n, n)),) for n in (14, 0, 1, 3)],
)
def shortest_paths(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through


@program(
    verdicts={"i": "sequential", "j": ("sequential", "scan")},
    args=lambda rng: [
        (rng.integers(0, 4, n), rng.integers(0, 4, m), np.zeros((n + 1, m + 1), np.int64))
        for n, m in ((20, 25), (0, 3), (3, 0), (1, 1))
    ],
)
def longest_common_subsequence(x, y, length):
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            if x[i - 1] == y[j - 1]:
                length[i, j] = length[i - 1, j - 1] + 1
            else:
                length[i, j] = max(length[i - 1, j], length[i, j - 1])
    return length[len(x), len(y)]


@program(
    verdicts={"k": "sequential", "i": "parallel", "j": "parallel"},
    args=each_matrix(lambda rng, n: (rng.random((n, n)) + 10.0 * np.eye(n),), (14, 0, 1, 4)),
)
def lu_factors(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - a[i, k] * a[k, j]


@program(
    verdicts={"j": "sequential", "i": "parallel", "k": "reduction"},
    args=each_matrix(lambda rng, n: (np.ones((n, n)) + n * np.eye(n), np.zeros((n, n))), (12, 0, 1, 4)),
    tolerance="reduction",
)
def cholesky_factor(a, lower):
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= lower[j, k] * lower[j, k]
        lower[j, j] = np.sqrt(s)
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s -= lower[i, k] * lower[j, k]
            lower[i, j] = s / lower[j, j]


@program(
    verdicts={"i": "parallel", "k": "reduction"},
    args=lambda rng: [
        (rng.random((n, 2)), rng.random((k, 2)), np.zeros(n, np.int64)) for n, k in ((80, 5), (0, 3), (7, 1))
    ],
)
def nearest_centres(points, centres, label):
    for i in range(points.shape[0]):
        best = 1e30
        place = 0
        for k in range(centres.shape[0]):
            dx = points[i, 0] - centres[k, 0]
            dy = points[i, 1] - centres[k, 1]
            distance = dx * dx + dy * dy
            if distance < best:
                best = distance
                place = k
        label[i] = place


@program(
    verdicts={"p": ("sequential", "search"), "k": "parallel"},
    args=lambda rng: [(np.ones(n, np.bool_),) for n in (200, 0, 1, 2, 30)],
)
def sieve(prime):
    n = len(prime)
    for p in range(2, n):
        if p * p >= n:
            break
        if prime[p]:
            for k in range(p * p, n, p):
                prime[k] = False


@program(
    verdicts={"i": "parallel", "j": "parallel"},
    args=each_size(lambda rng, n: (signed(rng, n, 2), np.zeros((n, n))), (24, 0, 1, 5)),
)
def pairwise_distances(points, out):
    for i in range(points.shape[0]):
        for j in range(i, points.shape[0]):
            dx = points[i, 0] - points[j, 0]
            dy = points[i, 1] - points[j, 1]
            out[i, j] = np.sqrt(dx * dx + dy * dy)
            out[j, i] = out[i, j]


@program(
    verdicts={"i": ("reduction", "scan"), "k": "parallel"},
    args=lambda rng: [(rng.random(n), np.zeros(8, np.int64)) for n in (300, 0, 1)],
)
def histogram_of_floats(x, count):
    for k in range(8):
        count[k] = 0
    for i in range(len(x)):
        bin = min(int(x[i] * 8.0), 7)
        count[bin] += 1


@program(
    verdicts={"i": ("reduction", "scan", "sequential")},
    args=each_size(lambda rng, n: (rng.integers(0, 256, n, np.uint8),)),
)
def checksum(data):
    low = 1
    high = 0
    for i in range(len(data)):
        low = (low + int(data[i])) % 65521
        high = (high + low) % 65521
    return high * 65536 + low


@program(
    verdicts={"i": "sequential"},
    args=each_size(lambda rng, n: (rng.integers(0, 256, n, np.uint8),)),
)
def hash_of_bytes(data):
    state = np.uint32(2166136261)
    for i in range(len(data)):
        state ^= np.uint32(data[i])
        state *= np.uint32(16777619)
    return state


@program(
    verdicts={"i": "parallel", "k": "search"},
    args=lambda rng: [
        (rng.integers(0, 2, 200), rng.integers(0, 2, m), np.zeros(200 - m + 1, np.bool_)) for m in (4, 1, 200)
    ],
)
def occurrences(text, word, out):
    m = len(word)
    for i in range(len(out)):
        same = True
        for k in range(m):
            if text[i + k] != word[k]:
                same = False
                break
        out[i] = same


@program(
    verdicts={"i": "parallel"},
    args=lambda rng: [(rng.random(100), np.zeros(100), window) for window in (3, 1, 101, 0)],
)
def median_of_three_or_copy(x, out, window):
    n = len(x)
    for i in range(n):
        if window == 3 and 0 < i < n - 1:
            a = x[i - 1]
            b = x[i]
            c = x[i + 1]
            out[i] = max(min(a, b), min(max(a, b), c))
        else:
            out[i] = x[i]


@program(
    verdicts={"t": "sequential", "i": "parallel", "k": "reduction"},
    args=lambda rng: [(*ring(n), np.full(n, 1.0 / max(n, 1)), np.zeros(n), 5) for n in (30, 1)],
    tolerance="reduction",
)
def page_rank(start, source, degree, rank, new, steps):
    n = len(rank)
    for t in range(steps):
        for i in range(n):
            s = 0.0
            for k in range(start[i], start[i + 1]):
                s += rank[source[k]] / degree[source[k]]
            new[i] = 0.15 / n + 0.85 * s
        rank, new = new, rank
    return rank


def ring(n):
    """Every node is linked from the two before it."""
    sources = np.array([(i - back) % n for i in range(n) for back in (1, 2)], np.int64)
    return np.arange(0, 2 * n + 1, 2), sources, np.full(n, 2.0)
