"""List comprehensions that NumPy makes an array of: ``np.array([f(x) for x in a if c])``.

The list is an array from the start. What an element is, a trial translation of the first one tells; then a loop fills
the array. NumPy makes an array of float64 of an empty list, whatever its elements would have been: where these are of
another type it is an error when the program runs.
"""

from __future__ import annotations

import ast
import copy
from typing import cast as typed

import numpy as np

from weft.frontend.arrays import evaluation
from weft.frontend.arrays.allocation import allocate, element_type
from weft.frontend.arrays.extents_of import raise_unless, rank_of
from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.arrays.tables import FUNCTIONS, TAKING_LISTS
from weft.frontend.calls import inlining
from weft.frontend.control import iteration
from weft.frontend.several_types import weakness
from weft.frontend.values import operators
from weft.frontend.values.dispatch import evaluate
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import ZERO, Closure, Static, Value, describe_value, is_none, is_view, scalar_type
from weft.ir import nodes as n
from weft.ir.semantics import default_type
from weft.ir.types import FLOAT64, PYBOOL, PYINT, Element, Scalar

_OF_NUMBERS = """
def list(__items, __out, __element, __enumerate):
    for __k, __target in __enumerate(__items):
        __out[__k] = __element(__item)
    return __out
"""
_CHOSEN = """
def list(__items, __out, __element, __enumerate):
    __count = 0
    for __target in __items:
        if __test:
            __out[__count] = __element(__item)
            __count += 1
    return __out, __count
"""
_CUT = """
def list(__out, __count):
    return __out[:__count].copy()
"""
_OF_ARRAYS = """
def list(__items, __out, __element, __enumerate, __empty_like, __length):
    for __k, __target in __enumerate(__items):
        __row = __element(__item)
        if __k == 0:
            __out = __empty_like(__row, shape=(__length, *__row.shape))
        if __row.shape != __out.shape[1:]:
            raise ValueError(
                "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
                "dimensions."
            )
        __out[__k] = __row
    return __out
"""
_FIRST = """
def list(__target_item, __element):
    __target = __target_item
    return __element(__item)
"""

_MISFIT = "weft.errors:UnsupportedError"
_EMPTY = "NumPy makes an array of float64 of this list where it is empty, and compiled code has one type for it"


def element_of_list(value: object) -> object:
    """An element of a list as NumPy has it in an array: a name for the translation below."""
    return value


def array_of(ctx: Context, node: ast.ListComp, dtype: Value | None) -> Value:
    """The array that ``np.array(list, dtype)`` makes of a comprehension's list."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise ctx.refusal("comprehension", node)
    items = evaluate(ctx, node.generators[0].iter)
    static = iteration.static_items(items)
    if static is not None and not node.generators[0].ifs:
        return FUNCTIONS[np.array](ctx, [tuple(_one(ctx, node, item) for item in static)], _options(dtype), node)
    length, item, _ = iteration.sequence(ctx, items, node.generators[0].iter)
    sample = _sample(ctx, node, length, item)
    length = arithmetic(ctx, "max", length, ZERO, node)
    return _filled(ctx, node, items, length, sample, dtype)


def _options(dtype: Value | None) -> dict[str, Value]:
    return {} if dtype is None else {"dtype": dtype}


def _one(ctx: Context, node: ast.ListComp, item: Value) -> Value:
    """One element, of an item that is known."""
    return _call(ctx, _FIRST, node, [item, Static(element_of_list)])


def _sample(ctx: Context, node: ast.ListComp, length: n.Atom, item: object) -> Value:
    """What an element is like: translated on trial and forgotten."""
    snapshot, before = ctx.snapshot(), ctx.environment.copy()
    errors = len(ctx.errors)
    with ctx.block(Builder()):
        index = ctx.names.fresh("k", PYINT)
        value = _one(ctx, node, item(index))  # type: ignore[operator]
    if len(ctx.errors) == errors:
        ctx.restore(snapshot)
        ctx.environment = before
    return value


def _filled(
    ctx: Context, node: ast.ListComp, items: Value, length: n.Atom, sample: Value, dtype: Value | None
) -> Value:
    type, rank = _element(ctx, sample, dtype, node), rank_of(sample)
    is_open = rank > 0 or (dtype is None and type != FLOAT64)
    out = allocate(ctx, [length if rank == 0 else ZERO, *[ZERO] * rank], type, None, node)
    given: list[Value] = [items, out, Static(element_of_list), Static(enumerate)]
    if rank == 0 and node.generators[0].ifs:
        kept = _call(ctx, _CHOSEN, node, given)
        assert isinstance(kept, tuple)
        if is_open:
            _require_some(ctx, kept[1], node)
        return _call(ctx, _CUT, node, [*kept])
    if node.generators[0].ifs or (rank > 0 and dtype is not None):
        raise ctx.refusal("comprehension", node)
    if is_open:
        _require_some(ctx, length, node)
    if rank == 0:
        return _call(ctx, _OF_NUMBERS, node, given)
    return _call(ctx, _OF_ARRAYS, node, [*given, Static(np.empty_like), length])


def _require_some(ctx: Context, count: Value, node: ast.AST) -> None:
    """Raise where a list is empty that would be an array of another type, or of fewer dimensions, then."""
    some = ctx.emit(n.Compare("gt", typed(n.Atom, count), ZERO), PYBOOL, node)
    raise_unless(ctx, some, _MISFIT, _EMPTY, (), node)


def _element(ctx: Context, sample: Value, dtype: Value | None, node: ast.AST) -> Element:
    """The type of the array's elements."""
    if dtype is not None and not is_none(dtype):
        return element_type(ctx, dtype, FLOAT64, node)
    if is_view(sample):
        return view_type(typed(n.Var, sample)).element
    return default_type(typed(Scalar, scalar_type(sample)))


def _translated(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """`element_of_list`: a number that has one type, or an array."""
    value = operators.as_scalar(ctx, arguments[0], node)
    if isinstance(value, tuple):
        return FUNCTIONS[np.array](ctx, [value], {}, node)
    value = evaluation.consumed(ctx, value, node)
    if not is_view(value) and scalar_type(value) is None:
        raise ctx.type_error(f"an array is made of numbers and arrays, and this is {describe_value(value)}", node)
    if not is_view(value):
        weakness.require_alike(ctx, typed(n.Atom, value), default_type, node)
    return value


FUNCTIONS[element_of_list] = _translated
TAKING_LISTS.add(element_of_list)


def _call(ctx: Context, template: str, node: ast.ListComp, arguments: list[Value]) -> Value:
    """Call a template with the parts of a comprehension put in."""
    definition = _Parts(node).visit(ast.parse(template).body[0])
    for inner in ast.walk(definition):
        if isinstance(inner, (ast.expr, ast.stmt)) and id(inner) not in _own(node):
            ast.copy_location(inner, node)
    ctx.kept.append(definition)
    return inlining.call_closure(ctx, Closure(definition, ctx.frame), arguments, {}, node)


def _own(node: ast.ListComp) -> set[int]:
    return {id(inner) for inner in ast.walk(node)}


class _Parts(ast.NodeTransformer):
    """Puts the parts of a comprehension where a template names them."""

    def __init__(self, node: ast.ListComp) -> None:
        part = node.generators[0]
        test = ast.BoolOp(ast.And(), part.ifs) if len(part.ifs) > 1 else part.ifs[0] if part.ifs else node.elt
        self.parts = {"__target": copy.copy(part.target), "__item": node.elt, "__test": test}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A part of the comprehension, or a name of the template."""
        return self.parts.get(node.id, node)
