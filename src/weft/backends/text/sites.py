"""The table of places that can raise, filled while a program is printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from string import Formatter

from weft.backends.text.artifact import Site
from weft.ir import values
from weft.ir.location import Location
from weft.ir.types import PYINT, SCALARS, Scalar

TOO_LARGE = "integer overflow: the result does not fit in 64 bits"
NEGATIVE_EXTENT = "negative dimensions are not allowed"
OPERANDS = 6
"""How many values a fault can carry: WEFT_FAULT_OPERANDS."""


def shortened(message: str) -> str:
    """A template of a message with as many values as a fault can carry; those behind them are shown as dots."""
    text, values = "", 0
    for literal, name, spec, conversion in Formatter().parse(message):
        text += literal.replace("{", "{{").replace("}", "}}")
        if name is None:
            continue
        values += 1
        shown = (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
        text += f"{{{name}{shown}}}" if values <= OPERANDS else "..."
    return text


class Sites:
    """Numbers the sites of one program from 1; equal sites have one number."""

    def __init__(self) -> None:
        self._numbers: dict[Site, int] = {}

    def number(self, site: Site) -> int:
        """The number of a site."""
        return self._numbers.setdefault(site, len(self._numbers) + 1)

    def table(self) -> tuple[Site, ...]:
        """All sites, in the order of their numbers."""
        return tuple(self._numbers)


def index_site(axis: int, location: Location) -> Site:
    """An index outside its axis; the operands are the index as it was written, and the extent."""
    return Site("IndexError", f"index {{}} is out of bounds for axis {axis} with size {{}}", (PYINT, PYINT), location)


def operation_site(operation: tuple[str, ...], operands: Sequence[Scalar], location: Location) -> Site:
    """A checked operation; which exception it raises is found by evaluating it again."""
    exception, message = _likely(operation)
    return Site(exception, message, tuple(operands), location, operation=operation)


@cache
def _likely(operation: tuple[str, ...]) -> tuple[str, str]:
    """The exception that such an operation raises, for those who read the table."""
    form, name, type_name = operation
    if form == "math":
        return "ValueError", "math domain error"
    if form == "binary" and name in ("truediv", "floordiv", "mod"):
        try:
            values.binary_function(name, SCALARS[type_name])(1, 0)
        except ZeroDivisionError as error:
            return "ZeroDivisionError", re.sub(r"[{}]", "", str(error))
    if form == "binary" and name in ("shl", "shr"):
        return "ValueError", "negative shift count"
    return "OverflowError", TOO_LARGE
