"""Types and values of every operator, held against NumPy and CPython themselves."""

import math
import operator

import numpy as np
import pytest

from weft.errors import InternalError, TypeInferenceError
from weft.ir import semantics, values
from weft.ir.types import (
    BOOL,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT32,
    INT64,
    NUMPY_TYPES,
    PYBOOL,
    PYCOMPLEX,
    PYFLOAT,
    PYINT,
    SCALARS,
    UINT8,
    UINT64,
    WEAK_TYPES,
)

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

PYTHON_OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor, "shl": operator.lshift, "shr": operator.rshift,
}  # fmt: skip
COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
UNARY_OPERATORS = {"neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "abs": abs}
INTEGER_EDGES = (-(2**63), -(2**31), -129, -128, -2, -1, 0, 1, 2, 3, 7, 100, 127, 255, 2**31, 2**63 - 1, 2**64 - 1)
FLOAT_EDGES = (-math.inf, -1e300, -2.5, -1.0, -0.0, 0.0, 1e-310, 0.5, 1.0, 3.0, 1e300, math.inf, math.nan)


def edges(type_):
    """Values of a type, its extremes included."""
    if type_.kind == "b":
        return [values.constant(v, type_) for v in (False, True)]
    if type_.kind in "iu":
        bounds = np.iinfo(type_.dtype)
        return [values.constant(v, type_) for v in INTEGER_EDGES if bounds.min <= v <= bounds.max]
    if type_.kind == "f":
        return [values.constant(v, type_) for v in FLOAT_EDGES]
    return [values.constant(complex(a, b), type_) for a in (-1.0, 0.0, 2.5, math.nan) for b in (-0.0, 1.0, math.inf)]


def few(type_):
    """At most six values of a type, for tests over all pairs of types."""
    found = edges(type_)
    return found[:: max(len(found) // 6, 1)] + found[-1:]


def outcome(function, *operands):
    """What a function does, as something to compare: type, digits and exception."""
    try:
        with np.errstate(all="ignore"):
            result = function(*operands)
    except (ArithmeticError, ValueError) as error:
        return type(error), str(error)
    return type(result), repr(result)


def type_of(value):
    """The scalar type of a value."""
    if isinstance(value, np.generic):
        return SCALARS[value.dtype.name]
    return {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}[type(value)]


def compute(op, left, right, a, b):
    """A binary operation as the frontend writes it: both operands cast, then one operation."""
    common = semantics.operation_type(op, left, right, exponent=int(b) if right in (PYINT, PYBOOL) else None)
    a, b = values.evaluate_cast(left, common, a), values.evaluate_cast(right, common, b)
    return values.evaluate_binary(op, common, a, b)


@pytest.mark.parametrize("op", PYTHON_OPERATORS)
@pytest.mark.parametrize("left", SCALARS.values(), ids=str)
def test_result_type_is_that_of_numpy_and_python(op, left):
    for right in SCALARS.values():
        if op == "pow" and left.weak and right.weak and {left, right} <= {PYBOOL, PYINT}:
            continue
        a, b = values.constant(1, left), values.constant(1, right)
        try:
            expected = type_of(PYTHON_OPERATORS[op](a, b))
        except TypeError:
            with pytest.raises(TypeInferenceError):
                semantics.result_type(op, left, right)
        else:
            assert semantics.result_type(op, left, right) == expected, (left, right)


@pytest.mark.parametrize("op", PYTHON_OPERATORS)
@pytest.mark.parametrize("left", SCALARS.values(), ids=str)
def test_value_is_that_of_numpy_and_python(op, left):
    for right in SCALARS.values():
        try:
            semantics.result_type(op, left, right, exponent=1)
        except TypeInferenceError:
            continue
        for a in few(left):
            for b in few(right):
                check_value(op, left, right, a, b)


def check_value(op, left, right, a, b):
    if op in ("shl", "pow") and left.weak and right.weak and left.kind in "bi" and right.kind in "bi" and b > 64:
        return
    expected = outcome(PYTHON_OPERATORS[op], a, b)
    found = outcome(compute, op, left, right, a, b)
    if expected[0] is int and not -(2**63) <= int(expected[1]) < 2**63:
        assert found[0] is OverflowError
    elif expected[0] is complex and PYCOMPLEX not in (left, right):
        assert found[0] is ValueError
    elif op == "pow" and found != expected:
        check_close(found, expected)
    else:
        assert found == expected, (op, left, right, a, b)


def check_close(found, expected):
    """NumPy has two implementations of ``**`` for floats, which differ in the last digit."""
    assert found[0] == expected[0]
    a, b = (np.asarray(eval(text, {"np": np})) for _, text in (found, expected))
    np.testing.assert_allclose(a, b, rtol=8 * np.finfo(a.dtype).eps)


@pytest.mark.parametrize("type_", [t for t in SCALARS.values() if t.kind in "bif"], ids=str)
@pytest.mark.parametrize("op", ["floordiv", "mod", "truediv", "mul", "add"])
def test_all_edges_of_one_type(op, type_):
    for a in edges(type_):
        for b in edges(type_):
            check_value(op, type_, type_, a, b)


@pytest.mark.parametrize("op", UNARY_OPERATORS)
@pytest.mark.parametrize("type_", SCALARS.values(), ids=str)
def test_unary_operators(op, type_):
    try:
        UNARY_OPERATORS[op](values.constant(1, type_))
    except TypeError:
        with pytest.raises(TypeInferenceError):
            semantics.result_type(op, type_)
        return
    common = semantics.operation_type(op, type_)
    for value in edges(type_):
        found = outcome(values.evaluate_unary, op, common, values.evaluate_cast(type_, common, value))
        expected = outcome(UNARY_OPERATORS[op], value)
        if expected[0] is int and int(expected[1]) >= 2**63:
            assert found[0] is OverflowError
        else:
            assert found == expected
            assert semantics.result_type(op, type_) == type_of(UNARY_OPERATORS[op](value))


@pytest.mark.parametrize("type_", SCALARS.values(), ids=str)
def test_not_gives_pythons_bool(type_):
    assert semantics.result_type("not", type_) == PYBOOL
    for value in edges(type_):
        assert values.evaluate_unary("not", type_, value) is (not value)


@pytest.mark.parametrize("op", ["min", "max"])
@pytest.mark.parametrize("type_", [t for t in SCALARS.values() if t.kind != "c"], ids=str)
def test_min_and_max_are_those_of_python(op, type_):
    python = {"min": min, "max": max}[op]
    for a in edges(type_):
        for b in edges(type_):
            assert repr(values.evaluate_binary(op, type_, a, b)) == repr(python(a, b))


def test_weak_integers_adapt_and_must_fit():
    assert semantics.result_type("add", INT8, PYINT) == INT8
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for int8"):
        values.evaluate_cast(PYINT, INT8, 300)


def test_division_of_python_integers_is_rounded_once():
    a, b = 2**53 + 1, 3
    assert semantics.operation_type("truediv", PYINT, PYINT) == PYINT
    assert semantics.result_type("truediv", PYINT, PYINT) == PYFLOAT
    assert values.evaluate_binary("truediv", PYINT, a, b) == a / b


def test_power_of_integers_needs_the_sign_of_the_exponent():
    with pytest.raises(TypeInferenceError, match="depends on the sign of the exponent"):
        semantics.result_type("pow", PYINT, PYINT)
    assert semantics.result_type("pow", PYINT, PYINT, exponent=2) == PYINT
    assert semantics.result_type("pow", PYINT, PYINT, exponent=-2) == PYFLOAT
    assert semantics.result_type("pow", INT64, PYINT) == INT64


def test_negative_power_of_a_numpy_integer_raises():
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        values.evaluate_binary("pow", INT64, np.int64(2), np.int64(-1))


def test_fractional_power_of_a_negative_float_raises():
    with pytest.raises(ValueError, match="complex number"):
        values.evaluate_binary("pow", PYFLOAT, -8.0, 1 / 3)


def test_an_unchecked_operation_that_would_raise_is_a_mistake_of_the_compiler():
    for op, a, b in (("add", 2**63 - 1, 1), ("floordiv", 1, 0), ("shl", 1, -1), ("shl", 1, 64)):
        with pytest.raises(InternalError, match="unchecked operation"):
            values.evaluate_binary(op, PYINT, a, b, checked=False)
    with pytest.raises(InternalError, match="unchecked operation"):
        values.evaluate_unary("neg", PYINT, -(2**63), checked=False)


@pytest.mark.parametrize("source", SCALARS.values(), ids=str)
@pytest.mark.parametrize("target", NUMPY_TYPES, ids=str)
def test_assignment_to_an_element_is_that_of_numpy(source, target):
    if source.kind == "c" and target.kind != "c":
        return
    for value in edges(source):
        array = np.zeros(1, target.dtype)

        def assign():
            array[0] = value
            return array[0]

        def convert():
            current, result = source, value
            for step in semantics.stored_through(source, target):
                result, current = values.evaluate_cast(current, step, result), step
            return result

        expected, found = outcome(assign), outcome(convert)
        if expected[0] is OverflowError:
            assert found[0] is OverflowError
        else:
            assert found == expected, (source, target, value)


@pytest.mark.parametrize("source", SCALARS.values(), ids=str)
@pytest.mark.parametrize("target", SCALARS.values(), ids=str)
def test_cast_gives_a_value_of_the_target_type(source, target):
    for value in edges(source):
        try:
            found = values.evaluate_cast(source, target, value)
        except (OverflowError, ValueError):
            assert source.weak or target.weak
        else:
            assert type_of(found) == target


def test_unchecked_casts_are_total():
    for source in SCALARS.values():
        for target in SCALARS.values():
            for value in edges(source):
                assert type_of(values.evaluate_cast(source, target, value, checked=False)) == target


UNARY_FUNCTIONS = [name for name, count in semantics.MATH_FUNCTIONS.items() if count == 1]
BINARY_FUNCTIONS = [name for name, count in semantics.MATH_FUNCTIONS.items() if count == 2 and name != "complex"]


@pytest.mark.parametrize("name", UNARY_FUNCTIONS)
@pytest.mark.parametrize("type_", SCALARS.values(), ids=str)
def test_functions_of_one_operand(name, type_):
    if name in ("real", "imag") and type_.weak:
        return
    function = getattr(np, name)
    try:
        with np.errstate(all="ignore"):
            expected = np.asarray(function(values.constant(1, type_)))
    except TypeError:
        with pytest.raises(TypeInferenceError):
            semantics.result_type(name, type_)
        return
    result = semantics.result_type(name, type_)
    assert result.dtype == expected.dtype
    (taken,) = semantics.operand_types(name, type_)
    for value in edges(type_):
        found = outcome(values.evaluate_math, name, result, values.evaluate_cast(type_, taken, value))
        assert found == outcome(lambda v: values.constant(function(v), result), value)


@pytest.mark.parametrize("name", BINARY_FUNCTIONS)
def test_functions_of_two_operands(name):
    function = getattr(np, name)
    for left in SCALARS.values():
        for right in SCALARS.values():
            a, b = values.constant(1, left), values.constant(1, right)
            try:
                expected = np.asarray(function(a, b)).dtype
            except TypeError:
                with pytest.raises(TypeInferenceError):
                    semantics.result_type(name, left, right)
            else:
                assert semantics.result_type(name, left, right).dtype == expected, (left, right)


@pytest.mark.parametrize("name", semantics.STRICT_FUNCTIONS)
def test_strict_functions_are_those_of_pythons_math(name):
    taken, given, count = semantics.STRICT_FUNCTIONS[name]
    assert semantics.result_type(name, *(FLOAT32 if taken == PYFLOAT else INT32,) * count, strict=True) == given
    operands = (0.5 if name != "arccosh" else 1.5, 0.25)[:count] if taken == PYFLOAT else (6, 4)[:count]
    assert type_of(values.evaluate_math(name, given, *operands, strict=True)) == given


def test_strict_functions_raise_as_python_does():
    for name, operand in (("sqrt", -1.0), ("log", 0.0), ("exp", 1e4), ("floor", math.nan), ("floor", math.inf)):
        given = semantics.STRICT_FUNCTIONS[name][1]
        expected = outcome(getattr(math, name), operand)
        assert issubclass(expected[0], Exception)
        assert outcome(lambda v: values.evaluate_math(name, given, v, strict=True), operand) == expected


@pytest.mark.parametrize(
    ("op", "types"),
    [
        ("sub", (BOOL, BOOL)), ("neg", (BOOL,)), ("and", (FLOAT64, INT8)), ("floordiv", (PYCOMPLEX, PYINT)),
        ("lt", (PYCOMPLEX, PYINT)), ("invert", (PYFLOAT,)), ("nonsense", (FLOAT64,)),
    ],
)  # fmt: skip
def test_operations_that_do_not_exist_are_refused(op, types):
    with pytest.raises(TypeInferenceError):
        semantics.result_type(op, *types)


@pytest.mark.parametrize("op", ["add", "truediv", "pow", "lt", "neg", "abs", "not"])
@pytest.mark.parametrize("type_", SCALARS.values(), ids=str)
def test_node_type_is_the_type_of_the_value(op, type_):
    one = values.constant(1, type_)
    operands = (one,) if op in ("neg", "abs", "not") else (one, one)
    function = PYTHON_OPERATORS.get(op) or UNARY_OPERATORS.get(op) or COMPARISONS.get(op) or operator.not_
    try:
        expected = function(*operands)
    except TypeError:
        return
    taken = semantics.operation_type(op, *(type_,) * len(operands), exponent=1)
    assert semantics.node_type(op, taken) == type_of(expected)


def test_parts_of_python_numbers_are_python_numbers():
    assert semantics.result_type("real", PYCOMPLEX) == PYFLOAT
    assert semantics.result_type("imag", PYINT) == PYINT
    assert values.evaluate_math("imag", PYFLOAT, 1 + 2j) == 2.0


def test_weak_types_alone_get_numpys_default_types_in_numpy_functions():
    assert semantics.result_type("sqrt", PYINT) == FLOAT64
    assert semantics.result_type("maximum", PYINT, PYFLOAT) == FLOAT64
    assert semantics.result_type("maximum", UINT8, PYINT) == UINT8
    assert semantics.result_type("sqrt", INT8) == FLOAT16
    assert semantics.result_type("add", UINT64, INT64) == FLOAT64
    assert [semantics.default_type(t).name for t in WEAK_TYPES] == ["bool", "int64", "float64", "complex128"]
