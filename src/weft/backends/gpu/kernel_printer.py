"""Prints one kernel: work item and block take the place of the lowered loops."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from weft.analysis.termination import endless
from weft.backends.gpu.barriers import last_phases, phases_before, phases_without_barrier
from weft.backends.gpu.collective_reduce import Fold
from weft.backends.gpu.collective_scan import Order, Value
from weft.backends.gpu.kernel_blocks import (
    axes_of,
    block_counts,
    copied_late,
    joined_by,
    phases_of,
    shares_memory,
    uses_any,
)
from weft.backends.gpu.kernel_dialect import KernelDialect, Turn
from weft.backends.gpu.narrow_indices import NarrowPrinter
from weft.backends.text.arithmetic import wrapped
from weft.backends.text.artifact import Site
from weft.backends.text.code import EQUALITY, ORDER, UNARY, Code
from weft.backends.text.dialect import tag
from weft.backends.text.views import OwnArray, ViewCode
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.effects import fails_quietly
from weft.ir.types import Scalar, Type, Vector, View
from weft.ir.visit import defined_by, free_variables, walk
from weft.schedule.directives import Axis
from weft.schedule.legality import SHARED_UNIT, aligned_bytes, asked_bytes, shared_unit
from weft.schedule.versions import ends_soon
from weft.schedule.writing import scalar

if TYPE_CHECKING:
    from weft.backends.gpu.kernels import KernelModule

FLAG, STOP, FAILED = "weft_flag", "weft_stop", "weft_failed"
ASKED = "weft_shared"


class KernelPrinter(NarrowPrinter):
    """One kernel, or a function that kernels call, while it is printed."""

    dialect: KernelDialect
    module: KernelModule
    failure = "return;"

    def __init__(self, module: KernelModule, kernel: n.Kernel | None = None, block: n.Block | None = None) -> None:
        super().__init__(module, kernel)
        block = kernel.body if kernel else block
        self._axes: dict[str, Axis] = dict(axes_of(kernel.body)) if kernel else {}
        self._has_phases = kernel is not None and (shares_memory(kernel.body) or phases_of(kernel.body) > 1)
        self._is_awaited = self._has_phases and not any(isinstance(s, n.While) for s in walk(block or n.Block()))
        self._goes_on = False
        self._end = ""
        """The label at the end of the phase that is being printed."""
        self._last = frozenset(last_phases(kernel.body)) if kernel else frozenset()
        hands_on = block is not None and any(isinstance(s, n.For) and s.through is not None for s in walk(block))
        self._leaves_together = not hands_on  # if it hands something on, other blocks wait for that
        self._group = kernel.group if kernel else (1, 1, 1)
        self._outermost = True
        self._repeats = 0
        """Loops around what is being printed: what their folds need is used again, so threads wait after them, too."""
        self._folded: list[str] = []
        self._folds = self._most_folds = 0
        self.scratch: dict[str, str] = {}
        """Lines that declare what folds need of shared memory, by the name of the array."""
        self.leaves: list[str] = []
        """What the kernel begins with if its threads leave together where one of them fails."""
        self.shared: set[str] = set()
        self.offsets: list[str] = []
        self.once: frozenset[str] = frozenset()
        self.constant: frozenset[str] = frozenset()
        """Arrays that a kernel which is started early only reads: its compiler does not find that out."""
        self._turns: dict[str, str] = {}
        looks = n.Block() if block is None or (kernel and ends_soon(kernel)) else block
        watched = list(endless.watched(module.program, looks))
        self._together = frozenset(loop.label for loop in watched if endless.is_run_together(loop))
        """Of the loops that look whether they are to stop, those that all threads of a block leave together."""
        self._watched = frozenset(loop.label for loop in watched) - (self._together if hands_on else frozenset())
        self._unneeded = phases_without_barrier(kernel) if kernel else frozenset()
        self._runs: dict[str, Code] = {}
        self._unused = block_counts(kernel) if kernel else frozenset()
        self._asked = asked_bytes(kernel) if kernel else 0
        self._unit = shared_unit(walk(kernel.body)) if kernel else SHARED_UNIT
        self._given = 0
        self._copied = frozenset(copied_late(kernel.body)) if kernel else frozenset()
        self._sources: dict[str, str] = {}
        self._counters: dict[str, int] = {}
        """Counters of loops that ask for elements beforehand, and how many iterations."""
        self._places: dict[str, int] = {}
        """These, and what is their sum with something else."""

    # ------------------------------------------------------------------------------------------- faults

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """Set the flag, then leave or go to the end of the phase; a thread that may go on with its values does so."""
        self.lines.add(f"*{FLAG} = 1;")
        if not self._goes_on:
            self.lines.add(self.failure)

    def clamped(self, code: Code, extent: Code, outside: Code, site: Site) -> Code:
        """An index, or the first one where it is outside, which sets the flag."""
        name = self.declare("outside", "bool", outside.text)
        self.lines.add(f"if ({name}) *{FLAG} = 1;")
        return Code(self.declare("inside", self.inside_type, f"{name} ? 0 : {code.text}"))

    def undefined(self, type: Type) -> Code:
        """Some value of a type."""
        if isinstance(type, Scalar) and type.kind == "c":
            return Code(f"(({self.type_name(type)}){{0, 0}})")
        return Code("0")

    # ------------------------------------------------------------------------------------------- loops

    def print_For(self, loop: n.For) -> None:
        """Print a loop: over blocks or work items it is none, all others run in order."""
        if loop.together is not None:
            self._print_together(loop, loop.together)
            return
        if loop.mapping not in ("blocks", "threads"):
            self._print_loop(loop)
            return
        if loop.mapping == "threads" and self._outermost and self._has_phases:
            self._print_phase(loop)
            return
        if loop.args:
            (self._print_turns if loop.mapping == "blocks" else self._print_folding)(loop)
            return
        axis = self._axes[loop.label]
        place = self.dialect.block_index(axis) if loop.mapping == "blocks" else self.dialect.thread_index(axis)
        self.name(loop.index, f"({self.variable_type(loop.index)}){place}")
        self.block(loop.body)
        self.close()

    def _print_turns(self, loop: n.For) -> None:
        """A loop over blocks that carries values: blocks take their numbers in order, and hand the values on."""
        if loop.through is None:
            raise InternalError(f"there is nothing through which the blocks of {loop.label} hand values on")
        words = self.view(loop.through).pointer
        self.name(loop.index, self.dialect.take_turn(words))
        self.open_block(loop.body)
        carried, statements = {arg.var.name for arg in loop.args}, loop.body.statements
        uses = [k for k, s in enumerate(statements) if uses_any(s, carried)]
        first = uses[0] if uses else len(statements)
        joined = joined_by(loop, first)
        sums = [v for v in free_variables(joined) if any(v in defined_by(s) for s in statements[:first])]
        known = 1 + max((k for k, s in enumerate(statements[:first]) if set(sums) & set(defined_by(s))), default=-1)
        for statement in statements[:known]:
            self.statement(statement)
        turn = self._turn(loop, words, joined, sums)
        self._add(self.dialect.announce(turn))
        self._unneeded |= phases_before(statements, first)
        for statement in statements[known:first]:
            self.statement(statement)
        self._add(self.dialect.hand_on(turn))
        for k, arg in enumerate(loop.args):
            self.name(arg.var, f"{turn.begin}.value_{k}")
        for statement in statements[first:]:
            self.statement(statement)
        self.close()

    def _print_folding(self, loop: n.For) -> None:
        """A loop over threads whose parts are folded: what a thread does, then the fold behind the innermost loop."""
        for arg in loop.args:
            self.atoms[arg.var.name] = self.simple(arg.init, exact=True)
        thread = self.dialect.thread_index(self._axes[loop.label])
        self.name(loop.index, f"({self.variable_type(loop.index)}){thread}")
        self.open_block(loop.body)
        if any(isinstance(s, n.For) and s.mapping == "threads" for s in loop.body.statements):
            for statement in loop.body.statements:
                self.statement(statement)
        else:
            self._print_parts(loop)
        self.close()
        for result, target in zip(loop.results, self._folded, strict=True):
            self.atoms[result.name] = Code(target)

    def print_While(self, loop: n.While) -> None:
        """Print a loop whose condition is evaluated before each iteration."""
        self._repeats += 1
        super().print_While(loop)
        self._repeats -= 1

    def _print_together(self, loop: n.For, together: n.Together) -> None:
        """What threads put together: the body tells from which arrays, and how."""
        statements = loop.body.statements
        stores = [s for s in statements if isinstance(s, n.Store)]
        loads = [s for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Load)]
        casts = {s.value.operand: s.var for s in statements if isinstance(s, n.Let) and isinstance(s.value, n.Cast)}
        order = Order(math.prod(self._group), together.runs, together.most)
        totals, values = [self.name(r) for r in loop.results], []
        for arg, load, store, total in zip(loop.args, loads, stores, totals, strict=True):
            assert isinstance(load.value, n.Load)
            type, scratch = self.type_name(arg.var.type), self.module.identifiers.own("parts")
            kept = self.dialect.memory_name(scalar(load.var.type))
            self.scratch[scratch] = f"{self.shared_head()}{kept} {scratch}[{self.dialect.together_room(order)}];"
            parts, begins = (self.view(view).pointer for view in (load.value.view, store.view))
            values.append(Value(type, self.simple(arg.init, exact=True).text, total, parts, begins, scratch))
        last = max(k for k, s in enumerate(statements) if isinstance(s, n.Store))
        joining = n.Block(statements[last + 1 :], loop.body.yields)
        names = [arg.var.name for arg in loop.args], [casts.get(load.var, load.var).name for load in loads]

        def joined(befores: Sequence[str], parts: Sequence[str]) -> tuple[list[str], list[str]]:
            pairs = (*zip(names[0], befores, strict=True), *zip(names[1], parts, strict=True))
            return self._apart(joining, dict(pairs))

        self.settle_loads()
        with self.lines.braces(""):
            self._add(self.dialect.put_together(values, order, joined))
        if self._repeats:
            self.lines.add(self.dialect.barrier)

    def _print_parts(self, loop: n.For) -> None:
        """What a thread adds to a fold, then the fold. A thread that fails takes part, since the others wait for it."""
        count = len(loop.args)
        statements, joins = loop.body.statements[:-count], loop.body.statements[-count:]
        types = [self.type_name(arg.var.type) for arg in loop.args]
        begin = len(self.lines.items)
        for statement in statements:
            self.statement(statement)
        values = [self._part(join) for join in joins]
        self.settle_loads()
        lines = self.lines.items[begin:]
        if any(f"goto {self._end};" in line for line in lines):
            del self.lines.items[begin:]
            parts = [self.module.identifiers.fresh("part") for _ in values]
            for type, part in zip(types, parts, strict=True):
                self.lines.add(f"{type} {part} = {{0}};")
            with self.lines.braces(""):
                self.lines.extend(line if line.startswith("#") else f"    {line}" for line in lines)
                for part, value in zip(parts, values, strict=True):
                    self.lines.add(f"{part} = {value};")
            self.lines.add(f"{self._end}:;")
        else:
            parts = [self.declare("part", type, value) for type, value in zip(types, values, strict=True)]
        self._fold(loop, joins, parts)

    def _part(self, join: n.Statement) -> str:
        assert isinstance(join, n.Let) and isinstance(join.value, n.Binary)
        return self.value(join.value.right, exact=True).text

    def _fold(self, loop: n.For, joins: Sequence[n.Statement], parts: Sequence[str]) -> None:
        """Fold what `joins` put behind what is carried: each is a definition for one argument."""
        folds, threads = [], math.prod(self._group)
        if self._group[0] != threads:
            raise InternalError(f"threads fold what {loop.label} carries along more than one axis")
        for arg, join, part, target in zip(loop.args, joins, parts, self._folded, strict=True):
            assert isinstance(join, n.Let) and isinstance(join.value, n.Binary)
            type, scratch = self.type_name(arg.var.type), f"weft_folds_{tag(scalar(arg.var.type))}_{self._folds}"
            self.scratch[scratch] = f"{self.shared_head()}{type} {scratch}[{self.dialect.fold_room(threads)}];"
            self._folds += 1
            init = self.atoms[arg.var.name].text
            folds.append(Fold(type, init, part, target, scratch, partial(self._joined_by, join, join.value)))
        self._add(self.dialect.fold(folds, threads))

    def _joined_by(self, join: n.Let, value: n.Binary, before: str, part: str) -> tuple[list[str], str]:
        """The statements that put a part behind what was before, and their value."""
        left, right = (replace(join.var, name=f"{join.var.name}.{side}") for side in ("before", "part"))
        made = replace(join, value=replace(value, left=left, right=right))
        return self._valued(n.Block((made,), (join.var,)), {left.name: before, right.name: part})

    def _valued(self, block: n.Block, names: Mapping[str, str]) -> tuple[list[str], str]:
        lines, (value,) = self._apart(block, names)
        return lines, value

    def print_If(self, branch: n.If) -> None:
        """Print a branch. Of its sides one runs, so folds in one need the same memory as those in the other."""
        outer, self._most_folds = self._most_folds, self._folds
        super().print_If(branch)
        self._folds, self._most_folds = self._most_folds, max(self._most_folds, outer)

    def _side(self, block: n.Block, results: Sequence[n.Var]) -> tuple[list[Code], list[str]]:
        begin = self._folds
        side = super()._side(block, results)
        self._folds, self._most_folds = begin, max(self._folds, self._most_folds)
        return side

    def _turn(self, loop: n.For, words: str, joined: n.Block, sums: Sequence[n.Var]) -> Turn:
        """What a block hands on, from its own sums and what `joined` makes of these."""
        inits = [(self.type_name(a.var.type), self.simple(a.init, exact=True).text) for a in loop.args]
        own = [(self.type_name(v.type), self.simple(v).text) for v in sums]
        begin = self.module.identifiers.own("begin")
        fields = {a.var.name: f"weft_before.value_{k}" for k, a in enumerate(loop.args)}
        fields.update({v.name: f"weft_more.value_{k}" for k, v in enumerate(sums)})
        self.settle_loads()
        return Turn(words, self.atoms[loop.index.name].text, inits, own, begin, self._apart(joined, fields))

    def _add(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.lines.add(line)

    def _apart(self, block: n.Block, names: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The lines of a block under other names of variables, and the values that it yields."""
        atoms, declared, failure = dict(self.atoms), dict(self.declared), self.failure
        self.atoms.update((name, Code(text)) for name, text in names.items())
        self.failure = "return weft_before;"
        with self.apart() as lines:
            self.block(block)
            values = [self.value(y, exact=True).text for y in block.yields]
            self.close()
        self.atoms, self.declared, self.failure = atoms, declared, failure
        return lines.items, values

    def _print_loop(self, loop: n.For) -> None:
        """A loop inside of a thread; by matrix instructions where those who compile the text have them."""
        found = self._by_matrices(loop)
        if found is None:
            self._repeats += 1
            super().print_For(loop)
            self._repeats -= 1
            return
        test, product = found
        with self.apart() as lines:
            super().print_For(loop)
        self.lines.extend([test, product, "#else", *lines.items, "#endif"])

    def _by_matrices(self, loop: n.For) -> tuple[str, str] | None:
        """What asks whether there are matrix instructions that do the work of a loop, and the call that uses them."""
        product = loop.product
        if product is None:
            return None
        found = self.dialect.window_test
        if isinstance(product, n.TileProduct):
            found = self.dialect.matrix_tests.get(_element_size(product.sums))
        if found is None:
            return None
        assert isinstance(loop.stop, n.Const)
        (function, test), count = found, int(loop.stop.value.real)
        if isinstance(product, n.TileProduct):
            return test, self._tile_product(function, product, count)
        return test, self._window_product(function, product, count)

    def _window_product(self, function: str, product: n.WindowProduct, rows: int) -> str:
        """The call that multiplies windows by weights."""
        sums, tile, weights = (self.view(v) for v in (product.sums, product.tile, product.weights))
        row, column, above, beside = (
            self.simple(a) for a in (product.row, product.column, product.above, product.beside)
        )
        groups = int(sums.shape[-1].text) // 2
        strides = tile.strides[-2].text, weights.strides[-2].text
        numbers = groups, rows, product.width, product.down, product.across, *strides
        first = tile.address(self.dialect, [row, column]), weights.address(self.dialect, [above, beside])
        return f"{function}<{', '.join(map(str, numbers))}>({', '.join((sums.pointer, *first))});"

    def _tile_product(self, function: str, product: n.TileProduct, depth: int) -> str:
        """The call that multiplies two tiles."""
        sums, left, right = (self.view(v) for v in (product.sums, product.left, product.right))
        buffer, row, column, inner = (
            self.simple(a) for a in (product.buffer, product.row, product.column, product.inner)
        )
        *_, rows, columns = (int(extent.text) for extent in sums.shape)
        numbers = (
            rows // 2,
            columns // 2,
            depth,
            product.down,
            product.across,
            left.strides[-2].text,
            right.strides[-2].text,
        )
        first = left.address(self.dialect, [buffer, row, inner]), right.address(self.dialect, [buffer, inner, column])
        return f"{function}<{', '.join(map(str, numbers))}>({', '.join((sums.pointer, *first))});"

    def _print_phase(self, loop: n.For) -> None:
        """What all threads do before any of them goes on. One that fails goes to the end of the phase. There all
        leave, if something follows."""
        self.settle_loads()
        self._end = self.module.identifiers.fresh("phase")
        is_told = self._leaves_together and loop.label not in self._last
        leave = f"goto {self._end};"
        failure, self.failure = self.failure, f"{FAILED} = 1; {leave}" if is_told else leave
        self._outermost = False
        self._folded = [self.name(result) for result in loop.results]
        with self.apart() as lines:
            self.print_For(loop)
        self._outermost, self.failure = True, failure
        with self.lines.braces(""):
            self.lines.extend(lines.items)
        may_fail = any(leave in line for line in lines.items)
        if may_fail and not loop.args:
            self.lines.add(f"{self._end}:;")
        if loop.under_way is not None and self.dialect.late_sizes:
            self.lines.add(self.dialect.wait_late(loop.under_way))
        if may_fail and is_told:
            self.leaves = self.dialect.prepare_to_leave(FAILED)
            self._add(self.dialect.leave_together(FAILED))
        elif (not loop.args or self._repeats) and loop.label not in self._unneeded:
            self.lines.add(self.dialect.barrier)

    def print_Let(self, let: n.Let) -> None:
        """Print a definition, unless it only serves to count blocks, which the launch does, or is copied late."""
        if let.var.name in self._copied and _size_of(let.var) in self.dialect.late_sizes:
            assert isinstance(let.value, n.Load)
            self._sources[let.var.name] = self._address(let.value)
        elif let.var.name not in self._unused:
            if isinstance(let.value, n.Load):
                self._ask_ahead(let.value)
            self._note_counter(let)
            self._goes_on = self._is_awaited and fails_quietly(let)
            with self.in_width(let):
                super().print_Let(self.without_tests(let))
            self._goes_on = False

    def _note_counter(self, let: n.Let) -> None:
        """Remember a variable that is the counter of a loop that asks for elements, and something more."""
        value = let.value
        if isinstance(value, n.Binary) and value.op == "add" and isinstance(value.right, n.Var):
            ahead = self._counters.get(value.right.name)
            if ahead:
                self._places[let.var.name] = ahead

    def _ask_ahead(self, load: n.Load) -> None:
        """Ask for the element that a later iteration of a loop will read, where the loop says so and there is one."""
        *outer, last = load.indices or (n.Const(0),)
        axes = [k for k, a in enumerate(outer) if isinstance(a, n.Var) and a.name in self._places]
        if not axes:
            return
        (axis, *_), view = axes, self.view(load.view)
        mover, extent = outer[axis], view.shape[axis].text
        assert isinstance(mover, n.Var)
        index = self.simple(mover).text
        place = f"{index} + {self._places[mover.name]}"
        later = self.declare("later", self.index_type(mover), f"{place} < {extent} ? {place} : {index}")
        places = [Code(later) if k == axis else self.value(a) for k, a in enumerate(outer)]
        is_run = isinstance(last, n.Var) and last.name in self._runs
        places.append(self._runs[last.name] if is_run and isinstance(last, n.Var) else self.value(last))
        self.lines.add(self.dialect.ask(view.address(self.dialect, places)))

    def print_Store(self, store: n.Store) -> None:
        """Print an assignment; one that may be late is a copy, where what it assigns was just loaded."""
        source = self._sources.get(store.value.name) if store.late and isinstance(store.value, n.Var) else None
        if source is None:
            super().print_Store(store)
            return
        self.effect(self.dialect.copy_late(self._address(store), source, _size_of(store.value)))

    def _address(self, access: n.Load | n.Store) -> str:
        """Where the element or the first of the neighbours lies that are accessed."""
        if access.indices and isinstance(access.indices[-1].type, Vector):
            return self._run_place(access)
        return self.view(access.view).address(self.dialect, [self.value(a) for a in access.indices])

    def loop_pragmas(self, loop: n.For) -> Sequence[str]:
        """What the schedule says about unrolling a loop."""
        return {"unroll": ["#pragma unroll"], "rolled": ["#pragma unroll 1"]}.get(loop.mapping, [])

    def before_while(self, loop: n.While) -> None:
        """Say how often a loop is unrolled that counts its iterations."""
        if loop.label in self._turns:
            self.lines.add(f"#pragma unroll {endless.copies(loop)}")

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Look, now and then, whether the program is to stop."""
        if isinstance(loop, n.For) and loop.ahead and self.dialect.asks:
            self._counters[loop.index.name] = self._places[loop.index.name] = loop.ahead
        if loop.label in self._turns:
            is_time = f"(++{self._turns[loop.label]} & {endless.interval(loop) - 1}) == 0"
            if loop.label in self._together:
                self._look_together(is_time)
            else:
                self._leave_if(f"{is_time} && {self._look()}")

    def _look_together(self, is_time: str) -> None:
        """Where it is time, let all threads of the block leave if one of them sees that the program is to stop."""
        self.leaves = self.dialect.prepare_to_leave(FAILED)
        with self.lines.braces(f"if ({is_time})"):
            self.lines.add(f"if ({self._look()}) {FAILED} = 1;")
            self._add(self.dialect.leave_together(FAILED))

    def _look(self) -> str:
        """Whether the program is to stop."""
        if self.dialect.looking:
            self.scratch[STOP] = self.dialect.looking
        return self.dialect.look(STOP)

    def _leave_if(self, condition: str) -> None:
        with self.lines.braces(f"if ({condition})"):
            self.lines.add(self.failure)

    def rounds(self, loop: n.While, targets: list[str]) -> None:
        """Print iterations; twice where a loop counts to something, so that short ones need not look.

        Not where a loop inside looks, too: the text would grow with two to the power of the depth.
        """
        if loop.label not in self._watched:
            super().rounds(loop, targets)
            return
        limit = endless.limit_of(loop)
        if limit is None or loop.label in self._together or self._has_watched(loop):
            self._watched_rounds(loop, targets)
            return
        with self.lines.braces(f"if ({self.simple(limit).inside(ORDER + 1)} > {endless.interval(loop)})"):
            self._watched_rounds(loop, targets)
        with self.otherwise():
            super().rounds(loop, targets)

    def _watched_rounds(self, loop: n.While, targets: list[str]) -> None:
        self._turns[loop.label] = turns = self.module.identifiers.fresh("turns")
        self.lines.add(f"uint32_t {turns} = 0;")
        if self.dialect.is_stop_near and loop.label not in self._together:
            self._leave_if(self._look())
        super().rounds(loop, targets)
        del self._turns[loop.label]

    def iterations(self, loop: n.For, index: str, start: Code, stop: Code, targets: list[str]) -> None:
        """Print iterations; of a loop that may take long twice, so that short ones need not look.

        Not where a loop inside looks, too, as for `rounds`: then a loop of one part is a short one.
        """
        if loop.label not in self._watched:
            super().iterations(loop, index, start, stop, targets)
            return
        type, many = self.variable_type(loop.index), endless.interval(loop)
        low, high = (self.module.identifiers.fresh(f"{loop.index.stem}_{end}") for end in ("low", "high"))
        distance = "uint32_t" if self.is_narrow(loop.index) else "uint64_t"
        left = f"({distance}){stop.inside(UNARY)} - ({distance}){low} > {many}"
        self.lines.add(f"{type} {low} = {start.text};")
        head = f"for ({type} {high}; {low} < {stop.text}; {low} = {high})"
        is_only = self._has_watched(loop)
        branch = nullcontext() if is_only else self.lines.braces(f"if ({low} < {stop.text} && {left})")
        with branch, self.lines.braces(head):
            self._leave_if(f"{left} && {self._look()}" if is_only else self._look())
            self.lines.add(f"{high} = {left} ? {low} + {many} : {stop.text};")
            super().iterations(loop, index, Code(low), Code(high), targets)
            if loop.exit is not None:
                self.lines.add(f"if (!{self.atoms[loop.args[loop.exit].var.name].text}) break;")
        if not is_only:
            with self.otherwise():
                super().iterations(loop, index, Code(low), stop, targets)

    def _has_watched(self, loop: n.For | n.While) -> bool:
        """Whether a loop inside of another looks whether it is to stop."""
        return any(isinstance(s, (n.For, n.While)) and s.label in self._watched for s in walk(loop.body))

    # ------------------------------------------------------------------------------------------- memory

    def alloc(self, var: n.Var, value: n.Alloc) -> None:
        """Print an array of a work item's own, or of a block."""
        if not isinstance(value.element, Scalar):
            raise InternalError("a kernel has no structured arrays of its own")
        if value.memory:
            self._own_array(var, value, value.element)
            return
        shape = [int(e.value.real) for e in value.shape if isinstance(e, n.Const)]
        count = 1
        for extent in shape:
            count *= extent
        name = self.module.identifiers.of(var.name)
        memory = self.dialect.memory_name(value.element)
        self.lines.add(f"{memory} {name}[{max(count, 1)}];")
        if value.fill is not None:
            fill = self.simple(value.fill, exact=True)
            with self.lines.braces(f"for (int32_t weft_k = 0; weft_k < {count}; weft_k++)"):
                self.lines.add(f"{name}[weft_k] = {fill.text};")
        strides = [value.element.size] * len(shape)
        for k in range(len(shape) - 2, -1, -1):
            strides[k] = strides[k + 1] * shape[k + 1]
        self.views[var.name] = ViewCode(
            name, value.element, tuple(Code(str(e)) for e in shape), tuple(Code(str(s)) for s in strides)
        )

    def _own_array(self, var: n.Var, value: n.Alloc, element: Scalar) -> None:
        """An array in shared memory, or in registers: of this one a thread declares its own part."""
        shape = [int(e.value.real) for e in value.shape if isinstance(e, n.Const)]
        own = shape[len(set(self._axes.values())) :] if value.memory == "registers" else shape
        strides = [0] * (len(shape) - len(own)) + [math.prod(own[k + 1 :]) for k in range(len(own))]
        name, memory = self.module.identifiers.of(var.name), self.dialect.memory_name(element)
        head = self.shared_head(self._unit) if value.memory == "shared" else ""
        if value.memory == "shared":
            self.shared.add(var.name)
        if value.memory == "shared" and self._asked and self.dialect.asked_head:
            self._part_of_asked(name, memory, aligned_bytes(value, self._unit))
        else:
            self.lines.add(f"{head}{memory} {name}[{math.prod(own)}];")
        codes = [tuple(Code(str(k)) for k in numbers) for numbers in (shape, strides)]
        self.views[var.name] = OwnArray(name, element, codes[0], codes[1])

    def shared_head(self, unit: int = SHARED_UNIT) -> str:
        """What stands before an array that threads share, whose place is a multiple of so many bytes."""
        return self.dialect.shared_head.format(unit)

    def _part_of_asked(self, name: str, memory: str, size: int) -> None:
        """An array in the shared memory that the launch asks for."""
        if not self._given:
            self.lines.add(f"{self.dialect.asked_head.format(self._unit)}{ASKED}[];")
        self.lines.add(f"{memory} *{name} = ({memory} *)({ASKED} + {self._given});")
        self._given += size

    # ------------------------------------------------------------------------------------------- vectors

    def vector(self, var: n.Var, value: n.Expression) -> Code:
        """Neighbouring elements as a vector, one of its lanes, or a vector of numbers."""
        if isinstance(value, n.Lanes):
            self._runs[var.name] = self.simple(value.start)
            return Code("0")
        if isinstance(value, n.Lane):
            return Code(f"{self.simple(value.operand).text}.{'xyzw'[value.axis]}")
        assert isinstance(var.type, Vector)
        memory = self.dialect.memory_name(var.type.element)
        if isinstance(value, n.Pack):
            return Code(self.dialect.pack(memory, [self.value(a).text for a in value.items], value.apart))
        assert isinstance(value, n.Load)
        place, type = self._run_place(value), self.dialect.run_type(memory, var.type.lanes)
        special = self._loaded(value.view, f"({type} *)({place})", type)
        return Code(special or self.dialect.load_run(place, memory, var.type.lanes), loads=True)

    def element(self, view: n.Var, place: Code) -> Code:
        """The value of an element; the language may have another way to load one that nobody writes."""
        special = self._loaded(view, f"&{place.text}", self.view(view).memory_type(self.dialect))
        return Code(special, loads=True) if special else place

    def _loaded(self, view: n.Var, address: str, type: str) -> str | None:
        """What stands at an address of an array, where that is loaded in another way than others."""
        if view.name in self.once:
            return self.dialect.load_once(address, type)
        return self.dialect.load_constant(address, type) if view.name in self.constant else None

    def _run_place(self, access: n.Load | n.Store) -> str:
        *outer, last = access.indices
        view = self.view(access.view)
        assert isinstance(last, n.Var)
        return view.address(self.dialect, [*(self.value(a) for a in outer), self._runs[last.name]])

    def type_name(self, type: Type) -> str:
        """The type of a variable that is no view."""
        if isinstance(type, Vector):
            return self.dialect.run_type(self.dialect.memory_name(type.element), type.lanes)
        return super().type_name(type)

    def vector_store(self, store: n.Store) -> None:
        """Print an assignment of neighbouring elements."""
        assert isinstance(store.value.type, Vector)
        memory = self.dialect.memory_name(store.value.type.element)
        value = self.value(store.value).text
        self.effect(self.dialect.store_run(self._run_place(store), memory, value, store.value.type.lanes))

    def aligned(self, value: n.Aligned) -> Code:
        """Whether the first element and all rows of an array start at a multiple of some bytes."""
        view = self.view(value.view)
        numbers = [self.dialect.address(view.pointer), *(s.text for s in view.byte_strides[:-1])]
        return Code(f"(({' | '.join(numbers)}) & {value.axis - 1}) == 0", EQUALITY)

    def combine_in_memory(self, node: n.Update, place: Code, value: Code) -> None:
        """Print an atomic operation; on an array of the work item's own, a plain one."""
        element = node.value.type
        assert isinstance(element, Scalar)
        roots = self.facts.roots(node.view)
        if not roots <= self.facts.allocations:
            self.lines.add(f"update_{node.op}_{tag(element)}({place.text}, {value.text});")
        elif roots & self.shared:
            self.lines.add(f"update_shared_{node.op}_{tag(element)}({place.text}, {value.text});")
        elif node.op in ("min", "max"):
            symbol = "<" if node.op == "min" else ">"
            self.lines.add(f"if ({value.text} {symbol} {place.text}) {place.text} = {value.text};")
        elif node.op == "add":
            self.lines.add(f"{place.text} = {wrapped(self, element, 'add', place, value).text};")
        else:
            symbol = {"and": "&", "or": "|", "xor": "^"}[node.op]
            self.lines.add(f"{place.text} {symbol}= {value.text};")

    # --------------------------------------------------------------------------------------- functions

    def print_Call(self, node: n.Call) -> None:
        """Print a call of a function that was not inlined; it says whether it failed."""
        operands = [part for atom in node.operands for part in self.parts(atom)]
        results = [self.name(r) for r in node.results]
        self.settle_loads()
        given = self.module.given(self.module.program.function(node.function).body)
        arguments = ", ".join([*given, *map(text_of, operands), *(f"&{r}" for r in results)])
        with self.lines.braces(f"if ({self.module.function_names[node.function]}({arguments}))"):
            self.lines.add(self.failure)


class FunctionPrinter(KernelPrinter):
    failure = "return true;"


def text_of(part: Code | str) -> str:
    return part.text if isinstance(part, Code) else part


def _size_of(atom: n.Atom) -> int:
    """The bytes of a number or a vector."""
    if isinstance(atom.type, Vector):
        return atom.type.lanes * atom.type.element.size
    return atom.type.size if isinstance(atom.type, Scalar) else 0


def _element_size(view: n.Var) -> int:
    assert isinstance(view.type, View)
    return view.type.element.size
