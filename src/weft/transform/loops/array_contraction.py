"""Array contraction: an array whose elements are used only by the iteration that stores them becomes a number.

What `fusion` leaves of ``t = a * b; u = t + c``: each iteration stores an element of `t` and loads it again. The values
are used as they are, and the array goes.

Only for arrays made here whose every use is a load or store of one element at the same indices, inside of one block in
which a store comes first.
"""

from __future__ import annotations

from weft.analysis.access.structure import YIELD, Structure, Use
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import blocks_of, substitute, walk, with_blocks
from weft.transform.support import for_each_body, is_sure_to_be_made


def array_contraction(program: n.Program) -> n.Program:
    """Keep in variables what only one iteration uses of an array."""
    if not any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(program.body)):
        return program
    return for_each_body(program, _contracted)


def _contracted(body: n.Block, ranges: Ranges) -> n.Block:
    structure = ranges.aliases.structure
    arrays = frozenset(name for name in structure.definitions if _is_number(structure, name, ranges))
    if not arrays:
        return body
    return _Contraction(arrays).block(body)


def _is_number(structure: Structure, name: str, ranges: Ranges) -> bool:
    """Whether a variable is an array that is used in one block alone, a store first."""
    value, uses = structure.definition(name).value, structure.uses[name]
    if not isinstance(value, n.Alloc) or not uses or not isinstance(_first(uses).statement, n.Store):
        return False
    return all(_is_of_one_element(use, _first(uses)) for use in uses) and is_sure_to_be_made(ranges, name)


def _first(uses: list[Use]) -> Use:
    return min(uses, key=lambda use: (*use.region.path, use.position))


def _is_of_one_element(use: Use, first: Use) -> bool:
    """Whether a use is of the element that the first one stores, in its block; stores stand in the block itself."""
    stored, access = _access(first), _access(use)
    if stored is None or access is None or access.indices != stored.indices:
        return False
    return use.region is first.region or (first.region.contains(use.region) and not access.stored)


@dataclass(frozen=True)
class _Element:
    """An access to one element."""

    indices: tuple[n.Atom, ...]
    stored: bool


def _access(use: Use) -> _Element | None:
    statement = use.statement
    if use.position == YIELD:
        return None
    if isinstance(statement, n.Store) and isinstance(statement.view.type, View):
        fits = statement.bounds == "safe" and statement.mask is None
        return _Element(statement.indices, True) if fits and _keeps_type(statement) else None
    if isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        load = statement.value
        return _Element(load.indices, False) if load.bounds == "safe" and load.mask is None else None
    return None


def _keeps_type(store: n.Store) -> bool:
    """Whether what is stored is what is loaded: of the array's type, and no view of the array itself."""
    return isinstance(store.view.type, View) and store.value.type == store.view.type.element


class _Contraction:
    """Goes through a body in the order in which it runs; what an array holds at last is known wherever it is loaded."""

    def __init__(self, arrays: frozenset[str]) -> None:
        self.arrays = arrays
        self.stored: dict[str, n.Atom] = {}
        self.loaded: dict[str, n.Atom] = {}

    def block(self, block: n.Block) -> n.Block:
        """The block without the arrays."""
        statements: list[n.Statement] = []
        for given in block.statements:
            statement = given if blocks_of(given) else substitute(given, self.loaded)
            if not self._is_of_array(statement):
                inner = tuple(self.block(b) for b in blocks_of(given))
                statements.append(self._with(statement, inner) if inner else statement)
        return n.Block(tuple(statements), substitute(block.yields, self.loaded))

    def _is_of_array(self, statement: n.Statement) -> bool:
        """Whether a statement makes an array that goes, stores to it or loads of it."""
        if isinstance(statement, n.Store) and statement.view.name in self.arrays:
            self.stored[statement.view.name] = statement.value
            return True
        if not isinstance(statement, n.Let):
            return False
        if isinstance(statement.value, n.Load) and statement.value.view.name in self.arrays:
            self.loaded[statement.var.name] = self.stored[statement.value.view.name]
            return True
        return statement.var.name in self.arrays

    def _with(self, statement: n.Statement, inner: tuple[n.Block, ...]) -> n.Statement:
        """A statement with its blocks done: what else it uses, such as bounds and conditions, may be loaded, too."""
        return substitute(with_blocks(statement, inner), self.loaded)
