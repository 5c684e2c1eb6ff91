"""`weft.cluster`: a function over partitions of arrays, as tasks of Dask."""

from __future__ import annotations

import functools
import inspect
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, TypeAlias, cast

import numpy as np

from weft.errors import ArgumentError, Error, UnsupportedError
from weft.frontend.source.signature import describe
from weft.runtime.devices.devices import AUTO, CPU
from weft.runtime.dispatch.callee import Callee, shortened
from weft.runtime.dispatch.specialisation import Options
from weft.split.arguments import bound, check_arrays
from weft.split.cluster.blocks import Block, rows_from, run_block
from weft.split.cluster.calls import Call, changed_in, phases_in
from weft.split.cluster.pieces import Order, run_piece
from weft.split.cluster.tasks import Layer, Task, array_of
from weft.split.cutting import Phase
from weft.split.programs import bounds_of, built
from weft.split.regions import Rows, loads_in, rows_of
from weft.split.shares import pieces
from weft.split.stepping import Stage, axis_of, executions, needs, owned, reads_counter, steps_together
from weft.split.steps import Item, Path, Plan, Steps, check_shapes, plan

Cut: TypeAlias = "tuple[int, int]"

LENGTH_DEPENDENT = frozenset({"interchange", "tensor_contractions"})
"""Passes that choose the order of sums by the lengths of the loops around them."""

PER_WORKER = 1
"""Pieces of a loop for each worker where nothing else is said."""


def cluster(function: Callable[..., Any], *, pieces: int | None = None) -> Callable[..., Any]:
    """Run a function over partitions of its arrays, as tasks of Dask.

    Each outermost loop is cut into pieces. A task gets the rows that its piece needs, halos included, and gives back
    those that it writes. The results have the same bits for any number of pieces and workers; sums of floats inside an
    iteration may be added in another order than in a call that is not cut. Tasks run on the workers of the present
    ``dask.distributed.Client``; without one, on threads of this process. A task whose worker dies runs again on
    another.

    Parameters
    ----------
    function
        A function of `weft.jit`, or a plain one.
    pieces
        How many pieces a loop over NumPy arrays has; by default one for each worker. Loops over Dask arrays have a
        piece for each chunk.

    Returns
    -------
    function
        Called with NumPy arrays, it changes them in place and returns what the function returns. Called with Dask
        arrays, which are never changed, it computes nothing yet: it returns a new Dask array for each argument that the
        function writes, in the order of the arguments; a tuple where there are several.

    Raises
    ------
    UnsupportedError
        At a call: a loop is not proven to be parallel, or which rows it writes is not known.
    ArgumentError
        Dask is not installed, or a chunk has an unknown size.

    Examples
    --------
    >>> import numpy as np, weft
    >>> def smooth(u, v):
    ...     for i in range(1, len(u) - 1):
    ...         v[i] = (u[i - 1] + u[i] + u[i + 1]) / 3
    >>> u, v = np.arange(6.0), np.zeros(6)
    >>> weft.cluster(smooth, pieces=2)(u, v)
    >>> v
    array([0., 1., 2., 3., 4., 0.])
    """
    if pieces is not None and (isinstance(pieces, bool) or not isinstance(pieces, int) or pieces < 1):
        raise ArgumentError(f"{pieces!r} pieces", argument="pieces", hint="give a whole number above zero")
    plain = getattr(function, "__wrapped__", function)
    if not isinstance(plain, FunctionType):
        raise ArgumentError(f"weft.cluster takes a function, not {type(function).__qualname__}", argument="function")
    options = getattr(getattr(function, "_callee", None), "options", Options())
    if options.device == AUTO:
        options = replace(options, device=CPU)
    return _Clustered(plain, options, pieces)


def _library() -> Any:
    try:
        import dask
        import dask.array
    except ImportError as error:
        raise ArgumentError(f"weft.cluster needs Dask: {error}", hint='pip install "weft[cluster]"') from None
    return dask


