"""What was measured before: times of candidates on disk, and those that `weft.load_tuning` read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from weft.autotune.measuring.outcomes import Candidate, Tuning
from weft.autotune.spaces.space import Point
from weft.compile.store import default_store, key_of

_loaded: dict[str, Tuning] = {}
"""What `load_tuning` read, by key."""
_changes = [0]


def changes() -> int:
    """How often something was added in this process."""
    return _changes[0]


def key_for(identity: str, device: str, driver: str, size: str) -> str:
    """The key of what is known of something, on a device, for a size class."""
    return key_of("tuned", identity, device, driver, size)


def known(identity: str, key: str) -> dict[str, Candidate]:
    """What was measured before, by the texts of points; nothing of what has no identity."""
    if not identity:
        return {}
    found: dict[str, Candidate] = {}
    stored = default_store().get("tuned", key)
    for text, seconds, status, reason in json.loads(stored) if isinstance(stored, str) else ():
        time = math.inf if seconds is None else float(seconds)
        found[text] = Candidate(json.loads(text), time, status, reason, is_known=True)
    if key in _loaded:
        found.update({name_of(c.point): _again(c) for c in _loaded[key].candidates})
    return found


def _again(candidate: Candidate) -> Candidate:
    return Candidate(candidate.point, candidate.seconds, candidate.status, candidate.reason, is_known=True)


def name_of(point: Mapping[str, Any]) -> str:
    """A point as text, the same for equal points."""
    return json.dumps(point, sort_keys=True)


def keep(key: str, candidates: Mapping[str, Candidate]) -> None:
    """Keep what is certain of candidates: times, and that they are wrong or do not compile. A crash is tried again."""
    rows = [
        (text, c.seconds if math.isfinite(c.seconds) else None, c.status, c.reason) for text, c in candidates.items()
    ]
    default_store().put("tuned", key, json.dumps(rows))
    _changes[0] += 1


def take(key: str, tuning: Tuning) -> None:
    """Use what a file has."""
    _loaded[key] = tuning
    _changes[0] += 1


def best_points(identity: str, key: str) -> list[Point]:
    """The points that were measured, the fastest first."""
    measured = [c for c in known(identity, key).values() if c.status == "measured"]
    return [c.point for c in sorted(measured, key=lambda c: c.seconds)]
