"""The command `python -m benchmarks.device_traces`: times of many programs on a device, to predict without the device.

Arrays are on the device before the clock starts. Three times are taken of each program at each size: single calls
until the device is done, calls that are queued behind one another, and what the device says of its kernels. Programs
are those of the calibration's suite, the random ones of the evaluation, and the breadth suite; each line of the file is
one program at one size.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import weft
from weft.machine.device_suite import FAMILIES
from weft.machine.suite.programs import SIZES, generate
from weft.runtime.devices import accelerators

LONGEST = 0.15
"""Seconds of a call above which larger sizes are left out."""

SHARE, QUEUED, PROFILED = 0.008, 0.002, 3
"""Seconds of single calls of one size, of queued ones, and how many calls are profiled."""

LARGEST = 1 << 29
"""Bytes of the arrays of a call."""


Write = Callable[[dict[str, Any]], None]

STALLED = 25
"""Seconds after which a program is given up."""

What = tuple[tuple[int, ...], tuple[int, ...], tuple[str, ...], int]
"""Which programs: the numbers and sizes of the random ones, the groups, and `n` if only every n-th is taken."""


@contextmanager
def writing(out: str) -> Iterator[Write]:
    """Write lines to the end of a file."""
    with Path(out).open("a", encoding="utf-8") as file:

        def write(record: dict[str, Any]) -> None:
            file.write(json.dumps(record, default=str) + "\n")
            file.flush()

        yield write


@dataclass(frozen=True)
class Job:
    """A program to be timed: how to get its function, its arguments, and the sizes."""

    group: str
    name: str
    function: Callable[[], Callable[..., Any]]
    arguments: Callable[[Any], tuple[Any, ...]]
    sizes: tuple[Any, ...]
    restore: bool = False


def jobs(numbers: Sequence[int], sizes: tuple[int, ...], groups: Sequence[str], every: int) -> list[Job]:
    """All programs of some groups, or one of so many."""
    return list(_jobs(numbers, sizes, groups))[::every]


def _jobs(numbers: Sequence[int], sizes: tuple[int, ...], groups: Sequence[str]) -> Iterator[Job]:
    if "suite" in groups:
        for family, kernels in FAMILIES.items():
            for kernel in kernels:
                yield Job(
                    "suite", f"{family}/{kernel.name}", lambda k=kernel: k.function, kernel.arguments, kernel.sizes
                )
    if "breadth" in groups:
        from benchmarks.breadth.families import PROGRAMS

        for program in PROGRAMS.values():
            yield Job(
                "breadth",
                program.name,
                lambda p=program: p.spellings[0],
                lambda size, p=program: p.inputs(size, "float32"),
                ("small", "medium"),
                program.restore,
            )
    if "random" in groups:
        for number in numbers:
            for which in ("restricted", "unrestricted"):
                program = generate(which, number)  # type: ignore[arg-type]
                yield Job("random", program.name, program.function, program.arguments, sizes)


def there(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with arrays that Weft can have on a device."""
    return tuple(weft.array(each) if isinstance(each, np.ndarray) else each for each in given)


class TooLongError(Exception):
    """A program took more time than it may."""


def limited(seconds: int, work: Callable[[], Any]) -> Any:
    """Do something, or give up."""

    def stop(*_: object) -> None:
        raise TooLongError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        return work()
    finally:
        signal.alarm(0)


# ------------------------------------------------------------------------------------------------------ compiling


def compile_some(device: str, chosen: list[Job], until: float, write: Write) -> None:
    """Call programs once at their smallest size, so that their code is in the store."""
    for job in chosen:
        if time.time() > until:
            break
        started = time.perf_counter()
        note: dict[str, Any] = {"kind": "program", "group": job.group, "name": job.name}
        try:
            with np.errstate(all="ignore"):
                limited(60, lambda job=job, note=note: _once(device, job, note))
        except BaseException as error:
            note["error"] = f"{type(error).__name__}: {error}"[:300]
            if isinstance(error, KeyboardInterrupt):
                raise
        note["seconds"] = time.perf_counter() - started
        write(note)


