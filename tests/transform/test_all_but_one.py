"""Branches that all iterations of a loop but one take, like ``if j != i``: both sides are computed, one is chosen."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from tests.transform.test_accumulators import outcome
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise


def forces(x, w, a):
    for i in range(x.shape[0]):
        p = q = r = 0.0
        for j in range(x.shape[0]):
            if j != i:
                dx = x[j, 0] - x[i, 0]
                dy = x[j, 1] - x[i, 1]
                dz = x[j, 2] - x[i, 2]
                square = dx * dx + dy * dy + dz * dz
                f = w[j] / (square * np.sqrt(square))
                p += f * dx
                q += f * dy
                r += f * dz
        a[i, 0], a[i, 1], a[i, 2] = p, q, r


def forces_kept_in_an_array(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if i == j:
                continue
            dx = x[j, 0] - x[i, 0]
            dy = x[j, 1] - x[i, 1]
            f = w[j] / np.sqrt(dx * dx + dy * dy)
            a[i, 0] += f * dx
            a[i, 1] += f * dy


def by_offset(x, w, a):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(1, x.shape[0] + 1):
            if j - 1 != i:
                s += w[j - 1] * x[i, 0] / (1 + np.exp(x[j - 1, 0])) + np.floor(x[j - 1, 2]) * x[j - 1, 1] ** 2
        a[i, 0] = s


def with_another_side(x, w, a):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[0]):
            if i == j:
                s -= x[i, 0]
            else:
                s += np.cos(x[j, 0]) / (x[j, 1] + 7) + x[j, 2] * x[i, 1] + w[j] * x[i, 2] - np.sin(x[j, 2])
        a[i, 0] = s


def nearest(x, w, a):
    for i in range(x.shape[0]):
        best = np.inf
        at = -1
        for j in range(x.shape[0]):
            if j == i:
                continue
            square = float((x[i, 0] - x[j, 0]) ** 2 + (x[i, 1] - x[j, 1]) ** 2 + (x[i, 2] - x[j, 2]) ** 2 + w[j])
            if square < best:
                best = square
                at = j
        a[i, 0], a[i, 1] = best, at


def nested(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i:
                if w[j] > w[i]:
                    a[i, 0] += x[j, 0] * w[j]
                else:
                    a[i, 1] -= x[j, 1] / (w[i] + 1)


def by_rows(x, w, a):
    for i in range(len(x)):
        p = x[i]
        for j in range(len(x)):
            q = x[j]
            if i != j:
                square = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + 1
                a[i, 0] += w[i] * w[j] * (p[0] - q[0]) / (square * np.sqrt(square))


CHOSEN = (by_rows, forces, forces_kept_in_an_array, by_offset, with_another_side)


def near_and_far(x, w, a):
    for i in range(x.shape[0]):
        near = far = 0.0
        for j in range(x.shape[0]):
            if j != i:
                d = abs(x[i, 0] - x[j, 0]) + abs(x[i, 1] - x[j, 1])
                if d < 4:
                    near += d
                else:
                    far += 12 / d + np.sqrt(d)
        a[i, 0] = far - near


def divides_by_the_distance(x, w, a):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[0]):
            if j != i:
                s += x[j, 0] * (12 // (j - i)) + w[j] * (6 % (i - j)) + (3 // (i - j)) * x[i, 1]
        a[i, 0] = s


def divides_integers(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i:
                a[i, 0] += w[j] // w[i] + w[i] % w[j]


def reads_beyond(x, w, a):
    last = x.shape[0] - 1
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != last:
                a[i, 0] += x[j + 1, 0] * w[j] + x[j, 1] * w[j] - x[j, 2] * w[j]


def writes_beyond(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i and i < x.shape[0] - 2:
                a[i + 2, 1] += w[j] - x[j, 0]


def reads_what_it_writes(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i:
                x[i, 0] += x[j, 0] * w[j] - x[j, 1] + w[i] * x[j, 2]


def raises_in_the_middle(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i:
                a[i, 0] += math.sqrt(x[j, 0] + x[i, 1] + 5) + 1.0 / float(w[j] + x[i, 0] + 2)


def another_number(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if int(w[j]) != i:
                a[i, 0] += x[j, 0] * w[i] + x[j, 1] * w[j] + x[j, 2] * x[i, 2]


def by_keys(x, w, a):
    for i in range(x.shape[0]):
        k = int(w[i]) % 3
        for j in range(x.shape[0]):
            if j != i:
                a[k, 0] += x[j, 0]


def to_one_element(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j != i:
                a[0, 0] += x[j, 0] * w[i]


def of_another_loop(x, w, a):
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if i != 2:
                a[i, 0] += x[j, 0] * w[i] + x[j, 1] * w[j] + x[j, 2] / (x[i, 2] * x[i, 2] + 1) + x[j, 2] * x[i, 0]


def under_two_loops(x, w, a):
    for i in range(x.shape[0]):
        for k in range(2):
            for j in range(x.shape[0]):
                if j != i + k:
                    a[i, k] += x[j, 0] / (w[j] + 1)


OTHERS = (
    near_and_far, nearest, nested, divides_by_the_distance, divides_integers, reads_beyond, writes_beyond,
    reads_what_it_writes,
    raises_in_the_middle, another_number, by_keys, to_one_element, of_another_loop,
    under_two_loops,
)  # fmt: skip


def arguments(size: int, dtype: str) -> list[Any]:
    rng = np.random.default_rng(size)
    x, w = rng.integers(-3, 4, (size, 3)), rng.integers(0, 4, size)
    return [v.astype(dtype) for v in (x, w, rng.integers(-3, 4, (max(size, 3), 3)))]


def assert_same(function: Any, compiled: Any, values: list[Any]) -> None:
    expected, found = outcome(function, copy.deepcopy(values)), outcome(compiled, copy.deepcopy(values))
    assert expected[0] is found[0]
    for a, b in zip(expected[1:], found[1:], strict=True):
        if a.dtype.kind == "f":
            np.testing.assert_allclose(b, a, rtol=1e-5 if a.dtype.itemsize == 4 else 1e-12, atol=1e-5)
        else:
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32"])
@pytest.mark.parametrize("function", (*CHOSEN, *OTHERS), ids=lambda f: f.__name__)
def test_arrays_are_as_in_cpython(function: Any, dtype: str) -> None:
    compiled = weft.jit(function)
    for size in (0, 1, 2, 3, 8, 17, 37):
        assert_same(function, compiled, arguments(size, dtype))


@pytest.mark.parametrize("function", (*CHOSEN, *OTHERS), ids=lambda f: f.__name__)
def test_on_several_threads(function: Any, request: Any) -> None:
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    assert_same(function, weft.jit(function), arguments(301, "float64"))


@pytest.mark.parametrize("function", (forces_kept_in_an_array, nested, by_keys), ids=lambda f: f.__name__)
def test_arguments_may_be_one_array(function: Any) -> None:
    compiled = weft.jit(function)
    for part in (lambda x: x, lambda x: x[1:], lambda x: x[::-1], lambda x: x[:, ::-1]):
        x, w, _ = arguments(6, "int64")
        expected, found = x.copy(), x.copy()
        raised = [outcome(f, [v, w, part(v)])[0] for f, v in ((function, expected), (compiled, found))]
        assert raised[0] is raised[1]
        np.testing.assert_array_equal(expected, found)


def test_an_array_that_must_not_be_written_and_is_not() -> None:
    x, w, a = arguments(1, "float64")
    a.flags.writeable = False
    assert_same(forces_kept_in_an_array, weft.jit(forces_kept_in_an_array), [x, w, a])


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, -0.0])
def test_what_is_computed_in_vain_is_not_seen(special: float) -> None:
    for function in CHOSEN:
        x, w, a = arguments(9, "float64")
        x[4] = a[0, 0] = special
        expected, found = outcome(function, [x, w, a.copy()])[-1], outcome(weft.jit(function), [x, w, a.copy()])[-1]
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(expected[expected == 0]))


def test_debugging_does_not_see_it_either() -> None:
    x = np.arange(12.0).reshape(4, 3)
    weft.jit(forces, debug=True)(x, np.ones(4), np.zeros((4, 3)))


def innermost(function: Any, values: list[Any]) -> n.For:
    program = optimise(program_of(function, *values), verify=True)
    loops = [s for s in walk(program.body) if isinstance(s, n.For)]
    return [s for s in loops if not any(isinstance(t, n.For) for t in walk(s.body))][-1]


@pytest.mark.parametrize("function", CHOSEN, ids=lambda f: f.__name__)
def test_no_branch_and_no_store_is_left(function: Any) -> None:
    loop = innermost(function, arguments(5, "float64"))
    assert loop.args and loop.mapping == "parallel"
    assert not any(isinstance(s, (n.If, n.Store, n.Update)) for s in walk(loop.body))


@pytest.mark.parametrize("function", (writes_beyond, by_keys, to_one_element), ids=lambda f: f.__name__)
def test_elements_that_are_not_there_or_not_alone_stay_in_memory(function: Any) -> None:
    loop = innermost(function, arguments(5, "float64"))
    assert any(isinstance(s, (n.Store, n.Update)) for s in walk(loop.body))


@pytest.mark.parametrize(
    "function", (another_number, of_another_loop, divides_by_the_distance), ids=lambda f: f.__name__
)
def test_other_branches_stay(function: Any) -> None:
    assert any(isinstance(s, n.If) for s in walk(innermost(function, arguments(5, "float64")).body))
