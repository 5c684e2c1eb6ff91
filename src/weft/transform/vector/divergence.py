"""Which values differ between the lanes of a loop, and which are the same in all of them."""

from __future__ import annotations

from weft.ir import nodes as n
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, blocks_of, walk

MOST_PRIVATE = 64
"""Elements of the largest array of which each lane has one: with all lanes, it has to stay in the first cache."""


class Divergence:
    """The values of a loop's body that differ between its iterations, run side by side.

    Attributes
    ----------
    varying
        Names of variables that may differ between lanes.
    private
        Names of small arrays that each iteration makes for itself, and of which it only loads and stores elements.
    divergent
        Labels of loops whose lanes may leave them at different times, and positions of branches on varying conditions.
    """

    def __init__(self, loop: n.For) -> None:
        self.private = frozenset(_private(loop))
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
                value = statement.value
                apart_here = isinstance(value, n.Load) and (apart or value.view.name in self.private)
                scalar = isinstance(statement.var.type, Scalar)
                if scalar and (apart_here or any(map(self.differs, atoms_of(statement.value)))):
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


def _private(loop: n.For) -> set[str]:
    lets = (s for s in walk(loop.body) if isinstance(s, n.Let))
    made = {s.var.name for s in lets if isinstance(s.value, n.Alloc) and _is_small(s.value)}
    used: set[str] = set()
    for statement in walk(loop.body) if made else ():
        value = statement.value if isinstance(statement, n.Let) else statement
        atoms = list(atoms_of(value))
        if isinstance(value, (n.Load, n.Store)) and value.bounds == "safe" and value.mask is None:
            atoms = [a for a in atoms if a != value.view]
        used.update(a.name for a in atoms if isinstance(a, n.Var) and isinstance(a.type, View))
        used.update(
            y.name for b in blocks_of(statement) for y in b.yields if isinstance(y, n.Var) and isinstance(y.type, View)
        )
    return made - used


def _is_small(value: n.Alloc) -> bool:
    """Whether an array has few elements, known beforehand, that are numbers as processors have them in vectors."""
    if value.memory or not all(isinstance(extent, n.Const) for extent in value.shape):
        return False
    if not isinstance(value.element, Scalar) or value.element.kind not in "iuf" or value.element.size < 4:
        return False
    if value.fill is not None and not isinstance(value.fill, n.Const):
        return False
    elements = 1
    for extent in value.shape:
        assert isinstance(extent, n.Const) and isinstance(extent.value, int)
        elements *= max(extent.value, 0)
    return 0 < elements <= MOST_PRIVATE
