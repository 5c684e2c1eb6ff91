"""What a schedule is about: the loops of a kernel that can run over a grid, and what one of their iterations does."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, may_raise, written_views
from weft.ir.types import PYBOOL, PYINT, Scalar
from weft.ir.visit import Names, atoms_of, bound_inside, defined_by, free_variables, walk

_Question = TypeVar("_Question", bound=Hashable)
_Answer = TypeVar("_Answer")


class Latest(Generic[_Question, _Answer]):
    """What is known of the kernel that was asked about last: while a schedule is chosen, the same is asked again."""

    def __init__(self) -> None:
        self._known: tuple[n.Kernel | None, dict[_Question, _Answer]] = None, {}

    def of(self, kernel: n.Kernel, question: _Question, answer: Callable[[], _Answer]) -> _Answer:
        """The answer to a question about a kernel; found out where it was not asked before."""
        known, answers = self._known
        if known is not kernel:
            answers = {}
            self._known = kernel, answers
        if question not in answers:
            answers[question] = answer()
        return answers[question]


_WRITTEN: Latest[tuple[()], frozenset[str]] = Latest()


def names_of(kernel: n.Kernel) -> Names:
    """A supply of names that a kernel does not have."""
    inside = (v.name for s in walk(kernel.body) for v in (*defined_by(s), *bound_inside(s)))
    return Names([*(p.name for p in kernel.params), *inside])


def grid_chain(kernel: n.Kernel) -> tuple[n.For, ...]:
    """The loops that can run over a grid, outermost first, at most three.

    Each is parallel, carries nothing, has bounds known before the launch, and holds the next after `Let`s that every
    iteration of the next can evaluate for itself. A loop over tiles that take turns stands alone.
    """
    chain: list[n.For] = []
    block = kernel.body
    last = block.statements[-1] if block.statements else None
    if isinstance(last, n.For) and last.mapping == "turns" and has_known_bounds(last, kernel):
        return (last,)
    while len(chain) < 3 and block.statements:
        *lets, loop = block.statements
        if not isinstance(loop, n.For) or loop.mapping != "parallel" or loop.args:
            break
        if not has_known_bounds(loop, kernel):
            break
        if chain and not all(is_repeatable(s, kernel) for s in lets):
            break
        chain.append(loop)
        block = loop.body
    return tuple(chain)


def has_known_bounds(loop: n.For, kernel: n.Kernel) -> bool:
    """Whether the bounds of a loop are the same for the whole launch."""
    known = {v.name for v in kernel.params}
    return all(isinstance(a, n.Const) or a.name in known for a in (loop.start, loop.stop))


def is_repeatable(statement: n.Statement, kernel: n.Kernel) -> bool:
    """Whether a statement may run once more, for each iteration of a loop that follows it, also while others run."""
    if not isinstance(statement, n.Let) or may_raise(statement.value, statement.var.type):
        return False
    if isinstance(statement.value, n.Alloc):
        return False
    if not isinstance(statement.value, n.Load):
        return True
    written = _written_names(kernel)
    root, shared = statement.value.view.name, frozenset(kernel.overlaps)
    return root not in written and not (root in shared and written & shared)


def _written_names(kernel: n.Kernel) -> frozenset[str]:
    """Names of the arrays that a kernel may write."""
    return _WRITTEN.of(kernel, (), lambda: frozenset(v.name for s in walk(kernel.body) for v in _written_roots(s)))


def _written_roots(statement: n.Statement) -> Iterator[n.Var]:
    """Parameters through which a statement writes, and those of which a view is made, which may be written."""
    yield from written_views(statement)
    if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS):
        yield statement.value.view
        yield statement.var
    if isinstance(statement, n.Call):
        yield from (a for a in statement.operands if isinstance(a, n.Var))


def flattened(chain: Sequence[n.For]) -> n.Block:
    """All that one iteration of the innermost of nested loops does, the definitions between the loops included."""
    between = [s for loop in chain[:-1] for s in loop.body.statements[:-1]]
    return n.Block((*between, *chain[-1].body.statements))


@dataclass(frozen=True)
class Reduction:
    """What an iteration does: something, then a loop that carries values, then something with its results.

    `guard` is the branch whose one side the loop was: the loop then runs no iteration where the other side is taken.
    """

    before: n.Block
    loop: n.For
    after: n.Block
    guard: n.If | None = None

    @property
    def bounds(self) -> tuple[n.Atom, n.Atom]:
        """Where the loop begins and ends."""
        return self.loop.start, self.loop.stop

    def needed(self) -> n.Block:
        """The definitions before the loop that the loop uses."""
        return slice_of(self.before, self.wanted())

    def wanted(self) -> frozenset[str]:
        """Names of the variables that the loop takes from outside, its initial values left out."""
        bounds = frozenset(a.name for a in (self.loop.start, self.loop.stop) if isinstance(a, n.Var))
        return names_in(self.loop.body) | bounds


def is_sliced(block: n.Block, wanted: frozenset[str]) -> bool:
    """Whether all that some variables need of a block is defined by `Let`s that stand by themselves."""
    needed = wanted | names_in(slice_of(block, wanted))
    others = (v.name for s in block.statements if not isinstance(s, n.Let) for v in defined_by(s))
    return not needed & frozenset(others)


def reduction_in(flat: n.Block, label: str) -> Reduction | None:
    """The parts of what an iteration does around the loop with a label; None where it is not one of them."""
    for position, statement in enumerate(flat.statements):
        if isinstance(statement, n.For) and statement.label == label:
            before, after = flat.statements[:position], flat.statements[position + 1 :]
            return Reduction(n.Block(before), statement, n.Block(after))
        if isinstance(statement, n.If):
            inner = reduction_in(statement.then, label)
            if inner is not None and inner.guard is None and all(map(_is_harmless, inner.before.statements)):
                return _lifted(flat, position, statement, inner)
    return None


def _is_harmless(statement: n.Statement) -> bool:
    """Whether a statement may run although nothing needs it."""
    return isinstance(statement, n.Let) and not (
        isinstance(statement.value, (n.Load, n.Alloc, *VIEWS)) or may_raise(statement.value, statement.var.type)
    )


def _lifted(flat: n.Block, position: int, guard: n.If, inner: Reduction) -> Reduction:
    """A loop on one side of a branch as one before it, which runs no iteration where the other side is taken."""
    inside = (v.name for s in walk(flat) for v in (*defined_by(s), *bound_inside(s)))
    names = Names([*inside, *names_in(flat)])
    place, runs = inner.loop.location, guard.condition
    ends: list[n.Var] = []
    lets: list[n.Let] = []
    if runs.type == PYBOOL:  # bounds of what runs are then known, however far apart ends are where nothing does
        upwards, both = names.fresh("upwards", PYBOOL), names.fresh("runs", PYBOOL)
        lets.append(n.Let(upwards, n.Compare("le", inner.loop.start, inner.loop.stop), place))
        lets.append(n.Let(both, n.Binary("and", runs, upwards, checked=False), place))
        runs = both
    for atom, stem in ((inner.loop.start, "first"), (inner.loop.stop, "last")):
        ends.append(names.fresh(stem, PYINT))
        lets.append(n.Let(ends[-1], n.Select(runs, atom, n.Const(0)), place))
    branch = replace(guard, then=replace(guard.then, statements=inner.after.statements))
    before = (*flat.statements[:position], *inner.before.statements, *lets)
    loop = replace(inner.loop, start=ends[0], stop=ends[1])
    return Reduction(n.Block(before), loop, n.Block((branch, *flat.statements[position + 1 :])), branch)


def reads(reduction: Reduction, loops: Sequence[n.For]) -> Iterator[tuple[n.Let, frozenset[str]]]:
    """Every load of a reduction's body, with the labels of the loops, the reduction's too, that choose the element."""
    chosen = {loop.index.name: frozenset((loop.label,)) for loop in (*loops, reduction.loop)}
    inner = reduction.loop.body.statements
    for statement in (*reduction.before.statements, *inner):
        if not isinstance(statement, n.Let):
            continue
        names = [a.name for a in atoms_of(statement) if isinstance(a, n.Var)]
        chosen[statement.var.name] = frozenset().union(*(chosen.get(name, frozenset()) for name in names))
        if isinstance(statement.value, n.Load) and any(statement is s for s in inner):
            yield statement, chosen[statement.var.name]


def turned_loads(flat: n.Block, index: n.Var, across: n.Var) -> list[n.Let]:
    """The loads of what an iteration does whose last index is a loop's counter, moved by no more than a constant, and
    whose row depends on another counter."""
    moved, rows = {index.name}, {across.name}
    found = []
    for statement in flat.statements:
        if not isinstance(statement, n.Let):
            continue
        value = statement.value
        if any(isinstance(a, n.Var) and a.name in rows for a in atoms_of(statement)):
            rows.add(statement.var.name)
        if isinstance(value, n.Binary) and is_moved(value, moved):
            moved.add(statement.var.name)
        if isinstance(value, n.Load) and value.indices and isinstance(value.indices[-1], n.Var):
            others = {a.name for a in value.indices[:-1] if isinstance(a, n.Var)}
            is_turned = value.indices[-1].name in moved and not others & moved and bool(others & rows)
            if is_turned and isinstance(statement.var.type, Scalar):
                found.append(statement)
    return found


def is_moved(value: n.Binary, names: Container[str]) -> bool:
    """Whether an operation moves the value of one of some variables by a constant."""
    is_step = value.op in ("add", "sub") and isinstance(value.right, n.Const)
    return is_step and isinstance(value.left, n.Var) and value.left.name in names


def step_of(value: n.Binary) -> int:
    """How far an operation that moves a value, as `is_moved` says, moves it."""
    assert isinstance(value.right, n.Const)
    step = int(value.right.value.real)
    return step if value.op == "add" else -step


def updates_of(flat: n.Block) -> list[n.Update]:
    """The updates that an iteration makes, wherever they stand."""
    return [s for s in walk(flat) if isinstance(s, n.Update)]


def slice_of(block: n.Block, wanted: frozenset[str]) -> n.Block:
    """The definitions of a block that some variables need, in order; only `Let`s, wherever they stand by themselves."""
    needed = set(wanted)
    kept: list[n.Statement] = []
    for statement in reversed(block.statements):
        if isinstance(statement, n.Let) and statement.var.name in needed:
            needed |= {a.name for a in atoms_of(statement) if isinstance(a, n.Var)}
            kept.append(statement)
    return n.Block(tuple(reversed(kept)))


def dependent(block: n.Block, names: frozenset[str]) -> frozenset[str]:
    """Names of what a block defines and that depends on some variables, or is not defined by a single expression."""
    found = set[str]()
    for statement in block.statements:
        used = {a.name for a in atoms_of(statement) if isinstance(a, n.Var)} if isinstance(statement, n.Let) else None
        if used is None or used & (names | found):
            found |= {v.name for v in defined_by(statement)}
    return frozenset(found)


def names_in(block: n.Block) -> frozenset[str]:
    """Names of the variables that a block takes from outside."""
    return frozenset(v.name for v in free_variables(block))
