"""A graph run token by token in plain Python: each node fires as soon as its channels hold what it needs."""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

import numpy as np

from weft import dataflow


def simulated(graph: dataflow.Graph, inputs: dict[str, Any], most: int = 1_000_000) -> list[list[Any]]:
    """What comes out of each output when all that can fire has fired; sources fire `most` times at most."""
    network = graph.network
    queues = {c: deque(np.array(c.initial, graph.types.of(c))) for c in network.channels}
    states = {n: copy.deepcopy(n.actor.state) for n in network.nodes if n.actor}
    left = {n: deque(inputs[n.name]) for n in network.nodes if n.kind == "input"}
    outs: dict[Any, list] = {n: [] for n in graph.outputs}
    fired = dict.fromkeys(network.nodes, 0)
    goes_on = True
    while goes_on:
        goes_on = False
        for node in network.nodes:
            while _is_ready(network, node, queues, left, fired[node], most):
                _fire(network, node, queues, states, left, outs, fired[node])
                fired[node] += 1
                goes_on = True
    return [outs[node] for node in graph.outputs]


def _at(rate: Any, firing: int) -> int:
    return rate[firing % len(rate)]


def _is_ready(network: Any, node: Any, queues: Any, left: Any, firing: int, most: int) -> bool:
    if node.kind == "input":
        return bool(left[node])
    into = network.into(node)
    if not into:
        return firing < most
    return all(len(queues[c]) >= max(_at(c.consumes, firing), c.peek) for c in into)


def _fire(network: Any, node: Any, queues: Any, states: Any, left: Any, outs: Any, firing: int) -> None:
    given = []
    for channel in network.into(node):
        rate, peek, queue = channel.consumes, channel.peek, queues[channel]
        tokens = [queue[k] for k in range(max(_at(rate, firing), peek))]
        for _ in range(_at(rate, firing)):
            queue.popleft()
        is_number = rate == (1,) and peek <= 1 and node.kind == "actor"
        given.append(tokens[0] if is_number else np.array(tokens))
    results = _results(node, given, states, left, firing)
    if node.kind == "output":
        outs[node].append(given[0][0])
    for channel in network.out_of(node):
        queues[channel].extend(np.atleast_1d(results[channel.source_port]))


def _results(node: Any, given: list, states: Any, left: Any, firing: int) -> list[Any]:
    if node.kind == "input":
        return [left[node].popleft()]
    if node.kind == "output":
        return []
    if node.kind == "split":
        ends = np.cumsum([rate[0] for rate in node.produces])
        return np.split(given[0], ends[:-1])
    if node.kind == "join":
        return [np.concatenate(given)]
    actor = node.actor
    if actor.has_state:
        given = [*given, states[node]]
    result = actor.function(*given)
    wanted = len(node.produces) + actor.has_state
    items = list(result) if isinstance(result, tuple) and wanted != 1 else [result]
    if actor.has_state:
        states[node] = items.pop()
    return items
