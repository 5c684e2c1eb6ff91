"""``match`` by values, names and tuples, written as ``if`` and ``else``: what the rest of the compiler reads.

Every test and every name keeps its place in the user's file. A ``match`` with a pattern that has no such form
(mappings, positions in classes, ``*rest``) stays as it is, and is refused where it is translated.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, field

_LENGTHS = (tuple, list, range)
"""What a sequence in a pattern may be; arrays are none for Python, and strings neither."""


class _NoFormError(Exception):
    """A pattern that is no chain of comparisons."""


@dataclass
class _Found:
    """What a pattern asks for, and what it names."""

    tests: list[ast.expr] = field(default_factory=list)
    names: list[tuple[str, ast.expr]] = field(default_factory=list)


def without_matches(tree: ast.AST) -> None:
    """Write the ``match`` statements of a file as ``if``, in place."""
    taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    taken |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    _Rewriter(taken).visit(tree)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def visit_Match(self, node: ast.Match) -> ast.stmt | list[ast.stmt]:
        """One statement, those inside first."""
        self.generic_visit(node)
        try:
            return self._chain(node)
        except _NoFormError:
            return node

    def _chain(self, node: ast.Match) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        subject = node.subject
        if not isinstance(subject, ast.Name) or subject.id in _assigned_by(node):
            name = self._fresh("subject")
            before = [ast.copy_location(ast.Assign([_at(ast.Name(name, ast.Store()), subject)], subject), subject)]
            subject = _at(ast.Name(name, ast.Load()), subject)
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            rest = _case(case, subject, rest)
        return [*before, *rest] or [ast.copy_location(ast.Pass(), node)]

    def _fresh(self, stem: str) -> str:
        names = (f"{stem}{k}" if k else stem for k in range(len(self.taken) + 1))
        name = next(name for name in names if name not in self.taken)
        self.taken.add(name)
        return name


def _assigned_by(node: ast.Match) -> set[str]:
    """The names that patterns and guards assign."""
    parts = [part for case in node.cases for part in (case.pattern, case.guard) if part is not None]
    inner = [inner for part in parts for inner in ast.walk(part)]
    names = {n.name for n in inner if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name is not None}
    return names | {n.target.id for n in inner if isinstance(n, ast.NamedExpr)}


def _case(case: ast.match_case, subject: ast.expr, rest: list[ast.stmt]) -> list[ast.stmt]:
    """A case, before those that come after it."""
    found = _Found()
    _read(case.pattern, subject, found)
    names = [_assignment(name, value, case.pattern) for name, value in found.names]
    if not found.tests:
        return [*names, *(case.body if case.guard is None else [_branch(case.guard, case.body, rest)])]
    if case.guard is None:
        return [_branch(_all_of(found.tests, case.pattern), [*names, *case.body], rest)]
    known = [_named(name, value, case.pattern) for name, value in found.names]
    return [_branch(_all_of([*found.tests, *known, case.guard], case.pattern), case.body, rest)]


def _read(pattern: ast.pattern, subject: ast.expr, found: _Found) -> None:
    """Add the tests and names of a pattern for what `subject` gives."""
    if isinstance(pattern, ast.MatchValue):
        found.tests.append(_compare(subject, ast.Eq(), pattern.value, pattern))
    elif isinstance(pattern, ast.MatchSingleton):
        found.tests.append(_compare(subject, ast.Is(), _at(ast.Constant(pattern.value), pattern), pattern))
    elif isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _read(pattern.pattern, subject, found)
        if pattern.name is not None:
            found.names.append((pattern.name, subject))
    elif isinstance(pattern, ast.MatchOr):
        found.tests.append(_any_of(pattern, subject))
    elif isinstance(pattern, ast.MatchSequence):
        _read_sequence(pattern, subject, found)
    elif isinstance(pattern, ast.MatchClass) and not pattern.patterns:
        _read_class(pattern, subject, found)
    else:
        raise _NoFormError


def _any_of(pattern: ast.MatchOr, subject: ast.expr) -> ast.expr:
    tests: list[ast.expr] = []
    for inner in pattern.patterns:
        one = _Found()
        _read(inner, subject, one)
        if one.names:
            raise _NoFormError
        tests.append(_all_of(one.tests, inner) if one.tests else _at(ast.Constant(True), inner))
    return _at(ast.BoolOp(ast.Or(), tests), pattern)


def _read_sequence(pattern: ast.MatchSequence, subject: ast.expr, found: _Found) -> None:
    if any(isinstance(inner, ast.MatchStar) for inner in pattern.patterns):
        raise _NoFormError
    kinds = _at(ast.Tuple([_known(kind, pattern) for kind in _LENGTHS], ast.Load()), pattern)
    length = _at(ast.Call(_known(len, pattern), [_copied(subject, pattern)], []), pattern)
    count = _at(ast.Constant(len(pattern.patterns)), pattern)
    found.tests.append(_at(ast.Call(_known(isinstance, pattern), [_copied(subject, pattern), kinds], []), pattern))
    found.tests.append(_compare(length, ast.Eq(), count, pattern))
    for place, inner in enumerate(pattern.patterns):
        index = _at(ast.Constant(place), inner)
        _read(inner, _at(ast.Subscript(_copied(subject, inner), index, ast.Load()), inner), found)


def _read_class(pattern: ast.MatchClass, subject: ast.expr, found: _Found) -> None:
    """A class, and attributes that are read once each, as Python reads them."""
    tested = _at(ast.Call(_known(isinstance, pattern), [_copied(subject, pattern), pattern.cls], []), pattern)
    found.tests.append(tested)
    for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        is_name = isinstance(inner, ast.MatchAs) and inner.pattern is None and inner.name is not None
        if not is_name and not isinstance(inner, (ast.MatchValue, ast.MatchSingleton)):
            raise _NoFormError
        _read(inner, _at(ast.Attribute(_copied(subject, inner), name, ast.Load()), inner), found)


def _known(value: object, place: ast.AST) -> ast.expr:
    """A function or class of Python's own, whatever its name stands for in the user's program."""
    return _at(ast.Constant(value), place)  # type: ignore[arg-type]


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr, place: ast.AST) -> ast.expr:
    return _at(ast.Compare(_copied(left, place), [op], [right]), place)


def _all_of(tests: list[ast.expr], place: ast.AST) -> ast.expr:
    return tests[0] if len(tests) == 1 else _at(ast.BoolOp(ast.And(), tests), place)


def _branch(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> ast.stmt:
    return ast.copy_location(ast.If(test, body, orelse), test)


def _assignment(name: str, value: ast.expr, place: ast.AST) -> ast.stmt:
    target = _at(ast.Name(name, ast.Store()), place)
    return ast.copy_location(ast.Assign([target], _copied(value, place)), place)


def _named(name: str, value: ast.expr, place: ast.AST) -> ast.expr:
    """A name that a guard reads: the tuple of one element always counts as true."""
    target = ast.copy_location(ast.Name(name, ast.Store()), place)
    return _at(ast.Tuple([_at(ast.NamedExpr(target, _copied(value, place)), place)], ast.Load()), place)


def _copied(node: ast.expr, place: ast.AST) -> ast.expr:
    """Another node for the same expression, at a place of its own: facts of nodes are kept by their identity."""
    fresh = copy.deepcopy(node)
    for inner in ast.walk(fresh):
        if isinstance(inner, ast.expr):
            ast.copy_location(inner, place)
    return fresh


def _at(node: ast.expr, place: ast.AST) -> ast.expr:
    return ast.copy_location(node, place)
