"""Updates by one and several keys, with ten to ten million of them, whole numbers and floats."""

from __future__ import annotations

from benchmarks.breadth.program import Answer, Program


def count(keys, counts):
    for i in range(len(keys)):
        counts[keys[i]] += 1


def count_values(keys, counts):
    for key in keys:
        counts[key] = counts[key] + 1


def count_whole(xp, keys, counts):
    return counts + xp.bincount(keys, minlength=len(counts))


def add(keys, x, sums):
    for i in range(len(keys)):
        sums[keys[i]] += x[i]


def add_by_name(keys, x, sums):
    n = keys.shape[0]
    for i in range(n):
        k = keys[i]
        value = x[i]
        sums[k] = sums[k] + value


def add_whole(xp, keys, x, sums):
    return sums + xp.bincount(keys, x, len(sums)).astype(x.dtype)


def largest(keys, x, best):
    for i in range(len(keys)):
        best[keys[i]] = max(best[keys[i]], x[i])


def largest_by_if(keys, x, best):
    for i in range(len(keys)):
        if x[i] > best[keys[i]]:
            best[keys[i]] = x[i]


def two_keys(rows, columns, table):
    for i in range(len(rows)):
        table[rows[i], columns[i]] += 1


def two_keys_flat(rows, columns, table):
    m = table.shape[1]
    flat = table.reshape(-1)
    for i in range(len(rows)):
        flat[rows[i] * m + columns[i]] += 1


def bins(x, counts, low, width):
    n = len(counts)
    for i in range(len(x)):
        b = int((x[i] - low) / width)
        if b >= 0 and b < n:
            counts[b] += 1


def bins_clipped(x, counts, low, width):
    n = len(counts)
    for i in range(len(x)):
        place = (x[i] - low) / width
        if place >= 0.0:
            if int(place) < n:
                counts[int(place)] += 1


def means(keys, x, sums, counts):
    for i in range(len(keys)):
        sums[keys[i]] += x[i]
        counts[keys[i]] += 1
    for k in range(len(sums)):
        if counts[k] > 0:
            sums[k] /= counts[k]


def means_two_loops(keys, x, sums, counts):
    for i in range(len(keys)):
        counts[keys[i]] += 1
    for i in range(len(keys)):
        sums[keys[i]] += x[i]
    for k in range(len(sums)):
        sums[k] = sums[k] / max(counts[k], 1)


def rows_by_key(keys, x, sums):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            sums[keys[i], j] += x[i, j]


def rows_by_key_slices(keys, x, sums):
    for i in range(x.shape[0]):
        sums[keys[i]] += x[i]


def four_corners(px, py, mass, grid):
    for i in range(len(px)):
        a = int(px[i])
        b = int(py[i])
        u = px[i] - a
        v = py[i] - b
        grid[a, b] += mass[i] * (1.0 - u) * (1.0 - v)
        grid[a + 1, b] += mass[i] * u * (1.0 - v)
        grid[a, b + 1] += mass[i] * (1.0 - u) * v
        grid[a + 1, b + 1] += mass[i] * u * v


def four_corners_loops(px, py, mass, grid):
    for i in range(len(px)):
        a = int(px[i])
        b = int(py[i])
        for s in range(2):
            wx = px[i] - a if s == 1 else 1.0 - (px[i] - a)
            for t in range(2):
                wy = py[i] - b if t == 1 else 1.0 - (py[i] - b)
                grid[a + s, b + t] += mass[i] * wx * wy


def image_histograms(image, counts):
    for c in range(image.shape[0]):
        for i in range(image.shape[1]):
            for j in range(image.shape[2]):
                counts[c, image[c, i, j]] += 1


def image_histograms_channel_inside(image, counts):
    for i in range(image.shape[1]):
        for j in range(image.shape[2]):
            for c in range(image.shape[0]):
                counts[c, image[c, i, j]] += 1


def last_writer(keys, x, table):
    for i in range(len(keys)):
        table[keys[i]] = x[i]


def last_writer_marked(keys, x, table):
    for i in range(len(keys)):
        k = keys[i]
        if k >= 0:
            table[k] = x[i]


