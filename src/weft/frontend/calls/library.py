"""Functions of Python and NumPy that are loops or a few operations, written in the language that Weft compiles.

They are inlined like functions of the user; errors inside them show the place of the call.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: SIM110

from __future__ import annotations

import math
import sys

import numpy as np

from weft.errors import UnsupportedError

MOST_DIGITS = 22
LARGEST = 2**63 - 1
EMPTY_MINIMUM, EMPTY_MAXIMUM = (
    f"{name}() {'iterable argument is empty' if sys.version_info >= (3, 12) else 'arg is an empty sequence'}"
    for name in ("min", "max")
)

UNORDERED = (
    "the order of a set decides: several of its elements have the key that is asked for. Weft's sets have another "
    "order than Python's; sort the set first"
)


def sum_of(items, start=0):
    total = start
    for item in items:
        total = total + item
    return total


def minimum_of(items):
    if len(items) == 0:
        raise ValueError(EMPTY_MINIMUM)
    best = items[0]
    for k in range(1, len(items)):
        item = items[k]
        if item < best:
            best = item
    return best


def maximum_of(items):
    if len(items) == 0:
        raise ValueError(EMPTY_MAXIMUM)
    best = items[0]
    for k in range(1, len(items)):
        item = items[k]
        if item > best:
            best = item
    return best


def minimum_by(items, key, of_set):
    if len(items) == 0:
        raise ValueError(EMPTY_MINIMUM)
    best = items[0]
    least, tied = key(best), False
    for k in range(1, len(items)):
        item = items[k]
        value = key(item)
        if value < least:
            best, least, tied = item, value, False
        elif of_set and not value > least:
            tied = True
            if value != least:
                raise UnsupportedError(UNORDERED)
    if of_set and tied:
        raise UnsupportedError(UNORDERED)
    return best


def maximum_by(items, key, of_set):
    if len(items) == 0:
        raise ValueError(EMPTY_MAXIMUM)
    best = items[0]
    most, tied = key(best), False
    for k in range(1, len(items)):
        item = items[k]
        value = key(item)
        if value > most:
            best, most, tied = item, value, False
        elif of_set and not value < most:
            tied = True
            if value != most:
                raise UnsupportedError(UNORDERED)
    if of_set and tied:
        raise UnsupportedError(UNORDERED)
    return best


def place_in_range(index, length):
    place = index + length if index < 0 else index
    if place < 0 or place >= length:
        raise IndexError("range object index out of range")
    return place


def any_of(items):
    for item in items:
        if item:
            return True
    return False


def all_of(items):
    for item in items:
        if not item:
            return False
    return True


def product_of(items, start=1):
    result = start
    for item in items:
        result = result * item
    return result


def reduced(function, items):
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    total = items[0]
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total


def reduced_from(function, items, total):
    for item in items:
        total = function(total, item)
    return total


def bit_length(number):
    """``int.bit_length``: the sign is left out."""
    rest = ~number if number < 0 else number
    length, high = 0, rest
    for step in (32, 16, 8, 4, 2, 1):
        if high >> step:
            high >>= step
            length += step
    if high:
        length += 1
    if number < 0 and rest == LARGEST >> (63 - length):
        length += 1
    return length


def bit_count(number):
    """``int.bit_count``: the sign is left out."""
    if number < -LARGEST:
        return 1
    rest, count = abs(number), 0
    while rest:
        rest &= rest - 1
        count += 1
    return count


def power_modulo(base, exponent, modulus):
    """``pow(base, exponent, modulus)``, by squares; products have up to 128 bits."""
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(modulus)
    square = base % size
    if exponent < 0:
        square = inverse_modulo(square, size)
        exponent = -exponent
    result = 1 % size
    while exponent > 0:
        if exponent & 1:
            result = product_modulo(result, square, size)
        exponent >>= 1
        square = product_modulo(square, square, size)
    return result + modulus if modulus < 0 and result > 0 else result


def product_modulo(a, b, size):
    """``a * b % size`` of numbers below `size`: by doubling where the product may not fit in 64 bits."""
    if size <= 3037000499:
        return a * b % size
    result = 0
    while b > 0:
        if b & 1:
            result = result - (size - a) if result >= size - a else result + a
        a = a - (size - a) if a >= size - a else a + a
        b >>= 1
    return result


def inverse_modulo(value, size):
    """The number whose product with `value` is 1, by Euclid's algorithm."""
    a, b = size, value
    x, y = 0, 1
    while b != 0:
        quotient = a // b
        a, b = b, a - quotient * b
        x, y = y, x - quotient * y
    if a != 1:
        raise ValueError("base is not invertible for the given modulus")
    return x % size


