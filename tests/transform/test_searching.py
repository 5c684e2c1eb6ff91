"""Searches in arrays of a device: rounds that do not wait for one another, and one iteration run as it was written."""

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import rebuild
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import run
from weft.ir.types import View
from weft.ir.visit import walk
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise
from weft.transform.scan import searching


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    monkeypatch.setattr(searching, "FIRST", 64)
    monkeypatch.setattr(searching, "PIECE", 16)


def find(x, v):
    for i in range(len(x)):
        if x[i] == v:
            return i
    return -1


def first_where(x, y, a):
    k = -1
    s = 0.0
    for i in range(5, len(x)):
        if x[i] > a:
            k = i
            s = y[i]
            break
    return k, s


def through_indices(x, c):
    for i in range(len(c)):
        if x[c[i]] < 0:
            return i
    return -7


def programs(function, arguments):
    """The program for arrays of a device, and with its nests on a simulated one that takes those of the host."""
    described = [describe(value, f"argument {k}") for k, value in enumerate(arguments)]
    types = tuple(replace(t, memory="cuda") if isinstance(t, View) else t for t in described)
    program = optimise(build(function, types), turns=False, blocks=True, rows=True)
    assert any(s.label.endswith(".rounds") for s in walk(program.body) if isinstance(s, n.While))
    made = parse(to_text(program).replace(", on cuda", ""))
    placed = place(made, "cuda").program
    verify(placed)
    check_plan(placed)
    return made, placed


def check(function, *arguments):
    expected = function(*arguments)
    for program in programs(function, arguments):
        assert rebuild(program.returns, list(run(program, arguments)), program) == expected


SIZES = (0, 1, 5, 6, 16, 17, 63, 64, 65, 577, 1000)


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place_of", [lambda n: 0, lambda n: n // 2, lambda n: n - 1, lambda n: n])
def test_the_first_that_is_found(size, place_of):
    x = np.arange(size, dtype=np.float32)
    check(find, x, np.float32(place_of(size)))
    check(first_where, x, x + 1, np.float32(place_of(size)))


def test_the_first_of_several():
    x = np.zeros(1000, np.float32)
    x[[300, 301, 900]] = 1
    check(find, x, np.float32(1))


@pytest.mark.sample(1)
@pytest.mark.parametrize("where", [0, 70, 699])
def test_an_index_outside_fails_where_the_loop_does(where):
    x, c = np.ones(10, np.float32), np.zeros(700, np.int64)
    c[where] = 10
    for program in programs(through_indices, (x, c)):
        with pytest.raises(IndexError):
            run(program, (x, c))


def test_an_index_outside_behind_the_end_does_no_harm():
    x, c = np.ones(10, np.float32), np.zeros(700, np.int64)
    x[3] = -1
    c[400], c[401], c[690] = 3, 10, -11
    check(through_indices, x, c)
