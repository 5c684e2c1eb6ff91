"""Compiled code catches exceptions as CPython does: variables, arrays, output and what is raised are the same."""

# ruff: noqa: F841, TRY
from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import weft
from weft.errors import Error

from .compare import program_of


class Mine(Exception):
    pass


def helper(v):
    if v > 3:
        raise ValueError("large")
    return 10 // v


def find(a, v):
    for i in range(len(a)):
        if a[i] == v:
            return i
    raise ValueError("not found")


def sum_of_known(a, n):
    s = 0.0
    for i in range(n):
        try:
            s += a[i]
        except IndexError:
            s -= 1.0
    return s


def quotient(x, n):
    try:
        y = x / n
    except ZeroDivisionError:
        y = -1.0
    return y


def gather(a, idx, out):
    bad = 0
    for i in range(len(idx)):
        try:
            out[i] = a[idx[i]]
        except IndexError:
            bad += 1
            out[i] = -1.0
    return bad


def all_clauses(x, n):
    r = 0
    try:
        r = 1
        y = x / n
        r = 2
    except ZeroDivisionError:
        r += 10
    else:
        r += 100
    finally:
        r += 1000
    return r


def root(x):
    try:
        if x < 0:
            raise ValueError("negative")
        return math.sqrt(x)
    except ValueError:
        return -1.0


def helper_raises(n):
    s = 0
    for i in range(n):
        try:
            s += helper(i)
        except (ValueError, ZeroDivisionError):
            s += 100
    return s


def fill(a, n):
    k = 0
    try:
        for i in range(n):
            a[i] = 1.0 / (i - 5)
            k = i
    except ZeroDivisionError:
        k += 100
    except IndexError:
        k += 1000
    return k


def write_in_finally(a, n):
    try:
        a[0] = 5.0
        a[n] = 1.0
    finally:
        a[1] = 7.0
    return 3


def in_parallel_loop(a):
    for i in weft.prange(len(a)):
        try:
            a[i] = int(a[i]) // (i % 3)
        except ZeroDivisionError:
            a[i] = -1.0
        except (ValueError, OverflowError):
            a[i] = -2.0


def in_conditional_expression(n):
    try:
        v = 10 // n if n < 5 else 20 // (n - 7)
    except ZeroDivisionError as e:
        print("error:", e)
        v = -1
    return v


def nested(n):
    try:
        try:
            v = 10 // n
        except ValueError:
            v = 1
        finally:
            v = 2
    except ZeroDivisionError:
        v += 3
    return v


def jumps(n):
    s = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                continue
            if i == 7:
                break
            s += 10 // (i - 4)
        except ZeroDivisionError:
            s += 1000
        else:
            s += 1
        finally:
            s += 10000
    return s


def skip_zero(a, n):
    i = 0
    while i < n:
        try:
            a[i] = 10 // (i - 2)
            i += 1
        except ZeroDivisionError:
            i += 2
    return i


def search(a, v):
    try:
        k = find(a, v)
    except ValueError:
        k = -1
    return k


def raise_again(a, v):
    try:
        return find(a, v) + find(a, v + 1)
    except ValueError as e:
        print("no:", e)
        raise


def own_class(x):
    try:
        raise Mine(f"x is {x}")
    except Mine as e:
        print(f"caught {e}")
        return 1
    return 0


def text_of_index(a, i):
    try:
        v = a[i]
    except IndexError as err:
        print(err)
        v = 0.0
    return v


def logarithm(x):
    try:
        return math.log(x)
    except ValueError:
        return float("-inf")


def exponential(x):
    try:
        return math.exp(x)
    except OverflowError:
        return float("inf")


def assertion(x):
    try:
        assert x > 0, "must be positive"
        r = 1
    except AssertionError:
        print("failed")
        r = 2
    return r


def finally_inside(x, n):
    try:
        try:
            y = x / n
        finally:
            n += 1
    except ZeroDivisionError:
        y = 0.5
    return y + n


def other_exception(n):
    try:
        v = 10 // n
    except ZeroDivisionError:
        raise ValueError("n must not be zero")
    return v


def return_from_handler(a, n):
    c = 0
    for i in range(n):
        for j in range(n):
            try:
                a[i, j] = 1 / (i - j)
            except ZeroDivisionError:
                a[i, j] = 9.0
                c += 1
            except IndexError:
                return -c
    return c


def state_stays(x, n):
    try:
        x = x + 1
        y = x // n
        x = x + 1
    except Exception:
        pass
    return x


def unbound_after(n):
    try:
        z = 1 // n
    except ZeroDivisionError:
        pass
    return z


def short_circuit(a, b):
    try:
        ok = a / b > 1 and b / a > 0
    except ZeroDivisionError:
        ok = False
    return ok


def finally_changes(n):
    for i in range(3):
        try:
            return 10 // (n - i)
        except ZeroDivisionError:
            continue
        finally:
            n += 5
    return -n


def exception_leaves_loop(a):
    s = 0.0
    try:
        for v in a:
            if v < 0:
                raise ValueError
            s += v
    except ValueError:
        return -1.0
    return s


