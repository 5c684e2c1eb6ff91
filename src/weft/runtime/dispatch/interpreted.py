"""Calls that the interpreter runs: those on the device ``interpreter``."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.errors import add_location
from weft.ir.python_calls import steps_of
from weft.ir.reference.interpreter import Interpreter
from weft.ir.types import Scalar
from weft.runtime import _stub
from weft.runtime.arrays.arrays import Array
from weft.runtime.dispatch.variants import late

if TYPE_CHECKING:
    from weft.ir.nodes import Program
    from weft.runtime.dispatch.variants import Leaf, Variant

_WEAK = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


class Interpreted:
    """Runs a program in the interpreter; its memory is that of the arrays, so any aliasing is right as it is."""

    def __init__(self, variant: Variant, program: Program) -> None:
        self._variant = variant
        self._interpreter = Interpreter(program)
        self._steps = steps_of(program.externals)

    def run(self, leaves: tuple[object, ...]) -> object:
        """Interpret the program; NotImplemented where the leaves have other types."""
        compiled = self._variant.compiled
        if not all(_fits(value, leaf) for value, leaf in zip(leaves, compiled.leaves, strict=True)):
            return NotImplemented
        try:
            flat = self._run(leaves)
        except Exception as error:
            raise _placed(error) from None
        typed = tuple(_typed(value, leaf) for value, leaf in zip(flat, compiled.results, strict=True))
        return self._variant.rebuild(typed)

    run_disjoint = run

    def _limit(self) -> Callable[[], None] | None:
        """What raises once the time is over that this call may take; None where it may take any."""
        seconds = _stub.present_limit()
        end = time.monotonic() + seconds

        def poll() -> None:
            if time.monotonic() > end:
                raise late(self._variant.compiled.name, seconds)

        return poll if seconds else None

    def _functions(self, leaves: tuple[object, ...]) -> dict[str, object]:
        """The Python functions that steps call, which are the last leaves."""
        given: tuple[Any, ...] = leaves[len(leaves) - len(self._steps) :]
        return {label: replace(bound, function=given[k]) for k, (label, bound) in enumerate(self._steps.items())}

    def _run(self, leaves: tuple[object, ...]) -> tuple[object, ...]:
        """Interpret the program on NumPy arrays; coherent arrays are lent to it while it runs."""
        functions = self._functions(leaves)
        with ExitStack() as stack:
            plain = tuple(stack.enter_context(leaf.host()) if isinstance(leaf, Array) else leaf for leaf in leaves)
            given = plain[: len(plain) - len(functions)]
            flat = self._interpreter.run(given, externals=functions, poll=self._limit())
            lent = {id(given): leaf for given, leaf in zip(plain, leaves, strict=True)}
            return tuple(lent.get(id(value), value) for value in flat)


def _fits(value: object, leaf: Leaf) -> bool:
    from weft.frontend.source.signature import describe

    return callable(value) if leaf.type is None else describe(value) == leaf.type


def _placed(error: Exception) -> Exception:
    location = getattr(error, "weft_location", None)
    if location is None:
        return error
    return add_location(error, location, getattr(error, "weft_iteration", None))


def _typed(value: Any, leaf: Leaf) -> object:
    """A scalar as Python or NumPy has it; an array as it is."""
    if not isinstance(leaf.type, Scalar):
        return value
    if leaf.type.weak:
        return _WEAK[leaf.type.kind](value)
    return value if isinstance(value, np.generic) else leaf.type.dtype.type(value)
