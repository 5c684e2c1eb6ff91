"""Faults in transformations."""

from ..patching import Patch

PATCHES = (
    Patch(
        "an access that may fail is plain",
        "weft.passes.registers:_Body._note",
        'access.bounds == "safe" and ',
        "",
    ),
    Patch(
        "a store at a place that is not counted is packed",
        "weft.passes.packing:_stores",
        "if counter is None or not _counts(branch, side, counter):",
        "if counter is None:",
    ),
    Patch(
        "scalars of tiles of which some are the same are all the same",
        "weft.passes.abreast:_Tiles._scalars",
        "if any(let.value",
        "if all(let.value",
    ),
    Patch(
        "loops that are not parallel are exchanged",
        "weft.passes.interchange:_changed",
        "if not _is_parallel(loop):",
        "if False:",
    ),
    Patch(
        "effects of partial results are not late",
        "weft.passes.summaries:_Maker._late",
        "found.update(site.path for site in reached.effects)",
        "pass",
    ),
    Patch(
        "adding any zero is nothing",
        "weft.passes.algebra:_floating",
        'return left if negative == (op == "add") else e',
        "return left",
    ),
    Patch(
        "what is defined in a loop is known before it",
        "weft.passes.registers:_Body.__init__",
        "(*defined_by(statement), *bound_inside(statement))",
        "(*bound_inside(statement),)",
    ),
    Patch(
        "labels are given twice",
        "weft.passes.peel:Labels.fresh",
        '        self._taken.add(f"{stem}@{count}")\n',
        "",
    ),
    Patch(
        "an array may be made before its extent is tested",
        "weft.passes.early:_Mover._is_plain_array",
        "return all(",
        "return True or all(",
    ),
    Patch(
        "a condition that is zero is decided both ways",
        "weft.passes.borders:_answers",
        "yield -form - 1, n.Const(False",
        "yield -form, n.Const(False",
    ),
    Patch(
        "blocks of which one stayed the same are the same",
        "weft.passes.early:_Mover.block",
        "same = all(",
        "same = any(",
    ),
    Patch(
        "a loop to a constant begins at zero",
        "weft.passes.fold:_Folder._trips",
        "return int(stop.value) - int(start.value)",
        "return int(stop.value)",
    ),
    Patch(
        "the first writer leaves no mark",
        "weft.passes.marks:Phase._mark",
        "self.marks.writers.index(touch) + 1",
        "self.marks.writers.index(touch)",
    ),
    Patch(
        "the first inner iteration runs twice",
        "weft.passes.borders:_Borders._outside",
        'n.Compare("lt", below.var, low)',
        'n.Compare("le", below.var, low)',
    ),
    Patch(
        "a value that is no plain definition is computed again",
        "weft.passes.emit:slice_of",
        "        if current.name not in definitions:\n            return None\n",
        "        if current.name not in definitions:\n            continue\n",
    ),
    Patch(
        "a repeated inner loop begins at its end",
        "weft.passes.replay:Walk.inner_loop",
        "self.renamed(node.start), self.renamed(node.stop)",
        "n.Const(0), self.renamed(node.stop)",
    ),
    Patch(
        "rounds go on from the first tile",
        "weft.passes.tiled:Tiled._next",
        "scribe.select(failed, farther, n.Const(0))",
        "scribe.select(failed, n.Const(0), farther)",
    ),
    Patch(
        "one mask stands for all",
        "weft.passes.abreast:_Tiles._any",
        "some = tests[-1].var",
        "some = mask",
    ),
    Patch(
        "what is needed again is needed for itself alone",
        "weft.passes.expansion:Expansion._needed_again",
        "waiting += [a.name for a in atoms_of(self.again[name].value) if isinstance(a, n.Var)]",
        "pass",
    ),
    Patch(
        "lanes store to the same element",
        "weft.passes.vectorise:Vectoriser._store",
        "if not any(map(self.divergence.differs, statement.indices)):",
        "if False:",
    ),
    Patch(
        "integers are as narrow as the smallest of those that meet",
        "weft.passes.narrow:_narrowed",
        "INT16 if all(_fits",
        "INT16 if any(_fits",
    ),
    Patch(
        "of several growths the last one counts",
        "weft.passes.totals:_Assumption._sum",
        'total = self._binary("add", total, term)',
        "total = term",
    ),
    Patch(
        "a sum of products may be read while it is made",
        "weft.passes.accumulate:accumulate",
        "if nest is None or not nest.suits(aliases):",
        "if nest is None:",
    ),
)
"""All of them."""
