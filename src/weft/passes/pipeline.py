"""The order of the passes."""

from __future__ import annotations

from collections.abc import Callable

from weft.analysis import effort
from weft.ir import nodes as n
from weft.ir.verifier import verify as verified
from weft.passes.abreast import abreast
from weft.passes.accumulate import accumulate
from weft.passes.blend import blend
from weft.passes.borders import borders
from weft.passes.bounds import bounds
from weft.passes.checks import checks
from weft.passes.claims import claims
from weft.passes.collapse import collapse
from weft.passes.conditions import conditions
from weft.passes.contract import contract
from weft.passes.contractions import WIDEST, Registers, contractions
from weft.passes.dead import dead
from weft.passes.decide import decide
from weft.passes.distribute import distribute
from weft.passes.doubts import doubts
from weft.passes.early import early
from weft.passes.extents import extents
from weft.passes.fold import fold
from weft.passes.fuse import fuse
from weft.passes.hoist import hoist
from weft.passes.induction import induction
from weft.passes.interchange import interchange
from weft.passes.interleave import interleave
from weft.passes.lanes import lanes
from weft.passes.last_values import last_values
from weft.passes.limits import limits
from weft.passes.narrow import narrow
from weft.passes.operands import operands
from weft.passes.parallelise import parallelise
from weft.passes.peel_ends import peel
from weft.passes.privatise import privatise
from weft.passes.registers import registers
from weft.passes.relax import relax
from weft.passes.relay import relay
from weft.passes.reuse import reuse
from weft.passes.roots import roots
from weft.passes.running import running
from weft.passes.select import select
from weft.passes.signs import signs
from weft.passes.thaw import thaw
from weft.passes.tiles import tiles
from weft.passes.totals import totals
from weft.passes.unchecked import unchecked
from weft.passes.updates import updates
from weft.passes.versions import versions
from weft.passes.watch import SPECULATING, watch
from weft.passes.wraparound import wraparound
from weft.passes.zeros import zeros

Pass = Callable[[n.Program], n.Program]

SIMPLIFY: tuple[Pass, ...] = (fold, reuse, dead)

ORDER: tuple[Pass, ...] = (
    *SIMPLIFY,
    claims,
    extents,
    induction,
    wraparound,
    limits,
    signs,
    bounds,
    operands,
    doubts,
    versions,
    unchecked,
    totals,
    decide,
    peel,
    distribute,
    hoist,
    registers,
    hoist,
    select,
    *SIMPLIFY,
    privatise,
    last_values,
    updates,
    *SIMPLIFY,
    checks,
    early,
    relay,
    parallelise,
    conditions,
    tiles,
)
"""The passes in the order in which they run; some run more than once."""

SHAPING: tuple[Pass, ...] = (
    zeros, borders, narrow, collapse, blend, accumulate, fuse, contractions, interchange, lanes, running,
    interleave,
)  # fmt: skip
FOR_CPU: tuple[Pass, ...] = (*SHAPING, thaw, abreast, hoist, reuse, dead)
"""What follows for code that a CPU runs; devices have other ways to run what these passes are for."""

FAST: tuple[Pass, ...] = (relax, roots, contract)
"""What ``fastmath=True`` adds."""

NAMES = frozenset(p.__name__ for p in (*ORDER, *FAST, *FOR_CPU)) | {"placement", "steps"}
"""What may be switched off; without ``placement`` every kernel of a device gets its arrays and gives them
back, without ``steps`` none runs several steps of a loop around it."""


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
        Raise where the first NaN, overflow or division by zero is made, see `weft.passes.watch`.
    verify
        Verify the program after every pass.
    most_tiles
        How many tiles of a loop run between two meetings of the threads; see `weft.passes.tiles`.
    turns
        Whether tiles may take turns instead.
    blocks
        Whether the blocks of a device can hand on what is carried.
    rows
        Whether a block can run a scan along a row.

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
        if run.__name__ in disable or (checked and run in (extents, limits, operands, doubts, totals)):
            continue
        if checked and run is bounds:
            program = bounds(program, assuming=False)
        else:
            program = tiles(program, most_tiles, turns, blocks, rows) if run is tiles else run(program)
        if verify:
            verified(program)
    return program


def prepared(program: n.Program, disable: frozenset[str] = frozenset()) -> n.Program:
    """The program as `checks` sees it: simplified, with no loop marked yet. Reports judge this one."""
    for run in ORDER[: ORDER.index(checks)]:
        if run.__name__ not in disable:
            program = run(program)
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
            if run is contractions:
                shaped = contractions(shaped, registers, fused="fuse" not in disable)
            else:
                shaped = run(shaped)
            if verify:
                verified(shaped)
    return shaped
