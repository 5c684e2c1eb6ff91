"""Runs: ports that threads push and pop, ends of streams, failures; and what graphs and actors refuse."""

from __future__ import annotations

import contextlib
import gc
import io
import threading
import time
import weakref

import numpy as np
import pytest

import weft
from weft import dataflow
from weft.dataflow import ActorError, ClosedError, GraphError, StreamError
from weft.dataflow.running import batching
from weft.dataflow.running.ports import SLACK


@dataflow.actor(consumes=4, produces=2)
def ends(block):
    out = np.empty(2)
    out[0] = block[0]
    out[1] = block[3]
    return out


@dataflow.actor
def inverse(x):
    return 1.0 / float(x)


@dataflow.actor
def added(a, b):
    return a + b


@dataflow.actor
def same(x):
    return x


@pytest.fixture(scope="module")
def graph():
    return dataflow.graph(lambda x: ends(x), x=np.float64)


@pytest.fixture(scope="module")
def sums():
    return dataflow.graph(lambda a, b: added(a, b), a=np.float64, b=np.float64)


# ------------------------------------------------------------------------------------------------------------ ports


def test_push_and_pop(graph):
    run = graph.start()
    run.push(np.arange(6.0))
    assert run.pop().tolist() == [0.0, 3.0]
    assert run.try_pop() is None
    run.push(np.arange(6.0, 12.0))
    assert run.pop().tolist() == [4.0, 7.0, 8.0, 11.0]
    run.close()


