"""Sums that start from an element which the nest before them stored: they start from the stored value itself.

An accumulation in an array becomes two nests: ``for j: c[j] = 0``, and then
``for j: total = c[j]; for k: total += a[k] * b[k, j]; c[j] = total``. Here the sum starts from 0 instead of ``c[j]``,
as in programs that sum in a variable. Then the first nest is not needed: there is one kernel instead of two, and it may
be recognised as a matrix product. The first nest may also store computed values, such as ``c[j] = bias[j]``.

If both nests have the same loops, the first one is left out, since the second stores all of its elements. If the first
one stores a whole array and the second may add to a part of it, the first one stays.

Nothing is changed if something between the nests may read the array, or if the second nest runs under a condition other
than that its loops have iterations: where such a condition does not hold, the elements keep what the first one stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from weft.analysis.access.access import table
from weft.analysis.access.aliases import Aliases
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, VIEWS, block_may_raise, is_speculative
from weft.ir.types import PYBOOL
from weft.ir.visit import blocks_of, bound_inside, defined_by, substitute, walk, with_blocks
from weft.plan.scratch import Why
from weft.schedule.directives import Schedule
from weft.transform.peel import Copies
from weft.tune.choice import is_about


def with_known_starts(program: n.Program, schedule: Schedule, why_host: Why) -> n.Program:
    """Let sums start from what a nest directly before them has stored.

    Parameters
    ----------
    program
        After `with_column_sums`.
    schedule
        The user's schedule: the nests that it names stay as they are.
    why_host
        Gives the reason why a nest cannot be a kernel; None if it can.
    """
    lets = {s.var.name: s for s in walk(program.body) if isinstance(s, n.Let)}

    def may_change(nest: n.For) -> bool:
        return why_host(nest) is None and not is_about(schedule, nest)

    starts = _Starts(table(program).aliases, lets, Copies(program), may_change)
    body = starts.block(program.body)
    return program if body is program.body else replace(program, body=body)


@dataclass(frozen=True)
class _Filling:
    """Parallel loops around definitions and one store. `whole`: they store each element of the array."""

    loops: tuple[n.For, ...]
    lets: tuple[n.Let, ...]
    store: n.Store
    view: n.Var
    whole: bool


@dataclass(frozen=True)
class _Sum:
    """Parallel loops that load an element, run a loop that starts from it, and store what they compute from both."""

    loops: tuple[n.For, ...]
    load: n.Let
    fold: n.For
    store: n.Store


class _Starts:
    def __init__(
        self, aliases: Aliases, lets: Mapping[str, n.Let], copies: Copies, may_change: Callable[[n.For], bool]
    ) -> None:
        self.aliases, self.lets, self.copies, self.may_change = aliases, lets, copies, may_change

    def block(self, block: n.Block) -> n.Block:
        """The block with such nests joined, also in the blocks inside."""
        statements = list(block.statements)
        position = 0
        while position < len(statements):
            statement = statements[position]
            filling = self.filling(statement)
            following = None if filling is None else self.following(statements, position, filling)
            changed = None
            if filling is not None and following is not None:
                changed = self.joined(statement, filling, statements[following])
            if changed is None or following is None:
                inner = blocks_of(statement)
                new = tuple(self.block(b) for b in inner)
                if any(a is not b for a, b in zip(new, inner, strict=True)):
                    statements[position] = with_blocks(statement, new)
                position += 1
                continue
            stays, statements[following] = changed
            if not stays:
                del statements[position]
            else:
                position += 1
        same = len(statements) == len(block.statements) and all(map(_is, statements, block.statements))
        return block if same else replace(block, statements=tuple(statements))

    def following(self, statements: Sequence[n.Statement], position: int, filling: _Filling) -> int | None:
        """The position of the next statement that is no definition; None if one before it may read what is filled."""
        for k in range(position + 1, len(statements)):
            statement = statements[k]
            if not isinstance(statement, n.Let):
                return k
            if block_may_raise(n.Block((statement,))) or self.may_read(statement.value, filling.view):
                return None
        return None

    def may_read(self, value: n.Expression, view: n.Var) -> bool:
        """Whether evaluating an expression may read elements of an array, or depend on memory in another way."""
        if isinstance(value, n.Load):
            return self.aliases.may_alias(value.view, view)
        return not isinstance(value, (*ARITHMETIC, *VIEWS, n.Dim))

    def joined(self, first: n.Statement, filling: _Filling, second: n.Statement) -> tuple[bool, n.Statement] | None:
        """Whether the first nest stays, and what the second becomes; None if both stay as they are."""
        guard = second if isinstance(second, n.If) and not second.results and not second.orelse.statements else None
        inner = guard.then.statements[-1] if guard is not None and len(guard.then.statements) == 1 else second
        found = self.sum(inner)
        if found is None or not self.same_array(filling.view, found.load.value):
            return None
        if guard is not None and not self.keeps_starts(guard.condition, found):
            return None
        if block_may_raise(n.Block((first, inner))) or not all(
            map(self.may_change, (filling.loops[0], found.loops[0]))
        ):
            return None
        counters = [loop.index for loop in filling.loops]
        places = [filling.store.indices.index(c) for c in counters]
        chosen = [found.store.indices[place] for place in places]
        own = {loop.index: loop for loop in found.loops}
        if not all(isinstance(c, n.Var) and c in own for c in chosen) or len(set(chosen)) != len(own):
            return None
        same = all(
            (a.start, a.stop) == (own[c].start, own[c].stop)
            for a, c in zip(filling.loops, chosen, strict=True)
            if isinstance(c, n.Var)
        )
        if not (same or filling.whole):
            return None
        nest = self.begun(found, filling, {c.name: v for c, v in zip(counters, chosen, strict=True)})
        if same:
            return False, nest
        return True, nest if guard is None else with_blocks(guard, (n.Block((nest,)), guard.orelse))

    def keeps_starts(self, condition: n.Atom, found: _Sum) -> bool:
        """Whether a nest, where a condition does not hold, could only store the elements that it starts from."""
        body, ends = found.loops[-1].body.statements, [(loop.start, loop.stop) for loop in found.loops]
        fold: n.Statement = found.fold
        while isinstance(fold, n.For) and fold.results == (found.store.value,):
            ends.append((fold.start, fold.stop))
            inside = fold.body.statements[0] if len(fold.body.statements) == 1 else None
            if not isinstance(inside, n.For) or inside.exit is not None or fold.exit is not None:
                break
            if inside.results != fold.body.yields or tuple(a.init for a in inside.args) != (fold.args[0].var,):
                break
            fold = replace(inside, results=fold.results)
        others = (s for s in body if isinstance(s, n.Let) and s is not found.load)
        return all(is_speculative(s.value, s.var.type) for s in others) and self.asks_for_one(condition, ends)

    def asks_for_one(self, condition: n.Atom, ends: Sequence[tuple[n.Atom, n.Atom]]) -> bool:
        """Whether a condition holds wherever each of some ranges has an iteration."""
        let = self.lets.get(condition.name) if isinstance(condition, n.Var) else None
        value = None if let is None else let.value
        if isinstance(value, n.Binary) and value.op == "and" and let is not None and let.var.type == PYBOOL:
            return self.asks_for_one(value.left, ends) and self.asks_for_one(value.right, ends)
        return isinstance(value, n.Compare) and value.op == "lt" and (value.left, value.right) in ends

    def same_array(self, view: n.Var, load: n.Expression) -> bool:
        return isinstance(load, n.Load) and self.of_whole(load.view) == view

    def filling(self, nest: n.Statement) -> _Filling | None:
        """A nest that only fills an array, each element in an iteration of its own."""
        loops = _loops(nest)
        if not loops:
            return None
        *lets, store = loops[-1].body.statements
        plain = isinstance(store, n.Store) and store.mask is None and store.bounds == "safe"
        if not isinstance(store, n.Store) or not plain or not all(isinstance(s, n.Let) for s in lets):
            return None
        counters = [loop.index for loop in loops]
        if sorted(map(str, store.indices)) != sorted(map(str, counters)):
            return None
        for let in lets:
            value = let.value if isinstance(let, n.Let) else None
            if isinstance(value, (n.Alloc, n.Undefined, *VIEWS)):
                return None
            if isinstance(value, n.Load) and self.aliases.may_alias(value.view, store.view):
                return None
        view = self.of_whole(store.view)
        extents = [self.extent(loop, view, store.indices.index(loop.index)) for loop in loops]
        return _Filling(tuple(loops), tuple(s for s in lets if isinstance(s, n.Let)), store, view, all(extents))

    def extent(self, loop: n.For, view: n.Var, axis: int) -> bool:
        """Whether a loop has an iteration for each element along an axis."""
        return loop.start == n.Const(0) and self.is_extent(loop.stop, view, axis)

    def is_extent(self, atom: n.Atom, view: n.Var, axis: int) -> bool:
        let = self.lets.get(atom.name) if isinstance(atom, n.Var) else None
        return let is not None and let.value == n.Dim(view, axis)

    def of_whole(self, view: n.Var) -> n.Var:
        """The array of which a view has all elements, in the same order."""
        let = self.lets.get(view.name)
        if let is None or not isinstance(let.value, n.Subview):
            return view
        for axis, part in enumerate(let.value.axes):
            if not isinstance(part, n.Slice) or part.start != n.Const(0) or part.step != n.Const(1):
                return view
            if not self.is_extent(part.length, let.value.view, axis):
                return view
        return self.of_whole(let.value.view)

    def sum(self, nest: n.Statement) -> _Sum | None:
        """A nest that adds to elements of an array, each in an iteration of its own."""
        loops = _loops(nest)
        body = loops[-1].body.statements if loops else ()
        stores = [s for s in body if isinstance(s, n.Store)]
        folds = [s for s in body if isinstance(s, n.For)]
        if len(stores) != 1 or len(folds) != 1 or not all(isinstance(s, (n.Let, n.Store, n.For)) for s in body):
            return None
        (store,), (fold,) = stores, folds
        if any(isinstance(s, (n.Store, n.Update, n.Call, n.External, n.While)) for s in walk(fold.body)):
            return None
        if store.bounds != "safe" or store.mask is not None or store is not body[-1] or len(fold.args) != 1:
            return None
        inside = [s for s in walk(n.Block(body)) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        same = [s for s in inside if isinstance(s.value, n.Load) and self.aliases.may_alias(s.value.view, store.view)]
        load = same[0] if len(same) == 1 else None
        if load is None or not any(load is s for s in body) or load.var != fold.args[0].init:
            return None
        value = load.value
        assert isinstance(value, n.Load)
        if (value.view, value.indices, value.bounds, value.mask) != (store.view, store.indices, "safe", None):
            return None
        ends = {v.name for s in walk(n.Block((nest,))) for v in (*defined_by(s), *bound_inside(s))}
        if any(isinstance(a, n.Var) and a.name in ends for loop in loops for a in (loop.start, loop.stop)):
            return None
        return _Sum(tuple(loops), load, fold, store)

    def begun(self, found: _Sum, filling: _Filling, renaming: dict[str, n.Atom]) -> n.Statement:
        """The second nest, which starts from what the first one stores."""
        inner = self.copies.block(n.Block(filling.lets, (filling.store.value,)))
        lets = substitute(inner, renaming)
        (value,) = lets.yields
        body = found.loops[-1].body
        kept = [s for s in body.statements if s is not found.load]
        block = substitute(replace(body, statements=tuple(kept)), {found.load.var.name: value})
        block = replace(block, statements=(*lets.statements, *block.statements))
        for loop in reversed(found.loops):
            block = n.Block((replace(loop, body=block),))
        return block.statements[0]


def _is(one: object, other: object) -> bool:
    return one is other


def _loops(nest: n.Statement) -> list[n.For]:
    """Perfectly nested parallel loops; none if there are other statements between them."""
    loops: list[n.For] = []
    inside: n.Statement | None = nest
    while isinstance(inside, n.For) and inside.mapping == "parallel" and not inside.args and inside.exit is None:
        loops.append(inside)
        inside = inside.body.statements[0] if len(inside.body.statements) == 1 else None
    return loops
