"""Generator functions that a loop runs over at once, beside CPython: values, the order of effects, and exceptions."""

from __future__ import annotations

import bisect
import copy
import heapq
import itertools

import numpy as np
import pytest

import weft


def squares(n):
    for i in range(n):
        yield i * i


def collatz(n):
    while n > 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def logged(a, log):
    log.append(1)
    for x in a:
        log.append(2)
        if x > 0:
            yield x
        log.append(3)
    log.append(4)


def left_early(n):
    for i in range(n):
        if i == 4:
            return
        sent = yield i
        if sent is None:
            yield -i


def chained(n):
    for v in squares(n):
        for w in squares(v % 3):
            yield v + w


def pairs(a):
    for i in range(len(a)):
        for j in range(i):
            yield a[i], a[j], i


def summed(n):
    total = 0
    for v in squares(n):
        total += v
    return total


def consumed(n):
    items = list(collatz(n)), sum(collatz(n)), max(collatz(n)), min(squares(n), default=7), sorted(collatz(n))
    return items, len([v for v in collatz(n) if v % 2]), {v % 3: v for v in squares(n)}, sum(v for v in squares(n))


def by_key(n):
    return max(collatz(n), key=lambda v: -v), sorted(collatz(n), key=lambda v: v % 3)


def returns_inside(n):
    out = []
    for v in left_early(n):
        out.append(v)
    return out, v if n else 0


def of_generators(n):
    out = []
    for v in chained(n):
        u = v * 2
        for w in range(3):
            if w == 2:
                break
            out.append(u + w)
    return out


def changes_the_generators_variable(n):
    k = 10

    def counted(m):
        nonlocal k
        for _ in range(m):
            k += 1
            yield k

    total = 0
    for v in counted(n):
        total += v * k
        k += 2
    return total, k


def left_behind(n):
    for v in squares(n):
        last = v
    return last, v


def branches(n):
    total = 0
    for k in range(n):
        for v in squares(k):
            if v % 2:
                total += v
            elif v > 3:
                total -= 1
            else:
                total *= 2
    return total


def nested(n):
    out = []
    for v in squares(n):
        for w in squares(3):
            if w > v:
                out.append((v, w))
    return out


def total_of(items):
    total = 0
    for v in items:
        total += v
    return total


def handed_to_a_function(n):
    return total_of(squares(n)), total_of(squares(n + 1))


def arguments_are_computed_once(n):
    log = [n, n + 1]
    doubled = [v * 2 for v in squares(log.pop())]
    return doubled, log


