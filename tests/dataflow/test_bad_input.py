"""Tokens, options, rates and results that cannot be: each is refused in the user's words, and nothing is lost."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft import dataflow
from weft.dataflow import ActorError, GraphError, StreamError


@dataflow.actor
def plus(a, b):
    return a + b


@dataflow.actor(consumes=2, produces=1)
def mean(pair):
    return (pair[0] + pair[1]) / 2


@dataflow.actor(peek=3)
def smooth(window):
    return window[0] + window[1] + window[2]


def of(function, **types):
    return dataflow.graph(function, **(types or {"x": np.float64}))


def said(error):
    return "\n".join([str(error.value), *getattr(error.value, "__notes__", ())])


# ---------------------------------------------------------------------------------------------------- first tokens


@pytest.mark.parametrize(
    ("dtype", "token"), [(np.int8, 300), (np.uint8, -1), (np.int32, 2**40), (np.int64, 0.5), (np.float64, 1j)]
)
def test_first_tokens_that_the_stream_does_not_hold(dtype, token):
    with pytest.raises(GraphError, match="is among the first tokens of x -> output_1"):
        of(lambda x: dataflow.delay(x, [token]), x=dtype)


def test_first_tokens_take_the_type_of_the_stream():
    graph = of(lambda x: dataflow.delay(x, [200, 1]), x=np.uint8)
    assert graph.collect(np.array([5], np.uint8)).tolist() == [200, 1, 5][:1]
    assert graph.dtype_out(0) == np.uint8


@pytest.mark.parametrize("initial", [[[1.0, 2.0]], "a", None])
def test_first_tokens_that_are_none(initial):
    with pytest.raises(weft.ArgumentError, match="no sequence of tokens"):
        of(lambda x: dataflow.delay(x, initial))


def test_tokens_that_come_round_with_a_wider_type():
    @dataflow.actor
    def wider(x):
        return x * np.int16(300)

    def loop(x):
        back, feed = dataflow.feedback(np.int8([1]))
        y = plus(x, back)
        feed(wider(y))
        return y

    graph = of(loop, x=np.int8)
    assert graph.dtype_out(0) == np.int16
    wanted, last = [], np.int16(1)
    for x in np.arange(9, dtype=np.int8):
        wanted.append(x + last)
        with np.errstate(over="ignore"):
            last = wanted[-1] * np.int16(300)
    assert graph.collect(np.arange(9, dtype=np.int8)).tolist() == wanted


# --------------------------------------------------------------------------------------------------------- sources


@pytest.mark.parametrize("source", [[1, 2], (1.0, 2), [[1], [2.0]], iter([True, 2])])
def test_lists_of_numbers_take_the_type_of_the_stream(source):
    got = of(lambda x: plus(x, x), x=np.float32).collect(source)
    assert got.tolist() == [2.0, 4.0] and got.dtype == np.float32


@pytest.mark.parametrize(("numbers", "first"), [([1, 300], 300), ([-2, 1], -2)])
def test_lists_with_a_number_that_does_not_fit(numbers, first):
    with pytest.raises(StreamError, match=f"the token {first} does not fit into a stream of uint8"):
        of(lambda x: plus(x, x), x=np.uint8).collect(numbers)


@pytest.mark.parametrize("numbers", [[1.5], [1j], [np.float64(1.0)], "12"])
def test_lists_of_another_type(numbers):
    with pytest.raises(StreamError, match="are pushed into a stream of int64"):
        of(lambda x: plus(x, x), x=np.int64).collect(numbers)


def test_bytes_are_tokens_of_uint8():
    graph = of(lambda x: plus(x, x), x=np.uint8)
    assert graph.collect([b"ab", bytearray(b"c")]).tolist() == [194, 196, 198]
    with pytest.raises(StreamError, match="bytes are pushed into a stream of float64"):
        of(lambda x: mean(x)).collect(b"0123456701234567")


def test_what_is_no_source():
    with pytest.raises(StreamError, match="a source is no NoneType"):
        of(lambda x: mean(x)).collect(None)


@pytest.mark.parametrize("given", ["nonsense", np.dtype("U3"), object])
def test_what_is_no_type_of_tokens(given):
    with pytest.raises(weft.ArgumentError, match="no type of tokens"):
        of(lambda x: mean(x), x=given)


@pytest.mark.parametrize(
    "compute", [lambda x: x + 1, lambda x: x[0], lambda x: np.sqrt(x), lambda x: np.ones(3) * x, lambda x: -x]
)
def test_graphs_that_compute(compute):
    with pytest.raises(GraphError, match="a graph only connects streams"):
        of(compute)


@pytest.mark.parametrize(
    "function", [lambda x: dataflow.split(x, ((1, 2), 1)), lambda x: dataflow.join(x, x, weights=((1, 2), 1))]
)
def test_weights_that_change(function):
    with pytest.raises(weft.ArgumentError, match="is no weight"):
        of(function)


# -------------------------------------------------------------------------------------------------------- the ends


LONG, SHORT = np.arange(8.0), np.arange(2.0)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (LONG, SHORT, "the stream y ends before x: 4 tokens of x are left"),
        (SHORT, LONG, "the stream x ends before y: 7 tokens of y are left"),
        (LONG[:5], SHORT, "the stream x ends in the middle of a period: 1 tokens are left, and a period takes 2"),
    ],
)
def test_streams_that_end_at_different_times(x, y, words):
    with pytest.raises(StreamError) as caught:
        of(lambda x, y: plus(mean(x), y), x=np.float64, y=np.float64).collect(x, y)
    assert words in str(caught.value)


@pytest.mark.parametrize(("x", "y"), [(LONG, SHORT), (SHORT, LONG), (LONG[:5], SHORT), (LONG[:0], SHORT)])
def test_the_shorter_stream_is_padded(x, y):
    got = of(lambda x, y: plus(mean(x), y), x=np.float64, y=np.float64).collect(x, y, tail="pad")
    count = max((len(x) + 1) // 2, len(y))
    x, y = np.pad(x, (0, 2 * count - len(x))), np.pad(y, (0, count - len(y)))
    assert got.tolist() == ((x[::2] + x[1::2]) / 2 + y).tolist()


def test_streams_that_end_before_the_windows_are_full():
    with pytest.raises(StreamError, match="2 tokens are left, and the first period takes 3"):
        of(lambda x: smooth(x)).collect(np.ones(2))


@pytest.mark.parametrize("count", [-1, 1.5])
def test_counts_that_are_none(count):
    with of(lambda x: mean(x)).start() as run:
        run.push(np.arange(4.0))
        with pytest.raises(weft.ArgumentError, match="count="):
            run.outputs[0].pop(count)
        with pytest.raises(weft.ArgumentError, match="count="):
            run.outputs[0].try_pop(count)
        assert run.pop().tolist() == [0.5, 2.5]


@pytest.mark.parametrize(
    "option", [{"capacity": -1}, {"capacity": 1.5}, {"latency": -1}, {"latency": "a"}, {"memory": 0}]
)
def test_options_that_are_none(option):
    (name,) = option
    with pytest.raises(weft.ArgumentError, match=f"{name}="):
        of(lambda x: mean(x)).start(**option)


# ---------------------------------------------------------------------------------------------------------- actors


def test_integers_of_host_actors_keep_their_value():
    @dataflow.actor(device="python", dtype=np.int8)
    def counted(x):
        return int(x)

    graph = of(lambda x: counted(x))
    assert graph.collect(np.array([-128.0, 127.0])).tolist() == [-128, 127]
    with pytest.raises(ActorError, match="counted returned int64, and its output 1 is a stream of int8"):
        graph.collect(np.array([1.0, 128.0]))


def loop(x):
    @dataflow.actor
    def sums(x, before):
        if before > 20.0:
            raise RuntimeError("too much")
        return x + before

    back, feed = dataflow.feedback([0.0])
    y = sums(x, back)
    feed(y)
    return y


def phases(x):
    @dataflow.actor(consumes=(1, 2), produces=(1, 1))
    def uneven(block):
        if block[0] == 7.0:
            raise RuntimeError("seven")
        return block[:1]

    return uneven(x)


def window(x):
    @dataflow.actor(peek=3)
    def watched(w):
        if w[2] == 7.0:
            raise RuntimeError("seven")
        return w[0]

    return watched(plus(x, dataflow.delay(x, [0.0])))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (loop, "in firing 7 of the actor sums"),
        (phases, "in firing 5 of the actor uneven"),
        (window, "in firing 2 of the actor watched"),
    ],
)
@pytest.mark.parametrize("cut", [24, 3])
def test_an_exception_names_the_firing(function, words, cut):
    tokens = np.arange(24.0)
    with pytest.raises(RuntimeError) as caught:
        of(function).collect(tokens[k : k + cut] for k in range(0, 24, cut))
    assert words in said(caught)


def test_results_of_another_length_name_the_firing_and_the_actor():
    @dataflow.actor(consumes=4, produces=2)
    def chosen(block):
        return block[block > 1.0]

    with pytest.raises(ActorError) as caught:
        of(lambda x: chosen(x)).collect(np.arange(4.0) + 4 * (k == 2) for k in range(4))
    assert "chosen returned 4 tokens for output 1 in firing 2, and says that it produces 2" in said(caught)
    assert "test_bad_input.py" in said(caught)


# ----------------------------------------------------------------------------------------------------------- rates


def test_the_fix_names_the_input_of_an_actor():
    def f(x):
        a, b = dataflow.split(x, (1, 2))
        return plus(a, b)

    with pytest.raises(GraphError) as caught:
        of(f)
    assert "split -> plus (a)" in said(caught)
    assert "let plus consume 2 of b" in said(caught)


def test_an_actor_that_is_used_twice_is_not_the_fix():
    with pytest.raises(GraphError, match="do not agree") as caught:
        of(lambda x: plus(mean(mean(x)), plus(x, mean(x))))
    assert "let mean" not in said(caught)
