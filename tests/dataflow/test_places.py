"""Which device each actor of a graph gets: costs with copies, decisions, and results of graphs on two devices."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from tests.predict.test_device import H100
from weft import dataflow
from weft.cost import machine_file
from weft.cost.figures import device_estimates
from weft.cost.machine_file import DeviceFigures, MachineFile
from weft.cost.speed import estimated
from weft.dataflow.running import engine, places
from weft.dataflow.running.forecast import Timed
from weft.dataflow.running.places import HOST, Costs, Crossing, Placement, cheapest, cost
from weft.runtime import machines


@dataflow.actor(consumes=4096, produces=1)
def first_two(block):
    return block[0] + block[1]


@dataflow.actor
def long_work(v):
    for _ in range(20000):
        v = v * 0.999 + 0.1
    return v


@dataflow.actor(state=0.0)
def in_order(x, s):
    s = s * 0.5 + x if x > s else x * s
    return s, s


@dataflow.actor
def squared(x):
    return x * x


def copy(device, size, inwards):
    return 1.0 + size + (0.5 if inwards else 0.0)


def test_copies_are_counted_once_for_each_device():
    seconds = [{"cpu": 5.0, "a": 1.0}, {"cpu": 5.0, "b": 1.0}, {"cpu": 5.0, "b": 2.0}]
    crossings = [Crossing(HOST, (0,), 10.0), Crossing(0, (1, 2), 4.0), Crossing(2, (HOST,), 1.0)]
    costs = Costs(seconds, {"cpu": 0.25, "a": 2.0, "b": 4.0}, crossings, copy)
    assert cost(["cpu", "cpu", "cpu"], costs) == 15.25
    assert cost(["a", "b", "b"], costs) == (1 + 1 + 2) + (2 + 4) + (11.5 + 5 + 5.5 + 2)
    assert cost(["cpu", "cpu", "b"], costs) == 12 + 4.25 + 5.5 + 2


def test_what_is_found_is_no_worse_than_one_device_and_mostly_the_best():
    random = np.random.default_rng(0)
    found = []
    for _ in range(40):
        count = int(random.integers(1, 6))
        seconds = [{"cpu": random.random() * 9, "a": random.random() * 3} for _ in range(count)]
        crossings = [Crossing(k - 1, (k if k < count else HOST,), random.random()) for k in range(count + 1)]
        costs = Costs(seconds, {"a": 0.5}, crossings, copy)
        devices, least = cheapest(costs)
        assert least == cost(devices, costs)
        assert least <= min(cost([name] * count, costs) for name in ("cpu", "a"))
        best = min(cost(names, costs) for names in itertools.product(("cpu", "a"), repeat=count))
        found.append(least == pytest.approx(best))
    assert sum(found) > 30


@pytest.fixture
def elsewhere(tmp_path):
    """A machine with a GPU, all of whose figures were measured."""
    figures = dataclasses.replace(device_estimates(), date="2026-11-27")
    cpu = dataclasses.replace(machines.here().cpu, date="2026-11-27")
    gpu = DeviceFigures(H100, figures)
    path = tmp_path / "machine.json"
    machine_file.save(MachineFile("elsewhere", cpu, {"cuda": estimated("cuda", H100)}, {"cuda": gpu}), path)
    return str(path)


def test_devices_of_actors_follow_from_costs(elsewhere, monkeypatch):
    def devices(function, device="auto"):
        found = places.placement(dataflow.graph(function, device=device, x=np.float64), elsewhere)
        return found and {node.name: device for node, device in found.devices.items()}

    assert devices(lambda x: long_work(in_order(first_two(x)))) == {"long_work": "cuda"}
    assert devices(lambda x: long_work(first_two(x))) == {"long_work": "cuda"}
    assert devices(lambda x: in_order(squared(x))) is None
    assert devices(lambda x: long_work(first_two(x)), "cpu") is None
    monkeypatch.setattr(engine, "placement", lambda graph: places.placement(graph, elsewhere))
    g = dataflow.graph(lambda x: long_work(squared(first_two(x))), device="auto", x=np.float64)
    rows = {line.split()[0]: line.split() for line in str(g).splitlines()[2:6]}
    assert rows["first_two"][4] == "cpu" and rows["squared"][4:] == ["cpu", "with", "first_two"]
    assert rows["long_work"][4] == "cuda"
    assert "cuda" in g.draw()
    forecast = g.forecast()
    assert sum(forecast.actors.values()) < forecast.seconds
    assert forecast.of("squared") == forecast.of("first_two") < forecast.of("long_work")


@pytest.mark.opencl
@pytest.mark.filterwarnings("ignore")
def test_a_graph_on_two_devices_gives_the_same(monkeypatch):
    def f(x):
        back, feed = dataflow.feedback([0.0, 0.0])
        a = squared(x)
        b = squared(dataflow.delay(a, [0.5]))
        s = in_order(b)
        y = dataflow.actor(lambda p, q: p + q * 0.25)(s, back)
        feed(squared(y))
        return squared(squared(b)), y

    x = np.random.default_rng(1).random(50)
    wanted = dataflow.graph(f, x=np.float64).collect(x)

    def some(graph):
        where = {node: "opencl" for node in graph.network.nodes if node.name in ("squared_2", "in_order", "squared_4")}
        return Placement(where, Timed(1.0, {}), Timed(2.0, {}))

    monkeypatch.setattr(engine, "placement", some)
    graph = dataflow.graph(f, device="auto", x=np.float64)
    assert graph.source.count("with device('opencl')") == 2  # neighbours share a loop
    for got, plain in zip(graph.collect(x), wanted):
        np.testing.assert_array_equal(got, plain)
