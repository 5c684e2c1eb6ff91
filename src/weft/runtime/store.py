"""The store on disk: compiled code, figures and tuned results, safe for many processes, bounded in size.

An entry is one file: a checksum, then a pickle. Files are written beside their place and renamed, so that a reader sees
all of an entry or none. An entry that does not check is deleted and counts as missing. Compiled libraries are files of
their own, named by the checksum of their content, since the system's loader wants a path. Where the folder cannot be
written to, a warning says so and a temporary one takes its place for the rest of the process.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weft.errors import StoreError, warn

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

log = logging.getLogger(__name__)

FORMAT = "1"
LIMIT = 1 << 30
_CHECK = hashlib.sha256().digest_size


@dataclass(frozen=True)
class Entry:
    """One file of the store: what it holds, its key, its size in bytes, when it was last used (seconds)."""

    kind: str
    key: str
    bytes: int
    used: float
    path: Path


class Store:
    """A folder of entries, each a pickled value under a kind and a key.

    Parameters
    ----------
    root
        The folder; made when first written to.
    limit
        Bytes above which the entries unused for longest are deleted.
    retreats
        Whether a temporary folder takes its place, with a warning, where it cannot be written to.
    """

    def __init__(self, root: Path, limit: int = LIMIT, retreats: bool = False) -> None:
        self.root = root / FORMAT
        self.limit = limit
        self.retreats = retreats
        self._written = 0
        self._temporary: TemporaryDirectory[str] | None = None

    def get(self, kind: str, key: str) -> object | None:
        """The value stored under a key, or None where there is none that can be read."""
        path = self._path(kind, key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[_CHECK:]).digest() != data[:_CHECK]:
            self._drop(path, "it is damaged")
            return None
        try:
            value: object = pickle.loads(data[_CHECK:])
        except Exception as error:  # a pickle of another version may fail in any way
            self._drop(path, f"it cannot be read: {error}")
            return None
        _touch(path)
        return value

    def put(self, kind: str, key: str, value: object) -> None:
        """Store a value; another process may do the same at the same time."""
        data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        self._write(self._path(kind, key), hashlib.sha256(data).digest() + data)

    def put_library(self, code: bytes) -> str:
        """Store a shared library and return its key."""
        key = hashlib.sha256(code).hexdigest()
        self._write(self._path("library", key), code)
        return key

    def library(self, key: str) -> Path | None:
        """The path of a shared library whose content checks, or None."""
        path = self._path("library", key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data).hexdigest() != key:
            self._drop(path, "it is damaged")
            return None
        _touch(path)
        return path

    def entries(self) -> list[Entry]:
        """All entries, the most recently used first."""
        return sorted(self._scan(), key=lambda entry: -entry.used)

    def clear(self) -> int:
        """Delete every entry; returns how many there were. Loaded code goes on working."""
        entries = self.entries()
        for entry in entries:
            _unlink(entry.path)
        return len(entries)

    def _path(self, kind: str, key: str) -> Path:
        suffix = ".so" if kind == "library" else ".bin"
        return self.root / kind / key[:2] / (key + suffix)

    def _scan(self) -> Iterator[Entry]:
        for path in self.root.glob("*/*/*"):
            if path.name.startswith("."):
                continue
            try:
                status = path.stat()
            except OSError:
                continue  # another process deleted it
            yield Entry(path.parent.parent.name, path.stem, status.st_size, status.st_mtime, path)

    def _drop(self, path: Path, why: str) -> None:
        log.warning("store: %s is deleted because %s", path, why)
        _unlink(path)

    def _write(self, path: Path, data: bytes) -> None:
        try:
            import tempfile

            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(temporary, path)  # a process that is killed before leaves a file that nobody reads
        except OSError as error:
            self._retreat(error)
            return self._write(self.root / path.relative_to(path.parents[2]), data)
        self._written += len(data)
        if self._written > self.limit // 16:
            self._written = 0
            self._prune()

    def _retreat(self, error: OSError) -> None:
        """Go on in a temporary folder; once only, since that one may be full too."""
        if not self.retreats or self._temporary is not None:
            raise StoreError(
                f"the store on disk cannot be written: {error}",
                hint="set WEFT_CACHE_DIR to a folder that can be written, or free some space",
            ) from error
        warn(
            "W003",
            f"{self.root.parent} cannot be written ({error.strerror or error}), so this process compiles for itself "
            "alone; set WEFT_CACHE_DIR to another folder",
        )
        import tempfile

        self._temporary = tempfile.TemporaryDirectory(prefix="weft-store-")
        self.root = Path(self._temporary.name) / FORMAT

    def _prune(self) -> None:
        total = 0
        for entry in self.entries():
            total += entry.bytes
            if total > self.limit:
                _unlink(entry.path)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("store: %s cannot be deleted: %s", path, error)


def _touch(path: Path) -> None:
    try:
        os.utime(path)
    except OSError:
        log.debug("store: the time of %s cannot be set", path)


_stores: dict[str, Store] = {}


def default_store() -> Store:
    """The store of this user: in the folder that WEFT_CACHE_DIR names, else in the user's cache folder."""
    named = os.environ.get("WEFT_CACHE_DIR", "")
    if named not in _stores:
        if named:
            root = Path(named)
        else:
            import platformdirs

            root = Path(platformdirs.user_cache_dir("weft"))
        _stores[named] = Store(root, retreats=True)
    return _stores[named]


def key_of(*parts: object) -> str:
    """A key for the store from parts whose ``repr`` is the same in every process."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()
