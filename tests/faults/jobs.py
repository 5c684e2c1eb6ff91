"""What of the tests is run to find a fault, and in which order.

Only tests in which the function of a fault ran can find it; which these are is written down once, without a fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
CORPUS = "tests/faults/test_corpus.py"
LEFT_OUT = ("tests/faults/", "tests/docs/", "tests/benchmarks/", "tests/test_package.py", "tests/test_imports.py")
"""The faults themselves, and what does not run the compiler."""

TEXTS = (
    "tests/errors/test_texts.py", "tests/frontend/test_golden.py", "test_generated_c_is_as_expected",
    "test_kernels_are_as_expected", "test_plans_of_whole_programs_are_those_that_were_reviewed",
    "test_the_plan_is_a_loop_over_slabs",
)  # fmt: skip
"""Tests that compare with expected texts."""

SHARDS = {
    "tests/acceptance/test_programs.py": 32,
    "tests/acceptance/test_coherent_arrays.py": 8,
    "tests/acceptance/test_count.py": 4,
    "tests/acceptance/test_tiles.py": 6,
    "tests/acceptance/test_verdicts.py": 6,
    "tests/analysis/test_shadow.py": 6,
    "tests/backends/test_c_operations.py": 6,
    "tests/ir/test_semantics.py": 2,
    "tests/transform/test_pipeline.py": 4,
    "tests/plan/test_gates.py": 4,
    "tests/plan/test_simulated.py": 8,
    "tests/plan/test_well_formed.py": 6,
    "tests/random_programs/test_random_programs.py": 8,
}
"""Files that take long are run in so many parts."""

FEW = 12
"""Tests of one file that are tried before those of others."""

TOGETHER = 4
"""Files whose tests run in one process."""

SECONDS = 30.0
"""Seconds that the tests of one process take at most, if the fault does not slow them."""


@dataclass(frozen=True)
class Job:
    """Some tests, and which part of them."""

    paths: tuple[str, ...]
    shard: str = "0/1"
    is_text: bool = False


@dataclass
class Reached:
    """Which tests ran which functions, how long they took, and which fail without a fault."""

    seconds: dict[str, float] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)

    def add(self, lines: Iterable[str]) -> None:
        """Add what one process wrote."""
        for line in lines:
            kind, _, rest = line.partition(" ")
            if kind == "failed":
                self.failing.add(rest)
            elif kind == "reached":
                test, seconds, *targets = rest.split("\t")
                self.seconds[test] = float(seconds)
                for target in targets:
                    self.tests.setdefault(target, []).append(test)


def every_job() -> list[Job]:
    """All tests, the longest files first."""
    files = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tests").rglob("test_*.py"))
    chosen = [f for f in files if f == CORPUS or not f.startswith(LEFT_OUT)]
    long = [Job((f,), f"{k}/{SHARDS[f]}") for f in chosen if f in SHARDS for k in range(SHARDS[f])]
    return [*long, *(Job((f,)) for f in chosen if f not in SHARDS)]


def jobs_for(target: str, reached: Reached, stages: Sequence[str]) -> list[Job]:
    """The jobs for a fault: few tests of each file, likely ones first, then the others; expected texts at the end."""
    tests = [t for t in reached.tests.get(target, ()) if t not in reached.failing and _stage(t) in stages]
    texts = [t for t in tests if is_text(t)]
    files: dict[str, list[str]] = {}
    for test in tests:
        if not is_text(test):
            files.setdefault(test.partition("::")[0], []).append(test)
    ranked = sorted(files, key=lambda f: (-likelihood(target, f), f))
    first = {f: files[f][:: -(-len(files[f]) // FEW)] for f in ranked}
    rest = {f: [t for t in files[f] if t not in set(first[f])] for f in ranked}
    jobs = [job for some in (first, rest) for job in _cut(some, reached)]
    return [*jobs, *(job for job in _cut({"": texts}, reached, is_text=True))]


def _cut(files: dict[str, list[str]], reached: Reached, is_text: bool = False) -> Iterator[Job]:
    """Tests in jobs that take about as long as one another."""
    waiting: list[str] = []
    seconds, count = 0.0, 0
    for tests in files.values():
        for test in tests:
            waiting.append(test)
            seconds += reached.seconds[test]
            if seconds > SECONDS:
                yield Job(tuple(waiting), is_text=is_text)
                waiting, seconds, count = [], 0.0, 0
        count += bool(tests)
        if waiting and count >= TOGETHER:
            yield Job(tuple(waiting), is_text=is_text)
            waiting, seconds, count = [], 0.0, 0
    if waiting:
        yield Job(tuple(waiting), is_text=is_text)


def _stage(test: str) -> str:
    return "corpus" if test.startswith(CORPUS) else "suite"


def is_text(test: str) -> bool:
    """Whether a test compares with an expected text."""
    return any(name in test for name in TEXTS)


def likelihood(target: str, file: str) -> int:
    """How likely a file finds a fault: it is that of the folder, has words of the module's name, or is for all."""
    _, folder, *rest = target.partition(":")[0].split(".")
    common = len(_words("_".join(rest)) & _words(Path(file).stem))
    for_all = file.startswith((CORPUS, "tests/random_programs"))
    return 3 * common + 2 * file.startswith(f"tests/{folder}/") + 3 * for_all


def _words(name: str) -> set[str]:
    return {word.rstrip("s") for word in re.split(r"[_\W]+", name) if word not in ("test", "", "c")}
