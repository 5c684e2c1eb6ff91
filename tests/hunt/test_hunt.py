"""A slice of the hunt: some seeds that are always the same, some that nobody has seen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .generator import generate
from .workers import reports

ROOT = Path(__file__).parents[2]
FRESH = int.from_bytes(os.urandom(4), "little") + 10**9


def hunted(first: int, device: str, seconds: float, count: int) -> list[str]:
    """What is wrong with the programs of some seeds."""
    seeds = iter(range(first, first + count))
    found = reports(seeds, device, min(2, os.cpu_count() or 1), time.monotonic() + seconds)
    wrong = [r for r in found if r.verdict.is_finding or r.verdict.kind == "generator"]
    again = f"python -m tests.hunt --device {device} --seed-only"
    return [f"{again} {r.seed}: {r.verdict.kind}: {r.verdict.text}" for r in wrong]


def test_every_seed_gives_the_same_program_again():
    for seed in range(20):
        assert generate(seed).source == generate(seed).source


def test_programs_of_fixed_seeds_give_cpythons_answers():
    assert not hunted(0, "cpu", 20.0, 60)


def test_programs_of_fresh_seeds_give_cpythons_answers():
    assert not hunted(FRESH, "cpu", 20.0, 10)


@pytest.mark.opencl
def test_programs_of_fresh_seeds_give_cpythons_answers_on_a_device():
    """In a process of its own: this one may have used the device, which those that it forks then cannot."""
    words = ["--device", "opencl", "--seconds", "60", "--workers", "2", "--seed", str(FRESH), "--count", "3"]
    done = subprocess.run([sys.executable, "-m", "tests.hunt", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^[1-9]\d* programs", done.stdout, re.MULTILINE), done.stdout
