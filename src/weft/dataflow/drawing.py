"""A graph as a picture in SVG: columns of nodes from left to right, cycles as arcs that lead back."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from weft.dataflow.analysis import rates
from weft.dataflow.analysis.infer import Types
from weft.dataflow.analysis.network import Channel, Node
from weft.dataflow.analysis.schedule import Schedule
from weft.dataflow.listing import device_of

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph
    from weft.dataflow.running.profiling import ActorTimes

WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 120, 46, 210, 84, 30
COLOURS = {"input": "#e8eef7", "output": "#e8eef7", "split": "#f4f4f4", "join": "#f4f4f4"}


def svg(graph: Graph, times: ActorTimes | None = None) -> str:
    """The picture."""
    schedule, types = graph.schedule, graph.types
    places = _places(schedule)
    right = max(x for x, _ in places.values()) + WIDTH + MARGIN
    bottom = max(y for _, y in places.values()) + HEIGHT + MARGIN
    bounds = schedule.buffers()
    parts = [_arrow(channel, places, bounds[channel.number], types) for channel in schedule.network.channels]
    parts += [_box(node, places[node], graph, times) for node in schedule.network.nodes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {bottom}" width="{right}" height="{bottom}" '
        'font-family="sans-serif" font-size="12"><defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>'
        + "".join(parts)
        + "</svg>"
    )


def _places(schedule: Schedule) -> dict[Node, tuple[int, int]]:
    """Where nodes stand: each one column behind the last of those that it takes from, cycles aside."""
    rank = {node: position for position, node in enumerate(_order(schedule))}
    columns: dict[Node, int] = {}
    for node in rank:
        before = [columns[c.source] for c in schedule.network.into(node) if rank[c.source] < rank[node]]
        columns[node] = max(before, default=-1) + 1
    filled: dict[int, int] = {}
    places = {}
    for node, column in columns.items():
        row = filled.get(column, 0)
        filled[column] = row + 1
        places[node] = (MARGIN + column * ACROSS, MARGIN + row * DOWN)
    return places


def _order(schedule: Schedule) -> list[Node]:
    return list(dict.fromkeys(node for step in schedule.steps for node, _ in step.order))


def _share(node: Node, times: ActorTimes | None) -> str:
    """The share of the time that an actor and those in its loop took."""
    if times is None or node.actor is None or not times.seconds:
        return ""
    return f", {times.of(node.name).seconds / times.seconds:.0%}"


def _box(node: Node, place: tuple[int, int], graph: Graph, times: ActorTimes | None) -> str:
    x, y = place
    device = device_of(node, graph)
    middle = x + WIDTH // 2
    second = f"{graph.schedule.repetitions[node.number]} x" + (f", {device}" if device else "") + _share(node, times)
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
        f'fill="{COLOURS.get(node.kind, "#fff3d6")}" stroke="#555"/>'
        f'<text x="{middle}" y="{y + 19}" text-anchor="middle">{escape(node.name)}</text>'
        f'<text x="{middle}" y="{y + 36}" text-anchor="middle" fill="#555" font-size="10">{escape(second)}</text>'
    )


def _arrow(channel: Channel, places: dict[Node, tuple[int, int]], bound: int, types: Types) -> str:
    (x0, y0), (x1, y1) = places[channel.source], places[channel.target]
    x0, y0, y1 = x0 + WIDTH, y0 + HEIGHT // 2, y1 + HEIGHT // 2
    middle = (x0 + x1) // 2
    if x1 > x0:
        path = f"M{x0} {y0} C{middle} {y0} {middle} {y1} {x1} {y1}"
    else:
        path = f"M{x0} {y0} C{x0 + 60} {y0 + 70} {x1 - 60} {y1 + 70} {x1} {y1}"
    label = f"{rates.text(channel.produces)} : {rates.text(channel.consumes)}"
    title = f"{channel.name}: {types.of(channel)}, at most {bound} tokens"
    return (
        f'<path d="{path}" fill="none" stroke="#333" marker-end="url(#tip)"><title>{escape(title)}</title></path>'
        f'<text x="{middle}" y="{(y0 + y1) // 2 - 6}" text-anchor="middle" font-size="10">{escape(label)}</text>'
        f'<text x="{middle}" y="{(y0 + y1) // 2 + 14}" text-anchor="middle" font-size="9" fill="#777">{bound}</text>'
    )
