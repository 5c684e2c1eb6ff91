"""Faults in schedules and in what they make of a kernel."""

from ..patching import Patch

PATCHES = (
    Patch(
        "a stencil may write another type than it reads",
        "weft.schedule.lowering.stencils:_checked",
        "if element != target.element or found.store.value.type != element:",
        "if False:",
    ),
    Patch(
        "the number of an element counts its own axis",
        "weft.schedule.lowering.cooperative_block:_Dealer._indices",
        "prod(shape[k + 1 :]) or 1",
        "prod(shape[k:]) or 1",
    ),
    Patch(
        "runs together are not whole at their end",
        "weft.schedule.lowering.points:_updated_edge",
        "(together - 1) * stride + lanes)):",
        "(together - 1) * stride)):",
    ),
    Patch(
        "cut runs are together if they lie in a row",
        "weft.schedule.lowering.points:_cut",
        "are_together = lie_in_a_row and _fit_together(flat, others, run, accesses)",
        "are_together = lie_in_a_row",
    ),
    Patch(
        "a counter that is not handed on counts",
        "weft.schedule.lowering.tiles:_counts",
        "result == following and a in steps and b == counter",
        "a in steps and b == counter",
    ),
    Patch(
        "a walk may do more than store if it stores",
        "weft.schedule.legality:check_walks",
        "if not all(_is_plain_store(s)",
        "if not any(_is_plain_store(s)",
    ),
    Patch(
        "a sum may begin with -0.0",
        "weft.schedule.lowering.sliding:_begins_at_zero",
        "return math.copysign(1.0, arg.init.value.real) > 0 or arg.init.value != 0",
        "return True",
    ),
    Patch(
        "the last column of a tile is one further",
        "weft.schedule.lowering.slide:Slider._elements",
        'write.op("sub", self.trip, 2))',
        'write.op("sub", self.trip, 1))',
    ),
    Patch(
        "what may raise may run although nothing needs it",
        "weft.schedule.nests:_is_harmless",
        " or may_raise(statement.value, statement.var.type)",
        "",
    ),
    Patch(
        "points outside compute what the first one does",
        "weft.schedule.lowering.rolling_planes:_Ring._compute",
        "write.within(place, x.low, x.high)",
        "write.within(place, x.low, x.low)",
    ),
    Patch(
        "an aligned loop has no slack",
        "weft.schedule.frame:Frame._dimension",
        "slack = bound.bind.run - 1 if bound.is_aligned else 0",
        "slack = 0",
    ),
    Patch(
        "elements that are read between are overwritten later",
        "weft.schedule.lowering.sums:_overwritten_apart",
        "if any(map(_reads, (*before.statements, *walk(after)))):",
        "if any(map(_reads, before.statements)):",
    ),
    Patch(
        "arrays that may overlap are not written",
        "weft.schedule.nests:is_repeatable",
        "return root not in written and not (root in shared and written & shared)",
        "return root not in written",
    ),
    Patch(
        "any definition is held",
        "weft.schedule.lowering.stage:_Stager._is_held",
        "isinstance(statement, n.Let) and statement.var.name in self.held",
        "isinstance(statement, n.Let) and bool(self.held)",
    ),
    Patch(
        "a part of a tile is as long as the tile",
        "weft.schedule.lowering.scan:Scanner._part",
        'left = write.op("sub", write.op("sub", place.last, place.first), begin)',
        'left = write.op("sub", place.last, place.first)',
    ),
    Patch(
        "common reads are loaded although they are not there",
        "weft.schedule.lowering.broadcast_tile:_Common._fill_row",
        "with write.when(write.both(is_there)):",
        "with write.when(write.both([])):",
    ),
    Patch(
        "a tile is sent too early",
        "weft.schedule.lowering.stage:_Stager._in_ring",
        'write.op("add", loop.index, ahead)',
        'write.op("add", loop.index, ahead - 1)',
    ),
)
"""All of them."""
