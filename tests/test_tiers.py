"""The sample of large test functions that runs without `--all`."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import costs
from tests.tiers import affordable, sample, size

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


def test_costly_functions_run_as_many_cases_as_their_time_has_room_for():
    names = [f"test_a[{k}]" for k in range(100)]
    assert [len(sample(names, seconds=1.0, costly={"test_a": cost})) for cost in (0.01, 0.25, 0.3, 1.0)] == [
        18,
        4,
        3,
        1,
    ]
    assert len(sample(names, least=50, seconds=10.0, costly={"test_a": 0.25})) == 40


def test_functions_take_their_time_on_average_where_one_case_takes_longer():
    functions = [f"tests/test_some.py::test_{k}" for k in range(4000)]
    chosen = sample(functions, seconds=0.5, costly=dict.fromkeys(functions, 2.0))
    assert 900 < len(chosen) < 1100
    assert chosen < sample(functions, seconds=1.0, costly=dict.fromkeys(functions, 2.0))
    assert sample(functions, least=64, seconds=0.5, costly=dict.fromkeys(functions, 2.0)) == set(functions)


def test_the_larger_sample_has_all_of_the_quick_one():
    """The second run of `.ci/run` is that of everything that the first one put into the store."""
    said = re.search(r"--cases (\d+) --seconds ([\d.]+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    table = costs.known()
    names = [f"{function}[{k}]" for function in [*table, "test_cheap"] for k in range(100)]
    assert sample(names, dict.fromkeys(table, 2), costly=table) < sample(
        names, least=int(said[1]), seconds=float(said[2]), costly=table
    )


def test_a_function_that_costs_nothing_known_is_cheap():
    assert affordable("test_new", 0.1, 0.0) > 10**6


def test_the_table_of_costs_names_functions_that_there_are():
    """After a function was renamed or removed its line is too: `pytest FILE --record-costs` writes those of a file."""
    table = costs.known()
    for function, seconds in table.items():
        file, _, name = function.partition("::")
        assert f"def {name.rpartition('::')[2]}(" in _text(file), function
        assert seconds >= costs.CHEAP
    assert len(table) > 500


@functools.cache
def _text(file):
    path = ROOT / file
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_what_tests_cost_is_recorded(folder):
    (folder / "costs.json").write_text('{"test_gone.py::test_gone": 3.0}')
    (folder / "test_some.py").write_text("def test_busy():\n    sum(range(10_000_000))\n\ndef test_idle():\n    pass\n")
    plugin = "import pathlib\nfrom tests import costs\ncosts.FILE = pathlib.Path(__file__).with_name('costs.json')\n"
    (folder / "conftest.py").write_text(plugin)
    run(folder, "-p", "tests.costs", "-n", "2", "--record-costs")
    assert list(json.loads((folder / "costs.json").read_text())) == [
        "test_gone.py::test_gone",
        "test_some.py::test_busy",
    ]


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
