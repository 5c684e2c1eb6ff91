"""Extents: assumes that arrays which change places, as in ``u, v = v, u``, have the same shape.

Their extents are then the same in all iterations, so that bounds and regions need not be asked anew in each. Arguments
of different shapes run the checked variant.

Assumes nothing; tests at the call what it says. Says nothing of parts of arrays, which may be of any shape.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.analysis.access.structure import Structure
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, View
from weft.ir.visit import Names, walk
from weft.transform.emit import Emitter
from weft.transform.support import assume, ranges_of


def extents(program: n.Program) -> n.Program:
    """Assume that arguments which loops carry in turn have the same shape."""
    ranges = ranges_of(program)
    names = Names.of(program)
    structure = Structure([p.var for p in program.params], n.Block())
    emitter = Emitter(structure, structure.root, 0, names, program.location)
    condition: n.Atom = n.Const(True, PYBOOL)
    for first, other, axis in dict.fromkeys(_pairs(program, ranges)):
        left, right = (emitter.let(n.Dim(array, axis)) for array in (first, other))
        condition = emitter.both((condition, emitter.compare("eq", left, right)))
    return assume(program, tuple(emitter.statements), condition, names)


def _pairs(program: n.Program, ranges: Ranges) -> Iterator[tuple[n.Var, n.Var, int]]:
    """Two parameters that a loop argument may be, and an axis on which they are not known to agree."""
    params = [p.var for p in program.params]
    for statement in walk(program.body):
        for arg in statement.args if isinstance(statement, (n.For, n.While)) else ():
            arrays = ranges.aliases.whole_arrays(arg.var) if isinstance(arg.var.type, View) else []
            given = [param for param in params if param in arrays]
            for other in given[1:]:
                assert isinstance(other.type, View)
                yield from ((given[0], other, axis) for axis in range(other.type.ndim))
