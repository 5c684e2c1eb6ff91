"""Three tiers of tests: a sample that is quick, a larger one by ``--seconds`` and ``--cases``, and all by ``--all``.

A few test functions have hundreds or thousands of cases: every program on every device, every function for every type.
Without ``--all`` such a function runs 8 + sqrt(n) of its n cases, and no more than the time that each function is
allotted has room for: `costs.json` says how many CPU seconds a case takes. Where one case takes longer than that, a
hash decides whether it runs: of a hundred functions whose case takes four times as long as allotted, about 25 run one.
So the functions of a sample take on average no more than their time, and functions of every kind are among them.

Which cases and functions run depends on their names alone, not on the day, the machine, or the process: they are the
same each time, and in all processes of a run. What the command line names runs whole
(``tests/ir/test_text.py::test_text``). Tests that take seconds may say themselves how many of their cases are in the
sample: ``@pytest.mark.sample(1)``, or 0.

``--seconds 1.5`` allots each function that many CPU seconds, and ``--cases 64`` lets up to 64 cases of it run, and one
case of each function at least. `.ci/run` gives both in its second run, which finds a store that is filled.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pytest

from tests import costs

_left_out = pytest.StashKey[int]()
_KEY = "cases_left_out"

ALLOTTED = 0.4
"""CPU seconds that a test function may take in the quick sample."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run every case, not a sample of those of large test functions")
    parser.addoption(
        "--cases", type=int, default=0, help="run so many cases of each function, or as many as the sample"
    )
    parser.addoption(
        "--seconds", type=float, default=ALLOTTED, help="CPU seconds for each function (default: %(default)s)"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the cases that are not in the sample out of the run."""
    if config.option.all or config.getoption("update_golden", False):
        return
    named = Named(config)
    others = [item for item in items if item not in named]
    least = config.option.cases
    limits = {} if least else _limits(others)
    chosen = sample([item.nodeid for item in others], limits, least, config.option.seconds, costs.known())
    left_out = [item for item in others if item.nodeid not in chosen]
    config.stash[_left_out] = len(left_out)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that started this one how many cases were left out, where there is one."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_KEY] = session.config.stash.get(_left_out, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every process of a run leaves out the same cases."""
    node.config.stash[_left_out] = max(
        node.config.stash.get(_left_out, 0), getattr(node, "workeroutput", {}).get(_KEY, 0)
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(_left_out, 0):
        terminalreporter.write_line(
            f"{count:,} more cases are left out of this sample: `make test-all`, or `pytest --all`", yellow=True
        )


class Named:
    """The tests that the command line names one by one."""

    def __init__(self, config: pytest.Config) -> None:
        folder = config.invocation_params.dir
        parts = [argument.partition("::") for argument in config.args]
        self._tests = [((folder / file).resolve(), test) for file, _, test in parts if test]

    def __contains__(self, item: pytest.Item) -> bool:
        test = item.nodeid.partition("::")[2]
        return any(item.path.resolve() == file and _is_part(test, name) for file, name in self._tests)


def _is_part(test: str, name: str) -> bool:
    """Whether a test is the one of that name, a case of it, or in the class of that name."""
    return test == name or test.startswith((f"{name}[", f"{name}::"))


def _limits(items: Iterable[pytest.Item]) -> dict[str, int]:
    """How many cases the functions ask for that have the marker; of several the smallest."""
    limits: dict[str, int] = {}
    for item in items:
        for marker in item.iter_markers("sample"):
            function = costs.function_of(item.nodeid)
            limits[function] = min(marker.args[0], limits.get(function, marker.args[0]))
    return limits


def sample(
    names: Iterable[str],
    limits: Mapping[str, int] = MappingProxyType({}),
    least: int = 0,
    seconds: float = ALLOTTED,
    costly: Mapping[str, float] = MappingProxyType({}),
) -> set[str]:
    """The names of the cases that run.

    Parameters
    ----------
    names
        All cases.
    limits
        How many cases of a function run at most.
    least
        How many cases of every function run, or as many as in the sample, where they are not too costly. Where it is
        more than none, one case of every function runs, whatever it costs.
    seconds
        What every function is allotted.
    costly
        What a case of a function takes; what is not there is cheap.
    """
    functions: dict[str, list[str]] = defaultdict(list)
    for name in names:
        functions[costs.function_of(name)].append(name)
    sizes = {
        function: min(
            max(size(len(cases)), least),
            limits.get(function, len(cases)),
            max(affordable(function, seconds, costly.get(function, 0.0)), min(least, 1)),
        )
        for function, cases in functions.items()
    }
    return {name for function, cases in functions.items() for name in sorted(cases, key=_place)[: sizes[function]]}


def affordable(function: str, seconds: float, cost: float) -> int:
    """How many cases of a function fit into its time; where not even one does: 1 for some functions, 0 for others."""
    if cost <= 0.0:
        return 10**9
    if cost <= seconds:
        return int(seconds / cost)
    chance = int.from_bytes(_place(function)[:8], "big") / 2**64
    return int(chance < seconds / cost)


def size(cases: int) -> int:
    """How many cases of so many run, where a function does not say it."""
    return min(cases, 8 + math.isqrt(cases))


def _place(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
