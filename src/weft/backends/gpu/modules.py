"""Which kernels of a program are compiled together: those that are launched under the same conditions.

Where a test chooses one of several launches, by sizes, a call pays for the kernels that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.visit import blocks_of, walk
from weft.plan.place import kernels_of
from weft.schedule.versions import of_way, ways

Path: TypeAlias = tuple[tuple[int, int], ...]
"""The sides of tests around a launch: of which statement, and which side."""


@dataclass(frozen=True)
class Module:
    """Kernels that are compiled together, by name.

    `is_needed`: no test decides whether they are launched.
    """

    kernels: tuple[str, ...]
    is_needed: bool


def modules_of(program: n.Program) -> tuple[Module, ...]:
    """The modules of a placed program, each with its kernels in the order of their launches in the text."""
    paths: dict[str, Path] = {}
    for path, launch in _launches(program.body, ()):
        for name, own in _paths(launch, path):
            known = paths.setdefault(name, own)
            paths[name] = tuple(a for a, b in zip(known, own, strict=False) if a == b)
    together: dict[Path, list[str]] = {}
    for kernel in kernels_of(program):
        together.setdefault(paths[kernel.name], []).append(kernel.name)
    return tuple(Module(tuple(names), not path) for path, names in together.items())


def _paths(launch: n.Launch, path: Path) -> Iterator[tuple[str, Path]]:
    """The versions of a kernel, by name, with the tests before them: of edges, of long launches, of wide indices."""
    parts = ways(launch.kernel)
    for k, part in enumerate(parts):
        around = (*path, (id(launch), k)) if len(parts) > 1 else path
        for number, kernel in enumerate(of_way(part)):
            yield kernel.name, (*[(0, number)] * bool(number), *around)


def _launches(block: n.Block, path: Path) -> Iterator[tuple[Path, n.Launch]]:
    """The launches of a block, each with the tests around it."""
    for statement in block.statements:
        if isinstance(statement, n.Launch):
            yield path, statement
            continue
        for side, inner in enumerate(blocks_of(statement)):
            chosen = (*path, (id(statement), side)) if isinstance(statement, n.If) else path
            yield from _launches(inner, chosen)


def first_kernels(program: n.Program) -> frozenset[str]:
    """Names of the kernels that are launched when the program has done nothing that a second run would not do again.

    It has only defined values, made room on the device, and brought arrays there.
    """
    return frozenset(_first(program.body)[0])


def _first(block: n.Block) -> tuple[set[str], bool]:
    """The names of such kernels of a block; and whether there was nothing else."""
    found: set[str] = set()
    for statement in block.statements:
        if isinstance(statement, n.Launch):
            return found | {statement.kernel.name}, False
        if isinstance(statement, n.If):
            sides = [_first(inner) for inner in blocks_of(statement)]
            found = found.union(*(names for names, _ in sides))
            if not all(goes_on for _, goes_on in sides):
                return found, False
        elif not _can_be_repeated(statement):
            return found, False
    return found, True


def _can_be_repeated(statement: n.Statement) -> bool:
    if isinstance(statement, n.Copy):
        return statement.target != HOST
    return isinstance(statement, (n.Let, n.Reserve, n.Wait, n.Raise))


def carries_sums(kernel: n.Kernel) -> bool:
    """Whether the bits of what a kernel computes may depend on how it is laid out."""
    loops = (s for s in walk(kernel.body) if isinstance(s, n.For))
    return any(arg.combine for loop in loops for arg in loop.args) or any(
        isinstance(s, n.Update) for s in walk(kernel.body)
    )
