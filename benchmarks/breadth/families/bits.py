"""Bit tricks, hashing, string matching."""

from __future__ import annotations

import numpy as np

from benchmarks.breadth.program import Program


def population(x, out):
    for i in range(len(x)):
        v = x[i]
        n = 0
        while v != 0:
            v &= v - np.uint64(1)
            n += 1
        out[i] = n


def population_by_masks(x, out):
    for i in range(len(x)):
        v = x[i]
        v = v - ((v >> np.uint64(1)) & np.uint64(0x5555555555555555))
        v = (v & np.uint64(0x3333333333333333)) + ((v >> np.uint64(2)) & np.uint64(0x3333333333333333))
        v = (v + (v >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        v = v + (v >> np.uint64(8))
        v = v + (v >> np.uint64(16))
        v = v + (v >> np.uint64(32))
        out[i] = v & np.uint64(127)


def hamming(a, b, d):
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            n = 0
            for k in range(a.shape[1]):
                n += TABLE[a[i, k] ^ b[j, k]]
            d[i, j] = n


def hamming_bits(a, b, d):
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            n = 0
            for k in range(a.shape[1]):
                different = int(a[i, k]) ^ int(b[j, k])
                for s in range(8):
                    n += (different >> s) & 1
            d[i, j] = n


TABLE = np.array([bin(value).count("1") for value in range(256)])


def hashes(x, out):
    for i in range(len(x)):
        h = x[i]
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x85EBCA6B)
        h ^= h >> np.uint32(13)
        h *= np.uint32(0xC2B2AE35)
        h ^= h >> np.uint32(16)
        out[i] = h


def shifted(h, bits):
    return h ^ (h >> np.uint32(bits))


def hashes_by_function(x, out):
    for i in range(len(x)):
        h = shifted(x[i], 16) * np.uint32(0x85EBCA6B)
        h = shifted(h, 13) * np.uint32(0xC2B2AE35)
        out[i] = shifted(h, 16)


def hashes_whole(xp, x, out):
    h = (x ^ (x >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return h ^ (h >> np.uint32(16))


def row_hashes(text, out):
    for i in range(text.shape[0]):
        h = np.uint64(14695981039346656037)
        for j in range(text.shape[1]):
            h = (h ^ np.uint64(text[i, j])) * np.uint64(1099511628211)
        out[i] = h


def row_hashes_in_place(text, out):
    for i in range(text.shape[0]):
        out[i] = np.uint64(14695981039346656037)
        for j in range(text.shape[1]):
            out[i] ^= np.uint64(text[i, j])
            out[i] *= np.uint64(1099511628211)


def matches(text, word):
    n = 0
    for i in range(len(text) - len(word) + 1):
        same = True
        for k in range(len(word)):
            if text[i + k] != word[k]:
                same = False
                break
        if same:
            n += 1
    return n


def matches_counted(text, word):
    n = 0
    for i in range(len(text) - len(word) + 1):
        k = 0
        while k < len(word) and text[i + k] == word[k]:
            k += 1
        n += k == len(word)
    return n


def check_sum(data, table):
    crc = 0xFFFFFFFF
    for i in range(len(data)):
        crc = table[(crc ^ data[i]) & 255] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def check_sum_by_name(data, table):
    crc = 4294967295
    for byte in data:
        place = (crc ^ byte) % 256
        crc = crc // 256 ^ table[place]
    return 4294967295 - crc


def interleave(x, y, out):
    for i in range(len(x)):
        code = 0
        for b in range(16):
            code |= ((x[i] >> b) & 1) << (2 * b)
            code |= ((y[i] >> b) & 1) << (2 * b + 1)
        out[i] = code


def spread(v):
    v = (v | (v << 8)) & 0x00FF00FF
    v = (v | (v << 4)) & 0x0F0F0F0F
    v = (v | (v << 2)) & 0x33333333
    return (v | (v << 1)) & 0x55555555


def interleave_by_masks(x, y, out):
    for i in range(len(x)):
        out[i] = spread(x[i]) | (spread(y[i]) << 1)


def pack_bits(flags, words):
    for i in range(len(words)):
        word = 0
        for b in range(32):
            if flags[32 * i + b]:
                word |= 1 << b
        words[i] = word


def pack_bits_flat(flags, words):
    for i in range(len(words)):
        words[i] = 0
    for p in range(len(flags)):
        words[p // 32] |= int(flags[p]) << (p % 32)


def words_begin(text, starts):
    n = 0
    for i in range(len(text)):
        letter = 97 <= text[i] <= 122
        if letter and (i == 0 or text[i - 1] < 97 or text[i - 1] > 122):
            starts[n] = i
            n += 1
    return n


def words_begin_by_state(text, starts):
    n = 0
    inside = False
    for i in range(len(text)):
        letter = text[i] >= 97 and text[i] <= 122
        if letter and not inside:
            starts[n] = i
            n += 1
        inside = letter
    return n


def numbers(text, ends, values):
    for i in range(len(values)):
        value = 0
        for p in range(ends[i], ends[i + 1]):
            value = 10 * value + (text[p] - 48)
        values[i] = value


def numbers_by_powers(text, ends, values):
    for i in range(len(values)):
        value = 0
        power = 1
        for p in range(ends[i + 1] - 1, ends[i] - 1, -1):
            value += power * (int(text[p]) - 48)
            power *= 10
        values[i] = value


def sieve(marked):
    n = len(marked)
    i = 2
    while i * i < n:
        if not marked[i]:
            for j in range(i * i, n, i):
                marked[j] = True
        i += 1


def sieve_for(marked):
    n = len(marked)
    for i in range(2, n):
        if i * i >= n:
            break
        if marked[i]:
            continue
        for k in range(n):
            j = i * i + k * i
            if j >= n:
                break
            marked[j] = True


def text_of(m, n, k):
    return m.below(4, n, dtype="uint8"), m.below(4, k, dtype="uint8")


def crc_table(m, n):
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    return m.below(256, n), np.array(table)


def digits(m, n):
    ends = np.zeros(n + 1, np.int64)
    ends[1:] = np.cumsum(1 + m.below(8, n))
    return 48 + m.below(10, ends[-1]), ends, m.below(1, n)


WHOLE = ("float64",)
LONG = (60, 10**4, 4 * 10**6, 10**8)

PROGRAMS = (
    Program("population", (population, population_by_masks),
            lambda m, n: (m.below(1 << 63, n, dtype="uint64"), m.below(1, n)), (60, 10**4, 10**6, 10**8),
            lambda n, b: 16 * n, lambda n: 12 * n, dtypes=WHOLE),
    Program("hamming", (hamming, hamming_bits),
            lambda m, n, k: (m.below(256, n, k, dtype="uint8"), m.below(256, n, k, dtype="uint8"), m.below(1, n, n)),
            ((5, 4), (100, 16), (600, 32), (8192, 64)), lambda n, k, b: 8 * n * n, lambda n, k: 3 * n * n * k,
            dtypes=WHOLE),
    Program("hashes", (hashes, hashes_by_function),
            lambda m, n: (m.below(1 << 32, n, dtype="uint32"), m.below(1, n, dtype="uint32")), LONG,
            lambda n, b: 8 * n, lambda n: 8 * n, dtypes=WHOLE, whole=hashes_whole),
    Program("row_hashes", (row_hashes, row_hashes_in_place),
            lambda m, n, k: (m.below(256, n, k, dtype="uint8"), m.below(1, n, dtype="uint64")),
            ((6, 9), (100, 64), (50000, 128), (10**6, 512)), lambda n, k, b: n * k + 8 * n, lambda n, k: 2 * n * k,
            dtypes=WHOLE),
    Program("matches", (matches, matches_counted), text_of, ((60, 2), (10**4, 4), (4 * 10**6, 8), (10**9, 8)),
            lambda n, k, b: n, lambda n, k: 2 * n, dtypes=WHOLE),
    Program("check_sum", (check_sum, check_sum_by_name), crc_table, LONG, lambda n, b: 8 * n, lambda n: 4 * n,
            parallel=(), dtypes=WHOLE),
    Program("interleave", (interleave, interleave_by_masks),
            lambda m, n: (m.below(1 << 16, n), m.below(1 << 16, n), m.below(1, n)), (60, 10**4, 10**6, 10**8),
            lambda n, b: 24 * n, lambda n: 26 * n, dtypes=WHOLE),
    Program("pack_bits", (pack_bits, pack_bits_flat), lambda m, n: (m.below(2, 32 * n) == 1, m.below(1, n)),
            (5, 1000, 200_000, 10**7), lambda n, b: 40 * n, lambda n: 64 * n, dtypes=WHOLE),
    Program("words_begin", (words_begin, words_begin_by_state),
            lambda m, n: (96 + m.below(8, n, dtype="uint8"), m.below(1, n)), LONG, lambda n, b: 2 * n, lambda n: 4 * n,
            parallel=(), dtypes=WHOLE,
            outputs=(1,)),
    Program("numbers", (numbers, numbers_by_powers), digits, (12, 1000, 500_000, 10**7), lambda n, b: 52 * n,
            lambda n: 9 * n, dtypes=WHOLE),
    Program("sieve", (sieve, sieve_for), lambda m, n: (m.below(1, n) == 1,), (100, 10**4, 4 * 10**6, 10**8),
            lambda n, b: 2 * n, lambda n: 2.5 * n, parallel=(), dtypes=WHOLE, restore=True),
)  # fmt: skip
