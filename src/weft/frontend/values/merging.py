"""Variables that are one of several objects after a branch, or another object in each iteration of a loop.

Where two ways meet, the objects that variables hold on either way are paired. Where every object has one partner,
nobody can tell a pair from one object, and both get one number: their fields are joined as other variables are. An
object that is also held under a name that keeps it has two partners: then nothing is done, and the join is refused.
Arguments are held by the caller. Numbers that were given up are gone: whoever still holds one is refused too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from weft.errors import TypeInferenceError
from weft.frontend.values import list_models
from weft.frontend.values.mutable import is_fields, key_of
from weft.frontend.values.scope import Binding, Context, Environment, Key
from weft.frontend.values.values import TRUE, Closure, Object, Value, children, rebuilt
from weft.ir.location import Location


class _Partners:
    """Which object of one environment is which of the other."""

    def __init__(self, ctx: Context, first: Environment, second: Environment) -> None:
        self.ctx = ctx
        self.environments = first, second
        self.second_of: dict[int, int] = {}
        self.first_of: dict[int, int] = {}
        self.alone: set[int] = set()
        """Objects of the second environment that are held there only."""
        self.clear = True
        for owner, _ in ctx.given:
            self.visit(owner, owner)

    def visit(self, a: Value | None, b: Value | None) -> None:
        """Pair the objects inside two values of one variable."""
        self._hold(a, b)
        if isinstance(a, Object) and isinstance(b, Object) and a.type is b.type:
            self._pair(a.number, b.number)
        elif a is None or b is None:
            self._leave_alone(b)
        else:
            inner, other = children(a), children(b)
            for x, y in zip(inner, other, strict=False):
                self.visit(x, y)

    def _leave_alone(self, value: Value | None) -> None:
        """Note the objects in a value, and in their fields, that only the second environment holds there."""
        self._hold(value)
        if isinstance(value, Object) and value.number not in self.alone:
            self.alone.add(value.number)
            fields = self.environments[1].bindings.get(key_of(value.number))
            self._leave_alone(None if fields is None else fields.value)
        for child in () if value is None else children(value):
            self._leave_alone(child)

    def _hold(self, *values: Value | None) -> None:
        """Note that a function keeps the objects which its parameters are by default: it is not made anew."""
        for value in values:
            if isinstance(value, Closure):
                for default in (*value.defaults, *value.keyword_defaults):
                    self.visit(default, default)

    def _pair(self, a: int, b: int) -> None:
        if self.second_of.get(a) == b and self.first_of.get(b) == a:
            return
        fields = [environment.bindings.get(key_of(k)) for environment, k in zip(self.environments, (a, b), strict=True)]
        known = [field.value for field in fields if field is not None and field.value is not None]
        if len(known) == 2:
            list_models.reconcile_models(self.ctx, (a, b), known)
        if a in self.second_of or b in self.first_of or (a != b and len(known) < 2):
            self.clear = False
            return
        self.second_of[a], self.first_of[b] = b, a
        if len(known) == 2:
            self.visit(*known)

    @property
    def differ(self) -> bool:
        """Whether objects have partners that are others."""
        return self.clear and any(a != b for a, b in self.second_of.items())


def after_branch(ctx: Context, then: Environment, orelse: Environment, keys: Iterable[Key], location: Location) -> None:
    """Give objects that are one after a branch the same number on both sides; `keys` are what is read afterwards."""
    if not ctx.mutable:
        return
    partners = _Partners(ctx, then, orelse)
    for key in keys:
        partners.visit(*(_value(side, key) for side in (then, orelse)))
    if not partners.differ:
        return
    pairs = {pair: _fresh(ctx, pair[0]) for pair in partners.second_of.items() if pair[0] != pair[1]}
    gone = {number for pair in pairs for number in pair}
    _renumber(then, {a: number for (a, _), number in pairs.items()}, gone, location)
    _renumber(orelse, {b: number for (_, b), number in pairs.items()}, gone, location)


def after_iteration(
    ctx: Context, head: Environment, end: Environment, carried: Iterable[Key], kept: Iterable[Key], location: Location
) -> frozenset[int]:
    """Give objects that an iteration leaves the numbers of those that it found.

    Parameters
    ----------
    ctx
        The context of the loop.
    head, end
        The environments before and after the body.
    carried
        What the loop assigns and somebody reads later.
    kept
        What somebody reads later and the loop does not assign.
    location
        The place of the loop.

    Returns
    -------
    frozenset of int
        The numbers that stand for several objects.
    """
    if not ctx.mutable:
        return frozenset()
    partners = _Partners(ctx, head, end)
    for keys, first in ((kept, end), (carried, head)):
        for key in keys:
            partners.visit(_value(first, key), _value(end, key))
    if not partners.differ:
        return frozenset()
    numbers = {b: a for a, b in partners.second_of.items() if a != b}
    numbers |= {number: _fresh(ctx, number) for number in partners.alone - partners.first_of.keys()}
    _renumber(end, numbers, set(numbers), location)
    return frozenset(a for a, b in partners.second_of.items() if a != b)


def after_loop(ctx: Context, several: Iterable[int], location: Location) -> None:
    """Give up the numbers of objects that were `several` in a loop: what was evaluated before it may hold the first."""
    numbers = {number: _fresh(ctx, number) for number in several}
    if numbers:
        _renumber(ctx.environment, numbers, numbers, location)


def _value(environment: Environment, key: Key) -> Value | None:
    """What a variable stands for; fields are looked at where their object is."""
    binding = None if is_fields(key) else environment.bindings.get(key)
    return None if binding is None else binding.value


def _fresh(ctx: Context, old: int) -> int:
    """A number for an object that had another one."""
    ctx.objects += 1
    if old in ctx.places_of_lists:
        ctx.places_of_lists[ctx.objects] = ctx.places_of_lists[old]
    return ctx.objects


def _renumber(environment: Environment, numbers: Mapping[int, int], gone: Iterable[int], location: Location) -> None:
    """Give objects other numbers, all at once; using old ones that are `gone` is an error."""
    bindings = environment.bindings
    fields = {key_of(new): bindings.get(key_of(old)) for old, new in numbers.items()}
    lost = Binding(None, TRUE, location, several_objects("this", "a class whose fields are assigned", location))
    bindings.update({key_of(number): lost for number in gone})
    bindings.update({key: binding or lost for key, binding in fields.items()})
    for key, binding in bindings.items():
        value = None if binding.value is None else _renumbered(binding.value, numbers)
        if value is not binding.value:
            bindings[key] = replace(binding, value=value)


def _renumbered(value: Value, numbers: Mapping[int, int]) -> Value:
    if isinstance(value, Object):
        return replace(value, number=numbers[value.number]) if value.number in numbers else value
    inner = children(value)
    items = [_renumbered(child, numbers) for child in inner]
    return value if all(x is y for x, y in zip(items, inner, strict=True)) else rebuilt(value, items)


def several_objects(what: str, kind: str, location: Location, cls: type | None = None) -> TypeInferenceError:
    """The error of a variable that may be one of several objects whose fields are assigned; of a class, if known."""
    error = TypeInferenceError(
        f"{what} may be one of several objects of {kind}",
        location,
        cause="fields of this class are assigned, and it must be known of which object",
        hint="make one object, and assign its fields in both cases; or swap the fields, or keep them in arrays",
    )
    if cls is not None and cls.__module__.startswith("weft.frontend."):
        error.cause = "compiled code must know which of them a statement reads or changes"
        error.hint = (
            "if a loop runs over it, run over a copy: for x in list(values); "
            "otherwise make only one, and change its elements in each case"
        )
    error.classes = frozenset(() if cls is None else (cls,))
    return error
