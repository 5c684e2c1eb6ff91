"""Reductions in memory: ``a[k] = a[k] + v``, ``a[p[i]] += v``, ``if x < m[k]: m[k] = x``.

A load and a store of the same element, with a chain of one associative operator between them and no other use of what
was loaded, are one update. Updates of an array by one operator may be done in any order of elements.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Path, Region
from weft.analysis.dependence.influence import influence
from weft.analysis.recurrences.chains import ASSOCIATIVE, Chain, Chains
from weft.dataclass import dataclass
from weft.ir import nodes as n


@dataclass(frozen=True, eq=False)
class UpdatePair:
    """A load and a store that together fold a value into an element.

    Attributes
    ----------
    loads
        The loads of the element; none where the program has an `Update`.
    store
        The store.
    operator
        An operator of `Binary`, or the name of an associative function.
    chain
        How the stored value is made from the loaded one; None for an `Update`.
    """

    loads: tuple[Access, ...]
    store: Access
    operator: str
    chain: Chain | None = None

    @property
    def is_one_step(self) -> bool:
        """Whether the program has an `Update` for it."""
        return isinstance(self.store.site.statement, n.Update)

    @property
    def accesses(self) -> tuple[Access, ...]:
        """All accesses of the update."""
        return (*self.loads, self.store)


def updates(table: AccessTable, associative: Iterable[str] = ()) -> list[UpdatePair]:
    """All updates of a body of code. Stores of one value are none: whether they store one depends on the loop."""
    names = frozenset(associative)
    found = []
    for access in table.accesses:
        statement = access.site.statement
        if access.kind == "update" and isinstance(statement, n.Update) and statement.op != "assign":
            found.append(UpdatePair((), access, statement.op))
        elif access.kind == "store":
            pair = _of_store(table, access, names)
            if pair is not None:
                found.append(pair)
    return found


def _of_store(table: AccessTable, store: Access, associative: frozenset[str]) -> UpdatePair | None:
    loads = loads_before(table, store)
    if not loads:
        return None
    region = iteration_of(table, store)
    sources = [load.value.name for load in loads if isinstance(load.value, n.Var)]
    reached = influence(table, region, sources, through_memory=False)
    chains = Chains(table, sources, reached, associative, region)
    value = store.value
    assert value is not None
    chain = chains.of(value) if chains.depends(value) else _guarded_extreme(chains, store)
    if chain is None or chain.operator is None or chain.operator not in ASSOCIATIVE | associative:
        return None  # what is folded in may still be read from the same array: see `LoopFact.updates`
    alone = reached.names <= chain.links | set(sources) and not reached.places
    only = all(site.path == store.site.path for site in reached.effects) and not reached.may_raise_besides(chain.links)
    return UpdatePair(tuple(loads), store, chain.operator, chain) if alone and only else None


def loads_before(table: AccessTable, store: Access) -> list[Access]:
    """The loads of the element that a store writes, in the same iteration, with nobody writing the array between."""
    found = [
        a
        for a in table.of_same_storage(store)
        if a.kind == "load"
        and a.indices is not None
        and (a.array, a.fields, a.indices) == (store.array, store.fields, store.indices)
        and a.loops == store.loops
        and a.site.path < store.site.path
        and a.region.contains(store.region)
    ]
    return [] if not found or is_written_between(table, found[0], store) else found


def is_written_between(table: AccessTable, load: Access, store: Access) -> bool:
    """Whether anything between a load and a store may write to the storage of the array.

    Whenever the store happens, the load has happened before it in the same iteration.
    """
    writes = (a.site.path for a in table.of_same_storage(store) if a.writes)
    between = (path for path in writes if load.site.path < path < store.site.path)
    return not all(_exclude_one_another(path, store.site.path) for path in between)


def _exclude_one_another(first: Path, second: Path) -> bool:
    """Whether two statements stand in different branches, with no loop around them that runs both."""
    return next(place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b) % 2 == 1


def iteration_of(table: AccessTable, access: Access) -> Region:
    """The region that runs once in every iteration of the innermost loop around an access."""
    return access.loops[-1].body if access.loops else table.structure.root


def _guarded_extreme(chains: Chains, store: Access) -> Chain | None:
    """``if x < m[k]: m[k] = x``."""
    owner, value = store.region.owner, store.value
    if not isinstance(owner, n.If) or value is None:
        return None
    return chains.replacing(owner.condition, value, store.region.number == 0)


def same_fold(first: UpdatePair, second: UpdatePair) -> bool:
    """Whether two updates fold by one operator, which treats ties and NaN alike."""
    rules = [(p.operator, *_rules_of_ties(p.chain)) for p in (first, second)]
    return rules[0] == rules[1]


def _rules_of_ties(chain: Chain | None) -> tuple[bool, ...]:
    return (chain.ties_last, chain.nan_replaces, chain.nan_stays) if chain else (False, False, False)
