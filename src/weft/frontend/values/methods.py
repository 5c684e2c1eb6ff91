"""Methods that Weft itself knows: of arrays, scalars, tuples and named tuples."""

from __future__ import annotations

import ast
from types import FunctionType

from weft.frontend.arrays import indexing
from weft.frontend.arrays.array_attributes import transposed
from weft.frontend.arrays.sizes import as_index
from weft.frontend.arrays.tables import METHODS, Method, check_arguments
from weft.frontend.calls import library
from weft.frontend.control import conditions
from weft.frontend.source import fixed
from weft.frontend.values import identity, mutable, operators, pooled
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.values import ONE, ZERO, Bound, Instance, Value, describe_value, is_view
from weft.ir import nodes as n
from weft.ir.semantics import operand_types, result_type
from weft.ir.types import BOOL, FLOAT64, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar


def call_method(
    ctx: Context, method: Bound, arguments: list[Value], keywords: dict[str, Value], node: ast.AST
) -> Value:
    """Call a method of `METHODS`."""
    return METHODS[method.attribute](ctx, method.owner, arguments, keywords, node)


def _transpose(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, [], keywords, range(1), "transpose", node)
    axes = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], tuple) else tuple(arguments)
    return transpose(ctx, owner, axes, node)


def transpose(ctx: Context, owner: Value, axes: tuple[Value, ...], node: ast.AST) -> Value:
    """An array with its axes reversed, or in the order given."""
    view = as_view(ctx, owner, node)
    ndim = view_type(view).ndim
    order = [axis_number(ctx, axis, ndim, node) for axis in axes] or list(reversed(range(ndim)))
    if sorted(order) != list(range(ndim)):
        raise ctx.type_error("axes don't match array", node)
    return transposed(ctx, view, order, node)


def _swapaxes(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2, 3), "swapaxes", node)
    view = as_view(ctx, owner, node)
    ndim = view_type(view).ndim
    first, second = (axis_number(ctx, axis, ndim, node) for axis in arguments)
    order = list(range(ndim))
    order[first], order[second] = order[second], order[first]
    return transposed(ctx, view, order, node)


def as_view(ctx: Context, value: Value, node: ast.AST) -> n.Var:
    """A value that must be an array."""
    if not (isinstance(value, n.Var) and is_view(value)):
        raise ctx.type_error(f"an array is expected, and this is {describe_value(value)}", node)
    return value


def axis_number(ctx: Context, value: Value, ndim: int, node: ast.AST) -> int:
    """An axis, which must be a constant."""
    axis = as_index(ctx, value, node)
    if not isinstance(axis, n.Const):
        fixed.require(ctx, value)
        raise ctx.type_error("an axis must be a constant", node, cause="it decides the type of the result")
    number = int(axis.value.real)
    if not -ndim <= number < ndim:
        raise ctx.type_error(f"axis {number} is out of bounds for array of dimension {ndim}", node)
    return number % ndim


def _item(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, [], keywords, range(1), "item", node)
    if isinstance(owner, n.Var) and is_view(owner):
        if len(arguments) != view_type(owner).ndim:
            raise ctx.type_error("item takes one index for each dimension in compiled code", node)
        indices = tuple(as_index(ctx, index, node) for index in arguments)
        owner = indexing.load_place(ctx, indexing.Place(owner, indices), node)
    return as_python(ctx, owner, node)


_PYTHON = {"b": PYBOOL, "i": PYINT, "u": PYINT, "f": PYFLOAT, "c": PYCOMPLEX}


