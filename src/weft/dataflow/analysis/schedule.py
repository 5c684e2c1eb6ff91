"""An order of firings: parts without cycles one node after the other, cycles token by token; and what channels hold.

The order of a period is the one of the compiled program: nodes in topological order, each with all its firings, so
that the firings of a node are one loop. The nodes of a cycle fire in a periodic admissible schedule, found by firing
whatever can.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, gcd

from weft.dataflow.analysis.balance import repetitions
from weft.dataflow.analysis.network import Channel, Network, Node
from weft.dataflow.analysis.rates import total
from weft.dataflow.errors import GraphError

MOST_FIRINGS = 1_000_000
"""Firings of a cycle in one period that are put in order."""


@dataclass(frozen=True)
class Step:
    """A node alone, or the nodes of a cycle with the order of their firings in one round.

    Attributes
    ----------
    order
        Runs of firings: a node and how often it fires.
    rounds
        How often the order is repeated in a period.
    """

    order: tuple[tuple[Node, int], ...]
    rounds: int
    is_cycle: bool


@dataclass(frozen=True)
class Schedule:
    """What happens in a period, and before the first one.

    Attributes
    ----------
    repetitions
        The firings of each node in a period.
    steps
        Their order.
    first
        The firings of each node before the first period, which fill the windows of those that peek.
    held
        The tokens in each channel between periods.
    """

    network: Network
    repetitions: tuple[int, ...]
    steps: tuple[Step, ...]
    first: tuple[int, ...]
    held: tuple[int, ...]

    def buffers(self, periods: int = 1) -> tuple[int, ...]:
        """The most tokens that each channel holds while so many periods run together."""
        most = list(self.held)
        now = list(self.held)
        for step in self.steps:
            runs = [(node, count * (1 if step.is_cycle else periods * step.rounds)) for node, count in step.order]
            fired = dict.fromkeys((node for node, _ in runs), 0)
            for _ in range(periods * step.rounds if step.is_cycle else 1):
                for node, count in runs:
                    self._fire(node, fired, count, now, most)
        return tuple(most)

    def _fire(self, node: Node, fired: dict[Node, int], count: int, now: list[int], most: list[int]) -> None:
        before = fired[node] + self.first[node.number]
        fired[node] += count
        for channel in self.network.out_of(node):
            now[channel.number] += total(channel.produces, before + count) - total(channel.produces, before)
            most[channel.number] = max(most[channel.number], now[channel.number])
        for channel in self.network.into(node):
            now[channel.number] -= total(channel.consumes, before + count) - total(channel.consumes, before)


def schedule(network: Network) -> Schedule:
    """Put the firings of a period in order.

    Raises
    ------
    GraphError
        Rates do not agree, or a cycle has too few tokens to start.
    """
    counts = repetitions(network)
    parts = components(network)
    first = _first_firings(network, parts, counts)
    held = tuple(
        len(c.initial) + total(c.produces, first[c.source.number]) - total(c.consumes, first[c.target.number])
        for c in network.channels
    )
    steps = tuple(_step(network, part, counts, held, first) for part in parts)
    return Schedule(network, counts, steps, first, held)


def components(network: Network) -> list[list[Node]]:
    """The strongly connected components in topological order (Tarjan 1972, without recursion)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    stack: list[Node] = []
    on_stack: set[Node] = set()
    found: list[list[Node]] = []
    for start in network.nodes:
        work = [(start, iter(_successors(network, start)))] if start not in index else []
        if work:
            index[start] = low[start] = len(index)
            stack.append(start)
            on_stack.add(start)
        while work:
            node, successors = work[-1]
            following = next(successors, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found.append(_popped(stack, on_stack, node))
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(_successors(network, following))))
            elif following in on_stack:
                low[node] = min(low[node], index[following])
    return found[::-1]


def _successors(network: Network, node: Node) -> list[Node]:
    return [channel.target for channel in network.out_of(node)]


def _popped(stack: list[Node], on_stack: set[Node], root: Node) -> list[Node]:
    part: list[Node] = []
    while not part or part[-1] is not root:
        part.append(stack.pop())
        on_stack.discard(part[-1])
    return sorted(part, key=lambda node: node.number)


def _inside(network: Network, part: Sequence[Node]) -> list[Channel]:
    members = set(part)
    return [c for c in network.channels if c.source in members and c.target in members]


def _first_firings(network: Network, parts: Sequence[Sequence[Node]], counts: Sequence[int]) -> tuple[int, ...]:
    """Firings before the first period: the fewest that leave in each channel what its target looks at and keeps."""
    first = dict.fromkeys(network.nodes, 0)
    for part in reversed(parts):
        members = set(part)
        rounds = 0
        for node in part:
            for channel in network.out_of(node):
                if channel.target not in members:
                    rounds = max(rounds, _rounds_for(channel, first, part, counts))
        for node in part:
            first[node] = rounds * _local(part, counts, node)
    return tuple(first[node] for node in network.nodes)


