"""In a program for a device, parallel loops that stay on the host are shaped for the processor.

A placed program has copies, launches and waits between its loops, which passes for processors do not expect. So each
loop is shaped as a program of its own, whose parameters are what the loop uses.

Not done: loops that use a part of an array under another name, which may overlap something else that they use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import free_variables, launches_in, substitute, walk
from weft.transform.peel import Copies
from weft.transform.support import spliced


def shape_host_loops(program: n.Program, shape: Callable[[n.Program], n.Program]) -> n.Program:
    """Shape the parallel loops of the host, each by itself.

    Parameters
    ----------
    program
        What `weft.plan.place` gave.
    shape
        Shapes a program for the processor, as `weft.transform.pipeline.for_cpu` does.
    """
    copies, results = Copies(program), dict[str, n.Atom]()
    own = {param.var.name for param in program.params}
    own |= {s.var.name for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}

    def change(statement: n.Statement, path: object) -> tuple[n.Statement, ...] | None:
        if isinstance(statement, n.Launch):
            return (statement,)
        if not isinstance(statement, n.For) or statement.mapping != "parallel":
            return None
        block = n.Block((statement,), statement.results)
        used = free_variables(block)
        if any(launches_in(block)) or any(isinstance(v.type, View) and v.name not in own for v in used):
            return None
        shaped = copies.block(shape(_alone(program, block, used)).body)
        results.update({r.name: y for r, y in zip(statement.results, shaped.yields, strict=True)})
        return shaped.statements

    body = spliced(program.body, change)
    return program if body is program.body else replace(program, body=substitute(body, results))


def _alone(program: n.Program, block: n.Block, used: tuple[n.Var, ...]) -> n.Program:
    """A block as the body of a program, of which what it uses are parameters."""
    known = {param.var for param in program.params}
    others = [n.Param(var, n.Source("argument", var.name)) for var in used if var not in known]
    returns = n.Returns("tuple", tuple(n.Returns("leaf") for _ in block.yields))
    return replace(program, params=(*program.params, *others), body=block, returns=returns, writes=(), needs=None)
