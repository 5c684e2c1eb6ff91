"""Generated texts and logs that an error names: kept for the user, and for nobody else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def keep_files(texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write texts to files that outlive the process, in a folder of their own, and give their paths.

    Parameters
    ----------
    texts
        By the names of the files.
    """
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="weft-refused-"))  # which only the user can look into
    paths = tuple(folder / name for name in texts)
    for path, text in zip(paths, texts.values(), strict=True):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            opened.write(text)
    return paths
