"""The columns of lists in a list, written in the language that Weft compiles."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations


def columns_of(rows):
    """``zip(*rows)``, but that each column is a list: the rows are read as the loop over the columns goes on."""
    held = list(rows)
    place = 0
    while held and all(place < len(row) for row in held):
        yield [row[place] for row in held]
        place += 1
