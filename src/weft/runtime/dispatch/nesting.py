"""How deep calls are nested: functions that call themselves end in compiled code where they would end in CPython."""

from __future__ import annotations

import sys
from types import FrameType

OWN = "weft"


def calls_left() -> int:
    """How many more calls may be nested in the user's function that runs now.

    Frames of Weft do not count, since there are none where CPython runs the function itself.

    Examples
    --------
    >>> 0 < calls_left() < sys.getrecursionlimit()
    True
    """
    frame: FrameType | None = sys._getframe()
    depth = 0
    while frame is not None:
        depth += str(frame.f_globals.get("__name__", "")).partition(".")[0] != OWN
        frame = frame.f_back
    return sys.getrecursionlimit() - depth
