"""Calls that the interpreter runs: the device ``interpreter``, and ``debug=True`` on any device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.errors import add_location, warn
from weft.ir.interpreter import Finding, Interpreter
from weft.ir.python_code import Options
from weft.ir.types import Scalar

if TYPE_CHECKING:
    from weft.ir.nodes import Program
    from weft.runtime.variants import Leaf, Variant

_WEAK = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


class Interpreted:
    """Runs a program in the interpreter; its memory is that of the arrays, so any aliasing is right as it is."""

    def __init__(self, variant: Variant, program: Program, debug: bool) -> None:
        self._variant = variant
        self._debug = debug
        self._interpreter = Interpreter(program, Options(watch=debug))

    def run(self, leaves: tuple[object, ...]) -> object:
        """Interpret the program; NotImplemented where the leaves have other types."""
        compiled = self._variant.compiled
        if not all(_fits(value, leaf) for value, leaf in zip(leaves, compiled.leaves, strict=True)):
            return NotImplemented
        try:
            flat = self._interpreter.run(leaves, _report if self._debug else None)
        except Exception as error:
            raise _placed(error) from None
        typed = tuple(_typed(value, leaf) for value, leaf in zip(flat, compiled.results, strict=True))
        return self._variant.rebuild(typed)

    run_disjoint = run


def _report(finding: Finding) -> None:
    warn("W004", str(finding), finding.location)


def _fits(value: object, leaf: Leaf) -> bool:
    from weft.frontend.signature import describe

    return describe(value) == leaf.type


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
