"""A graph as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dataflow.analysis import rates
from weft.dataflow.analysis.network import Channel, Node
from weft.errors import format_bytes

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph


def text(graph: Graph) -> str:
    """What a graph is: firings, rates, channels, devices, the program's batches."""
    lines = [f"graph {graph.name}"]
    lines += [f"  {line}" for line in _table(graph)]
    lines.append("channels")
    lines += [f"  {_channel(graph, channel)}" for channel in graph.network.channels]
    lines.append(f"a period adds {format_bytes(graph.bytes_of_period())} to channels")
    lines.append(f"predicted: {graph.forecast()}")
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


def _table(graph: Graph) -> list[str]:
    rows = [("actor", "firings", "consumes", "produces", "device")]
    rows += [_row(graph, node) for node in graph.network.nodes]
    widths = [max(len(row[k]) for row in rows) for k in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(graph: Graph, node: Node) -> tuple[str, str, str, str, str]:
    consumes = ", ".join(
        rates.text(rate) + (f" of {peek}" if peek > max(rate) else "")
        for rate, peek in zip(node.consumes, node.peeks or (0,) * len(node.consumes), strict=True)
    )
    produces = ", ".join(map(rates.text, node.produces))
    return node.name, str(graph.schedule.repetitions[node.number]), consumes, produces, device_of(node, graph.device)


def device_of(node: Node, default: str | None = None) -> str:
    """Where a node runs."""
    if node.actor is None:
        return ""
    return node.actor.device or default or "auto"


def _channel(graph: Graph, channel: Channel) -> str:
    held = graph.schedule.held[channel.number]
    bound = graph.schedule.buffers()[channel.number]
    keeps = f", {held} held between periods" if held else ""
    return f"{channel.name}: {graph.types.of(channel)}, at most {bound} tokens{keeps}"
