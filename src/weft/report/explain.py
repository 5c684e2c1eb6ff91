"""Explain a function: ask the analysis what it knows, and put it beside the user's source lines."""

from __future__ import annotations

import linecache
import math
import re
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from weft.analysis import effort
from weft.analysis.access.access import Access
from weft.analysis.access.structure import Path
from weft.analysis.dependence.verdicts import LoopFact, Verdict, Verdicts, judge
from weft.cost.prediction import Choice, other_way
from weft.errors import format_bytes
from weft.frontend.source.signature import undecorated
from weft.frontend.source.source import source_of
from weft.ir import nodes as n
from weft.ir.location import ADDED, Location
from weft.ir.visit import blocks_of, walk
from weft.jit import Function, jit
from weft.machine.copying import runs_beside
from weft.plan.place import Placed
from weft.plan.transfers.actions import Plan, actions_of
from weft.report.explanation import AccessReport, Explanation, LoopReport, PlacementReport
from weft.report.kernels import KernelReport, kernel_reports
from weft.report.libraries import library_notes
from weft.report.nests import costs_of
from weft.report.predict import on_processor
from weft.report.profile import duration
from weft.report.splitting import automatic_report, split_report
from weft.report.temporaries import temporaries
from weft.runtime import machines
from weft.runtime.arrays import borrowed
from weft.runtime.devices.accelerators import is_accelerator, is_oversized, place
from weft.runtime.devices.copying import load
from weft.runtime.devices.devices import AUTO, chosen
from weft.runtime.dispatch import choosing, listing
from weft.runtime.dispatch.specialisation import Specialisation
from weft.runtime.dispatch.variants import FAST, IN_SLABS
from weft.schedule.directives import describe
from weft.split.devices import SplitFunction
from weft.transform import pipeline
from weft.transform.parallel.runtime_dependence import TOO_DEAR, is_too_dear
from weft.transform.simplify.dce import dce

CLAIM_IS_CHECKED = "decided at the call: parallel if no two iterations touch one element; otherwise it is a RaceError"
BEST_FIRST = ("parallel", "reduction", "scan", "compaction", "search", "checked", "sequential")


def explain(function: Callable[..., Any], /, *args: object, **kwargs: object) -> Explanation:
    """Say what Weft decides about a function for these arguments, without running it.

    Parameters
    ----------
    function
        A compiled function, or a plain one, which is then explained as if ``@weft.jit`` stood above it.
    *args, **kwargs
        What it would be called with. Values of elements do not matter.

    Returns
    -------
    Explanation
        Every loop with its verdict and reason, every access to an array, what runs where; of every loop that runs on a
        GPU how it reaches memory and how full it makes the device.
    """
    split = None
    if isinstance(function, SplitFunction):
        split = split_report(function, args, kwargs) if chosen(None) == AUTO else None
        function = Function(function.plain, function.options_for(function.devices[0]))
    compiled = function if isinstance(function, Function) else jit(function)
    if split is None and isinstance(function, Function):
        split = automatic_report(function, args, kwargs)
    specialisation, decision, leaves = compiled.examine(*args, **kwargs)
    source = dce(specialisation.source_program)  # without what tells types that nobody asks for
    with effort.limited():
        written = pipeline.prepared(source, specialisation.request.options.disable)
        verdicts = judge(written)
    nests, roofs = costs_of(specialisation, leaves)
    kernels = _kernels(specialisation, leaves)  # schedules may give way to others when they are compiled
    return Explanation(
        function=compiled.__qualname__,
        file=source.location.file,
        device=specialisation.device,
        loops=tuple(_loops(source, verdicts, _parallel_places(specialisation.program()))),
        accesses=tuple(_accesses(verdicts)),
        placement=tuple(_placement(specialisation, verdicts)),
        plan=_plan(specialisation, leaves),
        kernels=kernels,
        choice=decision.choice,
        notes=(
            *temporaries(written, specialisation.program()),
            *_notes(specialisation, decision.choice, leaves),
            *(split.notes() if split is not None else ()),
        ),
        source=tuple(_source(undecorated(compiled.__wrapped__))),
        nests=nests,
        roofs=roofs,
        split=split,
    )


def _source(function: FunctionType) -> Iterator[tuple[int, str]]:
    """The lines of a function, with their numbers."""
    found = source_of(function)
    first = min([found.node.lineno, *(node.lineno for node in getattr(found.node, "decorator_list", []))])
    for number in range(first, (found.node.end_lineno or first) + 1):
        yield number, linecache.getline(found.file, number).rstrip()


def _kernels(specialisation: Specialisation, leaves: tuple[object, ...]) -> tuple[KernelReport, ...]:
    """What is known of the loops that run on a device with memory of its own."""
    return tuple(kernel_reports(specialisation, leaves)) if is_accelerator(specialisation.device) else ()


