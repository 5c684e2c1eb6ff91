"""Reshaped arrays and diagonals with names: views where an axis becomes several, copies where NumPy may make a view.

Copy and view are the same to a program that writes neither of the two while the other is there. The finished program is
looked at: between the making of a copy and its last use, in the order of the program and around loops, nothing that may
be the first array is written; what is written to the copy is not looked for in the first array; and the caller does not
get both.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise
from typing import cast as typed

from weft.errors import Error, raise_all
from weft.frontend.arrays.extents_of import extents_of
from weft.frontend.arrays.nests import computed
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import ONE, ZERO, ArrayExpression
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, View
from weft.ir.visit import atoms_of, blocks_of, with_blocks

STEM = "shared_view"

Place = tuple[int, ...]
"""Where a statement stands: the numbers of the statements and blocks around it, and its own."""

_END = 10**9
_MAY_BE_VIEW = (
    "'{}' shares its memory with the array here, and one of the two is written or returned beside the other: write "
    ".copy() behind it where they are to be apart"
)
_VIEWS = (n.Subview, n.Transpose, n.FieldView, n.Split, n.Merge)


def named(ctx: Context, value: ArrayExpression, node: ast.AST) -> n.Var:
    """A view where an axis becomes several; else a copy of it, with a note that it must not be told from a view."""
    base = typed(n.Var, value.operands[0])
    if value.split is not None:
        return _split(ctx, base, value, *value.split, node)
    guard = _guard(ctx, base, value, node) if value.joined else ()
    return noted(ctx, computed(ctx, value, node), [base], not value.read_only, node, guard)


def _split(
    ctx: Context, base: n.Var, value: ArrayExpression, axis: int, parts: tuple[n.Atom, ...], node: ast.AST
) -> n.Var:
    source = view_type(base)
    type = View(source.element, len(value.extents), source.contiguous, source.writable)
    view = ctx.emit(n.Split(base, axis, parts), type, node, base.stem)
    ctx.extents[view.name] = value.extents
    return view


def _guard(ctx: Context, base: n.Var, value: ArrayExpression, node: ast.AST) -> tuple[n.Statement, ...]:
    """What stops a program where NumPy might make a view of an array of which some axes become one.

    NumPy copies where two neighbouring axes, both longer than 1, do not lie in memory as one axis does.
    """
    extents = extents_of(ctx, base, node)[value.joined.start : value.joined.stop]
    with ctx.block(Builder()) as builder:
        copies: n.Atom = n.Const(False, PYBOOL)
        for axis, pair in enumerate(pairwise(extents), value.joined.start):
            lies = ctx.emit(n.Mergeable(base, axis), PYBOOL, node)
            apart: n.Atom = ctx.emit(n.Unary("not", lies, checked=False), PYBOOL, node)
            for extent in pair:
                is_long = ctx.emit(n.Compare("gt", extent, ONE), PYBOOL, node)
                apart = ctx.emit(n.Binary("and", apart, is_long, checked=False), PYBOOL, node)
            copies = ctx.emit(n.Binary("or", copies, apart, checked=False), PYBOOL, node)
        text = _MAY_BE_VIEW.format(ast.unparse(node)).replace("{", "{{").replace("}", "}}")
        fault = n.Raise("weft.errors:UnsupportedError", text, (), ctx.location(node))
        ctx.append(n.If(copies, n.Block(), n.Block((fault,)), location=ctx.location(node)))
    return tuple(builder.statements)


def noted(
    ctx: Context,
    copy: n.Var,
    bases: Sequence[n.Var],
    is_writable: bool,
    node: ast.AST,
    guard: tuple[n.Statement, ...] = (),
) -> n.Var:
    """An array that must not be told from a view of others, unless `guard` makes sure that NumPy copies, too."""
    refusal = ctx.refusal("reshaped view", node, what=ast.unparse(node))
    extents = extents_of(ctx, copy, node)
    if not extents:
        raise refusal
    axes = tuple(n.Slice(ZERO, extent, ONE) for extent in extents)
    type = View(view_type(copy).element, len(axes), True, is_writable)
    view = ctx.emit(n.Subview(copy, axes, "safe"), type, node, STEM)
    ctx.extents[view.name] = extents
    ctx.shared_views[view.name] = tuple(bases), guard, refusal
    return view


def checked(ctx: Context, body: n.Block) -> n.Block:
    """The program with guards of those copies that it could tell from views.

    Raises
    ------
    UnsupportedError
        A copy could be told from a view, and has no guard.
    """
    if not ctx.shared_views:
        return body
    facts = Facts(ctx, body)
    guards: dict[str, tuple[n.Statement, ...]] = {}
    refusals: list[Error] = []
    for name, (_, guard, refusal) in ctx.shared_views.items():
        if name in facts.defined and facts.differs(name):
            guards[name] = guard
            refusals += [] if guard else [refusal]
    raise_all(refusals)
    return _guarded(body, guards) if guards else body


def _guarded(block: n.Block, guards: dict[str, tuple[n.Statement, ...]]) -> n.Block:
    """A block with guards before the copies that they belong to."""
    statements: list[n.Statement] = []
    for statement in block.statements:
        if isinstance(statement, n.Let):
            statements += guards.get(statement.var.name, ())
        inner = tuple(_guarded(b, guards) for b in blocks_of(statement))
        statements.append(with_blocks(statement, inner) if inner else statement)
    return n.Block(tuple(statements), block.yields)


class Facts:
    """Which arrays of a program may share memory, and where they are made, used and written."""

    def __init__(self, ctx: Context, body: n.Block) -> None:
        self.parents: dict[str, str] = {}
        self.defined: dict[str, Place] = {}
        self.made: dict[str, Place] = {}
        self.views: dict[str, str] = {}
        self.uses: list[tuple[str, Place]] = []
        self.writes: list[tuple[str, Place]] = []
        self.loops: set[Place] = set()
        views = [p.var for p in ctx.params if isinstance(p.var.type, View)]
        self.given = {view.name for view in views}
        for view in views[1:]:
            self._join(view, views[0])
        self._read(body, ())
        self.returned = {atom.name for atom in body.yields if isinstance(atom, n.Var) and isinstance(atom.type, View)}
        self.copied = [
            (name, base.name)
            for name, (bases, *_) in ctx.shared_views.items()
            for base in bases
            if name in self.defined
        ]

    # ------------------------------------------------------------------------------------------------- the program

    def root(self, name: str) -> str:
        """One array for all that may share memory."""
        while name in self.parents:
            name = self.parents[name]
        return name

    def _join(self, first: n.Atom, second: n.Atom) -> None:
        if isinstance(first.type, View) and isinstance(second.type, View):
            a, b = self.root(typed(n.Var, first).name), self.root(typed(n.Var, second).name)
            if a != b:
                self.parents[a] = b

    def _read(self, block: n.Block, around: Place) -> None:
        for number, statement in enumerate(block.statements):
            place = (*around, number)
            self._use(atoms_of(statement), place)
            self._note(statement, place)
            for k, inner in enumerate(blocks_of(statement)):
                self._read(inner, (*place, k))
        self._use(block.yields, (*around, _END))

    def _use(self, atoms: Sequence[n.Atom], place: Place) -> None:
        self.uses += [(atom.name, place) for atom in atoms if isinstance(atom, n.Var) and isinstance(atom.type, View)]

    def _note(self, statement: n.Statement, place: Place) -> None:
        results: Sequence[n.Var] = getattr(statement, "results", ())
        self.defined.update((result.name, place) for result in results)
        if isinstance(statement, n.Let):
            self.defined[statement.var.name] = place
            if isinstance(statement.value, n.Alloc):
                self.made[statement.var.name] = place
            if isinstance(statement.value, _VIEWS):
                self._join(statement.var, statement.value.view)
                self.views[statement.var.name] = statement.value.view.name
        elif isinstance(statement, (n.Store, n.Update)):
            self.writes.append((statement.view.name, place))
        elif isinstance(statement, n.External):
            self.writes += [(view.name, place) for view in statement.writes]
        elif isinstance(statement, n.Call):
            self._note_call([a for a in (*statement.operands, *statement.results) if isinstance(a.type, View)], place)
        elif isinstance(statement, n.If):
            for block in blocks_of(statement):
                for result, atom in zip(results, block.yields, strict=True):
                    self._join(result, atom)
        elif isinstance(statement, (n.For, n.While)):
            self._note_loop(statement, place)

    def _note_call(self, views: Sequence[n.Atom], place: Place) -> None:
        for view in views:
            self._join(view, views[0])
            self.writes.append((typed(n.Var, view).name, place))

    def _note_loop(self, loop: n.For | n.While, place: Place) -> None:
        self.loops.add(place)
        for k, argument in enumerate(loop.args):
            self.defined[argument.var.name] = place
            for atom in (argument.init, *loop.body.yields[k : k + 1], *loop.results[k : k + 1]):
                self._join(argument.var, atom)

    # -------------------------------------------------------------------------------------------------- questions

    def differs(self, name: str) -> bool:
        """Whether a program may tell a copy from a view."""
        here, copy, first = self.defined[name], self.members(name), self._first(name)
        if copy & self.given or (copy & first and any(other in copy for other, _ in self.writes)):
            return True
        if copy & self.returned and first & (self.given | self.returned):
            return True
        survives = [loop for loop in self.around(here) if self.survives(copy, loop)]
        end = self.end(copy, here)
        for written, place in self.writes:
            is_around = any(is_inside(place, loop) for loop in survives)
            is_new = not survives and self.origin(written) > here
            if written in first and (here < place <= end or is_around) and not is_new:
                return True
            if written in copy and (place > here or is_around) and self._is_seen(first, here):
                return True
        return False

    def _first(self, name: str) -> frozenset[str]:
        """The arrays whose memory a view would show: what was copied, what that is a copy of, and other copies."""
        roots = {self.root(base) for copy, base in self.copied if copy == name}
        own = {self.root(name)} - roots
        pairs = [{self.root(copy), self.root(base)} for copy, base in self.copied]
        while more := {root for pair in pairs if pair & roots for root in pair} - roots:
            roots |= more
        return frozenset().union(*(self.members(root) for root in roots - own))

    def origin(self, name: str) -> Place:
        """Where the array was made that a view is a part of, if it is known which."""
        while name in self.views:
            name = self.views[name]
        return self.made.get(name, ())

    def members(self, name: str) -> frozenset[str]:
        """What may share memory with an array."""
        root = self.root(name)
        return frozenset(other for other in (*self.defined, *self.given, name) if self.root(other) == root)

    def around(self, place: Place) -> list[Place]:
        """The loops around a statement."""
        return [loop for loop in self.loops if is_inside(place, loop)]

    def survives(self, members: frozenset[str], loop: Place) -> bool:
        """Whether one of some arrays is there in the next iteration of a loop, too."""
        return any(not is_inside(self.defined.get(other, ()), loop) for other in members)

    def end(self, members: frozenset[str], here: Place) -> Place:
        """Behind which place arrays are no longer used; a use in a loop may come again as long as the loop runs."""
        end = here
        for other, place in self.uses:
            if other in members:
                again = [(*loop, _END) for loop in self.around(place) if not is_inside(here, loop)]
                end = max(end, place, *again) if again else max(end, place)
        return end

    def _is_seen(self, members: frozenset[str], here: Place) -> bool:
        """Whether arrays are used behind a place, or by the caller."""
        if members & self.given:
            return True
        loops = [loop for loop in self.around(here) if self.survives(members, loop)]
        places = [place for other, place in self.uses if other in members]
        return any(place > here or any(is_inside(place, loop) for loop in loops) for place in places)


def is_inside(place: Place, loop: Place) -> bool:
    """Whether a statement is in the body of a loop."""
    return len(place) > len(loop) and place[: len(loop)] == loop
