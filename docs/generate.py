"""Writes the pages of the manual that come from the compiler's own tables and from the tests of error texts."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

import weft
from weft.frontend.dispatch import EXPRESSIONS, STATEMENTS
from weft.frontend.supported import FEATURES
from weft.ir.semantics import (
    BINARY_UFUNCS,
    COMPARE_UFUNCS,
    MATH_FUNCTIONS,
    STRICT_FUNCTIONS,
    SYMBOLS,
    result_type,
)
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

SYNTAX = {
    "For": "`for`",
    "While": "`while`",
    "If": "`if`",
    "Break": "`break`",
    "Continue": "`continue`",
    "Return": "`return`",
    "Pass": "`pass`",
    "Assign": "assignment",
    "AugAssign": "augmented assignment (`+=` and the like)",
    "AnnAssign": "annotated assignment",
    "Assert": "`assert`",
    "Raise": "`raise`",
    "FunctionDef": "`def` of a helper",
    "Lambda": "`lambda`",
    "Nonlocal": "`nonlocal`",
    "Match": "`match`",
    "Try": "`try`",
    "With": "`with`",
    "Delete": "`del`",
    "Import": "`import`",
    "ClassDef": "`class`",
    "Yield": "`yield`",
    "Await": "`await`",
    "BinOp": "arithmetic",
    "UnaryOp": "signs, `not`, `~`",
    "BoolOp": "`and`, `or`",
    "Compare": "comparisons, also chained",
    "IfExp": "`a if c else b`",
    "NamedExpr": "`:=`",
    "Call": "calls",
    "Attribute": "attributes",
    "Subscript": "indices and slices",
    "Tuple": "tuples",
    "List": "lists",
    "Dict": "dictionaries",
    "Set": "sets",
    "ListComp": "comprehensions",
    "GeneratorExp": "generator expressions",
    "JoinedStr": "f-strings",
}
"""How the nodes of Python's syntax tree are written."""


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
    """What compiled code may contain: syntax, types, operators, functions, and what is refused with which words."""
    yield "# What is supported, what is refused"
    yield ""
    yield "This page is made of the tables that the compiler itself works with."
    yield from syntax_section()
    yield from types_section()
    yield from operators_section()
    yield from functions_section()
    yield from refusals_section()


def syntax_section() -> Iterator[str]:
    """Statements and expressions, each with whether it is translated."""
    yield from ("", "## Syntax", "", "| Python | |", "|---|---|")
    handled = {kind.__name__ for kind in (*STATEMENTS, *EXPRESSIONS)}
    for name, written in SYNTAX.items():
        yield f"| {written} | {'works' if name in handled else 'refused'} |"


def types_section() -> Iterator[str]:
    """The types of scalars and of elements."""
    yield from ("", "## Types", "")
    yield "Elements of arrays and NumPy scalars: " + code_list(str(t) for t in NUMPY_TYPES) + "; structured dtypes of"
    yield "these. Python's own numbers: `bool`, `int` (64 bits, checked), `float`, `complex`. Tuples, `None`,"
    yield "dataclasses and named tuples of all of them."


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
    yield from (
        "",
        "## Functions",
        "",
        "NumPy, of scalars: " + code_list(f"np.{name}" for name in MATH_FUNCTIONS) + ".",
        "",
    )
    yield "Python's `math`, with its exceptions: " + code_list(sorted(STRICT_FUNCTIONS)) + " (by their names in NumPy)."


def refusals_section() -> Iterator[str]:
    """The table of refusals, word by word."""
    yield from ("", "## What is refused, and what is said", "")
    yield from ("| what the error says | cause | what to write instead |", "|---|---|---|")
    for feature in FEATURES.values():
        yield f"| {cell(feature.message)} | {cell(feature.cause)} | {cell(feature.hint)} |"


def code_list(names: Iterable[str]) -> str:
    """Names in code type, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def cell(text: str) -> str:
    """A text that may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("{", "*").replace("}", "*").replace("<", "&lt;")


def spoken(scalar: Scalar) -> str:
    """The name of a type as users know it."""
    return scalar.name.removeprefix("py") if scalar.weak else scalar.name
