"""Programs with parallel loops, built without Python source, and arguments for them."""

import numpy as np

from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT32, FLOAT64, INT64, PYINT
from weft.ir.visit import rewrite


def scale():
    """``y[i] = x[i] * 2`` for all elements of x, unproven bounds."""
    build = Builder("scale")
    x, y = build.array("x", FLOAT64), build.array("y", FLOAT64)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        build.store(y, loop.index, value=build.mul(build.load(x, loop.index), 2.0))
    return build.program()


def scale_safe():
    """The same with proven bounds."""
    build = Builder("scale_safe")
    x, y = build.array("x", FLOAT64), build.array("y", FLOAT64)
    with build.loop("i", 0, build.dim(x), mapping="parallel") as loop:
        value = build.mul(build.load(x, loop.index, bounds="safe"), 2.0)
        build.store(y, loop.index, value=value, bounds="safe")
    return build.program()


def outer():
    """``c[i, j] = a[i] + b[j]``: a load between two parallel loops."""
    build = Builder("outer")
    a, b, c = build.array("a", FLOAT64), build.array("b", FLOAT64), build.array("c", FLOAT64, 2)
    columns = build.dim(b)
    with build.loop("i", 0, build.dim(a), mapping="parallel") as rows:
        x = build.load(a, rows.index, bounds="safe")
        with build.loop("j", 0, columns, mapping="parallel") as loop:
            value = build.add(x, build.load(b, loop.index, bounds="safe"))
            build.store(c, rows.index, loop.index, value=value, bounds="safe")
    return build.program()


def first_column():
    """``x = c[i, 0]; c[i, j] += x``: the load between the loops reads what the inner loop writes."""
    build = Builder("first_column")
    c = build.array("c", FLOAT64, 2)
    columns = build.dim(c, 1)
    with build.loop("i", 0, build.dim(c), mapping="parallel") as rows:
        x = build.load(c, rows.index, 0, bounds="safe")
        with build.loop("j", 0, columns, mapping="parallel") as loop:
            value = build.add(x, build.load(c, rows.index, loop.index, bounds="safe"))
            build.store(c, rows.index, loop.index, value=value, bounds="safe")
    return build.program()


def with_combine(program, operator="add"):
    """The program with its loops made parallel reductions."""

    def change(statement):
        if not isinstance(statement, n.For) or not statement.args:
            return statement
        args = tuple(n.LoopArg(a.var, a.init, operator) for a in statement.args)
        return n.For(
            statement.label, statement.index, statement.start, statement.stop, statement.body, args,
            statement.results, mapping="parallel",
        )  # fmt: skip

    return n.Program(program.name, program.params, rewrite(program.body, change), program.returns)


def total():
    """The sum of an array of float32 and how many elements it has, from given values upwards."""
    build = Builder("total")
    x, start = build.array("x", FLOAT32), build.param("start", FLOAT32)
    with build.loop("i", 0, build.dim(x), {"s": start, "k": 0}) as loop:
        loop.carry(build.add(loop["s"], build.load(x, loop.index)), build.add(loop["k"], 1))
    return with_combine(build.program(*loop.results))


def lowest():
    """The smallest element of an array, or the given value."""
    build = Builder("lowest")
    x, start = build.array("x", FLOAT64), build.param("start", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"s": start}) as loop:
        value = build.load(x, loop.index, bounds="safe")
        loop.carry(build.let(n.Binary("min", loop["s"], value), FLOAT64))
    return with_combine(build.program(*loop.results), "min")


def steps():
    """Three sweeps over two arrays that change places: a launch inside a loop of the host."""
    build = Builder("steps")
    u, v = build.array("u", FLOAT64), build.array("v", FLOAT64)
    with build.loop("t", 0, 3, {"a": u, "b": v}) as time:
        with build.loop("i", 0, build.dim(u), mapping="parallel") as loop:
            value = build.add(build.load(time["a"], loop.index, bounds="safe"), 1.0)
            build.store(time["b"], loop.index, value=value, bounds="safe")
        time.carry(time["b"], time["a"])
    return build.program(time.results[0])


def halves():
    """One half of an array into the other: two views of one storage in a kernel."""
    build = Builder("halves")
    x = build.array("x", FLOAT64)
    half = build.binary("floordiv", build.dim(x), 2)
    low = build.subview(x, n.Slice(n.Const(0), half, n.Const(1)))
    high = build.subview(x, n.Slice(half, half, n.Const(1)))
    with build.loop("i", 0, half, mapping="parallel") as loop:
        build.store(high, loop.index, value=build.load(low, loop.index, bounds="safe"), bounds="safe")
    return build.program()


def histogram():
    """Counts by key."""
    build = Builder("histogram")
    keys, counts = build.array("keys", INT64), build.array("counts", INT64)
    with build.loop("i", 0, build.dim(keys), mapping="parallel") as loop:
        build.update("add", counts, build.load(keys, loop.index), value=1)
    return build.program()


def shifted():
    """Bounds that are not 0: ``y[i] = i`` from a given number on."""
    build = Builder("shifted")
    y, low, high = build.array("y", INT64), build.param("low", PYINT), build.param("high", PYINT)
    with build.loop("i", low, high, mapping="parallel") as loop:
        build.store(y, loop.index, value=loop.index)
    return build.program()


PLACED = {
    "scale": (scale, lambda: (np.arange(700.0), np.zeros(700))),
    "scale empty": (scale, lambda: (np.zeros(0), np.zeros(0))),
    "scale_safe": (scale_safe, lambda: (np.arange(5.0), np.zeros(5))),
    "outer": (outer, lambda: (np.arange(5.0), np.arange(70.0), np.zeros((5, 70)))),
    "outer strided": (outer, lambda: (np.arange(5.0), np.arange(7.0)[::-1], np.zeros((14, 10))[::2, ::2].T)),
    "first_column": (first_column, lambda: (np.arange(12.0).reshape(3, 4),)),
    "total": (total, lambda: (np.arange(9, dtype=np.float32), np.float32(1))),
    "total empty": (total, lambda: (np.zeros(0, np.float32), np.float32(1))),
    "lowest": (lowest, lambda: (np.array([3.0, 1.0, np.nan, 2.0]), np.float64(5))),
    "steps": (steps, lambda: (np.arange(4.0), np.zeros(4))),
    "halves": (halves, lambda: (np.arange(8.0),)),
    "histogram": (histogram, lambda: (np.array([0, 2, 2, -1]), np.zeros(4, np.int64))),
    "shifted": (shifted, lambda: (np.zeros(9, np.int64), 3, 8)),
    "shifted backwards": (shifted, lambda: (np.zeros(9, np.int64), 8, 3)),
}
"""Programs whose parallel loops all run on the device, with a function that makes arguments."""
