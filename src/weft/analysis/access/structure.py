"""Where everything in a program stands: which region defines a variable, which loops are around it, who uses it.

A region is one block at its place. Regions and loops are compared by identity; the nodes themselves are values and may
occur twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property
from typing import Literal, TypeAlias

from weft.analysis.values.linear import RUN
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.visit import atoms_of, blocks_of

LoopNode: TypeAlias = n.For | n.While
Path: TypeAlias = tuple[int, ...]
"""Positions from the outermost block inwards: statement, block, statement, ... Paths sort in source order."""

YIELD = -1
"""The position of a use in the yields of a block."""


@dataclass(eq=False, repr=False)
class Region:
    """One block at its place.

    `owner` is the statement that the block belongs to, at `position` of `parent`; `number` tells which of its blocks.
    `loops` are the loops around the statements of the block, outermost first.
    """

    block: n.Block
    owner: n.Statement | None = None
    parent: Region | None = None
    position: int = 0
    number: int = 0
    loops: tuple[Loop, ...] = ()
    inner: dict[int, tuple[Region, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<region {self.path}>"

    @cached_property
    def path(self) -> Path:
        """The place of the block."""
        return () if self.parent is None else (*self.parent.path, self.position, self.number)

    def chain(self) -> Iterator[Region]:
        """The region itself, then those around it."""
        region: Region | None = self
        while region is not None:
            yield region
            region = region.parent

    def contains(self, other: Region) -> bool:
        """Whether `other` is this region or inside of it."""
        return other.path[: len(self.path)] == self.path

    def sites(self) -> Iterator[Site]:
        """Every statement in the region and inside of it, outer before inner, in source order."""
        for position, statement in enumerate(self.block.statements):
            yield Site(self, position, statement)
            for inner in self.inner.get(position, ()):
                yield from inner.sites()


@dataclass(frozen=True, eq=False, repr=False)
class Site:
    """A statement at its place."""

    region: Region
    position: int
    statement: n.Statement

    def __repr__(self) -> str:
        return f"<{type(self.statement).__name__} at {self.path}>"

    @property
    def path(self) -> Path:
        """The place of the statement."""
        return (*self.region.path, self.position)


@dataclass(eq=False, repr=False)
class Loop:
    """A loop at its place; `body` is the region of its body, `around` the loops around it, outermost first."""

    node: LoopNode
    region: Region
    position: int
    around: tuple[Loop, ...]
    body: Region = field(init=False)

    def __repr__(self) -> str:
        return f"<loop {self.label}>"

    @property
    def label(self) -> str:
        """The label of the loop, unique in a program."""
        return self.node.label

    @property
    def path(self) -> Path:
        """The place of the loop statement."""
        return (*self.region.path, self.position)


DefinitionKind: TypeAlias = Literal["parameter", "let", "index", "argument", "result"]


@dataclass(frozen=True, eq=False, repr=False)
class Definition:
    """How a variable gets its value.

    `place` is the position among the arguments or results; `order` counts definitions, outer before inner.
    For an index or argument `region` is the body of its loop.
    """

    var: n.Var
    kind: DefinitionKind
    region: Region
    position: int
    statement: n.Statement | None
    place: int
    order: int

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The loops around the definition; an index or argument is inside of its own loop."""
        return self.region.loops

    @property
    def value(self) -> n.Expression | None:
        """The expression that a `Let` assigns."""
        return self.statement.value if self.kind == "let" and isinstance(self.statement, n.Let) else None


@dataclass(frozen=True, eq=False, repr=False)
class Use:
    """A statement that uses a variable, or the yields of a region (`position` is `YIELD`)."""

    region: Region
    position: int
    statement: n.Statement | None


