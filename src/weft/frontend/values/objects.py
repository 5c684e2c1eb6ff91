"""Attributes, and instances of dataclasses and named tuples: their fields, methods, properties and operators."""

from __future__ import annotations

import ast
import enum
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from weft.frontend import members
from weft.frontend.arrays import array_attributes
from weft.frontend.arrays.library.generators import Generator
from weft.frontend.calls import calls
from weft.frontend.control import conditions
from weft.frontend.remedies.values import for_object
from weft.frontend.several_types import optional
from weft.frontend.source.fingerprint import hidden_members, is_library
from weft.frontend.source.signature import Unusable, describe, field_names, fields_of, is_record, undecorated
from weft.frontend.source.source import source_of
from weft.frontend.values import (
    enum_members,
    enumerations,
    identity,
    mutable,
    names,
    operators,
    pooled,
    references,
    texts,
)
from weft.frontend.values.convert import cast, python_value
from weft.frontend.values.dispatch import evaluate_lazily, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import is_textual
from weft.frontend.values.values import (
    FALSE,
    TRUE,
    UNSET,
    ArrayExpression,
    Bound,
    Instance,
    Optional,
    Static,
    Super,
    Value,
    describe_value,
    is_atom,
    with_article,
)
from weft.ir import nodes as n
from weft.ir.types import PYBOOL

_OPERATOR_METHODS: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
    ast.MatMult: "matmul", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Eq: "eq", ast.NotEq: "ne",
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


@expression(ast.Attribute)
def _attribute(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Attribute)
    owner = optional.owner_of(ctx, evaluate_lazily(ctx, node.value), node.attr, node)
    if is_textual(owner):
        return texts.attribute(ctx, owner, node.attr, node)
    if isinstance(owner, Optional):
        raise optional.refusal(ctx, owner, node.value)
    if isinstance(owner, ArrayExpression):
        return array_attributes.of_expression(ctx, owner, node.attr, node)
    return attribute(ctx, owner, private_name(ctx, node.attr), node)


def private_name(ctx: Context, name: str) -> str:
    """The name of an attribute as Python has it: ``self.__x`` in a method of a class ``A`` is ``_A__x``."""
    frame = ctx.frame
    while frame.parent is not None:
        frame = frame.parent
    return members.mangled(name, getattr(frame.function, "__qualname__", "").rpartition(".")[0])


def attribute(ctx: Context, owner: Value, name: str, node: ast.Attribute) -> Value:
    """``owner.name``."""
    if isinstance(owner, Static):
        return _static_attribute(ctx, owner.value, name, node)
    if isinstance(owner, Instance):
        return _instance_attribute(ctx, owner, name, node)
    if isinstance(owner, Super):
        return _super_attribute(ctx, owner, name, node)
    if is_atom(owner):
        return array_attributes.attribute(ctx, owner, name, node)  # type: ignore[arg-type]
    if name in _TUPLE_METHODS and isinstance(owner, tuple):
        return Bound(owner, attribute=name)
    raise ctx.type_error(f"{with_article(describe_value(owner))} has no attribute '{name}' that Weft knows", node)


_TUPLE_METHODS = ("index", "count")


def _static_attribute(ctx: Context, owner: object, name: str, node: ast.Attribute) -> Value:
    if isinstance(owner, ModuleType):
        return names.module_attribute(ctx, owner, name, node)
    if isinstance(owner, (np.dtype, np.finfo, np.iinfo)):
        return _known_object(getattr(owner, name, None), name, node, ctx)
    if isinstance(owner, np.ufunc) and name in ("reduce", "accumulate", "outer", "at", "reduceat"):
        return Static(getattr(owner, name))
    if isinstance(owner, type):
        return _class_attribute(ctx, owner, owner, name, node)
    raise ctx.type_error(f"{describe_value(Static(owner))} has no attribute '{name}' that Weft knows", node)


def _known_object(value: object, name: str, node: ast.AST, ctx: Context) -> Value:
    """An attribute of a dtype, ``np.finfo`` or ``np.iinfo``."""
    if isinstance(value, (bool, int, float, np.generic)):
        return n.Const(python_value(value), describe(value) if not isinstance(value, int) else names.weak_type(value))  # type: ignore[arg-type]
    if isinstance(value, (type, str)):
        return Static(value)
    raise ctx.type_error(f"the attribute '{name}' is not supported here", node)


# -------------------------------------------------------------------------------------------------- instances