def is_in_range(value, start, stop, step):
    """Whether a range holds a value: the rests are compared, as ``value - start`` may have more than 64 bits."""
    if step > 0:
        return start <= value < stop and value % step == start % step
    return stop < value <= start and value % step == start % step


def divided(a, b):
    return a // b, a % b


def divided_floats(a, b):
    if b == 0.0:
        raise ZeroDivisionError("float divmod()")
    return a // b, a % b


def is_close(a, b, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    difference = math.fabs(b - a)
    return difference <= math.fabs(rel_tol * b) or difference <= math.fabs(rel_tol * a) or difference <= abs_tol


def split(value):
    if math.isinf(value):
        return math.copysign(0.0, value), value
    whole = float(np.trunc(value))
    return math.copysign(value - whole, value), whole


def rounded(value, digits):
    if digits >= 0:
        factor = 10.0**digits
        return np.rint(value * factor) / factor
    factor = 10.0 ** (-digits)
    return np.rint(value / factor) * factor


def rounded_decimal(value, digits):
    """Python's rounding of a float: the float nearest to its decimal digits, ties to even.

    The product with the power of ten is known exactly, as a sum of two floats (Dekker 1971), and both operands of the
    quotient are exact: powers of ten are up to ``10.0 ** 22``.
    """
    if digits < 0 or digits > MOST_DIGITS:
        raise UnsupportedError("compiled code rounds a Python float to 0 to 22 digits")
    factor = 1.0
    for _ in range(digits):
        factor *= 10.0
    size = math.fabs(value)
    scaled = size * factor
    if not scaled < 9007199254740992.0:
        return value
    whole = float(np.trunc(scaled))
    rest = scaled - whole
    error = product_error(size, factor, scaled)
    odd = whole % 2.0 == 1.0
    if rest > 0.5 or (rest == 0.5 and (error > 0.0 or (error == 0.0 and odd))) or (error == 0.5 and odd):
        whole += 1.0
    elif error == -0.5 and odd:
        whole -= 1.0
    return math.copysign(whole / factor, value)


def product_error(a, b, product):
    large = 134217729.0 * a
    a_high = large - (large - a)
    a_low = a - a_high
    large = 134217729.0 * b
    b_high = large - (large - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def steps_between(start, stop, step):
    """How many elements ``np.arange`` makes."""
    quotient = (stop - start) / step
    if math.isnan(quotient):
        raise ValueError("arange: cannot compute length")
    if math.isinf(quotient) or quotient >= 9223372036854775807.0:
        raise ValueError("Maximum allowed size exceeded")
    return max(math.ceil(quotient), 0)


def spaced(count, start, step, kind, wide):
    """``np.arange``: the second element is `start + step`, and later ones go on by what the second is ahead."""
    out = np.empty(count, kind)
    first = wide(kind(start))
    second = wide(kind(start + step)) if count > 1 else first
    ahead = second - first
    for k in range(count):
        out[k] = kind(first + wide(k) * ahead if k != 1 else second)
    return out


def linearly_spaced(start, stop, count, endpoint):
    """``np.linspace`` in its own order of operations."""
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    out = np.empty(count)
    first, last = np.float64(start), np.float64(stop)
    whole = last - first
    parts = np.float64(count - 1 if endpoint else count)
    step = whole / parts if parts > 0 else np.float64(1.0)
    for k in range(count):
        here = np.float64(k)
        out[k] = (
            here * step if parts > 0 and step != 0 else here / parts * whole if parts > 0 else here * whole
        ) + first
    if endpoint and count > 1:
        out[count - 1] = last
    return out


def diagonal_of_ones(rows, columns, k, kind):
    out = np.zeros((rows, columns), kind)
    for i in range(max(0, -k), min(rows, columns - k)):
        out[i, i + k] = 1
    return out


def hash_of(n):
    if n >= 0:
        return n % 2305843009213693951
    rest = (-(n + 1) % 2305843009213693951 + 1) % 2305843009213693951
    return -2 if rest == 1 else -rest
