"""Type checkers see through the decorator: signatures survive it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

PROGRAM = """
from typing import Any
import numpy as np
import weft

Array = np.ndarray[Any, np.dtype[np.float64]]

@weft.jit
def plain(a: Array, k: int) -> float:
    return float(a[0]) * k

@weft.jit(device="cpu", disable=("licm",))
def with_options(a: Array, k: int = 2) -> float:
    return float(a[0]) * k

def bare(a: Array) -> Array:
    return a

class Thing:
    @weft.jit
    def method(self, a: Array) -> int:
        return len(a)

@weft.parallel_for(3)
def body(i: int) -> None:
    pass

reveal_type(plain(np.zeros(3), 1))
reveal_type(with_options(np.zeros(3)))
reveal_type(weft.jit(bare)(np.zeros(3)))
reveal_type(weft.jit(bare, device="cpu")(np.zeros(3)))
reveal_type(Thing().method(np.zeros(3)))
reveal_type(body)
plain(np.zeros(3), "x")
plain(np.zeros(3))
Thing().method(1)
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("typing")
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


@pytest.mark.sample(0)
def test_results_have_their_types(said):
    revealed = [text.replace("builtins.", "") for text in re.findall(r'Revealed type is "(.*)"', said)]
    array = next(text for text in revealed if "ndarray" in text)
    assert revealed == ["float", "float", array, array, "int", "def (i: int)"], said


def test_wrong_arguments_are_found(said):
    assert len(re.findall(r"error: ", said)) == 3, said
    assert 'Argument 2 to "__call__" of "Function" has incompatible type "str"; expected "int"' in said
    assert 'Missing positional argument "k"' in said
