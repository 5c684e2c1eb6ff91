"""Puts a generated file together: helper functions, the program's functions, the entry."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from weft.analysis.termination.bounded import SOON
from weft.backends.c.parallel import ParallelPrinter
from weft.backends.c.printer import CPrinter
from weft.backends.c.recursion import print_recursive_function
from weft.backends.c.values import from_value
from weft.backends.text.artifact import Artifact
from weft.backends.text.code import UNARY, Code, words
from weft.backends.text.dialect import Dialect
from weft.backends.text.helpers import Helpers
from weft.backends.text.printer import Module
from weft.backends.text.vector_helpers import REGISTER_LANES
from weft.backends.text.views import NO_BASE, ViewCode, is_unit
from weft.dataclass import dataclass
from weft.errors import InternalError
from weft.ir import nodes as n
from weft.ir.check.verifier import verify_names
from weft.ir.effects import block_may_raise
from weft.ir.recursion import recursive_functions
from weft.ir.types import Record, Scalar, View
from weft.ir.visit import has_fewer_trips, walk

HELPERS = Path(__file__).parent / "helpers"
HEADER = Path(__file__).parents[2] / "runtime" / "native" / "support"


@cache
def dialect(register_lanes: int = REGISTER_LANES) -> Dialect:
    """C as gcc and clang take it, for vector registers that hold so many of the widest elements."""
    files = sorted(HELPERS.glob("*.h"))
    return Dialect(Helpers(files, Dialect.type_names, register_lanes))


@dataclass(frozen=True)
class Host:
    """What the host part of a program for a device has besides: see `weft.backends.host.driver`.

    Parameters
    ----------
    printer
        Prints the body.
    support
        Text that stands before everything else.
    opening, closing
        Statements of the entry before and after the body runs, whatever becomes of it.
    names
        What `opening` declares for the body, by name, with the C types.
    room
        Says how many bytes the device of the program takes.
    """

    printer: type[ParallelPrinter] = ParallelPrinter
    support: str = ""
    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    room: str = ""


class CModule(Module):
    """A generated file of C."""

    def __init__(self, program: n.Program, host: Host, register_lanes: int = REGISTER_LANES) -> None:
        super().__init__(program, dialect(register_lanes))
        self.host = host
        for name, _ in host.names:
            self.identifiers.fresh(name)
        self.entry = self.identifiers.fresh(f"enter_{program.name}")
        self.body = self.identifiers.fresh(f"{program.name}_body")
        self.function_names = {f.name: self.identifiers.fresh(f"function_{f.name}") for f in program.functions}

    def is_plain(self, function: n.Function) -> bool:
        """Whether a helper cannot fail, ends soon, and gives one number: it is an ordinary C function."""
        if len(function.body.yields) != 1 or isinstance(function.body.yields[0].type, View):
            return False
        if any(isinstance(s, n.Let) and isinstance(s.value, n.Alloc) for s in walk(function.body)):
            return False
        loops = [s for s in walk(function.body) if isinstance(s, (n.For, n.While))]
        if not all(isinstance(loop, n.For) and has_fewer_trips(loop, SOON) for loop in loops):
            return False
        called = [s.function for s in walk(function.body) if isinstance(s, n.Call)]
        return not _fails(function.body) and all(self.is_plain(self.program.function(name)) for name in called)


def _fails(block: n.Block) -> bool:
    """Whether a block may raise; calls are looked at elsewhere."""
    statements = tuple(s for s in block.statements if not isinstance(s, n.Call))
    return block_may_raise(n.Block(statements))


def generate(program: n.Program, host: Host | None = None, register_lanes: int = REGISTER_LANES) -> Artifact:
    """C for a program.

    Parameters
    ----------
    program
        A verified program.
    host
        What it has besides when it is the host part of a program for a device.
    register_lanes
        How many numbers of 64 bits a vector register of the processor holds.

    Returns
    -------
    Artifact
        The text and its sites; nothing is compiled.
    """
    module = CModule(program, host or Host(), register_lanes)
    return Artifact(_text(module), module.entry, module.sites.table())


def loops_of_one_thread(program: n.Program) -> frozenset[str]:
    """Labels of the parallel loops of a program that one thread runs."""
    module = CModule(program, Host())
    _text(module)
    return frozenset(module.in_order)


def _text(module: CModule) -> str:
    program = module.program
    verify_names(program)
    recursive = recursive_functions(program)
    texts = {f.name: print_recursive_function(CPrinter(module), f) for f in recursive}
    module.functions += [f"{text.partition(' {')[0]};" for text in texts.values()]
    for function in program.functions:
        module.functions.append(texts.get(function.name) or _function(module, function))
    entry = _entry(module)
    text = "\n\n".join([*module.natives.values(), *module.functions, entry])
    helpers = module.dialect.helpers.needed(text)
    records = [_record(size) for size in _record_sizes(text + "".join(helpers))]
    support = [module.host.support] if module.host.support else []
    exact = [EXACT_ZEROS] if module.facts.makes_integers_of_floats else []
    parts = [_title(program), *exact, runtime_header(bool(support)), *support, *records, *helpers, text]
    return "\n\n".join(parts) + "\n"


EXACT_ZEROS = """\
/* gcc 12 would turn (double)(int64_t)x into trunc(x), which keeps the sign of a zero. */
#pragma GCC optimize("trapping-math")"""


