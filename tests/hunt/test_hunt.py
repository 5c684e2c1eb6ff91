"""A slice of the hunt: some seeds that are always the same, some that nobody has seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from . import everyday, grammars, nests, whole_arrays
from .generator import generate
from .oracle import run
from .program import forget, function_of
from .workers import reports

ROOT = Path(__file__).parents[2]
FRESH = int.from_bytes(os.urandom(4), "little") + 10**9


def hunted(first: int, device: str, seconds: float, count: int) -> list[str]:
    """What is wrong with the programs of some seeds."""
    seeds = iter(range(first, first + count))
    found = reports(seeds, device, min(2, os.cpu_count() or 1), time.monotonic() + seconds)
    wrong = [r for r in found if r.verdict.is_finding or r.verdict.kind == "generator"]
    again = f"python -m tests.hunt --grammar {grammars.chosen()} --device {device} --seed-only"
    return [f"{again} {r.seed}: {r.verdict.kind}: {r.verdict.text}" for r in wrong]


@pytest.fixture
def everyday_programs(monkeypatch):
    monkeypatch.setattr(grammars, "_chosen", "everyday")


@pytest.fixture
def array_programs(monkeypatch):
    monkeypatch.setattr(grammars, "_chosen", "arrays")


@pytest.fixture
def nest_programs(monkeypatch):
    monkeypatch.setattr(grammars, "_chosen", "nests")


def test_every_seed_gives_the_same_program_again():
    for seed in range(20):
        assert generate(seed).source == generate(seed).source
        assert everyday.generate(seed).source == everyday.generate(seed).source
        assert whole_arrays.generate(seed).source == whole_arrays.generate(seed).source
        assert nests.generate(seed).source == nests.generate(seed).source


@pytest.mark.parametrize(
    ("name", "makers"),
    [("both", (grammars.generator, everyday)), ("all", (grammars.generator, everyday, whole_arrays, nests))],
)
def test_grammars_take_turns(name, makers, monkeypatch):
    monkeypatch.setattr(grammars, "_chosen", name)
    for seed in range(8):
        assert grammars.generate(seed).source == makers[seed % len(makers)].generate(seed).source


def test_every_piece_of_array_programs_is_drawn():
    programs = [whole_arrays.generate(seed) for seed in range(300)]
    drawn = frozenset().union(*(program.features for program in programs))
    assert drawn == {statement.__name__ for statement, _ in whole_arrays.STATEMENTS}
    sources = "".join(program.source for program in programs)
    assert all(f"def {name}(" in sources for name in whole_arrays.HELPERS)
    assert all(word in sources for word in ("keepdims", "dtype=", "@", "None", "...", "argmax", "np.where", "out="))


def test_few_array_programs_are_faulty_or_refused():
    """Most calls compute something: exceptions that come early hide what follows."""
    fine = total = 0
    for seed in range(100):
        program = whole_arrays.generate(seed)
        function = function_of(program.source)
        fine += run(function, program.calls[0]).error is None
        total += 1
        forget(function)
    assert fine > 0.7 * total


def test_every_piece_of_everyday_programs_is_drawn():
    drawn = frozenset().union(*(everyday.generate(seed).features for seed in range(200)))
    assert drawn == {piece.__name__ for piece in everyday.PIECES}
    sources = "".join(everyday.generate(seed).source for seed in range(200))
    assert all(f"def {name}(" in sources for name in everyday.HELPERS)
    assert all(f"class {name}" in sources for name in everyday.CLASSES)


def test_every_piece_of_nests_is_drawn():
    programs = [nests.generate(seed) for seed in range(300)]
    drawn = frozenset().union(*(program.features for program in programs))
    assert drawn == {piece.__name__ for piece in nests.PIECES}
    assert all(any(f"def {name}(" in program.source for program in programs) for name in nests.HELPERS)
    assert any(call.aliased for program in programs for call in program.calls)


@pytest.mark.sample(0)
@pytest.mark.usefixtures("nest_programs")
@pytest.mark.parametrize("device", ["cpu", "plan"])
@pytest.mark.parametrize("first", [0, FRESH], ids=["fixed", "fresh"])
def test_nests_give_cpythons_answers(first, device):
    assert not hunted(first, device, 15.0, 12)


@pytest.mark.usefixtures("nest_programs")
def test_nests_of_fresh_seeds_give_cpythons_answers_as_on_a_device():
    assert not hunted(FRESH, "plan", 10.0, 3)


@pytest.mark.sample(0)
def test_programs_of_fixed_seeds_give_cpythons_answers():
    assert not hunted(0, "cpu", 20.0, 60)


@pytest.mark.sample(0)
def test_programs_of_fresh_seeds_give_cpythons_answers():
    assert not hunted(FRESH, "cpu", 20.0, 10)


@pytest.mark.sample(0)
@pytest.mark.usefixtures("everyday_programs")
def test_everyday_programs_give_cpythons_answers():
    assert not hunted(0, "cpu", 20.0, 40)


@pytest.mark.usefixtures("everyday_programs")
def test_everyday_programs_of_fresh_seeds_give_cpythons_answers():
    assert not hunted(FRESH, "cpu", 20.0, 10)


@pytest.mark.sample(0)
@pytest.mark.usefixtures("array_programs")
def test_array_programs_give_cpythons_answers():
    assert not hunted(0, "cpu", 20.0, 40)


@pytest.mark.usefixtures("array_programs")
@pytest.mark.parametrize("first", [0, FRESH], ids=["fixed", "fresh"])
def test_array_programs_give_cpythons_answers_by_the_interpreter(first):
    assert not hunted(first, "interpreter", 10.0, 60)


@pytest.mark.sample(0)
@pytest.mark.opencl
def test_programs_of_fresh_seeds_give_cpythons_answers_on_a_device():
    """In a process of its own: this one may have used the device, which those that it forks then cannot."""
    words = ["--device", "opencl", "--seconds", "60", "--workers", "2", "--seed", str(FRESH), "--count", "3"]
    done = subprocess.run([sys.executable, "-m", "tests.hunt", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^[1-9]\d* programs", done.stdout, re.MULTILINE), done.stdout
