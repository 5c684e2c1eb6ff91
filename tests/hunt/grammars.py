"""Which grammar a hunt draws programs from: one of them, or each in turn."""

from __future__ import annotations

from . import everyday, generator, nests, whole_arrays
from .program import Program

MAKERS = {
    "first": generator.generate,
    "everyday": everyday.generate,
    "arrays": whole_arrays.generate,
    "nests": nests.generate,
}
GRAMMARS = ("all", "both", *MAKERS)
"""What may be chosen; both: those of loops, every other one each."""

TURNS = {"all": ("first", "everyday", "arrays", "nests"), "both": ("first", "everyday")}

_chosen = "first"


def choose(name: str) -> None:
    """Draw from a grammar from now on, in processes too that are made later."""
    global _chosen
    assert name in GRAMMARS, name
    _chosen = name


def chosen() -> str:
    """The grammar that programs are drawn from."""
    return _chosen


def generate(seed: int) -> Program:
    """The program of a seed."""
    turns = TURNS.get(_chosen, (_chosen,))
    return MAKERS[turns[seed % len(turns)]](seed)
