"""The rules that the verifier has for expressions, one small check each.

A check sees the expression and the type of the variable that is assigned, and yields the mistakes that it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from weft.errors import TypeInferenceError
from weft.ir import nodes as n
from weft.ir.c_text import parse
from weft.ir.semantics import (
    COMPARE_UFUNCS,
    MATH_FUNCTIONS,
    STRICT_FUNCTIONS,
    node_type,
    operand_types,
    operation_type,
    result_type,
)
from weft.ir.types import PYBOOL, PYINT, Element, Record, Scalar, Type, Vector, View


def is_boolean(type: Type) -> bool:
    """Whether a type is one of the two Booleans."""
    return isinstance(type, Scalar) and type.kind == "b"


def is_integer(type: Type) -> bool:
    """Whether a type is an integer."""
    return isinstance(type, Scalar) and type.kind in "iu"


def _element(type: Type) -> Type:
    return type.element if isinstance(type, Vector) else type


def _same_lanes(*types: Type) -> Iterator[str]:
    """Operations on vectors have vectors of the same length on all sides."""
    if len({t.lanes if isinstance(t, Vector) else 0 for t in types}) > 1:
        yield f"vectors of different lengths: {', '.join(map(str, types))}"


def _scalars(*types: Type) -> Iterator[str]:
    for type in types:
        if not isinstance(_element(type), Scalar):
            yield f"{type} is no number"


def check_unary(value: n.Unary, target: Type) -> Iterator[str]:
    """The operand has a type on which the operator works, and the result is of its type."""
    yield from _same_lanes(value.operand.type, target)
    yield from _check_operation(value.op, (value.operand,), target)


def check_binary(value: n.Binary, target: Type) -> Iterator[str]:
    """Both operands have one type, on which the operator works, and the result is of its type."""
    yield from _same_lanes(value.left.type, value.right.type, target)
    yield from _check_operation(value.op, (value.left, value.right), target)


def _check_operation(op: str, operands: Sequence[n.Atom], target: Type) -> Iterator[str]:
    types = {_element(o.type) for o in operands}
    if len(types) > 1:
        yield f"{op} of {' and '.join(sorted(map(str, types)))}"
        return
    (type,) = types
    if not isinstance(type, Scalar):
        yield f"{op} of {type}, which is no number"
        return
    try:
        taken = type if op == "pow" and type.weak else operation_type(op, *(type,) * len(operands))
        given = node_type(op, type)
    except TypeInferenceError as error:
        yield error.message
        return
    if taken != type:
        yield f"{op} of {type}, which must be converted to {taken}"
    if given != _element(target):
        yield f"{op} of {type} gives {given}, not {_element(target)}"


def check_compare(value: n.Compare, target: Type) -> Iterator[str]:
    """Both operands have one type; the result is the Boolean of its family."""
    assert value.op in COMPARE_UFUNCS
    yield from _same_lanes(value.left.type, value.right.type, target)
    yield from _check_operation(value.op, (value.left, value.right), target)


def check_select(value: n.Select, target: Type) -> Iterator[str]:
    """The condition is a Boolean, or a mask as long as the values, which have the type of the result."""
    if not is_boolean(_element(value.condition.type)):
        yield f"the condition of a select is a {value.condition.type}"
    if isinstance(value.condition.type, Vector):
        yield from _same_lanes(value.condition.type, target)
    for side in (value.then, value.orelse):
        if side.type != target:
            yield f"a select between {side.type} gives {target}"


def check_cast(value: n.Cast, target: Type) -> Iterator[str]:
    """Numbers are converted to numbers."""
    yield from _scalars(value.operand.type, target)
    yield from _same_lanes(value.operand.type, target)


def check_math(value: n.Math, target: Type) -> Iterator[str]:
    """The function exists, its operands were converted, and the result is of its type."""
    types = [_element(o.type) for o in value.operands]
    scalars = [t for t in types if isinstance(t, Scalar)]
    yield from _same_lanes(*(o.type for o in value.operands), target)
    if len(scalars) < len(types):
        yield f"{value.name} of something that is no number"
        return
    strict = value.strict or is_unchecked(value, target)
    try:
        taken = operand_types(value.name, *scalars, strict=strict)
        given = result_type(value.name, *scalars, strict=strict)
    except TypeInferenceError as error:
        yield error.message
        return
    if list(taken) != scalars:
        yield f"operands of {value.name} must be converted to {', '.join(map(str, taken))}"
    if given != _element(target):
        yield f"{value.name} gives {given}, not {_element(target)}"


def is_unchecked(value: n.Math, target: Type) -> bool:
    """Whether a function of Python's ``math`` was proven not to raise: its types stay Python's."""
    element = _element(target)
    known = value.name in STRICT_FUNCTIONS and value.name in MATH_FUNCTIONS
    return known and isinstance(element, Scalar) and element.weak


def check_native(value: n.Native, target: Type) -> Iterator[str]:
    """Operands and the result are of the types that the C function declares."""
    text = parse(value.source)
    found = tuple(operand.type for operand in value.operands)
    if found != text.params or target != text.result:
        yield f"{text.name} is called with {', '.join(map(str, found)) or 'nothing'} and gives {target}"


def check_fma(value: n.Fma, target: Type) -> Iterator[str]:
    """All operands and the result have one floating-point type."""
    types = {value.a.type, value.b.type, value.c.type, target}
    element = _element(target)
    if len(types) > 1 or not isinstance(element, Scalar) or element.kind != "f":
        yield f"a fused multiply-add of {', '.join(sorted(map(str, types)))}"


def check_access(view: n.Var, indices: Sequence[n.Atom], mask: n.Atom | None) -> Iterator[str]:
    """An access has an integer for every axis; its mask is as long as its vectors."""
    if not isinstance(view.type, View):
        yield f"{view.name} is a {view.type} and is indexed"
        return
    if len(indices) != view.type.ndim:
        yield f"{view.name} has {view.type.ndim} axes and is accessed with {len(indices)} indices"
    for index in indices:
        if not is_integer(_element(index.type)):
            yield f"an index of {view.name} is a {index.type}"
    if mask is not None:
        yield from _check_mask(mask, indices)


def _check_mask(mask: n.Atom, indices: Sequence[n.Atom]) -> Iterator[str]:
    if not isinstance(mask.type, Vector) or not is_boolean(mask.type.element):
        yield f"the mask of an access is a {mask.type}"
        return
    for index in indices:
        if isinstance(index.type, Vector):
            yield from _same_lanes(index.type, mask.type)


def check_load(value: n.Load, target: Type) -> Iterator[str]:
    """A load gives the view's element, or as many lanes of it as its indices have."""
    yield from check_access(value.view, value.indices, value.mask)
    if isinstance(value.view.type, View) and _element(target) != value.view.type.element:
        yield f"{value.view.name} holds {value.view.type.element}, and a {_element(target)} is loaded"
    for index in value.indices:
        if isinstance(index.type, Vector):
            yield from _same_lanes(index.type, target)


