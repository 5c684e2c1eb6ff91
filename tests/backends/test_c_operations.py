"""Every operator, conversion and function in generated C, on every type, against the rules of `weft.ir.values`."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import weft
from tests.backends.harness import Compiled
from weft.errors import TypeInferenceError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run
from weft.ir.semantics import MATH_FUNCTIONS, STRICT_FUNCTIONS, node_type, operand_types, result_type
from weft.ir.types import NUMPY_TYPES, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, SCALARS, Scalar, View

WEAK = (PYINT, PYFLOAT, PYCOMPLEX, PYBOOL)
BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "shl", "shr", "min", "max"]
UNARY = ["neg", "pos", "invert", "not", "abs"]
COMPARE = ["eq", "ne", "lt", "le", "gt", "ge"]

REALS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.25, -7.25, 1e-3, 255.5, -129.0, 65519.0, 1e10, -1e19, 1e300, math.inf,
         -math.inf, math.nan, 5e-324, 2.0**53]  # fmt: skip


def sample(type: Scalar) -> list[object]:
    """Ordinary and extreme values of a type."""
    if type.kind == "b":
        return [False, True]
    if type.kind in "iu":
        low, high = (0, 2**type.bits - 1) if type.kind == "u" else (-(2 ** (type.bits - 1)), 2 ** (type.bits - 1) - 1)
        values = [0, 1, 2, 3, 7, -1, -2, -7, 63, 64, 100, -100, low, high, low + 1, high - 1, high // 2]
        return sorted({v for v in values if low <= v <= high})
    with np.errstate(all="ignore"):
        reals = [float(type.dtype.type(r)) for r in REALS] if type.kind == "f" else REALS[:12]
    if type.kind == "f":
        return reals
    return [complex(a, b) for a, b in itertools.product(reals[:9], [0.0, -1.5, 2.0, 0.5])]


def stored(type: Scalar) -> Scalar:
    """The type of array elements that a value of Python's is taken from."""
    return {PYINT: SCALARS["int64"], PYFLOAT: SCALARS["float64"], PYCOMPLEX: SCALARS["complex128"],
            PYBOOL: SCALARS["bool"]}.get(type, type)  # fmt: skip


def program(expression, types: tuple[Scalar, ...], result: Scalar, mapping: n.Mapping = "sequential") -> n.Program:
    """``out[i] = expression(a[i], b[i])`` from a given position on."""
    build = Builder("operation")
    arrays = [build.array(name, stored(t), contiguous=True) for name, t in zip("abc", types, strict=False)]
    out = build.array("out", stored(result), contiguous=True)
    first = build.param("first", PYINT)
    with build.loop("i", first, build.dim(out), mapping=mapping) as loop:
        values = [build.load(array, loop.index, bounds="safe") for array in arrays]
        taken = [v if v.type == t else build.let(n.Cast(v, False), t) for v, t in zip(values, types, strict=True)]
        value = build.let(expression(*taken), result)
        kept = value if stored(result) == result else build.let(n.Cast(value, False), stored(result))
        build.add_statement(n.Store(out, (loop.index,), kept, "safe"))
    made = build.program()
    verify(made)
    return made


def rows(types: tuple[Scalar, ...], most: float = math.inf) -> list[np.ndarray]:
    """All combinations of sample values up to a size, as one array for each operand."""
    samples = [[v for v in sample(t) if not abs(v) > most] for t in types]
    columns = zip(*itertools.product(*samples), strict=True)
    return [np.array(column, stored(t).dtype) for column, t in zip(columns, types, strict=True)]


def outcomes(call, inputs, out) -> list[tuple[int, str, str]]:
    """All failures of a loop, run again after each one: position, exception and message."""
    failures, first = [], 0
    while True:
        before = out.copy()
        try:
            call(*inputs, out, first)
            return failures
        except (ArithmeticError, ValueError) as error:
            with np.errstate(all="ignore"):
                position = _failed_at(error, before, out, first)
            failures.append((position, type(error).__name__, getattr(error, "message", str(error))))
            first = position + 1


