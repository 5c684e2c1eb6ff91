"""Settings of a process, which may also come from its environment: the number of threads, the folder of the store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from weft.errors import ArgumentError
from weft.runtime._stub import set_threads

THREADS = "WEFT_NUM_THREADS"
MOST_THREADS = 1024


def set_num_threads(count: int) -> None:
    """Run the loops of all later calls on this many threads, the calling one among them.

    Parameters
    ----------
    count
        At least 1. More threads than cores are allowed, and slower.

    Raises
    ------
    ArgumentError
        It is no such number.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_THREADS:
        raise ArgumentError(
            f"{count!r} is no number of threads", argument="count", hint=f"say a number from 1 to {MOST_THREADS}"
        )
    config._threads = count
    set_threads(count)


def get_num_threads() -> int:
    """How many threads the loops of a call run on, the calling one among them."""
    return config.num_threads


class Config:
    """The settings of this process: ``weft.config``; the command ``weft config`` lists them.

    Attributes
    ----------
    num_threads
        Threads of a loop; assigning it is `weft.set_num_threads`. At first the environment variable
        ``WEFT_NUM_THREADS`` says it, else the number of cores that the process may use.
    cache_dir
        The folder of the store on disk. The environment variable ``WEFT_CACHE_DIR`` chooses it before the first call.
    """

    _threads: int | None = None

    @property
    def num_threads(self) -> int:
        """Threads of a loop."""
        if self._threads is not None:
            return self._threads
        given = os.environ.get(THREADS, "")
        return int(given) if given.isdecimal() and int(given) > 0 else _cores()

    @num_threads.setter
    def num_threads(self, count: int) -> None:
        set_num_threads(count)

    @property
    def cache_dir(self) -> Path:
        """The folder of the store on disk."""
        from weft.compile.store import default_store

        return default_store().root

    def __iter__(self) -> Iterator[tuple[str, object, str]]:
        """Each setting: its name, its value, and the environment variable that sets it."""
        yield "num_threads", self.num_threads, THREADS
        yield "cache_dir", self.cache_dir, "WEFT_CACHE_DIR"

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {value}  ({variable})" for name, value, variable in self)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


config = Config()
"""The settings of this process."""