def _once(device: str, job: Job, note: dict[str, Any]) -> None:
    compiled = weft.jit(job.function(), device=device)
    given = there(job.arguments(job.sizes[0]))
    compiled(*given)
    weft.synchronize()
    try:
        note["kernels"] = kernels_of(compiled, given)
    except Exception as error:
        note["kernels_error"] = f"{type(error).__name__}: {error}"[:200]


def kernels_of(compiled: Any, given: tuple[Any, ...]) -> list[dict[str, Any]]:
    """What the compiler says of the kernels of a call."""
    from weft.plan.place import kernels_of as laid_out
    from weft.report.kernels import _versions

    specialisation, _, leaves = compiled.examine(*given)
    needs = specialisation.resources(lambda placement: frozenset(_versions(placement, leaves).values()))
    placement = specialisation.placement()
    schedules = {nest.kernel: (nest.line, str(nest.schedule)) for nest in placement.nests if nest.kernel}
    return [
        {
            "name": kernel.name,
            "group": list(kernel.group),
            "needs": asdict(needs[kernel.name]) if needs.get(kernel.name) else None,
            "line": next((line for name, (line, _) in schedules.items() if kernel.name.startswith(name)), 0),
        }
        for kernel in laid_out(placement.program)
    ]


def _worker(device: str, first: int, step: int, until: float, what: What, out: str) -> None:
    with writing(out) as write:
        compile_some(device, jobs(*what)[first::step], until, write)


def compile_all(device: str, workers: int, seconds: float, what: What, out: str) -> None:
    """Compile by several processes; those that do not end in time are killed."""
    until = time.time() + seconds
    context = multiprocessing.get_context("spawn")
    made = [context.Process(target=_worker, args=(device, k, workers, until, what, out)) for k in range(workers)]
    for process in made:
        process.start()
    for process in made:
        process.join(max(until + 3 - time.time(), 0.1))
        if process.is_alive():
            process.kill()


# ------------------------------------------------------------------------------------------------------ measuring


def measure_all(device: str, first: int, until: float, what: What, out: str, place: Any) -> None:
    """Time all programs from the first on at all of their sizes; `place` says which one it is at."""
    with writing(out) as write:
        _measure(device, first, jobs(*what)[first:], until, write, place)
    place.value = -1
    os._exit(0)


def _measure(device: str, first: int, chosen: list[Job], until: float, write: Write, place: Any) -> None:
    for number, job in enumerate(chosen):
        place.value = first + number
        if time.time() > until:
            write({"kind": "cut", "name": job.name})
            return
        try:
            with np.errstate(all="ignore"):
                limited(25, lambda job=job: _sizes(device, job, write))
        except BaseException as error:
            write(
                {
                    "kind": "error",
                    "group": job.group,
                    "name": job.name,
                    "error": f"{type(error).__name__}: {error}"[:300],
                }
            )
            if isinstance(error, KeyboardInterrupt):
                raise


def _sizes(device: str, job: Job, write: Write) -> None:
    compiled = weft.jit(job.function(), device=device)
    for size in job.sizes:
        host = job.arguments(size)
        if sum(each.nbytes for each in host if isinstance(each, np.ndarray)) > LARGEST:
            return
        found = point(compiled, there(host), there(host) if job.restore else (), device)
        write({"kind": "point", "group": job.group, "name": job.name, "size": size, **found})
        if found["call"] > LONGEST:
            return


def put_back(mine: Any, first: Any) -> None:
    """Give an array its first contents, where it is."""
    mine[...] = first


