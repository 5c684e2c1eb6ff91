"""Processes in which faults are planted: the tests, or the hunt, with a store of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .patching import ROOT, VARIABLE

EARLY = Path(__file__).parent / "early"
PYTEST = [
    sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist",
    "--hypothesis-seed=0", "--all",
]  # fmt: skip
HUNT = [sys.executable, "-m", "tests.hunt", "--device", "cpu"]


def environment(fault: str, place: Path) -> dict[str, str]:
    """The environment of a process with a fault, or without one; what it stores goes to a folder."""
    place.mkdir(exist_ok=True)
    path = os.pathsep.join([str(EARLY), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {
        "WEFT_NUM_THREADS": "4", **os.environ, VARIABLE: fault, "PYTHONPATH": path,
        "WEFT_TEST_STORE": str(place / "store"), "WEFT_CACHE_DIR": str(place / "store"),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(place / "hypothesis"), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


@contextmanager
def started(command: list[str], environment: dict[str, str], limit: float) -> Iterator[subprocess.Popen[str]]:
    """A process whose lines are read; it ends, with its children, at the limit or with the block."""
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True,
    )  # fmt: skip
    late = threading.Timer(limit, end, (process,))
    late.start()
    try:
        yield process
    finally:
        late.cancel()
        end(process)


def end(process: subprocess.Popen[str]) -> None:
    """End a process and its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run(command: list[str], environment: dict[str, str], limit: float) -> tuple[int | None, str]:
    """The exit status of a process and what it printed; None where it was ended at the limit."""
    begin = time.monotonic()
    with started(command, environment, limit) as process:
        text = process.stdout.read() if process.stdout else ""
        code = process.wait()
    return (None if time.monotonic() - begin >= limit else code), text
