"""Views of boxes of arrays as statements of the IR, and the boxes of such views again."""

from __future__ import annotations

from collections.abc import Callable

from weft.analysis.access.access import AccessTable
from weft.analysis.values.linear import ZERO, Extent, Form, Positive, Quotient
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT, View
from weft.ir.visit import Names
from weft.plan.transfers.regions import Box, Side, Space


class ViewMaker:
    """Writes statements that compute forms and cut boxes out of arrays.

    Parameters
    ----------
    names
        Where new variables get their names.
    var
        The variable of a name.
    """

    def __init__(self, names: Names, var: Callable[[str], n.Var]) -> None:
        self._names = names
        self._var = var

    def cut(self, array: n.Var, box: Box, where: Space, location: Location) -> tuple[list[n.Statement], n.Var]:
        """The part of an array inside a box, and the statements that make it; the array itself where that is all."""
        if box == where.whole:
            return [], array
        statements: list[n.Statement] = []
        axes: list[n.Slice] = []
        for axis, (side, size) in enumerate(zip(box, where.extents, strict=True)):
            extent = self._dim(array, axis, statements, location)
            axes.append(self._slice(side, size, extent, where, statements, location))
        assert isinstance(array.type, View)
        view = self._names.fresh(array.stem, View(array.type.element, array.type.ndim, writable=array.type.writable))
        statements.append(n.Let(view, n.Subview(array, tuple(axes), "safe"), location))
        return statements, view

    def _slice(
        self, side: Side, size: Form, extent: n.Atom, where: Space, statements: list[n.Statement], location: Location
    ) -> n.Slice:
        """One axis, kept inside of the array and never of negative length."""
        if side.low == ZERO and side.stop == size:
            return n.Slice(n.Const(0), extent, n.Const(1))
        low = self.atom(side.low, statements, location)
        if not where.proves(side.low):
            low = self._binary("max", low, n.Const(0), statements, location)
        stop = extent if side.stop == size else self.atom(side.stop, statements, location)
        if not where.proves(size - side.stop):
            stop = self._binary("min", stop, extent, statements, location)
        length = stop if low == n.Const(0) else self._binary("sub", stop, low, statements, location)
        if not where.proves(side.stop - side.low) or not where.proves(size - side.stop) or not where.proves(side.low):
            length = self._binary("max", length, n.Const(0), statements, location)
        return n.Slice(low, length, n.Const(1))

    def atom(self, form: Form, statements: list[n.Statement], location: Location) -> n.Atom:
        """The value of a form."""
        total: n.Atom | None = None
        for monomial, factor in form.terms.items():
            term = self._term(monomial, abs(factor), statements, location)
            if total is None:
                total = term if factor > 0 else self._binary("sub", n.Const(0), term, statements, location)
            else:
                total = self._binary("add" if factor > 0 else "sub", total, term, statements, location)
        return n.Const(0) if total is None else total

    def _term(
        self, monomial: tuple[str, ...], factor: int, statements: list[n.Statement], location: Location
    ) -> n.Atom:
        atoms = [self._symbol(name, statements, location) for name in monomial]
        if factor != 1 or not atoms:
            atoms.append(n.Const(factor))
        product = atoms[0]
        for atom in atoms[1:]:
            product = self._binary("mul", product, atom, statements, location)
        return product

    def _symbol(self, name: str, statements: list[n.Statement], location: Location) -> n.Atom:
        if isinstance(name, Extent):
            return self._dim(self._var(name.array), name.axis, statements, location)
        if isinstance(name, Quotient):
            parts = [self.atom(part, statements, location) for part in name.parts]
            return self._binary("floordiv", parts[0], parts[1], statements, location)
        if isinstance(name, Positive):
            inner = self.atom(name.parts[0], statements, location)
            return self._binary("max", inner, n.Const(0), statements, location)
        var = self._var(name)
        if var.type == PYINT:
            return var
        value = self._names.fresh(var.stem, PYINT)
        statements.append(n.Let(value, n.Cast(var, checked=False), location))
        return value

    def _dim(self, array: n.Var, axis: int, statements: list[n.Statement], location: Location) -> n.Atom:
        extent = self._names.fresh(f"{array.stem}_dim{axis}", PYINT)
        statements.append(n.Let(extent, n.Dim(array, axis), location))
        return extent

    def _binary(
        self, op: n.BinaryOp, left: n.Atom, right: n.Atom, statements: list[n.Statement], location: Location
    ) -> n.Atom:
        value = self._names.fresh("bound", PYINT)
        statements.append(n.Let(value, n.Binary(op, left, right, checked=False), location))
        return value


def box_of(table: AccessTable, view: n.Var) -> tuple[n.Var, Box]:
    """The array and the box of a view that `ViewMaker.cut` made, or of a whole array."""
    definition = table.structure.definition(view)
    value = definition.value
    if not isinstance(value, n.Subview):
        return view, tuple(Side(ZERO, size) for size in table.forms.view(view).extents)
    sides = []
    for axis, part in enumerate(value.axes):
        assert isinstance(part, n.Slice)
        size = table.forms.view(value.view).extents[axis]
        sides.append(_side_of(table, part, size))
    return value.view, tuple(sides)


def _side_of(table: AccessTable, part: n.Slice, size: Form) -> Side:
    """The side whose clipped form a slice is."""
    low = table.forms.of(_unclipped(table, part.start, "max", ZERO))
    length = _unclipped(table, part.length, "max", ZERO)
    difference = _defined(table, length)
    if part.start != n.Const(0) and isinstance(difference, n.Binary) and difference.op == "sub":
        length = difference.left
    return Side(low, table.forms.of(_unclipped(table, length, "min", size)))


def _unclipped(table: AccessTable, atom: n.Atom, op: str, limit: Form) -> n.Atom:
    value = _defined(table, atom)
    is_clipped = isinstance(value, n.Binary) and value.op == op and table.forms.of(value.right) == limit
    return value.left if is_clipped and isinstance(value, n.Binary) else atom


def _defined(table: AccessTable, atom: n.Atom) -> n.Expression | None:
    return table.structure.definition(atom).value if isinstance(atom, n.Var) else None
