"""Updates: ``a[k] = a[k] op v`` in a loop that folds into an array becomes one indivisible `Update`.

This is done if the verdict says that iterations only meet in what they fold by one operator, or store one value.
Several iterations may then run at once, on devices that can update memory in one step. An element must be loaded,
combined by one operation and stored again, unless its stores store one value.

The value is computed before the element is accessed. If something in between may raise, the index is tested first,
without reading the element, so that exceptions keep their order. A difference adds the negative.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Path, Structure
from weft.analysis.recurrences.same_values import ASSIGN, chosen_value
from weft.analysis.recurrences.updates import UpdatePair
from weft.ir import nodes as n
from weft.ir.effects import statement_may_raise
from weft.ir.location import Location
from weft.ir.types import View
from weft.ir.visit import Names, walk
from weft.transform.support import judged, replace_at

FOLDS = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})
COMMUTATIVE = FOLDS - {"min", "max"}


def updates(program: n.Program) -> n.Program:
    """Make updates of the folds in memory that keep loops from being parallel."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    pairs = {p for f in verdicts.loops.values() if f.verdict == "reduction" for p in f.updates if not p.is_one_step}
    names = Names.of(program)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for pair in pairs:
        if pair.operator == ASSIGN:
            changes[pair.store.site.path] = _same_value(pair.store, verdicts.table, names)
        elif len(pair.loads) == 1:
            changes.update(_update(pair, verdicts.table.structure, names))
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _update(pair: UpdatePair, structure: Structure, names: Names) -> dict[Path, tuple[n.Statement, ...]]:
    """What stands for the load and the store; nothing where they have another form."""
    store, (load,) = pair.store, pair.loads
    statement, loaded = store.site.statement, load.site.statement
    if not isinstance(statement, n.Store) or statement.mask is not None or not isinstance(statement.value, n.Var):
        return {}
    if not isinstance(loaded, n.Let) or not isinstance(loaded.value, n.Load) or store.region is not load.region:
        return {}
    combined = structure.definition(statement.value)
    value = combined.value
    uses = [structure.uses.get(var.name, ()) for var in (loaded.var, statement.value)]
    if not isinstance(value, n.Binary) or any(len(found) != 1 for found in uses):
        return {}
    folded = _folded(value, loaded.var)
    if folded is None:
        return {}
    op, amount, negated = folded
    before: tuple[n.Statement, ...] = ()
    if negated:
        var = names.fresh("t", amount.type)
        before, amount = (n.Let(var, n.Unary("neg", amount), statement.location),), var
    update = n.Update(op, statement.view, statement.indices, amount, statement.bounds, statement.location)
    looked = () if _is_quiet_between(load, store) else _looked_at(loaded.value, loaded.location, names)
    return {load.site.path: looked, (*combined.region.path, combined.position): (), store.site.path: (*before, update)}


def _same_value(store: Access, table: AccessTable, names: Names) -> tuple[n.Statement, ...]:
    """What replaces a store of a value that other iterations store in the same element."""
    statement = store.site.statement
    assert isinstance(statement, n.Store)
    place, location = (statement.view, statement.indices), statement.location
    chosen = chosen_value(table, store)
    if chosen is None:
        return (n.Update(ASSIGN, *place, statement.value, statement.bounds, location),)
    value, condition, truth = chosen
    block, nothing = n.Block((n.Update(ASSIGN, *place, value, statement.bounds, location),)), n.Block()
    return (n.If(condition, *((block, nothing) if truth else (nothing, block)), location=location),)


def _looked_at(load: n.Load, location: Location, names: Names) -> tuple[n.Statement, ...]:
    """What raises where a load would, and reads nothing."""
    if load.bounds == "safe":
        return ()
    assert isinstance(load.view.type, View)
    element = names.fresh("at", View(load.view.type.element, 0))
    return (n.Let(element, n.Subview(load.view, load.indices, load.bounds), location),)


def _folded(value: n.Binary, loaded: n.Var) -> tuple[n.BinaryOp, n.Atom, bool] | None:
    """The operator, the other operand, and whether it is to be negated."""
    if value.left == loaded and value.right != loaded:
        if value.op == "sub":
            return "add", value.right, True
        return (value.op, value.right, False) if value.op in FOLDS else None
    if value.right == loaded and value.left != loaded and value.op in COMMUTATIVE:
        return value.op, value.left, False
    return None


def _is_quiet_between(load: Access, store: Access) -> bool:
    between = load.region.block.statements[load.site.position + 1 : store.site.position]
    return not any(statement_may_raise(s) for s in between)
