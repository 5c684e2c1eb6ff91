"""Aliasing: the program for calls whose array arguments share memory, or are taken from another memory than usual.

Not passes of the pipeline: the runtime applies them to the program as the frontend made it, when a call needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import HOST, View
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


def on_host(program: n.Program, as_guests: bool = False) -> n.Program:
    """The program for calls whose arrays are all taken from the memory of the host.

    Parameters
    ----------
    program
        Has not been optimised.
    as_guests
        Whether memory of the host only stands for arrays that are on a device, before the program and after it.
    """
    params = tuple(_param_on_host(param, as_guests) for param in program.params)
    renamed = {param.var.name: param.var for param in params}
    return replace(program, params=params, body=substitute(program.body, renamed))


def _param_on_host(param: n.Param, is_guest: bool) -> n.Param:
    home = param.var.type.memory if is_guest and isinstance(param.var.type, View) else HOST
    return replace(param, var=_on_host(param.var), home=home)


def _on_host(var: n.Var) -> n.Var:
    return replace(var, type=replace(var.type, memory=HOST)) if isinstance(var.type, View) else var


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
