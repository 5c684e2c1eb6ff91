"""Aliasing: the program for calls whose array arguments share memory.

Not passes of the pipeline: the runtime applies them to the program as the frontend made it, when a call needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.visit import substitute


def merge_parameters(program: n.Program, names: Sequence[str]) -> n.Program:
    """The program for calls that give the same view for several parameters: the first of them stands for all.

    Parameters
    ----------
    program
        Has not been optimised.
    names
        Names of variables of parameters, of one type.
    """
    first, *others = (param.var for name in names for param in program.params if param.var.name == name)
    params = tuple(param for param in program.params if param.var not in others)
    return replace(program, params=params, body=substitute(program.body, {var.name: first for var in others}))


def overlapping(program: n.Program, pairs: Iterable[tuple[str, str]]) -> n.Program:
    """The program for calls in which some parameters overlap otherwise, each with another or with itself.

    Parameters
    ----------
    program
        Has not been optimised.
    pairs
        Names of variables of parameters that share memory.
    """
    known = {param.var.name for param in program.params}
    names = {name for pair in pairs for name in pair}
    return replace(program, overlaps=tuple(sorted({*program.overlaps, *names} & known)))
