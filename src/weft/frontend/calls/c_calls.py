"""`weft.cfunction`'s functions outside of compiled code, and which arguments they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.ir.c_text import CText
from weft.ir.types import Scalar

MODULE = "weft_c_functions"
"""What functions of C texts say that they are of: no module that can be imported."""

OUTSIDE: dict[str, Callable[..., Any]] = {}
"""What calls outside of compiled code run, by the texts."""

_ORDER = "bifc"


def call_c(source: str, *given: Any) -> Any:
    """Call the last function of a C text."""
    return OUTSIDE[source](*given)


def is_taken(given: Scalar, wanted: Scalar) -> bool:
    """Whether a number is converted without being asked: where nothing is lost; Python's numbers adapt."""
    if given.weak:
        kind = "i" if wanted.kind == "u" else wanted.kind
        return _ORDER.index(given.kind) <= _ORDER.index(kind)
    return bool(np.can_cast(given.dtype, wanted.dtype, "safe"))


def wrong_type(text: CText, position: int, found: str) -> tuple[str, str]:
    """The message and the remedy for an argument of a type that is not converted."""
    name, wanted = text.names[position], text.params[position]
    return f"{text.name} takes {name} as {wanted}, and this is {found}", f"convert it: np.{_in_numpy(wanted)}(...)"


def _in_numpy(type: Scalar) -> str:
    return "bool_" if type.kind == "b" else type.name
