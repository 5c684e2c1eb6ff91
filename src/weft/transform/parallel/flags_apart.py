"""Flags that say whether a nest did anything, in a loop of their own after the nest.

``s = 0.0; for i in ...: for j in range(i): s += a[i, j]`` leaves Python's float in ``s`` if no iteration ran. A Boolean
beside the inner loop tells that; without it the nest would be perfect. It depends on no array. So another loop computes
it afterwards, and ends as soon as it is true, mostly after few iterations.

Assumes nothing. What the nest computes may raise: the other loop runs only where it did not.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.location import ADDED
from weft.ir.types import PYBOOL
from weft.ir.visit import Names, atoms_of, rewrite, walk
from weft.transform.peel import Copies
from weft.transform.simplify.dce import cleaned, dce
from weft.transform.support import with_loops

PURE = (n.Cast, n.Binary, n.Unary, n.Compare, n.Select, n.Dim)
TRUE, FALSE = n.Const(True, PYBOOL), n.Const(False, PYBOOL)


def flags_apart(program: n.Program) -> n.Program:
    """Compute flags of nests after the nests, where they depend on no array."""
    if not any(_flags(s) for s in walk(program.body) if isinstance(s, n.For)):
        return program
    copies = Copies(program)

    def change(loop: n.For) -> tuple[n.Statement, ...] | None:
        found = {flag: apart for flag in _flags(loop) if (apart := _apart(loop, flag, copies))}
        results = (copies.names.fresh(r.stem, r.type) if r in found else r for r in loop.results)
        rest = [statement for apart in found.values() for statement in apart]
        return (replace(loop, results=tuple(results)), *rest) if found else None

    body = with_loops(program.body, change)
    return program if body is program.body else dce(replace(program, body=body))


def _flags(loop: n.For) -> list[n.Var]:
    """Results of a loop around others: Booleans that stay true, which it hands on beside something else."""
    if loop.exit is not None or len(loop.args) < 2 or not any(isinstance(s, n.For) for s in walk(loop.body)):
        return []
    carried = zip(loop.args, loop.body.yields, loop.results, strict=True)
    return [r for arg, last, r in carried if r.type == PYBOOL and _stays_true(loop.body, arg.var, last)]


def _stays_true(block: n.Block, flag: n.Var, last: n.Atom) -> bool:
    """Whether a Boolean of a block is true wherever another one is."""
    if last in (flag, TRUE):
        return True
    for statement in block.statements:
        if isinstance(statement, n.Let) and statement.var == last:
            value = statement.value
            is_either = isinstance(value, n.Binary) and value.op == "or"
            return is_either and any(_stays_true(block, flag, side) for side in atoms_of(value))
        if isinstance(statement, n.For) and last in statement.results:
            place, inner = [*statement.results].index(last), statement.body  # type: ignore[arg-type]
            arg = statement.args[place]
            return _stays_true(block, flag, arg.init) and _stays_true(inner, arg.var, inner.yields[place])
    return False


def _apart(loop: n.For, flag: n.Var, copies: Copies) -> tuple[n.Statement, ...]:
    """A loop that computes a flag and nothing else, and ends where it is true; nothing where it would read an array."""
    only = cleaned(n.Block((loop,), (flag,)), effects=False)
    loops = [s for s in walk(only) if isinstance(s, n.For)]
    lets = [s for s in walk(only) if isinstance(s, n.Let)]
    is_pure = len(loops) + len(lets) == len(list(walk(only))) and all(isinstance(s.value, PURE) for s in lets)
    if not is_pure or any(len(s.args) > 1 for s in loops):
        return ()
    made = rewrite(copies.block(only), lambda s: _ending(s, copies.names) if isinstance(s, n.For) else s)
    *before, nest = made.statements
    assert isinstance(nest, n.For)
    return (*before, replace(nest, results=(flag, *nest.results[1:])))


def _ending(loop: n.For, names: Names) -> tuple[n.Statement, ...]:
    """A loop that carries a Boolean, which ends where that is true."""
    begins, goes, again, left = (names.fresh("goes", PYBOOL) for _ in range(4))
    (arg,), (last,) = loop.args, loop.body.yields
    body = n.Block((*loop.body.statements, n.Let(again, n.Compare("eq", last, FALSE))), (last, again))
    args, results = (arg, n.LoopArg(goes, begins)), (*loop.results, left)
    ending = replace(loop, body=body, args=args, results=results, exit=1, claim="range", location=ADDED)
    return n.Let(begins, n.Compare("eq", arg.init, FALSE)), ending
