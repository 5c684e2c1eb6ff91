"""Sets as tuples, where these do the same; elements that are deleted."""

from __future__ import annotations

import ast
import copy

from weft.errors import Code
from weft.frontend.remedies.place import Place


def tuple_for_set(place: Place, words: dict[str, str]) -> Code | None:
    """A set that is only asked for its items: a tuple."""
    if not isinstance(place.node, ast.Set):
        return None
    parents = place.parents()
    uses = _uses(place, parents)
    return _as_tuple(place) if uses and all(_is_searched(use, parents) for use in uses) else None


def pop(place: Place, words: dict[str, str]) -> Code | None:
    """``del items[k]`` as ``items.pop(k)``."""
    node = place.statement
    target = node.targets[0] if isinstance(node, ast.Delete) and len(node.targets) == 1 else None
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, (ast.Slice, ast.Tuple)):
        return None
    function = ast.Attribute(copy.deepcopy(target.value), "pop", ast.Load())
    return place.written([ast.Expr(ast.Call(function, [copy.deepcopy(target.slice)], []))])


def _as_tuple(place: Place) -> Code | None:
    items = getattr(place.node, "elts", [])
    if not items or any(isinstance(item, ast.Starred) for item in items):
        return None
    return place.instead(ast.Tuple(copy.deepcopy(items), ast.Load()))


def _uses(place: Place, parents: dict[int, ast.AST]) -> list[ast.AST]:
    """The expressions that stand for a display: itself, or all uses of the one name that it is assigned to."""
    statement = place.statement
    if not (isinstance(statement, ast.Assign) and statement.value is place.node):
        return [place.node]
    if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return []
    name = statement.targets[0].id
    everywhere = [n for n in ast.walk(place.function) if isinstance(n, ast.Name) and n.id == name]
    stores = [n for n in everywhere if not isinstance(n.ctx, ast.Load)]
    return [n for n in everywhere if isinstance(n.ctx, ast.Load)] if len(stores) == 1 else []


def _is_searched(use: ast.AST, parents: dict[int, ast.AST]) -> bool:
    around = parents.get(id(use))
    return (
        isinstance(around, ast.Compare)
        and use in around.comparators
        and all(isinstance(op, (ast.In, ast.NotIn)) for op in around.ops)
    )
