"""``for`` and ``while``.

A loop's body is translated with its loop arguments given the types that they have on entry; where the body yields other
types the two are joined and the body is translated again, until the types stay. Carried are the variables that the body
assigns and that are read at the loop's head or after the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FunctionType
from typing import TypeAlias
from typing import cast as typed

from weft.errors import Error, TypeInferenceError
from weft.frontend.calls import library_iterators
from weft.frontend.control import any_order, catching, conditions, generators, infinite, iteration, targets
from weft.frontend.control.carried import Carrying, is_one_type
from weft.frontend.control.joins import branch, in_scope, join, translate_side
from weft.frontend.control.liveness import has_break, has_return, own_nodes
from weft.frontend.values import lists, tables
from weft.frontend.values.dispatch import evaluate
from weft.frontend.values.scope import Binding, Builder, Context, Environment, Key, Loop, view_type
from weft.frontend.values.values import (
    FALSE,
    ITERATORS,
    ONE,
    TRUE,
    Generated,
    Instance,
    Value,
    children,
    describe_value,
    is_view,
    scalar_type,
    type_name,
)
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYINT

Run: TypeAlias = Callable[[Context, Sequence[ast.stmt]], None]
"""Translates a list of statements."""


def header(ctx: Context, node: ast.For | ast.While) -> Location:
    """The place of a loop: its first line without its body."""
    place = ctx.location(node)
    last = node.iter if isinstance(node, ast.For) else node.test
    if ctx.frame.hidden:
        return place
    end = ctx.location(last)
    return Location(
        place.file, place.line, place.column, end.end_line, end.end_column, place.function, place.call
    )  # fmt: skip


class _Jumps:
    """The flags of a loop that its jumps need, bound before it and read after it."""

    def __init__(self, ctx: Context, node: ast.For | ast.While) -> None:
        self.ctx = ctx
        self.node = node
        self.breaks = has_break(node)
        self.left_by = ctx.frame.left_by if generators.has_yield(node.body) else ()
        self.returns = has_return(node.body) or bool(self.left_by)
        self.alive = f"$alive{id(node)}" if self.breaks or ctx.tries else None
        self.outermost = False

    def enter(self) -> None:
        """Bind the flags and make the loop the current one."""
        ctx, frame = self.ctx, self.ctx.frame
        if self.alive is not None:
            ctx.set_flag(self.alive, True)
        if self.returns and frame.key("$running") not in ctx.environment.bindings:
            ctx.set_flag("$running", True)
            self.outermost = True
        if self.returns and not frame.stops:
            ctx.environment.bindings.pop(frame.key("$value"), None)
        frame.loops.append(Loop(self.alive))

    def flags(self) -> list[str | Key]:
        """The flags and other variables of Weft's own that the body may change."""
        names: list[str | Key] = [self.alive] if self.alive is not None else []
        if self.returns or self.ctx.tries:
            names += [loop.alive for loop in self.ctx.frame.loops[:-1] if loop.alive is not None]
        if self.returns:
            names += ["$running", "$value", *self.left_by]
        return [*names, *(key for one in self.ctx.tries for key in (one.key, *one.all_held()))]

    @property
    def exit(self) -> str | None:
        """The flag that ends the loop."""
        return self.alive if self.alive is not None else "$running" if self.returns else None

    def leave(self, run: Run, endless: bool = False) -> None:
        """After the loop: where control goes on, and the ``else`` clause."""
        ctx = self.ctx
        ctx.frame.loops.pop()
        self._set_fall(endless)
        if self.alive is None:
            run(ctx, self.node.orelse)
        elif self.node.orelse:
            self._run_else(run)
        if self.alive is not None:
            ctx.environment.bindings.pop(ctx.frame.key(self.alive), None)

    def _set_fall(self, endless: bool) -> None:
        ctx = self.ctx
        if ctx.environment.fall is None:
            return
        ctx.environment.fall = ctx.flag("$running") if self.returns else TRUE
        if endless and not self.breaks:
            ctx.environment.fall = FALSE if self.returns or catching.may_be_raised(ctx) else None
        if ctx.environment.fall is not None:
            ctx.environment.fall = catching.after_loop(ctx, ctx.environment.fall, self.node)
        if self.outermost:
            ctx.environment.bindings.pop(ctx.frame.key("$running"), None)

    def _run_else(self, run: Run) -> None:
        ctx = self.ctx
        assert self.alive is not None

        def orelse() -> None:
            ctx.environment.fall = TRUE
            run(ctx, self.node.orelse)

        live = ctx.frame.liveness.joined.get(id(self.node))
        branch(ctx, ctx.flag(self.alive), orelse, lambda: None, ctx.location(self.node.orelse[0]), live)


