"""What to pass instead of an object that compiled code cannot take: by its class, in words."""

from __future__ import annotations

from collections.abc import Mapping

RANDOM = "draw an array of random numbers before the loop, pass it, and use one element for each draw"

_BY_CLASS: Mapping[str, str] = {
    "builtins.list": "pass a NumPy array of its items, made with np.array, or a tuple",
    "builtins.dict": "pass the values that are used as arguments, or a dataclass with a field for each key",
    "builtins.set": "pass a tuple of its items",
    "builtins.frozenset": "pass a tuple of its items",
    "builtins.bytes": "pass an array of its bytes, made with np.frombuffer",
    "builtins.range": "pass its start, stop and step, and write range in the function",
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
    libraries = (text for name, text in _BY_LIBRARY.items() if any(_is_of(kind, name) for kind in kinds))
    return next(libraries, OTHERWISE.format(type(value).__name__))


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
