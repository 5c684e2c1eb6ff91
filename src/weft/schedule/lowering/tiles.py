"""The parts of a loop over tiles that take turns, and what of a tile can go through shared memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, written_views
from weft.ir.types import INT16, PYINT, Scalar, View
from weft.ir.visit import atoms_of, blocks_of, defined_by, free_variables, walk
from weft.schedule.lowering.lanes import WIDEST
from weft.schedule.nests import Reduction, reduction_in

ROW = 32
"""Threads of a row: those of a warp, where there are warps."""

HELD = 128
"""Bytes that a thread holds in registers at most."""

MOST_NUMBERED = 1 << 15
"""Iterations of a tile that have numbers of 16 bits."""

LONGEST = 4
"""Neighbours that are accessed at once at most."""


@dataclass(frozen=True)
class Tile:
    """What an iteration of a loop over tiles does.

    Attributes
    ----------
    head
        Definitions that the loops use.
    sums
        The loop that sums the tile up.
    joined
        What computes the values that the loop over tiles hands on, from those before and the sums.
    leave
        What else is done with these.
    each
        The loop that runs the tile.
    size
        The iterations of every tile but the last.
    """

    head: tuple[n.Let, ...]
    sums: n.For
    joined: tuple[n.Statement, ...]
    leave: tuple[n.Statement, ...]
    each: n.For
    size: int


def tile_of(loop: n.For) -> Tile | None:
    """The parts of an iteration of a loop over tiles; None where it is none that `weft.transform.scan.blockwise`
    writes."""
    statements = loop.body.statements
    loops = [k for k, s in enumerate(statements) if isinstance(s, n.For)]
    if loop.mapping != "turns" or len(loops) != 2 or loops[1] != len(statements) - 1:
        return None
    sums, each = (statements[k] for k in loops)
    head = statements[: loops[0]]
    assert isinstance(sums, n.For) and isinstance(each, n.For)
    if not all(isinstance(s, n.Let) for s in head) or len(sums.results) != len(loop.args):
        return None
    between = statements[loops[0] + 1 : loops[1]]
    wanted = {y.name for y in loop.body.yields if isinstance(y, n.Var)}
    joined: list[n.Statement] = []
    for statement in reversed(between):
        if any(v.name in wanted for v in defined_by(statement)):
            joined.append(statement)
            wanted |= {v.name for v in free_variables(n.Block((statement,)))}
    leave = tuple(s for s in between if not any(s is other for other in joined))
    lets = tuple(s for s in head if isinstance(s, n.Let))
    size = _size(lets, sums)
    return Tile(lets, sums, tuple(reversed(joined)), leave, each, size) if size else None


def tiles_with(flat: n.Block, label: str) -> Reduction | None:
    """The parts of what an iteration does around the loop over tiles whose tiles a loop with a label runs."""
    for statement in flat.statements:
        inner = statement.body.statements if isinstance(statement, n.For) else ()
        if isinstance(statement, n.For) and label in {s.label for s in inner if isinstance(s, n.For)}:
            return reduction_in(flat, statement.label)
    return None


def _size(lets: Sequence[n.Let], sums: n.For) -> int:
    """The iterations of a tile, from where it ends: before the end of the loop, and so many after its first."""
    known = {let.var: let.value for let in lets}
    last = known.get(sums.stop) if isinstance(sums.stop, n.Var) else None
    end = known.get(last.left) if isinstance(last, n.Binary) and isinstance(last.left, n.Var) else None
    is_end = isinstance(end, n.Binary) and end.left == sums.start and isinstance(end.right, n.Const)
    return int(end.right.value.real) if is_end else 0  # type: ignore[union-attr]


Access = tuple[n.Var, tuple[n.Atom, ...]]
"""An array, and all indices but the last, which is the loop's counter."""


@dataclass(frozen=True)
class Packed:
    """A store at the place of a counter.

    Attributes
    ----------
    store
        The statement of the loop that runs the tile.
    counter
        Which of the values that tiles carry the counter is.
    array
        Where elements are packed in shared memory, or their numbers in the tile.
    source
        The array with the elements, where numbers are packed.
    """

    store: n.Store
    counter: int
    array: int
    source: int | None


