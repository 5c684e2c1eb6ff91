"""Arrays that one kernel fills before the host reads them: few results may then go to the host without a copy."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator

from weft.backends.gpu.kernels import written_parameters
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import PYINT
from weft.ir.visit import atoms_of, blocks_of, walk
from weft.plan.transfers.memory_spaces import is_device


def lent_arrays(program: n.Program) -> frozenset[str]:
    """Names of the arrays that a program makes for what one launch in the same block writes.

    Beside copies to the host and reads there, nothing else touches them but launches of a single block, which read: so
    no later launch writes again before the host has read, and few threads read over the bus.
    """
    filled = {view: launch for block in _blocks(program.body) for view, launch in _filled(block)}
    constants, brought = _constants(program), _only_brought(program)
    uses: Counter[n.Atom] = Counter()
    for statement in walk(program.body):
        if not isinstance(statement, n.Let) or statement.var not in brought:
            uses.update(_touched(statement, constants))
    for block in _blocks(program.body):
        uses.update(block.yields)
    return frozenset(view.name for view in filled if uses[view] == 1)


def _only_brought(program: n.Program) -> set[n.Var]:
    """Parts of arrays that are made to be copied to the host, and for nothing else."""
    lets = (s for s in walk(program.body) if isinstance(s, n.Let) and isinstance(s.value, n.Subview))
    parts = {let.var for let in lets}
    used: Counter[n.Atom] = Counter()
    brought: Counter[n.Atom] = Counter()
    for statement in walk(program.body) if parts else ():
        atoms = [a for a in atoms_of(statement.value if isinstance(statement, n.Let) else statement) if a in parts]
        used.update(atoms)
        if isinstance(statement, n.Copy) and _is_home(statement):
            brought.update(atoms)
    return {part for part in parts if used[part] == brought[part] > 0}


def _is_home(copy: n.Copy) -> bool:
    return is_device(copy.source) and copy.target == HOST and copy.onto is None


def _blocks(block: n.Block) -> Iterator[n.Block]:
    """The blocks of the host, outer before inner."""
    yield block
    for statement in block.statements:
        if not isinstance(statement, n.Launch):
            for inner in blocks_of(statement):
                yield from _blocks(inner)


def _filled(block: n.Block) -> Iterator[tuple[n.Var, n.Launch]]:
    """The arrays without contents that a block makes, and the launches in it that only write them."""
    made = {
        s.var
        for s in block.statements
        if isinstance(s, n.Let) and isinstance(s.value, n.Alloc) and s.value.fill is None and not s.value.memory
    }
    for launch in block.statements:
        if isinstance(launch, n.Launch) and not launch.results and not launch.windows and not launch.kernel.product:
            candidates = made - set(launch.reads)
            for param, operand in zip(launch.kernel.params, launch.operands, strict=False):
                if isinstance(operand, n.Var) and operand in candidates and _only_stores(launch.kernel, param):
                    yield operand, launch


def _only_stores(kernel: n.Kernel, param: n.Var) -> bool:
    """Whether a kernel writes elements of a parameter, and does nothing else with it."""
    uses = [s for s in walk(kernel.body) if param in atoms_of(s.value if isinstance(s, n.Let) else s)]
    stores = all(isinstance(s, n.Store) and s.view == param for s in uses)
    return param.name in written_parameters(kernel) and stores and param.name not in kernel.overlaps


def _touched(statement: n.Statement, constants: dict[n.Atom, int]) -> Iterator[n.Atom]:
    """What a statement does with arrays, beside what lent ones allow."""
    if isinstance(statement, n.Copy):
        yield from () if _is_home(statement) else atoms_of(statement)
    elif isinstance(statement, n.Let):
        yield from () if isinstance(statement.value, (n.Load, n.Dim)) else atoms_of(statement.value)
    elif isinstance(statement, n.Launch):
        is_single = all(_integer(count, constants) == 1 for count in statement.grid) and not statement.windows
        read = set(statement.reads) - set(statement.writes) if is_single else set()
        yield from (operand for operand in statement.operands if operand not in read)
    elif not isinstance(statement, (n.Free, n.Reserve, n.Wait)):
        yield from atoms_of(statement)


_FOLDED: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "max": max, "floordiv": operator.floordiv,
}  # fmt: skip


def _constants(program: n.Program) -> dict[n.Atom, int]:
    """Integers of grids that follow from constants alone."""
    known: dict[n.Atom, int] = {}
    for statement in walk(program.body):
        if isinstance(statement, n.Let) and isinstance(statement.value, n.Binary) and statement.value.op in _FOLDED:
            left, right = (_integer(atom, known) for atom in (statement.value.left, statement.value.right))
            if left is not None and right is not None and (right or statement.value.op != "floordiv"):
                known[statement.var] = _FOLDED[statement.value.op](left, right)
    return known


def _integer(atom: n.Atom, known: dict[n.Atom, int]) -> int | None:
    return int(atom.value.real) if isinstance(atom, n.Const) and atom.type == PYINT else known.get(atom)
