"""Prints the kernels of a placed program: what CUDA C++ and OpenCL C have in common.

Work item and block take the place of the lowered loops. Whatever would raise sets a flag and leaves the work item: the
host then runs the nest again and raises from there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from weft.backends import endless
from weft.backends.artifact import Site
from weft.backends.barriers import phases_before, phases_without_barrier
from weft.backends.code import EQUALITY, Code
from weft.backends.dialect import Dialect, tag
from weft.backends.folds import SIDE, Fold, through_memory
from weft.backends.narrow import INDEX, NarrowPrinter
from weft.backends.printer import Module
from weft.backends.repeats import repeated_kernels
from weft.backends.together import Joined, Order, Value
from weft.backends.together import through_memory as put_together_in_memory
from weft.backends.views import OwnArray, ViewCode
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, written_views
from weft.ir.types import Scalar, Type, Vector, View
from weft.ir.visit import atoms_of, blocks_of, defined_by, free_variables, walk
from weft.schedule.directives import AXES, Axis
from weft.schedule.legality import aligned_bytes, asked_bytes
from weft.schedule.versions import versions
from weft.schedule.writing import scalar

FLAG, STOP = "weft_flag", "weft_stop"
ASKED = "weft_shared"
_C_HELPERS = Path(__file__).parent / "c" / "helpers"
SHARED_HELPERS = tuple(_C_HELPERS / f"{name}.h" for name in ("core", "integers", "floats", "complex"))
"""Helper functions that kernels share with C; the others are vector code for the processor."""


@dataclass(frozen=True)
class Turn:
    """What blocks hand on.

    Attributes
    ----------
    words
        The array that it goes through.
    tile
        The number of the block.
    carried, sums
        Types and values of what is carried before the first block, and of what this one adds.
    begin
        What the block begins with: a variable that its threads share, with fields ``value_0`` and so on.
    joined
        The statements that put ``more`` behind ``before``, and the values then.
    """

    words: str
    tile: str
    carried: Sequence[tuple[str, str]]
    sums: Sequence[tuple[str, str]]
    begin: str
    joined: tuple[Sequence[str], Sequence[str]]


class KernelDialect(Dialect):
    """What a language of kernels writes in its own way."""

    preamble = ""
    kernel_head = ""
    function_head = "HELPER"
    global_pointer = ""
    """What stands before the type that a pointer to an array's elements points to."""

    def pointer(self, memory_name: str) -> str:
        """The type of a pointer to elements."""
        return f"{self.global_pointer}{memory_name} *"

    def block_index(self, axis: Axis) -> str:
        """The number of the block along an axis."""
        raise NotImplementedError

    def thread_index(self, axis: Axis) -> str:
        """The number of the work item in its block."""
        raise NotImplementedError

    shared_head = ""
    """What stands before an array that the threads of a block share."""
    asked_head = ""
    """What stands before the shared memory that the launch asks for, where only so much is given otherwise."""
    barrier = ""
    """A statement that waits for all threads of the block."""

    def memory_parameter(self, is_written: bool, is_apart: bool) -> str:
        """The type of a parameter that points to an array's memory; `is_apart`: which no other one points to."""
        return self.pointer("char")

    def address(self, pointer: str) -> str:
        """A pointer as an integer."""
        raise NotImplementedError

    def load_run(self, place: str, memory_name: str, lanes: int) -> str:
        """Neighbouring elements from the one at `place` on, as a vector."""
        raise NotImplementedError

    def store_run(self, place: str, memory_name: str, vector: str, lanes: int) -> str:
        """A statement that writes a vector to neighbouring elements."""
        raise NotImplementedError

    def run_type(self, memory_name: str, lanes: int) -> str:
        """The type of a vector of elements."""
        raise NotImplementedError

    def pack(self, memory_name: str, items: Sequence[str]) -> str:
        """A vector of elements."""
        raise NotImplementedError

    def fold_room(self, threads: int) -> int:
        """Places in the array that threads share for a fold."""
        return threads + -(-threads // SIDE)

    def fold(self, folds: Sequence[Fold], threads: int) -> list[str]:
        """Statements by which the threads of a block along x fold their parts."""
        return through_memory(folds, threads, self.thread_index("x"), self.barrier)

    def together_room(self, order: Order) -> int:
        """Places in the array that threads share to put their parts together."""
        return order.threads * order.runs + order.sides

    def put_together(self, values: Sequence[Value], order: Order, joined: Joined) -> list[str]:
        """Statements by which the threads of a block along x put their parts together, with a barrier in between."""
        return put_together_in_memory(values, order, joined, self.thread_index("x"), self.barrier)

    matrix_tests: Mapping[int, tuple[str, str]] = {}
    """For elements of some bytes, what multiplies two tiles by instructions for that, and the line of the preprocessor
    that asks whether there are any."""
    asks = False
    """Whether elements can be asked for beforehand."""
    late_sizes: Container[int] = ()
    """Bytes that the device copies to shared memory while a thread goes on."""

    def copy_late(self, place: str, source: str, size: int) -> str:
        """A statement that begins to copy some bytes from one address to another."""
        raise NotImplementedError

    def ask(self, address: str) -> str:
        """A statement that brings what is at an address nearer."""
        raise NotImplementedError

    def wait_late(self, under_way: int) -> str:
        """A statement that waits until no more than the copies of the latest so many phases are under way."""
        raise NotImplementedError

    def take_turn(self, words: str) -> str:
        """The number of the block among those that hand values on, in the order in which they begin."""
        raise NotImplementedError

    def announce(self, turn: Turn) -> Sequence[str]:
        """Statements that tell the blocks behind this one what it adds."""
        raise NotImplementedError

    def hand_on(self, turn: Turn) -> Sequence[str]:
        """Statements that take over what the blocks before this one hand on, and hand on what it makes of that; then a
        barrier."""
        raise NotImplementedError

    def group_limit(self, group: Sequence[int], resident: int) -> str:
        """What tells the compiler how many work items a block has, and how many blocks are to fit at a time."""
        raise NotImplementedError

    def opening(self, offsets: Sequence[str]) -> list[str]:
        """The first lines of a kernel that may be started early; addresses in arrays are computed from `offsets`."""
        return []

    def load_constant(self, address: str, type: str) -> str | None:
        """What stands at an address and changes nowhere while the kernel runs; None where that makes no difference."""
        return None

    def load_once(self, address: str, type: str) -> str | None:
        """What stands at an address and is needed once; None where that makes no difference."""
        return None

    def finish(self, text: str) -> str:
        """The whole text as the language wants it."""
        return text


class KernelPrinter(NarrowPrinter):
    """One kernel, or a function that kernels call, while it is printed."""

    dialect: KernelDialect
    module: KernelModule
    failure = "return;"

    def __init__(self, module: KernelModule, kernel: n.Kernel | None = None) -> None:
        super().__init__(module, kernel)
        self._axes: dict[str, Axis] = dict(_axes(kernel.body)) if kernel else {}
        self._has_phases = kernel is not None and (_shares_memory(kernel.body) or _phases(kernel.body) > 1)
        self._group = kernel.group if kernel else (1, 1, 1)
        self._outermost = True
        self._repeats = 0
        """Loops around what is being printed: what their folds need is used again, so threads wait after them, too."""
        self._folded: list[str] = []
        self._folds = self._most_folds = 0
        self.scratch: dict[str, str] = {}
        """Lines that declare what folds need of shared memory, by the name of the array."""
        self.shared: set[str] = set()
        self.offsets: list[str] = []
        self.once: frozenset[str] = frozenset()
        self.constant: frozenset[str] = frozenset()
        """Arrays that a kernel which is started early only reads: its compiler does not find that out."""
        self._turns: dict[str, str] = {}
        self._unneeded = phases_without_barrier(kernel) if kernel else frozenset()
        self._runs: dict[str, Code] = {}
        self._unused = _block_counts(kernel) if kernel else frozenset()
        self._asked = asked_bytes(kernel) if kernel else 0
        self._given = 0
        self._copied = frozenset(_copied_late(kernel.body)) if kernel else frozenset()
        self._sources: dict[str, str] = {}
        self._counters: dict[str, int] = {}
        """Counters of loops that ask for elements beforehand, and how many iterations."""
        self._places: dict[str, int] = {}
        """These, and what is their sum with something else."""

    # ------------------------------------------------------------------------------------------- faults

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """Set the flag and leave."""
        self.lines.add(f"*{FLAG} = 1;")
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
        uses = [k for k, s in enumerate(statements) if _uses(s, carried)]
        first = uses[0] if uses else len(statements)
        joined = _joined(loop, first)
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
            count = len(loop.args)
            for statement in loop.body.statements[:-count]:
                self.statement(statement)
            self._fold(loop, loop.body.statements[-count:])
        self.close()
        for result, target in zip(loop.results, self._folded, strict=True):
            self.atoms[result.name] = Code(target)

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
            type, scratch = self.type_name(arg.var.type), self.module.identifiers.fresh("weft_parts")
            kept = self.dialect.memory_name(scalar(load.var.type))
            self.scratch[scratch] = f"{self.dialect.shared_head}{kept} {scratch}[{self.dialect.together_room(order)}];"
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

    def _fold(self, loop: n.For, joins: Sequence[n.Statement]) -> None:
        """Fold what `joins` put behind what is carried: each is a definition for one argument."""
        folds, threads = [], math.prod(self._group)
        if self._group[0] != threads:
            raise InternalError(f"threads fold what {loop.label} carries along more than one axis")
        for arg, join, target in zip(loop.args, joins, self._folded, strict=True):
            assert isinstance(join, n.Let) and isinstance(join.value, n.Binary)
            type, scratch = self.type_name(arg.var.type), f"weft_folds_{tag(scalar(arg.var.type))}_{self._folds}"
            self.scratch[scratch] = f"{self.dialect.shared_head}{type} {scratch}[{self.dialect.fold_room(threads)}];"
            self._folds += 1
            part = self.declare("part", type, self.value(join.value.right, exact=True).text)
            init = self.atoms[arg.var.name].text
            folds.append(Fold(type, init, part, target, scratch, partial(self._joined_by, join, join.value)))
        self.settle_loads()
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
        begin = self.module.identifiers.fresh("begin")
        fields = {a.var.name: f"before.value_{k}" for k, a in enumerate(loop.args)}
        fields.update({v.name: f"more.value_{k}" for k, v in enumerate(sums)})
        self.settle_loads()
        return Turn(words, self.atoms[loop.index.name].text, inits, own, begin, self._apart(joined, fields))

    def _add(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.lines.add(line)

    def _apart(self, block: n.Block, names: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """The lines of a block under other names of variables, and the values that it yields."""
        atoms, declared, failure = dict(self.atoms), dict(self.declared), self.failure
        self.atoms.update((name, Code(text)) for name, text in names.items())
        self.failure = "return before;"
        with self.apart() as lines:
            self.block(block)
            values = [self.value(y, exact=True).text for y in block.yields]
            self.close()
        self.atoms, self.declared, self.failure = atoms, declared, failure
        return lines.items, values

    def _print_loop(self, loop: n.For) -> None:
        """A loop inside of a thread; by matrix instructions where those who compile the text have them."""
        size = _element_size(loop.product.sums) if loop.product is not None else 0
        if loop.product is None or size not in self.dialect.matrix_tests:
            self._repeats += 1
            super().print_For(loop)
            self._repeats -= 1
            return
        assert isinstance(loop.stop, n.Const)
        function, test = self.dialect.matrix_tests[size]
        product = self._tile_product(function, loop.product, int(loop.stop.value.real))
        with self.apart() as lines:
            super().print_For(loop)
        self.lines.extend([test, product, "#else", *lines.items, "#endif"])

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
        """What all threads do before any of them goes on. One that fails goes on to the end of the phase."""
        self.settle_loads()
        failure, self.failure = self.failure, f"goto {(end := self.module.identifiers.fresh('phase'))};"
        self._outermost = False
        self._folded = [self.name(result) for result in loop.results]
        with self.apart() as lines:
            self.print_For(loop)
        self._outermost, self.failure = True, failure
        with self.lines.braces(""):
            self.lines.extend(lines.items)
        if any(end in line for line in lines.items):
            self.lines.add(f"{end}:;")
        if loop.under_way is not None and self.dialect.late_sizes:
            self.lines.add(self.dialect.wait_late(loop.under_way))
        if (not loop.args or self._repeats) and loop.label not in self._unneeded:
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
            with self.in_width(let):
                super().print_Let(self.without_tests(let))

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
        """Count the iterations of a loop that may never end."""
        if endless.is_endless(loop):
            self._turns[loop.label] = turns = self.module.identifiers.fresh("turns")
            self.lines.add(f"uint32_t {turns} = 0;")
            self.lines.add(f"#pragma unroll {endless.copies(loop)}")

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Look, now and then, whether the program is to stop."""
        if isinstance(loop, n.For) and loop.ahead and self.dialect.asks:
            self._counters[loop.index.name] = self._places[loop.index.name] = loop.ahead
        if isinstance(loop, n.While) and endless.is_endless(loop):
            rest = endless.interval(loop) - 1
            with self.lines.braces(f"if ((++{self._turns[loop.label]} & {rest}) == 0 && *{STOP})"):
                self.lines.add(self.failure)

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
            with self.lines.braces(f"for (int32_t k = 0; k < {count}; k++)"):
                self.lines.add(f"{name}[k] = {fill.text};")
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
        head = self.dialect.shared_head if value.memory == "shared" else ""
        if value.memory == "shared":
            self.shared.add(var.name)
        if value.memory == "shared" and self._asked and self.dialect.asked_head:
            self._part_of_asked(name, memory, aligned_bytes(value))
        else:
            self.lines.add(f"{head}{memory} {name}[{math.prod(own)}];")
        codes = [tuple(Code(str(k)) for k in numbers) for numbers in (shape, strides)]
        self.views[var.name] = OwnArray(name, element, codes[0], codes[1])

    def _part_of_asked(self, name: str, memory: str, size: int) -> None:
        """An array in the shared memory that the launch asks for."""
        if not self._given:
            self.lines.add(f"{self.dialect.asked_head}{ASKED}[];")
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
            return Code(self.dialect.pack(memory, [self.value(a).text for a in value.items]))
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
        else:
            symbol = {"add": "+", "and": "&", "or": "|", "xor": "^"}[node.op]
            self.lines.add(f"{place.text} {symbol}= {value.text};")

    # --------------------------------------------------------------------------------------- functions

    def print_Call(self, node: n.Call) -> None:
        """Print a call of a function that was not inlined; it says whether it failed."""
        operands = [part for atom in node.operands for part in self.parts(atom)]
        results = [self.name(r) for r in node.results]
        self.settle_loads()
        given = self.module.given(self.module.program.function(node.function).body)
        arguments = ", ".join([*given, *map(_text, operands), *(f"&{r}" for r in results)])
        with self.lines.braces(f"if ({self.module.function_names[node.function]}({arguments}))"):
            self.lines.add(self.failure)


class _FunctionPrinter(KernelPrinter):
    failure = "return true;"


def _text(part: Code | str) -> str:
    return part.text if isinstance(part, Code) else part


def _axes(block: n.Block) -> Iterator[tuple[str, Axis]]:
    """The axis of each loop over blocks or threads: x is the innermost of its nest."""
    for statement in walk(block):
        if isinstance(statement, n.For) and statement.mapping in ("blocks", "threads"):
            inner = (s for s in walk(statement.body) if isinstance(s, n.For) and s.mapping == statement.mapping)
            nested = next(inner, None)
            depth = 0
            while nested is not None:
                depth += 1
                inner = (s for s in walk(nested.body) if isinstance(s, n.For) and s.mapping == statement.mapping)
                nested = next(inner, None)
            yield statement.label, AXES[depth]


def _copied_late(block: n.Block) -> Iterator[str]:
    """Names of the elements that are loaded only to be stored late."""
    uses = Counter(a.name for s in walk(block) for a in atoms_of(s) if isinstance(a, n.Var))
    late = {s.value.name for s in walk(block) if isinstance(s, n.Store) and s.late and isinstance(s.value, n.Var)}
    for statement in walk(block):
        is_load = isinstance(statement, n.Let) and isinstance(statement.value, n.Load)
        if isinstance(statement, n.Let) and is_load and statement.var.name in late and uses[statement.var.name] == 1:
            yield statement.var.name


def _size_of(atom: n.Atom) -> int:
    """The bytes of a number or a vector."""
    if isinstance(atom.type, Vector):
        return atom.type.lanes * atom.type.element.size
    return atom.type.size if isinstance(atom.type, Scalar) else 0


def _element_size(view: n.Var) -> int:
    assert isinstance(view.type, View)
    return view.type.element.size


def _shares_memory(block: n.Block) -> bool:
    """Whether the threads of a block share an array, or fold something together."""
    lets = (s.value for s in walk(block) if isinstance(s, n.Let))
    folds = any(isinstance(s, n.For) and s.mapping == "threads" and s.args for s in walk(block))
    return folds or any(isinstance(value, n.Alloc) and value.memory == "shared" for value in lets)


def _uses(statement: n.Statement, names: Container[str]) -> bool:
    return any(v.name in names for v in free_variables(n.Block((statement,))))


def _joined(loop: n.For, first: int) -> n.Block:
    """What computes the values that a block hands on, from those that it begins with."""
    wanted = {y.name for y in loop.body.yields if isinstance(y, n.Var)}
    kept: list[n.Statement] = []
    for statement in reversed(loop.body.statements[first:]):
        if any(v.name in wanted for v in defined_by(statement)):
            kept.append(statement)
            wanted |= {v.name for v in free_variables(n.Block((statement,)))}
    return n.Block(tuple(reversed(kept)), loop.body.yields)


def _phases(block: n.Block) -> int:
    """How many times all threads of a block do something one after the other, at most; two where nobody knows."""
    count = 0
    for statement in block.statements:
        if isinstance(statement, n.For) and statement.mapping == "threads":
            count += 1
            continue
        inside = max(map(_phases, blocks_of(statement)), default=0)
        repeated = isinstance(statement, n.While) or (isinstance(statement, n.For) and statement.mapping != "blocks")
        count += 2 * inside if repeated else inside
    return count


def _block_counts(kernel: n.Kernel) -> frozenset[str]:
    """Variables that only say how many blocks there are."""
    loops = (s for s in walk(kernel.body) if isinstance(s, n.For) and s.mapping == "blocks")
    counts = Counter(loop.stop.name for loop in loops if isinstance(loop.stop, n.Var))
    uses = Counter(a.name for s in walk(kernel.body) for a in atoms_of(s) if isinstance(a, n.Var))
    return frozenset(name for name, count in counts.items() if uses[name] == count)


class KernelModule(Module):
    """The file of all kernels of a program."""

    dialect: KernelDialect

    def __init__(self, program: n.Program, dialect: KernelDialect) -> None:
        super().__init__(program, dialect)
        self.function_names = {f.name: self.identifiers.fresh(f"function_{f.name}") for f in program.functions}
        self.texts: list[str] = []

    def kernel(self, kernel: n.Kernel, has_flag: bool, is_early: bool) -> None:
        """Print a kernel."""
        printer = KernelPrinter(self, kernel)
        written = written_parameters(kernel)
        params = [part for p in kernel.params for part in self._param(printer, p, kernel, written)]
        printer.constant = frozenset(hint.param for hint in kernel.hints if hint.kind == "read-only")
        printer.once = frozenset(hint.param for hint in kernel.hints if hint.kind == "once")
        if is_early:
            read = (p.name for p in kernel.params if isinstance(p.type, View))
            printer.constant |= frozenset(read) - written - frozenset(kernel.overlaps)
        given = self.given(kernel.body)
        params += [f"{type}{name}" for name, type in given.items() if has_flag or name != FLAG]
        printer.block(kernel.body)
        printer.close()
        head = (
            f"{self.dialect.kernel_head} {self.dialect.group_limit(kernel.group, kernel.resident)} void {kernel.name}"
        )
        opening = [f"    {line}" for line in self.dialect.opening(printer.offsets)] if is_early else []
        opening += [f"    {line}" for line in printer.scratch.values()]
        self.texts.append("\n".join([f"{head}({_wrapped(params)}) {{", *opening, *printer.lines.items, "}"]))

    def function(self, function: n.Function) -> None:
        """Print a function that kernels call."""
        printer = _FunctionPrinter(self)
        params = [f"{type}{name}" for name, type in self.given(function.body).items()]
        params += [part for p in function.params for part in self._function_param(printer, p)]
        printer.block(function.body)
        types = [printer.type_name(y.type) for y in function.body.yields]
        for k, value in enumerate(function.body.yields):
            printer.lines.add(f"*result_{k} = {printer.value(value, exact=True).text};")
        printer.close()
        printer.lines.add("return false;")
        params += [f"{c_type} *result_{k}" for k, c_type in enumerate(types)]
        head = f"{self.dialect.function_head} bool {self.function_names[function.name]}"
        self.texts.append("\n".join([f"{head}({_wrapped(params)}) {{", *printer.lines.items, "}"]))

    def given(self, block: n.Block) -> dict[str, str]:
        """What tells a function to stop, and what tells that it failed, with their types."""
        flag = self.dialect.pointer("int32_t")
        stop = {STOP: f"const volatile {flag}"} if endless.has_endless(self.program, block) else {}
        return {**stop, FLAG: flag}

    def _param(self, printer: KernelPrinter, var: n.Var, kernel: n.Kernel, written: frozenset[str]) -> list[str]:
        """The C parameters of a kernel's parameter, and the lines that make variables of them."""
        if isinstance(var.type, View):
            pointer = self.dialect.memory_parameter(var.name in written, var.name not in kernel.overlaps)
            return self._view_param(printer, var, var.type, pointer)
        assert isinstance(var.type, Scalar)
        if var.type.kind == "b":
            given = self.identifiers.fresh(f"{var.stem}_given")
            printer.name(var, f"{given} != 0")
            return [f"uint8_t {given}"]
        if printer.is_narrow(var):
            given = self.identifiers.fresh(f"{var.stem}_given")
            printer.name(var, f"({INDEX}){given}")
            return [f"int64_t {given}"]
        name = self.identifiers.of(var.name)
        printer.atoms[var.name] = Code(name)
        return [f"{printer.type_name(var.type)} {name}"]

    def _view_param(self, printer: KernelPrinter, var: n.Var, type: View, pointer_type: str) -> list[str]:
        name = self.identifiers.fresh(var.name)
        view = ViewCode.named(name, type)
        pointer, *numbers = view.parts(type, False)
        memory, offset = (self.identifiers.fresh(f"{name}_{part}") for part in ("memory", "offset"))
        value = f"AT({view.memory_type(self.dialect)}, {memory}, {offset})"
        printer.lines.add(f"{view.pointer_type(self.dialect)}{_text(pointer)} = {value};")
        if printer.widths:
            view, numbers = printer.narrow_view(view, type)
        printer.views[var.name] = view
        printer.offsets.append(offset)
        bytes_ = f"{pointer_type}{memory}"
        return [bytes_, f"int64_t {offset}", *(f"int64_t {_text(number)}" for number in numbers)]

    def _function_param(self, printer: KernelPrinter, var: n.Var) -> list[str]:
        if not isinstance(var.type, View):
            name = self.identifiers.of(var.name)
            printer.atoms[var.name] = Code(name)
            return [f"{printer.type_name(var.type)} {name}"]
        name = self.identifiers.fresh(var.name)
        view = ViewCode.named(name, var.type)
        printer.views[var.name] = view
        types = view.part_types(self.dialect, var.type, False)
        parts = view.parts(var.type, False)
        return [f"{t}{'' if t.endswith('*') else ' '}{_text(p)}" for t, p in zip(types, parts, strict=True)]

    def source(self) -> str:
        """The whole text."""
        body = "\n\n".join(self.texts)
        records = [f"typedef struct {{ char bytes[{size}]; }} record_{size};" for size in _record_sizes(body)]
        text = "\n\n".join([*self.dialect.helpers.needed("\n".join([*records, body])), *records, body])
        return self.dialect.finish(f"{self.dialect.preamble}{text}\n")


def written_parameters(kernel: n.Kernel) -> frozenset[str]:
    """Names of the arrays that a kernel writes, or may write: through views of them, or in functions."""
    found: set[str] = set()
    used = _used(kernel.body)
    for statement in walk(kernel.body):
        found |= {v.name for v in written_views(statement)}
        if isinstance(statement, n.Let) and isinstance(statement.value, VIEWS) and statement.var.name in used:
            found.add(statement.value.view.name)
        if isinstance(statement, n.For) and statement.through is not None:
            found.add(statement.through.name)
        if isinstance(statement, n.Call):
            found |= {a.name for a in statement.operands if isinstance(a, n.Var)}
    return frozenset(found)


def _used(block: n.Block) -> frozenset[str]:
    """Names of the variables that are used otherwise than to ask whether an array is aligned."""
    found = [atom for statement in walk(block) for inner in blocks_of(statement) for atom in inner.yields]
    for statement in walk(block):
        if not isinstance(statement, n.Let) or not isinstance(statement.value, n.Aligned):
            found += atoms_of(statement)
    return frozenset(atom.name for atom in found if isinstance(atom, n.Var))


def _record_sizes(text: str) -> list[int]:
    return sorted({int(size) for size in re.findall(r"\brecord_(\d+)\b", text)})


def _wrapped(params: Sequence[str]) -> str:
    return ",\n        ".join(params)


def generate(program: n.Program, dialect: KernelDialect, names: Container[str] | None = None) -> str:
    """The text of kernels of a placed program.

    Parameters
    ----------
    program
        After `weft.plan.place`.
    dialect
        The language.
    names
        The names of the kernels; None: all, with both ways of a tile, as for indices that are usual.
    """
    module = KernelModule(program, dialect)
    launches = {s.kernel.name: s for s in walk(program.body) if isinstance(s, n.Launch)}
    chosen = [
        (launch, version)
        for launch in launches.values()
        for version in ((launch.kernel,) if names is None else versions(launch.kernel))
        if names is None or version.name in names
    ]
    early = repeated_kernels(program)
    called = {s.function for _, kernel in chosen for s in walk(kernel.body) if isinstance(s, n.Call)}
    for function in _in_order_of_use(program, called):
        module.function(function)
    for launch, kernel in chosen:
        module.kernel(kernel, bool(launch.results), launch.kernel.name in early)
    return module.source()


def _in_order_of_use(program: n.Program, called: set[str]) -> list[n.Function]:
    """The functions that kernels call, and those that these call, callees first."""
    found: list[n.Function] = []

    def add(name: str) -> None:
        function = program.function(name)
        if function in found:
            return
        for statement in walk(function.body):
            if isinstance(statement, n.Call):
                add(statement.function)
        found.append(function)

    for name in sorted(called):
        add(name)
    return found
