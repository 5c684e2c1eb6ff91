"""How accesses under a schedule reach memory: classes, sectors, bytes and reuse, against a run that writes all down."""

import random
from dataclasses import replace
from math import prod

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, kernel_of, program_of, scheduled
from weft.cost.memory.classes import BY_CHANCE, FEW, access_classes
from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.reference import interpreter
from weft.ir.reference.shadow import Shadow
from weft.ir.types import FLOAT32, PYINT, View
from weft.schedule.directives import Bind, Stage, Turn
from weft.tune.default import default_schedule


def sizes_of(kernel, operands, arguments):
    """The values of a kernel's parameters where its program has only arrays, whose extents it names."""
    given = dict(zip((v.name for v in operands), kernel.params, strict=True))
    sizes = {}
    for name, array in arguments.items():
        for k in range(array.ndim):
            sizes[f"{given[name].name}.shape[{k}]"] = array.shape[k]
            sizes[f"{given[name].name}.strides[{k}]"] = array.strides[k]
    return sizes


def classes(function, arguments, schedule, scalars):
    """The classes of the first kernel of a function; `scalars` are its numbers by the stem of their names."""
    program = program_of(function, arguments)
    kernel, operands, _, _ = kernel_of(program)
    named = dict(zip((p.var.name for p in program.params), arguments, strict=True))
    sizes = sizes_of(kernel, operands, {k: v for k, v in named.items() if any(o.name == k for o in operands)})
    sizes |= {p.name: scalars for p in kernel.params if not isinstance(p.type, View)}
    return access_classes(kernel, default_schedule(kernel) if schedule is None else schedule, sizes)


def window(u, v):
    for i in range(u.shape[0] - 2):
        for j in range(u.shape[1] - 2):
            s = np.float32(0)
            for p in range(3):
                for q in range(3):
                    s += u[i + p, j + q]
            v[i, j] = s


