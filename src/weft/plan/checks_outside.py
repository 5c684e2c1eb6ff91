"""Checks that no iteration changes, taken out of nests that become kernels.

``if n == 0: raise`` in a nest makes every iteration one that may raise: its arrays are kept beside what a kernel
writes, and no threads share its loops. What the check depends on is known before the nest. So the program asks there,
and has the nest twice: without the check, and as it was, for the host, or for the device if arrays are there before the
program starts. Sums and products of sizes that could overflow count as checks, too: they are tried in floats. So does a
test of which only one side may raise, such as one that chooses between loops with and without tests of indices.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.scribe import TRUE
from weft.ir.types import FLOAT64, PYBOOL, PYINT, View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, rewrite, substitute, walk
from weft.plan.prepare.updates_in_order import Scratch
from weft.plan.scratch import Why
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.simplify.dce import dce
from weft.transform.simplify.fold import fold
from weft.transform.support import with_loops

REASON = "it is for calls in which it raises"

OVERFLOWING = ("add", "sub", "mul")
OPERATORS = (*OVERFLOWING, "and", "or", "xor", "min", "max")

FAR = float(1 << 62)
"""Integers whose floats are nearer to zero fit into 64 bits: floats are wrong in the 53rd bit."""


def with_checks_outside(
    program: n.Program, why_host: Why, scratch: Scratch, on_host: bool = True
) -> tuple[n.Program, frozenset[str]]:
    """Take checks that no iteration changes out of nests that can be kernels.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Why a nest cannot be a kernel; None where it can.
    scratch
        Gives arrays that iterations make scratch memory, where a nest can be a kernel then.
    on_host
        Whether nests are for the host as they were; a nest that cannot be a kernel then stays as it is otherwise.

    Returns
    -------
    tuple
        The program, and the labels of the nests that are for the host.
    """
    if not block_may_raise(program.body):
        return program, frozenset()
    copies, slow_loops = Copies(program), set[str]()
    extents = [s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Dim)]

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        if loop.mapping != "parallel":
            return None
        if not block_may_raise(n.Block((loop,))) or any(isinstance(r.type, View) for r in loop.results):
            return (loop,)
        found = _Checks.of(loop)
        made = without(loop, found)
        fast = fold(replace(program, body=n.Block((made,), made.results))).body
        if not found.assumed and block_may_raise(fast):
            return (loop,)
        if not can_be_kernel(made) or not (on_host or can_be_kernel(loop)):
            return (loop,)
        slow = copies.block(n.Block((loop,), loop.results))
        slow_loops.update(s.label for s in walk(slow) if isinstance(s, n.For))
        write = Writing(copies.names, loop.location)
        are_fine = found.asked(write)
        given = {r.name: copies.names.fresh(r.stem, r.type) for r in loop.results}
        return (*write.statements, n.If(are_fine, _renamed(fast, given), slow, loop.results, loop.location))

    def can_be_kernel(nest: n.For) -> bool:
        if why_host(nest) is None:
            return True
        _, notes = scratch(replace(program, body=n.Block((*extents, nest), nest.results)))
        return nest.label in notes

    def without(loop: n.For, found: _Checks) -> n.For:
        constants = {name: n.Const(truth, PYBOOL) for name, truth in found.assumed.items()}
        made = rewrite(n.Block((loop,)), found.unchecked)
        (changed,) = substitute(made, constants).statements
        assert isinstance(changed, n.For)
        return changed

    body = with_loops(program.body, change)
    if not slow_loops:
        return program, frozenset()
    return dce(replace(program, body=body)), frozenset(slow_loops if on_host else ())


def _renamed(block: n.Block, results: dict[str, n.Var]) -> n.Block:
    """A block that is one loop, whose results have other names."""

    def change(statement: n.Statement) -> n.Statement:
        if isinstance(statement, n.For) and any(r.name in results for r in statement.results):
            return replace(statement, results=tuple(results[r.name] for r in statement.results))
        return statement

    yields = tuple(results.get(y.name, y) if isinstance(y, n.Var) else y for y in block.yields)
    return n.Block(tuple(map(change, block.statements)), yields)


@dataclass
class _Checks:
    """What a nest checks that no iteration changes.

    Attributes
    ----------
    definitions
        The definitions inside of the nest that no iteration changes, in order.
    assumed
        Conditions, and which way they have to be for nothing to raise.
    same
        What has the value of a condition, or the other one.
    """

    inside: frozenset[str]
    definitions: dict[str, n.Let] = field(default_factory=dict)
    assumed: dict[str, bool] = field(default_factory=dict)
    same: dict[str, tuple[n.Var, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, nest: n.For) -> _Checks:
        """Those of a nest."""
        whole = n.Block((nest,))
        checks = cls(frozenset(v.name for s in walk(whole) for v in (*defined_by(s), *bound_inside(s))))
        checks._block(nest.body)
        return checks

    def unchecked(self, statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        """A statement; a definition that no iteration changes without its test, of a condition not at all."""
        if isinstance(statement, n.Let) and statement.var.name in self.assumed:
            return ()
        if isinstance(statement, n.Let) and statement.var.name in self.definitions:
            return replace(statement, value=_unchecked(statement.value))
        return statement

    def asked(self, write: Writing) -> n.Atom:
        """Write what is asked before the nest: whether nothing raises."""
        known: dict[str, n.Atom] = {}
        conditions: list[n.Atom] = []
        for name, let in self.definitions.items():
            value = substitute(let.value, known)
            if isinstance(value, n.Binary) and value.checked and value.op in OVERFLOWING:
                fits = write.both(_fits(write, value))
                conditions.append(fits)
                left, right = (write.select(fits, side, n.Const(0)) for side in (value.left, value.right))
                value = replace(value, left=left, right=right)
            known[name] = write.let(_unchecked(value), let.var.type, let.var.stem)
        for name, truth in self.assumed.items():
            condition = known.get(name) or n.Var(name, PYBOOL)
            conditions.append(condition if truth else write.negated(condition))
        return write.both(conditions)

    def _block(self, block: n.Block) -> None:
        for statement in block.statements:
            if isinstance(statement, n.Let):
                self._let(statement)
            inner = blocks_of(statement)
            if isinstance(statement, n.If) and self._is_steady(statement.condition):
                inner = self._if(statement)
            for side in inner:
                self._block(side)

    def _let(self, let: n.Let) -> None:
        value = let.value
        negated = value.operand if isinstance(value, n.Unary) and value.op == "not" else None
        if isinstance(negated, n.Var) and self._is_steady(negated):
            condition, truth = self.same.get(negated.name, (negated, True))
            self.same[let.var.name] = condition, not truth
        is_plain = negated is not None or isinstance(value, (n.Compare, n.Select))
        if is_plain or (isinstance(value, n.Binary) and value.op in OPERATORS):
            atoms = atoms_of(value)
            if all(atom.type in (PYINT, PYBOOL) for atom in (let.var, *atoms)) and all(map(self._is_known, atoms)):
                self.definitions[let.var.name] = let

    def _is_known(self, atom: n.Atom) -> bool:
        """Whether a value is known before the nest, or can be."""
        return isinstance(atom, n.Const) or atom.name in self.definitions or atom.name not in self.inside

    def _is_steady(self, atom: n.Atom) -> bool:
        """Whether no iteration changes a value."""
        return self._is_known(atom) or (isinstance(atom, n.Var) and atom.name in self.same)

    def _if(self, branch: n.If) -> tuple[n.Block, ...]:
        """Note which way a branch goes if nothing raises, and which of its results only say which way it went.

        Gives the sides that may run in that case. A branch around a loop that only skips empty loops does not count.
        """
        sides = branch.then, branch.orelse
        if not isinstance(branch.condition, n.Var) or branch.condition.type != PYBOOL:
            return sides
        condition, truth = self.same.get(branch.condition.name, (branch.condition, True))
        for result, then, orelse in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
            is_told = isinstance(then, n.Const) and isinstance(orelse, n.Const) and then.value != orelse.value
            if is_told and result.type == PYBOOL:
                self.same[result.name] = condition, truth == (then == TRUE)
        raises = [block_may_raise(side) for side in sides]
        if raises[0] == raises[1]:
            return sides
        fine, other = (branch.orelse, branch.then) if raises[0] else sides
        if not fine.statements and any(isinstance(s, n.For) for s in other.statements):
            return sides
        self.assumed.setdefault(condition.name, truth != raises[0])
        return (fine,)


def _unchecked(value: n.Expression) -> n.Expression:
    return replace(value, checked=False) if isinstance(value, (n.Binary, n.Unary)) else value


def _fits(write: Writing, value: n.Binary) -> list[n.Atom]:
    """Conditions under which an operation does not overflow."""
    left, right = (write.let(n.Cast(side, checked=False), FLOAT64, "size") for side in (value.left, value.right))
    about = write.let(n.Binary(value.op, left, right), FLOAT64, "size")
    below, above = n.Const(FAR, FLOAT64), n.Const(-FAR, FLOAT64)
    return [write.compare("lt", about, below), write.compare("gt", about, above)]
