"""Stores of one value, in any order: ``seen[k[i]] = 1``, ``if level[v] < 0: level[v] = depth + 1``.

If all stores of a loop to an array store one value, iterations may meet in its elements. The loop may also read the
array, if what it reads cannot reveal whether an element has the value already. Two kinds of reads are allowed:

* a test that decides only whether its own element is stored, and whether a flag is set with the store. In any order,
  an element is stored if the test holds for its old value in some iteration, since the first one to store it reads
  that value;
* a comparison with a value that does not change, if its outcome is the same for the stored value and for all old
  values for which the test lets the store happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, TypeAlias

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Path, Region
from weft.analysis.dependence.influence import influence
from weft.analysis.recurrences.updates import UpdatePair, is_written_between, iteration_of
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Form
from weft.analysis.values.prover import Prover
from weft.analysis.values.ranges import branches_of
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of

ASSIGN: Literal["assign"] = "assign"
"""The operator of `UpdatePair` and `Update` for such stores."""
WIDEST = 8
"""Bytes that processors and devices read and write at once."""
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class _Same:
    """A store of the value. In ``x[k] = v if c else x[k]``, it is stored if `condition` is `truth`."""

    access: Access
    value: n.Atom
    condition: n.Atom | None = None
    truth: bool = True


def same_value_stores(table: AccessTable, loop: Loop, one: Access) -> tuple[UpdatePair, ...]:
    """The stores of a loop to the storage of an access, if they all store one value and their order cannot be seen.

    Parameters
    ----------
    table, loop
        The loop, and all accesses.
    one
        An access in the loop.
    """
    if not isinstance(loop.node, n.For) or loop.node.exit is not None:
        return ()
    inside = [a for a in table.of_same_storage(one) if loop.body.contains(a.region)]
    if not all(_is_plain(table, one, access) for access in inside):
        return ()
    found = _Stores(table, loop, inside)
    if not found.stores or not found.store_one_value() or not all(map(found.is_harmless, found.loads)):
        return ()
    return tuple(UpdatePair((), store.access, ASSIGN) for store in found.stores)


def chosen_value(table: AccessTable, store: Access) -> tuple[n.Atom, n.Atom, bool] | None:
    """The value, condition and truth of a store that otherwise stores the old element, as ``x[k] = v if c else x[k]``.

    Nothing else may use the chosen value, and nothing may write to the storage of the array after the element has been
    loaded: the store would undo it.
    """
    value = store.value
    if not isinstance(value, n.Var) or len(table.structure.uses.get(value.name, ())) != 1:
        return None
    choice = branches_of(table.structure.definition(value))
    if choice is None:
        return None
    condition, then, orelse = choice
    for new, old, truth in ((then, orelse, True), (orelse, then, False)):
        seen = not isinstance(new, n.Var) or table.structure.definition(new).region.contains(store.region)
        if seen and isinstance(old, n.Var) and _loads_the_element(table, old, store):
            return new, condition, truth
    return None


def _loads_the_element(table: AccessTable, var: n.Var, store: Access) -> bool:
    definition = table.structure.definition(var)
    if not isinstance(definition.value, n.Load) or definition.value.mask is not None:
        return False
    load = table.load_of(definition)
    is_before = load.loops == store.loops and load.region.contains(store.region)
    return is_before and _is_same_place(load, store) and not is_written_between(table, load, store)


def _is_same_place(a: Access, b: Access) -> bool:
    named = [(access.view, _atoms(access)) for access in (a, b)]
    return named[0] == named[1] or (a.array, a.indices) == (b.array, b.indices)


def _atoms(access: Access) -> tuple[n.Atom, ...]:
    """The indices as the program names them."""
    statement = access.site.statement
    node = statement.value if isinstance(statement, n.Let) else statement
    return node.indices if isinstance(node, (n.Load, n.Store, n.Update)) else ()


def _is_plain(table: AccessTable, one: Access, access: Access) -> bool:
    """Whether an access is to a whole element, which the machine reads or writes in one step."""
    statement, element = access.site.statement, getattr(access.array.type, "element", None)
    if isinstance(statement, n.Update) and statement.op != ASSIGN:
        return False
    if not isinstance(statement, (n.Let, n.Store, n.Update)) or access.indices is None or access.fields:
        return False
    node = statement.value if isinstance(statement, n.Let) else statement
    if getattr(node, "mask", None) is not None or table.roots(access) != table.roots(one):
        return False
    plain = isinstance(element, Scalar) and element.kind in "biuf" and element.size <= WIDEST
    viewed = isinstance(access.view.type, View) and access.view.type.element == element
    return plain and viewed and table.roots(access).isdisjoint(table.aliases.overlapping)


class _Stores:
    """The loads and stores of a loop for one array."""

    def __init__(self, table: AccessTable, loop: Loop, inside: Iterable[Access]) -> None:
        self.table, self.loop = table, loop
        inside = list(inside)
        self.loads = [a for a in inside if a.kind == "load"]
        self.stores = [self._same(a) for a in inside if a.writes]

    def _same(self, access: Access) -> _Same:
        value = access.value
        assert value is not None
        chosen = chosen_value(self.table, access) if access.kind == "store" else None
        if chosen is None or self._key(value, access) is not None:
            return _Same(access, value)
        return _Same(access, *chosen)

    # ------------------------------------------------------------------------------------------- the value

    def store_one_value(self) -> bool:
        """Whether all stores store one value, or one that depends only on the indices of the element."""
        keys = [self._key(store.value, store.access) for store in self.stores]
        return None not in keys and len(set(keys)) == 1

    def _key(self, atom: n.Atom, access: Access) -> Key | None:
        """A key that is equal for values that are the same in all iterations; None if a value may differ."""
        if isinstance(atom, n.Const):
            return ("constant", atom)
        if not self.table.structure.is_inside(atom.name, self.loop):
            return ("value", atom.name)
        fixed = not self.table.structure.is_inside(access.view.name, self.loop)
        indices = [self.table.forms.of(index) for index in _atoms(access)]
        if access.bounds != "python" and fixed and (form := self.table.forms.of(atom)) in indices:
            return ("index", access.view.name, indices.index(form))
        value = self.table.structure.definition(atom).value
        if not isinstance(value, (n.Cast, n.Unary, n.Binary)):
            return None
        keys = [self._key(operand, access) for operand in atoms_of(value)]
        return None if None in keys else (type(value).__name__, getattr(value, "op", ""), str(atom.type), *keys)

    # ------------------------------------------------------------------------------------------ what reads

    def is_harmless(self, load: Access) -> bool:
        """Whether a load cannot reveal that another iteration has stored the value."""
        return self._is_test(load) or self._is_indifferent(load)

    def _is_test(self, load: Access) -> bool:
        """Whether a load decides only whether its own element is stored."""
        assert isinstance(load.value, n.Var)
        reached = influence(self.table, self.loop.body, (load.value.name,), self._flags, through_memory=False)
        stores = {store.access.site.path: store for store in self.stores}
        for site, only_whether in reached.effects.items():
            store = stores.get(site.path)
            if store is None or not _is_same_place(load, store.access):
                return False
            if not only_whether and store.condition is None:
                return False
            if not iteration_of(self.table, load).contains(store.access.region):
                return False
        if reached.places or any(not self._is_fixed(site.statement) for site in reached.faults):
            return False
        return not any(arg.var.name in reached.names for arg in self._inner_args())

    def _is_fixed(self, statement: n.Statement) -> bool:
        """Whether what may raise raises in every iteration or in none."""
        return isinstance(statement, n.Let) and self._key(statement.var, self.stores[0].access) is not None

    def _inner_args(self) -> Iterator[n.LoopArg]:
        for site in self.loop.body.sites():
            if isinstance(site.statement, (n.For, n.While)):
                yield from site.statement.args

    # --------------------------------------------------------------------------------------------- flags

    @cached_property
    def _flags(self) -> frozenset[str]:
        """Flags: variables that get one constant exactly when a store happens, and are otherwise only carried on."""
        found: set[str] = set()
        for place, (arg, value) in enumerate(zip(self.loop.node.args, self.loop.node.body.yields, strict=True)):
            names, constants = {arg.var.name}, set[n.Const]()
            stores = self._set_with(value, arg.var, names, constants)
            if stores != {store.access.site.path for store in self.stores} or len(constants) > 1:
                continue
            reached = influence(self.table, self.loop.body, names)
            unused = not reached.effects and not reached.faults and reached.places == {place}
            found |= names if unused and reached.names <= names else set()
        return frozenset(found)

    def _set_with(self, value: n.Atom, before: n.Var, names: set[str], constants: set[n.Const]) -> set[Path] | None:
        """The stores that set a flag to a constant; without them it keeps its earlier value. None if it is no flag.

        Adds the variables that carry the flag to `names`, and its constants to `constants`.
        """
        if not isinstance(value, n.Var):
            return None
        if value == before:
            return set()
        definition = self.table.structure.definition(value)
        if not self.loop.body.contains(definition.region):
            return None
        names.add(value.name)
        statement, place = definition.statement, definition.place
        if isinstance(statement, n.For) and definition.kind == "result":
            arg = statement.args[place]
            names.add(arg.var.name)
            inner = self._set_with(statement.body.yields[place], arg.var, names, constants)
            first = self._set_with(arg.init, before, names, constants)
            return None if inner is None or first is None else inner | first
        choice = branches_of(definition)
        if isinstance(definition.value, n.Binary) and definition.value.op == "or":
            choice = self._either(definition.value, before)
        if choice is None:
            return None
        found: set[Path] = set()
        for number, branch in enumerate(choice[1:]):
            if isinstance(branch, n.Const):
                stores = self._made_in(definition.region, choice[0], number) or None
                constants.add(branch)
            else:
                stores = self._set_with(branch, before, names, constants)
            if stores is None:
                return None
            found |= stores
        return found

    @staticmethod
    def _either(value: n.Binary, before: n.Var) -> tuple[n.Atom, n.Atom, n.Atom] | None:
        """The choice that stands for a Boolean which is set if a condition holds."""
        condition = value.left if value.right == before else value.right
        return (condition, n.Const(True, before.type), before) if before in (value.left, value.right) else None

    def _made_in(self, region: Region, condition: n.Atom, number: int) -> set[Path]:
        """The stores that happen whenever a region runs and a condition has a given truth."""
        branches = [store.access.region for store in self.stores]
        made = (b for b in branches if b.parent is region and isinstance(b.owner, n.If))
        wanted = [b for b in made if (getattr(b.owner, "condition", None), b.number) == (condition, number)]
        return {store.access.site.path for store in self.stores if store.access.region in wanted}

    # -------------------------------------------------------------------------------------- comparisons

    def _is_indifferent(self, load: Access) -> bool:
        """Whether a load is only compared, with the same outcome for old and new values."""
        assert isinstance(load.value, n.Var)
        compared = list(self._comparisons(load.value))
        return bool(compared) and all(c is not None and self._has_one_outcome(*c) for c in compared)

    def _comparisons(self, var: n.Var) -> Iterator[tuple[n.CompareOp, Form] | None]:
        """The operators and right sides of all comparisons of a value; None if it has other uses."""
        structure, forms = self.table.structure, self.table.forms
        for use in structure.uses.get(var.name, ()):
            value = use.statement.value if isinstance(use.statement, n.Let) else None
            if isinstance(use.statement, n.Let) and isinstance(value, n.Cast) and is_integer(use.statement.var.type):
                if forms.of(use.statement.var) != forms.of(var):
                    yield None
                yield from self._comparisons(use.statement.var)
            elif isinstance(value, n.Compare) and value.left != value.right and is_integer(value.left.type):
                other, op = (value.right, value.op) if value.left == var else (value.left, MIRRORED[value.op])
                form = forms.of(other)
                fixed = all(not structure.is_inside(s, self.loop) for s in form.names)
                yield (op, form) if fixed else None  # type: ignore[misc]
            else:
                yield None

    def _has_one_outcome(self, op: n.CompareOp, other: Form) -> bool:
        for store in self.stores:
            old = self._replaced(store)
            if old is None or not is_integer(store.value.type):
                return False
            prover = self.table.ranges.prover(store.access.region)
            if store.condition is not None:
                prover = self.table.ranges.assuming(store.access.region, store.condition, store.truth)
            forms = [self.table.forms.of(atom) for atom in (old, store.value)]
            outcomes = [_outcome(prover, op, form - other) for form in forms]
            if outcomes[0] is None or outcomes[0] != outcomes[1]:
                return False
        return True

    def _replaced(self, store: _Same) -> n.Var | None:
        """The old value of an element, as loaded by the test that guards its store."""
        for load in self.loads:
            before = load.site.path < store.access.site.path and load.loops == store.access.loops
            if before and _is_same_place(load, store.access):
                assert isinstance(load.value, n.Var)
                return load.value
        return None


def _outcome(prover: Prover, op: n.CompareOp, difference: Form) -> bool | None:
    """Whether a difference compares with zero in this way; None if unknown."""
    less, more = prover.nonnegative(-difference - 1), prover.nonnegative(difference - 1)
    not_less, not_more = prover.nonnegative(difference), prover.nonnegative(-difference)
    holds = {
        "lt": (less, not_less), "ge": (not_less, less), "gt": (more, not_more), "le": (not_more, more),
        "eq": (not_less and not_more, less or more), "ne": (less or more, not_less and not_more),
    }[op]  # fmt: skip
    return True if holds[0] else False if holds[1] else None
