"""Divisors that are zero however they are written, and uint64 beside other types in loops that become vectors."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import weft

ZEROS = ["(n - n)", "(a[0] - a[0])", "(len(a) - a.shape[0])"]
FORMS = {
    "returned": "return n {op} {z}",
    "float": "return x {op} {z}",
    "unused": "y = n {op} {z}\nreturn 1",
    "unused in a loop": "for i in range(len(a)):\n    y = n {op} {z}",
    "by index": "for i in range(len(a)):\n    o[i] = i {op} {z}",
    "by element": "for i in range(len(a)):\n    o[i] = a[i] {op} {z}",
    "summed": "s = 0\nfor i in range(len(a)):\n    s += i {op} {z}\nreturn s * 1.0",
    "tested": "if n {op} {z}:\n    return 2\nreturn 3",
}
"""Where a result may be returned as NumPy's or as Python's, all are the same number."""


def function(body, names):
    text = f"def f({names}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<{text}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"np": np}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def outcome(f, *arguments):
    """What a call gives, as a number, and what it writes into its last argument; or the exception."""
    with np.errstate(all="ignore"):
        try:
            result = f(*arguments)
        except Exception as error:
            return type(error).__name__, None
    return None if result is None else repr(complex(result)), arguments[-1].tobytes()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("op", ["%", "//"])
def test_divisors_that_are_zero(form, op):
    for zero in ZEROS:
        plain = function(FORMS[form].replace("{op}", op).replace("{z}", zero), "x, n, a, o")
        compiled = weft.jit(plain, device="cpu")
        for x, n, dtype in ((5.5, 3, "f8"), (2, 7, "i4")):
            given = np.arange(1, 6).astype(dtype)
            expected = outcome(plain, x, n, given, np.zeros(5))
            assert outcome(compiled, x, n, given, np.zeros(5)) == expected, (zero, dtype)


LARGE = np.array([0, 1, 3, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2049, 2**64 - 1], np.uint64)
OTHERS = {
    "i8": np.array([0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63), -7], np.int64),
    "f8": np.array([0.0, -0.0, 1.5, -1.5, 2.0**53, 2.0**63, 2.0**63 - 1024, 2.0**64 - 2048, 1e-300]),
    "f4": np.array([0.0, 1.5, -1.5, 2.0**63, 2.0**64], np.float32),
    "u4": np.array([0, 1, 2**32 - 1], np.uint32),
    "b1": np.array([False, True]),
}
OPERATIONS = [
    "u[i] < v[i]", "u[i] >= v[i]", "v[i] <= u[i]", "u[i] == v[i]", "v[i] != u[i]", "np.minimum(u[i], v[i])",
    "np.maximum(v[i], u[i])", "u[i] + v[i]", "u[i] * v[i]", "u[i] / (v[i] + 1.5)", "float(u[i]) - v[i]",
    "np.float32(u[i])", "np.int64(u[i])", "1.0 if u[i] > v[i] else 0.0",
]  # fmt: skip


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_uint64_beside_another_type(operation, other):
    u, v = (np.ascontiguousarray(grid.ravel()) for grid in np.meshgrid(LARGE, OTHERS[other]))
    plain = function(f"for i in range(len(u)):\n    o[i] = {operation}", "u, v, o")
    compiled = outcome(weft.jit(plain, device="cpu"), u, v, np.zeros(u.shape))
    expected = outcome(plain, u, v, np.zeros(u.shape))
    assert compiled == expected and expected[1] is not None


@pytest.mark.parametrize("name", ["min", "max"])
@pytest.mark.parametrize("other", ["i8", "f8", "u4"])
def test_min_and_max_of_two_types_are_refused(name, other):
    """Python's give one operand as it is, so that the type would depend on the values."""
    plain = function(f"for i in range(len(u)):\n    o[i] = {name}(u[i], v[i])", "u, v, o")
    with pytest.raises(weft.errors.TypeInferenceError, match="depends on their values"):
        weft.jit(plain, device="cpu")(LARGE[:2], OTHERS[other][:2], np.zeros(2))
