"""Arrays that are given in a branch which nobody takes: code that is never reached is compiled all the same."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import weft

USES = (
    "a[i] = v[i]", "v[i] = 1", "v[i] += 1", "a[0] += v[i] * v[i - 1]", "a[i] = len(v)",
    "w = v[1:]\n        a[i] = w[i]",
)  # fmt: skip


def function_of(use: str, array: str, last: str) -> Any:
    source = (
        f"def f(a, n, k):\n    for i in range(n):\n        if k >= 0:\n            v = {array}\n"
        f"        {use}\n    a[0] = {last}\n"
    )
    name = f"<never given {use} {array} {last}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def ended(call: Any, dtype: str, n: int, k: int) -> tuple[Any, list[Any]]:
    a = np.ones(5, dtype)
    try:
        call(a, n, k)
    except (NameError, IndexError) as error:
        return (type(error), str(error)), a.tolist()
    return None, a.tolist()


@pytest.mark.parametrize("dtype", ["f8", "i4", "f2"])
@pytest.mark.parametrize("array", ["a[:]", "a[::-1]"])
@pytest.mark.parametrize("use", USES)
def test_an_array_that_the_sign_of_an_index_says_was_never_given(use: str, array: str, dtype: str):
    function = function_of(use, array, "a[-k - 1]")
    compiled = weft.jit(function)
    for n, k in ((0, -1), (2, -1), (2, 0), (3, -2), (0, 0)):
        assert ended(compiled, dtype, n, k) == ended(function, dtype, n, k)
