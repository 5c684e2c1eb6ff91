"""Loops that fold, in pieces: the bits of the loop that is not cut, or a refusal in the user's words."""

from __future__ import annotations

import inspect
import itertools
import zlib

import numpy as np
import pytest

import weft
from tests.split.halves import HALVES, two_halves  # noqa: F401 - a fixture
from weft.errors import UnsupportedError
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE, RESULT, VALUE
from weft.ir.reference.interpreter import trace
from weft.split.arguments import merge_into, own_copy
from weft.split.steps import plan


def interpreted(program, given):
    traced = trace(program, [given[param.source.name] for param in program.params])
    if traced.error is not None:
        raise traced.error
    return tuple(traced.results)


def scanned(phase, given, ends, start):
    """Run a loop that uses partial results: what pieces fold, then the pieces, the last one first."""
    starts = [start]
    for low, high in itertools.pairwise(ends[:-1]):
        total = interpreted(phase.scan.totals, {**given, FIRST_OF_PIECE: low, END_OF_PIECE: high})
        both = {f"{VALUE} {k}": value for k, value in enumerate((*starts[-1], *total))}
        starts.append(interpreted(phase.merge, {**given, **both}))
    gave = []
    for (low, high), values in reversed([*zip(itertools.pairwise(ends), starts, strict=True)]):
        own = {f"{VALUE} {k}": value for k, value in enumerate(values)}
        gave.append(interpreted(phase.scan.piece, {**given, **own, FIRST_OF_PIECE: low, END_OF_PIECE: high}))
    return gave[0]


def in_pieces(function, arguments, cuts):
    """Run a function in pieces by the interpreter; the flat results of what follows its loops."""
    names = list(inspect.signature(function).parameters)
    types = tuple(describe(value, name) for name, value in zip(names, arguments, strict=True))
    found = plan(build(function, types), folding=True)
    given = dict(zip(names, arguments, strict=True))
    results = 0
    for phase in found.items:
        start, stop, *values = interpreted(phase.bounds, given)
        ends = [start, *(start + int(part * max(stop - start, 0)) for part in cuts), max(start, stop)]
        own = []
        if phase.scan is not None:
            values = scanned(phase, given, ends, values)
        for low, high in itertools.pairwise(ends if phase.scan is None else []):
            copies = {name: own_copy(given[name], op) for name, op in phase.folds.updates.items()} if own else {}
            bounds = {FIRST_OF_PIECE: low, END_OF_PIECE: high}
            gave = interpreted(phase.piece, {**given, **copies, **bounds})
            own.append(copies)
            if phase.merge is not None:
                both = {f"{VALUE} {k}": value for k, value in enumerate((*values, *gave))}
                values = interpreted(phase.merge, {**given, **both})
        for copies, (name, op) in itertools.product(own[1:], phase.folds.updates.items()):
            merge_into(given[name], copies[name], op)
        for value in values:
            given[f"{RESULT} {results}"] = value
            results += 1
    return interpreted(found.rest, given) if found.rest is not None else ()


def place_of_largest(x):
    best, at = x[0], 0
    for i in range(1, len(x)):
        if x[i] > best:
            best, at = x[i], i
    return best, at


def smallest_and_largest(x):
    low, high = x[0], x[0]
    for i in range(len(x)):
        low = min(low, x[i])
        high = max(high, x[i])
    return low, high


def count_above(x, limit):
    count = 0
    for i in range(len(x)):
        if x[i] > limit:
            count += 1
    return count


def sum_and_product(x):
    s, p = 5, 3
    for i in range(len(x)):
        s += x[i]
        p *= x[i]
    return s, p


def bits(x):
    a, o, e = x[0], x[0], x[0]
    for i in range(len(x)):
        a &= x[i]
        o |= x[i]
        e ^= x[i]
    return a, o, e


def is_any_negative(x):
    found = False
    for i in range(len(x)):
        found = found or x[i] < 0
    return found


def argument_of_smallest(x):
    return np.argmin(x)


def counts(x, h):
    for i in range(len(x)):
        h[x[i] % 7] += 1
    return h


def sums_by_key(x, h):
    for i in range(len(x)):
        h[x[i] % 7] += x[i] * 3


