"""``itertools``, ``heapq`` and ``bisect``: generators and functions of `library_iterators` and `library_sorted`."""

from __future__ import annotations

import ast
import bisect
import heapq
import itertools
from types import FunctionType
from typing import Any
from typing import cast as typed

import numpy as np

from weft.frontend.arrays.tables import FUNCTIONS, check_arguments, function
from weft.frontend.calls import inlining, library_iterators, library_sorted
from weft.frontend.control import generators
from weft.frontend.values import lists
from weft.frontend.values.dispatch import evaluate_any
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import (
    NONE,
    ONE,
    ZERO,
    Instance,
    Range,
    Static,
    Value,
    describe_value,
    is_none,
    is_view,
    scalar_type,
    with_article,
)
from weft.ir import nodes as n

Values = list[Value]
Keywords = dict[str, Value]

MOST_POOLS = 8


def _inlined(ctx: Context, made: object, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    return inlining.call_function(ctx, typed(FunctionType, made), arguments, keywords, node)


def _register(modules: Any, library: Any, *names: str) -> None:
    """Let functions stand for those of the same names."""
    for name in names:
        made = getattr(library, name)

        def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST, made: Any = made) -> Value:
            return _inlined(ctx, made, arguments, keywords, node)

        function(getattr(modules, name))(handler)


_register(
    heapq, library_sorted, "heappush", "heappop", "heapreplace", "heappushpop", "heapify", "nsmallest", "nlargest"
)
_register(bisect, library_sorted, "bisect_left", "bisect_right", "insort_left", "insort_right")
_register(itertools, library_iterators, "chain", "count", "accumulate", "pairwise", "takewhile")
FUNCTIONS[itertools.chain.from_iterable] = lambda ctx, arguments, keywords, node: _inlined(
    ctx, library_iterators.chain_of, arguments, keywords, node
)


def _splitting(name: str) -> None:
    """Let a function of NumPy divide an array along its first axis; other calls are those of the library."""
    made = getattr(library_sorted, name)

    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        given = [*arguments, *([keywords.pop("indices_or_sections")] if "indices_or_sections" in keywords else [])]
        axis = keywords.pop("axis", ZERO)
        is_plain = len(given) == 2 and not keywords and axis == ZERO and is_view(given[0])
        kind = scalar_type(given[1]) if is_plain else None
        if kind is None or kind.kind not in "iu" or view_type(typed(n.Var, given[0])).ndim == 0:
            raise ctx.refusal("array function", node, name=f"np.{name}")
        return _inlined(ctx, made, given, {}, node)

    function(getattr(np, name))(handler)


_splitting("array_split")
_splitting("split")


def _pool(ctx: Context, items: Value, node: ast.AST) -> Value:
    """Items that stay as they are while a loop runs over them again and again."""
    return items if isinstance(items, (Range, tuple)) else FUNCTIONS[list](ctx, [items], {}, node)


def _constant(ctx: Context, value: Value, what: str, node: ast.AST) -> int:
    if not isinstance(value, n.Const) or not isinstance(value.value, int):
        raise ctx.type_error(
            f"'{what}' is not known when compiling",
            node,
            hint="write the number itself, or loops inside of one another",
        )
    if value.value > MOST_POOLS:
        raise ctx.type_error(f"'{what}' is more than {MOST_POOLS}", node, hint="write a loop")
    if value.value < 0:
        raise ctx.type_error(f"{what} must be non-negative", node, hint="write a number that is not negative")
    return int(value.value)


@function(itertools.product)
def _product(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    repeat = _constant(ctx, keywords.pop("repeat", ONE), "repeat", node)
    check_arguments(ctx, arguments, keywords, range(MOST_POOLS + 1), "product", node)
    pools = tuple(_pool(ctx, items, node) for items in arguments) * repeat
    return _inlined(ctx, library_iterators.product, [pools], {}, node)


def _chosen(name: str, made: object, last: Value) -> None:
    def handler(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
        given = [*arguments, *([keywords.pop("r")] if "r" in keywords else [])]
        if len(given) == 1 and name == "permutations":
            given.append(NONE)
        check_arguments(ctx, given, keywords, range(2, 3), name, node)
        items, size = given
        if is_none(size):
            size = n.Const(len(items), ONE.type) if isinstance(items, tuple) else _length(items)
        size = n.Const(_constant(ctx, size, "r", node), ONE.type)
        pool = FUNCTIONS[list](ctx, [items], {}, node)
        return _inlined(ctx, made, [pool, size, last], {}, node)

    function(getattr(itertools, name))(handler)


def _length(items: Value) -> Value:
    """The number of items of a range of constants; None where it is not known."""
    parts = (items.start, items.stop, items.step) if isinstance(items, Range) else (NONE,)
    if not all(isinstance(part, n.Const) for part in parts):
        return NONE
    start, stop, step = (int(typed(Any, part).value) for part in parts)
    return n.Const(len(range(start, stop, step)), ONE.type)


_chosen("combinations", library_iterators.combinations, ZERO)
_chosen("combinations_with_replacement", library_iterators.combinations_with_replacement, ZERO)
_chosen("permutations", library_iterators.permutations, ())


@function(itertools.islice)
def _islice(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2, 3), "islice", node)
    if scalar_type(arguments[1]) is None or is_view(arguments[1]):
        raise ctx.type_error("islice takes the number of items in compiled code", node, hint="write a loop with break")
    return _inlined(ctx, library_iterators.islice_to, arguments, {}, node)


@function(iter)
def _iter(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 2), "iter", node)
    (items,) = arguments
    if is_iterator(items):
        return items
    is_array = is_view(items) and view_type(typed(n.Var, items)).ndim > 0
    if not (is_array or isinstance(items, Range) or (lists.is_list(items) and not lists.is_fixed(items))):
        raise ctx.type_error(
            f"iter of {with_article(describe_value(items))} is not supported", node, hint="loop over it with for"
        )
    from weft.frontend.calls import calls

    return calls.call(ctx, Static(library_iterators.Iterator), [items], {}, node)


@function(next)
def _next(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 3), "next", node)
    if not is_iterator(arguments[0]):
        raise ctx.type_error(
            f"next of {with_article(describe_value(arguments[0]))} is not supported",
            node,
            hint="call next with iter(...) of a range, an array or a list, or with a generator expression",
        )
    if any(generators.is_generator(frame.node) for frame in ctx.frame.callers()):
        raise ctx.type_error("a generator calls next", node, hint="loop over the iterator with for")
    made = library_iterators.following if len(arguments) == 1 else library_iterators.following_or
    return _inlined(ctx, made, arguments, {}, node)


def is_iterator(value: Value) -> bool:
    """Whether a value is what ``iter`` gives."""
    return isinstance(value, Instance) and value.type is library_iterators.Iterator


def next_of(ctx: Context, node: ast.Call) -> Value:
    """``next(f(x) for x in items if g(x))``, and with a default: the first item."""
    generator, *default = node.args
    assert isinstance(generator, ast.GeneratorExp)
    helpers: dict[str, Value] = {}
    last: ast.stmt = ast.Raise(ast.Name("StopIteration", ast.Load()))
    if default:
        helpers["__default"] = evaluate_any(ctx, default[0])
        last = ast.Return(ast.Name("__default", ast.Load()))
    found = inlining.nested(generator, [ast.Return(generator.elt)])
    return inlining.run_made(ctx, [*found, last], node, helpers)