def check_dim(value: n.Dim, target: Type) -> Iterator[str]:
    """The axis exists; an extent is a ``pyint``."""
    if not isinstance(value.view.type, View) or not 0 <= value.axis < value.view.type.ndim:
        yield f"{value.view.name} has no axis {value.axis}"
    if target != PYINT:
        yield f"an extent is a pyint, not a {target}"


def check_alloc(value: n.Alloc, target: Type) -> Iterator[str]:
    """Extents are integers, the fill is an element, the result is a view of them."""
    for extent in value.shape:
        if not is_integer(extent.type):
            yield f"an extent is a {extent.type}"
    if value.fill is not None and value.fill.type != value.element:
        yield f"an array of {value.element} is filled with a {value.fill.type}"
    yield from _check_view(target, value.element, len(value.shape))


def _check_view(target: Type, element: Element, ndim: int) -> Iterator[str]:
    if not isinstance(target, View) or (target.element, target.ndim) != (element, ndim):
        yield f"a view of {element} with {ndim} axes is no {target}"


def _check_writable(source: n.Var, target: Type) -> Iterator[str]:
    """Views of read-only views are read-only."""
    if isinstance(source.type, View) and isinstance(target, View) and target.writable > source.type.writable:
        yield f"a writable view of {source.name}, which is read-only"


