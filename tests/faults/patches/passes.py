"""Faults in transformations."""

from ..patching import Patch

PATCHES = (
    Patch(
        "an access that may fail is plain",
        "weft.transform.parallel.scalar_promotion:_Body._note",
        'access.bounds == "safe" and ',
        "",
    ),
    Patch(
        "a store at a place that is not counted is packed",
        "weft.transform.scan.packing:_counts",
        "return (block, before) if _is_step(statement.value, before) else None",
        "return block, before",
    ),
    Patch(
        "scalars of tiles of which some are the same are all the same",
        "weft.transform.vector.interleave_tiles:_Tiles._scalars",
        "if any(let.value",
        "if all(let.value",
    ),
    Patch(
        "loops that are not parallel are exchanged",
        "weft.transform.vector.interchange:_changed",
        "if not _is_parallel(loop):",
        "if False:",
    ),
    Patch(
        "effects of partial results are not late",
        "weft.transform.scan.tile_summaries:_Maker._late",
        "found.update(site.path for site in reached.effects)",
        "pass",
    ),
    Patch(
        "adding any zero is nothing",
        "weft.transform.simplify.algebra:_floating",
        'return left if negative == (op == "add") else e',
        "return left",
    ),
    Patch(
        "what is defined in a loop is known before it",
        "weft.transform.parallel.scalar_promotion:_Body.__init__",
        "(*defined_by(statement), *bound_inside(statement))",
        "(*bound_inside(statement),)",
    ),
    Patch(
        "labels are given twice",
        "weft.transform.peel:Labels.fresh",
        '        self._taken.add(f"{stem}@{count}")\n',
        "",
    ),
    Patch(
        "an array may be made before its extent is tested",
        "weft.transform.parallel.early_races:_Mover._is_plain_array",
        "return all(",
        "return True or all(",
    ),
    Patch(
        "a condition that is zero is decided both ways",
        "weft.transform.safety.split_boundaries:_answers",
        "yield (-form - 1,), n.Const(False",
        "yield (-form,), n.Const(False",
    ),
    Patch(
        "blocks of which one stayed the same are the same",
        "weft.transform.parallel.early_races:_Mover.block",
        "same = all(",
        "same = any(",
    ),
    Patch(
        "a loop to a constant begins at zero",
        "weft.transform.simplify.fold:_Folder._trips",
        "return int(stop.value) - int(start.value)",
        "return int(stop.value)",
    ),
    Patch(
        "the first writer leaves no mark",
        "weft.transform.parallel.conflict_marks:Phase._mark",
        "self.marks.writers.index(touch) + 1",
        "self.marks.writers.index(touch)",
    ),
    Patch(
        "the first inner iteration runs twice",
        "weft.transform.safety.split_boundaries:_Borders._outside",
        'n.Compare("lt", below.var, low)',
        'n.Compare("le", below.var, low)',
    ),
    Patch(
        "a value that is no plain definition is computed again",
        "weft.transform.emit:slice_of",
        "        if current.name not in definitions:\n            return None\n",
        "        if current.name not in definitions:\n            continue\n",
    ),
    Patch(
        "a repeated inner loop begins at its end",
        "weft.transform.parallel.inspector:Walk.inner_loop",
        "self.renamed(node.start), self.renamed(node.stop)",
        "n.Const(0), self.renamed(node.stop)",
    ),
    Patch(
        "rounds go on from the first tile",
        "weft.transform.scan.tiled_scan:Tiled._next",
        "scribe.select(failed, farther, n.Const(0))",
        "scribe.select(failed, n.Const(0), farther)",
    ),
    Patch(
        "one mask stands for all",
        "weft.transform.vector.interleave_tiles:_Tiles._any",
        "some = tests[-1].var",
        "some = mask",
    ),
    Patch(
        "what is needed again is needed for itself alone",
        "weft.transform.vector.expansion:Expansion._needed_again",
        "waiting += [a.name for a in atoms_of(self.again[name].value) if isinstance(a, n.Var)]",
        "pass",
    ),
    Patch(
        "lanes store to the same element",
        "weft.transform.vector.vectorise:Vectoriser._store",
        "if not any(map(self.divergence.differs, statement.indices)):",
        "if False:",
    ),
    Patch(
        "integers are as narrow as the smallest of those that meet",
        "weft.transform.simplify.narrow:_narrowed",
        "INT16 if all(_fits",
        "INT16 if any(_fits",
    ),
    Patch(
        "of several growths the last one counts",
        "weft.transform.safety.overflow_assumptions:_Assumption._sum",
        'total = self._binary("add", total, term)',
        "total = term",
    ),
    Patch(
        "a sum of products may be read while it is made",
        "weft.transform.parallel.reduction_interchange:_turned",
        "if nest is None or not nest.suits(aliases):",
        "if nest is None:",
    ),
    Patch(
        "an element that may not be there is carried under a branch",
        "weft.transform.parallel.scalar_promotion:_Body._is_inside",
        ' and self.proofs.holds(n.Load(*place, "safe"), where.body)',
        "",
    ),
    Patch(
        "an element that other iterations touch is carried under a branch",
        "weft.transform.parallel.scalar_promotion:_Body._is_own",
        "any(found is not None and found[0] == outer.index.name for found in moved)",
        "True",
    ),
    Patch(
        "two integers that are often equal are so once",
        "weft.transform.simplify.if_conversion:_Selector._is_missed_once",
        "bool(form.coefficient(counter).value) and form.degree(counter) == 1 and ",
        "",
    ),
    Patch(
        "short loops that end early are written out",
        "weft.transform.loops.accumulators:_is_short",
        "or loop.exit is not None ",
        "",
    ),
    Patch(
        "a counter that goes round is one behind",
        "weft.transform.loops.cyclic_counters:_Closing.program",
        'nexts = self._written(inside, inside.op("add", done, cycle.ahead + 1), period, steps)',
        'nexts = self._written(inside, inside.op("add", done, cycle.ahead), period, steps)',
    ),
    Patch(
        "a counter goes round among no values",
        "weft.transform.loops.cyclic_counters:_Closing.program",
        "(cycle.period - least, constant(MOST_VALUES) - cycle.period)",
        "(constant(MOST_VALUES) - cycle.period,)",
    ),
    Patch(
        "another value than the lowest begins a round",
        "weft.transform.loops.cyclic_counters:_Closing._asks_for_low",
        "of(test.left) - of(test.right) == of(n.Var(self.cycle.next, PYINT)) - self.cycle.low",
        "self.cycle.next in {getattr(a, 'name', '') for a in (test.left, test.right)}",
    ),
    Patch(
        "a row that begins at an offset is the whole row",
        "weft.transform.simplify.direct:_keeps_places",
        "axis.start == n.Const(0, axis.start.type) and ",
        "",
    ),
)
"""All of them."""
