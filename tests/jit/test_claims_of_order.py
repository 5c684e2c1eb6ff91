"""What iterations of `weft.prange` may carry: folds and last values; what needs the iteration before is refused."""

import numpy as np
import pytest

import weft

RACES = {
    "a difference from the element": "s = a[i] - s",
    "a linear function": "s = a[i] * s + b[i]",
    "a mean": "s = (s + a[i]) * 0.5",
    "a linear function under a guard": "if a[i] > 2.0:\n            s = a[i] - s",
    "a linear function in an inner loop": "for j in range(3):\n            s = a[i] - s",
    "a changing sign": "s = -s",
    "a quotient": "s = a[i] / (s + 1.0)",
    "the element before": "out[i] = s; s = a[i]",
    "a partial sum": "s += a[i]; out[i] = s",
    "a sum of partial sums": "s += a[i]; t += s",
    "two values that change places": "s, t = t, s",
    "values that move on": "s, t = t, a[i]",
    "a place that is counted": "out[k] = a[i]; k += 1",
    "a place that is counted before": "k += 1; out[k - 1] = a[i]",
    "a place that is counted under a guard": "if a[i] > 2.0:\n            out[k] = a[i]; k += 1",
    "a number that is counted": "out[i] = k; k += 2",
}
FREE = {
    "a sum": "s += a[i]",
    "a difference": "s -= a[i]",
    "a product": "s = a[i] * s",
    "a sum, the other way round": "s = a[i] + s",
    "a sum of products": "s = s + a[i] * b[i]",
    "a largest element": "s = max(s, a[i])",
    "a sum under a guard": "if a[i] > 2.0:\n            s += a[i]",
    "a sum in an inner loop": "for j in range(3):\n            s += a[i]",
    "a count": "k += 1",
    "a count under a guard": "if a[i] > 2.0:\n            k += 1",
    "a last value": "s = a[i]",
    "a last value under a guard": "if a[i] > 2.0:\n            s = a[i]",
    "a place of the smallest": "if a[i] < s:\n            s = a[i]; k = i",
    "a temporary": "t = a[i] * 2.0; out[i] = t + b[i]",
    "bits": "k |= i",
}
PROGRAM = """
def program(a, b, out):
    s, t, k = 0.5, 1.0, 0
    for i in {loop}(a.shape[0]):
        {body}
    return s, t, k
"""


def function_of(body, loop, tmp_path):
    path = tmp_path / f"{loop.replace('.', '_')}.py"
    path.write_text(PROGRAM.format(body=body, loop=loop))
    found = {"weft": weft}
    exec(compile(path.read_text(), str(path), "exec"), found)
    return found["program"]


def answers(function):
    arrays = np.arange(8.0), np.arange(8.0) + 3, np.zeros(8)
    return function(*arrays), arrays[2]


@pytest.mark.parametrize("body", RACES.values(), ids=RACES)
def test_what_needs_the_iteration_before_is_a_race(body, tmp_path):
    with pytest.raises(weft.RaceError) as caught:
        answers(weft.jit(function_of(body, "weft.prange", tmp_path), device="cpu"))
    assert caught.value.location is not None and caught.value.other is not None
    function = function_of(body, "range", tmp_path)
    expected, given = answers(function), answers(weft.jit(function, device="cpu"))
    np.testing.assert_allclose(given[0], expected[0], rtol=1e-13)
    np.testing.assert_allclose(given[1], expected[1], rtol=1e-13)


@pytest.mark.parametrize("body", FREE.values(), ids=FREE)
def test_folds_and_last_values_are_none(body, tmp_path):
    function = function_of(body, "weft.prange", tmp_path)
    expected, given = answers(function), answers(weft.jit(function, device="cpu"))
    np.testing.assert_allclose(given[0], expected[0], rtol=1e-13)
    np.testing.assert_array_equal(given[1], expected[1])
