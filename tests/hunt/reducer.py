"""Makes a program that is a finding small: drops statements, parts of expressions, calls and elements."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from .program import Arguments, Program, View, Way

Test = Callable[[Program], bool]


def shrink(program: Program, fails: Test, seconds: float = 60.0) -> Program:
    """The smallest program found within the time for which `fails` still holds."""
    until = time.monotonic() + seconds
    for candidate in _ways(program):
        if fails(candidate):
            program = candidate
    changed = True
    while changed and time.monotonic() < until:
        changed = False
        for step in (_fewer_calls, _smaller_sources, _plainer_numbers):
            better = _first(step(program), fails, until)
            while better is not None:
                program, changed = better, True
                better = _first(step(program), fails, until)
    return program


def _first(candidates: Iterator[Program], fails: Test, until: float) -> Program | None:
    for candidate in candidates:
        if time.monotonic() > until:
            return None
        if fails(candidate):
            return candidate
    return None


def _ways(program: Program) -> Iterator[Program]:
    if program.way != Way():
        yield replace(program, way=Way())
        yield replace(program, way=replace(program.way, optimise="-O1", disable=(), referee=False))
        yield replace(program, way=replace(program.way, threads=0))
        yield replace(program, way=replace(program.way, tiles=False))


def _fewer_calls(program: Program) -> Iterator[Program]:
    if len(program.calls) > 1:
        for call in program.calls:
            yield replace(program, calls=[call])


def _smaller_sources(program: Program) -> Iterator[Program]:
    if program.origin:
        return
    tree, before = ast.parse(program.source), len(program.source)
    seen = {program.source}
    for smaller in _smaller(tree):
        try:
            text = ast.unparse(ast.fix_missing_locations(smaller)) + "\n"
        except Exception:
            continue
        if text not in seen and len(text) <= before:
            seen.add(text)
            yield from _without_unused(replace(program, source=text))


def _without_unused(program: Program) -> Iterator[Program]:
    """The program, and before it the same without parameters that it does not use."""
    tree = ast.parse(program.source)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    kept = [place for place, a in enumerate(function.args.args) if a.arg in used]
    if len(kept) < len(function.args.args):
        function.args.args = [function.args.args[place] for place in kept]
        calls = [replace(call, values=[call.values[place] for place in kept]) for call in program.calls]
        yield replace(program, source=ast.unparse(tree) + "\n", calls=calls)
    yield program


def _smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Trees with one thing less, large things first."""
    for number, node in enumerate(ast.walk(tree)):
        for name, items in ast.iter_fields(node):
            if isinstance(items, list) and items and isinstance(items[0], ast.stmt):
                for place in range(len(items)):
                    yield from _replaced(tree, number, name, place)
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
            for other in _simpler(node):
                yield _exchanged(tree, number, other)


def _replaced(tree: ast.Module, number: int, name: str, place: int) -> Iterator[ast.Module]:
    """Without a statement, or with its body in its place."""
    for form in ("gone", "body", "orelse", "no else"):
        made = copy.deepcopy(tree)
        items = getattr(_nth(made, number), name)
        old = items[place]
        inner = getattr(old, "body" if form == "body" else "orelse", None)
        if form == "gone":
            if isinstance(old, ast.FunctionDef) and old.name == "f":
                continue
            items[place : place + 1] = [] if len(items) > 1 or name == "orelse" else [ast.Pass()]
            if items == [] and name != "orelse" or isinstance(old, ast.Pass):
                continue
        elif form == "no else":
            if not inner:
                continue
            old.orelse = []
        elif isinstance(inner, list) and inner and not isinstance(old, ast.FunctionDef):
            items[place : place + 1] = inner
        else:
            continue
        yield made


def _nth(tree: ast.AST, number: int) -> ast.AST:
    for place, node in enumerate(ast.walk(tree)):
        if place == number:
            return node
    raise IndexError(number)


def _simpler(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse, ast.Constant(True))
    elif isinstance(node, ast.BoolOp):
        yield from node.values
        if len(node.values) > 2:
            yield ast.BoolOp(node.op, node.values[1:])
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Call):
        yield from (a for a in node.args if not isinstance(a, ast.Starred))
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        yield ast.Compare(node.left, node.ops[:1], node.comparators[:1])
    if isinstance(node, (ast.BinOp, ast.IfExp, ast.BoolOp, ast.Call, ast.Compare, ast.Subscript)):
        yield ast.Constant(1)
        yield ast.Constant(0)
    if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in (0, 1, 1.0):
        yield ast.Constant(type(node.value)(1))
        yield ast.Constant(type(node.value)(0))


def _exchanged(tree: ast.Module, number: int, other: ast.expr) -> ast.Module:
    made = copy.deepcopy(tree)
    old = _nth(made, number)
    for node in ast.walk(made):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, copy.deepcopy(other))
                return made
            if isinstance(value, list) and any(item is old for item in value):
                value[next(i for i, item in enumerate(value) if item is old)] = copy.deepcopy(other)
                return made
    return made


def _plainer_numbers(program: Program) -> Iterator[Program]:
    """Fewer and plainer elements, smaller numbers, memory that is not shared."""
    for place, call in enumerate(program.calls):
        for smaller in _plainer(call):
            yield replace(program, calls=[*program.calls[:place], smaller, *program.calls[place + 1 :]])


def _plainer(call: Arguments) -> Iterator[Arguments]:
    for place, value in enumerate(call.values):
        if type(value) is int and value > 0:
            for less in {value - 1, value // 2}:
                yield replace(call, values=[*call.values[:place], less, *call.values[place + 1 :]])
        if isinstance(value, View):
            for axis, size in enumerate(value.shape):
                for less in {size - 1, size // 2}:
                    if 0 < less < size:
                        view = replace(value, shape=(*value.shape[:axis], less, *value.shape[axis + 1 :]))
                        yield replace(call, values=[*call.values[:place], view, *call.values[place + 1 :]])
            alone = _alone(call, place, value)
            if alone is not None:
                yield alone
    for place, buffer in enumerate(call.buffers):
        for plain in (
            np.ones_like(buffer),
            np.arange(len(buffer)).astype(buffer.dtype),
            np.where(np.arange(len(buffer)) % 2, buffer, 0).astype(buffer.dtype),
        ):
            if (
                buffer.dtype.kind != "b"
                and not np.array_equal(plain, buffer)
                and (buffer != 1).any()
                and (buffer[:3] != [0, 1, 2][: len(buffer)]).any()
            ):
                yield replace(call, buffers=[*call.buffers[:place], plain, *call.buffers[place + 1 :]])


def _alone(call: Arguments, place: int, view: View) -> Arguments | None:
    """The same with this argument as a plain array of its own."""
    array = view.of(call.buffers)
    if array.flags.c_contiguous and view.offset == 0 and call.buffers[view.buffer].size == array.size:
        return None
    plain = np.ascontiguousarray(array).reshape(-1).copy()
    steps = tuple(int(np.prod(array.shape[axis + 1 :])) for axis in range(array.ndim))
    made = View(len(call.buffers), 0, array.shape, steps)
    return replace(call, buffers=[*call.buffers, plain], values=[*call.values[:place], made, *call.values[place + 1 :]])
