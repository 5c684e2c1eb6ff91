"""Programs that several tests of passes use, and inputs for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from weft.ir import nodes as n
from weft.ir.forms.builder import Builder
from weft.ir.types import FLOAT64, INT64, PYFLOAT, PYINT, View
from weft.ir.visit import walk

SIZES = (0, 1, 2, 5, 9, 20)


def inputs(program: n.Program, *fixed: Any, sizes: tuple[int, ...] = SIZES) -> Iterator[list[Any]]:
    """Arrays of several sizes, the same on every axis; scalars are `fixed`, in order, or the size."""
    rng = np.random.default_rng(1)
    for size in sizes:
        scalars = iter(fixed)
        yield [value_of(p.var.type, size, scalars, rng) for p in program.params]


def value_of(type: n.Type, size: int, scalars: Iterator[Any], rng: np.random.Generator) -> Any:
    """A value of a type."""
    if isinstance(type, View):
        shape = (size,) * type.ndim
        values = rng.integers(0, max(size, 1), shape) if type.element.kind == "i" else rng.normal(size=shape)
        return np.asarray(values).astype(type.element.dtype)
    given = next(scalars, size)
    return int(given) if type == PYINT else type.dtype.type(given).item() if type.weak else type.dtype.type(given)


def loops(program: n.Program) -> dict[str, n.For]:
    """The counting loops of a program, by label."""
    return {s.label: s for s in walk(program.body) if isinstance(s, n.For)}


def lets(program: n.Program, kind: type) -> list[Any]:
    """The expressions of one class in the body of a program."""
    return [s.value for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, kind)]


def stencil() -> n.Program:
    """The mean of four neighbours, inside a border."""
    build = Builder("stencil")
    u, v = build.array("u", FLOAT64, 2), build.array("v", FLOAT64, 2)
    with build.loop("i", 1, build.sub(build.dim(u, 0), 1)) as i:
        with build.loop("j", 1, build.sub(build.dim(u, 1), 1)) as j:
            rows = build.add(
                build.load(u, build.sub(i.index, 1), j.index), build.load(u, build.add(i.index, 1), j.index)
            )
            columns = build.add(
                build.load(u, i.index, build.sub(j.index, 1)), build.load(u, i.index, build.add(j.index, 1))
            )
            build.store(v, i.index, j.index, value=build.mul(build.add(rows, columns), 0.25))
    return build.program()


def flattened() -> n.Program:
    """Two nested loops over an array with one axis, by ``i * m + j``."""
    build = Builder("flattened")
    a, n_, m = build.array("a", FLOAT64), build.param("n", PYINT), build.param("m", PYINT)
    with build.loop("i", 0, n_) as i:
        with build.loop("j", 0, m) as j:
            place = build.add(build.mul(i.index, m), j.index)
            build.store(a, place, value=build.mul(build.load(a, place), 2.0))
    return build.program()


def product() -> n.Program:
    """A matrix product that adds to the elements of the result."""
    build = Builder("product")
    a, b, c = (build.array(name, FLOAT64, 2, contiguous=True) for name in "abc")
    with build.loop("i", 0, build.dim(c, 0)) as i:
        with build.loop("j", 0, build.dim(c, 1)) as j:
            with build.loop("k", 0, build.dim(a, 1)) as k:
                term = build.mul(build.load(a, i.index, k.index), build.load(b, k.index, j.index))
                build.store(c, i.index, j.index, value=build.add(build.load(c, i.index, j.index), term))
    return build.program()


def sparse() -> n.Program:
    """A sparse matrix times a vector, row by row."""
    build = Builder("sparse")
    start, column = build.array("start", INT64), build.array("column", INT64)
    value, x, out = (build.array(name, FLOAT64) for name in ("value", "x", "out"))
    with build.loop("i", 0, build.dim(out)) as i:
        low = build.cast(build.load(start, i.index), PYINT)
        high = build.cast(build.load(start, build.add(i.index, 1)), PYINT)
        with build.loop("k", low, high, {"s": build.const(0.0, FLOAT64)}) as k:
            place = build.cast(build.load(column, k.index), PYINT)
            k.carry(build.add(k["s"], build.mul(build.load(value, k.index), build.load(x, place))))
        build.store(out, i.index, value=k.results[0])
    return build.program()


def mandelbrot() -> n.Program:
    """How many steps each point takes to leave a circle: a ``while`` loop in two parallel ones."""
    build = Builder("mandelbrot")
    out, limit = build.array("out", INT64, 2), build.param("limit", PYINT)
    with build.loop("y", 0, build.dim(out, 0)) as y:
        with build.loop("x", 0, build.dim(out, 1)) as x:
            cr = build.sub(build.mul(build.cast(x.index, PYFLOAT), 0.2), 2.0)
            ci = build.sub(build.mul(build.cast(y.index, PYFLOAT), 0.2), 1.0)
            with build.while_loop({"zr": 0.0, "zi": 0.0, "count": 0}) as steps:
                zr, zi = steps["zr"], steps["zi"]
                with steps.test() as test:
                    size = build.add(build.mul(zr, zr), build.mul(zi, zi))
                    inside = build.compare("le", size, 4.0)
                    test.yields(build.binary("and", inside, build.compare("lt", steps["count"], limit)))
                real = build.add(build.sub(build.mul(zr, zr), build.mul(zi, zi)), cr)
                imaginary = build.add(build.mul(build.mul(zr, zi), 2.0), ci)
                steps.carry(real, imaginary, build.add(steps["count"], 1))
            build.store(out, y.index, x.index, value=steps.results[2])
    return build.program()
