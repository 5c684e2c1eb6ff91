"""The types that a value may have: ``s = 0`` and then ``s += a[i]``, ``max(a[0], n)``, ``a[0] if c else n``.

A variable of the IR has one type, which holds all values that it may have. In CPython some of them may be of another
type: a Python int, where no iteration ran, and NumPy's numbers elsewhere. These other types are its *forms*. They are
noted where values meet (branches, loops, `min` and `max`), and `weakness` asks for them wherever a value is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TypeAlias
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Value, leaves, type_name
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, PYFLOAT, Scalar

Gone: TypeAlias = "Callable[[], n.Atom]"
Others: TypeAlias = "dict[Scalar, tuple[n.Atom, ...] | None]"
"""The types that a value may have besides its own, each with its values; None where they are not known, or many."""

MISFIT = "weft.errors:TypeInferenceError"
"""What is raised when the program runs, where another type that a value may have gives another result."""

MOST_VALUES = 3
"""How many values of one type are told apart."""


@dataclass(frozen=True)
class Form:
    """A type that a value may have, and where it is known its value of this type: a constant, or else a variable."""

    type: Scalar
    value: n.Const | None = None
    variable: n.Var | None = None

    @property
    def known(self) -> n.Atom | None:
        """The value, as far as it is known."""
        return self.value or self.variable

    @property
    def values(self) -> tuple[n.Const, ...] | None:
        """The value in the way of `Others`; variables are known in their own block only."""
        return None if self.value is None else (self.value,)


def form_of(type: Scalar, known: n.Atom | None) -> Form:
    """The form of a type, with what is known of its value."""
    return Form(type, known) if isinstance(known, n.Const) else Form(type, None, known)


@dataclass(frozen=True)
class Forms:
    """The other types of a variable.

    `gone` emits the test whether it has its own; None where none is simple. `by_trips`: it has its own unless a loop
    ran no iteration.
    """

    others: tuple[Form, ...]
    gone: Gone | None = field(default=None, compare=False)
    by_trips: bool = field(default=False, compare=False)


def forms_of(ctx: Context, atom: n.Atom) -> Forms | None:
    """What a variable may be besides what its type says; None where nothing else."""
    return ctx.forms.get(atom.name) if isinstance(atom, n.Var) else None  # type: ignore[return-value]


def others_of(ctx: Context, atom: n.Atom | None, own: Scalar) -> Others:
    """The types of a value that becomes one of the type `own`."""
    found: Others = {}
    if atom is None or not isinstance(atom.type, Scalar):
        return found
    if atom.type != own:
        found[atom.type] = (atom,) if isinstance(atom, n.Const) else None
    known = forms_of(ctx, atom)
    for form in () if known is None else known.others:
        if form.type != own:
            merge(found, {form.type: form.values})
    return found


def merge(into: Others, more: Others, most: int = MOST_VALUES) -> None:
    """Add types and values to others, as long as a type has no more than `most` values."""
    for type, values in more.items():
        known = into.get(type, ())
        both = None if known is None or values is None else tuple(dict.fromkeys((*known, *values)))
        into[type] = None if both is None or (type in into and both != known and len(both) > most) else both


def covers(known: Others, others: Others) -> bool:
    """Whether all types and values are known."""
    return all(_covered(known[type], values) if type in known else False for type, values in others.items())


def _covered(known: tuple[n.Atom, ...] | None, values: tuple[n.Atom, ...] | None) -> bool:
    return known is None or (values is not None and set(values) <= set(known))


def set_forms(ctx: Context, result: n.Atom, others: Others, gone: Gone | None = None, by_trips: bool = False) -> None:
    """Note what a variable may be."""
    if isinstance(result, n.Var) and others:
        expanded = (form_of(type, value) for type, values in others.items() for value in values or (None,))
        ctx.forms[result.name] = Forms(tuple(expanded), gone, by_trips)


def set_gone(ctx: Context, result: n.Var, gone: Gone | None, by_trips: bool = False) -> None:
    """Note how it is told that a variable has its own type."""
    known = forms_of(ctx, result)
    if known is not None:
        ctx.forms[result.name] = Forms(known.others, gone, by_trips)


def note(
    ctx: Context, result: n.Atom, *sources: n.Atom | None, gone: Gone | None = None, by_trips: bool = False
) -> None:
    """A variable is one of several atoms: it may be what each of them may be."""
    if not isinstance(result, n.Var) or not isinstance(result.type, Scalar):
        return
    others: Others = {}
    for atom in sources:
        merge(others, others_of(ctx, atom, result.type))
    set_forms(ctx, result, others, gone, by_trips)


def note_loop(ctx: Context, result: n.Var, initial: n.Atom | None, end: n.Atom, ran: Gone | None) -> None:
    """A result of a loop: where each iteration leaves its own type, it has another one only if the loop did not run."""
    if not isinstance(result.type, Scalar):
        return
    gone, by_trips = None, False
    if initial is not None and not others_of(ctx, end, result.type):
        before = forms_of(ctx, initial) if initial.type == result.type else None
        gone = ran if before is None else either(ctx, ran, before.gone)
        by_trips = ran is not None and (before is None or before.by_trips)
    note(ctx, result, initial, end, gone=gone, by_trips=by_trips)


def is_rounded(weak: Scalar, strong: Scalar) -> bool:
    """Whether a variable of a type of NumPy may also be a Python float that the type does not hold."""
    return weak == PYFLOAT and strong.kind == "f" and strong.bits < PYFLOAT.bits


def either(ctx: Context, first: Gone | None, second: Gone | None) -> Gone | None:
    """The test whether one of two holds; None where one of them is not known."""
    if first is None or second is None or first is second:
        return first if first is second else None
    location = ctx.location(ctx.frame.node)
    return lambda: ctx.emit(n.Binary("or", first(), second(), checked=False), PYBOOL, location)


def any_forms(ctx: Context, values: Iterable[Value]) -> bool:
    """Whether a value may have another type than it says."""
    return any(forms_of(ctx, atom) is not None for value in values for atom in leaves(value))


def named_form(ctx: Context, atom: n.Atom) -> Scalar:
    """The other type that messages about a value name."""
    known = forms_of(ctx, atom)
    assert known is not None
    return known.others[0].type


def subject_of(atom: n.Atom) -> str:
    """A value in messages."""
    stem = stem_of(atom)
    return f"'{stem}'" if stem else "this value"


def stem_of(atom: n.Atom) -> str:
    """The user's name of a variable; empty for values that have none."""
    stem = typed(n.Var, atom).stem
    return "" if stem in ("t", "chosen", "decided", "value") else stem


def fault_of(ctx: Context, atom: n.Atom, location: Location) -> n.Raise:
    """The error that is raised where another type that a value may have gives another result."""
    name = type_name(atom.type)
    message = (
        f"{subject_of(atom)} may be {type_name(named_form(ctx, atom))} or {name} here, by its value, "
        f"and these give different results: convert it first, {name}({stem_of(atom) or '...'})"
    )
    return n.Raise(MISFIT, message, (), location)
