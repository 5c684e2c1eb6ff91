"""Graphs against plain NumPy: rates, delays, states, splits and joins, windows, host actors, subgraphs."""

from __future__ import annotations

import asyncio
import io
import threading
from xml.etree import ElementTree

import numpy as np
import pytest

import weft
from weft import dataflow

random = np.random.default_rng(3)
X = random.standard_normal(96)


@dataflow.actor(consumes=8, produces=8)
def turned(block):
    out = np.empty(8)
    for k in range(8):
        out[k] = block[7 - k]
    return out


@dataflow.actor
def squared(x):
    return x * x


@dataflow.actor
def added(a, b):
    return a + b


@dataflow.actor(consumes=8, produces=1)
def highest(block):
    best = 0
    for k in range(1, 8):
        if block[k] > block[best]:
            best = k
    return best


@dataflow.actor(state=0.0)
def running(x, total):
    return total + x, total + x


@dataflow.actor(peek=4)
def smooth(window):
    return (window[0] + window[1] + window[2] + window[3]) / 4.0


def test_outside_of_a_graph_an_actor_is_its_function():
    assert squared(3.0) == 9.0


def test_a_map():
    g = dataflow.graph(lambda x: squared(x), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), X * X)


def test_fan_out_and_several_outputs():
    def f(x):
        y = squared(turned(x))
        return y, highest(y)

    y, k = dataflow.graph(f, x=np.float64).collect(X)
    wanted = X.reshape(-1, 8)[:, ::-1] ** 2
    np.testing.assert_array_equal(y, wanted.ravel())
    np.testing.assert_array_equal(k, wanted.argmax(1))
    assert k.dtype == np.int64


def test_several_inputs():
    g = dataflow.graph(lambda a, b: added(a, squared(b)), a=np.float64, b=np.float32)
    b = X.astype(np.float32)
    np.testing.assert_array_equal(g.collect(X, b=b), X + b * b)


def test_a_delay():
    g = dataflow.graph(lambda x: added(x, dataflow.delay(x, [5.0, 6.0])), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), X + np.concatenate([[5.0, 6.0], X[:-2]]))


def test_a_delay_before_the_end():
    g = dataflow.graph(lambda x: dataflow.delay(squared(x), [1.0, 2.0, 3.0]), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), np.concatenate([[1.0, 2.0, 3.0], X[:-3] ** 2]))


def test_a_state():
    g = dataflow.graph(lambda x: running(x), x=np.float64)
    np.testing.assert_allclose(g.collect(X), np.cumsum(X), rtol=1e-12)


def test_a_state_of_several_parts():
    @dataflow.actor(state=(0, np.zeros(3)))
    def last_three(x, state):
        k, ring = state
        ring[k % 3] = x
        return ring[0] + ring[1] + ring[2], (k + 1, ring)

    g = dataflow.graph(lambda x: last_three(x), x=np.float64)
    p = np.concatenate([[0, 0], X])
    np.testing.assert_allclose(g.collect(X), p[:-2] + p[1:-1] + p[2:], rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(g.collect(X[:1]), X[:1])  # each run starts anew


def test_a_state_takes_the_type_that_it_gets():
    @dataflow.actor(state=0)
    def mean(x, total):
        return total + x, total + x * 0.5

    g = dataflow.graph(lambda x: mean(x), x=np.float64)
    np.testing.assert_allclose(g.collect(X), X + np.concatenate([[0], np.cumsum(X[:-1] * 0.5)]))


def test_numbers_of_python_adapt_to_the_stream():
    """A state and first tokens that are Python's numbers do what they do in plain Python."""
    total = dataflow.actor(lambda x, s: (s + x, s + x), state=0)
    mean = dataflow.actor(lambda x, before: 0.5 * x + 0.25 * before)
    blocks = dataflow.actor(lambda x, before: x + before, consumes=2, produces=2)
    modulus = dataflow.actor(lambda x, s: (s, s * 1000003 % 999999937), state=1)

    def loop(actor, first):
        def f(x):
            back, feed = dataflow.feedback(first)
            y = actor(x, back)
            feed(y)
            return y

        return f

    for dtype in (np.int8, np.uint16, np.float32, np.float64, np.complex64):
        x = np.full(40, 7, dtype)
        got = dataflow.graph(lambda x: total(x), x=dtype).collect(x)
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, np.cumsum(x, dtype=dtype))
    x = np.arange(8, dtype=np.float32)
    assert dataflow.graph(loop(mean, [0]), x=np.float32).collect(x).dtype == np.float32
    assert dataflow.graph(loop(blocks, [0.0, 1.0]), x=np.float32).collect(x).tolist() == [0, 2, 2, 5, 6, 10, 12, 17]
    assert dataflow.graph(loop(blocks, [0.5, 0]), x=np.int16).collect(x.astype(np.int16)).dtype == np.float64
    assert dataflow.graph(loop(mean, np.zeros(1)), x=np.float32).collect(x).dtype == np.float64
    run = dataflow.graph(lambda x: modulus(x), x=np.float64)
    s, wanted = 1, []
    for _ in range(40):
        wanted.append(s)
        s = s * 1000003 % 999999937
    assert run.collect(np.zeros(40)).tolist() == wanted
    large = dataflow.actor(lambda x, s: (s % 1000, s * 1000003), state=1)
    with pytest.raises(OverflowError):
        dataflow.graph(lambda x: large(x), x=np.float64).collect(np.zeros(9))


