"""What a printer must know of a program beforehand: uses of variables, storages behind views, lifetimes of memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from weft.ir import nodes as n
from weft.ir.effects import VIEWS
from weft.ir.recursion import called_in, gives_views
from weft.ir.types import Scalar, Type, View
from weft.ir.visit import atoms_of, blocks_of, walk

ANY = "*"
"""The root of a view of which nothing is known: the parameter of a function."""


_KEEPING_SIGN = frozenset({"add", "mul", "floordiv", "min", "or", "xor", "shr"})

_WITHOUT_SIGN = frozenset({"sqrt", "square", "fabs", "absolute", "abs", "exp"})
"""Functions and operations that give no negative numbers, but NaN maybe."""

LARGE = 2.0**-100
"""From 2^-101 on roots of float32 need no tests, see `Facts.is_large`; a constant may have been rounded."""


class Facts:
    """Facts of one program; computed when first asked for."""

    def __init__(self, program: n.Program) -> None:
        self._program = program

    @cached_property
    def _blocks(self) -> tuple[n.Block, ...]:
        entry = (block for block in (self._program.assumption, self._program.needs) if block is not None)
        return (self._program.body, *entry, *(f.body for f in self._program.functions))

    # -------------------------------------------------------------------------------------------------- uses

    @cached_property
    def uses(self) -> dict[str, int]:
        """How often each variable is used."""
        return {name: len(places) for name, places in self._places.items()}

    def is_used_once_in(self, name: str, block: n.Block) -> bool:
        """Whether the only use of a variable is in a block by itself, not in a loop or branch inside it."""
        return self._places.get(name) == [id(block)]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for top in self._blocks:
            for block in all_blocks(top):
                for atom in _used_directly(block):
                    if isinstance(atom, n.Var):
                        places.setdefault(atom.name, []).append(id(block))
        return places

    @cached_property
    def makes_integers_of_floats(self) -> bool:
        """Whether a float becomes an integer anywhere."""
        lets = (s for block in self._blocks for s in walk(block) if isinstance(s, n.Let))
        return any(_is_integer_of_float(let) for let in lets)

    # ------------------------------------------------------------------------------------------------- signs

    def is_nonnegative(self, atom: n.Atom, depth: int = 8) -> bool:
        """Whether an integer is certainly 0 or more, as far as its definition tells."""
        if isinstance(atom, n.Const):
            return atom.value.real >= 0
        if isinstance(atom.type, Scalar) and atom.type.kind == "u":
            return True
        made = self._definitions.get(atom.name)
        if made is None or depth == 0:
            return False
        if isinstance(made, n.For):
            return self.is_nonnegative(made.start, depth - 1)
        return self._gives_nonnegative(made, depth - 1)

    def _gives_nonnegative(self, value: n.Expression, depth: int) -> bool:
        if isinstance(value, n.Dim):
            return True
        if isinstance(value, n.Cast):
            type = value.operand.type
            return isinstance(type, Scalar) and type.kind == "u" and type.bits < 64
        if not isinstance(value, n.Binary):
            return False
        sides = [self.is_nonnegative(value.left, depth), self.is_nonnegative(value.right, depth)]
        if value.op in ("and", "max"):
            return any(sides)
        if value.op == "mod":
            return sides[1]
        return value.op in _KEEPING_SIGN and all(sides)

    def is_chosen(self, atom: n.Atom, depth: int = 8) -> bool:
        """Whether a compiler may see that a number is one of two constants, as far as its definition tells."""
        if isinstance(atom, n.Const):
            return False
        if depth == 0 or isinstance(atom.type, Scalar) and atom.type.kind == "b":
            return True
        made = self._definitions.get(atom.name)
        sides = (made.then, made.orelse) if isinstance(made, n.Select) else self._results_of_branches.get(atom.name)
        if sides is not None:
            return all(isinstance(side, n.Const) or self.is_chosen(side, depth - 1) for side in sides)
        if isinstance(made, n.Binary) and made.op == "min" and any(_is_small(a) for a in (made.left, made.right)):
            return True
        if made is None or isinstance(made, (n.For, n.Load)):
            return atom.name in self._results_of_calls
        return any(self.is_chosen(operand, depth - 1) for operand in atoms_of(made))

    @cached_property
    def _results_of_branches(self) -> dict[str, tuple[n.Atom, n.Atom]]:
        """What branches give: the values of the two sides."""
        branches = [s for block in self._blocks for s in walk(block) if isinstance(s, n.If)]
        yields = (zip(s.results, s.then.yields, s.orelse.yields, strict=True) for s in branches)
        return {result.name: (then, orelse) for results in yields for result, then, orelse in results}

    @cached_property
    def _results_of_calls(self) -> frozenset[str]:
        """What functions give that compilers may look into."""
        calls = (s for block in self._blocks for s in walk(block) if isinstance(s, n.Call))
        return frozenset(result.name for call in calls for result in call.results)

    def is_large(self, atom: n.Atom, depth: int = 8) -> bool:
        """Whether a float is certainly at least 2^-101, if it is a number: a constant, and what is not less."""
        if isinstance(atom, n.Const):
            return isinstance(atom.value, float) and atom.value >= LARGE
        made = self._definitions.get(atom.name) if depth else None
        if isinstance(made, n.Cast) and _is_float(made.operand.type):
            return self.is_large(made.operand, depth - 1)
        if not isinstance(made, n.Binary) or made.op != "add":
            return False  # sums are rounded so that they are not less than what is added to zero or more
        sides = (made.left, made.right), (made.right, made.left)
        return any(self.is_large(a, depth - 1) and self._has_no_sign(b, depth - 1) for a, b in sides)

    def _has_no_sign(self, atom: n.Atom, depth: int) -> bool:
        """Whether a float is certainly not less than zero; it may be NaN."""
        if isinstance(atom, n.Const):
            return isinstance(atom.value, float) and not atom.value < 0
        made = self._definitions.get(atom.name) if depth > 0 and _is_float(atom.type) else None
        if isinstance(made, (n.Math, n.Unary)):
            return (made.op if isinstance(made, n.Unary) else made.name) in _WITHOUT_SIGN
        if isinstance(made, n.Cast) and _is_float(made.operand.type):
            return self._has_no_sign(made.operand, depth - 1)
        if not isinstance(made, n.Binary) or made.op not in ("add", "mul"):
            return False  # what is divided by -0.0 is less than zero
        is_square = made.op == "mul" and made.left == made.right
        return is_square or (self._has_no_sign(made.left, depth - 1) and self._has_no_sign(made.right, depth - 1))

    def is_product(self, atom: n.Atom) -> bool:
        """Whether a variable is the product of two others."""
        made = self._definitions.get(atom.name) if isinstance(atom, n.Var) else None
        return isinstance(made, n.Binary) and made.op == "mul"

    @cached_property
    def _definitions(self) -> dict[str, n.Expression | n.For]:
        """What defines each variable that a `Let` or, as its index, a `For` defines."""
        found: dict[str, n.Expression | n.For] = {}
        for block in self._blocks:
            for statement in walk(block):
                if isinstance(statement, n.Let):
                    found[statement.var.name] = statement.value
                elif isinstance(statement, n.For):
                    found[statement.index.name] = statement
        return found

    # ------------------------------------------------------------------------------------------------- roots

    def roots(self, view: n.Var) -> frozenset[str]:
        """The storages that a view may be part of: names of array parameters and of `Alloc` variables, or `ANY`."""
        return self._roots.get(view.name, frozenset((ANY,)))

    @cached_property
    def _roots(self) -> dict[str, frozenset[str]]:
        shared = frozenset(self._program.overlaps)
        names = [p.var.name for p in self._program.params if isinstance(p.var.type, View)]
        roots = {name: shared if name in shared else frozenset((name,)) for name in names}
        given = frozenset(result.name for call in self._calls for result in call.results)
        for function in self._program.functions:
            tracked = self.tracked_params
            roots.update({p.name: frozenset((ANY, p.name) if p.name in tracked else (ANY,)) for p in function.params})
        flows = [flow for block in self._blocks for flow in _flows(block)]
        changed = True
        while changed:
            changed = False
            for target, sources in flows:
                found = frozenset().union(*(roots.get(s, frozenset()) for s in sources), roots.get(target, frozenset()))
                if target in self.allocations or target in given:
                    found |= {target}
                if found != roots.get(target):
                    roots[target] = found
                    changed = True
        return roots

    @cached_property
    def _calls(self) -> tuple[n.External, ...]:
        """The calls of functions that call themselves, and give arrays."""
        calls = (call for block in self._blocks for call in called_in(block))
        return tuple(call for call in calls if any(isinstance(r.type, View) for r in call.results))

    @cached_property
    def tracked_params(self) -> frozenset[str]:
        """The arrays that functions are given which give arrays: these may be the same memory."""
        functions = [f for f in self._program.functions if gives_views(f)]
        return frozenset(p.name for f in functions for p in f.params if isinstance(p.type, View))

    def keeps(self, statement: n.Statement) -> bool:
        """Whether a statement by itself makes or gives memory that may outlive its block."""
        if isinstance(statement, n.Let):
            return statement.var.name in self.escaping and statement.var.name in self.allocations
        return isinstance(statement, n.External) and any(isinstance(r.type, View) for r in statement.results)

    @cached_property
    def allocations(self) -> frozenset[str]:
        """Names of the variables that an `Alloc` assigns."""
        lets = (s for block in self._blocks for s in walk(block) if isinstance(s, n.Let))
        return frozenset(s.var.name for s in lets if isinstance(s.value, n.Alloc))

    @cached_property
    def escaping(self) -> frozenset[str]:
        """Allocations whose memory may outlive the block in which they stand: a view of it is yielded."""
        found = set(self.tracked_params)
        found.update(r.name for call in self._calls for r in call.results if isinstance(r.type, View))
        for top in self._blocks:
            for block in all_blocks(top):
                made = {s.var.name for s in block.statements if isinstance(s, n.Let) and s.var.name in self.allocations}
                for atom in block.yields:
                    if made and isinstance(atom, n.Var) and isinstance(atom.type, View):
                        found |= made & self.roots(atom)
        return frozenset(found)

    def may_escape(self, view: n.Var) -> bool:
        """Whether a view may be part of memory that outlives its block."""
        return bool(self.roots(view) & self.escaping)


def _is_float(type: Type) -> bool:
    return isinstance(type, Scalar) and type.kind == "f"


def all_blocks(block: n.Block) -> Iterator[n.Block]:
    """A block and all blocks inside it."""
    yield block
    for statement in block.statements:
        for inner in blocks_of(statement):
            yield from all_blocks(inner)


def _used_directly(block: n.Block) -> Iterator[n.Atom]:
    for statement in block.statements:
        yield from atoms_of(statement)
    yield from block.yields


def _flows(block: n.Block) -> Iterator[tuple[str, list[str]]]:
    """For every view that is assigned, the views that it is made from."""
    for statement in walk(block):
        if isinstance(statement, n.Let):
            if isinstance(statement.value, (*VIEWS, n.Alloc, n.Select)) and isinstance(statement.var.type, View):
                yield statement.var.name, _names(atoms_of(statement.value))
        elif isinstance(statement, n.If):
            for result, *sides in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
                yield result.name, _names(sides)
        elif isinstance(statement, n.External):
            for result in statement.results:
                if isinstance(result.type, View):
                    yield result.name, _names(statement.operands)
        elif isinstance(statement, (n.For, n.While)):
            triples = zip(statement.args, statement.body.yields, statement.results, strict=True)
            for arg, last, result in triples:
                yield arg.var.name, _names((arg.init, last))
                yield result.name, [arg.var.name]


def _names(atoms: Iterable[n.Atom]) -> list[str]:
    return [a.name for a in atoms if isinstance(a, n.Var) and isinstance(a.type, View)]


def stores_twice(block: n.Block) -> bool:
    """Whether a block, without the loops in it, stores into one view at several places."""
    views = [s.view.name for s in block.statements if isinstance(s, (n.Store, n.Update))]
    return len(set(views)) < len(views)


def _is_integer_of_float(let: n.Let) -> bool:
    """Whether a number that may have a fraction becomes an integer."""
    if not isinstance(let.var.type, Scalar) or let.var.type.kind not in "iu":
        return False
    if isinstance(let.value, n.Math):
        return True
    source = let.value.operand.type if isinstance(let.value, n.Cast) else None
    return isinstance(source, Scalar) and source.kind in "fc"


def _is_small(atom: n.Atom) -> bool:
    """Whether an atom is a constant of at most 1."""
    return isinstance(atom, n.Const) and atom.value.real <= 1
