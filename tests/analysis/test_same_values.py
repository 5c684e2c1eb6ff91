"""Loops whose iterations store one value where they meet: some are parallel, and in others the order matters."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft
from tests.analysis.tools import KEYS, function_of
from tests.frontend.compare import outcome, program_of
from weft.analysis.dependence.verdicts import judge
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.pipeline import optimise, prepared

LEVELS = np.full(40, -1)

PARALLEL = {
    "a constant": "x[k[i]] = 1",
    "what does not change": "x[k[i]] = m",
    "a test of the element": "if x[k[i]] == 0: x[k[i]] = 1",
    "another test, too": "if x[k[i]] == 0 and k[i] > 3: x[k[i]] = 1",
    "a choice": "x[k[i]] = m if x[k[i]] < 0 else x[k[i]]",
    "the index": "if k[i] >= 0: x[k[i]] = k[i]",
    "two stores": "x[k[i]] = 1; x[k[i] // 2] = 1",
    "levels": "if x[i] == m and m >= 0 and x[k[i]] < 0: x[k[i]] = m + 1",
    "from infinity": "if x[i] == m and x[k[i]] > m + 1: x[k[i]] = m + 1",
    "one element": "if k[i] > 3: x[0] = 1",
    "a test before another store": "t = x[k[i]]; x[y[i]] = 1\n        if t == 0: x[k[i]] = 1",
    "a choice in another branch": (
        "t = x[k[i]]\n        if k[i] > 3: x[y[i]] = 1\n        else: x[k[i]] = 1 if t < 3 else t"
    ),
}
IN_ORDER = {
    "two values": "x[k[i]] = 1 if k[i] > 3 else 2",
    "counted": "if x[k[i]] == 0: x[k[i]] = 1; s += 1",
    "who was first": "if x[k[i]] == 0: x[k[i]] = 1; y[k[i]] = i",
    "a flag for some": "if x[k[i]] == 0: x[k[i]] = 1; s = max(s, i)",
    "levels below zero": "if x[i] == m and x[k[i]] < 0: x[k[i]] = m + 1",
    "what spreads": "if x[i] == 1: x[k[i]] = 1",
    "two elements": "if x[k[i]] == 0 and x[i] == 0: x[i] = 1",
    "an index from the end": "x[k[i]] = k[i]",
    "what was there": "y[i] = x[k[i]]; x[k[i]] = 1",
    "another value in each": "for j in range(3):\n            x[y[j]] = k[i]",
    "one claim each": "for j in range(3):\n            if x[k[i] + j] == 0:\n                x[k[i] + j] = 1; break",
    "another element undone": "t = x[k[i]]; x[y[i]] = 1; x[k[i]] = 1 if k[i] > 3 else t",
    "undone after a test": "t = x[k[i]]; x[y[i]] = 1; x[k[i]] = 1 if t > 3 else t",
    "undone after a loop": """t = x[k[i]]
        for j in range(2): x[k[i] + j] = 1
        x[k[i]] = 1 if k[i] > 3 else t""",
    "undone in a branch": "t = x[k[i]]; u = 1\n        if k[i] > 3: x[y[i]] = 1; u = t\n        x[k[i]] = u",
    "undone of two at once": "t = x[k[i]]; u = x[y[i]]; x[k[i]] = 1 if k[i] > 3 else t; x[y[i]] = 1 if k[i] > 5 else u",
}


def of(body: str):
    return function_of(f"def f(x, y, k, m):\n    s = 0\n    for i in range(len(k)):\n        {body}\n    return s\n")


@pytest.mark.parametrize("body", [*PARALLEL.values(), *IN_ORDER.values()], ids=[*PARALLEL, *IN_ORDER])
def test_what_is_parallel(body):
    program = program_of(of(body), KEYS, KEYS, KEYS, 1)
    made = prepared(program)
    fact = judge(made).loops["i"]
    stored_at_once = [s for s in walk(made.body) if isinstance(s, n.Update) and s.op == "assign"]
    is_parallel = fact.verdict == "reduction" and "the same value: x" in fact.reason
    assert is_parallel == (body in PARALLEL.values())
    assert bool(stored_at_once) or not is_parallel


def search(starts, targets, level):
    deepest = 0
    for depth in range(len(level)):
        changed = False
        for i in range(len(level)):
            if level[i] == depth:
                for p in range(starts[i], starts[i + 1]):
                    if level[targets[p]] < 0:
                        level[targets[p]] = depth + 1
                        changed = True
        if not changed:
            break
        deepest += 1
    return deepest


def marks(keys, values, seen):
    some = False
    for i in range(len(keys)):
        if not seen[keys[i]] and values[i] > 0.5:
            seen[keys[i]] = True
            some = True
    return some


def arguments(function, wrong, dtype):
    random = np.random.default_rng(3)
    count = 3000
    starts = np.zeros(count + 1, dtype)
    starts[1:] = np.cumsum(random.integers(0, 5, count))
    targets = random.integers(-count, count, starts[-1]).astype(dtype)
    if wrong:
        targets[starts[7] : starts[9]] = count
    level = np.full(count, -1, dtype)
    level[:9] = 0
    return (starts, targets, level) if function is search else (targets, random.random(targets.size), level > 0)


@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize(("function", "dtype"), [(search, np.int32), (marks, np.int64)])
def test_elements_are_those_of_the_loop_in_order(function, dtype, device, request):
    request.addfinalizer(lambda count=weft.get_num_threads(): weft.set_num_threads(count))
    weft.set_num_threads(3)
    compiled = weft.jit(function, device=device)
    for wrong in (False, True):
        given = arguments(function, wrong, dtype)
        mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
        assert outcome(lambda args=mine: compiled(*args))[0] == outcome(lambda args=theirs: function(*args))[0]
        assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


def undone(x, y, z, keys, others, chosen):
    """Stores that put back an old value after another store to the same element."""
    tail = z[1:]
    for i in range(len(keys)):
        old = x[keys[i]]
        x[others[i]] = 7
        x[keys[i]] = 7 if chosen[i] else old
    for i in range(len(keys)):
        old = y[keys[i]]
        for j in range(2):
            y[(keys[i] + j) % len(y)] = 7
        y[keys[i]] = 7 if chosen[i] else old
    for i in range(len(keys)):
        old = z[keys[i]]
        tail[others[i] - 1] = 7
        z[keys[i]] = 7 if chosen[i] else old


def test_old_values_are_put_back():
    keys = np.random.default_rng(5).integers(1, 90, 60)
    given = (*(np.arange(90.0) for _ in range(3)), keys, np.where(keys % 3, keys, 1), keys % 2 == 0)
    mine, theirs = copy.deepcopy(given), copy.deepcopy(given)
    weft.jit(undone)(*mine)
    undone(*theirs)
    assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


def test_an_index_that_an_access_has_tested_is_not_tested_again():
    program = optimise(program_of(search, *arguments(search, False, np.int32)))
    assert not any(isinstance(s, n.Raise) for s in walk(program.body))
