"""Collapse: the two last loops of a parallel nest become one where their elements follow one another in memory.

``for x: for c in range(3): b[y, x, c] = a[y, x - 1, c]`` runs three iterations at a time; vector code needs more. Where
each row of pixels lies in memory as one axis does, one loop runs over all colours of all pixels. That is asked when the
program runs; the nest as it was stands beside, for arrays that are cut in another way. Loops may stand inside of the
two, as those over a window do: ``a[y, x + dx, c]``. Assumes that every access is inside its array, one of them in every
iteration. Loops that carry values are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, may_raise
from weft.ir.types import PYBOOL, PYINT, Type, View
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.transform.peel import Copies
from weft.transform.support import on_blocks


def collapse(program: n.Program) -> n.Program:
    """Make one loop of two where that is one run through memory."""
    return on_blocks(program, _Change(Copies(program)).block)


class _Change:
    def __init__(self, copies: Copies) -> None:
        self.copies = copies

    def block(self, block: n.Block) -> n.Block:
        """The block with its outermost suitable nests changed."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            statements.extend(self._statement(statement))
        if all(a is b for a, b in zip(statements, block.statements, strict=False)):
            return block
        return replace(block, statements=tuple(statements))

    def _statement(self, statement: n.Statement) -> Sequence[n.Statement]:
        pair = _pair_in(statement) if isinstance(statement, n.For) and _is_parallel(statement) else None
        if isinstance(statement, n.For) and pair is not None:
            return self._versions(statement, pair)
        inner = blocks_of(statement)
        new = tuple(self.block(b) for b in inner)
        return (statement,) if all(a is b for a, b in zip(new, inner, strict=True)) else (with_blocks(statement, new),)

    def _versions(self, nest: n.For, pair: _Pair) -> Sequence[n.Statement]:
        """The nest with one loop less where the arrays allow it, else as it was."""
        lets: list[n.Let] = []
        merged: dict[tuple[str, int], n.Var] = {}
        condition: n.Atom = n.Const(True, PYBOOL)
        for view, axis in pair.merged:
            fits = self._let(lets, n.Mergeable(view, axis), PYBOOL)
            extent = self._let(lets, n.Dim(view, axis + 1), PYINT)
            whole = self._let(lets, n.Compare("eq", extent, pair.inner.stop), PYBOOL)
            for part in (fits, whole):
                both = n.Binary("and", condition, part, checked=False)
                condition = part if isinstance(condition, n.Const) else self._let(lets, both, PYBOOL)
        then: list[n.Let] = []
        for view, axis in pair.merged:
            assert isinstance(view.type, View)
            type = replace(view.type, ndim=view.type.ndim - 1, memory="host")
            merged[view.name, axis] = self._let(then, n.Merge(view, axis), type, view.stem)
        original = self.copies.block(n.Block((nest,)))
        collapsed = _Collapsed(pair, merged, self.copies)
        one = _inside(nest, pair.outer, collapsed.statements())
        return (*lets, n.If(condition, n.Block((*then, *collapsed.ahead, *one)), original, (), nest.location))

    def _let(self, lets: list[n.Let], value: n.Expression, type: Type, name: str = "t") -> n.Var:
        lets.append(n.Let(self.copies.names.fresh(name, type), value))
        return lets[-1].var


def _inside(nest: n.For, outer: n.For, replacement: Sequence[n.Statement]) -> Sequence[n.Statement]:
    """The nest with other statements in place of one of its loops."""
    if nest is outer:
        return replacement
    *before, last = nest.body.statements
    assert isinstance(last, n.For)
    return (replace(nest, body=n.Block((*before, *_inside(last, outer, replacement)))),)


# --------------------------------------------------------------------------------------------------- which loops


@dataclass
class _Pair:
    """Two loops that may become one, and what depends on the outer one.

    `inside` names what the nest around them defines; `shifted` maps each variable that is the outer counter plus
    something to the operation that it comes from; `moving` are those of them whose something is known in the inner loop
    alone; `merged` are the views and axes that the counters index; `kept` is computed once for both loops; `always`
    says that an access of these runs in every iteration.
    """

    outer: n.For
    inner: n.For
    inside: set[str]
    shifted: dict[str, n.Binary | None] = field(default_factory=dict)
    moving: set[str] = field(default_factory=set)
    merged: list[tuple[n.Var, int]] = field(default_factory=list)
    kept: list[n.Let] = field(default_factory=list)
    always: bool = False


