"""Loops whose counters, offsets or strides leave 32 bits: plain Python, to be compiled."""

from __future__ import annotations


def increment(x, y):
    for i in range(len(x)):
        y[i] = x[i] + 1


def shifted(x, y):
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] + x[i + 1]


def backwards(x, y):
    for i in range(len(x) - 1, -1, -1):
        y[i] = x[len(x) - 1 - i]


def total(x):
    s = 0
    for i in range(len(x)):
        s += int(x[i])
    return s


def last_nonzero(x):
    where = -1
    for i in range(len(x)):
        if x[i] != 0:
            where = i
    return where


def first_nonzero(x):
    for i in range(len(x)):
        if x[i] != 0:
            return i
    return -1


def largest(x):
    best = x[0]
    where = 0
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
            where = i
    return best, where


def packed(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] != 0:
            out[k] = i
            k += 1
    return k


def running(x, y):
    s = x[0]
    for i in range(1, len(x)):
        s = s + x[i]
        y[i] = s


def histogram(keys, counts):
    for i in range(len(keys)):
        counts[keys[i]] += 1


def matrix(x):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = (i ^ j) & 63


def flattened(x, n, m):
    for i in range(n):
        for j in range(m):
            x[i * m + j] = (i ^ j) & 63


def column_sums(x, out):
    for j in range(x.shape[1]):
        s = 0
        for i in range(x.shape[0]):
            s += int(x[i, j])
        out[j] = s


def gathered(x, index, out):
    for i in range(len(index)):
        out[i] = x[index[i]]


def scattered(x, index, values):
    for i in range(len(index)):
        x[index[i]] = values[i]


def counted(n):
    s = 0
    for i in range(n):
        s += i & 1
    return s


def summed(n):
    s = 0
    for i in range(n):
        s += i
    return s


def stepped(start, stop, step, out):
    count = 0
    for i in range(start, stop, step):
        count += 1
        if i > stop - 10 * abs(step):
            out[0] = i
    return count


def from_the_end(x, start, y):
    for i in range(start, len(x)):
        y[i - start] = x[i] + i // 2**30


def doubled(x):
    for i in range(len(x)):
        x[i] = x[i] * 2 + 1


def doubled_rows(x):
    for i in range(x.shape[0]):
        for j in range(3):
            x[i, j] = x[i, j] * 2 + i + j


def from_both_ends(x, n):
    for i in range(n):
        x[-1 - i] = x[i] + 1
