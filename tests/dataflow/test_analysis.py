"""Repetition vectors, schedules and buffers beside a plain simulation; graphs that are refused."""

from __future__ import annotations

import random
import re
from math import gcd

import numpy as np
import pytest

from weft.dataflow import GraphError
from weft.dataflow.analysis.balance import repetitions
from weft.dataflow.analysis.network import Network
from weft.dataflow.analysis.schedule import schedule
from weft.dataflow.analysis.simulation import simulate

GRAPHS = 400


def chain(*rates, delays=()):
    """Nodes a, b, c ... in a row: pairs of rates, produced and consumed."""
    network = Network()
    first = [(None, rates[0][0]), *((a[1], b[0]) for a, b in zip(rates, rates[1:])), (rates[-1][1], None)]
    nodes = [node(network, "abcdefgh"[k], consumes, produces) for k, (consumes, produces) in enumerate(first)]
    for k, pair in enumerate(zip(nodes, nodes[1:])):
        network.connect(*pair, initial=[0] * (delays[k] if delays else 0))
    return network


def node(network, name, consumes=None, produces=None, peek=None):
    def rate(x):
        return x if isinstance(x, tuple) else (x,)

    ins = [] if consumes is None else consumes if isinstance(consumes, list) else [consumes]
    outs = [] if produces is None else produces if isinstance(produces, list) else [produces]
    peeks = tuple(peek or max(rate(x)) for x in ins)
    return network.add(name, consumes=tuple(map(rate, ins)), produces=tuple(map(rate, outs)), peeks=peeks)


def test_the_example_of_the_thesis():
    """003, 10.2: A makes one token at a time, B takes and gives eight, C takes one."""
    found = schedule(chain((1, 8), (8, 1)))
    assert found.repetitions == (8, 1, 8)
    assert found.buffers(1) == (8, 8)
    assert found.buffers(3) == (24, 24)


def test_the_topology_matrix():
    network = chain((2, 3), (1, 4))
    assert network.topology().tolist() == [[2, -3, 0], [0, 1, -4]]
    assert not (network.topology() @ np.array(repetitions(network))).any()


def test_repetitions_are_the_smallest():
    assert repetitions(chain((4, 6), (10, 15))) == (9, 6, 4)


def test_cyclo_static_rates():
    network = chain(((1, 2), 6), (2, (1, 1, 2)))
    assert repetitions(network) == (8, 2, 3)
    assert network.topology().tolist() == [[3, -6, 0], [0, 2, -4]]


def test_parts_without_channels_between_them_have_their_own_repetitions():
    network = chain((2, 3))
    a, b = node(network, "x", None, 5), node(network, "y", 1, None)
    network.connect(a, b)
    assert repetitions(network) == (3, 2, 1, 5)


# --------------------------------------------------------------------------------------------------------- refused


def diamond(last):
    network = Network()
    a, b, c = node(network, "a", None, [2, 2]), node(network, "b", 2, 2), node(network, "c", [last, 2], None)
    network.connect(a, b, source_port=0)
    network.connect(b, c, target_port=0)
    network.connect(a, c, source_port=1, target_port=1)
    return network


def test_rates_that_do_not_agree_name_both_channels_and_the_smallest_fix():
    with pytest.raises(GraphError) as caught:
        repetitions(diamond(3))
    words = str(caught.value)
    assert "b -> c" in words and "a -> c" in words
    assert "consume" in words or "produce" in words


@pytest.mark.parametrize("wrong", [1, 3, 4, 5, 7])
def test_the_fix_that_is_named_works(wrong):
    with pytest.raises(GraphError) as caught:
        repetitions(diamond(wrong))
    change = caught.value.hint
    network = diamond(wrong)
    name, verb, rate, port = re.match(r"let (\w+) (\w+) (\d+)(?: for \w+ (\d))?$", change).groups()
    at, port = next(n for n in network.nodes if n.name == name), int(port or 1) - 1
    field = "consumes" if verb == "consume" else "produces"
    rates = list(getattr(at, field))
    rates[port] = (int(rate),)
    object.__setattr__(at, field, tuple(rates))
    repetitions(network)


def loop(tokens, produced=512, consumed=512):
    network = Network()
    a, b = node(network, "a", 1, produced), node(network, "b", consumed, 1)
    network.connect(a, b)
    network.connect(b, a, initial=[0] * tokens)
    return network


def test_a_deadlock_names_the_cycle_its_tokens_and_the_delay():
    network = Network()
    a, b = node(network, "a", 512, 512), node(network, "b", 512, 512)
    network.connect(a, b)
    network.connect(b, a)
    with pytest.raises(GraphError) as caught:
        schedule(network)
    words = str(caught.value)
    assert "waits for itself" in words and "a -> b" in words and "b -> a" in words
    assert "holds 0 tokens" in words
    assert "add a delay of 512 on" in words


