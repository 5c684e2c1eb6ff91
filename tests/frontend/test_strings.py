"""Strings that depend on values, beside CPython: contents, order, methods, containers, texts of exceptions, output."""

from __future__ import annotations

import contextlib
import copy
import enum
import io
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import weft

PAIRS = [
    ("", ""), ("a", "a"), ("ab", "b"), ("hello world", "o"), ("  spaces  x ", " "), ("aXbXc", "X"), ("aaaa", "aa"),
    ("12", "7"), ("-45", ""), ("1_000", "0"), ("9" * 25, "9"), ("3.5e2", "."), (" 7 ", "7"), ("nan", "n"),
    ("\u00e9t\u00e9 \u03a3\u00df", "\u00e9"), ("e\u0301x", "e"), ("\U0001f600z\U0001f600", "\U0001f600"),
    ("\ud800a", "\ud800"), ("a\0b\0", "\0"), ("l1\nl2\r\nl3\x0bq", "\n"), ("\u0663\u0664", "\u0663"),
    ("Title Case Xx", "Xx"), ("{b}{{c", "{"), ("%d%s", "%"),
]  # fmt: skip


def outcome(function, *args):
    """What a call gives, raises, prints, and leaves of its arguments."""
    args = copy.deepcopy(args)
    shown = io.StringIO()
    try:
        with contextlib.redirect_stdout(shown):
            result = function(*args)
    except weft.Error:
        raise
    except Exception as error:
        result = type(error).__name__, str(error)
    return repr(result), repr(args), shown.getvalue()


def check(function, *cases, **options):
    compiled = weft.jit(function, **options)
    for args in cases:
        assert outcome(compiled, *args) == outcome(function, *args), args


def characters(given):
    s, t = given[0], given[1]
    out = []
    for k, c in enumerate(s):
        out.append((k, c, ord(c)))
    return out, len(s), s == t, s != t, s < t, s <= t, s > t, s >= t


def item(given):
    s, t = given[0], given[1]
    n = len(t)
    return s[n], s[-n]


def slices(given):
    s = given[0]
    n = len(given[1])
    return s[n:], s[:-1], s[:: n + 1], s[::-1], s[-1 : -4 : -1 - n]


def places(given):
    s, t = given[0], given[1]
    return s.find(t), s.rfind(t), s.count(t), t in s, t not in s, s.find(t, 1), s.rfind(t, -3, 3), s.count(t, 1, -1)


def edges(given):
    s, t = given[0], given[1]
    return s.startswith(t), s.endswith(t), s.startswith(t, 1), s.endswith(t, 0, 2), s.startswith(("x", t))


def index(given):
    s, t = given[0], given[1]
    return s.index(t)


def words(given):
    s = given[0]
    return s.split(), s.split(None, 1), s.splitlines()


def parts(given):
    s, t = given[0], given[1]
    return s.split(t), s.split(t, 1), s.partition(t)


def changed(given):
    s, t = given[0], given[1]
    return s.replace(t, "-"), s.replace("", t, 2), s.strip(), s.strip(t), s.rstrip(" x"), s.removesuffix(t)


def cases(given):
    s = given[0]
    return s.upper(), s.lower(), s.title(), s.zfill(6), s.rjust(7, "*")


def kinds(given):
    s = given[0]
    return s.isdigit(), s.isalpha(), s.isalnum(), s.isspace(), s.isupper(), s.isdecimal(), s.isascii()


def made(given):
    s, t = given[0], given[1]
    out = ""
    for c in s:
        out = c + out + t
    return out, out * 2, s * -1, t.join([s, out]), "".join(c for c in s if c != t)


def keys(given):
    s, t = given[0], given[1]
    counts = {}
    for c in s + t:
        counts[c] = counts.get(c, 0) + 1
    return counts, t in counts, sorted(s), len(set(s))


def missing(given):
    s, t = given[0], given[1]
    known = {"q": 1}
    known[s] = 2
    return known[t]


def read_int(given):
    return int(given[0])


def read_float(given):
    return float(given[0])


def caught(given):
    s, t = given[0], given[1]
    try:
        return int(s), s
    except ValueError:
        return -1, t


def shown(given):
    s, t = given[0], given[1]
    print(s, t, f"{s}|{t!r}|{len(s)}", sep="/")
    return f"{s:>8}", f"{s!r}", repr(t), "%s-%r" % (s, t), f"{s}{t}" == s + t


def raised(given):
    s, t = given[0], given[1]
    raise ValueError(f"bad {s!r} and {t}")


def truth(given):
    s, t = given[0], given[1]
    return (1 if s else 0), (s or t), (s and t), not s


def sorted_by(given):
    s, t = given[0], given[1]
    pairs = [(c, k) for k, c in enumerate(s)]
    pairs.sort(key=lambda pair: pair[0])
    pairs.append((t, -1))
    return pairs


def perhaps(given):
    s = given[0]
    last = None
    for c in s:
        if c > "m":
            last = c
    return last, last is None, f"last: {last}", last in given, isinstance(last, str)