def test_single_tokens(graph):
    run = graph.start()
    for k in range(10_000):
        run.push(float(k))
    got = [run.outputs[0].get() for _ in range(5000)]
    assert got == [float(4 * (k // 2) + 3 * (k % 2)) for k in range(5000)]


NUMBERS = {
    "float64": [1.5, -0.0, np.inf, 5e-324, 1e300], "float32": [0.1, -np.inf, 1e300, 3.5e38, 1e-46],
    "float16": [0.1, 70000.0], "complex128": [1j, complex(0.5, -0.0)], "complex64": [complex(0.1, 1e300), 2j],
    "bool": [True, False],
    **{f"int{8 * k}": [-(2 ** (8 * k - 1)), 2 ** (8 * k - 1) - 1, 0, -1] for k in (1, 2, 4, 8)},
    **{f"uint{8 * k}": [2 ** (8 * k) - 1, 0, 2 ** (8 * k - 1)] for k in (1, 2, 4, 8)},
}  # fmt: skip
"""Numbers at the ends of each type."""


@pytest.mark.filterwarnings("ignore:overflow")
def test_single_tokens_of_all_types():
    for name, numbers in NUMBERS.items():
        wanted = np.array(numbers * 3, name)
        run = dataflow.graph(lambda x: dataflow.delay(x, [True]), x=np.dtype(name)).start()
        run.push(numbers[0])
        for number in (numbers * 3)[1:]:
            run.push(value=number) if name == "int8" else run.push(number)
        got = [run.outputs[0].get() for _ in range(2)]
        assert all(type(token) is type(wanted[0].item()) for token in got)
        got += run.outputs[0].pop(1).tolist() + [run.outputs[0].get(timeout=1.0) for _ in range(len(wanted) - 3)]
        assert repr(got) == repr([wanted.dtype.type(1).item(), *wanted[:-1].tolist()]), name
    assert run.inputs["x"].loose.limit > 0
    run.close()
    with pytest.raises(ClosedError):
        run.push(1)


def test_a_run_is_given_back():
    run = dataflow.graph(lambda x: same(x), x=np.float64).start()
    run.push(1.0)
    run.outputs[0].get()
    gone = weakref.ref(run)
    del run
    gc.collect()
    assert gone() is None


def test_single_tokens_between_vectors_keep_their_order(graph):
    run = graph.start()
    run.push(0.0)
    run.push(np.array([1.0, 2.0]))
    run.push(3.0)
    run.push(np.arange(4.0, 8.0))
    first = run.outputs[0].get()
    assert [first, *run.outputs[0].pop(3)] == [0.0, 3.0, 4.0, 7.0]


def test_so_many_tokens(graph):
    run = graph.start()
    run.push(np.arange(40.0))
    port = run.outputs[0]
    assert port.pop().tolist() == [0.0, 3.0]
    assert port.pop(5).tolist() == [4.0, 7.0, 8.0, 11.0, 12.0]
    assert port.try_pop(100) is None
    assert port.try_pop(1).tolist() == [15.0]


def test_several_inputs(sums):
    run = sums.start()
    run.push(np.arange(3.0), b=np.ones(3))
    assert run.pop().tolist() == [1.0, 2.0, 3.0]
    run.inputs["a"].push(5.0)
    assert run.try_pop() is None
    run.inputs["b"].push(6.0)
    assert run.pop().tolist() == [11.0]


def test_arrays_that_were_pushed_may_change(graph):
    run = graph.start()
    a = np.arange(4.0)
    run.push(a)
    a[:] = -1
    assert run.pop().tolist() == [0.0, 3.0]


def test_sources_that_change_arrays_are_read_in_their_order(sums, graph):
    a = np.arange(6.0)

    def changing():
        for _ in range(3):
            yield np.zeros(2)
            a[:] += 100.0

    found = list(sums(a, changing()))
    assert np.concatenate(found).tolist() == sums.collect(np.arange(6.0), np.zeros(6)).tolist()
    a = np.arange(6.0)
    assert sums.collect(a, changing()).tolist() == np.arange(6.0).tolist()
    held = np.arange(8.0)
    blocks = graph(iter([held[:6], held[6:]]))
    found = [next(blocks)]
    held[4:6] = -1.0  # what was read and is not used up yet is Weft's
    assert np.concatenate([*found, *blocks]).tolist() == graph.collect(np.arange(8.0)).tolist()


def test_threads(sums):
    run = sums.start(capacity=1000)
    n = 20_000

    def feed(name, value):
        for k in range(0, n, 100):
            run.inputs[name].push(np.arange(k, k + 100.0) * value)

    threads = [threading.Thread(target=feed, args=pair) for pair in (("a", 1), ("b", 2))]
    for thread in threads:
        thread.start()
    got = run.outputs[0].pop(n)
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(got, np.arange(n) * 3.0)


def test_threads_that_push_single_tokens(graph):
    run = graph.start()
    n = 40_000

    def feed():
        for k in range(n):
            run.push(float(k))
        run.close()

    thread = threading.Thread(target=feed)
    thread.start()
    got = np.concatenate(list(run))
    thread.join()
    np.testing.assert_array_equal(got, np.arange(n, dtype=float).reshape(-1, 4)[:, [0, 3]].ravel())


def test_a_run_is_a_context(graph):
    with graph.start() as run:
        run.push(np.arange(8.0))
    assert np.concatenate(list(run)).tolist() == [0.0, 3.0, 4.0, 7.0]


def test_runs_of_one_graph_do_not_meet():
    @dataflow.actor(state=0.0)
    def running(x, total):
        return total + x, total + x

    g = dataflow.graph(lambda x: running(x), x=np.float64)
    a, b = g.start(), g.start()
    a.push(np.ones(3))
    b.push(np.full(2, 10.0))
    assert a.pop().tolist() == [1.0, 2.0, 3.0]
    assert b.pop().tolist() == [10.0, 20.0]
    a.push(1.0)
    assert a.pop().tolist() == [4.0]


def test_a_graph_without_inputs():
    @dataflow.actor(consumes=[], produces=2, state=0)
    def counted(k):
        out = np.empty(2, np.int64)
        out[0] = k
        out[1] = k + 1
        return out, k + 2

    run = dataflow.graph(lambda: counted()).start()
    assert run.outputs[0].pop(5).tolist() == [0, 1, 2, 3, 4]
    run.close()


def test_the_table_of_rates(graph):
    run = graph.start()
    run.push(np.arange(8.0))
    run.pop()
    assert "2 periods" in str(run) and "tokens/s" in str(run)


# ------------------------------------------------------------------------------------------------------------- ends


def test_a_live_table(graph):
    shown = []
    with graph.start().watched(0.01, shown.append) as run:
        run.push(np.arange(float(graph.period("x"))))
        until = time.monotonic() + 10
        while len(shown) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        run.pop()
    assert len(shown) > 2
    assert "tokens/s" in shown[-1] and "1 periods" in shown[-1]


def test_the_end_in_the_middle_of_a_block(graph):
    with pytest.raises(StreamError, match="ends in the middle of a period: 2 tokens are left, and a period takes 4"):
        graph.collect(np.arange(6.0))
    run = graph.start()
    run.push(np.arange(6.0))
    with pytest.raises(StreamError, match='tail="drop"'):
        run.close()
    assert run.pop().tolist() == [0.0, 3.0]


def test_a_tail_that_is_dropped(graph):
    assert graph.collect(np.arange(6.0), tail="drop").tolist() == [0.0, 3.0]


def test_a_tail_that_is_padded(graph):
    assert graph.collect(np.arange(6.0), tail="pad").tolist() == [0.0, 3.0, 4.0, 0.0]


def test_an_unknown_tail(graph):
    with pytest.raises(weft.ArgumentError, match="no tail 'cut'"):
        graph.start(tail="cut")


def test_a_closed_run(graph):
    run = graph.start()
    run.push(np.arange(4.0))
    run.close()
    run.close()
    for push in (lambda: run.push(1.0), lambda: run.push(np.ones(4)), lambda: run.try_push(np.ones(4))):
        with pytest.raises(ClosedError, match="the run was closed"):
            push()
    assert run.pop().tolist() == [0.0, 3.0]
    for pop in (run.pop, run.outputs[0].pop, run.outputs[0].get):
        with pytest.raises(ClosedError, match="all that it gave has been taken"):
            pop()


def test_a_pop_that_waits_for_ever(graph):
    run = graph.start()
    run.push(np.arange(3.0))
    with other_thread(), pytest.raises(weft.TimeoutError, match=r"pop waited for 0.05 seconds") as caught:
        run.pop(timeout=0.05)
    assert "x holds 3 tokens, and a period needs 4" in str(caught.value)


@contextlib.contextmanager
def other_thread():
    """A thread that could push or pop, and does not."""
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@pytest.fixture
def own_threads(monkeypatch):
    """Threads that were there before the test do not count: those of the test runner and of other tests."""
    others, everything = {*threading.enumerate()} - {threading.current_thread()}, threading.enumerate
    monkeypatch.setattr(threading, "enumerate", lambda: [one for one in everything() if one not in others])


@pytest.mark.usefixtures("own_threads")
@pytest.mark.parametrize(("timeout", "words"), [(60.0, "60.0 seconds in vain"), (None, "ever")])
def test_a_thread_that_is_alone_does_not_wait(sums, timeout, words):
    run = sums.start(capacity=1)
    run.push(1.0, 2.0)
    with pytest.raises(weft.TimeoutError, match=f"push into a would wait for {words}") as caught:
        for _ in range(9):
            run.push(1.0, 2.0, timeout=timeout)
            run.push(np.ones(1), np.ones(1), timeout=timeout)
    assert "output_1 holds 1 tokens, and no other thread is there that pops" in str(caught.value)
    assert run.pop().tolist() == [3.0]
    assert run.pop().tolist() == [3.0]
    with pytest.raises(weft.TimeoutError, match=f"pop would wait for {words}") as caught:
        run.pop(timeout)
    assert "no other thread is there that pushes" in str(caught.value)


@pytest.mark.usefixtures("own_threads")
def test_a_thread_whose_partner_ends_does_not_wait(graph):
    run, got = graph.start(), []

    def feed():
        run.push(np.arange(4.0))
        while not got:
            time.sleep(0.01)

    thread = threading.Thread(target=feed)
    thread.start()
    with pytest.raises(weft.TimeoutError, match="pop would wait for ever"):
        for block in run:
            got.extend(block.tolist())
    assert got == [0.0, 3.0]


def test_a_thread_that_pushes_and_never_pops(graph):
    run = graph.start(capacity=4)
    with other_thread(), pytest.raises(weft.TimeoutError, match=r"push into x waited for 0.05 seconds") as caught:
        for _ in range(100):
            run.push(np.arange(4.0), timeout=0.05)
    assert "nobody pops" in str(caught.value)
    assert not run.try_push(np.arange(4.0))
    assert len(run.pop()) >= 8
    assert run.try_push(np.arange(4.0))


def test_an_input_that_nobody_feeds(sums):
    run = sums.start(capacity=4)
    with other_thread(), pytest.raises(weft.TimeoutError) as caught:
        for _ in range(10):
            run.inputs["a"].push(np.ones(4), timeout=0.02)
    assert "nobody pushes into b" in str(caught.value)


def test_a_pop_in_another_thread_frees_a_push(graph):
    run = graph.start(capacity=4)
    taken = []

    def empty():
        time.sleep(0.05)
        while sum(map(len, taken)) < 200:
            taken.append(run.pop(timeout=20))

    thread = threading.Thread(target=empty)
    thread.start()
    for _ in range(100):
        run.push(np.arange(4.0), timeout=20)
    thread.join()
    assert sum(map(len, taken)) == 200


# ------------------------------------------------------------------------------------------------------- bad tokens


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.arange(4), "tokens of int64 are pushed into a stream of float64"),
        (np.ones((2, 2)), "an array of shape (2, 2) is no part of a stream"),
        (np.ones(4, np.complex64), "tokens of complex64"),
        ("text", "tokens of <U4"),
        (1j, "tokens of complex128"),
    ],
)
def test_tokens_of_another_type_or_shape(graph, value, words):
    run = graph.start()
    with pytest.raises(StreamError) as caught:
        run.push(value)
    assert words in str(caught.value)
    run.push(3)  # a Python int is a float
    assert len(run.inputs["x"]) == 1


