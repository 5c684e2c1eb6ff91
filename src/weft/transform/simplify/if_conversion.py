"""Select: a branch that only chooses between cheap values computes both and chooses.

Both sides may hold a few operations that cannot raise. They may load elements that are proven to be inside without the
branch, from arrays that nobody writes there: such as are near those that the code around the branch loads anyway, and
any for `a and b`, `a or b` in a fold and a branch like ``if j != i`` that is skipped once in a while. Where that is
the counter of the loop, which is another number in all iterations but one, the side that they take may be long, and
may divide. Values that are not defined yet are left alone. Branches that choose views stay.

Where data choose, the element that an iteration before stored may be loaded too (``y[i] = x[i] if first[i] else
y[i - 1] + x[i]``): no order is lost, since some iterations need it anyway, and the loop is a scan then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from weft.analysis.access.structure import Region
from weft.analysis.values.forms import is_integer
from weft.analysis.values.inside import Inside
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.effects import is_speculative, written_views
from weft.ir.types import BOOL, PYBOOL, Scalar
from weft.ir.visit import atoms_of, blocks_of, bound_inside, defined_by, walk, with_blocks
from weft.transform.simplify.unchecked import Proofs
from weft.transform.support import for_each_body

MOST_OPERATIONS = 8
MOST_USUAL = 64
"""As many may be computed in vain by one iteration of a loop."""
_COSTLY = frozenset({"truediv", "floordiv", "mod", "pow"})


def if_conversion(program: n.Program) -> n.Program:
    """Replace small branches by selections."""

    def change(body: n.Block, ranges: Ranges) -> n.Block:
        return _Selector(body, ranges, Inside.of(program, body, ranges)).block(ranges.structure.root)

    return for_each_body(program, change)


class _Selector:
    def __init__(self, body: n.Block, ranges: Ranges, inside: Inside) -> None:
        self.inside = inside
        self.undefined = undefined_names(body)
        self.proofs = Proofs(ranges)
        self.ranges = ranges
        self.written = ranges.aliases.written(ranges.structure.root)

    def block(self, region: Region) -> n.Block:
        """The block of a region with its branches replaced, inner ones first."""
        statements: list[n.Statement] = []
        for position, statement in enumerate(region.block.statements):
            inner = region.inner.get(position, ())
            new = tuple(map(self.block, inner))
            if any(a is not r.block for a, r in zip(new, inner, strict=True)):
                statement = with_blocks(statement, new)
            if isinstance(statement, n.If):
                statements.extend(self._flattened(statement, region))
            else:
                statements.append(statement)
        same = len(statements) == len(region.block.statements)
        if same and all(a is b for a, b in zip(statements, region.block.statements, strict=True)):
            return region.block
        return replace(region.block, statements=tuple(statements))

    def _flattened(self, statement: n.If, region: Region) -> tuple[n.Statement, ...]:
        sides = (*statement.then.statements, *statement.orelse.statements)
        if not statement.results or not all(isinstance(r.type, Scalar) for r in statement.results):
            return (statement,)
        usual = self._usual_side(statement.condition)
        is_once = usual is not None and self._is_missed_once(statement.condition, region)
        longest = MOST_USUAL if is_once else MOST_OPERATIONS
        loaded = self._loaded_anyway(statement, region)
        may_load = is_once or (_is_condition(statement) and self._folds_across(region))
        for number, side in enumerate(blocks_of(statement)):
            is_usual = number == usual
            most = longest if is_usual else MOST_OPERATIONS
            if sum(1 for _ in walk(side)) > most or not all(
                self._may_run(s, region, may_load or is_usual, is_usual and is_once, loaded) for s in side.statements
            ):
                return (statement,)
        if not is_once and len(sides) > MOST_OPERATIONS:
            return (statement,)
        yields = zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True)
        chosen = (n.Let(r, n.Select(statement.condition, a, b), statement.location) for r, a, b in yields)
        return (*sides, *chosen)

    def _usual_side(self, condition: n.Atom) -> int | None:
        """The number of the side that runs but where two integers are equal, if that is what a branch asks."""
        test = self.ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
        if not isinstance(test, n.Compare) or not is_integer(test.left.type):
            return None
        return {"ne": 0, "eq": 1}.get(test.op)

    def _is_missed_once(self, condition: n.Atom, region: Region) -> bool:
        """Whether the two integers that a branch compares are equal in one iteration of the innermost loop at most."""
        loop = region.loops[-1] if region.loops else None
        test = self.ranges.structure.definition(condition).value if isinstance(condition, n.Var) else None
        if loop is None or not isinstance(loop.node, n.For) or not isinstance(test, n.Compare):
            return False
        form = self.ranges.forms.of(test.left) - self.ranges.forms.of(test.right)
        counter = loop.node.index.name
        inside = {v.name for s in walk(loop.node.body) for v in defined_by(s)}
        inside |= {v.name for v in bound_inside(loop.node)} - {counter}
        return bool(form.coefficient(counter).value) and form.degree(counter) == 1 and form.names.isdisjoint(inside)

    def _folds_across(self, region: Region) -> bool:
        """Whether the innermost loop hands something on, and the one around it reads one element after the other.

        With branches that one does not become vector code.
        """
        if len(region.loops) < 2:
            return False
        around, fold = (loop.node for loop in region.loops[-2:])
        if not isinstance(fold, n.For) or not isinstance(around, n.For) or not fold.args:
            return False
        loads = (s.value for s in walk(fold.body) if isinstance(s, n.Let) and isinstance(s.value, n.Load))
        last = (load.indices[-1] for load in loads if load.indices)
        return any(around.index.name in self.ranges.forms.of(index).names for index in last)

    def _loaded_anyway(self, branch: n.If, region: Region) -> Collection[n.Expression]:
        """What both sides of a branch that data decide load, or what the iterations before it stored."""
        if not region.loops or not self._is_by_data(branch.condition, region):
            return ()
        one, other = (
            {s.value: s for s in side.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)}
            for side in blocks_of(branch)
        )
        carried = [value for value in (*one, *other) if isinstance(value, n.Load) and self._is_carried(value, region)]
        return (*(value for value in one if value in other), *carried) if carried else ()

    def _is_by_data(self, condition: n.Atom, region: Region) -> bool:
        """Whether a condition is an element, or a comparison of one, that the innermost loop loads."""
        structure, body = self.ranges.structure, region.loops[-1].body
        todo = [condition]
        while todo:
            atom = todo.pop()
            if not isinstance(atom, n.Var) or not structure.is_inside(atom.name, region.loops[-1]):
                continue
            definition = structure.definition(atom)
            if isinstance(definition.value, n.Load):
                return definition.region is body
            if isinstance(definition.value, (n.Compare, n.Unary, n.Cast)):
                todo.extend(atoms_of(definition.value))
        return False

    def _is_carried(self, load: n.Load, region: Region) -> bool:
        """Whether every iteration of the innermost loop stores to the element that a later one loads."""
        loop = region.loops[-1]
        if load.mask is not None or region is not loop.body or not isinstance(loop.node, n.For):
            return False
        if loop.node.claim != "range":  # that iterations are independent, which a load that does not happen keeps true
            return False
        own, counter = self._forms(load), loop.node.index.name
        for store in loop.body.block.statements:
            if not isinstance(store, n.Store) or store.view != load.view or store.mask is not None:
                continue
            others = [self.ranges.forms.of(index) for index in store.indices]
            apart = [(a - b).value for a, b in zip(others, own, strict=True)]
            moves = [form.degree(counter) == 1 for form in own]
            if any(apart) and all(gap == 0 or (gap and moved) for gap, moved in zip(apart, moves, strict=True)):
                return True
        return False

    def _may_run(
        self, statement: n.Statement, region: Region, may_load: bool, may_cost: bool,
        loaded: Collection[n.Expression] = (),
    ) -> bool:  # fmt: skip
        """Whether a statement of a side of a branch may run in every iteration; branches, with `may_cost`."""
        if isinstance(statement, n.If) and may_cost:
            inner = (s for block in blocks_of(statement) for s in block.statements)
            return all(self._may_run(s, region, may_load, may_cost) for s in inner)
        if not isinstance(statement, n.Let) or not isinstance(statement.var.type, Scalar):
            return False
        value = statement.value
        is_costly = isinstance(value, n.Math) or (isinstance(value, n.Binary) and value.op in _COSTLY)
        if is_costly and not may_cost:
            return False
        if any(isinstance(a, n.Var) and a.name in self.undefined for a in atoms_of(value)):
            return False
        type = statement.var.type
        if isinstance(value, n.Load):
            found = self._is_near(value, region) or (may_load and self._is_constant(value, region)) or value in loaded
            return found and self.inside.holds(value, region)
        return is_speculative(value, type) or self.proofs.cannot_raise(value, type, region)

    def _is_near(self, load: n.Load, region: Region) -> bool:
        """Whether the innermost loop loads from the same array anyway, at the same distance or a constant one."""
        roots = self.ranges.aliases.roots(load.view)
        if load.mask is not None or not region.loops or not roots.isdisjoint(self.written):
            return False
        own = self._forms(load)
        for around in region.chain():
            lets = (s.value for s in around.block.statements if isinstance(s, n.Let))
            others = (v for v in lets if isinstance(v, n.Load) and v.view == load.view and v.mask is None)
            if any(all((a - b).value is not None for a, b in zip(own, self._forms(o), strict=True)) for o in others):
                return True
            if around is region.loops[-1].body:
                return False
        return False

    def _is_constant(self, load: n.Load, region: Region) -> bool:
        """Whether the outermost loop writes no array that a load may read."""
        if load.mask is not None or not region.loops:
            return False
        statements = list(walk(region.loops[0].body.block))
        written = {v for s in statements for v in written_views(s)}
        if any(isinstance(s, n.Call) for s in statements):
            return False
        return not any(self.ranges.aliases.may_alias(load.view, view) for view in written)

    def _forms(self, load: n.Load) -> list[Form]:
        return [self.ranges.forms.of(index) for index in load.indices]


def _is_condition(statement: n.If) -> bool:
    """Whether a branch only computes `a and b` or `a or b` of truth values: one side reads nothing."""
    if len(statement.results) != 1 or statement.results[0].type not in (BOOL, PYBOOL):
        return False
    return any(
        not any(isinstance(s, n.Let) and isinstance(s.value, n.Load) for s in walk(b)) for b in blocks_of(statement)
    )


def undefined_names(block: n.Block) -> set[str]:
    """Variables that may hold a value that was never given: they may be moved about, and not computed with."""
    found: set[str] = set()
    while True:
        before = len(found)
        _find_undefined(block, found)
        if len(found) == before:
            return found


def _find_undefined(block: n.Block, found: set[str]) -> None:
    def spread(targets: tuple[n.Var, ...], sources: tuple[n.Atom, ...]) -> None:
        for target, source in zip(targets, sources, strict=True):
            if isinstance(source, n.Var) and source.name in found:
                found.add(target.name)

    for statement in block.statements:
        if isinstance(statement, n.Let):
            if isinstance(statement.value, n.Undefined):
                found.add(statement.var.name)
            elif isinstance(statement.value, n.Select):
                spread((statement.var,) * 2, (statement.value.then, statement.value.orelse))
        elif isinstance(statement, (n.For, n.While)):
            args = tuple(a.var for a in statement.args)
            spread(args, tuple(a.init for a in statement.args))
            for inner in blocks_of(statement):
                _find_undefined(inner, found)
            spread(args, statement.body.yields)
            spread(statement.results, args)
        elif isinstance(statement, n.If):
            for inner in blocks_of(statement):
                _find_undefined(inner, found)
                spread(statement.results, inner.yields)
