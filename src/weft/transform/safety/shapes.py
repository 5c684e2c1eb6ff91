"""Shapes: assumes that extents which an array expression compares are equal, where the arguments alone decide that.

The comparison becomes a condition at the call. The code for operands that are broadcast unforeseen, or do not fit, is
then gone; a call that needs it runs the checked variant.

Assumes nothing; tests at the call what it says. Knows comparisons by the stem of their variable, which decides only
what is worth assuming.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Type, View
from weft.ir.visit import Names, rewrite, walk
from weft.transform.support import assume, ranges_of

STEM = "shapes_agree"
TRUE = n.Const(True, PYBOOL)


def shapes(program: n.Program) -> n.Program:
    """Assume that shapes which are compared agree."""
    chosen = [s for s in walk(program.body) if _is_comparison(s)]
    if not chosen:
        return program
    copier = _Copier(program)
    holding: set[str] = set()
    condition: n.Atom = TRUE
    for statement in chosen:
        assert isinstance(statement, n.Let) and isinstance(statement.value, n.Compare)
        copied = copier.compare(statement.value)
        if copied is not None:
            for one in (*copier.alike, copied):
                condition = copier.both(condition, one)
            copier.alike.clear()
            holding.add(statement.var.name)
    if not holding:
        return program
    program = assume(program, tuple(copier.statements), condition, copier.names)
    return replace(program, body=rewrite(program.body, lambda s: _decided(s, holding)))


def _is_comparison(statement: n.Statement) -> bool:
    if not isinstance(statement, n.Let) or statement.var.stem != STEM:
        return False
    return isinstance(statement.value, n.Compare) and statement.value.op == "eq"


def _decided(statement: n.Statement, holding: set[str]) -> n.Statement:
    """A comparison that is assumed to hold as one that holds."""
    if isinstance(statement, n.Let) and statement.var.name in holding:
        return replace(statement, value=n.Compare("eq", n.Const(0), n.Const(0)))
    return statement


class _Copier:
    """Computes integers anew from the parameters, before the program."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.names = Names.of(program)
        self.aliases = ranges_of(program).aliases
        self.params = {p.var.name: p.var for p in program.params}
        self.definitions = {s.var.name: s.value for s in walk(program.body) if isinstance(s, n.Let)}
        self.statements: list[n.Statement] = []
        self.known: dict[str, n.Atom | None] = {}
        self.alike: list[n.Atom] = []
        """Conditions under which arrays that stand for one another have one extent."""
        self.equal: set[tuple[n.Atom, n.Atom]] = set()
        """What is assumed to be equal already."""

    def compare(self, value: n.Compare) -> n.Atom | None:
        """A comparison; None where more than the parameters decide it."""
        left, right = self.atom(value.left), self.atom(value.right)
        if left is None or right is None:
            return None
        condition = self._compared(n.Compare("eq", left, right))
        self.equal |= {(left, right), (right, left)}
        return condition

    def _compared(self, value: n.Compare) -> n.Atom:
        """A comparison; where it is assumed to hold already, that it does."""
        is_known = value.op == "eq" and (value.left == value.right or (value.left, value.right) in self.equal)
        return TRUE if is_known else self.let(value, PYBOOL)

    def both(self, first: n.Atom, second: n.Atom) -> n.Atom:
        """Whether two conditions hold."""
        if TRUE in (first, second):
            return second if first == TRUE else first
        return self.let(n.Binary("and", first, second, checked=False), PYBOOL)

    def let(self, value: n.Expression, type: Type) -> n.Var:
        """A new variable."""
        var = self.names.fresh("t", type)
        self.statements.append(n.Let(var, value, self.program.location))
        return var

    def atom(self, atom: n.Atom) -> n.Atom | None:
        """An integer or condition computed from the parameters; None where that is not possible without a fault."""
        if isinstance(atom, n.Const):
            return atom
        if atom.name not in self.known:
            self.known[atom.name] = None
            self.known[atom.name] = atom if atom.name in self.params else self._copied(atom)
        return self.known[atom.name]

    def _copied(self, var: n.Var) -> n.Atom | None:
        value = self.definitions.get(var.name)
        if var.type not in (PYINT, PYBOOL) or value is None:
            return None
        if isinstance(value, n.Dim):
            return self._extent(value.view, value.axis)
        if isinstance(value, n.Binary) and (
            value.op in ("add", "sub", "min", "max", "and", "or") or (value.op == "mul" and var.type == PYINT)
        ):
            parts = self._atoms(value.left, value.right)
            return self.let(n.Binary(value.op, parts[0], parts[1], checked=False), var.type) if parts else None
        if isinstance(value, n.Compare):
            parts = self._atoms(value.left, value.right)
            return self._compared(n.Compare(value.op, *parts)) if parts else None
        if isinstance(value, n.Select):
            parts = self._atoms(value.condition, value.then, value.orelse)
            return self._chosen(n.Select(*parts), var.type) if parts else None
        return None

    def _chosen(self, value: n.Select, type: Type) -> n.Atom:
        return value.then if value.condition == TRUE else self.let(value, type)

    def _atoms(self, *atoms: n.Atom) -> list[n.Atom] | None:
        found = [self.atom(atom) for atom in atoms]
        return None if any(atom is None for atom in found) else [atom for atom in found if atom is not None]

    def _extent(self, view: n.Var, axis: int) -> n.Atom | None:
        """An extent of a view: of a parameter, of a part of one, or of an array that was made."""
        if view.name in self.params:
            return self.let(n.Dim(view, axis), PYINT)
        value = self.definitions.get(view.name)
        if isinstance(value, n.Alloc):
            return self.atom(value.shape[axis])
        if isinstance(value, n.Transpose):
            return self._extent(value.view, value.permutation[axis])
        if isinstance(value, n.Split):
            return self._split(value, axis)
        if isinstance(value, n.Subview):
            return self._part(value, axis)
        if isinstance(view.type, View) and value is None:
            return self._carried(view, axis)
        return None

    def _split(self, value: n.Split, axis: int) -> n.Atom | None:
        place = axis - value.axis
        if 0 <= place < len(value.extents):
            return self.atom(value.extents[place])
        return self._extent(value.view, axis if place < 0 else axis - len(value.extents) + 1)

    def _part(self, value: n.Subview, axis: int) -> n.Atom | None:
        kept = [item for item in value.axes if item is None or isinstance(item, n.Slice)]
        item = kept[axis]
        return n.Const(1) if item is None else self.atom(item.length)

    def _carried(self, view: n.Var, axis: int) -> n.Atom | None:
        """An extent of an array that is one of several parameters, which then have to have one extent."""
        arrays = self.aliases.whole_arrays(view)
        if not arrays or any(array.name not in self.params for array in arrays):
            return None
        first, *others = (self.let(n.Dim(array, axis), PYINT) for array in arrays)
        self.alike += [self.let(n.Compare("eq", first, other), PYBOOL) for other in others]
        return first
