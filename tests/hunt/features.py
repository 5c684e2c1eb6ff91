"""The parts of the language that a run turns on or off: each program draws its own (swarm testing)."""

from __future__ import annotations

from random import Random

FEATURES = {
    # subscripts
    "affine": 0.9, "reverse": 0.4, "floor": 0.3, "modulo": 0.35, "minmax": 0.3, "negative": 0.35, "last": 0.4,
    "symbolic": 0.45, "indirect": 0.4, "wrap": 0.3, "two": 0.4, "scaled": 0.25, "constant": 0.5, "counter": 0.25,
    "outside": 0.06, "quotient": 0.3,
    # statements
    "if": 0.7, "else": 0.5, "while": 0.25, "break": 0.25, "continue": 0.25, "orelse": 0.15, "return": 0.2,
    "raise": 0.15, "assert": 0.08, "prange": 0.12, "race": 0.15, "foreach": 0.25, "rows": 0.15, "zip": 0.2,
    "tuple": 0.15, "nest": 0.75, "triangle": 0.35, "step": 0.35, "down": 0.3, "dataloop": 0.12, "called": 0.2,
    "local": 0.3, "copy": 0.15, "view": 0.35, "viewofview": 0.5, "transpose": 0.3, "newaxis": 0.08, "fill": 0.06,
    "swap": 0.12, "helper": 0.3, "nonlocal": 0.08, "lambda": 0.1, "generator": 0.12, "walrus": 0.08, "tupled": 0.15,
    "shared": 0.5, "independent": 0.05, "device": 0.04,
    # idioms
    "scan": 0.3, "recurrence": 0.4, "relay": 0.45, "pack": 0.2, "keyed": 0.25, "matmul": 0.1, "best": 0.25,
    "stencil": 0.3, "fold": 0.5,
    "guarded": 0.3, "focus": 0.3,
    # expressions
    "conditional": 0.3, "compare": 0.3, "chain": 0.2, "boolean": 0.35, "extremum": 0.35, "divide": 0.25, "bits": 0.3,
    "shift": 0.12, "math": 0.1, "power": 0.1, "true_divide": 0.12, "cast": 0.3, "loose": 0.25, "contains": 0.1,
    "abs": 0.25, "numpy": 0.2, "round": 0.06, "divmod": 0.06, "inlocal": 0.2, "bigint": 0.1, "wideint": 0.1,
    "truth": 0.15,
    # types
    "small": 0.5, "unsigned": 0.5, "complex": 0.15, "half": 0.15, "single": 0.5, "boolarray": 0.3, "manydtypes": 0.5,
    # arguments
    "alias": 0.35, "strided": 0.3, "fortran": 0.25, "broadcast": 0.1, "backwards": 0.2, "wild": 0.35, "extreme": 0.25,
    "empty": 0.5, "long": 0.2, "cube": 0.15, "vectors": 0.5,
}  # fmt: skip
"""How often each is on."""


def swarm(rng: Random) -> frozenset[str]:
    """The features of one program: sometimes few, sometimes many."""
    scale = rng.choice((0.4, 0.8, 1.0, 1.3, 2.0))
    return frozenset(name for name, share in FEATURES.items() if rng.random() < min(0.97, share * scale))
