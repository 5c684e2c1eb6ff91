"""Signs: a loop in which an index changes its sign is split there, so that no part asks which elements are meant.

``a[i - k]`` for `i` from 0 counts from the end while ``i < k``. The loop becomes two, up to `k` and from `k` on; in
each the sign is proven, and `weft.transform.safety.bounds` tests the ends of both at the call. Where one part is a
single iteration, as for ``a[i - 1]``, it stands beside the loop. Split are loops whose first or last iterations have a
negative index, where parameters of unknown sign are taken to be positive, as they mostly are: whatever they are, both
parts together do the same. An index must grow or fall by one with the counter, and the rest of it must be known before
the loop. Loops that may be left early, large ones, and claims of `weft.prange` that are not proven stay whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.linear import Derived, Form, symbol
from weft.analysis.values.ranges import Ranges
from weft.dataclass import dataclass
from weft.ir import nodes as n
from weft.ir.types import PYINT
from weft.ir.visit import walk
from weft.transform.emit import Emitter
from weft.transform.peel import Copies, with_first, with_last
from weft.transform.safety.bounds import indexing_of
from weft.transform.safety.hull import fits, names_of
from weft.transform.support import judged, ranges_of, replace_at

MOST_STATEMENTS = 80
"""Larger loops do not stand twice."""
MOST_SPLITS = 8
"""How many splits a program gets."""
FEW = 4
"""In a loop of fewer iterations nothing is expected."""


def split_by_sign(program: n.Program) -> n.Program:
    """Split loops where indices change their sign."""
    done: set[tuple[str, Form]] = set()
    for _ in range(MOST_SPLITS):
        ranges = ranges_of(program)
        new = (split for split in _splits(ranges) if split.key not in done)
        found = next(((split, after) for split in new for after in _applied(program, split, ranges)), None)
        if found is None:
            return program
        done.add(found[0].key)
        program = found[1]
    return program


@dataclass(frozen=True)
class _Split:
    """Where a loop is split: in front of an iteration; `main` is 1 where the index is not negative from there on."""

    loop: Loop
    place: Form
    main: int

    @property
    def key(self) -> tuple[str, Form]:
        """What tells splits apart, also of the parts that a loop has become."""
        return self.loop.label.partition("@")[0], self.place


def _splits(ranges: Ranges) -> Iterator[_Split]:
    for site in ranges.structure.root.sites():
        indexing = indexing_of(site.statement) if site.region.loops else None
        if indexing is None or indexing.bounds != "python":
            continue
        for _, atom in indexing.indices:
            split = _split(ranges.forms.of(atom), site.region, ranges)
            if split is not None:
                yield split


def _split(form: Form, region: Region, ranges: Ranges) -> _Split | None:
    """How the innermost loop that an index depends on is split for it; None where that brings nothing."""
    for loop in reversed(region.loops):
        node = loop.node
        if not isinstance(node, n.For):
            return None
        if form.degree(node.index.name) == 0:
            continue
        factor, rest = form.coefficient(node.index.name).value, form.without(node.index.name)
        if factor not in (1, -1) or form.degree(node.index.name) != 1 or not _is_known(rest, loop, ranges):
            return None
        start, stop = ranges.forms.of(node.start), ranges.forms.of(node.stop)
        end = rest + start if factor == 1 else rest - stop + 1
        if not _is_negative(end, stop - start, loop, ranges) or ranges.nonnegative(-form - 1, region):
            return None
        return None if ranges.nonnegative(form, region) else _Split(loop, -rest if factor == 1 else rest + 1, factor)
    return None


def _is_known(form: Form, loop: Loop, ranges: Ranges) -> bool:
    return fits(form + 1, ranges) and not any(
        ranges.structure.is_inside(name, loop) for part in form.symbols for name in names_of(part)
    )


def _is_negative(end: Form, trips: Form, loop: Loop, ranges: Ranges) -> bool:
    """Whether an index is negative at one end of a loop, if it runs and unknown numbers are positive."""
    if end.value is not None:
        return end.value < 0
    prover = ranges.prover(loop.region)
    unknown = [s for s in end.symbols if not isinstance(s, Derived) and not prover.nonnegative(symbol(s))]
    return prover.extended([trips - FEW, *(symbol(s) - 1 for s in unknown)]).nonnegative(-end - 1)


# ---------------------------------------------------------------------------------------------------- splitting


def _applied(program: n.Program, split: _Split, ranges: Ranges) -> Iterator[n.Program]:
    """The program with a split, if it can be made."""
    loop, node = split.loop, split.loop.node
    assert isinstance(node, n.For)
    if node.exit is not None or node.index.type != PYINT or sum(1 for _ in walk(node.body)) > MOST_STATEMENTS:
        return
    if node.claim == "prange" and judged(program).loops[loop.label].doubtful:
        return
    copies = Copies(program)
    start, stop = ranges.forms.of(node.start), ranges.forms.of(node.stop)
    if split.place == start + 1:
        parts = with_first(node, copies)
    elif split.place == stop - 1:
        parts = with_last(node, copies)
    else:
        emitter = Emitter(ranges.structure, loop.region, loop.position, copies.names, node.location)
        place = emitter.form(split.place)
        if place is None:
            return
        stop_of_first = emitter.let(n.Binary("min", place, node.stop, checked=False))
        start_of_second = emitter.let(n.Binary("max", place, node.start, checked=False))
        parts = (*emitter.statements, *_halves(node, stop_of_first, start_of_second, split.main, copies))
    yield replace(program, body=replace_at(program.body, {loop.path: parts}))


def _halves(node: n.For, stop: n.Atom, start: n.Atom, main: int, copies: Copies) -> tuple[n.For, n.For]:
    """The iterations before `stop`, and those from `start` on; the main part keeps the loop's label."""
    inits = tuple(arg.init for arg in node.args)
    if main == 1:
        first = copies.loop(node, node.start, stop, inits)
        args = tuple(replace(arg, init=value) for arg, value in zip(node.args, first.results, strict=True))
        return first, replace(node, start=start, args=args)
    results = tuple(copies.names.fresh(r.stem, r.type) for r in node.results)
    first = replace(node, stop=stop, results=results)
    return first, replace(copies.loop(node, start, node.stop, results), results=node.results)