@pytest.mark.parametrize(
    "function",
    [
        characters, item, slices, places, edges, index, words, parts, changed, cases, kinds, made, keys, missing,
        read_int, read_float, caught, shown, raised, truth, sorted_by, perhaps,
    ],
)  # fmt: skip
def test_like_cpython(function):
    check(function, *(([*pair],) for pair in PAIRS if function not in (read_int, caught) or len(pair[0]) < 20))


def test_spaces_are_those_of_python():
    from weft.frontend.calls.library_texts import is_space

    assert [k for k in range(sys.maxunicode + 1) if is_space(k)] == [
        k for k in range(sys.maxunicode + 1) if chr(k).isspace()
    ]


def test_ints_beyond_64_bits_are_refused():
    with pytest.raises(OverflowError):
        weft.jit(read_int)(["9" * 25, ""])


# ------------------------------------------------------------------------------------- strings chosen by values


def grade(score):
    if score >= 90:
        return "excellent"
    return "passed" if score >= 50 else ""


def states(signals):
    state = "idle"
    for s in signals:
        if state == "idle" and s > 0:
            state = "running"
        elif s < 0:
            state = "error"
            break
    else:
        return state, "ended"
    return state, f"after {s}"


@pytest.mark.parametrize("device", ["cpu", "opencl"])
def test_chosen(device):
    check(grade, (95,), (60,), (3,), device=device)
    check(states, ([0, 1, 2],), ([1, -1],), ([],), device=device)


def count_kinds(a):
    n = 0
    for i in range(a.shape[0]):
        kind = "high" if a[i] > 2.0 else "low" if a[i] < 1.0 else "x"
        if kind == "high" or kind == "x":
            n += 1
    return n


def test_loops_that_choose_strings_stay_parallel():
    a = np.arange(5.0)
    assert weft.jit(count_kinds)(a) == count_kinds(a)
    assert weft.explain(count_kinds, a).loops[0].verdict == "reduction"


def host_part(a, names):
    label = ""
    for name in names:
        label += name[0].upper()
    for i in range(a.shape[0]):
        a[i] = a[i] * 2.0 + len(label)
    print(label)
    return label, a[0]


@pytest.mark.parametrize("device", ["cpu", "opencl"])
def test_beside_kernels(device):
    check(host_part, (np.arange(3.0), ["ab", "c"]), (np.arange(3.0), []), device=device)


@dataclass
class Item:
    name: str
    price: float


def best_name(k):
    items = [Item("nut", 0.5), Item("bolt", 1.5 * k), Item("n", 1.0)]
    best = items[0]
    for one in items:
        if one.price > best.price:
            best = one
    best.name
    return best.name, [one.name for one in items]


def nested(rows):
    table = []
    for row in rows:
        table.append(row.split(","))
    table[0].append("end")
    return table, [len(line) for line in table], table[-1][0] == "a"


def swapped(names):
    names = list(names)
    names[0], names[-1] = names[-1], names[0]
    names.sort()
    names.reverse()
    return names, max(names, key=len), names.index("b"), names.count("b"), "q" in names


def numbers(a):
    return [str(x) for x in a], "".join(f"{x:.2f};" for x in a), str(a[0] > 1), f"{a[0]:5}|"


def digits(limit):
    total = 0
    for n in range(-3, limit):
        s = str(n * n * n)
        if s == s[::-1]:
            total += sum(int(d) for d in s if d.isdigit())
    return total, str(limit), str(-(2**62) * 2)


def several(pairs):
    total = {}
    for name, amount in pairs:
        total[name, amount > 0] = total.get((name, amount > 0), 0) + amount
    return total


def long_text(text):
    counts = {}
    for w in text.split():
        counts[w] = counts.get(w, 0) + 1
    return counts


def caught_key(names):
    known = {"a": 1}
    known[names[0]] = 3
    try:
        return known[names[1]], "there"
    except KeyError as error:
        return -1, str(error)


def caught_text(names):
    try:
        raise ValueError(f"bad {names[0]}")
    except ValueError as error:
        return str(error), f"<{error}>"


def caught_format(names):
    try:
        return f"{names[0]:d}"
    except ValueError as error:
        return str(error)


def extremes(names):
    kinds = ("a", "bcd", "e")
    return min(names[0], names[-1]), max(names), min(names), kinds[len(names) - 1], names[0] in kinds


def longest(names):
    best = None
    for name in names:
        if best is None or len(name) > len(best):
            best = name
    return best, best == "ccc", best != "a"


def shown_later(a):
    text = f"{a}"
    a[0] = 7.0
    print(text)
    return text


class Mode(str, enum.Enum):
    FAST = "fast"


def is_fast(names, mode):
    return names[0] == mode


