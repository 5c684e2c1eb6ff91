"""Objects whose fields are assigned: a name for such an object stands for a number, and its fields are variables.

Instances of dataclasses are values at first, without identity. Where a field is assigned, the translation stops with
`NeedsObjects` and begins anew (`with_objects`): then every instance of that class is an `Object`, so that an assignment
is seen under all of its names. What arguments have in their fields at the end is written back by the caller. A variable
that may be one of several objects is refused, unless nobody can tell (see `merging`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import wraps
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from weft.errors import TypeInferenceError
from weft.frontend import members
from weft.frontend.anew import until_known
from weft.frontend.source.plain import is_plain
from weft.frontend.source.signature import undecorated
from weft.frontend.values import enum_members
from weft.frontend.values.scope import Binding, Context, Key
from weft.frontend.values.values import (
    Instance,
    Object,
    Optional,
    Reference,
    Value,
    children,
    is_atom,
    leaves,
    rebuilt,
    same_structure,
)
from weft.ir import nodes as n
from weft.ir.interface import Source

P = ParamSpec("P")
R = TypeVar("R")

_known: WeakKeyDictionary[CodeType, set[type]] = WeakKeyDictionary()


class NeedsObjects(Exception):
    """A field of a class is assigned whose instances were values; never shown."""

    def __init__(self, type: type) -> None:
        super().__init__(type.__qualname__)
        self.type = type


def with_objects(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where fields of more classes are assigned than was known; the first argument is the function."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        def note(needed: NeedsObjects) -> None:
            _known.setdefault(undecorated(args[0]).__code__, set()).add(needed.type)

        return until_known(lambda: build(*args, **kwargs), NeedsObjects, note)

    return built


def classes(function: FunctionType) -> frozenset[type]:
    """The classes whose fields a function is known to assign."""
    return frozenset(_known.get(function.__code__, ()))


def instance(ctx: Context, type: type, names: tuple[str, ...], items: Sequence[Value]) -> Instance:
    """A new instance: an object of its own where fields of its class are assigned."""
    if type not in ctx.mutable:
        return Instance(type, names, tuple(items))
    ctx.objects += 1
    made = Object(type, names, (), ctx.objects)
    ctx.environment.bindings[key_of(made.number)] = Binding(tuple(items))
    return made


def is_keyed(owner: Instance) -> bool:
    """Whether an object is a dict, whose second field holds its values."""
    return owner.names[:1] == ("$keys",)


def key_of(number: int) -> Key:
    """The variable that holds the fields of an object."""
    return 0, f"object{number}"


def is_fields(key: Key) -> bool:
    """Whether a variable holds the fields of an object."""
    return key[0] == 0


def items_of(ctx: Context, owner: Instance, node: ast.AST) -> tuple[Value, ...]:
    """What the fields of an instance hold now."""
    if isinstance(owner, Reference):
        from weft.frontend.values import pooled

        return pooled.fields(ctx, owner, node)
    if not isinstance(owner, Object):
        return owner.items
    binding = ctx.lookup(key_of(owner.number))
    if binding is None or not isinstance(binding.value, tuple):
        name = owner.type.__name__
        error = binding.problem if binding is not None else None
        error = error or ctx.type_error(
            f"this may be one of several objects of the class {name}, whose fields are assigned",
            node,
            hint="make the object before the loop or branch, and assign its fields",
        )
        if isinstance(error, TypeInferenceError):
            error.classes |= {owner.type}
        raise error
    return binding.value


def set_items(ctx: Context, owner: Object, items: Sequence[Value], node: ast.AST) -> None:
    """Let the fields of an object hold other values from here on."""
    ctx.environment.bindings[key_of(owner.number)] = Binding(tuple(items), location=ctx.location(node))


def plain(ctx: Context, value: Value, node: ast.AST) -> Value:
    """A value with instances instead of objects, all the way down."""
    if isinstance(value, Reference):
        return value
    if isinstance(value, Instance):
        items = tuple(plain(ctx, item, node) for item in items_of(ctx, value, node))
        return Instance(value.type, value.names, items)
    if isinstance(value, (tuple, Optional)):
        return rebuilt(value, [plain(ctx, item, node) for item in children(value)])
    return value


def assign(ctx: Context, owner: Value, name: str, value: Value, node: ast.Attribute) -> None:
    """``owner.name = value``."""
    if isinstance(owner, Instance) and is_plain(owner.type) and name not in owner.names:
        raise ctx.refusal("new attribute", node, name=name, cls=owner.type.__name__)
    if not isinstance(owner, Instance) or not _is_mutable(owner.type) or name not in owner.names:
        raise ctx.refusal("attribute assignment", node, name=name)
    if items_of(ctx, owner, node)[owner.names.index(name)] is value and is_atom(value):
        return
    assign_field(ctx, owner, name, value, node)


def assign_field(ctx: Context, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """Assign a field that an object has."""
    if owner.type not in ctx.mutable and not ctx.in_function:
        raise NeedsObjects(owner.type)
    if isinstance(owner, Reference):
        from weft.frontend.values import pooled

        pooled.assign_field(ctx, owner, owner.names.index(name), value, node)
        return
    if not isinstance(owner, Object):
        raise ctx.refusal("attribute of a captured object", node, name=ast.unparse(node))
    items = list(items_of(ctx, owner, node))
    items[owner.names.index(name)] = value
    set_items(ctx, owner, items, node)


def _is_mutable(type: type) -> bool:
    """Whether assigning a field of an instance does nothing else."""
    if not members.is_plainly_assigned(type):
        return False
    return not type.__dataclass_params__.frozen if is_dataclass(type) else is_plain(type)  # type: ignore[attr-defined]


def keys(ctx: Context) -> Iterator[Key]:
    """The variables that hold the fields of objects."""
    return filter(is_fields, ctx.environment.bindings) if ctx.mutable else iter(())


def changes(ctx: Context, node: ast.AST) -> Iterator[tuple[Source, n.Atom]]:
    """The fields of arguments that hold something else at the end, and what."""
    for owner, source in ctx.given:
        before: dict[str, Any] = ctx.given_fields[owner.number]
        now = items_of(ctx, owner, node)
        for name, value in zip(before, now[1], strict=True) if is_keyed(owner) else zip(owner.names, now, strict=True):  # type: ignore[arg-type]
            if same_structure(value, before[name]) and leaves(value) == leaves(before[name]):
                continue
            if enum_members.is_member(value) and same_structure(value, before[name]):
                assert isinstance(value, Instance)
                (place,) = leaves(value)
                yield Source(source.kind, source.name, (*source.path, name, *enum_members.PLACE)), place
                continue
            if not is_atom(value):
                raise ctx.type_error(
                    f"the field '{name}' of an argument can only be a number or an array",
                    node,
                    cause="what is assigned to it would have to be made a Python object when the function returns",
                    hint="assign the fields of the object that is there one by one, or return the new object",
                )
            assert isinstance(value, (n.Var, n.Const))
            yield Source(source.kind, source.name, (*source.path, name)), value
