"""Attempts: a copy of a loop's body that raises nothing and stores nothing, and says whether the body might raise.

Small arrays that each iteration makes for itself are its own: an attempt stores to its own ones.

Loops that lanes leave at different times get an end: one that takes longer counts as a failure. Otherwise a lane could
run on for ever although an earlier iteration raises.
"""

from __future__ import annotations

from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.scribe import FALSE, TRUE, Scribe
from weft.ir.types import PYBOOL
from weft.ir.visit import blocks_of, has_fewer_trips
from weft.transform.scan.speculative_copy import Unsuited, inside
from weft.transform.speculation.failures import attempt
from weft.transform.vector.divergence import Divergence

LONGEST = 1 << 16
"""The most iterations of a loop that lanes may leave at different times."""


class Attempt:
    """Makes such copies.

    Parameters
    ----------
    divergence
        Which values differ between the iterations; None where the code is known to raise nothing and to end: then it is
        copied as it is, stores included.
    doubtful
        Names of what is to be tested although it was proven, see `weft.transform.speculation.loose`.
    """

    def __init__(self, divergence: Divergence | None, doubtful: frozenset[str] = frozenset()) -> None:
        self.divergence = divergence
        self.doubtful = doubtful

    def block(self, block: n.Block, scribe: Scribe, failed: n.Atom) -> n.Atom:
        """Write a copy of a block's statements; gives whether it failed, or what came before."""
        for statement in block.statements:
            scribe.location = statement.location
            failed = self._statement(statement, scribe, failed)
        return failed

    def _statement(self, statement: n.Statement, scribe: Scribe, failed: n.Atom) -> n.Atom:
        if isinstance(statement, n.Let):
            if statement.var.name in self.doubtful:
                statement = replace(statement, value=_tested(statement.value))
            return self._joined(failed, attempt(statement, scribe), scribe)
        if isinstance(statement, n.Raise):
            return self._joined(failed, TRUE, scribe)
        if isinstance(statement, n.Store):
            return self._joined(failed, self._store(statement, scribe), scribe)
        if isinstance(statement, n.If):
            return self._branch(statement, scribe, failed)
        if isinstance(statement, n.For):
            return self._for(statement, scribe, failed)
        if isinstance(statement, n.While):
            return self._while(statement, scribe, failed)
        raise Unsuited

    def _joined(self, failed: n.Atom, failure: n.Atom, scribe: Scribe) -> n.Atom:
        return failed if self.divergence is None else scribe.either(failed, failure)

    def _store(self, store: n.Store, scribe: Scribe) -> n.Atom:
        fine: n.Atom = TRUE
        if store.bounds != "safe" and store.indices:
            fine, indices = inside(store.view, store.indices, store.bounds, scribe)
            store = replace(store, indices=indices, bounds="safe")
        if self.divergence is None or store.view.name in self.divergence.private:
            scribe.add(store)
        return scribe.negated(fine)

    def _branch(self, branch: n.If, scribe: Scribe, failed: n.Atom) -> n.Atom:
        sides = [scribe.inner() for _ in blocks_of(branch)]
        ends = [self.block(block, side, failed) for block, side in zip(blocks_of(branch), sides, strict=True)]
        more = any(end != failed for end in ends)
        blocks = [
            side.block((*block.yields, *((end,) if more else ())))
            for side, block, end in zip(sides, blocks_of(branch), ends, strict=True)
        ]
        result = scribe.fresh("failed", PYBOOL)
        results = (*branch.results, *((result,) if more else ()))
        scribe.add(replace(branch, then=blocks[0], orelse=blocks[1], results=results))
        return result if more else failed

    # ------------------------------------------------------------------------------------------------- loops

    def _for(self, loop: n.For, scribe: Scribe, failed: n.Atom) -> n.Atom:
        too_long: n.Atom = FALSE
        if self.divergence is not None and self.divergence.loop_diverges(loop) and not has_fewer_trips(loop, LONGEST):
            stop = scribe.op("max", loop.stop, loop.start)
            last = scribe.op("add", loop.start, LONGEST)
            too_long = scribe.compare("gt", stop, last)  # also where the last one is beyond all integers, and wraps
            end = loop.start if loop.exit is None else scribe.op("max", last, loop.start)
            loop = replace(loop, stop=scribe.select(too_long, end, stop))
        if loop.exit is None:
            failed, too_long = scribe.either(failed, too_long), FALSE
        inner, carried = scribe.inner(), scribe.fresh("failed", PYBOOL)
        end = self.block(loop.body, inner, carried)
        yields = loop.body.yields
        if end == carried:
            result = failed
            scribe.add(replace(loop, body=inner.block(yields)))
        else:
            if loop.exit is not None:
                still = inner.both([inner.boolean(yields[loop.exit]), inner.negated(end)])
                yields = tuple(still if k == loop.exit else y for k, y in enumerate(yields))
            result = scribe.fresh("failed", PYBOOL)
            args = (*loop.args, n.LoopArg(carried, failed))
            scribe.add(replace(loop, args=args, results=(*loop.results, result), body=inner.block((*yields, end))))
        if too_long == FALSE:
            return result
        assert loop.exit is not None
        return scribe.either(result, scribe.both([too_long, scribe.boolean(loop.results[loop.exit])]))

    def _while(self, loop: n.While, scribe: Scribe, failed: n.Atom) -> n.Atom:
        if self.divergence is None:
            inner, test = scribe.inner(), scribe.inner()
            self.block(loop.condition, test, FALSE)
            self.block(loop.body, inner, FALSE)
            scribe.add(replace(loop, condition=test.block(loop.condition.yields), body=inner.block(loop.body.yields)))
            return failed
        if block_may_raise(loop.condition):
            raise Unsuited
        inner, test = scribe.inner(), scribe.inner()
        carried, count = scribe.fresh("failed", PYBOOL), scribe.fresh("count")
        end = self.block(loop.body, inner, carried)
        test.add(*loop.condition.statements)
        going = [test.compare("lt", count, LONGEST), test.boolean(loop.condition.yields[0])]
        args, results, yields = list(loop.args), list(loop.results), list(loop.body.yields)
        rounds = scribe.fresh("count")
        args.append(n.LoopArg(count, n.Const(0)))
        results.append(rounds)
        yields.append(inner.op("add", count, 1))
        if end != carried:
            going.append(test.negated(carried))
            failed, before = scribe.fresh("failed", PYBOOL), failed
            args.append(n.LoopArg(carried, before))
            results.append(failed)
            yields.append(end)
        condition = test.block((test.both(going),))
        body = inner.block(yields)
        scribe.add(replace(loop, condition=condition, body=body, args=tuple(args), results=tuple(results)))
        return scribe.either(failed, scribe.compare("ge", rounds, LONGEST))


def _tested(value: n.Expression) -> n.Expression:
    """An access or a division that is tested again."""
    if isinstance(value, n.Load):
        return replace(value, bounds="check") if value.bounds == "safe" else value
    assert isinstance(value, n.Binary)
    return replace(value, checked=True)
