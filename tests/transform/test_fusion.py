"""Neighbouring loops that become one, and arrays that become numbers then."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import weft
from tests.transform.same import assert_same
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.transform.loops import fusion as fusing
from weft.transform.loops.array_contraction import array_contraction
from weft.transform.loops.fusion import fusion
from weft.transform.loops.inline_producers import inline_producers
from weft.transform.pipeline import ORDER, optimise

SIZES = (0, 1, 2, 3, 7, 20)


# ---------------------------------------------------------------------------------------------------- joined


def chain(a, b, c, m, q):
    t = a * b
    u = t + c
    return np.sqrt(np.abs(u)) - t


def in_place(a, b, c, m, q):
    t = a - b
    t *= c
    t += 1.0
    return t


def zeros_that_are_added_to(a, b, c, m, q):
    total = np.zeros_like(m)
    total += m
    total += 2.0 * q
    return total


def written_loops(a, b, c, m, q):
    for i in range(len(a)):
        b[i] = a[i] * 2.0
    for k in range(len(a)):
        c[k] = b[k] + a[k]


def nests(a, b, c, m, q):
    for i in range(m.shape[0]):
        for j in range(1, m.shape[1]):
            m[i, j] = q[i, j - 1] + 1.0
    for k in range(m.shape[0]):
        for l in range(1, m.shape[1]):
            q[k, l - 1] = m[k, l] * 0.5


def earlier_elements(a, b, c, m, q):
    """The second loop reads what earlier iterations of the first one wrote: that is parallel no more."""
    for i in range(1, len(a)):
        b[i] = a[i] * 2.0
    for i in range(1, len(a)):
        c[i] = b[i - 1] + b[i]


def sums(a, b, c, m, q):
    x = y = 0.0
    for i in range(len(a)):
        x += a[i] * 0.5
    for i in range(len(a)):
        y += a[i] * b[i]
    return x, y


def branches(a, b, c, m, q):
    for i in range(len(a)):
        if a[i] > 0.5:
            b[i] = a[i]
    for i in range(len(a)):
        if b[i] > 0.25:
            c[i] = b[i]
        else:
            c[i] = a[i]


def in_a_time_loop(a, b, c, m, q):
    for _ in range(3):
        t = a + b
        c[:] = t * 0.5
        a[:] = c - t
    return c


JOINED = (chain, in_place, zeros_that_are_added_to, written_loops, nests, sums, branches, in_a_time_loop)


# ----------------------------------------------------------------------------------------------------- apart


def later_elements(a, b, c, m, q):
    for i in range(len(a) - 1):
        b[i] = a[i] * 2.0
    for i in range(len(a) - 1):
        c[i] = b[i + 1]


def overwrites_what_is_read_later(a, b, c, m, q):
    for i in range(len(a) - 1):
        b[i] = a[i + 1] * 2.0 + a[i]
    for i in range(len(a) - 1):
        a[i] = b[i] - 1.0


def overwrites_what_was_read_before(a, b, c, m, q):
    for i in range(1, len(a)):
        b[i] = a[i - 1] * 2.0
    for i in range(1, len(a)):
        a[i] = b[i] - 1.0


def backwards(a, b, c, m, q):
    for i in range(len(a)):
        b[i] = a[i] + 1.0
    for i in range(len(a)):
        c[i] = b[len(a) - 1 - i]


def columns_for_rows(a, b, c, m, q):
    for i in range(m.shape[0]):
        for j in range(m.shape[0]):
            m[i, j] = q[i, j] + 1.0
    for i in range(m.shape[0]):
        for j in range(m.shape[0]):
            q[i, j] = m[j, i]


def a_sum_between(a, b, c, m, q):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    for i in range(len(a)):
        b[i] = a[i] / (s + 1.0)
    return s


def a_sum_used_inside(a, b, c, m, q):
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            s += m[i, j]
        for j in range(m.shape[1]):
            m[i, j] *= s


def other_iterations(a, b, c, m, q):
    for i in range(len(a)):
        b[i] = a[i] * 2.0
    for i in range(1, len(a)):
        c[i] = b[i]


def nothing_in_common(a, b, c, m, q):
    for i in range(len(a)):
        b[i] = 2.0
    for i in range(len(a)):
        c[i] = 1.0


def a_product(a, b, c, m, q):
    p = m @ q
    return p + m


def may_raise(a, b, c, m, q):
    for i in range(len(a)):
        b[i] = a[i] * 2.0
    for i in range(len(a)):
        c[i] = b[i] + 1 // (i - 5)


APART = (
    later_elements, overwrites_what_is_read_later, overwrites_what_was_read_before, backwards, columns_for_rows,
    a_sum_between, a_sum_used_inside, other_iterations, nothing_in_common, earlier_elements, may_raise,
)  # fmt: skip


FOLDING = (sums, a_sum_between, a_sum_used_inside, a_product)


def arguments() -> Iterator[tuple[Any, ...]]:
    rng = np.random.default_rng(1)
    for size in SIZES:
        yield rng.random(size), rng.random(size), rng.random(size), rng.random((size, size)), rng.random((size, size))


def simplified(function: Callable[..., Any]) -> n.Program:
    """The program as the pass sees it."""
    program = build(function, [describe(x) for x in next(arguments())])
    for run in ORDER[: ORDER.index(fusion)]:
        program = run(program)
    return program


def loops(program: n.Program) -> list[n.For]:
    return [s for s in walk(program.body) if isinstance(s, n.For)]


def arrays(program: n.Program) -> list[n.Let]:
    return [s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]


def test_an_array_that_cannot_be_made_is_an_error_in_its_place() -> None:
    def short(a, b, c, m, q):
        for i in range(len(a)):
            b[i] = a[i] * 2.0
        t = np.zeros(len(a) - 3)
        for i in range(len(a)):
            c[i] = b[i] + 1.0
        return t

    program = simplified(short)
    assert_same(program, fusion(program), *arguments())
    compiled = weft.jit(short, device="cpu")
    mine, theirs = ([x.copy() for x in next(a for a in arguments() if len(a[0]) == 1)] for _ in range(2))
    for function, values in ((compiled, mine), (short, theirs)):
        with pytest.raises(ValueError, match="negative dimensions"):
            function(*values)
    np.testing.assert_array_equal(mine[1], theirs[1])
    np.testing.assert_array_equal(mine[2], theirs[2])


@pytest.mark.parametrize("function", JOINED, ids=lambda f: f.__name__)
def test_loops_are_joined(function: Any) -> None:
    program = simplified(function)
    after = fusion(program)
    assert len(loops(after)) < len(loops(program))
    assert len({loop.label for loop in loops(after)}) == len(loops(after))


@pytest.mark.parametrize("function", (*APART, a_product), ids=lambda f: f.__name__)
def test_others_stay_apart(function: Any) -> None:
    program = simplified(function)
    assert fusion(program) is program


@pytest.mark.parametrize("function", (*JOINED, *APART, a_product), ids=lambda f: f.__name__)
def test_the_results_are_the_same(function: Any) -> None:
    program = simplified(function)
    assert_same(program, array_contraction(fusion(program)), *arguments())
    source = build(function, [describe(x) for x in next(arguments())])
    for checked in (False, True):
        after = optimise(source, checked=checked, verify=True)
        assert_same(source, after, *arguments(), exact=function not in FOLDING)


@pytest.mark.parametrize(
    ("function", "left"), ((chain, 1), (in_place, 1), (zeros_that_are_added_to, 1), (in_a_time_loop, 0))
)
def test_what_is_used_at_once_is_no_array(function: Any, left: int) -> None:
    assert len(arrays(array_contraction(fusion(simplified(function))))) == left


def test_an_array_that_is_returned_stays() -> None:
    def kept(a, b, c, m, q):
        t = a * b
        return t, t + c

    after = array_contraction(fusion(simplified(kept)))
    assert len(loops(after)) == 1
    assert len(arrays(after)) == 2


# ---------------------------------------------------------------------------------------------------- random


def program_of(rng: random.Random) -> str:
    """Two to four neighbouring loops over arrays with small distances, some of them nests."""
    lines = ["def f(a, b, c, m, q):"]
    low, high = rng.choice((0, 1, 2)), rng.choice((0, 1, 2))
    for _ in range(rng.randint(2, 4)):
        if rng.random() < 0.3:
            target, source = rng.sample(("m", "q"), 2)
            lines += [
                f"    for i in range({low}, m.shape[0] - {high}):",
                f"        for j in range({low}, m.shape[1] - {high}):",
                f"            {target}[{place(rng, 'i', low, high)}, {place(rng, 'j', low, high)}] = "
                f"{source}[{place(rng, 'i', low, high)}, {place(rng, 'j', low, high)}] * 0.5 + a[i]",
            ]
            continue
        target, source, other = rng.sample(("a", "b", "c"), 3)
        place_of = place(rng, "i", low, high)
        lines += [
            f"    for i in range({low}, len(a) - {high}):",
            f"        {target}[{place_of}] = {source}[{place(rng, 'i', low, high)}] * 0.5 + "
            f"{rng.choice((source, other, target))}[{place(rng, 'i', low, high)}]",
        ]
    return "\n".join(lines) + "\n"


def place(rng: random.Random, counter: str, low: int, high: int) -> str:
    """A subscript that is inside: a counter and a distance, or the same counted from the end."""
    if low == high and rng.random() < 0.15:
        return f"len(a) - 1 - {counter}"
    distance = rng.choice([d for d in (-2, -1, 0, 0, 0, 1, 2) if -low <= d <= high])
    return f"{counter} + {distance}" if distance else counter


@pytest.mark.parametrize("seed", range(40))
def test_random_neighbours(seed: int, tmp_path: Any) -> None:
    source = program_of(random.Random(seed))
    program = simplified(function_of(source, tmp_path / f"neighbours_{seed}.py"))
    assert_same(program, array_contraction(fusion(program)), *arguments())


def function_of(source: str, path: Any) -> Any:
    path.write_text(source)
    scope: dict[str, Any] = {}
    exec(compile(source, str(path), "exec"), scope)
    return scope["f"]


def test_some_random_neighbours_are_joined(tmp_path: Any) -> None:
    joined = 0
    for seed in range(40):
        program = simplified(function_of(program_of(random.Random(seed)), tmp_path / f"counted_{seed}.py"))
        joined += len(loops(fusion(program))) < len(loops(program))
    assert joined >= 5


def test_without_the_search_for_dependences_results_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backward dependences are what keeps loops apart: were none found, later elements would be read too early."""
    program = simplified(later_elements)
    monkeypatch.setattr(fusing, "_wrong_pairs", lambda program, seams: set())
    with pytest.raises(AssertionError):
        assert_same(program, fusion(program), *arguments())


