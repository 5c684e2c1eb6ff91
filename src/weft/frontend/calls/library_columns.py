"""The columns of lists in a list, written in the language that Weft compiles."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations


def rows_of(rows):
    """The rows that ``zip(*rows)`` takes: those that there are at the call."""
    return list(rows)


def columns_of(held):
    """``zip(*held)``, but each column is a list. It reads the rows while the loop over the columns runs."""
    place = 0
    while held and all(place < len(row) for row in held):
        yield [row[place] for row in held]
        place += 1
