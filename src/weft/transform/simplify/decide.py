"""Decide: comparisons of integers whose outcome is proven become constants.

``if i > 0`` in a loop from 1 on, a test of an extent that the loop's bounds imply, and so on. The proofs are those of
`weft.analysis.values.ranges`. The branches themselves go when `fold` runs next.
"""

from __future__ import annotations

from weft.analysis.access.structure import Region
from weft.analysis.values.forms import is_integer
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.visit import rewrite, substitute
from weft.transform.support import for_each_body


def decide(program: n.Program) -> n.Program:
    """Replace comparisons that always come out the same."""
    return for_each_body(program, _decided)


def _decided(body: n.Block, ranges: Ranges) -> n.Block:
    known: dict[str, n.Atom] = {}
    for region in ranges.structure.regions():
        for statement in region.block.statements:
            if isinstance(statement, n.Let) and isinstance(statement.value, n.Compare):
                outcome = _outcome(statement, statement.value, ranges, region)
                if outcome is not None:
                    known[statement.var.name] = n.Const(outcome, statement.var.type)
    if not known:
        return body
    return substitute(rewrite(body, lambda s: () if isinstance(s, n.Let) and s.var.name in known else s), known)


def _outcome(statement: n.Let, value: n.Compare, ranges: Ranges, region: Region) -> bool | None:
    if not is_integer(value.left.type) or not is_integer(value.right.type):
        return None
    if ranges.proves(statement.var, region):
        return True
    return False if ranges.refutes(statement.var, region) else None
