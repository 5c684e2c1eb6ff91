"""Faults as changes of source text: a piece of one function is replaced while its module is imported.

Processes plant the fault that the environment variable `WEFT_PLANTED_FAULT` names, if the folder `early` is on their
`PYTHONPATH`: Python imports its ``sitecustomize.py`` before anything else.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

VARIABLE = "WEFT_PLANTED_FAULT"
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Patch:
    """A mistake in the text of a function: what it is, where (``module:name`` or ``module:Class.name``), and how.

    `old` occurs once in the function.
    """

    name: str
    target: str
    old: str
    new: str

    @property
    def module(self) -> str:
        return self.target.partition(":")[0]


class TargetGone(LookupError):
    """The function of a fault, or the text in it, is not there any more: the fault must be written anew."""


def patched(patch: Patch, source: str) -> str:
    """The source of the module with the mistake in it."""
    first, last = _lines_of(patch, source)
    lines = source.splitlines(keepends=True)
    text = "".join(lines[first:last])
    if text.count(patch.old) != 1:
        raise TargetGone(f"{patch.name}: {patch.old!r} occurs {text.count(patch.old)} times in {patch.target}")
    return "".join([*lines[:first], text.replace(patch.old, patch.new), *lines[last:]])


def _lines_of(patch: Patch, source: str) -> tuple[int, int]:
    node: Any = ast.parse(source)
    for name in patch.target.partition(":")[2].split("."):
        found = [n for n in node.body if getattr(n, "name", None) == name]
        if not found:
            raise TargetGone(f"{patch.name}: {patch.target} is gone")
        node = found[-1]  # of a property with a setter, the setter
    return node.lineno - 1, node.end_lineno


def source_of(patch: Patch) -> str:
    """The source of the module as it is."""
    path = ROOT / "src" / Path(*patch.module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


class _PatchedLoader(SourceFileLoader):
    patch: Patch

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        text = patched(self.patch, Path(path).read_text(encoding="utf-8"))
        return compile(text, path, "exec", dont_inherit=True)


class _PlantingLoader(SourceFileLoader):
    """Loads Weft, and then replaces a function in it."""

    name_of_fault: str

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        from .every import FAULTS
        from .planting import plant

        plant(next(fault for fault in FAULTS if fault.name == self.name_of_fault))


class Planter(MetaPathFinder):
    """Finds the module of a fault, and loads it with the fault in it."""

    def __init__(self, name: str) -> None:
        from .patches import PATCHES

        self.name = name
        self.patch = next((patch for patch in PATCHES if patch.name == name), None)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != ("weft" if self.patch is None else self.patch.module):
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None:
            return None
        if self.patch is None:
            planting = spec.loader = _PlantingLoader(fullname, spec.origin)
            planting.name_of_fault = self.name
        else:
            patching = spec.loader = _PatchedLoader(fullname, spec.origin)
            patching.patch = self.patch
        return spec


def plant_by_environment() -> None:
    """Plant the fault that the environment names, as soon as its module is imported."""
    name = os.environ.get(VARIABLE)
    if name:
        sys.meta_path.insert(0, Planter(name))
