"""The order of the passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weft.analysis import effort
from weft.ir import nodes as n
from weft.ir.check.verifier import verify as verified
from weft.transform.loops.accumulators import accumulators
from weft.transform.loops.array_contraction import array_contraction
from weft.transform.loops.carried_elements import carried_elements
from weft.transform.loops.cyclic_counters import cyclic_counters
from weft.transform.loops.delinearise import delinearise
from weft.transform.loops.every_other import every_other
from weft.transform.loops.fusion import fusion
from weft.transform.loops.inline_producers import inline_producers
from weft.transform.loops.normalise_counters import normalise_counters
from weft.transform.loops.row_fusion import row_fusion
from weft.transform.loops.unroll import unroll
from weft.transform.parallel.claims import claims
from weft.transform.parallel.conditions import conditions
from weft.transform.parallel.distribute import distribute
from weft.transform.parallel.early_races import early_races
from weft.transform.parallel.flags_apart import flags_apart
from weft.transform.parallel.forward_carried_loads import forward_carried_loads
from weft.transform.parallel.induction import induction
from weft.transform.parallel.last_values import last_values
from weft.transform.parallel.owned_updates import owned_updates
from weft.transform.parallel.parallelise import parallelise
from weft.transform.parallel.peel_ends import peel
from weft.transform.parallel.privatise import privatise
from weft.transform.parallel.reduction_interchange import reduction_interchange
from weft.transform.parallel.runtime_dependence import runtime_dependence
from weft.transform.parallel.scalar_promotion import scalar_promotion
from weft.transform.parallel.updates import updates
from weft.transform.parallel.wraparound import wraparound
from weft.transform.safety.bounds import bounds
from weft.transform.safety.divisor_assumptions import divisor_assumptions
from weft.transform.safety.doubts import doubts
from weft.transform.safety.extents import extents
from weft.transform.safety.index_limits import index_limits
from weft.transform.safety.overflow_assumptions import overflow_assumptions
from weft.transform.safety.rare_branches import rare_branches
from weft.transform.safety.shapes import Meetings, meetings, shapes
from weft.transform.safety.split_boundaries import split_boundaries
from weft.transform.safety.split_by_sign import split_by_sign
from weft.transform.safety.versions import versions
from weft.transform.scan.long_diagonals import long_diagonals
from weft.transform.scan.scans_ahead import scans_ahead
from weft.transform.scan.tiles import tiles
from weft.transform.simplify.bit_fields import bit_fields
from weft.transform.simplify.carried_extents import carried_extents
from weft.transform.simplify.cse import cse
from weft.transform.simplify.dce import dce
from weft.transform.simplify.decide import decide
from weft.transform.simplify.direct import direct
from weft.transform.simplify.fma_contract import fma_contract
from weft.transform.simplify.fold import fold
from weft.transform.simplify.forward import forward
from weft.transform.simplify.if_conversion import if_conversion
from weft.transform.simplify.licm import licm
from weft.transform.simplify.narrow import narrow
from weft.transform.simplify.narrow_comparisons import narrow_comparisons
from weft.transform.simplify.relax import relax
from weft.transform.simplify.roots import roots
from weft.transform.simplify.separate_extremes import separate_extremes
from weft.transform.simplify.sink_stores import sink_stores
from weft.transform.simplify.unchecked import unchecked
from weft.transform.support import forget
from weft.transform.vector.blend_stores import blend_stores
from weft.transform.vector.collapse import collapse
from weft.transform.vector.dead_blends import dead_blends
from weft.transform.vector.fma_reductions import fma_reductions
from weft.transform.vector.interchange import interchange
from weft.transform.vector.interleave import interleave
from weft.transform.vector.interleave_tiles import interleave_tiles
from weft.transform.vector.lanes import lanes
from weft.transform.vector.masked_updates import masked_updates
from weft.transform.vector.short_rows import short_rows
from weft.transform.vector.tensor_contractions import WIDEST, Registers, tensor_contractions
from weft.transform.vector.vector_scan import vector_scan
from weft.transform.vector.zeros import zeros
from weft.transform.watch import SPECULATING, watch
from weft.transform.whole_loop import assume_of_whole

Pass = Callable[[n.Program], n.Program]

SIMPLIFY: tuple[Pass, ...] = (fold, cse, dce)

ORDER: tuple[Pass, ...] = (
    *SIMPLIFY,
    carried_extents,
    *SIMPLIFY,
    shapes,
    forward,
    *SIMPLIFY,
    flags_apart,
    claims,
    cyclic_counters,
    delinearise,
    extents,
    index_limits,
    rare_branches,
    induction,
    wraparound,
    split_by_sign,
    bounds,
    divisor_assumptions,
    doubts,
    versions,
    unchecked,
    direct,
    accumulators,
    overflow_assumptions,
    decide,
    peel,
    distribute,
    licm,
    fusion,
    array_contraction,
    inline_producers,
    row_fusion,
    scalar_promotion,
    licm,
    sink_stores,
    if_conversion,
    *SIMPLIFY,
    separate_extremes,
    privatise,
    last_values,
    updates,
    *SIMPLIFY,
    normalise_counters,
    *SIMPLIFY,
    runtime_dependence,
    early_races,
    long_diagonals,
    forward_carried_loads,
    parallelise,
    scans_ahead,
    conditions,
    tiles,
)
"""The passes in the order in which they run; some run more than once."""

OTHER_LOOPS: tuple[Pass, ...] = (
    delinearise, accumulators, fusion, array_contraction, inline_producers, row_fusion, normalise_counters,
)  # fmt: skip
"""Passes after which the loops are not those that the user wrote: reports judge programs without them."""

SHAPING: tuple[Pass, ...] = (
    unroll, bit_fields, zeros, every_other, split_boundaries, narrow, owned_updates, collapse, blend_stores,
    reduction_interchange, fma_reductions, tensor_contractions, interchange, masked_updates, short_rows, lanes,
    vector_scan,
    interleave, carried_elements, narrow_comparisons,
)  # fmt: skip
FOR_CPU: tuple[Pass, ...] = (*SHAPING, dead_blends, interleave_tiles, licm, cse, dce)
"""What follows for code that a CPU runs; devices have other ways to run what these passes are for."""

FAST: tuple[Pass, ...] = (relax, roots, fma_contract)
"""What ``fastmath=True`` adds."""

ASSUMING: tuple[Pass, ...] = (
    shapes, cyclic_counters, extents, index_limits, divisor_assumptions, doubts, overflow_assumptions,
)  # fmt: skip
"""What does not run where nothing is assumed of the arguments."""

TRYING: tuple[Pass, ...] = (peel, distribute)
"""Passes that ask about programs which they may not keep."""

MOST_TRIED = 120_000
"""Operations that each of them may use up."""

NAMES = frozenset(p.__name__ for p in (*ORDER, *FAST, *FOR_CPU)) | {
    "placement", "steps", "steps_inside", "inner_steps", "steps_folded", "values_ahead", "pivots", "wavefronts",
    "single_elements", "turns", "loads_ahead",
}  # fmt: skip
"""What may be switched off: the passes, and for kernels of devices

