"""What the printer of a kernel asks about its blocks and threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from weft.ir import nodes as n
from weft.ir.visit import atoms_of, blocks_of, defined_by, free_variables, walk
from weft.schedule.directives import AXES, Axis


def axes_of(block: n.Block) -> Iterator[tuple[str, Axis]]:
    """The axis of each loop over blocks or threads: x is the innermost of its nest."""
    for statement in walk(block):
        if isinstance(statement, n.For) and statement.mapping in ("blocks", "threads"):
            inner = (s for s in walk(statement.body) if isinstance(s, n.For) and s.mapping == statement.mapping)
            nested = next(inner, None)
            depth = 0
            while nested is not None:
                depth += 1
                inner = (s for s in walk(nested.body) if isinstance(s, n.For) and s.mapping == statement.mapping)
                nested = next(inner, None)
            yield statement.label, AXES[depth]


def copied_late(block: n.Block) -> Iterator[str]:
    """Names of the elements that are loaded only to be stored late."""
    uses = Counter(a.name for s in walk(block) for a in atoms_of(s) if isinstance(a, n.Var))
    late = {s.value.name for s in walk(block) if isinstance(s, n.Store) and s.late and isinstance(s.value, n.Var)}
    for statement in walk(block):
        is_load = isinstance(statement, n.Let) and isinstance(statement.value, n.Load)
        if isinstance(statement, n.Let) and is_load and statement.var.name in late and uses[statement.var.name] == 1:
            yield statement.var.name


def shares_memory(block: n.Block) -> bool:
    """Whether the threads of a block share an array, or fold something together."""
    lets = (s.value for s in walk(block) if isinstance(s, n.Let))
    folds = any(isinstance(s, n.For) and s.mapping == "threads" and s.args for s in walk(block))
    return folds or any(isinstance(value, n.Alloc) and value.memory == "shared" for value in lets)


def uses_any(statement: n.Statement, names: Container[str]) -> bool:
    return any(v.name in names for v in free_variables(n.Block((statement,))))


def joined_by(loop: n.For, first: int) -> n.Block:
    """What computes the values that a block hands on, from those that it begins with."""
    wanted = {y.name for y in loop.body.yields if isinstance(y, n.Var)}
    kept: list[n.Statement] = []
    for statement in reversed(loop.body.statements[first:]):
        if any(v.name in wanted for v in defined_by(statement)):
            kept.append(statement)
            wanted |= {v.name for v in free_variables(n.Block((statement,)))}
    return n.Block(tuple(reversed(kept)), loop.body.yields)


def phases_of(block: n.Block) -> int:
    """How many times all threads of a block do something one after the other, at most; two where nobody knows."""
    count = 0
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "threads":
            count += 1
            continue
        inside = max(map(phases_of, blocks_of(statement)), default=0)
        repeated = isinstance(statement, n.While) or (isinstance(statement, n.For) and statement.mapping != "blocks")
        count += 2 * inside if repeated else inside
    return count


def block_counts(kernel: n.Kernel) -> frozenset[str]:
    """Variables that only say how many blocks there are."""
    loops = (s for s in walk(kernel.body) if isinstance(s, n.For) and s.mapping == "blocks")
    counts = Counter(loop.stop.name for loop in loops if isinstance(loop.stop, n.Var))
    uses = Counter(a.name for s in walk(kernel.body) for a in atoms_of(s) if isinstance(a, n.Var))
    return frozenset(name for name, count in counts.items() if uses[name] == count)
