"""StreamIt's twelve programs, written anew as graphs; beside each one what it computes, in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.dataflow.streamit import tables
from weft import dataflow

random = np.random.default_rng(12)


@dataclass
class Program:
    """A graph function, its inputs, and the plain version."""

    graph: Callable
    inputs: dict
    plain: Callable
    exact: bool = False


PROGRAMS: dict[str, Program] = {}


def program(name, exact=False, **inputs):
    def register(pair):
        graph, plain = pair()
        PROGRAMS[name] = Program(graph, inputs, plain, exact)
        return pair

    return register


def fir(taps, step=1):
    """An actor that weighs a window, every `step` tokens."""
    count = len(taps)

    @dataflow.actor(consumes=step, peek=count)
    def filtered(window):
        total = 0.0
        for k in range(count):
            total += window[k] * taps[k]
        return total

    return filtered


def plain_fir(x, taps, step=1):
    return np.array([x[k : k + len(taps)] @ taps for k in range(0, len(x) - len(taps) + 1, step)])


def low_pass(count, cut):
    k = np.arange(count) - (count - 1) / 2
    return np.sinc(2 * cut * k) * 2 * cut * np.hamming(count)


def band_pass(count, low, high):
    return low_pass(count, high) - low_pass(count, low)


# ------------------------------------------------------------------------------------------------- 1. bitonic sort


@program("bitonic sort", exact=True, x=random.integers(-99, 99, 160))
def bitonic_sort():
    n = 16

    def stage(size, distance):
        @dataflow.actor(consumes=n, produces=n)
        def exchanged(block):
            out = np.empty(n, np.int64)
            for i in range(n):
                other = i ^ distance
                low, high = min(block[i], block[other]), max(block[i], block[other])
                out[i] = low if (i < other) == (i & size == 0) else high
            return out

        return exchanged

    def graph(x):
        size = 2
        while size <= n:
            distance = size // 2
            while distance:
                x = stage(size, distance)(x)
                distance //= 2
            size *= 2
        return x

    return graph, lambda x: np.sort(x.reshape(-1, n), axis=1).ravel()


# ------------------------------------------------------------------------------------------------------- 2. the DCT

DCT = np.array([[math.sqrt((1 if u else 0.5) / 4) * math.cos((2 * x + 1) * u * math.pi / 16) for x in range(8)]
                for u in range(8)])  # fmt: skip


def rows_by(matrix):
    """An actor that multiplies a row of eight with a matrix."""

    @dataflow.actor(consumes=8, produces=8)
    def transformed(row):
        out = np.empty(8)
        for u in range(8):
            total = 0.0
            for x in range(8):
                total += matrix[u, x] * row[x]
            out[u] = total
        return out

    return transformed


@dataflow.actor(consumes=64, produces=64)
def transposed(block):
    out = np.empty(64)
    for i in range(8):
        for j in range(8):
            out[8 * i + j] = block[8 * j + i]
    return out


@program("DCT", x=random.standard_normal(64 * 5))
def dct():
    def graph(x):
        return transposed(rows_by(DCT)(transposed(rows_by(DCT)(x))))

    return graph, lambda x: (DCT @ x.reshape(-1, 8, 8) @ DCT.T).ravel()


# ----------------------------------------------------------------------------------------------------- 3. DES


def permuted(table, width):
    """An actor that chooses bits of a block of `width`."""
    count = len(table)

    @dataflow.actor(consumes=width, produces=count)
    def chosen(bits):
        out = np.empty(count, np.int32)
        for k in range(count):
            out[k] = bits[table[k] - 1]
        return out

    return chosen


DES_KEYS = np.stack(tables.des_keys(tables.DES_KEY))


def des_round(number):
    @dataflow.actor(consumes=64, produces=64)
    def mixed(bits):
        found = np.empty(32, np.int32)
        for box in range(8):
            row = 2 * (bits[31 + tables.DES_EXPAND[6 * box]] ^ DES_KEYS[number, 6 * box])
            row += bits[31 + tables.DES_EXPAND[6 * box + 5]] ^ DES_KEYS[number, 6 * box + 5]
            column = 0
            for k in range(1, 5):
                column = 2 * column + (bits[31 + tables.DES_EXPAND[6 * box + k]] ^ DES_KEYS[number, 6 * box + k])
            value = tables.DES_BOXES[box, 16 * row + column]
            for k in range(4):
                found[4 * box + k] = (value >> (3 - k)) & 1
        out = np.empty(64, np.int32)
        for k in range(32):
            out[k] = bits[32 + k]
            out[32 + k] = bits[k] ^ found[tables.DES_SPREAD[k] - 1]
        return out

    return mixed


def plain_des(x):
    def one(bits):
        bits = bits[tables.DES_FIRST - 1]
        left, right = bits[:32], bits[32:]
        for key in DES_KEYS:
            chosen = (right[tables.DES_EXPAND - 1] ^ key).reshape(8, 6)
            rows, columns = chosen[:, [0, 5]] @ [2, 1], chosen[:, 1:5] @ [8, 4, 2, 1]
            values = tables.DES_BOXES[np.arange(8), rows * 16 + columns]
            found = ((values[:, None] >> np.arange(3, -1, -1)) & 1).ravel()
            left, right = right, left ^ found[tables.DES_SPREAD - 1]
        return np.concatenate([right, left])[tables.DES_LAST - 1]

    return np.concatenate([one(block) for block in x.reshape(-1, 64)]).astype(np.int32)


DES_TEXT = np.concatenate([tables.bits(0x0123456789ABCDEF, 64), random.integers(0, 2, 64 * 3)]).astype(np.int32)


@program("DES", exact=True, x=DES_TEXT)
def des():
    halves = np.concatenate([np.arange(33, 65), np.arange(1, 33)])

    def graph(x):
        x = permuted(tables.DES_FIRST, 64)(x)
        for number in range(16):
            x = des_round(number)(x)
        return permuted(tables.DES_LAST, 64)(permuted(halves, 64)(x))

    return graph, plain_des


# ------------------------------------------------------------------------------------------------------- 4. the FFT


def reordered(n):
    """Even elements first, then odd ones, by a split and a join."""

    def graph(x):
        even, odd = dataflow.split(x)
        return dataflow.join(even, odd, weights=(n // 2, n // 2))

    return graph


def combined(n, sign=-1):
    twiddles = np.exp(sign * 2j * np.pi * np.arange(n // 2) / n)
    half = n // 2

    @dataflow.actor(consumes=n, produces=n)
    def butterflies(block):
        out = np.empty(n, np.complex128)
        for k in range(half):
            turned = block[half + k] * twiddles[k]
            out[k] = block[k] + turned
            out[half + k] = block[k] - turned
        return out

    return butterflies


def fft_graph(x, n, sign=-1):
    size = n
    while size > 2:
        x = reordered(size)(x)
        size //= 2
    size = 2
    while size <= n:
        x = combined(size, sign)(x)
        size *= 2
    return x


COMPLEX = random.standard_normal(64 * 4) + 1j * random.standard_normal(64 * 4)


@program("FFT", x=COMPLEX)
def fft():
    return lambda x: fft_graph(x, 64), lambda x: np.fft.fft(x.reshape(-1, 64)).ravel()


# ------------------------------------------------------------------------------------------------- 5. filter bank


@dataflow.actor(consumes=8, produces=1)
def every_eighth(block):
    return block[0]


@dataflow.actor(consumes=1, produces=8)
def spread(x):
    out = np.zeros(8)
    out[0] = x
    return out


@dataflow.actor
def plus(a, b):
    return a + b


@dataflow.actor
def minus(a, b):
    return a - b


BANKS = [(band_pass(32, k / 16, (k + 1) / 16), band_pass(32, k / 16, (k + 1) / 16)[::-1].copy()) for k in range(4)]


@program("filter bank", x=random.standard_normal(8 * 60 + 31))
def filter_bank():
    def graph(x):
        branches = [fir(after)(spread(every_eighth(fir(before)(x)))) for before, after in BANKS]
        total = branches[0]
        for branch in branches[1:]:
            total = plus(total, branch)
        return total

    def plain(x):
        total = 0
        for before, after in BANKS:
            y = plain_fir(x, before)
            z = np.zeros_like(y)
            z[::8] = y[::8]
            total = total + plain_fir(z, after)
        return total

    return graph, plain


# -------------------------------------------------------------------------------------------------- 6. FM radio


@dataflow.actor(peek=2)
def demodulated(pair):
    return 3.0 * math.atan(pair[0] * pair[1])


BANDS = [(low_pass(24, 0.05 * k + 0.02), low_pass(24, 0.05 * k + 0.07), 1.0 + 0.3 * k) for k in range(4)]


def scaled(factor):
    @dataflow.actor
    def amplified(x):
        return x * factor

    return amplified


@program("FM radio", x=random.standard_normal(4 * 150))
def fm_radio():
    taps = low_pass(64, 0.1)

    def graph(x):
        y = demodulated(fir(taps, 4)(x))
        bands = [scaled(gain)(minus(fir(high)(y), fir(low)(y))) for low, high, gain in BANDS]
        total = bands[0]
        for band in bands[1:]:
            total = plus(total, band)
        return total

    def plain(x):
        y = plain_fir(x, taps, 4)
        y = 3 * np.arctan(y[:-1] * y[1:])
        return sum(gain * (plain_fir(y, high) - plain_fir(y, low)) for low, high, gain in BANDS)

    return graph, plain


# ------------------------------------------------------------------------------------------- 7. channel vocoder


@dataflow.actor
def size_of(x):
    return abs(x)


@dataflow.actor(consumes=20, peek=60)
def pitch(window):
    best, place = -1e30, 0
    for lag in range(10, 30):
        total = 0.0
        for k in range(30):
            total += window[k] * window[k + lag]
        if total > best:
            best, place = total, lag
    return float(place)


def plain_pitch(x):
    found = []
    for k in range(0, len(x) - 59, 20):
        w = x[k : k + 60]
        found.append(10 + np.argmax([w[:30] @ w[lag : lag + 30] for lag in range(10, 30)]))
    return np.array(found, float)


@program("channel vocoder", x=random.standard_normal(20 * 30))
def channel_vocoder():
    smooth = low_pass(32, 0.1)
    filters = [band_pass(29, 0.1 * k + 0.02, 0.1 * k + 0.12) for k in range(4)]

    def graph(x):
        x = fir(smooth)(x)
        envelopes = [fir(smooth, 20)(size_of(fir(taps)(x))) for taps in filters]
        return dataflow.join(pitch(x), *envelopes)

    def plain(x):
        x = plain_fir(x, smooth)
        rows = [plain_pitch(x), *(plain_fir(np.abs(plain_fir(x, taps)), smooth, 20) for taps in filters)]
        count = min(map(len, rows))
        return np.stack([row[:count] for row in rows], 1).ravel()

    return graph, plain


# -------------------------------------------------------------------------------------------------- 8. Serpent


def bitslice(words, box):
    """The S-box of all 32 columns of four words, as a table of four bits."""
    out = np.zeros(4, np.uint32)
    for column in range(32):
        value = sum(((int(words[k]) >> column) & 1) << k for k in range(4))
        for k in range(4):
            out[k] |= np.uint32(((int(box[value]) >> k) & 1) << column)
    return out


SERPENT_KEYS = np.stack(tables.serpent_keys(bitslice))
SERPENT_BOXES = np.array(tables.SERPENT_BOXES)


def serpent_round(number):
    @dataflow.actor(consumes=4, produces=4)
    def mixed(block):
        x = np.empty(4, np.uint32)
        for k in range(4):
            x[k] = block[k] ^ SERPENT_KEYS[number, k]
        y = np.zeros(4, np.uint32)
        for column in range(32):
            at = np.uint32(column)
            one = np.uint32(1)
            value = 0
            for k in range(4):
                value += int((x[k] >> at) & one) << k
            found = SERPENT_BOXES[number % 8, value]
            for k in range(4):
                y[k] = y[k] | (np.uint32((found >> k) & 1) << at)
        if number == 31:
            for k in range(4):
                y[k] = y[k] ^ SERPENT_KEYS[32, k]
        else:
            y[0] = turn(y[0], 13)
            y[2] = turn(y[2], 3)
            y[1] = turn(y[1] ^ y[0] ^ y[2], 1)
            y[3] = turn(y[3] ^ y[2] ^ (y[0] << np.uint32(3)), 7)
            y[0] = turn(y[0] ^ y[1] ^ y[3], 5)
            y[2] = turn(y[2] ^ y[3] ^ (y[1] << np.uint32(7)), 22)
        return y

    return mixed


def turn(x, by):
    return (x << np.uint32(by)) | (x >> np.uint32(32 - by))


def plain_serpent(x):
    out = []
    for block in x.reshape(-1, 4):
        y = block
        for number in range(32):
            y = bitslice(y ^ SERPENT_KEYS[number], SERPENT_BOXES[number % 8])
            if number == 31:
                y = y ^ SERPENT_KEYS[32]
                continue
            a, b, c, d = (np.uint32(v) for v in y)
            a, c = turn(a, 13), turn(c, 3)
            b, d = turn(b ^ a ^ c, 1), turn(d ^ c ^ (a << np.uint32(3)), 7)
            a, c = turn(a ^ b ^ d, 5), turn(c ^ d ^ (b << np.uint32(7)), 22)
            y = np.array([a, b, c, d], np.uint32)
        out.append(y)
    return np.concatenate(out)


@program("Serpent", exact=True, x=random.integers(0, 1 << 32, 12, dtype=np.uint64).astype(np.uint32))
def serpent():
    def graph(x):
        for number in range(32):
            x = serpent_round(number)(x)
        return x

    return graph, plain_serpent


# ------------------------------------------------------------------------------------ 9. time-delay equalisation

RESPONSE = np.exp(1j * np.linspace(0, 4, 32)) * np.linspace(1, 0.2, 32)


@program("TDE", x=COMPLEX)
def tde():
    @dataflow.actor(consumes=32, produces=32)
    def equalised(block):
        out = np.empty(32, np.complex128)
        for k in range(32):
            out[k] = block[k] * RESPONSE[k]
        return out

    def graph(x):
        return scaled(1 / 32)(fft_graph(equalised(fft_graph(x, 32)), 32, sign=1))

    return graph, lambda x: np.fft.ifft(np.fft.fft(x.reshape(-1, 32)) * RESPONSE).ravel()


# --------------------------------------------------------------------------------------------- 10. MPEG-2 parts

ZIGZAG = np.array(sorted(range(64), key=lambda k: (k // 8 + k % 8, k // 8 if (k // 8 + k % 8) % 2 else k % 8)))
QUANTS = 8 + np.add.outer(np.arange(8), np.arange(8)).ravel() * 2


@program("MPEG-2", exact=True, x=random.integers(-6, 7, 64 * 6).astype(np.int32))
def mpeg():
    inverse = DCT.T.copy()

    @dataflow.actor(consumes=64, produces=64)
    def dequantised(block):
        out = np.empty(64)
        for k in range(64):
            out[ZIGZAG[k]] = block[k] * QUANTS[ZIGZAG[k]] * 0.5
        return out

    @dataflow.actor(consumes=64, produces=64, state=np.zeros(64))
    def predicted(block, before):
        out = np.empty(64, np.int32)
        for k in range(64):
            before[k] = min(max(before[k] * 0.5 + np.rint(block[k]), -128.0), 127.0)
            out[k] = int(before[k])
        return out, before

    def graph(x):
        y = dequantised(x)
        return predicted(transposed(rows_by(inverse)(transposed(rows_by(inverse)(y)))))

    def plain(x):
        before, out = np.zeros((8, 8)), []
        for block in x.reshape(-1, 64):
            y = np.zeros(64)
            y[ZIGZAG] = block * QUANTS[ZIGZAG] * 0.5
            y = np.rint(DCT.T @ y.reshape(8, 8) @ DCT)
            before = np.clip(before * 0.5 + y, -128, 127)
            out.append(before.ravel())
        return np.concatenate(out).astype(np.int32)

    return graph, plain


# ------------------------------------------------------------------------------------------------- 11. vocoder


@program("vocoder", x=random.standard_normal(8 * 20))
def vocoder():
    n = 16
    cosines = np.cos(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n)
    sines = np.sin(2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n)

    @dataflow.actor(consumes=8, peek=n, produces=[n, n])
    def polar(window):
        sizes, angles = np.empty(n), np.empty(n)
        for u in range(n):
            real, imaginary = 0.0, 0.0
            for k in range(n):
                real += window[k] * cosines[u, k]
                imaginary -= window[k] * sines[u, k]
            sizes[u] = math.sqrt(real * real + imaginary * imaginary)
            angles[u] = math.atan2(imaginary, real)
        return sizes, angles

    @dataflow.actor(consumes=n, produces=n, state=(np.zeros(n), np.zeros(n)))
    def stretched(angles, state):
        before, total = state
        out = np.empty(n)
        for u in range(n):
            step = angles[u] - before[u]
            step -= 2.0 * math.pi * np.rint(step / (2.0 * math.pi))
            before[u] = angles[u]
            total[u] += 1.25 * step
            out[u] = total[u]
        return out, (before, total)

    @dataflow.actor(consumes=n, produces=n)
    def rectangular(sizes, angles):
        out = np.empty(n)
        for k in range(n):
            total = 0.0
            for u in range(n):
                total += sizes[u] * (math.cos(angles[u]) * cosines[u, k] - math.sin(angles[u]) * sines[u, k])
            out[k] = total / n
        return out

    def graph(x):
        sizes, angles = polar(x)
        return rectangular(sizes, stretched(angles))

    def plain(x):
        before, total, out = np.zeros(n), np.zeros(n), []
        for k in range(0, len(x) - n + 1, 8):
            z = np.fft.fft(x[k : k + n])
            step = np.angle(z) - before
            step -= 2 * np.pi * np.rint(step / (2 * np.pi))
            before = np.angle(z)
            total = total + 1.25 * step
            y = np.abs(z) * np.exp(1j * total)
            out.append(np.fft.ifft(y).real)
        return np.concatenate(out)

    return graph, plain


# --------------------------------------------------------------------------------------------------- 12. radar

CHANNELS, BEAMS = 4, 3
STEERING = np.exp(1j * np.outer(np.arange(BEAMS), np.arange(CHANNELS)) * 0.7)


@program("radar", x=random.standard_normal(4 * 2 * 80) + 1j * random.standard_normal(4 * 2 * 80))
def radar():
    coarse = [low_pass(16, 0.1 + 0.02 * c) for c in range(CHANNELS)]

    def complex_fir(taps):
        @dataflow.actor(consumes=2, peek=16)
        def filtered(window):
            total = 0j
            for k in range(16):
                total += window[k] * taps[k]
            return total

        return filtered

    @dataflow.actor(consumes=CHANNELS, produces=BEAMS)
    def beams(samples):
        out = np.empty(BEAMS)
        for b in range(BEAMS):
            total = 0j
            for c in range(CHANNELS):
                total += samples[c] * STEERING[b, c]
            out[b] = abs(total)
        return out

    @dataflow.actor(consumes=BEAMS, produces=[BEAMS, 1])
    def detected(sizes):
        out = np.empty(BEAMS)
        best = 0
        for b in range(BEAMS):
            out[b] = sizes[b] if sizes[b] > 0.5 else 0.0
            if sizes[b] > sizes[best]:
                best = b
        return out, best

    def graph(x):
        channels = dataflow.split(x, (1,) * CHANNELS)
        filtered = [complex_fir(taps)(c) for taps, c in zip(coarse, channels)]
        return detected(beams(dataflow.join(*filtered)))

    def plain(x):
        rows = [plain_fir(x[c::CHANNELS], taps, 2) for c, taps in enumerate(coarse)]
        sizes = np.abs(STEERING @ np.stack(rows)).T
        return np.where(sizes > 0.5, sizes, 0.0).ravel(), sizes.argmax(1)

    return graph, plain