def test_windows_that_overlap():
    g = dataflow.graph(lambda x: smooth(squared(x)), x=np.float64)
    y = X * X
    np.testing.assert_allclose(g.collect(X), (y[:-3] + y[1:-2] + y[2:-1] + y[3:]) / 4.0, rtol=1e-15)


def test_windows_behind_other_rates():
    @dataflow.actor(consumes=2, produces=3)
    def stretched(pair):
        out = np.empty(3)
        out[0] = pair[0]
        out[1] = (pair[0] + pair[1]) / 2.0
        out[2] = pair[1]
        return out

    @dataflow.actor(consumes=3, peek=10)
    def total(window):
        s = 0.0
        for k in range(10):
            s += window[k]
        return s

    g = dataflow.graph(lambda x: total(stretched(x)), x=np.float64)
    pairs = X.reshape(-1, 2)
    y = np.stack([pairs[:, 0], pairs.mean(1), pairs[:, 1]], 1).ravel()
    wanted = [y[k : k + 10].sum() for k in range(0, len(y) - 9, 3)]
    np.testing.assert_allclose(g.collect(X), wanted, rtol=1e-12)


def test_a_feedback():
    @dataflow.actor
    def echo(x, back):
        return x + back * 0.5

    def f(x):
        back, feed = dataflow.feedback([0.0, 0.0, 0.0])
        y = echo(x, back)
        feed(y)
        return y

    wanted = X.copy()
    for k in range(3, 96):
        wanted[k] += wanted[k - 3] * 0.5
    np.testing.assert_allclose(dataflow.graph(f, x=np.float64).collect(X), wanted, rtol=1e-14)


def test_a_cycle_of_several_rates():
    @dataflow.actor(consumes=[2, 1], produces=2)
    def mixed(pair, back):
        out = np.empty(2)
        out[0] = pair[0] + back
        out[1] = pair[1] - back
        return out

    @dataflow.actor(consumes=4, produces=2)
    def halves(block):
        out = np.empty(2)
        out[0] = (block[0] + block[1]) * 0.25
        out[1] = (block[2] - block[3]) * 0.25
        return out

    def f(x):
        back, feed = dataflow.feedback([1.0, 2.0])
        y = mixed(x, back)
        feed(halves(y))
        return y

    g = dataflow.graph(f, x=np.float64)
    assert g.repetitions == {"mixed": 2, "halves": 1}
    back, wanted = [1.0, 2.0], []
    for k in range(0, 96, 4):
        rows = [X[k] + back[0], X[k + 1] - back[0], X[k + 2] + back[1], X[k + 3] - back[1]]
        back = [(rows[0] + rows[1]) * 0.25, (rows[2] - rows[3]) * 0.25]
        wanted += rows
    np.testing.assert_allclose(g.collect(X), wanted, rtol=1e-14)


