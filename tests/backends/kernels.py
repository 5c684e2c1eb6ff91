"""Kernels of acceptance programs, as text."""

from __future__ import annotations

import functools

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.plan.place import Placement, place
from weft.transform import pipeline

GOLDEN = (
    "aliasing.three_arguments", "control_flow.three_ways", "crossing_thresholds.reverses_in_place", "diagonals.trace",
    "dimensions.stencil_in_three_dimensions", "domains.lower_triangle", "dtypes.floats", "dtypes.integers_divide",
    "dtypes.complex_products", "exceptions.raises_on_a_value", "expansion.swaps_through_a_scalar",
    "indirect_addressing.sparse_matrix_times_vector", "induction_variables.counts_down", "intrinsics.powers",
    "language_functions.lambdas", "loop_distribution.rows_divided_by_their_sum", "quasi_affine.even_from_odd_neighbour",
    "packing.keeps_positives", "realistic_algorithms.longest_common_subsequence", "realistic_science.jacobi",
    "recurrences.prefix_sum",
    "realistic_science.mandelbrot", "realistic_science.matrix_product", "reductions.sum_of_small_floats",
    "reductions.sums_by_key", "swaps.time_steps", "views.slices_with_steps",
)  # fmt: skip
"""Programs whose kernels are kept as text in ``tests/golden``."""


@functools.cache
def placement_of(name: str, device: str) -> Placement:
    """A program, for its typical arguments, with its loops on a device."""
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    optimised = pipeline.optimise(build(function, types), turns=False, blocks=device == "cuda", rows=True)
    return place(optimised, device)
