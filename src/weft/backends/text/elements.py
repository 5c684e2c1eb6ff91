"""Accesses to elements, and views made from views: how indices are checked and addresses computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from weft.backends.text.code import EQUALITY, ORDER, PRODUCT, SUM, Code, call, infix
from weft.backends.text.sites import index_site
from weft.backends.text.views import NarrowView, OwnArray, ViewCode, byte_offset, is_unit
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import PYINT, Record, Scalar, Vector, View

if TYPE_CHECKING:
    from weft.backends.text.printer import Printer


# ----------------------------------------------------------------------------------------------- indices


def checked_indices(
    printer: Printer, view: ViewCode, indices: Sequence[n.Atom], bounds: n.Bounds, axes: Sequence[int] | None = None
) -> list[Code]:
    """The indices as C expressions, after the tests that `bounds` asks for."""
    axes = range(len(indices)) if axes is None else axes
    return [checked_index(printer, view, index, axis, bounds) for index, axis in zip(indices, axes, strict=True)]


def checked_index(printer: Printer, view: ViewCode, index: n.Atom, axis: int, bounds: n.Bounds) -> Code:
    """One index, after its test."""
    if bounds == "safe":
        return printer.as_index(view, index, printer.value(index))
    extent = view.shape[axis]
    code = printer.simple(index)
    if _is_inside(index, extent):
        return printer.as_index(view, index, code)
    outside, wrapped = _test(printer, index, code, extent, bounds)
    if bounds == "clamp":
        return printer.clamped(code, extent, outside, index_site(axis, printer.location))
    operands = [_as_int64(index, code), extent]
    inside = printer.inside(outside, wrapped, extent, index_site(axis, printer.location), operands)
    return printer.as_index(view, index, inside)


def _is_inside(index: n.Atom, extent: Code) -> bool:
    """Whether the test can be made while compiling: for arrays of a constant size."""
    return isinstance(index, n.Const) and extent.text.isdigit() and 0 <= int(index.value.real) < int(extent.text)


def _test(printer: Printer, index: n.Atom, code: Code, extent: Code, bounds: n.Bounds) -> tuple[Code, Code]:
    """The condition under which an index is outside, and the position that it stands for."""
    if printer.is_nonnegative(index):
        return _is_beyond(index, code, extent), code
    if isinstance(index, n.Const):
        back = Code(str(-int(index.value.real)))
        missing = infix("<", ORDER, extent, back) if bounds == "python" else Code("true")
        return missing, infix("-", SUM, extent, back)
    type = printer.index_type(index)
    if bounds == "python":
        code = Code(printer.declare("place", type, call(printer.from_end, code, extent).text))
    unsigned = "uint64_t" if type == "int64_t" else "uint32_t"
    return infix(">=", ORDER, Code(f"({unsigned}){code.text}"), Code(f"({unsigned}){extent.text}")), code


def _is_beyond(index: n.Atom, code: Code, extent: Code) -> Code:
    if isinstance(index.type, Scalar) and index.type.kind == "u" and index.type.bits == 64:
        return infix(">=", ORDER, code, Code(f"(uint64_t){extent.text}"))
    return infix(">=", ORDER, code, extent)


def _as_int64(index: n.Atom, code: Code) -> Code:
    return code if index.type == PYINT else Code(f"(int64_t){code.text}")


# ---------------------------------------------------------------------------------------------- accesses


def load(printer: Printer, var: n.Var, value: n.Load) -> Code:
    """An element as a value."""
    if isinstance(var.type, Vector):
        return printer.vector(var, value)
    view = printer.view(value.view)
    place = view.at(printer.dialect, checked_indices(printer, view, value.indices, value.bounds))
    place = printer.element(value.view, place)
    if isinstance(view.element, Scalar) and view.element.kind == "b":
        return infix("!=", EQUALITY, place, Code("0"))
    return place


def store(printer: Printer, node: n.Store) -> None:
    """An assignment of an element."""
    if isinstance(node.value.type, Vector) or any(isinstance(i.type, Vector) for i in node.indices):
        printer.vector_store(node)
        return
    view = printer.view(node.view)
    place = view.at(printer.dialect, checked_indices(printer, view, node.indices, node.bounds))
    value = printer.value(node.value)
    printer.before_store(node, place)
    printer.effect(f"{place.text} = {value.text};")


def update(printer: Printer, node: n.Update) -> None:
    """An assignment that combines an element with a value."""
    view = printer.view(node.view)
    place = view.at(printer.dialect, checked_indices(printer, view, node.indices, node.bounds))
    value = printer.simple(node.value)
    printer.settle_loads()
    printer.before_store(node, place)
    if node.op == "assign":
        printer.lines.add(f"{place.text} = {value.text};")
    else:
        printer.combine_in_memory(node, place, value)


def dim(printer: Printer, var: n.Var, value: n.Dim) -> Code:
    """An extent."""
    return printer.view(value.view).shape[value.axis]


# ------------------------------------------------------------------------------------------------- views


def subview(printer: Printer, var: n.Var, value: n.Subview) -> None:
    """A view of some axes of another."""
    view = printer.view(value.view)
    shape: list[Code] = []
    strides: list[Code] = []
    offsets: list[tuple[Code, Code]] = []
    axis = 0
    for part in value.axes:
        if part is None:
            shape.append(Code("1"))
            strides.append(Code("0"))
            continue
        stride = view.strides[axis]
        if isinstance(part, n.Slice):
            offsets.append((printer.value(part.start), stride))
            shape.append(printer.simple(part.length))
            strides.append(_stepped(printer, var, stride, part.step))
        else:
            offsets.append((checked_index(printer, view, part, axis, value.bounds), stride))
        axis += 1
    shape += view.shape[axis:]
    strides += view.strides[axis:]
    pointer = _moved(printer, var, view, byte_offset(*map(list, zip(*offsets, strict=True))) if offsets else None)
    _bind_view(printer, var, view, pointer, shape, strides)


def _stepped(printer: Printer, var: n.Var, stride: Code, step: n.Atom) -> Code:
    if isinstance(step, n.Const) and step.value == 1:
        return stride
    product = infix("*", PRODUCT, stride, printer.value(step))
    if stride.text.isdigit() and isinstance(step, n.Const):
        return Code(str(int(stride.text) * int(step.value.real)))
    return Code(printer.declare(f"{var.stem}_stride", "int64_t", product.text))


def _moved(printer: Printer, var: n.Var, view: ViewCode, offset: Code | None) -> str:
    if offset is None:
        return view.pointer
    memory, distance = view.memory_type(printer.dialect), view.distance(offset).text
    return printer.declare(var.name, view.pointer_type(printer.dialect), f"AT({memory}, {view.pointer}, {distance})")


def _bind_view(
    printer: Printer, var: n.Var, view: ViewCode, pointer: str, shape: Sequence[Code], strides: Sequence[Code]
) -> None:
    assert isinstance(var.type, View)
    if is_unit(var.type) and not isinstance(view, (NarrowView, OwnArray)):
        strides = (*strides[:-1], Code(str(var.type.element.size)))
    printer.views[var.name] = replace(view, pointer=pointer, shape=tuple(shape), strides=tuple(strides))


def transpose(printer: Printer, var: n.Var, value: n.Transpose) -> None:
    """The axes of a view in another order."""
    view = printer.view(value.view)
    shape = [view.shape[k] for k in value.permutation]
    strides = [view.strides[k] for k in value.permutation]
    _bind_view(printer, var, view, view.pointer, shape, strides)


def split(printer: Printer, var: n.Var, value: n.Split) -> None:
    """An axis as several: a step along one of them is as far as all steps along those behind it."""
    view, k = printer.view(value.view), value.axis
    shape = [printer.simple(extent) for extent in value.extents]
    strides = [view.strides[k]]
    for extent in reversed(shape[1:]):
        product = infix("*", PRODUCT, strides[0], extent).text
        strides.insert(0, Code(printer.declare(f"{var.stem}_stride", "int64_t", product)))
    shape, strides = (
        [*view.shape[:k], *shape, *view.shape[k + 1 :]],
        [*view.strides[:k], *strides, *view.strides[k + 1 :]],
    )
    _bind_view(printer, var, view, view.pointer, shape, strides)


def mergeable(printer: Printer, var: n.Var, value: n.Mergeable) -> Code:
    """Whether one step along an axis is as far as all steps along the next."""
    view, k = printer.view(value.view), value.axis
    along = infix("*", PRODUCT, view.shape[k + 1], view.strides[k + 1])
    return infix("==", EQUALITY, view.strides[k], along)


def merge(printer: Printer, var: n.Var, value: n.Merge) -> None:
    """Two neighbouring axes as one, in the steps of the second."""
    view, k = printer.view(value.view), value.axis
    extent = infix("*", PRODUCT, view.shape[k], view.shape[k + 1])
    shape = (*view.shape[:k], extent, *view.shape[k + 2 :])
    _bind_view(printer, var, view, view.pointer, shape, (*view.strides[:k], *view.strides[k + 1 :]))


def field_view(printer: Printer, var: n.Var, value: n.FieldView) -> None:
    """A field of every record, or the real or imaginary part of every number."""
    view = printer.view(value.view)
    assert isinstance(var.type, View)
    offset, extra = _field_place(view, value.name)
    packed = view.packed or isinstance(view.element, Record)
    made = ViewCode("", var.type.element, (), (), packed=packed)
    text = f"AT({made.memory_type(printer.dialect)}, {view.pointer}, {offset})"
    pointer = printer.declare(var.name, made.pointer_type(printer.dialect), text)
    extents = [Code(str(k)) for k in extra]
    strides = [Code(str(s)) for s in _contiguous(extra, var.type.element.size)]
    printer.views[var.name] = ViewCode(
        pointer, var.type.element, (*view.shape, *extents), (*view.strides, *strides), view.base, packed
    )


def _field_place(view: ViewCode, name: str) -> tuple[int, tuple[int, ...]]:
    """The offset of a field in bytes, and the axes that it appends."""
    if isinstance(view.element, Record):
        field = view.element.field(name)
        return field.offset, field.shape
    if name not in ("real", "imag"):
        raise InternalError(f"a view of {view.element} has no field {name}")
    return (view.element.size // 2 if name == "imag" else 0), ()


def _contiguous(shape: Sequence[int], size: int) -> Iterator[int]:
    """Strides of a C-contiguous array."""
    for k in range(len(shape)):
        stride = size
        for extent in shape[k + 1 :]:
            stride *= extent
        yield stride