def test_split_and_join():
    def f(x):
        a, b = dataflow.split(x, (1, 3))
        return dataflow.join(squared(a), b, weights=(1, 3))

    wanted = X.copy()
    wanted[::4] **= 2
    np.testing.assert_array_equal(dataflow.graph(f, x=np.float64).collect(X), wanted)


def test_join_in_another_order():
    def f(x):
        a, b = dataflow.split(x)
        return dataflow.join(b, a)

    np.testing.assert_array_equal(dataflow.graph(f, x=np.float64).collect(X), X.reshape(-1, 2)[:, ::-1].ravel())


def test_cyclo_static_rates():
    @dataflow.actor(consumes=(1, 3), produces=(2, 1))
    def uneven(block):
        if len(block) == 1:
            out = np.empty(2)
            out[0] = block[0]
            out[1] = -block[0]
            return out
        one = np.empty(1)
        one[0] = block[0] + block[1] + block[2]
        return one

    g = dataflow.graph(lambda x: uneven(x), x=np.float64)
    assert g.repetitions == {"uneven": 2}
    rows = X.reshape(-1, 4)
    wanted = np.stack([rows[:, 0], -rows[:, 0], rows[:, 1] + rows[:, 2] + rows[:, 3]], 1).ravel()
    np.testing.assert_allclose(g.collect(X), wanted, rtol=1e-15)


def test_several_outputs_with_rates_of_their_own():
    @dataflow.actor(consumes=4, produces=[1, 2])
    def taken_apart(block):
        pair = np.empty(2)
        pair[0] = block[1]
        pair[1] = block[2]
        return block[0], pair

    g = dataflow.graph(lambda x: taken_apart(x), x=np.float64)
    a, b = g.collect(X)
    np.testing.assert_array_equal(a, X[::4])
    np.testing.assert_array_equal(b, X.reshape(-1, 4)[:, 1:3].ravel())


def test_host_actors_between():
    log = []

    @dataflow.actor(device="python")
    def noted(x):
        log.append(float(x))
        return x + 1

    @dataflow.actor(consumes=4, produces=2, device="python", dtype=np.int32)
    def chosen(block):
        return np.argsort(block)[:2].astype(np.int32)

    g = dataflow.graph(lambda x: chosen(noted(squared(x))), x=np.float64)
    got = g.collect(X)
    assert got.dtype == np.int32
    np.testing.assert_array_equal(got, np.argsort((X * X + 1).reshape(-1, 4), axis=1)[:, :2].ravel())
    assert log == (X * X).tolist()


def test_a_host_actor_with_any_state():
    @dataflow.actor(device="python", state={}, dtype=np.int64)
    def seen(x, known):
        known = {**known, int(x): known.get(int(x), 0) + 1}
        return known[int(x)], known

    g = dataflow.graph(lambda x: seen(x), x=np.int64)
    assert g.collect(np.array([1, 2, 1, 1, 2])).tolist() == [1, 1, 2, 3, 2]
    assert g.collect(np.array([1, 1])).tolist() == [1, 2]


def test_each_run_has_a_state_of_its_own():
    first = []

    @dataflow.actor(device="python", state=first)
    def counted(x, seen):
        seen.append(x)
        return float(len(seen)), seen

    g = dataflow.graph(lambda x: counted(x), x=np.float64)
    runs = [g.start() for _ in range(2)]
    for _ in range(3):
        for run in runs:
            run.push(1.0)
    assert [run.pop().tolist() for run in runs] == [[1.0, 2.0, 3.0]] * 2
    assert g.collect(np.ones(2)).tolist() == [1.0, 2.0]
    assert first == []


def test_a_state_that_cannot_be_copied_is_shared():
    file = io.StringIO()
    lock = threading.Lock()

    @dataflow.actor(device="python", state=(file, lock), produces=[])
    def written(x, state):
        with state[1]:
            state[0].write(f"{x:g};")
        return state

    def f(x):
        written(x)

    list(dataflow.graph(f, x=np.float64)(np.arange(3.0)))
    assert file.getvalue() == "0;1;2;"


