"""Captured numbers whose values decide a type: an axis, a rank, a position in a tuple, the sign of an exponent.

Captured numbers are parameters of the compiled code. Where one decides a type, the translation stops with `NeedsValue`;
the caller notes that with `learn`, makes the value part of the key, and translates again: then it is a constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from weft.ir.interface import Source

if TYPE_CHECKING:
    from weft.frontend.values.scope import Context
    from weft.frontend.values.values import Value

_known: WeakKeyDictionary[CodeType, dict[Source, None]] = WeakKeyDictionary()


class NeedsValue(Exception):
    """The type of something depends on the value of a captured number; never shown.

    Parameters
    ----------
    source
        Which number.
    """

    def __init__(self, source: Source) -> None:
        super().__init__(str(source))
        self.source = source


def sources(function: FunctionType) -> tuple[Source, ...]:
    """The captured numbers of a function that are known to decide types."""
    return tuple(_known.get(function.__code__, ()))


def learn(function: FunctionType, found: Iterable[Source]) -> None:
    """Note captured numbers of a function that decide types."""
    _known.setdefault(function.__code__, {}).update(dict.fromkeys(found))


def require(ctx: Context, value: Value) -> None:
    """Stop where a value that must be a constant is a captured number; do nothing otherwise.

    What a function that is an argument captures is no part of the key: it may be another one at each call.
    """
    for param in ctx.params:
        source = param.source
        helper = source.name.rpartition(":")[0].partition(":")[0].partition(".")[0]
        is_key = source.kind != "argument" and helper not in ctx.given_names
        if param.var == value and is_key and source not in ctx.fixed:
            raise NeedsValue(source)
