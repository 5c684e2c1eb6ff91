"""Contract: under ``fastmath=True`` a product that is added or subtracted becomes a fused multiply-add.

For products that nobody else uses and that stand in the same block. The sums that a parallel loop folds are left to
`weft.transform.vector.fma_reductions`, which contracts them always.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import Names, atoms_of, blocks_of, walk, with_blocks
from weft.transform.support import on_blocks


def fma_contract(program: n.Program) -> n.Program:
    """Contract products and sums of floats."""
    names = Names.of(program)
    return on_blocks(program, lambda block: _Contraction(block, names).block(block))


class _Contraction:
    def __init__(self, body: n.Block, names: Names) -> None:
        self.names = names
        self.uses = Counter(_used(body))
        loops = (s for s in walk(body) if isinstance(s, n.For))
        self.folded = {arg.var.name for loop in loops for arg in loop.args if arg.combine is not None}

    def block(self, block: n.Block) -> n.Block:
        """The block with its products contracted."""
        products: dict[str, n.Binary] = {}
        statements: list[n.Statement] = []
        for statement in block.statements:
            inner = blocks_of(statement)
            if inner:
                statement = with_blocks(statement, tuple(self.block(b) for b in inner))
            made = statement.value if isinstance(statement, n.Let) else None
            if isinstance(statement, n.Let) and isinstance(made, n.Binary) and _is_float(statement.var):
                if made.op == "mul" and self.uses[statement.var.name] == 1:
                    products[statement.var.name] = made
                statements += self._contracted(statement, made, products)
            else:
                statements.append(statement)
        gone = {name for name in products if name not in self.uses}
        kept = tuple(s for s in statements if not (isinstance(s, n.Let) and s.var.name in gone))
        return replace(block, statements=kept)

    def _contracted(self, let: n.Let, made: n.Binary, products: dict[str, n.Binary]) -> list[n.Statement]:
        sides = (made.left, made.right)
        if made.op not in ("add", "sub") or any(isinstance(a, n.Var) and a.name in self.folded for a in sides):
            return [let]
        for product, other in (sides, sides[::-1]):
            found = products.get(product.name) if isinstance(product, n.Var) else None
            if found is not None and isinstance(product, n.Var) and product != other:
                del self.uses[product.name]
                return self._fused(let, found, other, made.op == "sub", product is made.left)
        return [let]

    def _fused(self, let: n.Let, product: n.Binary, other: n.Atom, minus: bool, first: bool) -> list[n.Statement]:
        """``a * b + c``, with a minus before `c` or, where the product comes second, before it."""
        if not minus:
            return [replace(let, value=n.Fma(product.left, product.right, other))]
        negated = self.names.fresh("t", let.var.type)
        operand = other if first else product.left
        negation = n.Let(negated, n.Unary("neg", operand, False), let.location)
        value = n.Fma(product.left, product.right, negated) if first else n.Fma(negated, product.right, other)
        return [negation, replace(let, value=value)]


def _is_float(var: n.Var) -> bool:
    return isinstance(var.type, Scalar) and var.type.kind == "f" and var.type.bits >= 32


def _used(block: n.Block) -> list[str]:
    """Every use of a variable in a block."""
    found = [a.name for a in block.yields if isinstance(a, n.Var)]
    for statement in block.statements:
        found += [a.name for a in atoms_of(statement) if isinstance(a, n.Var)]
        for inner in blocks_of(statement):
            found += _used(inner)
    return found
