"""Lists and dicts that hold dicts whose keys stand in their braces: made in the program, given, and captured."""

from __future__ import annotations

from collections import defaultdict

import pytest

import weft
from weft.errors import ArgumentError, UnsupportedError

from .compare import check, program_of

ITEMS = [{"name": "map", "w": 9, "v": 150}, {"name": "water", "w": 15, "v": 200}]


def made(n):
    rows = []
    for i in range(n):
        rows.append({"id": i, "score": (i * 37) % 11, "part": i / 2, "tag": "ab"[i % 2]})
    first = rows[0]
    rows.sort(key=lambda r: -r["score"])
    rows[0]["score"] = -1
    copied = rows[1].copy()
    copied["id"] += 100
    total = 0.0
    for row in rows:
        for key in row:
            total += len(key)
        total += row.get("none", 2)
    best = max(rows, key=lambda r: r["part"])
    return (
        rows,
        copied,
        total,
        best["tag"],
        first in rows,
        rows[0] == rows[1],
        rows[0] == {"id": 1},
        len(first),
        "id" in first,
    )


def held(words):
    found = {}
    for k, word in enumerate(words):
        if word not in found:
            found[word] = {"count": 0, "first": k, "at": {"x": k, "y": 0.5}}
        found[word]["count"] += 1
        found[word]["at"]["x"] -= 1
    pair = {"x": len(words), "y": 1}
    both = [pair, pair]
    both[0]["x"] += 5
    pair["y"] = 7
    key = "y" if len(words) > 2 else "x"
    return [(w, found[w]["count"], found[w]["at"]["x"]) for w in found], both[1]["x"], both[1][key], both[0] is both[1]


def compared(words):
    rows = [{"a": 1, "b": 1}, {"a": 0, "b": len(words)}]
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    known = {"b": 1, "a": 1}
    return (
        (counts == rows[0], rows[0] == counts, counts != rows[0], counts in rows, rows.count(counts), known == known),
        (known in rows, {"a": 0} in rows, {"a": 0, "b": 2} not in rows, rows.count({"a": 1, "b": 1})),
        ({"name": "map", "w": 9, "v": 150} in ITEMS, {"name": "map", "w": 9, "v": len(words)} in ITEMS),
        (max(known), min(known, key=lambda k: -known[k]), tuple(known), list(enumerate(known)), list(reversed(known))),
    )


def removed(n):
    rows = [{"k": i % 3, "v": i} for i in range(n)]
    rows.remove({"v": 1, "k": 1})
    return rows


def test_dicts_of_lists_equal_dicts_of_all_kinds():
    check(compared, ("a", "b"))
    check(compared, ("a", "b", "b"))
    check(removed, 3)
    with pytest.raises(ArgumentError, match="same keys"):
        weft.jit(lambda rows: len(rows))([{1: 0.5}, {True: 2.5}])


def test_lists_and_dicts_hold_dicts():
    check(made, 6)
    check(held, ("a", "b", "a"))


def absent(n):
    rows = [{"a": i} for i in range(n)]
    return rows[0]["b"]


def one_more(n):
    rows = [{"a": i} for i in range(n)]
    rows[0]["b"] = 1
    return rows


def other_order(n):
    rows = [{"a": 1, "b": n}]
    rows.append({"b": 1, "a": n})
    return rows


def test_keys_that_the_braces_lack():
    check(absent, 3)
    with pytest.raises(UnsupportedError, match="gets a key that it was not made with"):
        program_of(one_more, 3)
    with pytest.raises(UnsupportedError, match="type dict with the keys 'b', 'a'"):
        program_of(other_order, 3)


def grouped(people, cap):
    pay = [p["pay"] for p in people if p["dept"] == "eng"]
    room = sum(item["v"] for item in ITEMS if item["w"] <= cap)
    return pay, room, max(people, key=lambda p: p["pay"]), [i["name"] for i in ITEMS]


def raised(people, one):
    one["pay"] += 1
    return people[0]["pay"]


def sorted_in_place(people):
    people.sort(key=lambda p: p["pay"])


def raised_copies(people):
    people = [row.copy() for row in people]
    for p in people:
        p["pay"] += 1
    return people


def test_given_and_captured_lists_of_dicts():
    people = [{"name": "ann", "dept": "eng", "pay": 10}, {"name": "bob", "dept": "ops", "pay": 8}]
    people.append({"name": "cy", "dept": "eng", "pay": 12})
    compiled = weft.jit(grouped)
    assert compiled(people, 12) == grouped(people, 12)
    ITEMS.append({"name": "food", "w": 3, "v": 160})
    people[0]["pay"] = 99
    assert compiled(people, 12) == grouped(people, 12)
    with pytest.raises(ArgumentError, match="is also an element of a list"):
        weft.jit(raised)(people, people[0])
    with pytest.raises(UnsupportedError, match="row.copy\\(\\) for row in rows") as caught:
        weft.jit(sorted_in_place)(people)
    assert "is changed or replaced" in str(caught.value)
    assert weft.jit(raised_copies)(people) == raised_copies(people)
    with pytest.raises(ArgumentError, match="the same keys in the same order"):
        compiled([{"a": 1}, {"b": 1}], 3)


def groups_of_lists(n):
    groups = defaultdict(list)
    groups[n].append([1])
    groups[2].append([n])
    groups[2][0].append(3)
    return dict(groups)


def test_loops_that_other_loops_make_unnecessary_are_no_mistake():
    """A pass that takes iterations out of one loop removes another one, which it was to look at next."""
    assert weft.jit(groups_of_lists)(3) == {3: [[1]], 2: [[3, 3]]}
