"""What became of candidates: their times, or the reasons why they were rejected; a whole search as one value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import numpy as np

from weft.autotune.spaces.space import Point
from weft.errors import ArgumentError

Status = Literal["measured", "failed", "crashed", "timeout", "wrong"]

TOLERANCES = {"f2": 1e-2, "f4": 1e-4, "f8": 1e-9, "c8": 1e-4, "c16": 1e-9}
"""How far an answer may be off, as a part of the largest number of the reference; other types must be equal."""


class RejectedError(Exception):
    """A candidate that gave no time that counts."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


@dataclass(frozen=True)
class Candidate:
    """One point that was tried.

    Attributes
    ----------
    point
        The values of its parameters.
    seconds
        What counts: the mean of its three shortest runs, or the value of the objective; infinite where it was rejected.
    status
        ``measured``, or why it was rejected: ``failed`` (it does not compile or start, or raises), ``crashed``,
        ``timeout``, ``wrong`` (its answer is another one).
    reason
        The same in words.
    runs
        All times.
    is_known
        Whether the time was measured before and kept.
    """

    point: Point
    seconds: float
    status: Status = "measured"
    reason: str = ""
    runs: tuple[float, ...] = ()
    is_known: bool = False


@dataclass
class Tuning:
    """A search and what it found.

    Attributes
    ----------
    name
        What was tuned.
    identity
        A digest of its code; empty where nobody knows.
    device, driver
        Where it ran.
    size
        The sizes of the arguments.
    candidates
        All points that were tried, in that order.
    points
        How many points the space has.
    ended
        Why the search ended.
    """

    name: str
    identity: str
    device: str
    driver: str
    size: str
    points: int = 0
    ended: str = ""
    candidates: list[Candidate] = field(default_factory=list)

    @property
    def measured(self) -> list[Candidate]:
        """The candidates that have a time, the fastest first."""
        return sorted((c for c in self.candidates if c.status == "measured"), key=lambda c: c.seconds)

    @property
    def best(self) -> Candidate | None:
        """The fastest candidate; None where all were rejected."""
        return next(iter(self.measured), None)

    @property
    def progress(self) -> list[float]:
        """The shortest time after each candidate."""
        found, shortest = [], math.inf
        for candidate in self.candidates:
            shortest = min(shortest, candidate.seconds)
            found.append(shortest)
        return found

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.name} on {self.device}: {len(self.candidates)} of {self.points:,} points tried; {self.ended}"
        for candidate in self.measured:
            known = ", measured before" if candidate.is_known else ""
            yield f"  {_time(candidate.seconds)}  {_words(candidate.point)}{known}"
        for candidate in self.candidates:
            if candidate.status != "measured":
                yield f"  {candidate.status:>10}  {_words(candidate.point)}: {candidate.reason}"

    def plot(self, path: str | Path) -> Path:
        """Draw the time of every candidate, in the order they were tried, and the best so far, as an SVG file.

        Parameters
        ----------
        path
            The file; points show their parameters under the mouse.
        """
        from weft.autotune.picture import draw

        return draw(self, path)

    def save(self, path: str | Path) -> None:
        """Write the results as JSON in the format T4 of the auto-tuning community; what the file has of others stays.

        Parameters
        ----------
        path
            The file. Several kernels, devices and sizes can be in one.
        """
        path = Path(path)
        others = [r for r in _results_in(path) if _key_of(r) != _key_of(self._as_json())] if path.exists() else []
        content = {"schema_version": "1.0.0", "results": [*others, self._as_json()]}
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    def _as_json(self) -> dict[str, Any]:
        return {
            "kernel": self.name,
            "identity": self.identity,
            "environment": {"device": self.device, "driver": self.driver},
            "size": self.size,
            "points": self.points,
            "ended": self.ended,
            "configurations": [_entry(candidate) for candidate in self.candidates],
        }


def _entry(candidate: Candidate) -> dict[str, Any]:
    """A candidate as T4 has it, with the reason beside."""
    invalidity = {"measured": "correct", "failed": "compile", "crashed": "runtime", "wrong": "correctness"}
    return {
        "configuration": candidate.point,
        "invalidity": invalidity.get(candidate.status, candidate.status),
        "correctness": int(candidate.status == "measured"),
        "measurements": [{"name": "time", "value": candidate.seconds, "unit": "s"}] if candidate.runs else [],
        "times": {"runtimes": list(candidate.runs)},
        "status": candidate.status,
        "reason": candidate.reason,
    }


