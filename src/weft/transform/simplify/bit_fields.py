"""Bit fields: bits that are moved down, masked and moved up again are moved once.

``((x >> 5) & 7) << 8`` becomes ``(x << 3) & (7 << 8)``, of integers of a fixed size, which lose what is moved out of
them: a bit that the mask keeps is the same bit of `x` either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import Names, rewrite, walk
from weft.transform.simplify.dce import dce
from weft.transform.support import on_blocks


def bit_fields(program: n.Program) -> n.Program:
    """Move bits by one shift in place of two."""
    names = Names.of(program)
    changed = on_blocks(program, lambda block: _moved_once(block, names))
    return program if changed is program else dce(changed)


def _moved_once(block: n.Block, names: Names) -> n.Block:
    lets = (s for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Binary))
    definitions = {let.var.name: let.value for let in lets if isinstance(let.value, n.Binary)}

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Binary):
            return statement
        return _field(statement, statement.value, definitions, names)

    return rewrite(block, change) if definitions else block


def _field(
    let: n.Let, value: n.Binary, definitions: Mapping[str, n.Binary], names: Names
) -> n.Statement | tuple[n.Statement, ...]:
    """A shift as a shift and a mask, where it moves masked bits back that were moved before."""
    kind = let.var.type
    if not isinstance(kind, Scalar) or kind.kind not in "iu" or kind.weak:
        return let
    up = _operand(value, "shl", kind)
    masked = _operand(definitions.get(up[0].name), "and", kind) if up else None
    down = _operand(definitions.get(masked[0].name), "shr", kind) if masked else None
    if up is None or masked is None or down is None:
        return let
    (_, high), (_, mask), (source, low) = up, masked, down
    places = kind.bits - (kind.kind == "i")
    if not high < kind.bits or not low < kind.bits or mask << high >= 1 << places:
        return let
    op: n.BinaryOp = "shl" if high >= low else "shr"
    moved = n.Let(
        names.fresh("t", kind), n.Binary(op, source, n.Const(abs(high - low), kind), checked=False), let.location
    )
    return moved, replace(let, value=n.Binary("and", moved.var, n.Const(mask << high, kind), checked=False))


def _operand(value: n.Binary | None, op: n.BinaryOp, kind: Scalar) -> tuple[n.Var, int] | None:
    """The variable and the constant, no less than zero, of an operation on integers of one type."""
    if value is None or value.op != op or {value.left.type, value.right.type} != {kind}:
        return None
    variable, number = value.left, value.right
    if op == "and" and isinstance(variable, n.Const):
        variable, number = number, variable
    if not isinstance(variable, n.Var) or not isinstance(number, n.Const) or not isinstance(number.value, int):
        return None
    return (variable, number.value) if number.value >= 0 else None
