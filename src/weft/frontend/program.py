"""From a Python function and the types of its arguments to a program of the IR.

Variables that the function assigns outside of itself (``nonlocal``, ``global``) are ordinary variables of the
program. Their last values are the last yields of its body, listed in `Program.writes`; the caller writes them back.
Where the program raises they keep the values from before the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import ParamSpec, TypeVar

from weft.errors import Error, SourceError, raise_all
from weft.frontend.arrays import (  # noqa: F401 - the tables fill themselves
    array_methods,
    clipping,
    indexing,
    kept_parts,
    numpy_table,
    shared_views,
    spacing,
)
from weft.frontend.calls import (  # noqa: F401 - the tables fill themselves
    along_axis,
    c_functions,
    calls,
    format_method,
    hashing,
    inlining,
    item_folds,
    iterators,
    math_table,
    messages,
    operator_table,
    pattern_words,
    python_builtins,
    python_steps,
    random_numbers,
)
from weft.frontend.control import conditions, loops, statements, targets, trying  # noqa: F401 - the tables fill themselves
from weft.frontend.control.returning import returns_of
from weft.frontend.recursion import cached, closed_functions
from weft.frontend.recursion import calls as recursion
from weft.frontend.several_types import results
from weft.frontend.several_types.witnesses import with_witnesses
from weft.frontend.source import fixed, pins  # noqa: F401 - the tables fill themselves
from weft.frontend.source.signature import ArgumentType, undecorated
from weft.frontend.source.source import source_of
from weft.frontend.values import (  # noqa: F401 - the tables fill themselves
    deque_parts,
    dicts,
    lists,
    mutable,
    names,
    objects,
    operators,
    pooled,
    references,
    table_parts,
    text_functions,
    text_model,
    texts,
    touched,
    wide_integers,
)
from weft.frontend.values.dispatch import unless_unreachable
from weft.frontend.values.receive import receive
from weft.frontend.values.scope import Binding, Context, Frame
from weft.frontend.values.values import NONE, TRUE, Value, leaves
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.visit import blocks_of, walk, with_blocks

P = ParamSpec("P")
R = TypeVar("R")


def built_anew(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where more is known: of lists, objects, functions that call themselves, and types."""
    build = cached.with_caches(mutable.with_objects(references.with_references(lists.with_lists(build))))
    build = names.with_captured_lists(build)
    return lists.with_memory(with_witnesses(results.with_told_results(recursion.with_functions(build))))


def begin(ctx: Context, frame: Frame) -> None:
    """Emit what a program begins with."""
    names.begin(ctx, frame.node)
    lists.begin(ctx, frame.node)
    recursion.begin(ctx, frame.node)
    cached.begin(ctx)


@built_anew
def build(function: FunctionType, types: Sequence[ArgumentType], memory: str = "host") -> n.Program:
    """The program of a function for arguments of the given types.

    Parameters
    ----------
    function
        The function as the user wrote it, without the decorator.
    types
        For each parameter, in order, `weft.frontend.source.signature.describe` of its argument; defaults count as
        arguments.
    memory
        Where captured coherent arrays are when the function runs.

    Returns
    -------
    Program
        Parameters are the leaves of the arguments, in order (`weft.frontend.source.signature.flatten`), then those
        captured values that the program uses, which `weft.frontend.source.captured.read` finds.

    Raises
    ------
    UnsupportedError, TypeInferenceError, SourceError, MultipleErrors
        The function cannot be compiled for these types.
    """
    function = undecorated(function)
    ctx = Context(memory)
    ctx.root_globals = function.__globals__
    frame = root_frame(ctx, function)
    texts.begin(ctx, frame.node)
    given = receive_arguments(ctx, function, types)
    begin(ctx, frame)
    if recursion.is_known(frame.node, frame.file, frame.name):
        return finish(ctx, frame, lambda: _call_itself(ctx, function, given))
    return finish(ctx, frame, lambda: inlining.run(ctx, frame, given, frame.node))


def _call_itself(ctx: Context, function: FunctionType, given: dict[str, Value]) -> Value:
    """The result of a compiled function that calls itself."""
    return unless_unreachable(ctx, lambda: inlining.call_function(ctx, function, [], given, ctx.frame.node))


