"""Relay: an element that the next iteration reads again goes there in a variable.

``x[i] = a[i] * x[i - 1] + b[i]`` becomes a recurrence of a carried value, which starts with the element before the
first one; what is computed and stored stays the same. This is done for innermost loops that are scans through memory,
if each iteration loads what the one before it stored, the load is unconditional and proven to be in bounds, and nothing
else in the loop writes the array. Loops in parallel loops stay unchanged until it is known that a device runs them: in
one thread, or in a block if they are scans along rows.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.structure import Loop, Path
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.dependence.wavefronts import LONG
from weft.analysis.recurrences.recurrences import MemoryScan
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import PYBOOL, PYINT, Scalar
from weft.ir.visit import bound_inside, defined_by, substitute, walk
from weft.transform.emit import repeated, slice_of
from weft.transform.peel import Copies
from weft.transform.support import judged, replace_at

MOST_REPEATED = 8


def forward_carried_loads(program: n.Program, in_threads: bool = False) -> n.Program:
    """Carry elements from iteration to iteration; `in_threads`, in loops inside of parallel ones."""
    if not any(isinstance(s, n.For) for s in walk(program.body)):
        return program
    verdicts = judged(program)
    copies = Copies(program)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for loop in verdicts.table.structure.loops.values():
        if _is_suited(verdicts, loop, in_threads):
            changed = _changed(verdicts, loop, copies)
            if changed is not None:
                changes[loop.path] = changed
    return replace(program, body=replace_at(program.body, changes)) if changes else program


def _is_suited(verdicts: Verdicts, loop: Loop, in_threads: bool) -> bool:
    fact = verdicts.loops[loop.label]
    if not isinstance(loop.node, n.For) or fact.verdict != "scan" or not fact.scans or loop.node.index.type != PYINT:
        return False
    around = [verdicts.loops[outer.label].verdict for outer in loop.around]
    inner = any(isinstance(s, (n.For, n.While)) for s in walk(loop.node.body))
    if any(outer.label.endswith(LONG) for outer in loop.around):
        return False
    is_inside = any(v in ("parallel", "reduction", "checked") for v in around)
    return not inner and is_inside == in_threads


def _changed(verdicts: Verdicts, loop: Loop, copies: Copies) -> tuple[n.Statement, ...] | None:
    """What stands for a loop; None where an element cannot go from iteration to iteration."""
    node = loop.node
    assert isinstance(node, n.For)
    before: list[n.Statement] = []
    for scan in verdicts.loops[loop.label].scans:
        relayed = _relayed(verdicts, loop, scan, node, copies) if _is_next(verdicts, loop, scan) else None
        if relayed is None:
            return None
        opening, node = relayed
        before.extend(opening)
    return (*before, node)


def _is_next(verdicts: Verdicts, loop: Loop, scan: MemoryScan) -> bool:
    """Whether the element that one iteration stores is read by the next, in all of its iterations."""
    table, inside = verdicts.table, loop.body
    load, store = scan.load.site.statement, scan.store.site.statement
    if scan.distance.value != 1 or scan.load.region is not inside or scan.store.region is not inside:
        return False
    if not isinstance(load, n.Let) or not isinstance(load.value, n.Load) or not isinstance(store, n.Store):
        return False
    fixed = not table.structure.is_inside(load.value.view.name, loop)
    writers = [a for a in table.of_same_storage(scan.store) if a.writes and inside.contains(a.region)]
    plain = load.value.bounds == store.bounds == "safe" and load.value.mask is store.mask is None
    return fixed and plain and writers == [scan.store] and isinstance(load.var.type, Scalar)


def _relayed(
    verdicts: Verdicts, loop: Loop, scan: MemoryScan, node: n.For, copies: Copies
) -> tuple[list[n.Statement], n.For] | None:
    """The loop with the element as a carried value, and the statements that load the first one."""
    load, store = scan.load.site.statement, scan.store.site.statement
    assert isinstance(load, n.Let) and isinstance(load.value, n.Load) and isinstance(store, n.Store)
    type = load.var.type
    assert isinstance(type, Scalar)
    known = _stored_before(verdicts, loop, load.value)
    opened: tuple[list[n.Statement], n.Atom] | None = ([], known) if known is not None else None
    opened = opened or first_element(node, load, copies)
    if opened is None:
        return None
    first, current, last = opened[1], copies.names.fresh(load.value.view.stem, type), copies.names.fresh("last", type)
    same = [
        a.value.name
        for a in verdicts.table.within(loop.body)
        if a.kind == "load" and a.region is loop.body and a.view == scan.load.view and a.indices == scan.load.indices
        and isinstance(a.value, n.Var)
    ]  # fmt: skip
    kept = tuple(s for s in node.body.statements if not (isinstance(s, n.Let) and s.var.name in same))
    body = substitute(n.Block(kept, (*node.body.yields, store.value)), dict.fromkeys(same, current))
    args = (*node.args, n.LoopArg(current, first))
    return opened[0], replace(node, body=body, args=args, results=(*node.results, last))


def _stored_before(verdicts: Verdicts, loop: Loop, load: n.Load) -> n.Atom | None:
    """The value that is stored before the loop in the element that the first iteration loads; None if unknown."""
    table, node = verdicts.table, loop.node
    assert isinstance(node, n.For)
    start = {node.index.name: table.forms.of(node.start)}
    first = [table.forms.of(index).substitute(start) for index in load.indices]

    def may_be_it(view: n.Var) -> bool:
        return table.aliases.may_alias(view, load.view)

    for statement in reversed(loop.region.block.statements[: loop.position]):
        if isinstance(statement, n.Store) and statement.view == load.view and statement.mask is None:
            same = statement.bounds == "safe" and first == [table.forms.of(index) for index in statement.indices]
            return statement.value if same else None
        inside = list(walk(n.Block((statement,))))
        if any(isinstance(s, n.Call) or any(map(may_be_it, written_views(s))) for s in inside):
            return None
    return None


def first_element(node: n.For, load: n.Let, copies: Copies) -> tuple[list[n.Statement], n.Var] | None:
    """Statements that load the element of the first iteration, if there is one, and its variable."""
    value = load.value
    assert isinstance(value, n.Load)
    inside = {v.name for s in walk(node.body) for v in (*defined_by(s), *bound_inside(s))} | {node.index.name}
    needed: dict[str, n.Let] = {}
    for atom in value.indices:
        found = slice_of(node.body, atom, inside - {node.index.name})
        if found is None or any(isinstance(let.value, n.Load) for let in found):
            return None
        needed.update((let.var.name, let) for let in found)
    if len(needed) > MOST_REPEATED:
        return None
    assert isinstance(load.var.type, Scalar)
    order = [s for s in node.body.statements if isinstance(s, n.Let) and s.var.name in needed]
    statements, renaming = repeated(order, {node.index.name: node.start}, copies.names)
    loaded = copies.let(substitute(value, renaming), load.var.type, load.location, value.view.stem)
    zero = n.Const(load.var.type.dtype.type(0).item(), load.var.type)
    runs = copies.let(n.Compare("lt", node.start, node.stop), PYBOOL, load.location, "runs")
    first = copies.names.fresh(value.view.stem, load.var.type)
    then = n.Block((*statements, loaded), (loaded.var,))
    return [runs, n.If(runs.var, then, n.Block((), (zero,)), (first,), load.location)], first
