"""All versions of a benchmark program compute the same, so that comparing their times means something."""

from __future__ import annotations

import time

import pytest

from benchmarks import ablation, native, tables
from benchmarks.__main__ import PARTS, SIZES
from benchmarks.implementations import Weft
from benchmarks.program import Program, assert_same
from benchmarks.programs import PROGRAMS
from benchmarks.steady import Figure
from weft.transform import pipeline

SIZE = 256


def every_program(function):
    return pytest.mark.parametrize("program", PROGRAMS.values(), ids=str(list(PROGRAMS)).strip("[]").split(", "))(
        function
    )


def test_the_programs_and_sizes_that_were_promised() -> None:
    promised = {
        "empty", "vector_add", "saxpy", "black_scholes", "matmul", "nbody", "mandelbrot", "emboss", "stencil",
        "raytracer", "fft", "odd_even_sort", "row_sums", "column_sums", "prefix_sum", "histogram", "sparse_product",
        "triangular",
    }  # fmt: skip
    assert promised <= PROGRAMS.keys()
    assert (min(SIZES), max(SIZES)) == (1 << 8, 1 << 24)
    assert set(PARTS) >= {"steady", "startup", "latency", "ablation"}


def test_every_pass_has_a_column_of_its_own_in_the_ablation() -> None:
    assert set(ablation.optimisations()) == set(pipeline.NAMES)


@every_program
def test_numpy_computes_what_the_loops_compute(program: Program) -> None:
    if program.numpy is None:
        pytest.skip("NumPy has no such program")
    assert_same(program, program.answer(program.numpy, SIZE), program.answer(program.loops, SIZE), "numpy")


@every_program
def test_the_loops_for_numba_compute_the_same(program: Program) -> None:
    assert_same(program, program.answer(program.numba, SIZE), program.answer(program.loops, SIZE), "numba")


@pytest.mark.sample(1)
@pytest.mark.parametrize("compiler", native.available())
@every_program
def test_hand_written_c_computes_the_same(program: Program, compiler: str) -> None:
    expected = program.answer(program.loops, SIZE)
    for symbol in (program.name, program.tuned):
        if symbol:
            arguments = program.inputs(SIZE)
            native.bind(program, compiler, arguments, symbol)()
            assert_same(program, [arguments[position] for position in program.results], expected, symbol)


@pytest.mark.parametrize("compiler", native.available())
@pytest.mark.parametrize("name", ["prefix_sum", "histogram", "matmul", "nbody", "column_sums", "emboss"])
def test_threads_of_c_share_the_work_rightly(name: str, compiler: str) -> None:
    program, size = PROGRAMS[name], 300_001
    assert program.numpy is not None
    arguments = program.inputs(size)
    native.bind(program, compiler, arguments)()
    answer = [arguments[position] for position in program.results]
    assert_same(program, answer, program.answer(program.numpy, size), compiler)


def test_a_different_answer_is_found() -> None:
    program = PROGRAMS["vector_add"]
    wrong = program.answer(program.loops, SIZE)
    wrong[0][17] += 1.0
    with pytest.raises(AssertionError, match="vector_add: somebody"):
        assert_same(program, wrong, program.answer(program.loops, SIZE), "somebody")


def figure(implementation: str, seconds: float, program: str = "saxpy") -> dict:
    times = tuple(seconds * (1.0 + 0.001 * (k % 2)) for k in range(20))
    return Figure(program, 1 << 20, implementation, "measured", times=times, steady=True).to_json()


def test_of_two_c_compilers_the_faster_counts() -> None:
    figures = [figure("c-gcc", 2e-3), figure("c-clang", 1e-3), figure("weft", 1.25e-3)]
    chosen = tables.by_implementation(figures, 1 << 20)
    assert chosen["c"]["implementation"] == "c-clang"
    assert tables.ratio_cell(chosen, "c") == "0.80"


def test_alternatives_that_do_not_differ_stand_in_brackets() -> None:
    chosen = tables.by_implementation([figure("numba", 1e-3), figure("weft", 1e-3)], 1 << 20)
    assert tables.ratio_cell(chosen, "numba") == "(1.00)"


def test_goals_count_only_long_calls() -> None:
    short = [figure("c-gcc", 1e-5), figure("weft", 1e-4)]
    assert tables.goal_ratios(short)["C"] == []
    long = [figure("c-gcc", 1e-2), figure("numba", 2e-2), figure("weft", 2e-2)]
    assert tables.goal_ratios(long)["C"] == [(pytest.approx(0.5, abs=1e-3), "saxpy 2^20")]
    assert tables.goals_rows(long)[0][1:3] == ["0", "1"]


def test_the_kernel_time_is_a_part_of_the_call() -> None:
    program = PROGRAMS["nbody"]
    implementation = Weft()
    call = implementation.prepare(program, program.inputs(1 << 14))
    assert call is not None
    call()
    started = time.perf_counter()
    call()
    assert 0.0 < implementation.kernel_seconds() < time.perf_counter() - started
