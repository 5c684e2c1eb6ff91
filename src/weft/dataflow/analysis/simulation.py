"""The order of firings and the tokens in channels, without running anything."""

from __future__ import annotations

from dataclasses import dataclass

from weft.dataflow.analysis.rates import total
from weft.dataflow.analysis.schedule import Schedule, Step


@dataclass(frozen=True)
class Event:
    """Firings of one node, and the tokens of all channels behind them."""

    actor: str
    count: int
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Simulation:
    """What happens in some periods.

    Attributes
    ----------
    channels
        Their names.
    start
        The tokens that they hold before.
    events
        The firings in their order.
    """

    channels: tuple[str, ...]
    start: tuple[int, ...]
    events: tuple[Event, ...]

    @property
    def most(self) -> dict[str, int]:
        """The most tokens that each channel holds."""
        columns = zip(self.start, *(event.tokens for event in self.events), strict=True)
        return {name: max(column) for name, column in zip(self.channels, columns, strict=True)}

    @property
    def order(self) -> list[tuple[str, int]]:
        """The actors in the order of their firings, with counts."""
        return [(event.actor, event.count) for event in self.events]

    def __str__(self) -> str:
        width = max((len(name) for name in self.channels), default=0)
        rows = [("start", self.start), *((f"{e.count} x {e.actor}", e.tokens) for e in self.events)]
        left = max(len(what) for what, _ in rows)
        head = " " * left + "  " + "  ".join(name.rjust(width) for name in self.channels)
        lines = [what.ljust(left) + "  " + "  ".join(str(t).rjust(width) for t in tokens) for what, tokens in rows]
        return "\n".join([head, *lines])


def simulate(schedule: Schedule, periods: int) -> Simulation:
    """The firings of so many periods that run together."""
    tokens = list(schedule.held)
    fired = list(schedule.first)
    events: list[Event] = []

    def fire(number: int, count: int) -> None:
        node = schedule.network.nodes[number]
        for channel in schedule.network.out_of(node):
            tokens[channel.number] += total(channel.produces, fired[number] + count) - total(
                channel.produces, fired[number]
            )
        for channel in schedule.network.into(node):
            tokens[channel.number] -= total(channel.consumes, fired[number] + count) - total(
                channel.consumes, fired[number]
            )
        fired[number] += count
        events.append(Event(node.name, count, tuple(tokens)))

    for step in schedule.steps:
        _run(step, periods, fire)
    names = tuple(channel.name for channel in schedule.network.channels)
    return Simulation(names, schedule.held, tuple(events))


def _run(step: Step, periods: int, fire: object) -> None:
    assert callable(fire)
    if step.is_cycle:
        for _ in range(periods * step.rounds):
            for node, count in step.order:
                fire(node.number, count)
    else:
        node, count = step.order[0]
        fire(node.number, count * step.rounds * periods)