# ------------------------------------------------------------------------------------------------------- for


def translate_for(ctx: Context, node: ast.For, run: Run) -> None:
    """Translate a ``for`` loop; `run` translates lists of statements."""
    any_order.run_loop(ctx, node, lambda: _translate_for(ctx, node, run))


def _translate_for(ctx: Context, node: ast.For, run: Run) -> None:
    from weft.frontend.calls import inlining

    iterable = evaluate_iterable(ctx, node.iter)
    iterable = generators.plain(ctx, iterable, node.iter)
    if isinstance(iterable, Instance) and iterable.type is library_iterators.Iterator:
        made = typed(FunctionType, library_iterators.remaining)
        iterable = inlining.call_function(ctx, made, [iterable], {}, node.iter)
    _use_up(ctx, iterable, node.iter)
    if isinstance(iterable, Generated):
        with inside_of_loop(ctx):
            generators.run_over(ctx, node, iterable, run, _Jumps(ctx, node))
        return
    iterable = tables.looped(ctx, iterable, node.iter)
    is_given = _is_empty_argument(iterable)
    is_empty = isinstance(node.target, ast.Tuple) and lists.is_empty_argument(iterable)
    is_empty = is_empty or (is_given and ctx.frame.hidden)
    is_empty = is_empty or lists.is_never_filled(ctx, iterable, node.iter)
    items = () if is_empty else iteration.static_items(iterable)
    with inside_of_loop(ctx):
        if items is not None:
            _unroll(ctx, node, items, run)
        elif not is_given:
            _translate_over(ctx, node, iterable, run)
        elif not _translated(ctx, lambda: _translate_over(ctx, node, iterable, run)):
            _unroll(ctx, node, (), run)


def _translate_over(ctx: Context, node: ast.For, iterable: Value, run: Run) -> None:
    with lists.iterated(ctx, iterable):
        _translate_counted(ctx, node, iteration.counted(ctx, iterable, node.iter), run)


def _is_empty_argument(value: Value) -> bool:
    """Whether a loop runs over a list without elements that is an argument: nobody knows what they would be."""
    inner = children(value) if isinstance(value, ITERATORS) else ()
    return lists.is_empty_argument(value) or any(map(_is_empty_argument, inner))


def _translated(ctx: Context, translate: Callable[[], None]) -> bool:
    """Whether statements can be translated; where they cannot, nothing of them is left."""
    before, snapshot, errors = ctx.environment.copy(), ctx.snapshot(), len(ctx.errors)
    try:
        with ctx.block() as builder:
            translate()
    except Error:
        done = False
    else:
        done = len(ctx.errors) == errors
    if done:
        ctx.splice(builder)
    else:
        ctx.restore(snapshot)
        ctx.environment = before
    return done


@contextmanager
def inside_of_loop(ctx: Context) -> Iterator[None]:
    """Inside, statements may run more than once."""
    before = ctx.loops
    ctx.loops = (*before, object())
    try:
        yield
    finally:
        ctx.loops = before


