"""Loops inside one thread: which become vector code, and how they say so to the compiler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from weft.analysis.termination.bounded import SOON, is_bounded
from weft.backends.c import alignment, groups, lookups
from weft.backends.c.journal import runs_of
from weft.backends.c.limits import limits_of
from weft.backends.c.printer import CPrinter
from weft.backends.c.reductions import OPERATORS, identity
from weft.backends.c.stages import print_stages, stages_of
from weft.backends.c.strips import Strips
from weft.backends.c.undoing import element_of, place_of
from weft.backends.text import elements
from weft.backends.text.artifact import Site
from weft.backends.text.code import CHOICE, SUM, UNARY, Code, call
from weft.backends.text.dialect import tag
from weft.backends.text.printer import Module, Printer
from weft.ir import nodes as n
from weft.ir.effects import block_may_raise
from weft.ir.types import Scalar
from weft.ir.visit import has_fewer_trips, walk

CACHE_LINE = 64
"""Bytes that come from memory together."""


class LoopPrinter(CPrinter):
    """Prints loops whose iterations run in one thread."""

    def __init__(self, module: Module, outer: Printer | None = None) -> None:
        super().__init__(module, outer)
        self.saves: dict[tuple[str, tuple[n.Atom, ...]], str] = {}
        """The C variables for old elements, by the places of the stores that overwrite them."""
        self.journal: frozenset[str] | None = None
        """The storages that no other thread sees, where a piece keeps a journal of what it overwrites elsewhere."""
        self._limits: Mapping[n.Const, Code] = {}
        """The C variables for constants that are hidden from gcc, see `limits`."""
        self._fetched: dict[str, str] = {}
        """The C variables for what loops ask for beforehand, by the loops' counters."""
        self.watched: n.For | None = None
        """The loop of a piece, where an iteration of another piece may fail meanwhile."""
        self.stores_alone = False
        """Whether gcc is not to put neighbouring stores together."""
        self.uncut: n.For | None = None
        """The same where the runtime does not cut its pieces any further, and they do not take copies in turns."""

    def print_For(self, loop: n.For) -> None:
        """Print a loop with its own bounds and initial values."""
        start, stop = self.loop_bounds(loop)
        inits = [part for a in loop.args for part in self.parts(a.init, self._is_tracked(a.var))]
        self.settle_loads()
        self.memory.enter_loop(loop)
        index = self.open_index(loop)
        self.counted_loop(loop, index, start, stop, inits)

    def piece_loop(self, loop: n.For, index: str, start: Code, stop: Code) -> None:
        """Print a piece of a parallel loop: what it reduces starts from the identity."""
        inits = [identity(self, a) if a.combine in OPERATORS else self.undefined(a.var.type) for a in loop.args]
        self.memory.enter_loop(loop)
        self.counted_loop(loop, index, start, stop, inits)

    def counted_loop(self, loop: n.For, index: str, start: Code, stop: Code, inits: Sequence[Code]) -> None:
        """Print a loop over an index that is declared already, in the form that suits it."""
        if loop.fetch is not None:
            self._start_fetching(loop, loop.fetch)
        targets = self._declare_carried(loop, inits)
        journal, self.journal = self.journal, self._journal_of(loop, start, stop)
        if not self.may_take_long(loop) or Strips.look_themselves(loop, self.facts):
            self._print_part(loop, index, start, stop, targets)
        elif loop is self.uncut:
            self._print_parts(loop, index, start, stop, targets)
        else:
            with self.lines.braces(f"if (UNLIKELY(weft_is_long({start.text}, {stop.text}, {SOON})))"):
                self._print_parts(loop, index, start, stop, targets)
            with self.otherwise():
                self._print_part(loop, index, start, stop, targets)
        self.journal = journal
        self.bind_results(loop, targets)

    def _journal_of(self, loop: n.For, start: Code, stop: Code) -> frozenset[str] | None:
        """What is to be written down in a loop: nothing, where all that it overwrites is written down before it."""
        stores = () if self.journal is None else runs_of(loop, self.journal, self.facts)
        if self.journal is None or not stores:
            return self.journal
        self.settle_loads()
        for store in stores:
            self._write_run_down(store, start, stop)
        return None

    def _write_run_down(self, store: n.Store, start: Code, stop: Code) -> None:
        """Write down one element after the other. Where an index is outside, the loop raises before it stores there."""
        view = self.view(store.view)
        others = [self.simple(index) for index in store.indices[:-1]]
        low = self.declare("low", "int64_t", f"max_int64({start.text}, 0)")
        high = self.declare("high", "int64_t", f"min_int64({stop.text}, {view.shape[-1].text})")
        tests = [
            f"(uint64_t){i.inside(UNARY)} < (uint64_t){e.inside(UNARY)}"
            for i, e in zip(others, view.shape, strict=False)
        ]
        place = view.at(self.dialect, [*others, Code(low)])
        size = f"(size_t)({high} - {low}) * {element_of(store).size}"
        tests += [f"{low} < {high}", f"!weft_write_down(journal, &{place.inside(UNARY)}, {size})"]
        self.leave_if(" && ".join(tests), "WEFT_FULL")

    def may_take_long(self, loop: n.For) -> bool:
        """Whether a loop that does not look in every iteration whether it is to stop has to do so at times."""
        if self.plain or self.looks(loop) or self.has_loop(loop.body):
            return False
        return not has_fewer_trips(loop, SOON) and not is_bounded(loop)

    def _print_parts(self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str]) -> None:
        """Print a loop that looks whether it is to stop after so many iterations."""
        first, last = (self.module.identifiers.fresh(f"{loop.index.stem}_{end}") for end in ("low", "high"))
        self.declared.update({first: "int64_t", last: "int64_t"})
        head = f"for (int64_t {first} = {start.text}, {last}; {first} < {stop.text}; {first} = {last})"
        with self.lines.braces(head):
            self.lines.add(f"{last} = {first} + weft_left({first}, {stop.text}, {SOON});")
            self.look(loop, first)
            self._print_part(loop, index, Code(first), Code(last), targets)

    def look(self, loop: n.For, first: str) -> None:
        """Look whether the program is to stop, or an iteration before the given one has failed in another piece."""
        self.before_piece(first, loop is self.uncut and block_may_raise(loop.body))

    def _print_part(self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str]) -> None:
        in_strips = not self.plain and Strips.suits(loop, self.facts)
        together = groups.groups_of(self, loop) if in_strips or self.loop_pragmas(loop) else {}
        if not together:
            self._print_form(loop, index, start, stop, targets, in_strips)
            return
        with self.lines.braces(f"if ({groups.condition(self, together)})"), groups.lying_together(self, together):
            self._print_form(loop, index, start, stop, targets, in_strips)
        with self.otherwise():
            self._print_form(loop, index, start, stop, targets, in_strips)

    def _print_form(
        self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str], in_strips: bool
    ) -> None:
        outer, flat = self._limits, self._is_flat
        if in_strips or self.loop_pragmas(loop):
            self._is_flat = True
            self._limits = {**outer, **{limit: self._declare_limit(limit) for limit in dict.fromkeys(limits_of(loop))}}
        if in_strips:
            strips = Strips(self, loop, index)
            start, stop = strips.print(start, stop)
            self._print_counted(loop, index, start, stop, targets)
            strips.close()
        elif self.loop_pragmas(loop) and lookups.looks_up(loop, self.facts):
            lookups.print_loop(self, loop, index, start, stop)
        else:
            self._print_counted(loop, index, start, stop, targets)
        self._limits, self._is_flat = outer, flat

    _is_flat = False

    def alternative(self, atom: n.Atom) -> Code:
        """One of the two values of a choice. A choice in a choice is a variable of its own, or gcc makes branches of it
        and no vector code."""
        waiting = self._pending.get(atom.name) if self._is_flat and isinstance(atom, n.Var) else None
        if waiting is not None and waiting[1].precedence == CHOICE:
            return self.simple(atom, exact=True)
        return super().alternative(atom)

    def _declare_limit(self, limit: n.Const) -> Code:
        """Declare a variable for a constant that is hidden from gcc."""
        assert isinstance(limit.type, Scalar)
        value = self.dialect.constant(limit, exact=True).text
        return Code(self.declare("limit", self.type_name(limit.type), f"not_known_{tag(limit.type)}({value})"))

    def value(self, atom: n.Atom, exact: bool = False) -> Code:
        """The C expression of an atom; of a constant that is hidden from gcc, its variable."""
        if self._limits and isinstance(atom, n.Const) and atom in self._limits:
            return self._limits[atom]
        return super().value(atom, exact)

    def _print_counted(self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str]) -> None:
        pragmas = self.loop_pragmas(loop)
        whole = alignment.first_whole(self, loop, start, stop) if pragmas else None
        with ExitStack() as rounds:
            if whole is not None:
                first, last = (self.module.identifiers.fresh(f"{loop.index.stem}_{end}") for end in ("first", "last"))
                head = f"for (int64_t {first} = {start.text}, {last} = {whole}; {first} < {stop.text};"
                rounds.enter_context(self.lines.braces(f"{head} {first} = {last}, {last} = {stop.text})"))
                self.declared.update({first: "int64_t", last: "int64_t"})
                start, stop = Code(first), Code(last)
            stages = stages_of(loop, self.facts) if pragmas else ()
            if stages:
                print_stages(self, loop, index, start, stop, stages, pragmas)
                return
            for pragma in pragmas:
                self.lines.add(pragma)
            with self.lines.braces(self.for_head(loop, index, start, stop)):
                self.iteration(loop, targets)

    def _declare_carried(self, loop: n.For, inits: Sequence[Code]) -> list[str]:
        targets: list[str] = []
        for arg in loop.args:
            tracked = self._is_tracked(arg.var)
            count = len(self.part_names(arg.var, tracked))
            taken = inits[len(targets) : len(targets) + count]
            targets += self.carry(arg.var, taken, tracked)
        return targets

    def loop_pragmas(self, loop: n.For) -> list[str]:
        """Say that iterations do not depend on each other, where that was proven and the compiler may want to know."""
        independent = loop.mapping == "parallel" and loop.exit is None and not self.has_loop(loop.body)
        if self.journal is not None:  # the journal is one more thing that iterations write
            return []
        if not independent or any(isinstance(s, n.Update) for s in walk(loop.body)) or block_may_raise(loop.body):
            return []
        return ["INDEPENDENT"]

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Print what comes first; the element of a later iteration is asked for where the loop says so."""
        super().before_iteration(loop)
        if loop is self.watched and self.has_loop(loop.body) and block_may_raise(loop.body):
            self.leave_if_over(self.simple(loop.index).text)
        if isinstance(loop, n.For) and loop.ahead:
            self._ask_ahead(loop)
        if isinstance(loop, n.For) and loop.fetch is not None:
            line = f"({self.simple(loop.index).text} - {self.simple(loop.start).inside(SUM + 1)}) * {CACHE_LINE}"
            self.lines.add(f"__builtin_prefetch((const void *)({self._fetched[loop.index.name]} + {line}), 0, 2);")

    def _ask_ahead(self, loop: n.For) -> None:
        loads = (s.value for s in loop.body.statements if isinstance(s, n.Let) and isinstance(s.value, n.Load))
        first = next(value for value in loads if loop.index in value.indices)
        later = Code(f"{self.simple(loop.index).text} + {loop.ahead}", SUM)
        indices = [later if index == loop.index else self.simple(index) for index in first.indices]
        place = self.view(first.view).at(self.dialect, indices)
        self.lines.add(f"__builtin_prefetch(&{place.inside(UNARY)});")

    def _start_fetching(self, loop: n.For, fetch: n.Load) -> None:
        """Before a loop that asks for what is read after it, as far as the second cache: where that begins."""
        place = self.view(fetch.view).at(self.dialect, [self.simple(index) for index in fetch.indices])
        # As an integer: gcc takes a pointer for one to the sums of a product, and keeps these in memory.
        self._fetched[loop.index.name] = self.declare("fetched", "uintptr_t", f"(uintptr_t)&{place.inside(UNARY)}")

    def before_piece(self, begin: str, raises: bool) -> None:
        """What a piece does first: it may be too late."""
        self.poll()
        if raises:
            self.leave_if_over(begin)

    def leave_if_over(self, begin: str) -> None:
        """Leave a piece where an iteration before the given one has failed already."""
        over = self.declare("over", "int32_t", f"weft_is_over(fault, {begin})")
        self.leave_if(over, over)

    def poll_row(self, loop: n.For) -> None:
        """Between rows of two loops that run as one: look at the stop flag, unless the inner loop does."""
        if not self.has_loop(loop.body):
            self.poll()

    # ---------------------------------------------------------------------------------- failures in strips

    @contextmanager
    def noting(self, flag: str) -> Iterator[Notes]:
        """Print failures as a note in a C variable, and go on."""
        outer, self._notes = self._notes, Notes(flag)
        try:
            yield self._notes
        finally:
            self._notes = outer

    @contextmanager
    def trusting(self) -> Iterator[Notes]:
        """Print no tests: they were made."""
        outer, self._notes = self._notes, Notes("")
        try:
            yield self._notes
        finally:
            self._notes = outer

    _notes: Notes | None = None

    def fail_if(self, condition: Code, site: Site, operands: Sequence[Code]) -> None:
        """End the program where the condition holds, or note that it did."""
        if self._notes is None:
            super().fail_if(condition, site, operands)
        elif self._notes.flag:
            self.lines.add(f"{self._notes.flag} |= {condition.text};")

    def whole(self, function: str, operand: Code, site: Site) -> Code:
        """An int64 that is near a float. Where failures are only noted, a large float is noted as one, too: processors
        convert only smaller ones in vectors.
        """
        if self._notes is None or not self._notes.flag or not self._notes.in_vectors:
            return super().whole(function, operand, site)
        self.lines.add(f"{self._notes.flag} |= {call('float64_is_large', operand).text};")
        return call(
            function.replace("int64_from_float", "trunc_to_int64").replace("to_int64", "to_small_int64"), operand
        )

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """End the program, or note that it is to end."""
        if self._notes is None:
            super().fail(site, operands)
        elif self._notes.flag:
            self.lines.add(f"{self._notes.flag} = 1;")

    @property
    def from_end(self) -> str:
        """In strips, vector code; elsewhere, a branch that is hardly ever taken."""
        return "from_end" if self._notes is not None else "rarely_from_end"

    def inside(self, outside: Code, wrapped: Code, extent: Code, site: Site, operands: Sequence[Code]) -> Code:
        """An index after its test; where failures are only noted, one that is outside becomes 0."""
        if self._notes is None or not self._notes.flag:
            return super().inside(outside, wrapped, extent, site, operands)
        self._notes.extents.add(extent.text)
        condition = self.declare("outside", "bool", outside.text)
        self.lines.add(f"{self._notes.flag} |= {condition};")
        return Code(f"({condition} ? 0 : {wrapped.text})")

    def print_Store(self, store: n.Store) -> None:
        """Print an assignment of an element, or keep the value apart until the strip is known to be good."""
        buffer = self._notes.buffers.get(id(store)) if self._notes else None
        if buffer is None:
            self._save(store)
            super().print_Store(store)
            if self.stores_alone:
                self.lines.add("stored_alone();")
            return
        view = self.view(store.view)
        elements.checked_indices(self, view, store.indices, store.bounds)
        self.lines.add(f"{buffer}[lane] = {self.value(store.value).text};")

    def _save(self, store: n.Store) -> None:
        """Print a copy of the element that a store overwrites, where it may have to be undone."""
        saved = self.saves.get(place_of(store))
        if saved is not None:
            place = self.view(store.view).at(self.dialect, [self.simple(index) for index in store.indices])
            self.lines.add(f"{saved} = {place.text};")

    def before_store(self, node: n.Store | n.Update, place: Code) -> None:
        """Write down what a store overwrites, where the piece has a journal."""
        if self._is_written_down(node):
            self.settle_loads()
            element = place.inside(UNARY)
            self.leave_if(f"!weft_write_down(journal, &{element}, sizeof {element})", "WEFT_FULL")

    def before_lanes(
        self, store: n.Store, lanes: int, mask: Code | None, address: Code, offsets: Code | None = None
    ) -> None:
        """The same for several elements, of which some may be left out."""
        if not self._is_written_down(store):
            return
        self.settle_loads()
        size = element_of(store).size
        if offsets is None and mask is None:
            place = f"(char *){address.inside(UNARY)}"
            self.leave_if(f"!weft_write_down(journal, {place}, {lanes * size})", "WEFT_FULL")
            return
        lane = self.module.identifiers.fresh("lane")
        distance, on = f"{lane} * {size}", ""
        if offsets is not None:
            distances = self.declare_array("distances", "int64_t", lanes)
            self.lines.add(f"store_int64x{lanes}({distances}, {offsets.text});")
            distance = f"{distances}[{lane}]"
        if mask is not None:
            flags = self.declare_array("flags", "uint8_t", lanes)
            self.lines.add(f"store_boolx{lanes}({flags}, {mask.text});")
            on = f"{flags}[{lane}] && "
        with self.lines.braces(f"for (int {lane} = 0; {lane} < {lanes}; {lane}++)"):
            place = f"(char *){address.inside(UNARY)} + {distance}"
            self.leave_if(f"{on}!weft_write_down(journal, {place}, {size})", "WEFT_FULL")

    def _is_written_down(self, node: n.Store | n.Update) -> bool:
        return self.journal is not None and not self.facts.roots(node.view) <= self.journal

    def print_If(self, branch: n.If) -> None:
        """Print a branch; one that only raises is a note."""
        raises = branch.then.statements and isinstance(branch.then.statements[-1], n.Raise)
        if self._notes and self._notes.flag and raises and not branch.orelse.statements and not branch.results:
            self.lines.add(f"{self._notes.flag} |= {self.value(branch.condition).text};")
            return
        super().print_If(branch)


@dataclass
class Notes:
    """How failures are noted: the C variable (none: they are not tested), and what was met meanwhile.

    `extents` are those of axes whose indices are tested; `buffers` hold the values of stores, by the node's identity;
    `in_vectors` says that compilers may make vector code of the strip.
    """

    flag: str
    extents: set[str] = field(default_factory=set)
    buffers: dict[int, str] = field(default_factory=dict)
    in_vectors: bool = True
