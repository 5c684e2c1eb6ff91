"""What stands left of ``=``: names, elements of arrays, and tuples of these."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import cast as typed

from weft.errors import Error
from weft.frontend import members
from weft.frontend.arrays import assignments, evaluation, expressions, gathers, indexing
from weft.frontend.arrays.extents_of import extents_of
from weft.frontend.arrays.sizes import arithmetic
from weft.frontend.calls import calls, inlining, library_lists
from weft.frontend.control import iteration
from weft.frontend.several_types import optional
from weft.frontend.values import lists, mutable, objects, operators
from weft.frontend.values.dispatch import evaluate, evaluate_any, evaluate_lazily
from weft.frontend.values.names import frame_of
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import (
    UNSET,
    Closure,
    Flat,
    Instance,
    Mapped,
    Optional,
    Static,
    Value,
    children,
    describe_value,
    is_view,
    leaves,
)
from weft.ir import nodes as n
from weft.ir.semantics import BINARY_UFUNCS as UFUNC_NAMES
from weft.ir.types import PYBOOL, PYINT


def evaluate_for(ctx: Context, target: ast.expr, node: ast.expr) -> Value:
    """Translate an expression that is assigned; a temporary gets the name of the target."""
    if isinstance(target, ast.Subscript) and isinstance(node, ast.List) and not _is_part_of_object(ctx, target):
        return calls.items_of_list(ctx, node) or evaluate_lazily(ctx, node)
    if isinstance(target, ast.Subscript):
        return evaluate_lazily(ctx, node)
    if not isinstance(target, ast.Name):
        return evaluate_any(ctx, node)
    before = len(ctx.builder.statements)
    value = evaluation.consumed(ctx, evaluate_lazily(ctx, node), node, target.id)
    return ctx.named(value, target.id, before)


def _is_part_of_object(ctx: Context, target: ast.Subscript) -> bool:
    """Whether a list that is assigned stays a list: it is put in a dict, a list or an object, and not in an array."""
    snapshot, before = ctx.snapshot(), ctx.environment.copy()
    with ctx.block(Builder()):
        try:
            owner = evaluate_any(ctx, target.value)
        except Error:  # which is reported when the target is translated
            owner = UNSET
    ctx.restore(snapshot)
    ctx.environment = before
    return isinstance(owner, Instance)


def assign(ctx: Context, target: ast.expr, value: Value, node: ast.AST) -> None:
    """Assign a value to a target; `node` is the statement."""
    if isinstance(target, ast.Name):
        assign_name(ctx, target.id, value, node)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(ctx, target, value, node)
    elif isinstance(target, ast.Subscript):
        (value,), owner = evaluation.kept(ctx, [value], lambda: evaluate(ctx, target.value), [node])
        if isinstance(value, Optional) and not lists.is_list(owner):
            raise optional.refusal(ctx, value, getattr(node, "value", node))
        indexing.store(ctx, owner, target, value)
    else:
        assert isinstance(target, ast.Attribute)
        owner = evaluate_any(ctx, target.value)
        if target.attr == "shape" and isinstance(owner, n.Var) and is_view(owner):
            _assign_shape(ctx, target, owner, value, node)
        else:
            _assign_attribute(ctx, owner, target, value)


def _assign_attribute(ctx: Context, owner: Value, target: ast.Attribute, value: Value) -> None:
    """``owner.name = value``: a field, or what the setter of a property does."""
    name = objects.private_name(ctx, target.attr)
    owner = optional.owner_of(ctx, owner, name, target, is_target=True)
    if isinstance(owner, Optional):
        raise optional.refusal(ctx, owner, target.value)
    setter = getattr(members.find(owner.type, name), "fset", None) if isinstance(owner, Instance) else None
    if setter is not None:
        calls.call(ctx, Static(setter), [owner, value], {}, target)
    elif is_view(owner) and name in ("real", "imag"):
        assignments.assign_to(ctx, typed(n.Var, objects.attribute(ctx, owner, name, target)), value, target)
    else:
        mutable.assign(ctx, owner, name, value, target)


def _assign_shape(ctx: Context, target: ast.Attribute, owner: n.Var, value: Value, node: ast.AST) -> None:
    """``a.shape = shape`` of an array that has one name, which stands for the reshaped array from here on."""
    from weft.frontend.arrays import shapes, shared_views

    name = target.value.id if isinstance(target.value, ast.Name) else ""
    bindings = dict(ctx.environment.bindings)
    own = bindings.pop(ctx.frame.key(name), None)
    is_new = own is not None and isinstance(ctx.definitions.get(owner.name), n.Alloc)
    if not is_new or any(atom == owner for b in bindings.values() if b.value for atom in _held(b.value)):
        raise ctx.refusal("shape assignment", target, what=ast.unparse(target.value))
    shared_views.require_order(ctx, owner, node)
    reshaped = shapes.reshape(ctx, owner, value, node)
    assign_name(ctx, name, evaluation.consumed(ctx, reshaped, target, name), node)


def _held(value: Value) -> list[n.Atom]:
    """The atoms that a value holds; those of a function are its defaults."""
    if isinstance(value, Closure):
        return [atom for item in (*value.defaults, *value.keyword_defaults) if item for atom in _held(item)]
    return leaves(value)


def assign_name(ctx: Context, name: str, value: Value, node: ast.AST) -> None:
    """Assign a variable of the current function, or of one around it (``nonlocal``)."""
    operators.check_storable(ctx, value, node)
    ctx.bind(name, value, node, frame_of(ctx, name, node))


def _unpack(ctx: Context, target: ast.Tuple | ast.List, value: Value, node: ast.AST) -> None:
    count = len(target.elts)
    starred = [k for k, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
    if starred and (is_view(value) or lists.is_list(value)):
        _unpack_sequence(ctx, target, value, starred[0], node)
        return
    items = _items(ctx, value, count, target)
    if starred:
        _unpack_starred(ctx, target, items, starred[0], node)
        return
    if len(items) != count:
        raise ctx.type_error(f"{len(items)} values are unpacked into {count} names", target)
    for item, part in zip(target.elts, items, strict=True):
        assign(ctx, item, part, node)


def _unpack_starred(
    ctx: Context, target: ast.Tuple | ast.List, items: tuple[Value, ...], position: int, node: ast.AST
) -> None:
    """``a, *b = items``: the rest becomes a tuple here (Python makes a list of it)."""
    after = len(target.elts) - position - 1
    if len(items) < position + after:
        raise ctx.type_error(f"{len(items)} values are unpacked into at least {position + after} names", target)
    end = len(items) - after
    parts = [*items[:position], items[position:end], *items[end:]]
    for item, part in zip(target.elts, parts, strict=True):
        assign(ctx, item.value if isinstance(item, ast.Starred) else item, part, node)


def _unpack_sequence(ctx: Context, target: ast.Tuple | ast.List, value: Value, position: int, node: ast.AST) -> None:
    """``a, *b = items`` of an array or list, whose length is known at run time: the rest is a list."""
    length, item, _ = iteration.sequence(ctx, value, target)
    after = len(target.elts) - position - 1
    needed = n.Const(position + after, PYINT)
    short = ctx.emit(n.Compare("lt", length, needed), PYBOOL, target)
    message = f"not enough values to unpack (expected at least {position + after}, got {{}})"
    fault = n.Raise("ValueError", message, (length,), ctx.location(target))
    ctx.append(n.If(short, n.Block((fault,)), location=fault.location))
    end = arithmetic(ctx, "sub", length, n.Const(after, PYINT), target)
    rest = typed(FunctionType, library_lists.middle_of)
    parts = [item(n.Const(k, PYINT)) for k in range(position)]
    parts.append(inlining.call_function(ctx, rest, [value, n.Const(position, PYINT), end], {}, target))
    parts += [item(arithmetic(ctx, "add", end, n.Const(k, PYINT), target)) for k in range(after)]
    for part, inner in zip(target.elts, parts, strict=True):
        assign(ctx, part.value if isinstance(part, ast.Starred) else part, inner, node)


def _items(ctx: Context, value: Value, count: int, target: ast.expr) -> tuple[Value, ...]:
    """The items of a tuple or array that is unpacked."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Instance) and value.is_tuple and members.is_plain_tuple(value.type):
        return value.items
    if isinstance(value, Instance) and lists.is_fixed(value) and not _is_starred(target):
        return value.items
    if isinstance(value, n.Var) and is_view(value) and view_type(value).ndim > 0:
        _check_length(ctx, ctx.dimension(value, 0, target), count, target)
        return tuple(indexing.element(ctx, value, n.Const(k, PYINT), target, "check") for k in range(count))
    if lists.is_list(value):
        _check_length(ctx, lists.parts(ctx, value, target)[0], count, target)
        item = lists.items_for_loop(ctx, value, target)[1]
        return tuple(item(n.Const(k, PYINT)) for k in range(count))
    known = iteration.static_items(value.inner) if isinstance(value, Mapped) else None
    if isinstance(value, Mapped) and known is not None:
        given = [list(children(item)) if value.several else [item] for item in known]
        return tuple(calls.call(ctx, value.function, arguments, {}, target) for arguments in given)
    raise ctx.type_error(f"a value of type {describe_value(value)} cannot be unpacked", target)


