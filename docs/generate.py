"""Writes the pages of the manual that come from the compiler's own tables and from the tests of error texts."""

from __future__ import annotations

import inspect
import linecache
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import weft
import weft.frontend.program  # fills the table of functions
from weft.frontend.arrays.tables import FUNCTIONS
from weft.frontend.source.supported import REFUSED, SUPPORTED, Feature
from weft.ir.semantics import BINARY_UFUNCS, COMPARE_UFUNCS, SYMBOLS, result_type
from weft.ir.types import FLOAT32, INT32, NUMPY_TYPES, PYFLOAT, PYINT, UINT8, Scalar

TEXTS = Path(__file__).parent.parent / "tests" / "errors" / "texts"

PAIRS = (
    (PYINT, PYINT),
    (PYINT, PYFLOAT),
    (INT32, INT32),
    (UINT8, INT32),
    (INT32, PYINT),
    (INT32, FLOAT32),
    (FLOAT32, PYFLOAT),
)
"""Operands that show the rules for types: among Python's numbers, among NumPy's, and between both."""

MODULES = {
    "builtins": "Python's own",
    "math": "Of `math`, with its exceptions",
    "numpy": "NumPy's, of scalars and for new arrays",
    "dataclasses": "Of `dataclasses`",
}
"""Where functions come from."""


def write_pages(folder: Path) -> None:
    """Write the generated pages into a folder; files that would not change are left alone."""
    folder.mkdir(exist_ok=True)
    for name, lines in (("errors.md", errors_page()), ("supported.md", supported_page())):
        text = "\n".join(lines) + "\n"
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def errors_page() -> Iterator[str]:
    """One section per error class: what it means, and programs with the exact text that they lead to."""
    yield "# Errors"
    yield ""
    yield "Every error of Weft is a `weft.Error`. Its text says what happened, where, why, and what to write instead."
    yield "The texts on this page are those that the tests compare."
    for path in sorted(TEXTS.glob("[A-Z]*.md")):
        if path.stem != "README":
            yield ""
            yield from error_section(path)


def error_section(path: Path) -> Iterator[str]:
    """The section of one class, or of the Python exceptions that compiled code raises."""
    yield f"## {path.stem}"
    yield ""
    cls = getattr(weft, path.stem, None)
    if cls is None:
        yield "Python's own exception, raised where CPython raises it, with the line and the iteration."
    else:
        yield summary(cls)
    yield ""
    yield ("\n" + path.read_text(encoding="utf-8")).replace("\n## ", "\n### ").strip()


def summary(thing: object) -> str:
    """The first paragraph of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n\n")[0]


def supported_page() -> Iterator[str]:
    """What compiled code may contain: constructs, types, operators, functions, and what is refused with which words."""
    yield "# What is supported, what is refused"
    yield ""
    yield "This page is made of the tables that the compiler itself works with; tests compile every example. Here `a`"
    yield "and `b` are vectors of float64, `m` is a matrix of float64, `x` is a float and `n` an int."
    yield from constructs_section()
    yield from types_section()
    yield from operators_section()
    yield from functions_section()
    yield from refusals_section()


def constructs_section() -> Iterator[str]:
    """What works, each with an example."""
    yield from ("", "## What works", "", "| | for example |", "|---|---|")
    for feature in SUPPORTED:
        yield f"| {cell(feature.name)} | {program(feature.example)} |"


def types_section() -> Iterator[str]:
    """The types of scalars and of elements."""
    yield from ("", "## Types", "")
    yield "Elements of arrays and NumPy scalars: " + code_list(str(t) for t in NUMPY_TYPES) + "; structured dtypes of"
    yield "these. Python's own numbers: `bool`, `int` (64 bits, checked), `float`, `complex`. Tuples, `None`,"
    yield "objects of dataclasses, plain classes and named tuples of all of them."


def operators_section() -> Iterator[str]:
    """The type of the result of each operator, for pairs of operands that show its rule."""
    yield from (
        "",
        "## Operators",
        "",
        "The type of the result, or a dash where Python or NumPy has no such operation:",
        "",
    )
    yield "| | " + " | ".join(" and ".join(f"`{spoken(t)}`" for t in pair) for pair in PAIRS) + " |"
    yield "|---|" + "---|" * len(PAIRS)
    for op in (*BINARY_UFUNCS, *COMPARE_UFUNCS):
        cells = (operator_result(op, *pair) for pair in PAIRS)
        yield f"| `{SYMBOLS[op].replace('|', chr(92) + '|')}` | " + " | ".join(cells) + " |"


def operator_result(op: str, left: Scalar, right: Scalar) -> str:
    """The type that an operator gives, for a table."""
    try:
        return f"`{spoken(result_type(op, left, right))}`"
    except weft.TypeInferenceError as error:
        return "depends on the value" if "depends" in error.message else "–"


def functions_section() -> Iterator[str]:
    """Functions by the module that they come from."""
    yield from ("", "## Functions")
    for module, title in MODULES.items():
        named = {name(thing) for thing in FUNCTIONS if getattr(thing, "__module__", "") == module}
        yield from ("", f"{title}: {code_list(sorted(named))}.")


def name(thing: object) -> str:
    """How users call a function or a class of a library."""
    called = getattr(thing, "__name__", str(thing))
    return {"numpy": f"np.{called}", "math": f"math.{called}"}.get(getattr(thing, "__module__", ""), called)


def refusals_section() -> Iterator[str]:
    """What is refused, with the words of the error itself."""
    yield from ("", "## What is refused, and what is said", "")
    yield from ("| | what the error says | what to write instead |", "|---|---|---|")
    for feature in REFUSED:
        error = refusal(feature)
        example = program(feature.example) if error else cell(feature.name)
        found = error or feature
        message, cause, hint = (cell(text if error else placeholders(text)) for text in said(found))
        yield f"| {example} | {message}{f' ({cause})' if cause else ''} | {hint} |"


def said(found: weft.Error | Feature) -> tuple[str, str, str]:
    """What is said in three parts."""
    return found.message, found.cause, found.hint


def placeholders(template: str) -> str:
    """A template with the words that are still to be filled in, in italics."""
    return re.sub(r"\{(\w+)\}", r"*\1*", template)


def refusal(feature: Feature) -> weft.Error | None:
    """The error that the example of a refused construct leads to; None where the example cannot show it."""
    body = "".join(f"    {line}\n" for line in feature.example.splitlines())
    text = f"def f(a, b, m, x, n):\n{body}"
    file = f"<example {feature.name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, Any] = {"np": np, "math": math, "weft": weft, "unknown": [1, 2]}
    exec(compile(text, file, "exec"), space)
    try:
        weft.explain(space["f"], np.ones(5), np.ones(5), np.ones((3, 4)), 2.0, 3)
    except weft.Error as error:
        fixed = max(re.split(r"\{\w+\}", feature.message), key=len)
        errors = getattr(error, "errors", (error,))
        return next((one for one in errors if fixed in one.message), None)
    return None


def program(text: str) -> str:
    """A few lines of Python for a table."""
    lines = (line.replace("    ", "\N{NO-BREAK SPACE}" * 4).replace("|", "\\|") for line in text.splitlines())
    return "<br>".join(f"`{line}`" for line in lines)


def code_list(names: Iterable[str]) -> str:
    """Names in code type, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")


def spoken(scalar: Scalar) -> str:
    """The name of a type as users know it."""
    return scalar.name.removeprefix("py") if scalar.weak else scalar.name
