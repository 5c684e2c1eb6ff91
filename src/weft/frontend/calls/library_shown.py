"""Lists as text, written in the language that Weft compiles."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

from weft.frontend.calls.library_lists import load, size_of


def text_of_list(items):
    """What ``repr`` gives for a list."""
    parts = []
    for k in range(size_of(items)):
        parts.append(repr(load(items, k)))
    return "[" + ", ".join(parts) + "]"
