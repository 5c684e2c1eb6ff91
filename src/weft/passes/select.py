"""Select: a branch that only chooses between cheap values computes both and chooses.

Both sides may hold a few operations that cannot raise, and no access to memory: an access may be inside its array only
where the branch is taken. Values that are not defined yet are left alone. Branches that choose views stay.
"""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.effects import is_speculative
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of, rewrite
from weft.passes.support import on_blocks

MOST_OPERATIONS = 8
_COSTLY = frozenset({"truediv", "floordiv", "mod", "pow"})


def select(program: n.Program) -> n.Program:
    """Replace small branches by selections."""
    return on_blocks(program, _selected)


def _selected(block: n.Block) -> n.Block:
    undefined = undefined_names(block)
    return rewrite(block, lambda s: _flattened(s, undefined) if isinstance(s, n.If) else s)


def _flattened(statement: n.If, undefined: set[str]) -> n.Statement | tuple[n.Statement, ...]:
    sides = (*statement.then.statements, *statement.orelse.statements)
    if not statement.results or not all(isinstance(r.type, Scalar) for r in statement.results):
        return statement
    if len(sides) > MOST_OPERATIONS or not all(_is_cheap(s, undefined) for s in sides):
        return statement
    chosen = (
        n.Let(result, n.Select(statement.condition, then, orelse), statement.location)
        for result, then, orelse in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True)
    )
    return (*sides, *chosen)


def _is_cheap(statement: n.Statement, undefined: set[str]) -> bool:
    if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
        return False
    value = statement.value
    if isinstance(value, n.Math) or (isinstance(value, n.Binary) and value.op in _COSTLY):
        return False
    if any(isinstance(a, n.Var) and a.name in undefined for a in atoms_of(value)):
        return False
    return is_speculative(value, statement.var.type)


def undefined_names(block: n.Block) -> set[str]:
    """Variables that may hold a value that was never given: they may be moved about, and not computed with."""
    found: set[str] = set()
    while True:
        before = len(found)
        _find_undefined(block, found)
        if len(found) == before:
            return found


def _find_undefined(block: n.Block, found: set[str]) -> None:
    def spread(targets: tuple[n.Var, ...], sources: tuple[n.Atom, ...]) -> None:
        for target, source in zip(targets, sources, strict=True):
            if isinstance(source, n.Var) and source.name in found:
                found.add(target.name)

    for statement in block.statements:
        if isinstance(statement, n.Let):
            if isinstance(statement.value, n.Undefined):
                found.add(statement.var.name)
            elif isinstance(statement.value, n.Select):
                spread((statement.var,) * 2, (statement.value.then, statement.value.orelse))
        elif isinstance(statement, (n.For, n.While)):
            args = tuple(a.var for a in statement.args)
            spread(args, tuple(a.init for a in statement.args))
            for inner in blocks_of(statement):
                _find_undefined(inner, found)
            spread(args, statement.body.yields)
            spread(statement.results, args)
        elif isinstance(statement, n.If):
            for inner in blocks_of(statement):
                _find_undefined(inner, found)
                spread(statement.results, inner.yields)
