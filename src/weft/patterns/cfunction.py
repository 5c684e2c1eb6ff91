"""`weft.cfunction`: a C function as a Python function, for loops, array expressions and patterns on every device."""

from __future__ import annotations

import ctypes
import linecache
import re
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from weft.backends.c import toolchain
from weft.backends.c.program import dialect
from weft.compile.store import MissingLibraryError, default_store, key_of
from weft.errors import ArgumentError, TypeInferenceError
from weft.frontend.calls.c_calls import MODULE, OUTSIDE, call_c, is_taken, wrong_type
from weft.ir.c_text import CALLERS, CText, for_python, own_name, parse, refuse
from weft.ir.types import PYBOOL, PYCOMPLEX, PYFLOAT, PYINT, Scalar, scalar_of
from weft.numba_doors.elementwise import Elementwise
from weft.version import __version__

_PYTHONS = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}
_FILE = "of the C text"
_ENTRY = "weft_call"
_CALL = "ƒ"
"""A name of Python that no parameter in C has."""
_STRICT = (
    "-Werror=return-type", "-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types", "-Werror=uninitialized", "-Werror=div-by-zero", "-Werror=overflow",
)  # fmt: skip
"""What is legal in C, or was, and never meant."""


def cfunction(source: str) -> Callable[..., Any]:
    """Make a Python function of a C function, whose signature gives the types.

    In compiled code it is called like any function of numbers; with arrays it is applied element by element, and
    patterns take it as their function. It runs on every device. Outside of compiled code it takes numbers and arrays,
    with NumPy's broadcasting.

    Arguments are converted to the declared types where nothing is lost, and Python's numbers as NumPy converts them.

    Parameters
    ----------
    source
        The text: one function, or several, of which the last is the one that is called. They take and return bool,
        integers, float or double, and use the functions and constants of ``math.h``, ``float.h`` and ``limits.h``, as
        Weft computes them. They have no pointers as parameters, no preprocessor, and nothing static.

    Returns
    -------
    function
        It returns a number of the declared type, or an array of these.

    Raises
    ------
    ArgumentError
        The text is no C, or has what devices cannot do. The message names the line of the text.

    Notes
    -----
    The function is taken to be pure: the same arguments give the same result, and calls may be left out, repeated and
    reordered. What C leaves undefined (integers that overflow, division of integers by zero, loops that never end)
    must not happen.

    Examples
    --------
    >>> import numpy as np, weft
    >>> f = weft.cfunction("float f(float a, float b) { return a * a + b; }")
    >>> f(np.arange(3, dtype=np.float32), 1)
    array([1., 2., 5.], dtype=float32)
    >>> weft.map(f, np.ones(2, np.float32), np.ones(2, np.float32))
    array([2., 2.], dtype=float32)
    """
    if not isinstance(source, str):
        raise ArgumentError(
            f"the text of a C function is a str, not {type(source).__name__}",
            argument="source",
            hint='write weft.cfunction("float f(float a) { return a + 1; }")',
        )
    text = parse(source)
    CALLERS[source] = _caller(source)
    function = _python_function(source, text)
    OUTSIDE[source] = _Outside(function, text, CALLERS[source])
    return function


def _python_function(source: str, text: CText) -> FunctionType:
    """The function of Python whose body calls the one of C: what compiled code inlines."""
    name = for_python(text.name)
    body = f"return {_CALL}({', '.join([repr(source), *text.names])})"
    content = f"def {name}({', '.join(text.names)}):\n    {body}\n"
    file = f"<C function {text.symbol}>"
    linecache.cache[file] = (len(content), None, content.splitlines(True), file)
    space: dict[str, Any] = {_CALL: call_c, "__name__": MODULE}
    exec(compile(content, file, "exec", dont_inherit=True), space)
    function = space[name]
    assert isinstance(function, FunctionType)
    function.__doc__ = source
    return function


# ------------------------------------------------------------------------------------------------------ compiled alone


