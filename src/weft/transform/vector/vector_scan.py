"""Running: a loop that stores the partial results of a fold runs some iterations side by side.

A step of the loop takes as many iterations as a vector has lanes: what each adds to the fold is computed in lanes, each
lane is folded with those before it, and all with what was carried so far. For innermost straight loops in which nothing
may raise, with one fold that may be grouped otherwise and is not what says where to store. The last iterations run one
after the other.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.scribe import Scribe
from weft.ir.types import PYINT, Scalar, Vector
from weft.ir.visit import atoms_of, rewrite, walk
from weft.transform.peel import Copies
from weft.transform.support import on_blocks
from weft.transform.vector.divergence import Divergence
from weft.transform.vector.vectorise import Unsuited, Vectoriser

LANES = 8
"""Lanes of a vector register with the widest elements."""
OPERATORS = frozenset({"add", "mul", "and", "or", "xor"})


def vector_scan(program: n.Program) -> n.Program:
    """Run loops that store partial results in vectors."""
    if not any(_fold_of(s) is not None for s in walk(program.body)):
        return program
    copies = Copies(program)
    return on_blocks(program, lambda block: rewrite(block, lambda s: _in_lanes(s, copies)))


def _fold_of(statement: n.Statement) -> n.Let | None:
    """The definition of what a suitable loop carries on."""
    if not isinstance(statement, n.For) or statement.mapping != "sequential" or statement.exit is not None:
        return None
    if len(statement.args) != 1 or statement.args[0].combine not in OPERATORS or statement.index.type != PYINT:
        return None
    arg, body = statement.args[0], statement.body.statements
    folds = [s for s in body if isinstance(s, n.Let) and s.var == statement.body.yields[0]]
    if len(folds) != 1 or not _has_lanes(arg.var.type) or not all(isinstance(s, (n.Let, n.Store)) for s in body):
        return None
    (fold,) = folds
    uses = sum(arg.var in atoms_of(s) for s in body)
    follows = isinstance(fold.value, n.Binary) and fold.value.op == arg.combine and uses == 1
    both = isinstance(fold.value, n.Binary) and fold.value.left == fold.value.right
    suited = follows and not both and arg.var in atoms_of(fold.value) and not block_may_raise(statement.body)
    return fold if suited and not _decides_places(statement.body, fold.var) else None


def _has_lanes(type: object) -> bool:
    return isinstance(type, Scalar) and type != PYINT and (type.kind in "iu" or (type.kind == "f" and type.bits > 16))


def _decides_places(body: n.Block, fold: n.Var) -> bool:
    """Whether the partial results say which elements are read or written."""
    reached = {fold}
    for statement in body.statements:
        value = statement.value if isinstance(statement, n.Let) else statement
        places = value.indices if isinstance(value, (n.Load, n.Store)) else ()
        if reached & set(places):
            return True
        if isinstance(statement, n.Let) and reached & set(atoms_of(statement.value)):
            reached.add(statement.var)
    return False


def _in_lanes(statement: n.Statement, copies: Copies) -> n.Statement | tuple[n.Statement, ...]:
    if _fold_of(statement) is None:
        return statement
    assert isinstance(statement, n.For)
    loop, scribe = statement, Scribe(copies.names, statement.location)
    trips = scribe.trips(loop.start, loop.stop, "trips")
    groups = scribe.op("floordiv", trips, LANES, "groups")
    try:
        steps = _groups(copies.loop(loop, loop.start, groups, (loop.args[0].init,)), copies)
    except Unsuited:
        return statement
    scribe.add(steps)
    start = scribe.op("add", loop.start, scribe.op("mul", groups, LANES))
    rest = replace(loop, start=start, args=(replace(loop.args[0], init=steps.results[0], combine=None),))
    return (*scribe.statements, rest)


def _groups(loop: n.For, copies: Copies) -> n.For:
    """The loop over so many groups of iterations, from a loop that stops after so many."""
    fold, (arg,) = _fold_of(loop), loop.args
    assert fold is not None
    vectoriser = Vectoriser(Divergence(loop), LANES, copies.names, set())
    carried = copies.names.fresh(arg.var.stem, arg.var.type)
    group = _open_group(loop, vectoriser)
    last: n.Var | None = None
    for statement in loop.body.statements:
        if statement is fold:
            last = _fold_lanes(fold, arg, carried, vectoriser)
        else:
            vectoriser.out.extend(vectoriser.statements(n.Block((statement,)), None))
    assert last is not None
    body = n.Block(tuple(vectoriser.out), (last,))
    return replace(loop, index=group, start=n.Const(0), args=(n.LoopArg(carried, arg.init),), body=body)


def _open_group(loop: n.For, vectoriser: Vectoriser) -> n.Var:
    """Write the indices of a group's lanes; gives the number of the group."""
    vectoriser.location = loop.location
    group = vectoriser.names.fresh(loop.index.stem, PYINT)
    offset = vectoriser.let(n.Binary("mul", group, n.Const(LANES), False), PYINT)
    first = vectoriser.let(n.Binary("add", loop.start, offset, False), PYINT)
    vectoriser.out.append(n.Let(n.Var(loop.index.name, Vector(PYINT, LANES)), n.Lanes(first), loop.location))
    vectoriser.first[loop.index.name] = first
    return group


def _fold_lanes(fold: n.Let, arg: n.LoopArg, carried: n.Var, vectoriser: Vectoriser) -> n.Var:
    """Write the definition of the fold: each lane with those before it, and with what is carried; gives what is carried
    on, which is that of the last lane, but waits for no vector."""
    assert isinstance(fold.value, n.Binary)
    op, left = fold.value.op, fold.value.left == arg.var
    added = vectoriser.vector(fold.value.right if left else fold.value.left)
    own = vectoriser.let(n.RunningLanes(op, added), added.type, arg.var.stem)
    before = vectoriser.let(n.Broadcast(carried), added.type)
    vectoriser.out.append(n.Let(n.Var(fold.var.name, added.type), n.Binary(op, before, own, False), fold.location))
    highest = vectoriser.let(n.Lane(own, LANES - 1), carried.type, arg.var.stem)
    return vectoriser.let(n.Binary(op, carried, highest, False), carried.type, arg.var.stem)
