"""Which arrays launches and statements of the host touch: where, on which side, and with which boxes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from weft.analysis.access.access import Access
from weft.analysis.access.access import table as access_table
from weft.analysis.access.structure import Path, Region
from weft.analysis.values.linear import RUN, Form
from weft.ir import nodes as n
from weft.ir.reference.memories import HOST
from weft.ir.types import View
from weft.ir.visit import defined_by
from weft.plan.transfers import footprints
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.memory_spaces import without_kernels
from weft.plan.transfers.owners import Owners
from weft.plan.transfers.regions import Box, Boxes, Space, renamed


@dataclass(frozen=True)
class Touch:
    """The first thing that a statement does with arrays of a group: where, on which side, and with which boxes."""

    path: Path
    group: str
    side: str
    boxes: dict[str, Boxes]


class Touches:
    """What a program's statements touch, and what is known of its arrays wherever that is.

    Parameters
    ----------
    program
        With launches, and nothing that moves data.
    device
        The memory of the launches.
    launches
        What every kernel touches, by its name.
    there
        Parameters whose arrays are on the device before the program starts.
    share
        Whether all arrays are to be treated as shared.
    """

    def __init__(
        self, program: n.Program, device: str, launches: Mapping[str, Footprint], there: frozenset[str], share: bool
    ) -> None:
        self.device = device
        self.launches = launches
        self.there = there
        self.table = access_table(without_kernels(program))
        self.structure = self.table.structure
        self.owners = Owners(program, self.table, share)
        self._spaces: dict[tuple[str, Region], Space] = {}
        holders = self.owners.vars
        accesses = footprints.with_whole_arrays(self.table, self.table.accesses)
        self.accesses = sorted((a for a in accesses if a.array.name in holders), key=lambda a: a.site.path)
        self.paths = [access.site.path for access in self.accesses]
        self.all = sorted(self._touches(), key=_path_of)
        self._of_group: dict[str, list[Touch]] = {}
        for touch in self.all:
            self._of_group.setdefault(touch.group, []).append(touch)

    def _touches(self) -> Iterator[Touch]:
        for site in self.structure.root.sites():
            if isinstance(site.statement, n.Launch):
                found = self.launch_footprint(site.statement, site.region)
                for name in found.arrays:
                    yield Touch(site.path, self.owners.group(name), self.device, {name: found.reads.get(name, ())})
        for access in self.accesses:
            yield Touch(access.site.path, self.owners.group(access.array.name), HOST, {})

    def of(self, name: str) -> Sequence[Touch]:
        """What happens to the arrays of a holder's group, in the order of the text."""
        return self._of_group.get(self.owners.group(name), ())

    def has_parts(self, name: str) -> bool:
        """Whether launches touch an array, or the host leaves more of it alone than a few rows."""
        own = self.of(name)
        root, where = self.structure.root, self.where(name, self.structure.root)
        if any(t.side != HOST for t in own):
            return True
        members = self.owners.members(self.owners.group(name))
        found = [self.host_footprint(root, k) for k in sorted({t.path[0] for t in own})]
        boxes = [box for f in found for k in members for box in (*f.reads.get(k, ()), *f.writes.get(k, ()))]
        hull = zip(where.hull(boxes), where.extents, strict=True) if boxes else ()
        return not boxes or any((size - (side.stop - side.low)).value is None for side, size in hull)

    def next_touch(self, path: Path, name: str) -> Touch | None:
        """What happens next to an array after a statement; loops are taken to go on."""
        own = self.of(name)
        while len(path) > 1:
            around = path[:-2]
            found = _inside(own, path[:-1], path[-1] + 1)
            if not found and isinstance(self._statement(around), (n.For, n.While)):
                found = _inside(own, around)
            if found:
                return found[0]
            path = around
        return next(iter(_inside(own, (), path[-1] + 1)), None)

    def at(self, touch: Touch, region: Region, position: int) -> Touch:
        """A touch, of the boxes alone whose sides are known behind an earlier statement."""
        boxes = {
            name: tuple(box for box in found if all(self._is_known(one, region, position) for one in names_in((box,))))
            for name, found in touch.boxes.items()
        }
        return replace(touch, boxes=boxes)

    def is_made_in(self, box: Box, region: Region) -> bool:
        """Whether a side of a box is a number that is computed in a region, or in a run of a loop."""
        names = [name for name in names_in((box,)) if name not in self.owners.vars]
        found = (self.structure.definition(name) for name in names if not name.startswith(RUN))
        return any(name.startswith(RUN) for name in names) or any(
            d.kind in ("let", "result") and region.contains(d.region) for d in found
        )

    def _is_known(self, name: str, region: Region, position: int) -> bool:
        """Whether a variable has its value behind a statement; what a loop finds in its runs has none."""
        if name.startswith(RUN):
            return False
        found = self.structure.definition(name)
        if found.kind != "let" and found.kind != "result":
            return found.region.contains(region)
        path = (*region.path, position)
        size = len(found.region.path)
        return path[:size] == found.region.path and found.position <= path[size]

    def is_due(self, region: Region, position: int, name: str, boxes: Boxes, whole: bool = False) -> bool:
        """Whether the host certainly needs boxes of an array behind a statement, before a kernel writes to it: some of
        their elements, or the boxes as a `whole`.

        Loops of the host count as if they ran, and so does what follows an exception. Behind the program's last
        statement the caller needs arrays of his.
        """
        touches = self.of(name)
        found = self._is_due(region, position + 1, name, boxes, touches, whole)
        while whole and found is None and isinstance(region.owner, n.If) and region.parent is not None:
            region, position = region.parent, region.position
            found = self._is_due(region, position + 1, name, boxes, touches, whole)
        is_end = found is None and region is self.structure.root
        return found or (is_end and self.owners.may_be_parameter(name) and not self.owners.is_guest(name))

    def _is_due(
        self, region: Region, first: int, name: str, boxes: Boxes, touches: Sequence[Touch], whole: bool
    ) -> bool | None:
        """The same for the statements of a block from a position on; None where nothing there decides it."""
        size = len(region.path)
        for position, found in groupby(_inside(touches, region.path, first), lambda t: t.path[size]):
            here = list(found)
            inner = region.inner.get(position, ())
            if any(t.side != HOST and name in self._written(t.path, region) for t in here):
                return False
            if all(t.side != HOST for t in here):
                continue
            if not isinstance(region.block.statements[position], n.If):
                if (needs := self._needs(region, position, name, boxes, whole)) or not whole:
                    return needs
                continue
            ways = [self._is_due(way, 0, name, boxes, here, whole) for way in inner]
            if False in ways or all(ways):
                return all(ways)
        return None

    def used_at_home(self, path: Path, loop: n.For | n.While) -> list[str]:
        """The arrays that the host uses in a loop, or that the loop takes over."""
        groups = {t.group for t in _inside(self.all, path) if t.side == HOST}
        return [*self.carried(loop), *(name for name in self.owners.vars if self.owners.group(name) in groups)]

    def _written(self, path: Path, region: Region) -> frozenset[str]:
        """The arrays that the launch at a place writes."""
        launch = self._statement(path)
        assert isinstance(launch, n.Launch)
        groups = {self.owners.group(name) for name in self.launches[launch.kernel.name].writes}
        return frozenset(name for group in groups for name in self.owners.members(group))

    def _needs(self, region: Region, position: int, name: str, boxes: Boxes, whole: bool) -> bool:
        """Whether a statement of the host touches some boxes of an array, or all of them."""
        found, where = self.host_footprint(region, position), self.where(name, region)
        touched = (*found.reads.get(name, ()), *found.writes.get(name, ()))
        if whole:
            return where.covers(touched, boxes)
        return all(not all(where.apart(mine, box) for box in touched) for mine in boxes)

    def _statement(self, path: Path) -> n.Statement:
        region = self.structure.root
        for k in range(0, len(path) - 1, 2):
            region = region.inner[path[k]][path[k + 1]]
        return region.block.statements[path[-1]]

    def needed_at_home(self, region: Region, first: int, name: str, since: int) -> Boxes | None:
        """What the host needs of an array from a position of a block on, before a kernel or a branch comes to it.

        Boxes whose sides are not known before the statement at `since` end it; None where the first one does.
        """
        boxes: list[Box] = []
        unknown = {v.name for s in region.block.statements[since:] for v in defined_by(s)}
        size = len(region.path)
        for position, here in groupby(_inside(self.of(name), region.path, first), lambda t: t.path[size]):
            statement = region.block.statements[position]
            is_host = all(t.side == HOST for t in here)
            if not is_host or isinstance(statement, n.If):
                break
            found = self.host_footprint(region, position)
            touched = (*found.reads.get(name, ()), *found.writes.get(name, ()))
            if not unknown.isdisjoint(names_in(touched)):
                return tuple(boxes) or None
            boxes += touched
            if name in self.carried(statement):
                return (self.where(name, region).whole,)
        return tuple(boxes)

    def launch_footprint(self, launch: n.Launch, region: Region) -> Footprint:
        """What a launch touches."""
        return self.steady(self.launches[launch.kernel.name], region)

    def steady(self, found: Footprint, region: Region) -> Footprint:
        """The footprint without boxes whose sides follow the extents of shared arrays, which may change places."""
        reads, writes = (
            {name: renamed(boxes, {name: name}, self.extents_of) for name, boxes in touched.items()}
            for touched in (found.reads, found.writes)
        )
        for name in found.arrays:
            whole = self.where(name, region).whole
            if not all(map(self.is_steady, found.reads.get(name, ()))):
                reads[name] = (whole,)
            if not all(map(self.is_steady, found.writes.get(name, ()))):
                reads[name] = writes[name] = (whole,)
        return replace(found, reads=reads, writes=writes)

    def is_steady(self, box: Box) -> bool:
        """Whether the extents that a box depends on belong to arguments, or to arrays that are followed."""
        names = holders_in(box, self.owners)
        return all(self.structure.definition(k).kind == "parameter" or self.owners.is_owned(k) for k in names)

    def extents_of(self, name: str) -> tuple[Form, ...]:
        """The extents of an array."""
        return self.table.forms.view(self.owners.vars[name]).extents

    def where(self, name: str, region: Region) -> Space:
        """The extents of an array, with proofs at a region."""
        key = (name, region)
        if key not in self._spaces:
            self._spaces[key] = footprints.space(self.table, self.owners.vars[name], region)
        return self._spaces[key]

    def is_there(self, name: str) -> bool:
        """Whether an array is on the device before the program starts."""
        return bool(self.there) and not self.there.isdisjoint(self.table.aliases.roots(self.owners.vars[name]))

    def host_footprint(self, region: Region, position: int) -> Footprint:
        """What a statement of the host touches of owned arrays."""
        path = (*region.path, position)
        inside: list[Access] = []
        for k in range(bisect_left(self.paths, path), len(self.paths)):
            if self.paths[k][: len(path)] != path:
                break
            inside.append(self.accesses[k])
        before = [a for a in inside if self.owners.is_outside(a.array, path)]
        found = footprints.of_accesses(self.table, before, region)
        for access in inside:
            whole = {name: self.where(name, region).whole for name in self.owners.shown_inside(access.array, path)}
            footprints.add_whole(found, whole, access)
        return self.steady(found, region)

    def handed(self, branch: n.If) -> list[int]:
        """The positions of a branch's results that are owned arrays."""
        views = (k for k, r in enumerate(branch.results) if isinstance(r.type, View))
        return [k for k in views if self.owners.is_owned(branch.results[k].name)]

    def carried(self, statement: n.Statement) -> list[str]:
        """The owned arrays that a statement takes over, if it is a loop."""
        if not isinstance(statement, (n.For, n.While)):
            return []
        return [name_of(statement.args[k].init) for k in self.owners.carried(statement)]

    def is_fault(self, branch: n.If) -> bool:
        """Whether a branch is taken when a kernel has failed."""
        return self.structure.launch_of(branch.condition) is not None


def _path_of(touch: Touch) -> Path:
    return touch.path


def _inside(touches: Sequence[Touch], place: Path, first: int = 0) -> Sequence[Touch]:
    """Those of some touches, sorted by their paths, that are inside of a statement or a block, or in the statements of
    the block from a position on."""
    begin = bisect_left(touches, (*place, first) if first else place, key=_path_of)
    end = bisect_left(touches, (*place[:-1], place[-1] + 1), begin, key=_path_of) if place else len(touches)
    return touches[begin:end]


def holders_in(box: Box, owners: Owners) -> frozenset[str]:
    """The arrays whose extents the sides of a box depend on."""
    return names_in((box,)) & owners.vars.keys()


def names_in(boxes: Boxes) -> frozenset[str]:
    """The variables and arrays that the sides of boxes depend on."""
    return frozenset().union(*(form.names for box in boxes for side in box for form in (side.low, side.stop)))


def name_of(atom: n.Atom) -> str:
    assert isinstance(atom, n.Var)
    return atom.name