class _Clustered:
    """A function whose loops are tasks."""

    def __init__(self, function: FunctionType, options: Options, count: int | None) -> None:
        functools.update_wrapper(self, function)
        self._function, self._options, self._count = function, options, count
        self._known: dict[tuple[Any, ...], Plan] = {}

    def __call__(self, *args: object, **kwargs: object) -> object:
        dask = _library()
        arguments = bound(self._function, args, kwargs)
        try:
            if any(isinstance(value, dask.array.Array) for value in arguments.values()):
                return self._graph(dask, arguments)
            return self._run(dask, arguments)
        except Error as error:
            raise shortened(error) from error.__cause__

    def _plan(self, arguments: Mapping[str, object]) -> Plan:
        types = tuple(describe(value, name, "host") for name, value in arguments.items())
        if types not in self._known:
            self._known[types] = plan(built(self._function, types, "host"))
        return self._known[types]

    def _bounds(self, path: Path, given: Mapping[str, object]) -> tuple[int, int]:
        make = functools.partial(bounds_of, self._function, path)
        callee = Callee(self._function, replace(self._options, device=CPU), make, ("split", path, True))
        return cast("tuple[int, int]", callee.call(dict(given))[0])

    # ------------------------------------------------------------------------------------------------ NumPy arrays

    def _run(self, dask: Any, arguments: dict[str, object]) -> object:
        found = self._plan(arguments)
        moved = {name for moves in found.moves() for name in moves}
        check_arrays(arguments, moved.union(*(phase.writes for phase in found.phases())))
        check_shapes(arguments, found.moves())
        call = Call(arguments, {name: name for name in arguments}, count=self._count or PER_WORKER * _workers())
        self._run_items(dask, found.items, (), call)
        return found.returned({name: arguments[place] for name, place in call.places.items()})

    def _run_items(self, dask: Any, items: Sequence[Item], path: Path, call: Call) -> None:
        for position, item in enumerate(items):
            here = (*path, position)
            bounds = self._bounds(here, call.given())
            if isinstance(item, Phase):
                self._run_phase(dask, item, here, bounds, call)
                continue
            assert isinstance(item, Steps), "kernels of users are refused"
            last = self._stepped(dask, item, here, bounds, call)
            if last is not None:
                for axis, own, result in zip(*last, strict=True):
                    for name, rows in result.items():
                        cast("np.ndarray[Any, Any]", call.values[name])[_along(axis, *own)] = rows
                continue
            for step in range(*bounds):
                inner = call.at(item.counter, step)
                self._run_items(dask, item.items, here, inner)
                call.places = item.moved(inner.places)

    def _run_phase(self, dask: Any, phase: Phase, path: Path, bounds: Cut, call: Call) -> None:
        given = call.given()
        rows = rows_of(phase.piece, phase.label)
        cuts = pieces(*bounds, [1.0] * (call.count or 1))
        orders = [self._order(phase, path, cut, rows, call) for cut in cuts if cut[0] < cut[1] or cut == cuts[0]]
        layer = Layer(phase.location.line)
        tasks = [layer.add(run_piece, order, _sent(order, given)) for order in orders]
        for order, result in zip(orders, _computed(dask, tasks, phase), strict=True):
            for name, (axis, first, end) in order.results.items():
                cast("np.ndarray[Any, Any]", given[name])[_along(axis, first, end)] = result[name]

    def _stepped(self, dask: Any, item: Steps, path: Path, bounds: Cut, call: Call) -> Any:
        """The rows of all tasks after all steps, computed; None where the steps have to meet after each loop."""
        found = self._blocks(dask, item, path, bounds, call)
        if found is None:
            return None
        axis, own, tasks = found
        return [axis] * len(own), own, _computed(dask, tasks, next(iter(phases_in(item))))

    def _blocks(
        self, dask: Any, item: Steps, path: Path, bounds: Cut, call: Call
    ) -> tuple[int, list[Cut], list[Any]] | None:
        """The tasks of all steps, of which the last ones give the rows."""
        if not all(isinstance(inner, Phase) for inner in item.items) or bounds[1] <= bounds[0]:
            return None
        first = call.at(item.counter, bounds[0])
        stages = []
        for position, phase in enumerate(item.items):
            assert isinstance(phase, Phase)
            here = (*path, position)
            limits = self._bounds(here, first.shown())
            if bounds[1] - bounds[0] > 1 and limits != self._bounds(
                here, first.at(item.counter, bounds[1] - 1).shown()
            ):
                return None
            rows = rows_of(phase.piece, phase.label)
            stages.append(Stage(here, phase, rows, limits))
        if reads_counter(item):
            return None
        arrays = call.arrays()
        shapes = {name: tuple(arrays[place].shape) for name, place in call.places.items() if place in arrays}
        axis = axis_of(stages, set(item.moves), shapes)
        if axis is None:
            return None
        changed = {call.places[name] for name in set(item.moves).union(*(stage.writes for stage in stages))}
        extent = arrays[next(iter(changed))].shape[axis]
        own = owned(stages[0].bounds, extent, call.count or _chunks(call, changed, axis, dask.array))
        size = steps_together(stages, item.moves, call.places, changed, own, extent)
        tasks: list[Any] = []
        for start in range(bounds[0], bounds[1], size):
            steps = range(start, min(start + size, bounds[1]))
            order = list(executions(stages, item.moves, call.places, item.counter, steps))
            parts, layer = (Layer(order[0][0].phase.location.line) for _ in range(2))
            wanted = [self._wanted(order, axis, k, own, changed, extent, call, tasks, parts) for k in range(len(own))]
            tasks = [layer.add(run_block, *arguments) for arguments in wanted]
            for _ in steps:
                call.places = item.moved(call.places)
        return axis, own, tasks

    def _wanted(
        self,
        order: Any,
        axis: int,
        k: int,
        own: list[Cut],
        changed: set[str],
        extent: int,
        call: Call,
        before: list[Task],
        layer: Layer,
    ) -> tuple[Block, list[tuple[str, int, Any]], dict[str, Any]]:
        """What the task of some steps on some rows is given; tasks of `layer` give the rows of its neighbours."""
        wanted, found = needs(order, own[k], changed, extent)
        found = [one._replace(counters={**call.counters, **one.counters}) for one in found]
        arrays = call.arrays()
        parts: list[tuple[str, int, Any]] = []
        for name, (low, high) in wanted.items():
            if not before:
                parts.append((name, low, arrays[name][_along(axis, low, high)]))
                continue
            for j, (first, end) in enumerate(own):
                a, b = max(low, first), min(high, end)
                if a < b:
                    parts.append((name, a, layer.add(rows_from, before[j], name, axis, a - first, b - first)))
        block = Block(
            self._function,
            _source(self._function),
            found,
            {stage.path: self._options_for(stage.phase) for stage, _, _ in order},
            axis,
            wanted,
            {name: (tuple(arrays[name].shape), arrays[name].dtype.str) for name in wanted},
            own[k],
            tuple(sorted(changed)),
            {name: value for name, value in call.values.items() if name not in arrays},
        )
        whole = {name: value for name, value in arrays.items() if name not in wanted}
        return block, parts, whole

    def _order(self, phase: Phase, path: Path, cut: Cut, rows: Mapping[str, Rows], call: Call) -> Order:
        """A piece for a task: which rows it gets, and which it gives back."""
        arguments = {name: value for name, value in call.given().items() if name not in call.counters}
        arrays = {name: value for name, value in arguments.items() if hasattr(value, "shape") and np.ndim(value)}
        places: dict[str, tuple[int, int] | None] = {}
        ends, results = {}, {}
        for name, value in arrays.items():
            own = rows[name]
            if own.axis is None:
                places[name] = None
                continue
            extent = value.shape[own.axis]
            needed = own.needed(*cut, extent)
            places[name], ends[name] = (own.axis, needed.start), needed.stop
            if own.write is not None:
                written = own.written(*cut, extent)
                results[name] = (own.axis, written.start, written.stop)
        return Order(
            self._function,
            _source(self._function),
            self._options_for(phase),
            path,
            cut,
            {name: (tuple(value.shape), value.dtype.str) for name, value in arrays.items()},
            places,
            results,
            {name: value for name, value in arguments.items() if name not in arrays},
            tuple(arguments),
            ends,
            call.counters,
        )

    def _options_for(self, phase: Phase) -> Options:
        """The options of pieces: float sums are in an order that does not depend on how long a piece is."""
        if phase.rounded is None:
            return self._options
        return replace(self._options, disable=self._options.disable | LENGTH_DEPENDENT)

    # ------------------------------------------------------------------------------------------------ Dask arrays

    def _graph(self, dask: Any, arguments: dict[str, Any]) -> object:
        """New Dask arrays for what the function writes."""
        collection = dask.array
        given = {name: _known_chunks(name, value, collection) for name, value in arguments.items()}
        shown = {name: _shape_only(value, collection) for name, value in given.items()}
        found = self._plan(shown)
        check_shapes(shown, found.moves())
        call = Call(given, {name: name for name in given}, shown=shown)
        self._graph_items(dask, found.items, (), call)
        changed = {name for name in arguments if call.values[name] is not given[name]}
        results = tuple(call.values[name] for name in arguments if name in changed)
        return results[0] if len(results) == 1 else results

    def _graph_items(self, dask: Any, items: Sequence[Item], path: Path, call: Call) -> None:
        for position, item in enumerate(items):
            here = (*path, position)
            if loads_in(item.bounds):
                raise UnsupportedError(
                    "the bounds of a loop are read from an array",
                    item.location,
                    cause="Dask arrays have no elements before they are computed",
                    hint="pass the bounds as numbers",
                )
            bounds = self._bounds(here, call.shown())
            if isinstance(item, Phase):
                rows = rows_of(item.piece, item.label)
                for name, value in self._written(dask, here, item, rows, call, bounds).items():
                    call.values[call.places[name]] = value
                continue
            assert isinstance(item, Steps), "kernels of users are refused"
            before = dict(call.values)
            last = self._blocks(dask, item, here, bounds, call)
            if last is not None:
                axis, own, tasks = last
                names = {place for name, place in call.places.items() if name in changed_in(item)}
                for name in names:
                    call.values[name] = _concatenated(before[name], name, axis, own, tasks)
                continue
            if bounds[0] < bounds[1]:
                raise UnsupportedError(
                    f"the steps of {item.label} cannot be tasks over Dask arrays",
                    item.location,
                    cause="loops inside have steps of their own, bounds that depend on the step, or arrays that are "
                    "not cut along one axis",
                    hint="pass NumPy arrays, or call the function once for each step",
                )

    def _written(
        self, dask: Any, path: Path, phase: Phase, rows: Mapping[str, Rows], call: Call, bounds: tuple[int, int]
    ) -> dict[str, Any]:
        """The arrays that one loop writes."""
        given = call.given()
        cuts = _cuts(rows, given, bounds, dask.array)
        orders = [self._order(phase, path, cut, rows, call) for cut in cuts if cut[0] < cut[1]]
        layer = Layer(phase.location.line)
        tasks = [layer.add(run_piece, order, _sent(order, given)) for order in orders]
        found = {}
        for name, own in rows.items():
            if own.write is not None and own.axis is not None and orders:
                found[name] = _joined(dask, given[name], name, own, orders, tasks)
        return found


