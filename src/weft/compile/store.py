"""The store on disk: compiled code, figures and tuned results, safe for many processes, bounded in size.

An entry is one file, see `weft.compile.encoding`. Files are written beside their place and renamed, so that a reader
sees all of an entry or none. What cannot be read, does not check, or is another entry counts as missing. Compiled
libraries are files of their own, named by the checksum of their content, since the system's loader wants a path.

The folder and all in it are the user's own: who can write there can run code as the user (`weft.compile.folders`).
Where others can, or where nobody can write, a warning says so, and what the process compiles stays in its memory.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from weft.compile import folders
from weft.dataclass import dataclass
from weft.errors import StoreError, warn

log = logging.getLogger(__name__)

FORMAT = "1"
LIMIT = 1 << 30

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """One file of the store: what it holds, its key, its size in bytes, when it was last used (seconds)."""

    kind: str
    key: str
    bytes: int
    used: float
    path: Path


class MissingLibraryError(Exception):
    """The store has no such library, or none that checks."""


class Store:
    """A folder of entries, each a value under a kind and a key: one that `weft.compile.encoding` knows.

    Parameters
    ----------
    root
        The folder; made when first written to.
    limit
        Bytes above which the entries unused for longest are deleted.
    retreats
        Whether entries stay in memory, with a warning, where the folder cannot be used.
    """

    def __init__(self, root: Path, limit: int = LIMIT, retreats: bool = False) -> None:
        self.base = root.absolute()
        self.root = self.base / FORMAT
        self.limit = limit
        self.retreats = retreats
        self._written = 0
        self._memory: dict[tuple[str, str], bytes] | None = None
        self._is_refused = False
        self._is_loadable = True

    def get(self, kind: str, key: str) -> object | None:
        """The value stored under a key, or None where there is none that can be read."""
        data = self._read(kind, key)
        if data is None:
            return None
        from weft.compile import encoding

        try:
            return encoding.decode(kind, key, data)
        except encoding.DecodeError as error:
            self._drop(kind, key, error)
            return None

    def put(self, kind: str, key: str, value: object) -> None:
        """Store a value; another process may do the same at the same time."""
        from weft.compile import encoding

        self._write(kind, key, encoding.encode(kind, key, value))

    def put_library(self, code: bytes) -> str:
        """Store a shared library and return its key."""
        key = hashlib.sha256(code).hexdigest()
        self._write(_LIBRARY, key, code)
        return key

    def library(self, key: str) -> bytes | None:
        """A shared library whose content checks, or None."""
        code = self._read(_LIBRARY, key)
        if code is None or hashlib.sha256(code).hexdigest() == key:
            return code
        self._drop(_LIBRARY, key, "it is damaged")
        return None

    def has_library(self, key: str) -> bool:
        """Whether there is a shared library under a key, which may be damaged."""
        if self._in_memory(_LIBRARY, key) is not None:
            return True
        try:
            with folders.opened(self.base, _folders(_LIBRARY, key)) as folder:
                return not self._is_refused and folders.has(folder, _file(_LIBRARY, key))
        except (OSError, folders.NotOwnError):
            return False

    def load(self, key: str, load: Callable[[str], T]) -> T:
        """What `load` gives for a path from which it can load a shared library while it runs.

        Raises
        ------
        MissingLibraryError
            There is none that checks.
        StoreError
            The system does not load it.
        """
        code = self.library(key)
        if code is None:
            raise MissingLibraryError(key)
        if self._is_loadable and self._in_memory(_LIBRARY, key) is None:
            try:
                # Nobody else can write to this folder, so the file is still the one that was checked.
                with folders.opened(self.base, _folders(_LIBRARY, key)) as folder:
                    return load(folders.path_of(folder, _file(_LIBRARY, key), self._path(_LIBRARY, key)))
            except (OSError, folders.NotOwnError) as error:
                return self._load_bytes(code, load, error)
        return self._load_bytes(code, load)

    def _load_bytes(self, code: bytes, load: Callable[[str], T], problem: Exception | None = None) -> T:
        """The same from memory; `problem` says why not from the folder."""
        from weft.compile import loading

        try:
            loaded = loading.load_bytes(code, load)
        except OSError as error:
            raise StoreError(
                f"the system does not load compiled code: {error}",
                cause=f"neither from memory nor from {self.base}" if problem else "not from memory",
                hint="set WEFT_CACHE_DIR to a folder of a file system that is not mounted with noexec",
            ) from error
        if problem is not None:
            self._is_loadable = False
            warn(
                "W003",
                f"code cannot be loaded from {self.base} ({problem}), so it is loaded from memory, which takes longer; "
                "set WEFT_CACHE_DIR to a folder of a file system that is not mounted with noexec",
            )
        return loaded

    def entries(self) -> list[Entry]:
        """All entries, the most recently used first."""
        return sorted(self._scan(), key=lambda entry: -entry.used)

    def clear(self) -> int:
        """Delete every entry; returns how many there were. Loaded code goes on working."""
        entries = self.entries()
        for entry in entries:
            _delete(entry.path)
        return len(entries)

    def _path(self, kind: str, key: str) -> Path:
        return self.base.joinpath(*_folders(kind, key), _file(kind, key))

    def _scan(self) -> Iterator[Entry]:
        for path in self.root.glob("*/*/*"):
            if path.name.startswith("."):
                continue
            try:
                status = path.lstat()
            except OSError:
                continue  # another process deleted it
            yield Entry(path.parent.parent.name, path.stem, status.st_size, status.st_mtime, path)

    def _in_memory(self, kind: str, key: str) -> bytes | None:
        return self._memory.get((kind, key)) if self._memory is not None else None

    def _read(self, kind: str, key: str) -> bytes | None:
        """The content of a file; None where there is none that can be read."""
        data = self._in_memory(kind, key)
        if data is not None or self._is_refused:
            return data
        try:
            with folders.opened(self.base, _folders(kind, key)) as folder:
                return folders.read(folder, _file(kind, key), self.limit)
        except folders.UnfitError as error:
            self._drop(kind, key, error)
        except folders.NotOwnError as error:
            self._refuse(error)
        except OSError as error:
            log.debug("store: no %s %s: %s", kind, key, error)
        return None

    def _drop(self, kind: str, key: str, why: object) -> None:
        path = self._path(kind, key)
        log.warning("store: %s is deleted because %s", path, why)
        _delete(path)

    def _write(self, kind: str, key: str, data: bytes) -> None:
        if self._memory is None:
            try:
                self._write_file(kind, key, data)
            except folders.NotOwnError as error:
                self._refuse(error)
            except OSError as error:
                self._retreat(error)
        if self._memory is not None:
            self._memory[kind, key] = data

    def _write_file(self, kind: str, key: str, data: bytes) -> None:
        with folders.opened(self.base, _folders(kind, key), make=True) as folder:
            try:
                folders.write(folder, _file(kind, key), data)
            except IsADirectoryError:
                self._drop(kind, key, "it is a folder")
                folders.write(folder, _file(kind, key), data)
        self._written += len(data)
        if self._written > self.limit // 16:
            self._written = 0
            self._prune()

    def _retreat(self, error: OSError) -> None:
        """Keep in memory what is stored from now on; what is on disk counts as before."""
        if not self.retreats:
            raise StoreError(
                f"the store on disk cannot be written: {error}",
                hint="set WEFT_CACHE_DIR to a folder that can be written, or free some space",
            ) from error
        self._memory = {}
        warn(
            "W003",
            f"{self.base} cannot be written ({error.strerror or error}), so this process compiles for itself "
            "alone; set WEFT_CACHE_DIR to another folder",
        )

    def _refuse(self, error: folders.NotOwnError) -> None:
        """Use nothing of the folder, since others may have written it, and keep in memory what is stored."""
        if not self.retreats:
            raise StoreError(f"the store on disk is not used: {error}", hint=f"type `{error.remedy}`") from error
        if self._is_refused:
            return
        self._memory, self._is_refused = self._memory or {}, True
        warn(
            "W004",
            f"{error}, who could make this process run any code. Nothing of it is used, and this process compiles for "
            f"itself alone; type `{error.remedy}` to mend that",
        )

    def _prune(self) -> None:
        total = 0
        for entry in self.entries():
            total += entry.bytes
            if total > self.limit:
                _delete(entry.path)


_LIBRARY = "library"


def _folders(kind: str, key: str) -> tuple[str, str, str]:
    return FORMAT, kind, key[:2]


def _file(kind: str, key: str) -> str:
    return key + (".so" if kind == _LIBRARY else ".bin")


def _delete(path: Path) -> None:
    """Delete what is in the place of an entry, be it what it may."""
    try:
        if stat.S_ISDIR(path.lstat().st_mode):
            import shutil

            shutil.rmtree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("store: %s cannot be deleted: %s", path, error)


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
