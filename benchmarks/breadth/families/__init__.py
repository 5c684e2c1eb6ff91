"""All programs: a file a family."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace

from benchmarks.breadth.program import Program


def _programs() -> Iterator[Program]:
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for program in importlib.import_module(f"{__name__}.{name}").PROGRAMS:
            yield replace(program, family=name)


PROGRAMS = {program.name: program for program in _programs()}
FAMILIES = tuple(dict.fromkeys(program.family for program in PROGRAMS.values()))
