"""A pytest plugin for runs with a planted fault: what was found, by which test, and no test that hangs.

`WEFT_FAULT_LOG` names the file to which each test's begin and each failure are written, so that who started the run
knows where it was when it crashed. With `WEFT_FAULT_REACHED` no fault is planted: for every test the file says which of
the functions ran that faults are planted in. `WEFT_FAULT_SHARD` is ``k/n``: every n-th test, from the k-th.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

LIMIT = 90.0
"""Seconds that a test may take; the slowest takes a third on a slow machine."""

LOG = Path(os.environ["WEFT_FAULT_LOG"])
TOOL = 4


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    place, count = map(int, os.environ.get("WEFT_FAULT_SHARD", "0/1").split("/"))
    items[:] = items[place::count]


def pytest_runtest_logstart(nodeid: str) -> None:
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    _log("run", nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _log("failed", report.nodeid)


def pytest_runtest_logfinish() -> None:
    faulthandler.cancel_dump_traceback_later()


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _log("failed", report.nodeid)


def _log(kind: str, text: str) -> None:
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f"{kind} {text}\n")


class Reached:
    """Notes which of the functions ran during each test."""

    def __init__(self) -> None:
        from .every import FAULTS
        from .patches import PATCHES

        targets = sorted({fault.target for fault in (*FAULTS, *PATCHES)})
        self.targets = {self._place(target): target for target in targets}
        self.known: dict[CodeType, str | None] = {}
        self.seen: set[str] = set()
        self.seconds = 0.0
        if sys.version_info >= (3, 12):
            sys.monitoring.use_tool_id(TOOL, "weft")
            sys.monitoring.register_callback(TOOL, sys.monitoring.events.PY_START, self._started)

    @staticmethod
    def _place(target: str) -> tuple[str, str]:
        module, _, function = target.partition(":")
        return module.rpartition(".")[2], function

    def pytest_runtest_logstart(self) -> None:
        self.seen, self.seconds = set(), 0.0
        if sys.version_info >= (3, 12):
            sys.monitoring.restart_events()
            sys.monitoring.set_events(TOOL, sys.monitoring.events.PY_START)
        else:
            sys.setprofile(self._called)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds += report.duration

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        if sys.version_info < (3, 12):
            sys.setprofile(None)
        _log("reached", "\t".join([nodeid, f"{self.seconds:.3f}", *sorted(self.seen)]))

    def _started(self, code: CodeType, offset: int) -> Any:
        target = self._target(code)
        if target is not None:
            self.seen.add(target)
        return sys.monitoring.DISABLE  # type: ignore[attr-defined]  # from 3.12 on

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            target = self._target(frame.f_code)
            if target is not None:
                self.seen.add(target)

    def _target(self, code: CodeType) -> str | None:
        """The target that some code is, or is inside of."""
        if code not in self.known:
            name = getattr(code, "co_qualname", code.co_name).partition(".<locals>")[0]
            found = self.targets.get((Path(code.co_filename).stem, name))
            path = "" if found is None else found.partition(":")[0].replace(".", "/")
            is_it = found is not None and code.co_filename.endswith((f"{path}.py", f"{path}/__init__.py"))
            self.known[code] = found if is_it else None
        return self.known[code]


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("WEFT_FAULT_REACHED"):
        config.pluginmanager.register(Reached(), "weft-reached")
