"""What several passes share: which blocks of a program they change, and what the program assumes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias

from weft.analysis.access.access import AccessTable, table
from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Path, Structure
from weft.analysis.dependence.verdicts import Verdicts, judge
from weft.analysis.values.ranges import Ranges, ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, View
from weft.ir.visit import Names, blocks_of, with_blocks

Change: TypeAlias = Callable[[n.Block], n.Block]
Splice: TypeAlias = Callable[[n.Statement, Path], tuple[n.Statement, ...] | None]
ChangeBody: TypeAlias = Callable[[n.Block, Ranges], n.Block]


def on_blocks(program: n.Program, change: Change) -> n.Program:
    """The program with its body and the bodies of its helper functions changed."""
    body = change(program.body)
    functions = tuple(_with_body(function, change(function.body)) for function in program.functions)
    if body is program.body and all(a is b for a, b in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, body=body, functions=functions)


def _with_body(function: n.Function, body: n.Block) -> n.Function:
    return function if body is function.body else replace(function, body=body)


def for_each_body(program: n.Program, change: ChangeBody) -> n.Program:
    """As `on_blocks`, for a change that asks for ranges, aliases and the structure."""
    body = change(program.body, ranges_of(program))
    functions = tuple(_with_body(f, change(f.body, _ranges_of_function(f))) for f in program.functions)
    if body is program.body and all(a is b for a, b in zip(functions, program.functions, strict=True)):
        return program
    return replace(program, body=body, functions=functions)


def _ranges_of_function(function: n.Function) -> Ranges:
    """The ranges of a helper, whose array parameters may all be one array."""
    structure = Structure(function.params, function.body)
    return Ranges(structure, Aliases(structure, (p.name for p in function.params if isinstance(p.type, View))))


def is_sure_to_be_made(ranges: Ranges, name: str) -> bool:
    """Whether a variable is a new array whose making cannot raise, since no extent is negative."""
    definition = ranges.aliases.structure.definition(name)
    if not isinstance(definition.value, n.Alloc):
        return False
    lows = (ranges.interval(extent, definition.region)[0] for extent in definition.value.shape)
    return all(low is not None and low >= 0 for low in lows)


class _Answers:
    """What passes ask about one program: found when first asked for."""

    def __init__(self, program: n.Program) -> None:
        self.program = program

    @cached_property
    def table(self) -> AccessTable:
        return table(self.program)

    @cached_property
    def verdicts(self) -> Verdicts:
        return judge(self.program, table=self.table)


def _answers(program: n.Program) -> _Answers:
    """The answers about a program; those about the last few programs are remembered, since passes try things out."""
    global _remembered
    known = _remembered
    found = next((answers for answers in known if answers.program is program), None) or _Answers(program)
    _remembered = (found, *(answers for answers in known if answers is not found))[:MOST_REMEMBERED]
    return found


def forget() -> None:
    """Forget the answers about the last programs."""
    global _remembered
    _remembered = ()


MOST_REMEMBERED = 4
_remembered: tuple[_Answers, ...] = ()


def ranges_of(program: n.Program) -> Ranges:
    """The ranges of the body of a program, under what it assumes.

    Each pass has its own: which proofs are found depends on what was asked before.
    """
    return ranges(program)


def table_of(program: n.Program) -> AccessTable:
    """The access table of a program."""
    return _answers(program).table


def judged(program: n.Program) -> Verdicts:
    """The verdicts about the loops of a program."""
    return _answers(program).verdicts


def marked(before: n.Program, after: n.Program) -> n.Program:
    """The second program, which differs from the first in marks on its loops alone: the verdicts hold for it too."""
    known = _answers(before)
    if after is not before and "verdicts" in vars(known):
        _answers(after).verdicts = known.verdicts
    return after


def assume(program: n.Program, statements: tuple[n.Statement, ...], condition: n.Atom, names: Names) -> n.Program:
    """The program that assumes one condition more; the statements compute it, where what was assumed before holds."""
    if condition == n.Const(True, PYBOOL):
        return program
    new, old = n.Block(statements, (condition,)), program.assumption
    if old is None:
        return replace(program, assumption=new)
    both = names.fresh("holds", PYBOOL)
    joined = n.If(old.yields[0], new, n.Block((), (n.Const(False, PYBOOL),)), (both,), program.location)
    return replace(program, assumption=n.Block((*old.statements, joined), (both,)))


def spliced(block: n.Block, change: Splice, path: Path = ()) -> n.Block:
    """The block with statements replaced, from the outermost inwards.

    `change` says what stands for a statement, which is taken as given, blocks and all; None where its blocks are to be
    looked at. The same block comes back where nothing changed.
    """
    statements: list[n.Statement] = []
    for position, statement in enumerate(block.statements):
        here = (*path, position)
        changed = change(statement, here)
        if changed is None:
            inner = blocks_of(statement)
            new = tuple(spliced(b, change, (*here, number)) for number, b in enumerate(inner))
            same = all(a is b for a, b in zip(new, inner, strict=True))
            changed = (statement if same else with_blocks(statement, new),)
        statements.extend(changed)
    same = len(statements) == len(block.statements)
    if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
        return block
    return replace(block, statements=tuple(statements))


def replace_at(block: n.Block, changes: Mapping[Path, tuple[n.Statement, ...]], path: Path = ()) -> n.Block:
    """The block, which stands at a path, with the statements at some places replaced."""
    return spliced(block, lambda _, here: changes.get(here), path) if changes else block


def with_loops(block: n.Block, change: Callable[[n.For], tuple[n.Statement, ...] | None]) -> n.Block:
    """The block with its outermost loops replaced for which `change` does not say None."""
    return spliced(block, lambda statement, _: change(statement) if isinstance(statement, n.For) else None)
