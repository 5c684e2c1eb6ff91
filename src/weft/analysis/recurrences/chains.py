"""How a value is made from an earlier one: ``s + x``, ``x if x < s else s``, ``a * s + b``, through branches.

A chain is the list of operators that lie between a carried value (or a loaded element) and the value that replaces it.
The other operands of these operators do not depend on the carried value: they are its contributions.

Extremes of floats. With ``min(s, x)``, that is ``x if x < s else s``, a NaN in `x` is passed over and a NaN in `s`
stays, and of equal values the first is kept. Written otherwise, the last of equal values is kept (`ties_last`), or a
NaN replaces what was there and is replaced by what comes next (`nan_replaces`), or it stays (`nan_stays`), as with
``np.minimum``. All of these are associative over the
state "nothing yet, or the value; and whether a NaN has replaced it", so partial results start from nothing, are
combined in order, and the initial value is folded in first: then the result is that of the loop in order, bit for
bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import TypeAlias

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import Definition, Region
from weft.analysis.dependence.influence import Influence
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import cast_may_raise
from weft.ir.types import FLOAT16, Scalar

Link: TypeAlias = str
"""A variable between the carried value and its successor."""

ASSIGN = "assign"
"""Not an operator: the value is replaced by one that does not depend on it."""
REVERSED = "reversed"
"""Not an operator: ``x - s``."""

ASSOCIATIVE = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})
MODULAR = frozenset({"add", "mul", "and", "or", "xor", ASSIGN})
"""Operators for which a conversion of the value in between changes no more than another order would."""
_OUTCOMES = ("lt", "eq", "gt", "unordered")
_TRUE_FOR = {
    "lt": {"lt"}, "le": {"lt", "eq"}, "gt": {"gt"}, "ge": {"gt", "eq"}, "eq": {"eq"}, "ne": {"lt", "gt", "unordered"},
}  # fmt: skip
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


@dataclass(frozen=True)
class Chain:
    """The operators between a value and its successor.

    Attributes
    ----------
    operators
        Operators of `Binary`, names of associative functions, or one of the marks above.
    links
        The variables in between, the conditions that compare them included.
    contributions
        The other operands.
    ties_last, nan_replaces, nan_stays
        For minimum and maximum: see the head of this module.
    decisions
        Conditions that tell whether an extreme is replaced; the value says which branch replaces it.
    converted
        Whether the value goes through another type on its way.
    guarded
        Whether a branch decides what is folded in.
    """

    operators: frozenset[str] = frozenset()
    links: frozenset[Link] = frozenset()
    contributions: tuple[n.Atom, ...] = ()
    ties_last: bool = False
    nan_replaces: bool = False
    nan_stays: bool = False
    decisions: frozenset[tuple[str, bool]] = field(default_factory=frozenset)
    converted: bool = False
    guarded: bool = False

    @property
    def operator(self) -> str | None:
        """The only operator, where it is associative; None where there are several."""
        if len(self.operators) != 1:
            return None
        (operator,) = self.operators
        return None if operator == REVERSED or (self.converted and operator not in MODULAR) else operator

    def then(self, operator: str, contribution: n.Atom | None, *links: Link, **changes: object) -> Chain:
        """The chain with one more operator."""
        added = () if contribution is None else (contribution,)
        longer = replace(
            self,
            operators=self.operators | {operator},
            links=self.links | set(links),
            contributions=(*self.contributions, *added),
        )
        return replace(longer, **changes)  # type: ignore[arg-type]

    def joined(self, other: Chain, *links: Link) -> Chain:
        """The chain of a value that is made in one of two ways, or in one way after the other."""
        return Chain(
            self.operators | other.operators,
            self.links | other.links | set(links),
            (*self.contributions, *other.contributions),
            self.ties_last or other.ties_last,
            self.nan_replaces or other.nan_replaces,
            self.nan_stays or other.nan_stays,
            self.decisions | other.decisions,
            self.converted or other.converted,
            self.guarded or other.guarded,
        )


class Chains:
    """Finds the chains from some values inside a region.

    Parameters
    ----------
    table
        The access table.
    sources
        The names of the carried value.
    reached
        What they influence.
    associative
        Names of functions of the program that are associative by the user's word.
    region
        The region in which the values are compared for being the same.
    """

    def __init__(
        self,
        table: AccessTable,
        sources: Iterable[str],
        reached: Influence,
        associative: frozenset[str],
        region: Region,
    ) -> None:
        self.table = table
        self.sources = frozenset(sources)
        self.reached = reached.names
        self.associative = associative
        self.region = region

    def of(self, value: n.Atom) -> Chain | None:
        """The chain from the carried value to another; None where there is none."""
        if not self.depends(value):
            return None
        assert isinstance(value, n.Var)
        if value.name in self.sources:
            return Chain()
        definition = self.table.structure.definition(value)
        chain = self._through(definition)
        return None if chain is None else replace(chain, links=chain.links | {value.name})

    def depends(self, value: n.Atom) -> bool:
        """Whether a value depends on the carried one."""
        return isinstance(value, n.Var) and value.name in self.reached

    def _through(self, definition: Definition) -> Chain | None:
        value = definition.value
        if isinstance(value, n.Binary):
            return self._binary(value)
        if isinstance(value, n.Cast):
            return self._cast(value, definition.var)
        if isinstance(value, n.Select):
            return self._choice(value.condition, value.then, value.orelse)
        if isinstance(value, n.Math):
            return self._extreme_of_numpy(value)
        return self._through_statement(definition.statement, definition.place) if definition.kind == "result" else None

    def _through_statement(self, statement: n.Statement | None, place: int) -> Chain | None:
        if isinstance(statement, n.If):
            return self._choice(statement.condition, statement.then.yields[place], statement.orelse.yields[place])
        if isinstance(statement, n.For):
            return self._loop(statement, place)
        return self._call(statement) if isinstance(statement, n.Call) else None

    def _binary(self, value: n.Binary) -> Chain | None:
        left, right = self.depends(value.left), self.depends(value.right)
        if left and right:
            return None
        chain, other = self.of(value.left if left else value.right), value.right if left else value.left
        if chain is None:
            return None
        if value.op == "sub":
            return chain.then("add", other) if left else chain.then(REVERSED, other)
        if value.op not in ASSOCIATIVE:
            return None
        if value.op in ("min", "max"):
            if _is_complex(other):
                return None
            return chain.then(value.op, other, ties_last=not left, nan_replaces=not left)
        return chain.then(value.op, other)

    def _extreme_of_numpy(self, value: n.Math) -> Chain | None:
        """``np.minimum`` and ``np.maximum``, which give a NaN if there is one.

        Of equal numbers they give the second one, those of float16 the first one.
        """
        op = {"minimum": "min", "maximum": "max"}.get(value.name)
        if op is None or any(getattr(atom.type, "kind", "") not in ("i", "u", "f") for atom in value.operands):
            return None
        left, right = value.operands
        if self.depends(left) == self.depends(right):
            return None
        first, keeps_first = self.depends(left), left.type == FLOAT16
        chain = self.of(left if first else right)
        added, ties_last = (right if first else left), first != keeps_first
        return None if chain is None else chain.then(op, added, ties_last=ties_last, nan_stays=True)

    def _cast(self, value: n.Cast, var: n.Var) -> Chain | None:
        """Conversions that keep a chain: between integers modulo a power of two, and between floats."""
        source, target = value.operand.type, var.type
        if not (isinstance(source, Scalar) and isinstance(target, Scalar)):
            return None
        chain = self.of(value.operand)
        if chain is None or (source.kind, source.bits) == (target.kind, target.bits):
            return chain
        kept = source.kind == target.kind == "f" or (source.kind in "iu" and target.kind in "iu")
        return replace(chain, converted=True) if kept and not cast_may_raise(source, target) else None

    def _call(self, statement: n.Call) -> Chain | None:
        if statement.function not in self.associative or len(statement.operands) != 2:
            return None
        first, second = statement.operands
        if self.depends(second):
            return None
        chain = self.of(first)
        return None if chain is None else chain.then(statement.function, second)

    def _loop(self, statement: n.For, place: int) -> Chain | None:
        """Through an inner loop: what one iteration does, after what came before the loop."""
        arg = statement.args[place]
        before = self.of(arg.init)
        if before is None:
            return None
        inner = Chains(self.table, (arg.var.name,), Influence(), self.associative, self.region)
        inner.reached = self.reached
        chain = inner.of(statement.body.yields[place])
        return None if chain is None else before.joined(chain, arg.var.name, statement.results[place].name)

    def _choice(self, condition: n.Atom, then: n.Atom, orelse: n.Atom) -> Chain | None:
        if self.depends(condition):
            return self._extreme(condition, then, orelse) or self._logical(condition, then, orelse)
        if_true, if_false = self.of(then), self.of(orelse)
        if if_true is not None and if_false is not None:
            return replace(if_true.joined(if_false), guarded=True)
        kept, value = (if_true, orelse) if if_true is not None else (if_false, then)
        if kept is None or self.depends(value):
            return None
        return kept.then(_operator_of_assignment(value, kept), value, guarded=True)

    def _logical(self, condition: n.Atom, then: n.Atom, orelse: n.Atom) -> Chain | None:
        """``s and x`` and ``s or x`` as branches on `s`."""
        negated, tested = self._without_not(condition)
        chain = self.of(tested)
        if chain is None or not isinstance(tested, n.Var) or getattr(tested.type, "kind", "") != "b":
            return None
        if_set, if_clear = (orelse, then) if negated else (then, orelse)
        if self._is(if_clear, tested, False) and not self.depends(if_set):
            return chain.then("and", if_set, *self._tests(condition))
        if self._is(if_set, tested, True) and not self.depends(if_clear):
            return chain.then("or", if_clear, *self._tests(condition))
        return None

    def _without_not(self, condition: n.Atom) -> tuple[bool, n.Atom]:
        negated = False
        while isinstance(condition, n.Var):
            value = self.table.structure.definition(condition).value
            if isinstance(value, n.Unary) and value.op == "not":
                negated = not negated
                condition = value.operand
            else:
                break
        return negated, condition

    def _tests(self, condition: n.Atom) -> list[str]:
        """The variables of a condition, from the outermost ``not`` to the comparison."""
        names = []
        while isinstance(condition, n.Var):
            names.append(condition.name)
            value = self.table.structure.definition(condition).value
            if not isinstance(value, n.Unary):
                break
            condition = value.operand
        return names

    @staticmethod
    def _is(value: n.Atom, tested: n.Atom, constant: bool) -> bool:
        return value == tested or (isinstance(value, n.Const) and value.value is constant)

    def _extreme(self, condition: n.Atom, then: n.Atom, orelse: n.Atom) -> Chain | None:
        """``x if x < s else s`` and its variants."""
        found = self.comparison(condition)
        if found is None:
            return None
        for taken, kept, takes in ((then, orelse, True), (orelse, then, False)):
            if self._same(kept, found[0]):
                return self.replacing(condition, taken, takes)
        return None

    def replacing(self, condition: n.Atom, value: n.Atom, takes: bool) -> Chain | None:
        """The chain of a carried value that is replaced by another where a comparison of the two is as `takes` says."""
        found = self.comparison(condition)
        if found is None or not same_value(self.table, self.region, value, found[1]):
            return None
        old, new, outcomes = found
        chain = self.of(old)
        rule = extreme_of(outcomes if takes else set(_OUTCOMES) - outcomes)
        if chain is None or rule is None:
            return None
        op, ties_last, nan_replaces = rule
        tests = self._tests(condition)
        longer = chain.then(op, new, *tests, ties_last=ties_last, nan_replaces=nan_replaces)
        return replace(longer, decisions=longer.decisions | {(tests[0], takes)})

    def _same(self, kept: n.Atom, old: n.Atom) -> bool:
        return kept == old or same_value(self.table, self.region, kept, old)

    def comparison(self, condition: n.Atom) -> tuple[n.Atom, n.Atom, set[str]] | None:
        """The carried value, the new one, and for which outcomes of comparing new with carried a condition holds."""
        negated, tested = self._without_not(condition)
        value = self.table.structure.definition(tested).value if isinstance(tested, n.Var) else None
        if not isinstance(value, n.Compare) or self.depends(value.left) == self.depends(value.right):
            return None
        if _is_complex(value.left):
            return None
        carried_left = self.depends(value.left)
        old, new = (value.left, value.right) if carried_left else (value.right, value.left)
        outcomes = set(_TRUE_FOR[_MIRRORED[value.op] if carried_left else value.op])
        return old, new, set(_OUTCOMES) - outcomes if negated else outcomes


def _is_complex(atom: n.Atom) -> bool:
    """Whether a number is complex: with NaN in one part the order is not total, and equal ones differ in their bits."""
    return getattr(atom.type, "kind", "") == "c"


def extreme_of(taken: set[str]) -> tuple[str, bool, bool] | None:
    """Which extreme is kept when a new value is taken for some outcomes of comparing it with the old one."""
    if ("lt" in taken) == ("gt" in taken):
        return None
    return ("min" if "lt" in taken else "max"), "eq" in taken, "unordered" in taken


def _operator_of_assignment(value: n.Atom, kept: Chain) -> str:
    """``if c: s = True`` is ``s or c``, and ``if c: s = False`` is ``s and not c``."""
    if isinstance(value, n.Const) and isinstance(value.value, bool) and not kept.operators - {"or", "and"}:
        return "or" if value.value else "and"
    return ASSIGN


def same_value(table: AccessTable, region: Region, left: n.Atom, right: n.Atom) -> bool:
    """Whether two values of one iteration of a region are proven to be the same."""
    if left == right:
        return True
    if not isinstance(left, n.Var) or not isinstance(right, n.Var) or left.type != right.type:
        return False
    first, second = table.structure.definition(left), table.structure.definition(right)
    a, b = first.value, second.value
    if isinstance(a, n.Load) and isinstance(b, n.Load):
        return same_element(table, region, first, second)
    if a is None or b is None or type(a) is not type(b) or isinstance(a, (n.Alloc, n.Undefined, n.Load)):
        return False
    return _same_operation(table, region, a, b)


def _same_operation(table: AccessTable, region: Region, a: n.Expression, b: n.Expression) -> bool:
    for name in a.__dataclass_fields__:
        x, y = getattr(a, name), getattr(b, name)
        xs, ys = (x, y) if isinstance(x, tuple) and isinstance(y, tuple) else ((x,), (y,))
        if len(xs) != len(ys):
            return False
        for p, q in zip(xs, ys, strict=True):
            equal = p == q or (isinstance(p, n.Var) and isinstance(q, n.Var) and same_value(table, region, p, q))
            if not equal and name != "checked":
                return False
    return True


def same_element(table: AccessTable, region: Region, first: Definition, second: Definition) -> bool:
    """Whether two loads of one iteration are proven to give the same value."""
    a, b = table.load_of(first), table.load_of(second)
    if a.indices is None or a.array != b.array or a.fields != b.fields or a.indices != b.indices:
        return False
    roots = table.roots(a)
    if roots.isdisjoint(table.aliases.written(region)):
        return True
    if a.loops != b.loops:
        return False
    low, high = sorted((a.site.path, b.site.path))
    return not any(
        low < w.site.path < high and w.writes and not roots.isdisjoint(table.roots(w)) for w in table.accesses
    )
