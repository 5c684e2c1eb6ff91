"""Counts what a program asks of the processor, from the program as it is laid out for it, and for given sizes.

What it does: follows integers and extents as the program computes them, and notes for each loop what stands in it.
Branches inside of nests count by how often their conditions hold: for elements that are at hand that is sampled, else
half of the iterations, which is noted as an assumption. Loops whose bounds are data run `UNKNOWN_TRIPS` times, or as
often as the caller says. What it does not do: times; see `weft.cost.model`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from weft.cost.counters import step_of
from weft.cost.demand import Demand, Level, Nest, Touch
from weft.cost.kinds import kinds_of, lanes_of
from weft.cost.loops import Loops
from weft.cost.quantities import UNKNOWN, Quantity, Region, constant
from weft.cost.values import Values
from weft.cost.vectors import blocks_vectors, can_be_vector, overflows
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.location import Location
from weft.ir.python_calls import callee_of
from weft.ir.types import Vector, View
from weft.ir.visit import atoms_of, blocks_of, known_trips, walk

REMEMBERED = 8192.0
"""Outcomes of branches that processors remember from call to call."""

MOST_ROUNDS = 64
"""Rounds of a loop that are followed one by one."""

SHORT_TRIPS = 16
"""Iterations of loops that compilers unroll."""

SHORT_VECTORS = 128
"""The same of loops that become a few vectors."""

REGISTERS = 2048
"""Bytes of vector registers: compilers keep small arrays there that only unrolled loops touch."""

Work = Callable[[n.For, Values, float], float]
"""Nanoseconds that the runtime takes a parallel loop to last, when it decides about threads."""


class Walker(Loops):
    """Walks a program once.

    Parameters
    ----------
    program
        As the processor runs it: after `weft.transform.pipeline.for_cpu`.
    leaves
        For each parameter a `Region`, a number, or None.
    work
        What the runtime will think of parallel loops.
    trips
        Iterations of loops, or shares of branches, by ``"line 12"``.
    samples
        Elements of arrays at hand, by parameter.
    """

    def __init__(
        self,
        program: n.Program,
        leaves: Sequence[Region | float | None],
        work: Work,
        trips: Mapping[str, float] | None = None,
        samples: Mapping[str, np.ndarray[Any, Any]] | None = None,
    ) -> None:
        super().__init__(Values(samples or {}), dict(trips or {}))
        self.program = program
        self.functions = {function.name: function for function in program.functions}
        self.work = work
        self.stack: list[Level] = []
        self.branches = 0
        self.in_registers: set[str] = set()
        for param, leaf in zip(program.params, leaves, strict=True):
            if isinstance(leaf, Region):
                self.values.regions[param.var.name] = leaf
            elif leaf is not None:
                self.values.quantities[param.var.name] = constant(float(leaf))

    def run(self) -> Demand:
        """The demand of the program."""
        self._host(self.program.body, 1.0)
        return self.demand

    # ------------------------------------------------------------------------------------------ outside of nests

    def _host(self, block: n.Block, times: float) -> None:
        """A block that one thread runs, with nests in it."""
        level = Level("", 0, 1.0, times)
        for statement in block.statements:
            if isinstance(statement, n.For) and not _has_nests(statement):
                self._nest(statement, times)
            elif isinstance(statement, n.For):
                self._host_loop(statement, times)
            elif isinstance(statement, n.While):
                self._host_while(statement, times)
            elif isinstance(statement, n.If):
                self._host_branch(statement, times)
            else:
                self._plain(statement, level, 1.0)
        if level.operations or level.touches:
            self.demand.nests.append(Nest(1.0, level, _line_of(block)))

    def _host_loop(self, loop: n.For, times: float) -> None:
        trips = self._trips(loop)
        mean = self._mean_trips(loop, trips)
        self._open(loop, trips)
        self._host(loop.body, times * mean)
        self._close(loop, trips)

    def _host_while(self, loop: n.While, times: float) -> None:
        """A loop that counts by its first round; others round by round as long as their condition is known."""
        for arg in loop.args:
            self._alias(arg.var, arg.init)
        counter = _counter(loop)
        if counter is not None and step_of(loop.body, loop.args[counter[0]].var, counter[0]) is not None:
            self._host_while_at_once(loop, times)
            return
        holds = UNKNOWN
        for _ in range(MOST_ROUNDS):
            self._host(loop.condition, times)
            holds = self.values.number(loop.condition.yields[0])
            if holds != holds or not holds:
                break
            self._host(loop.body, times)
            known = [self._known(atom) for atom in loop.body.yields]
            for arg, each in zip(loop.args, known, strict=True):
                self._note(arg.var, each)
        if holds == 0:
            for arg, result in zip(loop.args, loop.results, strict=True):
                self._alias(result, arg.var)
            return
        self._host_while_at_once(loop, times)

    def _known(self, atom: n.Atom) -> Quantity | Region:
        if isinstance(atom, n.Var) and isinstance(atom.type, View):
            return self.values.region(atom)
        return self.values.of(atom)

    def _note(self, var: n.Var, known: Quantity | Region) -> None:
        if isinstance(known, Region):
            self.values.regions[var.name] = known
        else:
            self.values.quantities[var.name] = known

    def _host_while_at_once(self, loop: n.While, times: float) -> float:
        """A loop whose rounds are alike; how many there are."""
        mark = len(self.demand.nests)
        self._host(loop.condition, times)
        counter = _counter(loop)
        before, bound = UNKNOWN, UNKNOWN
        if counter is not None:
            before, bound = self.values.number(loop.args[counter[0]].var), self.values.number(counter[1])
        self._host(loop.body, times)
        after = self.values.number(loop.body.yields[counter[0]]) if counter is not None else UNKNOWN
        steps = (bound - before) / (after - before) if after != before else UNKNOWN
        rounds = math.ceil(steps) if math.isfinite(steps) else UNKNOWN
        if rounds != rounds or rounds < 0:
            rounds = self._unknown_trips(loop, f"line {loop.location.line}")
        for nest in self.demand.nests[mark:]:
            nest.times *= rounds
        for place, (arg, result) in enumerate(zip(loop.args, loop.results, strict=True)):
            self._carry(result, arg.init, "")
            if counter is not None and place == counter[0]:
                self.values.quantities[result.name] = constant(max(bound, before))
        return rounds

    def _host_branch(self, branch: n.If, times: float) -> None:
        test = self.values.of(branch.condition)
        known = test.value if test.value == test.value else self._usual(branch)
        for share, block in zip(self._shares(branch, known), (branch.then, branch.orelse), strict=True):
            if share > 0:
                self._host(block, times * share)
                for result, atom in zip(branch.results, block.yields, strict=True):
                    self._alias(result, atom)

    def _usual(self, branch: n.If) -> float:
        """The side that does not just raise, and on which loops are parallel."""
        raises = [any(isinstance(s, n.Raise) for s in block.statements) for block in (branch.then, branch.orelse)]
        if raises[0] != raises[1]:
            return float(raises[1])
        counts = [
            sum(isinstance(s, n.For) and s.mapping == "parallel" for s in walk(block))
            for block in (branch.then, branch.orelse)
        ]
        if counts[0] != counts[1]:
            return float(counts[0] > counts[1])
        return 1.0 if _are_versions(branch) else _without_search(branch)

    def _nest(self, loop: n.For, times: float) -> None:
        """A loop that is run as one, by several threads where it is parallel."""
        shared = loop.mapping in ("parallel", "turns")
        trips = self._trips(loop)
        work = self.work(loop, self.values, trips) if shared else 0.0
        level = self._level(loop, trips, 1.0)
        may_raise = shared and not loop.args and block_may_raise(loop.body)
        fold = any(arg.combine is not None for arg in loop.args)
        self.demand.nests.append(Nest(times, level, loop.location.line, shared, work, may_raise, fold))

    # ---------------------------------------------------------------------------------------------------- levels

    def _level(self, loop: n.For, trips: float, entries: float) -> Level:
        mean = self._mean_trips(loop, trips)
        self._open(loop, trips)
        level = Level(loop.label, loop.location.line, mean, entries)
        level.vector = can_be_vector(loop)
        level.folds = any(arg.combine is not None for arg in loop.args)
        level.may_end = any(isinstance(s, (n.For, n.While)) for s in walk(loop.body))
        known = known_trips(loop) or math.inf
        level.short = known <= (SHORT_VECTORS if level.vector else SHORT_TRIPS)
        self.stack.append(level)
        branches, self.branches = self.branches, 0
        self._block(loop.body, level, 1.0)
        level.short = level.short and (level.vector or known <= SHORT_TRIPS)
        self.branches = branches
        self.stack.pop()
        in_order = loop.mapping not in ("parallel", "turns")
        if in_order or (loop.args and overflows(loop.body)):
            self._chain(loop, level)
        self._close(loop, trips)
        return level

    def _block(self, block: n.Block, level: Level, share: float) -> None:
        """Count the statements of a block, each of which runs in `share` of the iterations."""
        for statement in block.statements:
            if isinstance(statement, n.For):
                trips = self._trips(statement)
                level.inner.append(self._level(statement, trips, level.times * share))
            elif isinstance(statement, n.While):
                self._while(statement, level, share)
            elif isinstance(statement, n.If):
                self._branch(statement, level, share)
            else:
                self._plain(statement, level, share)

    def _while(self, loop: n.While, level: Level, share: float) -> None:
        rounds = self._rounds(loop)
        inner = Level(loop.label, loop.location.line, rounds, level.times * share)
        for arg in loop.args:
            self._carry(arg.var, arg.init, loop.label)
        self.stack.append(inner)
        self._block(loop.condition, inner, 1.0)
        self._block(loop.body, inner, 1.0)
        self.stack.pop()
        self._chain(loop, inner)
        for place in range(len(loop.results)):
            self._result(loop, place)
        level.inner.append(inner)

    def _branch(self, branch: n.If, level: Level, share: float) -> None:
        test = self.values.of(branch.condition)
        known = test.value if test.value == test.value and not test.depends else UNKNOWN
        if known != known and _are_versions(branch):
            known = test.value if test.value == test.value else 1.0
        if known != known and any(isinstance(s, n.Raise) for s in branch.then.statements):
            known = 0.0
        if known != known and isinstance(branch.condition, n.Var):
            known = self.values.shares.get(branch.condition.name, UNKNOWN)
        if known != known:
            known = _without_search(branch)
        shares = (1.0, 1.0) if level.vector else self._shares(branch, known)
        if not level.vector and level.label in test.depends:
            level.operations["branch"] += share
            name = getattr(branch.condition, "name", "")
            missed = self.values.flips.get(name, min(shares))
            learnt = min(REMEMBERED / max(level.times * share, 1.0), 1.0)
            level.operations["miss"] += share * missed * (1 - learnt)
        for part, block in zip(shares, (branch.then, branch.orelse), strict=True):
            if part > 0:
                self.branches += 1
                self._block(block, level, share * part)
                self.branches -= 1
        for result, then, orelse in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
            self._alias(result, then if shares[0] >= shares[1] else orelse)
            if not isinstance(result.type, View):
                self._depend(result, then, orelse, branch.condition)

    def _shares(self, branch: n.If, known: float) -> tuple[float, float]:
        place = f"line {branch.location.line}"
        if known == known:
            part = min(max(float(known), 0.0), 1.0)
        elif place in self.given:
            part = min(max(self.given[place], 0.0), 1.0)
            self.assume(f"{place}: the condition holds in {part:.0%} of the iterations, as was said")
        else:
            part = 0.5
            self.assume(f"{place}: the condition holds in half of the iterations")
        return part, 1.0 - part

    def _plain(self, statement: n.Statement, level: Level, share: float) -> None:
        """A statement without blocks."""
        if isinstance(statement, n.Let):
            self._let(statement, level, share)
        elif isinstance(statement, (n.Store, n.Update)):
            mode = "store" if isinstance(statement, n.Store) else "update"
            self._touch(mode, statement.view, statement.indices, statement.value, level, share, statement.bounds)
        elif isinstance(statement, n.Call):
            self._call(statement, level, share)
        elif isinstance(statement, n.External):
            self.assume(f"line {statement.location.line}: {callee_of(statement.reference)} and takes no time")

    def _let(self, let: n.Let, level: Level, share: float) -> None:
        value = let.value
        self.values.let(let)
        depends = self.values.of(let.var).depends
        stays = level.label in depends or self._is_guarded(value, level)
        if stays and blocks_vectors(let):
            level.vector = False
        if isinstance(value, n.Load):
            self._touch("load", value.view, value.indices, let.var, level, share, value.bounds)
            return
        if isinstance(value, n.Alloc):
            region = self.values.regions[let.var.name]
            level.operations["allocate"] += share
            if region.size <= REGISTERS and level.label:
                self.in_registers.add(region.root)
            if region.size < math.inf:
                self.demand.made += region.size * level.times * share
                if value.fill is not None:
                    level.operations["fill"] += share * region.size
            return
        found = self.values.of(let.var)
        is_index = found.is_affine and found.form is not None and not isinstance(let.var.type, Vector)
        lanes = lanes_of(let.var.type)
        if not stays:
            level, share = self._home(depends, level, share)
        for kind, number in kinds_of(value, let.var.type):
            if kind.startswith("remainder"):
                level.operations[f"{kind}.bits"] += share * number * lanes * self._quotient_bits(value)
            if kind == "int64" and is_index:
                kind = "index"
            if lanes > 1 and not kind.startswith("remainder"):
                level.operations[f"lanes.{kind}"] += share * number * lanes
            else:
                level.operations[kind] += share * number * lanes

    def _is_guarded(self, value: n.Expression, level: Level) -> bool:
        """Whether something stays where it is: a division may fail where its branch is not taken, or its loop left."""
        return (self.branches > 0 or level.may_end) and isinstance(value, n.Binary) and value.op in ("floordiv", "mod")

    def _quotient_bits(self, value: n.Expression) -> float:
        """Binary digits of the quotient of a division: processors take longer for more."""
        assert isinstance(value, n.Binary)
        quotient = abs(self.values.number(value.left) / (self.values.number(value.right) or UNKNOWN))
        return math.log2(1 + quotient) if quotient == quotient else 4.0

    def _home(self, depends: frozenset[str], level: Level, share: float) -> tuple[Level, float]:
        """The loop in which something is computed: compilers move it out of those that it does not depend on."""
        if not level.label or level.label in depends:
            return level, share
        for outer in reversed(self.stack):
            if outer.label in depends:
                return outer, 1.0
        return self.stack[0], 1.0 / max(self.stack[0].trips, 1.0)

    def _touch(
        self, mode: str, view: n.Var, indices: Sequence[n.Atom], value: n.Atom, level: Level, share: float, bounds: str
    ) -> None:
        region = self.values.region(view)
        if level.short and region.root in self.in_registers:
            return
        touch = Touch(mode, region, tuple(self.values.of(index) for index in indices), lanes_of(value.type))
        level.touches.append((touch, share))
        if self.branches and mode == "load" and level.label not in touch.depends():
            level.vector = False  # compilers load what does not move under no mask
        if bounds in ("check", "python") and (level.folds or level.label in touch.depends()):
            level.noted = True
            level.operations["bound"] += share * (1 if bounds == "check" else 2)

    def _call(self, call: n.Call, level: Level, share: float) -> None:
        function = self.functions[call.function]
        for param, operand in zip(function.params, call.operands, strict=False):
            self._alias(param, operand)
        level.operations["call"] += share
        self._block(function.body, level, share)

    def _chain(self, loop: n.For | n.While, level: Level) -> None:
        """The longest path from what an iteration takes over, in a variable or an array, to what it hands on."""
        none: Path = (0.0, {})
        paths: dict[str, Path] = {arg.var.name: none for arg in loop.args if not isinstance(arg.var.type, View)}
        stores = [s for s in loop.body.statements if isinstance(s, n.Store)]
        for statement in loop.body.statements:
            if not isinstance(statement, n.Let):
                continue
            value = statement.value
            before = max((paths[name] for name in _names(statement) if name in paths), key=_length, default=None)
            if isinstance(value, n.Load) and any(self._hands_on(store, value, loop.label) for store in stores):
                before = max((before or none, (4.0, {"forward": 1.0})), key=_length)
            elif before is not None:
                steps = [("load", 1.0)] if isinstance(value, n.Load) else kinds_of(value, statement.var.type)
                before = _longer(before, steps)
            if before is not None:
                paths[statement.var.name] = before
        ends = [atom.name for atom in loop.body.yields if isinstance(atom, n.Var)]
        ends += [store.value.name for store in stores if isinstance(store.value, n.Var)]
        longest = max((paths[name] for name in ends if name in paths), key=_length, default=none)
        for kind, number in longest[1].items():
            level.chain[kind] += number

    def _hands_on(self, store: n.Store, load: n.Load, label: str) -> bool:
        """Whether a load may read what an earlier iteration of a loop stored, as far as forms tell."""
        if self.values.region(store.view).root != self.values.region(load.view).root:
            return False
        back = UNKNOWN
        for one, other in zip(store.indices, load.indices, strict=False):
            stored, loaded = self.values.of(one), self.values.of(other)
            apart, step = stored.value - loaded.value, stored.step(label)
            if apart != apart or stored.form is None or loaded.form != stored.form:
                continue
            if step == 0 and apart != 0:
                return False
            if step != 0:
                if apart / step <= 0 or (back == back and apart / step != back):
                    return False
                back = apart / step
        return True


Path = tuple[float, Mapping[str, float]]
"""About how long a chain of operations takes, in cycles, and what it is made of."""


def _length(path: Path) -> float:
    return path[0]


def _longer(path: Path, steps: Iterable[tuple[str, float]]) -> Path:
    """A chain with further operations at its end."""
    length, found = path[0], dict(path[1])
    for kind, number in steps:
        found[kind] = found.get(kind, 0.0) + number
        length += number * (1.0 if kind.startswith(("int", "index")) else 4.0)
    return length, found


def _without_search(branch: n.If) -> float:
    """The side without loops of the passes' own that may be left: these look for what is rarely there."""
    searches = [
        any(isinstance(s, n.For) and s.exit is not None and "." in s.label for s in walk(block))
        for block in (branch.then, branch.orelse)
    ]
    return UNKNOWN if searches[0] == searches[1] else float(searches[1])


