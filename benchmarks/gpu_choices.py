"""The command `python -m benchmarks.gpu_choices`: the schedule that the model chose against the best that was measured.

Every kernel of `benchmarks.gpu_kernels` runs under its default schedule and under the other legal ones that
``schedule="measure"`` tries; what counts is the time of its kernels between events of the GPU. Above 1 in the last
column means that another schedule was faster.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any

import numpy as np

import weft
from benchmarks.gpu_cases import CASES, Case
from benchmarks.gpu_kernels import Device, DeviceArray, _block, _short, filled
from weft.runtime.dispatch import trials
from weft.schedule import Schedule

FLOOR = 1.05
"""How much faster another schedule may be than the one that the model chose."""


class OwnArray(DeviceArray):
    """An array on the GPU whose copies have memory of their own, which they give back."""

    def __init__(self, device: Device, made: DeviceArray) -> None:
        super().__init__(made.address, made.shape, made.dtype, made.base)
        self.device = device

    def __deepcopy__(self, memory: dict[int, object]) -> OwnArray:
        size = int(np.prod(self.base)) * self.dtype.itemsize
        driver, check = self.device.driver, self.device.clock.check
        address = int(check(driver.cuMemAlloc(size)))
        check(driver.cuMemcpyDtoD(address, self.address, size))
        return OwnArray(self.device, DeviceArray(address, self.shape, self.dtype, self.base))

    def __del__(self) -> None:
        self.device.clock.synchronise()
        self.device.free(self)


def _types(case: Case) -> list[Any]:
    """Arguments of the types and the alignment that the case has, without their sizes."""
    few = [np.zeros((4,) * len(shape), _block(1, case, k).dtype) for k, shape in enumerate(case.shapes)]
    device, arrays = Device(), case.arrays(True) if case.arrays else few
    return [device.array(array, case.offset, case.apart) for array in arrays]


def _compiled(case: Case, schedule: Schedule = ()) -> Any:
    return weft.jit(case.function, device="cuda", schedule=schedule, libraries=False, fastmath=case.fastmath)


def candidates(case: Case, arguments: Sequence[Any]) -> list[Schedule]:
    """What is measured: the default, with the schedules of its other kernels, then one change at a time."""
    function = _compiled(case)
    kernels = [list(islice(found, trials.MOST)) for _, found in trials.kernels_to_try(function.specialise(*arguments))]
    return [(), *(schedule for schedules in kernels for schedule in schedules[1:])]


def compile_case(name: str, position: int, count: int) -> None:
    """Put the code of a part of a case's schedules into the store: compiling takes longer than measuring."""
    case = next(c for c in CASES if c.name == name)
    arguments = _types(case)
    for schedule in candidates(case, arguments)[position::count]:
        try:
            _compiled(case, schedule)(*arguments)
        except (weft.Error, ValueError):
            continue


def compile_all(cases: Sequence[Case]) -> None:
    """Compile the schedules of all cases in many processes."""
    workers = os.cpu_count() or 1
    shares = max(1, min(8, 2 * workers // max(len(cases), 1)))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for task in [pool.submit(compile_case, case.name, k, shares) for case in cases for k in range(shares)]:
            task.result()


def measured(device: Device, case: Case) -> dict[Schedule, float]:
    """Seconds of the case's kernels by schedule; the empty one is the model's choice."""
    return dict(_measured(case, [OwnArray(device, array) for array in filled(device, case)]))


def _measured(case: Case, arrays: Sequence[OwnArray]) -> Iterator[tuple[Schedule, float]]:
    for schedule in candidates(case, arrays):
        function = _compiled(case, schedule)
        names: Mapping[str, object] = dict(zip(function._names, arrays, strict=True))
        try:
            yield schedule, trials.seconds_of(function._callee, names)
        except (weft.Error, ValueError):
            continue


def show(case: Case, found: Mapping[Schedule, float]) -> bool:
    """Print a line of the table; whether the model's choice is as good as it should be."""
    best = min(found, key=lambda schedule: found[schedule])
    ratio = found[()] / found[best]
    text = " ".join(map(_short, best)) or "the model's"
    print(
        f"{case.name:24} {1e6 * found[()]:9.1f} {1e6 * found[best]:9.1f} {len(found):3} {ratio:6.3f}  {text}",
        flush=True,
    )
    return ratio <= FLOOR


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all cases, or those that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_choices", description=__doc__)
    parser.add_argument("--only", default="", help="parts of the names of cases, with commas between")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no case after so many seconds")
    options = parser.parse_args(arguments)
    parts = options.only.split(",")
    chosen = [case for case in CASES if any(part in case.name for part in parts)]
    began = time.perf_counter()
    compile_all(chosen)
    device = Device()
    print(f"{device.clock.name()}\n{'':24} {'model us':>9} {'best us':>9} {'of':>3} {'ratio':>6}  the best schedule")
    good = []
    for case in chosen:
        if time.perf_counter() - began < options.seconds:
            good.append(show(case, measured(device, case)))
    print(f"{sum(good)} of {len(good)} within {FLOOR:.2f} of the best legal schedule that was measured")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
