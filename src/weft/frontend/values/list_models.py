"""What is known of lists before they are translated: what their elements are, and which ones lie in a heap.

It is found out while translating: then the translation begins anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.calls import library_lists as library
from weft.frontend.several_types.forms import MOST_VALUES
from weft.frontend.values.convert import holding
from weft.frontend.values.list_parts import NAMES
from weft.frontend.values.scope import Context
from weft.frontend.values.values import (
    Instance,
    Object,
    Optional,
    OtherType,
    Several,
    Static,
    Value,
    children,
    rebuilt,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, SCALARS, Scalar

ROW = ("$row", "$heap")
UNKNOWN = Static("unknown")
"""The model of a list of whose elements nothing is known."""

THERE = typed(n.Atom, Static(PYBOOL.name))
"""In the model of elements that may be None, the type of what says whether they are."""

NOTHING = Optional(THERE, UNKNOWN)
"""The model of elements that are None."""

MODELS: ContextVar[dict[Location, Value]] = ContextVar("MODELS")
"""What the translations so far of a program found out about lists, by the places where these are made."""


@dataclass(eq=False)
class Heap:
    """Rows whose elements are alike: the place where the first of them is made, and the model of an element."""

    place: Location
    model: Value = UNKNOWN
    joined: Heap | None = None
    is_given: bool = False
    """Its rows are lists that are arguments: they keep their lengths, and no others join them."""

    def root(self) -> Heap:
        """The heap that this one has become a part of."""
        heap = self
        while heap.joined is not None:
            heap = heap.joined
        return heap


def heap_of(model: Value) -> Heap | None:
    """The heap of rows with this model; None where elements are no lists."""
    return model.value.root() if isinstance(model, Static) and isinstance(model.value, Heap) else None


@dataclass(frozen=True)
class Inside:
    """What is known of a list that lies in a heap."""

    heap: Heap


def home_of(known: Value | None) -> Heap | None:
    """The heap in which a list is made of which this is known."""
    return known.value.heap.root() if isinstance(known, Static) and isinstance(known.value, Inside) else None


def rooted(model: Value) -> Value:
    """A model with the heaps that others have become a part of."""
    heap = heap_of(model)
    if heap is not None:
        return Static(heap)
    inner = children(model)
    return rebuilt(model, [rooted(child) for child in inner]) if inner else model


def holds_rows(model: Value) -> bool:
    """Whether elements with this model are lists, or have some inside."""
    return heap_of(model) is not None or any(holds_rows(child) for child in children(model))


def is_row(value: object) -> bool:
    """Whether a value is a list that lies in a heap."""
    return isinstance(value, Instance) and value.names == ROW


def own_heap(row: Value) -> Heap:
    """The heap that a row lies in."""
    heap = heap_of(typed(Instance, row).items[1])
    assert heap is not None
    return heap


class NeedsModel(Exception):
    """What the elements of a list are that was made without any, or the keys of a dict; never shown."""

    def __init__(self, place: Location, model: Value) -> None:
        super().__init__(str(place))
        self.place = place
        self.model = model


class Moves(NeedsModel):
    """A list lies in a heap."""

    def __init__(self, place: Location, heap: Heap) -> None:
        super().__init__(place, Static(Inside(heap)))


def is_list(value: object) -> bool:
    """Whether a value is a list."""
    return isinstance(value, Instance) and value.type is library.List


def place_of(ctx: Context, owner: Value) -> Location | None:
    """Where a list was made whose elements may turn out to be others; none where they are those of an argument."""
    return ctx.places_of_lists.get(owner.number) if isinstance(owner, Object) else None


def reconcile(ctx: Context, one: Value | None, other: Value | None) -> None:
    """Begin anew where two values that are to be one are lists that are held in different ways."""
    if one is None or other is None:
        return
    for first, second in ((one, other), (other, one)):
        place = place_of(ctx, first)
        if place is not None and is_list(first) and is_row(second) and not own_heap(second).is_given:
            raise Moves(place, own_heap(second))
    a, b = heap_of(one), heap_of(other)
    if a is not None and b is not None and a is not b and not (a.is_given or b.is_given):
        a.model = widened(b.model, a.model) or a.model
        b.joined = a
        raise Moves(a.place, a)
    for first_child, second_child in zip(children(one), children(other), strict=False):
        reconcile(ctx, first_child, second_child)


def reconcile_models(ctx: Context, numbers: tuple[int, int], fields: Sequence[Value]) -> None:
    """Begin anew where two lists that are to be one have elements of which one list does not know, or that are None."""
    places = [ctx.places_of_lists.get(number) for number in numbers]
    if not all(isinstance(value, tuple) and len(value) == len(NAMES) for value in fields):
        return
    models = [typed("tuple[Value, ...]", value)[2] for value in fields]
    for place, model, other in zip(places, models, reversed(models), strict=True):
        wanted = widened(other, model)
        if place is not None and wanted is not None:
            raise NeedsModel(place, wanted)


def widened(found: Value, model: Value) -> Value | None:
    """The model of elements that are like one, or like the other; None where `model` holds both, or nothing does."""
    if found is UNKNOWN:
        return None
    if model is UNKNOWN:
        return found
    if isinstance(found, (Static, Several)) and isinstance(model, (Static, Several)):
        return _of_both(found, model)
    if isinstance(found, Optional) or isinstance(model, Optional):
        one, other = (value.item if isinstance(value, Optional) else value for value in (found, model))
        inner = widened(one, other)
        return None if isinstance(model, Optional) and inner is None else Optional(THERE, inner or other)
    items, known = children(found), children(model)
    if len(items) != len(known) or type(found) is not type(model) or isinstance(found, Static):
        return None
    pairs = [(widened(one, other), other) for one, other in zip(items, known, strict=True)]
    return rebuilt(model, [new or old for new, old in pairs]) if any(new for new, _ in pairs) else None


def _of_both(found: Static | Several, model: Static | Several) -> Value | None:
    """The model of numbers of two types; None where `model` holds both, or nothing does."""
    known, new = _types_of(model), _types_of(found)
    if known is None or new is None or (not isinstance(found, Several) and new.keys() <= known.keys()):
        return None
    types = [*dict.fromkeys((*known, *new))]
    own = holding(*types) if len(types) == 2 else None
    if own is None:
        return None
    (other,) = (type for type in types if type != own)
    values = _values_of_both(known.get(other, ()), new.get(other, ()))
    if isinstance(model, Several) and values == model.other.values:
        return None
    return Several(Static(own.name), THERE, OtherType(other.name, values))


def _types_of(model: Static | Several) -> dict[Scalar, tuple[n.Const, ...] | None] | None:
    """The types of numbers with a model, and which values those of another type have; None if they are no numbers."""
    one = model.item if isinstance(model, Several) else model
    name = typed(Static, one).value
    if not isinstance(name, str) or name not in SCALARS:
        return None
    own: dict[Scalar, tuple[n.Const, ...] | None] = {SCALARS[name]: ()}
    return own | {SCALARS[model.other.name]: model.other.values} if isinstance(model, Several) else own


def _values_of_both(one: tuple[n.Const, ...] | None, other: tuple[n.Const, ...] | None) -> tuple[n.Const, ...] | None:
    if one is None or other is None:
        return None
    both = tuple(dict.fromkeys((*one, *other)))
    return both if len(both) <= MOST_VALUES else None


def with_value(model: Value, value: Value) -> Value | None:
    """A model that holds a number of the other type of its numbers; None where it does so already."""
    if isinstance(model, Several):
        type = scalar_type(value)
        if type is None or type.name != model.other.name:
            return None
        values = _values_of_both(model.other.values, (value,) if isinstance(value, n.Const) else None)
        return None if values == model.other.values else replace(model, other=OtherType(type.name, values))
    if isinstance(model, Optional):
        held = value.item if isinstance(value, Optional) else value
        inner = with_value(model.item, held)
        return None if inner is None else replace(model, item=inner)
    items, known = children(value), children(model)
    if len(items) != len(known) or is_row(value):
        return None
    pairs = [(with_value(one, item), one) for one, item in zip(known, items, strict=True)]
    return rebuilt(model, [new or old for new, old in pairs]) if any(new for new, _ in pairs) else None
