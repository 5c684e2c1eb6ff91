"""What a graph will do before it runs: how many periods a batch has, at which rate and latency."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weft.dataflow.running import batching

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph
    from weft.report import forecast as report

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
    """

    periods: int
    seconds: float
    rates: dict[str, float]
    without: tuple[str, ...] = ()

    def __str__(self) -> str:
        rates = ", ".join(f"{name} {rate:.3g} tokens/s" for name, rate in self.rates.items())
        without = f", without {', '.join(self.without)}" if self.without else ""
        return f"a batch of {self.periods} periods takes {1e6 * self.seconds:.3g} us{without}: {rates}"


def forecast(graph: Graph, latency: float | None = None, memory: int | None = None) -> Forecast:
    """Predict a graph's batches by the cost of its program; what is Python is not counted, and said."""
    bytes_of_period = graph.bytes_of_period()
    short, long = _predicted(graph, FEW), _predicted(graph, MANY)
    few, many = short.seconds, long.seconds
    each = max(many - few, 0.0) / (MANY - FEW)
    once = max(few - FEW * each, 0.0)
    periods = batching.periods([(FEW, few), (MANY, many)], bytes_of_period, memory, latency)
    seconds = batching.OVERHEAD + once + periods * each
    ends = list(graph.inputs.values()) or graph.outputs
    counts = {node.name: graph.schedule.repetitions[node.number] for node in ends}
    without = dict.fromkeys(name for text in long.assumptions for name in _PYTHON.findall(text))
    rates = {name: periods * count / seconds for name, count in counts.items()}
    return Forecast(periods, seconds, rates, tuple(without))


_PYTHON = re.compile(r"'([^']+)', which is Python")


def _predicted(graph: Graph, periods: int) -> report.Forecast:
    from weft.report.predict import predict
    from weft.report.stand_in import spec

    schedule, types, made = graph.schedule, graph.types, graph.programs.steady

    def ports(nodes: Any, dtype: Any) -> list[Any]:
        return [spec((periods * schedule.repetitions[node.number],), dtype(node)) for node in nodes]

    given = ports(graph.inputs.values(), lambda node: types.ports[node, 0])
    given += ports(graph.outputs, lambda node: types.of(graph.network.into(node)[0]))
    held = [spec((schedule.held[c.number],), types.of(c)) for c in made.held]
    states = [types.states[node] for node in made.stateful]
    return predict(graph.programs.run_steady, periods, 0, *given, *held, *held, *states)
