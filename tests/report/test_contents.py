"""What arrays of integers hold that say where kernels read: those of a call, and those that kernels make."""

import numpy as np
import pytest

from tests.report.test_kernels import row_products
from weft.cost.memory.banks import shared_accesses
from weft.cost.memory.classes import access_classes
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import Layout, place
from weft.runtime.counting.contents import contents_of
from weft.runtime.counting.sizes import Sizes, of_call
from weft.schedule.legality import Limits
from weft.transform import pipeline

TILE = 4096


def known(function, arguments):
    """Each kernel of a function for an H200, with its schedule, sizes and contents, by the end of its name."""
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    program = pipeline.optimise(build(function, types), turns=False, blocks=True, rows=True)
    placement = place(program, "cuda", layout=Layout(Limits(threads=1024, shared=227 * 1024, cores=132)))
    sizes = Sizes(placement.program, of_call(placement.program, arguments))
    held = contents_of(placement.program, placement.nests, sizes, arguments)
    found = {}
    for nest in (nest for nest in placement.nests if nest.offloaded is not None):
        of_kernel, _ = sizes.of_kernel(nest.offloaded.kernel, nest.offloaded.operands)
        found[nest.kernel.rpartition("_")[2]] = (
            nest.offloaded.kernel,
            nest.schedule,
            of_kernel,
            held.get(nest.kernel, {}),
        )
    return found


def by_stem(contents):
    return {name.partition(".")[0]: held for name, held in contents.items()}


def uneven(rows=3000, most=400, dtype=np.int64, seed=0):
    """The starts of rows of random lengths, empty ones among them."""
    lengths = np.random.default_rng(seed).integers(0, most, rows)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(dtype)


def sparse(starts, columns):
    rows, entries = len(starts) - 1, int(starts[-1])
    return starts, columns, np.zeros(entries, np.float32), np.zeros(1 << 20, np.float32), np.zeros(rows, np.float32)


def anywhere(starts):
    return np.random.default_rng(1).integers(0, 1 << 20, int(starts[-1]), np.int32)


@pytest.mark.parametrize("dtype", [np.int64, np.int32])
def test_where_rows_begin_in_tiles_is_what_the_kernel_before_notes(dtype):
    starts = uneven(dtype=dtype)
    kernels = known(row_products, sparse(starts, anywhere(starts)))
    held = by_stem(kernels["2"][3])
    rows = len(starts) - 1
    along = starts[:-1].astype(np.int64) + np.arange(rows)  # entries and rows are counted together
    expected = np.searchsorted(along, TILE * np.arange(len(held["noted"])))
    assert held["noted"].tolist() == expected.tolist()
    assert held["begins"].tolist() == starts[expected].tolist()
    assert held["disorder"].tolist() == [0]
    assert held["columns"] is not None and held["starts"] is starts


@pytest.mark.sample(0)
def test_whether_rows_are_in_order_is_not_known_where_they_are_not():
    starts = uneven()
    starts[100] = starts[200]
    kernels = known(row_products, sparse(starts, anywhere(starts)))
    assert "disorder" not in by_stem(kernels["2"][3])
    assert access_classes(*kernels["2"])


@pytest.mark.sample(0)
def test_tiles_of_uneven_rows_read_the_sectors_that_they_have():
    starts = uneven(rows=2000, most=900)
    near = np.repeat(np.arange(len(starts) - 1), np.diff(starts)).astype(np.int32) * 64
    scattered, banded = (
        access_classes(*known(row_products, sparse(starts, columns))["2"]) for columns in (anywhere(starts), near)
    )
    entries = int(starts[-1])

    def read(found, array):
        return sum(c.l2 for c in found if c.array == array)

    for found in (scattered, banded):
        assert read(found, "values") == pytest.approx(4 * entries, rel=0.02)
        assert starts.nbytes < read(found, "starts") < 2 * starts.nbytes  # tiles begin within sectors
    assert read(scattered, "x") == pytest.approx(32 * entries, rel=0.02)
    # A row reads one element; with all of its entries in a block, or two, that is a sector for each of them.
    assert read(banded, "x") == pytest.approx(32 * (len(starts) + entries / TILE), rel=0.1)
    (x,) = [c for c in banded if c.array == "x"]
    assert x.kind == "scattered" and not x.exact


@pytest.mark.sample(0)
def test_conflicts_of_tiles_are_those_of_all_blocks_on_average():
    starts = uneven(rows=20_000, most=200)
    kernel = known(row_products, sparse(starts, anywhere(starts)))["2"]
    found, guessed = shared_accesses(*kernel), shared_accesses(*kernel[:3])
    assert found.requests == pytest.approx(guessed.requests, rel=0.3)
    assert found.requests != guessed.requests


def gathered(x, p, y):
    for i in range(len(y)):
        y[i] = x[p[i]]