def test_a_host_actor_without_outputs():
    log = []

    @dataflow.actor(produces=[], device="python")
    def kept(x):
        log.append(int(x))

    def f(x):
        kept(x)

    list(dataflow.graph(f, x=np.int64)(np.arange(5)))
    assert log == [0, 1, 2, 3, 4]


def test_a_host_actor_in_a_cycle():
    @dataflow.actor(device="python")
    def decided(x, back):
        return x + 2 * back

    def f(x):
        back, feed = dataflow.feedback([1.0])
        y = decided(x, back)
        feed(y)
        return y

    wanted, last = [], 1.0
    for x in X[:10]:
        last = x + 2 * last
        wanted.append(last)
    np.testing.assert_allclose(dataflow.graph(f, x=np.float64).collect(X[:10]), wanted)


def test_a_host_actor_with_phases_in_a_cycle():
    @dataflow.actor(consumes=[(1, 2), (2, 1)], produces=(2, 1), device="python")
    def decided(block, back):
        if len(block) == 1:
            return np.array([block[0] + back[0], block[0] - back[1]])
        return np.array([block[0] * block[1] + back[0]])

    def f(x):
        back, feed = dataflow.feedback([1.0, 2.0, 3.0])
        y = decided(x, back)
        feed(y)
        return y

    back, wanted = [1.0, 2.0, 3.0], []
    for a, b, c in X[:30].reshape(-1, 3):
        rows = [a + back[0], a - back[1], b * c + back[2]]
        wanted += rows
        back = rows
    np.testing.assert_allclose(dataflow.graph(f, x=np.float64).collect(X[:30]), wanted)


def test_subgraphs():
    def energy(x):
        return squared(turned(x))

    inner = dataflow.graph(energy, x=np.float64)
    g = dataflow.graph(lambda x: added(energy(x), inner(x)), x=np.float64)
    assert g.repetitions == {"turned": 1, "squared": 8, "turned_2": 1, "squared_2": 8, "added": 8}
    np.testing.assert_array_equal(g.collect(X), 2 * X.reshape(-1, 8)[:, ::-1].ravel() ** 2)


def test_an_actor_calls_compiled_functions_and_patterns():
    @weft.jit
    def helped(x):
        return x + 1.0

    @dataflow.actor(consumes=4, produces=4)
    def sorted_blocks(block):
        return weft.sort(weft.map(helped, block))

    g = dataflow.graph(lambda x: sorted_blocks(x), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), np.sort((X + 1).reshape(-1, 4)).ravel())


def test_captured_numbers_are_read_anew():
    factor = 2.0

    @dataflow.actor
    def scaled(x):
        return x * factor

    g = dataflow.graph(lambda x: scaled(x), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), X * 2)
    factor = 3.0
    np.testing.assert_array_equal(g.collect(X), X * 3)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.float32, np.complex64, np.bool_])
def test_types_of_tokens(dtype):
    @dataflow.actor
    def same(x):
        return x

    a = np.arange(10).astype(dtype)
    got = dataflow.graph(lambda x: same(x), x=dtype).collect(a)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, a)


# ---------------------------------------------------------------------------------------------------------- sources


@pytest.fixture(scope="module")
def pairs():
    @dataflow.actor(consumes=2, produces=1)
    def mean(pair):
        return (pair[0] + pair[1]) / 2.0

    return dataflow.graph(lambda x: mean(x), x=np.float64)


WANTED = (X[::2] + X[1::2]) / 2.0


@pytest.mark.parametrize(
    "source",
    [
        lambda: X,
        lambda: iter(X),
        lambda: X.tolist(),
        lambda: iter([X[:5], X[5:6], X[6:]]),
        lambda: io.BytesIO(X.tobytes()),
        lambda: (x for x in X.reshape(-1, 3)),
        lambda: np.repeat(X, 2)[::2],
    ],
)
def test_sources(pairs, source):
    np.testing.assert_array_equal(pairs.collect(source()), WANTED)


