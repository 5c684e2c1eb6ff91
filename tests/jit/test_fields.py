"""Fields of dataclasses that compiled code assigns."""

from __future__ import annotations

import copy
import dataclasses
import linecache
import math

import numpy as np
import pytest

import weft

DEVICES = ["cpu", "interpreter", pytest.param("opencl", marks=pytest.mark.opencl)]


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return math.sqrt(self.x**2 + self.y**2)

    def move(self, distance):
        self.x += distance
        return self.x

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self


@dataclasses.dataclass
class World:
    origin: Point
    count: int
    cells: np.ndarray


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: float


ORIGIN = Point(0.0, 0.0)


def same(function, *args, device="cpu"):
    """Compiled code returns what Python does, and leaves the same in the arguments."""
    expected, found = copy.deepcopy(args), copy.deepcopy(args)
    wanted, got = function(*expected), weft.jit(function, device=device)(*found)
    assert repr(wanted) == repr(got)
    assert repr(expected) == repr(found)


@pytest.mark.parametrize("device", DEVICES)
def test_a_local_object(device):
    def integrate(p, n):
        q = Point(0.0, 0.0)
        for i in range(n):
            q.x += p.x * i
            q.y = q.x * 2
        return q

    same(integrate, Point(1.0, 2.0), 10, device=device)


@pytest.mark.parametrize("device", DEVICES)
def test_an_argument_is_changed_for_the_caller(device):
    def grow(p, n):
        for _ in range(n):
            p.x += 1.0
        return p.x

    same(grow, Point(1.0, 2.0), 5, device=device)
    same(grow, Point(1.0, 2.0), 0, device=device)


def test_another_name_for_the_same_object():
    def both(p, n):
        q = p
        for i in range(n):
            if i % 2:
                q.x += 1.0
            else:
                p.y = p.x
        return p.norm(), q.y

    same(both, Point(1.0, 2.0), 5)


def test_methods_and_operators_in_place():
    def moved(p, n):
        for _ in range(n):
            p.move(0.5)
        p += Point(1.0, 1.0)
        p.x, p.y = p.y, p.x
        return p.move(1.0) + p.x, p == Point(4.0, 4.5)

    same(moved, Point(1.0, 2.0), 3)


def test_objects_inside_of_objects_and_tuples():
    def run(w, t):
        for i in range(len(w.cells)):
            w.cells[i] = w.origin.x
            w.origin.x *= 2
            w.count += 1
        inner = w.origin
        inner.y = 7.0
        t[0].x += t[1].x
        return w.count

    same(run, World(Point(1.0, 2.0), 3, np.zeros(4)), (Point(1.0, 2.0), Point(3.0, 4.0)))


def test_a_field_that_is_an_array():
    def replaced(w, cells):
        w.cells = cells
        w.cells[0] = 5.0

    w, cells = World(Point(1.0, 2.0), 3, np.zeros(4)), np.ones(4)
    weft.jit(replaced)(w, cells)
    assert w.cells is cells
    assert cells[0] == 5.0


def test_an_early_return():
    def early(p, n):
        if n > 2:
            p.x = 9.0
            return p.x
        p.y = 1.0
        return p.y

    for n in (1, 3):
        same(early, Point(1.0, 2.0), n)


def test_an_object_made_in_every_iteration():
    def fresh(n):
        s = 0.0
        for i in range(n):
            q = Point(1.0, 2.0)
            q.x += i
            s += q.x + q.y
        return s

    same(fresh, 4)


def test_a_copy_is_another_object():
    def copied(p):
        q = dataclasses.replace(p, x=5.0)
        q.x += 1
        return p.x, q

    same(copied, Point(1.0, 2.0))


def test_a_call_that_raises_leaves_the_fields_as_they_were():
    @weft.jit
    def fails(p, a, k):
        p.x = 5.0
        return a[k]

    p = Point(1.0, 2.0)
    with pytest.raises(IndexError):
        fails(p, np.zeros(2), 7)
    assert p.x == 1.0


def test_one_object_under_two_names_is_refused():
    @weft.jit
    def two(a, b):
        a.x += 1.0
        return b.x

    p = Point(1.0, 2.0)
    with pytest.raises(weft.ArgumentError, match="a and b are one object"):
        two(p, p)
    assert p.x == 1.0
    assert two(p, Point(4.0, 5.0)) == 4.0


def test_an_argument_that_is_captured_as_well_is_refused():
    @weft.jit
    def two(a):
        a.x += 1.0
        return ORIGIN.x

    with pytest.raises(weft.ArgumentError, match="ORIGIN and a are one object"):
        two(ORIGIN)


def refused(function, *args):
    with pytest.raises(weft.Error) as caught:
        weft.jit(function)(*args)
    return str(caught.value)


def test_captured_and_frozen_objects_are_not_assigned():
    def captured():
        ORIGIN.x = 1.0

    def frozen(f):
        f.x = 2.0

    assert "the object is captured" in refused(captured)
    assert "not frozen" in refused(frozen, Fixed(1.0))


def test_a_variable_that_may_be_one_of_several_objects_is_refused():
    def chosen(p, q, c):
        r = p if c else q
        r.x = 3.0

    assert "several objects of the class Point" in refused(chosen, Point(1.0, 2.0), Point(3.0, 4.0), True)


@dataclasses.dataclass
class Pair:
    first: Point
    scale: float


def made_on_both_sides(c):
    if c > 0:
        p = Point(c, 2.0)
    else:
        p = Point(3.0, c)
    p.x += 1.0
    x = p.x
    q = Point(0.0, 1.0) if c > 1 else Point(c, x)
    q.y += c
    if c < 0:
        q = p
    q.x += c
    return x, q