@dataclass
class Staged:
    """What of a tile goes through arrays in shared memory, each with an element for every iteration.

    Attributes
    ----------
    arrays
        The type of the elements and a name for each array.
    loads
        Arrays by what is loaded to them.
    stores
        Statements of the loop that runs the tile, and the arrays that they store to.
    packed
        What is stored at the place of a counter.
    held
        What is loaded to registers instead, in the order of their arrays, with the type of its elements.
    """

    arrays: list[tuple[Scalar, str]] = field(default_factory=list)
    loads: dict[Access, int] = field(default_factory=dict)
    stores: list[tuple[n.Store, int]] = field(default_factory=list)
    packed: list[Packed] = field(default_factory=list)
    held: dict[Access, Scalar] = field(default_factory=dict)


def staged_in(tile: Tile, loop: n.For, kernel: n.Kernel, most: int, each: int = 0) -> Staged:
    """What of a tile goes through shared memory, of which there are so many bytes at most.

    Where threads hold what they load in registers, `each` is how many iterations a thread runs.
    """
    return _Finder(tile, loop, kernel, most, each).staged


class _Finder:
    def __init__(self, tile: Tile, loop: n.For, kernel: n.Kernel, most: int, each: int) -> None:
        self.tile, self.loop, self.most, self.each = tile, loop, most, each
        self.params = {v.name for v in kernel.params} - set(kernel.overlaps)
        self.staged = Staged()
        self.inside = {v.name for part in (tile.sums, tile.each) for v in _defined(part)}
        self.accesses = [s for part in (tile.sums, tile.each) for s in walk(part.body)]
        views = [v.value.view for v in walk(kernel.body) if isinstance(v, n.Let) and isinstance(v.value, VIEWS)]
        self.params -= {v.name for v in views}
        stores = [s for s in tile.each.body.statements if isinstance(s, n.Store) and self._is_beside(s, tile.each)]
        stores = [s for s in stores if self._is_only_store(s)]
        self._find_loads(stores)
        self._find_stores(stores)
        self._find_packed()

    def _room(self, view: n.Var, element: Scalar | None = None) -> int | None:
        """A new array for elements of a view, or for others instead; None where there is no room."""
        assert isinstance(view.type, View) and isinstance(view.type.element, Scalar)
        element = element or view.type.element
        used = sum(e.size for e, _ in self.staged.arrays) + element.size
        if used * self.tile.size > self.most:
            return None
        self.staged.arrays.append((element, f"{view.stem}_tile"))
        return len(self.staged.arrays) - 1

    def _is_beside(self, access: n.Load | n.Store, part: n.For) -> bool:
        """Whether neighbouring iterations access neighbours, in all iterations, of an array that nothing overlaps."""
        view, indices = access.view, access.indices
        if access.bounds != "safe" or access.mask is not None or not indices or indices[-1] != part.index:
            return False
        if view.name not in self.params or not isinstance(view.type, View) or not isinstance(view.type.element, Scalar):
            return False
        return not any(isinstance(a, n.Var) and a.name in self.inside for a in indices[:-1])

    def _is_only_store(self, store: n.Store) -> bool:
        return sum(store.view in written_views(s) for s in self.accesses) == 1

    def _find_loads(self, stores: Sequence[n.Store]) -> None:
        for part in (self.tile.sums, self.tile.each):
            for statement in part.body.statements:
                load = statement.value if isinstance(statement, n.Let) else None
                if not isinstance(load, n.Load) or not self._is_beside(load, part):
                    continue
                access = load.view, load.indices[:-1]
                if access in self.staged.loads or not self._is_old(load, stores):
                    continue
                if self.each:
                    self._hold(access)
                    continue
                array = self._room(load.view)
                if array is not None:
                    self.staged.loads[access] = array

    def _hold(self, access: Access) -> None:
        """Keep in registers what a thread loads of an array, where there is room."""
        type = access[0].type
        assert isinstance(type, View) and isinstance(type.element, Scalar)
        others = {a: t for a, t in self.staged.held.items() if a != access}
        if (sum(t.size for t in others.values()) + type.element.size) * self.each <= HELD:
            self.staged.held[access] = type.element

    def _is_old(self, load: n.Load, stores: Sequence[n.Store]) -> bool:
        """Whether nothing that the tile writes comes to a load: writes are of the same element, and come later."""
        writes = [s for s in self.accesses if load.view in written_views(s)]
        if not writes:
            return True
        same = [s for s in stores if s.view == load.view and s.indices[:-1] == load.indices[:-1]]
        return len(writes) == len(same) == 1 and self._last_load(load.view) < _position(self.tile.each, same[0])

    def _last_load(self, view: n.Var) -> int:
        """The place of the last statement that reads an array, in the loop that runs a tile."""
        places = (
            k
            for k, statement in enumerate(self.tile.each.body.statements)
            for s in walk(n.Block((statement,)))
            if isinstance(s, n.Let) and view in atoms_of(s)
        )
        return max(places, default=-1)

    def _find_stores(self, stores: Sequence[n.Store]) -> None:
        taken: set[int] = set()
        for store in stores:
            if self._is_read_at_once(store.view):
                continue
            array = self._free(store, taken)
            if array is None and not any(store.view == view for view, _ in (*self.staged.loads, *self.staged.held)):
                array = self._room(store.view)
            if array is not None:
                taken.add(array)
                self.staged.stores.append((store, array))

    def _is_read_at_once(self, view: n.Var) -> bool:
        """Whether anything but the way through shared memory reads an array."""
        lets = (s.value for s in self.accesses if isinstance(s, n.Let) and view in atoms_of(s))
        known = {**self.staged.loads, **self.staged.held}
        return not all(isinstance(v, n.Load) and (v.view, v.indices[:-1]) in known for v in lets)

    def _free(self, store: n.Store, taken: set[int]) -> int | None:
        """An array of loads, which come first in an iteration."""
        assert isinstance(store.view.type, View)
        for (view, _), array in self.staged.loads.items():
            is_same = self.staged.arrays[array][0] == store.view.type.element
            if is_same and array not in taken and not self._is_read_at_once(view):
                return array
        return None

    # ---------------------------------------------------------------------------------------------- packing

    def _find_packed(self) -> None:
        for branch in self.tile.each.body.statements:
            for side in blocks_of(branch) if isinstance(branch, n.If) else ():
                assert isinstance(branch, n.If)
                for store in [s for s in side.statements if isinstance(s, n.Store)]:
                    place = self._counter(store, branch, side)
                    source = self._source(store)
                    array = self._room(store.view, None if source is None else INT16) if place is not None else None
                    if place is not None and array is not None:
                        self.staged.packed.append(Packed(store, place, array, source))

    def _source(self, store: n.Store) -> int | None:
        """The array that has what is stored, and keeps it; None where its number would not be shorter."""
        each = self.tile.each
        lets = {s.var: s.value for s in each.body.statements if isinstance(s, n.Let)}
        load = lets.get(store.value) if isinstance(store.value, n.Var) else None
        if not isinstance(load, n.Load) or not load.indices or load.indices[-1] != each.index:
            return None
        source = self.staged.loads.get((load.view, load.indices[:-1]))
        is_kept = source is not None and source not in {array for _, array in self.staged.stores}
        is_short = INT16.size < load.view.type.element.size if isinstance(load.view.type, View) else False
        return source if is_kept and is_short and self.tile.size <= MOST_NUMBERED else None

    def _counter(self, store: n.Store, branch: n.If, side: n.Block) -> int | None:
        """Which value that tiles carry says where a store goes, if all places from there on are stored to in turn."""
        view, each = store.view, self.tile.each
        is_plain = store.mask is None and len(store.indices) == 1 and store.bounds in ("safe", "check")
        uses = sum(view in (*atoms_of(s), *written_views(s)) for s in self.accesses)
        if not is_plain or uses > 1 or view.name not in self.params or not isinstance(view.type, View):
            return None
        if not isinstance(view.type.element, Scalar):
            return None
        args = [k for k, arg in enumerate(each.args) if arg.var == store.indices[0]]
        if not args or not _counts(branch, side, each.args[args[0]].var, each.body.yields[args[0]]):
            return None
        carried = [k for k, arg in enumerate(self.loop.args) if arg.var == each.args[args[0]].init]
        return carried[0] if carried else None


