"""Walking and rebuilding programs: written once, used by every analysis and pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from operator import is_
from typing import Any, TypeVar

from weft.ir import nodes as n
from weft.ir.types import Type

T = TypeVar("T")


def atoms_of(node: object) -> list[n.Atom]:
    """The atoms used directly by an expression or statement; those inside its blocks are not included."""
    found: list[n.Atom] = []
    _collect_atoms(node, found)
    return found


def _collect_atoms(node: object, found: list[n.Atom]) -> None:
    for name in _OPERAND_FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) is n.Var or type(value) is n.Const:
            found.append(value)
        elif value is not None:
            _collect_in(value, found)


DEFINED = frozenset({"var", "index", "results", "location", "other", "kernel"})
"""Names of fields that define variables, or that hold none."""


def _collect_in(value: Any, found: list[n.Atom]) -> None:
    kind = type(value)
    if kind is n.Var or kind is n.Const:
        found.append(value)
    elif kind is tuple:
        for item in value:
            _collect_in(item, found)
    elif kind is n.LoopArg:
        found.append(value.init)
    elif kind in _NESTED:
        _collect_atoms(value, found)


EXPRESSIONS = (
    n.Unary, n.Binary, n.Compare, n.Select, n.Cast, n.Math, n.Native, n.Fma, n.Load, n.Dim, n.Undefined, n.Alloc,
    n.Subview, n.Transpose, n.Split, n.Mergeable, n.Merge, n.FieldView, n.Lanes, n.Broadcast, n.ReduceLanes,
    n.RunningLanes, n.Lane, n.Pack, n.Aligned, n.Room,
)  # fmt: skip
_NESTED = frozenset({n.Slice, n.TileProduct, n.WindowProduct, n.Steps, *EXPRESSIONS})


def blocks_of(statement: n.Statement) -> tuple[n.Block, ...]:
    """The blocks directly inside a statement, in the order in which they run."""
    if isinstance(statement, n.Let):
        return ()
    if isinstance(statement, n.For):
        return (statement.body,)
    if isinstance(statement, n.While):
        return (statement.condition, statement.body)
    if isinstance(statement, n.If):
        return (statement.then, statement.orelse)
    if isinstance(statement, n.Launch):
        return (statement.kernel.body,)
    return ()


_WITH_BLOCKS = frozenset({n.For, n.While, n.If, n.Launch})


def walk(block: n.Block) -> Iterator[n.Statement]:
    """Every statement in a block, outer before inner, in source order."""
    inside: list[Iterator[n.Statement]] = [iter(block.statements)]
    while inside:
        for statement in inside[-1]:
            yield statement
            if type(statement) in _WITH_BLOCKS:
                inside += [iter(inner.statements) for inner in blocks_of(statement)[::-1]]
                break
        else:
            inside.pop()


def launches_in(block: n.Block) -> Iterator[n.Launch]:
    """Every launch in a block, in source order; none is inside of a kernel, which are large."""
    for statement in block.statements:
        if type(statement) is n.Launch:
            yield statement
        elif type(statement) in _WITH_BLOCKS:
            for inner in blocks_of(statement):
                yield from launches_in(inner)


def foreign_call(kernel: n.Kernel) -> n.External | None:
    """The call of a user's own kernel that a kernel of a launch stands for; None for kernels that Weft writes."""
    body = kernel.body.statements
    return body[0] if len(body) == 1 and isinstance(body[0], n.External) else None


def known_trips(loop: n.For) -> int | None:
    """How many iterations a loop has, where constants say so."""
    if not isinstance(loop.start, n.Const) or not isinstance(loop.stop, n.Const):
        return None
    return max(int(loop.stop.value.real) - int(loop.start.value.real), 0)


def has_fewer_trips(loop: n.For, many: int) -> bool:
    """Whether a loop has a constant number of iterations, fewer than so many."""
    trips = known_trips(loop)
    return trips is not None and trips < many


def arrays_made_in(block: n.Block) -> frozenset[str]:
    """The names of the arrays that a block makes, also in blocks inside of it."""
    return frozenset(s.var.name for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Alloc))


def defined_by(statement: n.Statement) -> tuple[n.Var, ...]:
    """The variables that a statement assigns, seen after it."""
    if isinstance(statement, n.Let):
        return (statement.var,)
    return tuple(getattr(statement, "results", ()))


def bound_inside(statement: n.Statement) -> tuple[n.Var, ...]:
    """The variables that a statement binds for its blocks: loop indices and arguments."""
    if isinstance(statement, n.For):
        return (statement.index, *(a.var for a in statement.args))
    if isinstance(statement, n.While):
        return tuple(a.var for a in statement.args)
    if isinstance(statement, n.Launch):
        return statement.kernel.params
    return ()


def bound_by(statement: n.Statement) -> tuple[n.Var, ...]:
    """All variables that a statement defines, for what follows it and for its blocks."""
    if isinstance(statement, n.Let):
        return (statement.var,)
    return (*defined_by(statement), *bound_inside(statement))


def free_variables(block: n.Block) -> tuple[n.Var, ...]:
    """Variables used in a block and defined outside it, in the order of their first use."""
    found: dict[str, n.Var] = {}
    _collect_free(block, set(), found)
    return tuple(found.values())


def _collect_free(block: n.Block, defined: set[str], found: dict[str, n.Var]) -> None:
    def use(atoms: Iterable[n.Atom]) -> None:
        for atom in atoms:
            if isinstance(atom, n.Var) and atom.name not in defined:
                found.setdefault(atom.name, atom)

    for statement in block.statements:
        use(atoms_of(statement))
        for inner in blocks_of(statement):
            _collect_free(inner, defined | {v.name for v in bound_inside(statement)}, found)
        defined.update(v.name for v in defined_by(statement))
    use(block.yields)


