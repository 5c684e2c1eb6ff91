"""Acceptance programs whose loops run in tiles give the answer of CPython, with tiles of three iterations.

Tiles are usually so long that no acceptance program has several of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import weft
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.runtime import _stub
from weft.transform.scan import tiles

from . import oracle
from . import programs as programs  # registers them
from .copying import snapshot
from .registry import PROGRAMS, Program
from .test_programs import ALWAYS, USUALLY, check_arrays, check_exception, check_result

FAMILIES = (
    "search", "packing", "recurrences", "reductions", "linear_dependence", "loop_distribution", "expansion",
    "exceptions", "wrap_around", "aliasing", "diagonals", "control_flow", "language_loops", "indirect_addressing",
)  # fmt: skip
SHORT = {"TILE_WORK": 0, "TURN_WORK": 0, "LEAST_ITERATIONS": 3, "LEAST_TILES": 2, "FIRST_ROUND": 2, "ROUND": 5}


@pytest.fixture
def short_tiles(monkeypatch: pytest.MonkeyPatch, own_store: object) -> Iterator[None]:
    """Tiles of three iterations, and threads for loops of any size."""
    for name, value in SHORT.items():
        monkeypatch.setattr(tiles, name, value)
    _stub.set_threads(3)
    _stub.set_grain(ALWAYS)
    yield
    _stub.set_grain(USUALLY)
    _stub.set_threads(0)


def has_tiles(function: Any, arguments: Any) -> bool:
    """Whether some loop of a function runs in tiles."""
    compiled = weft.jit(function)
    program = compiled.specialise(*arguments).program()
    return any(isinstance(s, (n.For, n.While)) and s.label.endswith((".rounds", ".turns")) for s in walk(program.body))


def is_tiled(program: Program) -> bool:
    """Whether some loop of a program runs in tiles, for its typical case."""
    return has_tiles(*program.bind(snapshot(oracle.cases(program.name)[0]).arguments))


@pytest.mark.usefixtures("short_tiles")
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.partition(".")[0] in FAMILIES])
def test_answer_is_that_of_cpython(name: str) -> None:
    program = PROGRAMS[name]
    if not is_tiled(program):
        pytest.skip("no loop of it runs in tiles")
    functions: dict[Any, Any] = {}
    for index, case in enumerate(oracle.cases(name)):
        expected = oracle.expected(name, index)
        got = oracle.run(program, case, lambda f: functions.setdefault(f, weft.jit(f)))
        check_exception(program, expected, got)
        assert not got.after.wrote_outside()
        if expected.error is None:
            check_result(program, index, expected, got)
        if expected.error is None or program.exact_state:
            check_arrays(program, index, expected, got)


MUST_BE_TILED = (
    "aliasing.views_of_one_array_flow", "expansion.carries_the_last_positive",
    "exceptions.raises_on_what_it_has_summed", "linear_dependence.previous_element_is_read",
    "loop_distribution.two_independent_recurrences",
    "packing.keeps_positives", "packing.parts_into_two", "packing.keeps_chosen_rows",
    "packing.triplets_of_a_sparse_matrix", "recurrences.prefix_sum", "recurrences.prefix_sum_in_place",
    "recurrences.prefix_product", "recurrences.running_maximum", "recurrences.linear_recurrence",
    "recurrences.linear_congruence", "recurrences.sum_that_starts_anew", "reductions.place_of_the_first_smallest",
    "reductions.place_of_the_last_largest", "reductions.place_in_a_matrix", "search.first_place_of",
    "search.returns_from_the_loop", "search.else_of_the_loop", "search.writes_until_found", "search.first_difference",
)  # fmt: skip


@pytest.mark.parametrize("name", MUST_BE_TILED)
def test_scans_searches_and_packing_run_in_tiles(name: str) -> None:
    assert is_tiled(PROGRAMS[name])
