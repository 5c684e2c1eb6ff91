"""Which values differ between the lanes of a loop, and which are the same in all of them."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of


class Divergence:
    """The values of a loop's body that differ between its iterations, run side by side.

    Attributes
    ----------
    varying
        Names of variables that may differ between lanes.
    divergent
        Labels of loops whose lanes may leave them at different times, and positions of branches on varying conditions.
    """

    def __init__(self, loop: n.For) -> None:
        self.varying: set[str] = {loop.index.name, *(a.var.name for a in loop.args)}
        while True:
            before = len(self.varying)
            self._block(loop.body, False)
            if len(self.varying) == before:
                return

    def differs(self, atom: n.Atom) -> bool:
        """Whether an atom may differ between lanes."""
        return isinstance(atom, n.Var) and atom.name in self.varying

    def loop_diverges(self, loop: n.For | n.While) -> bool:
        """Whether lanes may leave a loop at different times."""
        if isinstance(loop, n.While):
            return self.differs(loop.condition.yields[0])
        if self.differs(loop.start) or self.differs(loop.stop):
            return True
        return loop.exit is not None and (
            self.differs(loop.args[loop.exit].init) or self.differs(loop.body.yields[loop.exit])
        )

    def _block(self, block: n.Block, apart: bool) -> None:
        """Walk a block; `apart` says that not all lanes may be in it."""
        for statement in block.statements:
            if isinstance(statement, n.Let):
                masked = apart and isinstance(statement.value, n.Load)
                scalar = isinstance(statement.var.type, Scalar)
                if scalar and (masked or any(map(self.differs, atoms_of(statement.value)))):
                    self.varying.add(statement.var.name)
            elif isinstance(statement, n.If):
                self._if(statement, apart)
            elif isinstance(statement, (n.For, n.While)):
                self._loop(statement, apart)

    def _if(self, statement: n.If, apart: bool) -> None:
        splits = self.differs(statement.condition)
        for block in blocks_of(statement):
            self._block(block, apart or splits)
        for result, then, orelse in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
            if splits or self.differs(then) or self.differs(orelse):
                self.varying.add(result.name)

    def _loop(self, loop: n.For | n.While, apart: bool) -> None:
        diverges = self.loop_diverges(loop)
        for block in blocks_of(loop):
            self._block(block, apart or diverges)
        if isinstance(loop, n.For) and (self.differs(loop.start) or self.differs(loop.stop)):
            self.varying.add(loop.index.name)
        for arg, result, value in zip(loop.args, loop.results, loop.body.yields, strict=True):
            # Lanes that are still in a loop are all in the same iteration of it; only after it do they differ.
            differs = self.differs(arg.init) or self.differs(value)
            if differs:
                self.varying.add(arg.var.name)
            if differs or diverges:
                self.varying.add(result.name)
