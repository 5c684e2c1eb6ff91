"""Replaces a function of the compiler by a faulty one, wherever it was imported to."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Make = Callable[[Any], Any]
"""Makes the faulty function from the right one."""


@dataclass(frozen=True)
class Fault:
    """A mistake: what it is, the function that makes it (``module:name`` or ``module:Class.name``), how, who finds it.

    `programs` are the names of the programs of the corpus that show the mistake.
    """

    name: str
    target: str
    make: Make
    check: str
    programs: tuple[str, ...]


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """The compiler with the fault in it."""
    places = plant(fault)
    try:
        yield
    finally:
        for place, attribute, before in places:
            setattr(place, attribute, before)


def plant(fault: Fault) -> list[tuple[Any, str, Any]]:
    """Put a fault into the compiler; gives each place that was changed, with what was there."""
    module, _, path = fault.target.partition(":")
    owner: Any = importlib.import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    raw = owner.__dict__[name]
    right = raw.__func__ if isinstance(raw, staticmethod) else raw
    wrong = fault.make(right)
    places = [(owner, name, raw)] if outer else [(m, n, right) for m in _modules() for n in _names_of(m, right)]
    for place, attribute, _ in places:
        setattr(place, attribute, staticmethod(wrong) if isinstance(raw, staticmethod) else wrong)
    return places


def _modules() -> list[Any]:
    return [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == "weft" and m is not None]


def _names_of(module: Any, value: object) -> list[str]:
    return [name for name, found in list(vars(module).items()) if found is value]


def always(value: object) -> Make:
    """A function that gives the same answer whatever it is asked."""
    return lambda right: lambda *args, **kwargs: value


def changed(change: Callable[[Any], Any]) -> Make:
    """A function whose answer is changed."""
    return lambda right: lambda *args, **kwargs: change(right(*args, **kwargs))
