"""``np.array([f(x) for x in a if c])``, and other functions of NumPy that make an array of a list."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of
from weft.errors import UnsupportedError

VALUES = (
    "np.array([np.sin(v) * 2 for v in x])",
    "np.array([i * i for i in range(n)])",
    "np.array([x[i:i + 3] * 2 for i in range(n)])",
    "np.array([x[i:i + 3].mean() for i in range(n)], dtype=np.float32)",
    "np.array([v for v in x if v > 0.3 if v < 3])",
    "np.array([i for i in range(n) if x[i] > 0.1])",
    "np.array([i for i in range(n) if x[i] > 100], dtype=int)",
    "np.mean([v * v for v in x]), np.max([abs(v - 1) for v in x]), np.sum([1 for v in x])",
    "np.array([(v, v * 2) for v in x])",
    "np.array([x.sum() * k for k in (1, 2, 3.5)])",
    "np.array([[a, b] for a, b in zip(x, x[::-1])])",
    "np.array([[i * j for i in range(3)] for j in range(n)])",
    "np.array([x > v for v in x]).sum(axis=0)",
    "np.asarray([k for k in enumerate(x)])",
    "sum([v * v for v in x])",
    "max(abs(v - 1) for v in x), min([v * k for v in x for k in range(3)])",
    "max(i * i - 3 * i for i in range(n)), min(2.0 if i > 1 else x[i] * 1.0 for i in range(n))",
    "np.array([300 + i for i in range(n)], dtype=np.int8)",
    "np.array([x[:i] for i in range(1, n)])",
)


@pytest.mark.parametrize("n", [2, 5])
@pytest.mark.parametrize("value", VALUES)
def test_as_numpy(value, n):
    function = function_of(f"def f(x, n):\n    return {value}\n")
    compiled, x = weft.jit(function, device="cpu"), np.arange(n + 3) * 0.7 - 0.5
    try:
        wanted = function(x, n)
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)) as caught:
            compiled(x, n)
        assert str(error)[:60] in str(caught.value)
        return
    found = compiled(x, n)
    for a, b in zip(*((v if isinstance(v, tuple) else (v,)) for v in (found, wanted)), strict=True):
        assert (np.asarray(a).dtype, np.shape(a)) == (np.asarray(b).dtype, np.shape(b))
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_an_empty_list_is_an_array_of_float64():
    function = function_of("def f(x):\n    return np.array([v * 2 for v in x]), np.array([v for v in x if v > 1])\n")
    found = weft.jit(function, device="cpu")(np.zeros(0))
    assert [(a.dtype, a.shape) for a in found] == [(np.dtype("float64"), (0,))] * 2


@pytest.mark.parametrize("value", ["[i for i in range(n)]", "[i for i in range(3) if i < n]", "[x for i in range(n)]"])
def test_an_empty_list_of_another_type_is_an_error(value):
    compiled = weft.jit(function_of(f"def f(x, n):\n    return np.array({value})\n"), device="cpu")
    assert len(compiled(np.ones(2), 3)) == 3
    with pytest.raises(UnsupportedError, match="NumPy makes an array of float64 of this list where it is empty"):
        compiled(np.ones(2), 0)


def test_extremes_of_nothing():
    compiled = weft.jit(function_of("def f(x):\n    return max(v * 2 for v in x)\n"), device="cpu")
    assert compiled(np.array([1.0, 3.0, 2.0])) == 6.0
    with pytest.raises(ValueError, match="empty"):
        compiled(np.zeros(0))


def test_extremes_under_conditions():
    compiled = weft.jit(function_of("def f(x):\n    return max(v for v in x if v > 1)\n"), device="cpu")
    assert compiled(np.arange(4.0)) == 3.0
    with pytest.raises(ValueError, match="max"):
        compiled(np.ones(3))
    function = function_of("def f(x):\n    return max(np.array([v for v in x if v > 1]))\n")
    assert weft.jit(function, device="cpu")(np.arange(4.0)) == 3.0


def test_names_of_the_list_stay_inside():
    def f(x):
        i, out = 3, 0.5
        y = np.array([out * x[i] for i in range(len(x))])
        return y, i

    x = np.arange(4.0)
    found, wanted = weft.jit(f, device="cpu")(x), f(x)
    np.testing.assert_array_equal(found[0], wanted[0])
    assert found[1] == wanted[1]


def test_they_run_in_parallel():
    def f(x):
        return np.array([np.sin(v) * 2 for v in x])

    report = weft.explain(weft.jit(f, device="cpu"), np.ones(1000))
    assert [loop.verdict for loop in report.loops] == ["parallel"]


def test_what_a_comprehension_runs_over_is_computed_once():
    def f(n):
        log = []

        def items():
            log.append(len(log))
            return [n, 2]

        return [v * 2 for v in items()], log

    assert weft.jit(f)(3) == f(3) == ([6, 4], [0])
