"""The lock of everything that compiles: one thread at a time, since the second would compile the same."""

from __future__ import annotations

import os
import threading

lock = threading.RLock()


def _after_fork() -> None:
    """In a child process the thread that held the lock does not exist."""
    global lock
    lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)
