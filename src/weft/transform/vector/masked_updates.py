"""Masked updates: an integer that is updated where a condition holds is updated always, by nothing where it does not.

``if cond: count += 1`` becomes ``count += int(cond)``, and ``if cond: x ^= k`` becomes ``x ^= k if cond else 0``. So
what goes from iteration to iteration is one operation without a choice: compilers make no branch of it, and fold it in
lanes. Updates in several branches join: where ``x < 1`` nothing, else where ``x < 2`` one more is
``int(not x < 1 and x < 2)``.

A loop inside of others that does nothing but fold integers so is marked as a fold, whose iterations may run in any
order: loops that were made of others, like those that count what a tile will store, are not judged again.

What is loaded and stored again, as the values of loops whose iterations run side by side, is selected as it was.
Integers only: 0.0 added to a float is not nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from weft.ir import nodes as n
from weft.ir.effects import may_raise
from weft.ir.neutral import identity
from weft.ir.scribe import Scribe
from weft.ir.types import Scalar
from weft.ir.visit import Names, atoms_of, blocks_of, with_blocks
from weft.transform.simplify.dce import cleaned
from weft.transform.support import on_blocks

UPDATES = frozenset({"add", "sub", "or", "xor", "and"})
FOLDS = frozenset({"add", "or", "xor", "and"})


def masked_updates(program: n.Program) -> n.Program:
    """Update integers in loops without choosing between the old value and the new one."""
    change = _Masks(Names.of(program))
    return on_blocks(program, lambda block: change.block(block, False))


def masked_updates_of(loop: n.For, names: Names) -> n.For:
    """One loop with its updates changed."""
    (changed,) = _Masks(names).block(n.Block((loop,)), False).statements
    assert isinstance(changed, n.For)
    return changed


class _Masks:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.carried: set[str] = set()
        """Names of what loops carry, and of what became of it."""
        self.values: dict[str, n.Expression] = {}

    def block(self, block: n.Block, is_in_loop: bool) -> n.Block:
        """The block with its updates changed."""
        statements: list[n.Statement] = []
        for statement in block.statements:
            if isinstance(statement, n.Let):
                made = self._let(statement) if is_in_loop else [statement]
                if made[-1].value is not statement.value:
                    self.carried.add(statement.var.name)
                self.values.update((let.var.name, let.value) for let in made)
                statements += made
                continue
            inner = blocks_of(statement)
            if isinstance(statement, (n.For, n.While)):
                self.carried.update(arg.var.name for arg in statement.args)
            new = tuple(self.block(b, is_in_loop or isinstance(statement, (n.For, n.While))) for b in inner)
            same = all(a is b for a, b in zip(new, inner, strict=True))
            statement = statement if same else with_blocks(statement, new)
            statements.append(_as_fold(statement) if is_in_loop and isinstance(statement, n.For) else statement)
        same = len(statements) == len(block.statements)
        if same and all(a is b for a, b in zip(statements, block.statements, strict=True)):
            return block
        return replace(block, statements=tuple(statements))

    def _let(self, let: n.Let) -> list[n.Let]:
        """What stands for an assignment."""
        value, type = let.value, let.var.type
        if not isinstance(value, n.Select) or not isinstance(type, Scalar) or type.kind not in "iu":
            return [let]
        for is_taken, (kept, updated) in ((True, (value.orelse, value.then)), (False, (value.then, value.orelse))):
            update = self._update(kept, updated, type)
            if update is not None:
                scribe = Scribe(self.names, let.location)
                amount = self._masked(scribe, value.condition, is_taken, update, type)
                return [*_lets(scribe), replace(let, value=replace(update, left=kept, right=amount))]
        return [let]

    def _update(self, kept: n.Atom, updated: n.Atom, type: Scalar) -> n.Binary | None:
        """The operation that makes one value of another, which is its first operand; None where none does."""
        value = self.values.get(updated.name) if isinstance(updated, n.Var) else None
        if not isinstance(kept, n.Var) or not isinstance(value, n.Binary) or value.op not in UPDATES:
            return None
        if kept.name not in self.carried:
            return None
        if value.right == kept and value.left != kept and value.op != "sub":
            value = replace(value, left=value.right, right=value.left)
        fits = value.left == kept and value.right != kept and value.right.type == type
        return value if fits and not may_raise(value, type) else None

    def _masked(self, scribe: Scribe, condition: n.Atom, is_taken: bool, update: n.Binary, type: Scalar) -> n.Atom:
        """The second operand of an update where a condition is so, else what changes nothing."""
        nothing = identity("add" if update.op == "sub" else update.op, type)
        if not nothing.value:
            mask = self._mask(scribe, condition, is_taken, update.right, type)
            if mask is not None:
                return mask
        sides = (update.right, nothing) if is_taken else (nothing, update.right)
        return scribe.select(condition, *sides)

    def _mask(self, scribe: Scribe, condition: n.Atom, is_taken: bool, amount: n.Atom, type: Scalar) -> n.Atom | None:
        """An amount of one bit, shifted or not, where a condition is so, else 0; None for other amounts."""
        made = self.values.get(amount.name) if isinstance(amount, n.Var) else None
        if isinstance(made, n.Binary) and made.op == "shl" and not may_raise(made, type):
            bit = self._mask(scribe, condition, is_taken, made.left, type)
            return None if bit is None else scribe.let(replace(made, left=bit), type)
        inner = made.operand if isinstance(made, n.Cast) and _is_boolean(made.operand) else None
        if inner is None and not (isinstance(amount, n.Const) and amount.value == 1):
            return None
        mask = scribe.boolean(condition) if is_taken else scribe.negated(scribe.boolean(condition))
        if inner is not None:
            mask = scribe.both([mask, scribe.boolean(inner)])
        return scribe.let(n.Cast(mask, checked=False), type)


def _as_fold(loop: n.For) -> n.For:
    """A loop that does nothing but fold integers, marked so; any other loop as it is."""
    if loop.mapping != "sequential" or loop.exit is not None or not loop.args:
        return loop
    body = cleaned(loop.body)
    lets = {s.var.name: s.value for s in body.statements if isinstance(s, n.Let) and not may_raise(s.value, s.var.type)}
    if len(lets) < len(body.statements):
        return loop
    uses = Counter(a.name for s in body.statements for a in atoms_of(s) if isinstance(a, n.Var))
    uses.update(a.name for a in body.yields if isinstance(a, n.Var))
    operators = [_operator(arg.var, value, lets, uses) for arg, value in zip(loop.args, body.yields, strict=True)]
    if None in operators:
        return loop
    args = tuple(replace(arg, combine=op) for arg, op in zip(loop.args, operators, strict=True))
    return replace(loop, body=body, args=args, mapping="parallel")


def _operator(arg: n.Var, value: n.Atom, lets: Mapping[str, n.Expression], uses: Mapping[str, int]) -> str | None:
    """The operator that alone makes the next value of a carried integer; None where there is none."""
    found: str | None = None
    while isinstance(arg.type, Scalar) and arg.type.kind in "iu" and isinstance(value, n.Var) and uses[value.name] == 1:
        if value == arg:
            return found
        made = lets.get(value.name)
        if not isinstance(made, n.Binary) or made.op not in FOLDS or found not in (None, made.op):
            return None
        found, value = made.op, made.left
    return None


def _lets(scribe: Scribe) -> list[n.Let]:
    return [s for s in scribe.statements if isinstance(s, n.Let)]


def _is_boolean(atom: n.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.kind == "b"