@pytest.mark.parametrize(("first", "second"), product((-1, 0, 1), repeat=2))
def test_distances(first: int, second: int, tmp_path: Any) -> None:
    """What the first loop writes the second one reads: joined where no iteration needs a later one's, or an earlier."""
    source = (
        "def f(a, b, c, m, q):\n"
        "    for i in range(1, len(a) - 1):\n"
        f"        b[i + {first}] = a[i] * 2.0\n"
        "    for i in range(1, len(a) - 1):\n"
        f"        c[i] = b[i + {second}] + a[i]\n"
    )
    program = simplified(function_of(source, tmp_path / "distances.py"))
    after = fusion(program)
    assert (len(loops(after)) == 1) == (first == second)
    assert_same(program, after, *arguments())


# ------------------------------------------------------------------------------------- producers go into consumers


def sum_of_a_chain(a, b, c, m, q):
    d = a - b
    e = d * d
    return e.sum()


def sums_of_rows(a, b, c, m, q):
    d = m - q
    return (d * d).sum(axis=1)


def shifted(a, b, c, m, q):
    d = a * 2.0
    return d[1:] + b[1:]


def read_backwards(a, b, c, m, q):
    d = a * 2.0
    return d[::-1] + b


def transposed(a, b, c, m, q):
    d = m * 2.0
    return d.T + q


