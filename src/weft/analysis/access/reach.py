"""What the accesses of nested loops reach: six questions for whatever chooses, checks or lowers a schedule.

`stride`, `depends`, `reuse`, `distance`, `footprint` and `aligned` are answered from the access table, so from linear
forms and not from the syntax: ``u[1 + i]``, ``u[i + 1]`` and ``u[i - 1 + 2]`` get one answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Final

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.strides import Stride, axis_stride, stride
from weft.analysis.access.structure import Definition, Loop
from weft.analysis.access.views import Index
from weft.analysis.values.linear import Derived, Form, constant, moved_symbol
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import atoms_of

ALWAYS: Final = 1 << 30
"""The alignment of an offset that is always zero: it is a multiple of everything."""


@dataclass(frozen=True, eq=False)
class BlockBox:
    """The box of elements that some accesses touch for a block of neighbouring iterations.

    Attributes
    ----------
    array
        The array.
    accesses
        Accesses of it at constant distances from one another.
    extents
        The extent of the box on every axis of the array; None where the block does not tell.
    """

    array: n.Var
    accesses: tuple[Access, ...]
    extents: tuple[int | None, ...]


class Reach:
    """The answers about the accesses of a table, kept.

    Attributes
    ----------
    table
        The access table.
    """

    def __init__(self, table: AccessTable) -> None:
        self.table = table
        self._strides: dict[tuple[Access, Loop], Stride] = {}
        self._deciding: dict[str, frozenset[str]] = {}

    def loop(self, label: str) -> Loop:
        """The loop with a label."""
        return self.table.structure.loops[label]

    def access(self, statement: n.Statement) -> Access | None:
        """The access that a load, store or update makes."""
        return self._by_statement.get(id(statement))

    @cached_property
    def _by_statement(self) -> dict[int, Access]:
        return {id(a.site.statement): a for a in self.table.accesses if a.indices is not None}

    # ----------------------------------------------------------------------------------------- the six questions

    def stride(self, access: Access, loop: Loop) -> Stride:
        """How far apart the elements of neighbouring iterations of a loop are in memory."""
        if (access, loop) not in self._strides:
            self._strides[access, loop] = stride(self.table, access, loop)
        return self._strides[access, loop]

    def depends(self, access: Access) -> frozenset[str]:
        """The labels of the loops around an access whose iterations decide which element it is.

        Where it is not known how an element is chosen, all loops around the access may decide.
        """
        around = frozenset(loop.label for loop in access.loops)
        if access.indices is None:
            return around
        names = frozenset[str]().union(*(part.names for index in access.indices for part in _parts(index)))
        own = frozenset[str]().union(*(self._loops_of(name) for name in (*names, access.array.name)))
        return own & around

    def reuse(self, access: Access) -> tuple[Loop, ...]:
        """The loops around an access whose iterations touch one element again, outermost first."""
        depends = self.depends(access)
        return tuple(loop for loop in access.loops if loop.label not in depends)

    def distance(self, first: Access, second: Access) -> tuple[int, ...] | None:
        """How far a second access is from a first on every axis of their array, in one iteration of all loops around.

        None where they are of different arrays or fields, or not always equally far apart.
        """
        if first.array != second.array or first.fields != second.fields:
            return None
        if first.indices is None or second.indices is None or not self._are_plain((first, second)):
            return None
        found = [b.form - a.form for a, b in zip(first.indices, second.indices, strict=True)]
        values = tuple(form.value for form in found if form.value is not None)
        return values if len(values) == len(found) else None

    def footprint(self, accesses: Iterable[Access], block: Mapping[str, int]) -> list[BlockBox]:
        """The boxes that accesses touch in a block of iterations.

        Parameters
        ----------
        accesses
            The accesses.
        block
            How many neighbouring iterations of loops a block has, by label; one of those that are not named.
        """
        groups: list[list[Access]] = []
        for access in accesses:
            near = next((group for group in groups if self.distance(group[0], access) is not None), None)
            if near is None:
                groups.append(near := [])
            near.append(access)
        return [BlockBox(group[0].array, tuple(group), self._extents(group, block)) for group in groups]

    def aligned(self, access: Access, multiples: Mapping[str, int] | None = None) -> int:
        """A number of bytes of which the offset of an access from the first element of its array is always a multiple.

        Parameters
        ----------
        access
            The access.
        multiples
            Numbers of which the counters of loops are multiples, by label.
        """
        if access.indices is None or not self._are_plain((access,)):
            return 1
        known = {self._counter(label): factor for label, factor in (multiples or {}).items()}
        found = 0
        for axis, index in enumerate(access.indices):
            found = gcd(found, _divisor(index.form, known) * self._axis_divisor(access, axis))
        return found or ALWAYS

    # ------------------------------------------------------------------------------------------ further questions

    def moved(self, access: Access) -> tuple[tuple[str, int] | None, ...]:
        """Every index as the counter of a loop and how far it is moved from there; None for an index that is not."""
        return tuple(self.counted(index) for index in access.indices or ())

    def counted(self, index: Index) -> tuple[str, int] | None:
        """The label of the loop whose counter an index is, and by how much it is moved; None where it is another."""
        if index.sign is not None:
            return None
        return self._counted(index.form)

    def of(self, atom: n.Atom) -> tuple[str, int] | None:
        """The same for an integer value."""
        return self._counted(self.table.forms.of(atom))

    def varies(self, atom: n.Atom) -> frozenset[str]:
        """The labels of the loops in whose iterations a value may differ."""
        return self._loops_of(atom.name) if isinstance(atom, n.Var) else frozenset()

    def is_along(self, access: Access, loop: Loop) -> bool:
        """Whether neighbouring iterations of a loop touch the next element of the last axis, and nothing else moves.

        Where indices may count from the end, so it is among those that do and among those that do not.
        """
        if not access.indices or not isinstance(loop.node, n.For):
            return False
        *outer, last = access.indices
        counter = loop.node.index.name
        return last.form.coefficient(counter).value == 1 and all(counter not in i.form.names for i in outer)

    def _counted(self, form: Form) -> tuple[str, int] | None:
        found = moved_symbol(form)
        label = None if found is None else self._counters.get(found[0])
        return None if found is None or label is None else (label, found[1])

    def _counter(self, label: str) -> str:
        node = self.loop(label).node
        return node.index.name if isinstance(node, n.For) else ""

    @cached_property
    def _counters(self) -> dict[str, str]:
        """The labels of loops by the names of their counters."""
        loops = self.table.structure.loops.values()
        return {loop.node.index.name: loop.label for loop in loops if isinstance(loop.node, n.For)}

    def _are_plain(self, accesses: Iterable[Access]) -> bool:
        """Whether no index counts from the end."""
        return all(index.sign is None for access in accesses for index in access.indices or ())

    def _extents(self, group: list[Access], block: Mapping[str, int]) -> tuple[int | None, ...]:
        first = group[0]
        apart = [self.distance(first, other) for other in group]
        extents: list[int | None] = []
        for axis, index in enumerate(first.indices or ()):
            found = [distance[axis] for distance in apart if distance is not None]
            grown = self._grown(index, first, block) if len(found) == len(group) else None
            extents.append(None if grown is None else 1 + grown + max(found) - min(found))
        return tuple(extents)

    def _grown(self, index: Index, access: Access, block: Mapping[str, int]) -> int | None:
        """How far an index runs over the iterations of a block; None where it may go anywhere."""
        total = 0
        for label, trips in block.items():
            step = index.form.coefficient(self._counter(label)).value
            others = (name for name in index.form.without(self._counter(label)).names)
            if trips < 2 or self.loop(label) not in access.loops:
                continue
            if step is None or any(label in self._loops_of(name) for name in others):
                return None
            total += abs(step) * (trips - 1)
        return total

    def _axis_divisor(self, access: Access, axis: int) -> int:
        """A number of which the stride of an axis is a multiple, in bytes."""
        assert isinstance(access.array.type, View)
        if access.fields and axis >= access.array.type.ndim:
            return 1
        unit = access.array.type.element.size if access.array.type.contiguous else 1
        found = axis_stride(self.table, access.array, axis)
        return abs(found.value) if found.value is not None else max(unit, _divisor(found, {}))

    # -------------------------------------------------------------------------------- which loops decide a value

    def _loops_of(self, name: str) -> frozenset[str]:
        """The labels of the loops in whose iterations a variable may differ."""
        if name not in self._deciding:
            self._deciding[name] = frozenset()  # what hands itself on is found by its loop
            definition = self.table.structure.definitions.get(name)
            found = frozenset[str]() if definition is None else frozenset(self._deciders(definition))
            self._deciding[name] = found
        return self._deciding[name]

    def _deciders(self, definition: Definition) -> Iterator[str]:
        statement = definition.statement
        if definition.kind == "index":
            yield from (loop.label for loop in definition.loops[-1:])
        elif definition.kind == "let" and isinstance(statement, n.Let):
            yield from self._let(definition, statement.value)
        else:  # what loops hand on and branches give may differ in every iteration around
            yield from (loop.label for loop in definition.loops)

    def _let(self, definition: Definition, value: n.Expression) -> Iterator[str]:
        is_integer = isinstance(definition.var, n.Var) and not isinstance(definition.var.type, View)
        form = self.table.forms.of(definition.var) if is_integer else None
        if form is not None and definition.var.name not in form.names and form != constant(0):
            names = form.names
        else:
            names = frozenset(a.name for a in atoms_of(value) if isinstance(a, n.Var))
        for name in names:
            yield from self._loops_of(name)
        if isinstance(value, (n.Load, n.Alloc)):
            yield from (loop.label for loop in definition.loops if self._is_changed(value, loop))

    def _is_changed(self, value: n.Load | n.Alloc, loop: Loop) -> bool:
        """Whether what is loaded, or made, may be another thing in every iteration of a loop."""
        if isinstance(value, n.Alloc):
            return True
        aliases = self.table.aliases
        return not aliases.roots(value.view).isdisjoint(aliases.written(loop.body))


def _parts(index: Index) -> tuple[Form, ...]:
    return (index.form,) if index.sign is None else (index.form, index.sign, index.wrap)


def _divisor(form: Form, known: Mapping[str, int]) -> int:
    """A number of which a form is a multiple, where some symbols are multiples of numbers; 0 where it is zero."""
    found = 0
    for monomial, coefficient in form.terms.items():
        term = abs(coefficient)
        for name in monomial:
            term *= 1 if isinstance(name, Derived) else known.get(name, 1)
        found = gcd(found, term)
    return found


# ------------------------------------------------------------------------------------------------------ kernels

KEPT = 8
"""Kernels whose answers are kept: schedules ask about one kernel many times, and sometimes about a draft of it."""

_known: tuple[tuple[n.Kernel, Reach], ...] = ()


def reach_of(kernel: n.Kernel) -> Reach:
    """The answers about a kernel, made when it is first asked about."""
    global _known
    for known, reach in _known:
        if known is kernel:
            return reach
    made = Reach(AccessTable(kernel.params, kernel.body, kernel.overlaps))
    _known = ((kernel, made), *_known[: KEPT - 1])
    return made
