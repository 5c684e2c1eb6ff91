"""Calls: functions of the user are inlined where they are called; those of libraries are looked up in tables."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import TypeAlias
from typing import cast as typed

import numpy as np

from weft.errors import Error
from weft.frontend.arrays import evaluation
from weft.frontend.arrays.array_attributes import WHOLE_ARRAY_METHODS
from weft.frontend.arrays.tables import FUNCTIONS, TAKING_EXPRESSIONS, TAKING_LISTS
from weft.frontend.calls import (
    columns,
    foreign_kernels,
    functional,
    inlining,
    iterators,
    library_calls,
    library_lists,
    lists_as_arrays,
    vectorized,
)
from weft.frontend.calls.library_texts import Text
from weft.frontend.control import any_order, iteration
from weft.frontend.recursion import cached
from weft.frontend.remedies.functions import IN_MATH
from weft.frontend.remedies.values import draws, for_class, for_draw, is_of_numba
from weft.frontend.several_types import optional
from weft.frontend.source.signature import is_record, undecorated
from weft.frontend.values import dicts, enumerations, lists, methods, objects
from weft.frontend.values.dispatch import evaluate, evaluate_any, evaluate_lazily, expression
from weft.frontend.values.scope import Context
from weft.frontend.values.text_model import FORMAT
from weft.frontend.values.values import (
    ArrayExpression,
    Bound,
    Closure,
    Instance,
    Mapped,
    Optional,
    Static,
    Value,
    describe_value,
    is_view,
    with_article,
)
from weft.ir.kernel_calls import is_foreign
from weft.ir.types import SCALARS


@expression(ast.Call)
def _call(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Call)
    callee = evaluate(ctx, node.func)
    node = functional.with_generator(ctx, callee, node)
    if (made := any_order.consumed(ctx, callee, node)) is not None:
        return any_order.run(ctx, made, lambda: _called(ctx, callee, _with_list(ctx, callee, node)))
    return _called(ctx, callee, _with_list(ctx, callee, node))


def _called(ctx: Context, callee: Value, node: ast.Call) -> Value:
    if isinstance(callee, Static) and callee.value is np.array and node.args and inlining.is_matrix(node.args[0]):
        rows = inlining.matrix_comprehension(ctx, typed(ast.ListComp, node.args[0]))
        return call(ctx, callee, [rows], {str(k.arg): evaluate(ctx, k.value) for k in node.keywords}, node)
    if isinstance(callee, Static) and callee.value is next and _is_next(node):
        return iterators.next_of(ctx, node)
    if (star := columns.star_of(callee, node)) is not None:
        rows = evaluate(ctx, star.value)
        if columns.are_many(ctx, rows, node):
            return columns.of_rows(ctx, rows, star, node)
        return call(ctx, callee, list(_items_of_star(ctx, rows, star)), {}, node)
    if _takes_generator(callee, node):
        return inlining.reduce_generator(ctx, callee, node)
    if _takes_list(callee, node):
        return _call_with_list(ctx, callee, node)
    if _takes_expressions(callee) and not _is_unpacked(node):
        return _call_with_expressions(ctx, callee, node)
    callee, (arguments, keywords) = _after(ctx, callee, lambda: _arguments(ctx, node, _reader(callee)), node)
    return call(ctx, callee, arguments, keywords, node)


def _is_next(node: ast.Call) -> bool:
    """Whether ``next`` is called with a generator that is written out, and perhaps a default."""
    return len(node.args) in (1, 2) and not node.keywords and isinstance(node.args[0], ast.GeneratorExp)


def _is_unpacked(node: ast.Call) -> bool:
    """Whether arguments are those that a tuple or a dict holds."""
    return any(isinstance(item, ast.Starred) for item in node.args) or any(k.arg is None for k in node.keywords)


Evaluate: TypeAlias = "Callable[[Context, ast.expr], Value]"


def _reader(callee: Value) -> Evaluate:
    """How arguments are read: a list that is written out is one for what may keep it, a tuple for library functions."""
    value = callee.value if isinstance(callee, Static) else None
    is_users = isinstance(value, FunctionType) and value not in FUNCTIONS and not _is_library(value)
    own = isinstance(value, FunctionType) and str(value.__module__).startswith(inlining.OWN_MODULES)
    keeps = isinstance(callee, (Closure, Instance)) or (isinstance(callee, Bound) and callee.function is not None)
    record = isinstance(value, type) and is_record(value)
    asks = value is type
    shows = value in (print, isinstance, str, repr) if isinstance(value, (type, BuiltinFunctionType)) else False
    formats = isinstance(callee, Bound) and callee.attribute == FORMAT
    if shows or formats or _takes_none(callee) or (is_users and not own):
        return evaluate_any
    if keeps or record or asks:
        return evaluate
    module = str(getattr(value, "__module__", "")).removeprefix("_")
    if module in _KEEPING:
        return evaluate
    return _outer_list if module in _ITERATING else _argument


_KEEPING = ("heapq", "bisect", "copy", "operator")
"""Modules whose functions store a list, or return it."""

_ITERATING = ("builtins", "collections", "itertools", "functools")
"""Modules whose functions loop over a list, and may store its items."""


def _takes_none(callee: Value) -> bool:
    """Whether code that is inlined sees the arguments, which may be None then."""
    if isinstance(callee, Bound) and callee.function is not None:
        return _takes_none(callee.function)
    value = callee.value if isinstance(callee, Static) else None
    if isinstance(value, FunctionType):
        return value is library_lists.store or (not _is_library(value) and value not in FUNCTIONS)
    is_class = isinstance(value, type) and is_record(value) and not issubclass(value, Enum)
    return is_class or isinstance(callee, Closure)


def _arguments(ctx: Context, node: ast.Call, read: Evaluate) -> tuple[list[Value], dict[str, Value]]:
    arguments = _positional(ctx, node, read)
    return arguments, _keywords(ctx, node, read)


def _keywords(ctx: Context, node: ast.Call, read: Evaluate) -> dict[str, Value]:
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        items = _items_of_dict(ctx, keyword.value) if keyword.arg is None else {keyword.arg: read(ctx, keyword.value)}
        twice = keywords.keys() & items.keys()
        if twice:
            raise ctx.type_error(f"the keyword argument '{min(twice)}' is given twice", node)
        keywords |= items
    return keywords


def _items_of_dict(ctx: Context, node: ast.expr) -> dict[str, Value]:
    """What ``**`` makes keyword arguments of."""
    value = evaluate(ctx, node)
    if not dicts.is_dict(value):
        raise ctx.refusal("double star", node, what=describe_value(value))
    pairs = typed("tuple[tuple[Value, Value], ...]", dicts.items_of(ctx, value, node))
    items = {key.value: item for key, item in pairs if isinstance(key, Static) and isinstance(key.value, str)}
    if len(items) < len(pairs):
        raise ctx.type_error("keywords must be strings", node)
    return items


def _after(
    ctx: Context, callee: Value, compute: Callable[[], evaluation.Result], node: ast.Call
) -> tuple[Value, evaluation.Result]:
    """What is called, and arguments, which come after the array whose method is called."""
    if not isinstance(callee, Bound) or not isinstance(callee.owner, ArrayExpression):
        return callee, compute()
    (owner,), result = evaluation.kept(ctx, [callee.owner], compute, [node])
    return replace(callee, owner=owner), result


def _takes_expressions(callee: Value) -> bool:
    """Whether a function is one of NumPy's that take array expressions as they are."""
    if isinstance(callee, Bound):
        return callee.function is None and callee.attribute in WHOLE_ARRAY_METHODS
    return isinstance(callee, Static) and _hashable(callee.value) and callee.value in TAKING_EXPRESSIONS


