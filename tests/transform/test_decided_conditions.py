"""Conditions that are decided in part when a program is compiled: every form of them, in loops and branches."""

import itertools
import re

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


def any_by_or(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            found = False
            for k in range(a.shape[1]):
                found = found or (a[i, k] and b[k, j])
            out[i, j] = found


def all_by_and(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            found = True
            for k in range(a.shape[1]):
                found = found and (not a[i, k] or b[k, j])
            out[i, j] = found


def in_a_test(a, b, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            count = 0
            for k in range(a.shape[1]):
                if a[i, k] or not b[k, j]:
                    count += 1
            out[i, j] = count > 3


@pytest.mark.parametrize("function", [any_by_or, all_by_and, in_a_test], ids=lambda f: f.__name__)
@pytest.mark.parametrize("shape", [(0, 0, 0), (1, 1, 1), (3, 0, 2), (13, 7, 31), (5, 40, 1)], ids=str)
def test_conditions_read_what_is_inside_without_a_branch(function, shape):
    rows, inner, columns = shape
    rng = np.random.default_rng(1)
    a, b = rng.random((rows, inner)) < 0.2, rng.random((inner, columns)) < 0.2
    expected, found = (np.zeros((rows, columns), bool) for _ in range(2))
    compiled = weft.jit(function, device="cpu")
    function(a, b, expected)
    compiled(a, b, found)
    np.testing.assert_array_equal(found, expected)
    assert not re.search(r"\n *if ", compiled.inspect(a, b, found).ir.split("assume")[0])


def test_conditions_do_not_read_what_may_be_outside():
    """Nor does one that keeps a loop from an element that is not there."""

    def function(a, b, out):
        for i in range(len(out)):
            out[i] = i < len(b) and b[i] > 0.5
            out[i] = out[i] or (i > 0 and a[i - 1] > a[i])

    for size in (0, 1, 9, 40):
        a, b = np.linspace(1.0, 0.0, 40), np.linspace(0.0, 1.0, size)
        expected, found = np.zeros(40, bool), np.zeros(40, bool)
        function(a, b, expected)
        weft.jit(function, device="cpu")(a, b, found)
        np.testing.assert_array_equal(found, expected)
