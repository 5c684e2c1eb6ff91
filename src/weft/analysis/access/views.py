"""What a view shows of its array: for every axis of the array, which of its elements an index of the view means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from weft.analysis.values.linear import ONE, ZERO, Form, constant, remainder
from weft.dataclass import dataclass
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
    """One axis of an array: `index` and, for each of `terms`, its step times the index of its axis of the view."""

    index: Index
    terms: tuple[tuple[int, Form], ...] = ()


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
    axes = tuple(AxisMap(Index(ZERO), ((axis, UNIT),)) for axis in range(len(extents)))
    return ViewMap(array, (), axes, tuple(extents))


def derive(base: ViewMap, node: n.Subview | n.Transpose | n.Split | n.FieldView, form_of: FormOf) -> ViewMap:
    """The map of a view of a view."""
    if isinstance(node, n.Transpose):
        return _transposed(base, node.permutation)
    if isinstance(node, n.FieldView):
        return _field(base, node)
    if isinstance(node, n.Split):
        return _split(base, node, form_of)
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
    found = axis.index
    for position, step in axis.terms:
        index = indices[position]
        if found.sign is not None and index.sign is not None:
            index = Index(remainder(index.form, index.wrap))
        sign, wrap = (found.sign, found.wrap) if index.sign is None else (index.sign, step * index.wrap)
        found = Index(found.form + step * index.form, sign, wrap)
    return found


def _transposed(base: ViewMap, permutation: tuple[int, ...]) -> ViewMap:
    place = {old: new for new, old in enumerate(permutation)}
    axes = tuple(replace(a, terms=tuple((place[axis], step) for axis, step in a.terms)) for a in base.axes)
    return replace(base, axes=axes, extents=tuple(base.extents[old] for old in permutation))


def _field(base: ViewMap, node: n.FieldView) -> ViewMap:
    shape: tuple[int, ...] = ()
    element = node.view.type.element if isinstance(node.view.type, View) else None
    if isinstance(element, Record):
        shape = element.field(node.name).shape
    rank = len(base.extents)
    added = tuple(AxisMap(Index(ZERO), ((rank + k, UNIT),)) for k in range(len(shape)))
    extents = (*base.extents, *(constant(size) for size in shape))
    return ViewMap(base.array, (*base.fields, node.name), (*base.axes, *added), extents)


def _subview(base: ViewMap, node: n.Subview, form_of: FormOf) -> ViewMap:
    selected: list[AxisMap] = []
    extents: list[Form] = []
    for item in node.axes:
        if item is None:
            extents.append(UNIT)
        elif isinstance(item, n.Slice):
            selected.append(AxisMap(Index(form_of(item.start)), ((len(extents), form_of(item.step)),)))
            extents.append(form_of(item.length))
        else:
            extent = base.extents[len(selected)]
            selected.append(AxisMap(index_of(item, node.bounds, extent, form_of)))
    for extent in base.extents[len(selected) :]:
        selected.append(AxisMap(Index(ZERO), ((len(extents), UNIT),)))
        extents.append(extent)
    return ViewMap(base.array, base.fields, tuple(_compose(a, selected) for a in base.axes), tuple(extents))


def _compose(outer: AxisMap, selected: Sequence[AxisMap]) -> AxisMap:
    index = _through(outer, [a.index for a in selected])
    terms = ((axis, step * inner) for position, step in outer.terms for axis, inner in selected[position].terms)
    return AxisMap(index, tuple(terms))


def _split(base: ViewMap, node: n.Split, form_of: FormOf) -> ViewMap:
    extents = [form_of(extent) for extent in node.extents]
    steps = [UNIT]
    for extent in reversed(extents[1:]):
        steps.insert(0, steps[0] * extent)
    parts = AxisMap(Index(ZERO), tuple((node.axis + k, step) for k, step in enumerate(steps)))
    before, behind = base.extents[: node.axis], base.extents[node.axis + 1 :]
    selected = [AxisMap(Index(ZERO), ((k, UNIT),)) for k in range(len(before))]
    selected += [parts, *(AxisMap(Index(ZERO), ((node.axis + len(steps) + k, UNIT),)) for k in range(len(behind)))]
    axes = tuple(_compose(axis, selected) for axis in base.axes)
    return ViewMap(base.array, base.fields, axes, (*before, *extents, *behind))
