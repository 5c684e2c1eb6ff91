"""Places: what stands for a loop that looks for an extreme and where it is, on a device. No pass itself: see
`weft.transform.scan.tiles`.

The iterations are cut into pieces. Each looks, by itself and in parallel with the others, for what is better than the
initial value; then the pieces are asked one after the other, as the iterations were. So the result is that of the loop
in order, NaNs and signs of zeros included.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.recurrences.arg_reductions import First
from weft.ir import nodes as n
from weft.ir.neutral import identity, stored_as
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, View
from weft.transform.peel import Copies

LEAST, MOST = 16384, 1024
"""Iterations of a piece at least, and pieces at most: a block for each, and so few that what they find is in memory of
the host at once, without copies."""

OF_PIECES = ".pieces"
"""How the labels of loops over pieces end."""

NOWHERE = identity("max", PYINT)
"""The place of what was not found."""


def in_pieces(node: n.For, first: First, copies: Copies) -> tuple[n.Statement, ...]:
    """The statements that stand for a loop.

    Parameters
    ----------
    node
        The loop.
    first
        What it looks for.
    copies
        A supply of names and labels.
    """
    scribe = Scribe(copies.names, node.location)
    trips = scribe.trips(node.start, node.stop, "trips")
    wanted = scribe.op("max", scribe.op("floordiv", trips, LEAST), 1)
    pieces = scribe.op("min", wanted, MOST, "pieces")
    padded = scribe.op("sub", scribe.op("add", trips, pieces), 1)
    each = scribe.op("floordiv", padded, pieces, "each")
    types = [stored_as(var.type) for var in (*(arg.var for arg in node.args), n.Var("place", PYINT))]
    arrays = [scribe.fresh("found", View(element, 1, contiguous=True)) for element in types]
    scribe.add(*(n.Let(a, n.Alloc((pieces,), t), node.location) for a, t in zip(arrays, types, strict=True)))
    scribe.add(_looks(node, scribe, copies, pieces, each, arrays), _asks(node, first, scribe, pieces, arrays))
    return tuple(scribe.statements)


def _looks(node: n.For, scribe: Scribe, copies: Copies, pieces: n.Atom, each: n.Atom, arrays: list[n.Var]) -> n.For:
    """The parallel loop over pieces, which leave what they find in arrays."""
    inner, piece = scribe.inner(), scribe.fresh("piece")
    start = inner.op("add", node.start, inner.op("mul", piece, each))
    stop = inner.op("min", inner.op("add", start, each), node.stop)
    place, found = scribe.fresh("place"), scribe.fresh("place")
    made = copies.loop(node, start, stop, tuple(arg.init for arg in node.args))
    test = next(s for s in made.body.statements if isinstance(s, n.Let) and s.var == made.body.yields[0])
    assert isinstance(test.value, n.Select)
    at = scribe.fresh("place")
    chosen = n.Let(at, n.Select(test.value.condition, made.index, place), node.location)
    body = n.Block((*made.body.statements, chosen), (*made.body.yields, at))
    args = (*made.args, n.LoopArg(place, NOWHERE))
    inner.add(replace(made, body=body, args=args, results=(*made.results, found)))
    for array, value in zip(arrays, (*made.results, found), strict=True):
        _put(inner, array, piece, value)
    label = f"{node.label}{OF_PIECES}"
    return n.For(label, piece, n.Const(0), pieces, inner.block(), mapping="parallel", location=node.location)


def is_in_pieces(loop: n.For) -> bool:
    """Whether a loop runs over pieces of another one: for what `in_pieces` made, or for those of a reduction."""
    return loop.label.endswith(OF_PIECES)


def _asks(node: n.For, first: First, scribe: Scribe, pieces: n.Atom, arrays: list[n.Var]) -> n.For:
    """The loop that asks the pieces in order."""
    inner, piece = scribe.inner(), scribe.fresh("piece")
    args = tuple(n.LoopArg(scribe.fresh(arg.var.stem, arg.var.type), arg.init) for arg in node.args)
    *values, place = (
        _taken(inner, array, piece, var)
        for array, var in zip(arrays, (*(arg.var for arg in args), n.Var("place", PYINT)), strict=True)
    )
    is_better = inner.compare(first.test, values[first.position], args[first.position].var)
    is_there = inner.both([inner.compare("ne", place, NOWHERE), is_better])
    yields = [inner.select(is_there, value, arg.var) for value, arg in zip(values, args, strict=True)]
    label = f"{node.label}.asked"
    body = inner.block(yields)
    return n.For(label, piece, n.Const(0), pieces, body, args, node.results, location=node.location)


def _put(scribe: Scribe, array: n.Var, place: n.Atom, value: n.Atom) -> None:
    element = stored_as(value.type)
    kept = value if value.type == element else scribe.let(n.Cast(value, checked=False), element)
    scribe.add(n.Store(array, (place,), kept, "safe", location=scribe.location))


def _taken(scribe: Scribe, array: n.Var, place: n.Atom, var: n.Var) -> n.Atom:
    element = stored_as(var.type)
    value = scribe.let(n.Load(array, (place,), "safe"), element, var.stem)
    return value if element == var.type else scribe.let(n.Cast(value, checked=False), var.type, var.stem)
