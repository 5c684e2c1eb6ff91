"""Exceptions that are made with several arguments hold them as CPython's do, caught or not."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of
from weft.errors import UnsupportedError
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text


class Mine(Exception):
    def __init__(self, code, text):
        super().__init__(text, code)


def raised(a, k, s):
    if k == 0:
        raise ValueError(k, 'too {big} "é"\n')
    if k == 1:
        raise KeyError("bad", a[0], k > 0, None, 2.5)
    if k == 2:
        raise Mine(len(a), "mine")
    if k == 3:
        raise IndexError("no", "operand")
    if k == 4:
        raise ValueError(s, k, f"{k}: {s}")
    if k == 5:
        raise FileNotFoundError(2, "gone")
    if k == 6:
        raise OSError(2, "gone")
    for i in range(len(a)):
        if a[i] < 0:
            raise ArithmeticError("negative", i, a[i])
    return k


def caught(a, k, s):
    try:
        for i in range(len(a)):
            if a[i] > k:
                raise ValueError("above {k}", i, a[i], s, None)
        if k > 100:
            raise KeyError(k, s)
    except ValueError as error:
        print(error)
        text = f"{error}!"
        a[0] = 0
    except LookupError as error:
        print("lookup", error)
        raise
    else:
        text = "none"
    return text


def seen(function, capsys, *args):
    try:
        found = function(*args)
    except Exception as error:
        found = type(error), error.args, [type(x) for x in error.args], str(error)
    return found, [np.array(x).tolist() for x in args], capsys.readouterr().out


@pytest.mark.parametrize("function, ks", [(raised, range(8)), (caught, (1, 7, 200))])
def test_arguments_of_exceptions(function, ks, capsys):
    compiled = weft.jit(function)
    for k in ks:
        for a in ([1.5, -2.0, 3.0], [9.0, 1.0, 2.0]):
            given = [(np.array(a), k, "text") for _ in range(2)]
            assert seen(compiled, capsys, *given[0]) == seen(function, capsys, *given[1])


def test_the_text_and_json_of_such_programs():
    def check(n):
        if n > 3:
            raise ValueError("a{b}", n)
        return n

    program = program_of(check, 5)
    assert to_text(parse(to_text(program))) == to_text(program)
    assert from_json(to_json(program)) == program


def test_whose_class_depends_on_the_arguments_is_refused_in_a_try():
    def gone(n):
        try:
            raise OSError(n, "gone")
        except FileNotFoundError:
            return 1

    with pytest.raises(UnsupportedError, match="this form of raise"):
        weft.jit(gone)(2)
