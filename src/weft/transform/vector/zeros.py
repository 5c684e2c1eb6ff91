"""Zeros: the sign of a zero that is the least or the greatest of floats is that of the first one, as in Python.

``min(-0.0, 0.0)`` is its first operand. Lanes of a vector meet the elements in another order, which matters only where
the result is a zero and zeros of both signs are among the values. So after such a fold, a zero is looked for again in
order, up to the first one; where nothing else can be in it, as in the largest of absolute values, nothing is added.

Assumes that the loops are marked. A loop whose values cannot be computed again, since it writes what it reads, is not
parallel any more. Not needed where the parts of a fold are contiguous and meet in order, as on devices, nor where the
iterations of a loop around the fold are the lanes.
"""

from __future__ import annotations

from dataclasses import replace

from weft.analysis.access.aliases import Aliases
from weft.analysis.access.structure import Structure
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import BOOL, PYBOOL, Scalar, Type
from weft.ir.visit import Names, blocks_of, renamed, rewrite, walk, with_blocks
from weft.transform.support import on_blocks, with_loops
from weft.transform.vector.interchange import reads_in_order

SUFFIX = ".zero"
"""What the label of the second loop ends in."""


def zeros(program: n.Program) -> n.Program:
    """Give zeros that are extremes the sign of the first one."""
    bodies = (program.body, *(f.body for f in program.functions))
    if not any(isinstance(s, n.For) and _extremes(s) for body in bodies for s in walk(body)):
        return program
    program = on_blocks(program, lambda block: with_loops(block, _in_lanes))
    names = Names.of(program)
    labels = {s.label for body in bodies for s in walk(body) if isinstance(s, (n.For, n.While))}
    params = {id(f.body): f.params for f in program.functions} | {id(program.body): [p.var for p in program.params]}

    def change(block: n.Block) -> n.Block:
        return _Change(names, labels, Aliases(Structure(params[id(block)], block), program.overlaps)).block(block)

    return on_blocks(program, change)


def _in_lanes(loop: n.For) -> tuple[n.Statement, ...] | None:
    """A parallel loop whose iterations `interchange` runs side by side, with its extremes in order: each lane has its
    own, so vectors need no other order."""
    if loop.mapping != "parallel" or loop.args or not reads_in_order(loop):
        return None
    body = rewrite(loop.body, lambda s: _in_order(s) if isinstance(s, n.For) and _extremes(s) else s)
    return (loop if body is loop.body else replace(loop, body=body),)


def _extremes(loop: n.For) -> list[int]:
    """Which values of a loop are extremes of floats."""
    return [
        k for k, arg in enumerate(loop.args)
        if arg.combine in ("min", "max") and isinstance(arg.var.type, Scalar) and arg.var.type.kind == "f"
    ]  # fmt: skip


