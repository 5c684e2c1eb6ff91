"""A loop runs over the list that it began with, even if its body assigns another list to the name."""

from __future__ import annotations

import pytest

import weft
from tests.hunt.program import forget, function_of

START = "class Box:\n    def __init__(self, n):\n        self.items = [n, 2, 3]\n\n\ndef f(n):\n    r = 0\n"

ITERABLES = {
    "e in l": ("[1, 2, 3]", "[q + n for q in l]"),
    "e, g in zip(l, l[1:])": ("[1, 2, 3]", "[e, n, g]"),
    "e, g in l": ("[(1, 2), (3, 4), (n, n)]", "[(e, g)] * n"),
    "e, g in l.items()": ("{1: 2, n + 5: 4}", "{r + n: 5}"),
    "k, e in enumerate(l)": ("deque([1, 2, n])", "deque([7, 8])"),
}
"""The loop's head; the list, dict or deque before the loop, and the one that its body makes."""

FORMS = ("{other}", "if e == n:\n            {other}", "for h in range(n):\n            {other}")
"""Statements in the body that assign the other one to the name."""


def made(head: str, start: str, other: str, statement: str) -> str:
    """A loop whose body has a statement with the assignment."""
    return (
        f"from collections import deque\n\n\n{START}    l = {start}\n    for {head}:\n        r = r * 10 + e\n"
        f"        {statement.format(other=f'l = {other}')}\n    return r, len(l)\n"
    )


def answers(source: str, numbers: tuple[int, ...]) -> list[object]:
    """The results of calls in CPython and in Weft; none if Weft refuses the loop."""
    function = function_of(source)
    try:
        compiled = weft.jit(function, device="interpreter")
        return [(compiled(n), function(n)) for n in numbers]
    except weft.TypeInferenceError as error:
        assert "may be one of several objects" in str(error), source
        return []
    finally:
        forget(function)


@pytest.mark.parametrize("head", ITERABLES)
def test_another_list_under_the_name_is_right_or_refused(head):
    for form in FORMS:
        source = made(head, *ITERABLES[head], form)
        assert all(got == expected for got, expected in answers(source, (2, 7))), source


def test_loops_over_copies_and_loops_that_end_there_run():
    lists = ITERABLES["e in l"]
    ended = "if e == n:\n            {other}\n            break"
    for source in (
        made("e in list(l)", *lists, FORMS[0]),
        made("e in l[:]", *lists, FORMS[1]),
        made("k, e in enumerate(l)", *lists, ended),
    ):
        given = answers(source, (2, 7))
        assert given and all(got == expected for got, expected in given), source


def test_the_refusal_says_to_copy():
    function = function_of(made("e in l", *ITERABLES["e in l"], FORMS[0]))
    with pytest.raises(weft.TypeInferenceError, match=r"for x in list\(values\)"):
        weft.jit(function, device="interpreter")(3)
    forget(function)


def test_another_list_in_a_field_is_right():
    body = (
        "        r = r * 10 + e\n        if e == n:\n            box.items = [7, n, e, 9]\n        box.items[1] = 8\n"
    )
    source = f"{START}    box = Box(n)\n    for e in box.items:\n{body}    return r, box.items\n"
    assert all(got == expected for got, expected in answers(source, (4, 2)))


def test_a_list_may_not_grow_where_only_another_branch_leaves_the_loop():
    body = "        if e == n:\n            l = [8]\n            break\n        l.append(7)\n"
    function = function_of(f"{START}    l = [1, 2, 3]\n    for e in l:\n        r += e\n{body}    return r\n")
    with pytest.raises(weft.UnsupportedError, match="gets or loses elements while a loop runs over it"):
        weft.jit(function, device="interpreter")(2)
    forget(function)