@pytest.mark.parametrize("tokens", [0, 1, 2, 5])
def test_the_delay_that_is_named_starts_the_cycle(tokens):
    network = Network()
    a, b = node(network, "a", 3, 2), node(network, "b", 4, 6)
    network.connect(a, b)
    network.connect(b, a, initial=[0] * tokens)
    for _ in range(20):
        try:
            schedule(network)
            break
        except GraphError as error:
            words = error.hint.split()
            channel = next(c for c in network.channels if c.name == " ".join(words[6:]))
            channel.initial = (*channel.initial, *[0] * int(words[4]))
    else:
        raise AssertionError("the hints lead nowhere")
    assert schedule(network).repetitions == (2, 1)


def test_a_node_that_feeds_itself():
    network = Network()
    a = node(network, "a", 1, 1)
    network.connect(a, a)
    with pytest.raises(GraphError, match="a -> a waits for itself"):
        schedule(network)
    network.channels[0].initial = (0,)
    assert schedule(network).steps[0].is_cycle


# --------------------------------------------------------------------------------------------------- random graphs


def random_graph(seed):
    """A graph whose repetition vector is known: rates are made from it."""
    chance = random.Random(seed)
    count = chance.randint(2, 7)
    q = [chance.randint(1, 6) for _ in range(count)]
    q = [x // gcd(*q) for x in q]
    edges = [(chance.randrange(k), k) for k in range(1, count)]
    edges += [tuple(sorted(chance.sample(range(count), 2))) for _ in range(chance.randint(0, 3))]
    back = [tuple(reversed(edge)) for edge in edges if chance.random() < 0.3]
    network = Network()
    ports = [([], []) for _ in q]
    plans = []
    for source, target in edges + back:
        scale = chance.randint(1, 3)
        common = q[source] * q[target] // gcd(q[source], q[target])
        come, go = scale * common // q[source], scale * common // q[target]
        plans.append((source, len(ports[source][1]), target, len(ports[target][0])))
        ports[source][1].append(come)
        ports[target][0].append(go)
    nodes = [node(network, f"n{k}", ins, outs) for k, (ins, outs) in enumerate(ports)]
    for number, (source, out, target, into) in enumerate(plans):
        come, go = ports[source][1][out], ports[target][0][into]
        enough = come * q[source] if number >= len(edges) else 0
        tokens = enough if chance.random() < 0.8 else chance.randint(0, go)
        network.connect(nodes[source], nodes[target], [0] * tokens, out, into)
    return network, q


def plain_period(network, q):
    """Fire whatever can until all have fired `q` times: whether that works (it decides it, Lee and Messerschmitt)."""
    tokens = [len(c.initial) for c in network.channels]
    left = list(q)
    moved = True
    while moved:
        moved = False
        for n in network.nodes:
            ins, outs = network.into(n), network.out_of(n)
            while left[n.number] and all(tokens[c.number] >= c.consumes[0] for c in ins):
                for c in ins:
                    tokens[c.number] -= c.consumes[0]
                for c in outs:
                    tokens[c.number] += c.produces[0]
                left[n.number] -= 1
                moved = True
    return not any(left), tokens


def play(network, found, periods):
    """Fire in the order of a schedule, token by token, and watch every channel."""
    tokens = [len(c.initial) for c in network.channels]
    most = list(tokens)
    for name, count in simulate(found, periods).order:
        n = next(n for n in network.nodes if n.name == name)
        for _ in range(count):
            for c in network.into(n):
                tokens[c.number] -= c.consumes[0]
                assert tokens[c.number] >= 0
            for c in network.out_of(n):
                tokens[c.number] += c.produces[0]
                most[c.number] = max(most[c.number], tokens[c.number])
    return tokens, most


@pytest.mark.parametrize("block", range(8))
def test_random_graphs(block):
    live = 0
    for seed in range(block * GRAPHS // 8, (block + 1) * GRAPHS // 8):
        network, q = random_graph(seed)
        assert list(repetitions(network)) == q
        works, after = plain_period(network, q)
        if not works:
            with pytest.raises(GraphError, match="waits for itself"):
                schedule(network)
            continue
        live += 1
        found = schedule(network)
        for periods in (1, 3):
            tokens, most = play(network, found, periods)
            assert tokens == after == [len(c.initial) for c in network.channels]
            assert all(a <= b for a, b in zip(most, found.buffers(periods)))
            assert simulate(found, periods).most.keys() == {c.name for c in network.channels}
    assert live > GRAPHS // 16


@pytest.mark.parametrize("seed", range(100))
def test_a_changed_rate_is_found(seed):
    network, q = random_graph(seed)
    cycle_edges = [c for c in network.channels if c.number >= len(network.nodes) - 1]
    if not cycle_edges:
        pytest.skip("a tree agrees with any rates")
    channel = cycle_edges[0]
    rates = list(channel.target.consumes)
    rates[channel.target_port] = (rates[channel.target_port][0] + 1,)
    object.__setattr__(channel.target, "consumes", tuple(rates))
    with pytest.raises(GraphError, match="do not agree"):
        repetitions(network)


def test_windows_are_filled_before_the_first_period():
    network = Network()
    a = network.add("a", "input", produces=((1,),))
    b = node(network, "b", 2, 3)
    c = node(network, "c", 3, 1, peek=10)
    network.connect(a, b)
    network.connect(b, c)
    found = schedule(network)
    assert found.repetitions == (2, 1, 1)
    assert found.first == (6, 3, 0)
    assert found.held == (0, 9)
