"""Calls that run on several devices at once: ``weft.jit(device=("opencl:0.0", "cpu"))``."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeAlias, TypeVar, cast

from weft.compile.store import default_store, key_of
from weft.errors import Error, UnsupportedError
from weft.frontend.source.signature import describe
from weft.runtime import _stub
from weft.runtime.devices.devices import AUTO, CPU, chosen
from weft.runtime.dispatch.callee import Callee, Match, shortened
from weft.runtime.dispatch.specialisation import Options, package_identity
from weft.split import resident
from weft.split.agreement import check_rounding
from weft.split.arguments import apart_pairs, at_a_glance, bound, check_apart, check_arrays, merge_into
from weft.split.calls import Call, Ran
from weft.split.costs import pieces_by_cost
from weft.split.cuts import Cut, KernelCut, Piece
from weft.split.cutting import Phase
from weft.split.exchange import Exchange
from weft.split.grouped import GroupedSums, names_of, zeros
from weft.split.habits import Habit
from weft.split.kernel_calls import KernelCall
from weft.split.programs import ENDS, OF_ROWS, Entry, Kind, built, program_of, value_name
from weft.split.resident import Regions
from weft.split.scans import run_scan
from weft.split.shares import Speeds, busy_of
from weft.split.steps import Item, Path, Plan, Steps, check_shapes, plan_for_devices
from weft.split.together import Workers, timed

if TYPE_CHECKING:
    from weft.frontend.source.signature import ArgumentType
    from weft.runtime.dispatch.specialisation import Specialisation

P = ParamSpec("P")
R = TypeVar("R", covariant=True)

Ends: TypeAlias = "tuple[int, int]"
Cuts: TypeAlias = "Iterator[Cut | KernelCut]"
Place: TypeAlias = "tuple[Path, Phase, Mapping[str, object]]"

FIRST: Path = (0,)
"""The first loop of a function."""


@dataclass(frozen=True)
class Prepared:
    """What is known of calls with arguments of some types.

    Attributes
    ----------
    plan
        What runs in pieces.
    match
        What must still hold for that.
    types
        The types.
    apart
        Pairs of arguments that must not share memory.
    moves
        The exchanges of arrays in steps.
    speeds
        How fast devices were at a loop, by its path and the size class of its length.
    regions
        What the loops of steps need of each array, by the path of the steps.
    habits
        Whether calls run whole, by the class of their sizes.
    """

    plan: Plan
    match: Match
    types: tuple[ArgumentType, ...]
    apart: tuple[tuple[str, str], ...]
    moves: tuple[Mapping[str, str], ...]
    speeds: dict[tuple[Path, int], Speeds] = field(default_factory=dict)
    regions: Regions = field(default_factory=dict)
    habits: dict[bytes, Habit] = field(default_factory=dict)


class SplitFunction(Generic[P, R]):
    """A compiled function whose loops run on several devices at once; ``weft.jit(device=(...))`` makes it.

    Attributes
    ----------
    devices
        The names of the devices.
    workers
        The threads of the devices.
    exchange
        Memory for rows that devices exchange.
    """

    def __init__(self, function: Callable[P, R], options: Options, names: Sequence[str]) -> None:
        functools.update_wrapper(self, function)
        self.devices = tuple(names)
        self._function = cast(FunctionType, function)
        self._signature = inspect.signature(function)
        self._options = options
        self._prepared: dict[tuple[ArgumentType, ...], Prepared] = {}
        self._at_a_glance: dict[tuple[object, ...], Prepared] = {}
        self._wholes: dict[str, Entry] = {}
        self._entries: dict[tuple[Path, Kind, str, int, int], Entry] = {}
        self.workers = Workers()
        self.exchange = Exchange()
        self._last: list[Ran] = []

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            if chosen(None) != AUTO:  # a `weft.device` block
                return cast(R, self._whole.call(self._bound(args, kwargs))[0])
            return self._run(self._bound(args, kwargs))
        except Error as error:
            raise shortened(error) from error.__cause__

    def __repr__(self) -> str:
        return f"<weft function {self._function.__qualname__} on {', '.join(self.devices)}>"

    @property
    def split(self) -> list[Piece]:
        """The pieces of the last call; none of a call that ran whole on one device."""
        return [Piece(*piece) for piece in self._last]

    @functools.cached_property
    def _whole(self) -> Callee:
        return Callee(self._function, self._options, functools.partial(built, self._function))

    @functools.cached_property
    def _on_host(self) -> Callee:
        options = replace(self._options, device=CPU)
        return Callee(self._function, options, functools.partial(built, self._function), ("split",))

    @functools.cached_property
    def _positional(self) -> tuple[str, ...] | None:
        """The names of the parameters where positional arguments alone can give all of them."""
        kinds = {parameter.kind for parameter in self._signature.parameters.values()}
        is_plain = kinds <= {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
        return tuple(self._signature.parameters) if is_plain else None

    def _bound(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        names = self._positional
        if not kwargs and names is not None and len(args) == len(names):
            return dict(zip(names, args, strict=True))
        return bound(self._function, args, kwargs, self._signature)

    def _run(self, arguments: dict[str, object]) -> R:
        return self.finish(self.begin(arguments))

    def begin(self, arguments: dict[str, object]) -> Call:
        """A call at its beginning, which has changed nothing yet; arguments by name."""
        return self._begun(arguments)

    def finish(self, call: Call) -> R:
        """Run a call that has begun."""
        begun = time.perf_counter()
        habit = self.habit_of(call)
        was_whole = habit.runs_whole and self._may_run_whole(call, habit)
        result = self._run_whole(call) if was_whole else self._run_pieces(call)
        habit.took(was_whole, time.perf_counter() - begun)
        return cast(R, result)

    def habit(self, *args: P.args, **kwargs: P.kwargs) -> tuple[str, Habit]:
        """The device on which a call would run whole, and what calls of such sizes do; nothing is run."""
        call = self._begun(self._bound(args, kwargs))
        return self.fastest(call.prepared), self.habit_of(call)

    def habit_of(self, call: Call) -> Habit:
        """What calls of such sizes do: run in pieces, or whole."""
        sizes = _stub.size_class(tuple(call.arguments.values()))
        return call.prepared.habits.get(sizes) or call.prepared.habits.setdefault(sizes, Habit())

    def _run_whole(self, call: Call) -> object:
        """Run a call on one device, which takes less time than pieces do."""
        self._last = []
        return self._whole_on(self.fastest(call.prepared), tuple(call.arguments))(*call.arguments.values())

    def _may_run_whole(self, call: Call, habit: Habit) -> bool:
        """Whether a device can run a call whole; asked once, before the first such call."""
        if not habit.whole and not habit.is_possible:
            device = self.fastest(call.prepared)
            habit.is_possible = self._fits(call, device)
            try:
                self._whole_on(device, tuple(call.arguments)).callee.find(call.arguments)
            except Error:
                habit.is_possible = False
            if not habit.is_possible:
                habit.give_up()
        return habit.is_possible

    def _fits(self, call: Call, device: str) -> bool:
        """Whether all arrays fit into half of the memory of a device."""
        from weft.runtime.devices.accelerators import facts_of, is_accelerator

        size = sum(int(getattr(value, "nbytes", 0)) for value in call.arguments.values())
        return not is_accelerator(device) or 2 * size <= facts_of(device).memory

    def fastest(self, prepared: Prepared) -> str:
        """The device on which a call takes least, by what pieces have taken, of those that can run all of it."""
        kinds = {call.kernel.device for call in prepared.plan.calls()}
        able = [k for k, name in enumerate(self.devices) if kinds <= {name.partition(":")[0]}]
        speeds = [found.values for found in prepared.speeds.values() if found.is_measured]
        return self.devices[min(able or [0], key=lambda k: sum(1 / values[k] for values in speeds))]

    def _whole_on(self, device: str, names: tuple[str, ...]) -> Entry:
        """What runs calls whole on a device."""
        found = self._wholes.get(device)
        if found is None:
            callee = Callee(self._function, self.options_for(device), functools.partial(built, self._function))
            found = self._wholes[device] = Entry(callee, names, self._options.timeout)
        return found

    def _run_pieces(self, call: Call) -> object:
        arguments, found = call.arguments, call.prepared.plan
        self._last = self._run_items(found.items, (), call)
        if found.rest is not None:
            return self.entry((), "rest", call)(*call.given())
        return found.returned({name: arguments[place] for name, place in call.places.items()})

    def _begun(self, arguments: dict[str, object]) -> Call:
        """A call at its beginning."""
        places = dict(zip(arguments, arguments, strict=True))
        key = at_a_glance(arguments.values())
        prepared = self._at_a_glance.get(key) if key is not None else None
        if prepared is not None:
            for one, other in prepared.apart:
                check_apart(arguments, one, other)
            check_shapes(arguments, prepared.moves)
            call = Call(prepared, arguments, places)
            if self._still_holds(call):
                return call
        prepared = self._prepare(arguments)
        if key is not None:
            self._at_a_glance[key] = prepared
        return Call(prepared, arguments, places)

    def _still_holds(self, call: Call) -> bool:
        """Whether the function depends on what it did when its plan was made: the entry stub looks at that."""
        entry = self.entry(FIRST, "bounds", call)
        misses = entry.misses
        call.first = cast("tuple[Any, ...]", entry(*call.given()))
        return entry.misses == misses or call.prepared.match.holds(self._function)

    def _prepare(self, arguments: dict[str, object]) -> Prepared:
        """What is known of calls like this one, whose arguments are checked."""
        types = tuple(describe(value, name, "host") for name, value in arguments.items())
        known = self._prepared.get(types)
        if known is None or not known.match.holds(self._function):
            check_arrays(arguments, ())
            match = self._on_host.matched(arguments)
            found = plan_for_devices(match.specialisation.source_program)
            if not self._options.fastmath:
                check_rounding(self._function.__qualname__, list(found.phases()), self.devices)
            self._check_sums(found, arguments)
            apart = tuple(apart_pairs(arguments, found.changes()))
            known = Prepared(found, match, types, apart, tuple(found.moves()))
            self._prepared[types] = known
        check_arrays(arguments, known.plan.changes())
        check_shapes(arguments, known.moves)
        return known

    @property
    def plain(self) -> FunctionType:
        """The Python function."""
        return self._function

    def options_for(self, device: str) -> Options:
        """The options of the decorator for one device."""
        return replace(self._options, device=device)

    def cuts(self, *args: P.args, **kwargs: P.kwargs) -> list[Cut | KernelCut]:
        """The loops that the next call cuts, in order, with their pieces; of steps those of the first one.

        Only the bounds of loops are run.
        """
        try:
            call = self._begun(self._bound(args, kwargs))
            return list(self._cuts(call.prepared.plan.items, (), call))
        except Error as error:
            raise shortened(error) from error.__cause__

    def _cuts(
        self, items: Sequence[Item], path: Path, call: Call, times: int = 1, stays: int = 1, small: str = ""
    ) -> Iterator[Cut | KernelCut]:
        for position, item in enumerate(items):
            here = (*path, position)
            if isinstance(item, KernelCall):
                operands = self._operands(here, call)
                yield KernelCut(item, item.examine(operands, self.devices, self._options.fastmath), operands, times)
                continue
            bounds, start = self._bounds(here, call)
            if isinstance(item, Steps):
                steps = max(bounds[1] - bounds[0], 0)
                known = resident.stages_and_owners(self, here, item, call, bounds)
                small = "" if known is None else resident.too_small(*known, call)
                first = call.at(item.counter, bounds[0])
                stays = steps if known and not small else 1
                yield from self._cuts(item.items, here, first, times * steps, stays, small)
                continue
            speeds = self.speeds_at(here, call, bounds)
            work = tuple(zip(self.devices, self.pieces_at(item, call, bounds, speeds)[0], strict=True))
            examine = functools.partial(self._examine, here, item, bounds, call.named())
            yield Cut(item, bounds, work, speeds.is_measured, examine, times, stays, small)
            call.results += start  # of the right types: what is cut next does not run

    def _examine(
        self, path: Path, phase: Phase, bounds: Ends, arguments: Mapping[str, object], device: str, cut: Ends
    ) -> tuple[Specialisation, tuple[object, ...]]:
        kind, names = self._form(phase)
        sums = self._sums(phase, bounds)
        added = (*phase.scan.zeros().values(),) if phase.scan else phase.footprints.of_piece(arguments, *cut)
        ends = cut if sums is None else sums.of_piece(*cut)
        own = dict(zip(names, (*added, *ends) if phase.scan else (*ends, *added), strict=True))
        found, _, leaves = self.callee_of(path, kind, device).examine({**arguments, **own})
        return found, leaves

    def _form(self, phase: Phase) -> tuple[Kind, tuple[str, ...]]:
        """Which program runs a piece of a loop, and the names of the arguments that it has besides those of others."""
        if phase.scan is not None:
            return "scan", (*phase.scan.zeros(), *ENDS)
        kind: Kind = "piece" if phase.groups is None or self._options.fastmath else "groups"
        names = (*(names_of(phase.groups) if phase.groups and kind == "groups" else ()), *ENDS)
        return (OF_ROWS[kind], (*names, *phase.footprints.added())) if phase.footprints.arrays else (kind, names)

    def _sums(self, phase: Phase, bounds: Ends) -> GroupedSums | None:
        """The partial results of a loop that adds floats; None of another one, or where bits are given up."""
        return None if phase.groups is None or self._options.fastmath else GroupedSums(phase.groups, bounds)

    def bounds_of(self, path: Path, call: Call) -> tuple[int, int]:
        """The first iteration of a loop and the one behind its last."""
        return self._bounds(path, call)[0]

    def _bounds(self, path: Path, call: Call) -> tuple[tuple[int, int], tuple[object, ...]]:
        """The bounds of a loop, and what the values that it carries begin with."""
        start, stop, *values = self._operands(path, call)
        return (start, stop), tuple(values)

    def _operands(self, path: Path, call: Call) -> tuple[Any, ...]:
        """What the program of the bounds of an item returns; of a call of a kernel its operands."""
        if call.first is not None and path == FIRST:
            return call.first
        return cast("tuple[Any, ...]", self.entry(path, "bounds", call)(*call.given()))

    def speeds_at(self, path: Path, call: Call, bounds: tuple[int, int]) -> Speeds:
        """How fast the devices are at a loop."""
        key = path, (bounds[1] - bounds[0]).bit_length()
        found = call.prepared.speeds.get(key)
        return found or call.prepared.speeds.setdefault(key, Speeds(len(self.devices)))

    def pieces_at(
        self, phase: Phase, call: Call, bounds: tuple[int, int], speeds: Speeds
    ) -> tuple[list[tuple[int, int]], list[int]]:
        """The bounds of the piece of each device, and how much each has to do: iterations, or entries of their rows."""
        before = phase.rows.before(call.named(), *bounds) if phase.rows and bounds[0] < bounds[1] else None
        cuts = speeds.pieces(*bounds) if before is None else pieces_by_cost(*bounds, before, speeds)
        if (sums := self._sums(phase, bounds)) is not None:
            cuts = sums.cuts(cuts)
        units = (high - low if before is None else before(high) - before(low) for low, high in cuts)
        return cuts, [max(work, 0) for work in units]

    def _run_items(self, items: Sequence[Item], path: Path, call: Call) -> list[Ran]:
        """All loops, one after the other; of steps the pieces of the last one."""
        done: list[Ran] = []
        for position, item in enumerate(items):
            here = (*path, position)
            if isinstance(item, KernelCall):
                done += item.run(self._operands(here, call), self.devices, self._options.fastmath)
                continue
            bounds, start = self._bounds(here, call)
            if not isinstance(item, Steps):
                done += self._run_phase(here, item, call, bounds, start)
                continue
            last = resident.run(self, here, item, call, bounds)
            if last is None:
                last = self._run_steps(here, item, call, bounds)
            done += last
        return done

    def _run_steps(self, path: Path, item: Steps, call: Call, bounds: tuple[int, int]) -> list[Ran]:
        """Steps in each of which arrays go to the devices and come back; the pieces of the last."""
        last: list[Ran] = []
        for step in range(*bounds):
            inner = call.at(item.counter, step)
            last = self._run_items(item.items, path, inner)
            call.places = item.moved(inner.places)
        return last

    def _run_phase(
        self, path: Path, phase: Phase, call: Call, bounds: tuple[int, int], start: tuple[object, ...]
    ) -> list[Ran]:
        """One loop, on all devices."""
        if phase.scan is not None:
            return run_scan(self, path, phase, call, bounds, start)
        speeds = self.speeds_at(path, call, bounds)
        cuts, units = self.pieces_at(phase, call, bounds, speeds)
        busy, given = busy_of(cuts), call.given()
        shared = [given] if not phase.folds.updates else call.with_own_arrays(phase.folds.updates, len(busy))
        kind, names = self._form(phase)
        sums = self._sums(phase, bounds)
        named = call.named()
        work: list[tuple[Any, ...]] = [
            (
                self.entry(path, kind, call, names, self.devices[k]),
                shared[place % len(shared)],
                cuts[k] if sums is None else sums.of_piece(*cuts[k]),
                functools.partial(phase.footprints.of_piece, named, *cuts[k]),
            )
            for place, k in enumerate(busy)
        ]
        done = self.workers.run(timed, work) if phase.is_certain else [timed(*one) for one in work]
        for name, operator in phase.folds.updates.items():
            position = list(call.places).index(name)
            for one in shared[1:]:
                merge_into(cast("Any", given[position]), cast("Any", one[position]), operator)
        if phase.groups is not None and sums is not None:
            fold = self.entry(path, "fold", call, names_of(phase.groups), self.devices[0])
            call.results += cast("tuple[object, ...]", fold(*given, *sums.arrays))[: len(start)]
        elif start:
            merge = self.entry(path, "merge", call, [value_name(k) for k in range(2 * len(start))])
            for _, values in done:
                start = cast("tuple[object, ...]", merge(*given, *start, *cast("tuple[object, ...]", values)))
            call.results += start
        return self.learned(phase, speeds, cuts, units, [spent for spent, _ in done])

    def learned(
        self,
        phase: Phase,
        speeds: Speeds,
        cuts: Sequence[tuple[int, int]],
        units: Sequence[int],
        spent: Sequence[float],
    ) -> list[Ran]:
        """The pieces of a loop that has run; how fast the devices were at it is noted.

        Parameters
        ----------
        phase, speeds
            The loop, and where it is noted.
        cuts, units
            The piece of each device, and how much it had to do.
        spent
            The seconds of the pieces that ran, see `busy_of`.
        """
        seconds = dict(zip(busy_of(cuts), spent, strict=True))
        speeds.learn([(count, seconds.get(k, 0.0)) for k, count in enumerate(units)])
        return [(phase.label, self.devices[k], *cuts[k], one) for k, one in seconds.items()]

    def _check_sums(self, found: Plan, arguments: Mapping[str, object]) -> None:
        """Refuse sums that other kernels add in pieces than in a call that is not cut."""
        if self._options.fastmath or not any(phase.has_sums or phase.groups for phase in found.phases()):
            return
        from weft.runtime.devices.accelerators import model
        from weft.split.agreement import disagreement

        device = self.devices[0]
        make = functools.partial(built, self._function)
        whole = Callee(self._function, self.options_for(device), make).find(arguments)
        made_for = package_identity(), model(device)
        store, name = default_store(), key_of(whole.request.digest, whole.request.options.key(), *made_for)
        if store.get("split", name) is True:
            return
        pieces = [
            self.callee_of(path, kind, device).find({**arguments, **own})
            for path, phase, known in _places(found.items)
            for kind, own in self._programs(phase, known)
        ]
        place = disagreement(whole.placement(), [piece.placement() for piece in pieces])
        if place is not None:
            raise UnsupportedError(
                f"{self._function.__qualname__} cannot be cut into pieces",
                place,
                cause="other kernels would add the floats of this loop than in a call that is not cut",
                hint="say fastmath=True, or run it on one device",
            )
        store.put("split", name, True)

    def _programs(self, phase: Phase, known: Mapping[str, object]) -> Iterator[tuple[Kind, Mapping[str, object]]]:
        """The programs of a loop whose kernels add floats, with the arguments that only they have."""
        kind, names = self._form(phase)
        given = zeros(phase.groups) if phase.groups else phase.scan.zeros() if phase.scan else {}
        yield kind, {**known, **{name: given.get(name, 0) for name in names}}
        if phase.scan is not None:
            yield "totals", {**known, **dict.fromkeys(ENDS, 0)}
        if kind.startswith("groups") and phase.groups is not None:
            yield "fold", {**known, **{name: given[name] for name in names_of(phase.groups)}}

    def entry(self, path: Path, kind: Kind, call: Call, added: Sequence[str] = (), device: str = CPU) -> Entry:
        """What runs a program of a loop on a device, or what follows all loops.

        The names of the arguments are those of the call, and what is `added`.
        """
        key = (path, kind, device, len(call.results), len(added))
        found = self._entries.get(key)
        if found is None:
            names = (*call.named(), *added)
            found = self._entries[key] = Entry(self.callee_of(path, kind, device), names, self._options.timeout)
        return found

    def callee_of(self, path: Path, kind: Kind, device: str) -> Callee:
        """What compiles the program of an entry."""
        own = len(self._signature.parameters)
        make = functools.partial(program_of, self._function, path, kind, own)
        return Callee(self._function, self.options_for(device), make, ("split", path, kind))


def _places(items: Sequence[Item], path: Path = (), counters: Mapping[str, object] | None = None) -> Iterator[Place]:
    """Where the loops of a plan stand, and results and counters that are arguments of their pieces."""
    from weft.split.folds import zeros_of_results

    for position, item in enumerate(items):
        here, known = (*path, position), counters or {}
        if isinstance(item, Steps):
            yield from _places(item.items, here, {**known, item.counter: 0})
        elif isinstance(item, Phase):
            yield here, item, {**known, **zeros_of_results(item.piece)}


def split_function(function: FunctionType, options: Options, names: Sequence[str]) -> SplitFunction[..., Any]:
    """A function on several devices, of which `device_names` checked the names."""
    return SplitFunction(function, options, names)
