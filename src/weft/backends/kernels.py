"""Prints the kernels of a placed program: what CUDA C++ and OpenCL C have in common.

Work item and block take the place of the lowered loops. Whatever would raise sets a flag and leaves the work item: the
host then runs the nest again and raises from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.backends.artifact import Site
from weft.backends.code import Code, call
from weft.backends.dialect import Dialect, tag
from weft.backends.printer import Module, Printer
from weft.backends.views import ViewCode
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.types import Scalar, Type, View
from weft.ir.visit import walk
from weft.schedule.directives import AXES, Axis

FLAG = "weft_flag"
_C_HELPERS = Path(__file__).parent / "c" / "helpers"
SHARED_HELPERS = tuple(_C_HELPERS / f"{name}.h" for name in ("core", "integers", "floats", "complex"))
"""Helper functions that kernels share with C; the others are vector code for the processor."""


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

    def group_limit(self, group: Sequence[int]) -> str:
        """What tells the compiler how many work items a block has."""
        raise NotImplementedError

    def finish(self, text: str) -> str:
        """The whole text as the language wants it."""
        return text


class KernelPrinter(Printer):
    """One kernel, or a function that kernels call, while it is printed."""

    dialect: KernelDialect
    module: KernelModule
    failure = "return;"

    def __init__(self, module: KernelModule, kernel: n.Kernel | None = None) -> None:
        super().__init__(module)
        self._axes: dict[str, Axis] = dict(_axes(kernel)) if kernel else {}
        self._unused = _block_counts(kernel) if kernel else frozenset()

    # ------------------------------------------------------------------------------------------- faults

    def fail(self, site: Site, operands: Sequence[Code]) -> None:
        """Set the flag and leave."""
        self.lines.add(f"*{FLAG} = 1;")
        self.lines.add(self.failure)

    def clamped(self, code: Code, extent: Code, outside: Code, site: Site) -> Code:
        """An index forced inside; the flag is set where it was outside."""
        self.lines.add(f"if ({outside.text}) *{FLAG} = 1;")
        return call("clamp_index", code, extent)

    def undefined(self, type: Type) -> Code:
        """Some value of a type."""
        if isinstance(type, Scalar) and type.kind == "c":
            return Code(f"(({self.type_name(type)}){{0, 0}})")
        return Code("0")

    # ------------------------------------------------------------------------------------------- loops

    def print_For(self, loop: n.For) -> None:
        """Print a loop: over blocks or work items it is none, all others run in order."""
        if loop.mapping not in ("blocks", "threads"):
            super().print_For(loop)
            return
        axis = self._axes[loop.label]
        place = self.dialect.block_index(axis) if loop.mapping == "blocks" else self.dialect.thread_index(axis)
        self.name(loop.index, f"(int64_t){place}")
        self.block(loop.body)
        self.close()

    def print_Let(self, let: n.Let) -> None:
        """Print a definition, unless it only serves to count blocks, which the launch does."""
        if let.var.name not in self._unused:
            super().print_Let(let)

    def loop_pragmas(self, loop: n.For) -> Sequence[str]:
        """A loop that the schedule unrolls."""
        return ["#pragma unroll"] if loop.mapping == "unroll" else []

    # ------------------------------------------------------------------------------------------- memory

    def alloc(self, var: n.Var, value: n.Alloc) -> None:
        """Print an array of a work item's own."""
        if not isinstance(value.element, Scalar):
            raise InternalError("a kernel has no structured arrays of its own")
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

    def combine_in_memory(self, node: n.Update, place: Code, value: Code) -> None:
        """Print an atomic operation; on an array of the work item's own, a plain one."""
        element = node.value.type
        assert isinstance(element, Scalar)
        if not self.facts.roots(node.view) <= self.facts.allocations:
            self.lines.add(f"update_{node.op}_{tag(element)}({place.text}, {value.text});")
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
        arguments = ", ".join([FLAG, *map(_text, operands), *(f"&{r}" for r in results)])
        with self.lines.braces(f"if ({self.module.function_names[node.function]}({arguments}))"):
            self.lines.add(self.failure)


