"""What nobody needs goes; what has an effect stays, wherever it stands."""

from weft.ir import nodes as n
from weft.ir.types import PYBOOL
from weft.passes.dead import cleaned


def test_a_statement_that_stands_in_several_branches_stays_in_all():
    conditions = [n.Var(f"c.{k}", PYBOOL) for k in range(3)]
    shared = n.Raise("ValueError", "negative")
    branches = tuple(n.If(c, n.Block((shared,))) for c in conditions)
    assert cleaned(n.Block(branches)).statements == branches
