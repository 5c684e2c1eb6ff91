"""Tasks without rates: independent functions that run at once."""

from __future__ import annotations

from weft.tasks.futures import Future
from weft.tasks.pool import invoke, submit

__all__ = ["Future", "invoke", "submit"]
