"""``np.vectorize``: a function of numbers is called for the elements of arrays, which are broadcast.

NumPy calls the function once more than there are elements, first of all, with NumPy's scalars: the types of what it
gives are those of the results. Then it makes copies of the arguments, and calls it with Python's numbers. When the last
call is done, what the calls gave is converted.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import copies
from weft.frontend.arrays.each import each_element
from weft.frontend.arrays.extents_of import Extents, broadcast, extents_of, raise_unless
from weft.frontend.arrays.nests import Elements, all_of, allocated
from weft.frontend.arrays.tables import FUNCTIONS, function, operation
from weft.frontend.calls import calls, inlining
from weft.frontend.calls import library_vectorized as library
from weft.frontend.several_types import weakness
from weft.frontend.values import lists, methods, objects, operators
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import (
    NONE,
    TRUE,
    ZERO,
    Bound,
    Closure,
    Instance,
    Static,
    Value,
    describe_value,
    is_none,
    is_view,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import PYBOOL, PYINT, Scalar, element_of
from weft.ir.visit import walk

EMPTY = "cannot call `vectorize` on size 0 inputs unless `otypes` is set"
NAMES = ("$function", "$types")
Types = tuple[Scalar, ...]


def is_vectorized(value: object) -> bool:
    """Whether a value is what ``np.vectorize`` makes."""
    return isinstance(value, Instance) and value.type is library.Vectorized


@function(np.vectorize)
def _vectorize(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """``np.vectorize(f, otypes=[...])``."""
    given = dict(zip(("pyfunc", "otypes", "doc"), arguments, strict=False)) | keywords
    given.pop("doc", None)
    types, called = given.pop("otypes", NONE), given.pop("pyfunc", NONE)
    if not (is_none(called) or isinstance(called, (Static, Closure, Bound, Instance))):
        raise ctx.type_error("When used as a decorator, only accepts keyword arguments.", node)
    if len(arguments) > 3 or not all(is_none(value) or value == n.Const(False, PYBOOL) for value in given.values()):
        raise ctx.refusal("option of np.vectorize", node, name=next(iter(given), "excluded"))
    return Instance(library.Vectorized, NAMES, (called, types))


def of_object(ctx: Context, made: np.vectorize, node: ast.AST) -> Value:
    """What stands for an object that ``np.vectorize`` made outside of compiled code."""
    given = {"excluded": bool(made.excluded), "cache": made.cache, "signature": made.signature is not None}
    for name, is_set in given.items():
        if is_set:
            raise ctx.refusal("option of np.vectorize", node, name=name)
    path = ctx.paths.get(id(made))
    if path is not None:
        ctx.paths.setdefault(id(made.pyfunc), f"{path}.pyfunc")
    types: Value = NONE if made.otypes is None else tuple(Static(np.dtype(char)) for char in made.otypes)
    return Instance(library.Vectorized, NAMES, (Static(made.pyfunc), types))


def call(ctx: Context, made: Instance, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """Call what ``np.vectorize`` made."""
    called, otypes = made.items
    if is_none(called):
        if keywords or len(arguments) != 1:
            raise ctx.type_error("np.vectorize without a function takes one", node)
        return Instance(library.Vectorized, NAMES, (arguments[0], otypes))
    names = [""] * len(arguments) + list(keywords)
    given = [_array(ctx, value, node) for value in (*arguments, *keywords.values())]
    if not given:
        return _without_arguments(ctx, called, node)
    types = None if is_none(otypes) else _types_asked_for(ctx, otypes, node)

    def at(items: Sequence[Value]) -> Value:
        positional = [item for name, item in zip(names, items, strict=True) if not name]
        named = {name: item for name, item in zip(names, items, strict=True) if name}
        return calls.call(ctx, called, positional, named, node)

    if types is None:
        types = _types_found(ctx, given, at, node)
    return _results(ctx, given, at, types, node)


def _without_arguments(ctx: Context, called: Value, node: ast.AST) -> Value:
    return calls.call(ctx, called, [], {}, node)


def _array(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """An argument as NumPy's array or scalar of it."""
    value = lists.for_numpy(ctx, objects.plain_tuple(value), node)
    if isinstance(value, tuple):
        value = FUNCTIONS[np.array](ctx, [value], {}, node)
    value = operators.as_scalar(ctx, value, node)
    is_number = is_view(value) or scalar_type(value) is not None
    if not is_number or (is_view(value) and not isinstance(view_type(typed(n.Var, value)).element, Scalar)):
        raise ctx.refusal("argument of np.vectorize", node, what=describe_value(value))
    if not is_view(value):
        weakness.require_one_type(ctx, "pos", (typed(n.Atom, value),), node)
    return typed(n.Atom, value)