def check_subview(value: n.Subview, target: Type) -> Iterator[str]:
    """Every axis of the view is indexed; the result has the axes that are kept or added."""
    if not isinstance(value.view.type, View):
        yield f"{value.view.name} is a {value.view.type} and is indexed"
        return
    used = [axis for axis in value.axes if axis is not None]
    if len(used) != value.view.type.ndim:
        yield f"{value.view.name} has {value.view.type.ndim} axes, and {len(used)} are indexed"
    kept = sum(axis is None or isinstance(axis, n.Slice) for axis in value.axes)
    yield from _check_view(target, value.view.type.element, kept)
    yield from _check_writable(value.view, target)
    for atom in _axis_atoms(value.axes):
        if not is_integer(atom.type):
            yield f"an index of {value.view.name} is a {atom.type}"


def _axis_atoms(axes: Sequence[n.Atom | n.Slice | None]) -> Iterator[n.Atom]:
    for axis in axes:
        if isinstance(axis, n.Slice):
            yield from (axis.start, axis.length, axis.step)
        elif axis is not None:
            yield axis


def check_subview_contiguous(value: n.Subview, target: Type) -> Iterator[str]:
    """A subview is contiguous only if the last axis of a contiguous view is kept, with step 1."""
    if not isinstance(target, View) or not target.contiguous or target.ndim == 0 or not value.axes:
        return
    last = value.axes[-1]
    whole = isinstance(last, n.Slice) and last.step == n.Const(1, last.step.type)
    if not whole or not (isinstance(value.view.type, View) and value.view.type.contiguous):
        yield f"a part of {value.view.name} is called contiguous"


def check_transpose(value: n.Transpose, target: Type) -> Iterator[str]:
    """The permutation is one; the result is contiguous only if the last axis stays."""
    source = value.view.type
    if not isinstance(source, View) or sorted(value.permutation) != list(range(source.ndim)):
        yield f"{value.view.name} cannot be transposed by {value.permutation}"
        return
    yield from _check_view(target, source.element, source.ndim)
    yield from _check_writable(value.view, target)
    stays = source.contiguous and value.permutation[-1:] == (source.ndim - 1,)
    if isinstance(target, View) and target.contiguous and source.ndim and not stays:
        yield f"the transposed {value.view.name} is called contiguous"


def check_split(value: n.Split, target: Type) -> Iterator[str]:
    """The axis exists and becomes at least one; the result is contiguous only if the view is."""
    source = value.view.type
    if not isinstance(source, View) or not 0 <= value.axis < source.ndim or not value.extents:
        yield f"{value.view.name} has no axis {value.axis} to split"
        return
    yield from _check_view(target, source.element, source.ndim - 1 + len(value.extents))
    yield from _check_writable(value.view, target)
    yield from (f"an extent of {value.view.name} is a {a.type}" for a in value.extents if not is_integer(a.type))
    if isinstance(target, View) and target.contiguous > source.contiguous:
        yield f"the split {value.view.name} is called contiguous"


def check_mergeable(value: n.Mergeable, target: Type) -> Iterator[str]:
    """The axis and the one after it exist; the answer is a ``pybool``."""
    yield from _check_two_axes(value)
    if target != PYBOOL:
        yield f"whether axes can be merged is a pybool, not a {target}"


def check_merge(value: n.Merge, target: Type) -> Iterator[str]:
    """The axis and the one after it exist; the result has one axis less, and is contiguous only if the view is."""
    yield from _check_two_axes(value)
    source = value.view.type
    if isinstance(source, View):
        yield from _check_view(target, source.element, source.ndim - 1)
        yield from _check_writable(value.view, target)
        if isinstance(target, View) and target.contiguous > source.contiguous:
            yield f"the merged {value.view.name} is called contiguous"


def _check_two_axes(value: n.Mergeable | n.Merge) -> Iterator[str]:
    source = value.view.type
    if not isinstance(source, View) or not 0 <= value.axis < source.ndim - 1:
        yield f"{value.view.name} has no axes {value.axis} and {value.axis + 1}"


def check_field(value: n.FieldView, target: Type) -> Iterator[str]:
    """The field exists; axes of the field are appended."""
    source = value.view.type
    if not isinstance(source, View):
        yield f"{value.view.name} is a {source} and has no fields"
        return
    try:
        element, axes = _field(source.element, value.name)
    except (KeyError, TypeInferenceError):
        yield f"{source.element} has no field {value.name}"
        return
    yield from _check_view(target, element, source.ndim + axes)
    yield from _check_writable(value.view, target)


