"""Kernels are compiled in modules, when a launch first needs one: over a driver that only pretends."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import main, pretending

import weft
from weft.backends.cuda import compiler
from weft.errors import CompilerError
from weft.machine.occupancy import KernelBinary, Resources
from weft.plan.place import place
from weft.runtime.devices import accelerators, ledger
from weft.schedule import Bind

GOOD, SPILLING = Resources(32, 0), Resources(255, 0, 400, 400, 400)


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = np.float32(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def softmax(x, out):
    for i in range(x.shape[0]):
        most = x[i, 0]
        for j in range(x.shape[1]):
            most = max(most, x[i, j])
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += np.exp(x[i, j] - most)
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j] - most) / total


class Compiler:
    """Stands for NVRTC: notes the names of the kernels of each module; some of them spill, in all but one way."""

    def __init__(self, spills=lambda text: False):
        self.modules, self.spills = [], spills
        compiler.compile_source = self.compile

    def compile(self, source, architecture, fastmath=False):
        heads = [part.partition(") {")[0] for part in source.split('extern "C" __global__ ')[1:]]
        names = [head.partition(" void ")[2].partition("(")[0] for head in heads]
        self.modules.append(names)
        needs = SPILLING if self.spills(source) else GOOD
        return KernelBinary(b"", dict.fromkeys(names, needs))

    def taken(self):
        modules, self.modules = self.modules, []
        return modules


def matrices(side, depth=16):
    return tuple(np.zeros(shape, np.float32) for shape in ((side, depth), (depth, side), (side, side)))


def tall_matrices(width, height=1 << 14, depth=16):
    """Matrices of as many tiles as large ones have, in which all indices have 32 bits."""
    return tuple(np.zeros(shape, np.float32) for shape in ((height, depth), (depth, width), (height, width)))


def jitted(function, **options):
    return weft.jit(function, device="cuda", libraries=False, **options)


@pytest.mark.sample(0)
@pretending
def test_a_call_compiles_the_one_module_that_it_needs(driver):
    made = Compiler()
    function = jitted(product)
    function(*matrices(64))
    assert [len(names) for names in made.taken()] == [1]
    function(*matrices(64))
    assert made.taken() == []
    function(*matrices(2048))
    assert [len(names) for names in made.taken()] == [1]


@pytest.mark.sample(0)
@pretending
def test_a_tile_has_versions_for_aligned_arrays_and_for_others(driver):
    made = Compiler()
    function = jitted(product)
    function(*tall_matrices(256))
    function(*tall_matrices(248))
    function(*tall_matrices(255))
    a, b, _ = tall_matrices(256)
    function(a, b, np.zeros((len(a), 257), np.float32)[:, 1:])
    runs, single = made.taken()
    assert [name.rpartition("_")[2] for name in (*runs, *single)] == ["runs", "single"]


@pytest.mark.sample(0)
@pretending
def test_each_length_of_rows_is_a_module_of_its_own(driver):
    made = Compiler()
    function, seen = jitted(softmax), []
    for columns in (100, 3000, 200, 7000, 100_000):
        function(*(np.ones((8, columns), np.float32) for _ in range(2)))
        seen.append(len(made.taken()))
    assert seen == [1, 1, 0, 1, 1]


@pytest.mark.sample(0)
@pretending
def test_what_was_compiled_once_is_found_in_the_store(driver):
    made = Compiler()
    jitted(product)(*matrices(64))
    assert len(made.taken()) == 1
    jitted(product)(*matrices(64))
    assert made.taken() == []
    jitted(product)(*matrices(2048))
    assert len(made.taken()) == 1


@pretending
def test_kernels_that_every_call_needs_are_compiled_together(driver):
    made = Compiler()
    weft.jit(two_nests, device="cuda")(*(np.zeros(100) for _ in range(2)))
    assert [len(names) for names in made.taken()] == [2]


def two_nests(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i] + 1
    for i in range(1, x.shape[0]):
        x[i] = y[i - 1]


def halved(x, y, limit):
    for i in range(x.shape[0]):
        s, k = x[i], 0
        while s > 0.25 and k < limit:
            s = s * 0.5
            k += 1
        y[i] = s


@pretending
def test_launches_that_end_soon_run_a_version_that_does_not_look_whether_it_is_to_stop(driver):
    looks = []

    def spills(text):
        looks.append("is_to_stop(weft_stop" in text)
        return False

    made = Compiler(spills)
    function, arrays = jitted(halved), [np.ones(1000) for _ in range(2)]
    function(*arrays, 100)
    function(*arrays, 3)
    assert (made.taken(), looks) == ([["halved_0_soon"]], [False])
    found = weft.explain(function, *arrays, 100)
    assert [kernel.name for kernel in found.kernels] == ["halved_0_soon"]
    function(*arrays, 1 << 50)
    assert (made.taken(), looks) == ([["halved_0"]], [False, True])


@pytest.mark.sample(0)
@pretending
def test_explaining_compiles_what_it_explains(driver):
    made = Compiler()
    function = jitted(product)
    found = weft.explain(function, *matrices(64))
    taken = sorted(name for names in made.taken() for name in names)
    assert taken == sorted(kernel.name for kernel in found.kernels)
    assert all(kernel.resources is not None for kernel in found.kernels)
    function(*matrices(64))
    assert made.taken() == []


@pytest.mark.sample(0)
@pretending
def test_a_kernel_that_spills_gives_way_to_the_next_schedule_in_the_call_that_needs_it(driver):
    seen = []

    def spills(text):
        seen.append(text)
        return len(set(seen)) == 1

    made = Compiler(spills)
    function = jitted(product)
    function(*tall_matrices(256))
    assert len(made.taken()) == 2 and seen[0] != seen[1]
    function(*tall_matrices(256))
    assert made.taken() == []
    jitted(product)(*tall_matrices(256))
    assert made.taken() == []


@pretending
def test_long_rows_have_a_kernel_of_their_own(driver):
    made = Compiler()
    function, taken = jitted(sums_of_rows), []
    for columns in (4095, 4096, 9, 10_000):
        function(np.ones((9, columns)), np.ones(9))
        taken.append(made.taken())
    ((short,),), ((long,),), *rest = taken
    assert short != long and rest == [[], []]


@pretending
def test_a_schedule_for_long_rows_that_spills_is_not_used(driver):
    made = Compiler(lambda text: "__launch_bounds__(256) void sums_of_rows_4" in text)
    function = jitted(sums_of_rows)
    function(np.ones((9, 5000)), np.ones(9))
    *tried, taken = made.taken()
    assert ["sums_of_rows_4"] in tried and taken == ["sums_of_rows_3"]
    function(np.ones((9, 5000)), np.ones(9))
    assert made.taken() == []


@pytest.mark.sample(0)
@pretending
def test_a_kernel_that_spills_under_every_schedule_stays(driver):
    made = Compiler(lambda text: True)
    function = jitted(product)
    for _ in range(2):
        function(*matrices(2048))
    assert made.taken()
    jitted(product)(*matrices(2048))
    assert made.taken() == []


def roots_of_rows(a, out):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += np.sqrt(a[i, j])
        out[i] = total


def sums_of_rows(a, out):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        out[i] = total


@pytest.mark.parametrize(
    ("function", "spilled", "gives_way"),
    [
        (roots_of_rows, 8, False),
        (roots_of_rows, 40, False),
        (roots_of_rows, 72, True),
        (sums_of_rows, 8, False),
        (sums_of_rows, 40, True),
    ],
)
def test_a_few_values_around_rare_calls_are_no_reason_for_another_schedule(function, spilled, gives_way):
    placement = place(weft.jit(function).specialise(np.ones((4, 4)), np.ones(4)).program(), "cuda")
    needs = Resources(32, 0, spilled, spilled, spilled)
    giving = [nest for nest, _ in accelerators.spilling(placement, dict.fromkeys(placement.kernel_names, needs))]
    assert giving == (list(placement.nests) if gives_way else [])


@pytest.mark.sample(0)
@pretending
def test_sums_that_spill_behind_other_work_stay_so_that_all_calls_give_the_same(driver):
    made = Compiler(lambda text: "then_product_4" in text)
    function = jitted(then_product)
    for _ in range(2):
        function(*tall_matrices(256))
    jitted(then_product)(*tall_matrices(256))
    assert made.taken() == [["then_product_0"], ["then_product_4_runs"]]


def then_product(a, b, c):
    for i in range(a.shape[0]):
        a[i, 0] += 1
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = np.float32(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@pytest.mark.sample(0)
@pretending
def test_a_forked_process_gets_no_kernel(driver):
    made = Compiler()
    function = jitted(product)
    function(*matrices(64))
    child = os.fork()
    if not child:
        try:
            function(*matrices(2048))
        except weft.DeviceError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    function(*matrices(2048))
    assert len(made.taken()) == 2


@pretending
def test_a_schedule_written_by_hand_that_spills_is_refused_in_every_call(driver):
    Compiler(lambda text: True)
    function = jitted(product, schedule=(Bind("j", "x", 32), Bind("i", "y", 8)))
    for _ in range(2):
        with pytest.raises(weft.ArgumentError, match="registers"):
            function(*matrices(64))


@pretending
def test_a_refusal_of_the_compiler_comes_out_of_the_call_and_leaves_nothing_behind(driver):
    made = Compiler()
    compile_source = made.compile

    def refuse(source, architecture, fastmath=False):
        raise CompilerError("refused")

    compiler.compile_source = refuse
    function = jitted(product)
    for _ in range(2):
        with pytest.raises(CompilerError, match="refused"):
            function(*matrices(64))
    compiler.compile_source = compile_source
    function(*matrices(64))
    assert len(made.taken()) == 1


@pytest.mark.sample(0)
@pretending
def test_threads_that_need_the_same_kernel_compile_it_once(driver):
    made = Compiler()
    function = jitted(product)
    function(*matrices(64))
    made.taken()
    threads = [threading.Thread(target=function, args=matrices(2048)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(names) for names in made.taken()] == [1]


@pretending
def test_time_that_compiling_takes_is_no_part_of_a_time_limit(driver):
    made = Compiler()
    compile_source = made.compile

    def slowly(*given):
        threading.Event().wait(0.5)
        return compile_source(*given)

    compiler.compile_source = slowly
    jitted(product, timeout=0.3)(*matrices(64))
    assert len(made.taken()) == 1


@pytest.mark.sample(0)
@pretending
def test_the_ledger_tells_that_a_launch_compiled(driver):
    Compiler()
    seen = ledger.start()
    jitted(product)(*matrices(64))
    ledger.stop(seen)
    reasons = [event.reason for event in seen if event.kind == "compile"]
    assert len(reasons) == 2 and "launch" in reasons[1]


if __name__ == "__main__":
    main(globals())