def outer_try(a, n):
    s = 0
    try:
        for i in range(n):
            try:
                s += a[i]
            except ZeroDivisionError:
                s = 0
    except IndexError:
        s += 1000
    return s


def whole(x):
    try:
        k = int(x)
    except ValueError:
        k = -1
    except OverflowError:
        k = -2
    return k


def narrow(o, v):
    try:
        o[0] = v
    except OverflowError:
        o[1] = 1
    return 0


def element_of_list(n):
    vals = [1, 2, 3]
    try:
        x = vals[n]
    except IndexError:
        x = -1
    return x


def while_test(n):
    while n < 100:
        try:
            while 50 // (n - 10) > -100:
                n += 3
                if n > 20:
                    break
            n += 7
        except ZeroDivisionError:
            n += 1
    return n


def partly_unpacked(a, n):
    i = 0
    for i in range(n):
        try:
            a[i], a[i + 1], k = i, i + 1, 5
        except IndexError:
            break
    return i


def or_of_quotients(a, b, c):
    try:
        if a / b > 1 or b / c > 0 or c / a < 3:
            return 1
        return 0
    except ZeroDivisionError:
        return -1


def two_in_a_statement(a, m, out):
    for i in range(len(a)):
        for j in range(m):
            try:
                out[i] += a[i + j] / (j - 1)
            except IndexError:
                out[i] -= 1


