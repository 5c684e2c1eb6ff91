"""``print`` in compiled code: a step in Python that formats numbers and arrays by a template."""

from __future__ import annotations

import string
import sys
from collections.abc import Sequence
from typing import Any

PYTHON, NUMPY = "python-list", "numpy-list"
"""Formats of an array that stands for a list of Python's numbers, or of NumPy's."""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        """One value; lists are arrays here."""
        if format_spec == PYTHON:
            return str(value.tolist())
        if format_spec == NUMPY:
            return str(list(value))
        return str(super().format_field(value, format_spec))


def formatted(template: str, operands: Sequence[object]) -> str:
    """Operands as a template says."""
    return _Formatter().vformat(template, operands, {})


def show(template: str, is_flushed: bool, *operands: object) -> None:
    """Print the operands as a template says.

    Parameters
    ----------
    template
        As for ``str.format``.
    is_flushed
        Whether what was printed is to be seen at once.
    *operands
        What the template formats.
    """
    sys.stdout.write(formatted(template, operands))
    if is_flushed:
        sys.stdout.flush()
