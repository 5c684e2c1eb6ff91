"""Reductions whose partial results are computed by several programs, and folded by one more.

A reduction on a device is cut into pieces by its trip count (`reductions`). A loop that is split over devices is cut
where such pieces end, so each device computes some of the partial results, and the fold of all of them is that of one
device: the bits do not depend on where the loop is cut. The programs have arrays for the partial results as arguments.
One that has the bounds of a piece fills them; one without only folds them, and launches nothing else. Both return what
the loop folds, then where it begins and ends.

What it refuses: a loop that has become another one, of which other iterations would be a piece. That the program which
is not cut has the same loop, too, is compared by `weft.split.agreement`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from weft.analysis.access.access import AccessTable
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.interface import PARTIAL
from weft.ir.location import Location
from weft.ir.neutral import stored_as
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, defined_by, walk
from weft.transform.whole_loop import WholeLoop

Fold = tuple[Location, str, str]
"""The place of a sum of floats outside of all loops, and what computes its bounds, in words."""


@dataclass(frozen=True)
class Apart:
    """Where the partial results of a reduction are.

    Attributes
    ----------
    program
        The program.
    arrays
        Its arguments for partial results, one for each value that the loop folds.
    only_folds
        Whether the partial results are there.
    """

    program: n.Program
    arrays: tuple[n.Var, ...]
    only_folds: bool

    def check_loop(self, found: AccessTable) -> None:
        """UnsupportedError where the iterations of the reduction are not those of the loop that is cut."""
        start, stop = self.program.body.yields[-2:]
        trip = found.forms.of(stop) - found.forms.of(start)
        loops = list(_reductions(self.program.body))
        if not loops or not _are_alone(self.program.body):
            raise self._refusal(loops[0] if loops else None)
        for loop in loops:
            if found.forms.of(loop.stop) - found.forms.of(loop.start) != trip:
                raise self._refusal(loop)

    def check_values(self, nest: n.For) -> None:
        """UnsupportedError where a reduction folds other values than those that there are arrays for."""
        elements = [v.type.element for v in self.arrays if isinstance(v.type, View)]
        if [stored_as(arg.var.type) for arg in nest.args] != elements:
            raise self._refusal(nest)

    def check_used(self, body: n.Block) -> None:
        """UnsupportedError where no reduction folds what is in the arrays."""
        views = {s.value.view for s in walk(body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)}
        if not views.issuperset(self.arrays):
            raise self._refusal(next((s for s in walk(body) if isinstance(s, n.For)), None))

    def _refusal(self, nest: n.For | None) -> UnsupportedError:
        return UnsupportedError(
            f"{self.program.name} cannot be cut into pieces",
            nest.location if nest is not None else self.program.location,
            cause="one device would add the floats of another loop than the one that is cut",
            hint="say fastmath=True, or run it on one device",
        )


def apart_of(program: n.Program) -> Apart | None:
    """Where a program has partial results of its reduction; None where it has them for itself."""
    params = [param for param in program.params if param.source.kind == "argument"]
    arrays = tuple(param.var for param in params if param.source.name.startswith(f"{PARTIAL} "))
    return Apart(program, arrays, not WholeLoop(program).is_cut) if arrays else None


def folds_of(program: n.Program) -> tuple[Fold, ...]:
    """The sums of floats of a program that stand outside of other loops."""
    known = {var.name: s for s in walk(program.body) for var in defined_by(s)}
    given = {param.var.name: str(param.source) for param in program.params}
    sums = (loop for loop in _reductions(program.body) if any(map(is_inexact, loop.args)))
    ends = ((loop, _in_words(loop.start, known, given), _in_words(loop.stop, known, given)) for loop in sums)
    return tuple((loop.location, start, stop) for loop, start, stop in ends)


def is_inexact(arg: n.LoopArg) -> bool:
    """Whether a fold depends on how it is bracketed."""
    type = arg.var.type
    return arg.combine in ("add", "mul") and isinstance(type, Scalar) and type.kind not in ("i", "u", "b")


def _reductions(block: n.Block) -> Iterator[n.For]:
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "parallel" and statement.args:
            yield statement
        elif isinstance(statement, n.If):
            yield from _reductions(statement.then)
            yield from _reductions(statement.orelse)


def _are_alone(block: n.Block) -> bool:
    """Whether at most one reduction runs."""
    most = 0
    for statement in block.statements:
        if isinstance(statement, n.If):
            if not (_are_alone(statement.then) and _are_alone(statement.orelse)):
                return False
            most += any(_reductions(n.Block((statement,))))
        most += isinstance(statement, n.For) and bool(statement.args)
    return most <= 1


def _in_words(atom: n.Atom, known: Mapping[str, n.Statement], given: Mapping[str, str]) -> str:
    """What a value is computed from, without the names of variables; those of what is not followed stay."""
    if isinstance(atom, n.Const):
        return repr(atom.value)
    if atom.name in given:
        return given[atom.name]
    statement = known.get(atom.name)
    value = statement.value if isinstance(statement, n.Let) else None
    if isinstance(value, n.Dim):
        return f"{_in_words(value.view, known, given)}[{value.axis}]"
    if isinstance(value, (n.Binary, n.Unary, n.Compare, n.Cast, n.Select)):
        operands = ", ".join(_in_words(operand, known, given) for operand in atoms_of(value))
        return f"{type(value).__name__} {getattr(value, 'op', '')} {atom.type}({operands})"
    return atom.name