def _instance_attribute(ctx: Context, owner: Instance, name: str, node: ast.Attribute) -> Value:
    if enum_members.is_member(owner):
        return enumerations.attribute(ctx, owner, name, node)
    if members.is_own(owner.type, "__getattribute__"):
        raise ctx.refusal("own attribute access", node, name=name, cls=owner.type.__name__)
    if name in ctx.hidden.get(owner.type, ()):
        raise ctx.refusal("hidden attribute", node, name=name, cls=owner.type.__name__)
    value = mutable.items_of(ctx, owner, node)[owner.names.index(name)] if name in owner.names else UNSET
    if isinstance(value, Static) and isinstance(value.value, Unusable):
        what, found = ast.unparse(node), value.value
        raise ctx.refusal("captured value", node, name=what, kind=found.kind, hint=found.hint)
    if value is not UNSET:
        return value
    return _class_attribute(ctx, owner, owner.type, name, node)


def _class_attribute(ctx: Context, owner: Instance | type, cls: type, name: str, node: ast.AST) -> Value:
    """An attribute that the class defines: a method, property or constant."""
    member = members.find(cls, name)
    instance = owner if isinstance(owner, Instance) else None
    if issubclass(cls, enum.Enum) and name in cls.__members__:
        return enum_members.member(cls.__members__[name])
    if instance is None and members.of_metaclass(cls, name):
        raise ctx.refusal("own attribute access", node, name=name, cls=cls.__name__)
    if member is MISSING and cls is Generator:
        raise ctx.refusal("method of a generator", node, name=name)
    if member is MISSING or name.startswith("__"):
        raise ctx.type_error(f"{cls.__name__} has no attribute '{name}' that Weft knows", node)
    if isinstance(member, property) and instance is not None:
        return calls.call(ctx, _function(ctx, member.fget, cls, name), [instance], {}, node)
    if isinstance(member, staticmethod):
        return _function(ctx, member.__func__, cls, name)
    if isinstance(member, classmethod):
        return Bound(Static(cls), _function(ctx, member.__func__, cls, name))
    if isinstance(undecorated(member), FunctionType):
        if name in _NAMED_TUPLE_METHODS and issubclass(cls, tuple) and not members.is_written(member):
            return _named_tuple_method(ctx, owner, cls, name, node)
        function = _function(ctx, member, cls, name)
        return function if instance is None else Bound(instance, function)
    return _class_constant(ctx, member, cls, name, node)


_NAMED_TUPLE_METHODS = ("_replace", "_asdict", "_make")


def _named_tuple_method(ctx: Context, owner: Instance | type, cls: type, name: str, node: ast.AST) -> Value:
    if name == "_replace" and isinstance(owner, Instance):
        return Bound(owner, attribute="_replace")
    raise ctx.type_error(f"{cls.__name__}.{name} is not supported", node, hint=f"call {cls.__name__}(...) instead")


def _function(ctx: Context, member: object, cls: type, name: str) -> Static:
    function = undecorated(member)
    ctx.paths.setdefault(id(function), f"<{cls.__module__}>.{cls.__qualname__}.{name}")
    return Static(function)


def _class_constant(ctx: Context, member: object, cls: type, name: str, node: ast.AST) -> Value:
    if isinstance(member, (bool, int, float, complex, np.generic)):
        return names.library_constant(member)
    if isinstance(member, (str, type)) or member is None:
        return Static(member)
    if type(member) is tuple:
        return constant_object(ctx, member, f"{cls.__name__}.{name}", node)
    source = _source_of_class(cls)
    if source is not None and isinstance(member, np.ndarray):
        return names.from_object(ctx, member, n.Source("global", source.name, (*source.path, name)), node)
    raise ctx.type_error(
        f"the attribute {cls.__name__}.{name} is a {type(member).__name__}, which compiled code cannot use",
        node,
        hint="make it a property" if isinstance(member, functools.cached_property) else for_object(member),
    )


def _source_of_class(cls: type) -> n.Source | None:
    """Where a class is found at every call; None where no module holds it."""
    first, *path = cls.__qualname__.split(".")
    found = getattr(sys.modules.get(cls.__module__), first, None)
    for part in path:
        found = getattr(found, part, None)
    return n.Source("global", f"<{cls.__module__}>.{first}", tuple(path)) if found is cls else None


