"""Runs a function in CPython and, translated, in the interpreter, and compares all that can be seen."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import weft
from weft.frontend import build
from weft.frontend.source.captured import read, write
from weft.frontend.source.given_lists import Lists
from weft.frontend.source.signature import describe, flatten
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.reference.interpreter import run
from weft.runtime.dispatch import variants


def program_of(function: Callable[..., Any], *args: Any) -> n.Program:
    """The verified program of a function for these arguments."""
    program = build(function, [describe(arg) for arg in complete(function, args)])
    verify(program)
    return program


def interpret(function: Callable[..., Any], *args: Any) -> Any:
    """The result of a function, translated and interpreted."""
    args = complete(function, args)
    program = program_of(function, *args)
    leaves = [leaf for arg in args for leaf in flatten(arg, describe(arg))]
    named = dict(zip(inspect.signature(function).parameters, args))
    captured = [p.source for p in program.params if p.source.kind != "argument"]
    lists = Lists()
    flat = list(run(program, [*leaves, *(read(function, source, named, lists.captured) for source in captured)]))
    for source in reversed(program.writes):
        write(function, source, flat.pop(), named)
    return rebuild(program.returns, flat, program)


def complete(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, ...]:
    bound = inspect.signature(function).bind(*args)
    bound.apply_defaults()
    return tuple(bound.arguments.values())


def rebuild(returns: n.Returns, flat: list[Any], program: n.Program) -> Any:
    """The Python result, as calls make it."""
    return variants.rebuild(returns, flat, program.externals)


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    try:
        with np.errstate(all="ignore"):
            return "returned", call()
    except Exception as error:
        refused = "weft." if isinstance(error, weft.Error) else ""
        return f"{refused}{type(error).__name__}", str(error)


def check(function: Callable[..., Any], *args: Any, message: bool = True, types: bool = True) -> Any:
    """Both ways must give the same result (types included), the same arrays and the same exceptions."""
    for_python, for_weft = copy.deepcopy(args), copy.deepcopy(args)
    kind, expected = outcome(lambda: function(*for_python))
    got_kind, got = outcome(lambda: interpret(function, *for_weft))
    assert got_kind == kind, f"CPython: {kind} {expected}; Weft: {got_kind} {got}"
    if kind != "returned":
        assert not message or got == expected
    else:
        same(got, expected, types)
    same(for_weft, for_python, types)
    return got


def same(got: Any, expected: Any, types: bool = True) -> None:
    if types and not isinstance(expected, np.ndarray):
        assert type(got) is type(expected), f"{type(got)} instead of {type(expected)}"
    if isinstance(expected, np.ndarray):
        assert got.dtype == expected.dtype and got.shape == expected.shape
        np.testing.assert_array_equal(got, expected)
    elif isinstance(expected, (tuple, list)):
        assert len(got) == len(expected)
        for a, b in zip(got, expected):
            same(a, b, types)
    elif dataclasses.is_dataclass(expected) and not isinstance(expected, type):
        for field in dataclasses.fields(expected):
            same(getattr(got, field.name), getattr(expected, field.name), types)
    elif isinstance(expected, (float, complex, np.inexact)):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))
    elif not callable(expected):
        assert got == expected
