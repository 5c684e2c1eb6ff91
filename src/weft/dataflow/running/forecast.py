"""What a graph will do before it runs: how many periods a batch has, at which rate and latency."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from weft.dataflow.running import batching

if TYPE_CHECKING:
    from weft.dataflow.analysis.fusion import Group
    from weft.dataflow.analysis.network import Node
    from weft.dataflow.graph import Graph
    from weft.dataflow.program import Generated
    from weft.report import forecast as report
    from weft.runtime.forecasting import ForecastPart

FEW, MANY = 64, 4096
"""Periods whose time is predicted first; the time of others lies on the line through both."""


@dataclass(frozen=True)
class Forecast:
    """How a graph is predicted to run.

    Attributes
    ----------
    periods
        Of a batch.
    seconds
        That a batch takes: the latency of a token, where tokens come as fast as they are taken.
    rates
        Tokens of each input, or of each output where there is no input, in a second.
    without
        What is Python, whose time nobody can predict: host actors, functions of NumPy that are called as they are.
    actors
        The seconds of each loop of the batch, by the names of the actors that fire in it. Where the compiler makes one
        loop of those of several actors, the first one has the time of all.
    """

    periods: int
    seconds: float
    rates: dict[str, float]
    without: tuple[str, ...] = ()
    actors: dict[tuple[str, ...], float] = field(default_factory=dict)

    def of(self, actor: str) -> float | None:
        """The seconds that the firings of an actor, and of those in its loop, take in a batch; None for Python."""
        return next((seconds for names, seconds in self.actors.items() if actor in names), None)

    def __str__(self) -> str:
        rates = ", ".join(f"{name} {rate:.3g} tokens/s" for name, rate in self.rates.items())
        without = f", without {', '.join(self.without)}" if self.without else ""
        return f"a batch of {self.periods} periods takes {1e6 * self.seconds:.3g} us{without}: {rates}"


@dataclass(frozen=True)
class Timed:
    """What some periods take: all of them, and each loop of the program, by the first node in it."""

    seconds: float
    loops: dict[Node, float]

    def of(self, group: Group) -> float:
        """What the nodes of a group take."""
        return sum(self.loops.get(node, 0.0) for node in group.members)


def forecast(graph: Graph, latency: float | None = None, memory: int | None = None) -> Forecast:
    """Predict a graph's batches by the cost of its program; what is Python is not counted, and said."""
    programs = graph.programs
    made = programs.steady
    short, long = (predicted(graph, periods, made, programs.run_steady) for periods in (FEW, MANY))
    without = dict.fromkeys(name for text in long.assumptions for name in _PYTHON.findall(text))
    if programs.placement is None:
        few, many = timed(made, short.seconds, short.parts), timed(made, long.seconds, long.parts)
    else:
        few, many = programs.placement.few, programs.placement.many
    calls = [(FEW, few.seconds), (MANY, many.seconds)]
    periods = batching.periods(calls, graph.bytes_of_period(), memory, latency)
    seconds = batching.OVERHEAD + _on_the_line(few.seconds, many.seconds, periods)
    ends = list(graph.inputs.values()) or graph.outputs
    counts = {node.name: graph.schedule.repetitions[node.number] for node in ends}
    rates = {name: periods * count / seconds for name, count in counts.items()}
    actors = {
        tuple(node.name for node in group.members): _on_the_line(few.of(group), many.of(group), periods)
        for group in made.groups
        if any(node.actor is not None and node not in made.hosts for node in group.members)
    }
    return Forecast(periods, seconds, rates, tuple(without), actors)


def timed(made: Generated, seconds: float, parts: Sequence[ForecastPart]) -> Timed:
    """A call, and its loops; what passes beside another part of its loop is not added."""
    return Timed(
        seconds,
        {
            group.members[0]: sum(part.seconds for part in parts if part.line in lines and not part.hidden)
            for group, lines in zip(made.groups, made.lines, strict=True)
        },
    )


def _on_the_line(few: float, many: float, periods: int) -> float:
    """The seconds of some periods, from those of `FEW` and of `MANY`."""
    each = max(many - few, 0.0) / (MANY - FEW)
    return max(few - FEW * each, 0.0) + periods * each


_PYTHON = re.compile(r"'([^']+)', which is Python")


def predicted(
    graph: Graph, periods: int, made: Generated, call: Callable[..., Any], machine: str | None = None
) -> report.Forecast:
    """The forecast of a call of a program of a graph for so many periods; `call` is what it was compiled to."""
    from weft.report.predict import predict
    from weft.report.stand_in import spec

    schedule, types = graph.schedule, graph.types

    def ports(nodes: Any, dtype: Any) -> list[Any]:
        return [spec((periods * schedule.repetitions[node.number],), dtype(node)) for node in nodes]

    given = ports(graph.inputs.values(), lambda node: types.ports[node, 0])
    given += ports(graph.outputs, lambda node: types.of(graph.network.into(node)[0]))
    held = [spec((schedule.held[c.number],), types.of(c)) for c in made.held]
    states = [types.states[node] for node in made.stateful]
    return predict(call, periods, 0, *given, *held, *held, *states, machine=machine)
