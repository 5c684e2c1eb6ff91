"""Scans, packing and recurrences on a simulated device: their tiles are blocks, or a block runs those of a row."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.frontend.compare import program_of, rebuild
from tests.plan.simulated import Simulated, placed
from weft.backends.cuda.dialect import generate_kernels
from weft.frontend import build
from weft.frontend.source.signature import describe, describe_device_array
from weft.ir import nodes as n
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.ir.reference.interpreter import run
from weft.ir.visit import walk
from weft.plan.outline import outline
from weft.plan.place import place as place_on
from weft.transform.pipeline import optimise

SIZES = (0, 1, 300, 9001)


def running(x, out):
    s = np.float32(0)
    for i in range(len(x)):
        s += x[i]
        out[i] = s


def before(x, out):
    s = np.float32(2)
    for i in range(len(x)):
        out[i] = s
        s += x[i]
    return s


def in_place(x):
    s = np.int64(0)
    for i in range(len(x)):
        s += x[i]
        x[i] = s
    return s


def through_memory(x, out):
    for i in range(1, len(x)):
        out[i] = out[i - 1] + x[i]


def maxima(x, out):
    m = x[0]
    for i in range(len(x)):
        m = max(m, x[i])
        out[i] = m


def recurrence(x, out):
    y = np.int64(3)
    for i in range(len(x)):
        y = x[i] * y + 1
        out[i] = y
    return y


def latest(x, out):
    last = np.float32(-1)
    for i in range(len(x)):
        if x[i] > 2:
            last = x[i]
        out[i] = last


def kept(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] < 2:
            out[k] = x[i]
            k += 1
    return k


def kept_and_left(x, out, rest):
    k = 0
    m = 0
    for i in range(len(x)):
        if x[i] < 2:
            out[k] = x[i]
            k += 1
        else:
            rest[m] = i
            m += 1
    return k, m


def kept_with_sums(x, y, out):
    k = 0
    s = np.int64(0)
    for i in range(len(x)):
        s += y[i]
        if x[i] > y[i]:
            out[k] = s
            k += 1
    return k, s


def every_other_place(x, out):
    k = 0
    for i in range(len(x)):
        if x[i] < 2:
            out[k] = x[i]
            k += 2
    return k


def backwards(x, out):
    s = np.float32(0)
    for i in range(len(x) - 1, -1, -1):
        s += x[i]
        out[i] = s * 2


def with_neighbours(x, out):
    s = np.float32(0)
    for i in range(1, len(x) - 1):
        s += x[i - 1] * x[i + 1]
        out[i] = s


def rows(x, out, totals):
    for r in range(x.shape[0]):
        s = np.float32(1)
        for j in range(x.shape[1]):
            out[r, j] = s
            s += x[r, j]
        totals[r] = s


def columns(x, out):
    for j in range(x.shape[1]):
        s = np.float32(0)
        for i in range(x.shape[0]):
            s += x[i, j]
            out[i, j] = s


def growing(a, b, out):
    y = np.float64(1)
    for i in range(len(a)):
        y = a[i] * y + b[i]
        out[i] = y
    return y


def first_of(x, value):
    for i in range(len(x)):
        if x[i] == value:
            return i
    return -1


def first_pair(x, y):
    found = 0.0
    for i in range(3, len(x)):
        last = x[i] + y[i]
        if last > 15:
            found = last
            break
    return found, i


def on_device(function, *arguments):
    """The optimised program where all arrays are on the device before the call."""
    types = tuple(
        describe_device_array({**a.__array_interface__, "stream": None}, "a")
        if isinstance(a, np.ndarray)
        else describe(a)
        for a in arguments
    )
    return optimise(build(function, types), turns=False, blocks=True, rows=True)


def numbers(count, *others, dtype=np.float32):
    """Arrays of small whole numbers, whose sums are exact in any order."""
    generator = np.random.default_rng(1)
    return [generator.integers(-9, 9, count).astype(kind) for kind in (dtype, *others)]


def check(function, arguments):
    """A call on a simulated device does what CPython does, under blocks whose threads do not disturb one another."""
    expected, got = [a.copy() for a in arguments], [a.copy() for a in arguments]
    simulated = Simulated(function)
    with np.errstate(all="ignore"):
        answer = function(*expected)
    found = simulated(*got)
    for a, b in zip((*np.atleast_1d(answer), *expected), (*np.atleast_1d(found), *got), strict=True):
        np.testing.assert_array_equal(b, a)
    for label, conflicts in simulated.traces[-1].conflicts.items():
        assert not conflicts or ".thread" not in label
    return simulated


def kernels(function, *arguments):
    """The kernels of a function whose blocks or threads run tiles, with what they carry from tile to tile."""
    launches = [s for s in walk(placed(program_of(function, *arguments)).body) if isinstance(s, n.Launch)]
    loops = [s for launch in launches for s in walk(launch.kernel.body) if isinstance(s, n.For)]
    return [s for s in loops if s.args and s.mapping == "blocks"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("function", [running, before, through_memory, latest, kept, backwards, with_neighbours])
def test_tiles_do_what_the_loop_does(function, count):
    arguments = numbers(count, np.float32)
    check(function, arguments)
    assert kernels(function, *arguments)


@pytest.mark.sample(2)
@pytest.mark.parametrize("count", SIZES)
def test_integers_wrap_as_in_the_loop(count):
    check(in_place, numbers(count, dtype=np.int64))
    check(recurrence, numbers(count, np.int64, dtype=np.int64))


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", SIZES[1:])
def test_extremes_are_carried_from_tile_to_tile(count):
    check(maxima, numbers(count, np.float32))


def _sums_of(dtype):
    zero = dtype(0)

    def sums(x, out):
        s = zero
        for i in range(len(x)):
            s += x[i]
            out[i] = s

    return sums


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.float64, np.complex64])
def test_elements_have_other_sizes(dtype):
    check(_sums_of(dtype), numbers(5000, dtype, dtype=dtype))


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", SIZES)
def test_several_values_are_carried_together(count):
    check(kept_and_left, numbers(count, np.float32, np.int64))
    check(kept_with_sums, numbers(count, np.int64, np.int64, dtype=np.int64))


@pytest.mark.sample(0)
def test_counters_that_leave_places_out_store_at_once():
    x, out = numbers(5000, np.float32)
    check(every_other_place, (x, np.concatenate([out, out])))


@pytest.mark.sample(0)
def test_arrays_may_be_views():
    x, out = numbers(9000, np.float32)
    check(running, (x[1::3], out[::2]))
    check(kept, (x[::-1], out[:9000]))


@pytest.mark.sample(0)
def test_a_full_array_raises_after_what_was_stored():
    x, out = numbers(9001, np.float32)
    with pytest.raises(IndexError):
        Simulated(kept)(x, out[:4000])
    expected = numbers(9001, np.float32)[1]
    with pytest.raises(IndexError):
        kept(x, expected[:4000])
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("factor", [0.5, 1.0, -0.9])
def test_recurrences_of_floats_on_the_device_are_in_tiles(factor):
    a, b, out = np.full(9001, factor), np.random.default_rng(1).standard_normal(9001), np.zeros(9001)
    expected = out.copy()
    last = growing(a, b, expected)
    program = on_device(growing, a, b, out)
    assert [s.label for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "turns"] == ["i.blocks"]
    (found,) = run(program, (a, b, out))
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found, last, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("place, value", [(None, 1.01), (4000, np.inf), (8999, np.nan), (0, 1e300)])
def test_a_recurrence_that_grows_or_ends_runs_as_it_was_written(place, value):
    a, b, out = np.full(9001, 0.5 if place is not None else value), np.ones(9001), np.zeros(9001)
    if place is not None:
        a[place] = value
    expected = out.copy()
    with np.errstate(all="ignore"):
        last = growing(a, b, expected)
        (found,) = run(on_device(growing, a, b, out), (a, b, out))
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(found, last)


@pytest.mark.parametrize("place", [None, 0, 4711, 70000])
def test_a_search_on_the_device_finds_the_first_place(place):
    x = np.zeros(70001, np.int32)
    if place is not None:
        x[place:] = 7
    program = on_device(first_of, x, np.int32(7))
    assert run(program, (x, np.int32(7))) == (first_of(x, 7),)
    kernels_of_it = [s.kernel for s in walk(place_on(program, "cuda").program.body) if isinstance(s, n.Launch)]
    assert len(kernels_of_it) >= 2


@pytest.mark.parametrize("count", [4, 50, 1000])
def test_a_search_gives_what_its_last_iteration_leaves(count):
    x, y = numbers(count, np.float64, dtype=np.float64)
    program = on_device(first_pair, x, y)
    assert rebuild(program.returns, list(run(program, (x, y))), program) == first_pair(x, y)


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(3, 600), (2, 9001), (4, 20)])
def test_a_block_runs_the_tiles_of_a_row(shape):
    x, out = (a.reshape(shape) for a in numbers(shape[0] * shape[1], np.float32))
    check(rows, (x, out, np.zeros(shape[0], np.float32)))


def test_neighbouring_threads_scan_neighbouring_columns():
    x, out = (a.reshape(30, 20) for a in numbers(600, np.float32))
    check(columns, (x, out))
    launches = [s for s in walk(placed(program_of(columns, x, out)).body) if isinstance(s, n.Launch)]
    assert len(launches) == 1 and not any(
        isinstance(s, n.For) and s.mapping == "threads" and "each" in s.label for s in walk(launches[0].kernel.body)
    )


def test_blocks_take_their_turns_from_an_array_that_is_cleared_before():
    program = placed(program_of(running, *numbers(10, np.float32)))
    first, second = (s for s in walk(program.body) if isinstance(s, n.Launch))
    assert first.kernel.name.endswith("_clears") and first.operands[0] == second.operands[0]
    assert to_text(parse(to_text(program))) == to_text(program)
    source = generate_kernels(program)
    assert "take_turn(" in source and "hand_on(" in source


def test_an_outline_counts_what_tiles_touch_once():
    program = optimise(build(running, (describe(np.zeros(4, np.float32)),) * 2), turns=False, blocks=True, rows=True)
    nests = [nest for nest in outline(program, "cuda").work([(1 << 20,), (1 << 20,)]).nests if nest.on_device]
    assert [(nest.iterations, nest.bytes) for nest in nests] == [(1 << 20, 8 << 20)]


@pytest.mark.sample(0)
def test_a_helper_that_is_associative_puts_tiles_together():
    @weft.associative
    def joined(a, b):
        return a + b + a * b

    def folded(x, out):
        s = np.int64(0)
        for i in range(len(x)):
            s = joined(s, x[i])
            out[i] = s

    arguments = numbers(9001, np.int64, dtype=np.int64)
    check(folded, arguments)
    assert kernels(folded, *arguments)


def kept_twice(x, out, places):
    k = 0
    for i in range(len(x)):
        if x[i] < 2:
            out[k] = x[i] * 2
            places[k] = i
            k += 1
    return k


def kept_in_two(x, low, high):
    k, m = 0, 3
    for i in range(len(x)):
        if x[i] < -2:
            low[k] = x[i]
            k += 1
        if x[i] > 1:
            high[m] = x[i]
            m += 1
    return k, m


def kept_with_places(x, out, places):
    k = 0
    for i in range(len(x)):
        places[i] = k
        if x[i] < 2:
            out[k] = x[i]
            k += 1


def kept_up_to(x, out, most):
    k = 0
    for i in range(len(x)):
        if x[i] < 2 and k < most:
            out[k] = x[i]
            k += 1
    return k


def counted_twice(x, counts, out):
    k = 0
    m = 0
    for i in range(len(x)):
        if x[i] < 2:
            m += 1
            if x[i] < -2:
                m += 2
        if x[i] < 4:
            out[k] = x[i]
            k += 1
    counts[0] = m
    return k


def kept_by_another(x, keys, out):
    k = 0
    for i in range(1, len(x)):
        if keys[i] != keys[i - 1] and i % 3 > 0:
            out[k] = x[i]
            k += 1
    return k


def kept_of_rows(x, out, counts):
    for r in range(x.shape[0]):
        k = 0
        for j in range(x.shape[1]):
            if x[r, j] > 0:
                out[r, k] = x[r, j]
                k += 1
        counts[r] = k


def together(function, *arguments):
    """What the threads of blocks put together."""
    launches = [s for s in walk(placed(program_of(function, *arguments)).body) if isinstance(s, n.Launch)]
    return [s for launch in launches for s in walk(launch.kernel.body) if isinstance(s, n.For) and s.together]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "count, dtype", [(0, "f4"), (127, "f4"), (8192, "f4"), (9001, "f4"), (5000, "f8"), (9000, "i1")]
)
def test_elements_that_are_kept_are_packed_in_runs(count, dtype):
    x, out = numbers(count, np.dtype(dtype), dtype=np.dtype(dtype))
    check(kept, (x, out))
    (loop,) = together(kept, x, out)
    assert loop.together.runs > 1 and loop.together.most == 4


@pytest.mark.sample(0)
def test_several_arrays_have_one_counter():
    check(kept_twice, numbers(9001, np.float32, np.int64))


@pytest.mark.sample(0)
def test_several_counters_pack_and_count():
    check(kept_in_two, numbers(9001, np.float32, np.float32))
    check(counted_twice, numbers(9001, np.int64, np.float32))


@pytest.mark.sample(0)
def test_a_counter_may_be_used_otherwise():
    check(kept_with_places, numbers(9001, np.float32, np.int64))
    check(kept_up_to, (*numbers(9001, np.float32), np.int64(17)))


@pytest.mark.sample(0)
def test_other_arrays_may_say_what_is_kept():
    check(kept_by_another, numbers(9001, np.int32, np.float32))


@pytest.mark.sample(0)
def test_rows_are_packed_by_a_block_each():
    x, out = (a.reshape(3, 5000) for a in numbers(15000, np.float32))
    check(kept_of_rows, (x, out, np.zeros(3, np.int64)))
