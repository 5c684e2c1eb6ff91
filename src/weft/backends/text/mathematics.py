"""Rules for mathematical functions: a helper ``name_type`` for each, and the tests of Python's ``math``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from weft.backends.text.arithmetic import power_function, scalar
from weft.backends.text.artifact import Site
from weft.backends.text.code import BIT_AND, EQUALITY, OR, ORDER, Code, call, infix
from weft.backends.text.dialect import tag
from weft.backends.text.sites import TOO_LARGE, operation_site
from weft.ir import nodes as n
from weft.ir.c_text import parse
from weft.ir.types import FLOAT32, Scalar, Vector

if TYPE_CHECKING:
    from weft.backends.text.printer import Printer


def math(printer: Printer, var: n.Var, node: n.Math) -> Code:
    """A mathematical function."""
    if isinstance(var.type, Vector):
        return printer.vector(var, node)
    if node.strict:
        return _strict(printer, var, node)
    operands = [printer.value(a, exact=True) for a in node.operands]
    type = scalar(node.operands[0])
    assert isinstance(var.type, Scalar)
    if node.name == "complex":
        return Code(f"(({printer.dialect.type_name(var.type)}){{{operands[0].text}, {operands[1].text}}})")
    if type.kind == "f" and type.bits == 16 and node.name not in _ON_HALVES:
        return _through_single(node.name, node, operands, var.type)
    is_root = node.name == "sqrt" and type == FLOAT32 and printer.dialect.large_roots
    if is_root and printer.facts.is_large(node.operands[0]):
        return call("root_of_large", *operands)
    if node.name == "nextafter" and type.bits == 16 and EQUAL_GIVES_SECOND:
        return call("nextafter_second_float16", *operands)
    return call(f"{node.name}_{tag(type)}", *operands)


def native(printer: Printer, var: n.Var, node: n.Native) -> Code:
    """A call of a C function of the user's."""
    text = parse(node.source)
    printer.module.natives[text.symbol] = text.text
    return call(text.symbol, *(printer.value(a, exact=True) for a in node.operands))


VECTOR_FUNCTIONS = frozenset({
    "sqrt", "square", "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arctan2", "erf", "erfc", "cbrt", "hypot", "floor", "ceil",
    "trunc", "rint", "fabs", "absolute", "sign", "isnan", "isinf", "isfinite", "copysign", "maximum", "minimum", "fmax",
    "fmin", "degrees", "radians", "real", "imag", "conjugate", "heaviside", "signbit", "round",
})  # fmt: skip
"""Functions that compilers make vector code of."""

_ON_HALVES = frozenset({
    "nextafter", "spacing", "real", "imag", "conjugate", "copysign", "maximum", "minimum", "fmax", "fmin",
})  # fmt: skip
"""Functions of half-precision numbers that are no rounded functions of float32."""


EQUAL_GIVES_SECOND = not np.signbit(np.nextafter(np.float16(-0.0), np.float16(0.0)))
"""Whether ``np.nextafter`` of equal halves is the second one, as in C and in NumPy since 2.5: zeros have two signs."""


def _through_single(name: str, node: n.Math, operands: Sequence[Code], result: Scalar) -> Code:
    wide = [
        call("half_to_float32", code) if scalar(atom).kind == "f" else code
        for atom, code in zip(node.operands, operands, strict=True)
    ]
    value = call(f"{name}_float32", *wide)
    return call("half_from_float32", value) if result.kind == "f" else value


# ------------------------------------------------------------------------------------- Python's own functions

Test = Callable[[Code], Code]


def _below(limit: str, symbol: str = "<") -> Test:
    return lambda x: infix(symbol, ORDER, x, Code(limit))


def _finite_above(limit: str, symbol: str = ">") -> Test:
    def test(x: Code) -> Code:
        return infix("&", BIT_AND, infix(symbol, ORDER, x, Code(limit)), infix("<", ORDER, x, Code("(double)INFINITY")))

    return test


def _size(symbol: str, limit: str) -> Test:
    return lambda x: infix(symbol, ORDER, call("fabs_float64", x), Code(limit))