def read(path: str | Path) -> list[Tuning]:
    """The results in a file that `Tuning.save` wrote.

    Raises
    ------
    ArgumentError
        The file is missing or no such file.
    """
    return [_tuning(result, path) for result in _results_in(Path(path))]


def _tuning(result: Mapping[str, Any], path: str | Path) -> Tuning:
    try:
        candidates = [
            Candidate(
                dict(entry["configuration"]),
                float(entry["measurements"][0]["value"]) if entry["status"] == "measured" else math.inf,
                entry["status"],
                str(entry["reason"]),
                tuple(map(float, entry["times"]["runtimes"])),
            )
            for entry in result["configurations"]
        ]
        environment = result["environment"]
        names = (str(result["kernel"]), str(result["identity"]), str(environment["device"]), str(environment["driver"]))
        return Tuning(*names, str(result["size"]), int(result["points"]), str(result["ended"]), candidates)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise _no_file(path, error) from None


def _results_in(path: Path) -> list[dict[str, Any]]:
    try:
        results = json.loads(path.read_text(encoding="utf-8"))["results"]
        assert isinstance(results, list)
        return results
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise _no_file(path, error) from None


def _no_file(path: str | Path, error: Exception) -> ArgumentError:
    return ArgumentError(
        f"{path} is no file of tuned results: {type(error).__name__}: {error}",
        argument="path",
        hint="give a file that tuning.save(path) wrote",
    )


def _key_of(result: Mapping[str, Any]) -> tuple[object, ...]:
    environment = result.get("environment", {})
    return result.get("identity"), environment.get("device"), environment.get("driver"), result.get("size")


def _time(seconds: float) -> str:
    for unit, factor in (("s ", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1.0 or unit == "us":
            break
    return f"{seconds * factor:7.3f} {unit}"


def _words(point: Point) -> str:
    return ", ".join(f"{name}={value}" for name, value in point.items()) or "as it is"


def difference(
    found: Mapping[str, Any], wanted: Mapping[str, Any], rtol: float | None = None, atol: float = 0.0
) -> str | None:
    """How an answer differs from the reference, in words; None where it is the same.

    Parameters
    ----------
    found, wanted
        Arrays and numbers by name.
    rtol
        How far numbers may be off, as a part of the largest of the reference; by default `TOLERANCES`.
    atol
        How far besides.
    """
    for name, right in wanted.items():
        if name not in found:
            return f"{name} is missing"
        text = _difference(name, np.asarray(found[name]), np.asarray(right), rtol, atol)
        if text:
            return text
    return None


def _difference(
    name: str, found: np.ndarray[Any, Any], right: np.ndarray[Any, Any], rtol: float | None, atol: float
) -> str | None:
    if found.shape != right.shape:
        return f"{name} has the shape {found.shape} instead of {right.shape}"
    kind = min((found.dtype, right.dtype), key=lambda t: TOLERANCES.get(t.str[1:], 0.0) == 0.0)
    relative = TOLERANCES.get(kind.str[1:], 0.0) if rtol is None else rtol
    is_float = kind.kind in "fc"
    finite = np.abs(right[np.isfinite(right)]) if is_float and right.size else np.zeros(0)
    allowed = atol + relative * float(finite.max(initial=0.0)) if is_float else 0.0
    same = found == right
    if is_float:
        with np.errstate(invalid="ignore"):
            same |= (np.abs(found - right) <= allowed) | (np.isnan(found) & np.isnan(right))
    if same.all():
        return None
    place = tuple(int(k) for k in np.unravel_index(int(np.argmin(same)), same.shape))
    where = f"{name}[{', '.join(map(str, place))}]" if place else name
    return f"{where} is {found[place]} instead of {right[place]}, and {int((~same).sum())} of {same.size} differ"


SHORTEST = 3
"""Runs that count: others were disturbed by something else on the machine."""


def typical(values: Sequence[float]) -> float:
    """The mean of the `SHORTEST` times."""
    return fmean(sorted(values)[:SHORTEST])