@pytest.mark.parametrize("waiting", [0, 3, SLACK])
@pytest.mark.parametrize(
    ("dtype", "number"), [(np.int32, 2**40), (np.uint8, -1), (np.uint8, 256), (np.int64, 2**63), (np.int64, -(2**70))]
)
def test_a_number_that_does_not_fit_is_said_and_the_others_stay(dtype, number, waiting):
    run = dataflow.graph(lambda x: same(x), x=dtype).start()
    for k in range(waiting):
        run.push(k % 100)
    with pytest.raises(StreamError, match=f"the token {number} does not fit into a stream of {np.dtype(dtype).name}"):
        run.push(number)
        run.push(np.array([7], dtype))
    run.push(5)  # Python's numbers are of the type of the stream
    found = run.pop(waiting + 1)
    assert found.dtype == dtype and found.tolist() == [*(k % 100 for k in range(waiting)), 5]


def test_a_file_that_ends_in_a_token(graph):

    with pytest.raises(StreamError, match="3 bytes are left"):
        graph.collect(io.BytesIO(bytes(35)))


# --------------------------------------------------------------------------------------------------------- failures


class Pipe(io.BytesIO):
    """It gives a few bytes at a time."""

    def read(self, count=-1):
        return super().read(min(count, 13))


def test_a_file_that_gives_parts_of_tokens():
    g = dataflow.graph(lambda x: inverse(x), x=np.float64)
    tokens = np.arange(1.0, 20.0)
    np.testing.assert_array_equal(g.collect(Pipe(tokens.tobytes())), 1 / tokens)
    with pytest.raises(StreamError, match="3 bytes are left"):
        g.collect(Pipe(tokens.tobytes() + b"abc"))


