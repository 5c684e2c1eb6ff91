"""``map``, ``filter`` and ``functools.reduce``: generators and loops in other words."""

from __future__ import annotations

import ast
import functools
from typing import TypeVar

from weft.frontend.arrays.tables import check_arguments, function
from weft.frontend.calls import inlining, library
from weft.frontend.control import iteration
from weft.frontend.values import tables
from weft.frontend.values.dispatch import evaluate
from weft.frontend.values.scope import Context
from weft.frontend.values.values import ITERATORS, Mapped, Static, Value, Zipped, describe_value

CONSUMERS = (sum, any, all, min, max, sorted, list)
"""What asks for all items, one after the other, and does nothing between."""

Made = TypeVar("Made", bound="ast.ListComp | ast.GeneratorExp")


def with_generator(ctx: Context, callee: Value, node: ast.Call) -> ast.Call:
    """A call whose first argument is ``map(f, a)`` or ``filter(f, a)`` with the generator that is the same."""
    if not node.args or not isinstance(callee, Static) or not any(callee.value is one for one in CONSUMERS):
        return node
    if len(node.args) > 1 and callee.value is not sum:
        return node
    generator = _generator(ctx, node.args[0])
    if generator is None:
        return node
    made = ast.copy_location(ast.Call(node.func, [generator, *node.args[1:]], node.keywords), node)
    ctx.kept.append(made)
    return made


def without_filters(ctx: Context, node: Made) -> Made:
    """A comprehension with an ``if`` for each ``filter(f, a)`` that it runs over."""
    parts = [_without_filter(ctx, part) for part in node.generators]
    if parts == node.generators:
        return node
    made = ast.copy_location(type(node)(node.elt, parts), node)
    ctx.kept.append(made)
    return made


def _without_filter(ctx: Context, part: ast.comprehension) -> ast.comprehension:
    found = _call_of(ctx, part.iter, filter)
    if found is None or not isinstance(part.target, ast.Name):
        return part
    return ast.comprehension(part.target, found.args[1], [_test(found, part.target.id), *part.ifs], part.is_async)


def _generator(ctx: Context, node: ast.expr) -> ast.GeneratorExp | None:
    found = _call_of(ctx, node, map, filter)
    if found is None:
        return None
    names = [f"__item{k}" for k in range(len(found.args) - 1)]
    targets: list[ast.expr] = [_placed(ast.Name(name, ast.Store()), node) for name in names]
    items, target = found.args[1], targets[0]
    element: ast.expr
    if len(names) > 1:
        items = _placed(ast.Call(_placed(ast.Name("zip", ast.Load()), node), found.args[1:], []), node)
        target = _placed(ast.Tuple(targets, ast.Store()), node)
    if isinstance(found.func, ast.Name) and found.func.id == "filter":
        element, tests = _placed(ast.Name(names[0], ast.Load()), node), [_test(found, names[0])]
    else:
        given: list[ast.expr] = [_placed(ast.Name(name, ast.Load()), node) for name in names]
        element, tests = _placed(ast.Call(found.args[0], given, []), node), []
    return _placed(ast.GeneratorExp(element, [ast.comprehension(target, items, tests, 0)]), node)


def _test(node: ast.Call, name: str) -> ast.expr:
    """What ``filter`` tests: the item itself where its function is None."""
    item = _placed(ast.Name(name, ast.Load()), node)
    tested = node.args[0]
    if isinstance(tested, ast.Constant) and tested.value is None:
        return item
    return _placed(ast.Call(tested, [item], []), node)


Placed = TypeVar("Placed", bound=ast.expr)


def _placed(node: Placed, place: ast.AST) -> Placed:
    return ast.copy_location(node, place)


def _call_of(ctx: Context, node: ast.expr, *functions: object) -> ast.Call | None:
    """A call of one of Python's functions by its name, with arguments one by one."""
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    names = [getattr(one, "__name__", "") for one in functions]
    if not isinstance(node.func, ast.Name) or node.func.id not in names or len(node.args) < 2:
        return None
    if node.func.id == "filter" and len(node.args) != 2:
        return None
    callee = evaluate(ctx, node.func)
    return node if isinstance(callee, Static) and any(callee.value is one for one in functions) else None


@function(map)
def _map(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2, 100), "map", node)
    refuse_computed(ctx, "map", arguments[1:] if len(arguments) > 2 else [], node)
    if len(arguments) == 2:
        return Mapped(arguments[0], arguments[1])
    return Mapped(arguments[0], Zipped(tuple(arguments[1:])), several=True)


@function(filter)
def _filter(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    raise ctx.refusal("filter in a loop", node)


def refuse_computed(ctx: Context, what: str, items: list[Value], node: ast.AST) -> None:
    """Refuse iterators whose items are computed one by one, where Python may ask for one that is not used."""
    for item in items:
        if isinstance(item, Mapped):
            raise ctx.refusal("items that are computed", node, what=what, other=describe_value(item))


@function(functools.reduce)
def _reduce(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    from weft.frontend.calls.calls import call

    check_arguments(ctx, arguments, keywords, range(2, 4), "reduce", node)
    items = iteration.static_items(arguments[1])
    if items is not None:
        values = [*arguments[2:], *items]
        if not values:
            raise ctx.type_error("reduce() of empty iterable with no initial value", node, hint="give a first value")
        return functools.reduce(lambda total, item: call(ctx, arguments[0], [total, item], {}, node), values)
    if len(arguments) == 3:
        return inlining.call_function(ctx, library.reduced_from, arguments, {}, node)  # type: ignore[arg-type]
    if isinstance(arguments[1], ITERATORS):
        raise ctx.refusal("items that are computed", node, what="reduce", other=describe_value(arguments[1]))
    given = [arguments[0], tables.looped(ctx, arguments[1], node)]
    return inlining.call_function(ctx, library.reduced, given, {}, node)  # type: ignore[arg-type]
