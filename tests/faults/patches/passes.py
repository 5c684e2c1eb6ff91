"""Faults in transformations."""

from ..patching import Patch

PATCHES = (
    Patch(
        "an access under a mask is plain",
        "weft.passes.registers:_Body._note",
        ' and getattr(access, "mask", None) is None',
        "",
    ),
    Patch(
        "the index plus what differs between lanes is a neighbour",
        "weft.passes.lanes:_neighbours",
        " and not divergence.differs(b) for",
        " for",
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
        "what a loop tests is known inside",
        "weft.passes.fold:_Folder._kept_for",
        "                self._forget(statement, exit)\n",
        "",
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
        "constants need not fit into a narrow integer",
        "weft.passes.narrow:_groups",
        "ranges[key] = of_atom(constant, ranges) or (0, 0)",
        "ranges[key] = (0, 0)",
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
