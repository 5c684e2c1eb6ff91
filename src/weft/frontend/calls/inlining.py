"""Functions of the user: arguments bound to parameters, the body translated in a frame of its own, the result."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import cast as typed

from weft.errors import Error
from weft.frontend.calls import library_lists
from weft.frontend.calls.library import EMPTY_MAXIMUM, EMPTY_MINIMUM
from weft.frontend.control import catching, conditions, generators, statements
from weft.frontend.control.liveness import Facts, Liveness, analyse, facts_of
from weft.frontend.recursion import calls as recursion
from weft.frontend.recursion.ways import check_cached
from weft.frontend.several_types import optional
from weft.frontend.several_types.forms import any_forms
from weft.frontend.source.source import FunctionNode, source_of
from weft.frontend.values import keyed, objects
from weft.frontend.values.dispatch import evaluate, evaluate_any, expression
from weft.frontend.values.scope import Binding, Builder, Context, Environment, Frame
from weft.frontend.values.values import (
    FALSE,
    NONE,
    TRUE,
    Closure,
    Generated,
    Optional,
    Range,
    Static,
    Value,
    children,
    describe_value,
    is_view,
    leaves,
    map_leaves,
    scalar_type,
)
from weft.ir import nodes as n
from weft.ir.visit import walk

MOST_FRAMES = 60
MOST_CALLS = 300
LEFT = 350
"""How many calls Python must have left where the translation of one more recursive call begins."""
"""Calls of themselves that functions are inlined in, below one call of them."""
MOST_SHOWN = 8
NO_CONSTANTS: Mapping[str, object] = MappingProxyType({})
SMALL = "weft.frontend.calls.library_texts"
"""Where all ints are places and lengths in memory, so that none overflows."""

OWN_MODULES = ("weft.frontend.calls.library", "weft.frontend.arrays.library", "weft.patterns.", "weft_c_functions")
"""Where functions of Weft's own that compiled code inlines are written."""


def call_library(ctx: Context, function: object, arguments: Sequence[Value], node: ast.AST) -> Value:
    """Call a function of Weft's own library."""
    return call_function(ctx, typed(FunctionType, function), list(arguments), {}, node)


