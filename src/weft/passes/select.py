"""Select: a branch that only chooses between cheap values computes both and chooses.

Both sides may hold a few operations that cannot raise, and no access to memory: an access may be inside its array only
where the branch is taken. Values that are not defined yet are left alone. Branches that choose views stay.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.ranges import Ranges
from weft.analysis.structure import Region
from weft.ir import nodes as n
from weft.ir.effects import is_speculative
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of, with_blocks
from weft.passes.support import for_each_body
from weft.passes.unchecked import Proofs

MOST_OPERATIONS = 8
_COSTLY = frozenset({"truediv", "floordiv", "mod", "pow"})


def select(program: n.Program) -> n.Program:
    """Replace small branches by selections."""
    return for_each_body(program, lambda body, ranges: _Selector(body, ranges).block(ranges.structure.root))


class _Selector:
    def __init__(self, body: n.Block, ranges: Ranges) -> None:
        self.undefined = undefined_names(body)
        self.proofs = Proofs(ranges)

    def block(self, region: Region) -> n.Block:
        """The block of a region with its branches replaced, inner ones first."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            new = tuple(map(self.block, inner))
            if any(a is not r.block for a, r in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            if isinstance(statement, n.If):
                statements.extend(self._flattened(statement, region))
            else:
                statements.append(statement)
        same = len(statements) == len(region.block.statements)
        if same and all(a is b for a, b in zip(statements, region.block.statements, strict=True)):
            return region.block
        return replace(region.block, statements=tuple(statements))

    def _flattened(self, statement: n.If, region: Region) -> tuple[n.Statement, ...]:
        sides = (*statement.then.statements, *statement.orelse.statements)
        if not statement.results or not all(isinstance(r.type, Scalar) for r in statement.results):
            return (statement,)
        if len(sides) > MOST_OPERATIONS or not all(self._is_cheap(s, region) for s in sides):
            return (statement,)
        yields = zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True)
        chosen = (n.Let(r, n.Select(statement.condition, a, b), statement.location) for r, a, b in yields)
        return (*sides, *chosen)

    def _is_cheap(self, statement: n.Statement, region: Region) -> bool:
        if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
            return False
        value = statement.value
        if isinstance(value, n.Math) or (isinstance(value, n.Binary) and value.op in _COSTLY):
            return False
        if any(isinstance(a, n.Var) and a.name in self.undefined for a in atoms_of(value)):
            return False
        type = statement.var.type
        return is_speculative(value, type) or self.proofs.cannot_raise(value, type, region)


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
