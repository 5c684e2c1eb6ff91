"""A quotient is no proof that its divisor is not zero: the division may still be to come, or never be reached."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.analysis.tools import KEYS, function_of, program_of
from weft.analysis.values.linear import quotient, symbol
from weft.analysis.values.ranges import ranges
from weft.ir import nodes as n

PROGRAMS = {
    "a carried sum of quotients": (
        "def f(a, n, m):\n"
        "    s = 0\n"
        "    for d in range(m):\n"
        "        k = 0\n"
        "        for i in range(n):\n"
        "            s += k + 1\n"
        "            k = k + i // d\n"
        "    return s\n",
        [(10, 2), (0, 2), (10, 0)],
    ),
    "a carried remainder": (
        "def f(a, n, m):\n"
        "    k = 0\n"
        "    b = a[:m]\n"
        "    for i in range(n):\n"
        "        a[k % 3] = i\n"
        "        k = (k + 1) % len(b)\n"
        "    return k\n",
        [(10, 4), (10, 0), (0, 0)],
    ),
    "in branches": (
        "def f(a, n, m):\n"
        "    k = 0\n"
        "    b = a[:m]\n"
        "    for i in range(n):\n"
        "        if k < 5:\n"
        "            k = k + i % len(b)\n"
        "        else:\n"
        "            k = k - i // len(b)\n"
        "        a[i] = k\n"
        "    return k\n",
        [(10, 4), (10, 0), (0, 0), (9, 1)],
    ),
    "a division that no iteration reaches": (
        "def f(a, n, m):\n"
        "    for d in range(m):\n"
        "        k = 0\n"
        "        for i in range(n):\n"
        "            k = k + 10 // d\n"
        "        a[k + d - 1] += 1\n",
        [(0, 1), (0, 2), (3, 0), (3, 1)],
    ),
    "quotients of quotients": (
        "def f(a, n, m):\n"
        "    b = a[:m]\n"
        "    c = a[:3]\n"
        "    for i in range(n):\n"
        "        a[i] = (i // len(b)) // len(c)\n"
        "        a[((i // len(c)) // len(b)) // len(c)] += ((i // len(b)) // len(c)) // len(b)\n",
        [(10, 4), (10, 0), (0, 0)],
    ),
    "divisors of both signs": (
        "def f(a, n, m):\n"
        "    for i in range(n):\n"
        "        a[i % m] += (i // m) // m\n"
        "        a[-((i // m) // (m - 1))] -= i % m\n",
        [(10, 4), (10, -4), (10, -1), (10, 0), (2, 1)],
    ),
}


def outcome(function, n_, m):
    a = np.arange(12)
    try:
        return function(a, n_, m), a.tolist()
    except Exception as error:
        return type(error), str(error), a.tolist()


@pytest.mark.parametrize("device", ["cpu", pytest.param("opencl", marks=pytest.mark.opencl)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_divisions_raise_where_they_must(name, device):
    text, cases = PROGRAMS[name]
    function = function_of(text)
    compiled = weft.jit(function, device=device)
    for n_, m in cases:
        assert outcome(compiled, n_, m) == outcome(function, n_, m)


def test_facts_of_quotients_leave_no_fact_of_divisors():
    def f(out, k):
        for i in range(len(out)):
            if k >= 0:
                out[i] = 1

    found = ranges(program_of(f, KEYS, 1))
    (region,) = (s.region for s in found.structure.root.sites() if isinstance(s.statement, n.Store))
    parts = quotient(symbol("i"), symbol("k"))
    assert found.nonnegative(parts, region)
    assert not found.nonnegative(symbol("k") - 1, region)


def test_facts_of_quotients_of_quotients_end():
    def f(out, a, b, c):
        for i in range(len(out)):
            if a >= 0 and b >= 0 and c >= 0:
                out[i] = 1

    found = ranges(program_of(f, KEYS, 1, 1, 1))
    (region,) = (s.region for s in found.structure.root.sites() if isinstance(s.statement, n.Store))
    form = symbol("i")
    for divisor in "abcabc":
        form = quotient(form, symbol(divisor))
    assert found.nonnegative(form, region)
    assert not found.nonnegative(-form, region)
