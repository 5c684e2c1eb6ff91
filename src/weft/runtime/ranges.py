"""Ranges for NVIDIA's profilers (NVTX): each program is one, with the name of its function and the line that called it.

Nothing is done, and nothing imported, where no profiler listens.
"""

from __future__ import annotations

import functools
import logging
import os
from pathlib import Path

from weft.runtime import _stub

log = logging.getLogger(__name__)

LISTENER = "NVTX_INJECTION64_PATH"
"""The variable by which a profiler says which library is to be told of ranges."""


def start() -> None:
    """Tell a profiler of programs from now on, if one listens."""
    if not os.environ.get(LISTENER):
        return
    try:
        import nvtx
    except ImportError:
        log.warning("a profiler listens, but ranges need the package nvtx: pip install nvtx")
        return
    domain = nvtx.get_domain("weft")

    @functools.cache
    def attributes(place: tuple[str | None, str | None, int]) -> object:
        return domain.get_event_attributes(message=label(*place))

    _stub.watch_programs(lambda place: domain.push_range(attributes(place)), domain.pop_range)


def label(function: str | None, file: str | None, line: int) -> str:
    """What a range is called."""
    name = function or "a program"
    return f"{name} ({Path(file).name}:{line})" if file else name
