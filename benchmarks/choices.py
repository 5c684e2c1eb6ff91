"""The command `python -m benchmarks.choices`: what Weft chooses, beside what it could have chosen.

*Devices*: it times programs of the breadth suite on the processor and on a device, at several sizes, with arrays of
NumPy and of Weft. *Schedules*: it times kernels of these programs under several legal schedules. Each line of the
output file is one point, so a model can be compared with all points later, without the device.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import multiprocessing
import os
import pickle
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np

import weft
from benchmarks.breadth.families import PROGRAMS
from benchmarks.breadth.program import SIZES, Program
from benchmarks.device_traces import Write, limited, there, writing
from weft.runtime.devices import accelerators, calibration, copying, ledger, queues, speeds
from weft.runtime.dispatch import choosing, trials
from weft.schedule import Schedule

SHARE, FEWEST, MOST = 0.01, 3, 15
"""Seconds for which a point is timed, and the least and the largest number of calls."""

LONGEST = 0.2
"""Seconds: after a call that takes longer, larger sizes are left out."""

LARGEST = 1 << 28
"""The most bytes that the arrays of a call may have."""

STALLED = 15
"""Seconds after which the benchmark gives up on a program."""

TRIED, RUNS = 6, 5
"""How many schedules of a kernel are timed, and how often; the shortest run counts."""

KINDS: dict[str, Callable[[tuple[Any, ...]], tuple[Any, ...]]] = {"numpy": lambda given: given, "weft": there}


def chosen(count: int) -> list[Program]:
    """Some programs, chosen by a hash of their names. About half of them are unseen."""
    able = [program for program in PROGRAMS.values() if not program.restore]
    return sorted(able, key=lambda p: hashlib.sha256(f"choice {p.name}".encode()).digest())[:count]


def inputs(program: Program, size: str) -> tuple[Any, ...]:
    """The arguments of a size."""
    return program.inputs(size, program.dtypes[0])


def bytes_of(given: tuple[Any, ...]) -> int:
    """Bytes of the arrays among arguments."""
    return sum(each.nbytes for each in given if isinstance(each, np.ndarray))


# ------------------------------------------------------------------------------------------------------- devices


def devices(program: Program, device: str, write: Write) -> None:
    """Time a program on the processor and on a device, at all sizes, with both kinds of arrays."""
    ways = {where: weft.jit(program.spellings[0], device=where) for where in ("cpu", device)}
    for size in SIZES:
        if program.least_bytes(size, program.dtypes[0]) > LARGEST:
            return
        made = inputs(program, size)
        if bytes_of(made) > LARGEST:
            return
        times: dict[str, float] = {}
        for kind, brought in KINDS.items():
            given = {where: brought(made) for where in ways}
            times = {where: seconds(lambda w=where, g=given: ways[w](*g[w])) for where in ways}
            point = {"kind": "device", "name": program.name, "half": program.half, "size": size, "arrays": kind}
            write({**point, "times": times, **decision(program, device, given[device])})
        if max(times.values()) > LONGEST:
            return


def seconds(call: Callable[[], object]) -> float:
    """The median time of a call, until all devices are done. The first calls, which copy arrays, do not count."""

    def once() -> float:
        started = time.perf_counter()
        call()
        queues.synchronize()
        return time.perf_counter() - started

    first = min(once(), once())
    if first > LONGEST:
        return first
    once()
    return statistics.median(once() for _ in range(int(min(max(SHARE / first, FEWEST), MOST))))


def decision(program: Program, device: str, given: tuple[Any, ...]) -> dict[str, Any]:
    """The device that Weft chooses, and the predictions that it chooses by."""
    specialisation, _, leaves = weft.jit(program.spellings[0], device="cpu").examine(*given)
    choice = choosing.choice_of(specialisation, leaves)
    works = {}
    for where in ("cpu", device):
        outline = specialisation.outline(where)
        sizes = [choosing.size_of(leaf) for leaf in leaves]
        works[where] = (outline.work(sizes), choosing._arrays(outline, leaves))
    return {
        "chosen": choice.device,
        "reason": choice.reason,
        "predicted": {p.device: p.seconds for p in choice.predictions},
        "works": base64.b64encode(pickle.dumps(works)).decode(),
    }


# ----------------------------------------------------------------------------------------------------- schedules


def candidates(program: Program, device: str, given: tuple[Any, ...]) -> Iterator[Schedule]:
    """The default schedules, then other legal ones of each kernel."""
    function = weft.jit(program.spellings[0], device=device, libraries=False)
    yield ()
    for _, found in islice(trials.kernels_to_try(function.examine(*given)[0]), 2):
        yield from islice(found, 1, TRIED)


def schedules(program: Program, device: str, write: Write) -> None:
    """Time the kernels of a program under several schedules, at the largest size that fits."""
    fitting = [size for size in SIZES if program.least_bytes(size, program.dtypes[0]) <= LARGEST]
    size = fitting[-1]
    given = there(inputs(program, size))
    found: list[dict[str, Any]] = []
    try:
        for schedule in candidates(program, device, given):
            try:
                times = _of_kernels(program, device, schedule, given)
            except (weft.Error, ValueError) as error:
                found.append({"schedule": repr(schedule), "error": f"{type(error).__name__}: {error}"[:200]})
                continue
            found.append({"schedule": repr(schedule), "times": times})
            if sum(times.values()) > LONGEST:
                break
    finally:
        write({"kind": "schedule", "name": program.name, "half": program.half, "size": size, "found": found})


def _of_kernels(program: Program, device: str, schedule: Schedule, given: tuple[Any, ...]) -> dict[str, float]:
    """Seconds of each kernel of a call, in the run with the smallest sum of them."""
    call = weft.jit(program.spellings[0], device=device, schedule=schedule, libraries=False)
    call(*given)
    best: dict[str, float] = {}
    for _ in range(RUNS):
        queues.synchronize()
        seen = ledger.start()
        try:
            call(*given)
            queues.synchronize()
        finally:
            ledger.stop(seen)
        times: dict[str, float] = {}
        for event in seen:
            if event.kind == "launch":
                times[event.kernel] = times.get(event.kernel, 0.0) + event.seconds
        if not best or sum(times.values()) < sum(best.values()):
            best = times
        if sum(best.values()) > LONGEST:
            break
    return best


# ------------------------------------------------------------------------------------------------------- running

PARTS: dict[str, Callable[[Program, str, Write], None]] = {"devices": devices, "schedules": schedules}


def compile_one(program: Program, device: str, part: str) -> None:
    """Put the code of a program into the store: compiling takes longer than measuring."""
    if part == "figures":
        calibration.measure(device)  # only to compile its code: the figures are measured again
        return
    if part == "devices":
        for brought in KINDS.values():
            for where in ("cpu", device):
                weft.jit(program.spellings[0], device=where)(*brought(inputs(program, "tiny")))
        return
    given = there(inputs(program, "tiny"))
    for schedule in candidates(program, device, given):
        try:
            weft.jit(program.spellings[0], device=device, schedule=schedule, libraries=False)(*given)
        except (weft.Error, ValueError):
            continue


def _worker(tasks: Any, device: str, until: float) -> None:
    while time.time() < until:
        try:
            name, part = tasks.get(timeout=1)
        except Exception:
            return
        try:
            limited(40, lambda n=name, p=part: compile_one(PROGRAMS[n], device, p))
        except Exception:
            continue


def compile_all(tasks: Sequence[tuple[str, str]], device: str, workers: int, lasting: float) -> None:
    """Compile in several processes, and kill those that do not end in time."""
    context, until = multiprocessing.get_context("spawn"), time.time() + lasting
    queue = context.Queue()
    for task in tasks:
        queue.put(task)
    made = [context.Process(target=_worker, args=(queue, device, until)) for _ in range(workers)]
    for process in made:
        process.start()
    for process in made:
        process.join(max(until + 1 - time.time(), 0.1))
        if process.is_alive():
            process.kill()


def measure(part: str, programs: Sequence[Program], device: str, until: float, write: Write) -> None:
    """Time the programs of a part, and write down which fail."""
    for program in programs:
        if time.time() > until:
            write({"kind": "cut", "part": part, "name": program.name})
            return
        try:
            limited(STALLED, lambda p=program: PARTS[part](p, device, write))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:300]
            write({"kind": "error", "part": part, "name": program.name, "error": text})


def main() -> None:
    """Compile, measure the figures of the machine, then measure the choices."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choices", description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--devices", type=int, default=40, help="programs for the choice of devices (%(default)s)")
    parser.add_argument("--schedules", type=int, default=25, help="programs for that of schedules (%(default)s)")
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--compile-seconds", type=float, default=120)
    parser.add_argument("--seconds", type=float, nargs=2, default=(120, 60), help="for devices, for schedules")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    counts = {"devices": options.devices, "schedules": options.schedules}
    tasks = [(chosen(1)[0].name, "figures")]
    tasks += [(program.name, part) for part, count in counts.items() for program in chosen(count)]
    started = time.time()
    if options.workers:
        compile_all(tasks, options.device, options.workers, options.compile_seconds)
        print(f"compiled: {time.time() - started:.0f} s", flush=True)
    started = time.time()
    for name in ("cpu", options.device):
        if accelerators.is_accelerator(name) and copying.load(name) is None:
            copying.measure(name)
        calibration.measure(name)
    print(f"figures: {time.time() - started:.0f} s", flush=True)
    with writing(options.out) as write, np.errstate(all="ignore"):
        facts = asdict(accelerators.facts_of(options.device))
        known = base64.b64encode(pickle.dumps(dict(speeds.known()))).decode()
        write(
            {
                "kind": "machine",
                "facts": facts,
                "speeds": known,
                "cores": os.cpu_count(),
                "date": time.strftime("%F %T"),
            }
        )
        for (part, count), lasting in zip(counts.items(), options.seconds, strict=True):
            started = time.time()
            measure(part, chosen(count), options.device, started + lasting, write)
            print(f"{part}: {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
