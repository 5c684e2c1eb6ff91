"""Functions that call themselves, beside CPython: results, arguments, exceptions and what these leave behind."""

from __future__ import annotations

import copy
import functools
import math
import sys
import threading
from dataclasses import dataclass

import numpy as np
import pytest

import weft
from tests.frontend.compare import interpret, program_of
from weft.errors import UnsupportedError
from weft.ir.check.verifier import verify
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.transform.pipeline import for_cpu, optimise


def seen(function, *args):
    """What a call gives or raises, and leaves of its arguments."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except weft.Error as error:
        if not isinstance(error, (IndexError, ValueError)):
            raise
        result = "IndexError"
    except Exception as error:
        result = type(error).__name__
    return repr(result), repr(args)


def check(function, *cases, **options):
    compiled = weft.jit(function, **options)
    for case in cases:
        assert seen(compiled, *case) == seen(function, *case), case


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return 1
    half = power(x, n // 2)
    return half * half if n % 2 == 0 else half * half * x


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def hanoi(n, a, b, c):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


def added(n, total=0):
    return total if n == 0 else added(n - 1, total + 0.5)


def pair(n):
    if n == 0:
        return 1, 0.5
    a, b = pair(n - 1)
    return a + 1, b * 2


def found(n, x):
    if n == x:
        return n
    return None if n > 9 else found(n + 1, x)


def numbers(n):
    return fib(n), ackermann(2, n), power(3, n), power(1.5, n + 1), even(n), hanoi(n, "a", "b", "c"), pair(n)


def test_numbers():
    check(numbers, (4,), (0,), (1,))
    check(lambda n, x: (found(n, x), added(n)), (3, 7), (3, 1))
    assert interpret(lambda n: (fib(n), power(1.5, n), even(n), pair(n)), 3) == (2, 3.375, False, (4, 4.0))


def partition(a, lo, hi):
    if lo >= hi:
        return
    i = lo
    for j in range(lo, hi):
        if a[j] < a[hi]:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    partition(a, lo, i - 1)
    partition(a, i + 1, hi)


def merged(a):
    if len(a) <= 1:
        return a
    half = len(a) // 2
    left, right, out = merged(a[:half]), merged(a[half:]), np.empty(len(a))
    i = j = 0
    for k in range(len(a)):
        if j == len(right) or (i < len(left) and left[i] <= right[j]):
            out[k], i = left[i], i + 1
        else:
            out[k], j = right[j], j + 1
    return out


def filled(grid, i, j):
    if not (0 <= i < grid.shape[0] and 0 <= j < grid.shape[1]) or grid[i, j] != 0:
        return 0
    grid[i, j] = 2
    return 1 + filled(grid, i + 1, j) + filled(grid, i - 1, j) + filled(grid, i, j + 1) + filled(grid, i, j - 1)


def kept(a, n):
    return a if n == 0 else kept(a, n - 1)


def arrays(a, grid):
    partition(a[1:], 0, len(a) - 2)
    x = np.zeros(3)
    for _ in range(9):  # what the function gives is what it was given, whose memory must stay
        y = x + 1
        x = kept(y, 2)
    return merged(a), filled(grid, 1, 1), x, kept(a, 3)


def test_arrays():
    rng = np.random.default_rng(0)
    given = rng.random(40), (rng.random((6, 7)) < 0.3).astype(np.int64)
    check(arrays, given)
    check(arrays, given, device="opencl")
    same = weft.jit(lambda a: kept(a, 2))
    assert same(given[0]) is given[0]
    ours, theirs = (a.copy() for a in given), (a.copy() for a in given)
    results = interpret(arrays, *ours), arrays(*theirs)
    assert all(np.array_equal(a, b) for a, b in zip(*results, strict=True))


def shifted(a, b, k):
    if k == len(a):
        return 0.0
    a[k] = b[k] + 1
    return b[k] + shifted(a, b, k + 1)


def test_arrays_that_share_memory():
    compiled = weft.jit(shifted)
    for first, second in ((slice(None), slice(None)), (slice(1, None), slice(None, -1)), (slice(3), slice(3))):
        a, b = np.arange(5.0), np.arange(5.0)
        assert compiled(a[first], a[second], 0) == shifted(b[first], b[second], 0)
        assert np.array_equal(a, b)


def until(a, i):
    a[i] = i
    if a[i] == 3:
        raise ValueError(f"three {i}")
    return 1 + until(a, i + 1)


def divided(n):
    return 10 // n + divided(n - 1)


def endless(a, n):
    a[0] += 1
    return endless(a, n + 1)


def caught(n):
    try:
        return 10 // n
    except ZeroDivisionError:
        return caught(n + 2)


def test_exceptions_and_what_they_leave():
    check(lambda a, which: caught(int(a[0])) if which == 0 else divided(4) if which == 1 else until(a, 0),
          *((np.zeros(size), which) for size, which in ((3, 0), (1, 1), (3, 2), (6, 2))))  # fmt: skip
    ours, theirs = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for function, array in ((weft.jit(endless), ours), (endless, theirs)):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            function(array, 0)
    assert abs(ours[0] - theirs[0]) <= 2  # what else counts depends on the version of Python
    with pytest.raises(UnsupportedError, match="does not catch the Exception"):
        weft.jit(_catches)(3)


def _catches(n):
    try:
        return divided(n)
    except ZeroDivisionError:
        return -1


def test_a_full_stack_raises():
    compiled, depth, before = weft.jit(endless), np.zeros(1, np.int64), sys.getrecursionlimit()

    def run():
        with pytest.raises(RecursionError, match="the stack of compiled code is full"):
            compiled(depth, 0)

    sys.setrecursionlimit(10**8)
    size = threading.stack_size(1 << 20)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(before)
    assert depth[0] > 2000


@dataclass
class Counts:
    calls: int
    deepest: int


def walked(n, counts):
    counts.calls += 1
    counts.deepest = max(n, counts.deepest)
    return n if n < 2 else walked(n - 1, counts) + walked(n - 2, counts)


def moves(n, a, b, c, out):
    if n > 0:
        moves(n - 1, a, c, b, out)
        out.append((a, c))
        moves(n - 1, b, a, c, out)


def orders(path, n, out):
    if len(path) == n:
        out.append(path[0] - path[-1])
        return
    for k in range(n):
        if k not in path:
            path.append(k)
            orders(path, n, out)
            path.pop()


def looked_up(n, memo):
    if n not in memo:
        memo[n] = n if n < 2 else looked_up(n - 1, memo) + looked_up(n - 2, memo)
    return memo[n]


def objects(n):
    counts, steps, found, path = Counts(0, 0), [], [], []
    moves(n, 0, 1, 2, steps)
    orders(path, n, found)
    return walked(n + 3, counts), counts.calls, counts.deepest, steps, found, len(path), looked_up(3 * n, {})


def variables(a):
    best, count = 0.0, 0

    def search(i, total):
        nonlocal best, count
        count += 1
        if i == len(a):
            best = max(best, total)
            return
        search(i + 1, total)
        search(i + 1, total + a[i])

    search(0, 0.0)
    again = count
    search(1, 0.0)
    return float(best), again, count


def test_objects_and_variables_that_calls_change():
    check(objects, (3,), (1,))
    check(variables, (np.array([1.0, -2.0, 3.0]),), (np.zeros(0),))


@functools.lru_cache(maxsize=None)
def cached(n):
    return n if n < 2 else cached(n - 1) + cached(n - 2)


TABLE = [1, 2]


@functools.cache
def reads(n):
    return TABLE[n]


def distances(s, t):
    calls = 0

    @functools.cache
    def d(i, j):
        nonlocal calls
        calls += 1
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (s[i - 1] != t[j - 1]))

    return d(len(s), len(t)), calls


def test_caches():
    check(lambda n: (cached(n), cached(n + 1)), (40,))
    check(distances, ("kitten", "sitting"), ("", "abc"))
    with pytest.raises(UnsupportedError, match="'reads' keeps its results"):
        weft.jit(lambda n: reads(n))(1)


def factory(k):
    def added_each(n):
        return 0 if n == 0 else k + added_each(n - 1)

    return added_each


one, ten = factory(1), factory(10)


def test_functions_of_one_text_that_hold_other_numbers():
    check(lambda n: (one(n), ten(n)), (3,))


def plus(n):
    return n + 1


def times(n):
    return n * 100


changing = functools.cache(plus)


def test_another_cached_function_of_a_name_is_seen(monkeypatch):
    compiled = weft.jit(lambda n: changing(n))
    for function in (plus, times):
        monkeypatch.setitem(globals(), "changing", functools.cache(function))
        assert compiled(2) == function(2)
    monkeypatch.setitem(globals(), "changing", functools.cache(factory(3)))
    with pytest.raises(UnsupportedError, match="keeps its results"):
        weft.jit(lambda n: changing(n) + 1)(2)


@functools.cache
def list_of(n):
    return [n, n + 1]


@functools.lru_cache(typed=True)
def typed(n):
    return n * 2


def limited(n):
    calls = 0

    @functools.lru_cache(maxsize=1)
    def twice(k):
        nonlocal calls
        calls += 1
        return k * 2

    return twice(n), twice(n + 1), twice(n), calls


def typed_inside(n):
    @functools.lru_cache(None, True)
    def twice(k):
        return k * 2

    return twice(n)


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (lambda n: len(list_of(n)), "'list_of' keeps its results"),
        (lambda n: typed(n), "'typed' keeps its results"),
        (limited, "this decorator is not supported"),
        (typed_inside, "this decorator is not supported"),
    ],
)
def test_what_a_cache_would_show_is_refused(function, what):
    """Lists that a program may change are given back by later calls; entries by type or number can be counted."""
    with pytest.raises(UnsupportedError, match=what):
        weft.jit(function)(2)


def refine(f, a, b, whole, depth):
    m = (a + b) / 2
    left, right = (m - a) * f((a + m) / 2), (b - m) * f((m + b) / 2)
    if depth == 0 or abs(left + right - whole) < 1e-6:
        return left + right
    return refine(f, a, m, left, depth - 1) + refine(f, m, b, right, depth - 1)


def integral(a, b):
    return refine(lambda x: math.exp(-x) * math.sin(x), a, b, 0.0, 12), refine(math.sqrt, a, b, 0.0, 9)


def test_functions_as_arguments():
    check(integral, (0.0, 2.0))


def raising(x):
    raise ValueError(x)


def test_a_return_of_what_always_raises_has_no_type():
    """``return True`` on one way and a call that always raises on the other gave 1."""
    check(lambda x: _true(x), (1,), (-1,))


def _true(x):
    if x > 0:
        return True
    return raising(x)


def test_text_json_and_passes():
    program = program_of(arrays, np.zeros(4), np.zeros((2, 2), np.int64))
    assert parse(to_text(program)) == program or to_text(parse(to_text(program))) == to_text(program)
    assert to_text(from_json(to_json(program))) == to_text(program)
    verify(for_cpu(optimise(program, verify=True), verify=True))


def alternating(n):
    return 1 if n == 0 else halves(n - 1) * 3


def halves(n):
    return 0.5 if n == 0 else alternating(n - 1) + 1


def seventh(n):
    return alternating(n) * 2**40 % 7


def stored(n):
    return np.int32(5) if n == 0 else (7 if n == 1 else stored(n - 2) * 1000)


def fourfold(v, n):
    return v * 4 if n == 0 else fourfold(v, n - 1)


def first_of_numpy(a, n):
    return fourfold(a[0], 1), fourfold(max(a[0], n), 2)


def seen_variable(a, n):
    v = a[0]

    def go(k):
        return v * 4 if k == 0 else go(k - 1)

    before = go(2)
    v = max(v, n)
    return before, go(2)


def changed_variable(a, n):
    v = a[0]

    def go(k):
        nonlocal v
        if k == 0:
            return v * 4
        v = max(v, n)
        return go(k - 1)

    return go(2)


def test_other_types_that_results_and_variables_may_have_are_known_in_all_calls():
    """Results and parameters have one type: where CPython's other type gives another value, that is an error."""
    for function in (alternating, halves, stored):
        compiled = weft.jit(function)
        assert [repr(compiled(n)) for n in range(6)] == [repr(function(n)) for n in range(6)]
        if function is alternating:
            assert repr(compiled(75)) == repr(function(75))
            continue
        with pytest.raises(weft.TypeInferenceError, match="by its value"):
            compiled(75)
    assert weft.jit(seventh)(2) == seventh(2)
    for function in (first_of_numpy, seen_variable, changed_variable):
        compiled, a = weft.jit(function), np.array([1])
        assert compiled(a, 3) == function(a, 3)
        with pytest.raises(OverflowError):
            compiled(a, 2**62)


def key_that_is_nan(n):
    table = {1.0: n}
    table[float("nan")] = 2
    return len(table)


def test_nan_is_refused_as_a_constant_key():
    """It never equals the key that the dict was given a place for: the translation began anew without an end."""
    with pytest.raises(weft.Error, match="a dict with this key is not supported"):
        weft.jit(key_that_is_nan)(1.0)
