"""Finding the source of a function."""

from __future__ import annotations

import functools
import linecache

import pytest

from weft.errors import SourceError

from .compare import check, program_of


def decorate(function):
    return function


@decorate
@decorate
def decorated(x):
    return x + 1.0


def test_decorated_functions():
    check(decorated, 1.0)


def test_places_are_those_of_the_file():
    program = program_of(decorated, 1.0)
    let = program.body.statements[0]
    assert let.location.file == __file__
    assert let.location.line == decorated.__code__.co_firstlineno + 3
    assert (let.location.column, let.location.end_column) == (11, 18)


def test_lambdas_in_calls_and_containers():
    functions = [lambda x: x + 1.0, lambda x: x * 2.0, functools.partial(lambda k, x: x - k, 1.0).func]
    check(functions[0], 3.0)
    check(functions[1], 3.0)
    check(functions[2], 3.0, 1.0)


def test_text_that_linecache_knows():
    text = "def f(x):\n    return x * 3\n"
    linecache.cache["<a cell>"] = (len(text), None, text.splitlines(True), "<a cell>")
    space = {}
    exec(compile(text, "<a cell>", "exec"), space)
    check(space["f"], 2)


def test_functions_without_text_are_refused():
    space = {}
    exec("def f(x):\n    return x\n", space)
    with pytest.raises(SourceError, match="the source of f cannot be had"):
        program_of(space["f"], 1)


def test_a_file_that_changed_is_refused():
    text = "def f(x):\n    return x * 3\n"
    linecache.cache["<changed>"] = (len(text), None, text.splitlines(True), "<changed>")
    space = {}
    exec(compile("\n\n" + text, "<changed>", "exec"), space)
    with pytest.raises(SourceError, match="no such function"):
        program_of(space["f"], 2)


class Holder:
    @staticmethod
    def inside(x):
        return x * 2


def test_functions_in_classes():
    check(Holder.inside, 2)