def test_an_async_source(pairs):
    async def source():
        for x in X.reshape(-1, 3):
            await asyncio.sleep(0)
            yield x

    async def main():
        return [block async for block in pairs(source())]

    np.testing.assert_array_equal(np.concatenate(asyncio.run(main())), WANTED)


def test_nothing_gives_nothing(pairs):
    assert pairs.collect(X[:0]).shape == (0,)


def test_results_come_while_the_source_goes_on(pairs):
    def endless():
        while True:
            yield np.array([1.0, 3.0])

    blocks = pairs(endless())
    assert [next(blocks).tolist() for _ in range(3)] == [[2.0]] * 3


# ------------------------------------------------------------------------------------------------------------ texts


def test_a_graph_says_what_it_is(pairs):
    text = str(dataflow.graph(lambda x: highest(squared(turned(x))), x=np.float64))
    assert "turned" in text and "1        8         8" in text
    assert "turned -> squared: float64, at most 8 tokens" in text
    assert "a period adds" in text


def test_the_program_is_one_function(pairs):
    assert "for firing_of_mean in range(n):" in pairs.source
    assert pairs.source.count("def ") == 1


def test_firings_are_parallel(pairs):
    compiled = pairs.programs.run_steady
    assert "parallel" in compiled.inspect(4, 1, X[:8], np.empty(4)).ir


def test_neighbours_fire_in_one_loop():
    def f(x):
        y = squared(x)
        return added(squared(y), y), y

    g = dataflow.graph(f, x=np.float64)
    assert g.source.count("for ") == 1
    assert "fire in one loop: squared, squared_2, added" in str(g)
    a, b = g.collect(X)
    np.testing.assert_array_equal(b, X * X)
    np.testing.assert_array_equal(a, (X * X) ** 2 + X * X)


def test_blocks_are_handed_over_in_one_loop():
    g = dataflow.graph(lambda x: highest(turned(turned(x))), x=np.float64)
    assert g.source.count("for firing") == 1
    np.testing.assert_array_equal(g.collect(X), X.reshape(-1, 8).argmax(1))


def test_what_is_delayed_or_deals_with_state_fires_alone():
    def f(x):
        y = squared(x)
        return added(y, dataflow.delay(y, [1.0])), running(y), smooth(y)

    g = dataflow.graph(f, x=np.float64)
    assert g.source.count("for firing") == 4
    y = X * X
    a, b, c = g.collect(X)
    np.testing.assert_array_equal(a, (y + np.concatenate([[1.0], y[:-1]]))[: len(a)])
    np.testing.assert_allclose(b, np.cumsum(y)[: len(b)], rtol=1e-12)
    np.testing.assert_allclose(c, ((y[:-3] + y[1:-2] + y[2:-1] + y[3:]) / 4)[: len(c)], rtol=1e-15)


def test_a_node_does_not_join_a_loop_before_one_that_it_needs():
    def f(x):
        a = squared(x)
        total = running(a)
        return added(a, squared(total))

    y = X * X
    np.testing.assert_allclose(dataflow.graph(f, x=np.float64).collect(X), y + np.cumsum(y) ** 2, rtol=1e-12)


def test_the_picture_is_svg():
    def f(x):
        back, feed = dataflow.feedback([0.0])
        y = added(x, back)
        feed(y)
        return y

    picture = dataflow.graph(f, x=np.float64).draw()
    root = ElementTree.fromstring(picture)
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "added" in texts and "1 : 1" in texts
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) == 3


@dataflow.actor(peek=3, state=0.0)
def summed(window, total):
    return total + window[0], total + window[0]


def test_a_running_sum_over_windows():
    """Elements of a part of an array are no lanes."""
    graph = dataflow.graph(lambda x: summed(dataflow.delay(x, [1.0])), x=np.float64)
    x = np.arange(1000.0)
    np.testing.assert_array_equal(graph.collect(x), np.cumsum(np.concatenate([[1.0], x]))[:-2])


def test_a_forecast_without_running(pairs):
    forecast = pairs.forecast()
    assert forecast.periods > 0 and forecast.seconds > 0
    assert forecast.rates.keys() == pairs.inputs.keys()
    assert pairs.forecast(memory=1).periods == 1
    assert f"a batch of {forecast.periods} periods" in str(forecast)
    assert "predicted: a batch of" in str(pairs)


