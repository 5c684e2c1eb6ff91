"""Nests of two loops that can run along diagonals: no dependence goes to a later outer and an earlier inner iteration.

Where some do, the inner counter may be skewed: ``j + c * i`` takes its place, for a small ``c``.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Loop
from weft.analysis.dependence.legality import COMMUTATIVE, skew_of
from weft.analysis.recurrences.recurrences import carried
from weft.analysis.values.hull import hull
from weft.analysis.values.linear import ZERO, Element, Form, Positive
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise
from weft.ir.visit import atoms_of, walk

LEAST = 256
"""Iterations for each row and column from which on a device is done before a processor that runs them in order: it
needs as much time for a diagonal as that for so many iterations."""

LONG = ".long"
"""How labels of outer loops end which are known to have long diagonals."""

KINDS = (n.Let, n.Store, n.If, n.For)


@dataclass(frozen=True)
class Nest:
    """Two loops that can run along diagonals.

    Attributes
    ----------
    outer, inner
        The loops.
    low, high
        What bounds the counter of the inner one in all iterations of the outer.
    skew
        How far it is skewed.
    folds
        By which operators what both carry is folded, in the order of the outer loop's arguments.
    """

    outer: n.For
    inner: n.For
    low: Form
    high: Form
    skew: int
    folds: tuple[str, ...]

    @property
    def between(self) -> Iterator[n.Let]:
        """What an outer iteration computes beside the inner loop."""
        return (s for s in self.outer.body.statements if isinstance(s, n.Let))


def inner_of(outer: n.Statement) -> n.For | None:
    """The loop inside of a loop, where both run in order, with nothing between them but values; none is deeper."""
    if not _runs_in_order(outer):
        return None
    assert isinstance(outer, n.For)
    inside = [s for s in outer.body.statements if not isinstance(s, n.Let)]
    if len(inside) != 1 or not _runs_in_order(inside[0]):
        return None
    (inner,) = inside
    assert isinstance(inner, n.For)
    deeper = (s for s in walk(inner.body) if isinstance(s, n.For))
    return None if any(s.mapping == "sequential" for s in deeper) else inner


def _runs_in_order(loop: n.Statement) -> bool:
    return isinstance(loop, n.For) and loop.mapping == "sequential" and loop.exit is None


def nest_of(accesses: AccessTable, outer: n.For, inner: n.For) -> Nest | None:
    """Two loops, if they can run along diagonals."""
    around, within = (accesses.structure.loops[loop.label] for loop in (outer, inner))
    if block_may_raise(outer.body) or not all(map(is_plain, walk(inner.body))):
        return None
    if not all(can_go_inside(accesses, around, s) for s in outer.body.statements if isinstance(s, n.Let)):
        return None
    folds = _folds(accesses, around, within)
    low, high = (_bound(accesses, around, accesses.forms.of(end), k) for k, end in enumerate((inner.start, inner.stop)))
    if folds is None or low is None or high is None:
        return None
    skew = skew_of(accesses, around, within)
    return None if skew is None else Nest(outer, inner, low, high, skew, folds)


def is_plain(statement: n.Statement) -> bool:
    """Whether a statement computes, reads and stores, and makes no arrays."""
    makes = isinstance(statement, n.Let) and isinstance(statement.value, (n.Alloc, n.Undefined, *VIEWS))
    return isinstance(statement, KINDS) and not makes


def _folds(accesses: AccessTable, around: Loop, within: Loop) -> tuple[str, ...] | None:
    """By which operators two loops fold what they carry, if the order does not matter and no bit depends on it."""
    outer, inner = around.node, within.node
    links = [(arg.init, result) for arg, result in zip(inner.args, inner.results, strict=True)]
    if links != [(arg.var, value) for arg, value in zip(outer.args, outer.body.yields, strict=True)]:
        return None
    found = carried(accesses, within)
    for value in (*found, *carried(accesses, around)):
        if value.kind != "reduction" or value.is_float or value.operator not in COMMUTATIVE:
            return None
    return tuple(value.operator or "" for value in found)


def _bound(accesses: AccessTable, loop: Loop, form: Form, side: int) -> Form | None:
    """What is at most an end of the inner loop in all outer iterations, or (side 1) at least."""
    if not any(accesses.structure.is_inside(name, loop) for name in form.names):
        return form
    for name in form.symbols:  # a smaller of two values is one of them less what is not negative
        is_alone = sum(name in monomial for monomial in form.terms) == 1
        if isinstance(name, Positive) and is_alone and form.terms.get((name,), 0) * (1, -1)[side] > 0:
            others = [form.substitute({name: part}) for part in (ZERO, name.parts[0])]
            known = [_bound(accesses, loop, other, side) for other in others]
            return next((bound for bound, other in zip(known, others, strict=True) if bound == other), known[0])
    found = hull(accesses.ranges, form, loop.body, loop)
    bounds = () if found is None else (found.low, found.high)[side]
    return next((bound for bound in bounds if not any(isinstance(s, Element) for s in bound.symbols)), None)


def is_known_before(accesses: AccessTable, loop: Loop, end: n.Atom) -> bool:
    """Whether a value is the same in all iterations of a loop, and known before it."""
    return isinstance(end, n.Const) or not accesses.structure.is_inside(end.name, loop)


def can_go_inside(accesses: AccessTable, loop: Loop, let: n.Let) -> bool:
    """Whether each inner iteration may compute for itself what an outer one does: it reads nothing that changes."""
    value = let.value
    late = {v.name for s in loop.node.body.statements if isinstance(s, n.For) for v in s.results}
    if isinstance(value, (n.Alloc, n.Undefined, *VIEWS)):
        return False
    if any(isinstance(a, n.Var) and a.name in late for a in atoms_of(let)):
        return False
    if not isinstance(value, n.Load):
        return True
    written = (a.array for a in accesses.within(loop.body) if a.writes)
    return not any(accesses.aliases.may_alias(value.view, array, loop) for array in written)
