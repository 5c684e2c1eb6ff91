"""Plans of all acceptance programs are programs of the IR, wherever their arrays are at home."""

from dataclasses import replace

import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from weft.frontend import build
from weft.frontend.source.signature import describe
from weft.ir.check.verifier import verify
from weft.ir.types import View
from weft.plan.place import place
from weft.plan.transfers.check import check_plan
from weft.transform.pipeline import optimise


@pytest.mark.parametrize("device", ["cuda", "opencl"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_plans_of_programs_whose_arrays_are_at_home_there_are_well_formed(name, device):
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[-1])
    program = build(function, tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments)))
    params = (replace(p, home=device) if isinstance(p.var.type, View) else p for p in program.params)
    program = optimise(
        replace(program, params=tuple(params)), frozenset({"split_by_sign"}), turns=False, blocks=True, rows=True
    )
    placed = place(program, device).program
    verify(placed)
    check_plan(placed)
