"""Makes random programs: a few loop nests of known families over shared arrays, as Python source."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from .folding import Folding
from .layouts import Layouts
from .parallel import Parallel
from .sequential import Sequential
from .writer import Number, RandomProgram


class Generator(Parallel, Folding, Sequential, Layouts):
    """Makes one program of nests of several families."""

    def program(self, *families: str) -> RandomProgram:
        """A program of nests of these families; of some that are chosen where none is given."""
        self.parameters.append(Number("n"))
        count = self.random.choice((1, 1, 2, 2, 3))
        for name in families or self.random.choices(list(FAMILIES), list(FAMILIES.values()), k=count):
            self.families.append(name)
            getattr(self, name)()
            if name in ENDING:
                break
        if self.random.random() < 0.2:
            self.alias()
        names = ", ".join(p.name for p in self.parameters)
        result = f"    return {', '.join(self.returned)}\n" if self.returned else ""
        source = f"def program({names}):\n" + "".join(f"{line}\n" for line in self.lines) + result
        return RandomProgram(source, tuple(self.parameters), tuple(self.families), self.reduces)


ENDING = frozenset({"raising", "returning"})
"""Families after which nothing follows."""

FAMILIES: dict[str, float] = {
    "elementwise": 4, "integers": 2, "guarded": 3, "temporaries": 2, "nest": 4, "triangle": 2, "gather": 1.5,
    "private": 1.5, "matvec": 2, "steps": 1, "induction": 1.5, "claimed": 1, "reduction": 2, "count": 1, "extreme": 1,
    "quantifier": 0.7, "scan": 1, "histogram": 1, "scatter": 1, "packing": 1, "search": 1, "recurrence": 1.5,
    "wavefront": 1, "wrap_around": 1, "state": 0.7, "repetition": 1, "statements": 2, "product": 1, "local": 1,
    "divergent": 1, "mixed": 1, "slices": 1, "rows": 1, "flattened": 1, "unflattened": 0.7, "circular": 0.7,
    "distance": 1, "crossing": 1, "elements": 1.5, "flags": 0.7, "complexes": 0.7, "borders": 1.5, "raising": 0.4,
    "returning": 0.5,
}  # fmt: skip
"""The families, with how often each is chosen."""


def generate(random: Random) -> RandomProgram:
    """A program, by the choices of a random generator."""
    return Generator(random).program()


def random_programs() -> st.SearchStrategy[RandomProgram]:
    """Programs for Hypothesis, which makes them smaller when one fails."""
    return st.randoms(use_true_random=False).map(generate)