def _counts(branch: n.If, side: n.Block, counter: n.Var, following: n.Atom) -> bool:
    """Whether one side of a branch counts up by one, the other does not, and the next iteration goes on from there."""
    other = branch.orelse if side is branch.then else branch.then
    steps = {s.var for s in side.statements if isinstance(s, n.Let) and _is_step(s.value, counter)}
    return any(
        result == following and a in steps and b == counter
        for result, a, b in zip(branch.results, side.yields, other.yields, strict=True)
    )


def _is_step(value: n.Expression, counter: n.Var) -> bool:
    return isinstance(value, n.Binary) and value.op == "add" and (value.left, value.right) == (counter, n.Const(1))


def _position(part: n.For, statement: n.Statement) -> int:
    return next(k for k, s in enumerate(part.body.statements) if s is statement)


def _defined(part: n.For) -> Iterator[n.Var]:
    yield part.index
    yield from (arg.var for arg in part.args)
    for statement in walk(part.body):
        yield from defined_by(statement)
        if isinstance(statement, (n.For, n.While)):
            yield from (arg.var for arg in statement.args)
        if isinstance(statement, n.For):
            yield statement.index


def through(part: n.For, staged: Staged, arrays: Sequence[n.Var], number: n.Var, bases: Mapping[int, n.Var]) -> n.Block:
    """The body of a loop, with its accesses to arrays in shared memory.

    Parameters
    ----------
    number
        The number of an iteration in its tile.
    bases
        Where counters stand when the tile begins, by their places.
    """
    return _Through(part, staged, arrays, number, bases).block(part.body, True)


