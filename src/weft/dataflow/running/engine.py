"""The compiled programs of a graph, and the state of one run of them."""

from __future__ import annotations

import copy
import itertools
from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty

from weft.dataflow.analysis.infer import like
from weft.dataflow.analysis.network import Channel, Node
from weft.dataflow.program import Generated, generate
from weft.dataflow.running import failures
from weft.dataflow.running.host import Firings
from weft.dataflow.running.places import placement
from weft.jit import jit

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph

MEASURED = 16
"""Calls whose times are known."""

_runs = itertools.count(1)


class Programs:
    """The programs of a graph: of a number of periods, and of what happens before the first.

    Attributes
    ----------
    placement
        The devices of the loops, where several devices together are predicted to be the fastest.
    """

    def __init__(self, graph: Graph, clock: Callable[[int], None] | None = None) -> None:
        self.graph = graph
        self.placement = placement(graph)
        devices = self.placement.devices if self.placement is not None else None
        self.steady: Generated = generate(graph.schedule, graph.types, graph.name, clock=clock, devices=devices)
        self.run_steady = jit(self.steady.function, device=graph.device)
        self.groups = self.steady.groups
        self.warm: set[Generated] = set()

    def made(self) -> list[Generated]:
        """The programs that there are by now."""
        return [self.steady, *([self._first[0]] if hasattr(self, "_first") else [])]

    def first(self) -> tuple[Generated, Any] | None:
        """What fills windows before the first period, if something does."""
        if not any(self.graph.schedule.first):
            return None
        if not hasattr(self, "_first"):
            made = generate(self.graph.schedule, self.graph.types, self.graph.name, first=True)
            self._first = made, jit(made.function, device=self.graph.device)
        return self._first


class _Program:
    """A compiled program, and what a run hands to it.

    Attributes
    ----------
    outputs
        The tokens of each output in a period, and their type.
    kept
        The tokens that each channel holds behind a call, and their type.
    """

    def __init__(self, graph: Graph, made: Generated, call: Any, counts: Sequence[int]) -> None:
        self.made, self.call = made, call
        self.outputs = [(counts[node.number], graph.dtype_out(k)) for k, node in enumerate(graph.outputs)]
        self.kept = [(graph.schedule.held[c.number], graph.types.of(c)) for c in made.held]
        self.is_plain = not made.held and not made.stateful


class Space:
    """An array for all tokens of an output; each call writes its tokens behind those of the call before.

    Attributes
    ----------
    array
        The array, long enough for all tokens that are expected.
    used
        How many tokens the calls so far have room for.
    """

    def __init__(self, size: int, dtype: Any) -> None:
        self.array = np.empty(size, dtype)
        self.used = 0

    def take(self, count: int) -> Any:
        """Room for the tokens of the next call."""
        part = self.array[self.used : self.used + count]
        self.used += count
        return part

    def holds(self, parts: list[Any]) -> bool:
        """Whether parts are all tokens of this array, in order."""
        return sum(map(len, parts)) == self.used and all(part.base is self.array for part in parts if len(part))


