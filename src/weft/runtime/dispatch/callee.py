"""A Python function that is compiled for each combination of types: finds its specialisations and runs calls."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet, WeakValueDictionary

from weft.compile import collector, lock
from weft.compile.mistakes import compiling, definition_of
from weft.compile.store import default_store, key_of
from weft.dataclass import dataclass
from weft.errors import ArgumentError, DeviceError, Error, InternalError, SourceError, UnsupportedError, warn
from weft.frontend.source import captured, fixed
from weft.frontend.source.fingerprint import Fingerprint, class_fingerprint, content, fingerprint
from weft.frontend.source.given_lists import Lists, describe_argument, leaves_of
from weft.frontend.source.signature import (
    HOST,
    ArgumentType,
    CallableType,
    classes_in,
    describe,
    parts_of,
    without_functions,
)
from weft.ir.interface import Source
from weft.ir.location import Location
from weft.ir.types import View
from weft.runtime._stub import Handle
from weft.runtime.devices import nvtx_ranges, speeds
from weft.runtime.devices.devices import AUTO, CPU, chosen, memory_of
from weft.runtime.dispatch import kept_results
from weft.runtime.dispatch.specialisation import Options, Request, Specialisation
from weft.runtime.dispatch.variants import Written

if TYPE_CHECKING:
    from weft.cost.prediction import Choice
    from weft.ir.nodes import Program
    from weft.schedule.directives import Schedule

log = logging.getLogger(__name__)

nvtx_ranges.start()

RECENT = 32
"""Specialisations that stay though all their functions are gone."""

MANY = 16
"""Specialisations of one function above which a warning names what varies."""

_specialisations: WeakValueDictionary[tuple[object, ...], Specialisation] = WeakValueDictionary()
"""Functions of the same content share them, and hold them."""
_recent: dict[tuple[object, ...], Specialisation] = {}
"""The `RECENT` that were looked for last, the latest at the end, for functions that are made again and again."""
_known_fixed: set[str] = set()
"""Digests for which the store was asked which captured numbers decide types."""


@dataclass(frozen=True)
class Shortcut:
    """What the entry stub needs to take calls by itself: see `_stub.Dispatcher._add`."""

    handle: Handle
    captures: tuple[tuple[Any, str], ...]
    guards: tuple[tuple[Any, str, object], ...]
    classes: set[bytes] | None
    """The classes of sizes for which the device of the handle was chosen; None where it is for all."""


@dataclass(frozen=True)
class Decision:
    """Where a call runs; why, where there was something to choose; the class of its sizes, where these decided."""

    device: str
    choice: Choice | None = None
    size: bytes | None = None
    alone: bool = False
    """Whether there is only the processor."""


@dataclass(frozen=True)
class Match:
    """A specialisation, and the names that must still stand for the same objects for it to be the right one."""

    specialisation: Specialisation
    guards: tuple[tuple[Any, str, object], ...]
    digest: str
    fixed: tuple[Source, ...]
    """The captured numbers that were known to decide types."""

    def holds(self, function: FunctionType) -> bool:
        """Whether the names do, and no other captured number of the function is compiled in by now."""
        return self.fixed == fixed.sources(function) and all(content(*guard) is guard[2] for guard in self.guards)


class Makers:
    """The functions of one content, any of which makes the program of a specialisation.

    Held weakly, since what they capture may be large; one of them is there whenever a call asks for another variant.
    Each may have changed since it had that content: such a one is passed over.
    """

    def __init__(self, types: tuple[ArgumentType, ...], memory: str, digest: str) -> None:
        self.types = types
        self.memory = memory
        self.digest = digest
        self.callees: WeakSet[Callee] = WeakSet()

    def __call__(self) -> Program:
        """The program.

        Raises
        ------
        SourceError
            The function, or what it calls, was changed after this specialisation was made.
        """
        for callee in tuple(self.callees):
            if callee.is_still(self.types, self.digest):
                return callee.program(self.types, self.memory)
        raise SourceError(
            "the function was changed since it was compiled for these types",
            cause="its code, its default values, or what its names stand for is another now",
            hint="call it again, and look at what it is compiled to then",
        )


def _held(function: FunctionType, source: Source) -> Iterator[tuple[Any, str, object]]:
    """The names that lead to a captured number and what they stand for; items of tuples stay with these."""
    container, name = captured.locate(function, source, {})
    yield container, name, content(container, name, None)
    for depth, part in enumerate(source.path):
        owner = captured.read(function, replace(source, path=source.path[:depth]), {})
        if isinstance(part, str) and not isinstance(owner, (tuple, FunctionType)):
            yield owner, part, getattr(owner, part)


class Callee:
    """A function, the options it is compiled with, and its specialisations.

    Parameters
    ----------
    function
        The function as the user wrote it.
    options
        Of the decorator.
    build
        Makes the program for the types of the arguments and the memory that coherent arrays are in.
    form
        Tells apart programs that are made from one function in different ways; part of the key in the store.
    """

    def __init__(
        self,
        function: FunctionType,
        options: Options,
        build: Callable[[tuple[ArgumentType, ...], str], Program],
        form: tuple[object, ...] = (),
    ) -> None:
        self.function = function
        self.options = options
        self._build = build
        self._form = form
        code = function.__code__
        self._place = partial(definition_of, code.co_filename, code.co_firstlineno, function.__qualname__)
        self._matches: dict[tuple[tuple[ArgumentType, ...], str], Match] = {}
        self._types: dict[tuple[ArgumentType, ...], tuple[ArgumentType, ...]] = {}
        self._found: dict[tuple[object, ...], tuple[tuple[ArgumentType, ...], Specialisation]] = {}
        self._outlined: dict[tuple[ArgumentType, ...], Match] = {}
        self._taken: set[tuple[tuple[ArgumentType, ...], str]] = set()
        self._classes: dict[tuple[tuple[ArgumentType, ...], str], set[bytes]] = {}
        self._scheduled: dict[Schedule, Callee] = {}
        self._kinds: Fingerprint | None = None
        self._warned = False

    @property
    def specialisations(self) -> list[Specialisation]:
        """Those that were used, in the order of their first use."""
        return [specialisation for _, specialisation in self._found.values()]

    def scheduled(self, schedule: Schedule) -> Callee:
        """The function under a schedule, which is not measured."""
        if schedule not in self._scheduled:
            options = replace(self.options, schedule=schedule, measure=False)
            self._scheduled[schedule] = Callee(self.function, options, self._build, self._form)
        return self._scheduled[schedule]

    def find(self, arguments: Mapping[str, object]) -> Specialisation:
        """The specialisation for these arguments, by parameter, compiled if need be, not run."""
        if self.options.measure:
            from weft.runtime.dispatch import trials

            return trials.callee_for(self, arguments, may_run=False).find(arguments)
        return self.matched(arguments).specialisation

    def matched(self, arguments: Mapping[str, object]) -> Match:
        """The same with what must still hold for it to be the right one."""
        device = self.decide(arguments).device
        return self._match(_types(arguments, device), device, lambda found: found.source_program)

    def examine(self, arguments: Mapping[str, object]) -> tuple[Specialisation, Decision, tuple[object, ...]]:
        """The specialisation for these arguments, why it is that one, and the flat arguments; nothing is run."""
        from weft.runtime.dispatch import choosing

        specialisation, decision = self.find(arguments), self.decide(arguments)
        if decision.alone:
            decision = replace(decision, choice=choosing.ALONE)
        sources = [param.source for param in specialisation.source_program.params]
        return specialisation, decision, self._leaves(sources, arguments, _types(arguments, decision.device))

    def laid_out(self, arguments: Mapping[str, object]) -> tuple[Specialisation, tuple[object, ...]]:
        """The specialisation for these arguments on the processor, and the flat arguments; nothing is compiled or run.

        A program that is in the store is not made again.
        """
        types = _types(arguments, CPU)
        specialisation = self._match(types, CPU, lambda found: found.shaped()).specialisation
        sources = [param.source for param in specialisation.shaped().params]
        return specialisation, self._leaves(sources, arguments, types)

    def call(self, arguments: Mapping[str, object]) -> tuple[object, Shortcut | None]:
        """Run a call; the shortcut takes calls of this kind from now on, where they need nothing of Python."""
        if self.options.measure:
            from weft.runtime.dispatch import trials

            return trials.callee_for(self, arguments, may_run=True).call(arguments)[0], None
        decision = self.decide(arguments)
        device = decision.device
        types = _types(arguments, device)
        known = self._matches.get((types, device))
        if known is not None and known.holds(self.function):
            self._note_functions(types)
            result = self._run(known.specialisation, arguments, types)
            if result is not NotImplemented:
                return result, self._new_shortcut(known, arguments, types, decision)
        begin = partial(self._begin, arguments, types)
        match = self._matches[types, device] = self._match(types, device, begin)
        self._taken.discard((types, device))
        result = self._run(match.specialisation, arguments, types)
        if result is NotImplemented:
            raise self._misfit(match.specialisation, arguments)
        return result, self._new_shortcut(match, arguments, types, decision)

    def _begin(
        self, arguments: Mapping[str, object], types: tuple[ArgumentType, ...], specialisation: Specialisation
    ) -> None:
        """Make the variant that calls try first."""
        leaves = leaves_of(arguments.values(), types, Lists())
        if any(1 in getattr(leaf, "shape", ()) for leaf in leaves):
            specialisation.expect(lambda sources: self._leaves(sources, arguments, types))
        specialisation.family.variant()

    def _new_shortcut(
        self, match: Match, arguments: Mapping[str, object], types: tuple[ArgumentType, ...], decision: Decision
    ) -> Shortcut | None:
        """The shortcut for calls like this one; where there is one already, it learns the class of the sizes."""
        if chosen(self.options.device) != self.options.device:
            return None
        place = types, decision.device
        classes = None
        if decision.size is not None:
            classes = self._classes.setdefault(place, set())
            classes.add(decision.size)
        if place in self._taken:
            return None
        self._taken.add(place)
        return self._shortcut(match, arguments, classes)

    def decide(self, arguments: Mapping[str, object]) -> Decision:
        """Where a call runs: the device that was asked for, or for ``auto`` the fastest; compiled if need be."""
        asked = chosen(self.options.device)
        if asked != AUTO:
            return Decision(asked)
        types = _types(arguments, CPU)
        there = _memory_in(types)
        if there != HOST:
            return Decision(there)
        if (kind := self._kind_of_kernels()) != CPU:
            from weft.runtime.dispatch import choosing

            return Decision(kind, choosing.for_kernels(kind))
        if speeds.is_alone():
            return Decision(CPU, alone=True)
        from weft.runtime.dispatch import choosing

        match = self._outlined.get(types)
        if match is None or not match.holds(self.function):
            match = self._outlined[types] = self._match(types, CPU, lambda found: found.outline(CPU))
        outline = match.specialisation.outline(CPU)
        if outline.pinned:
            return Decision(CPU, choosing.PINNED)
        leaves = self._leaves(outline.sources, arguments, types)
        choice = self._possible(match.specialisation, arguments, leaves)
        return Decision(choice.device, choice, choosing.key_of_call(match.specialisation, leaves)[1])

    def _kind_of_kernels(self) -> str:
        """The kind of device that kernels of the user's are for; the processor where there are none."""
        known = self._kinds
        if known is None or not all(content(*guard) is guard[2] for guard in known.guards):
            with compiling(self._place):
                known = self._kinds = fingerprint(self.function)
        return min(known.kinds - {CPU}, default=CPU)

    def _possible(
        self, specialisation: Specialisation, arguments: Mapping[str, object], leaves: tuple[object, ...]
    ) -> Choice:
        """The fastest device that is there and takes the function."""
        from weft.runtime.dispatch import choosing

        with compiling(specialisation.request.place):
            choice = choosing.choice_of(specialisation, leaves)
        while choice.device != CPU:
            types = _types(arguments, choice.device)
            try:
                choosing.check_device(choice.device)
                self._match(types, choice.device, lambda found: found.family.variant())
                break
            except (DeviceError, InternalError, UnsupportedError) as error:
                log.info("%s runs elsewhere: %s", self.function.__qualname__, error)
                choice = choosing.refuse(specialisation, leaves, choice.device, error)
        return choice

    def _match(self, types: tuple[ArgumentType, ...], device: str, make: Callable[[Specialisation], object]) -> Match:
        """The match for some types, once what `make` does with its specialisation needs no more captured values."""
        with collector.standing_still():
            return self._matched(types, device, make)

    def _matched(self, types: tuple[ArgumentType, ...], device: str, make: Callable[[Specialisation], object]) -> Match:
        while True:
            with compiling(self._place):
                seen = _fingerprint(self.function, classes_in(types))
            seen.guards += kept_results.check_unchanged(seen.kept)
            match = self._matching(types, device, self._with_fixed(seen))
            try:
                make(match.specialisation)
                return match
            except fixed.NeedsValue as needed:
                log.info("%s is compiled for the value of %s", self.function.__qualname__, needed.source)
                self._forget(match.specialisation)
                fixed.learn(self.function, (needed.source,))
                default_store().put("fixed", seen.digest, fixed.sources(self.function))

    def _forget(self, specialisation: Specialisation) -> None:
        """Drop a specialisation that cannot be: it lacks a value."""
        with lock.lock:
            for key in [k for k, (_, found) in self._found.items() if found is specialisation]:
                del self._found[key]
                _specialisations.pop(key, None)
                _recent.pop(key, None)

    def _with_fixed(self, seen: Fingerprint) -> Fingerprint:
        """The fingerprint with the values of the captured numbers that decide types."""
        if seen.digest not in _known_fixed:
            _known_fixed.add(seen.digest)
            stored = default_store().get("fixed", seen.digest)
            fixed.learn(self.function, stored if isinstance(stored, tuple) else ())
        sources = fixed.sources(self.function)
        if not sources:
            return seen
        values = [captured.read(self.function, source, {}) for source in sources]
        held = [guard for source in sources for guard in _held(self.function, source)]
        return Fingerprint(key_of(seen.digest, list(map(str, sources)), repr(values)), [*seen.guards, *held])

    def _matching(self, types: tuple[ArgumentType, ...], device: str, seen: Fingerprint) -> Match:
        options = replace(self.options, device=device)
        classes = tuple(value for _, _, value in seen.guards if isinstance(value, type))
        lasting = tuple(map(without_functions, types))
        asked = chosen(self.options.device) != AUTO
        key = (self._form, seen.digest, lasting, options, classes, asked)
        with lock.lock:
            specialisation = _specialisations.get(key)
            if specialisation is None:
                makers = Makers(lasting, memory_of(device), seen.digest)
                specialisation = _specialisations[key] = self._specialise(makers, seen.digest, options, classes, asked)
            _keep_recent(key, specialisation)
            self._types[lasting] = types
            _makers_of(specialisation).callees.add(self)
            self._found.setdefault(key, (lasting, specialisation))
        self._warn_of_many()
        return Match(specialisation, tuple(seen.guards), seen.digest, fixed.sources(self.function))

    def _note_functions(self, types: tuple[ArgumentType, ...]) -> None:
        """Remember the functions among the arguments of a call: those of an earlier one may have changed."""
        if any(isinstance(part, CallableType) for type_ in types for part in parts_of(type_)):
            self._types[types] = types

    def is_still(self, types: tuple[ArgumentType, ...], digest: str) -> bool:
        """Whether the function, and those that are its arguments, have the content that a digest stands for."""
        parts = [part for type_ in self._types[types] for part in parts_of(type_)]
        functions: list[tuple[Any, str]] = [(p.function, p.digest) for p in parts if isinstance(p, CallableType)]
        if any(fingerprint(function).digest != known for function, known in functions):
            return False
        return self._with_fixed(_fingerprint(self.function, classes_in(types))).digest == digest

    def program(self, types: tuple[ArgumentType, ...], memory: str) -> Program:
        """The program for types that the function was called with."""
        return self._build(self._types[types], memory)

    def _specialise(
        self, makers: Makers, digest: str, options: Options, classes: tuple[type, ...], asked: bool
    ) -> Specialisation:
        types = makers.types
        name = f"{self.function.__qualname__}({', '.join(map(str, types))})"
        key = key_of(self._form, self.function.__qualname__, digest, repr(types))
        return Specialisation(
            Request(name, key, options, makers, asked, self._place),
            {f"{cls.__module__}:{cls.__qualname__}": cls for cls in (*classes_in(types), *classes)},
        )

    def _run(
        self, specialisation: Specialisation, arguments: Mapping[str, object], types: tuple[ArgumentType, ...]
    ) -> object:
        """The result, or NotImplemented where captured values have other types than the specialisation."""
        variant = specialisation.family.variant()
        self._check_objects(variant.compiled.writes, variant.compiled.sources, arguments)
        with Lists() as lists:
            leaves = self._leaves(variant.compiled.sources, arguments, types, lists)
            self._check_dicts(variant.compiled.writes, arguments, lists)
            result = variant.run(leaves)
        if isinstance(result, Written):
            for source, value in zip(variant.compiled.writes, result.values, strict=True):
                captured.write(self.function, source, value, arguments)
            return result.result
        return result

    def _leaves(
        self,
        sources: Sequence[Source],
        arguments: Mapping[str, object],
        types: tuple[ArgumentType, ...],
        lists: Lists | None = None,
    ) -> tuple[object, ...]:
        """The flat arguments of a call, then the captured values."""
        lists = lists or Lists()
        leaves = leaves_of(arguments.values(), types, lists)
        outer = (s for s in sources if s.kind != "argument")
        return (*leaves, *(captured.read(self.function, s, arguments, lists.captured) for s in outer))

    def _check_objects(
        self, writes: Sequence[Source], sources: Sequence[Source], arguments: Mapping[str, object]
    ) -> None:
        """Refuse an object under two names whose fields the program assigns: it takes them for two objects."""
        written = {id(self._owner(s, arguments)) for s in writes if s.kind == "argument"}
        places: dict[int, set[str]] = {}
        for source in (*writes, *sources) if written else ():
            for depth in range(1, len(source.path) + 1):
                part = replace(source, path=source.path[:depth])
                places.setdefault(id(self._owner(part, arguments)), set()).add(str(replace(part, path=part.path[:-1])))
        shared = [sorted(places[key]) for key in written if len(places[key]) > 1]
        if shared:
            raise ArgumentError(
                f"{' and '.join(shared[0])} are one object, and its fields are assigned",
                cause="compiled code takes them for two objects",
                hint="pass a copy, made with copy.copy, for one of them",
            )

    def _check_dicts(self, writes: Sequence[Source], arguments: Mapping[str, object], lists: Lists) -> None:
        """Refuse a dict that is changed and is also in a list: compiled code has two dicts for it."""
        for source in writes:
            if source.kind == "argument" and lists.holds_dict(self._owner(source, arguments)):
                raise ArgumentError(
                    "a dict that is an argument and is changed is also an element of a list",
                    argument=source.name,
                    cause="compiled code takes them for two dicts",
                    hint="pass a copy, made with copy.copy, for one of them",
                )

    def _owner(self, source: Source, arguments: Mapping[str, object]) -> object:
        """The object that a value is a field of."""
        if source.kind == "argument":
            return captured.owner_of(source, arguments)
        return captured.read(self.function, replace(source, path=source.path[:-1]), arguments)

    def _shortcut(self, match: Match, arguments: Mapping[str, object], classes: set[bytes] | None) -> Shortcut | None:
        """For calls whose arguments are the leaves in order and whose captured values lie in cells or dictionaries."""
        variant = match.specialisation.family.variant()
        sources, handle = variant.compiled.sources, variant.handle
        own = [s.name for s in sources if s.kind == "argument"]
        plain = (
            own == list(arguments)
            and all(s.kind != "function" for s in sources)
            and not any(s.path for s in sources)
            and not variant.compiled.writes
            and not any(type(value) is list for value in arguments.values())
        )
        lasting = all(isinstance(container, (dict, type, CellType, FunctionType)) for container, _, _ in match.guards)
        if not plain or not lasting or not isinstance(handle, Handle):
            return None
        outer = [s for s in sources if s.kind != "argument"]
        places = tuple(captured.locate(self.function, s, arguments) for s in outer)
        return Shortcut(handle, places, match.guards, classes)

    def _misfit(self, specialisation: Specialisation, arguments: Mapping[str, object]) -> Exception:
        """Why the present captured values cannot be passed."""
        variant = specialisation.family.variant()
        for source in variant.compiled.sources:
            if source.kind != "argument":
                describe(captured.read(self.function, source, arguments, Lists().captured), str(source))
        return variant.refusal()

    def _warn_of_many(self) -> None:
        devices = len({specialisation.request.options.device for specialisation in self.specialisations})
        if len(self._found) <= MANY * devices or self._warned:
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


