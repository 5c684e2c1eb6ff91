"""Tiles in which no lane takes the branch that contributes to a fold skip what follows the branch, too.

In loops over pairs with a cutoff most tiles add only neutral elements, and folding the lanes of a tile takes longer
than the test of the cutoff. Not a pass of its own: see `lanes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.visit import Names, substitute

Values = Mapping[str, n.Expression]


def skip_idle_tiles(body: n.Block, args: Sequence[n.LoopArg], neutral: Sequence[n.Const], names: Names) -> n.Block:
    """The body of a loop over tiles, whose end runs only where a lane contributes to a fold.

    Parameters
    ----------
    body
        What a tile does. It yields each variable combined with the fold of the lanes.
    args
        What the loop folds.
    neutral
        What a lane that is off contributes.
    names
        Fresh names.
    """
    return _skipping(body, args, neutral, names, {}) if args else body


def _skipping(
    body: n.Block, args: Sequence[n.LoopArg], neutral: Sequence[n.Const], names: Names, outer: Values
) -> n.Block:
    place = next((k for k in reversed(range(len(body.statements))) if isinstance(body.statements[k], n.If)), None)
    if place is None:
        return body
    branch, rest = body.statements[place], body.statements[place + 1 :]
    assert isinstance(branch, n.If)
    values = {**outer, **{s.var.name: s.value for s in body.statements if isinstance(s, n.Let)}}
    taken = values.get(branch.condition.name) if isinstance(branch.condition, n.Var) else None
    if not isinstance(taken, n.ReduceLanes) or taken.op != "or" or not all(isinstance(s, n.Let) for s in rest):
        return body
    idle = frozenset(_conditions(taken.operand, values))
    if not all(
        _is_neutral(_fold_of(given, arg, values), zero, idle, values)
        for given, arg, zero in zip(body.yields, args, neutral, strict=True)
    ):
        return body
    given = {r.name: y for r, y in zip(branch.results, branch.then.yields, strict=True)}
    end = substitute(n.Block(rest, body.yields), given)
    then = n.Block((*branch.then.statements, *end.statements), end.yields)
    results = tuple(names.fresh(arg.var.stem, arg.var.type) for arg in args)
    branch = replace(
        branch,
        then=_skipping(then, args, neutral, names, values),
        orelse=n.Block((), tuple(arg.var for arg in args)),
        results=results,
    )
    return n.Block((*body.statements[:place], branch), results)


def _conditions(mask: n.Atom, values: Values) -> Iterator[str]:
    """The conditions that all hold in each lane that is on in a mask."""
    value = values.get(mask.name) if isinstance(mask, n.Var) else None
    if isinstance(value, n.Binary) and value.op == "and":
        yield from _conditions(value.left, values)
        yield from _conditions(value.right, values)
    elif isinstance(mask, n.Var):
        yield mask.name


def _fold_of(given: n.Atom, arg: n.LoopArg, values: Values) -> n.Atom | None:
    """The lanes whose fold is combined with a variable; None if `given` is something else."""
    total = values.get(given.name) if isinstance(given, n.Var) else None
    if not isinstance(total, n.Binary) or total.op != arg.combine or total.left != arg.var:
        return None
    fold = values.get(total.right.name) if isinstance(total.right, n.Var) else None
    return fold.operand if isinstance(fold, n.ReduceLanes) and fold.op == arg.combine else None


def _is_neutral(
    atom: n.Atom | None, zero: n.Const, idle: frozenset[str], values: Values, on: frozenset[str] = frozenset()
) -> bool:
    """Whether a vector is neutral in all lanes where the conditions in `idle` never hold together.

    It looks at lanes in which the conditions in `on` hold. If these include all of `idle`, there is no such lane.
    """
    if atom is None:
        return False
    if idle <= on:
        return True
    if isinstance(atom, n.Const):
        return repr(atom) == repr(zero)  # zeros of both signs are equal
    value = values.get(atom.name)
    if not isinstance(value, n.Select):
        return False
    with_it = on | frozenset(_conditions(value.condition, values))
    return _is_neutral(value.then, zero, idle, values, with_it) and _is_neutral(value.orelse, zero, idle, values, on)