@pytest.mark.parametrize("sign", [1, -1])
def test_what_a_gather_reads_is_what_its_indices_say(sign):
    count, generator = 32 * 256, np.random.default_rng(2)
    x, y = np.zeros(1 << 18, np.float32), np.zeros(count, np.float32)
    p = sign * generator.integers(1, len(x), count)
    kernel, schedule, sizes, contents = known(gathered, (x, p, y))["0"]
    (found,) = [c for c in access_classes(kernel, schedule, sizes, contents) if c.array == "x"]
    sectors = sum(len(np.unique(warp % len(x) // 8)) for warp in p.reshape(-1, 32))
    assert found.l1 == pytest.approx(32 * sectors, rel=0.02)


def explained(function, *arguments):
    """Nothing that `explain` says of the kernels of a function fails, whatever its arrays hold; by array."""
    found = {}
    for kernel, schedule, sizes, contents in known(function, arguments).values():
        shared_accesses(kernel, schedule, sizes, contents)
        for c in access_classes(kernel, schedule, sizes, contents):
            found.setdefault(c.array, []).append(c)
    return found


def looked_up(img, table, out):
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            out[i, j] = table[img[i, j]]


def among_neighbours(near, x, y):
    for i in range(near.shape[0]):
        t = np.float32(0)
        for j in range(near.shape[1]):
            for k in range(near.shape[2]):
                t += x[near[i, j, k]]
        y[i] = t


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.int64])
def test_indices_may_have_several_axes(dtype):
    img = np.random.default_rng(0).integers(0, 8, (64, 256)).astype(dtype)
    found = explained(looked_up, img, np.zeros(256, np.float32), np.zeros(img.shape, np.float32))
    (table,) = found["table"]
    assert table.sectors == 1  # 8 elements, wherever they are
    near = np.random.default_rng(0).integers(0, 8, (512, 4, 4)).astype(dtype)
    explained(among_neighbours, near, np.zeros(4096, np.float32), np.zeros(512, np.float32))
    explained(among_neighbours, near[::-1, :, ::2], np.zeros(4096, np.float32), np.zeros(512, np.float32))


def hashed(x, y, out):
    perm = np.empty(1024, np.int64)
    for i in range(1024):
        perm[i] = 0
    for i in range(len(x)):
        perm[(x[i] ^ (x[i] >> 7)) & 1023] += 1
    for i in range(1024):
        out[i] = y[perm[i] & 4095]


def of_a_part(y, out):
    perm = np.empty(1024, np.int64)
    for i in range(1024):
        perm[i] = 0
    part = perm[8:]
    for i in range(len(part)):
        part[i] = i // 2
    for i in range(1024):
        out[i] = y[perm[i]]


def where_a_branch_says(t, p, y, out):
    q = np.empty(1024, np.int64)
    if t > 3:
        for i in range(1024):
            q[i] = p[i]
    else:
        for i in range(1024):
            q[i] = 0
    for i in range(1024):
        out[i] = y[q[i]]


def as_far_as_elements_say(c, y, out):
    perm = np.empty(8 * 128, np.int64)
    for i in range(len(c)):
        for k in range(c[i] & 7):
            perm[8 * i + k] = 5 * i + 1
    for i in range(len(out)):
        out[i] = y[perm[i]]


def last_kernel(function, *arguments):
    return by_stem(list(known(function, arguments).values())[-1][3])


def test_what_is_not_known_for_certain_is_not_known():
    x, y, out = np.arange(5000), np.zeros(4096, np.float32), np.zeros(1024, np.float32)
    assert "perm" not in last_kernel(hashed, x, y, out)
    assert "perm" not in last_kernel(of_a_part, y, out)
    assert "perm" not in last_kernel(as_far_as_elements_say, np.full(128, 3), y, out)
    assert not explained(hashed, x, y, out)["y"][0].exact


@pytest.mark.parametrize("t, expected", [(5, range(1024)), (2, [0] * 1024)])
def test_kernels_in_branches_that_are_not_taken_make_nothing(t, expected):
    q = last_kernel(where_a_branch_says, t, np.arange(1024), np.zeros(4096, np.float32), np.zeros(1024, np.float32))
    assert q["q"].tolist() == list(expected)


def halves_of(p, y, out):
    part = p[8:]
    for i in range(len(part)):
        part[i] = i // 2
    for i in range(len(out)):
        out[i] = y[p[i]]


def test_arrays_that_are_written_through_views_are_not_known():
    arguments = np.arange(1024), np.zeros(4096, np.float32), np.zeros(1024, np.float32)
    assert "p" not in last_kernel(halves_of, *arguments)


def counted_and_gathered(keys, places, x, y):
    for i in range(len(keys)):
        places[i] = keys[i] * 2
    for i in range(len(y)):
        y[i] = x[places[i]]


def test_what_the_call_gives_is_not_known_after_a_kernel_wrote_it():
    keys = np.arange(1 << 12)
    arguments = keys, np.zeros_like(keys), np.zeros(1 << 13, np.float32), np.zeros(1 << 12, np.float32)
    for _, _, _, contents in known(counted_and_gathered, arguments).values():
        assert "places" not in by_stem(contents)


def test_kernels_that_no_array_leads_have_no_contents():
    def doubled(a, b):
        for i in range(len(a)):
            b[i] = a[i] * 2

    keys = np.arange(1 << 12)
    types = tuple(describe(value, "argument") for value in (keys, keys))
    placement = place(pipeline.optimise(build(doubled, types)), "cuda")
    sizes = Sizes(placement.program, of_call(placement.program, (keys, keys)))
    assert contents_of(placement.program, placement.nests, sizes, (keys, keys)) == {}


@pytest.mark.filterwarnings("error")
def test_division_by_zero_in_an_index_is_no_warning():
    def spread(idx, x, y, d):
        for i in range(len(y)):
            y[i] = x[idx[i] // d]

    explained(spread, np.arange(512), np.zeros(512, np.float32), np.zeros(512, np.float32), 0)
