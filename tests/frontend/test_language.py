"""Every construct of the language, in CPython and translated: the same results, arrays and exceptions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import weft
from weft.frontend.calls.markers import assume_independent, prange

from . import functions
from .compare import check

FLOATS = np.array([3.0, -1.0, 4.0, 1.5, -9.0])


def test_for_over_range():
    def f(a, n):
        s = 0
        for i in range(n):
            s += i * i
            a[i] = s
        return s

    for n in (0, 1, 5):
        check(f, FLOATS, n)


@pytest.mark.parametrize("bounds", [(0, 10, 3), (10, 0, -3), (5, 5, 1), (5, 0, 2), (0, 5, -1), (-3, 4, 2), (4, -5, -1)])
def test_range_with_steps(bounds):
    def f(start, stop, step):
        s = 0
        last = -99
        for i in range(start, stop, step):
            s = s * 3 + i
            last = i
        return s, last

    check(f, *bounds)


@pytest.mark.parametrize(
    "f",
    [
        lambda n: sum(range(0, n, 2)),
        lambda n: sum(range(n, 0, -2)),
        lambda n: sum(range(1, n)),
        lambda n: sum(range(n, -3, -1)),
        lambda n: len(range(n)) + len(range(0, n, 3)),
    ],
)
def test_range_with_constant_steps(f):
    for n in (-2, 0, 1, 6, 7):
        check(f, n)


def test_range_with_step_zero_raises():
    def f(n):
        for i in range(0, 5, n):
            pass

    check(f, 0)


def test_range_takes_numpy_integers():
    def f(a):
        s = 0
        for i in range(a[0], a[1]):
            s += i
        return s

    check(f, np.array([2, 7], np.int32))


def test_loop_variable_can_be_assigned_in_the_body():
    def f(n):
        s = 0
        for i in range(n):
            i = i * 10
            s += i
        return s

    check(f, 5)


def test_the_range_is_evaluated_once():
    def f(n):
        count = 0
        for i in range(n):
            n = 100
            count += 1
        return count, n

    check(f, 3)


def test_loop_variable_after_the_loop():
    def f(n):
        for i in range(n):
            pass
        return i

    check(f, 4)
    check(f, 0)


def test_variable_defined_in_one_iteration_only():
    def f(a):
        for i in range(len(a)):
            if a[i] < 0:
                found = i
        return found

    check(f, FLOATS)
    check(f, np.abs(FLOATS))


def test_variable_defined_in_one_branch_only():
    def f(n):
        if n > 0:
            x = n
        if n > 1:
            return x
        x = 7
        return x

    for n in (0, 1, 2):
        check(f, n)


def test_variable_that_is_never_defined():
    def f(n):
        if n > 3:
            x = 1
        return x

    check(f, 5)
    check(f, 2)


def test_prange_and_assume_independent():
    def f(a):
        for i in prange(len(a)):
            a[i] *= 2.0
        for i in prange(1, len(a), 2):
            a[i] += 1.0
        for i in assume_independent(range(len(a))):
            a[i] -= 3.0

    check(f, FLOATS)


def test_for_over_arrays():
    def f(a):
        s = 0.0
        for v in a:
            s += v
        return s

    check(f, FLOATS)
    check(f, FLOATS.astype(np.float32))
    check(f, FLOATS[::-2])


def test_for_over_rows():
    def f(m):
        for row in m:
            for k in range(len(row)):
                row[k] += k
        return m

    check(f, np.arange(6.0).reshape(2, 3))


def test_enumerate_zip_reversed():
    def f(a, b, out):
        for i, (x, y) in enumerate(zip(a, b)):
            out[i] = x * y
        for i, x in enumerate(reversed(a), 2):
            out[0] += i * x
        for i in reversed(range(len(a))):
            out[1] = out[1] * 0.5 + a[i]
        for i, j in zip(range(3), range(10, 0, -2)):
            out[i] += j
        for k in enumerate(a, start=1):
            out[2] += k[0] * k[1]

    check(f, FLOATS, FLOATS[:4], np.zeros(5))


def test_for_over_tuples():
    def f(a, x):
        s = 0.0
        for k in (1, 2, 4):
            s += a[k]
        for v in (x, 2.5, 1):
            s *= v
        for i, v in enumerate((x, 3.0)):
            s += i * v
        for u, v in zip((1, 2), (x, 5.0)):
            s -= u * v
        for k in [0, 1]:
            s += a[k]
        for v in reversed((1.0, 2.0)):
            s = s / 2 + v
        return s

    check(f, FLOATS, 1.5)


def test_break_in_a_loop_over_a_tuple():
    def f(a, x):
        for k in (0, 1, 2, 3):
            if a[k] == x:
                break
            if a[k] < 0:
                continue
            a[k] = 0.0
        else:
            return -1
        return k

    for x in (3.0, 4.0, 77.0):
        check(f, FLOATS, x)


def test_while():
    def f(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    check(f, 27)


def test_while_true_with_break_and_continue():
    def f(a):
        i = 0
        s = 0.0
        while True:
            i += 1
            if i >= len(a):
                break
            if a[i] < 0:
                continue
            s += a[i]
        return s, i

    check(f, FLOATS)


def test_while_else():
    def f(a, x):
        i = 0
        while i < len(a):
            if a[i] == x:
                break
            i += 1
        else:
            i = -1
        return i

    check(f, FLOATS, 1.5)
    check(f, FLOATS, 2.5)


def test_condition_of_while_is_not_evaluated_after_break():
    def f(a, n):
        i = 0
        while a[i] > -100.0:
            i += 1
            if i == len(a):
                break
        return i

    check(f, FLOATS, 3)


def test_walrus_in_a_while_condition():
    def f(a):
        i = 0
        s = 0.0
        while (x := a[i]) > -5.0:
            s += x
            i += 1
            if s > 100.0:
                break
        else:
            s = -s
        return s, x, i

    check(f, FLOATS)


def test_break_continue_else():
    def f(a, x):
        count = 0
        for i in range(len(a)):
            if a[i] < 0:
                continue
            count += 1
            if a[i] == x:
                break
            a[i] = 0.0
        else:
            count = -count
        return count, i

    check(f, FLOATS, 1.5)
    check(f, FLOATS, 99.0)


def test_nested_breaks_and_returns():
    def f(m, x):
        total = 0.0
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                if m[i, j] == x:
                    return i, j, total
                if m[i, j] < 0:
                    break
                total += m[i, j]
            else:
                total += 1000.0
                continue
            if total > 5000.0:
                break
        return -1, -1, total

    m = np.array([[1.0, 2.0, 3.0], [4.0, -1.0, 5.0], [6.0, 7.0, 8.0]])
    for x in (1.0, 5.0, 7.0, 42.0):
        check(f, m, x, types=False)


def test_statements_after_a_partial_jump():
    def f(a, x):
        s = 0.0
        for i in range(len(a)):
            if a[i] > 0:
                if a[i] > x:
                    continue
                s += 1.0
            elif a[i] < -5.0:
                s += 50.0
                if x > 3.0:
                    break
                s += 7.0
            s += a[i]
        return s

    for x in (0.5, 2.0, 3.5):
        check(f, FLOATS, x)


def test_early_return_in_branches():
    def f(n):
        if n < 0:
            if n < -10:
                return 1
            n = -n
        elif n == 0:
            return 2
        return n + 100

    for n in (-20, -3, 0, 5):
        check(f, n)


def test_return_from_an_inner_loop_ends_all_loops():
    def f(n):
        count = 0
        for i in range(n):
            for j in range(n):
                for k in range(n):
                    count += 1
                    if i * j * k == 8:
                        return count
            while True:
                count += 100
                if count > 5:
                    break
        return -count

    check(f, 4)
    check(f, 2)


def test_function_without_a_result():
    def f(a):
        if a[0] > 0:
            return
        a[0] = 5.0

    check(f, FLOATS)
    check(f, -FLOATS)


def test_several_results_and_unpacking():
    def f(x, n):
        a, (b, c) = x, (n, x + n)
        a, b = b, a
        d = e = a * 2
        first, *rest = (1, 2, 3)
        return a, (b, c), d + e, first + rest[1]

    check(f, 1.5, 4)


def test_swapping_elements_and_arrays():
    def f(a, b):
        a[0], a[1] = a[1], a[0]
        for t in range(3):
            a, b = b, a
            a[t] += 1.0
        return a, b

    check(f, FLOATS, FLOATS * 2)


def test_unpacking_an_array():
    def f(a):
        x, y = a
        return x - y

    check(f, FLOATS[:2])
    check(f, FLOATS[:3])
    check(f, FLOATS[:1])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint8])
def test_augmented_assignment(dtype):
    def f(a, n):
        a[0] += 2
        a[1] -= 1
        a[2] *= 3
        a[-1] //= 2
        n += 1
        n <<= 2
        n |= 1
        n ^= 6
        n %= 100
        n **= 2
        return n

    check(f, np.array([5, 6, 7, 8], dtype), 9)


def test_augmented_assignment_evaluates_its_target_once():
    def f(a, n):
        k = 0

        def next_one():
            nonlocal k
            k += 1
            return k

        a[next_one()] += next_one()
        return k

    check(f, FLOATS, 0)


def test_value_is_computed_before_the_target():
    def f(a, n):
        k = 0

        def bump(by):
            nonlocal k
            k += by
            return k

        a[bump(1)] = bump(2) * 10.0
        return k

    check(f, FLOATS, 0)


def test_conditional_expressions():
    def f(a, n):
        x = a[n] if 0 <= n < len(a) else 0
        y = 1 if n else 2
        return x, y, (n if n > 2 else -n) + 1

    for n in (-1, 0, 3, 9):
        check(f, FLOATS, n, types=False)


def test_chained_comparisons_evaluate_once():
    def f(n):
        k = 0

        def next_one():
            nonlocal k
            k += 1
            return k

        first = 0 < next_one() < 3 < next_one()
        return first, k, n < 5 < 7, 1 <= n <= 2

    for n in (1, 6):
        check(f, n)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, n: n and 5,
        lambda x, n: n or 5,
        lambda x, n: x and x + 1.0,
        lambda x, n: (n > 1 and x > 1.0) or n < -1,
        lambda x, n: not n,
        lambda x, n: not (x > 0.0 and not n),
        lambda x, n: n > 0 and 1.0 or -1.0,
        lambda x, n: 1 // n if n and n > 0 else 0,
        lambda x, n: bool(n and 10 // n > 3),
        lambda x, n: True and n,
        lambda x, n: False or n,
    ],
)
def test_and_or_not(f):
    for x, n in ((0.0, 0), (2.5, 2), (-1.0, -3)):
        check(f, x, n)


def test_short_circuit_keeps_indices_inside():
    def f(a, i):
        return bool(i >= 0 and i < len(a) and a[i] > 0)

    for i in (-1, 0, 1, 5):
        check(f, FLOATS, i)


def test_walrus():
    def f(n):
        if (k := n + 1) > 3:
            return k * 10
        y = (z := k * 2) + z
        return y

    check(f, 1)
    check(f, 5)


def test_asserts():
    for args in ((1, 1.0), (0, 1.0), (10, 1.0), (1, 0.0)):
        check(functions.asserting, *args)


def test_raise():
    def f(n, a):
        if n == 1:
            raise ValueError("n is {1}")
        if n == 2:
            raise IndexError(f"n={n!r} {{}} {a[0]} {n:>5}")
        if n == 3:
            raise ZeroDivisionError
        if n == 4:
            raise TypeError()
        if n == 5:
            raise ArithmeticError(n)
        if n == 6:
            message = f"shape {a.shape} {n + 1}"
            raise RuntimeError(message)
        if n == 7:
            raise KeyError("gone") from None
        return n

    for n in range(9):
        check(f, n, FLOATS)


def test_raise_stops_before_later_stores():
    def f(a):
        for i in range(len(a)):
            if a[i] < 0:
                raise ValueError(f"negative at {i}")
            a[i] = 0.0

    check(f, FLOATS)


def test_helpers_with_defaults_and_keywords():
    def f(x, n):
        def g(a, b=2.0, *rest, c=1.0, d):
            return a * 1000 + b * 100 + c * 10 + d + len(rest)

        pair = (1.0, 5.0)
        return g(x, d=1.0), g(x, 3.0, d=n), g(*pair, d=0.5), g(1.0, 2.0, 3.0, 4.0, c=3.0, d=4.0)

    check(f, 1.5, 3)


def helper(x, scale=2.0):
    if x < 0:
        return -x
    return x * scale


def test_helpers_of_the_module():
    def f(a):
        s = 0.0
        for i in range(len(a)):
            s += helper(a[i]) + helper(a[i], scale=a[0])
        return s

    check(f, FLOATS)


def test_lambdas_and_functions_as_arguments():
    def f(a, g):
        square = lambda v: v * v  # noqa: E731
        twice = lambda h, v: h(h(v))  # noqa: E731
        for i in range(len(a)):
            a[i] = g(twice(square, a[i]))

    check(f, FLOATS, lambda v: v + 1.0)


def test_two_lambdas_on_one_line():
    f, g = lambda v: v + 1.0, lambda v: v - 1.0
    check(f, 1.5)
    check(g, 1.5)


def test_closures_see_later_values():
    def f(n):
        k = 1

        def g(x):
            return x * k

        a = g(10)
        k = 5
        return a, g(10)

    check(f, 3)


def test_functions_that_return_functions():
    def f(x):
        def make(k):
            def g(v):
                return v * k

            return g

        double, triple = make(2.0), make(3.0)
        return double(x) + triple(x)

    check(f, 1.5)


def test_nonlocal_inside():
    def f(a):
        s = 0.0
        count = 0

        def add(v):
            nonlocal s, count
            if v > 0:
                s += v
                count += 1

        for i in range(len(a)):
            add(a[i])
        return s, count

    check(f, FLOATS)


def test_isinstance_and_none():
    def f(x, n, a, option):
        s = 0
        if isinstance(x, float):
            s += 1
        if isinstance(n, (float, np.floating)):
            s += 2
        if isinstance(a, np.ndarray) and option is None:
            s += 4
        if option is not None:
            s += a.nothing
        if type(n) is int:
            s += 8
        return s

    check(f, 1.0, 2, FLOATS, None)


def test_strings_choose_code():
    def f(a, mode):
        if mode == "sum":
            return a[0] + a[1]
        elif mode in ("product", "times"):
            return a[0] * a[1]
        return mode

    for mode in ("sum", "times", "other"):
        check(f, FLOATS, mode)


def test_tuples():
    def f(x, n):
        t = (x, n, 3) + (4.0,)
        u = (1, 2) * 2
        k = n % 4
        same = (n, 1) == (3, 1)
        less = (n, x) < (3, 2.0)
        return t[1], t[-1], len(t), u[k], t[1:3], n in (1, 3), n not in (2, 3), same, less, u.count(1), u.index(2)

    for n in (1, 2, 3):
        check(f, 1.5, n)


def test_index_of_a_tuple_out_of_range():
    def f(n):
        return (1, 2, 3)[n]

    for n in (0, 2, -1, -3, 3, -4):
        check(f, n)


def test_early_exits_do_not_hide_values():
    def f(a):
        best = -1
        for i in range(len(a)):
            if a[i] > 0:
                best = i
                if a[i] > 3.5:
                    break
        return best

    check(f, FLOATS)


def test_first_value_decides_nothing_about_the_type():
    def f(a):
        s = 0
        m = 1
        for v in a:
            s += v
            m = m * v
        return s, m

    check(f, FLOATS.astype(np.float32))
    check(f, np.array([3, 4], np.int16))


def test_same_objects_are_returned():
    def f(a, b):
        return b

    a, b = np.zeros(3), np.ones(3)
    assert check(f, a, b) is not None


def test_markers_change_nothing_in_python():
    assert list(weft.prange(3)) == [0, 1, 2]


def test_unbound_read_inside_a_loop():
    def f(a):
        s = 0.0
        for i in range(len(a)):
            if i > 1:
                s += last  # noqa: F821
            last = a[i]  # noqa: F841
        return s

    check(f, FLOATS)


def test_sum_of_a_generator():
    def f(a, n):
        k = 2.0
        return sum(k * v for v in a if v > 0), any(v > 3.0 for v in a), all(v < n for v in a)

    check(f, FLOATS, 100)
    check(f, FLOATS, 2)


def test_code_after_a_return_is_not_translated():
    def f(n):
        return n
        return undefined_name  # noqa: F821

    check(f, 1)


def test_annotations_are_ignored():
    def f(n: "anything", x: float = 2.0) -> "nothing":  # noqa: F821
        y: int = n + 1
        z: float
        z = y * x
        return z

    check(f, 1, 3.5)


def test_docstrings_and_pass():
    def f(n):
        """Text."""
        if n:
            pass
        ...
        return n

    check(f, 1)


def test_python_constants_that_become_numpy_numbers_and_round_alike():
    def f(a, decay):
        s, t, m, k = 0.0, 1.0, 0.0, 0
        for v in a:
            s = 0.9 * s + v
            t = t * 2.0 + v
            m = max(m, v) + 0.5 * m
            k = (k + 1) * 3 + v
        u = 0.0
        for v in a:
            u = decay * u + v
        return s, t, m, k, u

    check(f, np.array([0.1, 0.7, 0.3], np.float32), 0.3, types=False)


def test_python_constants_that_would_round_otherwise_are_computed_as_pythons():
    def f(a):
        s = 3.0
        for v in a:
            s = s * 0.3 + v
        return s

    for k in range(1, 4):
        check(f, np.array([0.1, 0.7, 0.3], np.float32)[:k])
        check(f, np.array([0.1, 0.7, 0.3])[:k])


@pytest.mark.parametrize("digits", range(23))
def test_round_of_a_float_is_pythons(digits):
    rounded = weft.jit(lambda x, d: round(x, d))
    rng = np.random.default_rng(digits)
    ties = [(10 * k + 5) / 10.0 ** (digits + 1) for k in range(-40, 40)]
    wide = (rng.random(300) - 0.5) * 10.0 ** rng.integers(-5, 18, 300)
    special = [0.0, -0.0, math.inf, -math.inf, 1e300, 5e-324, 0.5, 1.5, 2.5, 2.0**52 + 0.5, 2.675]
    for x in (*ties, *wide.tolist(), *special):
        assert repr(rounded(x, digits)) == repr(round(x, digits)), x
    assert math.isnan(rounded(math.nan, digits))


@pytest.mark.parametrize("digits", [-1, 23])
def test_rounding_to_more_digits_is_refused(digits):
    with pytest.raises(weft.UnsupportedError, match="0 to 22 digits"):
        weft.jit(lambda x, d: round(x, d))(1.5, digits)


def test_membership_in_ranges():
    def count(n, start, stop, step):
        found = 0
        for i in range(-n, n):
            if i in range(start, stop, step):
                found += 1
            if np.int32(i) not in range(3):
                found += 100
        return found

    for given in ((9, 1, 6, 1), (9, -7, 8, 3), (9, 7, -8, -2), (9, 3, 3, 1), (9, 5, 1, 1)):
        assert weft.jit(count)(*given) == count(*given)


@pytest.mark.parametrize(
    ("template", "value"),
    [
        ("too large: %d", 4), ("%s and %r", (1, 2.5)), ("%5.2f|%03d|%g|%e", (2.5, 7, 0.1, 1e9)),
        ("100%% of {%s}", True), ("%i", np.int32(7)),
    ],
)  # fmt: skip
def test_messages_by_the_percent_operator(template, value):
    def f(x):
        raise ValueError(template % x)

    with pytest.raises(ValueError) as expected:
        f(value)
    with pytest.raises(ValueError) as found:
        weft.jit(f)(value)
    assert found.value.args[0].splitlines()[0] == expected.value.args[0]


@pytest.mark.parametrize("template", ["%x", "%d", "%5s", "%"])
def test_other_directives_are_refused(template):
    def f(x):
        raise ValueError(template % x)

    with pytest.raises(weft.UnsupportedError, match="format is not supported"):
        weft.jit(f)(2.5)


def tuple_in_the_first_branch(n):
    x = 1
    if n > 1:
        if n > 2:
            x = (1, 2)
    else:
        x = 3
    return x


def tuple_in_the_second_branch(n):
    x = 1
    if n <= 1:
        x = 3
    else:
        if n > 2:
            x = (1, 2)
    return x


def tuple_or_nothing(n):
    if n <= 1:
        pass
    else:
        if n > 2:
            x = (1, 2)
        else:
            x = 4
    return x


def tuple_in_a_branch_of_a_loop(n):
    x = 1
    for i in range(n):
        if i < 1:
            x = 3
        else:
            if i > 2:
                x = (1, 2)
            else:
                x = 5
        x = x
    return x


@pytest.mark.parametrize(
    "function",
    [tuple_in_the_first_branch, tuple_in_the_second_branch, tuple_or_nothing, tuple_in_a_branch_of_a_loop],
)
def test_values_without_a_common_type_are_refused_in_whichever_branch_they_are(function):
    for n in range(4):
        with pytest.raises(weft.TypeInferenceError, match="depends on values"):
            weft.jit(function)(n)
