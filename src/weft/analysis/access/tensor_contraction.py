"""Contractions: two parallel loops around a sum of products, of which each factor depends on one of the two.

``for i: for j: for k: s += a[i, k] * b[k, j]`` in any order of the indices of the arrays. What stands before and after
the sum is free. A pair of loops is a contraction where every one of `CONSTRAINTS` holds; each is named after what it
asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from weft.analysis.access.aliases import Aliases
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, written_views
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import atoms_of, bound_inside, defined_by, walk

OPAQUE = "\0"
"""Stands among the loops that a value depends on where it cannot be computed again elsewhere."""


@dataclass(frozen=True)
class Operand:
    """One factor: its value, and the assignments inside of the nest that it is computed from, in order."""

    value: n.Atom
    lets: tuple[n.Let, ...]


@dataclass(frozen=True)
class Contraction:
    """Two loops, one directly inside the other, and the sum in the inner one.

    Attributes
    ----------
    outer, inner
        The parallel loops.
    fold
        The loop that adds up.
    """

    outer: n.For
    inner: n.For
    fold: n.For

    @classmethod
    def of(cls, outer: n.For) -> Contraction | None:
        """The loops, if they have the shape of a contraction at all."""
        *before, inner = outer.body.statements or (None,)
        if not isinstance(inner, n.For) or not all(isinstance(s, n.Let) for s in before):
            return None
        folds = [s for s in walk(inner.body) if isinstance(s, (n.For, n.While))]
        if len(folds) != 1 or not isinstance(folds[0], n.For) or folds[0] not in inner.body.statements:
            return None
        return cls(outer, inner, folds[0])

    @property
    def loops(self) -> tuple[n.For, n.For, n.For]:
        """All three loops, outermost first."""
        return self.outer, self.inner, self.fold

    @property
    def type(self) -> Scalar:
        """The type of the sum."""
        type = self.fold.args[0].var.type
        assert isinstance(type, Scalar)
        return type

    @cached_property
    def subtracts(self) -> bool:
        """Whether the products are subtracted."""
        made = self._lets.get(_name(self.fold.body.yields[0]))
        return isinstance(made, n.Let) and isinstance(made.value, n.Binary) and made.value.op == "sub"

    @cached_property
    def operands(self) -> tuple[Operand, Operand] | None:
        """What depends on the outer loop, and what depends on the inner one; None where the sum is another."""
        factors = self._factors()
        if factors is None:
            return None
        first, second = (self.depends(factor) for factor in factors)
        wanted = ({self.outer.index.name, self.fold.index.name}, {self.inner.index.name, self.fold.index.name})
        if (first, second) == wanted:
            return self._operand(factors[0]), self._operand(factors[1])
        return (self._operand(factors[1]), self._operand(factors[0])) if (second, first) == wanted else None

    def _factors(self) -> tuple[n.Atom, n.Atom] | None:
        """The two numbers whose product is added to what the loop carries."""
        carried = self.fold.args[0].var
        made = self._lets.get(_name(self.fold.body.yields[0]))
        value = made.value if made is not None else None
        if isinstance(value, n.Fma):
            return (value.a, value.b) if value.c == carried else None
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            return None
        left, right = value.left, value.right
        if value.op == "add" and right == carried:
            left, right = right, left
        product = self._lets.get(_name(right))
        if left != carried or product is None or not isinstance(product.value, n.Binary) or product.value.op != "mul":
            return None
        return product.value.left, product.value.right

    # ------------------------------------------------------------------------------------- what depends on what

    def depends(self, atom: n.Atom) -> set[str]:
        """The indices of the three loops that a value depends on, with `OPAQUE` where it is not simply computed."""
        return self._dependences.get(_name(atom), set())

    @cached_property
    def _dependences(self) -> dict[str, set[str]]:
        found = {loop.index.name: {loop.index.name} for loop in self.loops}
        inside = [v for s in walk(self.outer.body) for v in (*defined_by(s), *bound_inside(s))]
        found.update({v.name: {OPAQUE} for v in inside if v.name not in found})
        for let in self._lets.values():
            used = [found[a.name] for a in atoms_of(let.value) if isinstance(a, n.Var) and a.name in found]
            opaque = {OPAQUE} if isinstance(let.value, (n.Alloc, n.Undefined)) else set()
            found[let.var.name] = opaque.union(*used)
        return found

    @cached_property
    def _lets(self) -> dict[str, n.Let]:
        """The assignments that run in every iteration, up to the end of the sum, by name and in order."""
        position = self.inner.body.statements.index(self.fold)
        blocks = (self.outer.body.statements, self.inner.body.statements[:position], self.fold.body.statements)
        return {s.var.name: s for statements in blocks for s in statements if isinstance(s, n.Let)}

    def _operand(self, value: n.Atom) -> Operand:
        wanted, found = {_name(value)}, list[n.Let]()
        for let in reversed(self._lets.values()):
            if let.var.name in wanted:
                found.append(let)
                wanted.update(_name(a) for a in atoms_of(let.value))
        return Operand(value, tuple(found[::-1]))


def _name(atom: n.Atom) -> str:
    return atom.name if isinstance(atom, n.Var) else ""


# --------------------------------------------------------------------------------------------------- constraints


def check_loops_are_parallel(found: Contraction, aliases: Aliases) -> bool:
    """No iteration of the two loops waits for another, and none may end the program."""
    marked = all(loop.mapping == "parallel" and not loop.args for loop in (found.outer, found.inner))
    plain = all(loop.exit is None and loop.index.type == PYINT for loop in found.loops)
    return marked and plain and not block_may_raise(found.outer.body)


def check_bounds_are_fixed(found: Contraction, aliases: Aliases) -> bool:
    """The three loops run over a box."""
    bounds = [bound for loop in found.loops for bound in (loop.start, loop.stop)]
    inside = {v.name for s in walk(found.outer.body) for v in (*defined_by(s), *bound_inside(s))}
    return not any(_name(bound) in inside or _name(bound) == found.outer.index.name for bound in bounds)


def check_sum_is_proven(found: Contraction, aliases: Aliases) -> bool:
    """One number is carried, as a reduction, and nothing else happens in the loop over it."""
    fold = found.fold
    alone = len(fold.args) == 1 and fold.args[0].combine == "add"
    return alone and all(isinstance(s, n.Let) for s in fold.body.statements)


def check_type_has_lanes(found: Contraction, aliases: Aliases) -> bool:
    """Vectors of the number exist."""
    type = found.fold.args[0].var.type
    return isinstance(type, Scalar) and (type.kind in "iu" or (type.kind == "f" and type.bits > 16))


def check_factors_are_apart(found: Contraction, aliases: Aliases) -> bool:
    """The sum is one of products, of which each loop has its factor."""
    return found.operands is not None


def check_factors_stay(found: Contraction, aliases: Aliases) -> bool:
    """Nothing in the nest writes to an array that a factor is read from."""
    written = frozenset[str]().union(*(aliases.roots(view) for view in _written(found.outer.body)))
    assert found.operands is not None
    loads = [let.value for operand in found.operands for let in operand.lets if isinstance(let.value, n.Load)]
    return all(written.isdisjoint(aliases.roots(load.view)) for load in loads)


def _written(block: n.Block) -> Iterator[n.Var]:
    for statement in walk(block):
        yield from written_views(statement)


Constraint = Callable[[Contraction, Aliases], bool]

CONSTRAINTS: tuple[Constraint, ...] = (
    check_loops_are_parallel,
    check_bounds_are_fixed,
    check_sum_is_proven,
    check_type_has_lanes,
    check_factors_are_apart,
    check_factors_stay,
)
"""What must hold, in an order in which each may rely on those before."""


def contraction(outer: n.For, aliases: Aliases) -> Contraction | None:
    """The contraction that a loop is, where all constraints hold."""
    found = Contraction.of(outer)
    if found is None or not all(check(found, aliases) for check in CONSTRAINTS):
        return None
    return found
