"""Functions that stand in no file, and what errors show of Weft."""

from __future__ import annotations

import subprocess
import sys
import traceback
from types import SimpleNamespace

import numpy as np
import pytest

import weft
from weft.errors import MultipleErrors, UnsupportedError
from weft.ir.location import Location


def run(*command: str, text: str | None = None) -> str:
    return subprocess.run([sys.executable, *command], input=text, capture_output=True, text=True, check=False).stdout


PROGRAM = "import weft\n@weft.jit\ndef double(x):\n    return 2 * x\n"


def test_functions_on_the_command_line():
    assert run("-c", PROGRAM + "print(double(21))") == "42\n"


def test_functions_from_a_pipe_say_how():
    said = run(text=PROGRAM + "try:\n    double(1)\nexcept weft.SourceError as e:\n    print(e)\n")
    assert "Instead: write the program to a file" in said


def test_functions_of_exec_say_how_and_work_where_linecache_has_the_text():
    import linecache

    space: dict = {}
    exec("def double(x):\n    return 2 * x\n", space)
    with pytest.raises(weft.SourceError, match=r"linecache\.cache"):
        weft.jit(space["double"])(1)
    text = "def double(x):\n    return 2 * x\n"
    linecache.cache["<made>"] = (len(text), None, text.splitlines(True), "<made>")
    exec(compile(text, "<made>", "exec"), space)
    assert weft.jit(space["double"])(4) == 8


def notebook(monkeypatch: pytest.MonkeyPatch, cells: list[str]) -> None:
    """Pretend that these cells ran in IPython, whose last one is running."""
    shell = SimpleNamespace(user_ns={"In": ["", *cells]}, compile=SimpleNamespace(format_code_name=_cell_name))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def _cell_name(file: str):
    return ("Cell", "In[3]") if file.startswith("/tmp/ipykernel") else None


def test_functions_in_cells_with_a_magic(monkeypatch):
    body = "def double(x):\n    return 2 * x\n"
    other = "def double(x):\n    return 3 * x\n"
    notebook(monkeypatch, [f"get_ipython().run_cell_magic('time', '', {text!r})" for text in (other, body, "1 +")])
    space: dict = {}
    exec(compile(body, "<timed exec>", "exec"), space)
    assert weft.jit(space["double"])(4) == 8
    exec(compile("def double(x):\n    return 4 * x\n", "<timed exec>", "exec"), space)
    with pytest.raises(weft.SourceError):
        weft.jit(space["double"])(4)


def test_errors_name_the_cell(monkeypatch):
    notebook(monkeypatch, [])
    error = UnsupportedError("a set", Location("/tmp/ipykernel_1/23.py", 2, function="f"))
    assert str(error).splitlines()[1] == "  Cell In[3], line 2, in f"
    assert 'File "other.py", line 2' in str(UnsupportedError("a set", Location("other.py", 2)))


# ------------------------------------------------------------------------------------------------------ frames


@weft.jit
def element(a, k):
    return a[k]


def fails() -> None:
    raise KeyError("mine")


@weft.jit
def steps(a):
    weft.python(fails)
    a[0] = 1.0


@pytest.mark.parametrize(
    ("call", "frames"),
    [
        (lambda: element(np.ones(2), 5), ["frames_of", "<lambda>"]),
        (lambda: element(np.ones(2), {}), ["frames_of", "<lambda>"]),
        (lambda: steps(np.ones(2)), ["frames_of", "<lambda>", "fails"]),
    ],
    ids=["exception", "refusal", "step"],
)
def test_tracebacks_show_the_users_frames_alone(call, frames):
    for _ in range(2):
        assert frames_of(call) == frames


def frames_of(call) -> list[str]:
    try:
        call()
    except Exception as error:
        return [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    return []


def test_read_only_arrays_say_what_to_pass():
    a = np.ones(2)
    a.flags.writeable = False

    @weft.jit
    def clear(a):
        a[0] = 0.0

    with pytest.raises(ValueError, match="assignment destination is read-only") as caught:
        clear(a)
    assert "pass a copy" in "".join(getattr(caught.value, "__notes__", caught.value.args))


def test_at_most_ten_errors_are_shown_and_of_each_kind_one():
    many = [UnsupportedError(f"first {k}", hint="one") for k in range(20)]
    text = str(MultipleErrors([*many, UnsupportedError("another", hint="two")]))
    assert text.startswith("21 errors were found\n(1) UnsupportedError: first 0")
    assert text.count("UnsupportedError") == 10 and "another" in text
    assert text.endswith("and 11 more")
