"""Where a branch inside a parallel nest chooses between arrays, its result is one new array, which each side fills.

``if x[0] > 0.5: x = x * 2.0`` binds a name to one of two arrays, and in a kernel no variable stands for different
arrays. So the branch gets an array of its own. A side that makes an array makes it there. A side that yields an
existing array copies it there, if the program cannot tell the copy from the array (`copies_of_arrays`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import Names, bound_in, rewrite, walk
from weft.plan.prepare.copies_of_arrays import replaced
from weft.plan.prepare.turns import changed_in_turn, for_each, is_known, nests_of, tidied
from weft.plan.scratch import Why
from weft.schedule.writing import Writing
from weft.transform.peel import Labels
from weft.transform.simplify.algebra import Definitions
from weft.transform.simplify.carried_extents import Extent, extent_of
from weft.transform.simplify.direct import direct_to
from weft.transform.support import table_of, with_loops


def with_choices(program: n.Program, why_host: Why) -> n.Program:
    """Give branches inside of parallel nests that choose between arrays an array of their own.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    why_host
        Gives the reason why a nest cannot be a kernel; None if it can.
    """
    nests = [s for s in nests_of(program.body) if any(True for _ in _branches(s.body)) and why_host(s) is not None]
    return changed_in_turn(program, nests, _changed)


def _branches(block: n.Block) -> Iterator[n.If]:
    """The branches of an iteration that choose arrays and are not inside a loop."""
    for statement in block.statements:
        if isinstance(statement, n.If):
            yield from _branches(statement.then)
            yield from _branches(statement.orelse)
            if any(isinstance(v.type, View) for v in statement.results):
                yield statement


def _changed(program: n.Program, label: str) -> n.Program | None:
    """The program in which one more branch of a nest has an array of its own; None if no branch is left that can."""
    nest = next((s for s in walk(program.body) if isinstance(s, n.For) and s.label == label), None)
    accesses = table_of(program)
    for branch in _branches(nest.body) if nest is not None else ():
        assert nest is not None
        choices = _choices_of(accesses, program, nest, branch)
        if choices is None:
            continue
        outer, inside = _written(program, branch, choices)
        body = rewrite(nest.body, lambda s, at=branch, new=inside: new if s is at else s)  # type: ignore[misc]
        new = (*outer, replace(nest, body=body))
        changed = replace(program, body=with_loops(program.body, lambda s, new=new: new if s is nest else None))  # type: ignore[misc]
        arrays = {s.var.name for s in inside if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}
        return tidied(direct_to(changed, arrays | {param.var.name for param in program.params}))
    return None


@dataclass(frozen=True)
class _Choice:
    """An array that a branch chooses: its place among the results, its extents, and what makes it on each side."""

    place: int
    shape: tuple[Extent, ...]
    made: tuple[n.Let | None, n.Let | None]


def _choices_of(accesses: AccessTable, program: n.Program, nest: n.For, branch: n.If) -> tuple[_Choice, ...] | None:
    """The arrays that a branch chooses; None if one of them cannot be a copy."""
    definitions: Definitions = {s.var.name: s.value for s in walk(program.body) if isinstance(s, n.Let)}
    inside = {var.name for var in bound_in(n.Block((nest,)))}
    places = [k for k, result in enumerate(branch.results) if isinstance(result.type, View)]
    own = {branch.results[k].name for k in places}
    found = []
    for place in places:
        sides = [_side(side, place, definitions) for side in (branch.then, branch.orelse)]
        if None in sides or sides[0][:2] != sides[1][:2]:  # type: ignore[index]
            return None
        for side, (_, _, let) in zip((branch.then, branch.orelse), sides, strict=True):  # type: ignore[misc]
            array, beside = side.yields[place], [side.yields[k] for k in places if k != place]
            assert isinstance(array, n.Var)
            is_own = let is not None and array not in beside
            if not is_own and replaced(accesses, nest, branch, array, own, beside) is None:
                return None
        _, shape, _ = sides[0]  # type: ignore[misc]
        if not all(is_known(extent, inside) for extent in shape):
            return None
        found.append(_Choice(place, shape, tuple(let for _, _, let in sides)))  # type: ignore[misc, arg-type]
    return tuple(found)


def _side(
    side: n.Block, place: int, definitions: Definitions
) -> tuple[Scalar, tuple[Extent, ...], n.Let | None] | None:
    """The element type and extents of the array that a side yields, and its definition if the side makes it."""
    array = side.yields[place]
    if not isinstance(array, n.Var) or isinstance(definitions.get(array.name), n.Undefined):
        return None
    assert isinstance(array.type, View)
    if not isinstance(array.type.element, Scalar):
        return None
    shape = tuple(extent_of(k, array, definitions) for k in range(array.type.ndim))
    lets = (s for s in side.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc))
    return array.type.element, shape, next((let for let in lets if let.var == array), None)


def _written(
    program: n.Program, branch: n.If, choices: tuple[_Choice, ...]
) -> tuple[tuple[n.Statement, ...], tuple[n.Statement, ...]]:
    """What stands before the nest, and what replaces the branch."""
    place = branch.location
    outer, labels = Writing(Names.of(program), place), Labels(program)
    write = Writing(outer.names, place)
    sides, after = [list(branch.then.statements), list(branch.orelse.statements)], list[n.Statement]()
    for choice in choices:
        result = branch.results[choice.place]
        assert isinstance(result.type, View)
        element = result.type.element
        shape = tuple(outer.let(e, PYINT, "extent") if isinstance(e, n.Dim) else e for e in choice.shape)
        chosen = write.let(n.Alloc(shape, element), View(element, len(shape), contiguous=True), "chosen")
        whole = n.Subview(chosen, tuple(n.Slice(n.Const(0), extent, n.Const(1)) for extent in shape), "safe")
        after.append(n.Let(result, whole, place))
        for side, block, made in zip(sides, (branch.then, branch.orelse), choice.made, strict=True):
            statements: list[n.Statement] = [] if made is None else [n.Let(made.var, whole, made.location)]
            source = block.yields[choice.place] if made is None else _fill(made)
            if source is not None:
                statements += _filled(outer, labels, chosen, shape, source)
            k = len(side) if made is None else next(k for k, s in enumerate(side) if s is made)
            side[k : k + (made is not None)] = statements
    kept = [k for k, result in enumerate(branch.results) if not isinstance(result.type, View)]
    then, orelse = (
        n.Block(tuple(side), tuple(block.yields[k] for k in kept))
        for side, block in zip(sides, (branch.then, branch.orelse), strict=True)
    )
    changed = replace(branch, then=then, orelse=orelse, results=tuple(branch.results[k] for k in kept))
    return tuple(outer.statements), (*write.statements, changed, *after)


def _fill(made: n.Let) -> n.Atom | None:
    assert isinstance(made.value, n.Alloc)
    return made.value.fill


def _filled(
    write: Writing, labels: Labels, array: n.Var, shape: tuple[n.Atom, ...], source: n.Atom
) -> tuple[n.Statement, ...]:
    """Loops that fill an array with the elements of another one, or with one value."""
    indices = tuple(write.fresh("at") for _ in shape)
    statements: list[n.Statement] = []
    if isinstance(source, n.Var) and isinstance(source.type, View):
        value = write.names.fresh("t", source.type.element)
        statements.append(n.Let(value, n.Load(source, indices, "safe"), write.location))
        source = value
    store = n.Store(array, indices, source, "safe", location=write.location)
    return for_each(labels, "chosen", indices, shape, (*statements, store), write.location)
