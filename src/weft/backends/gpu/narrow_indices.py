"""Prints indices of 32 bits, in the version of a kernel that is for launches in which all of them fit.

Counters and indices that `weft.analysis.values.widths` bounds are variables of 32 bits, strides count elements, and an
index of 64 bits becomes a narrow one when it is known to be inside of its axis. Whatever else is computed from narrow
variables is computed in 64 bits: a text has the type of its variable.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from weft.analysis.values.widths import is_narrow, widths
from weft.backends.text.code import UNARY, Code
from weft.backends.text.printer import Module, Printer
from weft.backends.text.views import NarrowView, ViewCode, is_unit
from weft.ir import nodes as n
from weft.ir.types import Scalar, View

INDEX = "index_t"
BOUNDED = frozenset({"add", "sub", "mul", "neg", "abs"})
"""Operations that can only fail by overflow."""


class NarrowPrinter(Printer):
    """A function whose indices have 32 bits, if it is the narrow version of a kernel."""

    def __init__(self, module: Module, kernel: n.Kernel | None = None) -> None:
        super().__init__(module)
        self.widths = widths(kernel) if kernel and is_narrow(kernel) else None
        self._casts: bool | None = None
        """Whether narrow operands are made wide; None: where the text has to have the type of its variable."""

    def is_narrow(self, var: n.Var) -> bool:
        """Whether a variable is an index whose C type has 32 bits."""
        return self.widths is not None and var.name in self.widths.narrow

    def variable_type(self, var: n.Var) -> str:
        """The C type of the variable of one that is no view."""
        return INDEX if self.is_narrow(var) else super().variable_type(var)

    def is_nonnegative(self, atom: n.Atom) -> bool:
        """Whether an integer is certainly 0 or more."""
        known = self.widths is not None and isinstance(atom, n.Var) and atom.name in self.widths.nonnegative
        return known or super().is_nonnegative(atom)

    def value(self, atom: n.Atom, exact: bool = False) -> Code:
        """The C expression of an atom."""
        code = super().value(atom, exact)
        wide = exact if self._casts is None else self._casts
        if wide and isinstance(atom, n.Var) and self.is_narrow(atom):
            return Code(f"(int64_t){code.inside(UNARY)}", UNARY, code.loads)
        return code

    def low_bits(self, atom: n.Atom) -> Code:
        """The C expression of an integer of which only the lowest bits count: they are the same in any width."""
        return super().value(atom)

    @contextmanager
    def in_width(self, let: n.Let) -> Iterator[None]:
        """While a definition is printed: narrow operands are made wide where what is defined is a wide integer."""
        outer, type = self._casts, let.var.type
        is_wide = isinstance(type, Scalar) and type.kind in "iu" and type.bits == 64 and not self.is_narrow(let.var)
        self._casts = is_wide and not isinstance(let.value, n.Load)
        try:
            yield
        finally:
            self._casts = outer

    def without_tests(self, let: n.Let) -> n.Let:
        """A definition that is not tested for overflow, where the launch has found that there can be none."""
        value = let.value
        if not (self.is_narrow(let.var) and isinstance(value, (n.Binary, n.Unary)) and value.op in BOUNDED):
            return let
        return replace(let, value=replace(value, checked=False))

    @property
    def inside_type(self) -> str:
        """The C type of an index that is inside of its axis."""
        return INDEX if self.widths else "int64_t"

    def index_type(self, index: n.Atom) -> str:
        """The C type that the place of an index is computed in."""
        return INDEX if isinstance(index, n.Var) and self.is_narrow(index) else super().index_type(index)

    def as_index(self, view: ViewCode, index: n.Atom, code: Code) -> Code:
        """An index that is inside of its axis of a view."""
        if self.widths is None or isinstance(index, n.Const) or self.is_narrow(index):
            return code
        return Code(f"({INDEX}){code.inside(UNARY)}", UNARY, code.loads)

    def narrow_view(self, view: ViewCode, type: View) -> tuple[ViewCode, list[Code]]:
        """A view with variables of 32 bits in place of extents and strides, and the parameters that they come from."""
        shape, strides = view.shape, view.strides[: len(view.strides) - is_unit(type)]
        given = [Code(self.module.identifiers.fresh(f"{part.text}_given")) for part in (*shape, *strides)]
        for part, whole in zip(shape, given, strict=False):
            self.lines.add(f"{INDEX} {part.text} = ({INDEX}){whole.text};")
        if not isinstance(type.element, Scalar):
            return ViewCode(view.pointer, type.element, shape, view.strides), [*given[: len(shape)], *strides]
        shift = f" >> {type.element.size.bit_length() - 1}" if type.element.size > 1 else ""
        for part, whole in zip(strides, given[len(shape) :], strict=True):
            self.lines.add(f"{INDEX} {part.text} = ({INDEX})({whole.text}{shift});")
        return NarrowView(view.pointer, type.element, shape, (*strides, *[Code("1")] * is_unit(type))), given
