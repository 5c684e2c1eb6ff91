"""What several passes share: which blocks of a program they change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from weft.analysis.aliases import Aliases
from weft.analysis.structure import Structure
from weft.ir import nodes as n

Change = Callable[[n.Block], n.Block]
ChangeBody = Callable[[n.Block, Structure, Aliases], n.Block]


def on_blocks(program: n.Program, change: Change) -> n.Program:
    """The program with its body and the bodies of its helper functions changed."""
    body = change(program.body)
    functions = tuple(_with_body(function, change(function.body)) for function in program.functions)
    if body is program.body and all(a is b for a, b in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, body=body, functions=functions)


def _with_body(function: n.Function, body: n.Block) -> n.Function:
    return function if body is function.body else replace(function, body=body)


def for_each_body(program: n.Program, change: ChangeBody) -> n.Program:
    """As `on_blocks`, for a change that asks where things stand and which views may meet."""
    body = _analysed((p.var for p in program.params), program.body, change)
    functions = tuple(_with_body(f, _analysed(f.params, f.body, change)) for f in program.functions)
    if body is program.body and all(a is b for a, b in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, body=body, functions=functions)


def _analysed(params: Iterable[n.Var], body: n.Block, change: ChangeBody) -> n.Block:
    structure = Structure(params, body)
    return change(body, structure, Aliases(structure))
