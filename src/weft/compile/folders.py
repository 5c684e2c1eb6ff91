"""Folders and files that are the user's alone: made so whatever the umask, and checked on what was opened.

Who can write to the store can run code as the user, since compiled libraries are loaded from it. So a folder is opened
first and then asked whose it is, and everything below it is named relative to what was opened: nobody can put another
folder in its place between the question and the use.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""A pipe in the place of a file must not make us wait."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_FILE = (errno.ELOOP, errno.EACCES, errno.ENXIO, errno.ENODEV)
"""Errors that say what is in the place of a file; others may be gone the next time."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OWN_FOLDERS = "/proc/self/fd"


class NotOwnError(Exception):
    """A folder that others can write to, or that is another user's.

    Parameters
    ----------
    path
        The folder.
    why
        What is wrong with it.
    remedy
        What to type into a shell.
    """

    def __init__(self, path: str, why: str, remedy: str) -> None:
        super().__init__(f"{path} {why}")
        self.path, self.why, self.remedy = path, why, remedy


class UnfitError(Exception):
    """A file that is no file of the user's own."""


@contextmanager
def opened(base: Path, names: Sequence[str] = (), make: bool = False) -> Iterator[int]:
    """The descriptor of a folder, `names` below `base`, all of which are the user's own.

    Parameters
    ----------
    base
        The folder that is checked first.
    names
        Folders in it, one inside of the other. Where one of them is to be made, a file or link in its place is deleted,
        except in the place of the first.
    make
        Whether to make what is missing, also above `base`.

    Raises
    ------
    NotOwnError
        Others can write to one of the folders, or one of them is another user's.
    OSError
        One of them is missing, or cannot be opened.
    """
    folder = _opened_base(base, make)
    try:
        for depth, name in enumerate(names):
            inner = _opened_inner(folder, name, make, may_replace=depth > 0)
            os.close(folder)
            folder = inner
            _check_own(os.fstat(folder), os.path.join(base, *names[: depth + 1]), base)
        yield folder
    finally:
        os.close(folder)


def _opened_base(base: Path, make: bool) -> int:
    _check_links(base)
    if make:
        _make(base)
    folder = os.open(base, _FOLDER)
    try:
        _check_own(os.fstat(folder), str(base), base)
    except NotOwnError:
        os.close(folder)
        raise
    return folder


def _check_links(base: Path) -> None:
    """Refuse links of other users on the way: what they lead to may be the user's own, and no place for a store."""
    for path in (*reversed(base.parents), base):
        try:
            status = path.lstat()
        except OSError:
            return
        if stat.S_ISLNK(status.st_mode) and not _is_trusted(status):
            raise NotOwnError(str(path), f"is a link that belongs to {_name(status.st_uid)}", _ANOTHER)


def _make(path: Path) -> None:
    """Make a folder and those above it; unlike `os.makedirs`, all of them for the user alone."""
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        if path == path.parent:
            raise
        _make(path.parent)
        return _make(path)
    if stat.S_IMODE(path.lstat().st_mode) & 0o700 != 0o700:  # the umask takes from the user, too
        path.chmod(0o700)


def _opened_inner(folder: int, name: str, make: bool, may_replace: bool) -> int:
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    except OSError:
        is_folder = stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        if not make or is_folder or not may_replace:
            raise
        os.unlink(name, dir_fd=folder)
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
        os.chmod(name, 0o700, dir_fd=folder)
    except FileExistsError:  # another process was faster
        pass
    return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)


def _check_own(status: os.stat_result, path: str, base: Path) -> None:
    if not _is_trusted(status):
        raise NotOwnError(path, f"belongs to {_name(status.st_uid)}", _ANOTHER)
    if status.st_mode & _OTHERS_WRITE:
        import shlex

        raise NotOwnError(path, "can be written to by others", f"chmod -R go-rwx {shlex.quote(str(base))}")


def _is_trusted(status: os.stat_result) -> bool:
    """Whether something belongs to the user, or to root, who can do anything in any case."""
    return status.st_uid in (0, os.geteuid())


_ANOTHER = "export WEFT_CACHE_DIR=~/.weft-cache"


def _name(user: int) -> str:
    import pwd

    try:
        return f"the user {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f"the user {user}"


def read(folder: int, name: str, most: int) -> bytes:
    """The content of a file of a folder, which counts as used now.

    Raises
    ------
    UnfitError
        It is no file, a link, another user's, written to by others, or longer than `most` bytes.
    OSError
        It is missing, or cannot be read.
    """
    file = _opened_file(folder, name)
    try:
        status = os.fstat(file)
        _check_fit(status, most)
        content = _content(file, status.st_size)
        with suppress(OSError):  # a store that can only be read
            os.utime(file)
        return content
    finally:
        os.close(file)


def has(folder: int, name: str) -> bool:
    """Whether a folder has a file of the user's own under a name."""
    try:
        _check_fit(os.stat(name, dir_fd=folder, follow_symlinks=False), 1 << 62)
    except (OSError, UnfitError):
        return False
    return True


def _opened_file(folder: int, name: str) -> int:
    try:
        return os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno in _NO_FILE:
            raise UnfitError(f"it cannot be read: {error.strerror}") from error
        raise


def _check_fit(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise UnfitError("it is no file")
    if not _is_trusted(status) or status.st_mode & _OTHERS_WRITE:
        raise UnfitError("it is not the user's own")
    if status.st_size > most:
        raise UnfitError("it is too long")


def _content(file: int, size: int) -> bytes:
    parts = []
    while part := os.read(file, size + 1):
        parts.append(part)
    return b"".join(parts)


def write(folder: int, name: str, content: bytes) -> None:
    """Write a file of the user's own: readers see all of it, or none."""
    temporary = f".{os.getpid()}-{os.urandom(8).hex()}"
    file = os.open(temporary, _NEW, 0o600, dir_fd=folder)
    try:
        try:
            os.fchmod(file, 0o600)
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(file, rest) :]
        finally:
            os.close(file)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)  # a process that is killed before leaves a file that nobody reads
        raise


def path_of(folder: int, name: str, path: Path) -> str:
    """A path of a file in a folder that is open: through its descriptor where the system has such paths."""
    if os.path.isdir(_OWN_FOLDERS):
        return f"{_OWN_FOLDERS}/{folder}/{name}"
    return str(path)
