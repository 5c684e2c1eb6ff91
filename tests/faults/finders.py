"""Which test, or which program of the hunt, finds a fault: what a run of `score` with ``--record`` wrote down."""

from __future__ import annotations

import json
from pathlib import Path

from .processes import HUNT, PYTEST, environment, run

FILE = Path(__file__).parent / "finders.json"
FINDERS: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
LIMIT = 300.0


def still_finds(fault: str, finder: str, place: Path) -> bool:
    """Whether a test (its node), or a program of the hunt (``seed 5``), fails with a fault."""
    kind, _, seed = finder.partition(" ")
    command = [*HUNT, "--seed-only", seed] if kind == "seed" else [*PYTEST, "-x", finder]
    code, _ = run(command, environment(fault, place), LIMIT)
    return code not in (0, 4, 5)  # 4 and 5: there is no such test


def record(found: dict[str, str]) -> None:
    """Write down what found faults, beside what was known before."""
    FILE.write_text(json.dumps(dict(sorted({**FINDERS, **found}.items())), indent=1) + "\n", encoding="utf-8")
