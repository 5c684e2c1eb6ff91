"""Loops that may fail whose stores can neither be foreseen nor undone by their places: a piece keeps a journal.

Before each store the piece writes down what was there. Where an earlier iteration fails, the journal is put back, the
last store first. A piece whose journal is full is put back too, waits until no earlier piece can fail, and runs as a
thread alone would run it; so do all later ones, which would fill theirs as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from weft.backends.c.rehearsal import is_reason
from weft.backends.text.code import UNARY
from weft.backends.text.loop_cost import NOTED, NOTED_IN_A_RUN, UNKNOWN_TRIPS, Known, usual_trips, usual_work
from weft.backends.text.printer_facts import Facts
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import PYINT, Scalar, Vector, View
from weft.ir.visit import arrays_made_in, blocks_of, defined_by, walk
from weft.transform.scan.tiles import names_used

if TYPE_CHECKING:
    from weft.backends.c.parallel import ParallelPrinter

ENTRIES = 1360
"""Records of one element that fit into what a piece saves at first: ``WEFT_SAVED``."""


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
        if any(map(_writes, self._called)):
            return False
        if any(isinstance(s, n.Update) and s.op == "assign" for s in walk(self.loop.body)):
            return False  # an earlier piece may store the same value, and undoing this piece would lose it
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


def costs_less(loop: n.For, tests: n.For, traces: Traces) -> bool:
    """Whether keeping a journal takes less time than running the tests of a loop before it."""
    return _keeping_time(loop, traces) < usual_work(tests.body, names_used(tests.body))


def _keeping_time(loop: n.For, traces: Traces) -> float:
    """Nanoseconds for what one iteration writes down."""
    runs = {id(s) for s in runs_of(loop, traces.own, traces.facts)}
    return _keeping_time_of(loop.body, traces, runs)


def _keeping_time_of(block: n.Block, traces: Traces, runs: set[int]) -> float:
    total = 0.0
    for statement in block.statements:
        if isinstance(statement, (n.Store, n.Update)) and not traces.facts.roots(statement.view) <= traces.own:
            total += NOTED_IN_A_RUN if id(statement) in runs else NOTED * _elements(statement)
        if isinstance(statement, n.For):
            total += usual_trips(statement) * _keeping_time(statement, traces)
        else:
            often = UNKNOWN_TRIPS if isinstance(statement, n.While) else 1.0
            total += often * sum(_keeping_time_of(b, traces, runs) for b in blocks_of(statement))
    return total


def longest_piece(block: n.Block, known: Known) -> str:
    """The most iterations of a piece, as an expression in C.

    Parameters
    ----------
    block
        What an iteration runs.
    known
        Gives the value of an atom, where it is known outside.
    """
    fixed, terms = _stores_of(block, known)
    if not terms:
        return str(max(1, ENTRIES // max(1, fixed)))
    return f"weft_longest({' + '.join([f'{fixed}.0', *terms])}, {ENTRIES}.0)"


def _stores_of(block: n.Block, known: Known) -> tuple[int, list[str]]:
    """About how many elements one run of a block stores: those that are known now, and C expressions of others."""
    fixed, terms = 0, []
    for statement in block.statements:
        if isinstance(statement, (n.Store, n.Update)):
            fixed += _elements(statement)
        for inside in blocks_of(statement):
            some, more = _stores_of(inside, known)
            if isinstance(statement, (n.For, n.While)):
                some, more = _often(statement, some, more, known)
            fixed += some
            terms += more
    return min(fixed, ENTRIES), terms


def _often(loop: n.For | n.While, fixed: int, terms: list[str], known: Known) -> tuple[int, list[str]]:
    start, stop = (known(b) for b in (loop.start, loop.stop)) if isinstance(loop, n.For) else (None, None)
    if not fixed and not terms:
        return 0, []
    if start is None or stop is None:
        return fixed * int(UNKNOWN_TRIPS), [f"{UNKNOWN_TRIPS} * ({t})" for t in terms]
    if isinstance(loop, n.For) and isinstance(loop.start, n.Const) and isinstance(loop.stop, n.Const) and not terms:
        return fixed * max(int(loop.stop.value.real) - int(loop.start.value.real), 0), []
    trips = f"weft_span((double){start.inside(UNARY)}, (double){stop.inside(UNARY)})"
    return 0, [f"{trips} * ({' + '.join([f'{fixed}.0', *terms])})"]


def _elements(store: n.Store | n.Update) -> int:
    lanes = (a.type.lanes for a in (store.value, *store.indices) if isinstance(a.type, Vector))
    assert isinstance(store.view.type, View) and isinstance(store.view.type.element, Scalar)
    return next(lanes, 1) * (1 + (store.view.type.element.size > 8))


def runs_of(loop: n.For, own: frozenset[str], facts: Facts) -> tuple[n.Store, ...]:
    """The stores of an innermost loop, where each of them goes to one element after the other, and surely to all.

    What lies there can be written down before the loop.

    Parameters
    ----------
    loop
        The loop.
    own
        The arrays of which nothing need be written down.
    facts
        What is known of the arrays.

    Returns
    -------
    The stores that must be written down; none where that must be done one by one.
    """
    inside = {v.name for s in walk(loop.body) for v in defined_by(s)}
    written = tuple(s for s in walk(loop.body) if isinstance(s, (n.Store, n.Update)) and not facts.roots(s.view) <= own)
    plain = loop.mapping == "parallel" and loop.exit is None and loop.index.type == PYINT
    if not plain or any(isinstance(s, (n.For, n.While, n.Call)) for s in walk(loop.body)):
        return ()
    top = {id(s) for s in loop.body.statements}
    stores = tuple(s for s in written if isinstance(s, n.Store) and id(s) in top and _is_run(s, loop.index, inside))
    return stores if len(stores) == len(written) else ()


def _is_run(store: n.Store, index: n.Var, inside: set[str]) -> bool:
    view = store.view.type
    plain = store.bounds == "safe" and store.mask is None and store.view.name not in inside
    if not plain or not isinstance(view, View) or not view.contiguous or not isinstance(view.element, Scalar):
        return False
    *others, last = store.indices
    fixed = all(isinstance(a, n.Const) or (a != index and a.name not in inside) for a in others)
    return len(store.indices) == view.ndim and last == index and fixed and isinstance(store.value.type, Scalar)


@dataclass
class Kept:
    """A loop whose pieces keep a journal.

    Attributes
    ----------
    ahead
        The function of a piece that does so.
    longest
        The most iterations of a piece, as an expression in C.
    own
        What a piece is given besides what it captures, by name, with the C types.
    """

    ahead: ParallelPrinter
    longest: str
    own: Mapping[str, str]
    _call: str = ""

    def functions(self, name: str) -> tuple[list[str], list[str]]:
        """The text of the function, and the names that it captures."""
        own = [f"{c_type}{array}" for array, c_type in self.own.items()]
        fixed = ["int64_t begin", "int64_t end", "int64_t part", *own, "weft_journal *journal"]
        text, captures = self.ahead.complete(f"{name}_ahead", fixed)
        given = ["fault" if capture == "fault" else f"c->{capture}" for capture in captures]
        given += ["begin", "end", "part", *(f"c->{array}" for array in self.own), "journal"]
        self._call = f"{name}_ahead({', '.join(given)})"
        return [text], captures

    def piece(self, name: str) -> str:
        """What the runtime calls for a piece; after `functions`."""
        lines = [
            f"static int32_t {name}_tentative(void *context, int64_t begin, int64_t end, int64_t part, void *memory,",
            f"{' ' * (len(name) + 26)}weft_fault *fault) {{",
            f"    struct {name} *c = context;",
            "    weft_journal *journal = memory;",
            "    journal->end = journal->first;",
            f"    return {self._call};",
            "}",
        ]
        return "\n".join(lines)

    def launch(self, name: str, context: str, iterations: tuple[str, str], pieces: str, work: str) -> str:
        """The statement that runs all pieces, as many as suit."""
        functions = f"{name}_tentative, weft_put_back, {name}_piece, &{context}"
        numbers = f"{', '.join(iterations)}, {pieces if self.own else 0}, {self.longest}, {work}"
        return f"{context}.status = runtime->undoing({functions}, {numbers}, fault);"
