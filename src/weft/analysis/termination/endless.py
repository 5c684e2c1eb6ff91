"""Loops in kernels that may never end: they look, now and then, whether the program is to stop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from weft.analysis.termination.bounded import SOON, Values, is_bounded, values_in
from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import atoms_of, blocks_of, defined_by, has_fewer_trips, known_trips, walk

Loop: TypeAlias = n.For | n.While

SELDOM, INSIDE = 1 << 16, 1 << 7
"""Iterations between two looks, and how many a loop inside is taken to have of which that is not known. A look may
cross the bus."""

COPIES, STATEMENTS = 16, 384
"""A loop that is watched is unrolled so many times at most, and up to so many statements: so looking costs nothing."""

SPEEDS = {"cuda": (2.0**17, 2.0**45)}
"""About how many threads a device runs at once, and how many statements of these in a second: kernels that end sooner
are not waited for."""

SLOW = 2.0**3, 2.0**31
"""The same of a device that may be a processor."""

HEAVY = 64
"""For how many statements one counts that divides, calls a function, or loads from a place that another load gave."""


def watched(program: n.Program, block: n.Block) -> Iterator[Loop]:
    """The loops of a block, and of functions that it calls, which look whether they are to stop.

    Not those that count and are part of what threads or blocks do together: others would wait for who leaves.
    """
    values = values_in(block)
    for statement, is_shared in _with_sharing(block, False):
        if isinstance(statement, n.Call):
            yield from watched(program, program.function(statement.function).body)
        elif isinstance(statement, n.While):
            yield from [statement] if is_endless(statement) else []
        elif isinstance(statement, n.For) and not is_shared and may_take_long(statement, values):
            yield statement


def _with_sharing(block: n.Block, is_shared: bool) -> Iterator[tuple[n.Statement, bool]]:
    """Statements, and whether one is inside of a loop over threads or blocks that carries values."""
    for statement in block.statements:
        yield statement, is_shared
        folds = isinstance(statement, n.For) and _is_axis(statement) and bool(statement.args)
        for inner in blocks_of(statement):
            yield from _with_sharing(inner, is_shared or folds)


def has_endless(program: n.Program, block: n.Block) -> bool:
    """Whether a block, or a function that it calls, has a loop that is watched."""
    return any(True for _ in watched(program, block))


@dataclass(frozen=True)
class Nest:
    """Loops of a thread around one another: what each counts to, from zero or more, and the statements inside.

    Of these some count for many.
    """

    limits: tuple[n.Atom, ...]
    statements: int


def nests(program: n.Program, block: n.Block) -> list[Nest] | None:
    """The nests of a block that have watched loops; None where it is not known what some loop counts to."""
    found = list(watched(program, block))
    if not found:
        return []
    chains = [chain for chain in _chains(block) if any(loop in found for loop in chain)]
    if not all(any(loop in chain for chain in chains) for loop in found):
        return None
    made = []
    for chain in chains:
        limits = [limit_of(loop) for loop in chain]
        if None in limits:
            return None
        made.append(Nest(tuple(limit for limit in limits if limit is not None), _weight(chain[-1])))
    return made


def runs_in_order(block: n.Block) -> bool:
    """Whether a block has loops whose iterations follow one another."""
    return any(isinstance(s, n.While) or (isinstance(s, n.For) and s.mapping != "parallel") for s in walk(block))


def known_nests(program: n.Program, kernel: n.Kernel) -> list[Nest]:
    """The nests of a kernel that have watched loops; none where a launch does not know what all of them count to."""
    params = {param.name for param in kernel.params}
    found = nests(program, kernel.body) or []
    known = all(isinstance(atom, n.Const) or atom.name in params for nest in found for atom in nest.limits)
    return found if known else []


def _weight(loop: Loop) -> int:
    """How many statements an iteration counts for."""
    late: set[n.Atom] = {arg.var for arg in loop.args}
    total = 0
    for statement in (s for block in blocks_of(loop) for s in walk(block)):
        total += HEAVY if _is_heavy(statement, late) else 1
        value = statement.value if isinstance(statement, n.Let) else None
        if value is not None and (isinstance(value, n.Load) or not late.isdisjoint(atoms_of(value))):
            late.update(defined_by(statement))
    return total


def _is_heavy(statement: n.Statement, late: set[n.Atom]) -> bool:
    """Whether a statement takes long; `late` are values that are not known before an iteration has begun."""
    value = statement.value if isinstance(statement, n.Let) else None
    if isinstance(value, n.Binary):
        return value.op in ("truediv", "floordiv", "mod", "pow")
    if isinstance(value, n.Load):
        return not late.isdisjoint(value.indices)
    return isinstance(value, n.Math) or isinstance(statement, n.Call)


def _chains(block: n.Block) -> Iterator[tuple[Loop, ...]]:
    """Loops of a thread around one another, from the outermost to each innermost one."""
    for statement in block.statements:
        own = (statement,) if isinstance(statement, (n.For, n.While)) and not _is_axis(statement) else ()
        inner = [chain for inside in blocks_of(statement) for chain in _chains(inside)]
        yield from ((*own, *chain) for chain in inner or ([()] if own else []))


def limit_of(loop: Loop) -> n.Atom | None:
    """What a loop counts to from zero or more; None where that is not known before it."""
    if isinstance(loop, n.For):
        return loop.stop if isinstance(loop.start, n.Const) and loop.start.value.real >= 0 else None
    found = (_limit(loop, condition) for condition in _conditions(loop))
    return next((atom for atom in found if atom is not None), None)


def interval(loop: Loop) -> int:
    """How many iterations there are between two looks: a power of two."""
    return 1 << max(SELDOM // max(_iterations(loop.body), 1), 1).bit_length() - 1


def _iterations(block: n.Block) -> int:
    """About how many iterations of loops a block has; none where it has no loops."""
    total = 0
    for statement in block.statements:
        inside = sum(map(_iterations, blocks_of(statement)))
        trips = known_trips(statement) if isinstance(statement, n.For) else None
        if trips is not None and trips < SOON:
            total += trips * max(inside, 1)
        elif isinstance(statement, (n.For, n.While, n.Call)):
            total += INSIDE * max(inside, 1)
        else:
            total += inside
    return total


def is_endless(loop: n.While) -> bool:
    """Whether no counter ends a loop soon."""
    return not any(_ends_soon(loop, condition) for condition in _conditions(loop))


def is_run_together(loop: Loop) -> bool:
    """Whether all threads of a block run a loop together, and wait for one another in it."""
    return any(_is_axis(s) for s in walk(loop.body))


def may_take_long(loop: n.For, values: Values) -> bool:
    """Whether neither a constant nor an array bounds a loop, and each thread runs it by itself."""
    return _is_of_one_thread(loop) and not has_fewer_trips(loop, SOON) and not is_bounded(loop, values)


def _is_of_one_thread(loop: Loop) -> bool:
    return not _is_axis(loop) and not is_run_together(loop)


def _is_axis(statement: n.Statement) -> bool:
    """Whether a statement stands for the blocks of a grid, or the threads of a block."""
    return isinstance(statement, n.For) and statement.mapping in ("blocks", "threads")


def copies(loop: n.While) -> int:
    """How many times a loop is unrolled: a power of two."""
    size = sum(1 for _ in walk(loop.condition)) + sum(1 for _ in walk(loop.body))
    fits = min(COPIES, STATEMENTS // max(size, 1)) if interval(loop) == SELDOM else 1
    return 1 << max(fits, 1).bit_length() - 1


def _conditions(loop: n.While) -> Iterator[n.Compare]:
    """Comparisons all of which hold when the loop goes on."""
    values = {s.var: s.value for s in loop.condition.statements if isinstance(s, n.Let)}
    todo: list[n.Atom] = [loop.condition.yields[0]]
    while todo:
        atom = todo.pop()
        value = values.get(atom) if isinstance(atom, n.Var) else None
        if isinstance(value, n.Cast):
            todo.append(value.operand)
        elif isinstance(value, n.Binary) and value.op == "and":
            todo += (value.left, value.right)
        elif isinstance(value, n.Compare):
            yield value


def _ends_soon(loop: n.While, condition: n.Compare) -> bool:
    """Whether a comparison keeps a counter below a constant that it reaches soon."""
    atom = _limit(loop, condition)
    return isinstance(atom, n.Const) and atom.value.real <= SOON


def _limit(loop: n.While, condition: n.Compare) -> n.Atom | None:
    """The limit of a counter, which grows from zero or more by one or more, where it is the same in every iteration."""
    counts = (
        isinstance(condition.left.type, Scalar) and condition.left.type.kind == "i" and condition.left.type.bits == 64
    )
    if not counts or condition.op not in ("lt", "le") or not _is_fixed(loop, condition.right):
        return None
    for arg, following in zip(loop.args, loop.body.yields, strict=True):
        begins = isinstance(arg.init, n.Const) and arg.init.value.real >= 0
        if arg.var == condition.left and begins and _is_next(loop, arg.var, following):
            return condition.right
    return None


def _is_fixed(loop: n.While, atom: n.Atom) -> bool:
    """Whether an atom is the same in every iteration."""
    made = {s.var for s in loop.condition.statements if isinstance(s, n.Let)}
    return atom not in made and all(atom != arg.var for arg in loop.args)


def _is_next(loop: n.While, counter: n.Var, following: n.Atom) -> bool:
    """Whether an atom is a counter plus one or more."""
    for statement in loop.body.statements:
        if isinstance(statement, n.Let) and statement.var == following and isinstance(statement.value, n.Binary):
            total = statement.value
            step = total.right if total.left == counter else total.left if total.right == counter else None
            return (
                total.op == "add" and isinstance(step, n.Const) and step.type == counter.type and step.value.real >= 1
            )
    return False
