"""Puts parallel nests on a device: a launch in place of each, and around it what moves the data (see `transfers`).

A nest in which something could raise runs on the device first; where it reports a fault, the host runs it again from
the data that the kernel found, up to the exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import combinations, count

from weft.analysis.access.access import table
from weft.analysis.access.matrix_products import matrix_product
from weft.analysis.access.reach import Reach
from weft.analysis.termination.endless import known_nests, runs_in_order
from weft.analysis.values.widths import is_narrow, narrow_version, why_wide
from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, block_may_raise, may_raise
from weft.ir.kernel_calls import KernelStep
from weft.ir.location import ADDED, UNKNOWN, Location
from weft.ir.scribe import TRUE
from weft.ir.types import PYBOOL, PYINT, UINT64, View
from weft.ir.visit import (
    Names,
    atoms_of,
    blocks_of,
    foreign_call,
    free_variables,
    launches_in,
    renamed,
    rewrite,
    substitute,
    walk,
)
from weft.plan.by_key import ByKey
from weft.plan.checks_outside import REASON as SLOW
from weft.plan.checks_outside import with_checks_outside
from weft.plan.extremes_by_key import extremes_by_key
from weft.plan.foreign import footprint_of_call, foreign_launch, runs_on
from weft.plan.in_kernel import in_kernel
from weft.plan.kernels import why_array, why_host
from weft.plan.last_writers import last_writers
from weft.plan.launch_variants import Draft, Sizes, with_variants
from weft.plan.needs import needs_of
from weft.plan.partition.apart import Fold, apart_of, folds_of
from weft.plan.partition.block_loops import BlockWriter
from weft.plan.partition.chain_windows import ChainWriter
from weft.plan.partition.chains import Chain, Link, link_of, longest
from weft.plan.partition.reductions import FEW, ON_HOST, PIECES, Split, can_gather, gathering, split
from weft.plan.partition.slab_loops import MakeLaunch, Nest, SlabWriter
from weft.plan.partition.slab_windows import WindowWriter
from weft.plan.partition.slabs import Piece, Uncut, piece_of, with_bounds
from weft.plan.partition.time_blocks import steps_of
from weft.plan.partition.windows import Held, Mover, can_move
from weft.plan.parts_apart import with_parts_apart
from weft.plan.pins import Pins
from weft.plan.prepare.bounds_outside import with_bounds_outside
from weft.plan.prepare.choices import with_choices
from weft.plan.prepare.csr.cuts import Cut, cut_rows
from weft.plan.prepare.folds.column_sums import with_column_sums
from weft.plan.prepare.folds.few_folds import with_few_folds_apart
from weft.plan.prepare.folds.guarded_extremes import with_guarded_extremes
from weft.plan.prepare.folds.known_starts import with_known_starts
from weft.plan.prepare.folds.late_sums import with_late_sums
from weft.plan.prepare.folds.long_folds import is_left, is_of_parts, with_long_folds_in_parts
from weft.plan.prepare.folds.nested_sums import SUFFIX, with_row_sums
from weft.plan.prepare.folds.split_reductions import rows_alone
from weft.plan.prepare.fused_steps import with_fused_steps
from weft.plan.prepare.merged_loops import with_merged_loops
from weft.plan.prepare.short_loops import with_straight_code
from weft.plan.prepare.triangles import with_squares
from weft.plan.prepare.turns import with_turns
from weft.plan.prepare.undo_tiling import left_by, untiled
from weft.plan.prepare.updates_in_order import with_updates_in_order
from weft.plan.scratch import with_scratch
from weft.plan.steps.inner_steps import with_inner_steps
from weft.plan.steps.loads_ahead import with_loads_ahead
from weft.plan.steps.pivots import with_pivots_apart
from weft.plan.steps.single_elements import with_single_elements
from weft.plan.steps.steps_folded import with_steps_folded
from weft.plan.steps.steps_inside import with_raising_steps_inside, with_steps_inside
from weft.plan.steps.values_ahead import with_values_ahead
from weft.plan.steps.wavefronts import REASON as SHORT_DIAGONALS
from weft.plan.steps.wavefronts import with_wavefronts
from weft.plan.sums_by_key import sums_by_key
from weft.plan.tiny_steps import REASON as TINY
from weft.plan.tiny_steps import with_tiny_steps
from weft.plan.transfers import footprints
from weft.plan.transfers.footprints import Footprint
from weft.plan.transfers.regions import Boxes
from weft.plan.transfers.stretches import narrowed, stretches
from weft.plan.transfers.transfers import transfers
from weft.schedule.directives import AXES, NARROW, Directive, Indices, Privatise, Schedule, Stage
from weft.schedule.frame import Dimension, Lowered, sequential
from weft.schedule.legality import Limits, check_schedule
from weft.schedule.lower import Layouts
from weft.schedule.lowering.tiles import words_of
from weft.schedule.versions import versions
from weft.schedule.writing import Writing
from weft.transform.parallel.forward_carried_loads import forward_carried_loads
from weft.transform.peel import Copies
from weft.transform.whole_loop import WholeLoop
from weft.tune.choice import check_all_used, indices_for, schedule_for, written_by_hand

HOST = "host"


@dataclass(frozen=True)
class Layout:
    """What kernels have to keep to: the limits of the device; schedules that are to be avoided, by the name of the
    kernel; what libraries may do of them, None for nothing; and what float32 factors may be rounded to."""

    limits: Limits = Limits()
    avoid: Mapping[str, frozenset[Schedule]] = field(default_factory=dict)
    libraries: n.Freedom | None = None
    precision: str = ""


@dataclass(frozen=True)
class Offloaded:
    """A kernel as it was written, and what the program gives for its parameters."""

    kernel: n.Kernel
    operands: tuple[n.Var, ...]


@dataclass(frozen=True)
class Placed:
    """Where a loop of the program runs: under which schedule on a device, or why on the host.

    `around` is the label of the loop of the host around it; `launches` says that a loop of the host launches kernels,
    `stands_by` that it is for calls that fail the test under which the same loop is a kernel, `pinned` that the user
    wants it on the host. `slabs` says how a kernel is cut where it runs in slabs, `turns` that all arrays are cut and
    copies run beside it, `scratch` which arrays of its iterations
    are in scratch memory; `others` are schedules under which the loop becomes other kernels, and which are worth
    measuring.
    """

    label: str
    line: int
    device: str
    reason: str = ""
    schedule: Schedule = ()
    kernel: str = ""
    around: str = ""
    launches: bool = False
    stands_by: bool = False
    pinned: bool = False
    slabs: str = ""
    turns: bool = False
    scratch: str = ""
    location: Location = UNKNOWN
    offloaded: Offloaded | None = None
    others: tuple[Schedule, ...] = ()


@dataclass(frozen=True)
class Placement:
    """A program with its nests placed, and what became of each."""

    program: n.Program
    nests: tuple[Placed, ...]
    crosses_once: bool = True
    """Whether no array is cut by more than one loop over slabs."""
    folds: tuple[Fold, ...] = ()
    """Its reductions, before they were placed."""

    @property
    def kernels(self) -> tuple[n.Kernel, ...]:
        """The kernels, in the order in which the runtime keeps them."""
        return kernels_of(self.program)

    @property
    def shared_parts(self) -> tuple[int | None, ...]:
        """By kernel, which part of a multiprocessor's fast memory, in percent, is for shared arrays; None: any."""
        parts = ([hint.amount for hint in kernel.hints if hint.kind == "shared"] for kernel in self.kernels)
        return tuple(part[-1] if part else None for part in parts)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(kernel.name for kernel in self.kernels)

    @property
    def kernel_lines(self) -> tuple[int, ...]:
        """The lines of their loops, in the same order."""
        launches = launches_in(self.program.body)
        lines = {v.name: launch.location.line for launch in launches for v in versions(launch.kernel)}
        return tuple(lines[name] for name in self.kernel_names)

    @cached_property
    def version_names(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the versions of a kernel, by its own."""
        launches = launches_in(self.program.body)
        return {launch.kernel.name: tuple(v.name for v in versions(launch.kernel)) for launch in launches}

    def tried(self, nest: Placed) -> Schedule:
        """The schedule of a nest's kernel; where its indices are narrow by default, with that."""
        launches = launches_in(self.program.body)
        kernel = next(launch.kernel for launch in launches if launch.kernel.name == nest.kernel)
        return with_narrow_indices(nest.schedule, nest.label) if is_narrow(kernel) else nest.schedule

    def is_one_pass(self) -> bool:
        """Whether the program is nests on the device that cannot fail, each run once, and what moves their arrays."""
        launches = list(launches_in(self.program.body))
        repeated = any(isinstance(s, (n.For, n.While)) for s in host_statements(self.program.body))
        return bool(launches) and not repeated and not any(launch.results for launch in launches)

    def takes_turns(self) -> bool:
        """Whether every kernel runs in slabs with copies beside it, and all arrays are cut, each by one loop."""
        return self.crosses_once and all(p.turns for p in self.nests if p.kernel)

    def sequential(self) -> tuple[Placed, ...]:
        """Outermost loops that are on the host for other reasons than the user's wish, and launch nothing."""
        idle = [p for p in self.nests if not (p.kernel or p.launches or p.stands_by or p.pinned)]
        inner = {p.label for p in idle if p.around in {q.label for q in idle}}
        return tuple(p for p in idle if p.label not in inner and not self.is_beside_tiles(p))

    def is_beside_tiles(self, nest: Placed) -> bool:
        """Whether a loop on the host is a part of what `weft.transform.scan.tiles` made of one whose tiles, or pieces,
        are kernels."""
        made = (p.label.rpartition(".") for p in self.nests if p.kernel)
        tiled = {loop for loop, _, part in made if part in ("tiles", "pieces")}
        return not nest.kernel and (nest.label in tiled or nest.label.rpartition(".")[0] in tiled)


def place(
    program: n.Program,
    device: str,
    disable: frozenset[str] = frozenset(),
    schedule: Schedule = (),
    usual: str | None = None,
    slabs: bool = False,
    layout: Layout | None = None,
) -> Placement:
    """Put the parallel nests of a program on a device.

    Parameters
    ----------
    program
        After the pass that marks parallel loops.
    device
        The name of a memory other than ``host``, and of the device that works in it.
    disable
        With ``placement``, every launch gets its arrays and gives them back: the referee of what is done otherwise.
    schedule
        Directives for loops that run on the device; all others run under their default schedules.
    usual
        Where loops run that no block is around which the user pinned: the device, or ``cpu``.
    slabs
        Whether every kernel runs slab by slab, for arrays that do not fit into the device: see `slab_loops`.
    layout
        What the schedules of kernels have to keep to.
    """
    pins = Pins(program.pins, device, usual or device)
    functions = {f.name: f for f in program.functions}

    kept: dict[str, str] = {}

    def why(nest: n.For) -> str | None:
        return pins.why_host(nest) or kept.get(nest.label) or why_host(nest, functions, device)

    folds = folds_of(program)
    if (parts_given := apart_of(program)) is not None:
        parts_given.check_loop(table(program))
    program = with_guarded_extremes(with_bounds_outside(program))
    if "unroll" not in disable:
        program = with_straight_code(program, schedule)
    if "turns" not in disable:
        program = with_turns(with_choices(program, why), why)
    if "steps_inside" not in disable and not slabs:
        program = forward_carried_loads(with_steps_inside(program, why), in_threads=True)
    if "steps_folded" not in disable and not slabs:
        program = with_steps_folded(program, why)
    if "values_ahead" not in disable and not slabs:
        program = with_values_ahead(program, why)
    may_take_turns = "steps" not in disable and not on_device(program)
    if "pivots" not in disable and not slabs and (apart := with_pivots_apart(program, why)) is not program:
        if may_take_turns:  # asked of the loop as it stands, before its kernels follow one another
            program, tiny = with_tiny_steps(program, why)
            kept.update(dict.fromkeys(tiny, TINY))
            apart, may_take_turns = with_pivots_apart(program, why), not tiny
        program = apart
    if "wavefronts" not in disable and not slabs:
        program, small = with_wavefronts(program, why)
        kept.update(dict.fromkeys(small, SHORT_DIAGONALS))
    parts = partial(with_scratch, why_host=why, why_array=lambda let, alloc: why_array(let, alloc, device))
    program, slow = with_checks_outside(program, why, parts, on_host=not on_device(program))
    kept.update(dict.fromkeys(slow, SLOW))
    program, notes = parts(with_updates_in_order(program, why, parts))
    if "inner_steps" not in disable:
        program = with_inner_steps(program, why)
    program = with_squares(program, schedule, why)
    program = with_parts_apart(program, schedule, why)
    program = with_known_starts(with_column_sums(program, why), schedule, why)
    program = with_few_folds_apart(program, schedule, why)
    if layout is not None and layout.limits.cores:
        program = with_long_folds_in_parts(program, schedule, why)
    program = with_row_sums(program, schedule, why)
    late: frozenset[str] = frozenset()
    if slabs:
        found = with_late_sums(program, device)
        program, late = found.program, found.arrays
    elif "steps" not in disable:
        program = with_fused_steps(program, schedule, why)
    before: dict[str, n.For] = {}
    if "steps_inside" not in disable and not slabs:
        program, before = with_raising_steps_inside(program, why)
    if may_take_turns:
        program, tiny = with_tiny_steps(program, why)
        kept.update(dict.fromkeys(tiny, TINY))
    if "single_elements" not in disable and not slabs:
        by_key = cache(partial(_Placer, program, device, schedule, pins, slabs))
        program = with_single_elements(
            program, on_device(program), why, lambda loop: by_key().found_by_key(loop) is not None
        )
    placer = _Placer(program, device, schedule, pins, slabs)
    placer.loads_ahead = "loads_ahead" not in disable
    placer.notes, placer.late, placer.kept, placer.before = notes, late, kept, before
    placer.layout = layout or placer.layout
    body = placer.block(program.body)
    check_all_used(schedule, placer.kernels, (p.label for p in placer.placed if p.kernel))
    if placer.apart is not None:
        placer.apart.check_used(body)
    placer.check_host(body)
    launched = replace(program, body=body)
    moved = launched
    if not slabs:
        moved = transfers(launched, device, placer.footprints, placer.there, "placement" in disable)
    moved = with_variants(moved, placer.variants)
    if not slabs:
        moved = replace(moved, needs=needs_of(launched, lambda: Names.of(moved)))
    cuts = [name for names in placer.cuts for name in names]
    nests = tuple(placed for placed in placer.placed if placed.kernel or placed.location != ADDED)
    return Placement(moved, nests, len(cuts) == len(set(cuts)), folds)


def on_device(program: n.Program) -> frozenset[str]:
    """Names of the parameters whose arrays are in the memory of the device."""
    params = (p.var for p in program.params)
    return frozenset(v.name for v in params if isinstance(v.type, View) and v.type.memory != HOST)


def kernels_of(program: n.Program) -> tuple[n.Kernel, ...]:
    """The kernels that Weft writes of a placed program, in the order of their launches, each once, in all versions."""
    launches = (launch for launch in launches_in(program.body) if foreign_call(launch.kernel) is None)
    kernels = {launch.kernel.name: launch.kernel for launch in launches}.values()
    return tuple(version for kernel in kernels for version in versions(kernel))


def with_narrow_indices(schedule: Schedule, loop: str) -> Schedule:
    """A schedule, with what is the default where it does not say how wide indices are."""
    return schedule if any(isinstance(d, Indices) for d in schedule) else (*schedule, Indices(loop, NARROW))


def _stem(name: str) -> str:
    """How the names of a program's kernels begin; macros have capitals, extensions and types of languages a prefix."""
    stem = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    return stem if re.match(r"[a-z](?!l_)[a-z0-9_]*$", stem) else f"kernel_{stem}"


class _Placer:
    def __init__(self, program: n.Program, device: str, schedule: Schedule, pins: Pins, slabs: bool) -> None:
        self.program = program
        self.slabs = slabs
        self.names = Names.of(program)
        self.schedule = schedule
        self.layout = Layout()
        self.pins = pins
        self.notes: Mapping[str, str] = {}
        self.late: frozenset[str] = frozenset()
        self.loads_ahead = True
        self.copies = Copies(program, self.names)
        self.kept: Mapping[str, str] = {}
        self.before: Mapping[str, n.For] = {}
        self.variants: dict[str, list[n.Statement]] = {}
        self.kernels: list[n.Kernel] = []
        self.device = device
        self.stem = _stem(program.name.rpartition(".")[2])
        self.functions = {f.name: f for f in program.functions}
        self.table = table(program)
        whole = untiled(program)
        self.touched = self.table if whole is program else table(whole)
        self.aliases = self.table.aliases
        self.reach = Reach(self.table)
        self.footprints: dict[str, Footprint] = {}
        self.there = on_device(program)
        self.placed: list[Placed] = []
        self.labels = Writing(self.names, program.location)
        self.whole = WholeLoop(program)
        self.rows = stretches(program)
        self.apart = apart_of(program)
        self.links: dict[str, Link] = {}
        self.cuts: list[Sequence[str]] = []
        self.around: list[str] = []
        self.calls = count()

    def block(self, block: n.Block) -> n.Block:
        statements: list[n.Statement] = []
        rest: Sequence[n.Statement] = block.statements
        while rest:
            found = self.in_chain(block, rest) if self.slabs else None
            made, rest = found or (self.statement(rest[0]), rest[1:])
            statements.extend(made)
        return replace(block, statements=tuple(statements))

    def statement(self, statement: n.Statement) -> Sequence[n.Statement]:
        if isinstance(statement, n.For):
            return self.loop(statement)
        if isinstance(statement, n.While):
            return [replace(statement, condition=self.block(statement.condition), body=self.block(statement.body))]
        if isinstance(statement, n.If):
            first, cuts = len(self.placed), len(self.cuts)
            then = self.block(statement.then)
            second = len(self.placed)
            if rows_alone(statement) is not None:  # what is cut by either of two ways crosses once
                del self.cuts[cuts:]
            orelse = self.block(statement.orelse)
            self.mark_copies(first, second)
            return [replace(statement, then=then, orelse=orelse)]
        if isinstance(statement, n.External) and (step := runs_on(self.program, statement, self.device)):
            return self.foreign(statement, step)
        return [statement]

    def foreign(self, call: n.External, step: KernelStep) -> list[n.Statement]:
        """A call of a kernel that the user wrote, as a launch."""
        for view in (*call.reads, *call.writes):
            self.is_there(view, call.location)
        launch = foreign_launch(call, f"{self.stem}_call_{next(self.calls)}", self.device, self.names)
        if self.slabs:
            return self.moved(launch, tuple(dict.fromkeys((*call.reads, *call.writes))), call.writes)
        self.footprints[launch.kernel.name] = footprint_of_call(self.table, call, step)
        return [launch]

    def mark_copies(self, first: int, second: int) -> None:
        """Note of the nests on both sides of a test which are copies of one that is a kernel on the other side."""
        sides = range(first, second), range(second, len(self.placed))
        for side, other in (sides, sides[::-1]):
            kernels = {self.placed[k].location for k in other if self.placed[k].kernel}
            for k in side:
                if not self.placed[k].kernel and self.placed[k].location in kernels:
                    self.placed[k] = replace(self.placed[k], stands_by=True)

    def loop(self, loop: n.For) -> Sequence[n.Statement]:
        """A loop on the device, or on the host with what is inside it placed."""
        reason = self.why_host(loop)
        if self.apart is not None and self.apart.only_folds and not (self.around or loop.results):
            return []  # the pieces have done that
        if not reason:
            return self.offload(loop)
        if (found := self.found_by_key(loop)) is not None:
            return self.by_key(loop, found)
        blocks, loop = self.in_blocks(loop) if self.slabs else ([], loop)
        position = len(self.placed)
        self.record(loop, HOST, reason, pinned=self.pins.why_host(loop) is not None)
        self.around.append(loop.label)
        body = self.block(loop.body)
        self.around.pop()
        if not any(launches_in(body)):
            return [*blocks, replace(loop, body=body)]
        self.placed[position] = replace(self.placed[position], launches=True)
        return [*blocks, _in_order(replace(loop, body=body))]

    def record(
        self,
        loop: n.For,
        device: str,
        reason: str = "",
        schedule: Schedule = (),
        kernel: str = "",
        pinned: bool = False,
    ) -> None:
        """Remember where a loop runs. A kernel's name has the number of the loops before it."""
        around = self.around[-1] if self.around else ""
        location = loop.location
        self.placed.append(
            Placed(
                loop.label,
                location.line,
                device,
                reason,
                schedule,
                kernel,
                around,
                stands_by=loop.label in self.kept,
                pinned=pinned,
                location=location,
            )  # fmt: skip
        )

    def why_host(self, loop: n.For) -> str | None:
        if loop.label in self.kept:
            return self.pins.why_host(loop) or self.kept[loop.label]
        if loop.mapping == "turns" and self.slabs:
            return self.pins.why_host(loop) or "it hands values on from tile to tile, which slabs do not"
        if loop.mapping not in ("parallel", "turns"):
            return self.pins.why_host(loop) or self.notes.get(loop.label) or "its iterations depend on one another"
        return self.pins.why_host(loop) or why_host(loop, self.functions, self.device)

    def offload(self, nest: n.For, is_cut: bool = True) -> Sequence[n.Statement]:
        """A nest as copies, a launch, and what follows on the host; where it `is_cut`, rows of very different length
        are."""
        before: tuple[n.Statement, ...] = ()
        partials: tuple[n.Var, ...] = ()
        after: tuple[n.Statement, ...] = ()
        whole, many = nest, False
        kernel_nest = nest = in_kernel(self.program, nest, self.names)
        if nest.mapping == "turns":
            before, words = self.turns(nest)
            kernel_nest, partials = replace(nest, through=words), (words, *left_by(nest))
        elif nest.args:
            many, parts = self.is_gathered(nest), self.split(nest)
            if self.apart is not None and not self.around:
                if self.apart.only_folds:
                    return [*parts.before, *self.folded(nest, parts)]
                many = False
            if self.slabs:
                after = self.folded(nest, parts) if many else (parts.fold,)
                return [*parts.before, *self.in_slabs(nest, parts), *after]
            before, kernel_nest, partials, after = parts.before, parts.kernel, parts.partials, (parts.fold,)
        elif self.slabs:
            return self.in_slabs(nest, None)
        elif is_cut and (cut := self.cut(nest)) is not None:
            return self.in_pieces(whole, cut)
        if self.loads_ahead:  # not before: what an array needs follows from the nest as it was
            kernel_nest = with_loads_ahead(kernel_nest, self.copies, self.reach)
        counts, kernel_nest = with_merged_loops(kernel_nest, self.schedule, self.names)
        before = (*before, *counts)
        inner = renamed(n.Block((kernel_nest,)), self.names)
        operands = free_variables(inner)
        views = [v for v in operands if isinstance(v.type, View)]
        without = (Stage,) if is_left(nest) else ()  # a tile for what is left over is not worth its set-up
        operands = (*views, *(v for v in operands if v not in views))
        launch, grid = self.launch(nest, inner, operands, partials, without=without)
        self.footprints[launch.kernel.name] = self.footprint(nest, partials)
        if not partials and not is_of_parts(nest):
            self.note_variants(launch, self.sizes(nest, inner, launch).statements())
        if many:
            after = self.gathered(nest, parts)
        if block_may_raise(inner):
            is_here = not any(self.is_there(v, nest.location) for v in views)
            again = self.again(whole) if is_here else self.failed(nest, inner)
            return [*before, *grid, *self.guarded(nest, launch, again, after)]
        return [*before, *grid, launch, *after]

    def note_variants(self, launch: n.Launch, statements: list[n.Statement]) -> None:
        """Remember the statements that replace a launch, if it has variants for other sizes of the arrays."""
        if statements != [launch]:
            self.variants[launch.kernel.name] = statements

    def sizes(self, nest: n.For, inner: n.Block, launch: n.Launch, own: Sequence[n.Var] = ()) -> Sizes:
        """What launches of the nest that was placed last need for other sizes of the arrays."""
        kernel, usual = self.kernels[-1], self.placed[-1].schedule

        def draft() -> Draft:
            operands = launch.operands[: len(kernel.params)]
            return self.draft(nest, renamed(inner, self.names), operands, own)  # type: ignore[arg-type]

        given = self.avoided, self.schedule, self.device, self.layout.limits, self.names, self.whole
        return Sizes(kernel, usual, launch, draft, partial(self.launched, nest), *given)

    def is_gathered(self, nest: n.For) -> bool:
        """Whether partial results are folded on the device; in a loop of the host that is one more wait."""
        return can_gather(nest) and not self.around

    def split(self, nest: n.For) -> Split:
        """A reduction as pieces and what folds their results."""
        given: tuple[n.Var, ...] = ()
        if self.apart is not None and not self.around:
            self.apart.check_values(nest)
            given = self.apart.arrays
        return split(nest, self.names, ON_HOST if self.around else PIECES, self.whole, given)

    def folded(self, nest: n.For, parts: Split) -> tuple[n.Statement, ...]:
        """What folds the partial results of a nest."""
        return self.gathered(nest, parts) if self.is_gathered(nest) else (parts.fold,)

    def gathered(self, nest: n.For, parts: Split) -> tuple[n.Statement, ...]:
        """What folds the partial results of a nest: a kernel where they are many, the host otherwise."""
        found = gathering(nest, parts, self.names)
        inner = renamed(n.Block((found.kernel,)), self.names)
        views = (*parts.partials, *found.totals)
        others = [v for v in free_variables(inner) if v not in views]
        launch, grid = self.launch(found.kernel, inner, (*views, *others), views, "_folds")
        self.footprints[launch.kernel.name] = Footprint(_whole(parts.partials), _whole(found.totals))
        are_many = self.names.fresh("many", PYBOOL)
        results = tuple(self.names.fresh(r.stem, r.type) for r in nest.results)
        launched: list[n.Statement] = [launch]
        if self.slabs:
            launched = self.moved(launch, parts.partials, found.totals)
            self.placed[-1] = replace(self.placed[-1], turns=len(self.placed) > 1 and self.placed[-2].turns)
        on_device = n.Block((*found.before, *grid, *launched, found.fold), found.fold.results)
        on_host = n.Block((replace(parts.fold, results=results),), results)
        test = n.Let(are_many, n.Compare("gt", parts.pieces, n.Const(FEW)), nest.location)
        return test, n.If(are_many, on_device, on_host, nest.results, nest.location)

    def moved(self, launch: n.Launch, reads: tuple[n.Var, ...], writes: tuple[n.Var, ...]) -> list[n.Statement]:
        """A launch with all that it reads sent before, and all that it writes brought home: small arrays."""
        device, location = self.device, launch.location
        return [
            *(n.Reserve(view, device, location) for view in (*reads, *writes)),
            *(n.Copy(view, HOST, device, location) for view in reads),
            replace(launch, reads=reads, writes=writes),
            *(n.Copy(view, device, HOST, location) for view in writes),
            n.Wait(device, location=location),
            *(n.Free(view, device, location) for view in (*reads, *writes)),
        ]

    def cut(self, nest: n.For) -> Cut | None:
        """What a nest is whose rows have very different length, where nobody wrote a schedule for its kernels and each
        array is another one."""
        if self.overlapping(free_variables(n.Block((nest,)))):
            return None
        return cut_rows(nest, self.names, self.schedule, self.layout.limits, self.whole)

    def in_pieces(self, nest: n.For, cut: Cut) -> list[n.Statement]:
        """A nest whose long rows are folded in pieces; these store nothing that is seen."""
        touched = self.with_all(self.footprint(nest, ()), nest, cut)
        statements: list[n.Statement] = []
        for kernel, suffix, ways in cut.first:
            block = n.Block((kernel,))
            launch, grid = self.launch_of(kernel, block, cut.arrays, suffix, ways)
            own = _own(block, cut.arrays)
            self.footprints[launch.kernel.name] = replace(own, reads={**touched.reads, **own.reads})
            statements += [*grid, launch]
        inner = n.Block((cut.nest,))
        launch, grid = self.launch_of(nest, inner, cut.arrays, "", cut.ways)
        self.placed[-1] = replace(self.placed[-1], others=cut.others)
        self.footprints[launch.kernel.name] = _with(touched, _own(inner, cut.arrays))
        after: list[n.Statement] = []
        for kernel, suffix, ways in cut.last:
            block = n.Block((kernel,))
            ends, lets = self.launch_of(kernel, block, cut.arrays, suffix, ways)
            self.footprints[ends.kernel.name] = _with(touched, _own(block, cut.arrays))
            after += [*lets, ends]
        if block_may_raise(inner):
            views = [v for v in free_variables(inner) if isinstance(v.type, View)]
            is_here = not any(self.is_there(v, nest.location) for v in views)
            again = self.again(nest) if is_here else self.failed(nest, inner)
            statements += [*grid, *self.guarded(nest, launch, again, after)]
        else:
            statements += [*grid, launch, *after]
        if cut.are_many is None:
            return [*cut.before, *statements]
        few = n.Block(tuple(self.offload(nest, is_cut=False)))
        return [*cut.before, n.If(cut.are_many, n.Block(tuple(statements)), few, location=nest.location)]

    def with_all(self, touched: Footprint, nest: n.For, cut: Cut) -> Footprint:
        """A footprint with all elements of the arrays of which a nest reads what belongs to rows of other pieces; of
        arrays with one element for each entry, those of its rows, and the entries that it reads on either side."""
        region = self.touched.structure.loops[nest.label].region
        around, beside, elsewhere = (
            frozenset[str]().union(*map(self.aliases.roots, views)) for views in (cut.around, *cut.of_entries)
        )
        reads, rows = dict(touched.reads), dict(self.rows)
        for name in reads:
            roots = self.roots_of(name)
            is_narrowed = name in rows and roots & (beside | elsewhere)
            if roots & around or is_narrowed:
                array = self.touched.structure.definition(name).var
                reads[name] = (footprints.space(self.touched, array, region).whole,)
            if not roots <= beside or roots & elsewhere:
                rows.pop(name, None)
        return narrowed(replace(touched, reads=reads), rows, cut.reach)

    def found_by_key(self, nest: n.For) -> ByKey | None:
        """The kernels for a nest that adds floats by key, finds extremes of floats by key, or stores by key in order;
        None where it is none, the user wants it on the host, or an element may be another one at the same time, for
        which another number is noted."""
        views = [v for v in free_variables(n.Block((nest,))) if isinstance(v.type, View) and self.is_known(v)]
        is_apart = all(self.aliases.roots(view).isdisjoint(self.aliases.overlapping) for view in views)
        if self.slabs or self.pins.why_host(nest) or not is_apart:
            return None
        ways = sums_by_key, extremes_by_key, last_writers
        made = (way(nest, self.names, self.aliases, self.why_host) for way in ways)
        return next((found for found in made if found is not None), None)

    def by_key(self, nest: n.For, found: ByKey) -> list[n.Statement]:
        """Such a nest as kernels; on the host where something raises, or where integers do not hold what is noted."""
        touched = self.footprint(nest, ())

        def launched(kernel: n.For) -> tuple[n.Launch, list[n.Statement]]:
            block, (what, _, _) = n.Block((kernel,)), kernel.label.removeprefix(f"{nest.label}.").partition(".")
            launch, grid = self.launch_of(kernel, block, found.arrays, f"_{what}", (), without=(Privatise,))
            own = _own(block, found.arrays)
            if kernel in found.clears:
                touches = own
            elif kernel is found.noting:  # what a failed run leaves of its own array, nobody reads
                touches = replace(own, reads={**touched.reads, **own.reads})
            else:
                touches = _with(self.added_to(block, touched), own)
            self.footprints[launch.kernel.name] = touches
            return launch, grid

        statements: list[n.Statement] = []
        for kernel in found.clears:
            launch, grid = launched(kernel)
            statements += [*grid, launch]
        launch, grid = launched(found.noting)
        after: list[n.Statement] = []
        for kernel in (*found.after, *found.rounds):
            made, lets = launched(kernel)
            after += [*lets, made]
        views = [v for v in free_variables(n.Block((nest,))) if isinstance(v.type, View)]
        is_here = not any(self.is_there(v, nest.location) for v in views)
        inner = n.Block((found.noting,))
        again = self.again(nest) if is_here else self.failed(nest, inner)
        if block_may_raise(inner):
            statements += [*grid, *self.guarded(nest, launch, again, after)]
        else:
            statements += [*grid, launch, *after]
        if found.fits == TRUE:
            return [*found.before, *statements]
        other = self.again(nest) if is_here else self.failed(nest, inner)
        choice = n.If(found.fits, n.Block(tuple(statements)), replace(other, yields=()), location=nest.location)
        return [*found.before, choice]

    def added_to(self, block: n.Block, touched: Footprint) -> Footprint:
        """What a kernel touches that adds to elements which a nest may write, and may leave others as they are."""
        read, written = (
            frozenset[str]().union(*(self.aliases.roots(v) for v in views if self.is_known(v)))
            for views in _touched(block)
        )
        reads = {name: boxes for name, boxes in touched.reads.items() if read & self.roots_of(name)}
        writes = {name: boxes for name, boxes in touched.writes.items() if written & self.roots_of(name)}
        left = {name: tuple(dict.fromkeys((*reads.get(name, ()), *boxes))) for name, boxes in writes.items()}
        return Footprint(reads | left, writes, touched.lines)

    def roots_of(self, name: str) -> frozenset[str]:
        """The parameters and allocations that an array of a footprint may be."""
        return self.touched.aliases.roots(self.touched.structure.definition(name).var)

    def launch_of(
        self,
        nest: n.For,
        block: n.Block,
        own: Sequence[n.Var],
        suffix: str,
        ways: Sequence[Schedule],
        without: tuple[type[Directive], ...] = (),
    ) -> tuple[n.Launch, list[n.Statement]]:
        """The launch of a block with everything that it uses, under the first of some schedules that it can have;
        nothing else shares the memory of its `own` arrays."""
        inner = renamed(block, self.names)
        operands = free_variables(inner)
        views = [v for v in operands if isinstance(v.type, View)]
        avoid = self.avoided(suffix)
        schedule = next((way for way in ways if way not in avoid), ways[-1] if ways else ())
        others = (v for v in operands if v not in views)
        return self.launch(nest, inner, [*views, *others], own, suffix, schedule, without)

    def turns(self, nest: n.For) -> tuple[tuple[n.Statement, ...], n.Var]:
        """What makes the array through which the tiles of a loop hand values on, full of zeros, and the array."""
        write = Writing(self.names, nest.location)
        tiles = write.trips(nest.start, nest.stop, "tiles")
        extent = write.op("add", write.op("mul", tiles, 2 * words_of(nest.args)), 1, "extent")
        view = write.let(n.Alloc((extent,), UINT64), View(UINT64, 1, contiguous=True), "turns")
        before, write.statements = write.statements, []
        with write.loop(f"{nest.label}.turns", 0, extent, "parallel", stem="word") as loop:
            write.store(view, (loop.index,), n.Const(0, UINT64))
        (cleared,) = write.statements
        assert isinstance(cleared, n.For)
        inner = renamed(n.Block((cleared,)), self.names)
        others = [v for v in free_variables(inner) if v != view]
        launch, grid = self.launch(cleared, inner, (view, *others), (view,), "_clears")
        whole: Boxes = (footprints.of_extents(view),)
        self.footprints[launch.kernel.name] = Footprint({}, {view.name: whole})
        return (*before, *grid, launch), view

    def in_chain(
        self, block: n.Block, rest: Sequence[n.Statement]
    ) -> tuple[list[n.Statement], Sequence[n.Statement]] | None:
        """The first nests of some statements of a block as one loop over slabs, and what follows; None: one by one.

        Rows that may be folded in parts run together with others where they are not."""
        choices = [rows_alone(statement) for statement in rest]
        plain = [choice[1] if choice else s for choice, s in zip(choices, rest, strict=True)]
        found = longest(self.table, plain, self.link) if isinstance(plain[0], n.For) else None
        if found is None:
            return None
        chain, before, after = found
        ways = {choice[1].label: (choice[0], s) for choice, s in zip(choices, rest, strict=True) if choice}
        rest = rest[len(rest) - len(after) :]
        splits = {k.nest.label: self.split(k.nest) for k in chain.links if k.nest.args}
        lines = ", ".join(str(link.nest.location.line) for link in chain.links)
        says = f"in slabs of {chain.start.piece.loop.label.partition('@')[0]}, together: the loops in lines {lines}"
        launches = {k.nest.label: self.launcher(k.nest, k.piece, splits.get(k.nest.label), says) for k in chain.links}
        dead = self.dead(block, chain, rest)
        holder, (reduced,) = self.table.structure.definition, tuple(splits.items()) or (None,)
        writer = ChainWriter(chain, launches, reduced, dead, lambda name: holder(name).var, self.names, self.device)
        asks, enough = writer.enough([ways[k.nest.label][0] for k in chain.links if k.nest.label in ways])
        together, cuts = n.Block(tuple(self.turning(writer.statements, not chain.whole))), len(self.cuts)
        one_by_one: list[n.Statement] = []
        for k in chain.links:
            label = k.nest.label
            alone = self.statement(ways[label][1]) if label in ways else self.in_slabs(k.nest, splits.get(label))
            one_by_one += alone
        self.cuts[cuts:] = [chain.names]
        choice = n.If(enough, together, n.Block(tuple(one_by_one)), location=chain.start.nest.location)
        ready = [s for parts in splits.values() for s in parts.before]
        after = [s for k in chain.links if k.nest.args for s in self.folded(k.nest, splits[k.nest.label])]
        return [*before, *ready, *asks, choice, *after], rest

    def link(self, nest: n.For) -> Link:
        """A nest as a part of chains; `Uncut` where it is none."""
        if nest.mapping != "parallel" or self.why_host(nest) or block_may_raise(n.Block((nest,))):
            raise Uncut("it is no kernel, or may raise")
        if nest.args and nest.label.endswith(SUFFIX):
            raise Uncut("what rows give is little, and pieces of it are many rows")
        if nest.label not in self.links:
            self.links[nest.label] = link_of(self.table, nest, piece_of(self.program, nest, self.names))
        return self.links[nest.label]

    def dead(self, block: n.Block, chain: Chain, rest: Sequence[n.Statement]) -> frozenset[str]:
        """The arrays that a chain writes, a block makes, and nobody needs behind the chain."""
        made = {s.var.name for s in block.statements if isinstance(s, n.Let) and isinstance(s.value, n.Alloc)}
        later = [v for v in free_variables(n.Block(tuple(rest), block.yields)) if isinstance(v.type, View)]
        arrays = [self.table.structure.definition(name).var for name in chain.written if name in made]
        return frozenset(a.name for a in arrays if not any(self.aliases.may_alias(a, v) for v in later))

    def launcher(self, nest: n.For, piece: Piece, parts: Split | None, says: str) -> MakeLaunch:
        """What writes the launch of a piece of a nest, or of pieces of a reduction."""
        whole, label = (nest, piece.loop.label) if parts is None else (parts.kernel, parts.kernel.label)

        def launch(low: n.Atom, high: n.Atom, held: Mapping[str, Held]) -> tuple[list[n.Statement], n.Launch]:
            inner = n.Block((with_bounds(whole, label, low, high),))
            return self.on_windows(nest, inner, held, says, parts.partials if parts else ())

        return launch

    def in_slabs(self, nest: n.For, parts: Split | None) -> list[n.Statement]:
        """A nest as a loop over slabs that copies, launches and copies home."""
        piece, says = self.piece(nest)
        whole, label = (nest, piece.loop.label) if parts is None else (parts.kernel, parts.kernel.label)
        raises, turns = block_may_raise(n.Block((whole,))), self.can_turn(whole, piece)
        if piece.whole and not raises:  # where it helps, arrays are cut between columns
            other, other_says = self.piece(nest, any_axis=True)
            if len(other.whole) < len(piece.whole) and self.can_turn(nest, other):
                piece, says, turns = other, other_says, True
                label = piece.loop.label if parts is None else label
        launch = self.launcher(nest, piece, parts, says)

        def guard(made: n.Launch, low: n.Atom, high: n.Atom, home: Sequence[n.Copy]) -> list[n.Statement]:
            if not raises:
                return [made, *home]
            fault, again = self.names.fresh("fault", PYBOOL), _sequential(with_bounds(whole, label, low, high))
            (replayed,) = renamed(n.Block((again,)), self.names).statements
            host = n.Block((replayed, *(replace(c, source=c.target, target=c.source) for c in home)))
            return [replace(made, results=(fault,)), n.If(fault, host, n.Block(tuple(home)), location=nest.location)]

        holders = self.table.structure.definition
        found = Nest(
            piece,
            parts,
            lambda name: holders(name).var,
            lambda view: footprints.whole_array(self.table, view).name,
            launch,
            guard,
        )
        self.cuts.append(tuple(piece.windows))
        writer = (WindowWriter if turns else SlabWriter)(found, self.names, self.device)
        return self.turning(writer.statements, turns and not piece.whole)

    def can_turn(self, nest: n.For, piece: Piece) -> bool:
        """Whether a nest can run on windows that take turns."""
        arrays = [self.table.structure.definition(name).var for name in piece.windows]
        others = [v for v in free_variables(n.Block((nest,))) if isinstance(v.type, View) and v not in arrays]
        apart = not any(footprints.whole_array(self.table, v).name in piece.windows for v in others if self.is_known(v))
        axes = {name: window.axis for name, window in piece.windows.items()}
        return bool(arrays) and apart and not block_may_raise(n.Block((nest,))) and can_move(nest, arrays, axes)

    def turning(self, write: Callable[[], list[n.Statement]], turns: bool) -> list[n.Statement]:
        """What is written of loops over slabs, whose nests have copies beside them or not."""
        first = len(self.placed)
        statements = write()
        self.placed[first:] = [replace(placed, turns=turns) for placed in self.placed[first:]]
        return statements

    def in_blocks(self, loop: n.For) -> tuple[list[n.Statement], n.For]:
        """The steps of a time loop that run in blocks, slab by slab, and what is left of the loop."""
        nests = [s for s in loop.body.statements if isinstance(s, n.For)]
        if self.pins.why_host(loop) or any(map(self.why_host, nests)):
            return [], loop
        steps = steps_of(self.program, self.table, loop, self.names, self.late)
        if steps is None:
            return [], loop

        def launch(
            nest: n.For, copied: n.For, label: str, low: n.Atom, high: n.Atom, held: Mapping[str, Held]
        ) -> tuple[list[n.Statement], n.Launch]:
            says = f"in slabs of {label.partition('@')[0]}, each for many steps of {loop.label.partition('@')[0]}"
            return self.on_windows(nest, n.Block((with_bounds(copied, label, low, high),)), held, says, ())

        def own(nest: n.For, arrays: Sequence[n.Var]) -> tuple[list[n.Statement], n.Launch]:
            inner = renamed(n.Block((nest,)), self.names)
            others = [v for v in free_variables(inner) if v not in arrays]
            made, grid = self.launch(nest, inner, (*arrays, *others), arrays, "_slides")
            return grid, made

        writer = BlockWriter(steps, self.table, launch, own, self.names, self.device)
        if not writer.can_write():
            return [], loop
        return writer.statements()

    def on_windows(
        self, nest: n.For, inner: n.Block, held: Mapping[str, Held], says: str, partials: Sequence[n.Var]
    ) -> tuple[list[n.Statement], n.Launch]:
        """The launch of a part of a nest on windows in place of some arrays, and what computes its grid."""
        mover, counts = Mover(self.names, held), list[n.Statement]()
        if isinstance(part := inner.statements[-1], n.For):
            before, part = with_merged_loops(part, self.schedule, self.names)
            counts, inner = [*before], replace(inner, statements=(*inner.statements[:-1], part))
        usual = self.draft(nest, inner, free_variables(inner), partials).kernel if partials or _folds(inner) else None
        inner = mover.moved(renamed(inner, self.names))
        operands = free_variables(inner)
        views = [v for v in operands if isinstance(v.type, View)]
        own = (*partials, *(place.window for place in held.values()))
        draft = self.draft(nest, inner, [*views, *(v for v in operands if v not in views)], own)
        schedule = self.schedule_of(draft)
        if usual is not None:
            # a sum has the bits that it has in memory where threads share it in the same way
            in_memory = schedule_for(usual, self.schedule, self.device, self.layout.limits, self.avoided())
            schedule = schedule if check_schedule(draft.kernel, in_memory) else in_memory
        first = len(self.placed)
        made, grid = self.launched(nest, draft, schedule)
        if not partials:
            self.note_variants(made, self.sizes(nest, inner, made, own).statements(is_part=True))
        self.placed[first:] = [replace(placed, slabs=says) for placed in self.placed[first:]]
        holders = self.table.structure.definition
        extents = [n.Let(v, n.Dim(holders(name).var, k), nest.location) for (name, k), v in mover.extents.items()]
        return [*extents, *counts, *grid], made

    def piece(self, nest: n.For, any_axis: bool = False) -> tuple[Piece, str]:
        """What a piece of a nest touches, and in words how it is cut; all of it where it cannot be."""
        try:
            piece = piece_of(self.program, nest, self.names, any_axis)
            counter = piece.loop.label.partition("@")[0].partition(".")[0]
            whole = ", ".join(sorted(name.partition(".")[0] for name in piece.whole))
            return piece, f"in slabs of {counter}" + (f", with all of {whole}" if whole else "")
        except Uncut as reason:
            found = footprints.of_loop(self.table, self.table.structure.loops[nest.label])
            region = self.table.structure.loops[nest.label].region
            arrays = {name: self.table.structure.definition(name).var for name in found.arrays}
            spaces = {name: footprints.space(self.table, array, region) for name, array in arrays.items()}
            low, high = (self.names.fresh(stem, PYINT) for stem in ("low", "high"))
            return Piece(nest, low, high, found.reads, found.writes, {}, spaces), f"at once, because {reason}"

    def footprint(self, nest: n.For, partials: Sequence[n.Var]) -> Footprint:
        """What a nest touches; partial results of a reduction are all written."""
        found = footprints.of_loop(self.touched, self.touched.structure.loops[nest.label])
        if nest.steps is not None:
            found = replace(found, reads=found.reads | self.around_steps(nest.steps, nest, found))
        whole = {view.name: (footprints.of_extents(view),) for view in partials}
        return narrowed(replace(found, writes=found.writes | whole), self.rows)

    def around_steps(self, steps: n.Steps, nest: n.For, found: Footprint) -> dict[str, Boxes]:
        """What several steps of a nest read of their arrays: all of one, and what they do not write of the other."""
        region = self.touched.structure.loops[nest.label].region
        source, target = (footprints.space(self.touched, array, region) for array in (steps.source, steps.target))
        name = steps.target.name
        return {steps.source.name: (source.whole,), name: target.minus((target.whole,), found.writes[name])}

    def check_host(self, block: n.Block) -> None:
        """UnsupportedError where the host itself would access an array of the device, or return a part of one."""
        for statement in host_statements(block) if self.there else ():
            views = [a for a in atoms_of(statement) if isinstance(a, n.Var) and isinstance(a.type, View)]
            touched = [v for v in views if self.is_known(v) and self.aliases.roots(v) & self.there]
            if touched and _accesses(statement):
                location = getattr(statement, "location", UNKNOWN)
                raise UnsupportedError(
                    f"{touched[0].stem!r} is in the memory of {self.device!r}, and this runs on the host",
                    location,
                    cause="only parallel loops that become kernels can use arrays that are on a device already",
                    hint="pass a NumPy array, or write it as a loop whose iterations are independent",
                )
        for atom in block.yields if self.there else ():
            if isinstance(atom, n.Var) and isinstance(atom.type, View) and self.is_part(atom):
                raise UnsupportedError(f"a part of an array in the memory of {self.device!r} cannot be returned")

    def is_part(self, view: n.Var) -> bool:
        """Whether a view is made from an array of the device."""
        is_there = self.is_known(view) and bool(self.aliases.roots(view) & self.there)
        return is_there and footprints.whole_array(self.table, view) != view

    def is_known(self, view: n.Var) -> bool:
        """Whether a view was there before the program was placed."""
        return view.name in self.aliases.structure.definitions

    def is_there(self, view: n.Var, place: Location) -> bool:
        """Whether an array is on the device before the program starts."""
        if not self.there or not self.is_known(view):
            return False
        roots = self.aliases.roots(view)
        if roots & self.there and not roots <= self.there:
            raise UnsupportedError(
                f"{view.stem!r} is an array of the device or one of the host, depending on the run",
                place,
                hint="give all arrays of the function on the device",
            )
        return bool(roots & self.there)

    def again(self, nest: n.For) -> n.Block:
        """The nest as the host runs it after a fault, with its loops in the order of the program."""
        nest = _sequential(self.before.get(nest.label, nest))
        (loop,) = rewrite(renamed(n.Block((nest,)), self.names), self.relabelled).statements
        assert isinstance(loop, n.For)
        return n.Block((loop,), loop.results)

    def relabelled(self, statement: n.Statement) -> n.Statement:
        """A loop of a nest that the host may run again in several places."""
        if isinstance(statement, (n.For, n.While)):
            return replace(statement, label=self.labels.label(statement.label))
        return statement

    def failed(self, nest: n.For, inner: n.Block) -> n.Block:
        """What the host does after a fault of a nest whose arrays it cannot reach."""
        counter = nest.label.partition("@")[0]
        message = f"an iteration of the loop over {counter} failed on the device, in line {nest.location.line} or below"
        raised = n.Raise(_exception_of(inner), message, location=nest.location)
        unknown = [self.names.fresh(r.stem, r.type) for r in nest.results]
        lets = [n.Let(v, n.Undefined(), nest.location) for v in unknown]
        return n.Block((raised, *lets), tuple(unknown))

    def guarded(self, nest: n.For, launch: n.Launch, host: n.Block, after: Sequence[n.Statement]) -> list[n.Statement]:
        """The launch of a nest that may raise, and the choice that its fault flag makes."""
        fault = self.names.fresh("fault", PYBOOL)
        finish = renamed(n.Block(tuple(after)), self.names).statements if after else ()
        results = finish[0].results if finish and isinstance(finish[0], n.For) else ()
        if nest.mapping == "turns":
            return [replace(launch, results=(fault,)), n.If(fault, replace(host, yields=()), location=nest.location)]
        choice = n.If(fault, host, n.Block(tuple(finish), results), nest.results, nest.location)
        return [replace(launch, results=(fault,)), choice]

    def next_name(self, suffix: str = "") -> str:
        """The name of the kernel that is placed next."""
        return f"{self.stem}_{len(self.placed)}{suffix}"

    def avoided(self, suffix: str = "") -> frozenset[Schedule]:
        """Schedules that it is not to have."""
        return self.layout.avoid.get(self.next_name(suffix), frozenset())

    def launch(
        self,
        nest: n.For,
        inner: n.Block,
        operands: Sequence[n.Var],
        partials: Sequence[n.Var],
        suffix: str = "",
        schedule: Schedule = (),
        without: tuple[type[Directive], ...] = (),
    ) -> tuple[n.Launch, list[n.Statement]]:
        """The launch of a kernel under its default schedule or another, and the statements that compute its grid."""
        for view in operands:
            if isinstance(view.type, View):
                self.is_there(view, nest.location)  # refuses what is the device's in some runs only
        draft = self.draft(nest, inner, operands, partials, suffix)
        return self.launched(nest, draft, schedule or self.schedule_of(draft, suffix, without))

    def schedule_of(self, draft: Draft, suffix: str = "", without: tuple[type[Directive], ...] = ()) -> Schedule:
        """What the user wrote for a kernel, or its default schedule."""
        limits, avoid = self.layout.limits, self.avoided(suffix)
        return schedule_for(draft.kernel, self.schedule, self.device, limits, avoid, draft.layouts, without)

    def draft(
        self, nest: n.For, inner: n.Block, operands: Sequence[n.Var], partials: Sequence[n.Var], suffix: str = ""
    ) -> Draft:
        """The kernel that is placed next, as it is written."""
        params = {v.name: self.names.fresh(v.stem, v.type) for v in operands}
        name = self.next_name(suffix)
        shared = {params[v.name].name for v in self.overlapping([v for v in operands if v not in partials])}
        kernel = n.Kernel(
            name, tuple(params.values()), substitute(inner, params), location=nest.location,
            overlaps=tuple(sorted(shared)), precision=self.layout.precision,
        )  # fmt: skip
        return Draft(kernel, tuple(operands), Layouts(kernel, self.names))

    def launched(self, nest: n.For, draft: Draft, schedule: Schedule) -> tuple[n.Launch, list[n.Statement]]:
        """The launch of a kernel under a schedule, and the statements that compute its grid."""
        kernel, operands = draft.kernel, draft.operands
        schedule = (*schedule, *indices_for(kernel, self.schedule))
        self.kernels.append(kernel)
        self.record(nest, self.device, "", schedule, kernel.name)
        offloaded = Offloaded(kernel, operands)
        self.placed[-1] = replace(self.placed[-1], offloaded=offloaded, scratch=self.notes.get(nest.label, ""))
        lowered = draft.layouts.under(schedule)
        avoid = self.layout.avoid.get(kernel.name, frozenset())
        if with_narrow_indices(schedule, nest.label) not in avoid and not why_wide(kernel):
            lowered = replace(lowered, kernel=narrow_version(lowered.kernel))
        lowered = replace(lowered, kernel=self.for_libraries(kernel, lowered.kernel))
        if runs_in_order(kernel.body) and known_nests(self.program, lowered.kernel):
            limited = n.Hint("limited")
            lowered = replace(lowered, kernel=replace(lowered.kernel, hints=(*lowered.kernel.hints, limited)))
        if self.device.partition(":")[0] != "cuda":  # the host does not know where in memory arrays begin
            lowered = replace(lowered, kernel=replace(lowered.kernel, uniform=None))
        given = {param.name: operand for operand, param in zip(operands, kernel.params, strict=True)}
        statements, extra, grid = self.grid(lowered, given, nest)
        self.whole.note(statements)
        return n.Launch(lowered.kernel, self.device, (*operands, *extra), grid, location=nest.location), statements

    def for_libraries(self, kernel: n.Kernel, lowered: n.Kernel) -> n.Kernel:
        """A kernel that is laid out; one that is a product of matrices says so, where a library may compute it: unless
        the user wrote how the kernel does."""
        freedom = self.layout.libraries
        if freedom is None or self.slabs or written_by_hand(kernel, self.schedule):
            return lowered
        product = matrix_product(kernel)
        return lowered if isinstance(product, str) else replace(lowered, product=replace(product, freedom=freedom))

    def overlapping(self, operands: Sequence[n.Var]) -> set[n.Var]:
        """Arrays of a nest that may show the same storage as another of its arrays."""
        pairs = combinations([v for v in operands if isinstance(v.type, View)], 2)
        return {v for a, b in pairs if self.aliases.may_alias(a, b) for v in (a, b)}

    def grid(
        self, lowered: Lowered, given: dict[str, n.Var], nest: n.For
    ) -> tuple[list[n.Statement], list[n.Atom], tuple[n.Atom, ...]]:
        """What computes the grid, the offsets and extents of its loops, and the blocks along each axis."""
        statements: list[n.Statement] = []
        extra: list[n.Atom] = []
        blocks: dict[str, n.Atom] = {}
        for dimension in lowered.dimensions:
            start, stop = (substitute(atom, given) for atom in (dimension.start, dimension.stop))
            extent, blocks[dimension.axis] = self.extent(start, stop, dimension, nest, statements)
            extra += [n.Const(0), extent]
        return statements, extra, tuple(blocks.get(axis, n.Const(1)) for axis in AXES)

    def extent(
        self, start: n.Atom, stop: n.Atom, dimension: Dimension, nest: n.For, statements: list[n.Statement]
    ) -> tuple[n.Atom, n.Atom]:
        """The trip count of a loop, and the number of blocks that cover it; both below zero where it wraps."""
        write = Writing(self.names, nest.location)
        extent = write.trips(start, stop, "extent")
        before = dimension.slack if dimension.moves else write.op("mod", start, dimension.slack + 1)
        covered = write.op("add", extent, before, "covered")
        padded = write.op("add", covered, dimension.step - 1, "padded")
        blocks = write.op("floordiv", padded, dimension.step, "blocks")
        if not (
            isinstance(start, n.Const) and start.value.real >= 0
        ):  # an extent of 2^63 and more wraps: the launch refuses what is below zero
            blocks = write.op("min", blocks, extent, "blocks")
        statements += write.statements
        return extent, blocks


def _folds(block: n.Block) -> bool:
    """Whether a block has sums that threads may share."""
    return any(isinstance(s, n.For) and any(arg.combine for arg in s.args) for s in walk(block))


def _touched(block: n.Block) -> tuple[set[n.Var], set[n.Var]]:
    """The arrays that a block reads, and those that it writes, also through views that it makes of them."""
    made = {s.var: s.value.view for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, VIEWS)}

    def sources(views: set[n.Var]) -> set[n.Var]:
        while inner := views & made.keys():
            views = (views - inner) | {made[view] for view in inner}
        return views

    loads = {s.value.view for s in walk(block) if isinstance(s, n.Let) and isinstance(s.value, n.Load)}
    updates = {s.view for s in walk(block) if isinstance(s, n.Update)}
    stores = {s.view for s in walk(block) if isinstance(s, n.Store)}
    return sources(loads | updates), sources(stores | updates)


