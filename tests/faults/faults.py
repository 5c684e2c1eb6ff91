"""The faults that are planted, one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weft.ir import nodes as n
from weft.ir.types import PYBOOL
from weft.ir.visit import rewrite

from . import must_and_may
from .planting import Fault, Make, always, changed

FRONTEND = "frontend against CPython"
PASSES = "passes against CPython"
PLAN = "plan against CPython"
MACHINE = "machine code against CPython"
VERDICTS = "verdicts against the shadow memory"


def without_dependences(kind: str) -> Make:
    """The search for dependences overlooks one kind."""

    def make(right: Any) -> Any:
        def find(*args: Any) -> Any:
            found = right(*args)
            return None if found is not None and found.kind == kind else found

        return find

    return make


def beyond(right: Any) -> Any:
    """``x < y`` is taken to say that x is smaller by two."""

    def facts(op: str, difference: Any) -> Any:
        return (f - 1 if op == "lt" else f for f in right(op, difference))

    return facts


def without(statement: type, when: Any = lambda s: True) -> Make:
    """The program loses statements of a class."""

    def drop(result: Any) -> Any:
        program = result.program if hasattr(result, "program") else result
        body = rewrite(program.body, lambda s: () if isinstance(s, statement) and when(s) else s)
        changed_program = replace(program, body=body)
        return replace(result, program=changed_program) if hasattr(result, "program") else changed_program

    return changed(drop)


def one_more(right: Any) -> Any:
    """The test of an index lets the extent itself pass."""

    def test(printer: Any, index: n.Atom, code: Any, extent: Any, bounds: n.Bounds) -> Any:
        return right(printer, index, code, replace(extent, text=f"({extent.text} + 1)"), bounds)

    return test


def truncating(right: Any) -> Any:
    """Python's ``//`` and ``%`` become C's."""

    def divide(printer: Any, node: n.Binary, type_: Any, left: Any, o: Any) -> Any:
        from weft.backends.text.code import PRODUCT, infix

        return infix("/" if node.op == "floordiv" else "%", PRODUCT, left, o)

    return divide


FAULTS = (
    Fault("a flow dependence is dropped",
          "weft.analysis.dependence.dependence:suspect", without_dependences("flow"), VERDICTS,
          ("recurrence",)),
    Fault("an anti-dependence is dropped",
          "weft.analysis.dependence.dependence:suspect", without_dependences("anti"), VERDICTS,
          ("ahead",)),
    Fault("an output dependence is dropped",
          "weft.analysis.dependence.dependence:suspect", without_dependences("output"),
          VERDICTS, ("overwritten",)),
    Fault("views of one array are taken for distinct", "weft.analysis.access.aliases:Aliases.may_alias",
          lambda right: lambda self, a, b, *rest: a == b, VERDICTS, ("either",)),
    Fault("an array is private although it carries values",
          "weft.analysis.recurrences.private:is_covered", always(True), VERDICTS,
          ("scratch",)),
    Fault("sets that are not empty are called empty", "weft.analysis.dependence.sets:is_empty", always(True), VERDICTS,
          ("halves",)),
    Fault("any carried value is taken for a fold",
          "weft.transform.parallel.parallelise:is_parallel", always(True), VERDICTS,
          ("logistic", "remembered")),
    Fault("a guard is off by one", "weft.analysis.values.ranges:comparison_facts", beyond, PASSES, ("guarded_end",)),
    Fault("every index is proven inside", "weft.transform.safety.bounds:conditions_for", always([]), PASSES,
          ("outside", "backwards")),
    Fault("the condition of a proof is not tested", "weft.transform.safety.bounds:_test", always(n.Const(True)), PASSES,
          ("outside",)),
    Fault("every index is taken to count from the end",
          "weft.transform.safety.bounds:_Prover._is_negative", always(True), PASSES,
          ("backwards",)),
    Fault("operations that raise are called safe",
          "weft.transform.simplify.unchecked:Proofs.cannot_raise", always(True), PASSES,
          ("zero_division",)),
    Fault("an induction variable is off by its start", "weft.transform.parallel.induction:_Closed._difference",
          lambda right: lambda self, out, index: index, PASSES, ("counted",)),
    Fault("a load moves before a store to its element",
          "weft.transform.simplify.licm:_Hoister._is_unwritten", always(True),
          PASSES, ("middle_element",)),
    Fault("a value is used again after a store", "weft.transform.simplify.cse:_Reuser._forget", always(None), PASSES,
          ("store_between",)),
    Fault("an element stays in a register beside another view",
          "weft.transform.parallel.scalar_promotion:_Body._is_alone", always(True),
          PASSES, ("register",)),
    Fault("a statement that may raise is called dead", "weft.ir.effects:may_raise", always(False), PASSES,
          ("unused_index_error",)),
    Fault("division is truncated", "weft.backends.text.arithmetic:_integer_division", truncating, MACHINE, ("floor",)),
    Fault("less is printed as at most", "weft.backends.text.arithmetic:compared",
          lambda right: lambda op, *sides: right({"lt": "le"}.get(op, op), *sides), MACHINE, ("compared",)),
    Fault("a bounds test is off by one", "weft.backends.text.elements:_test", one_more, MACHINE, ("one_beyond",)),
    Fault("a sum starts from a wrong value", "weft.ir.neutral:_neutral", always(1), MACHINE, ("total",)),
    Fault("an extreme starts from a wrong value", "weft.ir.neutral:_extreme", always(1), MACHINE, ("least",)),
    Fault("any zero stands for all", "weft.transform.vector.zeros:_Change.doubtful", always([]), MACHINE, ("signed",)),
    Fault("the alias test is lost", "weft.runtime.dispatch.variants:aliasing_of",
          lambda right: lambda *args: replace(right(*args), same=(), overlaps=()), MACHINE, ("aliased",)),
    Fault("nothing is copied back", "weft.plan.place:place", without(n.Copy, lambda s: s.target == "host"), PLAN,
          ("scaled",)),
    Fault("nobody waits for the device", "weft.plan.place:place", without(n.Wait), PLAN, ("scaled",)),
    Fault("nothing is copied to the device", "weft.plan.place:place",
          without(n.Copy, lambda s: s.source == "host"), PLAN, ("scaled",)),
    Fault("partial tiles run in full", "weft.schedule.frame:Frame.inside", always(n.Const(True, PYBOOL)), PLAN,
          ("scaled", "nested")),
    Fault("a break is overlooked",
          "weft.frontend.control.liveness:has_break", always(False), FRONTEND, ("found_or_not",)),
    *must_and_may.FAULTS,
)  # fmt: skip
"""All faults."""
