"""A block for each iteration of the bound loops: the loops inside of it are dealt out to all threads of the block.

Arrays that an iteration makes are in shared memory. What a thread does is a list of phases, one for each loop that is
dealt out; a reduction takes two, in which each thread folds its own iterations and then all that the threads have.
Values that follow from parameters alone are computed by every thread for itself; those that follow from the block's
arrays are read by every thread, in a phase of their own. What has effects and is no parallel loop, the first thread
does alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import cast

from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise, written_views
from weft.ir.neutral import identity
from weft.ir.types import BOOL, PYBOOL, Element, Scalar, Type, View
from weft.ir.visit import atoms_of, defined_by, walk
from weft.passes.fuse import fused
from weft.schedule.directives import Deal
from weft.schedule.frame import Frame, Threads, in_order
from weft.schedule.nests import flattened, grid_chain, is_repeatable
from weft.schedule.writing import scalar

COMMUTATIVE = ("add", "mul", "and", "or", "xor")


def is_dealt(statement: n.Statement) -> bool:
    """Whether a statement is a loop that can be dealt out: parallel, without results or with sums of any order."""
    if not isinstance(statement, n.For) or statement.mapping != "parallel" or statement.exit is not None:
        return False
    return all(is_commutative(arg) for arg in statement.args) or is_extreme(statement)


def is_extreme(loop: n.For) -> bool:
    """Whether a loop finds extremes of floats and does nothing else.

    Their order matters only between zeros of either sign: where threads find a zero, each looks for the first one.
    """
    scalars = all(isinstance(a.var.type, Scalar) and a.var.type.kind in "fiu" for a in loop.args)
    return scalars and all(a.combine in ("min", "max") for a in loop.args) and not has_effects(loop)


def is_commutative(arg: n.LoopArg) -> bool:
    """Whether the order of a reduction's operands does not matter: for extremes of floats it does, between zeros."""
    is_float = isinstance(arg.var.type, Scalar) and arg.var.type.kind in "fc"
    return arg.combine in COMMUTATIVE or (arg.combine in ("min", "max") and not is_float)


def dealt_loops(block: n.Block) -> Iterator[n.For]:
    """The loops of a block that can be dealt out, those inside of loops that run one iteration after the other too."""
    for statement in block.statements:
        if is_dealt(statement):
            yield cast(n.For, statement)
        elif isinstance(statement, n.For) and not statement.args:
            yield from dealt_loops(statement.body)


def own_arrays(block: n.Block) -> tuple[n.Let, ...]:
    """The arrays that a block makes itself, outside of what is dealt out."""
    return tuple(s for s in block.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc))


def shared_bytes(block: n.Block) -> int | None:
    """Bytes of the arrays that a block makes; None where one has no constant size, or no numbers for elements."""
    total = 0
    for let in own_arrays(block):
        assert isinstance(let.value, n.Alloc)
        shape = let.value.shape
        if not isinstance(let.value.element, Scalar) or not all(isinstance(e, n.Const) for e in shape):
            return None
        total += prod(int(e.value.real) for e in shape if isinstance(e, n.Const)) * let.value.element.size
    return total


def why_not_dealt(kernel: n.Kernel) -> tuple[str, str] | None:
    """The constraint that keeps the iterations of a kernel from being dealt out, and why; None where they can be."""
    flat = flattened(grid_chain(kernel))
    if shared_bytes(flat) is None:
        return "known-size", "an array that an iteration makes has no constant size, or no numbers for elements"
    if any(isinstance(s, n.Let) and may_raise(s.value, s.var.type) and not isinstance(s.value, n.Alloc)
           for s in walk(flat)) or any(isinstance(s, n.Raise) for s in walk(flat)):  # fmt: skip
        return "no-exceptions", "an iteration may raise, and the threads of its block would not know"
    if any(isinstance(s, n.Call) or (isinstance(s, n.Let) and isinstance(s.value, VIEWS)) for s in walk(flat)):
        return "whole-arrays", "an iteration makes views of arrays, or calls functions"
    return _why_not_in_phases(kernel, flat)


