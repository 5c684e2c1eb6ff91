"""A placed program does what it did before, in memories that are kept apart."""

from dataclasses import replace

import numpy as np
import pytest

from tests.plan import programs
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify
from weft.ir.forms.builder import Builder
from weft.ir.reference.interpreter import run, trace
from weft.ir.types import FLOAT64
from weft.ir.visit import rewrite, walk
from weft.plan.place import kernels_of, place

DEVICE = "cuda"


@pytest.mark.parametrize("name", programs.PLACED)
def test_a_placed_program_gives_the_same_answer(name):
    make, arguments = programs.PLACED[name]
    program = make()
    placed = place(program, DEVICE).program
    verify(placed)
    expected, got = arguments(), arguments()
    results = run(program, expected), run(placed, got)
    for left, right in zip((*expected, *results[0]), (*got, *results[1])):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("name", programs.PLACED)
def test_every_parallel_loop_becomes_a_launch(name):
    placement = place(programs.PLACED[name][0](), DEVICE)
    assert kernels_of(placement.program)
    assert {p.device for p in placement.nests if p.kernel} == {DEVICE}
    assert not any(isinstance(s, n.For) and s.mapping == "parallel" for s in walk(placement.program.body))


@pytest.mark.parametrize("name", ["scale", "outer", "total", "steps", "histogram"])
def test_a_missing_copy_is_found(name):
    make, arguments = programs.PLACED[name]
    placed = place(make(), DEVICE).program
    copies = [s for s in _without_faults(placed.body) if isinstance(s, n.Copy)]
    for missing in copies:
        body = rewrite(placed.body, lambda s, missing=missing: () if s is missing else s)
        without = replace(placed, body=n.Block((*body.statements, *_reads(placed)), body.yields))
        if not _is_only_written(placed, missing):
            with pytest.raises(InternalError, match="copy is missing|not current"):
                run(without, arguments())


def _without_faults(block):
    """The statements of a block and inside of it, less what runs after a fault only."""
    for statement in block.statements:
        yield statement
        if (
            isinstance(statement, n.If)
            and isinstance(statement.condition, n.Var)
            and statement.condition.stem == "fault"
        ):
            yield from _without_faults(statement.orelse)
        elif isinstance(statement, (n.For, n.While)):
            yield from _without_faults(statement.body)


def _reads(program):
    """Reads of the first elements of all parameters, so that a missing copy back is seen."""
    build = Builder("reads")
    for param in program.params:
        if hasattr(param.var.type, "ndim"):
            dimensions = param.var.type.ndim
            t = n.Var(f"read.{param.var.name}", param.var.type.element)
            index = (n.Const(0),) * dimensions
            build.add_statement(n.Let(t, n.Load(param.var, index, "python")))
    return build.program().body.statements


def _is_only_written(program, copy):
    """A copy to the device of an array that is written whole is superfluous, not missing."""
    loads = {s.value.view.stem for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load)}
    updates = {s.view.stem for s in walk(program.body) if isinstance(s, n.Update)}
    return copy.target == DEVICE and copy.view.stem not in loads | updates


def test_a_fault_leaves_the_state_of_the_source_order():
    program = programs.scale()
    placed = place(program, DEVICE).program
    x, expected, got = np.arange(9.0), np.zeros(5), np.zeros(5)
    with pytest.raises(IndexError, match="index 5"):
        run(program, (x, expected))
    with pytest.raises(IndexError, match="index 5"):
        run(placed, (x, got))
    np.testing.assert_array_equal(got, expected)


def test_copies_move_each_array_once_each_way():
    x, y = np.arange(8.0), np.zeros(8)
    moved = trace(place(programs.scale_safe(), DEVICE).program, (x, y)).copied_bytes
    assert moved == {("host", DEVICE): 64, (DEVICE, "host"): 64}  # y is written whole: nothing of it goes in
    naive = trace(place(programs.scale_safe(), DEVICE, frozenset({"placement"})).program, (x, y)).copied_bytes
    assert naive == moved


def test_a_load_that_reads_what_the_inner_loop_writes_stays_outside_it():
    first, second = place(programs.outer(), DEVICE), place(programs.first_column(), DEVICE)
    assert len(first.nests[0].schedule) == 2
    assert len(second.nests[0].schedule) == 1


def test_the_loop_with_unit_stride_runs_along_x():
    placement = place(programs.outer(), DEVICE)
    directives = [str(d) for d in placement.nests[0].schedule]
    assert directives == ["bind j to x, 64 threads a block", "bind i to y, 4 threads a block"]


def refused(change):
    build = Builder("refused")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        change(build, x, loop)
    (nest, *_) = place(build.program(), DEVICE).nests
    return nest.reason


def test_nests_that_stay_on_the_host_say_why():
    assert "order that would change" in refused(lambda b, x, i: b.update("mul", x, 0, value=1.0))
    assert "size is not a small constant" in refused(lambda b, x, i: b.alloc((i.index,), FLOAT64))

    def calls(build, x, loop):
        build.externals["f"] = print
        build.add_statement(n.External((), "f", ()))

    assert "which is Python" in refused(calls)

    def many(build, x, loop):
        for k in range(90):
            y = build.array(f"y{k}", FLOAT64, 2)
            build.store(y, 0, loop.index, value=1.0)

    assert "more arrays" in refused(many)


def test_sequential_loops_are_listed_with_their_reason():
    nests = place(programs.steps(), DEVICE).nests
    assert [(p.label, p.device) for p in nests] == [("t", "host"), ("i", DEVICE)]
    assert "depend" in nests[0].reason
