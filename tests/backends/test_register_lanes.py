"""Code for lanes: registers of eight numbers, and of four where a vector takes several of them, give the same."""

from __future__ import annotations

import copy
import re
from itertools import product

import numpy as np
import pytest

from weft.backends.c.program import dialect
from weft.backends.text.vector_helpers import OPERATORS
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform import pipeline

from .harness import Compiled


def ways(x, k, doubles, singles, whole, out, small, flags):
    """Lanes that leave a loop early, read and gather under masks, and store under them."""
    for i in range(out.shape[0]):
        v = x[i]
        steps = 0
        while v > 1.0:
            v = v * 0.5
            steps += 1
        j = k[i] & 7
        if flags[i]:
            out[i] = doubles[j] + singles[j] * v
            small[i] = whole[j] + small[i]
            x[i] = min(v, 0.75)
        else:
            out[i] -= abs(whole[j])
            small[i] = -small[i]


def running(x, sums):
    """Each lane added to those before it."""
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        sums[i] = total


def quotients(k, halves):
    """Quotients of integers are floats."""
    for i in range(k.shape[0]):
        v, steps = (i + 1) / (2 * i + 1), 0
        while v < 9.0 and steps < k[i]:
            steps += 1
            v += i / steps
        halves[i] = v


def columns(table, small, near, out):
    """Lanes read elements at equal distances, of several sizes; the last tile is not full."""
    total, count = 0.0, 0
    for i in range(table.shape[0]):
        if table[i, 1] < near:
            x = table[i, 0] - table[i, 2]
            total += x * x / (x + small[i, 1])
            count += small[i, 0]
    out[0], out[1] = total, count


def arguments(size: int) -> list[np.ndarray]:
    rng = np.random.default_rng(size)
    tables = [rng.integers(-9, 9, 8).astype(dtype) for dtype in ("float64", "float32", "int32")]
    return [
        rng.integers(-8, 90, size) / 8, rng.integers(0, 99, size), *tables, np.zeros(size),
        rng.integers(-9, 9, size).astype("int32"), rng.random(size) < 0.4,
    ]  # fmt: skip


CASES = [
    (ways, [arguments(size) for size in (0, 1, 7, 8, 45)], ("gather_masked_float32x{}(", "store_masked_int32x{}(")),
    (
        columns,
        [
            [
                np.arange(3 * size).reshape(size, 3) % 7 / 4,
                np.arange(2 * size).reshape(size, 2).astype(d),
                0.8,
                np.zeros(2),
            ]
            for size, d in ((0, "int32"), (3, "int32"), (8, "int32"), (45, "int32"))
        ],
        ("strided_masked_float64x8(", "strided_masked_int32x8("),
    ),
    (running, [[np.arange(size) / 4, np.zeros(size)] for size in (0, 3, 8, 61)], ("running_add_float64x8(",)),
    (quotients, [[np.arange(size) % 7, np.zeros(size)] for size in (0, 3, 8, 61)], ("truediv_int64x{}(",)),
]
OPERATIONS = (
    *OPERATORS,
    "floordiv",
    "mod",
    "python_floordiv",
    "python_mod",
    "shl",
    "shr",
    "pow",
    "fabs",
    "neg",
    "select",
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("register_lanes", [4, 8])
def test_vectors_of_one_register_and_of_several_give_the_same(register_lanes):
    for function, inputs, used in CASES:
        types = tuple(describe(value, f"argument {k}") for k, value in enumerate(inputs[0]))
        program = pipeline.for_cpu(pipeline.optimise(build(function, types)))
        compiled = Compiled(program, register_lanes=register_lanes)
        assert all(name.format(register_lanes) in compiled.artifact.source for name in used)
        for values in inputs:
            expected, found = copy.deepcopy(values), copy.deepcopy(values)
            function(*expected)
            compiled(*found)
            for one, other in zip(expected, found, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-14)


def test_operations_on_several_registers_have_the_types_of_those_on_one():
    for type, operation in product(dialect().type_names, OPERATIONS):
        name = f"{operation}_{type}x8"
        heads = {
            match[1]
            for lanes in (2, 4, 8)
            for piece in dialect(lanes).helpers.needed(name)
            if (match := re.search(rf"(\w+) {name}\(", piece))
        }
        assert len(heads) <= 1, (name, heads)
