"""Rules for conversions between number types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.arithmetic import scalar
from weft.backends.text.code import EQUALITY, UNARY, Code, call, infix
from weft.backends.text.dialect import tag
from weft.backends.text.sites import operation_site
from weft.ir import nodes as n
from weft.ir.effects import cast_may_raise
from weft.ir.types import PYINT, Scalar, Vector

if TYPE_CHECKING:
    from weft.backends.text.printer import Printer


def cast(printer: Printer, var: n.Var, node: n.Cast) -> Code:
    """A conversion, after the test whether the value fits."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    source, target = scalar(node.operand), var.type
    assert isinstance(target, Scalar)
    if not (node.checked and cast_may_raise(source, target)):
        operand = printer.value(node.operand, exact=True)
        return converted(printer, operand, source, target, source.weak and target.kind in "iu")
    operand = printer.simple(node.operand, exact=True)
    site = operation_site(("cast", source.name, target.name), (source,), printer.location)
    if source.kind == "f" and source.bits > 16 and tag(target) == "int64":
        return printer.whole("int64_from_float", operand, site)
    printer.fail_if(call(f"{_family(source)}_leaves_{tag(target)}", _real(operand, source)), site, [operand])
    return converted(printer, operand, source, target, False)


def _family(source: Scalar) -> str:
    if source.kind == "u":
        return "uint64"
    return "int64" if source.kind == "i" else "float64"


def _real(operand: Code, source: Scalar) -> Code:
    if source.kind == "c":
        return Code(f"{operand.text}.re")
    return call("half_to_float32", operand) if source.kind == "f" and source.bits == 16 else operand


def converted(printer: Printer, code: Code, source: Scalar, target: Scalar, through_int: bool = False) -> Code:
    """The conversion itself: NumPy's unsafe cast. `through_int`: floats become int64 first, as Python's do."""
    if tag(source) == tag(target):
        return code
    if through_int and source.kind in "fc":
        return converted(printer, converted(printer, code, source, PYINT), PYINT, target)
    if target.kind == "c":
        return _to_complex(printer, code, source, target)
    if source.kind == "c":
        if target.kind == "b":
            return Code(f"!is_zero_{tag(source)}({code.text})", UNARY, code.loads)
        part = Scalar(f"float{source.bits // 2}", "f", source.bits // 2)
        return converted(printer, Code(f"{code.inside(UNARY + 1)}.re", loads=code.loads), part, target)
    if source.kind == "f" and source.bits == 16:
        return _from_half(printer, code, target)
    if target.kind == "b":
        return infix("!=", EQUALITY, code, Code("0"))
    if target.kind == "f" and target.bits == 16:
        return call("half_from_float64" if source.bits == 64 and source.kind == "f" else "half_from_float32", code)
    if source.kind == "f" and target.kind in "iu":
        return call(f"{tag(target)}_from_float", code)
    return c_cast(printer, code, target)


def c_cast(printer: Printer, code: Code, target: Scalar) -> Code:
    """A cast as C writes it."""
    return Code(f"({printer.dialect.type_name(target)}){code.inside(UNARY)}", UNARY, code.loads)


def _from_half(printer: Printer, code: Code, target: Scalar) -> Code:
    wide = Scalar("float32", "f", 32)
    return converted(printer, call("half_to_float32", code), wide, target)


def _to_complex(printer: Printer, code: Code, source: Scalar, target: Scalar) -> Code:
    if source.kind == "c":
        return call(f"{tag(target)}_from_{tag(source)}", code)
    part = Scalar(f"float{target.bits // 2}", "f", target.bits // 2)
    real = converted(printer, code, source, part)
    return Code(f"(({printer.dialect.type_name(target)}){{{real.text}, 0}})", loads=code.loads)
