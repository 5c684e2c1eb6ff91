"""What the description of a kernel says for some arguments: its text, and functions and expressions over names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from weft.autotune.foreign.languages import LANGUAGES
from weft.autotune.spaces.expressions import parse
from weft.autotune.spaces.space import Point
from weft.errors import ArgumentError, Error


def text_of(source: str | Path) -> tuple[str, str | None]:
    """The text, and the language that the file's name tells."""
    ending = Path(source).suffix if isinstance(source, Path) or "\n" not in str(source) else ""
    if ending not in LANGUAGES:
        if isinstance(source, Path):
            raise ArgumentError(f"{source} ends in none of {', '.join(LANGUAGES)}", argument="source")
        return source, None
    try:
        return Path(source).read_text(encoding="utf-8"), LANGUAGES[ending]
    except OSError as error:
        raise ArgumentError(
            f"the source {str(source)!r} cannot be read: {error.strerror}",
            argument="source",
            hint="give its whole path",
        ) from None


def language_of(text: str) -> str:
    """The language of a text by its words."""
    if re.search(r"\b(?:__kernel|kernel)\s+void\b|\bget_global_id\b", text):
        return "opencl"
    return "cuda" if "__global__" in text else "c"


def called(function: Callable[..., Any], known: Mapping[str, Any]) -> Any:
    """A function with the arguments and tunables that it names."""
    names = inspect.signature(function).parameters
    missing = [name for name in names if name not in known]
    if missing:
        raise ArgumentError(
            f"{getattr(function, '__name__', 'a function')} of the kernel asks for {missing[0]!r}, which is neither an "
            "argument nor a tunable",
            hint="use the names " + ", ".join(known),
        )
    return function(**{name: known[name] for name in names})


def asked(what: str, function: Callable[..., Any], known: Mapping[str, Any]) -> Any:
    """The same for `grid` and others, whose exceptions say what raised them."""
    try:
        return called(function, known)
    except Error:
        raise
    except Exception as error:
        raise ArgumentError(f"{what} of the kernel raises {type(error).__name__}: {error}", argument=what) from error


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers as Python's, which do not overflow."""
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}


def evaluated(value: object, known: Mapping[str, Any]) -> Any:
    """A macro or a size: an expression over what is known, or a value."""
    if not isinstance(value, str):
        return value
    expression = parse(value)
    if not set(expression.names) <= set(known):
        return value  # a word of the language, such as a type
    columns = {name: np.array([known[name]]) for name in expression.names if not hasattr(known[name], "__len__")}
    result = expression.values(columns)[0]
    return result.item() if isinstance(result, np.generic) else result


def is_there(value: object, point: Point, tunables: Mapping[str, object]) -> bool:
    """Whether a macro has a value at a point: its tunables count there."""
    return not isinstance(value, str) or all(name in point or name not in tunables for name in parse(value).names)
