"""The command `python -m benchmarks.gpu_data`: what data movement costs on an NVIDIA GPU, beside goals and peers.

Rates of the bus are measured first; what must cross it at these rates is the bound that times are compared with. Every
answer is checked before it is timed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np

import weft
from benchmarks import gpu_data_peers as peers
from benchmarks import gpu_data_programs as programs
from benchmarks import machine
from weft.machine.copying import BOTH, IN, OUT, PINNED
from weft.runtime.devices import accelerators, copying

RESULTS = Path(__file__).parent / "results" / "gpu_data.json"
MIB = 1 << 20
CALLS = 7


@dataclass(frozen=True)
class Row:
    """A measured figure; `goal` is what it must not exceed (in the same unit), where there is one."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    note: str = ""

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"<= {self.goal:.4g}  {'ok' if self.value <= self.goal else 'MISSED'}"
        return f"{self.what:64} {self.value:10.4g} {self.unit:3} {goal:22} {self.note}"


@dataclass(frozen=True)
class Bus:
    """Bytes a second from and to pinned memory: in, out, and both at once together."""

    into: float
    out_of: float
    both: float

    def bound(self, into: float, out_of: float) -> float:
        """The seconds that so many bytes in and out take at least."""
        return max(into / self.into, out_of / self.out_of, (into + out_of) / self.both)

    def in_turn(self, into: float, out_of: float) -> float:
        """The seconds that they take one after the other."""
        return into / self.into + out_of / self.out_of


def measured_bus(device: str, size: int) -> Bus:
    """The rates for pinned memory, in this run."""
    times = {(t.direction, t.way): t.seconds for t in copying.timed(device, size)}
    into, out_of, both = (times[direction, PINNED] for direction in (IN, OUT, BOTH))
    return Bus(size / into, size / out_of, 2 * size / both)


def seconds_of(call: Callable[[], object]) -> float:
    """The seconds of one call, and of what it queued."""
    weft.synchronize()
    start = time.perf_counter()
    call()
    weft.synchronize()
    return time.perf_counter() - start


# ------------------------------------------------------------------------------------------------------ c = a + b


def add(a, b, c):  # type: ignore[no-untyped-def]
    """Little work on much data."""
    for i in range(a.shape[0]):
        c[i] = a[i] + b[i]


