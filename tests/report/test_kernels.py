"""What is said of kernels can be said of every program."""

import numpy as np
import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from tests.plan.test_blocks import running
from weft.cost.memory.banks import shared_accesses
from weft.cost.memory.classes import BURST, SECTOR, access_classes
from weft.frontend import build
from weft.frontend.source.signature import describe, flatten
from weft.plan.place import Layout, place
from weft.report.advice import advise
from weft.runtime.counting.contents import contents_of
from weft.runtime.counting.sizes import Sizes, of_call
from weft.schedule.legality import Limits
from weft.transform import pipeline

EVERY = 6
"""Of the programs, every so manieth is looked at."""


@pytest.mark.parametrize("name", list(PROGRAMS)[::EVERY])
def test_accesses_of_every_kernel_are_classified(name):
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    placement = place(pipeline.optimise(build(function, types)), "cuda")
    program = placement.program
    nests = [nest for nest in placement.nests if nest.offloaded is not None]
    leaves = [leaf for pair in zip(arguments, types, strict=True) for leaf in flatten(*pair)]
    if not nests or len(leaves) != len(program.params):
        pytest.skip("no loop is a kernel, or it captures variables")
    sizes = Sizes(program, of_call(program, leaves))
    held = contents_of(program, placement.nests, sizes, leaves)
    for nest in nests:
        kernel, contents = nest.offloaded.kernel, held.get(nest.kernel, {})
        known, _ = sizes.of_kernel(kernel, nest.offloaded.operands)
        found = access_classes(kernel, nest.schedule, known, contents)
        for access in found:
            assert access.sectors >= access.best * 0.99 or access.kind == "uniform"
            most = access.l2 * (1 if all(other.exact for other in found) else BURST / SECTOR)
            assert 0 <= access.dram <= most * 1.001 + 32 or access.mode != "load"
            assert access.l2 <= access.l1 * 1.001 + 32
            assert access.reuse >= 1
        assert list(advise(kernel, nest.schedule, found, known, contents)) is not None
        assert shared_accesses(kernel, nest.schedule, known, contents).conflicts >= 0


def emptied_and_summed(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@pytest.mark.sample(0)
def test_what_the_host_works_out_for_a_kernel_is_known():
    arguments = [np.zeros((512, 512), np.float32) for _ in range(3)]
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    placement = place(pipeline.optimise(build(emptied_and_summed, types)), "cuda")
    (nest,) = [nest for nest in placement.nests if nest.offloaded is not None]
    known, _ = Sizes(placement.program, of_call(placement.program, arguments)).of_kernel(
        nest.offloaded.kernel, nest.offloaded.operands
    )
    stores = [c for c in access_classes(nest.offloaded.kernel, nest.schedule, known) if c.mode == "store"]
    assert [c.line for c in stores] == [emptied_and_summed.__code__.co_firstlineno + 4]  # after the sum
    assert stores[0].requested == arguments[2].nbytes


def kernels_of(function, arguments):
    """Each kernel of a function for an H200, with its schedule and sizes, by the end of its name."""
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    program = pipeline.optimise(build(function, types), turns=False, blocks=True, rows=True)
    placement = place(program, "cuda", layout=Layout(Limits(threads=1024, shared=227 * 1024, cores=132)))
    sizes = Sizes(placement.program, of_call(placement.program, arguments))
    found = {}
    for nest in (nest for nest in placement.nests if nest.offloaded is not None):
        known, _ = sizes.of_kernel(nest.offloaded.kernel, nest.offloaded.operands)
        found[nest.kernel.rpartition("_")[2]] = nest.offloaded.kernel, nest.schedule, known
    return found


def reports(function, arguments):
    """The classes of each kernel of a function for an H200, by the end of its name."""
    return {name: access_classes(*kernel) for name, kernel in kernels_of(function, arguments).items()}


def test_copies_of_a_scan_go_to_whole_rows_of_the_banks():
    x, out = np.zeros(1 << 22, np.float32), np.zeros(1 << 22, np.float32)
    found = shared_accesses(*kernels_of(running, (x, out))["1"])
    assert found.requests > 31 * 256 * 4 // 128  # those of the copies, by lines of memory
    assert found.conflicts == 0


def packed(x, out):
    kept = 0
    for i in range(len(x)):
        if x[i] > np.float32(0.5):
            out[kept] = x[i]
            kept += 1
    return kept


def test_a_packing_loop_stores_at_most_everything_at_a_place_that_is_not_aligned():
    x, out = np.zeros(1 << 22, np.float32), np.zeros(1 << 22, np.float32)
    (stored,) = [c for c in reports(packed, (x, out))["1"] if c.array == "out"]
    assert stored.at_most and not stored.exact
    assert stored.requested == out.nbytes
    assert (stored.kind, stored.sectors) == ("coalesced", 5)  # 128 bytes that begin inside of a sector
    assert not any(c.at_most for c in reports(packed, (x, out))["1"] if c.array == "x")


def row_products(starts, columns, values, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            s += values[k] * x[columns[k]]
        y[i] = s


def test_what_tiles_of_entries_read_follows_from_sizes():
    rows, entries = 1 << 15, 1 << 20
    starts, columns, values = np.zeros(rows + 1, np.int32), np.zeros(entries, np.int32), np.zeros(entries, np.float32)
    x, y = np.zeros(1 << 20, np.float32), np.zeros(rows, np.float32)
    tiles = {c.array: c for c in reports(row_products, (starts, columns, values, x, y))["2"]}
    for array in (columns, values):
        name = "columns" if array is columns else "values"
        assert tiles[name].l2 == pytest.approx(array.nbytes, rel=0.05)
        assert tiles[name].kind == "coalesced"
    assert tiles["x"].l1 == pytest.approx(entries * 32, rel=0.1)  # a sector for each entry
    assert tiles["y"].requested == pytest.approx(y.nbytes, rel=0.1)
