"""The store on disk: entries survive, damaged ones do not count, and a second process compiles nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

import weft
from weft.compile.store import Store, default_store, key_of


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def entry_path(store, kind="code"):
    (entry,) = [e for e in store.entries() if e.kind == kind]
    return entry.path


def test_what_was_put_is_got(store):
    store.put("code", key_of("a"), {"x": 1})
    assert store.get("code", key_of("a")) == {"x": 1}
    assert store.get("code", key_of("b")) is None
    assert store.get("figure", key_of("a")) is None


def test_another_store_in_the_same_folder_sees_it(store, tmp_path):
    store.put("code", key_of("a"), 5)
    assert Store(tmp_path).get("code", key_of("a")) == 5


@pytest.mark.parametrize("damage", [lambda d: d[:-1], lambda d: b"", lambda d: d[:40] + b"?" + d[41:]])
def test_damaged_entry_counts_as_missing_and_goes(store, damage):
    store.put("code", key_of("a"), "text" * 100)
    path = entry_path(store)
    path.write_bytes(damage(path.read_bytes()))
    assert store.get("code", key_of("a")) is None
    assert not path.exists()
    store.put("code", key_of("a"), "again")
    assert store.get("code", key_of("a")) == "again"


def test_damaged_library_counts_as_missing(store):
    key = store.put_library(b"code" * 100)
    assert store.library(key) == b"code" * 100
    entry_path(store, "library").write_bytes(b"code" * 99)
    assert store.library(key) is None


def test_a_pickle_is_no_entry_and_nothing_of_it_runs(store, tmp_path):
    import hashlib
    import pickle

    class Planted:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "has run"),)

    data = pickle.dumps(Planted())
    store._write("code", key_of("a"), hashlib.sha256(data).digest() + data)
    assert store.get("code", key_of("a")) is None
    assert not (tmp_path / "has run").exists()


def test_nothing_in_weft_unpickles():
    package = Path(weft.__file__).parent
    assert [path for path in package.rglob("*.py") if "pickle.load" in path.read_text()] == []


def test_size_is_bounded_and_the_oldest_go(tmp_path):
    store = Store(tmp_path, limit=40_000)
    for number in range(100):
        store.put("figure", key_of(number), bytes(2000))
        os.utime(store._path("figure", key_of(number)), (number, number))
    entries = store.entries()
    assert sum(entry.bytes for entry in entries) <= 40_000 + 40_000 // 16
    assert store.get("figure", key_of(99)) is not None
    assert store.get("figure", key_of(0)) is None


def test_clear(store):
    store.put("code", key_of("a"), 1)
    store.put_library(b"code")
    assert store.clear() == 2
    assert store.entries() == []


def test_folder_that_cannot_be_written_is_a_warning(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path / "file" / "store"))
    factor = 3.0

    def scale(x):
        return factor * x - 1.25

    with pytest.warns(weft.WeftWarning, match="W003"):
        assert weft.jit(scale)(2.0) == 4.75
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert weft.jit(lambda x: x * 2.125)(2.0) == 4.25


PROGRAM = """
import logging, sys
import numpy as np
import weft
from helpers_of_test import scaled

compiled = []
class Count(logging.Handler):
    def emit(self, record):
        if record.msg.startswith("compiling %s for"):
            compiled.append(record.args[0].partition("(")[0])
logger = logging.getLogger("weft.runtime.dispatch.specialisation")
logger.setLevel(logging.INFO)
logger.addHandler(Count())

@weft.jit
def uses(a):
    total = 0.0
    for i in range(len(a)):
        total += scaled(a[i])
    return total

@weft.jit
def does_not(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
    return total

print(uses(np.arange(4.0)), does_not(np.arange(4.0)), *compiled)
if "modules" in sys.argv:
    heavy = ("islpy", "rich", "weft.transform", "weft.analysis",
             "weft.backends.text.printer", "weft.backends.c.program",
             "weft.frontend.program", "weft.ir.nodes")
    print([name for name in heavy if name in sys.modules])
"""


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "program.py", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def program(tmp_path, own_store):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    (tmp_path / "helpers_of_test.py").write_text("def scaled(x):\n    return 2.0 * x\n")
    return tmp_path


def test_second_process_compiles_nothing_and_loads_no_compiler(program):
    assert run(program) == "12.0 6.0 uses does_not"
    assert run(program, "modules").splitlines() == ["12.0 6.0", "[]"]


def test_editing_a_helper_rebuilds_only_what_uses_it(program):
    run(program)
    # Of another length: Python itself takes a file of the same length and second to be the old one.
    (program / "helpers_of_test.py").write_text("def scaled(x):\n    return 3.00 * x\n")
    assert run(program) == "18.0 6.0 uses"


def test_second_process_needs_no_compiler(program, monkeypatch):
    run(program)
    calls = program / "calls"
    wrapper = program / "gcc"
    wrapper.write_text(f"#!/bin/sh\necho call >> {calls}\nexit 1\n")
    wrapper.chmod(0o755)
    assert run(program) == "12.0 6.0"
    assert not calls.exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("keep", [0, 100, 0.5])
def test_process_after_damage_compiles_again(program, own_store, keep):
    run(program)
    for entry in Store(own_store).entries():
        data = entry.path.read_bytes()
        entry.path.write_bytes(data[: int(len(data) * keep) if keep < 1 else keep])
    assert run(program) == "12.0 6.0 uses does_not"
    assert run(program) == "12.0 6.0"


@pytest.mark.sample(0)
def test_processes_that_start_at_once(program):
    command = [sys.executable, "program.py"]
    running = [
        subprocess.Popen(command, cwd=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        output, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
        assert output.startswith("12.0 6.0")
    assert run(program) == "12.0 6.0"


def test_default_store_is_where_the_variable_says(own_store):
    weft.jit(lambda a: a[0] + 17)(np.zeros(2))
    assert default_store().root.parent == own_store
    assert {entry.kind for entry in default_store().entries()} == {"code", "laid out", "library"}
