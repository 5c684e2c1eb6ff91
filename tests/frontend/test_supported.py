"""The table of supported and refused constructs: every example behaves as the table says."""

from __future__ import annotations

import collections
import functools
import linecache
import math

import numpy as np
import pytest

import weft
from weft.errors import Error
from weft.frontend.source.supported import REFUSED, SUPPORTED, Feature

from .compare import program_of

NO_EXAMPLE = {
    "nonlocal in helper", "captured in associative", "captured value", "own constructor", "expression",
    "new attribute", "list", "keys of a captured dict", "function with a cache", "text of an object",
    "attribute of a captured object", "hidden attribute", "own attribute access", "function of Numba",
    "foreign function", "length of a given list", "list of arrays", "list beside a given one",
    "strings of an argument", "dicts of an argument", "object in a list", "objects in a result", "unset field",
    "fields that are objects",
}  # fmt: skip
"""Refusals that need more than a body; other tests have them."""

unknown = [1, 2]


def function_of(feature: Feature):
    body = "\n".join(f"    {line}" for line in feature.example.splitlines())
    text = f"def f(a, b, m, x, n):\n{body}\n"
    name = f"<example {feature.name}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {
        "np": np,
        "math": math,
        "functools": functools,
        "collections": collections,
        "weft": weft,
        "unknown": unknown,
    }
    exec(compile(text, name, "exec"), space)
    return space["f"]


ARGUMENTS = (np.ones(5), np.ones(5), np.ones((3, 4)), 2.0, 3)


@pytest.mark.parametrize("feature", SUPPORTED, ids=lambda f: f.name)
def test_supported_examples_compile(feature):
    program_of(function_of(feature), *ARGUMENTS)


@pytest.mark.parametrize("feature", [f for f in REFUSED if f.name not in NO_EXAMPLE], ids=lambda f: f.name)
def test_refused_examples_give_their_message(feature):
    with pytest.raises(Error) as caught:
        program_of(function_of(feature), *ARGUMENTS)
    error = caught.value
    errors = getattr(error, "errors", (error,))
    fixed = max((part for part in _literal_parts(feature.message)), key=len)
    assert any(fixed in found.message for found in errors), str(error)
    assert all(found.hint for found in errors if fixed in found.message)


def _literal_parts(template: str) -> list[str]:
    import re

    return re.split(r"\{\w+\}", template)


def test_every_refusal_says_what_to_write():
    assert all(feature.message and feature.hint for feature in REFUSED)
