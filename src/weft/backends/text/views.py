"""Views in C: a pointer to the first element, and extents and byte strides, each a variable or a constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.backends.text.code import ATOM, PRODUCT, SUM, UNARY, Code, infix
from weft.dataclass import dataclass
from weft.ir.types import Element, View

if TYPE_CHECKING:
    from weft.backends.text.dialect import Dialect

NO_BASE = "NULL"


@dataclass(frozen=True)
class ViewCode:
    """The C expressions that a view consists of.

    Parameters
    ----------
    pointer
        The address of the first element.
    element
        What the elements are.
    shape, strides
        Extents, and distances in bytes.
    base
        The memory that must be released once nobody needs the view, where that is not known statically.
    packed
        Elements may lie at addresses that are not multiples of their size: fields of packed records.
    """

    pointer: str
    element: Element
    shape: tuple[Code, ...]
    strides: tuple[Code, ...]
    base: str = NO_BASE
    packed: bool = False

    @classmethod
    def named(cls, name: str, type: View, tracked: bool = False, packed: bool = False) -> ViewCode:
        """A view whose parts are C variables that start with `name`."""
        shape = tuple(Code(f"{name}_n{k}") for k in range(type.ndim))
        strides = tuple(Code(f"{name}_s{k}") for k in range(type.ndim))
        if is_unit(type):
            strides = (*strides[:-1], Code(str(type.element.size)))
        return cls(name, type.element, shape, strides, f"{name}_base" if tracked else NO_BASE, packed)

    @property
    def byte_strides(self) -> tuple[Code, ...]:
        """Distances in bytes."""
        return self.strides

    def distance(self, offset: Code) -> Code:
        """A sum of products of strides, in bytes."""
        return offset

    @classmethod
    def empty(cls, type: View) -> ViewCode:
        """A view that is never looked through."""
        zero = (Code("0"),) * type.ndim
        return cls(NO_BASE, type.element, zero, zero)

    @classmethod
    def undefined(cls, dialect: Dialect, type: View) -> ViewCode:
        """A view that nothing was assigned to: code that looks through it is never reached, but compiled."""
        nothing = cls.empty(type)
        return replace(nothing, pointer=f"(({nothing.pointer_type(dialect).rstrip()}){NO_BASE})")

    def parts(self, type: View, tracked: bool) -> list[Code]:
        """The expressions to copy for a variable of a type; the stride that its type implies is left out."""
        strides = self.strides[:-1] if is_unit(type) else self.strides
        base = [Code(self.base)] if tracked else []
        return [Code(self.pointer), *self.shape, *strides, *base]

    def part_types(self, dialect: Dialect, type: View, tracked: bool) -> list[str]:
        """The C types of `parts`."""
        count = 2 * type.ndim - is_unit(type)
        base = ["void *"] if tracked else []
        return [self.pointer_type(dialect), *["int64_t"] * count, *base]

    def pointer_type(self, dialect: Dialect) -> str:
        """The C type of the pointer."""
        return dialect.pointer(self.memory_type(dialect))

    def memory_type(self, dialect: Dialect) -> str:
        """The C type of an element in memory."""
        return dialect.memory_name(self.element, self.packed)

    def address(self, dialect: Dialect, indices: Sequence[Code]) -> str:
        """The address of the element at indices that are inside.

        In bytes from the first element: CUDA's compiler takes stores of vectors apart where it is computed otherwise.
        """
        offset = byte_offset(indices, self.strides)
        return self.pointer if offset is None else f"AT({self.memory_type(dialect)}, {self.pointer}, {offset.text})"

    def at(self, dialect: Dialect, indices: Sequence[Code]) -> Code:
        """The element at indices that are inside: an lvalue."""
        if not indices:
            return Code(f"*{self.pointer}", UNARY, True)
        *outer, last = indices
        if self.strides[-1].text == str(self.element.size):
            offset = byte_offset(outer, self.strides[:-1])
            row = self.pointer if offset is None else f"AT({self.memory_type(dialect)}, {self.pointer}, {offset.text})"
            return Code(f"{row}[{last.text}]", ATOM, True)
        return Code(f"*{self.address(dialect, indices)}", UNARY, True)


@dataclass(frozen=True)
class OwnArray(ViewCode):
    """An array of a thread or a block: a C array, whose strides count elements."""

    def address(self, dialect: Dialect, indices: Sequence[Code]) -> str:
        """The address of the element at indices that are inside."""
        return f"&{self.at(dialect, indices).text}"

    def at(self, dialect: Dialect, indices: Sequence[Code]) -> Code:
        """The element at indices that are inside: an lvalue."""
        place = byte_offset(indices, self.strides)
        return Code(f"{self.pointer}[{'0' if place is None else place.text}]", ATOM, True)


@dataclass(frozen=True)
class NarrowView(ViewCode):
    """An array whose elements are counted in 32 bits: strides are in elements."""

    def address(self, dialect: Dialect, indices: Sequence[Code]) -> str:
        """The address of the element at indices that are inside."""
        place = byte_offset(indices, self.strides)
        if place is None:
            return self.pointer
        distance = f"(int64_t)({place.text}) * {self.element.size}"
        return f"AT({self.memory_type(dialect)}, {self.pointer}, {distance})"

    def at(self, dialect: Dialect, indices: Sequence[Code]) -> Code:
        """The element at indices that are inside: an lvalue."""
        place = byte_offset(indices, self.strides)
        return Code(f"{self.pointer}[{'0' if place is None else place.text}]", ATOM, True)

    def distance(self, offset: Code) -> Code:
        """A sum of products of strides, in bytes."""
        return Code(f"(int64_t)({offset.text}) * {self.element.size}", PRODUCT)

    @property
    def byte_strides(self) -> tuple[Code, ...]:
        """Distances in bytes."""
        size = Code(str(self.element.size))
        return tuple(infix("*", PRODUCT, Code(f"(int64_t){s.inside(UNARY)}", UNARY), size) for s in self.strides)


def is_unit(type: View) -> bool:
    """Whether the innermost stride is the size of an element."""
    return type.contiguous and type.ndim > 0


def byte_offset(indices: Sequence[Code], strides: Sequence[Code]) -> Code | None:
    """The distance in bytes from the first element; None for no distance."""
    total: Code | None = None
    for index, stride in zip(indices, strides, strict=True):
        if "0" in (index.text, stride.text):
            continue
        term = index if stride.text == "1" else infix("*", PRODUCT, index, stride)
        total = term if total is None else infix("+", SUM, total, term)
    return total
