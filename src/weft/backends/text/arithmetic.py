"""Rules for operators: one for each operator, by the family of its operands' type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.backends.text.artifact import Site
from weft.backends.text.code import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    EQUALITY,
    ORDER,
    PRODUCT,
    SUM,
    UNARY,
    Code,
    call,
    choice,
    infix,
    prefix,
)
from weft.backends.text.dialect import tag
from weft.backends.text.sites import operation_site
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import PYFLOAT, PYINT, Scalar, Vector

if TYPE_CHECKING:
    from weft.backends.text.printer import Printer


def scalar(atom: n.Atom) -> Scalar:
    """The type of an atom that is a number."""
    if not isinstance(atom.type, Scalar):
        raise InternalError(f"a {atom.type} is no number")
    return atom.type


# ------------------------------------------------------------------------------------------------ binary


def binary(printer: Printer, var: n.Var, node: n.Binary) -> Code:
    """A binary operator."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    type = scalar(node.left)
    if type.kind == "c":
        return _complex_binary(printer, node, type)
    if type.bits == 16 and type.kind == "f":
        return _half_binary(printer, node, type)
    return _RULES[node.op](printer, var, node, type)


def _operands(printer: Printer, node: n.Binary | n.Compare) -> tuple[Code, Code]:
    both = isinstance(node.left, n.Const) and isinstance(node.right, n.Const)
    return printer.value(node.left, exact=both), printer.value(node.right)


def _simple_operands(printer: Printer, node: n.Binary) -> tuple[Code, Code]:
    both = isinstance(node.left, n.Const) and isinstance(node.right, n.Const)
    return printer.simple(node.left, exact=both), printer.simple(node.right)


def narrowed(printer: Printer, type: Scalar, code: Code) -> Code:
    """The result of C's arithmetic, which is done in int at least, wrapped to a smaller integer type."""
    if type.kind in "iu" and type.bits < 32:
        return Code(f"({printer.dialect.type_name(type)}){code.inside(UNARY)}", UNARY, code.loads)
    return code


def wrapped(printer: Printer, type: Scalar, op: str, left: Code, right: Code) -> Code:
    """The sum, difference or product of integers of a type that wraps: without a sign where C leaves it open else."""
    opened = type.bits >= 32 if type.kind == "i" else type.bits == 16 and op == "mul"
    if printer.dialect.wraps or type == PYINT or type.kind not in "iu" or not opened:
        return narrowed(printer, type, infix(*_SYMBOLS[op], left, right))
    unsigned = Code(f"(uint{max(type.bits, 32)}_t){left.inside(UNARY)}", UNARY, left.loads)
    value = infix(*_SYMBOLS[op], unsigned, right)
    return Code(f"({printer.dialect.type_name(type)})({value.text})", UNARY, value.loads)


_SYMBOLS = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "truediv": ("/", PRODUCT)}
_BITWISE = {"and": ("&", BIT_AND), "or": ("|", BIT_OR), "xor": ("^", BIT_XOR)}
_OF_BOOLEANS = {"add": "or", "mul": "and"}


