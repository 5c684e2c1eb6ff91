"""Functions that call themselves: functions of the program, which `External` statements call.

A function that is found to call itself makes the translation begin anew (`with_functions`), and is then a function of
the program, one for each combination of types of its arguments. What it returns is found by repetition: at first calls
inside of it are taken never to return, so the types of the returns that do not depend on them are those of the result;
then calls give results of these types, until nothing changes.

A function sees variables outside of itself, fields of objects among them. All that it may see are parameters of it,
and those that it changes are results, too. Objects that it is given have numbers of their own inside. Parameters that
nobody reads are left out in the end (`closed_functions`), and captured values, which are the same in the whole program,
are added.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from itertools import count
from typing import ParamSpec, TypeAlias, TypeVar

from weft.errors import Error
from weft.frontend.anew import until_known
from weft.frontend.arrays.nests import materialised
from weft.frontend.recursion.parts import (
    Outcome,
    Recursion,
    Specialisation,
    atoms_of,
    entered,
    frames_seen,
    merged,
    note_place,
    number_of,
    objects_in,
    others_in,
    parameter,
    renumbered,
    shape_of,
    types_of,
)
from weft.frontend.recursion.ways import CACHED, COUNTED
from weft.frontend.several_types import forms, witnesses
from weft.frontend.values import mutable
from weft.frontend.values.convert import NoCommonTypeError, common_type, join_cast
from weft.frontend.values.scope import Binding, Builder, Context, Environment, Frame, Key, PoisonedError
from weft.frontend.values.values import (
    ITERATORS,
    NONE,
    ArrayExpression,
    Message,
    Value,
    children,
    describe_value,
    leaves,
    map_leaves,
    rebuilt,
    same_structure,
)
from weft.ir import nodes as n
from weft.ir.interface import reference_to
from weft.ir.types import PYBOOL, PYINT, Scalar, View

P = ParamSpec("P")
R = TypeVar("R")
Mark: TypeAlias = tuple[str, int, int, str]
"""Where a function stands in the source."""

KNOWN: ContextVar[set[Mark]] = ContextVar("RECURSIVE")
"""The functions that call themselves."""

TOO_DEEP = "maximum recursion depth exceeded"
MOST_ROUNDS = 8
MOST_FUNCTIONS = 40
"""How many functions of one program may be made: types that grow with every call never settle."""


class NeedsFunction(Exception):
    """A function calls itself that was inlined; never shown."""

    def __init__(self, mark: Mark) -> None:
        super().__init__(mark)
        self.mark = mark


def with_functions(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where more functions call themselves than was known."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        known: set[Mark] = set()
        token = KNOWN.set(known)
        try:
            return until_known(lambda: build(*args, **kwargs), NeedsFunction, lambda one: known.add(one.mark))
        finally:
            KNOWN.reset(token)

    return built


def mark_of(node: ast.AST, file: str, name: str) -> Mark:
    """What a function is known by."""
    own = name.rpartition(".")[2] + (getattr(node, "type_comment", None) or "")
    return file, getattr(node, "lineno", 0), getattr(node, "col_offset", 0), own


def is_known(node: ast.AST, file: str, name: str) -> bool:
    """Whether a function is known to call itself."""
    return mark_of(node, file, name) in KNOWN.get(set())


def needed(node: ast.AST, file: str, name: str) -> NeedsFunction:
    """What is raised where a function calls itself."""
    return NeedsFunction(mark_of(node, file, name))


def begin(ctx: Context, node: ast.AST) -> None:
    """Ask how many calls Python permits, where functions call themselves."""
    if KNOWN.get(set()):
        ctx.recursion = Recursion(ctx.emit(n.Room(n.CALLS), PYINT, node, "calls_left"))


# ----------------------------------------------------------------------------------------------------------- calls


def call(ctx: Context, frame: Frame, given: dict[str, Value], node: ast.AST) -> Value:
    """Call a function that calls itself."""
    state = ctx.recursion
    assert isinstance(state, Recursion)
    if ctx.root is not None and frame.function is ctx.root.function:
        frame.parent = ctx.root
    if ctx.in_function:
        raise ctx.type_error(
            f"{frame.name} calls itself, and is called by an associative function",
            node,
            hint="take weft.associative off the function that calls it",
        )
    given = {name: _passed(ctx, value, frame, node) for name, value in given.items()}
    for value in given.values():
        for atom in leaves(value):
            ctx.settle(atom)
    objects = objects_in(ctx, list(given.values()))
    own = {number: -1 - k for k, number in enumerate(objects)}
    fields = tuple(shape_of(renumbered(_fields_of(ctx, number), own)) for number in objects)
    shapes = tuple(
        (name, shape_of(renumbered(value, own)), tuple(types_of(ctx, atom, atom.type) for atom in leaves(value)))
        for name, value in given.items()
    )
    key = (id(frame.node), id(frame.function), None if frame.parent is None else frame.parent.number, shapes, fields)
    found = next((one for one in state.made if one.key == key and _fits(ctx, state, one, objects)), None)
    if found is None:
        found = _specialisation(ctx, state, frame, given, objects, key, node)
    _translate(ctx, state, found, node)
    return _emit(ctx, state, found, given, objects, node)


def _fields_of(ctx: Context, number: int) -> Value:
    binding = ctx.lookup(mutable.key_of(number))
    return NONE if binding is None or binding.value is None else binding.value


def _passed(ctx: Context, value: Value, frame: Frame, node: ast.AST) -> Value:
    """An argument: what is computed when it is used is computed before the call."""
    if isinstance(value, ArrayExpression):
        return materialised(ctx, value, node)
    if isinstance(value, (*ITERATORS, Message)):
        raise ctx.type_error(
            f"{frame.name} calls itself, and is given a {describe_value(value)}",
            node,
            cause="such functions are compiled for arguments that lie in memory",
            hint="give it an array, a list or numbers",
        )
    inner = children(value)
    return rebuilt(value, [_passed(ctx, item, frame, node) for item in inner]) if inner else value


def _is_taken(state: Recursion, family: object, key: Key, now: Value | None, entry: Value | None) -> bool:
    """Whether a variable has the type now that it has where a function begins, or one that becomes it."""
    if now is None or entry is None or shape_of(now) == shape_of(entry):
        return shape_of(now) == shape_of(entry)
    pairs = list(zip(leaves(now), leaves(entry), count()))
    return same_structure(now, entry) and all(
        a.type == b.type or state.wider.get((family, key, position)) == b.type for a, b, position in pairs
    )


def _fits(ctx: Context, state: Recursion, one: Specialisation, objects: Sequence[int]) -> bool:
    """Whether the variables that a function sees have the types now, and the constants, for which it was translated."""
    inside = dict(zip(one.objects, objects, strict=True))
    for key, entry in one.entries.items():
        binding = ctx.lookup(mutable.key_of(inside[number_of(key)]) if number_of(key) in inside else key)
        if binding is None or isinstance(binding.defined, n.Var) != isinstance(entry.defined, n.Var):
            return False
        now = binding.value and renumbered(binding.value, {outer: inner for inner, outer in inside.items()})
        if not _is_taken(state, _family(one.key), key, now, entry.value):
            return False
        pairs = list(zip(atoms_of(entry), atoms_of(binding), strict=True))
        if not all(types_of(ctx, atom, before.type) <= types_of(ctx, before, before.type) for before, atom in pairs):
            return False
        if any(isinstance(before, n.Const) and before != after for before, after in pairs):
            if not one.is_open:
                return False
            state.changed.add((_family(one.key), key))  # a call in the function itself: it is no constant there
            state.is_settled = False
    return True


def _specialisation(
    ctx: Context,
    state: Recursion,
    frame: Frame,
    given: dict[str, Value],
    objects: Sequence[int],
    key: object,
    node: ast.AST,
) -> Specialisation:
    if len(state.made) >= MOST_FUNCTIONS:
        raise ctx.type_error(
            f"'{frame.name}' calls itself with arguments of ever other types",
            node,
            hint="call it with arguments of the same types each time: convert them before the call",
        )
    numbers: dict[int, int] = {}
    for number in objects:
        ctx.objects += 1
        numbers[number] = ctx.objects
        note_place(ctx, number, ctx.objects)
    made = Specialisation(
        frame, key, _unique(state, frame), ctx.names.fresh("calls_left", PYINT), objects=tuple(numbers.values())
    )
    made.given = {name: map_leaves(renumbered(value, numbers), parameter(ctx, name)) for name, value in given.items()}
    fields = [binding.value for binding in ctx.environment.bindings.values() if binding.value is not None]
    held = [value for value in fields if isinstance(value, tuple)]
    seen = frames_seen(ctx, frame, [*given.values(), *held])
    for outer, binding in ctx.environment.bindings.items():
        if not (mutable.is_fields(outer) or outer[0] in seen):
            continue
        inner, changes = outer, (_family(key), outer) in state.changed
        if number_of(outer) in numbers:
            inner, changes = mutable.key_of(numbers[number_of(outer)]), True
        made.entries[inner] = entered(ctx, state, _family(key), inner, binding, numbers, changes)
    state.made.append(made)
    return made


def _family(key: object) -> object:
    """What the functions have in common that one makes for several types."""
    assert isinstance(key, tuple)
    return key[:3]


def _unique(state: Recursion, frame: Frame) -> str:
    name = frame.name.rpartition(".")[2].strip("<>")
    taken = {one.name for one in state.made}
    return next(c for c in (name, *(f"{name}_{k}" for k in range(2, len(taken) + 3))) if c not in taken)


# ----------------------------------------------------------------------------------------------------- translation


def _translate(ctx: Context, state: Recursion, one: Specialisation, node: ast.AST) -> None:
    """Translate a function, unless that was done, or is being done: in rounds, until no result changes."""
    if one.is_open or one.body is not None:
        return
    if state.active:
        _translate_once(ctx, state, one, node)
        return
    for _ in range(MOST_ROUNDS):
        snapshot = ctx.snapshot()
        state.is_settled, error = True, None
        try:
            _translate_once(ctx, state, one, node)
        except Error as raised:
            error = raised
        if state.is_settled:
            if error is not None:
                raise error
            return
        ctx.restore(snapshot)
        one.body = None
        _enter_anew(ctx, state, one)
    raise ctx.type_error(
        f"the type of what '{one.frame.name}' returns changes with how often it calls itself",
        node,
        hint="return a value of the same type on all ways, and convert it, as in float(...)",
    )


def _enter_anew(ctx: Context, state: Recursion, one: Specialisation) -> None:
    """Variables that a function was found to change are parameters that are no constants."""
    for key, binding in one.entries.items():
        atoms = atoms_of(binding)
        types = [state.wider.get((_family(one.key), key, k), atom.type) for k, atom in enumerate(atoms)]
        is_constant = (_family(one.key), key) in state.changed and any(isinstance(atom, n.Const) for atom in atoms)
        if is_constant or types != [atom.type for atom in atoms]:
            one.entries[key] = entered(ctx, state, _family(one.key), key, binding, {}, True)


def _translate_once(ctx: Context, state: Recursion, one: Specialisation, node: ast.AST) -> None:
    """Translate a function with what is known of the results of others so far."""
    one.is_open, one.frame.loops = True, []
    known = state.guesses.get(one.key)
    one.outcome = known and known.with_numbers(dict(zip(known.objects, one.objects, strict=True)))
    state.active.append(one)
    try:
        with _apart(ctx, one) as builder:
            outcome = _run(ctx, state, one, node)
            one.body = n.Block(tuple(builder.statements), tuple(outcome.results()))
    finally:
        state.active.pop()
        one.is_open = False
    if known is not None and known.shape == outcome.shape:
        outcome = replace(outcome, forms=merged(known.forms, outcome.forms))
    if known is None or known.shape != outcome.shape or known.forms != outcome.forms or known.told != outcome.told:
        state.is_settled = False
    state.guesses[one.key] = one.outcome = outcome


@contextmanager
def _apart(ctx: Context, one: Specialisation) -> Iterator[Builder]:
    """What is emitted belongs to a function, which sees its own variables alone."""
    from weft.frontend.control import catching

    names = ("environment", "tries", "handled", "loops", "awaited", "iterated_rows", "follows", "permitted")
    before = {name: getattr(ctx, name) for name in names}
    captured, views, parts = set(ctx.captured), set(ctx.shared_views), set(ctx.kept_parts)
    ctx.environment = Environment(dict(one.entries))
    ctx.tries, ctx.handled, ctx.loops, ctx.awaited = [], [], (), []
    ctx.iterated_rows, ctx.follows, ctx.permitted = (), False, frozenset()
    try:
        with ctx.block(Builder()) as builder, catching.scope(ctx, builder):
            yield builder
    finally:
        for name, value in before.items():
            setattr(ctx, name, value)
    params = {param.var for param in ctx.params}
    made = [atom for key in ctx.captured.keys() - captured for atom in leaves(ctx.captured[key])]
    is_made_inside = any(isinstance(atom, n.Var) and atom not in params for atom in made)
    if is_made_inside or ctx.shared_views.keys() - views or ctx.kept_parts.keys() - parts:
        raise ctx.refusal("view in recursion", one.frame.node, name=one.frame.name)


def _run(ctx: Context, state: Recursion, one: Specialisation, node: ast.AST) -> Outcome:
    """Translate the body; gives what the function gives."""
    from weft.frontend.calls import inlining

    place = ctx.location(node)
    few = ctx.emit(n.Compare("lt", one.left, n.Const(1, PYINT)), PYBOOL, place)
    ctx.append(n.If(few, n.Block((n.Raise("RecursionError", TOO_DEEP, (), place),)), location=place, rare=True))
    value = _passed(ctx, inlining.run(ctx, one.frame, one.given, node), one.frame, node)
    if ctx.environment.fall is None:
        return Outcome(objects=one.objects, never=True)
    return _outcome(ctx, state, one, value, node)


def _outcome(ctx: Context, state: Recursion, one: Specialisation, value: Value, node: ast.AST) -> Outcome:
    changed: dict[Key, Value] = {}
    for key, entry in one.entries.items():
        now = ctx.lookup(key)
        if now is None or now.value is None or entry.value is None:
            continue
        family = (_family(one.key), key)
        is_own = number_of(key) in one.objects
        if leaves(now.value) == leaves(entry.value) and shape_of(now.value) == shape_of(entry.value):
            if not is_own and family not in state.changed:
                continue
        elif not is_own and family not in state.changed:
            state.changed.add(family)
            state.is_settled = False
        if shape_of(now.value) == shape_of(entry.value):
            changed[key] = now.value
        elif is_own or not same_structure(now.value, entry.value):
            raise _changes_type(ctx, one, key, entry.value, now.value, node)
        else:
            changed[key] = _widened(ctx, state, one, key, entry.value, now.value, node)
    made = [
        number for number in objects_in(ctx, [value, *changed.values()]) if mutable.key_of(number) not in one.entries
    ]
    for number in made:
        changed[mutable.key_of(number)] = _fields_of(ctx, number)
    outcome = Outcome(value, changed, tuple(made), one.objects)
    for atom in outcome.atoms():
        ctx.settle(atom)
    outcome = replace(outcome, forms=tuple(others_in(ctx, outcome.atoms())))
    return replace(outcome, own=tuple(_own(ctx, outcome, one.outcome)))


def _own(ctx: Context, outcome: Outcome, known: Outcome | None) -> Iterator[tuple[int, n.Atom]]:
    """Whether atoms have their own types, as far as it was told in the round before, too."""
    atoms = outcome.atoms()
    before = () if known is None or known.shape != outcome.shape else known.forms
    untold = {position for position, _ in before}.difference(() if known is None else known.told)
    for position in sorted({position for position, _ in (*before, *outcome.forms)} - untold):
        atom = atoms[position]
        if ctx.tells and isinstance(atom.type, Scalar) and witnesses.is_told(ctx, atom, atom.type):
            yield position, witnesses.own(ctx, atom, atom.type)


def _widened(
    ctx: Context, state: Recursion, one: Specialisation, key: Key, before: Value, after: Value, node: ast.AST
) -> Value:
    """A variable that is of another type behind the function than before it, as one of a type that holds both."""
    place = ctx.location(node)
    pairs = zip(leaves(before), leaves(after), count())
    made: list[n.Atom] = []
    for old, new, position in pairs:
        try:
            wider = common_type(ctx, n.Var("", old.type), n.Var("", new.type))
        except NoCommonTypeError:
            raise _changes_type(ctx, one, key, before, after, node) from None
        if wider != old.type:
            state.wider[_family(one.key), key, position] = wider
            state.is_settled = False
        made.append(join_cast(ctx, new, wider, place))
    left = iter(made)
    return map_leaves(after, lambda atom: next(left))


def _changes_type(ctx: Context, one: Specialisation, key: Key, before: Value, after: Value, node: ast.AST) -> Error:
    stem = "a list or object" if mutable.is_fields(key) else f"'{key[1]}'"
    return ctx.type_error(
        f"'{one.frame.name}', which calls itself, changes the type of {stem}",
        one.frame.node,
        cause=f"it is {_described(before)} before a call, and {_described(after)} after one",
        hint="give it a value of its last type before the first call, such as 0.0 for 0",
    )


def _described(value: Value) -> str:
    return ", ".join(map(describe_value, value)) if isinstance(value, tuple) else describe_value(value)


# ---------------------------------------------------------------------------------------------------------- emission


def _emit(
    ctx: Context,
    state: Recursion,
    one: Specialisation,
    given: Mapping[str, Value],
    objects: Sequence[int],
    node: ast.AST,
) -> Value:
    """Emit the call, and give its result; the variables that it changes have other values then."""
    inside = dict(zip(one.objects, objects, strict=True))
    place = ctx.location(node)
    operands: list[n.Atom] = [_left(ctx, state, one, node)]
    atoms = [atom for value in given.values() for atom in leaves(value)]
    own = [atom for value in one.given.values() for atom in leaves(value)]
    for key, entry in one.entries.items():
        binding = ctx.lookup(mutable.key_of(inside[number_of(key)]) if number_of(key) in inside else key)
        if binding is None or len(atoms_of(binding)) != len(atoms_of(entry)):
            raise ctx.type_error(
                f"{one.frame.name} calls itself while '{key[1]}' has another structure than at the first call",
                node,
                hint="give the variable a value of one type before the first call, and keep that type",
            )
        atoms += atoms_of(binding)
        own += atoms_of(entry)
    pairs = [(atom, param) for atom, param in zip(atoms, own, strict=True) if isinstance(param, n.Var)]
    operands += [join_cast(ctx, atom, param.type, place) for atom, param in pairs]
    outcome = one.outcome
    results: dict[int, n.Var] = {}
    if outcome is not None:
        results = {k: ctx.names.fresh("t", atom.type) for k, atom in enumerate(outcome.results())}
    views = tuple(a for a in operands if isinstance(a, n.Var) and isinstance(a.type, View))
    writes = tuple(view for view in dict.fromkeys(views) if view.type.writable)  # type: ignore[union-attr]
    reference = reference_to(one.name)
    ctx.append(
        n.External(tuple(results.values()), reference, tuple(operands), tuple(dict.fromkeys(views)), writes, place)
    )
    if outcome is None or outcome.never:
        ctx.put(n.Raise("RecursionError", TOO_DEEP, (), place))
        ctx.environment.fall = None
        raise PoisonedError("never returns", place)
    ctx.of_calls.update(var.name for var in results.values() if isinstance(var.type, View))
    count_of_atoms = len(outcome.atoms())
    tests = {position: _test(results[count_of_atoms + k]) for k, position in enumerate(outcome.told)}
    for position, others in outcome.forms:
        forms.set_forms(ctx, results[position], dict(others), tests.get(position))
    return _taken(ctx, outcome, list(results.values()), inside, node)


def _test(own: n.Var) -> forms.Gone:
    """The test whether a value has its own type, of what says so."""
    return lambda: own


def _taken(ctx: Context, outcome: Outcome, results: list[n.Var], inside: Mapping[int, int], node: ast.AST) -> Value:
    """The result of a call, from its atoms; objects that the function made have numbers of the caller's."""
    numbers = dict(inside)
    for number in outcome.made:
        ctx.objects += 1
        numbers[number] = ctx.objects
    left = iter(results)

    def take(value: Value) -> Value:
        return renumbered(map_leaves(value, lambda atom: next(left)), numbers)

    value = take(outcome.value)
    for key, fields in outcome.changed.items():
        number = number_of(key)
        outer = mutable.key_of(numbers[number]) if number in numbers else key
        before = ctx.lookup(outer)
        made = take(fields)
        if before is None:
            ctx.environment.bindings[outer] = Binding(made, location=ctx.location(node))
            note_place(ctx, number, numbers[number])
        else:
            ctx.environment.bindings[outer] = replace(before, value=made)
    return value


def _left(ctx: Context, state: Recursion, one: Specialisation, node: ast.AST) -> n.Atom:
    """How many calls may be nested in this one, itself among them."""
    left: n.Atom = state.left
    frames = list(ctx.frame.callers())
    if state.active:
        here = state.active[-1]
        left = here.left
        frames = frames[: 1 + next(k for k, frame in enumerate(frames) if frame is here.frame)]
    levels = sum(map(_counts, frames))
    if not state.active and one.frame.parent is ctx.root:
        levels = 0
    if levels == 0:
        return left
    return ctx.emit(n.Binary("sub", left, n.Const(levels, PYINT), checked=False), PYINT, node, "calls_left")


def _counts(frame: Frame) -> bool:
    """Whether a function that is being translated has a frame of its own in CPython."""
    is_made = isinstance(frame.node, ast.FunctionDef) and (
        frame.node.name == "comprehension" or frame.node.type_comment in (CACHED, COUNTED)
    )
    return not frame.hidden and not (is_made and sys.version_info >= (3, 12))
