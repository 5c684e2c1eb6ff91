"""Loops that count by their elements: what they were, also where bounds are extreme or empty."""

import numpy as np
import pytest

import weft
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import holds, run
from weft.ir.visit import walk
from weft.transform import pipeline
from weft.transform.loops.normalise_counters import normalise_counters


def raw(function, *arguments):
    program = build(function, tuple(describe(a) for a in arguments))
    for simplify in pipeline.SIMPLIFY:
        program = simplify(program)
    return program


def from_zero(a, b, n):
    for i in range(n - 2):
        b[i + 1] = a[i] + a[2 + i]


def from_one(a, b, n):
    for i in range(1, n - 1):
        b[i] = a[i - 1] + a[i + 1]


def reads_behind(a, b, n):
    s = 0.0
    for i in range(2, n + 2):
        s += a[i - 2] * b[-2 + i]
    b[0] = s


def counter_is_used(a, b, n):
    for i in range(n):
        b[i + 3 - 3] = a[i] * i
        if i > 2:
            b[i] += i % 3


def counter_from_minus_two(a, b, n):
    for i in range(-2, n - 2):
        b[i + 2] = a[2 + i] * i


def nest(a, b, n):
    for i in range(3):
        for j in range(i + 1, n - i):
            b[j - 1] = b[j - 1] * 0.5 + a[1 + i]


def leaves_early(a, b, n):
    for i in range(n):
        if a[i + 1] > 0.8:
            break
        b[i + 1] = i


def counts_down(a, b, n):
    for i in range(n, 0, -1):
        b[i - 1] = a[i - 1] + i


def writes_several(a, b, n):
    for i in range(n - 2):
        b[i + 2] = a[i]
        b[i + 1] = a[i + 1] + b[i + 2]


def divides(a, b, n):
    for i in range(1, len(a) // n):
        b[i - 1] = a[i]


ALL = (
    from_zero, from_one, reads_behind, counter_is_used, counter_from_minus_two, nest, leaves_early, counts_down,
    writes_several, divides,
)  # fmt: skip


@pytest.mark.parametrize("function", ALL)
@pytest.mark.parametrize("size", [8, 3, 2, 1, 0, -1, -5, -(2**63), 2**63 - 1])
def test_does_what_it_did(function, size):
    types = tuple(describe(a) for a in (np.zeros(9), np.zeros(9), 1))
    plain = raw(function, np.zeros(9), np.zeros(9), 1)
    for program in (normalise_counters(plain), pipeline.optimise(build(function, types))):
        verify(program)
        (a, b), (c, d) = np.random.default_rng(1).random((2, 9)), np.random.default_rng(1).random((2, 9))
        if holds(program, (a, b, size)):
            assert outcome(program, [a, b, size]) == outcome(plain, [c, d, size])
            np.testing.assert_array_equal(b, d)


@pytest.mark.parametrize("function", ALL)
def test_does_what_python_does(function):
    program = pipeline.optimise(build(function, tuple(describe(a) for a in (np.zeros(9), np.zeros(9), 1))))
    (a, b), (c, d) = np.random.default_rng(1).random((2, 9)), np.random.default_rng(1).random((2, 9))
    function(a, b, 7)
    run(program, [c, d, 7])
    np.testing.assert_array_equal(d, b)


def outcome(program, arguments):
    try:
        run(program, arguments)
    except (IndexError, OverflowError, ZeroDivisionError) as error:
        return type(error)
    return None


def for_loops(program):
    return [s for s in walk(program.body) if isinstance(s, n.For)]


def test_two_spellings_are_one_text():
    given = np.zeros(9), np.zeros(9)

    def zero(a, b):
        for i in range(a.shape[0] - 2):
            b[i + 1] = a[i] + a[2 + i]

    def one(a, b):
        for i in range(1, a.shape[0] - 1):
            b[i] = a[i - 1] + a[1 + i]

    loops = [for_loops(pipeline.optimise(build(f, tuple(describe(a) for a in given))))[0] for f in (zero, one)]
    assert [loop.start for loop in loops] == [n.Const(1), n.Const(1)]
    shapes = [[shape(let) for let in loop.body.statements if isinstance(let, n.Let)] for loop in loops]
    assert shapes[0] == shapes[1]


def shape(let):
    value = let.value
    return (value.op, value.right if isinstance(value.right, n.Const) else None) if isinstance(value, n.Binary) else ""


def test_claimed_loops_stay():
    import weft

    def f(a):
        for i in weft.prange(a.shape[0] - 1):
            a[i + 1] = 1.0

    program = pipeline.optimise(build(f, (describe(np.zeros(4)),)))
    assert for_loops(program)[0].start == n.Const(0)


def test_bounds_that_might_not_fit_stay():
    def f(a, n):
        for i in range(n):
            a[i + 1] = 1.0

    program = raw(f, np.zeros(4), 3)
    assert to_text(normalise_counters(program)) == to_text(program)


def gathered(u, v, k):
    for i in range(1, len(u) - 1):
        v[i - 1] = u[k[i]]


def test_an_exception_names_the_iteration_by_the_users_counter() -> None:
    with pytest.raises(IndexError) as caught:
        weft.jit(gathered)(np.ones(5), np.zeros(5), np.array([0, 1, 9, 1, 1]))
    assert "in the iteration i = 2" in "".join(caught.value.__notes__)


def first_nan(u, v):
    for i in range(len(u) - 1):
        v[i + 1] = u[i + 1] * 1e308


def test_debugging_names_the_iteration_by_the_users_counter() -> None:
    with pytest.raises(FloatingPointError) as caught:
        weft.jit(first_nan, debug=True)(np.array([0.0, 1.0, 10.0, 1.0]), np.zeros(4))
    assert "in the iteration i = 1" in "".join(caught.value.__notes__)
