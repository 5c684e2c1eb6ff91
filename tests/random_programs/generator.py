"""Makes random programs: a few loop nests of known families over shared arrays, as Python source."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from .flow import Flow
from .folding import Folding
from .layouts import Layouts
from .numbers import Numbers
from .overlapping import Overlapping
from .parallel import Parallel
from .phases import Phases
from .sequential import Sequential
from .shapes import Shapes
from .writer import Allowed, Number, RandomProgram


class Generator(Parallel, Folding, Sequential, Layouts, Numbers, Shapes, Flow, Overlapping, Phases):
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
        helpers = "".join(f"{line}\n" for line in self.helpers)
        source = f"{helpers}def program({names}):\n" + "".join(f"{line}\n" for line in self.lines) + result
        allowed = Allowed(self.races, self.overflows, self.exact)
        return RandomProgram(source, tuple(self.parameters), tuple(self.families), self.reduces, allowed)


ENDING = frozenset({"raising", "raising_exactly", "raising_in_a_nest", "returning", "interleaved", "overlapping"})
"""Families after which nothing follows."""

FAMILIES: dict[str, float] = {
    "elementwise": 4, "integers": 2, "guarded": 3, "temporaries": 2, "nest": 4, "triangle": 2, "gather": 1.5,
    "private": 1.5, "matvec": 2, "steps": 1, "induction": 1.5, "claimed": 1, "reduction": 2, "count": 1, "extreme": 1,
    "quantifier": 0.7, "scan": 1, "histogram": 1, "scatter": 1, "packing": 1, "search": 1, "recurrence": 1.5,
    "wavefront": 1, "wrap_around": 1, "state": 0.7, "repetition": 1, "statements": 2, "product": 1, "local": 1,
    "divergent": 1, "mixed": 1, "slices": 1, "rows": 1, "flattened": 1, "unflattened": 0.7, "circular": 0.7,
    "distance": 1, "crossing": 1, "elements": 1.5, "flags": 0.7, "complexes": 0.7, "borders": 1.5, "raising": 0.4,
    "returning": 0.5, "halves": 1, "special": 1.5, "folded_special": 1, "conversions": 1.5, "divided": 1.5,
    "booleans": 1, "complex_forms": 0.7, "overflowing": 0.7, "products_of_counters": 0.7, "wrapping": 1.5,
    "folded_integers": 1, "higher": 1.5, "without_dimensions": 0.5, "records": 1, "views": 1.5, "matrix_views": 1,
    "from_the_end": 1, "helper": 1.5, "writing_helper": 1, "exchanges": 1, "leaving": 1, "nested_exits": 1,
    "whiles": 0.7, "raising_exactly": 0.7, "raising_in_a_nest": 0.4, "claimed_wrongly": 0.5, "claimed_reduction": 0.5,
    "carried": 1.5, "scans": 1.5, "scan_of_rows": 0.7, "in_place_scan": 0.5, "packings": 1.5, "searches": 1.5,
    "keys": 1, "interleaved": 1.5, "phases": 1.5, "overlapping": 1, "stepping": 1,
}  # fmt: skip
"""The families, with how often each is chosen."""


def generate(random: Random) -> RandomProgram:
    """A program, by the choices of a random generator."""
    return Generator(random).program()


def random_programs() -> st.SearchStrategy[RandomProgram]:
    """Programs for Hypothesis, which makes them smaller when one fails."""
    return st.randoms(use_true_random=False).map(generate)
