"""Which lines of the compiler no generated program reaches."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import weft

ROOT = Path(weft.__file__).parent
FOLDERS = ("analysis", "transform", "plan", "schedule", "backends", "frontend")


class Tracer:
    """Notes the lines that run; a function whose lines were all seen costs nothing more."""

    def __init__(self) -> None:
        self.missing: dict[CodeType, set[int]] = {}
        self.roots = tuple(str(ROOT / folder) for folder in FOLDERS)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code not in self.missing:
            mine = code.co_filename.startswith(self.roots)
            self.missing[code] = {line for _, _, line in code.co_lines() if line} if mine else set()
        missing = self.missing[code]
        missing.discard(frame.f_lineno)
        return self._line if missing else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        missing = self.missing[frame.f_code]
        missing.discard(frame.f_lineno)
        return self._line if missing else None

    def reached(self) -> dict[str, set[int]]:
        """The lines of each file that ran."""
        found: dict[str, set[int]] = {}
        for code, missing in self.missing.items():
            if code.co_filename.startswith(self.roots):
                lines = {line for _, _, line in code.co_lines() if line}
                found.setdefault(code.co_filename, set()).update(lines - missing)
        return found


def report(count: int, seed: int, device: str, workers: int) -> int:
    """Run programs and print what they do not reach, file by file."""
    slices = [(range(seed + place, seed + count, workers), device) for place in range(workers)]
    reached: dict[str, set[int]] = {}
    with get_context("fork").Pool(workers) as pool:
        for found in pool.imap_unordered(_traced, slices):
            for path, lines in found.items():
                reached.setdefault(path, set()).update(lines)
    print(*listing(reached), sep="\n")
    return 0


def _traced(work: tuple[range, str]) -> dict[str, set[int]]:
    """The lines that the programs of some seeds reach."""
    from .workers import one

    seeds, device = work
    tracer = Tracer()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="weft-hunt-") as folder:
        os.environ["WEFT_CACHE_DIR"] = folder
        threading.settrace(tracer)
        for number in seeds:
            sys.settrace(tracer)
            try:
                one(number, device)
            except Exception as error:
                print(f"seed {number}: {type(error).__name__}: {error}")
        sys.settrace(None)
    return tracer.reached()


def listing(reached: dict[str, set[int]]) -> list[str]:
    """Markdown: for each file how much ran, and the functions and lines that did not."""
    lines, total, done = [], 0, 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
            functions = [(name, wanted) for name, wanted in _functions(code, "") if wanted]
            seen = reached.get(str(path), set())
            everything = {line for _, wanted in functions for line in wanted}
            total, done = total + len(everything), done + len(everything & seen)
            if everything - seen:
                lines.append(f"\n## {path.relative_to(ROOT)}: {len(everything & seen)} of {len(everything)} lines\n")
                lines += [_of_function(name, wanted, seen) for name, wanted in functions if wanted - seen]
    return [f"{done} of {total} lines in functions are reached ({100 * done / max(total, 1):.1f} %).", *lines]


def _of_function(name: str, wanted: set[int], seen: set[int]) -> str:
    if not wanted & seen:
        return f"* `{name}`: never called"
    return f"* `{name}`: lines {', '.join(map(str, sorted(wanted - seen)))}"


def _functions(code: CodeType, name: str) -> list[tuple[str, set[int]]]:
    """The functions in a file with their lines, their first one left out."""
    found = []
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            path = f"{name}.{inner.co_name}".lstrip(".")
            lines = {line for _, _, line in inner.co_lines() if line and line != inner.co_firstlineno}
            body = inner.co_flags & 0x2  # of a function, not of a class
            found += [(path, lines)] if body else []
            found += _functions(inner, path)
    return found
