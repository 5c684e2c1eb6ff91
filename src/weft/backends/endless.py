"""Loops in kernels that may never end: they look, now and then, whether the program is to stop."""

from __future__ import annotations

from collections.abc import Iterator

from weft.ir import nodes as n
from weft.ir.types import Scalar
from weft.ir.visit import walk

SOON = 1 << 20
"""A loop that counts to a constant up to this is not watched; nor is one that counts to a number known before it."""

OFTEN, SELDOM = 1 << 9, 1 << 16
"""Iterations between two looks: where there are loops inside, and where there are none. A look may cross the bus."""

COPIES, STATEMENTS = 16, 384
"""A loop that is watched is unrolled so many times at most, and up to so many statements: so looking costs nothing."""


def is_endless(loop: n.While) -> bool:
    """Whether a loop is watched: no counter ends it soon, and each thread runs it by itself."""
    if any(isinstance(s, n.For) and s.mapping in ("blocks", "threads") for s in walk(loop.body)):
        return False
    return not any(_ends_soon(loop, condition) for condition in _conditions(loop))


def has_endless(program: n.Program, block: n.Block) -> bool:
    """Whether a block, or a function that it calls, has a loop that is watched."""
    for statement in walk(block):
        if isinstance(statement, n.While) and is_endless(statement):
            return True
        if isinstance(statement, n.Call) and has_endless(program, program.function(statement.function).body):
            return True
    return False


def interval(loop: n.While) -> int:
    """How many iterations there are between two looks."""
    inner = any(isinstance(s, (n.For, n.While, n.Call)) for s in walk(loop.body))
    return OFTEN if inner else SELDOM


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
    """Whether a comparison keeps a counter, which grows by one or more, below a limit that is known before the loop."""
    counts = (
        isinstance(condition.left.type, Scalar) and condition.left.type.kind == "i" and condition.left.type.bits == 64
    )
    if not counts or condition.op not in ("lt", "le") or not _is_limit(loop, condition.right):
        return False
    pairs = zip(loop.args, loop.body.yields, strict=True)
    return any(arg.var == condition.left and _is_next(loop, arg.var, following) for arg, following in pairs)


def _is_limit(loop: n.While, atom: n.Atom) -> bool:
    """Whether an atom is the same in every iteration; a constant is a limit only where the loop reaches it soon."""
    if isinstance(atom, n.Const):
        return atom.value.real <= SOON
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
