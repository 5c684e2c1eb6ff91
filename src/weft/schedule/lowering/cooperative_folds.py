"""What the threads of a block fold together of the iterations that they were dealt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from weft.ir import nodes as n
from weft.ir.neutral import identity
from weft.ir.scribe import TRUE
from weft.ir.types import BOOL, PYBOOL
from weft.schedule.frame import Threads
from weft.schedule.lowering.cooperative_loops import Dealt, Turn, element_of
from weft.schedule.writing import scalar


class Folds(Dealt):
    """Reductions of dealt loops."""

    def _combined(self, op: str, left: n.Atom, right: n.Atom) -> n.Var:
        return self.write.let(n.Binary(cast(n.BinaryOp, op), left, right, checked=False), left.type, "folded")

    def _folded(
        self, loop: n.For, args: Sequence[n.LoopArg], inits: Sequence[n.Atom], known: Mapping[str, n.Atom],
        begin: Mapping[str, n.Atom] | None = None,
    ) -> tuple[n.Var, ...]:  # fmt: skip
        """Fold what a loop yields for some arguments; `begin` stands for other arguments in every iteration."""
        run = self.directive.run
        owns = [self._registers((run,), arg.var.type, "own") for arg in args]
        combines = [arg.combine or "" for arg in args]

        neutral = [identity(arg.combine or "", arg.var.type) for arg in args]

        def own(threads: Threads, values: Mapping[str, n.Atom]) -> None:
            self._fold_own(threads, replace(loop, args=tuple(args)), owns, neutral, {**values, **(begin or {})})

        exchanged = self._exchange(loop, combines, owns, own, known)
        with self.frame.fold(inits, combines) as (threads, folding):
            if not exchanged:
                own(threads, self._inside(threads, known))
            mine = self.frame.own(threads)
            folding.parts = tuple(self._part(op, array, mine) for op, array in zip(combines, owns, strict=True))
        return folding.results

    def _fold_own(
        self, threads: Threads, loop: n.For, owns: Sequence[n.Var], neutral: Sequence[n.Atom],
        values: Mapping[str, n.Atom],
    ) -> None:  # fmt: skip
        """Fold the iterations that a thread was dealt, one result for each place in a run."""
        mine = self.frame.own(threads)
        for array, value in zip(owns, neutral, strict=True):
            for place in range(self.directive.run):
                self.write.store(array, (*mine, place), value)

        def carried(turn: Turn) -> list[dict[str, n.Atom]]:
            pairs = list(zip(loop.args, owns, strict=True))
            return [{a.var.name: self.write.load(o, *mine, place) for a, o in pairs} for place in turn.lanes]

        def after(turn: Turn, yields: Sequence[tuple[n.Atom, ...]]) -> None:
            for place, items in zip(turn.lanes, yields, strict=True):
                for array, item in zip(owns, items, strict=True):
                    self.write.store(array, (*mine, place), item)

        self._iterate(threads, loop, values, carried, after)

    def _part(self, op: str, array: n.Var, mine: Sequence[n.Atom]) -> n.Atom:
        """What a thread has, its places folded in pairs."""
        values: list[n.Atom] = [self.write.load(array, *mine, place) for place in range(self.directive.run)]
        while len(values) > 1:
            pairs = zip(values[::2], values[1::2], strict=False)
            made = [
                self.write.let(n.Binary(cast(n.BinaryOp, op), a, b, checked=False), a.type, "part") for a, b in pairs
            ]
            values = [*made, *values[len(made) * 2 :]]
        return values[0]

    def _exchange(
        self, loop: n.For, combines: Sequence[str], owns: Sequence[n.Var],
        own: Callable[[Threads, Mapping[str, n.Atom]], None], known: Mapping[str, n.Atom],
    ) -> bool:  # fmt: skip
        """Where neighbours went to neighbouring threads, hand sums over to the threads that would have them otherwise.

        The order of the others does not matter. Says whether the loop was written.
        """
        group, run = self.directive.group, self.directive.run
        inexact = [k for k, array in enumerate(owns) if _is_rounded(combines[k], array)]
        if self.way == "runs" or not inexact or loop.label not in self.exchanged:
            return False
        shared = {k: self._shared((group * run,), element_of(owns[k]), "place") for k in inexact}
        with self._phase(known) as (threads, values):
            own(threads, values)
            for k, array in shared.items():
                for place in range(run):
                    at = self.write.op("add", threads[self.directive.loop], place * group)
                    self.write.store(array, (at,), self.write.load(owns[k], *self.frame.own(threads), place))
        with self.frame.phase() as threads:
            for k, array in shared.items():
                for place in range(run):
                    at = self.write.op("add", self.write.op("mul", threads[self.directive.loop], run), place)
                    self.write.store(owns[k], (*self.frame.own(threads), place), self.write.load(array, at))
        return True

    def _compared(self, op: n.CompareOp, left: n.Atom, right: n.Atom) -> n.Var:
        type = PYBOOL if scalar(left.type).weak else BOOL
        return self.write.let(n.Compare(op, left, right), type, "better")

    def _as_test(self, condition: n.Atom) -> n.Atom:
        """A Boolean as tests on indices have it."""
        return self.write.let(n.Select(condition, TRUE, n.Const(False, PYBOOL)), PYBOOL, "test")


def _is_rounded(combine: str, array: n.Var) -> bool:
    """Whether the order matters in which numbers are combined."""
    return combine in ("add", "mul") and scalar(element_of(array)).kind in "fc"