def test_an_exception_in_an_actor_arrives_at_pop():
    g = dataflow.graph(lambda x: inverse(x), x=np.float64)
    run = g.start()
    run.push(np.array([1.0, 2.0]))
    assert run.pop().tolist() == [1.0, 0.5]
    run.push(np.array([4.0, 5.0, 0.0, 1.0]))
    assert run.pop().tolist() == [0.25, 0.2]
    with pytest.raises(ZeroDivisionError) as caught:
        run.pop()
    notes = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert "return 1.0 / float(x)" in notes
    assert "in firing 4 of the actor inverse" in notes
    with pytest.raises(ClosedError, match="an actor failed"):
        run.pop()
    with pytest.raises(ClosedError, match="an actor failed"):
        run.push(np.ones(3))
    assert not run.engine.held and not len(run.inputs["x"])


def test_an_exception_in_a_loop_of_several_actors_names_the_right_one():
    g = dataflow.graph(lambda x: inverse(added(x, x)), x=np.float64)
    assert g.source.count("for ") == 1
    with pytest.raises(ZeroDivisionError) as caught:
        g.collect(np.array([1.0, 2.0, 0.0]))
    notes = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert "in firing 2 of the actor inverse" in notes


def test_an_exception_in_a_host_actor():
    @dataflow.actor(device="python")
    def fails(x):
        if x == 3:
            raise KeyError("three")
        return x

    g = dataflow.graph(lambda x: fails(x), x=np.float64)
    with pytest.raises(KeyError, match="three") as caught:
        g.collect(np.arange(6.0))
    assert any("in firing 3 of the host actor fails" in note for note in getattr(caught.value, "__notes__", ()))