def few_elements(a, b, c, m, q):
    for i in range(len(a)):
        d = m[i] - q[i]
        if len(a) > 4:
            c[i] = d[0] * d[1] + d[4] * d[0]
    return c


def few_elements_later(a, b, c, m, q):
    for i in range(len(a)):
        d = m[i] - q[i]
        m[i, 0] = 7.0
        if len(a) > 4:
            c[i] = d[0] * d[1] + d[4] * d[0]
    return c


def few_elements_before(a, b, c, m, q):
    for i in range(len(a)):
        d = np.zeros(8)
        c[i] = d[0] + d[4]
        for k in range(8):
            d[k] = a[i] * k
        c[i] += d[0] * d[4]
    return c


def few_elements_in_a_loop(a, b, c, m, q):
    for i in range(len(a)):
        d = m[i] - q[i]
        for j in range(len(a)):
            c[i] += d[0] * q[j, i]
    return c


def read_twice(a, b, c, m, q):
    d = np.sqrt(a)
    return d[1:] + d[:-1]


def read_in_every_row(a, b, c, m, q):
    d = np.sqrt(a)
    return m + d


def written_in_between(a, b, c, m, q):
    d = a * 2.0
    a[:] = 0.0
    return d.sum()


def written_in_the_consumer(a, b, c, m, q):
    d = a * 2.0
    for i in range(1, len(a)):
        a[len(a) - 1 - i] = d[i] + 1.0


