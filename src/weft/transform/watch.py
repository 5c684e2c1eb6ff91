"""Watch: a test after each floating-point operation whether it made a NaN or an infinity of finite numbers.

What ``debug=True`` means. The first such operation raises FloatingPointError with the operands, the line and the
iteration, as does the division of a NumPy integer by zero. One subtraction and one comparison tell finite results from
others; all else stands where it rarely runs. Loops that fold floats run one after the other, so that the first is the
first in the order of the source. What NumPy's integers do when they overflow is not looked at.

Runs after the passes that prove things, and without those that compute what the source does not (`SPECULATING`).
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import BOOL, PYBOOL, Scalar
from weft.ir.visit import Names, atoms_of, rewrite
from weft.transform.support import on_blocks

SPECULATING = frozenset(
    {
        "licm", "if_conversion", "distribute", "fusion", "inline_producers", "row_fusion", "normalise_counters",
        "updates", "tiles",
    }
)  # fmt: skip
"""Passes that move operations out of branches and empty loops, change their order, or count otherwise."""

EXCEPTION = "FloatingPointError"
SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
DIVISIONS = frozenset({"truediv", "floordiv", "mod"})
POLES = frozenset({"log", "log2", "log10", "log1p", "arctanh", "reciprocal"})
"""Functions that are infinite only where they divide by zero."""
QUIET = frozenset(
    {
        "floor", "ceil", "trunc", "rint", "fabs", "absolute", "abs", "sign", "copysign", "conjugate", "real", "imag",
        "minimum", "maximum", "fmin", "fmax", "signbit",
    }
)  # fmt: skip
"""Functions that make finite numbers of finite numbers."""


def watch(program: n.Program) -> n.Program:
    """Test the results of floating-point operations."""
    tester = _Tester(Names.of(program))
    return on_blocks(program, lambda block: rewrite(block, tester.changed))


class _Tester:
    def __init__(self, names: Names) -> None:
        self.names = names

    def changed(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement with the test after it, or a loop that folds no floats in parallel."""
        if isinstance(statement, n.For):
            return _in_order(statement)
        if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
            return statement
        text = _text(statement)
        if text is None:
            return statement
        if statement.var.type.kind in "iu":
            return (*self._integer_division(statement, text), statement)
        return (statement, *self._tested(statement, text))

    def _integer_division(self, statement: n.Let, text: str) -> tuple[n.Statement, ...]:
        assert isinstance(statement.value, n.Binary)
        return self._raised_if_zero(statement.value.right, statement, text, n.Block())

    def _tested(self, statement: n.Let, text: str) -> tuple[n.Statement, ...]:
        location = statement.location
        test, infinite = self._is_infinite(statement.var, location)
        operands = [a for a in atoms_of(statement.value) if isinstance(a, n.Var) and _is_float(a)]
        raised = self._raised(statement, text)
        for operand in operands:
            tests, condition = self._is_infinite(operand, location)
            raised = n.Block((*tests, n.If(condition, n.Block(), raised, location=location)))
        return (*test, n.If(infinite, raised, location=location))

    def _raised(self, statement: n.Let, text: str) -> n.Block:
        """What is raised about a result that is not finite."""
        location, var = statement.location, statement.var
        assert isinstance(var.type, Scalar)
        is_nan = self._let(n.Compare("ne", var, var), _boolean(var.type), location)
        condition, cast = self._condition(is_nan.var, location)
        nan = _raise(f"the first NaN: {text} is nan", statement)
        infinite = _raise(f"{_cause(statement.value)}: {text} is infinite", statement)
        block = n.Block((is_nan, *cast, n.If(condition, n.Block((nan,)), n.Block((infinite,)), location=location)))
        divisor = _divisor(statement.value)
        return block if divisor is None else n.Block(self._raised_if_zero(divisor, statement, text, block))

    def _raised_if_zero(self, atom: n.Atom, statement: n.Let, text: str, orelse: n.Block) -> tuple[n.Statement, ...]:
        assert isinstance(atom.type, Scalar)
        zero = self._let(n.Compare("eq", atom, _zero(atom.type)), _boolean(atom.type), statement.location)
        condition, cast = self._condition(zero.var, statement.location)
        raised = n.Block((_raise(f"the first division by zero: {text}", statement),))
        return (zero, *cast, n.If(condition, raised, orelse, location=statement.location))

    def _is_infinite(self, var: n.Var, location: Location) -> tuple[list[n.Statement], n.Atom]:
        """Statements that find out whether a number is not finite: only then is ``x - x`` not zero."""
        assert isinstance(var.type, Scalar)
        difference = self._let(n.Binary("sub", var, var, False), var.type, location)
        test = self._let(n.Compare("ne", difference.var, _zero(var.type)), _boolean(var.type), location)
        condition, cast = self._condition(test.var, location)
        return [difference, test, *cast], condition

    def _condition(self, test: n.Var, location: Location) -> tuple[n.Atom, list[n.Let]]:
        if test.type == PYBOOL:
            return test, []
        cast = self._let(n.Cast(test, False), PYBOOL, location)
        return cast.var, [cast]

    def _let(self, value: n.Expression, type: Scalar, location: Location) -> n.Let:
        return n.Let(self.names.fresh("t", type), value, location)


def _in_order(loop: n.For) -> n.For:
    """A loop that folds floats runs one iteration after the other."""
    folded = any(arg.combine is not None and _is_float(arg.var) for arg in loop.args)
    if not folded:
        return loop
    return replace(loop, mapping="sequential", args=tuple(replace(arg, combine=None) for arg in loop.args))


def _text(let: n.Let) -> str | None:
    """The operation over its operands, or None where it cannot make what is looked for."""
    value, type = let.value, let.var.type
    assert isinstance(type, Scalar)
    if isinstance(value, n.Binary) and value.op in SYMBOLS:
        wanted = type.kind in "fc" or (value.op in DIVISIONS and type.kind in "iu" and not type.weak)
        return f"{{}} {SYMBOLS[value.op]} {{}}" if wanted else None
    if type.kind not in "fc":
        return None
    if isinstance(value, n.Math) and value.name not in QUIET:
        return f"{value.name}({', '.join('{}' for _ in value.operands)})"
    if isinstance(value, n.Fma):
        return "{} * {} + {}"
    if isinstance(value, n.Cast) and _is_narrowing(value.operand, type):
        return f"{{}} as {type}"
    return None


def _is_narrowing(operand: n.Atom, type: Scalar) -> bool:
    source = operand.type
    if not isinstance(source, Scalar) or source.kind == "b":
        return False
    return type.bits < source.bits if source.kind in "fc" else type.bits == 16


def _divisor(value: n.Expression) -> n.Atom | None:
    """The operand whose being zero explains an infinity."""
    if isinstance(value, n.Binary) and value.op in DIVISIONS:
        return value.right
    if isinstance(value, n.Binary) and value.op == "pow":
        return value.left
    return None


def _cause(value: n.Expression) -> str:
    """What an infinite result comes from."""
    pole = isinstance(value, n.Math) and value.name in POLES
    return "the first division by zero" if pole else "the first overflow"


def _raise(message: str, statement: n.Let) -> n.Raise:
    return n.Raise(EXCEPTION, message, tuple(atoms_of(statement.value)), statement.location)


def _is_float(atom: n.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.kind in "fc"


def _zero(type: Scalar) -> n.Const:
    return n.Const(type.dtype.type(0).item(), type)


def _boolean(type: Scalar) -> Scalar:
    return PYBOOL if type.weak else BOOL
