"""Functions that tests run in a process of their own."""

from __future__ import annotations

import os
import time


def summed(x, way):
    """The sum of an array, right or not."""
    if way == "crash":
        os._exit(3)
    if way == "hang":
        time.sleep(60)
    return float(x.sum()) + (way == "wrong")
