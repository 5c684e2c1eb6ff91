"""The balance equations: how often each node fires in a period, so that every channel ends as it began.

What it does not do: decide an order; see `schedule`. The method is Lee and Messerschmitt's (1987), for cyclo-static
rates Bilsen's (1996): the topology matrix times the vector of cycles is zero, and the smallest positive integers are
found by passing fractions from node to node.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from weft.dataflow.analysis.network import Channel, Network, Node
from weft.dataflow.errors import GraphError


def repetitions(network: Network) -> tuple[int, ...]:
    """The repetition vector: the firings of each node in a period, the smallest that there are.

    Raises
    ------
    GraphError
        Rates do not agree: the message names the two channels and the smallest change.
    """
    cycles, ways = _fractions(network)
    for channel in network.channels:
        _check_agrees(network, channel, cycles, ways)
    return tuple(int(cycles[node]) * node.phases for node in network.nodes)


def _fractions(network: Network) -> tuple[dict[Node, Fraction], dict[Node, Channel | None]]:
    """The cycles of each node, as integers for each connected part, and the channel that each one was found by."""
    found: dict[Node, Fraction] = {}
    ways: dict[Node, Channel | None] = {}
    for start in network.nodes:
        if start in found:
            continue
        found[start], ways[start] = Fraction(1), None
        part, waiting = [start], [start]
        while waiting:
            node = waiting.pop()
            for channel in (*network.into(node), *network.out_of(node)):
                other = channel.target if channel.source is node else channel.source
                if other in found:
                    continue
                found[other] = found[node] * _ratio(channel, node)
                ways[other] = channel
                part.append(other)
                waiting.append(other)
        _scale(found, part)
    return found, ways


def _ratio(channel: Channel, known: Node) -> Fraction:
    """The cycles of the other end of a channel for one cycle of the known end."""
    come, go = per_cycle(channel)
    return Fraction(come, go) if channel.source is known else Fraction(go, come)


def per_cycle(channel: Channel) -> tuple[int, int]:
    """Tokens that a cycle of the source adds, and that a cycle of the target takes."""
    come = sum(channel.produces) * (channel.source.phases // len(channel.produces))
    go = sum(channel.consumes) * (channel.target.phases // len(channel.consumes))
    return come, go


def _scale(found: dict[Node, Fraction], part: list[Node]) -> None:
    """The smallest integers with the proportions of a connected part."""
    factor = lcm(*(found[node].denominator for node in part))
    common = gcd(*(int(found[node] * factor) for node in part))
    for node in part:
        found[node] = found[node] * factor / common


def _check_agrees(
    network: Network, channel: Channel, cycles: dict[Node, Fraction], ways: dict[Node, Channel | None]
) -> None:
    come, go = per_cycle(channel)
    added, taken = cycles[channel.source] * come, cycles[channel.target] * go
    if added == taken:
        return
    other = ways[channel.target] or ways[channel.source] or channel
    if other is channel:
        other = ways[channel.source] or channel
    raise GraphError(
        f"the rates of {_name(network, channel)} and of {_name(network, other)} do not agree",
        cause=f"{_rates(network, other)}; {_rates(network, channel)}: for each {int(added)} tokens that come, "
        f"{int(taken)} go",
        hint=fix(network, channel, other),
    )


def _rates(network: Network, channel: Channel) -> str:
    come, go = per_cycle(channel)
    name = _name(network, channel)
    return f"on {name}, {channel.source.name} produces {come} and {channel.target.name} consumes {go}"


def _name(network: Network, channel: Channel) -> str:
    """A channel in messages, with its input where there are several between two nodes."""
    ends = [(c.source, c.target) for c in network.channels]
    actor = channel.target.actor
    if ends.count((channel.source, channel.target)) == 1 or actor is None:
        return channel.name
    return f"{channel.name} ({actor.inputs[channel.target_port]})"


def fix(network: Network, *channels: Channel) -> str:
    """The smallest change of a rate at the ends of some channels that makes all rates agree."""
    changes = []
    for position, channel in enumerate(channels):
        for is_input in (True, False):
            node = channel.target if is_input else channel.source
            port = channel.target_port if is_input else channel.source_port
            rate = (node.consumes if is_input else node.produces)[port]
            is_free = len(rate) == 1 and _is_alone(network, node)
            wanted = _wanted(network, node, port, is_input) if is_free else None
            if wanted is not None:
                changes.append((abs(wanted - rate[0]), position, not is_input, _change(node, port, is_input, wanted)))
    if changes:
        return min(changes)[3]
    pairs = (_pair(network, channel) for channel in channels)
    return next(filter(None, pairs), "change the rates of several actors so that as many tokens come as go")


def _pair(network: Network, channel: Channel) -> str:
    """New rates for both ends of a channel with which everything agrees; nothing if there are none."""
    source, target = channel.source, channel.target
    found = _proportion(network, [channel])
    readers = [c for c in network.out_of(source) if c.source_port == channel.source_port]
    is_free = all(_is_alone(network, node) for node in (source, target)) and len(readers) == 1
    if found is None or not is_free or len(channel.produces) > 1 or len(channel.consumes) > 1:
        return ""
    come, go = (found[0] * source.phases / target.phases).as_integer_ratio()
    produce, consume = go, come
    first = _change(source, channel.source_port, False, produce)
    return f"{first} and {_change(target, channel.target_port, True, consume)}"


def _change(node: Node, port: int, is_input: bool, wanted: int) -> str:
    verb, names = ("consume", node.actor.inputs if node.actor else ()) if is_input else ("produce", ())
    several = len(node.consumes if is_input else node.produces) > 1
    where = f" of {names[port]}" if names else f" for {'in' if is_input else 'out'}put {port + 1}"
    where = where if several else ""
    return f"let {node.name} {verb} {wanted}{where}"


def _wanted(network: Network, node: Node, port: int, is_input: bool) -> int | None:
    """The rate of a port with which everything agrees; None if there is none."""
    touched = [
        c
        for c in network.channels
        if ((c.target, c.target_port) if is_input else (c.source, c.source_port)) == (node, port)
    ]
    ratios = _proportion(network, touched)
    if ratios is None:
        return None
    pairs = zip(touched, ratios, strict=True)
    found = {ratio * per_cycle(c)[0] if is_input else per_cycle(c)[1] / ratio for c, ratio in pairs}
    wanted = min(found) / node.phases
    return int(wanted) if len(found) == 1 and wanted.denominator == 1 else None


def _proportion(network: Network, touched: list[Channel]) -> list[Fraction] | None:
    """Cycles of sources for one of their targets, by all other channels; None where these do not tell."""
    rest = Network(network.nodes, [c for c in network.channels if c not in touched])
    cycles, ways = _fractions(rest)
    for channel in rest.channels:
        come, go = per_cycle(channel)
        if cycles[channel.source] * come != cycles[channel.target] * go:
            return None
    if any(_root(c.source, ways) is not _root(c.target, ways) for c in touched):
        return None
    return [cycles[c.source] / cycles[c.target] for c in touched]


def _is_alone(network: Network, node: Node) -> bool:
    """Whether a node is an actor, and the only one of that function: its rates can be changed."""
    return node.kind == "actor" and not any(n.actor is node.actor is not None for n in network.nodes if n is not node)


def _root(node: Node, ways: dict[Node, Channel | None]) -> Node:
    """The node from which the connected part of a node was walked."""
    while (channel := ways[node]) is not None:
        node = channel.source if channel.target is node else channel.target
    return node