def _use_up(ctx: Context, value: Value, node: ast.expr) -> None:
    """Refuse to run over an iterator that a loop may have run over: what it has left is not known."""
    if not isinstance(value, ITERATORS):
        return
    made_in, _ = ctx.iterators.get(id(value), (() if isinstance(node, ast.Name) else ctx.loops, value))
    if id(value) in ctx.used_up or made_in[: len(ctx.loops)] != ctx.loops:
        raise ctx.refusal("iterator used twice", node, what=describe_value(value))
    ctx.used_up[id(value)] = value
    for child in children(value):
        _use_up(ctx, child, node)


def _translate_counted(ctx: Context, node: ast.For, counted: iteration.Counted, run: Run) -> None:
    jumps = _Jumps(ctx, node)
    jumps.enter()
    names = infinite.starts(ctx, node) if jumps.exit is None else []
    if not (names and _Infinite(ctx, node, counted, jumps, run, names).translate()):
        _Changing(ctx, node, counted, jumps, run).translate()
    jumps.leave(run)


class _Infinite:
    """A loop in which variables that start at infinity may become integers: see `infinite`."""

    def __init__(
        self, ctx: Context, node: ast.For, counted: iteration.Counted, jumps: _Jumps, run: Run, names: Sequence[str]
    ) -> None:
        self.ctx = ctx
        self.node = node
        self.counted = counted
        self.jumps = jumps
        self.run = run
        self.keys = [ctx.frame.key(name) for name in names]

    def translate(self) -> bool:
        """Translate the loop with its first iteration beside it, if it needs that."""
        ctx, before = self.ctx, self.ctx.environment.copy()
        snapshot, errors = ctx.snapshot(), len(ctx.errors)
        if self._is_plain(errors):
            done = False
        else:
            ctx.restore(snapshot)
            ctx.environment = before.copy()
            with ctx.block() as builder:
                done = self._peeled() and len(ctx.errors) == errors
        if done:
            ctx.splice(builder)
        else:
            ctx.restore(snapshot)
            ctx.environment = before
        return done

    def _is_plain(self, errors: int) -> bool:
        """Whether the loop as it stands gives its variables one type each; tried, and to be forgotten."""
        ctx = self.ctx
        try:
            with ctx.block():
                _Counted(ctx, self.node, self.counted, self.jumps, self.run).translate()
        except TypeInferenceError:
            return False
        bindings = (ctx.environment.bindings.get(key) for key in self.keys)
        return len(ctx.errors) == errors and all(b is None or b.problem is None for b in bindings)

    def _peeled(self) -> bool:
        ctx, counted = self.ctx, self.counted
        location = header(ctx, self.node)
        ran = ctx.emit(n.Compare("lt", counted.start, counted.stop), TRUE.type, location, "ran")
        constants = {key: ctx.environment.bindings[key].value for key in self.keys}
        runs, never = translate_side(ctx, self._first_and_rest), translate_side(ctx, lambda: None)
        changed = [key for key in self.keys if runs.environment.bindings[key].value != constants[key]]
        if not all(infinite.is_whole(runs.environment.bindings[key].value) for key in changed):
            return False
        for key in changed:
            missing = infinite.message(key[1], constants[key])
            never.environment.bindings[key] = Binding(None, FALSE, location, missing=missing)
        join(ctx, ran, runs, never, location, ctx.frame.liveness.around(self.node))
        return bool(changed)

    def _first_and_rest(self) -> None:
        _first_and_rest(self.ctx, self.node, self.counted, self.jumps, self.run)


def _first_and_rest(ctx: Context, node: ast.For, counted: iteration.Counted, jumps: _Jumps, run: Run) -> None:
    """The first iteration, and a loop over the others, unless the first one leaves the loop."""
    targets.assign(ctx, node.target, counted.item(counted.start), node.target)
    with ctx.followed(False):
        run(ctx, node.body)
    if ctx.environment.fall is None:
        return
    ctx.environment.fall = TRUE

    def rest() -> None:
        second = ctx.emit(n.Binary("add", counted.start, ONE, checked=False), PYINT, node.iter)
        if ctx.is_nonnegative(counted.start):
            ctx.nonnegative.add(second.name)
        _Counted(ctx, node, replace(counted, start=second), jumps, run).translate()

    goes_on = ctx.flag(jumps.exit) if jumps.exit is not None else TRUE
    if goes_on == TRUE:
        rest()
    elif isinstance(goes_on, n.Var):
        branch(ctx, goes_on, rest, lambda: None, ctx.location(node.iter), ctx.frame.liveness.around(node))


