"""Weft's `dataclass` makes the classes that the library's does."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from weft.dataclass import dataclass


def _pair(make: Callable[..., type], **options: Any) -> tuple[type, type]:
    """A class and one that inherits from it."""

    @make(frozen=True, **options)
    class Point:
        """A place."""

        x: int
        name: str = field(default="", compare=False)
        items: list[int] = field(default_factory=list, hash=False, repr=False)
        place: int = field(default=0, kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.x + len(self.items))

    @make(frozen=True, **options)
    class Other(Point):
        y: float = 1.0
        made: tuple[int, ...] = field(default_factory=tuple, init=False)

    return Point, Other


OURS, THEIRS = _pair(dataclass), _pair(dataclasses.dataclass)
GIVEN = [((1,), {}), ((1, "a"), {}), ((2,), {"items": [3]}), ((1,), {"name": "b", "items": []}), ((1,), {"place": 4})]


@dataclass(frozen=True)
class Kept:
    """What is pickled stands in a module."""

    value: tuple[int, ...]


@dataclass(frozen=True)
class Empty:
    """No fields."""


@pytest.mark.parametrize("place", [0, 1])
def test_instances_have_the_text_the_equality_and_the_hash_of_the_librarys(place: int):
    ours, theirs = ([made[place](*args, **named) for args, named in GIVEN] for made in (OURS, THEIRS))
    assert [repr(a) for a in ours] == [repr(b) for b in theirs]
    assert [[a == b for b in ours] for a in ours] == [[a == b for b in theirs] for a in theirs]
    assert [hash(a) for a in ours] == [hash(b) for b in theirs]
    assert [a.total for a in ours] == [b.total for b in theirs]
    assert ours[0] != theirs[0] and ours[0] != 1


@pytest.mark.parametrize("place", [0, 1])
def test_signatures_fields_and_patterns_are_the_librarys(place: int):
    ours, theirs = OURS[place], THEIRS[place]
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert inspect.signature(ours).parameters["x"].annotation == inspect.signature(theirs).parameters["x"].annotation
    assert [f.name for f in dataclasses.fields(ours)] == [f.name for f in dataclasses.fields(theirs)]
    assert ours.__match_args__ == theirs.__match_args__


@pytest.mark.parametrize("args", [(), (1, "a", [], 2.0, 3)])
def test_wrong_arguments_raise_as_the_librarys_do(args: tuple[object, ...]):
    for made in (OURS, THEIRS):
        with pytest.raises(TypeError, match="__init__"):
            made[1](*args)


def test_fields_can_be_neither_assigned_nor_deleted():
    point = OURS[1](1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x


def test_every_instance_has_a_default_of_its_own():
    assert OURS[0](1).items is not OURS[0](1).items


def test_replaced_copied_and_pickled_instances_are_equal():
    kept = Kept((1, 2))
    assert dataclasses.replace(kept, value=(3,)) == Kept((3,))
    assert pickle.loads(pickle.dumps(kept)) == copy.deepcopy(kept) == kept
    assert Empty() == Empty() and hash(Empty()) == hash(()) and repr(Empty()) == "Empty()"


def test_without_comparison_instances_are_equal_to_themselves_alone():
    ours, _ = _pair(dataclass, eq=False)
    point = ours(1)
    assert point == point and point != ours(1) and hash(point) == object.__hash__(point)


def test_methods_of_the_class_stay():
    @dataclass(frozen=True)
    class Own:
        value: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    assert Own(1) == Own(2) and hash(Own(1)) == 7 and repr(Own(1)) == "own"
