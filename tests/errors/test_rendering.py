"""How errors are printed: the order of their parts, the caret, and what each class adds."""

from __future__ import annotations

import io
import linecache
import pickle
import sys
from pathlib import Path

import pytest

import weft
from weft.errors import WARNINGS, WeftWarning, add_location, format_bytes, raise_all, warn
from weft.ir.location import UNKNOWN, Location

SOURCE = """\
def helper(x):
    return {x, 1}

def main(a):
    for i in range(3):
        a[i] = helper(
            a[i - 1])
"""


@pytest.fixture(autouse=True)
def source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(linecache.cache, "main.py", (len(SOURCE), None, SOURCE.splitlines(True), "main.py"))


CALL = Location("main.py", 6, 15, 7, 21, "main")
SET = Location("main.py", 2, 11, 2, 17, "helper", CALL)
READ = Location("main.py", 7, 12, 7, 20, "main")


def test_all_parts_in_order():
    error = weft.UnsupportedError("a set cannot be compiled", SET, cause="it has no fixed size", hint="a tuple")
    assert str(error) == (
        "a set cannot be compiled\n"
        '  File "main.py", line 2, in helper\n'
        "    return {x, 1}\n"
        "           ^^^^^^\n"
        "  called from\n"
        '  File "main.py", line 6, in main\n'
        "    a[i] = helper(\n"
        "           ^^^^^^^\n"
        "  Cause: it has no fixed size\n"
        "  Instead: a tuple"
    )


def test_message_alone():
    assert str(weft.Error("no such device")) == "no such device"


def test_caret_counts_characters_where_columns_count_bytes(monkeypatch):
    text = "é = {1}\n"
    monkeypatch.setitem(linecache.cache, "é.py", (len(text), None, [text], "é.py"))
    error = weft.Error("a set", Location("é.py", 1, 5, 1, 8))
    assert str(error).splitlines()[1:] == ['  File "é.py", line 1', "    é = {1}", "        ^^^"]


def test_place_without_a_span_has_no_caret():
    assert str(weft.Error("somewhere", Location("main.py", 2))) == 'somewhere\n  File "main.py", line 2'


def test_place_whose_source_is_gone_has_no_caret():
    assert str(weft.Error("gone", Location("nowhere.py", 2, 0, 2, 4))) == 'gone\n  File "nowhere.py", line 2'


def test_unknown_place_is_not_shown():
    assert str(weft.Error("somewhere", UNKNOWN)) == "somewhere"


def test_race_shows_both_lines():
    assert str(weft.RaceError("iterations meet in a", SET, other=READ)) == (
        "iterations meet in a\n"
        '  File "main.py", line 2, in helper\n'
        "    return {x, 1}\n"
        "           ^^^^^^\n"
        "  called from\n"
        '  File "main.py", line 6, in main\n'
        "    a[i] = helper(\n"
        "           ^^^^^^^\n"
        "  and\n"
        '  File "main.py", line 7, in main\n'
        "    a[i - 1])\n"
        "    ^^^^^^^^"
    )


def test_argument_is_named():
    assert str(weft.ArgumentError("a list is not an array", argument="a")) == "a list is not an array\n  Argument: a"


def test_compiler_error_names_its_files():
    error = weft.CompilerError(
        "gcc refused the code", source_path=Path("k.c"), log_path=Path("k.log"), log="k.c:1: error: x"
    )
    assert str(error) == (
        "gcc refused the code\n    k.c:1: error: x\n  Generated source: k.c\n  Log of the compiler: k.log"
    )


def test_missing_compiler_names_both_remedies():
    assert str(weft.NoCompilerError()) == (
        "no C compiler was found\n"
        "  Cause: Weft compiles for the processor through gcc or clang, and found neither on the path\n"
        '  Instead: install gcc or clang, or, where that is not possible: pip install "weft[cc]"'
    )


def test_memory_is_counted():
    error = weft.OutOfMemoryError("the arrays do not fit", needed=3 << 30, free=512)
    assert str(error) == "the arrays do not fit\n  Needed: 3.0 GiB\n  Free: 512 bytes"
    assert isinstance(error, MemoryError)


