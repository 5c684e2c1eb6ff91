"""Failures in the middle of a run: what the periods before gave comes first, then the exception, then a closed run."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from tests.dataflow.small_programs import PROGRAMS
from tests.dataflow.test_small_programs import tokens
from weft import dataflow
from weft.dataflow import ClosedError, StreamError

SEEN: list[float] = []


@dataflow.actor
def inverse(x):
    return 1.0 / float(x)


@dataflow.actor
def no_seven(x):
    if x == 7.0:
        raise RuntimeError("seven")
    return x + 0.5


@dataflow.actor(state=0.0)
def total(x, before):
    return before + x, before + x


@dataflow.actor(state=np.zeros(2))
def last_two(x, kept):
    kept[0] = kept[1]
    kept[1] = x
    return kept[0] * 100 + x, kept


@dataflow.actor(device="python")
def no_nine(x):
    SEEN.append(float(x))
    if x == 9.0:
        raise KeyError("nine")
    return x


@dataflow.actor(consumes=2, produces=2, device="python")
def ragged(pair):
    return pair[: 1 + (pair[0] != 5.0)]


@dataflow.actor(consumes=2, produces=2)
def short(pair):
    return pair[pair != 5.0]


@dataflow.actor(consumes=(1, 2), produces=(1, 1))
def uneven(block):
    if block[0] == 7.0:
        raise RuntimeError("seven")
    return block[:1]


@dataflow.actor(peek=3)
def window(w):
    if w[2] == 7.0:
        raise RuntimeError("seven")
    return w[0] + w[2]


@dataflow.actor
def plus(a, b):
    return a + b


def loop(x):
    back, feed = dataflow.feedback([0.0])
    y = plus(no_nine(x), back)
    feed(no_seven(y))
    return y


UP = np.arange(1.0, 13.0)
ZERO = np.where(UP == 6.0, 0.0, UP)

CASES = {
    "compiled": (lambda x: inverse(x), ZERO, list(1 / UP[:5]), "in firing 5 of the actor inverse"),
    "with a state": (lambda x: no_seven(total(x)), UP[[0, 1, 2, 0, 4]], [1.5, 3.5, 6.5], "firing 3 of the actor"),
    "with arrays as a state": (lambda x: plus(last_two(x), no_seven(x)), UP, list(102 * UP[:6] - 99.5), "firing 6 of"),
    "a host actor": (lambda x: total(no_nine(x)), UP, list(np.cumsum(UP[:8])), "firing 8 of the host actor no_nine"),
    "behind a host actor": (lambda x: no_seven(no_nine(x)), UP, list(UP[:6] + 0.5), "firing 6 of the actor no_seven"),
    "two that fail": (lambda x: plus(no_nine(x), inverse(x)), ZERO[2:], list(UP[2:5] + 1 / UP[2:5]), "actor inverse"),
    "the last period": (lambda x: no_seven(x), UP[:7], list(UP[:6] + 0.5), "firing 6 of the actor no_seven"),
    "the first period": (lambda x: no_seven(x), UP[6:], [], "firing 0 of the actor no_seven"),
    "the length of a host actor's": (lambda x: ragged(x), UP, [1.0, 2.0, 3.0, 4.0], "shape (1,)"),
    "the length of a result": (lambda x: short(x), UP, [1.0, 2.0, 3.0, 4.0], "in firing 2"),
    "cyclo-static": (lambda x: uneven(x), UP, [1.0, 2.0, 4.0, 5.0], "firing 4 of the actor uneven"),
    "behind a window": (lambda x: window(x), UP, [4.0, 6.0, 8.0, 10.0], "firing 4 of the actor window"),
    "in a cycle": (loop, np.array([0.0, 1.5, 3.0, 1.0, 2.5, 9.0]), [0.0, 2.0, 5.5], "firing 3 of the actor no_seven"),
}  # fmt: skip
GRAPHS: dict[str, dataflow.Graph] = {}


def by_for(graph, tokens, got):
    for block in graph(tokens):
        got += block.tolist()


def by_parts(graph, tokens, got):
    for block in graph(tokens[k : k + 5] for k in range(0, len(tokens), 5)):
        got += block.tolist()


def by_pop(graph, tokens, got):
    run = graph.start()
    run.push(tokens)
    try:
        while True:
            got += run.pop().tolist()
    except ClosedError:
        raise
    except Exception:
        check_stopped(run)
        raise


def by_try_pop(graph, tokens, got):
    run = graph.start()
    for token in tokens.tolist():
        run.push(token)
    while True:
        got += run.try_pop().tolist()


def by_port(graph, tokens, got):
    run = graph.start()
    run.push(tokens)
    while True:
        got += run.outputs[0].pop(1).tolist()


def by_token(graph, tokens, got):
    with graph.start(tail="drop") as run:
        run.push(tokens)
    while True:
        got.append(run.outputs[0].get())


def by_async(graph, tokens, got):
    async def source():
        yield tokens[:4]
        yield tokens[4:]

    async def read():
        async for block in graph(source()):
            got.extend(block.tolist())

    asyncio.run(read())


def check_stopped(run):
    """Nothing is kept, and everything says so."""
    for call in (run.pop, run.try_pop, lambda: run.push(np.ones(2)), lambda: run.push(1.0), run.outputs[0].get):
        with pytest.raises(ClosedError, match="an actor failed"):
            call()
    assert not run.engine.held and not run.engine.states and not any(map(len, run.inputs.values()))
    assert not any(
        run.engine.number in host.runs for made in run.engine.programs.made() for host in made.hosts.values()
    )
    run.close()


@pytest.mark.parametrize("read", [by_for, by_parts, by_pop, by_try_pop, by_port, by_token, by_async])
@pytest.mark.parametrize("case", CASES)
def test_what_was_finished_comes_before_the_failure(case, read):
    function, tokens, wanted, words = CASES[case]
    graph = GRAPHS.setdefault(case, dataflow.graph(function, x=np.float64))
    SEEN.clear()
    got: list[float] = []
    with pytest.raises((ArithmeticError, RuntimeError, KeyError, dataflow.ActorError)) as caught:
        read(graph, tokens, got)
    assert got == wanted
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert words in text
    assert len(set(SEEN)) == len(SEEN)  # nothing fired twice


def test_what_an_actor_changes_outside_is_changed_once():
    counted = np.zeros(1)

    @dataflow.actor
    def counts(x):
        counted[0] += 1
        return x

    graph = dataflow.graph(lambda x: no_seven(counts(x)), x=np.float64)
    run = graph.start()
    run.push(UP[:3])
    assert run.outputs[0].pop(2).tolist() == [1.5, 2.5]
    run.push(UP[3:])
    assert run.pop().tolist() == [3.5]  # the batch that failed gives nothing: it cannot run again
    with pytest.raises(RuntimeError, match="seven"):
        run.pop()
    assert counted[0] == 7  # both fire in one loop


def test_a_failure_before_the_first_period():
    graph = dataflow.graph(lambda x: window(no_nine(x)), x=np.float64)
    run = graph.start()
    run.push(UP[8:])
    with pytest.raises(KeyError, match="nine"):
        run.pop()
    check_stopped(run)


def test_a_failure_that_is_no_exception_is_raised_at_once():
    @dataflow.actor(device="python")
    def interrupted(x):
        if x == 3.0:
            raise KeyboardInterrupt
        return x

    run = dataflow.graph(lambda x: interrupted(x), x=np.float64).start(capacity=2)
    run.push(UP[:2])
    assert run.pop().tolist() == [1.0, 2.0]
    with pytest.raises(KeyboardInterrupt):
        run.push(UP[2:])
        run.pop()
    check_stopped(run)


def failing_source(*parts):
    yield from parts
    raise OSError("the cable is out")


async def failing_async(*parts):
    for part in parts:
        yield part
    raise OSError("the cable is out")


@pytest.mark.parametrize("name", ["x", "y"])
def test_a_source_that_raises(name):
    graph = dataflow.graph(lambda x, y: plus(x, y), x=np.float64, y=np.float64)
    parts = {"x": failing_source(UP, UP), "y": failing_source(UP, UP), name: failing_source(UP, UP[:5])}
    got = []
    with pytest.raises(OSError, match="cable"):
        for block in graph(**parts):
            got += block.tolist()
    assert got == list(np.concatenate([UP, UP[:5]]) * 2)
    other = {"x": iter([UP[:3], UP]), "y": iter([UP[:3], UP]), name: failing_async(UP[:3])}

    async def read():
        async for block in graph(**other):
            got.extend(block.tolist())

    got = []
    with pytest.raises(OSError, match="cable"):
        asyncio.run(read())
    assert got == list(UP[:3] * 2)


@pytest.mark.parametrize("bad", [np.ones((2, 2)), np.arange(3), "text"])
def test_tokens_that_no_port_takes_lose_nothing(bad):
    graph = dataflow.graph(lambda x: ragged(x), x=np.float64)
    got = []
    with pytest.raises(StreamError):
        for block in graph([UP[:3], UP[:1], bad, UP]):
            got += block.tolist()
    assert got == [1.0, 2.0, 3.0, 1.0]
    run = graph.start()
    run.push(UP[:3])
    with pytest.raises(StreamError):
        run.push(bad)
    run.push(UP[:2])
    with pytest.raises(StreamError, match="middle of a period"):
        run.close()
    assert run.pop().tolist() == [1.0, 2.0, 3.0, 1.0]
    with pytest.raises(ClosedError, match="all that it gave"):
        run.pop()


@pytest.mark.parametrize("device", [None, "python"])
@pytest.mark.parametrize("length", [4, 8192])
def test_states_do_not_change_with_what_was_pushed(length, device):
    @dataflow.actor(consumes=length, produces=length, state=np.zeros(length), device=device)
    def before(block, last):
        return last, block

    run = dataflow.graph(lambda x: before(x), x=np.float64).start()
    tokens = np.arange(float(length))
    run.push(tokens)
    assert not run.pop().any()
    tokens[:] = -1
    run.push(tokens)
    assert run.pop().tolist() == list(range(length))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["hosts", "two_loops_rates", "peeks_both"])
def test_graphs_that_fail_somewhere_give_what_was_before(name):
    function, types, longest = PROGRAMS[name]
    graph = dataflow.graph(function, **types)
    periods = min((longest - graph.schedule.first[n.number]) // graph.period(k) for k, n in graph.inputs.items())
    counts = {k: graph.schedule.first[n.number] + periods * graph.period(k) for k, n in graph.inputs.items()}
    inputs = {k: tokens(types[k], count) for k, count in counts.items()}
    good = graph.collect(**inputs)
    target = (good[0] if isinstance(good, tuple) else good)[7].item()

    @dataflow.actor
    def guard(v):
        if v == target:
            raise RuntimeError("here")
        return v

    def guarded(x):
        found = function(x)
        return (guard(found[0]), *found[1:]) if isinstance(found, tuple) else guard(found)

    failing = dataflow.graph(guarded, **types)
    good = good if isinstance(good, tuple) else (good,)
    node = next(n for n in failing.network.nodes if n.name == "guard")
    first, each = failing.schedule.first, failing.schedule.repetitions
    fails = int(np.flatnonzero(good[0] == target)[0])
    before = (fails - first[node.number]) // each[node.number]
    blocks = []
    with pytest.raises(RuntimeError, match="here") as caught:
        for block in failing(**{k: [v[:5], v[5:]] for k, v in inputs.items()}):
            blocks.append(block if isinstance(block, tuple) else (block,))
    for k, node in enumerate(failing.outputs):
        count = first[node.number] + before * each[node.number] if before >= 0 else 0
        found = np.concatenate([block[k] for block in blocks]) if blocks else good[k][:0]
        assert found.tolist() == good[k][:count].tolist()
    assert any(f"in firing {fails} of the actor guard" in note for note in getattr(caught.value, "__notes__", ()))
