"""What would make an access cheaper is proposed where a legal schedule does; where none does, that is said."""

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, kernel_of, program_of
from tests.schedule.test_access_classes import sizes_of
from weft.cost.memory.classes import access_classes
from weft.ir.types import View
from weft.report.advice import advise
from weft.schedule.directives import Bind
from weft.schedule.legality import check_schedule
from weft.tune.default import default_schedule


def turned(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[j, i]


def doubled(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = 2 * a[i, j]


def added_in_one_line(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1] - 1):
            b[i, j] = a[i, j] + a[i, j + 1]


def every_other(a, b):
    for i in range(b.shape[0]):
        b[i] = a[16 * i]


def advice_on(function, arguments, schedule, extent):
    program = program_of(function, arguments)
    kernel, operands, _, _ = kernel_of(program)
    named = dict(zip((p.var.name for p in program.params), arguments, strict=True))
    sizes = sizes_of(kernel, operands, {k: v for k, v in named.items() if any(o.name == k for o in operands)})
    sizes |= {p.name: extent for p in kernel.params if not isinstance(p.type, View)}
    chosen = schedule or default_schedule(kernel)
    found = list(advise(kernel, chosen, access_classes(kernel, chosen, sizes), sizes))
    assert not [a for a in found if a.schedule and check_schedule(kernel, a.schedule)]
    return found


def test_threads_along_the_wrong_loop_are_told_of_the_other():
    make = arrays((256, 256), (256, 256))
    load, store = advice_on(doubled, make(), (Bind("i", "x", 32), Bind("j", "y", 8)), 256)
    line = doubled.__code__.co_firstlineno + 3
    assert (load.access.array, store.access.array) == ("a", "b")
    assert str(load).startswith(
        f"`a` in line {line} is read with stride 1024 bytes: 32 sectors a request where 4 would do;"
    )
    assert load.after.sectors == load.after.best
    assert store.after.sectors == store.after.best


def test_two_accesses_of_a_line_that_cost_the_same_are_told_each():
    found = advice_on(added_in_one_line, arrays((256, 256), (256, 256))(), (Bind("i", "x", 32), Bind("j", "y", 8)), 256)
    assert [advice.access.array for advice in found] == ["a", "a", "b"]


def test_a_transposition_is_told_of_shared_memory():
    (found,) = advice_on(turned, arrays((256, 256), (256, 256))(), (Bind("j", "x", 32), Bind("i", "y", 8)), 256)
    assert found.access.array == "a" and found.access.sectors == 32
    assert "shared memory" in found.change
    assert found.after.kind == "staged" and found.after.sectors == found.after.best


def test_what_no_schedule_helps_is_said():
    (found,) = advice_on(every_other, (np.zeros(4096, np.float32), np.zeros(256, np.float32)), None, 256)
    assert found.after is None
    assert "stored along the other axis" in str(found)


@pytest.mark.parametrize("schedule", [None, (Bind("j", "x", 32), Bind("i", "y", 8))])
def test_what_is_well_needs_no_advice(schedule):
    assert not advice_on(doubled, arrays((256, 256), (256, 256))(), schedule, 256)
