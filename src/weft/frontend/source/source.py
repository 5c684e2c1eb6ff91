"""The syntax tree of a function, found in the file that it was defined in.

The whole file is parsed once and the function is looked up by its place, so that lambdas, methods and nested functions
need no special treatment and every node carries the line and column of the file.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import linecache
import re
import warnings
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import TypeAlias

from weft.dataclass import dataclass
from weft.errors import SourceError
from weft.frontend import found_text
from weft.frontend.source.delegations import without_delegations
from weft.frontend.source.matches import without_matches

FunctionNode: TypeAlias = "ast.FunctionDef | ast.Lambda"


@dataclass(frozen=True)
class Source:
    """A function's syntax tree and the file it stands in."""

    node: FunctionNode
    file: str
    name: str


def source_of(function: FunctionType) -> Source:
    """The syntax tree of a Python function.

    Raises
    ------
    SourceError
        The file cannot be read, or has no such function at that line, or was edited since the function was made.
    """
    code = function.__code__
    linecache.checkcache(code.co_filename)
    if not _text(function):
        return _from_elsewhere(function)
    candidates = [node for node in _functions_of(code, function) if _matches(node, code)]
    if len(candidates) > 1:
        candidates = _at_column(candidates, code)
    if len(candidates) != 1:
        raise _missing(function, "no such function" if not candidates else "more than one function that it could be")
    if not _is_text_of(code, candidates[0], _text(function)):
        raise _missing(function, "another text than when the function was defined")
    return Source(candidates[0], code.co_filename, function.__qualname__)


def _from_elsewhere(function: FunctionType) -> Source:
    """The syntax tree from a text that is in no file, where Python makes the same function of it."""
    code = function.__code__
    for file, text in found_text.candidates(function):
        try:
            nodes = [node for node in _File(text, function).functions_at(code.co_firstlineno) if _matches(node, code)]
        except SourceError:
            continue
        same = [other for other in _codes(text) if _place_of(other) == _place_of(code) and _is_same(code, other)]
        nodes = _at_column(nodes, code) if len(nodes) > 1 else nodes
        if len(nodes) == 1 and same:
            found_text.register(file, text)
            return Source(nodes[0], file, function.__qualname__)
    raise _missing(function, "no text that can be read")


def _missing(function: FunctionType, found: str) -> SourceError:
    code = function.__code__
    return SourceError(
        f"the source of {function.__qualname__} cannot be had",
        cause=f"{code.co_filename}, line {code.co_firstlineno}, has {found}; Weft compiles from source text",
        hint=found_text.advice(code.co_filename),
    )


_MATCH = re.compile(r"^\s*match\b", re.MULTILINE)


class _File:
    """The syntax tree of a file; of its statements only those are looked through that have a function in question."""

    def __init__(self, text: str, function: FunctionType) -> None:
        self.text = text
        try:
            tree = ast.parse(text)
        except SyntaxError:
            raise _missing(function, "text that is not Python any more") from None
        if _MATCH.search(text):
            without_matches(tree)
        if "yield" in text:
            without_delegations(tree)
        self._statements = tree.body
        self._found: dict[int, dict[int, list[FunctionNode]]] = {}

    def functions_at(self, line: int) -> list[FunctionNode]:
        """The functions that start in a line, with their decorators."""
        there = [k for k, statement in enumerate(self._statements) if _holds_line(statement, line)]
        return [node for k in there for node in self._functions_in(k).get(line, [])]

    def _functions_in(self, number: int) -> dict[int, list[FunctionNode]]:
        """The functions in a statement, by their first lines."""
        if number not in self._found:
            found = self._found[number] = dict[int, list[FunctionNode]]()
            for node in ast.walk(self._statements[number]):
                if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                    found.setdefault(_first_line(node), []).append(node)
        return self._found[number]


FILES = 32
"""Files whose syntax trees stay."""

_parsed: dict[str, _File] = {}


def _functions_of(code: CodeType, function: FunctionType) -> list[FunctionNode]:
    """The functions of the file that start where the code object says."""
    text = _text(function)
    known = _parsed.get(code.co_filename)
    if known is None or known.text != text:
        known = _parsed[code.co_filename] = _File(text, function)
        if len(_parsed) > FILES:
            del _parsed[next(iter(_parsed))]
    return known.functions_at(code.co_firstlineno)


def _text(function: FunctionType) -> str:
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def _is_text_of(code: CodeType, node: FunctionNode, text: str) -> bool:
    """Whether Python makes the function's bytecode of the text: a file may be edited after it was imported.

    Where that cannot be told it counts as the same: tools such as pytest change the bytecode of assertions.
    """
    if any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
        return True
    found = [other for other in _codes(text) if (other.co_name, other.co_firstlineno) == _place_of(code)]
    return not found or any(_is_same(code, other) for other in found)


def _place_of(code: CodeType) -> tuple[str, int]:
    return code.co_name, code.co_firstlineno


@functools.lru_cache(maxsize=8)
def _codes(text: str) -> tuple[CodeType, ...]:
    """The code objects of a file."""
    with contextlib.suppress(SyntaxError, ValueError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(_inside(compile(text, "<source>", "exec", dont_inherit=True)))
    return ()


def _inside(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def _is_same(a: CodeType, b: CodeType) -> bool:
    """Whether two code objects do the same, wherever they stand."""
    names = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars")
    if any(getattr(a, name) != getattr(b, name) for name in names) or len(a.co_consts) != len(b.co_consts):
        return False
    return all(
        _is_same(x, y) if isinstance(x, CodeType) and isinstance(y, CodeType) else _written(x) == _written(y)
        for x, y in zip(a.co_consts, b.co_consts, strict=True)
    )


def _written(constant: object) -> str:
    """Tells 1 from 1.0 and 0.0 from -0.0; sets have no order."""
    return str(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant)


def _holds_line(statement: ast.stmt, line: int) -> bool:
    return _first_line(statement) <= line <= (statement.end_lineno or line)


def _first_line(node: ast.stmt | ast.Lambda) -> int:
    decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    return decorators[0].lineno if decorators else node.lineno


def _matches(node: FunctionNode, code: CodeType) -> bool:
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    count = code.co_argcount + code.co_kwonlyargcount
    names = tuple(a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    return name == code.co_name and tuple(_unmangled(v) for v in code.co_varnames[:count]) == names


def _unmangled(name: str) -> str:
    """A private parameter (``__x`` in class C is ``_C__x``) as it was written."""
    return "__" + name.split("__", 1)[1] if name.startswith("_") and "__" in name[1:] and name[1] != "_" else name


def _at_column(candidates: list[FunctionNode], code: CodeType) -> list[FunctionNode]:
    """The candidates whose body holds all places that the bytecode knows (Python 3.11 and newer)."""
    if not hasattr(code, "co_positions"):
        return candidates
    places = {(line, column) for line, _, column, _ in code.co_positions() if line and column}
    return [node for node in candidates if all(_holds(node, *place) for place in places)]


def _holds(node: FunctionNode, line: int, column: int) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return (node.lineno, node.col_offset) <= (line, column) <= end
