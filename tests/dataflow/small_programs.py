"""Graph functions of many kinds, for comparing with a simulation: rates, windows, states, cycles, hosts, types."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import weft
from weft import dataflow

PROGRAMS: dict[str, tuple] = {}
"""Of each name: the graph function, the types of its inputs, and the tokens of the longest."""


def program(n=60, **types):
    def register(function):
        PROGRAMS[function.__name__] = function, types, n
        return function

    return register


@dataflow.actor
def sq(x):
    return x * x


@dataflow.actor
def plus(a, b):
    return a + b


@dataflow.actor(consumes=3, produces=2)
def three_two(b):
    return b[:2]


@dataflow.actor(consumes=2, produces=4)
def two_four(b):
    return np.array([b[0], b[1], b[0] + b[1], b[0] - b[1]])


@dataflow.actor(consumes=4, produces=4)
def rev(b):
    return b[::-1]


@dataflow.actor(consumes=4, produces=4)
def same4(b):
    return b


@program(x=np.float64)
def rates_chain(x):
    return two_four(three_two(rev(x)))


@program(x=np.float32)
def views_of_tokens(x):
    return same4(rev(x))


@program(x=np.float64)
def add_itself(x):
    return plus(x, x)


@program(x=np.float64)
def kwargs(x):
    return plus(b=sq(x), a=x)


@program(x=np.float64)
def input_out_twice(x):
    return x, x, dataflow.delay(x, [1.0, 2.0])


@program(x=np.int8)
def small_ints(x):
    return sq(x), plus(x, sq(x))


@program(x=np.complex64)
def mixer(x):
    @dataflow.actor(state=0.0)
    def mix(v, ph):
        return v * np.exp(-1j * ph), ph + 0.1

    return mix(x)


@program(x=np.float64)
def biquad(x):
    @dataflow.actor(state=(0.0, 0.0))
    def bq(v, s):
        w = v - 0.3 * s[0] + 0.1 * s[1]
        return w + 2.0 * s[0] + s[1], (w, s[0])

    return bq(bq(x))


@program(x=np.float64)
def lms(x):
    @dataflow.actor(peek=4, state=np.zeros(4))
    def adapt(w, taps):
        y = 0.0
        for k in range(4):
            y += w[k] * taps[k]
        e = w[3] - y
        new = taps + 0.01 * e * w
        return y, new

    return adapt(x)


@program(x=np.float64)
def state_2d(x):
    @dataflow.actor(consumes=2, produces=2, state=np.eye(2))
    def turn(v, m):
        out = m @ v
        return out, m @ np.array([[0.6, -0.8], [0.8, 0.6]])

    return turn(x)


@program(x=np.float64)
def state_nested(x):
    @dataflow.actor(state=((0, 1.5), np.zeros(3)))
    def nest(v, s):
        (k, t), ring = s
        old = ring[k % 3]
        new = ring.copy()
        new[k % 3] = v
        return old * t, ((k + 1, t * 0.9), new)

    return nest(x)


@program(x=np.int64)
def nested_loops(x):
    b1, f1 = dataflow.feedback([1])
    b2, f2 = dataflow.feedback([2, 3])

    @dataflow.actor
    def inner(a, b, c):
        return (a + 2 * b + 3 * c) % 1009

    y = inner(x, b1, b2)
    f1(y)
    z = sq(y)

    @dataflow.actor
    def red(v):
        return v % 101

    f2(red(z))
    return y, z


@program(x=np.float64)
def feedback_read_twice(x):
    b, f = dataflow.feedback([1.0])
    y = plus(x, b)
    z = plus(y, b)

    @dataflow.actor
    def half(v):
        return v / 2

    f(half(z))
    return y, z


@program(x=np.float64)
def delay_in_loop(x):
    b, f = dataflow.feedback([1.0])
    y = plus(x, dataflow.delay(b, [5.0, 6.0]))

    @dataflow.actor
    def half(v):
        return v / 2

    f(half(y))
    return y


@program(x=np.float64)
def delays_of_delays(x):
    return plus(dataflow.delay(dataflow.delay(x, [1.0]), [2.0, 3.0]), dataflow.delay(sq(x), 7.0))


@program(n=84, x=np.int64)
def transpose(x):
    a, b, c = dataflow.split(x, (1, 2, 4))
    return dataflow.join(c, a, b, weights=(4, 1, 2))


@program(x=np.float64)
def split_rates(x):
    a, b = dataflow.split(x, (3, 3))
    return dataflow.join(three_two(a), two_four(three_two(b)), weights=(2, 4))


@program(x=np.float64)
def single_split(x):
    (a,) = dataflow.split(x, (2,))
    return dataflow.join(a)


@program(x=np.float64, y=np.float64, n=66)
def join_inputs(x, y):
    return sq(dataflow.join(x, three_two(y), weights=(1, 2)))


@program(x=np.float64)
def cyclo_zero(x):
    @dataflow.actor(consumes=(1, 2), produces=(0, 1))
    def third(b):
        if len(b) == 1:
            return np.empty(0)
        out = np.empty(1)
        out[0] = b[0] * b[1]
        return out

    return third(x)


@program(x=np.float64)
def cyclo_consume_zero(x):
    @dataflow.actor(consumes=(0, 3), produces=(1, 2))
    def burst(b):
        out = np.full(1 if len(b) == 0 else 2, 9.0)
        if len(b) > 0:
            out[0] = b[0]
            out[1] = b[2]
        return out

    return burst(x)


@program(x=np.float64)
def cyclo_state(x):
    @dataflow.actor(consumes=(1, 3), produces=1, state=0)
    def count(b, n):
        s = 0.0
        for v in b:
            s += v
        return s + n, n + len(b)

    return count(x)


@program(x=np.float64, y=np.float64, n=60)
def cyclo_two(x, y):
    @dataflow.actor(consumes=[(1, 2, 3), (2, 2)], produces=[(1, 0, 1), 1])
    def f(a, b):
        s = np.sum(a) + b[0] * b[1]
        return (np.full(len(a) % 2, s), s * 2)

    return f(x, y)


@program(x=np.float64)
def peeks_both(x):
    @dataflow.actor(consumes=[1, 2], peek=[3, 5])
    def f(a, b):
        return a[0] + a[2] * b[4] - b[0]

    return f(x, two_four_half(x))


@dataflow.actor(consumes=1, produces=2)
def two_four_half(v):
    return np.array([v, v + 1])


@program(x=np.float64)
def peek_chain(x):
    @dataflow.actor(peek=3)
    def s(w):
        return w[0] + w[1] + w[2]

    @dataflow.actor(consumes=2, peek=7)
    def m(w):
        return np.max(w)

    return m(s(x)), s(s(s(x)))


@program(x=np.int64)
def peek_in_loop(x):
    b, f = dataflow.feedback([1, 2, 3, 4])

    @dataflow.actor(peek=[1, 3])
    def g(v, w):
        return (v + w[0] * 2 + w[2]) % 97

    y = g(x, b)
    f(y)
    return y


@program(x=np.float64)
def stages(x):
    def stage(k):
        @dataflow.actor
        def add(v):
            return v * 2 + k

        return add

    for k in range(5):
        x = stage(k)(x)
    return x


@program(x=np.float64)
def filter_bank(x):
    outs = []
    for n in (3, 5, 8):
        outs.append(fir(np.hanning(n + 2)[1:-1])(x))
    return plus(plus(outs[0], outs[1]), outs[2])


def fir(taps):
    n = len(taps)

    @dataflow.actor(peek=n)
    def weighed(w):
        return np.sum(w * taps)

    return weighed


@program(x=np.float64)
def branches(x):
    @dataflow.actor(consumes=3, produces=1)
    def pick(b):
        if b[0] > b[1]:
            if b[0] > b[2]:
                return b[0]
            return b[2]
        k = 0
        while k < 2 and b[k] < b[2]:
            k += 1
        return b[k]

    return pick(x)


@program(x=np.float64)
def patterns_inside(x):
    @dataflow.actor(consumes=6, produces=[6, 1, 3])
    def f(b):
        return weft.scan("add", b), weft.reduce("maximum", b), b.reshape(3, 2).sum(axis=1)

    return f(x)


@program(x=np.float64)
def sorts(x):
    @dataflow.actor(consumes=5, produces=5)
    def f(b):
        return np.sort(b)

    @dataflow.actor(consumes=5, produces=1)
    def med(b):
        return b[2]

    return med(f(x))


@program(x=np.float64)
def lambdas(x):
    return dataflow.actor(lambda v: v + 1)(dataflow.actor(consumes=2, produces=1)(lambda p: p[0] * p[1])(x))


@program(x=np.float64)
def hosts(x):
    @dataflow.actor(consumes=2, produces=[1, 2], device="python", dtype=[np.float32, np.int64])
    def h(b):
        return np.float32(b[0]), [int(b[1] * 10), 3]

    a, b = h(sq(x))
    return sq(a), b


@program(x=np.float64)
def host_peek(x):
    @dataflow.actor(consumes=2, peek=5, device="python")
    def h(b):
        return float(np.median(b))

    return plus(h(sq(x)), h(x))


@program(x=np.float64)
def host_cyclo(x):
    @dataflow.actor(consumes=(1, 2), produces=(2, 1), device="python", state=[])
    def h(b, s):
        s = s + list(b)
        return ([s[-1], len(s)] if len(b) == 1 else [sum(s[-2:])]), s

    return sq(h(sq(x)))


@program(x=np.float64)
def source_beside(x):
    @dataflow.actor(state=0, produces=1)
    def ticks(n):
        return n * 1.0, n + 1

    return plus(ticks(), x)


@program(x=np.float64)
def noise_beside(x):
    @dataflow.actor(state=12345, produces=2)
    def lcg(s):
        a = (s * 1103515245 + 12345) % 2147483648
        b = (a * 1103515245 + 12345) % 2147483648
        return np.array([a / 2147483648, b / 2147483648]), b

    return plus(x, lcg())


@program(x=np.float64)
def unused_output(x):
    @dataflow.actor(produces=[1, 2])
    def f(v):
        return v + 1, np.array([v, v])

    a, b = f(x)
    return a


@program(x=np.float64)
def subgraphs(x):
    def echo(v):
        b, f = dataflow.feedback([0.0])
        y = plus(v, dataflow.actor(lambda u: u * 0.5)(b))
        f(y)
        return y

    g = dataflow.graph(echo, v=np.float64)
    return g(g(echo(x)))


@program(x=np.float64, n=700)
def coprime(x):
    @dataflow.actor(consumes=7, produces=11)
    def f(b):
        return np.arange(11.0) * b[3] + b[0]

    @dataflow.actor(consumes=13, produces=5)
    def g(b):
        return b[4:9] + b[12]

    return g(f(x))


@program(x=np.bool_)
def bools(x):
    @dataflow.actor(consumes=3, produces=1)
    def maj(b):
        return (b[0] and b[1]) or (b[1] and b[2]) or (b[0] and b[2])

    @dataflow.actor
    def no(v):
        return not v

    return no(maj(x)), maj(no(x))


@program(x=np.uint8)
def bits(x):
    @dataflow.actor(produces=8)
    def unpack(v):
        out = np.empty(8, np.bool_)
        for k in range(8):
            out[k] = (v >> (7 - k)) & 1 == 1
        return out

    @dataflow.actor(consumes=8, produces=1)
    def pack(b):
        v = 0
        for k in range(8):
            v = v * 2 + b[k]
        return np.uint8(v)

    @dataflow.actor(consumes=5, produces=5)
    def rot(b):
        return np.roll(b, 1)

    return pack(rot(unpack(x)))


@program(x=np.int16, y=np.float32)
def mixed_types(x, y):
    return plus(x, y), sq(x)


@program(x=np.float64)
def fft_block(x):
    @dataflow.actor(consumes=8, produces=8)
    def f(b):
        return np.fft.fft(b)

    @dataflow.actor
    def power(z):
        return z.real**2 + z.imag**2

    return power(f(x))


@program(x=np.float64, n=96)
def dct_by_loops(x):
    @dataflow.actor(consumes=8, produces=8)
    def dct(b):
        out = np.zeros(8)
        for k in range(8):
            for n in range(8):
                out[k] += b[n] * math.cos(math.pi / 8 * (n + 0.5) * k)
        return out

    return dct(x)


@program(x=np.float64, y=np.float64, n=63)
def matvec(x, y):
    @dataflow.actor(consumes=[9, 3], produces=3)
    def mv(m, v):
        return m.reshape(3, 3) @ v

    return mv(x, y)


@program(x=np.int8)
def loop_types(x):
    b, f = dataflow.feedback(np.int8([1]))

    @dataflow.actor
    def wide(v):
        return v * np.int16(300)

    @dataflow.actor
    def add8(v, w):
        return v + w

    y = add8(x, b)
    f(wide(y))
    return y


@program(x=np.float32)
def loop_types_float(x):
    b, f = dataflow.feedback([1])

    @dataflow.actor
    def e(v, w):
        return v + w / 2

    y = e(x, b)
    f(y)
    return y


@program(x=np.int64)
def delay_of_ints_in_floats(x):
    return plus(dataflow.delay(dataflow.actor(lambda v: v / 2)(x), [1, 2]), x)


class Point(NamedTuple):
    x: float
    y: float


@program(x=np.float64, y=np.float64)
def named_state(x, y):
    @dataflow.actor(state=Point(0.0, 0.0))
    def distance(a, b, last):
        return math.hypot(a - last.x, b - last.y), Point(a, b)

    return distance(x, y)


@program(x=np.float64)
def named_state_that_ends_as_a_tuple(x):
    @dataflow.actor(state=Point(0.0, 0.0))
    def swapped(a, last):
        return a - last[0], (last[1], a)

    return swapped(x)


@program(x=np.float64)
def two_loops_rates(x):
    b, f = dataflow.feedback([0.0] * 4)

    @dataflow.actor(consumes=[3, 2], produces=[3, 4])
    def g(a, c):
        return a + c[0], np.array([a[0], a[1], c[0], c[1]]) * 0.5

    y, z = g(x, b)
    f(three_two_b(z))
    return y


@dataflow.actor(consumes=4, produces=2)
def three_two_b(b):
    return b[1:3] - b[0]
