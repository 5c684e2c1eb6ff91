"""Verdicts against what really happens: no loop that is called parallel may have a conflict in the shadow memory."""

from __future__ import annotations

import inspect
from itertools import combinations

import numpy as np
import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from weft.analysis.dependence.conditions import AnyOf, NonNegative, NonZero
from weft.analysis.dependence.verdicts import judge
from weft.analysis.recurrences.recurrences import WHICH_TYPE
from weft.analysis.values.linear import Positive, Quotient
from weft.errors import RaceError
from weft.frontend import build
from weft.frontend.source.captured import read
from weft.frontend.source.signature import describe, flatten, undecorated
from weft.ir.interface import TELLS_TYPE
from weft.ir.reference.interpreter import holds, trace
from weft.transform.parallel.parallelise import parallelise
from weft.transform.pipeline import ORDER

MOST_ELEMENTS = 400
MOST_CASES = 3
INDEPENDENT = ("parallel", "reduction", "search", "compaction", "checked")


def arguments_of(program, case):
    """The function, its types, and the values of all parameters by the program that is built for them."""
    function, arguments = program.bind(case)
    function = undecorated(function)
    bound = inspect.signature(function, follow_wrapped=False).bind(*arguments)
    bound.apply_defaults()
    types = {name: describe(value, name) for name, value in bound.arguments.items()}
    return function, bound.arguments, types


def values_of(built, function, arguments, types):
    """One value for each parameter of a program."""
    leaves = [leaf for name, value in arguments.items() for leaf in flatten(value, types[name])]
    captured = [p for p in built.params if p.source.kind != "argument"]
    if len(leaves) + len(captured) != len(built.params):
        return None
    return leaves + [read(function, p.source, arguments) for p in captured]


def is_alone(values):
    """Whether arrays share no memory, with one another or with themselves."""
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    if any(np.shares_memory(a, b) for a, b in combinations(arrays, 2)):
        return False
    return not any(has_overlap(a) for a in arrays)


def has_overlap(array):
    addresses = np.zeros(array.shape, np.int64)
    for axis, stride in enumerate(array.strides):
        addresses += stride * np.arange(array.shape[axis]).reshape([-1 if k == axis else 1 for k in range(array.ndim)])
    return len(np.unique(addresses)) < addresses.size


def known_sizes(built, values):
    known = {}
    for param, value in zip(built.params, values, strict=True):
        if isinstance(value, np.ndarray):
            known.update({f"{param.var.name}.shape[{k}]": size for k, size in enumerate(value.shape)})
        elif isinstance(value, (int, np.integer)):
            known[param.var.name] = int(value)
    return known


def fulfilled(condition, known):
    """Whether a condition holds; None where that is not decided by the sizes alone."""
    if isinstance(condition, AnyOf):
        found = [fulfilled(option, known) for option in condition.options]
        return True if True in found else None if None in found else False
    if not isinstance(condition, (NonNegative, NonZero)):
        return None
    if any(name not in known and not isinstance(name, (Positive, Quotient)) for name in condition.form.symbols):
        return None
    try:
        value = condition.form.evaluate(known)
    except (KeyError, ZeroDivisionError):
        return None
    return value != 0 if isinstance(condition, NonZero) else value >= 0


def wrong(fact, conflicts, known):
    """Conflicts that a verdict does not account for."""
    if fact.verdict not in INDEPENDENT or fact.claimed:
        return []
    if not all(fulfilled(condition, known) for condition in fact.conditions):
        return []
    folded = {u.store.view.stem for u in fact.updates} | {u.store.array.stem for u in fact.updates}
    apart = folded | {p.array.stem for p in fact.private}
    carried = {TELLS_TYPE if c.name == WHICH_TYPE else c.name for c in fact.carried}
    return [c for c in conflicts if c.name not in (carried if c.kind == "scalar" else apart)]


def stages(built):
    """The program as the frontend builds it, and after the passes."""
    yield built
    for run in ORDER:
        if run is not parallelise:
            built = run(built)
    yield built


@pytest.mark.parametrize("name", PROGRAMS)
def test_parallel_loops_have_no_conflicts(name):
    for case in oracle.cases(name)[:MOST_CASES]:
        function, arguments, types = arguments_of(PROGRAMS[name], case)
        built = build(function, tuple(types.values()))
        values = values_of(built, function, arguments, types)
        if values is None or not is_alone(values):
            continue
        if sum(np.size(value) for value in values) > MOST_ELEMENTS:
            continue
        for program in stages(built):
            try:
                facts = judge(program).loops
            except RaceError:
                continue
            if not holds(program, values):
                continue
            copies = [np.array(v, copy=True) if isinstance(v, np.ndarray) else v for v in values]
            found = trace(program, copies).conflicts
            known = known_sizes(program, values)
            for label, fact in facts.items():
                assert wrong(fact, found.get(label, []), known) == [], (
                    f"{label} is called {fact.verdict}: {fact.reason}"
                )