class _FunctionPrinter(KernelPrinter):
    failure = "return true;"


def _text(part: Code | str) -> str:
    return part.text if isinstance(part, Code) else part


def _axes(kernel: n.Kernel) -> Iterator[tuple[str, Axis]]:
    """The axis of each bound loop: x is the innermost."""
    for mapping in ("blocks", "threads"):
        labels = [s.label for s in walk(kernel.body) if isinstance(s, n.For) and s.mapping == mapping]
        yield from zip(reversed(labels), AXES, strict=False)


def _block_counts(kernel: n.Kernel) -> frozenset[str]:
    """Variables that say how many blocks there are."""
    loops = (s for s in walk(kernel.body) if isinstance(s, n.For) and s.mapping == "blocks")
    return frozenset(loop.stop.name for loop in loops if isinstance(loop.stop, n.Var))


class KernelModule(Module):
    """The file of all kernels of a program."""

    dialect: KernelDialect

    def __init__(self, program: n.Program, dialect: KernelDialect) -> None:
        super().__init__(program, dialect)
        self.function_names = {f.name: self.identifiers.fresh(f"function_{f.name}") for f in program.functions}
        self.texts: list[str] = []

    def kernel(self, kernel: n.Kernel, has_flag: bool) -> None:
        """Print a kernel."""
        printer = KernelPrinter(self, kernel)
        params = [part for p in kernel.params for part in self._param(printer, p)]
        if has_flag:
            params.append(f"{self.dialect.pointer('int32_t')}{FLAG}")
        printer.block(kernel.body)
        printer.close()
        head = f"{self.dialect.kernel_head} {self.dialect.group_limit(kernel.group)} void {kernel.name}"
        self.texts.append("\n".join([f"{head}({_wrapped(params)}) {{", *printer.lines.items, "}"]))

    def function(self, function: n.Function) -> None:
        """Print a function that kernels call."""
        printer = _FunctionPrinter(self)
        params = [f"{self.dialect.pointer('int32_t')}{FLAG}"]
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

    def _param(self, printer: KernelPrinter, var: n.Var) -> list[str]:
        """The C parameters of a kernel's parameter, and the lines that make variables of them."""
        if isinstance(var.type, View):
            return self._view_param(printer, var, var.type)
        assert isinstance(var.type, Scalar)
        if var.type.kind == "b":
            given = self.identifiers.fresh(f"{var.stem}_given")
            printer.name(var, f"{given} != 0")
            return [f"uint8_t {given}"]
        name = self.identifiers.of(var.name)
        printer.atoms[var.name] = Code(name)
        return [f"{printer.type_name(var.type)} {name}"]

    def _view_param(self, printer: KernelPrinter, var: n.Var, type: View) -> list[str]:
        name = self.identifiers.fresh(var.name)
        view = ViewCode.named(name, type)
        pointer, *numbers = view.parts(type, False)
        memory, offset = (self.identifiers.fresh(f"{name}_{part}") for part in ("memory", "offset"))
        value = f"AT({view.memory_type(self.dialect)}, {memory}, {offset})"
        printer.lines.add(f"{view.pointer_type(self.dialect)}{_text(pointer)} = {value};")
        printer.views[var.name] = view
        bytes_ = f"{self.dialect.pointer('char')}{memory}"
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


def _record_sizes(text: str) -> list[int]:
    return sorted({int(size) for size in re.findall(r"\brecord_(\d+)\b", text)})


def _wrapped(params: Sequence[str]) -> str:
    return ",\n        ".join(params)


def generate(program: n.Program, dialect: KernelDialect) -> str:
    """The text of all kernels of a placed program.

    Parameters
    ----------
    program
        After `weft.plan.place`.
    dialect
        The language.
    """
    module = KernelModule(program, dialect)
    launches = {s.kernel.name: s for s in walk(program.body) if isinstance(s, n.Launch)}
    called = {s.function for launch in launches.values() for s in walk(launch.kernel.body) if isinstance(s, n.Call)}
    for function in _in_order_of_use(program, called):
        module.function(function)
    for launch in launches.values():
        module.kernel(launch.kernel, bool(launch.results))
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
