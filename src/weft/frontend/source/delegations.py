"""``yield from`` as a statement, written as the loop that it is where nobody sends to the generator."""

from __future__ import annotations

import ast

ITEM = "__item"


def without_delegations(tree: ast.AST) -> None:
    """Write ``yield from items`` as ``for item in items: yield item``, in place."""
    _Rewriter().visit(tree)


class _Rewriter(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """A statement."""
        if not isinstance(node.value, ast.YieldFrom):
            return node
        item = ast.Expr(ast.Yield(ast.Name(ITEM, ast.Load())))
        loop = ast.For(ast.Name(ITEM, ast.Store()), node.value.value, [item], [])
        for inner in ast.walk(loop):
            if isinstance(inner, (ast.expr, ast.stmt)) and not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        return loop
