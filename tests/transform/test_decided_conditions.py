"""Conditions that are decided in part when a program is compiled: every form of them, in loops and branches."""

import itertools

import numpy as np
import pytest

import weft

LOADS = ("a[w] < 3", "a[w] > 1")
DECIDED = ("False", "True", "10 < 7", "a[w] != a[w]", "flag and not flag", "not True")
FORMS = (
    "{0} and {1}",
    "{1} and {0}",
    "{0} or {1}",
    "{0} and ({0} and {1})",
    "{0} and ({1} or {1})",
    "not ({0} or not {1})",
)
CONDITIONS = [f.format(load, known) for f in FORMS for load, known in itertools.product(LOADS, DECIDED)]
PLACES = {
    "while": "    while {0} and w < 5:\n        w += 1\n",
    "while, the condition first": "    while w < 5 and ({0}):\n        w += 1\n",
    "while in a loop": "    for i in range(5):\n        w = i\n"
    "        while w < 5 and ({0}):\n            w += 1\n        a[i] = w\n",
    "while in a while": "    while w < 4:\n        w += 1\n        while w < 5 and ({0}):\n            w += 2\n",
    "while with an end": "    while w < 5 and ({0}):\n        w += 1\n"
    "        if a[w] > 3:\n            break\n    else:\n        w -= 1\n",
    "if": "    for i in range(5):\n        w = i\n        if {0}:\n            w += 1\n        a[i] = w\n",
    "choice": "    for i in range(5):\n        w = i\n        a[i] = w + 1 if {0} else w - 1\n",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_the_answers_are_cpythons(place, tmp_path):
    functions = [
        f"def f{k}(a, flag):\n    w = 0\n{place.format(condition)}    return w\n"
        for k, condition in enumerate(CONDITIONS[:: len(PLACES) - 2])
    ]
    path = tmp_path / "conditions.py"
    path.write_text("\n".join(functions))
    found = {}
    exec(compile(path.read_text(), str(path), "exec"), found)
    for k in range(len(functions)):
        function, expected, given = found[f"f{k}"], np.arange(7), np.arange(7)
        assert weft.jit(function, device="cpu")(given, True) == function(expected, True), functions[k]
        np.testing.assert_array_equal(given, expected, functions[k])
