"""Fusion: neighbouring parallel loops over the same iterations become one loop, so that memory is passed over once.

``t = a * b`` and then ``u = t + c`` are two nests; fused they are one, and `array_contraction` makes a number of `t`.
Loops that the user wrote one after the other are joined like those of array expressions.

Two loops are joined where both are parallel, neither can raise, they touch an array in common, and no iteration of the
second one touches what a later iteration of the first one writes, or writes what that one reads. Nests are joined as
deep as they go, or not at all: a nest stays perfect. Bodies with loops in them, such as products, stay apart, since
other passes have better ways to run them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.dependence.dependence import find
from weft.analysis.dependence.verdicts import Verdicts
from weft.analysis.values.linear import Form, symbol
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import ARITHMETIC, VIEWS, block_may_raise, may_raise
from weft.ir.pins import Pin, pin_of
from weft.ir.visit import blocks_of, free_variables, substitute, walk, with_blocks
from weft.transform.parallel.parallelise import is_parallel
from weft.transform.support import is_sure_to_be_made, judged, table_of

MOST_STATEMENTS, MOST_ARRAYS = 80, 12
"""What the body of a joined loop may have: more would not fit into registers, or into what a core fetches ahead."""
MOST_ROUNDS = 12
NO_NAMES: Mapping[str, Form] = {}


def fusion(program: n.Program) -> n.Program:
    """Join neighbouring parallel loops."""
    if not _has_neighbours(program.body):
        return program
    verdicts = judged(program)
    refused: set[tuple[str, str]] = set()
    for _ in range(MOST_ROUNDS):
        fuser = _Fuser(program, verdicts, refused)
        candidate = fuser.joined()
        if candidate is program:
            return program
        wrong = _wrong_pairs(candidate, fuser.seams)
        if not wrong:
            return candidate
        refused |= wrong
    return program


def _has_neighbours(block: n.Block) -> bool:
    """Whether a block has two loops one after the other, with definitions at most between them."""
    last = False
    for statement in block.statements:
        if isinstance(statement, n.For):
            if last:
                return True
            last = True
        elif not isinstance(statement, n.Let):
            last = False
        if any(_has_neighbours(inner) for inner in blocks_of(statement)):
            return True
    return False


@dataclass(frozen=True)
class _Seam:
    """Where two nests were joined.

    Attributes
    ----------
    pair
        The labels of the outermost loops of both.
    loops
        The labels of the joined loops, outermost first.
    begin, end
        The positions in the innermost body at which what was the second nest begins and ends.
    """

    pair: tuple[str, str]
    loops: tuple[str, ...]
    begin: int
    end: int


# ------------------------------------------------------------------------------------------------------ joining


class _Fuser:
    def __init__(self, program: n.Program, verdicts: Verdicts, refused: set[tuple[str, str]]) -> None:
        self.program = program
        self.table: AccessTable = verdicts.table
        self.verdicts = verdicts
        self.refused = refused
        self.seams: list[_Seam] = []

    def joined(self) -> n.Program:
        """The program with all loops joined that look alike."""
        body = self.block(self.program.body)
        return self.program if body is self.program.body else replace(self.program, body=body)

    def block(self, block: n.Block) -> n.Block:
        """The block with its neighbouring nests joined."""
        statements: list[n.Statement] = []
        last: int | None = None
        for given in block.statements:
            statement = given if self._shape(given) else self._inside(given)
            if last is not None and isinstance(statement, n.For):
                first, between = statements[last], statements[last + 1 :]
                assert isinstance(first, n.For)
                fused = self._fused(first, statement, between)
                if fused is not None:
                    statements[last:] = [*between, fused]
                    last = len(statements) - 1
                    continue
            statements.append(statement)
            if self._shape(statement):
                last = len(statements) - 1
            elif not is_movable(statement):
                last = None
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _inside(self, statement: n.Statement) -> n.Statement:
        inner = blocks_of(statement)
        changed = tuple(self.block(block) for block in inner)
        same = all(a is b for a, b in zip(changed, inner, strict=True))
        return statement if same else with_blocks(statement, changed)

    def _shape(self, statement: n.Statement) -> int:
        """How many loops a nest has, the innermost with straight code inside; 0 for anything else, or what may raise.

        Verdicts are not asked for: only nests that have a neighbour need any.
        """
        if not isinstance(statement, n.For) or statement.claim != "range" or statement.exit is not None:
            return 0
        inner = _only_loop(statement)
        if inner is not None:
            deeper = self._shape(inner)
            return deeper + 1 if deeper and not block_may_raise(statement.body) else 0
        if any(isinstance(s, _UNSUITED) for s in walk(statement.body)) or block_may_raise(statement.body):
            return 0
        return 1

    def _depth(self, statement: n.For) -> int:
        """The same, if all of its loops are parallel; else 0."""
        depth = self._shape(statement)
        return depth if depth and self._is_parallel(statement) else 0

    def _is_parallel(self, loop: n.For) -> bool:
        """Whether the loops of a nest are parallel, and fold nothing into memory."""
        fact = self.verdicts.loops.get(loop.label)
        if fact is None or not is_parallel(fact) or fact.updates or fact.scans:
            return False
        inner = _only_loop(loop)
        return inner is None or self._is_parallel(inner)

    def _fused(self, first: n.For, second: n.For, between: list[n.Statement]) -> n.For | None:
        """Both nests as one, with what stands between them before it; None where they do not look alike."""
        pair = (first.label, second.label)
        if self._shape(first) != self._shape(second) or pair in self.refused or not self._is_worth_it(first, second):
            return None
        if not self._depth(first) or not self._depth(second):
            return None
        if self._is_needed(first, second, between) or self._pin(first) != self._pin(second):
            return None
        if not can_be_moved(self.table, between):
            return None
        labels: list[str] = []
        loops: list[n.For] = []
        fused = self._nest(first, second, labels, loops)
        if fused is not None:
            begin, end = (len(loop.body.statements) for loop in loops)
            self.seams.append(_Seam(pair, tuple(labels), begin, begin + end))
        return fused

    @staticmethod
    def _is_needed(first: n.For, second: n.For, between: list[n.Statement]) -> bool:
        """Whether the second nest, or what stands between, uses a result of the first one."""
        given = {result.name for result in first.results}
        return any(var.name in given for var in free_variables(n.Block((*between, second))))

    def _pin(self, loop: n.For) -> Pin | None:
        return pin_of(self.program.pins, loop.location)

    def _is_worth_it(self, first: n.For, second: n.For) -> bool:
        """Whether two nests have an array in common, and are together no more than fits."""
        ours, theirs = accessed(self.table, first), accessed(self.table, second)
        size = sum(1 for loop in (first, second) for _ in walk(loop.body))
        return not ours.isdisjoint(theirs) and len(ours | theirs) <= MOST_ARRAYS and size <= MOST_STATEMENTS

    def _nest(self, first: n.For, second: n.For, labels: list[str], innermost: list[n.For]) -> n.For | None:
        """Two nests of the same depth as one; `labels` get those of its loops, `innermost` the loops that were."""
        if not same_iterations(self.table, first, second):
            return None
        second = substitute(second, {second.index.name: first.index})
        labels.append(first.label)
        body = self._bodies(first, second, labels, innermost)
        if body is None:
            return None
        return replace(first, body=body, args=(*first.args, *second.args), results=(*first.results, *second.results))

    def _bodies(self, first: n.For, second: n.For, labels: list[str], innermost: list[n.For]) -> n.Block | None:
        ours, theirs = _only_loop(first), _only_loop(second)
        yields = (*first.body.yields, *second.body.yields)
        if ours is None or theirs is None:
            innermost[:] = [first, second]
            return n.Block((*first.body.statements, *second.body.statements), yields)
        before = (*first.body.statements[:-1], *second.body.statements[:-1])
        if not all(is_movable(s) for s in before) or not can_be_moved(self.table, before):
            return None
        inner = self._nest(ours, theirs, labels, innermost)
        return None if inner is None else n.Block((*before, inner), yields)


_UNSUITED = (n.For, n.While, n.Update, n.Call, n.External, n.Raise)


def same_iterations(table: AccessTable, first: n.For, second: n.For) -> bool:
    """Whether two loops, the counters around them taken as the same, run over the same range."""
    ours, theirs = (table.structure.loops[loop.label] for loop in (first, second))
    renaming = {
        b.node.index.name: symbol(a.node.index.name)
        for a, b in zip(ours.around, theirs.around, strict=False)
        if isinstance(a.node, n.For) and isinstance(b.node, n.For)
    }
    pairs = ((first.start, second.start), (first.stop, second.stop))
    return all(has_value(table, a, b, ours.region, renaming) for a, b in pairs)


def has_value(
    table: AccessTable, first: n.Atom, second: n.Atom, region: Region, renaming: Mapping[str, Form] = NO_NAMES
) -> bool:
    """Whether two bounds have one value in a region, by what the program assumes of its arguments."""
    if first == second:
        return True
    difference = table.forms.of(first) - table.forms.of(second).substitute(renaming)
    return not difference or all(table.ranges.nonnegative(side, region) for side in (difference, -difference))


def accessed(table: AccessTable, loop: n.For) -> frozenset[str]:
    """The arrays whose elements a loop loads or stores."""
    views = (view for s in walk(loop.body) for view in _views(s))
    return frozenset(root for view in views for root in table.aliases.roots(view))


def _only_loop(loop: n.For) -> n.For | None:
    """The loop that is all that a loop does, but for definitions before it."""
    *before, last = loop.body.statements or (None,)
    if not isinstance(last, n.For) or loop.args or last.args:
        return None
    return last if all(isinstance(s, n.Let) for s in before) else None


def is_movable(statement: n.Statement | None) -> bool:
    """Whether a statement may stand before a loop that it stands behind, if it needs nothing of it.

    So may new arrays, if `can_be_moved` says so.
    """
    if not isinstance(statement, n.Let):
        return False
    value = statement.value
    if isinstance(value, n.Alloc):
        return True
    return isinstance(value, (*ARITHMETIC, *VIEWS, n.Dim)) and not may_raise(value, statement.var.type)


def can_be_moved(table: AccessTable, statements: Sequence[n.Statement]) -> bool:
    """Whether no array that statements make has a negative extent: that is an error, which must come in its place."""
    made = (s.var.name for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc))
    return all(is_sure_to_be_made(table.ranges, name) for name in made)


def _views(statement: n.Statement) -> Iterator[n.Var]:
    if isinstance(statement, n.Store):
        yield statement.view
    elif isinstance(statement, n.Let) and isinstance(statement.value, n.Load):
        yield statement.value.view


# -------------------------------------------------------------------------------------------------- what is right


def _wrong_pairs(program: n.Program, seams: list[_Seam]) -> set[tuple[str, str]]:
    """The pairs of loops that must stay apart; verdicts on large bodies take longest, and are asked for last."""
    table, loops = table_of(program), judged(program).loops
    return {
        seam.pair
        for seam in seams
        if goes_backwards(table, seam.loops, seam.begin, seam.end)
        or not all(is_parallel(loops[label]) for label in seam.loops)
    }


def goes_backwards(table: AccessTable, labels: tuple[str, ...], begin: int, end: int) -> bool:
    """Whether an iteration of a part of a nest may touch what a later one of what stands before it touches.

    Parameters
    ----------
    table
        The access table.
    labels
        The loops of the nest, outermost first.
    begin, end
        The positions in the innermost body at which the part begins and ends. One of the accesses writes.
    """
    loops = [table.structure.loops[label] for label in labels]
    first, second = _parts(table, loops[-1], begin, end)
    return any(
        find(table, loop, source, sink) is not None
        for loop in loops
        for source in second
        for sink in first
        if (source.writes or sink.writes) and not table.roots(source).isdisjoint(table.roots(sink))
    )


def _parts(table: AccessTable, innermost: Loop, begin: int, end: int) -> tuple[list[Access], list[Access]]:
    """The accesses before a part of a body, and those in it."""
    depth = len(innermost.body.path)
    places = [(access.site.path[depth], access) for access in table.within(innermost.body)]
    first = [access for place, access in places if place < begin]
    return first, [access for place, access in places if begin <= place < end]
