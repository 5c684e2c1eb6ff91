"""Which way copies go is a matter of the figures alone."""

from dataclasses import replace

from weft.machine.copying import (
    BOTH,
    EXPECTED_CALLS,
    IN,
    OUT,
    PAGEABLE,
    PINNED,
    PINNING,
    SIZES,
    STAGED,
    UNMEASURED,
    CopyFigures,
    CopyPolicy,
    CopyTime,
    choose,
    runs_beside,
)

LATENCY = 1e-5


def figures(pinned=50e9, pageable=20e9, staged=23e9, pinning=30e9, staged_latency=1e-4):
    """Figures of a made-up device, by rates in bytes per second."""
    rates = {PINNED: (pinned, LATENCY), PAGEABLE: (pageable, LATENCY), STAGED: (staged, staged_latency)}
    times = [
        CopyTime(direction, way, size, latency + size / rate)
        for size in SIZES for direction in (IN, OUT) for way, (rate, latency) in rates.items()
    ]  # fmt: skip
    times += [CopyTime(IN, PINNING, size, LATENCY + size / pinning) for size in SIZES]
    return CopyFigures("made up", "none", "2026-01-01", tuple(times))


def test_without_figures_what_is_usual_holds():
    assert choose(None) == UNMEASURED


def test_large_copies_go_through_slots_where_that_is_faster():
    policy = choose(figures())
    assert policy.stage_in == policy.stage_out == 16 << 20
    assert choose(figures(staged_latency=1e-3)).stage_in == 256 << 20


def test_made_up_figures_flip_the_choice():
    assert choose(figures(staged=19e9)).stage_in is None
    assert choose(figures(pinned=20e9, pageable=50e9)).pin is None
    assert choose(figures(pageable=1e9)).stage_in == 256 << 10


def test_arrays_are_pinned_where_the_calls_that_are_expected_pay_for_it():
    assert choose(figures()).pin == 64 << 10
    never_worth_it = EXPECTED_CALLS * (1 / 23e9 - 1 / 50e9)
    assert choose(figures(pinning=0.9 / never_worth_it)).pin is None
    assert choose(figures(pinning=1.1 / never_worth_it)).pin is not None


def test_arrays_are_pinned_for_copies_that_run_beside_one_another():
    """As measured on an H200: slots are nearly as fast, one copy at a time."""
    found = figures(pinned=55e9, pageable=7e9, staged=51e9, pinning=23e9, staged_latency=LATENCY)
    assert choose(found).pin is None
    both = tuple(CopyTime(BOTH, PINNED, size, LATENCY + size / 48e9) for size in SIZES)
    assert choose(replace(found, times=found.times + both)).pin is not None


def test_a_size_counts_only_if_all_larger_ones_agree():
    times = [CopyTime(IN, PAGEABLE, size, 1.0) for size in SIZES]
    times += [CopyTime(IN, STAGED, size, 2.0 if k == 5 else 0.5) for k, size in enumerate(SIZES)]
    assert choose(CopyFigures("", "", "", tuple(times))) == CopyPolicy(SIZES[6], None, None)


def bus(into, out_of, both):
    """A table with the seconds of a copy of 1 GiB in each direction, and of both at a time."""
    size = SIZES[-1]
    times = tuple(CopyTime(d, PINNED, size, s) for d, s in zip((IN, OUT, BOTH), (into, out_of, both), strict=True))
    return CopyFigures("made up", "0", "2026-01-01", times)


def test_copies_run_beside_one_another_where_the_bus_takes_both_ways_at_a_time():
    assert runs_beside(1 << 29, 1 << 28, None)
    assert runs_beside(1 << 29, 1 << 28, bus(0.02, 0.02, 0.022))
    assert not runs_beside(1 << 29, 1 << 28, bus(0.02, 0.02, 0.04))


def test_copies_in_one_direction_and_small_ones_do_not():
    assert not runs_beside(1 << 29, 8, None)
    assert not runs_beside(1 << 20, 1 << 20, None)


def test_arrays_are_pinned_for_what_copies_home_save_too():
    found = figures()
    as_known = {t.bytes: t.seconds for t in found.times if (t.direction, t.way) == (IN, PINNED)}
    others = (IN, PAGEABLE), (IN, STAGED)
    times = tuple(replace(t, seconds=as_known[t.bytes]) if (t.direction, t.way) in others else t for t in found.times)
    assert choose(replace(found, times=times)).pin is not None