def _call_with_expressions(ctx: Context, callee: Value, node: ast.Call) -> Value:
    """A call of a function that takes array expressions."""
    nodes = [*node.args, *(keyword.value for keyword in node.keywords)]
    computes = [lambda item=item: _argument(ctx, item, definite) for item in nodes]
    callee, values = _after(ctx, callee, lambda: evaluation.in_order(ctx, nodes, computes), node)
    names = [str(keyword.arg) for keyword in node.keywords]
    count = len(node.args)
    return call(ctx, callee, values[:count], dict(zip(names, values[count:], strict=True)), node)


def definite(ctx: Context, node: ast.expr) -> Value:
    """An argument as it is, which must not be None."""
    value = evaluate_lazily(ctx, node)
    if isinstance(value, Optional):
        raise optional.refusal(ctx, value, node)
    return value


def _with_list(ctx: Context, callee: Value, node: ast.Call) -> ast.Call:
    """A call that runs over a generator to its end before it does anything else: of the list of its items."""
    first = node.args[0] if len(node.args) == 1 else None
    joins = isinstance(callee, Bound) and isinstance(callee.function, Static) and callee.function.value is Text.join
    if isinstance(first, ast.GeneratorExp) and joins:
        callee = Static(list)
    if not isinstance(first, ast.GeneratorExp) or not isinstance(callee, Static) or not _hashable(callee.value):
        return node
    if callee.value not in (sorted, list, set, dict, Counter) and not (callee.value in (min, max) and node.keywords):
        return node
    items = ast.copy_location(ast.ListComp(first.elt, first.generators), first)
    made = ast.copy_location(ast.Call(node.func, [items], node.keywords), node)
    ctx.kept.append(made)
    return made


