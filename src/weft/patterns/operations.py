"""Operators of patterns by their names, with NumPy's types and neutral elements, in the language that Weft compiles."""

# Arguments are of whatever types the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from weft.frontend.calls.markers import associative

NAMES = ("add", "multiply", "minimum", "maximum", "bitwise_and", "bitwise_or", "bitwise_xor")
"""NumPy's names of the operators; short forms are in `named`."""


@associative
def add(a, b):
    """The sum."""
    return a + b


@associative
def multiply(a, b):
    """The product."""
    return a * b


@associative
def bitwise_and(a, b):
    """Bit by bit."""
    return a & b


@associative
def bitwise_or(a, b):
    """Bit by bit."""
    return a | b


@associative
def bitwise_xor(a, b):
    """Bit by bit."""
    return a ^ b


def named(op):
    """The function that a name, or one of NumPy's functions, stands for; any other function itself."""
    if op == "add" or op == "+" or op is np.add:
        return add
    if op == "multiply" or op == "*" or op is np.multiply:
        return multiply
    if op == "minimum" or op == "min" or op is np.minimum:
        return np.minimum
    if op == "maximum" or op == "max" or op is np.maximum:
        return np.maximum
    if op == "bitwise_and" or op == "&" or op is np.bitwise_and:
        return bitwise_and
    if op == "bitwise_or" or op == "|" or op is np.bitwise_or:
        return bitwise_or
    if op == "bitwise_xor" or op == "^" or op is np.bitwise_xor:
        return bitwise_xor
    return op


def kind_under(f, kind):
    """The type in which NumPy's ufunc folds elements of a type: sums of small integers are of 64 bits."""
    if (f is add or f is multiply) and (kind.kind == "b" or kind.kind == "i"):
        return np.int64
    if (f is add or f is multiply) and kind.kind == "u":
        return np.uint64
    return kind.type


def has_neutral(f):
    """Whether a fold of nothing has a value."""
    return f is add or f is multiply or f is bitwise_and or f is bitwise_or or f is bitwise_xor


def neutral(f, kind):
    """The value of a fold of nothing."""
    if f is multiply:
        return kind(1)
    if f is bitwise_and:
        return ~kind(0)
    return kind(0)


def is_named(f):
    """Whether a function is one of the operators above."""
    return has_neutral(f) or f is np.minimum or f is np.maximum
