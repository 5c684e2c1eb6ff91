"""Vector code in GNU C: several iterations in one variable, masks as vectors of 0 and -1.

Operators work on whole vectors; what C has no sign for is a helper function with the name of the vector type at its
end. Such a function is made from the scalar one, lane by lane, where ``vectors.h`` has none; compilers turn these loops
into vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.arithmetic import compared, power_function
from weft.backends.text.code import BIT_AND, BIT_OR, BIT_XOR, PRODUCT, SUM, UNARY, Code, call, choice, infix, prefix
from weft.backends.text.dialect import tag
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import PYFLOAT, PYINT, Scalar, Vector, View

if TYPE_CHECKING:
    from weft.backends.c.printer import CPrinter

_OPERATORS = {
    "add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "truediv": ("/", PRODUCT), "and": ("&", BIT_AND),
    "or": ("|", BIT_OR), "xor": ("^", BIT_XOR),
}  # fmt: skip


_OF_PYTHON = {(PYINT, "floordiv"), (PYINT, "mod"), (PYFLOAT, "pow")}
"""What Python computes otherwise than NumPy."""


def vector_name(type: Vector) -> str:
    """The C type of a vector: ``float64x8``; masks are ``boolx8``."""
    return f"{tag(type.element)}x{type.lanes}"


def _is_wide(printer: CPrinter, type: Vector) -> bool:
    """Whether a vector takes several registers: then it has no operators."""
    return type.lanes > printer.dialect.helpers.register_lanes


def _operation(printer: CPrinter, op: str, type: Vector, left: Code, right: Code) -> Code:
    """An operator of C between two vectors."""
    if _is_wide(printer, type):
        return call(f"{op}_{vector_name(type)}", left, right)
    return infix(*_OPERATORS[op], left, right)


def _comparison(printer: CPrinter, op: str, type: Vector, left: Code, right: Code) -> Code:
    """A comparison as a mask."""
    if type.element.kind == "b" and not _is_wide(printer, type):
        return compared(op, left, right)
    return call(f"{op}_{vector_name(type)}", left, right)


def _prefix(printer: CPrinter, op: str, type: Vector, operand: Code) -> Code:
    if _is_wide(printer, type):
        return call(f"{op}_{vector_name(type)}", operand)
    return prefix("-" if op == "neg" else "~", operand)


def expression(printer: CPrinter, var: n.Var, value: n.Expression) -> Code:
    """An expression with a vector as its result, or the fold of one."""
    rule = _RULES.get(type(value))
    if rule is None:
        raise InternalError(f"vectors have no {type(value).__name__}")
    return rule(printer, var, value)  # type: ignore[operator, no-any-return]


def _vector(var: n.Atom) -> Vector:
    assert isinstance(var.type, Vector)
    return var.type


def _element(atom: n.Atom) -> Scalar:
    return atom.type.element if isinstance(atom.type, Vector) else atom.type  # type: ignore[return-value]


def _binary(printer: CPrinter, var: n.Var, node: n.Binary) -> Code:
    type, element = _vector(node.left), _element(node.left)
    if node.op in ("min", "max"):
        left, right = printer.simple(node.left), printer.simple(node.right)
        better = _comparison(printer, "lt" if node.op == "min" else "gt", type, right, left)
        return call(f"select_{vector_name(type)}", better, right, left)
    small = _small_power(printer, node, type)
    if small is not None:
        return small
    left, right = printer.value(node.left), printer.value(node.right)
    op = {"add": "or", "mul": "and"}.get(node.op, node.op) if element.kind == "b" else node.op
    if op in _OPERATORS and not (op == "truediv" and element.kind != "f"):
        return _operation(printer, op, type, left, right)
    python = "python_" if (element, op) in _OF_PYTHON else ""
    known = power_function(node.right) if python and op == "pow" else ""
    if known:
        return call(f"{known.removesuffix('float64')}{vector_name(type)}", left)
    return call(f"{python}{op}_{vector_name(type)}", left, right)


def _small_power(printer: CPrinter, node: n.Binary, type: Vector) -> Code | None:
    """Powers that a scalar has as products or a root: lanes have the same bits."""
    exponent = node.right.value if isinstance(node.right, n.Const) and node.op == "pow" else None
    if type.element.kind == "b" or type.element == PYFLOAT or exponent not in (0.5, 2, 3):
        return None
    base = printer.simple(node.left)
    if exponent == 0.5:
        return call(f"half_power_{vector_name(type)}", base)
    square = _operation(printer, "mul", type, base, base)
    return square if exponent == 2 else _operation(printer, "mul", type, square, base)


def _compare(printer: CPrinter, var: n.Var, node: n.Compare) -> Code:
    type, left, right = _vector(node.left), printer.value(node.left), printer.value(node.right)
    if type.element.kind != "b":
        return _comparison(printer, node.op, type, left, right)
    return _comparison(printer, _TURNED.get(node.op, node.op), type, left, right)


_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
"""Orders of masks, in which true is -1."""


def _unary(printer: CPrinter, var: n.Var, node: n.Unary) -> Code:
    type, operand = _vector(node.operand), printer.value(node.operand)
    if type.element.kind == "b" or node.op == "invert":
        return operand if node.op == "abs" else _prefix(printer, "invert", type, operand)
    if node.op == "not":
        return _comparison(printer, "eq", type, operand, _splat(type, "0"))
    if node.op == "abs":
        name = "fabs" if type.element.kind == "f" else "abs"
        return operand if type.element.kind == "u" else call(f"{name}_{vector_name(type)}", operand)
    return _prefix(printer, "neg", type, operand) if node.op == "neg" else operand


def _splat(type: Vector, text: str) -> Code:
    return call(f"splat_{vector_name(type)}", Code(text))


def _select(printer: CPrinter, var: n.Var, node: n.Select) -> Code:
    if not isinstance(node.condition.type, Vector):
        return choice(printer.value(node.condition), printer.value(node.then), printer.value(node.orelse))
    operands = (printer.value(a) for a in (node.condition, node.then, node.orelse))
    return call(f"select_{vector_name(_vector(var))}", *operands)


def _cast(printer: CPrinter, var: n.Var, node: n.Cast) -> Code:
    source, target = _vector(node.operand), _vector(var)
    operand = printer.value(node.operand)
    if tag(source.element) == tag(target.element):
        return operand
    if target.element.kind == "b":
        return _comparison(printer, "ne", source, operand, _splat(source, "0"))
    if (
        source.element.kind == "b" and target.element.kind == "f"
    ):  # negated before: minus 0.0 is another number than 0.0
        return _converted(printer, _prefix(printer, "neg", source, operand), source, target)
    if source.element.kind == "b":
        return _prefix(printer, "neg", target, _converted(printer, operand, source, target))
    return _numbers(printer, operand, source, target)


def _converted(printer: CPrinter, operand: Code, source: Vector, target: Vector) -> Code:
    if _is_wide(printer, target):
        return call(f"{tag(target.element)}_of_{vector_name(source)}", operand)
    return call("__builtin_convertvector", operand, vector_name(target))


def _numbers(printer: CPrinter, operand: Code, source: Vector, target: Vector) -> Code:
    """Conversions as in `conversions`: floats become the integer that the processor gives, then smaller ones."""
    if source.element.kind == "f" and target.element.kind in "iu":
        if target.element.name == "uint64":
            return call(f"uint64_from_{vector_name(source)}", operand)
        wide = target.element.bits == 64 or target.element.name == "uint32"
        step = Vector(Scalar("int64", "i", 64) if wide else Scalar("int32", "i", 32), target.lanes)
        operand = _converted(printer, operand, source, step)
        return operand if tag(step.element) == tag(target.element) else _converted(printer, operand, step, target)
    return _converted(printer, operand, source, target)


def _math(printer: CPrinter, var: n.Var, node: n.Math) -> Code:
    operands = [printer.value(a) for a in node.operands]
    return call(f"{node.name}_{vector_name(_vector(node.operands[0]))}", *operands)


def _fma(printer: CPrinter, var: n.Var, node: n.Fma) -> Code:
    return call(f"fma_{vector_name(_vector(var))}", *(printer.value(a) for a in (node.a, node.b, node.c)))


def _lanes(printer: CPrinter, var: n.Var, node: n.Lanes) -> Code:
    start = printer.simple(node.start)
    printer.atoms[_first(var)] = start
    return call(f"lanes_{vector_name(_vector(var))}", start)


def _first(lanes: n.Var) -> str:
    """Where the first of consecutive lanes is remembered."""
    return f"{lanes.name} first"


def _broadcast(printer: CPrinter, var: n.Var, node: n.Broadcast) -> Code:
    return call(f"splat_{vector_name(_vector(var))}", printer.value(node.operand, exact=True))


def constant(printer: CPrinter, const: n.Const) -> Code:
    """A constant in all lanes."""
    type = _vector(const)
    element = printer.dialect.constant(n.Const(const.value, type.element), exact=True)
    return call(f"splat_{vector_name(type)}", element)


def _reduce(printer: CPrinter, var: n.Var, node: n.ReduceLanes) -> Code:
    type = _vector(node.operand)
    if type.element.kind == "b" and node.op in ("or", "and"):
        return call(f"{'any' if node.op == 'or' else 'all'}_boolx{type.lanes}", printer.value(node.operand))
    parts = printer.declare_array("parts", printer.dialect.memory_name(type.element), type.lanes)
    printer.lines.add(f"store_{vector_name(type)}({parts}, {printer.value(node.operand).text});")
    step, k = printer.module.identifiers.fresh("count"), printer.module.identifiers.fresh("k")
    with printer.lines.braces(f"for (int {step} = {type.lanes // 2}; {step} > 0; {step} /= 2)"):
        pair = Code(f"{parts}[2 * {k}]"), Code(f"{parts}[2 * {k} + 1]")
        value = printer.combined(node.op, *pair, type.element)
        printer.lines.add(f"for (int {k} = 0; {k} < {step}; {k}++) {parts}[{k}] = {value.text};")
    return Code(f"{parts}[0]")


def _running(printer: CPrinter, var: n.Var, node: n.RunningLanes) -> Code:
    type = _vector(node.operand)
    return call(f"running_{node.op}_{vector_name(type)}", printer.value(node.operand))


def _lane(printer: CPrinter, var: n.Var, node: n.Lane) -> Code:
    text = printer.simple(node.operand).text
    type = _vector(node.operand)
    if not _is_wide(printer, type):
        return Code(f"{text}[{node.axis}]")
    part, lane = divmod(node.axis, printer.dialect.helpers.register_lanes)
    return Code(f"{text}.p{part}[{lane}]")


# ----------------------------------------------------------------------------------------------- accesses


def _load(printer: CPrinter, var: n.Var, node: n.Load) -> Code:
    type = _vector(var)
    name = vector_name(type)
    mask = [printer.value(node.mask)] if node.mask is not None else []
    masked = "_masked" if mask else ""
    if (apart := _equally_apart(printer, node)) is not None:
        return Code(call(f"strided{masked}_{name}", *apart, *mask).text, loads=True)
    address, offsets = _place(printer, node.view, node.indices)
    if offsets is None:
        return Code(call(f"load{masked}_{name}", address, *mask).text, loads=True)
    return Code(call(f"gather{masked}_{name}", address, offsets, *mask).text, loads=True)


def store(printer: CPrinter, node: n.Store) -> None:
    """An assignment of several elements, the highest lane last."""
    lanes = next(a.type.lanes for a in (*node.indices, node.value) if isinstance(a.type, Vector))
    assert isinstance(node.view.type, View) and isinstance(node.view.type.element, Scalar)
    name = vector_name(Vector(node.view.type.element, lanes))
    address, offsets = _place(printer, node.view, node.indices)
    value = printer.value(node.value)
    if not isinstance(node.value.type, Vector):
        value = call(f"splat_{name}", value)
    mask = [printer.value(node.mask)] if node.mask is not None else []
    masked = "_masked" if mask else ""
    where = [address] if offsets is None else [address, offsets]
    form = "store" if offsets is None else "scatter"
    printer.before_lanes(node, lanes, mask[0] if mask else None, *where)
    printer.effect(f"{call(f'{form}{masked}_{name}', *where, value, *mask).text};")


def _place(printer: CPrinter, var: n.Var, indices: tuple[n.Atom, ...]) -> tuple[Code, Code | None]:
    """The address of the first lane's element, and the byte offsets of the lanes; None where they are adjacent."""
    view = printer.view(var)
    codes: list[Code] = []
    moving: list[tuple[Code, Code]] = []
    adjacent = False
    for k, (index, stride) in enumerate(zip(indices, view.strides, strict=True)):
        if not isinstance(index.type, Vector):
            codes.append(printer.simple(index))
            continue
        start = printer.atoms.get(_first(index)) if isinstance(index, n.Var) else None
        if start is not None and stride.text == str(view.element.size) and k == len(indices) - 1:
            adjacent = True
            codes.append(start)
        else:
            codes.append(Code("0"))
            moving.append((_as_offsets(printer, index), stride))
    address = prefix("&", Code(view.at(printer.dialect, codes).inside(UNARY)))
    if not moving:
        return address, None if adjacent else call(f"splat_int64x{_lane_count(indices)}", Code("0"))
    if adjacent:
        moving.append((call(f"lanes_int64x{_lane_count(indices)}", Code("0")), Code(str(view.element.size))))
    type = Vector(PYINT, _lane_count(indices))
    terms = [_operation(printer, "mul", type, index, _splat(type, stride.text)) for index, stride in moving]
    total = terms[0]
    for term in terms[1:]:
        total = _operation(printer, "add", type, total, term)
    return address, total


