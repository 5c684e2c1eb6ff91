"""Returned numbers that may have several types: the program yields, beside such a number, whether it has its own.

``s = 0`` and then ``s += x[i]`` gives the Python int 0 where no iteration ran. Most programs can tell that at their
end. A program that cannot is translated once more, and then loops and branches hand it on (see `witnesses`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar
from typing import cast as typed

from weft.errors import Error, InternalError
from weft.frontend.several_types import witnesses
from weft.frontend.several_types.forms import forms_of
from weft.frontend.values.scope import TELLING, Context
from weft.frontend.values.values import TRUE
from weft.ir import nodes as n
from weft.ir.types import Scalar

P = ParamSpec("P")
R = TypeVar("R")

MOST_RESULTS = 60
"""How many results a call gives at most, with those that tell types; it may give a few more besides."""

_WITH_PARTS = ("tuple", "record", "optional", "dict")


class NeedsTelling(Exception):
    """A number is returned whose type the program cannot tell; never shown."""


def with_told_results(build: Callable[P, R]) -> Callable[P, R]:
    """Build again where a result has several types that nothing tells apart; as it was where that is refused."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return _told(build, None, *args, **kwargs)
        except NeedsTelling:
            pass
        try:
            return _told(build, True, *args, **kwargs)
        except InternalError:
            raise
        except Error:
            return _told(build, False, *args, **kwargs)

    return built


def _told(build: Callable[P, R], tells: bool | None, *args: P.args, **kwargs: P.kwargs) -> R:
    token = TELLING.set(tells)
    try:
        return build(*args, **kwargs)
    finally:
        TELLING.reset(token)


def told(ctx: Context, returns: n.Returns, atoms: Sequence[n.Atom]) -> tuple[n.Returns, list[n.Atom]]:
    """A result whose numbers say which type they have.

    Parameters
    ----------
    ctx
        The context; tests are emitted in its block.
    returns
        The shape of the result.
    atoms
        Its leaves.

    Returns
    -------
    tuple of Returns and list of Atom
        The shape with a ``"several"`` for each number that may have several types, and its leaves, with a Boolean
        behind each such number.
    """
    left, found = iter(atoms), list[n.Atom]()
    if 2 * len(atoms) > MOST_RESULTS:
        return returns, list(atoms)
    return _told_part(ctx, returns, left, found), found


def _told_part(ctx: Context, returns: n.Returns, left: Iterator[n.Atom], found: list[n.Atom]) -> n.Returns:
    if returns.kind == "leaf":
        atom = next(left)
        found.append(atom)
        other = _other_type(ctx, atom)
        own = TRUE if other is None else witnesses.own(ctx, atom, typed(Scalar, atom.type))
        if other is None or own == TRUE:
            return returns
        found.append(own)
        return n.Returns("several", (returns, returns), names=(other.name,))
    if returns.kind not in _WITH_PARTS:
        found += [next(left) for _ in range(n.count_leaves(returns))]
        return returns
    items = tuple(_told_part(ctx, item, left, found) for item in returns.items)
    return n.Returns(returns.kind, items, returns.constructor, returns.names, returns.constant)


def _other_type(ctx: Context, atom: n.Atom) -> Scalar | None:
    """The type that a number may have besides its own; None where there is none, or it cannot be told."""
    known = forms_of(ctx, atom)
    types = () if known is None else tuple(dict.fromkeys(form.type for form in known.others))
    if known is None or len(types) > 1:
        return None
    if known.gone is None and ctx.tells is None:
        raise NeedsTelling
    return None if known.gone is None else types[0]
