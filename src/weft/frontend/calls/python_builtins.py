"""Python's built-in functions and Weft's own words."""

from __future__ import annotations

import ast
import collections
import dataclasses
from types import FunctionType

import numpy as np

from weft.frontend import members
from weft.frontend.arrays.array_attributes import part_of
from weft.frontend.arrays.library.generators import Generator
from weft.frontend.arrays.sizes import arithmetic, as_index
from weft.frontend.arrays.tables import EXACTLY_ONE, EXACTLY_TWO, check_arguments, function
from weft.frontend.calls import (
    functional,
    inlining,
    library,
    library_deques,
    library_dicts,
    library_lists,
    library_tables,
    markers,
)
from weft.frontend.calls.library_texts import Text
from weft.frontend.control import conditions
from weft.frontend.control.iteration import make_range, range_length
from weft.frontend.several_types import apart, weakness
from weft.frontend.source import fixed
from weft.frontend.source.signature import cells
from weft.frontend.values import names, objects, operators, tables, text_functions
from weft.frontend.values.convert import cast, converted
from weft.frontend.values.methods import as_python, replaced
from weft.frontend.values.scope import Context, view_type
from weft.frontend.values.text_model import as_text, is_textual
from weft.frontend.values.values import (
    FALSE,
    ITERATORS,
    NONE,
    TRUE,
    ZERO,
    Closure,
    Enumerated,
    Flat,
    Instance,
    Message,
    Optional,
    Places,
    Range,
    Reversed,
    SliceValue,
    Static,
    Super,
    Value,
    Zipped,
    describe_value,
    is_none,
    is_view,
    scalar_type,
    with_article,
)
from weft.ir import nodes as n
from weft.ir.types import BOOL, PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar

Values = list[Value]
Keywords = dict[str, Value]


@function(range)
def _range(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 4), "range", node)
    return make_range(ctx, arguments, node)


