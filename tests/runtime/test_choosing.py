"""`device="auto"`: the fastest device by figures, once for a class of sizes; here the figures are made up."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import weft
from weft.cost.speed import Speed, estimated
from weft.errors import DeviceError, UnsupportedError
from weft.machine.facts import Facts
from weft.runtime import _stub, machines
from weft.runtime.counting.demands import demand_of, device_demand_of
from weft.runtime.devices import accelerators, calibration, speeds
from weft.runtime.dispatch import choosing
from weft.runtime.dispatch.choosing import smallest
from weft.runtime.forecasting import on_kernels, on_processor

LARGE, SMALL = 1 << 16, 1 << 6


def line(least, rate):
    return tuple((2.0**k, least + 2.0**k / rate) for k in range(4, 33, 2))


def made_up(device, call, rate, description="", driver=""):
    """Figures of a device with a fixed time for a call and a rate of all else."""
    return Speed(device, description, driver, "2026-01-01", call, line(0.0, rate), line(0.0, rate))


def of(device, call, rate):
    """The same for a device that is there."""
    _, description, driver, _ = accelerators.identity(device)
    return made_up(device, call, rate, description, driver)


@pytest.fixture
def figures(monkeypatch):
    """Sets the figures of the machine for a test."""

    def use(*found):
        monkeypatch.setattr(speeds, "known", lambda: {speed.device: speed for speed in found})
        monkeypatch.setattr(choosing, "_made", {})
        monkeypatch.setattr(choosing, "_gone", {})

    use()
    return use


def make_scaled():
    """A new function each time, whose content is the same."""

    @weft.jit
    def scaled(a, b):
        for i in range(a.shape[0]):
            b[i] = 3.0 * a[i]

    return scaled


def device_of(function, *args):
    return weft.explain(function, *args).device


def pair(n):
    return np.arange(float(n)), np.zeros(n)


# ------------------------------------------------------------------------------------------------- without devices


def test_without_figures_calls_run_on_the_processor(figures):
    scaled = make_scaled()
    report = weft.explain(scaled, *pair(LARGE))
    assert report.device == "cpu"
    assert report.choice == choosing.ALONE
    assert not report.notes


def test_a_named_device_is_no_choice(figures):
    @weft.jit(device="cpu")
    def scaled(a):
        for i in range(a.shape[0]):
            a[i] = 3.0 * a[i]

    assert weft.explain(scaled, np.ones(3)).choice is None


def test_numbers_of_a_class_differ_by_a_quarter_at_most():
    numbers = [*range(70), 2**20 - 1, 2**20, 2**20 + 1, 5 * 2**18, 2**62, 2**63 - 1]
    for a in numbers:
        assert smallest(a) <= a <= 1.25 * smallest(a)
        for b in numbers:
            assert (_stub.size_class((a,)) == _stub.size_class((b,))) == (smallest(a) == smallest(b))


def test_a_class_is_that_of_extents_and_integers():
    a = np.ones((10, 1000))
    assert _stub.size_class((a, 3, 2.5)) == _stub.size_class((np.ones((11, 1001)), np.int64(3), 7.5))
    assert _stub.size_class((a, 3)) != _stub.size_class((a, 4))
    assert _stub.size_class((a,)) != _stub.size_class((a[:, :500],))
    assert _stub.size_class((-1,)) == _stub.size_class((-1000,))
    with pytest.raises(TypeError, match="a tuple of at most 64"):
        _stub.size_class([a])


def test_where_coherent_arrays_are_belongs_to_the_class():
    a = weft.zeros(100)
    before = _stub.size_class((a,))
    a[0] = 1
    assert _stub.size_class((a,)) != before
    assert _stub.size_class((a,)) == _stub.size_class((weft.array(np.ones(101)),))


def test_a_device_that_is_not_there_falls_to_the_processor(figures):
    figures(made_up("cpu", 1e-6, 1e9), made_up("cuda:7", 1e-9, 1e15))
    scaled = make_scaled()
    a, b = pair(LARGE)
    scaled(a, b)
    np.testing.assert_array_equal(b, 3 * a)
    report = weft.explain(scaled, a, b)
    assert report.device == "cpu"
    assert "cuda:7 cannot be used" in report.choice.reason
    assert f"runs on cpu: {report.choice.reason}" in report.notes


def test_short_calls_look_for_no_device(figures, monkeypatch):
    def refuse(*_):
        raise AssertionError("a device was looked for")

    figures(made_up("cpu", 1e-6, 1e9), made_up("cuda:7", 1e-5, 1e15))
    monkeypatch.setattr(accelerators, "open_device", refuse)
    monkeypatch.setattr(speeds, "estimates", refuse)
    report = weft.explain(make_scaled(), *pair(SMALL))
    assert (report.device, report.choice.reason) == ("cpu", "a call on a device takes longer than all of this one")


def test_a_gpu_that_was_not_measured_is_for_large_work_only(figures, monkeypatch):
    facts = Facts("cuda", "a GPU", "CUDA 13000", 132, 1 << 37, "sm_90", 1024, 32, 1 << 17, 4096, 1_980_000_000)
    monkeypatch.setattr(speeds, "has_driver", lambda: True)
    monkeypatch.setattr(speeds, "estimates", lambda: (estimated("cuda:7", facts),))
    asked = []

    def check(device):
        asked.append(device)
        raise DeviceError("it is made up")

    monkeypatch.setattr(choosing, "check_device", check)

    @weft.jit
    def worked(a, steps):
        for _ in range(steps):
            for i in range(a.shape[0]):
                a[i] = 0.5 * a[i] + 1.0

    a = np.ones(1 << 10, np.float32)
    worked(a, 10)
    assert not asked
    report = weft.explain(worked, np.ones(1 << 24, np.float32), 10000)
    assert asked == ["cuda:7"]
    assert (report.device, report.choice.reason) == ("cpu", "cuda:7 cannot be used: it is made up")


def test_figures_are_kept_for_the_processes_that_follow(own_store):
    speeds.known.cache_clear()
    assert not speeds.known()
    gpu = made_up("cuda", 1e-5, 1e12)
    speeds.store(gpu)
    assert not speeds.known()  # nothing to compare it with
    cpu = speeds.processor()
    speeds.store(made_up("cpu", 1e-6, 1e9, cpu.description, cpu.driver))
    assert speeds.known()["cuda"] == gpu
    speeds.store(made_up("cpu", 1e-6, 1e9, "another processor", cpu.driver))
    assert not speeds.known()
    speeds.known.cache_clear()


@pytest.mark.sample(0)
def test_the_processor_is_measured(own_store):
    speed = calibration.measure("cpu", (256, 1024), (32, 256))
    assert speed.measured and speed.call > 0 and speed.sequential > 0
    assert [size for size, _ in speed.memory] == [12 * 256, 12 * 1024]
    assert [size for size, _ in speed.arithmetic] == [32, 256]
    assert all(cost > 0 for cost in speed.costs.values())
    assert speeds.processor() == speed
    speeds.known.cache_clear()


# ------------------------------------------------------------------------------------------------- on PoCL


@pytest.fixture
def pocl(figures):
    """A processor of 1 GB/s, and an OpenCL device that is said to be fast but to take 10 us for a call."""
    figures(made_up("cpu", 1e-6, 1e9), of("opencl", 1e-5, 1e12))
    return figures


@pytest.mark.opencl
def test_large_calls_take_the_device_and_small_ones_do_not(pocl):
    scaled = make_scaled()
    sizes = {n: device_of(scaled, weft.zeros(n), weft.zeros(n)) for n in (SMALL, LARGE)}
    assert sizes == {SMALL: "cpu", LARGE: "opencl"}
    for n in (SMALL, LARGE, SMALL, LARGE):
        a, b = map(weft.array, pair(n))
        scaled(a, b)
        assert b.where == (("opencl",) if n == LARGE else ("host",))
        np.testing.assert_array_equal(b, 3 * np.asarray(a))


@pytest.mark.opencl
def test_a_device_that_is_the_processor_again_is_not_taken_for_nothing(figures):
    cpu = made_up("cpu", 1e-6, 1e9)
    figures(cpu, of("opencl", 1e-5, 1.01e9))
    assert device_of(make_scaled(), weft.zeros(LARGE), weft.zeros(LARGE)) == "cpu"
    figures(cpu, of("opencl", 1e-5, 2e9))
    assert device_of(make_scaled(), weft.zeros(LARGE), weft.zeros(LARGE)) == "opencl"


@pytest.mark.opencl
def test_equal_calls_do_not_ask_python_again(pocl, monkeypatch):
    scaled = make_scaled()
    calls = [pair(SMALL), tuple(map(weft.array, pair(LARGE)))]
    for _ in range(2):  # the first one moves coherent arrays
        for call in calls:
            scaled(*call)

    def refuse(*_):
        raise AssertionError("Python was asked")

    monkeypatch.setattr(type(scaled), "_miss", refuse)
    for call in calls:
        scaled(*call)
    with pytest.raises(AssertionError, match="Python was asked"):
        scaled(*pair(2 * SMALL))


@pytest.mark.opencl
def test_a_choice_stays_though_figures_change(pocl, monkeypatch):
    scaled = make_scaled()
    arrays = weft.zeros(LARGE), weft.zeros(LARGE)
    assert device_of(scaled, *arrays) == "opencl"
    monkeypatch.setattr(speeds, "known", lambda: {"cpu": made_up("cpu", 1e-6, 1e15), "opencl": of("opencl", 1, 1)})
    assert device_of(scaled, *arrays) == "opencl"
    assert device_of(make_scaled(), *arrays) == "opencl"  # the same content
    assert device_of(scaled, weft.zeros(2 * LARGE), weft.zeros(2 * LARGE)) == "cpu"


@pytest.mark.opencl
def test_arrays_that_are_on_a_device_weigh_it(figures):
    n = 1 << 12
    figures(made_up("cpu", 1e-6, 5e9), of("opencl", 1.4e-5, 1e12))
    scaled = make_scaled()
    a, b = map(weft.array, pair(n))
    assert device_of(scaled, a, b) == "cpu"
    with weft.device("opencl"):
        scaled(a, b)
        scaled(b, a)
    assert a.where == b.where == ("opencl",)
    assert device_of(scaled, a, b) == "opencl"


@pytest.mark.opencl
def test_a_device_block_and_the_decorator_come_first(pocl):
    scaled = make_scaled()
    arrays = weft.zeros(LARGE), weft.zeros(LARGE)
    with weft.device("cpu"):
        assert device_of(scaled, *arrays) == "cpu"
        with weft.device("auto"):
            assert device_of(scaled, *arrays) == "opencl"
    assert device_of(weft.jit(scaled, device="cpu"), *arrays) == "cpu"


@pytest.mark.opencl
def test_a_call_in_a_device_block_first_takes_the_short_way_later(figures, monkeypatch):
    scaled = make_scaled()
    a, b = pair(SMALL)
    with weft.device("cpu"):
        scaled(a, b)
    scaled(a, b)
    monkeypatch.setattr(type(scaled), "_miss", None)
    scaled(a, b)


@pytest.mark.opencl
def test_what_a_device_refuses_runs_on_the_processor(pocl, monkeypatch):
    def refuse(*_):
        raise UnsupportedError("it is too strange")

    monkeypatch.setattr(accelerators, "place", refuse)

    @weft.jit
    def doubled(a):
        for i in range(a.shape[0]):
            a[i] = 2.0 * a[i] + 1e-300

    a = weft.array(np.ones(LARGE))
    doubled(a)
    assert a.where == ("host",)
    report = weft.explain(doubled, a)
    assert (report.device, report.choice.reason) == ("cpu", "opencl refused: it is too strange")


@pytest.mark.opencl
def test_loops_that_the_host_runs_are_no_reason_for_a_warning(pocl):
    @weft.jit
    def both(a, b):
        for i in range(1, 8):
            a[i] = 3.7 * a[i - 1] * (1.0 - a[i - 1])
        for i in range(b.shape[0]):
            b[i] = 2.0 * b[i]

    with warnings.catch_warnings():
        warnings.simplefilter("error", weft.WeftWarning)
        both(np.full(8, 0.5), b := weft.array(np.ones(1 << 20)))
    assert b.where == ("opencl",)


@pytest.mark.opencl
def test_figures_of_another_driver_do_not_count(figures):
    figures(made_up("cpu", 1e-6, 1e9), made_up("opencl", 1e-5, 1e12, "what was there before", "1.0"))
    report = weft.explain(make_scaled(), weft.zeros(LARGE), weft.zeros(LARGE))
    assert report.device == "cpu"
    assert "measured as what was there before, 1.0" in report.choice.reason


@pytest.mark.opencl
def test_explain_shows_what_was_predicted(pocl):
    report = weft.explain(make_scaled(), weft.zeros(LARGE), weft.zeros(LARGE))
    cpu, opencl = report.choice.predictions
    assert (cpu.device, opencl.device) == ("cpu", "opencl")
    assert cpu.seconds > opencl.seconds == pytest.approx(opencl.copies + opencl.kernels + opencl.host + 1e-5)
    text = str(report)
    assert "What was predicted" in text and "measured" in text
    assert "times as fast as the processor" in text


@pytest.mark.opencl
def test_explain_says_what_arrays_of_numpy_cost(figures):
    scaled = weft.jit(make_scaled(), device="opencl")
    plain = weft.explain(scaled, *pair(LARGE)).notes
    assert plain == (
        "of the NumPy arrays, at most 512.0 KiB go to opencl and 512.0 KiB come back in every call; "
        "arrays of weft.array stay there",
    )
    assert not weft.explain(scaled, *map(weft.array, pair(LARGE))).notes


@pytest.mark.opencl
def test_loops_that_run_at_once_choose_too(pocl):
    a = weft.zeros(LARGE)

    @weft.parallel_for(LARGE)
    def fill(i):
        a[i] = i

    assert a.where == ("opencl",)
    assert a[LARGE - 1] == LARGE - 1


def potential(x, y):
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            total += 1.0 / math.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + 0.0001)
    return total


def test_kernels_of_long_calls_are_counted_as_they_are_laid_out(figures, monkeypatch):
    """The outline sees one nest whose points all run at once; the kernels fold rows, and then the rows' sums."""
    gpu = Facts("cuda", "NVIDIA H200", "", 132, 1 << 37, "sm_90", 1024, 32, 232448, 4096, 1980000000, cache=60 << 20)
    monkeypatch.setattr(accelerators, "facts_of", lambda name: gpu)
    speed = made_up("cuda", 1e-5, 1e11, gpu.description, gpu.driver)
    figures(of("cpu", 1e-6, 1e9), speed)
    x = np.zeros(1 << 13, np.float32)
    specialisation, _, leaves = weft.jit(potential, device="cpu").examine(x, x)
    cpu, cuda = choosing.choice_of(specialisation, leaves).predictions
    kernels, here, known = machines.kernels_of("cuda"), machines.here().cpu, [True, True]
    demand = device_demand_of(specialisation, leaves, "cuda", kernels.facts, {}, known)
    assert len(demand.launches) > 1
    assert cuda.seconds == pytest.approx(on_kernels(demand, "cuda", kernels, here, 2, speed=speed).seconds)
    assert cpu.seconds == pytest.approx(on_processor(demand_of(specialisation, leaves, {}, known), here, 2).seconds)
