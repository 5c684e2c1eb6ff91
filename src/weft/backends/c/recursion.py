"""Functions that call themselves: C functions that give a status, and take what is to hold their results.

Where a result is an array, its memory goes to the list of memory that the caller keeps. Each function looks whether the
stack has room for it, and whether the program is to stop, since calls may take as long as loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.backends.text.artifact import Site
from weft.backends.text.code import Code
from weft.backends.text.views import NO_BASE, ViewCode
from weft.ir import nodes as n
from weft.ir.recursion import function_name, gives_views
from weft.ir.types import View

if TYPE_CHECKING:
    from weft.backends.c.printer import CPrinter

STACK = 256
"""Bytes of the stack that the arrays of such a function may take together."""

NO_STACK = (
    "maximum recursion depth exceeded: the stack of compiled code is full, although Python permits more calls; "
    "run the call in a thread, after threading.stack_size(512 * 2**20)"
)


def print_recursive_call(printer: CPrinter, call: n.External) -> None:
    """Print a call."""
    name = function_name(call)
    assert name is not None
    is_tracked = gives_views(printer.module.program.function(name))
    parts = [code for atom in call.operands for code in printer.parts(atom, tracked=is_tracked, exact=True)]
    printer.settle_loads()
    targets: list[str] = []
    for result in call.results:
        is_view = isinstance(result.type, View)
        targets += printer.carry(result, None, tracked=True) if is_view else [printer.name(result)]
    lists = ["&owned"] if is_tracked else []
    texts = ["runtime", "fault", *lists, *(part.text for part in parts), *(f"&{target}" for target in targets)]
    status = printer.declare("outcome", "int32_t", f"{printer.module.function_names[name]}({', '.join(texts)})")
    printer.leave_if(status, status)


def print_recursive_function(printer: CPrinter, function: n.Function) -> str:
    """The text of a function."""
    is_tracked = gives_views(function)
    printer.memory.prepare(function.body, STACK)
    params = [text for var in function.params for text in _parameter(printer, var, is_tracked)]
    site = Site("RecursionError", NO_STACK, (), function.location)
    with printer.lines.braces("if (UNLIKELY((const char *)__builtin_frame_address(0) < runtime->stack_end))"):
        printer.fail(site, [])
    printer.poll()
    printer.block(function.body)
    targets: list[tuple[str, str]] = []
    bases: list[str] = []
    for atom in function.body.yields:
        types = ["int"]
        if isinstance(atom.type, View):
            assert isinstance(atom, n.Var)
            types = ViewCode.empty(atom.type).part_types(printer.dialect, atom.type, True)
            bases.append(printer.view(atom).base)
        else:
            types = [printer.type_name(atom.type)]
        for c_type, part in zip(types, printer.parts(atom, tracked=True, exact=True), strict=True):
            target = printer.module.identifiers.fresh("given")
            params.append(f"{c_type}{'' if c_type.endswith('*') else ' '}*{target}")
            targets.append((target, part.text))
    for target, text in targets:
        printer.lines.add(f"*{target} = {text};")
    printer.memory.hand_over([base for base in dict.fromkeys(bases) if base != NO_BASE])
    printer.close()
    fixed = ["const weft_runtime *runtime", "weft_fault *fault", *(["weft_owned *callers"] if is_tracked else [])]
    name = printer.module.function_names[function.name]
    return printer.finished(f"static int32_t {name}({', '.join([*fixed, *params])})")


def _parameter(printer: CPrinter, var: n.Var, is_tracked: bool) -> list[str]:
    """The C parameters for one parameter."""
    name = printer.module.identifiers.of(var.name)
    if not isinstance(var.type, View):
        types, parts = [printer.type_name(var.type)], [name]
        printer.atoms[var.name] = Code(name)
    else:
        view = ViewCode.named(name, var.type, is_tracked)
        printer.views[var.name] = view
        types = view.part_types(printer.dialect, var.type, is_tracked)
        parts = [part.text for part in view.parts(var.type, is_tracked)]
    printer.declared.update(zip(parts, types, strict=True))
    return [f"{c_type}{'' if c_type.endswith('*') else ' '}{part}" for c_type, part in zip(types, parts, strict=True)]