def _field(element: Element, name: str) -> tuple[Element, int]:
    if isinstance(element, Record):
        found = element.field(name)
        return found.type, len(found.shape)
    if element.kind != "c" or name not in ("real", "imag"):
        raise KeyError(name)
    return result_type(name, element), 0


def check_lanes(value: n.Lanes, target: Type) -> Iterator[str]:
    """The lanes are integers of the type of the first."""
    if not isinstance(target, Vector) or target.element != value.start.type or not is_integer(target.element):
        yield f"lanes from a {value.start.type} are no {target}"


def check_broadcast(value: n.Broadcast, target: Type) -> Iterator[str]:
    """A scalar becomes a vector of its type."""
    if not isinstance(target, Vector) or target.element != value.operand.type:
        yield f"a {value.operand.type} in all lanes is no {target}"


def check_reduce_lanes(value: n.ReduceLanes, target: Type) -> Iterator[str]:
    """A vector becomes a scalar of its type, by an operator that gives that type again."""
    if not isinstance(value.operand.type, Vector) or value.operand.type.element != target:
        yield f"a {value.operand.type} cannot be folded to a {target}"
        return
    try:
        given = node_type(value.op, value.operand.type.element)
    except TypeInferenceError as error:
        yield error.message
        return
    if given != target:
        yield f"{value.op} of {target} gives {given}"


def check_running_lanes(value: n.RunningLanes, target: Type) -> Iterator[str]:
    """A vector becomes another one of its type, by an operator that gives the type of an element again."""
    type = value.operand.type
    if not isinstance(type, Vector) or type != target:
        yield f"the running folds of a {type} are no {target}"
    else:
        yield from check_reduce_lanes(n.ReduceLanes(value.op, value.operand), type.element)


def check_lane(value: n.Lane, target: Type) -> Iterator[str]:
    """The vector has that lane."""
    type = value.operand.type
    if not isinstance(type, Vector) or type.element != target or not 0 <= value.axis < type.lanes:
        yield f"lane {value.axis} of a {type} is no {target}"


def check_pack(value: n.Pack, target: Type) -> Iterator[str]:
    """As many scalars of the vector's type as it has lanes."""
    if not isinstance(target, Vector) or [a.type for a in value.items] != [target.element] * target.lanes:
        yield f"{', '.join(str(a.type) for a in value.items)} are no {target}"


def check_aligned(value: n.Aligned, target: Type) -> Iterator[str]:
    """The alignment of a view is a positive number of bytes; the answer is a ``pybool``."""
    if not isinstance(value.view.type, View) or value.axis < 1:
        yield f"{value.view.name} cannot be aligned to {value.axis} bytes"
    if target != PYBOOL:
        yield f"whether a view is aligned is a pybool, not a {target}"


def check_room(value: n.Room, target: Type) -> Iterator[str]:
    """Room in a memory is a number of bytes, a ``pyint``."""
    if target != PYINT:
        yield f"the room in {value.memory} is a pyint, not a {target}"


EXPRESSION_CHECKS: dict[type, tuple[Callable[[Any, Type], Iterator[str]], ...]] = {
    n.Unary: (check_unary,),
    n.Binary: (check_binary,),
    n.Compare: (check_compare,),
    n.Select: (check_select,),
    n.Cast: (check_cast,),
    n.Math: (check_math,),
    n.Native: (check_native,),
    n.Fma: (check_fma,),
    n.Load: (check_load,),
    n.Dim: (check_dim,),
    n.Lane: (check_lane,),
    n.Pack: (check_pack,),
    n.Aligned: (check_aligned,),
    n.Room: (check_room,),
    n.Undefined: (),
    n.Alloc: (check_alloc,),
    n.Subview: (check_subview, check_subview_contiguous),
    n.Transpose: (check_transpose,),
    n.Split: (check_split,),
    n.Mergeable: (check_mergeable,),
    n.Merge: (check_merge,),
    n.FieldView: (check_field,),
    n.Lanes: (check_lanes,),
    n.Broadcast: (check_broadcast,),
    n.ReduceLanes: (check_reduce_lanes,),
    n.RunningLanes: (check_running_lanes,),
}