@cache
def _caller(source: str) -> Callable[..., Any]:
    """The compiled function, of numbers of its own types."""
    text = parse(source)
    generated = _generated(text)
    store, key = default_store(), key_of("cfunction", __version__, toolchain.identity(), generated)
    library = store.get("cfunction", key)
    if not isinstance(library, str) or not store.has_library(library):
        _check(source, generated)
        library = store.put_library(toolchain.compile_source(generated))
        store.put("cfunction", key, library)
    try:
        function = store.load(library, ctypes.CDLL)[_ENTRY]
    except MissingLibraryError:
        function = store.load(store.put_library(toolchain.compile_source(generated)), ctypes.CDLL)[_ENTRY]
    function.argtypes = [_c_type(type) for type in text.params]
    function.restype = _c_type(text.result)
    kind = text.result.dtype.type

    def call(*given: Any) -> Any:
        return kind(function(*(number.item() if isinstance(number, np.generic) else number for number in given)))

    return call


def _c_type(type: Scalar) -> Any:
    return np.ctypeslib.as_ctypes_type(type.dtype)  # type: ignore[arg-type]


def _generated(text: CText) -> str:
    """A file with the function alone; its lines count as those of the text."""
    types = [dialect().type_name(type) for type in text.params]
    given = [f"a{k}" for k in range(len(types))]
    params = ", ".join(f"{type} {name}" for type, name in zip(types, given, strict=True)) or "void"
    entry = f"{dialect().type_name(text.result)} {_ENTRY}({params}) {{ return {text.symbol}({', '.join(given)}); }}"
    helpers = dialect().helpers.needed(f"{text.text}\n{entry}")
    head = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <math.h>\n#include <string.h>"
    return "\n".join([head, *helpers, f'#line 1 "{_FILE}"', text.text, entry, ""])


def _check(source: str, generated: str) -> None:
    """Let the compiler read the text, and say what it does not like in the words of the text.

    Raises
    ------
    ArgumentError
        It refuses a line.
    """
    compiler = toolchain.find()
    kept = [flag for flag in compiler.flags() if flag not in ("-w", "-shared")]
    command = [*compiler.command, *kept, *_STRICT, "-S", "-x", "c", "-", "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", input=generated)
    if done.returncode == 0:
        return
    said = re.search(r"(?:fatal )?error: (.*)$", done.stderr, re.M)
    place = re.search(rf"^{_FILE}:(\d+):(?:\d+:)? (?:(?:fatal )?error|note: in expansion)", done.stderr, re.M)
    message = own_name(said[1]) if said else "the compiler refuses it"
    message = re.sub(r" \[-W[^\]]*\]$", "", message).replace("‘", "'").replace("’", "'")
    line = int(place[1]) if place else 1
    refuse(source, line, message, hint="mend the line")


# ------------------------------------------------------------------------------------------------------------- outside


class _Outside(Elementwise):
    """Calls outside of compiled code."""

    def __init__(self, function: FunctionType, text: CText, one: Callable[..., Any]) -> None:
        super().__init__(function, None, {})
        self._text = text
        self._compiled = one

    def _number(self, values: Sequence[Any], result: np.dtype[Any] | None) -> Any:
        given = [_number(value, type) for value, type in zip(values, self._text.params, strict=True)]
        return self._compiled(*given)

    def _converted(self, values: Sequence[Any]) -> tuple[list[Any], np.dtype[Any] | None]:
        for position, (value, wanted) in enumerate(zip(values, self._text.params, strict=True)):
            known = _type_of(value)
            if known is None or not is_taken(known, wanted):
                found = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else _described(value)
                message, hint = wrong_type(self._text, position, found)
                raise TypeInferenceError(message, hint=hint)
        return list(values), None

    def _result(self, values: Sequence[Any]) -> np.dtype[Any]:
        return self._text.result.dtype


def _type_of(value: Any) -> Scalar | None:
    """The type of a number or of the elements of an array; None for what has no type of numbers."""
    weak = _PYTHONS.get(type(value))
    try:
        return weak or scalar_of(np.asarray(value).dtype)
    except KeyError:
        return None


def _number(value: Any, wanted: Scalar) -> Any:
    """A number in the type that the function declares; OverflowError where an integer does not fit."""
    return wanted.dtype.type(value)


def _described(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
