"""Packing: elements are stored where counters say, and the sums of a tile say where these end. No pass itself.

``if keep: out[k] = x; k += 1``. In a tile it is known beforehand where `k` ends, so whether there is room for all that
the tile stores is asked once. Then nothing in the tile raises: what else an iteration may raise was looked for when
the tile was summed up. So the branch, which a processor cannot foresee, goes, too: as long as `k` is below its end,
something of the tile is still to come to ``out[k]``, and a value that is stored there in vain is overwritten. Every
iteration stores, and only the counter asks for the condition.

A counter grows by one, in one block of the iteration, beside its stores; branches and loops may be around the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import is_speculative
from weft.ir.types import PYBOOL, PYINT, Scalar
from weft.ir.visit import defined_by, rewrite, walk
from weft.transform.peel import Copies


@dataclass(frozen=True)
class Packing:
    """One iteration whose packed elements have room.

    Attributes
    ----------
    body
        The iteration; it uses `ends`.
    ends
        By the names of the counters, the variables that stand for where they end; none where the branches stay.
    stores
        The stores as they were, each with its counter.
    """

    body: n.Block
    ends: Mapping[str, n.Var]
    stores: tuple[tuple[n.Store, n.Var], ...]


@dataclass(frozen=True)
class _Slot:
    """A store, the counter of the loop that says where, and the name of the counter there."""

    store: n.Store
    counter: n.Var
    own: n.Var


def packing(
    loop: n.For, counters: Sequence[n.Var], raising: Sequence[n.Statement], aliases: Aliases, copies: Copies
) -> Packing | None:
    """What is known of a loop that packs elements; None where it says nothing.

    Parameters
    ----------
    loop
        The loop over a tile, for its effects.
    counters
        Those of its arguments that are sums.
    raising
        The statements that raise where what the loop carries says so.
    aliases
        The storages of the program.
    copies
        Makes names.
    """
    slots = list(_slots(loop, counters))
    stores = [slot.store for slot in slots]
    if not slots or any(statement not in stores for statement in raising):
        return None
    pairs = tuple((slot.store, slot.counter) for slot in slots)
    if _may_store_in_vain(loop, slots, aliases):
        ends = {slot.counter.name: copies.names.fresh("end", PYINT) for slot in slots}
        body = _Straight(slots, ends, copies).block(loop.body)
        if body is not None:
            return Packing(body, ends, pairs)
    return Packing(_with_room(loop.body, stores), {}, pairs) if raising else None


# ------------------------------------------------------------------------------------------------- where counters count


def _slots(loop: n.For, counters: Sequence[n.Var]) -> Iterator[_Slot]:
    """The stores where a counter says, in the one block where it grows."""
    made = {v for s in walk(loop.body) for v in defined_by(s)}
    yields = {arg.var: value for arg, value in zip(loop.args, loop.body.yields, strict=True)}
    for counter in counters:
        found = _counts(loop.body, counter, yields[counter]) if counter in yields else None
        if found is None:
            continue
        block, own = found
        for store in block.statements:
            is_slot = isinstance(store, n.Store) and store.mask is None and store.indices == (own,)
            if isinstance(store, n.Store) and is_slot and store.view not in made:  # its room is asked for elsewhere
                yield _Slot(store, counter, own)


def _counts(block: n.Block, before: n.Var, after: n.Atom) -> tuple[n.Block, n.Var] | None:
    """The block in which a counter grows by one, and its name there; None where it grows otherwise."""
    for statement in block.statements:
        if isinstance(statement, n.Let) and statement.var == after:
            return (block, before) if _is_step(statement.value, before) else None
        if isinstance(statement, n.If) and after in statement.results:
            place = statement.results.index(after)
            sides = [(side, side.yields[place]) for side in (statement.then, statement.orelse)]
            changed = [(side, value) for side, value in sides if value != before]
            return _counts(changed[0][0], before, changed[0][1]) if len(changed) == 1 else None
        if isinstance(statement, n.For) and after in statement.results:
            place = statement.results.index(after)
            arg, value = statement.args[place], statement.body.yields[place]
            return _counts(statement.body, arg.var, value) if arg.init == before else None
    return None


def _is_step(value: n.Expression, counter: n.Var) -> bool:
    return isinstance(value, n.Binary) and value.op == "add" and (value.left, value.right) == (counter, n.Const(1))


def _with_room(block: n.Block, stores: Sequence[n.Store]) -> n.Block:
    """The block with some stores that are known to be inside."""

    def change(statement: n.Statement) -> n.Statement:
        return (
            replace(statement, bounds="safe") if isinstance(statement, n.Store) and statement in stores else statement
        )

    return rewrite(block, change)


# ------------------------------------------------------------------------------------------------- stores in vain


def _may_store_in_vain(loop: n.For, slots: Sequence[_Slot], aliases: Aliases) -> bool:
    """Whether nothing reads what the slots store, and no two stores but those of one counter through one view meet."""
    stores = [slot.store for slot in slots]
    statements = list(walk(loop.body))
    beside = [s.view for s in statements if isinstance(s, n.Store) and s not in stores]
    read = [s.value.view for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
    for slot in slots:
        roots = aliases.roots(slot.store.view)
        if any(roots & aliases.roots(view) for view in (*read, *beside)):
            return False
        others = [s for s in slots if (s.counter, s.store.view) != (slot.counter, slot.store.view)]
        if any(roots & aliases.roots(other.store.view) for other in others):
            return False
    return True


class _Straight:
    """Takes branches apart that stores are in."""

    def __init__(self, slots: Sequence[_Slot], ends: Mapping[str, n.Var], copies: Copies) -> None:
        self.slots = {slot.store: slot for slot in slots}
        self.ends = ends
        self.copies = copies

    def block(self, block: n.Block) -> n.Block | None:
        """The block with its stores in any case; None where it does what may not run in any case."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            changed = self._statement(statement, is_taken=True)
            if changed is None:
                return None
            statements += changed
        return n.Block(tuple(statements), block.yields)

    def _statement(self, statement: n.Statement, is_taken: bool) -> list[n.Statement] | None:
        """What stands for a statement; `is_taken`: it runs anyway, otherwise it is in a branch."""
        if isinstance(statement, n.Store) and statement not in self.slots:
            return [statement] if is_taken else None
        if isinstance(statement, n.Store):
            return self._store(statement)
        if not any(isinstance(s, n.Store) for s in walk(n.Block((statement,)))):
            plain = all(isinstance(s, (n.Let, n.If, n.For) if is_taken else (n.Let, n.If)) for s in _all(statement))
            return [statement] if plain and (is_taken or all(map(_may_run, _all(statement)))) else None
        if isinstance(statement, n.If):
            return self._branch(statement)
        if isinstance(statement, n.For) and is_taken:
            body = self.block(statement.body)
            return None if body is None else [replace(statement, body=body)]
        return None

    def _store(self, store: n.Store) -> list[n.Statement]:
        slot = self.slots[store]
        end = self.ends[slot.counter.name]
        is_open = self.copies.let(n.Compare("lt", slot.own, end), PYBOOL, store.location, "open")
        kept = n.Block((replace(store, bounds="safe"),))
        return [is_open, n.If(is_open.var, kept, location=store.location)]

    def _branch(self, branch: n.If) -> list[n.Statement] | None:
        if not all(isinstance(result.type, Scalar) for result in branch.results):
            return None
        statements: list[n.Statement] = []
        for statement in (*branch.then.statements, *branch.orelse.statements):
            changed = self._statement(statement, is_taken=False)
            if changed is None:
                return None
            statements += changed
        yields = zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True)
        chosen = (n.Let(r, n.Select(branch.condition, a, b), branch.location) for r, a, b in yields)
        return [*statements, *chosen]


def _all(statement: n.Statement) -> list[n.Statement]:
    return list(walk(n.Block((statement,))))


def _may_run(statement: n.Statement) -> bool:
    """Whether a statement may run where the branch that it is in is not taken."""
    if isinstance(statement, n.If):
        return all(isinstance(result.type, Scalar) for result in statement.results)
    if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
        return False
    value = statement.value
    if isinstance(value, n.Binary) and value.op in ("add", "sub", "mul") and not value.checked:
        return True
    plain = isinstance(value, (n.Binary, n.Unary, n.Compare, n.Select, n.Cast))
    return plain and is_speculative(value, statement.var.type)