def _chunks(call: Call, changed: set[str], axis: int, collection: Any) -> int:
    """How many tasks own rows: one for each chunk of the first Dask array."""
    found = [
        len(call.values[name].chunks[axis])
        for name in sorted(changed)
        if isinstance(call.values[name], collection.Array)
    ]
    return max(found, default=1)


def _concatenated(before: Any, name: str, axis: int, own: Sequence[Cut], tasks: Sequence[Task]) -> Any:
    """An array of the rows of tasks."""
    return array_of(tasks, name, axis, [high - low for low, high in own], before)


def _joined(dask: Any, before: Any, name: str, own: Rows, orders: list[Order], tasks: list[Any]) -> Any:
    """An array of the pieces' results, with what no piece writes as it was before."""
    axis = own.axis
    assert axis is not None
    before = before if isinstance(before, dask.array.Array) else dask.array.from_array(before)
    first, last = orders[0].results[name][1], orders[-1].results[name][2]
    parts = [before[_along(axis, 0, first)]] if first else []
    ends = [order.results[name][1:] for order in orders]
    parts.append(array_of(tasks, name, axis, [high - low for low, high in ends], before))
    if last < before.shape[axis]:
        parts.append(before[_along(axis, last, before.shape[axis])])
    return dask.array.concatenate(parts, axis=axis)