class _Change:
    def __init__(self, names: Names, labels: set[str], aliases: Aliases) -> None:
        self.names = names
        self.labels = labels
        self.aliases = aliases

    def block(self, block: n.Block, around: frozenset[str] = frozenset()) -> n.Block:
        """The block with its folds followed by what finds the sign; one that goes on with one around is a part of it.

        `around` are names of the extremes that loops around carry.
        """
        statements: list[n.Statement] = []
        for statement in block.statements:
            doubtful = self.doubtful(statement, around) if isinstance(statement, n.For) else []
            carried = {statement.args[k].var.name for k in doubtful} if isinstance(statement, n.For) else set()
            inner = blocks_of(statement)
            new = tuple(self.block(b, around | carried) for b in inner)
            changed = any(a is not b for a, b in zip(new, inner, strict=True))
            kept = with_blocks(statement, new) if changed else statement
            statements += self.followed(kept, doubtful) if isinstance(kept, n.For) and doubtful else [kept]
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def doubtful(self, loop: n.For, around: frozenset[str]) -> list[int]:
        """The extremes that may be zeros of either sign, and begin here."""
        return [k for k in _extremes(loop) if _name(loop.args[k].init) not in around and not _has_one_zero(loop, k)]

    def followed(self, loop: n.For, doubtful: list[int]) -> list[n.Statement]:
        """A fold, and the search for the first zero where its result is one; the fold in order where that is unsafe."""
        if not self.is_repeatable(loop):
            return [_in_order(loop)]
        found = {k: self.names.fresh(loop.results[k].stem, loop.results[k].type) for k in doubtful}
        results = tuple(found.get(k, var) for k, var in enumerate(loop.results))
        statements: list[n.Statement] = [replace(loop, results=results)]
        for k, var in found.items():
            statements += self.signed(loop, k, var)
        return statements

    def is_repeatable(self, loop: n.For) -> bool:
        """Whether nothing that a loop reads is written by it, so that its values can be computed again."""
        block = n.Block((loop,))
        written = [view for s in walk(block) for view in written_views(s)]
        loads = [s.value.view for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        if any(isinstance(s, (n.External, n.Call)) for s in walk(block)):
            return False
        return not any(self.aliases.may_alias(read, view) for read in loads for view in written)

    def signed(self, loop: n.For, place: int, found: n.Var) -> list[n.Statement]:
        """The result is the extreme, or the first zero where it is one and the loop does not begin with it."""
        zero, start = n.Const(0.0, found.type), loop.args[place].init
        boolean = _boolean(found.type)
        is_zero, begins, searches = (self.names.fresh(stem, boolean) for stem in ("zero", "begins", "searches"))
        first = self.search(loop, place)
        return [
            n.Let(is_zero, n.Compare("eq", found, zero), loop.location),
            n.Let(begins, n.Compare("ne", start, zero), loop.location),
            n.Let(searches, n.Binary("and", is_zero, begins), loop.location),
            n.If(searches, first, self.otherwise(is_zero, start, found, loop), (loop.results[place],), loop.location),
        ]

    def otherwise(self, is_zero: n.Var, start: n.Atom, found: n.Var, loop: n.For) -> n.Block:
        chosen = self.names.fresh(found.stem, found.type)
        return n.Block((n.Let(chosen, n.Select(is_zero, start, found), loop.location),), (chosen,))

    def search(self, loop: n.For, place: int) -> n.Block:
        """The loop in order and without what it writes, up to the iteration that finds a zero."""
        bare = rewrite(n.Block((_in_order(loop),)), lambda s: () if isinstance(s, (n.Store, n.Update)) else s)
        (copy,) = rewrite(renamed(bare, self.names), lambda s: self.labelled(s, place)).statements
        assert isinstance(copy, n.For)
        value = copy.body.yields[place]
        boolean = _boolean(value.type)
        going, alive = self.names.fresh("going", boolean), self.names.fresh("alive", boolean)
        goes_on = n.Let(alive, n.Compare("ne", value, n.Const(0.0, value.type)), loop.location)
        body = n.Block((*copy.body.statements, goes_on), (*copy.body.yields, alive))
        args = (*copy.args, n.LoopArg(going, n.Const(True, boolean)))
        results = (*copy.results, self.names.fresh("alive", boolean))
        ending = replace(copy, body=body, args=args, results=results, exit=len(copy.args))
        return n.Block((ending,), (copy.results[place],))

    def labelled(self, statement: n.Statement, place: int) -> n.Statement:
        """A loop with a label of its own: a fold inside of one may be searched alone, and with the one around it."""
        if not isinstance(statement, (n.For, n.While)):
            return statement
        label = f"{statement.label}{SUFFIX}{place or ''}"
        while label in self.labels:
            label += SUFFIX
        self.labels.add(label)
        return replace(statement, label=label)


def _boolean(type: Type) -> Scalar:
    """The type of a comparison."""
    return PYBOOL if isinstance(type, Scalar) and type.weak else BOOL


def _in_order(loop: n.For) -> n.For:
    """The loop and those inside of it, one iteration after the other."""

    def change(statement: n.Statement) -> n.Statement:
        if not isinstance(statement, n.For):
            return statement
        args = tuple(replace(arg, combine=None) for arg in statement.args)
        return replace(statement, mapping="sequential", args=args)

    (made,) = rewrite(n.Block((loop,)), change).statements
    assert isinstance(made, n.For)
    return made


def _has_one_zero(loop: n.For, place: int) -> bool:
    """Whether all values that an extreme is taken of have zeros of the same sign, if any."""
    definitions = {s.var.name: s.value for s in walk(loop.body) if isinstance(s, n.Let)}
    carried = loop.args[place].var
    if any(isinstance(s, (n.For, n.While, n.If)) for s in walk(loop.body)):
        return False
    value = definitions.get(_name(loop.body.yields[place]))
    if not isinstance(value, n.Binary) or value.op not in ("min", "max") or value.left != carried:
        return False
    return _is_positive_zero(value.right, definitions)


def _is_positive_zero(atom: n.Atom, definitions: dict[str, n.Expression]) -> bool:
    """Whether a value is proven not to be -0.0."""
    value = definitions.get(_name(atom))
    if isinstance(value, n.Unary):
        return value.op == "abs"
    if isinstance(value, n.Binary):
        square = value.op == "mul" and value.left == value.right
        return square or (
            value.op == "add" and any(_is_positive_zero(a, definitions) for a in (value.left, value.right))
        )
    if isinstance(value, n.Cast):
        source = value.operand.type
        whole = isinstance(source, Scalar) and source.kind in "iub"
        return whole or _is_positive_zero(value.operand, definitions)
    return False


def _name(atom: n.Atom) -> str:
    return atom.name if isinstance(atom, n.Var) else ""
