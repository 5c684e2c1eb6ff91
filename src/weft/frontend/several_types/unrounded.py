"""Values that are Python's numbers rounded: ``max(a[i], 0.0) * w + b`` of an `np.float32`, where CPython may have `b`.

Where such a value is stored into an array of its own type, all is well: CPython rounds there, and once. So do NumPy's
numbers of this type that it meets. Signs, `min` and `max` may be taken before. Everything else asks for the value that
CPython has, which the test of an `Unrounded` makes sure of. It stands where the value is used, so that what is only
stored has none. See `rechecks`, which makes these values, and `Context.append`, which asks for their tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast as typed

from weft.dataclass import dataclass
from weft.frontend.values.scope import Context
from weft.frontend.values.values import FALSE
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.types import PYBOOL, Scalar

ROUNDED_BEFORE = frozenset({"neg", "abs", "min", "max"})
"""Operations of which it does not matter whether their operands or their result is rounded."""


@dataclass(frozen=True)
class Unrounded:
    """A value that may be another one rounded: `differs` emits whether it is, `settle` the test that it is not.

    `compared` emits, for the value, the test that no other number became zero, after which both compare alike with any
    number that the narrow type holds.
    """

    differs: Callable[[], n.Atom]
    settle: Callable[[], None]
    compared: Callable[[n.Atom], None]
    fault: n.Raise


def unrounded_of(ctx: Context, atom: n.Atom | None) -> Unrounded | None:
    """What is known of a value that may be another one rounded; None for others."""
    return typed("Unrounded | None", ctx.unrounded.get(atom.name)) if isinstance(atom, n.Var) else None


def note(ctx: Context, result: n.Atom, sources: Sequence[Unrounded], location: Location) -> None:
    """A result is rounded where one of several values is."""
    if not isinstance(result, n.Var) or not sources:
        return

    def settle() -> None:
        for source in sources:
            source.settle()

    def compared(atom: n.Atom) -> None:
        for source in sources:
            source.compared(atom)

    def differs() -> n.Atom:
        found = sources[0].differs()
        for source in sources[1:]:
            both = n.Binary("or", found, source.differs(), checked=False)
            found = ctx.emit(both, PYBOOL, location)
        return found

    ctx.unrounded[result.name] = Unrounded(differs, settle, compared, sources[0].fault)


def inherit(ctx: Context, result: n.Atom, given: Sequence[n.Atom], location: Location) -> None:
    """A sign, a minimum or a maximum: it may be rounded where an operand is."""
    found = [one for atom in dict.fromkeys(given) if (one := unrounded_of(ctx, atom)) is not None]
    note(ctx, result, found, location)


def before_comparison(ctx: Context, given: Sequence[n.Atom]) -> None:
    """Before a minimum or maximum, which tells zero from what becomes zero."""
    for atom in dict.fromkeys(given):
        found = unrounded_of(ctx, atom)
        if found is not None:
            found.compared(atom)


def permit(ctx: Context, atoms: Sequence[n.Atom]) -> None:
    """The next operation may take some values as they are."""
    ctx.permitted = frozenset(atom.name for atom in atoms if isinstance(atom, n.Var) and atom.name in ctx.unrounded)


def rounds(types: tuple[Scalar, ...], other: tuple[Scalar, ...], type: Scalar) -> bool:
    """Whether an operation rounds Python's floats to a type first, by its types and those with Python's float."""
    return types == other and all(taken == type for taken in types[:-1])


def joined(ctx: Context, result: n.Var, differs: n.Atom, fault: n.Raise) -> None:
    """A result of a branch: `differs` says whether the side taken left a rounded value."""
    if differs == FALSE:
        return
    test = n.If(differs, n.Block((fault,)), location=fault.location)

    def settle() -> None:
        ctx.append(test)

    ctx.unrounded[result.name] = Unrounded(lambda: differs, settle, lambda atom: settle(), fault)