def _takes_generator(callee: Value, node: ast.Call) -> bool:
    """Whether the only argument is a generator, or a list of which only the sum or an extreme is wanted."""
    adds = isinstance(callee, Static) and callee.value is sum
    if len(node.args) == (1 if node.keywords else 2) and adds and isinstance(node.args[0], ast.GeneratorExp):
        return all(keyword.arg == "start" for keyword in node.keywords)
    if len(node.args) != 1:
        return False
    is_folded = isinstance(callee, Static) and _hashable(callee.value) and callee.value in (sum, min, max)
    is_list = isinstance(node.args[0], ast.ListComp) and not node.keywords
    return isinstance(node.args[0], ast.GeneratorExp) or (is_folded and is_list)


def _takes_list(callee: Value, node: ast.Call) -> bool:
    """Whether NumPy makes an array of a comprehension that is the first argument."""
    is_list = bool(node.args) and isinstance(node.args[0], ast.ListComp)
    return is_list and isinstance(callee, Static) and _hashable(callee.value) and callee.value in TAKING_LISTS


def _call_with_list(ctx: Context, callee: Value, node: ast.Call) -> Value:
    from weft.frontend.calls import comprehensions

    first = node.args[0]
    assert isinstance(first, ast.ListComp) and isinstance(callee, Static)
    rest, keywords = [_argument(ctx, item) for item in node.args[1:]], _keywords(ctx, node, _argument)
    if callee.value not in (np.array, np.asarray):
        return call(ctx, callee, [comprehensions.array_of(ctx, first, None), *rest], keywords, node)
    dtype = rest[0] if rest else keywords.pop("dtype", None)
    if keywords or len(rest) > 1:
        raise ctx.refusal("array option", node, name=next(iter(keywords), "copy"))
    return comprehensions.array_of(ctx, first, dtype)


def _positional(ctx: Context, node: ast.Call, read: Evaluate) -> list[Value]:
    arguments: list[Value] = []
    for item in node.args:
        if not isinstance(item, ast.Starred):
            arguments.append(read(ctx, item))
            continue
        arguments += _items_of_star(ctx, evaluate(ctx, item.value), item)
    return arguments


def _items_of_star(ctx: Context, value: Value, item: ast.Starred) -> Sequence[Value]:
    """What ``*`` makes arguments of."""
    value = objects.plain_tuple(value)
    if lists.is_list(value):
        return lists.known_items(ctx, value, item)
    if isinstance(value, tuple):
        return value
    if isinstance(value, Instance) and lists.is_fixed(value):
        return value.items
    if isinstance(value, Mapped) and isinstance(value.inner, tuple) and not value.several:
        return [call(ctx, value.function, [one], {}, item) for one in value.inner]
    raise ctx.refusal("star", item, what=describe_value(value))


