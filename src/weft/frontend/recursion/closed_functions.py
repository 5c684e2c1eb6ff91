"""Functions that call themselves, once a program is translated: unread parameters go, captured values come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from weft.frontend.recursion.parts import Recursion, Specialisation
from weft.frontend.values.scope import Context
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.recursion import called_in, function_name
from weft.ir.types import View
from weft.ir.visit import Names, atoms_of, blocks_of, free_variables, rewrite, substitute, walk


def finished(ctx: Context, body: n.Block) -> tuple[n.Block, tuple[n.Function, ...]]:
    """The body of a program, and its functions that call themselves."""
    state = ctx.recursion
    made = [one for one in state.made if one.body is not None] if isinstance(state, Recursion) else []
    if not made:
        return body, ()
    known = {param.var for param in ctx.params}
    read = {one.name: _read(made, one) for one in made}
    outside = _outside(made)
    for one in made:
        if not outside[one.name] <= known:
            raise ctx.refusal("view in recursion", one.frame.node, name=one.frame.name)
    functions = [_function(ctx.names, one, read, outside) for one in made]
    written = _written(functions)
    closed = [replace(f, body=_with_writes(f.body, written)) for f in functions]
    return _with_writes(_with_operands(body, read, outside, {}), written), tuple(closed)


def _block(one: Specialisation) -> n.Block:
    assert one.body is not None
    return one.body


def _uses(block: n.Block) -> Iterator[tuple[n.Atom, tuple[str, int] | None]]:
    """What a block reads, and as what argument of which function."""
    for statement in walk(block):
        name = function_name(statement) if isinstance(statement, n.External) else None
        if isinstance(statement, n.External) and name is not None:
            yield from ((atom, (name, k)) for k, atom in enumerate(statement.operands))
        else:
            yield from ((atom, None) for atom in atoms_of(statement))
        yield from ((atom, None) for inner in blocks_of(statement) for atom in inner.yields)
    yield from ((atom, None) for atom in block.yields)


def _read(made: list[Specialisation], one: Specialisation) -> tuple[bool, ...]:
    """Which parameters of a function anybody reads."""
    return tuple((one.name, k) in _all_read(made) for k in range(len(one.params())))


def _all_read(made: list[Specialisation]) -> set[tuple[str, int]]:
    places = {(one.name, var.name): (one.name, k) for one in made for k, var in enumerate(one.params())}
    read: set[tuple[str, int]] = set()
    is_new = True
    while is_new:
        is_new = False
        for one in made:
            for atom, argument in _uses(_block(one)):
                place = places.get((one.name, atom.name)) if isinstance(atom, n.Var) else None
                if place is not None and place not in read and (argument is None or argument in read):
                    read.add(place)
                    is_new = True
    return read


def _outside(made: list[Specialisation]) -> dict[str, frozenset[n.Var]]:
    """The variables of the program that each function, or one that it calls, reads."""
    found = {one.name: frozenset(free_variables(_block(one))) - set(one.params()) for one in made}
    calls = {one.name: {function_name(call) for call in called_in(_block(one))} for one in made}
    while True:
        more = {name: own.union(*(found[str(callee)] for callee in calls[name])) for name, own in found.items()}
        if more == found:
            return found
        found = more


def _function(
    names: Names,
    one: Specialisation,
    read: Mapping[str, tuple[bool, ...]],
    outside: Mapping[str, frozenset[n.Var]],
) -> n.Function:
    own = {var.name: names.fresh(var.stem, var.type) for var in _ordered(outside[one.name])}
    params = [var for var, is_read in zip(one.params(), read[one.name], strict=True) if is_read]
    body = _with_operands(substitute(_block(one), own), read, outside, own)
    node = one.frame.node
    place = Location(one.frame.file, node.lineno, node.col_offset, function=one.frame.name)
    return n.Function(one.name, (*params, *own.values()), body, location=place)


def _ordered(variables: frozenset[n.Var]) -> list[n.Var]:
    return sorted(variables, key=lambda var: var.name)


def _with_operands(
    block: n.Block,
    read: Mapping[str, tuple[bool, ...]],
    outside: Mapping[str, frozenset[n.Var]],
    own: Mapping[str, n.Var],
) -> n.Block:
    """A block whose calls give what the functions read; `own` are what captured values are called in it."""

    def change(statement: n.Statement) -> n.Statement:
        name = function_name(statement) if isinstance(statement, n.External) else None
        if name is None or not isinstance(statement, n.External):
            return statement
        kept = [atom for atom, is_read in zip(statement.operands, read[name], strict=True) if is_read]
        captured = [own.get(var.name, var) for var in _ordered(outside[name])]
        return replace(statement, operands=(*kept, *captured))

    return rewrite(block, change)


def _written(functions: list[n.Function]) -> dict[str, tuple[bool, ...]]:
    """Which parameters each function writes through."""
    found = {f.name: (False,) * len(f.params) for f in functions}
    while True:
        more = {f.name: _writes(f, found) for f in functions}
        if more == found:
            return found
        found = more


def _writes(function: n.Function, known: Mapping[str, tuple[bool, ...]]) -> tuple[bool, ...]:
    roots: dict[str, set[str]] = {p.name: {p.name} for p in function.params if isinstance(p.type, View)}
    flows = [(target, sources) for s in walk(function.body) for target, sources in _flows(s)]
    is_new = True
    while is_new:
        is_new = False
        for target, sources in flows:
            own = roots.setdefault(target, set())
            more = set().union(*(roots.get(source, set()) for source in sources))
            is_new |= not more <= own
            own |= more
    written: set[str] = set()
    for statement in walk(function.body):
        for view in _written_by(statement, known):
            written |= roots.get(view, set())
    return tuple(param.name in written for param in function.params)


def _flows(statement: n.Statement) -> Iterator[tuple[str, list[str]]]:
    """For every view that a statement defines, those that it may be part of."""
    if isinstance(statement, n.Let) and isinstance(statement.var.type, View):
        yield statement.var.name, _views(atoms_of(statement.value))
    elif isinstance(statement, n.If):
        for result, *sides in zip(statement.results, statement.then.yields, statement.orelse.yields, strict=True):
            yield result.name, _views(sides)
    elif isinstance(statement, (n.For, n.While)):
        for arg, last, result in zip(statement.args, statement.body.yields, statement.results, strict=True):
            yield arg.var.name, _views([arg.init, last])
            yield result.name, [arg.var.name]
    elif isinstance(statement, n.External):
        for result in statement.results:
            yield result.name, _views(statement.operands)


def _views(atoms: list[n.Atom] | tuple[n.Atom, ...]) -> list[str]:
    return [atom.name for atom in atoms if isinstance(atom, n.Var) and isinstance(atom.type, View)]


def _written_by(statement: n.Statement, known: Mapping[str, tuple[bool, ...]]) -> Iterator[str]:
    if isinstance(statement, (n.Store, n.Update)):
        yield statement.view.name
    elif isinstance(statement, n.External):
        name = function_name(statement)
        if name is None:
            yield from (view.name for view in statement.writes)
        else:
            pairs = zip(statement.operands, known[name], strict=True)
            yield from (atom.name for atom, writes in pairs if writes and isinstance(atom, n.Var))


def _with_writes(block: n.Block, written: Mapping[str, tuple[bool, ...]]) -> n.Block:
    """A block whose calls say what they read and write."""

    def change(statement: n.Statement) -> n.Statement:
        name = function_name(statement) if isinstance(statement, n.External) else None
        if name is None or not isinstance(statement, n.External):
            return statement
        views = [a for a in statement.operands if isinstance(a, n.Var) and isinstance(a.type, View)]
        pairs = zip(statement.operands, written[name], strict=True)
        writes = [atom for atom, is_written in pairs if is_written and isinstance(atom, n.Var)]
        return replace(statement, reads=tuple(dict.fromkeys(views)), writes=tuple(dict.fromkeys(writes)))

    return rewrite(block, change)
