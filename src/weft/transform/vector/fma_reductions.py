"""Fuse: a product that a proven sum adds to what it carries becomes a fused multiply-add.

The sum may be re-associated already, and one rounding less is no less exact. Nothing else is ever contracted: an
element-wise result stays the one that NumPy gives.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of, rewrite, walk
from weft.transform.support import on_blocks


def fma_reductions(program: n.Program) -> n.Program:
    """Contract the products in proven sums."""
    return on_blocks(program, lambda block: rewrite(block, lambda s: fused(s) if isinstance(s, n.For) else s))


def fused(loop: n.For) -> n.For:
    """A loop with the products in its proven sums contracted."""
    sums = {arg.var.name: value for arg, value in zip(loop.args, loop.body.yields, strict=True) if arg.combine == "add"}
    if not sums:
        return loop
    uses = Counter(_used(loop.body))
    lets = {s.var.name: s.value for s in loop.body.statements if isinstance(s, n.Let)}
    changes: dict[str, n.Fma] = {}
    for carried, value in sums.items():
        made = lets.get(value.name) if isinstance(value, n.Var) else None
        fused = _contracted(made, carried, lets, uses) if isinstance(made, n.Binary) and made.op == "add" else None
        if fused is not None:
            assert isinstance(value, n.Var)
            changes[value.name] = fused
    if not changes:
        return loop
    statements = tuple(
        replace(s, value=changes[s.var.name]) if isinstance(s, n.Let) and s.var.name in changes else s
        for s in loop.body.statements
    )
    return replace(loop, body=replace(loop.body, statements=statements))


def _contracted(add: n.Binary, carried: str, lets: dict[str, n.Expression], uses: Counter[str]) -> n.Fma | None:
    """The sum as one operation, where one side is what is carried and the other a product that nobody else uses."""
    if not isinstance(add.left.type, Scalar) or add.left.type.kind != "f" or add.left.type.bits < 32:
        return None
    for total, product in ((add.left, add.right), (add.right, add.left)):
        if not isinstance(total, n.Var) or not isinstance(product, n.Var) or total.name != carried:
            continue
        made = lets.get(product.name)
        if isinstance(made, n.Binary) and made.op == "mul" and uses[product.name] == 1:
            return n.Fma(made.left, made.right, total)
    return None


def _used(block: n.Block) -> list[str]:
    found = [a.name for a in block.yields if isinstance(a, n.Var)]
    for statement in walk(block):
        found += [a.name for a in atoms_of(statement) if isinstance(a, n.Var)]
        for inner in blocks_of(statement):
            found += [a.name for a in inner.yields if isinstance(a, n.Var)]
    return found
