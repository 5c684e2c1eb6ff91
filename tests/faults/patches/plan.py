"""Faults in plans: what is where, what is copied when, and how work is cut."""

from ..patching import Patch

PATCHES = (
    Patch(
        "sums by key write all that the nest writes",
        "weft.plan.place:_Placer.by_key",
        "_with(self.added_to(block, touched), own)",
        "_with(touched, own)",
    ),
    Patch(
        "the largest number of a key may be rounded up",
        "weft.plan.sums_by_key:_shift",
        "DIGIT + format.bias - 1",
        "DIGIT + format.bias + 40",
    ),
    Patch(
        "sums by key read what they write",
        "weft.plan.by_key:can_run_twice",
        "not any(a is None or b is None or aliases.may_alias(a, b) for a, b in pairs)",
        "not any(a is None or b is None for a, b in pairs)",
    ),
    Patch(
        "sums by key count indices from the end as they are",
        "weft.plan.by_key:_from_start",
        "from_end, index, ",
        "index, index, ",
    ),
    Patch(
        "what parts hand on begins at zero",
        "weft.plan.parts_apart:_Parts.part",
        'write.op("sub", nest.index, nest.start, "place")',
        'write.op("sub", nest.index, 0, "place")',
    ),
    Patch(
        "checks outside go the way that raises",
        "weft.plan.checks_outside:_Checks._if",
        "truth != raises[0]",
        "truth == raises[0]",
    ),
    Patch(
        "products of sizes that overflow are fine",
        "weft.plan.checks_outside:_Checks.asked",
        "conditions.append(fits)",
        "pass",
    ),
    Patch(
        "steps are small where they are large",
        "weft.plan.tiny_steps:with_tiny_steps",
        'write.compare("lt", views.atom',
        'write.compare("ge", views.atom',
    ),
    Patch(
        "slabs may write the same rows",
        "weft.plan.partition.slabs:_cut",
        "_check_apart(name, spaces[name].hull(boxes), spaces[name], low.name, high.name)",
        "pass",
    ),
    Patch(
        "what is new on one of two ways is new",
        "weft.plan.transfers.check:_Checker.meet",
        "state.new.get((name, memory), ()) if box in known)",
        "state.new.get((name, memory), ()))",
    ),
    Patch(
        "boxes that depend on other arrays are simple",
        "weft.plan.transfers.loop_entry:Heads.simple",
        " and all(holders_in(box, self.touches.owners) <= own for box in boxes)",
        "",
    ),
    Patch(
        "blocks inside never raise",
        "weft.plan.overlap.pipelining:_Pipeliner.may_raise",
        "if is_endless or any(self.may_raise(block.statements, or_never_end) for block in blocks):",
        "if is_endless:",
    ),
    Patch(
        "boxes by extents of a dropped array are still there",
        "weft.plan.transfers.moves:Moves.drop",
        "there = tuple(box for box in held.there if name not in holders_in(box, self.touches.owners))",
        "there = held.there",
    ),
    Patch(
        "rows with a step are rows without",
        "weft.plan.partition.chains:_rows_of",
        "ends is None or ends.scale != 1 or",
        "ends is None or",
    ),
    Patch(
        "scratch of an inner loop is that of one iteration",
        "weft.plan.scratch:_Writer._bytes",
        "(*inner, *alloc.shape)",
        "alloc.shape",
    ),
    Patch(
        "the last run of a tile is forgotten",
        "weft.plan.prepare.csr_entries:EntryWriter.nest_of_tiles",
        'write.op("sub", window.high, window.base), RUN - 1)',
        'write.op("sub", window.high, window.base), 0)',
    ),
    Patch(
        "who reads an array wrote it",
        "weft.plan.partition.chains:_writers",
        "chain.links[k].writes",
        "chain.links[k].reads",
    ),
    Patch(
        "pieces of a row are taken from before",
        "weft.plan.prepare.csr_balanced:UnevenWriter._with_pieces",
        'write.op("add", first, k)',
        'write.op("sub", first, k)',
    ),
    Patch(
        "the first row of a window is its last",
        "weft.plan.partition.slab_windows:WindowWriter._first",
        "[window.axis].start",
        "[window.axis].count",
    ),
    Patch(
        "what the host writes stays on the device",
        "weft.plan.transfers.transfers:_Mover.parts",
        "stays = name not in found.writes or",
        "stays = name not in found.reads or",
    ),
    Patch(
        "sides of windows below zero are not clipped",
        "weft.plan.partition.chain_windows:ChainWriter._rows_of",
        'write.op("max", self._value(side.low), 0)',
        "self._value(side.low)",
    ),
    Patch(
        "a box is steady if one of its extents is",
        "weft.plan.transfers.effects:Touches.is_steady",
        "return all(",
        "return any(",
    ),
    Patch(
        "a loop of no iterations runs",
        "weft.plan.transfers.loops:Loops.if_it_runs",
        'n.Compare("lt", loop.start, loop.stop)',
        'n.Compare("le", loop.start, loop.stop)',
    ),
    Patch(
        "what a failed kernel wrote is still there",
        "weft.plan.transfers.branches:Branches.after_fault",
        "for name, boxes in found.writes.items():",
        "for name, boxes in found.reads.items():",
    ),
    Patch(
        "arguments that are not guests are followed",
        "weft.plan.transfers.owners:Owners.is_followed",
        " and self._params.intersection(members) <= self._guests",
        "",
    ),
    Patch(
        "a side of a block that is known makes both known",
        "weft.plan.partition.block_loops:BlockWriter._is_known",
        "return all(",
        "return any(",
    ),
    Patch(
        "what only perhaps is on the device is there",
        "weft.plan.transfers.moves:Moves.be_sure",
        "unsure = where.minus(owed, held.there)",
        "unsure = where.minus(owed, owed)",
    ),
    Patch(
        "steps run one round too many",
        "weft.plan.prepare.fused_steps:_Found.statements",
        'write.op("sub", steps, 1), 0), count, "rounds")',
        'write.op("add", steps, 1), 0), count, "rounds")',
    ),
    Patch(
        "an index is divided by twice as much",
        "weft.plan.prepare.csr_balanced:UnevenWriter.divided",
        "by.bit_length() - 1",
        "by.bit_length()",
    ),
)
"""All of them."""
