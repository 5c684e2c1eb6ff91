"""Writes the pages of the manual that come from the compiler's own tables and from the tests of error texts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import weft

TEXTS = Path(__file__).parent.parent / "tests" / "errors" / "texts"


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
