"""Whether the extension in C was built from the sources beside it: another one takes other arguments, and crashes."""

from __future__ import annotations

import hashlib
from pathlib import Path


def fingerprint(folder: Path) -> str:
    """A short hash of the sources in C below a folder; the build writes it into the extension."""
    found = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*.[ch]")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def check_built_from_sources(built_from: str, folder: Path) -> None:
    """Check that an extension was built from the sources of a folder.

    Parameters
    ----------
    built_from
        The `fingerprint` that the build wrote into the extension.
    folder
        The sources.

    Raises
    ------
    ImportError
        If it was built from other sources; the text says what to type.
    """
    if built_from == fingerprint(folder):
        return
    checkout = folder.parents[3]
    remedy = (
        f"cd {checkout} && python setup.py build_ext --inplace --force"
        if (checkout / "setup.py").exists()
        else "pip install --force-reinstall --no-cache-dir weft"
    )
    raise ImportError(
        f"Weft's extension in C was built from other sources than those in {folder}; build it again: {remedy}"
    )
