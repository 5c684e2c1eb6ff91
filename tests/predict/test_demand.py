"""Counts of the walker against those of the interpreter, and what it knows of accesses."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.cost import model
from weft.cost.demand import Demand, Level, Nest, Touch
from weft.cost.misses import Cache, Footprints, misses, streams
from weft.cost.quantities import Quantity, Region, combined, constant
from weft.cost.values import unforeseen
from weft.report.predict import demand_for

SMALL, LARGE = Cache(32 << 10), Cache(1 << 40)


def level_of(function, *arguments, depth=0):
    demand, _ = demand_for(function, *arguments)
    found = [nest.top for nest in demand.nests if nest.top.label]
    (level,) = found
    for _ in range(depth):
        (level,) = level.inner
    return level


def added(u, v):
    for i in range(u.shape[0]):
        v[i] = u[i] * 2 + u[i]


def transposed(u, v):
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            v[i, j] = u[j, i]


def looked_up(u, v):
    for i in range(u.shape[0]):
        v[i] = u[(i * 3) % u.shape[0]]


def gathered(u, p, v):
    for i in range(p.shape[0]):
        v[i] = u[p[i]]


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def test_operations_and_accesses_of_a_loop():
    level = level_of(added, np.ones(100), np.ones(100))
    assert level.trips == 100
    assert level.operations["float64"] == 2
    assert [touch.mode for touch, _ in level.touches] == ["load", "store"]
    assert level.vector


def test_the_counts_are_those_of_the_interpreter():
    from weft.frontend import build
    from weft.frontend.source.signature import describe
    from weft.ir.reference.interpreter import trace

    u, v = np.ones(37), np.ones(37)
    program = build(added, (describe(u), describe(v)))
    counted = trace(program, [u, v]).counts
    level = level_of(added, u, v)
    assert (
        counted.operations["mul", "float64"] + counted.operations["add", "float64"]
        == level.times * level.operations["float64"]
    )
    assert counted.operations["load", "float64"] >= level.times
    assert counted.operations["store", "float64"] == level.times


def test_a_remainder_is_an_integer_division_and_no_vector_code():
    level = level_of(looked_up, np.ones(1000), np.ones(1000))
    assert level.operations["remainder64"] == 1
    assert level.operations["remainder64.bits"] == pytest.approx(np.log2(2.5), rel=0.01)
    assert not level.vector


def test_what_does_not_depend_on_a_loop_is_computed_outside_of_it():
    def rows(u, v):
        for i in range(u.shape[0]):
            for j in range(u.shape[1]):
                v[i, j] = u[(i * 5) % u.shape[0], j]

    outer = level_of(rows, np.ones((64, 64)), np.ones((64, 64)))
    assert outer.operations["remainder64"] == 1
    assert outer.inner[0].operations["remainder64"] == 0
    assert outer.inner[0].vector


def test_the_pattern_of_accesses():
    u = np.ones((512, 512), "f4")
    kinds = {s.touch.mode: s.pattern for s in streams(level_of(transposed, u, u.copy()))}
    assert kinds == {"load": "jump", "store": "run"}
    order = np.arange(1000)
    found = {s.touch.region.root: s.pattern for s in streams(level_of(gathered, np.ones(1000), order, np.ones(1000)))}
    assert found == {"u": "random", "p": "run", "v": "run"}


def test_a_row_fits_into_the_cache_and_is_used_again():
    u = np.ones((2000, 2000), "f4")
    (load, store) = streams(level_of(transposed, u, u.copy()))
    small, large = (misses(Footprints([load, store]), cache, 2.0 * u.nbytes) for cache in (SMALL, Cache(16 << 20, 16)))
    assert small[0] == pytest.approx(2000**2, rel=0.01)  # each element is a line of its own
    assert large[0] == pytest.approx(2000**2 / 16, rel=0.01)  # the column's lines wait for the next row
    assert small[1] == large[1] == pytest.approx(2000**2 / 16, rel=0.01)


def test_what_fits_stays_from_call_to_call():
    found = streams(level_of(added, np.ones(1000), np.ones(1000)))
    assert sum(misses(Footprints(found), SMALL, 16000.0).values()) == 0
    assert sum(misses(Footprints(found), SMALL, 1e9).values()) == pytest.approx(250)


def test_columns_of_a_power_of_two_meet_in_few_sets():
    assert Cache(32 << 10, 8).room(4096) == 512
    assert Cache(32 << 10, 8).room(4096 + 64) == 32 << 10
    assert Cache(32 << 10, 8).room(64) == 32 << 10


def test_the_lines_of_a_walk_are_counted_once():
    region = Region.whole("u", (1 << 20,), 4)
    counter = Quantity(0.0, {"i": 1.0}, frozenset({"i"}), 1 << 20)
    trips = {"i": float(1 << 20)}
    assert Touch("load", region, (counter,)).lines(trips) == 1 << 16
    assert Touch("load", region, (combined("mul", counter, constant(16), 0.0),)).lines({"i": 100.0}) == 100
    wrapped = combined("mod", combined("mul", counter, constant(3), 0.0), constant(128), 0.0)
    assert Touch("load", region, (wrapped,)).lines(trips) == pytest.approx(8)


def test_a_product_reads_each_row_and_column():
    a = np.ones((96, 64))
    demand, _ = demand_for(product, a, np.ones((64, 80)), np.ones((96, 80)))
    levels = [level for nest in demand.nests for level in nest.top.levels()]
    total = sum(level.times * level.operations["float64"] for level in levels)
    lanes = sum(level.times * level.operations["lanes.float64"] for level in levels)
    assert total + lanes >= 96 * 64 * 80


def test_rows_of_a_sparse_matrix_have_the_length_that_their_ends_say():
    def rows(ends, u, v):
        for i in range(v.shape[0]):
            s = 0.0
            for k in range(ends[i], ends[i + 1]):
                s += u[k]
            v[i] = s

    ends = np.arange(0, 7001, 7)
    demand, _ = demand_for(rows, ends, np.ones(7000), np.ones(1000))
    lengths = {level.trips for nest in demand.nests for level in nest.top.levels()}
    assert 7.0 in lengths


def test_the_share_of_a_comparison_of_counters_follows_from_their_range():
    def half(u, n):
        for i in range(u.shape[0]):
            if i < n:
                u[i % 7] = u[i] * 2

    demand, _ = demand_for(half, np.ones(1000), 250)
    assert not [text for text in demand.assumptions if "half" in text]


def test_a_nest_is_never_faster_than_its_largest_part():
    demand, leaves = demand_for(added, np.ones(1 << 20), np.ones(1 << 20))
    from weft.cost.figures import Rates, estimates

    rates = Rates(estimates())
    for nest in model.amounts(demand, estimates().hierarchy()):
        times = model.nest_times(nest, rates)
        assert times.total >= max(times.computing, times.memory)


def test_two_threads_are_faster_than_one_where_there_is_work():
    demand, leaves = demand_for(added, np.ones(1 << 18), np.ones(1 << 18))
    from weft.cost.figures import Rates, estimates

    found, rates = model.amounts(demand, estimates().hierarchy()), Rates(estimates())
    assert model.nanoseconds(found, rates, leaves, 2) < model.nanoseconds(found, rates, leaves, 1)
    small, _ = demand_for(added, np.ones(64), np.ones(64))
    assert {model.threads_for(nest, 8) for nest in model.amounts(small, estimates().hierarchy())} == {1}


@pytest.mark.parametrize(
    ("times", "exponent", "mean"), [([3.0, 4.0], 2.0, 5.0), ([3.0, 4.0], 1.0, 7.0), ([], 2.0, 0.0)]
)
def test_the_power_mean_lies_between_the_largest_and_the_sum(times, exponent, mean):
    assert model.power_mean(times, exponent) == pytest.approx(mean)


def test_predictions_need_no_compiler(monkeypatch):
    from weft.backends.c import toolchain

    def refuse(*arguments):
        raise AssertionError("compiled")

    monkeypatch.setattr(toolchain, "compile_source", refuse)

    def squared(u):
        for i in range(u.shape[0]):
            u[i] = u[i] * u[i] - 0.0625

    assert weft.predict(squared, weft.spec(100, "f8"), device="cpu").seconds > 0


def test_a_loop_that_does_not_run_touches_nothing():
    def none(u, v, n):
        for i in range(n):
            for j in range(u.shape[1]):
                v[i, j] = u[i, j]

    u = np.ones((512, 512))
    found = streams(level_of(none, u, u.copy(), 0))
    assert sum(misses(Footprints(found), SMALL, 1e9).values()) == 0


def test_random_accesses_find_what_fits_between_two_of_them():
    size = 1 << 20
    u, order = np.ones(size, "f4"), np.arange(size)  # 4 MiB at random, and 12 MiB that pass by once
    found = streams(level_of(gathered, u, order, np.ones(size, "f4")))
    (place,) = (k for k, stream in enumerate(found) if stream.touch.region.root == "u")
    missed = [misses(Footprints(found), Cache(float(size)), 1e9)[place] for size in (1 << 18, 2 << 20, 8 << 20)]
    assert missed[0] > 0.8 * (1 << 20)
    assert 0.1 * (1 << 20) < missed[1] < 0.8 * (1 << 20)
    assert missed[2] < 0.1 * (1 << 20)


def test_values_modulo_a_number_lie_on_multiples_of_a_common_divisor():
    counter = Quantity(0.0, {"i": 1.0}, frozenset({"i"}), 1 << 20)
    wrapped = combined("mod", combined("mul", counter, constant(48), 0.0), constant(1 << 12), 0.0)
    assert (wrapped.grain, wrapped.values, wrapped.span) == (16, 256, 4096)


def test_only_what_an_earlier_iteration_stored_is_waited_for():
    def relaxed(u):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])

    def with_the_one_before(u):
        for i in range(1, u.shape[0] - 1):
            for j in range(2, u.shape[1] - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 2] + u[i, j + 1])

    inner = level_of(relaxed, np.ones((64, 64)), depth=1)
    assert dict(inner.chain) == {"float64": 3.0}  # what the next iteration reads is in a register
    inner = level_of(with_the_one_before, np.ones((64, 64)), depth=1)
    assert dict(inner.chain) == {"forward": 1.0, "float64": 3.0}


def test_rounds_of_a_loop_that_doubles_are_followed():
    def doubled(u):
        size = 1
        while size < u.shape[0]:
            for i in range(size):
                u[i] = u[i] + 1.0
            size *= 2

    demand, _ = demand_for(doubled, np.ones(256))
    assert not demand.assumptions
    total = sum(nest.times * level.times for nest in demand.nests for level in nest.top.levels() if level.label)
    assert total == pytest.approx(255)


def test_processors_foresee_patterns_and_remember_short_loops():
    rng = np.random.default_rng(1)
    assert unforeseen(np.arange(4096) % 97 > 48) == 0
    assert 0.4 < unforeseen(rng.random(4096) > 0.5) <= 0.5
    assert unforeseen(rng.random(4096) > 0.9) == pytest.approx(0.1, abs=0.02)


def side_by_side(entries, roots):
    """A loop with short vector loops in it, each of which loads the same row of an array."""
    outer = Level("k", 1, 100.0, 1.0)
    for place, root in enumerate(roots):
        index = Quantity(11.5, {f"lane{place}": 1.0}, frozenset({f"lane{place}"}), 24.0)
        inner = Level(f"lane{place}", 2, 24.0, entries, vector=True, short=True)
        inner.touches.append((Touch("load", Region.whole(root, (24,), 8), (index,)), 1.0))
        outer.inner.append(inner)
    return outer


def test_unrolled_loops_side_by_side_begin_together_and_load_once():
    (found,) = model.amounts(Demand([Nest(1.0, side_by_side(100.0, "uuuv"), 1)]), (SMALL, SMALL, LARGE))
    (part,) = found.parts
    assert part.resources["enter"] == {"enter.vector.short": 100.0}
    assert part.resources["issue"]["v.load"] == 2 * 24 * 100 * 8 / 4


def test_what_is_stored_between_is_loaded_again():
    outer = side_by_side(100.0, "uuu")
    outer.inner[1].touches.append((Touch("store", Region.whole("u", (24,), 8), (constant(0),)), 1.0))
    (found,) = model.amounts(Demand([Nest(1.0, outer, 1)]), (SMALL, SMALL, LARGE))
    assert found.parts[0].resources["issue"]["v.load"] == 3 * 24 * 100 * 8 / 4