def _is_starred(target: ast.expr) -> bool:
    assert isinstance(target, (ast.Tuple, ast.List))
    return any(isinstance(item, ast.Starred) for item in target.elts)


def _check_length(ctx: Context, length: n.Atom, count: int, node: ast.AST) -> None:
    location = ctx.location(node)
    for op, message in (
        ("lt", f"not enough values to unpack (expected {count}, got {{}})"),
        ("gt", f"too many values to unpack (expected {count})"),
    ):
        wrong = ctx.emit(n.Compare(op, length, n.Const(count, PYINT)), PYBOOL, node)  # type: ignore[arg-type]
        operands = (length,) if "{}" in message else ()
        ctx.append(n.If(wrong, n.Block((n.Raise("ValueError", message, operands, location),)), location=location))


def assign_augmented(ctx: Context, node: ast.AugAssign) -> None:
    """``target op= value``: the target is read once, before the value is computed."""
    target = node.target
    if isinstance(target, ast.Name):
        _augment_name(ctx, node, target)
    elif isinstance(target, ast.Subscript):
        owner = evaluate(ctx, target.value)
        if isinstance(owner, n.Var) and is_view(owner):
            _augment_part(ctx, node, owner, target)
            return
        if isinstance(owner, Flat):
            _augment_flat(ctx, node, owner, target)
            return
        _augment_item(ctx, node, owner, target)
    else:
        assert isinstance(target, ast.Attribute)
        name = objects.private_name(ctx, target.attr)
        owner = optional.owner_of(ctx, evaluate_any(ctx, target.value), name, target)
        if isinstance(owner, Optional):
            raise optional.refusal(ctx, owner, target.value)
        old = objects.attribute(ctx, owner, name, target)
        if is_view(old):
            _augment_array(ctx, node, typed(n.Var, old))
            if is_view(owner):
                return
        _assign_attribute(ctx, owner, target, old if is_view(old) else _updated(ctx, node, old))


