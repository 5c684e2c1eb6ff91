"""Spellings that Weft refuses today, and why. Whoever teaches Weft one of them takes it from here."""

from __future__ import annotations

NAMED_VIEW = "a reshaped array that gets a name shares memory, which is not supported yet"

REFUSED: dict[tuple[str, int, str], str] = {
    ("count_pairs", 1, "float32"): NAMED_VIEW,
    ("count_pairs", 1, "float64"): NAMED_VIEW,
}
"""By the name of the program, the number of the spelling and the type."""
