"""Programs from plain Python functions, with types given by example arguments."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

import weft
from weft.analysis.access.access import AccessTable, table
from weft.analysis.dependence.verdicts import LoopFact, judge
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.transform.simplify.dce import dce

VECTOR = np.zeros(3)
MATRIX = np.zeros((3, 3))
CUBE = np.zeros((3, 3, 3))
KEYS = np.zeros(3, np.int64)
MASK = np.zeros(3, np.bool_)


def function_of(text: str) -> Callable[..., Any]:
    """The function `f` of a text, whose source is found as that of any function."""
    file = f"<test {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"np": np, "weft": weft}
    exec(compile(text, file, "exec"), namespace)
    made: Callable[..., Any] = namespace["f"]
    return made


def program_of(function: Callable[..., Any], *arguments: object) -> n.Program:
    """The program as the frontend builds it."""
    return build(function, tuple(describe(argument) for argument in arguments))


def table_of(function: Callable[..., Any], *arguments: object) -> AccessTable:
    """The access table of a function."""
    return table(program_of(function, *arguments))


def facts_of(function: Callable[..., Any], *arguments: object) -> dict[str, LoopFact]:
    """The facts of all loops of a function, by label, without what nobody uses."""
    return judge(dce(program_of(function, *arguments))).loops


def verdicts_of(function: Callable[..., Any], *arguments: object) -> dict[str, str]:
    """The verdicts of all loops of a function, by label."""
    return {label: fact.verdict for label, fact in facts_of(function, *arguments).items()}
