"""Classes and objects that say themselves what a name means, from the start or from some call on: right or refused."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import weft
from weft.errors import Error

DEVICES = ("interpreter", "cpu")
everywhere = pytest.mark.parametrize("device", DEVICES)


def outcome(function, *arguments):
    """What a call gives, with its type; the kind of exception otherwise. A refusal is None."""
    try:
        return repr(function(*arguments))
    except Error:
        return None
    except Exception as error:
        return type(error).__name__


def check(compiled, plain, make, refused):
    """Three calls, the last ones by the entry stub where it takes them."""
    for _ in range(3):
        got = outcome(compiled, *make())
        assert got == (None if refused else outcome(plain, *make()))


def new_point(base: Any = object):
    class Point(base):
        x: float
        scale = 2.0

        def area(self):
            return self.x * self.scale

        @staticmethod
        def fixed():
            return 5.0

        @classmethod
        def whole(cls):
            return cls.scale

    Point.__annotations__ = {"x": float}
    return dataclasses.dataclass(Point)


def other():
    return 77.0


HIDING = {
    "method": ("area", other, lambda p: p.area()),
    "method that another uses": ("scale", 9.0, lambda p: p.area()),
    "constant": ("scale", 9.0, lambda p: p.scale),
    "staticmethod": ("fixed", other, lambda p: p.fixed()),
    "classmethod": ("whole", other, lambda p: p.whole()),
}
HOLDERS = {
    "argument": lambda p: p,
    "in a tuple": lambda p: (1.0, p),
}


@everywhere
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("case", HIDING)
def test_an_attribute_of_one_object_hides_that_of_its_class(device, case, holder):
    name, value, used = HIDING[case]
    point = new_point()(3.0)
    plain = used if holder == "argument" else lambda t: used(t[1])
    compiled = weft.jit(plain, device=device)
    check(compiled, plain, lambda: (HOLDERS[holder](point),), False)
    setattr(point, name, value)
    check(compiled, plain, lambda: (HOLDERS[holder](point),), True)
    delattr(point, name)
    check(compiled, plain, lambda: (HOLDERS[holder](point),), False)


@everywhere
@pytest.mark.parametrize("case", HIDING)
def test_an_attribute_of_a_captured_object_hides_that_of_its_class(device, case):
    name, value, used = HIDING[case]
    point = new_point()(3.0)

    def plain(x):
        return x + used(point)

    compiled = weft.jit(plain, device=device)
    check(compiled, plain, lambda: (1.0,), False)
    point.__dict__[name] = value
    check(compiled, plain, lambda: (1.0,), True)
    del point.__dict__[name]
    check(compiled, plain, lambda: (1.0,), False)


@everywhere
def test_an_attribute_that_hides_nothing_or_is_not_used_is_no_matter(device):
    point = new_point()(3.0)
    compiled = weft.jit(lambda p: p.x, device=device)
    point.note, point.area = "a note", other
    assert compiled(point) == 3.0


@everywhere
def test_a_named_tuple_with_attributes_of_its_own(device):
    class Base(NamedTuple):
        x: float

    class Point(Base):
        def area(self):
            return self.x * 2

    point, used = Point(3.0), lambda p: p.area()
    compiled = weft.jit(used, device=device)
    check(compiled, used, lambda: (point,), False)
    point.area = other
    check(compiled, used, lambda: (point,), True)


@everywhere
def test_a_captured_object_that_becomes_one_of_another_class(device):
    point, another = new_point()(3.0), new_point()
    another.scale = -1.0

    def plain(x):
        return x + point.area()

    compiled = weft.jit(plain, device=device)
    check(compiled, plain, lambda: (1.0,), False)
    point.__class__ = another
    check(compiled, plain, lambda: (1.0,), False)


def no(self, *rest):
    return False


def nought(self):
    return 0


def many(self, *rest):
    return 99.0


SPECIAL = {
    "__bool__": (no, lambda p: 1 if p else 2),
    "__len__": (nought, lambda p: 1 if p else 2),
    "__eq__": (no, lambda p: p == p),
    "__ne__": (lambda self, other: True, lambda p: p != p),
    "__lt__": (no, lambda p: p < p),
    "__add__": (many, lambda p: p + 1.0),
    "__radd__": (many, lambda p: 1.0 + p),
    "__neg__": (many, lambda p: -p),
    "__call__": (many, lambda p: p(1.0)),
    "__getitem__": (many, lambda p: p[0]),
}


def added(p):
    p += 1.0
    return p


SPECIAL["__iadd__"] = (many, added)
PLACES = ("class", "base")


@everywhere
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", SPECIAL)
def test_a_class_that_gets_a_special_method_later(device, name, place):
    class Base:
        pass

    cls, (method, used) = new_point(Base), SPECIAL[name]
    owner = cls if place == "class" else Base
    compiled = weft.jit(used, device=device)
    before = outcome(compiled, cls(3.0))
    assert before in (None, outcome(used, cls(3.0)))
    if place == "base" and name in vars(cls):
        pytest.skip("the dataclass has one of its own")
    setattr(owner, name, method)
    for _ in range(3):
        assert outcome(compiled, cls(3.0)) == outcome(used, cls(3.0))
    delattr(owner, name)
    assert outcome(compiled, cls(3.0)) in (None, outcome(used, cls(3.0)))


@everywhere
def test_a_class_that_is_made_in_the_function_and_changes(device):
    """The guards of classes that are captured are those of the entry stub."""
    cls = new_point()

    def plain(x):
        return 1.0 if cls(x) else 2.0

    compiled = weft.jit(plain, device=device)
    check(compiled, plain, lambda: (3.0,), False)
    cls.__bool__ = no
    check(compiled, plain, lambda: (3.0,), False)
    del cls.__bool__
    check(compiled, plain, lambda: (3.0,), False)
    cls.unused = 1.0
    check(compiled, plain, lambda: (3.0,), False)


@everywhere
def test_other_bases(device):
    class False_:
        def __bool__(self):
            return False

    class First:
        pass

    cls = new_point(First)

    def plain(x):
        return 1.0 if cls(x) else 2.0

    compiled = weft.jit(plain, device=device)
    check(compiled, plain, lambda: (3.0,), False)
    cls.__bases__ = (First, False_)
    check(compiled, plain, lambda: (3.0,), False)


def get(self, name):
    return (lambda: 5.0) if name == "area" else object.__getattribute__(self, name)


def double(self, name, value):
    object.__setattr__(self, name, value * 2)


def make(cls, *rest):
    return object.__new__(cls)


def begin(self, x):
    self.x = x * 10


def after(self):
    self.x *= 3


REFUSED = {
    "__getattribute__": (get, "used"),
    "__setattr__": (double, "made"),
    "__new__": (make, "made"),
}
FOLLOWED = {"__init__": (begin, "made"), "__post_init__": (after, "made")}


@everywhere
@pytest.mark.parametrize("name", [*REFUSED, *FOLLOWED])
def test_classes_that_say_what_attributes_and_constructors_do(device, name):
    cls, (method, how) = new_point(), (REFUSED | FOLLOWED)[name]
    used = (lambda p: p.area()) if how == "used" else lambda x: cls(x).x
    argument = (lambda: (cls(3.0),)) if how == "used" else lambda: (3.0,)
    compiled = weft.jit(used, device=device)
    check(compiled, used, argument, False)
    setattr(cls, name, method)
    check(compiled, used, argument, name in REFUSED)


@everywhere
@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("name", ["__call__", "scale", "__instancecheck__"])
def test_metaclasses(device, name, later):
    class Meta(type):
        pass

    cls = Meta("Point", (), {"__annotations__": {"x": float}, "scale": 2.0})
    cls = dataclasses.dataclass(cls)
    members = {
        "__call__": (lambda self, x: type.__call__(self, x * 7), lambda x: cls(x).x),
        "scale": (property(lambda self: 100.0), lambda x: cls.scale + x),
        "__instancecheck__": (lambda self, other: True, lambda x: isinstance(x, cls)),
    }
    member, used = members[name]
    compiled = weft.jit(used, device=device)
    if later:
        check(compiled, used, lambda: (3.0,), False)
    setattr(Meta, name, member)
    check(compiled, used, lambda: (3.0,), True)


@dataclasses.dataclass
class Watched:
    y: float
    x: float

    @property
    def x(self):
        return self._x * 2

    @x.setter
    def x(self, value):
        self._x = value


def assigned(p):
    p.x = 3.0
    return p.x


def next_to_it(p):
    p.y = 3.0
    return p.x


@everywhere
@pytest.mark.parametrize("used", [assigned, next_to_it, lambda p: Watched(1.0, p.x).x, lambda p: p])
def test_fields_that_are_properties_are_read_only(device, used):
    assert outcome(weft.jit(used, device=device), Watched(1.0, 1.0)) is None
    assert weft.jit(lambda p: p.x, device=device)(Watched(1.0, 1.0)) == 2.0


@dataclasses.dataclass
class First:
    a: float
    _: dataclasses.KW_ONLY
    b: float = 2.0


@dataclasses.dataclass
class Second(First):
    c: float = 5.0


KEYWORDS = [
    lambda: (Second(1.0, 7.0).b, Second(1.0, 7.0).c),
    lambda: (Second(1.0, b=7.0).b, Second(1.0, b=7.0).c),
    lambda: (Second(1.0, c=7.0).b, Second(a=1.0, c=7.0).c),
    lambda: First(1.0).b,
]


@everywhere
@pytest.mark.parametrize("used", KEYWORDS)
def test_fields_that_are_given_by_name_only(device, used):
    assert repr(weft.jit(used, device=device)()) == repr(used())


@everywhere
def test_a_field_by_name_only_is_not_taken_by_position(device):
    with pytest.raises(weft.errors.TypeInferenceError, match="takes the fields"):
        weft.jit(lambda: First(1.0, 2.0), device=device)()


@dataclasses.dataclass
class Number:
    x: float

    def __add__(self, other):
        return 1.0

    def __radd__(self, other):
        return 2.0

    def __lt__(self, other):
        return True

    def __gt__(self, other):
        return False


class Inherits(Number):
    pass


class Overrides(Number):
    def __radd__(self, other):
        return 3.0

    def __gt__(self, other):
        return True


OPERANDS = (Number, Inherits, Overrides)


@everywhere
@pytest.mark.parametrize("left", OPERANDS)
@pytest.mark.parametrize("right", OPERANDS)
@pytest.mark.parametrize("used", [lambda a, b: a + b, lambda a, b: a < b, lambda a, b: a > b], ids=["+", "<", ">"])
def test_whose_method_is_asked_first(device, left, right, used):
    assert outcome(weft.jit(used, device=device), left(1.0), right(2.0)) == outcome(used, left(1.0), right(2.0))


class Pair(NamedTuple):
    x: float
    y: float


class Odd(Pair):
    def __iter__(self):
        return iter((9.0, 8.0))

    def __getitem__(self, index):
        return 42.0


def unpacked(p):
    x, y = p
    return x - y


def summed(p):
    total = 0.0
    for v in p:
        total += v
    return total


@everywhere
@pytest.mark.parametrize("used", [unpacked, summed, lambda p: p[1], lambda p: max(*p), lambda p: p.x])
def test_named_tuples_that_say_how_they_are_taken_apart(device, used):
    compiled = weft.jit(used, device=device)
    assert compiled(Pair(1.0, 2.0)) == used(Pair(1.0, 2.0))
    assert outcome(compiled, Odd(1.0, 2.0)) in (None, outcome(used, Odd(1.0, 2.0)))


@everywhere
def test_a_named_tuple_with_a_constructor_of_its_own(device):
    class Doubled(Pair):
        def __new__(cls, x, y):
            return Pair.__new__(cls, x * 2, y)

    assert outcome(weft.jit(lambda x: Doubled(x, x).x, device=device), 1.0) is None
    assert weft.jit(lambda p: p, device=device)(Doubled(1.0, 1.0)) == (2.0, 1.0)


@dataclasses.dataclass
class Normalised:
    x: float

    def __post_init__(self):
        self.x *= 2.0


@everywhere
def test_a_returned_object_is_not_constructed_again(device):
    given = Normalised(1.0)
    assert weft.jit(lambda p: p, device=device)(given) == given == Normalised(1.0)
    late = Second(1.0, 3.0, b=4.0)
    assert weft.jit(lambda p: p, device=device)(late) == late


@dataclasses.dataclass
class Answers:
    x: float

    def __getattr__(self, name):
        return 4.0


@everywhere
def test_a_class_that_has_an_answer_to_everything(device):
    assert weft.jit(lambda p: p.x, device=device)(Answers(1.0)) == 1.0
    assert outcome(weft.jit(lambda p: p.y, device=device), Answers(1.0)) is None


def test_a_changed_class_that_the_store_knows_from_before():
    """The same text twice: what is in the store is found by content, not by the class."""
    for scale in (2.0, 3.0, 2.0):
        cls = new_point()
        cls.scale = scale
        assert weft.jit(lambda p: p.area(), device="cpu")(cls(np.float64(3.0))) == 3.0 * scale
