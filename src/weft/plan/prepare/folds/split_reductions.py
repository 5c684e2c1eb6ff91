"""Few long rows of a reduction are folded in parts, since they would be too few for all threads of a large device.

Beside the nest that folds whole rows (see `nested_sums`) stand two others: one folds every part of every row, the next
what the parts of a row give. Which runs, and how long a part is, follows from the trip counts alone, so that the result
is the same bits in memory and in slabs. The choice is a branch of the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import PYINT, View
from weft.ir.visit import rewrite
from weft.schedule.writing import Writing
from weft.transform.peel import Copies
from weft.transform.whole_loop import WholeLoop

PARTS = ".parts"
"""What labels of loops over the parts of rows end with."""

ENOUGH = 8192
"""Rows and parts of rows: as many as a large GPU runs warps at a time."""

LEAST = 1024
"""Parts have a multiple of this many iterations, but the last."""

FEW = 4
"""Rows of fewer parts than this are folded whole."""


def rows_alone(statement: n.Statement) -> tuple[n.Atom, n.For] | None:
    """Of a choice between rows and parts of rows: whether there are parts, and the nest that folds whole rows."""
    if not isinstance(statement, n.If) or not statement.then.statements or len(statement.orelse.statements) != 1:
        return None
    last, (rows,) = statement.then.statements[-1], statement.orelse.statements
    is_meant = isinstance(last, n.For) and last.label.endswith(PARTS)
    return (statement.condition, rows) if is_meant and isinstance(rows, n.For) else None


def or_parts(
    rows: n.For,
    chain: Sequence[n.For],
    extents: Sequence[n.Atom],
    made: Sequence[n.Var],
    copies: Copies,
    whole: WholeLoop,
) -> list[n.Statement]:
    """A nest that folds rows as a choice between it and what folds parts of rows.

    Parameters
    ----------
    rows
        The nest, which stores nothing but what each row gives, and makes no arrays.
    chain
        The loops of the reduction, whose labels those of the nest have. The last one folds a row; its bounds are known
        before the nest.
    extents
        How many rows there are.
    made
        The arrays in which the nest stores what a row gives, in the order of the values that are folded.
    copies
        Makes the copies of the nest.
    whole
        The rows may be some of those of a longer loop, which decides.
    """
    row, write, count = chain[-1], Writing(copies.names, rows.location), cast(n.Atom, n.Const(1))
    for extent in extents:
        count = write.op("mul", count, whole.of(extent, write), "rows")
    wanted = write.op("max", write.op("floordiv", n.Const(ENOUGH), write.op("max", count, 1)), 1, "wanted")
    trips = write.trips(row.start, row.stop, "trips")
    last = write.op("max", write.op("sub", trips, 1), 0, "last")
    chunks = write.op("floordiv", last, write.op("mul", wanted, LEAST))
    size = write.op("mul", write.op("add", chunks, 1), LEAST, "size")
    parts = write.op("add", write.op("floordiv", last, size), 1, "parts")
    are_long = write.compare("ge", parts, FEW)
    with write.apart() as long:
        sums = []
        for view in made:
            assert isinstance(view.type, View)
            value = n.Alloc((*extents, parts), view.type.element)
            sums.append(write.let(value, View(view.type.element, len(extents) + 1, contiguous=True), "part_sums"))
        write.add(_each_part(rows, chain, (parts, size, trips), sums, copies))
        write.add(_each_row(chain, (*extents, parts), sums, made, copies))
    write.add(n.If(are_long, n.Block(tuple(long)), n.Block((rows,)), location=rows.location))
    return write.statements


def _each_part(
    rows: n.For, chain: Sequence[n.For], sizes: tuple[n.Atom, n.Atom, n.Atom], sums: Sequence[n.Var], copies: Copies
) -> n.Statement:
    """The nest that folds every part of every row: so many parts of one size, of so many iterations in all."""
    (*_, around, row), (count, size, trips) = chain, sizes
    write, part, arrays = Writing(copies.names, row.location), copies.names.fresh("part", PYINT), iter(sums)
    done = write.op("mul", part, size, "done")
    first = write.op("add", row.start, done, "first")
    stop = write.op("add", first, write.op("min", size, write.op("sub", trips, done)), "stop")

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.Store):
            return replace(statement, view=next(arrays), indices=(*statement.indices, part))
        if not isinstance(statement, n.For) or statement.label not in (around.label, row.label):
            return statement
        if statement.label == row.label:
            return (*write.statements, replace(statement, start=first, stop=stop, claim="range"))
        inner = n.For(f"{row.label}.part", part, n.Const(0), count, statement.body, mapping="parallel")
        return replace(statement, body=n.Block((replace(inner, location=row.location),)))

    return copies.block(rewrite(n.Block((rows,)), change)).statements[0]


def _each_row(
    chain: Sequence[n.For], extents: Sequence[n.Atom], sums: Sequence[n.Var], made: Sequence[n.Var], copies: Copies
) -> n.Statement:
    """The nest that folds what the parts of each row give."""
    (*outer, row), names, write = chain, copies.names, Writing(copies.names, chain[0].location)
    places, part = [names.fresh("row", PYINT) for _ in outer], names.fresh("part", PYINT)
    args, yields = [], []
    with write.apart() as folding:
        for arg, view in zip(row.args, sums, strict=True):
            old, value = names.fresh(arg.var.stem, arg.var.type), cast(n.Atom, write.load(view, *places, part))
            if value.type != old.type:
                value = write.let(n.Cast(value, checked=False), old.type, "part_sum")
            folded = n.Binary(cast(n.BinaryOp, arg.combine), old, value, checked=False)
            args.append(n.LoopArg(old, identity(arg.combine or "", old.type), arg.combine))
            yields.append(write.let(folded, old.type, old.stem))
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in row.args)
    fold = n.For(
        f"{row.label}{PARTS}", part, n.Const(0), extents[-1], n.Block(tuple(folding), tuple(yields)), tuple(args),
        results, mapping="parallel", location=row.location,
    )  # fmt: skip
    with write.apart() as body:
        write.add(fold)
        for view, result in zip(made, results, strict=True):
            write.store(view, places, result)
    nest = n.Block(tuple(body))
    for loop, place, extent in reversed(list(zip(outer, places, extents, strict=False))):
        label = f"{loop.label}{PARTS}"
        nest = n.Block((n.For(label, place, n.Const(0), extent, nest, mapping="parallel", location=loop.location),))
    return nest.statements[0]
