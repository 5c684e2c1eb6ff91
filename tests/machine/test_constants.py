"""Constants of time belong to `weft.machine`: figures of one machine are data, not numbers in code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import weft

SOURCE = Path(weft.__file__).parent
FOLDERS = ("schedule", "plan", "tune", "transform", "backends", "runtime", "split", "cost", "report", "analysis")
UNIT = re.compile(r"\b(nano|micro|milli)?seconds\b", re.IGNORECASE)

KNOWN = {
    "analysis/effort.py": "a limit of the analysis, in operations",
    "plan/partition/reductions.py": "a number of pieces",
    "cost/model.py": "the rule by which the runtime wakes threads, as `backends/text/loop_cost.py` writes it",
    "cost/speed.py": "estimates of the older model, which chooses devices",
    "report/predict.py": "what compiling takes",
    "runtime/dispatch/choosing.py": "from where on GPUs are looked for that were not measured",
    "runtime/devices/libraries.py": "for how long something is timed",
}
"""Files with such constants, and what these are; the list is to become shorter."""


def constants(path: Path) -> Iterator[str]:
    """Names of numbers at the top of a module that are said to be times."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(statement, ast.Assign) or not any(map(_is_number, ast.walk(statement.value))):
            continue
        text = following.value.value if isinstance(following, ast.Expr) and _is_text(following.value) else ""
        if UNIT.search(text):
            yield ast.unparse(statement.targets[0])


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_no_constants_of_time_outside_of_the_machine():
    found = {}
    for folder in FOLDERS:
        for path in sorted((SOURCE / folder).rglob("*.py")):
            if names := list(constants(path)):
                found[str(path.relative_to(SOURCE))] = names
    assert set(found) == set(KNOWN), found


def test_the_search_finds_one(tmp_path):
    path = tmp_path / "module.py"
    path.write_text('LAUNCH = 4.0\n"""Microseconds of a launch."""\nSIZE = 3\n"""How many."""\n')
    assert list(constants(path)) == ["LAUNCH"]
