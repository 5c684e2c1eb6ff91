"""Every program of `texts/*.md` says exactly what stands behind it."""

from __future__ import annotations

import linecache
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.rewriting import rewrite

FOLDER = Path(__file__).parent / "texts"
CASE = re.compile(r"## (?P<title>[^\n]+)\n.*?```python\n(?P<program>.*?)```\n+```text\n(?P<text>.*?)```", re.DOTALL)
FILES = sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")
CASES = [
    pytest.param(path, match["program"], match["text"], id=f"{path.stem}: {match['title']}")
    for path in FILES
    for match in CASE.finditer(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("path", "program", "text"), CASES)
def test_text(path, program, text, tmp_path, update_golden):
    said = say(program, tmp_path)
    assert said.startswith(f"{path.stem}: ")
    if update_golden:
        accept(path, program, text, said)
    else:
        assert said == text


def accept(path, program, text, said):
    """Write a new text into its file."""
    old, new = (f"```python\n{program}```\n\n```text\n{answer}```" for answer in (text, said))
    rewrite(path, lambda everything: everything.replace(old, new))


def test_texts_that_are_accepted_at_once_are_all_kept(tmp_path):
    path = tmp_path / "Error.md"
    programs = [f"f({k})\n" for k in range(24)]
    path.write_text("".join(f"```python\n{program}```\n\n```text\nold\n```\n" for program in programs))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda program: accept(path, program, "old\n", f"new {program}"), programs))
    assert [match["text"] for match in re.finditer(r"text\n(?P<text>.*?)```", path.read_text(), re.DOTALL)] == [
        f"new {program}" for program in programs
    ]


def test_every_error_class_has_a_file():
    classes = {name for name in weft.__all__ if isinstance(getattr(weft, name), type)}
    texts = {path.stem for path in FILES}
    assert {name for name in classes if issubclass(getattr(weft, name), weft.Error)} - {"Error"} <= texts


def say(program: str, folder: Path) -> str:
    """Run a program and return what it says, as a traceback would end."""
    path = folder / "example.py"
    path.write_text(program, encoding="utf-8")
    linecache.checkcache(str(path))
    with warnings.catch_warnings():
        warnings.simplefilter("error", weft.WeftWarning)
        try:
            exec(
                compile(program, str(path), "exec", dont_inherit=True), {"np": np, "weft": weft, "__name__": "example"}
            )
        except Exception as error:
            notes = getattr(error, "__notes__", [])
            said = "\n".join([f"{type(error).__name__}: {error}", *notes])
            return said.replace(f"{folder}/", "") + "\n"
    return "nothing\n"
