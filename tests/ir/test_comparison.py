"""Comparison of numbers of different types is exact."""

import operator

import numpy as np
import pytest

from tests.ir.test_semantics import edges
from weft.errors import TypeInferenceError
from weft.ir import nodes as n
from weft.ir import values
from weft.ir.check.comparison import compare
from weft.ir.types import BOOL, FLOAT64, INT64, PYBOOL, PYFLOAT, PYINT, SCALARS, UINT64

NEAR = (2**53 - 1, 2**53, 2**53 + 1, 2**63 - 512, 2**63 - 1, -(2**53) - 1, -(2**63))


class Evaluator:
    """Evaluates the expressions that `compare` emits, at once."""

    def __init__(self):
        self.values = {}

    def atom(self, value, type_):
        var = n.Var(f"v.{len(self.values)}", type_)
        self.values[var.name] = value
        return var

    def value(self, atom):
        return values.constant(atom.value, atom.type) if isinstance(atom, n.Const) else self.values[atom.name]

    def emit(self, node, type_):
        return self.atom(self.evaluate(node, type_), type_)

    def evaluate(self, node, type_):
        if isinstance(node, n.Cast):
            return values.evaluate_cast(node.operand.type, type_, self.value(node.operand), node.checked)
        if isinstance(node, n.Select):
            return self.value(node.then if self.value(node.condition) else node.orelse)
        a, b = self.value(node.left), self.value(node.right)
        assert node.left.type == node.right.type
        if isinstance(node, n.Compare):
            return values.evaluate_compare(node.op, node.left.type, a, b)
        return values.evaluate_binary(node.op, node.left.type, a, b, node.checked)


@pytest.mark.parametrize("op", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("left", SCALARS.values(), ids=str)
def test_comparison_is_that_of_python_and_numpy(op, left):
    for right in SCALARS.values():
        for a in edges(left)[::2] + edges(left)[-1:]:
            for b in edges(right)[::2] + edges(right)[-1:]:
                check(op, left, right, a, b)


def check(op, left, right, a, b):
    evaluator = Evaluator()
    try:
        with np.errstate(all="ignore"):
            expected = getattr(operator, op)(a, b)
    except TypeError:
        with pytest.raises(TypeInferenceError):
            compare(op, evaluator.atom(a, left), evaluator.atom(b, right), evaluator.emit)
        return
    result = compare(op, evaluator.atom(a, left), evaluator.atom(b, right), evaluator.emit)
    assert result.type == (PYBOOL if isinstance(expected, bool) else BOOL)
    assert bool(evaluator.value(result)) == bool(expected), (op, left, right, a, b)


@pytest.mark.parametrize("op", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_integers_near_the_limits_of_float_precision(op):
    for a in NEAR:
        for b in (*map(float, NEAR), -1 - 2**-52, 0.5, -2048.0, 2047.5):
            check(op, PYINT, PYFLOAT, a, b)
            check(op, PYFLOAT, PYINT, b, a)


def test_signed_and_unsigned_are_compared_by_value():
    check("lt", INT64, UINT64, np.int64(-1), np.uint64(2**64 - 1))
    check("eq", UINT64, PYINT, np.uint64(2**64 - 1), -1)


def test_small_constants_need_one_comparison():
    evaluator = Evaluator()
    compare("lt", evaluator.atom(1.5, PYFLOAT), n.Const(0), evaluator.emit)
    assert len(evaluator.values) == 2


def test_numpy_floats_take_python_integers_as_floats():
    check("eq", FLOAT64, PYINT, np.float64(2.0**53), 2**53 + 1)
