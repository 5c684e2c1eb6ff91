"""``np.sum`` of a number is that number: ``np.sum(np.sum(a))``, ``np.mean(2.5)``, ``np.dot(x, x).sum()``."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import function_of

NUMBERS = ("a.sum()", "a[1]", "a[1] - 2", "np.dot(a, a)", "2.5", "3", "True", "np.float32(0.1)", "a.shape[0]")
FUNCTIONS = ("sum", "prod", "min", "max", "mean", "var", "std", "any", "all", "argmin", "argmax", "ptp", "cumsum")
OF_NUMPYS = ("sum()", "mean()", "max()", "argmin()", "any()", "std()", "round(1)", "clip(0, 1)", "T", "shape", "size")


def check(body: str, *arguments: object) -> None:
    function = function_of(f"def f(a):\n    return {body}\n")
    found, wanted = weft.jit(function, device="cpu")(*arguments), function(*arguments)
    assert type(found) is type(wanted)
    assert np.asarray(found).dtype == np.asarray(wanted).dtype and np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_functions(name, number, dtype):
    check(f"np.{name}({number})", np.arange(1, 5).astype(dtype))


@pytest.mark.parametrize("body", ["np.sum(a[0], axis=0)", "np.max(a[0], keepdims=True)", "np.linalg.norm(-a[1])"])
def test_options(body):
    check(body, np.arange(1.0, 5.0))


@pytest.mark.parametrize("attribute", OF_NUMPYS)
def test_methods_of_numpys_numbers(attribute):
    check(f"(a @ a).{attribute}", np.arange(1.0, 5.0))