def with_blocks(statement: n.Statement, blocks: tuple[n.Block, ...]) -> n.Statement:
    """The statement with other blocks, in the order of `blocks_of`."""
    if isinstance(statement, n.For):
        return replace(statement, body=blocks[0])
    if isinstance(statement, n.While):
        return replace(statement, condition=blocks[0], body=blocks[1])
    if isinstance(statement, n.If):
        return replace(statement, then=blocks[0], orelse=blocks[1])
    if isinstance(statement, n.Launch):
        return replace(statement, kernel=replace(statement.kernel, body=blocks[0]))
    return statement


Rewrite = Callable[[n.Statement], "n.Statement | tuple[n.Statement, ...]"]


def rewrite(block: n.Block, change: Rewrite) -> n.Block:
    """Rebuilds a block bottom-up: `change` sees a statement after its blocks were rebuilt, and may return several."""
    statements: list[n.Statement] = []
    for statement in block.statements:
        inner = blocks_of(statement)
        if inner:
            rebuilt = tuple(rewrite(b, change) for b in inner)
            if any(a is not b for a, b in zip(rebuilt, inner, strict=True)):
                statement = with_blocks(statement, rebuilt)
        changed = change(statement)
        if isinstance(changed, tuple):
            statements.extend(changed)
        else:
            statements.append(changed)
    if len(statements) == len(block.statements) and all(map(is_, statements, block.statements)):
        return block
    return replace(block, statements=tuple(statements))


def substitute(node: T, values: Mapping[str, n.Atom]) -> T:
    """The node with the variables named in `values` replaced everywhere, definitions too when they map to a Var."""
    if not values:
        return node
    return _substitute(node, values)  # type: ignore[no-any-return]


def _substitute(node: Any, values: Mapping[str, n.Atom]) -> Any:
    kind = type(node)
    if kind is n.Var:
        return values.get(node.name, node)
    if kind is tuple:
        items = tuple([_substitute(item, values) for item in node])
        return node if all(map(is_, items, node)) else items
    fields_of_kind = _REBUILT_FIELDS.get(kind)
    if fields_of_kind is None:
        return node
    same, parts = True, []
    for name, holds_variables in fields_of_kind:
        part = getattr(node, name)
        if holds_variables and part is not None:
            new = values.get(part.name, part) if type(part) is n.Var else _substitute(part, values)
            same &= new is part
            part = new
        parts.append(part)
    return node if same else kind(*parts)


REBUILT = (
    *EXPRESSIONS, n.Slice, n.Block, n.LoopArg, n.TileProduct, n.WindowProduct, n.Steps, n.Let, n.Store, n.Update, n.For,
    n.While, n.If, n.Raise, n.Call, n.External, n.Reserve, n.Copy, n.Free, n.Launch, n.Wait, n.Kernel, n.Uniform,
    n.Function,
)  # fmt: skip

_WITHOUT_VARIABLES = frozenset(
    {
        "location",
        "other",
        "op",
        "checked",
        "bounds",
        "label",
        "name",
        "type",
        "claim",
        "mapping",
        "memory",
        "late",
        "under_way",
        "ahead",
        "width",
        "down",
        "across",
        "together",
    }  # fmt: skip
)
_OPERAND_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(f.name for f in fields(kind) if f.name not in DEFINED | _WITHOUT_VARIABLES) for kind in REBUILT
}
_REBUILT_FIELDS: dict[type, tuple[tuple[str, bool], ...]] = {
    kind: tuple((f.name, f.name not in _WITHOUT_VARIABLES) for f in fields(kind)) for kind in REBUILT
}
"""All fields, and whether variables may be in them."""


class Names:
    """A supply of fresh variable names for one program."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._given = 0
        self._next: dict[str, int] = {}
        self.numbers: dict[str, int] = {}
        """The names that were given out, with the order in which that was."""

    @classmethod
    def of(cls, program: n.Program) -> Names:
        """A supply that avoids all names of a program."""
        return cls(v.name for v in variables(program))

    def fresh(self, stem: str, type: Type) -> n.Var:
        """A new variable whose user-visible name is `stem`."""
        if "." in stem:
            stem = stem.partition(".")[0]
        count = self._next.get(stem, 0)
        name = stem if count == 0 else f"{stem}.{count}"
        while name in self._taken:
            count += 1
            name = f"{stem}.{count}"
        self._taken.add(name)
        self._next[stem] = count + 1
        self._given += 1
        self.numbers[name] = self._given
        return n.Var(name, type)


def variables(program: n.Program) -> Iterator[n.Var]:
    """Every variable that a program defines."""
    for param in program.params:
        yield param.var
    blocks = [program.body, *(f.body for f in program.functions)]
    blocks += [block for block in (program.assumption, program.needs) if block is not None]
    for function in program.functions:
        yield from function.params
    for block in blocks:
        yield from bound_in(block)


def bound_in(block: n.Block) -> Iterator[n.Var]:
    """Every variable that a block defines, also in blocks inside of it."""
    for statement in walk(block):
        yield from bound_by(statement)


def renamed(block: n.Block, names: Names) -> n.Block:
    """A copy of a block in which every variable it defines has a fresh name, so that both can stand in a program."""
    return renamed_with(block, names, {})


def renamed_with(block: n.Block, names: Names, values: Mapping[str, n.Atom]) -> n.Block:
    """The same, with other values for some variables that it does not define."""
    fresh: dict[str, n.Atom] = dict(values)
    for var in bound_in(block):
        fresh[var.name] = names.fresh(var.stem, var.type)
    return substitute(block, fresh)