def _is_parallel(loop: n.For) -> bool:
    return loop.mapping == "parallel" and loop.exit is None and not loop.args and loop.index.type == PYINT


def _pair_in(nest: n.For) -> _Pair | None:
    """The two last loops of a nest in which nothing but the next loop stands, if they may become one."""
    loops, inside = [nest], set[str]()
    while (inner := _next(loops[-1])) is not None:
        before = loops[-1].body.statements[:-1]
        inside.update(v.name for s in (loops[-1], *before) for v in (*bound_inside(s), *defined_by(s)))
        loops.append(inner)
    if len(loops) < 2:
        return None
    pair = _Pair(loops[-2], loops[-1], inside | _made_in(loops[-1].body))
    return pair if _suits(pair) else None


def _next(loop: n.For) -> n.For | None:
    """The parallel loop that is all that a loop does."""
    *before, inner = loop.body.statements or (None,)
    suits = isinstance(inner, n.For) and _is_parallel(inner) and all(map(_is_plain, before))
    return inner if suits and isinstance(inner, n.For) else None


def _is_plain(statement: object) -> bool:
    return isinstance(statement, n.Let) and not may_raise(statement.value, statement.var.type)


def _suits(pair: _Pair) -> bool:
    """Whether both counters do nothing but index neighbouring axes of arrays from outside of the nest."""
    inner = pair.inner
    if inner.start != n.Const(0) or _name(inner.stop) in pair.inside or block_may_raise(inner.body):
        return False
    pair.shifted[pair.outer.index.name] = None
    for statement in pair.outer.body.statements[:-1]:
        assert isinstance(statement, n.Let)
        if not _shifts(pair, statement):
            if _depends(statement, pair):
                return False
            pair.kept.append(statement)
    known = all(_is_known(statement, pair) for statement in walk(inner.body))
    return known and pair.always


def _name(atom: n.Atom) -> str:
    return atom.name if isinstance(atom, n.Var) else ""


def _shifts(pair: _Pair, statement: n.Statement) -> bool:
    """Note a variable that is the outer counter plus or minus what does not depend on it."""
    value = statement.value if isinstance(statement, n.Let) else None
    if not isinstance(statement, n.Let) or not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
        return False
    if value.op == "add" and _name(value.right) in pair.shifted:
        value = replace(value, left=value.right, right=value.left)
    other = _name(value.right)
    if _name(value.left) not in pair.shifted or other in pair.shifted or other == pair.inner.index.name:
        return False
    if value.checked or statement.var.type != PYINT:
        return False
    if other in _made_in(pair.inner.body) or _name(value.left) in pair.moving:
        pair.moving.add(statement.var.name)
    pair.shifted[statement.var.name] = value
    return True


def _made_in(block: n.Block) -> set[str]:
    return {v.name for s in walk(block) for v in (*bound_inside(s), *defined_by(s))}


def _depends(statement: n.Statement, pair: _Pair) -> bool:
    """Whether a statement itself uses a counter, or one that is shifted."""
    yields = (a for b in blocks_of(statement) for a in b.yields)
    return any(_is_counter(a, pair) for a in (*atoms_of(statement), *yields))


def _is_counter(atom: n.Atom, pair: _Pair) -> bool:
    return _name(atom) in pair.shifted or _name(atom) == pair.inner.index.name


def _is_known(statement: n.Statement, pair: _Pair) -> bool:
    """Whether a statement of the inner loop shifts the counter, or uses it in the index of an access alone."""
    if isinstance(statement, n.Let) and _shifts(pair, statement):
        return True
    access = statement.value if isinstance(statement, n.Let) else statement
    if not isinstance(access, (n.Load, n.Store)):
        return not _depends(statement, pair)
    used = [k for k, index in enumerate(access.indices) if _is_counter(index, pair)]
    if isinstance(access, n.Store) and _is_counter(access.value, pair):
        return False
    if not used:
        return True
    axis = used[0]
    neighbours = used == [axis, axis + 1] and _name(access.indices[axis]) in pair.shifted
    if not neighbours or access.indices[axis + 1] != pair.inner.index or access.bounds != "safe":
        return False
    if access.view.name in pair.inside or getattr(access, "mask", None) is not None:
        return False
    if (access.view, axis) not in pair.merged:
        pair.merged.append((access.view, axis))
    pair.always |= any(s is statement for s in pair.inner.body.statements)
    return True


# ------------------------------------------------------------------------------------------------------ one loop


