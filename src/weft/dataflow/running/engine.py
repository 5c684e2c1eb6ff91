"""The compiled programs of a graph, and the state of one run of them."""

from __future__ import annotations

import copy
import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.analysis.network import Channel, Node
from weft.dataflow.program import Generated, generate
from weft.jit import jit

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph

_runs = itertools.count(1)


class Programs:
    """The programs of a graph: of a number of periods, and of what happens before the first."""

    def __init__(self, graph: Graph, clock: Callable[[int], None] | None = None) -> None:
        self.graph = graph
        self.steady: Generated = generate(graph.schedule, graph.types, graph.name, clock=clock)
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


class Engine:
    """One run: the tokens and states that are kept between calls of the program."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.programs = graph.programs
        self.number = next(_runs)
        self.periods = 0
        self.steady_periods = 0
        self.held: dict[Channel, Any] = {}
        self.states: dict[Node, Any] = {}
        self.seconds: deque[tuple[int, float]] = deque(maxlen=16)
        types = graph.types
        for channel in graph.network.channels:
            self.held[channel] = np.array(channel.initial, types.of(channel))
        dtypes = [graph.dtype_out(k) for k in range(len(graph.outputs))]
        first, steady = graph.schedule.first, graph.schedule.repetitions
        self.counts = [(steady[node.number], dtype) for node, dtype in zip(graph.outputs, dtypes, strict=True)]
        self.first_counts = [(first[node.number], dtype) for node, dtype in zip(graph.outputs, dtypes, strict=True)]
        for node, state in types.states.items():
            self.states[node] = _first_state(state)
        self._tell_hosts(self.programs.steady)
        self.needs_first = self.programs.first() is not None

    def _tell_hosts(self, made: Generated) -> None:
        for node, host in made.hosts.items():
            host.states[self.number] = self.states[node]

    def needed(self, node: Node, periods: int) -> int:
        """The tokens that an input needs for so many periods, from now on."""
        first = self.graph.schedule.first[node.number] if self.needs_first else 0
        return first + periods * self.graph.schedule.repetitions[node.number]

    def run(self, periods: int, inputs: Sequence[Any]) -> list[Any]:
        """Run so many periods; `inputs` has an array for each input."""
        if not self.needs_first:
            return self._call(self.programs.steady, self.programs.run_steady, periods, inputs)
        found = self.programs.first()
        assert found is not None
        made, compiled = found
        self._tell_hosts(made)
        counts = [self.graph.schedule.first[node.number] for node in self.graph.inputs.values()]
        before = self._call(made, compiled, 1, [a[:k] for a, k in zip(inputs, counts, strict=True)])
        self._hand_over(made)
        self.needs_first = False
        if periods == 0:
            return before
        rest = self.run(periods, [a[k:] for a, k in zip(inputs, counts, strict=True)])
        return [np.concatenate(pair) for pair in zip(before, rest, strict=True)]

    def _hand_over(self, made: Generated) -> None:
        """Host actors of the second program go on where those of the first ended."""
        for node, host in made.hosts.items():
            other = self.programs.steady.hosts[node]
            other.states[self.number] = host.states.pop(self.number)
            other.fired[self.number] = host.fired.pop(self.number, 0)

    def _call(self, made: Generated, compiled: Any, periods: int, inputs: Sequence[Any]) -> list[Any]:
        counts = self.first_counts if made is not self.programs.steady else self.counts
        outputs = [np.empty(periods * count, dtype) for count, dtype in counts]
        rest: list[Any] = []
        if made.held:
            rest += [self.held[channel] for channel in made.held]
            rest += [np.empty(self.graph.schedule.held[c.number], self.graph.types.of(c)) for c in made.held]
        if made.stateful:
            rest += [self.states[node] for node in made.stateful]
        start = time.perf_counter()
        results = compiled(periods, self.number, *inputs, *outputs, *rest)
        if made in self.programs.warm:  # the first call is compiled
            self.seconds.append((periods, time.perf_counter() - start))
        else:
            self.programs.warm.add(made)
        if made.held:
            self.held.update(zip(made.held, rest[len(made.held) : 2 * len(made.held)], strict=True))
        if made.stateful:
            self.states.update(zip(made.stateful, results, strict=True))
        self.periods += periods
        self.steady_periods += periods if made is self.programs.steady else 0
        return outputs

    def close(self) -> None:
        """Give back what host actors and channels hold."""
        for host in self.programs.steady.hosts.values():
            host.states.pop(self.number, None)
            host.fired.pop(self.number, None)
        self.held.clear()


def _first_state(state: Any) -> Any:
    """The state that a run begins with, which it may change; what cannot be copied, such as an open file, is shared."""
    try:
        return copy.deepcopy(state)
    except TypeError:
        return state