def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = np.float32(0)
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def transposed(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[j, i]


def gathered(x, p, y):
    for i in range(p.shape[0]):
        y[i] = x[p[i]]


SQUARE = (Bind("j", "x", 16), Bind("i", "y", 16))


def test_a_window_of_nine_is_reused_seven_times_in_a_square_block():
    u, v = classes(window, arrays((66, 66), (66, 66))(), SQUARE, 64)
    assert (u.array, u.mode, v.array, v.mode) == ("u", "load", "v", "store")
    assert u.reuse == 2304 / 324  # 7.11
    assert v.reuse == 1


def test_a_matrix_product_reuses_sixteen_times_in_a_square_block():
    a, b, c = classes(product, arrays((64, 64), (64, 64), (64, 64))(), SQUARE, 64)
    assert (a.reuse, b.reuse, c.reuse) == (16, 16, 1)
    assert a.level == b.level == "L1"
    assert a.exact and b.exact and c.exact


def test_each_byte_of_a_matrix_product_comes_from_memory_once():
    a, b, c = classes(product, arrays((64, 64), (64, 64), (64, 64))(), SQUARE, 64)
    assert a.dram == b.dram == c.dram == 64 * 64 * 4
    assert a.l2 == b.l2 == 16 * 16 * 64 * 4  # a strip of 16 rows or columns for each of 16 blocks


def behind(x, y):
    for i in range(x.shape[0] - 1):
        y[i + 1] = x[i]


def test_some_of_the_sectors_that_two_requests_store_by_chance_arrive_as_one():
    _, y = classes(behind, arrays(2**14 + 1, 2**14 + 1)(), (Bind("i", "x", 256),), 2**14 + 1)
    assert y.sectors == 5  # of a warp, whose first and last sector neighbours have, too
    stored = y.l1 / 32 / 64  # sectors of a block of eight warps
    assert stored == 40
    assert y.l2 / 32 / 64 == pytest.approx(stored - 7 * BY_CHANCE)


def test_staging_shows_where_the_reuse_is_served():
    schedule = (Bind("j", "x", 16, 4, 4), Bind("i", "y", 16, 4, 4), Stage("k", 8))
    a, b, c = classes(product, arrays((64, 64), (64, 64), (64, 64))(), schedule, 64)
    assert (a.kind, b.kind, c.kind) == ("staged", "staged", "coalesced")
    assert a.level == b.level == "shared"
    assert a.reuse == b.reuse == 64
    assert a.l1 == a.l2 == a.dram == 64 * 64 * 4  # one block: each byte is asked for once


def seeded(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = b[0, j]
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


def test_copies_under_way_of_sixteen_bytes_do_not_find_what_the_first_level_cache_has():
    given, read = [np.zeros((256, 256), np.float32) for _ in range(3)], {}
    for buffers in (2, 3):
        schedule = (Bind("j", "x", 16, 4, 4), Bind("i", "y", 8, 4, 4), Stage("k", 8, 1, buffers))
        read[buffers] = sum(c.l2 for c in classes(seeded, given, schedule, 256) if c.array == "b") / given[1].nbytes
    assert read[2] == 8  # each of the eight rows of blocks reads all of it once
    assert read[3] == 8 + 8 * (1 + 16) / 256  # and its first row once more; the last two tiles are sent again


def weighted(x, weights, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * weights[j]


@pytest.mark.parametrize(("side", "times"), [(1024, 1), (16384, 16384)])
def test_a_small_array_that_every_block_reads_stays_in_the_first_level_cache(side, times):
    given = [np.zeros((side, side), np.float32), np.zeros(side, np.float32), np.zeros((side, side), np.float32)]
    schedule = (Bind("j", "x", 256, side // 256), Bind("i", "y", 1))
    (weights,) = [c for c in classes(weighted, given, schedule, side) if c.array == "weights"]
    assert weights.l2 == times * given[1].nbytes


def test_a_transposition_is_strided_until_it_is_turned():
    make = arrays((64, 64), (64, 64))
    plain, _ = classes(transposed, make(), (Bind("j", "x", 32), Bind("i", "y", 8)), 64)
    assert (plain.array, plain.kind, plain.stride, plain.sectors, plain.best) == ("a", "strided", 256, 32, 4)
    turned, store = classes(transposed, make(), (Bind("j", "x", 16, 4, 4), Bind("i", "y", 16, 4), Turn("i")), 64)
    assert (turned.kind, turned.sectors, turned.best) == ("staged", 16, 16)
    assert (store.kind, store.sectors) == ("coalesced", 16)


def test_addresses_read_from_memory_are_scattered():
    x, p, y = np.zeros(100_000, np.float32), np.zeros(64, np.int64), np.zeros(64, np.float32)
    found = {c.array: c for c in classes(gathered, (x, p, y), (Bind("i", "x", 32),), 64)}
    assert (found["x"].kind, found["x"].stride, found["x"].exact) == ("scattered", None, False)
    assert 30 <= found["x"].sectors <= 32
    assert found["p"].kind == found["y"].kind == "coalesced"


def test_a_small_table_has_few_sectors_wherever_it_is_read():
    x, p, y = np.zeros(16, np.float32), np.zeros(64, np.int64), np.zeros(64, np.float32)
    found = {c.array: c for c in classes(gathered, (x, p, y), (Bind("i", "x", 32),), 64)}
    assert (found["x"].kind, found["x"].sectors, found["x"].dram) == ("scattered", 2, 64)


def sparse(starts, columns, values, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        for k in range(starts[i], starts[i + 1]):
            s += values[k] * x[columns[k]]
        y[i] = s


def test_rows_of_a_sparse_matrix_are_taken_to_be_of_one_length():
    starts, columns, values = np.zeros(1025, np.int64), np.zeros(32768, np.int64), np.zeros(32768, np.float32)
    x, y = np.zeros(100_000, np.float32), np.zeros(1024, np.float32)
    found = {c.array: c for c in classes(sparse, (starts, columns, values, x, y), (Bind("i", "x", 32),), 1024)}
    assert found["values"].kind == "strided"
    assert found["values"].requests == 32 * 32  # a warp for 32 rows, 32 entries each
    assert found["values"].dram == values.nbytes
    assert found["x"].kind == "scattered"
    assert found["x"].dram <= x.nbytes
    assert not found["values"].exact and not found["x"].exact


def again(starts, x, y):
    for i in range(len(y)):
        s = np.float32(0)
        if starts[i] < starts[i + 1]:
            s = x[i] + np.float32(starts[i])
        y[i] = s


def test_what_fewer_threads_load_again_is_in_registers():
    starts, x, y = np.zeros(1025, np.int64), np.zeros(1024, np.float32), np.zeros(1024, np.float32)
    loads = [c for c in classes(again, (starts, x, y), (Bind("i", "x", 32),), 1024) if c.array == "starts"]
    assert sum(c.requests for c in loads) == 2 * 32  # the third load in the source is of what a thread has


def test_the_line_of_an_access_is_that_of_the_source_also_where_neighbours_are_read_together():
    first = window.__code__.co_firstlineno
    u, v = classes(window, arrays((66, 66), (66, 66))(), SQUARE, 64)
    assert (u.line, v.line) == (first + 6, first + 7)
    line = transposed.__code__.co_firstlineno + 3
    assert {c.line for c in classes(transposed, arrays((64, 64), (64, 64))(), None, 64)} == {line}


def rarely(x, y, z):
    for i in range(len(y)):
        y[i] = x[i]
        if x[i] == np.float32(0):
            y[i] = z[i]


def test_that_two_numbers_are_equal_is_not_reckoned_with():
    x, y, z = (np.zeros(1024, np.float32) for _ in range(3))
    found = {c.array for c in classes(rarely, (x, y, z), (Bind("i", "x", 32),), 1024)}
    assert found == {"x", "y"}


def test_rows_of_an_odd_length_are_not_read_in_vectors():
    schedule = (Bind("j", "x", 16, 4, 4), Bind("i", "y", 16, 4, 4), Stage("k", 8))
    odd, even = (classes(product, arrays(*((n, n),) * 3)(), schedule, n) for n in (191, 192))
    assert odd[2].requests > 3 * even[2].requests
    assert [c.kind for c in (odd[2], even[2])] == ["strided", "coalesced"]


def total(p, out):
    for i in range(p.shape[0]):
        out[i] = p[i, 0] + p[i, 1] + p[i, 3]


def test_narrow_rows_share_sectors():
    p, out = np.zeros((4096, 4), np.float32), np.zeros(4096, np.float32)
    found = classes(total, (p, out), (Bind("i", "x", 32),), 4096)
    assert sum(c.dram for c in found if c.array == "p") == p.nbytes


# ------------------------------------------------------------------------------------------------ strides


def strided(step, reach=1 << 12):
    """``out[i] = x[step * i]``."""
    build = Builder("strided")
    x, out, count = build.array("x", FLOAT32), build.array("out", FLOAT32), build.param("count", PYINT)
    with build.loop("i", 0, count, mapping="parallel") as loop:
        build.store(out, loop.index, value=build.load(x, build.mul(loop.index, step), bounds="safe"), bounds="safe")
    program = build.program()
    kernel = n.Kernel("strided", tuple(p.var for p in program.params), program.body)
    sizes = {"count": 256, "x.shape[0]": reach, "out.shape[0]": 256, "x.strides[0]": 4, "out.strides[0]": 4}
    return kernel, sizes


@pytest.mark.parametrize("step, sectors", [(0, 1), (1, 4), (2, 8), (4, 16), (8, 32), (16, 32), (1000, 32)])
def test_sectors_of_a_request_by_stride(step, sectors):
    kernel, sizes = strided(step)
    found = next(c for c in access_classes(kernel, (Bind("i", "x", 32),), sizes) if c.array == "x")
    assert found.sectors == sectors
    assert found.stride == 4 * step
    assert found.kind == ("uniform" if step == 0 else "coalesced" if step == 1 else "strided")
    assert found.requested == 256 * 4
    assert found.l1 == 8 * sectors * 32


# ------------------------------------------------------------------------------------------- brute force


class Recorder(Shadow):
    """Writes down every access: the array and line, the loops around with their iterations, the address."""

    def __init__(self, granule):
        super().__init__(granule)
        self.seen = []
        recorders.append(self)

    def _note_access(self, address, size, site):
        self.seen.append((site, tuple((f.label, f.iteration) for f in self._stack), address, size))

    def read(self, address, size, site):
        self._note_access(address, size, site)

    write = read

    def update(self, address, size, operator, site):
        self._note_access(address, size, site)


recorders = []


def enumerate_blocks(program, arguments, ranges, monkeypatch):
    """Sectors and requests by block and array, and distinct sectors likewise, from a run; how many blocks stand for."""
    monkeypatch.setattr(interpreter, "Shadow", Recorder)
    recorders.clear()
    interpreter.trace(program, arguments)
    blocks = {frame for _, frames, _, _ in recorders[0].seen for frame in frames if ".block" in frame[0]}
    counts = {label: max(i for name, i in blocks if name == label) + 1 for label, _ in blocks}
    requests, occurrences, distinct = {}, {}, {}
    for site, frames, address, size in recorders[0].seen:
        array = next((name for name, (low, high) in ranges.items() if low <= address < high), None)
        if array is None:
            continue
        block = tuple(sorted(f for f in frames if ".block" in f[0]))
        threads = [(i, label) for label, i in frames if ".thread" in label]
        others = tuple(f for f in frames if ".thread" not in f[0] and ".block" not in f[0])
        key = (site, block, others, tuple(i for i, _ in threads))
        occurrence = occurrences[key] = occurrences.get(key, -1) + 1
        warp = _linear(threads) // 32
        offset = address - ranges[array][0]
        touched = {(offset + byte) // 32 for byte in range(size)}
        requests.setdefault((block, array), {}).setdefault((site, others, warp, occurrence), set()).update(touched)
        distinct.setdefault((block, array), set()).update(touched)
    worth = {block: prod(stands_for(label, i, counts) for label, i in block) for block, _ in requests}
    return requests, distinct, worth


def stands_for(label, number, counts):
    """For how many blocks along an axis one of them stands: those at its ends for themselves, if there are few."""
    count = counts[label]
    if count > FEW:
        return WORTH[label.partition(".")[0]] if number == count // 2 else 0
    if number in (0, count - 1):
        return 1
    return count - 2 if number == count // 2 else 0


def _linear(threads):
    total = 0
    for number, label in threads:
        total = total * GROUPS[label.partition(".")[0]] + number
    return total


GROUPS, WORTH = {}, {}
"""Threads of a block along the axis of a loop, and how many blocks its iterations are worth."""


def affine(generator):
    """A nest with two loops that reads ``x`` at random linear indices, and how many of these are repeated."""
    build = Builder("affine")
    x, out = build.array("x", FLOAT32), build.array("out", FLOAT32, 2)
    rows, columns = build.param("rows", PYINT), build.param("columns", PYINT)
    terms = [[generator.choice((0, 1, 1, 2, 3, 7, 8, 33)) for _ in range(3)] for _ in range(generator.randint(1, 3))]
    with (
        build.loop("i", 0, rows, mapping="parallel") as outer,
        build.loop("j", 0, columns, mapping="parallel") as inner,
    ):
        total = build.const(0.0, FLOAT32)
        for a, b, c in terms:
            index = build.add(build.add(build.mul(outer.index, a), build.mul(inner.index, b)), c)
            total = build.add(total, build.load(x, index, bounds="safe"))
        build.store(out, outer.index, inner.index, value=total, bounds="safe")
    return build.program(), len(terms) - len(set(map(tuple, terms)))


@pytest.mark.parametrize("seed", range(25))
def test_random_affine_accesses_are_classified_as_an_enumeration_finds_them(seed, monkeypatch):
    generator = random.Random(seed)
    program, repeated = affine(generator)
    shape = generator.randint(1, 20), generator.randint(1, 90)
    x, out = arrays((3000,), shape)()
    binds = [Bind("j", "x", generator.choice((8, 16, 32, 64))), Bind("i", "y", generator.choice((1, 2, 4)))]
    if generator.random() < 0.3:
        binds = [replace(binds[0], loop="i"), replace(binds[1], loop="j")]
    points = generator.choice((1, 1, 2))
    schedule = tuple(replace(bind, points=points) if bind.axis == "y" else bind for bind in binds)
    GROUPS.clear()
    GROUPS.update({bind.loop: bind.group for bind in schedule})
    WORTH.update({bind.loop: {"i": shape[0], "j": shape[1]}[bind.loop] / bind.step for bind in schedule})
    kernel = n.Kernel("affine", tuple(p.var for p in program.params), program.body)
    sizes = {"rows": shape[0], "columns": shape[1], "x.shape[0]": 3000, "x.strides[0]": 4}
    sizes |= {f"out.{what}[{k}]": v[k] for k in (0, 1) for what, v in (("shape", shape), ("strides", out.strides))}
    found = access_classes(kernel, schedule, sizes)
    ranges = {v: (a.ctypes.data, a.ctypes.data + a.nbytes) for v, a in (("x", x), ("out", out))}
    requests, distinct, blocks = enumerate_blocks(scheduled(program, schedule), (x, out, *shape), ranges, monkeypatch)

    def sums(array, figure):
        """A figure of the requests of a block for an array, over all blocks."""
        return sum(figure(made) * blocks[block] for (block, name), made in requests.items() if name == array)

    mine = [c for c in found if c.array == "out"]
    assert sum(c.requests for c in mine) == pytest.approx(sums("out", len))
    assert sum(c.l1 for c in mine) == pytest.approx(32 * sums("out", sectors_of))
    fetched = sum(c.l2 for c in found if c.array == "x")
    of_blocks = 32 * sum(len(sectors) * blocks[block] for (block, name), sectors in distinct.items() if name == "x")
    is_table = fetched <= of_blocks and fetched == pytest.approx(sum(c.dram for c in found if c.array == "x"))
    assert is_table or fetched == pytest.approx(of_blocks)
    if points == 1 and not repeated:  # else the compiler keeps some in registers
        assert sum(c.requests for c in found if c.array == "x") == pytest.approx(sums("x", len))
        assert sum(c.l1 for c in found if c.array == "x") == pytest.approx(32 * sums("x", sectors_of))


def sectors_of(requests):
    """The sectors of some requests."""
    return sum(map(len, requests.values()))