@function(markers.prange)
def _prange(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    order = ("start", "stop", "step")
    given = [*arguments, *(keywords[name] for name in order[len(arguments) :] if name in keywords)]
    if len(given) != len(arguments) + len(keywords):
        raise ctx.type_error("prange takes start, stop and step", node)
    return make_range(ctx, given, node, "prange")


@function(markers.assume_independent)
def _assume_independent(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "assume_independent", node)
    if not isinstance(arguments[0], Range):
        raise ctx.type_error("assume_independent takes a range", node)
    return dataclasses.replace(arguments[0], claim="independent")


@function(enumerate)
def _enumerate(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    start = keywords.pop("start", None)
    check_arguments(ctx, arguments, keywords, range(1, 3), "enumerate", node)
    start = arguments[1] if len(arguments) == 2 else start
    return Enumerated(arguments[0], ZERO if start is None else as_index(ctx, start, node))


@function(zip)
def _zip(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    strict = keywords.pop("strict", FALSE)
    check_arguments(ctx, arguments, keywords, range(1, 100), "zip", node)
    if not isinstance(strict, n.Const):
        raise ctx.type_error("strict is True or False", node)
    functional.refuse_computed(ctx, "zip", arguments, node)
    return Zipped(tuple(arguments), strict=bool(strict.value))


@function(np.ndindex)
def _ndindex(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    alone = objects.plain_tuple(arguments[0]) if len(arguments) == 1 else None
    extents = tuple(as_index(ctx, v, node) for v in (alone if isinstance(alone, tuple) else arguments))
    check_arguments(ctx, list(extents), keywords, range(1, 9), "np.ndindex", node)
    for extent in extents:
        if not ctx.is_nonnegative(extent):
            fault = n.Raise("ValueError", "negative dimensions are not allowed", (), ctx.location(node))
            negative = ctx.emit(n.Compare("lt", extent, ZERO), PYBOOL, node)
            ctx.append(n.If(negative, n.Block((fault,)), location=fault.location))
    return Places(extents)


@function(np.ndenumerate)
def _ndenumerate(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "np.ndenumerate", node)
    (view,) = arguments
    if not isinstance(view, n.Var) or not is_view(view):
        raise ctx.type_error("np.ndenumerate takes an array", node)
    extents = tuple(ctx.dimension(view, axis, node) for axis in range(view_type(view).ndim))
    return Zipped((Places(extents), Flat(view)))


@function(reversed)
def _reversed(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "reversed", node)
    if isinstance(arguments[0], ITERATORS):
        words = describe_value(arguments[0])
        raise ctx.type_error(f"'{words}' object is not reversible", node, hint="reverse what it runs over")
    return Reversed(arguments[0])


@function(len)
def _len(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "len", node)
    value = arguments[0]
    if isinstance(value, n.Var) and is_view(value) and view_type(value).ndim > 0:
        return ctx.dimension(value, 0, node)
    if isinstance(value, Range):
        return arithmetic(ctx, "max", range_length(ctx, value, node), ZERO, node)
    if isinstance(value, Static) and isinstance(value.value, str):
        return n.Const(len(value.value), PYINT)
    if isinstance(value, Message):
        value = as_text(value)
    method = objects.method(ctx, value, "__len__")
    if method is not None:
        from weft.frontend.calls.calls import call

        return call(ctx, method, [], {}, node)
    items = objects.plain_tuple(value)
    if not isinstance(items, tuple):
        raise ctx.type_error(f"object of type {describe_value(value)} has no len()", node)
    return n.Const(len(items), PYINT)


# ----------------------------------------------------------------------------------------------------- numbers


@function(abs)
def _abs(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "abs", node)
    value = operators.as_scalar(ctx, arguments[0], node)
    method = objects.method(ctx, value, "__abs__")
    if method is not None:
        from weft.frontend.calls.calls import call

        return call(ctx, method, [], {}, node)
    return operators.scalar_unary(ctx, "abs", number(ctx, value, node), node)


def number(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    """A value that must be a scalar."""
    value = operators.as_scalar(ctx, value, node)
    if isinstance(value, n.Var) and is_view(value):
        raise ctx.refusal("array function", node, name=ast.unparse(node))
    if scalar_type(value) is None:
        raise ctx.type_error(f"a number is expected, and this is {describe_value(value)}", node)
    assert isinstance(value, (n.Var, n.Const))
    return value


def _library(ctx: Context, helper: object, arguments: Values, node: ast.AST) -> Value:
    assert isinstance(helper, FunctionType)
    return inlining.call_function(ctx, helper, arguments, {}, node)


@function(divmod)
def _divmod(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_TWO, "divmod", node)
    types = [scalar_type(value) for value in arguments]
    in_python = PYFLOAT in types and all(type in (PYFLOAT, PYINT, PYBOOL) for type in types)
    return _library(ctx, library.divided_floats if in_python else library.divided, arguments, node)


@function(pow)
def _pow(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2, 4), "pow", node)
    if len(arguments) == 3 and not is_none(arguments[2]):
        if any(scalar_type(value) not in (PYINT, PYBOOL) for value in arguments):
            raise ctx.type_error("pow() 3rd argument not allowed unless all arguments are integers", node)
        whole = [cast(ctx, number(ctx, value, node), PYINT, node) for value in arguments]
        return _library(ctx, library.power_modulo, list(whole), node)
    return operators.binary(ctx, ast.Pow(), arguments[0], arguments[1], node)


@function(round)
def _round(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    digits = keywords.pop("ndigits", None)
    check_arguments(ctx, arguments, keywords, range(1, 3), "round", node)
    digits = arguments[1] if len(arguments) == 2 else digits
    value = number(ctx, arguments[0], node)
    if digits is None or (isinstance(digits, Static) and digits.value is None):
        return _round_to_int(ctx, value, node)
    weakness.require_one_type(ctx, "pos", (value,), node)
    type = scalar_type(value)
    assert type is not None
    if type == PYBOOL:
        value = cast(ctx, value, PYINT, node)
    if type == PYFLOAT:
        return _round_python(ctx, value, as_index(ctx, digits, node), node)
    if type.kind not in "fiub":
        raise ctx.type_error(f"round is not defined for {describe_value(value)}", node)
    return round_digits(ctx, value, digits, node)


def _round_to_int(ctx: Context, value: n.Atom, node: ast.AST) -> Value:
    type = scalar_type(value)
    assert type is not None
    if type == BOOL:
        raise ctx.type_error("type numpy.bool doesn't define __round__ method", node, hint="write int(x)")
    if type.kind in "biu":
        return cast(ctx, value, PYINT, node)
    real = as_python(ctx, value, node)
    if real.type != PYFLOAT:
        raise ctx.type_error(f"round is not defined for {describe_value(value)}", node)
    if isinstance(real, n.Const):
        return n.Const(round(real.value), PYINT)  # type: ignore[arg-type]
    return ctx.emit(n.Math("round", (real,), strict=True), PYINT, node)


def _round_python(ctx: Context, value: n.Atom, digits: n.Atom, node: ast.AST) -> Value:
    """Python's rounding of a float to decimal digits."""
    if isinstance(digits, n.Const) and not 0 <= int(digits.value.real) <= library.MOST_DIGITS:
        raise ctx.refusal("round to digits", node)
    return _library(ctx, library.rounded_decimal, [value, digits], node)


def round_digits(ctx: Context, value: n.Atom, digits: Value, node: ast.AST) -> Value:
    """NumPy's rounding to decimal digits, which must be a constant."""
    type = scalar_type(value)
    position = as_index(ctx, digits, node)
    if not isinstance(position, n.Const):
        fixed.require(ctx, digits)
        raise ctx.type_error("the number of digits must be a constant", node)
    if type is not None and type.kind == "b":
        raise ctx.type_error("NumPy does not round Booleans to digits", node, hint="convert it to an int")
    if type is not None and type.kind == "c":
        return _round_parts(ctx, value, position, node)
    if type is not None and type.kind in "iu":
        if int(position.value.real) < 0:
            raise ctx.type_error("rounding integers to tens is not supported", node)
        return value
    return _library(ctx, library.rounded, [value, position], node)


def _round_parts(ctx: Context, value: n.Atom, digits: n.Const, node: ast.AST) -> Value:
    """A complex number, whose parts are rounded on their own."""
    parts = [
        _library(ctx, library.rounded, [part_of(ctx, value, name, node), digits], node) for name in ("real", "imag")
    ]
    floats = tuple(cast(ctx, number(ctx, part, node), PYFLOAT, node) for part in parts)
    type = scalar_type(value)
    assert type is not None
    return cast(ctx, ctx.emit(n.Math("complex", floats), PYCOMPLEX, node), type, node)


@function(int)
def _int(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(3), "int", node)
    if not arguments:
        return ZERO
    if is_textual(arguments[0]):
        return text_functions.to_int(ctx, arguments, node)
    check_arguments(ctx, arguments, keywords, range(2), "int", node)
    value = _real(ctx, arguments[0], node)
    result = converted(ctx, value, PYINT, node)
    if ctx.is_nonnegative(value) and isinstance(result, n.Var):
        ctx.nonnegative.add(result.name)
    return result


def _real(ctx: Context, value: Value, node: ast.AST) -> n.Atom:
    atom = number(ctx, value, node)
    type = scalar_type(atom)
    if type is not None and type.kind == "c":
        raise ctx.type_error("a complex number cannot be converted to a real one", node, hint="use .real or abs")
    return atom


@function(float)
def _float(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2), "float", node)
    if not arguments:
        return n.Const(0.0, PYFLOAT)
    if is_textual(arguments[0]):
        known = _parsed(arguments[0].value) if isinstance(arguments[0], Static) else None
        return text_functions.to_float(ctx, arguments[0], node) if known is None else n.Const(known, PYFLOAT)
    return converted(ctx, _real(ctx, arguments[0], node), PYFLOAT, node)


def _parsed(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None


@function(bool)
def _bool(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2), "bool", node)
    return converted(ctx, conditions.truth(ctx, arguments[0], node), PYBOOL, node) if arguments else FALSE


@function(complex)
def _complex(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    given = [*arguments, *(keywords.pop(name) for name in ("real", "imag")[len(arguments) :] if name in keywords)]
    check_arguments(ctx, given, keywords, range(3), "complex", node)
    if len(given) < 2:
        return converted(ctx, number(ctx, given[0], node), PYCOMPLEX, node) if given else n.Const(0j, PYCOMPLEX)
    real, imaginary = (cast(ctx, _real(ctx, part, node), PYFLOAT, node) for part in given)
    if isinstance(real, n.Const) and isinstance(imaginary, n.Const):
        return n.Const(complex(real.value, imaginary.value), PYCOMPLEX)
    return ctx.emit(n.Math("complex", (real, imaginary)), PYCOMPLEX, node)


# ------------------------------------------------------------------------------------------------------- types


@function(isinstance)
def _isinstance(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_TWO, "isinstance", node)
    wanted = arguments[1] if isinstance(arguments[1], tuple) else (arguments[1],)
    classes = [item.value for item in wanted if isinstance(item, Static) and isinstance(item.value, type)]
    if len(classes) != len(wanted):
        raise ctx.type_error("isinstance takes a type or a tuple of types", node)
    for cls in classes:
        if members.of_metaclass(cls, "__instancecheck__") or members.of_metaclass(cls, "__subclasscheck__"):
            raise ctx.refusal("own attribute access", node, name="isinstance", cls=cls.__name__)
    if isinstance(arguments[0], Optional):
        there, item = arguments[0].there, arguments[0].item
        holds = _isinstance(ctx, [item, arguments[1]], {}, node) == TRUE
        if issubclass(type(None), tuple(classes)):
            return TRUE if holds else conditions.negation(ctx, there, node)
        return there if holds else FALSE
    if isinstance(arguments[0], (n.Var, n.Const)) and isinstance(arguments[0].type, Scalar):
        two = apart.told_apart(ctx, arguments[0], lambda type: issubclass(_class_of(type), tuple(classes)))
        if two is not None:
            return (
                two[0]
                if issubclass(_class_of(arguments[0].type), tuple(classes))
                else conditions.negation(ctx, two[0], node)
            )
        weakness.require_alike(ctx, arguments[0], lambda type: issubclass(_class_of(type), tuple(classes)), node)
    return TRUE if issubclass(python_type(ctx, arguments[0], node), tuple(classes)) else FALSE


def python_type(ctx: Context, value: Value, node: ast.AST) -> type:
    """The class that a value has in Python."""
    scalar = scalar_type(value)
    if scalar is not None:
        return _class_of(scalar)
    if is_view(value):
        return np.ndarray
    if isinstance(value, Message):
        return str
    if isinstance(value, Instance):
        is_record = issubclass(value.type, library_dicts.Record)
        return dict if is_record else _CLASSES_IN_PYTHON.get(value.type, value.type)
    if isinstance(value, Static):
        return type(value.value)
    classes = {tuple: tuple, Closure: FunctionType, Range: range, Enumerated: enumerate, Zipped: zip, SliceValue: slice}
    known = classes.get(type(value))
    if known is None:
        raise ctx.type_error(f"the type of a {describe_value(value)} cannot be asked for", node)
    return known


_CLASSES_IN_PYTHON: dict[type, type] = {
    library_lists.List: list, library_lists.Fixed: list, library_dicts.Dict: dict,
    library_tables.Table: dict, library_tables.DefaultTable: collections.defaultdict,
    library_tables.Counts: collections.Counter, library_tables.Set: set, library_deques.Deque: collections.deque,
    Generator: np.random.Generator, Text: str,
}  # fmt: skip
"""What classes of Weft's own stand for."""


def _class_of(scalar: Scalar) -> type:
    """The class of numbers of a type."""
    return _WEAK_CLASSES.get(scalar, scalar.dtype.type)


_WEAK_CLASSES: dict[Scalar, type] = {PYBOOL: bool, PYINT: int, PYFLOAT: float, PYCOMPLEX: complex}


@function(super)
def _super(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    """``super()`` in a method: its class is in the method's closure, its object is the first argument."""
    frame = ctx.frame
    cls = cells(frame.function).get("__class__") if frame.function is not None else None
    if arguments or keywords or not isinstance(cls, type) or not frame.node.args.args:
        raise ctx.type_error("super takes no arguments, and stands in a method", node, hint="name the class instead")
    owner = names.lookup(ctx, frame.node.args.args[0].arg, node)
    if not isinstance(owner, Instance) or cls not in owner.type.__mro__:
        raise ctx.type_error("super() is supported in methods of objects", node, hint="name the class instead")
    return Super(owner, cls)


@function(type)
def _type(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "type", node)
    if isinstance(arguments[0], (n.Var, n.Const)) and isinstance(arguments[0].type, Scalar):
        weakness.require_alike(ctx, arguments[0], _class_of, node)
    return Static(python_type(ctx, arguments[0], node))


@function(tuple)
def _tuple(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2), "tuple", node)
    items = objects.plain_tuple(tables.looped(ctx, arguments[0], node)) if arguments else ()
    if not isinstance(items, tuple):
        raise ctx.type_error(
            f"{with_article(describe_value(items))} has no fixed length that a tuple could have",
            node,
            hint="use a list, or a copy made with list(...); the caller can make a tuple of a returned list",
        )
    return tuple(items)  # what shows a dict is none


@function(list)
def _list(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(2), "list", node)
    return _library(ctx, library_lists.list_of, arguments or [()], node)


@function(sorted)
def _sorted(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    key, reverse = keywords.pop("key", NONE), keywords.pop("reverse", FALSE)
    check_arguments(ctx, arguments, keywords, EXACTLY_ONE, "sorted", node)
    items = tables.in_any_order(ctx, arguments[0], node) if is_none(key) else arguments[0]
    return _library(ctx, library_lists.sorted_of, [items, key, reverse], node)


@function(slice)
def _slice(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    check_arguments(ctx, arguments, keywords, range(1, 4), "slice", node)
    parts = [None if isinstance(v, Static) and v.value is None else as_index(ctx, v, node) for v in arguments]
    return SliceValue(None, parts[0]) if len(parts) == 1 else SliceValue(*parts)


@function(dataclasses.replace)
def _dataclass_replace(ctx: Context, arguments: Values, keywords: Keywords, node: ast.AST) -> Value:
    if len(arguments) != 1 or not isinstance(arguments[0], Instance):
        raise ctx.type_error("replace takes a dataclass", node)
    return replaced(ctx, arguments[0], keywords, node)