def comprehension(a):
    try:
        b = [1 // v for v in range(3)]
    except ZeroDivisionError:
        return 0
    return len(b)


def negative_size(n):
    try:
        t = np.zeros(n)
    except ValueError:
        return 0
    return len(t)


def generator(n):
    try:
        s = sum(10 // (i - 3) for i in range(n))
    except ZeroDivisionError:
        s = -1
    return s


def bare_except(a, i):
    try:
        return a[i]
    except:  # noqa: E722
        return 0.0
    finally:
        a[0] = -1.0


def quotient_tested(n):
    try:
        while n // (n - 3) != 1:
            n -= 1
    except ZeroDivisionError:
        return -n
    return n


def range_of_quotient(a, n):
    try:
        for i in range(10 // n):
            a[i] += 1
    except ZeroDivisionError:
        return 0
    except IndexError:
        return 1
    else:
        return 2


def inner_function(a):
    def f(v):
        if v > 2:
            raise ValueError("big")
        return v

    s = 0
    for i in range(len(a)):
        try:
            s += f(i) if i % 2 == 0 else f(i - 1)
        except ValueError:
            break
    return s


def not_caught(n):
    try:
        x = 10 // n
    except ValueError:
        x = 1
    return x


def base_class(n):
    try:
        if n > 3:
            raise KeyError("k")
        if n > 2:
            raise IndexError
    except LookupError:
        return 5
    return 6


def name_is_deleted(n):
    e = 3
    try:
        1 // n
    except ZeroDivisionError as e:
        pass
    return e


def over_a_tuple(n):
    r = 0
    for i in (1, 2, 3):
        try:
            r += i // (n - i)
        except ZeroDivisionError:
            r += 50
            break
    else:
        r += 1000
    return r


def value_from_before_the_loop(a, n, t):
    try:
        for i in range(n):
            t = int(a[i + 1])
    except IndexError:
        n += 7
    return n * 100 + t


def loop_in_a_handler(a, n, s):
    try:
        try:
            a[n] = s // n
        except ZeroDivisionError:
            raise
        finally:
            s += 1
    except IndexError:
        for i in range(6 // (n - 1)):
            if i == s:
                raise ValueError("v")
            s += i
        raise
    finally:
        a[0] += 1
    return s


def try_in_finally(n):
    try:
        n = 10 // n
    finally:
        try:
            n = 20 // (n - 2)
        except ZeroDivisionError:
            n = 7
    return n


A, I = np.arange(1.0, 4.0), np.arange(5)
CASES = [
    *((value_from_before_the_loop, (np.arange(k), n, 5)) for k in (0, 1, 4) for n in (0, 2, 4)),
    *((loop_in_a_handler, (np.arange(3), n, s)) for n in (0, 1, 2, 3, 4) for s in (1, 5)),
    *((try_in_finally, (n,)) for n in (0, 2, 5)),
    (sum_of_known, (A, 5)), (sum_of_known, (A, 3)),
    (quotient, (1.0, 0)), (quotient, (3.0, 2)),
    (gather, (A, np.array([0, 5, -1, -5, 3]), np.zeros(5))),
    (all_clauses, (1.0, 0)), (all_clauses, (1.0, 2)),
    (root, (-1.0,)), (root, (4.0,)), (helper_raises, (0,)), (helper_raises, (7,)),
    (fill, (np.zeros(3), 5)), (fill, (np.zeros(10), 8)), (fill, (np.zeros(10), 4)), (fill, (np.zeros(10), 0)),
    (write_in_finally, (np.zeros(4), 2)), (write_in_finally, (np.zeros(4), 9)),
    (in_parallel_loop, (np.array([1.0, 2, np.nan, np.inf, 5, 6, 7]),)), (in_parallel_loop, (np.arange(1.0, 1000.0),)),
    *((in_conditional_expression, (n,)) for n in (0, 3, 7, 9)), (nested, (0,)), (nested, (4,)),
    *((jumps, (n,)) for n in (0, 1, 6, 12)), (skip_zero, (np.zeros(9, int), 9)), (skip_zero, (np.zeros(3, int), 2)),
    *((search, (I, v)) for v in (3, 9)), (search, (np.arange(0), 1)), *((raise_again, (I, v)) for v in (2, 4, 7)),
    (own_class, (3,)), (own_class, (2.5,)), *((text_of_index, (A, k)) for k in (2, 3, -4)),
    *((logarithm, (x,)) for x in (0.0, 2.0, -1.0, math.nan, math.inf, -math.inf, -0.0)),
    *((exponential, (x,)) for x in (709.782712893384, 709.78271289338409, 1e6, math.inf, -math.inf, math.nan, -1e9)),
    (assertion, (1,)), (assertion, (-1,)), (finally_inside, (1.0, 0)), (finally_inside, (1.0, 2)),
    (other_exception, (0,)), (other_exception, (3,)), (return_from_handler, (np.zeros((4, 4)), 4)),
    (return_from_handler, (np.zeros((3, 5)), 5)), (state_stays, (5, 0)), (state_stays, (5, 2)),
    (unbound_after, (0,)), (unbound_after, (1,)),
    *((short_circuit, pair) for pair in ((1.0, 0.0), (0.0, 1.0), (3.0, 2.0), (2.0, 3.0))),
    *((finally_changes, (n,)) for n in (0, 1, 3)),
    *((exception_leaves_loop, (a,)) for a in (np.ones(4), np.array([1.0, -1]), np.ones(0))),
    (outer_try, (I, 4)), (outer_try, (I, 6)), *((whole, (x,)) for x in (1.5, math.nan, math.inf, -math.inf)),
    (narrow, (np.zeros(2, np.uint8), 300)), (narrow, (np.zeros(2, np.uint8), 200)),
    (narrow, (np.zeros(2, np.int8), -129)),
    *((element_of_list, (n,)) for n in (0, 3, -3, -4)), *((while_test, (n,)) for n in (0, 10, 7)),
    (partly_unpacked, (np.zeros(4), 6)), (partly_unpacked, (np.zeros(4), 2)),
    *((or_of_quotients, t) for t in ((1.0, 0.0, 1.0), (1.0, 2.0, 0.0), (0.0, -1.0, 2.0), (-1.0, 2.0, -9.0))),
    (two_in_a_statement, (A, 1, np.zeros(3))), (comprehension, (A,)), (negative_size, (-1,)), (negative_size, (3,)),
    (generator, (2,)), (generator, (5,)), (bare_except, (np.ones(2), 1)), (bare_except, (np.ones(2), 2)),
    (quotient_tested, (5,)), (quotient_tested, (3,)), *((range_of_quotient, (np.zeros(3), n)) for n in (0, 2, 5)),
    (inner_function, (np.ones(2),)), (inner_function, (np.ones(7),)), (not_caught, (0,)), (not_caught, (2,)),
    *((base_class, (n,)) for n in (1, 3, 5)), (name_is_deleted, (0,)), (name_is_deleted, (1,)),
    *((over_a_tuple, (n,)) for n in (1, 2, 9)),
]  # fmt: skip


def outcome(function, arguments, capsys):
    """What a call gives or raises, what it leaves in its arguments, and what it prints."""
    given = copy.deepcopy(arguments)
    try:
        result = function(*given)
    except Exception as error:
        result = type(error), str(error).splitlines()[0]
    return result, given, capsys.readouterr().out


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_try_is_pythons(function, arguments, capsys):
    expected = outcome(function, arguments, capsys)
    compiled = outcome(weft.jit(function), arguments, capsys)
    np.testing.assert_equal(compiled, expected)


def test_a_call_of_python_is_not_caught():
    def step(x):
        raise ValueError

    def f(x):
        try:
            weft.python(step, x)
        except ValueError:
            x = 0.0
        return x

    with pytest.raises(Error, match="does not catch the Exception"):
        program_of(f, 1.0)


def test_integers_beyond_64_bits_are_never_caught():
    def f(n):
        try:
            n = n * n
        except OverflowError:
            n = -1
        return n

    with pytest.raises(OverflowError, match="64 bits"):
        weft.jit(f)(2**40)


def never_left(k):
    for j in range(4):
        k += j
    return k


def test_a_loop_in_a_helper_that_nothing_leaves_in_a_try_with_finally():
    def last(n, m):
        s = 1
        try:
            for _ in range(n):
                assert m // n > never_left(2), "first"
            else:
                assert never_left(m) % 2 == 0, "second"
        finally:
            s += 1
        return s

    compiled = weft.jit(last, device="interpreter")
    for n, m in ((0, 2), (0, 3), (2, 2), (2, 40), (2, 41)):
        assert raised_or_returned(last, n, m) == raised_or_returned(compiled, n, m)


def raised_or_returned(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error).__name__, str(error).splitlines()[0]
