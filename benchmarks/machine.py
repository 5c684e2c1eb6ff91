"""Facts about where and with what the figures were made."""

from __future__ import annotations

import datetime
import importlib
import os
import platform
import sys
from pathlib import Path
from typing import Any

from benchmarks import native
from benchmarks.program import SEED


def facts(command: str) -> dict[str, Any]:
    """Give the facts that a reader of the figures needs."""
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "compilers": {name: native.version(name) for name in native.available()},
        "flags": " ".join(native.FLAGS),
        "packages": {name: version for name in ("weft", "numpy", "numba", "cupy") if (version := _version(name))},
        "seed": SEED,
    }


def processor() -> str:
    """Give the name of the processor."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return str(importlib.import_module(package).__version__)
    except ImportError:
        return ""


def command_line(module: str) -> str:
    """Give the command that started this process, as a user would type it, but for where the raw figures go."""
    words = sys.argv[1:]
    if "--json" in words:
        place = words.index("--json")
        words = words[:place] + words[place + 2 :]
    return " ".join(["python -m", module, *words])
