"""Numbers as the runtime passes them, in a ``weft_value``, and back."""

from __future__ import annotations

from weft.backends.text.code import ATOM, Code
from weft.ir.types import Scalar


def to_value(type: Scalar, code: Code) -> str:
    """The initialiser of a ``weft_value`` with a number."""
    if type.kind == "c":
        return f"{{.c = {{{code.inside(ATOM)}.re, {code.inside(ATOM)}.im}}}}"
    if type.kind == "f":
        return f"{{.f = {code.text if type.bits > 16 else f'half_to_float32({code.text})'}}}"
    return f"{{.i = {code.text if type.kind != 'u' or type.bits < 64 else f'(int64_t){code.inside(12)}'}}}"


def from_value(source: str, type: Scalar, c_type: str) -> str:
    """The number in a ``weft_value``; of a complex one the initialiser."""
    if type.kind == "c":
        part = "float" if type.bits == 64 else "double"
        return f"{{({part}){source}.c[0], ({part}){source}.c[1]}}"
    if type.kind == "f":
        if type.bits == 16:
            return f"half_from_float64({source}.f)"
        return f"{source}.f" if type.bits == 64 else f"(float){source}.f"
    if type.kind == "b":
        return f"{source}.i != 0"
    return f"{source}.i" if type.name in ("int64", "pyint") else f"({c_type}){source}.i"