@pytest.mark.parametrize(
    "function",
    (
        summed, consumed, by_key, returns_inside, of_generators, changes_the_generators_variable, left_behind, branches,
        nested, handed_to_a_function, arguments_are_computed_once,
    ),
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_generators_of_ints(function):
    compiled = weft.jit(function)
    for n in (0, 1, 2, 5, 7):
        assert outcome(compiled, n) == outcome(function, n), n


def effects(a):
    log, out = [0], []
    for v in logged(a, log):
        log.append(int(v))
        out.append(v * 2)
        a[0] += 1
    return log, out


def products(a):
    total, last = np.float64(0.0), 0
    for x, y, i in pairs(a):
        total += x * y
        if x > y:
            last = i
    return total, last


def raises(a):
    def checked():
        for x in a:
            if x == 4:
                raise ValueError(f"{x} is 4")
            yield x + 1

    for v in checked():
        a[0] += v


@pytest.mark.parametrize("function", (effects, products, raises), ids=lambda f: f.__name__)
@pytest.mark.parametrize("values", ([], [3.0], [3.0, -1.0, 4.0, 0.0, 2.0], [4.0, 1.0]), ids=str)
def test_generators_over_arrays(function, values):
    assert outcome(weft.jit(function), np.array(values)) == outcome(function, np.array(values))


def outcome(function, given):
    given = copy.copy(given)
    try:
        result = repr(function(given))
    except Exception as error:
        result = type(error).__name__ + str(error)
    return result, given.tolist() if isinstance(given, np.ndarray) else given


def returned(n):
    return squares(n)


def caught(n):
    try:
        for v in squares(n):
            n += 1 // v
    except ZeroDivisionError:
        n = -1
    return n


def twice(items):
    return total_of(items) + total_of(items)


def used_twice(n):
    return twice(squares(n))


def one_of_two(n):
    total = 0
    for v in squares(n) if n > 3 else squares(2):
        total += v
    return total


@pytest.mark.parametrize(
    "function",
    (returned, caught, used_twice, one_of_two),
    ids=lambda f: f.__name__,
)
def test_other_uses_are_refused(function):
    with pytest.raises((weft.UnsupportedError, weft.TypeInferenceError), match="generator"):
        weft.jit(function)(5)


def in_a_loop(a):
    total = np.float64(0.0)
    for v in (x * 2 for x in a if x > 0):
        total += v
    return total


def several_loops(a):
    out = []
    for u, v in ((i, j) for i in range(len(a)) for j in range(i) if i != 2):
        out.append(u * v)
    return out


def sees_later_values(a):
    k, out = 5, []
    for v in (x + k for x in a):
        k += 1
        out.append(v)
    return out


def one_name_for_both(a):
    x = np.float64(3.0)
    for v in (x * 2 for x in a):
        x += v
    return x


def effects_in_order(a):
    log = []

    def noted(v):
        log.append(v)
        return v + 1

    for v in (noted(x) for x in a):
        log.append(v * 10)
    return log


def extremes_with_tests(a):
    return (
        max(x for x in a if x > 1),
        min(x for x in a if x < 3),
        max((x for x in a if x > 50), default=np.float64(-1.0)),
    )


def summed_by_a_function(items):
    total = np.float64(0.0)
    for v in items:
        total += v
    return total


def given_to_a_function(a):
    return summed_by_a_function(x * x for x in a), summed_by_a_function(y - 1 for y in a)


@pytest.mark.parametrize(
    "function",
    (
        in_a_loop, several_loops, sees_later_values, one_name_for_both, effects_in_order, extremes_with_tests,
        given_to_a_function,
    ),
    ids=lambda f: f.__name__,
)  # fmt: skip
@pytest.mark.parametrize("values", ([], [3.0], [3.0, -1.0, 4.0, 0.0, 2.0]), ids=str)
def test_generator_expressions(function, values):
    assert outcome(weft.jit(function), np.array(values)) == outcome(function, np.array(values))


def naturals():
    k = 0
    while True:
        yield k
        k += 1


def leaves_the_loop(n, x):
    taken = []
    for v in squares(n):
        if v > x:
            break
        if v % 2:
            continue
        taken.append(v)
    else:
        taken.append(-1)
    return taken


def leaves_two_loops(n, x):
    for k in range(3):
        for v in chained(n):
            for w in squares(4):
                if v + w == x:
                    return k, v, w
            if v > x:
                break
    return None


def endless(n, x):
    found = naturals()
    total = 0
    for v in found:
        if v > n:
            return total
        total += v
    return -1


def first_of(items):
    for v in items:
        return v
    return None


def handed_on(n, x):
    found = chained(n)
    return first_of(found), first_of(squares(n)), any(v == x for v in squares(n)), all(v < x for v in squares(n))


def numbered(n, x):
    total = 0
    for k, v in enumerate(squares(n), 2):
        if v > x:
            break
        total += k * v
    return total, sum(k for k, _ in enumerate(squares(n))), list(enumerate(squares(n)))


def filtered(items, x):
    for v in items:
        if v > x:
            return
        yield v + 1


def in_a_row(n, x):
    total = 0
    for v in filtered(filtered(naturals(), n), x):
        total += v
    return total


def effects_of_what_is_left(n, x):
    log = []
    given = [1.0, -1.0, 2.0, 3.0]
    for v in logged(given, log):
        log.append(10)
        if v > n:
            break
    return log


def with_itertools(n, x):
    pairs = [a * 10 + b for a, b in itertools.product(range(n), (1, 2))]
    threes = [a + b * c for a, b, c in itertools.combinations(range(n), 3)]
    orders = [a - b for a, b in itertools.permutations([n, x, 3], 2)]
    sums = list(itertools.accumulate(range(n))), list(itertools.accumulate(range(n), max, initial=x))
    steps = [b - a for a, b in itertools.pairwise(squares(n))]
    firsts = list(itertools.islice(itertools.count(x, 3), n))
    small = [v for v in itertools.takewhile(lambda v: v < x, squares(n))]
    return pairs, threes, orders, sums, steps, firsts, small, list(itertools.chain(range(n), [x], squares(n)))


def changed_in_a_product(n, x):
    values = [1, 2]
    total = 0
    for a, b in itertools.product(values, range(n)):
        values[0] = 50
        total += a * b
    return total


def heaps(n, x):
    heap = []
    for v in range(n):
        heapq.heappush(heap, (v * 7 % 5, -v))
    given = [v * 5 % 7 for v in range(n + 1)]
    heapq.heapify(given)
    taken = heapq.heappop(given), heapq.heappushpop(given, x), heapq.nsmallest(2, given), heapq.nlargest(2, given)
    out = []
    while len(heap) > 2:
        out.append(heapq.heappop(heap))
    out.append(heapq.heappop(heap))
    return heap, given, taken, out


def sorted_places(n, x):
    values = [v // 2 for v in range(n)]
    bisect.insort(values, x)
    places = bisect.bisect_left(values, 1), bisect.bisect(values, 1), bisect.bisect_right(values, 1, 0, n)
    return values, places, bisect.bisect_left([0.5, 2.5], x)


def in_parts(n, x):
    a = np.arange(7.0) * n
    total = 0.0
    for k, part in enumerate(np.array_split(a, x)):
        total += k * part.sum()
    return total, len(np.split(a[:6], n)), [len(part) for part in np.array_split(a, x)]


OTHERS = (
    leaves_the_loop, leaves_two_loops, endless, handed_on, numbered, in_a_row, effects_of_what_is_left, with_itertools,
    changed_in_a_product, heaps, sorted_places, in_parts,
)  # fmt: skip


@pytest.mark.parametrize("function", OTHERS, ids=lambda f: f.__name__)
def test_loops_that_are_left_and_iterators(function):
    for n in (0, 1, 2, 3, 6):
        for x in (0, 1, 4, 17):
            assert repr(result_of(weft.jit(function), n, x)) == repr(result_of(function, n, x))


def result_of(function, *args):
    try:
        return function(*args)
    except weft.Error:
        raise
    except Exception as error:
        return type(error), str(error)
