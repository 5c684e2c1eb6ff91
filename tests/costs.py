"""What test functions cost: CPU seconds of a case, compiling included, in `costs.json`; samples are chosen by it.

``pytest --seconds 100 --record-costs`` measures what runs, from an empty store, and writes the figures of those
functions anew. A test that starts processes counts with them. A function that has not been measured yet may stand there
with the mean of its file or folder.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("costs.json")
CHEAP = 0.05
"""Functions whose cases take less are not in the table."""
_CPU = "CPU seconds"

_start = pytest.StashKey[float]()


def known() -> dict[str, float]:
    """CPU seconds of a case of every function that is not cheap."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def function_of(name: str) -> str:
    """What the cases of a function have in common: they differ in what stands in brackets."""
    return name.partition("[")[0]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-costs", action="store_true", help="measure what runs, and write tests/costs.json")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.record_costs and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_start] = _seconds()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Put what a test took into its last report, which goes to the process that started this one."""
    if call.when == "teardown":
        item.user_properties.append((_CPU, _seconds() - item.stash[_start]))


class Recorder:
    """Collects what the tests of a run took."""

    def __init__(self) -> None:
        self._took: dict[str, list[float]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        took = dict(report.user_properties).get(_CPU)
        if report.when == "teardown" and isinstance(took, float):
            self._took[function_of(report.nodeid)].append(took)

    def pytest_sessionfinish(self) -> None:
        means = {function: sum(took) / len(took) for function, took in self._took.items()}
        write({**known(), **means})


def write(table: dict[str, float]) -> None:
    """Write the table, without what is cheap."""
    kept = {function: round(cost, 2) for function, cost in sorted(table.items()) if cost >= CHEAP}
    FILE.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")


def _seconds() -> float:
    """CPU seconds of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])