def _finite_size_above(limit: str) -> Test:
    def test(x: Code) -> Code:
        size = call("fabs_float64", x)
        return infix(
            "&", BIT_AND, infix(">", ORDER, size, Code(limit)), infix("<", ORDER, size, Code("(double)INFINITY"))
        )

    return test


def _is_infinite(x: Code) -> Code:
    return infix("==", EQUALITY, call("fabs_float64", x), Code("(double)INFINITY"))


ARGUMENT_TESTS: dict[str, Test] = {
    "sqrt": _below("0.0"),
    **dict.fromkeys(("exp", "expm1"), _finite_above("709.782712893384")),
    "exp2": _finite_above("1024.0", ">="),
    **dict.fromkeys(("log", "log2", "log10"), _below("0.0", "<=")),
    "log1p": _below("-1.0", "<="),
    **dict.fromkeys(("sin", "cos", "tan"), _is_infinite),
    **dict.fromkeys(("arcsin", "arccos"), _size(">", "1.0")),
    "arccosh": _below("1.0"),
    "arctanh": _size(">=", "1.0"),
    **dict.fromkeys(("sinh", "cosh"), _finite_size_above("710.4758600739439")),
}  # fmt: skip
"""For which arguments a function raises, where that can be told without its result."""

RESULT_TESTED = frozenset({"gamma", "lgamma", "pow", "fmod", "remainder", "log_base"})
"""Functions that raise where the result is NaN or infinite and the arguments were not."""

INTEGER_RESULTS = frozenset({"floor", "ceil", "trunc", "round"})
ON_INTEGERS = frozenset({"gcd", "lcm", "comb", "perm", "isqrt", "factorial"})


def _strict(printer: Printer, var: n.Var, node: n.Math) -> Code:
    if node.name in ON_INTEGERS:
        return _of_integers(printer, var, node)
    if node.name in INTEGER_RESULTS:
        return _rounded(printer, var, node)
    name = f"{_STRICT_NAMES.get(node.name, node.name)}_float64"
    if node.name in RESULT_TESTED:
        return _result_tested(printer, var, node, name)
    test = ARGUMENT_TESTS.get(node.name)
    if test is None:
        return call(name, *(printer.value(a) for a in node.operands))
    argument = printer.simple(node.operands[0])
    printer.fail_if(test(argument), _site(printer, var, node), [argument])
    return call(name, argument)


_STRICT_NAMES = {"remainder": "ieee_remainder", "pow": "python_pow"}


def _site(printer: Printer, var: n.Var, node: n.Math) -> Site:
    assert isinstance(var.type, Scalar)
    types = [scalar(a) for a in node.operands]
    return operation_site(("math", node.name, var.type.name), types, printer.location)


def _result_tested(printer: Printer, var: n.Var, node: n.Math, name: str) -> Code:
    arguments = [printer.simple(a) for a in node.operands]
    known = power_function(node.operands[1]) if node.name == "pow" else ""
    result = Code(printer.name(var, (call(known, arguments[0]) if known else call(name, *arguments)).text))
    fails = "log_base_fails" if node.name == "log_base" else f"argument{len(arguments)}_raises"
    condition = call(fails, result, *arguments)
    printer.fail_if(condition, _site(printer, var, node), arguments)
    return result


def _rounded(printer: Printer, var: n.Var, node: n.Math) -> Code:
    argument = printer.simple(node.operands[0])
    return printer.whole(f"{node.name}_to_int64", argument, _site(printer, var, node))


def _of_integers(printer: Printer, var: n.Var, node: n.Math) -> Code:
    arguments = [printer.simple(a) for a in node.operands]
    site = _site(printer, var, node)
    if node.name in _SLOW:
        negative = infix("<", ORDER, arguments[0], Code("0"))
        for argument in arguments[1:]:
            negative = infix("||", OR, negative, infix("<", ORDER, argument, Code("0")))
        printer.fail_if(negative, site, arguments)
        site = replace(site, exception="OverflowError", message=TOO_LARGE, operation=())
    name = printer.name(var)
    printer.fail_if(call(f"{node.name}_fails", *arguments, f"&{name}"), site, arguments)
    return Code(name)


_SLOW = frozenset({"factorial", "comb", "perm"})
"""Functions that Python would take years for where the result does not fit: they are not evaluated again."""