def _own(block: n.Block, arrays: Sequence[n.Var]) -> Footprint:
    """What a block reads and writes of some arrays, whose elements nobody needs that are not written again."""
    read, written = _touched(block)
    return Footprint(_whole([a for a in arrays if a in read]), _whole([a for a in arrays if a in written]))


def _with(one: Footprint, other: Footprint) -> Footprint:
    """What two footprints of different arrays have together."""
    return replace(one, reads={**one.reads, **other.reads}, writes={**one.writes, **other.writes})


def _whole(views: Sequence[n.Var]) -> dict[str, Boxes]:
    """All of some arrays."""
    return {view.name: (footprints.of_extents(view),) for view in views}


def _in_order(loop: n.For) -> n.For:
    """A loop of the host that launches: its iterations must not run on several threads."""
    made = sequential(loop)
    assert isinstance(made, n.For)
    return made


def _sequential(nest: n.For) -> n.For:
    """The nest as the host runs it again, one iteration after the other."""
    made = rewrite(n.Block((nest,)), sequential).statements[0]
    assert isinstance(made, n.For)
    return made


def host_statements(block: n.Block) -> Iterator[n.Statement]:
    """Every statement that the host runs: those of kernels are left out."""
    for statement in block.statements:
        yield statement
        for inner in blocks_of(statement) if not isinstance(statement, n.Launch) else ():
            yield from host_statements(inner)


def _accesses(statement: n.Statement) -> bool:
    """Whether a statement itself reads or writes elements."""
    if isinstance(statement, n.Let):
        return isinstance(statement.value, n.Load)
    return isinstance(statement, (n.Store, n.Update, n.Call, n.External))


def _exception_of(block: n.Block) -> str:
    """The exception that a block can raise, where it is always the same one; else the class of all."""
    raised = {s.exception for s in walk(block) if isinstance(s, n.Raise)}
    for statement in walk(block):
        if isinstance(statement, (n.Store, n.Update)) and statement.bounds != "safe":
            raised.add("IndexError")
        elif isinstance(statement, n.Let) and may_raise(statement.value, statement.var.type):
            raised.add("IndexError" if isinstance(statement.value, (n.Load, n.Subview)) else "ArithmeticError")
    return raised.pop() if len(raised) == 1 else "RuntimeError"
