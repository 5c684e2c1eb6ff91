"""Small programs that several tests use, built without Python source."""

import numpy as np

from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.location import Location
from weft.ir.types import FLOAT64, INT64, PYBOOL, PYINT, Vector, View


def line(number):
    """A location in an imaginary file."""
    return Location("loops.py", number)


def total():
    """The sum of an array, from Python's 0.0 upwards."""
    build = Builder("total")
    x = build.array("x", FLOAT64)
    with build.loop("i", 0, build.dim(x), {"s": build.const(0.0, FLOAT64)}) as loop:
        loop.carry(build.add(loop["s"], build.load(x, loop.index)))
    return build.program(loop.results[0])


def scale():
    """Every element of one array times a factor, into another; the second array is returned."""
    build = Builder("scale")
    x, y = build.array("x", FLOAT64), build.array("y", FLOAT64)
    factor = build.param("factor", FLOAT64)
    with build.loop("i", 0, build.dim(x)) as loop:
        build.store(y, loop.index, value=build.mul(build.load(x, loop.index), factor))
    return build.program(y)


def recurrence():
    """``x[i] = x[i - 1] + 1`` from 1 on: a conflict between iterations."""
    build = Builder("recurrence")
    x = build.array("x", FLOAT64)
    with build.loop("i", 1, build.dim(x)) as loop:
        build.location = line(2)
        before = build.load(x, build.sub(loop.index, 1))
        build.location = line(3)
        build.store(x, loop.index, value=build.add(before, 1.0))
    return build.program()


def search():
    """The first position of a value, by a loop that ends early; -1 where there is none."""
    build = Builder("search")
    x, wanted = build.array("x", INT64), build.param("wanted", INT64)
    carried = {"alive": True, "found": -1}
    with build.loop("i", 0, build.dim(x), carried, exit=0) as loop:
        differs = build.compare("ne", build.load(x, loop.index), wanted)
        alive = build.unary("not", build.unary("not", differs))
        loop.carry(alive, build.select(alive, loop["found"], loop.index))
    return build.program(loop.results[1])


def collatz():
    """The number of steps of the Collatz sequence: a `While` with an `If`."""
    build = Builder("collatz")
    start = build.param("start", PYINT)
    with build.while_loop({"x": start, "steps": 0}) as loop:
        with loop.test() as test:
            test.yields(build.compare("ne", loop["x"], 1))
        odd = build.compare("eq", build.binary("mod", loop["x"], 2), 1)
        with build.when(odd) as branch:
            branch.yields(build.add(build.mul(loop["x"], 3), 1))
            with branch.otherwise():
                branch.yields(build.binary("floordiv", loop["x"], 2))
        loop.carry(branch.results[0], build.add(loop["steps"], 1))
    return build.program(loop.results[1])


def histogram():
    """Counts by key, as indivisible updates."""
    build = Builder("histogram")
    keys, counts = build.array("keys", INT64), build.array("counts", INT64)
    with build.loop("i", 0, build.dim(keys)) as loop:
        build.update("add", counts, build.load(keys, loop.index), value=1)
    return build.program()


def helper():
    """Calls a helper function of the program that yields two values."""
    build = Builder("helper")
    a, b = build.param("a", PYINT), build.param("b", PYINT)
    p, q = build.fresh("p", PYINT), build.fresh("q", PYINT)
    with build.block() as statements:
        quotient, rest = build.binary("floordiv", p, q), build.binary("mod", p, q)
    build.function("divide", (p, q), n.Block(tuple(statements), (quotient, rest)))
    return build.program(*build.call("divide", a, b))


def vectors():
    """Four lanes at a time, the last ones masked: ``y[i] = x[i] + x[i]``, and the sum of all."""
    build = Builder("vectors")
    x, y = build.array("x", FLOAT64, contiguous=True), build.array("y", FLOAT64, contiguous=True)
    lanes, mask, values = Vector(PYINT, 4), Vector(PYBOOL, 4), Vector(FLOAT64, 4)
    extent = build.dim(x)
    count = build.binary("floordiv", build.add(extent, 3), 4)
    with build.loop("i", 0, count, {"s": build.const(0.0, FLOAT64)}) as loop:
        index = build.let(n.Lanes(build.mul(loop.index, 4)), lanes)
        inside = build.let(n.Compare("lt", index, build.let(n.Broadcast(extent), lanes)), mask)
        loaded = build.let(n.Load(x, (index,), "check", inside), values)
        doubled = build.let(n.Binary("add", loaded, loaded), values)
        build.add_statement(n.Store(y, (index,), doubled, "check", inside))
        loop.carry(build.add(loop["s"], build.let(n.ReduceLanes("add", doubled), FLOAT64)))
    return build.program(loop.results[0])


def kernel_plan(copy_in=True, copy_out=True):
    """A kernel on a device of its own memory that doubles an array in place, with the copies around it."""
    build = Builder("plan")
    x = build.array("x", FLOAT64)
    inner = build.fresh("x", View(FLOAT64, 1))
    with build.block() as statements:
        with build.loop("i", 0, build.dim(inner), mapping="parallel") as loop:
            build.store(inner, loop.index, value=build.mul(build.load(inner, loop.index), 2.0))
    kernel = n.Kernel("double", (inner,), n.Block(tuple(statements)))
    if copy_in:
        build.add_statement(n.Copy(x, "host", "gpu"))
    build.add_statement(n.Launch(kernel, "gpu", (x,)))
    if copy_out:
        build.add_statement(n.Copy(x, "gpu", "host"))
    build.add_statement(n.Wait("gpu"))
    return build.program(build.load(x, 0))


ALL = {
    "total": (total, lambda: (np.arange(5.0),)),
    "scale": (scale, lambda: (np.arange(5.0), np.zeros(5), np.float64(3))),
    "recurrence": (recurrence, lambda: (np.zeros(5),)),
    "search": (search, lambda: (np.array([4, 7, 7, 9]), np.int64(7))),
    "collatz": (collatz, lambda: (27,)),
    "histogram": (histogram, lambda: (np.array([0, 2, 2, 1, 2]), np.zeros(3, np.int64))),
    "helper": (helper, lambda: (17, 5)),
    "vectors": (vectors, lambda: (np.arange(6.0), np.zeros(6))),
    "kernel_plan": (kernel_plan, lambda: (np.arange(1.0, 4.0),)),
}
"""Programs by name, with a function that makes arguments for them."""