def _why_not_in_phases(kernel: n.Kernel, flat: n.Block) -> tuple[str, str] | None:
    """Phases are entered by all threads: what decides about them is the same for all, and known outside of them."""
    for statement in flat.statements:
        if isinstance(statement, n.For) and not is_dealt(statement) and any(dealt_loops(statement.body)):
            bounds = {a.name for a in (statement.start, statement.stop) if isinstance(a, n.Var)}
            if statement.args or own_arrays(statement.body) or bounds & _late(kernel, flat):
                return "same-for-all", f"what {statement.label!r} runs or carries is not known to all threads"
            inner = _why_not_in_phases(kernel, statement.body)
            if inner is not None:
                return inner
        elif has_effects(statement) and not is_dealt(statement) and defined_by(statement):
            return "one-thread", f"values come from what only one thread does, in line {_line(statement)}"
    return None


def _late(kernel: n.Kernel, block: n.Block) -> set[str]:
    """Names of the variables that follow from what threads do."""
    found: set[str] = set()
    for statement in block.statements:
        uses = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
        if not is_repeatable(statement, kernel) or uses & found:
            found |= {v.name for v in defined_by(statement)}
    return found


def _line(statement: n.Statement) -> int:
    return int(getattr(getattr(statement, "location", None), "line", 0))


def has_effects(statement: n.Statement) -> bool:
    """Whether a statement writes to memory, whatever is inside of it included."""
    return any(True for inner in walk(n.Block((statement,))) for _ in written_views(inner))


def write_dealt(frame: Frame, deal: Deal) -> None:
    """Write what a block does."""
    counters: dict[str, n.Atom] = {bound.loop.index.name: bound.origin for bound in frame.bounds}
    dealer = _Dealer(frame, deal)
    dealer.block(frame.flat, counters)
    frame.write.statements[:0] = dealer.arrays


