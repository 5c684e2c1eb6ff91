"""What the matrix of operators tries: operations as texts in ``x`` and ``y``, the types, and their special values.

Functions come from the compiler's own table, so that one that is added there is tried too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.frontend import build  # noqa: F401 - fills the table of functions
from weft.frontend.arrays.tables import FUNCTIONS

PYTHON_TYPES: dict[str, type] = {"int": int, "float": float, "complex": complex, "pybool": bool}
NUMPY_TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
               "float64", "complex64", "complex128")  # fmt: skip
TYPES = (*PYTHON_TYPES, *NUMPY_TYPES)
STORED = {"int": "int64", "float": "float64", "complex": "complex128", "pybool": "bool"}
"""The dtype of the arrays that Python's own numbers are taken from."""


@dataclass(frozen=True)
class Operation:
    """An expression in ``x`` (and ``y``), and by how many units in the last place its floats may differ.

    `python_ulp` holds where the result is a Python number, `ulp` where it is NumPy's.
    """

    text: str
    ulp: int = 0
    python_ulp: int = 0

    @property
    def selects(self) -> bool:
        """Whether the result is one of the operands: compiled code may give it as the type that both have in common."""
        return any(word in self.text for word in (" and ", " or ", " if ", "min(", "max("))


VECTOR_FUNCTION = 4
"""Units in the last place that the manual allows to mathematical functions, and to powers of NumPy's numbers."""
EXACT = frozenset({
    "square", "reciprocal", "sqrt", "floor", "ceil", "trunc", "rint", "fabs", "absolute", "sign", "signbit",
    "isnan", "isinf", "isfinite", "conjugate", "spacing", "logical_not", "copysign", "nextafter", "fmod",
    "ldexp", "bitwise_count",
    "maximum", "minimum", "fmax", "fmin", "heaviside", "gcd", "lcm", "logical_and", "logical_or", "logical_xor",
    "degrees", "radians", "ulp", "remainder", "comb", "perm", "isqrt", "factorial", "add", "subtract", "multiply",
    "divide", "floor_divide", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "equal",
    "not_equal", "less", "less_equal", "greater", "greater_equal", "negative", "positive", "invert",
})  # fmt: skip
"""Functions without a tolerance."""

OTHER = frozenset(
    """
print breakpoint range prange assume_independent enumerate zip reversed len sum any all isinstance type tuple slice
replace iinfo finfo dtype transpose swapaxes shape ndim size python empty zeros ones empty_like zeros_like ones_like
full full_like array asarray copy ascontiguousarray asfortranarray require arange linspace eye identity prod
accumulate reduce allclose amax amin argmax argmin mean std var ptp norm count_nonzero cumsum cumprod diff trace
diagonal dot inner outer vdot concatenate stack hstack vstack column_stack reshape ravel squeeze expand_dims flip roll
claimed literal types_of list sorted super time monotonic perf_counter process_time ndarray ndenumerate ndindex
apply_along_axis default_rng filter map Counter defaultdict deque dict set vectorize
array_split split bisect_left bisect_right insort_left insort_right heapify heappop heappush heappushpop heapreplace
nlargest nsmallest chain from_iterable combinations combinations_with_replacement permutations product pairwise islice
takewhile chr ord str repr hash format fliplr flipud rot90 moveaxis rollaxis matrix_transpose ix_ fromfunction piecewise
iter next
""".split()
)
"""Functions of the table that are no functions from numbers to numbers."""

WRITTEN_OUT = {
    "abs": ("abs(x)",),
    "round": ("round(x)", "round(x, 1)", "round(x, 0)", "np.round(x)", "np.round(x, 1)", "np.around(x, 2)"),
    "min": ("min(x, y)", "min(x, y, x)"), "max": ("max(x, y)", "max(y, x, y)"),
    "divmod": ("divmod(x, y)[0]", "divmod(x, y)[1]"), "int": ("int(x)",), "float": ("float(x)",),
    "bool": ("bool(x)", "np.bool(x)"), "complex": ("complex(x)", "complex(x, y)"),
    "modf": ("math.modf(x)[0]", "math.modf(x)[1]"),
    "real": ("np.real(x)", "x.real"), "imag": ("np.imag(x)", "x.imag"), "where": ("np.where(x, x, y)",),
    "isclose": ("math.isclose(x, y)",),
    "clip": ("np.clip(x, y, 5)", "np.clip(x, -1, y)", "np.clip(x, y, x)", "np.clip(x, None, y)"),
}  # fmt: skip
"""Functions that need more than their operands."""