class _Through:
    def __init__(
        self, part: n.For, staged: Staged, arrays: Sequence[n.Var], number: n.Var, bases: Mapping[int, n.Var]
    ) -> None:
        self.part, self.loads, self.arrays, self.number = part, staged.loads, arrays, number
        self.stores = {id(s): array for s, array in staged.stores}
        self.packed = {id(p.store): (p, bases[p.counter]) for p in staged.packed if p.counter in bases}

    def block(self, block: n.Block, is_outer: bool) -> n.Block:
        """A block; only the outer one has loads that every iteration does, which come first."""
        found = [(s, x) for s in block.statements for x in self._one(s, is_outer)]
        loads, others = ([x for s, x in found if (is_outer and self._is_load(s)) is side] for side in (True, False))
        return replace(block, statements=(*loads, *others))

    def _is_load(self, statement: n.Statement) -> bool:
        return isinstance(statement, n.Let) and self._load(statement) is not statement

    def _one(self, statement: n.Statement, is_outer: bool) -> Iterator[n.Statement]:
        if isinstance(statement, n.Let) and is_outer:
            yield self._load(statement)
        elif id(statement) in self.stores and isinstance(statement, n.Store):
            yield self._store(statement, self.arrays[self.stores[id(statement)]], self.number)
        elif id(statement) in self.packed and isinstance(statement, n.Store):
            yield from self._pack(statement, *self.packed[id(statement)])
        elif isinstance(statement, n.If):
            yield replace(statement, then=self.block(statement.then, False), orelse=self.block(statement.orelse, False))
        else:
            yield statement

    def _pack(self, store: n.Store, packed: Packed, base: n.Var) -> Iterator[n.Statement]:
        """An element that is packed, or its number."""
        place = n.Var(f"{self.number.name}.{packed.array}", self.number.type)
        yield n.Let(place, n.Binary("sub", store.indices[0], base, checked=False), store.location)
        if packed.source is not None:
            short = n.Var(f"{self.number.name}.{packed.array}.short", INT16)
            yield n.Let(short, n.Cast(self.number, checked=False), store.location)
            store = replace(store, value=short)
        yield self._store(store, self.arrays[packed.array], place)

    def _load(self, let: n.Let) -> n.Let:
        load = let.value
        if not isinstance(load, n.Load) or not load.indices or load.indices[-1] != self.part.index:
            return let
        array = self.loads.get((load.view, load.indices[:-1]))
        return let if array is None else replace(let, value=n.Load(self.arrays[array], (self.number,), "safe"))

    def _store(self, store: n.Store, array: n.Var, place: n.Var) -> n.Store:
        return n.Store(array, (place,), store.value, "safe", location=store.location)


