"""Parts of documents that commands write anew, between two comments."""

from __future__ import annotations

from collections.abc import Iterable


def replaced(text: str, begin: str, end: str, lines: Iterable[str]) -> str:
    """Give a document with other lines between two comments.

    Raises
    ------
    ValueError
        It has no such comments.
    """
    before, after = text.index(begin) + len(begin), text.index(end)
    return "\n".join([text[:before], "", *lines, "", text[after:]])
