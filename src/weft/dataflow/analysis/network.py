"""A graph as the analysis sees it: nodes with ports, and channels between them that hold tokens from the start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import lcm
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from weft.dataflow.analysis.rates import Rate

if TYPE_CHECKING:
    from weft.dataflow.actors import Actor

Kind = Literal["actor", "input", "output", "split", "join"]


@dataclass(frozen=True, eq=False)
class Node:
    """Something that fires: an actor, an input or output of the graph, a split or a join.

    Attributes
    ----------
    number
        Its position among the nodes.
    name
        A name of its own, an identifier.
    consumes, produces
        The rates of its ports.
    peeks
        How many tokens it looks at on each input port; at least what it consumes.
    actor
        What it does, where it is an actor.
    """

    number: int
    name: str
    kind: Kind
    consumes: tuple[Rate, ...] = ()
    produces: tuple[Rate, ...] = ()
    peeks: tuple[int, ...] = ()
    actor: Actor | None = None

    @property
    def phases(self) -> int:
        """The firings after which all its rates repeat."""
        return lcm(1, *map(len, (*self.consumes, *self.produces)))


@dataclass(eq=False)
class Channel:
    """Tokens on their way from a port of one node to a port of another one.

    Attributes
    ----------
    initial
        The tokens that are there before anything fires (delays): values, the oldest first.
    """

    number: int
    source: Node
    source_port: int
    target: Node
    target_port: int
    initial: tuple[Any, ...] = ()

    @property
    def produces(self) -> Rate:
        """The rate at which tokens come."""
        return self.source.produces[self.source_port]

    @property
    def consumes(self) -> Rate:
        """The rate at which tokens go."""
        return self.target.consumes[self.target_port]

    @property
    def peek(self) -> int:
        """How many tokens must be there for the target to fire; cyclo-static ports do not peek."""
        return self.target.peeks[self.target_port] if self.target.peeks else 0

    def needed(self, phase: int) -> int:
        """Tokens that must be there for the firing of a phase."""
        return max(self.peek, self.consumes[phase % len(self.consumes)])

    @property
    def name(self) -> str:
        """The channel in messages."""
        return f"{self.source.name} -> {self.target.name}"


@dataclass(eq=False)
class Network:
    """The nodes and channels of a graph."""

    nodes: list[Node] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)

    def add(self, name: str, kind: Kind = "actor", **parts: Any) -> Node:
        """A new node; names that are taken get a number."""
        taken = {node.name for node in self.nodes}
        candidates = (name, *(f"{name}_{k}" for k in range(2, len(taken) + 3)))
        node = Node(len(self.nodes), next(c for c in candidates if c not in taken), kind, **parts)
        self.nodes.append(node)
        return node

    def connect(
        self, source: Node, target: Node, initial: Iterable[Any] = (), source_port: int = 0, target_port: int = 0
    ) -> Channel:
        """A new channel."""
        channel = Channel(len(self.channels), source, source_port, target, target_port, tuple(initial))
        self.channels.append(channel)
        return channel

    def into(self, node: Node) -> list[Channel]:
        """The channels to a node, in the order of its ports."""
        found = [channel for channel in self.channels if channel.target is node]
        return sorted(found, key=lambda channel: channel.target_port)

    def out_of(self, node: Node) -> list[Channel]:
        """The channels from a node."""
        return [channel for channel in self.channels if channel.source is node]

    def topology(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The topology matrix: what a cycle of each node's phases adds to each channel (Lee and Messerschmitt 1987)."""
        matrix = np.zeros((len(self.channels), len(self.nodes)), np.int64)
        for channel in self.channels:
            source, target = channel.source, channel.target
            matrix[channel.number, source.number] += sum(channel.produces) * (source.phases // len(channel.produces))
            matrix[channel.number, target.number] -= sum(channel.consumes) * (target.phases // len(channel.consumes))
        return matrix