def fresh(size: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two arrays of numbers and a third that was touched."""
    rng = np.random.default_rng(seed)
    return rng.random(size, np.float32), rng.random(size, np.float32), np.ones(size, np.float32)


def addition(device: str, bus: Bus, size: int) -> Iterator[Row]:
    """``c = a + b`` from plain arrays, from arrays of Weft, and by the peers."""
    compiled = weft.jit(add, device=device)
    compiled(*fresh(8))
    firsts, seconds, later = [], [], []
    for seed in range(3):
        a, b, c = fresh(size, seed)
        times = [seconds_of(lambda given=(a, b, c): compiled(*given)) for _ in range(CALLS)]  # type: ignore[misc]
        assert np.array_equal(c, a + b)
        firsts.append(times[0])
        seconds.append(times[1])
        later += times[2:]
    scale = size / 2**26
    yield Row("c = a + b, plain arrays, first call", 1e3 * median(firsts), "ms", 45 * scale)
    yield Row("c = a + b, plain arrays, second call", 1e3 * median(seconds), "ms")
    yield Row("c = a + b, plain arrays, from the third call on", 1e3 * median(later), "ms", 16 * scale)
    bound = bus.bound(8 * size, 4 * size)
    yield Row("c = a + b, bound of the bus", 1e3 * bound, "ms")
    yield Row("c = a + b, weft.empty arrays", 1e3 * _coherent_addition(compiled, size), "ms", 1e3 * bound / 0.85)
    a, b, c = fresh(size)
    yield from _additions_of_peers(device, size)


def _additions_of_peers(device: str, size: int) -> Iterator[Row]:
    a, b, c = fresh(size)
    for peer in peers.additions(a, b, c, device):
        times = []
        try:
            for _ in range(CALLS):
                c[:] = 0
                peer.before()
                times.append(seconds_of(peer.run))
                peer.after()
            assert np.array_equal(c, a + b), "the sum is wrong"
        except Exception as problem:  # a peer that is not well installed must not stop the others
            print(f"{peer.name}: {problem}", file=sys.stderr)
            continue
        yield Row(f"c = a + b, {peer.name}", 1e3 * median(times), "ms")


def _coherent_addition(compiled: Callable[..., object], size: int) -> float:
    """The seconds of a call from new data on the host until the result is on the host."""
    a, b, c = (weft.empty(size, np.float32) for _ in range(3))
    times = []
    for k in range(CALLS + 2):
        a[...] = k
        b[...] = 1
        times.append(seconds_of(lambda: (compiled(a, b, c), np.asarray(c))))
        assert c[0] == c[-1] == k + 1
    return median(times[2:])


# ----------------------------------------------------------------------------------------------------- time steps


def jacobi(device: str, bus: Bus, size: int, steps: int) -> Iterator[Row]:
    """Many steps on plain arrays beside what the kernels take on the device, and the bytes that must cross."""
    compiled = weft.jit(programs.jacobi, device=device)
    u, v = (np.random.default_rng(k).random((size, size), np.float32) for k in range(2))
    held = weft.array(u), weft.array(v)
    compiled(*held, steps)
    kernels = median(seconds_of(lambda: compiled(*held, steps)) for _ in range(3))
    compiled(u, v, steps)
    compiled(u, v, steps)
    with weft.profile() as profile:
        compiled(u, v, steps)
    into, out_of = (sum(event.bytes for event in profile.of(kind)) for kind in ("copy_in", "copy_out"))
    whole = median(seconds_of(lambda: compiled(u, v, steps)) for _ in range(3))
    bound = kernels + bus.in_turn(into, out_of)
    yield Row(f"{steps} Jacobi steps, {size} x {size}, kernels alone", 1e3 * kernels, "ms")
    note = f"{into / MIB:.1f} MiB in, {out_of / MIB:.1f} MiB out"
    yield Row(f"{steps} Jacobi steps, {size} x {size}, plain arrays", 1e3 * whole, "ms", 1.03e3 * bound, note)
    border = size * size - (size - 2) ** 2  # of the second array, which the second step reads and nobody writes
    needed = 4 * (size * size + border) + 2 * 4 * (size - 2) ** 2
    yield Row(f"{steps} Jacobi steps, MiB moved", (into + out_of) / MIB, "MiB", 1.001 * needed / MIB)


# ------------------------------------------------------------------------------------------------- programs of 001


def thesis(device: str, bus: Bus, scale: int) -> Iterator[Row]:
    """The programs of 001 with their transfers placed, and with all arrays copied for each launch."""
    for program in programs.programs(scale):
        placed = weft.jit(program.function, device=device)
        naive = weft.jit(program.function, device=device, disable=("placement",))
        figures = programs.compare(program, placed, naive, seconds_of)
        size, least = program.needed_in + program.needed_out, bus.in_turn(program.needed_in, program.needed_out)
        yield Row(f"{program.name}, placed", 1e3 * figures.placed, "ms", note=f"naive {1e3 * figures.naive:.4g}")
        note = f"{figures.ratio:.3f} ({figures.least:.3f} to {figures.most:.3f}); goal: the interval reaches 1"
        yield Row(f"{program.name}, placed over naive, at least", figures.least, "", 1.0, note)
        note = f"naive {figures.naive_bytes / MIB:.1f}"
        yield Row(f"{program.name}, MiB moved", figures.bytes / MIB, "MiB", 1.001 * size / MIB, note)
        note = f"goal: half of {1e3 * figures.naive_exposed:.3g}; at the rate of the bus {1e3 * least:.3g}"
        goal = 0.5e3 * figures.naive_exposed
        yield Row(f"{program.name}, exposed copies", 1e3 * figures.exposed, "ms", goal, note)
    for name, placed_call, naive_call in programs.with_vendor(32 * scale):
        answers = [call() for call in (placed_call, naive_call)]
        assert np.allclose(*answers, rtol=1e-3), answers
        times = [median(seconds_of(call) for _ in range(5)) for call in (placed_call, naive_call)]
        yield Row(f"{name}, weft arrays", 1e3 * times[0], "ms", 1e3 * times[1], "goal: naive copies")


# ---------------------------------------------------------------------------------------------------------- calls


def increment(a):  # type: ignore[no-untyped-def]
    """A kernel with nothing to do."""
    for i in range(a.shape[0]):
        a[i] = a[i] + 1


def spin(x, count):  # type: ignore[no-untyped-def]
    """A kernel that takes as long as one likes."""
    for i in range(x.shape[0]):
        s = x[i]
        for _ in range(count):
            s = s * 0.999 + 0.5
        x[i] = s


def calls(device: str, times: int) -> Iterator[Row]:
    """What a call costs that launches one kernel on arrays that are there."""
    compiled = weft.jit(add, device=device)
    arrays = [weft.zeros(1000, np.float32) for _ in range(3)]
    yield Row("a call of one kernel, arrays of Weft", 1e6 * _call_time(lambda: compiled(*arrays), times), "us", 12)
    for name, make in peers.device_arrays(device):
        given = [make(1000) for _ in range(3)]
        cost = 1e6 * _call_time(lambda held=given: compiled(*held), times)  # type: ignore[misc]
        yield Row(f"a call of one kernel, arrays of {name}", cost, "us", 12)
    for name, make_call in peers.launches(device):
        try:
            cost = 1e6 * _call_time(make_call(), times)
        except Exception as problem:  # a peer that is not well installed must not stop the others
            print(f"{name}: {problem}", file=sys.stderr)
            continue
        yield Row(f"a call of one kernel, {name}", cost, "us")


def _call_time(call: Callable[[], object], times: int) -> float:
    """The seconds of a call among many; the shortest of a few series."""
    call()
    found = []
    for _ in range(5):
        weft.synchronize()
        start = time.perf_counter()
        for _ in range(times):
            call()
        found.append((time.perf_counter() - start) / times)
    return min(found)


def beside_python(device: str, wanted: float) -> Iterator[Row]:
    """A kernel of 50 ms, and as much Python beside it."""
    compiled = weft.jit(spin, device=device)
    x = weft.zeros(1 << 14)

    def taken(count: int) -> float:
        return median(seconds_of(lambda: compiled(x, count)) for _ in range(3))

    count = 1000
    for _ in range(6):
        count = max(1, int(count * min(wanted / taken(count), 20)))
    kernel = taken(count)
    both = median(seconds_of(lambda: (compiled(x, count), _busy(wanted))) for _ in range(5))
    note = f"the kernel alone {1e3 * kernel:.1f} ms"
    yield Row("50 ms of Python beside a kernel", 1e3 * both, "ms", 1.1e3 * max(wanted, kernel), note)


def _busy(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


# ----------------------------------------------------------------------------------------------------------- main

SECTIONS = ("addition", "jacobi", "thesis", "calls", "python")


def rows(device: str, section: str, bus: Bus, small: bool) -> Iterator[Row]:
    """The figures of a section; `small` ones only show that all of it runs."""
    if section == "addition":
        yield from addition(device, bus, 1 << (12 if small else 26))
    elif section == "jacobi":
        yield from jacobi(device, bus, *((34, 10) if small else (8192, 1000)))
    elif section == "thesis":
        yield from thesis(device, bus, 1 if small else 32)
    elif section == "calls":
        yield from calls(device, 20 if small else 2000)
    else:
        yield from beside_python(device, 1e-3 if small else 0.05)


def markdown(found: Sequence[Row]) -> str:
    """The table for the documents."""
    lines = ["| what | value | goal | note |", "| --- | ---: | ---: | --- |"]
    for row in found:
        goal = "" if row.goal is None else f"{row.goal:.4g}{'' if row.value <= row.goal else ' missed'}"
        lines.append(f"| {row.what} | {row.value:.4g} {row.unit} | {goal} | {row.note} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; the exit status is the number of goals that were missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_data", description=__doc__)
    parser.add_argument("--device", default="cuda", help="(%(default)s)")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, by commas (%(default)s)")
    parser.add_argument("--small", action="store_true", help="sizes that only show that all of it runs")
    parser.add_argument("--json", type=Path, default=RESULTS, help="file for the figures (%(default)s)")
    parser.add_argument("--table", action="store_true", help="print the table for the documents, too")
    options = parser.parse_args(arguments)
    bus = measured_bus(options.device, MIB if options.small else 256 * MIB)
    facts = {**machine.facts(machine.command_line("benchmarks.gpu_data")), "device": _name(options.device)}
    print(f"{facts['device']}: {1e-9 * bus.into:.1f} GB/s in, {1e-9 * bus.out_of:.1f} out, {1e-9 * bus.both:.1f} both")
    found: list[Row] = []
    for section in options.only.split(","):
        for row in rows(options.device, section, bus, options.small):
            found.append(row)
            print(row, flush=True)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    data = {"machine": facts, "bus": asdict(bus), "rows": [asdict(row) for row in found]}
    options.json.write_text(json.dumps(data, indent=1) + "\n")
    if options.table:
        print(markdown(found))
    return sum(row.goal is not None and row.value > row.goal for row in found)


def _name(device: str) -> str:
    facts = accelerators.open_device(device).facts
    return f"{facts.description.strip()}, {facts.driver}"


if __name__ == "__main__":
    sys.exit(main())
