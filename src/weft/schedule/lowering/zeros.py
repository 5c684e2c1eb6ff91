"""Extremes of floats that may be found in any order: with which zero comes first, whose sign the loop would keep.

Of equal extremes a loop keeps the first, so it matters which one that is only between zeros of either sign. So a loop
also finds a key for each such extreme: twice the first iteration that contributes a zero, and one more if that is minus
zero. Iterations contribute nothing else: NaN is no extreme unless it is the initial value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.types import BOOL, PYBOOL, PYINT
from weft.ir.visit import Names, substitute
from weft.schedule.lowering.cooperate import is_float_extreme
from weft.schedule.writing import Writing, scalar

NEVER = identity("min", PYINT)
"""The key of an extreme of which no iteration contributes a zero."""


def with_keys(loop: n.For, names: Names) -> n.For:
    """A reduction that finds the keys of its extremes of floats behind all other results, and those themselves from
    what neither the initial value nor other iterations are part of."""
    floats = [k for k, arg in enumerate(loop.args) if is_float_extreme(arg)]
    if not floats:
        return loop
    apart = {loop.args[k].var.name: identity(loop.args[k].combine or "", loop.args[k].var.type) for k in floats}
    body, write = substitute(loop.body, apart), Writing(names, loop.location)
    write.add(*body.statements)
    yields = list(body.yields)
    doubled = write.op("mul", loop.index, 2)
    args = [n.LoopArg(names.fresh("first", PYINT), NEVER, "min") for _ in floats]
    for k, key in zip(floats, args, strict=True):
        arg, value = loop.args[k], body.yields[k]
        number = write.op("add", doubled, _sign_bit(write, value))
        found = write.let(n.Select(_is_zero(write, value), number, NEVER), PYINT, "key")
        yields.append(write.op("min", key.var, found))
        joined = n.Binary(cast(n.BinaryOp, arg.combine), arg.var, value, checked=False)
        yields[k] = write.let(joined, arg.var.type, arg.var.stem)
    results = tuple(names.fresh("first", PYINT) for _ in args)
    block = n.Block(tuple(write.statements), tuple(yields))
    return replace(loop, body=block, args=(*loop.args, *args), results=(*loop.results, *results))


def signed(write: Writing, loop: n.For, found: Sequence[n.Atom]) -> Iterator[n.Atom]:
    """What a loop made by `with_keys` finds, the keys left out: zeros with the signs that these say."""
    floats = [k for k, arg in enumerate(loop.args) if is_float_extreme(arg)]
    count = len(found) - len(floats)
    keys = dict(zip(floats, found[count:], strict=True))
    for k, value in enumerate(found[:count]):
        yield _with_sign(write, value, keys[k]) if k in keys else value


def _with_sign(write: Writing, value: n.Atom, key: n.Atom) -> n.Atom:
    is_negative = write.compare("eq", write.op("mod", key, 2), 1)
    zero = write.let(n.Select(is_negative, n.Const(-0.0, value.type), n.Const(0.0, value.type)), value.type, "zero")
    return write.let(n.Select(_is_zero(write, value), zero, value), value.type, "extreme")


def _is_zero(write: Writing, value: n.Atom) -> n.Atom:
    return _compared(write, "eq", value)


def _sign_bit(write: Writing, value: n.Atom) -> n.Atom:
    """One for minus zero, nothing for zero."""
    sign = write.let(n.Math("copysign", (n.Const(1.0, value.type), value)), value.type, "sign")
    return write.let(n.Select(_compared(write, "lt", sign), n.Const(1), n.Const(0)), PYINT, "bit")


def _compared(write: Writing, op: n.CompareOp, value: n.Atom) -> n.Atom:
    """A number beside zero."""
    type = PYBOOL if scalar(value.type).weak else BOOL
    return write.let(n.Compare(op, value, n.Const(0.0, value.type)), type, "beside")
