"""Rows that a thread keeps in registers from one dealt loop to the next.

Where every access of an array has the counter of a dealt loop as its last index, and nothing else that changes in the
loop, a thread only ever reaches the elements of the iterations that it was dealt. If each loop deals its iterations out
in the same way, what one of them reads or stores is still there for the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, written_views
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, bound_inside, defined_by, walk
from weft.schedule.frame import in_order
from weft.schedule.lowering.cooperate import is_dealt
from weft.schedule.nests import has_known_bounds
from weft.transform.vector.fma_reductions import fused

Row: TypeAlias = tuple[str, tuple[n.Atom, ...]]
"""An array by name, and all indices but the last."""


@dataclass(frozen=True)
class Uses:
    """What a loop does with rows that are kept, by identity of its statements.

    Attributes
    ----------
    fills
        Loads that go to memory, into registers.
    hits
        Loads of what is there already.
    stores
        Stores that go to registers.
    hidden
        Those of them of which memory need not know: a later loop stores there again, or the iteration made the array.
    """

    fills: dict[int, Row] = field(default_factory=dict)
    hits: dict[int, Row] = field(default_factory=dict)
    stores: dict[int, Row] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)

    @property
    def loads(self) -> dict[int, Row]:
        """All loads that registers serve."""
        return {**self.fills, **self.hits}


@dataclass(frozen=True)
class Kept:
    """What threads keep while a block runs.

    Attributes
    ----------
    base
        Where the loops begin at the earliest: there the first thread has its first iteration.
    loops
        These loops; all end with the same iteration.
    uses
        What they do, by label.
    rows
        The arrays, and the types of their elements.
    """

    base: n.Atom
    loops: tuple[n.For, ...]
    uses: dict[str, Uses]
    rows: dict[Row, n.Var]

    @property
    def size(self) -> int:
        """Bytes that a thread has for an iteration at most: what loops left for later ones, and what one reads."""
        rows = [(_rows(self.uses[loop.label]), set(self.uses[loop.label].fills.values())) for loop in self.loops]
        sizes = []
        for place, (_, fills) in enumerate(rows):
            before = {row for used, _ in rows[:place] for row in used}
            after = {row for loop in self.loops[place:] for row in self.uses[loop.label].hits.values()}
            sizes.append(sum(_element(self.rows[row]).size for row in (before & after) | fills))
        return max(*sizes, 1)

    @property
    def is_written(self) -> bool:
        """Whether the loops write elements, of rows that are kept or others."""
        return any(isinstance(s, n.Store) for loop in self.loops for s in walk(loop.body))

    @property
    def elements(self) -> tuple[Scalar, ...]:
        """The types of the elements of all rows."""
        return tuple(_element(view) for view in self.rows.values())


def prepared(block: n.Block) -> n.Block:
    """A block with the loops that are dealt out as threads run them."""
    return replace(block, statements=tuple(_in_thread(s) if is_dealt(s) else s for s in block.statements))


def _in_thread(statement: n.Statement) -> n.For:
    loop = fused(cast(n.For, statement))
    return replace(loop, body=in_order(loop.body))


def kept_rows(kernel: n.Kernel, flat: n.Block) -> Kept | None:
    """What the threads of a block can keep between the dealt loops of an iteration; None where that is nothing.

    Parameters
    ----------
    kernel
        The kernel as it was written.
    flat
        What an iteration of its bound loops does, `prepared`.
    """
    if any(isinstance(s, n.Let) and isinstance(s.value, VIEWS) for s in walk(flat)):
        return None  # one element may have several names
    loops = [cast(n.For, s) for s in flat.statements if is_dealt(s) and has_known_bounds(cast(n.For, s), kernel)]
    if not loops:
        return None
    ends = [loop for loop in loops if loop.stop == loops[0].stop]
    base = _base([loop.start for loop in ends])
    alike = [loop for loop in ends if loop.start == base or _is_above(loop.start, base)]
    found = _Finder(kernel, flat, alike)
    return Kept(base, tuple(alike), found.uses, found.rows) if found.rows else None


def _base(starts: Sequence[n.Atom]) -> n.Atom:
    constant = [start for start in starts if isinstance(start, n.Const)]
    if starts[0] in constant:
        return min(constant, key=lambda start: start.value.real)
    return starts[0]


def _is_above(start: n.Atom, base: n.Atom) -> bool:
    return isinstance(start, n.Const) and isinstance(base, n.Const) and start.value.real >= base.value.real


def _element(view: n.Var) -> Scalar:
    return cast(Scalar, cast(View, view.type).element)


class _Finder:
    def __init__(self, kernel: n.Kernel, flat: n.Block, loops: Sequence[n.For]) -> None:
        self.flat, self.loops = flat, loops
        self.shared, self.params = frozenset(kernel.overlaps), frozenset(kernel.params)
        self.own = {s.var.name for s in flat.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}
        self.written = {v.name for s in walk(flat) for v in written_views(s)}
        self.accesses = {id(s): row for loop in loops for s, row in _accesses_of(loop)}
        self.possible = self._possible()
        self.uses = {loop.label: Uses() for loop in loops}
        self._follow()
        self._hide()
        self.rows = self._worthwhile()
        self._forget()

    def _possible(self) -> dict[Row, n.Var]:
        """Rows of which no thread reaches what another one stores."""
        found: dict[Row, n.Var] = {}
        for statement in walk(self.flat):
            row = self.accesses.get(id(statement))
            if row is not None:
                found.setdefault(row, _view_of(statement))
        elsewhere = {name for s in walk(self.flat) if id(s) not in self.accesses for name in _reached(s)}
        several = {name for name, _ in found if sum(name == other for other, _ in found) > 1}
        again = {name for loop in self.loops for name in self._read_back(loop)}
        refused = self.shared | again | ((elsewhere | several) & (self.written | self.own))
        return {row: view for row, view in found.items() if row[0] not in refused and self._can_be_kept(view)}

    def _read_back(self, loop: n.For) -> Iterator[str]:
        """Arrays of which an iteration reads what it has stored itself."""
        stored: set[Row] = set()
        for statement in loop.body.statements:
            row = self.accesses.get(id(statement))
            if row is not None and isinstance(statement, n.Store):
                stored.add(row)
            elif row in stored:
                yield row[0]

    def _can_be_kept(self, view: n.Var) -> bool:
        type = view.type
        is_simple = isinstance(type, View) and isinstance(type.element, Scalar) and type.element.kind in "fiu"
        return is_simple and (view.name not in self.own or cast(View, type).ndim == 1)

    def _follow(self) -> None:
        """Note which loads find what an earlier loop left in registers."""
        valid: dict[Row, list[n.For]] = {}
        for loop in self.loops:
            uses, inside = self.uses[loop.label], set[Row]()
            for statement in loop.body.statements:
                row = self.accesses.get(id(statement))
                if row is None or row not in self.possible:
                    continue
                if isinstance(statement, n.Store):
                    uses.stores[id(statement)] = row
                elif row in inside or row[0] in self.own or any(_covers(before, loop) for before in valid.get(row, ())):
                    uses.hits[id(statement)] = row
                else:
                    uses.fills[id(statement)] = row
                inside.add(row)
            for row in inside:
                valid.setdefault(row, []).append(loop)

    def _hide(self) -> None:
        """Find the stores that memory need not see: all loops that reach the row run over all of it, and one stores
        again."""
        for row in self.possible:
            touching = [loop for loop in self.loops if row in _rows(self.uses[loop.label])]
            stores = [
                (k, s) for k, loop in enumerate(touching) for s, r in self.uses[loop.label].stores.items() if r == row
            ]
            is_alike = all((loop.start, loop.stop) == (touching[0].start, touching[0].stop) for loop in touching)
            for place, store in stores:
                if row[0] in self.own or (is_alike and stores[-1][0] > place):
                    self.uses[touching[place].label].hidden.add(store)

    def _worthwhile(self) -> dict[Row, n.Var]:
        """Rows that a later loop reads again; and what one loop reads, so that all of it is under way at a time, unless
        threads wait for one another in shared memory anyway, or all blocks read the same, which is in a cache."""
        is_shared = any((name, ()) not in self.possible for name in self.own)
        useful = {row for uses in self.uses.values() for row in uses.hits.values()}
        if not is_shared:
            read = {row for uses in self.uses.values() for row in uses.fills.values()}
            useful |= {row for row in read if any(isinstance(a, n.Var) and a not in self.params for a in row[1])}
        return {row: view for row, view in self.possible.items() if row in useful or row[0] in self.own}

    def _forget(self) -> None:
        """Leave out what is no use."""
        for uses in self.uses.values():
            for rows in (uses.fills, uses.hits, uses.stores):
                for key in [key for key, row in rows.items() if row not in self.rows]:
                    del rows[key]
            uses.hidden.intersection_update(uses.stores)


def _rows(uses: Uses) -> set[Row]:
    return {*uses.loads.values(), *uses.stores.values()}


def _covers(before: n.For, loop: n.For) -> bool:
    """Whether a loop ran all iterations that another one runs."""
    return before.stop == loop.stop and (before.start == loop.start or _is_above(loop.start, before.start))


def _accesses_of(loop: n.For) -> Iterator[tuple[n.Statement, Row]]:
    """The accesses of a body, outside of its branches and loops, whose last index is the loop's counter."""
    made = {loop.index.name, *(v.name for s in walk(loop.body) for v in (*defined_by(s), *bound_inside(s)))}
    made |= {arg.var.name for arg in loop.args}
    for statement in loop.body.statements:
        access = statement.value if isinstance(statement, n.Let) else statement
        if not isinstance(access, (n.Load, n.Store)) or access.bounds != "safe" or access.mask is not None:
            continue
        *outer, last = access.indices or (n.Const(0),)
        if last == loop.index and not any(isinstance(a, n.Var) and a.name in made for a in outer):
            yield statement, (access.view.name, tuple(outer))


def _view_of(statement: n.Statement) -> n.Var:
    access = statement.value if isinstance(statement, n.Let) else statement
    return cast("n.Load | n.Store", access).view


def _reached(statement: n.Statement) -> Iterator[str]:
    """Names of the arrays that a statement reaches, whichever way."""
    if isinstance(statement, n.Let) and isinstance(statement.value, (n.Dim, n.Alloc)):
        return
    for atom in atoms_of(statement):
        if isinstance(atom, n.Var) and isinstance(atom.type, View):
            yield atom.name
