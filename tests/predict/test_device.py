"""Predictions for devices with memory of their own: what kernels ask as they are laid out, and the model over it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import weft
from weft.compile.store import Store, key_of
from weft.cost import fitting, machine_file, model
from weft.cost.device.amounts import amounts_of
from weft.cost.figures import DeviceRates, device_estimates
from weft.cost.fitting import Point
from weft.cost.machine_file import DeviceFigures, MachineFile
from weft.cost.speed import estimated
from weft.evaluation import device_calibrating
from weft.evaluation.evaluate import evaluate
from weft.machine.device_suite import FAMILIES
from weft.machine.facts import Facts
from weft.report.predict import device_demand_for
from weft.runtime import machines

H100 = Facts(
    "cuda", "NVIDIA H100 80GB HBM3", "CUDA 12.4", 132, 85_000_000_000, "sm_90", 1024, 32, 232448, 4096, 1_980_000_000,
    True, False, 50 << 20,
)  # fmt: skip
"""A device that is not here."""

KERNELS = {kernel.name: kernel for family in FAMILIES.values() for kernel in family}


def demand_of(function, *args):
    return device_demand_for(function, "cuda", H100, *args)[0]


def seconds(function, *args):
    demand, leaves = device_demand_for(function, "cuda", H100, *args)
    return model.nanoseconds(amounts_of(demand, H100), DeviceRates(device_estimates()), leaves)


def copied(u, v):
    for i in range(u.shape[0]):
        v[i] = u[i]


def apart(u, v):
    for i in range(v.shape[0]):
        v[i] = u[8 * i]


def gathered(u, k, v):
    for i in range(v.shape[0]):
        v[i] = u[k[i]]


def stepped(u, v, steps):
    for _ in range(steps):
        for i in range(u.shape[0]):
            v[i] = u[i] * 0.5
        u, v = v, u


def remainders(u, v, n):
    for i in range(v.shape[0]):
        v[i] = u[i * 3 % n]


def eliminated(a):
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            for j in range(k + 1, n):
                a[i, j] = a[i, j] - factor * a[k, j]


def guarded(u, v):
    for i in range(u.shape[0]):
        if u[i] > 0.5:
            v[i] = np.exp(u[i])


def test_a_copy_loads_and_stores_every_element_once():
    n = 1 << 16
    (launch,) = demand_of(copied, np.zeros(n, np.float32), np.zeros(n, np.float32)).launches
    assert launch.times == 1
    assert launch.count.all["global.load"] * 4 == n  # vectors of four
    assert launch.count.all["global.store"] * 4 == n
    assert sum(access.l2 for access in launch.accesses) == pytest.approx(8 * n, rel=0.01)


def test_elements_apart_bring_whole_sectors():
    n = 1 << 14
    (launch,) = demand_of(apart, np.zeros(8 * n, np.float32), np.zeros(n, np.float32)).launches
    load = next(access for access in launch.accesses if access.mode == "load")
    assert load.sectors == 32


def test_indices_that_are_at_hand_say_what_is_read():
    n = 1 << 14
    u, v = np.zeros(n, np.float32), np.zeros(n, np.float32)
    near, far = np.arange(n), np.random.default_rng(0).permutation(n)
    sectors = [
        next(a for a in demand_of(gathered, u, k, v).launches[0].accesses if a.array == "u").sectors
        for k in (near, far)
    ]
    assert sectors[0] < 10 < sectors[1]


def test_launches_in_a_loop_of_the_host_count_as_often():
    u = np.zeros(1 << 10, np.float32)
    (launch,) = demand_of(stepped, u, u.copy(), 37).launches
    assert launch.times == 37


def test_divisions_of_integers_are_told_from_others():
    n = 1 << 12
    (launch,) = demand_of(remainders, np.zeros(n, np.float32), np.zeros(n, np.float32), n - 1).launches
    assert launch.count.all["remainder32"] == n


def test_both_sides_of_a_branch_run_in_warps_whose_threads_differ():
    n = 1 << 12
    mixed = np.arange(n, dtype=np.float32) % 2
    in_order = np.sort(mixed)
    alike, apart_ = (
        demand_of(guarded, u, np.zeros(n, np.float32)).launches[0].count.all["exp32"] for u in (in_order, mixed)
    )
    assert alike == pytest.approx(n / 2, rel=0.05)
    assert apart_ == n


def test_arrays_that_are_there_are_not_copied():
    u = np.zeros(1 << 12, np.float32)
    specialisation, _, leaves = weft.jit(copied, device="cpu").examine(u, u.copy())
    from weft.runtime.counting.demands import device_demand_of

    here = device_demand_of(specialisation, leaves, "cuda", H100, {}, [True, True])
    there = device_demand_of(specialisation, leaves, "cuda", H100, {}, [True, True], there=True)
    assert sum(size for _, size, _ in here.copies) == 2 * u.nbytes
    assert not there.copies


def recurrences(u, v):
    for i in range(u.shape[0]):
        for k in range(1, u.shape[1]):
            v[i, k] = 0.5 * v[i, k - 1] + u[i, k]


def one_row(u, v):
    n = u.shape[1]
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            v[i, j] = u[5, 7 * j % n]


def checked(u, v, local):
    for i in range(u.shape[0]):
        v[i] = u[i] + local[7 * int(v[i])]


def in_order(u, v):
    for i in range(1, u.shape[0]):
        v[i] = 0.5 * v[i - 1] + u[i]


def rows_in_order(u, v):
    for k in range(u.shape[0]):
        for i in range(1, u.shape[1]):
            v[i] = 0.5 * v[i - 1] + u[k, i]


def on_device(function, *args):
    from weft.runtime.counting.demands import device_demand_of

    specialisation, _, leaves = weft.jit(function, device="cpu").examine(*args)
    return device_demand_of(specialisation, leaves, "cuda", H100, {}, [True] * len(leaves), there=True)


def test_few_places_that_many_threads_read_are_few_bytes():
    u, v = np.zeros((1 << 12, 1 << 10), np.float32), np.zeros((1 << 12, 1 << 10), np.float32)
    assert demand_of(one_row, u, v).touched < 1.1 * v.nbytes


def test_arrays_that_a_fault_would_spoil_are_saved():
    u = np.zeros(1 << 12, np.float32)
    assert on_device(checked, u, u.copy(), np.zeros(128, np.float32)).saved == [u.nbytes]
    assert on_device(copied, u, u.copy()).saved == []


def test_what_the_host_changes_goes_home_and_back():
    u = np.zeros(1 << 6, np.float32)
    homes = on_device(in_order, u, u.copy()).homes
    assert [inwards for inwards, _, _ in homes] == [False, True]
    assert {size for _, size, _ in homes} == {u.nbytes}


def normalised(x, y):
    n, c, s = x.shape
    for k in range(c):
        mean = 0.0
        for i in range(n):
            for j in range(s):
                mean += x[i, k, j]
        mean /= n * s
        for i in range(n):
            for j in range(s):
                y[i, k, j] = x[i, k, j] - mean


def test_of_two_ways_the_one_with_kernels_is_predicted():
    x = np.zeros((32, 8, 64), np.float32)
    found = on_device(normalised, x, x.copy())
    assert found.launches
    assert not found.homes


def test_what_stays_at_home_in_a_loop_goes_home_once():
    u = np.zeros((40, 1 << 6), np.float32)
    homes = on_device(rows_in_order, u, u[0].copy()).homes
    assert [(inwards, times) for inwards, _, times in homes] == [(False, 1.0), (True, 1.0)]


def test_loads_behind_stores_of_the_same_thread_are_waited_for():
    u = np.zeros((256, 256), np.float32)
    (launch,) = demand_of(recurrences, u, u.copy()).launches
    assert launch.count.each["tested"] >= 255
    assert demand_of(copied, u[0], u[1]).launches[0].count.each.get("tested", 0.0) < 1


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_every_program_of_the_suite_has_a_demand(name):
    kernel = KERNELS[name]
    assert seconds(kernel.function, *kernel.arguments(min(kernel.sizes))) > 0


def test_more_elements_take_longer():
    times = [seconds(copied, np.zeros(n, np.float32), np.zeros(n, np.float32)) for n in (1 << 12, 1 << 20, 1 << 26)]
    assert times == sorted(times)
    assert times[2] > 10 * times[1]


def test_no_prediction_is_below_the_highest_rate_of_memory():
    n = 1 << 26
    assert 1e-9 * seconds(copied, np.zeros(n, np.float32), np.zeros(n, np.float32)) > 8 * n / 3.9e12


def test_the_fit_finds_a_device_with_made_up_figures():
    truth = {name: value * (1.5 if name not in fitting.EXPONENTS else 1.0) for name, value in
             device_estimates().values.items()}  # fmt: skip
    points = []
    for name in ("copy", "sum of two", "fill", "few f4", "one kernel", "4 in a row", "16 in a row"):
        kernel = KERNELS[name]
        for size in kernel.sizes[:3]:
            demand, leaves = device_demand_for(kernel.function, "cuda", H100, *kernel.arguments(size))
            amounts = amounts_of(demand, H100)
            rates = DeviceRates(dataclasses.replace(device_estimates(), values=truth))
            points.append(Point(name, amounts, leaves, model.nanoseconds(amounts, rates, leaves)))
    start = DeviceRates(device_estimates())
    found = fitting.fit(points, {name: start[name] for name in fitting.names_in(points)})
    rates = DeviceRates(dataclasses.replace(device_estimates(), values={**device_estimates().values, **found}))
    for point in points:
        assert model.nanoseconds(point.amounts, rates, point.arguments) == pytest.approx(point.nanoseconds, rel=0.1)


@pytest.fixture
def elsewhere(tmp_path):
    """A machine file with a GPU."""
    figures = dataclasses.replace(device_estimates(), date="2026-11-27")
    machine = MachineFile(
        "elsewhere", machines.here().cpu, {"cuda": estimated("cuda", H100)}, {"cuda": DeviceFigures(H100, figures)}
    )
    machine_file.save(machine, tmp_path / "machine.json")
    return str(tmp_path / "machine.json")


def test_a_machine_file_predicts_for_a_gpu_that_is_not_here(elsewhere):
    u = weft.spec(1 << 20, "f4")
    forecast = weft.predict(stepped, u, u, 10, device="cuda", machine=elsewhere)
    kernel = next(part for part in forecast.parts if part.what == "kernel")
    assert (kernel.count, kernel.line) == (10, forecast.parts[-2].line)
    low, high = forecast.interval
    assert low < forecast.seconds < high
    assert "measured on 2026-11-27" in forecast["cuda"].basis
    assert machine_file.load(elsewhere).loops["cuda"].facts == H100


def test_figures_that_are_not_measured_are_estimates(elsewhere):
    whole = machine_file.load(elsewhere)
    guess = DeviceFigures(H100, device_estimates())
    machine_file.save(dataclasses.replace(whole, loops={"cuda": guess}), elsewhere)
    u = weft.spec(1 << 20, "f4")
    assert "estimates" in weft.predict(copied, u, u, device="cuda", machine=elsewhere)["cuda"].basis


@pytest.mark.opencl
def test_a_device_is_calibrated_and_evaluated(monkeypatch):
    kept = {}
    monkeypatch.setattr(machines, "keep_device", lambda device, figures: kept.update({device: figures}))
    monkeypatch.setattr(device_calibrating, "FAMILIES", {"memory": (KERNELS["fill"],)})
    figures = device_calibrating.calibrate_device("opencl", 10.0, anyway=True, mixtures=0)
    assert kept["opencl"] == figures
    assert figures.figures.measured
    assert figures.figures.residuals
    found = evaluate("restricted", 1, [256, 4096], device="opencl")
    assert [sample.size for sample in found.samples] == [256, 4096]
    assert all(sample.low < sample.predicted < sample.high for sample in found.samples)
    assert all(sample.measured > 0 and min(sample.features) > 0 for sample in found.samples)


def test_figures_of_a_device_are_stored(tmp_path):
    store = Store(tmp_path)
    figures = {"cuda": DeviceFigures(H100, device_estimates())}
    store.put("figures", key_of("kernels"), figures)
    assert store.get("figures", key_of("kernels")) == figures


def test_numbers_that_are_called_like_an_array_that_a_kernel_writes():
    assert seconds(eliminated, np.zeros((500, 500), np.float32)) > 0


def until_small(u, v):
    error, n = np.float32(1.0), 0
    while error > 0.0 and n < 10:
        error = np.float32(0.0)
        for i in range(u.shape[0]):
            error += u[i]
        for i in range(u.shape[0]):
            v[i] = 0.5 * u[i]
        n += 1


def scattered(u, p, v):
    for i in range(u.shape[0]):
        v[p[i]] = u[i]


def strided(u, v):
    for i in range(v.shape[0]):
        v[i] = u[32 * i]


def hyperbolic(u, v):
    for i in range(u.shape[0]):
        v[i] = np.tanh(u[i])


def test_what_a_round_launches_counts_as_often_as_rounds_are_assumed():
    u = np.zeros(1 << 12, np.float32)
    found = on_device(until_small, u, u.copy())
    assert {launch.times for launch in found.launches} == {16.0}
    assert found.waits >= 16


def test_copies_within_a_device_do_not_cross_the_bus():
    u = np.zeros(1 << 16, np.float32)
    found = on_device(scattered, u, np.arange(u.size), u.copy())
    assert not [size for _, size, _ in found.copies if size > u.size]
    assert 8.0 * u.size in found.saved


def test_elements_that_are_apart_take_whole_lines_of_the_cache():
    n = 1 << 12
    found = demand_of(strided, np.zeros(32 * n, np.float32), np.zeros(n, np.float32))
    assert found.touched == pytest.approx(n * 128 + n * 4, rel=0.1)


def test_a_hyperbolic_function_is_an_exponential_and_a_division():
    u = np.zeros(1 << 12, np.float32)
    count = demand_of(hyperbolic, u, u.copy()).launches[0].count.all
    assert count["exp32"] == count["division32"] == u.size
    assert "pow32" not in count