def _title(program: n.Program) -> str:
    place = f", {Path(program.location.file).name}:{program.location.line}" if program.location.line else ""
    return f"/* {program.name}{place} */"


@cache
def runtime_header(with_device: bool) -> str:
    """The contract with the runtime, without its comments."""
    text = (HEADER / "weft.h").read_text(encoding="utf-8")
    device = (HEADER / "device.h").read_text(encoding="utf-8").replace("#include <stddef.h>\n#include <stdint.h>\n", "")
    text = text.replace('#include "device.h"', device if with_device else "typedef struct weft_device weft_device;")
    text = re.sub(r"/\*.*?\*/\s*", "", text, flags=re.S)
    text = re.sub(r"^#(?:ifndef|endif).*\n|^#define WEFT_\w*H\n", "", text, flags=re.M)
    return re.sub(r"\n{2,}", "\n", text).strip()


def _record_sizes(text: str) -> list[int]:
    return sorted({int(size) for size in re.findall(r"\bweft_record_(\d+)\b", text)})


def _record(size: int) -> str:
    return f"typedef struct {{\n    unsigned char bytes[{size}];\n}} weft_record_{size};"


# -------------------------------------------------------------------------------------------------- functions


def _function(module: CModule, function: n.Function) -> str:
    printer = CPrinter(module, iteration="iteration")
    printer.plain = module.is_plain(function)
    printer.memory.prepare(function.body)
    params = [text for var in function.params for text in _parameter(printer, var)]
    printer.block(function.body)
    name = module.function_names[function.name]
    if printer.plain:
        result = function.body.yields[0]
        value = printer.value(result).text
        printer.close()
        printer.lines.add(f"return {value};")
        return printer.finished(f"static inline {printer.type_name(result.type)} {name}({', '.join(params) or 'void'})")
    for k, value_ in enumerate(function.body.yields):
        if isinstance(value_.type, View):
            raise InternalError(f"the helper {function.name} returns an array and was not inlined")
        params.append(f"{printer.type_name(value_.type)} *result_{k}")
        printer.lines.add(f"*result_{k} = {printer.value(value_).text};")
    printer.close()
    fixed = ["const weft_runtime *runtime", "weft_fault *fault", "int64_t iteration"]
    return printer.finished(f"static int32_t {name}({', '.join([*fixed, *params])})")


def _parameter(printer: CPrinter, var: n.Var) -> list[str]:
    """The C parameters of a helper for one parameter."""
    if not isinstance(var.type, View):
        name = printer.module.identifiers.of(var.name)
        printer.declared[name] = printer.type_name(var.type)
        printer.atoms[var.name] = Code(name)
        return [f"{printer.type_name(var.type)} {name}"]
    view = ViewCode.named(printer.module.identifiers.of(var.name), var.type)
    printer.views[var.name] = view
    types = view.part_types(printer.dialect, var.type, False)
    texts = []
    for part, c_type in zip(view.parts(var.type, False), types, strict=True):
        printer.declared[part.text] = c_type
        texts.append(declaration(c_type, part.text))
    return texts


def declaration(c_type: str, name: str) -> str:
    """The declaration of a name, without a semicolon."""
    return f"{c_type}{name}" if c_type.endswith("*") else f"{c_type} {name}"


# ------------------------------------------------------------------------------------------------------ entry


def _entry(module: CModule) -> str:
    """The entry function: unpacks the arguments, tests the assumption, runs the body."""
    program = module.program
    outer = _EntryPrinter(module)
    outer.declared.update(FIXED)
    outer.declared.update(module.host.names)
    unpacked = [line for k, param in enumerate(program.params) for line in _unpack(outer, k, param.var)]
    if program.assumption is not None:
        outer.block(program.assumption)
        outer.lines.add(f"if (!({outer.value(program.assumption.yields[0]).text})) return WEFT_OTHER_VARIANT;")
        outer.close()
    lacking = _lacking(module, outer)
    text, captured = _body(module, outer).complete(module.body, [])
    module.functions.append(text)
    arguments = ", ".join(captured)
    for line in module.host.opening:
        outer.lines.add(line)
    outer.lines.add(f"int32_t status = {lacking}{module.body}({arguments});")
    for line in module.host.closing:
        outer.lines.add(line)
    outer.lines.add("return status > 0 ? fault->site : status;")
    used = words("\n".join(outer.lines.items))
    head = (
        f"int32_t {module.entry}(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,\n"
        f"{' ' * (len(module.entry) + 9)}weft_fault *fault)"
    )
    lines = [f"    {line}" for name, line in unpacked if name in used]
    return "\n".join([f"{head} {{", *lines, *outer.lines.items, "}"])