def call_function(
    ctx: Context, function: FunctionType, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """Call a Python function: inlined, or as a function of the program where it is marked associative."""
    source = source_of(function)
    defaults = [objects.constant_object(ctx, v, "a default value", node) for v in function.__defaults__ or ()]
    keyword_defaults = {
        name: objects.constant_object(ctx, value, "a default value", node)
        for name, value in (function.__kwdefaults__ or {}).items()
    }
    given = bind_arguments(ctx, source.node, defaults, keyword_defaults, arguments, keywords, node)
    path = ctx.paths.get(id(function), function.__name__)
    own = str(function.__module__).startswith(OWN_MODULES)
    constants = {name: value.value for name, value in given.items() if isinstance(value, n.Const)}
    frame = new_frame(ctx, source.node, source.file, function.__qualname__, node, own=own, constants=constants)
    frame.function = function
    frame.path = f"{path}:"
    frame.hidden = own
    frame.is_small = function.__module__ == SMALL
    is_operation = getattr(function, "__weft_associative__", False) and _is_operation(given)
    if is_operation and (not any_forms(ctx, given.values()) or _is_one_operation(ctx, frame, given, node)):
        return _call_associative(ctx, frame, given, node)
    return _called(ctx, frame, given, node)


def call_closure(
    ctx: Context, function: Closure, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """Call a function that was defined inside the one being translated."""
    check_cached(ctx, function.node, arguments, keywords, node)
    names = [a.arg for a in function.node.args.kwonlyargs]
    keyword_defaults = {k: v for k, v in zip(names, function.keyword_defaults, strict=True) if v is not None}
    given = bind_arguments(ctx, function.node, function.defaults, keyword_defaults, arguments, keywords, node)
    name = f"{function.frame.name}.{function.name}"
    frame = new_frame(ctx, function.node, function.frame.file, name, node, function.frame)
    frame.parent = function.frame
    frame.hidden = function.frame.hidden
    frame.stops = function.frame.stops and function.node is function.frame.node
    return _called(ctx, frame, given, node)


def _called(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> Value:
    """The result of a call; that of a generator function waits for the loop that runs over it."""
    if recursion.is_known(frame.node, frame.file, frame.name):
        return recursion.call(ctx, frame, given, node)
    if not generators.is_generator(frame.node):
        return run(ctx, frame, given, node)
    return Generated(frame, given)


def new_frame(
    ctx: Context,
    node: FunctionNode,
    file: str,
    name: str,
    call: ast.AST,
    parent: Frame | None = None,
    own: bool = False,
    constants: Mapping[str, object] = NO_CONSTANTS,
) -> Frame:
    """The frame of a call; recursion is refused here. Functions that see other variables are other functions.

    A function may call itself with other constants, so often: each call is inlined. Weft's `own` functions never call
    themselves, but a pattern may stand in the function of another one.
    """
    caller = ctx.frame
    chain = list(caller.callers())
    same = [frame for frame in chain if frame.node is node and frame.parent in (parent, ctx.root)]
    is_function = recursion.is_known(node, file, name)
    if len(chain) > MOST_FRAMES or not own and same and not is_function and not _comes_nearer(ctx, same, constants):
        if same and not generators.is_generator(node):
            raise recursion.needed(node, file, name)
        names = [name, *(frame.name for frame in chain)]
        raise ctx.refusal("recursion", call, name=name, chain=" -> ".join(reversed(names[:MOST_SHOWN])))
    frame = ctx.new_frame(name=name, node=node, file=file, caller=caller, call=ctx.location(call))
    frame.constants = constants
    prepare(ctx, frame)
    return frame


def _comes_nearer(ctx: Context, same: list[Frame], constants: Mapping[str, object]) -> bool:
    """Whether a recursive call has constants that no call around it has, and not too many calls were inlined."""
    if len(same) == 1:
        ctx.recursive_calls = 0
    ctx.recursive_calls += 1
    few = ctx.recursive_calls <= MOST_CALLS and _calls_left() > LEFT
    return bool(constants) and few and all(f.constants != constants for f in same)


def _calls_left() -> int:
    """How many calls Python can still nest."""
    depth, frame = 0, sys._getframe().f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return sys.getrecursionlimit() - depth


def prepare(ctx: Context, frame: Frame, at_end: Iterable[str] = ()) -> None:
    """Find a frame's variables and what is read later."""
    node = frame.node
    facts = facts_about(ctx, node)
    parameters = [a.arg for a in _all_parameters(node.args)]
    frame.locals = frozenset((*parameters, *facts.assigned)) - facts.outer
    frame.nested_writes = facts.nested_writes
    ctx.written_by_nested |= {frame.key(name) for name in facts.nested_writes & frame.locals}
    if isinstance(node, ast.FunctionDef):
        frame.liveness = _liveness(ctx, node, frozenset(at_end))
        frame.returns = facts.returns


def facts_about(ctx: Context, node: FunctionNode) -> Facts:
    """The facts of a function, which are found once."""
    if id(node) not in ctx.facts:
        ctx.facts[id(node)] = facts_of(node.body if isinstance(node, ast.FunctionDef) else [node.body])
    return ctx.facts[id(node)]


def _liveness(ctx: Context, node: ast.FunctionDef, at_end: frozenset[str]) -> Liveness:
    if id(node) not in ctx.analysed:
        ctx.analysed[id(node)] = analyse(node.body, at_end)
    return ctx.analysed[id(node)]


def _all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return found + [a for a in (arguments.vararg, arguments.kwarg) if a is not None]


# --------------------------------------------------------------------------------------------------- arguments


def bind_arguments(
    ctx: Context,
    function: FunctionNode,
    defaults: Sequence[Value],
    keyword_defaults: dict[str, Value],
    arguments: list[Value],
    keywords: dict[str, Value],
    node: ast.AST,
) -> dict[str, Value]:
    """The value of every parameter of a call, as Python binds them."""
    parameters = function.args
    positional = [a.arg for a in (*parameters.posonlyargs, *parameters.args)]
    given = dict(zip(positional, arguments, strict=False))
    extra = tuple(arguments[len(positional) :])
    if parameters.vararg is not None:
        given[parameters.vararg.arg] = extra
    elif extra:
        raise ctx.type_error(f"{len(arguments)} positional arguments were given, and {len(positional)} are taken", node)
    allowed = {a.arg for a in (*parameters.args, *parameters.kwonlyargs)}
    others: dict[str, Value] = {}
    for name, value in keywords.items():
        takes = given if name in allowed else others
        if name in takes or (takes is others and parameters.kwarg is None):
            raise ctx.type_error(f"unexpected keyword argument '{name}'", node)
        takes[name] = value
    if parameters.kwarg is not None:
        given[parameters.kwarg.arg] = keyed.new(ctx, [Static(name) for name in others], tuple(others.values()))
    for name, value in zip(positional[len(positional) - len(defaults) :], defaults, strict=True):
        given.setdefault(name, value)
    for name, value in keyword_defaults.items():
        given.setdefault(name, value)
    missing = [name for name in (*positional, *(a.arg for a in parameters.kwonlyargs)) if name not in given]
    if missing:
        raise ctx.type_error(f"missing argument: '{missing[0]}'", node)
    return given


# -------------------------------------------------------------------------------------------------------- body


def run(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> Value:
    """Translate the body of a function in its frame and give its result."""
    outer, is_reached = ctx.frame, ctx.environment.fall is not None
    ctx.frame = frame
    ctx.environment.fall = TRUE
    try:
        for name, value in given.items():
            ctx.environment.bindings[frame.key(name)] = Binding(value, TRUE, frame.call or ctx.location(node))
            ctx.note_iterators(value)
        value = _body(ctx, frame)
    finally:
        ctx.frame = outer
    if ctx.environment.fall is not None:
        ctx.environment.fall = TRUE
        catching.go_on(ctx, node)
    _forget(ctx, frame, value)
    if not is_reached:
        ctx.environment.fall = None
    return value


def _body(ctx: Context, frame: Frame) -> Value:
    if isinstance(frame.node, ast.Lambda):
        return evaluate_any(ctx, frame.node.body)
    if frame.stops:
        ctx.set_flag("$value", False)
    with ctx.followed(frame.returns and not frame.stops):
        statements.execute(ctx, frame.node.body)
    return result(ctx, frame)


def result(ctx: Context, frame: Frame) -> Value:
    """What a function returns, after its body."""
    fall = ctx.environment.fall
    binding = ctx.environment.bindings.get(frame.key("$value"))
    if binding is None or not (frame.returns or frame.stops):
        return NONE
    if binding.problem is not None:
        raise binding.problem
    value = binding.value
    assert value is not None
    if fall in (None, FALSE) or frame.stops or (isinstance(value, Static) and value.value is None):
        return value
    there = conditions.negation(ctx, fall, frame.node)
    if isinstance(value, Optional):
        return Optional(
            conditions.short_circuit(ctx, True, (lambda: there, lambda: value.there), frame.node), value.item
        )
    pair = optional.paired(value, NONE, (lambda atom: atom, lambda atom: atom))
    if pair is not None:
        return Optional(there, value)
    raise ctx.type_error(
        f"the function returns {describe_value(value)} on some ways and None on others",
        frame.node,
        hint="end the function with a return of the same type, of a value that cannot occur, such as -1 or math.nan",
    )


def _forget(ctx: Context, frame: Frame, value: Value) -> None:
    """Drop the variables of an inlined function, unless a function that it returns still sees them."""
    if frame.caller is None or _holds_closure(value):
        return
    bindings = ctx.environment.bindings
    for key in [key for key in bindings if key[0] == frame.number]:
        del bindings[key]


def _holds_closure(value: Value) -> bool:
    return isinstance(value, Closure) or any(_holds_closure(child) for child in children(value))


# ------------------------------------------------------------------------------------- functions of the program


def _is_operation(given: dict[str, Value]) -> bool:
    """Whether a call combines two scalars of one type; others are inlined, as they cannot be a reduction's operator."""
    types = [scalar_type(value) for value in given.values()]
    return len(types) == 2 and types[0] is not None and types[0] == types[1]


def _call_associative(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> Value:
    """Call a helper marked by `weft.associative`: it stays a function, which reductions recognise."""
    key = _key_of(frame, given)
    if key not in ctx.functions:
        ctx.functions[key] = _translate_function(ctx, frame, given, node)
    function, pattern = ctx.functions[key]
    if [atom.type for atom in leaves(pattern)] != [operand.type for operand in leaves(next(iter(given.values())))]:
        del ctx.functions[key]
        return run(ctx, frame, given, node)
    results = {var: ctx.names.fresh("t", var.type) for var in leaves(pattern)}
    operands = tuple(atom for value in given.values() for atom in leaves(value))
    ctx.append(n.Call(tuple(results.values()), function.name, operands, ctx.location(node)))
    return map_leaves(pattern, lambda atom: results[atom])


def _key_of(frame: Frame, given: dict[str, Value]) -> object:
    assert frame.function is not None
    return frame.function, tuple((name, _types(value)) for name, value in given.items())


def _is_one_operation(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> bool:
    """Whether a helper does with operands that may have several types what it does with those of one.

    It does where nothing is tested or chosen beside its statements, and its result has one type.
    """
    reported = len(ctx.errors)
    try:
        function, _ = _translate_function(ctx, frame, given, node)
        with ctx.block(Builder()) as builder:
            value = run(ctx, frame, given, node)
            for atom in leaves(value):
                ctx.settle(atom)
    except Error:
        return False
    finally:
        is_right = len(ctx.errors) == reported
        del ctx.errors[reported:]
    return is_right and not any_forms(ctx, [value]) and _size(builder.statements) == _size(function.body)


def _size(statements: Iterable[n.Statement] | n.Block) -> int:
    block = statements if isinstance(statements, n.Block) else n.Block(tuple(statements))
    return sum(1 for _ in walk(block))


def _types(value: Value) -> object:
    return tuple(atom.type for atom in leaves(value)), type(value), getattr(value, "type", None)


def _translate_function(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> tuple[n.Function, Value]:
    parameters: list[n.Var] = []

    def parameter(stem: str) -> Callable[[n.Atom], n.Atom]:
        def make(atom: n.Atom) -> n.Atom:
            parameters.append(ctx.names.fresh(stem, atom.type))
            return parameters[-1]

        return make

    inside = {name: map_leaves(value, parameter(name)) for name, value in given.items()}
    outer, tries = ctx.environment, ctx.tries
    ctx.environment, ctx.in_function, ctx.tries = Environment(), True, []
    try:
        with ctx.block(Builder()) as builder:
            value = run(ctx, frame, inside, node)
            for atom in leaves(value):
                ctx.settle(atom)
    finally:
        ctx.environment, ctx.in_function, ctx.tries = outer, False, tries
    atoms = tuple(leaves(value))
    pattern = map_leaves(value, lambda atom: ctx.names.fresh("t", atom.type))
    name = _unique(ctx, frame.name.rpartition(".")[2])
    place = ctx.location(node)
    return n.Function(name, tuple(parameters), n.Block(tuple(builder.statements), atoms), True, place), pattern


def _unique(ctx: Context, name: str) -> str:
    taken = {function.name for function, _ in ctx.functions.values()}
    candidates = [name, *(f"{name}_{k}" for k in range(2, len(taken) + 3))]
    return next(candidate for candidate in candidates if candidate not in taken)


# -------------------------------------------------------------------------------------------------- generators


def reduce_generator(ctx: Context, callee: Value, node: ast.Call) -> Value:
    """``sum(f(x) for x in a if c)`` (and ``any``, ``all``, ``min``, ``max``) as the loop that it is."""
    function = callee.value if isinstance(callee, Static) else None
    generator = node.args[0]
    assert isinstance(generator, (ast.GeneratorExp, ast.ListComp))
    from weft.frontend.calls import calls, functional

    generator = functional.without_filters(ctx, generator)
    if function is sum and (node.keywords or len(node.args) > 1):
        start = evaluate(ctx, node.keywords[0].value if node.keywords else node.args[1])
        return run_made(ctx, _sum_loop(generator, ast.Name("__start", ast.Load())), node, {"__start": start})
    makers = {sum: _sum_loop, any: _any_loop, all: _all_loop, min: _minimum_loop, max: _maximum_loop}
    make = makers.get(function)  # type: ignore[call-overload]
    has_tests = any(part.ifs for part in generator.generators)
    if (
        function in (min, max) and (ctx.tries or has_tests) and not node.keywords
    ):  # before the first item there is no value to keep
        items = ast.copy_location(ast.ListComp(generator.elt, generator.generators), node)
        ctx.kept.append(items)
        return calls.call(ctx, callee, [evaluate(ctx, items)], {}, node)
    if make is None:
        return calls.call(ctx, callee, [evaluate(ctx, generator)], {}, node)
    if node.keywords:
        raise ctx.refusal("comprehension", generator)
    return run_made(ctx, make(generator), node)


@expression(ast.GeneratorExp)
def _generator(ctx: Context, node: ast.expr) -> Value:
    """``(f(x) for x in a if c)`` as the generator function that it is; what it runs over first is computed at once."""
    assert isinstance(node, ast.GeneratorExp)
    from weft.frontend.calls import functional

    node = functional.without_filters(ctx, node)
    first = node.generators[0]
    given = {"__items": evaluate(ctx, first.iter)}
    part = ast.comprehension(first.target, ast.copy_location(ast.Name("__items", ast.Load()), first.iter), first.ifs, 0)
    parts = ast.GeneratorExp(node.elt, [part, *node.generators[1:]])
    return run_made(ctx, nested(parts, [ast.Expr(ast.Yield(node.elt))]), node, given)


@expression(ast.ListComp)
def _list_comprehension(ctx: Context, node: ast.expr) -> Value:
    """``[f(x) for x in a if c]`` as the loop that it is."""
    assert isinstance(node, ast.ListComp)
    from weft.frontend.calls import functional

    node = functional.without_filters(ctx, node)
    first, given = node.generators[0], dict[str, Value]()
    if len(node.generators) == 1 and not first.ifs and not isinstance(first.iter, (ast.List, ast.Tuple)):
        items = evaluate(ctx, first.iter)
        if isinstance(items, Range) or is_view(items):
            return _filled(ctx, node, items)
        part = ast.comprehension(first.target, ast.copy_location(ast.Name("__items", ast.Load()), first.iter), [], 0)
        node, given = ast.copy_location(ast.ListComp(node.elt, [part]), node), {"__items": items}
    made = ast.Name("__list", ast.Load())
    start: ast.stmt = ast.Assign([ast.Name("__list", ast.Store())], ast.List([], ast.Load()))
    added = ast.Expr(ast.Call(ast.Attribute(made, "append", ast.Load()), [node.elt], []))
    return run_made(ctx, [start, *nested(node, [added]), ast.Return(made)], node, given)


def _filled(ctx: Context, node: ast.ListComp, items: Value) -> Value:
    """A comprehension whose length is known before its loop, which may be parallel: each element has its place."""
    body = ast.parse(
        "__list = []\n"
        "__reserve(__list, len(__items))\n"
        "for __place, __item in enumerate(__items):\n"
        "    __store(__list, __place, __item)\n"
        "__resize(__list, len(__items))"
    ).body
    for inner in (inner for statement in body for inner in ast.walk(statement)):
        ast.copy_location(inner, node)
    loop = body[2]
    assert isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple)
    assert isinstance(loop.body[0], ast.Expr) and isinstance(loop.body[0].value, ast.Call)
    loop.target.elts[1], loop.body[0].value.args[2] = node.generators[0].target, node.elt
    if isinstance(node.elt, (ast.List, ast.Tuple)):  # as an argument of Weft's own, a list would be a tuple
        loop.body.insert(0, ast.copy_location(ast.Assign([ast.Name("__element", ast.Store())], node.elt), node))
        loop.body[1].value.args[2] = ast.Name("__element", ast.Load())  # type: ignore[attr-defined]
    body.append(ast.Return(ast.Name("__list", ast.Load())))
    names = ("reserve", "store", "resize")
    helpers: dict[str, Value] = {f"__{name}": Static(getattr(library_lists, name)) for name in names}
    return run_made(ctx, body, node, helpers | {"__items": items})


def is_matrix(node: ast.expr) -> bool:
    """Whether an expression is a comprehension of comprehensions."""
    return isinstance(node, ast.ListComp) and isinstance(node.elt, ast.ListComp)


def matrix_comprehension(ctx: Context, node: ast.ListComp) -> Value:
    """The array of two dimensions that NumPy makes of ``[[f(i, j) for j in b] for i in a]``."""
    assert isinstance(node.elt, ast.ListComp)
    body = ast.parse("size = len(items)\nrows = rows + 1\nlength = check(length, len(items) - size)").body
    added = ast.Expr(ast.Call(ast.Attribute(ast.Name("items", ast.Load()), "append", ast.Load()), [node.elt.elt], []))
    body[1:1] = nested(node.elt, [added])
    start, end = ast.parse("items = []\nrows = 0\nlength = -1").body, ast.parse("matrix(items, rows, length)").body
    assert isinstance(end[0], ast.Expr)
    made = [*start, *nested(node, body), ast.Return(end[0].value)]
    renamed = {name: f"__{name}" for name in ("items", "rows", "length", "size", "check", "matrix")}
    for inner in (*start, body[0], *body[2:], added.value.func, end[0].value):  # type: ignore[attr-defined]
        for name in ast.walk(inner):
            ast.copy_location(name, node)
            if isinstance(name, ast.Name) and name.id in renamed:
                name.id = renamed[name.id]
    helpers: dict[str, Value] = {
        "__check": Static(library_lists.row_length),
        "__matrix": Static(library_lists.matrix_of),
    }
    return run_made(ctx, made, node, helpers)


def run_made(ctx: Context, body: list[ast.stmt], node: ast.AST, helpers: dict[str, Value] | None = None) -> Value:
    """Translate statements that stand for an expression, in a function of their own, which may use some helpers."""
    names = [ast.arg(name) for name in helpers or {}]
    taken = ast.arguments([], names, None, [], [], None, [])
    definition = ast.copy_location(ast.FunctionDef("comprehension", taken, body, []), node)
    for inner in ast.walk(definition):
        if isinstance(inner, (ast.expr, ast.stmt)) and not hasattr(inner, "lineno"):
            ast.copy_location(inner, node)
    ctx.kept.append(definition)
    return call_closure(ctx, Closure(definition, ctx.frame), [], helpers or {}, node)


Generator = ast.GeneratorExp | ast.ListComp


def nested(generator: Generator, innermost: list[ast.stmt]) -> list[ast.stmt]:
    """The loops and conditions of a generator around a body."""
    body = innermost
    for part in reversed(generator.generators):
        for test in reversed(part.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(part.target, part.iter, body, [])]
    return body


def _minimum_loop(generator: Generator) -> list[ast.stmt]:
    return _extreme_loop(generator, EMPTY_MINIMUM, "<")


def _maximum_loop(generator: Generator) -> list[ast.stmt]:
    return _extreme_loop(generator, EMPTY_MAXIMUM, ">")


def _extreme_loop(generator: Generator, message: str, better: str) -> list[ast.stmt]:
    """The first item, and then each one that is better; in a tuple, since it may be None."""
    start = ast.parse("__best = None").body
    step = ast.parse(f"if __best is None or __item {better} __best[0]:\n    __best = (__item,)").body
    last = ast.parse(f"if __best is None:\n    raise ValueError({message!r})\nreturn __best[0]").body
    item: ast.stmt = ast.Assign([ast.Name("__item", ast.Store())], generator.elt)
    return [*start, *nested(generator, [item, *step]), *last]


def _sum_loop(generator: Generator, first: ast.expr | None = None) -> list[ast.stmt]:
    total = "__total"
    start = ast.Assign([ast.Name(total, ast.Store())], first or ast.Constant(0))
    added = ast.BinOp(ast.Name(total, ast.Load()), ast.Add(), generator.elt)
    step: ast.stmt = ast.Assign([ast.Name(total, ast.Store())], added)
    return [start, *nested(generator, [step]), ast.Return(ast.Name(total, ast.Load()))]


def _any_loop(generator: Generator) -> list[ast.stmt]:
    found: ast.stmt = ast.If(generator.elt, [ast.Return(ast.Constant(True))], [])
    return [*nested(generator, [found]), ast.Return(ast.Constant(False))]


def _all_loop(generator: Generator) -> list[ast.stmt]:
    negated = ast.UnaryOp(ast.Not(), generator.elt)
    found: ast.stmt = ast.If(negated, [ast.Return(ast.Constant(False))], [])
    return [*nested(generator, [found]), ast.Return(ast.Constant(True))]
