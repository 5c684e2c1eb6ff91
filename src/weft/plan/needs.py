"""How much memory of a device a program needs at least, beside what is there before: that of its largest launch.

Whatever the present kernel does not use can make room for what it does, so the arrays of each launch have to fit, and
no more. The arguments of a call are counted by who calls; here are the launches that use arrays which the program makes
itself. `Program.needs` computes the bytes from the parameters, so that a call which has no room for them can run in
slabs before anything is done.

Not counted are arrays whose extents depend on elements, or on counters of loops. Launches that a test leaves out are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT, View
from weft.ir.visit import Names, launches_in, walk
from weft.plan.transfers.memory_spaces import without_kernels
from weft.schedule.writing import Writing

WASTE = 16
"""The pool rounds places up by one part in so many at most."""

WASTE_BYTES = 320
"""Bytes beside every place that are not its array's, for its alignment."""

_COMPUTED = ("add", "sub", "mul", "min", "max", "floordiv")


def needs_of(program: n.Program, names: Callable[[], Names]) -> n.Block | None:
    """How many bytes of a device the largest launch needs; None where no kernel uses arrays that the program makes.

    Parameters
    ----------
    program
        With launches in it; what they copy does not matter.
    names
        Where variables get their names.
    """
    program = without_kernels(program)
    lets = [s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)]
    launches = list(launches_in(program.body))
    if not lets or not launches:
        return None
    structure = Structure.of(program)
    aliases = Aliases(structure, program.overlaps)
    made = {let.var.name for let in lets}
    used = [frozenset().union(*map(aliases.roots, _views(launch))) for launch in launches]
    arrays = dict.fromkeys(roots for roots in used if roots & made and not any(roots < other for other in used))
    if not arrays:
        return None
    extents = _Extents(Writing(names(), program.location), aliases)
    total, *others = (extents.bytes(sorted(roots)) for roots in arrays)
    for other in others:
        total = extents.write.op("max", total, other, "needs")
    return n.Block(tuple(extents.write.statements), (total,))


def _views(launch: n.Launch) -> list[n.Var]:
    """The arrays of a launch that need a place on the device."""
    views = (a for a in launch.operands if isinstance(a, n.Var) and isinstance(a.type, View))
    return [v for v in views if isinstance(v.type, View) and v.type.memory == HOST]


class _Extents:
    """Computes integers of a program from its parameters alone; what is not known so is None."""

    def __init__(self, write: Writing, aliases: Aliases) -> None:
        self.write = write
        self._aliases = aliases
        self._known: dict[str, n.Atom | None] = {}
        self._sizes: dict[str, n.Atom] = {}

    def bytes(self, names: Iterable[str]) -> n.Atom:
        """The bytes of some arrays together, and what their places take beside them."""
        total: n.Atom = n.Const(0)
        for name in names:
            if name not in self._sizes:
                self._sizes[name] = self._bytes(self._aliases.structure.definition(name).var)
            total = self.write.op("add", total, self._sizes[name], "needs")
        return total

    def _bytes(self, view: n.Var) -> n.Atom:
        assert isinstance(view.type, View)
        extents = [self._extent(view, axis) for axis in range(view.type.ndim)]
        size: n.Atom = n.Const(view.type.element.size)
        for extent in extents:
            if extent is None:
                return n.Const(0)
            size = self.write.op("mul", size, extent, "size")
        beside = self.write.op("add", self.write.op("floordiv", size, WASTE), WASTE_BYTES)
        return self.write.op("add", size, beside, "size")

    def _extent(self, view: n.Var, axis: int) -> n.Atom | None:
        """An extent of an array; arrays that change places have the same ones."""
        wholes = self._aliases.whole_arrays(view)
        if not wholes:
            return None
        definitions = [self._aliases.structure.definition(whole) for whole in wholes]
        parameters = [whole for whole, d in zip(wholes, definitions, strict=True) if d.kind == "parameter"]
        if parameters:
            return self.write.let(n.Dim(parameters[0], axis), PYINT, "extent")
        definition = definitions[0]
        return self._atom(definition.value.shape[axis]) if isinstance(definition.value, n.Alloc) else None

    def _atom(self, atom: n.Atom) -> n.Atom | None:
        if isinstance(atom, n.Const):
            return atom
        if atom.name not in self._known:
            self._known[atom.name] = None  # an extent of an array made in a loop may be that of the one before it
            self._known[atom.name] = self._value(atom)
        return self._known[atom.name]

    def _value(self, var: n.Var) -> n.Atom | None:
        definition = self._aliases.structure.definition(var)
        if definition.kind == "parameter":
            return var
        value = definition.value
        if isinstance(value, n.Dim):
            return self._extent(value.view, value.axis)
        if isinstance(value, n.Cast) and var.type == PYINT:
            operand = self._atom(value.operand)
            return None if operand is None else self.write.let(n.Cast(operand, checked=False), PYINT)
        if isinstance(value, n.Binary) and value.op in _COMPUTED and var.type == PYINT:
            return self._binary(value.op, [self._atom(value.left), self._atom(value.right)])
        return None

    def _binary(self, op: n.BinaryOp, operands: Sequence[n.Atom | None]) -> n.Atom | None:
        left, right = operands
        if left is None or right is None:
            return None
        if op == "floordiv" and not isinstance(right, n.Const):
            right = self.write.op("max", right, 1)  # a program that divides by zero ends before it needs anything
        return None if right == n.Const(0) and op == "floordiv" else self.write.op(op, left, right)
