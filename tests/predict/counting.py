"""Counts of the walker and of the interpreter, of one program as it is laid out."""

from __future__ import annotations

from collections import Counter

import numpy as np

import weft
from weft.ir.reference.interpreter import trace
from weft.runtime.counting.demands import demand_of

ACCESSES = ("load", "store", "update")


def both_counts(function, *args, trips=None):
    """Accesses and divisions by the walker, the same by the interpreter, and what was assumed."""
    specialisation, leaves = weft.jit(function, device="cpu").laid_out(*args)
    demand = demand_of(specialisation, leaves, trips or {}, [True] * len(leaves))
    copies = [np.array(leaf) if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
    traced = trace(specialisation.shaped(), copies)
    assert traced.error is None
    return _predicted(demand), _counted(traced.counts), tuple(demand.assumptions)


def _predicted(demand):
    found = Counter()
    for nest in demand.nests:
        for level in nest.top.levels():
            for touch, share in level.touches:
                found[touch.mode] += nest.times * level.times * share * touch.lanes
            for kind, number in level.operations.items():
                if kind.removeprefix("lanes.").startswith("division"):
                    found["division"] += nest.times * level.times * number
    return found


def _counted(counts):
    found = Counter()
    for (name, _), number in counts.operations.items():
        if name in ACCESSES or name == "truediv":
            found["division" if name == "truediv" else name] += number
    return found


def worst_ratio(predicted, counted, kinds=ACCESSES):
    """By how much the counts differ that are no handful: 1.0 where none does."""
    apart = 1.0
    for kind in kinds:
        one, other = predicted[kind], counted[kind]
        if abs(one - other) > 4:
            apart = max(apart, one / other if other else np.inf, other / one if one else np.inf)
    return apart