def _keep_recent(key: tuple[object, ...], specialisation: Specialisation) -> None:
    _recent.pop(key, None)
    _recent[key] = specialisation
    if len(_recent) > RECENT:
        del _recent[next(iter(_recent))]


def _makers_of(specialisation: Specialisation) -> Makers:
    """The functions that a specialisation is made from."""
    makers = specialisation.request.program
    assert isinstance(makers, Makers)
    return makers


def _fingerprint(function: FunctionType, classes: list[type]) -> Fingerprint:
    """What a function depends on, and the methods of the classes of its arguments."""
    found = [fingerprint(function), *map(class_fingerprint, classes)]
    digests = [part.digest for part in found]
    digest = digests[0] if not classes else key_of(*digests)
    guards, kept = [g for part in found for g in part.guards], [one for part in found for one in part.kept]
    return Fingerprint(digest, guards, kept=kept)


def shortened(error: Error) -> Error:
    """An error about the user's program without the frames of Weft, which say nothing to the user; the log has them."""
    if isinstance(error, InternalError):
        return error
    log.debug("the call is refused", exc_info=error)
    return error.with_traceback(None)


def _types(arguments: Mapping[str, object], device: str) -> tuple[ArgumentType, ...]:
    memory = memory_of(device)
    return tuple(describe_argument(value, name, memory) for name, value in arguments.items())


def _memory_in(types: tuple[ArgumentType, ...]) -> str:
    """The memory of a device that arrays of other libraries are in; the host's where there are none."""
    views = (part for type_ in types for part in parts_of(type_) if isinstance(part, View))
    return next((view.memory for view in views if view.memory != HOST), HOST)


def _varying(all_types: list[tuple[ArgumentType, ...]], function: FunctionType) -> Iterator[str]:
    names = inspect.signature(function, follow_wrapped=False).parameters
    for name, column in zip(names, zip(*all_types, strict=True), strict=False):
        if len(set(column)) > 1:
            yield name
