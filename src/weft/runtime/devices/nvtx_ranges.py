"""Ranges for NVIDIA's profilers (NVTX): each program is one, with the name of its function and the line that called it.

Inside of it is one for each kernel, copy and wait that is asked of a device, with the name of the kernel or the array.
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
    def attributes(said: str) -> object:
        return domain.get_event_attributes(message=said)

    _stub.watch_programs(
        lambda place: domain.push_range(attributes(label(*place))),
        domain.pop_range,
        lambda event: domain.push_range(attributes(event_label(*event))),
    )


def label(function: str | None, file: str | None, line: int) -> str:
    """What the range of a program is called."""
    name = function or "a program"
    return f"{name} ({Path(file).name}:{line})" if file else name


def event_label(kind: int, host: int, array: str | None, program: str | None, line: int) -> str:
    """What the range of something that a device is asked for is called; `host` is the address of a launched kernel."""
    from weft.runtime.devices import accelerators, ledger

    what = ledger.KINDS[kind].replace("_", " ")
    if what == "launch":
        kernel, line = accelerators.kernel_at(host)
        what = f"launch {kernel}" if kernel else what
    elif array:
        what = f"{what} {array}"
    return f"{what} ({program or 'a program'}, line {line})" if line else what