_APPROXIMATE_CALLS = {"pow": ("pow(x, y)", VECTOR_FUNCTION)}
BINARY_SYMBOLS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
CONSTANTS = ("0", "1", "-1", "2", "3", "0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "True", "1j", "float('inf')")


def unary_operations() -> Iterator[Operation]:
    """Operations on one number, those with a constant included."""
    for text in ("+x", "-x", "~x", "not x", "x if x else x + x", "x in range(-5, 6)", "x in (1, 2.0)"):
        yield Operation(text)
    yield from (operation for operation in _functions() if "y" not in _names(operation.text))
    for symbol, constant in itertools.product(BINARY_SYMBOLS, CONSTANTS):
        yield Operation(f"x {symbol} {constant}", VECTOR_FUNCTION if symbol == "**" else 0)
    for symbol, constant in itertools.product(BINARY_SYMBOLS, ("0", "1", "2", "0.0", "-0.0", "1.0")):
        yield Operation(f"({constant}) {symbol} x", VECTOR_FUNCTION if symbol == "**" else 0)
    for symbol, constant in itertools.product(COMPARISONS, ("0", "-0.0", "1.0", "True")):
        yield Operation(f"x {symbol} {constant}")
    for constant in ("0.5", "2", "-1", "0", "1"):
        yield Operation(f"np.power(x, {constant})", VECTOR_FUNCTION)


def binary_operations() -> Iterator[Operation]:
    """Operations on two numbers."""
    for symbol in (*BINARY_SYMBOLS, *COMPARISONS):
        yield Operation(f"x {symbol} y", VECTOR_FUNCTION if symbol == "**" else 0)
    for text in ("x and y", "x or y", "x if x < y else y", "y if x else x", "x < y <= x", "x in (y, 1)"):
        yield Operation(text)
    yield from (operation for operation in _functions() if "y" in _names(operation.text))


def _names(text: str) -> set[str]:
    return set(compile(text, "<operation>", "eval").co_names)


def _functions() -> Iterator[Operation]:
    for known in dict.fromkeys(FUNCTIONS):
        name = getattr(known, "__name__", "")
        if known in (np.round, np.bool_, np.around) or isinstance(known, np.ufunc) and name not in dir(np):
            continue
        if isinstance(known, np.ufunc):
            operands = ", ".join("xy"[: known.nin])
            yield Operation(f"np.{name}({operands})", 0 if name in EXACT else VECTOR_FUNCTION)
        elif name in WRITTEN_OUT:
            yield from map(Operation, WRITTEN_OUT[name])
        elif isinstance(known, type) and issubclass(known, np.generic):
            yield Operation(f"np.{name}(x)")
        elif getattr(math, name, None) is known:
            yield from _of_math(name)
        elif known is pow:
            yield Operation("pow(x, y)", VECTOR_FUNCTION)


def _of_math(name: str) -> Iterator[Operation]:
    exact = name in EXACT
    for operands in _CALLS.get(name, ("x",)):
        yield Operation(
            f"math.{name}({operands})",
            0 if exact else VECTOR_FUNCTION,
            0 if exact or name == "pow" else VECTOR_FUNCTION,
        )


_CALLS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("atan2", "hypot", "copysign", "nextafter", "fmod", "pow", "remainder", "gcd", "lcm", "comb"), ("x, y",)
    ),
    "log": ("x", "x, y"), "perm": ("x", "x, y"),
}  # fmt: skip


def unknown_functions() -> list[str]:
    """Functions of the table that the matrix neither tries nor names as no functions of numbers."""
    tried = " ".join(operation.text for operation in (*unary_operations(), *binary_operations()))
    ours = "weft.frontend."  # what stands for methods of lists, and the like
    others = (ours, "_operator")  # the functions of `operator` are the symbols, which are tried
    users = (known for known in FUNCTIONS if not str(getattr(known, "__module__", "")).startswith(others))
    names = (getattr(known, "__name__", "") for known in users)
    return sorted({name for name in names if name not in OTHER and f"{name}(" not in tried and name != "around"})


# ----------------------------------------------------------------------------------------------- special values


def values(type_name: str) -> list[Any]:
    """Special values of a type, as CPython has them in a variable."""
    if type_name in PYTHON_TYPES:
        return [PYTHON_TYPES[type_name](v) for v in _stored(np.dtype(STORED[type_name]))]
    with np.errstate(all="ignore"):
        return [np.dtype(type_name).type(v) for v in _stored(np.dtype(type_name))]


def _stored(dtype: np.dtype[Any]) -> list[Any]:
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind in "iu":
        return _integers(dtype)
    if dtype.kind == "f":
        return _reals(dtype)
    parts = [0.0, -0.0, 1.5, -2.0, math.inf, math.nan]
    return [complex(a, b) for a, b in itertools.product(parts, [0.0, -0.0, 1.0, -math.inf, math.nan])]


def _integers(dtype: np.dtype[Any]) -> list[int]:
    low, high, bits = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max), 8 * dtype.itemsize
    wanted = (0, 1, 2, 3, 7, -1, -2, -7, 22, bits - 1, bits, low, low + 1, high - 1, high, 2**53 + 1)
    return sorted({v for v in wanted if low <= v <= high})


def _reals(dtype: np.dtype[Any]) -> list[float]:
    info = np.finfo(dtype)
    smallest, one = float(info.smallest_subnormal), dtype.type(1)
    sizes = [0.0, 1.0, 0.5, 2.0, 3.0, 2.5, 100.7, float(info.max), float(info.tiny), smallest, 3 * smallest,
             float(info.tiny) - smallest,
             float(np.nextafter(one, dtype.type(2))), float(np.nextafter(one, dtype.type(0))), math.inf]  # fmt: skip
    return [*sizes, *(-size for size in sizes[:12]), -math.inf, math.nan]
