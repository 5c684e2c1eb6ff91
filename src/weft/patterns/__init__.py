"""Patterns: functions of arrays that are loops in compiled code."""

from __future__ import annotations

from weft.patterns.functions import (
    filter,
    gather,
    histogram,
    map,
    reduce,
    scan,
    scatter,
    segment_reduce,
    soa,
    sort,
    stencil,
)

__all__ = [
    "filter", "gather", "histogram", "map", "reduce", "scan", "scatter", "segment_reduce", "soa", "sort", "stencil",
]  # fmt: skip