class _Changing:
    """A loop, translated with its first iteration beside it where that changes the type of a variable.

    ``x = np.array([1, 1])`` and then ``x = A @ x / 2`` in the loop: integers before it, floats after one iteration.
    Where the loop does not run, using such a variable after it is an error when the program runs.
    """

    def __init__(self, ctx: Context, node: ast.For, counted: iteration.Counted, jumps: _Jumps, run: Run) -> None:
        self.ctx = ctx
        self.node = node
        self.counted = counted
        self.jumps = jumps
        self.run = run
        self.before = ctx.environment.copy()
        self.snapshot = ctx.snapshot()
        self.errors = len(ctx.errors)
        self.depth = len(ctx.frame.loops)

    def translate(self) -> None:
        """Translate the loop as it stands, or else with its first iteration beside it."""
        failed, builder = self._tried(self._plain)
        found = [*self.ctx.errors[self.errors :], *([failed] if failed is not None else [])]
        if found and all(getattr(error, "is_of_changing_type", False) for error in found):
            self._forget()
            failed, builder = self._tried(self._peeled)
            if failed is not None or len(self.ctx.errors) > self.errors:
                self._forget()
                failed, builder = self._tried(self._plain)
        if failed is not None:
            raise failed
        self.ctx.splice(builder)

    def _tried(self, translate: Callable[[], None]) -> tuple[Error | None, Builder]:
        with self.ctx.block() as builder:
            try:
                translate()
            except Error as error:
                return error, builder
        return None, builder

    def _forget(self) -> None:
        ctx = self.ctx
        ctx.restore(self.snapshot)
        ctx.environment = self.before.copy()
        del ctx.frame.loops[self.depth :]

    def _plain(self) -> None:
        _Counted(self.ctx, self.node, self.counted, self.jumps, self.run).translate()

    def _peeled(self) -> None:
        ctx, location = self.ctx, header(self.ctx, self.node)
        ran = ctx.emit(n.Compare("lt", self.counted.start, self.counted.stop), TRUE.type, location, "ran")
        runs, never = translate_side(ctx, self._first_and_rest), translate_side(ctx, lambda: None)
        for key, new in runs.environment.bindings.items():
            old = never.environment.bindings.get(key)
            if old and old.value and new.value and not is_one_type(ctx, old.value, new.value):
                message = _unchanged(key[1], old.value, new.value)
                never.environment.bindings[key] = Binding(None, FALSE, location, missing=message)
        join(ctx, ran, runs, never, location, ctx.frame.liveness.around(self.node))

    def _first_and_rest(self) -> None:
        _first_and_rest(self.ctx, self.node, self.counted, self.jumps, self.run)


def _unchanged(name: str, old: Value, new: Value) -> str:
    """The error of using a variable that has another type since its loop did not run."""
    what = (
        f"'{name}' is still {describe_value(old)} here, since the loop did not run, and {describe_value(new)} otherwise"
    )
    first, second = (scalar_type(value) for value in (old, new))
    if first is not None and second is not None:
        return f"{what}: write {name} = {type_name(second)}({name}) before the loop"
    if is_view(old) and is_view(new):
        a, b = (view_type(typed(n.Var, value)) for value in (old, new))
        if a.ndim == b.ndim:
            change = "copy()" if a.element == b.element else f"astype(np.{b.element})"
            return f"{what}: write {name} = {name}.{change} before the loop"
    return f"{what}: give it its type before the loop"


