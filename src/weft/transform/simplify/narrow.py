"""Narrow: Python integers computed from small ones, by arithmetic that stays small, are computed in 16 or 32 bits.

``128 + int(a[i]) - int(b[i])`` of bytes needs no 64 bits, and a vector holds two or four times as many of them. Only
for values whose range follows from the types that they come from, and that end in comparisons and conversions; what
indexes an array or is kept stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.values.intervals import Interval, intervals, of_atom, of_type
from weft.ir import nodes as n
from weft.ir.types import BOOL, INT16, INT32, PYINT, Scalar
from weft.ir.visit import Names, atoms_of, blocks_of, rewrite, substitute, walk
from weft.transform.support import on_blocks

_STEPS = frozenset({"add", "sub", "mul", "min", "max"})


def narrow(program: n.Program) -> n.Program:
    """Compute small integers as small ones."""
    names = Names.of(program)
    return on_blocks(program, lambda body: _narrowed(body, names))


def _narrowed(body: n.Block, names: Names) -> n.Block:
    ranges = _small(body)
    if not ranges:
        return body
    groups = _groups(body, ranges, _closed(body, ranges))
    types = {
        name: INT16 if all(_fits(ranges[other], INT16) for other in group) else INT32
        for group in groups
        for name in group
    }
    wide = _chosen_by_wide(body, types)
    types.update((name, INT32) for group in groups if group & wide for name in group)
    return _Rewriter(types, names).block(body) if types else body


def _chosen_by_wide(body: n.Block, types: dict[str, Scalar]) -> set[str]:
    """Names of what comparisons of numbers of 32 or more bits choose: it takes instructions to make masks narrower."""
    lets = [s for s in walk(body) if isinstance(s, n.Let)]
    compared = {s.var.name: s.value.left for s in lets if isinstance(s.value, n.Compare)}
    found = set()
    for let in lets:
        condition = let.value.condition if isinstance(let.value, n.Select) else None
        number = compared.get(condition.name) if isinstance(condition, n.Var) else None
        type = types.get(number.name, number.type) if isinstance(number, n.Var) else None
        if isinstance(type, Scalar) and type.bits >= 32:
            found.add(let.var.name)
    return found


def _fits(interval: Interval, type: Scalar) -> bool:
    limits = of_type(type)
    return limits is not None and limits[0] <= interval[0] and interval[1] <= limits[1]


def _small(body: n.Block) -> dict[str, Interval]:
    """The bounds of the integers that are small, and that are computed by what is there for small ones too."""
    known = intervals(body)
    lets = (s for s in walk(body) if isinstance(s, n.Let) and s.var.name in known and _is_step(s.value))
    return {let.var.name: known[let.var.name] for let in lets if _fits(known[let.var.name], INT32)}


def _is_step(value: n.Expression) -> bool:
    if isinstance(value, n.Cast):
        type = value.operand.type
        return isinstance(type, Scalar) and not type.weak and type.bits <= 16
    return isinstance(value, (n.Select, n.Unary)) or (isinstance(value, n.Binary) and value.op in _STEPS)


# ----------------------------------------------------------------------------------------------- what is used


def _closed(body: n.Block, ranges: dict[str, Interval]) -> set[str]:
    """The small integers that only comparisons, conversions and other such integers use."""
    chosen = set(ranges)
    while True:
        bad = {name for name in _kept_wide(body, chosen, ranges) if name in chosen}
        if not bad:
            return chosen
        chosen -= bad


def _kept_wide(body: n.Block, chosen: set[str], ranges: dict[str, Interval]) -> Iterator[str]:
    for statement in walk(body):
        names = [a.name for a in atoms_of(statement) if isinstance(a, n.Var) and a.name in chosen]
        if isinstance(statement, n.Let):
            if not all(_is_narrow(a, chosen, ranges) for a in _together(statement)):
                names.append(statement.var.name)
            elif _takes_narrow(statement, chosen, ranges):
                names = []
        yield from names
        for block in blocks_of(statement):
            yield from (a.name for a in block.yields if isinstance(a, n.Var))
    yield from (a.name for a in body.yields if isinstance(a, n.Var))


def _together(statement: n.Let) -> tuple[n.Atom, ...]:
    """The operands that have the type of what is assigned, and it itself; or that are compared."""
    value = statement.value
    if isinstance(value, n.Binary):
        return (value.left, value.right) if statement.var.type == PYINT else ()
    if isinstance(value, n.Select):
        return (value.then, value.orelse) if statement.var.type == PYINT else ()
    if isinstance(value, n.Compare):
        return (value.left, value.right) if value.left.type == PYINT else ()
    return (value.operand,) if isinstance(value, n.Unary) and statement.var.type == PYINT else ()


def _is_narrow(atom: n.Atom, chosen: set[str], ranges: dict[str, Interval]) -> bool:
    if isinstance(atom, n.Const):
        interval = of_atom(atom, ranges)
        return interval is not None and _fits(interval, INT32)
    return atom.name in chosen


def _takes_narrow(statement: n.Let, chosen: set[str], ranges: dict[str, Interval]) -> bool:
    """Whether a statement works as well on narrow operands."""
    value = statement.value
    if isinstance(value, n.Cast):
        type = statement.var.type
        if not isinstance(type, Scalar) or type == PYINT or not isinstance(value.operand, n.Var):
            return statement.var.name in chosen
        if value.operand.name not in chosen or type.kind in "fb":
            return True
        return type.kind in "iu" and (not value.checked or _fits(ranges[value.operand.name], type))
    return isinstance(value, n.Compare) or statement.var.name in chosen


def _groups(body: n.Block, ranges: dict[str, Interval], chosen: set[str]) -> list[set[str]]:
    """The chosen integers, those that meet in an operation together; each group contains a conversion at least."""
    group_of = {name: {name} for name in chosen}
    for statement in walk(body):
        if not isinstance(statement, n.Let):
            continue
        atoms = [a for a in _together(statement) if isinstance(a, n.Var) and a.name in chosen]
        constants = [a for a in _together(statement) if isinstance(a, n.Const)]
        names = [a.name for a in atoms] + ([statement.var.name] if statement.var.name in chosen else [])
        for k, constant in enumerate(constants if names else []):
            key = f"\0{id(statement)} {k}"
            ranges[key] = of_atom(constant, ranges) or (0, 0)
            group_of[key] = {key}
            names.append(key)
        for name in names[1:]:
            merged = group_of[names[0]] | group_of[name]
            for member in merged:
                group_of[member] = merged
    return list({id(group): group for group in group_of.values()}.values())


# ---------------------------------------------------------------------------------------------------- change


class _Rewriter:
    def __init__(self, types: dict[str, Scalar], names: Names) -> None:
        self.types = types
        self.names = names
        self.values: dict[str, n.Atom] = {name: n.Var(name, type) for name, type in types.items()}

    def block(self, block: n.Block) -> n.Block:
        """The block with the chosen integers in their new types."""
        return substitute(rewrite(block, lambda s: self._let(s) if isinstance(s, n.Let) else s), self.values)

    def _let(self, statement: n.Let) -> n.Let | tuple[n.Let, ...]:
        names = [a.name for a in _together(statement) if isinstance(a, n.Var)] + [statement.var.name]
        type = next((self.types[name] for name in names if name in self.types), None)
        value = statement.value
        if isinstance(value, n.Cast) and isinstance(value.operand, n.Var) and value.operand.name in self.types:
            return replace(statement, value=replace(value, checked=False))
        if type is None:
            return statement
        if isinstance(value, n.Compare):
            compared = replace(value, left=_typed(value.left, type), right=_typed(value.right, type))
            outcome = self.names.fresh(statement.var.stem, BOOL)
            return replace(statement, var=outcome, value=compared), replace(statement, value=n.Cast(outcome, False))
        if isinstance(value, n.Binary):
            value = replace(value, left=_typed(value.left, type), right=_typed(value.right, type))
        elif isinstance(value, n.Select):
            value = replace(value, then=_typed(value.then, type), orelse=_typed(value.orelse, type))
        if isinstance(value, (n.Unary, n.Binary, n.Cast)):
            value = replace(value, checked=False)
        return replace(statement, value=value)


def _typed(atom: n.Atom, type: Scalar) -> n.Atom:
    return replace(atom, type=type) if isinstance(atom, n.Const) else atom
