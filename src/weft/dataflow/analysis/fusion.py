"""Which actors fire in one loop: neighbours that fire equally often hand tokens over without an array between them.

What it does not do: fuse actors that fire differently often, actors with state or phases, or over tokens that are held
between periods; the loops of such actors are the compiler's matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weft.dataflow.analysis.network import Channel, Network, Node
from weft.dataflow.analysis.schedule import Schedule, Step


@dataclass
class Group:
    """Nodes that fire in one loop, in their order; or a step that stays as it is."""

    step: Step
    nodes: list[Node] = field(default_factory=list)

    @property
    def is_open(self) -> bool:
        """Whether others may join."""
        return bool(self.nodes)

    @property
    def members(self) -> list[Node]:
        """All nodes that fire in it."""
        return self.nodes or list(dict.fromkeys(node for node, _ in self.step.order))


def groups(schedule: Schedule, held: tuple[Channel, ...], devices: Mapping[Node, str]) -> list[Group]:
    """The steps of a schedule, with neighbours together.

    A node joins the last group that it takes tokens from: all others that it needs stand before that one, so the order
    of groups stays an order of the graph.

    Parameters
    ----------
    devices
        Of the nodes that have one; only nodes of one device are together.
    """
    found: list[Group] = []
    where: dict[Node, int] = {}
    for step in schedule.steps:
        node = step.order[0][0]
        place = _joins(schedule, node, found, where, held, devices) if _is_simple(step) else None
        if place is not None:
            found[place].nodes.append(node)
            where[node] = place
            continue
        found.append(Group(step, [node] if _is_simple(step) else []))
        where.update({member: len(found) - 1 for member, _ in step.order})
    return found


def _is_simple(step: Step) -> bool:
    node = step.order[0][0]
    actor = node.actor
    return not step.is_cycle and node.phases == 1 and actor is not None and not (actor.has_state or actor.is_python)


def _joins(
    schedule: Schedule,
    node: Node,
    found: list[Group],
    where: dict[Node, int],
    held: tuple[Channel, ...],
    devices: Mapping[Node, str],
) -> int | None:
    into = schedule.network.into(node)
    place = max((where[channel.source] for channel in into), default=-1)
    if place < 0 or not found[place].is_open:
        return None
    leader = found[place].nodes[0]
    same_place = devices.get(node) == devices.get(leader)
    counts = (schedule.repetitions, schedule.first)
    same_count = all(count[node.number] == count[leader.number] for count in counts)
    links = [channel for channel in into if where[channel.source] == place]
    return place if same_place and same_count and all(_is_direct(c, held) for c in links) else None


def _is_direct(channel: Channel, held: tuple[Channel, ...]) -> bool:
    return channel not in held and channel.produces == channel.consumes and channel.peek == channel.consumes[0]


def inner_channels(network: Network, group: Group) -> set[Channel]:
    """The channels whose tokens never leave the loop."""
    members = set(group.nodes)
    return {c for c in network.channels if c.source in members and c.target in members}
