"""Checked runs of kernels, and what the store keeps of them: that `touches` is right, and along which dimensions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from weft.autotune.foreign.arguments import InOut
from weft.autotune.foreign.checking import Check
from weft.autotune.foreign.evaluating import plain
from weft.autotune.foreign.languages import GUARDED, Loaded, Run, loaded
from weft.compile.store import default_store, key_of
from weft.errors import ArgumentError
from weft.frontend.source.fingerprint import fingerprint

if TYPE_CHECKING:
    from weft.autotune.foreign.kernel import Kernel
    from weft.autotune.spaces.space import Point

DEPENDS_ON_GRID = (
    r"\bget_global_size\b|\bget_num_groups\b|\bget_enqueued\w*|\bget_global_offset\b|\bget_\w+_linear_id\b|"
    r"\bgridDim\b|\bthis_grid\b|\bthis_multi_grid\b|%\w*ctaid\b"
)
"""What a source mentions whose threads know how many others there are, or where the first of a launch is."""


def grid_word(source: str) -> str:
    """The word of a source that is another one in a piece of the grid; empty where there is none."""
    found = re.search(DEPENDS_ON_GRID, source)
    return found[0] if found else ""


@dataclass(frozen=True)
class Confirmed:
    """What checked runs found of a kernel whose `touches` is right.

    Attributes
    ----------
    axes
        The dimensions along which groups were told apart.
    added
        The arrays to which it only adds, of which groups touched the same elements.
    """

    axes: tuple[int, ...]
    added: frozenset[str]


_known: dict[tuple[object, str], Confirmed] = {}
"""What was read of stores, by their folders and keys."""


def confirmed(kernel: Kernel) -> Confirmed | None:
    """What checked runs found of a kernel; None where `touches` was not found to be right."""
    if kernel.touches is None:
        return None
    store, key = default_store(), key_of_check(kernel)
    place = store.root, key
    if place not in _known:
        found = store.get("tuned", key)
        if not isinstance(found, str):
            return None
        axes, added = json.loads(found)
        _known[place] = Confirmed(tuple(axes), frozenset(added))
    return _known[place]


def key_of_check(kernel: Kernel) -> str:
    """The key of what was found of a kernel and what its description says."""
    assert kernel.touches is not None
    functions = (kernel.touches.function, kernel.grid)
    digests = [fingerprint(f).digest for f in functions if isinstance(f, FunctionType)]
    return key_of("what was confirmed", kernel.digest, kernel.is_idempotent, kernel.combine or "", *digests)


def check(kernel: Kernel, point: Point, values: Mapping[str, Any], device: str) -> None:
    """Run a kernel between guards, at a point of its space, for arguments as `Kernel.bind` gives them.

    Raises
    ------
    ContradictionError
        The first thing that contradicts its description.
    ArgumentError
        There is nothing to run.
    """
    run = kernel.run_for(values, point)
    if 0 in run.grid:
        raise ArgumentError("there is nothing to check: the grid has no points", hint="pass larger arrays")
    made = Check(
        kernel.name,
        kernel.arguments,
        values,
        run,
        _start(kernel, point, values, device),
        kernel.touches,
        {**plain(values), **point},
        can_be_cut=not kernel.grid_word,
        is_idempotent=kernel.is_idempotent,
        added=tuple(a.name for a in kernel.arguments if isinstance(a, InOut)) if kernel.combine else (),
    )
    found = made.check()
    if found:
        known = confirmed(kernel) or Confirmed((), frozenset())
        axes = known.axes if kernel.grid_word else sorted({*known.axes, *found})
        default_store().put(
            "tuned", key_of_check(kernel), json.dumps([[*axes], sorted({*known.added, *made.seen_to_add})])
        )


def _start(
    kernel: Kernel, point: Point, values: Mapping[str, Any], device: str
) -> Callable[[Mapping[str, Any], Run], None]:
    """What runs the kernel on arrays with guards around them."""
    arrays = tuple(part.name for part in kernel.parameters if part.is_array)
    made: dict[bool, Loaded] = {}

    def start(padded: Mapping[str, Any], run: Run) -> None:
        is_piece = bool(run.first)
        if is_piece not in made:
            made[is_piece] = loaded(replace(kernel.text_for(point, values), is_piece=is_piece), device)
        guarded = replace(run, windows=dict.fromkeys(arrays, GUARDED), writes=arrays)
        arguments = {**values, **padded}
        made[is_piece].prepare(arguments, guarded)
        made[is_piece].start(arguments, guarded)
        made[is_piece].finish(arguments, guarded)

    return start
