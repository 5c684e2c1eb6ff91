"""What a backend makes of a program: source text, and the table of the places where it can fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.errors import add_location, exception_for
from weft.ir.location import UNKNOWN, Location
from weft.ir.types import SCALARS, Scalar


@dataclass(frozen=True)
class Site:
    """A place in the program that can raise. Faults number sites from 1; `Artifact.sites` holds them from 0.

    Parameters
    ----------
    exception
        The name of a builtin exception, or ``module:qualname``.
    message
        A ``str.format`` template over the operands.
    operands
        Types of the values that the compiled program leaves in ``weft_fault.operands``.
    location
        The expression that raises.
    counters
        Names of the loop counters around it, outermost first: their values are the last operands.
    operation
        Where the exception depends on the operands: the operation to evaluate again, as `weft.ir.values` names it:
        ``("binary", op, type)``, ``("unary", op, type)``, ``("cast", source, target)`` or ``("math", name, result)``.
    other
        A second place that the exception shows.
    """

    exception: str
    message: str = ""
    operands: tuple[Scalar, ...] = ()
    location: Location = UNKNOWN
    counters: tuple[str, ...] = ()
    operation: tuple[str, ...] = ()
    other: Location | None = None

    def error(self, operands: Sequence[Any]) -> BaseException:
        """The exception for the operands of a fault, with its place in the source attached.

        Parameters
        ----------
        operands
            Numbers, one for each of the site's operands, of its type.
        """
        count = len(self.operands) - len(self.counters)
        iteration = dict(zip(self.counters, map(int, operands[count:]), strict=True))
        raised = self._evaluated(operands[:count]) or self._written(operands[:count])
        return add_location(raised, self.location, iteration)

    def _written(self, operands: Sequence[Any]) -> BaseException:
        return exception_for(self.exception, self.message, operands, self.location, self.other)

    def _evaluated(self, operands: Sequence[Any]) -> BaseException | None:
        """The very exception that Python raises, or None where the operation is not known or does not raise."""
        if not self.operation:
            return None
        from weft.ir import values

        typed = [values.constant(value, type) for value, type in zip(operands, self.operands, strict=False)]
        try:
            with np.errstate(all="ignore"):
                _evaluate(self.operation, typed)
        except (ArithmeticError, ValueError, IndexError) as error:
            return error.with_traceback(None)
        return None


def _evaluate(operation: tuple[str, ...], operands: list[Any]) -> object:
    from weft.ir import values  # not needed until something is raised

    form, name, type_name = operation
    if form == "binary":
        return values.binary_function(name, SCALARS[type_name])(*operands)
    if form == "unary":
        return values.unary_function(name, SCALARS[type_name])(*operands)
    if form == "cast":
        return values.cast_function(SCALARS[name], SCALARS[type_name])(*operands)
    return values.math_function(name, SCALARS[type_name], True)(*operands)


@dataclass(frozen=True)
class Artifact:
    """Generated source for one program, or for the kernels of one.

    Parameters
    ----------
    source
        The text to compile.
    entry
        The name of the function to call.
    sites
        Where it can raise; fault number `k` is ``sites[k - 1]``.
    language
        ``c``, ``cuda`` or ``opencl``.
    """

    source: str
    entry: str
    sites: tuple[Site, ...] = ()
    language: str = "c"
    options: tuple[str, ...] = field(default=())
    """Further options for the compiler."""
