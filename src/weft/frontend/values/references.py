"""Objects whose fields are assigned, and which lists and dicts hold: each is an index into one list for its class.

All names and lists that hold such an object see what is assigned to its fields. So its fields are a tuple in a list
that Weft makes, and a name or list that holds the object has its index there. Weft learns that a class needs this when
an object is stored in a list: then the translation begins anew (see `lists`). Nothing leaves the list during a call.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar
from typing import cast as typed

from weft.errors import Error
from weft.frontend.values import list_models, mutable
from weft.frontend.values.scope import Context
from weft.frontend.values.values import UNSET, Instance, Object, Optional, Reference, Value, children
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL

P = ParamSpec("P")
R = TypeVar("R")

CLASSES: ContextVar[dict[type, Location]] = ContextVar("CLASSES")
"""The classes whose objects are references, as far as translations found out, and a place for the list of each."""


def require(ctx: Context, value: Value, node: ast.AST) -> None:
    """Begin anew if a list is to hold an object for whose class there is no list of objects yet."""
    if isinstance(value, Object) and not _is_of_weft(value.type):
        cls = value.type
        if cls in ctx.pools or any(value.number == owner.number for owner, _ in ctx.given):
            raise ctx.refusal("object in a list", node, cls=cls.__name__)
        raise list_models.NeedsModel(_added(cls), list_models.UNKNOWN)
    inner = children(value) if isinstance(value, (tuple, Optional)) or type(value) is Instance else ()
    for child in inner:
        require(ctx, child, node)


def _added(cls: type) -> Location:
    """Note that objects of a class are references; the place that stands for their list."""
    _forget(cls)
    return CLASSES.get().setdefault(cls, Location("", 0, function=f"the objects of {cls.__qualname__} {id(cls)}"))


def with_references(build: Callable[P, R]) -> Callable[P, R]:
    """Build again if that failed because a variable may be one of several objects: they are references then."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        while True:
            try:
                return build(*args, **kwargs)
            except Error as error:
                found = {cls for one in (error, *getattr(error, "errors", ())) for cls in getattr(one, "classes", ())}
                new = [cls for cls in found if not _is_of_weft(cls) and cls not in CLASSES.get()]
                if not new:
                    raise
                list_models.MODELS.get().update({_added(cls): list_models.UNKNOWN for cls in new})

    return built


def _forget(cls: type) -> None:
    """Forget the models of lists that hold objects of a class as values: they are found out anew."""
    models = list_models.MODELS.get()
    for place, model in list(models.items()):
        home = list_models.home_of(model)
        if home is not None and _holds_values(home.model, cls):
            home.model = list_models.UNKNOWN
        elif _holds_values(model, cls):
            del models[place]


def _holds_values(model: Value, cls: type) -> bool:
    is_value = isinstance(model, Instance) and model.type is cls and not isinstance(model, Reference)
    return is_value or any(_holds_values(child, cls) for child in children(model))


def _is_of_weft(cls: type) -> bool:
    return cls.__module__.startswith("weft.frontend.")


def begin(ctx: Context, new: Callable[[Location], Object]) -> None:
    """Make an empty list for the objects of each class; `new` makes the list that a place stands for."""
    for cls, place in CLASSES.get().items():
        ctx.pools[cls] = new(place)


def made(ctx: Context, value: Instance, append: Callable[[Value, Value], object], size: Callable[[Value], n.Atom],
         node: ast.AST) -> Instance:  # fmt: skip
    """A new object, put in the list of its class where that has one."""
    pool = ctx.pools.get(value.type)
    if pool is None or isinstance(value, Reference):
        return value
    items = mutable.items_of(ctx, value, node)
    missing = next((name for name, item in zip(value.names, items, strict=True) if item is UNSET), None)
    if missing is not None:
        raise ctx.refusal("unset field", node, cls=value.type.__name__, name=missing)
    place = size(pool)
    append(pool, tuple(items))
    if isinstance(value, Object):
        del ctx.environment.bindings[mutable.key_of(value.number)]
    return Reference(value.type, value.names, (place,))


def number_of(value: Value) -> n.Atom:
    """The place of an object in the list of its class."""
    return typed(n.Atom, typed(Instance, value).items[0])


def are_one(ctx: Context, left: Value, right: Value, node: ast.AST) -> n.Atom | None:
    """Whether two values are one object; None where they are not two references of one class."""
    if not isinstance(left, Reference) or not isinstance(right, Reference) or left.type is not right.type:
        return None
    return ctx.emit(n.Compare("eq", number_of(left), number_of(right)), PYBOOL, node)


def holds(value: Value) -> bool:
    """Whether a value is, or has inside, a reference."""
    return isinstance(value, Reference) or any(map(holds, children(value)))


def is_within(model: Value) -> bool:
    """Whether elements of a list are references, or hold some, also in the lists that they are."""
    heap = list_models.heap_of(model)
    inner = children(model) if heap is None else (heap.model,)
    return isinstance(model, Reference) or any(map(is_within, inner))


def refuse_nested(ctx: Context, value: Instance, items: Sequence[Value], node: ast.AST) -> None:
    """Refuse to go through all fields of an object that holds others: how deep that goes is not known."""
    if isinstance(value, Reference) and any(map(holds, items)):
        raise ctx.refusal("fields that are objects", node, cls=value.type.__name__)