def test_an_actor_that_returns_fewer_tokens_than_it_says():
    @dataflow.actor(consumes=4, produces=4)
    def short(block):
        return block[:3]

    with pytest.raises(ActorError, match="short returned 3 tokens for output 1 in firing 0"):
        dataflow.graph(lambda x: short(x), x=np.float64).collect(np.ones(8))


@pytest.mark.parametrize(
    ("options", "function", "words"),
    [
        ({"consumes": 4}, lambda b: b, "an array with 1 dimension, and it says that it produces 1 token"),
        ({"produces": 4}, lambda x: x, "a number, and it says that it produces 4 tokens"),
        ({"produces": [1, 1]}, lambda x: x, "returns 1 value, and says that it has 2 outputs"),
        ({}, lambda x: (x, x), "returns 2 values, and says that it has 1 output"),
        ({"state": 0.0}, lambda x, s: x, "1 output and its state"),
        ({"state": 0.0}, lambda x, s: (x, (s, s)), "the state of unnamed is a tuple after a firing"),
    ],
)
def test_results_that_are_not_what_an_actor_says(options, function, words):
    made = dataflow.actor(**options)(function)
    with pytest.raises(ActorError) as caught:
        dataflow.graph(lambda x: made(x), x=np.float64)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("options", "result", "words"),
    [
        ({}, [1.0, 2.0], "shape (2,)"),
        ({"produces": 3}, np.ones(2), "says that it produces 3 tokens"),
        ({}, 1j, "returned complex128, and its output 1 is a stream of float64"),
        ({"produces": [1, 1]}, 1.0, "returned 1 values, and says that it has 2"),
    ],
)
def test_results_of_host_actors(options, result, words):
    made = dataflow.actor(device="python", **options)(lambda x: result)
    with pytest.raises(ActorError) as caught:
        dataflow.graph(lambda x: made(x), x=np.float64).collect(np.ones(1))
    assert words in str(caught.value)


def test_blocks_are_read_only():
    @dataflow.actor(consumes=2, produces=2)
    def changed(block):
        block[0] = 0.0
        return block

    with pytest.raises((weft.Error, ValueError), match="read-only"):
        dataflow.graph(lambda x: changed(x), x=np.float64)


