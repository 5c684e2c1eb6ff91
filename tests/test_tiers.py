"""The sample of large test functions that runs without `--all`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import sample, size

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

@pytest.mark.parametrize("k", range(100))
def test_large(k):
    assert k >= 0

@pytest.mark.parametrize("k", range(11))
def test_small(k):
    assert k >= 0

@pytest.mark.sample(2)
@pytest.mark.sample(4)
@pytest.mark.parametrize("k", range(3))
def test_costly(k):
    assert k >= 0

class TestClass:
    @pytest.mark.parametrize("k", range(100))
    def test_large(self, k):
        assert k >= 0
"""

OPTION = """
def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true")
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers = sample(cases): how many of its cases are in the sample\naddopts = --strict-markers\n"
    )
    return tmp_path


def run(folder, *arguments):
    """The number of cases that ran, and all that was printed."""
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "tests.tiers", *arguments]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    found = re.search(r"(\d+) passed", done.stdout)
    assert found, done.stdout + done.stderr
    return int(found[1]), done.stdout


@pytest.mark.parametrize(("cases", "expected"), [(1, 1), (8, 8), (11, 11), (12, 11), (100, 18), (10_000, 108)])
def test_size(cases, expected):
    assert size(cases) == expected


def test_a_sample_hangs_on_names_alone():
    names = [f"tests/test_some.py::test_it[{k}]" for k in range(1000)]
    assert sample(names) == sample(reversed(names))
    assert len(sample(names)) == size(1000)


def test_a_case_stays_in_the_sample_when_others_come():
    names = [f"tests/test_some.py::test_it[{k}]" for k in range(1000)]
    kept = sample([*names, *(f"tests/test_some.py::test_it[new {k}]" for k in range(10))])
    assert len(sample(names) & kept) >= size(1000) - 10
    assert sample(names) <= kept | set(names)


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_a_limit_counts_where_it_is_less(limit):
    names = [f"tests/test_some.py::test_it[{k}]" for k in range(4)]
    chosen = sample([*names, "tests/test_some.py::test_other"], {"tests/test_some.py::test_it": limit})
    assert len(chosen) == min(limit, 4) + 1


def test_so_many_cases_of_each_function_run_when_asked_for():
    names = [f"test_a[{k}]" for k in range(100)] + [f"test_b[{k}]" for k in range(30)]
    chosen = sample(names, least=40)
    assert [sum(name.startswith(function) for name in chosen) for function in ("test_a", "test_b")] == [40, 30]
    assert sample(names) < chosen


def test_cases_of_other_functions_do_not_count():
    names = [f"tests/test_some.py::test_{k}[only case]" for k in range(100)]
    assert sample(names) == set(names)


def test_large_functions_run_a_sample(folder):
    count, printed = run(folder)
    assert count == 2 * size(100) + 13
    assert "165 more cases are left out of this sample: `make test-all`, or `pytest --all`" in printed


def test_all_of_them_run_when_asked_for(folder):
    count, printed = run(folder, "--all")
    assert count == 214
    assert "more cases" not in printed


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("test_some.py::test_large", 100), ("test_some.py::test_large[99]", 1), ("test_some.py::TestClass", 100),
        ("test_some.py::TestClass::test_large", 100), ("test_some.py::test_costly", 3),
        ("test_some.py", 2 * size(100) + 13),
    ],
)  # fmt: skip
def test_tests_that_are_named_run_whole(folder, named, expected):
    assert run(folder, named)[0] == expected


def test_what_is_named_changes_nothing_for_others(folder):
    (folder / "test_others.py").write_text(TESTS)
    assert run(folder, "test_some.py::test_large", "test_others.py::TestClass", "test_others.py::test_small")[0] == 211


def test_what_a_choice_by_words_leaves_is_sampled(folder):
    assert run(folder, "test_some.py", "-k", "TestClass")[0] == size(100)


def test_processes_choose_the_same_cases_and_say_so_once(folder):
    count, printed = run(folder, "-n", "2", "test_some.py")
    assert count == 2 * size(100) + 13
    assert printed.count("165 more cases") == 1


def test_expected_texts_are_all_written(folder):
    (folder / "conftest.py").write_text(OPTION)
    assert run(folder, "--update-golden")[0] == 214
    assert run(folder)[0] == 2 * size(100) + 13
