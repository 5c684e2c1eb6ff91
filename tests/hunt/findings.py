"""A finding as a file that runs by itself: it exits with 1 while the mistake is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .oracle import Verdict
from .program import Program, View

TEMPLATE = '''"""{kind}, seed {seed}, device {device!r}: {text}

{way}
"""
import sys

import numpy as np
from numpy import inf, nan  # noqa: F401

from tests.hunt.oracle import judge  # noqa: F401
from tests.hunt.program import Arguments, Program, View, Way
from tests.hunt.workers import checked

SOURCE = """
{source}"""

CALLS = [
{calls}
]

KNOWN = {known!r}
program = Program({seed}, SOURCE.lstrip(), CALLS, {way}, **KNOWN)
verdict = checked(program, sys.argv[1] if len(sys.argv) > 1 else {device!r})
print(verdict.kind, verdict.text)
sys.exit(verdict.is_finding)
'''


def text_of(program: Program, verdict: Verdict, device: str) -> str:
    calls = "\n".join(f"    {_call(call)}," for call in program.calls)
    told = verdict.text.replace("\\", "/").replace('"""', "'''")
    known = {
        name: getattr(program, name) for name in ("independent", "must_race", "rounded", "functions", "told", "origin")
    }
    return TEMPLATE.format(
        kind=verdict.kind, seed=program.seed, device=device, text=told, source=program.source, calls=calls,
        way=program.way, known=known,
    )  # fmt: skip


def _call(call: Any) -> str:
    buffers = ", ".join(_buffer(buffer) for buffer in call.buffers)
    values = ", ".join(repr(v) if isinstance(v, View) else repr(v) for v in call.values)
    return f"Arguments([{buffers}], [{values}], {call.wild!r}, {call.extreme}, {call.aliased})"


def _buffer(buffer: np.ndarray) -> str:
    text = f"np.array({buffer.tolist()!r}, {buffer.dtype.str[1:]!r})"
    with np.errstate(all="ignore"):
        made = eval(text, {"np": np, "nan": np.nan, "inf": np.inf})
    exact = made.tobytes() == buffer.tobytes()
    return text if exact else f"np.frombuffer(bytes.fromhex({buffer.tobytes().hex()!r}), {buffer.dtype.str[1:]!r})"


def save(folder: Path, program: Program, verdict: Verdict, device: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{verdict.kind.replace(' ', '_')}_{device}_{program.seed}.py"
    path.write_text(text_of(program, verdict, device), encoding="utf-8")
    return path
