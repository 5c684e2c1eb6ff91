"""What stands for a nest in which several iterations store to, or update, one element that a key chooses.

Its kernels give the same in any order: a first one notes something for each element by atomic operations on integers,
in arrays that nobody else sees; others write what the program asks for. The first one has all tests of the nest: where
something raises, nothing is written yet, and the host runs the nest as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, NEVER_FAIL, VIEWS, block_may_raise
from weft.ir.location import Location
from weft.ir.types import PYINT, Scalar
from weft.ir.visit import Names, atoms_of, defined_by, walk
from weft.schedule.writing import Writing
from weft.transform.speculation.failures import OUTSIDE

Why = Callable[[n.For], "str | None"]


@dataclass(frozen=True)
class ByKey:
    """What stands for a nest.

    Attributes
    ----------
    before
        Makes the `arrays`, and computes whether they can hold what is noted (`fits`).
    clears
        Nests that clear the arrays.
    noting
        The nest with all its tests, which writes nothing but the arrays. It may fail.
    after
        Nests that write what the program asks for, as often as the nest does.
    rounds
        Nests over all elements of an array, behind them: they change those of which something was noted.
    """

    before: tuple[n.Statement, ...]
    fits: n.Atom
    arrays: tuple[n.Var, ...]
    clears: tuple[n.For, ...]
    noting: n.For
    after: tuple[n.For, ...] = ()
    rounds: tuple[n.For, ...] = ()

    @property
    def nests(self) -> tuple[n.For, ...]:
        """All nests."""
        return (*self.certain, self.noting)

    @property
    def certain(self) -> tuple[n.For, ...]:
        """The nests that must not raise."""
        return (*self.clears, *self.after, *self.rounds)


def if_possible(found: ByKey, why_host: Why) -> ByKey | None:
    """What stands for a nest, if only what notes may fail, and all of it can be kernels."""
    if block_may_raise(n.Block(found.certain)) or any(why_host(made) is not None for made in found.nests):
        return None
    return found


def is_steady(atom: n.Atom, structure: Structure) -> bool:
    """Whether a number is the same in all iterations of the loops around it.

    Otherwise a loop of the host would launch four kernels for a row of a triangle, or of a sparse matrix.
    """
    if isinstance(atom, n.Const):
        return True
    definition = structure.definition(atom)
    value = definition.value
    if not definition.loops or isinstance(value, n.Dim):
        return True
    is_arithmetic = isinstance(value, ARITHMETIC)
    return is_arithmetic and all(is_steady(a, structure) for a in atoms_of(value))


def can_run_twice(nest: n.For, aliases: Aliases) -> bool:
    """Whether a nest computes the same again although it has written what it writes."""
    inside = {v.name for s in walk(nest.body) for v in defined_by(s)}
    reads, writes = list[n.Var](), list[n.Var]()
    for statement in walk(nest.body):
        if isinstance(statement, (n.While, n.Call, n.External)):
            return False
        if isinstance(statement, (n.Store, n.Update)):
            writes.append(statement.view)
        elif isinstance(statement, n.Let):
            if isinstance(statement.value, n.Alloc):
                return False
            if isinstance(statement.value, n.Load):
                reads.append(statement.value.view)
    views = {s.var.name: s.value.view for s in walk(nest.body) if isinstance(s, n.Let) and isinstance(s.value, VIEWS)}

    def whole(view: n.Var) -> n.Var | None:
        while view.name in views:
            view = views[view.name]
        return None if view.name in inside else view

    pairs = product(dict.fromkeys(map(whole, reads)), dict.fromkeys(map(whole, writes)))
    return not any(a is None or b is None or aliases.may_alias(a, b) for a, b in pairs)


def ends_of(loop: n.For) -> tuple[n.Atom, n.Atom]:
    return loop.start, loop.stop


def over_elements(
    names: Names, label: str, extents: Sequence[n.Atom], action: Callable[[Writing, Sequence[n.Atom]], None],
    location: Location,
) -> n.For:  # fmt: skip
    """A nest over all elements of an array, as many as `extents` say."""
    write = Writing(names, location)
    indices = [names.fresh("at", PYINT) for _ in extents]
    action(write, indices)
    body = n.Block(tuple(write.statements))
    for axis, index in reversed(list(enumerate(indices))):
        own = label + (f".{axis}" if axis else "")
        loop = n.For(own, index, n.Const(0), extents[axis], body, mapping="parallel", location=location)
        body = n.Block((loop,))
    return loop


def converted(write: Writing, value: n.Atom, type: Scalar) -> n.Atom:
    return value if value.type == type else write.let(n.Cast(value, checked=False), type)


# ---------------------------------------------------------------------------------- what was found not to raise


def settled(write: Writing, view: n.Var, indices: Sequence[n.Atom], bounds: n.Bounds) -> tuple[n.Atom, ...]:
    """Indices that are known to be inside, counted from the beginning."""
    if bounds != "python":
        return tuple(indices)
    return tuple(_from_start(write, view, axis, index) for axis, index in enumerate(indices))


def _from_start(write: Writing, view: n.Var, axis: int, index: n.Atom) -> n.Atom:
    if isinstance(index, n.Const) and index.value.real >= 0:
        return index
    extent = write.let(n.Dim(view, axis), PYINT, "extent")
    from_end = write.op("add", converted(write, index, PYINT), extent)
    return write.select(write.compare("lt", index, n.Const(0, cast(Scalar, index.type))), from_end, index, "index")


def settled_axes(write: Writing, view: n.Subview) -> tuple[n.Atom | n.Slice | None, ...]:
    """The axes of a part, with indices counted from the beginning."""
    axes: list[n.Atom | n.Slice | None] = []
    axis = 0
    for item in view.axes:
        if view.bounds == "python" and isinstance(item, (n.Var, n.Const)):
            item = _from_start(write, view.view, axis, item)
        axes.append(item)
        axis += item is not None
    return tuple(axes)


def settled_value(write: Writing, value: n.Expression) -> n.Expression:
    """An expression that is known not to raise."""
    if isinstance(value, n.Load):
        return replace(value, indices=settled(write, value.view, value.indices, value.bounds), bounds="safe")
    if isinstance(value, n.Subview):
        return replace(value, axes=settled_axes(write, value), bounds="safe")
    if isinstance(value, (n.Unary, n.Binary, n.Cast)):
        return replace(value, checked=False)
    if isinstance(value, n.Math) and (value.name in NEVER_FAIL or value.name in OUTSIDE):
        return replace(value, strict=False)
    return value
