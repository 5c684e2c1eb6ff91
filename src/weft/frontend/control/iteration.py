"""What a ``for`` loop can run over, as a count of iterations and the item of each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from weft.dataclass import dataclass
from weft.frontend import members
from weft.frontend.arrays import indexing
from weft.frontend.arrays.sizes import arithmetic, as_index, product
from weft.frontend.values import enum_members, lists, tables, texts
from weft.frontend.values.convert import cast
from weft.frontend.values.scope import Builder, Context, view_type
from weft.frontend.values.text_model import is_textual
from weft.frontend.values.values import (
    ONE,
    ZERO,
    Enumerated,
    Flat,
    Generated,
    Instance,
    Mapped,
    Places,
    Range,
    Reversed,
    Static,
    Value,
    Zipped,
    children,
    describe_value,
    is_view,
)
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT


@dataclass(frozen=True)
class Counted:
    """A loop as `For` has it: bounds, the item of an iteration, and the claim of the user."""

    start: n.Atom
    stop: n.Atom
    item: Callable[[n.Atom], Value]
    claim: n.Claim = "range"
    direct: bool = False
    """The item is the index itself."""

    @property
    def always_runs(self) -> bool:
        """Whether there is surely an iteration."""
        if isinstance(self.start, n.Const) and isinstance(self.stop, n.Const):
            return int(self.start.value.real) < int(self.stop.value.real)
        return False

    def index_name(self, target: ast.expr) -> str:
        """The stem of the loop index."""
        return target.id if self.direct and isinstance(target, ast.Name) else f"{label_of(target)}_index"


LOOPS_RUN_OVER = "loop over range, weft.prange, an array, a list, a tuple, enumerate, zip, reversed or np.ndindex"


def label_of(target: ast.expr) -> str:
    """The label of a loop: its first variable."""
    names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return names[0] if names else "loop"


def static_items(value: Value) -> tuple[Value, ...] | None:
    """The items where their number is known when compiling, because a tuple takes part; None otherwise."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Static) and isinstance(value.value, type):
        return enum_members.all_members(value.value) or None
    if isinstance(value, Instance) and value.is_tuple and members.is_plain_tuple(value.type):
        return value.items
    if isinstance(value, Instance) and lists.is_fixed(value):
        return value.items
    if isinstance(value, Enumerated) and isinstance(value.start, n.Const):
        inner = static_items(value.inner)
        first = int(value.start.value.real)
        return None if inner is None else tuple((n.Const(first + k, PYINT), item) for k, item in enumerate(inner))
    if isinstance(value, Reversed):
        inner = static_items(value.inner)
        return None if inner is None else inner[::-1]
    if isinstance(value, Zipped):
        columns = [static_items(item) for item in value.items]
        if value.strict and len({len(c) for c in columns if c is not None}) > 1:
            return None
        return tuple(zip(*[c for c in columns if c is not None], strict=False)) if None not in columns else None
    return None


def counted(ctx: Context, value: Value, node: ast.expr) -> Counted:
    """The loop over a value."""
    if isinstance(value, Range):
        return _over_range(ctx, value, node)
    length, item, claim = sequence(ctx, value, node)
    return Counted(ZERO, length, item, claim)


def _over_range(ctx: Context, value: Range, node: ast.expr) -> Counted:
    if value.step == ONE:
        return Counted(value.start, value.stop, lambda index: index, value.claim, direct=True)
    count = range_length(ctx, value, node)
    return Counted(ZERO, count, lambda index: range_item(ctx, value, index, node), value.claim)


