"""Summaries: the code that sums up one tile of a loop, without raising and without writing memory. No pass itself.

What a tile is summed up by is said by `weft.analysis.recurrences.tiling`. The tile *fails* where that cannot be known
without running it after all tiles before it: it ends the loop, it may raise, or a summary of floats would not be exact
enough.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Loop, Path
from weft.analysis.dependence.influence import Influence, influence
from weft.analysis.recurrences.chains import Chain, Chains
from weft.analysis.recurrences.recurrences import constant_while_running
from weft.analysis.recurrences.tiling import Part, Tiling
from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.neutral import identity
from weft.ir.scribe import FALSE, Scribe
from weft.ir.types import INT8, INT16, INT32, INT64, PYBOOL, PYINT, Scalar
from weft.ir.visit import arrays_made_in, walk
from weft.transform.peel import Copies
from weft.transform.scan.recurrence_coefficients import Slopes
from weft.transform.scan.speculative_copy import Careful, Unsuited, quiet_functions
from weft.transform.simplify.dce import cleaned
from weft.transform.simplify.if_conversion import undefined_names

SMALLEST_PRODUCT = {64: 1e-280, 32: 1e-30}
"""Products of a tile between this and its reciprocal are exact enough to go on with, by the bits of the type."""


@dataclass
class Summary:
    """What is known of the summary of a loop's tiles.

    Attributes
    ----------
    body
        Straight from the loop: one iteration, with the loop's own variables. It yields what `accumulators` are next.
    quiet
        The same without what sums up: it yields nothing, and defines what the loop's body defines.
    accumulators
        What goes from iteration to iteration inside a tile: of each part one, of a linear one two, and whether the tile
        fails, if it may.
    may_fail
        Whether a tile may fail at all.
    raising
        What may raise where only the partial results are known.
    watched
        Where there is any: one iteration without its effects, which yields what the loop carries, and whether it would
        raise.
    """

    tiling: Tiling
    aliases: Aliases
    body: n.Block
    quiet: n.Block
    accumulators: tuple[n.LoopArg, ...]
    slopes: dict[int, n.Var]
    failing: n.Var | None
    may_fail: bool
    raising: tuple[n.Statement, ...]
    watched: n.Block
    checked: frozenset[int] = field(default_factory=frozenset)
    """Places of Python integers whose overflow is an error."""


def summarise(table: AccessTable, tiling: Tiling, program: n.Program, copies: Copies) -> Summary:
    """The code that sums up a tile; raises `Unsuited` where there is none."""
    return _Maker(table, tiling, program, copies).summary()


class _Maker:
    def __init__(self, table: AccessTable, tiling: Tiling, program: n.Program, copies: Copies) -> None:
        self.table = table
        self.tiling = tiling
        self.loop: Loop = tiling.loop
        assert isinstance(self.loop.node, n.For)
        self.node: n.For = self.loop.node
        self.program = program
        self.associative = frozenset(f.name for f in program.functions if f.associative)
        self.copies = copies

    def summary(self) -> Summary:
        if not all(isinstance(arg.var.type, Scalar) for arg in self.node.args):
            raise Unsuited
        for part in self.tiling.summed:
            self._check_ties(part)
        late = self._late()
        scribe = Scribe(self.copies.names, self.node.location)
        failed = self._careful(late, scribe)
        plain = scribe.block()
        slopes = {
            p.place: scribe.fresh("slope", _start(p, self._type(p)).type) for p in self.tiling.summed if _has_slope(p)
        }
        scribe, ends = self._with_slopes(plain, slopes)
        failed = self._ended(failed, scribe)
        accumulators, yields = self._accumulators(slopes, ends)
        failing = None
        if failed != FALSE:
            flag = _flag(self.node.body)
            failing = scribe.fresh("failed", flag)
            accumulators.append(n.LoopArg(failing, n.Const(0, flag), "or"))
            more = scribe.select(failed, n.Const(1, flag), n.Const(0, flag))
            yields.append(scribe.op("or", failing, more))
        body = cleaned(scribe.block(yields))
        self._check_loads(body, self._is_before)
        for part in self.tiling.summed:
            if part.companions:
                places = (part.place, *part.companions)
                again = replace(plain, yields=tuple(self.node.body.yields[k] for k in places))
                self._check_loads(cleaned(again), lambda load, store: False)
        checked = frozenset(p.place for p in self.tiling.summed if self._is_checked(p))
        may_fail = failing is not None or bool(checked) or any(map(is_delicate, self.tiling.summed))
        raising = tuple(self._raising(late))
        watched = self._watched() if raising else n.Block()
        return Summary(
            self.tiling, self.table.aliases, body, plain, tuple(accumulators), slopes, failing, may_fail, raising,
            watched, checked,
        )  # fmt: skip

    def _careful(self, unknown: frozenset[Path], scribe: Scribe) -> n.Atom:
        """Write a copy of an iteration that neither raises nor writes; gives whether the iteration would raise."""
        undefined, quiet = undefined_names(self.table.structure.root.block), quiet_functions(self.program)
        careful = Careful(unknown, self._fresh(), undefined, quiet)
        return careful.block(self.node.body, self.loop.body.path, scribe, FALSE)

    def _watched(self) -> n.Block:
        """One iteration that looks for what it would raise, given all that it begins with."""
        if any(part.companions for part in self.tiling.summed):
            raise Unsuited
        scribe = Scribe(self.copies.names, self.node.location)
        failed = self._careful(frozenset(), scribe)
        block = scribe.block((*self.node.body.yields, failed))
        self._check_loads(cleaned(block), self._is_before)
        return block

    def _type(self, part: Part) -> Scalar:
        type = self.node.args[part.place].var.type
        assert isinstance(type, Scalar)
        return type

    def _is_checked(self, part: Part) -> bool:
        """Whether an integer of Python that is folded could overflow."""
        if self._type(part) != PYINT or part.operator != "add":
            return False
        values = (s.value for s in walk(self.node.body) if isinstance(s, n.Let) and s.var.type == PYINT)
        return any(isinstance(v, n.Binary) and v.checked and v.op in ("add", "sub", "mul") for v in values)

    # ------------------------------------------------------------------------------------------ what is known late

    def _late(self) -> frozenset[Path]:
        """The places of statements whose effects or faults depend on partial results."""
        found: set[Path] = set()
        for part in self.tiling.summed:
            if part.value.kind not in ("scan", "counter", "induction"):
                continue
            reached, chain = self._reached(part.place)
            found.update(site.path for site in reached.effects)
            found.update(site.path for site, name in reached.faults.items() if name not in chain.links)
        return frozenset(found)

    def _check_ties(self, part: Part) -> None:
        """Floats that are compared twice in an iteration are compared by one rule, as the fold of the tiles does."""
        value = part.value
        if part.rule != "extreme" or not value.is_float:
            return
        if value.ties_last or value.nan_replaces or value.nan_stays:
            _, chain = self._reached(part.place)
            if len(chain.contributions) > 1:
                raise Unsuited

    def _reached(self, place: int) -> tuple[Influence, Chain]:
        """What a carried value influences, and what lies between it and its next value."""
        args = self.node.args
        same = {args[k].var.name for k in constant_while_running(self.table, self.loop)}
        reached = influence(self.table, self.loop.body, (args[place].var.name,), same)
        chains = Chains(self.table, (args[place].var.name,), reached, self.associative, self.loop.body)
        chain = chains.of(self.node.body.yields[place])
        if chain is None:
            raise Unsuited
        return reached, chain

    def _raising(self, paths: frozenset[Path]) -> Iterator[n.Statement]:
        """The statements at some places that may raise."""
        for site in self.loop.body.sites():
            if site.path in paths and self._raises(site.statement):
                yield site.statement

    @staticmethod
    def _raises(statement: n.Statement) -> bool:
        if isinstance(statement, n.Let):
            return may_raise(statement.value, statement.var.type)
        return not isinstance(statement, n.Store) or (statement.bounds != "safe" and bool(statement.indices))

    def _fresh(self) -> frozenset[str]:
        """Names of views of arrays that each iteration makes for itself."""
        made = arrays_made_in(self.node.body)
        found = set()
        for statement in walk(self.node.body):
            if isinstance(statement, n.Store):
                roots = self.table.aliases.roots(statement.view)
                if roots <= made:
                    found.add(statement.view.name)
                elif roots & made:
                    raise Unsuited
        return frozenset(found)

    def _check_loads(self, body: n.Block, is_old: Callable[[Access, Access], bool]) -> None:
        """Nothing that is left may read what the loop stored before; `is_old` tells where a load comes first."""
        kept = {s.var.name for s in walk(body) if isinstance(s, n.Let)}
        made = arrays_made_in(self.node.body)
        inside = list(self.table.within(self.loop.body))
        loads = [a for a in inside if a.kind == "load" and isinstance(a.value, n.Var) and a.value.name in kept]
        for load in loads:
            roots = self.table.roots(load) - made
            for other in inside:
                if other.writes and roots & self.table.roots(other) and not is_old(load, other):
                    raise Unsuited

    def _is_before(self, load: Access, store: Access) -> bool:
        """Whether a load comes before a store in every iteration of the loop."""
        shared = [loop for loop in load.loops if loop in store.loops]
        return shared[-1] is self.loop and load.site.path < store.site.path

    # ------------------------------------------------------------------------------------------ what goes on inside

    def _with_slopes(self, block: n.Block, slopes: dict[int, n.Var]) -> tuple[Scribe, dict[int, n.Atom]]:
        ends: dict[int, n.Atom] = {}
        for place, slope in slopes.items():
            scribe = Scribe(self.copies.names, self.node.location)
            type = slope.type
            assert isinstance(type, Scalar)
            other = n.Const(True if type.kind == "b" else 0.0 if type.kind == "f" else 0, type)
            made = Slopes(self.node.args[place].var, slope, other)
            made.block(block, scribe)
            ends[place] = made.of(self.node.body.yields[place])
            block = scribe.block()
        scribe = Scribe(self.copies.names, self.node.location)
        scribe.statements.extend(block.statements)
        return scribe, ends

    def _ended(self, failed: n.Atom, scribe: Scribe) -> n.Atom:
        """Whether an iteration failed: it ends the loop, or meets a NaN that an extreme does not pass over."""
        yields = self.node.body.yields
        if self.node.exit is not None:
            failed = scribe.either(failed, scribe.negated(scribe.boolean(yields[self.node.exit])))
        for part in self.tiling.summed:
            counts = part.value.nan_replaces or part.value.nan_stays
            if part.rule == "extreme" and counts and self._type(part).kind == "f":
                value = yields[part.place]
                failed = scribe.either(failed, scribe.compare("ne", value, value))
        return failed

    def _accumulators(self, slopes: dict[int, n.Var], ends: dict[int, n.Atom]) -> tuple[list[n.LoopArg], list[n.Atom]]:
        accumulators: list[n.LoopArg] = []
        yields: list[n.Atom] = []
        for part in self.tiling.summed:
            type = self._type(part)
            op = "add" if _has_slope(part) else part.operator
            var = self.node.args[part.place].var
            accumulators.append(n.LoopArg(var, identity(op, type), None if slopes else part.operator))
            yields.append(self.node.body.yields[part.place])
        for part in self.tiling.summed:
            if _has_slope(part):
                accumulators.append(n.LoopArg(slopes[part.place], _start(part, self._type(part))))
                yields.append(ends[part.place])
        return accumulators, yields


def _has_slope(part: Part) -> bool:
    """Whether two values sum a tile up: what becomes of nothing, and how much the value before counts."""
    return part.rule in ("linear", "assigned", "called")


def _start(part: Part, type: Scalar) -> n.Const:
    """The slope before the first iteration of a tile: 1; or that the value was not replaced yet."""
    return identity("mul", type) if part.rule == "linear" else n.Const(False, PYBOOL)


def _flag(block: n.Block) -> Scalar:
    """An integer as wide as what a block reads, which vector code folds at the same speed; 0 is False."""
    loads = (s.var.type for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Load))
    sizes = [min(type.size, 8) for type in loads if isinstance(type, Scalar)]
    return {1: INT8, 2: INT16, 4: INT32}.get(max(sizes, default=8), INT64)


def is_delicate(part: Part) -> bool:
    """Whether the summary of a tile may be of no use: see `reliable`."""
    if part.rule == "extreme":
        nan_replaces = part.value.nan_replaces and part.value.is_float
        return nan_replaces or (part.value.ties_last and bool(part.companions))
    return part.value.is_float and (part.rule == "linear" or part.operator == "mul")


def reliable(parts: Sequence[tuple[Part, n.Atom, n.Atom | None]], scribe: Scribe) -> Iterator[n.Atom]:
    """Conditions under which the summaries of a tile, and slopes of linear ones, say all that is to be known of it."""
    for part, value, slope in parts:
        type = value.type
        assert isinstance(type, Scalar)
        if part.rule == "linear" and slope is not None and type.kind == "f":
            yield small(slope, 1.0, scribe)
            yield finite(value, scribe)
        elif part.rule == "extreme" and is_delicate(part):
            yield scribe.compare("ne", value, identity(part.operator, type))
        elif part.rule == "fold" and part.operator == "mul" and part.value.is_float:
            least = SMALLEST_PRODUCT[type.bits]
            size = scribe.let(n.Unary("abs", value), type)
            yield scribe.compare("ge", size, n.Const(least, type))
            yield scribe.compare("le", size, n.Const(1 / least, type))


def finite(value: n.Atom, scribe: Scribe) -> n.Atom:
    """Whether a float is neither infinite nor a NaN."""
    assert isinstance(value.type, Scalar)
    largest = sys.float_info.max if value.type.bits == 64 else 3.4028234663852886e38
    return small(value, largest, scribe)


def small(value: n.Atom, limit: float, scribe: Scribe) -> n.Atom:
    """Whether the size of a number is at most `limit`; that of a NaN is not."""
    return scribe.compare("le", scribe.let(n.Unary("abs", value), value.type), n.Const(limit, value.type))
