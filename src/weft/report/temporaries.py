"""What became of the arrays that a program makes, and which of its loops run inside of others."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.visit import blocks_of, walk


def temporaries(written: n.Program, compiled: n.Program) -> Iterator[str]:
    """Sentences about a program as it was written and as it is compiled.

    Arrays without a name of the user's are called by their lines.
    """
    before, after = _arrays(written), _arrays(compiled)
    gone = [_named(array) for name, array in before.items() if name not in after]
    if gone:
        yield f"no memory is needed for {_listed(gone)}: each element is used where it is computed"
    for line, home in sorted(_joined(written, compiled).items()):
        yield f"the loop of line {line} runs inside that of line {home}: memory is passed over once"


def _arrays(program: n.Program) -> dict[str, n.Let]:
    """The arrays that a program makes, by the names of their variables."""
    return {s.var.name: s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}


def _named(array: n.Let) -> str:
    line = array.location.line
    return f"a part of line {line}" if array.var.stem in ("t", "result") else f"{array.var.stem} (line {line})"


def _listed(names: list[str]) -> str:
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _joined(written: n.Program, compiled: n.Program) -> dict[int, int]:
    """The lines of loops that run inside of loops of other lines, and these lines."""
    before, after = dict(_nests(written.body)), dict(_nests(compiled.body))
    found: dict[int, int] = {}
    for place in before.keys() & after.keys():
        for ours, theirs in zip(before[place], after[place], strict=False):
            if ours.label != theirs.label and ours.location.line != theirs.location.line:
                found[ours.location.line] = theirs.location.line
                break
    return found


def _nests(block: n.Block, around: tuple[n.For, ...] = ()) -> Iterator[tuple[Location, tuple[n.For, ...]]]:
    """Where elements are stored, and the loops around, outermost first."""
    for statement in block.statements:
        inside = (*around, statement) if isinstance(statement, n.For) else around
        if isinstance(statement, n.Store):
            yield statement.location, around
        for inner in blocks_of(statement):
            yield from _nests(inner, inside)
