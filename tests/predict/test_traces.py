"""Predictions for a GPU that is not here, compared with times that were measured on it: the gate of the model.

`python -m benchmarks.device_fit --gate` wrote `h200.json`. It has figures that were fitted to the suite and to the seen
half of the random programs, and the times of two samples of the other half. The times are medians of single calls whose
arrays were on the device, measured by `python -m benchmarks.device_traces`. The authors of the model's rules had looked
at the programs of `known`, and not at those of `fresh`.

The times belong to the kernels of that day. A pass that changes kernels makes new measurements necessary, as
`benchmarks/records/prediction.md` describes. Until then, programs whose kernels are others now are under `outdated`:
``restricted-4020``, a nested sum that may raise, which 64 threads computed, and now two kernels by rows.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from weft.cost.machine_file import DeviceFigures, from_data
from weft.evaluation.statistics import NEAR
from weft.machine.suite.programs import generate
from weft.report.predict import device_demand_for
from weft.runtime import machines
from weft.runtime.forecasting import on_kernels

TRACES = json.loads((Path(__file__).parent / "h200.json").read_text(encoding="utf-8"))


SAMPLES = [f"{sample} {which}" for sample in ("known", "fresh") for which in ("restricted", "unrestricted")]


@cache
def quotients(sample: str) -> list[tuple[float, bool]]:
    """Predicted over measured, and whether the interval holds the time, of a sample of a set."""
    when, which = sample.split()
    device: DeviceFigures = from_data(TRACES["device"])
    found = []
    for name, sizes in TRACES[when].items():
        if not name.startswith(f"{which}-"):
            continue
        program = generate(which, int(name.partition("-")[2]))
        assert not program.is_seen
        for size, measured in sizes:
            demand, leaves = device_demand_for(program.function(), "cuda", device.facts, *program.arguments(size))
            forecast = on_kernels(demand, "cuda", device, machines.here().cpu, leaves)
            low, high = forecast.interval
            found.append((forecast.seconds / measured, low <= measured <= high))
    return found


def test_almost_all_times_are_of_the_present_kernels():
    """No more programs are set aside than a new measurement was waited for."""
    assert sum(map(len, TRACES.get("outdated", {}).values())) <= 1


@pytest.mark.parametrize("sample", SAMPLES)
def test_programs_that_nothing_was_fitted_to_are_predicted(sample):
    ratios = np.array([ratio for ratio, _ in quotients(sample)])
    gate = TRACES["gate"][sample]
    assert np.mean(np.abs(ratios - 1) <= NEAR) >= gate["near"]
    assert ratios.std() <= gate["deviation"]
    assert gate["median"][0] <= np.median(ratios) <= gate["median"][1]


@pytest.mark.parametrize("sample", SAMPLES)
def test_intervals_hold_what_was_measured(sample):
    assert np.mean([inside for _, inside in quotients(sample)]) >= TRACES["gate"][sample]["inside"]