class _Collapsed:
    """One loop for two: it counts all iterations of the inner one."""

    def __init__(self, pair: _Pair, merged: dict[tuple[str, int], n.Var], copies: Copies) -> None:
        self.pair = pair
        self.merged = merged
        self.copies = copies
        self.ahead: list[n.Statement] = []
        """What stands before the whole nest."""
        self.before: list[n.Statement] = list(pair.kept)
        self.inside: list[n.Statement] = []
        self.offsets: dict[str, n.Atom] = {}
        self.places: dict[str, n.Var] = {}
        self.index = copies.names.fresh(pair.inner.index.stem, PYINT)

    def statements(self) -> Sequence[n.Statement]:
        """The loop, and what it needs."""
        outer, inner = self.pair.outer, self.pair.inner
        count = outer.stop
        if outer.start != n.Const(0):
            count = self._once(n.Binary("sub", outer.stop, outer.start, checked=False))
        self.offsets[outer.index.name] = self._times(outer.start)
        stop = self._times(count)
        body = self._block(inner.body)
        body = replace(body, statements=(*self.inside, *body.statements))
        return (*self.before, replace(inner, index=self.index, stop=stop, body=body))

    def _times(self, atom: n.Atom) -> n.Atom:
        """So many iterations of the outer loop as iterations of the one loop."""
        if isinstance(atom, n.Const) and atom.value in (0, 1):
            return self.pair.inner.stop if atom.value else atom
        return self._once(n.Binary("mul", atom, self.pair.inner.stop, checked=False))

    def _once(self, value: n.Binary) -> n.Var:
        """A value that is computed as far outside as its operands are known."""
        known = {s.var.name for s in self.before if isinstance(s, n.Let)} | self.pair.inside
        return self._let(self.before if known & {_name(value.left), _name(value.right)} else self.ahead, value)

    def _let(self, statements: list[n.Statement], value: n.Binary) -> n.Var:
        let = self.copies.let(value, PYINT, self.pair.outer.location)
        statements.append(let)
        return let.var

    def _offset(self, name: str) -> n.Atom:
        """The place on a merged axis, in the first iteration, of the outer counter or one that is shifted."""
        value = self.pair.shifted[name]
        if name not in self.offsets and value is not None:
            distance = self._times(value.right)
            base = self._offset(_name(value.left))
            self.offsets[name] = self._once(n.Binary(value.op, base, distance, checked=False))
        return self.offsets[name]

    def _place(self, index: n.Atom) -> n.Atom:
        """The index on a merged axis for a shifted counter."""
        name = _name(index)
        if name not in self.places:
            offset = self._offset(name)
            if offset == n.Const(0):
                return self.index
            self.places[name] = self._let(self.inside, n.Binary("add", self.index, offset, checked=False))
        return self.places[name]

    def _block(self, block: n.Block) -> n.Block:
        return replace(block, statements=tuple(new for s in block.statements for new in self._statement(s)))

    def _statement(self, statement: n.Statement) -> Sequence[n.Statement]:
        if isinstance(statement, n.Let) and statement.var.name in self.pair.moving:
            return self._moving(statement.var.name)
        if isinstance(statement, n.Let) and statement.var.name in self.pair.shifted:
            return ()
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
            view, indices = self._access(statement.value.view, statement.value.indices)
            return (replace(statement, value=replace(statement.value, view=view, indices=indices)),)
        if isinstance(statement, n.Store):
            view, indices = self._access(statement.view, statement.indices)
            return (replace(statement, view=view, indices=indices),)
        return (with_blocks(statement, tuple(self._block(b) for b in blocks_of(statement))),)

    def _moving(self, name: str) -> Sequence[n.Statement]:
        """Compute the place for a shift that is known here alone."""
        value = self.pair.shifted[name]
        assert value is not None
        made: list[n.Statement] = []
        base = self._place(value.left)
        distance = self._let(made, n.Binary("mul", value.right, self.pair.inner.stop, checked=False))
        self.places[name] = self._let(made, n.Binary(value.op, base, distance, checked=False))
        return made

    def _access(self, view: n.Var, indices: tuple[n.Atom, ...]) -> tuple[n.Var, tuple[n.Atom, ...]]:
        """The merged view, and the place on it."""
        for k, index in enumerate(indices[:-1]):
            merged = self.merged.get((view.name, k))
            if merged is not None and _name(index) in self.pair.shifted:
                return merged, (*indices[:k], self._place(index), *indices[k + 2 :])
        return view, indices
