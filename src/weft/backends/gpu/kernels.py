"""Prints the kernels of a placed program: what CUDA C++ and OpenCL C have in common.

Work item and block take the place of the lowered loops. Whatever would raise sets a flag and leaves the work item: the
host then runs the nest again and raises from there.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from weft.analysis.termination import endless
from weft.backends.gpu.kernel_dialect import KernelDialect
from weft.backends.gpu.kernel_printer import FLAG, STOP, FunctionPrinter, KernelPrinter, text_of
from weft.backends.gpu.narrow_indices import INDEX
from weft.backends.gpu.repeats import early_kernels
from weft.backends.text.code import Code
from weft.backends.text.printer import Module
from weft.backends.text.printer_facts import Facts
from weft.backends.text.views import ViewCode
from weft.ir import nodes as n
from weft.ir.effects import VIEWS, written_views
from weft.ir.types import Scalar, View
from weft.ir.visit import atoms_of, blocks_of, foreign_call, launches_in, walk
from weft.schedule.versions import versions


class KernelModule(Module):
    """The file of all kernels of a program."""

    dialect: KernelDialect

    def __init__(self, program: n.Program, dialect: KernelDialect, facts: Facts | None = None) -> None:
        super().__init__(program, dialect, facts)
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
        opening += [f"    {line}" for line in (*printer.scratch.values(), *printer.leaves)]
        self.texts.append("\n".join([f"{head}({_wrapped(params)}) {{", *opening, *printer.lines.items, "}"]))

    def function(self, function: n.Function) -> None:
        """Print a function that kernels call."""
        printer = FunctionPrinter(self, block=function.body)
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
        opening = [f"    {line}" for line in printer.scratch.values()]
        self.texts.append("\n".join([f"{head}({_wrapped(params)}) {{", *opening, *printer.lines.items, "}"]))

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
        printer.lines.add(f"{view.pointer_type(self.dialect)}{text_of(pointer)} = {value};")
        if printer.widths:
            view, numbers = printer.narrow_view(view, type)
        printer.views[var.name] = view
        printer.offsets.append(offset)
        bytes_ = f"{pointer_type}{memory}"
        return [bytes_, f"int64_t {offset}", *(f"int64_t {text_of(number)}" for number in numbers)]

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
        return [f"{t}{'' if t.endswith('*') else ' '}{text_of(p)}" for t, p in zip(types, parts, strict=True)]

    def source(self) -> str:
        """The whole text."""
        body = "\n\n".join([*self.natives.values(), *self.texts])
        records = [f"typedef struct {{ char bytes[{size}]; }} weft_record_{size};" for size in _record_sizes(body)]
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
    return sorted({int(size) for size in re.findall(r"\bweft_record_(\d+)\b", text)})


def _wrapped(params: Sequence[str]) -> str:
    return ",\n        ".join(params)


def generate(
    program: n.Program, dialect: KernelDialect, names: Container[str] | None = None, facts: Facts | None = None
) -> str:
    """The text of kernels of a placed program.

    Parameters
    ----------
    program
        After `weft.plan.place`.
    dialect
        The language.
    names
        The names of the kernels; None: all, with both ways of a tile, as for indices that are usual.
    facts
        Those of the program, for those who print it in several files.
    """
    module = KernelModule(program, dialect, facts)
    launches = {s.kernel.name: s for s in launches_in(program.body) if foreign_call(s.kernel) is None}
    chosen = [
        (launch, version)
        for launch in launches.values()
        for version in ((launch.kernel,) if names is None else versions(launch.kernel))
        if names is None or version.name in names
    ]
    early = early_kernels(program)
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
