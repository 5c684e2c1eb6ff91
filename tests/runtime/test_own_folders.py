"""The store's folder is the user's own, whatever the umask: one that others can write to is refused, with a remedy."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import textwrap
import warnings
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import weft
from weft.backends.c import toolchain
from weft.compile.store import Store, default_store, key_of
from weft.errors import CompilerError, StoreError

KEY = key_of("a")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@contextmanager
def umask(mask):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder):
    """The modes of a folder and all that is in it, by whether they are folders."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for path in (folder, *folder.rglob("*")):
        found[path.is_dir()].add(oct(stat.S_IMODE(path.lstat().st_mode)))
    return found


@pytest.mark.parametrize("mask", [0, 0o002, 0o022, 0o077, 0o777])
def test_folders_and_files_are_the_users_alone_whatever_the_umask(tmp_path, mask):
    with umask(mask):
        store = Store(tmp_path / "upper" / "lower" / "store")
        store.put("code", KEY, 1)
        store.put_library(b"code")
    assert modes(tmp_path / "upper") == {True: {"0o700"}, False: {"0o600"}}
    assert store.get("code", KEY) == 1


def put_one(root):
    store = Store(root)
    store.put("code", KEY, 1)
    return store


@pytest.mark.parametrize("level", ["", "1", "1/code", f"1/code/{KEY[:2]}"])
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_refused(tmp_path, level, mode):
    root = tmp_path / "a store"
    put_one(root)
    (root / level).chmod(mode)
    for use in (lambda s: s.get("code", KEY), lambda s: s.put("code", KEY, 2)):
        with pytest.raises(StoreError) as refused:
            use(Store(root))
        remedy = re.search("`(.*)`", refused.value.hint)[1]
    subprocess.run(remedy, shell=True, check=True)
    assert Store(root).get("code", KEY) == 1


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_a_file_that_others_can_write_to_counts_as_missing(tmp_path, mode):
    store = put_one(tmp_path / "store")
    store._path("code", KEY).chmod(mode)
    assert store.get("code", KEY) is None
    key = store.put_library(b"code")
    store._path("library", key).chmod(mode)
    assert store.library(key) is None


def test_folders_that_others_can_only_read_are_taken(tmp_path):
    root = tmp_path / "store"
    root.mkdir(mode=0o755)
    assert put_one(root).get("code", KEY) == 1


def test_a_sticky_folder_above_is_taken(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    assert put_one(tmp_path / "shared" / "store").get("code", KEY) == 1


def test_a_link_of_the_user_is_followed(tmp_path):
    (tmp_path / "there").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "there")
    assert put_one(tmp_path / "link").get("code", KEY) == 1
    assert (tmp_path / "there" / "1" / "code").is_dir()


@as_root
@pytest.mark.parametrize("level", ["", "1", "1/code", f"1/code/{KEY[:2]}"])
def test_a_folder_of_another_user_is_refused(tmp_path, level):
    root = tmp_path / "store"
    put_one(root)
    os.chown(root / level, 65534, -1)
    with pytest.raises(StoreError, match="belongs to the user") as refused:
        Store(root).get("code", KEY)
    assert "export WEFT_CACHE_DIR=" in refused.value.hint


@as_root
def test_files_of_another_user_count_as_missing(tmp_path):
    store = put_one(tmp_path / "store")
    os.chown(store._path("code", KEY), 65534, -1)
    assert store.get("code", KEY) is None


@as_root
@pytest.mark.parametrize("level", ["shared", "shared/store"])
def test_a_link_of_another_user_is_refused(tmp_path, level):
    """Also where it leads to a folder of the user's own."""
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    link = tmp_path / level
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(own)
    os.chown(link, 65534, -1, follow_symlinks=False)
    with pytest.raises(StoreError, match="is a link that belongs to"):
        put_one(tmp_path / "shared" / "store")
    assert list(own.iterdir()) == []


@pytest.mark.parametrize("place", ["entry", "library"])
def test_links_and_pipes_in_the_place_of_files_are_not_followed(tmp_path, place):
    store = put_one(tmp_path / "store")
    key = store.put_library(b"code")
    path = store._path("code", KEY) if place == "entry" else store._path("library", key)
    for plant in (lambda: path.symlink_to(path.with_suffix(".other")), lambda: os.mkfifo(path, 0o600)):
        content = path.read_bytes()
        path.with_suffix(".other").write_bytes(content)
        path.unlink()
        plant()
        assert (store.get("code", KEY) if place == "entry" else store.library(key)) is None
        store.put("code", KEY, 1)
        store.put_library(b"code")


def test_a_call_goes_on_without_the_store_and_says_what_to_type(own_store):
    own_store.mkdir()
    own_store.chmod(0o777)

    def scale(x):
        return 3.0 * x - 1.125

    with pytest.warns(weft.WeftWarning, match="W004.*chmod -R go-rwx") as said:
        assert weft.jit(scale)(2.0) == 4.875
    assert len(said) == 1
    assert list(own_store.iterdir()) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert weft.jit(lambda x: x * 2.0625)(2.0) == 4.125
    assert default_store().entries() == []


VICTIM = """
import sys
import weft
@weft.jit
def f(x):
    return x + 1.0
print(f(1.0))
"""


def run(folder: Path, store: Path, user: int | None = None) -> subprocess.CompletedProcess[str]:
    (folder / "victim.py").write_text(textwrap.dedent(VICTIM))
    environment = {**os.environ, "WEFT_CACHE_DIR": str(store)}
    command = [sys.executable, str(folder / "victim.py")]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@as_root
def test_what_another_user_has_planted_is_not_used(tmp_path):
    """A whole store of another user's, made where the user's own is going to be, whose library is not what it seems."""
    store = tmp_path / "shared" / "weft"
    assert run(tmp_path, store).stdout == "2.0\n"
    (library,) = (store / "1" / "library").glob("*/*.so")
    library.write_bytes(b"planted")
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    for path in (store, *store.rglob("*")):
        os.chown(path, 65534, -1)
    done = run(tmp_path, store)
    assert done.stdout == "2.0\n"
    assert "W004" in done.stderr
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*")} == before


def test_a_library_is_loaded_only_if_an_entry_names_its_checksum(own_store):
    """The entry of a function names the library by the checksum of its bytes: no other bytes are loaded under it."""
    function = weft.jit(lambda x: x * 7.5)
    assert function(2.0) == 15.0
    store = Store(own_store)
    (entry,) = [entry for entry in store.entries() if entry.kind == "library"]
    other = toolchain.compile_source("int other(void) { return 1; }")
    entry.path.write_bytes(other)
    from weft.compile.store import MissingLibraryError

    with pytest.raises(MissingLibraryError):
        store.load(entry.key, lambda path: pytest.fail("was loaded"))


def test_texts_that_an_error_names_are_for_the_user_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with umask(0), pytest.raises(CompilerError) as refused:
        toolchain.compile_source("no C")
    for path in (refused.value.source_path, refused.value.log_path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert refused.value.source_path.read_text() == "no C"


def test_results_do_not_depend_on_where_code_is_kept(own_store):
    """The same call with the store, and without it."""
    values = np.arange(5.0)

    def total(a):
        s = 0.0
        for i in range(a.shape[0]):
            s += a[i] * 1.75
        return s

    expected = weft.jit(total)(values)
    own_store.chmod(0o777)
    with pytest.warns(weft.WeftWarning, match="W004"):
        assert weft.jit(lambda a: total(a))(values) == expected
