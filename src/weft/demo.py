"""The main job, `weft demo`: pictures and simulations from the plain loops in `weft.examples`, timed and checked."""

from __future__ import annotations

import copy
import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import weft
from weft.errors import Error
from weft.machine import timing
from weft.machine.timing import Policy

Arguments = tuple[Any, ...]


@dataclass(frozen=True)
class Job:
    """One example on one input.

    Parameters
    ----------
    title : str
        For the table.
    function : callable
        The example, compiled by Weft.
    arguments : tuple
        The whole input; arrays that hold the result are among it.
    reduced : tuple
        A small input of the same kind: on it CPython runs the same loops, to check the answer.
    numpy : callable or None
        Whole-array code that changes the same arguments; without it CPython is what Weft is compared with.
    tolerance : float
        Largest relative error; 0 where the answers must be equal bit for bit.
    picture : callable or None
        Gives a picture from the arguments after the call.
    file : str
        Name of the picture's file.
    """

    title: str
    function: Callable[..., object]
    arguments: Arguments
    reduced: Arguments
    numpy: Callable[..., object] | None = None
    tolerance: float = 0.0
    picture: Callable[[Arguments], np.ndarray] | None = None
    file: str = ""


@dataclass(frozen=True)
class Outcome:
    """What a job gave on a device; times in seconds."""

    job: Job
    device: str
    first_call: float
    seconds: float
    rival: str
    ratio: float


def run(output: Path, quick: bool = False) -> int:
    """Run all jobs on all compiled devices, write the pictures, print the table.

    Parameters
    ----------
    output : Path
        Folder for the pictures; made if it is missing.
    quick : bool
        Small inputs and short measurements.

    Returns
    -------
    int
        0; a wrong answer is an exception.

    Raises
    ------
    weft.Error
        Matplotlib or Pillow are missing, or an answer differs from that of CPython.
    """
    jobs = _jobs(quick)
    output.mkdir(parents=True, exist_ok=True)
    devices = _devices()
    console = Console()
    outcomes = []
    with _progress(console) as progress:
        task = progress.add_task("", total=len(jobs) * len(devices))
        for device in devices:
            for job in jobs:
                progress.update(task, description=f"{job.title} on {device}")
                outcomes.append(_measure(job, device, quick))
                _write(job, output)
                progress.advance(task)
    console.print(_table(outcomes))
    files = ", ".join(job.file for job in jobs if job.file)
    console.print(f"Pictures in {output}: {files}", highlight=False, soft_wrap=True)
    return 0


def _devices() -> list[str]:
    """Give the processor, and the first GPU where there is one."""
    names = [device.name for device in weft.devices()]
    return ["cpu", *(name for name in ("cuda",) if name in names)]


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description:<36}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


# --------------------------------------------------------------------------------------------------------- the jobs


def _jobs(quick: bool) -> list[Job]:
    """Give the jobs of the demo."""
    try:
        from weft.examples import photograph

        picture = photograph.load()
    except ImportError as problem:
        raise Error(
            f"the demo needs {problem.name or 'matplotlib and pillow'}", hint='pip install "weft[demo]"'
        ) from None
    makers = (_pictures(picture), _simulations(quick), _numbers(quick))
    return [job for jobs in makers for job in jobs]


def _pictures(photo: np.ndarray) -> Iterator[Job]:
    """Emboss and blur the photograph."""
    from weft.examples.blur import blur
    from weft.examples.emboss import emboss

    part = np.ascontiguousarray(photo[60:124, 200:264])
    yield Job(
        f"emboss a photograph, {photo.shape[1]} x {photo.shape[0]}",
        emboss,
        (photo, np.full_like(photo, 128)),
        (part, np.full_like(part, 128)),
        _emboss_numpy,
        picture=lambda arguments: np.asarray(arguments[1]),
        file="embossed.png",
    )
    yield Job(
        "blur it, mean of 9 x 9 pixels",
        blur,
        (photo, np.zeros_like(photo), 4),
        (part[:32, :32].copy(), np.zeros((32, 32, 3), np.uint8), 4),
        _blur_numpy,
        picture=lambda arguments: np.asarray(arguments[1]),
        file="blurred.png",
    )


