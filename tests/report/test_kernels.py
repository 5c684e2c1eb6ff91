"""What is said of kernels can be said of every program."""

import numpy as np
import pytest

from tests.acceptance import oracle
from tests.acceptance import programs as programs  # registers them
from tests.acceptance.registry import PROGRAMS
from weft.frontend import build
from weft.frontend.signature import describe, flatten
from weft.passes import pipeline
from weft.plan.place import place
from weft.report.sizes import Sizes, of_call
from weft.schedule.advice import advise
from weft.schedule.banks import shared_accesses
from weft.schedule.classes import access_classes

EVERY = 6
"""Of the programs, every so manieth is looked at."""


@pytest.mark.parametrize("name", list(PROGRAMS)[::EVERY])
def test_accesses_of_every_kernel_are_classified(name):
    function, arguments = PROGRAMS[name].bind(oracle.cases(name)[0])
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    placement = place(pipeline.optimise(build(function, types)), "cuda")
    program = placement.program
    nests = [nest for nest in placement.nests if nest.offloaded is not None]
    leaves = [leaf for pair in zip(arguments, types, strict=True) for leaf in flatten(*pair)]
    if not nests or len(leaves) != len(program.params):
        pytest.skip("no loop is a kernel, or it captures variables")
    sizes = Sizes(program, of_call(program, leaves))
    for nest in nests:
        kernel = nest.offloaded.kernel
        known, _ = sizes.of_kernel(kernel, nest.offloaded.operands)
        found = access_classes(kernel, nest.schedule, known)
        for access in found:
            assert access.sectors >= access.best * 0.99 or access.kind == "uniform"
            assert 0 <= access.dram <= access.l2 * 1.001 + 32 or access.mode != "load"
            assert access.l2 <= access.l1 * 1.001 + 32
            assert access.reuse >= 1
        assert list(advise(kernel, nest.schedule, found, known)) is not None
        assert shared_accesses(kernel, nest.schedule, known).conflicts >= 0


def emptied_and_summed(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def test_what_the_host_works_out_for_a_kernel_is_known():
    arguments = [np.zeros((512, 512), np.float32) for _ in range(3)]
    types = tuple(describe(value, f"argument {k}") for k, value in enumerate(arguments))
    placement = place(pipeline.optimise(build(emptied_and_summed, types)), "cuda")
    (nest,) = [nest for nest in placement.nests if nest.offloaded is not None]
    known, _ = Sizes(placement.program, of_call(placement.program, arguments)).of_kernel(
        nest.offloaded.kernel, nest.offloaded.operands
    )
    stores = [c for c in access_classes(nest.offloaded.kernel, nest.schedule, known) if c.mode == "store"]
    assert [c.line for c in stores] == [emptied_and_summed.__code__.co_firstlineno + 4]  # after the sum
    assert stores[0].requested == arguments[2].nbytes
