"""Where a program may run over a set, whose order is another one than Python's: where the order cannot show.

``sum``, ``any``, ``all``, ``min``, ``max``, ``sorted``, ``set`` and ``len`` of a comprehension give the same in any
order if its expressions change nothing, raise nothing that tells elements apart, and give values of which equal ones
are the same: integers and strings, and no floats, whose sums are rounded and among which are two zeros and NaN. A loop
that only adds integers to variables is such a sum.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from weft.frontend.values import list_models, lists, tables
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import is_textual
from weft.frontend.values.values import Bound, Closure, Static, Value, children, scalar_type
from weft.ir.types import SCALARS

Made: TypeAlias = "ast.GeneratorExp | ast.ListComp | ast.SetComp"

CONSUMERS = (sum, any, all, min, max, sorted, set, len)
"""Functions whose result does not depend on the order of the items."""

_EXACT = frozenset(name for name, type in SCALARS.items() if type.kind in ("b", "i", "u"))
"""Types of which equal numbers are the same, and sums are not rounded."""

_QUIET = ("len", "abs")
"""Functions that change nothing, by their names, and raise the same for all elements."""

_QUIET_METHODS = (
    "lower", "upper", "title", "capitalize", "strip", "lstrip", "rstrip", "startswith", "endswith", "isalpha",
    "isdigit", "isupper", "islower", "isspace", "isalnum", "count", "find", "replace",
)  # fmt: skip
"""Methods of strings that change nothing and raise nothing."""

_TOTAL = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_DIVISIONS = (ast.Mod, ast.FloorDiv)


def _quiet(ctx: Context, node: Made) -> ast.expr | None:
    """What a comprehension runs over, if its expressions do not tell in which order; None for other comprehensions."""
    part = node.generators[0]
    if len(node.generators) != 1 or not isinstance(part.target, ast.Name):
        return None
    own = part.target.id
    return part.iter if all(_is_quiet(ctx, one, own) for one in (node.elt, *part.ifs)) else None


def consumed(ctx: Context, callee: Value, node: ast.Call) -> ast.GeneratorExp | ast.ListComp | None:
    """The comprehension that a function is called with whose result does not depend on the order of the items."""
    first = node.args[0] if len(node.args) == 1 else None
    named = all(keyword.arg == "default" for keyword in node.keywords)
    if not named or not isinstance(first, (ast.GeneratorExp, ast.ListComp)) or not isinstance(callee, Static):
        return None
    if callee.value in (min, max) and not _is_of_one_type(ctx, first.elt):
        return None
    return first if any(callee.value is one for one in CONSUMERS) else None


def _is_of_one_type(ctx: Context, node: ast.expr) -> bool:
    """Whether all values of an expression are Booleans, or none is: of `True` and `1`, `min` gives the first one."""
    return len({_is_truth(ctx, result) for result in _results(node)}) == 1


def _results(node: ast.expr) -> list[ast.expr]:
    """The expressions of which one is the value of an expression."""
    if isinstance(node, ast.IfExp):
        return [*_results(node.body), *_results(node.orelse)]
    if isinstance(node, ast.BoolOp):
        return [result for value in node.values for result in _results(value)]
    return [node]


def _is_truth(ctx: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        binding = ctx.environment.bindings.get(ctx.frame.key(node.id))
        type = None if binding is None or binding.value is None else scalar_type(binding.value)
        return type is not None and type.kind == "b"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr.startswith("is") or node.func.attr in ("startswith", "endswith")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return _is_truth(ctx, node.left) and _is_truth(ctx, node.right)
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return is_not or isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))


def run(ctx: Context, made: Made, translate: Callable[[], Value]) -> Value:
    """What is translated, with a comprehension in it that may run over a set if that cannot show in the result."""
    iterable = _quiet(ctx, made)
    if iterable is None:
        return translate()
    place = tables.place_of_loop(ctx, iterable)
    ctx.in_any_order[place] = False
    try:
        result = translate()
        if ctx.in_any_order[place] and not _is_exact(ctx, result, iterable):
            raise ctx.refusal("order of a set", iterable)
    finally:
        del ctx.in_any_order[place]
    return result


def run_loop(ctx: Context, node: ast.For, translate: Callable[[], None]) -> None:
    """Translate a loop, which may run over a set if all that it does is to add integers to variables."""
    own = node.target.id if isinstance(node.target, ast.Name) else ""
    sums = _sums(ctx, node.body, own)
    used = ctx.frame.liveness.left.get(id(node), frozenset())
    if not own or sums is None or node.orelse or own in used:
        return translate()
    place = tables.place_of_loop(ctx, node.iter)
    ctx.in_any_order[place] = False
    try:
        translate()
        if ctx.in_any_order[place]:
            found = [ctx.environment.bindings.get(ctx.frame.key(name)) for name in sums]
            if not all(one is not None and one.value is not None and _is_integer(one.value) for one in found):
                raise ctx.refusal("order of a set", node.iter)
    finally:
        del ctx.in_any_order[place]


def _sums(ctx: Context, body: list[ast.stmt], own: str) -> frozenset[str] | None:
    """The variables that statements add to, where they do nothing else and read none of them."""
    added: dict[str, None] = {}
    read: list[ast.expr] = []
    for statement in body:
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            if not isinstance(statement.op, (ast.Add, ast.Sub)):
                return None
            added[statement.target.id] = None
            read.append(statement.value)
        elif isinstance(statement, ast.If):
            inner = [_sums(ctx, part, own) for part in (statement.body, statement.orelse)]
            if None in inner:
                return None
            added.update(dict.fromkeys(name for names in inner for name in names or ()))
            read.append(statement.test)
        elif not isinstance(statement, (ast.Pass, ast.Continue)):
            return None
    names = {node.id for one in body for node in ast.walk(one) if isinstance(node, ast.Name) and _is_read(node)}
    quiet = all(_is_quiet(ctx, one, own) for one in read)
    return frozenset(added) if quiet and not names & {*added} and own not in added else None


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def is_quiet_key(ctx: Context, key: Value) -> bool:
    """Whether a function that gives the keys of a set's elements changes nothing and raises the same for all."""
    if isinstance(key, Bound):
        return tables.is_table(key.owner) and getattr(key.function, "value", None) is tables.DICTS[0].get
    if isinstance(key, Closure) and isinstance(key.node, ast.Lambda):
        return _is_quiet(ctx, key.node.body, key.node.args.args[0].arg)
    return isinstance(key, Static) and key.value in (len, abs)


