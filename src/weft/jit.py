"""The front doors: `jit`, `parallel_for`, `for_each`. Describe the arguments, find or build the specialisation, run."""

from __future__ import annotations

import functools
import inspect
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

from weft.errors import ArgumentError, UnsupportedError, WeftWarning
from weft.frontend.fingerprint import Fingerprint, fingerprint
from weft.frontend.markers import STOP, associative, assume_independent, prange
from weft.frontend.signature import ArgumentType, describe, flatten
from weft.ir.nodes import Source
from weft.runtime import devices
from weft.runtime._stub import Dispatcher, Handle
from weft.runtime.build import Options, Request, Specialisation
from weft.runtime.store import key_of

if TYPE_CHECKING:
    from weft.ir.nodes import Program

__all__ = ["STOP", "Function", "associative", "assume_independent", "for_each", "jit", "parallel_for", "prange"]

P = ParamSpec("P")
R = TypeVar("R")

MANY = 16
"""Specialisations of one function above which a warning names what varies."""


@dataclass(frozen=True)
class Inspection:
    """What became of a function for one combination of types.

    Attributes
    ----------
    ir
        The program after all passes, as text.
    schedule
        How its loops are laid out.
    source
        The generated source text.
    assembly
        The machine code, disassembled.
    """

    ir: str
    schedule: str
    source: str
    assembly: str


class Function(Dispatcher, Generic[P, R]):  # type: ignore[misc]
    """A compiled function: call it as the Python function that it was made from."""

    def __init__(self, function: Callable[P, R], options: Options) -> None:
        functools.update_wrapper(self, function)
        self._function = cast(FunctionType, function)
        self._options = options
        self._signature = inspect.signature(function)
        _check_parameters(self._signature, self._function)
        self._arity = len(self._signature.parameters)
        self._lock = threading.RLock()
        self._specialisations: dict[tuple[object, ...], Specialisation] = {}
        self._warned = False

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., R]: ...

    def __get__(self, instance: object, owner: type | None = None) -> Function[P, R] | Callable[..., R]:
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<weft function {self.__qualname__}>"

    def __reduce__(self) -> str:
        return self.__qualname__

    @property
    def specialisations(self) -> tuple[str, ...]:
        """The argument types that the function was compiled for, each as text."""
        return tuple(s.request.name for s in self._specialisations.values())

    def inspect(self, *args: P.args, **kwargs: P.kwargs) -> Inspection:
        """Show the IR, the schedule, the generated source and the assembly for these arguments.

        Without arguments, for the specialisation compiled last. Nothing is run.
        """
        if args or kwargs or not self._specialisations:
            specialisation = self.specialise(*args, **kwargs)
        else:
            specialisation = list(self._specialisations.values())[-1]
        return Inspection(*specialisation.listing())

    def specialise(self, *args: P.args, **kwargs: P.kwargs) -> Specialisation:
        """The specialisation for these arguments, compiled if need be, not run."""
        return self._find(self._bind(args, kwargs))[0]

    def _bind(self, args: Sequence[object], kwargs: dict[str, object]) -> tuple[object, ...]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def _find(self, values: tuple[object, ...]) -> tuple[Specialisation, tuple[ArgumentType, ...], Fingerprint]:
        types = tuple(
            describe(value, name) for value, name in zip(values, self._signature.parameters, strict=True)
        )
        seen = fingerprint(self._function)
        options = replace(self._options, device=devices.chosen(self._options.device))
        key = (types, seen.digest, options)
        with self._lock:
            if key not in self._specialisations:
                self._specialisations[key] = self._specialise(types, seen, options)
                self._warn_of_many()
            return self._specialisations[key], types, seen

    def _specialise(self, types: tuple[ArgumentType, ...], seen: Fingerprint, options: Options) -> Specialisation:
        def program() -> Program:
            from weft.frontend import build

            return build(self._function, types)

        name = f"{self.__qualname__}({', '.join(map(str, types))})"
        digest = key_of(self._function.__qualname__, seen.digest, repr(types))
        return Specialisation(Request(name, digest, options, program))

    def _warn_of_many(self) -> None:
        if len(self._specialisations) > MANY and not self._warned:
            self._warned = True
            varying = _varying([key[0] for key in self._specialisations], list(self._signature.parameters))
            WeftWarning.warn(
                "many-specialisations",
                f"{self.__qualname__} was compiled for {len(self._specialisations)} combinations of types; "
                f"what varies: {varying}",
            )

    def _miss(self, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        """Run a call that no specialisation at hand takes as it comes."""
        values = self._bind(args, kwargs)
        specialisation, types, seen = self._find(values)
        variant = specialisation.family.variant()
        leaves = [leaf for value, type_ in zip(values, types, strict=True) for leaf in flatten(value, type_)]
        sources = variant.compiled.sources
        captured = [source for source in sources if source.kind != "argument"]
        leaves += [_captured(source, self._function) for source in captured]
        self._remember(variant.handle, sources, captured, seen)
        return variant.handle.run(tuple(leaves))

    def _remember(
        self, handle: object, sources: Sequence[Source], captured: Sequence[Source], seen: Fingerprint
    ) -> None:
        """Let the entry stub take calls like this one, where each argument is one leaf."""
        own = [source.name for source in sources if source.kind == "argument"]
        plain = own == list(self._signature.parameters) and not any(source.path for source in sources)
        known = any(choice[0] is handle for choice in self._choices)
        if plain and not known and isinstance(handle, Handle):
            self._add(handle, tuple(_container(source, self._function) for source in captured), tuple(seen.guards))


def _check_parameters(signature: inspect.Signature, function: FunctionType) -> None:
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise UnsupportedError(
                f"{function.__qualname__} takes *{parameter.name}",
                cause="the number of arguments of a compiled function is fixed",
                hint="name the parameters, or pass a tuple",
            )


def _captured(source: Source, function: FunctionType) -> object:
    """The value of a captured variable, or of a part of it, now."""
    container, name = _container(source, function)
    value = container.cell_contents if isinstance(container, CellType) else container[name]
    for step in source.path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def _container(source: Source, function: FunctionType) -> tuple[Any, str]:
    """Where a captured name is kept: a closure cell, or the dictionary of a module."""
    if source.kind == "closure":
        position = function.__code__.co_freevars.index(source.name)
        return (function.__closure__ or ())[position], source.name
    return function.__globals__, source.name


def _varying(keys: Sequence[object], names: Sequence[str]) -> str:
    columns = list(zip(*cast(Any, keys), strict=True))
    return ", ".join(name for name, column in zip(names, columns, strict=True) if len(set(column)) > 1)