def _local(part: Sequence[Node], counts: Sequence[int], node: Node) -> int:
    """The firings of a node in one round of its component: for a node alone, the phases after which rates repeat."""
    if len(part) == 1:
        return node.phases
    rounds = reduce(gcd, (counts[member.number] // member.phases for member in part))
    return counts[node.number] // rounds


def _rounds_for(channel: Channel, first: dict[Node, int], part: Sequence[Node], counts: Sequence[int]) -> int:
    keeps = max(channel.peek - min(channel.consumes), 0) if channel.peek else 0
    missing = keeps + total(channel.consumes, first[channel.target]) - len(channel.initial)
    each = total(channel.produces, _local(part, counts, channel.source))
    return max(0, ceil(missing / each))


def _step(
    network: Network, part: Sequence[Node], counts: Sequence[int], held: Sequence[int], first: Sequence[int]
) -> Step:
    inside = _inside(network, part)
    if len(part) == 1 and not inside:
        node = part[0]
        return Step(((node, node.phases),), counts[node.number] // node.phases, False)
    rounds = reduce(gcd, (counts[node.number] // node.phases for node in part))
    order = _cycle_order(inside, {node: counts[node.number] // rounds for node in part}, held)
    return Step(order, rounds, True)


def _cycle_order(
    inside: Sequence[Channel], wanted: dict[Node, int], held: Sequence[int]
) -> tuple[tuple[Node, int], ...]:
    """A periodic admissible schedule of the nodes of a cycle, by firing whatever can."""
    if sum(wanted.values()) > MOST_FIRINGS:
        raise GraphError(
            f"the cycle of {', '.join(node.name for node in wanted)} fires {sum(wanted.values())} times in a period",
            cause=f"at most {MOST_FIRINGS} firings are put in order",
            hint="use rates with a smaller common multiple",
        )
    tokens = {channel: held[channel.number] for channel in inside}
    left = dict(wanted)
    order: list[tuple[Node, int]] = []
    while any(left.values()):
        node = next((node for node in left if left[node] and _can_fire(node, wanted[node] - left[node], tokens)), None)
        if node is None:
            raise _deadlock(tokens, left, wanted)
        _fire_once(node, wanted[node] - left[node], tokens)
        left[node] -= 1
        again = bool(order) and order[-1][0] is node
        order[-1:] = [(node, order[-1][1] + 1)] if again else [*order[-1:], (node, 1)]
    return tuple(order)


def _can_fire(node: Node, phase: int, tokens: dict[Channel, int]) -> bool:
    return all(held >= c.needed(phase) for c, held in tokens.items() if c.target is node)


def _fire_once(node: Node, phase: int, tokens: dict[Channel, int]) -> None:
    for channel in tokens:
        if channel.source is node:
            tokens[channel] += channel.produces[phase % len(channel.produces)]
        if channel.target is node:
            tokens[channel] -= channel.consumes[phase % len(channel.consumes)]


def _deadlock(tokens: dict[Channel, int], left: dict[Node, int], wanted: dict[Node, int]) -> GraphError:
    """Say which cycle waits for itself, what it holds and how many tokens would start it."""
    cycle = _waiting_cycle(tokens, left, wanted)
    lacking = [(c.needed(wanted[c.target] - left[c.target]) - tokens[c], c) for c in cycle]
    missing, channel = min(lacking, key=lambda pair: (pair[0], pair[1].number))
    names = " -> ".join([cycle[0].source.name, *(c.target.name for c in cycle)])
    return GraphError(
        f"the graph cannot start: {names} waits for itself",
        cause="; ".join(
            f"{c.name} holds {tokens[c]} tokens and {c.target.name} needs "
            f"{c.needed(wanted[c.target] - left[c.target])}" for c in cycle
        ),
        hint=f"add a delay of {missing} on {channel.name}",
    )  # fmt: skip


def _waiting_cycle(tokens: dict[Channel, int], left: dict[Node, int], wanted: dict[Node, int]) -> list[Channel]:
    """Channels that each lack tokens which only the next one's target could make."""
    lacking: dict[Node, Channel] = {}
    for channel, held in tokens.items():
        target = channel.target
        if left[target] and held < channel.needed(wanted[target] - left[target]) and left[channel.source]:
            lacking.setdefault(target, channel)
    node = next(iter(lacking))
    seen: list[Node] = []
    while node not in seen:
        seen.append(node)
        node = lacking[node].source
    around = seen[seen.index(node) :]
    return [lacking[member] for member in reversed(around)]


def plain_order(steps: Iterable[Step]) -> list[tuple[str, int]]:
    """The order of a period as names and counts."""
    return [
        (node.name, count * (1 if step.is_cycle else step.rounds))
        for step in steps
        for _ in range(step.rounds if step.is_cycle else 1)
        for node, count in step.order
    ]
