"""Random stencils under random schedules of their points do what they did, whatever the sizes, types and places."""

import importlib.util
from random import Random

import numpy as np
import pytest

from tests.schedule.scheduled import check_same, kernel_of, program_of
from weft.schedule.directives import Bind, Walk
from weft.schedule.legality import check_schedule
from weft.tune.default import candidates

COUNTERS = "ijk"
TYPES = ("float32", "float32", "float64", "int32", "int16")


def access(array, place):
    """An element at a distance from the counters."""
    indices = (f"{c} + {d}" if d >= 0 else f"{c} - {-d}" for c, d in zip(COUNTERS, place, strict=False))
    return f"{array}[{', '.join(indices)}]"


def places(generator, loops, reach):
    """The distances of a star, a box, or some at random."""
    kind = generator.choice(("star", "star", "some"))
    if kind == "star":
        found = [tuple(s * d if axis == a else 0 for a in range(loops)) for axis in range(loops)
                 for d in range(1, reach + 1) for s in (-1, 1)]  # fmt: skip
        return [(0,) * loops, *found]
    return [tuple(generator.randint(-reach, reach) for _ in range(loops)) for _ in range(generator.randint(1, 7))]


def lines_of(generator, loops, reach):
    """A nest over the inner elements of `u`, which may write a second array and read a factor for each row."""
    around = places(generator, loops, reach)
    terms = [access("u", place) for place in around]
    if generator.random() < 0.3:
        terms += [access("w", place) for place in places(generator, loops, 1)]
    value = " + ".join(terms)
    lines = [f"{'    ' * (a + 1)}for {c} in range({reach}, u.shape[{a}] - {reach}):"
             for a, c in enumerate(COUNTERS[:loops])]  # fmt: skip
    body = [f"s = {value}", f"{access('v', (0,) * loops)} = s - {terms[0]}"]
    if generator.random() < 0.2:
        body += [f"{access('x', (0,) * loops)} = s + {terms[-1]}"]
    if generator.random() < 0.15:
        body = [body[0], f"if {terms[0]} > 0:", f"    {body[1]}", *body[2:]]
    return ["def f(u, v, w, x):", *lines, *("    " * (loops + 1) + line for line in body)]


def function_of(generator, folder, loops, reach):
    path = folder / "program.py"
    path.write_text("\n".join(lines_of(generator, loops, reach)) + "\n")
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, path.read_text()


def view_of(memory, how, shape, dtype):
    """An array of a shape in memory that is larger: whole, from another place on, or every second row or column."""
    if how == "whole":
        return memory[: int(np.prod(shape))].reshape(shape)
    if how == "moved":
        return memory[1 : 1 + int(np.prod(shape))].reshape(shape)
    wide = memory[: int(np.prod([2 * e for e in shape]))].reshape([2 * e for e in shape])
    if how == "rows":
        return wide[tuple(slice(0, 2 * e, 2) for e in shape[:-1]) + (slice(0, shape[-1]),)]
    return wide[tuple(slice(0, e) for e in shape[:-1]) + (slice(0, 2 * shape[-1], 2),)]


def arrays_of(generator, loops, reach):
    """What makes the arguments, and makes the same each time."""
    dtype = np.dtype(generator.choice(TYPES))
    shape = [generator.choice((1, 2 * reach, 2 * reach + 1, generator.randint(3, 12))) for _ in range(loops - 1)]
    shape = (*shape, generator.choice((2 * reach + 1, 8, 16, 20, generator.randint(1, 30))))
    ways = [generator.choice(("whole", "whole", "whole", "moved", "rows", "columns")) for _ in range(4)]
    seed = generator.randint(0, 1 << 30)

    def make():
        random = np.random.default_rng(seed)
        found = []
        for how in ways:
            size = int(np.prod([2 * e for e in shape])) + 8
            memory = np.zeros(size * dtype.itemsize + 64, np.uint8)
            start = -memory.ctypes.data % 64
            array = view_of(memory[start : start + size * dtype.itemsize].view(dtype), how, shape, dtype)
            array[...] = random.integers(-9, 9, shape)
            found.append(array)
        return tuple(found)

    return make, dtype


def points_of(generator, kernel, loops, run):
    """Blocks of any form."""
    labels = COUNTERS[:loops][::-1]
    binds = [Bind(labels[0], "x", generator.choice((2, 3, 32)), generator.choice((run, run, 2 * run)), run)]
    for axis, label in zip("yz", labels[1:], strict=False):
        points = generator.choice((1, 2, 4, 5))
        binds.append(Bind(label, axis, generator.choice((1, 2)), points, generator.choice((1, points))))
    return tuple(binds)


def walk_of(generator, loops, run):
    """Threads that walk along the outermost loop, with planes in shared memory or without."""
    labels, ahead = COUNTERS[:loops][::-1], generator.choice((0, 0, 1, 2, 3))
    binds = [Bind(labels[0], "x", generator.choice((2, 3, 8)), run, run)]
    for axis, label in zip("yz", labels[1:], strict=False):
        points = generator.choice((1, 2)) if ahead and label != COUNTERS[0] else 1
        binds.append(Bind(label, axis, generator.choice((1, 2)), points, points))
    points = generator.choice((1, 3, 8))
    binds[-1] = Bind(COUNTERS[0], binds[-1].axis, 1, points, points)
    return (*binds, Walk(COUNTERS[0], ahead, generator.random() < 0.7 and ahead > 0))


def schedule_of(generator, kernel, loops, run):
    """One that the default would take, or any."""
    if generator.random() < 0.3:
        fitting = [s for s in candidates(kernel) if not any(isinstance(d, Walk) and d.staged for d in s)]
        return generator.choice(fitting)
    walk = walk_of(generator, loops, run) if loops > 1 and generator.random() < 0.5 else ()
    return walk if walk and not check_schedule(kernel, walk) else points_of(generator, kernel, loops, run)


@pytest.mark.parametrize("seed", range(60))
def test_random_stencils_do_what_they_did(seed, tmp_path):
    generator = Random(seed)
    loops = generator.choice((1, 2, 3, 3))
    reach = generator.choice((1, 1, 2, 4))
    function, text = function_of(generator, tmp_path, loops, reach)
    make, dtype = arrays_of(generator, loops, reach)
    kernel, *_ = kernel_of(program_of(function, make()))
    schedule = schedule_of(generator, kernel, loops, max(1, min(4, 16 // dtype.itemsize)))
    assert not check_schedule(kernel, schedule), text
    check_same(function, make, schedule)
