"""The stages of the compiler that random programs go through, each as a way to call a function."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any
from unittest import mock

import numpy as np

from weft.analysis import effort
from weft.ir import nodes as n
from weft.ir.reference.interpreter import Interpreter, holds
from weft.ir.reference.simulated import Simulation
from weft.ir.types import View
from weft.runtime.dispatch import variants

tiles: Any = importlib.import_module("weft.transform.scan.tiles")  # the pass hides its module

Call = Callable[[tuple[Any, ...]], Any]
"""Runs a prepared function on arguments, and gives its result."""


class NotForTheseArguments(Exception):
    """The stage does not take these arguments: another variant of the program would run."""


Overlaps = frozenset[tuple[int, int]]
"""Pairs of places of arguments."""


@dataclass(frozen=True)
class Stage:
    """A named way to run functions: `prepare` compiles one for arguments like the given ones."""

    name: str
    prepare: Callable[[FunctionType, tuple[Any, ...]], Call]


def cpython(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The function as it is."""
    return lambda values: function(*values)


def built(function: FunctionType, arguments: tuple[Any, ...]) -> n.Program:
    """The program of a function, verified."""
    from weft.frontend import build
    from weft.frontend.source.signature import describe
    from weft.ir.check.verifier import verify

    names = function.__code__.co_varnames
    types = tuple(describe(value, name) for value, name in zip(arguments, names))
    program = build(function, types)
    verify(program)
    return program


def optimised(program: n.Program, **options: Any) -> n.Program:
    """The program after all passes, verified after each."""
    from weft.transform.pipeline import optimise

    return optimise(program, verify=True, **options)


