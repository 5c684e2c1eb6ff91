"""Whatever becomes of the files of the store, calls give the same results; what is damaged is made anew.

Each kind of damage is done to each kind of file and folder. A function whose specialisations were forgotten stands for
one in a new process.
"""

from __future__ import annotations

import errno
import os
import shutil
import warnings

import pytest

import weft
from weft.compile import folders, loading
from weft.compile.store import Store, default_store
from weft.errors import StoreError
from weft.runtime.dispatch import callee


@pytest.fixture
def forget(monkeypatch):
    """Let the next call ask the store."""

    def forgets():
        monkeypatch.setattr(callee, "_specialisations", {})
        monkeypatch.setattr(callee, "_recent", {})

    forgets()
    return forgets


def plus(x):
    return x + 1.5


def times(x):
    return x * 5.5


def add(x, y):
    return x + y


def results() -> list[object]:
    return [weft.jit(plus)(2.0), weft.jit(times)(2.0), weft.jit(add)(2, 3)]


EXPECTED = [3.5, 11.0, 5]


def put(path, data):
    """Put a file of the user's in place of another, whose text may still be mapped by a process that runs it."""
    path.unlink()
    path.write_bytes(data)
    path.chmod(0o600)


def make_empty(path):
    put(path, b"")


def halve(path):
    put(path, path.read_bytes()[: path.stat().st_size // 2])


def flip_a_bit(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    put(path, data)


def fill_with_garbage(path):
    put(path, bytes(k * 89 % 251 for k in range(path.stat().st_size)))


def make_longer(path):
    put(path, path.read_bytes() + b"more")


def make_a_folder(path):
    path.unlink()
    (path / "with" / "folders").mkdir(parents=True)


def make_an_empty_folder(path):
    path.unlink()
    path.mkdir()


def make_a_dangling_link(path):
    path.unlink()
    path.symlink_to(path.parent / "nothing")


def make_a_loop_of_links(path):
    path.unlink()
    path.symlink_to(path)


def make_unreadable(path):
    path.chmod(0)


def make_a_pipe(path):
    path.unlink()
    os.mkfifo(path, 0o600)


def delete(path):
    path.unlink()


DAMAGES = [
    make_empty, halve, flip_a_bit, fill_with_garbage, make_longer, make_a_folder, make_an_empty_folder,
    make_a_dangling_link, make_a_loop_of_links, make_unreadable, make_a_pipe, delete,
]  # fmt: skip


def files(kind):
    return [entry.path for entry in default_store().entries() if entry.kind == kind]


@pytest.mark.parametrize("kind", ["code", "library"])
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda d: d.__name__)
def test_damaged_files_are_made_anew(own_store, forget, kind, damage):
    assert results() == EXPECTED
    for path in files(kind):
        damage(path)
    forget()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert results() == EXPECTED
    assert all(path.is_file() and not path.is_symlink() for path in files(kind))
    before = {path: path.stat().st_ino for path in files(kind)}
    forget()
    assert results() == EXPECTED
    assert {path: path.stat().st_ino for path in files(kind)} == before


@pytest.mark.parametrize("kind", ["code", "library"])
def test_files_under_the_names_of_others_count_as_missing(own_store, forget, kind):
    assert results() == EXPECTED
    paths = files(kind)
    contents = [path.read_bytes() for path in paths]
    for path, content in zip(paths, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    forget()
    assert results() == EXPECTED


def make_a_file(path):
    shutil.rmtree(path)
    path.write_text("no folder")


def make_a_link(path):
    shutil.rmtree(path)
    path.symlink_to(path.parent / "nothing")


def make_a_link_to_a_folder(path):
    moved = path.rename(path.with_name(f"moved {path.name}"))
    path.symlink_to(moved.name)


def remove(path):
    shutil.rmtree(path)


@pytest.mark.parametrize("place", ["1/code", "1/library", "1/code/*", "1/library/*"])
@pytest.mark.parametrize(
    "damage", [make_a_file, make_a_link, make_a_link_to_a_folder, remove], ids=lambda d: d.__name__
)
def test_damaged_folders_are_made_anew(own_store, forget, place, damage):
    assert results() == EXPECTED
    for path in list(own_store.glob(place)):
        damage(path)
    forget()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert results() == EXPECTED
    assert len(files("code")) >= 3


@pytest.mark.parametrize("place", ["", "1"])
def test_a_file_in_the_place_of_the_store_stays_and_is_a_warning(own_store, forget, place):
    path = own_store / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("the user's")
    with pytest.warns(weft.WeftWarning, match="W003"):
        assert results() == EXPECTED
    assert path.read_text() == "the user's"


@pytest.mark.parametrize("kind", ["code", "library"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES])
def test_what_cannot_be_written_stays_in_memory(own_store, forget, monkeypatch, kind, number):
    """Also where the library could be written, and then the entry could not."""
    suffix = {"code": ".bin", "library": ".so"}[kind]
    write = folders.write

    def fail(folder, name, content):
        if name.endswith(suffix):
            raise OSError(number, os.strerror(number))
        write(folder, name, content)

    monkeypatch.setattr(folders, "write", fail)
    with pytest.warns(weft.WeftWarning, match="W003") as said:
        assert results() == EXPECTED
    assert len(said) == 1
    forget()
    assert results() == EXPECTED


def test_a_write_that_fails_half_way_leaves_nothing(tmp_path, monkeypatch):
    store = Store(tmp_path)

    def fail(*_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(StoreError, match="WEFT_CACHE_DIR"):
        store.put("code", "ab" * 32, 1)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_is_on_disk_counts_where_nothing_can_be_written(own_store, forget, monkeypatch):
    assert results() == EXPECTED
    monkeypatch.setattr(folders, "write", lambda *_: pytest.fail("is written"))
    forget()
    assert results() == EXPECTED


SCALES = (
    lambda x: x * 0.0,
    lambda x: x * 1.0,
    lambda x: x * 2.0,
    lambda x: x * 3.0,
)


def test_libraries_from_memory_are_not_taken_for_one_another(own_store, forget):
    own_store.write_text("no folder")
    with pytest.warns(weft.WeftWarning, match="W003"):
        made = [weft.jit(f)(2.0) for f in SCALES]
    assert made == [0.0, 2.0, 4.0, 6.0]


def refuses(monkeypatch, where):
    """Let the system load no code from some files, as it does on file systems that are mounted with noexec."""
    from weft.runtime import _stub

    handle = _stub.Handle

    def load(path, *arguments):
        if where(os.path.realpath(path)):
            raise OSError("failed to map segment from shared object")
        return handle(path, *arguments)

    monkeypatch.setattr(_stub, "Handle", load)


def test_code_is_loaded_from_memory_where_the_folder_forbids_it(own_store, forget, monkeypatch):
    refuses(monkeypatch, lambda path: path.startswith(str(own_store)))
    with pytest.warns(weft.WeftWarning, match="W003.*WEFT_CACHE_DIR.*noexec") as said:
        assert results() == EXPECTED
    assert len(said) == 1


def test_code_is_loaded_from_a_temporary_folder_where_memory_is_forbidden_too(own_store, forget, monkeypatch):
    refuses(monkeypatch, lambda path: path.startswith((str(own_store), "/memfd:")))
    with pytest.warns(weft.WeftWarning, match="W003"):
        assert results() == EXPECTED


def test_code_that_no_place_may_have_is_an_error_with_the_remedy(own_store, forget, monkeypatch):
    refuses(monkeypatch, lambda path: True)
    with pytest.raises(StoreError, match="WEFT_CACHE_DIR.*noexec"):
        results()


def test_paths_of_files_in_memory_are_never_the_same():
    paths = [loading._path(7) for _ in range(300)]
    assert len(set(paths)) == 300
    assert {os.path.normpath(path) for path in paths} == {"/proc/self/fd/7"}
