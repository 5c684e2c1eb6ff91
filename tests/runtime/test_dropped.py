"""Functions that are dropped let go of what was made for them: their code, specialisations and syntax trees."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

import weft
from weft.frontend.source import source
from weft.runtime.dispatch import callee

COUNT = 2 * callee.RECENT + 8


def make(folder: Path, number: int):
    """A function of a file of its own."""
    path = folder / f"made_{number}.py"
    path.write_text(
        f"def f(a):\n    s = 0.0\n    for i in range(a.shape[0]):\n        s += a[i] * {number}.5\n    return s\n"
    )
    names: dict[str, object] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names["f"]


@pytest.mark.sample(0)
def test_dropped_functions_are_let_go(tmp_path, own_store, monkeypatch):
    monkeypatch.setattr(callee, "_recent", {})
    a, plain, handles = np.ones(4), [], []
    for number in range(COUNT):
        function = weft.jit(make(tmp_path, number))
        assert function(a) == 4 * (number + 0.5)
        plain.append(weakref.ref(function.__wrapped__.__code__))
        handles.append(weakref.ref(function._callee.specialisations[0].family))
        del function
    gc.collect()
    assert sum(ref() is not None for ref in plain) <= 1
    assert sum(ref() is not None for ref in handles) <= callee.RECENT
    assert len(source._parsed) <= source.FILES


@pytest.mark.sample(0)
def test_functions_that_are_held_keep_their_code(tmp_path, own_store):
    a = np.ones(4)
    functions = [weft.jit(make(tmp_path, 1000 + number)) for number in range(callee.RECENT + 5)]
    assert [f(a) for f in functions] == [4 * (1000.5 + number) for number in range(len(functions))]
    gc.collect()
    made = [f._callee.specialisations[0] for f in functions]
    assert [f(a) for f in functions] == [4 * (1000.5 + number) for number in range(len(functions))]
    assert [f._callee.specialisations[0] for f in functions] == made


def test_a_function_that_is_made_again_finds_its_code(tmp_path, own_store):
    plain = make(tmp_path, 1)
    first = weft.jit(plain)
    first(np.ones(3))
    made = weakref.ref(first._callee.specialisations[0].family)
    del first
    gc.collect()
    again = weft.jit(plain)
    again(np.ones(3))
    assert again._callee.specialisations[0].family is made()