def shown_again(given):
    k, s = len(given), given[0]
    t = f"{k}-{s}"
    try:
        {"a": 1}[repr(f"{k}")]
    except KeyError as error:
        s = str(error)
    u = str(k > 1)
    print(f"{t!r}", (f"{k}", t), f"{f'{k}':>4}|", "%r %s" % (f"{k}", t), repr(u), f"{repr(t)!r}", f"{t:.2}")
    return repr(t), repr(f"{k:03}"), len(repr(f"{k}")), f"{t!r:>9}", f"{f'{k}{s}':_^12}", s


def test_forms_of_what_is_formatted_already():
    check(shown_again, (["ab", "c"],), (["it's"],), (["", "", "x"],), device="interpreter")


def test_found_by_hand():
    check(caught_key, (["q", "zz"],), (["q", "q"],))
    check(caught_text, (["x y"],))
    check(caught_format, (["1"],))
    check(extremes, (["b", "a"],), (["e"],), (["", "x", "y"],), (["", "x", "y", "z"],))
    check(longest, (["a", "ccc"],), ([],), (["a"],))
    check(shown_later, (np.ones(2),))


def test_a_member_of_an_enumeration_is_no_string():
    with pytest.raises(weft.TypeInferenceError, match="a member of an enumeration is compared"):
        weft.jit(is_fast)(["fast"], Mode.FAST)


TOTAL = np.zeros(3)


def body(i):
    values = [i, i + 1]
    values.append(3)
    TOTAL[i] = len(values) + (1.0 if ("a" if i else "b") == "b" else 0.0)


def test_in_bodies():
    weft.parallel_for(3, body)
    assert TOTAL.tolist() == [4.0, 3.0, 3.0]


def test_in_containers():
    check(best_name, (0,), (4,))
    check(nested, (["a,b", "", "x"],))
    check(swapped, (["b", "aaa", "c"],), (["b"],))
    check(numbers, ([1, 22],), ([1.5, -0.0],))
    check(digits, (30,))
    check(several, ([("ab", 1), ("c", -2), ("ab", 4)],))
    check(long_text, ("the cat and the dog " * 40,), ("x" * 70,))


def test_long_strings_are_no_options():
    compiled = weft.jit(long_text)
    for k in range(3):
        compiled("some words " * (10 + k))
    assert len(compiled.specialisations) == 1


def assigned(names):
    names[0] = "x"
    return names


def test_strings_of_an_argument_stay():
    with pytest.raises(weft.UnsupportedError, match="a string is stored in a list that is an argument"):
        weft.jit(assigned)(["a"])


# ------------------------------------------------------------------------------------------ what came with it


def first_above(a, limit):
    found = next((x for x in a if x > limit), None)
    place = next((k for k, x in enumerate(a) if x > limit), -1)
    return found, place, f"{found}", found in a, isinstance(found, int), isinstance(found, (int, type(None)))


def first_of_all(a):
    return next(x * 2 for x in a)


def counted_twice(n):
    yield -1
    yield from range(n)
    yield from [n, n + 1]


def total(n):
    s = 0
    for x in counted_twice(n):
        s = s * 3 + x
    return s, list(counted_twice(n))


def test_next_and_yield_from():
    check(first_above, ([1, 5, 7], 4), ([1], 4), ([], 0))
    check(first_of_all, ([3, 4],), ([],))
    check(total, (0,), (4,))


def empty_of_what(rows):
    walls = 0
    for i, row in enumerate(rows):
        for c in row:
            if c == "#":
                walls += i + 1
    return walls, sorted(rows, key=lambda row: (len(row), row)), [row.upper() for row in rows]


def test_lists_without_elements():
    check(empty_of_what, ([],), (["#.", "##"],))


def _one_or_half(n):
    v = 1 if n == 0 else 0.5
    return str(v)


def _one_or_half_shown(n):
    v = 1 if n == 0 else 0.5
    return f"{v!r:>5} {v:.2f}"


def _true_or_two(n):
    v = True if n == 0 else 2
    return "%s" % v


def _sum_of_none(n):
    s = 0
    for i in range(n):
        s += np.ones(3)[i]
    return f"{s}"


def _raised(n):
    v = 1 if n == 0 else 0.5
    raise ValueError(v)


def _raised_with_more(n):
    v = 1 if n == 0 else 0.5
    raise ValueError("bad", v)


@pytest.mark.parametrize("function", [_raised, _raised_with_more])
def test_arguments_of_exceptions_that_may_be_of_several_types(function):
    compiled = weft.jit(function, device="cpu")
    caught = []
    for one in (function, compiled):
        with pytest.raises(ValueError) as found:
            one(1)
        caught.append(found.value.args)
    assert caught[0] == caught[1]
    with pytest.raises(weft.TypeInferenceError, match="may be"):
        compiled(0)


@pytest.mark.parametrize("function", [_one_or_half, _one_or_half_shown, _true_or_two, _sum_of_none])
def test_texts_of_numbers_that_may_be_of_several_types(function):
    """1, 1.0 and True are written differently."""
    compiled = weft.jit(function, device="cpu")
    assert [compiled(n) for n in (0, 1)] == [function(n) for n in (0, 1)]