SUMS = Answer.SUMS


def counting(m, n, k):
    return m.below(k, n), m.below(1, k)


def adding(m, n, k):
    return m.below(k, n), m.random(n), m.zeros(k)


def keyed(n, k, b):
    return n * 8 + 16 * k


def keyed_values(n, k, b):
    return n * (8 + b) + 2 * k * b


def points(m, n, k):
    return m.random(n) * (k - 2), m.random(n) * (k - 2), m.random(n), m.zeros(k, k)


def one(n, k):
    return n


FEW = ((50, 7), (10**4, 10), (10**7, 10), (2 * 10**8, 10))
SOME = ((50, 20), (10**4, 1000), (4 * 10**6, 10**4), (10**8, 10**5))
MANY = ((50, 40), (10**4, 10**4), (4 * 10**6, 4 * 10**6), (10**8, 10**7))

PROGRAMS = (
    Program("count_few_keys", (count, count_values), counting, FEW, keyed, one, parallel=(), whole=count_whole,
            dtypes=("float64",)),
    Program("count_many_keys", (count, count_values), counting, MANY, keyed, one, parallel=(), whole=count_whole,
            dtypes=("float64",)),
    Program("add_by_few_keys", (add, add_by_name), adding, FEW, keyed_values, one, parallel=(), answer=SUMS,
            whole=add_whole),
    Program("add_by_some_keys", (add, add_by_name), adding, SOME, keyed_values, one, parallel=(), answer=SUMS,
            whole=add_whole),
    Program("add_by_many_keys", (add, add_by_name), adding, MANY, keyed_values, one, parallel=(), answer=SUMS,
            whole=add_whole),
    Program("largest_by_key", (largest, largest_by_if), adding, SOME, keyed_values, one, parallel=(),
            restore=True),
    Program("count_pairs", (two_keys, two_keys_flat),
            lambda m, n, k: (m.below(k, n), m.below(k, n), m.below(1, k, k)),
            ((60, 4), (10**4, 16), (4 * 10**6, 64), (10**8, 256)), lambda n, k, b: 16 * n + 16 * k * k, one,
            parallel=(), dtypes=("float64",)),
    Program("bins", (bins, bins_clipped), lambda m, n, k: (m.random(n), m.below(1, k), 0.0, 1.25 / k),
            ((60, 8), (10**4, 64), (4 * 10**6, 256), (2 * 10**8, 256)), lambda n, k, b: n * b, lambda n, k: 3 * n,
            parallel=(), outputs=(1,)),
    Program("means_by_key", (means, means_two_loops), lambda m, n, k: (*adding(m, n, k), m.below(1, k)), SOME,
            keyed_values, lambda n, k: 2 * n, parallel=(), answer=Answer.MATH, outputs=(2, 3), restore=True),
    Program("rows_by_key", (rows_by_key, rows_by_key_slices),
            lambda m, n, k: (m.below(k, n), m.random(n, 32), m.zeros(k, 32)),
            ((12, 5), (1000, 100), (10**5, 5000), (4 * 10**6, 10**5)), lambda n, k, b: 32 * (n + 2 * k) * b + 8 * n,
            lambda n, k: 32 * n, parallel=(), answer=SUMS),
    Program("particles_to_grid", (four_corners, four_corners_loops), points,
            ((30, 6), (10**4, 64), (10**6, 512), (10**8, 4096)), lambda n, k, b: 3 * n * b + 2 * k * k * b,
            lambda n, k: 20 * n, parallel=(), answer=Answer.MATH),
    Program("image_histograms", (image_histograms, image_histograms_channel_inside),
            lambda m, s: (m.below(256, 3, s, s, dtype="uint8"), m.below(1, 3, 256)), (6, 100, 1024, 8192),
            lambda s, b: 3 * s * s, lambda s: 3 * s * s, parallel=("c",), dtypes=("float64",)),
    Program("last_writer", (last_writer, last_writer_marked), adding, SOME, keyed_values, one, parallel=()),
)  # fmt: skip