def _argument(ctx: Context, node: ast.expr, evaluate: Callable[[Context, ast.expr], Value] = evaluate) -> Value:
    """An argument; a list stands for the tuple of its items (as in ``np.zeros([n, m])``, ``max([a, b])``)."""
    if isinstance(node, (ast.List, ast.Tuple)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        computes = [lambda item=item: _argument(ctx, item, evaluate) for item in node.elts]
        return tuple(evaluation.in_order(ctx, node.elts, computes))
    return evaluate(ctx, node)


def _outer_list(ctx: Context, node: ast.expr) -> Value:
    """An argument of one of Python's own functions: a list stands for the tuple of its items, which stay lists."""
    if isinstance(node, ast.List) and not any(isinstance(item, ast.Starred) for item in node.elts):
        computes = [lambda item=item: evaluate(ctx, item) for item in node.elts]
        return tuple(evaluation.in_order(ctx, node.elts, computes))
    return evaluate(ctx, node)


def items_of_list(ctx: Context, node: ast.List) -> tuple[Value, ...]:
    """The items of a list that is written out; nothing where it is made in another way."""
    items = _argument(ctx, node)
    return items if isinstance(items, tuple) else ()


def call(ctx: Context, callee: Value, arguments: Sequence[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    """Call a value."""
    if isinstance(callee, Static) and is_foreign(callee.value):
        return foreign_kernels.call_kernel(ctx, callee, arguments, keywords, node)
    if isinstance(callee, Static):
        return _call_object(ctx, callee.value, list(arguments), keywords, node)
    if isinstance(callee, Closure):
        return inlining.call_closure(ctx, callee, list(arguments), keywords, node)
    if isinstance(callee, Bound) and callee.function is not None:
        return call(ctx, callee.function, [callee.owner, *arguments], keywords, node)
    if isinstance(callee, Bound):
        return methods.call_method(ctx, callee, list(arguments), keywords, node)
    if isinstance(callee, Instance) and vectorized.is_vectorized(callee):
        return vectorized.call(ctx, callee, list(arguments), keywords, node)
    if isinstance(callee, Instance):
        function = objects.method(ctx, callee, "__call__")
        if function is not None:
            return call(ctx, function, arguments, keywords, node)
    error = ctx.type_error(
        f"{with_article(describe_value(callee))} cannot be called",
        node,
        hint="elements of an array stand in brackets" if is_view(callee) else "call a function",
    )
    error.code = ctx.code_for("array in parentheses", node) if is_view(callee) else None
    raise error


def _call_object(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    function = undecorated(function)
    if (array := lists_as_arrays.made(ctx, function, arguments, keywords, node)) is not None:
        return array
    arguments, keywords = lists_as_arrays.stored(ctx, function, arguments, keywords, node)
    function = lists.joining(ctx, function, arguments, keywords, node)
    if isinstance(function, np.ufunc) or str(getattr(function, "__module__", "")).startswith("numpy"):
        arguments = [lists.for_numpy(ctx, v, node) for v in arguments]
        keywords = {k: lists.for_numpy(ctx, v, node) for k, v in keywords.items()}
    return library_calls.otherwise(
        ctx, function, arguments, keywords, node,
        lambda: _translated(ctx, function, list(arguments), dict(keywords), node),
    )  # fmt: skip


def _translated(
    ctx: Context, function: object, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    if _is_progress_bar(function) and arguments:
        ranges = getattr(function, "__name__", "") in ("trange", "tnrange")
        return iteration.make_range(ctx, arguments, node) if ranges else arguments[0]
    if isinstance(function, np.vectorize):
        return call(ctx, vectorized.of_object(ctx, function, node), arguments, keywords, node)
    if cached.is_cached(function):
        return cached.call(ctx, function, arguments, keywords, node)
    if isinstance(function, partial):
        return _call_partial(ctx, function, arguments, keywords, node)
    handler = FUNCTIONS.get(function) if _hashable(function) else None
    if handler is not None:
        return handler(ctx, arguments, keywords, node)
    if isinstance(function, FunctionType) and not _is_library(function):
        if is_of_python(function):
            return _of_python(ctx, function, arguments, keywords, node)
        return inlining.call_function(ctx, function, arguments, keywords, node)
    if isinstance(function, type) and issubclass(function, Enum):
        return enumerations.construct(ctx, function, arguments, node)
    if isinstance(function, type) and is_record(function):
        return objects.construct(ctx, function, arguments, keywords, node)
    raise _unknown(ctx, function, arguments, node)


def _is_progress_bar(function: object) -> bool:
    """Whether a function shows the progress of a loop: nothing is seen of it, since the loop runs compiled."""
    names = ("tqdm", "trange", "tqdm_notebook", "tnrange")
    module = str(getattr(function, "__module__", "")).partition(".")[0]
    return module == "tqdm" and getattr(function, "__name__", "") in names


def _call_partial(
    ctx: Context, function: partial[object], arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """A call of ``functools.partial``: what it holds is part of the code."""
    what = "an argument of functools.partial"
    given = [objects.constant_object(ctx, value, what, node) for value in function.args]
    named = {name: objects.constant_object(ctx, value, what, node) for name, value in function.keywords.items()}
    return call(ctx, Static(function.func), [*given, *arguments], named | keywords, node)


def _of_python(
    ctx: Context, function: FunctionType, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """A function of Python's library: inlined where that can be done, else refused as a whole."""
    known = len(ctx.errors)
    try:
        result = inlining.call_function(ctx, function, arguments, keywords, node)
        if len(ctx.errors) == known:
            return result
    except Error:
        pass
    del ctx.errors[known:]
    raise ctx.refusal("function", node, name=f"{function.__module__}.{function.__qualname__}")


def is_of_python(function: FunctionType) -> bool:
    """Whether a function comes with Python."""
    library = str(function.__module__).partition(".")[0]
    return library in sys.stdlib_module_names and library != "__main__"


def _hashable(function: object) -> bool:
    return getattr(type(function), "__hash__", None) is not None


def _is_library(function: FunctionType) -> bool:
    return function.__module__ is not None and function.__module__.partition(".")[0] in ("numpy", "math", "scipy")


def _unknown(ctx: Context, function: object, arguments: Sequence[Value], node: ast.AST) -> Exception:
    name = getattr(function, "__name__", type(function).__name__)
    if isinstance(node, ast.Call) and draws(function):
        return ctx.refusal("random numbers", node, name=ast.unparse(node.func), hint=for_draw(name))
    if is_of_numba(function):
        return ctx.refusal("function of Numba", node, name=name)
    scipy = _name_in_scipy(function)
    if scipy is not None:
        hint = f"use {_replacement(scipy)}" if _replacement(scipy) else "call it outside and pass the result"
        error = ctx.refusal("foreign function", node, name=scipy, hint=hint)
        error.code = ctx.code_for("function", node, name=scipy)
        return error
    module = str(getattr(function, "__module__", None) or "")
    full = f"{_numpy_name(module)}.{name}" if module.startswith("numpy") or isinstance(function, np.ufunc) else name
    if full.startswith("np."):
        if any(is_view(argument) for argument in arguments) or name in SCALARS:
            return ctx.refusal("array function", node, name=full)
        return ctx.refusal("numpy function", node, name=full)
    if isinstance(function, type):
        return ctx.refusal("class", node, name=name, hint=for_class(function))
    return ctx.refusal("function", node, name=name)


def _name_in_scipy(function: object) -> str | None:
    """How a function of SciPy is called; its ufuncs do not say where they come from."""
    name = getattr(function, "__name__", "")
    special = sys.modules.get("scipy.special")
    if special is not None and getattr(special, name, None) is function:
        return f"scipy.special.{name}"
    module = str(getattr(function, "__module__", None) or "")
    return f"{module}.{name}" if module.partition(".")[0] == "scipy" else None


def _replacement(name: str) -> str:
    """The function of Python's math that does what one of SciPy does; nothing where there is none."""
    same = IN_MATH.get(name.removeprefix("scipy.special."))
    return f"math.{same}, which does the same for one number" if same else ""


def _numpy_name(module: str) -> str:
    """How users write a module of NumPy; what its private ones hold is in `np` itself."""
    return "np" if "._" in module else f"np{module.removeprefix('numpy')}" if module.startswith("numpy") else "np"


def closure(ctx: Context, node: ast.FunctionDef | ast.Lambda) -> Closure:
    """A function defined inside the function being translated."""
    defaults = tuple(evaluate(ctx, item) for item in node.args.defaults)
    keyword_defaults = tuple(None if item is None else evaluate(ctx, item) for item in node.args.kw_defaults)
    return Closure(node, ctx.frame, defaults, keyword_defaults)


@expression(ast.Lambda)
def _lambda(ctx: Context, node: ast.expr) -> Value:
    assert isinstance(node, ast.Lambda)
    return closure(ctx, node)