def construct(ctx: Context, cls: type, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """An instance of a dataclass, a named tuple or a plain class."""
    if getattr(cls, "__abstractmethods__", ()):
        hint = "define its abstract methods in a class that inherits from it, and make one of that"
        raise ctx.type_error(f"Can't instantiate abstract class {cls.__name__}", node, hint=hint)
    if members.is_plainly_made(cls):
        return pooled.referenced(ctx, _from_fields(ctx, cls, arguments, keywords, node), node)
    if not members.is_made_by_methods(cls):
        raise ctx.refusal("own constructor", node, name=cls.__name__)
    initialiser = members.own_initialiser(cls)
    if initialiser is MISSING and is_dataclass(cls):
        made = _from_fields(ctx, cls, arguments, keywords, node)
        calls.call(ctx, attribute_of_class(ctx, made, "__post_init__", node), [], {}, node)
        return pooled.referenced(ctx, made, node)
    names = tuple(dict.fromkeys((*field_names(cls), *methods_assign(cls))))
    made = mutable.instance(ctx, cls, names, [UNSET] * len(names))
    if initialiser is not MISSING:
        calls.call(ctx, attribute_of_class(ctx, made, "__init__", node), arguments, keywords, node)
    return pooled.referenced(ctx, made, node)


def attribute_of_class(ctx: Context, owner: Instance, name: str, node: ast.AST) -> Bound:
    """A method of the user's class, bound to an object."""
    return Bound(owner, _function(ctx, members.find(owner.type, name), owner.type, name))


def methods_assign(cls: type) -> list[str]:
    """The attributes of an object that the methods of its class assign."""
    methods = (m for base in reversed(cls.__mro__) for m in vars(base).values() if isinstance(m, FunctionType))
    written = [method for method in methods if not members.is_generated(method) and not is_library(method)]
    return [name for method in written for name in _assigned_by(method)]


def _assigned_by(method: FunctionType) -> list[str]:
    """The attributes that a method assigns to its object."""
    tree, cls = source_of(method).node, method.__qualname__.rpartition(".")[0]
    found = _assigned(tree, tree.args.args[0].arg) if tree.args.args else ()
    return [members.mangled(name, cls) for name in found]


def _assigned(tree: ast.AST, owner: str) -> Iterable[str]:
    for node in ast.walk(tree):
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if stored and isinstance(node.value, ast.Name) and node.value.id == owner:  # type: ignore[attr-defined]
            yield node.attr  # type: ignore[attr-defined]


def _super_attribute(ctx: Context, owner: Super, name: str, node: ast.Attribute) -> Value:
    """``super().name``: what the next class of the object defines; an ``__init__`` of ``object`` does nothing."""
    assert isinstance(owner.owner, Instance)
    order = owner.owner.type.__mro__
    behind = order[order.index(owner.after) + 1 :]
    member = next((vars(base)[name] for base in behind if name in vars(base)), MISSING)
    if member is vars(object)["__init__"]:
        return Static(_nothing)
    if isinstance(member, property):
        return calls.call(ctx, Static(member.fget), [owner.owner], {}, node)
    if not isinstance(undecorated(member), FunctionType) or members.is_generated(member):
        raise ctx.type_error(f"super() has no method '{name}' that Weft knows", node)
    return Bound(owner.owner, Static(undecorated(member)))


def _nothing() -> None:
    """What ``object.__init__`` does."""


def _from_fields(
    ctx: Context, cls: type, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST
) -> Instance:
    """An instance whose constructor sets its fields."""
    ordered, named = members.arguments_of(cls)
    if len(arguments) > len(ordered) or not set(keywords) <= {*ordered[len(arguments) :], *named}:
        raise ctx.type_error(f"{cls.__name__} takes the fields {', '.join((*ordered, *named))}", node)
    given = dict(zip(ordered, arguments, strict=False)) | keywords
    items = [given[name] if name in given else _default(ctx, cls, name, node) for name in field_names(cls)]
    return mutable.instance(ctx, cls, field_names(cls), items)


def _default(ctx: Context, cls: type, name: str, node: ast.AST) -> Value:
    default: Any = getattr(cls, "_field_defaults", {}).get(name, MISSING)
    if is_dataclass(cls):
        field = next(f for f in fields(cls) if f.name == name)
        if field.default_factory is not MISSING:
            return calls.call(ctx, Static(field.default_factory), [], {}, node)
        default = field.default
    if default is MISSING:
        raise ctx.type_error(f"{cls.__name__} needs a value for the field '{name}'", node)
    return constant_object(ctx, default, f"the default of {cls.__name__}.{name}", node)


def constant_object(ctx: Context, value: object, what: str, node: ast.AST) -> Value:
    """A Python object that is part of the code (a default value) as a value."""
    if isinstance(value, enum.Enum):
        return enum_members.member(value)
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return names.library_constant(value)
    if type(value) is tuple:
        return tuple(constant_object(ctx, item, what, node) for item in value)
    if is_record(type(value)):
        items = tuple(constant_object(ctx, getattr(value, name), what, node) for name in fields_of(value))
        ctx.hidden[type(value)] = ctx.hidden.get(type(value), frozenset()).union(hidden_members(value))
        return Instance(type(value), fields_of(value), items)
    if names.is_compile_time(value) or isinstance(value, (np.dtype, type(Ellipsis))):
        return Static(value)
    is_container = isinstance(value, (list, dict, set))
    hint = "write None, and make a new one where the value is None" if is_container else "pass it as an argument"
    raise ctx.type_error(f"{what} is a {type(value).__name__}, which compiled code cannot take", node, hint=hint)


# -------------------------------------------------------------------------------------------------- operators


def method(ctx: Context, owner: Value, name: str) -> Value | None:
    """A method that a class defines itself, ready to be called; None where it does not."""
    if not isinstance(owner, Instance):
        return None
    member = members.find(owner.type, name)
    function = undecorated(member)
    if not isinstance(function, FunctionType) or members.is_generated(function):
        return None
    return Bound(owner, _function(ctx, member, owner.type, name))


def binary(ctx: Context, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value | None:
    """An operator that one of the operands' classes defines; None where none does."""
    name = _OPERATOR_METHODS[type(op)]
    usual, mirrored = (left, right, f"__{name}__"), (right, left, f"__r{name}__")
    same = isinstance(left, Instance) and isinstance(right, Instance) and left.type is right.type
    first = _is_nearer(right, left) and _overrides(right, left, f"__r{name}__")
    return _answer(ctx, (mirrored, usual) if first else (usual,) if same else (usual, mirrored), node)


def _answer(ctx: Context, methods: Iterable[tuple[Value, Value, str]], node: ast.AST) -> Value | None:
    """What the first of several methods of two operands gives that does not leave it to the next."""
    for owner, other, name in methods:
        function = method(ctx, owner, name)
        if function is not None:
            result = calls.call(ctx, function, [other], {}, node)
            if not (isinstance(result, Static) and result.value is NotImplemented):
                return result
    return None


def _is_nearer(right: Value, left: Value) -> bool:
    """Whether the right operand is of a class that inherits from the left one's: it is asked first."""
    if not isinstance(right, Instance) or not isinstance(left, Instance):
        return False
    return right.type is not left.type and issubclass(right.type, left.type)


def _overrides(right: Value, left: Value, name: str) -> bool:
    assert isinstance(right, Instance) and isinstance(left, Instance)
    return members.find(right.type, name) is not members.find(left.type, name)


def augmented(ctx: Context, op: ast.operator, left: Instance, right: Value, node: ast.AugAssign) -> Value:
    """``left op= right`` of an instance."""
    function = method(ctx, left, f"__i{_OPERATOR_METHODS[type(op)]}__")
    if function is not None:
        return calls.call(ctx, function, [right], {}, node)
    return operators.binary(ctx, op, left, right, node)


def unary(ctx: Context, op: ast.unaryop, value: Instance, node: ast.AST) -> Value:
    """``-x``, ``+x`` and ``~x`` of an instance."""
    function = method(ctx, value, f"__{_OPERATOR_METHODS[type(op)]}__")
    if function is None:
        raise ctx.type_error(f"bad operand type for unary {operators.SYMBOLS[type(op)]}: {value.type.__name__}", node)
    return calls.call(ctx, function, [], {}, node)


def compare(ctx: Context, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value | None:
    """A comparison that a class defines, or that ``dataclass`` made; None where neither is so."""
    name = _OPERATOR_METHODS[type(op)]
    usual, mirrored = (left, right, f"__{name}__"), (right, left, f"__{_MIRRORED[name]}__")
    enumerations.check_comparable(ctx, left, right, node)
    answer = _answer(ctx, (mirrored, usual) if _is_nearer(right, left) else (usual, mirrored), node)
    if answer is not None:
        return answer
    if name == "ne" and (method(ctx, left, "__eq__") or method(ctx, right, "__eq__")):
        return conditions.negation(ctx, operators.equal(ctx, left, right, node), node)
    if isinstance(left, Instance) and isinstance(right, Instance) and left.type is right.type:
        if enum_members.is_member(left) and name in ("eq", "ne"):
            same = enumerations.same(ctx, left, right, node)
            return same if name == "eq" else conditions.negation(ctx, same, node)
        return _compare_fields(ctx, op, left, right, node)
    return None


def _compare_fields(ctx: Context, op: ast.cmpop, left: Instance, right: Instance, node: ast.AST) -> Value | None:
    if is_dataclass(left.type):
        params = left.type.__dataclass_params__  # type: ignore[attr-defined]
        if not (params.eq if isinstance(op, (ast.Eq, ast.NotEq)) else params.order):
            raise ctx.type_error(f"{left.type.__name__} does not define this comparison", node)
        if any(isinstance(i, Static) and isinstance(i.value, Unusable) for i in mutable.items_of(ctx, left, node)):
            raise ctx.type_error(f"{left.type.__name__} has fields that compiled code cannot compare", node)
        references.refuse_nested(ctx, left, mutable.items_of(ctx, left, node), node)
        kept = [k for k, f in enumerate(fields(left.type)) if f.compare]
        first, second = (tuple(mutable.items_of(ctx, value, node)[k] for k in kept) for value in (left, right))
        is_by_field = sys.version_info >= (3, 13) and isinstance(op, (ast.Eq, ast.NotEq))
        return compare_items(ctx, op, first, second, node, is_by_field)
    if (one := references.are_one(ctx, left, right, node)) is not None and isinstance(op, (ast.Eq, ast.NotEq)):
        return one if isinstance(op, ast.Eq) else conditions.negation(ctx, one, node)
    if not left.is_tuple:
        hint = "compare their attributes, or make it a dataclass"
        raise ctx.type_error(f"{left.type.__name__} does not define this comparison", node, hint=hint)
    return compare_items(ctx, op, left.items, right.items, node)


def plain_tuple(value: Value) -> Value:
    """A named tuple as the tuple that it is, unless its class says how it is taken apart; any other value itself."""
    if isinstance(value, Instance) and value.is_tuple and members.is_plain_tuple(value.type):
        return value.items
    return value


def compare_items(
    ctx: Context,
    op: ast.cmpop,
    left: tuple[Value, ...],
    right: tuple[Value, ...],
    node: ast.AST,
    by_field: bool = False,
) -> n.Atom:
    """Tuples compare by their first items that differ; `by_field`: as fields, of which one may be unequal to itself."""
    equal = operators.equal if by_field else identity.equal
    if isinstance(op, (ast.Eq, ast.NotEq)):
        same = cast(ctx, _all_equal(ctx, left, right, node, equal), PYBOOL, node)
        return same if isinstance(op, ast.Eq) else conditions.negation(ctx, same, node)
    if not left or not right:
        result = {ast.Lt: len(left) < len(right), ast.LtE: len(left) <= len(right), ast.Gt: len(left) > len(right)}
        return TRUE if result.get(type(op), len(left) >= len(right)) else FALSE
    is_last = len(left) == len(right) == 1 and not any(map(optional.holds_optional, (left[0], right[0])))
    if is_last and (isinstance(op, (ast.Lt, ast.Gt)) or identity.are_two(ctx, left[0], right[0])):
        return conditions.truth(ctx, operators.compare(ctx, op, left[0], right[0], node), node)
    decided = conditions.choose(
        ctx,
        equal(ctx, left[0], right[0], node),
        lambda: compare_items(ctx, op, left[1:], right[1:], node),
        lambda: conditions.truth(ctx, operators.compare(ctx, op, left[0], right[0], node), node),
        node,
    )
    assert isinstance(decided, (n.Var, n.Const))
    return decided


def _all_equal(
    ctx: Context,
    left: tuple[Value, ...],
    right: tuple[Value, ...],
    node: ast.AST,
    same: Callable[[Context, Value, Value, ast.AST], n.Atom],
) -> n.Atom:
    if len(left) != len(right):
        return FALSE
    pairs = list(zip(left, right, strict=True))
    computes: list[Callable[[], n.Atom]] = [
        lambda a=a, b=b: same(ctx, a, b, node) for a, b in pairs  # type: ignore[misc]
    ]  # fmt: skip
    return conditions.short_circuit(ctx, True, computes, node) if computes else TRUE


def any_of(ctx: Context, computes: list[Callable[[], n.Atom]], node: ast.AST) -> n.Atom:
    """Whether one of several conditions holds."""
    return conditions.short_circuit(ctx, False, computes, node) if computes else FALSE


def truth(ctx: Context, value: Instance, node: ast.AST) -> n.Atom:
    """Whether an instance counts as true."""
    for name in ("__bool__", "__len__"):
        function = method(ctx, value, name)
        if function is not None:
            return conditions.truth(ctx, calls.call(ctx, function, [], {}, node), node)
    return TRUE if value.items or not value.is_tuple else FALSE
