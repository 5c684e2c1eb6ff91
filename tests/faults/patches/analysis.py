"""Faults in what is found out about a program."""

from ..patching import Patch

PATCHES = (
    Patch(
        "unequal values are found by their sum",
        "weft.analysis.values.ranges:Ranges._unequal",
        "self.forms.of(left) - self.forms.of(right)",
        "self.forms.of(left) + self.forms.of(right)",
    ),
    Patch(
        "a branch is as wide as one of its sides",
        "weft.analysis.values.widths:_Walker.branch",
        "branch.then.yields, branch.orelse.yields",
        "branch.orelse.yields, branch.orelse.yields",
    ),
    Patch(
        "a comparison with the carried value on the left is not mirrored",
        "weft.analysis.recurrences.chains:Chains.comparison",
        "_MIRRORED[value.op] if carried_left else value.op",
        "value.op",
    ),
    Patch(
        "a counter may be stored itself",
        "weft.analysis.dependence.influence:uses_in_indices",
        "if isinstance(value, n.Var) and value.name in names:",
        "if False:",
    ),
    Patch(
        "what a call of Python reads is overlooked",
        "weft.analysis.access.access:AccessTable._at",
        "view) for view in statement.reads)",
        "view) for view in statement.writes)",
    ),
    Patch(
        "an extreme keeps another value than the one that was compared",
        "weft.analysis.recurrences.chains:Chains.replacing",
        "if found is None or not same_value(self.table, self.region, value, found[1]):",
        "if found is None:",
    ),
    Patch(
        "the load of an update may be in another loop",
        "weft.analysis.recurrences.updates:loads_before",
        "        and a.loops == store.loops\n",
        "",
    ),
    Patch(
        "folds with other rules for ties are the same fold",
        "weft.analysis.recurrences.updates:same_fold",
        "(p.operator, *_rules_of_ties(p.chain))",
        "(p.operator,)",
    ),
    Patch(
        "loops are exchanged although an iteration may raise",
        "weft.analysis.dependence.legality:check_no_raise",
        "if block_may_raise(outer.node.body):",
        "if False:",
    ),
    Patch(
        "a number less a form has the wrong sign",
        "weft.analysis.values.linear:Form.__rsub__",
        "-self + other",
        "-self - other",
    ),
    Patch(
        "a box with gaps is taken for filled",
        "weft.analysis.access.footprint:_fills",
        "not in (1, -1) for name",
        "not in (1, -1, 2, -2) for name",
    ),
    Patch(
        "places go with the values of any extreme",
        "weft.analysis.recurrences.tiling:_parts",
        'if c.kind == "companion" and c.partner == value.place',
        'if c.kind == "companion"',
    ),
    Patch(
        "a value that is used after the loop is dead",
        "weft.analysis.recurrences.recurrences:_Classifier._is_dead",
        " or self.table.structure.uses.get(result)",
        "",
    ),
    Patch(
        "statements between two loops may be anything",
        "weft.analysis.dependence.legality:check_nest",
        "if statement is not inner.node and not harmless:",
        "if statement is not inner.node and False:",
    ),
    Patch(
        "the value of another branch is taken",
        "weft.analysis.dependence.question:Question._after_access",
        "if region.owner is definition.statement and self._grows_to",
        "if self._grows_to",
    ),
    Patch(
        "values that go with one another are not missed in prange",
        "weft.analysis.dependence.judge:Judge._claimed",
        "        if ordered is not None:\n            return self._blocked_by_value(values, ordered, claimed=True)\n",
        "",
    ),
    Patch(
        "a dependence of accesses that may not happen is proven",
        "weft.analysis.dependence.dependence:Dependence.is_proven",
        "self.meeting is not None and certain and",
        "self.meeting is not None and",
    ),
    Patch(
        "a triangle is taken for a box",
        "weft.analysis.values.hull:_is_exact",
        "        if any(ranges.structure.is_inside(name, swept[0]) for name in bounds):\n            return False\n",
        "",
    ),
    Patch(
        "a choice between arrays never changes",
        "weft.analysis.access.aliases:Aliases._may_change",
        "bool(self._sources(self.structure.definition(handle))) or ",
        "",
    ),
    Patch(
        "the last of the points need not be covered",
        "weft.analysis.recurrences.private:_points_cover",
        "range(low, -high + 1)",
        "range(low, -high)",
    ),
    Patch(
        "fields of which one begins inside the other do not overlap",
        "weft.analysis.dependence.dependence:_overlap",
        "b.offset < a.offset + a.type.size * prod(a.shape)",
        "b.offset <= a.offset",
    ),
    Patch(
        "any fold over two loops is a sum of products",
        "weft.analysis.access.tensor_contraction:check_sum_is_proven",
        ' and fold.args[0].combine == "add"',
        "",
    ),
)
"""All of them."""
