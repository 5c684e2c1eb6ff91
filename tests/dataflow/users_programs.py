"""Stream programs as users write them: audio, radio, images, sensors, finance, compression, statistics."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from weft.dataflow import actor, delay, feedback, join, split

PROGRAMS: dict[str, tuple] = {}
"""Of each name: the graph function, the types of its inputs, the tokens of the longest, and the tolerance."""


def program(n=60, rtol=0.0, **types):
    def register(function):
        PROGRAMS[function.__name__] = function, types, n, rtol
        return function

    return register


# ------------------------------------------------------------------------------------------------------------- audio


@program(x=np.float32)
def dc_blocker(x):
    @actor(state=(0.0, 0.0))
    def block(v, s):
        y = v - s[0] + 0.995 * s[1]
        return y, (v, y)

    return block(x)


@program(x=np.float32)
def envelope_follower(x):
    @actor(state=0.0)
    def follow(v, e):
        a = abs(v)
        g = 0.9 if a > e else 0.99
        e = g * e + (1 - g) * a
        return e, e

    return follow(x)


@program(x=np.float32)
def compressor(x):
    @actor(state=0.0)
    def level(v, e):
        e = max(abs(v), e * 0.98)
        return e, e

    @actor
    def gain(v, e):
        return v / (1.0 + e) if e > 0.5 else v

    return gain(x, level(x))


@program(x=np.float32)
def comb_echo(x):
    @actor
    def mix(v, old):
        return v + 0.5 * old

    back, feed = feedback(np.zeros(7, np.float32))
    y = mix(x, back)
    feed(y)
    return y


@program(x=np.float32)
def echo_from_python_zeros(x):
    @actor
    def mix(v, old):
        return v + 0.5 * old

    back, feed = feedback([0.0] * 3)
    y = mix(x, back)
    feed(y)
    return y


@program(x=np.int16)
def stereo_to_mono(x):
    left, right = split(x)

    @actor
    def mono(a, b):
        return np.int16((np.int32(a) + np.int32(b)) // 2)

    return mono(left, right)


@program(x=np.int16)
def mono_to_stereo_panned(x):
    @actor(produces=[1, 1])
    def pan(v):
        return v * np.float32(0.25), v * np.float32(0.75)

    a, b = pan(x)
    return join(a, b)


@program(x=np.float32)
def delta_of_stereo(x):
    a, b = split(x, (2, 1))
    return join(b, a, weights=(1, 2))


@program(x=np.float64)
def allpass_chain(x):
    def allpass(v, g, n):
        @actor(produces=[1, 1])
        def step(u, old):
            w = u + g * old
            return old - g * w, w

        back, feed = feedback([0.0] * n)
        y, w = step(v, back)
        feed(w)
        return y

    return allpass(allpass(x, 0.7, 3), 0.5, 5)


@program(x=np.float32, n=200)
def resample_3_2(x):
    @actor(consumes=2, produces=3)
    def up(b):
        out = np.empty(3, np.float32)
        out[0] = b[0]
        out[1] = (b[0] + 2 * b[1]) / 3
        out[2] = b[1]
        return out

    return up(x)


@program(x=np.float32)
def halfband(x):
    @actor(consumes=2, produces=1, peek=7)
    def half(w):
        return 0.5 * w[3] + 0.28 * (w[2] + w[4]) - 0.03 * (w[0] + w[6])

    return half(half(x))


@program(x=np.float64)
def goertzel(x):
    @actor(consumes=8, produces=1)
    def power(block):
        c = 2 * math.cos(2 * math.pi * 3 / 8)
        s1 = 0.0
        s2 = 0.0
        for k in range(8):
            s = block[k] + c * s1 - s2
            s2 = s1
            s1 = s
        return s1 * s1 + s2 * s2 - c * s1 * s2

    return power(x)


@program(x=np.int16)
def mu_law(x):
    @actor
    def encode(v):
        sign = 128 if v < 0 else 0
        m = min(abs(int(v)) + 33, 8191)
        exponent = 0
        while m >> (exponent + 6):
            exponent += 1
        return np.uint8(255 - (sign + exponent * 16 + ((m >> (exponent + 1)) & 15)))

    return encode(x)


@program(x=np.int32)
def zero_crossings(x):
    @actor(consumes=5, produces=1)
    def count(b):
        n = 0
        for k in range(1, len(b)):
            if (b[k] - 50) * (b[k - 1] - 50) < 0:
                n += 1
        return n

    return count(x)


# ------------------------------------------------------------------------------------------------------------- radio


@program(x=np.complex64)
def quadrature_demodulator(x):
    @actor(peek=2)
    def angle(w):
        z = w[1] * w[0].conjugate()
        return z.imag * np.float32(0.5)

    return angle(x)


@program(x=np.complex128)
def power_of_iq(x):
    @actor
    def power(z):
        return z.real * z.real + z.imag * z.imag

    return power(x)


@program(x=np.float64)
def iq_from_interleaved(x):
    @actor(consumes=2, produces=1)
    def iq(b):
        return complex(b[0], b[1])

    return iq(x)


@program(x=np.uint8)
def differential_decoder(x):
    @actor(state=0)
    def decode(b, last):
        b = int(b) & 1
        return b ^ last, b

    return decode(x)


@program(x=np.uint8, n=120)
def bits_to_bytes(x):
    @actor(consumes=8, produces=1)
    def pack(bits):
        v = 0
        for k in range(8):
            v = v * 2 + (int(bits[k]) & 1)
        return np.uint8(v)

    return pack(x)


@program(x=np.uint8, n=40)
def scrambler(x):
    @actor(state=0x7F)
    def scramble(b, r):
        f = ((r >> 3) ^ (r >> 6)) & 1
        return (int(b) & 1) ^ f, ((r << 1) | f) & 0x7F

    return scramble(x)


@program(x=np.uint8, n=80)
def convolutional_encoder(x):
    @actor(produces=2, peek=3)
    def encode(w):
        a = (w[0] ^ w[1] ^ w[2]) & 1
        b = (w[0] ^ w[2]) & 1
        return np.array([a, b])

    return encode(x)


@program(x=np.uint8, n=160)
def crc_of_frames(x):
    @actor(consumes=16, produces=1)
    def crc(frame):
        c = 0xFFFF
        for k in range(16):
            c ^= int(frame[k]) << 8
            for _ in range(8):
                c = ((c << 1) ^ 0x1021) & 0xFFFF if c & 0x8000 else (c << 1) & 0xFFFF
        return np.uint16(c)

    return crc(x)


@program(x=np.float32)
def agc_loop(x):
    @actor
    def scale(v, g):
        return v * g

    @actor
    def control(y, g):
        return g + 0.1 * (1.0 - abs(y))

    gain, feed = feedback(np.float32([1.0]))
    y = scale(x, gain)
    feed(control(y, gain))
    return y


@program(x=np.float64, rtol=1e-13)
def pll(x):
    @actor(state=(0.0, 0.01))
    def lock(v, s):
        phase, step = s
        e = v * math.cos(phase)
        step = step + 0.001 * e
        phase = phase + step + 0.1 * e
        if phase > math.pi:
            phase -= 2 * math.pi
        return phase, (phase, step)

    return lock(x)


@program(x=np.complex64, rtol=2e-6)
def down_converter(x):
    @actor(state=0)
    def shift(z, k):
        return z * np.exp(-1j * np.pi * k / 4), (k + 1) % 8

    @actor(consumes=4, produces=1)
    def integrate(b):
        s = b[0]
        for k in range(1, 4):
            s += b[k]
        return s

    return integrate(shift(x))


@program(x=np.int32, n=100)
def cic_decimator(x):
    @actor(state=(0, 0))
    def integrate(v, s):
        a = s[0] + int(v)
        b = s[1] + a
        return b, (a, b)

    @actor(consumes=5, produces=1)
    def decimate(b):
        return b[4]

    @actor(peek=2)
    def comb(w):
        return w[1] - w[0]

    return comb(comb(decimate(integrate(x))))


# ------------------------------------------------------------------------------------------------------------ images


@program(x=np.uint8, n=24 * 7)
def rows_flipped(x):
    @actor(consumes=24, produces=24)
    def flip(row):
        return row[::-1]

    return flip(x)


@program(x=np.uint8, n=96)
def gray_of_rgb(x):
    @actor(consumes=3, produces=1)
    def gray(p):
        return np.uint8((int(p[0]) * 77 + int(p[1]) * 150 + int(p[2]) * 29) >> 8)

    return gray(x)


@program(x=np.float32, n=16 * 6)
def vertical_blur(x):
    @actor(consumes=16, produces=16, peek=48)
    def blur(rows):
        a = rows.reshape(3, 16)
        return (a[0] + 2 * a[1] + a[2]) / 4

    return blur(x)


@program(x=np.float32, n=16 * 6)
def sobel_rows(x):
    @actor(consumes=16, produces=14, peek=48)
    def sobel(rows):
        a = rows.reshape(3, 16)
        gx = a[:, 2:] - a[:, :-2]
        return gx[0] + 2 * gx[1] + gx[2]

    return sobel(x)


@program(x=np.uint8, n=64)
def histogram_of_rows(x):
    @actor(consumes=16, produces=4)
    def hist(row):
        h = np.zeros(4, np.int64)
        for v in row:
            h[v // 64] += 1
        return h

    return hist(x)


@program(x=np.int32, n=64)
def downsample_2x2(x):
    @actor(consumes=16, produces=4)
    def pool(two_rows):
        a = two_rows.reshape(2, 8)
        return (a[0, ::2] + a[0, 1::2] + a[1, ::2] + a[1, 1::2]) // 4

    return pool(x)


@program(x=np.int64, n=90)
def column_sums(x):
    @actor(consumes=15, produces=5)
    def sums(b):
        return b.reshape(3, 5).sum(axis=0)

    return sums(x)


@program(x=np.float64, n=72)
def threshold_by_row_mean(x):
    @actor(consumes=8, produces=1)
    def mean(row):
        s = 0.0
        for v in row:
            s += v
        return s / 8

    @actor(consumes=[8, 1], produces=8)
    def over(row, m):
        return row > m

    return over(x, mean(x))


@program(x=np.uint8, n=60)
def error_diffusion(x):
    @actor(state=0)
    def dither(v, e):
        t = int(v) + e
        out = 255 if t > 127 else 0
        return np.uint8(out), t - out

    return dither(x)


@program(x=np.float32, n=72)
def zigzag(x):
    order = np.array([0, 1, 3, 6, 4, 2, 5, 7, 8])

    @actor(consumes=9, produces=9)
    def scan(block):
        return block[order]

    return scan(x)


# ----------------------------------------------------------------------------------------------------------- sensors


@program(x=np.float64)
def kalman_1d(x):
    class State(NamedTuple):
        x: float
        p: float

    @actor(state=State(0.0, 1.0))
    def kalman(z, s):
        p = s.p + 0.01
        k = p / (p + 0.5)
        est = s.x + k * (z - s.x)
        return est, State(est, (1 - k) * p)

    return kalman(x)


@program(x=np.float64)
def median_of_three(x):
    @actor(peek=3)
    def median(w):
        a, b, c = w[0], w[1], w[2]
        return max(min(a, b), min(max(a, b), c))

    return median(x)


@program(x=np.float64)
def hysteresis(x):
    @actor(state=False)
    def switch(v, on):
        on = v > 0.2 if on else v > 0.8
        return on, on

    return switch(x)


@program(x=np.int32)
def debounce(x):
    @actor(state=(0, 0))
    def stable(v, s):
        level, same = s
        bit = int(v) & 1
        same = same + 1 if bit != level else 0
        if same >= 3:
            level, same = bit, 0
        return level, (level, same)

    return stable(x)


@program(x=np.float64, y=np.float64)
def sensor_fusion(x, y):
    @actor(consumes={"fast": 4, "slow": 1}, produces=4)
    def fuse(fast, slow):
        return 0.9 * fast + 0.1 * slow

    return fuse(x, y)


@program(x=np.uint16)
def adc_to_volts(x):
    @actor
    def volts(v):
        return np.float32(v) * np.float32(3.3) / np.float32(4095)

    return volts(x)


@program(x=np.uint16)
def oversample(x):
    @actor(consumes=16, produces=1)
    def more_bits(b):
        return b.sum() >> 2

    return more_bits(x)


@program(x=np.int64)
def encoder_velocity(x):
    @actor(peek=4, consumes=1)
    def velocity(w):
        return (w[3] - w[0]) / 3

    return velocity(x)


@program(x=np.float64, rtol=1e-15)
def ring_average(x):
    @actor(state=(np.zeros(5), 0))
    def average(v, s):
        ring, k = s
        ring = ring.copy()
        ring[k] = v
        t = 0.0
        for i in range(5):
            t += ring[i]
        return t / 5, (ring, (k + 1) % 5)

    return average(x)


@program(x=np.float64)
def alarms_in_python(x):
    @actor(device="python", state=0, dtype=np.int64)
    def alarm(v, n):
        n = n + 1 if v > 0 else 0
        return n, n

    @actor
    def clip(n):
        return min(n, 3)

    return clip(alarm(x))


@program(x=np.float64, n=50)
def missing_values(x):
    @actor(state=0.0)
    def hold(v, last):
        v = np.nan if v < -0.5 else v
        last = last if np.isnan(v) else v
        return last, last

    return hold(x)


# ----------------------------------------------------------------------------------------------------------- finance


@program(x=np.float64)
def ema_cross(x):
    def ema(a):
        @actor(state=0.0)
        def average(v, s):
            s = a * v + (1 - a) * s
            return s, s

        return average

    @actor
    def sign(a, b):
        return 1 if a > b else -1 if a < b else 0

    return sign(ema(0.5)(x), ema(0.1)(x))


@program(x=np.float64)
def candles(x):
    @actor(consumes=6, produces=[1, 1, 1, 1])
    def candle(b):
        low = b[0]
        high = b[0]
        for v in b:
            low = min(low, v)
            high = max(high, v)
        return b[0], high, low, b[5]

    return candle(x)


@program(p=np.float64, v=np.int64)
def vwap(p, v):
    @actor(state=(0.0, 0))
    def average(price, volume, s):
        money = s[0] + price * volume
        total = s[1] + volume + 1
        return money / total, (money, total)

    return average(p, v)


@program(x=np.float64)
def max_drawdown(x):
    @actor(state=(0.0, 0.0, 0.0))
    def drawdown(r, s):
        wealth, peak, worst = s
        wealth = wealth + r
        peak = max(peak, wealth)
        worst = max(worst, peak - wealth)
        return worst, (wealth, peak, worst)

    return drawdown(x)


@program(x=np.int64)
def order_ids(x):
    @actor(state=1)
    def number(v, n):
        return n * 1000 + v % 7, n + 1

    return number(x)


@program(x=np.float64, y=np.float64)
def pair_spread(x, y):
    @actor
    def spread(a, b):
        return a - 1.5 * b

    @actor(peek=4)
    def z(w):
        m = (w[0] + w[1] + w[2] + w[3]) / 4
        return w[3] - m

    return z(spread(x, y)), spread(x, delay(y, [0.0, 1.0]))


# ------------------------------------------------------------------------------------------------------- compression


@program(x=np.uint8)
def delta_encoded(x):
    @actor(state=np.uint8(0))
    def delta(v, last):
        return v - last, v

    return delta(x)


@program(x=np.uint8)
def delta_there_and_back(x):
    @actor(peek=2)
    def delta(w):
        return w[1] - w[0]

    @actor(state=np.uint8(0))
    def integrate(d, s):
        s = s + d
        return s, s

    return integrate(delta(delay(x, [0])))


@program(x=np.uint8, n=64)
def run_lengths(x):
    @actor(consumes=8, produces=[8, 8, 1])
    def runs(b):
        values = np.zeros(8, np.uint8)
        lengths = np.zeros(8, np.int32)
        n = 0
        for k in range(8):
            v = b[k] // 40
            if k > 0 and v == b[k - 1] // 40:
                lengths[n - 1] += 1
            else:
                values[n] = v
                lengths[n] = 1
                n += 1
        return values, lengths, n

    return runs(x)


@program(x=np.uint8, n=90)
def base64(x):
    @actor(consumes=3, produces=4)
    def encode(b):
        n = (int(b[0]) << 16) | (int(b[1]) << 8) | int(b[2])
        out = np.empty(4, np.uint8)
        for k in range(4):
            out[k] = (n >> (18 - 6 * k)) & 63
        return out

    return encode(x)


@program(x=np.float64, n=64)
def haar(x):
    @actor(consumes=2, produces=[1, 1])
    def step(p):
        return (p[0] + p[1]) / 2, (p[0] - p[1]) / 2

    a, d1 = step(x)
    aa, d2 = step(a)
    return aa, d2, d1


@program(x=np.float64, n=64)
def haar_and_back(x):
    @actor(consumes=2, produces=[1, 1])
    def step(p):
        return (p[0] + p[1]) / 2, (p[0] - p[1]) / 2

    @actor(consumes=1, produces=2)
    def back(a, d):
        return np.array([a + d, a - d])

    return back(*step(x))


@program(x=np.int16)
def adpcm(x):
    @actor(state=(0, 4))
    def encode(v, s):
        guess, step = s
        d = int(v) - guess
        code = min(max(d // step, -8), 7)
        guess = guess + code * step
        step = min(max(step * 2 if abs(code) > 5 else (step * 3) // 4, 1), 1024)
        return np.int8(code), (guess, step)

    return encode(x)


@program(x=np.uint8, n=64)
def move_to_front(x):
    @actor(state=np.arange(16))
    def code(v, table):
        v = int(v) % 16
        k = 0
        while table[k] != v:
            k += 1
        new = table.copy()
        for j in range(k, 0, -1):
            new[j] = table[j - 1]
        new[0] = v
        return k, new

    return code(x)


# -------------------------------------------------------------------------------------------------------- statistics


@program(x=np.float64)
def welford(x):
    @actor(state=(0, 0.0, 0.0), produces=[1, 1])
    def update(v, s):
        n, mean, m2 = s
        n = n + 1
        d = v - mean
        mean = mean + d / n
        m2 = m2 + d * (v - mean)
        return mean, m2 / n, (n, mean, m2)

    return update(x)


@program(x=np.int64)
def running_max_and_place(x):
    @actor(state=(-1, -1, 0), produces=[1, 1])
    def best(v, s):
        top, place, k = s
        if v > top:
            top, place = v, k
        return top, place, (top, place, k + 1)

    return best(x)


@program(x=np.int64, n=60)
def mode_of_blocks(x):
    @actor(consumes=10, produces=1)
    def mode(b):
        best = b[0]
        most = 0
        for v in b:
            n = 0
            for w in b:
                if w == v:
                    n += 1
            if n > most:
                best, most = v, n
        return best

    return mode(x)


@program(x=np.float64, n=70)
def quantiles(x):
    @actor(consumes=7, produces=[1, 1, 1])
    def cut(b):
        s = np.sort(b)
        return s[0], s[3], s[6]

    return cut(x)


@program(x=np.float64, n=80, rtol=1e-12)
def normalised_blocks(x):
    @actor(consumes=10, produces=10)
    def norm(b):
        return (b - b.mean()) / (b.std() + 1e-9)

    return norm(x)


@program(x=np.float64, y=np.float64, n=80, rtol=1e-12)
def correlations(x, y):
    @actor(consumes=8, produces=1)
    def corr(a, b):
        return np.dot(a, b) / 8

    return corr(x, y), corr(x, x)


@program(x=np.int64)
def reservoir(x):
    @actor(state=(12345, 0, 0), produces=1)
    def sample(v, s):
        seed, n, kept = s
        seed = (seed * 1103515245 + 12345) % 2147483648
        n = n + 1
        if seed % n == 0:
            kept = int(v)
        return kept, (seed, n, kept)

    return sample(x)


@program(x=np.int64)
def big_lcg(x):
    @actor(state=1)
    def draw(v, s):
        s = (s * 25214903917 + 11) & ((1 << 48) - 1)
        return (s >> 17) + v, s

    return draw(x)


@program(x=np.float32)
def means_of_growing(x):
    @actor(consumes=(1, 2, 3), produces=1)
    def mean(b):
        s = np.float32(0)
        for v in b:
            s += v
        return s / np.float32(len(b))

    return mean(x)


@program(x=np.int32)
def alternating_rates(x):
    @actor(consumes=(2, 1), produces=(1, 2))
    def even(b):
        return b[1:].copy() if len(b) == 2 else np.array([b[0], b[0]])

    return even(x)


@program(x=np.int64)
def collatz_lengths(x):
    @actor
    def steps(v):
        n = int(v) + 1
        k = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            k += 1
        return k

    return steps(x)


@program(x=np.float64)
def host_between_rates(x):
    @actor(consumes=3, produces=2, device="python")
    def cut(b):
        return [b.min(), b.max()]

    @actor(consumes=4, produces=1)
    def span(b):
        return b[1] - b[0] + b[3] - b[2]

    return span(cut(x))


@program(x=np.int8)
def small_sums(x):
    @actor(state=0)
    def add(v, s):
        return s + v, s + v

    return add(x)


@program(x=np.float32)
def leaky_from_int(x):
    @actor(state=0)
    def leak(v, s):
        s = s * 0.5 + v
        return s, s

    return leak(x)


@program(x=np.float32)
def two_readers_at_other_rates(x):
    @actor(consumes=2, produces=1)
    def low(b):
        return (b[0] + b[1]) * np.float32(0.5)

    @actor(consumes=[2, 1], produces=2)
    def high(b, m):
        return b - m

    y = low(x)
    return high(x, y), low(y)
