"""Which names of a function are read later: only those are carried around loops and joined after branches.

One backward walk over the syntax tree of a function. Names that nested functions use count as always read, since such a
function may be called anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import cast as typed

from weft.dataclass import dataclass

Names = frozenset[str]
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)
_LOOPS = (ast.For, ast.While)


@dataclass
class Liveness:
    """The names that are read after each statement (by the identity of the node).

    Of loops, `head` are the names that an iteration reads before it assigns them, or hands on to the next one; `left`
    are those that are read once the loop is left, in its ``else`` clause or after it.
    `joined` counts also what is read where jumps inside the statement lead to: after a branch all ways meet.
    """

    after: dict[int, Names] = field(default_factory=dict)
    joined: dict[int, Names] = field(default_factory=dict)
    head: dict[int, Names] = field(default_factory=dict)
    left: dict[int, Names] = field(default_factory=dict)

    def around(self, loop: ast.stmt) -> Names:
        """The names that are read after an iteration of a loop, in whatever way control goes on."""
        tables = (self.head, self.left, self.joined)
        return frozenset().union(*(table.get(id(loop), frozenset()) for table in tables))


@dataclass(frozen=True)
class _Targets:
    """The names that are read where jumps lead to."""

    leave: Names = frozenset()
    next: Names = frozenset()
    end: Names = frozenset()


def analyse(body: Sequence[ast.stmt], at_end: Names) -> Liveness:
    """The liveness of a function's body; names in `at_end` are read after the function."""
    walker = _Walker(_used_by_nested(body), at_end)
    walker.block(body, at_end, _Targets(end=at_end))
    return walker.found


class _Walker:
    def __init__(self, always: Names, at_end: Names) -> None:
        self.always = always | at_end
        self.handled: Names = frozenset()
        self.found = Liveness()

    def block(self, statements: Sequence[ast.stmt], after: Names, targets: _Targets) -> Names:
        for statement in reversed(statements):
            after = self.statement(statement, after | self.always, targets) | self.handled
        return after

    def statement(self, node: ast.stmt, after: Names, targets: _Targets) -> Names:
        self.found.after[id(node)] = self.found.after.get(id(node), frozenset()) | after
        elsewhere = targets.leave | targets.next | targets.end
        self.found.joined[id(node)] = self.found.joined.get(id(node), frozenset()) | after | elsewhere
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.IfExp):
            chosen = ((after | elsewhere) - _killed(node)).union(*map(reads, node.targets))
            self.found.joined[id(node.value)] = self.found.joined.get(id(node.value), frozenset()) | chosen
        if isinstance(node, ast.If):
            test = reads(node.test)
            return test | self.block(node.body, after, targets) | self.block(node.orelse, after, targets)
        if isinstance(node, ast.For):
            return reads(node.iter) | self.loop(node, writes(node.target), reads(node.target), after, targets)
        if isinstance(node, ast.While):
            return self.loop(node, frozenset(), reads(node.test), after, targets)
        if isinstance(node, ast.With):
            header = frozenset().union(*(reads(item) for item in node.items))
            return header | self.block(node.body, after, targets)
        if isinstance(node, ast.Try):
            return self.guarded(node, after, targets)
        if isinstance(node, ast.Break):
            return targets.leave
        if isinstance(node, ast.Continue):
            return targets.next
        if isinstance(node, (ast.Return, ast.Raise)):
            return targets.end | reads(node)
        if isinstance(node, ast.Delete):
            return (after - _deleted(node)) | reads(node) | _deleted(node)
        return (after - _killed(node)) | reads(node)

    def guarded(self, node: ast.Try, after: Names, targets: _Targets) -> Names:
        """A ``try``: what its handlers read may be read after any statement of its body."""
        outer, elsewhere = (self.always, self.handled), targets.leave | targets.next | targets.end
        if node.finalbody:
            final = self.block(node.finalbody, after | elsewhere, targets)
            after = final
            self._read_anywhere(final)
        handled: Names = frozenset()
        for handler in node.handlers:
            caught = frozenset() if handler.type is None else reads(handler.type)
            handled |= caught | self.block(handler.body, after, targets)
        orelse = self.block(node.orelse, after, targets)
        self._read_anywhere(handled)
        body = self.block(node.body, orelse, targets)
        self.always, self.handled = outer
        return body | handled

    def _read_anywhere(self, names: Names) -> None:
        """An exception may lead to where names are read from before and after each statement."""
        self.always |= names
        self.handled |= names

    def loop(self, node: ast.For | ast.While, killed: Names, read: Names, after: Names, targets: _Targets) -> Names:
        orelse = self.block(node.orelse, after, targets)
        head = read | orelse | (after if has_break(node) else frozenset())
        while True:
            entered = (self.block(node.body, head, _Targets(after, head, targets.end)) | read) - killed
            if entered <= head:
                break
            head |= entered
        self.found.head[id(node)] = self.found.head.get(id(node), frozenset()) | entered
        self.found.left[id(node)] = self.found.left.get(id(node), frozenset()) | after | orelse
        return head


