"""Spelling never decides speed: every spelling of a program gets the same schedule, on GPUs and on processors."""

import numpy as np
import pytest

from tests.tune.spellings import others, products, stencils
from tests.tune.spellings.program import cpu, gpu
from weft.frontend import build
from weft.ir.reference.interpreter import run
from weft.transform import pipeline

PROGRAMS = (*stencils.PROGRAMS, *products.PROGRAMS, *others.PROGRAMS)

TEMPORARY = "arrays may overlap, so that the expression is an array of its own before it is copied"
ORDER = "loops stand in another order, and are not interchanged before a schedule is chosen"
SEVERAL = "the elements are set in a loop of its own"
ZEROED = "the element is stored before the reduction, too"

STILL_DIFFERENT = {
    "gpu": {
        "five_numpy": TEMPORARY,
        "variable_numpy": TEMPORARY,
        "star_numpy": TEMPORARY,
        "electric_numpy": TEMPORARY,
        "product_numpy": TEMPORARY,
        "first_transposed_numpy": TEMPORARY,
        "second_transposed_numpy": TEMPORARY,
        "both_transposed_numpy": TEMPORARY,
        "product_columns_first": ORDER,
    },
    "cpu": {
        "five_numpy": TEMPORARY,
        "variable_numpy": TEMPORARY,
        "star_numpy": TEMPORARY,
        "electric_numpy": TEMPORARY,
        "product_numpy": TEMPORARY,
        "first_transposed_numpy": TEMPORARY,
        "second_transposed_numpy": TEMPORARY,
        "both_transposed_numpy": TEMPORARY,
        "five_swapped": ORDER,
        "product_columns_first": ORDER,
        "product_rows_inside": SEVERAL,
        "column_sums_rows_outside": SEVERAL,
        "min_plus_in_place": ZEROED,
        "triangular_in_place": ZEROED,
    },
}
"""Spellings that get another schedule than the first spelling of their program, and why: each is to leave."""

CASES = [(program, spelling) for program in PROGRAMS for spelling in program.spellings[1:]]
NAMES = [spelling.__name__ for _, spelling in CASES]


@pytest.mark.parametrize(("program", "spelling"), CASES, ids=NAMES)
@pytest.mark.parametrize("target", ["gpu", "cpu"])
def test_schedule_is_that_of_the_plain_spelling(program, spelling, target):
    schedule = {"gpu": gpu, "cpu": cpu}[target]
    plain, own = schedule(program.spellings[0], program), schedule(spelling, program)
    assert (own != plain) == (spelling.__name__ in STILL_DIFFERENT[target])


def test_table_names_spellings():
    assert len(PROGRAMS) >= 20
    assert all(len(program.spellings) >= 3 for program in PROGRAMS)
    assert {name for target in STILL_DIFFERENT.values() for name in target} <= set(NAMES)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_spellings_give_the_same(program):
    results = []
    for spelling in program.spellings:
        generator = np.random.default_rng(3)
        given = [generator.random(a.shape) if isinstance(a, np.ndarray) else a for a in program.arguments]
        run(pipeline.optimise(build(spelling, program.types())), given)
        results.append(given)
    for other in results[1:]:
        for first, second in zip(results[0], other, strict=True):
            np.testing.assert_allclose(first, second, rtol=1e-12)
