"""The sanitizers find nothing in what Weft compiles and is compiled from, and do find mistakes that are there.

A few programs run in the ordinary suite; ``make sanitize`` runs all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

import pytest

from .instrumented import SANITIZERS, build_stub, missing, run

Run = Callable[..., "CompletedProcess[str]"]

PARTS = 16
A_FEW = 90
"""Of the acceptance programs, every 90th runs in the ordinary suite."""


@pytest.fixture(scope="session", params=SANITIZERS)
def kind(request: pytest.FixtureRequest) -> str:
    why = missing(request.param)
    if why:
        pytest.skip(why)
    return request.param


@pytest.fixture(scope="session")
def instrumented(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs commands of `tests.sanitizers.child` under a sanitizer."""
    folder = tmp_path_factory.mktemp(f"sanitized-{kind}")
    stub = build_stub(kind, folder)
    return lambda *arguments: run(kind, stub, folder / "store", arguments)


def check_clean(done: CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout[-300:] + done.stderr[:6000]


def test_a_few_acceptance_programs_are_clean(instrumented: Run) -> None:
    check_clean(instrumented("acceptance", "0", str(A_FEW)))


def test_calls_at_once_are_clean(instrumented: Run) -> None:
    check_clean(instrumented("callers"))


@pytest.mark.parametrize("what", ["limits", "lanes", "turns"])
def test_limits_lanes_and_turns_of_several_threads_are_clean(what: str, instrumented: Run) -> None:
    check_clean(instrumented(what))


def test_a_fork_is_clean(instrumented: Run) -> None:
    check_clean(instrumented("fork"))


def test_an_interrupted_call_is_clean(kind: str, instrumented: Run) -> None:
    if kind == "thread":
        pytest.skip("this sanitizer holds signals back until a system call, and the loop makes none")
    done = instrumented("interrupt")
    check_clean(done)
    assert "interrupted" in done.stdout


def test_a_mistake_is_found(kind: str, instrumented: Run) -> None:
    command, text = {"address": ("outside", "heap-buffer-overflow"), "thread": ("race", "data race")}[kind]
    done = instrumented(command)
    assert done.returncode != 0
    assert text in done.stderr


@pytest.mark.opencl
def test_a_few_programs_on_a_device_are_clean(kind: str, instrumented: Run) -> None:
    if kind == "thread":
        pytest.skip("the OpenCL runtime has threads of its own, which are not instrumented")
    check_clean(instrumented("acceptance", "7", str(A_FEW), "opencl"))


@pytest.mark.sanitize
@pytest.mark.parametrize("first", range(PARTS))
def test_all_acceptance_programs_are_clean(first: int, instrumented: Run) -> None:
    check_clean(instrumented("acceptance", str(first), str(PARTS)))


@pytest.mark.sanitize
@pytest.mark.parametrize("first", range(8))
def test_random_programs_are_clean(first: int, instrumented: Run) -> None:
    check_clean(instrumented("random", str(400_000 + 1000 * first), "50"))


@pytest.mark.opencl
@pytest.mark.sanitize
@pytest.mark.parametrize("first", range(PARTS))
def test_all_programs_on_a_device_are_clean(kind: str, first: int, instrumented: Run) -> None:
    if kind == "thread":
        pytest.skip("the OpenCL runtime has threads of its own, which are not instrumented")
    check_clean(instrumented("acceptance", str(first), str(PARTS), "opencl"))
