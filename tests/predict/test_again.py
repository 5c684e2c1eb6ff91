"""What a second prediction takes over from the first one, and what it must not."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.backends import c
from weft.cost.walk import Walker
from weft.runtime.dispatch import callee

from .test_counts import chains, limits, softmax, tetrahedron, triangle, whole


def kept(u, v):
    for i in range(u.shape[0]):
        if u[i] > 0.5:
            v[i] = math.exp(u[i % 7])


def gathered(u, order, v):
    for i in range(v.shape[0]):
        v[i] = u[order[i]]


def seconds(function, *args):
    return weft.predict(function, *args, device="cpu").seconds


@pytest.fixture
def forget(monkeypatch):
    """Forgets what this process knows of functions."""

    def forgotten():
        monkeypatch.setattr(callee, "_specialisations", {})

    forgotten()
    return forgotten


@pytest.fixture
def another_process(forget, monkeypatch):
    """Forgets that too, and makes no program from then on."""

    def start():
        from weft import frontend

        forget()
        monkeypatch.setattr(frontend, "build", lambda *args: pytest.fail("built again"))

    return start


def test_calls_of_one_kind_are_counted_once(monkeypatch):
    compiled = weft.jit(gathered)
    given = (weft.spec(1 << 20, "f8"), weft.spec(1000, "i8"), weft.spec(1000, "f8"))
    first = seconds(compiled, *given)
    monkeypatch.setattr(Walker, "run", lambda self: pytest.fail("counted again"))
    assert seconds(compiled, *given) == first


def test_other_elements_are_looked_at_anew():
    u, v = np.zeros(4096, "f4"), np.zeros(4096, "f4")
    compiled = weft.jit(kept)
    never = seconds(compiled, u, v)
    u[:] = 1.0
    always = seconds(compiled, u, v)
    u[:] = 0.0
    assert never < always
    assert seconds(compiled, u, v) == never


def test_other_sizes_numbers_and_trips_are_counted_anew():
    def rounds(u, n):
        for i in range(u.shape[0]):
            x = u[i]
            for _ in range(n):
                x = math.sin(x)
            while x > 0.5:
                x *= 0.5
            u[i] = x

    compiled = weft.jit(rounds)
    line = f"line {rounds.__code__.co_firstlineno + 5}"
    u, w = weft.spec(1000, "f8"), weft.spec(4000, "f8")
    times = [seconds(compiled, *given) for given in ((u, 10), (u, 100), (w, 100))]
    assert times == sorted(set(times))
    few, many = (weft.predict(compiled, u, 10, device="cpu", trips={line: trips}).seconds for trips in (1, 1000))
    assert few < many


def test_few_demands_are_remembered():
    compiled = weft.jit(gathered, device="cpu")
    for size in range(100, 300):
        seconds(compiled, *(weft.spec(size, dtype) for dtype in ("f8", "i8", "f8")))
    specialisation, _ = compiled.laid_out(*(np.zeros(9, dtype) for dtype in ("f8", "i8", "f8")))
    assert len(specialisation.demands) == 64


def test_another_process_finds_the_program_in_the_store(own_store, another_process):
    given = (weft.spec(1 << 20, "f8"), weft.spec(1000, "i8"), weft.spec(1000, "f8"))
    first = weft.predict(gathered, *given, device="cpu")
    another_process()
    again = weft.predict(gathered, *given, device="cpu")
    assert again == first
    with pytest.raises(pytest.fail.Exception, match="built again"):
        weft.predict(kept, *(weft.spec(10, "f8"),) * 2, device="cpu")


def test_what_was_compiled_is_not_made_again_to_predict_it(own_store, another_process):
    u, v = np.ones(100), np.zeros(100)
    weft.jit(kept)(u, v)
    another_process()
    assert weft.predict(kept, u, v, device="cpu").compile_seconds == 0


def test_a_damaged_program_in_the_store_is_made_again(own_store, forget):
    given = (weft.spec(1 << 20, "f8"), weft.spec(1000, "i8"), weft.spec(1000, "f8"))
    first = weft.predict(gathered, *given, device="cpu")
    (entry,) = own_store.glob("1/laid out/*/*")
    entry.write_bytes(entry.read_bytes()[:-7] + b"1234567")
    forget()
    assert weft.predict(gathered, *given, device="cpu") == first


@pytest.mark.parametrize("function", [triangle, tetrahedron, chains, softmax, limits, whole], ids=lambda f: f.__name__)
def test_a_program_from_the_store_gives_the_same_code(function, own_store, forget):
    given = (np.ones((20, 20)), np.ones(20))
    made = c.generate(weft.jit(function, device="cpu").laid_out(*given)[0].shaped()).source
    forget()
    assert c.generate(weft.jit(function, device="cpu").laid_out(*given)[0].shaped()).source == made
    assert len(list(own_store.glob("1/laid out/*/*"))) == 1
