"""Decide: comparisons of integers whose outcome is proven become constants.

``if i > 0`` in a loop from 1 on, a test of an extent that the loop's bounds imply, and so on. The proofs are those of
`weft.analysis.values.ranges`. After an access that has tested an index, the index is also known to be in bounds. The
branches themselves go when `fold` runs next.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.analysis.access.structure import Region, Site
from weft.analysis.values.forms import is_integer
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.ir import nodes as n
from weft.ir.visit import atoms_of, rewrite, substitute
from weft.transform.support import for_each_body


def decide(program: n.Program) -> n.Program:
    """Replace comparisons that always come out the same."""
    return for_each_body(program, _decided)


def _decided(body: n.Block, ranges: Ranges) -> n.Block:
    known: dict[str, n.Atom] = {}
    tested = _tested(ranges)
    for region in ranges.structure.regions():
        for position, statement in enumerate(region.block.statements):
            if isinstance(statement, n.Let) and isinstance(statement.value, n.Compare):
                outcome = _outcome(statement, statement.value, ranges, region)
                if outcome is None:
                    outcome = _behind(Site(region, position, statement), ranges, tested)
                if outcome is not None:
                    known[statement.var.name] = n.Const(outcome, statement.var.type)
    if not known:
        return body
    return substitute(rewrite(body, lambda s: () if isinstance(s, n.Let) and s.var.name in known else s), known)


def _tested(ranges: Ranges) -> dict[str, list[tuple[Site, Form, n.Bounds]]]:
    """The accesses that test an index, with the extent of the axis, by the name of the index."""
    found: dict[str, list[tuple[Site, Form, n.Bounds]]] = {}
    for site in ranges.structure.root.sites():
        access = site.statement.value if isinstance(site.statement, n.Let) else site.statement
        if not isinstance(access, (n.Load, n.Store)) or access.bounds not in ("python", "check"):
            continue
        if getattr(access, "mask", None) is not None:
            continue
        for axis, index in enumerate(access.indices):
            if isinstance(index, n.Var) and is_integer(index.type):
                extent = ranges.forms.extent(access.view, axis)
                found.setdefault(index.name, []).append((site, extent, access.bounds))
    return found


def _behind(site: Site, ranges: Ranges, tested: Mapping[str, list[tuple[Site, Form, n.Bounds]]]) -> bool | None:
    """The outcome of a comparison, as known from accesses before it that have tested its index."""
    assert isinstance(site.statement, n.Let) and isinstance(site.statement.value, n.Compare)
    names = (a.name for a in atoms_of(site.statement.value) if isinstance(a, n.Var) and a.name in tested)
    facts: list[Form] = []
    for name in names:
        for access, extent, bounds in tested[name]:
            if access.path < site.path and access.region in site.region.chain():
                index = ranges.forms.of(ranges.structure.definition(name).var)
                facts += [extent - index - 1, index + extent if bounds == "python" else index]
    if not facts:
        return None
    prover = ranges.prover(site.region).extended(facts)
    for truth in (True, False):
        contrary = list(ranges.implied(site.statement.var, not truth))
        if any(prover.nonnegative(-form - 1) for form in contrary):
            return truth
    return None


def _outcome(statement: n.Let, value: n.Compare, ranges: Ranges, region: Region) -> bool | None:
    if not is_integer(value.left.type) or not is_integer(value.right.type):
        return None
    if ranges.proves(statement.var, region):
        return True
    return False if ranges.refutes(statement.var, region) else None