def evaluate_iterable(ctx: Context, node: ast.expr) -> Value:
    """What a loop runs over; a list of constants or values may stand there as a tuple."""
    if isinstance(node, ast.List):
        return tuple(evaluate(ctx, item) for item in node.elts)
    return evaluate(ctx, node)


class _Counted:
    """A ``for`` loop that becomes a `For`."""

    def __init__(self, ctx: Context, node: ast.For, counted: iteration.Counted, jumps: _Jumps, run: Run) -> None:
        self.ctx = ctx
        self.node = node
        self.counted = counted
        self.jumps = jumps
        self.run = run
        self.index: n.Var
        self.location = header(ctx, node)

    def translate(self) -> None:
        ctx = self.ctx
        carrying = Carrying(
            ctx, self.node, self.jumps.flags(), self.counted.always_runs, self._ran, second=self._second
        )
        (body,) = carrying.settle(self._body)
        carried = carrying.finish(body, self.location)
        ctx.append(
            n.For(
                iteration.label_of(self.node.target),
                self.index,
                self.counted.start,
                self.counted.stop,
                carried.body(body),
                carried.args,
                carried.results,
                carried.position(self.jumps.exit),
                self.counted.claim,
                location=self.location,
            )
        )
        carrying.bind(carried)

    def _ran(self) -> n.Atom:
        """Whether the loop runs at all."""
        compared = n.Compare("lt", self.counted.start, self.counted.stop)
        return self.ctx.emit(compared, TRUE.type, self.location, "ran")

    def _second(self) -> n.Atom:
        """Whether it is the second iteration or a later one."""
        compared = n.Compare("gt", self.index, self.counted.start)
        return self.ctx.emit(compared, TRUE.type, self.location, "later")

    def _body(self) -> list[Builder]:
        ctx = self.ctx
        self.index = ctx.names.fresh(self.counted.index_name(self.node.target), PYINT)
        if ctx.is_nonnegative(self.counted.start):
            ctx.nonnegative.add(self.index.name)
        with ctx.block() as builder, ctx.followed(False):
            in_scope(ctx, self._iteration)
        return [builder]

    def _iteration(self) -> None:
        ctx = self.ctx
        before = len(ctx.builder.statements)
        item = self.counted.item(self.index)
        if isinstance(self.node.target, ast.Name):
            item = ctx.named(item, self.node.target.id, before)
        targets.assign(ctx, self.node.target, item, self.node.target)
        self.run(ctx, self.node.body)


def _unroll(ctx: Context, node: ast.For, items: Sequence[Value], run: Run) -> None:
    """A loop over a tuple: its body once for each item, since items may have different types."""
    jumps = _Jumps(ctx, node)
    jumps.enter()
    _unrolled(ctx, node, list(items), jumps, run)
    jumps.leave(run)


def _unrolled(ctx: Context, node: ast.For, items: list[Value], jumps: _Jumps, run: Run) -> None:
    for position, item in enumerate(items):
        targets.assign(ctx, node.target, item, node.target)
        with ctx.followed(False):
            run(ctx, node.body)
        if ctx.environment.fall is None:
            return
        ctx.environment.fall = TRUE
        goes_on = ctx.flag(jumps.exit) if jumps.exit is not None else TRUE
        if goes_on == FALSE:
            return
        if isinstance(goes_on, n.Var):
            rest = items[position + 1 :]
            names = ctx.frame.liveness.around(node)
            branch(
                ctx, goes_on, lambda: _unrolled(ctx, node, rest, jumps, run), lambda: None,  # noqa: B023
                ctx.location(node.iter), names,
            )  # fmt: skip
            return


# ----------------------------------------------------------------------------------------------------- while


def translate_while(ctx: Context, node: ast.While, run: Run) -> None:
    """Translate a ``while`` loop; `run` translates lists of statements."""
    jumps = _Jumps(ctx, node)
    jumps.enter()
    before, count, environment = ctx.snapshot(), len(ctx.builder.statements), ctx.environment.copy()
    with inside_of_loop(ctx):
        loop = _While(ctx, node, jumps, run, _assigns(ctx, node.test) or bool(ctx.tries))
        try:
            loop.translate()
        except _ConditionAssigns:
            ctx.restore(before)
            del ctx.builder.statements[count:]
            ctx.environment = environment
            loop = _While(ctx, node, jumps, run, True)
            loop.translate()
    jumps.leave(run, loop.endless)


