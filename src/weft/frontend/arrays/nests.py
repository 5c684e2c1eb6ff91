"""Nests of loops over the elements of an array expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeAlias
from typing import cast as typed

from weft.frontend.arrays import memory_order
from weft.frontend.arrays.each import Indices, each_element
from weft.frontend.arrays.extents_of import Extents, extents_of, same
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.values import ONE, TRUE, ZERO, ArrayExpression, Value, is_view
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT, Scalar, View


class Elements:
    """The elements of a value inside a nest over `extents`.

    Made outside of the nest. Where `spread` is set, extents of operands may be 1 that were not foreseen: these operands
    are views that stay on one element.
    """

    def __init__(self, ctx: Context, value: Value, extents: Extents, node: ast.AST, spread: bool = False) -> None:
        self.ctx, self.value, self.extents, self.node, self.spread = ctx, value, extents, node, spread
        self.views: dict[str, n.Var] = {}
        self.positions: dict[int, list[Elements]] = {}
        self._prepare(value)

    def _prepare(self, value: Value) -> None:
        if isinstance(value, ArrayExpression) and value.pick is not None:
            arrays = value.operands[1:]
            inner = [Elements(self.ctx, array, value.spanned, self.node, self.spread) for array in arrays]
            self.positions[id(value)] = inner
        elif isinstance(value, ArrayExpression):
            for operand in value.operands:
                self._prepare(operand)
        elif isinstance(value, n.Var) and is_view(value) and value.name not in self.views:
            self.views[value.name] = self._spread(value) if self.spread else value

    def _spread(self, view: n.Var) -> n.Var:
        """The view with extents of 1 repeated; a view that needs none is itself."""
        ctx, own = self.ctx, extents_of(self.ctx, view, self.node)
        whole = self.extents[len(self.extents) - len(own) :]
        if all(same(ctx, a, b) or a == ONE for a, b in zip(own, whole, strict=True)):
            return view
        axes = [self._axis(a, b) for a, b in zip(own, whole, strict=True)]
        type = view_type(view)
        return ctx.emit(n.Subview(view, tuple(axes)), View(type.element, type.ndim, False, type.writable), self.node)

    def _axis(self, own: n.Atom, whole: n.Atom) -> n.Slice:
        if same(self.ctx, own, whole) or own == ONE:
            return n.Slice(ZERO, own, ONE)
        repeated = self.ctx.emit(n.Compare("eq", own, ONE), PYBOOL, self.node)
        step = self.ctx.emit(n.Select(repeated, ZERO, ONE), PYINT, self.node)
        return n.Slice(ZERO, whole, step)

    def at(self, indices: Indices) -> n.Atom:
        """Emit the element at a position, inside of the nest."""
        return self._at(self.value, indices, {})

    def _at(self, value: Value, indices: Indices, known: dict[str, n.Atom]) -> n.Atom:
        if isinstance(value, ArrayExpression) and value.pick is not None:
            return self._picked(value, indices)
        if isinstance(value, ArrayExpression):
            return value.compute([self._at(operand, indices, known) for operand in value.operands])
        assert isinstance(value, (n.Var, n.Const))
        if not is_view(value):
            return value
        assert isinstance(value, n.Var)
        if value.name not in known:
            known[value.name] = self._load(value, indices)
        return known[value.name]

    def _picked(self, value: ArrayExpression, indices: Indices) -> n.Atom:
        """An element that index arrays choose."""
        assert value.pick is not None
        place = self._place(value.extents, indices, self.spread)
        inner = place[value.front : value.front + len(value.spanned)]
        return value.pick(place, [elements.at(inner) for elements in self.positions[id(value)]])

    def _place(self, own: Extents, indices: Indices, spread: bool) -> Indices:
        """The position in an operand of the extents `own`."""
        part = indices[len(indices) - len(own) :]
        whole = self.extents[len(indices) - len(own) :]
        return tuple(self._index(a, b, k, spread) for a, b, k in zip(own, whole, part, strict=True))

    def _index(self, own: n.Atom, whole: n.Atom, index: n.Atom, spread: bool) -> n.Atom:
        if own == ONE and whole != ONE:
            return ZERO
        if not spread or same(self.ctx, own, whole):
            return index
        repeated = self.ctx.emit(n.Compare("eq", own, ONE), PYBOOL, self.node)
        return self.ctx.emit(n.Select(repeated, ZERO, index), PYINT, self.node)

    def _load(self, view: n.Var, indices: Indices) -> n.Atom:
        place = self._place(extents_of(self.ctx, view, self.node), indices, False)
        element = typed(Scalar, view_type(view).element)
        return self.ctx.emit(n.Load(self.views[view.name], place, "safe"), element, self.node)


def agreeing(
    ctx: Context, agree: Sequence[n.Atom], emit: Callable[[bool], Sequence[n.Atom]], node: ast.AST
) -> list[n.Atom]:
    """Code for shapes that agree, and other code for those that are broadcast unforeseen; gives their results."""
    condition = all_of(ctx, agree, node)
    if condition == TRUE:
        return list(emit(False))
    sides = []
    for spread in (False, True):
        with ctx.block(Builder()) as builder:
            atoms = emit(spread)
        sides.append(n.Block(tuple(builder.statements), tuple(atoms)))
    results = tuple(ctx.names.fresh("t", atom.type) for atom in sides[0].yields)
    ctx.append(n.If(condition, sides[0], sides[1], results, ctx.location(node)))
    return list(results)


def all_of(ctx: Context, conditions: Sequence[n.Atom], node: ast.AST) -> n.Atom:
    """Whether all conditions hold."""
    whole: n.Atom = TRUE
    for one in dict.fromkeys(conditions):
        if isinstance(one, n.Const):
            whole = whole if one.value else one
            continue
        if isinstance(whole, n.Const) and not whole.value:
            break
        whole = one if whole == TRUE else ctx.emit(n.Binary("and", whole, one, checked=False), PYBOOL, node)
    return whole


def stored(
    ctx: Context, target: n.Var, value: Value, extents: Extents, convert: Callable[[n.Atom], n.Atom], node: ast.AST
) -> None:
    """Write the elements of a value to an array of the shape `extents`."""

    def emit(spread: bool) -> list[n.Atom]:
        elements = Elements(ctx, value, extents, node, spread)

        def store(indices: Indices) -> None:
            atom = convert(elements.at(indices))
            ctx.append(n.Store(target, indices, atom, "safe", location=ctx.location(node)))

        each_element(ctx, extents, store, node)
        return []

    agreeing(ctx, value.agree if isinstance(value, ArrayExpression) else (), emit, node)


def allocated(ctx: Context, extents: Extents, element: Scalar, node: ast.AST, stem: str = "t") -> n.Var:
    """A new array whose elements are still to be written."""
    array = ctx.emit(n.Alloc(extents, element), View(element, len(extents), True), node, stem)
    ctx.extents[array.name] = extents
    return array


def materialised(ctx: Context, value: Value, node: ast.AST, stem: str = "t") -> n.Var:
    """An expression as a new array, or as the view that it is in NumPy; an array as it is."""
    if not isinstance(value, ArrayExpression):
        assert isinstance(value, n.Var) and is_view(value)
        return value
    if value.shares:
        from weft.frontend.arrays import shared_views

        return shared_views.named(ctx, value, node)
    return computed(ctx, value, node, stem)


def computed(ctx: Context, value: ArrayExpression, node: ast.AST, stem: str = "t") -> n.Var:
    """An expression as a new array."""
    array = allocated(ctx, value.extents, value.element, node, stem)
    memory_order.note(ctx, array, memory_order.of_all(ctx, (value,)))
    stored(ctx, array, value, value.extents, lambda atom: atom, node)
    return array


# ---------------------------------------------------------------------------------------------------------- folds

Step: TypeAlias = Callable[[Indices, "list[n.Atom]"], "list[n.Atom]"]


def fold(
    ctx: Context, extents: Extents, start: Sequence[n.Atom], step: Step, node: ast.AST, outer: Indices = ()
) -> list[n.Atom]:
    """Loops over all positions that carry values; `step` emits an iteration and gives the next values."""
    axis = len(outer)
    if axis == len(extents):
        return step(outer, list(start))
    index = ctx.names.fresh("ijklmnpq"[axis % 8], PYINT)
    ctx.nonnegative.add(index.name)
    args = [n.LoopArg(ctx.names.fresh("fold", atom.type), atom) for atom in start]
    with ctx.block(Builder()) as builder:
        atoms = fold(ctx, extents, [arg.var for arg in args], step, node, (*outer, index))
    results = tuple(ctx.names.fresh("fold", arg.var.type) for arg in args)
    body = n.Block(tuple(builder.statements), tuple(atoms))
    loop = n.For(f"axis{axis}", index, ZERO, extents[axis], body, tuple(args), results, location=ctx.location(node))
    ctx.append(loop)
    return list(results)
