"""An estimate of the time that a loop takes on one core, as a C expression: small loops do not wake threads.

Nanoseconds per operation are rough figures for current processors with vector units, of loops that become vector code
and whose arrays are in the second cache, where it is decided whether threads are worth waking; in memory they are a few
times slower. The benchmarks are within a factor of three. `weft.machine` has measured figures for everything that must
be precise.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from weft.backends.text.code import UNARY, Code
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, Vector, View
from weft.ir.visit import atoms_of, blocks_of

SIMPLE, DIVISION, FUNCTION, ACCESS, SCATTERED, ALLOCATION, CALL, LOOP, UNKNOWN_TRIPS = (
    0.04,
    0.4,
    1.6,
    0.04,
    0.35,
    40.0,
    10.0,
    2.0,
    16.0,
)

CARRIED = 1.0
"""Of an iteration that needs what the one before it computed: about four cycles, in no vector code."""

NOTED_IN_A_RUN, NOTED = 0.2, 1.5
"""Of an element that a journal notes before it is stored to: with those beside it, by itself."""

LONGEST_TEXT = 160
"""Means with longer expressions are not worth it."""

_SIGNS = {"add": "+", "sub": "-", "mul": "*"}

_CHEAP_FUNCTIONS = frozenset(
    {"fabs", "absolute", "floor", "ceil", "trunc", "rint", "real", "imag", "square", "copysign"}
)

Known = Callable[[n.Atom], "Code | None"]
"""The C expression of an atom outside the loop whose cost is asked for; None where it is known inside only."""


def work(block: n.Block, known: Known, indices: Mapping[str, str] | None = None) -> str:
    """Nanoseconds that one run of a block takes.

    Parameters
    ----------
    block
        What runs.
    known
        Gives the value of an atom, where it is known outside.
    indices
        For indices of the loops around, C expressions of their mean values: a triangle takes as long as the rectangle
        of its mean width.
    """
    fixed, terms = _Estimate(known, dict(indices or {})).block(block)
    return " + ".join([f"{fixed:.4g}", *terms])


def usual_work(block: n.Block, used: Container[str]) -> float:
    """Nanoseconds that one run of a block takes where loops have usual numbers of trips: to compare blocks by.

    Of what is not in `used` only the tests are made.
    """
    total = 0.0
    for statement in block.statements:
        if isinstance(statement, n.Let) and statement.var.name in used and not isinstance(statement.value, n.Load):
            total += _expression(statement.value, statement.var)
        elif isinstance(statement, (n.Let, n.Store, n.Update)):
            total += ACCESS
        inside = sum(usual_work(b, used) for b in blocks_of(statement))
        if isinstance(statement, (n.For, n.While)):
            inside *= usual_trips(statement)
        total += inside
    return total


def usual_trips(loop: n.For | n.While) -> float:
    """The number of iterations of a loop with constant bounds; of others, a usual one."""
    bounds = (loop.start, loop.stop) if isinstance(loop, n.For) else ()
    start, stop = (b.value if isinstance(b, n.Const) else None for b in bounds) if bounds else (None, None)
    return float(max(stop - start, 0)) if isinstance(start, int) and isinstance(stop, int) else UNKNOWN_TRIPS


def middle(start: str, stop: str) -> str:
    """The mean index of a loop, as a C expression."""
    return f"0.5 * (double){stop}" if start == "0" else f"0.5 * ((double){start} + (double){stop})"


class _Estimate:
    """The time of blocks, where `means` has the mean values of integers that are computed inside."""

    def __init__(self, known: Known, means: dict[str, str]) -> None:
        self.known = known
        self.means = means
        self.read: set[str] = set()
        """Integers that follow from elements of arrays: an access there is no step to the next element."""

    def block(self, block: n.Block) -> tuple[float, list[str]]:
        """Nanoseconds that are known now, and C expressions of further ones."""
        fixed, terms = 0.0, []
        for statement in block.statements:
            more, inner = self._statement(statement)
            fixed += more
            terms += inner
        return fixed, terms

    def _statement(self, statement: n.Statement) -> tuple[float, list[str]]:
        if isinstance(statement, n.Let):
            self._define(statement)
            if isinstance(statement.value, n.Load):
                return _lanes(statement.var) * self._access(statement.value.view, statement.value.indices), []
            return _expression(statement.value, statement.var), []
        if isinstance(statement, (n.Store, n.Update)):
            return self._access(statement.view, statement.indices), []
        if isinstance(statement, n.If):
            then, orelse = self.block(statement.then), self.block(statement.orelse)
            return (then[0] + orelse[0]) / 2 + SIMPLE, [f"0.5 * ({t})" for t in (*then[1], *orelse[1])]
        if isinstance(statement, n.For):
            return self._loop(statement)
        if isinstance(statement, n.While):
            inner, terms = self.block(statement.body)
            return UNKNOWN_TRIPS * (inner + 1), [f"{UNKNOWN_TRIPS} * ({t})" for t in terms]
        return CALL, []

    def _loop(self, loop: n.For) -> tuple[float, list[str]]:
        start, stop = self._mean(loop.start), self._mean(loop.stop)
        if start is not None and stop is not None:
            self.means[loop.index.name] = f"0.5 * {stop}" if start == "0.0" else f"0.5 * ({start} + {stop})"
        inner, terms = self.block(loop.body)
        if loop.args and loop.mapping == "sequential":
            inner += CARRIED
        each = " + ".join([f"{inner + SIMPLE:.4g}", *terms])
        if start is not None and stop is not None:
            trips = stop if start == "0.0" else f"weft_span({start}, {stop})"
            return LOOP, [f"{trips} * ({each})"]
        trips = _half(start or stop)
        if not trips:
            return LOOP + UNKNOWN_TRIPS * (inner + SIMPLE), [f"{UNKNOWN_TRIPS} * ({t})" for t in terms]
        return LOOP, [f"{trips} * ({each})"]

    def _define(self, let: n.Let) -> None:
        """Take note of an integer that follows from others, or from elements."""
        value = let.value
        if isinstance(value, n.Load) or any(isinstance(a, n.Var) and a.name in self.read for a in atoms_of(value)):
            self.read.add(let.var.name)
        sign = _SIGNS.get(value.op) if isinstance(value, n.Binary) else None
        if sign is None or not isinstance(value, n.Binary) or let.var.type != PYINT:
            return
        left, right = self._mean(value.left), self._mean(value.right)
        if left is not None and right is not None and len(left) + len(right) < LONGEST_TEXT:
            self.means[let.var.name] = f"({left} {sign} {right})"

    def _access(self, view: n.Var, indices: tuple[n.Atom, ...]) -> float:
        steps = isinstance(view.type, View) and view.type.contiguous
        return ACCESS if steps and not any(isinstance(a, n.Var) and a.name in self.read for a in indices) else SCATTERED

    def _mean(self, atom: n.Atom) -> str | None:
        """The mean value of an integer, where it can be had."""
        if isinstance(atom, n.Const):
            return f"{atom.value.real:.1f}"
        if atom.name in self.means:
            return self.means[atom.name]
        code = self.known(atom)
        return None if code is None else f"(double){code.inside(UNARY)}"


def _half(bound: str | None) -> str:
    """Trips of a loop with one bound that is not known; a constant says nothing about it."""
    return "" if bound is None or "(" not in bound else f"0.5 * {bound}"


def _expression(value: n.Expression, var: n.Var) -> float:
    lanes = _lanes(var)
    if isinstance(value, n.Math):
        return lanes * (SIMPLE if value.name in _CHEAP_FUNCTIONS else DIVISION if value.name == "sqrt" else FUNCTION)
    if isinstance(value, n.Binary):
        if value.op == "pow":
            return lanes * FUNCTION * 2
        divides = value.op in ("truediv", "floordiv", "mod")
        complex_ = isinstance(value.left.type, Scalar) and value.left.type.kind == "c"
        return lanes * (DIVISION if divides else SIMPLE) * (3 if complex_ else 1)
    if isinstance(value, n.Native):
        return FUNCTION
    if isinstance(value, n.Alloc):
        return ALLOCATION
    if isinstance(value, (n.Dim, n.Undefined, n.Subview, n.Transpose, n.Split, n.Mergeable, n.Merge, n.FieldView)):
        return 0.0
    return lanes * SIMPLE


def _lanes(var: n.Var) -> float:
    return 4.0 if isinstance(var.type, Vector) else 1.0
