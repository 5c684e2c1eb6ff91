"""Further programs that run kernels written by hand, all with three arrays of one length."""

from __future__ import annotations

import numpy as np

from tests.autotune.foreign_kernels import scale


def two_kernels_then_loop(x, y, z):
    scale(x, y, 2)
    scale(y, z, 3)
    for i in range(len(x)):
        x[i] = z[i] - y[i]


def kernel_in_while(x, y, z):
    k = 0
    while k < 4:
        if k % 2 == 0:
            scale(x, y, 1.5)
        else:
            scale(y, x, 0.5)
        k += 1
    for i in range(len(z)):
        z[i] = x[i] + y[i]


def local_array_swap(x, y, z):
    t = np.zeros_like(x)
    for s in range(3):
        scale(x, t, 2)
        x, t = t, x
    for i in range(len(z)):
        z[i] = x[i] + t[i]


def reduce_between(x, y, z):
    scale(x, y, 2)
    s = np.float32(0)
    for i in range(len(y)):
        s = max(s, y[i])
    scale(y, z, s)
    return s


def host_element(x, y, z):
    for t in range(3):
        scale(x, y, t + 1)
        x[t % len(x)] = y[0] + t
    scale(x, z, 1)


def nested(x, y, z):
    a = x.reshape(-1)
    for r in range(2):
        for q in range(2):
            if r != q:
                scale(a, y, r + q)
            else:
                for i in range(len(y)):
                    y[i] = y[i] + r
        for i in range(len(z)):
            z[i] = z[i] + y[i]


def early(x, y, z):
    scale(x, y, 2)
    if y[0] > 0:
        return 1
    scale(y, z, 2)
    return 2


def broken_loop(x, y, z):
    for t in range(10):
        scale(x, y, 1.5)
        for i in range(len(x)):
            x[i] = y[i]
        if abs(x[0]) > 100:
            break
    return t


def tuple_of(x, y, z):
    for a, b in ((x, y), (y, z)):
        scale(a, b, 2)


def aug(x, y, z):
    scale(x, y, 2)
    y += 1
    scale(y, z, 2)
    z *= y
    x[:] = z


def slices(x, y, z):
    h = len(x) // 2
    scale(x[:h], y[h : 2 * h], 2)
    scale(x[h : 2 * h], y[:h], 3)
    z[:] = y


def partial_n(x, y, z):
    for t in range(4):
        scale(x, y, t, t)
    for i in range(len(z)):
        z[i] = y[i]


def in_try(x, y, z):
    try:
        scale(x, y, 2)
        z[0] = 1 / (len(x) - len(x))
    except ZeroDivisionError:
        scale(x, z, 3)


PROGRAMS = (
    two_kernels_then_loop,
    kernel_in_while,
    local_array_swap,
    reduce_between,
    host_element,
    nested,
    early,
    broken_loop,
    tuple_of,
    aug,
    slices,
    partial_n,
    in_try,
)
