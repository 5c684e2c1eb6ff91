"""What functions that call themselves consist of while a program is translated: see `calls`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias

from weft.frontend.several_types import forms
from weft.frontend.values import mutable
from weft.frontend.values.scope import Binding, Context, Frame, Key
from weft.frontend.values.values import (
    NONE,
    Closure,
    Instance,
    Object,
    Static,
    Value,
    children,
    leaves,
    map_leaves,
    rebuilt,
)
from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, View

Shape: TypeAlias = object
"""What two values have in common that differ in their atoms at most; it can be compared."""


def shape_of(value: Value | None) -> Shape:
    """The structure of a value, with the types of its atoms."""
    if isinstance(value, (n.Var, n.Const)):
        return value.type
    if value is None:
        return None
    if isinstance(value, Static):
        constant = value.value
        try:
            hash(constant)
        except TypeError:
            return Static, id(constant)
        return Static, type(constant), repr(constant) if isinstance(constant, (int, float)) else constant
    rest: tuple[object, ...] = ()
    if isinstance(value, Instance):
        rest = (value.type, value.names, getattr(value, "number", 0))
    elif isinstance(value, Closure):
        rest = (id(value.node), value.frame.number)
    elif not isinstance(value, tuple):
        rest = tuple(getattr(value, name, None) for name in ("attribute", "claim"))
    return type(value), rest, tuple(map(shape_of, children(value)))


AllForms: TypeAlias = "tuple[tuple[int, tuple[tuple[Scalar, tuple[n.Atom, ...] | None], ...]], ...]"
"""The other types that atoms may have, by their positions (see `several_types.forms`); it can be compared."""


def others_in(ctx: Context, atoms: Sequence[n.Atom]) -> AllForms:
    """The other types that atoms may have."""
    several = [forms.others_of(ctx, a, a.type) if isinstance(a.type, Scalar) else {} for a in atoms]
    return tuple((k, _in_order(others)) for k, others in enumerate(several) if others)


def types_of(ctx: Context, atom: n.Atom, own: Type) -> frozenset[Scalar]:
    """The types besides its own that a value may have as a parameter, whose values are not known."""
    return frozenset(forms.others_of(ctx, atom, own)) if isinstance(own, Scalar) else frozenset()


def _in_order(others: forms.Others) -> tuple[tuple[Scalar, tuple[n.Atom, ...] | None], ...]:
    return tuple(sorted(others.items(), key=lambda pair: str(pair[0])))


def merged(known: AllForms, more: AllForms) -> AllForms:
    """Both; of a type that has several values none is known, so that this ends."""
    found: dict[int, forms.Others] = {position: dict(others) for position, others in known}
    for position, others in more:
        forms.merge(found.setdefault(position, {}), dict(others), most=1)
    return tuple((position, _in_order(found[position])) for position in sorted(found))


@dataclass(frozen=True)
class Outcome:
    """What a function gives: its value, and those of the variables that it changes, with atoms of its own.

    `made` are the objects that it made and gives, `objects` those that it was given. It may give nothing since it never
    returns.
    """

    value: Value = NONE
    changed: Mapping[Key, Value] = field(default_factory=dict)
    made: tuple[int, ...] = ()
    objects: tuple[int, ...] = ()
    forms: AllForms = ()
    own: tuple[tuple[int, n.Atom], ...] = ()
    """For positions of atoms that may have several types, whether the atom has its own: results behind the atoms."""
    never: bool = False

    @property
    def shape(self) -> Shape:
        """What does not differ once the types are settled."""
        places = {number: -1 - k for k, number in enumerate((*self.objects, *self.made))}
        same = self.with_numbers(places)
        values = (same.value, *same.changed.values())
        return self.never, tuple(same.changed), tuple(map(shape_of, values))

    def with_numbers(self, numbers: Mapping[int, int]) -> Outcome:
        """The same with other numbers for some objects."""
        changed = {
            mutable.key_of(numbers[number_of(key)]) if number_of(key) in numbers else key: renumbered(value, numbers)
            for key, value in self.changed.items()
        }
        objects, made = ([numbers.get(one, one) for one in several] for several in (self.objects, self.made))
        value = renumbered(self.value, numbers)
        return replace(self, value=value, changed=changed, objects=tuple(objects), made=tuple(made))

    def atoms(self) -> list[n.Atom]:
        """All atoms, in order."""
        return [atom for value in (self.value, *self.changed.values()) for atom in leaves(value)]

    def results(self) -> list[n.Atom]:
        """All atoms, and behind them what says whether they have their own types."""
        return [*self.atoms(), *(atom for _, atom in self.own)]

    @property
    def told(self) -> tuple[int, ...]:
        """The positions of atoms of which it is known whether they have their own types."""
        return tuple(position for position, _ in self.own)


@dataclass(eq=False)
class Specialisation:
    """A function for arguments of certain types.

    `entries` are the variables that it sees, as they are when it begins; `objects` the numbers that objects have inside
    that it is given.
    """

    frame: Frame
    key: object
    name: str
    left: n.Var
    given: dict[str, Value] = field(default_factory=dict)
    entries: dict[Key, Binding] = field(default_factory=dict)
    objects: tuple[int, ...] = ()
    outcome: Outcome | None = None
    body: n.Block | None = None
    is_open: bool = False

    def params(self) -> list[n.Var]:
        """All parameters; later those are left out that nobody reads."""
        bindings = (atom for binding in self.entries.values() for atom in atoms_of(binding))
        atoms = [*(atom for value in self.given.values() for atom in leaves(value)), *bindings]
        return [self.left, *(atom for atom in atoms if isinstance(atom, n.Var))]


@dataclass(eq=False)
class Recursion:
    """The functions of a program that call themselves."""

    left: n.Atom
    made: list[Specialisation] = field(default_factory=list)
    changed: set[tuple[object, Key]] = field(default_factory=set)
    wider: dict[tuple[object, Key, int], Type] = field(default_factory=dict)
    guesses: dict[object, Outcome] = field(default_factory=dict)
    active: list[Specialisation] = field(default_factory=list)
    is_settled: bool = True


def atoms_of(binding: Binding) -> list[n.Atom]:
    value = [] if binding.value is None else leaves(binding.value)
    return [*value, binding.defined] if isinstance(binding.defined, n.Var) else value


def note_place(ctx: Context, number: int, new: int) -> None:
    """A list with another number is made at the same place."""
    if number in ctx.places_of_lists:
        ctx.places_of_lists[new] = ctx.places_of_lists[number]


def number_of(key: Key) -> int:
    """The object whose fields a variable holds; 0 for other variables."""
    return int(key[1].removeprefix("object")) if mutable.is_fields(key) and key[1].startswith("object") else 0


def renumbered(value: Value, numbers: Mapping[int, int]) -> Value:
    """A value with other numbers for some objects."""
    if isinstance(value, Object):
        return replace(value, number=numbers.get(value.number, value.number))
    inner = children(value)
    return rebuilt(value, [renumbered(item, numbers) for item in inner]) if inner and numbers else value


def objects_in(ctx: Context, values: Sequence[Value]) -> list[int]:
    """The objects in values, and in their fields."""
    found: dict[int, None] = {}
    waiting = list(values)
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, Object):
            if value.number not in found:
                found[value.number] = None
                binding = ctx.lookup(mutable.key_of(value.number))
                waiting += [] if binding is None or binding.value is None else [binding.value]
        else:
            waiting += children(value)
    return list(found)


def frames_seen(ctx: Context, frame: Frame, values: Sequence[Value]) -> set[int]:
    """The numbers of the frames whose variables a function sees, and those that it calls."""
    seen: set[int] = set()
    scopes: list[Frame | None] = [frame.parent, *(function.frame for function in ctx.cached.values())]
    waiting: list[Value] = list(values)
    while scopes or waiting:
        if scopes:
            scope = scopes.pop()
            if scope is not None and scope.number not in seen:
                seen.add(scope.number)
                scopes.append(scope.parent)
                bindings = ((k, b.value) for k, b in ctx.environment.bindings.items() if b.value is not None)
                waiting += [value for key, value in bindings if key[0] == scope.number]
            continue
        value = waiting.pop()
        waiting += children(value)
        if isinstance(value, Closure):
            scopes.append(value.frame)
            waiting += value.defaults
    return seen


def parameter(ctx: Context, stem: str) -> Callable[[n.Atom], n.Atom]:
    def make(atom: n.Atom) -> n.Atom:
        made = ctx.names.fresh(stem if not stem.startswith(("$", "object")) else "value", atom.type)
        if isinstance(atom, n.Var) and isinstance(atom.type, View) is False:
            forms.set_forms(ctx, made, dict.fromkeys(types_of(ctx, atom, atom.type)))
        return made

    return make


def entered(
    ctx: Context,
    state: Recursion,
    family: object,
    key: Key,
    binding: Binding,
    numbers: Mapping[int, int],
    changes: bool,
) -> Binding:
    """A variable as a function finds it: constants stay constants where it does not change them."""
    make, positions = parameter(ctx, key[1]), count()

    def entered(atom: n.Atom) -> n.Atom:
        wider = state.wider.get((family, key, next(positions)))
        if wider is None:
            return atom if isinstance(atom, n.Const) and not changes else make(atom)
        made = make(n.Var("", wider))
        forms.set_forms(ctx, made, dict.fromkeys(types_of(ctx, atom, wider)))
        return made

    value = None if binding.value is None else map_leaves(renumbered(binding.value, numbers), entered)
    defined = make(binding.defined) if isinstance(binding.defined, n.Var) else binding.defined
    return replace(binding, value=value, defined=defined)
