"""What the compiler says of kernels: schedules that spill are refused or avoided, reports hold the figures."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

ROWS = 256


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def _arrays():
    import numpy as np

    return [np.ones((ROWS, ROWS)) for _ in range(3)]


def _stage(blocks):
    from weft.schedule import Bind, Stage

    return (Bind("j", "x", 16, 4, 2), Bind("i", "y", 16, 8, 2), Stage("k", 8, blocks))


@pytest.mark.sample(0)
@pretending
def test_a_schedule_written_by_hand_that_spills_is_refused(driver):
    import weft
    from weft.errors import ArgumentError

    try:
        weft.explain(weft.jit(product, device="cuda", schedule=_stage(4)), *_arrays())
    except ArgumentError as error:
        assert "registers: each thread has 64, so it writes" in str(error)
        assert "give a thread fewer points" in str(error)
    else:
        raise AssertionError("it was taken")


@pytest.mark.sample(0)
@pretending
def test_a_default_that_spills_gives_way_to_the_next(driver):
    import weft
    from weft.schedule.nests import grid_chain
    from weft.tune import choice, default

    chosen, usual = [], default.candidates

    def candidates(kernel):
        if {loop.label for loop in grid_chain(kernel)} == {"i", "j"}:  # not those for parts of long sums
            yield _stage(4)
        for schedule in usual(kernel):
            chosen.append(schedule)
            yield schedule

    choice.candidates = candidates
    kernel, *_ = weft.explain(weft.jit(product, device="cuda"), *_arrays()).kernels
    assert kernel.schedule == chosen[0] != _stage(4)
    assert kernel.resources.spill_stores == kernel.resources.spill_loads == 0


def largest(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = max(s, x[i])
    return s


@pretending
def test_a_value_in_memory_is_no_reason_to_give_a_schedule_up(driver):
    import numpy as np

    import weft
    from weft.schedule import Deal

    kernel, *_ = weft.explain(weft.jit(largest, device="cuda"), np.ones(1 << 12)).kernels
    assert any(isinstance(directive, Deal) for directive in kernel.schedule)
    assert kernel.resources.spill_stores <= 8


@pytest.mark.sample(0)
@pretending
def test_a_report_has_resources_and_occupancy_of_each_kernel(driver):
    import weft
    from weft.machine.occupancy import limits_of, occupancy

    found = weft.explain(weft.jit(product, device="cuda"), *_arrays())
    *of_parts, small, large = found.kernels
    assert len(of_parts) == 3, "for sums so long that they are added in parts"
    for kernel in (small, large):
        assert kernel.threads == 128 and kernel.is_known
        assert kernel.resources.registers > 32 and kernel.resources.shared > 49152, "with what the launch asks for"
        assert kernel.occupancy == occupancy(128, kernel.resources, limits_of("sm_90"))
        assert [(a.array, a.kind) for a in kernel.accesses] == [("a", "staged"), ("b", "staged"), ("c", "coalesced")]
        assert f"limited by {kernel.occupancy.limiter}" in str(found).replace("\n", " ")


if __name__ == "__main__":
    main(globals())