def sequence(ctx: Context, value: Value, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    """The length of anything that a loop runs over, and its items by position."""
    value = tables.looped(ctx, value, node)
    if isinstance(value, Range):
        return range_length(ctx, value, node), lambda k: range_item(ctx, value, k, node), value.claim
    if isinstance(value, n.Var) and is_view(value):
        return _over_array(ctx, value, node)
    if lists.is_list(value):
        return *lists.items_for_loop(ctx, value, node), "range"
    if isinstance(value, Enumerated):
        return _enumerated(ctx, value, node)
    if isinstance(value, Reversed):
        return _reversed(ctx, value, node)
    if isinstance(value, Zipped):
        return _zipped(ctx, value, node)
    if isinstance(value, Mapped):
        return _mapped(ctx, value, node)
    if isinstance(value, Places):
        return _over_places(ctx, value, node)
    if isinstance(value, Flat):
        return _over_elements(ctx, value, node)
    if is_textual(value):
        return *texts.loop(ctx, value, node), "range"
    if isinstance(value, Generated):
        raise ctx.refusal("loop over a generator", node)
    raise ctx.type_error(
        f"a loop cannot run over {describe_value(value)}",
        node,
        hint=LOOPS_RUN_OVER,
    )


def _over_array(ctx: Context, view: n.Var, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    if view_type(view).ndim == 0:
        raise ctx.type_error("a loop cannot run over an array of 0 dimensions", node)
    length = ctx.dimension(view, 0, node)
    return length, lambda k: indexing.element(ctx, view, k, node, "safe"), "range"


def _enumerated(ctx: Context, value: Enumerated, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    length, item, claim = sequence(ctx, value.inner, node)

    def pair(k: n.Atom) -> Value:
        number = k if value.start == ZERO else arithmetic(ctx, "add", value.start, k, node, checked=True)
        return number, item(k)

    return length, pair, claim


def _reversed(ctx: Context, value: Reversed, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    length, item, claim = sequence(ctx, value.inner, node)
    last = arithmetic(ctx, "sub", length, ONE, node)
    return length, lambda k: item(arithmetic(ctx, "sub", last, k, node)), claim


def _zipped(ctx: Context, value: Zipped, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    if any(static_items(part) is not None for part in value.items) or not value.items:
        raise ctx.type_error("zip of tuples with arrays or ranges is not supported", node, hint="loop over a range")
    parts = [sequence(ctx, part, node) for part in value.items]
    lengths = [part[0] for part in parts]
    if value.strict and len(parts) > 1:
        return _strictly(ctx, lengths, [part[1] for part in parts], node)
    length = lengths[0]
    for other in lengths[1:]:
        length = arithmetic(ctx, "min", length, other, node)
    return length, lambda k: tuple(item(k) for _, item, _ in parts), parts[0][2]


def _strictly(
    ctx: Context, lengths: list[n.Atom], items: list[Callable[[n.Atom], Value]], node: ast.expr
) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    """``zip(..., strict=True)``: where lengths differ, there is one iteration more, which raises."""
    lengths = [arithmetic(ctx, "max", length, ZERO, node) for length in lengths]
    least = lengths[0]
    for other in lengths[1:]:
        least = arithmetic(ctx, "min", least, other, node)
    longer = [ctx.emit(n.Compare("gt", length, least), PYBOOL, node) for length in lengths]
    differ = longer[0]
    for one in longer[1:]:
        differ = ctx.emit(n.Binary("or", differ, one, checked=False), PYBOOL, node)
    count = arithmetic(ctx, "add", least, cast(ctx, differ, PYINT, node), node)

    def item(k: n.Atom) -> Value:
        with ctx.block(Builder()) as builder:
            _raise_unequal(ctx, longer, node)
        ended = ctx.emit(n.Compare("ge", k, least), PYBOOL, node)
        ctx.append(n.If(ended, n.Block(tuple(builder.statements)), location=ctx.location(node)))
        return tuple(one(k) for one in items)

    return count, item, "range"


def _raise_unequal(ctx: Context, longer: Sequence[n.Atom], node: ast.expr) -> None:
    """What zip raises where the first of its items have ended, and others are longer."""
    first = longer[0]
    is_last = ctx.emit(n.Unary("not", first, checked=False), PYBOOL, node)
    for k, other in enumerate(longer[1:], 2):
        before = "argument 1" if k == 2 else f"arguments 1-{k - 1}"
        shorter = ctx.emit(n.Unary("not", other, checked=False), PYBOOL, node)
        for one, two, words in ((is_last, other, "longer"), (first, shorter, "shorter")):
            test = ctx.emit(n.Binary("and", one, two, checked=False), PYBOOL, node)
            fault = n.Raise("ValueError", f"zip() argument {k} is {words} than {before}", (), ctx.location(node))
            ctx.append(n.If(test, n.Block((fault,)), location=fault.location))


def _mapped(ctx: Context, value: Mapped, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    from weft.frontend.calls.calls import call

    if static_items(value.inner) is not None:
        raise ctx.refusal("items that are computed", node, what="a loop over map", other="a tuple")
    length, item, claim = sequence(ctx, value.inner, node)

    def result(k: n.Atom) -> Value:
        given = item(k)
        return call(ctx, value.function, children(given) if value.several else [given], {}, node)

    return length, result, claim


def _over_places(ctx: Context, value: Places, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    extents = [as_index(ctx, extent, node) for extent in value.extents]
    return product(ctx, extents, node, checked=True), lambda k: _place(ctx, extents, k, node), "range"


def _over_elements(ctx: Context, value: Flat, node: ast.expr) -> tuple[n.Atom, Callable[[n.Atom], Value], n.Claim]:
    view = value.view
    assert isinstance(view, n.Var)
    type = view_type(view)
    extents = [ctx.dimension(view, axis, node) for axis in range(type.ndim)]

    def item(k: n.Atom) -> Value:
        return indexing.load_place(ctx, indexing.Place(view, _place(ctx, extents, k, node), "safe"), node)

    return product(ctx, extents, node, checked=True), item, "range"


def _place(ctx: Context, extents: Sequence[n.Atom], position: n.Atom, node: ast.AST) -> tuple[n.Atom, ...]:
    """The indices of the element at a position in C order."""
    found: list[n.Atom] = []
    for extent in reversed(extents[1:]):
        found.append(arithmetic(ctx, "mod", position, extent, node))
        position = arithmetic(ctx, "floordiv", position, extent, node)
    return (*((position,) if extents else ()), *reversed(found))


# ----------------------------------------------------------------------------------------------------- ranges


def make_range(ctx: Context, arguments: list[Value], node: ast.AST, claim: n.Claim = "range") -> Range:
    """``range(...)`` or `weft.prange` of one to three numbers."""
    if not 1 <= len(arguments) <= 3:
        raise ctx.type_error(f"range takes 1 to 3 arguments, and {len(arguments)} were given", node)
    numbers = [as_index(ctx, value, node) for value in arguments]
    start, stop = (ZERO, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) == 3 else ONE
    _check_step(ctx, step, node)
    return Range(start, stop, step, claim)


def _check_step(ctx: Context, step: n.Atom, node: ast.AST) -> None:
    location = ctx.location(node)
    fault = n.Raise("ValueError", "range() arg 3 must not be zero", (), location)
    if step == ZERO:
        ctx.append(fault)
    elif isinstance(step, n.Var):
        zero = ctx.emit(n.Compare("eq", step, ZERO), PYBOOL, node)
        ctx.append(n.If(zero, n.Block((fault,)), location=location))


def range_length(ctx: Context, value: Range, node: ast.AST) -> n.Atom:
    """The number of iterations; may be negative for an empty range, which `For` takes as empty."""
    if isinstance(value.step, n.Const):
        step = int(value.step.value.real)
        ends = (value.start, value.stop) if step > 0 else (value.stop, value.start)
        span = arithmetic(ctx, "sub", ends[1], ends[0], node, checked=True)
        if abs(step) <= 1:
            return span
        rounded = arithmetic(ctx, "add", span, n.Const(abs(step) - 1, PYINT), node, checked=True)
        return arithmetic(ctx, "floordiv", rounded, n.Const(abs(step), PYINT), node)
    span = arithmetic(ctx, "sub", value.start, value.stop, node, checked=True)
    quotient = arithmetic(ctx, "floordiv", span, value.step, node, checked=True)
    return arithmetic(ctx, "sub", ZERO, quotient, node, checked=True)


def range_item(ctx: Context, value: Range, position: n.Atom, node: ast.AST) -> n.Atom:
    """The number at a position, which is inside the range: nothing here can overflow."""
    if isinstance(value.step, n.Const) and value.step.value == -1:
        return arithmetic(ctx, "sub", value.start, position, node)
    offset = position if value.step == ONE else arithmetic(ctx, "mul", position, value.step, node)
    return arithmetic(ctx, "add", value.start, offset, node)
