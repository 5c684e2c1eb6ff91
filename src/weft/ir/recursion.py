"""Calls of functions that call themselves: an `External` whose reference names a `Function` of the program.

For all analyses they are what calls of Python are: they read and write arrays, may raise, and run one after the other
on the host. So nothing need know of recursion but what runs a program.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.interface import FUNCTION_MARK
from weft.ir.types import View
from weft.ir.visit import walk


def function_name(external: n.External) -> str | None:
    """The function of the program that a statement calls; None for calls of Python."""
    return external.reference.removesuffix(FUNCTION_MARK) if external.reference.endswith(FUNCTION_MARK) else None


def called_in(block: n.Block) -> Iterator[n.External]:
    """The calls of such functions in a block."""
    return (s for s in walk(block) if isinstance(s, n.External) and function_name(s) is not None)


def recursive_functions(program: n.Program) -> tuple[n.Function, ...]:
    """The functions of a program that such calls call."""
    bodies = (program.body, *(function.body for function in program.functions))
    names = {function_name(call) for body in bodies for call in called_in(body)}
    return tuple(function for function in program.functions if function.name in names)


def gives_views(function: n.Function) -> bool:
    """Whether a function gives an array."""
    return any(isinstance(atom.type, View) for atom in function.body.yields)
