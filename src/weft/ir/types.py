"""Types of the IR: weak Python scalars, NumPy scalars, records, vectors and array views."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from weft.dataclass import dataclass

Kind: TypeAlias = Literal["b", "i", "u", "f", "c"]


@dataclass(frozen=True)
class Scalar:
    """A scalar type.

    `kind` is NumPy's kind letter (bool, signed, unsigned, float, complex); `weak` marks the types of Python's own
    numbers, which adapt to the other operand as NEP 50 says. ``pyint`` is an int64 whose overflow is an error.
    """

    name: str
    kind: Kind
    bits: int
    weak: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The NumPy dtype that holds a value of this type."""
        return np.dtype(_STORED_AS.get(self.name, self.name))

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return max(self.bits // 8, 1)


_STORED_AS = {"pybool": "bool", "pyint": "int64", "pyfloat": "float64", "pycomplex": "complex128"}

PYBOOL = Scalar("pybool", "b", 8, weak=True)
PYINT = Scalar("pyint", "i", 64, weak=True)
PYFLOAT = Scalar("pyfloat", "f", 64, weak=True)
PYCOMPLEX = Scalar("pycomplex", "c", 128, weak=True)
BOOL = Scalar("bool", "b", 8)
INT8, INT16, INT32, INT64 = (Scalar(f"int{n}", "i", n) for n in (8, 16, 32, 64))
UINT8, UINT16, UINT32, UINT64 = (Scalar(f"uint{n}", "u", n) for n in (8, 16, 32, 64))
FLOAT16, FLOAT32, FLOAT64 = (Scalar(f"float{n}", "f", n) for n in (16, 32, 64))
COMPLEX64, COMPLEX128 = (Scalar(f"complex{n}", "c", n) for n in (64, 128))

WEAK_TYPES = (PYBOOL, PYINT, PYFLOAT, PYCOMPLEX)
NUMPY_TYPES = (
    BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, FLOAT32, FLOAT64, COMPLEX64, COMPLEX128,
)  # fmt: skip
SCALARS: dict[str, Scalar] = {t.name: t for t in (*WEAK_TYPES, *NUMPY_TYPES)}


@dataclass(frozen=True)
class Field:
    """One field of a structured dtype: name, type and byte offset. `shape` is () or that of a sub-array."""

    name: str
    type: Element
    offset: int
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class Record:
    """A structured dtype: its fields and its size in bytes."""

    fields: tuple[Field, ...]
    size: int

    def field(self, name: str) -> Field:
        """The field called `name`; KeyError where there is none."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The structured NumPy dtype."""
        formats = [(f.type.dtype, f.shape) for f in self.fields]
        names, offsets = [f.name for f in self.fields], [f.offset for f in self.fields]
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": self.size})

    def __str__(self) -> str:
        fields = ", ".join(f"{f.name}: {f.type}{list(f.shape) or ''}@{f.offset}" for f in self.fields)
        return f"{{{fields}; {self.size}}}"


Element: TypeAlias = Scalar | Record


HOST = "host"
"""The memory that Python's arrays are in."""


@dataclass(frozen=True)
class View:
    """The type of an array variable: element type, number of dimensions, and what is known of its layout.

    `contiguous` says that the innermost stride equals the element's size; `writable` that stores are allowed;
    `aligned` is the proven alignment of the first element in bytes (0: the element's own). `memory`, where the caller's
    array is, is set for parameters only: views made from it do not repeat it.
    """

    element: Element
    ndim: int
    contiguous: bool = False
    writable: bool = True
    aligned: int = 0
    memory: str = HOST

    def __str__(self) -> str:
        marks = (", contiguous" if self.contiguous else "") + ("" if self.writable else ", readonly")
        marks += f", aligned {self.aligned}" if self.aligned else ""
        marks += f", on {self.memory}" if self.memory != HOST else ""
        return f"view<{self.element}, {self.ndim}{marks}>"


@dataclass(frozen=True)
class Vector:
    """`lanes` scalars worked on together; made by the pass that turns a lane loop into vector code."""

    element: Scalar
    lanes: int

    def __str__(self) -> str:
        return f"{self.element}x{self.lanes}"


Type: TypeAlias = Scalar | View | Vector | Record


def limits(type: Type) -> tuple[int, int]:
    """The smallest and the largest value of an integer type."""
    assert isinstance(type, Scalar)
    if type.kind == "u":
        return 0, 2**type.bits - 1
    return -(2 ** (type.bits - 1)), 2 ** (type.bits - 1) - 1


def scalar_of(dtype: np.dtype[np.generic]) -> Scalar:
    """The scalar type of a NumPy dtype in native byte order; KeyError where Weft has none."""
    if not dtype.isnative:
        raise KeyError(str(dtype))
    return SCALARS[dtype.name]


def element_of(dtype: np.dtype[np.generic]) -> Element:
    """The element type of a NumPy dtype, structured or not; KeyError where Weft has none."""
    if dtype.names is None:
        return scalar_of(dtype)
    fields = []
    for name in dtype.names:
        inner, offset = dtype.fields[name][:2]  # type: ignore[index]
        fields.append(Field(name, element_of(inner.base), int(offset), tuple(inner.shape)))
    return Record(tuple(fields), dtype.itemsize)
