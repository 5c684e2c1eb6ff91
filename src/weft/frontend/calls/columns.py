"""``zip(*rows)`` of rows whose number is known at run time only.

Each column is a list here, so the program must use it in no way that tells a list from a tuple.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

from weft.frontend.calls import inlining, library_columns
from weft.frontend.values import lists, names
from weft.frontend.values.list_models import heap_of
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Static, Value, is_view
from weft.ir import nodes as n

READERS = frozenset({"all", "any", "enumerate", "len", "list", "max", "min", "reversed", "set", "sorted", "sum", "zip"})
"""Functions of Python that treat a list and a tuple alike; ``max`` and ``min`` only as their single argument."""


def star_of(callee: Value, node: ast.Call) -> ast.Starred | None:
    """The argument of a call ``zip(*rows)``."""
    is_alone = isinstance(callee, Static) and callee.value is zip and len(node.args) == 1 and not node.keywords
    return node.args[0] if is_alone and isinstance(node.args[0], ast.Starred) else None


def are_many(ctx: Context, rows: Value, node: ast.Call) -> bool:
    """Whether the number of rows is known at run time only."""
    is_array = isinstance(rows, n.Var) and is_view(rows)
    return is_array or (lists.is_list(rows) and not isinstance(lists.parts(ctx, rows, node)[0], n.Const))


def of_rows(ctx: Context, rows: Value, star: ast.Starred, node: ast.Call) -> Value:
    """The columns of ``zip(*rows)``, as lists: in compiled code, tuples have a length that is known when compiling."""
    if not _is_of_lists(ctx, rows, node) or not _are_only_read(ctx, node):
        raise ctx.refusal("columns", star, rows=ast.unparse(star.value))
    held = inlining.call_library(ctx, library_columns.rows_of, [rows], node)
    return inlining.call_library(ctx, library_columns.columns_of, [held], node)


def _is_of_lists(ctx: Context, rows: Value, node: ast.Call) -> bool:
    return lists.is_list(rows) and heap_of(lists.parts(ctx, rows, node)[2]) is not None


def _are_only_read(ctx: Context, call: ast.Call) -> bool:
    """Whether the columns are only loop variables of which the program only uses the items."""
    nodes = list(ast.walk(ctx.frame.node))
    inner = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    inner |= {one.arg for one in nodes if isinstance(one, ast.arg)}

    def is_reader(function: ast.expr) -> bool:
        if not isinstance(function, ast.Name) or function.id not in READERS or function.id in inner:
            return False
        value = names.lookup(ctx, function.id, function)
        return isinstance(value, Static) and value.value is getattr(builtins, function.id)

    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and node.iter is call:
            whole = [node.target.id] if isinstance(node.target, ast.Name) else []
            plain = isinstance(node.target, ast.Tuple) and all(isinstance(one, ast.Name) for one in node.target.elts)
            reads = {id(one) for parent in nodes for one in _read(parent, is_reader)}
            uses = [one for one in nodes if isinstance(one, ast.Name) and one.id in whole]
            return bool(whole or plain) and all(isinstance(o.ctx, ast.Store) or id(o) in reads for o in uses)
        if isinstance(node, ast.Call) and call in node.args[1:] and isinstance(node.func, ast.Name):
            return node.func.id == "map" and len(node.args) == 2 and is_reader(node.args[0])
    return False


def _read(node: ast.AST, is_reader: Callable[[ast.expr], bool]) -> Iterator[ast.expr]:
    """The operands of which a node only reads the items."""
    if isinstance(node, (ast.For, ast.comprehension)):
        yield node.iter
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice):
        yield node.value
    elif isinstance(node, ast.Compare) and all(isinstance(operator, (ast.In, ast.NotIn)) for operator in node.ops):
        yield from node.comparators
    elif isinstance(node, ast.Call) and is_reader(node.func):
        alone = isinstance(node.func, ast.Name) and node.func.id not in ("max", "min")
        yield from node.args if alone or len(node.args) == 1 else ()