def extremes_by_key(x, y, h):
    for i in range(len(x)):
        k = i * i % 7
        h[k] = max(h[k], x[i])
        y[k] = min(y[k], x[i])


def column_extremes(m, y):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > y[j]:
                y[j] = m[i, j]


def distance_to_largest(x, y):
    """A loop that needs what another one found, stores and elements of its own."""
    best, calls = x[0], 0
    for i in range(len(x)):
        best = max(best, x[i])
        calls += 1
    for i in range(len(x)):
        y[i] = best - x[i]
    y[0] = calls
    return best


FLOATS = ("float64", "float32")
WHOLE = ("int64", "int32", "uint8", "uint64")

PROGRAMS = [
    (place_of_largest, FLOATS + WHOLE),
    (smallest_and_largest, FLOATS + WHOLE),
    (count_above, FLOATS + WHOLE),
    (sum_and_product, WHOLE),
    (bits, (*WHOLE, "bool")),
    (is_any_negative, FLOATS + WHOLE),
    (argument_of_smallest, FLOATS + ("int64",)),
    (counts, WHOLE),
    (sums_by_key, WHOLE),
    (extremes_by_key, FLOATS + WHOLE),
    (column_extremes, FLOATS + WHOLE),
    (distance_to_largest, FLOATS + ("int64",)),
]
CASES = [(function, kind) for function, kinds in PROGRAMS for kind in kinds]


def numbers(rng, kind, count):
    """Numbers with ties, zeros of both signs, infinities and NaN, or whole numbers that wrap in sums."""
    if kind == "bool":
        return rng.random(count) < 0.8
    if kind in FLOATS:
        odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -1.5, 3.0])
        return rng.choice(odd, count).astype(kind) if rng.random() < 0.7 else rng.standard_normal(count).astype(kind)
    info = np.iinfo(kind)
    few = np.array([info.min, info.max, 0, 1, 3], dtype=kind)
    return rng.choice(few, count) if rng.random() < 0.5 else rng.integers(0, 100, count).astype(kind)


def arguments_of(function, rng, kind, count):
    if function is column_extremes:
        return [numbers(rng, kind, 3 * count).reshape(count, 3), numbers(rng, kind, 3)]
    given = [numbers(rng, kind, count)]
    for name in list(inspect.signature(function).parameters)[1:]:
        size = max(count, 1) if function is distance_to_largest else 7
        given.append(1 if name == "limit" else numbers(rng, "int64" if function is counts else kind, size))
    return given


def same(a, b):
    return [np.asarray(v).tobytes() for v in a] == [np.asarray(v).tobytes() for v in b]


def flat(result):
    return result if isinstance(result, tuple) else () if result is None else (result,)


@pytest.mark.parametrize(("function", "kind"), CASES, ids=[f"{f.__name__}-{k}" for f, k in CASES])
def test_pieces_have_the_bits_of_the_whole(function, kind):
    rng = np.random.default_rng(zlib.crc32(f"{function.__name__} {kind}".encode()))
    for count in (1, 2, 3, 17, 50):
        for cuts in ((0.5,), (0.0, 0.3, 0.31), (1.0, 1.0)):
            arguments = arguments_of(function, rng, kind, count)
            names = list(inspect.signature(function).parameters)
            types = tuple(describe(value, name) for name, value in zip(names, arguments, strict=True))
            whole = [np.array(v) if isinstance(v, np.ndarray) else v for v in arguments]
            wanted = interpreted(build(function, types), dict(zip(names, whole, strict=True)))
            found = in_pieces(function, arguments, cuts)
            returned = function is not counts  # an array that is an argument
            assert not returned or same(found, wanted), (arguments, found, wanted)
            assert all(same([a], [b]) for a, b in zip(arguments, whole, strict=True)), (arguments, whole)


