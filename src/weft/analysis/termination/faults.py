"""Which statements may really raise: those that are marked so, less those that are proven not to.

An access does not raise where its indices are proven to be inside, or where the same access was made before on the way
there. Arithmetic on Python's ints does not overflow where the range of the result is proven.
"""

from __future__ import annotations

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Region, Site
from weft.analysis.values.linear import symbol
from weft.ir import nodes as n
from weft.ir.effects import statement_may_raise
from weft.ir.types import PYINT, limits


def may_raise(table: AccessTable, site: Site) -> bool:
    """Whether a statement by itself may raise, or not end; its blocks are not looked at."""
    statement = site.statement
    if isinstance(statement, (n.For, n.If)):
        return False
    if isinstance(statement, n.While):
        return True
    if not statement_may_raise(statement):
        return False
    if isinstance(statement, n.Let):
        return _let_may_raise(table, site, statement)
    return not (isinstance(statement, n.Store) and _is_inside(table, site))


def region_may_raise(table: AccessTable, region: Region) -> bool:
    """Whether something in a region may raise, or not end."""
    return any(may_raise(table, site) for site in region.sites())


def _let_may_raise(table: AccessTable, site: Site, statement: n.Let) -> bool:
    value = statement.value
    if isinstance(value, n.Load):
        return not _is_inside(table, site)
    overflowing = isinstance(value, n.Unary) or (isinstance(value, n.Binary) and value.op in ("add", "sub", "mul"))
    if not overflowing or statement.var.type != PYINT:
        return True
    form, (low, high), prove = table.forms.of(statement.var), limits(PYINT), table.ranges.nonnegative
    if form == symbol(statement.var.name):
        return True  # its range is that of its type: nothing is known of it
    return not (prove(form - low, site.region) and prove(high - form, site.region))


def _is_inside(table: AccessTable, site: Site) -> bool:
    access = table.at(site)
    return access is not None and (_is_repeated(table, access) or _is_proven(table, access))


def _is_repeated(table: AccessTable, access: Access) -> bool:
    """Whether the same element was certainly accessed before, by the same indices of the same view."""
    return access.indices is not None and any(
        other.site.path < access.site.path and other.region.contains(access.region)
        for other in table.with_same_indices(access)
    )


def _is_proven(table: AccessTable, access: Access) -> bool:
    statement = access.site.statement
    node = statement.value if isinstance(statement, n.Let) else statement
    if not isinstance(node, (n.Load, n.Store)):
        return False
    prove, region = table.ranges.nonnegative, access.region
    pairs = zip(map(table.forms.of, node.indices), table.forms.view(node.view).extents, strict=True)
    return all(prove(index, region) and prove(extent - 1 - index, region) for index, extent in pairs)
