"""Calls of `weft.python` in compiled functions: an external node with its reads and writes."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any

from weft.errors import ArgumentError
from weft.frontend.arrays.tables import function
from weft.frontend.calls.python_calls import HINT, name_of, python, scalar_of
from weft.frontend.values.dispatch import evaluate
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import Static, Value, describe_value, is_view
from weft.ir import nodes as n
from weft.ir.python_calls import BoundStep, Layout, Step
from weft.ir.types import Scalar, View


@function(python)
def _python(ctx: Context, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    assert isinstance(node, ast.Call)
    if set(keywords) - {"reads", "writes", "returns"} or not arguments:
        raise ctx.type_error("weft.python takes a function, its arguments, reads, writes and returns", node)
    if ctx.in_function:
        raise ctx.type_error("an associative function cannot call Python", node)
    callee, source = _callee(ctx, arguments[0], node)
    given = _Given(ctx, node, _declared(ctx, keywords, "reads", node), _declared(ctx, keywords, "writes", node))
    layout = given.take_all(arguments[1:])
    returns = _returns(ctx, keywords.get("returns"), node)
    step = Step(name_of(callee), source, layout, given.types(), tuple(given.written), returns)
    label = f"{step.name}.{len(ctx.externals) + 1}"
    ctx.externals[label] = BoundStep(step, callee)
    results = () if returns is None else (ctx.names.fresh("t", returns),)
    place = ctx.location(node)
    ctx.append(n.External(results, label, tuple(given.atoms), given.reads, given.writes, place))
    return results[0] if results else Static(None)


def _callee(ctx: Context, value: Value, node: ast.Call) -> tuple[Callable[..., Any], n.Source]:
    """The function to call, and where it is found at every call."""
    if not isinstance(value, Static) or not callable(value.value):
        raise ctx.type_error(
            f"weft.python cannot call a {describe_value(value)}",
            node.args[0],
            cause="it calls functions of Python that were there before the compiled one ran",
            hint="define the function outside",
        )
    source = value.source or _in_module(value.value)
    if source is None:
        raise ctx.type_error(
            f"weft.python cannot find {name_of(value.value)} again at the next call", node.args[0],
            hint="give it a name outside of the compiled function, and use that",
        )  # fmt: skip
    return value.value, source


def _in_module(value: object) -> n.Source | None:
    """Where a function of a library is found."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    found = getattr(sys.modules.get(module or ""), name, None)
    return n.Source("global", f"<{module}>.{name}") if found is value and value is not None else None


def _declared(ctx: Context, keywords: dict[str, Value], name: str, node: ast.Call) -> tuple[n.Var, ...]:
    """The arrays of ``reads`` or ``writes``."""
    value = keywords.get(name, ())
    found: list[n.Var] = []
    for item in value if isinstance(value, tuple) else (value,):
        if not (isinstance(item, n.Var) and is_view(item)):
            raise ctx.type_error(f"{name} takes arrays, and got {describe_value(item)}", node)
        if name == "writes" and not view_type(item).writable:
            raise ctx.type_error(f"'{item.stem}' is read-only, and cannot be in writes", node)
        found.append(item)
    return tuple(dict.fromkeys(found))


def _returns(ctx: Context, value: Value | None, node: ast.Call) -> Scalar | None:
    if value is not None and not isinstance(value, Static):
        raise ctx.type_error("returns takes a type", node)
    try:
        return scalar_of(None if value is None else value.value)
    except ArgumentError as error:
        raise ctx.type_error(str(error).partition("\n")[0], node, hint="say float, int, bool, np.float32") from None


class _Given:
    """The operands of a call: what its arguments are made of, then arrays that are declared only."""

    def __init__(self, ctx: Context, node: ast.Call, reads: tuple[n.Var, ...], writes: tuple[n.Var, ...]) -> None:
        self.ctx = ctx
        self.node = node
        self.reads = reads
        self.writes = writes
        self.atoms: list[n.Atom] = []
        self.written: list[bool] = []

    def take_all(self, arguments: list[Value]) -> tuple[int | Layout, ...]:
        """How the arguments are made of operands."""
        nodes = self.node.args[1:]
        plain = len(nodes) == len(arguments) and not any(isinstance(part, ast.Starred) for part in nodes)
        layout = tuple(self.take(value, nodes[k] if plain else self.node) for k, value in enumerate(arguments))
        for view in dict.fromkeys((*self.reads, *self.writes)):
            if view not in self.atoms:
                self._add(view, view in self.writes)
        return layout

    def take(self, value: Value, node: ast.expr) -> int | Layout:
        """One argument."""
        if isinstance(value, tuple):
            parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node] * len(value)
            return "tuple", tuple(self.take(item, part) for item, part in zip(value, parts, strict=True))
        if isinstance(value, Static) and (value.value is None or isinstance(value.value, (str, bytes))):
            return "constant", value.value
        if isinstance(value, n.Var) and is_view(value):
            return self._add(value, self._is_written(value, node))
        if isinstance(value, (n.Var, n.Const)):
            return self._add(value, False)
        raise self.ctx.type_error(f"weft.python cannot pass a {describe_value(value)}", node)

    def _add(self, atom: n.Atom, written: bool) -> int:
        self.atoms.append(atom)
        self.written.append(written)
        return len(self.atoms) - 1

    def _is_written(self, view: n.Var, node: ast.expr) -> bool:
        """Whether an argument was declared to be written; the error where it was not declared at all."""
        whole = view
        while isinstance(node, (ast.Subscript, ast.Attribute)) and view not in (*self.reads, *self.writes):
            node = node.value
            base = evaluate(self.ctx, node)
            if isinstance(base, n.Var) and is_view(base):
                view = base
        if view not in (*self.reads, *self.writes):
            raise self.ctx.type_error(
                f"'{whole.stem}' is given to weft.python, and is neither in reads nor in writes", self.node, hint=HINT
            )
        return view in self.writes and view_type(whole).writable

    def types(self) -> tuple[Scalar | View, ...]:
        """The types of all operands."""
        found = [atom.type for atom in self.atoms]
        assert all(isinstance(type, (Scalar, View)) for type in found)
        return tuple(found)  # type: ignore[arg-type]
