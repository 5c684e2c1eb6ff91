"""Values that are None in some runs, beside CPython: results, variables, fields, elements, and exceptions."""

from __future__ import annotations

import copy
import itertools
from dataclasses import dataclass

import numpy as np
import pytest

import weft


def outcome(function, *args):
    """What a call gives or raises, and what it leaves of its arguments."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
    except weft.Error:
        raise
    except Exception as error:
        result = type(error).__name__, str(error)
    return repr(result), repr(args)


def check(function, *args, **options):
    assert outcome(weft.jit(function, **options), *args) == outcome(function, *args)


def find(values, wanted):
    for k, v in enumerate(values):
        if v == wanted:
            return k
    return None


def falls_through(values, wanted):
    for k, v in enumerate(values):
        if v == wanted:
            return k


def found_or_not(values, wanted):
    k = find(values, wanted)
    other = falls_through(values, wanted + 1)
    if k is None:
        return -1, other
    return values[k] * 2, other


def largest(values, least):
    best = None
    place = None
    for k, v in enumerate(values):
        if v < least:
            continue
        if best is None or v > best:
            best = v
            place = k
    return best, place


def two_largest(values, least):
    best = second = None
    for v in values:
        if best is None or v > best:
            second = best
            best = v
        elif v != best and (second is None or v > second):
            second = v
    return best if second is None else (second - least, second)[1]


def raises(values, least):
    last = None
    for k in range(len(values)):
        values[k] += last
        last = values[k]
    return last


def operators(values, wanted):
    a = find(values, wanted)
    values[0] += 1
    if wanted > 3:
        return ~a
    if len(values) > 1:
        a **= 2
        a -= 1
    return -a


def both_added(values, wanted):
    return find(values, wanted) + find(values, wanted + 1)


def both_compared(values, wanted):
    a, b = find(values, wanted), find(values, wanted + 2)
    return a <= b <= a


def one_from_the_other(values, wanted):
    a, b = find(values, wanted), find(values, wanted + 1)
    a -= b
    return a


def itself(values, wanted):
    a = find(values, wanted)
    return a * a


def largest_item(values, wanted):
    return max([v if v > wanted else None for v in values])


def least_of_a_generator(values, wanted):
    return min(None if v == wanted else v for v in values)


def least_by_key(values, wanted):
    return min(values, key=lambda v: None if v == wanted else v)


def tuples(values, wanted):
    a, b = find(values, wanted), find(values, wanted + 1)
    equal = (1, a) < (1, a), (1, a) <= (1, a), (a,) > (a,), ((2, a),) >= ((2, a),), (a, 1) < (a, 2)
    return equal, (1, a) < (1, b)


def sorted_tuples(values, wanted):
    return sorted((v, None if v < wanted else v) for v in values)


def accumulated(values, wanted):
    items = [None if v == wanted else v for v in values]
    from_none = list(itertools.accumulate(items, lambda total, v: v if total is None else total))
    until_none = list(itertools.accumulate(values, lambda t, v: None if t is None or v == wanted else t + v))
    return from_none, until_none, list(itertools.accumulate(items))


def compared(values, least):
    last = None
    for v in values:
        if v > least:
            last = v
    values[0] = 7
    return last < least


def equal(values, wanted):
    a, b = find(values, wanted), find(values, wanted + 2)
    return a == b, a != b, a == 0, 0 != b, a is None, None is not b, not a, not not b, a == None  # noqa: E711


def or_else(values, wanted):
    a = find(values, wanted)
    return a or 10, a and 20, (a if a is not None else 30), -1 if a is None else a


def pairs(values, wanted):
    found = None
    for i in range(len(values)):
        for j in range(i):
            if values[i] + values[j] == wanted:
                found = (i, j)
                break
        if found is not None:
            break
    if not found:
        return found
    i, j = found
    return i * 10 + j, found


def after_a_loop(values, wanted):
    k = None
    while k is None:
        if not values:
            break
        k = find(values, wanted)
        wanted -= 1
    if k is not None:
        return wanted, k + 1
    return wanted, k


def returned_lists(values, wanted):
    out = [v * 2 for v in values]
    if wanted > 4:
        return None
    return out


def kept_in_lists(values, wanted):
    table = [None] * 4
    for v in values:
        table[v % 4] = v
    last = None
    seen = []
    for v in table:
        if v is not None and v > wanted:
            last = v
        seen.append(last)
    return table, seen, None in table, table.count(None), [v for v in table if v is not None]


def rows(values, wanted):
    grid = [[None] * 2 for _ in range(2)]
    for k, v in enumerate(values):
        grid[k // 2 % 2][k % 2] = (v, None if v > wanted else v)
    return grid


def summed(values, wanted):
    items = [v if v > wanted else None for v in values]
    return sum(items)


def ordered(values, wanted):
    items = [v if v > wanted else None for v in values]
    items.sort()
    return items


def looked_up(values, wanted):
    places = {v: k for k, v in enumerate(values)}
    k = places.get(wanted)
    if k is None:
        return len(places)
    return k + 100


def handed_on(values, wanted):
    def shifted(k, by=None):
        if k is None:
            return None
        return k if by is None else k + by

    a = find(values, wanted)
    return shifted(a), shifted(a, 5), shifted(3, a), (lambda v: v)(a)


def conditions(values, wanted):
    a, b = find(values, wanted), find(values, wanted + 1)
    total = 0
    if a is not None and b is not None:
        total += a * b
    if a is None and b is None:
        total -= 1
    elif a is None or b is None:
        total += 50
    if not (a is None or values[a] < 0):
        total += values[a]
    return total


def caught(values, wanted):
    a = find(values, wanted)
    try:
        values[0] = 9
        b = a + 1
    except TypeError:
        b = -1
    return b


FUNCTIONS = (
    find, falls_through, found_or_not, largest, two_largest, raises, operators, both_added, both_compared,
    one_from_the_other, itself, largest_item, least_of_a_generator, least_by_key, tuples, sorted_tuples, accumulated,
    compared, equal, or_else, pairs, after_a_loop, returned_lists, kept_in_lists, rows, summed, ordered, looked_up,
    handed_on, conditions, caught,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("values", ([], [3], [5, 3, 4, 9, 3]), ids=str)
def test_lists(function, values):
    for wanted in (3, 100):
        if values or function not in (after_a_loop, compared, caught, operators):
            check(function, values, wanted)


def last_number(a, least):
    last = None
    for i in range(len(a)):
        if not np.isnan(a[i]):
            last = a[i]
        elif last is not None:
            a[i] = last
    return last


def nearest(a, x):
    found, distance = None, None
    for i in range(len(a)):
        d = abs(a[i] - x)
        if distance is None or d < distance:
            found, distance = i, d
    return found, distance


def part(a, x):
    if x > 2:
        return None
    return a * x


def stored_before(a, x):
    best = None
    for i in range(len(a)):
        a[i] = x
        if a[i] > 5:
            best = i
    return a[0] * best


@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize("function", (last_number, nearest, part, stored_before), ids=lambda f: f.__name__)
def test_arrays(function, device):
    for dtype in (np.float32, np.float64):
        for a in ([2.0], [np.nan, 1.0, np.nan, -0.0, 5.0], [np.inf, np.nan, 7.0]):
            for x in (1.0, 6.0):
                check(function, np.array(a, dtype), x, device=device)


class Filter:
    def __init__(self, factor):
        self.factor = factor
        self.state = None

    def update(self, x):
        self.state = x if self.state is None else self.factor * x + (1 - self.factor) * self.state
        return self.state


def filtered(values, factor):
    one, other = Filter(factor), Filter(0.5)
    out = [one.update(v) for v in values]
    if len(out) > 1:
        other.update(out[1])
    return out, one.state, other.state


@dataclass
class Limits:
    low: float
    high: float | None = None


def within(values, limits):
    count = 0
    for v in values:
        if v >= limits.low and (limits.high is None or v <= limits.high):
            count += 1
    return count


@pytest.mark.parametrize("values", ([1.5], [1.5, 2.5, -3.0]), ids=str)
def test_fields(values):
    check(filtered, values, 0.25)
    check(within, values, Limits(0.0))
    check(within, values, Limits(0.0, 2.0))


def new_axis(a, wanted):
    k = find([1, 2], wanted)
    return a[k].shape


def axis(a, wanted):
    k = find([1, 2], wanted)
    return np.sum(a, axis=k)


def stored(a, wanted):
    a[0] = find([1, 2], wanted)


def membership(a, wanted):
    return find([1, 2], wanted) in (1, None)


@pytest.mark.parametrize("function", (new_axis, axis, stored, membership), ids=lambda f: f.__name__)
def test_what_means_something_else_with_none_is_refused(function):
    with pytest.raises(weft.TypeInferenceError, match="may be None here"):
        weft.jit(function)(np.ones(3), 2)
