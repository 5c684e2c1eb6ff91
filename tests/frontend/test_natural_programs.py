"""Programs as users write them, over the whole language and in surprising combinations: as CPython computes them."""

# Written as users write: short names, statements in all forms.
# ruff: noqa: E731, SIM

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import weft

from .compare import check

CASES: list[Any] = []
RNG = np.random.default_rng(1)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def integers(*shape: int) -> np.ndarray:
    return RNG.integers(-9, 10, shape)


def case(*args: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """One call of the program below."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        CASES.append(pytest.param(function, args, id=f"{function.__name__}-{len(CASES)}"))
        return function

    return register


@case(10)
@case(11)
def while_else(n):
    k = 0
    while k < n:
        if k * k == 100:
            break
        k += 1
    else:
        return (-1, k)
    return (1, k)


@case(np.array([3, 1, 4, 1, 5, 9, 2, 6]), 5)
@case(np.array([3, 1, 4, 1, 5, 9, 2, 6]), 50)
def nested_break_else(a, t):
    found = -1
    for i in range(len(a)):
        for j in range(i):
            if a[i] + a[j] == t:
                found = i * 100 + j
                break
        else:
            continue
        break
    else:
        found = -2
    return found


@case(floats(5), floats(5), 3)
def swap_tuple(a, b, n):
    t = (a, b)
    for k in range(n):
        for i in range(1, 5):
            t[1][i] = t[0][i - 1] * 0.5
        t = (t[1], t[0])
    return t[0]


@case(integers(20))
def walrus(a):
    s = 0
    i = 0
    while i < len(a) and (v := a[i]) != 7:
        if (w := (v * 2)) > 4:
            s += w
        i += 1
    return (s, i)


@case(floats(6), 2.0)
def clos(a, k):

    def mul(c):

        def inner(x):
            return x * c + k

        return inner

    g = mul(3.0)
    h = lambda x: g(g(x))
    for i in range(a.size):
        a[i] = h(a[i])
    return a


@dataclass
class V:
    x: float
    y: float = 2.0
    z: float = 1.0

    @property
    def norm(self):
        return math.sqrt(self.x**2 + self.y**2 + self.z**2)

    def scaled(self, k=2.0, *, off=0.0):
        return V(self.x * k + off, self.y * k + off, self.z * k + off)

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y, self.z + o.z)

    def __mul__(self, k):
        return V(self.x * k, self.y * k, self.z * k)

    __rmul__ = __mul__

    def __neg__(self):
        return V(-self.x, -self.y, -self.z)

    def __lt__(self, o):
        return self.norm < o.norm

    def __getitem__(self, i):
        return (self.x, self.y, self.z)[i]

    def __len__(self):
        return 3

    def __bool__(self):
        return self.x != 0


T = np.dtype([("p", [("x", np.float64), ("y", np.float32)]), ("k", np.int16, (2,))])


def mkT():
    a = np.zeros(6, T)
    a["p"]["x"] = np.arange(6) * 0.3
    a["p"]["y"] = np.arange(6) * 1.5
    a["k"] = np.arange(12).reshape(6, 2)
    return a


@case(mkT())
def nested_struct(a):
    s = 0.0
    for i in range(a.shape[0]):
        a[i]["p"]["x"] += a["p"]["y"][i]
        a["k"][i, 1] = a[i]["k"][0] * 2
        s += a["p"]["x"][i] + a["k"][i][1]
    return s


@case(np.array(3.0), np.array(4))
def zerod(a, b):
    a[()] = a[()] + b[()]
    return (a, float(a) + int(b), a * 2 if b > 3 else a[()])


@case(floats(9))
def negsteps(a):
    b = a[::-1]
    c = a[7:1:-2]
    s = 0.0
    for i in range(8, -1, -3):
        s += b[i]
    for x in c:
        s = s * 0.5 + x
    for i in reversed(range(1, 9, 2)):
        s -= a[i]
    return (s, c.shape[0])


@case(floats(6), integers(6))
def enumzip(a, b):
    s = 0.0
    for i, (x, y) in enumerate(zip(a, b[::-1]), start=3):
        s += i * x * y
    for (i, x), y in zip(enumerate(a), b):
        s += i * x - y
    for x, y in zip(reversed(a), range(10, 0, -2)):
        s += x * y
    return s


@case(np.array([1 + 2j, 3 - 1j, 0j], np.complex64), np.array([1, 2.5, -3], np.float16))
def cplx(a, h):
    s = 0j
    t = h[0]
    for i in range(3):
        s += a[i] * h[i] / (1 + 2j)
        t = t * h[i] + h[i]
        a[i] = a[i].conjugate() * 1j + abs(a[i])
    return (s, t, a[0].real, a[1].imag, s.real)


@case(-7, 2)
@case(7, -2)
@case(-7.5, 2.0)
@case(-7, -2)
@case(np.int8(-7), np.int8(2))
@case(np.uint8(7), np.int8(-2))
@case(np.float32(-7.25), np.float32(2))
def dm(a, b):
    q, r = divmod(a, b)
    return (q, r, a // b, a % b)


@case(-2.5)
@case(2.5)
@case(0.5)
@case(-0.5)
@case(1.5)
@case(np.float32(2.5))
@case(np.float64(-3.5))
@case(7)
@case(np.int16(-7))
def rounds(x):
    return (round(x), int(x), abs(x))


@case(-2.675)
@case(1234.5678)
@case(np.float64(2.675))
def rounds2(x):
    return (round(x, 2), round(x, 0))


@case(np.array([-3, 2, 5]))
def powi(a):
    s = 0
    for i in range(3):
        s += a[i] ** 2 + pow(a[i], 3) + 2**i
    return (s, 2**10, 2.0 ** (-1), (-2) ** 3, 2 ** (-1))


@case(1, 2, 3)
@case(3, 2, 1)
@case(2, 2, 3)
@case(0.5, 1, np.int8(3))
def chained(a, b, c):
    return (a < b < c, a <= b != c, a == b < c, (a < b) < c, not a < b < c)


@case(np.array([1.0, 2, 3]), 2.0)
@case(np.array([1.0, 2, 3]), 5.0)
def early_tuples(a, t):
    for i in range(len(a)):
        if a[i] == t:
            return (i, a[i], True)
    return (-1, 0.0, False)


class Pt(NamedTuple):
    x: float
    y: float = 1.5

    def dist(self, other):
        return math.hypot(self.x - other.x, self.y - other.y)

    @property
    def sq(self):
        return self.x * self.x + self.y * self.y


@dataclass
class Counter:
    n: int = 0
    total: float = 0.0

    def add(self, v):
        self.n += 1
        self.total += v

    @property
    def mean(self):
        return self.total / self.n if self.n else 0.0


@dataclass(frozen=True)
class Grid:
    data: np.ndarray
    dx: float = 0.5

    def at(self, i, j):
        return self.data[i % self.data.shape[0], j % self.data.shape[1]]

    def lap(self, i, j):
        return (
            self.at(i - 1, j) + self.at(i + 1, j) + self.at(i, j - 1) + self.at(i, j + 1) - 4 * self.at(i, j)
        ) / self.dx**2


@case(floats(6, 2))
def namedt(a):
    p = Pt(0.0)
    best = (p, 1000000000.0)
    for i in range(len(a)):
        q = Pt(a[i, 0], a[i, 1])
        d = q.dist(p)
        if d < best[1]:
            best = (q, d)
    (x, y), d = best
    return (best, x + y, q._replace(y=3.0), q.sq, q == best[0])


@case(floats(8))
def counter(a):
    c = Counter()
    d = Counter(total=2.0)
    for v in a:
        if v > 0:
            c.add(v)
        else:
            d.add(-v)
    return (c, d.mean, c.n)


@case(Grid(floats(4, 5)), np.zeros((4, 5)))
def grid(g, out):
    for i in range(4):
        for j in range(5):
            out[i, j] = g.lap(i, j)
    return out


@case(5)
@case(0)
def loopvar_after(n):
    i = -1
    for i in range(n):
        pass
    return i


@case(0)
@case(3)
def loopvar_unbound(n):
    for i in range(n):
        pass
    return i


@case(integers(5))
def minkey(a):
    return (
        min(a[0], a[1], a[2]),
        max(a[0], 3),
        abs(a[3]),
        any((x > 3 for x in a)),
        all((x > -100 for x in a)),
        sum((x * 2 for x in a)),
    )


@case(np.array([1, 2, 3], np.uint8), np.array([250, 251, 252], np.uint8))
def wrap(a, b):
    s = a[0]
    for i in range(3):
        s = s + b[i]
        a[i] += b[i]
        a[i] = a[i] << 3
    return (s, ~a[0], -a[1], a[2] - b[0], a[0] // b[0], a[1] % 7, a[1] ** 2, a[0] >> 1)


@case(floats(7))
def cond_mix(a):
    r = 0
    for i, x in enumerate(a):
        r = r + 1 if x > 0 else r - 1 if x < -1 else r * 2
        if not (0 < x < 1 or (x < -0.5 and i > 2)):
            continue
        r ^= i
    return r


@case(3)
@case(-3)
def raises(n):
    if n < 0:
        raise ValueError(f"negative: {n}")
    if not n > 5:
        raise AssertionError("too small")
    return n


@case(10, 0)
@case(10, 3)
def zerodiv(a, b):
    s = 0
    for i in range(3):
        s += a // (b - i)
    return s


@case(np.array([5, 3, 8, 1]))
def sort(a):
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = (a[j + 1], a[j])
    return a


@case(floats(4, 4))
def views(a):
    for row in a:
        row[0] = row[1:].sum() if False else row[1] + row[2]
    b = a.T
    for i, r in enumerate(b[1:-1]):
        r[::2]
        for j in range(len(r)):
            r[j] += i
    c = a[1:, ::-1][::2]
    c[0, 0] = 99
    d = a[..., -1]
    e = a[None, 0]
    f = a[-1]
    d[1] = e[0, 1] + f[2]
    return (a, d.shape, e.shape)


@case(10)
def fib(n):
    a, b = (0, 1)
    for _ in range(n):
        a, b = (b, a + b)
    return (a, b)


@case(27)
def collatz(n):
    k = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        k += 1
    return k


@case(48, 18)
def gcd(a, b):
    while b:
        a, b = (b, a % b)
    return (a, math.gcd(48, 18))


def helper(x, *, k=2, m=3):
    return x * k + m


def helper2(*xs):
    s = 0
    for x in xs:
        s += x
    return s


@case(floats(4))
def kw(a):
    s = 0.0
    for x in a:
        s += helper(x, m=1) + helper(x) + helper2(x, 1, 2.0)
    return s


@case(floats(4))
def starred(a):
    t = (1, 2, 3, 4)
    x, *y, z = t
    u = (*y, x)
    return (u, z, t[-1], t[1:3], len(t), t + (5,), t == (1, 2, 3, 4), 3 in t)


@case(2.0, 3)
def typemix(x, n):
    s = 0
    for i in range(n):
        s += x * i
    return s


@case(np.float32(1.1), np.float64(2.2))
def f32(a, b):
    return (a + 1, a * 2.0, a + b, a / 3, -a, a**2, a == 1.1, int(a), float(a), math.sqrt(a), np.sqrt(a), bool(a))


@case(0.0)
@case(1.0)
@case(-0.0)
def div0(x):
    return 1 / x


@case(np.float64(0.0))
def div0n(x):
    return (1 / x, x / x, -1 / x)


@case(2, -1)
def pw(a, b):
    return (2.0**b, a**2, (a + 0.0) ** b)


@case(5)
def deep(n):
    tot = 0
    for i in range(n):
        for j in range(i, n):
            k = j
            while k > i:
                if k % 3 == 0:
                    break
                for m in range(k):
                    if m == 2:
                        break
                    tot += m
                else:
                    tot += 100
                k -= 1
            else:
                tot += 1000
                continue
            if tot > 5000:
                return (tot, i, j)
    return (tot, -1, -1)


@case(np.array([True, False, True]))
def bools(b):
    c = 0
    x = True
    for i in range(3):
        c += b[i]
        x = x and b[i]
    return (c, x, b[0] | b[1], b[0] & True, not b[1], b[0] ^ b[2], ~b[1], b[0] + b[2], True + True)


@case(floats(5), floats(5))
def localarr(a, b):
    n = len(a)
    t = np.empty(n)
    u = np.zeros((n, 2), dtype=np.int32)
    w = np.full(3, 7)
    z = np.ones_like(a)
    for i in range(n):
        t[i] = a[i] * b[i]
        u[i, 0] = i
        u[i, 1] = -i
        w[i % 3] += i
        z[i] += t[i]
    return (t, u, w, z)


@case(floats(6, 3))
def privarr(a):
    out = np.zeros(6)
    for i in range(6):
        t = np.empty(3)
        for j in range(3):
            t[j] = a[i, j] ** 2
        for j in range(3):
            out[i] += t[j] * t[2 - j]
    return out


G = 3


GA = np.arange(5.0)


@case(floats(5))
def glob(a):
    for i in range(5):
        a[i] = a[i] * G + GA[i]
    return a


@case(floats(6))
def lam(a):
    fs = (lambda x: x + 1, lambda x: x * 2, math.sin, abs)
    s = 0.0
    for f in fs:
        for i in range(6):
            s += f(a[i])
    return s


@case(5)
def deflam(n):
    s = 0

    def add(k, w=n):
        nonlocal s
        s += k * w

    for i in range(n):
        add(i)
    add(1, w=2)
    return s


@case(integers(6), 3)
def inn(a, v):
    c = 0
    for i in range(6):
        if a[i] in (1, 2, 3, v):
            c += 1
        if a[i] not in (0,):
            c += 10
    return c


@case(np.arange(12).reshape(3, 4))
def idx(a):
    s = 0
    for i in range(-3, 3):
        s += a[i, -1] * i
    return (s, a[-1][-2], a[1, 2])


@case(4)
def oob(n):
    a = np.zeros(3)
    for i in range(n):
        a[i] = i
    return a


@case(floats(4, 6))
def argm(a):
    bi = bj = 0
    b = a[0, 0]
    for i in range(4):
        for j in range(6):
            if a[i, j] > b:
                b = a[i, j]
                bi, bj = (i, j)
    return (b, bi, bj)


@case("abc", 3)
def strs(s, n):
    return len(s) if s == "abc" else n


@case(None)
@case(3)
def opt(x=None):
    if x is None:
        return 1
    return x * 2


@case(1.0, 2)
def assigns(a, b):
    x = y = a
    x += b
    y -= x
    z = x // y
    z **= 2
    z %= 3
    q = b
    q <<= 3
    q |= 1
    q &= ~4
    q ^= 2
    q >>= 1
    return (x, y, z, q)


@case(integers(10))
def comp(a):
    out = np.zeros(10, np.int64)
    k = 0
    for x in a:
        if x > 0:
            out[k] = x
            k += 1
    return out[:k]


@case(-1)
@case(1)
def unboundv(n):
    if n > 0:
        x = 5
    return x


@case(np.zeros(10, np.float32), 3.7)
def storeconv(a, x):
    for i in range(10):
        a[i] = x * i
    a[0] = True
    a[1] = 10**7
    return a


@case(np.zeros(3, np.int8), 300)
def storeover(a, x):
    a[0] = x
    return a


@case(np.zeros(3, np.int8), 2.9)
def storetrunc(a, x):
    a[0] = x
    a[1] = -x
    return a


@case(floats(5))
def math_fn(a):
    s = 0.0
    for x in a:
        s += (
            math.floor(x)
            + math.ceil(x)
            + math.trunc(x)
            + math.atan2(x, 1)
            + math.exp(-x * x)
            + math.copysign(1, x)
            + math.fmod(x, 0.3)
            + math.isnan(x)
            + math.pi
            + math.erf(x)
            + math.log1p(abs(x))
            + math.gamma(3.0)
        )
    return s


@case(-1.0)
def mdom(x):
    return math.sqrt(x)


@case(1000.0)
def movf(x):
    return math.exp(x)


@case(floats(5))
def npfn(a):
    s = 0.0
    for x in a:
        s += (
            np.maximum(x, 0)
            + np.sign(x)
            + np.abs(x)
            + np.floor(x)
            + np.where(x > 0, 1, 2)
            + np.clip(x, -1, 1)
            + np.hypot(x, 1)
            + np.isfinite(x)
            + np.float32(x)
            + np.int64(x)
            + np.minimum(x, 2)
            + np.power(x, 2)
        )
    return s


@case(floats(6), floats(6), 5)
def pingpong(a, b, n):
    bufs = (a, b)
    for t in range(n):
        src, dst = (bufs[t % 2], bufs[(t + 1) % 2])
        for i in range(1, len(src) - 1):
            dst[i] = (src[i - 1] + src[i + 1]) * 0.5
    return (bufs[n % 2], bufs[0])


@case(floats(3), floats(3))
def tupeq(a, b):
    return ((a[0], a[1]) == (b[0], b[1]), (a[0], 1) != (a[0], 1), (a[0], 2) < (a[0], 3), (1, 2) < (1, 2, 3))


@case(integers(12))
def whilemess(a):
    i = 0
    out = 0
    while True:
        if i >= len(a):
            break
        j = i
        while j < len(a) and a[j] >= 0:
            j += 1
            if j - i > 3:
                break
        else:
            out += 100
            i = j + 1
            continue
        out += 1
        i = j + 1 if j > i else i + 1
    return (out, i)


@case(floats(10))
def walrusloop(a):
    i = 0
    while (k := (i * 2)) < len(a) and (x := a[k]) < 5:
        if (y := (x * x)) > 1:
            i += 2
        else:
            i += 1
    return (i, k, x, y if i > 0 else 0.0)


def compose(f, g):

    def h(x):
        return f(g(x))

    return h


@case(floats(5))
def closclos(a):
    s = 0.0
    inc = lambda d: lambda x: x + d
    f = compose(inc(1), compose(inc(2.5), abs))
    for x in a:
        s += f(x)
    return s


@dataclass
class Cfg:
    scale: float = 2.0
    shape: tuple = (3, 4)
    flag: bool = True
    n: int = 3

    def area(self, extra=1):
        return self.shape[0] * self.shape[1] + extra

    @staticmethod
    def sq(x):
        return x * x

    @classmethod
    def make(cls, s):
        return cls(scale=s, n=7)

    @property
    def both(self):
        return (self.scale, self.n)


@case(Cfg(), floats(4))
def cfg(c, a):
    t = 0.0
    d = Cfg.make(1.5)
    for i in range(c.n):
        t += a[i] * c.scale + c.area() + c.area(extra=2) + Cfg.sq(i) + c.sq(2)
        if c.flag:
            t -= d.scale
    s, n = d.both
    return (t, s, n, d.shape[1])


@case(Cfg())
def retcfg(c):
    c.scale *= 2
    c.n += 1
    return dataclasses.replace(c, flag=False)


@case(np.arange(24.0).reshape(2, 3, 4))
def neg3(a):
    b = a[::-1, :, ::-2]
    s = 0.0
    for i in range(b.shape[0]):
        for j in range(-1, -b.shape[1] - 1, -1):
            for k in reversed(range(b.shape[2])):
                s = s * 0.5 + b[i, j, k]
    return (s, b.shape, b.T.shape, b[-1].ndim)


@case(integers(7), integers(5), floats(9))
def zip3(a, b, c):
    s = 0.0
    for i, (x, y, z) in enumerate(zip(a, b, c[::2]), 2):
        s += i * x - y * z
    for x, i in zip(a[::-1], range(20, 0, -3)):
        s += x * i
    for (i, x), (j, y) in zip(enumerate(a), enumerate(b, 10)):
        s += i * y - j * x
    return s


@case(np.array([1.5, -2.25, 60000.0], np.float16))
def h16(h):
    a = h[0] * h[1]
    b = h[2] + h[2]
    c = h[0] / np.float16(3)
    d = h[0] ** 2
    e = h[0] + 1
    f = h[0] * 1.1
    g = -h[1]
    i = abs(h[1])
    j = h[0] // np.float16(0.4)
    k = h[1] % np.float16(0.7)
    return (a, b, c, d, e, f, g, i, j, k, float(h[0]), int(h[1]), math.sqrt(h[0]), h[0] < h[1], np.sqrt(h[0]))


@case(np.array([1 + 2j, -3.5j, 2.0]), 2 - 1j)
def cx(a, z):
    s = a[0] * a[1] + a[2] / a[0] - z
    t = a[0] ** 2
    u = z * 2
    v = abs(a[1])
    w = a[0] == a[0].conjugate().conjugate()
    return (s, t, u, v, w, a[0].real, z.imag, z.conjugate(), -a[1], complex(1, 2) * a[2], a[0] != z, z + 1)


@case(3, 4)
@case(-3, 3)
def powi_again(a, b):
    return (a**2, a**3, pow(a, 2), 2**3, (-2) ** 3, a**0, 2.5**b, b**2.0, a**5 % 7)


@case(np.int32(3), np.int64(2), np.uint8(200))
def pownp(a, b, c):
    return (a**2, a**b, c**2, c + c, a * a, b - c, c >> 1, a << 2, ~c, -c)


@case(1.5, 2, np.float32(2))
def chain(a, b, c):
    return (1 < a < b <= c, a < b > c, (1 < a) != 0, not a < b or c > 1, a if a > b else b, 0 < a and 5)


@case(integers(6))
@case(integers(6) + 100)
@case(integers(6) - 100)
def early(a):
    for i in range(len(a)):
        for j in range(i, len(a)):
            if a[i] + a[j] > 150:
                return ((i, j), "big" if False else 1)
            if a[i] + a[j] < -150:
                return ((j, i), 2)
    return ((-1, -1), 0)


@case(floats(4, 4), floats(4, 4))
def matmul(a, b):
    c = np.zeros_like(a)
    for i, row in enumerate(a):
        for j, col in enumerate(b.T):
            c[i, j] = sum((x * y for x, y in zip(row, col)))
    return c


@case(integers(9))
def gens(a):
    return (
        sum((1 for x in a if x > 0)),
        any((x == 3 for x in a)),
        all((x < 10 for x in a)),
        sum((i * x for i, x in enumerate(a))),
        sum((x * y for x in a for y in (1, 2, 3))),
    )


@case(np.array([[1, 2], [3, 4]], np.uint8))
def u8(a):
    t = 0
    for row in a:
        for x in row:
            t += x
    s = a[0, 0]
    for i in range(300):
        s += a[1, 1]
    return (t, s)


@case(floats(5))
def nestedfun(a):

    def outer(k):
        t = 0.0

        def inner(i):
            nonlocal t
            t += a[i] * k
            return t

        for i in range(len(a)):
            last = inner(i)
        return (last, t)

    x, _ = outer(2)
    _, y = outer(-1.0)
    return (x, y)


@case(3)
@case(0)
def forelse(n):
    for i in range(n):
        if i == 5:
            break
    else:
        i = -1
    return i


@case(np.arange(10))
def swapel(a):
    i, j = (0, len(a) - 1)
    while i < j:
        a[i], a[j] = (a[j], a[i])
        i += 1
        j -= 1
    a[i], i = (i, a[i])
    return (a, i)


@case(np.zeros(5, dtype=[("a", "i4"), ("b", "f8", (2, 2))]))
def recs(r):
    for i, x in enumerate(r):
        x["a"] = i
        x["b"][i % 2, 1] = i * 0.5
        r[i]["b"][0, 0] += x["a"]
    r[0]["a"], r[1]["a"] = (r[1]["a"], r[0]["a"])
    return (r["b"][:, 0, 0], r["a"].shape)


@case(5, -2)
def floorneg(a, b):
    return (a // b, a % b, -a // b, -a % b, -a % -b, a >> 1, -a >> 1, a << 3, ~a, a & b, a | b, a ^ b)


@case(True, False)
def boolops(p, q):
    return (p + q, p * 3, p & q, p | q, p ^ q, not p, p and 5, q or 7, p < q, -p, ~np.bool_(p), int(p), p == 1)


@case(floats(3), np.array([1, 0, 2]))
def ind(a, p):
    b = np.empty_like(a)
    for i in range(3):
        b[p[i]] = a[p[p[i]]]
    a[p[0]] += 1
    a[-p[0]] *= 2
    return (b, a)


@case(floats(8))
def accum(a):
    m = a[0]
    im = 0
    s = 0.0
    q = 1.0
    c = 0
    allpos = True
    for i in range(1, len(a)):
        s += a[i]
        q *= 1 + abs(a[i])
        c += a[i] > 0
        allpos = allpos and a[i] > -3
        if a[i] > m:
            m, im = (a[i], i)
    return (m, im, s, q, c, allpos)


@case(10)
def sieve(n):
    f = np.ones(n + 1, dtype=np.bool_)
    f[0] = f[1] = False
    i = 2
    while i * i <= n:
        if f[i]:
            for j in range(i * i, n + 1, i):
                f[j] = False
        i += 1
    return f


@case(6)
def pascal(n):
    t = np.zeros((n, n), np.int64)
    for i in range(n):
        t[i, 0] = 1
        for j in range(1, i + 1):
            t[i, j] = t[i - 1, j - 1] + t[i - 1, j]
    return t


@case(integers(7))
def insertion(a):
    for i in range(1, len(a)):
        k = a[i]
        j = i - 1
        while j >= 0 and a[j] > k:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = k
    return a


@case(np.arange(20), 7)
def bsearch(a, t):
    lo, hi = (0, len(a))
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < t:
            lo = mid + 1
        else:
            hi = mid
    return lo


@pytest.mark.sample(2)
@pytest.mark.parametrize(("function", "args"), CASES)
def test_in_the_interpreter(function, args):
    check(function, *args, types=False)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_compiled(function, args):
    for_python, for_weft = copy.deepcopy(args), copy.deepcopy(args)
    kind, expected = outcome(lambda: function(*for_python))
    found_kind, found = outcome(lambda: weft.jit(function, device="cpu")(*for_weft))
    assert (found_kind, found if kind != "returned" else "") == (kind, expected if kind != "returned" else "")
    assert_close(found, expected)
    assert_close(for_weft, for_python)


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    try:
        with np.errstate(all="ignore"):
            return "returned", call()
    except Exception as error:
        return type(error).__name__, str(error)


def assert_close(found: Any, expected: Any) -> None:
    """Equal, but for the roundings of sums that are folded in another order."""
    if dataclasses.is_dataclass(expected):
        found, expected = (tuple(vars(value).values()) for value in (found, expected))
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            assert_close(a, b)
    elif isinstance(expected, np.ndarray) and expected.dtype.names:
        assert found.tobytes() == expected.tobytes()
    elif isinstance(expected, (np.ndarray, float, complex, np.number)):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    else:
        assert found == expected
