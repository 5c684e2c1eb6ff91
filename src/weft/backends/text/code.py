"""Pieces of C text: expressions with their precedence, lines, and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from weft.backends.text import reserved

ATOM, UNARY, PRODUCT, SUM, SHIFT, ORDER, EQUALITY, BIT_AND, BIT_XOR, BIT_OR, AND, OR, CHOICE = range(13, 0, -1)
"""Precedences of C's operators, tightest first."""


class Code(NamedTuple):
    """A C expression. `loads` says that it reads memory, so it must not move past a store."""

    text: str
    precedence: int = ATOM
    loads: bool = False

    def inside(self, precedence: int) -> str:
        """The text as an operand of an operator: in parentheses where it binds less tightly."""
        return self.text if self.precedence >= precedence else f"({self.text})"

    @property
    def is_simple(self) -> bool:
        """Whether it is a name or a number, which may be written twice. What memory holds is read once: others may
        change it between its test and its use."""
        return not self.loads and _SIMPLE.fullmatch(self.text) is not None


_SIMPLE = re.compile(r"-?[\w.]+(?:e[-+]\d+)?|\w+(?:\.\w+|->\w+|\[\w+\])")


def infix(operator: str, precedence: int, left: Code, right: Code) -> Code:
    """``left operator right``, left-associative, with parentheses only where C or a reader needs them."""
    mixed = precedence in (SHIFT, BIT_AND, BIT_XOR, BIT_OR, AND, OR)
    return Code(
        f"{_operand(left, precedence, mixed)} {operator} {_operand(right, precedence + 1, mixed)}",
        precedence,
        left.loads or right.loads,
    )


def _operand(operand: Code, least: int, mixed: bool) -> str:
    """Operands of shifts and bit operators that are sums or comparisons are easier to read in parentheses."""
    if mixed and operand.precedence < UNARY and operand.precedence != least:
        return f"({operand.text})"
    return operand.inside(least)


def call(function: str, *arguments: Code | str) -> Code:
    """A call of a C function."""
    texts = [a.text if isinstance(a, Code) else a for a in arguments]
    return Code(f"{function}({', '.join(texts)})", ATOM, any(isinstance(a, Code) and a.loads for a in arguments))


def prefix(operator: str, operand: Code) -> Code:
    """``operator operand``; a minus before a minus is kept apart."""
    text = operand.inside(UNARY)
    if text.startswith(operator):
        text = f"({text})"
    return Code(operator + text, UNARY, operand.loads)


def choice(condition: Code, then: Code, orelse: Code) -> Code:
    """``condition ? then : orelse``"""
    text = f"{condition.inside(OR)} ? {then.inside(OR)} : {orelse.inside(OR)}"
    return Code(text, CHOICE, condition.loads or then.loads or orelse.loads)


_WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/")


def words(text: str) -> frozenset[str]:
    """The identifiers in a piece of C text, without those of members and what stands in comments of a line."""
    return frozenset(_WORD.findall(_COMMENT.sub("", text)))


class Lines:
    """Lines of C, indented as they are added."""

    def __init__(self, depth: int = 0) -> None:
        self.depth = depth
        self.items: list[str] = []
        self._note = ""

    def note(self, comment: str) -> None:
        """A comment to stand before the next line."""
        self._note = comment

    def add(self, text: str) -> None:
        """Add a line; a label or a directive of the preprocessor stands at the margin."""
        if self._note:
            self.items.append("    " * self.depth + self._note)
            self._note = ""
        margin = text.startswith("#") or (text.endswith(":") and not text.startswith(("case", "default")))
        self.items.append(text if margin else "    " * self.depth + text)

    def extend(self, lines: Iterable[str]) -> None:
        """Add lines that are indented already."""
        self.items.extend(lines)

    @contextmanager
    def braces(self, head: str, tail: str = "}") -> Iterator[None]:
        """A block in braces after `head`."""
        self.add(f"{head} {{" if head else "{")
        with self.indented():
            yield
        self.add(tail)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Lines one step further in."""
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


class Identifiers:
    """C names for the variables of a program: the user's own where these are nobody else's, see `reserved`.

    Parameters
    ----------
    taken
        Further names that none may have.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*reserved.WORDS, *taken}
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        """The C name of a variable; the same each time."""
        if name not in self._names:
            self._names[name] = self.fresh(name)
        return self._names[name]

    def fresh(self, name: str) -> str:
        """A C name like `name` that nothing else has."""
        plain = _plain(name)
        numbered = plain if reserved.is_free(f"{plain}_2") else f"{reserved.PREFIX}{plain}"
        return self._unused(plain, numbered)

    def own(self, name: str) -> str:
        """A C name that starts as those of Weft's own do, and nothing else has."""
        return self._unused(f"weft_{name}", f"weft_{name}")

    def _unused(self, found: str, stem: str) -> str:
        count = 1
        while found in self._taken:
            count += 1
            found = f"{stem}_{count}"
        self._taken.add(found)
        return found


_PART = re.compile(r"_([ns]\d+|base|lanes|piece|ahead|in_turn|saved|tentative|undone|undo)$")
"""How names end that are made of other names: of an array's extents, strides and owner (see
`weft.backends.text.views.ViewCode.named`), of the lanes of a sum, of the functions of a loop."""


def _plain(name: str) -> str:
    """The name in letters of ASCII; ``x.3`` becomes ``x_3``. Names that others may have get a prefix, those that look
    like a part of an array get a suffix."""
    text = "".join(c if c.isascii() and (c.isalnum() or c == "_") else _escaped(c) for c in name)
    text += "_" if _PART.search(text) else ""
    return text if reserved.is_free(text) else f"{reserved.PREFIX}{text.lstrip('_')}"


def _escaped(character: str) -> str:
    return "_" if character.isascii() else f"u{ord(character):x}"
