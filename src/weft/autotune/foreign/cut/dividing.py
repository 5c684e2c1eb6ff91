"""How a call of a kernel is cut over devices: ranges of groups along one dimension of its grid, and what each touches.

What it does: `Cutter.divide` tries each dimension, and takes the one with the fewest bytes to copy. What it assumes:
a checked run found that `touches` is right, and that groups along that dimension can be told apart. What it refuses:
pieces that write the same elements, unless the kernel adds to them and says so (``combine="add"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from weft.autotune.foreign.arguments import InOut
from weft.autotune.foreign.confirming import Confirmed
from weft.autotune.foreign.cut.footprints import Box, Ends, Footprint, said
from weft.autotune.foreign.evaluating import plain
from weft.autotune.foreign.languages import Run
from weft.errors import ArgumentError
from weft.runtime.devices.accelerators import model
from weft.split.arguments import check_arrays
from weft.split.shares import Speeds, adjusted

if TYPE_CHECKING:
    from weft.autotune.foreign.kernel import Kernel
    from weft.autotune.spaces.space import Point

Values: TypeAlias = "Mapping[str, Any]"

AXES = "xyz"


@dataclass(frozen=True)
class Piece:
    """What one device runs.

    Attributes
    ----------
    device, point, run
        Where, at which point of the space, and how it is started.
    own
        The points along the cut that it gives back; it may compute a few more.
    reads
        What its points touch of each array.
    writes
        What it gives back of each array that the kernel writes.
    """

    device: str
    point: Point
    run: Run
    own: Ends
    reads: Mapping[str, Box]
    writes: Mapping[str, Box]


@dataclass(frozen=True)
class Division:
    """How a call of a kernel is cut.

    Attributes
    ----------
    axis
        The dimension of the grid.
    pieces
        What each device runs; those without a group are left out.
    overlap
        How many points are computed twice.
    combined
        The arrays into which several pieces add.
    filled
        The arrays of which pieces write all that they touch, so that nothing of them goes to the devices.
    units
        How many points each device computes, in the order of the devices.
    count
        Points of the grid along the cut.
    why
        How the shares were found, in words.
    """

    axis: int
    pieces: tuple[Piece, ...]
    overlap: int
    combined: frozenset[str]
    filled: frozenset[str]
    units: tuple[int, ...]
    count: int
    why: str

    @property
    def has_others(self) -> bool:
        """Whether the grid has other dimensions."""
        return len(self.pieces[0].run.grid) > 1

    def copies(self, values: Values) -> Iterator[tuple[Piece, dict[str, int], dict[str, int]]]:
        """The bytes of each array that go to the device of each piece, and those that come back."""
        for piece in self.pieces:
            sent = {
                name: _length(stretch_of(box, values[name].shape)) * int(values[name].itemsize)
                for name, box in piece.reads.items()
                if name not in self.filled
            }
            back = {name: _length(stretch_of(piece.reads[name], values[name].shape)) for name in piece.writes}
            returned = {name: count * int(values[name].itemsize) for name, count in back.items()}
            yield (
                piece,
                {n: size for n, size in sent.items() if size},
                {n: size for n, size in returned.items() if size},
            )

    def bytes_moved(self, values: Values) -> int:
        """Bytes that go to devices and come back."""
        return sum(sum((*sent.values(), *returned.values())) for _, sent, returned in self.copies(values))


class Cutter:
    """Cuts calls of a kernel.

    Parameters
    ----------
    kernel
        The kernel.
    devices
        The names of the devices, of the kernel's kind.
    gives_up_bits
        Whether devices may round differently.
    """

    def __init__(self, kernel: Kernel, devices: Sequence[str], gives_up_bits: bool = False) -> None:
        self.kernel, self.devices = kernel, tuple(devices)
        self.gives_up_bits = gives_up_bits
        found = kernel.confirmed
        self.is_checked, self.confirmed = found is not None, found or Confirmed((), frozenset())

    def divide(self, values: Values, speeds: Speeds) -> Division | None:
        """How a call is cut; None where its grid has no points.

        Raises
        ------
        ArgumentError
            It cannot be cut, with the reason and the remedy.
        """
        self._check(values)
        points = self._points(values)
        one = self.kernel.run_for(values, points[0])
        runs = [one if point is points[0] else self.kernel.run_for(values, point) for point in points]
        if 0 in runs[0].grid:
            return None
        footprints = self._footprints(values, points[0])
        found, why = list[Division](), list[ArgumentError]()
        for axis in range(len(runs[0].grid)):
            try:
                found.append(self._along(axis, points, runs, footprints, speeds))
            except ArgumentError as error:
                why.append(error)
        several = [division for division in found if len(division.pieces) > 1]
        if not several and why:
            raise why[-1]
        return min(several or found, key=lambda division: (division.bytes_moved(values), len(division.combined)))

    def _check(self, values: Values) -> None:
        """Refuse kernels of which nobody knows what a piece touches, and arrays that pieces cannot share."""
        kernel = self.kernel
        if kernel.touches is None:
            raise self._refusal(
                "nobody knows which elements a point of its grid touches",
                hint='say it: weft.kernel(..., touches=lambda i: {"x": i, "y": i})',
            )
        if kernel.grid_word:
            raise self._refusal(
                f"its source asks for {kernel.grid_word}, which is another one in a piece",
                hint="pass the number to the kernel as an argument",
            )
        if not self.is_checked:
            names = ", ".join(argument.name for argument in kernel.arguments)
            raise self._refusal(
                "no checked run has found that touches is right",
                hint=f"run it once between guards, small arrays will do: kernel.check({names})",
            )
        check_arrays(values, [part.name for part in kernel.parameters if part.writes])
        models = {model(device) for device in self.devices}
        if len(models) > 1 and not kernel.is_idempotent and not self.gives_up_bits:
            raise self._refusal(
                f"{' and '.join(self.devices)} are devices of different models, which may round differently",
                hint="name devices of one model, or promise that they give the same: weft.kernel(..., idempotent=True)",
            )

    def _points(self, values: Values) -> list[Point]:
        """Where in the space each device runs: one point for all, unless a point of the grid does the same anyway."""
        kernel = self.kernel
        if kernel.is_idempotent and not kernel.depends_on_tunables:
            return [kernel.point_for(values, device) for device in self.devices]
        return [kernel.point_for(values, self.devices[0])] * len(self.devices)

    def _footprints(self, values: Values, point: Point) -> dict[str, Footprint]:
        assert self.kernel.touches is not None
        found = said(self.kernel.touches, {**plain(values), **point})
        if found is None:
            found = {}
        shapes = {part.name: values[part.name].shape for part in self.kernel.parameters if part.is_array}
        return {name: found.get(name, Footprint(shape, None)) for name, shape in shapes.items()}

    def _along(
        self,
        axis: int,
        points: Sequence[Point],
        runs: Sequence[Run],
        footprints: Mapping[str, Footprint],
        speeds: Speeds,
    ) -> Division:
        """The pieces along a dimension.

        Raises
        ------
        ArgumentError
            Groups along it were not told apart, or pieces write the same elements.
        """
        count = runs[0].grid[axis]
        if axis not in self.confirmed.axes and runs[0].groups[axis] > 1:
            raise self._refusal(
                f"the checked run had one group along {AXES[axis]}, which proves nothing of pieces there",
                hint="check it with arrays for several groups in each dimension",
            )
        owns, slices, overlap = ranges(count, [run.block[axis] for run in runs], speeds)
        found, units = [], []
        for device, point, run, own, (low, high) in zip(self.devices, points, runs, owns, slices, strict=True):
            units.append(high - low)
            if own[0] >= own[1]:
                continue
            first = tuple(low // run.block[axis] if k == axis else 0 for k in range(len(run.grid)))
            grid = tuple(high - low if k == axis else extent for k, extent in enumerate(run.grid))
            computed, given = _points_in(run.grid, axis, (low, min(high, count))), _points_in(run.grid, axis, own)
            found.append(
                Piece(
                    device,
                    point,
                    replace(run, grid=grid, first=first),
                    own,
                    {name: footprint.box(computed) for name, footprint in footprints.items()},
                    {name: footprints[name].box(given) for name in run.writes},
                )
            )
        combined = frozenset(name for name in runs[0].writes if _meet([piece.writes[name] for piece in found]))
        self._check_combined(axis, combined)
        filled = frozenset(
            name for name in runs[0].writes if self.kernel.is_output(name) and footprints[name].is_filled
        )
        return Division(axis, tuple(found), overlap, combined, filled, tuple(units), count, _shares(speeds))

    def _check_combined(self, axis: int, combined: frozenset[str]) -> None:
        kernel = self.kernel
        added = {a.name for a in kernel.arguments if isinstance(a, InOut)} if kernel.combine else set()
        for name in sorted(combined - added):
            is_both = any(isinstance(a, InOut) and a.name == name for a in kernel.arguments)
            if kernel.combine:
                hint = f'describe it as weft.InOut("{name}") if the kernel adds to it'
            elif is_both:
                hint = 'if it only adds to these elements, say weft.kernel(..., combine="add")'
            else:
                hint = "say in touches which elements each point writes, by sums of counters and numbers"
            raise self._refusal(f"its pieces along {AXES[axis]} write the same elements of {name!r}", hint)
        unseen = sorted(combined - self.confirmed.added)
        if unseen:
            raise self._refusal(
                f"no checked run has found that it only adds to {unseen[0]!r}",
                hint="check it with arrays for which its groups meet in elements of that",
            )

    def _refusal(self, cause: str, hint: str) -> ArgumentError:
        return ArgumentError(
            f"the kernel {self.kernel.name} cannot be cut over {', '.join(self.devices)}", cause=cause, hint=hint
        )


def _shares(speeds: Speeds) -> str:
    return "shares by the times of calls before" if speeds.is_measured else "equal shares at first"


def ranges(count: int, groups: Sequence[int], speeds: Speeds) -> tuple[list[Ends], list[Ends], int]:
    """What each device gives back along a cut, what it computes, and how many points are computed twice.

    Devices with groups of one size get whole groups in proportion to their speeds. With groups of several sizes the
    slices are those of `adjusted`.

    Parameters
    ----------
    count
        Points of the grid.
    groups
        The size of a group on each device.
    speeds
        How fast the devices are.
    """
    if len(set(groups)) == 1:
        size = groups[0]
        slices = [(low * size, high * size) for low, high in speeds.pieces(0, -(-count // size))]
        return [(low, min(high, count)) for low, high in slices], slices, 0
    common = int(np.gcd.reduce(groups))
    whole = -(-count // common) * common
    sizes, offsets, _ = adjusted(groups, [1 / Fraction(speed) for speed in speeds.values], whole)
    owns, slices, begin = list[Ends](), list[Ends](), 0
    for size, offset, group in zip(sizes, offsets, groups, strict=True):
        end = min(begin + size, count)
        low = min(begin, offset) // group * group
        high = low + -(-(end - low) // group) * group if end > begin else low
        owns.append((begin, max(end, begin)))
        slices.append((low, high))
        begin = max(end, begin)
    twice = sum(
        min(high, count) - low - (end - begin)
        for (low, high), (begin, end) in zip(slices, owns, strict=True)
        if high > low
    )
    return owns, slices, twice


def _points_in(grid: Sequence[int], axis: int, along: Ends) -> list[Ends]:
    return [along if k == axis else (0, extent) for k, extent in enumerate(grid)]


def _meet(boxes: Sequence[Box]) -> bool:
    """Whether two of some boxes have an element in common."""
    full = [box for box in boxes if all(low < high for low, high in box)]
    return any(
        all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(one, other, strict=True))
        for k, one in enumerate(full)
        for other in full[:k]
    )


def _not_zero(sizes: Mapping[str, int]) -> dict[str, int]:
    return {name: size for name, size in sizes.items() if size}


def _length(ends: Ends) -> int:
    return ends[1] - ends[0]


def count_of(box: Box) -> int:
    return int(np.prod([high - low for low, high in box], dtype=np.int64))


def stretch_of(box: Box, shape: tuple[int, ...]) -> Ends:
    """The first element of a box and the one behind its last, in C order."""
    if any(low >= high for low, high in box):
        return 0, 0
    strides = np.cumprod((1, *reversed(shape[1:])), dtype=np.int64)[::-1] if shape else np.zeros(0, np.int64)
    first = sum(int(low * stride) for (low, _), stride in zip(box, strides, strict=True))
    last = sum(int((high - 1) * stride) for (_, high), stride in zip(box, strides, strict=True))
    return first, last + 1