def adds_exactly(ctx: Context, values: list[Value], node: ast.AST) -> bool:
    """Whether the sum of the elements of a set, and of numbers, is the same in any order."""
    model = lists.parts(ctx, tables.fields(ctx, values[0], node)[0], node)[2]
    return _holds_exact(model) and all(_is_exact(ctx, value, node) for value in values[1:])


def _is_quiet(ctx: Context, node: ast.expr, own: str) -> bool:
    """Whether an expression changes nothing, and raises the same for all values of its own name."""
    inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    if isinstance(node, ast.Call):
        if node.keywords or not _is_quiet_function(ctx, node.func, own):
            return False
        inner = node.args
    elif isinstance(node, ast.BinOp):
        divisor = node.right.value if isinstance(node.right, ast.Constant) else 0
        if not isinstance(node.op, _TOTAL) and not (isinstance(node.op, _DIVISIONS) and divisor):
            return False
    elif isinstance(node, ast.Subscript):
        parts = ast.iter_child_nodes(node.slice) if isinstance(node.slice, ast.Slice) else [node.slice]
        is_known = all(isinstance(part, ast.Constant) for part in parts)
        return is_known and isinstance(node.value, ast.Name) and node.value.id == own
    elif not isinstance(node, (ast.Name, ast.Constant, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple)):
        return False
    return all(_is_quiet(ctx, child, own) for child in inner)


def _is_quiet_function(ctx: Context, node: ast.expr, own: str) -> bool:
    if isinstance(node, ast.Name):
        defined = node.id in ctx.frame.locals or node.id in getattr(ctx.frame.function, "__globals__", {})
        return node.id in _QUIET and not defined
    if not isinstance(node, ast.Attribute) or node.attr not in _QUIET_METHODS:
        return False
    if isinstance(node.value, ast.Call):
        return _is_quiet_function(ctx, node.value.func, own) and isinstance(node.value.func, ast.Attribute)
    if isinstance(node.value, ast.Subscript):
        return _is_quiet(ctx, node.value, own)
    return isinstance(node.value, ast.Name) and node.value.id == own


def _is_exact(ctx: Context, value: Value, node: ast.AST) -> bool:
    """Whether equal values of this type are the same: integers, strings, and lists and sets of these."""
    if scalar_type(value) is not None:
        return _is_integer(value)
    if tables.is_set(value):
        value = tables.fields(ctx, value, node)[0]
    return is_textual(value) or (lists.is_list(value) and _holds_exact(lists.parts(ctx, value, node)[2]))


def _is_integer(value: Value) -> bool:
    type = scalar_type(value)
    return type is not None and type.name in _EXACT


def _holds_exact(model: Value) -> bool:
    if isinstance(model, Static):
        return model is list_models.UNKNOWN or str(model.value) in _EXACT
    return bool(children(model)) and all(map(_holds_exact, children(model)))
