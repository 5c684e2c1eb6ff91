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
        _check_agrees(channel, cycles, ways)
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


def _check_agrees(channel: Channel, cycles: dict[Node, Fraction], ways: dict[Node, Channel | None]) -> None:
    come, go = per_cycle(channel)
    added, taken = cycles[channel.source] * come, cycles[channel.target] * go
    if added == taken:
        return
    other = ways[channel.target] or ways[channel.source] or channel
    if other is channel:
        other = ways[channel.source] or channel
    simple = channel.target.phases == 1 and channel.source.phases == 1
    raise GraphError(
        f"the rates of {channel.name} and of {other.name} do not agree",
        cause=f"{_rates(other)}; {_rates(channel)}: for each {int(added)} tokens that come, {int(taken)} go",
        hint=_fix(channel, cycles) if simple else "change a rate so that as many tokens come as go",
    )


def _rates(channel: Channel) -> str:
    come, go = per_cycle(channel)
    return f"on {channel.name}, {channel.source.name} produces {come} and {channel.target.name} consumes {go}"


def _fix(channel: Channel, cycles: dict[Node, Fraction]) -> str:
    """The smallest change of one rate of a channel that makes it agree."""
    come, go = per_cycle(channel)
    ratio = cycles[channel.source] / cycles[channel.target]  # needed: come * ratio == go
    changes = []
    if (ratio * come).denominator == 1:
        wanted = int(ratio * come)
        changes.append((abs(wanted - go), f"let {channel.target.name} consume {wanted}"))
    if (go / ratio).denominator == 1:
        wanted = int(go / ratio)
        changes.append((abs(wanted - come), f"let {channel.source.name} produce {wanted}"))
    if changes:
        return min(changes)[1]
    wanted, taken = (ratio * come).as_integer_ratio()
    return f"let {channel.source.name} produce {come * taken} and {channel.target.name} consume {wanted}"
