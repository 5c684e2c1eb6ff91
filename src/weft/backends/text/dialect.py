"""What C, CUDA C++ and OpenCL C write differently: names of types, constants, and helper functions."""

from __future__ import annotations

import math

import numpy as np

from weft.backends.text.code import UNARY, Code
from weft.backends.text.helpers import Helpers
from weft.ir import nodes as n
from weft.ir.types import Element, Record, Scalar, Vector

TAGS = {"pybool": "bool", "pyint": "int64", "pyfloat": "float64", "pycomplex": "complex128"}


def tag(type: Scalar) -> str:
    """The NumPy name of a type: the end of the names of its helper functions."""
    return TAGS.get(type.name, type.name)


class Dialect:
    """The base of all dialects: C11 as far as it can be written everywhere."""

    language = "c"
    wraps = True
    """Whether the compiler is told that integers with a sign wrap."""
    large_roots = False
    """Whether there is a helper for roots of float32 that are taken of numbers from 2^-101 on."""
    type_names = {
        "bool": "bool", "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
        "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
        "float16": "half_t", "float32": "float", "float64": "double", "complex64": "complex64",
        "complex128": "complex128",
    }  # fmt: skip

    def __init__(self, helpers: Helpers) -> None:
        self.helpers = helpers

    # -------------------------------------------------------------------------------------------- types

    def type_name(self, type: Scalar | Record | Vector) -> str:
        """The type of a local variable."""
        if isinstance(type, Scalar):
            return self.type_names[tag(type)]
        if isinstance(type, Record):
            return f"weft_record_{type.size}"
        return f"{tag(type.element)}x{type.lanes}"

    def memory_name(self, element: Element, packed: bool = False) -> str:
        """The type of an element in memory; packed ones lie at any address."""
        if isinstance(element, Scalar) and element.kind == "b":
            return "uint8_t"
        if packed and isinstance(element, Scalar) and element.size > 1:
            return f"packed_{tag(element)}"
        return self.type_name(element)

    def pointer(self, memory_name: str) -> str:
        """The type of a pointer to elements."""
        return f"{memory_name} *"

    # ---------------------------------------------------------------------------------------- constants

    def constant(self, const: n.Const, exact: bool = False) -> Code:
        """A constant. `exact`: the text must have the right C type by itself, also beside another constant."""
        assert isinstance(const.type, Scalar)
        if const.type.kind == "b":
            return Code("true" if const.value else "false")
        if const.type.kind in "iu":
            return self._integer(int(const.value.real), const.type, exact)
        if const.type.kind == "f":
            return self.real(float(const.value.real), const.type)
        return self._complex(complex(const.value), const.type)

    def _integer(self, value: int, type: Scalar, exact: bool) -> Code:
        bits = type.bits
        value = (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1) if type.kind == "i" else value % 2**bits
        if bits < 64:
            suffix = "u" if type.kind == "u" and bits == 32 else ""
            return _signed(f"{value}{suffix}") if value != -(2**31) else Code("(-2147483647 - 1)")
        if value == -(2**63):
            return Code(f"(-9223372036854775807{self.long_suffix} - 1)")
        wide = exact or not -(2**31) < value < 2**31
        suffix = ("u" if type.kind == "u" else "") + self.long_suffix if wide or type.kind == "u" else ""
        return _signed(f"{value}{suffix}")

    long_suffix = "L"

    def real(self, value: float, type: Scalar) -> Code:
        """A real constant, exactly."""
        single = type.bits == 32
        if type.bits < 64:
            with np.errstate(all="ignore"):
                value = float(type.dtype.type(value))
        if math.isnan(value):
            text = "NAN" if single else "(double)NAN"
        elif math.isinf(value):
            text = ("-" if value < 0 else "") + ("INFINITY" if single else "(double)INFINITY")
        else:
            text = repr(value) + ("f" if single else "")
        code = _signed(text)
        return self.half(code) if type.bits == 16 else code

    def half(self, value: Code) -> Code:
        """A float64 as a half-precision number."""
        return Code(f"half_from_float64({value.text})")

    def _complex(self, value: complex, type: Scalar) -> Code:
        part = Scalar(f"float{type.bits // 2}", "f", type.bits // 2)
        real, imag = self.real(value.real, part), self.real(value.imag, part)
        return Code(f"(({self.type_name(type)}){{{real.text}, {imag.text}}})")


def _signed(text: str) -> Code:
    return Code(text, UNARY) if text.startswith(("-", "(double)")) else Code(text)
