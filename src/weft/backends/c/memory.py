"""Arrays that a program makes: on the stack, in memory used again in every iteration, or kept while they are needed.

An array that does not leave the block in which it is made keeps its memory until the function ends, and takes the same
again when the block runs again. An array that leaves its block, carried around a loop or returned, is kept in a list;
at the end of an iteration what no carried variable points to is released.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from weft.backends.text.artifact import Site
from weft.backends.text.code import ORDER, Code, infix
from weft.backends.text.printer_facts import all_blocks
from weft.backends.text.sites import NEGATIVE_EXTENT
from weft.backends.text.views import NO_BASE, ViewCode
from weft.ir import nodes as n
from weft.ir.types import Record, Scalar, View
from weft.ir.visit import walk

if TYPE_CHECKING:
    from weft.backends.c.printer import CPrinter

STACK_BYTES = 2048
"""Arrays of a constant size up to this are put on the stack."""

STACK_TOTAL = 16384
"""Bytes of the stack that the arrays of one function may take together."""


class Memory:
    """The arrays that one function makes."""

    def __init__(self, printer: CPrinter) -> None:
        self._printer = printer
        self._reserved: list[tuple[str, str, str]] = []
        self._keeps = False
        self._stacked: dict[str, int] = {}
        self._marks: dict[int, str] = {}
        self.holds_any = False
        """Whether the function may have to release memory when it ends; said before its body is printed."""

    def prepare(self, block: n.Block, most: int = STACK_TOTAL) -> None:
        """Look at what the function's body will allocate, and choose what goes on the stack: at most so many bytes."""
        left = most
        for let in walk(block):
            if isinstance(let, n.External) and self._printer.facts.keeps(let):
                self._keeps = self.holds_any = True
            if not isinstance(let, n.Let) or not isinstance(let.value, n.Alloc):
                continue
            escapes = let.var.name in self._printer.facts.escaping
            self._keeps |= escapes
            size = None if escapes else _constant_bytes(let.value)
            if size is None or size > min(left, STACK_BYTES):
                self.holds_any = True
            else:
                self._stacked[let.var.name] = size
                left -= size

    # ------------------------------------------------------------------------------------------ allocation

    def alloc(self, var: n.Var, value: n.Alloc) -> None:
        """Print the allocation of an array."""
        assert isinstance(var.type, View)
        on_stack = self._stacked.get(var.name)
        shape = [self._printer.simple(extent) for extent in value.shape]
        if on_stack is not None:
            pointer = self._on_stack(var, value)
            count = str(on_stack // max(value.element.size, 1))
        else:
            self._check_extents(value, shape)
            pointer, count = self._on_heap(var, value, shape)
        self._fill(value, pointer, count)
        self._bind(var, value, pointer, shape)

    def _on_stack(self, var: n.Var, value: n.Alloc) -> str:
        printer = self._printer
        memory = printer.dialect.memory_name(value.element, isinstance(value.element, Record))
        name = printer.module.identifiers.fresh(var.name)
        printer.declared[name] = printer.dialect.pointer(memory)
        count = 1
        for extent in value.shape:
            assert isinstance(extent, n.Const)
            count *= int(extent.value.real)
        printer.lines.add(f"{memory} {name}[{max(count, 1)}] __attribute__((aligned(64)));")
        return name

    def _check_extents(self, value: n.Alloc, shape: list[Code]) -> None:
        for atom, extent in zip(value.shape, shape, strict=True):
            if not self._printer.facts.is_nonnegative(atom):
                site = Site("ValueError", NEGATIVE_EXTENT, (), self._printer.location)
                self._printer.fail_if(infix("<", ORDER, extent, Code("0")), site, [])

    def _on_heap(self, var: n.Var, value: n.Alloc, shape: list[Code]) -> tuple[str, str]:
        printer = self._printer
        size = value.element.size
        extents = ", ".join(s.text for s in shape)
        total = f"weft_bytes({len(shape)}, (int64_t[]){{{extents}}}, {size})" if shape else str(size)
        bytes_ = printer.declare(f"{var.stem}_bytes", "int64_t", total)
        view = ViewCode.named("", var.type, packed=isinstance(value.element, Record))  # type: ignore[arg-type]
        c_type = view.pointer_type(printer.dialect)
        if var.name in printer.facts.escaping:
            pointer = self._kept(var, c_type, bytes_)
        else:
            pointer = self._again(var, c_type, bytes_)
        return pointer, f"{bytes_} / {max(size, 1)}"

    def _kept(self, var: n.Var, c_type: str, bytes_: str) -> str:
        printer = self._printer
        printer.leave_if(f"{bytes_} < 0", "WEFT_TOO_LARGE")
        pointer = printer.declare(var.name, c_type, f"weft_allocate(runtime, {bytes_})")
        printer.leave_if(f"!{pointer} || !weft_keep(runtime, &owned, {pointer})", "WEFT_NO_MEMORY")
        return pointer

    def _again(self, var: n.Var, c_type: str, bytes_: str) -> str:
        printer = self._printer
        pointer = printer.module.identifiers.fresh(var.name)
        printer.declared[pointer] = c_type
        size = printer.module.identifiers.fresh(f"{pointer}_size")
        self._reserved.append((c_type, pointer, size))
        printer.leave_if(f"{bytes_} < 0", "WEFT_TOO_LARGE")
        printer.lines.add(f"{pointer} = weft_reserve(runtime, {pointer}, &{size}, {bytes_});")
        printer.leave_if(f"!{pointer}", "WEFT_NO_MEMORY")
        return pointer

    def _fill(self, value: n.Alloc, pointer: str, count: str) -> None:
        printer = self._printer
        if value.fill is None:
            return
        if _is_zero(value.fill):
            size = value.element.size
            total = str(int(count) * size) if count.isdigit() else count.rpartition(" / ")[0]
            printer.lines.add(f"__builtin_memset({pointer}, 0, {total});")
            return
        index = printer.module.identifiers.fresh("k")
        fill = printer.simple(value.fill)
        with printer.lines.braces(f"for (int64_t {index} = 0; {index} < {count}; {index}++)"):
            printer.lines.add(f"{pointer}[{index}] = {fill.text};")

    def _bind(self, var: n.Var, value: n.Alloc, pointer: str, shape: list[Code]) -> None:
        assert isinstance(var.type, View)
        strides: list[Code] = []
        for axis in reversed(range(len(shape))):
            strides.insert(0, self._stride(var, value, shape, strides, axis))
        base = pointer if var.name in self._printer.facts.escaping else NO_BASE
        packed = isinstance(value.element, Record)
        self._printer.views[var.name] = ViewCode(pointer, value.element, tuple(shape), tuple(strides), base, packed)

    def _stride(self, var: n.Var, value: n.Alloc, shape: list[Code], inner: list[Code], axis: int) -> Code:
        if not inner:
            return Code(str(value.element.size))
        if inner[0].text.isdigit() and shape[axis + 1].text.isdigit():
            return Code(str(int(inner[0].text) * int(shape[axis + 1].text)))
        text = f"{shape[axis + 1].text} * {inner[0].text}"
        return Code(self._printer.declare(f"{var.stem}_s{axis}", "int64_t", text))

    # ------------------------------------------------------------------------------------------- lifetimes

    def enter_loop(self, loop: n.For | n.While) -> None:
        """Before a loop that keeps memory: remember what was kept before."""
        if self._sweeps(loop):
            self._marks[id(loop)] = self._printer.declare("mark", "int64_t", "owned.count")

    def before_iteration(self, loop: n.For | n.While) -> None:
        """Nothing is to be done before an iteration."""

    def after_iteration(self, loop: n.For | n.While) -> None:
        """Release what was kept in this or an earlier iteration and is carried no further."""
        if not self._sweeps(loop):
            return
        carried = [self._printer.views[a.var.name].base for a in loop.args if isinstance(a.var.type, View)]
        bases = ", ".join(b for b in carried if b != NO_BASE) or "NULL"
        count = max(sum(b != NO_BASE for b in carried), 1)
        mark = self._marks[id(loop)]
        self._printer.lines.add(f"weft_sweep(runtime, &owned, {mark}, {count}, (void *[]){{{bases}}});")

    def _sweeps(self, loop: n.For | n.While) -> bool:
        keeps = self._printer.facts.keeps
        return self._keeps and any(keeps(s) for block in all_blocks(loop.body) for s in block.statements)

    def give_away(self, bases: Sequence[str]) -> None:
        """Memory that the program returns is no longer this function's."""
        for base in bases:
            self._printer.lines.add(f"weft_disown(&owned, {base});")

    def hand_over(self, bases: Sequence[str]) -> None:
        """Memory that the function gives is the caller's: `callers` is its list."""
        if self._keeps:
            for base in bases:
                self._printer.leave_if(f"!weft_hand_over(runtime, &owned, callers, {base})", "WEFT_NO_MEMORY")

    def declarations(self) -> list[str]:
        """What stands at the top of the function."""
        lines = ["    weft_owned owned = {0};"] if self._keeps else []
        for c_type, pointer, size in self._reserved:
            lines += [f"    {c_type}{pointer} = NULL;", f"    int64_t {size} = 0;"]
        return lines

    def releases(self) -> list[str]:
        """What stands at the end of the function, under the label ``done``."""
        lines = [f"    weft_release(runtime, {pointer});" for _, pointer, _ in self._reserved]
        if self._keeps:
            lines.append("    weft_release_all(runtime, &owned, 1, (void *[]){NULL});")
        return lines


def _constant_bytes(value: n.Alloc) -> int | None:
    """The size of an array, where it is known when compiling."""
    size = value.element.size
    for extent in value.shape:
        if not isinstance(extent, n.Const) or extent.value.real < 0:
            return None
        size *= int(extent.value.real)
    return size


def _is_zero(fill: n.Atom) -> bool:
    """Whether a value is all zero bits."""
    if not isinstance(fill, n.Const) or not isinstance(fill.type, Scalar) or fill.value != 0:
        return False
    return fill.type.kind in "biu" or repr(fill.value) in ("0.0", "0", "0j", "False")