* ``placement``: arrays stay on the device between kernels;
* ``steps``: a kernel runs several steps of the loop around it;
* ``steps_inside``: a kernel runs all steps for each element;
* ``inner_steps``: a kernel runs the steps inside of an iteration;
* ``steps_folded``: a kernel folds steps;
* ``pivots``: a loop is cut at the iteration that others read;
* ``values_ahead``: a kernel computes what steps fold before they run;
* ``wavefronts``: a kernel runs along diagonals;
* ``single_elements``: a kernel does the host's work on an element that is on the device;
* ``turns``: arrays that take turns are parts of one buffer;
* ``loads_ahead``: threads load what several iterations of a loop read before they run these.
"""


@effort.limited()
def optimise(
    program: n.Program,
    disable: frozenset[str] = frozenset(),
    checked: bool = False,
    fastmath: bool = False,
    debug: bool = False,
    verify: bool = False,
    most_tiles: int | None = None,
    turns: bool = True,
    blocks: bool = False,
    rows: bool = False,
    caches: bool = False,
    ones: frozenset[str] = frozenset(),
) -> n.Program:
    """Run all passes over a program, under the limit of operations of `weft.analysis.effort`.

    Parameters
    ----------
    program
        A verified program.
    disable
        Names of passes that are left out.
    checked
        Assume nothing of the arguments: every access that is not proven to be inside its array is tested.
    fastmath
        Let floating-point results differ from the source's by roundings.
    debug
        Raise where the first NaN, overflow or division by zero is made, see `weft.transform.watch`.
    verify
        Verify the program after every pass.
    most_tiles
        How many tiles of a loop run between two meetings of the threads; see `weft.transform.scan.tiles`.
    turns
        Whether tiles may take turns instead.
    blocks
        Whether the blocks of a device can hand on what is carried.
    rows
        Whether a block can run a scan along a row.
    caches
        Whether a core works on a row at a time, from a cache: see `weft.transform.loops.row_fusion`. Rows that are no
        whole ones stand apart then, see `weft.transform.loops.delinearise`.
    ones
        Names of extents that are assumed to be 1 where they are broadcast, see `extents_that_meet`.

    Raises
    ------
    ValueError
        `disable` names something that is no pass.
    """
    unknown = disable - NAMES
    if unknown:
        raise ValueError(f"there is no pass {', '.join(sorted(unknown))}; there are {', '.join(sorted(NAMES))}")
    if debug:
        disable |= SPECULATING
    for run in (*ORDER, *(FAST if fastmath else ()), *((watch,) if debug else ())):
        if run.__name__ in disable or (run is row_fusion and not caches) or (checked and run in ASSUMING):
            continue
        if run in (long_diagonals, scans_ahead) and (not rows or (run is long_diagonals and "wavefronts" in disable)):
            continue
        if run is delinearise:
            program = delinearise(program, assuming=not checked, parting=caches)
        elif run is shapes:
            program = shapes(program, ones)
        elif checked and run in (bounds, rare_branches):
            program = (bounds if run is bounds else rare_branches)(program, assuming=False)
        else:
            program = (
                _in_tiles(program, most_tiles, turns, blocks, rows, disable) if run is tiles else _tried(run, program)
            )
        if verify:
            verified(program)
    return assume_of_whole(program)


def _in_tiles(
    program: n.Program, most: int | None, turns: bool, blocks: bool, rows: bool, disable: frozenset[str]
) -> n.Program:
    """The program with loops in tiles.

    First, rows that read from the array what the iteration before stored carry it in a variable instead, so that they
    are scans along rows, too.
    """
    if not rows or forward_carried_loads.__name__ in disable:
        return tiles(program, most, turns, blocks, rows)
    carrying = forward_carried_loads(program, in_threads=True)
    if carrying is program:
        return tiles(program, most, turns, blocks, rows)
    carrying = _all((*SIMPLIFY, normalise_counters, *SIMPLIFY), carrying, disable)
    made = tiles(carrying, most, turns, blocks, rows)
    return _all((decide, *SIMPLIFY), made, disable)


def _all(passes: Sequence[Pass], program: n.Program, disable: frozenset[str]) -> n.Program:
    for run in passes:
        program = program if run.__name__ in disable else run(program)
    return program


def _tried(run: Pass, program: n.Program) -> n.Program:
    """What a pass makes of a program; passes that try things out leave operations for those that follow."""
    if run not in TRYING:
        return run(program)
    with effort.at_most(MOST_TRIED) as left:
        made = run(program)
        if left.is_spent:
            forget()  # what was not known then may be found out
    return made


def extents_that_meet(program: n.Program, disable: frozenset[str] = frozenset()) -> Meetings:
    """How a call finds out which extents are 1 and broadcast, for the `ones` of `optimise`."""
    for run in ORDER[: ORDER.index(shapes)]:
        program = program if run.__name__ in disable else _tried(run, program)
    return meetings(program) if shapes.__name__ not in disable else ((), ())


def prepared(program: n.Program, disable: frozenset[str] = frozenset()) -> n.Program:
    """The program as `runtime_dependence` sees it: simplified, with no loop marked yet. Reports judge this one."""
    for run in ORDER[: ORDER.index(runtime_dependence)]:
        if run.__name__ not in disable and run not in OTHER_LOOPS:
            program = _tried(run, program)
    return program


@effort.limited()
def for_cpu(
    program: n.Program,
    disable: frozenset[str] = frozenset(),
    verify: bool = False,
    registers: Registers = WIDEST,
) -> n.Program:
    """Shape an optimised program for a CPU: what is parallel and stays on the host.

    Parameters
    ----------
    program
        What `optimise` gave, parts of which may have been moved to a device.
    disable, verify
        As for `optimise`.
    registers
        The vector registers of the processor.
    """
    shaped = program
    for run in FOR_CPU:
        if run.__name__ not in disable:
            if shaped is program and run not in SHAPING:
                continue
            if run is tensor_contractions:
                shaped = tensor_contractions(shaped, registers, fused="fma_reductions" not in disable)
            else:
                shaped = run(shaped)
            if verify:
                verified(shaped)
    return shaped
