"""The copies, bytes, places and waits of every acceptance program: a rise is a mistake, a fall is to be written down.

`pytest --update-golden` writes ``gates.json``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from unittest import mock

import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs
from tests.acceptance.registry import PROGRAMS
from tests.plan.counting import counts_of, one_thread
from tests.plan.simulated import Simulated
from tests.rewriting import rewrite
from weft.tune import choice

FILE = Path(__file__).parent / "gates.json"
GATES: dict[str, dict[str, int]] = json.loads(FILE.read_text()) if FILE.exists() else {}
LARGEST = 2000
"""Elements of a case that the interpreter can do in a moment."""

SMALL = [name for name in PROGRAMS if oracle.largest_size(oracle.cases(name)[0]) <= LARGEST]


def counted(name: str) -> dict[str, int] | None:
    """What the first call of a program moves; None where it never uses the device."""
    simulated: list[Simulated] = []

    def on_device(function):
        simulated.append(Simulated(function))
        return simulated[-1]

    with mock.patch.object(choice, "candidates", one_thread):
        oracle.run(PROGRAMS[name], oracle.cases(name)[0], on_device)
    traces = simulated[0].traces
    return asdict(counts_of(traces[0].steps)) if traces and traces[0].steps else None


def with_counts(text: str, name: str, counts: dict[str, int] | None) -> str:
    """The text of the file with what a program moves now."""
    gates: dict[str, dict[str, int]] = json.loads(text or "{}")
    gates.pop(name, None)
    if counts is not None:
        gates[name] = counts
    return json.dumps(dict(sorted(gates.items())), indent=1) + "\n"


@pytest.mark.parametrize("name", SMALL)
def test_nothing_moves_that_did_not_move_before(name, request):
    counts = counted(name)
    if request.config.getoption("--update-golden"):
        rewrite(FILE, lambda text: with_counts(text, name, counts))
        return
    gate = GATES.get(name, {})
    risen = {kind: (gate.get(kind, 0), number) for kind, number in (counts or {}).items() if number > gate.get(kind, 0)}
    assert not risen, f"more than before: {risen}"