def _lacking(module: CModule, outer: _EntryPrinter) -> str:
    """Where a program says what it needs of its device: the choice of a status where there is less room."""
    needs = module.program.needs
    if needs is None:
        return ""
    outer.block(needs)
    outer.close()
    return f"{outer.value(needs.yields[0]).inside(UNARY)} > {module.host.room} ? WEFT_NO_ROOM : "


FIXED = {
    "runtime": "const weft_runtime *",
    "fault": "weft_fault *",
    "results": "weft_value *",
}
"""What every function may ask for, by name."""


class _EntryPrinter(CPrinter):
    """Prints the assumption: what cannot be computed does not hold."""

    bounds_nests = True

    def leave(self, status: str) -> None:
        self.lines.add("return WEFT_OTHER_VARIANT;")

    def fail(self, site: object, operands: object) -> None:
        self.lines.add("return WEFT_OTHER_VARIANT;")


def _unpack(printer: CPrinter, position: int, var: n.Var) -> list[tuple[str, str]]:
    """The C variables of a parameter, each with the line that takes it from the arguments."""
    source = f"arguments[{position}]"
    if not isinstance(var.type, View):
        name = printer.module.identifiers.of(var.name)
        c_type = printer.type_name(var.type)
        printer.declared[name] = c_type
        printer.atoms[var.name] = Code(name)
        assert isinstance(var.type, Scalar)
        return [(name, f"{declaration(c_type, name)} = {from_value(source, var.type, c_type)};")]
    packed = isinstance(var.type.element, Record)
    view = ViewCode.named(printer.module.identifiers.fresh(var.name), var.type, packed=packed)
    printer.views[var.name] = view
    pointer = view.pointer_type(printer.dialect)
    shapes = [f"{source}.view->shape[{k}]" for k in range(var.type.ndim)]
    strides = [f"{source}.view->strides[{k}]" for k in range(var.type.ndim - is_unit(var.type))]
    values = [f"({pointer}){source}.view->data", *shapes, *strides]
    lines = []
    types = view.part_types(printer.dialect, var.type, False)
    for part, c_type, value in zip(view.parts(var.type, False), types, values, strict=True):
        printer.declared[part.text] = c_type
        lines.append((part.text, f"{declaration(c_type, part.text)} = {value};"))
    return lines


def _body(module: CModule, outer: CPrinter) -> ParallelPrinter:
    """The function that does the work of the program."""
    program = module.program
    printer = module.host.printer(module, outer)
    printer.memory.prepare(program.body)
    printer.block(program.body)
    bases = [base for k, value in enumerate(program.body.yields) for base in _result(printer, k, value)]
    printer.memory.give_away(list(dict.fromkeys(bases)))
    printer.close()
    return printer


def _result(printer: CPrinter, position: int, atom: n.Atom) -> list[str]:
    """Print a result; gives the memory that goes to the caller with it."""
    target = f"results[{position}]"
    if not isinstance(atom.type, View):
        assert isinstance(atom.type, Scalar)
        code = printer.simple(atom)
        if atom.type.kind == "c":
            printer.lines.add(f"{target}.c[0] = {code.text}.re;")
            printer.lines.add(f"{target}.c[1] = {code.text}.im;")
        elif atom.type.kind == "f":
            printer.lines.add(f"{target}.f = {f'half_to_float32({code.text})' if atom.type.bits == 16 else code.text};")
        else:
            cast = "(int64_t)" if atom.type.name == "uint64" else ""
            printer.lines.add(f"{target}.i = {cast}{code.text};")
        return []
    assert isinstance(atom, n.Var)
    view = printer.view(atom)
    printer.lines.add(f"{target}.view->data = (char *){view.pointer};")
    for k, extent in enumerate(view.shape):
        printer.lines.add(f"{target}.view->shape[{k}] = {extent.text};")
    for k, stride in enumerate(view.strides):
        printer.lines.add(f"{target}.view->strides[{k}] = {stride.text};")
    printer.lines.add(f"{target}.view->base = {view.base};")
    return [] if view.base == NO_BASE else [view.base]