def receive_arguments(ctx: Context, function: FunctionType, types: Sequence[ArgumentType]) -> dict[str, Value]:
    """Parameters for the leaves of the arguments, and what each argument's name stands for."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters
    ctx.given_names = frozenset(parameters)
    pairs = zip(parameters, types, strict=True)
    return {name: receive(ctx, type, n.Source("argument", name)) for name, type in pairs}


def root_frame(ctx: Context, function: FunctionType) -> Frame:
    """The frame of the compiled function itself."""
    source = source_of(function)
    frame = ctx.new_frame(name=function.__qualname__, node=source.node, file=source.file, function=function)
    ctx.frame = ctx.root = frame
    ctx.fixed = frozenset(fixed.sources(function))
    ctx.mutable = mutable.classes(function)
    adopted = outer_variables(ctx, frame)
    inlining.prepare(ctx, frame, adopted)
    frame.locals |= adopted
    return frame


def outer_variables(ctx: Context, frame: Frame) -> frozenset[str]:
    """Variables of enclosing functions and of the module that the compiled function, or one inside it, assigns."""
    function = frame.function
    assert isinstance(function, FunctionType)
    facts = inlining.facts_about(ctx, frame.node)
    own = (*function.__code__.co_cellvars, *function.__code__.co_varnames)
    outside = {*function.__code__.co_freevars, *function.__globals__}.difference(own)
    return facts.outer | (facts.nested_writes & outside)


def finish(ctx: Context, frame: Frame, translate: Callable[[], Value]) -> n.Program:
    """Translate a function's body and make the program."""
    adopted = _adopt(ctx, frame)
    value = _translated(ctx, translate)
    writes = [(source, _written(ctx, frame, name, source)) for name, source in adopted.items()]
    writes += mutable.changes(ctx, frame.node)
    assert frame.function is not None
    captured = [(param.source, param.var.type) for param in ctx.params]
    touched.check(frame.function, ctx.externals, captured, adopted.values(), ctx.location(frame.node))
    raise_all(sorted(ctx.errors, key=_line))
    pool = texts.arrays(ctx, frame.node) if text_model.holds_texts(value) else ()
    returns, atoms = results.told(ctx, returns_of(ctx, value), leaves(value))
    yields = (*pool, *atoms, *(atom for _, atom in writes))
    wide_integers.check_all(yields, ctx.location(frame.node))
    for atom in yields:
        ctx.settle(atom)
    body = n.Block(tuple(ctx.builder.statements), yields)
    texts.check(ctx)
    body = shared_views.checked(ctx, body)
    if pool:
        returns = n.Returns("texts", (n.Returns("leaf"), n.Returns("leaf"), returns))
    kept_parts.check(ctx, body, returns)
    body, recursive = closed_functions.finished(ctx, body)
    seen: dict[str, int] = {}
    body = unique_labels(body, seen)
    recursive = tuple(replace(function, body=unique_labels(function.body, seen)) for function in recursive)
    node = frame.node
    place = Location(frame.file, node.lineno, node.col_offset, function=frame.name)
    return n.Program(
        name=frame.name.rpartition(".")[2].strip("<>"),
        params=tuple(ctx.params),
        body=body,
        returns=returns,
        functions=(*(function for function, _ in ctx.functions.values()), *recursive),
        location=place,
        writes=tuple(source for source, _ in writes),
        externals=ctx.externals,
        pins=tuple(ctx.pins),
    )


def _translated(ctx: Context, translate: Callable[[], Value]) -> Value:
    try:
        value = translate()
        pooled.begin_results(ctx, ctx.frame.node)
        value = table_parts.returned(ctx, value, ctx.frame.node)
        value = mutable.plain(ctx, value, ctx.frame.node)
        returns_of(ctx, value)
        return value
    except SourceError:
        raise
    except Error as error:
        ctx.report(error)
        raise_all(sorted(ctx.errors, key=_line))
        raise


def _line(error: Error) -> int:
    return error.location.line if error.location is not None else 0


def _adopt(ctx: Context, frame: Frame) -> dict[str, n.Source]:
    """Give the outer variables that the function assigns the values that they have now."""
    assert frame.function is not None
    adopted = {}
    for name in sorted(outer_variables(ctx, frame)):
        kind, value = names.find(ctx, frame, name, frame.node)
        adopted[name] = n.Source(kind, name)
        captured = names.from_object(ctx, value, adopted[name], frame.node)
        ctx.environment.bindings[frame.key(name)] = Binding(captured, TRUE, ctx.location(frame.node))
    return adopted


def _written(ctx: Context, frame: Frame, name: str, source: n.Source) -> n.Atom:
    """The last value of an outer variable."""
    binding = ctx.environment.bindings[frame.key(name)]
    value = binding.value if binding.value is not None else NONE
    if not isinstance(value, (n.Var, n.Const)):
        ctx.report(ctx.type_error(f"'{source}' must stay a number or an array", frame.node))
        return TRUE
    return value


def unique_labels(block: n.Block, seen: dict[str, int] | None = None) -> n.Block:
    """Number the loops that have the same label: ``i``, ``i@2``, ``i@3`` in the order of the source.

    `seen` are how many of each there are in blocks before this one.
    """
    seen = {} if seen is None else seen
    labels: dict[int, str] = {}
    for statement in walk(block):
        if isinstance(statement, (n.For, n.While)):
            seen[statement.label] = seen.get(statement.label, 0) + 1
            count = seen[statement.label]
            labels[id(statement)] = statement.label if count == 1 else f"{statement.label}@{count}"
    return _relabelled(block, labels)


def _relabelled(block: n.Block, labels: dict[int, str]) -> n.Block:
    return replace(block, statements=tuple(_relabel(statement, labels) for statement in block.statements))


def _relabel(statement: n.Statement, labels: dict[int, str]) -> n.Statement:
    inner = blocks_of(statement)
    label = labels.get(id(statement))
    if inner:
        statement = with_blocks(statement, tuple(_relabelled(block, labels) for block in inner))
    if label is not None and isinstance(statement, (n.For, n.While)):
        statement = replace(statement, label=label)
    return statement
