"""The generated C of small programs, kept as text so that changes are seen in review."""

from pathlib import Path

import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from weft.backends.c import generate
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.transform import pipeline

FOLDER = Path(__file__).parents[1] / "golden" / "c"

GOLDEN = (
    "aliasing.three_arguments", "claims.claim_on_the_users_word", "control_flow.short_circuit_logic",
    "control_flow.three_ways", "crossing_thresholds.reverses_in_place", "diagonals.trace",
    "dimensions.stencil_in_three_dimensions", "domains.lower_triangle", "dtypes.complex_products",
    "dtypes.floats", "dtypes.special_floats", "dtypes.integers_divide", "exceptions.raises_on_a_value",
    "expansion.swaps_through_a_scalar", "indirect_addressing.sparse_matrix_times_vector",
    "induction_variables.counts_down", "interchange.columns_outermost", "intrinsics.powers",
    "language_classes.operators_of_a_data_class", "language_functions.lambdas", "language_loops.leaves_two_loops",
    "local_arrays.two_buffers", "packing.keeps_positives", "quasi_affine.even_from_odd_neighbour",
    "realistic_algorithms.fourier_transform", "realistic_science.jacobi", "realistic_science.mandelbrot",
    "realistic_science.matrix_product", "recurrences.prefix_sum", "reductions.all_hold", "reductions.sums_by_key",
    "reductions.fold_by_a_helper", "reductions.sum_of_small_floats", "search.first_place_in_every_row",
    "search.membership", "swaps.time_steps", "views.slices_with_steps", "wrap_around.neighbours_on_a_ring",
)  # fmt: skip


def source_of(name: str) -> str:
    """The C of a program for its typical arguments, from its first own function on."""
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    source = generate(pipeline.for_cpu(pipeline.optimise(build(function, types)))).source
    return without_helpers(source)


def without_helpers(source: str) -> str:
    """The text without the runtime's types and helper functions, which other tests look at."""
    pieces = source.split("\n\n")
    own = next(k for k, piece in enumerate(pieces) if "const weft_runtime *runtime" in piece.partition("{")[0]
               and piece.startswith("static int32_t"))  # fmt: skip
    return "\n\n".join([pieces[0], *pieces[own:]])


@pytest.mark.parametrize("name", GOLDEN)
def test_generated_c_is_as_expected(name, golden):
    golden(FOLDER / f"{name}.c", source_of(name))
