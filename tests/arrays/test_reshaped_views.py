"""Arrays in another shape that a program can tell from copies: views where the elements lie in order, else copies."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft

Program = Callable[..., Any]

SHAPES = {
    "flat": "reshape(-1)", "raveled": "ravel()", "rows": "reshape(h, -1)", "columns": "reshape(-1, w)",
    "paired": "reshape(h * w // 2, 2)", "three": "reshape(2, h // 2, w)", "front": "reshape(1, h, w)",
    "blocks": "reshape(h // 2, 2, w // 2, 2)", "as it is": "reshape(h, w)",
}  # fmt: skip
USES = {
    "an element": "y[0] = 7",
    "all elements": "y[...] = 3",
    "the last row": "y[-1] += 1",
    "turned round": "y[::-1] *= 2\nx[0, 1] -= 4",
    "element by element": "for i in range(y.shape[0]):\n    y[i] = i + x[0, 0]",
    "each element of both": "for i in range(h):\n    x[i, 0] += 1\n    y[0] += x[i, 1]",
    "the first is written": "x[1] = x[0] * 2\nx[0, 0] = y.sum()",
    "in a branch": "if x[0, 0] > 0:\n    y[1:] = y[:-1]\nelse:\n    y[0] = x[0, 1]",
    "sums": "x[0] += 1\ns = y.sum(axis=0)\ny[0] = s",
    "through a view of it": "z = y[1:]\nz[0] = 5\nx[0] += z[0].sum()",
    "reshaped again": "z = y.reshape(w, h)\nz[0] = x[0, 0]\ny[-1] = z[1, 0]",
    "transposed": "z = y.T\nz[0] += 2\nx[1, 1] = z.max()",
    "as an argument": "def change(a):\n    a[0] = 1 + a[0]\nchange(y)\nchange(x)",
}
STARTS = {
    "an argument": "x",
    "a part": "x = x[1:]",
    "new": "x = x * 2",
    "turned": "x = x[::-1]",
    "a copy": "x = x.copy()",
}
NAMES = sorted(itertools.product(SHAPES, USES, STARTS))


def program(shape: str, use: str, start: str) -> Program:
    """A function that makes a view, uses it and the first array, and returns both."""
    lines = [STARTS[start], "h, w = x.shape", f"y = x.{SHAPES[shape]}", *USES[use].splitlines(), "return x, y"]
    text = "def f(x):\n" + textwrap.indent("\n".join(lines), "    ")
    return function(text, f"<reshaped {shape} {use} {start}>")


def function(text: str, name: str) -> Program:
    """A function of a text, which Weft can read."""
    import linecache

    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def arrays() -> list[np.ndarray]:
    """Arrays that lie in memory in different ways."""
    plain = np.arange(1.0, 25.0).reshape(4, 6)
    wide = np.arange(96.0).reshape(8, 12)
    return [
        plain.copy(),
        np.asfortranarray(plain),
        wide[::2, ::2],
        wide[:4, :6],
        wide[::-2, 3:9],
        wide[:4, ::2][:, ::-1],
    ]


def compare(shape: str, use: str, start: str, device: str) -> None:
    """Run a program on copies of all arrays; where NumPy copies and Weft does not know that, it says so."""
    f = program(shape, use, start)
    compiled = weft.jit(device=device)(f)
    for array in arrays():
        wanted, found = like(array), like(array)
        try:
            expected = f(wanted)
        except (ValueError, IndexError) as error:
            with pytest.raises(type(error) if array.flags.c_contiguous else Exception):
                compiled(found)
            continue
        try:
            got = compiled(found)
        except (weft.UnsupportedError, weft.errors.MultipleErrors) as error:
            assert not array.flags.c_contiguous or start == "turned", error
            assert "shares its memory" in str(error), error
            np.testing.assert_array_equal(found, array)
            continue
        for first, second in zip(expected, got, strict=True):
            np.testing.assert_array_equal(second, first)
            assert second.dtype == first.dtype
        np.testing.assert_array_equal(found, wanted)


def like(array: np.ndarray) -> np.ndarray:
    """A copy with the same strides."""
    low, high = np.lib.array_utils.byte_bounds(array) if hasattr(np.lib, "array_utils") else np.byte_bounds(array)
    whole = np.zeros(high - low, np.uint8)
    start = array.__array_interface__["data"][0] - low
    copy = np.ndarray(array.shape, array.dtype, whole.data, start, array.strides)
    copy[...] = array
    return copy


@pytest.mark.parametrize(("shape", "use", "start"), NAMES)
def test_by_the_processor(shape: str, use: str, start: str) -> None:
    compare(shape, use, start, "cpu")


@pytest.mark.parametrize(("shape", "use", "start"), NAMES[::9])
def test_by_the_interpreter(shape: str, use: str, start: str) -> None:
    compare(shape, use, start, "interpreter")


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
@pytest.mark.parametrize(("shape", "use", "start"), NAMES[::7])
def test_by_opencl(shape: str, use: str, start: str) -> None:
    compare(shape, use, start, "opencl")


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (1, 1), (1, 4), (4, 1), (0, 0)])
def test_empty_and_single_extents(shape: tuple[int, int]) -> None:
    def flat(x):
        y = x.reshape(-1)
        y[...] = 5
        return x, y

    def longer(x):
        y = x.reshape(2, -1, 1)
        y[0] = 3
        return x, y

    for f in (flat, longer):
        wanted, found = np.ones(shape), np.ones(shape)
        try:
            expected = f(wanted)
        except ValueError:
            with pytest.raises(ValueError, match="reshape"):
                weft.jit(device="cpu")(f)(found)
            continue
        for first, second in zip(expected, weft.jit(device="cpu")(f)(found), strict=True):
            np.testing.assert_array_equal(second, first)
        np.testing.assert_array_equal(found, wanted)


def test_no_extents_but_the_product_are_the_same() -> None:
    def f(x, n):
        y = x.reshape(x.shape[0], n)
        y[...] = 1
        return x, y

    for shape, count in (((0, 4, 5), 7), ((2, 3, 4), 12), ((2, 0, 4), 0)):
        wanted, found = np.zeros(shape), np.zeros(shape)
        for first, second in zip(f(wanted, count), weft.jit(device="cpu")(f)(found, count), strict=True):
            assert first.shape == second.shape
            np.testing.assert_array_equal(second, first)
        np.testing.assert_array_equal(found, wanted)


def test_what_is_returned_is_a_view() -> None:
    def f(x):
        y = x.reshape(-1)
        y[0] = 1
        return y

    x = np.zeros((3, 4))
    assert np.shares_memory(weft.jit(device="cpu")(f)(x), x)


def of_itself_transposed(x):
    f = x.reshape(-1)
    f += x.T.reshape(-1)
    return f


def of_the_first_turned(x):
    f = x.ravel()
    f[:] = x[::-1].reshape(-1)
    x[...] = f.reshape(x.shape)[:, ::-1]
    return f


def of_a_roll(x):
    f = x.reshape(-1)
    f[:] = np.roll(x, 1)[0, 0] + np.roll(f, 2)
    x[1:] += f[: x[1:].size].reshape(x[1:].shape)
    return f


def of_the_other_view(x):
    f, g = x.reshape(-1), x.reshape(2, -1)
    f[1:] = f[:-1] * 2
    g[1] = g[0] + f[: g.shape[1]][::-1]
    f[...] = g.T.reshape(-1)
    return f, g


def in_a_helper(x):
    def half(a):
        f = a.reshape(-1)
        f *= 0.5
        return f[0]

    total = x[0, 0] + half(x) + x[0, 0]
    rows = x + half(x)
    return rows, total, x * 2 - half(x)


def by_masks(x):
    f = x.reshape(-1)
    f[x.T.reshape(-1) > 4] = 0
    x[f.reshape(x.shape) > 2] += f.sum()
    f[x[0].argsort()] = x[1]
    return f


def in_order_twice(x):
    u = x.copy()
    v = np.ascontiguousarray(u)
    w = np.ascontiguousarray(v)
    for i in range(w.shape[0]):
        w[i] += i + u.flat[0]
    t = w.reshape(2, -1)
    t[0] = np.flip(u)[0, 1] + v.sum()
    return u, v, w, t


def of_a_view_that_nobody_reads(x):
    v = x.ravel()
    w = np.ascontiguousarray(v)
    t = w.reshape(2, -1)
    for i in range(t.shape[0]):
        t[i] += i + x.flat[0]
    return x


def of_a_new_array_by_two_names(x):
    u = x.copy()
    v = np.ascontiguousarray(u)
    w = np.ascontiguousarray(v)
    for i in range(w.shape[0]):
        w[i] += i + u.flat[0]
    return u, x


def seen_in_an_earlier_copy(x):
    z = x * 2
    v = z.reshape(-1, 2)
    z.reshape(-1)[2] -= 3
    w = x.reshape(-1)
    np.ascontiguousarray(x)[1] = 4
    return v, w


ALIASES = [
    seen_in_an_earlier_copy, of_a_view_that_nobody_reads, of_a_new_array_by_two_names,
    in_order_twice, of_itself_transposed, of_the_first_turned, of_a_roll, of_the_other_view, in_a_helper, by_masks,
]  # fmt: skip


@pytest.mark.parametrize("f", ALIASES)
@pytest.mark.parametrize("device", ["cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.filterwarnings("ignore::weft.WeftWarning")
def test_what_is_read_while_a_view_is_written(f: Program, device: str) -> None:
    wanted, found = np.arange(16.0).reshape(4, 4), np.arange(16.0).reshape(4, 4)
    expected, got = f(wanted), weft.jit(device=device)(f)(found)
    for first, second in zip(*(r if isinstance(r, tuple) else (r,) for r in (expected, got)), strict=True):
        np.testing.assert_array_equal(second, first)
    np.testing.assert_array_equal(found, wanted)


STARTS_OF_LOOPS = {
    "computed": "a[0] * 2", "summed": "a.sum(axis=0)",
    "joined": "np.concatenate((a[0], a[1]))", "like": "np.zeros_like(a[0])",
}  # fmt: skip


@pytest.mark.parametrize("start", STARTS_OF_LOOPS)
@pytest.mark.parametrize("device", ["cpu", "interpreter"])
def test_new_arrays_that_a_loop_carries(start: str, device: str) -> None:
    f = function(
        f"def f(a, n):\n    c = {STARTS_OF_LOOPS[start]}\n    s = 0.0\n    for _ in range(n):\n"
        "        t = c.T.reshape(-1)\n        t[0] = 9\n        s += c[0, 0]\n        c = c + 1\n    return s, c\n",
        f"<carried {start} {device}>",
    )
    plain = np.arange(24.0).reshape(2, 3, 4)
    for first, second in zip(f(plain, 3), weft.jit(device=device)(f)(plain, 3), strict=True):
        np.testing.assert_array_equal(second, first)
    with pytest.raises(weft.UnsupportedError, match="shares its memory"):
        weft.jit(device=device)(f)(np.asfortranarray(plain), 3)


@pytest.mark.parametrize("order", ["C", "F"])
def test_numpys_new_arrays_lie_as_what_they_are_computed_from(order: str) -> None:
    def f(a):
        c = a * 2
        t = c.T.reshape(-1)
        t[0] = 9
        return c, t

    array = np.asarray(np.arange(12.0).reshape(3, 4), order=order)
    compiled = weft.jit(device="cpu")(f)
    if order == "F":  # NumPy makes a view
        with pytest.raises(weft.UnsupportedError, match="shares its memory"):
            compiled(array)
        return
    for first, second in zip(f(array), compiled(array), strict=True):
        np.testing.assert_array_equal(second, first)


IN_PLACE = ("b += 1", "b[1] = 0\n        b -= s", "b *= 2\n        b -= 1")
IN_LOOPS = {
    "read": "t = b.reshape(-1)\n        b[0, 0] += 1\n        s += t[0]",
    "written": "t = np.ravel(b)\n        t[1] = s\n        s += b[0, 1] + 1",
    "turned": "t = b.T.T.reshape(-1)\n        t[2] = s\n        s += b[0, 2] + 1",
    "not used": "b.reshape(-1)[2] = s\n        t = np.ravel(b).T\n        s += b[0, 2]",
    "in a list": "rows.append(b[0])\n        b[0, 0] += 1\n        s += rows[0][0]",
}


@pytest.mark.parametrize("change", range(len(IN_PLACE)))
def test_an_array_that_a_loop_changes_in_place(change: int) -> None:
    ran = 0
    for name, line in IN_LOOPS.items():
        head = "    rows = []\n" if "rows" in line else ""
        f = function(
            f"def f(b, n):\n{head}    s = 0.0\n    for _ in range(n):\n        {line}\n"
            f"        {IN_PLACE[change]}\n    return s\n",
            f"<in place {change} {name}>",
        )
        compiled = weft.jit(device="interpreter")(f)
        for array in arrays():
            wanted, found = like(array), like(array)
            expected = f(wanted, 3)
            try:
                got = compiled(found, 3)
            except weft.UnsupportedError as error:
                assert "shares its memory" in str(error) or "list" in str(error), error
                continue
            assert got == expected, (name, line)
            np.testing.assert_array_equal(found, wanted)
            ran += 1
    assert ran