def _notes(specialisation: Specialisation, choice: Choice | None, leaves: tuple[object, ...]) -> Iterator[str]:
    """What there is to say of a call besides its tables."""
    if choice is not None and choice != choosing.ALONE:
        yield f"runs on {choice.device}: {choice.reason}"
        if other := other_way(choice):
            yield other
    device, precision = specialisation.device, specialisation.request.options.precision
    if not is_accelerator(device):
        if device == "cpu" and machines.here().cpu.measured:
            found = on_processor(specialisation, leaves)
            low, high = map(duration, found.interval)
            yield f"predicted: {duration(found.seconds)} ({low} to {high}), bound by {found.bound}; {found.basis}"
        if precision:
            yield f"precision={precision!r} has no effect on the processor: numbers keep all their digits there"
        return
    if is_oversized(leaves, specialisation.placement().program, device):
        yield f"the arrays are more than the memory of {device} takes, so that loops run slab by slab"
        for nest in specialisation.placement(IN_SLABS).nests:
            if nest.slabs:
                yield f"line {nest.line} runs {nest.slabs}"
        return
    yield from library_notes(specialisation, leaves)
    outline = specialisation.outline(device)
    if specialisation.placement().is_one_pass() and runs_beside(*choosing.crossing(outline, leaves), load(device)):
        in_slabs = specialisation.placement(IN_SLABS)
        for line, slabs in sorted({p.line: p.slabs for p in in_slabs.nests[::-1] if in_slabs.takes_turns()}.items()):
            yield (
                f"where the arrays come from pinned memory of the host, line {line} runs {slabs}, "
                "with copies in both directions beside the kernel"
            )
    yield from _visits(specialisation, leaves)
    into, out_of, seconds = choosing.plain_arrays(outline, leaves, device)
    if into or out_of:
        time = "" if seconds is None else f", {duration(seconds)} by the figures of this machine"
        yield (
            f"of the NumPy arrays, at most {format_bytes(into)} go to {device} and {format_bytes(out_of)} come back in "
            f"every call{time}; arrays of weft.array stay there"
        )


def _visits(specialisation: Specialisation, leaves: tuple[object, ...]) -> Iterator[str]:
    """What calls do with arrays of other libraries that the host works on."""
    visitors = borrowed.visitors_among(leaves)
    reason = specialisation.why_from_host() if visitors else ""
    if not reason:
        return
    homes = [param.home for param in specialisation.placement().program.params]
    whole = [v for v in visitors if homes[v.position] == "host"]
    if len(whole) < len(visitors):
        yield f"arrays of other libraries stay on the device, and the host copies the parts that it needs: {reason}"
    if whole:
        size = format_bytes(sum(math.prod(v.shape) * v.dtype.itemsize for v in whole))
        yield (
            f"arrays of other libraries, {size}, are copied to the host before every call, and back after it where "
            f"they are written: {reason}"
        )


def _plan(specialisation: Specialisation, leaves: tuple[object, ...]) -> Plan:
    """What moves data; nothing on devices that work in the host's memory."""
    options, device = specialisation.request.options, specialisation.device
    if not is_accelerator(device):
        return Plan()
    naive = place(specialisation.program(), device, options.disable | {"placement"}, usual=options.device)
    key = IN_SLABS if is_oversized(leaves, specialisation.placement().program, device) else FAST
    return actions_of(specialisation.placement(key).program, naive.program)


def _parallel_places(program: n.Program) -> set[tuple[object, ...]]:
    """The places of the loops that may run in parallel in a program after all passes."""
    return {_place(s.location) for s in walk(program.body) if isinstance(s, n.For) and s.mapping == "parallel"}


def _loops(source: n.Program, verdicts: Verdicts, parallel: set[tuple[object, ...]]) -> Iterator[LoopReport]:
    facts: dict[tuple[object, ...], list[LoopFact]] = {}
    for fact in verdicts.loops.values():
        facts.setdefault(_place(fact.location), []).append(fact)
    original: Verdicts | None = None
    for loop, depth in _nested(source.body, 0):
        found = facts.get(_place(loop.location))
        if not found:  # simplified away: judge it as it was written
            original = original or judge(source)
            found = [original[loop.label]]
        verdict, reason = _together(verdicts, found)
        if verdict == "sequential" and getattr(loop, "claim", "") == "prange" and _place(loop.location) in parallel:
            verdict, reason = "checked", CLAIM_IS_CHECKED
        name = loop.index.stem if isinstance(loop, n.For) else "while"
        variable = loop.label.partition("@")[0].partition(".")[0] if isinstance(loop, n.For) else name
        yield LoopReport(loop.location.line, variable, verdict, reason, loop.location.function, depth)


def _together(verdicts: Verdicts, found: list[LoopFact]) -> tuple[Verdict, str]:
    """The verdict on a loop of which passes made several, and why.

    Where they are alternatives, the call decides which of them runs. Where they are parts, the loop is as good as the
    worst of them.
    """
    ordered = sorted(found, key=lambda fact: BEST_FIRST.index(fact.verdict))
    best, worst = ordered[0], ordered[-1]
    if best.verdict == worst.verdict:
        return best.verdict, best.reason
    if worst.verdict == "checked":
        return worst.verdict, worst.reason
    paths = [verdicts.table.structure.loops[fact.label].path for fact in found]
    if any(_are_alternatives(a, b) for a in paths for b in paths):
        return "checked", f"decided at the call: {best.verdict}, or {worst.verdict} where {worst.reason}"
    return worst.verdict, f"{worst.reason}; what does not hang on that is a loop of its own, which is {best.verdict}"


