"""Arrays of which every iteration of a loop could have a copy of its own: each iteration writes what it reads.

A read is covered by writes that certainly ran before it in the same iteration and whose footprint, exactly known,
contains the element. An array that is read after the loop must be written in every iteration at the same elements, so
that the copy of the last iteration is the array.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.analysis.access.access import Access, AccessTable
from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import constant_bound
from weft.dataclass import dataclass
from weft.ir import nodes as n

MOST_POINTS = 16


@dataclass(frozen=True)
class PrivateArray:
    """An array that iterations do not share.

    Attributes
    ----------
    array
        The variable that holds the whole array.
    copied_out
        Whether what the last iteration wrote is needed after the loop.
    """

    array: n.Var
    copied_out: bool


def private_array(table: AccessTable, loop: Loop, array: n.Var) -> PrivateArray | None:
    """The array as a private one of a loop, or None where iterations share it or that is not proven."""
    roots = table.aliases.roots(array)
    inside = [a for a in table.within(loop.body) if not roots.isdisjoint(table.roots(a))]
    if table.structure.is_inside(array.name, loop) or not roots.isdisjoint(table.aliases.overlapping):
        return None
    if any(a.array != array or a.indices is None or a.fields or a.kind == "update" for a in inside):
        return None
    if any(index.sign is not None for a in inside for index in a.indices or ()):
        return None
    writes = [a for a in inside if a.writes]
    if not all(is_covered(table, loop, read, writes) for read in inside if read.reads):
        return None
    if not is_needed_outside(table, loop, roots):
        return PrivateArray(array, False)
    return PrivateArray(array, True) if all(_same_every_time(table, loop, w) for w in writes) else None


def is_covered(table: AccessTable, loop: Loop, read: Access, writes: Iterable[Access]) -> bool:
    """Whether the elements that an access reads were certainly written before in the same iteration."""
    before = [w for w in writes if _common(loop, w, read) is not None]
    ran = [w for w in before if _is_never_empty(table, w, _common(loop, w, read))]
    return any(_box_covers(table, loop, w, read) for w in before) or _points_cover(table, ran, read)


def _is_never_empty(table: AccessTable, write: Access, region: Region | None) -> bool:
    """Whether the loops around a write that are inside of a region are proven to run."""
    around = () if region is None else region.loops
    return all(table.ranges.runs(loop) for loop in write.loops if loop not in around)


def _common(loop: Loop, write: Access, read: Access) -> Region | None:
    """The innermost region around both, if the write certainly ran in it before the read and inside the loop."""
    for region in write.region.chain():
        if not loop.body.contains(region):
            return None
        if region.contains(read.region):
            depth = len(region.path)
            before = write.site.path[depth] < read.site.path[depth]
            return region if before and write.is_certain_in(region) else None
    return None


def _box_covers(table: AccessTable, loop: Loop, write: Access, read: Access) -> bool:
    """Whether the box that the loops of a write sweep contains what is read."""
    region = _common(loop, write, read)
    assert region is not None and write.indices is not None and read.indices is not None
    inner = [other for other in write.loops if other not in region.loops]
    own = {other.node.index.name: other for other in inner if isinstance(other.node, n.For)}
    swept: list[str] = []
    for w, r in zip(write.indices, read.indices, strict=True):
        counters = [name for name in own if name in w.form.names]
        if len(counters) > 1:
            return False
        if not (_sweeps(table, w.form, r.form, own[counters[0]], own, read) if counters else w.form == r.form):
            return False
        swept += counters
    return len(swept) == len(own) and set(swept) == set(own)


def _sweeps(table: AccessTable, written: Form, read: Form, loop: Loop, own: dict[str, Loop], access: Access) -> bool:
    """Whether an index that runs through a range with step 1 passes the value that is read."""
    assert isinstance(loop.node, n.For)
    counter = loop.node.index.name
    factor = written.coefficient(counter).value if written.degree(counter) == 1 else None
    if factor not in (1, -1):
        return False
    start, stop = table.forms.of(loop.node.start), table.forms.of(loop.node.stop)
    ends = [written.substitute({counter: end}) for end in (start, stop - 1)]
    if any(table.structure.is_inside(name, other) for end in ends for name in end.names for other in own.values()):
        return False
    low, high = ends if factor == 1 else ends[::-1]
    ranges = table.ranges
    return ranges.nonnegative(read - low, access.region) and ranges.nonnegative(high - read, access.region)


def _points_cover(table: AccessTable, writes: list[Access], read: Access) -> bool:
    """Whether every element that may be read was written by a statement of its own: ``t[0] = ...; t[1] = ...``.

    These statements are known to have run.
    """
    assert read.indices is not None
    if len(read.indices) != 1:
        return False
    form = read.indices[0].form
    prover = table.ranges.prover(read.region)
    low, high = constant_bound(prover, form), constant_bound(prover, -form)
    if low is None or high is None or -high - low > MOST_POINTS:
        return False
    written = {w.indices[0].form.value for w in writes if w.indices is not None}
    return all(value in written for value in range(low, -high + 1))


def _same_every_time(table: AccessTable, loop: Loop, write: Access) -> bool:
    """Whether a write touches the same elements in every iteration of a loop."""
    assert write.indices is not None
    inner = [other for other in write.loops if loop in other.around]
    counters = {other.node.index.name for other in inner if isinstance(other.node, n.For)}
    if not write.is_certain_in(loop.body) or len(counters) != len(inner):
        return False
    bounds = [table.forms.of(b) for o in inner if isinstance(o.node, n.For) for b in (o.node.start, o.node.stop)]
    forms = [*bounds, *(index.form for index in write.indices)]
    return not any(
        table.structure.is_inside(name, loop) and name not in counters for form in forms for name in form.names
    )


def is_needed_outside(table: AccessTable, loop: Loop, roots: frozenset[str]) -> bool:
    """Whether somebody may look at storages after a loop: a parameter's always, others when read or passed on."""
    structure = table.structure
    if any(structure.definition(root).kind == "parameter" for root in roots):
        return True
    if not roots.isdisjoint(table.handed_on):
        return True
    return any(a.reads and not loop.body.contains(a.region) for root in roots for a in table.of(root))
