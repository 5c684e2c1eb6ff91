"""Dataclasses and named tuples: fields, methods, properties, operators, construction."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from weft.errors import UnsupportedError
from weft.ir import nodes as n

from .compare import check, program_of

FACTOR = 3.0


@dataclass(frozen=True)
class Vector:
    x: float
    y: float = 0.5

    DIMENSIONS = 2

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __getitem__(self, k):
        return self.x if k == 0 else self.y

    def __len__(self):
        return self.DIMENSIONS

    def __call__(self, t):
        return self.x + t * self.y

    def __contains__(self, value):
        return self.x <= value <= self.y

    @property
    def norm(self):
        return self.x * self.x + self.y * self.y

    def scaled(self, by=2.0):
        return self.norm * by * FACTOR

    @staticmethod
    def unit():
        return Vector(1.0, 0.0)

    @classmethod
    def diagonal(cls, length):
        return cls(length, y=length)


class Pair(NamedTuple):
    first: float
    second: int = 7

    def total(self):
        return self.first + self.second


@dataclass
class Body:
    position: Vector
    mass: float
    history: Any
    name: Any = None


@dataclass(order=True)
class Version:
    major: int
    minor: int


def test_operators():
    def f(v, w):
        u = v + w * 2.0 + 0.5 * v if v.x > 0 else -v
        u = 2.0 * (v + -w)
        u += v
        return u, abs(u), u[0] + u[1], len(u), u(3.0), u.norm, 0.1 in v, bool(u), Vector.DIMENSIONS + u.DIMENSIONS

    check(f, Vector(1.5, 2.0), Vector(3.0))


def test_methods_properties_and_construction():
    def f(v, n):
        w = Vector(1.0)
        for i in range(n):
            w = w + Vector.unit() + Vector.diagonal(2.0) + Vector(y=0.1, x=float(i))
        return w.scaled(), w.scaled(by=v.norm), v.scaled(3.0), dataclasses.replace(w, x=9.0)

    check(f, Vector(1.5, 2.0), 3)


def test_operators_that_a_class_lacks():
    def f(v):
        return v - v

    with pytest.raises(TypeError, match="unsupported operand"):
        program_of(f, Vector(1.0, 2.0))


def test_named_tuples():
    def f(p, n):
        a, b = p
        q = Pair(a * 2)
        r = p._replace(second=n)
        s = 0.0
        for v in p:
            s += v
        return q, r, p[0] + p[-1], len(p), p.total(), s, p == q, p < q, p + (1,), (a, b) == p

    check(f, Pair(1.5, 2), 4)


def test_nested_objects_with_arrays():
    def f(body, steps):
        for i in range(steps):
            body.history[i] = body.position.norm * body.mass
            body = Body(body.position + Vector(0.1, 0.1), body.mass, body.history)
        return body.position, body.history

    check(f, Body(Vector(1.0, 2.0), 3.0, np.zeros(4)), 4)


def test_comparisons_that_dataclass_made():
    def f(a, b):
        return a == b, a != b, a < b, a >= b, Vector(1.0) == Vector(1.0, 0.5)

    check(f, Version(1, 2), Version(1, 3))
    check(f, Version(2, 0), Version(1, 3))


def test_objects_that_change_in_a_loop_are_values():
    def f(n):
        v = Vector(0.0, 1.0)
        best = v
        for i in range(n):
            v = Vector(v.y, v.x + v.y)
            if v.x > 3.0:
                best = v
                break
        return v, best

    check(f, 3)
    check(f, 10)


def test_assigned_fields_of_arguments_are_written_back():
    def f(body):
        body.mass = 2.0
        body.mass += body.mass

    program = program_of(f, Body(Vector(1.0), 1.0, None))
    assert program.writes == (n.Source("argument", "body", ("mass",)),)


def test_methods_are_compiled_with_their_object():
    @dataclass
    class Scale:
        factor: float

        def apply(self, a):
            for i in range(len(a)):
                a[i] *= self.factor

    def f(scale, a):
        scale.apply(a)

    check(f, Scale(2.0), np.ones(3))


def test_results_may_be_objects_of_local_classes():
    @dataclass
    class Local:
        x: float

    def f(x):
        return Local(x), (Local(1.0), None)

    check(f, 2.5)


def test_constructors_that_do_more_than_to_initialise_are_refused():
    @dataclass
    class Checked:
        x: float

        def __new__(cls, x):
            return object.__new__(cls)

    def f(x):
        return Checked(x).x

    with pytest.raises(UnsupportedError, match="has a constructor of its own"):
        program_of(f, 1.0)


@dataclass(frozen=True)
class Counted:
    """Augmented assignment does something else than the operator: how often it was used is counted."""

    x: int
    times: int = 0

    def __add__(self, other):
        return Counted(self.x + other, self.times)

    __sub__ = __mul__ = __floordiv__ = __mod__ = __add__

    def __iadd__(self, other):
        return Counted(self.x + 2 * other, self.times + 1)

    def __isub__(self, other):
        return Counted(self.x - other, self.times + 1)

    __imul__ = __ifloordiv__ = __iadd__


def augmented_add(a, n):
    for i in range(n):
        a += i
    return a.x, a.times


def augmented_subtract(a, n):
    for i in range(n):
        a -= i
    return a.x, a.times


def augmented_multiply(a, n):
    for i in range(n):
        a *= i
    return a.x, a.times


def augmented_divide(a, n):
    for i in range(n):
        a //= i
    return a.x, a.times


def augmented_modulo(a, n):
    for i in range(n):
        a %= i
    return a.x, a.times


@pytest.mark.parametrize(
    "function", [augmented_add, augmented_subtract, augmented_multiply, augmented_divide, augmented_modulo]
)
def test_augmented_assignment_uses_the_method_of_the_class_if_there_is_one(function):
    check(function, Counted(3), 4)


class Steps:
    def __init__(self):
        self.taken = 0

    def next(self):
        self.taken += 1
        return self.taken


def condition_that_counts(n):
    steps = Steps()
    k = 0
    while steps.next() < n:
        k += 1
    return k, steps.taken


def second_condition_that_counts(n):
    steps = Steps()
    k = 0
    while k < 3 and steps.next() < n:
        k += steps.next()
    return k, steps.taken


def condition_that_takes_items(n):
    items = [3, 0, 2, n]
    k = 0
    while items.pop() > 0:
        k += 1
    return k, len(items)


@pytest.mark.parametrize("function", [condition_that_counts, second_condition_that_counts, condition_that_takes_items])
@pytest.mark.parametrize("n", [0, 1, 5])
def test_what_a_condition_of_while_changes_is_kept(function, n):
    check(function, n)


def classes_of_containers(n):
    items = [n, 2]
    named = {"a": n}
    return isinstance(items, list), isinstance(named, dict), isinstance(items, tuple), type(items) is list


def test_lists_and_dicts_have_pythons_classes():
    check(classes_of_containers, 3)
