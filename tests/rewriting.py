"""Changes of files by several workers of pytest at once."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Change a file; workers that change it at the same time wait for one another, so that no change is lost."""
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        changed = change(file.read())
        file.seek(0)
        file.truncate()
        file.write(changed)