def test_internal_error_asks_for_a_report():
    assert str(weft.InternalError("the verifier found a use before its definition")) == (
        "the verifier found a use before its definition\n"
        "  Instead: this is a mistake in Weft and not in your program; "
        "please report it with the function that led to it"
    )


def test_several_errors_are_numbered():
    error = weft.MultipleErrors([weft.UnsupportedError("one", READ), weft.TypeInferenceError("two")])
    assert str(error) == (
        "2 errors were found\n"
        "(1) UnsupportedError: one\n"
        '  File "main.py", line 7, in main\n'
        "    a[i - 1])\n"
        "    ^^^^^^^^\n"
        "(2) TypeInferenceError: two"
    )


def test_raise_all_raises_nothing_one_or_several():
    raise_all([])
    one = weft.SourceError("one")
    with pytest.raises(weft.SourceError) as caught:
        raise_all([one])
    assert caught.value is one
    with pytest.raises(weft.MultipleErrors):
        raise_all([one, weft.StoreError("two")])


every_error = pytest.mark.parametrize(
    "error",
    [
        weft.UnsupportedError("m", SET, cause="c", hint="h"),
        weft.RaceError("m", SET, other=READ),
        weft.ArgumentError("m", argument="a"),
        weft.CompilerError("m", log="l"),
        weft.NoCompilerError(),
        weft.OutOfMemoryError("m", needed=3),
        weft.MultipleErrors([weft.Error("m", READ)]),
    ],
    ids=lambda error: type(error).__name__,
)


@every_error
def test_errors_travel_between_processes(error):
    check_same(pickle.loads(pickle.dumps(error)), error)


@every_error
def test_errors_travel_as_dask_sends_them(error):
    support = pytest.importorskip("tblib.pickling_support")
    sent = io.BytesIO()
    pickler = pickle.Pickler(sent)
    pickler.dispatch_table = {type(error): support.pickle_exception}
    pickler.dump(error)
    check_same(pickle.loads(sent.getvalue()), error)


def check_same(copy, error):
    assert type(copy) is type(error)
    assert str(copy) == str(error)


def test_every_error_of_weft_is_public():
    defined = {cls.__name__ for cls in _subclasses(weft.Error) if cls.__module__ == "weft.errors"}
    assert defined <= set(weft.__all__)


def _subclasses(cls: type) -> set[type]:
    return {sub for direct in cls.__subclasses__() for sub in {direct} | _subclasses(direct)}


def test_python_exception_learns_its_place_and_iteration():
    error = IndexError("index 7 is out of bounds for axis 0 with size 3")
    assert add_location(error, READ, {"t": 2, "i": 7}) is error
    place = '  File "main.py", line 7, in main\n    a[i - 1])\n    ^^^^^^^^\n  in the iteration t = 2, i = 7'
    if sys.version_info >= (3, 11):
        assert error.args == ("index 7 is out of bounds for axis 0 with size 3",)
        assert error.__notes__ == [place]
    else:
        assert str(error) == f"index 7 is out of bounds for axis 0 with size 3\n{place}"


def test_warning_starts_with_its_id_and_says_how_to_silence_it():
    with pytest.warns(WeftWarning) as caught:
        warn("W001", "the loop over i", READ)
    assert str(caught[0].message) == (
        "W001: a loop runs sequentially on a GPU: the loop over i "
        '(silence it with warnings.filterwarnings("ignore", message="W001"))'
    )
    assert (caught[0].filename, caught[0].lineno) == ("main.py", 7)


@pytest.mark.parametrize("identity", WARNINGS)
@pytest.mark.parametrize("location", [None, READ])
def test_warning_can_be_silenced_by_its_id(recwarn, identity, location):
    import warnings

    warnings.filterwarnings("ignore", message=identity)
    warn(identity, "quiet please", location)
    assert not recwarn


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (5 << 40, "5.0 TiB"), (1 << 53, "8192.0 TiB")],
)
def test_bytes_are_readable(count, text):
    assert format_bytes(count) == text
