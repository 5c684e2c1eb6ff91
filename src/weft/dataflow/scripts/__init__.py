"""Scripts in XML that describe one process by patterns over lists (Jiang 2018), read as actors."""

from __future__ import annotations

from weft.dataflow.scripts.load import load

__all__ = ["load"]
