"""Statements that have another form: ``match`` and ``del``."""

from __future__ import annotations

import ast
import copy

from weft.errors import Code
from weft.frontend.remedies.place import Place


def nothing(place: Place, words: dict[str, str]) -> Code | None:
    """``del x`` does nothing for a function that ends; ``del a[0]`` does."""
    node = place.statement
    if not (isinstance(node, ast.Delete) and all(isinstance(target, ast.Name) for target in node.targets)):
        return None
    names = {target.id for target in node.targets if isinstance(target, ast.Name)}
    later = (n for n in ast.walk(place.function) if isinstance(n, ast.Name) and n.lineno > _end(node))
    return None if any(n.id in names for n in later) else place.written([ast.Pass()])


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def chain_of_ifs(place: Place, words: dict[str, str]) -> Code | None:
    """``match`` by values, as ``if`` and ``elif``."""
    node = place.statement
    if not isinstance(node, ast.Match):
        return None
    before: list[ast.stmt] = []
    subject: ast.expr = copy.deepcopy(node.subject)
    if not isinstance(subject, ast.Name):
        name = place.fresh("subject")
        before, subject = [ast.Assign([ast.Name(name, ast.Store())], subject, lineno=0)], ast.Name(name, ast.Load())
    chain: list[ast.stmt] = []
    for case in reversed(node.cases):
        test = _test(case, subject)
        if test is None:
            return None
        body = copy.deepcopy(case.body)
        chain = body if isinstance(test, ast.Constant) else [ast.If(test, body, chain)]
    return place.written([*before, *chain])


def _test(case: ast.match_case, subject: ast.expr) -> ast.expr | None:
    """The condition of a case; the constant True where it always holds, None where it is no comparison."""
    test = _of_pattern(case.pattern, subject)
    if test is None or case.guard is None:
        return test
    guard = copy.deepcopy(case.guard)
    return guard if isinstance(test, ast.Constant) else ast.BoolOp(ast.And(), [test, guard])


def _of_pattern(pattern: ast.pattern, subject: ast.expr) -> ast.expr | None:
    if isinstance(pattern, ast.MatchValue):
        return ast.Compare(subject, [ast.Eq()], [copy.deepcopy(pattern.value)])
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])
    if isinstance(pattern, ast.MatchAs) and pattern.name is None and pattern.pattern is None:
        return ast.Constant(True)
    if isinstance(pattern, ast.MatchOr):
        tests = [_of_pattern(inner, subject) for inner in pattern.patterns]
        known = [test for test in tests if test is not None]
        return ast.BoolOp(ast.Or(), known) if len(known) == len(tests) else None
    return None