def read_in_a_recurrence(a, b, c, m, q):
    d = np.sqrt(a)
    for i in range(1, len(a)):
        b[i] = b[i - 1] * 0.5 + d[i]


def filled_in_part(a, b, c, m, q):
    d = np.zeros(len(a))
    for i in range(1, len(a)):
        d[i] = a[i] * 2.0
    for i in range(len(a)):
        b[i] = d[i] + 1.0


def filled_in_columns(a, b, c, m, q):
    d = np.ones((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1] - 1):
            d[i, j] = m[i, j] * 2.0
    return d.sum(axis=1)


INLINED = (sum_of_a_chain, sums_of_rows, few_elements, transposed)
KEPT = (
    few_elements_later, few_elements_before, few_elements_in_a_loop,
    filled_in_part, filled_in_columns, read_twice, read_in_every_row, written_in_between, written_in_the_consumer,
    read_in_a_recurrence, shifted, read_backwards,
)  # fmt: skip


def ready(function: Callable[..., Any]) -> n.Program:
    """The program as `inline_producers` sees it."""
    return array_contraction(fusion(simplified(function)))


@pytest.mark.parametrize("function", INLINED, ids=lambda f: f.__name__)
def test_producers_go_into_their_consumers(function: Any) -> None:
    program = ready(function)
    assert len(arrays(inline_producers(program))) < len(arrays(program))


@pytest.mark.parametrize("function", KEPT, ids=lambda f: f.__name__)
def test_other_producers_stay(function: Any) -> None:
    program = ready(function)
    assert inline_producers(program) is program


@pytest.mark.parametrize("function", (*INLINED, *KEPT), ids=lambda f: f.__name__)
def test_results_with_producers_inside_are_the_same(function: Any) -> None:
    program = ready(function)
    assert_same(program, inline_producers(program), *arguments())
    source = build(function, [describe(x) for x in next(arguments())])
    for checked in (False, True):
        after = optimise(source, checked=checked, verify=True)
        assert_same(source, after, *arguments(), exact=False)
