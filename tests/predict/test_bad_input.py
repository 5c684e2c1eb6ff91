"""What `weft.predict` and `weft.spec` refuse, and in which words; never a number without its basis."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import weft
from weft.cost import machine_file
from weft.cost.figures import device_estimates
from weft.cost.machine_file import DeviceFigures, MachineFile
from weft.cost.speed import estimated
from weft.report import predict as predicting
from weft.runtime import machines

from .test_device import H100


def rounds(u, limit):
    for i in range(u.shape[0]):
        x = u[i]
        while x < limit:
            x += 1.0
        u[i] = x


LOOP = f"line {rounds.__code__.co_firstlineno + 1}"
ROUNDS = f"line {rounds.__code__.co_firstlineno + 3}"
U = weft.spec(100, "f8")


@pytest.fixture(autouse=True)
def fresh():
    """Nothing is remembered of which devices are here."""
    predicting._facts_here.cache_clear()
    yield
    predicting._facts_here.cache_clear()


@pytest.fixture
def write(tmp_path):
    """Writes a machine file with a GPU whose figures were measured, or not."""

    def written(measured=True):
        figures = dataclasses.replace(device_estimates(), date="2026-11-27" if measured else "")
        cpu = dataclasses.replace(machines.here().cpu, date="2026-11-27")
        machine = MachineFile(
            "elsewhere", cpu, {"cuda": estimated("cuda", H100)}, {"cuda": DeviceFigures(H100, figures)}
        )
        machine_file.save(machine, tmp_path / "machine.json")
        return str(tmp_path / "machine.json")

    return written


@pytest.mark.parametrize(
    ("device", "text"),
    [
        ("gpu", "there is no device 'gpu'"),
        (3, "3 is no device whose calls are predicted"),
        (("cpu", "cuda"), "loops that several devices share are not predicted"),
        ("interpreter", "the interpreter's time is not predicted"),
    ],
)
def test_a_device_that_cannot_be_predicted(device, text):
    with pytest.raises((weft.ArgumentError, weft.DeviceError), match=text):
        weft.predict(rounds, U, 2.0, device=device)


@pytest.mark.parametrize(
    "trips", [{ROUNDS: "40"}, {ROUNDS: True}, {ROUNDS: float("inf")}, {ROUNDS: float("nan")}, {ROUNDS: -1}, {5: 4}]
)
def test_trips_are_numbers_of_lines(trips):
    with pytest.raises(weft.ArgumentError, match=r"trips has .*\n.*\n.*a number for a line"):
        weft.predict(rounds, U, 2.0, device="cpu", trips=trips)


def test_trips_are_a_mapping():
    with pytest.raises(weft.ArgumentError, match="trips is of the type list"):
        weft.predict(rounds, U, 2.0, device="cpu", trips=[(ROUNDS, 40)])


@pytest.mark.parametrize("place", [LOOP, "line 1"])
def test_trips_that_say_nothing_are_named(place):
    forecast = weft.predict(rounds, U, 2.0, device="cpu", trips={place: 4, ROUNDS: 3})
    assert f"{ROUNDS}: the loop runs 3 times, as was said" in forecast.assumptions
    assert f"{place}: no loop or condition there is counted by trips" in forecast.assumptions
    assert not any(text.startswith(f"{ROUNDS}: no loop") for text in forecast.assumptions)


def test_a_loop_that_is_left_takes_what_was_said():
    def first(u):
        found = -1
        for i in range(u.shape[0]):
            if u[i] > 0.5:
                found = i
                break
        return found

    line = f"line {first.__code__.co_firstlineno + 2}"
    forecast = weft.predict(first, weft.spec(1000, "f8"), device="cpu", trips={line: 10})
    assert not any("counted by trips" in text for text in forecast.assumptions)


@pytest.mark.parametrize("machine", [3, "", ["machine.json"]])
def test_a_machine_file_has_a_name(machine):
    with pytest.raises(weft.ArgumentError, match="names no file"):
        weft.predict(rounds, U, 2.0, machine=machine)


@pytest.mark.parametrize("shape", [-1, (2.5,), "abc", True, (3, True), 2.5, (1,) * 65, None, (-1, 3)])
def test_what_is_no_shape(shape):
    with pytest.raises(weft.ArgumentError, match="is no shape"):
        weft.spec(shape, "f4")


@pytest.mark.parametrize("dtype", [object, np.dtype([("a", "O")])])
def test_a_dtype_of_objects(dtype):
    with pytest.raises(weft.ArgumentError, match="are not supported"):
        weft.spec(10, dtype)


def test_figures_of_a_device_under_another_driver_are_a_warning(write, monkeypatch):
    path = write()
    here = dataclasses.replace(H100, driver="CUDA 99")
    monkeypatch.setattr(predicting, "_facts_here", lambda device: here)
    with pytest.warns(weft.WeftWarning, match=r"W010.*measured under CUDA 12.4; cuda has CUDA 99 here"):
        weft.predict(rounds, U, 2.0, machine=path)
    with pytest.raises(weft.ArgumentError, match="strict=True refuses figures of another driver"):
        weft.predict(rounds, U, 2.0, machine=path, strict=True)


def test_figures_of_another_device_are_no_warning(write, monkeypatch, recwarn):
    here = dataclasses.replace(H100, driver="CUDA 99", description="another GPU")
    monkeypatch.setattr(predicting, "_facts_here", lambda device: here)
    weft.predict(rounds, U, 2.0, machine=write())
    assert not recwarn.list


def test_strict_refuses_estimates_of_the_device_that_is_named(write):
    path = write(measured=False)
    with pytest.raises(weft.ArgumentError, match="there are no measured figures of 'cuda'"):
        weft.predict(rounds, U, 2.0, machine=path, device="cuda", strict=True)
    assert weft.predict(rounds, U, 2.0, machine=path, device="cpu", strict=True).seconds > 0
    path = write(measured=True)
    assert weft.predict(rounds, U, 2.0, machine=path, device="cuda", strict=True).seconds > 0


def test_every_forecast_names_its_basis(write):
    forecast = weft.predict(rounds, U, 2.0, machine=write(measured=False))
    assert all(each.basis for each in forecast.devices)
    assert "estimates" in forecast["cuda"].basis
