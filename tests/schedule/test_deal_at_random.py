"""Random bodies of loops and arrays, dealt out to random numbers of threads, do what they did and have no races."""

import importlib.util
from random import Random

import numpy as np
import pytest

from tests.schedule.scheduled import arrays, check_same, kernel_of, program_of
from weft.ir import nodes as n
from weft.schedule.directives import Bind, Deal
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.cooperate import dealt_loops
from weft.schedule.nests import flattened, grid_chain

COLUMNS = 40


def body(generator):
    """The lines of an iteration: what it knows so far are arrays `t0, t1, ...` and numbers `s0, s1, ...`."""
    lines = ["t0 = np.zeros(40, np.int64)", "for j in range(40):", "    t0[j] = a[i, j]"]
    tables, numbers = ["t0"], ["i"]
    for number in range(1, generator.randint(2, 6)):
        table, value = generator.choice(tables), generator.choice(numbers)
        shift, low = generator.randint(-2, 2), 2
        kind = generator.choice(
            ("map", "map", "sum", "largest", "place", "running", "read", "steps", "store", "branch", "until", "halves")
        )
        if kind == "map":
            lines += [f"t{number} = np.zeros(40, np.int64)", f"for j in range({low}, 38):"]
            lines += [f"    t{number}[j] = {table}[j + {shift}] * 3 + {value}"]
            tables.append(f"t{number}")
        elif kind == "sum":
            lines += [f"s{number} = np.int64(0)", f"for j in range({generator.randint(0, 3)}, 40):"]
            lines += [f"    s{number} += {table}[j] * a[i, j]"]
            numbers.append(f"s{number}")
        elif kind == "largest":
            lines += [f"s{number} = {table}[0]", "for j in range(40):", f"    s{number} = max(s{number}, {table}[j])"]
            numbers.append(f"s{number}")
        elif kind == "place":
            sign, low = generator.choice(("<", "<=", ">", ">=")), generator.randint(0, 3)
            lines += [f"b{number} = {table}[{low}]", f"s{number} = -1", f"for j in range({low}, 40):"]
            lines += [f"    if {table}[j] {sign} b{number}:", f"        b{number} = {table}[j]"]
            lines += [f"        s{number} = j + {number}"]
            numbers += [f"s{number}", f"b{number}"]
        elif kind == "running":
            lines += ["for j in range(1, 40):", f"    {table}[j] = {table}[j] + ({table}[j - 1] & 7)"]
        elif kind == "read":
            lines += [f"s{number} = {table}[{generator.randint(0, 39)}] + {value}"]
            numbers.append(f"s{number}")
        elif kind == "steps":
            lines += [f"t{number} = np.zeros(40, np.int64)", f"for k in range({generator.randint(0, 3)}):"]
            lines += ["    for j in range(1, 39):", f"        t{number}[j] = {table}[j - 1] + {table}[j + 1] + k"]
            lines += ["    for j in range(1, 39):", f"        {table}[j] = t{number}[j] & 255"]
            tables.append(f"t{number}")
        elif kind == "branch":
            lines += [f"s{number} = 1", f"if {table}[{generator.randint(0, 39)}] > {value}:"]
            lines += [
                "    for j in range(1, 40):",
                f"        {table}[j] = out[i, j] + {value}",
                f"    s{number} = {value}",
            ]
            lines += ["else:", "    for j in range(40):", f"        s{number} += {table}[j]"]
            numbers.append(f"s{number}")
        elif kind == "until":
            lines += [f"s{number} = {table}[{generator.randint(0, 39)}] & 7", f"while s{number} < 20:"]
            lines += ["    for j in range(40):", f"        {table}[j] = ({table}[j] + s{number}) & 63"]
            lines += [f"    s{number} += 1 + ({table}[{generator.randint(0, 39)}] & 3)"]
            numbers.append(f"s{number}")
        elif kind == "halves":
            lines += [
                f"s{number} = 16",
                "for k in range(4):",
                f"    for p in range(s{number}):",
                "        for q in range(2):",
            ]
            lines += [f"            out[i, 2 * p + q] = {table}[p] + {value} + q", f"    s{number} = s{number} // 2"]
            lines += [f"    if {table}[s{number}] > 3:", "        break"]
            numbers.append(f"s{number}")
        else:
            lines += ["for j in range(40):", f"    out[i, j] = out[i, j] + {table}[j]"]
    return [*lines, "for j in range(40):", f"    out[i, j] = {tables[-1]}[j] + {numbers[-1]}"]


def function_of(generator, folder):
    lines = ["import numpy as np", "def f(a, out):", "    for i in range(a.shape[0]):"]
    path = folder / "program.py"
    path.write_text("\n".join([*lines, *(f"        {line}" for line in body(generator))]) + "\n")
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, path.read_text()


@pytest.mark.parametrize("seed", range(40))
def test_random_bodies_do_what_they_did(seed, tmp_path):
    generator = Random(seed)
    function, text = function_of(generator, tmp_path)
    make = arrays((3, COLUMNS), (3, COLUMNS), dtype=np.int64)
    kernel, *_ = kernel_of(program_of(function, make()))
    chain = grid_chain(kernel)
    loop: n.For = generator.choice(list(dealt_loops(flattened(chain))))
    deal = Deal(loop.label, "x", *(generator.choice(c) for c in ((1, 3, 32, 64), (1, 2, 4), (0, 1, 2, 40))))
    schedule = (Bind("i", "y", 1), deal)
    violations = check_schedule(kernel, schedule)
    if violations:
        assert {v.constraint for v in violations} <= {"no-exceptions", "same-for-all", "one-thread"}, text
        pytest.skip(str(violations[0]))
    check_same(function, make, schedule)