def _sum_or_product(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    if type.kind == "b":
        left, right = _operands(printer, node)
        return infix(*_BITWISE[_OF_BOOLEANS[node.op]], left, right)
    if type == PYINT and node.checked:
        return _overflowing(printer, var, node)
    left, right = _operands(printer, node)
    if node.op == "sub" and type.kind == "f" and printer.is_misread(node):
        return call(f"difference_{tag(type)}", left, right)
    return wrapped(printer, type, node.op, left, right)


def _overflowing(printer: Printer, var: n.Var, node: n.Binary) -> Code:
    left, right = _simple_operands(printer, node)
    name = printer.name(var)
    overflows = call(f"{node.op}_overflows", left, right, f"&{name}")
    printer.fail_if(overflows, _site(printer, node, PYINT), [left, right])
    return Code(name)


def _site(printer: Printer, node: n.Binary, type: Scalar) -> Site:
    return operation_site(("binary", node.op, type.name), (type, type), printer.location)


def _true_division(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    left, right = _tested_divisor(printer, node, type)
    if type == PYINT:
        return call("truediv_int64", left, right)
    return infix("/", PRODUCT, left, right)


def _tested_divisor(printer: Printer, node: n.Binary, type: Scalar) -> tuple[Code, Code]:
    """The operands, after the test of a divisor for zero where Python makes one."""
    tested = type.weak and node.checked and not (isinstance(node.right, n.Const) and node.right.value)
    if not tested:
        return _operands(printer, node)
    left, right = _simple_operands(printer, node)
    zero = infix("==", EQUALITY, right, Code("0" if type.kind == "i" else "0.0"))
    printer.fail_if(zero, _site(printer, node, type), [left, right])
    return left, right


def _floor_division(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    bits = _low_bits(node) if type.kind == "i" and type.bits >= 32 else None
    if bits is not None and not printer.is_nonnegative(node.left):
        return infix("&", BIT_AND, printer.low_bits(node.left), printer.dialect.constant(n.Const(bits, type)))
    left, right = _tested_divisor(printer, node, type)
    if type.kind == "b":
        return infix(">", ORDER, left, right) if node.op == "mod" else infix("&", BIT_AND, left, right)
    if type == PYINT and node.checked and node.op == "floordiv" and not isinstance(node.right, n.Const):
        left, right = _force_simple(printer, left, PYINT), _force_simple(printer, right, PYINT)
        condition = call("division_overflows", left, right)
        printer.fail_if(condition, _site(printer, node, type), [left, right])
    if type.kind in "iu":
        return _integer_division(printer, node, type, left, right)
    return call(f"mod_by_power_{tag(type)}", left, right) if is_rest_of_power(node) else _named(node, type, left, right)


def is_rest_of_power(node: n.Binary) -> bool:
    """Whether an operation is the rest of a float after the division by 1, 2, 4 and so on."""
    value = node.right.value if isinstance(node.right, n.Const) and node.op == "mod" else 0
    return isinstance(value, float) and 1 <= value < 2**53 and value.is_integer() and int(value).bit_count() == 1


def _force_simple(printer: Printer, code: Code, type: Scalar) -> Code:
    return code if code.is_simple else Code(printer.declare("t", printer.dialect.type_name(type), code.text))


def _named(node: n.Binary, type: Scalar, left: Code, right: Code) -> Code:
    return call(f"{node.op}_{tag(type)}", left, right)


def _integer_division(printer: Printer, node: n.Binary, type: Scalar, left: Code, right: Code) -> Code:
    """C's division where it is Python's: of numbers that are not negative, by one that is not zero."""
    by_positive = isinstance(node.right, n.Const) and node.right.value.real > 0
    is_pythons = type == PYINT and (node.checked or not printer.bounds_nests)
    if (by_positive or is_pythons) and printer.is_nonnegative(node.left) and printer.is_nonnegative(node.right):
        return narrowed(printer, type, infix("/" if node.op == "floordiv" else "%", PRODUCT, left, right))
    if by_positive and type.kind == "i":
        return call(f"{node.op}_by_positive_{tag(type)}", left, right)
    return call(f"python_{node.op}", left, right) if is_pythons else _named(node, type, left, right)


def _low_bits(node: n.Binary) -> int | None:
    """The bits that a rest of a division by 1, 2, 4 and so on consists of, whatever the sign of what is divided."""
    value = node.right.value if isinstance(node.right, n.Const) and node.op == "mod" else None
    return int(value) - 1 if isinstance(value, int) and value > 0 and value.bit_count() == 1 else None


def _power(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    small = _small_power(printer, node, type)
    if small is not None:
        return small
    left, right = _simple_operands(printer, node)
    site = _site(printer, node, type)
    if type == PYFLOAT:
        return _python_power(printer, var, node, left, right)
    if type == PYINT and node.checked:
        name = printer.name(var)
        printer.fail_if(call("pow_overflows", left, right, f"&{name}"), site, [left, right])
        return Code(name)
    if type.kind == "i" and node.checked and not printer.is_nonnegative(node.right):
        printer.fail_if(infix("<", ORDER, right, Code("0")), site, [left, right])
    return _named(node, type, left, right)


def _python_power(printer: Printer, var: n.Var, node: n.Binary, left: Code, right: Code) -> Code:
    """The power of Python's floats, which is the C library's: its last bit is not that of a product."""
    known = power_function(node.right)
    value = call(known, left) if known else call("python_pow_float64", left, right)
    if not node.checked:
        return value
    name = printer.name(var, value.text)
    printer.fail_if(call("pow_fails", left, right, name), _site(printer, node, PYFLOAT), [left, right])
    return Code(name)


def power_function(exponent: n.Atom) -> str:
    """The function of powers of Python's floats by a constant; nothing where there is none."""
    value = exponent.value if isinstance(exponent, n.Const) else None
    return f"python_{POWERS[value]}_float64" if value in POWERS else ""  # type: ignore[index]


POWERS = {2: "square", 3: "cube", 4: "fourth", -1: "inverse", -2: "inverse_square", 0.5: "root"}
"""Constant exponents of Python's floats whose powers are most often known without the C library."""


def _small_power(printer: Printer, node: n.Binary, type: Scalar) -> Code | None:
    """``x ** 2`` and ``x ** 3`` as products, ``x ** 0.5`` as a root, where nothing is to be checked."""
    if not isinstance(node.right, n.Const) or type.kind == "b" or type == PYFLOAT or (node.checked and type.weak):
        return None
    if node.right.value == 0.5:
        return call(f"half_power_{tag(type)}", printer.value(node.left, exact=True))
    if node.right.value not in (2, 3):
        return None
    base = printer.simple(node.left)
    square = wrapped(printer, type, "mul", base, base)
    return square if node.right.value == 2 else wrapped(printer, type, "mul", square, base)


def _bitwise(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    return infix(*_BITWISE[node.op], *_operands(printer, node))


def _shift(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    if type != PYINT:
        return _named(node, type, *_operands(printer, node))
    if not node.checked:
        return call(f"{node.op}_int64", *_operands(printer, node))
    left, right = _simple_operands(printer, node)
    site = _site(printer, node, type)
    if node.op == "shl":
        name = printer.name(var)
        printer.fail_if(call("shl_overflows", left, right, f"&{name}"), site, [left, right])
        return Code(name)
    if not printer.is_nonnegative(node.right):
        printer.fail_if(infix("<", ORDER, right, Code("0")), site, [left, right])
    return call("shr_int64", left, right)


def _extreme(printer: Printer, var: n.Var, node: n.Binary, type: Scalar) -> Code:
    """Python's ``min`` and ``max``: the second operand only where it is strictly better."""
    left, right = _simple_operands(printer, node)
    better = infix("<" if node.op == "min" else ">", ORDER, right, left)
    return choice(better, right, left)


Rule = Callable[["Printer", n.Var, n.Binary, Scalar], Code]

_RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sub", "mul"), _sum_or_product),
    "truediv": _true_division,
    **dict.fromkeys(("floordiv", "mod"), _floor_division),
    "pow": _power,
    **dict.fromkeys(("and", "or", "xor"), _bitwise),
    **dict.fromkeys(("shl", "shr"), _shift),
    **dict.fromkeys(("min", "max"), _extreme),
}


def _complex_binary(printer: Printer, node: n.Binary, type: Scalar) -> Code:
    if node.op in ("min", "max"):
        left, right = _simple_operands(printer, node)
        better = call(f"{'lt' if node.op == 'min' else 'gt'}_{tag(type)}", right, left)
        return choice(better, right, left)
    if not (type.weak and node.checked and node.op in ("truediv", "pow")):
        prefix_ = "python_" if type.weak and node.op in ("truediv", "pow") else ""
        return call(f"{prefix_}{node.op}_{tag(type)}", *_operands(printer, node))
    left, right = _simple_operands(printer, node)
    site = operation_site(("binary", node.op, type.name), (type, type), printer.location)
    if node.op == "truediv":
        printer.fail_if(call("is_zero_complex128", right), site, [left, right])
        return call("python_truediv_complex128", left, right)
    value = Code(printer.declare("power", "complex128", call("python_pow_complex128", left, right).text))
    printer.fail_if(call("complex_pow_fails", left, right, value), site, [left, right])
    return value


def _half_binary(printer: Printer, node: n.Binary, type: Scalar) -> Code:
    """Half-precision numbers are worked on as float32 and rounded back, as NumPy does it."""
    left, right = _simple_operands(printer, node)
    if node.op in ("min", "max"):
        sides = call("half_to_float32", right), call("half_to_float32", left)
        return choice(infix("<" if node.op == "min" else ">", ORDER, *sides), right, left)
    wide = call("half_to_float32", left), call("half_to_float32", right)
    if node.op in _SYMBOLS:
        return call("half_from_float32", infix(*_SYMBOLS[node.op], *wide))
    return call("half_from_float32", call(f"{node.op}_float32", *wide))


# ------------------------------------------------------------------------------------- other operators


def compare(printer: Printer, var: n.Var, node: n.Compare) -> Code:
    """A comparison."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    type = scalar(node.left)
    left, right = _operands(printer, node)
    if type.kind == "c":
        return call(f"{node.op}_{tag(type)}", left, right)
    if type.kind == "f" and type.bits == 16:
        left, right = call("half_to_float32", left), call("half_to_float32", right)
    return compared(node.op, left, right)


def compared(op: str, left: Code, right: Code) -> Code:
    """A comparison of two C values."""
    symbols = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
    level = EQUALITY if op in ("eq", "ne") else ORDER
    sides = [Code(f"({c.text})", loads=c.loads) if c.precedence in (EQUALITY, ORDER) else c for c in (left, right)]
    return infix(symbols[op], level, *sides)


def unary(printer: Printer, var: n.Var, node: n.Unary) -> Code:
    """A unary operator."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    type = scalar(node.operand)
    if node.op == "not":
        return _negation(printer, node, type)
    if node.op == "pos":
        return printer.value(node.operand)
    if type.kind == "c":
        return _complex_unary(printer, node, type)
    if type.kind == "f":
        return _float_unary(printer, node, type)
    if type.kind == "b":
        return printer.value(node.operand) if node.op == "abs" else prefix("!", printer.value(node.operand))
    if type == PYINT and node.checked and node.op in ("neg", "abs"):
        operand = printer.simple(node.operand, exact=True)
        lowest = printer.dialect.constant(n.Const(-(2**63), PYINT))
        site = operation_site(("unary", node.op, type.name), (type,), printer.location)
        printer.fail_if(infix("==", EQUALITY, operand, lowest), site, [operand])
        return prefix("-", operand) if node.op == "neg" else call("abs_int64", operand)
    return _integer_unary(printer, node, type)


def _negation(printer: Printer, node: n.Unary, type: Scalar) -> Code:
    operand = printer.value(node.operand)
    if type.kind == "c":
        return call(f"is_zero_{tag(type)}", operand)
    if type.kind == "f":
        operand = call("half_to_float32", operand) if type.bits == 16 else operand
        return infix("==", EQUALITY, operand, Code("0"))
    return prefix("!", operand)


def _complex_unary(printer: Printer, node: n.Unary, type: Scalar) -> Code:
    if not (node.op == "abs" and type.weak and node.checked):
        return call(f"{node.op}_{tag(type)}", printer.value(node.operand))
    operand = printer.simple(node.operand)
    size = Code(printer.declare("size", "double", call("abs_complex128", operand).text))
    site = operation_site(("unary", node.op, type.name), (type,), printer.location)
    printer.fail_if(call("complex_abs_fails", operand, size), site, [operand])
    return size


def _float_unary(printer: Printer, node: n.Unary, type: Scalar) -> Code:
    operand = printer.value(node.operand)
    if type.bits == 16:
        wide = call("half_to_float32", operand)
        return call("half_from_float32", prefix("-", wide) if node.op == "neg" else call("fabs_float32", wide))
    return prefix("-", operand) if node.op == "neg" else call(f"fabs_{tag(type)}", operand)


def _integer_unary(printer: Printer, node: n.Unary, type: Scalar) -> Code:
    operand = printer.value(node.operand, exact=True)
    if node.op == "abs":
        return operand if type.kind == "u" else narrowed(printer, type, call(f"abs_{tag(type)}", operand))
    if node.op == "neg" and type.kind == "i" and type.bits >= 32 and type != PYINT and not printer.dialect.wraps:
        return wrapped(printer, type, "sub", Code("0"), operand)
    return narrowed(printer, type, prefix("-" if node.op == "neg" else "~", operand))


def select(printer: Printer, var: n.Var, node: n.Select) -> Code | None:
    """One of two values; both were computed."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    if isinstance(var.type, Scalar) and var.type.kind == "b":
        if node.then == n.Const(True, var.type):
            return binary(printer, var, n.Binary("or", node.condition, node.orelse, checked=False))
        if node.orelse == n.Const(False, var.type):
            return binary(printer, var, n.Binary("and", node.condition, node.then, checked=False))
    condition = printer.value(node.condition)
    return choice(condition, printer.alternative(node.then), printer.alternative(node.orelse))


def fma(printer: Printer, var: n.Var, node: n.Fma) -> Code:
    """``a * b + c``, rounded once."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    operands = [printer.value(a) for a in (node.a, node.b, node.c)]
    return call(f"fma_{tag(scalar(node.a))}", *operands)