# ---------------------------------------------------------------------------------------------------------- refused


def test_rates_that_depend_on_data():
    for given in (lambda n: n, "many", 2.5, None):
        with pytest.raises(weft.ArgumentError, match="is no rate") as caught:
            dataflow.actor(consumes=given)(lambda x: x)
        assert "rates are known before anything runs" in str(caught.value)
        assert "another port" in str(caught.value)


@pytest.mark.parametrize("given", [0, -1, (0, 0), (), (1, -1)])
def test_rates_are_positive(given):
    with pytest.raises(weft.ArgumentError, match="is no rate"):
        dataflow.actor(consumes=given)(lambda x: x)


def test_rates_that_do_not_agree():
    def f(x):
        return added(ends(x), x)

    with pytest.raises(GraphError, match="do not agree"):
        dataflow.graph(f, x=np.float64)


def test_a_cycle_without_tokens():
    def f(x):
        back, feed = dataflow.feedback()
        y = added(x, back)
        feed(y)
        return y

    with pytest.raises(GraphError, match="waits for itself") as caught:
        dataflow.graph(f, x=np.float64)
    assert "add a delay of 1 on added -> added" in str(caught.value)


def test_feedback_that_is_never_fed():
    def f(x):
        back, _ = dataflow.feedback([0.0])
        return added(x, back)

    with pytest.raises(GraphError, match="never fed"):
        dataflow.graph(f, x=np.float64)


def test_peeking_less_than_consuming():
    with pytest.raises(weft.ArgumentError, match="peek=2"):
        dataflow.actor(consumes=4, peek=2)(lambda b: b)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: dataflow.graph(lambda x: x + 1, x=float), "a graph only connects streams"),
        (lambda: dataflow.graph(lambda x: inverse(x)), "has the inputs x"),
        (lambda: dataflow.graph(lambda x: inverse(x), y=float), "has the inputs x"),
        (lambda: dataflow.graph(lambda x: 3, x=float), "returns int"),
        (lambda: dataflow.graph(lambda x: None, x=float), "returns no stream"),
        (lambda: dataflow.graph(lambda x, y: inverse(x), x=float, y=float), "the input y is not used"),
        (lambda: dataflow.graph(lambda x: added(x, 2.0), x=float), "takes the streams a, b"),
        (lambda: dataflow.graph(lambda x: dataflow.join(x, x, weights=(1,)), x=float), "1 weights for 2 streams"),
        (lambda: dataflow.graph(lambda x: inverse(x) if x else x, x=float), "does not depend on its tokens"),
        (lambda: dataflow.delay(3, [0.0]), "takes a stream, not int"),
        (lambda: dataflow.feedback(), "there is no graph here"),
    ],
)
def test_graphs_that_are_refused(make, words):
    with pytest.raises((weft.Error, TypeError)) as caught:
        make()
    assert words in str(caught.value)


def test_first_tokens_of_another_type():
    with pytest.raises(GraphError, match="the first tokens of x -> "):
        dataflow.graph(lambda x: inverse(dataflow.delay(x, [1j])), x=np.float64)


# --------------------------------------------------------------------------------------------------------- batches


def test_the_first_batch_is_small():
    assert batching.periods([], 100) == batching.FIRST


def test_memory_bounds_a_batch():
    assert batching.periods([(1, 1e-5)], 1 << 20, memory=3 << 20) == 3
    assert batching.periods([], 1 << 30) == 1


def test_short_periods_run_together():
    short, long = (batching.periods([(100, batching.OVERHEAD + 100 * each)], 8) for each in (1e-8, 1e-4))
    assert short > 1000 and long <= 19


def test_latency_bounds_a_batch():
    assert batching.periods([(100, batching.OVERHEAD + 100e-5)], 8, latency=1e-4) < 10
