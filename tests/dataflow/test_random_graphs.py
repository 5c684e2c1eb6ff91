"""Random graphs beside a simulation: firings, results, whatever the pieces in which tokens come."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.dataflow.random_graphs import RandomGraph

QUICK = [*range(24)]
MANY = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(24, 400)]
MOST_FIRINGS = 3000


def inputs_of(graph, random):
    """Tokens for some periods, and a few more; and how many periods these are."""
    nodes, schedule = graph.inputs.values(), graph.schedule
    periods = int(random.integers(0, 6))
    more = [int(random.integers(0, schedule.repetitions[node.number])) for node in nodes]
    counts = [schedule.first[n.number] + periods * schedule.repetitions[n.number] + m for n, m in zip(nodes, more)]
    return [random.integers(-20, 20, count).astype(float) for count in counts], periods


def in_pieces(graph, inputs, cut):
    return graph.collect(*([x[k : k + cut] for k in range(0, len(x), cut)] for x in inputs), tail="drop")


def by_threads(graph, inputs, cut):
    """Each input is pushed by a thread of its own, single tokens and vectors, while this one pops."""
    run = graph.start(tail="drop")

    def push(port, tokens):
        for k in range(0, len(tokens), cut):
            if k // cut % 2:
                for token in tokens[k : k + cut].tolist():
                    port.push(token)
            else:
                port.push(tokens[k : k + cut])

    threads = [threading.Thread(target=push, args=pair) for pair in zip(run.inputs.values(), inputs)]
    for thread in threads:
        thread.start()
    parts = [found] if (found := run.try_pop()) else []
    for thread in threads:
        thread.join()
    run.close()
    parts += run
    return [np.concatenate([part[k] for part in parts] or [np.empty(0)]) for k in range(len(graph.outputs))]


@pytest.mark.parametrize("seed", QUICK + MANY)
def test_results_are_those_of_a_simulation(seed):
    made, random = RandomGraph(seed), np.random.default_rng(seed)
    graph = made.graph()
    if max(graph.schedule.repetitions) > MOST_FIRINGS:
        pytest.skip("a long period")
    inputs, periods = inputs_of(graph, random)
    cut = int(random.integers(1, 20))
    if seed % 3 == 0:
        found = graph.collect(*inputs, tail="drop")
    else:
        found = (in_pieces if seed % 3 == 1 else by_threads)(graph, inputs, cut)
    for node, got, wanted in zip(graph.outputs, found, made.simulated(inputs)):
        count = graph.schedule.first[node.number] + periods * graph.schedule.repetitions[node.number]
        if periods == 0 and len(got) == 0:
            continue
        assert len(got) == count
        np.testing.assert_array_equal(got, wanted[:count])
