"""What the largest launch of a program needs of its device, from the parameters alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import needs
from weft.ir.types import PYBOOL, PYINT
from weft.plan.place import place
from weft.transform.pipeline import optimise

from .simulated import DEVICE
from .test_slabs import array


def place_of(size):
    return size + size // 16 + 320


def placed(function, *arguments, **options):
    return place(optimise(program_of(function, *arguments)), DEVICE, **options).program


def in_turn(x, y):
    n = len(x)
    a, b = np.empty(n), np.empty(2 * n)
    for i in range(n):
        a[i] = x[n - 1 - i] * 2.0
    for i in range(2 * n):
        b[i] = a[n - 1 - i // 2]
    for i in range(n):
        y[i] = b[i]


def test_the_launch_with_the_largest_arrays_counts_with_its_arguments():
    program = placed(in_turn, array(10), array(10))
    assert needs(program, [np.zeros(1000), np.zeros(1000)]) == place_of(8_000) + place_of(16_000)
    assert needs(program, [np.zeros(1000), np.zeros(9000)]) == place_of(72_000) + place_of(16_000)


def test_a_program_whose_kernels_use_arguments_alone_says_nothing():
    def doubled(x, y):
        for i in range(len(x)):
            y[i] = x[i] * 2.0

    assert placed(doubled, array(9), array(9)).needs is None


def test_in_slabs_nothing_has_to_fit():
    assert placed(in_turn, array(10), array(10), slabs=True).needs is None


def test_sizes_that_are_arguments_are_known_and_those_that_are_read_are_not():
    def of_a_number(x, n):
        a = np.empty((n // 2, 3), dtype=np.float32)
        for i in range(n // 2):
            for j in range(3):
                a[i, j] = x[j]
        return a

    def of_an_element(x, n):
        a = np.empty(int(x[0]))
        for i in range(len(a)):
            a[i] = x[1] + i
        return a

    assert needs(placed(of_a_number, array(5), 10), [array(5), 1000]) == place_of(40) + place_of(6000)
    assert needs(placed(of_an_element, array(5), 10), [array(5), 1000]) == place_of(40)


def test_arrays_that_change_places_are_all_there():
    def steps(x, t):
        u, v = np.zeros(len(x)), np.zeros(len(x))
        for _ in range(t):
            for i in range(1, len(x) - 1):
                v[i] = u[i - 1] + u[i + 1] + x[i]
            u, v = v, u
        return u

    assert needs(placed(steps, array(10), 3), [np.zeros(1000), 3]) == 3 * place_of(8000)


def test_needs_are_read_back_and_are_one_integer_of_the_parameters():
    program = placed(in_turn, array(10), array(10))
    verify(program)
    assert parse(to_text(program, locations=True)) == program
    for wrong in (n.Block((), (n.Const(True, PYBOOL),)), n.Block((), ()), n.Block((), (n.Var("nobody", PYINT),))):
        with pytest.raises(InternalError):
            verify(replace(program, needs=wrong))
    with pytest.raises(InternalError, match="the needs contain a If"):
        verify(replace(program, needs=n.Block((n.If(n.Const(True), n.Block(), n.Block()),), (n.Const(1),))))
