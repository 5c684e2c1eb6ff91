"""An estimate of the time that a loop takes on one core, as a C expression: small loops do not wake threads.

Nanoseconds per operation are rough figures for current processors with vector units; only their order of magnitude
matters here. `weft.machine` has measured figures for everything that must be precise.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.backends.code import Code
from weft.ir import nodes as n
from weft.ir.types import Scalar, Vector, View

SIMPLE, DIVISION, FUNCTION, ACCESS, SCATTERED, ALLOCATION, CALL, UNKNOWN_TRIPS = (
    0.15,
    1.0,
    4.0,
    0.2,
    1.0,
    60.0,
    20.0,
    16.0,
)

_CHEAP_FUNCTIONS = frozenset(
    {"fabs", "absolute", "floor", "ceil", "trunc", "rint", "real", "imag", "square", "copysign"}
)

Known = Callable[[n.Atom], "Code | None"]
"""The C expression of an atom outside the loop whose cost is asked for; None where it is known inside only."""


def work(block: n.Block, known: Known) -> str:
    """Nanoseconds that one run of a block takes."""
    fixed, terms = _block(block, known)
    return " + ".join([f"{fixed:.4g}", *terms])


def _block(block: n.Block, known: Known) -> tuple[float, list[str]]:
    fixed, terms = 0.0, []
    for statement in block.statements:
        more, inner = _statement(statement, known)
        fixed += more
        terms += inner
    return fixed, terms


def _statement(statement: n.Statement, known: Known) -> tuple[float, list[str]]:
    if isinstance(statement, n.Let):
        return _expression(statement.value, statement.var), []
    if isinstance(statement, (n.Store, n.Update)):
        return _access(statement.view), []
    if isinstance(statement, n.If):
        then, orelse = _block(statement.then, known), _block(statement.orelse, known)
        return (then[0] + orelse[0]) / 2 + SIMPLE, [f"0.5 * ({t})" for t in (*then[1], *orelse[1])]
    if isinstance(statement, n.For):
        return _loop(statement, known)
    if isinstance(statement, n.While):
        inner, terms = _block(statement.body, known)
        return UNKNOWN_TRIPS * (inner + 1), [f"{UNKNOWN_TRIPS} * ({t})" for t in terms]
    return CALL, []


def _loop(loop: n.For, known: Known) -> tuple[float, list[str]]:
    start, stop = known(loop.start), known(loop.stop)
    inner, terms = _block(loop.body, known)
    each = " + ".join([f"{inner + SIMPLE:.4g}", *terms])
    if start is None or stop is None:
        trips = "" if start is None and stop is None else _half(start or stop)
        if not trips:
            return UNKNOWN_TRIPS * (inner + SIMPLE), [f"{UNKNOWN_TRIPS} * ({t})" for t in terms]
        return 1.0, [f"{trips} * ({each})"]
    if start.text == "0":
        return 1.0, [f"(double)({stop.text}) * ({each})"]
    return 1.0, [f"(double)({stop.text} - ({start.text})) * ({each})"]


def _half(bound: Code | None) -> str:
    """Trips of a loop with one bound that moves, as in a triangle; a constant bound says nothing."""
    if bound is None or bound.text.lstrip("-").isdigit():
        return ""
    return f"0.5 * (double)({bound.text})"


def _expression(value: n.Expression, var: n.Var) -> float:
    lanes = 4.0 if isinstance(var.type, Vector) else 1.0
    if isinstance(value, n.Math):
        return lanes * (SIMPLE if value.name in _CHEAP_FUNCTIONS else DIVISION if value.name == "sqrt" else FUNCTION)
    if isinstance(value, n.Binary):
        if value.op == "pow":
            return lanes * FUNCTION * 2
        divides = value.op in ("truediv", "floordiv", "mod")
        complex_ = isinstance(value.left.type, Scalar) and value.left.type.kind == "c"
        return lanes * (DIVISION if divides else SIMPLE) * (3 if complex_ else 1)
    if isinstance(value, n.Load):
        return lanes * _access(value.view)
    if isinstance(value, n.Alloc):
        return ALLOCATION
    if isinstance(value, (n.Dim, n.Undefined, n.Subview, n.Transpose, n.Mergeable, n.Merge, n.FieldView)):
        return 0.0
    return lanes * SIMPLE


def _access(view: n.Var) -> float:
    return ACCESS if isinstance(view.type, View) and view.type.contiguous else SCATTERED