def _failed_at(error: BaseException, before: np.ndarray, out: np.ndarray, first: int) -> int:
    if hasattr(error, "weft_iteration"):
        return error.weft_iteration["i"]
    if isinstance(error, weft.Error):
        return error.iteration["i"]
    (note,) = getattr(error, "__notes__", [""])[-1:]
    return int(note.rpartition("i = ")[2])


def check(
    expression,
    types: tuple[Scalar, ...],
    result: Scalar,
    ulp: int = 0,
    most: float = math.inf,
    signed_zeros: bool = True,
) -> None:
    """Compiled and interpreted loops give the same elements and the same failures, one by one and in strips."""
    inputs = rows(types, most)
    for mapping in ("sequential", "parallel") if types[0].kind in "fc" else ("parallel",):
        made = program(expression, types, result, mapping)
        shape = inputs[0].shape
        expected, got = np.zeros(shape, stored(result).dtype), np.zeros(shape, stored(result).dtype)
        wanted = outcomes(lambda *a: run(made, a), inputs, expected)
        assert outcomes(Compiled(made), inputs, got) == wanted
        same(got, expected, ulp, signed_zeros)


def same(got: np.ndarray, expected: np.ndarray, ulp: int, signed_zeros: bool = True) -> None:
    if expected.dtype.kind == "c":
        part = f"f{expected.dtype.itemsize // 2}"
        got, expected = got.view(part), expected.view(part)
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(got, expected)
        return
    nan = np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(got), nan)
    got, expected = got[~nan], expected[~nan]
    exact = got == expected
    with np.errstate(all="ignore"):
        close = np.abs(got - expected) <= ulp * np.spacing(np.maximum(np.abs(got), np.abs(expected)))
    assert np.all(exact | close), (got[~(exact | close)], expected[~(exact | close)])
    if signed_zeros:
        assert np.array_equal(np.signbit(got[exact]), np.signbit(expected[exact]))


def defined(op: str, type: Scalar) -> Scalar | None:
    """The type of the result of an operator on operands of one type; None where there is no such operator."""
    try:
        result = node_type(op, type)
    except TypeInferenceError:
        return None
    wanted = operand_types(op, *(type,) * (1 if op in UNARY else 2), exponent=1 if op == "pow" else None)
    return result if set(wanted) == {type} else None


CASES = [(op, t) for op in BINARY for t in (*NUMPY_TYPES, *WEAK) if defined(op, t)]


@pytest.mark.parametrize(("op", "type"), CASES, ids=lambda x: str(x))
def test_binary_operators(op, type):
    transcendental = op == "pow" and type.kind in "fc"
    complex_part = 0 if type.kind != "c" else 8
    check(lambda a, b: n.Binary(op, a, b), (type, type), defined(op, type), 4 + complex_part if transcendental else 0)


@pytest.mark.parametrize(
    ("op", "type"), [(op, t) for op in UNARY for t in (*NUMPY_TYPES, *WEAK) if defined(op, t)], ids=lambda x: str(x)
)
def test_unary_operators(op, type):
    check(lambda a: n.Unary(op, a), (type,), defined(op, type), 1 if type.kind == "c" else 0)


@pytest.mark.parametrize(
    ("op", "type"), [(op, t) for op in COMPARE for t in (*NUMPY_TYPES, *WEAK) if defined(op, t)], ids=lambda x: str(x)
)
def test_comparisons(op, type):
    check(lambda a, b: n.Compare(op, a, b), (type, type), defined(op, type))


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", (*NUMPY_TYPES, *WEAK), ids=str)
@pytest.mark.parametrize("checked", [True, False], ids=["checked", "unchecked"])
def test_conversions(source, checked):
    for target in (*NUMPY_TYPES, *WEAK):
        check(lambda a, target=target: n.Cast(a, checked), (source,), target)


EXACT = frozenset(
    """sqrt square reciprocal floor ceil trunc rint fabs absolute sign signbit isnan isinf isfinite conjugate spacing
    bitwise_count real imag logical_not copysign nextafter fmod ldexp maximum minimum fmax fmin heaviside gcd lcm
    logical_and logical_or logical_xor degrees radians""".split()
)


EXTREMES = frozenset({"maximum", "minimum", "fmax", "fmin"})
"""Which of two zeros these give depends on NumPy's vector code for the processor."""


