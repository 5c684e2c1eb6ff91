"""Versions: a loop whose accesses are inside if something holds that is known when it starts stands twice.

For indices that hang on values computed by the program: rows of a sparse matrix, blocks of a transform. The condition
is that of `weft.transform.safety.hull`, tested before the outermost loop where all it needs is known; where it holds,
the accesses that it is about are not tested. The other version is the loop as it was. Of an index with constant bounds,
as a byte, a mask or a remainder has, the condition is that these are inside: a byte asks for a table of 256. Other
conditions on parameters alone are left to `bounds`; other indices that are read from arrays inside the loop stay
tested. Loops of a few iterations, and very large ones, are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from weft.analysis.access.structure import Loop, Path, Site
from weft.analysis.values.linear import Element, Form, Quotient
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.types import PYBOOL, PYINT
from weft.ir.visit import has_fewer_trips, walk
from weft.transform.emit import Emitter
from weft.transform.peel import Copies
from weft.transform.safety.bounds import Indexing, indexing_of, with_bounds
from weft.transform.safety.hull import Case, Hull, fits, names_of
from weft.transform.support import ranges_of, replace_at

MOST_STATEMENTS = 120
LARGEST_TABLE = 2**16 - 1
"""The last element of the largest table that is asked for where an index is known to be at most that."""
FEW_ITERATIONS = 8


def versions(program: n.Program) -> n.Program:
    """Test hulls before inner loops."""
    ranges = ranges_of(program)
    wanted = _wanted(ranges)
    if not wanted:
        return program
    copies = Copies(program)
    changes: dict[Path, tuple[n.Statement, ...]] = {}
    for version in wanted.values():
        if not any(loop.label in wanted for loop in version.loop.around):
            new = _versioned(version, ranges, copies)
            if new is not None:
                changes[version.loop.path] = new
    return replace(program, body=replace_at(program.body, changes)) if changes else program


@dataclass
class _Version:
    """What is to be tested before a loop, and the accesses that are inside then."""

    loop: Loop
    cases: list[tuple[Case, ...]] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)


def _wanted(ranges: Ranges) -> dict[str, _Version]:
    found: dict[str, _Version] = {}
    for site in ranges.structure.root.sites():
        indexing = indexing_of(site.statement)
        if indexing is None or not indexing.indices or indexing.bounds not in ("python", "check"):
            continue
        for loop in site.region.loops:
            cases = _conditions(site, indexing, loop, ranges)
            if cases is not None:
                version = found.setdefault(loop.label, _Version(loop))
                version.cases += cases
                version.sites.append(site)
                break
    return found


def _conditions(site: Site, indexing: Indexing, loop: Loop, ranges: Ranges) -> list[tuple[Case, ...]] | None:
    if not isinstance(loop.node, n.For) or _is_short(loop.node):
        return None
    hull = Hull(ranges, site.region, lambda symbol: _is_known(symbol, loop, ranges))
    found: list[tuple[Case, ...]] = []
    for axis, atom in indexing.indices:
        last, form = ranges.forms.extent(indexing.view, axis) - 1, ranges.forms.of(atom)
        cases = hull.conditions([form, last - form])
        low, high = ranges.interval(atom, site.region) if cases is None else (None, None)
        if low is not None and high is not None and low >= 0 and high <= LARGEST_TABLE:
            cases = hull.conditions([last - high])
        if cases is None:
            return None
        found += cases
    return found if all(fits(form, ranges) for cases in found for case in cases for form in case) else None


def _is_short(loop: n.For) -> bool:
    return sum(1 for _ in walk(loop.body)) > MOST_STATEMENTS or has_fewer_trips(loop, FEW_ITERATIONS)


def _is_known(symbol: str, loop: Loop, ranges: Ranges) -> bool:
    """Whether the value of a symbol is known where a loop starts."""
    if isinstance(symbol, Element) or (isinstance(symbol, Quotient) and symbol.parts[1].value is None):
        return next(_variables_for(symbol, loop, ranges), None) is not None
    return not any(ranges.structure.is_inside(name, loop) for name in names_of(symbol))


def _variables_for(symbol: str, loop: Loop, ranges: Ranges) -> Iterator[n.Var]:
    """Variables known where a loop starts that have the value of a symbol."""
    wanted = Form({(symbol,): 1})
    path = loop.path
    for definition in ranges.structure.definitions.values():
        if definition.kind == "let" and definition.var.type == PYINT and definition.region.contains(loop.region):
            before = definition.position < path[len(definition.region.path)]
            if before and ranges.forms.of(definition.var) == wanted:
                yield definition.var


def _versioned(version: _Version, ranges: Ranges, copies: Copies) -> tuple[n.Statement, ...] | None:
    loop, node = version.loop, version.loop.node
    assert isinstance(node, n.For)
    emitter = Emitter(ranges.structure, loop.region, loop.position, copies.names, node.location)
    condition: n.Atom = n.Const(True, PYBOOL)
    for cases in dict.fromkeys(version.cases):
        either: n.Atom = n.Const(False, PYBOOL)
        for case in cases:
            emitter.given.update(_given(case, loop, ranges))
            either = emitter.either(either, emitter.case(case, ranges))
        condition = emitter.both((condition, either))
    if condition == n.Const(False, PYBOOL):
        return None
    fast = _inside(node, version, copies)
    if condition == n.Const(True, PYBOOL):
        return (*emitter.statements, replace(fast, results=node.results))
    slow = copies.loop(node, node.start, node.stop, tuple(a.init for a in node.args))
    return (*emitter.statements, n.If(condition, _block(fast), _block(slow), node.results, node.location))


def _given(case: Case, loop: Loop, ranges: Ranges) -> dict[str, n.Atom]:
    found: dict[str, n.Atom] = {}
    for symbol in {s for form in case for s in form.symbols}:
        if isinstance(symbol, (Element, Quotient)):
            var = next(_variables_for(symbol, loop, ranges), None)
            if var is not None:
                found[symbol] = var
    return found


def _inside(node: n.For, version: _Version, copies: Copies) -> n.For:
    """The loop without the tests; it keeps its label and names, but for the results."""
    changes = {site.path: (with_bounds(site.statement, "safe", {}),) for site in version.sites}
    body = replace_at(node.body, changes, (*version.loop.path, 0))
    return replace(node, body=body, results=tuple(copies.names.fresh(r.stem, r.type) for r in node.results))


def _block(loop: n.For) -> n.Block:
    return n.Block((loop,), loop.results)
