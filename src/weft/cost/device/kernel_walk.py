"""Counts what the threads of a kernel compute, from the kernel as it is laid out, and for given sizes.

Loops over blocks and threads are those of the schedule, so what is counted is what the device runs: elements of the
same thread, guards of the edges, staging, copies of the body for whole tiles. Operations that the compiler computes
once count once.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from weft.cost.demand import Level
from weft.cost.kinds import kinds_of, lanes_of, scalar_type
from weft.cost.loops import Loops
from weft.cost.quantities import UNKNOWN, Quantity, Region, Tally, constant, tally
from weft.cost.values import Values
from weft.cost.walk import Walker
from weft.ir import nodes as n
from weft.ir.types import View
from weft.ir.visit import atoms_of, known_trips

WARP = 32

FREE = (n.Lane, n.Pack, n.Lanes, n.Broadcast, n.Aligned, n.Dim, n.Subview, n.Transpose, n.Split, n.Merge, n.FieldView)
"""What takes no instruction, or one for each block."""

REACH = 3.0
"""How much larger than half-way an integer gets: twice where it grows evenly, four times as a square."""

SECTOR = 32
"""Bytes that memory is read in."""

TESTS = ("global.store", "overflow", "bound")
"""What keeps compilers from loading for an iteration before the one in front of it is done."""

SIMPLE: dict[str, Callable[[float, float], float]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "min": min, "max": max,
}  # fmt: skip
"""What bounds of loops are made of."""

MOST_UNROLLED = 16
"""Iterations of loops that compilers unroll."""


@dataclass
class KernelCount:
    """What a launch computes.

    Attributes
    ----------
    blocks, threads
        Blocks, and threads of each.
    all
        Operations of all threads together, by kind; those of threads that stand by in a warp that diverges included.
    each
        Operations that one thread does one after the other, by kind.
    shared
        Bytes of shared memory of a block.
    places
        Bytes of each array that loads and stores reach, about: no more than their indices have values.
    apart
        The part of these that comes from accesses whose neighbours do not ask for neighbours.
    """

    blocks: float
    threads: int
    all: Tally = field(default_factory=tally)
    each: Tally = field(default_factory=tally)
    shared: float = 0.0
    places: Tally = field(default_factory=tally)
    apart: Tally = field(default_factory=tally)


class KernelWalker(Walker):
    """Walks a kernel once.

    Parameters
    ----------
    kernel
        As it is laid out.
    known
        What is known of its parameters.
    trips
        Iterations of loops, or shares of branches, by ``"line 12"``.
    samples
        Elements of arrays at hand, by parameter.
    """

    def __init__(
        self,
        kernel: n.Kernel,
        known: Mapping[str, Region | Quantity],
        trips: Mapping[str, float],
        samples: Mapping[str, np.ndarray[Any, Any]],
    ) -> None:
        Loops.__init__(self, Values(samples), dict(trips))
        self.kernel = kernel
        self.functions = {}
        self.stack = []
        self.branches = 0
        self.in_registers = set()
        self.narrow = any(hint.kind == "indices" and hint.amount == 32 for hint in kernel.hints)
        self.mappings: dict[str, str] = {"": "sequential"}
        self.memories: dict[str, str] = {}
        self.computed: dict[object, str] = {}
        self.same: dict[str, str] = {}
        self.unrolled: frozenset[str] = frozenset()
        self.largest = 0.0
        self.shared = 0.0
        self.blocks = 1.0
        self.guard = 1.0
        self.guards: dict[str, float] = {}
        self.compared: dict[str, n.Compare] = {}
        self.made: dict[str, n.Binary] = {}
        self.first: dict[str, float] = {}
        self.places, self.apart = tally(), tally()
        for param in kernel.params:
            found = known.get(param.name)
            if isinstance(found, Region):
                self.values.regions[param.name] = found
            elif isinstance(found, Quantity):
                self.values.quantities[param.name] = found

    def count(self) -> KernelCount:
        """What a launch computes."""
        top = Level("", 0, 1.0, 1.0)
        self._block(self.kernel.body, top, 1.0)
        found = KernelCount(
            max(self.blocks, 1.0),
            math.prod(self.kernel.group),
            shared=self.shared,
            places=self.places,
            apart=self.apart,
        )
        self._add(top, found, 1.0, False)
        return found

    def _add(self, level: Level, found: KernelCount, side_by_side: float, threaded: bool) -> None:
        """Add what stands in a loop: all threads do what stands in no loop over threads."""
        mapping = self.mappings.get(level.label, "sequential")
        if mapping in ("blocks", "threads"):
            side_by_side *= max(level.trips, 1.0)
            threaded |= mapping == "threads"
        factor = 1.0 if threaded else float(found.threads) * (found.blocks / side_by_side if side_by_side == 1 else 1.0)
        times = level.times / side_by_side / self.guards.get(level.label, 1.0)
        for kind, number in level.operations.items():
            found.all[kind] += number * level.times * factor
            found.each[kind] += max(number - level.chain.get(kind, 0.0), 0.0) * times
        for kind, number in level.chain.items():
            found.each[f"chain.{kind}"] += number * times
        if mapping == "sequential" and level.label and any(kind in level.operations for kind in TESTS):
            found.each["tested"] += level.operations.get("global.load", 0.0) * times
        for inner in level.inner:
            self._add(inner, found, side_by_side, threaded)

    # ---------------------------------------------------------------------------------------------------- walking

    def _level(self, loop: n.For, trips: float, entries: float) -> Level:
        self._open(loop, trips)
        level = Level(loop.label, loop.location.line, trips, entries)
        self.mappings[loop.label] = loop.mapping
        self.guards[loop.label] = self.guard
        if loop.mapping == "blocks":
            self.blocks *= max(trips, 1.0)
        if loop.mapping == "threads":
            self.first[loop.index.name] = self.values.number(loop.start)
            if not any(self.mappings.get(outer.label) == "threads" for outer in self.stack):
                (self.stack[-1] if self.stack else level).operations["phase"] += 1
            if loop.args:
                level.operations["fold"] += len(loop.args)
        elif loop.mapping == "unroll" or (known_trips(loop) or math.inf) <= MOST_UNROLLED and trips > 0:
            self.unrolled = self.unrolled | {loop.label}
        elif loop.mapping != "blocks":
            level.operations["loop"] += 1
        self.stack.append(level)
        branches, self.branches = self.branches, 0
        self._block(loop.body, level, 1.0)
        self.branches = branches
        self.stack.pop()
        if loop.mapping not in ("blocks", "threads") and trips > 1:
            self._chain(loop, level)
        self._close(loop, trips)
        return level

    def _trips(self, loop: n.For) -> float:
        """Where threads in the middle have less to do, what the first one does: it takes all of the time."""
        found = super()._trips(loop)
        if loop.mapping in ("blocks", "threads"):
            return found
        first = self._at_first(loop.stop) - self._at_first(loop.start)
        return max(first, found) if first == first else found

    def _at_first(self, atom: n.Atom) -> float:
        """An integer as the first thread has it."""
        if isinstance(atom, n.Const) or atom.name not in self.first.keys() | self.made.keys():
            return self.values.number(atom)
        if atom.name in self.first:
            return self.first[atom.name]
        value = self.made[atom.name]
        return SIMPLE[value.op](self._at_first(value.left), self._at_first(value.right))

    def _carry(self, var: n.Var, init: n.Atom, label: str) -> None:
        """What a loop changes differs in all loops around it."""
        super()._carry(var, init, label)
        if not isinstance(var.type, View):
            found = self.values.quantities[var.name]
            around = {level.label for level in self.stack if level.label}
            self.values.quantities[var.name] = replace(found, depends=found.depends | around)

    def _block(self, block: n.Block, level: Level, share: float) -> None:
        before = dict(self.computed)
        super()._block(block, level, share)
        self.computed = before

    def _let(self, let: n.Let, level: Level, share: float) -> None:
        value = let.value
        self.values.let(let)
        if isinstance(value, n.Alloc):
            self._made(let, value)
            return
        if isinstance(value, n.Load):
            self._touch("load", value.view, value.indices, let.var, level, share, value.bounds)
            return
        if isinstance(value, n.Compare):
            self.compared[let.var.name] = value
        if isinstance(value, n.Binary) and value.op in SIMPLE:
            self.made[let.var.name] = value
        if isinstance(value, FREE) or isinstance(let.var.type, View) or self._is_known(let):
            return
        found = self.values.of(let.var)
        if self._is_weak(let) and found.value == found.value:
            self.largest = max(self.largest, REACH * abs(found.value))
        is_index = found.is_affine and found.form is not None and self._is_weak(let)
        if is_index and found.depends & self.unrolled:
            return  # a constant of an instruction
        level, share = self._home(found.depends, level, share)
        lanes = lanes_of(let.var.type)
        for kind, number in kinds_of(value, let.var.type):
            name = "index" if is_index and kind.startswith("int") else self._narrowed(kind, let)
            level.operations[name] += share * number * lanes

    @staticmethod
    def _is_weak(let: n.Let) -> bool:
        scalar = scalar_type(let.var.type)
        return scalar is not None and scalar.kind == "i" and scalar.weak

    def _made(self, let: n.Let, value: n.Alloc) -> None:
        self.memories[let.var.name] = value.memory or "local"
        region = self.values.regions[let.var.name]
        if value.memory == "shared" and region.size < math.inf:
            self.shared += region.size

    def _is_known(self, let: n.Let) -> bool:
        """Whether the same was computed before, so that the compiler has it."""
        value = let.value
        rest = tuple(
            each
            for name in ("op", "name", "type", "checked")
            if (each := getattr(value, name, None)) is not None and isinstance(each, (str, bool))
        )
        atoms = tuple(self.same.get(a.name, a.name) if isinstance(a, n.Var) else a for a in atoms_of(value))
        key = (type(value).__name__, str(let.var.type), rest, atoms)
        first = self.computed.setdefault(key, let.var.name)
        if first == let.var.name:
            return False
        self.same[let.var.name] = self.same.get(first, first)
        return True

    def _narrowed(self, kind: str, let: n.Let) -> str:
        scalar = scalar_type(let.var.type)
        if (
            self.narrow
            and scalar is not None
            and scalar.weak
            and kind.endswith("64")
            and kind.startswith(("int", "remainder"))
        ):
            return f"{kind[:-2]}32"
        return kind

    def _home(self, depends: frozenset[str], level: Level, share: float) -> tuple[Level, float]:
        """Compilers move what does not change out of loops, but no further than to where threads begin."""
        for outer in (level, *reversed(self.stack)):
            mapping = self.mappings.get(outer.label, "sequential")
            if outer.label in depends or mapping in ("blocks", "threads"):
                return (outer, share) if outer is level else (outer, 1.0)
        return level, share

    def _touch(
        self, mode: str, view: n.Var, indices: Any, value: n.Atom, level: Level, share: float, bounds: str
    ) -> None:
        region = self.values.region(view)
        memory = self.memories.get(region.root, "global")
        depends: frozenset[str] = frozenset().union(*(self.values.of(index).depends for index in indices))
        if memory in ("registers", "local"):
            return
        if memory == "global":
            self._reach(region, [self.values.of(index) for index in indices], depends, lanes_of(value.type))
        if mode == "load":
            level, share = self._home(depends, level, share)
        level.operations[f"{memory}.{mode}"] += share
        if memory == "global" and len(indices) > 1 and not depends & self.unrolled:
            level.operations["index"] += share * (len(indices) - 1)
        if bounds in ("check", "python"):
            level.operations["bound"] += share

    def _reach(self, region: Region, indices: Sequence[Quantity], depends: frozenset[str], lanes: int) -> None:
        """Note how many bytes an access reaches: as many elements, or sectors, as its indices have values."""
        last = indices[-1] if indices else constant(0.0)
        count = math.prod(self.values.trips.get(label, 1.0) for label in depends)
        count = min(count, math.prod(index.distinct(self.values.trips) for index in indices))
        steps = [abs(step) for step in (last.form or {}).values() if step]
        apart = max(min(steps, default=1.0), lanes) * region.itemsize
        if last.depends and last.is_affine and apart < SECTOR:
            self.places[region.root] += count * apart
        else:
            self.places[region.root] += count * max(SECTOR, lanes * region.itemsize)
            self.apart[region.root] += count * SECTOR * (lanes * region.itemsize < SECTOR)

    def _guarded(self, branch: n.If, level: Level, share: float, part: float) -> None:
        """Walk what only the first threads run: these take all of the time, and count from 0."""
        name = getattr(branch.condition, "name", "")
        test, compare = self.values.of(branch.condition), self.compared.get(name)
        where = {self.mappings.get(label, "sequential") for label in test.depends}
        if name in self.values.drawn or not {"threads"} <= where <= {"blocks", "threads"}:
            self._block(branch.then, level, share * part)
            return
        guard, self.guard = self.guard, self.guard * part
        left = compare.left if compare is not None and compare.op == "lt" else None
        before = self.values.quantities.get(left.name) if isinstance(left, n.Var) else None
        if compare is not None and isinstance(left, n.Var):
            index, stop = self.values.of(left), self.values.number(compare.right)
            if index.value > stop / 2:
                self.values.quantities[left.name] = replace(index, value=max(math.ceil(stop / 2 - 1), 0.0))
        self._block(branch.then, level, share * part)
        self.guard = guard
        if isinstance(left, n.Var) and before is not None:
            self.values.quantities[left.name] = before

    def _branch(self, branch: n.If, level: Level, share: float) -> None:
        """Both sides run in a warp whose threads differ."""
        test = self.values.of(branch.condition)
        name = getattr(branch.condition, "name", "")
        same = all(self.mappings.get(label, "sequential") == "blocks" for label in test.depends)
        known = test.value if same else UNKNOWN
        if known != known and any(isinstance(s, n.Raise) for s in branch.then.statements):
            known = 0.0
        if known != known and branch.rare:
            known = 0.0
        shares = self._sides(branch, name, known)
        level.operations["branch"] += share
        self.branches += 1
        if shares[0] > 0:
            self._guarded(branch, level, share, shares[0])
        if shares[1] > 0:
            self._block(branch.orelse, level, share * shares[1])
        self.branches -= 1
        for result, then, orelse in zip(branch.results, branch.then.yields, branch.orelse.yields, strict=True):
            self._alias(result, then if shares[0] >= shares[1] else orelse)

    def _sides(self, branch: n.If, name: str, known: float) -> tuple[float, float]:
        """In which share of the warps each side runs."""
        drawn = self.values.drawn.get(name)
        if known != known and drawn is not None and getattr(drawn, "size", 0) >= WARP:
            rows = np.asarray(drawn, bool)[: drawn.size // WARP * WARP].reshape(-1, WARP)
            return float(rows.any(axis=1).mean()), float((~rows).any(axis=1).mean())
        if known != known and name in self.values.shares:
            known = self.values.shares[name]
        return self._shares(branch, known)


def counted(
    kernel: n.Kernel,
    known: Mapping[str, Region | Quantity],
    trips: Mapping[str, float],
    samples: Mapping[str, np.ndarray[Any, Any]],
) -> tuple[KernelCount, list[str]]:
    """What a launch computes, and what was assumed: with indices of 64 bits where those of 32 do not hold them."""
    walker = KernelWalker(kernel, known, trips, samples)
    found = walker.count()
    if walker.narrow and walker.largest >= 2.0**31:
        wide = replace(kernel, hints=tuple(hint for hint in kernel.hints if hint.kind != "indices"))
        walker = KernelWalker(wide, known, trips, samples)
        found = walker.count()
    return found, walker.demand.assumptions


def known_of(kernel: n.Kernel, sizes: Mapping[str, int]) -> dict[str, Region | Quantity]:
    """What sizes by the names of forms say of a kernel's parameters."""
    found: dict[str, Region | Quantity] = {}
    for param in kernel.params:
        if isinstance(param.type, View):
            extents = tuple(float(sizes.get(f"{param.name}.shape[{k}]", 1)) for k in range(param.type.ndim))
            item = param.type.element.size
            steps = [sizes.get(f"{param.name}.strides[{k}]") for k in range(param.type.ndim)]
            strides = None if None in steps else tuple(float(step or 0) for step in steps)
            found[param.name] = Region.whole(param.name, extents, item, strides)
        elif param.name in sizes:
            found[param.name] = constant(float(sizes[param.name]))
    return found
