"""A graph as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dataflow.analysis import rates
from weft.dataflow.analysis.network import Channel, Node
from weft.errors import format_bytes
from weft.runtime.devices.devices import AUTO, CPU

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph
    from weft.dataflow.running.forecast import Forecast


def text(graph: Graph) -> str:
    """What a graph is: firings, rates, channels, devices, the program's batches."""
    forecast = graph.forecast()
    lines = [f"graph {graph.name}"]
    lines += [f"  {line}" for line in _table(graph, forecast)]
    lines.append("channels")
    lines += [f"  {_channel(graph, channel)}" for channel in graph.network.channels]
    lines.append(f"a period adds {format_bytes(graph.bytes_of_period())} to channels")
    lines.append(f"predicted: {forecast}")
    for group in graph.programs.groups:
        if len(group.nodes) > 1:
            lines.append(f"fire in one loop: {', '.join(node.name for node in group.nodes)}")
    if any(graph.schedule.first):
        first = [
            f"{graph.schedule.first[n.number]} x {n.name}"
            for n in graph.network.nodes
            if graph.schedule.first[n.number]
        ]
        lines.append(f"before the first period: {', '.join(first)}")
    return "\n".join(lines)


HEAD = ("actor", "firings", "consumes", "produces", "device", "ns a firing", "share")


def _table(graph: Graph, forecast: Forecast) -> list[str]:
    rows = [HEAD, *(_row(graph, node, forecast) for node in graph.network.nodes)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(graph: Graph, node: Node, forecast: Forecast) -> tuple[str, ...]:
    consumes = ", ".join(
        rates.text(rate) + (f" of {peek}" if peek > max(rate) else "")
        for rate, peek in zip(node.consumes, node.peeks or (0,) * len(node.consumes), strict=True)
    )
    produces = ", ".join(map(rates.text, node.produces))
    firings = graph.schedule.repetitions[node.number]
    device = device_of(node, graph)
    return node.name, str(firings), consumes, produces, device, *_predicted(node, firings, forecast)


def _predicted(node: Node, firings: int, forecast: Forecast) -> tuple[str, str]:
    """What a firing takes, and its part of the batch; of actors in one loop the first one has the time of all."""
    names = next((names for names in forecast.actors if node.name in names), ())
    if node.actor is None or not names:
        return "", ""
    if names[0] != node.name:
        return f"with {names[0]}", ""
    seconds = forecast.actors[names]
    return f"{1e9 * seconds / (firings * forecast.periods):.3g}", f"{seconds / forecast.seconds:.0%}"


def device_of(node: Node, graph: Graph) -> str:
    """Where a node runs; ``auto``: where each call does."""
    if node.actor is None:
        return ""
    placement = graph.programs.placement
    if placement is None:
        return node.actor.device or graph.device or AUTO
    return node.actor.device or placement.devices.get(node, CPU)


def _channel(graph: Graph, channel: Channel) -> str:
    held = graph.schedule.held[channel.number]
    bound = graph.schedule.buffers()[channel.number]
    keeps = f", {held} held between periods" if held else ""
    return f"{channel.name}: {graph.types.of(channel)}, at most {bound} tokens{keeps}"
