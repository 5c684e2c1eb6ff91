"""Random loops over rows that threads keep in registers: what they did, with NaNs and zeros of both signs."""

import importlib.util
from random import Random

import numpy as np
import pytest

from tests.schedule.scheduled import kernel_of, program_of, scheduled
from weft.ir.reference.interpreter import run, trace
from weft.schedule.directives import Bind, Deal
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.cooperate import dealt_loops
from weft.schedule.nests import flattened, grid_chain


def value(generator, numbers):
    """An expression of an element, whose results are small whole numbers."""
    row = generator.choice(("x[i, j]", "x[i, j]", "out[i, j]"))
    return generator.choice((row, f"-{row}", f"abs({row})", f"np.minimum({row}, {generator.choice(numbers)})"))


def body(generator):
    """The lines of an iteration over a row."""
    lines, numbers = [], ["x[i, 0]", "y[i]"]
    for number in range(generator.randint(2, 6)):
        start = generator.choice((0, 0, 0, 0, 1, 3))
        loop, name = f"for j in range({start}, x.shape[1]):", f"s{number}"
        kind = generator.choice(("map", "map", "guarded", "sum", "extreme", "place"))
        first, element = generator.choice(numbers), value(generator, numbers)
        if kind == "map":
            lines += [loop, f"    out[i, j] = np.maximum({element}, {generator.choice(numbers)})"]
        elif kind == "guarded":
            lines += [loop, f"    if {element} > 0:", "        out[i, j] = x[i, j]"]
        elif kind == "sum":
            lines += [f"{name} = y[i]", loop, f"    {name} += np.sign({element})"]
        elif kind == "extreme":
            function = generator.choice(("min", "max"))
            lines += [f"{name} = {first}", loop, f"    {name} = {function}({name}, {element})"]
        else:
            sign = generator.choice(("<", "<=", ">", ">="))
            lines += [f"{name} = {first}", f"p{number} = -1", loop, f"    if {element} {sign} {name}:"]
            lines += [f"        {name} = {element}", f"        p{number} = j"]
            lines += [f"y[i] = p{number}"] if generator.random() < 0.5 else []
        numbers += [name] if kind in ("sum", "extreme", "place") else []
    return [*lines, f"y[i] = np.copysign(3, {numbers[-1]}) + {numbers[-1]}"]


def function_of(generator, folder):
    lines = ["import numpy as np", "def f(x, out, y):", "    for i in range(x.shape[0]):"]
    path = folder / "program.py"
    path.write_text("\n".join([*lines, *(f"        {line}" for line in body(generator))]) + "\n")
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, path.read_text()


def arguments(seed, columns):
    generator = np.random.default_rng(seed)
    arrays = generator.integers(-2, 3, (2, 5, columns)).astype(np.float64)
    for special in (-0.0, 0.0, np.nan):
        arrays[generator.random(arrays.shape) < generator.choice([0, 0.1, 0.6], (2, 5, 1))] = special
    return arrays[0].copy(), arrays[1].copy(), np.full(5, generator.choice([-0.0, 0.0, -1.0]))


@pytest.mark.parametrize("seed", range(40))
def test_random_rows_are_right(seed, tmp_path):
    generator = Random(seed)
    function, text = function_of(generator, tmp_path)
    columns = generator.choice((1, 2, 8, 16, 31, 40))
    program = program_of(function, arguments(seed, columns))
    kernel, *_ = kernel_of(program)
    loops = list(dealt_loops(flattened(grid_chain(kernel)))) if grid_chain(kernel) else []
    if not loops:
        pytest.skip("no loop is dealt out")
    deal = Deal(loops[0].label, "x", *(generator.choice(c) for c in ((1, 4, 8, 32), (1, 2), (0, 1, 2, 4, 8))))
    violations = check_schedule(kernel, (Bind("i", "y", 1), deal))
    if violations:
        pytest.skip(str(violations[0]))
    expected, got, traced = (arguments(seed, columns) for _ in range(3))
    with np.errstate(all="ignore"):
        function(*expected)
    made = scheduled(program, (Bind("i", "y", 1), deal))
    run(made, got)
    for a, b in zip(expected, got, strict=True):
        np.testing.assert_array_equal(b, a, text)
        np.testing.assert_array_equal(np.signbit(b[b == 0]), np.signbit(a[a == 0]), text)
    conflicts = trace(made, traced).conflicts
    assert not [label for label in conflicts if conflicts[label] and (".thread" in label or ".block" in label)], text