def point(compiled: Any, given: tuple[Any, ...], first_contents: tuple[Any, ...], device: str) -> dict[str, Any]:
    """The times of one program at one size; arrays get their first contents back before each call if there are some."""
    restored = weft.jit(put_back, device=device)

    def ready() -> None:
        for mine, first in zip(given, first_contents):
            if isinstance(first, weft.Array) and first.size:
                restored(mine, first)
        if first_contents:
            weft.synchronize()

    def single() -> float:
        ready()
        started = time.perf_counter()
        compiled(*given)
        weft.synchronize()
        return time.perf_counter() - started

    single()
    first = min(single(), single())
    times = [single() for _ in range(max(5, min(40, int(SHARE / first))))]
    found = {"call": statistics.median(times), "least": min(times), "times": len(times)}
    found |= {"low": float(np.quantile(times, 0.25)), "high": float(np.quantile(times, 0.75))}
    if not first_contents:
        count = max(1, min(50, int(QUEUED / first)))
        queued = []
        for _ in range(3):
            started = time.perf_counter()
            for _ in range(count):
                compiled(*given)
            weft.synchronize()
            queued.append((time.perf_counter() - started) / count)
        found["queued"] = min(queued)
    found["events"] = _profiled(single)
    return found


def _profiled(single: Callable[[], float]) -> dict[str, list[float]]:
    """Events of a call: by kind, kernel and line how many, and their seconds and bytes; medians over some calls."""
    runs: list[dict[str, list[float]]] = []
    for _ in range(PROFILED):
        with weft.profile() as seen:
            single()
        made: dict[str, list[float]] = {}
        for event in seen.events:
            if "put_back" in event.kernel:
                continue
            key = f"{event.kind} {event.kernel or event.array} {event.line}"
            each = made.setdefault(key, [0, 0.0, 0])
            each[0] += 1
            each[1] += event.seconds
            each[2] += event.bytes
        runs.append(made)
    last = runs[-1]
    return {
        key: [each[0], statistics.median(run[key][1] for run in runs if key in run), each[2]]
        for key, each in last.items()
    }


# ------------------------------------------------------------------------------------------------------ the command


def main() -> None:
    """Compile, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--groups", default="suite,random,breadth")
    parser.add_argument("--numbers", default="0:60", help="random programs: 0:12,4000:4032 (%(default)s)")
    parser.add_argument(
        "--powers",
        default="",
        help="sizes of random programs, as exponents of two with commas between; all if not given",
    )
    parser.add_argument("--every", type=int, default=1, help="take only one of so many programs")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--compile-seconds", type=float, default=110)
    parser.add_argument("--seconds", type=float, default=130)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    numbers = tuple(n for part in options.numbers.split(",") for n in range(*map(int, part.split(":"))))
    sizes = tuple(1 << int(power) for power in options.powers.split(",") if power) or SIZES
    what = (numbers, sizes, tuple(options.groups.split(",")), options.every)
    with writing(options.out) as write:
        write({"kind": "device", **asdict(accelerators.facts_of(options.device)), "date": time.strftime("%F %T")})
    started = time.time()
    if options.workers:
        compile_all(options.device, options.workers, options.compile_seconds, what, options.out)
        print(f"compiled: {time.time() - started:.0f} s", flush=True)
    started = time.time()
    supervise(options.device, options.seconds, what, options.out)
    print(f"measured: {time.time() - started:.0f} s", flush=True)


def supervise(device: str, seconds: float, what: What, out: str) -> None:
    """Measure in a process that is killed, and begun again behind it, where a program does not come to an end."""
    until = time.time() + seconds
    context = multiprocessing.get_context("spawn")
    place, first = context.Value("i", 0), 0
    while time.time() < until:
        place.value = first
        process = context.Process(target=measure_all, args=(device, first, until, what, out, place))
        process.start()
        at, since = first, time.time()
        while process.is_alive() and time.time() < until + 2:
            process.join(0.5)
            if place.value != at:
                at, since = place.value, time.time()
            if time.time() - since > STALLED:
                break
        if process.is_alive():
            process.kill()
            process.join()
        if place.value < 0:
            return
        with writing(out) as write:
            write({"kind": "stalled", "place": place.value})
        first = place.value + 1


if __name__ == "__main__":
    main()
