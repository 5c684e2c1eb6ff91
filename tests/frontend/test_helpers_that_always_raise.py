"""A helper that always raises stands wherever a value may stand: what follows it is never done."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import weft


def fail(n):
    raise ValueError("no")


def fail_with_number(n):
    raise ValueError(f"no {n}")


def while_below(n):
    k = 0
    while n < fail(n):
        k += 1
    return k


def and_greater(n):
    if n > 0 and fail(n) > 3:
        return 1
    return 2


def or_alone(n):
    if n > 0 or fail_with_number(n):
        return 1
    return 2


def conditional_expression(n):
    return 1 if fail_with_number(n) else 2


def if_alone(n):
    if fail(n):
        return 3
    return 4


def while_and(n):
    while n > 0 and fail_with_number(n) > 2:
        n -= 1
    return n


def conjunction_as_value(n):
    x = n > 0 and fail_with_number(n) > 3
    return x


def negated(n):
    if not fail(n):
        return 1
    return 2


def elif_less(n):
    if n > 5:
        return 1
    elif fail(n) < n:
        return 3
    return 2


def caught(n):
    try:
        if n > 0 and fail(n) > 3:
            return 1
    except ValueError:
        return 7
    return 2


def in_a_loop(n):
    k = 0
    for i in range(n):
        if i > 2 and fail_with_number(i) > 3:
            k += 1
        k += 2
    return k


def asserted(n):
    assert n < 1 or fail_with_number(n)
    return 3


def range_of_it(n):
    for i in range(fail(n)):
        n += 1
    return n


def one_side_of_a_choice(n):
    a = n if n > 0 else fail_with_number(n)
    return a


def chained(n):
    return 0 < n < fail(n)


def while_alone(n):
    while fail(n):
        pass
    return n


def while_caught(n):
    try:
        while n < fail(n):
            n += 1
    except ValueError:
        n = -1
    return n


def filter_of_a_list(n):
    return [i for i in range(n) if fail_with_number(i) > i]


def nested(n):
    if n > 0 and (n > 1 or fail(n) > 2):
        return 5
    return 6


def disjunction_as_value(n):
    x = n > 0 or fail_with_number(n)
    return x


def two_in_a_sum(n):
    if n > 0 and fail(n) > 3 + n * 2 - fail_with_number(n):
        return 1
    return 2


def as_an_index(a, n):
    a[0] = 5.0
    if n > 2 and a[fail(n)] > 3:
        a[1] = 3.0
    return 2.0


def caught_in_a_loop(n):
    s = 0
    try:
        for i in range(n):
            if i > 2 and fail_with_number(i) + 1 > i * 2:
                s += 1
            s += 2
    except ValueError as e:
        print(e)
        s += 100
    return s


def argument(n):
    s = max(n, fail(n)) if n > 1 else min(n, 3)
    return s


def while_or(n):
    while n < 3 or fail_with_number(n) < 2:
        n += 1
        if n > 5:
            break
    return n


def caught_in_a_sum(n):
    try:
        x = n + fail_with_number(n) * 2
    except ValueError:
        x = -1
    return x


def caught_with_finally(n):
    try:
        while n < 3 and fail(n + 2) > n * 3:
            n += 1
    except ValueError:
        n = -7
    finally:
        n += 1
    return n


PROGRAMS = [
    while_below,
    and_greater,
    or_alone,
    conditional_expression,
    if_alone,
    while_and,
    conjunction_as_value,
    negated,
    elif_less,
    caught,
    in_a_loop,
    asserted,
    range_of_it,
    one_side_of_a_choice,
    chained,
    while_alone,
    while_caught,
    filter_of_a_list,
    nested,
    disjunction_as_value,
    two_in_a_sum,
    as_an_index,
    caught_in_a_loop,
    argument,
    while_or,
    caught_in_a_sum,
    caught_with_finally,
]


def outcome(function, arguments):
    try:
        return function(*copy.deepcopy(arguments))
    except ValueError as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize("function", PROGRAMS)
def test_conditions_are_pythons(function):
    compiled = weft.jit(function)
    for count in (-1, 0, 1, 2, 5, 9):
        arguments = (np.ones(3), count) if function is as_an_index else (count,)
        expected, found = outcome(function, arguments), outcome(compiled, arguments)
        assert (type(found), found) == (type(expected), expected), count
