"""Source text of functions that stand in no file: cells with a magic, and the text behind ``python -c``.

What such text gives is taken only where Python makes the function's very bytecode of it, so that a text of another
function of the same name is never compiled.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import sys
from collections.abc import Iterator
from types import FunctionType

MOST_CELLS = 200
"""How many of the last cells are looked through."""


def candidates(function: FunctionType) -> Iterator[tuple[str, str]]:
    """Texts that may hold a function, each with the name of a file that shows them in messages."""
    if function.__code__.co_filename == "<string>":
        yield from _command_line()
    yield from _magic_cells()


def register(file: str, text: str) -> None:
    """Let messages show the lines of a text."""
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)


def _command_line() -> Iterator[tuple[str, str]]:
    """What stands behind ``python -c``."""
    words = sys.orig_argv
    if "-c" in words[1:-1] and sys.argv[:1] == ["-c"]:
        yield "<the text of python -c>", words[words.index("-c") + 1] + "\n"


def _magic_cells() -> Iterator[tuple[str, str]]:
    """Bodies of cells that begin with a magic such as ``%%time``, the last first."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    history = getattr(shell, "user_ns", {}).get("In", [])
    for number in range(len(history) - 1, max(len(history) - 1 - MOST_CELLS, -1), -1):
        with contextlib.suppress(SyntaxError, ValueError):
            for body in _bodies(history[number]):
                yield f"Cell In[{number}]", body


def _bodies(cell: str) -> Iterator[str]:
    """The texts that a cell hands to its magics."""
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "run_cell_magic":
            body = node.args[-1] if len(node.args) == 3 else None
            if isinstance(body, ast.Constant) and isinstance(body.value, str):
                yield body.value


def advice(file: str) -> str:
    """What to do where the source of a function is not found, by the name of its file."""
    if file == "<stdin>":
        return "write the program to a file and run that: Python keeps no text of what it reads from a prompt or a pipe"
    if file.startswith("<"):
        return (
            "write the function to a file or a notebook cell; a program that makes the text itself gives compile a "
            "file name of its own, and puts the lines of the text under that name into linecache.cache"
        )
    return (
        "define the function in a file or a notebook cell, and restart after editing the file; "
        "give two lambdas of one line a line each"
    )
