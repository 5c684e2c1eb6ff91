"""What is known of one loop, and in which words."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from weft.analysis.dependence.conditions import Condition
from weft.analysis.dependence.dependence import Dependence
from weft.analysis.recurrences.private import PrivateArray
from weft.analysis.recurrences.recurrences import Carried, MemoryScan
from weft.analysis.recurrences.updates import UpdatePair
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.location import Location

Verdict: TypeAlias = Literal["parallel", "reduction", "scan", "search", "compaction", "checked", "sequential"]


@dataclass(frozen=True)
class LoopFact:
    """What is known of one loop.

    Attributes
    ----------
    label, location
        The loop.
    verdict
        ``parallel``: iterations are independent. ``reduction``: but for values and elements that they fold.
        ``scan``: partial results of folds are used. ``compaction``: chosen values are stored one after the other.
        ``search``: it ends at the first iteration that finds something. ``checked``: `conditions` decide at the call.
        ``sequential``: none of these is proven.
    reason
        Why, in the user's words.
    between
        The two accesses that are in the way of a parallel loop, source first; or a single place.
    carried
        What every carried value is.
    updates
        The reductions in memory whose elements several iterations share.
    scans
        The recurrences through memory.
    private
        The arrays that every iteration needs a copy of its own of.
    conditions
        What must hold at the call for the verdict; for claimed loops what can be checked of the claim.
    may_raise
        Whether an iteration can raise an exception.
    writes
        Whether an iteration writes memory that outlives it.
    claimed
        Whether the verdict rests on ``prange`` or ``assume_independent`` instead of a proof.
    refuted
        Whether ``prange`` was claimed and is proven wrong.
    dependences
        The dependences that the loop carries, those that the verdict deals with included.
    doubtful
        Those of them that `conditions` exclude, or that the claim of a ``prange`` loop denies.
    """

    label: str
    location: Location
    verdict: Verdict
    reason: str
    between: tuple[Location, ...] = ()
    carried: tuple[Carried, ...] = ()
    updates: tuple[UpdatePair, ...] = ()
    scans: tuple[MemoryScan, ...] = ()
    private: tuple[PrivateArray, ...] = ()
    conditions: tuple[Condition, ...] = ()
    may_raise: bool = False
    writes: bool = False
    claimed: bool = False
    refuted: bool = False
    dependences: tuple[Dependence, ...] = field(default=(), repr=False, compare=False)
    doubtful: tuple[Dependence, ...] = field(default=(), repr=False, compare=False)

    @property
    def reassociates(self) -> bool:
        """Whether folding in another order changes the roundings of floats."""
        folded = any(c.is_float and c.operator in ("add", "mul", "linear") for c in self.carried)
        return folded or any(_is_float_view(u.store.view) and u.operator in ("add", "mul") for u in self.updates)


def _is_float_view(view: n.Var) -> bool:
    element = getattr(view.type, "element", None)
    return getattr(element, "kind", "") in ("f", "c")
