"""Tasks of Dask, made as layers of a graph.

A Dask array that is an argument of `dask.delayed` is made ready for computing each time, so that in a chain of calls
the graph grows with the square of its length. And what is fused then has long names, of which Dask keeps 115 characters
and 16 bits of a hash: in large graphs two tasks had one name, and an array got the elements of another. So tasks say
themselves which blocks they need, and have short names and numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np


class Layer:
    """Tasks that are made together; none is added once something needs one of them.

    Parameters
    ----------
    line
        The line of the loop, which the dashboard shows.
    """

    def __init__(self, line: int) -> None:
        self.name = f"line {line}-{os.urandom(16).hex()}"
        self._tasks: dict[tuple[str, int], Any] = {}
        self._needs: dict[str, Any] = {}

    def add(self, function: Callable[..., Any], *arguments: Any) -> Task:
        """One more task: a call, in whose arguments Dask arrays and tasks stand for what they give."""
        waits: list[Any] = []
        plan = self._planned(arguments, waits)
        key = (self.name, len(self._tasks))
        self._tasks[key] = (partial(_call, function, plan), *waits)
        return Task(key, self)

    def _planned(self, value: Any, waits: list[Any]) -> Any:
        """A value with places for what is to come, which goes to `waits`."""
        if isinstance(value, Task):
            self._needs[value.layer.name] = value.delayed
            waits.append(value.key)
        elif hasattr(value, "__dask_keys__"):
            self._needs[value.name] = value
            waits.append(value.__dask_keys__())
        elif isinstance(value, Mapping):
            return {name: self._planned(part, waits) for name, part in value.items()}
        elif type(value) in (list, tuple):
            return type(value)(self._planned(part, waits) for part in value)
        else:
            return value
        return _Place(len(waits) - 1)

    @cached_property
    def graph(self) -> Any:
        """The graph with these tasks and all that they need."""
        from dask.highlevelgraph import HighLevelGraph

        return HighLevelGraph.from_collections(self.name, self._tasks, dependencies=list(self._needs.values()))


class Task(NamedTuple):
    """A task: its key, and its layer."""

    key: tuple[str, int]
    layer: Layer

    @property
    def delayed(self) -> Any:
        """The task as a value of Dask."""
        from dask.delayed import Delayed

        return Delayed(self.key, self.layer.graph, layer=self.layer.name)


def array_of(tasks: Sequence[Task], name: str, axis: int, lengths: Sequence[int], like: Any) -> Any:
    """A Dask array of what tasks of one layer give under a name, one behind the other along an axis."""
    import dask.array
    from dask.highlevelgraph import HighLevelGraph

    made = f"rows-{os.urandom(16).hex()}"
    places = ((0,) * axis + (k,) + (0,) * (like.ndim - axis - 1) for k in range(len(tasks)))
    layer = {(made, *place): (_named, task.key, name) for place, task in zip(places, tasks, strict=True)}
    chunks = tuple(tuple(lengths) if k == axis else (extent,) for k, extent in enumerate(like.shape))
    graph = HighLevelGraph.from_collections(made, layer, dependencies=[tasks[0].delayed])
    return dask.array.Array(graph, made, chunks, dtype=like.dtype)


class _Place(NamedTuple):
    """Stands for one of the values that a task waits for."""

    number: int


def _call(function: Callable[..., Any], plan: Any, *values: Any) -> Any:
    return function(*_filled(plan, values))


def _filled(value: Any, values: Sequence[Any]) -> Any:
    if isinstance(value, _Place):
        return _whole(values[value.number])
    if isinstance(value, dict):
        return {name: _filled(part, values) for name, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_filled(part, values) for part in value)
    return value


def _whole(blocks: Any) -> Any:
    """An array from its blocks, in lists as deep as it has axes; anything else as it is."""
    first, is_alone = blocks, True
    while isinstance(first, list):
        is_alone &= len(first) == 1
        first = first[0]
    return first if is_alone else np.block(blocks)


def _named(found: Mapping[str, Any], name: str) -> Any:
    return found[name]
