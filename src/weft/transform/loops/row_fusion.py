"""Row fusion: neighbouring loops over the rows of arrays become one, so that a row stays in the cache while it is used.

A softmax finds the largest element of each row, computes exponentials, sums them, and divides: four nests, which pass
over memory five times. Joined over rows they pass over it twice, and what a row needs for a while is as long as a row.

As `fusion`, for loops with other loops inside that cannot be joined themselves. Where rows are short, or few, the nests
are faster apart: a test before them decides. Only for nests that go along the rows; products and the like stay apart.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.access import AccessTable
from weft.analysis.access.strides import stride
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.pins import pin_of
from weft.ir.types import PYBOOL, PYINT, View
from weft.ir.visit import blocks_of, bound_by, rewrite, substitute, walk, with_blocks
from weft.transform.loops.array_contraction import array_contraction
from weft.transform.loops.fusion import accessed, can_be_moved, goes_backwards, is_movable, same_iterations
from weft.transform.parallel.parallelise import is_parallel
from weft.transform.peel import Copies
from weft.transform.support import judged, table_of

SHORTEST_ROW, FEWEST_ROWS = 32, 64
"""Below these the nests stay apart: loops over short rows cost more than they save, and few rows feed few threads."""
MOST_STATEMENTS = 200


def row_fusion(program: n.Program) -> n.Program:
    """Join loops over rows."""
    if sum(isinstance(s, n.For) for s in walk(program.body)) < 3:
        return program
    joiner = _Joiner(program)
    changed = joiner.joined()
    return program if changed is program else array_contraction(changed)


class _Joiner:
    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.table: AccessTable = table_of(program)
        self.facts = judged(program).loops
        self.copies = Copies(program)

    def joined(self) -> n.Program:
        """The program with a version of each group of loops in which they are one."""
        body = self.block(self.program.body)
        return self.program if body is self.program.body else replace(self.program, body=body)

    def block(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        for group in self._groups(block):
            statements += self._versions(group) or [self._inside(s) for s in group]
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _inside(self, statement: n.Statement) -> n.Statement:
        inner = blocks_of(statement)
        if isinstance(statement, n.For) and self._is_suited(statement):
            return statement
        changed = tuple(self.block(b) for b in inner)
        return (
            statement if all(a is b for a, b in zip(changed, inner, strict=True)) else with_blocks(statement, changed)
        )

    # ------------------------------------------------------------------------------------------- which loops

    def _groups(self, block: n.Block) -> list[list[n.Statement]]:
        """The statements of a block, those together that could be one loop, with what stands between and before."""
        groups: list[list[n.Statement]] = []
        first: n.For | None = None
        for statement in block.statements:
            if isinstance(statement, n.For) and self._is_suited(statement):
                if first is not None and not self._belongs(first, statement, groups[-1]):
                    groups.append([])
                    first = None
                first = first or statement
                self._append(groups, statement)
            elif is_movable(statement):
                self._append(groups, statement)
            else:
                groups += [[statement], []]
                first = None
        return [group for group in groups if group]

    @staticmethod
    def _append(groups: list[list[n.Statement]], statement: n.Statement) -> None:
        groups[-1].append(statement) if groups else groups.append([statement])

    def _is_suited(self, loop: n.For) -> bool:
        fact = self.facts.get(loop.label)
        if fact is None or not is_parallel(fact) or fact.updates or fact.scans or loop.args:
            return False
        if loop.claim != "range" or loop.exit is not None or block_may_raise(loop.body):
            return False
        if any(isinstance(s, (n.While, n.Update, n.Call, n.External, n.Raise)) for s in walk(loop.body)):
            return False
        return all(_is_flat(s) for s in walk(loop.body) if isinstance(s, n.For)) and self._goes_along(loop)

    def _goes_along(self, loop: n.For) -> bool:
        """Whether the loops inside read and write elements one after the other."""
        region = self.table.structure.loops[loop.label].body
        for access in self.table.within(region):
            innermost = access.site.region.loops[-1]
            if innermost.label != loop.label and stride(self.table, access, innermost).kind not in ("none", "unit"):
                return False
        return True

    def _belongs(self, first: n.For, second: n.For, group: list[n.Statement]) -> bool:
        """Whether a loop runs over the rows of the first of a group, and has an array in common with one of it."""
        pins = {pin_of(self.program.pins, loop.location) for loop in (first, second)}
        size = sum(1 for _ in walk(n.Block((*group, second))))
        ours = {root for s in group if isinstance(s, n.For) for root in accessed(self.table, s)}
        if len(pins) > 1 or size > MOST_STATEMENTS or ours.isdisjoint(accessed(self.table, second)):
            return False
        return same_iterations(self.table, first, second)

    # ---------------------------------------------------------------------------------------------- versions

    def _versions(self, group: list[n.Statement]) -> list[n.Statement] | None:
        """A group as one loop where its rows are long and many, and as it is elsewhere."""
        last = max((k for k, s in enumerate(group) if isinstance(s, n.For)), default=0)
        loops = [s for s in group if isinstance(s, n.For)]
        length = self._length(loops) if len(loops) > 1 else None
        before = [s for s in group[:last] if not isinstance(s, n.For)]
        if length is None or not can_be_moved(self.table, before):
            return None
        own: list[n.Statement] = [s for s in before if self._is_own(s, loops)]
        together = self._together(loops, own)
        if together is None:
            return None
        tests, condition = self._condition(loops[0], length)
        choice = n.If(condition, together, n.Block((*own, *loops)), (), loops[0].location)
        return [*(s for s in before if s not in own), *tests, choice, *group[last + 1 :]]

    def _length(self, loops: list[n.For]) -> n.For | None:
        """A loop inside of the group whose bounds are known before it."""
        for loop in loops:
            inside = {v.name for s in walk(loop.body) for v in bound_by(s)} | {loop.index.name}
            for row in (s for s in loop.body.statements if isinstance(s, n.For)):
                known = inside.isdisjoint(b.name for b in (row.start, row.stop) if isinstance(b, n.Var))
                if known and not any(isinstance(s, n.For) for s in walk(row.body)):
                    return row
        return None

    def _condition(self, rows: n.For, row: n.For) -> tuple[list[n.Statement], n.Atom]:
        """Whether rows are many and long."""
        tests: list[n.Statement] = []
        found: list[n.Atom] = []
        for loop, least in ((rows, FEWEST_ROWS), (row, SHORTEST_ROW)):
            trips = self.copies.let(n.Binary("sub", loop.stop, loop.start, False), PYINT, rows.location)
            enough = self.copies.let(n.Compare("ge", trips.var, n.Const(least)), PYBOOL, rows.location)
            tests += [trips, enough]
            found.append(enough.var)
        both = self.copies.let(n.Binary("and", found[0], found[1], False), PYBOOL, rows.location)
        return [*tests, both], both.var

    # ---------------------------------------------------------------------------------------------- one loop

    def _is_own(self, statement: n.Statement, loops: list[n.For]) -> bool:
        """Whether a statement makes an array that the group alone uses, row by row."""
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Alloc):
            return False
        paths = [self.table.structure.loops[loop.label].body.path for loop in loops]
        indices = {loop.label: loop.index for loop in loops}
        for use in self.table.structure.uses[statement.var.name]:
            index = next((indices[loop.label] for loop in use.region.loops if loop.label in indices), None)
            inside = any(use.region.path[: len(path)] == path for path in paths)
            if not inside or index is None or not _is_in_row(use.statement, statement.var, index):
                return False
        return True

    def _together(self, loops: list[n.For], own: list[n.Statement]) -> n.Block | None:
        """The group as one loop, with arrays of its own for what only it uses; None where that is not right."""
        first, *others = loops
        statements = list(first.body.statements)
        seams = []
        for loop in others:
            begin = len(statements)
            statements += substitute(loop.body, {loop.index.name: first.index}).statements
            seams.append((begin, len(statements)))
        fused = replace(first, body=n.Block(tuple(statements)))
        if not self._is_right(loops, fused, seams):
            return None
        rows = [(let.var, self._row(let)) for let in own if isinstance(let, n.Let)]
        body = n.Block((*(row for _, row in rows), *fused.body.statements))
        for whole, row in rows:
            body = _with_row(body, whole, row.var)
        copy = self.copies.block(n.Block((replace(fused, body=body),)))
        return copy

    def _row(self, let: n.Let) -> n.Let:
        assert isinstance(let.value, n.Alloc) and isinstance(let.var.type, View)
        type = View(let.var.type.element, max(let.var.type.ndim - 1, 1), contiguous=True)
        shape = let.value.shape[1:] or (n.Const(1),)
        return n.Let(self.copies.names.fresh(let.var.stem, type), replace(let.value, shape=shape), let.location)

    def _is_right(self, loops: list[n.For], fused: n.For, seams: list[tuple[int, int]]) -> bool:
        """Whether the loop over all is parallel, and no iteration of a part needs what a later one of another does."""
        gone = {loop.label for loop in loops[1:]}
        candidate = replace(self.program, body=_replaced(self.program.body, loops[0].label, fused, gone))
        fact = judged(candidate).loops[fused.label]
        if not is_parallel(fact):
            return False
        table = table_of(candidate)
        return not any(goes_backwards(table, (fused.label,), begin, end) for begin, end in seams)


def _is_flat(loop: n.For) -> bool:
    """Whether a loop inside has no loops in it, or only sums of parts."""
    inner = [s for s in walk(loop.body) if isinstance(s, n.For)]
    return not inner or (bool(loop.args) and all(s.args for s in inner))


def _is_in_row(statement: n.Statement | None, array: n.Var, index: n.Var) -> bool:
    """Whether a statement loads or stores an element of an array in the row of a counter."""
    access = statement.value if isinstance(statement, n.Let) else statement
    if not isinstance(access, (n.Load, n.Store)) or access.view != array:
        return False
    return access.bounds == "safe" and access.mask is None and access.indices[0] == index


def _with_row(body: n.Block, whole: n.Var, row: n.Var) -> n.Block:
    """The body with a row for an array."""

    def change(statement: n.Statement) -> n.Statement:
        if isinstance(statement, n.Store) and statement.view == whole:
            return replace(statement, view=row, indices=_within(statement.indices))
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Load) and statement.value.view == whole:
            value = replace(statement.value, view=row, indices=_within(statement.value.indices))
            return replace(statement, value=value)
        return statement

    return rewrite(body, change)


def _within(indices: tuple[n.Atom, ...]) -> tuple[n.Atom, ...]:
    return indices[1:] or (n.Const(0),)


def _replaced(block: n.Block, label: str, fused: n.For, gone: set[str]) -> n.Block:
    """The block with one loop replaced, and others left out."""

    def change(statement: n.Statement) -> n.Statement | tuple[n.Statement, ...]:
        if isinstance(statement, n.For) and statement.label in gone:
            return ()
        return fused if isinstance(statement, n.For) and statement.label == label else statement

    return rewrite(block, change)
