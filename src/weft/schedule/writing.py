"""Writes the statements of a kernel under a schedule: index arithmetic, loops, copies of the kernel's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from weft.ir import nodes as n
from weft.ir.location import UNKNOWN, Location
from weft.ir.neutral import stored_as
from weft.ir.scribe import TRUE, ZERO, Scribe, atoms
from weft.ir.types import PYINT, Element, Scalar, Type, Vector, View
from weft.ir.visit import Names, defined_by, renamed_with, rewrite, substitute


@dataclass
class Carried:
    """What a loop that is being written carries: `values` in an iteration, `next` for the one after, then `results`."""

    index: n.Var
    values: tuple[n.Var, ...]
    next: tuple[n.Atom, ...]
    results: tuple[n.Var, ...]


class Writing(Scribe):
    """Statements that are being written into the innermost block that is open."""

    condition_stem = "inside"

    def __init__(self, names: Names, location: Location) -> None:
        super().__init__(names, location)
        self._labels: dict[str, int] = {}
        self._given: set[str] = set()
        self._elements: dict[str, Element] = {}
        self._lanes: dict[str, tuple[n.Var, int]] = {}

    @contextmanager
    def at(self, statement: n.Statement) -> Iterator[None]:
        """What is written meanwhile stands for a statement of the kernel, and has its place in the source."""
        before, found = self.location, getattr(statement, "location", UNKNOWN)
        self.location = before if found == UNKNOWN else found
        yield
        self.location = before

    # ------------------------------------------------------------------------------------------ values

    def sum(self, *terms: n.Atom | int, stem: str = "t") -> n.Atom:
        """The sum of indices."""
        total: n.Atom = ZERO
        for term in terms:
            total = self.op("add", total, term, stem)
        return total

    def within(self, value: n.Atom, low: n.Atom, high: n.Atom) -> n.Atom:
        """The index nearest to a value that is at least `low` and below `high`, of which there is one."""
        last = self.op("sub", high, 1)
        return self.op("max", low, self.op("min", value, last))

    # ------------------------------------------------------------------------------------------ memory

    def alloc(self, shape: Sequence[int], element: Element, memory: str, stem: str) -> n.Var:
        """An array of a constant size; `load` and `store` convert elements of Python's types."""
        extents = tuple(n.Const(extent) for extent in shape)
        stored = stored_as(element) if isinstance(element, Scalar) else element
        made = n.Alloc(extents, stored, None, memory)  # type: ignore[arg-type]
        view = self.let(made, View(stored, len(shape), contiguous=True), stem)
        self._elements[view.name] = element
        return view

    def load(self, view: n.Var, *indices: n.Atom | int, stem: str = "t") -> n.Var:
        """An element of an array of a block or thread."""
        assert isinstance(view.type, View)
        found = self.let(n.Load(view, atoms(indices), "safe"), view.type.element, stem)
        element = self._elements.get(view.name, found.type)
        return found if element == found.type else self.let(n.Cast(found, checked=False), element, stem)

    def store(self, view: n.Var, indices: Sequence[n.Atom | int], value: n.Atom, late: bool = False) -> None:
        """Assign an element of an array of a block or thread."""
        assert isinstance(view.type, View)
        if value.type != view.type.element:
            value = self.let(n.Cast(value, checked=False), view.type.element)
        self.add(n.Store(view, atoms(indices), value, "safe", location=self.location, late=late))

    def load_run(self, view: n.Var, indices: Sequence[n.Atom | int], lanes: int) -> tuple[n.Atom, ...]:
        """Neighbours along the last axis, from the given one on."""
        assert isinstance(view.type, View)
        if lanes == 1:
            return (self.load(view, *indices),)
        element = scalar(view.type.element)
        vector = self.let(n.Load(view, self._run(indices, lanes), "safe"), Vector(element, lanes), "run")
        items = tuple(self.let(n.Lane(vector, k), element, "t") for k in range(lanes))
        self._lanes.update({item.name: (vector, k) for k, item in enumerate(items)})
        return items

    def store_run(
        self, view: n.Var, indices: Sequence[n.Atom | int], values: Sequence[n.Atom], late: bool = False,
        apart: bool = False,
    ) -> None:  # fmt: skip
        """Assign neighbours along the last axis, which are in registers `apart` (`ir.nodes.Pack`)."""
        if len(values) == 1:
            self.store(view, indices, values[0], late)
            return
        vector = self._packed(values, apart)
        self.add(n.Store(view, self._run(indices, len(values)), vector, "safe", location=self.location, late=late))

    def _packed(self, values: Sequence[n.Atom], apart: bool) -> n.Var:
        """Values as a vector; the one whose lanes they all are."""
        lanes = [self._lanes.get(a.name) if isinstance(a, n.Var) else None for a in values]
        vector = lanes[0][0] if lanes[0] else None
        type = Vector(scalar(values[0].type), len(values))
        if vector is not None and vector.type == type and lanes == [(vector, k) for k in range(len(values))]:
            return vector
        return self.let(n.Pack(tuple(values), apart), type, "run")

    def _run(self, indices: Sequence[n.Atom | int], lanes: int) -> tuple[n.Atom, ...]:
        *outer, first = atoms(indices)
        return (*outer, self.let(n.Lanes(first), Vector(PYINT, lanes), "lanes"))

    # ------------------------------------------------------------------------------------------ regions

    @contextmanager
    def apart(self) -> Iterator[list[n.Statement]]:
        """Collect what is written meanwhile."""
        outer, self.statements = self.statements, []
        try:
            yield self.statements
        finally:
            self.statements = outer

    @contextmanager
    def when(self, condition: n.Atom) -> Iterator[None]:
        """What is written meanwhile runs where a condition holds."""
        with self.apart() as statements:
            yield
        if condition == TRUE:
            self.add(*statements)
        elif statements:
            self.add(n.If(condition, n.Block(tuple(statements)), location=self.location))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is written meanwhile runs where the condition of the `when` just before does not hold."""
        branch = self.statements.pop()
        assert isinstance(branch, n.If)
        with self.apart() as statements:
            yield
        self.add(replace(branch, orelse=n.Block(tuple(statements))))

    @contextmanager
    def loop(
        self,
        label: str,
        start: n.Atom | int,
        stop: n.Atom | int,
        mapping: n.Mapping = "sequential",
        carried: Sequence[n.Atom] = (),
        stem: str = "",
        product: n.TileProduct | n.WindowProduct | None = None,
        ahead: int = 0,
        together: n.Together | None = None,
    ) -> Iterator[Carried]:
        """A loop around what is written meanwhile."""
        index = self.names.fresh(stem or label.partition(".")[0].partition("@")[0], PYINT)
        values = tuple(self.names.fresh(_stem(a) or "carried", a.type) for a in carried)
        loop = Carried(index, values, values, tuple(self.names.fresh(_stem(a) or "total", a.type) for a in carried))
        with self.apart() as statements:
            yield loop
        args = tuple(n.LoopArg(v, a) for v, a in zip(values, carried, strict=True))
        body = n.Block(tuple(statements), loop.next)
        first, last = atoms((start, stop))
        made = n.For(
            self.label(label), index, first, last, body, args, loop.results, mapping=mapping, location=self.location,
            product=product, ahead=ahead, together=together,
        )  # fmt: skip
        self.add(made)

    def label(self, label: str) -> str:
        """The label for one more loop."""
        count = self._labels.get(label, 0)
        made = f"{label}.{count}" if count else label
        while made in self._given:  # by another loop, which had the number from the beginning
            count += 1
            made = f"{label}.{count}"
        self._labels[label] = count + 1
        self._given.add(made)
        return made

    def copy(self, block: n.Block, values: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """Write the statements of a block again, with other values for some variables; what it yields."""
        known = dict(values)
        for statement in block.statements:
            self.again(statement, known)
        return substitute(block.yields, known)

    def again(self, statement: n.Statement, values: dict[str, n.Atom]) -> None:
        """Write a statement again, with other values for some variables, to which those that it defines are added."""
        if isinstance(statement, n.Let):
            var = self.fresh(statement.var.stem, statement.var.type)
            self.statements.append(n.Let(var, substitute(statement.value, values), statement.location))
            values[statement.var.name] = var
        elif isinstance(statement, n.Store):
            self.statements.append(substitute(statement, values))
        else:
            defined = defined_by(statement)
            renamed = renamed_with(n.Block((statement,), defined), self.names, values)
            self.statements += rewrite(renamed, self._relabelled).statements
            values.update({var.name: value for var, value in zip(defined, renamed.yields, strict=True)})

    def _relabelled(self, statement: n.Statement) -> n.Statement:
        if isinstance(statement, (n.For, n.While)):
            return replace(statement, label=self.label(statement.label))
        return statement


def _stem(atom: n.Atom) -> str:
    """The name of an array, which it keeps when a loop takes it over."""
    return atom.stem if isinstance(atom, n.Var) and isinstance(atom.type, View) else ""


def scalar(type: Type) -> Scalar:
    """The type, which is that of a number."""
    assert isinstance(type, Scalar)
    return type