class Engine:
    """One run: the tokens and states that are kept between calls of the program.

    Attributes
    ----------
    spaces
        The array of each output; empty if each call makes an array of its own.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.programs = graph.programs
        self.number = next(_runs)
        self.periods = 0
        self.steady_periods = 0
        self.held: dict[Channel, Any] = {}
        self.states: dict[Node, Any] = {}
        self.seconds: deque[tuple[int, float]] = deque(maxlen=MEASURED)
        self.calls = 0
        self.spaces: list[Space] = []
        types = graph.types
        for channel in graph.network.channels:
            self.held[channel] = np.array(channel.initial, types.of(channel))
        for node, state in types.states.items():
            self.states[node] = _first_state(state)
        programs = self.programs
        self.steady = _Program(graph, programs.steady, programs.run_steady, graph.schedule.repetitions)
        self.changes_states = any(_has_array(self.states[node]) for node in self.steady.made.stateful)
        self._tell_hosts(self.programs.steady)
        self.needs_first = self.programs.first() is not None

    @property
    def keeps_tokens(self) -> bool:
        """Whether an actor may keep a part of what was pushed: in a state, or in Python."""
        return bool(self.programs.steady.hosts) or any(map(_has_array, self.states.values()))

    def _tell_hosts(self, made: Generated) -> None:
        for node, host in made.hosts.items():
            host.runs[self.number] = Firings(self.states[node])

    def expect(self, periods: int) -> None:
        """Make an array for each output, long enough for its tokens of so many periods."""
        schedule = self.graph.schedule
        for k, node in enumerate(self.graph.outputs):
            first = schedule.first[node.number] if self.needs_first else 0
            self.spaces.append(Space(first + periods * schedule.repetitions[node.number], self.graph.dtype_out(k)))

    def needed(self, node: Node, periods: int) -> int:
        """The tokens that an input needs for so many periods, from now on."""
        first = self.graph.schedule.first[node.number] if self.needs_first else 0
        return first + periods * self.graph.schedule.repetitions[node.number]

    def run(self, periods: int, inputs: Sequence[Any]) -> tuple[list[list[Any]], BaseException | None]:
        """Run so many periods; `inputs` has an array for each input.

        Returns
        -------
        blocks, failure
            What came out, in one or several parts, each with an array for each output; and what an actor raised.
        """
        blocks: list[list[Any]] = []
        try:
            if self.needs_first:
                counts = [self.graph.schedule.first[node.number] for node in self.graph.inputs.values()]
                blocks.append(self._fill([a[:k] for a, k in zip(inputs, counts, strict=True)]))
                inputs = [a[k:] for a, k in zip(inputs, counts, strict=True)]
            if periods:
                if self.steady.made.hosts:
                    self._begin()
                blocks.append(self._call(self.steady, periods, inputs))
        except BaseException as error:
            self.spaces = []  # a repeated call must write where the failed one began, and not behind it
            if self.needs_first or not isinstance(error, Exception) or self.graph.types.lasting:
                failures.name_firing(error, self)
                return blocks, error
            block, failure = failures.periods_before(error, self, periods, inputs)
            return [*blocks, *block], failure
        return blocks, None

    def _begin(self) -> None:
        for host in self.steady.made.hosts.values():
            host.begin(self.number)

    def _fill(self, inputs: Sequence[Any]) -> list[Any]:
        """What happens before the first period."""
        found = self.programs.first()
        assert found is not None
        made, compiled = found
        self._tell_hosts(made)
        results = self._call(_Program(self.graph, made, compiled, self.graph.schedule.first), 1, inputs)
        for node, host in made.hosts.items():  # they go on where those of this program ended
            self.programs.steady.hosts[node].runs[self.number] = host.runs.pop(self.number)
        self.needs_first = False
        return results

    def again(self, periods: int, inputs: Sequence[Any]) -> list[Any]:
        """What the first periods of a batch give that failed. Host actors give what they gave before."""
        for host in self.steady.made.hosts.values():
            host.repeat(self.number)
        counts = [self.graph.schedule.repetitions[node.number] for node in self.graph.inputs.values()]
        given = [a[: periods * count] for a, count in zip(inputs, counts, strict=True)]
        return self._execute(self.steady, periods, given)[0]

    def _call(self, program: _Program, periods: int, inputs: Sequence[Any]) -> list[Any]:
        """Run a program and keep what goes on to the next call."""
        start = perf_counter()
        outputs, held, states = self._execute(program, periods, inputs)
        made = program.made
        if made in self.programs.warm:  # the first call is compiled
            self.seconds.append((periods, perf_counter() - start))
            self.calls += 1
        else:
            self.programs.warm.add(made)
        if not program.is_plain:
            self.held.update(zip(made.held, held, strict=True))
            self.states.update(zip(made.stateful, states or (), strict=True))
        self.periods += periods
        if program is self.steady:
            self.steady_periods += periods
        return outputs

    def _execute(self, program: _Program, periods: int, inputs: Sequence[Any]) -> tuple[list[Any], Sequence[Any], Any]:
        """Run a program: what comes out, what channels hold, and the states behind it."""
        outputs = []
        if self.spaces:
            pairs = zip(self.spaces, program.outputs, strict=True)
            outputs = [space.take(periods * count) for space, (count, _) in pairs]
        else:
            for count, dtype in program.outputs:  # no comprehension: it would cost a call in each short period
                outputs.append(empty(periods * count, dtype))
        if program.is_plain:
            return outputs, (), program.call(periods, self.number, *inputs, *outputs)
        made = program.made
        before = [self.held[channel] for channel in made.held]
        after = [np.empty(size, dtype) for size, dtype in program.kept]
        states = [self.states[node] for node in made.stateful]
        if self.changes_states:
            states = list(map(_own, states))
        results = program.call(periods, self.number, *inputs, *outputs, *before, *after, *states)
        return outputs, after, results

    def close(self) -> None:
        """Give back what host actors and channels hold."""
        for made in self.programs.made():
            for host in made.hosts.values():
                host.runs.pop(self.number, None)
        self.held.clear()
        self.states.clear()


def _has_array(state: Any) -> bool:
    return isinstance(state, np.ndarray) or (isinstance(state, tuple) and any(map(_has_array, state)))


def _own(state: Any) -> Any:
    """A state whose arrays a call may change: if it fails, it runs again from where it began."""
    if isinstance(state, tuple):
        return like(state, map(_own, state))
    return state.copy() if isinstance(state, np.ndarray) else state


def _first_state(state: Any) -> Any:
    """The state that a run begins with, which it may change; what cannot be copied, such as an open file, is shared."""
    try:
        return copy.deepcopy(state)
    except TypeError:
        return state