class _ConditionAssigns(Exception):
    """A call in a condition assigned the field of an object, or changed a list; never shown."""


class _While:
    """A ``while`` loop.

    Where the condition assigns variables, which the body must see, it moves into the body (`inside`): the loop then
    runs while a flag holds that the body sets.
    """

    def __init__(self, ctx: Context, node: ast.While, jumps: _Jumps, run: Run, inside: bool) -> None:
        self.ctx = ctx
        self.node = node
        self.jumps = jumps
        self.run = run
        self.location = header(ctx, node)
        self.inside = inside
        self.goes = f"$goes{id(node)}"
        self.endless = isinstance(node.test, ast.Constant) and bool(node.test.value)

    def translate(self) -> None:
        ctx = self.ctx
        flags = self.jumps.flags()
        if self.inside:
            ctx.set_flag(self.goes, True)
            flags = [*flags, self.goes]
        tested = [f for f in (self.jumps.exit, self.goes if self.inside else None) if f is not None]
        carrying = Carrying(ctx, self.node, flags, self.endless, None, tested, self.inside)
        test, body = carrying.settle(self._blocks)
        carried = carrying.finish(body, self.location)
        condition_block = carried.substituted(n.Block(tuple(test.statements), (self.holds,)))
        loop = n.While("while", condition_block, carried.body(body), carried.args, carried.results, self.location)
        ctx.append(loop)
        carrying.bind(carried)
        if self.inside:
            ctx.environment.bindings.pop(ctx.frame.key(self.goes), None)

    def _blocks(self) -> list[Builder]:
        ctx = self.ctx
        head = ctx.environment.copy()
        with ctx.block() as test:
            self.holds = self._condition()
        if not self.inside and _changed(head, ctx.environment):
            raise _ConditionAssigns
        ctx.environment = head
        for flag in (self.jumps.exit, self.goes if self.inside else None):
            if flag is not None:
                ctx.set_flag(flag, True)
        with ctx.block() as body, ctx.followed(False):
            in_scope(ctx, self._body)
        return [test, body]

    def _condition(self) -> n.Atom:
        ctx = self.ctx
        flags = [f for f in (self.jumps.exit, self.goes if self.inside else None) if f is not None]
        computes: list[Callable[[], n.Atom]] = [lambda flag=flag: ctx.flag(flag) for flag in flags]  # type: ignore[misc]
        if not self.inside:
            computes.append(lambda: conditions.condition(ctx, self.node.test))
        return conditions.short_circuit(ctx, True, computes, self.node.test)

    def _body(self) -> None:
        ctx = self.ctx
        if not self.inside:
            self.run(ctx, self.node.body)
            return
        test = conditions.condition(ctx, self.node.test)
        live = ctx.frame.liveness.around(self.node)
        branch(
            ctx, test, lambda: self.run(ctx, self.node.body), lambda: ctx.set_flag(self.goes, False),
            self.location, live,
        )  # fmt: skip


def _changed(before: Environment, after: Environment) -> bool:
    """Whether a variable has another value than before."""
    found = ((binding, after.bindings.get(key)) for key, binding in before.bindings.items())
    return any(now is None or now.value is not then.value for then, now in found)


def _assigns(ctx: Context, test: ast.expr) -> bool:
    """Whether evaluating a condition may assign variables."""
    nodes = list(own_nodes([test]))
    if any(isinstance(node, ast.NamedExpr) for node in nodes):
        return True
    writes = bool(ctx.written_by_nested) or any(frame.nested_writes for frame in ctx.frame.callers())
    return writes and any(isinstance(node, ast.Call) for node in nodes)
