"""What a schedule needs of arrays whose rows are accessed in vectors."""

from __future__ import annotations

from dataclasses import dataclass

from weft.ir import nodes as n


@dataclass(frozen=True)
class Vectors:
    """The arrays in whose vectors of `lanes` elements a schedule is good; another one is for arrays that are otherwise.

    Rows of those that are `aligned` begin at multiples of a vector, and of those that are `whole` they end there, too.
    """

    lanes: int
    aligned: tuple[n.Var, ...]
    whole: tuple[n.Var, ...] = ()
