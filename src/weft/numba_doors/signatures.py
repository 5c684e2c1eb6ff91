"""What Numba's decorators are given about types: ``"float64(float64, float64)"``, or Numba's own objects for these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from weft.errors import ArgumentError

_SHORT = {"f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8",
          "u2": "uint16", "u4": "uint32", "u8": "uint64", "c8": "complex64", "c16": "complex128", "b1": "bool",
          "boolean": "bool", "double": "float64", "float_": "float32", "intp": "int64", "int_": "int64"}  # fmt: skip

Types = tuple[np.dtype[Any], ...]


def parse(given: object) -> list[tuple[Types, np.dtype[Any] | None]]:
    """For each signature the dtypes of its arguments and of its result, None where there is none.

    Raises
    ------
    ArgumentError
        It names a type that no array has.
    """
    several = given if isinstance(given, (list, tuple)) else [given]
    return [_parse_one(str(one)) for one in several]


def _parse_one(text: str) -> tuple[Types, np.dtype[Any] | None]:
    before, _, rest = text.partition("(")
    inside, _, after = rest.rpartition(")")
    result = after.replace("->", "").strip() or before.strip()
    return tuple(_dtypes(inside)), next(iter(_dtypes(result)), None) if result not in ("void", "none", "") else None


def _dtypes(text: str) -> Iterable[np.dtype[Any]]:
    plain = re.sub(r"array\((\w+)[^)]*\)|\[[^\]]*\]", lambda found: found[1] or "", text)
    for name in filter(None, (part.strip() for part in plain.split(","))):
        try:
            yield np.dtype(_SHORT.get(name, name))
        except TypeError:
            raise ArgumentError(
                f"{name} is no type of an element",
                argument="signature",
                hint="use the names of NumPy's types, or leave the signature out",
            ) from None