def _killed(node: ast.stmt) -> Names:
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return frozenset()


def _deleted(node: ast.Delete) -> Names:
    """Names that must have values, which they lose."""
    return frozenset(target.id for target in node.targets if isinstance(target, ast.Name))


def reads(node: ast.AST) -> Names:
    """The names that an expression or simple statement reads."""
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    return frozenset(found)


def writes(node: ast.AST) -> Names:
    """The names that a target assigns."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _used_by_nested(body: Sequence[ast.stmt]) -> Names:
    names: set[str] = set()
    for node in body:
        for inner in ast.walk(node):
            if isinstance(inner, _NESTED):
                names.update(n.id for n in ast.walk(inner) if isinstance(n, ast.Name))
    return frozenset(names)


def own_nodes(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a body in source order, without what stands inside nested functions."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _NESTED):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


@dataclass(frozen=True)
class Facts:
    """What one look at a function tells.

    `outer` are the names that it declares ``nonlocal`` or ``global``, `nested_writes` those that functions inside it
    declare so; `returns` says whether it returns a value.
    """

    assigned: tuple[str, ...]
    outer: Names
    nested_writes: Names
    returns: bool


def facts_of(body: Sequence[ast.AST]) -> Facts:
    """The facts of a function's body."""
    nodes = list(own_nodes(body))
    outer = frozenset(name for node in nodes if isinstance(node, (ast.Nonlocal, ast.Global)) for name in node.names)
    return Facts(_assigned(nodes), outer, _written_by_nested(nodes), any(_gives_value(node) for node in nodes))


def assigned(body: Sequence[ast.AST]) -> tuple[str, ...]:
    """The names that a body assigns, or gives other arrays by ``x.shape = ...``, in the order of their first one."""
    nodes = list(own_nodes(body))
    return tuple(dict.fromkeys((*_assigned(nodes), *_reshaped(nodes))))


def _reshaped(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "shape" and isinstance(node.ctx, ast.Store):
            yield from (part.id for part in [node.value] if isinstance(part, ast.Name))


def _assigned(nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found[node.id] = None
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)):
            found |= {} if node.name is None else {node.name: None}
        elif isinstance(node, ast.alias):
            found[(node.asname or node.name).partition(".")[0]] = None
    return tuple(found)


def _written_by_nested(nodes: Sequence[ast.AST]) -> Names:
    """Names that nested functions declare ``nonlocal`` or ``global``: calls of those functions may assign them."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, _NESTED):
            names.update(x for n in ast.walk(node) if isinstance(n, (ast.Nonlocal, ast.Global)) for x in n.names)
    return frozenset(names)


def _gives_value(node: ast.AST) -> bool:
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value is None)


def has_break(loop: ast.For | ast.While) -> bool:
    """Whether a ``break`` ends this very loop."""
    return _has_jump(loop.body, ast.Break)


def _has_jump(body: Sequence[ast.stmt], kind: type[ast.stmt]) -> bool:
    for node in body:
        if isinstance(node, kind):
            return True
        if isinstance(node, ast.If) and (_has_jump(node.body, kind) or _has_jump(node.orelse, kind)):
            return True
        if isinstance(node, ast.With) and _has_jump(node.body, kind):
            return True
        if isinstance(node, ast.Try) and any(_has_jump(part, kind) for part in _parts_of(node)):
            return True
        if isinstance(node, _LOOPS) and _has_jump(node.orelse, kind):
            return True
    return False


def _parts_of(node: ast.Try) -> list[list[ast.stmt]]:
    return [node.body, node.orelse, node.finalbody, *(handler.body for handler in node.handlers)]


def leaves_block(node: ast.AST) -> bool:
    """Whether a statement or handler may leave the block that it stands in by ``return``, ``break`` or ``continue``."""
    body = node.body if isinstance(node, ast.ExceptHandler) else [typed(ast.stmt, node)]
    return has_return(body) or any(_has_jump(body, kind) for kind in (ast.Break, ast.Continue))


def has_return(body: Sequence[ast.stmt]) -> bool:
    """Whether a body can return from the function."""
    return any(isinstance(node, ast.Return) for node in own_nodes(body))
