"""Loops that may fail whose stores can neither be foreseen nor undone by their places: a piece keeps a journal.

Before each store the piece writes down what was there. Where an earlier iteration fails, the journal is put back, the
last store first. A piece whose journal is full is put back too, waits until no earlier piece can fail, and runs as a
thread alone would run it; so do all later ones, which would fill theirs as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from weft.backends.c.rehearsal import is_reason
from weft.backends.text.printer_facts import Facts
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import Scalar, Vector, View
from weft.ir.visit import arrays_made_in, blocks_of, walk

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter

ENTRIES = 1920
"""Of a journal: ``WEFT_KEPT``."""

USUAL_TRIPS = 16
"""Of an inner loop whose number of trips is not known."""


@dataclass(frozen=True)
class Traces:
    """What a loop on threads would leave behind in iterations after one that fails as it fails in CPython.

    Attributes
    ----------
    loop
        The loop.
    facts
        What is known of its arrays.
    functions
        Those that it may call.
    """

    loop: n.For
    facts: Facts
    functions: tuple[n.Function, ...]

    @cached_property
    def own(self) -> frozenset[str]:
        """The arrays that an iteration makes for itself."""
        return arrays_made_in(self.loop.body)

    def may_be(self, copied: Sequence[n.Var]) -> bool:
        """Whether there may be traces; of the arrays that views in `copied` show, each piece has a copy."""
        seen_by_one = self.own.union(*map(self.facts.roots, copied))
        written = (view for s in walk(self.loop.body) for view in written_views(s))
        writes = any(not self.facts.roots(view) <= seen_by_one for view in written) or any(map(_writes, self._called))
        return writes and any(map(self._fails, self._statements()))

    def can_be_kept(self) -> bool:
        """Whether a piece can write down the elements before it stores them."""
        if self.loop.args or any(map(_writes, self._called)):
            return False
        others = (s for s in walk(self.loop.body) if not isinstance(s, (n.Store, n.Update)))
        return all(self._is_own(view) for s in others for view in written_views(s))

    def _is_own(self, view: n.Var) -> bool:
        return self.facts.roots(view) <= self.own

    @cached_property
    def _called(self) -> tuple[n.Function, ...]:
        """The functions that it calls, and those that these call."""
        by_name = {f.name: f for f in self.functions}
        found: dict[str, n.Function] = {}
        blocks = [self.loop.body]
        while blocks:
            names = {s.function for s in walk(blocks.pop()) if isinstance(s, n.Call)} - found.keys()
            found |= {name: by_name[name] for name in names}
            blocks += [by_name[name].body for name in names]
        return tuple(found.values())

    def _statements(self) -> Iterator[n.Statement]:
        yield from walk(self.loop.body)
        for function in self._called:
            yield from walk(function.body)

    @staticmethod
    def _fails(statement: n.Statement) -> bool:
        return is_reason(statement) or isinstance(statement, n.External)


def _writes(function: n.Function) -> bool:
    """Whether a function writes to arrays."""
    return any(True for s in walk(function.body) for _ in written_views(s))


def stores_of(block: n.Block, most: int = ENTRIES) -> int:
    """About how many elements one run of a block stores, at most `most`."""
    count = 0
    for statement in block.statements:
        if isinstance(statement, (n.Store, n.Update)):
            count += _elements(statement)
        inside = sum(stores_of(b, most) for b in blocks_of(statement))
        if isinstance(statement, (n.For, n.While)):
            inside *= _trips(statement)
        count += inside
    return min(count, most)


def _elements(store: n.Store | n.Update) -> int:
    lanes = (a.type.lanes for a in (store.value, *store.indices) if isinstance(a.type, Vector))
    assert isinstance(store.view.type, View) and isinstance(store.view.type.element, Scalar)
    return next(lanes, 1) * (1 + (store.view.type.element.size > 8))


def _trips(loop: n.For | n.While) -> int:
    bounds = (loop.start, loop.stop) if isinstance(loop, n.For) else ()
    start, stop = (b.value if isinstance(b, n.Const) else None for b in bounds) if bounds else (None, None)
    if isinstance(start, int) and isinstance(stop, int):
        return max(stop - start, 0)
    return USUAL_TRIPS


@dataclass
class Kept:
    """A loop whose pieces keep a journal.

    Attributes
    ----------
    ahead
        The function of a piece that does so.
    longest
        The most iterations of a piece.
    """

    ahead: ParallelPrinter
    longest: int
    _call: str = ""

    def functions(self, name: str) -> tuple[list[str], list[str]]:
        """The text of the function, and the names that it captures."""
        fixed = ["int64_t begin", "int64_t end", "weft_journal *journal"]
        text, captures = self.ahead.complete(f"{name}_ahead", fixed)
        given = ["fault" if capture == "fault" else f"c->{capture}" for capture in captures]
        self._call = f"{name}_ahead({', '.join([*given, 'begin', 'end', 'journal'])})"
        return [text], captures

    def piece(self, name: str) -> str:
        """What the runtime calls for a piece; after `functions`."""
        lines = [
            f"static int32_t {name}_tentative(void *context, int64_t begin, int64_t end, void *memory,",
            f"{' ' * (len(name) + 26)}weft_fault *fault) {{",
            f"    struct {name} *c = context;",
            "    weft_journal *journal = memory;",
            "    journal->count = 0;",
            f"    return {self._call};",
            "}",
        ]
        return "\n".join(lines)

    def launch(self, name: str, context: str, iterations: tuple[str, str], pieces: str, work: str) -> str:
        """The statement that runs all pieces, as many as suit."""
        functions = f"{name}_tentative, weft_put_back, {name}_piece, &{context}"
        numbers = f"{', '.join(iterations)}, {self.longest}, {work}"
        return f"{context}.status = runtime->undoing({functions}, {numbers}, fault);"
