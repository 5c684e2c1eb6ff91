"""A Python function that is compiled for each combination of types: finds its specialisations and runs calls."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from weft.errors import Error, InternalError, warn
from weft.frontend import captured
from weft.frontend.fingerprint import Fingerprint, class_fingerprint, fingerprint
from weft.frontend.signature import ArgumentType, classes_in, describe, flatten, without_functions
from weft.ir.location import Location
from weft.runtime import building
from weft.runtime._stub import Handle
from weft.runtime.build import Options, Request, Specialisation
from weft.runtime.devices import chosen, usual
from weft.runtime.store import key_of
from weft.runtime.variants import Written

if TYPE_CHECKING:
    from weft.ir.nodes import Program

log = logging.getLogger(__name__)

MANY = 16
"""Specialisations of one function above which a warning names what varies."""

_specialisations: dict[tuple[object, ...], tuple[Specialisation, Makers]] = {}


@dataclass(frozen=True)
class Shortcut:
    """What the entry stub needs to take calls by itself: see `_stub.Dispatcher._add`."""

    handle: Handle
    captures: tuple[tuple[Any, str], ...]
    guards: tuple[tuple[Any, str, object], ...]


@dataclass(frozen=True)
class Match:
    """A specialisation, and the names that must still stand for the same objects for it to be the right one."""

    specialisation: Specialisation
    guards: tuple[tuple[Any, str, object], ...]
    digest: str

    def holds(self) -> bool:
        """Whether the names do."""
        return all(_content(container, name) is value for container, name, value in self.guards)


class Makers:
    """The functions of one content, any of which makes the program of a specialisation.

    Held weakly, since what they capture may be large; one of them is there whenever a call asks for another variant.
    """

    def __init__(self, types: tuple[ArgumentType, ...]) -> None:
        self.types = types
        self.callees: WeakSet[Callee] = WeakSet()

    def __call__(self) -> Program:
        """The program."""
        return next(iter(self.callees)).program(self.types)


def _content(container: Any, name: str) -> object:
    if isinstance(container, type):
        return vars(container).get(name)
    if not isinstance(container, CellType):
        return container.get(name)
    try:
        return container.cell_contents
    except ValueError:
        return None


class Callee:
    """A function, the options it is compiled with, and its specialisations.

    Parameters
    ----------
    function
        The function as the user wrote it.
    options
        Of the decorator.
    build
        Makes the program for the types of the arguments.
    form
        Tells apart programs that are made from one function in different ways; part of the key in the store.
    """

    def __init__(
        self,
        function: FunctionType,
        options: Options,
        build: Callable[[tuple[ArgumentType, ...]], Program],
        form: tuple[object, ...] = (),
    ) -> None:
        self.function = function
        self.options = options
        self._build = build
        self._form = form
        self._matches: dict[tuple[tuple[ArgumentType, ...], str], Match] = {}
        self._types: dict[tuple[ArgumentType, ...], tuple[ArgumentType, ...]] = {}
        self._found: dict[tuple[object, ...], tuple[tuple[ArgumentType, ...], Specialisation]] = {}
        self._warned = False

    @property
    def specialisations(self) -> list[Specialisation]:
        """Those that were used, in the order of their first use."""
        return [specialisation for _, specialisation in self._found.values()]

    def find(self, arguments: Mapping[str, object]) -> Specialisation:
        """The specialisation for these arguments, by parameter, compiled if need be, not run."""
        return self._match(_types(arguments), chosen(self.options.device)).specialisation

    def call(self, arguments: Mapping[str, object]) -> tuple[object, Shortcut | None]:
        """Run a call; the shortcut takes calls of this kind from now on, where they need nothing of Python."""
        types, device = _types(arguments), chosen(self.options.device)
        known = self._matches.get((types, device))
        if known is not None and known.holds():
            result = self._run(known.specialisation, arguments, types)
            if result is not NotImplemented:
                return result, None
        match = self._matches[types, device] = self._match(types, device)
        result = self._run(match.specialisation, arguments, types)
        if result is NotImplemented:
            raise self._misfit(match.specialisation, arguments)
        lasting = device == usual(self.options.device)
        return result, self._shortcut(match, arguments) if lasting else None

    def _match(self, types: tuple[ArgumentType, ...], device: str) -> Match:
        seen = _fingerprint(self.function, classes_in(types))
        options = replace(self.options, device=device)
        classes = tuple(value for _, _, value in seen.guards if isinstance(value, type))
        lasting = tuple(map(without_functions, types))
        key = (self._form, seen.digest, lasting, options, classes)
        with building.lock:
            if key not in _specialisations:
                makers = Makers(lasting)
                _specialisations[key] = self._specialise(makers, seen.digest, options, classes), makers
            specialisation, makers = _specialisations[key]
            self._types.setdefault(lasting, types)
            makers.callees.add(self)
            self._found.setdefault(key, (lasting, specialisation))
        self._warn_of_many()
        return Match(specialisation, tuple(seen.guards), seen.digest)

    def program(self, types: tuple[ArgumentType, ...]) -> Program:
        """The program for types that the function was called with."""
        return self._build(self._types[types])

    def _specialise(self, makers: Makers, digest: str, options: Options, classes: tuple[type, ...]) -> Specialisation:
        types = makers.types
        name = f"{self.function.__qualname__}({', '.join(map(str, types))})"
        key = key_of(self._form, self.function.__qualname__, digest, repr(types))
        return Specialisation(
            Request(name, key, options, makers),
            {f"{cls.__module__}:{cls.__qualname__}": cls for cls in (*classes_in(types), *classes)},
        )

    def _run(
        self, specialisation: Specialisation, arguments: Mapping[str, object], types: tuple[ArgumentType, ...]
    ) -> object:
        """The result, or NotImplemented where captured values have other types than the specialisation."""
        variant = specialisation.family.variant()
        leaves = [leaf for pair in zip(arguments.values(), types, strict=True) for leaf in flatten(*pair)]
        outer = (s for s in variant.compiled.sources if s.kind != "argument")
        result = variant.handle.run((*leaves, *(captured.read(self.function, s, arguments) for s in outer)))
        if isinstance(result, Written):
            for source, value in zip(variant.compiled.writes, result.values, strict=True):
                captured.write(self.function, source, value)
            return result.result
        return result

    def _shortcut(self, match: Match, arguments: Mapping[str, object]) -> Shortcut | None:
        """For calls whose arguments are the leaves in order and whose captured values lie in cells or dictionaries."""
        variant = match.specialisation.family.variant()
        sources, handle = variant.compiled.sources, variant.handle
        own = [s.name for s in sources if s.kind == "argument"]
        plain = own == list(arguments) and not any(s.path for s in sources) and not variant.compiled.writes
        if not plain or not isinstance(handle, Handle):
            return None
        outer = [s for s in sources if s.kind != "argument"]
        places = tuple(captured.locate(self.function, s, arguments) for s in outer)
        return Shortcut(handle, places, match.guards)

    def _misfit(self, specialisation: Specialisation, arguments: Mapping[str, object]) -> Exception:
        """Why the present captured values cannot be passed."""
        for source in specialisation.family.variant().compiled.sources:
            if source.kind != "argument":
                describe(captured.read(self.function, source, arguments), str(source))
        return InternalError(f"{self.function.__qualname__}: the arguments do not fit their own specialisation")

    def _warn_of_many(self) -> None:
        if len(self._found) <= MANY or self._warned:
            return
        self._warned = True
        varying = ", ".join(_varying([types for types, _ in self._found.values()], self.function))
        code = self.function.__code__
        warn(
            "W002",
            f"{self.function.__qualname__} was compiled for {len(self._found)} combinations of types; what varies: "
            f"{varying or 'the functions, strings and types that it uses'}",
            Location(code.co_filename, code.co_firstlineno, function=self.function.__qualname__),
        )


def _fingerprint(function: FunctionType, classes: list[type]) -> Fingerprint:
    """What a function depends on, and the methods of the classes of its arguments."""
    found = [fingerprint(function), *map(class_fingerprint, classes)]
    digests = [part.digest for part in found]
    return Fingerprint(digests[0] if not classes else key_of(*digests), [g for part in found for g in part.guards])


def shortened(error: Error) -> Error:
    """An error about the user's program without the frames of Weft, which say nothing to the user; the log has them."""
    if isinstance(error, InternalError):
        return error
    log.debug("the call is refused", exc_info=error)
    return error.with_traceback(None)


def _types(arguments: Mapping[str, object]) -> tuple[ArgumentType, ...]:
    return tuple(describe(value, name) for name, value in arguments.items())


def _varying(all_types: list[tuple[ArgumentType, ...]], function: FunctionType) -> Iterator[str]:
    names = function.__code__.co_varnames
    for name, column in zip(names, zip(*all_types, strict=True), strict=False):
        if len(set(column)) > 1:
            yield name
