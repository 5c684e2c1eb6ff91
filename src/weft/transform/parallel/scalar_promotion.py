"""Registers: an element that a loop updates in place is kept in a variable while the loop runs.

``c[i, j] += a[i, k] * b[k, j]`` in the loop over `k` becomes a carried value, loaded before the loop and stored after
it. Only where every access in the loop that may touch the array is to this one element, or to others, like ``x[i, 0]``
and ``x[i, 1]``, or ``x[j, j]`` and ``x[j, k]`` with a `k` below `j`; where it is certainly touched if the loop runs,
and where nothing in the loop can raise: memory is as it should be whenever anyone can look. Outer loops are tried
first. The order of the operations does not change.

An element that a branch reads and writes, as in ``if j != i: a[i] += f``, is loaded and stored whether or not it is: if
it is proven to be inside without the branch, and is that of an iteration of the loop around, as its index says. So no
iteration stores to what may be another's.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import TypeAlias

from weft.analysis.access.structure import Region
from weft.analysis.values.inside import Inside
from weft.analysis.values.linear import Form, moved_symbol
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import PYBOOL, Scalar, View
from weft.ir.visit import (
    Names,
    atoms_of,
    blocks_of,
    bound_inside,
    defined_by,
    free_variables,
    substitute,
    walk,
    with_blocks,
)
from weft.transform.support import for_each_body

Place: TypeAlias = "tuple[n.Var, tuple[n.Atom, ...]]"


def scalar_promotion(program: n.Program) -> n.Program:
    """Carry elements in variables."""
    names = Names.of(program)
    return for_each_body(program, lambda body, r: _Carrier(Inside.of(program, body, r), names).block(body))


def without_exceptions(loop: n.For, proofs: Inside, names: Names) -> n.For:
    """A loop with elements carried in variables by the loops inside, for who keeps what these raise from being seen."""
    body = _Carrier(proofs, names, raises=False).block(loop.body)
    return loop if body is loop.body else replace(loop, body=body)


def with_stored_elements(loop: n.For, proofs: Inside, names: Names) -> n.For:
    """A loop whose loops inside carry elements of an iteration's own that they may store, also if they read none.

    The old element is loaded and stored again: lanes store one under a mask in each step otherwise.
    """
    body = _Carrier(proofs, names, unread=True).block(loop.body)
    return loop if body is loop.body else replace(loop, body=body)


class _Carrier:
    def __init__(self, proofs: Inside, names: Names, raises: bool = True, unread: bool = False) -> None:
        self.proofs = proofs
        self.names = names
        self.raises = raises
        self.unread = unread

    def block(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        for statement in block.statements:
            before: tuple[n.Statement, ...] = ()
            after: tuple[n.Statement, ...] = ()
            if isinstance(statement, n.For):
                before, statement, after = self._loop(statement)
            inner = blocks_of(statement)
            new = tuple(self.block(b) for b in inner)
            if any(a is not b for a, b in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            statements.extend((*before, statement, *after))
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _loop(self, loop: n.For) -> tuple[tuple[n.Statement, ...], n.For, tuple[n.Statement, ...]]:
        before: tuple[n.Statement, ...] = ()
        after: tuple[n.Statement, ...] = ()
        stores = any(isinstance(s, (n.Store, n.Update)) for s in walk(loop.body))
        if not stores or (self.raises and block_may_raise(loop.body)):
            return before, loop, after
        for place, inner in _Body(loop, self.proofs).places(self.unread):
            opened, loop, closed = self._carry(loop, place, inner)
            before, after = (*before, *opened), (*closed, *after)
        return before, loop, after

    def _carry(
        self, loop: n.For, place: Place, inner: list[n.For]
    ) -> tuple[tuple[n.Statement, ...], n.For, tuple[n.Statement, ...]]:
        type = _element(place)
        stem = place[0].stem
        first, current, last = (self.names.fresh(stem, type) for _ in range(3))
        body, value = _Threader(place, self.names).block(loop.body, current)
        changed = replace(
            loop,
            args=(*loop.args, n.LoopArg(current, first)),
            results=(*loop.results, last),
            body=replace(body, yields=(*body.yields, value)),
        )
        load = n.Let(self.names.fresh(stem, type), n.Load(*place, "safe"), loop.location)
        store = n.Store(*place, last, "safe", location=loop.location)
        tests, runs = self._runs((loop, *inner))
        zero = n.Const(type.dtype.type(0).item(), type)
        if not _is_read(changed.body, current, {other.label for other in inner}):
            changed = replace(changed, args=(*loop.args, n.LoopArg(current, zero)))
            closed = n.If(runs, n.Block((store,)), n.Block(), (), loop.location)
            return tuple(tests), changed, (closed,)
        opened = n.If(runs, n.Block((load,), (load.var,)), n.Block((), (zero,)), (first,), loop.location)
        closed = n.If(runs, n.Block((store,)), n.Block(), (), loop.location)
        return (*tests, opened), changed, (closed,)

    def _runs(self, loops: tuple[n.For, ...]) -> tuple[list[n.Statement], n.Atom]:
        """Statements that compute whether nested loops run, and that value."""
        statements: list[n.Statement] = []
        runs: n.Atom = n.Const(True, PYBOOL)
        for loop in loops:
            test = n.Let(self.names.fresh("runs", PYBOOL), n.Compare("lt", loop.start, loop.stop), loop.location)
            statements.append(test)
            if isinstance(runs, n.Const):
                runs = test.var
                continue
            both = n.Let(self.names.fresh("runs", PYBOOL), n.Binary("and", runs, test.var, False), loop.location)
            statements.append(both)
            runs = both.var
        return statements, runs


class _Body:
    """What a loop touches."""

    def __init__(self, loop: n.For, proofs: Inside) -> None:
        self.loop = loop
        self.proofs = proofs
        ranges = proofs.ranges
        self.structure = ranges.structure
        self.forms = ranges.forms
        self.aliases = ranges.aliases
        self.inside = {v.name for v in bound_inside(loop)}
        self.opaque: list[n.Var] = []
        self.accesses: list[tuple[Place, bool, Region | None]] = []
        for statement in walk(loop.body):
            self.inside.update(v.name for v in (*defined_by(statement), *bound_inside(statement)))
        self._note_all(loop.body, loop)

    def _note_all(self, block: n.Block, loop: n.For | n.While) -> None:
        where = self.structure.loops.get(loop.label)
        for statement in block.statements:
            self._note(statement, None if where is None else where.body)
            around = statement if isinstance(statement, (n.For, n.While)) else loop
            for inner in blocks_of(statement):
                self._note_all(inner, around)

    def _note(self, statement: n.Statement, region: Region | None) -> None:
        access = statement.value if isinstance(statement, n.Let) else statement
        if isinstance(access, (n.Load, n.Store, n.Update)):
            plain = access.bounds == "safe" and getattr(access, "mask", None) is None
            plain = plain and getattr(access, "op", "") != "assign"  # other iterations may store to it at the same time
            self.accesses.append(((access.view, access.indices), plain, region))
        elif not isinstance(statement, (n.Let, n.For, n.If)):
            self.opaque.extend(a for a in atoms_of(statement) if isinstance(a, n.Var) and isinstance(a.type, View))

    def places(self, unread: bool = False) -> Iterator[tuple[Place, list[n.For]]]:
        """The elements that can be carried, and the loops inside that have to run for them to be touched.

        With `unread`, elements that a branch stores are carried even if the loop reads none.
        """
        stored = (s for s in walk(self.loop.body) if isinstance(s, (n.Store, n.Update)))
        for place in dict.fromkeys((s.view, s.indices) for s in stored):
            if self._is_fixed(place) and self._is_alone(place):
                loops = _loops_to(self.loop.body, place, self.inside)
                if loops is None and self._is_own(place) and (unread or self._is_updated(place)):
                    loops = _loops_to(self.loop.body, place, self.inside, in_branches=True)
                    loops = loops if loops is not None and self._is_inside(place, [self.loop, *loops][-1]) else None
                if loops is not None and not self._is_contested(place, loops):
                    yield place, loops

    def _is_own(self, place: Place) -> bool:
        """Whether an index of a place is the counter of the loop around this one, plus a constant."""
        where = self.structure.loops.get(self.loop.label)
        outer = where.region.loops[-1].node if where is not None and where.region.loops else None
        if not isinstance(outer, n.For):
            return False
        moved = (moved_symbol(self.forms.of(index)) for index in place[1])
        return any(found is not None and found[0] == outer.index.name for found in moved)

    def _is_updated(self, place: Place) -> bool:
        """Whether the loop reads an element, too."""
        found = [s for s in walk(self.loop.body) if _touches(s, place)]
        return not all(isinstance(s, n.Store) for s in found)

    def _is_inside(self, place: Place, loop: n.For) -> bool:
        """Whether a place is inside of its array whenever a loop has an iteration."""
        where = self.structure.loops.get(loop.label)
        return where is not None and self.proofs.holds(n.Load(*place, "safe"), where.body)

    def _is_contested(self, place: Place, loops: list[n.For]) -> bool:
        """Whether a claimed loop only writes the element: that is a race, which
        `weft.transform.parallel.runtime_dependence` is to find."""
        if not any(loop.claim == "prange" for loop in (self.loop, *loops)):
            return False
        found = [s for s in walk(self.loop.body) if _touches(s, place)]
        return all(isinstance(s, n.Store) for s in found)

    def _is_fixed(self, place: Place) -> bool:
        scalar = isinstance(place[0].type, View) and isinstance(place[0].type.element, Scalar)
        return scalar and not any(isinstance(a, n.Var) and a.name in self.inside for a in (place[0], *place[1]))

    def _is_alone(self, place: Place) -> bool:
        if any(self.aliases.may_alias(place[0], view) for view in self.opaque):
            return False
        return all(
            plain
            if other == place
            else not self.aliases.may_alias(place[0], other[0]) or self._are_apart(place, other, region)
            for other, plain, region in self.accesses
        )

    def _are_apart(self, place: Place, other: Place, region: Region | None) -> bool:
        """Whether two places of one view differ along some axis wherever a region runs, and that means two elements."""
        if place[0] != other[0] or not self.aliases.roots(place[0]).isdisjoint(self.aliases.overlapping):
            return False  # an array may overlap itself
        if any(found == other and not plain for found, plain, _ in self.accesses):
            return False  # an index may count from the end
        differences = [self.forms.of(a) - self.forms.of(b) for a, b in zip(place[1], other[1], strict=True)]
        return any(difference.value for difference in differences) or (
            region is not None and any(self._is_not_zero(difference, region) for difference in differences)
        )

    def _is_not_zero(self, form: Form, region: Region) -> bool:
        """Whether a form has a sign wherever a region runs."""
        definitions = self.structure.definitions
        if not form.names or not all(n in definitions and definitions[n].region.contains(region) for n in form.names):
            return False
        nonnegative = self.proofs.ranges.nonnegative
        return nonnegative(form - 1, region) or nonnegative(-form - 1, region)


def _loops_to(block: n.Block, place: Place, inside: set[str], in_branches: bool = False) -> list[n.For] | None:
    """Loops with fixed bounds around an access that is made whenever the block and they run; None: there is none.

    With `in_branches`, an access that is made where a branch says so counts, too.
    """
    if any(_touches(s, place) for s in block.statements):
        return []
    if in_branches and any(_touches_in_branch(s, place) for s in block.statements):
        return []
    for statement in block.statements:
        if isinstance(statement, n.For) and _has_fixed_bounds(statement, inside):
            inner = _loops_to(statement.body, place, inside, in_branches)
            if inner is not None:
                return [statement, *inner]
    return None


def _is_read(block: n.Block, value: n.Var, loops: Container[str]) -> bool:
    """Whether a block uses a value. An argument of a loop that is known to run uses its start only if it is used."""
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.label in loops:
            begun = [arg.var for arg in statement.args if arg.init == value]
            if any(_is_read(statement.body, var, loops) for var in begun):
                return True
            statement = replace(statement, args=tuple(arg for arg in statement.args if arg.init != value))
        if value in free_variables(n.Block((statement,))):
            return True
    return value in block.yields


def _has_fixed_bounds(loop: n.For, inside: set[str]) -> bool:
    return not any(isinstance(a, n.Var) and a.name in inside for a in (loop.start, loop.stop))


def _touches_in_branch(statement: n.Statement, place: Place) -> bool:
    if not isinstance(statement, n.If):
        return _touches(statement, place)
    return any(_touches_in_branch(s, place) for block in blocks_of(statement) for s in block.statements)


def _touches(statement: n.Statement, place: Place) -> bool:
    access = statement.value if isinstance(statement, n.Let) else statement
    return isinstance(access, (n.Load, n.Store, n.Update)) and (access.view, access.indices) == place


def _element(place: Place) -> Scalar:
    view = place[0].type
    assert isinstance(view, View) and isinstance(view.element, Scalar)
    return view.element


class _Threader:
    """Rewrites code so that an element is a value that goes from statement to statement."""

    def __init__(self, place: Place, names: Names) -> None:
        self.place = place
        self.names = names
        self.type = _element(place)
        self.values: dict[str, n.Atom] = {}

    def block(self, block: n.Block, current: n.Atom) -> tuple[n.Block, n.Atom]:
        """The block, and the element's value at its end."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.Let) and _touches(statement, self.place):
                self.values[statement.var.name] = current
            elif isinstance(statement, n.Store) and _touches(statement, self.place):
                current = substitute(statement.value, self.values)
            elif isinstance(statement, n.Update) and _touches(statement, self.place):
                value = substitute(statement, self.values).value
                assert statement.op != "assign"
                new = n.Let(self.names.fresh(self.place[0].stem, self.type), n.Binary(statement.op, current, value))
                statements.append(replace(new, location=statement.location))
                current = new.var
            elif blocks_of(statement) and any(_touches(s, self.place) for b in blocks_of(statement) for s in walk(b)):
                statement, current = self._nested(statement, current)
                statements.append(statement)
            else:
                statements.append(substitute(statement, self.values))
        return n.Block(tuple(statements), substitute(block.yields, self.values)), current

    def _nested(self, statement: n.Statement, current: n.Atom) -> tuple[n.Statement, n.Atom]:
        result = self.names.fresh(self.place[0].stem, self.type)
        if isinstance(statement, n.If):
            (then, a), (orelse, b) = self.block(statement.then, current), self.block(statement.orelse, current)
            condition = substitute((statement.condition,), self.values)[0]
            branch = replace(
                statement,
                condition=condition,
                then=replace(then, yields=(*then.yields, a)),
                orelse=replace(orelse, yields=(*orelse.yields, b)),
                results=(*statement.results, result),
            )
            return branch, result
        assert isinstance(statement, n.For)
        arg = n.LoopArg(self.names.fresh(self.place[0].stem, self.type), current)
        empty = substitute(replace(statement, body=n.Block()), self.values)
        body, value = self.block(statement.body, arg.var)
        body = replace(body, yields=(*body.yields, value))
        return replace(empty, args=(*empty.args, arg), body=body, results=(*empty.results, result)), result