def _cuts(rows: Mapping[str, Rows], given: Mapping[str, Any], bounds: Cut, collection: Any) -> list[Cut]:
    """The pieces of a loop: the chunks of the first Dask array that is cut, written ones first."""
    start, stop = bounds
    usable = [name for name, own in rows.items() if own.axis is not None and own.is_used]
    cut = [name for name in usable if isinstance(given[name], collection.Array)]
    if not cut:
        return [(start, stop)]
    name = min(cut, key=lambda one: rows[one].write is None)
    own = rows[name]
    ends = np.cumsum(given[name].chunks[own.axis]) - (own.write or 0)
    inner = sorted({int(end) for end in ends if start < end < stop})
    return list(zip([start, *inner], [*inner, stop], strict=True))


def _known_chunks(name: str, value: Any, collection: Any) -> Any:
    if isinstance(value, collection.Array) and any(np.isnan(extent) for extent in value.shape):
        raise ArgumentError(
            f"{name!r} has chunks of unknown size", argument=name, hint=f"call {name}.compute_chunk_sizes() before"
        )
    return value


def _shape_only(value: Any, collection: Any) -> Any:
    """An array of the same shape and type, of which nothing is read."""
    return np.empty(value.shape, value.dtype) if isinstance(value, collection.Array) else value


