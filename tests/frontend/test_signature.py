"""Types of arguments: what is told apart, what is refused, and the leaves."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from weft.errors import ArgumentError
from weft.frontend.source.signature import Constant, InstanceType, TupleType, describe, flatten
from weft.ir.types import FLOAT32, FLOAT64, INT32, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, View


@dataclass
class Point:
    x: float
    y: object


class Pair(NamedTuple):
    a: object
    b: object


def test_numbers():
    assert describe(1) == PYINT
    assert describe(True) == PYBOOL
    assert describe(1.0) == PYFLOAT
    assert describe(1j) == PYCOMPLEX
    assert describe(np.float32(1)) == FLOAT32
    assert describe(np.int32(1)) == INT32


def test_arrays():
    a = np.zeros((3, 4))
    assert describe(a) == View(FLOAT64, 2, contiguous=True)
    assert describe(a.T) == View(FLOAT64, 2, contiguous=False)
    assert describe(a[:, ::2]).contiguous is False
    assert describe(a[:, ::-1]).contiguous is False and describe(a[::-1]).contiguous
    assert describe(np.zeros(())) == View(FLOAT64, 0, contiguous=True)
    frozen = a.copy()
    frozen.flags.writeable = False
    assert describe(frozen).writable is False


def test_structures():
    assert describe((1, (2.0, None))) == TupleType((PYINT, TupleType((PYFLOAT, Constant(None)))))
    assert describe(Point(1.0, "text")).fields == (("x", PYFLOAT), ("y", Constant("text")))
    assert describe(Pair(1, np.ones(2))) == InstanceType(Pair, (("a", PYINT), ("b", View(FLOAT64, 1, True))))


def test_leaves_are_in_order():
    a = np.ones(2)
    value = (1, Point(2.0, (a, None)), "text")
    assert flatten(value, describe(value)) == [1, 2.0, a]


def test_types_are_keys():
    value = (1, Point(2.0, np.ones(2)), "text", np.float32(1))
    assert hash(describe(value)) == hash(describe((7, Point(9.0, np.ones(5)), "text", np.float32(2))))
    assert describe(value) != describe((1, Point(2.0, np.ones(2)), "other", np.float32(1)))
    assert pickle.loads(pickle.dumps(describe(value))) == describe(value)


def test_functions_are_told_apart_by_content():
    def make(k):
        return lambda v: v * k

    assert describe(make(1.0)) == describe(make(2.0))
    assert describe(make(1.0)) != describe(make(2))
    assert describe(lambda v: v + 1) != describe(lambda v: v + 2)
    assert flatten(make(3.0), describe(make(1.0))) == [3.0]
    assert pickle.loads(pickle.dumps(describe(make(1.0)))) == describe(make(1.0))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 2], "a list cannot be passed"),
        ({1: 2}, "a dict cannot be passed"),
        (object(), "objects of the class object"),
        (2**70, "does not fit in 64 bits"),
        (np.array(["a"]), "dtype <U1"),
        (np.array([None]), "dtype object"),
        (np.zeros(3, ">f8"), "byte-swapped"),
        (np.zeros(10, "S1")[1:9].view("S1"), "not supported"),
        (np.frombuffer(bytearray(17), np.uint8)[1:].view(np.float64), "misaligned"),
        (np.ma.zeros(3), "MaskedArray"),
        (np.zeros((1,) * 9), "9 dimensions"),
        (np.datetime64("2020-01-01"), "datetime64"),
    ],
    ids=lambda value: "an object" if type(value) is object else str(value),
)
def test_refused_values(value, text):
    with pytest.raises(ArgumentError, match=text) as caught:
        describe(value, "name")
    assert caught.value.argument == "name"
