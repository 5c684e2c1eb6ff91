"""What calls of patterns outside of compiled code run: options are texts, so that they decide which loops there are."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from weft.frontend.calls.pattern_words import literal
from weft.patterns import folds, neighbours, selection


def map_entry(f, arrays, index):
    return folds.map_loops(f, *arrays, index=literal(index))


def reduce_entry(op, a, axis, initial, commutative):
    return folds.reduce_loops(op, a, axis=literal(axis), initial=initial, commutative=literal(commutative))


def scan_entry(op, a, axis, initial, exclusive):
    return folds.scan_loops(op, a, axis=literal(axis), initial=initial, exclusive=literal(exclusive))


def segment_reduce_entry(op, values, offsets, initial):
    return folds.segment_reduce_loops(op, values, offsets, initial=initial)


def filter_entry(p, a):
    return selection.filter_loops(p, a)


def sort_entry(a, axis):
    return selection.sort_loops(a, axis=literal(axis))


def histogram_entry(a, bins, range):
    return selection.histogram_loops(a, bins, range)


def stencil_entry(f, a, radius, boundary):
    return neighbours.stencil_loops(f, a, radius, boundary)


def gather_entry(a, offsets, boundary, count):
    return neighbours.gather_loops(a, offsets, boundary, count)


def soa_entry(a):
    return neighbours.soa_loops(a)


def scatter_entry(values, index, out, combine, are_apart):
    if literal(are_apart):
        return neighbours.scattered(values, index, out, combine)
    return neighbours.scatter_loops(values, index, out, combine)
