"""Philox4x32-10, a generator whose numbers follow from a counter (Salmon, Moraes, Dror, Shaw: SC 2011).

The place of a draw is the low half of the counter, and the number of the attempt within the draw the high half. So
each draw has 128 bits of its own, whatever other draws needed.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

WORD = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
FIRST_STEP, SECOND_STEP = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)

PLACES = 9007199254740992.0
"""How many numbers of 53 bits there are."""


def block(low, high, first, second, third, fourth):
    """Four words of 32 bits, from a key of two words and a counter of four."""
    for _ in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9):  # a tuple, so that the rounds are written out
        one = FIRST_FACTOR * first
        two = SECOND_FACTOR * third
        first, third = (two >> WORD) ^ second ^ low, (one >> WORD) ^ fourth ^ high
        second, fourth = two & LOW, one & LOW
        low = (low + FIRST_STEP) & LOW
        high = (high + SECOND_STEP) & LOW
    return first, second, third, fourth


def bits_of(seed, place, attempt):
    """The 128 bits of a draw, as two integers of 64 bits."""
    place = np.int64(place).astype(np.uint64)
    attempt = np.int64(attempt).astype(np.uint64)
    first, second, third, fourth = block(seed & LOW, seed >> WORD, place & LOW, place >> WORD, attempt, np.uint64(0))
    return (first << WORD) | second, (third << WORD) | fourth


def share(bits):
    """The first 53 bits, as a whole number."""
    return np.float64((bits >> np.uint64(11)).astype(np.int64))


def unit(seed, place):
    """A number of [0, 1): a multiple of 2**-53."""
    return share(bits_of(seed, place, 0)[0]) * (1.0 / PLACES)


def small_unit(seed, place):
    """A float32 of [0, 1): a multiple of 2**-24."""
    bits = bits_of(seed, place, 0)[0]
    return np.float32((bits >> np.uint64(40)).astype(np.int64)) * np.float32(1.0 / 16777216.0)


def upper_half(a, b):
    """The upper 64 bits of the product of two integers of 64 bits."""
    low = (a & LOW) * (b & LOW)
    middle = (a >> WORD) * (b & LOW) + (low >> WORD)
    other = (a & LOW) * (b >> WORD) + (middle & LOW)
    return (a >> WORD) * (b >> WORD) + (middle >> WORD) + (other >> WORD)


def below(seed, place, last):
    """An integer from 0 to `last`, both of uint64: its probability is even up to a part in 2**64."""
    first, second = bits_of(seed, place, 0)
    if last < LOW:
        return narrow(first, second, last + np.uint64(1))
    return wide(first, second, last)


def narrow(first, second, count):
    """The product of 128 bits and a number of 32 bits, divided by 2**128."""
    product = (second & LOW) * count
    product = (second >> WORD) * count + (product >> WORD)
    product = (first & LOW) * count + (product >> WORD)
    return ((first >> WORD) * count + (product >> WORD)) >> WORD


def wide(first, second, last):
    """The product of 128 bits and ``last + 1``, divided by 2**128."""
    count = last + np.uint64(1)
    if count == np.uint64(0):
        return first
    lower = first * count
    carry = np.uint64(1) if lower + upper_half(second, count) < lower else np.uint64(0)
    return upper_half(first, count) + carry