def math_cases() -> list[tuple[str, tuple[Scalar, ...], Scalar]]:
    found = []
    for name, count in MATH_FUNCTIONS.items():
        for type in NUMPY_TYPES:
            try:
                taken = operand_types(name, *(type,) * count)
                result = result_type(name, *(type,) * count)
            except TypeInferenceError:
                continue
            if taken == (type,) * count:
                found.append((name, taken, result))
    return found


@pytest.mark.parametrize(
    ("name", "types", "result"), math_cases(), ids=lambda x: str(x) if not isinstance(x, tuple) else ""
)
def test_functions_of_numpy(name, types, result):
    ulp = 0 if name in EXACT and types[0].kind != "c" else 4 if types[0].kind != "c" else 64
    check(lambda *a: n.Math(name, a), types, result, ulp, signed_zeros=name not in EXTREMES)


@pytest.mark.parametrize("name", STRICT_FUNCTIONS)
def test_functions_of_python(name):
    taken, given, count = STRICT_FUNCTIONS[name]
    ulp = 0 if name in EXACT or given != PYFLOAT else 10_000 if "gamma" in name else 4
    most = 1000 if name in ("factorial", "comb", "perm") else math.inf
    check(lambda *a: n.Math(name, a, True), (taken,) * count, given, ulp, most)


def test_multiplies_and_adds_with_one_rounding():
    for type in (SCALARS["float32"], SCALARS["float64"]):
        check(lambda a, b: n.Fma(a, b, n.Const(1.0, a.type)), (type, type), type)


def test_selects():
    check(lambda a, b: n.Select(a, b, n.Const(3, PYINT)), (PYBOOL, PYINT), PYINT)


def test_an_undefined_value_is_never_looked_at():
    build = Builder("undefined")
    x = build.array("x", SCALARS["float64"], contiguous=True)
    unknown = build.let(n.Undefined(), PYFLOAT)
    build.let(n.Undefined(), View(SCALARS["float64"], 1))
    with build.loop("i", 0, build.dim(x), {"last": unknown}) as loop:
        loop.carry(build.cast(build.load(x, loop.index), PYFLOAT))
    assert Compiled(build.program(loop.results[0]))(np.array([1.0, 2.0])) == (2.0,)


def test_rests_of_powers_of_two_are_pythons():
    def rests(a, b, c, out):
        for i in range(len(a)):
            out[i, 0] = a[i] % 8
            out[i, 1] = b[i] % 16
            out[i, 2] = c[i] % 4
            out[i, 3] = int(a[i]) % 2**40
            out[i, 4] = (i - 20) % 1

    numbers = np.array([-(2**63), -(2**40) - 1, -9, -8, -1, 0, 1, 7, 8, 2**40, 2**63 - 1])
    narrow = [numbers.astype(np.int32), numbers.astype(np.int8)]
    expected, found = (np.zeros((len(numbers), 5), np.int64) for _ in range(2))
    rests(numbers, *narrow, expected)
    weft.jit(rests, device="cpu")(numbers, *narrow, found)
    np.testing.assert_array_equal(expected, found)


def parts_by_constants(x, out):
    for i in range(len(x)):
        out[0, i] = x[i] // 1
        out[1, i] = x[i] % 1
        out[2, i] = x[i] // 2
        out[3, i] = x[i] % 2
        out[4, i] = x[i] // 3
        out[5, i] = x[i] % 3
        out[6, i] = x[i] // 64
        out[7, i] = x[i] % 64
        out[8, i] = x[i] // 127
        out[9, i] = x[i] % 127


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_quotients_and_rests_of_constants(dtype):
    limits = np.iinfo(dtype)
    ends = [limits.min, limits.min + 1, limits.max - 1, limits.max, limits.min // 2, limits.max // 2]
    x = np.array([*ends, *range(-128, 128)], dtype)
    ours, theirs = np.zeros((10, len(x)), dtype), np.zeros((10, len(x)), dtype)
    weft.jit(parts_by_constants)(x, ours)
    parts_by_constants(x, theirs)
    np.testing.assert_array_equal(ours, theirs)
