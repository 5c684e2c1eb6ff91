"""In which tiles nests go that write along one loop and read along another: see
`weft.schedule.lowering.stage_transposed`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.analysis.access.reach import reach_of
from weft.ir import nodes as n
from weft.ir.effects import written_views
from weft.ir.types import Scalar, View
from weft.ir.visit import walk
from weft.schedule.directives import Bind, Schedule, Turn
from weft.schedule.legality import check_schedule
from weft.schedule.lowering.lanes import MOST_LANES, WIDEST, lanes_of
from weft.schedule.nests import flattened, grid_chain, turned_loads
from weft.tune.vectors import Vectors

THREADS = 256
"""Threads of a block."""

AT_ONCE = 4
"""Blocks on a multiprocessor, where elements have 4 bytes or less: with registers for more of them the compiler lets a
thread ask for its elements in parts."""


def transposition(kernel: n.Kernel, order: Sequence[n.For]) -> Iterator[Schedule]:
    """A schedule for a nest that writes along one loop and reads along another."""
    flat = flattened(grid_chain(kernel))
    stores = [s for s in flat.statements if isinstance(s, n.Store)]
    across = [loop for loop in order if any(_moves_along(kernel, s, loop) for s in stores)]
    if len(across) != 1:
        return
    turned = {loop.label: turned_loads(flat, loop.index, across[0].index) for loop in order if loop not in across}
    along = [loop for loop in order if turned.get(loop.label)]
    if len(along) != 1:
        return
    size = max(load.var.type.size for load in turned[along[0].label] if isinstance(load.var.type, Scalar))
    run = min(MOST_LANES, max(1, WIDEST // size))
    tile = 64 if size <= 8 else 32
    wide = tile if size > 4 else 2 * tile  # parts of sectors at the ends of rows that a block writes cost the most
    rest = [loop for loop in order if loop not in (*across, *along)]
    beside: Schedule = (*(Bind(loop.label, "z", 1) for loop in rest), Turn(along[0].label))
    blocks = AT_ONCE if size <= 4 else 1
    yield (*_tile(across[0].label, along[0].label, wide, tile, run, blocks), *beside)


def _tile(across: str, along: str, wide: int, tall: int, run: int, blocks: int) -> tuple[Bind, Bind]:
    """How the threads of a block share a tile, by what it writes of a row and reads of one."""
    columns = Bind(across, "x", wide // run, run, run, blocks=blocks)
    return columns, Bind(along, "y", THREADS * run // wide, tall * wide // THREADS // run)


def _moves_along(kernel: n.Kernel, store: n.Store, loop: n.For) -> bool:
    reach = reach_of(kernel)
    access = reach.access(store)
    return access is not None and reach.moved(access)[-1:] == ((loop.label, 0),)


def for_single_elements(kernel: n.Kernel, usual: Schedule) -> Iterator[Schedule]:
    """Schedules for arrays that are not aligned, if the usual one accesses all in vectors: where single elements are
    moved, tiles that are twice as wide and half as tall are faster."""
    if not any(isinstance(d, Turn) for d in usual):
        return
    binds = {d.axis: d for d in usual if isinstance(d, Bind)}
    x, y = binds["x"], binds["y"]
    if all(_is_in_runs(view, x.run) and view in kernel.params for view in turned_vectors(kernel, usual).aligned):
        made = dict(zip((x, y), _tile(x.loop, y.loop, 2 * x.step, y.step // 2, x.run, x.blocks), strict=True))
        schedule = tuple(made.get(d, d) if isinstance(d, Bind) else d for d in usual)
        if not check_schedule(kernel, schedule):
            yield schedule


def turned_vectors(kernel: n.Kernel, usual: Schedule) -> Vectors:
    """What the schedule needs of the arrays in place of which there are others for single elements."""
    loops, flat = {loop.label: loop.index for loop in grid_chain(kernel)}, flattened(grid_chain(kernel))
    binds = {d.axis: d for d in usual if isinstance(d, Bind)}
    across, along = (loops[binds[axis].loop] for axis in ("x", "y"))
    read = [let.value.view for let in turned_loads(flat, along, across) if isinstance(let.value, n.Load)]
    written = (view for statement in walk(flat) for view in written_views(statement))
    return Vectors(binds["x"].run, tuple(dict.fromkeys((*read, *written))))


def _is_in_runs(view: n.Var, run: int) -> bool:
    """Whether an array has vectors of so many elements of 4 bytes: others are not known to gain."""
    element = view.type.element if isinstance(view.type, View) and view.type.contiguous else None
    return isinstance(element, Scalar) and run == lanes_of(element) == MOST_LANES == WIDEST // element.size
