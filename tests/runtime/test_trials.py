"""``schedule="measure"``: the fastest of several legal schedules, found once and kept; the clock is made up."""

import numpy as np
import pytest

import weft
from weft.errors import ArgumentError
from weft.runtime.dispatch import trials

pytestmark = pytest.mark.opencl


def doubled(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = 2 * a[i, j] + out[i, j]


class Clock:
    """Runs every trial, and says that those with 8 threads along x are the fastest."""

    def __init__(self):
        self.trials = []

    def __call__(self, callee, arguments):
        self.trials.append(callee.options.schedule)
        groups = [d.group for d in callee.options.schedule if getattr(d, "axis", "") == "x"]
        return abs(groups[0] - 8) + len(self.trials) / 100


@pytest.fixture
def clock(monkeypatch, tmp_path):
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(trials, "_known", {})
    made = Clock()
    monkeypatch.setattr(trials, "seconds_of", made)
    return made


def arguments(rows=6):
    return np.arange(rows * 5.0).reshape(rows, 5), np.ones((rows, 5))


def schedule_of(function, *given):
    (kernel,) = weft.explain(function, *given).kernels
    return kernel.schedule


def test_the_fastest_legal_schedule_runs_the_call(clock):
    function, (a, out) = weft.jit(doubled, device="opencl", schedule="measure"), arguments()
    function(a, out)
    np.testing.assert_array_equal(out, 2 * a + 1)
    assert 4 <= len(clock.trials) <= trials.MOST
    assert len(set(clock.trials)) == len(clock.trials)
    chosen = schedule_of(function, a, out)
    assert chosen in clock.trials
    assert abs(chosen[0].group - 8) == min(abs(schedule[0].group - 8) for schedule in clock.trials)


def test_a_second_call_measures_nothing_and_other_sizes_do(clock):
    function = weft.jit(doubled, device="opencl", schedule="measure")
    function(*arguments())
    before = len(clock.trials)
    function(*arguments())
    assert len(clock.trials) == before
    function(*arguments(rows=4000))
    assert len(clock.trials) > before


def test_what_was_measured_is_kept_on_disk(clock, monkeypatch):
    weft.jit(doubled, device="opencl", schedule="measure")(*arguments())
    before = len(clock.trials)
    monkeypatch.setattr(trials, "_known", {})  # as another process begins
    again = weft.jit(doubled, device="opencl", schedule="measure")
    a, out = arguments()
    again(a, out)
    np.testing.assert_array_equal(out, 2 * a + 1)
    assert len(clock.trials) == before


def test_explaining_runs_nothing(clock):
    function = weft.jit(doubled, device="opencl", schedule="measure")
    assert schedule_of(function, *arguments()) == schedule_of(weft.jit(doubled, device="opencl"), *arguments())
    assert clock.trials == []


def test_trials_run_on_copies(monkeypatch, tmp_path):
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(trials, "_known", {})
    monkeypatch.setattr(trials, "MOST", 2)
    monkeypatch.setattr(trials, "TIMES", 1)
    a, out = arguments()
    weft.jit(doubled, device="opencl", schedule="measure")(a, out)
    np.testing.assert_array_equal(out, 2 * a + 1)


def test_no_other_word_is_a_schedule():
    with pytest.raises(ArgumentError, match="'fastest' is no schedule"):
        weft.jit(doubled, device="opencl", schedule="fastest")


def test_on_the_processor_there_is_nothing_to_measure():
    with pytest.raises(ArgumentError, match="only loops on a device are scheduled"):
        weft.jit(doubled, device="cpu", schedule="measure")


class Shown:
    """An array of another library; copies of it show the same memory, unless they take their own."""

    def __init__(self, address, apart=False):
        self.apart = apart
        self.__cuda_array_interface__ = {"data": (address, False)}

    def __deepcopy__(self, memory):
        address, _ = self.__cuda_array_interface__["data"]
        return Shown(address + 4096 * self.apart)


def test_what_copies_share_memory_with_is_not_tried_on():
    assert not trials._is_copied(Shown(4096))
    assert trials._is_copied(Shown(4096, apart=True))
    assert trials._is_copied(np.ones(3)) and trials._is_copied(2.0)


def test_products_are_tried_with_blocks_in_groups_and_without():
    from tests.schedule.scheduled import kernel_of, program_of
    from tests.schedule.test_stages import product
    from weft.schedule import Order
    from weft.tune.alternatives import alternatives

    kernel = kernel_of(program_of(product, [np.ones((8, 8), np.float32) for _ in range(3)]))[0]
    tried = list(alternatives(kernel))[: trials.MOST]
    assert {any(isinstance(d, Order) for d in schedule) for schedule in tried} == {False, True}


def test_indices_of_64_bits_are_tried():
    from tests.schedule.scheduled import kernel_of, program_of
    from tests.schedule.test_stages import product
    from weft.schedule import Indices
    from weft.tune.alternatives import alternatives

    kernel = kernel_of(program_of(product, [np.ones((8, 8), np.float32) for _ in range(3)]))[0]
    tried = list(alternatives(kernel))[: trials.MOST]
    assert any(isinstance(d, Indices) and d.bits == 64 for schedule in tried[1:] for d in schedule)