def sum_of_floats(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def float_sums_by_key(k, h):
    for i in range(len(k)):
        h[k[i] % 3] += 0.1


def place_of_the_last_largest(x):
    best, at = x[0], 0
    for i in range(len(x)):
        if x[i] >= best:
            best, at = x[i], i
    return at


def sum_of_python_integers(x):
    s = 0
    for i in range(len(x)):
        s += int(x[i])
    return s


def recurrence(x):
    s = 1.0
    for i in range(len(x)):
        s = 0.5 * s + x[i]
    return s


def largest_by_numpy(x):
    s = x[0]
    for i in range(len(x)):
        s = np.maximum(s, x[i])
    return s


def first_negative(x):
    for i in range(len(x)):
        if x[i] < 0:
            return i
    return -1


def makes_an_array(x):
    c = 0
    for i in range(len(x)):
        if x[i] > 0:
            c += 1
    return np.empty(c)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
@pytest.mark.parametrize(
    ("function", "arguments", "cause"),
    [
        (float_sums_by_key, (np.arange(5), np.zeros(3)), "pieces would add the floats of h in another order"),
        (place_of_the_last_largest, (np.ones(5),), "best is the last of equal extremes"),
        (sum_of_python_integers, (np.arange(5),), "s is a Python integer, whose sum might overflow in a piece"),
        (recurrence, (np.ones(5),), "each iteration needs the s of the one before"),
        (largest_by_numpy, (np.ones(5),), "s is an extreme that treats NaN in another way than max and min"),
        (first_negative, (np.ones(5),), "is not proven to be parallel"),
        (makes_an_array, (np.ones(5),), "something behind its loops is more than numbers to store or to return"),
    ],
)
def test_what_cannot_be_put_together_is_refused(function, arguments, cause):
    with pytest.raises(UnsupportedError, match="cannot be cut into pieces") as caught:
        weft.jit(function, device=HALVES)(*arguments)
    assert cause in str(caught.value)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (place_of_largest, "float64"), (count_above, "float32"), (sum_and_product, "int32"), (counts, "int64"),
        (extremes_by_key, "float64"), (distance_to_largest, "float64"),
    ],
    ids=lambda one: getattr(one, "__name__", one),
)  # fmt: skip
def test_bits_on_halves_of_a_device(function, kind):
    rng = np.random.default_rng(3)
    split, whole = weft.jit(function, device=HALVES), weft.jit(function, device="cpu")
    for count in (1, 2, 900, 900, 900, 40_000):
        arguments = arguments_of(function, rng, kind, count)
        theirs = [np.array(v) if isinstance(v, np.ndarray) else v for v in arguments]
        wanted, found = whole(*theirs), split(*arguments)
        assert same(flat(found), flat(wanted))
        assert [type(v) for v in flat(found)] == [type(v) for v in flat(wanted)]
        assert same(arguments, theirs)
    assert {piece.device for piece in split.split} == set(HALVES)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_sums_of_floats_are_cut_where_bits_are_given_up():
    x = np.random.default_rng(0).random(5000)
    assert np.isclose(weft.jit(sum_of_floats, device=HALVES, fastmath=True)(x), x.sum())
    h = np.zeros(3)
    weft.jit(float_sums_by_key, device=HALVES, fastmath=True)(np.arange(300), h)
    assert np.allclose(h, 10.0)


def found_first(x):
    most = x[0]
    for i in range(len(x)):
        most = max(most, x[i])
    return most


def uses_a_helper(x, y):
    found = found_first(x)
    for i in range(len(x)):
        y[i] = x[i] + found


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_a_helper_that_changes_may_fold_other_values(monkeypatch):
    x, y, function = np.arange(50.0), np.zeros(50), weft.jit(uses_a_helper, device=HALVES)
    function(x, y)
    assert np.array_equal(y, x + 49)

    def both(x):
        most, least = x[0], x[0]
        for i in range(len(x)):
            most = max(most, x[i])
            least = min(least, x[i])
        return most + 10 * least

    for helper, wanted in ((both, 49), (found_first, 49), (lambda x: x[1], 1)):
        monkeypatch.setitem(globals(), "found_first", helper)
        function(x, y)
        assert np.array_equal(y, x + wanted)


@pytest.mark.opencl
@pytest.mark.usefixtures("two_halves")
def test_a_fold_over_nothing_is_what_it_begins_with():
    assert weft.jit(count_above, device=HALVES)(np.zeros(0), 1) == 0
    with pytest.raises(IndexError):
        weft.jit(place_of_largest, device=HALVES)(np.zeros(0))
