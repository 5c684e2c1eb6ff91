"""Configuration files of kernels: one launch for each device, as A. Erdem's tuner wrote them (Milano, 2016, app. B).

What it does: `read_configuration` gives the first entry of ``configs`` with everything checked: whole groups, slices
that cover the grid, factors that are those of the slices. Offsets, which the file does not have, follow the priorities.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from weft.autotune.foreign.arguments import Argument, In, InOut, Scalar, declared_in
from weft.errors import ArgumentError


@dataclass(frozen=True)
class Slice:
    """The launch of one device.

    Attributes
    ----------
    device, vendor, kind
        Its name, its vendor and its type, as the file has them.
    offset, size
        The first point and how many in each dimension.
    group
        Threads of a group in each dimension.
    defines
        Macros of the source.
    """

    device: str
    vendor: str
    kind: str
    offset: tuple[int, ...]
    size: tuple[int, ...]
    group: tuple[int, ...]
    defines: Mapping[str, object]


@dataclass(frozen=True)
class Configuration:
    """A kernel cut over devices.

    Attributes
    ----------
    source, name
        The file of the kernel and the kernel in it.
    grid
        Points of the whole kernel in each dimension.
    axis
        The dimension that is cut.
    overlap
        Points along it that are computed twice.
    slices
        The launches, in the order of their offsets.
    """

    source: Path
    name: str
    grid: tuple[int, ...]
    axis: int
    overlap: int
    slices: tuple[Slice, ...]


def read_configuration(path: str | Path) -> Configuration:
    """Read a file of configurations.

    Raises
    ------
    ArgumentError
        It is no such file, or its numbers contradict one another; the message has the field.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8").strip()
        content = json.loads(text if text.startswith("{") else f"{{{text}}}")  # as printed, without the outer braces
        found = content["configs"][0]
        tasks = sorted(found["task_configs"], key=lambda task: int(task.get("priority", 0)))
        order = sorted(range(len(tasks)), key=lambda k: int(found["task_configs"][k].get("priority", 0)))
        factors = [float(found["split_factors"][k]) for k in order]
        axis = int(found.get("split_dim", 0))
        sizes = [tuple(map(int, task["launch_config"]["globalsize"])) for task in tasks]
        groups = [tuple(map(int, task["launch_config"]["groupsize"])) for task in tasks]
        flags = [_defines(task.get("build_flags", ())) for task in tasks]
        hardware = [task.get("hardware", {}) for task in tasks]
        source, name = path.parent / str(found["kernel_file"]), str(found["kernel_name"])
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ArgumentError(
            f"{path} is no configuration of a kernel: {type(error).__name__}: {error}",
            argument="path",
            hint='it needs {"configs": [{"kernel_name": ..., "kernel_file": ..., "split_factors": [...], '
            '"task_configs": [{"launch_config": {"globalsize": [...], "groupsize": [...]}}]}]}',
        ) from None
    points = _points(path, axis, sizes, groups, factors)
    grid = (*sizes[0][:axis], points, *sizes[0][axis + 1 :])
    begins = [0, *accumulate(size[axis] for size in sizes[:-1])]
    slices = []
    for size, group, begin, defines, facts in zip(sizes, groups, begins, flags, hardware, strict=True):
        offset = [0] * len(size)
        offset[axis] = max(0, min(begin, points - size[axis]))
        device, vendor, kind = (str(facts.get(key, "")) for key in ("device", "vendor", "dev_type"))
        slices.append(Slice(device, vendor, kind, tuple(offset), size, group, defines))
    return Configuration(source, name, grid, axis, sum(s[axis] for s in sizes) - points, tuple(slices))


def _points(
    path: Path, axis: int, sizes: list[tuple[int, ...]], groups: list[tuple[int, ...]], factors: list[float]
) -> int:
    """The points along the cut, which the file has as ratios only."""
    if not sizes or not 0 <= axis < len(sizes[0]) or len({len(s) for s in (*sizes, *groups)}) > 1:
        raise _contradiction(path, "split_dim", f"there is no dimension {axis} in all of {sizes}")
    for size, group in zip(sizes, groups, strict=True):
        for dimension, (count, threads) in enumerate(zip(size, group, strict=True)):
            if threads < 1 or count < 1 or count % threads:
                raise _contradiction(
                    path, "groupsize", f"{count} points in dimension {dimension} are no whole groups of {threads}"
                )
    others = {(*size[:axis], *size[axis + 1 :]) for size in sizes}
    if len(others) > 1:
        raise _contradiction(path, "globalsize", f"slices differ in other dimensions than {axis}: {sizes}")
    found = {round(size[axis] / factor) for size, factor in zip(sizes, factors, strict=True) if factor > 0}
    if len(found) != 1 or min(factors) <= 0:
        raise _contradiction(path, "split_factors", f"the factors {factors} are not those of the slices {sizes}")
    (points,) = found
    if sum(size[axis] for size in sizes) < points:
        raise _contradiction(path, "split_factors", f"slices cover {sum(s[axis] for s in sizes)} of {points} points")
    return points


def _contradiction(path: Path, field: str, cause: str) -> ArgumentError:
    return ArgumentError(f"{path}: {field} contradicts the rest", argument="path", cause=cause, hint=f"correct {field}")


def _defines(flags: Any) -> dict[str, object]:
    """Macros among build flags: ``TILE_SIZE=32``, with or without ``-D``."""
    found: dict[str, object] = {}
    for flag in flags:
        name, _, value = str(flag).removeprefix("-D").strip().partition("=")
        found[name] = int(value) if value.lstrip("-").isdigit() else value or 1
    return found


def arguments_in(source: str, name: str) -> tuple[Argument, ...]:
    """The arguments of a kernel by its source: arrays of constants are read, others are read and written."""
    declared = declared_in(source, name)
    if declared is None:
        raise ArgumentError(f"the source has no function {name!r}", argument="name", hint="correct kernel_name")
    found: list[Argument] = []
    for one in declared:
        word = one.text.replace("*", " ").split("[")[0].split()[-1]
        is_read = "const" in one.text.split() or "constant" in one.text.replace("__", "").split()
        found.append((In(word) if is_read else InOut(word)) if one.is_pointer else Scalar(word, one.dtype))
    return tuple(found)
