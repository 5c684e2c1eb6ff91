"""Whole programs as new users write them: run as they stand, with CPython's answers and its output.

`programs/*.txt` hold the programs, each under a line with its name. `main` is plain Python.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft

FOLDER = Path(__file__).parent / "programs"
IMPORTS = """
import collections, dataclasses, enum, functools, abc, math, typing
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import ClassVar, NamedTuple, Optional
"""


def plain_jit(function=None, **options):
    return function if callable(function) else lambda inner: inner


PLAIN = types.SimpleNamespace(
    jit=plain_jit, njit=plain_jit, prange=range, python=lambda f, *given, reads=(), writes=(), returns=None: f(*given)
)


def programs() -> list[Any]:
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        parts = re.split(r"^### (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
        found += [
            pytest.param(text, id=f"{path.stem}-{name}") for name, text in zip(parts[::2], parts[1::2], strict=True)
        ]
    return found


@pytest.mark.parametrize("text", programs())
def test_program_does_what_cpython_does(text, tmp_path, capsys):
    expected = outcome(text, PLAIN, tmp_path / "plain.py"), capsys.readouterr().out
    got = outcome(text, weft, tmp_path / "compiled.py"), capsys.readouterr().out
    assert_same(got, expected)


def outcome(text: str, library: Any, file: Path) -> Any:
    """What `main` gives, or what it raises."""
    text = re.sub(r"^from weft import .*\n", "jit, njit, prange = weft.jit, weft.njit, weft.prange\n", text, flags=re.M)
    file.write_text(text, encoding="utf-8")
    linecache.checkcache(str(file))
    module = types.ModuleType(f"program_{file.stem}")
    sys.modules[module.__name__] = module
    module.__dict__.update(weft=library, np=np)
    try:
        exec(IMPORTS, module.__dict__)
        exec(compile(ast.parse(text), str(file), "exec", dont_inherit=True), module.__dict__)
        with np.errstate(all="ignore"):
            np.random.seed(3)
            return module.main()
    except Exception as error:
        return error
    finally:
        del sys.modules[module.__name__]


def assert_same(got: Any, expected: Any) -> None:
    """Values with their types; floats but for the last digits, since sums are added in another order."""
    if isinstance(expected, Exception) and isinstance(expected, getattr(builtins, type(expected).__name__, ())):
        assert isinstance(got, type(expected))
        return
    assert type(got).__qualname__ == type(expected).__qualname__
    if isinstance(got, (tuple, list)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            assert_same(one, other)
    elif isinstance(got, dict):
        assert list(got) == list(expected)
        assert_same(list(got.values()), list(expected.values()))
    elif isinstance(got, np.ndarray):
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)
    elif isinstance(got, (float, complex)):
        assert got == pytest.approx(expected, rel=1e-12, nan_ok=True)
    elif isinstance(got, Exception):
        assert str(got) == str(expected)
    else:
        assert got == expected
