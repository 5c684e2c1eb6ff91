"""Shapes: assumes that extents which an array expression compares are equal, where the arguments alone decide that.

The comparison becomes a condition at the call. The code for operands that are broadcast unforeseen, or do not fit, is
then gone. An extent that is 1 at most, as of ``x[:, 0:1]``, is assumed to be 1 where it is broadcast, and the other one
not to be 1; so are those that a call has found to be 1 (`Meetings`), in a variant of its own. Arguments in other shapes
are assumed to lie in C order. A call that breaks all of that runs the checked variant.

Assumes nothing; tests at the call what it says. Knows comparisons by the stem of their variable, which decides only
what is worth assuming.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import TypeAlias

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Type, View
from weft.ir.visit import Names, rewrite, walk
from weft.transform.support import assume, ranges_of

STEMS = {"shapes_agree": (), "shapes_fit": (0,), "shapes_meet": (0, 1)}
"""The sides of a comparison that may be broadcast, by the stem of its variable."""
IN_ORDER = "lies_in_order"
"""The stem of variables that say whether an array lies in C order."""
TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)


def shapes(program: n.Program, ones: Container[str] = ()) -> n.Program:
    """Assume that shapes which are compared agree, but for extents of 1.

    Parameters
    ----------
    program
        The program.
    ones
        Names of extents that are assumed to be 1 where they are broadcast.
    """
    chosen, orders = _comparisons(program), _orders(program)
    if not chosen and not orders:
        return program
    copier = _Copier(program)
    decided: dict[str, n.Const] = {}
    condition: n.Atom = TRUE
    for let in chosen:
        place = copier.single(let, ones)
        copied = copier.compare(let.value) if place is None else copier.differ(let, place)
        if copied is not None:
            for one in (*copier.alike, copied):
                condition = copier.both(condition, one)
            copier.alike.clear()
            decided[let.var.name] = TRUE if place is None else FALSE
    for var, order in orders.items():
        condition = copier.both(condition, copier.once(order))
        decided[var] = TRUE
    if not decided:
        return program
    decided |= {name: n.Const(1) for name in copier.ones}
    program = assume(program, tuple(copier.statements), condition, copier.names)
    return replace(program, body=rewrite(program.body, lambda s: _decided(s, decided)))


def _comparisons(program: n.Program) -> list[_Comparison]:
    """The comparisons of extents."""
    lets = (s for s in walk(program.body) if isinstance(s, n.Let) and s.var.stem in STEMS)
    return [_Comparison(s.var, s.value) for s in lets if isinstance(s.value, n.Compare) and s.value.op == "eq"]


def _orders(program: n.Program) -> dict[str, n.Mergeable]:
    """What a program asks about the order of its parameters, by the names of the variables with the answers."""
    params = {param.var.name for param in program.params}
    lets = (s for s in walk(program.body) if isinstance(s, n.Let) and s.var.stem == IN_ORDER)
    asked = {s.var.name: s.value for s in lets if isinstance(s.value, n.Mergeable)}
    return {name: value for name, value in asked.items() if value.view.name in params}


def _decided(statement: n.Statement, decided: Mapping[str, n.Const]) -> n.Statement:
    """The definition of a value that is assumed, as that value."""
    if not isinstance(statement, n.Let) or statement.var.name not in decided:
        return statement
    value = decided[statement.var.name]
    if value.type == PYBOOL:
        return replace(statement, value=n.Compare("eq" if value.value else "ne", n.Const(0), n.Const(0)))
    return replace(statement, value=n.Binary("add", value, n.Const(0), checked=False))


Meetings: TypeAlias = tuple[tuple[tuple[str, str, tuple[int | str, ...]], ...], tuple[tuple[str, str, int], ...]]
"""How extents that meet follow from the arguments: steps, each with its name, what it does and with what; then pairs of
extents with the place of the one that `shapes` assumes to be 1, or -1. Plain enough for the store."""


def meetings(program: n.Program) -> Meetings:
    """What a call is to look at to find extents of 1 that are broadcast, with the program that `shapes` gets."""
    copier, foreseen = _Copier(program), _Copier(program)
    positions = {param.var.name: k for k, param in enumerate(program.params)}
    pairs: list[tuple[str, str, int]] = []
    copies: dict[str, n.Atom] = {}
    for let in _comparisons(program):
        left, right = let.value.left, let.value.right
        found = [copier.atom(left), copier.atom(right)]
        if isinstance(left, n.Var) and isinstance(right, n.Var) and None not in found:
            place = foreseen.single(let, ())
            if place is not None:
                foreseen.differ(let, place)
            pairs.append((left.name, right.name, -1 if place is None else place))
            copies |= {var.name: atom for var, atom in zip((left, right), found, strict=True) if atom is not None}
    steps = [_step(s, positions) for s in copier.statements if isinstance(s, n.Let)]
    ends = [(f"={name}", "is", (_plain(copy, positions),)) for name, copy in copies.items()]
    return (*steps, *ends), tuple(pairs)


def _step(let: n.Let, positions: Mapping[str, int]) -> tuple[str, str, tuple[int | str, ...]]:
    value = let.value
    if isinstance(value, n.Dim):
        return let.var.name, "dim", (positions[value.view.name], value.axis)
    if isinstance(value, n.Select):
        atoms: tuple[n.Atom, ...] = (value.condition, value.then, value.orelse)
        return let.var.name, "select", tuple(_plain(atom, positions) for atom in atoms)
    assert isinstance(value, (n.Binary, n.Compare))
    return let.var.name, value.op, (_plain(value.left, positions), _plain(value.right, positions))


def _plain(atom: n.Atom, positions: Mapping[str, int]) -> int | str:
    if isinstance(atom, n.Const):
        return int(atom.value.real)
    return f"#{positions[atom.name]}" if atom.name in positions else atom.name


@dataclass(frozen=True)
class _Comparison:
    """A comparison of two extents, and the variable that has its result."""

    var: n.Var
    value: n.Compare


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
        self.orders: dict[n.Mergeable, n.Atom] = {}
        self.ones: set[str] = set()
        """Extents that are assumed to be 1."""
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

    def single(self, let: _Comparison, ones: Container[str]) -> int | None:
        """The place of the side that is assumed to be 1 while the other is not, if there is one."""
        sides = (let.value.left, let.value.right)
        found = [place for place in (0, 1) if self._is_one(sides[place], ones)]
        if len(found) != 1 or found[0] not in STEMS[let.var.stem] or None in (self.atom(sides[0]), self.atom(sides[1])):
            return None
        return found[0]

    def _is_one(self, atom: n.Atom, ones: Container[str]) -> bool:
        if not isinstance(atom, n.Var):
            return False
        return atom.name in ones or self.atom(atom) == n.Const(1) or self.most(atom) == 1

    def differ(self, let: _Comparison, place: int) -> n.Atom:
        """That one side of a comparison is 1, and the other is not."""
        single, other = (let.value.left, let.value.right)[:: 1 if place == 0 else -1]
        mine, theirs = self.atom(single), self.atom(other)
        assert isinstance(single, n.Var) and mine is not None and theirs is not None
        is_one = self._compared(n.Compare("eq", mine, n.Const(1)))
        is_not = self.let(n.Compare("ne", theirs, n.Const(1)), PYBOOL)
        self.ones.add(single.name)
        self.known[let.var.name], self.known[single.name] = FALSE, n.Const(1)
        return self.both(is_one, is_not)

    def most(self, atom: n.Atom) -> int | None:
        """What an integer is at most, where constants say it."""
        if isinstance(atom, n.Const):
            return int(atom.value.real)
        value = self.definitions.get(atom.name)
        if not isinstance(value, n.Binary) or value.op not in ("min", "max", "sub"):
            return None
        left, right = self.most(value.left), self.most(value.right)
        if value.op == "sub":
            least = self.least(value.right)
            return None if left is None or least is None else left - least
        known = [side for side in (left, right) if side is not None]
        if value.op == "min":
            return min(known, default=None)
        return max(known) if len(known) == 2 else None

    def least(self, atom: n.Atom) -> int | None:
        """What an integer is at least, where constants say it."""
        if isinstance(atom, n.Const):
            return int(atom.value.real)
        value = self.definitions.get(atom.name)
        if isinstance(value, n.Dim):
            return 0
        if not isinstance(value, n.Binary) or value.op not in ("min", "max"):
            return None
        known = [side for side in (self.least(value.left), self.least(value.right)) if side is not None]
        if value.op == "max":
            return max(known, default=None)
        return min(known) if len(known) == 2 else None

    def _compared(self, value: n.Compare) -> n.Atom:
        """A comparison; where it is assumed to hold already, that it does."""
        is_known = value.op == "eq" and (value.left == value.right or (value.left, value.right) in self.equal)
        return TRUE if is_known else self.let(value, PYBOOL)

    def once(self, value: n.Mergeable) -> n.Atom:
        """Whether axes lie as one does; where that was asked before, the same variable."""
        if value not in self.orders:
            self.orders[value] = self.let(value, PYBOOL)
        return self.orders[value]

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
        if value.condition in (TRUE, FALSE):
            return value.then if value.condition == TRUE else value.orelse
        return self.let(value, type)

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
