"""Remedies are right: the code of every text of an error, put into its program, does what CPython does."""

from __future__ import annotations

import ast
import linecache
import re
import types

import numpy as np
import pytest

import weft
from weft.errors import Code, Error, MultipleErrors

from .test_texts import CASES

STATEMENT = re.compile(r"\bfor \w+ in\b|[\w\])] [+*/-]?= |:$")
"""What code would look like in a sentence."""

PLAIN = types.SimpleNamespace(
    jit=lambda f=None, **options: f if f is not None else (lambda g: g),
    prange=range,
    python=lambda f, *given, reads=(), writes=(), returns=None: f(*given),
    array=np.array,
)
"""What stands for Weft where CPython runs a program."""


@pytest.mark.parametrize(("path", "program", "text"), CASES)
def test_code_does_what_cpython_does(path, program, text, tmp_path):
    file = tmp_path / "example.py"
    errors = errors_of(program, file)
    codes = [error.code for error in errors if error.code is not None]
    if not codes:
        assert not any(STATEMENT.search(error.hint) for error in errors), "code in words, which nobody has tried"
        return
    changed = applied(program, codes)
    with_weft = outcome(changed, weft, tmp_path / "changed.py")
    expected = outcome(program, PLAIN, file)
    if isinstance(expected, BaseException):  # a mistake that CPython finds, too
        expected = outcome(changed, PLAIN, tmp_path / "changed.py")
    assert with_weft == expected


def test_some_texts_have_code():
    assert sum("\n    " in text.partition("Instead:")[2] for *_, text in (case.values for case in CASES)) >= 10


def errors_of(program: str, file) -> list[Error]:
    found = outcome(program, weft, file)
    if isinstance(found, MultipleErrors):
        return list(found.errors)
    return [found] if isinstance(found, Error) else []


def applied(program: str, codes: list[Code]) -> str:
    for code in sorted(codes, key=lambda code: -code.first):
        program = code.applied_to(program)
    return program


def outcome(program: str, library: object, file) -> object:
    """What the last statement of a program gives and what it leaves in its arguments, or what it raises."""
    tree = ast.parse(program)
    last = tree.body[-1]
    if not (isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)):
        last = ast.parse("(lambda: None)()").body[0]
        tree.body.append(last)
    given = ast.Tuple(last.value.args, ast.Load())
    tree.body[-1] = ast.Assign([ast.Name("GIVEN", ast.Store())], given)
    starred = ast.Call(last.value.func, [ast.Starred(ast.Name("GIVEN", ast.Load()), ast.Load())], [])
    tree.body.append(ast.Assign([ast.Name("RESULT", ast.Store())], starred))
    file.write_text(program, encoding="utf-8")
    linecache.checkcache(str(file))
    space = {"np": np, "weft": library, "__name__": "example"}
    try:
        exec(compile(ast.fix_missing_locations(tree), str(file), "exec", dont_inherit=True), space)
    except Exception as error:
        return error
    return plain(space["RESULT"]), plain(space["GIVEN"])


def plain(value: object) -> object:
    """A value that can be compared with ``==``."""
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.tolist()
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return value