def _types_asked_for(ctx: Context, value: Value, node: ast.AST) -> Types:
    value = typed(Instance, value).items if lists.is_fixed(value) else value
    text = value.value if isinstance(value, Static) else None
    items = list(text) if isinstance(text, str) else [getattr(v, "value", None) for v in _items(value)]
    try:
        found = tuple(element_of(np.dtype(item)) for item in items if item is not None)
    except (KeyError, TypeError):
        found = ()
    if not found or len(found) != len(items) or not all(isinstance(type, Scalar) for type in found):
        raise ctx.refusal("option of np.vectorize", node, name="otypes")
    return typed(Types, found)


def _items(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else ()


# ------------------------------------------------------------------------------------------------------ the first call


def _types_found(ctx: Context, given: list[n.Atom], at: Callable[[Sequence[Value]], Value], node: ast.AST) -> Types:
    """The types of what the function gives for the first elements."""
    for array in given:
        for extent in extents_of(ctx, array, node) if is_view(array) else ():
            some = ctx.emit(n.Compare("gt", extent, ZERO), PYBOOL, node)
            raise_unless(ctx, some, "ValueError", EMPTY, (), node)
    return tuple(_type_of(ctx, item, node) for item in _several(ctx, at([_first(ctx, a, node) for a in given]), node))


def _first(ctx: Context, array: n.Atom, node: ast.AST) -> Value:
    """The first element; a Python number is NumPy's scalar here."""
    if not is_view(array):
        return cast(ctx, array, default_type(typed(Scalar, array.type)), node)
    view = typed(n.Var, array)
    element = typed(Scalar, view_type(view).element)
    return ctx.emit(n.Load(view, (ZERO,) * view_type(view).ndim, "safe"), element, node)


def _several(ctx: Context, result: Value, node: ast.AST) -> tuple[n.Atom, ...]:
    """What a call gives: one number, or several ones."""
    result = objects.plain_tuple(result)
    items = result if isinstance(result, tuple) and len(result) > 1 else (result,)
    numbers = tuple(operators.as_scalar(ctx, item, node) for item in items)
    for item in numbers:
        if scalar_type(item) is None:
            raise ctx.refusal("result of np.vectorize", node, what=describe_value(item))
    return typed("tuple[n.Atom, ...]", numbers)


def _type_of(ctx: Context, item: n.Atom, node: ast.AST) -> Scalar:
    weakness.require_alike(ctx, item, default_type, node)
    return default_type(typed(Scalar, item.type))


# --------------------------------------------------------------------------------------------------------- all calls


def _results(
    ctx: Context, given: list[n.Atom], at: Callable[[Sequence[Value]], Value], types: Types, node: ast.AST
) -> Value:
    shapes = [extents_of(ctx, array, node) if is_view(array) else () for array in given]
    extents, agree = broadcast(ctx, shapes, node)
    spread = all_of(ctx, agree, node) != TRUE
    found, writes = _sample(ctx, given, extents, at, node)
    if len(found) != len(types):
        raise ctx.type_error(f"the function returns {len(found)} number(s), and otypes has {len(types)}", node)
    if writes:
        given = [_copied(ctx, typed(n.Var, a), node) if is_view(a) else a for a in given]
    kept = [type if _is_stored_so(ctx, item, type) else _type_of(ctx, item, node)
            for item, type in zip(found, types, strict=True)]  # fmt: skip
    outputs = [allocated(ctx, extents, type, node) for type in kept]
    job = _Job(given, outputs, extents, at, spread)
    loop = library.filled if extents else library.filled_one
    inlining.call_function(ctx, typed(FunctionType, loop), [Static(job), Static(job), Static(job)], {}, node)
    results = tuple(
        output if type == before else _converted(ctx, output, extents, item, type, node)
        for output, before, item, type in zip(outputs, kept, found, types, strict=True)
    )
    return results[0] if len(results) == 1 else results


class _Job:
    """What the loop of a call needs to know."""

    def __init__(
        self,
        given: list[n.Atom],
        outputs: list[n.Var],
        extents: Extents,
        at: Callable[[Sequence[Value]], Value],
        spread: bool,
    ) -> None:
        self.given = given
        self.outputs = outputs
        self.extents = extents
        self.at = at
        self.spread = spread


def _elements(
    ctx: Context, given: list[n.Atom], extents: Extents, indices: tuple[n.Atom, ...], spread: bool, node: ast.AST
) -> list[Value]:
    """The elements at a position, as Python's numbers."""
    items = [Elements(ctx, array, extents, node, spread).at(indices) for array in given]
    return [methods.as_python(ctx, item, node) for item in items]


def _sample(
    ctx: Context, given: list[n.Atom], extents: Extents, at: Callable[[Sequence[Value]], Value], node: ast.AST
) -> tuple[tuple[n.Atom, ...], bool]:
    """What a call gives, and whether it writes to arrays: translated on trial and forgotten."""
    snapshot, before = ctx.snapshot(), ctx.environment.copy()
    errors = len(ctx.errors)
    with ctx.block(Builder()) as builder:
        indices = tuple(ctx.names.fresh("k", PYINT) for _ in extents)
        found = _several(ctx, at(_elements(ctx, given, extents, indices, True, node)), node)
    only_reads = (n.Let, n.If, n.For, n.While, n.Raise)
    writes = not all(isinstance(inner, only_reads) for inner in walk(n.Block(tuple(builder.statements))))
    if len(ctx.errors) == errors:
        ctx.restore(snapshot)
        ctx.environment = before
    return found, writes


def _copied(ctx: Context, view: n.Var, node: ast.AST) -> n.Var:
    return copies.copied(ctx, view, view_type(view).element, node)


@operation(library.extents_of)
def _extents_of(ctx: Context, job: Value, node: ast.AST) -> Value:
    return typed(_Job, typed(Static, job).value).extents


@operation(library.call_at)
def _call_at(ctx: Context, function: Value, arrays: Value, index: Value, node: ast.AST) -> Value:
    job = typed(_Job, typed(Static, function).value)
    place = typed("tuple[n.Atom, ...]", index)
    return job.at(_elements(ctx, job.given, job.extents, place, job.spread, node))


@operation(library.put)
def _put(ctx: Context, outputs: Value, index: Value, result: Value, node: ast.AST) -> Value:
    job = typed(_Job, typed(Static, outputs).value)
    place = typed("tuple[n.Atom, ...]", index)
    for output, item in zip(job.outputs, _several(ctx, result, node), strict=True):
        stored = cast(ctx, item, typed(Scalar, view_type(output).element), node)
        ctx.append(n.Store(output, place, stored, "safe", location=ctx.location(node)))
    return NONE


# ------------------------------------------------------------------------------------------------------- conversion


def _is_stored_so(ctx: Context, item: n.Atom, type: Scalar) -> bool:
    """Whether converting what a call gives cannot raise, nor give another number than converting it later."""
    source = typed(Scalar, item.type)
    if source == type or default_type(source) == type:
        return True
    return source.kind in "bf" and type.kind == "f"


def _converted(ctx: Context, output: n.Var, extents: Extents, item: n.Atom, type: Scalar, node: ast.AST) -> n.Var:
    """What calls gave, in the type of the result: NumPy converts Python's numbers."""
    source = typed(Scalar, item.type)
    if not source.weak and not np.can_cast(source.dtype, type.dtype, "safe"):
        raise ctx.refusal("result of np.vectorize", node, what=describe_value(item))
    result = allocated(ctx, extents, type, node)

    def convert(indices: tuple[n.Atom, ...]) -> None:
        element = typed(Scalar, view_type(output).element)
        atom = methods.as_python(ctx, ctx.emit(n.Load(output, indices, "safe"), element, node), node)
        ctx.append(n.Store(result, indices, cast(ctx, atom, type, node), "safe", location=ctx.location(node)))

    each_element(ctx, extents, convert, node)
    return result
