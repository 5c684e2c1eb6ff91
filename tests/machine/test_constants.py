"""Constants of time belong to `weft.machine`: figures of one machine are data, not numbers in code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import weft

SOURCE = Path(weft.__file__).parent
UNIT = re.compile(r"\b(nano|micro|milli)seconds?\b|\bseconds\b|\b(a|per) second\b|\b(ns|us|µs|ms)\b", re.IGNORECASE)
NAMED = re.compile(r"SECONDS$|_SECOND$|NANO|MICRO|MILLI|LATENC|OVERHEAD|(?:^|_)(NS|US|MS)$|TIMEOUT")

KNOWN = {
    "analysis/effort.py": "a limit of the analysis, in operations",
    "analysis/termination/endless.py": "how long a loop may run on that never ends",
    "autotune/measuring/worker.py": "for how long something is timed",
    "autotune/measuring/workers.py": "a limit for a process that hangs",
    "autotune/searching/library.py": "a failed point as another library is told of it",
    "autotune/tuning.py": "what a user gives it by default",
    "cost/model.py": "the rule by which the runtime wakes threads, as `backends/text/loop_cost.py` writes it",
    "cost/speed.py": "estimates of the older model, which chooses devices",
    "dataflow/running/batching.py": "what a call takes besides its periods",
    "dataflow/running/ports.py": "a limit for a program that hangs",
    "dataflow/running/waiting.py": "how often a thread that waits looks around",
    "evaluation/calibrating.py": "for how long something is timed",
    "evaluation/device_calibrating.py": "for how long something is timed",
    "evaluation/evaluate.py": "for how long something is timed",
    "plan/partition/reductions.py": "a number of pieces",
    "plan/partition/slab_windows.py": "bytes, by what a row costs a copy of an H200",
    "report/predict.py": "what compiling takes",
    "report/profile.py": "a unit",
    "runtime/devices/libraries.py": "for how long something is timed",
    "runtime/dispatch/choosing.py": "from where on GPUs are looked for that were not measured",
}
"""Files with such constants, and what these are; the list is to become shorter."""


def constants(path: Path) -> Iterator[str]:
    """Names of numbers of a module, or of its classes, that are named after times or said to be times."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    for body in bodies:
        for statement, following in zip(body, [*body[1:], None], strict=True):
            if isinstance(statement, ast.Assign):
                targets = list(map(ast.unparse, statement.targets))
            elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
                targets = [ast.unparse(statement.target)]
            else:
                continue
            if statement.value is None or not any(map(_is_number, ast.walk(statement.value))):
                continue
            text = following.value.value if isinstance(following, ast.Expr) and _is_text(following.value) else ""
            names = [name for target in targets for name in re.findall(r"\w+", target)]
            if UNIT.search(text) or any(map(NAMED.search, names)):
                yield ", ".join(targets)


def _is_number(node: ast.AST) -> bool:
    is_number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    return is_number and not isinstance(node.value, bool) and node.value != 0


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_no_constants_of_time_outside_of_the_machine():
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if not place.startswith("machine/") and (names := list(constants(path))):
            found[place] = names
    assert set(found) == set(KNOWN), {place: found.get(place) for place in set(found) ^ set(KNOWN)}


@pytest.mark.parametrize(
    "planted",
    [
        'LAUNCH = 4.0\n"""Microseconds of a launch."""\n',
        'LAUNCH = 4e-6\n"""What a launch takes, in seconds."""\n',
        'LAUNCH: float = 4.0\n"""Of a launch, in us."""\n',
        'BARRIER, LAUNCH = 1.0, 4.0\n"""About so many ns."""\n',
        'COSTS = {"launch": 4.0}\n"""In ms, by what it is for."""\n',
        "LATENCY = 300\n",
        "LAUNCH_US = 4\n",
        "LAUNCH_SECONDS = 4e-6\n",
        'class Rates:\n    launch: float = 4.0\n    """Nanoseconds."""\n',
    ],
)
def test_the_search_finds_what_is_planted(tmp_path, planted):
    path = tmp_path / "module.py"
    path.write_text(planted + 'SIZE = 3\n"""How many."""\nTILES = 8\n"""In the second cache."""\n')
    assert len(list(constants(path))) == 1
