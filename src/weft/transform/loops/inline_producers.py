"""Inline producers: an array that one nest fills and another one reads goes; the second nest computes the elements.

``d = a - b`` and then ``d.sum()`` read `a` and `b` once, and store nothing. Like `fusion`, but the nests need not have
the same loops: sums go block by block, and row by row.

Only for arrays made here, all of whose elements the first nest fills, and that are read at one place, once for each
element at most, so that nothing is computed twice; and where nobody writes, in between or in the second nest, what the
first one reads. Or where no more than a few elements are read, at constant places: ``d = x[i] - x[j]`` and then
``d[0] * d[0] + d[1] * d[1]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.structure import YIELD, Loop, Path, Region, Structure, Use
from weft.ir import nodes as n
from weft.ir.pins import pin_of
from weft.ir.types import View
from weft.ir.visit import Names, renamed_with, rewrite, substitute, walk
from weft.transform.loops.fusion import has_value
from weft.transform.parallel.parallelise import is_parallel
from weft.transform.perfect_nest import Nest, perfect_nest
from weft.transform.support import is_sure_to_be_made, judged, replace_at, table_of

ZERO = n.Const(0)
MOST_ROUNDS = 8
MOST_STATEMENTS = 80
"""What a nest may have after it took in another."""
MOST_ELEMENTS = 8
"""How many elements may be read at constant places, each of which is then computed for itself."""


def inline_producers(program: n.Program) -> n.Program:
    """Compute elements where they are read."""
    for _ in range(MOST_ROUNDS):
        if not any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(program.body)):
            return program
        changed = _Inliner(program).changed()
        if changed is program:
            return program
        program = changed
    return program


class _Inliner:
    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.table: AccessTable = table_of(program)
        self.facts = judged(program).loops
        self.structure: Structure = self.table.structure
        self.names = Names.of(program)
        self.changes: dict[tuple[int, ...], tuple[n.Statement, ...]] = {}

    def changed(self) -> n.Program:
        """The program with nests taken into others, each of them into one and at most one into each."""
        for region in self.structure.regions():
            for position, statement in enumerate(region.block.statements):
                nest = perfect_nest(statement)
                if nest is not None and nest.store.indices == nest.indices:
                    self._take_in(region, position, nest)
        if not self.changes:
            return self.program
        return replace(self.program, body=replace_at(self.program.body, self.changes))

    def _take_in(self, region: Region, position: int, nest: Nest) -> None:
        """Note that a nest goes into the one that reads its array, where that is right."""
        array, here = nest.store.view, (*region.path, position)
        uses = [use for use in self.structure.uses[array.name] if use.statement is not nest.store]
        if self._take_apart(region, position, nest, uses):
            return
        place = self._consumer(region, position, uses)
        if place is None or not is_sure_to_be_made(self.table.ranges, array.name) or not self._is_filled(nest, region):
            return
        there, made = (*region.path, place), self._making(array)
        pins = {pin_of(self.program.pins, region.block.statements[k].location) for k in (position, place)}
        if len(pins) > 1 or {here, there, made} & self.changes.keys():
            return
        if not self._is_right(region, (position, place), nest, uses):
            return
        consumer = region.block.statements[place]
        self.changes |= {here: (), made: (), there: self._with_elements(consumer, nest)}

    def _take_apart(self, region: Region, position: int, nest: Nest, uses: list[Use]) -> bool:
        """Note that the few elements that are read are computed where they are; whether that is so."""
        loads = [use.statement for use in uses if _has_constant_place(use) and _is_around(region, use.region)]
        if not loads or len(loads) < len(uses) or len(loads) > MOST_ELEMENTS or not _computes_elements(nest):
            return False
        if not is_sure_to_be_made(self.table.ranges, nest.store.view.name) or not self._is_filled(nest, region):
            return False
        if len({pin_of(self.program.pins, s.location) for s in (nest.loops[0], *loads) if s is not None}) > 1:
            return False
        places = [(*use.region.path, use.position)[len(region.path)] for use in uses]
        if min(places) <= position or self._is_written(nest, region.block.statements[position + 1 : max(places) + 1]):
            return False
        changes: dict[Path, tuple[n.Statement, ...]] = {(*region.path, position): (), self._making(nest.store.view): ()}
        changes.update({(*use.region.path, use.position): self._named(use.statement, nest) for use in uses})
        if any(_is_in(a, b) or _is_in(b, a) for a in changes for b in self.changes):
            return False
        self.changes |= changes
        return True

    def _named(self, load: n.Statement | None, nest: Nest) -> tuple[n.Statement, ...]:
        """What computes the element that a statement loads, and gives it the name of what was loaded."""
        assert isinstance(load, n.Let) and isinstance(load.value, n.Load)
        made = self._element(load.value.indices, nest)
        assert isinstance(made.yields[0], n.Var)
        return substitute(made.statements, {made.yields[0].name: load.var})

    def _is_filled(self, nest: Nest, region: Region) -> bool:
        """Whether a nest stores to every element of its array: what it leaves out may be read, too."""
        made = self.structure.definition(nest.store.view).value
        assert isinstance(made, n.Alloc)
        spans = zip(nest.loops, made.shape, strict=True)
        return all(
            has_value(self.table, loop.start, ZERO, region) and has_value(self.table, loop.stop, extent, region)
            for loop, extent in spans
        )

    def _making(self, array: n.Var) -> tuple[int, ...]:
        definition = self.structure.definition(array)
        return (*definition.region.path, definition.position)

    @staticmethod
    def _consumer(region: Region, position: int, uses: list[Use]) -> int | None:
        """The position of the one loop in a block, later than a nest, that has all the uses of its array."""
        depth = len(region.path)
        if not uses or not all(region.contains(use.region) and use.region is not region for use in uses):
            return None
        places = {use.region.path[depth] for use in uses}
        place = min(places)
        is_one = len(places) == 1 and place > position
        return place if is_one and isinstance(region.block.statements[place], n.For) else None

    def _is_right(self, region: Region, between: tuple[int, int], nest: Nest, uses: list[Use]) -> bool:
        first, last = between
        later = region.block.statements[first + 1 : last + 1]
        if sum(1 for _ in walk(n.Block(later[-1:]))) + len(nest.statements) > MOST_STATEMENTS:
            return False
        return self._is_read_once(region, uses) and not self._is_written(nest, later)

    def _is_read_once(self, region: Region, uses: list[Use]) -> bool:
        """Whether an array is read in one block at the same indices, no element in two iterations."""
        loads = {_load(use) for use in uses}
        load = loads.pop()
        if loads or load is None or len({use.region.path for use in uses}) != 1:
            return False
        return self._are_once(load.indices, uses[0].region.loops[len(region.loops) :])

    def _are_once(self, indices: tuple[n.Atom, ...], loops: tuple[Loop, ...]) -> bool:
        """Whether each of the loops around a load is parallel, and counts through the elements or through parts."""
        counters = {a.name for a in indices if isinstance(a, n.Var)}
        for loop in reversed(loops):
            fact = self.facts.get(loop.label)
            if not isinstance(loop.node, n.For) or loop.node.index.name not in counters:
                return False
            if fact is None or not is_parallel(fact):
                return False
            for bound in (loop.node.start, loop.node.stop):
                counters |= self.table.forms.of(bound).names
        return True

    def _is_written(self, nest: Nest, later: tuple[n.Statement, ...]) -> bool:
        """Whether what a nest reads may be written by statements, or whether they do what nobody knows."""
        aliases = self.table.aliases
        read = {r for s in nest.statements for v in _read(s) for r in aliases.roots(v)}
        for statement in walk(n.Block(later)):
            if isinstance(statement, (n.Call, n.External, n.Raise)):
                return True
            if isinstance(statement, (n.Store, n.Update)) and not aliases.roots(statement.view).isdisjoint(read):
                return True
        return False

    def _with_elements(self, consumer: n.Statement, nest: Nest) -> tuple[n.Statement, ...]:
        """The consumer with the element computed where it was loaded."""
        array = nest.store.view.name
        values: dict[str, n.Atom] = {}

        def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
            if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Load):
                return statement
            if statement.value.view.name != array:
                return statement
            made = self._element(statement.value.indices, nest)
            values[statement.var.name] = made.yields[0]
            return made.statements

        changed = rewrite(n.Block((consumer,)), change)
        return substitute(changed, values).statements

    def _element(self, indices: tuple[n.Atom, ...], nest: Nest) -> n.Block:
        """What computes an element, and yields it."""
        given = {loop.index.name: index for loop, index in zip(nest.loops, indices, strict=True)}
        return renamed_with(n.Block(nest.statements, (nest.store.value,)), self.names, given)


def _has_constant_place(use: Use) -> bool:
    load = _load(use)
    return load is not None and all(isinstance(index, n.Const) for index in load.indices)


def _computes_elements(nest: Nest) -> bool:
    """Whether what a nest stores is computed in it, and is stored as it is."""
    value, view = nest.store.value, nest.store.view.type
    made = {s.var for s in nest.statements if isinstance(s, n.Let)}
    return value in made and isinstance(view, View) and view.element == value.type


def _is_around(outer: Region, inner: Region) -> bool:
    """Whether a block is another one or around it, with no loop between."""
    return outer.contains(inner) and len(outer.loops) == len(inner.loops)


def _is_in(path: Path, other: Path) -> bool:
    """Whether a statement is another one, or inside of it."""
    return path[: len(other)] == other


def _load(use: Use) -> n.Load | None:
    if use.position == YIELD or not isinstance(use.statement, n.Let) or not isinstance(use.statement.value, n.Load):
        return None
    load = use.statement.value
    return load if load.bounds == "safe" and load.mask is None else None


def _read(statement: n.Statement) -> Iterator[n.Var]:
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        yield statement.value.view
