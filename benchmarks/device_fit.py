"""The command `python -m benchmarks.device_fit`: fit figures of a device to times of `benchmarks.device_traces`.

It needs no device. It counts the demands of the programs, fits the figures to the suite and to the seen half of the
random programs, and compares predictions for both halves with the measured times.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.device_traces import Job, jobs
from weft.cost.device.amounts import amounts_of
from weft.cost.device.walk import DeviceDemand
from weft.cost.figures import Figures
from weft.cost.fitting import Point
from weft.cost.machine_file import DeviceFigures, to_data
from weft.evaluation.calibrating import Measured
from weft.evaluation.device_calibrating import fitted
from weft.evaluation.evaluate import features_on
from weft.evaluation.statistics import SMALL, Sample, competitors, summary
from weft.machine.facts import Facts
from weft.machine.suite.programs import generate
from weft.report.predict import device_demand_for
from weft.runtime import machines
from weft.runtime.forecasting import on_kernels


@dataclass(frozen=True)
class Traced:
    """A program at a size: its demand on the device, how many arguments it has, and its seconds."""

    group: str
    name: str
    size: int
    demand: DeviceDemand
    leaves: int
    seconds: float

    @property
    def is_seen(self) -> bool:
        """Whether figures may be fitted to it."""
        return self.group == "suite" or (self.group == "random" and _random(self.name).is_seen)


def _random(name: str) -> Any:
    which, number = name.split("-")
    return generate(which, int(number))  # type: ignore[arg-type]


def read(path: Path) -> tuple[Facts, str, dict[tuple[str, str], list[dict[str, Any]]]]:
    """The device, the day, and the points of each program."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    facts = Facts(**{field.name: rows[0][field.name] for field in fields(Facts) if field.name in rows[0]})
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        if row["kind"] == "point" and row["group"] in ("suite", "random"):
            found.setdefault((row["group"], row["name"]), []).append(row)
    return facts, rows[0]["date"].split()[0], found


def counted(facts: Facts, group: str, name: str, rows: Sequence[Mapping[str, Any]]) -> list[Traced]:
    """The demand of a program on the device, at each measured size."""
    if group == "random":
        program = _random(name)
        job = Job(group, name, program.function, program.arguments, ())
    else:
        job = next(each for each in jobs((), (), ("suite",), 1) if each.name == name)
    function, found = job.function(), []
    with np.errstate(all="ignore"):
        for row in rows:
            demand, leaves = device_demand_for(function, facts.kind, facts, *job.arguments(row["size"]))
            found.append(Traced(group, name, row["size"], demand, leaves, row["call"]))
    return found


def count_all(path: Path, keep: Path | None, workers: int) -> tuple[Facts, str, list[Traced]]:
    """All points of a file of traces, with their demands. If the file `keep` exists, it is read instead."""
    if keep is not None and keep.exists():
        return pickle.loads(keep.read_bytes())  # type: ignore[no-any-return]
    facts, day, programs = read(path)
    found: list[Traced] = []
    with ProcessPoolExecutor(workers) as pool:
        tasks = [pool.submit(counted, facts, *key, rows) for key, rows in programs.items()]
        for task in as_completed(tasks):
            found += task.result()
    found.sort(key=lambda each: (each.group, each.name, each.size))
    if keep is not None:
        keep.write_bytes(pickle.dumps((facts, day, found)))
    return facts, day, found


def fit(facts: Facts, day: str, points: Sequence[Traced]) -> Figures:
    """The figures that predict the seen points best."""
    seen = [each for each in points if each.is_seen]
    measured = [
        Measured(p.name, Point(p.name, amounts_of(p.demand, facts), p.leaves, 0.0), lambda: lambda: None, [p.seconds])
        for p in seen
    ]
    return replace(fitted(measured, facts), date=day)


def rounded(figures: Figures) -> Figures:
    """Figures with five digits, as they are stored."""
    return replace(figures, values={name: float(f"{value:.5g}") for name, value in sorted(figures.values.items())})