def _equally_apart(printer: CPrinter, node: n.Load) -> tuple[Code, Code, Code] | None:
    """The address, the first index and the stride of lanes that access elements at equal distances, not adjacent ones.

    Such loads need no vector of offsets: many processors have no instruction to multiply these.
    """
    view = printer.view(node.view)
    moving = [k for k, index in enumerate(node.indices) if isinstance(index.type, Vector)]
    index = node.indices[moving[0]]
    start = printer.atoms.get(_first(index)) if isinstance(index, n.Var) else None
    stride = view.strides[moving[0]]
    if len(moving) > 1 or start is None or stride.text == str(view.element.size):
        return None
    if not isinstance(view.element, Scalar) or view.element.kind == "b":
        return None
    codes = [Code("0") if isinstance(i.type, Vector) else printer.simple(i) for i in node.indices]
    return prefix("&", Code(view.at(printer.dialect, codes).inside(UNARY))), start, stride


def _lane_count(indices: tuple[n.Atom, ...]) -> int:
    return next(i.type.lanes for i in indices if isinstance(i.type, Vector))


def _as_offsets(printer: CPrinter, index: n.Atom) -> Code:
    type = _vector(index)
    code = printer.value(index)
    return code if tag(type.element) == "int64" else _converted(printer, code, type, Vector(PYINT, type.lanes))


_RULES = {
    n.Binary: _binary, n.Unary: _unary, n.Compare: _compare, n.Select: _select, n.Cast: _cast, n.Math: _math,
    n.Fma: _fma, n.Lanes: _lanes, n.Broadcast: _broadcast, n.ReduceLanes: _reduce, n.Load: _load,
    n.RunningLanes: _running, n.Lane: _lane,
}  # fmt: skip
