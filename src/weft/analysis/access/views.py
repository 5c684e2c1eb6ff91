"""What a view shows of its array: for every axis of the array, which of its elements an index of the view means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from weft.analysis.values.linear import ONE, ZERO, Form, constant
from weft.ir import nodes as n
from weft.ir.types import Record, View

FormOf: TypeAlias = Callable[[n.Atom], Form]
UNIT = Form({ONE: 1})


@dataclass(frozen=True)
class Index:
    """An index on one axis of an array.

    Where `sign` is not None, negative indices count from the end: the element is at `form` where ``sign >= 0`` and at
    ``form + wrap`` elsewhere.
    """

    form: Form
    sign: Form | None = None
    wrap: Form = ZERO


@dataclass(frozen=True)
class AxisMap:
    """One axis of an array: `index` where the view fixes it, else ``index.form + step * k`` for index `k` of `axis`."""

    index: Index
    step: Form = UNIT
    axis: int | None = None


@dataclass(frozen=True)
class ViewMap:
    """A view as a function into its array.

    Attributes
    ----------
    array
        The variable that holds the whole array: a parameter, an allocation, or a view that is carried or chosen.
    fields
        The fields of a structured or complex element that were taken, outermost first.
    axes
        One map for every axis of the array (and of the sub-array axes of its fields).
    extents
        The extents of the view.
    """

    array: n.Var
    fields: tuple[str, ...]
    axes: tuple[AxisMap, ...]
    extents: tuple[Form, ...]

    def locate(self, indices: Sequence[Index]) -> tuple[Index, ...]:
        """The indices on the axes of the array for indices of the view."""
        return tuple(_through(axis, indices) for axis in self.axes)


def whole(array: n.Var, extents: Sequence[Form]) -> ViewMap:
    """The view that is its array."""
    axes = tuple(AxisMap(Index(ZERO), UNIT, axis) for axis in range(len(extents)))
    return ViewMap(array, (), axes, tuple(extents))


def derive(base: ViewMap, node: n.Subview | n.Transpose | n.FieldView, form_of: FormOf) -> ViewMap:
    """The map of a view of a view."""
    if isinstance(node, n.Transpose):
        return _transposed(base, node.permutation)
    if isinstance(node, n.FieldView):
        return _field(base, node)
    return _subview(base, node, form_of)


def index_of(atom: n.Atom, bounds: n.Bounds, extent: Form, form_of: FormOf) -> Index:
    """An index of a view; with Python's rule a negative one counts from the end."""
    form = form_of(atom)
    if bounds != "python":
        return Index(form)
    value = form.value
    if value is not None:
        return Index(form if value >= 0 else form + extent)
    return Index(form, form, extent)


def _through(axis: AxisMap, indices: Sequence[Index]) -> Index:
    if axis.axis is None:
        return axis.index
    index = indices[axis.axis]
    form = axis.index.form + axis.step * index.form
    return Index(form, index.sign, axis.step * index.wrap)


def _transposed(base: ViewMap, permutation: tuple[int, ...]) -> ViewMap:
    place = {old: new for new, old in enumerate(permutation)}
    axes = tuple(a if a.axis is None else replace(a, axis=place[a.axis]) for a in base.axes)
    return replace(base, axes=axes, extents=tuple(base.extents[old] for old in permutation))


def _field(base: ViewMap, node: n.FieldView) -> ViewMap:
    shape: tuple[int, ...] = ()
    element = node.view.type.element if isinstance(node.view.type, View) else None
    if isinstance(element, Record):
        shape = element.field(node.name).shape
    rank = len(base.extents)
    added = tuple(AxisMap(Index(ZERO), UNIT, rank + k) for k in range(len(shape)))
    extents = (*base.extents, *(constant(size) for size in shape))
    return ViewMap(base.array, (*base.fields, node.name), (*base.axes, *added), extents)


def _subview(base: ViewMap, node: n.Subview, form_of: FormOf) -> ViewMap:
    selected: list[AxisMap] = []
    extents: list[Form] = []
    for item in node.axes:
        if item is None:
            extents.append(UNIT)
        elif isinstance(item, n.Slice):
            selected.append(AxisMap(Index(form_of(item.start)), form_of(item.step), len(extents)))
            extents.append(form_of(item.length))
        else:
            extent = base.extents[len(selected)]
            selected.append(AxisMap(index_of(item, node.bounds, extent, form_of)))
    for extent in base.extents[len(selected) :]:
        selected.append(AxisMap(Index(ZERO), UNIT, len(extents)))
        extents.append(extent)
    return ViewMap(base.array, base.fields, tuple(_compose(a, selected) for a in base.axes), tuple(extents))


def _compose(outer: AxisMap, selected: Sequence[AxisMap]) -> AxisMap:
    if outer.axis is None:
        return outer
    inner = selected[outer.axis]
    index = _through(outer, [a.index for a in selected])
    return AxisMap(index, outer.step * inner.step, inner.axis)