def samples(facts: Facts, figures: Figures, points: Sequence[Traced]) -> Iterator[Sample]:
    """The predicted and the measured time of each point."""
    known, host = DeviceFigures(facts, figures), machines.here().cpu
    for p in points:
        forecast = on_kernels(p.demand, facts.kind, known, host, p.leaves)
        form = p.name.partition("-")[0] if p.group == "random" else "suite"
        counts = features_on(p.demand)
        yield Sample(p.name, form, p.size, p.is_seen, forecast.seconds, *forecast.interval, p.seconds, counts)


def show(found: Sequence[Sample]) -> None:
    """Print how good the predictions are for each half of each set, and competitors on the unseen half."""
    for form in ("suite", "restricted", "unrestricted"):
        of_form = [each for each in found if each.form == form]
        for name, part in (
            ("seen", [s for s in of_form if s.seen]),
            ("unseen", [s for s in of_form if not s.seen]),
            ("unseen small", [s for s in of_form if not s.seen and s.size < SMALL]),
            ("unseen large", [s for s in of_form if not s.seen and s.size >= SMALL]),
        ):
            if part:
                each = summary(part)
                error = np.median([abs(s.quotient - 1) for s in part])
                print(
                    f"{form:13} {name:13} {each.count:4} median {each.median:.2f} sd {each.deviation:.2f} "
                    f"error {error:.1%} near {each.near:.0%} twice {each.twice:.0%} inside {each.inside:.0%}"
                )
        print(f"{form:13} competitors", {name: f"{share:.0%}" for name, share in competitors(of_form).items()})


KNOWN, FRESH = (1 << 10, 1 << 16, 1 << 20, 1 << 22), (1 << 10, 1 << 20)
"""Sizes of the programs of the gate: those that the rules were made with, and those from `FIRST_FRESH` on."""

FIRST_FRESH = 4000


def gate(facts: Facts, figures: Figures, points: Sequence[Traced]) -> dict[str, Any]:
    """The data of the test of predictions in `tests/predict`: times of programs that nothing was fitted to."""
    times: dict[str, dict[str, list[tuple[int, float]]]] = {"known": {}, "fresh": {}}
    found: dict[str, list[Sample]] = {}
    for point, sample in zip(points, samples(facts, figures, points), strict=True):
        if point.group != "random" or point.is_seen:
            continue
        when = "fresh" if int(point.name.partition("-")[2]) >= FIRST_FRESH else "known"
        if point.size in (FRESH if when == "fresh" else KNOWN):
            times[when].setdefault(point.name, []).append((point.size, float(f"{point.seconds:.5g}")))
            found.setdefault(f"{when} {sample.form}", []).append(sample)
    bounds = {}
    for name, part in found.items():
        each = summary(part)
        bounds[name] = {
            "near": round(each.near - 0.03, 2),
            "deviation": round(1.1 * each.deviation, 2),
            "median": [round(each.median - 0.04, 2), round(each.median + 0.04, 2)],
            "inside": round(min(each.inside - 0.03, 0.9), 2),
        }
    return {"device": to_data(DeviceFigures(facts, figures)), "gate": bounds, **times}


def main() -> None:
    """Count, fit, compare, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device_fit", description=__doc__)
    parser.add_argument("traces", type=Path)
    parser.add_argument("--keep", type=Path, help="a file that keeps the demands, which take minutes to count")
    parser.add_argument("--figures", type=Path, help="write the figures as JSON")
    parser.add_argument("--gate", type=Path, help="write times and bounds for the tests")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    facts, day, points = count_all(options.traces, options.keep, options.workers)
    print("as estimated")
    show(list(samples(facts, machines.loops_of(facts.kind, facts).figures, points)))
    figures = rounded(fit(facts, day, points))
    print("as fitted")
    show(list(samples(facts, figures, points)))
    if options.figures is not None:
        options.figures.write_text(json.dumps(figures.to_data(), indent=1) + "\n", encoding="utf-8")
    if options.gate is not None:
        options.gate.write_text(json.dumps(gate(facts, figures, points), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
