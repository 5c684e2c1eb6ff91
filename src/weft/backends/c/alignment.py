"""Loops that begin with some single iterations, such that vectors are then written to whole lines of the cache.

A vector that lies in two lines takes two accesses; arrays of NumPy begin anywhere. Compilers make no such iterations by
themselves. Both parts run the same code, in two rounds of a loop around it, and compute the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.code import PRODUCT, SUM, Code, infix
from weft.ir import nodes as n
from weft.ir.types import PYINT, Scalar, View
from weft.ir.visit import bound_inside, defined_by, walk

if TYPE_CHECKING:
    from weft.backends.c.loops import LoopPrinter

_SIGNS = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT)}


def first_whole(printer: LoopPrinter, loop: n.For, start: Code, stop: Code) -> str | None:
    """The C expression of the first iteration that writes to the beginning of a line; None where none can be told.

    Loops of a constant length are left to the compiler: it knows more of them.
    """
    if start.text.isdigit() and stop.text.isdigit():
        return None
    for statement in loop.body.statements:
        if isinstance(statement, n.Store) and statement.bounds == "safe" and statement.indices:
            place = _Place(printer, loop, start).of(statement)
            if place is not None:
                assert isinstance(statement.view.type, View) and isinstance(statement.view.type.element, Scalar)
                size = statement.view.type.element.size
                return f"first_whole(&{place.text}, {size}, {start.text}, {stop.text})"
    return None


class _Place:
    """Where a store of the first iteration goes, in terms of what is known before the loop."""

    def __init__(self, printer: LoopPrinter, loop: n.For, start: Code) -> None:
        self._printer = printer
        self._index = loop.index
        self._start = start
        self._lets = {s.var.name: s.value for s in loop.body.statements if isinstance(s, n.Let)}
        self._inside = {v.name for s in walk(loop.body) for v in (*defined_by(s), *bound_inside(s))}
        self._inside.update(a.var.name for a in loop.args)

    def of(self, store: n.Store) -> Code | None:
        """The element, where the next iteration stores to the next one."""
        if store.view.name in self._inside or not isinstance(store.view.type, View):
            return None
        *outer, last = store.indices
        if not self._moves(last) or any(map(self._depends, outer)) or not store.view.type.contiguous:
            return None
        codes = [self._code(a) for a in store.indices]
        if any(code is None for code in codes):
            return None
        return self._printer.view(store.view).at(self._printer.dialect, [c for c in codes if c is not None])

    def _moves(self, atom: n.Atom) -> bool:
        """Whether an index grows by one from iteration to iteration."""
        if atom == self._index:
            return True
        value = self._lets.get(atom.name) if isinstance(atom, n.Var) else None
        if not isinstance(value, n.Binary) or value.op not in ("add", "sub"):
            return False
        left, right = value.left, value.right
        if value.op == "add" and not self._depends(left):
            left, right = right, left
        return self._moves(left) and not self._depends(right)

    def _depends(self, atom: n.Atom) -> bool:
        if not isinstance(atom, n.Var) or atom == self._index:
            return atom == self._index
        value = self._lets.get(atom.name)
        if not isinstance(value, n.Binary):
            return atom.name in self._inside
        return self._depends(value.left) or self._depends(value.right)

    def _code(self, atom: n.Atom) -> Code | None:
        if atom == self._index:
            return self._start
        if isinstance(atom, n.Const) or atom.name not in self._inside:
            return self._printer.simple(atom)
        value = self._lets.get(atom.name)
        if not isinstance(value, n.Binary) or value.op not in _SIGNS or value.checked or atom.type != PYINT:
            return None
        left, right = self._code(value.left), self._code(value.right)
        return None if left is None or right is None else infix(*_SIGNS[value.op], left, right)
