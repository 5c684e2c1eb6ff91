"""The columns of lists in a list, written in the language that Weft compiles."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations


def columns_of(rows):
    """``zip(*rows)``, but each column is a list. It reads the rows while the loop over the columns runs."""
    held = list(rows)
    place = 0
    while held and all(place < len(row) for row in held):
        yield [row[place] for row in held]
        place += 1
