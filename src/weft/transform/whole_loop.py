"""What a program of a piece has to know of the loop that it is a piece of.

Some choices change how a sum is bracketed: few rows are shared among threads, rows of a sparse matrix are cut where
tiles end. A piece makes them as the whole loop does, so that its elements have the bits of a call without pieces. The
bounds of a piece are ``max(start, first)`` and ``min(stop, end)`` with two arguments; what is computed from them is
written once more, with numbers in place of these that leave `start` and `stop` as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.interface import END_OF_PIECE, FIRST_OF_PIECE
from weft.ir.scribe import Scribe
from weft.ir.visit import Names, atoms_of, blocks_of, bound_inside, defined_by, renamed, substitute, walk
from weft.transform.support import assume

FAR = 1 << 54
"""Beyond all iterations, and within what programs assume of indices (`weft.transform.safety.index_limits`)."""

SAFE = ("add", "sub", "mul", "min", "max", "and", "or", "xor")
"""Operations that are done for any two numbers."""


class WholeLoop:
    """Values of a program as they are for the whole loop.

    Parameters
    ----------
    program
        The program, of a piece or not.

    Attributes
    ----------
    ends
        What the names of the bounds of the piece stand for; nothing in a program that runs all.
    """

    def __init__(self, program: n.Program) -> None:
        numbers = {FIRST_OF_PIECE: -FAR, END_OF_PIECE: FAR}
        self._program = program
        self.ends: dict[str, n.Atom] = {
            param.var.name: n.Const(numbers[param.source.name])
            for param in program.params
            if param.source.kind == "argument" and param.source.name in numbers
        }
        self._defined: dict[str, n.Statement] = {}
        self._varies: dict[str, bool] = dict.fromkeys(self.ends, True)
        self.note(program.body.statements)

    @property
    def is_cut(self) -> bool:
        """Whether the program runs a piece."""
        return bool(self.ends)

    def note(self, statements: Iterable[n.Statement]) -> None:
        """Take statements for a part of the program from now on."""
        for statement in walk(n.Block(tuple(statements))) if self.is_cut else ():
            carried = bound_inside(statement) if isinstance(statement, (n.For, n.While)) else ()
            index = statement.index if isinstance(statement, n.For) else None
            made = (*defined_by(statement), *(var for var in carried if var != index))
            self._defined.update({var.name: statement for var in made})

    def of(self, value: n.Atom, write: Scribe) -> n.Atom:
        """A value as it is for the whole loop; what computes it is written where it is not the same.

        Raises
        ------
        UnsupportedError
            It depends on the bounds of the piece in a way that is not followed.
        """
        self.note(write.statements)
        return self._again(value, write, dict(self.ends))

    def _again(self, value: n.Atom, write: Scribe, made: dict[str, n.Atom]) -> n.Atom:
        if not isinstance(value, n.Var) or not self._is_of_piece(value):
            return value
        if value.name not in made:
            expression = self._followed(value)
            known = {a.name: self._again(a, write, made) for a in atoms_of(expression) if isinstance(a, n.Var)}
            made[value.name] = write.let(substitute(expression, known), value.type, value.stem)
        return made[value.name]

    def _followed(self, value: n.Var) -> n.Expression:
        """What a value is computed by, where that may be done again: it raises nothing, and divides by the same."""
        statement = self._defined[value.name]
        found = statement.value if isinstance(statement, n.Let) else None
        if isinstance(found, n.Binary) and (found.op in SAFE or not self._is_of_piece(found.right)):
            return replace(found, checked=False)
        if isinstance(found, (n.Unary, n.Cast)):
            return replace(found, checked=False)
        if isinstance(found, (n.Compare, n.Select)):
            return found
        raise self.refusal(statement, value.stem)

    def refusal(self, statement: n.Statement, what: str) -> UnsupportedError:
        """The error of a piece that cannot know what the whole loop does."""
        return UnsupportedError(
            f"{self._program.name} cannot be cut into pieces",
            getattr(statement, "location", self._program.location),
            cause=f"how its sums are added depends on {what}, which a piece does not know",
            hint="run it on one device",
        )

    def _is_of_piece(self, value: n.Atom) -> bool:
        """Whether a value depends on the bounds of the piece. The counter of an iteration is the same in all."""
        if not isinstance(value, n.Var) or not self.is_cut:
            return False
        if value.name not in self._varies:
            waiting, seen = [value.name], set[str]()
            while waiting:
                name = waiting.pop()
                if self._varies.get(name):
                    self._varies[value.name] = True
                    return True
                if name not in seen and name not in self._varies and name in self._defined:
                    waiting += [a.name for a in _needed(self._defined[name]) if isinstance(a, n.Var)]
                seen.add(name)
            self._varies.update(dict.fromkeys(seen, False))
        return self._varies[value.name]


def _needed(statement: n.Statement) -> Iterator[n.Atom]:
    """What a statement computes its results from, or what decides about them."""
    yield from atoms_of(statement)
    for block in blocks_of(statement):
        yield from block.yields
        for inner in walk(block):
            yield from atoms_of(inner)


def assume_of_whole(program: n.Program) -> n.Program:
    """Let a program of a piece assume what the whole loop does, too, so that it runs in the same variant."""
    whole = WholeLoop(program)
    if program.assumption is None or not whole.is_cut:
        return program
    names = Names.of(program)
    again = renamed(substitute(program.assumption, whole.ends), names)
    return assume(program, again.statements, again.yields[0], names)