def larger(p, q):
    if p.x > q.x:
        return Point(p.x, p.y)
    return Point(q.x, q.y)


def two_returns(c):
    p = larger(Point(c, 1.0), Point(1.0, c))
    p.move(2.0)
    return p


def made_anew(n, c):
    p, last = Point(0.0, c), Point(9.0, 9.0)
    for i in range(n):
        last = Point(p.y, p.x)
        if i % 2 == 0:
            p = Point(p.x + i, p.y)
        p.y += c
        last.x += p.y
    return p, last


def changing_places(n):
    p, q = Point(1.0, 2.0), Point(3.0, 4.0)
    for i in range(n):
        p, q = q, p
        p.x += i
        if p.x > 3.0:
            p, q = q, p
    p.y += 1.0
    return p, q


def inside_one_another(n):
    pair = Pair(Point(0.0, 1.0), 2.0)
    while pair.first.x < n:
        pair = Pair(Point(pair.first.x + 1.0, pair.first.y), pair.scale)
        pair.first.y += pair.scale
    return pair


def kept_or_made(n):
    p = Point(1.0, 2.0)
    for i in range(n):
        p = p if p.x > i else Point(p.y, i + 1.0)
        p.y += 2.0
    return p


def for_each_element(x, y):
    for i in range(x.shape[0]):
        p = Point(x[i], 1.0) if x[i] > 0.5 else Point(-x[i], 2.0)
        p.move(3.0)
        y[i] = p.x * p.y


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("function", "inputs"),
    [
        (made_on_both_sides, [(-1.0,), (0.5,), (2.0,)]), (two_returns, [(0.5,), (2.5,)]),
        (made_anew, [(0, 1.0), (1, 0.5), (6, 2.0)]), (changing_places, [(0,), (1,), (5,)]),
        (inside_one_another, [(0.0,), (4.0,)]), (kept_or_made, [(0,), (7,)]),
    ],
)  # fmt: skip
def test_a_variable_may_be_one_of_several_objects_that_have_no_other_name(function, inputs, device):
    compiled = weft.jit(function, device=device)
    for arguments in inputs:
        assert compiled(*arguments) == function(*arguments)


@pytest.mark.parametrize("device", DEVICES)
def test_each_iteration_makes_its_object(device):
    x = np.linspace(0, 1, 50)
    y, expected = np.zeros(50), np.zeros(50)
    weft.jit(for_each_element, device=device)(x, y)
    for_each_element(x, expected)
    np.testing.assert_array_equal(y, expected)


def right_or_refused(function, *inputs):
    """Whether a function is compiled; it gives CPython's results then."""
    compiled = weft.jit(function, device="cpu")
    for arguments in inputs:
        try:
            assert compiled(*arguments) == function(*arguments)
        except weft.errors.Error as error:
            assert "several objects" in str(error)
            return False
    return True


def test_an_object_that_keeps_another_name_is_not_merged():
    def branch(c):
        p = Point(1.0, 2.0)
        q = p
        if c:
            p = Point(5.0, 6.0)
        p.x += 1.0
        return q.x + p.x

    def loop(n):
        p = Point(1.0, 2.0)
        first = p
        for _ in range(n):
            p.x += 1.0
            p = Point(p.x, p.y)
        return first.x + p.x

    def argument(p, c):
        if c:
            p = Point(5.0, 6.0)
        p.x += 1.0

    def in_a_field(c):
        pair, p = Pair(Point(1.0, 2.0), 1.0), Point(3.0, 4.0)
        if c:
            pair.first = p
        p.x += 1.0
        return pair.first.x

    assert right_or_refused(branch, (True,), (False,))
    assert right_or_refused(loop, (0,), (1,), (3,))
    assert "which Point 'p' is depends on values" in refused(argument, Point(1.0, 2.0), True)
    assert right_or_refused(in_a_field, (True,), (False,))


def test_what_keeps_an_object_that_a_loop_replaces_has_the_old_one():
    def default(n):
        p = Point(1.0, 0.0)
        kept = lambda q=p: q.x  # noqa: E731
        for i in range(n):
            p = Point(10.0 + i, 0.0)
        p.y = 2.0
        return kept() * 1000 + p.x

    def keyword(n):
        p = Point(1.0, 0.0)

        def kept(*, q=p):
            return q.x

        for i in range(n):
            p = Point(10.0 + i, 0.0)
        p.y = 2.0
        return kept() * 1000 + p.x

    def evaluated_before(n):
        p = Point(1.0, 0.0)

        def step():
            nonlocal p
            for i in range(n):
                p = Point(10.0 + i, 0.0)
            return 5.0

        p.x += step()
        return p.x

    for function in (default, keyword, evaluated_before):
        assert right_or_refused(function, (0,), (1,), (2,))


def test_a_loop_that_replaces_an_object_stands_in_one_that_is_left():
    def nested(n):
        p = Point(1.0, 2.0)
        q = p
        for _ in range(n):
            for _ in range(n):
                p = Point(q.x, p.y)
                p.x += 1.0
            if n > 3:
                break
        return q.x + p.x

    assert right_or_refused(nested, (0,), (3,), (5,))


def test_a_class_of_a_text_without_a_module():
    text = "class Pair:\n    def __init__(self, x):\n        self.x = x\n"
    text += "def f(a):\n    p = Pair(a)\n    p.x += 1\n    return p.x\n"
    name, scope = "<no module>", {}
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), scope)
    assert scope["Pair"].__module__ == "builtins"
    assert weft.jit(scope["f"], device="interpreter")(2) == 3