def words_of(args: Sequence[n.LoopArg]) -> int:
    """Words that carried values take at most: one for 4 bytes."""
    return sum(2 * -(-arg.var.type.size // 8) for arg in args if isinstance(arg.var.type, Scalar))


def lanes_of(view: n.Var) -> int:
    """How many neighbours are accessed at once."""
    assert isinstance(view.type, View)
    element = view.type.element
    is_half = element.size == 2 and isinstance(element, Scalar) and element.kind == "f"
    is_number = isinstance(element, Scalar) and element.kind in "iuf" and not is_half
    return min(WIDEST // element.size, LONGEST) if is_number and view.type.contiguous else 1


# ------------------------------------------------------------------------------------------------------- counters


def most_counted(tile: Tile, loop: n.For) -> int | None:
    """How much an iteration adds to a counter at most, where all that tiles carry are counters that only grow."""
    most = [_most_added(tile, k) for k in range(len(loop.args))]
    joined = {s.var: s.value for s in tile.joined if isinstance(s, n.Let)}
    for arg, result, y in zip(loop.args, tile.sums.results, loop.body.yields, strict=True):
        made = joined.get(y) if isinstance(y, n.Var) else None
        if not isinstance(made, n.Binary) or made.op != "add" or {made.left, made.right} != {arg.var, result}:
            return None
    known = [m for m in most if m is not None]
    return max(known) if known and len(known) == len(most) else None


def _most_added(tile: Tile, place: int) -> int | None:
    arg, body = tile.sums.args[place], tile.sums.body
    if arg.var.type != PYINT or arg.init != n.Const(0):
        return None
    added = _added({arg.var: (0, 0)}, body)
    following = body.yields[place]
    low, high = added.get(following, (-1, 0)) if isinstance(following, n.Var) else (-1, 0)
    return high if low >= 0 else None


_Span: TypeAlias = tuple[int, int]


def _added(known: dict[n.Var, _Span], block: n.Block) -> dict[n.Var, _Span]:
    """How much variables are above a value that the block is given, where it is between constants."""
    for statement in block.statements:
        if isinstance(statement, n.Let):
            span = _added_by(known, statement.value)
            if span is not None:
                known[statement.var] = span
        elif isinstance(statement, n.If):
            sides = [_added(dict(known), side) for side in (statement.then, statement.orelse)]
            for result, a, b in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
                spans = [side.get(y) if isinstance(y, n.Var) else None for side, y in zip(sides, (a, b), strict=True)]
                if spans[0] is not None and spans[1] is not None:
                    known[result] = (min(spans[0][0], spans[1][0]), max(spans[0][1], spans[1][1]))
    return known


def _added_by(known: Mapping[n.Var, _Span], value: n.Expression) -> _Span | None:
    if isinstance(value, n.Select):
        spans = [known.get(a) if isinstance(a, n.Var) else None for a in (value.then, value.orelse)]
        if spans[0] is None or spans[1] is None:
            return None
        return min(spans[0][0], spans[1][0]), max(spans[0][1], spans[1][1])
    if not isinstance(value, n.Binary) or value.op != "add" or not isinstance(value.right, n.Const):
        return None
    span, step = known.get(value.left) if isinstance(value.left, n.Var) else None, value.right.value
    return None if span is None or not isinstance(step, int) else (span[0] + step, span[1] + step)


def only_packs(tile: Tile, staged: Staged) -> bool:
    """Whether what is carried only tells the loop that runs a tile where in shared memory it packs elements."""
    each = tile.each
    places = {id(packed.store) for packed in staged.packed}
    inits = [arg.init for arg in each.args]
    counters = {a for a in inits if isinstance(a, n.Var)}
    if (
        not staged.packed
        or len(counters) < len(inits)
        or not _only_counts({a.var for a in each.args}, each.body, places)
    ):
        return False
    return not any(v in counters for v in free_variables(each.body))


def _only_counts(counters: set[n.Var], block: n.Block, places: set[int]) -> bool:
    """Whether counters serve for nothing but stores to certain places and what they are next; those found are added."""
    for statement in block.statements:
        uses = {a for a in atoms_of(statement) if isinstance(a, n.Var)} & counters
        if isinstance(statement, n.If):
            if uses or not all(_only_counts(counters, side, places) for side in blocks_of(statement)):
                return False
            pairs = zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True)
            counters |= {result for result, a, b in pairs if a in counters or b in counters}
        elif isinstance(statement, n.Let):
            if uses and not _is_next(statement.value, counters):
                return False
            counters |= {statement.var} if uses else set()
        elif isinstance(statement, n.Store):
            if uses and (id(statement) not in places or statement.value in counters):
                return False
        elif any(v in counters for v in free_variables(n.Block((statement,)))):
            return False
    return True


def _is_next(value: n.Expression, counters: set[n.Var]) -> bool:
    """Whether a value is a counter that something constant is added to, or one of two counters."""
    if isinstance(value, n.Select):
        return value.condition not in counters
    return isinstance(value, n.Binary) and value.op == "add" and isinstance(value.right, n.Const)