@dataclass
class _Dealer:
    """`kept` are values that each thread has in registers, from a phase on; `arrays` is what makes those of the block.

    These stand first: OpenCL has shared memory nowhere else.
    """

    frame: Frame
    directive: Deal

    def __post_init__(self) -> None:
        self.write = self.frame.write
        self.kept: dict[str, n.Var] = {}
        self.arrays: list[n.Statement] = []

    def block(self, block: n.Block, values: Mapping[str, n.Atom]) -> None:
        """Write the statements of a block; `values` stands for what it uses from outside."""
        known = dict(values)
        waiting: list[n.Statement] = []
        for statement in block.statements:
            if self._is_own(statement, known, waiting):
                waiting.append(statement)
                continue
            self._read(waiting, known)
            self._statement(statement, known)
        self._read(waiting, known)

    def _is_own(self, statement: n.Statement, known: Mapping[str, n.Atom], waiting: Sequence[n.Statement]) -> bool:
        """Whether every thread computes a statement for itself in a phase: it depends on what threads have written."""
        if has_effects(statement) or is_dealt(statement) or self._is_array(statement):
            return False
        if isinstance(statement, n.For) and not statement.results:
            return False
        uses = {a.name for s in walk(n.Block((statement,))) for a in atoms_of(s) if isinstance(a, n.Var)}
        before = {v.name for s in waiting for v in defined_by(s)}
        return not is_repeatable(statement, self.frame.kernel) or bool(uses & (before | self.kept.keys()))

    @staticmethod
    def _is_array(statement: n.Statement) -> bool:
        return isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc)

    def _statement(self, statement: n.Statement, known: dict[str, n.Atom]) -> None:
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Alloc):
            known[statement.var.name] = self._alloc(statement, statement.value, known)
        elif isinstance(statement, n.Let):
            (known[statement.var.name],) = self.write.copy(n.Block((statement,), (statement.var,)), known)
        elif is_dealt(statement):
            assert isinstance(statement, n.For)
            (self._fold if statement.args else self._deal)(statement, known)
        elif isinstance(statement, n.For) and any(dealt_loops(statement.body)):
            start, stop = (self._value(atom, known) for atom in (statement.start, statement.stop))
            kept = dict(self.kept)
            with self.write.loop(statement.label, start, stop) as loop:
                self.block(statement.body, {**known, statement.index.name: loop.index})
            self.kept = kept
        else:
            self._alone(statement, known)

    def _value(self, atom: n.Atom, known: Mapping[str, n.Atom]) -> n.Atom:
        return known.get(atom.name, atom) if isinstance(atom, n.Var) else atom

    # --------------------------------------------------------------------------------------------- arrays

    def _alloc(self, let: n.Let, alloc: n.Alloc, known: Mapping[str, n.Atom]) -> n.Var:
        """An array of the block, filled by all its threads."""
        shape = [int(e.value.real) for e in alloc.shape if isinstance(e, n.Const)]
        array = self._shared(shape, alloc.element, let.var.stem)
        if alloc.fill is not None:
            with self._phase(known) as (threads, values), self._each(threads, 0, prod(shape), "fill") as place:
                self.write.store(array, list(self._indices(place, shape)), self._value(alloc.fill, values))
        return array

    def _shared(self, shape: Sequence[int], element: Element, stem: str) -> n.Var:
        with self.write.apart() as made:
            array = self.write.alloc(shape, element, "shared", stem)
        self.arrays += made
        return array

    def _register(self, type: Type, stem: str) -> n.Var:
        """A value of each thread that lives from phase to phase."""
        with self.write.apart() as made:
            array = self.frame.registers((), scalar(type), stem)
        self.arrays += made
        return array

    def _indices(self, place: n.Atom, shape: Sequence[int]) -> Iterator[n.Atom]:
        """The indices of an element by its number."""
        for k, extent in enumerate(shape):
            number = self.write.op("floordiv", place, prod(shape[k + 1 :]) or 1)
            yield self.write.op("mod", number, extent) if k else number

    # --------------------------------------------------------------------------------------------- phases

    @contextmanager
    def _phase(self, known: Mapping[str, n.Atom]) -> Iterator[tuple[Threads, dict[str, n.Atom]]]:
        """A phase, and what stands for variables in it."""
        with self.frame.phase() as threads:
            own = self.frame.own(threads)
            yield threads, {**known, **{name: self.write.load(kept, *own) for name, kept in self.kept.items()}}

    @contextmanager
    def _each(self, threads: Threads, start: n.Atom | int, stop: n.Atom | int, label: str) -> Iterator[n.Atom]:
        """The counters from `start` on and below `stop` that a thread was dealt, neighbours to neighbours."""
        write, group = self.write, self.directive.group
        trip = write.op("max", write.op("sub", _atom(stop), _atom(start)), 0)
        rounds = write.op("floordiv", write.op("add", trip, group - 1), group)
        with write.loop(f"{label}.round", 0, rounds, stem="round") as loop:
            first = write.op("add", _atom(start), threads[self.directive.loop])
            counter = write.op("add", first, write.op("mul", loop.index, group))
            with write.when(write.compare("lt", counter, _atom(stop))):
                yield counter

    def _deal(self, loop: n.For, known: Mapping[str, n.Atom]) -> None:
        with self._phase(known) as (threads, values):
            start, stop = (self._value(atom, values) for atom in (loop.start, loop.stop))
            with self._each(threads, start, stop, loop.label) as counter:
                self.write.copy(in_order(loop.body), {**values, loop.index.name: counter})

    def _fold(self, loop: n.For, known: Mapping[str, n.Atom]) -> None:
        """A reduction: each thread folds its own iterations, then every thread folds what all have."""
        group = self.directive.group
        partials = [self._shared((group,), scalar(arg.var.type), "partial") for arg in loop.args]
        kept = self._registers(loop.results)
        self._fold_own(loop, known, partials)
        with self._phase(known) as (threads, values):
            inits = [self._value(arg.init, values) for arg in loop.args]
            with self.write.loop(f"{loop.label}.fold", 0, group, "sequential", inits, "part") as folding:
                parts = [self.write.load(partial, folding.index) for partial in partials]
                triples = zip(loop.args, folding.values, parts, strict=True)
                folding.next = tuple(self._combined(arg, value, part) for arg, value, part in triples)
            ordered = all(map(is_commutative, loop.args))
            self._keep(kept, folding.results if ordered else self._first_zeros(loop, folding.results, values), threads)

    def _first_zeros(self, loop: n.For, found: Sequence[n.Var], values: Mapping[str, n.Atom]) -> tuple[n.Atom, ...]:
        """Extremes as found; where one is a zero, those that the iterations give one after the other."""
        write = self.write
        zero: n.Atom = n.Const(False, PYBOOL)
        for value in found:
            if isinstance(value.type, Scalar) and value.type.kind == "f":
                type = PYBOOL if value.type.weak else BOOL
                is_zero = write.let(n.Compare("eq", value, n.Const(0.0, value.type)), type, "zero")
                zero = write.let(n.Select(is_zero, n.Const(True, PYBOOL), zero), PYBOOL, "zero")
        with write.apart() as statements:
            exact = write.copy(in_order(n.Block((loop,), loop.results)), values)
        results = tuple(write.names.fresh("extreme", value.type) for value in found)
        write.add(n.If(zero, n.Block(tuple(statements), exact), n.Block((), tuple(found)), results, write.location))
        return results

    def _fold_own(self, loop: n.For, known: Mapping[str, n.Atom], partials: Sequence[n.Var]) -> None:
        """The phase in which each thread folds the iterations that it was dealt."""
        write, made = self.write, fused(loop)
        owns = [self._register(arg.var.type, "own") for arg in loop.args]
        with self._phase(known) as (threads, values):
            own = self.frame.own(threads)
            for arg, array in zip(loop.args, owns, strict=True):
                write.store(array, own, identity(arg.combine or "", arg.var.type))
            start, stop = (self._value(atom, values) for atom in (loop.start, loop.stop))
            with self._each(threads, start, stop, loop.label) as counter:
                carried = {arg.var.name: write.load(array, *own) for arg, array in zip(made.args, owns, strict=True)}
                results = write.copy(in_order(made.body), {**values, **carried, loop.index.name: counter})
                for result, array in zip(results, owns, strict=True):
                    write.store(array, own, result)
            for partial, array in zip(partials, owns, strict=True):
                write.store(partial, (threads[self.directive.loop],), write.load(array, *own))

    def _combined(self, arg: n.LoopArg, left: n.Atom, right: n.Var) -> n.Var:
        return self.write.let(n.Binary(cast(n.BinaryOp, arg.combine), left, right, checked=False), right.type, "folded")

    def _read(self, waiting: list[n.Statement], known: Mapping[str, n.Atom]) -> None:
        """A phase in which every thread computes for itself what depends on what others have written."""
        if not waiting:
            return
        defined = tuple(v for s in waiting for v in defined_by(s) if not isinstance(v.type, View))
        kept = self._registers(defined)
        with self._phase(known) as (threads, values):
            results = self.write.copy(in_order(n.Block(tuple(waiting), defined)), values)
            self._keep(kept, results, threads)
        waiting.clear()

    def _registers(self, variables: Sequence[n.Var]) -> dict[str, n.Var]:
        """Where each thread keeps variables, by their names."""
        return {v.name: self._register(v.type, v.stem) for v in variables}

    def _keep(self, registers: Mapping[str, n.Var], values: Sequence[n.Atom], threads: Threads) -> None:
        for array, value in zip(registers.values(), values, strict=True):
            self.write.store(array, self.frame.own(threads), value)
        self.kept.update(registers)

    def _alone(self, statement: n.Statement, known: Mapping[str, n.Atom]) -> None:
        with self._phase(known) as (threads, values), self._first(threads):
            self.write.copy(in_order(n.Block((statement,))), values)

    @contextmanager
    def _first(self, threads: Threads) -> Iterator[None]:
        with self.write.when(self.write.compare("eq", threads[self.directive.loop], 0)):
            yield


def _atom(value: n.Atom | int) -> n.Atom:
    return n.Const(value) if isinstance(value, int) else value
