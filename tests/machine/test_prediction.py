"""Which device a call takes is a matter of sizes, places and figures alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from weft.cost.prediction import (
    LAUNCH,
    MARGIN,
    STAYS,
    WAITING,
    Choice,
    Placed,
    Prediction,
    choose,
    on_device,
    on_processor,
    other_way,
)
from weft.cost.speed import ALONE, NEIGHBOURS, Speed, at, estimated, estimated_processor
from weft.cost.work import KINDS, Crossing, Nest, Work
from weft.machine.copying import IN, OUT, PAGEABLE, PINNED, SIZES, STRIDED, CopyFigures, CopyTime
from weft.machine.facts import Facts

COPIES = CopyFigures(
    "made up", "none", "2026-01-01",
    tuple(CopyTime(d, w, size, 1e-5 + size / 5e10) for d in (IN, OUT) for w in (PINNED, PAGEABLE) for size in SIZES),
)  # fmt: skip


def speed(device, call, least, rate, operations, **more):
    """A made-up device: a fixed time and a rate, of bytes and of iterations of 256 operations."""
    sizes = [2.0**k for k in range(4, 33, 2)]
    return Speed(
        device, "made up", "none", "2026-01-01", call,
        tuple((s, least + s / rate) for s in sizes), tuple((s, least + 256 * s / operations) for s in sizes), **more,
    )  # fmt: skip


CPU = speed("cpu", 5e-7, 1e-7, 1e10, 1e10)
GPU = speed("cuda", 1e-5, 2e-6, 1e12, 1e13, copies=COPIES, capacity=1 << 34)


def added(n):
    """The work of an addition of arrays of n float32."""
    return Work((Nest(1, n, {"simple32": 4 * n}, 12 * n, True),))


def arrays(n, **more):
    return [Placed("a", 4 * n, True, False, **more), Placed("c", 4 * n, False, True, **more)]


def taken(n, placed, gpu=GPU, cpu=CPU, work=None):
    work = work or added(n)
    return choose([on_processor(work, placed, cpu, [gpu]), on_device(work, placed, gpu, cpu)]).device


def break_even(make, **more):
    """The smallest power of two from which on the device is taken."""
    sizes = [1 << k for k in range(4, 31)]
    chosen = [taken(n, make(n), **more) for n in sizes]
    first = chosen.index("cuda") if "cuda" in chosen else len(chosen)
    assert "cpu" not in chosen[first:]
    return first + 4


def on_gpu(n):
    return arrays(n, where=("cuda",), coherent=True)


def everywhere(n):
    return arrays(n, where=("host", "cuda"), coherent=True)


def test_a_curve_is_followed():
    curve = ((10.0, 1.0), (1000.0, 4.0))
    assert [at(curve, 1), at(curve, 10), at(curve, 100), at(curve, 1000), at(curve, 4000)] == [1, 1, 2, 4, 16]


def test_small_calls_stay_on_the_processor_and_large_ones_do_not():
    assert break_even(everywhere) == 14


def test_made_up_figures_flip_the_choice_where_they_say():
    slow = replace(GPU, call=1e-3)
    assert break_even(everywhere, gpu=slow) == 20
    assert break_even(everywhere, cpu=speed("cpu", 5e-7, 1e-7, 8e10, 8e10)) == 17
    assert break_even(everywhere, cpu=speed("cpu", 5e-7, 1e-7, 2e12, 2e13)) == 31


def test_arrays_of_numpy_have_to_cross_the_bus():
    crossing = break_even(arrays)
    assert crossing > break_even(on_gpu)
    narrow = replace(COPIES, times=tuple(replace(t, seconds=100 * t.seconds) for t in COPIES.times))
    assert break_even(arrays, gpu=replace(GPU, copies=narrow)) == 31


def test_much_work_on_little_data_is_worth_a_copy():
    n = 1 << 14
    work = Work((Nest(1, n, {"simple32": 1e4 * n}, 8 * n, True),))
    assert taken(n, arrays(n)) == "cpu"
    assert taken(n, arrays(n), work=work) == "cuda"


def test_arrays_that_are_current_on_a_device_weigh_it():
    n = 1 << 12
    assert taken(n, [replace(a, where=("host",), coherent=True) for a in arrays(n)]) == "cpu"
    home = replace(COPIES, times=tuple(replace(t, seconds=100 * t.seconds) for t in COPIES.times))
    assert taken(n, on_gpu(n), gpu=replace(GPU, copies=home)) == "cuda"


def test_what_nobody_has_written_costs_no_copy():
    n = 1 << 20
    empty = on_device(added(n), [Placed("a", 4 * n, True, True, (), True)], GPU, CPU)
    assert empty.copies == 0


def test_a_device_that_waits_for_each_nest_is_slower():
    often = Work((Nest(1000, 1024, {}, 4096, True),))
    waiting = Work((replace(often.nests[0], waits=True),))
    fast, slow = (on_device(work, [], GPU, CPU).seconds for work in (often, waiting))
    assert slow == pytest.approx(fast + 1000 * GPU.call)


def test_kernels_that_no_loop_repeats_are_queued_one_by_one():
    nest = added(1 << 10).nests[0]
    one, two = (on_device(Work((nest,) * count), [], GPU, CPU).seconds for count in (1, 2))
    assert two == pytest.approx(one + GPU.nest(nest) + LAUNCH * GPU.call)
    repeated = on_device(Work((replace(nest, times=100),)), [], GPU, CPU).seconds
    assert repeated == pytest.approx(one + 99 * GPU.nest(nest))


def test_what_the_host_does_between_kernels_moves_what_both_touch():
    kernel = Nest(100, 1024, {}, 1 << 20, True)
    host = Nest(100, 1, {"simple64": 1000}, 1 << 20, False, False, 1 << 20)
    alone = on_device(Work((kernel,)), [], GPU, CPU)
    together = on_device(Work((kernel, host)), [], GPU, CPU)
    assert together.copies == pytest.approx(100 * 2 * GPU.copy(IN, 1 << 20, True))
    assert together.host == pytest.approx(100 * 1000 * CPU.sequential)
    assert alone.copies == 0


def test_a_device_needs_a_kernel_and_room():
    n = 1 << 24
    assert taken(n, on_gpu(n), gpu=replace(GPU, capacity=1 << 20)) == "cpu"
    host_only = Work((replace(added(n).nests[0], on_device=False),))
    chosen = choose([on_processor(host_only, [], CPU, []), on_device(host_only, [], GPU, CPU)])
    assert (chosen.device, chosen.reason) == ("cpu", "none of its loops can be a kernel")


def test_a_device_must_be_certainly_faster():
    assert choose([Prediction("cpu", 1.0), Prediction("cuda", 0.99)]).device == "cpu"
    assert choose([Prediction("cpu", 1.0), Prediction("cuda", 0.99 / MARGIN)]).device == "cuda"
    assert choose([Prediction("cpu", 1.0, measured=False), Prediction("cuda", 0.7, measured=False)]).device == "cpu"
    assert choose([Prediction("cpu", 1.0, measured=False), Prediction("cuda", 0.3, measured=False)]).device == "cuda"


def test_the_processor_under_another_driver_must_be_much_faster():
    n = 1 << 20
    again = replace(speed("opencl", 1e-6, 1e-7, 1.5e10, 1.5e10, copies=COPIES), is_processor=True)
    assert taken(n, everywhere(n), gpu=replace(again, is_processor=False)) == "opencl"
    assert taken(n, everywhere(n), gpu=again) == "cpu"


def test_the_fastest_of_several_devices_is_taken():
    found = [Prediction("cpu", 1.0), Prediction("cuda", 0.5), Prediction("cuda:1", 0.25), Prediction("opencl", 0.3)]
    assert choose(found).device == "cuda:1"
    found[2] = replace(found[2], impossible="its arrays do not fit into the memory")
    assert choose(found).device == "opencl"


def test_estimates_take_a_gpu_for_large_work_only():
    facts = Facts("cuda", "a GPU", "CUDA 13000", 132, 1 << 37, "sm_90", 1024, 32, 1 << 17, 4096, 1_980_000_000)
    gpu, cpu = estimated("cuda", facts), estimated_processor("a processor", 16)
    steps = Work((Nest(1000, 1 << 24, {"simple32": 9 * 2.0**24}, 8 << 24, True),))
    assert taken(1 << 24, arrays(1 << 24), gpu=gpu, cpu=cpu, work=steps) == "cuda"
    assert taken(1 << 24, arrays(1 << 24), gpu=gpu, cpu=cpu) == "cpu"
    assert taken(1 << 10, on_gpu(1 << 10), gpu=gpu, cpu=cpu) == "cpu"


def test_kinds_of_operations_have_costs_of_their_own():
    nest = Nest(1, 1 << 20, {"function64": 2.0**28}, 0, True)
    dear = replace(GPU, costs={**dict.fromkeys(KINDS, 1.0), "function64": 100.0})
    assert dear.nest(nest) > 50 * (GPU.nest(nest) - 2e-6)


def test_chains_of_few_iterations_take_longer_than_those_of_many():
    line = tuple((2.0**k, 1e-7 + 2.0**k * 256 / 1e10) for k in range(4, 18))
    chained = tuple((size, seconds * (8 if size < 1 << 10 else 2)) for size, seconds in line)
    costs = dict.fromkeys(KINDS, 1.0) | {"chained32": 2.0, "chained64": 4.0}
    waiting, usual = (replace(CPU, arithmetic=line, costs=costs, chained=c) for c in (chained, ()))

    def ratio(kind, iterations):
        nest = Nest(1, iterations, {kind: 256.0 * iterations}, 4.0 * iterations)
        return waiting.nest(nest) / usual.nest(nest)

    assert ratio("chained32", 1 << 8) == pytest.approx(4, rel=0.1)
    assert ratio("chained64", 1 << 8) == pytest.approx(4, rel=0.1)
    assert ratio("chained32", 1 << 16) == pytest.approx(1, rel=0.01)
    assert ratio("simple32", 1 << 8) == 1


def test_copies_of_a_call_share_its_wait():
    n = 1 << 20
    found = on_device(added(n), arrays(n), GPU, CPU).copies
    alone = GPU.copy(IN, 4 * n, False) + GPU.copy(OUT, 4 * n, False)
    assert found == pytest.approx(alone - WAITING * (GPU.copy(IN, 1, False) + GPU.copy(OUT, 1, False)))


def test_only_what_was_planned_crosses():
    n = 1 << 20
    planned = (Crossing("a", True, 1, n), Crossing("c", False, 2, n), Crossing("", False, 1, 4096))
    work = replace(added(n), copies=planned)
    found = on_device(work, arrays(n), GPU, CPU).copies
    plain, pinned = GPU.copy(OUT, n, False), GPU.copy(OUT, 4096, True)
    waits = WAITING * (GPU.copy(IN, 1, False) + GPU.copy(OUT, 1, True))
    assert found == pytest.approx(GPU.copy(IN, n, False) + 2 * plain + pinned - waits)
    staying = [replace(array, coherent=True) for array in arrays(n)]
    stay = GPU.copy(IN, 4 * n, True) / STAYS
    assert on_device(work, staying, GPU, CPU).copies == pytest.approx(stay + pinned - WAITING * GPU.copy(OUT, 1, True))


def test_rows_with_gaps_cross_as_those_that_were_measured():
    strided = tuple(CopyTime(OUT, STRIDED, size, 2e-5 + size / 1e10) for size in SIZES)
    gpu = replace(GPU, copies=replace(COPIES, times=COPIES.times + strided))
    assert gpu.copy(OUT, 1 << 18, False, rows=256) == pytest.approx(2e-5 + 2**18 / 1e10)
    assert gpu.copy(OUT, 4 * 1024, False, rows=1024) == gpu.copy(OUT, 256 * 1024, False, rows=1024)
    assert gpu.copy(OUT, 1 << 18, True, rows=256) == gpu.copy(OUT, 1 << 18, False)


def test_arrays_that_stay_are_copied_once_in_many_calls():
    n = 1 << 20
    found = on_device(added(n), arrays(n, where=("host",), coherent=True), GPU, CPU).copies
    assert found == pytest.approx(GPU.copy(IN, 4 * n, True) / STAYS)


def test_kernels_that_read_neighbours_take_longer_the_smaller_ones_too():
    near = replace(GPU, neighbours=((256.0, 4e-6), (65536.0, 6e-6)))

    def seconds(of_iteration, n):
        return near.nest(Nest(1, n, {"simple32": of_iteration * n}, 8 * n, True))

    least = GPU.memory[0][1]
    assert seconds(ALONE, 256) == pytest.approx(least, rel=0.01)
    assert seconds(NEIGHBOURS, 256) == seconds(2 * NEIGHBOURS, 256) == 4e-6
    assert seconds(NEIGHBOURS, 1 << 16) == 6e-6
    assert seconds((ALONE + NEIGHBOURS) / 2, 256) == pytest.approx((least + 4e-6) / 2, rel=0.01)
    large = Nest(1, 1 << 24, {"simple32": NEIGHBOURS * 2.0**24}, 8 << 24, True)
    assert near.nest(large) == GPU.nest(large)


def test_short_rows_of_neighbours_take_the_processor_longer_too():
    near = replace(CPU, neighbours=((256.0, 2e-6), (65536.0, 2e-4)))
    nest = Nest(1, 1 << 14, {"simple32": NEIGHBOURS * 2.0**14}, 0)
    assert near.nest(nest) == pytest.approx(2e-6 * 100**0.75)
    assert near.nest(nest) > 5 * CPU.nest(nest)
    product = Nest(1, 1 << 14, {"product32": NEIGHBOURS * 2.0**14}, 0)
    assert near.nest(product) == CPU.nest(product)


def test_longer_iterations_wake_threads_once_on_the_processor():
    woken = replace(CPU, arithmetic=((2.0**8, 2e-6), (2.0**11, 1.2e-5), (2.0**14, 2e-5), (2.0**17, 6e-5)))

    def seconds(iterations, steps):
        return woken.nest(Nest(1, iterations, {"simple32": 256.0 * steps * iterations}, 4.0 * iterations))

    assert seconds(1 << 14, 8) == pytest.approx(6e-5)
    assert seconds(1 << 8, 8) > 7 * seconds(1 << 8, 1)


def test_a_nest_of_little_work_takes_little_on_the_processor():
    nest = Nest(1, 64, {"simple32": 64 * 4.0}, 512)
    assert CPU.nest(nest) < 2 * CPU.memory[0][1]


CALL = Prediction("cpu", 2e-3)


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (Prediction("cuda", 1e-3), "cpu would be taken if the call took 1.9 times as long on cuda"),
        (Prediction("cuda", 3e-3, copies=2.5e-3), "its copies took 56% of their time, as they do where arrays of weft"),
        (Prediction("cuda", 3e-3, copies=1e-3, kernels=2e-3), "cuda would be taken if its kernels took 45% of their"),
        (Prediction("cuda", 8e-3, copies=3e-3, kernels=3e-3), "cuda would be taken if the call took 24% of its time"),
        (Prediction("cuda", 1.5e-3, measured=False), "cuda would be taken if its figures were measured"),
        (Prediction("cuda", 1e-3, impossible="none of its loops can be a kernel"), ""),
    ],
)
def test_a_choice_says_what_would_have_to_change(other, text):
    said = other_way(choose([CALL, other]))
    assert text in said
    assert bool(said) == bool(text)


def test_what_would_have_to_change_does_change_it():
    other = Prediction("cuda", 3e-3, copies=2.5e-3)
    for part, device in ((0.57, "cpu"), (0.55, "cuda")):
        changed = replace(other, seconds=other.seconds - (1 - part) * other.copies, copies=part * other.copies)
        assert choose([CALL, changed]).device == device


def test_nothing_is_said_of_one_device_and_of_one_that_refused():
    assert other_way(choose([CALL])) == ""
    assert other_way(Choice("cpu", "cuda refused: no", (CALL, Prediction("cuda", 1e-3)))) == ""
    assert other_way(Choice("cpu", "alone")) == ""
