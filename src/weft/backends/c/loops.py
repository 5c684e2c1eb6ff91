"""Loops inside one thread: which become vector code, and how they say so to the compiler."""

from __future__ import annotations

from collections.abc import Sequence

from weft.backends.c.printer import CPrinter
from weft.backends.c.reductions import LaneReduction, identity
from weft.backends.code import Code
from weft.backends.facts import has_loop
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Scalar
from weft.ir.visit import walk


class LoopPrinter(CPrinter):
    """Prints loops whose iterations run in one thread."""

    def print_For(self, loop: n.For) -> None:
        """Print a loop with its own bounds and initial values."""
        start, stop = self.loop_bounds(loop)
        inits = [part for a in loop.args for part in self.parts(a.init, self._is_tracked(a.var))]
        self.settle_loads()
        self.memory.enter_loop(loop)
        index = self.open_index(loop)
        self.counted_loop(loop, index, start, stop, inits)

    def piece_loop(self, loop: n.For, index: str, start: Code, stop: Code) -> None:
        """Print a piece of a parallel loop: what it reduces starts from the identity."""
        inits = [identity(self, a) for a in loop.args]
        self.counted_loop(loop, index, start, stop, inits)

    def counted_loop(self, loop: n.For, index: str, start: Code, stop: Code, inits: Sequence[Code]) -> None:
        """Print a loop over an index that is declared already, in the form that suits it."""
        targets = self._declare_carried(loop, inits)
        if LaneReduction.suits(loop):
            start = LaneReduction(self, loop, index).print(start, stop)
        for pragma in self.loop_pragmas(loop):
            self.lines.add(pragma)
        with self.lines.braces(self.for_head(loop, index, start, stop)):
            self.iteration(loop, targets)
        self.bind_results(loop, targets)

    def _declare_carried(self, loop: n.For, inits: Sequence[Code]) -> list[str]:
        targets: list[str] = []
        for arg in loop.args:
            tracked = self._is_tracked(arg.var)
            count = len(self.part_names(arg.var, tracked))
            taken = inits[len(targets) : len(targets) + count]
            targets += self.carry(arg.var, taken, tracked)
        return targets

    def loop_pragmas(self, loop: n.For) -> list[str]:
        """Say that iterations do not depend on each other, where that was proven and the compiler may want to know."""
        independent = loop.mapping == "parallel" and loop.exit is None and not has_loop(loop.body)
        if not independent or any(isinstance(s, n.Update) for s in walk(loop.body)) or block_may_raise(loop.body):
            return []
        return ["INDEPENDENT"]

    def before_piece(self, begin: str, raises: bool) -> None:
        """What a piece does first: it may be too late."""
        self.leave_if("*runtime->stop", "WEFT_INTERRUPTED")
        if raises:
            self.lines.add(f"if (weft_is_over(fault, {begin})) return WEFT_OK;")

    def poll_row(self, loop: n.For) -> None:
        """Between rows of two loops that run as one: look at the stop flag, unless the inner loop does."""
        if not has_loop(loop.body):
            self.leave_if("*runtime->stop", "WEFT_INTERRUPTED")