def _are_versions(branch: n.If) -> bool:
    """Whether both sides have the same loops, one with tests that the other does without."""
    places = [set(_places(block)) for block in (branch.then, branch.orelse)]
    return bool(places[0] & places[1])


def _places(block: n.Block) -> Iterator[Location]:
    """Where the loops and the kernels of a block were written."""
    for statement in walk(block):
        if isinstance(statement, n.For):
            yield statement.location
        elif isinstance(statement, n.Launch):
            yield statement.kernel.location


def _counter(loop: n.While) -> tuple[int, n.Atom] | None:
    """Which argument a loop compares with what to find its end, where it does so."""
    defined = {s.var.name: s.value for s in loop.condition.statements if isinstance(s, n.Let)}
    (condition,) = loop.condition.yields
    test = defined.get(condition.name) if isinstance(condition, n.Var) else None
    places = {arg.var.name: place for place, arg in enumerate(loop.args)}
    if not isinstance(test, n.Compare):
        return None
    for one, other in ((test.left, test.right), (test.right, test.left)):
        if isinstance(one, n.Var) and one.name in places:
            return places[one.name], other
    return None


def _names(let: n.Let) -> set[str]:
    return {atom.name for atom in atoms_of(let.value) if isinstance(atom, n.Var)}


def _has_nests(loop: n.For) -> bool:
    """Whether a loop of the host has parallel loops inside, and is none itself."""
    if loop.mapping in ("parallel", "turns"):
        return False
    return any(
        isinstance(s, (n.Launch, n.Copy, n.Wait)) or (isinstance(s, n.For) and s.mapping in ("parallel", "turns"))
        for s in walk(loop.body)
    )


def _line_of(block: n.Block) -> int:
    lines = (getattr(s, "location", None) for s in block.statements if not blocks_of(s))
    return next((place.line for place in lines if place is not None and place.line), 0)
