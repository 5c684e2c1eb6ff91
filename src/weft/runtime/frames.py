"""Tracebacks of what compiled programs raise, without the frames of Weft below the user's call."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

PACKAGE = str(Path(__file__).parents[1])
PROGRAMS = (f"{PACKAGE}/examples", f"{PACKAGE}/demo")
"""Parts of the package that use Weft as anybody does."""


def users_frames(trace: TracebackType | None) -> TracebackType | None:
    """The frames of a traceback that are not Weft's, in order; None where there are none.

    Those of functions that a step in Python calls stay.
    """
    kept: TracebackType | None = None
    frames = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    for entry in reversed(frames):
        if not _is_own(entry.tb_frame.f_code.co_filename):
            kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


def _is_own(file: str) -> bool:
    return file.startswith(PACKAGE) and not file.startswith(PROGRAMS)
