"""`weft.python`: ordinary Python as a step of a compiled function, which says what the step reads and writes.

In plain Python it calls the function with the same rules: an array that is only read cannot be written, one that was
not declared is refused, and the result is what was declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft.errors import ArgumentError
from weft.ir.python_calls import converted, read_only
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, SCALARS, Scalar

_WEAK: dict[type, Scalar] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}


def python(
    function: Callable[..., Any], *args: Any, reads: Any = (), writes: Any = (), returns: type | None = None
) -> Any:
    """Call a Python function, also from compiled code: on the host, by the thread of the call, holding Python's lock.

    Parameters
    ----------
    function
        What to call. Compiled code finds it by its name at every call, as it does captured values.
    *args
        Numbers, arrays, strings, None, and tuples of these. Arrays that are not in `writes` are read-only in the
        function.
    reads, writes
        An array or a tuple of arrays that the function reads, and of those that it may change: all arrays among `args`,
        and those that it reaches in other ways. Arrays that the compiled function made itself, and `weft.Array`, are
        lent as copies, which the function must not keep.
    returns
        The type of the result: ``bool``, ``int``, ``float``, ``complex`` or one of NumPy's; None where there is none.

    Returns
    -------
    object
        What the function returned, as the type that was declared.

    Raises
    ------
    ArgumentError
        An array is neither in `reads` nor in `writes`.
    TypeError
        The result is of another kind than was declared.
    """
    read, written = _arrays(reads), _arrays(writes)
    given = [_lent(value, read, written) for value in args]
    return converted(function(*given), scalar_of(returns), name_of(function))


def scalar_of(returns: object) -> Scalar | None:
    """The type of the IR for what is declared of a result; ArgumentError where that is no type of numbers."""
    if returns is None:
        return None
    found = _WEAK.get(returns) if isinstance(returns, type) else None
    if found is None and isinstance(returns, type) and issubclass(returns, np.generic):
        found = SCALARS.get(np.dtype(returns).name)
    if found is None:
        raise ArgumentError(f"{returns!r} is no type of numbers", argument="returns", hint="say float, int, np.float32")
    return found


def name_of(function: object) -> str:
    """What a function is called in messages."""
    return str(getattr(function, "__name__", type(function).__name__))


def _arrays(declared: Any) -> tuple[Any, ...]:
    return tuple(declared) if isinstance(declared, (tuple, list)) else (declared,)


def _lent(value: Any, reads: Sequence[Any], writes: Sequence[Any]) -> Any:
    """An argument as the function gets it."""
    if isinstance(value, tuple):
        return tuple(_lent(item, reads, writes) for item in value)
    if not isinstance(value, np.ndarray):
        return value
    if any(_is_part(value, array) for array in writes):
        return value
    if not any(_is_part(value, array) for array in reads):
        raise ArgumentError("an array is given to weft.python that is neither in reads nor in writes", hint=HINT)
    return read_only(value)


HINT = "say weft.python(f, a, reads=(a,)), or writes=(a,) where f changes it"


def _is_part(value: np.ndarray[Any, Any], array: Any) -> bool:
    return value is array or (isinstance(array, np.ndarray) and np.may_share_memory(value, array))
