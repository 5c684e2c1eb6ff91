"""Bits that are moved down, masked and moved up again are moved once, and are NumPy's."""

import numpy as np
import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


def packed(r, g, b, out):
    """Pixels of 5, 6 and 5 bits, of a type that has more."""
    for i in range(len(out)):
        out[i] = ((r[i] >> 3) & 31) << 11 | ((g[i] >> 2) & 63) << 5 | ((b[i] >> 3) & 31)


def turned(x, out):
    """The bits of each number from the other end, in a loop over them."""
    for i in range(len(x)):
        y = 0
        for k in range(16):
            y |= ((x[i] >> k) & 1) << (15 - k)
        out[i] = y


def spread(x, out):
    for i in range(len(x)):
        y = x[i] & 1
        for k in range(1, 12):
            y |= (x[i] & (1 << k)) >> k << (2 * k)
        out[i] = y


def corners(x, a, b, c, d, e):
    """Shifts and masks at the ends of what a type has."""
    for i in range(len(x)):
        v = x[i]
        a[i] = ((v >> 7) & 1) << 6
        b[i] = ((v >> 7) & 1) << 7
        c[i] = ((v >> 1) & 127) << 1
        d[i] = ((v >> 0) & 3) << 2
        e[i] = ((v >> 5) & -2) << 3


def values(dtype):
    info = np.iinfo(dtype)
    edges = [info.min, info.max, 0, 1, info.max // 2, info.min // 2, info.max - 1]
    some = np.random.default_rng(3).integers(info.min, info.max, 122, dtype, endpoint=True)
    return np.concatenate([np.array(edges, dtype), some])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("function", [packed, turned, spread, corners])
def test_bits_are_those_of_numpy(function, dtype):
    x = values(dtype)
    if function is packed:
        if np.iinfo(dtype).max < 1 << 16:
            pytest.skip("the colours do not fit")
        arguments = [x, x[::-1].copy(), np.roll(x, 5), np.zeros_like(x)]
    else:
        outs = 5 if function is corners else 1
        arguments = [x, *(np.zeros(len(x), "int64" if function is turned else dtype) for _ in range(outs))]
    mine, theirs = [[a.copy() for a in arguments] for _ in range(2)]
    found, wanted = outcome(weft.jit(device="cpu")(function), mine), outcome(function, theirs)
    assert found == wanted
    for a, b in zip(mine, theirs, strict=True):
        assert a.tobytes() == b.tobytes()


def test_one_shift_is_left():
    out = np.zeros(9, np.int64)
    specialisation = weft.jit(device="cpu")(packed).specialise(out.copy(), out.copy(), out.copy(), out)
    values = (s.value for s in walk(specialisation.shaped().body) if isinstance(s, n.Let))
    shifts = [value.op for value in values if isinstance(value, n.Binary) and value.op in ("shl", "shr")]
    assert sorted(shifts) == ["shl", "shl", "shr"]


def outcome(function, arguments):
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except (OverflowError, ValueError) as error:
        return type(error)
