"""Other spellings of a program that mean the same: CPython says whether they do, Weft must say so too."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import replace
from random import Random

from .program import Program

Rewrite = Callable[[Random, ast.FunctionDef], "bool"]
LEAVING = (ast.Break, ast.Continue, ast.Return)


def sibling(program: Program, seed: int) -> Program | None:
    """The program in another spelling, whose answers CPython's of the first one are."""
    rng = Random(seed)
    tree = ast.parse(program.source)
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    rewrites = rng.sample(REWRITES, len(REWRITES))
    done = sum(rewrite(rng, function) for rewrite in rewrites[:3])
    if not done:
        return None
    source = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return replace(program, source=source, origin=program.source)


def _loops(function: ast.FunctionDef) -> list[tuple[list[ast.stmt], int]]:
    """Loops over `range` with one counter: the list of statements that holds each, and its place there."""
    found = []
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            items = getattr(node, name, None)
            if isinstance(items, list):
                found += [(items, place) for place, item in enumerate(items) if _is_plain(item)]
    return found


def _is_plain(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call)
        and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range" and not node.orelse
        and not any(isinstance(n, ast.Name) and n.id == node.target.id and isinstance(n.ctx, ast.Store)
                    for part in node.body for n in ast.walk(part))
    )  # fmt: skip


def _bounds(loop: ast.For) -> tuple[str, str, str]:
    arguments = [ast.unparse(a) for a in loop.iter.args]  # type: ignore[attr-defined]
    low, high = (arguments[0], arguments[1]) if len(arguments) > 1 else ("0", arguments[0])
    return low, high, arguments[2] if len(arguments) > 2 else "1"


def _chosen(rng: Random, function: ast.FunctionDef, leaving: bool = True) -> tuple[list[ast.stmt], int, ast.For] | None:
    loops = [(items, place) for items, place in _loops(function) if leaving or not _leaves(items[place])]
    if not loops:
        return None
    items, place = rng.choice(loops)
    loop = items[place]
    assert isinstance(loop, ast.For)
    return items, place, loop


def _leaves(node: ast.AST) -> bool:
    return any(isinstance(n, LEAVING) for n in ast.walk(node))


def _statements(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def _peel(rng: Random, function: ast.FunctionDef) -> bool:
    """The first iteration before the loop."""
    chosen = _chosen(rng, function, leaving=False)
    if chosen is None:
        return False
    items, place, loop = chosen
    low, high, step = _bounds(loop)
    name = loop.target.id  # type: ignore[attr-defined]
    if step.startswith("-"):
        return False
    first = ast.If(
        ast.parse(f"{low} < {high}", mode="eval").body, [*_statements(f"{name} = {low}"), *copy.deepcopy(loop.body)], []
    )
    loop.iter = ast.parse(f"range({low} + {step}, {high}, {step})", mode="eval").body
    items[place : place + 1] = [first, loop]
    return True


def _split(rng: Random, function: ast.FunctionDef) -> bool:
    """Two loops, one behind the other."""
    chosen = _chosen(rng, function, leaving=False)
    if chosen is None:
        return False
    items, place, loop = chosen
    low, high, step = _bounds(loop)
    if step != "1":
        return False
    middle = rng.choice((f"max({low}, min({high}, 2))", f"max({low}, {high} - 1)", f"max({low}, {high} // 2)"))
    second = copy.deepcopy(loop)
    loop.iter = ast.parse(f"range({low}, min({middle}, {high}))", mode="eval").body
    second.iter = ast.parse(f"range({middle}, {high})", mode="eval").body
    items[place : place + 1] = [loop, second]
    return True


def _reverse(rng: Random, function: ast.FunctionDef) -> bool:
    """The loop backwards: CPython says whether that is the same."""
    chosen = _chosen(rng, function, leaving=False)
    if chosen is None:
        return False
    _, _, loop = chosen
    low, high, step = _bounds(loop)
    if step != "1":
        return False
    loop.iter = ast.parse(f"range({high} - 1, {low} - 1, -1)", mode="eval").body
    return True


def _shifted(rng: Random, function: ast.FunctionDef) -> bool:
    """A counter that starts elsewhere."""
    chosen = _chosen(rng, function)
    if chosen is None:
        return False
    _, _, loop = chosen
    low, high, step = _bounds(loop)
    name = loop.target.id  # type: ignore[attr-defined]
    by = rng.choice(("1", "3", "k", "-2"))
    loop.iter = ast.parse(f"range({low} + {by}, {high} + {by}, {step})", mode="eval").body
    loop.target = ast.Name(f"{name}_", ast.Store())
    loop.body[:0] = _statements(f"{name} = {name}_ - {by}")
    return True


def _interchange(rng: Random, function: ast.FunctionDef) -> bool:
    """Two loops, one in the other, exchanged: CPython says whether that is the same."""
    pairs = [
        (items, place)
        for items, place in _loops(function)
        if len(items[place].body) == 1 and _is_plain(items[place].body[0])
    ]  # type: ignore[attr-defined]
    if not pairs:
        return False
    items, place = rng.choice(pairs)
    outer = items[place]
    assert isinstance(outer, ast.For) and isinstance(outer.target, ast.Name)
    inner = outer.body[0]
    assert isinstance(inner, ast.For)
    if any(isinstance(n, ast.Name) and n.id == outer.target.id for n in ast.walk(inner.iter)) or _leaves(inner):
        return False
    outer.target, inner.target, outer.iter, inner.iter = inner.target, outer.target, inner.iter, outer.iter
    return True


def _through_view(rng: Random, function: ast.FunctionDef) -> bool:
    """An argument through a view of it."""
    arrays = [a.arg for a in function.args.args if a.arg not in ("n", "m", "k", "x")]
    if not arrays:
        return False
    name = rng.choice(arrays)
    view = rng.choice((f"{name} = {name}[:]", f"{name} = {name}[::-1][::-1]", f"{name} = {name}[0:len({name})]"))
    function.body[:0] = _statements(view)
    return True


def _dead(rng: Random, function: ast.FunctionDef) -> bool:
    """A branch that is never taken."""
    bodies = [n.body for n in ast.walk(function) if isinstance(n, (ast.For, ast.If)) and not _leaves(n)]
    bodies += [function.body]
    items = rng.choice(bodies)
    simple = [
        s
        for s in items
        if isinstance(s, (ast.Assign, ast.AugAssign))
        and not any(isinstance(n, ast.Call) for n in ast.walk(s))
        and not isinstance(s.targets[0] if isinstance(s, ast.Assign) else s.target, ast.Name)
    ]
    if not simple:
        return False
    test = ast.parse(rng.choice(("n < 0", "m > n", "k > 9 and n > 0", "n < -5 or k < 0")), mode="eval").body
    items.insert(items.index(rng.choice(simple)), ast.If(test, [copy.deepcopy(rng.choice(simple))], []))
    return True


def _guard(rng: Random, function: ast.FunctionDef) -> bool:
    """A statement under a condition that always holds."""
    bodies = [n.body for n in ast.walk(function) if isinstance(n, ast.For)]
    if not bodies:
        return False
    items = rng.choice(bodies)
    place = rng.randrange(len(items))
    if not isinstance(items[place], (ast.Assign, ast.AugAssign)):
        return False
    test = ast.parse(rng.choice(("n >= 0", "k >= 0", "m <= n", "n > -3 and k < 9")), mode="eval").body
    items[place] = ast.If(test, [items[place]], [])
    return True


REWRITES: list[Rewrite] = [_peel, _split, _reverse, _shifted, _interchange, _through_view, _dead, _guard]
