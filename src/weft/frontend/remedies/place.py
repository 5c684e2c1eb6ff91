"""A construct in the user's function, the statement it stands in, and that statement written anew."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from types import ModuleType

from weft.dataclass import dataclass
from weft.errors import Code

COMPOUND = ("body", "orelse", "finalbody", "handlers", "cases")


@dataclass(frozen=True)
class Place:
    """A construct and what is around it.

    Attributes
    ----------
    function
        The function that it stands in.
    statement
        The innermost statement around it.
    node
        The construct.
    names
        The global names of the function.
    """

    function: ast.AST
    statement: ast.stmt
    node: ast.AST
    names: dict[str, object]

    @staticmethod
    def of(function: ast.AST, node: ast.AST, names: dict[str, object]) -> Place | None:
        """The place of a construct; None where its statement shares a line with another one."""
        around = [s for s in _statements(function) if any(inner is node for inner in _header(s))]
        if len(around) != 1:
            return None
        others = [s for s in ast.walk(function) if isinstance(s, ast.stmt) and s is not around[0]]
        shared = any(_begins(s, around[0]) if _is_inside(s, around[0]) else _meet(s, around[0]) for s in others)
        return None if shared else Place(function, around[0], node, names)

    def instead(self, new: ast.expr) -> Code:
        """The statement with another expression in place of the construct."""
        return self.written([_replaced(self.statement, self.node, new)])

    def written(self, statements: list[ast.stmt]) -> Code:
        """Other statements in place of this one; of a compound one whose body stays, the head alone."""
        first, last = self.statement.lineno, _end(self.statement)
        texts = [ast.unparse(ast.fix_missing_locations(_headed(s, self.statement))) for s in statements]
        if _stays(statements, self.statement):
            return Code(texts[0].rpartition("\n")[0], first, _first_line(self.statement) - 1)
        return Code("\n".join(texts), first, last)

    def module(self, name: str) -> str | None:
        """What a module is called in the function's file; None where it is not imported."""
        found = (key for key, v in self.names.items() if isinstance(v, ModuleType) and v.__name__ == name)
        return next((key for key in found if key not in self.assigned()), None)

    def assigned(self) -> set[str]:
        """Names of the function's own."""
        names = {n.id for n in ast.walk(self.function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return names | {n.arg for n in ast.walk(self.function) if isinstance(n, ast.arg)}

    def fresh(self, stem: str) -> str:
        """A name that nothing in the function has."""
        taken = self.assigned() | {n.id for n in ast.walk(self.function) if isinstance(n, ast.Name)} | set(self.names)
        candidates = (f"{stem}{k}" if k else stem for k in range(len(taken) + 1))
        return next(name for name in candidates if name not in taken)

    def parents(self) -> dict[int, ast.AST]:
        """The node around each node of the function, by identity."""
        return {id(inner): outer for outer in ast.walk(self.function) for inner in ast.iter_child_nodes(outer)}


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.stmt) and node is not tree)


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    """A statement and its expressions, without the statements in its body."""
    yield statement
    waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, _BODIES)]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += ast.iter_child_nodes(node)


_BODIES = (ast.stmt, ast.excepthandler, ast.match_case)


def _is_inside(a: ast.stmt, b: ast.stmt) -> bool:
    return any(inner is a for inner in ast.walk(b)) or any(inner is b for inner in ast.walk(a))


def _begins(outer: ast.stmt, inner: ast.stmt) -> bool:
    """Whether a compound statement begins on the line of one in its body, as in ``if x: y = 1``."""
    ends = (getattr(node, "end_lineno", None) or 0 for node in _header(outer) if node is not outer)
    return inner in ast.walk(outer) and inner.lineno <= max((outer.lineno, *ends))


def _meet(a: ast.stmt, b: ast.stmt) -> bool:
    return a.lineno <= _end(b) and b.lineno <= _end(a)


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _first_line(statement: ast.stmt) -> int:
    body: list[ast.stmt] = getattr(statement, "body", [])
    return body[0].lineno if body else _end(statement) + 1


def _stays(new: list[ast.stmt], old: ast.stmt) -> bool:
    """Whether only the head of a compound statement is another one, and stands on lines of its own."""
    return len(new) == 1 and hasattr(old, "body") and type(new[0]) is type(old) and _first_line(old) > old.lineno


def _headed(statement: ast.stmt, old: ast.stmt) -> ast.stmt:
    """A compound statement of the user's without its body, which stays in the file."""
    if not (hasattr(statement, "body") and type(statement) is type(old) and _first_line(old) > old.lineno):
        return statement
    head = copy.copy(statement)
    for name in COMPOUND:
        if getattr(head, name, None):
            setattr(head, name, [])
    head.body = [ast.Pass()]
    return head


def _replaced(tree: ast.stmt, old: ast.AST, new: ast.expr) -> ast.stmt:
    """A copy of a statement with one of its nodes replaced."""
    changed = copy.deepcopy(tree, {id(old): new})
    assert isinstance(changed, ast.stmt)
    return changed