def test_a_forecast_says_which_actors_it_leaves_out():
    @dataflow.actor(device="python")
    def same(x):
        return x

    assert "us, without same: x " in str(dataflow.graph(lambda x: same(x), x=np.float64))

    @dataflow.actor(consumes=4, produces=4)
    def spectrum(block):
        return np.fft.fft(block)

    assert dataflow.graph(lambda x: spectrum(x), x=np.float64).forecast().without == ("numpy.fft.fft",)


def test_the_time_of_each_actor():
    @dataflow.actor(consumes=2, produces=1)
    def first(pair):
        return pair[0]

    @dataflow.actor(device="python")
    def same(x):
        return x

    graph = dataflow.graph(lambda x: (summed(x), same(first(x))), x=np.float64)
    times = graph.profile(np.arange(2002.0))
    assert times.periods == 1000
    assert times.of("summed").firings == {"summed": 2000}
    assert times.of("same").firings == {"same": 1000}
    assert times.of("same").seconds > 0
    assert "1000 periods" in str(times) and "ns a firing" in str(times)
    assert "%" in graph.draw(times) and "%" not in graph.draw()


def test_a_profile_gives_the_same_failures(pairs):
    with pytest.raises(weft.ArgumentError, match="takes the inputs"):
        pairs.profile()


def test_a_simulation_is_a_table(pairs):
    found = pairs.simulate(3)
    assert found.order == [("x", 6), ("mean", 3), ("output_1", 3)]
    assert found.most == {"x -> mean": 6, "mean -> output_1": 3}
    assert "3 x mean" in str(found)


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_a_graph_through_opencl():
    def f(x):
        y = squared(turned(x))
        return y, highest(y)

    y, k = dataflow.graph(f, device="opencl", x=np.float64).collect(X)
    wanted = X.reshape(-1, 8)[:, ::-1] ** 2
    np.testing.assert_array_equal(y, wanted.ravel())
    np.testing.assert_array_equal(k, wanted.argmax(1))


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_blocks_have_known_lengths():
    """Arrays that an actor makes of its block fit into a thread then; else the host launches kernels for each one."""

    @dataflow.actor(consumes=8, produces=8)
    def mirrored(b):
        return b * 2.0 + b[::-1]

    @dataflow.actor(consumes=8, produces=8)
    def steps(b):
        out = np.empty(len(b))
        for i in range(len(b)):
            out[i] = b[i] - b[(i + 1) % len(b)]
        return out

    for actor in (mirrored, steps):
        graph = dataflow.graph(lambda x: actor(x), device="opencl", x=np.float64)
        wanted = np.concatenate([actor(row) for row in X.reshape(-1, 8)])
        np.testing.assert_array_equal(graph.collect(X), wanted)
        with weft.device("opencl"):
            places = weft.explain(graph.programs.run_steady, 12, 1, X, np.empty(96)).placement
        assert {place.device for place in places} == {"opencl"}


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_an_actor_names_its_device():
    @dataflow.actor(device="opencl")
    def doubled(x):
        return x + x

    g = dataflow.graph(lambda x: squared(doubled(x)), x=np.float64)
    np.testing.assert_array_equal(g.collect(X), 4 * X * X)


@pytest.mark.parametrize(
    ("state", "dtype", "firing"),
    [
        (300, np.int8, lambda x, s: (s + x, s + x)),
        (2**53 + 1, np.float64, lambda x, s: (s % 2, s + x)),
        (5, np.float64, lambda x, s: (s, x > 0.5)),
        (1e300, np.float32, lambda x, s: (s + x, s + x)),
    ],
)
def test_a_first_state_that_later_ones_cannot_be_is_refused(state, dtype, firing):
    actor = dataflow.actor(firing, state=state)
    with pytest.raises(dataflow.ActorError, match=r"starts as .* after a firing it is \w+, which does not hold"):
        dataflow.graph(lambda x: actor(x), x=dtype)