def _are_alternatives(a: Path, b: Path) -> bool:
    """Whether two statements stand in different branches: their paths part at the number of a block."""
    parted = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    return parted is not None and parted % 2 == 1


def _place(location: Location) -> tuple[object, ...]:
    return (location.file, location.line, location.column)


def _nested(block: n.Block, depth: int) -> Iterator[tuple[n.For | n.While, int]]:
    """The loops of a block with their depths, in source order; each place in the source once."""
    seen: set[tuple[object, ...]] = set()

    def visit(block: n.Block, depth: int) -> Iterator[tuple[n.For | n.While, int]]:
        for statement in block.statements:
            is_loop = isinstance(statement, (n.For, n.While))
            if isinstance(statement, (n.For, n.While)) and _place(statement.location) not in seen:
                seen.add(_place(statement.location))
                yield statement, depth
            for inner in blocks_of(statement):
                yield from visit(inner, depth + is_loop)

    yield from visit(block, depth)


def _accesses(verdicts: Verdicts) -> Iterator[AccessReport]:
    seen: set[AccessReport] = set()
    for access in verdicts.table.accesses:
        report = _access(verdicts, access)
        if report not in seen:
            seen.add(report)
            yield report


MODES = {"load": "reads", "store": "writes", "update": "updates"}


def _access(verdicts: Verdicts, access: Access) -> AccessReport:
    kind, reason = verdicts.table.classify(access)
    indices = ", ".join(_users(str(index.form)) for index in access.indices) if access.indices is not None else "?"
    return AccessReport(access.array.stem, access.location.line, MODES[access.kind], f"[{indices}]", kind, reason)


def _users(text: str) -> str:
    """A text with the user's names of variables: of which copy of a loop they are says nothing to the user."""
    return re.sub(r"(?<=[A-Za-z_0-9])\.\d+\b", "", text)


def _placement(specialisation: Specialisation, verdicts: Verdicts) -> Iterator[PlacementReport]:
    """Where loops run, each place in the source and way to run once: passes make copies of loops."""
    return iter(dict.fromkeys(_placed(specialisation, verdicts)))


def _counter(label: str) -> str:
    """What the user calls the variable of a loop."""
    return label.partition("@")[0].partition(".")[0]


BY_KEY = {
    "clears": "clears the sums by key",
    "largest": "notes the largest number of each key",
    "sums": "adds numbers by key as integers, in any order",
    "rounds": "adds the sums by key to the elements",
    "nothing": "clears what is noted of each key",
    "best": "notes the best number of each key",
    "compares": "compares the best numbers with the elements",
    "nobody": "clears what is noted of each element",
    "last": "notes the last store to each element",
    "stores": "lets the last store to each element write",
}
"""What the kernels do that stand for sums, extremes and stores by key, by the ends of their labels."""


def _in_words(nest: Placed, how: str) -> str:
    """How a nest runs: one that `weft.transform.scan.tiles` made runs several times, for neighbouring tiles, or hands
    on."""
    if nest.kernel and nest.label.rpartition(".")[2] == "turns":
        return f"clears what tiles hand on: {how}"
    if nest.kernel and nest.label.rpartition(".")[2] in BY_KEY:
        return f"{BY_KEY[nest.label.rpartition('.')[2]]}: {how}"
    if nest.kernel and nest.label.rpartition(".")[2] == "blocks":
        return f"in tiles, a block each, which hand on what is carried in order: {how}"
    return f"in tiles, what tiles give folded in order on the host: {how}" if _is_of_tiles(nest) else how


def _is_of_tiles(nest: Placed) -> bool:
    return bool(nest.kernel) and nest.label.rpartition(".")[2].partition("@")[0] in ("tiles", "sweep", "watch")


def _placed(specialisation: Specialisation, verdicts: Verdicts) -> Iterator[PlacementReport]:
    device = specialisation.device
    if is_accelerator(device):
        placement = specialisation.placement()
        for nest in placement.nests:
            if nest.location != ADDED and not placement.is_beside_tiles(nest):
                how = nest.reason or "; ".join(filter(None, (describe(nest.schedule), nest.scratch)))
                yield PlacementReport(nest.line, nest.device, f"loop over {_counter(nest.label)}", _in_words(nest, how))
    elif device == "cpu":
        loops = tuple(listing.loops_of(specialisation))
        shared = {_place(loop.location) for loop, _, how in loops if how != listing.MAPPINGS["sequential"]}
        dear = {_place(fact.location) for fact in verdicts.loops.values() if is_too_dear(fact)} - shared
        for loop, depth, how in loops:
            if _place(loop.location) in dear:
                how += f": {TOO_DEAR}"
            if loop.location != ADDED and (depth == 0 or how != listing.MAPPINGS["sequential"]):
                yield PlacementReport(loop.location.line, device, f"loop over {_counter(loop.label)}", how)
    else:
        yield PlacementReport(specialisation.source_program.location.line, device, "all of it", "node by node")
