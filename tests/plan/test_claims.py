"""What launches say of their kernels is proven; a plan with a copy too few, or one of what nobody wrote, is refused."""

import importlib
from dataclasses import replace

import numpy as np
import pytest

from tests.frontend.compare import program_of
from tests.plan.simulated import DEVICE, Simulated, placed
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.visit import rewrite, walk
from weft.plan.transfers import check
from weft.plan.transfers.check import check_plan

transfers = importlib.import_module("weft.plan.transfers.transfers")


def doubled(key, w, out):
    for i in range(w.shape[0]):
        out[i] = 2.0 * w[i]


def all_but_the_first(key, w, out):
    for i in range(1, w.shape[0]):
        out[i] = 2.0 * w[i]


def sums_by_key(key, w, out):
    for i in range(w.shape[0]):
        out[key[i]] += w[i]


def largest_by_key(key, w, out):
    for i in range(w.shape[0]):
        out[key[i]] = max(out[key[i]], w[i])


def stores_by_key(key, w, out):
    for i in range(w.shape[0]):
        out[key[i]] = w[i]


def stores_and_sums_by_key(key, w, out):
    for i in range(w.shape[0]):
        out[key[i]] = 2.0 * w[i]
    for i in range(w.shape[0]):
        if w[i] > 0.25:
            out[key[i]] += w[i]


def sums_by_key_in_steps(key, w, out):
    for t in range(3):
        for i in range(w.shape[0]):
            out[key[i]] += w[i]
        out[0] = t


FUNCTIONS = (
    doubled, all_but_the_first, sums_by_key, largest_by_key, stores_by_key, stores_and_sums_by_key,
    sums_by_key_in_steps,
)  # fmt: skip


def arguments():
    rng = np.random.default_rng(3)
    return rng.integers(0, 9, 9), rng.random(9), rng.random(9)


def plan(function):
    return placed(program_of(function, *arguments()))


def changed(program, change):
    return replace(program, body=rewrite(program.body, change))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_launches_say_what_their_kernels_touch(function):
    expected, found = arguments(), arguments()
    function(*expected)
    Simulated(function)(*found)
    np.testing.assert_allclose(found[2], expected[2])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_first_plan_is_proven(function, monkeypatch):
    answers = []
    monkeypatch.setattr(transfers, "is_proven", lambda *given: answers.append(check.is_proven(*given)) or answers[-1])
    plan(function)
    assert answers and all(answers)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_launch_that_hides_what_its_kernel_reads_is_found(function):
    with pytest.raises(InternalError, match="reads (w|key), and its launch does not say so"):
        check_plan(changed(plan(function), lambda s: replace(s, reads=s.writes) if isinstance(s, n.Launch) else s))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_launch_that_hides_what_its_kernel_writes_is_found(function):
    with pytest.raises(InternalError, match="writes out, and its launch does not say so"):
        check_plan(changed(plan(function), lambda s: replace(s, writes=()) if isinstance(s, n.Launch) else s))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_launch_that_says_more_than_its_kernel_writes_is_found(function):
    def change(statement):
        if not isinstance(statement, n.Launch):
            return statement
        return replace(statement, writes=tuple({*statement.writes, *statement.reads}))

    with pytest.raises(InternalError, match="does not write (w|key), and its launch says so"):
        check_plan(changed(plan(function), change))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_copy_to_the_device_that_is_missing_is_found(function):
    whole = plan(function)
    copies = [s for s in walk(whole.body) if isinstance(s, n.Copy) and (s.source, s.target) == (HOST, DEVICE)]
    first = [next(s for s in copies if s.view.stem == name) for name in ("w", "key") if name in names_of(copies)]
    assert first
    for copy in first:
        with pytest.raises(InternalError, match="may be old"):
            check_plan(changed(whole, lambda s: () if s == copy else s))


def names_of(copies):
    return {copy.view.stem for copy in copies}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_copy_home_of_what_nobody_wrote_there_is_found(function):
    def change(statement):
        is_given = isinstance(statement, n.Reserve) and statement.view.stem in ("w", "key", "out")
        return (statement, n.Copy(statement.view, DEVICE, HOST)) if is_given else statement

    with pytest.raises(InternalError, match="is copied to 'host', and .* may be old in the memory 'cuda'"):
        check_plan(changed(plan(function), change))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_copy_home_that_is_missing_is_found(function):
    def change(statement):
        return () if isinstance(statement, n.Copy) and statement.target == HOST else statement

    with pytest.raises(InternalError, match="may be old in the memory 'host'"):
        check_plan(changed(plan(function), change))
