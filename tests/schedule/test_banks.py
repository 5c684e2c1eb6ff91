"""Steps in which shared memory serves the requests of a warp, against known patterns and a count by hand."""

from collections import defaultdict

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, kernel_of, program_of
from tests.schedule.test_access_classes import product, sizes_of, transposed
from weft.cost.memory.addresses import Asked, BlockAccesses
from weft.cost.memory.banks import Packing, SharedAccesses, copy_steps, merged, shared_accesses, steps_of
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT32, View
from weft.schedule.directives import Bind, Privatise, Stage, Turn


def asked(addresses, width=4):
    rows = np.array([addresses], np.int64)
    return Asked(None, rows, np.ones(rows.shape, bool), np.zeros(1, np.int64), width, 1.0, np.ones(1, bool), True)


@pytest.mark.parametrize("stride, steps", [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (8, 8), (32, 32), (33, 1)])
def test_steps_by_stride(stride, steps):
    assert steps_of(asked([4 * stride * k for k in range(32)])).tolist() == [steps]


@pytest.mark.parametrize("width, requests", [(8, 2), (16, 4)])
def test_wide_accesses_are_served_by_parts_of_a_warp(width, requests):
    assert steps_of(asked([width * k for k in range(32)], width)).tolist() == [1] * requests


@pytest.mark.parametrize("seed", range(20))
def test_random_addresses_are_counted_as_by_hand(seed):
    addresses = 4 * np.random.default_rng(seed).integers(0, 100, 32)
    banks = defaultdict(set)
    for address in addresses:
        banks[address // 4 % 32].add(address)
    assert steps_of(asked(addresses)).tolist() == [max(map(len, banks.values()))]


@pytest.mark.parametrize("begin, steps", [(0, 1), (128, 1), (32, 2), (64, 2), (96, 2), (16, 4), (48, 4)])
def test_copies_take_more_steps_where_lines_of_memory_are_no_rows_of_banks(begin, steps):
    source, target = (asked([start + 16 * k for k in range(32)], 16) for start in (0, begin))
    assert copy_steps(source, target).tolist() == [steps] * 4


@pytest.mark.parametrize("seed", range(20))
def test_steps_of_random_copies_are_counted_as_by_hand(seed):
    generator = np.random.default_rng(seed)
    memory, shared = (16 * generator.integers(0, 64, 32) for _ in range(2))
    found = []
    for first in range(0, 32, 8):
        pieces = set()
        for source, target in zip(memory[first : first + 8], shared[first : first + 8], strict=True):
            is_straight = source % 32 == target % 32
            pieces.add(("line", source // 128, target // 128) if is_straight else ("sector", source // 32))
        found.append(len(pieces))
    assert copy_steps(asked(memory, 16), asked(shared, 16)).tolist() == found


def neighbours(starts):
    """A block of 32 threads, each of which loads elements of shared memory from 8 times its number on."""
    build = Builder("neighbours")
    out = build.array("out", FLOAT32)
    with build.loop("b", 0, 1, mapping="blocks"):
        shared = n.Alloc((n.Const(512),), FLOAT32, memory="shared")
        tile = build.let(shared, View(FLOAT32, 1, contiguous=True), "tile")
        with build.loop("t", 0, 32, mapping="threads") as loop:
            base = build.mul(loop.index, 8)
            parts = [build.load(tile, build.add(base, start), bounds="safe") for start in starts]
            for part in parts:
                build.store(out, loop.index, value=part, bounds="safe")
    program = build.program()
    return n.Kernel("neighbours", tuple(p.var for p in program.params), program.body, group=(32, 1, 1))


@pytest.mark.parametrize(
    "starts, widths",
    [
        (range(8), [16, 16]),
        ((0, 1), [8]),
        ((1, 2), [4, 4]),
        ((1, 2, 3, 4), [8, 4, 4]),
        ((0, 2), [4, 4]),
        ((4, 5, 6, 7, 8), [16, 4]),
    ],
)
def test_loads_of_neighbours_are_one_where_they_are_aligned(starts, widths):
    kernel = neighbours(starts)
    block = BlockAccesses(kernel, {"out.shape[0]": 32, "out.strides[0]": 4})
    loads = [block.asked(a) for a in block.table.accesses if block.memory(a) == "shared"]
    assert sorted((each.width for each in merged(block, loads)), reverse=True) == widths


def test_threads_that_copy_nothing_take_no_step():
    source, target = (asked([16 * k for k in range(32)], 16) for _ in range(2))
    target.active[:, 8:] = False
    assert copy_steps(source, target).tolist() == [1, 0, 0, 0]


def of(function, arguments, schedule, extent):
    program = program_of(function, arguments)
    kernel, operands, _, _ = kernel_of(program)
    named = dict(zip((p.var.name for p in program.params), arguments, strict=True))
    sizes = sizes_of(kernel, operands, {k: v for k, v in named.items() if any(o.name == k for o in operands)})
    sizes |= {p.name: extent for p in kernel.params if not isinstance(p.type, View)}
    return shared_accesses(kernel, schedule, sizes)


def test_what_needs_no_shared_memory_has_no_conflicts():
    assert of(transposed, arrays((64, 64), (64, 64))(), (Bind("j", "x", 32), Bind("i", "y", 8)), 64).requests == 0


def test_a_turn_through_padded_tiles_has_few_conflicts():
    found = of(transposed, arrays((64, 64), (64, 64))(), (Bind("j", "x", 32), Bind("i", "y", 8, 4), Turn("i")), 64)
    assert found.requests > 0
    assert found.conflicts == 0


def test_a_staged_product_is_served_in_few_steps_more_than_requests():
    schedule = (Bind("j", "x", 16, 8, 4), Bind("i", "y", 16, 8, 4), Stage("k", 8))
    found = of(product, arrays((256, 256), (256, 256), (256, 256))(), schedule, 256)
    assert found.requests > 0
    assert found.conflicts < 0.2 * found.steps


def test_a_ring_of_buffers_costs_what_two_buffers_do():
    make = arrays((256, 256), (256, 256), (256, 256))
    two, ring = (
        of(product, make(), (Bind("j", "x", 16, 8, 4), Bind("i", "y", 16, 8, 4), Stage("k", 8, 1, buffers)), 256)
        for buffers in (2, 3)
    )
    assert ring.requests == pytest.approx(two.requests, rel=0.2)


def counted(x, counts):
    for i in range(len(x)):
        counts[x[i]] += 1


def test_updates_of_copies_that_lie_side_by_side_have_no_conflicts():
    x, counts = np.zeros(1 << 14, np.int32), np.zeros(256, np.int32)
    schedule = (Bind("i", "x", 128, 16, 4), Privatise("counts", 4096, 32))
    found = of(counted, (x, counts), schedule, 1 << 14)
    assert found.requests >= 128 * 16 / 32  # every update of a block
    assert found.conflicts < 0.2 * found.steps


def counted_by_size(x, counts):
    for i in range(len(x)):
        counts[int(x[i] * np.float32(256))] += 1


def test_updates_at_places_that_nobody_knows_are_taken_to_meet_by_chance():
    x, counts = np.zeros(1 << 14, np.float32), np.zeros(256, np.int32)
    found = of(counted_by_size, (x, counts), (Bind("i", "x", 128, 16), Privatise("counts", 4096)), 1 << 14)
    assert found.requests >= 128 * 16 / 32
    assert 2 < found.steps / found.requests < 4.5


def test_what_is_packed_of_runs_of_four_wants_four_times_a_bank_if_all_is_kept():
    packing = Packing(32 * 4 * 10, 4, 4)
    assert packing.served(1.0) == (40, 160)
    assert packing.served(0.0) == (0, 0)


@pytest.mark.parametrize("part, conflicts", [(0.1, 0.0), (0.5, 7.71e6), (0.9, 13.7e6)])
def test_conflicts_of_packing_are_as_counted_where_elements_are_kept_by_chance(part, conflicts):
    requests, steps = (2**23, 2**25)  # of 2^28 elements on an H200, all of them kept
    packed = SharedAccesses(requests, steps, (Packing(2**28, 4, 4),)).keeping(part)
    assert packed.conflicts == pytest.approx(conflicts, rel=0.03)
