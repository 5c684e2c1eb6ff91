"""A kernel that was written by hand, on several devices at once: each runs some of the groups of its grid.

What it does: every device gets the stretches of memory that its points touch, and gives back what they write. All
devices have read what they need before any gives something back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.autotune.foreign.cut.dividing import Cutter, Division, Piece, Values, count_of, stretch_of
from weft.autotune.foreign.cut.footprints import Box
from weft.autotune.foreign.languages import Loaded, Run, Window, limits_of
from weft.errors import ArgumentError, OutOfMemoryError
from weft.runtime.devices.devices import devices as present
from weft.split.calls import Ran
from weft.split.names import ALL, device_names
from weft.split.together import Workers

if TYPE_CHECKING:
    from weft.autotune.foreign.kernel import Kernel

WORKERS = Workers()
"""The threads of devices."""
LANGUAGES = {"opencl": "OpenCL C", "cuda": "CUDA C++", "cpu": "C"}
ALIGNMENT = 256
"""Bytes to which the stretch of an array keeps its place, for kernels that read vectors."""


class Running:
    """A call of a kernel in pieces."""

    def __init__(self, kernel: Kernel, division: Division, values: Values, workers: Workers) -> None:
        self.kernel, self.division, self.values, self.workers = kernel, division, values, workers

    def run(self) -> list[float]:
        """Run all pieces, then take what they wrote; the seconds of each, copies included."""
        begun = self.workers.run(self._begin, [(k,) for k in range(len(self.division.pieces))])
        spent = self.workers.run(self._end, [(k, *found[1:]) for k, found in enumerate(begun)])
        for name in self.division.combined:
            whole = self.values[name]
            for box, own in (found[1][name] for found in spent[1:] if name in found[1]):
                whole[box] += own
        return [before[0] + after[0] for before, after in zip(begun, spent, strict=True)]

    def _begin(self, k: int) -> tuple[float, Loaded, Run, dict[str, Any]]:
        """Send a device what its piece reads, and run it."""
        begun, piece = time.perf_counter(), self.division.pieces[k]
        windows, arguments = dict[str, Window](), dict[str, Any]()
        for name, value in self.values.items():
            if name not in piece.reads:
                arguments[name] = value
                continue
            windows[name], arguments[name] = self._stretch(name, value, piece, k)
        run = replace(piece.run, windows=windows)
        self._check_room(piece, {name: arguments[name].nbytes for name in piece.reads})
        kernel = self.kernel.loaded_for(piece.point, self.values, piece.device, run)
        kernel.prepare(arguments, run)
        kernel.start(arguments, run)
        return time.perf_counter() - begun, kernel, run, arguments

    def _check_room(self, piece: Piece, needs: Mapping[str, int]) -> None:
        """Refuse a piece that does not fit into the memory of its device."""
        limits = limits_of(self.kernel.language, piece.device)
        largest, total = max(needs, key=lambda name: needs[name]), sum(needs.values())
        if total <= limits["memory"] and needs[largest] <= limits["allocation"]:
            return
        points = piece.own[1] - piece.own[0]
        fit = min(limits["memory"] / total, limits["allocation"] / needs[largest])
        raise OutOfMemoryError(
            f"a piece of the kernel {self.kernel.name} does not fit into the memory of {piece.device!r}",
            needed=total,
            free=int(min(limits["memory"], limits["allocation"])),
            cause=f"its {points:,} points need {needs[largest]:,} bytes of {largest!r}",
            hint=f"about {int(points * fit):,} points would fit: call it with smaller arrays, or name more devices",
        )

    def _stretch(self, name: str, value: Any, piece: Piece, k: int) -> tuple[Window, Any]:
        """The memory from the first element that a piece touches to the last, and where it is in the array."""
        first, end = stretch_of(piece.reads[name], value.shape)
        stretch = value.reshape(-1)[first:end]
        place = first * value.itemsize
        is_sent = name not in self.division.filled
        if name in piece.run.writes:
            is_whole = count_of(piece.writes[name]) == stretch.size  # it comes back to where it was
            if name in self.division.combined:
                stretch = np.zeros_like(stretch) if k else stretch.copy()
            elif not is_whole:
                stretch = stretch.copy() if is_sent else np.empty_like(stretch)
        return Window(place % ALIGNMENT, place, is_sent), stretch

    def _end(
        self, k: int, kernel: Loaded, run: Run, arguments: dict[str, Any]
    ) -> tuple[float, dict[str, tuple[tuple[slice, ...], Any]]]:
        """Take what a piece wrote; of what is added up by others, the part to be added."""
        begun, piece = time.perf_counter(), self.division.pieces[k]
        kernel.finish(arguments, run)
        to_add = {}
        for name, box in piece.writes.items():
            where = tuple(slice(low, high) for low, high in box)
            found = _inside(arguments[name], piece.reads[name], box, self.values[name])
            if k and name in self.division.combined:
                to_add[name] = where, found
            elif not np.may_share_memory(arguments[name], self.values[name]):
                self.values[name][where] = found
        return time.perf_counter() - begun, to_add


def _inside(stretch: Any, around: Box, box: Box, whole: Any) -> Any:
    """The elements of a box, of the stretch of memory that another box has around it."""
    if any(low >= high for low, high in box):
        return np.empty([high - low for low, high in box], stretch.dtype)
    begin = stretch_of(around, whole.shape)[0]
    first = stretch_of(box, whole.shape)[0] - begin
    extents = [high - low for low, high in box]
    return np.lib.stride_tricks.as_strided(stretch[first:], extents, whole.strides)


# -------------------------------------------------------------------------------------------------------- devices


def chosen_by(kernel: Kernel, written: object) -> tuple[str, ...]:
    """The devices of a call as the user wrote them, checked; ``"all"`` are those of the kernel's kind.

    Raises
    ------
    ArgumentError
        They are no devices, or of another kind.
    DeviceError
        A device is not here.
    """
    if written == ALL:
        found = tuple(device.name for device in present() if _kind(device.name) == kernel.device)
        return found or (kernel.device,)
    names = device_names(written)
    for name in names:
        if _kind(name) != kernel.device:
            raise ArgumentError(
                f"{name!r} cannot run the kernel {kernel.name}",
                argument="device",
                cause=f"it is written in {LANGUAGES[kernel.device]}",
                hint=f"name devices of the kind {kernel.device}" if kernel.device != "cpu" else "leave device out",
            )
    return names


def able(kernel: Kernel, names: Sequence[str]) -> tuple[str, ...]:
    """Those of some devices that can run a kernel."""
    return tuple(name for name in names if _kind(name) == kernel.device)


def _kind(device: str) -> str:
    return device.partition(":")[0]


def division_on(kernel: Kernel, devices: Sequence[str], values: Values, gives_up_bits: bool = False) -> Division | None:
    """How a call is cut over some devices; None where its grid has no points, or there is one device.

    Raises
    ------
    ArgumentError
        It cannot be cut.
    """
    if len(devices) == 1:
        return None
    return Cutter(kernel, devices, gives_up_bits).divide(values, kernel.speeds(values, devices))


def run_on(kernel: Kernel, devices: Sequence[str], values: Values, gives_up_bits: bool = False) -> list[Ran]:
    """Run a kernel on some devices, whole where there is one; its pieces.

    Raises
    ------
    ArgumentError
        It cannot be cut.
    """
    if len(devices) == 1:
        point = kernel.point_for(values, devices[0])
        points = kernel.run_for(values, point).grid
        return [(kernel.name, devices[0], 0, points[0] if points else 1, kernel.run_at(point, values, devices[0]))]
    division = division_on(kernel, devices, values, gives_up_bits)
    if division is None:
        return []
    speeds = kernel.speeds(values, devices)
    seconds = Running(kernel, division, values, WORKERS).run()
    spent = dict(zip((piece.device for piece in division.pieces), seconds, strict=True))
    speeds.learn([(units, spent.get(device, 0.0)) for units, device in zip(division.units, devices, strict=True)])
    return list(_ran(kernel, division, seconds))


def _ran(kernel: Kernel, division: Division, seconds: Sequence[float]) -> Iterator[Ran]:
    for piece, spent in zip(division.pieces, seconds, strict=True):
        yield kernel.name, piece.device, *piece.own, spent
