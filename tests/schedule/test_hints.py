"""The order of blocks, and hints to the caches: written by hand, printed, refused by name; results stay the same."""

import numpy as np
import pytest

import weft
from tests.schedule.scheduled import check_same, kernel_of, program_of, scheduled
from tests.schedule.test_stages import arrays, product
from weft.backends.cuda.dialect import generate_kernels
from weft.errors import ArgumentError
from weft.ir.forms.json_form import from_json, to_json
from weft.ir.forms.parser import parse
from weft.ir.forms.text import to_text
from weft.plan.place import place
from weft.schedule import Bind, Cache, Carve, Order, Stage, describe
from weft.schedule.legality import check_schedule

TILES = (Bind("j", "x", 2, 4, 4), Bind("i", "y", 2, 2), Stage("k", 4))
PLAIN = (Bind("j", "x", 4), Bind("i", "y", 2))


def smoothed(u, w, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = w[0] * (u[i - 1, j] + u[i + 1, j]) + w[1] * u[i, j]


def square(shape=(8, 8)):
    return arrays(shape, shape, shape, dtype=np.float32)


@pytest.mark.parametrize("blocks", [2, 3, 8])
@pytest.mark.parametrize("shape", [(8, 9, 8), (23, 5, 41), (1, 3, 60), (40, 3, 1)])
@pytest.mark.parametrize("schedule", [TILES, PLAIN])
def test_groups_of_blocks_do_the_same(schedule, shape, blocks):
    rows, inner, columns = shape
    make = arrays((rows, inner), (inner, columns), (rows, columns))
    check_same(product, make, (*schedule, Order("i", blocks)))


def test_blocks_go_down_a_group_before_they_go_on():
    text = generate_kernels(place(program_of(product, square()()), "cuda", schedule=(*PLAIN, Order("i", 8))).program)
    assert "i_blocks" in text and "blockIdx.y" in text


def test_hints_come_back_from_text_and_json():
    schedule = (*PLAIN, Order("i", 4), Cache("a", "read-only"), Cache("b", "L2"), Carve(25))
    made = scheduled(program_of(product, square()()), schedule)
    assert parse(to_text(made, locations=True)) == from_json(to_json(made)) == made


def test_the_report_has_a_line_for_each():
    assert describe((Order("i", 8), Cache("w", "read-only"), Cache("u", "L2"), Cache("v", "once"), Carve(50))).split(
        "\n"
    ) == [
        "run blocks in groups of 8 along i",
        "load w through the read-only cache",
        "keep u in the second-level cache",
        "load each element of v once, for caches to give up first",
        "keep 50 % of a multiprocessor's fast memory for shared arrays",
    ]


def test_hints_are_added_to_the_default_schedule():
    program = program_of(smoothed, [np.zeros((8, 8)), np.zeros(2), np.zeros((8, 8))])
    (usual,) = place(program, "cuda").nests
    (nest,) = place(program, "cuda", schedule=(Cache("w", "read-only"), Carve(25))).nests
    assert nest.schedule == (*usual.schedule, Cache("w", "read-only"), Carve(25))


def test_read_only_arrays_are_loaded_past_the_coherent_cache():
    program = program_of(smoothed, [np.zeros((8, 8)), np.zeros(2), np.zeros((8, 8))])
    plain = generate_kernels(place(program, "cuda").program)
    text = generate_kernels(place(program, "cuda", schedule=(Cache("w", "read-only"),)).program)
    assert "__ldg(&w_1[0])" in text and "__ldg" not in plain


def test_arrays_that_are_read_once_are_given_up_first():
    program = program_of(smoothed, [np.zeros((8, 8)), np.zeros(2), np.zeros((8, 8))])
    text = generate_kernels(place(program, "cuda", schedule=(Cache("w", "once"),)).program)
    assert "__ldcs(&w_1[0])" in text and "__ldcs" not in generate_kernels(place(program, "cuda").program)


@pytest.mark.parametrize(
    "constraint, added",
    [
        ("block-order", (Order("j", 8),)),
        ("block-order", (Order("i", 1),)),
        ("block-order", (Order("i", 2), Order("i", 4))),
        ("only-read", (Cache("c", "read-only"),)),
        ("only-read", (Cache("c", "once"),)),
        ("one-window", (Cache("a", "L2"), Cache("b", "L2"))),
        ("percent", (Carve(101),)),
    ],
)
def test_what_is_not_legal_is_refused_by_name(constraint, added):
    kernel = kernel_of(program_of(product, square()()))[0]
    assert [v.constraint for v in check_schedule(kernel, (*PLAIN, *added))] == [constraint]


def test_an_array_that_overlaps_is_not_read_only():
    kernel = kernel_of(program_of(product, square()()), overlaps=("a", "c"))[0]
    assert [v.constraint for v in check_schedule(kernel, (*PLAIN, Cache("a", "read-only")))] == ["only-read"]


@pytest.mark.opencl
def test_an_array_that_is_not_there_is_refused():
    with pytest.raises(ArgumentError, match="no kernel has what the directive"):
        weft.jit(product, device="opencl", schedule=(Cache("x", "L2"),))(*square()())


@pytest.mark.opencl
def test_devices_without_such_caches_do_nothing():
    a, b, c = arrays((33, 21), (21, 40), (33, 40))()
    schedule = (*TILES, Order("i", 4), Cache("a", "read-only"), Cache("b", "L2"), Carve(50))
    weft.jit(product, device="opencl", schedule=schedule)(a, b, c)
    np.testing.assert_array_equal(c, a @ b)


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [(300, 70, 500), (70000, 3, 33)])
def test_a_gpu_runs_ordered_blocks_and_hints(shape):
    rows, inner, columns = shape
    a, b, c = arrays((rows, inner), (inner, columns), (rows, columns), dtype=np.float32)()
    schedule = (Bind("j", "x", 32), Bind("i", "y", 1), Order("i", 5), Cache("a", "read-only"), Cache("b", "L2"))
    weft.jit(product, device="cuda", schedule=(*schedule, Carve(25)))(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
