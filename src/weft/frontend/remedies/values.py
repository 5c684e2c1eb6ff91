"""What to pass instead of an object that compiled code cannot take: by its class, in words."""

from __future__ import annotations

import io
import itertools
import sys
from collections.abc import Iterator, Mapping

RANDOM = "pass a seed, make a generator with np.random.default_rng(seed) in the compiled function, and draw from it"

_DRAWS: Mapping[str, str] = {
    "rand": "rng.random((2, 3)) for np.random.rand(2, 3)",
    "randn": "rng.standard_normal((2, 3)) for np.random.randn(2, 3)",
    "randint": "rng.integers(low, high, size), with endpoint=True where the last number may be drawn",
    "randrange": "rng.integers(start, stop)",
    "random_integers": "rng.integers(low, high, size, endpoint=True)",
    "random_sample": "rng.random(size)",
    "random": "rng.random(size)",
    "ranf": "rng.random(size)",
    "gauss": "rng.normal(mu, sigma)",
    "normalvariate": "rng.normal(mu, sigma)",
    "expovariate": "rng.exponential(1.0 / lambd)",
    "choices": "rng.choice(a, k)",
    "sample": "rng.choice(a, k, replace=False)",
    **{
        name: f"rng.{name} with the same arguments"
        for name in ("normal", "standard_normal", "uniform", "exponential", "standard_exponential", "poisson",
                     "choice", "shuffle", "permutation", "lognormal")
    },
}  # fmt: skip
"""What to write for a function that draws from a state which all of Python shares."""


def for_draw(name: str) -> str:
    """What to write instead of a function that gives random numbers, in one sentence."""
    if name in ("seed", "RandomState", "Random"):
        return "make a generator with np.random.default_rng(seed) instead, and draw from it"
    known = _DRAWS.get(name)
    if known is None:
        return "draw an array of such numbers outside, and pass it"
    return f"make a generator rng with np.random.default_rng(seed) once, and call here {known}"


_BY_CLASS: Mapping[str, str] = {
    "builtins.list": "pass a NumPy array of its items, made with np.array, or a tuple",
    "builtins.dict": "pass the values that are used as arguments, or a dataclass with a field for each key",
    "builtins.set": "pass list(...) of it, and call set(...) on that list in the compiled function",
    "builtins.frozenset": "pass list(...) of it, and call set(...) on that list in the compiled function",
    "builtins.bytes": "pass an array of its bytes, made with np.frombuffer",
    "functools.partial": "define a function that makes this call, and pass that",
    "logging.Logger": "write a function that logs, and call it with weft.python",
    "datetime.datetime": "pass the number that its method timestamp() gives",
    "datetime.date": "pass its year, month and day, or the number that its method toordinal() gives",
    "datetime.timedelta": "pass the number that its method total_seconds() gives",
    "decimal.Decimal": "pass a float or an int made of it",
    "fractions.Fraction": "pass its numerator and denominator, or a float made of it",
    "random.Random": RANDOM,
}

_BY_LIBRARY: Mapping[str, str] = {
    "numpy.random": RANDOM,
    "pandas": "pass an array of numbers: its method to_numpy() makes one, for a table one for each column",
    "polars": "pass an array of numbers: its method to_numpy() makes one, for a table one for each column",
    "xarray": "pass an array of numbers: its method to_numpy() makes one, for a data set one for each variable",
    "dask": "pass what its method compute() returns",
    "torch": "pass what x.detach().cpu().numpy() returns, or the tensor itself where its memory is shared",
    "scipy.sparse": "pass its arrays data, indices and indptr",
    "h5py": "read it into an array first: x[...] does so",
    "numba.typed": "pass a NumPy array or a tuple",
    "tqdm": "put it around the call, or around a loop outside",
}


OTHERWISE = "make {} a dataclass, or pass its arrays and numbers"
"""What to do about an object of a class that nobody knows."""


def for_object(value: object) -> str:
    """What to pass instead of an object, in one sentence."""
    kinds = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(value).__mro__[:-1]]
    known = next((_BY_CLASS[kind] for kind in kinds if kind in _BY_CLASS), None)
    if known is not None:
        return known
    if isinstance(value, io.IOBase):
        return "read or write it outside, or in a function that weft.python calls"
    if isinstance(value, Iterator):
        return "pass an array of its items, made with np.fromiter, or write the loop in the compiled function"
    libraries = (text for name, text in _BY_LIBRARY.items() if any(_is_of(kind, name) for kind in kinds))
    return next(libraries, _otherwise(type(value)))


def _otherwise(cls: type) -> str:
    """What to do about an object of a class that nobody knows: one that comes with Python cannot be changed."""
    is_pythons = cls.__module__.partition(".")[0] in (*sys.builtin_module_names, *sys.stdlib_module_names)
    is_users = cls.__module__ == "__main__" or not is_pythons
    return OTHERWISE.format(cls.__name__) if is_users else "pass the numbers and arrays that are used of it"


_INSTEAD_OF_CLASS: Mapping[type, str] = {
    str: "make the string outside; print, raise and assert format numbers with f-strings",
    frozenset: "use a set",
    itertools.product: "write one loop inside of another",
    itertools.chain: "write one loop after the other",
    itertools.accumulate: "add to a variable in a loop, or call np.cumsum on an array",
    itertools.count: "use while, and add to a variable",
}


def for_class(cls: type) -> str:
    """What to write instead of a call of a class, in one sentence."""
    known = _INSTEAD_OF_CLASS.get(cls)
    if known is not None:
        return known
    if cls.__module__.partition(".")[0] in (*sys.builtin_module_names, *sys.stdlib_module_names):
        return "make it outside, and pass the numbers and arrays of it"
    return "use a dataclass, a named tuple or a plain class of your own"


def _is_of(kind: str, library: str) -> bool:
    return kind == library or kind.startswith(f"{library}.")


def draws(function: object) -> bool:
    """Whether a function gives random numbers."""
    owner = getattr(function, "__self__", None)
    kind = type(owner)
    modules = (str(getattr(function, "__module__", "")), kind.__module__)
    return any(name == "random" or name.startswith("numpy.random") for name in modules)


def is_of_numba(value: object) -> bool:
    """Whether a function was compiled by Numba."""
    return type(value).__module__.startswith("numba.") and hasattr(value, "py_func")
