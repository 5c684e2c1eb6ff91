"""How far apart in memory an access goes from one iteration of a loop to the next, in bytes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.values.linear import ZERO, Form, constant, symbol
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import View

StrideKind: TypeAlias = Literal["none", "unit", "constant", "symbolic", "irregular"]


@dataclass(frozen=True)
class Stride:
    """The distance between the elements that consecutive iterations touch.

    Attributes
    ----------
    kind
        ``none``: the same element. ``unit``: the next element. ``constant``, ``symbolic``: always the same
        distance. ``irregular``: not always the same.
    bytes
        The distance; None where it is irregular. Strides of arrays are the symbols ``a.strides[k]``.
    """

    kind: StrideKind
    bytes: Form | None


def stride(table: AccessTable, access: Access, loop: Loop) -> Stride:
    """The stride of an access along a loop around it."""
    if access.indices is None or not isinstance(loop.node, n.For):
        return Stride("irregular", None)
    counter, total = loop.node.index.name, ZERO
    for axis, index in enumerate(access.indices):
        step = _step(table, index.form, counter, loop)
        if step is None:
            return Stride("irregular", None)
        if step:
            total = total + step * axis_stride(table, access.array, axis)
    return _classified(access, total)


def _step(table: AccessTable, form: Form, counter: str, loop: Loop) -> Form | None:
    """By how much an index grows in one iteration; None where that is not the same every time."""
    if form.degree(counter) > 1:
        return None
    step, rest = form.coefficient(counter), form.without(counter)
    inner = {
        o.node.index.name for o in table.structure.loops.values() if loop in o.around and isinstance(o.node, n.For)
    }
    varying = {name for name in (*step.names, *rest.names) if table.structure.is_inside(name, loop)}
    return step if varying <= inner and not step.names & varying and varying <= rest.symbols else None


def axis_stride(table: AccessTable, array: n.Var, axis: int) -> Form:
    """The byte stride of an axis of an array: a number, a product of extents, or the symbol ``a.strides[k]``."""
    assert isinstance(array.type, View)
    size = array.type.element.size
    if isinstance(table.structure.definition(array).value, n.Alloc):
        result = constant(size)
        for later in range(axis + 1, array.type.ndim):
            result = result * table.forms.extent(array, later)
        return result
    if axis == array.type.ndim - 1 and array.type.contiguous:
        return constant(size)
    return symbol(f"{array.name}.strides[{axis}]")


def _classified(access: Access, total: Form) -> Stride:
    assert isinstance(access.array.type, View)
    if not total:
        return Stride("none", total)
    value = total.value
    if value is None:
        return Stride("symbolic", total)
    return Stride("unit" if abs(value) == access.array.type.element.size else "constant", total)
