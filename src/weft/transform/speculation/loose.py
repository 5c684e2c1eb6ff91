"""What was proven of a loop's integers holds where nothing raises. Where lanes go on after a failure, it need not.

A value is *loose* if it depends on an operation that may have failed. An element whose index is loose, or that is read
where a loose condition led, may lie outside although it was proven to be inside; a divisor may be zero. Processors end
the program there, so these are tested again.
"""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise, may_raise
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of
from weft.transform.scan.speculative_copy import Unsuited


def doubtful(loop: n.For) -> frozenset[str]:
    """Names of what a loop loads or divides safely only where nothing before has failed.

    Raises
    ------
    Unsuited
        A view would have to be tested.
    """
    search = _Search()
    while True:
        before = len(search.loose)
        search.block(loop.body, False)
        if len(search.loose) == before:
            return frozenset(search.doubtful)


class _Search:
    """Goes through a body again and again until no more loose values are found."""

    def __init__(self) -> None:
        self.loose: set[str] = set()
        self.doubtful: set[str] = set()

    def block(self, block: n.Block, apart: bool) -> None:
        """Walk a block; `apart` says that a failure may have led into it."""
        for statement in block.statements:
            if isinstance(statement, n.Let):
                self._let(statement, apart)
            elif isinstance(statement, n.If):
                self._if(statement, apart)
            elif isinstance(statement, (n.For, n.While)):
                self._loop(statement, apart)

    def _is_loose(self, atom: n.Atom) -> bool:
        return isinstance(atom, n.Var) and atom.name in self.loose

    def _let(self, let: n.Let, apart: bool) -> None:
        value = let.value
        fails, from_loose = may_raise(value, let.var.type), any(map(self._is_loose, atoms_of(value)))
        if apart or from_loose:
            if not isinstance(let.var.type, Scalar):
                raise Unsuited
            if isinstance(value, n.Load) or _divides_by_variable(value):
                self.doubtful.add(let.var.name)
        if fails or (from_loose and not (isinstance(value, n.Compare) and _kind(value.left) == "f")):
            self.loose.add(let.var.name)

    def _if(self, branch: n.If, apart: bool) -> None:
        loose = self._is_loose(branch.condition)
        for block in blocks_of(branch):
            self.block(block, apart or loose)
        for result, *yields in zip(branch.results, *(b.yields for b in blocks_of(branch)), strict=True):
            if loose or any(map(self._is_loose, yields)):
                self.loose.add(result.name)

    def _loop(self, loop: n.For | n.While, apart: bool) -> None:
        bounds = (loop.start, loop.stop) if isinstance(loop, n.For) else loop.condition.yields
        loose = any(map(self._is_loose, bounds))
        if loose and isinstance(loop, n.For):
            self.loose.add(loop.index.name)
        for block in blocks_of(loop):
            self.block(block, apart or loose)
        left_early = isinstance(loop, n.While) or loop.exit is not None or block_may_raise(loop.body)
        for arg, result, value in zip(loop.args, loop.results, loop.body.yields, strict=True):
            if self._is_loose(arg.init) or self._is_loose(value):
                self.loose.update((arg.var.name, result.name))
            elif loose or left_early:
                self.loose.add(result.name)


def _divides_by_variable(value: n.Expression) -> bool:
    if not isinstance(value, n.Binary) or value.op not in ("floordiv", "mod"):
        return False
    return _kind(value.left) == "i" and not isinstance(value.right, n.Const)


def _kind(atom: n.Atom) -> str:
    return atom.type.kind if isinstance(atom.type, Scalar) else ""