def as_python(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """A scalar as Python's own number."""
    if not isinstance(value, (n.Var, n.Const)) or not isinstance(value.type, Scalar):
        raise ctx.type_error(f"a scalar is expected, and this is {describe_value(value)}", node)
    return cast(ctx, value, _PYTHON[value.type.kind], node)


def _conjugate(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1), "conjugate", node)
    assert isinstance(owner, (n.Var, n.Const)) and isinstance(owner.type, Scalar)
    if owner.type.kind != "c":
        return operators.scalar_unary(ctx, "pos", owner, node)
    if isinstance(owner, n.Const):
        return n.Const(owner.value.conjugate(), owner.type)
    (form,), result = operand_types("conjugate", owner.type), result_type("conjugate", owner.type)
    conjugate = ctx.emit(n.Math("conjugate", (cast(ctx, owner, form, node),)), result, node)
    return cast(ctx, conjugate, PYCOMPLEX, node) if owner.type.weak else conjugate


def _is_integer(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1), "is_integer", node)
    real = as_python(ctx, owner, node)
    if real.type != PYFLOAT:
        return n.Const(True, PYBOOL)
    real = cast(ctx, real, FLOAT64, node)
    whole = ctx.emit(n.Math("trunc", (real,)), FLOAT64, node)
    finite = ctx.emit(n.Math("isfinite", (real,)), BOOL, node)
    same = ctx.emit(n.Compare("eq", whole, real), BOOL, node)
    both = ctx.emit(n.Binary("and", finite, same, checked=False), BOOL, node)
    return cast(ctx, both, PYBOOL, node)


def _bits(function: object) -> Method:
    assert isinstance(function, FunctionType)

    def method(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
        from weft.frontend.calls import inlining

        check_arguments(ctx, arguments, keywords, range(1), function.__name__, node)
        assert isinstance(owner, (n.Var, n.Const))
        if isinstance(owner, n.Const):
            return n.Const(getattr(int(owner.value.real), function.__name__)(), PYINT)
        return inlining.call_function(ctx, function, [cast(ctx, owner, PYINT, node)], {}, node)

    return method


def _count(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 2), "count", node)
    assert isinstance(owner, tuple)
    total: Value = ZERO
    for item in owner:
        here = identity.equal(ctx, item, arguments[0], node)
        one = conditions.choose(ctx, here, lambda: ONE, lambda: ZERO, node)
        total = operators.binary(ctx, ast.Add(), total, one, node)
    return total


def _index(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 2), "index", node)
    assert isinstance(owner, tuple)
    return _index_from(ctx, owner, 0, arguments[0], node)


def _index_from(ctx: Context, items: tuple[Value, ...], position: int, wanted: Value, node: ast.AST) -> Value:
    if position == len(items):
        ctx.append(n.Raise("ValueError", "tuple.index(x): x not in tuple", (), ctx.location(node)))
        ctx.environment.fall = None
        return ZERO
    here = identity.equal(ctx, items[position], wanted, node)
    return conditions.choose(
        ctx, here, lambda: n.Const(position, PYINT), lambda: _index_from(ctx, items, position + 1, wanted, node), node
    )


def _replace(ctx: Context, owner: Value, arguments: list[Value], keywords: dict[str, Value], node: ast.AST) -> Value:
    assert isinstance(owner, Instance)
    return replaced(ctx, owner, keywords, node)


def replaced(ctx: Context, owner: Instance, changes: dict[str, Value], node: ast.AST) -> Value:
    """An instance with some fields changed."""
    unknown = set(changes) - set(owner.names)
    if unknown:
        raise ctx.type_error(f"{owner.type.__name__} has no field '{sorted(unknown)[0]}'", node)
    items = zip(owner.names, mutable.items_of(ctx, owner, node), strict=True)
    made = mutable.instance(ctx, owner.type, owner.names, [changes.get(name, item) for name, item in items])
    return pooled.referenced(ctx, made, node)


METHODS.update(
    {
        "transpose": _transpose, "swapaxes": _swapaxes, "item": _item, "conjugate": _conjugate, "conj": _conjugate,
        "bit_length": _bits(library.bit_length), "bit_count": _bits(library.bit_count),
        "is_integer": _is_integer, "count": _count, "index": _index, "_replace": _replace,
    }
)  # fmt: skip
