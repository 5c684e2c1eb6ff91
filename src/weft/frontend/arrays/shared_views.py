"""Reshaped arrays and diagonals with names: views where an axis becomes several, copies where NumPy may make a view.

Copy and view are the same to a program that writes neither of the two while the other is there. The finished program is
looked at: between the making of a copy and its last use, in the order of the program and around loops, nothing that may
be the first array is written; what is written to the copy is not looked for in the first array; and the caller does not
get both. Where a program could tell the two apart, a reshaped array becomes a view if its elements lie in order, and a
copy where NumPy makes one, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast as typed

from weft.errors import raise_all
from weft.frontend.arrays import memory_order
from weft.frontend.arrays.extents_of import extents_of, raise_unless
from weft.frontend.arrays.memory_order import Conditions
from weft.frontend.arrays.nests import all_of, computed
from weft.frontend.arrays.sizes import product
from weft.frontend.values.scope import SHARED_VIEW, Builder, Context, SharedView, ViewInstead, view_type
from weft.frontend.values.values import FALSE, ONE, TRUE, ZERO, ArrayExpression
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, View
from weft.ir.visit import atoms_of, blocks_of, with_blocks

IN_ORDER = "lies_in_order"
"""Of conditions that `transform.safety.shapes` assumes to hold."""

Place = tuple[int, ...]
"""Where a statement stands: the numbers of the statements and blocks around it, and its own."""

_END = 10**9
_MAY_BE_VIEW = (
    "'{}' shares its memory with the array here, and one of the two is written or returned beside the other: write "
    ".copy() behind it where they are to be apart"
)
_VIEWS = (n.Subview, n.Transpose, n.FieldView, n.Split, n.Merge)


@dataclass(frozen=True)
class Shown:
    """An array that NumPy shows in another shape: `axes` of `base` as one that then becomes `parts`."""

    base: n.Var
    axes: range
    parts: tuple[n.Atom, ...]


def named(ctx: Context, value: ArrayExpression, node: ast.AST) -> n.Var:
    """A view where an axis becomes several; else a copy of it, with a note that it must not be told from a view."""
    base = typed(n.Var, value.operands[0])
    if value.split is not None:
        return _split(ctx, base, value, *value.split, node)
    shown = None
    if value.joined:
        behind = view_type(base).ndim - value.joined.stop
        shown = Shown(base, value.joined, value.extents[value.joined.start : len(value.extents) - behind])
    return noted(ctx, computed(ctx, value, node), [base], not value.read_only, node, shown)


def _split(
    ctx: Context, base: n.Var, value: ArrayExpression, axis: int, parts: tuple[n.Atom, ...], node: ast.AST
) -> n.Var:
    source = view_type(base)
    type = View(source.element, len(value.extents), source.contiguous, source.writable)
    view = ctx.emit(n.Split(base, axis, parts), type, node, base.stem)
    ctx.extents[view.name] = value.extents
    return view


def noted(
    ctx: Context, copy: n.Var, bases: Sequence[n.Var], is_writable: bool, node: ast.AST, shown: Shown | None = None
) -> n.Var:
    """An array that must not be told from a view of others; `shown`: how that view is made."""
    refusal = ctx.refusal("reshaped view", node, what=ast.unparse(node))
    extents = extents_of(ctx, copy, node)
    if not extents:
        raise refusal
    axes = tuple(n.Slice(ZERO, extent, ONE) for extent in extents)
    type = View(view_type(copy).element, len(axes), True, is_writable)
    instead = None if shown is None else _instead(ctx, shown, type, node)
    view = ctx.emit(n.Subview(copy, axes, "safe"), type, node, SHARED_VIEW)
    ctx.extents[view.name] = extents
    ctx.shared_views[view.name] = SharedView(copy, tuple(bases), refusal, instead)
    return view


def _instead(ctx: Context, shown: Shown, type: View, node: ast.AST) -> ViewInstead | None:
    """Code that makes the view; None where it would not be of the type of the copy."""
    is_view = view_type(shown.base).contiguous  # else the type of the copy is not that of a view
    order = memory_order.of_strides(ctx, shown.base)
    if order is None:
        return None
    chosen = frozenset(view for view in order if not memory_order.is_param(ctx, view))
    order, is_view = order - chosen, is_view and not chosen
    if not is_view and len(shown.parts) > 1:
        return None
    with ctx.block(Builder()) as builder:
        given = extents_of(ctx, shown.base, node)[shown.axes.start : shown.axes.stop]
        condition = _fits(ctx, shown, given, order, node) if is_view else FALSE
    with ctx.block(Builder()) as then:
        made = (_view(ctx, shown, node),) if is_view else ()
    with ctx.block(Builder()) as guard:
        _stop(ctx, shown, given, order, node)
    before, block = tuple(builder.statements), n.Block(tuple(then.statements), made)
    return ViewInstead(before, condition, block, tuple(guard.statements), chosen)


def _fits(ctx: Context, shown: Shown, given: Sequence[n.Atom], order: Conditions, node: ast.AST) -> n.Atom:
    """Whether the axes lie in memory as one does, and that one has as many elements as are wanted."""
    is_new = isinstance(ctx.definitions.get(shown.base.name), n.Alloc)
    asked = [] if is_new else [(shown.base, axis) for axis in shown.axes[:-1]]
    conditions: list[n.Atom] = [_lies(ctx, view, axis, node) for view, axis in (*asked, *_axes_of(order))]
    if shown.parts and len(given) < view_type(shown.base).ndim:  # else the number of all elements was compared
        left, right = (product(ctx, extents, node) for extents in (given, shown.parts))
        conditions.append(ctx.emit(n.Compare("eq", left, right), PYBOOL, node, "shapes_agree"))
    return all_of(ctx, conditions, node)


def require_order(ctx: Context, array: n.Var, node: ast.AST) -> None:
    """Stop the program where NumPy refuses a new shape since a new array does not lie in C order."""
    order = memory_order.of_view(ctx, array)
    lies = all_of(ctx, [_lies(ctx, view, axis, node) for view, axis in _axes_of(order or memory_order.ALWAYS)], node)
    text = "NumPy gives no new shape to an array that does not lie in C order: write x = x.reshape(...)"
    raise_unless(ctx, lies, "weft.errors:UnsupportedError", text, (), node)


def _axes_of(order: Conditions) -> Iterable[tuple[n.Var, int]]:
    """The neighbouring axes of arrays that have to lie in C order."""
    views = sorted(order, key=lambda view: view.name)
    return [(view, axis) for view in views for axis in range(view_type(view).ndim - 1)]


def _lies(ctx: Context, view: n.Var, axis: int, node: ast.AST) -> n.Var:
    return ctx.emit(n.Mergeable(view, axis), PYBOOL, node, IN_ORDER)


def _view(ctx: Context, shown: Shown, node: ast.AST) -> n.Var:
    """The view, where it is right."""
    view, axis = shown.base, shown.axes.start
    if not shown.parts:
        return view
    for _ in shown.axes[:-1]:
        type = view_type(view)
        view = ctx.emit(
            n.Merge(view, axis), View(type.element, type.ndim - 1, True, type.writable), node, shown.base.stem
        )
    if len(shown.parts) > 1:
        type = view_type(view)
        more = View(type.element, type.ndim + len(shown.parts) - 1, True, type.writable)
        view = ctx.emit(n.Split(view, axis, shown.parts), more, node, shown.base.stem)
    return view


def _stop(ctx: Context, shown: Shown, given: Sequence[n.Atom], order: Conditions, node: ast.AST) -> None:
    """Stop the program where NumPy might make a view of axes that do not lie in memory as one does.

    NumPy copies for one axis where two neighbouring ones, both longer than 1, do not lie as one does.
    """
    copies: n.Atom = FALSE
    for axis, pair in enumerate(pairwise(given), shown.axes.start) if len(shown.parts) < 2 else ():
        lies = ctx.emit(n.Mergeable(shown.base, axis), PYBOOL, node)
        apart: n.Atom = ctx.emit(n.Unary("not", lies, checked=False), PYBOOL, node)
        for extent in pair:
            is_long = ctx.emit(n.Compare("gt", extent, ONE), PYBOOL, node)
            apart = ctx.emit(n.Binary("and", apart, is_long, checked=False), PYBOOL, node)
        copies = ctx.emit(n.Binary("or", copies, apart, checked=False), PYBOOL, node)
    copies = all_of(ctx, (copies, *(_lies(ctx, view, axis, node) for view, axis in _axes_of(order))), node)
    is_empty = ctx.emit(n.Compare("eq", product(ctx, extents_of(ctx, shown.base, node), node), ZERO), PYBOOL, node)
    copies = ctx.emit(n.Binary("or", copies, is_empty, checked=False), PYBOOL, node)
    text = _plain(_MAY_BE_VIEW.format(ast.unparse(node)))
    fault = n.Raise("weft.errors:UnsupportedError", text, (), ctx.location(node))
    ctx.append(n.If(copies, n.Block(), n.Block((fault,)), location=ctx.location(node)))


def _plain(text: str) -> str:
    """A text as one to format that shows nothing."""
    return text.replace("{", "{{").replace("}", "}}")


def checked(ctx: Context, body: n.Block) -> n.Block:
    """The program with views in place of those copies that it could tell from them.

    Raises
    ------
    UnsupportedError
        A copy could be told from a view, and there is no code for the view.
    """
    if not ctx.shared_views:
        return body
    facts = Facts(ctx, body)
    known = {name: one for name, one in ctx.shared_views.items() if name in facts.defined}
    told: dict[str, SharedView] = {}
    waiting = [name for name in known if facts.differs(name)]
    while waiting:
        name = waiting.pop()
        if name not in told:
            one = told[name] = known[name]
            if one.instead is not None and one.instead.condition != FALSE:
                shown = frozenset().union(*(facts.members(base.name) for base in one.bases))
                waiting += [other for other in known if other in shown]  # or a view would show a copy
    told = {name: one for name, one in known.items() if name in told}
    raise_all([one.refusal for one in told.values() if one.instead is None])
    told = {name: _settled(ctx, one, facts) for name, one in told.items()}
    return _with_views(ctx, body, told) if told else body


def _settled(ctx: Context, one: SharedView, facts: Facts) -> SharedView:
    """With a test, in the guard, of the order of all arrays that a loop or a branch may leave as the first one."""
    instead, location = one.instead, one.refusal.location
    if instead is None or not instead.chosen or location is None:
        return one
    order = memory_order.asked(ctx, instead.chosen, facts.members)
    if order is None:
        raise one.refusal
    with ctx.block(Builder()) as builder:
        lies = [ctx.emit(n.Mergeable(view, axis), PYBOOL, location, IN_ORDER) for view, axis in _axes_of(order)]
        fault = n.Raise("weft.errors:UnsupportedError", _plain(one.refusal.message), (), location)
        for condition in lies:
            ctx.append(n.If(condition, n.Block(), n.Block((fault,)), location=location))
    return replace(one, instead=replace(instead, guard=(*builder.statements, *instead.guard)))


def _with_views(ctx: Context, block: n.Block, told: dict[str, SharedView]) -> n.Block:
    """A block with views in place of copies."""
    statements: list[n.Statement] = []
    for statement in block.statements:
        inner = tuple(_with_views(ctx, b, told) for b in blocks_of(statement))
        statements.append(with_blocks(statement, inner) if inner else statement)
        if isinstance(statement, n.Let) and statement.var.name in told:
            _replace(ctx, statements, told[statement.var.name])
    return n.Block(tuple(statements), block.yields)


def _replace(ctx: Context, statements: list[n.Statement], one: SharedView) -> None:
    """Put a view in place of a copy, which is what stands at the end."""
    made, instead = typed(n.Let, statements[-1]), one.instead
    assert instead is not None
    first = next(k for k, s in enumerate(statements) if isinstance(s, n.Let) and s.var.name == one.copy.name)
    copying = statements[first:-1]
    del statements[first:]
    statements += instead.before
    if instead.condition == TRUE:
        (view,) = instead.then.yields
        axes = typed(n.Subview, made.value).axes
        statements += [*instead.then.statements, replace(made, value=n.Subview(typed(n.Var, view), axes, "safe"))]
        return
    if instead.condition == FALSE:
        statements += [*instead.guard, *copying, made]
        return
    copy = ctx.names.fresh(SHARED_VIEW, made.var.type)
    orelse = n.Block((*instead.guard, *copying, replace(made, var=copy)), (copy,))
    statements.append(n.If(instead.condition, instead.then, orelse, (made.var,), made.location))


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
        self.noted = frozenset(ctx.shared_views)
        for view in views[1:]:
            self._join(view, views[0])
        self._read(body, ())
        self.returned = {atom.name for atom in body.yields if isinstance(atom, n.Var) and isinstance(atom.type, View)}
        self.copied = [
            (name, base.name) for name, one in ctx.shared_views.items() for base in one.bases if name in self.defined
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
            for result in results:
                for operand in statement.operands:
                    self._join(result, operand)
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
        """Where the array was made that a view is a part of, if it is known which; a copy may become a view."""
        while name in self.views:
            if name in self.noted:
                return ()
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