def _augment_flat(ctx: Context, node: ast.AugAssign, owner: Flat, target: ast.Subscript) -> None:
    """``a.flat[...] op= value``."""
    from weft.frontend.arrays import flat

    items = indexing._index_items(ctx, target)
    old = flat.load(ctx, owner, items, target)
    flat.store(ctx, owner, items, evaluation.consumed(ctx, _updated(ctx, node, old), target), target)


def _augment_item(ctx: Context, node: ast.AugAssign, owner: Value, target: ast.Subscript) -> None:
    """``owner[...] op= value`` of an object, by its class's ``__getitem__`` and ``__setitem__``."""
    getter, setter = (objects.method(ctx, owner, name) for name in ("__getitem__", "__setitem__"))
    if getter is None or setter is None:
        raise ctx.refusal("item assignment", target, what=describe_value(owner))
    key = evaluate(ctx, target.slice)
    old = calls.call(ctx, getter, [key], {}, target)
    if lists.is_list(owner) and is_view(old):
        raise ctx.refusal("update in a list", node, what=ast.unparse(target), all=ast.unparse(node))
    calls.call(ctx, setter, [key, _updated(ctx, node, old)], {}, target)


def _augment_name(ctx: Context, node: ast.AugAssign, target: ast.Name) -> None:
    old = evaluate_any(ctx, ast.copy_location(ast.Name(target.id, ast.Load()), target))
    if isinstance(old, n.Var) and is_view(old):
        _augment_array(ctx, node, old)
        return
    before = len(ctx.builder.statements)
    value = evaluation.consumed(ctx, _updated(ctx, node, old), node, target.id)
    assign_name(ctx, target.id, ctx.named(value, target.id, before), node)


def _augment_part(ctx: Context, node: ast.AugAssign, owner: n.Var, target: ast.Subscript) -> None:
    """``a[...] op= value`` of an array: an element, a view, or elements that an array chooses."""
    part = indexing.part(ctx, owner, target)
    if isinstance(part, indexing.Place):
        new = _updated(ctx, node, indexing.load_place(ctx, part, target))
        indexing.store_place(ctx, part, new, target)
    elif isinstance(part, n.Var):
        _augment_array(ctx, node, part)
    else:
        old = gathers.load(ctx, part.view, part.items, target)
        before = [old, *part.items]
        (old, *items), value = evaluation.kept(
            ctx, before, lambda: evaluate_lazily(ctx, node.value), [target] * len(before)
        )
        new = operators.binary(ctx, node.op, old, value, node)
        extents, element = extents_of(ctx, old, node), view_type(part.view).element
        assignments.check_update(ctx, extents, element, new, _name_of(node), node)
        gathers.store(ctx, part.view, items, new, target, loaded=True)


def _augment_array(ctx: Context, node: ast.AugAssign, array: n.Var) -> None:
    """``a op= value`` of an array, which is changed in place."""
    assignments.update(ctx, array, _updated(ctx, node, array), _name_of(node), node)


def _name_of(node: ast.AugAssign) -> str:
    """The name of NumPy's function for an operator."""
    return "matmul" if isinstance(node.op, ast.MatMult) else UFUNC_NAMES[operators.BINARY[type(node.op)]]


def _updated(ctx: Context, node: ast.AugAssign, old: Value) -> Value:
    if isinstance(old, Instance):
        value = calls.definite(ctx, node.value)
        if lists.is_list(old) and expressions.is_array(value):  # an array comes before the list's own `+=` and `*=`
            return operators.binary(ctx, node.op, old, value, node)
        return objects.augmented(ctx, node.op, old, value, node)
    return operators.binary(ctx, node.op, old, evaluate_lazily(ctx, node.value), node)