def _simulations(quick: bool) -> Iterator[Job]:
    """Move stars, and look at the Mandelbrot set."""
    from weft.examples import mandelbrot, nbody

    bodies, height, limit = (300, 300, 200) if quick else (1000, 1000, 500)
    yield Job(
        f"n-body, {bodies} stars, 10 steps",
        nbody.simulate,
        (*nbody.cluster(bodies), 0.01, 10),
        (*nbody.cluster(40), 0.01, 3),
        _nbody_numpy,
        tolerance=1e-9,
    )
    view = (-2.25, 1.0, 3.0, limit)
    yield Job(
        f"Mandelbrot set, {height * 3 // 2} x {height}",
        mandelbrot.mandelbrot,
        (np.zeros((height, height * 3 // 2), np.int32), *view),
        (np.zeros((40, 60), np.int32), *view),
        picture=lambda arguments: mandelbrot.paint(arguments[0], limit),
        file="mandelbrot.png",
    )


def _numbers(quick: bool) -> Iterator[Job]:
    """Multiply matrices, and price options."""
    from weft.examples.black_scholes import black_scholes
    from weft.examples.matmul import matmul

    for n in (256,) if quick else (512, 1024):
        yield Job(f"matrix product, {n} x {n}", matmul, _matrices(n), _matrices(32), _matmul_numpy, tolerance=1e-12)
    options = 100_000 if quick else 2_000_000
    yield Job(
        f"Black-Scholes, {options:,} options",
        black_scholes,
        _options(options),
        _options(500),
        _black_scholes_numpy,
        tolerance=1e-12,
    )


def _matrices(n: int) -> Arguments:
    rng = np.random.default_rng(n)
    return rng.random((n, n)), rng.random((n, n)), np.zeros((n, n))


def _options(n: int) -> Arguments:
    rng = np.random.default_rng(n)
    price, strike, years = rng.uniform(5.0, 30.0, n), rng.uniform(1.0, 100.0, n), rng.uniform(0.25, 10.0, n)
    return price, strike, years, 0.02, 0.3, np.zeros(n), np.zeros(n)


# ------------------------------------------------------------------------------------------ the same in NumPy


def _emboss_numpy(picture: np.ndarray, result: np.ndarray) -> None:
    difference = 128 + picture[:-2, :-2].astype(np.int16) - picture[2:, 2:]
    result[1:-1, 1:-1] = np.clip(difference, 0, 255)


def _blur_numpy(picture: np.ndarray, result: np.ndarray, radius: int) -> None:
    height, width, _ = picture.shape
    wide = np.pad(picture, ((radius, radius), (radius, radius), (0, 0)), mode="edge").astype(np.int32)
    total = np.zeros(picture.shape, np.int32)
    for dy in range(2 * radius + 1):
        for dx in range(2 * radius + 1):
            total += wide[dy : dy + height, dx : dx + width]
    result[...] = total // (2 * radius + 1) ** 2


def _nbody_numpy(position: np.ndarray, velocity: np.ndarray, mass: np.ndarray, dt: float, steps: int) -> None:
    for _ in range(steps):
        away = position[None, :, :] - position[:, None, :]
        square = (away * away).sum(axis=2) + 1e-3
        pull = mass / (square * np.sqrt(square))
        velocity += dt * (away * pull[:, :, None]).sum(axis=1)
        position += dt * velocity


def _matmul_numpy(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    np.matmul(a, b, out=c)


def _normal_distribution_numpy(x: np.ndarray) -> np.ndarray:
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    tail = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail *= np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    return np.asarray(np.where(x > 0.0, 1.0 - tail, tail))


def _black_scholes_numpy(
    price: np.ndarray,
    strike: np.ndarray,
    years: np.ndarray,
    rate: float,
    volatility: float,
    call: np.ndarray,
    put: np.ndarray,
) -> None:
    spread = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    later = strike * np.exp(-rate * years)
    call[:] = price * _normal_distribution_numpy(d1) - later * _normal_distribution_numpy(d2)
    put[:] = later * _normal_distribution_numpy(-d2) - price * _normal_distribution_numpy(-d1)


# ------------------------------------------------------------------------------------------- checking and timing


def _measure(job: Job, device: str, quick: bool) -> Outcome:
    """Check a job on its reduced input, then run and time it on the whole one."""
    policy = Policy(cap=0.3 if quick else 2.0, fewest=2)
    with weft.device(device):
        started = time.perf_counter()
        checked = _after(job.function, job.reduced)
        first_call = time.perf_counter() - started
        python = inspect.unwrap(job.function)
        _check(job, "CPython", checked, _after(python, job.reduced))
        result = _after(job.function, job.arguments)
        if job.numpy:
            _check(job, "NumPy", result, _after(job.numpy, job.arguments))
        mine = _seconds(job.function, job.arguments, policy)
        if job.numpy:
            return Outcome(job, device, first_call, mine, "NumPy", _seconds(job.numpy, job.arguments, policy) / mine)
        same = _seconds(job.function, job.reduced, policy)
        rival = _seconds(python, job.reduced, Policy(cap=0.0, fewest=1, warm_up=0))
        return Outcome(job, device, first_call, mine, "CPython", rival / same)


def _after(function: Callable[..., object], arguments: Arguments) -> Arguments:
    """Give a copy of the arguments as a call leaves them."""
    own = copy.deepcopy(arguments)
    function(*own)
    return own


def _seconds(function: Callable[..., object], arguments: Arguments, policy: Policy) -> float:
    """Give the median time of a call, in seconds."""
    own = copy.deepcopy(arguments)
    return timing.measure(lambda: function(*own), policy).median


def _check(job: Job, who: str, got: Arguments, expected: Arguments) -> None:
    """Raise unless the arrays of both are the same within the tolerance of the job."""
    for mine, other in zip(got, expected, strict=True):
        if isinstance(other, np.ndarray) and not np.allclose(mine, other, job.tolerance, job.tolerance):
            difference = float(np.max(np.abs(np.subtract(mine, other, dtype=np.float64))))
            raise Error(f"{job.title}: the answer differs from that of {who} by up to {difference:.3g}")


def _write(job: Job, output: Path) -> None:
    """Compute the picture of a job once more, and write it."""
    if job.picture:
        from weft.examples import photograph

        photograph.save(job.picture(_after(job.function, job.arguments)), output / job.file)


def _table(outcomes: Sequence[Outcome]) -> Table:
    """Give the table of times, fit for 100 columns."""
    table = Table(title="Plain Python loops, compiled by Weft", title_justify="left")
    table.add_column("job")
    for head in ("device", "first call", "then", "speed", "answer"):
        table.add_column(head, justify="left" if head in ("device", "answer") else "right", no_wrap=True)
    for one in outcomes:
        faster = f"{_digits(one.ratio)} x {one.rival}"
        checked = "[green]checked[/]"
        table.add_row(one.job.title, one.device, _time(one.first_call), _time(one.seconds), faster, checked)
    table.caption = "speed: that of NumPy or CPython is 1; CPython runs a reduced size"
    table.caption_justify = "left"
    return table


def _time(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    return f"{_digits(seconds)} s" if seconds >= 1.0 else f"{_digits(seconds * 1e3)} ms"


def _digits(number: float) -> str:
    """Write a number with three digits, small ones with two decimals."""
    return f"{number:.2f}" if number < 10.0 else f"{number:.1f}" if number < 100.0 else f"{number:,.0f}"