def interpreted(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The frontend's program, interpreted."""
    return caller(built(function, arguments))


def optimised_and_interpreted(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The optimised program, interpreted where its assumptions hold."""
    return guarded(optimised(built(function, arguments)))


def checked_and_interpreted(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The variant that assumes nothing of indices, interpreted."""
    return guarded(optimised(built(function, arguments), checked=True))


def planned_and_interpreted(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The program with its nests on a device of its own memory, whose contents the interpreter keeps apart.

    It finds every read of an old element. `check_plan`, which proves that there is none, cannot compare all regions of
    such programs.
    """
    from weft.ir.check.verifier import verify
    from weft.plan.place import place
    from weft.transform.safety import aliasing

    program = built(function, arguments)
    shared = overlaps(arguments)
    names = [param.var.name for param in program.params]
    program = aliasing.overlapping(program, [(names[a], names[b]) for a, b in shared])
    with effort.limited():  # as calls are compiled
        program = place(optimised(program, turns=False, blocks=True, rows=True), "cuda:0").program
    verify(program)
    return guarded(program, shared)


def with_guests(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
    """The same for arrays that are on the device before the call, and have to be there after it."""
    from weft.ir.check.verifier import verify
    from weft.plan.place import place

    program = built(function, arguments)
    params = (replace(p, home="cuda:0") if isinstance(p.var.type, View) else p for p in program.params)
    program = optimised(replace(program, params=tuple(params)), turns=False, blocks=True, rows=True)
    program = place(program, "cuda:0").program
    verify(program)
    return guarded(program)


def in_slabs(room: int) -> Stage:
    """The same slab by slab, for a device that seems to have so much room: slabs are small, and all fits."""

    def prepare(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
        from weft.ir.check.verifier import verify
        from weft.plan.place import place

        optimal = optimised(built(function, arguments), turns=False, blocks=True, rows=True)
        program = place(optimal, "cuda:0", slabs=True).program
        verify(program)
        call = guarded(program)

        def run(values: tuple[Any, ...]) -> Any:
            with mock.patch.object(Simulation, "room", lambda self, memory: room):
                return call(values)

        return run

    return Stage(f"slabs of {room} bytes", prepare)


def guarded(program: n.Program, shared: Overlaps = frozenset()) -> Call:
    """A way to call a program that is right only for some arguments, of which no others share memory."""
    call = caller(program)

    def run(values: tuple[Any, ...]) -> Any:
        if not overlaps(values) <= shared or not holds(program, flat(program, values)):
            raise NotForTheseArguments
        return call(values)

    return run


def compiled(device: str, memory_limit: int | None = None) -> Stage:
    """The whole way through, on a device, of whose memory calls use no more than a limit."""

    def prepare(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
        import weft

        ready = weft.jit(function, device=device, memory_limit=memory_limit)

        def run(values: tuple[Any, ...]) -> Any:
            try:
                return ready(*values)
            except weft.OutOfMemoryError as error:
                raise NotForTheseArguments from error

        return run

    return Stage(device, prepare)


def coherent(device: str) -> Stage:
    """The whole way on a device, with coherent arrays of which every second one is on the device alone."""

    def prepare(function: FunctionType, arguments: tuple[Any, ...]) -> Call:
        import weft
        from weft.runtime.devices import accelerators

        ready = weft.jit(function, device=device)

        def run(values: tuple[Any, ...]) -> Any:
            if shares_memory(values):
                raise NotForTheseArguments
            made = [weft.array(v) if isinstance(v, np.ndarray) and v.flags.writeable else v for v in values]
            for array in [a for a in made if isinstance(a, weft.Array)][::2]:
                array._storage.acquire(accelerators.table(device), True)
                array._storage.wrote(accelerators.table(device))
            try:
                return _plainly(ready(*made), dict(zip(map(id, made), values)))
            finally:
                for value, array in zip(values, made):
                    if isinstance(array, weft.Array):
                        value[...] = array

        return run

    return Stage(f"coherent arrays on {device}", prepare)


def _plainly(result: Any, given: dict[int, Any]) -> Any:
    """A result with NumPy arrays in the places of coherent ones."""
    import weft

    if isinstance(result, weft.Array):
        return given[id(result)] if id(result) in given else np.array(result)
    return tuple(_plainly(item, given) for item in result) if type(result) is tuple else result


@contextmanager
def small_tiles() -> Iterator[None]:
    """Let short loops be cut into several tiles, so that small inputs show what long loops do.

    What is compiled meanwhile must not stay in a store that others use.
    """
    small = {"TILE_WORK": 12, "TURN_WORK": 12, "LEAST_ITERATIONS": 2, "LEAST_TILES": 2, "FIRST_ROUND": 1, "ROUND": 3}
    before = {name: getattr(tiles, name) for name in small}
    for name, value in small.items():
        setattr(tiles, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(tiles, name, value)


CPYTHON = Stage("cpython", cpython)
INTERPRETED = Stage("frontend", interpreted)
OPTIMISED = Stage("passes", optimised_and_interpreted)
PLANNED = Stage("plan", planned_and_interpreted)
GUESTS = Stage("guests", with_guests)
CHECKED = Stage("checked variant", checked_and_interpreted)


def caller(program: n.Program) -> Call:
    """Runs a program in the interpreter and rebuilds the Python result."""
    interpreter = Interpreter(program)

    def run(values: tuple[Any, ...]) -> Any:
        yields = iter(interpreter.run(flat(program, values)))
        return rebuilt(program.returns, yields)

    return run


def flat(program: n.Program, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values of the parameters: the arguments of a random program are its parameters, in order."""
    assert len(program.params) == len(values)
    assert all(p.source.kind == "argument" and not p.source.path for p in program.params)
    return values


def rebuilt(returns: n.Returns, yields: Iterator[Any]) -> Any:
    """The Python result."""
    return variants.rebuild(returns, list(yields), {})


def shares_memory(values: tuple[Any, ...]) -> bool:
    """Whether two array arguments share memory."""
    return any(a != b for a, b in overlaps(values))


def overlaps(values: tuple[Any, ...]) -> Overlaps:
    """The places of arguments that may share memory, and of arrays that show an element more than once, twice."""
    arrays = [(k, v) for k, v in enumerate(values) if isinstance(v, np.ndarray)]
    pairs = {(a, b) for a, x in arrays for b, y in arrays if a < b and np.may_share_memory(x, y)}
    return frozenset(pairs | {(a, a) for a, x in arrays if _shows_twice(x)})


def _shows_twice(array: np.ndarray) -> bool:
    places = sum(np.ix_(*(np.arange(size) * step for size, step in zip(array.shape, array.strides))), np.array(0))
    return len(np.unique(places)) < places.size
