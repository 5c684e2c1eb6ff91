"""What several passes share: which blocks of a program they change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from weft.ir import nodes as n


def on_blocks(program: n.Program, change: Callable[[n.Block], n.Block]) -> n.Program:
    """The program with its body and the bodies of its helper functions changed."""
    body = change(program.body)
    functions = tuple(_on_function(function, change) for function in program.functions)
    if body is program.body and all(a is b for a, b in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, body=body, functions=functions)


def _on_function(function: n.Function, change: Callable[[n.Block], n.Block]) -> n.Function:
    body = change(function.body)
    return function if body is function.body else replace(function, body=body)


def definitions(block: n.Block) -> dict[str, n.Expression]:
    """What each variable that a `Let` assigns, anywhere inside a block, is defined as."""
    found: dict[str, n.Expression] = {}
    _define(block, found)
    return found


def _define(block: n.Block, found: dict[str, n.Expression]) -> None:
    for statement in block.statements:
        if isinstance(statement, n.Let):
            found[statement.var.name] = statement.value
        elif isinstance(statement, n.For):
            _define(statement.body, found)
        elif isinstance(statement, n.If):
            _define(statement.then, found)
            _define(statement.orelse, found)
        elif isinstance(statement, n.While):
            _define(statement.condition, found)
            _define(statement.body, found)