class Structure:
    """The places, definitions and uses of one body of code.

    Parameters
    ----------
    params
        The variables that are known on entry.
    body
        The code.
    """

    def __init__(self, params: Iterable[n.Var], body: n.Block) -> None:
        self.root = Region(body)
        self.definitions: dict[str, Definition] = {}
        self.loops: dict[str, Loop] = {}
        for var in params:
            self._define(var, "parameter", self.root, YIELD, None, 0)
        self._enter(self.root)

    @classmethod
    def of(cls, program: n.Program) -> Structure:
        """The structure of the body of a program."""
        return cls((p.var for p in program.params), program.body)

    def definition(self, var: n.Var | str) -> Definition:
        """How a variable gets its value."""
        return self.definitions[var if isinstance(var, str) else var.name]

    def launch_of(self, flag: n.Atom) -> n.Launch | None:
        """The launch that gives a flag, or the first of some that differ in nothing but their kernels; None if
        the atom is no flag of a launch."""
        while isinstance(flag, n.Var) and flag.name in self.definitions:
            place = self.definitions[flag.name]
            if isinstance(place.statement, n.Launch):
                return place.statement
            if not isinstance(place.statement, n.If) or place.kind != "result":
                return None
            flag = place.statement.then.yields[place.place]
        return None

    def is_inside(self, name: str, loop: Loop) -> bool:
        """Whether a variable, or the run of a loop, is inside another, so that it may differ between its iterations."""
        if name.startswith(RUN):
            run = self.loops.get(name.removeprefix(RUN))
            return run is not None and loop in run.around
        definition = self.definitions.get(name)
        return definition is not None and loop in definition.loops

    @cached_property
    def uses(self) -> dict[str, list[Use]]:
        """The uses of every variable."""
        found: dict[str, list[Use]] = {name: [] for name in self.definitions}
        for region in self.regions():
            for position, statement in enumerate(region.block.statements):
                self._note(found, atoms_of(statement), Use(region, position, statement))
            self._note(found, region.block.yields, Use(region, YIELD, None))
        return found

    def regions(self) -> Iterator[Region]:
        """Every region, outer before inner."""
        waiting = [self.root]
        while waiting:
            region = waiting.pop()
            yield region
            for inner in region.inner.values():
                waiting.extend(inner)

    @staticmethod
    def _note(found: dict[str, list[Use]], atoms: Iterable[n.Atom], use: Use) -> None:
        for atom in atoms:
            if isinstance(atom, n.Var):
                found.setdefault(atom.name, []).append(use)

    def _define(
        self,
        var: n.Var,
        kind: DefinitionKind,
        region: Region,
        position: int,
        statement: n.Statement | None,
        place: int,
    ) -> None:
        self.definitions[var.name] = Definition(var, kind, region, position, statement, place, len(self.definitions))

    def _enter(self, region: Region) -> None:
        for position, statement in enumerate(region.block.statements):
            if isinstance(statement, n.Let):
                self._define(statement.var, "let", region, position, statement, 0)
                continue
            if isinstance(statement, (n.For, n.While)):
                self._enter_loop(region, position, statement)
            elif isinstance(statement, (n.If, n.Launch)):
                self._enter_blocks(region, position, statement, region.loops)
            for place, var in enumerate(getattr(statement, "results", ())):
                self._define(var, "result", region, position, statement, place)

    def _enter_blocks(
        self, region: Region, position: int, statement: n.Statement, loops: tuple[Loop, ...]
    ) -> tuple[Region, ...]:
        inner = tuple(
            Region(block, statement, region, position, number, loops)
            for number, block in enumerate(blocks_of(statement))
        )
        region.inner[position] = inner
        if isinstance(statement, n.Launch):
            for place, var in enumerate(statement.kernel.params):
                self._define(var, "parameter", inner[0], YIELD, statement, place)
        if not isinstance(statement, (n.For, n.While)):
            for block in inner:
                self._enter(block)
        return inner

    def _enter_loop(self, region: Region, position: int, statement: LoopNode) -> None:
        loop = Loop(statement, region, position, region.loops)
        self.loops[statement.label] = loop
        inner = self._enter_blocks(region, position, statement, (*region.loops, loop))
        loop.body = inner[-1]
        if isinstance(statement, n.For):
            self._define(statement.index, "index", loop.body, YIELD, statement, 0)
        for place, arg in enumerate(statement.args):
            self._define(arg.var, "argument", loop.body, YIELD, statement, place)
        for block in inner:
            self._enter(block)