def _sent(order: Order, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The rows that a piece needs of each array."""
    found = {}
    for name in order.shapes:
        place = order.places[name]
        value = arguments[name]
        found[name] = value if place is None else value[_along(*place, order.ends[name])]
    return found


def _along(axis: int, first: int, end: int) -> tuple[slice, ...]:
    return (slice(None),) * axis + (slice(first, end),)


def _source(function: FunctionType) -> tuple[str, list[str]]:
    """The file of a function and its lines."""
    try:
        return function.__code__.co_filename, inspect.findsource(function)[0]
    except (OSError, TypeError):
        return function.__code__.co_filename, []


def _workers() -> int:
    """The workers of the present client; else the cores of this process."""
    try:
        from distributed import get_client

        return max(1, len(get_client().scheduler_info(n_workers=-1)["workers"]))
    except (ImportError, ValueError):
        return len(os.sched_getaffinity(0))


def _computed(dask: Any, tasks: list[Task], phase: Phase) -> Any:
    """The results of tasks."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            return dask.compute(*(task.delayed for task in tasks))
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise Error(
                f"a piece of the loop over {phase.label} ended every worker that it was given to",
                phase.location,
                cause=str(error).split(". ")[0],
                hint="give workers more memory, or take more pieces",
            ) from error
        raise
